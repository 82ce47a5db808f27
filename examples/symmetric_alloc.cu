// SPDX-License-Identifier: MIT
// What do the allocators of symmetric memory return, and what happens when PEs disagree on a size?
//
// Each case prints what PE 0 saw. A case is a `control` where the answer must be the expected one (the program fails if it
// is not) or `observed` where the program only reports.

#include "common.h"

namespace {

constexpr size_t kMebibyte = size_t{1} << 20;
constexpr int kThreads = 256;
constexpr int kBlocks = 64;

__global__ void count_nonzero(const volatile uint64_t *words, size_t count, unsigned long long *found) {
    unsigned long long mine = 0;
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x)
        mine += words[i] != 0;
    if (mine != 0) atomicAdd(found, mine);
}

class Report {
public:
    explicit Report(const example::World &world) : world_(world) {}

    // One yes-or-no case.
    void control(const char *name, bool holds) {
        print(name, "control", "holds", holds ? "yes" : "no");
        if (!holds) good_ = false;
    }
    void observed(const char *name, const char *key, const char *value) { print(name, "observed", key, value); }
    void observed(const char *name, const char *key, unsigned long long value) {
        char text[32];
        std::snprintf(text, sizeof text, "%llu", value);
        print(name, "observed", key, text);
    }
    bool good() const { return good_; }

private:
    void print(const char *name, const char *kind, const char *key, const char *value) {
        if (world_.pe != 0) return;
        std::printf("case %s kind %s %s %s\n", name, kind, key, value);
        std::fflush(stdout);
    }
    const example::World &world_;
    bool good_ = true;
};

unsigned long long nonzero(const void *memory, size_t bytes, cudaStream_t stream) {
    unsigned long long *found = nullptr;
    CHECK_CUDA(cudaMallocManaged(&found, sizeof *found));
    *found = 0;
    count_nonzero<<<kBlocks, kThreads, 0, stream>>>(static_cast<const uint64_t *>(memory), bytes / sizeof(uint64_t), found);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaStreamSynchronize(stream));
    const unsigned long long result = *found;
    CHECK_CUDA(cudaFree(found));
    return result;
}

void small_blocks(Report *report) {
    example::current_stage = "small blocks";
    report->control("malloc-of-0-is-null", nvshmem_malloc(0) == nullptr);
    report->control("calloc-of-0-is-null", nvshmem_calloc(0, 8) == nullptr);
    void *aligned = nvshmem_align(4096, 100);
    report->control("align-4096", aligned != nullptr && reinterpret_cast<std::uintptr_t>(aligned) % 4096 == 0);
    nvshmem_free(aligned);
    void *odd = nvshmem_malloc(1), *next = nvshmem_malloc(1);
    report->observed("two-blocks-of-1-byte", "distance",
                     static_cast<unsigned long long>(static_cast<char *>(next) - static_cast<char *>(odd)));
    nvshmem_free(next);
    nvshmem_free(odd);
}

void pointers(const example::World &world, Report *report) {
    example::current_stage = "nvshmem_ptr";
    char *block = static_cast<char *>(nvshmem_malloc(64));
    const int peer = (world.pe + 1) % world.pes;
    void *outside = nullptr;
    CHECK_CUDA(cudaMalloc(&outside, 64));
    report->control("ptr-of-own-block-is-the-block", nvshmem_ptr(block, world.pe) == block);
    report->control("ptr-inside-a-block-keeps-the-offset",
                    static_cast<char *>(nvshmem_ptr(block + 5, peer)) - static_cast<char *>(nvshmem_ptr(block, peer)) == 5);
    report->control("ptr-of-other-memory-is-null", nvshmem_ptr(outside, peer) == nullptr);
    report->control("ptr-of-no-such-pe-is-null", nvshmem_ptr(block, world.pes) == nullptr);
    CHECK_CUDA(cudaFree(outside));
    nvshmem_free(block);
}

// Does calloc give zeros for memory that was used before, also to a stream that does not wait for the default stream?
void zeroed(Report *report, size_t bytes) {
    example::current_stage = "calloc of used memory";
    cudaStream_t stream;
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    void *dirty = nvshmem_malloc(bytes);
    if (dirty == nullptr) example::cannot_run("nvshmem_malloc of %zu bytes failed", bytes);
    CHECK_CUDA(cudaMemset(dirty, 0xff, bytes));
    CHECK_CUDA(cudaDeviceSynchronize());
    nvshmem_free(dirty);
    void *clean = nvshmem_calloc(bytes, 1);
    report->control("calloc-of-used-memory-is-the-same-block", clean == dirty);
    if (clean != nullptr)
        report->observed("calloc-of-used-memory-read-on-another-stream", "words_not_zero", nonzero(clean, bytes, stream));
    CHECK_CUDA(cudaDeviceSynchronize());
    if (clean != nullptr)
        report->control("calloc-of-used-memory-is-zero-in-the-end", nonzero(clean, bytes, stream) == 0);
    nvshmem_free(clean);
    CHECK_CUDA(cudaStreamDestroy(stream));
}

// A block that does not fit what the heap has mapped so far, by both allocators.
void growth(Report *report, size_t bytes) {
    example::current_stage = "growth by calloc";
    void *by_bytes = nvshmem_calloc(bytes, 1);
    report->observed("calloc-beyond-the-mapped-heap-elements-of-1", "null", by_bytes == nullptr ? "yes" : "no");
    nvshmem_free(by_bytes);
    void *by_words = nvshmem_calloc(bytes / 8, 8);
    report->observed("calloc-beyond-the-mapped-heap-elements-of-8", "null", by_words == nullptr ? "yes" : "no");
    nvshmem_free(by_words);
    example::current_stage = "growth by malloc";
    void *block = nvshmem_malloc(bytes);
    report->control("malloc-beyond-the-mapped-heap", block != nullptr);
    nvshmem_free(block);
    void *again = nvshmem_calloc(bytes / 8, 8);
    report->observed("calloc-of-that-size-after-malloc-and-free", "null", again == nullptr ? "yes" : "no");
    nvshmem_free(again);
}

// PE 0 asks for less than the others. Is that told, and where does a put to the next block arrive?
void unequal_sizes(const example::World &world, Report *report) {
    example::current_stage = "unequal sizes";
    long *answer = example::symmetric<long>(1);  // before the offsets part
    void *first = nvshmem_malloc(world.pe == 0 ? 4096 : 65536);
    report->observed("malloc-of-unequal-sizes", "null", first == nullptr ? "yes" : "no");
    char *second = static_cast<char *>(nvshmem_malloc(4096));
    report->observed("block-after-unequal-sizes", "distance",
                     static_cast<unsigned long long>(second - static_cast<char *>(first)));
    CHECK_CUDA(cudaMemset(second, 0, 4096));
    CHECK_CUDA(cudaDeviceSynchronize());
    nvshmem_barrier_all();
    const long mark = 42;
    if (world.pe == 0) nvshmem_putmem(second, &mark, sizeof mark, 1);
    nvshmem_barrier_all();
    if (world.pe == 1) {
        long seen = 0;
        CHECK_CUDA(cudaMemcpy(&seen, second, sizeof seen, cudaMemcpyDefault));
        const long arrived = seen == mark ? 1 : 2;
        nvshmem_putmem(answer, &arrived, sizeof arrived, 0);
    }
    nvshmem_barrier_all();
    long arrived = 0;
    CHECK_CUDA(cudaMemcpy(&arrived, answer, sizeof arrived, cudaMemcpyDefault));
    report->observed("put-to-the-block-after-unequal-sizes", "arrived",
                     arrived == 1 ? "yes" : arrived == 2 ? "no" : "unknown");
    nvshmem_free(second);
    nvshmem_free(first);
    nvshmem_free(answer);
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

    Report report(world);
    small_blocks(&report);
    pointers(world, &report);
    zeroed(&report, 256 * kMebibyte);
    growth(&report, 3072 * kMebibyte);
    unequal_sizes(world, &report);
    return example::finish(world, report.good());
}
