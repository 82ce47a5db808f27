#include <unistd.h>

#include "base/limits.h"
#include "cli/cli.h"
#include "cli/image.h"
#include "upgrade/upgrade.h"

static unsigned processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (n < 1)
        return 1;
    return n > (long)SL_MAX_USAGE_THREADS ? SL_MAX_USAGE_THREADS : (unsigned)n;
}

#define MAX_SAID 10u

/* On standard error too: the exit status is a fault's. */
static void say_unreadable(const struct sl_upgrade *upgrade)
{
    size_t all = upgrade->lefts[SL_LEFT_UNREADABLE], said = 0;
    for (size_t i = 0; i < upgrade->left_count && said < MAX_SAID; i++) {
        const struct sl_left *left = &upgrade->left[i];
        struct sl_error error;
        if (left->kind != SL_LEFT_UNREADABLE)
            continue;
        (void)sl_error_set(&error, SL_ERR_NOTFOUND, "%.300s: %.*s",
                           left->path.ptr, SL_ARG(left->why));
        (void)sl_cli_fail(&error);
        said++;
    }
    if (said < all)
        (void)sl_cli_usage("and %zu more that could not be read", all - said);
}

static int report(const char *folder, const struct sl_upgrade_request *request,
                  bool json)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_corpus corpus;
    struct sl_upgrade upgrade;
    int result = SL_EXIT_ERROR;
    if (sl_corpus_open(&corpus, folder, sl_image(), &error)) {
        (void)sl_cli_fail(&error);
        return SL_EXIT_ERROR;
    }
    if (sl_upgrade_run(&corpus, request, &upgrade, &error)) {
        (void)sl_cli_fail(&error);
    } else {
        struct sl_buf out;
        sl_buf_init(&out, SL_MAX_OUTPUT);
        if (json)
            sl_upgrade_json(&out, &upgrade);
        else
            sl_upgrade_text(&out, &upgrade);
        int done = upgrade.count ? SL_EXIT_NOTHING : SL_EXIT_FOUND;
        if (upgrade.lefts[SL_LEFT_UNREADABLE])
            done = SL_EXIT_ERROR;
        result = sl_cli_print(&out, done);
        say_unreadable(&upgrade);
    }
    sl_corpus_close(&corpus);
    return result;
}

int sl_cmd_upgrade(int argc, char **argv)
{
    static const struct option table[] = {
        {"kb", required_argument, NULL, 'k'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    const char *folder = NULL;
    bool json = false;
    for (int c; (c = getopt_long(argc, argv, "h", table, NULL)) != -1;) {
        if (c == 'k')
            folder = optarg;
        else if (c == 'j')
            json = true;
        else
            return c == 'h' ? sl_cli_help("upgrade")
                            : sl_cli_option("upgrade", argv[optind - 1]);
    }
    if (argc - optind < 3)
        return sl_cli_usage("upgrade takes two releases and your paths, as in "
                            "`upgrade 3.4.5 3.8.0 src`");
    struct sl_upgrade_request request = {
        .from = sl_view_of(argv[optind]),
        .to = sl_view_of(argv[optind + 1]),
        .paths = (const char *const *)argv + optind + 2,
        .path_count = (size_t)(argc - optind - 2),
        .threads = processors(),
    };
    return report(folder, &request, json);
}
