/*
 * `sources drift --write`: the new pin, and what follows from it: the citations
 * that moved, in the text and in the tables of evidence; the lock; the line
 * manifest. What needs a review keeps its citation and its old anchor, so that
 * `verify` goes on telling of it. All files change together or none does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/env.h"
#include "api/nccl.h"
#include "api/table.h"
#include "base/limits.h"
#include "base/map.h"
#include "helpers/sources/drift.h"
#include "kb/kb.h"
#include "os/batch.h"
#include "os/file.h"
#include "os/lock.h"

#define SKILL_FOLDER "skills/nvshmem"
#define SOURCES_FILE "evidence/sources.yaml"
#define LOCK_FILE "evidence/citations.lock"
#define LOCK_WAIT_MS 60000u

struct edit {
    size_t at, len;      /* in the file */
    struct sl_view text; /* in its place */
};

struct writer {
    struct drift_run *run;
    struct sl_arena *arena;
    struct sl_file_batch batch;
    struct sl_map by_text; /* citation -> region */
    struct sl_manifest manifest;
    struct edit *edits; /* of the file at hand */
    size_t edit_count, edit_cap;
};

static struct drift_region *find_region(const struct writer *w,
                                        struct sl_view text)
{
    const size_t *index = sl_map_get(&w->by_text, text);
    return index ? &w->run->regions[*index] : NULL;
}

static bool moves(const struct drift_region *region)
{
    return region->note == NOTE_NONE && region->to.verdict == SL_DRIFT_MOVED;
}

/* The citation that takes the place of a region's. */
static enum sl_status name_moved(struct writer *w, struct drift_region *region,
                                 struct sl_error *error)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_PATH * 2);
    sl_buf_printf(&buf, "%.*s:%.*s:%u", SL_ARG(region->at.source),
                  SL_ARG(region->to.path), region->to.first);
    if (region->to.last > region->to.first)
        sl_buf_printf(&buf, "-%u", region->to.last);
    enum sl_status status = sl_buf_check(&buf, error);
    if (!status) {
        region->moved = sl_arena_copy(w->arena, sl_buf_view(&buf));
        if (!region->moved.ptr)
            status = sl_error_nomem(error);
    }
    sl_buf_release(&buf);
    return status;
}

/*
 * A citation cannot move to the text of one that stays although its own lines are
 * no longer there: the two would be one. It stays as well, and may stop others.
 */
static void settle(struct writer *w)
{
    struct drift_run *run = w->run;
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < run->count; i++) {
            struct drift_region *region = &run->regions[i];
            if (!moves(region))
                continue;
            const struct drift_region *other = find_region(w, region->moved);
            if (other && other != region && drift_needs_review(other)) {
                region->note = NOTE_TAKEN;
                again = true;
            }
        }
    }
}

static enum sl_status index_regions(struct writer *w, struct sl_error *error)
{
    struct drift_run *run = w->run;
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < run->count; i++) {
        struct drift_region *region = &run->regions[i];
        if (region->note == NOTE_STALE)
            return sl_error_set(error, SL_ERR_REFUSED,
                                "the anchor of %.*s is not what stands at the "
                                "pin; nothing was written, see `shmemlore "
                                "verify`",
                                SL_ARG(region->text));
        if (!sl_map_put(&w->by_text, region->text, i, NULL))
            return sl_error_nomem(error);
        if (region->to.verdict == SL_DRIFT_MOVED)
            status = name_moved(w, region, error);
    }
    settle(w);
    return status;
}

/* A citation of the source that stands at `at` of a file. */
static enum sl_status see(struct writer *w, struct sl_view text, size_t at,
                          struct sl_view file, struct sl_error *error)
{
    struct sl_citation citation;
    if (sl_citation_parse(text, &citation, NULL) != SL_OK ||
        !sl_view_eq(citation.source, w->run->source->id))
        return SL_OK;
    const struct drift_region *region = find_region(w, text);
    if (!region)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%.*s cites %.*s, which has no anchor; nothing was "
                            "written, run `shmemlore verify --update` first",
                            SL_ARG(file), SL_ARG(text));
    if (!moves(region))
        return SL_OK;
    w->edits = sl_arena_grow(w->arena, w->edits, sizeof *w->edits,
                             w->edit_count, &w->edit_cap);
    if (!w->edits)
        return sl_error_nomem(error);
    w->edits[w->edit_count++] = (struct edit){at, text.len, region->moved};
    return SL_OK;
}

static int by_offset(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* The bytes with the edits of the file at hand made, in the arena. */
static enum sl_status apply(struct writer *w, struct sl_view bytes,
                            struct sl_view *edited_out, struct sl_error *error)
{
    struct sl_buf buf;
    sl_buf_init(&buf, bytes.len + w->edit_count * (size_t)SL_MAX_PATH * 2 + 1);
    if (w->edit_count)
        qsort(w->edits, w->edit_count, sizeof *w->edits, by_offset);
    size_t done = 0;
    for (size_t i = 0; i < w->edit_count; i++) {
        sl_buf_add(&buf, sl_view_sub(bytes, done, w->edits[i].at));
        sl_buf_add(&buf, w->edits[i].text);
        done = w->edits[i].at + w->edits[i].len;
    }
    sl_buf_add(&buf, sl_view_sub(bytes, done, bytes.len));
    w->run->moved += w->edit_count;
    w->edit_count = 0;
    enum sl_status status = sl_buf_check(&buf, error);
    if (!status) {
        *edited_out = sl_arena_copy(w->arena, sl_buf_view(&buf));
        if (!edited_out->ptr)
            status = sl_error_nomem(error);
    }
    sl_buf_release(&buf);
    return status;
}

static enum sl_status change(struct writer *w, const char *name,
                             struct sl_view old, struct sl_view bytes,
                             struct sl_error *error)
{
    const char *path = sl_path_join(w->arena, w->run->root, sl_view_of(name));
    if (!path)
        return sl_error_nomem(error);
    return sl_file_batch_add(&w->batch, path, old, bytes, error);
}

/* The references of one section's blocks; views point into the file's bytes. */
static enum sl_status see_section(struct writer *w, const struct sl_kb *kb,
                                  const struct sl_section *section,
                                  struct sl_error *error)
{
    const struct sl_kb_file *file = &kb->files[section->file];
    enum sl_status status = SL_OK;
    size_t end = section->first_block + section->block_count;
    for (size_t b = section->first_block; b < end; b++) {
        const struct sl_kb_block *block = &kb->blocks[b];
        for (size_t r = 0; !status && r < block->ref_count; r++) {
            const struct sl_ref *ref = &kb->refs.items[block->first_ref + r];
            if (ref->kind != SL_REF_CITATION)
                continue;
            if (ref->text.ptr < file->bytes.ptr ||
                ref->text.ptr + ref->text.len >
                    file->bytes.ptr + file->bytes.len)
                return sl_error_set(error, SL_ERR_INTERNAL,
                                    "a citation outside of its file");
            status = see(w, ref->text,
                         (size_t)(ref->text.ptr - file->bytes.ptr), file->path,
                         error);
        }
    }
    return status;
}

static enum sl_status edit_texts(struct writer *w, const struct sl_kb *kb,
                                 struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t f = 0; !status && f < kb->file_count; f++) {
        const struct sl_kb_file *file = &kb->files[f];
        for (size_t i = 0; !status && i < file->section_count; i++)
            status = see_section(w, kb, &kb->sections[file->first_section + i],
                                 error);
        if (status || !w->edit_count)
            continue;
        struct sl_view edited;
        const char *name =
            sl_path_join(w->arena, SKILL_FOLDER, file->path);
        status = name ? apply(w, file->bytes, &edited, error)
                      : sl_error_nomem(error);
        if (!status)
            status = change(w, name, file->bytes, edited, error);
    }
    return status;
}

/* The citations in one column of a table, blanks between them. */
static enum sl_status see_column(struct writer *w, struct sl_view bytes,
                                 size_t column, struct sl_view name,
                                 struct sl_error *error)
{
    enum sl_status status = SL_OK;
    struct sl_view rest = bytes, line, item;
    while (!status && sl_view_line(&rest, &line)) {
        struct sl_view field = SL_LIT("");
        size_t i = 0;
        while (i <= column && sl_view_cut(&line, '\t', &field))
            i++;
        if (i <= column)
            continue;
        while (!status && sl_view_cut(&field, ' ', &item))
            status =
                see(w, item, (size_t)(item.ptr - bytes.ptr), name, error);
    }
    return status;
}

/* One table; its new sum takes its place in *sums (ptr NULL: there are none). */
static enum sl_status edit_table(struct writer *w, const char *path,
                                 size_t column, struct sl_view *sums,
                                 struct sl_error *error)
{
    struct sl_view bytes, edited, name = sl_view_of(path);
    struct sl_error why = {SL_OK, ""};
    enum sl_status status = sl_table_read(w->arena, w->run->root, path,
                                          SL_MAX_ENV_TABLE, &bytes, &why);
    if (status == SL_ERR_NOTFOUND)
        return SL_OK;
    if (status)
        return sl_error_set(error, status, "%s", why.message);
    status = see_column(w, bytes, column, name, error);
    if (status || !w->edit_count)
        return status;
    status = apply(w, bytes, &edited, error);
    if (!status)
        status = change(w, path, bytes, edited, error);
    if (status || !sums->ptr)
        return status;
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_SUMS * 2u);
    name = sl_view_sub(name, sizeof "evidence/" - 1, name.len);
    status = sl_table_sums(&buf, *sums, name, edited, error);
    *sums = sl_arena_copy(w->arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return !status && !sums->ptr ? sl_error_nomem(error) : status;
}

/* Both tables that cite, and their sums. */
static enum sl_status edit_tables(struct writer *w, struct sl_error *error)
{
    static const struct {
        const char *path;
        size_t column;
    } tables[] = {
        {SL_ENV_TSV, SL_ENV_SOURCES_COLUMN},
        {SL_NCCL_TSV, SL_NCCL_EVIDENCE_COLUMN},
    };
    struct sl_view old = {NULL, 0};
    struct sl_error why = {SL_OK, ""};
    enum sl_status status =
        sl_file_read_beneath(w->arena, w->run->root, SL_LIT(SL_TABLE_SUMS),
                             SL_MAX_SUMS, &old, &why);
    if (status && status != SL_ERR_NOTFOUND)
        return sl_error_set(error, status, "%s", why.message);
    struct sl_view sums = old;
    status = SL_OK;
    for (size_t i = 0; !status && i < sizeof tables / sizeof *tables; i++)
        status =
            edit_table(w, tables[i].path, tables[i].column, &sums, error);
    if (!status && old.ptr)
        status = change(w, SL_TABLE_SUMS, old, sums, error);
    return status;
}

/* buf's bytes as the new content of a file that is there. */
static enum sl_status replace(struct writer *w, const char *name,
                              struct sl_buf *buf, size_t max,
                              struct sl_error *error)
{
    struct sl_view old;
    const char *path = sl_path_join(w->arena, w->run->root, sl_view_of(name));
    enum sl_status status = sl_buf_check(buf, error);
    if (!status && !path)
        status = sl_error_nomem(error);
    if (!status)
        status = sl_file_read(w->arena, path, max, &old, error);
    struct sl_view bytes = {NULL, 0};
    if (!status) {
        bytes = sl_arena_copy(w->arena, sl_buf_view(buf));
        status = bytes.ptr ? SL_OK : sl_error_nomem(error);
    }
    if (!status)
        status = sl_file_batch_add(&w->batch, path, old, bytes, error);
    return status;
}

static enum sl_status edit_pin(struct writer *w, struct sl_error *error)
{
    const struct drift_run *run = w->run;
    struct sl_view yaml;
    struct sl_buf buf;
    const char *path =
        sl_path_join(w->arena, run->root, SL_LIT(SOURCES_FILE));
    if (!path)
        return sl_error_nomem(error);
    enum sl_status status =
        sl_file_read(w->arena, path, SL_MAX_SOURCES_YAML, &yaml, error);
    if (status)
        return status;
    sl_buf_init(&buf, SL_MAX_SOURCES_YAML);
    status = sl_sources_repin(w->arena, yaml, run->source, sl_view_of(run->tag),
                              sl_view_of(run->found.commit), &buf, error);
    if (!status)
        status = replace(w, SOURCES_FILE, &buf, SL_MAX_SOURCES_YAML, error);
    sl_buf_release(&buf);
    return status;
}

static enum sl_status edit_manifest(struct writer *w, struct sl_error *error)
{
    char name[128];
    struct sl_buf buf;
    (void)snprintf(name, sizeof name, "evidence/lines/%.*s.lines",
                   SL_ARG(w->run->source->id));
    sl_buf_init(&buf, SL_MAX_MANIFEST);
    sl_manifest_write(&buf, &w->manifest);
    enum sl_status status = replace(w, name, &buf, SL_MAX_MANIFEST, error);
    sl_buf_release(&buf);
    return status;
}

static int by_text(const void *a, const void *b)
{
    const struct sl_lock_entry *x = a, *y = b;
    return sl_view_cmp(x->text, y->text);
}

/* What is same or moved gets an anchor at the new commit; the rest stays. */
static enum sl_status restamp(struct writer *w, struct sl_lock_entry *entry,
                              struct sl_error *error)
{
    const struct drift_region *region = find_region(w, entry->text);
    struct sl_lock_entry fresh;
    if (!region || drift_needs_review(region))
        return SL_OK;
    struct sl_citation at = region->at;
    at.path = region->to.path;
    at.first = region->to.first;
    at.last = region->to.last;
    if (!sl_lock_anchor(&w->manifest,
                        moves(region) ? region->moved : region->text, &at,
                        &fresh))
        return sl_error_set(error, SL_ERR_INTERNAL,
                            "%.*s is not in the new manifest",
                            SL_ARG(region->text));
    fresh.symbol = entry->symbol;
    fresh.trivial = entry->trivial;
    *entry = fresh;
    return SL_OK;
}

static enum sl_status edit_lock(struct writer *w, struct sl_error *error)
{
    struct sl_lock lock = w->run->lock;
    struct sl_buf buf;
    enum sl_status status = SL_OK;
    size_t bytes = (lock.count + 1) * sizeof *lock.entries;
    struct sl_lock_entry *entries = sl_arena_alloc(w->arena, bytes);
    if (!entries)
        return sl_error_nomem(error);
    if (lock.count)
        memcpy(entries, lock.entries, lock.count * sizeof *entries);
    lock.entries = entries;
    for (size_t i = 0; !status && i < lock.count; i++)
        status = restamp(w, &entries[i], error);
    if (status)
        return status;
    if (lock.count)
        qsort(entries, lock.count, sizeof *entries, by_text);
    for (size_t i = 1; i < lock.count; i++)
        if (sl_view_eq(entries[i - 1].text, entries[i].text))
            return sl_error_set(error, SL_ERR_INTERNAL,
                                "two citations become %.*s",
                                SL_ARG(entries[i].text));
    sl_buf_init(&buf, SL_MAX_LOCK);
    sl_lock_write(&buf, &lock);
    status = replace(w, LOCK_FILE, &buf, SL_MAX_LOCK, error);
    sl_buf_release(&buf);
    return status;
}

/* The text first, the pin last: see docs/internals/drift.md. */
static enum sl_status prepare(struct writer *w, const struct sl_kb *kb,
                              struct sl_error *error)
{
    enum sl_status status = drift_covered(w->run, &w->manifest, error);
    if (!status)
        status = index_regions(w, error);
    if (!status)
        status = edit_texts(w, kb, error);
    if (!status)
        status = edit_tables(w, error);
    if (!status)
        status = edit_lock(w, error);
    if (!status)
        status = edit_manifest(w, error);
    if (!status)
        status = edit_pin(w, error);
    return status;
}

static enum sl_status write_locked(struct drift_run *run,
                                   struct sl_error *error)
{
    struct writer w = {.run = run, .arena = run->request->arena};
    struct sl_kb kb;
    const char *folder =
        sl_path_join(w.arena, run->root, SL_LIT(SKILL_FOLDER));
    if (!folder)
        return sl_error_nomem(error);
    sl_file_batch_init(&w.batch, w.arena);
    sl_map_init(&w.by_text, w.arena);
    sl_kb_init(&kb);
    enum sl_status status = sl_kb_load(&kb, folder, error);
    if (!status)
        status = prepare(&w, &kb, error);
    if (!status && run->request->stop(NULL))
        status = sl_error_set(error, SL_ERR_IO, "interrupted");
    if (!status)
        status = sl_file_batch_commit(&w.batch, error);
    if (!status)
        run->written = w.batch.count;
    sl_kb_release(&kb);
    return status;
}

enum sl_status drift_write(struct drift_run *run, struct sl_error *error)
{
    struct sl_file_lock lock;
    const char *folder =
        sl_path_join(run->request->arena, run->root, SL_LIT("evidence"));
    if (!folder)
        return sl_error_nomem(error);
    if (sl_view_is(run->source->commit, run->found.commit))
        return SL_OK; /* it is the pin */
    enum sl_status status =
        sl_folder_lock_write(&lock, folder, LOCK_WAIT_MS, error);
    if (status)
        return status;
    status = write_locked(run, error);
    sl_file_lock_release(&lock);
    return status;
}
