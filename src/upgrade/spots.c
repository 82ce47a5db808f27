/* The uses of the user's own paths. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "os/file.h"
#include "upgrade/internal.h"

struct reading {
    struct sl_arena *arena;
    const struct sl_upgrade_request *request;
    struct sl_spots *spots;
    struct sl_upgrade *upgrade;
    struct sl_error *error;
};

static void count_file(struct sl_upgrade *upgrade,
                       const struct sl_file_report *report)
{
    upgrade->files++;
    upgrade->failed += report->failed;
    if (!report->parsed && !report->failed)
        return;
    upgrade->parsed++;
    upgrade->bytes += report->coverage.bytes;
    upgrade->unparsed += report->failed ? report->coverage.bytes
                                        : report->coverage.unparsed;
}

static enum sl_status add(struct reading *r, struct sl_view file,
                          const struct sl_use *use)
{
    struct sl_spots *spots = r->spots;
    bool defines = use->kind == SL_USE_DEFINITION &&
                   use->language == SL_LANGUAGE_CUDA;
    if (defines && !sl_map_put(&spots->own, use->name, 1, NULL))
        return sl_error_nomem(r->error);
    spots->items = sl_arena_grow(r->arena, spots->items, sizeof *spots->items,
                                 spots->count, &spots->cap);
    if (!spots->items)
        return sl_error_nomem(r->error);
    spots->items[spots->count++] = (struct sl_spot){file, use};
    return SL_OK;
}

static enum sl_status add_tree(struct reading *r, const char *folder)
{
    struct sl_usage *usage = &r->spots->trees[r->spots->tree_count];
    struct sl_usage_request request = {
        .source = SL_LIT(""),
        .tree = folder,
        .threads = r->request->threads,
    };
    enum sl_status status = sl_usage_read(r->arena, &request, usage, r->error);
    if (status)
        return status;
    r->spots->tree_count++;
    for (size_t i = 0; !status && i < usage->file_count; i++) {
        const struct sl_usage_file *file = &usage->files[i];
        const struct sl_use *uses = usage->threads[file->thread].items;
        count_file(r->upgrade, &file->report);
        const char *path = file->first < file->end
                               ? sl_path_join(r->arena, folder, file->path)
                               : "";
        if (!path)
            return sl_error_nomem(r->error);
        for (size_t k = file->first; !status && k < file->end; k++)
            status = add(r, sl_view_of(path), &uses[k]);
    }
    return status;
}

static enum sl_status read_file(struct reading *r, const char *path,
                                struct sl_file_report *report)
{
    struct sl_view text;
    struct sl_macros macros;
    struct sl_parser *parser;
    enum sl_status status =
        sl_file_read(r->arena, path, SL_MAX_SOURCE_FILE, &text, r->error);
    if (!status)
        status = sl_macros_load(r->arena, SL_LIT(""), &macros, r->error);
    if (!status)
        status = sl_parser_new(&parser, r->error);
    if (status)
        return status;
    status = sl_file_uses(parser, &macros, sl_view_of(path), text, false,
                          r->spots->single, report, r->error);
    sl_parser_free(parser);
    return status;
}

/* The items of single may move: they are added when all files are read. */
struct part {
    const char *path;
    size_t first, end;
};

static enum sl_status add_parts(struct reading *r, const struct part *parts,
                                size_t count)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < count; i++)
        for (size_t k = parts[i].first; !status && k < parts[i].end; k++)
            status = add(r, sl_view_of(parts[i].path),
                         &r->spots->single->items[k]);
    return status;
}

static enum sl_status read_all(struct reading *r)
{
    size_t count = r->request->path_count, files = 0;
    struct part *parts = sl_arena_alloc(r->arena, (count + 1) * sizeof *parts);
    if (!parts)
        return sl_error_nomem(r->error);
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < count; i++) {
        const char *path = r->request->paths[i];
        if (sl_path_is_folder(path)) {
            status = add_tree(r, path);
            continue;
        }
        struct sl_file_report report = {.parsed = false};
        struct part part = {path, r->spots->single->len, 0};
        status = read_file(r, path, &report);
        part.end = r->spots->single->len;
        parts[files++] = part;
        count_file(r->upgrade, &report);
    }
    return status ? status : add_parts(r, parts, files);
}

static int by_place(const void *a, const void *b)
{
    const struct sl_spot *x = a, *y = b;
    int order = sl_view_cmp(x->file, y->file);
    if (!order)
        order = (x->use->line > y->use->line) - (x->use->line < y->use->line);
    if (!order)
        order = sl_view_cmp(x->use->name, y->use->name);
    return order ? order : (int)x->use->kind - (int)y->use->kind;
}

enum sl_status sl_spots_read(struct sl_arena *arena,
                             const struct sl_upgrade_request *request,
                             struct sl_spots *spots_out,
                             struct sl_upgrade *upgrade, struct sl_error *error)
{
    struct sl_spots spots = {.items = NULL};
    struct reading r = {arena, request, &spots, upgrade, error};
    sl_map_init(&spots.own, arena);
    spots.trees = calloc(request->path_count + 1, sizeof *spots.trees);
    spots.single = calloc(1, sizeof *spots.single);
    if (spots.single)
        sl_uses_init(spots.single, SL_MAX_USAGE_ARENA);
    enum sl_status status = spots.trees && spots.single
                                ? read_all(&r)
                                : sl_error_nomem(error);
    if (status) {
        sl_spots_release(&spots);
        return status;
    }
    if (spots.count)
        qsort(spots.items, spots.count, sizeof *spots.items, by_place);
    *spots_out = spots;
    return SL_OK;
}

void sl_spots_release(struct sl_spots *spots)
{
    for (size_t i = 0; i < spots->tree_count; i++)
        sl_usage_release(&spots->trees[i]);
    free(spots->trees);
    if (spots->single)
        sl_uses_release(spots->single);
    free(spots->single);
    *spots = (struct sl_spots){.items = NULL};
}
