/* verify: what is cited. Grades, lock, manifests, trees, runs, updates. */
#include "project.h"

#include "cite/sources.h"

/* The manifest as the tree is now, as if somebody had pinned that. */
static void manifest_from_tree(void)
{
    struct sl_sources sources;
    struct sl_manifest manifest;
    struct sl_buf buf;
    assert_ok(sl_sources_parse(&test_arena, SL_LIT(SOURCES_TEXT), &sources,
                               &error));
    assert_ok(sl_manifest_build(&test_arena, &sources.items[0],
                                test_path(TREE), &manifest, &error));
    sl_buf_init(&buf, 1u << 20);
    sl_manifest_write(&buf, &manifest);
    test_write_bytes(LINES, sl_buf_view(&buf));
    sl_buf_release(&buf);
}

static const char page_one[] = PAGE_TEXT; /* cites fake:src/a.c:2-3 */
#define CITED 14

static void graded_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        const char *a, *b; /* the tree's files then; NULL: gone */
        const char *rule;
        const char *says;
    } cases[] = {
        {"moved", "int zero;\n" A_TEXT, B_TEXT, "citation-moved",
         "moved to `fake:src/a.c:3-4`"},
        {"moved to another file", "x;\n", A_TEXT, "citation-moved",
         "moved to `fake:src/b.c:2-3`"},
        {"changed", "int one;\nint bar(void)\n{\n    return 4;\n", B_TEXT,
         "citation-changed", "no longer what was cited"},
        {"ambiguous", "x;\nint foo(void)\n{\ny;\nint foo(void)\n{\nz;\n",
         B_TEXT, NULL, ""},
        {"ambiguous", "x;\ny;\nint foo(void)\n{\ny;\ny;\nint foo(void)\n{\nz;"
                      "\n",
         B_TEXT, "citation-ambiguous", "stand in 2 places"},
        {"gone", NULL, B_TEXT, "citation-gone", "the file is gone"},
    };
    project_make();
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (cases[i].a)
            test_write(TREE "src/a.c", cases[i].a);
        else
            unlink(test_path(TREE "src/a.c"));
        test_write(TREE "src/b.c", cases[i].b);
        manifest_from_tree();
        if (!cases[i].rule) {
            expect_clean(cases[i].what);
            continue;
        }
        expect_one(cases[i].what, cases[i].rule, PAGE, CITED);
        const struct sl_fault *fault = fault_of(cases[i].rule);
        assert_case(strstr(fault->message, cases[i].says), fault->message);
    }
    sl_report_release(&report);
}

/* env.tsv and nccl-map.tsv cite as the text does; only these columns are read. */
static void tables_cite(void **state)
{
    static const char env[] = "evidence/env.tsv";
    static const char nccl[] = "evidence/nccl-map.tsv";
    static const char row[] =
        "shmemlore-env 1\n# releases 1.0\n"
        "A\trun\tint\t1\tC\th\th\tinit\t-\t-\tsource\t%s\t-\n";
    static const char pair[] =
        "shmemlore-nccl 1\nNCCL_A\tA\tfake:src/a.c:1\t%s "
        "absent-1.0:B,C observed:A\n";
    (void)state;
    project_make();
    test_write(env, text_of(row, "fake:src/a.c:7 fake:src/b.c:1"));
    test_write(nccl, text_of(pair, "fake:src/b.c:2-3"));
    verify(true);
    assert_int_equal(report.counts.citations, 4);
    assert_int_equal(report.faults, 3);
    assert_string_equal(report.items[0].rule, "citation-unlocked");
    assert_true(sl_view_is(report.items[2].file, nccl));
    assert_int_equal(update().added, 3);
    expect_clean("anchored");
    /* what a table alone cites goes stale as a text's does */
    test_write(TREE "src/b.c", "new;\n" B_TEXT);
    (void)unlink(test_path(LINES));
    manifest_from_tree();
    verify(true);
    assert_int_equal(report.faults, 2);
    assert_non_null(fault_of("citation-moved"));
    assert_true(sl_view_is(report.items[0].file, env));
    assert_int_equal(report.items[0].line, 3);
    assert_true(sl_view_is(report.items[1].file, nccl));
    assert_int_equal(report.items[1].line, 2);
    test_write(TREE "src/b.c", B_TEXT);
    manifest_from_tree();
    test_write(nccl, text_of(pair, "not-a-citation"));
    verify(true);
    assert_non_null(fault_of("citation-form"));
    assert_non_null(fault_of("lock-stale"));
}

static void page_cites(const char *citation)
{
    test_write(PAGE, text_of(FRONT "# A\n\nWords.\n\n## One\n\nSo `%s`.\n",
                             citation));
}

static void not_in_the_lock(void **state)
{
    (void)state;
    static const struct {
        const char *citation;
        const char *rule;
    } cases[] = {
        {"fake:src/a.c:4", "citation-unlocked"},
        {"fake:src/c.c:1", "citation-path"},
        {"fake:README:1", "citation-path"},
        {"fake:src/a.c:11", "citation-line"},
        {"fake:src/a.c:9-11", "citation-line"},
        {"other:src/a.c:1", "citation-source"},
        {"fake:src/a.c:0", "citation-form"},
        {"fake:src/a.c:3-2", "citation-form"},
        {"fake:../src/a.c:1", "citation-form"},
        {"fake:src/a.c:1-9999", "citation-form"},
    };
    project_make();
    for (size_t i = 0; i < COUNT(cases); i++) {
        page_cites(cases[i].citation);
        test_write(LOCK, "shmemlore-lock 1\n");
        expect_one(cases[i].citation, cases[i].rule, PAGE, CITED);
    }
    /* told once where it is cited twice: one update mends both */
    page_cites("fake:src/a.c:4` and `fake:src/a.c:4");
    expect_one("twice", "citation-unlocked", PAGE, CITED);
    sl_report_release(&report);
}

static void next_to_nothing(void **state)
{
    (void)state;
    project_make();
    page_cites("fake:src/a.c:5-6"); /* "}" and a blank line */
    (void)update();
    expect_one("a closing brace", "citation-trivial", PAGE, CITED);
    page_cites("fake:src/a.c:4-5");
    (void)update();
    expect_clean("a statement and a closing brace");
    sl_report_release(&report);
}

static void lock_faults(void **state)
{
    (void)state;
    project_make();
    struct sl_view good = test_read(test_path(LOCK));
    page_cites("fake:src/a.c:1");
    (void)update();
    struct sl_view other = test_read(test_path(LOCK));
    test_write(PAGE, page_one);
    /* both entries in order: the first of them is stale */
    test_write(LOCK, text_of("%.*s%s", SL_ARG(other),
                             strchr(good.ptr, '\n') + 1));
    expect_one("an entry that nothing cites", "lock-stale", LOCK, 2);
    test_write(LOCK, text_of("%.*srubbish\n", SL_ARG(good)));
    verify(false);
    assert_non_null(fault_of("lock-form"));
    assert_int_equal(fault_of("lock-form")->line, 3);
    assert_int_equal(report.faults, 1);
    unlink(test_path(LOCK));
    expect_one("no lock", "lock-missing", LOCK, 0);
    sl_report_release(&report);
}

static void manifest_faults(void **state)
{
    (void)state;
    project_make();
    struct sl_view good = test_read(test_path(LINES));
    unlink(test_path(LINES));
    expect_one("no manifest", "manifest-missing", LINES, 0);
    test_write(LINES, text_of("%.*srubbish\n", SL_ARG(good)));
    expect_one("a rubbish line", "manifest-form", LINES, 8);
    const char *b = strstr(good.ptr, "file src/b.c");
    assert_non_null(b);
    test_write_bytes(LINES,
                     sl_view_sub(good, 0, (size_t)(b - good.ptr)));
    expect_one("cut between two files", "manifest-form", LINES, 1);
    test_write(LINES, "shmemlore-lines 2 fake " NEW_COMMIT " 0 0\n");
    expect_one("of another commit", "manifest-commit", LINES, 1);
    test_write(LINES, "shmemlore-lines 2 other " COMMIT " 0 0\n");
    expect_one("of another source", "manifest-commit", LINES, 1);
    /* without the tree nothing can be said of the citation */
    assert_int_equal(report.grades[SL_GRADE_OK] +
                         report.grades[SL_GRADE_UNCHECKED],
                     1);
    test_write_bytes(LINES, good);
    test_write(LINES "x.lines", "");
    expect_clean("a manifest of no source");
    assert_non_null(fault_of("manifest-orphan"));
    sl_report_release(&report);
}

static void tree_and_manifest(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *text;
        const char *says;
    } cases[] = {
        {"src/b.c", "char b1;\nchar B2;\nchar b3;\n",
         "at src/b.c: line 2 is another one"},
        {"src/b.c", "char b1;\n", "src/b.c, which has 3 lines here and 1 in"},
        {"src/b.c", NULL, "at src/b.c, which /"},
        {"src/c.c", "", "at src/c.c, which stands in /"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        project_make();
        unlink(test_path(TREE "src/c.c"));
        (void)update();
        if (cases[i].text)
            test_write(text_of(TREE "%s", cases[i].file), cases[i].text);
        else
            unlink(test_path(text_of(TREE "%s", cases[i].file)));
        verify(true);
        const struct sl_fault *fault = fault_of("manifest-tree");
        assert_case(report.faults == 1 && fault, cases[i].says);
        assert_case(strstr(fault->message, cases[i].says), fault->message);
        assert_string_equal(fault->fix,
                            "run shmemlore sources sync --force fake");
        verify(false);
        assert_int_equal(report.faults, 0);
        unlink(test_path(LINES));
    }
    /* a file outside the source's paths is nobody's business */
    project_make();
    test_write(TREE "other.c", "x\n");
    expect_clean("a file outside the paths");
    for (unsigned i = 0; i < 25; i++)
        test_write(text_of(TREE "src/n%u.c", i), "x\n");
    verify(true);
    assert_int_equal(report.faults, 21);
    assert_non_null(strstr(report.items[20].message, "and 5 more"));
    sl_report_release(&report);
}

/* A path that was added and names nothing: only the tree can tell the second. */
static void expect_paths(void)
{
    verify(false);
    assert_true(report.faults == 1 && fault_of("manifest-paths"));
    verify(true);
    assert_true(report.faults == 2 && fault_of("manifest-paths") &&
                fault_of("source-path"));
}

static void sources_faults(void **state)
{
    (void)state;
    project_make();
    test_write(SOURCES, "sources: 1\n");
    expect_one("no map", "sources-form", SOURCES, 0);
    assert_int_equal(report.grades[SL_GRADE_UNCHECKED], 1);
    test_write(SOURCES, SOURCES_TEXT
               "  spare:\n    title: T\n    repository: https://x.org/s\n"
               "    tag: v1\n    commit: " COMMIT "\n    licence: MIT\n"
               "    paths: [src/]\n");
    (void)update();
    expect_one("a source without manifest", "manifest-missing",
               "evidence/lines/spare.lines", 0);
    assert_non_null(fault_of("source-unused"));
    assert_true(fault_of("source-unused")->notice);
    test_write(SOURCES, SOURCES_AT(COMMIT, "src/, docs/"));
    expect_paths();
    test_write(SOURCES, SOURCES_AT(COMMIT, "src/") "    licnce: MIT\n");
    expect_one("an unknown key", "sources-form", SOURCES, 0);
    sl_report_release(&report);
}

static void write_run(const char *schema, const char *name,
                      const char *program, const char *source,
                      const char *sha256, const char *outcome)
{
    test_write(RUN, text_of(RUN_FORM, schema, name, program, source, sha256,
                            outcome));
}

/* The record with one member of it as docs/runs.md does not allow. */
static void loose_runs(struct sl_view good)
{
    static const struct {
        const char *old, *now;
    } cases[] = {
        {"[{\"name\":\"k\"}]", "[1]"},
        {"[{\"name\":\"k\"}]", "[{}]"},
        {"[{\"name\":\"k\"}]", "[]"},
        {"[{\"name\":\"k\"}]", "{}"},
        {"[{\"name\":\"k\"}]", "[{\"name\":\"\"}]"},
        {"[{\"name\":\"k\"}]", "[{\"name\":\"k\",\"x\":1.5}]"},
        {"[{\"name\":\"k\"}]", "[{\"name\":\"k\",\"x\":{}}]"},
        {"[{\"name\":\"k\"}]", "[{\"name\":\"k\"},{\"name\":\"k\"}]"},
        {"\"2026-01-01\"", "\"yesterday\""},
        {"\"2026-01-01\"", "\"2026-13-01\""},
        {"\"2026-01-01\"", "\"2026-01-00\""},
        {"\"pes\":2", "\"pes\":-5"},
        {"\"pes\":2", "\"pes\":0"},
        {"\"pes\":2", "\"pes\":2.5"},
        {"\"pes_per_device\":2", "\"pes_per_device\":0"},
        {"\"devices\":[\"d\"]", "\"devices\":[]"},
        {"\"devices\":[\"d\"]", "\"devices\":[\"\"]"},
        {"\"devices\":[\"d\"]", "\"devices\":\"d\""},
        {"\"variables\":{}", "\"variables\":{\"A\":5}"},
        {"\"variables\":{}", "\"variables\":[]"},
        {"\"arguments\":[]", "\"arguments\":[1]"},
        {"\"seconds\":1.5", "\"seconds\":-1"},
        {"\"seconds\":1.5", "\"seconds\":\"1.5\""},
        {"\"driver\":\"1\"", "\"driver\":\"\""},
        {"\"mps\":true", "\"mps\":1"},
        {"\"passed\"", "\"fine\""},
        {"\"sha256\":\"", "\"sha256\":\"0"},
        {"\"path\":", "\"file\":"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *at = strstr(good.ptr, cases[i].old);
        assert_case(at != NULL, cases[i].old);
        test_write(RUN, text_of("%.*s%s%s", (int)(at - good.ptr), good.ptr,
                                cases[i].now, at + strlen(cases[i].old)));
        expect_one(cases[i].now, "run-record", RUN, 1);
    }
    test_write_bytes(RUN, good);
    expect_clean("the record as it was");
}

static void runs(void **state)
{
    (void)state;
    static const char p[] = "examples/p.cu";
    static const char v1[] = "shmemlore.run/1";
    project_make();
    const char *sha = sha256_of(PROGRAM_TEXT);
    struct sl_view good = test_read(test_path(RUN));
    write_run("shmemlore.run/2", "one-run", p, p, sha, "passed");
    expect_one("another schema", "run-record", RUN, 1);
    write_run(v1, "other", p, p, sha, "passed");
    expect_one("another name", "run-name", RUN, 1);
    write_run(v1, "one-run", p, p, sha, "failed");
    expect_one("not passed", "run-failed", RUN, 1);
    write_run(v1, "one-run", p, p, sha256_of("x"), "passed");
    expect_one("another program", "run-program", RUN, 1);
    write_run(v1, "one-run", p, "examples/none", sha, "passed");
    verify(true);
    assert_true(report.faults == 2 && fault_of("run-program"));
    write_run(v1, "one-run", p, "../../etc/passwd", sha, "passed");
    verify(true);
    assert_true(report.faults == 2 && fault_of("run-program"));
    write_run(v1, "one-run", "examples/q.cu", p, sha, "passed");
    expect_one("a program that is no source", "run-program", RUN, 1);
    test_write(RUN, "{\"schema\":\"shmemlore.run/1\"");
    expect_one("cut off", "run-record", RUN, 1);
    test_write(RUN, text_of("%.*s{}", SL_ARG(good)));
    expect_one("more behind it", "run-record", RUN, 1);
    test_write_bytes(RUN, test_repeat("[", 100000));
    expect_one("nested without end", "run-record", RUN, 1);
    test_write(RUN, "{\"schema\":\"shmemlore.run/1\"}");
    verify(true);
    assert_true(report.faults > 15 && fault_of("run-record"));
    loose_runs(good);
    unlink(test_path(RUN));
    expect_one("no record", "run-missing", CARDS, 19);
    test_write_bytes(RUN, good);
    test_write("examples/p.cu", PROGRAM_TEXT "\n");
    expect_one("the program was edited", "run-program", RUN, 1);
    test_write("examples/p.cu", PROGRAM_TEXT);
    test_write("evidence/runs/two-run.json", "rubbish");
    expect_clean("a record that nothing cites");
    assert_true(fault_of("run-unused") && fault_of("run-unused")->notice);
    page_cites("run:../one-run` observed `fake:src/a.c:2-3");
    expect_one("a name that leaves", "run-missing", PAGE, CITED);
    sl_report_release(&report);
}

static void counts(void **state)
{
    (void)state;
    project_make();
    test_write(PAGE, FRONT "# A\n\nreported: a/b#1, a/b#1, a/b#2\n\n"
                           "specified: OpenSHMEM 1.6 `fake:src/a.c:2-3`\n\n"
                           "So `fake:src/a.c:2-3`, `fake:src/a.c:4`\n");
    (void)update();
    verify(true);
    const struct sl_verify_counts *c = &report.counts;
    assert_int_equal(report.faults, 0);
    assert_int_equal(c->files, 3);
    assert_int_equal(c->citations, 3);
    assert_int_equal(c->citations_distinct, 2);
    assert_int_equal(c->threads, 3);
    assert_int_equal(c->threads_distinct, 2);
    assert_int_equal(c->specs, 1);
    assert_int_equal(c->runs, 1);
    assert_int_equal(c->runs_distinct, 1);
    assert_int_equal(report.grades[SL_GRADE_OK], 2);
    sl_report_release(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(graded_the_same),
        FOLDER_TEST(tables_cite),
        FOLDER_TEST(not_in_the_lock),
        FOLDER_TEST(next_to_nothing),
        FOLDER_TEST(lock_faults),
        FOLDER_TEST(manifest_faults),
        FOLDER_TEST(tree_and_manifest),
        FOLDER_TEST(sources_faults),
        FOLDER_TEST(runs),
        FOLDER_TEST(counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
