/* src/html: pages in any encoding and any state, as a tree with caps. */
#include <string.h>

#include "base/limits.h"
#include "html/dom.h"
#include "test.h"

static struct sl_error error;
static struct sl_html page;

static enum sl_status parse(struct sl_view bytes)
{
    return sl_html_parse(&test_arena, bytes, &page, &error);
}

static uint32_t find(enum sl_html_tag tag)
{
    for (uint32_t i = 0; i < page.count; i++)
        if (page.nodes[i].tag == tag)
            return i;
    fail_msg("no element %d", (int)tag);
    return 0;
}

static struct sl_view text_of(uint32_t node)
{
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 26);
    sl_html_text(&page, node, &buf);
    struct sl_view copy = sl_arena_copy(&test_arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return copy;
}

static void tree_and_attributes(void **state)
{
    (void)state;
    assert_ok(parse(SL_LIT(
        "<!doctype html>\n<title>T</title>\n<body><section id=s><h1 class=' a "
        "headerlink\tb' data-x=\"&lt;1&amp;\">H&eacute;<em>x</em>y</h1>"
        "<img src=i.png alt></section><!-- no --><p>q")));
    uint32_t h1 = find(SL_HTML_H1);
    assert_view(text_of(h1), "H\xc3\xa9xy");
    assert_true(sl_html_has_class(&page, h1, "headerlink"));
    assert_true(sl_html_has_class(&page, h1, "a"));
    assert_true(sl_html_has_class(&page, h1, "b"));
    assert_false(sl_html_has_class(&page, h1, "header"));
    assert_false(sl_html_has_class(&page, h1, ""));
    struct sl_view value;
    assert_true(sl_html_get(&page, h1, "data-x", &value));
    assert_view(value, "<1&");
    assert_false(sl_html_get(&page, h1, "data", &value));
    assert_int_equal(value.len, 0);
    assert_true(sl_html_get(&page, find(SL_HTML_IMG), "alt", &value));
    assert_int_equal(value.len, 0);
    assert_int_equal(page.nodes[h1].line, 3);

    /* children: text, em, text */
    uint32_t child = sl_html_first(&page, h1);
    assert_view(page.nodes[child].text, "H\xc3\xa9");
    child = sl_html_next(&page, child);
    assert_int_equal(page.nodes[child].tag, SL_HTML_EM);
    child = sl_html_next(&page, child);
    assert_view(page.nodes[child].text, "y");
    assert_int_equal(sl_html_next(&page, child), SL_HTML_NONE);
    assert_int_equal(sl_html_first(&page, child), SL_HTML_NONE);
    assert_int_equal(sl_html_child(&page, h1, SL_HTML_EM), h1 + 2);
    assert_int_equal(sl_html_child(&page, h1, SL_HTML_P), SL_HTML_NONE);
    assert_view(page.nodes[page.nodes[find(SL_HTML_SECTION)].parent].text,
                "body");
}

/* Each node lies inside its parent, and `after` never runs past it. */
static void assert_nested(void)
{
    for (uint32_t i = 0; i < page.count; i++) {
        uint32_t parent = page.nodes[i].parent;
        assert_true(page.nodes[i].after > i);
        assert_true(page.nodes[i].after <= page.count);
        if (parent == SL_HTML_NONE)
            continue;
        assert_true(parent < i);
        assert_true(page.nodes[i].after <= page.nodes[parent].after);
    }
}

/* What is no page of letters and tags is still one, with all its text. */
static void damaged_markup_loses_no_text(void **state)
{
    (void)state;
    static const struct {
        struct sl_view page;
        const char *text;
    } cases[] = {
        {BYTES("one<b>two<i>three</b>four"), "onetwothreefour"},
        {BYTES("</p></div>x</section></nosuch>y"), "xy"},
        {BYTES("<table><td>a<table><tr><td>b</table>c"), "abc"},
        {BYTES("a < b && c <1> &nosuch; &#0; &#xd; d"), NULL},
        {BYTES("<html><html><body><body><p>a</body></html>late"), "alate"},
        {BYTES("<p>a<head><title>b</title>c"), "abc"},
        {BYTES("a\x01" "b\x0c" "c\x7f" "d"), "a b c d"},
        {BYTES("<p>a\r\nb\rc&#13;d&#1;e&#10;f&#127;"), NULL},
        {BYTES("<p <b>x"), "x"},
        {BYTES("<script>if (a<b) '</p>'</script>x"), NULL},
        {BYTES("<a href='x' href='y' =z \"q\">x</a>"), "x"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_ok(parse(cases[i].page));
        assert_nested();
        if (!cases[i].text)
            continue;
        struct sl_buf all;
        sl_buf_init(&all, 1u << 16);
        for (uint32_t k = 0; k < page.count; k++)
            if (page.nodes[k].tag == SL_HTML_TEXT)
                sl_buf_add(&all, page.nodes[k].text);
        assert_view(sl_buf_view(&all), cases[i].text);
        sl_buf_release(&all);
    }
    assert_ok(parse(SL_LIT("<p>a\r\nb\rc&#13;d&#10;e</p>")));
    assert_view(text_of(find(SL_HTML_P)), "a\nb\nc d\ne");
    assert_ok(parse(SL_LIT("")));
    assert_int_equal(page.count, 0);
}

#define E_ACUTE "\xc3\xa9"

static void encodings(void **state)
{
    (void)state;
    static const struct {
        struct sl_view page;
        const char *text; /* NULL: refused */
        const char *says;
    } cases[] = {
        {BYTES("<p>" E_ACUTE "</p>"), E_ACUTE, NULL},
        {BYTES("\xef\xbb\xbf<p>" E_ACUTE), E_ACUTE, NULL},
        {BYTES("<meta charset=latin1><p>\xe9"), E_ACUTE, NULL},
        {BYTES("<META http-equiv=Content-Type content=\"text/html; "
               "charset=windows-1252\"><p>\x93\xe9"),
         "\xe2\x80\x9c" E_ACUTE, NULL},
        {BYTES("<?xml version='1.0' encoding='ISO-8859-15'?><p>\xa4"),
         "\xe2\x82\xac", NULL},
        /* it says so, and it is not: the bytes are what counts */
        {BYTES("<meta charset='iso-8859-1'><p>" E_ACUTE), E_ACUTE, NULL},
        {BYTES("<meta charset=iso-2022-jp><p>\x1b$B$\"\x1b(B"),
         "\xe3\x81\x82", NULL},
        {BYTES("\xff\xfe<\0p\0>\0\xe9\0"), E_ACUTE, NULL},
        {BYTES("\xfe\xff\0<\0p\0>\0\xe9"), E_ACUTE, NULL},
        {BYTES("<p>\xe9"), NULL, "byte 4 of the page is not UTF-8"},
        {BYTES("<meta charset=utf-8><p>\xe9"), NULL, "byte 24 "},
        {BYTES("<meta charset=klingon><p>\xe9"), NULL, "'klingon'"},
        {BYTES("<meta charset=shift_jis><p>\x81"), NULL, "byte 28 "},
        {BYTES("\xff\xfe<\0p\0>\0\xe9"), NULL, "UTF-16LE"},
        {BYTES("<meta charset=utf-16><p>\xe9\xe9"), NULL, "would not be"},
        {BYTES("<meta charset=cp037><p>\xe9"), NULL, "would not be"},
        {BYTES("<p>a\0b"), NULL, "NUL"},
        {BYTES("<p>charset=latin1 \xe9"), NULL, "declares no other"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (cases[i].text) {
            assert_ok(parse(cases[i].page));
            assert_view(text_of(find(SL_HTML_P)), cases[i].text);
        } else {
            assert_status(parse(cases[i].page), SL_ERR_SYNTAX);
            assert_says(cases[i].says);
        }
    }
}

/* What libxml2 would end the page at without a word. */
static void cut_pages_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "<p>a\n<!-- b", "<p>a\n<!--- ->", "<p>a\n<script>b</scrip>",
        "<p>a\n<STYLE>b", "<p>a\n<a href=\"b>c", "<p>a\n<a href='b>c",
        "<p>a\n<a b", "<p>a\n<! b", "<p>a\n<? b",
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_status(parse(sl_view_of(cases[i])), SL_ERR_SYNTAX);
        assert_says("line 2: ");
        assert_says("never ends");
    }
}

/* A list in a term, as Sphinx writes parameters, does not end the term. */
static void list_in_a_term(void **state)
{
    (void)state;
    assert_ok(parse(SL_LIT("<dl><dt>f(<dl><dd>a,</dd><dd>b</dd></dl>) x</dt>"
                           "<dd>y</dd><dt>g<dl><dt>h</dt></dl></dl><p>z")));
    assert_nested();
    uint32_t dt = find(SL_HTML_DT);
    assert_view(text_of(dt), "f(a,b) x");
    uint32_t dd = sl_html_next(&page, dt);
    assert_view(text_of(dd), "y");
    assert_view(text_of(sl_html_next(&page, dd)), "gh");
    assert_view(page.nodes[page.nodes[find(SL_HTML_P)].parent].text, "body");
}

static void caps(void **state)
{
    (void)state;
    assert_ok(parse(test_repeat("<div>", SL_MAX_HTML_DEPTH - 2)));
    assert_nested();
    assert_status(parse(test_repeat("<div>", SL_MAX_HTML_DEPTH)),
                  SL_ERR_LIMIT);
    assert_says("deeper than 1024");
    assert_status(parse(test_repeat("<div>", 1000000)), SL_ERR_LIMIT);
    assert_status(parse(test_repeat("</i>", 1000000)), SL_ERR_LIMIT);
    assert_says("faults");
    assert_status(parse(test_repeat("a", SL_MAX_HTML_FILE + 1)), SL_ERR_LIMIT);

    struct sl_buf tag;
    sl_buf_init(&tag, 1u << 20);
    sl_buf_puts(&tag, "<p x='>'");
    for (unsigned i = 0; i < SL_MAX_HTML_ATTRIBUTES; i++)
        sl_buf_printf(&tag, " a%u", i);
    sl_buf_puts(&tag, ">x");
    assert_status(parse(sl_buf_view(&tag)), SL_ERR_LIMIT);
    assert_says("attributes");
    sl_buf_release(&tag);

    /* in a script and in a comment there are no tags */
    assert_ok(parse(sl_arena_copy(
        &test_arena,
        SL_LIT("<script>a<b c d</script><!-- <a b c --><p>x"))));
}

/* Every tag of the table is found under its name, in any case. */
static void tags(void **state)
{
    (void)state;
#define NAME(id, name) {SL_HTML_##id, name},
    static const struct {
        enum sl_html_tag tag;
        const char *name;
    } all[] = {SL_HTML_TAGS(NAME)};
#undef NAME
    for (size_t i = 0; i < COUNT(all); i++) {
        char text[64];
        snprintf(text, sizeof text, "<%s></%s>", all[i].name, all[i].name);
        assert_ok(parse(sl_view_of(text)));
        assert_view(page.nodes[find(all[i].tag)].text, all[i].name);
        if (i)
            assert_true(strcmp(all[i - 1].name, all[i].name) < 0);
    }
    assert_ok(parse(SL_LIT("<DIV><blink>x")));
    assert_view(page.nodes[find(SL_HTML_DIV)].text, "div");
    assert_view(page.nodes[find(SL_HTML_OTHER)].text, "blink");
}

/* What HTML 5 reads otherwise than libxml2. */
static void comments_and_literal_text(void **state)
{
    (void)state;
    static const struct {
        const char *page, *text;
    } all[] = {
        {"<p>a<!-->b</p>c-->", "ab"},   {"<p>a<!--->b</p>c-->", "ab"},
        {"<p>a<!-- --!>b</p>-->", "ab"}, {"<p>a<!---->b</p>-->", "ab"},
        {"<p>a<!----!>b</p>-->", "ab"}, {"<p>a<!-- > -- -->b</p>", "ab"},
        {"<p>a<!---!>b-->c</p>", "ac"}, {"<p>a<!--!>b-->c</p>", "ac"},
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        assert_ok(parse(sl_view_of(all[i].page)));
        assert_view(text_of(find(SL_HTML_P)), all[i].text);
    }
    assert_ok(parse(SL_LIT("<!--\n\n--!>\n<XMP id=q><b>&amp;</b></xmp ><p>c")));
    assert_view(text_of(find(SL_HTML_PRE)), "<b>&amp;</b>");
    assert_int_equal(page.nodes[find(SL_HTML_P)].line, 4);
    struct sl_view id;
    assert_true(sl_html_get(&page, find(SL_HTML_PRE), "id", &id));
    assert_view(id, "q");
    assert_ok(parse(SL_LIT("<p>a<plaintext><b></plaintext>&lt;")));
    assert_view(text_of(find(SL_HTML_PRE)), "<b></plaintext>&lt;");
    assert_ok(parse(SL_LIT("<script><xmp></script><!-- <xmp> --><p>a")));
    assert_int_equal(parse(SL_LIT("<xmp>a</pre>")), SL_ERR_SYNTAX);
    assert_int_equal(parse(SL_LIT("<xmp>a</xmp")), SL_ERR_SYNTAX);
    assert_int_equal(parse(SL_LIT("<!-- a --!")), SL_ERR_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tree_and_attributes), TEST(damaged_markup_loses_no_text),
        TEST(encodings),           TEST(cut_pages_are_refused),
        TEST(list_in_a_term),      TEST(caps),
        TEST(tags),                TEST(comments_and_literal_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
