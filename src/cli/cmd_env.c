#include "answer/env.h"
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
    sl_buf_puts(&out, "{\"schema\":\"shmemlore.env/1\",\"asked\":\"");
    sl_buf_json(&out, name);
    sl_buf_puts(&out, "\",\"variables\":[],\"message\":\"");
    sl_buf_json(&out, sl_view_of(error->message));
    sl_buf_puts(&out, "\"}\n");
    return sl_cli_print(&out, SL_EXIT_NOTHING);
}

static int answer(const struct sl_lookup *lookup, struct sl_view name)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_corpus corpus;
    struct sl_env_answer found;
    int result;
    if (sl_corpus_open(&corpus, lookup->folder, sl_image(), &error)) {
        (void)sl_cli_fail(&error);
        return SL_EXIT_ERROR;
    }
    enum sl_status status =
        lookup->from_nccl
            ? sl_env_from_nccl(&corpus, name, lookup->release, &found, &error)
            : sl_env_ask(&corpus, name, lookup->release, &found, &error);
    if (status) {
        result = nothing(name, lookup->json, &error);
    } else {
        struct sl_buf out;
        sl_buf_init(&out, SL_MAX_OUTPUT);
        if (lookup->json)
            sl_env_json(&out, &found);
        else
            sl_env_text(&out, &corpus, &found, lookup->budget);
        result = sl_cli_print(&out, sl_env_is_here(&found) ? SL_EXIT_FOUND
                                                           : SL_EXIT_NOTHING);
    }
    sl_corpus_close(&corpus);
    return result;
}

int sl_cmd_env(int argc, char **argv)
{
    struct sl_lookup lookup;
    int stop = sl_cli_lookup("env", argc, argv, &lookup);
    if (stop)
        return stop - 1;
    if (optind + 1 != argc)
        return sl_cli_usage("env takes one name, such as SYMMETRIC_SIZE or "
                            "'NVSHMEM_IB_*'");
    return answer(&lookup, sl_view_of(argv[optind]));
}
