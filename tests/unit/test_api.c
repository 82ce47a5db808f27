/* api: reading the table, releases, globs, families, differences, names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "api/classify.h"
#include "api/diff.h"
#include "api/symbols.h"
#include "base/limits.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct sl_arena arena;
static struct sl_error error;

static int make(void **state)
{
    (void)state;
    sl_arena_init(&arena, 64u << 20);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    sl_arena_release(&arena);
    return 0;
}

static void assert_text(struct sl_view text, const char *expected)
{
    if (!sl_view_is(text, expected))
        fail_msg("'%.*s' is not '%s'", SL_ARG(text), expected);
}

#define HEADER                                                                 \
    "name\tfamily\tkind\towner\tspace\tscope\tblocking\tfirst\tlast\trelease"  \
    "\ttemplate\tinstantiation\ttypelist\tsignature\n"
#define REST "\tfunction\tnvshmem\thost\t-\t-"

static const char symbols_text[] =
    HEADER "nvshmem_a\tnvshmem_a" REST
           "\t<=1.2.9\t-\t1.2.9\t-\tx.h:1\t-\tvoid ()\n"
           "nvshmem_b\tnvshmem_b" REST
           "\t1.2.10\t1.3.0\t1.3.0\t-\tx.h:2\t-\tvoid (int x)\n"
           "nvshmem_float_p\tnvshmem_TYPE_p" REST
           "\t<=1.2.9\t-\t1.2.9\tx.h:3\tx.h:4\tx.h:5\tvoid (float x)\n"
           "nvshmem_int_p\tnvshmem_TYPE_p" REST
           "\t<=1.2.9\t-\t1.2.9\tx.h:3\tx.h:4\tx.h:6\tvoid (int x)\n";
/* nvshmem_a was away in 1.2.10; nvshmem_int_p changed in 2.0.0 */
static const char signatures_text[] =
    "name\tfirst\tlast\tsignature\n"
    "nvshmem_a\t<=1.2.9\t1.2.9\tvoid ()\n"
    "nvshmem_a\t1.3.0\t-\tvoid ()\n"
    "nvshmem_int_p\t<=1.2.9\t1.3.0\tvoid (int x)\n"
    "nvshmem_int_p\t2.0.0\t-\tvoid (long x)\n";
static const char packages_text[] =
    "package\tversion\tfile\tbytes\tsha256\n"
    "p12\t1.2.10\tf\t1\ta\np12\t1.2.9\tf\t1\ta\np12\t2.0.0\tf\t1\ta\n"
    "p12\t1.3.0\tf\t1\ta\np13\t1.3.0\tf\t1\ta\n";

static void parse(struct sl_symbols *symbols)
{
    enum sl_status status = sl_symbols_parse(
        &arena, sl_view_of(symbols_text), sl_view_of(signatures_text),
        sl_view_of(packages_text), symbols, &error);
    if (status)
        fail_msg("%s", error.message);
}

static void releases(void **state)
{
    (void)state;
    static const char *const ascending[] = {"1.2.9", "1.2.10", "1.3", "1.3.0",
                                            "2.0.0", "10.0.0"};
    for (size_t i = 0; i < COUNT(ascending); i++)
        for (size_t k = 0; k < COUNT(ascending); k++) {
            int order = sl_release_cmp(sl_view_of(ascending[i]),
                                       sl_view_of(ascending[k]));
            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
    assert_int_equal(sl_release_cmp(SL_LIT("<=3.1.7"), SL_LIT("3.1.7")), 0);
    struct sl_symbols symbols;
    parse(&symbols);
    assert_int_equal(symbols.release_count, 4);
    assert_text(symbols.releases[0], "1.2.9");
    assert_text(symbols.releases[1], "1.2.10");
    assert_text(symbols.releases[3], "2.0.0");
    assert_text(sl_symbols_release(&symbols, SL_LIT("1.3.0")), "1.3.0");
    assert_int_equal(sl_symbols_release(&symbols, SL_LIT("9")).len, 0);
}

static void presence(void **state)
{
    (void)state;
    static const struct {
        const char *name, *release, *signature; /* NULL: not in it */
    } cases[] = {
        {"nvshmem_a", "1.2.9", "void ()"},
        {"nvshmem_a", "1.2.10", NULL},
        {"nvshmem_a", "1.3.0", "void ()"},
        {"nvshmem_a", "2.0.0", "void ()"},
        {"nvshmem_b", "1.2.9", NULL},
        {"nvshmem_b", "1.2.10", "void (int x)"},
        {"nvshmem_b", "1.3.0", "void (int x)"},
        {"nvshmem_b", "2.0.0", NULL},
        {"nvshmem_float_p", "2.0.0", "void (float x)"},
        {"nvshmem_int_p", "1.3.0", "void (int x)"},
        {"nvshmem_int_p", "2.0.0", "void (long x)"},
    };
    struct sl_symbols symbols;
    parse(&symbols);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct sl_symbol *symbol =
            sl_symbols_find(&symbols, sl_view_of(cases[i].name));
        assert_non_null(symbol);
        struct sl_view signature = SL_LIT("untouched");
        bool is_in = sl_symbol_in(&symbols, symbol,
                                  sl_view_of(cases[i].release), &signature);
        assert_int_equal(is_in, cases[i].signature != NULL);
        assert_text(signature,
                    cases[i].signature ? cases[i].signature : "untouched");
    }
    assert_null(sl_symbols_find(&symbols, SL_LIT("nvshmem_")));
}

static void lists(void **state)
{
    (void)state;
    struct sl_symbols symbols;
    const struct sl_symbol **found;
    size_t count;
    parse(&symbols);
    assert_int_equal(sl_symbols_glob(&arena, &symbols, "nvshmem_*_p", &found,
                                     &count, &error),
                     SL_OK);
    assert_int_equal(count, 2);
    assert_text(found[0]->name, "nvshmem_float_p");
    assert_int_equal(sl_symbols_glob(&arena, &symbols, "NVSHMEM_*", &found,
                                     &count, &error),
                     SL_OK);
    assert_int_equal(count, 0);
    assert_int_equal(sl_symbols_family(&arena, &symbols,
                                       SL_LIT("nvshmem_TYPE_p"), &found, &count,
                                       &error),
                     SL_OK);
    assert_int_equal(count, 2);
    assert_text(found[1]->name, "nvshmem_int_p");
    char pattern[SL_MAX_TOKEN + 2];
    memset(pattern, '*', sizeof pattern - 1);
    pattern[sizeof pattern - 1] = '\0';
    assert_int_equal(
        sl_symbols_glob(&arena, &symbols, pattern, &found, &count, &error),
        SL_ERR_LIMIT);
}

static void differences(void **state)
{
    (void)state;
    struct sl_symbols symbols;
    struct sl_changes changes;
    parse(&symbols);
    assert_int_equal(sl_api_diff(&arena, &symbols, SL_LIT("1.2.10"),
                                 SL_LIT("2.0.0"), &changes, &error),
                     SL_OK);
    assert_int_equal(changes.count, 3);
    assert_int_equal(changes.items[0].kind, SL_CHANGE_ADDED);
    assert_text(changes.items[0].symbol->name, "nvshmem_a");
    assert_int_equal(changes.items[1].kind, SL_CHANGE_REMOVED);
    assert_text(changes.items[1].before, "void (int x)");
    assert_int_equal(changes.items[2].kind, SL_CHANGE_SIGNATURE);
    assert_text(changes.items[2].after, "void (long x)");
    assert_int_equal(sl_api_diff(&arena, &symbols, SL_LIT("1.2.9"),
                                 SL_LIT("1.2.11"), &changes, &error),
                     SL_ERR_USAGE);
    assert_non_null(strstr(error.message, "1.2.9, 1.2.10, 1.3.0, 2.0.0"));
}

static void writing(void **state)
{
    (void)state;
    struct sl_symbols symbols;
    struct sl_buf out;
    parse(&symbols);
    sl_buf_init(&out, 1u << 20);
    sl_symbols_write(&out, &symbols);
    assert_text(sl_buf_view(&out), symbols_text);
    sl_buf_truncate(&out, 0);
    sl_signatures_write(&out, &symbols);
    assert_text(sl_buf_view(&out), signatures_text);
    sl_buf_release(&out);
}

static void refused(void **state)
{
    (void)state;
    static const char *const symbols[] = {
        "",
        "name\n",
        HEADER "nvshmem_a\n",
        HEADER "nvshmem_a\tf" REST "\t1\t-\t1\t-\t-\t-\n",
        HEADER "nvshmem_a\tf" REST "\t1\t-\t1\t-\t-\t-\ts\tmore\n",
        HEADER "\tf" REST "\t1\t-\t1\t-\t-\t-\ts\n",
        HEADER "a\tf\tthing\tnvshmem\thost\t-\t-\t1\t-\t1\t-\t-\t-\ts\n",
        HEADER "a\tf\tfunction\tproject\thost\t-\t-\t1\t-\t1\t-\t-\t-\ts\n",
        HEADER "b\tf" REST "\t1\t-\t1\t-\t-\t-\ts\n"
               "a\tf" REST "\t1\t-\t1\t-\t-\t-\ts\n",
        HEADER "a\tf" REST "\t1\t-\t1\t-\t-\t-\ts\n"
               "a\tf" REST "\t1\t-\t1\t-\t-\t-\ts\n",
    };
    struct sl_symbols parsed;
    for (size_t i = 0; i < COUNT(symbols); i++)
        assert_int_equal(sl_symbols_parse(&arena, sl_view_of(symbols[i]),
                                          SL_LIT(""), SL_LIT(""), &parsed,
                                          &error),
                         SL_ERR_SYNTAX);
    assert_int_equal(
        sl_symbols_parse(&arena, sl_view_of(symbols_text),
                         SL_LIT("name\tfirst\tlast\tsignature\nno\t1\t1\ts\n"),
                         SL_LIT(""), &parsed, &error),
        SL_ERR_SYNTAX);
    static const char *const packages[] = {
        "package\n",
        "package\tversion\tfile\tbytes\tsha256\np\t\tf\t1\ta\n",
        "package\tversion\tfile\tbytes\tsha256\np\t1.a\tf\t1\ta\n",
        "package\tversion\tfile\tbytes\tsha256\np\t1.2\tf\t1\n",
    };
    for (size_t i = 0; i < COUNT(packages); i++)
        assert_int_equal(sl_symbols_parse(&arena, sl_view_of(symbols_text),
                                          SL_LIT(""), sl_view_of(packages[i]),
                                          &parsed, &error),
                         SL_ERR_SYNTAX);
}

static void families(void **state)
{
    (void)state;
    static const struct {
        const char *name, *family;
    } cases[] = {
        {"nvshmem_float_put_nbi", "nvshmem_TYPE_put_nbi"},
        {"nvshmemx_uint64_put_signal_nbi_block",
         "nvshmemx_TYPE_put_signal_nbi_SCOPE"},
        {"nvshmem_iput64", "nvshmem_iputSIZE"},
        {"nvshmemx_put128_signal_nbi_warp",
         "nvshmemx_putSIZE_signal_nbi_SCOPE"},
        {"nvshmemx_qp_int_put_warp", "nvshmemx_qp_TYPE_put_SCOPE"},
        {"nvshmemx::tile_put_warpgroup", "nvshmemx::tile_put_SCOPE"},
        {"nvshmem_int_sum_reduce", "nvshmem_TYPE_sum_reduce"},
        {"nvshmem_init_thread", "nvshmem_init_thread"},
        {"nvshmem_put_size", "nvshmem_put_size"},
        {"nvshmem_size", "nvshmem_size"},
        {"nvshmemi_float_put", "nvshmemi_float_put"},
        {"nvshmem_", "nvshmem_"},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_buf out;
        sl_buf_init(&out, 256);
        sl_symbol_family(&out, sl_view_of(cases[i].name));
        assert_text(sl_buf_view(&out), cases[i].family);
        sl_buf_release(&out);
    }
}

static void marks(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum sl_symbol_space space;
        enum sl_symbol_scope scope;
        enum sl_symbol_blocking blocking;
    } cases[] = {
        {"nvshmem_float_put", SL_SPACE_BOTH, SL_SCOPE_THREAD, SL_BLOCKING_YES},
        {"nvshmem_putmem_nbi", SL_SPACE_BOTH, SL_SCOPE_THREAD, SL_BLOCKING_NO},
        {"nvshmemx_get64_warp", SL_SPACE_DEVICE, SL_SCOPE_WARP,
         SL_BLOCKING_YES},
        {"nvshmemx_qp_int_put_nbi_block", SL_SPACE_DEVICE, SL_SCOPE_BLOCK,
         SL_BLOCKING_NO},
        {"nvshmemx_int_p_on_stream", SL_SPACE_ON_STREAM, SL_SCOPE_NONE,
         SL_BLOCKING_YES},
        {"nvshmemx_get_uniqueid", SL_SPACE_HOST, SL_SCOPE_NONE,
         SL_BLOCKING_NONE},
        {"nvshmem_quiet", SL_SPACE_BOTH, SL_SCOPE_THREAD, SL_BLOCKING_NONE},
        {"nvshmem_int_wait_until", SL_SPACE_DEVICE, SL_SCOPE_THREAD,
         SL_BLOCKING_NONE},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_view name = sl_view_of(cases[i].name);
        assert_int_equal(sl_symbol_scope_of(name, cases[i].space),
                         cases[i].scope);
        assert_int_equal(sl_symbol_blocking_of(name, cases[i].space),
                         cases[i].blocking);
    }
}

static void owners(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum sl_symbol_kind kind;
        const char *path;
        enum sl_symbol_owner owner;
    } cases[] = {
        {"nvshmem_put", SL_KIND_FUNCTION, "host/a.h", SL_OWNER_NVSHMEM},
        {"nvshmem_put", SL_KIND_FUNCTION, "non_abi/a.h", SL_OWNER_INTERNAL},
        {"nvshmem_put", SL_KIND_FUNCTION, "device_host_transport/a.h",
         SL_OWNER_INTERNAL},
        {"NVSHMEM_CMP_EQ", SL_KIND_CONSTANT, "device_host_transport/a.h",
         SL_OWNER_NVSHMEM},
        {"nvshmemx_status", SL_KIND_TYPE, "non_abi/a.h", SL_OWNER_NVSHMEMX},
        {"NVSHMEM_X", SL_KIND_MACRO, "non_abi/a.h", SL_OWNER_INTERNAL},
        {"nvshmemx::Tensor", SL_KIND_TYPE, "device_host/a.h",
         SL_OWNER_NVSHMEMX},
        {"nvshmemx::NVSHMEMI_X", SL_KIND_CONSTANT, "device_host/a.h",
         SL_OWNER_INTERNAL},
        {"nvshmemi_put", SL_KIND_FUNCTION, "host/a.h", SL_OWNER_INTERNAL},
        {"threadgroup_t", SL_KIND_TYPE, "host/a.h", SL_OWNER_INTERNAL},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(sl_symbol_owner_of(sl_view_of(cases[i].name),
                                            cases[i].kind,
                                            sl_view_of(cases[i].path)),
                         cases[i].owner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(releases, make, drop),
        cmocka_unit_test_setup_teardown(presence, make, drop),
        cmocka_unit_test_setup_teardown(lists, make, drop),
        cmocka_unit_test_setup_teardown(differences, make, drop),
        cmocka_unit_test_setup_teardown(writing, make, drop),
        cmocka_unit_test_setup_teardown(refused, make, drop),
        cmocka_unit_test(families),
        cmocka_unit_test(marks),
        cmocka_unit_test(owners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
