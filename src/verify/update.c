/*
 * verify --update: line manifests from the trees, anchors for new citations.
 * A citation whose lines are no longer what was anchored keeps its old anchor,
 * unless its author names it: a restamp is a claim that somebody looked.
 */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "os/file.h"
#include "os/lock.h"
#include "verify/checks.h"
#include "verify/verify.h"

#define LOCK_WAIT_MS 60000u /* for another update of the same checkout */

struct update {
    struct sl_checks *checks;
    struct sl_verify_update *counts;
    struct sl_block_names symbols;
    struct sl_lock lock;   /* the new one */
    struct sl_arena text;  /* of the file read last */
    struct sl_view *lines; /* of that file */
    size_t line_count;
    struct sl_view source, path; /* which file it is */
};

/* The lines of the cited file; kept until another file is asked for. */
static enum sl_status read_lines(struct update *u, const struct sl_cite *cite,
                                 struct sl_error *error)
{
    if (u->lines && sl_view_eq(u->source, cite->citation.source) &&
        sl_view_eq(u->path, cite->citation.path))
        return SL_OK;
    sl_arena_release(&u->text);
    u->lines = NULL;
    u->line_count = 0;
    struct sl_view bytes;
    enum sl_status status = sl_file_read_beneath(
        &u->text, cite->pinned->tree_path, cite->citation.path,
        SL_MAX_TREE_FILE, &bytes, error);
    if (status)
        return status;
    size_t room = 1;
    for (size_t i = 0; i < bytes.len; i++)
        room += bytes.ptr[i] == '\n';
    u->lines = sl_arena_alloc(&u->text, room * sizeof *u->lines);
    if (!u->lines)
        return sl_error_nomem(error);
    while (sl_view_line(&bytes, &u->lines[u->line_count]))
        u->line_count++;
    u->source = cite->citation.source;
    u->path = cite->citation.path;
    return SL_OK;
}

/* Whether every cited line has fewer than three characters but its blanks. */
static bool is_trivial(const struct update *u,
                       const struct sl_citation *citation)
{
    for (size_t line = citation->first; line <= citation->last; line++)
        if (line <= u->line_count && sl_view_trim(u->lines[line - 1]).len >= 3)
            return false;
    return true;
}

static enum sl_status add_entry(struct update *u, struct sl_lock_entry entry,
                                struct sl_error *error)
{
    struct sl_lock *lock = &u->lock;
    lock->entries = sl_arena_grow(&u->checks->arena, lock->entries,
                                  sizeof *lock->entries, lock->count,
                                  &lock->cap);
    if (!lock->entries)
        return sl_error_nomem(error);
    lock->entries[lock->count++] = entry;
    return SL_OK;
}

/* A fresh anchor at the lines as they are cited. */
static enum sl_status stamp(struct update *u, const struct sl_cite *cite,
                            bool *stamped_out, struct sl_error *error)
{
    struct sl_lock_entry entry;
    *stamped_out = sl_lock_anchor(&cite->pinned->tree, cite->text,
                                  &cite->citation, &entry);
    if (!*stamped_out)
        return SL_OK;
    enum sl_status status = read_lines(u, cite, error);
    if (status)
        return status;
    size_t first = cite->citation.first - 1; /* the file may have shrunk since */
    size_t last = cite->citation.last;
    if (last > u->line_count)
        last = first = 0;
    status = sl_symbol_find(&u->symbols, cite, u->checks->uses,
                            u->lines + first, last - first, &entry.symbol,
                            error);
    if (status)
        return status;
    entry.trivial = is_trivial(u, &cite->citation);
    return add_entry(u, entry, error);
}

static bool is_accepted(const struct sl_cite *cite,
                        const struct sl_view *accept, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sl_view_eq(accept[i], cite->text))
            return true;
    return false;
}

static bool same_hashes(const uint64_t *a, const uint64_t *b, size_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

static bool same_entry(const struct sl_lock_entry *a,
                       const struct sl_lock_entry *b)
{
    size_t n = a->citation.last - a->citation.first + 1;
    return sl_view_eq(a->commit, b->commit) &&
           sl_view_eq(a->symbol, b->symbol) && a->trivial == b->trivial &&
           a->before == b->before && a->after == b->after &&
           same_hashes(a->lines - a->before, b->lines - b->before,
                       a->before + n + a->after);
}

static enum sl_status update_cite(struct update *u, const struct sl_cite *cite,
                                  bool accepted, struct sl_error *error)
{
    struct sl_verify_update *counts = u->counts;
    bool stamped = false;
    enum sl_status status = SL_OK;
    if (cite->pinned && cite->pinned->differs) {
        counts->refused++;
        return cite->entry ? add_entry(u, *cite->entry, error) : SL_OK;
    }
    switch (cite->graded.grade) {
    case SL_GRADE_OK:
        status = stamp(u, cite, &stamped, error);
        if (!status && stamped)
            counts->refreshed += !same_entry(
                &u->lock.entries[u->lock.count - 1], cite->entry);
        return status;
    case SL_GRADE_UNLOCKED:
        status = stamp(u, cite, &stamped, error);
        counts->added += stamped;
        return status;
    case SL_GRADE_MOVED:
    case SL_GRADE_CHANGED:
    case SL_GRADE_AMBIGUOUS:
    case SL_GRADE_GONE:
        if (accepted)
            status = stamp(u, cite, &stamped, error);
        if (status)
            return status;
        counts->accepted += stamped;
        counts->refused += !stamped;
        return stamped ? SL_OK : add_entry(u, *cite->entry, error);
    default:
        counts->invalid++;
        return SL_OK;
    }
}

/* Every tree that a citation needs; says which are missing. */
static enum sl_status need_trees(const struct sl_checks *checks,
                                 struct sl_error *error)
{
    struct sl_buf missing;
    sl_buf_init(&missing, sizeof error->message / 2);
    for (size_t i = 0; i < checks->sources.count; i++)
        if (checks->pinned[i].uses && checks->pinned[i].refused)
            return sl_error_set(error, SL_ERR_REFUSED, "%s",
                                checks->pinned[i].refused);
    for (size_t i = 0; i < checks->sources.count; i++)
        if (checks->pinned[i].uses && !checks->pinned[i].has_tree)
            sl_buf_printf(&missing, " %.*s",
                          SL_ARG(checks->pinned[i].source->id));
    enum sl_status status = SL_OK;
    if (missing.len)
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "verify --update needs the trees of all cited "
                              "sources; missing:%s. Run: shmemlore sources "
                              "sync%s",
                              missing.ptr, missing.ptr);
    sl_buf_release(&missing);
    return status;
}

static enum sl_status need_citations(const struct sl_checks *checks,
                                     const struct sl_view *accept,
                                     size_t count, struct sl_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const size_t *index = sl_map_get(&checks->cite_index, accept[i]);
        const struct sl_cite *cite = index ? &checks->cites[*index] : NULL;
        if (!cite || !cite->uses)
            return sl_error_set(error, SL_ERR_USAGE,
                                "--accept %.*s: no text cites that",
                                SL_ARG(sl_view_sub(accept[i], 0, 300)));
        if (cite->entry && cite->pinned && cite->graded.grade != SL_GRADE_OK &&
            !sl_lock_anchor(&cite->pinned->tree, cite->text, &cite->citation,
                            &(struct sl_lock_entry){0}))
            return sl_error_set(error, SL_ERR_REFUSED,
                                "--accept %.*s: there are no such lines in "
                                "the tree; correct the citation in the text",
                                SL_ARG(sl_view_sub(accept[i], 0, 300)));
    }
    return SL_OK;
}

/* Replaces ROOT/name unless it holds just these bytes. */
static enum sl_status write_changed(struct sl_checks *checks, const char *name,
                                    const struct sl_buf *buf,
                                    bool *written_out, struct sl_error *error)
{
    enum sl_status status = sl_buf_check(buf, error);
    char *path = sl_path_join(&checks->arena, checks->root, sl_view_of(name));
    if (status || !path)
        return status ? status : sl_error_nomem(error);
    struct sl_arena arena;
    sl_arena_init(&arena, SL_MAX_LOCK + 1);
    struct sl_view old;
    bool same = sl_file_read(&arena, path, SL_MAX_LOCK, &old, NULL) == SL_OK &&
                sl_view_eq(old, sl_buf_view(buf));
    sl_arena_release(&arena);
    if (!same)
        status = sl_file_write(path, sl_buf_view(buf), error);
    if (!status)
        *written_out = !same;
    return status;
}

static enum sl_status write_manifests(struct update *u, struct sl_error *error)
{
    struct sl_checks *checks = u->checks;
    char *folder = sl_path_join(&checks->arena, checks->root,
                                sl_view_of(SL_LINES_FOLDER));
    enum sl_status status =
        folder ? sl_folder_make(folder, error) : sl_error_nomem(error);
    for (size_t i = 0; !status && i < checks->sources.count; i++) {
        const struct sl_pinned *pinned = &checks->pinned[i];
        struct sl_buf buf;
        bool written = false;
        if (!pinned->has_tree)
            continue;
        if (pinned->differs) { /* the run that follows says where */
            u->counts->trees_refused++;
            continue;
        }
        sl_buf_init(&buf, SL_MAX_MANIFEST);
        sl_manifest_write(&buf, &pinned->tree);
        status = write_changed(checks, pinned->file_name, &buf, &written,
                               error);
        u->counts->manifests += written;
        sl_buf_release(&buf);
    }
    return status;
}

static int cite_order(const void *a, const void *b)
{
    const struct sl_cite *x = *(const struct sl_cite *const *)a;
    const struct sl_cite *y = *(const struct sl_cite *const *)b;
    return sl_view_cmp(x->text, y->text);
}

/* By text: the order of the lock, and each file of a tree is read once. */
static enum sl_status update_cites(struct update *u,
                                   const struct sl_view *accept,
                                   size_t accept_count, struct sl_error *error)
{
    struct sl_checks *checks = u->checks;
    const struct sl_cite **sorted = sl_arena_alloc(
        &checks->arena, checks->cite_count * sizeof *sorted);
    if (!sorted)
        return sl_error_nomem(error);
    size_t count = 0;
    for (size_t i = 0; i < checks->cite_count; i++)
        if (checks->cites[i].uses)
            sorted[count++] = &checks->cites[i];
    u->counts->dropped = checks->cite_count - count;
    if (count)
        qsort(sorted, count, sizeof *sorted, cite_order);
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < count; i++)
        status = update_cite(
            u, sorted[i], is_accepted(sorted[i], accept, accept_count), error);
    return status;
}

static enum sl_status write_lock(struct update *u, struct sl_error *error)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_LOCK);
    sl_lock_write(&buf, &u->lock);
    enum sl_status status = write_changed(u->checks, SL_LOCK_FILE, &buf,
                                          &u->counts->lock, error);
    sl_buf_release(&buf);
    return status;
}

/* A lock or table that cannot be read is repaired by hand, not replaced. */
static enum sl_status need_evidence(const struct sl_checks *checks,
                                    struct sl_error *error)
{
    const struct sl_report *report = checks->report;
    for (size_t i = 0; i < report->count; i++) {
        const struct sl_fault *fault = &report->items[i];
        struct sl_view rule = sl_view_of(fault->rule);
        if (sl_view_is(rule, "lock-form") ||
            sl_view_is(rule, "sources-form") || sl_view_is(rule, "table-form"))
            return sl_error_set(error, SL_ERR_SYNTAX, "%.*s:%u: %.300s",
                                SL_ARG(fault->file), fault->line,
                                fault->message);
    }
    return SL_OK;
}

static enum sl_status run_update(struct update *u, const struct sl_view *accept,
                                 size_t accept_count, struct sl_error *error)
{
    struct sl_checks *checks = u->checks;
    enum sl_status status = sl_checks_load(checks, error);
    if (!status)
        status = sl_checks_evidence(checks, error);
    if (!status)
        status = need_evidence(checks, error);
    if (!status)
        status = sl_checks_left(checks, true, &u->counts->swept, error);
    if (!status)
        status = sl_checks_collect(checks, error);
    if (!status)
        status = need_evidence(checks, error); /* the tables too */
    if (!status)
        status = need_trees(checks, error);
    if (!status)
        status = sl_checks_grade(checks, error);
    if (!status)
        status = need_citations(checks, accept, accept_count, error);
    if (!status)
        status = update_cites(u, accept, accept_count, error);
    if (!status)
        status = write_manifests(u, error);
    if (!status)
        status = write_lock(u, error);
    return status;
}

/* From the first read to the last write nobody else writes here. */
static enum sl_status run_locked(struct update *u, const struct sl_view *accept,
                                 size_t accept_count, struct sl_error *error)
{
    struct sl_checks *checks = u->checks;
    char *folder = sl_path_join(&checks->arena, checks->root,
                                sl_view_of(SL_EVIDENCE_FOLDER));
    if (!folder)
        return sl_error_nomem(error);
    struct sl_file_lock lock;
    enum sl_status status =
        sl_folder_lock_write(&lock, folder, LOCK_WAIT_MS, error);
    if (status)
        return status;
    status = run_update(u, accept, accept_count, error);
    sl_file_lock_release(&lock);
    return status;
}

enum sl_status sl_verify_update(const char *root, const struct sl_view *accept,
                                size_t accept_count,
                                struct sl_verify_update *update_out,
                                struct sl_error *error)
{
    struct sl_report report; /* faults are told by the run that follows */
    struct sl_checks checks;
    struct sl_verify_update counts = {0};
    sl_report_init(&report);
    sl_checks_init(&checks, root, &report);
    struct update u = {
        .checks = &checks,
        .counts = &counts,
        .symbols = {.kb = &checks.kb, .arena = &checks.arena},
    };
    sl_arena_init(&u.text, (size_t)SL_MAX_TREE_FILE * 4);
    enum sl_status status = run_locked(&u, accept, accept_count, error);
    status = sl_arena_explain(&u.text, status, error);
    status = sl_arena_explain(&checks.arena, status, error);
    sl_arena_release(&u.text);
    sl_checks_release(&checks);
    sl_report_release(&report);
    if (!status)
        *update_out = counts;
    return status;
}
