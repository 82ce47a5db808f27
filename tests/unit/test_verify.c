/* verify: what the text itself must be. Each rule has a text that breaks it
 * and nothing else, so that a rule that is taken out fails its case. */
#include "project.h"

struct broken {
    const char *what;
    const char *file;
    const char *text;
    const char *rule; /* NULL: nothing is wrong with it */
    unsigned line;
};

static void run_cases(const struct broken *cases, size_t count)
{
    project_make();
    expect_clean("the project as it is made");
    for (size_t i = 0; i < count; i++) {
        struct sl_view old = SL_LIT("");
        bool there = sl_path_exists(test_path(cases[i].file));
        if (there)
            old = test_read(test_path(cases[i].file));
        test_write(cases[i].file, cases[i].text);
        (void)update();
        if (cases[i].rule)
            expect_one(cases[i].what, cases[i].rule, cases[i].file,
                       cases[i].line);
        else
            expect_clean(cases[i].what);
        if (there)
            test_write_bytes(cases[i].file, old);
        else
            unlink(test_path(cases[i].file));
    }
    (void)update();
    sl_report_release(&report);
}

/* a section, from line 12 on, in a page that cites line 2 too */
#define ONE(text) \
    FRONT "# A\n\nSee `fake:src/a.c:2-3`.\n\n## One\n\n" text "\n"
#define LINE 14 /* of its text */

static void front_matter(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"no front matter", PAGE, "# A\n\nWords.\n", "front-missing", 1},
        {"no title", PAGE,
         "---\nsummary: S\napplies: A\nasks: [q]\n---\n# A\n", "front-key", 1},
        {"no summary", PAGE,
         "---\ntitle: T\napplies: A\nasks: [q]\n---\n# A\n", "front-key", 1},
        {"an empty applies", PAGE,
         "---\ntitle: T\nsummary: S\napplies:\nasks: [q]\n---\n# A\n",
         "front-key", 4},
        {"no asks", PAGE, "---\ntitle: T\nsummary: S\napplies: A\n---\n# A\n",
         "front-key", 1},
        {"asks that are text", PAGE,
         "---\ntitle: T\nsummary: S\napplies: A\nasks: q\n---\n# A\n",
         "front-key", 5},
        {"an unknown key", PAGE,
         "---\ntitle: T\nsummary: S\nauthor: me\napplies: A\nasks: [q]\n---\n"
         "# A\n",
         "front-key", 4},
        {"asks of no section", PAGE,
         "---\ntitle: T\nsummary: S\napplies: A\nasks:\n  b: [q]\n---\n# A\n",
         "form", 6},
        {"an alias to nowhere", PAGE,
         "---\ntitle: T\nsummary: S\napplies: A\nasks: [q]\naliases:\n"
         "  old: b\n---\n# A\n",
         "form", 7},
        {"an alias that is a section", PAGE,
         "---\ntitle: T\nsummary: S\napplies: A\nasks: [q]\naliases:\n"
         "  b: a\n---\n# A\n\n## B\n",
         "alias-taken", 7},
        {"aliases that are no map", PAGE,
         "---\ntitle: T\nsummary: S\napplies: A\nasks: [q]\naliases: b\n---\n"
         "# A\n",
         "front-key", 6},
        {"what is no YAML", PAGE, "---\ntitle: [T\n---\n# A\n", NULL, 0},
        {"a good alias", PAGE,
         "---\ntitle: T\nsummary: S\napplies: A\nasks:\n  a: [q]\naliases:\n"
         "  old: a\n---\n# A\n\n[x](#old) [y](a.md#old)\n",
         NULL, 0},
    };
    /* broken YAML breaks two rules at once: asked apart */
    struct broken good[COUNT(cases)];
    size_t n = 0;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (strcmp(cases[i].what, "what is no YAML") != 0)
            good[n++] = cases[i];
    run_cases(good, n);
    test_write(PAGE, "---\ntitle: [T\n---\n# A\n");
    verify(true);
    assert_non_null(fault_of("form"));
    assert_int_equal(fault_of("form")->line, 3);
    sl_report_release(&report);
}

static void skill_file(void **state)
{
    (void)state;
    const struct broken cases[] = {
        {"another name", SKILL,
         "---\nname: other\ndescription: D\n---\n# S\n", "skill-name", 1},
        {"no name", SKILL, "---\ndescription: D\n---\n# S\n", "skill-name", 1},
        {"no description", SKILL, "---\nname: nvshmem\n---\n# S\n",
         "skill-description", 1},
        {"a long description", SKILL,
         text_of("---\nname: nvshmem\ndescription: %.401s\n---\n# S\n",
                 test_repeat("d", 401).ptr),
         "skill-description", 1},
        {"400 characters of two bytes", SKILL,
         text_of("---\nname: nvshmem\ndescription: %.800s\n---\n# S\n",
                 test_repeat("\xc3\xa9", 400).ptr),
         NULL, 0},
        {"a long compatibility", SKILL,
         text_of("---\nname: nvshmem\ndescription: D\ncompatibility: %.501s\n"
                 "---\n# S\n",
                 test_repeat("d", 501).ptr),
         "skill-compatibility", 1},
        {"an unknown key", SKILL,
         "---\nname: nvshmem\ndescription: D\ntitle: T\n---\n# S\n",
         "front-key", 4},
        {"metadata that is text", SKILL,
         "---\nname: nvshmem\ndescription: D\nmetadata: T\n---\n# S\n",
         "front-key", 4},
        {"all keys", SKILL,
         "---\nname: nvshmem\ndescription: D\nlicense: MIT\n"
         "compatibility: any\nmetadata:\n  version: 1\n---\n# S\n",
         NULL, 0},
        {"no front matter", SKILL, "# S\n", "front-missing", 1},
    };
    run_cases(cases, COUNT(cases));
    unlink(test_path(SKILL));
    expect_one("no SKILL.md", "front-missing", SKILL, 0);
    sl_report_release(&report);
}

static void sections(void **state)
{
    (void)state;
    const struct broken cases[] = {
        {"3,500 bytes", PAGE,
         text_of(FRONT "# A\n\n## B\n\n%.3493s\n",
                 test_repeat("x", 3500).ptr),
         NULL, 0},
        {"3,501 bytes", PAGE,
         text_of(FRONT "# A\n\n## B\n\n%.3494s\n",
                 test_repeat("x", 3500).ptr),
         "section-size", 10},
        {"two top headings", PAGE, FRONT "# A\n\n# B\n", "heading-top", 10},
        {"no top heading", PAGE, FRONT "## A\n", "heading-top", 8},
        {"a deep heading", PAGE, FRONT "# A\n\n#### B\n", "heading-level", 10},
        {"a slug twice", PAGE, FRONT "# A\n\n## B\n\n## `b`\n", "form", 12},
        {"text before the heading", PAGE, FRONT "Words.\n\n# A\n", "form", 8},
        {"an escape in a heading", PAGE, FRONT "# A\n\n## b\\_c\n", "escaped",
         10},
    };
    run_cases(cases, COUNT(cases));
}

static void links(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"no such file", PAGE, ONE("[x](b.md)"), "link-broken", LINE},
        {"no such slug", PAGE, ONE("[x](#two)"), "link-broken", LINE},
        {"no such slug elsewhere", PAGE, ONE("[x](../symptoms/s.md#two)"),
         "link-broken", LINE},
        {"out of the skill", PAGE, ONE("[x](../../../../evidence)"),
         "link-broken", LINE},
        {"absolute", PAGE, ONE("[x](/etc/passwd)"), "link-broken", LINE},
        {"another scheme", PAGE, ONE("[x](mailto:a@example.org)"),
         "link-broken", LINE},
        {"empty", PAGE, ONE("[x]()"), "link-broken", LINE},
        {"with a title", PAGE, ONE("[x](b.md 'title')"), "link-form", LINE},
        {"the line of the link", PAGE, ONE("word\nword [x](b.md)"),
         "link-broken", LINE + 1},
        {"the vendor's pages", PAGE,
         ONE("[x](https://docs.nvidia.com/nvshmem/api)"), "link-vendor", LINE},
        {"bare, in capitals", PAGE, ONE("http://DOCS.NVIDIA.COM:80/"),
         "link-vendor", LINE},
        {"the other host", PAGE, ONE("<https://developer.nvidia.com/x>"),
         "link-vendor", LINE},
        {"in a heading", PAGE, ONE("Words.\n\n## [h](b.md)\n\nWords."),
         "link-broken", LINE + 2},
        {"in a quoted heading", PAGE, ONE("> ## [h](b.md)"), "link-broken",
         LINE},
        {"the vendor's pages in a heading", PAGE,
         ONE("Words.\n\n### [h](https://docs.nvidia.com/x)\n\nWords."),
         "link-vendor", LINE + 2},
        {"a reference definition", PAGE, ONE("See [x][a].\n\n[a]: b.md"),
         "link-form", LINE + 2},
        {"one in a list, in a quote", PAGE, ONE("- > [a]: https://x.org"),
         "link-form", LINE},
        {"one on a later line", PAGE, ONE("Words\n  [a]: b.md"), "link-form",
         LINE + 1},
        {"good ones", PAGE,
         ONE("[x](#one) [x](a.md#one) [x](../symptoms/s.md#it-hangs) "
             "[x](../../SKILL.md) [x](https://github.com/NVIDIA) "
             "[x](https://docs.nvidia.com@example.org/) `](` (advice)\n\n"
             "as in `x[1]: y`, [1] or [a] : b (advice)"),
         NULL, 0},
    };
    run_cases(cases, COUNT(cases));
    /* out of the skill by way of a link */
    project_make();
    assert_int_equal(symlink("/etc/passwd",
                             test_path("skills/nvshmem/lnk.txt")),
                     0);
    assert_int_equal(symlink("/etc", test_path("skills/nvshmem/etc")), 0);
    test_write("skills/nvshmem/plain.txt", "x");
    test_write(PAGE, ONE("[x](../../lnk.txt)"));
    expect_one("a symbolic link", "link-broken", PAGE, LINE);
    assert_non_null(strstr(fault_of("link-broken")->message, "symbolic link"));
    test_write(PAGE, ONE("[x](../../etc/passwd)"));
    expect_one("through one", "link-broken", PAGE, LINE);
    test_write(PAGE, ONE("[x](../../plain.txt) [x](../../references/) "
                         "[x](../..)"));
    expect_clean("a file, a folder, the skill");
    sl_report_release(&report);
}

/* Evidence and links where no other rule reads: headings and HTML. */
static void unseen(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"a citation in a heading", PAGE,
         ONE("Words.\n\n## Two `fake:src/a.c:2-3`"), "evidence-in-heading",
         LINE + 2},
        {"in a quoted heading", PAGE, ONE("> # `fake:src/none.c:2`"),
         "evidence-in-heading", LINE},
        {"in an underlined heading", PAGE,
         ONE("Words.\n\nTwo `run:none`\n---\n"), "evidence-in-heading",
         LINE + 2},
        {"a thread in a heading", PAGE, ONE("Words.\n\n## Two, a/b#1"),
         "evidence-in-heading", LINE + 2},
        {"a bare name in a heading", PAGE,
         ONE("Words.\n\n## Of nvshmem_put"), "name-bare", LINE + 2},
        {"a bare name in a quoted one", PAGE, ONE("> # Of nvshmem_put"),
         "name-bare", LINE},
        {"HTML", PAGE, ONE("<div>\n`x` is 4 `fake:src/none.c:9`\n</div>"),
         "html-block", LINE},
        {"HTML in a quote", PAGE, ONE("> <div>\n> x\n> </div>"),
         "html-block", LINE},
        {"a table of HTML", PAGE, ONE("<table><tr><td>1</td></tr></table>"),
         "html-block", LINE},
        {"a citation in a comment", PAGE,
         ONE("<!--\n`fake:src/a.c:2` -->\n\nWords."), "html-block",
         LINE + 1},
        {"a link in a comment", PAGE, ONE("<!-- [x](b.md) -->"), "html-block",
         LINE},
        {"a comment without end", PAGE, ONE("<!-- `x` is 4\n\nWords."),
         "html-block", LINE},
        {"text behind a comment", PAGE, ONE("<!-- x --> `y` is 4"),
         "html-block", LINE},
        {"a tag in the text", PAGE, ONE("Words\nwith <a href=\"b.md\">it</a>"),
         "html-inline", LINE + 1},
        {"a comment in the text", PAGE, ONE("Words <!-- x --> words"),
         "html-inline", LINE},
        {"what is none of it", PAGE,
         ONE("<!-- a word --> <!-- another -->\n\n`<div>` a < b, \\<b, "
             "<https://example.org/> (advice)\n\n## Of `nvshmem_put` and 4"
             "\n\n```\n<div>\n```"),
         NULL, 0},
    };
    run_cases(cases, COUNT(cases));
}

/* What misses the grammar of evidence, beside a citation that does not. */
static void near_misses(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"fake:src/zz.c:3,5", "write `fake:src/zz.c:3`"},
        {"fake:src/zz.c:3\xe2\x80\x93""4", "write `fake:src/zz.c:3-4`"},
        {"fake:src/zz.c:L3", "write `fake:src/zz.c:3`"},
        {"fake:src/zz.c#L3", "write `fake:src/zz.c:3`"},
        {"fake:src/zz.c#L3-L5", "write `fake:src/zz.c:3-5`"},
        {"fake:src/zz.c: 3", "write `fake:src/zz.c:3`"},
        {"fake:src/z z.c:4", "the form is"},
        {"Fake:src/zz.c:3", "write `fake:src/zz.c:3`"},
        {"fake:src/zz.c:3-", "the form is"},
        {"fake:src/zz.c:3-4-5", "the form is"},
        {"fake:src/zz.c", "the form is"},
        {"FAKE:", NULL},
        {"fake: no memory", NULL},
        {"fake: src/zz.c: 3", "write `fake:src/zz.c:3`"},
        {"fake::get", NULL},
        {"fake::get(x)", NULL},
        {"Other:src/zz.c:3", "write `other:src/zz.c:3`"},
        {"other_one:src/a/zz.c:L3", "the form is"},
        {"fake:src/a.c:02-03", "is written 'fake:src/a.c:2-3'"},
        {"fake:src/a.c:3-3", "is written 'fake:src/a.c:3'"},
        {"run:", "the form is `run:NAME`"},
        {"Run:one-run", "the form is `run:NAME`"},
        {"run: one-run", NULL}, /* a run with a blank: run-missing */
        {"a/b#1", "without them"},
        {"OpenSHMEM 1.6, shmem_quiet", "without them"},
        {"host:8080", NULL},
        {"Host:8080/a/b.c:3", NULL},
        {"https://example.org/a/b.c:3", NULL},
        {"http://host:8080", NULL},
        {"C:/a/b.c:3", NULL},
        {"C:a/b.c:3", NULL},
        {"a::b", NULL},
        {"a:b", NULL},
        {"x ? y : z/a.c", NULL},
        {"src/zz.c:3", NULL},
        {"SOURCE:PATH:LINE", NULL},
        {"key:value/with.dots", NULL},
    };
    project_make();
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_write(PAGE, text_of(ONE("`x` `fake:src/a.c:2-3` and `%s`."),
                                 cases[i].text));
        (void)update();
        if (strcmp(cases[i].text, "run: one-run") == 0) {
            verify(true);
            assert_true(report.faults > 0);
            continue;
        }
        if (!cases[i].says) {
            expect_clean(cases[i].text);
            continue;
        }
        expect_one(cases[i].text, "citation-form", PAGE, LINE);
        assert_case(strstr(fault_of("citation-form")->message, cases[i].says),
                    fault_of("citation-form")->message);
    }
    sl_report_release(&report);
}

static void evidence_of_blocks(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"a name without evidence", PAGE, ONE("Use `foo`."),
         "evidence-missing", LINE},
        {"a number without evidence", PAGE, ONE("It takes 4 rounds."),
         "evidence-missing", LINE},
        {"a list item", PAGE, ONE("- Words.\n- Use `foo`."),
         "evidence-missing", LINE + 1},
        {"a nested item", PAGE, ONE("- Words.\n  - Use `foo`."),
         "evidence-missing", LINE + 1},
        {"a row", PAGE, ONE("| a |\n|---|\n| 1 |"), "evidence-missing",
         LINE + 2},
        {"a quoted paragraph", PAGE, ONE("> Use `foo`."), "evidence-missing",
         LINE},
        {"advice in code", PAGE, ONE("Use `foo` `(advice)`."),
         "evidence-missing", LINE},
        {"a lead with one bare item", PAGE,
         ONE("Use `foo`:\n\n- so `fake:src/a.c:2`\n- words"),
         "evidence-missing", LINE},
        {"a lead before another paragraph", PAGE,
         ONE("Use `foo`:\n\nWords.\n\n- so `fake:src/a.c:2`"),
         "evidence-missing", LINE},
        {"plain words, advice, code, markers", PAGE,
         ONE("Words.\n\nUse `foo`. (advice)\n\n```\nfoo(1)\n```\n\n1. one\n"
             "2. two\n\n- Use `foo` as\n  in `fake:src/a.c:2`\n\n"
             "[x](#one) https://example.org/1"),
         NULL, 0},
        {"an item of two paragraphs", PAGE,
         ONE("- Use `foo`.\n\n  So `fake:src/a.c:2`."), NULL, 0},
        {"a lead with its proofs", PAGE,
         ONE("Use `foo`:\n\n- so `fake:src/a.c:2`\n- so `fake:src/a.c:3-4`"),
         NULL, 0},
        {"a table proved by its header", PAGE,
         ONE("| a `fake:src/a.c:2` |\n|---|\n| 1 |\n| `b` |"), NULL, 0},
    };
    run_cases(cases, COUNT(cases));
}

static void kinds_of_evidence(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"a run", PAGE, ONE("So `run:one-run`."), "kind-word", LINE},
        {"a thread", PAGE, ONE("So (a-b/c.d#12)."), "kind-word", LINE},
        {"the specification", PAGE, ONE("By OpenSHMEM 1.6, shmem_put."),
         "kind-word", LINE},
        {"part of a word", PAGE, ONE("It is unspecified in OpenSHMEM 1.6."),
         "kind-word", LINE},
        {"the word in another block", PAGE,
         ONE("Observed.\n\nSo `run:one-run`."), "kind-word", LINE + 2},
        {"the words", PAGE,
         ONE("Observed: `run:one-run`; REPORTED: a/b#1; specified: OpenSHMEM "
             "1.6.\n\n| observed |\n|---|\n| `run:one-run` |"),
         NULL, 0},
    };
    run_cases(cases, COUNT(cases));
}

static void names(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"no owner", PAGE, ONE("`nvshmemi_x` `fake:src/a.c:2`"), "owner-mark",
         LINE},
        {"marked too late", PAGE,
         ONE("`nvshmemi_x()` and `nvshmemi_x` (internal) `fake:src/a.c:2`"),
         "owner-mark", LINE},
        {"marked in another section", PAGE,
         ONE("`nvshmemi_x` (internal) `fake:src/a.c:2`\n\n## Two\n\n"
             "`nvshmemi_x` `fake:src/a.c:2`"),
         "owner-mark", LINE + 4},
        {"an empty project", PAGE,
         ONE("`nvshmemi_x` (project: ) `fake:src/a.c:2`"), "owner-mark", LINE},
        {"good marks", PAGE,
         ONE("`nvshmemi_x`\n(internal), `nvshmemi_y<int>` (project: deepep), "
             "`nvshmemi_x`, `nvshmem_put` `fake:src/a.c:2`"),
         NULL, 0},
        {"an escape", PAGE, ONE("word\\_word"), "escaped", LINE},
        {"an escape in code", PAGE, ONE("`a\\_b` (advice)"), "escaped", LINE},
        {"a bare name", PAGE, ONE("Call nvshmem_quiet first."), "name-bare",
         LINE},
        {"a bare variable", PAGE, ONE("Set NVSHMEM_DEBUG first."), "name-bare",
         LINE},
        {"names that may stand so", PAGE,
         ONE("nvshmem_ and xnvshmem_put, [x](#one), "
             "https://example.org/nvshmem_put, specified: OpenSHMEM 1.6, "
             "shmem_put; `nvshmem_put`"),
         NULL, 0},
    };
    run_cases(cases, COUNT(cases));
}

/* a card whose items are given */
#define CARD(items) FRONT "# S\n\n## It hangs\n\nIt waits.\n\n" items
#define LOG "- log: `x`\n"
#define STAGE "- stage: heap\n"
#define ROLE "- role: consequence of another\n"
#define CONFIRM "- confirm: look (advice)\n"
#define DO "- do: act (advice)\n"
#define PROOF "- observed: `run:one-run`\n"

static void cards(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"no log", CARDS, CARD(STAGE ROLE CONFIRM DO PROOF), "card-items", 10},
        {"no stage", CARDS, CARD(LOG ROLE CONFIRM DO PROOF), "card-items", 10},
        {"no role", CARDS, CARD(LOG STAGE CONFIRM DO PROOF), "card-items", 10},
        {"no confirm", CARDS, CARD(LOG STAGE ROLE DO PROOF), "card-items", 10},
        {"no do", CARDS, CARD(LOG STAGE ROLE CONFIRM PROOF), "card-items", 10},
        {"a wrong order", CARDS, CARD(STAGE LOG ROLE CONFIRM DO PROOF),
         "card-items", 15},
        {"one twice", CARDS, CARD(LOG STAGE ROLE ROLE CONFIRM DO PROOF),
         "card-items", 17},
        {"no fragment", CARDS, CARD("- log: x\n" STAGE ROLE CONFIRM DO PROOF),
         "card-log", 14},
        {"no such stage", CARDS,
         CARD(LOG "- stage: sleep\n" ROLE CONFIRM DO PROOF), "card-stage", 15},
        {"no such role", CARDS,
         CARD(LOG STAGE "- role: cause\n" CONFIRM DO PROOF), "card-role", 16},
        {"a consequence of nothing", CARDS,
         CARD(LOG STAGE "- role: consequence of\n" CONFIRM DO PROOF),
         "card-role", 16},
        {"a consequence of X", CARDS,
         CARD(LOG STAGE "- role: consequence of X\n" CONFIRM DO PROOF), NULL,
         0},
        {"silent", CARDS, CARD("- log: none\n" STAGE ROLE CONFIRM DO PROOF),
         NULL, 0},
        {"a lead that the list proves", CARDS,
         FRONT "# S\n\n## It hangs\n\n`foo` waits.\n\n" LOG STAGE ROLE CONFIRM
         DO PROOF,
         NULL, 0},
        {"an item that claims", CARDS,
         CARD(LOG STAGE ROLE "- confirm: 2 lines\n" DO PROOF),
         "evidence-missing", 17},
        {"no card", PAGE, CARD(LOG), "evidence-missing", 14},
    };
    run_cases(cases, COUNT(cases));
    test_write(CARDS, CARD(LOG STAGE ROLE CONFIRM DO));
    verify(true);
    const struct sl_fault *fault = fault_of("card-evidence");
    assert_true(report.faults == 1 && fault && fault->line == 10);
    sl_report_release(&report);
}

static void printed(void **state)
{
    (void)state;
    project_make();
    test_write(PAGE, ONE("Use `foo`."));
    verify(true);
    struct sl_buf out;
    sl_buf_init(&out, 1u << 20);
    sl_report_text(&out, &report, "dir/");
    assert_true(sl_view_starts(
        sl_buf_view(&out), "dir/" PAGE ":14: error: this block names `foo` and "
                           "has neither evidence nor (advice) "
                           "[evidence-missing]\n"));
    sl_buf_truncate(&out, 0);
    sl_report_json(&out, &report, NULL);
    assert_true(sl_view_starts(sl_buf_view(&out),
                               "{\"schema\":\"shmemlore.verify/1\","
                               "\"ok\":false,"));
    assert_non_null(strstr(out.ptr, "\"rule\":\"evidence-missing\""));
    assert_non_null(strstr(out.ptr, "\"citations_distinct\":1,"));
    sl_buf_truncate(&out, 0);
    sl_report_release(&report);
    sl_report_init(&report);
    sl_report_fault(&report, SL_LIT("a\nb"), 0, "r", "do\tit", "\x1b[31m");
    sl_report_text(&out, &report, ".");
    assert_true(sl_view_starts(sl_buf_view(&out),
                               "a?b: error: ?[31m; do?it [r]\n"));
    sl_buf_release(&out);
    sl_report_release(&report);
}

static void many_faults(void **state)
{
    (void)state;
    sl_report_init(&report);
    for (unsigned i = SL_MAX_FAULTS + 10; i > 0; i--)
        sl_report_fault(&report, SL_LIT("f"), i, "r", "", "%u", i);
    sl_report_sort(&report);
    assert_ok(sl_report_check(&report, &error));
    assert_int_equal(report.count, SL_MAX_FAULTS);
    assert_int_equal(report.faults, SL_MAX_FAULTS + 10);
    assert_int_equal(report.left_out, 10);
    assert_int_equal(report.items[0].line, 11);
    sl_report_release(&report);
}

static void no_project(void **state)
{
    (void)state;
    sl_report_init(&report);
    assert_status(sl_verify_run(test_folder, &report, &error),
                  SL_ERR_NOTFOUND);
    sl_report_release(&report);
    test_write(PAGE, PAGE_TEXT);
    sl_report_init(&report);
    assert_status(sl_verify_run(test_folder, &report, &error),
                  SL_ERR_NOTFOUND);
    assert_says("not the project's root");
    sl_report_release(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(front_matter), FOLDER_TEST(skill_file),
        FOLDER_TEST(sections),     FOLDER_TEST(links),
        FOLDER_TEST(unseen),       FOLDER_TEST(near_misses),
        FOLDER_TEST(evidence_of_blocks),
        FOLDER_TEST(kinds_of_evidence),
        FOLDER_TEST(names),        FOLDER_TEST(cards),
        FOLDER_TEST(printed),      FOLDER_TEST(many_faults),
        FOLDER_TEST(no_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
