/*
 * sl_sphinx_convert: any page gives Markdown that is UTF-8 without a byte of
 * the converter's own marks, twice the same, and that the check can read; the
 * check counts for both sides what its own stream holds.
 */
#include <string.h>

#include "base/utf8.h"
#include "fuzz.h"
#include "sphinx/check.h"
#include "sphinx/convert.h"

#define OUTPUT (16u << 20)

static void check_markdown(struct sl_view md)
{
    FUZZ_CHECK(sl_utf8_invalid(md) == SIZE_MAX);
    for (size_t i = 0; i < md.len; i++)
        FUZZ_CHECK(md.ptr[i] < 0 || md.ptr[i] >= 0x20 || md.ptr[i] == '\n' ||
                   md.ptr[i] == '\t');
    FUZZ_CHECK(md.len == 0 || md.ptr[md.len - 1] == '\n');
}

static void check_page(struct sl_arena *arena, const struct sl_html *html)
{
    struct sl_buf one, two, report;
    struct sl_check check;
    sl_buf_init(&one, OUTPUT);
    sl_buf_init(&two, OUTPUT);
    sl_buf_init(&report, OUTPUT);
    if (sl_sphinx_convert(arena, html, &one, NULL, NULL) == SL_OK) {
        FUZZ_CHECK(sl_sphinx_convert(arena, html, &two, NULL, NULL) == SL_OK);
        FUZZ_CHECK(sl_view_eq(sl_buf_view(&one), sl_buf_view(&two)));
        check_markdown(sl_buf_view(&one));
        if (sl_sphinx_check(arena, html, sl_buf_view(&one), "a.html", "a.md",
                            &report, &check, NULL) == SL_OK)
            FUZZ_CHECK((report.len > 0) == (check.differences > 0));
    }
    sl_buf_release(&one);
    sl_buf_release(&two);
    sl_buf_release(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_arena arena;
    struct sl_html html;
    sl_arena_init(&arena, FUZZ_ARENA);
    if (sl_html_parse(&arena, (struct sl_view){(const char *)data, size}, &html,
                      NULL) == SL_OK)
        check_page(&arena, &html);
    sl_arena_release(&arena);
    return 0;
}
