// SPDX-License-Identifier: MIT
// Do the device atomics with 64-bit type names work on 64 bits?
//
// PE 0 applies one atomic to a fresh 64-bit word, on itself and on the next PE, and compares what the call returned and
// what it left with 64-bit arithmetic. All values have bits above the 32nd, or carry into them, so an operation that works
// on 32 bits only is seen at once.
//
// A case is a `control` where the result must be right (the program fails if it is not) or `observed` where the program
// only reports.

#include <vector>

#include "common.h"

namespace {

using Word = unsigned long long;

constexpr Word bit(unsigned position) { return Word{1} << position; }

enum class Operation {
    kUlongFetchAdd,
    kUlongFetchInc,
    kUlongAdd,
    kUlongInc,
    kLongSwap,
    kLongSet,
    kUlonglongFetchAdd,
    kUlonglongAdd,
    kUlonglongInc,
    kUlonglongSwap,
    kUlonglongSet,
    kUint64FetchAdd,
    kUint64Swap,
    kUlongSwap,
    kUlongCompareSwap,
    kLongFetchAdd,
    kLongCompareSwap,
};

struct Case {
    Operation operation;
    const char *name;
    bool control;
    bool returns;  // does the routine return the old value?
    Word initial;
    Word operand;
    Word expected;  // what the word holds afterwards
};

constexpr Case kCases[] = {
    {Operation::kUlongFetchAdd, "ulong_atomic_fetch_add", false, true, bit(32) + 5, bit(32), bit(33) + 5},
    {Operation::kUlongFetchInc, "ulong_atomic_fetch_inc", false, true, bit(32) - 1, 0, bit(32)},
    {Operation::kUlongAdd, "ulong_atomic_add", false, false, 1, bit(33), bit(33) + 1},
    {Operation::kUlongInc, "ulong_atomic_inc", false, false, bit(32) - 1, 0, bit(32)},
    {Operation::kLongSwap, "long_atomic_swap", false, true, 7, bit(40) + 9, bit(40) + 9},
    {Operation::kLongSwap, "long_atomic_swap_of_wide_value", false, true, bit(40) + 7, bit(41) + 9, bit(41) + 9},
    {Operation::kLongSet, "long_atomic_set", false, false, bit(40) + 1, 3 * bit(40) + 2, 3 * bit(40) + 2},

    {Operation::kUlonglongFetchAdd, "ulonglong_atomic_fetch_add", true, true, bit(32) + 5, bit(32), bit(33) + 5},
    {Operation::kUlonglongAdd, "ulonglong_atomic_add", true, false, 1, bit(33), bit(33) + 1},
    {Operation::kUlonglongInc, "ulonglong_atomic_inc", true, false, bit(32) - 1, 0, bit(32)},
    {Operation::kUlonglongSwap, "ulonglong_atomic_swap", true, true, bit(40) + 7, bit(41) + 9, bit(41) + 9},
    {Operation::kUlonglongSet, "ulonglong_atomic_set", true, false, bit(40) + 1, 3 * bit(40) + 2, 3 * bit(40) + 2},
    {Operation::kUint64FetchAdd, "uint64_atomic_fetch_add", true, true, bit(32) + 5, bit(32), bit(33) + 5},
    {Operation::kUint64Swap, "uint64_atomic_swap", true, true, bit(40) + 7, bit(41) + 9, bit(41) + 9},

    // The same two C types in other routines: not every routine of `ulong` and `long` is narrow.
    {Operation::kUlongSwap, "ulong_atomic_swap", true, true, bit(40) + 7, bit(41) + 9, bit(41) + 9},
    {Operation::kUlongCompareSwap, "ulong_atomic_compare_swap", true, true, bit(40) + 7, bit(41) + 9, bit(41) + 9},
    {Operation::kLongFetchAdd, "long_atomic_fetch_add", true, true, bit(32) + 5, bit(32), bit(33) + 5},
    {Operation::kLongCompareSwap, "long_atomic_compare_swap", true, true, bit(40) + 7, bit(41) + 9, bit(41) + 9},
};

constexpr int kCaseCount = static_cast<int>(sizeof kCases / sizeof kCases[0]);

struct Result {
    Word returned;
    Word left;
};

// The word's type is cast to the type in the routine's name: all three have 64 bits here.
static_assert(sizeof(long) == 8 && sizeof(unsigned long) == 8 && sizeof(uint64_t) == 8, "an LP64 system is expected");

__device__ Word apply(const Case &measured, Word *word, int pe) {
    const Word operand = measured.operand;
    long *as_long = reinterpret_cast<long *>(word);
    unsigned long *as_ulong = reinterpret_cast<unsigned long *>(word);
    uint64_t *as_uint64 = reinterpret_cast<uint64_t *>(word);
    switch (measured.operation) {
        case Operation::kUlongFetchAdd:
            return nvshmem_ulong_atomic_fetch_add(as_ulong, operand, pe);
        case Operation::kUlongFetchInc:
            return nvshmem_ulong_atomic_fetch_inc(as_ulong, pe);
        case Operation::kUlongAdd:
            nvshmem_ulong_atomic_add(as_ulong, operand, pe);
            return 0;
        case Operation::kUlongInc:
            nvshmem_ulong_atomic_inc(as_ulong, pe);
            return 0;
        case Operation::kLongSwap:
            return static_cast<Word>(nvshmem_long_atomic_swap(as_long, static_cast<long>(operand), pe));
        case Operation::kLongSet:
            nvshmem_long_atomic_set(as_long, static_cast<long>(operand), pe);
            return 0;
        case Operation::kUlonglongFetchAdd:
            return nvshmem_ulonglong_atomic_fetch_add(word, operand, pe);
        case Operation::kUlonglongAdd:
            nvshmem_ulonglong_atomic_add(word, operand, pe);
            return 0;
        case Operation::kUlonglongInc:
            nvshmem_ulonglong_atomic_inc(word, pe);
            return 0;
        case Operation::kUlonglongSwap:
            return nvshmem_ulonglong_atomic_swap(word, operand, pe);
        case Operation::kUlonglongSet:
            nvshmem_ulonglong_atomic_set(word, operand, pe);
            return 0;
        case Operation::kUint64FetchAdd:
            return nvshmem_uint64_atomic_fetch_add(as_uint64, operand, pe);
        case Operation::kUint64Swap:
            return nvshmem_uint64_atomic_swap(as_uint64, operand, pe);
        case Operation::kUlongSwap:
            return nvshmem_ulong_atomic_swap(as_ulong, operand, pe);
        case Operation::kUlongCompareSwap:
            return nvshmem_ulong_atomic_compare_swap(as_ulong, measured.initial, operand, pe);
        case Operation::kLongFetchAdd:
            return static_cast<Word>(nvshmem_long_atomic_fetch_add(as_long, static_cast<long>(operand), pe));
        case Operation::kLongCompareSwap:
            return static_cast<Word>(nvshmem_long_atomic_compare_swap(as_long, static_cast<long>(measured.initial),
                                                                     static_cast<long>(operand), pe));
    }
    return 0;
}

// One thread. Each case has a word of its own, so no load can meet a cached copy from another case.
__global__ void run_cases(const Case *cases, int count, Word *words, int pe, Result *results) {
    for (int i = 0; i < count; i++) {
        Word *word = words + i;
        nvshmem_ulonglong_p(word, cases[i].initial, pe);
        nvshmem_quiet();
        results[i].returned = apply(cases[i], word, pe);
        nvshmem_quiet();
        // Volatile: past the first-level cache, which an atomic does not update.
        results[i].left = *static_cast<volatile Word *>(nvshmem_ptr(word, pe));
    }
}

bool report(const Case &measured, const char *part, const char *target, Word expected, Word got) {
    const bool right = expected == got;
    std::printf("case %s-%s-%s kind %s expected %llu got %llu result %s\n", measured.name, part, target,
                measured.control ? "control" : "observed", expected, got, right ? "right" : "wrong");
    return right || !measured.control;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 4 || argc > 5) {
        std::fprintf(stderr,
                     "usage: %s PE PES IDFILE [SECONDS]\n"
                     "  PE       this process, from 0\n"
                     "  PES      number of processes, at least 2; start that many, each with its own PE\n"
                     "  IDFILE   a file name that does not exist yet, the same for all\n"
                     "  SECONDS  time limit of the whole program (%u)\n",
                     argv[0], example::kDefaultTimeLimitSeconds);
        return example::kCannotRun;
    }
    const int pes = static_cast<int>(example::parse_number("PES", argv[2], 2, 1024));
    const int pe = static_cast<int>(example::parse_number("PE", argv[1], 0, pes - 1));
    const long seconds = argc > 4 ? example::parse_number("SECONDS", argv[4], 1, 86400) : example::kDefaultTimeLimitSeconds;

    example::start_time_limit(static_cast<unsigned>(seconds));
    const example::World world = example::start(pe, pes, argv[3]);

    // One set of words for each of the two targets.
    struct Target {
        const char *name;
        int pe;
        Word *words;
    };
    const Target targets[] = {{"own", 0, example::symmetric<Word>(kCaseCount)},
                              {"peer", 1, example::symmetric<Word>(kCaseCount)}};

    bool expectations_hold = true;
    if (pe == 0) {
        Case *cases = nullptr;
        Result *results = nullptr;
        CHECK_CUDA(cudaMalloc(&cases, sizeof kCases));
        CHECK_CUDA(cudaMalloc(&results, kCaseCount * sizeof *results));
        CHECK_CUDA(cudaMemcpy(cases, kCases, sizeof kCases, cudaMemcpyHostToDevice));
        for (const Target &target : targets) {
            example::current_stage = target.name;
            example::require_peer_path(target.words, target.pe);
            CHECK_CUDA(cudaMemset(results, 0, kCaseCount * sizeof *results));
            // An ordinary launch is enough: only PE 0 works, and nothing in the kernel waits for another PE.
            run_cases<<<1, 1>>>(cases, kCaseCount, target.words, target.pe, results);
            CHECK_CUDA(cudaGetLastError());
            CHECK_CUDA(cudaDeviceSynchronize());
            std::vector<Result> got(kCaseCount);
            CHECK_CUDA(cudaMemcpy(got.data(), results, kCaseCount * sizeof(Result), cudaMemcpyDeviceToHost));
            for (int i = 0; i < kCaseCount; i++) {
                const Case &measured = kCases[i];
                if (measured.returns && !report(measured, "returned", target.name, measured.initial, got[i].returned))
                    expectations_hold = false;
                if (!report(measured, "left", target.name, measured.expected, got[i].left)) expectations_hold = false;
            }
            std::fflush(stdout);
        }
        CHECK_CUDA(cudaFree(results));
        CHECK_CUDA(cudaFree(cases));
    }

    example::current_stage = "last barrier";
    nvshmem_barrier_all();  // the peer's memory must live until PE 0 is done
    for (const Target &target : targets) nvshmem_free(target.words);
    return example::finish(world, expectations_hold);
}
