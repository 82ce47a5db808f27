/* verify --update: what it writes, what it refuses, what it needs. */
#include "project.h"

#include "cite/lock.h"

#define CITED 14 /* the line of the page that cites */

static void page_cites(const char *citation)
{
    test_write(PAGE, text_of(FRONT "# A\n\nWords.\n\n## One\n\nSo `%s`.\n",
                             citation));
}

/* the lock's only entry */
static struct sl_lock_entry locked(void)
{
    struct sl_lock lock;
    assert_ok(sl_lock_parse(&test_arena, test_read(test_path(LOCK)), &lock,
                            &error));
    assert_int_equal(lock.count, 1);
    return lock.entries[0];
}

static void update_adds_and_drops(void **state)
{
    (void)state;
    project_make();
    struct sl_lock_entry entry = locked();
    assert_view(entry.text, "fake:src/a.c:2-3");
    assert_view(entry.symbol, "foo");
    assert_view(entry.commit, COMMIT);
    assert_true(entry.before == 1 && entry.after == 2 && !entry.trivial);
    struct sl_verify_update done = update();
    assert_true(!done.added && !done.dropped && !done.manifests && !done.lock);
    page_cites("fake:src/a.c:7` and `fake:src/none.c:7");
    done = update();
    assert_int_equal(done.added, 1);
    assert_int_equal(done.dropped, 1);
    assert_int_equal(done.invalid, 1);
    assert_true(done.lock);
    assert_view(locked().text, "fake:src/a.c:7");
    assert_view(locked().symbol, "");
    sl_report_release(&report);
}

/* sources.yaml pins another commit, whose tree is in the cache. */
static void upgrade(const char *a_text)
{
    test_write(SOURCES, SOURCES_AT(NEW_COMMIT, "src/"));
    if (a_text)
        test_write(NEW_TREE "src/a.c", a_text);
    else
        (void)unlink(test_path(NEW_TREE "src/a.c"));
    test_write(NEW_TREE "src/b.c", B_TEXT);
}

static void update_refuses_to_restamp(void **state)
{
    (void)state;
    struct sl_verify_update done;
    project_make();
    struct sl_view before = test_read(test_path(LOCK));
    upgrade("int one;\nint bar(void)\n{\n    return 4;\n");
    done = update();
    assert_int_equal(done.refused, 1);
    assert_int_equal(done.manifests, 1);
    assert_false(done.lock);
    assert_view(test_read(test_path(LOCK)), before.ptr);
    expect_one("refused", "citation-changed", PAGE, CITED);
    struct sl_view names[] = {SL_LIT("fake:src/b.c:1"),
                              SL_LIT("fake:src/a.c:2-3")};
    assert_status(sl_verify_update(test_folder, names, 2, &done, &error),
                  SL_ERR_USAGE);
    assert_says("no text cites");
    cache_on(true);
    assert_ok(sl_verify_update(test_folder, names + 1, 1, &done, &error));
    assert_int_equal(done.accepted, 1);
    assert_true(done.lock);
    expect_clean("accepted");
    /* the file is gone: there is nothing to accept */
    project_make();
    upgrade(NULL);
    assert_status(sl_verify_update(test_folder, names + 1, 1, &done, &error),
                  SL_ERR_REFUSED);
    assert_says("no such lines");
    sl_report_release(&report);
}

static void update_refreshes(void **state)
{
    (void)state;
    project_make();
    /* the cited lines are the same, what stands around them is not */
    upgrade("int uno;\nint foo(void)\n{\n    return 4;\n}\n");
    struct sl_verify_update done = update();
    assert_int_equal(done.refreshed, 1);
    assert_true(done.lock);
    assert_view(locked().commit, NEW_COMMIT);
    expect_clean("refreshed");
    test_write(PAGE, FRONT "# A\n\nSo `bar` `fake:src/a.c:2-3`.\n");
    done = update();
    assert_int_equal(done.refreshed, 1);
    assert_view(locked().symbol, "");
    sl_report_release(&report);
}

/*
 * A commit does not change: a tree that is not the manifest's any more was not
 * fetched so, and nothing comes of it.
 */
static void update_of_another_tree(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text; /* NULL: taken away */
    } cases[] = {
        {"src/a.c", "int one;\nint foo(void)\n{\n    return 5;\n}\n"},
        {"src/b.c", "char b1;\nint forged;\nchar b3;\n"},
        {"src/b.c", ""},
        {"src/b.c", NULL},
        {"src/new.c", "int forged;\n"},
        {"src/new.c", ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        unlink(test_path(LINES));
        unlink(test_path(TREE "src/new.c"));
        test_write(PAGE, PAGE_TEXT);
        project_make();
        struct sl_view lock = test_read(test_path(LOCK));
        struct sl_view lines = test_read(test_path(LINES));
        if (cases[i].text)
            test_write(text_of(TREE "%s", cases[i].file), cases[i].text);
        else
            unlink(test_path(text_of(TREE "%s", cases[i].file)));
        /* neither a new anchor, nor another symbol of an old one */
        test_write(PAGE, FRONT "# A\n\nSo `bar` `fake:src/a.c:2-3` and "
                               "`fake:src/b.c:2`.\n");
        struct sl_verify_update done = update();
        assert_int_equal(done.trees_refused, 1);
        assert_int_equal(done.refused, 2);
        assert_true(!done.added && !done.refreshed && !done.manifests);
        assert_view(test_read(test_path(LOCK)), lock.ptr);
        assert_view(test_read(test_path(LINES)), lines.ptr);
        verify(true);
        assert_non_null(fault_of("manifest-tree"));
        assert_non_null(strstr(fault_of("manifest-tree")->message,
                               cases[i].file));
    }
    /* nor is a tree without any file of the pinned paths a first one */
    unlink(test_path(LINES));
    unlink(test_path(TREE "src/a.c"));
    unlink(test_path(TREE "src/b.c"));
    unlink(test_path(TREE "src/new.c"));
    assert_int_equal(update().trees_refused, 1);
    assert_false(sl_path_exists(test_path(LINES)));
    verify(true);
    assert_non_null(fault_of("source-path"));
    sl_report_release(&report);
}

/* Other `paths` at the same commit: files come and go, lines do not. */
static void update_of_other_paths(void **state)
{
    (void)state;
    project_make();
    test_write(TREE "doc/d.md", "d\n");
    test_write(SOURCES, SOURCES_AT(COMMIT, "src/a.c, doc/"));
    expect_one("other paths", "manifest-paths", LINES, 1);
    struct sl_verify_update done = update();
    assert_true(done.manifests == 1 && !done.trees_refused);
    expect_clean("other paths, updated");
    struct sl_manifest manifest;
    assert_ok(sl_manifest_parse(&test_arena, test_read(test_path(LINES)),
                                &manifest, &error));
    assert_int_equal(manifest.file_count, 2);
    assert_non_null(sl_manifest_find(&manifest, SL_LIT("doc/d.md")));
    assert_null(sl_manifest_find(&manifest, SL_LIT("src/b.c")));
    test_write(SOURCES, SOURCES_TEXT);
    test_write(TREE "src/a.c", "int forged;\n"); /* of both, and another one */
    assert_int_equal(update().trees_refused, 1);
    sl_report_release(&report);
}

static void linked_tree(void **state)
{
    (void)state;
    struct sl_verify_update done;
    project_make();
    assert_int_equal(rename(test_path("cache/sources/fake-" COMMIT),
                            test_path("else")),
                     0);
    assert_int_equal(symlink(test_path("else"),
                             test_path("cache/sources/fake-" COMMIT)),
                     0);
    verify(true);
    assert_int_equal(report.counts.trees, 0);
    assert_true(report.faults == 1 && fault_of("tree-link"));
    assert_int_equal(report.grades[SL_GRADE_OK], 1);
    cache_on(true);
    assert_status(sl_verify_update(test_folder, NULL, 0, &done, &error),
                  SL_ERR_REFUSED);
    assert_says("it is a symbolic link");
    /* nor the folder of all trees; the cache itself may be one */
    unlink(test_path("cache/sources/fake-" COMMIT));
    assert_int_equal(rename(test_path("else"),
                            test_path("cache/sources/fake-" COMMIT)),
                     0);
    assert_int_equal(rename(test_path("cache"), test_path("there")), 0);
    assert_int_equal(symlink("there", test_path("cache")), 0);
    verify(true);
    assert_true(report.faults == 0 && report.counts.trees == 1);
    assert_int_equal(rename(test_path("there/sources"), test_path("all")), 0);
    assert_int_equal(symlink("../all", test_path("there/sources")), 0);
    verify(true);
    assert_true(report.faults == 1 && fault_of("tree-link"));
    sl_report_release(&report);
}

/* The first name of the text that the cited lines hold, not their first word. */
static void symbols(void **state)
{
    (void)state;
    static const struct {
        const char *text, *symbol;
    } cases[] = {
        {"`void`, `foo` `fake:src/a.c:2-3`", "void"},
        {"`foo`, `void` `fake:src/a.c:2-3`", "foo"},
        {"`fo`, `oo`, `foo_`, `xfoo`, `foox` `fake:src/a.c:2-3`", ""},
        {"`foo(void)` `fake:src/a.c:2-3`", ""}, /* no name, and no inner _ */
        {"`foo()` `fake:src/a.c:2-3`", "foo"},
        {"`int` and `fake:src/a.c:2-3`\n\n`foo` `fake:src/a.c:2-3`", "int"},
        {"`one` and `fake:src/a.c:2-3`\n\n`foo` `fake:src/a.c:2-3`", "foo"},
        {"`seven` `fake:src/a.c:7`", "seven"},
        {"`ten` `fake:src/a.c:10`", "ten"},
    };
    project_make();
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_write(PAGE, text_of(FRONT "# A\n\n%s\n", cases[i].text));
        (void)update();
        assert_view(locked().symbol, cases[i].symbol);
    }
    sl_report_release(&report);
}

static void lock_of_another_commit(void **state)
{
    (void)state;
    project_make();
    struct sl_view good = test_read(test_path(LOCK));
    const char *at = strstr(good.ptr, COMMIT);
    test_write(LOCK, text_of("%.*s" NEW_COMMIT "%s", (int)(at - good.ptr),
                             good.ptr, at + strlen(COMMIT)));
    expect_one("another commit", "lock-commit", LOCK, 2);
    assert_int_equal(update().refreshed, 1);
    assert_view(test_read(test_path(LOCK)), good.ptr);
    expect_clean("updated");
    sl_report_release(&report);
}

static void left_over(void **state)
{
    (void)state;
    static const char *const ours[] = {LOCK ".CbTrvF", LINES ".a1b2c3",
                                       "evidence/symbols.tsv.LLhiUf",
                                       "evidence/SHA256SUMS.5pzaYb"};
    static const char *const theirs[] = {LOCK ".backup", LINES ".Cb",
                                         "evidence/notes.CbTrvF",
                                         "evidence/runs/x.tsv.CbTrvF",
                                         LINES ".CbTr-F"};
    project_make();
    for (size_t i = 0; i < COUNT(ours); i++)
        test_write(ours[i], "half");
    for (size_t i = 0; i < COUNT(theirs); i++)
        test_write(theirs[i], "whole");
    expect_clean("notices");
    assert_int_equal(report.notices, COUNT(ours));
    assert_true(fault_of("left-over") && fault_of("left-over")->notice);
    assert_int_equal(update().swept, COUNT(ours));
    for (size_t i = 0; i < COUNT(ours); i++)
        assert_false(sl_path_exists(test_path(ours[i])));
    for (size_t i = 0; i < COUNT(theirs); i++)
        assert_true(sl_path_exists(test_path(theirs[i])));
    sl_report_release(&report);
}

static void update_needs(void **state)
{
    (void)state;
    struct sl_verify_update done;
    project_make();
    struct sl_view lock = test_read(test_path(LOCK));
    page_cites("fake:src/a.c:7");
    cache_on(false);
    assert_status(sl_verify_update(test_folder, NULL, 0, &done, &error),
                  SL_ERR_NOTFOUND);
    assert_says("shmemlore sources sync fake");
    assert_view(test_read(test_path(LOCK)), lock.ptr);
    cache_on(true);
    test_write(LOCK, "rubbish\n");
    assert_status(sl_verify_update(test_folder, NULL, 0, &done, &error),
                  SL_ERR_SYNTAX);
    assert_view(test_read(test_path(LOCK)), "rubbish\n");
    /* without citations no tree is needed */
    unlink(test_path(LOCK));
    test_write(PAGE, FRONT "# A\n\nWords.\n");
    cache_on(false);
    assert_ok(sl_verify_update(test_folder, NULL, 0, &done, &error));
    assert_true(done.lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(update_adds_and_drops),
        FOLDER_TEST(update_refuses_to_restamp),
        FOLDER_TEST(update_refreshes),
        FOLDER_TEST(update_of_another_tree),
        FOLDER_TEST(update_of_other_paths),
        FOLDER_TEST(linked_tree),
        FOLDER_TEST(symbols),
        FOLDER_TEST(lock_of_another_commit),
        FOLDER_TEST(left_over),
        FOLDER_TEST(update_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
