/* Run records: each one that a text cites must be there, passed, and be of the
 * program as it is now. The form: docs/runs.md. */
#include <stdio.h>

#include "base/limits.h"
#include "json/json.h"
#include "os/file.h"
#include "text/hash.h"
#include "verify/checks.h"
#include "verify/record.h"

struct run {
    struct sl_checks *checks;
    struct sl_view name;   /* as cited */
    struct sl_view record; /* evidence/runs/NAME.json */
};

/* One source of the program: unchanged since the run? */
static enum sl_status check_source(const struct run *run,
                                   const struct sl_json *source,
                                   struct sl_error *error)
{
    static const char fix[] = "run it again (tools/gpu-run)";
    struct sl_report *report = run->checks->report;
    struct sl_view path = sl_json_member(source, "path");
    struct sl_view wanted = sl_json_member(source, "sha256");
    struct sl_error why = {SL_OK, ""};
    struct sl_arena arena;
    sl_arena_init(&arena, SL_MAX_RUN_SOURCE + SL_MAX_PATH);
    struct sl_view bytes;
    enum sl_status status =
        sl_file_read_beneath(&arena, run->checks->root, path,
                             SL_MAX_RUN_SOURCE, &bytes, &why);
    char hex[65];
    if (status == SL_ERR_NOMEM) {
        status = sl_error_nomem(error);
    } else if (status) {
        sl_report_fault(report, run->record, 1, "run-program", fix, "%s",
                        why.message);
        status = SL_OK;
    } else {
        status = sl_sha256_hex(bytes, hex, error);
        if (!status && !sl_view_is(wanted, hex))
            sl_report_fault(report, run->record, 1, "run-program", fix,
                            "%.*s is not what ran: it has changed since",
                            SL_ARG(path));
    }
    sl_arena_release(&arena);
    return status;
}

static enum sl_status check_record(const struct run *run,
                                   const struct sl_json *root,
                                   struct sl_error *error)
{
    struct sl_report *report = run->checks->report;
    bool good;
    enum sl_status status =
        sl_record_check(run->checks, run->record, root, &good, error);
    if (status || !good)
        return status;
    struct sl_view name = sl_json_member(root, "name");
    if (!sl_view_eq(name, run->name))
        sl_report_fault(report, run->record, 1, "run-name", "",
                        "it names itself '%.*s'", SL_ARG(name));
    struct sl_view outcome = sl_json_member(root, "outcome");
    if (!sl_view_is(outcome, "passed"))
        sl_report_fault(report, run->record, 1, "run-failed", "",
                        "its outcome is '%.*s', not 'passed'",
                        SL_ARG(outcome));
    const struct sl_json *sources = sl_json_get(root, "sources");
    struct sl_view program = sl_json_member(root, "program");
    bool listed = false;
    for (size_t i = 0; !status && i < sl_json_count(sources); i++) {
        const struct sl_json *source = sl_json_at(sources, i);
        listed |= sl_view_eq(sl_json_member(source, "path"), program);
        status = check_source(run, source, error);
    }
    if (!status && !listed)
        sl_report_fault(report, run->record, 1, "run-program", "",
                        "the program '%.*s' is not among its sources",
                        SL_ARG(program));
    return status;
}

static bool is_run_name(struct sl_view name)
{
    bool hyphen = true; /* none at the start, none after another */
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (c == '-' ? hyphen : !sl_is_lower(c) && !sl_is_digit(c))
            return false;
        hyphen = c == '-';
    }
    return name.len > 0 && name.len <= SL_MAX_TOKEN && !hyphen;
}

/* file and line: where it is cited first. */
static enum sl_status check_run(struct run *run, struct sl_view file,
                                unsigned line, struct sl_error *error)
{
    struct sl_report *report = run->checks->report;
    if (!is_run_name(run->name)) {
        sl_report_fault(report, file, line, "run-missing", "",
                        "'%.*s' is no name of a run (lower-case letters, "
                        "digits, single hyphens)",
                        SL_ARG(sl_view_sub(run->name, 0, 100)));
        return SL_OK;
    }
    char name[SL_MAX_TOKEN + 64];
    (void)snprintf(name, sizeof name, "%s/%.*s.json", SL_RUNS_FOLDER,
                   SL_ARG(run->name));
    run->record = sl_view_of(name);
    struct sl_arena arena;
    sl_arena_init(&arena, SL_MAX_RUN_RECORD + SL_MAX_PATH);
    struct sl_view bytes;
    struct sl_error why = {SL_OK, ""};
    struct sl_json *root = NULL;
    enum sl_status status =
        sl_file_read_beneath(&arena, run->checks->root, run->record,
                             SL_MAX_RUN_RECORD, &bytes, &why);
    if (status == SL_ERR_NOTFOUND) {
        sl_report_fault(report, file, line, "run-missing", "",
                        "`run:%.*s`: there is no %s", SL_ARG(run->name), name);
        status = SL_OK;
        goto done;
    }
    if (!status)
        status = sl_json_parse(bytes, &root, &why);
    if (status == SL_ERR_NOMEM) {
        status = sl_error_nomem(error);
    } else if (status) {
        sl_report_fault(report, run->record, 1, "run-record", "", "%s",
                        why.message);
        status = SL_OK;
    } else {
        status = check_record(run, root, error);
    }
done:
    sl_json_release(root);
    sl_arena_release(&arena);
    return status;
}

/* Records that no text cites. */
static enum sl_status find_unused(struct sl_checks *checks,
                                  const struct sl_map *cited,
                                  struct sl_error *error)
{
    char *folder = sl_path_join(&checks->arena, checks->root,
                                sl_view_of(SL_RUNS_FOLDER));
    if (!folder)
        return sl_error_nomem(error);
    if (!sl_path_is_folder(folder))
        return SL_OK;
    struct sl_view *names;
    size_t count;
    enum sl_status status = sl_folder_list(&checks->arena, folder, ".json",
                                           SL_MAX_RUNS, &names, &count, error);
    for (size_t i = 0; !status && i < count; i++) {
        struct sl_view name = sl_view_sub(names[i], 0, names[i].len - 5);
        const char *path = sl_path_join(&checks->arena, SL_RUNS_FOLDER,
                                        names[i]);
        if (!path)
            return sl_error_nomem(error);
        if (!sl_map_get(cited, name))
            sl_report_notice(checks->report, sl_view_of(path), 0, "run-unused",
                             "nothing cites this run");
    }
    return status;
}

enum sl_status sl_checks_runs(struct sl_checks *checks,
                              struct sl_error *error)
{
    const struct sl_kb *kb = &checks->kb;
    struct sl_map cited;
    sl_map_init(&cited, &checks->arena);
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < kb->section_count; i++) {
        const struct sl_section *section = &kb->sections[i];
        size_t end = section->first_block + section->block_count;
        for (size_t b = section->first_block; !status && b < end; b++) {
            const struct sl_kb_block *block = &kb->blocks[b];
            for (size_t r = 0; !status && r < block->ref_count; r++) {
                const struct sl_ref *ref =
                    &kb->refs.items[block->first_ref + r];
                bool added;
                if (ref->kind != SL_REF_RUN)
                    continue;
                if (!sl_map_put(&cited, ref->text, 0, &added))
                    return sl_error_nomem(error);
                struct run run = {.checks = checks, .name = ref->text};
                if (added)
                    status = check_run(
                        &run, sl_checks_name(checks, section->file),
                        sl_ref_line(&kb->files[section->file], block, ref),
                        error);
            }
        }
    }
    checks->report->counts.runs_distinct = cited.len;
    return status ? status : find_unused(checks, &cited, error);
}
