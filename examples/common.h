// SPDX-License-Identifier: MIT
// What the example programs share: error checks, the start of N processes as N PEs, and a time limit.
//
// Exit status of every example: 0 its expectations hold, 1 they do not, 2 it could not run here (usage, environment).
// PE 0 prints the results, one per line; the first word of a line says what it is:
//   info KEY VALUE…                 the environment, as the program sees it (each PE prints its own `info pe`)
//   case NAME KEY VALUE KEY VALUE…  one measured case
//   outcome passed|failed           the last line
#pragma once

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include <cuda_runtime.h>
#include <nvshmem.h>
#include <nvshmemx.h>

namespace example {

constexpr int kPassed = 0;
constexpr int kFailed = 1;
constexpr int kCannotRun = 2;

// A device wait that is never satisfied cannot be interrupted from inside the kernel, so the bound on it is the process's.
constexpr unsigned kDefaultTimeLimitSeconds = 120;
constexpr unsigned kIdFileLimitSeconds = 60;

[[noreturn]] inline void cannot_run(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::fputs("error: ", stderr);
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
    va_end(arguments);
    std::fflush(nullptr);
    _exit(kCannotRun);  // not exit(): static destructors must not wait for a peer that may be gone
}

// Every call of the CUDA runtime, and every NVSHMEM call that returns a status (0 is success in both).
#define CHECK_CUDA(call)                                                                                        \
    do {                                                                                                        \
        const cudaError_t check_status = (call);                                                                \
        if (check_status != cudaSuccess)                                                                        \
            example::cannot_run("%s:%d: %s: %s", __FILE__, __LINE__, #call, cudaGetErrorString(check_status));  \
    } while (0)

#define CHECK_NVSHMEM(call)                                                                                     \
    do {                                                                                                        \
        const int check_status = (call);                                                                        \
        if (check_status != 0)                                                                                  \
            example::cannot_run("%s:%d: %s: status %d", __FILE__, __LINE__, #call, check_status);               \
    } while (0)

// The name of what is being done, for the message of the time limit. Only string literals go in.
inline const char *volatile current_stage = "start";

inline void on_time_limit(int) {
    // Only async-signal-safe calls here.
    const char *stage = current_stage;
    const char text[] = "error: time limit reached during: ";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    (void)!write(STDERR_FILENO, stage, std::strlen(stage));
    (void)!write(STDERR_FILENO, "\n", 1);
    _exit(kFailed);
}

inline void start_time_limit(unsigned seconds) {
    struct sigaction action = {};
    action.sa_handler = on_time_limit;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, nullptr) != 0) cannot_run("sigaction: %s", std::strerror(errno));
    alarm(seconds);
}

// A decimal number between the two bounds, or the end of the program.
inline long parse_number(const char *what, const char *text, long least, long most) {
    char *end = nullptr;
    errno = 0;
    const long value = std::strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < least || value > most)
        cannot_run("%s must be a number from %ld to %ld, not '%s'", what, least, most, text);
    return value;
}

struct World {
    int pe;      // this process
    int pes;     // all of them
    int device;  // the GPU of this process
};

inline void write_unique_id(const std::string &path, const nvshmemx_uniqueid_t &id) {
    struct stat status;
    if (stat(path.c_str(), &status) == 0)
        cannot_run("%s exists: the other PEs may already have read an old id from it; name a fresh file", path.c_str());
    // Write aside and rename, so that nobody reads half an id.
    const std::string aside = path + ".new";
    std::FILE *file = std::fopen(aside.c_str(), "wb");
    if (file == nullptr) cannot_run("%s: %s", aside.c_str(), std::strerror(errno));
    const bool written = std::fwrite(&id, sizeof id, 1, file) == 1;
    if (std::fclose(file) != 0 || !written) cannot_run("%s: could not be written", aside.c_str());
    if (std::rename(aside.c_str(), path.c_str()) != 0) cannot_run("%s: %s", path.c_str(), std::strerror(errno));
}

inline void read_unique_id(const std::string &path, nvshmemx_uniqueid_t *id) {
    constexpr useconds_t pause_microseconds = 1000;
    std::FILE *file = nullptr;
    for (long tries = 0; (file = std::fopen(path.c_str(), "rb")) == nullptr; tries++) {
        if (errno != ENOENT) cannot_run("%s: %s", path.c_str(), std::strerror(errno));
        if (tries * static_cast<long>(pause_microseconds) > static_cast<long>(kIdFileLimitSeconds) * 1000000)
            cannot_run("%s: PE 0 wrote no unique id within %u s", path.c_str(), kIdFileLimitSeconds);
        usleep(pause_microseconds);
    }
    const bool complete = std::fread(id, sizeof *id, 1, file) == 1;
    std::fclose(file);
    if (!complete) cannot_run("%s: not a unique id", path.c_str());
}

// Makes this process PE `pe` of `pes`. PE 0 creates the unique id and leaves it in the file, the others read it there:
// no MPI and no launcher is needed. PEs go round the visible GPUs in turn; on one GPU they share it.
inline World start(int pe, int pes, const char *id_path) {
    World world = {pe, pes, 0};

    current_stage = "choice of the GPU";
    int devices = 0;
    CHECK_CUDA(cudaGetDeviceCount(&devices));
    if (devices < 1) cannot_run("no GPU");
    world.device = pe % devices;
    CHECK_CUDA(cudaSetDevice(world.device));  // before the initialisation, which binds the PE to the current device

    current_stage = "bootstrap";
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    if (pe == 0) {
        CHECK_NVSHMEM(nvshmemx_get_uniqueid(&id));
        write_unique_id(id_path, id);
    } else {
        read_unique_id(id_path, &id);
    }

    current_stage = "initialisation of NVSHMEM";
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    CHECK_NVSHMEM(nvshmemx_set_attr_uniqueid_args(pe, pes, &id, &attributes));
    CHECK_NVSHMEM(nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes));
    if (nvshmem_my_pe() != pe || nvshmem_n_pes() != pes)
        cannot_run("asked for PE %d of %d, became PE %d of %d", pe, pes, nvshmem_my_pe(), nvshmem_n_pes());

    cudaDeviceProp properties;
    CHECK_CUDA(cudaGetDeviceProperties(&properties, world.device));
    std::printf("info pe %d device %d compute_capability %d.%d name %s\n", pe, world.device, properties.major,
                properties.minor, properties.name);
    if (pe == 0) {
        int major = 0, minor = 0, patch = 0, runtime = 0;
        nvshmemx_vendor_get_version_info(&major, &minor, &patch);
        CHECK_CUDA(cudaRuntimeGetVersion(&runtime));
        std::printf("info nvshmem %d.%d.%d\n", major, minor, patch);
        std::printf("info cuda_runtime %d.%d\n", runtime / 1000, runtime % 1000 / 10);
    }
    std::fflush(stdout);
    return world;
}

// Symmetric memory, zeroed. Collective: every PE calls it with the same size.
template <typename T>
T *symmetric(std::size_t count) {
    T *memory = static_cast<T *>(nvshmem_calloc(count, sizeof(T)));
    if (memory == nullptr) cannot_run("nvshmem_calloc of %zu elements of %zu bytes failed", count, sizeof(T));
    if (reinterpret_cast<std::uintptr_t>(memory) % alignof(T) != 0)
        cannot_run("nvshmem_calloc gave memory that is not aligned to %zu bytes", alignof(T));
    return memory;
}

// These programs are about the path by loads and stores; over a network other code runs.
inline void require_peer_path(const void *symmetric_memory, int peer) {
    if (nvshmem_ptr(symmetric_memory, peer) == nullptr)
        cannot_run("PE %d is not reachable by loads and stores: this program is about the peer path", peer);
}

// Returns the exit status. Only PE 0 knows the verdict; the others pass when they complete.
inline int finish(const World &world, bool expectations_hold) {
    current_stage = "end of NVSHMEM";
    nvshmem_finalize();
    if (world.pe == 0) {
        std::printf("outcome %s\n", expectations_hold ? "passed" : "failed");
        std::fflush(stdout);
    }
    return expectations_hold ? kPassed : kFailed;
}

}  // namespace example
