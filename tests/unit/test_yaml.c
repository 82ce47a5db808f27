/* markdown/yaml: the subset, and what it refuses. */
#include "test.h"

#include <string.h>

#include "base/limits.h"
#include "markdown/yaml.h"

static struct sl_error error;
static const struct sl_yaml *root;

static void maps_lists_text(void **state)
{
    (void)state;
    assert_ok(sl_yaml_parse(&test_arena,
                            SL_LIT("# a comment\n"
                                   "title: 'One: two'\n"
                                   "list:\n"
                                   "  - a\n"
                                   "  - \"b: c\"\n"
                                   "map:\n"
                                   "  inner: {x: 1, y: [p, q]}\n"
                                   "folded: >-\n"
                                   "  two\n"
                                   "  lines\n"
                                   "empty:\n"),
                            &root, &error));
    assert_int_equal(root->kind, SL_YAML_MAP);
    assert_view(sl_yaml_text(root, "title"), "One: two");
    assert_int_equal(sl_yaml_get(root, "title")->line, 2);
    const struct sl_yaml *list = sl_yaml_get(root, "list");
    assert_int_equal(list->kind, SL_YAML_LIST);
    assert_int_equal(list->line, 3); /* of the key */
    assert_view(list->child->text, "a");
    assert_view(list->child->next->text, "b: c");
    assert_int_equal(list->child->next->line, 5);
    assert_null(list->child->next->next);
    const struct sl_yaml *inner =
        sl_yaml_get(sl_yaml_get(root, "map"), "inner");
    assert_view(sl_yaml_text(inner, "x"), "1");
    assert_view(sl_yaml_get(inner, "y")->child->next->text, "q");
    assert_view(sl_yaml_text(root, "folded"), "two lines");
    assert_view(sl_yaml_text(root, "empty"), "");
    assert_null(sl_yaml_text(root, "absent").ptr);
    assert_null(sl_yaml_text(root, "list").ptr);
    assert_null(sl_yaml_get(list, "a"));
    assert_null(sl_yaml_get(NULL, "a"));
}

static void every_scalar_is_text(void **state)
{
    (void)state;
    static const char *const values[] = {"3.10", "no",  "0x10", "1e3", "null",
                                         "~",    "yes", "2026-01-01", "007"};
    struct sl_buf buf;
    sl_buf_init(&buf, 1000);
    for (size_t i = 0; i < COUNT(values); i++)
        sl_buf_printf(&buf, "k%zu: %s\n", i, values[i]);
    assert_ok(sl_yaml_parse(&test_arena, sl_buf_view(&buf), &root, &error));
    for (size_t i = 0; i < COUNT(values); i++) {
        char key[8];
        (void)snprintf(key, sizeof key, "k%zu", i);
        assert_view(sl_yaml_text(root, key), values[i]);
    }
    sl_buf_release(&buf);
}

static void nothing_is_an_empty_map(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n", "# only a comment\n", "  "};
    for (size_t i = 0; i < COUNT(texts); i++) {
        assert_ok(sl_yaml_parse(&test_arena, sl_view_of(texts[i]), &root,
                                &error));
        assert_int_equal(root->kind, SL_YAML_MAP);
        assert_null(root->child);
    }
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *yaml;
        const char *says;
    } cases[] = {
        {"a: 1\nb: 2\na: 3\n", "line 3: the key 'a' stands here twice"},
        {"m: {a: 1, 'a': 2}\n", "twice"},
        {"a: &x 1\n", "line 1: anchors"},
        {"a: &x [1]\n", "anchors"},
        {"a: &x {b: 1}\n", "anchors"},
        {"a: 1\nb: *x\n", "line 2: aliases"},
        {"a: !!str 1\n", "tags"},
        {"a: !mine [1]\n", "tags"},
        {"? [a, b]\n: 1\n", "a key must be plain text"},
        {"? {a: b}\n: 1\n", "a key must be plain text"},
        {"a: 1\n---\nb: 2\n", "line 2: a second document"},
        {"a: [1, 2\n", "not YAML"},
        {"a: \"open\n", "not YAML"},
        {"a: 1\n  b: 2\n", "not YAML"},
        {"\tb: 2\n", "not YAML"},
        {"a: \xff\n", "not YAML"},
        {"a: @x\n", "not YAML"},
        {"title: One: two\n", "not YAML"},
        {"%YAML 9.9\n--- a\n", "not YAML"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        enum sl_status status = sl_yaml_parse(
            &test_arena, sl_view_of(cases[i].yaml), &root, &error);
        assert_case(status == SL_ERR_SYNTAX, cases[i].yaml);
        assert_case(strncmp(error.message, "line ", 5) == 0, cases[i].yaml);
        assert_says(cases[i].says);
    }
}

static void billion_laughs(void **state)
{
    (void)state;
    assert_status(
        sl_yaml_parse(&test_arena,
                      SL_LIT("a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\n"
                             "c: &c [*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n"),
                      &root, &error),
        SL_ERR_SYNTAX);
}

static void depth_cap(void **state)
{
    (void)state;
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 20);
    for (unsigned extra = 0; extra < 2; extra++) {
        sl_buf_truncate(&buf, 0);
        sl_buf_add(&buf, test_repeat("[", SL_MAX_YAML_DEPTH + extra));
        sl_buf_add(&buf, test_repeat("]", SL_MAX_YAML_DEPTH + extra));
        assert_status(
            sl_yaml_parse(&test_arena, sl_buf_view(&buf), &root, &error),
            extra ? SL_ERR_LIMIT : SL_OK);
    }
    assert_status(sl_yaml_parse(&test_arena, test_repeat("[", 200000), &root,
                                &error),
                  SL_ERR_LIMIT);
    assert_status(sl_yaml_parse(&test_arena, test_repeat("- ", 100000), &root,
                                &error),
                  SL_ERR_LIMIT);
    sl_buf_release(&buf);
}

static void node_cap(void **state)
{
    (void)state;
    /* the list itself is a node */
    assert_ok(sl_yaml_parse(&test_arena,
                            test_repeat("- x\n", SL_MAX_YAML_NODES - 1), &root,
                            &error));
    assert_status(sl_yaml_parse(&test_arena,
                                test_repeat("- x\n", SL_MAX_YAML_NODES), &root,
                                &error),
                  SL_ERR_LIMIT);
}

static void memory_cap(void **state)
{
    (void)state;
    struct sl_arena small;
    sl_arena_init(&small, 1000);
    assert_status(
        sl_yaml_parse(&small, test_repeat("- x\n", 1000), &root, &error),
        SL_ERR_NOMEM);
    sl_arena_release(&small);
}

static void how_it_is_written(void **state)
{
    (void)state;
    assert_ok(sl_yaml_parse(&test_arena,
                            SL_LIT("a:\n"
                                   "   b: c\n"
                                   "d: {e: f}\n"
                                   "g: [h]\n"
                                   "i:\n"
                                   "- j\n"),
                            &root, &error));
    assert_false(root->is_flow);
    assert_int_equal(root->column, 0);
    assert_false(sl_yaml_get(root, "a")->is_flow);
    assert_int_equal(sl_yaml_get(root, "a")->column, 3);
    assert_true(sl_yaml_get(root, "d")->is_flow);
    assert_int_equal(sl_yaml_get(root, "d")->column, 3);
    assert_true(sl_yaml_get(root, "g")->is_flow);
    assert_false(sl_yaml_get(root, "i")->is_flow);
}

static void tabs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line;
    } cases[] = {
        {"", 0},
        {"a: b\n", 0},
        {"a:\tb\n", 1},
        {"a: b\nc: d\te\n", 2},
        {"a: b\t", 1},
        {"a: 'b\tc\n  \td' # \t\n#\t\n", 0},
        {"a: '\xc3\xbc\xc3\xbc\tc'\n", 0},
        {"a: '\xc3\xbc\xc3\xbc'\tc\n", 1},
        {"a: 'b'\n#c\nd: 'e'\t\n", 3},
        {"a: |\n  b\tc\n  \t\nd: e\n", 0},
        {"a: > # c\td\n  b\tc\nd: e\n", 0},
        {"a: >\t\n  b\n", 1},
        {"a: 'b'\nc: |\n  d\te\nf: g\th\n", 4},
        {"a: b#\tc\n", 1},
        {"\"a\tb\": c\n", 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(sl_yaml_tab(sl_view_of(cases[i].text)),
                         cases[i].line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(maps_lists_text),
        TEST(every_scalar_is_text),
        TEST(nothing_is_an_empty_map),
        TEST(refused),
        TEST(billion_laughs),
        TEST(depth_cap),
        TEST(node_cap),
        TEST(memory_cap),
        TEST(how_it_is_written),
        TEST(tabs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
