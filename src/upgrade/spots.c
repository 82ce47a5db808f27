/* The uses of the user's own paths. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "upgrade/internal.h"

struct reading {
    struct sl_arena *arena;
    struct sl_spots *spots;
    struct sl_paths *paths;
    struct sl_upgrade *upgrade;
    struct sl_error *error;
};

/*
 * Whether a file that was not read is a fault: always when the system did not give it,
 * and when it is no text or too large by its name, which says code or data.
 */
static enum sl_left_kind kind_of(const struct sl_usage_file *file)
{
    bool given = !file->left || file->error.status == SL_ERR_LIMIT;
    return given && !sl_usage_is_code(file->path) ? SL_LEFT_UNREAD
                                                  : SL_LEFT_UNREADABLE;
}

/* The reason, without the path that stands before it. */
static const char *why_of(const struct sl_usage_file *file)
{
    const char *why = file->error.message;
    if (file->report.no_text)
        return "no text";
    if (sl_view_starts(sl_view_of(why), file->path.ptr) &&
        why[file->path.len] == ' ')
        return why + file->path.len + 1;
    return why;
}

/* What the file adds to the counts, and why it was not looked at. */
static enum sl_status count_file(struct reading *r,
                                 const struct sl_usage_file *file)
{
    struct sl_upgrade *upgrade = r->upgrade;
    const struct sl_file_report *report = &file->report;
    if (file->left || report->no_text || report->unread)
        return sl_paths_leave(r->arena, r->paths, kind_of(file), file->path,
                              why_of(file), r->error);
    upgrade->files++;
    upgrade->failed += report->failed;
    if (!report->parsed && !report->failed)
        return SL_OK;
    upgrade->parsed += report->parsed;
    upgrade->bytes += report->coverage.bytes;
    upgrade->unparsed += report->failed ? report->coverage.bytes
                                        : report->coverage.unparsed;
    return report->failed
               ? sl_paths_leave(r->arena, r->paths, SL_LEFT_UNPARSED,
                                file->path, file->error.message, r->error)
               : SL_OK;
}

static enum sl_status add(struct reading *r, size_t file,
                          const struct sl_use *use)
{
    struct sl_spots *spots = r->spots;
    spots->items = sl_arena_grow(r->arena, spots->items, sizeof *spots->items,
                                 spots->count, &spots->cap);
    if (!spots->items)
        return sl_error_nomem(r->error);
    spots->items[spots->count++] = (struct sl_spot){file, use};
    return SL_OK;
}

static enum sl_status add_files(struct reading *r)
{
    const struct sl_usage *usage = &r->spots->usage;
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < usage->file_count; i++) {
        const struct sl_usage_file *file = &usage->files[i];
        const struct sl_use *uses = usage->threads[file->thread].items;
        status = count_file(r, file);
        for (size_t k = file->first; !status && k < file->end; k++)
            status = add(r, i, &uses[k]);
    }
    return status;
}

static int by_place(const void *a, const void *b)
{
    const struct sl_spot *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->use->line != y->use->line)
        return x->use->line < y->use->line ? -1 : 1;
    if (x->use->column != y->use->column)
        return x->use->column < y->use->column ? -1 : 1;
    int order = sl_view_cmp(x->use->name, y->use->name);
    return order ? order : (int)x->use->kind - (int)y->use->kind;
}

static int by_left(const void *a, const void *b)
{
    const struct sl_left *x = a, *y = b;
    int order = sl_view_cmp(x->path, y->path);
    return order ? order : (int)x->kind - (int)y->kind;
}

/* The paths' faults become the answer's; none of them readable: an error. */
static enum sl_status report_left(struct reading *r, size_t named)
{
    struct sl_paths *paths = r->paths;
    struct sl_upgrade *upgrade = r->upgrade;
    for (size_t i = 0; i < paths->left_count; i++)
        upgrade->lefts[paths->left[i].kind]++;
    if (paths->left_count)
        qsort(paths->left, paths->left_count, sizeof *paths->left, by_left);
    upgrade->left = paths->left;
    upgrade->left_count = paths->left_count;
    upgrade->links = paths->links;
    if (paths->count || !named ||
        upgrade->lefts[SL_LEFT_UNREADABLE] < named)
        return SL_OK;
    return sl_error_set(r->error, SL_ERR_NOTFOUND, "%.300s: %.*s",
                        paths->left[0].path.ptr, SL_ARG(paths->left[0].why));
}

static int by_path(const void *a, const void *b)
{
    const struct sl_upgrade_text *x = a, *y = b;
    return sl_view_cmp(x->path, y->path);
}

/* The files on disk and those that are given, by path, for reading. */
static enum sl_status list_texts(struct sl_arena *arena,
                                 const struct sl_upgrade_request *request,
                                 const struct sl_paths *paths,
                                 struct sl_usage_request *usage,
                                 struct sl_error *error)
{
    size_t count = 0, all = paths->count + request->text_count;
    struct sl_upgrade_text *files =
        sl_arena_alloc(arena, (all + 1) * sizeof *files);
    struct sl_view *names = sl_arena_alloc(arena, (all + 1) * sizeof *names);
    struct sl_view *texts = sl_arena_alloc(arena, (all + 1) * sizeof *texts);
    if (!files || !names || !texts)
        return sl_error_nomem(error);
    for (size_t i = 0; i < paths->count; i++)
        files[count++].path = paths->files[i];
    for (size_t i = 0; i < request->text_count; i++)
        files[count++] = request->texts[i];
    if (count)
        qsort(files, count, sizeof *files, by_path);
    for (size_t i = 0; i < count; i++) {
        names[i] = files[i].path;
        texts[i] = files[i].text;
    }
    usage->paths = names;
    usage->texts = texts;
    usage->path_count = count;
    return SL_OK;
}

enum sl_status sl_spots_read(struct sl_arena *arena,
                             const struct sl_upgrade_request *request,
                             const struct sl_map *fields,
                             struct sl_spots *spots_out,
                             struct sl_upgrade *upgrade, struct sl_error *error)
{
    struct sl_spots spots = {.items = NULL};
    struct sl_paths paths;
    struct reading r = {arena, &spots, &paths, upgrade, error};
    enum sl_status status = sl_paths_collect(
        arena, request->paths, request->path_count, &paths, error);
    if (status)
        return status;
    struct sl_usage_request usage = {
        .source = SL_LIT(""),
        .threads = request->threads,
        .beneath = request->beneath,
        .lenient = true,
        .fields = fields,
    };
    status = list_texts(arena, request, &paths, &usage, error);
    if (!status)
        status = sl_usage_read(arena, &usage, &spots.usage, error);
    if (status)
        return status;
    status = add_files(&r);
    if (!status)
        status = report_left(&r, request->path_count);
    if (spots.count)
        qsort(spots.items, spots.count, sizeof *spots.items, by_place);
    if (!status)
        status = sl_scopes_read(arena, &spots, error);
    if (status)
        sl_spots_release(&spots);
    else
        *spots_out = spots;
    return status;
}

void sl_spots_release(struct sl_spots *spots)
{
    sl_usage_release(&spots->usage);
    *spots = (struct sl_spots){.items = NULL};
}
