/* text: SHA-256, hashes of lines, slugs. */
#include "test.h"

#include <string.h>

#include "text/hash.h"
#include "text/slug.h"
#include "text/unicode.h"

static struct sl_error error;

static void sha256_known_vectors(void **state)
{
    (void)state;
    /* FIPS 180-4 examples, and a million times 'a' */
    static const struct {
        const char *text;
        size_t times;
        const char *hex;
    } cases[] = {
        {"", 1,
         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1,
         "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"a", 1000000,
         "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char hex[65];
        assert_ok(sl_sha256_hex(test_repeat(cases[i].text, cases[i].times), hex,
                                &error));
        assert_string_equal(hex, cases[i].hex);
    }
    char hex[65];
    assert_ok(sl_sha256_hex((struct sl_view){"\0", 1}, hex, &error));
    assert_string_equal(
        hex,
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
}

static void lines_that_are_one(void **state)
{
    (void)state;
    static const char *const groups[][6] = {
        {"int x = 1;", "    int x = 1;", "\tint x = 1;  ", "int x = 1;\r",
         "int  x\t=   1;", "int x\v=\f1;"},
        {"", " ", "\t\t", "\r", " \r\n", "\n"},
        {"}", "  }", "}\r", "\t}", "} ", "\t } \t"},
    };
    for (size_t g = 0; g < COUNT(groups); g++)
        for (size_t i = 1; i < COUNT(groups[g]); i++)
            assert_case(sl_line_hash(sl_view_of(groups[g][i])) ==
                            sl_line_hash(sl_view_of(groups[g][0])),
                        groups[g][i]);
}

static void lines_that_differ(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",        "int x = 1;", "int x= 1;",  "int x=1;", "intx = 1;",
        "INT x = 1;", "int x = 2;", "int y = 1;", "int x = 1", "{", "}", "x x",
        "xx",      "\xc2\xa0",   "\xc3\xa9",   "e",
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        for (size_t j = i + 1; j < COUNT(lines); j++)
            assert_case(sl_line_hash(sl_view_of(lines[i])) !=
                            sl_line_hash(sl_view_of(lines[j])),
                        lines[i]);
    assert_true(sl_line_hash((struct sl_view){"a\0b", 3}) !=
                sl_line_hash(SL_LIT("a")));
}

static void long_lines_fold_like_short_ones(void **state)
{
    (void)state;
    /* folding works in pieces of 256 bytes: go over every border */
    for (size_t n = 120; n < 300; n++) {
        struct sl_view folded = test_repeat("a b", n);
        struct sl_view loose = test_repeat("a \t b", n);
        assert_true(sl_line_hash(folded) == sl_line_hash(loose));
        folded.len--;
        assert_true(sl_line_hash(folded) != sl_line_hash(loose));
    }
}

/* Stays as it is, or every lock and manifest in the world is wrong. */
static void line_hash_is_xxh3(void **state)
{
    (void)state;
    assert_true(sl_line_hash(SL_LIT("")) == 0x2d06800538d394c2u);
    assert_true(sl_line_hash(SL_LIT("  a\t b")) == sl_line_hash(SL_LIT("a b")));
}

static void slugs(void **state)
{
    (void)state;
    /* made with GitHub's rule: lower case; \p{Word}, '-' and ' ' stay */
    static const struct {
        const char *heading, *slug;
    } cases[] = {
        {"Overview", "overview"},
        {"Two words", "two-words"},
        {"`nvshmem_quiet` completes, `nvshmem_fence` only orders",
         "nvshmem_quiet-completes-nvshmem_fence-only-orders"},
        {"What is C++?", "what-is-c"},
        {"a - b", "a---b"},
        {"a/b & c", "ab--c"},
        {"3.4.5 and later", "345-and-later"},
        {"Fence or quiet: what does each give?",
         "fence-or-quiet-what-does-each-give"},
        {"snake_case-and-dash", "snake_case-and-dash"},
        {"a  b", "a--b"},
        {"\"quoted\" (really)", "quoted-really"},
        {"\xc3\x89t\xc3\xa9", "\xc3\xa9t\xc3\xa9"},          /* Été */
        {"\xce\x94 delta", "\xce\xb4-delta"},                /* Δ */
        {"\xe6\x97\xa5\xe6\x9c\xac", "\xe6\x97\xa5\xe6\x9c\xac"}, /* 日本 */
        {"\xf0\x9f\x98\x80 smile", "-smile"},                /* an emoji goes */
        {"em\xe2\x80\x94" "dash", "emdash"},
        {"x\xcc\x81", "x\xcc\x81"},                          /* a mark stays */
        {"no\xc2\xa0" "break", "nobreak"},
        {"tab\there", "tabhere"},
        {"100 % of \xc2\xb5s", "100--of-\xc2\xb5s"},
        {"", ""},
        {"!!!", ""},
        {"bad\xff" "byte\xc3", "badbyte"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_buf out;
        sl_buf_init(&out, 1000);
        sl_slug(&out, sl_view_of(cases[i].heading));
        assert_view(sl_buf_view(&out), cases[i].slug);
        sl_buf_release(&out);
    }
}

static void slug_of_a_slug_is_itself(void **state)
{
    (void)state;
    struct sl_buf once, twice;
    sl_buf_init(&once, 1u << 16);
    sl_buf_init(&twice, 1u << 16);
    uint64_t seed = 1;
    for (int n = 0; n < 500; n++) {
        char heading[64];
        for (size_t i = 0; i < sizeof heading; i++)
            heading[i] = (char)test_random(&seed);
        sl_buf_truncate(&once, 0);
        sl_buf_truncate(&twice, 0);
        sl_slug(&once, (struct sl_view){heading, sizeof heading});
        sl_slug(&twice, sl_buf_view(&once));
        assert_true(sl_view_eq(sl_buf_view(&once), sl_buf_view(&twice)));
    }
    sl_buf_release(&once);
    sl_buf_release(&twice);
}

static void normal_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *normal;
    } cases[] = {
        {"", ""},
        {"abc", "abc"},
        {"cafe\xcc\x81", "caf\xc3\xa9"},
        {"o\xef\xac\x83"
         "ce",
         "office"},
        {"\xef\xbd\x81", "a"},
        {"x\xc2\xb2", "x2"},
    };
    struct sl_view normal;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_ok(sl_unicode_nfkc(&test_arena, sl_view_of(cases[i].text),
                                  &normal, &error));
        assert_view(normal, cases[i].normal);
    }
    assert_status(
        sl_unicode_nfkc(&test_arena, SL_LIT("a\xff"), &normal, &error),
        SL_ERR_SYNTAX);
}

static void names(void **state)
{
    (void)state;
    assert_int_equal(sl_unicode_count(SL_LIT("")), 0);
    assert_int_equal(sl_unicode_count(SL_LIT("a\xc3\xbc\xf0\x9f\x98\x80")), 3);
    assert_view(sl_unicode_trim(SL_LIT(" \t\xc2\xa0"
                                       "a b\xe3\x80\x80\x1f\n")),
                "a b");
    assert_view(sl_unicode_trim(SL_LIT("\xe2\x80\xa8 \xc2\x85")), "");
    assert_view(sl_unicode_trim((struct sl_view){NULL, 0}), "");
    assert_true(sl_unicode_is_lower(SL_LIT("a-1\xc3\xbc")));
    assert_false(sl_unicode_is_lower(SL_LIT("aB")));
    assert_false(sl_unicode_is_lower(SL_LIT("\xc3\x9c")));
    assert_true(sl_unicode_is_kebab(SL_LIT("a-1\xe6\x8a\x80")));
    assert_false(sl_unicode_is_kebab(SL_LIT("a_b")));
    assert_false(sl_unicode_is_kebab(SL_LIT("a b")));
    assert_false(sl_unicode_is_kebab(SL_LIT("\xf0\x9f\x98\x80")));
    assert_false(sl_unicode_is_kebab(SL_LIT("a\xff")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sha256_known_vectors),
        TEST(lines_that_are_one),
        TEST(lines_that_differ),
        TEST(long_lines_fold_like_short_ones),
        TEST(line_hash_is_xxh3),
        TEST(slugs),
        TEST(slug_of_a_slug_is_itself),
        TEST(normal_form),
        TEST(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
