/* evidence/sources.yaml with another pin for one source. */
#include "cite/sources.h"
#include "markdown/yaml.h"

static bool is_plain(struct sl_view tag)
{
    for (size_t i = 0; i < tag.len; i++) {
        char c = tag.ptr[i];
        if (!sl_is_alnum(c) && c != '.' && c != '_' && c != '/' && c != '+' &&
            c != '-')
            return false;
    }
    return tag.len > 0 && sl_is_alnum(tag.ptr[0]);
}

/* The number of the line on which a key of the source stands; 0: nowhere. */
static unsigned line_of(const struct sl_yaml *root, struct sl_view id,
                        const char *key)
{
    const struct sl_yaml *map = sl_yaml_get(root, "sources");
    for (const struct sl_yaml *c = map ? map->child : NULL; c; c = c->next) {
        if (!sl_view_eq(c->key, id))
            continue;
        const struct sl_yaml *node = sl_yaml_get(c, key);
        return node ? node->line : 0;
    }
    return 0;
}

/* Whether the two differ in the pin of that source and in nothing else. */
static bool differs_in_pin(const struct sl_sources *a,
                           const struct sl_sources *b, struct sl_view id,
                           struct sl_view tag, struct sl_view commit)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct sl_source *x = &a->items[i], *y = &b->items[i];
        bool is_it = sl_view_eq(x->id, id);
        if (!sl_view_eq(x->id, y->id) || !sl_view_eq(x->title, y->title) ||
            !sl_view_eq(x->repository, y->repository) ||
            !sl_view_eq(x->licence, y->licence) ||
            x->path_count != y->path_count ||
            x->cited_count != y->cited_count ||
            x->exception_count != y->exception_count ||
            !sl_view_eq(is_it ? tag : x->tag, y->tag) ||
            !sl_view_eq(is_it ? commit : x->commit, y->commit))
            return false;
    }
    return true;
}

/* Line by line; on the two lines the first such value is replaced. */
static void rewrite(struct sl_view yaml, const struct sl_view *old,
                    const struct sl_view *new, const unsigned *lines,
                    struct sl_buf *out)
{
    unsigned number = 0;
    while (yaml.len) {
        size_t end = sl_view_find(yaml, SL_LIT("\n"), 0);
        struct sl_view line = sl_view_sub(
            yaml, 0, end == SIZE_MAX ? yaml.len : end + 1);
        yaml = sl_view_sub(yaml, line.len, yaml.len);
        number++;
        for (size_t k = 0; k < 2; k++) {
            size_t colon = sl_view_find(line, SL_LIT(":"), 0);
            size_t at = colon == SIZE_MAX || lines[k] != number
                            ? SIZE_MAX
                            : sl_view_find(line, old[k], colon);
            if (at == SIZE_MAX)
                continue;
            sl_buf_add(out, sl_view_sub(line, 0, at));
            sl_buf_add(out, new[k]);
            line = sl_view_sub(line, at + old[k].len, line.len);
        }
        sl_buf_add(out, line);
    }
}

enum sl_status sl_sources_repin(struct sl_arena *arena, struct sl_view yaml,
                                const struct sl_source *source,
                                struct sl_view tag, struct sl_view commit,
                                struct sl_buf *out, struct sl_error *error)
{
    const struct sl_yaml *root;
    struct sl_sources before, after;
    if (!is_plain(tag))
        return sl_error_set(error, SL_ERR_USAGE, "'%.*s' is no plain tag",
                            SL_ARG(sl_view_sub(tag, 0, 100)));
    enum sl_status status = sl_yaml_parse(arena, yaml, &root, error);
    if (!status)
        status = sl_sources_parse(arena, yaml, &before, error);
    if (status)
        return status;
    const struct sl_view old[] = {source->tag, source->commit};
    const struct sl_view new[] = {tag, commit};
    const unsigned lines[] = {line_of(root, source->id, "tag"),
                              line_of(root, source->id, "commit")};
    size_t begin = out->len;
    rewrite(yaml, old, new, lines, out);
    status = sl_buf_check(out, error);
    struct sl_view text = sl_arena_copy(
        arena, sl_view_sub(sl_buf_view(out), begin, out->len));
    if (!status && !text.ptr)
        status = sl_error_nomem(error);
    if (status)
        return status;
    if (sl_sources_parse(arena, text, &after, NULL) != SL_OK ||
        !differs_in_pin(&before, &after, source->id, tag, commit))
        return sl_error_set(error, SL_ERR_REFUSED,
                            "the tag and commit of %.*s in sources.yaml are "
                            "written in a way that a program cannot change: "
                            "give each a line of its own",
                            SL_ARG(source->id));
    return SL_OK;
}
