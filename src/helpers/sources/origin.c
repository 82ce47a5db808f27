#include "helpers/sources/origin.h"

#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "os/file.h"

static int hex_value(char c)
{
    if (sl_is_digit(c))
        return c - '0';
    c = sl_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* file:///a%20b or file://localhost/a to a path. */
static enum sl_status file_url(struct sl_arena *arena, struct sl_view url,
                               const char **path_out, struct sl_error *error)
{
    struct sl_view path = sl_view_sub(url, sizeof "file://" - 1, url.len);
    if (sl_view_starts(path, "localhost/"))
        path = sl_view_sub(path, sizeof "localhost" - 1, path.len);
    char *out = sl_arena_alloc(arena, path.len + 1);
    if (!out)
        return sl_error_nomem(error);
    size_t n = 0;
    for (size_t i = 0; i < path.len; i++) {
        char c = path.ptr[i];
        if (c == '%' && i + 2 < path.len && hex_value(path.ptr[i + 1]) >= 0 &&
            hex_value(path.ptr[i + 2]) >= 0) {
            c = (char)(hex_value(path.ptr[i + 1]) * 16 +
                       hex_value(path.ptr[i + 2]));
            i += 2;
        }
        out[n++] = c;
    }
    if (out[0] != '/' || memchr(out, '\0', n))
        return sl_error_set(error, SL_ERR_USAGE,
                            "--from '%.*s' is not a file URL of this machine "
                            "(file:///PATH)",
                            SL_ARG(sl_view_sub(url, 0, 200)));
    *path_out = out;
    return SL_OK;
}

enum sl_status sl_origin_parse(struct sl_arena *arena, const char *from,
                               struct sl_origin *origin_out,
                               struct sl_error *error)
{
    struct sl_origin origin = {SL_ORIGIN_FOLDER, from};
    if (!from) {
        *origin_out = (struct sl_origin){SL_ORIGIN_UPSTREAM, NULL};
        return SL_OK;
    }
    struct sl_view view = sl_view_of(from);
    if (view.len == 0 || view.len > SL_MAX_PATH)
        return sl_error_set(error, SL_ERR_USAGE,
                            "--from needs a folder or URL of at most %u bytes",
                            SL_MAX_PATH);
    if (sl_view_starts(view, "file://")) {
        enum sl_status status = file_url(arena, view, &origin.where, error);
        if (status)
            return status;
    } else if (sl_view_starts(view, "https://")) {
        if (sl_url_host(view).len == 0)
            return sl_error_set(error, SL_ERR_USAGE,
                                "--from '%.200s' has no host", from);
        origin.kind = SL_ORIGIN_URL;
    } else if (sl_view_find(view, SL_LIT("://"), 0) != SIZE_MAX) {
        return sl_error_set(error, SL_ERR_USAGE,
                            "--from takes a folder, file:// or https://; clone "
                            "other URLs yourself (git clone --mirror) and name "
                            "the folder");
    }
    if (origin.kind == SL_ORIGIN_FOLDER && !sl_path_is_folder(origin.where))
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "--from %.300s: no such folder", origin.where);
    *origin_out = origin;
    return SL_OK;
}

/* The last two parts of the repository's URL, `.git` taken off. */
static void owner_and_name(struct sl_view url, struct sl_view *owner_out,
                           struct sl_view *name_out)
{
    if (sl_view_ends(url, ".git"))
        url.len -= 4;
    struct sl_view part;
    *owner_out = *name_out = (struct sl_view){"", 0};
    while (sl_view_cut(&url, '/', &part)) {
        *owner_out = *name_out;
        *name_out = part;
    }
}

/* The k-th place for a source's mirror below a folder; false: no more. */
static bool candidate(struct sl_buf *path, const struct sl_origin *origin,
                      const struct sl_source *source, size_t k)
{
    struct sl_view owner;
    struct sl_view name;
    owner_and_name(source->repository, &owner, &name);
    const struct {
        struct sl_view first;
        const char *between;
        struct sl_view second;
        const char *end;
    } places[] = {
        {source->id, "", SL_LIT(""), ""},
        {source->id, "", SL_LIT(""), ".git"},
        {owner, "+", name, "/repo"},
        {owner, "+", name, ""},
        {owner, "/", name, ""},
        {owner, "/", name, ".git"},
        {name, "", SL_LIT(""), ""},
        {name, "", SL_LIT(""), ".git"},
    };
    if (k >= sizeof places / sizeof *places)
        return false;
    sl_buf_truncate(path, 0);
    sl_buf_printf(path, "%s%s", origin->where,
                  sl_view_ends(sl_view_of(origin->where), "/") ? "" : "/");
    sl_buf_printf(path, "%.*s%s%.*s%s", SL_ARG(places[k].first),
                  places[k].between, SL_ARG(places[k].second), places[k].end);
    return true;
}

static enum sl_status open_below(const struct sl_origin *origin,
                                 const struct sl_source *source,
                                 struct sl_buf *path, struct sl_git **git_out,
                                 struct sl_error *error)
{
    for (size_t k = 0; candidate(path, origin, source, k); k++) {
        enum sl_status status = sl_buf_check(path, error);
        if (!status && !sl_path_is_folder(path->ptr))
            continue;
        if (!status)
            status = sl_git_open(path->ptr, git_out, error);
        if (status != SL_ERR_NOTFOUND)
            return status;
    }
    struct sl_view owner;
    struct sl_view name;
    owner_and_name(source->repository, &owner, &name);
    return sl_error_set(error, SL_ERR_NOTFOUND,
                        "%.150s is no git repository and has none for "
                        "%.*s: looked for %.*s, %.*s+%.*s/repo, %.*s/%.*s and "
                        "%.*s, each also with .git",
                        origin->where, SL_ARG(source->id), SL_ARG(source->id),
                        SL_ARG(owner), SL_ARG(name), SL_ARG(owner),
                        SL_ARG(name), SL_ARG(name));
}

enum sl_status sl_origin_folder(struct sl_arena *arena,
                                const struct sl_origin *origin,
                                const struct sl_source *source, bool alone,
                                struct sl_git **git_out, const char **from_out,
                                struct sl_error *error)
{
    enum sl_status status = sl_git_open(origin->where, git_out, error);
    if (!status && !alone) {
        sl_git_free(*git_out);
        return sl_error_set(error, SL_ERR_USAGE,
                            "--from %.200s is one repository; name the one "
                            "source that it is for",
                            origin->where);
    }
    if (status != SL_ERR_NOTFOUND) {
        *from_out = origin->where;
        return status;
    }
    struct sl_buf path;
    sl_buf_init(&path, SL_MAX_PATH * 2);
    status = open_below(origin, source, &path, git_out, error);
    if (!status) {
        *from_out = sl_arena_copy(arena, sl_buf_view(&path)).ptr;
        if (!*from_out) {
            sl_git_free(*git_out);
            status = sl_error_nomem(error);
        }
    }
    sl_buf_release(&path);
    return status;
}

/* https://USER:PASSWORD@HOST/... without what is before the @. */
static const char *plain_url(struct sl_arena *arena, const char *url)
{
    struct sl_view rest = sl_view_of(url);
    struct sl_view host = sl_url_host(rest);
    rest = (struct sl_view){host.ptr, rest.len - (size_t)(host.ptr - url)};
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_PATH * 2);
    sl_buf_puts(&buf, "https://");
    sl_buf_add(&buf, rest);
    const char *plain = buf.failed
                            ? NULL
                            : sl_arena_copy(arena, sl_buf_view(&buf)).ptr;
    sl_buf_release(&buf);
    return plain;
}

enum sl_status sl_origin_open(struct sl_arena *arena,
                              const struct sl_origin *origin,
                              const struct sl_source *source, bool alone,
                              const char *folder,
                              const struct sl_git_watch *watch,
                              struct sl_git **git_out, const char **from_out,
                              struct sl_error *error)
{
    struct sl_git_pin pin = {sl_arena_copy(arena, source->tag).ptr,
                             sl_arena_copy(arena, source->commit).ptr};
    const char *url = origin->kind == SL_ORIGIN_UPSTREAM
                          ? sl_arena_copy(arena, source->repository).ptr
                          : origin->where;
    if (!pin.tag || !pin.commit || !url)
        return sl_error_nomem(error);
    struct sl_git *git = NULL;
    const char *from = NULL;
    enum sl_status status;
    if (origin->kind == SL_ORIGIN_FOLDER) {
        status = sl_origin_folder(arena, origin, source, alone, &git, &from,
                                  error);
    } else if (origin->kind == SL_ORIGIN_URL && !alone) {
        status = sl_error_set(error, SL_ERR_USAGE,
                              "--from with a URL is one repository; name the "
                              "one source that it is for");
    } else {
        from = plain_url(arena, url);
        status = from ? sl_git_fetch(url, from, folder, &pin, watch, &git,
                                     error)
                      : sl_error_nomem(error);
    }
    if (status)
        return status;
    status = sl_git_find(git, &pin, error);
    if (status) {
        sl_git_free(git);
        return status;
    }
    *git_out = git;
    *from_out = from;
    return SL_OK;
}
