/* search: words and parts, word lists, spelling distance. */
#include "test.h"

#include <string.h>

#include "base/limits.h"
#include "search/edit.h"
#include "search/tokenizer.h"
#include "search/words.h"

static struct sl_error error;

static const char *words_of(struct sl_view text)
{
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 20);
    size_t at = 0;
    struct sl_view word;
    while (sl_word_next(text, &at, &word)) {
        sl_buf_add(&buf, word);
        sl_buf_putc(&buf, ' ');
    }
    const char *copy = sl_arena_copy(&test_arena, sl_buf_view(&buf)).ptr;
    sl_buf_release(&buf);
    return copy;
}

static void words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", ""},
        {" .,;!?", ""},
        {"Why does it hang?", "Why does it hang "},
        {"nvshmem_put_nbi(a, b)", "nvshmem_put_nbi a b "},
        {"foo-bar/baz", "foo bar baz "},
        {"version 3.4.5.", "version 3.4.5 "},
        {"3.5-rc1", "3.5 rc1 "},
        {"a.b", "a b "},
        {"1.x", "1 x "},
        {".5 5.", "5 5 "},
        {"C++ code", "C++ code "},
        {"C+ +D", "C D "},
        {"a+++b", "a++ b "},
        {"9++", "9 "},
        {"\"quoted\" `code`", "quoted code "},
        {"caf\xc3\xa9 \xe2\x80\x94", "caf\xc3\xa9 \xe2\x80\x94 "},
        {"_x_ __", "_x_ __ "},
        {"don't", "don t "},
        {"std::atomic", "std atomic "},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(words_of(sl_view_of(cases[i].text)),
                            cases[i].words);
    assert_string_equal(words_of((struct sl_view){"a\0b", 3}), "a b ");
}

static void parts(void **state)
{
    (void)state;
    static const struct {
        const char *word, *parts;
        bool identifier;
    } cases[] = {
        {"plain", "plain ", false},
        {"nvshmem_put_nbi", "nvshmem put nbi ", true},
        {"NVSHMEM_QP_DEPTH", "NVSHMEM QP DEPTH ", true},
        {"cudaMemcpyAsync", "cuda Memcpy Async ", true},
        {"HTTPServer", "HTTP Server ", true},
        {"getHTTP", "get HTTP ", true},
        {"nvshmemx_putmem_block", "nvshmemx putmem block ", true},
        {"__syncthreads", "syncthreads ", true},
        {"x_", "x ", true},
        {"_", "", true},
        {"3.4.5", "3.4.5 ", false},
        {"9lives_x", "9lives x ", false},
        {"int32x4", "int32x4 ", false},
        {"GPU", "GPU ", false},
        {"GPUs", "GP Us ", true},
        {"", "", false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_view word = sl_view_of(cases[i].word);
        char got[256] = "";
        size_t at = 0;
        struct sl_view part;
        while (sl_part_next(word, &at, &part))
            (void)snprintf(got + strlen(got), sizeof got - strlen(got),
                           "%.*s ", SL_ARG(part));
        assert_string_equal(got, cases[i].parts);
        assert_case(sl_word_is_identifier(word) == cases[i].identifier,
                    cases[i].word);
    }
}

static void progress_on_any_bytes(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (unsigned n = 0; n < 5000; n++) {
        char text[64];
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = (char)test_random(&seed);
        struct sl_view all = {text, sizeof text};
        size_t at = 0, before = 0;
        struct sl_view word, part;
        while (sl_word_next(all, &at, &word)) {
            assert_true(at > before && at <= all.len);
            assert_true(word.len > 0 && word.ptr + word.len == text + at);
            before = at;
            size_t inner = 0, last = 0;
            while (sl_part_next(word, &inner, &part)) {
                assert_true(inner > last && part.len > 0);
                last = inner;
            }
        }
    }
}

static void distances(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        unsigned max, distance;
    } cases[] = {
        {"", "", 2, 0},
        {"", "ab", 2, 2},
        {"abc", "abc", 2, 0},
        {"abc", "ABC", 2, 0},
        {"nvshmem_quite", "nvshmem_quiet", 2, 1}, /* neighbours swapped */
        {"nvshmem_quit", "nvshmem_quiet", 2, 1},
        {"nvshmem_quiett", "nvshmem_quiet", 2, 1},
        {"nvshmem_qviet", "nvshmem_quiet", 2, 1},
        {"kitten", "sitting", 3, 3},
        {"kitten", "sitting", 2, 3}, /* more than max is max + 1 */
        {"abcdef", "ghijkl", 3, 4},
        {"a", "abcdefgh", 3, 4},
        {"ca", "abc", 5, 3}, /* a swapped pair is not edited again */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_view a = sl_view_of(cases[i].a), b = sl_view_of(cases[i].b);
        assert_int_equal(sl_edit_distance(a, b, cases[i].max),
                         cases[i].distance);
        assert_int_equal(sl_edit_distance(b, a, cases[i].max),
                         cases[i].distance);
    }
    struct sl_view longest = test_repeat("x", SL_MAX_TOKEN);
    struct sl_view longer = test_repeat("x", SL_MAX_TOKEN + 1);
    assert_int_equal(sl_edit_distance(longest, longest, 2), 0);
    assert_int_equal(sl_edit_distance(longer, longer, 2), 3);
}

static void word_lists(void **state)
{
    (void)state;
    struct sl_words lists;
    assert_ok(sl_words_load(&lists, &error));
    struct sl_view group = sl_words_group(&lists, SL_LIT("hang"));
    assert_true(sl_view_find(group, SL_LIT("deadlock"), 0) != SIZE_MAX);
    assert_true(sl_view_find(group, SL_LIT("hang"), 0) != SIZE_MAX);
    assert_int_equal(sl_words_group(&lists, SL_LIT("nowhere")).len, 0);
    assert_true(sl_words_is_stop(&lists, SL_LIT("the")));
    assert_false(sl_words_is_stop(&lists, SL_LIT("fence")));
    assert_true(sl_words_is_field(&lists, SL_LIT("openshmem")));
    assert_false(sl_words_is_field(&lists, SL_LIT("cooking")));
    sl_words_release(&lists);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(words), TEST(parts),      TEST(progress_on_any_bytes),
        TEST(distances), TEST(word_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
