/* `sources list`: what is pinned, and which trees are in the cache. */
#include <inttypes.h>

#include "base/limits.h"
#include "helpers/sources/command.h"
#include "helpers/sources/store.h"

struct place {
    const char *tree; /* where it is or would be */
    bool here;
    struct sl_tree_size size;
};

static void put_text(struct sl_buf *out, const struct sl_source *source,
                     const struct place *place)
{
    sl_buf_printf(out, "%.*s: %.*s\n", SL_ARG(source->id),
                  SL_ARG(source->title));
    sl_buf_printf(out, "  repository  %.*s\n", SL_ARG(source->repository));
    sl_buf_printf(out, "  pinned      %.*s = %.*s\n", SL_ARG(source->tag),
                  SL_ARG(source->commit));
    sl_put_licence(out, source);
    if (place->here)
        sl_buf_printf(out, "  tree        %s (%zu files, %s)\n", place->tree,
                      place->size.files, sl_size(place->size.bytes).text);
    else
        sl_buf_printf(out,
                      "  tree        not here; `shmemlore sources sync %.*s` "
                      "brings it to\n              %s\n",
                      SL_ARG(source->id), place->tree);
}

static void put_json(struct sl_buf *out, const struct sl_source *source,
                     const struct place *place)
{
    sl_buf_puts(out, "  {");
    sl_put_source_json(out, source);
    sl_buf_puts(out, ", ");
    sl_put_string(out, "tree", sl_view_of(place->tree));
    sl_buf_printf(out, ", \"present\": %s", place->here ? "true" : "false");
    if (place->here)
        sl_buf_printf(out, ", \"files\": %zu, \"bytes\": %" PRIu64 "}",
                      place->size.files, place->size.bytes);
    else
        sl_buf_puts(out, ", \"files\": null, \"bytes\": null}");
}

static enum sl_status find(const struct sl_request *request,
                           const struct sl_store *store,
                           const struct sl_source *source,
                           struct place *place_out, struct sl_error *error)
{
    struct sl_tree_name name = sl_store_name(source);
    enum sl_status status =
        sl_source_tree(request->arena, source, &place_out->tree, error);
    if (!status)
        status = sl_store_has(store, name.text, &place_out->here, error);
    if (!status && place_out->here)
        status =
            sl_tree_measure(store->dir, name.text, &place_out->size, error);
    return status;
}

int sl_list(const struct sl_request *request)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_store store;
    if (sl_store_open(request->arena, false, &store, &error) != SL_OK) {
        sl_say(SL_LIT(""), error.message);
        return SL_EXIT_ERROR;
    }
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    if (request->json)
        sl_buf_puts(&out, "{\"schema\": \"shmemlore-sources-list/1\", "
                          "\"sources\": [\n");
    int code = SL_EXIT_DONE;
    for (size_t i = 0; i < request->count; i++) {
        struct place place = {NULL, false, {0, 0}};
        const struct sl_source *source = request->sources[i];
        if (find(request, &store, source, &place, &error) != SL_OK) {
            sl_say(source->id, error.message);
            code = SL_EXIT_ERROR;
            place.here = false;
        }
        if (request->json) {
            put_json(&out, source, &place);
            sl_buf_puts(&out, i + 1 < request->count ? ",\n" : "\n");
        } else {
            put_text(&out, source, &place);
        }
    }
    if (request->json)
        sl_buf_puts(&out, "]}\n");
    sl_flush(&out);
    sl_buf_release(&out);
    sl_store_close(&store);
    return code;
}
