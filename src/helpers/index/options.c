#include "helpers/index/options.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "helpers/index/command.h"
#include "os/file.h"

#define OPTIONS_H "non_abi/nvshmem_build_options.h"
#define VERSION_H "non_abi/nvshmem_version.h"

struct headers {
    struct sl_view *texts; /* of all but the two that the build makes */
    size_t count;
    struct sl_view options;
};

static enum sl_status read_headers(struct sl_arena *arena, const char *root,
                                   struct headers *headers,
                                   struct sl_error *error)
{
    struct sl_view *paths;
    size_t count;
    enum sl_status status = sl_folder_list(
        arena, root, NULL, SL_MAX_HEADER_FILES, &paths, &count, error);
    if (status)
        return status;
    headers->texts = sl_arena_alloc(arena,
                                    (count + 1) * sizeof *headers->texts);
    if (!headers->texts)
        return sl_error_nomem(error);
    for (size_t i = 0; i < count && !status; i++) {
        const char *path = sl_path_join(arena, root, paths[i]);
        struct sl_view *to = &headers->texts[headers->count];
        if (!path)
            return sl_error_nomem(error);
        if (sl_view_is(paths[i], OPTIONS_H))
            to = &headers->options;
        else if (!sl_view_is(paths[i], VERSION_H))
            headers->count++;
        status = sl_file_read(arena, path, SL_MAX_SOURCE_FILE, to, error);
    }
    return status;
}

static bool is_asked_for(const struct headers *headers, struct sl_view option)
{
    for (size_t i = 0; i < headers->count; i++)
        if (sl_view_find(headers->texts[i], option, 0) != SIZE_MAX)
            return true;
    return false;
}

static int by_name(const void *a, const void *b)
{
    const struct sl_release_name *x = a, *y = b;
    return sl_view_cmp(x->symbol.name, y->symbol.name);
}

/* Leaves in more what base has not. */
static void keep_new(const struct sl_release *base, struct sl_view option,
                     struct sl_release *more)
{
    size_t kept = 0;
    for (size_t i = 0; i < more->count; i++) {
        if (bsearch(&more->items[i], base->items, base->count,
                    sizeof *base->items, by_name) ||
            sl_view_eq(more->items[i].symbol.name, option))
            continue;
        more->items[kept] = more->items[i];
        more->items[kept++].symbol.family = option;
    }
    more->count = kept;
}

/* `#undef NAME` in a comment: the option of a line, or empty. */
static struct sl_view option_of(struct sl_view line)
{
    size_t at = sl_view_find(line, SL_LIT("#undef "), 0), end;
    if (!sl_view_starts(line, "/*") || at == SIZE_MAX)
        return SL_LIT("");
    for (at += 7, end = at; end < line.len && sl_is_word(line.ptr[end]);)
        end++;
    return sl_view_sub(line, at, end);
}

static enum sl_status add_option(struct sl_merge *merge, const char *package,
                                 const char *stubs, struct sl_view option,
                                 const struct sl_release *base,
                                 struct sl_error *error)
{
    struct sl_arena arena;
    struct sl_release more;
    struct sl_merge_twin ignored;
    char define[SL_MAX_TOKEN], text[sizeof error->message + SL_MAX_TOKEN];
    (void)snprintf(define, sizeof define, "-D%.*s", SL_ARG(option));
    sl_arena_init(&arena, SL_MAX_INDEX_ARENA);
    enum sl_status status = sl_headers_read(&arena, package, stubs, define,
                                            &more, error);
    if (status == SL_ERR_SYNTAX) {
        (void)snprintf(text, sizeof text, "not read with %.*s: %s",
                       SL_ARG(option), error->message);
        sl_index_say(text);
        *error = (struct sl_error){SL_OK, ""};
        status = SL_OK;
    } else if (!status) {
        keep_new(base, option, &more);
        status = sl_merge_add_twin(merge, &more, &ignored, error);
    }
    sl_arena_release(&arena);
    return status;
}

enum sl_status sl_options_add(struct sl_merge *merge, const char *package,
                              const char *stubs, struct sl_error *error)
{
    struct sl_arena arena;
    struct sl_release base = {.items = NULL};
    struct headers headers = {.texts = NULL};
    struct sl_view line;
    sl_arena_init(&arena, SL_MAX_INDEX_ARENA);
    const char *root = sl_path_join(&arena, package, SL_LIT("include"));
    enum sl_status status = root ? read_headers(&arena, root, &headers, error)
                                 : sl_error_nomem(error);
    if (!status)
        status = sl_headers_read(&arena, package, stubs, NULL, &base, error);
    struct sl_release none = {.version = base.version};
    if (!status)
        status = sl_merge_add(merge, &none, error);
    while (!status && sl_view_line(&headers.options, &line)) {
        struct sl_view option = option_of(line);
        if (option.len && is_asked_for(&headers, option))
            status = add_option(merge, package, stubs, option, &base, error);
    }
    sl_arena_release(&arena);
    return status;
}
