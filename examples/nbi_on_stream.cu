// SPDX-License-Identifier: MIT
// What does stream order say of a put that was queued with putmem_nbi_on_stream?
//
// PE 0 fills a source with the round's number, queues a put of it to PE 1 and then a signal, all on one stream. PE 1 waits
// for the signal on a stream of its own and counts the words that do not hold the round's number. In the `reuse` cases PE 0
// overwrites the source on the same stream right after the put, and PE 1 counts the words that hold the later value.
//
// A case is a `control` where no word may be wrong (the program fails if one is) or `observed` where the program only
// counts.

#include "common.h"

namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 64;
constexpr long kDefaultMebibytes = 64;
constexpr long kDefaultRounds = 50;
constexpr uint64_t kLater = uint64_t{1} << 62;  // added to the round's number when the source is overwritten

enum class Put { kNbi, kNbiThenQuiet, kBlocking, kWithSignal, kNbiWithSignal };

struct Case {
    Put put;
    const char *name;
    bool reuse;  // overwrite the source on the same stream right after the put
    bool control;
};

constexpr Case kCases[] = {
    {Put::kNbi, "put_nbi-then-signal", false, false},
    {Put::kNbiThenQuiet, "put_nbi-quiet-then-signal", false, true},
    {Put::kBlocking, "put-then-signal", false, true},
    {Put::kWithSignal, "put_signal", false, true},
    {Put::kNbiWithSignal, "put_signal_nbi", false, true},
    {Put::kNbi, "put_nbi-reuse", true, false},
    {Put::kNbiThenQuiet, "put_nbi-quiet-reuse", true, true},
    {Put::kBlocking, "put-reuse", true, true},
    {Put::kNbiWithSignal, "put_signal_nbi-reuse", true, false},
};

__global__ void fill(uint64_t *words, size_t count, uint64_t value) {
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x)
        words[i] = value;
}

// counts[0]: words with another value than the round's; counts[1]: those of them with the later value.
__global__ void count_wrong(const volatile uint64_t *words, size_t count, uint64_t round, unsigned long long *counts) {
    unsigned long long wrong = 0, later = 0;
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
        const uint64_t word = words[i];
        wrong += word != round;
        later += word == round + kLater;
    }
    if (wrong != 0) atomicAdd(&counts[0], wrong);
    if (later != 0) atomicAdd(&counts[1], later);
}

struct Memory {
    uint64_t *source, *target, *signal, *answer;  // symmetric
    size_t words;
    unsigned long long *counts;  // managed: [0] wrong, [1] later
};

void put(const Case &measured, const Memory &memory, uint64_t round, int peer, cudaStream_t stream) {
    const size_t bytes = memory.words * sizeof(uint64_t);
    switch (measured.put) {
        case Put::kNbi:
            nvshmemx_putmem_nbi_on_stream(memory.target, memory.source, bytes, peer, stream);
            break;
        case Put::kNbiThenQuiet:
            nvshmemx_putmem_nbi_on_stream(memory.target, memory.source, bytes, peer, stream);
            nvshmemx_quiet_on_stream(stream);
            break;
        case Put::kBlocking:
            nvshmemx_putmem_on_stream(memory.target, memory.source, bytes, peer, stream);
            break;
        case Put::kWithSignal:
            nvshmemx_putmem_signal_on_stream(memory.target, memory.source, bytes, memory.signal, round,
                                             NVSHMEM_SIGNAL_SET, peer, stream);
            return;
        case Put::kNbiWithSignal:
            nvshmemx_putmem_signal_nbi_on_stream(memory.target, memory.source, bytes, memory.signal, round,
                                                 NVSHMEM_SIGNAL_SET, peer, stream);
            return;
    }
    if (!measured.reuse) nvshmemx_signal_op_on_stream(memory.signal, round, NVSHMEM_SIGNAL_SET, peer, stream);
}

// PE 0. A `reuse` round's signal follows a quiet, so that PE 1 looks at what has arrived in the end.
void produce(const Case &measured, const Memory &memory, uint64_t round, cudaStream_t stream) {
    fill<<<kBlocks, kThreads, 0, stream>>>(memory.source, memory.words, round);
    put(measured, memory, round, 1, stream);
    if (measured.reuse) {
        fill<<<kBlocks, kThreads, 0, stream>>>(memory.source, memory.words, round + kLater);
        nvshmemx_quiet_on_stream(stream);
        nvshmemx_signal_op_on_stream(memory.signal, round, NVSHMEM_SIGNAL_SET, 1, stream);
    }
    CHECK_CUDA(cudaGetLastError());
    nvshmemx_quiet_on_stream(stream);
    CHECK_CUDA(cudaStreamSynchronize(stream));
}

// PE 1.
void consume(const Memory &memory, uint64_t round, cudaStream_t stream) {
    nvshmemx_signal_wait_until_on_stream(memory.signal, NVSHMEM_CMP_EQ, round, stream);
    count_wrong<<<kBlocks, kThreads, 0, stream>>>(memory.target, memory.words, round, memory.counts);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaStreamSynchronize(stream));
}

struct Result {
    uint64_t rounds_wrong, words_wrong, words_later;
};

// Every round ends with a barrier. PE 1 leaves its counts in PE 0's `answer`.
Result measure(const example::World &world, const Case &measured, const Memory &memory, uint64_t *round, long rounds,
               cudaStream_t stream) {
    Result result = {};
    for (long i = 0; i < rounds; i++) {
        const uint64_t now = ++*round;
        if (world.pe == 0) {
            produce(measured, memory, now, stream);
        } else {
            memory.counts[0] = memory.counts[1] = 0;
            consume(memory, now, stream);
            result.rounds_wrong += memory.counts[0] != 0;
            result.words_wrong += memory.counts[0];
            result.words_later += memory.counts[1];
        }
        nvshmem_barrier_all();
    }
    if (world.pe == 1) nvshmem_putmem(memory.answer, &result, sizeof result, 0);
    nvshmem_barrier_all();
    CHECK_CUDA(cudaMemcpy(&result, memory.answer, sizeof result, cudaMemcpyDefault));
    return result;
}

int run(const example::World &world, long mebibytes, long rounds) {
    Memory memory = {};
    memory.words = static_cast<size_t>(mebibytes) * 1024 * 1024 / sizeof(uint64_t);
    memory.source = static_cast<uint64_t *>(nvshmem_malloc(memory.words * sizeof(uint64_t)));
    memory.target = static_cast<uint64_t *>(nvshmem_malloc(memory.words * sizeof(uint64_t)));
    memory.signal = example::symmetric<uint64_t>(1);
    memory.answer = example::symmetric<uint64_t>(sizeof(Result) / sizeof(uint64_t));
    if (memory.source == nullptr || memory.target == nullptr) example::cannot_run("nvshmem_malloc failed");
    example::require_peer_path(memory.target, 1 - world.pe);
    CHECK_CUDA(cudaMemset(memory.target, 0, memory.words * sizeof(uint64_t)));
    CHECK_CUDA(cudaMallocManaged(&memory.counts, 2 * sizeof *memory.counts));
    cudaStream_t stream;
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    nvshmem_barrier_all();

    uint64_t round = 0;
    bool good = true;
    for (const Case &measured : kCases) {
        example::current_stage = measured.name;
        const Result result = measure(world, measured, memory, &round, rounds, stream);
        if (measured.control && result.words_wrong != 0) good = false;
        if (world.pe == 0) {
            std::printf("case %s kind %s rounds %ld rounds_wrong %llu words %zu words_wrong %llu words_later %llu\n",
                        measured.name, measured.control ? "control" : "observed", rounds,
                        static_cast<unsigned long long>(result.rounds_wrong), memory.words * static_cast<size_t>(rounds),
                        static_cast<unsigned long long>(result.words_wrong),
                        static_cast<unsigned long long>(result.words_later));
            std::fflush(stdout);
        }
    }
    nvshmem_free(memory.answer);
    nvshmem_free(memory.signal);
    nvshmem_free(memory.target);
    nvshmem_free(memory.source);
    return example::finish(world, good);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 4 || argc > 7) {
        std::fprintf(stderr, "usage: %s PE PES ID_FILE [MEBIBYTES [ROUNDS [SECONDS]]]   (two PEs)\n", argv[0]);
        return example::kCannotRun;
    }
    const int pes = static_cast<int>(example::parse_number("PES", argv[2], 2, 2));
    const int pe = static_cast<int>(example::parse_number("PE", argv[1], 0, pes - 1));
    const long mebibytes = argc > 4 ? example::parse_number("MEBIBYTES", argv[4], 1, 4096) : kDefaultMebibytes;
    const long rounds = argc > 5 ? example::parse_number("ROUNDS", argv[5], 1, 1000000) : kDefaultRounds;
    const long seconds = argc > 6 ? example::parse_number("SECONDS", argv[6], 1, 3600) : example::kDefaultTimeLimitSeconds;
    example::start_time_limit(static_cast<unsigned>(seconds));
    return run(example::start(pe, pes, argv[3]), mebibytes, rounds);
}
