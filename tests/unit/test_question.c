/*
 * search: questions in any words. On a made knowledge base where the expected
 * section is beyond doubt, and on the real one for what no text may do.
 */
#include "test.h"

#include <string.h>

#include "base/limits.h"
#include "kb/kb.h"
#include "search/index.h"

static struct sl_error error;
static struct sl_index *index_;
static struct sl_hits hits;

static const char made[] =
    "---\ntitle: NVSHMEM notes\nasks:\n  ordering:\n"
    "    - what is the difference between fence and quiet\n---\n"
    "# NVSHMEM notes\n\nWhat follows is made up for tests.\n\n"
    "## Ordering\n\n`nvshmem_fence` orders, `nvshmem_quiet` completes.\n\n"
    "## Barriers\n\n`nvshmem_barrier_all` deadlocks when a PE is missing.\n\n"
    "## Transfers\n\n`nvshmem_put_nbi` returns at once. "
    "`cudaMemcpyAsync` is not needed.\n\n"
    "## Releases\n\nSince NVSHMEM 3.4.5 the plugin is found; in 3.5 the "
    "transport has changed. In 2.11 there was none.\n\n"
    "## Languages\n\nC++ templates and Python bindings of NVSHMEM.\n\n"
    "## Settings\n\nSet `NVSHMEM_QP_DEPTH` before init.\n\n"
    "## Umlaute\n\nDie Gr\xc3\xb6\xc3\x9f" "e des symmetrischen Heaps.\n";

static struct sl_index *build(const char *path, struct sl_view text)
{
    struct sl_kb kb;
    struct sl_index *built = NULL;
    sl_kb_init(&kb);
    assert_ok(sl_kb_add(&kb, sl_view_of(path), text, &error));
    assert_ok(sl_index_build(&kb, NULL, 0, &built, &error));
    sl_kb_release(&kb); /* the index holds all it needs */
    return built;
}

static int make(void **state)
{
    index_ = build("n.md", sl_view_of(made));
    return test_arena_make(state);
}

static int make_real(void **state)
{
    struct sl_kb kb;
    sl_kb_init(&kb);
    assert_ok(sl_kb_load(&kb, SL_TEST_ROOT "/skills/nvshmem", &error));
    assert_ok(sl_index_build(&kb, NULL, 0, &index_, &error));
    sl_kb_release(&kb);
    return test_arena_make(state);
}

static int release(void **state)
{
    sl_index_close(index_);
    return test_arena_free(state);
}

#define MADE_TEST(name) cmocka_unit_test_setup_teardown(name, make, release)
#define REAL_TEST(name) \
    cmocka_unit_test_setup_teardown(name, make_real, release)

/* The best section's id, or "" when nothing good was found. */
static const char *first(struct sl_view question)
{
    enum sl_status status =
        sl_index_ask(index_, &test_arena, question, 5, &hits, &error);
    if (status != SL_ERR_NOTFOUND)
        test_ok(status, &error, question.ptr, __FILE__, __LINE__);
    return status ? "" : hits.items[0].id.ptr;
}

static void assert_first(const char *question, const char *id)
{
    const char *got = first(sl_view_of(question));
    if (strcmp(got, id) != 0)
        fail_msg("%s: %s, not %s", question, got, id);
}

static void identifiers_and_their_parts(void **state)
{
    (void)state;
    assert_first("nvshmem_put_nbi", "n#transfers");
    assert_first("put_nbi", "n#transfers");
    assert_first("what about nbi", "n#transfers");
    assert_first("NVSHMEM_PUT_NBI", "n#transfers");
    assert_first("nvshmem_put_nbi()", "n#transfers");
    assert_first("barrier_all", "n#barriers");
    assert_first("nvshmem_barrier_all", "n#barriers");
    assert_first("barrier in nvshmem", "n#barriers");
    assert_first("nvshmem cudaMemcpyAsync", "n#transfers");
    assert_first("memcpy async nvshmem", "n#transfers");
    assert_first("NVSHMEM_QP_DEPTH", "n#settings");
    assert_first("qp_depth", "n#settings");
    assert_first("nvshmem qp depth", "n#settings");
}

static void versions(void **state)
{
    (void)state;
    assert_first("nvshmem 3.4.5", "n#releases");
    assert_first("nvshmem 3.4", "n#releases"); /* a release has its series */
    assert_first("nvshmem 3.5", "n#releases");
    assert_first("nvshmem 2.11", "n#releases");
    /* a version that stands nowhere does not match by its digits */
    assert_string_equal(first(SL_LIT("3.9.9")), "");
    assert_string_equal(first(SL_LIT("3.4.9")), "");
}

static void other_words(void **state)
{
    (void)state;
    assert_first("nvshmem C++", "n#languages");
    assert_first("c++ nvshmem", "n#languages");
    assert_first("why does my nvshmem program hang", "n#barriers");
    assert_first("nvshmem stuck", "n#barriers");      /* a synonym */
    assert_first("nvshmem deadlocked", "n#barriers"); /* and stemmed */
    assert_first("order nvshmem operations", "n#ordering");
    assert_first("difference of fence and quiet", "n#ordering"); /* asks */
    assert_first("nvshmem gr\xc3\xb6\xc3\x9f" "e", "n#umlaute");
    assert_first("nvshmem python", "n#languages");
}

static void spelling(void **state)
{
    (void)state;
    assert_first("nvshmem_quite", "n#ordering");
    assert_view(hits.asked, "nvshmem_quite");
    assert_view(hits.taken, "nvshmem_quiet");
    assert_first("what does nvshmem_barier_all do", "n#barriers");
    assert_view(hits.taken, "nvshmem_barrier_all");
    assert_first("NVSHMEM_QP_DEPHT", "n#settings");
    assert_view(hits.taken, "NVSHMEM_QP_DEPTH");
    /* what is known needs no help, nor does a known part */
    assert_first("nvshmem_quiet", "n#ordering");
    assert_null(hits.asked.ptr);
    assert_first("put_nbi", "n#transfers");
    assert_null(hits.asked.ptr);
    /* too far from everything */
    assert_string_equal(first(SL_LIT("completely_other_name")), "");
}

static void nothing_good(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "how do I bake bread",
        "best restaurants in Paris",
        "quantum chromodynamics",
        "",
        "   ",
        "the of and",
        "?!",
    };
    for (size_t i = 0; i < COUNT(questions); i++) {
        enum sl_status status =
            sl_index_ask(index_, &test_arena, sl_view_of(questions[i]), 3,
                         &hits, &error);
        assert_case(status == SL_ERR_NOTFOUND, questions[i]);
        assert_case(error.message[0] != '\0', questions[i]);
    }
}

static void limits(void **state)
{
    (void)state;
    assert_status(sl_index_ask(index_, &test_arena, SL_LIT("fence"), 0, &hits,
                               &error),
                  SL_ERR_USAGE);
    assert_status(sl_index_ask(index_, &test_arena, SL_LIT("fence"),
                               SL_MAX_RESULTS + 1, &hits, &error),
                  SL_ERR_USAGE);
    assert_ok(sl_index_ask(index_, &test_arena, SL_LIT("nvshmem"), 2, &hits,
                           &error));
    assert_int_equal(hits.count, 2);
    assert_status(sl_index_ask(index_, &test_arena,
                               test_repeat("fence ", SL_MAX_QUESTION / 6 + 1),
                               1, &hits, &error),
                  SL_ERR_LIMIT);
    struct sl_view longest = test_repeat("fence ", SL_MAX_QUESTION / 6);
    assert_ok(
        sl_index_ask(index_, &test_arena, longest, 1, &hits, &error));
    assert_view(hits.items[0].id, "n#ordering");
}

/* None of it is syntax; around it the question is still answered. */
static void user_text_is_never_syntax(void **state)
{
    (void)state;
    static const struct sl_view marks[] = {
        BYTES("C++"),        BYTES("foo-bar"),   BYTES("\""),
        BYTES("\"\""),       BYTES("\"fence"),   BYTES("*"),
        BYTES("fen*"),       BYTES("NEAR("),     BYTES("NEAR(a b, 2)"),
        BYTES("AND"),        BYTES("OR"),        BYTES("NOT"),
        BYTES("AND OR NOT"), BYTES("title:x"),   BYTES("title : x"),
        BYTES("{title} : x"), BYTES("- title:x"), BYTES("^"),
        BYTES("^fence"),     BYTES("("),         BYTES(")"),
        BYTES("(("),         BYTES("+"),         BYTES("a + b"),
        BYTES("'"),          BYTES("''; DROP TABLE words; --"),
        BYTES("\\"),         BYTES("%s%n"),      BYTES("?1"),
        BYTES(":x @y $z"),   BYTES("\0"),        BYTES("a\0b"),
        BYTES("\xff\xfe"),   BYTES("\xc3"),      BYTES("\xed\xa0\x80"),
        BYTES("\xf0\x9f\x98\x80"), BYTES("\xe2\x80\x94"), BYTES("_"),
        BYTES("___"),        BYTES("a_"),        BYTES("_\xc3\xa9_"),
        BYTES("\n\n"),       BYTES("``"),        BYTES("#"),
        BYTES("<b>"),        BYTES("rank MATCH"), BYTES("rowid:1"),
    };
    struct sl_buf question;
    sl_buf_init(&question, 1u << 16);
    for (size_t i = 0; i < COUNT(marks); i++) {
        (void)first(marks[i]); /* found or not, never an error */
        for (unsigned form = 0; form < 3; form++) {
            sl_buf_truncate(&question, 0);
            sl_buf_puts(&question, form == 0 ? "nvshmem_fence " : "");
            sl_buf_add(&question, marks[i]);
            sl_buf_puts(&question, form == 1   ? " nvshmem_fence"
                                   : form == 2 ? "\nfence and quiet\n"
                                               : "");
            const char *got = first(sl_buf_view(&question));
            assert_case(got[0] != '\0', question.ptr);
        }
    }
    sl_buf_release(&question);
    assert_first("nvshmem_fence", "n#ordering"); /* the index is unharmed */
}

static void marks_that_say_nothing_change_nothing(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "fence \xe2\x80\x94 quiet", "_ fence quiet",
        "fence, quiet \xf0\x9f\x98\x80", "\"fence\" (quiet)!"};
    assert_first("fence quiet", "n#ordering");
    double plain = hits.items[0].coverage;
    for (size_t i = 0; i < COUNT(forms); i++) {
        assert_first(forms[i], "n#ordering");
        assert_case(hits.items[0].coverage > plain - 1e-9, forms[i]);
    }
}

static void very_long_questions(void **state)
{
    (void)state;
    static const char *const words[] = {
        "x ",  "fence ", "a_b ", "nvshmem_quite ", "\" ", "9.9.9 ", "ab_cd1 ",
        "\xff", "nvshmem_fenec ", "C++ ", "AND ",
    };
    for (size_t i = 0; i < COUNT(words); i++)
        (void)first(
            test_repeat(words[i], SL_MAX_QUESTION / strlen(words[i])));
    (void)first(test_repeat("x", SL_MAX_QUESTION));
    (void)first(test_repeat("x_", SL_MAX_QUESTION / 2));
    (void)first(test_repeat("aB", SL_MAX_QUESTION / 2));
    /* different names, none of them known */
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_QUESTION);
    for (unsigned i = 0; i < 1000; i++)
        sl_buf_printf(&buf, "nvshmem_q%u ", i);
    (void)first(sl_buf_view(&buf));
    sl_buf_release(&buf);
}

static void random_questions(void **state)
{
    (void)state;
    static const char letters[] =
        "fence_ nvshmemquiet\"*:()^+-.35\xc3\xa9";
    uint64_t seed = 11;
    char text[200];
    for (unsigned n = 0; n < 300; n++) {
        size_t len = 1 + test_random(&seed) % sizeof text;
        for (size_t i = 0; i < len; i++)
            text[i] = n % 2 ? (char)test_random(&seed)
                            : letters[test_random(&seed) % sizeof letters];
        (void)first((struct sl_view){text, len});
        if (n % 100 == 0)
            sl_arena_release(&test_arena);
    }
}

static void same_question_same_answer(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "barrier", "put", "why does my program hang", "nvshmem",
        "which environment variables", "memory", "gpu",
    };
    for (size_t i = 0; i < COUNT(questions); i++) {
        struct sl_hits again[3];
        for (size_t k = 0; k < COUNT(again); k++)
            assert_ok(sl_index_ask(index_, &test_arena,
                                   sl_view_of(questions[i]), 40, &again[k],
                                   &error));
        for (size_t h = 0; h < again[0].count; h++) {
            assert_true(sl_view_eq(again[0].items[h].id, again[1].items[h].id));
            assert_true(sl_view_eq(again[0].items[h].id, again[2].items[h].id));
        }
    }
}

static void a_section_for_every_title(void **state)
{
    (void)state;
    struct sl_kb kb;
    sl_kb_init(&kb);
    assert_ok(sl_kb_load(&kb, SL_TEST_ROOT "/skills/nvshmem", &error));
    size_t asked = 0, found = 0;
    for (size_t i = 0; i < kb.section_count; i++) {
        const struct sl_section *s = &kb.sections[i];
        /* a section that is a generated table alone is not in the index */
        if (s->level != 2 ||
            sl_view_find(s->own, SL_LIT("<!-- generated"), 0) != SIZE_MAX)
            continue;
        asked++;
        found += sl_index_ask(index_, &test_arena, s->title, 3, &hits,
                              &error) == SL_OK &&
                 (sl_view_eq(hits.items[0].id, s->id) ||
                  sl_view_eq(hits.items[1].id, s->id) ||
                  sl_view_eq(hits.items[2].id, s->id));
    }
    sl_kb_release(&kb);
    print_message("%zu of %zu titles find their section\n", found, asked);
    assert_true(asked > 50 && found * 100 >= asked * 95);
}

static void lookups(void **state)
{
    (void)state;
    struct sl_found found;
    assert_ok(sl_index_section(index_, &test_arena, SL_LIT("n#barriers"),
                               &found, &error));
    assert_view(found.title, "Barriers");
    assert_view(found.file, "n.md");
    assert_int_equal(found.level, 2);
    assert_true(sl_view_starts(found.own, "## Barriers\n"));
    static const struct sl_view none[] = {
        BYTES("n#none"), BYTES(""), BYTES("n"), BYTES("#"), BYTES("N#BARRIERS"),
        BYTES("n#barriers' OR '1'='1"), BYTES("n#barriers\0"), BYTES("\xff")};
    for (size_t i = 0; i < COUNT(none); i++)
        assert_status(sl_index_section(index_, &test_arena, none[i], &found,
                                       &error),
                      SL_ERR_NOTFOUND);
    struct sl_view text;
    assert_ok(sl_index_subtree(index_, &test_arena, SL_LIT("n#nvshmem-notes"),
                               &text, &error));
    assert_true(sl_view_ends(text, "Heaps.\n"));
    assert_ok(sl_index_subtree(index_, &test_arena, SL_LIT("n#ordering"),
                               &text, &error));
    assert_view(text, "## Ordering\n\n`nvshmem_fence` orders, "
                      "`nvshmem_quiet` completes.\n\n");
    assert_ok(sl_index_read(index_, &test_arena, SL_LIT("n.md"), &text,
                            &error));
    assert_view(text, made);
    assert_status(sl_index_read(index_, &test_arena, SL_LIT("../n.md"), &text,
                                &error),
                  SL_ERR_NOTFOUND);
}

static void resembling_ids(void **state)
{
    (void)state;
    struct sl_view ids[SL_MAX_RESULTS];
    size_t count;
    assert_ok(sl_index_similar(index_, &test_arena, SL_LIT("n#bariers"), 3,
                               ids, &count, &error));
    assert_true(count >= 1);
    assert_view(ids[0], "n#barriers");
    assert_ok(sl_index_similar(index_, &test_arena, SL_LIT("transf"), 3, ids,
                               &count, &error));
    assert_view(ids[0], "n#transfers");
    assert_ok(sl_index_similar(index_, &test_arena,
                               SL_LIT("nothing at all like it"), 3, ids,
                               &count, &error));
    assert_int_equal(count, 0);
    assert_ok(sl_index_similar(index_, &test_arena, SL_LIT(""), 1000, ids,
                               &count, &error));
    assert_int_equal(count, 8); /* every section */
    assert_ok(sl_index_similar(index_, &test_arena, test_repeat("x", 5000), 3,
                               ids, &count, &error));
    assert_int_equal(count, 0);
}

static void old_ids(void **state)
{
    (void)state;
    struct sl_index *index =
        build("x.md", SL_LIT("---\naliases:\n  old: new\n---\n# T\n## New\n"));
    struct sl_found found;
    assert_ok(sl_index_section(index, &test_arena, SL_LIT("x#old"), &found,
                               &error));
    assert_view(found.id, "x#new");
    sl_index_close(index);
}

static void hundreds_of_equal_headings(void **state)
{
    (void)state;
    struct sl_index *index = build("x.md", test_repeat("# Fence\n", 300));
    struct sl_found found;
    assert_ok(sl_index_section(index, &test_arena, SL_LIT("x#fence-299"),
                               &found, &error));
    sl_index_close(index);
}

static void no_sections_at_all(void **state)
{
    (void)state;
    struct sl_index *index = build("x.md", SL_LIT("just text about fence\n"));
    assert_status(sl_index_ask(index, &test_arena, SL_LIT("fence"), 3, &hits,
                               &error),
                  SL_ERR_NOTFOUND);
    sl_index_close(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MADE_TEST(identifiers_and_their_parts),
        MADE_TEST(versions),
        MADE_TEST(other_words),
        MADE_TEST(spelling),
        MADE_TEST(nothing_good),
        MADE_TEST(limits),
        MADE_TEST(user_text_is_never_syntax),
        MADE_TEST(marks_that_say_nothing_change_nothing),
        MADE_TEST(lookups),
        MADE_TEST(resembling_ids),
        MADE_TEST(old_ids),
        MADE_TEST(hundreds_of_equal_headings),
        MADE_TEST(no_sections_at_all),
        REAL_TEST(very_long_questions),
        REAL_TEST(random_questions),
        REAL_TEST(same_question_same_answer),
        REAL_TEST(a_section_for_every_title),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
