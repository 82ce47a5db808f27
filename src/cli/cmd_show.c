#include "answer/show.h"
#include "base/limits.h"
#include "cli/cli.h"
#include "cli/image.h"

/* Nothing of that name: the message, or an object that says so. */
static int nothing(struct sl_view ref, bool json, const struct sl_error *error)
{
    if (!json || error->status != SL_ERR_NOTFOUND)
        return sl_cli_fail(error);
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    sl_buf_puts(&out, "{\"schema\":\"shmemlore.show/1\",\"kind\":\"none\","
                      "\"found\":false,\"ref\":\"");
    sl_buf_json(&out, ref);
    sl_buf_puts(&out, "\",\"message\":\"");
    sl_buf_json(&out, sl_view_of(error->message));
    sl_buf_puts(&out, "\"}\n");
    return sl_cli_print(&out, SL_EXIT_NOTHING);
}

int sl_cmd_show(int argc, char **argv)
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
            return c == 'h' ? sl_cli_help("show")
                            : sl_cli_option("show", argv[optind - 1]);
    }
    if (optind + 1 != argc)
        return sl_cli_usage("show takes one reference: FILE#SECTION, "
                            "SOURCE:PATH:LINE[-LINE] or its URL, run:NAME, "
                            "OWNER/REPO#N, a symbol or a variable");
    struct sl_error error = {SL_OK, ""};
    struct sl_corpus corpus;
    if (sl_corpus_open(&corpus, folder, sl_image(), &error)) {
        (void)sl_cli_fail(&error);
        return SL_EXIT_ERROR;
    }
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    int result;
    if (sl_show(&corpus, sl_view_of(argv[optind]), json, SL_DEFAULT_BUDGET,
                &out, &error)) {
        sl_buf_release(&out);
        result = nothing(sl_view_of(argv[optind]), json, &error);
    } else {
        result = sl_cli_print(&out, SL_EXIT_FOUND);
    }
    sl_corpus_close(&corpus);
    return result;
}
