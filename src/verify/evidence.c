/* What stands under evidence/, and the trees in the user's cache. */
#include <stdio.h>

#include "base/limits.h"
#include "os/file.h"
#include "verify/checks.h"

/* Reads ROOT/name; *there_out false when it does not exist. */
static enum sl_status read_file(struct sl_checks *checks, const char *name,
                                size_t max, struct sl_view *bytes_out,
                                bool *there_out, struct sl_error *error)
{
    char *path = sl_path_join(&checks->arena, checks->root, sl_view_of(name));
    if (!path)
        return sl_error_nomem(error);
    enum sl_status status =
        sl_file_read(&checks->arena, path, max, bytes_out, error);
    *there_out = status != SL_ERR_NOTFOUND;
    return status == SL_ERR_NOTFOUND ? SL_OK : status;
}

/* Takes the N out of a message "line N: what" and leaves what. */
static const char *split_line(const char *message, unsigned *line_out)
{
    unsigned line = 0;
    size_t i = sizeof "line " - 1;
    *line_out = 0;
    if (!sl_view_starts(sl_view_of(message), "line "))
        return message;
    while (sl_is_digit(message[i]) && line < 100000000u)
        line = line * 10 + (unsigned)(message[i++] - '0');
    if (message[i] != ':' || message[i + 1] != ' ')
        return message;
    *line_out = line;
    return message + i + 2;
}

/* A file that is not of its form is a fault; memory is a failure. */
static enum sl_status form_fault(struct sl_checks *checks, const char *name,
                                 const char *rule, const char *fix,
                                 const struct sl_error *why,
                                 struct sl_error *error)
{
    if (why->status == SL_ERR_NOMEM)
        return sl_error_nomem(error);
    unsigned line;
    const char *what = split_line(why->message, &line);
    sl_report_fault(checks->report, sl_view_of(name), line, rule, fix, "%s",
                    what);
    return SL_OK;
}

static enum sl_status load_sources(struct sl_checks *checks,
                                   struct sl_error *error)
{
    struct sl_view yaml;
    bool there;
    struct sl_error why = {SL_OK, ""};
    enum sl_status status = read_file(checks, SL_SOURCES_FILE,
                                      SL_MAX_SOURCES_YAML, &yaml, &there,
                                      error);
    if (status)
        return status;
    if (!there)
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "no %s below %s: it is not the project's root",
                            SL_SOURCES_FILE, checks->root);
    status = sl_sources_parse(&checks->arena, yaml, &checks->sources, &why);
    if (status)
        return form_fault(checks, SL_SOURCES_FILE, "sources-form", "", &why,
                          error);
    checks->has_sources = true;
    checks->pinned = sl_arena_alloc(
        &checks->arena, checks->sources.count * sizeof *checks->pinned);
    return checks->pinned ? SL_OK : sl_error_nomem(error);
}

static enum sl_status load_manifest(struct sl_checks *checks,
                                    struct sl_pinned *pinned,
                                    struct sl_error *error)
{
    char name[128];
    (void)snprintf(name, sizeof name, "%s/%.*s.lines", SL_LINES_FOLDER,
                   SL_ARG(pinned->source->id));
    pinned->file_name =
        sl_arena_copy(&checks->arena, sl_view_of(name)).ptr;
    if (!pinned->file_name)
        return sl_error_nomem(error);
    struct sl_view bytes;
    bool there;
    enum sl_status status = read_file(checks, name, SL_MAX_MANIFEST, &bytes,
                                      &there, error);
    if (status)
        return status;
    if (!there) {
        sl_report_fault(checks->report, sl_view_of(name), 0,
                        "manifest-missing", "run verify --update",
                        "no line manifest of the source '%.*s'",
                        SL_ARG(pinned->source->id));
        return SL_OK;
    }
    struct sl_error why = {SL_OK, ""};
    status = sl_manifest_parse(&checks->arena, bytes, &pinned->file, &why);
    if (status)
        return form_fault(checks, name, "manifest-form",
                          "run verify --update", &why, error);
    if (!sl_view_eq(pinned->file.source, pinned->source->id) ||
        !sl_view_eq(pinned->file.commit, pinned->source->commit)) {
        sl_report_fault(checks->report, sl_view_of(name), 1, "manifest-commit",
                        "run verify --update",
                        "it is of %.*s at %.*s, but " SL_SOURCES_FILE
                        " pins %.*s at %.*s",
                        SL_ARG(pinned->file.source),
                        SL_ARG(pinned->file.commit),
                        SL_ARG(pinned->source->id),
                        SL_ARG(pinned->source->commit));
        return SL_OK;
    }
    pinned->has_file = true;
    if (!sl_manifest_is_for(&pinned->file, pinned->source))
        sl_report_fault(checks->report, sl_view_of(name), 1, "manifest-paths",
                        "run verify --update",
                        "it was made for other paths than " SL_SOURCES_FILE
                        " names");
    return SL_OK;
}

static enum sl_status load_lock(struct sl_checks *checks,
                                struct sl_error *error)
{
    struct sl_view bytes;
    bool there;
    enum sl_status status = read_file(checks, SL_LOCK_FILE, SL_MAX_LOCK,
                                      &bytes, &there, error);
    if (status)
        return status;
    struct sl_error why = {SL_OK, ""};
    if (!there) {
        sl_report_fault(checks->report, sl_view_of(SL_LOCK_FILE), 0,
                        "lock-missing", "run verify --update",
                        "no lock: no citation is anchored");
        return SL_OK;
    }
    status = sl_lock_parse(&checks->arena, bytes, &checks->lock, &why);
    if (status)
        return form_fault(checks, SL_LOCK_FILE, "lock-form",
                          "repair it, or take it out and run verify --update",
                          &why, error);
    checks->has_lock = true;
    checks->report->counts.lock_entries = checks->lock.count;
    return SL_OK;
}

/* Manifests of sources that are pinned no longer. */
static enum sl_status find_orphans(struct sl_checks *checks,
                                   struct sl_error *error)
{
    char *folder = sl_path_join(&checks->arena, checks->root,
                                sl_view_of(SL_LINES_FOLDER));
    if (!folder)
        return sl_error_nomem(error);
    if (!sl_path_is_folder(folder))
        return SL_OK;
    struct sl_view *names;
    size_t count;
    enum sl_status status =
        sl_folder_list(&checks->arena, folder, ".lines", SL_MAX_TREE_FILES,
                       &names, &count, error);
    for (size_t i = 0; !status && i < count; i++) {
        struct sl_view id = sl_view_sub(names[i], 0, names[i].len - 6);
        if (!sl_sources_find(&checks->sources, id))
            sl_report_notice(checks->report, sl_view_of(SL_LINES_FOLDER), 0,
                             "manifest-orphan",
                             "%.*s is of no source in " SL_SOURCES_FILE,
                             SL_ARG(names[i]));
    }
    return status;
}

enum sl_status sl_checks_evidence(struct sl_checks *checks,
                                  struct sl_error *error)
{
    enum sl_status status = load_sources(checks, error);
    for (size_t i = 0; !status && i < checks->sources.count; i++) {
        struct sl_pinned *pinned = &checks->pinned[i];
        pinned->source = &checks->sources.items[i];
        if (pinned->source->uncited)
            continue;
        status = load_manifest(checks, pinned, error);
        if (!status)
            status = sl_checks_tree(checks, pinned, error);
        checks->report->counts.trees += pinned->has_tree;
        checks->report->counts.manifest_lines +=
            pinned->has_tree ? pinned->tree.line_count
                             : pinned->file.line_count;
    }
    if (!status && checks->has_sources)
        status = find_orphans(checks, error);
    if (!status)
        status = load_lock(checks, error);
    return status;
}
