/* syntax: neutraliser, parser, walk, coverage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "syntax/neutralise.h"
#include "syntax/walk.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct sl_error error;

static void ok(enum sl_status status)
{
    if (status)
        print_error("%s\n", error.message);
    assert_int_equal(status, SL_OK);
}

static void assert_text(struct sl_view text, const char *expected)
{
    assert_int_equal(text.len, strlen(expected));
    assert_memory_equal(text.ptr, expected, text.len);
}

static void languages(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum sl_language language;
    } cases[] = {
        {"a.cu", SL_LANGUAGE_CUDA},        {"a/b.cuh", SL_LANGUAGE_CUDA},
        {"a.c", SL_LANGUAGE_CUDA},         {"a.hpp", SL_LANGUAGE_CUDA},
        {"a.py", SL_LANGUAGE_PYTHON},      {"a.pyi", SL_LANGUAGE_PYTHON},
        {"a.sh", SL_LANGUAGE_NONE},        {".c", SL_LANGUAGE_NONE},
        {"a.cu.in", SL_LANGUAGE_NONE},     {"", SL_LANGUAGE_NONE},
        {"CMakeLists.txt", SL_LANGUAGE_NONE},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(sl_language_of(sl_view_of(cases[i].path)),
                         cases[i].language);
}

static void blanks_with_the_same_length(void **state)
{
    (void)state;
    static const struct {
        const char *text, *clean;
    } cases[] = {
        {"extern __align__(8 * (2)) int a;",
         "extern                    int a;"},
        {"ATTR\nint a;", "    \nint a;"},
        {"ASSERT(a == \"x)\", 'y');\nint b;",
         "                       \nint b;"},
        {"x = ASSERT(a);", "x = ASSERT(a);"},       /* no statement */
        {"ASSERT(nvshmem_n_pes());", "ASSERT(nvshmem_n_pes());"},
        {"// ATTR\n\"ATTR\" 'A' /* ATTR */",
         "// ATTR\n\"ATTR\" 'A' /* ATTR */"},
        {"R\"x(ATTR\")x\" ATTR", "R\"x(ATTR\")x\"     "},
        {"#define ATTR\n ATTR", "#define ATTR\n     "},
        {"ATTR(a; b)", "ATTR(a; b)"},               /* no argument list */
        {"ATTRS MY_ATTR", "ATTRS MY_ATTR"},
        {"ATTR(", "ATTR("},
        {"1'000 ATTR 'A", "1'000      'A"},
        {"\"open\nATTR", "\"open\n    "},
        {"/* open ATTR", "/* open ATTR"},
        {"", ""},
    };
    struct sl_arena arena;
    struct sl_macros macros;
    sl_arena_init(&arena, 1u << 20);
    ok(sl_macros_load(&arena, SL_LIT(""), &macros, &error));
    ok(sl_macros_read(&macros,
                      SL_LIT("# ours\n\nattribute ATTR\nstatement ASSERT\n"),
                      &error));
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_view clean;
        size_t blanked;
        ok(sl_neutralise(&arena, &macros, sl_view_of(cases[i].text), &clean,
                         &blanked, &error));
        assert_text(clean, cases[i].clean);
        assert_int_equal(blanked > 0,
                         strcmp(cases[i].text, cases[i].clean) != 0);
    }
    assert_int_equal(sl_macros_read(&macros, SL_LIT("verb WORD"), &error),
                     SL_ERR_SYNTAX);
    assert_int_equal(sl_macros_read(&macros, SL_LIT("attribute"), &error),
                     SL_ERR_SYNTAX);
    sl_arena_release(&arena);
}

static void lists_are_per_project(void **state)
{
    (void)state;
    struct sl_arena arena;
    struct sl_macros macros;
    sl_arena_init(&arena, 1u << 20);
    ok(sl_macros_load(&arena, SL_LIT("deepep"), &macros, &error));
    assert_non_null(sl_map_get(&macros.words, SL_LIT("EP_STATIC_ASSERT")));
    ok(sl_macros_load(&arena, SL_LIT("quda"), &macros, &error));
    assert_null(sl_map_get(&macros.words, SL_LIT("EP_STATIC_ASSERT")));
    assert_non_null(sl_map_get(&macros.words, SL_LIT("__align__")));
    sl_arena_release(&arena);
}

static struct sl_tree *parse(struct sl_parser *parser, const char *text)
{
    struct sl_tree *tree;
    ok(sl_parse(parser, SL_LANGUAGE_CUDA, sl_view_of(text), sl_view_of(text),
                5000, &tree, &error));
    return tree;
}

static void walk_is_in_order_and_shows_the_path(void **state)
{
    (void)state;
    struct sl_parser *parser;
    ok(sl_parser_new(&parser, &error));
    struct sl_tree *tree = parse(parser, "int f(int a) { return g(a); }\n");
    struct sl_walk walk;
    ok(sl_walk_open(tree, &walk, &error));
    bool more = true, seen = false;
    size_t last = 0;
    while (more) {
        const struct sl_step *step = sl_walk_up(&walk, 0);
        assert_true(step->begin >= last);
        last = step->begin;
        assert_string_equal(sl_walk_up(&walk, walk.depth - 1)->type,
                            "translation_unit");
        assert_null(sl_walk_up(&walk, walk.depth));
        if (strcmp(step->type, "call_expression") == 0) {
            struct sl_node name = sl_node_field(step->node, "function");
            assert_text(sl_node_text(tree, name), "g");
            assert_false(sl_node_is(name, "number_literal"));
            assert_int_equal(
                sl_node_count(sl_node_field(step->node, "arguments")), 1);
            assert_null(sl_node_field(step->node, "nothing").id);
            seen = true;
        }
        ok(sl_walk_next(&walk, true, &more, &error));
    }
    assert_true(seen);
    sl_walk_close(&walk);
    sl_tree_free(tree);
    sl_parser_free(parser);
}

static void no_node_is_safe(void **state)
{
    (void)state;
    struct sl_node none = {.id = NULL};
    assert_string_equal(sl_node_type(none), "");
    assert_false(sl_node_is(none, ""));
    assert_int_equal(sl_node_end(none), 0);
    assert_null(sl_node_field(none, "name").id);
    assert_null(sl_node_child(none, 0).id);
}

static void coverage(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool errors;
        size_t unparsed;
    } cases[] = {
        {"int a;\n", false, 0},
        {"int a; @@@ int b;\n", true, 3},
        {"", false, 0},
    };
    struct sl_parser *parser;
    ok(sl_parser_new(&parser, &error));
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_tree *tree = parse(parser, cases[i].text);
        struct sl_coverage found;
        ok(sl_tree_coverage(tree, &found, &error));
        assert_int_equal(found.bytes, strlen(cases[i].text));
        assert_int_equal(found.errors > 0, cases[i].errors);
        assert_int_equal(found.unparsed, cases[i].unparsed);
        sl_tree_free(tree);
    }
    sl_parser_free(parser);
}

static void range_keeps_offsets(void **state)
{
    (void)state;
    static const char text[] = "#define M(x) \\\n  do { f(x); } while (0)\n";
    struct sl_view view = SL_LIT(text);
    struct sl_parser *parser;
    struct sl_tree *tree;
    ok(sl_parser_new(&parser, &error));
    ok(sl_parse_range(parser, SL_LANGUAGE_CUDA, view, view, 13, view.len, 5000,
                      &tree, &error));
    struct sl_walk walk;
    ok(sl_walk_open(tree, &walk, &error));
    bool more = true, seen = false;
    while (more) {
        const struct sl_step *step = sl_walk_up(&walk, 0);
        seen |= strcmp(step->type, "call_expression") == 0 &&
                step->begin == 22;
        ok(sl_walk_next(&walk, true, &more, &error));
    }
    assert_true(seen);
    sl_walk_close(&walk);
    sl_tree_free(tree);
    assert_int_equal(sl_parse_range(parser, SL_LANGUAGE_CUDA, view, view, 9, 8,
                                    5000, &tree, &error),
                     SL_ERR_USAGE);
    sl_parser_free(parser);
}

/* A text of `count` times `piece`. */
static struct sl_view repeat(char *room, const char *piece, size_t count)
{
    size_t n = strlen(piece);
    for (size_t i = 0; i < count; i++)
        memcpy(room + i * n, piece, n);
    return (struct sl_view){room, n * count};
}

static void guard_counts_what_is_open(void **state)
{
    (void)state;
    static char room[16 * (SL_MAX_ANGLES + 1)];
    const size_t many = SL_MAX_ANGLES + 1;
    static const char *const fine[] = {"a<b; ",  "A<b> ",   "\"<\" ",
                                       "'<' ",   "/*<*/ ",  "//<\n",
                                       "{a<b} ", "\"\\\"<\" "};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        ok(sl_parse_guard(repeat(room, fine[i], many), &error));
    ok(sl_parse_guard(repeat(room, "A<", many - 1), &error));
    assert_int_equal(sl_parse_guard(repeat(room, "A<", many), &error),
                     SL_ERR_LIMIT);
    assert_int_equal(sl_parse_guard(repeat(room, "1'0<", many), &error),
                     SL_ERR_LIMIT);
}

static void walk_stays_below_its_node(void **state)
{
    (void)state;
    struct sl_parser *parser;
    ok(sl_parser_new(&parser, &error));
    struct sl_tree *tree = parse(parser, "int a; int b; int c;\n");
    struct sl_node second = sl_node_child(sl_tree_root(tree), 1);
    struct sl_walk walk;
    bool more = true;
    ok(sl_walk_open_at(tree, second, &walk, &error));
    while (more) {
        assert_in_range(sl_walk_up(&walk, 0)->begin, 7, 13);
        ok(sl_walk_next(&walk, true, &more, &error));
    }
    sl_walk_close(&walk);
    sl_tree_free(tree);
    sl_parser_free(parser);
}

static void caps(void **state)
{
    (void)state;
    struct sl_parser *parser;
    struct sl_tree *tree;
    size_t size = 4u << 20;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, '(', size);
    struct sl_view view = {text, size};
    ok(sl_parser_new(&parser, &error));
    assert_int_equal(sl_parse(parser, SL_LANGUAGE_CUDA, view, view, 1, &tree,
                              &error),
                     SL_ERR_LIMIT); /* out of time */
    view.len = SL_MAX_PARSE_BYTES + 1ul;
    assert_int_equal(sl_parse(parser, SL_LANGUAGE_CUDA, view, view, 1, &tree,
                              &error),
                     SL_ERR_LIMIT); /* too large: not looked at */
    assert_int_equal(sl_parse(parser, SL_LANGUAGE_NONE, SL_LIT("x"),
                              SL_LIT("x"), 1, &tree, &error),
                     SL_ERR_USAGE);
    assert_int_equal(sl_parse(parser, SL_LANGUAGE_CUDA, SL_LIT("xy"),
                              SL_LIT("x"), 1, &tree, &error),
                     SL_ERR_USAGE);
    tree = parse(parser, "int a;\n"); /* the parser is as new */
    assert_string_equal(sl_node_type(sl_tree_root(tree)), "translation_unit");
    sl_tree_free(tree);
    sl_parser_free(parser);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(languages),
        cmocka_unit_test(blanks_with_the_same_length),
        cmocka_unit_test(lists_are_per_project),
        cmocka_unit_test(walk_is_in_order_and_shows_the_path),
        cmocka_unit_test(no_node_is_safe),
        cmocka_unit_test(coverage),
        cmocka_unit_test(range_keeps_offsets),
        cmocka_unit_test(guard_counts_what_is_open),
        cmocka_unit_test(walk_stays_below_its_node),
        cmocka_unit_test(caps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
