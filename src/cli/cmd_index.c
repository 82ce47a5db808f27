/*
 * `index`: the difference of two releases is told from the tables that are built in;
 * what makes those tables is the helper's.
 */
#include <stdio.h>
#include <string.h>

#include "answer/diff.h"
#include "base/limits.h"
#include "cli/cli.h"
#include "cli/image.h"

static const char diff_help[] =
    "usage: shmemlore index diff [OPTION...] FROM TO\n"
    "\n"
    "What someone who goes from one NVSHMEM release to another must read:\n"
    "the names that came, that went, and those whose signature is another;\n"
    "then the environment variables that came and went. Of defaults nothing\n"
    "is told: they are known of the pinned release alone.\n"
    "\n"
    "  FROM and TO are releases, such as 3.4.5 and 3.8.0\n"
    "      --internal     the names of NVSHMEM's own internals too\n"
    "      --names        each name, where families are told otherwise\n"
    "      --kb DIR       the tables of this checkout, not those built in\n"
    "      --root DIR     the same\n"
    "      --json         one JSON object, schema shmemlore-index-diff/1,\n"
    "                     with every name\n"
    "\n"
    "Examples:\n"
    "  shmemlore index diff 3.4.5 3.8.0\n"
    "  shmemlore index diff --names --json 3.4.5 3.8.0 >diff.json\n"
    "\n"
    "Exit status: 0 something changed, 1 nothing did, 2 any fault.\n";

/* Subcommands of the helper; each makes tables of a checkout. */
static const char *const makers[] = {"api", "env", "tables", "usage"};

struct request {
    const char *folder;
    struct sl_diff_wants wants;
    bool json;
};

static int answer(const struct request *request, const char *from,
                  const char *to)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_corpus corpus;
    struct sl_diff_answer found;
    int result = SL_EXIT_ERROR;
    if (sl_corpus_open(&corpus, request->folder, sl_image(), &error)) {
        (void)sl_cli_fail(&error);
        return SL_EXIT_ERROR;
    }
    if (sl_diff_ask(&corpus, sl_view_of(from), sl_view_of(to), &found,
                    &error)) {
        (void)sl_cli_fail(&error);
    } else {
        struct sl_buf out;
        sl_buf_init(&out, SL_MAX_OUTPUT);
        if (request->json)
            sl_diff_json(&out, &found, &request->wants);
        else
            sl_diff_text(&out, &found, &request->wants);
        bool some = found.changes.count || found.variables.count;
        result = sl_cli_print(&out, some ? SL_EXIT_FOUND : SL_EXIT_NOTHING);
    }
    sl_corpus_close(&corpus);
    return result;
}

static int diff(int argc, char **argv)
{
    static const struct option table[] = {
        {"internal", no_argument, NULL, 'i'},
        {"names", no_argument, NULL, 'n'},
        {"kb", required_argument, NULL, 'k'},
        {"root", required_argument, NULL, 'k'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct request request = {.folder = NULL};
    for (int c; (c = getopt_long(argc, argv, "h", table, NULL)) != -1;) {
        if (c == 'i')
            request.wants.internal = true;
        else if (c == 'n')
            request.wants.names = true;
        else if (c == 'k')
            request.folder = optarg;
        else if (c == 'j')
            request.json = true;
        else
            return c == 'h' ? sl_cli_text(diff_help)
                            : sl_cli_option("index diff", argv[optind - 1]);
    }
    if (argc - optind != 2)
        return sl_cli_usage("index diff takes two releases, as in `index diff "
                            "3.4.5 3.8.0`; --help tells more");
    return answer(&request, argv[optind], argv[optind + 1]);
}

int sl_cmd_index(int argc, char **argv)
{
    if (argc < 2)
        return sl_cli_usage("index takes a command: api, diff, env, tables or "
                            "usage; `shmemlore index --help` tells more");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return sl_cli_help("index");
    if (strcmp(argv[1], "diff") == 0)
        return diff(argc - 1, argv + 1);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        char command[32];
        if (strcmp(argv[1], makers[i]) != 0)
            continue;
        (void)snprintf(command, sizeof command, "index %s", makers[i]);
        return sl_cli_helper(command, "index", argv);
    }
    return sl_cli_usage("index has no command '%.100s'; `shmemlore index "
                        "--help` lists them",
                        argv[1]);
}
