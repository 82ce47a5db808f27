/* What a run that was killed left behind: citations.lock.XXXXXX and so on. */
#include "base/limits.h"
#include "os/file.h"
#include "verify/checks.h"

#define SUFFIX 7u /* of sl_file_write()'s temporary files: a dot, six characters */

/*
 * Six letters and digits, not all of them small letters: a file that somebody
 * called NAME.backup is theirs.
 */
static bool is_temporary(struct sl_view path)
{
    if (path.len <= SUFFIX)
        return false;
    struct sl_view suffix = sl_view_sub(path, path.len - SUFFIX, path.len);
    bool ours = false;
    if (suffix.ptr[0] != '.')
        return false;
    for (size_t i = 1; i < SUFFIX; i++) {
        if (!sl_is_alnum(suffix.ptr[i]))
            return false;
        ours |= !sl_is_lower(suffix.ptr[i]);
    }
    struct sl_view name = sl_view_sub(path, 0, path.len - SUFFIX);
    bool table = sl_view_ends(name, ".tsv") || sl_view_is(name, "SHA256SUMS");
    return ours && (sl_view_is(name, "citations.lock") ||
                    (table && sl_view_find(name, SL_LIT("/"), 0) == SIZE_MAX) ||
                    (sl_view_starts(name, "lines/") &&
                     sl_view_ends(name, ".lines")));
}

enum sl_status sl_checks_left(struct sl_checks *checks, bool remove,
                              size_t *removed_out, struct sl_error *error)
{
    char *folder = sl_path_join(&checks->arena, checks->root,
                                sl_view_of(SL_EVIDENCE_FOLDER));
    struct sl_view *names;
    size_t count;
    if (!folder)
        return sl_error_nomem(error);
    enum sl_status status =
        sl_folder_list(&checks->arena, folder, NULL, SL_MAX_TREE_FILES, &names,
                       &count, error);
    for (size_t i = 0; !status && i < count; i++) {
        if (!is_temporary(names[i]))
            continue;
        const char *shown =
            sl_path_join(&checks->arena, SL_EVIDENCE_FOLDER, names[i]);
        const char *path = sl_path_join(&checks->arena, folder, names[i]);
        if (!shown || !path)
            return sl_error_nomem(error);
        if (remove)
            status = sl_file_remove(path, error);
        else
            sl_report_notice(checks->report, sl_view_of(shown), 0, "left-over",
                             "of a run that was killed; the next verify "
                             "--update removes it");
        if (!status)
            (*removed_out)++;
    }
    return status;
}
