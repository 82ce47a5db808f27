/*
 * Options of the build: what NVSHMEM's CMake files take from the environment.
 * They are no run-time variables, even where the name is the same.
 */
#include <string.h>

#include "base/limits.h"
#include "helpers/index/env.h"
#include "os/file.h"

/* Macros of cmake_config/NVSHMEMEnv.cmake and plain reads of a variable. */
static const struct form {
    const char *begin;
    const char *type;
    const char *fallback; /* NULL: the second argument */
} forms[] = {
    {"nvshmem_add_default_on_option(", "bool", "ON"},
    {"nvshmem_add_default_off_option(", "bool", "OFF"},
    {"nvshmem_add_default_environment_path(", "path", NULL},
    {"ENV{", "", ""},
};

struct reading {
    struct sl_env_work *work;
    struct sl_view path;
    unsigned line;
};

static struct sl_view word_at(struct sl_view line, size_t at)
{
    size_t end = at;
    while (end < line.len && sl_is_word(line.ptr[end]))
        end++;
    return sl_view_sub(line, at, end);
}

/* `NAME "value" ...` after the name; empty when it is no quoted text. */
static struct sl_view quoted_after(struct sl_view line, size_t at)
{
    while (at < line.len && line.ptr[at] == ' ')
        at++;
    if (at >= line.len || line.ptr[at] != '"')
        return SL_LIT("");
    size_t end = sl_view_find(line, SL_LIT("\""), at + 1);
    return end == SIZE_MAX ? SL_LIT("") : sl_view_sub(line, at + 1, end);
}

static enum sl_status add(struct reading *r, const struct form *form,
                          struct sl_view line, size_t at,
                          struct sl_error *error)
{
    struct sl_view name = word_at(line, at);
    if (!name.len) /* ENV{${NAME}}: inside a macro */
        return SL_OK;
    struct sl_env_draft *draft = sl_env_draft(r->work, SL_ENV_BUILD, name);
    sl_env_set reader = sl_env_reader(r->work, SL_LIT("cmake"));
    if (!draft || !reader)
        return sl_error_nomem(error);
    draft->readers |= reader;
    draft->used |= reader;
    draft->whens |= SL_WHEN_CONFIGURE;
    if (*form->type && !draft->row.type.len) {
        draft->row.type = sl_view_of(form->type);
        struct sl_view fallback = sl_view_of(form->fallback);
        if (!form->fallback) {
            fallback = quoted_after(line, at + name.len);
            draft->is_text = true;
        }
        draft->row.fallback = sl_arena_copy(r->work->arena, fallback);
        if (!draft->row.fallback.ptr)
            return sl_error_nomem(error);
    }
    return sl_env_place(r->work, draft, r->path, r->line, error);
}

static enum sl_status read_line(struct reading *r, struct sl_view line,
                                struct sl_error *error)
{
    size_t comment = sl_view_find(line, SL_LIT("#"), 0);
    line = sl_view_sub(line, 0, comment);
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !status; i++) {
        struct sl_view begin = sl_view_of(forms[i].begin);
        size_t at = sl_view_find(line, begin, 0);
        while (at != SIZE_MAX && !status) {
            status = add(r, &forms[i], line, at + begin.len, error);
            at = sl_view_find(line, begin, at + begin.len);
        }
    }
    return status;
}

static bool is_cmake(struct sl_view path)
{
    return sl_view_ends(path, "/CMakeLists.txt") ||
           sl_view_is(path, "CMakeLists.txt") ||
           sl_view_ends(path, "/CMakeLists.txt.in") ||
           sl_view_ends(path, ".cmake");
}

static enum sl_status read_file(struct sl_env_work *work, struct sl_view path,
                                struct sl_error *error)
{
    struct sl_arena arena;
    sl_arena_init(&arena, SL_MAX_FILE_ARENA);
    struct reading r = {.work = work, .path = path};
    struct sl_view rest, line;
    enum sl_status status = sl_file_read_beneath(
        &arena, work->tree, path, SL_MAX_SOURCE_FILE, &rest, error);
    for (r.line = 1; !status && sl_view_line(&rest, &line); r.line++)
        status = read_line(&r, line, error);
    work->files++;
    sl_arena_release(&arena);
    return status;
}

enum sl_status sl_env_read_cmake(struct sl_env_work *work,
                                 struct sl_error *error)
{
    struct sl_view *paths;
    size_t count;
    enum sl_status status = sl_folder_list(work->arena, work->tree, NULL,
                                           SL_MAX_TREE_FILES, &paths, &count,
                                           error);
    for (size_t i = 0; i < count && !status; i++)
        if (is_cmake(paths[i]))
            status = read_file(work, paths[i], error);
    return status;
}
