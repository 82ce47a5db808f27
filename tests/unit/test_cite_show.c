/* cite: one citation for a reader, with and without the tree. */
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

#include "cite/show.h"
#include "os/file.h"
#include "text/hash.h"

#define COMMIT "0123456789abcdef0123456789abcdef01234567"

static struct sl_error error;

static const char sources_text[] =
    "sources:\n  fake:\n    title: Fake\n    repository: https://x.org/f\n"
    "    tag: v1\n    commit: " COMMIT "\n    licence: MIT\n"
    "    exceptions:\n      src/b.c: Other\n    paths: [src/]\n";

static struct sl_view shown_text(const struct sl_shown_citation *shown,
                                 bool json)
{
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 20);
    if (json)
        sl_citation_show_json(&buf, shown);
    else
        sl_citation_show_text(&buf, shown);
    struct sl_view text = sl_arena_copy(&test_arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return text;
}

#define HAS(view, words) \
    assert_true(sl_view_find((view), SL_LIT(words), 0) != SIZE_MAX)

/* Neither the tree nor the lock: the same words as with the tree. */
static void unknown_without_tree(const struct sl_sources *sources,
                                 const struct sl_lock *locked)
{
    static const char *const texts[] = {"fake:src/b.c:1", "fake:src/x.c:1",
                                        "fake:src:1", "fake:src/b.c:3-4"};
    struct sl_shown_citation s;
    for (size_t i = 0; i < COUNT(texts); i++) {
        assert_status(sl_citation_show(&test_arena, sources, locked,
                                       sl_view_of(texts[i]), &s, &error),
                      SL_ERR_NOTFOUND);
        assert_says("nothing is known of the lines 'fake:src");
        assert_says("shmemlore sources sync fake");
    }
}

static void shown(void **state)
{
    (void)state;
    struct sl_sources sources;
    assert_ok(sl_sources_parse(&test_arena, sl_view_of(sources_text), &sources,
                               &error));
    test_write("cache/sources/fake-" COMMIT "/src/b.c",
               "one\n\ttwo \x1b[31m\"\nthree\n");
    assert_int_equal(symlink("/etc/passwd",
                             test_path("cache/sources/fake-" COMMIT
                                       "/src/link")),
                     0);
    uint64_t hash = sl_line_hash(SL_LIT("\ttwo \x1b[31m\""));
    struct sl_lock_entry entry = {.text = SL_LIT("fake:src/b.c:2"),
                                  .commit = SL_LIT(COMMIT),
                                  .symbol = SL_LIT("two"),
                                  .lines = &hash};
    struct sl_lock locked = {.entries = &entry, .count = 1};
    struct sl_shown_citation s;
    assert_int_equal(setenv("SHMEMLORE_CACHE", test_path("cache"), 1), 0);
    assert_ok(sl_citation_show(&test_arena, &sources, &locked, entry.text, &s,
                               &error));
    assert_int_equal(s.state, SL_SHOWN_SAME);
    struct sl_view text = shown_text(&s, false);
    HAS(text, "\n      2  \ttwo ?[31m\"\n");
    HAS(text, "https://x.org/f/blob/" COMMIT "/src/b.c#L2\n");
    HAS(text, "licence of the file: Other\n");
    HAS(text, "cited for: two\n");
    text = shown_text(&s, true);
    HAS(text, "\"lines\":[\"\\ttwo \\u001b[31m\\\"\"]");
    HAS(text, "\"state\":\"same\"");
    hash++;
    assert_ok(sl_citation_show(&test_arena, &sources, &locked, entry.text, &s,
                               &error));
    assert_int_equal(s.state, SL_SHOWN_OTHER);
    HAS(shown_text(&s, false), "NOT the lines");
    assert_ok(sl_citation_show(&test_arena, &sources, NULL, entry.text, &s,
                               &error));
    assert_int_equal(s.state, SL_SHOWN_LINES);
    assert_status(sl_citation_show(&test_arena, &sources, NULL,
                                   SL_LIT("fake:src/b.c:3-4"), &s, &error),
                  SL_ERR_NOTFOUND);
    assert_says("3 lines");
    assert_status(sl_citation_show(&test_arena, &sources, NULL,
                                   SL_LIT("fake:src/x.c:1"), &s, &error),
                  SL_ERR_NOTFOUND);
    assert_says("nothing is known of the lines 'fake:src/x.c:1'");
    assert_status(sl_citation_show(&test_arena, &sources, NULL,
                                   SL_LIT("fake:src:1"), &s, &error),
                  SL_ERR_NOTFOUND);
    assert_says("that is no file");
    assert_status(sl_citation_show(&test_arena, &sources, NULL,
                                   SL_LIT("fake:src/link:1"), &s, &error),
                  SL_ERR_REFUSED);
    assert_status(sl_citation_show(&test_arena, &sources, NULL,
                                   SL_LIT("fake:src/../../x:1"), &s, &error),
                  SL_ERR_REFUSED);
    assert_status(sl_citation_show(&test_arena, &sources, NULL,
                                   SL_LIT("none:src/b.c:1"), &s, &error),
                  SL_ERR_NOTFOUND);
    assert_int_equal(setenv("SHMEMLORE_CACHE", test_path("none"), 1), 0);
    assert_ok(sl_citation_show(&test_arena, &sources, &locked, entry.text, &s,
                               &error));
    assert_int_equal(s.state, SL_SHOWN_LOCKED);
    HAS(shown_text(&s, false), "shmemlore sources sync fake\n");
    HAS(shown_text(&s, true), "\"lines\":null");
    assert_null(s.refused);
    unknown_without_tree(&sources, &locked);
}

/* A linked tree is not read, and that is said. */
static void shown_of_a_linked_tree(void **state)
{
    (void)state;
    struct sl_sources sources;
    struct sl_shown_citation s;
    uint64_t hash = 1;
    struct sl_lock_entry entry = {.text = SL_LIT("fake:src/b.c:2"),
                                  .commit = SL_LIT(COMMIT),
                                  .lines = &hash};
    struct sl_lock locked = {.entries = &entry, .count = 1};
    assert_ok(sl_sources_parse(&test_arena, sl_view_of(sources_text), &sources,
                               &error));
    test_write("else/src/b.c", "one\ntwo\n");
    assert_ok(sl_folder_make(test_path("linked/sources"), &error));
    assert_int_equal(symlink(test_path("else"),
                             test_path("linked/sources/fake-" COMMIT)),
                     0);
    assert_int_equal(setenv("SHMEMLORE_CACHE", test_path("linked"), 1), 0);
    assert_ok(sl_citation_show(&test_arena, &sources, &locked, entry.text, &s,
                               &error));
    assert_int_equal(s.state, SL_SHOWN_LOCKED);
    assert_null(s.lines);
    HAS(shown_text(&s, false), "it is a symbolic link");
    HAS(shown_text(&s, true), "\"lines\":null");
    assert_status(sl_citation_show(&test_arena, &sources, &locked,
                                   SL_LIT("fake:src/b.c:1"), &s, &error),
                  SL_ERR_NOTFOUND);
    assert_says("it is a symbolic link");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(shown),
        FOLDER_TEST(shown_of_a_linked_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
