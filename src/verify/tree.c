/*
 * The tree in the user's cache beside the committed manifest. A commit does not
 * change: where the two are of one commit and differ, the tree is not what was
 * fetched, and nothing may be written from it.
 */
#include "base/limits.h"
#include "os/file.h"
#include "verify/checks.h"

#define MAX_DIFFERENCES 20u /* files told per source; the rest is counted */

struct compare {
    struct sl_checks *checks;
    struct sl_pinned *pinned;
    const char *fix;
    size_t differences;
};

static const char *resync(struct sl_checks *checks,
                          const struct sl_pinned *pinned)
{
    struct sl_view command = SL_LIT("run shmemlore sources sync --force ");
    struct sl_view id = pinned->source->id;
    struct sl_buf buf;
    sl_buf_init(&buf, 256);
    sl_buf_add(&buf, command);
    sl_buf_add(&buf, id);
    const char *fix = NULL;
    if (!buf.failed)
        fix = sl_arena_copy(&checks->arena, sl_buf_view(&buf)).ptr;
    sl_buf_release(&buf);
    return fix;
}

/* Whether the lines are the same; *line_out: the first that is another one. */
static bool same_lines(const struct sl_pinned *pinned,
                       const struct sl_manifest_file *file,
                       const struct sl_manifest_file *tree, size_t *line_out)
{
    const uint64_t *a = pinned->file.hashes + file->first;
    const uint64_t *b = pinned->tree.hashes + tree->first;
    size_t i = 0;
    while (i < file->count && i < tree->count && a[i] == b[i])
        i++;
    *line_out = i + 1;
    return i == file->count && i == tree->count;
}

#define DIFFERS "the tree in the cache differs from the committed manifest at "

/* One file of both, or of one of the two (the other NULL). */
static void compare_file(struct compare *c, const struct sl_manifest_file *file,
                         const struct sl_manifest_file *tree)
{
    struct sl_report *report = c->checks->report;
    struct sl_view name = sl_view_of(c->pinned->file_name);
    const char *path = c->pinned->tree_path;
    size_t line;
    if (file && tree && same_lines(c->pinned, file, tree, &line))
        return;
    c->pinned->differs = true;
    if (++c->differences > MAX_DIFFERENCES)
        return;
    if (!tree)
        sl_report_fault(report, name, 0, "manifest-tree", c->fix,
                        DIFFERS "%.*s, which %s lacks", SL_ARG(file->path),
                        path);
    else if (!file)
        sl_report_fault(report, name, 0, "manifest-tree", c->fix,
                        DIFFERS "%.*s, which stands in %s alone",
                        SL_ARG(tree->path), path);
    else if (file->count != tree->count)
        sl_report_fault(report, name, 0, "manifest-tree", c->fix,
                        DIFFERS "%.*s, which has %zu lines here and %zu in %s",
                        SL_ARG(file->path), file->count, tree->count, path);
    else
        sl_report_fault(report, name, 0, "manifest-tree", c->fix,
                        DIFFERS "%.*s: line %zu is another one in %s",
                        SL_ARG(file->path), line, path);
}

/*
 * Both lists are sorted by path. What only one of them covers, by its paths, is no
 * difference: the paths of sources.yaml were changed.
 */
static enum sl_status compare_tree(struct sl_checks *checks,
                                   struct sl_pinned *pinned,
                                   struct sl_error *error)
{
    const struct sl_manifest *a = &pinned->file;
    const struct sl_manifest *b = &pinned->tree;
    struct compare c = {checks, pinned, resync(checks, pinned), 0};
    if (!c.fix)
        return sl_error_nomem(error);
    size_t i = 0, j = 0;
    while (i < a->file_count || j < b->file_count) {
        int order = i == a->file_count   ? 1
                    : j == b->file_count ? -1
                                         : sl_view_cmp(a->files[i].path,
                                                       b->files[j].path);
        const struct sl_manifest_file *file = order <= 0 ? &a->files[i] : NULL;
        const struct sl_manifest_file *tree = order >= 0 ? &b->files[j] : NULL;
        if ((tree || sl_source_may_cite(pinned->source, file->path)) &&
            (file || sl_paths_cover(a->paths, a->path_count, tree->path)))
            compare_file(&c, file, tree);
        i += order <= 0;
        j += order >= 0;
    }
    if (c.differences > MAX_DIFFERENCES)
        sl_report_fault(checks->report, sl_view_of(pinned->file_name), 0,
                        "manifest-tree", c.fix, "and %zu more files differ",
                        c.differences - MAX_DIFFERENCES);
    return SL_OK;
}

/* A path that covers no file: misspelt, or the tree is not whole. */
static void check_paths(struct sl_checks *checks, struct sl_pinned *pinned)
{
    const struct sl_manifest *m =
        pinned->has_tree ? &pinned->tree : &pinned->file;
    for (size_t i = 0; i < pinned->source->cited_count; i++) {
        const struct sl_view *path = &pinned->source->cited[i];
        size_t at = 0;
        while (at < m->file_count &&
               !sl_paths_cover(path, 1, m->files[at].path))
            at++;
        if (at < m->file_count)
            continue;
        pinned->differs |= pinned->has_tree;
        sl_report_fault(checks->report, sl_view_of(SL_SOURCES_FILE), 0,
                        "source-path",
                        "correct it, or the tree in the cache is not whole: "
                        "run shmemlore sources sync --force",
                        "'%.*s' names no text file of the source '%.*s'",
                        SL_ARG(*path), SL_ARG(pinned->source->id));
    }
}

static enum sl_status load_tree(struct sl_checks *checks,
                                struct sl_pinned *pinned,
                                struct sl_error *error)
{
    struct sl_error why = {SL_OK, ""};
    enum sl_status status = sl_source_tree_open(
        &checks->arena, pinned->source, &pinned->tree_path, &why);
    if (status == SL_ERR_NOTFOUND)
        return SL_OK;
    if (status == SL_ERR_REFUSED) {
        pinned->refused =
            sl_arena_copy(&checks->arena, sl_view_of(why.message)).ptr;
        if (!pinned->refused)
            return sl_error_nomem(error);
        sl_report_fault(checks->report, sl_view_of(SL_SOURCES_FILE), 0,
                        "tree-link", "take it away, then run shmemlore "
                        "sources sync",
                        "%s", pinned->refused);
        return SL_OK;
    }
    if (status)
        return sl_error_set(error, status, "%s", why.message);
    status = sl_manifest_build(&checks->arena, pinned->source,
                               pinned->tree_path, &pinned->tree, error);
    pinned->has_tree = !status;
    return status;
}

enum sl_status sl_checks_tree(struct sl_checks *checks,
                              struct sl_pinned *pinned, struct sl_error *error)
{
    enum sl_status status = load_tree(checks, pinned, error);
    if (!status && pinned->has_file && pinned->has_tree)
        status = compare_tree(checks, pinned, error);
    if (!status && (pinned->has_tree ||
                    (pinned->has_file &&
                     sl_manifest_is_for(&pinned->file, pinned->source))))
        check_paths(checks, pinned);
    return status;
}
