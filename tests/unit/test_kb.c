/* kb: files into sections with ids, blocks and references; problems. */
#include "test.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "kb/kb.h"
#include "os/file.h"

static struct sl_error error;
static struct sl_kb kb;

static int make(void **state)
{
    sl_kb_init(&kb);
    return test_folder_make(state);
}

static int release(void **state)
{
    sl_kb_release(&kb);
    return test_folder_free(state);
}

#define KB_TEST(name) cmocka_unit_test_setup_teardown(name, make, release)

static void add(const char *path, const char *text)
{
    assert_ok(sl_kb_add(&kb, sl_view_of(path), sl_view_of(text), &error));
}

static void assert_problem(size_t index, unsigned line, const char *words)
{
    if (index >= kb.problem_count)
        fail_msg("only %zu problems, none says \"%s\"", kb.problem_count,
                 words);
    const struct sl_kb_problem *problem = &kb.problems[index];
    if (problem->line != line || !strstr(problem->message, words))
        fail_msg("line %u: \"%s\" instead of line %u: \"%s\"", problem->line,
                 problem->message, line, words);
}

static const struct sl_section *find(const char *id)
{
    return sl_kb_find(&kb, sl_view_of(id));
}

static void sections_and_ids(void **state)
{
    (void)state;
    add("references/x/04-order.md",
        "---\ntitle: Order\n---\n"
        "# Order of things\n\nintro\n\n"
        "## `nvshmem_quiet` completes?\n\nIt does.\n\n"
        "### Detail\n\nmore\n\n"
        "## Last\n");
    assert_int_equal(kb.section_count, 4);
    assert_int_equal(kb.problem_count, 0);
    assert_view(kb.files[0].stem, "04-order");
    assert_view(sl_yaml_text(kb.files[0].front, "title"), "Order");
    const struct sl_section *top = find("04-order#order-of-things");
    const struct sl_section *quiet = find("04-order#nvshmem_quiet-completes");
    const struct sl_section *detail = find("04-order#detail");
    const struct sl_section *last = find("04-order#last");
    assert_non_null(top);
    assert_non_null(quiet);
    assert_non_null(detail);
    assert_non_null(last);
    assert_view(top->title, "Order of things");
    assert_view(quiet->title, "`nvshmem_quiet` completes?");
    assert_int_equal(quiet->level, 2);
    assert_int_equal(quiet->line, 8);
    assert_int_equal(last->line, 16);
    assert_view(quiet->own, "## `nvshmem_quiet` completes?\n\nIt does.\n\n");
    assert_view(quiet->whole, "## `nvshmem_quiet` completes?\n\nIt does.\n\n"
                              "### Detail\n\nmore\n\n");
    assert_view(last->own, "## Last\n");
    assert_true(top->parent == SIZE_MAX);
    assert_ptr_equal(&kb.sections[quiet->parent], top);
    assert_ptr_equal(&kb.sections[detail->parent], quiet);
    assert_ptr_equal(&kb.sections[last->parent], top);
    assert_null(find("04-order#none"));
    assert_null(find("order-of-things"));
    assert_null(find(""));
}

static void parents_of_uneven_levels(void **state)
{
    (void)state;
    add("x.md", "### a\n## b\n#### c\n### d\n# e\n## f\n");
    static const size_t parents[] = {SIZE_MAX, SIZE_MAX, 1, 1, SIZE_MAX, 4};
    for (size_t i = 0; i < COUNT(parents); i++)
        assert_true(kb.sections[i].parent == parents[i]);
    assert_view(kb.sections[1].whole, "## b\n#### c\n### d\n");
}

static void stems(void **state)
{
    (void)state;
    static const struct {
        const char *path, *stem;
    } cases[] = {
        {"a.md", "a"},
        {"x/y/a-b.md", "a-b"},
        {"deepep/INDEX.md", "deepep-INDEX"},
        {"references/ultraep/INDEX.md", "ultraep-INDEX"},
        {"INDEX.md", "INDEX"},
        {"/INDEX.md", "INDEX"},
        {"x/index.md", "index"},
        {"x.md/a.md", "a"},
        {"SKILL.md", "SKILL"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        add(cases[i].path, "# t\n");
        assert_view(kb.files[i].stem, cases[i].stem);
    }
}

static void doubled_headings(void **state)
{
    (void)state;
    add("x.md", "# A\n## B\n## b!\n## B\n## B-1\n");
    static const char *const ids[] = {"x#a", "x#b", "x#b-1", "x#b-2",
                                      "x#b-1-1"};
    for (size_t i = 0; i < COUNT(ids); i++) {
        assert_view(kb.sections[i].id, ids[i]);
        assert_ptr_equal(find(ids[i]), &kb.sections[i]);
    }
    assert_int_equal(kb.problem_count, 3); /* one for each that is doubled */
    assert_problem(0, 3, "the id x#b stands already in x.md:2");
    assert_problem(1, 4, "the id x#b stands already");
    assert_problem(2, 5, "the id x#b-1 stands already in x.md:3");
    /* files of one name share their ids */
    add("other/x.md", "# A\n");
    assert_view(kb.sections[5].id, "x#a-1");
    assert_view(kb.sections[5].slug, "a-1");
    assert_problem(3, 1, "x.md:1");
}

static void many_doubled_headings(void **state)
{
    (void)state;
    assert_ok(sl_kb_add(&kb, SL_LIT("x.md"), test_repeat("# A\n", 5000),
                        &error));
    assert_int_equal(kb.section_count, 5000);
    assert_int_equal(kb.problem_count, 4999);
    assert_int_equal(kb.ids.len, 5000);
    assert_view(kb.sections[4999].id, "x#a-4999");
}

static void headings_without_words(void **state)
{
    (void)state;
    add("x.md", "# !!!\n\n#\n");
    assert_view(kb.sections[0].id, "x#");
    assert_view(kb.sections[1].id, "x#-1");
}

static void text_before_the_first_heading(void **state)
{
    (void)state;
    add("x.md", "---\na: b\n---\nlost\n\nlost too\n\n# A\n");
    assert_int_equal(kb.problem_count, 1);
    assert_problem(0, 4, "text before the first heading");
    assert_int_equal(kb.block_count, 0);
    add("y.md", "");
    add("z.md", "no heading");
    assert_int_equal(kb.files[1].section_count, 0);
    assert_int_equal(kb.files[2].section_count, 0);
}

static void headings_inside_others_are_no_sections(void **state)
{
    (void)state;
    add("x.md", "# A\n\n> # quoted\n\n- # item\n\n```\n# code\n```\n\n"
                "<div>\n# html\n</div>\n");
    assert_int_equal(kb.section_count, 1);
}

static void asks(void **state)
{
    (void)state;
    add("x.md", "---\nasks:\n  b:\n    - one\n    - two\n  a: [three]\n---\n"
                "# A\n## B\n");
    assert_view(find("x#b")->asks, "one\ntwo\n");
    assert_view(find("x#a")->asks, "three\n");
    add("y.md", "---\nasks: [for the first]\n---\n# A\n## B\n");
    assert_view(find("y#a")->asks, "for the first\n");
    assert_view(find("y#b")->asks, "");
    assert_int_equal(kb.problem_count, 0);
}

static void asks_that_fit_nothing(void **state)
{
    (void)state;
    add("x.md", "---\ntitle: t\nasks:\n  none:\n    - one\n  a: text\n---\n"
                "# A\n");
    assert_problem(0, 4, "no section here has the slug 'none'");
    assert_problem(1, 6, "'a' is not a list");
    /* another file's slug does not count */
    add("y.md", "---\nasks:\n  a:\n    - one\n---\n# B\n");
    assert_problem(2, 3, "no section here has the slug 'a'");
    assert_view(find("x#a")->asks, "");
    add("z.md", "---\nasks: text\n---\n# C\n");
    add("w.md", "---\nasks: [x]\n---\nno section\n");
}

static void aliases(void **state)
{
    (void)state;
    add("x.md", "---\naliases:\n  old: new-name\n  older: new-name\n"
                "  gone: nothing\n---\n# T\n## New name\n");
    assert_ptr_equal(find("x#old"), find("x#new-name"));
    assert_ptr_equal(find("x#older"), find("x#new-name"));
    assert_null(find("x#gone"));
    assert_int_equal(kb.problem_count, 1);
    assert_problem(0, 5, "no section here has the slug 'nothing'");
    add("y.md", "---\naliases: [a]\n---\n# Y\n");
    add("z.md", "---\naliases:\n  a: {b: c}\n---\n# Z\n");
}

static void bad_front_matter_is_a_problem(void **state)
{
    (void)state;
    add("x.md", "---\ntitle: a\nkey: 1\nkey: 2\n---\n# A\n");
    assert_problem(0, 4, "front matter is not usable");
    assert_null(kb.files[0].front);
    assert_non_null(find("x#a"));
    add("y.md", "---\n- a list\n---\n# A\n");
    add("z.md", "---\njust text\n---\n# A\n");
    add("u.md", "---\nkey: [\n---\n# U\n");
    assert_non_null(find("u#u"));
    add("v.md", "---\nopen: 1\n# V\n");
    assert_int_equal(kb.files[4].section_count, 1);
}

static void too_much_front_matter(void **state)
{
    (void)state;
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 20);
    sl_buf_puts(&buf, "---\n");
    sl_buf_add(&buf, test_repeat("# x\n", SL_MAX_FRONT_MATTER / 4 + 1));
    sl_buf_puts(&buf, "---\n# A\n");
    assert_ok(sl_kb_add(&kb, SL_LIT("x.md"), sl_buf_view(&buf), &error));
    sl_buf_release(&buf);
    assert_problem(0, 1, "front matter of");
    assert_non_null(find("x#a"));
}

static void bytes_that_are_no_text(void **state)
{
    (void)state;
    static const char text[] = "# A\n\nx\0y\n\xff\n`nvshmem_quiet`\n";
    assert_ok(sl_kb_add(&kb, SL_LIT("x.md"),
                        (struct sl_view){text, sizeof text - 1}, &error));
    assert_int_equal(kb.problem_count, 2);
    assert_problem(0, 4, "not UTF-8 at byte 9");
    assert_problem(1, 3, "NUL byte at byte 6");
    assert_int_equal(kb.refs.count, 1);
}

static void crlf(void **state)
{
    (void)state;
    add("x.md", "---\r\ntitle: t\r\nasks:\r\n  a:\r\n    - q\r\n---\r\n"
                "# A\r\n\r\n`x`\r\n");
    assert_int_equal(kb.problem_count, 0);
    const struct sl_section *a = find("x#a");
    assert_non_null(a);
    assert_view(a->title, "A");
    assert_view(a->asks, "q\n");
    assert_int_equal(a->line, 7);
    assert_view(sl_yaml_text(kb.files[0].front, "title"), "t");
}

/* Every reference's bytes, sliced from its block, are what it says it is. */
static void check_spans(void)
{
    for (size_t i = 0; i < kb.block_count; i++) {
        const struct sl_kb_block *block = &kb.blocks[i];
        for (size_t r = 0; r < block->ref_count; r++) {
            const struct sl_ref *ref = &kb.refs.items[block->first_ref + r];
            struct sl_view slice =
                sl_view_sub(block->text, ref->begin, ref->end);
            assert_int_equal(slice.len, ref->end - ref->begin);
            assert_true(sl_view_find(slice, ref->text, 0) != SIZE_MAX);
            if (ref->kind <= SL_REF_CODE)
                assert_true(slice.ptr[0] == '`' &&
                            slice.ptr[slice.len - 1] == '`');
            if (ref->kind == SL_REF_LINK)
                assert_true(sl_view_starts(slice, "]("));
        }
    }
}

static void blocks_and_references(void **state)
{
    (void)state;
    add("x.md", "# A\n\nOne `x` and `s:p:1`.\nSecond line `y`.\n\n"
                "- item `z`\n  - inner [l](m)\n\n"
                "| `h` | b |\n|---|---|\n| `c` | 5 |\n\n"
                "```\n`code`\n```\n");
    static const struct {
        enum sl_md_kind kind;
        size_t refs;
    } blocks[] = {
        {SL_MD_PARAGRAPH, 3}, {SL_MD_PARAGRAPH, 1}, {SL_MD_PARAGRAPH, 1},
        {SL_MD_ROW, 1},       {SL_MD_ROW, 2},       {SL_MD_CODE, 0},
    };
    const struct sl_section *a = find("x#a");
    assert_int_equal(a->block_count, COUNT(blocks));
    for (size_t i = 0; i < COUNT(blocks); i++) {
        const struct sl_kb_block *block = &kb.blocks[a->first_block + i];
        assert_int_equal(block->md->kind, blocks[i].kind);
        assert_int_equal(block->ref_count, blocks[i].refs);
    }
    assert_view(kb.blocks[0].text, "One `x` and `s:p:1`.\nSecond line `y`.\n");
    check_spans();
}

static void lines_of_places(void **state)
{
    (void)state;
    add("x.md", "---\na: b\n---\n# A\n\ntext `x`\n");
    const struct sl_kb_file *file = &kb.files[0];
    assert_int_equal(sl_kb_line(file, file->bytes.ptr), 1);
    assert_int_equal(sl_kb_line(file, kb.blocks[0].text.ptr), 6);
    assert_int_equal(file->body_line, 4);
}

static void load_folder(void **state)
{
    (void)state;
    test_write("b.md", "# B\n");
    test_write("a/INDEX.md", "# Tables\n");
    test_write("note.txt", "# no\n");
    test_write(".draft.md", "# no\n");
    assert_int_equal(symlink("b.md", test_path("link.md")), 0);
    assert_int_equal(mkfifo(test_path("fifo.md"), 0600), 0);
    assert_ok(sl_kb_load(&kb, test_folder, &error));
    assert_int_equal(kb.file_count, 2);
    assert_view(kb.files[0].path, "a/INDEX.md");
    assert_non_null(find("a-INDEX#tables"));
    assert_string_equal(kb.root, test_folder);
}

static void load_says_what_is_wrong(void **state)
{
    (void)state;
    assert_status(sl_kb_load(&kb, test_path("none"), &error), SL_ERR_NOTFOUND);
    assert_says("none");
    sl_kb_release(&kb);
    sl_kb_init(&kb);
    test_write("x.txt", "");
    assert_status(sl_kb_load(&kb, test_folder, &error), SL_ERR_NOTFOUND);
    assert_says("no Markdown");
    sl_kb_release(&kb);
    sl_kb_init(&kb);
    const char *big = test_write("big.md", "");
    assert_int_equal(truncate(big, (off_t)1 << 30), 0);
    assert_status(sl_kb_load(&kb, test_folder, &error), SL_ERR_LIMIT);
    assert_says("the limit is 1048576");
}

static void a_cap_names_the_file(void **state)
{
    (void)state;
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 20);
    sl_buf_add(&buf, test_repeat("|a", 3000));
    sl_buf_puts(&buf, "\n");
    sl_buf_add(&buf, test_repeat("|-", 3000));
    assert_status(sl_kb_add(&kb, SL_LIT("d/x.md"), sl_buf_view(&buf), &error),
                  SL_ERR_LIMIT);
    sl_buf_release(&buf);
    assert_says("d/x.md: line 2: a table");
}

static void the_real_knowledge_base(void **state)
{
    (void)state;
    assert_ok(sl_kb_load(&kb, SL_TEST_ROOT "/skills/nvshmem", &error));
    assert_true(kb.section_count > 100);
    for (size_t i = 0; i < kb.problem_count; i++)
        print_error("%s\n", kb.problems[i].message);
    assert_int_equal(kb.problem_count, 0);
    check_spans();
    size_t citations = 0;
    for (size_t i = 0; i < kb.refs.count; i++)
        citations += kb.refs.items[i].kind == SL_REF_CITATION;
    assert_true(citations > 300);
    /* own texts, one after the other, are the whole of each file's sections */
    for (size_t i = 0; i < kb.section_count; i++) {
        const struct sl_section *s = &kb.sections[i];
        const struct sl_kb_file *file = &kb.files[s->file];
        assert_ptr_equal(sl_kb_find(&kb, s->id), s);
        assert_true(sl_view_starts(s->own, "#"));
        assert_int_equal(s->line, sl_kb_line(file, s->own.ptr));
        const char *end = s->own.ptr + s->own.len;
        if (i + 1 < file->first_section + file->section_count)
            assert_ptr_equal(end, s[1].own.ptr);
        else
            assert_ptr_equal(end, file->bytes.ptr + file->bytes.len);
    }
}

/*
 * What a section's own text gives is what the loader has of it: whoever shows
 * evidence shows what verify checks.
 */
static void check_one_reading(const struct sl_section *section)
{
    struct sl_refs refs = {0};
    size_t n = 0;
    assert_ok(sl_kb_refs_of(&test_arena, section->own, &refs, &error));
    for (size_t b = 0; b < section->block_count; b++) {
        const struct sl_kb_block *block = &kb.blocks[section->first_block + b];
        for (size_t r = 0; r < block->ref_count; r++, n++) {
            const struct sl_ref *ref = &kb.refs.items[block->first_ref + r];
            assert_true(n < refs.count);
            assert_int_equal(refs.items[n].kind, ref->kind);
            assert_true(sl_view_eq(refs.items[n].text, ref->text));
        }
    }
    assert_int_equal(n, refs.count);
}

static void one_reading(void **state)
{
    (void)state;
    add("x.md", "# A `s:h:1`\n\nOne `s:p:1`.\n\n"
                "> ## B `s:q:1`\n>\n> `s:p:2`\n\n"
                "<div>\n`s:d:1`\n</div>\n\n~~~\n`s:c:1`\n~~~\n\n"
                "    `s:c:2`\n\n- `s:p:3`\n\n"
                "| `s:p:4` |\n|---|\n| `s:p:5` |\n\n"
                "C `s:h:2`\n---\n\n`s:p:6`\n");
    assert_int_equal(kb.section_count, 2);
    for (size_t i = 0; i < kb.section_count; i++)
        check_one_reading(&kb.sections[i]);
    struct sl_refs refs = {0};
    assert_ok(sl_kb_refs_of(&test_arena, kb.sections[0].own, &refs, &error));
    assert_int_equal(refs.count, 5);
    for (size_t i = 0; i < refs.count; i++)
        assert_true(sl_view_starts(refs.items[i].text, "s:p:"));
    /* headings are kept apart, in quotes too */
    assert_int_equal(kb.files[0].heading_count, 3);
    static const char *const cited[] = {"s:h:1", "s:q:1", "s:h:2"};
    for (size_t i = 0; i < COUNT(cited); i++) {
        const struct sl_kb_block *heading = &kb.headings[i];
        assert_int_equal(heading->ref_count, 1);
        assert_view(kb.refs.items[heading->first_ref].text, cited[i]);
    }
}

static void one_reading_of_the_real_knowledge_base(void **state)
{
    (void)state;
    assert_ok(sl_kb_load(&kb, SL_TEST_ROOT "/skills/nvshmem", &error));
    for (size_t i = 0; i < kb.section_count; i++)
        check_one_reading(&kb.sections[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        KB_TEST(sections_and_ids),
        KB_TEST(parents_of_uneven_levels),
        KB_TEST(stems),
        KB_TEST(doubled_headings),
        KB_TEST(many_doubled_headings),
        KB_TEST(headings_without_words),
        KB_TEST(text_before_the_first_heading),
        KB_TEST(headings_inside_others_are_no_sections),
        KB_TEST(asks),
        KB_TEST(asks_that_fit_nothing),
        KB_TEST(aliases),
        KB_TEST(bad_front_matter_is_a_problem),
        KB_TEST(too_much_front_matter),
        KB_TEST(bytes_that_are_no_text),
        KB_TEST(crlf),
        KB_TEST(blocks_and_references),
        KB_TEST(one_reading),
        KB_TEST(one_reading_of_the_real_knowledge_base),
        KB_TEST(lines_of_places),
        KB_TEST(load_folder),
        KB_TEST(load_says_what_is_wrong),
        KB_TEST(a_cap_names_the_file),
        KB_TEST(the_real_knowledge_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
