#include "cite/sources.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "markdown/yaml.h"
#include "os/file.h"

static enum sl_status bad(struct sl_error *error, unsigned line,
                          const char *what, struct sl_view which)
{
    return sl_error_set(error, SL_ERR_SYNTAX, "sources.yaml:%u: %s '%.*s'",
                        line, what, SL_ARG(sl_view_sub(which, 0, 100)));
}

static bool is_id(struct sl_view id)
{
    for (size_t i = 0; i < id.len; i++)
        if (!sl_is_lower(id.ptr[i]) && !sl_is_digit(id.ptr[i]) &&
            id.ptr[i] != '-')
            return false;
    return id.len > 0 && id.len <= 40 && sl_is_lower(id.ptr[0]) &&
           !sl_view_is(id, "run");
}

static bool is_commit(struct sl_view v)
{
    for (size_t i = 0; i < v.len; i++)
        if (!sl_is_digit(v.ptr[i]) && !(v.ptr[i] >= 'a' && v.ptr[i] <= 'f'))
            return false;
    return v.len == 40;
}

/* Host and path only: it is printed and opened as it stands. */
static bool is_repository(struct sl_view url)
{
    if (!sl_view_starts(url, "https://") || url.len > SL_MAX_PATH ||
        sl_view_ends(url, "/"))
        return false;
    for (size_t i = 0; i < url.len; i++)
        if (!sl_is_alnum(url.ptr[i]) && !strchr("-._~/:[]", url.ptr[i]))
            return false;
    return memchr(url.ptr, '\0', url.len) == NULL;
}

static size_t children(const struct sl_yaml *node)
{
    size_t n = 0;
    for (const struct sl_yaml *c = node ? node->child : NULL; c; c = c->next)
        n++;
    return n;
}

static bool is_inside(struct sl_view path)
{
    for (size_t i = 0; i < path.len; i++)
        if ((unsigned char)path.ptr[i] < 0x20)
            return false;
    if (sl_view_ends(path, "/"))
        path.len--;
    return sl_path_is_inside(path);
}

static enum sl_status read_list(struct sl_arena *arena,
                                const struct sl_yaml *list,
                                struct sl_view **paths_out, size_t *count_out,
                                struct sl_error *error)
{
    size_t count = 0;
    struct sl_view *paths =
        sl_arena_alloc(arena, children(list) * sizeof *paths);
    if (!paths)
        return sl_error_nomem(error);
    for (const struct sl_yaml *c = list->child; c; c = c->next) {
        if (c->kind != SL_YAML_TEXT || !is_inside(c->text))
            return bad(error, c->line, "not a path inside the tree:", c->text);
        paths[count++] = c->text;
    }
    *paths_out = paths;
    *count_out = count;
    return SL_OK;
}

static enum sl_status read_paths(struct sl_arena *arena,
                                 const struct sl_yaml *node,
                                 struct sl_source *source,
                                 struct sl_error *error)
{
    const struct sl_yaml *list = sl_yaml_get(node, "paths");
    if (!list || list->kind != SL_YAML_LIST || children(list) == 0)
        return bad(error, node->line, "no list 'paths' for source",
                   source->id);
    return read_list(arena, list, &source->paths, &source->path_count, error);
}

static bool is_of_paths(const struct sl_source *source, struct sl_view path)
{
    for (size_t i = 0; i < source->path_count; i++)
        if (sl_view_eq(source->paths[i], path))
            return true;
    return sl_source_has_path(source, path);
}

/* `cited`: yes (the default), no, or a list of what may be cited of paths. */
static enum sl_status read_cited(struct sl_arena *arena,
                                 const struct sl_yaml *node,
                                 struct sl_source *source,
                                 struct sl_error *error)
{
    const struct sl_yaml *cited = sl_yaml_get(node, "cited");
    source->partly = cited && cited->kind == SL_YAML_LIST;
    if (source->partly) {
        enum sl_status status = read_list(arena, cited, &source->cited,
                                          &source->cited_count, error);
        for (size_t i = 0; !status && i < source->cited_count; i++)
            if (!is_of_paths(source, source->cited[i]))
                return bad(error, node->line, "'paths' lack what is cited:",
                           source->cited[i]);
        return status;
    }
    source->uncited = cited && sl_view_is(cited->text, "no");
    if (cited && !source->uncited && !sl_view_is(cited->text, "yes"))
        return bad(error, node->line,
                   "cited is yes, no or a list of paths, not", cited->text);
    source->cited = source->paths;
    source->cited_count = source->uncited ? 0 : source->path_count;
    return SL_OK;
}

static enum sl_status read_exceptions(struct sl_arena *arena,
                                      const struct sl_yaml *node,
                                      struct sl_source *source,
                                      struct sl_error *error)
{
    const struct sl_yaml *map = sl_yaml_get(node, "exceptions");
    size_t n = children(map);
    if (n == 0)
        return SL_OK;
    source->exceptions = sl_arena_alloc(arena, n * sizeof *source->exceptions);
    if (!source->exceptions)
        return sl_error_nomem(error);
    for (const struct sl_yaml *c = map->child; c; c = c->next) {
        if (map->kind != SL_YAML_MAP || c->kind != SL_YAML_TEXT ||
            !is_inside(c->key))
            return bad(error, c->line, "not a 'path: licence' entry:", c->key);
        source->exceptions[source->exception_count++] =
            (struct sl_licence_exception){c->key, c->text};
    }
    return SL_OK;
}

/* A misspelt key would be ignored, and what it says with it. */
static enum sl_status check_keys(const struct sl_yaml *node,
                                 const char *const *known,
                                 struct sl_error *error)
{
    for (const struct sl_yaml *c = node->child; c; c = c->next) {
        size_t i = 0;
        while (known[i] && !sl_view_is(c->key, known[i]))
            i++;
        if (!known[i])
            return bad(error, c->line, "unknown key", c->key);
    }
    return SL_OK;
}

/* `usage`: yes (the default) or no. */
static enum sl_status read_usage(const struct sl_yaml *node,
                                 struct sl_source *source,
                                 struct sl_error *error)
{
    struct sl_view usage = sl_yaml_text(node, "usage");
    source->unused = sl_view_is(usage, "no");
    if (usage.len && !source->unused && !sl_view_is(usage, "yes"))
        return bad(error, node->line, "usage is yes or no, not", usage);
    return SL_OK;
}

static enum sl_status read_source(struct sl_arena *arena,
                                  const struct sl_yaml *node,
                                  struct sl_source *source,
                                  struct sl_error *error)
{
    *source = (struct sl_source){
        .id = node->key,
        .title = sl_yaml_text(node, "title"),
        .repository = sl_yaml_text(node, "repository"),
        .tag = sl_yaml_text(node, "tag"),
        .commit = sl_yaml_text(node, "commit"),
        .licence = sl_yaml_text(node, "licence"),
    };
    if (!is_id(source->id))
        return bad(error, node->line,
                   "an id is lower-case letters, digits and '-', not",
                   source->id);
    if (!source->title.len || !source->tag.len || !source->licence.len)
        return bad(error, node->line,
                   "title, tag and licence are required for source",
                   source->id);
    if (!is_repository(source->repository))
        return bad(error, node->line,
                   "repository must be a plain https URL without user, query "
                   "or a slash at its end, not",
                   source->repository);
    if (!is_commit(source->commit))
        return bad(error, node->line,
                   "commit must be 40 hexadecimal digits, not",
                   source->commit);
    static const char *const keys[] = {"title",   "repository", "tag",
                                       "commit",  "licence",    "exceptions",
                                       "paths",   "cited", "usage", NULL};
    enum sl_status status = check_keys(node, keys, error);
    if (!status)
        status = read_paths(arena, node, source, error);
    if (!status)
        status = read_cited(arena, node, source, error);
    if (!status)
        status = read_usage(node, source, error);
    if (!status)
        status = read_exceptions(arena, node, source, error);
    return status;
}

enum sl_status sl_sources_parse(struct sl_arena *arena, struct sl_view yaml,
                                struct sl_sources *sources_out,
                                struct sl_error *error)
{
    const struct sl_yaml *root;
    struct sl_error why = {SL_OK, ""};
    enum sl_status status = sl_yaml_parse(arena, yaml, &root, &why);
    if (status)
        return sl_error_set(error, status, "sources.yaml: %.400s",
                            why.message);
    const struct sl_yaml *map = sl_yaml_get(root, "sources");
    size_t n = children(map);
    if (!map || map->kind != SL_YAML_MAP || n == 0)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "sources.yaml: no map 'sources' with entries");
    static const char *const keys[] = {"sources", NULL};
    status = check_keys(root, keys, error);
    if (status)
        return status;
    if (n > SL_MAX_SOURCES)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "sources.yaml: more than %u sources",
                            SL_MAX_SOURCES);
    struct sl_sources sources = {
        .items = sl_arena_alloc(arena, n * sizeof *sources.items)};
    if (!sources.items)
        return sl_error_nomem(error);
    for (const struct sl_yaml *c = map->child; c; c = c->next) {
        status = read_source(arena, c, &sources.items[sources.count], error);
        if (status)
            return status;
        sources.count++;
    }
    *sources_out = sources;
    return SL_OK;
}

const struct sl_source *sl_sources_find(const struct sl_sources *sources,
                                        struct sl_view id)
{
    for (size_t i = 0; i < sources->count; i++)
        if (sl_view_eq(sources->items[i].id, id))
            return &sources->items[i];
    return NULL;
}

/* entry names path itself, or a folder (with '/') above it. */
static bool covers(struct sl_view entry, struct sl_view path)
{
    if (sl_view_ends(entry, "/"))
        return path.len > entry.len &&
               sl_view_eq(sl_view_sub(path, 0, entry.len), entry);
    return sl_view_eq(path, entry);
}

bool sl_paths_cover(const struct sl_view *paths, size_t count,
                    struct sl_view path)
{
    for (size_t i = 0; i < count; i++)
        if (covers(paths[i], path))
            return true;
    return false;
}

bool sl_source_has_path(const struct sl_source *source, struct sl_view path)
{
    return sl_paths_cover(source->paths, source->path_count, path);
}

bool sl_source_may_cite(const struct sl_source *source, struct sl_view path)
{
    return sl_paths_cover(source->cited, source->cited_count, path);
}

struct sl_view sl_source_licence(const struct sl_source *source,
                                 struct sl_view path)
{
    for (size_t i = 0; i < source->exception_count; i++)
        if (covers(source->exceptions[i].path, path))
            return source->exceptions[i].licence;
    return source->licence;
}

static void add_url_path(struct sl_buf *out, struct sl_view path)
{
    for (size_t i = 0; i < path.len; i++) {
        char c = path.ptr[i];
        if (sl_is_alnum(c) || (c && strchr("-._~/+", c)))
            sl_buf_putc(out, c);
        else
            sl_buf_printf(out, "%%%02X", (unsigned char)c);
    }
}

void sl_source_permalink(struct sl_buf *out, const struct sl_source *source,
                         const struct sl_citation *citation)
{
    sl_buf_add(out, source->repository);
    sl_buf_puts(out, "/blob/");
    sl_buf_add(out, source->commit);
    sl_buf_putc(out, '/');
    add_url_path(out, citation->path);
    sl_buf_printf(out, "#L%u", citation->first);
    if (citation->last > citation->first)
        sl_buf_printf(out, "-L%u", citation->last);
}

enum sl_status sl_source_tree(struct sl_arena *arena,
                              const struct sl_source *source,
                              const char **path_out, struct sl_error *error)
{
    const char *cache;
    enum sl_status status = sl_cache_folder(arena, &cache, error);
    if (status)
        return status;
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_PATH * 2);
    sl_buf_printf(&buf, "%s/sources/%.*s-%.*s", cache, SL_ARG(source->id),
                  SL_ARG(source->commit));
    status = sl_buf_check(&buf, error);
    if (!status) {
        *path_out = sl_arena_copy(arena, sl_buf_view(&buf)).ptr;
        if (!*path_out)
            status = sl_error_nomem(error);
    }
    sl_buf_release(&buf);
    return status;
}

enum sl_status sl_source_tree_open(struct sl_arena *arena,
                                   const struct sl_source *source,
                                   const char **path_out,
                                   struct sl_error *error)
{
    const char *path;
    enum sl_status status = sl_source_tree(arena, source, &path, error);
    if (status)
        return status == SL_ERR_USAGE ? SL_ERR_NOTFOUND : status;
    const char *cache; /* it may be a link itself, what is in it may not */
    status = sl_cache_folder(arena, &cache, error);
    if (status)
        return status;
    enum sl_path_kind kind = sl_path_kind_beneath(
        cache, sl_view_of(path + strlen(cache) + strspn(path + strlen(cache),
                                                        "/")));
    if (kind == SL_PATH_NONE)
        return sl_error_set(error, SL_ERR_NOTFOUND, "no tree at %s", path);
    if (kind != SL_PATH_FOLDER)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "the tree at %s is not used: it is %s",
                            path,
                            kind == SL_PATH_LINK
                                ? "a symbolic link, or stands behind one"
                                : "no folder");
    *path_out = path;
    return SL_OK;
}
