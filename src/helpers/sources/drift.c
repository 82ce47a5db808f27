/*
 * `sources drift`: the old side is the committed line manifest, the new one a
 * commit in a local mirror. Where the mirror has the pinned commit too, the files
 * that the manifest leaves out take part on both sides: then a place outside of
 * the source's paths can be told from one that was always there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "helpers/sources/drift.h"
#include "helpers/sources/origin.h"
#include "os/file.h"

#define LOCK_FILE "evidence/citations.lock"

bool drift_needs_review(const struct drift_region *region)
{
    return region->note != NOTE_NONE || (region->to.verdict != SL_DRIFT_SAME &&
                                         region->to.verdict != SL_DRIFT_MOVED);
}

/* What becomes of one side's tree as it is walked. */
struct reader {
    struct sl_arena *arena;
    struct sl_manifest *manifest;
    const struct sl_source *source;
    bool all; /* also what the source's paths do not cover */
};

static enum sl_status read_file(void *context, const char *path,
                                const char *name, struct sl_view bytes,
                                struct sl_error *error)
{
    struct reader *reader = context;
    struct sl_view view = sl_view_of(path);
    (void)name;
    if (!sl_manifest_may_have(view) ||
        (!reader->all && !sl_source_may_cite(reader->source, view)))
        return SL_OK;
    view = sl_arena_copy(reader->arena, view);
    if (!view.ptr)
        return sl_error_nomem(error);
    struct sl_error why = {SL_OK, ""};
    enum sl_status status =
        sl_manifest_add(reader->arena, reader->manifest, view, bytes, &why);
    if (status)
        return sl_error_set(error, status, "%.200s: %.200s", path,
                            why.message);
    return SL_OK;
}

static enum sl_status read_tree(struct drift_run *run, struct sl_git *git,
                                const char *commit, struct sl_manifest *out,
                                struct sl_error *error)
{
    struct sl_manifest manifest = {
        .source = run->source->id,
        .commit = sl_arena_copy(run->request->arena, sl_view_of(commit)),
        .paths = run->source->cited,
        .path_count = run->source->cited_count,
    };
    struct reader reader = {run->request->arena, &manifest, run->source,
                            run->has_pin};
    const struct sl_git_visitor visitor = {.context = &reader,
                                           .file = read_file};
    const struct sl_git_watch watch = {.stop = run->request->stop};
    if (!manifest.commit.ptr)
        return sl_error_nomem(error);
    enum sl_status status = sl_git_walk(git, &watch, &visitor, error);
    if (!status)
        *out = manifest;
    return status;
}

static bool same_file(const struct sl_manifest *a,
                      const struct sl_manifest_file *x,
                      const struct sl_manifest *b,
                      const struct sl_manifest_file *y)
{
    return y && x->count == y->count &&
           (x->count == 0 || memcmp(a->hashes + x->first, b->hashes + y->first,
                                    x->count * sizeof *a->hashes) == 0);
}

/* A commit does not change: the two must agree about every file. */
static enum sl_status check_then(const struct drift_run *run,
                                 struct sl_error *error)
{
    const struct sl_manifest *a = &run->anchored, *b = &run->then;
    size_t covered = 0;
    for (size_t i = 0; i < b->file_count; i++)
        covered += sl_source_may_cite(run->source, b->files[i].path);
    for (size_t i = 0; i < a->file_count; i++)
        if (!same_file(a, &a->files[i], b,
                       sl_manifest_find(b, a->files[i].path)))
            return sl_error_set(error, SL_ERR_REFUSED,
                                "the line manifest is not of commit %.12s: "
                                "'%.*s' differs from %.200s; see `shmemlore "
                                "verify`",
                                run->source->commit.ptr,
                                SL_ARG(sl_view_sub(a->files[i].path, 0, 200)),
                                run->from);
    if (covered != a->file_count)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "the line manifest has %zu files, commit %.12s in "
                            "%.200s has %zu; see `shmemlore verify`",
                            a->file_count, run->source->commit.ptr, run->from,
                            covered);
    return SL_OK;
}

/* Both sides; the mirror need not have the pinned commit. */
static enum sl_status read_sides(struct drift_run *run, struct sl_git *git,
                                 struct sl_error *error)
{
    const struct sl_source *source = run->source;
    struct sl_arena *arena = run->request->arena;
    struct sl_git_pin pin = {sl_arena_copy(arena, source->tag).ptr,
                             sl_arena_copy(arena, source->commit).ptr};
    if (!pin.tag || !pin.commit)
        return sl_error_nomem(error);
    enum sl_status status = sl_git_find(git, &pin, error);
    run->has_pin = status == SL_OK;
    if (!status)
        status = read_tree(run, git, pin.commit, &run->then, error);
    else if (status == SL_ERR_NOTFOUND)
        status = SL_OK;
    if (!status && run->has_pin)
        status = check_then(run, error);
    else if (!status)
        run->then = run->anchored;
    if (!status)
        status = sl_git_resolve(git, run->request->rev, error);
    if (!status)
        status = sl_git_found(git, &run->found, error);
    if (!status)
        status = read_tree(run, git, run->found.commit, &run->now, error);
    return status;
}

static enum sl_status open_sides(struct drift_run *run, struct sl_error *error)
{
    const struct sl_request *request = run->request;
    struct sl_origin origin;
    if (!request->from)
        return sl_error_set(error, SL_ERR_USAGE,
                            "drift reads a local repository: say which with "
                            "--from DIR (git clone --mirror %.*s)",
                            SL_ARG(run->source->repository));
    enum sl_status status =
        sl_origin_parse(request->arena, request->from, &origin, error);
    if (!status && origin.kind != SL_ORIGIN_FOLDER)
        return sl_error_set(error, SL_ERR_USAGE,
                            "drift reads a local repository, not a URL: git "
                            "clone --mirror it and name the folder with "
                            "--from");
    struct sl_git *git = NULL;
    if (!status)
        status = sl_origin_folder(request->arena, &origin, run->source, true,
                                  &git, &run->from, error);
    if (status)
        return status;
    status = read_sides(run, git, error);
    sl_git_free(git);
    run->tag = run->found.is_tag ? request->rev : run->found.date;
    return status;
}

static enum sl_status read_evidence(struct drift_run *run, const char *name,
                                    size_t max, struct sl_view *bytes_out,
                                    struct sl_error *error)
{
    const char *path =
        sl_path_join(run->request->arena, run->root, sl_view_of(name));
    if (!path)
        return sl_error_nomem(error);
    return sl_file_read(run->request->arena, path, max, bytes_out, error);
}

static enum sl_status read_manifest(struct drift_run *run,
                                    struct sl_error *error)
{
    char name[128];
    struct sl_view bytes;
    struct sl_error why = {SL_OK, ""};
    (void)snprintf(name, sizeof name, "evidence/lines/%.*s.lines",
                   SL_ARG(run->source->id));
    enum sl_status status =
        read_evidence(run, name, SL_MAX_MANIFEST, &bytes, error);
    if (status == SL_ERR_NOTFOUND)
        return sl_error_set(error, status,
                            "%s is not there: `verify --update` writes it once "
                            "something of the source is cited",
                            name);
    if (!status)
        status = sl_manifest_parse(run->request->arena, bytes, &run->anchored,
                                   &why);
    if (why.status)
        return sl_error_set(error, status, "%s: %.300s", name, why.message);
    if (!status && !(sl_view_eq(run->anchored.source, run->source->id) &&
                     sl_view_eq(run->anchored.commit, run->source->commit) &&
                     sl_manifest_is_for(&run->anchored, run->source)))
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%s is of another commit or of other paths than "
                            "sources.yaml says; see `shmemlore verify`",
                            name);
    return status;
}

static enum sl_status add_region(struct drift_run *run, struct sl_view text,
                                 const struct sl_citation *at,
                                 const struct sl_lock_entry *entry,
                                 struct sl_error *error)
{
    run->regions = sl_arena_grow(run->request->arena, run->regions,
                                 sizeof *run->regions, run->count, &run->cap);
    if (!run->regions)
        return sl_error_nomem(error);
    run->regions[run->count++] =
        (struct drift_region){.text = text, .at = *at, .entry = entry};
    return SL_OK;
}

/* The source's citations that have an anchor. */
static enum sl_status take_lock(struct drift_run *run, struct sl_error *error)
{
    struct sl_view bytes;
    struct sl_error why = {SL_OK, ""};
    enum sl_status status =
        read_evidence(run, LOCK_FILE, SL_MAX_LOCK, &bytes, error);
    if (!status)
        status =
            sl_lock_parse(run->request->arena, bytes, &run->lock, &why);
    if (why.status)
        return sl_error_set(error, status, LOCK_FILE ": %.300s", why.message);
    for (size_t i = 0; !status && i < run->lock.count; i++) {
        const struct sl_lock_entry *entry = &run->lock.entries[i];
        if (sl_view_eq(entry->citation.source, run->source->id))
            status = add_region(run, entry->text, &entry->citation, entry,
                                error);
    }
    return status;
}

/* --lines FILE: PATH:LINE or PATH:FIRST-LAST, one a line. */
static enum sl_status take_lines(struct drift_run *run, struct sl_error *error)
{
    struct sl_arena *arena = run->request->arena;
    struct sl_view bytes, line;
    enum sl_status status = sl_file_read(arena, run->request->lines,
                                         SL_MAX_DRIFT_LINES, &bytes, error);
    for (unsigned n = 1; !status && sl_view_line(&bytes, &line); n++) {
        struct sl_citation at;
        struct sl_error why = {SL_OK, ""};
        char *text = sl_arena_alloc(arena, run->source->id.len + line.len + 2);
        if (!text)
            return sl_error_nomem(error);
        struct sl_view whole = {text, run->source->id.len + 1 + line.len};
        memcpy(text, run->source->id.ptr, run->source->id.len);
        text[run->source->id.len] = ':';
        if (line.len)
            memcpy(text + run->source->id.len + 1, line.ptr, line.len);
        if (sl_citation_parse(whole, &at, &why))
            return sl_error_set(error, SL_ERR_SYNTAX, "%.200s:%u: %.300s",
                                run->request->lines, n, why.message);
        const struct sl_manifest_file *file =
            sl_manifest_find(&run->anchored, at.path);
        if (!file || at.last > file->count)
            return sl_error_set(error, SL_ERR_NOTFOUND,
                                "%.200s:%u: the source has no lines %.*s",
                                run->request->lines, n,
                                SL_ARG(sl_view_sub(line, 0, 300)));
        status = add_region(run, whole, &at, NULL, error);
    }
    return status;
}

static int by_place(const void *a, const void *b)
{
    const struct drift_region *x = a, *y = b;
    int order = sl_view_cmp(x->at.path, y->at.path);
    if (order)
        return order;
    if (x->at.first != y->at.first)
        return x->at.first < y->at.first ? -1 : 1;
    return (x->at.last > y->at.last) - (x->at.last < y->at.last);
}

/* Whether the anchor holds at the pin; else nothing can be told from there. */
static bool is_anchored(const struct drift_run *run,
                        const struct drift_region *region,
                        const struct sl_manifest_file *file)
{
    if (!file || region->at.last > file->count)
        return false;
    size_t lines = region->at.last - region->at.first + 1;
    return !region->entry ||
           memcmp(run->then.hashes + file->first + region->at.first - 1,
                  region->entry->lines,
                  lines * sizeof *region->entry->lines) == 0;
}

static void judge(struct drift_run *run, struct drift_region *region)
{
    const struct sl_manifest_file *file =
        sl_manifest_find(&run->then, region->at.path);
    if (!is_anchored(run, region, file)) {
        region->note = NOTE_STALE;
        run->stale++;
        return;
    }
    sl_drift_region(&run->drift, file, region->at.first, region->at.last,
                    &region->to);
    run->counts[region->to.verdict]++;
    if (region->to.verdict == SL_DRIFT_MOVED &&
        !sl_source_may_cite(run->source, region->to.path))
        region->note = NOTE_OUTSIDE;
}

static enum sl_status compare(struct drift_run *run, struct sl_error *error)
{
    enum sl_status status =
        run->request->lines ? take_lines(run, error) : take_lock(run, error);
    if (!status)
        status = sl_drift_make(run->request->arena, &run->then, &run->now,
                               &run->drift, error);
    if (status)
        return status;
    if (run->count)
        qsort(run->regions, run->count, sizeof *run->regions, by_place);
    for (size_t i = 0; i < run->count; i++)
        judge(run, &run->regions[i]);
    return SL_OK;
}

enum sl_status drift_covered(struct drift_run *run,
                             struct sl_manifest *manifest_out,
                             struct sl_error *error)
{
    struct sl_manifest m = run->now;
    m.files = sl_arena_alloc(run->request->arena,
                             (m.file_count + 1) * sizeof *m.files);
    if (!m.files)
        return sl_error_nomem(error);
    m.file_count = m.line_count = 0;
    for (size_t i = 0; i < run->now.file_count; i++)
        if (sl_source_may_cite(run->source, run->now.files[i].path)) {
            m.files[m.file_count++] = run->now.files[i];
            m.line_count += run->now.files[i].count;
        }
    *manifest_out = m;
    return SL_OK;
}

static enum sl_status run_drift(struct drift_run *run, struct sl_error *error)
{
    enum sl_status status = read_manifest(run, error);
    if (!status)
        status = open_sides(run, error);
    if (!status)
        status = compare(run, error);
    if (!status && run->request->write)
        status = drift_write(run, error);
    return status;
}

int sl_drift_run(const struct sl_request *request)
{
    struct drift_run run = {.request = request,
                            .source = request->sources[0],
                            .root = request->root};
    struct sl_error error = {SL_OK, ""};
    enum sl_status status = run_drift(&run, &error);
    status = sl_arena_explain(request->arena, status, &error);
    if (status) {
        if (!request->stop(NULL))
            sl_say(run.source->id, error.message);
        return SL_EXIT_ERROR;
    }
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_DRIFT_OUTPUT);
    if (request->json)
        drift_put_json(&out, &run);
    else if (!request->quiet)
        drift_put_text(&out, &run);
    status = sl_buf_check(&out, &error);
    if (status)
        sl_say(run.source->id, error.message);
    else
        sl_flush(&out);
    sl_buf_release(&out);
    if (status)
        return SL_EXIT_ERROR;
    for (size_t i = 0; i < run.count; i++)
        if (drift_needs_review(&run.regions[i]))
            return SL_EXIT_REVIEW;
    return SL_EXIT_DONE;
}
