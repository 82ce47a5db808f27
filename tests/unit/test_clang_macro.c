/* clang/macro: where pasted names come from; no libclang is needed for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "clang/macro.h"

static struct sl_arena arena;
static struct sl_error error;
static struct sl_clang_macros macros;

static int make(void **state)
{
    (void)state;
    sl_arena_init(&arena, 256u << 20);
    sl_clang_macros_init(&macros, &arena);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    sl_arena_release(&arena);
    return 0;
}

/* Splits text at its blanks; a `/` starts the next line. */
static struct sl_clang_token *tokens_of(const char *text, unsigned line,
                                        size_t *count_out)
{
    struct sl_view rest = sl_arena_copy(&arena, sl_view_of(text)), word;
    struct sl_clang_token *tokens =
        sl_arena_alloc(&arena, (strlen(text) + 1) * sizeof *tokens);
    size_t n = 0;
    assert_non_null(tokens);
    while (sl_view_cut(&rest, ' ', &word)) {
        if (sl_view_is(word, "/"))
            line++;
        else
            tokens[n++] = (struct sl_clang_token){word, {1, line}, 0};
    }
    *count_out = n;
    return tokens;
}

static void define(const char *text, unsigned line, bool is_function)
{
    size_t count;
    struct sl_clang_token *tokens = tokens_of(text, line, &count);
    assert_int_equal(
        sl_clang_macros_add(&macros, tokens[0].text, NULL, &error), SL_OK);
    assert_int_equal(sl_clang_macro_split(&macros, macros.count - 1, tokens,
                                          count, is_function, &error),
                     SL_OK);
}

static enum sl_status trace(const char *text, size_t before,
                            struct sl_made_names *names)
{
    size_t count;
    struct sl_clang_token *tokens = tokens_of(text, 100, &count);
    return sl_clang_macro_trace(&macros, before, tokens, count, &arena, names,
                                &error);
}

static const struct sl_made_name *found(const struct sl_made_names *names,
                                        const char *name)
{
    const struct sl_made_name *made =
        sl_clang_made_find(names, sl_view_of(name));
    if (!made)
        fail_msg("%s was not made", name);
    return made;
}

static void three_lines(void **state)
{
    (void)state;
    struct sl_made_names names;
    define("PUT ( N , T ) / void n_ ## N ## _put ( T * )", 1, true);
    define("LIST ( F ) / F ( int , int ) / F ( float , float )", 5, true);
    assert_int_equal(trace("LIST ( PUT )", SIZE_MAX, &names), SL_OK);
    const struct sl_made_name *made = found(&names, "n_float_put");
    assert_int_equal(made->written.line, 2);
    assert_int_equal(made->piece_count, 1);
    assert_true(sl_view_is(made->pieces[0].text, "float"));
    assert_int_equal(made->pieces[0].place.line, 7);
    assert_int_equal(found(&names, "n_int_put")->pieces[0].place.line, 6);
    assert_null(sl_clang_made_find(&names, SL_LIT("LIST")));
}

static void pasting(void **state)
{
    (void)state;
    struct sl_made_names names;
    define("A ( x , y ) x ## y ## _z", 1, true);
    define("E ( x , y ) a ## x ## b y", 2, true);
    define("V ( ... ) A ( __VA_ARGS__ )", 3, true);
    define("R ( a , rest... ) A ( rest )", 4, true);
    define("O n_plain", 5, false);
    assert_int_equal(trace("A ( p , q )", SIZE_MAX, &names), SL_OK);
    assert_int_equal(found(&names, "pq_z")->piece_count, 2);
    /* an empty argument pastes nothing, and keeps its neighbours apart */
    assert_int_equal(trace("E ( , c )", SIZE_MAX, &names), SL_OK);
    found(&names, "ab");
    found(&names, "c");
    assert_int_equal(trace("V ( p , q ) O", SIZE_MAX, &names), SL_OK);
    found(&names, "pq_z");
    assert_int_equal(found(&names, "n_plain")->written.line, 5);
    /* a call's parentheses inside an argument */
    assert_int_equal(trace("E ( p , f ( 1 , 2 ) )", SIZE_MAX, &names), SL_OK);
    found(&names, "apb");
    /* a function-like name that is not called is a word */
    assert_int_equal(trace("A ; A", SIZE_MAX, &names), SL_OK);
    found(&names, "A");
}

static void definitions_in_order(void **state)
{
    (void)state;
    struct sl_made_names names;
    define("D ( x ) first_ ## x", 1, true);
    define("D ( x ) second_ ## x", 2, true);
    assert_int_equal(trace("D ( a )", 1, &names), SL_OK);
    found(&names, "first_a");
    assert_int_equal(trace("D ( a )", 2, &names), SL_OK);
    found(&names, "second_a");
    assert_int_equal(trace("D ( a )", 0, &names), SL_OK);
    found(&names, "D");
}

static void self_reference(void **state)
{
    (void)state;
    struct sl_made_names names;
    define("X Y", 1, false);
    define("Y X", 2, false);
    define("F ( x ) F ( x ) g", 3, true);
    assert_int_equal(trace("X F ( h )", SIZE_MAX, &names), SL_OK);
    found(&names, "X");
    found(&names, "F");
    found(&names, "g");
}

static void caps(void **state)
{
    (void)state;
    struct sl_made_names names;
    char text[64];
    define("G0 ( x ) x x", 1, true);
    for (int i = 1; i < 40; i++) {
        (void)snprintf(text, sizeof text, "G%d ( x ) G%d ( x x )", i, i - 1);
        define(text, 1, true);
    }
    assert_int_equal(trace("G39 ( a )", SIZE_MAX, &names), SL_ERR_LIMIT);
    define("N0 a", 1, false);
    for (unsigned i = 1; i <= SL_MAX_MACRO_DEPTH + 1; i++) {
        (void)snprintf(text, sizeof text, "N%u N%u", i, i - 1);
        define(text, 1, false);
    }
    (void)snprintf(text, sizeof text, "N%u", SL_MAX_MACRO_DEPTH - 1);
    assert_int_equal(trace(text, SIZE_MAX, &names), SL_OK);
    (void)snprintf(text, sizeof text, "N%u", SL_MAX_MACRO_DEPTH + 1);
    assert_int_equal(trace(text, SIZE_MAX, &names), SL_ERR_LIMIT);
}

static void broken(void **state)
{
    (void)state;
    struct sl_made_names names;
    size_t count;
    struct sl_clang_token *tokens = tokens_of("B ( a , b", 1, &count);
    assert_int_equal(
        sl_clang_macros_add(&macros, tokens[0].text, NULL, &error), SL_OK);
    assert_int_equal(
        sl_clang_macro_split(&macros, 0, tokens, count, true, &error),
        SL_ERR_SYNTAX);
    define("C ( a ) ## a ##", 2, true);
    static const char *const texts[] = {
        "C ( x )", "C (", "C ( ( )", "C ( a , b )", ") ( C", "",
        "C ( C ( C ( x ) ) )"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(trace(texts[i], SIZE_MAX, &names), SL_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(three_lines, make, drop),
        cmocka_unit_test_setup_teardown(pasting, make, drop),
        cmocka_unit_test_setup_teardown(definitions_in_order, make, drop),
        cmocka_unit_test_setup_teardown(self_reference, make, drop),
        cmocka_unit_test_setup_teardown(caps, make, drop),
        cmocka_unit_test_setup_teardown(broken, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
