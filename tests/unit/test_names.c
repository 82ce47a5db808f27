/* What the commands over the API's names are made of: tables, packs, budgets. */
#include "test.h"

#include <string.h>

#include "answer/corpus.h"
#include "answer/fit.h"
#include "answer/pack.h"
#include "answer/symbol.h"
#include "api/diff.h"
#include "api/users.h"
#include "base/limits.h"
#include "cite/manifest.h"
#include "kb/generated.h"
#include "kb/kb.h"
#include "os/file.h"
#include "search/index.h"
#include "tables/tables.h"
#include "text/hash.h"

static struct sl_error error;

#define SYMBOLS_HEADER \
    "name\tfamily\tkind\towner\tspace\tscope\tblocking\tfirst\tlast\t" \
    "release\ttemplate\tinstantiation\ttypelist\tsignature\n"
#define USAGE_HEADER \
    "source\tname\tkind\tlanguage\towner\thow\tvalue\tcount\tplaces\n"
#define ROW(name, family, owner, first, last) \
    name "\t" family "\tfunction\t" owner "\tdevice\tthread\t-\t" first "\t" \
    last "\t2.0\t-\ta.h:1\t-\tvoid (int x)\n"

static const char symbols_text[] = SYMBOLS_HEADER
    ROW("nvshmem_float_put", "nvshmem_TYPE_put", "nvshmem", "<=1.0", "-")
    ROW("nvshmem_int_put", "nvshmem_TYPE_put", "nvshmem", "<=1.0", "-")
    ROW("nvshmem_old", "nvshmem_old", "nvshmem", "<=1.0", "1.0")
    ROW("nvshmem_quiet", "nvshmem_quiet", "nvshmem", "2.0", "-")
    ROW("nvshmemi_quiet", "nvshmemi_quiet", "nvshmem-internal", "<=1.0", "-");
static const char usage_text[] = USAGE_HEADER
    "a\tnvshmem_quiet\tcall\tc\t-\t\t\t2\tx.cu:1@f x.cu:2\n"
    "a\tnvshmem_*_put\tmacro-body\tc\t-\t\t\t1\tx.cu:9\n"
    "b\tnvshmem_quiet\tcall\tc\tproject\t\t\t1\ty.cu:1\n"
    "b\tnvshmemi_quiet\treference\tc\t-\t\t\t1\ty.cu:2\n"
    "cab\tNVSHMEM_A\tenv-set\tc\t-\tsetenv\t8\t1\tz.cu:1\n"
    "cab\tnvshmem_quiet\treference\tc\t-\t\t\t1\tz.cu:2\n";

static struct sl_users users_of(const char *name)
{
    struct sl_users users;
    assert_ok(sl_users_parse(&test_arena, sl_view_of(usage_text),
                             sl_view_of(name), &users, &error));
    return users;
}

static void users_by_name(void **state)
{
    (void)state;
    assert_int_equal(users_of("").count, 6);
    struct sl_users users = users_of("nvshmem_quiet");
    assert_int_equal(users.count, 3);
    assert_view(users.items[0].source, "a");
    assert_int_equal(users.items[0].count, 2);
    assert_false(users.items[0].own);
    assert_true(users.items[1].own);
    /* a pasted name stands for all that it can be */
    assert_int_equal(users_of("nvshmem_float_put").count, 1);
    assert_int_equal(users_of("nvshmem_float_put_nbi").count, 0);
}

static void users_of_another_form(void **state)
{
    static const char *const bad[] = {
        "", "x\n", USAGE_HEADER "a\tb\n",
        USAGE_HEADER "a\tb\tcall\tc\t-\t\t\tmany\tp\n",
        USAGE_HEADER "\tb\tcall\tc\t-\t\t\t1\tp\n",
    };
    (void)state;
    struct sl_users users;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_status(sl_users_parse(&test_arena, sl_view_of(bad[i]),
                                     SL_LIT(""), &users, &error),
                      SL_ERR_SYNTAX);
}

static bool is_quiet(struct sl_view name, struct sl_view family,
                     const void *context)
{
    (void)context;
    return sl_view_eq(name, family) && sl_view_ends(name, "_quiet");
}

static void a_part_of_the_symbols(void **state)
{
    struct sl_symbols_text text = {
        sl_view_of(symbols_text),
        SL_LIT("name\tfirst\tlast\tsignature\nnvshmem_old\t<=1.0\t1.0\tx\n"
               "nvshmem_quiet\t2.0\t-\ty\n"),
        SL_LIT(""),
    };
    struct sl_symbols all, some;
    (void)state;
    assert_ok(sl_symbols_select(&test_arena, &text, NULL, NULL, &all, &error));
    assert_int_equal(all.count, 5);
    assert_int_equal(all.range_count, 2);
    assert_ok(sl_symbols_select(&test_arena, &text, is_quiet, NULL, &some,
                                &error));
    assert_int_equal(some.count, 2);
    assert_int_equal(some.range_count, 1);
    assert_non_null(sl_symbols_find(&some, SL_LIT("nvshmem_quiet")));
    assert_null(sl_symbols_find(&some, SL_LIT("nvshmem_old")));
}

static void packs(void **state)
{
    struct sl_packed files[] = {{BYTES("a/b.tsv"), BYTES("one\ntwo\n")},
                                {BYTES("with blank"), BYTES("")}};
    struct sl_buf image;
    struct sl_pack pack;
    (void)state;
    sl_buf_init(&image, 1000);
    sl_buf_puts(&image, "INDEX");
    sl_pack_add(&image, files, 2);
    assert_ok(sl_pack_read(&test_arena, sl_buf_view(&image), &pack, &error));
    assert_view(pack.index, "INDEX");
    assert_int_equal(pack.count, 2);
    assert_view(sl_pack_find(&pack, SL_LIT("a/b.tsv"))->bytes, "one\ntwo\n");
    assert_view(sl_pack_find(&pack, SL_LIT("with blank"))->bytes, "");
    assert_null(sl_pack_find(&pack, SL_LIT("a")));
    assert_ok(sl_pack_read(&test_arena, SL_LIT("only an index"), &pack,
                           &error));
    assert_view(pack.index, "only an index");
    sl_buf_release(&image);
}

static void broken_packs(void **state)
{
    static const char *const bad[] = {
        "shmemlore-pack 1 99            \n",
        "shmemlore-pack 1 x             \n",
        "a 9\nshmemlore-pack 1 4             \n",
        "a\nshmemlore-pack 1 2             \n",
        " 0\nshmemlore-pack 1 3             \n",
        "a 99999999999999999999\nshmemlore-pack 1 23            \n",
    };
    struct sl_pack pack;
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_status(sl_pack_read(&test_arena, sl_view_of(bad[i]), &pack,
                                   &error),
                      SL_ERR_SYNTAX);
}

static void budgets(void **state)
{
    struct sl_buf out;
    struct sl_fit fit;
    (void)state;
    sl_buf_init(&out, 10000);
    sl_buf_puts(&out, "before");
    sl_fit_init(&fit, &out, 100);
    assert_true(sl_fit_line(&fit, "%s\n", "0123456789"));
    assert_false(sl_fit_add(&fit, test_repeat("x", 80)));
    assert_false(sl_fit_line(&fit, "short\n")); /* order is kept */
    assert_int_equal(fit.left, 2);
    sl_fit_close(&fit);
    assert_view(sl_buf_view(&out), "before0123456789\n[2 more lines; a larger "
                                   "budget shows more]\n");
    assert_true(out.len - 6 <= 100);
    sl_buf_release(&out);
}

static void markers(void **state)
{
    static const struct {
        const char *text, *name, *inside, *stripped;
    } cases[] = {
        {"a\n<!-- generated: x y -->\nT\n<!-- end -->\nb\n", "x y", "T\n",
         "a\nb\n"},
        {"<!-- generated: x -->\n<!-- end -->", "x", "", ""},
        {"<!-- generated: x -->\nT\n", "x", "", ""}, /* nothing ends it */
        {"a <!-- generated: x -->\n<!-- end -->\n", NULL, "",
         "a <!-- generated: x -->\n<!-- end -->\n"},
        {"<!-- generated: x\n<!-- end -->\n", NULL, "",
         "<!-- generated: x\n<!-- end -->\n"},
        {"<!-- generated: x\n<!-- generated: y -->\nT\n<!-- end -->\n", "y",
         "T\n", "<!-- generated: x\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_view text = sl_view_of(cases[i].text);
        struct sl_generated span;
        bool found = sl_generated_next(text, 0, &span);
        assert_case(found == (cases[i].name != NULL), cases[i].text);
        if (found) {
            assert_view(span.name, cases[i].name);
            assert_view(sl_view_sub(text, span.begin, span.end),
                        cases[i].inside);
        }
        struct sl_buf out;
        sl_buf_init(&out, 1000);
        sl_generated_strip(&out, text);
        assert_view(sl_buf_view(&out), cases[i].stripped);
        assert_int_equal(sl_generated_bytes(text), text.len - out.len);
        sl_buf_release(&out);
    }
}

static const char page[] =
    "# P\n\nWords.\n\n## Of quiet\n\n`nvshmem_quiet` waits for `NVSHMEM_A`.\n\n"
    "<!-- generated: used device -->\n\n| `nvshmem_old` | [a](#of-quiet) |\n"
    "|---|---|\n\n<!-- end -->\n";

static void generated_blocks(void **state)
{
    struct sl_kb kb;
    (void)state;
    sl_kb_init(&kb);
    assert_ok(sl_kb_add(&kb, SL_LIT("references/p.md"), sl_view_of(page),
                        &error));
    size_t generated = 0, links = 0, names = 0;
    for (size_t i = 0; i < kb.block_count; i++)
        generated += kb.blocks[i].generated;
    for (size_t i = 0; i < kb.refs.count; i++) {
        links += kb.refs.items[i].kind == SL_REF_LINK;
        names += kb.refs.items[i].kind == SL_REF_NAME;
    }
    assert_int_equal(generated, 1);
    assert_int_equal(links, 1); /* checked; its names come from the data */
    assert_int_equal(names, 1);
    struct sl_index *index;
    struct sl_mentions found;
    assert_ok(sl_index_build(&kb, NULL, 0, &index, &error));
    assert_ok(sl_index_mentions(index, &test_arena, SL_LIT("nvshmem_quiet"),
                                &found, &error));
    assert_int_equal(found.count, 1);
    assert_view(found.items[0].id, "p#of-quiet");
    assert_ok(sl_index_mentions(index, &test_arena, SL_LIT("nvshmem_old"),
                                &found, &error));
    assert_int_equal(found.count, 0);
    assert_ok(sl_index_mentions(index, &test_arena, SL_LIT("nvshmem_qui"),
                                &found, &error));
    assert_int_equal(found.count, 0);
    sl_index_close(index);
    sl_kb_release(&kb);
}

static const char env_text[] =
    "shmemlore-env 1\n# releases 1.0 2.0\n"
    "NVSHMEM_A\trun\tint\t4\tX\thost,plugin\thost\tinit\t<=1.0\t2.0\t"
    "source\tnvshmem:a.h:1\t-\n"
    "NVSHMEM_B\tbuild\tbool\t-\t-\tcmake\tcmake\tconfigure\t-\t-\tsource\t"
    "nvshmem:a.h:2\t-\n"
    "NVSHMEM_OLD\trun\tstring\t-\tX\thost\thost\tinit\t<=1.0\t1.0\tbinary\t"
    "-\t-\n";
static const char sources_text[] =
    "sources:\n  a:\n    title: A tree\n    repository: https://h/o/r\n"
    "    tag: v1\n    commit: 0123456789abcdef0123456789abcdef01234567\n"
    "    licence: MIT\n    exceptions:\n      x.c: ISC\n    paths: [x.c]\n";

/* The text of one table, of the made-up data above. */
static const char *table(const char *name, enum sl_status expected)
{
    struct sl_symbols symbols;
    struct sl_tables tables;
    struct sl_users users = users_of("");
    struct sl_kb kb;
    struct sl_buf out;
    sl_buf_init(&out, 10000);
    sl_kb_init(&kb);
    assert_ok(sl_kb_add(&kb, SL_LIT("references/p.md"), sl_view_of(page),
                        &error));
    assert_ok(sl_symbols_parse(&test_arena, sl_view_of(symbols_text),
                               SL_LIT(""), SL_LIT(""), &symbols, &error));
    struct sl_env_table env;
    struct sl_sources sources;
    assert_ok(sl_env_parse(&test_arena, sl_view_of(env_text), &env, &error));
    assert_ok(sl_sources_parse(&test_arena, sl_view_of(sources_text), &sources,
                               &error));
    assert_ok(sl_tables_make(
        &test_arena,
        &(struct sl_tables_data){&symbols, &users, &env, &sources, &kb},
        &tables, &error));
    assert_status(sl_table_write(&test_arena, &tables, sl_view_of(name),
                                 SL_LIT("references/deep/q.md"), &out, &error),
                  expected);
    const char *copy = sl_arena_copy(&test_arena, sl_buf_view(&out)).ptr;
    sl_buf_release(&out);
    sl_kb_release(&kb);
    return copy;
}

static void generated_tables(void **state)
{
    (void)state;
    assert_string_equal(
        table("used device", SL_OK),
        "\n| name | owner | releases | used by | read |\n"
        "|---|---|---|---|---|\n"
        "| `nvshmem_quiet` | nvshmem | 2.0 | a, cab | "
        "[p](../p.md#of-quiet) |\n\n");
    assert_non_null(strstr(table("used internal", SL_OK),
                           "| `nvshmemi_quiet` | nvshmem-internal | <=1.0 | "
                           "b |  |\n"));
    const char *families = table("families data-movement", SL_OK);
    assert_non_null(strstr(families, "| `nvshmem_TYPE_put` | 2 | <=1.0 | "
                                     "device | thread |  |\n"));
    assert_non_null(strstr(table("families life-cycle", SL_OK),
                           "| `nvshmem_old` | 1 | <=1.0 to 1.0 |"));
    assert_string_equal(
        table("variables run", SL_OK),
        "\n| variable | type | default | read by | when | releases | set by | "
        "read |\n|---|---|---|---|---|---|---|---|\n"
        "| `NVSHMEM_A` | int | `4` | host, plugin | init | <=1.0 | cab | "
        "[p](../p.md#of-quiet) |\n"
        "| `NVSHMEM_OLD` | string | - | host | init | <=1.0 to 1.0 |  |  |"
        "\n\n");
    assert_string_equal(
        table("sources", SL_OK),
        "\n| source | what | licence | tag or date | lines FIRST to LAST of "
        "PATH |\n|---|---|---|---|---|\n"
        "| `a` | A tree | MIT; `x.c`: ISC | v1 | `https://h/o/r/blob/"
        "0123456789abcdef0123456789abcdef01234567/PATH#LFIRST-LLAST` |\n\n");
    (void)table("variables nothing", SL_ERR_NOTFOUND);
    (void)table("used nothing", SL_ERR_NOTFOUND);
    (void)table("nothing", SL_ERR_NOTFOUND);
}

static void declarations(void **state)
{
    static const struct {
        enum sl_symbol_kind kind;
        const char *signature, *text;
    } cases[] = {
        {SL_KIND_FUNCTION, "void (int x)", "void N(int x)"},
        {SL_KIND_FUNCTION, "void * (int x)", "void *N(int x)"},
        {SL_KIND_FUNCTION, "template <A<(B)> C> int (C c)",
         "template <A<(B)> C> int N(C c)"},
        {SL_KIND_FUNCTION, "int () | int (T t)", "int N()\nint N(T t)"},
        {SL_KIND_FUNCTION, "odd", "N odd"},
        {SL_KIND_CONSTANT, "#define 24", "#define N 24"},
        {SL_KIND_MACRO, "#define (x, y)", "#define N(x, y)"},
        {SL_KIND_TYPE, "= int32_t", "N = int32_t"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_buf out;
        sl_buf_init(&out, 1000);
        sl_symbol_declare(&out, SL_LIT("N"), cases[i].kind,
                          sl_view_of(cases[i].signature));
        assert_view(sl_buf_view(&out), cases[i].text);
        sl_buf_release(&out);
    }
}

static void variables_between_releases(void **state)
{
    struct sl_env_table table;
    struct sl_env_changes changes;
    (void)state;
    const char *path = SL_TEST_ROOT "/evidence/env.tsv";
    assert_ok(sl_env_parse(&test_arena, test_read(path), &table, &error));
    assert_ok(sl_env_diff(&test_arena, &table, SL_LIT("3.4.5"),
                          SL_LIT("3.8.0"), &changes, &error));
    bool seen = false;
    for (size_t i = 0; i < changes.count; i++)
        seen |= changes.items[i].kind == SL_CHANGE_ADDED &&
                sl_view_is(changes.items[i].env->name, "NVSHMEM_CONF_FILE");
    assert_true(seen);
    size_t there = changes.count;
    assert_ok(sl_env_diff(&test_arena, &table, SL_LIT("3.8.0"),
                          SL_LIT("3.4.5"), &changes, &error));
    assert_int_equal(changes.count, there);
    assert_status(sl_env_diff(&test_arena, &table, SL_LIT("9.9"),
                              SL_LIT("3.4.5"), &changes, &error),
                  SL_ERR_USAGE);
}

#define PACKAGE SL_TEST_ROOT "/.deps/packages/nvidia-nvshmem-cu13-3.4.5/include"

static void check_header(const struct sl_manifest *manifest,
                         struct sl_view path)
{
    struct sl_buf name;
    sl_buf_init(&name, 1000);
    sl_buf_printf(&name, "src/include/%.*s", SL_ARG(path));
    const struct sl_manifest_file *file =
        sl_manifest_find(manifest, sl_buf_view(&name));
    assert_case(file != NULL, name.ptr);
    struct sl_view text = test_read(sl_path_join(&test_arena, PACKAGE, path));
    struct sl_view line;
    size_t n = 0;
    for (; sl_view_line(&text, &line); n++)
        assert_case(n < file->count && manifest->hashes[file->first + n] ==
                                           sl_line_hash(line),
                    name.ptr);
    assert_int_equal(n, file->count);
    sl_buf_release(&name);
}

/*
 * The lines of the table's headers are those of the pinned tree: each header of the
 * provisioned package, but the two that the build makes, is in it line for line.
 */
static void headers_are_the_trees(void **state)
{
    struct sl_corpus corpus;
    (void)state;
    assert_ok(sl_corpus_open(&corpus, SL_TEST_ROOT, SL_LIT(""), &error));
    assert_view(sl_corpus_release(&corpus), "3.4.5");
    assert_true(sl_header_is_pinned(&corpus, SL_LIT("3.4.5"),
                                    SL_LIT("host/nvshmem_api.h")));
    assert_false(sl_header_is_pinned(&corpus, SL_LIT("3.8.0"),
                                     SL_LIT("host/nvshmem_api.h")));
    assert_false(sl_header_is_pinned(&corpus, SL_LIT("3.4.5"),
                                     SL_LIT("non_abi/nvshmem_version.h")));
    struct sl_manifest manifest;
    struct sl_view *paths;
    size_t count = 0;
    assert_ok(sl_manifest_parse(
        &test_arena, test_read(SL_TEST_ROOT "/evidence/lines/nvshmem.lines"),
        &manifest, &error));
    if (sl_path_is_folder(PACKAGE)) /* else nothing is provisioned here */
        assert_ok(sl_folder_list(&test_arena, PACKAGE, NULL, 1000, &paths,
                                 &count, &error));
    for (size_t i = 0; i < count; i++)
        if (sl_header_is_pinned(&corpus, SL_LIT("3.4.5"), paths[i]))
            check_header(&manifest, paths[i]);
    sl_corpus_close(&corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(users_by_name),
        TEST(users_of_another_form),
        TEST(a_part_of_the_symbols),
        TEST(packs),
        TEST(broken_packs),
        TEST(budgets),
        TEST(markers),
        TEST(generated_blocks),
        TEST(generated_tables),
        TEST(declarations),
        TEST(variables_between_releases),
        TEST(headers_are_the_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
