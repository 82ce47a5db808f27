/*
 * markdown/doc: front matter, blocks and their spans, and the property that
 * the guard in front of cmark-gfm does not change what the blocks are.
 */
#include "test.h"

#include <string.h>

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include "base/limits.h"
#include "markdown/doc.h"
#include "os/file.h"

static struct sl_error error;
static struct sl_md_doc doc;

static void front_matter(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *front; /* NULL: there is none */
        const char *body;
    } cases[] = {
        {"---\na: 1\n---\nbody\n", "a: 1\n", "body\n"},
        {"---\r\na: 1\r\n---\r\nbody\r\n", "a: 1\r\n", "body\r\n"},
        {"---\n---\nbody", "", "body"},
        {"---\na: 1\n---", "a: 1\n", ""},
        {"---\na: 1\n---\nx\n---\ny\n", "a: 1\n", "x\n---\ny\n"},
        {"---\na: '---'\n--- \n---\nx", "a: '---'\n--- \n", "x"},
        {"\xef\xbb\xbf---\na: 1\n---\nx", "a: 1\n", "x"},
        {"\xef\xbb\xbf# x\n", NULL, "# x\n"},
        {"\xef\xbb\xbf---\nx\n", NULL, "---\nx\n"},
        {"", NULL, ""},
        {"---", NULL, "---"},
        {"---\na: 1\n", NULL, "---\na: 1\n"},           /* never closed */
        {"---\na: 1\n----\n", NULL, "---\na: 1\n----\n"},
        {"\n---\na: 1\n---\n", NULL, "\n---\na: 1\n---\n"},
        {" ---\na: 1\n---\n", NULL, " ---\na: 1\n---\n"},
        {"----\na: 1\n----\n", NULL, "----\na: 1\n----\n"},
        {"# x\n\n---\na\n---\n", NULL, "# x\n\n---\na\n---\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_view text = sl_view_of(cases[i].text);
        struct sl_view front;
        size_t body = sl_md_front_end(text, &front);
        assert_view(sl_view_sub(text, body, text.len), cases[i].body);
        assert_case((front.ptr != NULL) == (cases[i].front != NULL),
                    cases[i].text);
        if (cases[i].front)
            assert_view(front, cases[i].front);
    }
}

/* "..heading2": the dots say how deep it is. */
static void add_name(struct sl_buf *buf, const struct sl_md_block *block)
{
    static const char *const names[] = {"heading", "paragraph", "code",
                                        "html",    "rule",      "row",
                                        "quote",   "list",      "item",
                                        "table"};
    for (uint32_t p = block->parent; p != SL_MD_NONE; p = doc.blocks[p].parent)
        sl_buf_putc(buf, '.');
    sl_buf_puts(buf, names[block->kind]);
    if (block->level)
        sl_buf_printf(buf, "%u", block->level);
}

/* One line per block, with `!` for a header row, and its lines. */
static const char *outline(struct sl_view text)
{
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 20);
    assert_ok(sl_md_parse(&test_arena, text, &doc, &error));
    for (size_t i = 0; i < doc.count; i++) {
        const struct sl_md_block *block = &doc.blocks[i];
        add_name(&buf, block);
        sl_buf_printf(&buf, "%s %u-%u\n", block->header ? "!" : "",
                      block->line, block->last_line);
    }
    const char *copy = sl_arena_copy(&test_arena, sl_buf_view(&buf)).ptr;
    sl_buf_release(&buf);
    return copy;
}

static void blocks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *outline;
    } cases[] = {
        {"", ""},
        {"\n\n", ""},
        {"# One\ntext\nmore\n\n## Two ##\n",
         "heading1 1-1\nparagraph 2-3\nheading2 5-5\n"},
        {"One\n===\nTwo\nlines\n---\n", "heading1 1-2\nheading2 3-5\n"},
        {"####### seven\n\n#none\n", "paragraph 1-1\nparagraph 3-3\n"},
        {"a\n\n---\n***\n", "paragraph 1-1\nrule 3-3\nrule 4-4\n"},
        {"```c\n# no heading\n- no list\n\n| a |\n```\nx\n",
         "code 1-6\nparagraph 7-7\n"},
        {"~~~\n```\n# no\n~~~\n", "code 1-4\n"},
        {"```\nnever closed\n# no\n", "code 1-3\n"},
        {"    # code\n    more\n\nx\n", "code 1-3\nparagraph 4-4\n"},
        {"- a\n- b\n  - c\n    d\n- e\n",
         "list 1-5\n.item 1-1\n..paragraph 1-1\n.item 2-4\n..paragraph 2-2\n"
         "..list 3-4\n...item 3-4\n....paragraph 3-4\n.item 5-5\n"
         "..paragraph 5-5\n"},
        {"1. a\n\n   b\n\n2. c\n\nend\n",
         "list 1-5\n.item 1-3\n..paragraph 1-1\n..paragraph 3-3\n.item 5-5\n"
         "..paragraph 5-5\nparagraph 7-7\n"},
        {"- a\n\n  ```\n  # x\n  ```\n- # y\n",
         "list 1-6\n.item 1-5\n..paragraph 1-1\n..code 3-5\n.item 6-6\n"
         "..heading1 6-6\n"},
        {"> a\n> > b\n\nc\n",
         "quote 1-2\n.paragraph 1-1\n.quote 2-2\n..paragraph 2-2\n"
         "paragraph 4-4\n"},
        {"| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 \\| 4 | 5 |\n\nx\n",
         "table 1-4\n.row! 1-1\n.row 3-3\n.row 4-4\nparagraph 6-6\n"},
        {"a | b\n---|---\n1 | 2\n", "table 1-3\n.row! 1-1\n.row 3-3\n"},
        {"text\n| a |\n|---|\n| 1 |\n",
         "paragraph 1-1\ntable 2-4\n.row! 2-2\n.row 4-4\n"},
        {"text\nmore\n| a |\n|---|\n\nx\n",
         "paragraph 1-2\ntable 3-4\n.row! 3-3\nparagraph 6-6\n"},
        {"> t\n> | a |\n> |---|\n> | 1 |\n",
         "quote 1-4\n.paragraph 1-1\n.table 2-4\n..row! 2-2\n..row 4-4\n"},
        {"| a | b |\n|---|\n", "paragraph 1-2\n"},
        {"<div>\n# no heading\n</div>\n\n# yes\n",
         "html 1-3\nheading1 5-5\n"},
        {"<!-- a\n# no\n\n# no\n-->\n# yes\n", "html 1-5\nheading1 6-6\n"},
        {"<script>\n\n# no\n</script>\n# yes\n", "html 1-4\nheading1 5-5\n"},
        {"-\n-\n\nx\n", "list 1-2\n.item 1-1\n.item 2-2\nparagraph 4-4\n"},
        {"a\r\n\r\n# b\r\n", "paragraph 1-1\nheading1 3-3\n"},
        {"# no newline at the end", "heading1 1-1\n"},
        {"- a\n\n\n\nx\n",
         "list 1-1\n.item 1-1\n..paragraph 1-1\nparagraph 5-5\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *got = outline(sl_view_of(cases[i].text));
        if (strcmp(got, cases[i].outline) != 0)
            print_error("%s---\n%s", cases[i].text, got);
        assert_string_equal(got, cases[i].outline);
    }
}

static void spans_are_whole_lines(void **state)
{
    (void)state;
    struct sl_view text = SL_LIT("# a\n\np `x`\nq\n\n- i\n- j\r\n\nlast");
    assert_ok(sl_md_parse(&test_arena, text, &doc, &error));
    static const char *const slices[] = {
        "# a\n",  "p `x`\nq\n", "- i\n- j\r\n", "- i\n",
        "- i\n", "- j\r\n",     "- j\r\n",      "last",
    };
    assert_int_equal(doc.count, COUNT(slices));
    for (size_t i = 0; i < doc.count; i++)
        assert_view(sl_view_sub(text, doc.blocks[i].begin, doc.blocks[i].end),
                    slices[i]);
}

/* What every result must fulfil, whatever the text. */
static void check_shape(struct sl_view text)
{
    for (size_t i = 0; i < doc.count; i++) {
        const struct sl_md_block *block = &doc.blocks[i];
        assert_true(block->begin <= block->end && block->end <= text.len);
        assert_true(block->line >= 1 && block->line <= block->last_line);
        assert_true(block->after > i && block->after <= doc.count);
        assert_true(block->begin == 0 || text.ptr[block->begin - 1] == '\n');
        if (block->parent == SL_MD_NONE)
            continue;
        assert_true(block->parent < i);
        assert_true(block->after <= doc.blocks[block->parent].after);
    }
}

static void heading_texts(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *text;
    } cases[] = {
        {"# One\n", "One"},
        {"  ###   Two ###  \n", "Two"},
        {"## C# and F#\n", "C# and F#"},
        {"## a #b\n", "a #b"},
        {"#\n", ""},
        {"## ##\n", ""},
        {"# `code` \\#\n", "`code` \\#"},
        {"Setext\n===\n", "Setext"},
        {"# tab\t\r\n", "tab"},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_view(sl_md_heading_text(sl_view_of(cases[i].lines)),
                    cases[i].text);
}

static void caps(void **state)
{
    (void)state;
    assert_status(sl_md_parse(&test_arena,
                              test_repeat("x\n", SL_MAX_MARKDOWN_FILE / 2 + 1),
                              &doc, &error),
                  SL_ERR_LIMIT);
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 20);
    for (unsigned extra = 0; extra < 2; extra++) {
        sl_buf_truncate(&buf, 0);
        sl_buf_add(&buf, test_repeat("|a", SL_MAX_TABLE_COLUMNS - 1 + extra));
        sl_buf_puts(&buf, "\n");
        sl_buf_add(&buf, test_repeat("|-", SL_MAX_TABLE_COLUMNS - 1 + extra));
        assert_status(
            sl_md_parse(&test_arena, sl_buf_view(&buf), &doc, &error),
            extra ? SL_ERR_LIMIT : SL_OK);
    }
    assert_says("line 2");
    sl_buf_release(&buf);
}

static unsigned depth_of(void)
{
    unsigned deepest = 0;
    for (size_t i = 0; i < doc.count; i++) {
        unsigned depth = 0;
        for (uint32_t p = doc.blocks[i].parent; p != SL_MD_NONE;
             p = doc.blocks[p].parent)
            depth++;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

static void nesting_is_cut(void **state)
{
    (void)state;
    static const char *const marks[] = {">", "> ", "- ", "+ ", "1. ", "2) ",
                                        "> - ", "* a\n\t", "->"};
    for (size_t i = 0; i < COUNT(marks); i++) {
        assert_ok(sl_md_parse(&test_arena, test_repeat(marks[i], 5000), &doc,
                              &error));
        assert_case(depth_of() <= 2 * SL_MAX_MARKER_RUN + 2 ||
                        marks[i][0] == '*',
                    marks[i]);
        check_shape(test_repeat(marks[i], 5000));
    }
    /* up to the cap nothing changes */
    assert_ok(sl_md_parse(&test_arena, test_repeat(">", 60), &doc, &error));
    assert_int_equal(depth_of(), 59);
}

/*
 * The same outline made by cmark-gfm alone, of the text as it is.
 */
static const char *reference(struct sl_view text)
{
    static const struct {
        const char *type, *name;
    } names[] = {
        {"heading", "heading"},        {"paragraph", "paragraph"},
        {"code_block", "code"},        {"html_block", "html"},
        {"thematic_break", "rule"},    {"table_row", "row"},
        {"table_header", "row"},       {"block_quote", "quote"},
        {"list", "list"},              {"item", "item"},
        {"table", "table"},
    };
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 22);
    cmark_gfm_core_extensions_ensure_registered();
    cmark_parser *parser = cmark_parser_new(CMARK_OPT_DEFAULT);
    cmark_parser_attach_syntax_extension(parser,
                                         cmark_find_syntax_extension("table"));
    cmark_parser_feed(parser, text.ptr, text.len);
    cmark_node *root = cmark_parser_finish(parser);
    cmark_iter *iter = cmark_iter_new(root);
    for (cmark_event_type event;
         (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
        cmark_node *node = cmark_iter_get_node(iter);
        const char *type = cmark_node_get_type_string(node);
        const char *name = NULL;
        for (size_t i = 0; i < COUNT(names); i++)
            if (strcmp(type, names[i].type) == 0)
                name = names[i].name;
        if (event != CMARK_EVENT_ENTER || !name)
            continue;
        for (cmark_node *p = cmark_node_parent(node); p && p != root;
             p = cmark_node_parent(p))
            sl_buf_putc(&buf, '.');
        sl_buf_puts(&buf, name);
        if (strcmp(type, "heading") == 0)
            sl_buf_printf(&buf, "%d", cmark_node_get_heading_level(node));
        /* its lines at a table that has no blank line above it are wrong */
        cmark_node *next = cmark_node_next(node);
        bool table = strcmp(name, "table") == 0 ||
                     strcmp(type, "table_header") == 0 ||
                     (next && strcmp(cmark_node_get_type_string(next),
                                     "table") == 0);
        if (table)
            sl_buf_puts(&buf, "\n");
        else
            sl_buf_printf(&buf, " %d\n", cmark_node_get_start_line(node));
    }
    cmark_iter_free(iter);
    cmark_node_free(root);
    cmark_parser_free(parser);
    const char *copy = sl_arena_copy(&test_arena, sl_buf_view(&buf)).ptr;
    sl_buf_release(&buf);
    return copy;
}

/* Ours in the same form. */
static const char *plain_outline(struct sl_view text)
{
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 22);
    assert_ok(sl_md_parse(&test_arena, text, &doc, &error));
    for (size_t i = 0; i < doc.count; i++) {
        const struct sl_md_block *block = &doc.blocks[i];
        const struct sl_md_block *next =
            block->after < doc.count ? &doc.blocks[block->after] : NULL;
        add_name(&buf, block);
        bool table = block->kind == SL_MD_TABLE || block->header ||
                     (next && next->kind == SL_MD_TABLE &&
                      next->parent == block->parent);
        if (table)
            sl_buf_puts(&buf, "\n");
        else
            sl_buf_printf(&buf, " %u\n", block->line);
    }
    const char *copy = sl_arena_copy(&test_arena, sl_buf_view(&buf)).ptr;
    sl_buf_release(&buf);
    return copy;
}

static bool same_blocks(struct sl_view text, const char *what)
{
    const char *ours = plain_outline(text);
    const char *theirs = reference(text);
    check_shape(text);
    if (strcmp(ours, theirs) == 0)
        return true;
    print_error("%s\n%.*s\n--- ours\n%s--- cmark-gfm\n%s", what,
                SL_ARG(sl_view_sub(text, 0, 400)), ours, theirs);
    return false;
}

static void masking_keeps_blocks_of_files(void **state)
{
    (void)state;
    static const char *const folders[] = {"skills", "docs", "examples",
                                          "tests"};
    size_t files = 0;
    for (size_t f = 0; f < COUNT(folders); f++) {
        const char *root =
            sl_path_join(&test_arena, SL_TEST_ROOT, sl_view_of(folders[f]));
        struct sl_view *paths;
        size_t count;
        assert_ok(sl_folder_list(&test_arena, root, ".md", 500, &paths, &count,
                                 &error));
        for (size_t i = 0; i < count; i++, files++) {
            struct sl_view text =
                test_read(sl_path_join(&test_arena, root, paths[i]));
            struct sl_view front;
            size_t body = sl_md_front_end(text, &front);
            assert_true(same_blocks(sl_view_sub(text, body, text.len),
                                    paths[i].ptr));
        }
    }
    assert_true(files >= 10);
}

static const char *const snippets[] = {
    "# `a` *b* [c](d)\n",
    "*a\n*b*\n* c\n",
    "**bold** text\n__bold__\n",
    "_a_\n***\n_ _ _\n",
    "- [ ] task\n- [x] done\n",
    "1986\\. A year.\n1986. A list.\n",
    "\\# no heading\n\\- no list\n\\> no quote\n",
    "a\\\nb\n",
    "`` a ` b ``\n```\ncode `x`\n```\n",
    "```c `x`\nno fence: a backtick in the info string\n",
    "~~~ `x` ~~~\ncode\n~~~\n",
    "a ``` b\n\n   ```\n code\n   ```\n",
    "| a \\| b | `c | d` |\n|---|---|---|\n| \\| | \\\\ | x |\n",
    "| a | b |\n| :-- | --: |\n| *x* | [y](z) |\n> quote\n",
    "| a |\n| - |\n| b |\ntext in the table\n\nout\n",
    "a | b\n- | -\n- c | d\n",
    "|a|\n|-|\n# heading\n",
    "> | a | b |\n> |---|---|\n> | 1 | 2 |\n",
    "- | a | b |\n  |---|---|\n  | 1 | 2 |\n",
    "|\n|-\n",
    "--|--\n--|--\n",
    "<div class=\"a b\" id='x'>\n\n*text*\n\n</div>\n",
    "<a href=\"x\">\n*html block*\n\ntext\n",
    "<a href=\"x y > z\">\nwhole tag alone on its line\n\ntext\n",
    "<a href='='>\n# x\n",
    "<a title=\"<b>\">\n# x\n",
    "<b>inline</b> text\n# x\n",
    "<SOURCE_ID>\n# heading\n",
    "<name@host.org>\n# heading\n",
    "<https://host.org/a_b>\n# heading\n",
    "<a_b c=\"d\">\n# heading\n",
    "<x:y>\n# heading\n",
    "<a b:c=\"1\" _d='2'>\n# html\n",
    "</div\n# html\n\n# heading\n",
    "</a_b>\n# heading\n",
    "<!-- c -->\n# heading\n",
    "<!-- c\n- `-->` \n# heading\n",
    "<? php\n# html\n?>\n# heading\n",
    "<!DOCTYPE html>\n# heading\n",
    "<![CDATA[\n# html\n]]>\n# heading\n",
    "<![CDATA[ x\n\n# html\n]] >\n# html\n]]>\n",
    "<pre>\n\n# html\n</pre>\n# heading\n",
    "<style>\n*x*\n</style> # html\n# heading\n",
    "text\n<div>\nhtml\n",
    "text\n<a>\nstill text\n",
    "- <div>\n  # html\n- # heading\n",
    "> <!-- x\n> # html\n\n# heading\n",
    "a\n    b\n\n    code\n",
    "- a\n\n      code\n",
    "-     code\n\n  text\n",
    "-\n  a\n-\n\n  b\n",
    "1) a\n2. b\n3) c\n",
    "0. a\n123456789. b\n1234567890. c\n",
    "text\n2. no list\n1. list\n",
    "- a\n - b\n  - c\n   - d\n    - e\n",
    "* a\n+ b\n- c\n",
    "> a\nlazy\n> # b\nnot lazy\n",
    ">a\n>\n>b\n",
    "> - a\n>   b\n> - c\nlazy\n",
    "- > a\n  > b\n- > ```\n  > # x\n  > ```\n",
    "a\n=\n\nb\n-\n\n=\nc\n",
    "a\n= =\n\nb\n- -\n",
    "> a\n===\n",
    "- a\n===\n",
    "`a\n===\n`\n",
    "* * *\n- - -\n_ _ _ x\n",
    "#\ttab\n#\n# \n####\n",
    "#5 no\n#hashtag\n# \\#\n## a \\##\n",
    "\tcode\n \tcode\n  - \ta\n",
    "a  \nb\\\nc\n",
    "!\\[x] ![y](z)\n![\n]\n",
    "\xc3\xa9t\xc3\xa9\n\xe2\x80\x94 dash\n\xe2\x80\xa2 bullet\n",
    "\xc2\xa0# no-break space\n\xe3\x80\x80# wide space\n",
    "&amp; &#35; no\n&#35; no heading\n",
    "$$\n# heading inside dollars\n$$\n",
    ":::\nx\n:::\n",
    "[^1]\n\n(a)\n\n(1) x\n",
    "~~a~~\n~b\n",
    "a\f\n\v# b\n",
    "\n\n   \n\t\n# a\n   \n",
};

static void masking_keeps_blocks_of_snippets(void **state)
{
    (void)state;
    bool same = true;
    for (size_t i = 0; i < COUNT(snippets); i++)
        same &= same_blocks(sl_view_of(snippets[i]), "snippet");
    assert_true(same);
}

/*
 * Texts made of what Markdown means something by. Link reference definitions
 * are left out: the guard keeps them as paragraphs, on purpose.
 */
static void masking_keeps_blocks_of_random_texts(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "\n",    "\n",   "\n\n", " ",     "  ",    "    ",   "\t",   "a",
        "b c",   "# ",   "## ",  "> ",    ">",     "- ",     "* ",   "+ ",
        "1. ",   "2) ",  "10. ", "```",   "~~~",   "`",      "``",   "---",
        "===",   "***",  "___",  "|",     "| - |", "|---|",  "-|-",  "\\",
        "\\|",   "*",    "_",    "**",    "<div>", "</div>", "<a>",  "<b ",
        "<!--",  "-->",  "<?",   "?>",    "<!X ",  "<pre>",  ">",    "\"",
        "'",     "=",    "x=y",  "</pre>", "[a](b)", "![",   "&lt;", "!",
        "\xc3\xa9", "<p",  "/>",   "<",    "-",     "0",      "@",    "(c)",
    };
    uint64_t seed = 20260101;
    bool same = true;
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 16);
    for (unsigned n = 0; n < 20000 && same; n++) {
        sl_buf_truncate(&buf, 0);
        size_t count = 2 + test_random(&seed) % 24;
        for (size_t i = 0; i < count; i++)
            sl_buf_puts(&buf, pieces[test_random(&seed) % COUNT(pieces)]);
        same = same_blocks(sl_buf_view(&buf), "random text");
        if (n % 500 == 0) {
            sl_arena_release(&test_arena);
        }
    }
    sl_buf_release(&buf);
    assert_true(same);
}

static void definitions_stay_paragraphs(void **state)
{
    (void)state;
    assert_string_equal(outline(SL_LIT("[a]: b\n[c]: <d> 'e'\n\ntext\n")),
                        "paragraph 1-2\nparagraph 4-4\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(front_matter),
        TEST(blocks),
        TEST(spans_are_whole_lines),
        TEST(heading_texts),
        TEST(caps),
        TEST(nesting_is_cut),
        TEST(masking_keeps_blocks_of_files),
        TEST(masking_keeps_blocks_of_snippets),
        TEST(masking_keeps_blocks_of_random_texts),
        TEST(definitions_stay_paragraphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
