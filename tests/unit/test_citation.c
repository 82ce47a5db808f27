/* cite: the grammar of citations, sources.yaml, permalinks. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "cite/citation.h"
#include "cite/sources.h"

static struct sl_error error;

static void good_citations(void **state)
{
    (void)state;
    static const struct {
        const char *text, *source, *path;
        unsigned first, last;
    } cases[] = {
        {"nvshmem:src/a.h:1", "nvshmem", "src/a.h", 1, 1},
        {"deepep:csrc/x.cu:44-50", "deepep", "csrc/x.cu", 44, 50},
        {"a-1:x:7-8", "a-1", "x", 7, 8},
        {"a:b:c:3", "a", "b:c", 3, 3},
        {"a:dir with space/b.c:3", "a", "dir with space/b.c", 3, 3},
        {"a:..b/c..:10000000", "a", "..b/c..", 10000000, 10000000},
        {"a:x:1-400", "a", "x", 1, 400},
        {"a:\xc3\xa9.c:1", "a", "\xc3\xa9.c", 1, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_citation c;
        assert_ok(sl_citation_parse(sl_view_of(cases[i].text), &c, &error));
        assert_view(c.source, cases[i].source);
        assert_view(c.path, cases[i].path);
        assert_int_equal(c.first, cases[i].first);
        assert_int_equal(c.last, cases[i].last);
    }
}

static void bad_citations(void **state)
{
    (void)state;
    static const struct {
        struct sl_view text;
        enum sl_status status;
    } cases[] = {
        {BYTES(""), SL_ERR_SYNTAX},
        {BYTES("a"), SL_ERR_SYNTAX},
        {BYTES("a:1"), SL_ERR_SYNTAX},
        {BYTES(":x:1"), SL_ERR_SYNTAX},
        {BYTES("A:x:1"), SL_ERR_SYNTAX},
        {BYTES("a b:x:1"), SL_ERR_SYNTAX},
        {BYTES("a:x:"), SL_ERR_SYNTAX},
        {BYTES("a:x:0"), SL_ERR_SYNTAX},
        {BYTES("a:x:-1"), SL_ERR_SYNTAX},
        {BYTES("a:x:1-"), SL_ERR_SYNTAX},
        {BYTES("a:x:1-2-3"), SL_ERR_SYNTAX},
        {BYTES("a:x:5-4"), SL_ERR_SYNTAX},
        {BYTES("a:x:1 "), SL_ERR_SYNTAX},
        {BYTES("a:x:+1"), SL_ERR_SYNTAX},
        {BYTES("a:x:0x1"), SL_ERR_SYNTAX},
        {BYTES("a:x:10000001"), SL_ERR_SYNTAX},
        {BYTES("a:x:99999999999999999999"), SL_ERR_SYNTAX},
        {BYTES("a:x:1-401"), SL_ERR_LIMIT},
        {BYTES("a::1"), SL_ERR_REFUSED},
        {BYTES("a:/etc/passwd:1"), SL_ERR_REFUSED},
        {BYTES("a:../x:1"), SL_ERR_REFUSED},
        {BYTES("a:x/../../y:1"), SL_ERR_REFUSED},
        {BYTES("a:./x:1"), SL_ERR_REFUSED},
        {BYTES("a:x/:1"), SL_ERR_REFUSED},
        {BYTES("a:x//y:1"), SL_ERR_REFUSED},
        {BYTES("a:x\\y:1"), SL_ERR_REFUSED},
        {BYTES("a:x\ny:1"), SL_ERR_REFUSED},
        {BYTES("a:x\0y:1"), SL_ERR_REFUSED},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_citation c = {.first = 99};
        enum sl_status status =
            sl_citation_parse(cases[i].text, &c, &error);
        assert_case(status == cases[i].status, cases[i].text.ptr);
        assert_case(c.first == 99, cases[i].text.ptr); /* nothing written */
    }
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 16);
    sl_buf_puts(&buf, "a:");
    sl_buf_add(&buf, test_repeat("x", SL_MAX_PATH + 1));
    sl_buf_puts(&buf, ":1");
    struct sl_citation c;
    assert_status(sl_citation_parse(sl_buf_view(&buf), &c, &error),
                  SL_ERR_REFUSED);
    sl_buf_release(&buf);
    assert_int_equal(sl_citation_parse(SL_LIT("a"), &c, NULL), SL_ERR_SYNTAX);
}

/* One line has one spelling; the others say which it is. */
static void other_spellings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"a:x:05", "is written 'a:x:5'"},
        {"a:x:5-5", "is written 'a:x:5'"},
        {"a:x:005-05", "is written 'a:x:5'"},
        {"a:x:5-07", "is written 'a:x:5-7'"},
        {"a:x:05-7", "is written 'a:x:5-7'"},
        {"a:x:0", "no line number from 1 on"},
        {"a:x:00-0", "no line number from 1 on"},
        {"a:x:10000001", "a line number above 10000000"},
        {"a:x:99999999999999999999", "a line number above 10000000"},
        {"a:x:1-99999999999", "a line number above 10000000"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_citation c;
        assert_status(sl_citation_parse(sl_view_of(cases[i].text), &c, &error),
                      SL_ERR_SYNTAX);
        assert_says(cases[i].says);
    }
}

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define SOURCE(id, more)                                       \
    "  " id ":\n    title: T\n    repository: https://h/o/r\n" \
    "    tag: v1\n    commit: " COMMIT "\n    licence: MIT\n"  \
    "    paths: [README.md, src/]\n" more

static void good_sources(void **state)
{
    (void)state;
    struct sl_sources sources;
    assert_ok(sl_sources_parse(
        &test_arena,
        SL_LIT("sources:\n" SOURCE("one", "    exceptions:\n"
                                          "      src/x/: BSD\n"
                                          "      src/y.c: ISC\n")
                   SOURCE("two", "")),
        &sources, &error));
    assert_int_equal(sources.count, 2);
    const struct sl_source *one = sl_sources_find(&sources, SL_LIT("one"));
    assert_ptr_equal(one, &sources.items[0]);
    assert_null(sl_sources_find(&sources, SL_LIT("three")));
    assert_view(one->commit, COMMIT);
    assert_int_equal(one->path_count, 2);
    static const struct {
        const char *path;
        bool has;
        const char *licence;
    } cases[] = {
        {"README.md", true, "MIT"},   {"README.md2", false, "MIT"},
        {"src/a.c", true, "MIT"},     {"src/x/a.c", true, "BSD"},
        {"src/x", true, "MIT"},       {"src/y.c", true, "ISC"},
        {"src/y.cc", true, "MIT"},    {"src/", false, "MIT"},
        {"src", false, "MIT"},        {"srcs/a", false, "MIT"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_view path = sl_view_of(cases[i].path);
        assert_case(sl_source_has_path(one, path) == cases[i].has,
                    cases[i].path);
        assert_view(sl_source_licence(one, path), cases[i].licence);
    }
}

/* Of which files lines may be cited: of all, of none, of those in a list. */
static void cited_files(void **state)
{
    (void)state;
    struct sl_sources sources;
    assert_ok(sl_sources_parse(
        &test_arena,
        SL_LIT("sources:\n" SOURCE("all", "")
                   SOURCE("yes", "    cited: yes\n")
                       SOURCE("none", "    cited: no\n    usage: no\n")
                           SOURCE("some", "    cited: [src/a.c, src/x/]\n")
                               SOURCE("same", "    cited: [src/]\n")),
        &sources, &error));
    static const struct {
        bool a, b, readme, uncited, partly;
    } want[] = {{true, true, true, false, false},
                {true, true, true, false, false},
                {false, false, false, true, false},
                {true, false, false, false, true},
                {true, true, false, false, true}};
    assert_int_equal(sources.count, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        const struct sl_source *source = &sources.items[i];
        assert_true(sl_source_has_path(source, SL_LIT("src/b.c")));
        assert_int_equal(sl_source_may_cite(source, SL_LIT("src/a.c")),
                         want[i].a);
        assert_int_equal(sl_source_may_cite(source, SL_LIT("src/b.c")),
                         want[i].b);
        assert_int_equal(sl_source_may_cite(source, SL_LIT("README.md")),
                         want[i].readme);
        assert_int_equal(source->uncited, want[i].uncited);
        assert_int_equal(source->partly, want[i].partly);
        assert_int_equal(source->unused, want[i].uncited);
    }
    assert_status(sl_sources_parse(&test_arena,
                                   SL_LIT("sources:\n" SOURCE(
                                       "one", "    cited: [tests/a.c]\n")),
                                   &sources, &error),
                  SL_ERR_SYNTAX);
    assert_non_null(strstr(error.message, "tests/a.c"));
}

static void permalinks(void **state)
{
    (void)state;
    struct sl_sources sources;
    assert_ok(sl_sources_parse(&test_arena,
                               SL_LIT("sources:\n" SOURCE("one", "")),
                               &sources, &error));
    static const struct {
        const char *citation, *url;
    } cases[] = {
        {"one:src/a.h:5", "https://h/o/r/blob/" COMMIT "/src/a.h#L5"},
        {"one:src/a.h:5-9", "https://h/o/r/blob/" COMMIT "/src/a.h#L5-L9"},
        {"one:a b/c#d?.c:1",
         "https://h/o/r/blob/" COMMIT "/a%20b/c%23d%3F.c#L1"},
        {"one:\xc3\xa9%:1", "https://h/o/r/blob/" COMMIT "/%C3%A9%25#L1"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_citation c;
        assert_ok(
            sl_citation_parse(sl_view_of(cases[i].citation), &c, &error));
        struct sl_buf url;
        sl_buf_init(&url, 1000);
        sl_source_permalink(&url, &sources.items[0], &c);
        assert_view(sl_buf_view(&url), cases[i].url);
        sl_buf_release(&url);
    }
}

static void bad_sources(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *says;
    } cases[] = {
        {"", "no map 'sources'"},
        {"sources:\n", "no map 'sources'"},
        {"sources: []\n", "no map 'sources'"},
        {"sources: {}\n", "no map 'sources'"},
        {"- a\n", "no map 'sources'"},
        {"sources:\n  a: text\n", "required"},
        {"sources:\n" SOURCE("Bad", ""), "an id is lower-case"},
        {"sources:\n" SOURCE("1a", ""), "an id is lower-case"},
        {"sources:\n" SOURCE("run", ""), "an id is lower-case"},
        {"sources:\n" SOURCE("a", "") SOURCE("a", ""), "twice"},
        {"sources:\n" SOURCE("a", "    exceptions:\n      ../x: MIT\n"),
         "not a 'path: licence'"},
        {"sources:\n" SOURCE("a", "    exceptoins:\n      x: MIT\n"),
         "unknown key 'exceptoins'"},
        {"sources:\n" SOURCE("a", "") "source: 1\n", "unknown key 'source'"},
        {"sources:\n" SOURCE("a", "    exceptions: [x]\n"),
         "not a 'path: licence'"},
        {"sources:\n  a:\n    title: T\n    repository: http://h/o/r\n"
         "    tag: v1\n    commit: " COMMIT
         "\n    licence: MIT\n    paths: [x]\n",
         "https"},
        {"sources:\n  a:\n    title: T\n    repository: https://h/o/r/\n"
         "    tag: v1\n    commit: " COMMIT
         "\n    licence: MIT\n    paths: [x]\n",
         "slash at its end"},
        {"sources:\n  a:\n    title: T\n    repository: 'https://h/o\"/r'\n"
         "    tag: v1\n    commit: " COMMIT
         "\n    licence: MIT\n    paths: [x]\n",
         "plain https URL"},
        {"sources:\n  a:\n    title: T\n    repository: https://u:p@h/r\n"
         "    tag: v1\n    commit: " COMMIT
         "\n    licence: MIT\n    paths: [x]\n",
         "plain https URL"},
        {"sources:\n  a:\n    title: T\n    repository: https://h/o/r\n"
         "    tag: v1\n    commit: abc\n    licence: MIT\n    paths: [x]\n",
         "40 hexadecimal"},
        {"sources:\n  a:\n    title: T\n    repository: https://h/o/r\n"
         "    tag: v1\n    commit: " COMMIT "\n    licence: MIT\n",
         "no list 'paths'"},
        {"sources:\n  a:\n    title: T\n    repository: https://h/o/r\n"
         "    tag: v1\n    commit: " COMMIT
         "\n    licence: MIT\n    paths: [/etc]\n",
         "not a path inside"},
        {"sources:\n  a:\n    title: T\n    repository: https://h/o/r\n"
         "    tag: v1\n    commit: " COMMIT
         "\n    licence: MIT\n    paths: [[x]]\n",
         "not a path inside"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_sources sources;
        enum sl_status status = sl_sources_parse(
            &test_arena, sl_view_of(cases[i].yaml), &sources, &error);
        assert_case(status == SL_ERR_SYNTAX, cases[i].yaml);
        assert_says("sources.yaml");
        assert_says(cases[i].says);
    }
}

/* UTF-16 would be other text to whoever greps the file. */
static void only_utf8(void **state)
{
    (void)state;
    struct sl_sources sources;
    static const char text[] = "sources:\n" SOURCE("a", "");
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 16);
    sl_buf_puts(&buf, "\xff\xfe");
    for (size_t i = 0; text[i]; i++) {
        sl_buf_putc(&buf, text[i]);
        sl_buf_putc(&buf, '\0');
    }
    assert_status(sl_sources_parse(&test_arena, sl_buf_view(&buf), &sources,
                                   &error),
                  SL_ERR_SYNTAX);
    sl_buf_truncate(&buf, 0);
    sl_buf_puts(&buf, "\xef\xbb\xbf"); /* UTF-8 with its mark */
    sl_buf_puts(&buf, text);
    assert_ok(sl_sources_parse(&test_arena, sl_buf_view(&buf), &sources,
                               &error));
    sl_buf_release(&buf);
}

static void too_many_sources(void **state)
{
    (void)state;
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 20);
    sl_buf_puts(&buf, "sources:\n");
    for (unsigned i = 0; i <= SL_MAX_SOURCES; i++)
        sl_buf_printf(&buf, "  s%u: {}\n", i);
    struct sl_sources sources;
    assert_status(sl_sources_parse(&test_arena, sl_buf_view(&buf), &sources,
                                   &error),
                  SL_ERR_LIMIT);
    sl_buf_release(&buf);
}

static void the_real_sources(void **state)
{
    (void)state;
    struct sl_sources sources;
    assert_ok(sl_sources_parse(
        &test_arena, test_read(SL_TEST_ROOT "/evidence/sources.yaml"),
        &sources, &error));
    assert_non_null(sl_sources_find(&sources, SL_LIT("nvshmem")));
    assert_non_null(sl_sources_find(&sources, SL_LIT("deepep")));
    assert_non_null(sl_sources_find(&sources, SL_LIT("ultraep")));
}

static void where_a_tree_is(void **state)
{
    (void)state;
    struct sl_sources sources;
    const char *path;
    assert_ok(sl_sources_parse(&test_arena,
                               SL_LIT("sources:\n" SOURCE("one", "")),
                               &sources, &error));
    setenv("SHMEMLORE_CACHE", "/some/cache", 1);
    assert_ok(sl_source_tree(&test_arena, &sources.items[0], &path, &error));
    assert_string_equal(path, "/some/cache/sources/one-" COMMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(good_citations),
        TEST(bad_citations),
        TEST(other_spellings),
        TEST(good_sources),
        TEST(cited_files),
        TEST(permalinks),
        TEST(bad_sources),
        TEST(only_utf8),
        TEST(too_many_sources),
        TEST(the_real_sources),
        TEST(where_a_tree_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
