/*
 * A small checkout for the tests of verify, made in the test's folder: a skill
 * of three files, one pinned source with its tree in a cache, one recorded run.
 * As it is made, updated, verify finds nothing wrong with it.
 */
#ifndef SL_TEST_PROJECT_H
#define SL_TEST_PROJECT_H

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "cite/manifest.h"
#include "os/file.h"
#include "text/hash.h"
#include "verify/verify.h"

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define SKILL "skills/nvshmem/SKILL.md"
#define PAGE "skills/nvshmem/references/nvshmem/a.md"
#define CARDS "skills/nvshmem/references/symptoms/s.md"
#define SOURCES "evidence/sources.yaml"
#define LOCK "evidence/citations.lock"
#define LINES "evidence/lines/fake.lines"
#define RUN "evidence/runs/one-run.json"
#define TREE "cache/sources/fake-" COMMIT "/"
/* another commit, which a test may pin: the same source, upgraded */
#define NEW_COMMIT "ffff456789abcdef0123456789abcdef01234567"
#define NEW_TREE "cache/sources/fake-" NEW_COMMIT "/"

/* seven lines; a body begins with line 8 */
#define FRONT "---\ntitle: T\nsummary: S\napplies: A\nasks:\n  - q\n---\n"
#define SKILL_TEXT "---\nname: nvshmem\ndescription: D\n---\n# S\n\nWords.\n"
#define PAGE_TEXT \
    FRONT "# A\n\nWords.\n\n## One\n\nHere `foo` is `fake:src/a.c:2-3`.\n"
#define CARD_TEXT \
    FRONT "# S\n\n## It hangs\n\nIt waits.\n\n- log: `x * y` · `z`\n" \
          "- stage: transport\n- role: first cause\n" \
          "- confirm: look (advice)\n- do: act (advice)\n" \
          "- observed: so it was `run:one-run`\n"
#define SOURCES_AT(commit, paths) \
    "sources:\n  fake:\n    title: Fake\n" \
    "    repository: https://example.org/fake\n    tag: v1\n" \
    "    commit: " commit "\n    licence: MIT\n    paths: [" paths "]\n"
#define SOURCES_TEXT SOURCES_AT(COMMIT, "src/")
#define A_TEXT \
    "int one;\nint foo(void)\n{\n    return 4;\n}\n\nint seven;\n" \
    "int eight;\nint nine;\nint ten;\n"
#define B_TEXT "char b1;\nchar b2;\nchar b3;\n"
#define PROGRAM_TEXT "int main(void);\n"
#define RUN_FORM \
    "{\"schema\":\"%s\",\"name\":\"%s\",\"program\":\"%s\"," \
    "\"sources\":[{\"path\":\"%s\",\"sha256\":\"%s\"}]," \
    "\"command\":\"c\",\"build\":\"b\",\"arguments\":[],\"pes\":2," \
    "\"devices\":[\"d\"],\"pes_per_device\":2,\"driver\":\"1\"," \
    "\"cuda\":\"1\",\"nvshmem\":\"3.4.5\",\"compute_capability\":\"9.0\"," \
    "\"mps\":true,\"variables\":{},\"outcome\":\"%s\"," \
    "\"cases\":[{\"name\":\"k\"}],\"seconds\":1.5,\"date\":\"2026-01-01\"," \
    "\"notes\":\"\"}\n"

static struct sl_error error;
static struct sl_report report;

/* printf into the test's arena */
SL_PRINTF(1, 2) static inline const char *text_of(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = sl_arena_alloc(&test_arena, 1u << 14);
    assert_non_null(text);
    int n = vsnprintf(text, 1u << 14, format, args);
    va_end(args);
    assert_true(n >= 0 && n < 1 << 14);
    return text;
}

static inline const char *sha256_of(const char *text)
{
    char *hex = sl_arena_alloc(&test_arena, 65);
    assert_non_null(hex);
    assert_ok(sl_sha256_hex(sl_view_of(text), hex, &error));
    return hex;
}

static inline void cache_on(bool on)
{
    assert_int_equal(
        setenv("SHMEMLORE_CACHE", test_path(on ? "cache" : "none"), 1), 0);
}

/* verify --update; the tree is there. */
static inline struct sl_verify_update update(void)
{
    struct sl_verify_update done;
    cache_on(true);
    assert_ok(sl_verify_update(test_folder, NULL, 0, &done, &error));
    return done;
}

static inline void project_make(void)
{
    test_write(SKILL, SKILL_TEXT);
    test_write(PAGE, PAGE_TEXT);
    test_write(CARDS, CARD_TEXT);
    test_write(SOURCES, SOURCES_TEXT);
    test_write(TREE "src/a.c", A_TEXT);
    test_write(TREE "src/b.c", B_TEXT);
    test_write("examples/p.cu", PROGRAM_TEXT);
    test_write(RUN, text_of(RUN_FORM, "shmemlore.run/1", "one-run",
                            "examples/p.cu", "examples/p.cu",
                            sha256_of(PROGRAM_TEXT), "passed"));
    (void)unlink(test_path(LOCK));
    (void)update();
}

/* Fills `report`, with or without the tree. */
static inline void verify(bool tree)
{
    sl_report_release(&report);
    sl_report_init(&report);
    cache_on(tree);
    assert_ok(sl_verify_run(test_folder, &report, &error));
}

static inline void print_faults(void)
{
    struct sl_buf out;
    sl_buf_init(&out, 1u << 20);
    sl_report_text(&out, &report, ".");
    print_error("%s", out.ptr);
    sl_buf_release(&out);
}

/* The fault with that rule, or NULL. */
static inline const struct sl_fault *fault_of(const char *rule)
{
    for (size_t i = 0; i < report.count; i++)
        if (strcmp(report.items[i].rule, rule) == 0)
            return &report.items[i];
    return NULL;
}

/* verify finds one fault, of that rule and there, with and without the tree. */
static inline void expect_one(const char *what, const char *rule,
                              const char *file, unsigned line)
{
    for (int tree = 0; tree < 2; tree++) {
        verify(tree);
        const struct sl_fault *fault = fault_of(rule);
        bool found = report.faults == 1 && fault && !fault->notice &&
                     sl_view_is(fault->file, file) && fault->line == line;
        if (!found) {
            print_error("expected %s:%u [%s], found:\n", file, line, rule);
            print_faults();
        }
        assert_case(found, what);
    }
}

static inline void expect_clean(const char *what)
{
    for (int tree = 0; tree < 2; tree++) {
        verify(tree);
        if (report.faults)
            print_faults();
        assert_case(!report.faults, what);
    }
}

#endif
