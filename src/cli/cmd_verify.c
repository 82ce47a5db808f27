#include <stdlib.h>

#include "base/limits.h"
#include "cli/cli.h"
#include "verify/verify.h"

struct options {
    const char *root;
    bool update, json;
    struct sl_view *accept; /* freed by the caller */
    size_t accept_count;
};

/* 0: go on; else 1 + the exit status. */
static int read_options(int argc, char **argv, struct options *options)
{
    static const struct option table[] = {
        {"root", required_argument, NULL, 'r'},
        {"update", no_argument, NULL, 'u'},
        {"accept", required_argument, NULL, 'a'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    for (int c; (c = getopt_long(argc, argv, "h", table, NULL)) != -1;) {
        switch (c) {
        case 'r':
            options->root = optarg;
            break;
        case 'u':
            options->update = true;
            break;
        case 'a':
            options->accept[options->accept_count++] = sl_view_of(optarg);
            break;
        case 'j':
            options->json = true;
            break;
        default:
            return 1 + (c == 'h' ? sl_cli_help("verify")
                                 : sl_cli_option("verify", argv[optind - 1]));
        }
    }
    if (optind < argc)
        return 1 + sl_cli_usage("verify takes no argument, but '%s'",
                                argv[optind]);
    if (options->accept_count && !options->update)
        return 1 + sl_cli_usage("--accept needs --update");
    return 0;
}

/* What is wrong with the checkout as such is an error, not a fault in it. */
static int fail(const struct sl_error *error)
{
    (void)sl_cli_fail(error);
    return SL_EXIT_ERROR;
}

static int verify(const struct options *options, struct sl_buf *out)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_verify_update update;
    if (options->update) {
        if (sl_verify_update(options->root, options->accept,
                             options->accept_count, &update, &error))
            return fail(&error);
        if (!options->json)
            sl_verify_update_text(out, &update);
    }
    struct sl_report report;
    sl_report_init(&report);
    int result;
    if (sl_verify_run(options->root, &report, &error)) {
        result = fail(&error);
    } else {
        if (options->json)
            sl_report_json(out, &report, options->update ? &update : NULL);
        else
            sl_report_text(out, &report, options->root);
        result = report.faults ? SL_EXIT_NOTHING : SL_EXIT_FOUND;
    }
    sl_report_release(&report);
    return result;
}

int sl_cmd_verify(int argc, char **argv)
{
    struct options options = {.root = "."};
    options.accept = calloc((size_t)argc, sizeof *options.accept);
    if (!options.accept)
        return sl_cli_usage("out of memory");
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    int stop = read_options(argc, argv, &options);
    int result = stop ? stop - 1 : verify(&options, &out);
    free(options.accept);
    return sl_cli_print(&out, result);
}
