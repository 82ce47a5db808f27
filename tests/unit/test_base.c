/* base: views, buffers, arenas, maps, UTF-8, errors. */
#include "test.h"

#include <string.h>

#include "base/map.h"
#include "base/utf8.h"

static void view_of_null_is_empty(void **state)
{
    (void)state;
    struct sl_view v = sl_view_of(NULL);
    assert_null(v.ptr);
    assert_int_equal(v.len, 0);
    assert_true(sl_view_eq(v, SL_LIT("")));
    assert_true(sl_view_is(v, ""));
    assert_int_equal(sl_view_trim(v).len, 0);
    assert_int_equal(sl_view_sub(v, 3, 9).len, 0);
}

static void view_sub_stays_inside(void **state)
{
    (void)state;
    static const struct {
        size_t begin, end;
        const char *expected;
    } cases[] = {
        {0, 6, "abcdef"}, {1, 3, "bc"},        {2, 2, ""},  {4, 2, ""},
        {0, 99, "abcdef"}, {5, SIZE_MAX, "f"}, {9, 12, ""}, {6, 6, ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_view(sl_view_sub(SL_LIT("abcdef"), cases[i].begin, cases[i].end),
                    cases[i].expected);
}

static void view_order_is_bytewise(void **state)
{
    (void)state;
    static const char *const sorted[] = {"", "A", "B", "a", "aa", "ab", "b",
                                         "\xc3\xa9"};
    for (size_t i = 0; i < COUNT(sorted); i++)
        for (size_t j = 0; j < COUNT(sorted); j++) {
            int order =
                sl_view_cmp(sl_view_of(sorted[i]), sl_view_of(sorted[j]));
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
    /* a NUL is a byte like any other */
    struct sl_view a = {"a\0b", 3}, b = {"a\0c", 3};
    assert_true(sl_view_cmp(a, b) < 0);
    assert_false(sl_view_eq(a, b));
}

static void view_prefix_and_suffix(void **state)
{
    (void)state;
    struct sl_view v = SL_LIT("run:name.json");
    assert_true(sl_view_starts(v, "run:"));
    assert_false(sl_view_starts(v, "Run:"));
    assert_true(sl_view_ends(v, ".json"));
    assert_false(sl_view_ends(v, ".jso"));
    assert_true(sl_view_starts(v, ""));
    assert_false(sl_view_starts(SL_LIT("ru"), "run"));
    assert_false(sl_view_ends(SL_LIT("on"), "json"));
}

static void view_trim_takes_ascii_space_only(void **state)
{
    (void)state;
    assert_view(sl_view_trim(SL_LIT(" \t\r\n\v\f a b \n")), "a b");
    assert_view(sl_view_trim(SL_LIT(" \t ")), "");
    /* a no-break space is not ASCII */
    assert_view(sl_view_trim(SL_LIT("\xc2\xa0 x")), "\xc2\xa0 x");
}

static void view_find_from(void **state)
{
    (void)state;
    struct sl_view v = SL_LIT("abcabc");
    assert_int_equal(sl_view_find(v, SL_LIT("bc"), 0), 1);
    assert_int_equal(sl_view_find(v, SL_LIT("bc"), 2), 4);
    assert_int_equal(sl_view_find(v, SL_LIT("bc"), 5), SIZE_MAX);
    assert_int_equal(sl_view_find(v, SL_LIT(""), 3), 3);
    assert_int_equal(sl_view_find(v, SL_LIT("abcabca"), 0), SIZE_MAX);
    assert_int_equal(sl_view_find(v, SL_LIT("a"), 99), SIZE_MAX);
}

static void view_cut_gives_every_piece(void **state)
{
    (void)state;
    struct sl_view rest = SL_LIT(",a,,b,");
    static const char *const pieces[] = {"", "a", "", "b"};
    struct sl_view piece;
    for (size_t i = 0; i < COUNT(pieces); i++) {
        assert_true(sl_view_cut(&rest, ',', &piece));
        assert_view(piece, pieces[i]);
    }
    assert_false(sl_view_cut(&rest, ',', &piece));
}

static void view_line_takes_one_carriage_return(void **state)
{
    (void)state;
    struct sl_view rest = SL_LIT("one\r\ntwo\n\nthree\r\r\nlast");
    static const char *const lines[] = {"one", "two", "", "three\r", "last"};
    struct sl_view line;
    for (size_t i = 0; i < COUNT(lines); i++) {
        assert_true(sl_view_line(&rest, &line));
        assert_view(line, lines[i]);
    }
    assert_false(sl_view_line(&rest, &line));
}

static void view_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t max;
        bool good;
        uint64_t value;
    } cases[] = {
        {"0", 0, true, 0},
        {"007", 10, true, 7},
        {"18446744073709551615", UINT64_MAX, true, UINT64_MAX},
        {"18446744073709551616", UINT64_MAX, false, 0},
        {"99999999999999999999", UINT64_MAX, false, 0},
        {"100000000000000000000", UINT64_MAX, false, 0},
        {"11", 10, false, 0},
        {"", 10, false, 0},
        {"-1", 10, false, 0},
        {"+1", 10, false, 0},
        {" 1", 10, false, 0},
        {"1 ", 10, false, 0},
        {"0x1", 10, false, 0},
        {"1e1", 100, false, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t value = 99;
        bool good = sl_view_number(sl_view_of(cases[i].text), cases[i].max,
                                   &value);
        assert_case(good == cases[i].good, cases[i].text);
        assert_case(value == (good ? cases[i].value : 99), cases[i].text);
    }
}

static void view_hex(void **state)
{
    (void)state;
    uint64_t value = 7;
    assert_true(sl_view_hex64(SL_LIT("0123456789abcdef"), &value));
    assert_true(value == 0x0123456789abcdefu);
    static const char *const bad[] = {"", "0", "0123456789abcde",
                                      "0123456789abcdef0", "0123456789ABCDEF",
                                      "0123456789abcdeg", " 123456789abcdef"};
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_case(!sl_view_hex64(sl_view_of(bad[i]), &value), bad[i]);
}

static void buf_holds_what_was_added(void **state)
{
    (void)state;
    struct sl_error error = {SL_OK, ""};
    struct sl_buf buf;
    sl_buf_init(&buf, 1000);
    assert_view(sl_buf_view(&buf), "");
    sl_buf_puts(&buf, "a");
    sl_buf_putc(&buf, '\0');
    sl_buf_add(&buf, SL_LIT("b"));
    sl_buf_add(&buf, (struct sl_view){NULL, 0});
    sl_buf_printf(&buf, "%d-%s", 42, "x");
    assert_int_equal(buf.len, 7);
    assert_memory_equal(buf.ptr, "a\0b42-x", 8); /* with its NUL */
    sl_buf_truncate(&buf, 3);
    assert_int_equal(buf.len, 3);
    assert_int_equal(buf.ptr[3], '\0');
    sl_buf_truncate(&buf, 99); /* never longer */
    assert_int_equal(buf.len, 3);
    assert_ok(sl_buf_check(&buf, &error));
    sl_buf_release(&buf);
    assert_view(sl_buf_view(&buf), "");
}

static void buf_cap_is_exact(void **state)
{
    (void)state;
    struct sl_error error = {SL_OK, ""};
    struct sl_buf buf;
    sl_buf_init(&buf, 5);
    sl_buf_puts(&buf, "12345");
    assert_ok(sl_buf_check(&buf, &error));
    sl_buf_putc(&buf, '6');
    assert_status(sl_buf_check(&buf, &error), SL_ERR_LIMIT);
    assert_says("5");
    sl_buf_release(&buf);

    sl_buf_init(&buf, 0);
    sl_buf_puts(&buf, "");
    assert_ok(sl_buf_check(&buf, &error));
    sl_buf_puts(&buf, "x");
    assert_status(sl_buf_check(&buf, &error), SL_ERR_LIMIT);
    sl_buf_release(&buf);
}

static void buf_failure_is_sticky(void **state)
{
    (void)state;
    struct sl_error error = {SL_OK, ""};
    struct sl_buf buf;
    sl_buf_init(&buf, 4);
    sl_buf_puts(&buf, "ab");
    sl_buf_puts(&buf, "cde"); /* too much: nothing of it is taken */
    sl_buf_puts(&buf, "c");   /* would fit, and is not taken either */
    sl_buf_printf(&buf, "%d", 1);
    sl_buf_json(&buf, SL_LIT("x"));
    assert_view(sl_buf_view(&buf), "ab");
    assert_status(sl_buf_check(&buf, &error), SL_ERR_LIMIT);
    sl_buf_release(&buf); /* usable again */
    sl_buf_puts(&buf, "abcd");
    assert_ok(sl_buf_check(&buf, &error));
    sl_buf_release(&buf);
}

static void plain_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *plain;
    } cases[] = {
        {"a\tb\n", "a\tb\n"},
        {"\x1b[31m\x07\r\x7f", "?[31m???"},
        {"\xc2\x9b\xc2\xa0", "??\xc2\xa0"},
        {"\xe2\x80\xae\xe2\x80\xa8\xe2\x81\xa6\xe2\x80\xa6",
         "?????????\xe2\x80\xa6"},
        {"\xff\xc3z\xc3\xa9", "??z\xc3\xa9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32];
        int n = snprintf(text, sizeof text, "%s", cases[i].text);
        sl_plain(text, (size_t)n);
        assert_string_equal(text, cases[i].plain);
    }
    struct sl_buf buf;
    sl_buf_init(&buf, 64);
    sl_buf_json(&buf, SL_LIT("\xc2\x9b\xe2\x80\xae"));
    assert_string_equal(buf.ptr, "\\u009b\\u202e");
    sl_buf_release(&buf);
}

static void json_escapes(void **state)
{
    (void)state;
    static const struct {
        struct sl_view text;
        const char *expected;
    } cases[] = {
        {BYTES("plain"), "plain"},
        {BYTES("\"\\/"), "\\\"\\\\/"},
        {BYTES("a\nb\tc\rd"), "a\\nb\\tc\\u000dd"},
        {BYTES("\x01\x1f\x7f"), "\\u0001\\u001f\\u007f"},
        {{"a\0b", 3}, "a\\u0000b"},
        {BYTES("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
         "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
        {BYTES("\xff"), "\xef\xbf\xbd"},
        {BYTES("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {BYTES("x\xe2\x82"), "x\xef\xbf\xbd\xef\xbf\xbd"},
        {BYTES("\xc0\x80"), "\xef\xbf\xbd\xef\xbf\xbd"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_buf buf;
        sl_buf_init(&buf, 1000);
        sl_buf_json(&buf, cases[i].text);
        assert_view(sl_buf_view(&buf), cases[i].expected);
        sl_buf_release(&buf);
    }
}

static void arena_is_zeroed_and_aligned(void **state)
{
    (void)state;
    for (size_t size = 1; size < 300; size += 7) {
        unsigned char *memory = sl_arena_alloc(&test_arena, size);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0xff, size);
    }
    assert_non_null(sl_arena_alloc(&test_arena, 1u << 20));
}

static void arena_cap_holds(void **state)
{
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena, 1000);
    assert_null(sl_arena_alloc(&arena, 1001));
    assert_non_null(sl_arena_alloc(&arena, 900));
    assert_null(sl_arena_alloc(&arena, 200));
    assert_null(sl_arena_alloc(&arena, SIZE_MAX));
    assert_true(arena.used <= arena.max);
    assert_null(sl_arena_copy(&arena, test_repeat("x", 100)).ptr);
    sl_arena_release(&arena);
    assert_non_null(sl_arena_alloc(&arena, 1000)); /* the cap counts anew */
    assert_null(sl_arena_alloc(&arena, 1));
    sl_arena_release(&arena);
}

static void arena_grow_keeps_elements(void **state)
{
    (void)state;
    unsigned *numbers = NULL;
    size_t cap = 0;
    for (unsigned i = 0; i < 5000; i++) {
        numbers = sl_arena_grow(&test_arena, numbers, sizeof *numbers, i, &cap);
        assert_non_null(numbers);
        numbers[i] = i;
    }
    for (unsigned i = 0; i < 5000; i++)
        assert_int_equal(numbers[i], i);
    struct sl_arena small;
    sl_arena_init(&small, 100);
    cap = 0;
    assert_null(sl_arena_grow(&small, NULL, 64, 0, &cap));
    assert_int_equal(cap, 0);
    sl_arena_release(&small);
}

static void map_finds_every_key(void **state)
{
    (void)state;
    struct sl_map map;
    sl_map_init(&map, &test_arena);
    assert_null(sl_map_get(&map, SL_LIT("none")));
    for (size_t i = 0; i < 5000; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "key-%zu", i);
        bool added = false;
        size_t *value = sl_map_put(
            &map, sl_arena_copy(&test_arena, sl_view_of(text)), i, &added);
        assert_non_null(value);
        assert_true(added);
        assert_int_equal(*value, i);
    }
    for (size_t i = 0; i < 5000; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "key-%zu", i);
        bool added = true;
        size_t *value = sl_map_put(&map, sl_view_of(text), 99999, &added);
        assert_false(added);
        assert_int_equal(*value, i); /* the first value stays */
        *value = i + 1;
        assert_int_equal(*sl_map_get(&map, sl_view_of(text)), i + 1);
    }
    assert_int_equal(map.len, 5000);
    assert_null(sl_map_get(&map, SL_LIT("key-5000")));
}

static void map_takes_the_empty_key_and_nul_bytes(void **state)
{
    (void)state;
    struct sl_map map;
    sl_map_init(&map, &test_arena);
    assert_non_null(sl_map_put(&map, (struct sl_view){NULL, 0}, 1, NULL));
    assert_int_equal(*sl_map_get(&map, SL_LIT("")), 1);
    assert_non_null(sl_map_put(&map, (struct sl_view){"a\0b", 3}, 2, NULL));
    assert_null(sl_map_get(&map, SL_LIT("a")));
    assert_int_equal(*sl_map_get(&map, (struct sl_view){"a\0b", 3}), 2);
}

static void map_says_when_memory_is_used_up(void **state)
{
    (void)state;
    struct sl_arena small;
    sl_arena_init(&small, 1200);
    struct sl_map map;
    sl_map_init(&map, &small);
    char keys[100][8];
    size_t stored = 0;
    for (size_t i = 0; i < 100; i++) {
        (void)snprintf(keys[i], sizeof keys[i], "%zu", i);
        if (!sl_map_put(&map, sl_view_of(keys[i]), i, NULL))
            break;
        stored++;
    }
    assert_true(stored > 0 && stored < 100);
    for (size_t i = 0; i < stored; i++) /* and what is in it stays in it */
        assert_int_equal(*sl_map_get(&map, sl_view_of(keys[i])), i);
    sl_arena_release(&small);
}

static void utf8_table(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length; /* of the sequence at 0 */
    } cases[] = {
        {"a", 1},
        {"\x7f", 1},
        {"\xc2\x80", 2},
        {"\xdf\xbf", 2},
        {"\xe0\xa0\x80", 3},
        {"\xed\x9f\xbf", 3},
        {"\xee\x80\x80", 3},
        {"\xef\xbf\xbf", 3},
        {"\xf0\x90\x80\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        /* a stray continuation, and bytes that never occur */
        {"\x80", 0},
        {"\xbf", 0},
        {"\xfe", 0},
        {"\xff", 0},
        {"\xf5\x80\x80\x80", 0},
        {"\xf8\x88\x80\x80\x80", 0},
        /* overlong forms */
        {"\xc0\x80", 0},
        {"\xc0\xaf", 0},
        {"\xc1\xbf", 0},
        {"\xe0\x80\x80", 0},
        {"\xe0\x9f\xbf", 0},
        {"\xf0\x80\x80\x80", 0},
        {"\xf0\x8f\xbf\xbf", 0},
        /* surrogates, and past U+10FFFF */
        {"\xed\xa0\x80", 0},
        {"\xed\xaf\xbf", 0},
        {"\xed\xb0\x80", 0},
        {"\xed\xbf\xbf", 0},
        {"\xf4\x90\x80\x80", 0},
        /* cut off */
        {"\xc2", 0},
        {"\xe2\x82", 0},
        {"\xf0\x9f\x98", 0},
        {"\xe2\x28\xa1", 0},
        {"\xf0\x9f\x98\x28", 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_view v = sl_view_of(cases[i].bytes);
        assert_case(sl_utf8_length(v, 0) == cases[i].length, cases[i].bytes);
        assert_case((sl_utf8_invalid(v) == SIZE_MAX) == (cases[i].length != 0),
                    cases[i].bytes);
    }
    assert_int_equal(sl_utf8_length(SL_LIT(""), 0), 0);
    assert_int_equal(sl_utf8_invalid(SL_LIT("")), SIZE_MAX);
    assert_int_equal(sl_utf8_invalid(SL_LIT("ab\xc3\xa9\xc3")), 4);
    assert_int_equal(sl_utf8_invalid((struct sl_view){"a\0b", 3}), SIZE_MAX);
}

static void errors_are_capped(void **state)
{
    (void)state;
    struct sl_error error = {SL_OK, ""};
    struct sl_view longer = test_repeat("x", 2000);
    assert_int_equal(
        sl_error_set(&error, SL_ERR_SYNTAX, "%.*s", SL_ARG(longer)),
        SL_ERR_SYNTAX);
    assert_int_equal(error.status, SL_ERR_SYNTAX);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(sl_error_set(NULL, SL_ERR_IO, "nobody reads it"),
                     SL_ERR_IO);
    assert_int_equal(sl_error_nomem(&error), SL_ERR_NOMEM);
}

/* The owner of an arena can tell its cap from a machine without memory. */
static void arena_explains(void **state)
{
    (void)state;
    struct sl_error error = {SL_OK, ""};
    struct sl_arena arena;
    sl_arena_init(&arena, 1000);
    assert_non_null(sl_arena_alloc(&arena, 900));
    assert_int_equal(sl_arena_explain(&arena, SL_OK, &error), SL_OK);
    assert_int_equal(
        sl_arena_explain(&arena, sl_error_nomem(&error), &error),
        SL_ERR_NOMEM); /* somebody else's memory */
    assert_null(sl_arena_alloc(&arena, 900));
    assert_int_equal(sl_arena_explain(&arena, SL_ERR_IO, &error), SL_ERR_IO);
    assert_int_equal(
        sl_arena_explain(&arena, sl_error_nomem(&error), &error),
        SL_ERR_LIMIT);
    assert_says("more than 1000 bytes");
    sl_arena_release(&arena);
}

/* What was taken after a mark is given back, and comes zeroed again. */
static void arena_marks(void **state)
{
    (void)state;
    struct sl_arena arena;
    sl_arena_init(&arena, 1u << 20);
    struct sl_arena_mark empty = sl_arena_mark(&arena);
    char *kept = sl_arena_alloc(&arena, 10);
    kept[0] = 'k';
    struct sl_arena_mark mark = sl_arena_mark(&arena);
    for (int round = 0; round < 3; round++) {
        char *small = sl_arena_alloc(&arena, 100);
        char *large = sl_arena_alloc(&arena, 200000);
        assert_non_null(large);
        for (int i = 0; i < 100; i++)
            assert_int_equal(small[i], 0);
        memset(small, 'x', 100);
        memset(large, 'x', 200000);
        assert_null(sl_arena_alloc(&arena, 1u << 20));
        assert_true(arena.capped);
        sl_arena_rewind(&arena, mark);
        assert_int_equal(arena.used, mark.used);
        assert_false(arena.capped);
        assert_int_equal(kept[0], 'k');
    }
    sl_arena_rewind(&arena, empty);
    assert_null(arena.last);
    assert_int_equal(arena.used, 0);
    sl_arena_release(&arena);
}

/* Whatever names are quoted and wherever they are cut, a message is UTF-8. */
static void error_messages_are_text(void **state)
{
    (void)state;
    struct sl_error error;
    struct sl_view name = SL_LIT("a\xe2\x82\xac");
    for (size_t n = 1; n <= name.len; n++) {
        (void)sl_error_set(&error, SL_ERR_IO, "no '%.*s' here",
                           SL_ARG(sl_view_sub(name, 0, n)));
        assert_int_equal(sl_utf8_invalid(sl_view_of(error.message)), SIZE_MAX);
    }
    assert_view(sl_view_of(error.message), "no 'a\xe2\x82\xac' here");
    (void)sl_error_set(&error, SL_ERR_IO, "%1023s\xe2\x82\xac", "\xff");
    assert_int_equal(sl_utf8_invalid(sl_view_of(error.message)), SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(error_messages_are_text),
        TEST(view_of_null_is_empty),
        TEST(view_sub_stays_inside),
        TEST(view_order_is_bytewise),
        TEST(view_prefix_and_suffix),
        TEST(view_trim_takes_ascii_space_only),
        TEST(view_find_from),
        TEST(view_cut_gives_every_piece),
        TEST(view_line_takes_one_carriage_return),
        TEST(view_numbers),
        TEST(view_hex),
        TEST(buf_holds_what_was_added),
        TEST(buf_cap_is_exact),
        TEST(buf_failure_is_sticky),
        TEST(plain_text),
        TEST(json_escapes),
        TEST(arena_is_zeroed_and_aligned),
        TEST(arena_cap_holds),
        TEST(arena_grow_keeps_elements),
        TEST(arena_explains),
        TEST(map_finds_every_key),
        TEST(map_takes_the_empty_key_and_nul_bytes),
        TEST(map_says_when_memory_is_used_up),
        TEST(utf8_table),
        TEST(errors_are_capped),
        TEST(arena_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
