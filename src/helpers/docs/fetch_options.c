/* The command line of `docs fetch`. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/docs/fetch.h"
#include "os/file.h"

#define CURRENT_HOST "docs.nvidia.com"
#define CURRENT_BASE "https://" CURRENT_HOST "/nvshmem/api/"
#define ARCHIVE_HOST "archive.docs.nvidia.com"
#define ARCHIVE_BASE "https://" ARCHIVE_HOST "/nvshmem/api/"

#define DEFAULT_PAGES 2000u
#define DEFAULT_BYTES (256u << 20)
#define DEFAULT_TIMEOUT_S 120u
#define MAX_TIMEOUT_S 3600u
#define MAX_PAUSE_S 3600u

/* For the tests of this project; see docs/internals/docs-fetch.md. */
#define LOOPBACK_VARIABLE "SHMEMLORE_LOOPBACK_PAUSE_MS"
#define MAX_LOOPBACK_MS 10000u

enum {
    OPT_RELEASE = 256, OPT_TO, OPT_PAUSE, OPT_PAGES, OPT_BYTES, OPT_TIMEOUT,
    OPT_BASE, OPT_HOST, OPT_CA, OPT_JSON,
};

static bool fault(const char *what, const char *value, const char *do_what)
{
    struct sl_error error;
    sl_error_set(&error, SL_ERR_USAGE, "%s '%.300s': %s", what, value, do_what);
    sl_docs_say(error.message);
    return false;
}

static bool read_number(const char *option, const char *text, uint64_t min,
                        uint64_t max, uint64_t *value_out)
{
    uint64_t value;
    char what[100];
    if (sl_view_number(sl_view_of(text), max, &value) && value >= min) {
        *value_out = value;
        return true;
    }
    (void)snprintf(what, sizeof what, "a number from %llu to %llu is wanted",
                   (unsigned long long)min, (unsigned long long)max);
    return fault(option, text, what);
}

/* "2-5", whole seconds */
static bool read_pause(const char *text, struct sl_fetch_options *options)
{
    struct sl_view whole = sl_view_of(text);
    size_t dash = sl_view_find(whole, SL_LIT("-"), 0);
    uint64_t min, max;
    if (dash == SIZE_MAX ||
        !sl_view_number(sl_view_sub(whole, 0, dash), MAX_PAUSE_S, &min) ||
        !sl_view_number(sl_view_sub(whole, dash + 1, whole.len), MAX_PAUSE_S,
                        &max) ||
        min > max)
        return fault("--pause", text,
                     "MIN-MAX in whole seconds is wanted, such as 2-5, up to "
                     "3600");
    if (min < 1)
        return fault("--pause", text,
                     "less than a second between two requests is not polite");
    options->pause_min_s = (unsigned)min;
    options->pause_max_s = (unsigned)max;
    return true;
}

/* Three numbers with points between them: it becomes a part of a path. */
static bool is_release(struct sl_view text)
{
    size_t parts = 0;
    struct sl_view part;
    uint64_t number;
    if (sl_view_ends(text, "."))
        return false;
    while (sl_view_cut(&text, '.', &part)) {
        if (!sl_view_number(part, 9999, &number))
            return false;
        parts++;
    }
    return parts == 3;
}

static bool add_host(const char *host, struct sl_fetch_options *options)
{
    if (!*host || strpbrk(host, "/@ \\?#%"))
        return fault("--allow-host", host, "HOST or HOST:PORT is wanted");
    if (options->host_count == SL_MAX_ALLOWED_HOSTS)
        return fault("--allow-host", host, "that is one host too many");
    options->hosts[options->host_count++] = host;
    return true;
}

static bool take_option(int option, const char *value,
                        struct sl_fetch_options *options)
{
    uint64_t number = 0;
    bool good = true;
    switch (option) {
    case OPT_RELEASE:
        options->release = value;
        return is_release(sl_view_of(value)) ||
               fault("--release", value,
                     "three numbers are wanted, such as 3.4.5");
    case OPT_TO:
        options->to = value;
        return *value || fault("--to", value, "a folder is wanted");
    case OPT_PAUSE:
        return read_pause(value, options);
    case OPT_PAGES:
        good = read_number("--max-pages", value, 1, SL_MAX_DOC_PAGES, &number);
        options->max_pages = (size_t)number;
        return good;
    case OPT_BYTES:
        good = read_number("--max-bytes", value, 1, UINT32_MAX, &number);
        options->max_bytes = number;
        return good;
    case OPT_TIMEOUT:
        good = read_number("--timeout", value, 1, MAX_TIMEOUT_S, &number);
        options->timeout_s = (unsigned)number;
        return good;
    case OPT_BASE:
        options->base = value;
        return true;
    case OPT_HOST:
        return add_host(value, options);
    case OPT_CA:
        options->ca_file = value;
        return sl_path_exists(value) ||
               fault("--ca", value, "there is no such file");
    case OPT_JSON:
        options->json = true;
        return true;
    default:
        options->quiet = true;
        return true;
    }
}

/* false: told; `*help` when the help is wanted. */
static bool read_options(int argc, char **argv,
                         struct sl_fetch_options *options, bool *help)
{
    static const struct option known[] = {
        {"release", required_argument, NULL, OPT_RELEASE},
        {"to", required_argument, NULL, OPT_TO},
        {"pause", required_argument, NULL, OPT_PAUSE},
        {"max-pages", required_argument, NULL, OPT_PAGES},
        {"max-bytes", required_argument, NULL, OPT_BYTES},
        {"timeout", required_argument, NULL, OPT_TIMEOUT},
        {"base", required_argument, NULL, OPT_BASE},
        {"allow-host", required_argument, NULL, OPT_HOST},
        {"ca", required_argument, NULL, OPT_CA},
        {"json", no_argument, NULL, OPT_JSON},
        {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    opterr = 0; /* we say it, in our words */
    int option;
    while ((option = getopt_long(argc, argv, "hq", known, NULL)) != -1) {
        if (option == '?')
            return fault("option", argv[optind - 1],
                         "it is not known or lacks its value; --help lists "
                         "them");
        if (option == 'h') {
            *help = true;
            return true;
        }
        if (!take_option(option, optarg, options))
            return false;
    }
    return optind == argc ||
           fault("argument", argv[optind], "none is wanted; --help tells more");
}

/* The address and, unless --to names one, a folder for it in the cache. */
static enum sl_status choose_place(struct sl_arena *arena,
                                   struct sl_fetch_options *options,
                                   struct sl_error *error)
{
    const char *cache;
    struct sl_buf text;
    enum sl_status status = SL_OK;
    sl_buf_init(&text, SL_MAX_URL + SL_MAX_PATH);
    sl_buf_puts(&text, options->base      ? options->base
                       : options->release ? ARCHIVE_BASE
                                          : CURRENT_BASE);
    if (!options->base && options->release)
        sl_buf_puts(&text, options->release);
    if (!sl_view_ends(sl_buf_view(&text), "/"))
        sl_buf_putc(&text, '/');
    options->base = sl_arena_copy(arena, sl_buf_view(&text)).ptr;
    if (!options->to) {
        status = sl_cache_folder(arena, &cache, error);
        sl_buf_truncate(&text, 0);
        sl_buf_printf(&text, "docs/nvshmem-%s",
                      options->release ? options->release : "current");
        if (!status)
            options->to = sl_path_join(arena, cache, sl_buf_view(&text));
    }
    sl_buf_release(&text);
    return status                           ? status
           : options->base && options->to ? SL_OK
                                            : sl_error_nomem(error);
}

static enum sl_status check_base(struct sl_arena *arena,
                                 const struct sl_fetch_options *options,
                                 struct sl_error *error)
{
    const struct sl_http_settings settings = {
        .hosts = options->hosts, .host_count = options->host_count};
    struct sl_http_url url;
    if (strpbrk(options->base, "?#"))
        return sl_error_set(error, SL_ERR_USAGE,
                            "--base '%.300s': an address of a folder is "
                            "wanted, without ? and #",
                            options->base);
    return sl_http_url(&settings, arena, options->base, &url, error);
}

/* Whether HOST[:PORT] is a name of this machine. */
static bool is_local(const char *host)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(host, names[i], n) == 0 &&
            (host[n] == '\0' || host[n] == ':'))
            return true;
    }
    return false;
}

static bool read_loopback(struct sl_fetch_options *options)
{
    const char *text = getenv(LOOPBACK_VARIABLE);
    uint64_t number;
    if (!text)
        return true;
    for (size_t i = 0; i < options->host_count; i++)
        if (!is_local(options->hosts[i]))
            return fault(LOOPBACK_VARIABLE, text,
                         "it is for servers on this machine only; unset it");
    if (!read_number(LOOPBACK_VARIABLE, text, 0, MAX_LOOPBACK_MS, &number))
        return false;
    options->loopback = true;
    options->longest_ms = (unsigned)number;
    return true;
}

/* What --base goes with; without it the vendor's two hosts are allowed. */
static bool check_base_options(struct sl_fetch_options *options)
{
    if (!options->base)
        return add_host(CURRENT_HOST, options) &&
               add_host(ARCHIVE_HOST, options);
    if (!options->to)
        sl_docs_say("--base wants --to DIR: where its pages shall go");
    else if (options->release)
        sl_docs_say("--base and --release both say where the pages are; give "
                    "one");
    return options->to && !options->release;
}

enum sl_fetch_parsed sl_fetch_options(struct sl_arena *arena, int argc,
                                      char **argv,
                                      struct sl_fetch_options *options)
{
    options->pause_min_s = 2;
    options->pause_max_s = 5;
    options->timeout_s = DEFAULT_TIMEOUT_S;
    options->max_pages = DEFAULT_PAGES;
    options->max_bytes = DEFAULT_BYTES;
    bool help = false;
    if (!read_options(argc, argv, options, &help))
        return SL_FETCH_FAULT;
    if (help)
        return SL_FETCH_HELP;
    if (!check_base_options(options))
        return SL_FETCH_FAULT;
    const char *file = getenv("SSL_CERT_FILE");
    if (!options->ca_file && file && *file)
        options->ca_file = file;
    struct sl_error error = {SL_OK, ""};
    enum sl_status status = choose_place(arena, options, &error);
    if (!status)
        status = check_base(arena, options, &error);
    if (status) {
        sl_docs_say(error.message);
        return SL_FETCH_FAULT;
    }
    return read_loopback(options) ? SL_FETCH_RUN : SL_FETCH_FAULT;
}
