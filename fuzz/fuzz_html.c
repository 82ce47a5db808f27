/*
 * sl_html_parse: any bytes give a tree that nests, or an error; and never a
 * page that ends early: what is put behind the input is found again.
 */
#include <string.h>

#include "fuzz.h"
#include "html/dom.h"

/* Closes whatever the input may have left open before it says its word. */
#define ENDING "\n\"'--></script></style>\"'><p>" WORD
#define WORD "sentinel"

static void check(const struct sl_html *html)
{
    for (uint32_t i = 0; i < html->count; i++) {
        const struct sl_html_node *n = &html->nodes[i];
        uint32_t parent = n->parent;
        FUZZ_CHECK(n->after > i && n->after <= html->count);
        FUZZ_CHECK(n->line > 0);
        FUZZ_CHECK(n->text.len > 0);
        FUZZ_CHECK(n->tag != SL_HTML_TEXT || n->after == i + 1);
        FUZZ_CHECK(n->tag != SL_HTML_TEXT || !n->attribute_count);
        if (parent == SL_HTML_NONE)
            continue;
        FUZZ_CHECK(parent < i && n->after <= html->nodes[parent].after);
    }
}

static bool has_word(const struct sl_html *html)
{
    for (uint32_t i = html->count; i-- > 0;)
        if (html->nodes[i].tag == SL_HTML_TEXT &&
            sl_view_find(html->nodes[i].text, SL_LIT(WORD), 0) != SIZE_MAX)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_arena arena;
    struct sl_html html;
    sl_arena_init(&arena, FUZZ_ARENA);
    (void)!sl_html_recognise(&arena,
                             (struct sl_view){(const char *)data, size},
                             sl_view_of(size % 2 ? "a.html" : "a"), NULL);
    if (sl_html_parse(&arena, (struct sl_view){(const char *)data, size}, &html,
                      NULL) == SL_OK)
        check(&html);
    sl_arena_release(&arena);

    size_t len = size + sizeof ENDING - 1;
    char *text = malloc(len);
    FUZZ_CHECK(text);
    if (size)
        memcpy(text, data, size);
    memcpy(text + size, ENDING, sizeof ENDING - 1);
    bool wide = size >= 2 && (data[0] == 0xff || data[0] == 0xfe); /* UTF-16 */
    if (!wide &&
        sl_html_parse(&arena, (struct sl_view){text, len}, &html, NULL) ==
            SL_OK) {
        check(&html);
        FUZZ_CHECK(has_word(&html));
    }
    free(text);
    sl_arena_release(&arena);
    return 0;
}
