#include "skill/check.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/limits.h"
#include "os/file.h"
#include "skill/internal.h"

/* The last part of a path; "" of "/" and "". */
static struct sl_view last_part(struct sl_view path)
{
    size_t end = path.len;
    while (end && path.ptr[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin && path.ptr[begin - 1] != '/')
        begin--;
    return sl_view_sub(path, begin, end);
}

/*
 * The folder, and its name as the user wrote it: a link's own. `.` and `..` are
 * looked up (the reference validator takes them for names, and refuses each skill).
 */
static enum sl_status find_folder(struct sl_skill_checker *c,
                                  const char *folder, struct sl_error *error)
{
    struct sl_view path = sl_view_of(folder), last = last_part(path);
    if (last.len == 8 && strncasecmp(last.ptr, "SKILL.md", 8) == 0 &&
        !sl_path_is_folder(folder)) { /* of a file: its folder */
        size_t n = (size_t)(last.ptr - folder);
        path = sl_arena_copy(c->arena,
                             n ? sl_view_sub(path, 0, n) : SL_LIT("."));
        if (!path.ptr)
            return sl_error_nomem(error);
        last = last_part(path);
    }
    bool is_there = false;
    enum sl_status status = sl_path_find_folder(path.ptr, &is_there, error);
    if (status)
        return status;
    if (!is_there)
        return sl_error_set(error, SL_ERR_IO,
                            sl_path_exists(path.ptr)
                                ? "%s is no folder: give that of a skill, or "
                                  "its SKILL.md"
                                : "there is no folder %s: give that of a skill",
                            path.ptr);
    c->folder = path.ptr;
    char real[PATH_MAX];
    if (sl_view_is(last, ".") || sl_view_is(last, "..") || !last.len) {
        if (!realpath(c->folder, real))
            return sl_error_set(error, SL_ERR_IO, "cannot resolve %s: %s",
                                c->folder, strerror(errno));
        last = last_part(sl_view_of(real));
    }
    c->folder_name = sl_arena_copy(c->arena, last);
    return c->folder_name.ptr ? SL_OK : sl_error_nomem(error);
}

/* SKILL.md; what has the name in small letters is taken in its place. */
static enum sl_status find_main(struct sl_skill_checker *c,
                                struct sl_error *error)
{
    static const char *const names[] = {"SKILL.md", "skill.md"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !c->main.len; i++) {
        const char *full =
            sl_path_join(c->arena, c->folder, sl_view_of(names[i]));
        if (!full)
            return sl_error_nomem(error);
        if (sl_path_exists(full))
            c->main = sl_view_of(names[i]);
    }
    if (!c->main.len)
        sl_skill_add(c->report, SL_SKILL_ERROR, SL_LIT(""), 0, "no-skill-md",
                     "there is no file SKILL.md in it");
    else if (!sl_view_is(c->main, names[0]))
        sl_skill_add(c->report, SL_SKILL_WARNING, c->main, 0, "skill-md-name",
                     "many clients look for SKILL.md, in capitals, alone");
    return SL_OK;
}

/* A link was found to stay inside and is followed; anything else is not. */
static enum sl_status read_bytes(struct sl_skill_checker *c,
                                 struct sl_arena *arena, struct sl_view path,
                                 bool is_link, struct sl_view *text_out,
                                 struct sl_error *error)
{
    if (!is_link)
        return sl_file_read_beneath(arena, c->folder, path,
                                    SL_MAX_MARKDOWN_FILE, text_out, error);
    const char *full = sl_path_join(arena, c->folder, path);
    return full ? sl_file_read(arena, full, SL_MAX_MARKDOWN_FILE, text_out,
                               error)
                : sl_error_nomem(error);
}

static enum sl_status read_page(struct sl_skill_checker *c,
                                struct sl_view path, bool is_link,
                                struct sl_error *error)
{
    struct sl_arena arena;
    struct sl_view text;
    sl_arena_init(&arena, SL_MAX_SKILL_ARENA);
    enum sl_status status = read_bytes(c, &arena, path, is_link, &text, error);
    if (!status) {
        status = sl_skill_page(c, path, text, error);
    } else if (status == SL_ERR_LIMIT) {
        sl_skill_add(c->report, SL_SKILL_ERROR, path, 0, "file-size",
                     "has more than %u bytes and was not read",
                     SL_MAX_MARKDOWN_FILE);
        status = SL_OK;
    }
    sl_arena_release(&arena);
    return status;
}

static enum sl_status read_main(struct sl_skill_checker *c,
                                struct sl_error *error)
{
    bool leaves = false;
    enum sl_status status = SL_OK;
    enum sl_path_kind kind = sl_path_kind_beneath(c->folder, c->main);
    if (kind == SL_PATH_FILE)
        return read_page(c, c->main, false, error);
    if (kind == SL_PATH_LINK)
        status = sl_skill_leaves(c, c->main, &leaves, error);
    if (!status && kind == SL_PATH_LINK && !leaves &&
        !sl_path_is_folder(sl_path_join(c->arena, c->folder, c->main)))
        return read_page(c, c->main, true, error);
    if (!status && !leaves)
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main, 0, "no-skill-md",
                     "is no file");
    return status;
}

static enum sl_status check(struct sl_skill_checker *c, const char *folder,
                            struct sl_error *error)
{
    enum sl_status status = find_folder(c, folder, error);
    if (!status)
        status = find_main(c, error);
    if (!status)
        status = sl_skill_list(c, error);
    if (!status && c->main.len)
        status = read_main(c, error);
    for (size_t i = 0; i < c->file_count && !c->is_large && !status; i++)
        if (c->files[i].kind == SL_SKILL_FILE &&
            sl_view_ends(c->files[i].path, ".md") &&
            !sl_view_eq(c->files[i].path, c->main))
            status = read_page(c, c->files[i].path, false, error);
    return status ? status : sl_skill_mentions(c, error);
}

enum sl_status sl_skill_check(const char *folder,
                              struct sl_skill_report *report,
                              struct sl_error *error)
{
    sl_skill_report_init(report);
    struct sl_skill_checker checker = {.report = report,
                                       .arena = &report->arena,
                                       .main = SL_LIT("")};
    sl_map_init(&checker.paths, &report->arena);
    sl_map_init(&checker.anchors, &report->arena);
    enum sl_status status = check(&checker, folder, error);
    if (!status && report->failed)
        status = sl_error_nomem(error);
    if (status)
        return sl_arena_explain(&report->arena, status, error);
    sl_skill_report_sort(report);
    return SL_OK;
}
