/* json: strict reading. */
#include "test.h"

#include <string.h>

#include "json/json.h"

static struct sl_error error;

static void integers(void **state)
{
    (void)state;
    int64_t n;
    static const struct {
        const char *text;
        bool is;
        int64_t value;
    } numbers[] = {
        {"[4096.0]", true, 4096}, {"[-1e3]", true, -1000}, {"[0.0]", true, 0},
        {"[9007199254740992.0]", true, 9007199254740992},
        {"[9007199254740994.0]", false, 0}, {"[1e300]", false, 0},
        {"[-0.5]", false, 0}, {"[9223372036854775807]", true, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sl_json *list;
        assert_ok(sl_json_parse(sl_view_of(numbers[i].text), &list, &error));
        bool is = sl_json_integer(sl_json_at(list, 0), &n);
        assert_int_equal(is, numbers[i].is);
        if (is)
            assert_true(n == numbers[i].value);
        sl_json_release(list);
    }
}

static void values(void **state)
{
    (void)state;
    struct sl_json *root;
    assert_ok(sl_json_parse(
        SL_LIT("{\"text\": \"\\u00e9\", \"n\": -7, \"x\": 1.5, \"yes\": true,"
               " \"none\": null, \"list\": [1, \"b\"], \"map\": {\"k\": {}}}"),
        &root, &error));
    assert_true(sl_json_is_object(root));
    assert_int_equal(sl_json_count(root), 7);
    assert_view(sl_json_member(root, "text"), "\xc3\xa9");
    int64_t n;
    double x;
    bool yes;
    struct sl_view text;
    assert_true(sl_json_integer(sl_json_get(root, "n"), &n));
    assert_true(n == -7);
    assert_false(sl_json_integer(sl_json_get(root, "x"), &n));
    assert_true(sl_json_real(sl_json_get(root, "x"), &x));
    assert_true(x > 1.4 && x < 1.6);
    assert_true(sl_json_real(sl_json_get(root, "n"), &x));
    assert_true(sl_json_bool(sl_json_get(root, "yes"), &yes) && yes);
    assert_false(sl_json_bool(sl_json_get(root, "n"), &yes));
    assert_true(sl_json_is_null(sl_json_get(root, "none")));
    const struct sl_json *list = sl_json_get(root, "list");
    assert_true(sl_json_is_array(list));
    assert_int_equal(sl_json_count(list), 2);
    assert_true(sl_json_text(sl_json_at(list, 1), &text));
    assert_view(text, "b");
    assert_null(sl_json_at(list, 2));
    assert_non_null(sl_json_get(sl_json_get(root, "map"), "k"));
    sl_json_release(root);
}

static void what_is_not_there(void **state)
{
    (void)state;
    int64_t n = 5;
    struct sl_view text;
    assert_null(sl_json_get(NULL, "x"));
    assert_null(sl_json_at(NULL, 0));
    assert_int_equal(sl_json_count(NULL), 0);
    assert_false(sl_json_is_object(NULL));
    assert_false(sl_json_is_null(NULL));
    assert_false(sl_json_text(NULL, &text));
    assert_false(sl_json_integer(NULL, &n));
    assert_true(n == 5);
    assert_null(sl_json_member(NULL, "x").ptr);
    sl_json_release(NULL);
}

static void malformed(void **state)
{
    (void)state;
    static const struct sl_view texts[] = {
        BYTES(""),
        BYTES(" "),
        BYTES("{"),
        BYTES("{}x"),
        BYTES("{} {}"),
        BYTES("[1,]"),
        BYTES("{\"a\":1,}"),
        BYTES("{'a':1}"),
        BYTES("{\"a\":1,\"a\":2}"),
        BYTES("[01]"),
        BYTES("[+1]"),
        BYTES("[NaN]"),
        BYTES("[1e999]"),
        BYTES("[\"\xff\"]"),
        BYTES("[\"\\ud800\"]"),
        BYTES("[\"a\nb\"]"),
        BYTES("[\"\\u0000\"]"),
        BYTES("[\"a\0b\"]"),
        BYTES("// note\n{}"),
        BYTES("\xef\xbb\xbf{}"),
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct sl_json *root = NULL;
        enum sl_status status = sl_json_parse(texts[i], &root, &error);
        assert_case(status == SL_ERR_SYNTAX, texts[i].ptr);
        assert_case(root == NULL, texts[i].ptr);
        assert_says("line 1: ");
    }
    struct sl_json *root;
    assert_status(sl_json_parse(SL_LIT("{\n\"a\": 1,\n}"), &root, &error),
                  SL_ERR_SYNTAX);
    assert_says("line 3: ");
    assert_status(sl_json_parse(test_repeat("[", 100000), &root, &error),
                  SL_ERR_SYNTAX);
}

static void writing(void **state)
{
    (void)state;
    static const char text[] =
        "{\"b\":[1,-2.5,true,null,\"\\u0001\\n\\\"\xc3\xa9\"],\"a\":{}}";
    struct sl_json *root;
    struct sl_buf out;
    sl_buf_init(&out, 1000);
    assert_ok(sl_json_parse(sl_view_of(text), &root, &error));
    struct sl_json *kept = sl_json_keep(sl_json_get(root, "b"));
    sl_json_put(&out, root);
    assert_view(sl_buf_view(&out), text);
    sl_json_release(root);
    sl_buf_truncate(&out, 0);
    sl_json_put(&out, sl_json_at(kept, 0)); /* it outlives its document */
    assert_view(sl_buf_view(&out), "1");
    out.max = 2;
    sl_json_put(&out, kept);
    assert_int_equal(out.failed, SL_ERR_LIMIT);
    sl_json_release(kept);
    sl_buf_release(&out);
}

static void nul(void **state)
{
    (void)state;
    struct sl_json *root;
    struct sl_view text;
    assert_ok(sl_json_parse_nul(SL_LIT("[\"a\\u0000b\"]"), &root, &error));
    assert_true(sl_json_text(sl_json_at(root, 0), &text));
    assert_int_equal(text.len, 3);
    sl_json_release(root);
    assert_status(sl_json_parse_nul(SL_LIT("{\"a\\u0000\":1}"), &root, &error),
                  SL_ERR_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(values),
        TEST(integers),
        TEST(what_is_not_there),
        TEST(malformed),
        TEST(writing),
        TEST(nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
