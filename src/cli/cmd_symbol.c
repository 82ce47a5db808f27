#include "answer/symbol.h"
#include "base/limits.h"
#include "cli/cli.h"
#include "cli/image.h"

/* Nothing of that name: the message, or an object that says so. */
static int nothing(struct sl_view name, bool json, const struct sl_error *error)
{
    if (!json || error->status != SL_ERR_NOTFOUND)
        return sl_cli_fail(error);
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    sl_buf_puts(&out, "{\"schema\":\"shmemlore.symbol/1\",\"asked\":\"");
    sl_buf_json(&out, name);
    sl_buf_puts(&out, "\",\"symbol\":null,\"message\":\"");
    sl_buf_json(&out, sl_view_of(error->message));
    sl_buf_puts(&out, "\"}\n");
    return sl_cli_print(&out, SL_EXIT_NOTHING);
}

static int answer(const struct sl_lookup *lookup, struct sl_view name)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_corpus corpus;
    struct sl_symbol_answer found;
    int result;
    if (sl_corpus_open(&corpus, lookup->folder, sl_image(), &error)) {
        (void)sl_cli_fail(&error);
        return SL_EXIT_ERROR;
    }
    if (sl_symbol_ask(&corpus, name, lookup->release, &found, &error)) {
        result = nothing(name, lookup->json, &error);
    } else {
        struct sl_buf out;
        sl_buf_init(&out, SL_MAX_OUTPUT);
        if (lookup->json)
            sl_symbol_json(&out, &found);
        else
            sl_symbol_text(&out, &corpus, &found, lookup->budget);
        bool there = found.is_list || !found.symbol || found.here;
        result = sl_cli_print(&out, there ? SL_EXIT_FOUND : SL_EXIT_NOTHING);
    }
    sl_corpus_close(&corpus);
    return result;
}

int sl_cmd_symbol(int argc, char **argv)
{
    struct sl_lookup lookup;
    int stop = sl_cli_lookup("symbol", argc, argv, &lookup);
    if (stop)
        return stop - 1;
    if (optind + 1 != argc)
        return sl_cli_usage("symbol takes one name, such as nvshmem_quiet or "
                            "'nvshmem_*_put_nbi'");
    return answer(&lookup, sl_view_of(argv[optind]));
}
