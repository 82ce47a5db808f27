/* sl_yaml_parse: front matter and sources.yaml. */
#include <string.h>

#include "fuzz.h"
#include "markdown/yaml.h"

/* The depth is capped by the parser, so a recursion is. */
static size_t check(const struct sl_yaml *node, unsigned depth)
{
    size_t nodes = 1;
    FUZZ_CHECK(depth <= SL_MAX_YAML_DEPTH);
    FUZZ_CHECK(node->kind == SL_YAML_TEXT || !node->text.ptr);
    FUZZ_CHECK(node->kind != SL_YAML_TEXT || !node->child);
    for (const struct sl_yaml *c = node->child; c; c = c->next) {
        nodes += check(c, depth + 1);
        FUZZ_CHECK(c->line >= 1);
        if (node->kind != SL_YAML_MAP)
            continue;
        FUZZ_CHECK(c->key.ptr);
        for (const struct sl_yaml *other = node->child; other != c;
             other = other->next)
            FUZZ_CHECK(!sl_view_eq(other->key, c->key));
    }
    return nodes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_arena arena;
    const struct sl_yaml *root;
    sl_arena_init(&arena, FUZZ_ARENA);
    if (sl_yaml_parse(&arena, (struct sl_view){(const char *)data, size}, &root,
                      NULL) == SL_OK) {
        FUZZ_CHECK(check(root, 0) <= SL_MAX_YAML_NODES);
        unsigned tab = sl_yaml_tab((struct sl_view){(const char *)data, size});
        FUZZ_CHECK(!tab || memchr(data, '\t', size));
        for (const struct sl_yaml *c = root->child; c; c = c->next)
            FUZZ_CHECK(root->kind != SL_YAML_MAP ||
                       memchr(c->key.ptr, '\0', c->key.len) ||
                       sl_yaml_get(root, c->key.ptr) == c);
    }
    sl_arena_release(&arena);
    return 0;
}
