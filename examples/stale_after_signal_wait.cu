// SPDX-License-Identifier: MIT
// After which wait does a plain load of the payload see what the peer has put there?
//
// PEs work in pairs: an even PE produces, the odd PE after it consumes. Both run one persistent kernel. In round i the
// producer puts the number i into the consumer's payload, signals, and waits for the consumer's acknowledgement; the
// consumer waits for the signal, loads the payload once and acknowledges. The load must give i. A smaller number is old
// data: the put was complete (the producer signals after it) and yet the load did not see it.
//
// The payload stays at one address, as in a ring or a double buffer, so the consumer's SM has read the same line in the
// round before and may still hold it in its first-level cache. A wait that ends without a fence leaves it there.
//
// Each way to wait is measured with up to three kinds of company:
//   alone           nobody else on the consumer's SM reads the line
//   neighbour       another warp keeps reading the other words of the payload's 32-byte sector (never written: no data race)
//   neighbour-late  the same, and the producer sleeps before each put, so that the neighbour surely reads the line between
//                   the consumer's arrival in its wait and the arrival of the data
//
// A case is a `control` where the load must be fresh (the program fails if it is not) or `observed` where the program
// only counts.

#include <vector>

#include "common.h"

namespace {

enum class Wait {
    kSignalWaitUntil,
    kSignalFetchLoop,
    kWaitUntil,
    kTestLoop,
    kWaitUntilAll,
    kWaitUntilAny,
    kSyncAll,     // the producer: int_p, quiet, sync_all
    kBarrierAll,  // the producer: int_p, barrier_all
};

enum class Load { kPlain, kVolatile, kRelaxedSystem, kAcquireSystem };

enum class Fence { kNone, kBeforeLoad, kAfterLoad };

enum class Address { kSameEachRound, kFreshEachRound };

enum Company { kAlone, kNeighbour, kNeighbourLate, kCompanies };

constexpr const char *kCompanyNames[kCompanies] = {"alone", "neighbour", "neighbour-late"};

struct Case {
    const char *name;
    Wait wait;
    Load load;
    Fence fence;
    Address address;
    bool control[kCompanies];  // must the load be fresh in this company?
    int companies;             // how many of the three make sense
};

constexpr Case kCases[] = {
    {"signal_wait_until", Wait::kSignalWaitUntil, Load::kPlain, Fence::kNone, Address::kSameEachRound,
     {false, false, false}, 3},
    {"signal_fetch_loop", Wait::kSignalFetchLoop, Load::kPlain, Fence::kNone, Address::kSameEachRound,
     {false, false, false}, 3},
    {"sync_all", Wait::kSyncAll, Load::kPlain, Fence::kNone, Address::kSameEachRound, {false, false, false}, 3},
    // A barrier's own fence stands before its wait, not after it: it covers a lone reader only.
    {"barrier_all", Wait::kBarrierAll, Load::kPlain, Fence::kNone, Address::kSameEachRound, {true, false, false}, 3},
    {"uint64_wait_until", Wait::kWaitUntil, Load::kPlain, Fence::kNone, Address::kSameEachRound, {true, true, true}, 3},
    {"uint64_test_loop", Wait::kTestLoop, Load::kPlain, Fence::kNone, Address::kSameEachRound, {true, true, true}, 3},
    {"uint64_wait_until_all", Wait::kWaitUntilAll, Load::kPlain, Fence::kNone, Address::kSameEachRound,
     {true, true, true}, 3},
    {"uint64_wait_until_any", Wait::kWaitUntilAny, Load::kPlain, Fence::kNone, Address::kSameEachRound,
     {true, true, true}, 3},
    {"signal_wait_until-fence_before_load", Wait::kSignalWaitUntil, Load::kPlain, Fence::kBeforeLoad,
     Address::kSameEachRound, {true, true, true}, 3},
    // Not a remedy to rely on: it only drops what this round has left in the cache, until someone reads the line again.
    {"signal_wait_until-fence_after_load", Wait::kSignalWaitUntil, Load::kPlain, Fence::kAfterLoad,
     Address::kSameEachRound, {false, false, false}, 3},
    {"signal_wait_until-volatile_load", Wait::kSignalWaitUntil, Load::kVolatile, Fence::kNone, Address::kSameEachRound,
     {true, true, true}, 3},
    {"signal_wait_until-relaxed_sys_load", Wait::kSignalWaitUntil, Load::kRelaxedSystem, Fence::kNone,
     Address::kSameEachRound, {true, true, true}, 3},
    {"signal_wait_until-acquire_sys_load", Wait::kSignalWaitUntil, Load::kAcquireSystem, Fence::kNone,
     Address::kSameEachRound, {true, true, true}, 3},
    // What most codes do: no line is read twice in one launch, so none can be old.
    {"signal_wait_until-each_address_once", Wait::kSignalWaitUntil, Load::kPlain, Fence::kNone,
     Address::kFreshEachRound, {true, true, true}, 1},
};

// Each on a cache line of its own (128 bytes), so that polling a flag says nothing about the payload's line.
template <typename T>
struct alignas(128) OwnLine {
    T value;
};

constexpr unsigned kNeighbours = 7;

struct alignas(128) Payload {
    int value;                    // written by the producer
    int neighbours[kNeighbours];  // the rest of the 32-byte sector, written by nobody
};

struct Flags {
    OwnLine<uint64_t> signal;           // at the consumer
    OwnLine<uint64_t> acknowledgement;  // at the producer
    OwnLine<int> source;                // at the producer: what is put
    OwnLine<unsigned> neighbour_sum;    // at the consumer: what its neighbour has read
};

struct Counts {
    uint64_t rounds;
    uint64_t stale;        // an older number than the round's
    uint64_t ahead;        // a newer one: would mean that the acknowledgement overtook the load
    uint64_t first_stale;  // the first round with old data; 0 if there was none
    uint64_t neighbour_loads;
};

// Everything that a launch needs. Pointers are symmetric; `payload` has one line per round and one more.
struct Launch {
    Wait wait;
    Load load;
    Fence fence;
    Address address;
    bool neighbour;
    bool late;
    int rounds;
    int peer;
    bool producer;
    Flags *flags;
    Payload *payload;
    Counts *counts;  // at PE 0, one for each PE
};

constexpr unsigned kWarp = 32;
constexpr unsigned kProducerPauseNanoseconds = 20000;  // long against a neighbour's load, short against a run

// Inline assembly, so that each load is exactly the instruction that the case is about, and stays where it stands.
__device__ int load_from(const int *address, Load load) {
    int value = 0;
    switch (load) {
        case Load::kPlain:
            asm volatile("ld.global.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
            break;
        case Load::kVolatile:
            asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
            break;
        case Load::kRelaxedSystem:
            asm volatile("ld.relaxed.sys.global.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
            break;
        case Load::kAcquireSystem:
            asm volatile("ld.acquire.sys.global.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
            break;
    }
    return value;
}

__device__ void wait_for_round(Wait wait, uint64_t *signal, uint64_t round) {
    switch (wait) {
        case Wait::kSignalWaitUntil:
            nvshmem_signal_wait_until(signal, NVSHMEM_CMP_EQ, round);
            break;
        case Wait::kSignalFetchLoop:
            while (nvshmem_signal_fetch(signal) != round) {
            }
            break;
        case Wait::kWaitUntil:
            nvshmem_uint64_wait_until(signal, NVSHMEM_CMP_EQ, round);
            break;
        case Wait::kTestLoop:
            while (!nvshmem_uint64_test(signal, NVSHMEM_CMP_EQ, round)) {
            }
            break;
        case Wait::kWaitUntilAll:
            nvshmem_uint64_wait_until_all(signal, 1, nullptr, NVSHMEM_CMP_EQ, round);
            break;
        case Wait::kWaitUntilAny:
            nvshmem_uint64_wait_until_any(signal, 1, nullptr, NVSHMEM_CMP_EQ, round);
            break;
        case Wait::kSyncAll:
            nvshmem_sync_all();
            break;
        case Wait::kBarrierAll:
            nvshmem_barrier_all();
            break;
    }
}

__device__ Payload *payload_of(const Launch &launch, int round) {
    return launch.payload + (launch.address == Address::kFreshEachRound ? round : 0);
}

__device__ void produce(const Launch &launch) {
    Flags *flags = launch.flags;
    for (int round = 1; round <= launch.rounds; round++) {
        int *destination = &payload_of(launch, round)->value;
        if (launch.late) __nanosleep(kProducerPauseNanoseconds);
        switch (launch.wait) {
            case Wait::kSyncAll:
                nvshmem_int_p(destination, round, launch.peer);
                nvshmem_quiet();  // sync_all promises nothing about puts, so complete this one first
                nvshmem_sync_all();
                break;
            case Wait::kBarrierAll:
                nvshmem_int_p(destination, round, launch.peer);
                nvshmem_barrier_all();  // completes the put itself
                break;
            default:
                flags->source.value = round;
                nvshmem_int_put_signal(destination, &flags->source.value, 1, &flags->signal.value, round,
                                       NVSHMEM_SIGNAL_SET, launch.peer);
                nvshmem_quiet();  // the source is written again in the next round
                break;
        }
        nvshmem_uint64_wait_until(&flags->acknowledgement.value, NVSHMEM_CMP_EQ, static_cast<uint64_t>(round));
    }
}

__device__ void consume(const Launch &launch) {
    Flags *flags = launch.flags;
    Counts counts = {};
    counts.rounds = static_cast<uint64_t>(launch.rounds);
    for (int round = 1; round <= launch.rounds; round++) {
        wait_for_round(launch.wait, &flags->signal.value, round);
        if (launch.fence == Fence::kBeforeLoad) __threadfence_system();
        const int value = load_from(&payload_of(launch, round)->value, launch.load);
        if (launch.fence == Fence::kAfterLoad) __threadfence_system();
        if (value < round) {
            counts.stale++;
            if (counts.first_stale == 0) counts.first_stale = round;
        } else if (value > round) {
            counts.ahead++;
        }
        nvshmemx_signal_op(&flags->acknowledgement.value, round, NVSHMEM_SIGNAL_SET, launch.peer);
    }
    Counts *at_pe_0 = launch.counts + nvshmem_my_pe();
    nvshmem_uint64_p(&at_pe_0->rounds, counts.rounds, 0);
    nvshmem_uint64_p(&at_pe_0->stale, counts.stale, 0);
    nvshmem_uint64_p(&at_pe_0->ahead, counts.ahead, 0);
    nvshmem_uint64_p(&at_pe_0->first_stale, counts.first_stale, 0);
    nvshmem_quiet();
}

// Reads until the consumer is done. Two precautions, because the assembler below the compiler knows nothing of `volatile`
// assembly and would drop a load whose result nobody uses and move one of an unchanging address out of the loop: the sum is
// stored at the end, and the address changes from load to load within the sector.
__device__ void read_as_neighbour(const Launch &launch, const volatile int *done) {
    unsigned sum = 0;
    uint64_t loads = 0;
    while (!*done) {
        sum += static_cast<unsigned>(load_from(&launch.payload->neighbours[loads % kNeighbours], Load::kPlain));
        loads++;
    }
    launch.flags->neighbour_sum.value = sum;
    nvshmem_uint64_p(&launch.counts[nvshmem_my_pe()].neighbour_loads, loads, 0);
    nvshmem_quiet();
}

// One block of two warps. The first thread of the first is the producer or the consumer, the first thread of the second
// is the consumer's neighbour. Its stop is in shared memory, where polling touches no line of the first-level cache.
__global__ void run_rounds(Launch launch) {
    __shared__ volatile int done;
    if (threadIdx.x == 0) done = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        if (launch.producer) {
            produce(launch);
        } else {
            consume(launch);
        }
        done = 1;
    } else if (threadIdx.x == kWarp && launch.neighbour && !launch.producer) {
        read_as_neighbour(launch, &done);
    }
}

Counts run_case(const example::World &world, const Case &measured, int company, int rounds, Flags *flags,
                Payload *payload, Counts *counts) {
    // Every PE starts from zero before any PE starts its rounds.
    CHECK_CUDA(cudaMemset(flags, 0, sizeof *flags));
    CHECK_CUDA(cudaMemset(payload, 0, (static_cast<std::size_t>(rounds) + 1) * sizeof *payload));
    CHECK_CUDA(cudaMemset(counts, 0, static_cast<std::size_t>(world.pes) * sizeof *counts));
    CHECK_CUDA(cudaDeviceSynchronize());
    nvshmem_barrier_all();

    Launch launch = {};
    launch.wait = measured.wait;
    launch.load = measured.load;
    launch.fence = measured.fence;
    launch.address = measured.address;
    launch.neighbour = company != kAlone;
    launch.late = company == kNeighbourLate;
    launch.rounds = rounds;
    launch.peer = world.pe ^ 1;
    launch.producer = world.pe % 2 == 0;
    launch.flags = flags;
    launch.payload = payload;
    launch.counts = counts;

    // The PEs' kernels wait for each other, so all must be resident at once: NVSHMEM's collective launch sees to that.
    void *arguments[] = {&launch};
    CHECK_NVSHMEM(nvshmemx_collective_launch(reinterpret_cast<const void *>(run_rounds), dim3(1), dim3(2 * kWarp),
                                             arguments, 0, nullptr));
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaDeviceSynchronize());
    nvshmem_barrier_all();  // the consumers' counts have arrived at PE 0

    Counts total = {};
    if (world.pe != 0) return total;
    std::vector<Counts> each(static_cast<std::size_t>(world.pes));
    CHECK_CUDA(cudaMemcpy(each.data(), counts, each.size() * sizeof(Counts), cudaMemcpyDeviceToHost));
    for (const Counts &one : each) {
        total.rounds += one.rounds;
        total.stale += one.stale;
        total.ahead += one.ahead;
        total.neighbour_loads += one.neighbour_loads;
        if (one.first_stale != 0 && (total.first_stale == 0 || one.first_stale < total.first_stale))
            total.first_stale = one.first_stale;
    }
    return total;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 4 || argc > 6) {
        std::fprintf(stderr,
                     "usage: %s PE PES IDFILE [ROUNDS [SECONDS]]\n"
                     "  PE       this process, from 0\n"
                     "  PES      number of processes, even, at least 2; start that many, each with its own PE\n"
                     "  IDFILE   a file name that does not exist yet, the same for all\n"
                     "  ROUNDS   rounds of each case (5000)\n"
                     "  SECONDS  time limit of the whole program (%u)\n",
                     argv[0], example::kDefaultTimeLimitSeconds);
        return example::kCannotRun;
    }
    const int pes = static_cast<int>(example::parse_number("PES", argv[2], 2, 1024));
    const int pe = static_cast<int>(example::parse_number("PE", argv[1], 0, pes - 1));
    const int rounds = argc > 4 ? static_cast<int>(example::parse_number("ROUNDS", argv[4], 1, 1000000)) : 5000;
    const long seconds = argc > 5 ? example::parse_number("SECONDS", argv[5], 1, 86400) : example::kDefaultTimeLimitSeconds;
    if (pes % 2 != 0) example::cannot_run("PES must be even: PEs work in pairs");

    example::start_time_limit(static_cast<unsigned>(seconds));
    const example::World world = example::start(pe, pes, argv[3]);

    Flags *flags = example::symmetric<Flags>(1);
    Payload *payload = example::symmetric<Payload>(static_cast<std::size_t>(rounds) + 1);
    Counts *counts = example::symmetric<Counts>(static_cast<std::size_t>(pes));
    example::require_peer_path(payload, pe ^ 1);

    bool expectations_hold = true;
    for (const Case &measured : kCases) {
        example::current_stage = measured.name;
        for (int company = 0; company < measured.companies; company++) {
            const Counts total = run_case(world, measured, company, rounds, flags, payload, counts);
            if (pe != 0) continue;
            const bool control = measured.control[company];
            const bool complete = total.rounds == static_cast<uint64_t>(rounds) * static_cast<uint64_t>(pes / 2);
            const bool accompanied = (company != kAlone) == (total.neighbour_loads != 0);
            if (!complete || !accompanied || total.ahead != 0 || (control && total.stale != 0)) expectations_hold = false;
            std::printf("case %s-%s kind %s rounds %llu stale %llu ahead %llu first_stale %llu neighbour_loads %llu\n",
                        measured.name, kCompanyNames[company], control ? "control" : "observed",
                        static_cast<unsigned long long>(total.rounds), static_cast<unsigned long long>(total.stale),
                        static_cast<unsigned long long>(total.ahead),
                        static_cast<unsigned long long>(total.first_stale),
                        static_cast<unsigned long long>(total.neighbour_loads));
            std::fflush(stdout);
        }
    }

    nvshmem_free(counts);
    nvshmem_free(payload);
    nvshmem_free(flags);
    return example::finish(world, expectations_hold);
}
