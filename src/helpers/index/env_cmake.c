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

/* `option(NAME "words" $ENV{NAME})`: off where the environment has no such name. */
static bool is_option(struct sl_view line, struct sl_view name)
{
    struct sl_view text = sl_view_trim(line);
    return sl_view_starts(text, "option(") &&
           sl_view_eq(word_at(text, sizeof "option(" - 1), name);
}

/* The first stays; that another place has another one is noted. */
static enum sl_status set_default(struct reading *r, struct sl_env_draft *draft,
                                  const char *type, struct sl_view fallback,
                                  struct sl_error *error)
{
    if (draft->row.type.len) {
        draft->differs |= !sl_view_eq(draft->row.fallback, fallback);
        return SL_OK;
    }
    draft->row.type = sl_view_of(type);
    draft->is_text = !fallback.len;
    draft->row.fallback = sl_arena_copy(r->work->arena, fallback);
    return draft->row.fallback.ptr ? SL_OK : sl_error_nomem(error);
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
    struct sl_view fallback = sl_view_of(form->fallback);
    enum sl_status status = SL_OK;
    if (*form->type && !form->fallback)
        fallback = quoted_after(line, at + name.len);
    if (*form->type)
        status = set_default(r, draft, form->type, fallback, error);
    else if (is_option(line, name))
        status = set_default(r, draft, "bool", SL_LIT("OFF"), error);
    return status ? status
                  : sl_env_place(r->work, draft, r->path, r->line, error);
}

/* set(NAME_DEFAULT "VALUE"), after the branch that takes NAME of the environment. */
static enum sl_status read_else(struct reading *r, struct sl_view line,
                                struct sl_error *error)
{
    static const char end[] = "_DEFAULT";
    struct sl_view text = sl_view_trim(line);
    if (!sl_view_starts(text, "set("))
        return SL_OK;
    struct sl_view name = word_at(text, sizeof "set(" - 1);
    struct sl_view value = quoted_after(text, sizeof "set(" - 1 + name.len);
    if (!sl_view_ends(name, end) || !value.len)
        return SL_OK;
    name = sl_view_sub(name, 0, name.len - (sizeof end - 1));
    struct sl_env_draft *draft = sl_env_known(r->work, SL_ENV_BUILD, name);
    return draft ? set_default(r, draft, "path", value, error) : SL_OK;
}

static enum sl_status read_line(struct reading *r, struct sl_view line,
                                struct sl_error *error)
{
    size_t comment = sl_view_find(line, SL_LIT("#"), 0);
    line = sl_view_sub(line, 0, comment);
    enum sl_status status = read_else(r, line, error);
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
