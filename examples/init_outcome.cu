// SPDX-License-Identifier: MIT
// What does the first init return when something is wrong, and what does the next call do?
//
// Each case is a process of its own, a job of one PE: it is started with one setting that is wrong or unusual, calls init, asks
// for the state, and allocates 1 MiB. A case is a `control` where the answer must be the expected one (the program fails if it is
// not) or `observed` where the program only reports.

#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <spawn.h>
#include <sys/wait.h>

#include <vector>

#include "common.h"

extern char **environ;

namespace {

constexpr unsigned kCaseSeconds = 30;
constexpr size_t kBytes = size_t{1} << 20;
constexpr size_t kOutputLimit = size_t{1} << 20;

struct Case {
    const char *name;
    bool works;          // a control: init gives 0 and the allocation succeeds
    const char *how;     // "plain", "no-device", "late-device", "twice", "again"
    const char *set[3];  // NAME=VALUE
    const char *beside;  // not null: NVSHMEM's host library is loaded from a folder that has it, the bootstraps, and these files
};

const Case kCases[] = {
    {"nothing-wrong", true, "plain", {}},
    {"no-device-chosen", false, "no-device", {}},
    {"device-chosen-after-init", false, "late-device", {}},
    {"init-twice", false, "twice", {}},
    {"init-finalize-init", false, "again", {}},
    {"interface-that-is-not-there", false, "plain", {"NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME==nosuch0"}},
    {"transport-name-that-nobody-has", false, "plain", {"NVSHMEM_REMOTE_TRANSPORT=nosuch"}},
    {"transport-ibrc", false, "plain", {"NVSHMEM_REMOTE_TRANSPORT=ibrc"}},
    {"transport-ucx", false, "plain", {"NVSHMEM_REMOTE_TRANSPORT=ucx"}},
    {"transport-libfabric", false, "plain", {"NVSHMEM_REMOTE_TRANSPORT=libfabric"}},
    {"files-of-bootstraps-only", true, "plain", {}, ""},
    {"transport-file-that-is-missing", false, "plain", {"NVSHMEM_REMOTE_TRANSPORT=ibrc"}, ""},
    {"transport-file-that-is-missing-ibgda-there", false, "plain", {"NVSHMEM_REMOTE_TRANSPORT=ibrc", "NVSHMEM_IB_ENABLE_IBGDA=1"},
     "nvshmem_transport_ibgda.so*"},
    {"ibgda-file-that-is-missing", false, "plain", {"NVSHMEM_IB_ENABLE_IBGDA=1"}, ""},
    {"ibgda-file-that-is-missing-ibrc-there", false, "plain", {"NVSHMEM_REMOTE_TRANSPORT=ibrc", "NVSHMEM_IB_ENABLE_IBGDA=1"},
     "nvshmem_transport_ibrc.so*"},
    {"bootstrap-file-that-is-missing", false, "plain", {}, "none"},
    {"ibgda", false, "plain", {"NVSHMEM_IB_ENABLE_IBGDA=1"}},
    {"ibgda-and-ucx", false, "plain", {"NVSHMEM_IB_ENABLE_IBGDA=1", "NVSHMEM_REMOTE_TRANSPORT=ucx"}},
    {"no-p2p-and-no-transport", false, "plain", {"NVSHMEM_DISABLE_P2P=1"}},
    {"size-that-is-no-size", false, "plain", {"NVSHMEM_SYMMETRIC_SIZE=lots"}},
    {"size-beyond-the-gpu-static-heap", false, "plain", {"NVSHMEM_DISABLE_CUDA_VMM=1", "NVSHMEM_SYMMETRIC_SIZE=4T"}},
    {"static-heap", false, "plain", {"NVSHMEM_DISABLE_CUDA_VMM=1"}},
    {"limit-of-1-byte", false, "plain", {"NVSHMEM_MAX_MEMORY_PER_GPU=1"}},
    {"limit-of-1-terabyte", false, "plain", {"NVSHMEM_MAX_MEMORY_PER_GPU=1T"}},
    {"granularity-of-3", false, "plain", {"NVSHMEM_CUMEM_GRANULARITY=3"}},
    {"heap-kind-sysmem", false, "plain", {"NVSHMEM_HEAP_KIND=SYSMEM"}},
    {"heap-kind-that-nobody-has", false, "plain", {"NVSHMEM_HEAP_KIND=nosuch"}},
    {"teams-1", false, "plain", {"NVSHMEM_MAX_TEAMS=1"}},
    {"teams-0", false, "plain", {"NVSHMEM_MAX_TEAMS=0"}},
    {"boolean-that-is-none", false, "plain", {"NVSHMEM_DISABLE_CUDA_VMM=perhaps"}},
    {"debug-word-that-nobody-has", false, "plain", {"NVSHMEM_DEBUG=nosuch"}},
};

int init(const nvshmemx_uniqueid_t *id) {
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    const int status = nvshmemx_set_attr_uniqueid_args(0, 1, id, &attributes);
    return status != 0 ? status : nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes);
}

// The process of a case: a line for each step that was reached, on the descriptor `out`.
int child(const char *how, int out) {
    alarm(kCaseSeconds);
    if (std::strstr(how, "-device") == nullptr) CHECK_CUDA(cudaSetDevice(0));
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    dprintf(out, "id %d\n", nvshmemx_get_uniqueid(&id));
    dprintf(out, "init %d\n", init(&id));
    dprintf(out, "state %d\n", static_cast<int>(nvshmemx_init_status()));
    if (std::strcmp(how, "late-device") == 0) {
        CHECK_CUDA(cudaSetDevice(0));
        CHECK_CUDA(cudaFree(nullptr));
    }
    if (std::strcmp(how, "twice") == 0) {
        dprintf(out, "next_init %d\n", init(&id));
        dprintf(out, "next_state %d\n", static_cast<int>(nvshmemx_init_status()));
    }
    if (std::strcmp(how, "again") == 0) {
        nvshmem_finalize();
        nvshmemx_uniqueid_t fresh = NVSHMEMX_UNIQUEID_INITIALIZER;
        dprintf(out, "next_id %d\n", nvshmemx_get_uniqueid(&fresh));
        dprintf(out, "next_init %d\n", init(&fresh));
        dprintf(out, "next_state %d\n", static_cast<int>(nvshmemx_init_status()));
    }
    dprintf(out, "malloc %s\n", nvshmem_malloc(kBytes) != nullptr ? "yes" : "null");
    nvshmem_finalize();
    dprintf(out, "finalize yes\n");
    return 0;
}

std::string slurp(std::FILE *file) {
    std::string text;
    std::rewind(file);
    char buffer[4096];
    for (size_t n; text.size() < kOutputLimit && (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
    return text;
}

// The first line of the output with "non-zero status", from there on and as one word; or "none".
std::string first_failure(const std::string &text) {
    const size_t begin = text.find("non-zero status");
    if (begin == std::string::npos) return "none";
    std::string line = text.substr(begin, text.find('\n', begin) - begin);
    while (!line.empty() && std::strchr(" .\t\r", line.back()) != nullptr) line.pop_back();
    for (char &c : line)
        if (std::strchr(" \t\r", c) != nullptr) c = '-';
    return line.substr(0, 120);
}

std::string end_of(int status) {
    char text[40];
    if (WIFSIGNALED(status))
        std::snprintf(text, sizeof text, "signal-%d", WTERMSIG(status));
    else
        std::snprintf(text, sizeof text, "exit-%d", WEXITSTATUS(status));
    return text;
}

// "init 0\nstate 2\n" as " init 0 state 2".
std::string as_pairs(std::string steps) {
    for (char &c : steps)
        if (c == '\n') c = ' ';
    while (!steps.empty() && steps.back() == ' ') steps.pop_back();
    return steps.empty() ? steps : " " + steps;
}

// Links in `folder` to the files of `from` that fit the pattern.
void link_all(const std::string &from, const char *pattern, const std::string &folder) {
    glob_t found = {};
    glob((from + "/" + pattern).c_str(), 0, nullptr, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const std::string path = found.gl_pathv[i];
        if (symlink(path.c_str(), (folder + path.substr(path.rfind('/'))).c_str()) != 0 && errno != EEXIST)
            example::cannot_run("%s: %s", path.c_str(), std::strerror(errno));
    }
    globfree(&found);
}

// A folder in which the host library, whose own folder is searched first for its plugins, finds `beside` and nothing else.
std::string partial_installation(const char *beside) {
    Dl_info info = {};
    void *symbol = dlsym(RTLD_DEFAULT, "nvshmemid_hostlib_init_attr");
    if (symbol == nullptr || dladdr(symbol, &info) == 0) example::cannot_run("where is the host library? %s", dlerror());
    const std::string library = info.dli_fname;
    const std::string from = library.substr(0, library.rfind('/'));
    char folder[] = "/tmp/init-outcome-XXXXXX";
    if (mkdtemp(folder) == nullptr) example::cannot_run("mkdtemp: %s", std::strerror(errno));
    link_all(from, "libnvshmem_host.so*", folder);
    if (std::strcmp(beside, "none") != 0) link_all(from, "nvshmem_bootstrap_*", folder);
    if (*beside != '\0') link_all(from, beside, folder);
    return folder;
}

void remove_folder(const std::string &folder) {
    glob_t found = {};
    glob((folder + "/*").c_str(), 0, nullptr, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) unlink(found.gl_pathv[i]);
    globfree(&found);
    rmdir(folder.c_str());
}

bool run(const char *program, const Case &one) {
    std::FILE *steps = std::tmpfile(), *output = std::tmpfile();
    if (steps == nullptr || output == nullptr) example::cannot_run("tmpfile: %s", std::strerror(errno));
    std::vector<char *> environment;
    for (char **entry = environ; *entry != nullptr; entry++) {
        bool replaced = false;
        for (const char *setting : one.set) {
            const size_t name = setting != nullptr ? std::strcspn(setting, "=") + 1 : 0;
            replaced = replaced || (name > 0 && std::strncmp(*entry, setting, name) == 0);
        }
        replaced = replaced || (one.beside != nullptr && std::strncmp(*entry, "LD_LIBRARY_PATH=", 16) == 0);
        if (!replaced) environment.push_back(*entry);
    }
    for (const char *setting : one.set)
        if (setting != nullptr) environment.push_back(const_cast<char *>(setting));
    const std::string folder = one.beside != nullptr ? partial_installation(one.beside) : "";
    std::string library_path = "LD_LIBRARY_PATH=" + folder;
    if (!folder.empty()) environment.push_back(library_path.data());
    environment.push_back(nullptr);
    std::string fd = std::to_string(fileno(steps));
    char flag[] = "--case";
    char *arguments[] = {const_cast<char *>(program), flag, const_cast<char *>(one.how), fd.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(output), STDERR_FILENO);
    fcntl(fileno(steps), F_SETFD, 0);
    pid_t pid = 0;
    int status = posix_spawn(&pid, program, &actions, nullptr, arguments, environment.data());
    if (status != 0) example::cannot_run("%s: %s", program, std::strerror(status));
    posix_spawn_file_actions_destroy(&actions);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) example::cannot_run("waitpid: %s", std::strerror(errno));
    if (!folder.empty()) remove_folder(folder);
    const std::string reached = slurp(steps), said = slurp(output);
    std::fprintf(stderr, "---- %s\n%s", one.name, said.c_str());
    std::printf("case %s kind %s%s end %s first_failure %s\n", one.name, one.works ? "control" : "observed",
                as_pairs(reached).c_str(), end_of(status).c_str(), first_failure(said).c_str());
    std::fflush(stdout);
    std::fclose(steps);
    std::fclose(output);
    const bool good = reached.find("init 0\n") != std::string::npos && reached.find("malloc yes\nfinalize yes\n") != std::string::npos;
    return !one.works || (good && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc == 4 && std::strcmp(argv[1], "--case") == 0)
        return child(argv[2], static_cast<int>(example::parse_number("descriptor", argv[3], 0, 1024)));
    if (argc < 4 || argc > 5) {
        std::fprintf(stderr,
                     "usage: %s PE PES IDFILE [SECONDS]\n"
                     "  PE       0\n"
                     "  PES      1: the cases are jobs of one PE\n"
                     "  IDFILE   a file name that does not exist yet\n"
                     "  SECONDS  time limit of the whole program (%u)\n",
                     argv[0], example::kDefaultTimeLimitSeconds);
        return example::kCannotRun;
    }
    const int pes = static_cast<int>(example::parse_number("PES", argv[2], 1, 1));
    const int pe = static_cast<int>(example::parse_number("PE", argv[1], 0, 0));
    const long seconds = argc > 4 ? example::parse_number("SECONDS", argv[4], 1, 86400) : example::kDefaultTimeLimitSeconds;
    example::start_time_limit(static_cast<unsigned>(seconds));
    example::current_stage = "cases";
    bool good = true;
    for (const Case &one : kCases) good = run(argv[0], one) && good;
    const example::World world = example::start(pe, pes, argv[3]);
    return example::finish(world, good);
}
