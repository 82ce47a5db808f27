/* The tool `upgrade`. */
#include <stdlib.h>

#include "base/limits.h"
#include "serve/fit.h"
#include "serve/roots.h"
#include "upgrade/upgrade.h"

#define SCHEMA "shmemlore.mcp.upgrade/1"

static enum sl_status read_paths(struct sl_serve *serve,
                                 const struct sl_json *list,
                                 struct sl_upgrade_request *request,
                                 struct sl_error *error)
{
    struct sl_arena *arena = &serve->corpus->arena;
    size_t count = sl_json_count(list);
    const char **paths = sl_arena_alloc(arena, (count + 1) * sizeof *paths);
    if (!paths)
        return sl_error_nomem(error);
    for (size_t i = 0; i < count; i++) {
        struct sl_view path = SL_LIT("");
        const char *root;
        (void)sl_json_text(sl_json_at(list, i), &path);
        enum sl_status status = sl_roots_find(arena, serve->options, path,
                                              &root, &paths[i], error);
        if (status)
            return status;
        if (request->beneath && request->beneath != root)
            return sl_error_set(error, SL_ERR_USAGE,
                                "paths: all must lie below one root");
        request->beneath = root;
    }
    request->paths = paths;
    request->path_count = count;
    return SL_OK;
}

static int by_path(const void *a, const void *b)
{
    const struct sl_upgrade_text *x = a, *y = b;
    return sl_view_cmp(x->path, y->path);
}

static enum sl_status read_files(struct sl_serve *serve,
                                 const struct sl_json *list,
                                 struct sl_upgrade_request *request,
                                 struct sl_error *error)
{
    size_t count = sl_json_count(list);
    struct sl_upgrade_text *texts = sl_arena_alloc(
        &serve->corpus->arena, (count + 1) * sizeof *texts);
    if (!texts)
        return sl_error_nomem(error);
    for (size_t i = 0; i < count; i++)
        texts[i] = (struct sl_upgrade_text){
            sl_json_member(sl_json_at(list, i), "path"),
            sl_json_member(sl_json_at(list, i), "text")};
    if (count)
        qsort(texts, count, sizeof *texts, by_path);
    for (size_t i = 1; i < count; i++)
        if (sl_view_eq(texts[i - 1].path, texts[i].path))
            return sl_error_set(error, SL_ERR_USAGE,
                                "files: '%.*s' is given twice",
                                SL_ARG(sl_view_sub(texts[i].path, 0, 200)));
    request->texts = texts;
    request->text_count = count;
    return SL_OK;
}

static void put(const struct sl_upgrade *upgrade, struct sl_view whole,
                size_t budget, struct sl_mcp_answer *answer)
{
    const size_t *levels = upgrade->levels;
    /* the summary comes last: where that is cut off, the counts are not */
    sl_buf_printf(&answer->text, "%zu errors, %zu warnings, %zu notes\n",
                  levels[SL_UPGRADE_ERROR], levels[SL_UPGRADE_WARNING],
                  levels[SL_UPGRADE_NOTE]);
    bool cut = sl_tool_cut(&answer->text, whole, budget - answer->text.len);
    sl_buf_printf(&answer->structured,
                  "{\"schema\":\"" SCHEMA "\",\"errors\":%zu,\"warnings\":%zu,"
                  "\"notes\":%zu,\"files\":%zu,\"bytes\":%zu,\"unparsed\":%zu,"
                  "\"cut\":%s",
                  levels[SL_UPGRADE_ERROR], levels[SL_UPGRADE_WARNING],
                  levels[SL_UPGRADE_NOTE], upgrade->files, upgrade->bytes,
                  upgrade->unparsed, cut ? "true" : "false");
    sl_tool_put_answer_text(answer);
    sl_buf_putc(&answer->structured, '}');
}

enum sl_status sl_tool_upgrade(void *context, const struct sl_json *arguments,
                               struct sl_mcp_answer *answer,
                               struct sl_error *error)
{
    struct sl_serve *serve = context;
    const struct sl_json *files = sl_json_get(arguments, "files");
    const struct sl_json *paths = sl_json_get(arguments, "paths");
    struct sl_upgrade upgrade;
    struct sl_buf whole;
    struct sl_upgrade_request request = {
        .from = sl_json_member(arguments, "from"),
        .to = sl_json_member(arguments, "to"),
        .threads = serve->options->threads,
    };
    if (!files == !paths)
        return sl_error_set(error, SL_ERR_USAGE,
                            "give either files (their text) or paths");
    sl_buf_init(&whole, SL_MAX_OUTPUT);
    enum sl_status status =
        files ? read_files(serve, files, &request, error)
              : read_paths(serve, paths, &request, error);
    if (!status)
        status = sl_upgrade_run(serve->corpus, &request, &upgrade, error);
    if (!status) {
        sl_upgrade_text(&whole, &upgrade);
        status = sl_buf_check(&whole, error);
    }
    if (!status)
        put(&upgrade, sl_buf_view(&whole), sl_tool_budget(arguments), answer);
    sl_buf_release(&whole);
    return status;
}
