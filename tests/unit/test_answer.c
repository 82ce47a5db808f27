/* answer: what is printed for a question, within its budget; show. */
#include "test.h"

#include <string.h>

#include "answer/ask.h"
#include "answer/show.h"
#include "answer/units.h"
#include "base/limits.h"
#include "json/json.h"
#include "kb/kb.h"

static struct sl_error error;
static struct sl_corpus corpus;
static struct sl_kb kb; /* the real one, for its titles and ids */

static void open_real(void)
{
    sl_kb_init(&kb);
    assert_ok(sl_kb_load(&kb, SL_TEST_ROOT "/skills/nvshmem", &error));
    assert_ok(sl_corpus_open(&corpus, SL_TEST_ROOT, SL_LIT(""), &error));
}

static void close_real(void)
{
    sl_corpus_close(&corpus);
    sl_kb_release(&kb);
}

static const char sources[] =
    "sources:\n  src:\n    title: T\n    repository: https://h/o/r\n"
    "    tag: v1\n    commit: 0123456789abcdef0123456789abcdef01234567\n"
    "    licence: MIT\n    paths: [a.c]\n";

static void open_made(const char *markdown)
{
    test_write("skills/nvshmem/n.md", markdown);
    test_write("evidence/sources.yaml", sources);
    assert_ok(sl_corpus_open(&corpus, test_folder, SL_LIT(""), &error));
}

static struct sl_view ask(const char *question, size_t budget)
{
    const struct sl_ask_options options = {.limit = 3, .budget = budget};
    struct sl_answer answer;
    struct sl_buf out;
    assert_ok(sl_ask(&corpus, sl_view_of(question), &options, &answer, &error));
    sl_buf_init(&out, SL_MAX_OUTPUT);
    sl_answer_text(&out, &corpus, &answer);
    struct sl_view text = sl_arena_copy(&test_arena, sl_buf_view(&out));
    sl_buf_release(&out);
    return text;
}

static bool has(struct sl_view text, const char *words)
{
    return sl_view_find(text, sl_view_of(words), 0) != SIZE_MAX;
}

/* The section's text is its own, up to one of the places where it may end. */
static void check_cut(const struct sl_answer_section *section)
{
    size_t *ends, count;
    struct sl_view own = section->found.own;
    bool fits = sl_view_eq(section->text, sl_view_trim(own));
    assert_true(section->cut == !fits);
    fits = fits || section->text.len == 0; /* only its id had room */
    for (unsigned grain = SL_GRAIN_BLOCK; grain <= SL_GRAIN_WORD; grain++) {
        assert_ok(sl_units(&test_arena, own, grain, &ends, &count, &error));
        for (size_t i = 0; i < count && !fits; i++)
            fits = sl_view_eq(section->text,
                              sl_view_trim(sl_view_sub(own, 0, ends[i])));
    }
    if (!fits)
        print_error("%.*s\n", SL_ARG(section->text));
    assert_true(fits);
}

/* Every citation that is printed can be followed. */
static void check_links(struct sl_view text,
                        const struct sl_answer_section *section)
{
    struct sl_refs refs = {0};
    assert_ok(sl_refs_scan(&test_arena, section->text, &refs, &error));
    for (size_t i = 0; i < refs.count; i++) {
        struct sl_citation citation;
        if (refs.items[i].kind != SL_REF_CITATION ||
            sl_citation_parse(refs.items[i].text, &citation, NULL))
            continue;
        const struct sl_source *source =
            sl_sources_find(&corpus.sources, citation.source);
        assert_non_null(source);
        struct sl_buf link;
        sl_buf_init(&link, SL_MAX_PATH * 8);
        if (section->links)
            sl_source_permalink(&link, source, &citation);
        else
            sl_buf_printf(
                &link, "\n%.*s:PATH:LINE = %.*s/blob/%.*s/PATH#L<LINE>\n",
                SL_ARG(source->id), SL_ARG(source->repository),
                SL_ARG(source->commit));
        if (!has(text, link.ptr))
            print_error("no %s in\n%.*s\n", link.ptr, SL_ARG(text));
        assert_true(has(text, link.ptr));
        sl_buf_release(&link);
    }
}

/* The whole section with the shortest form of its links would not have fitted. */
static void check_first_is_whole(const struct sl_answer *answer)
{
    struct sl_answer_section whole = answer->sections[0];
    if (!whole.cut)
        return;
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    whole.text = sl_view_trim(whole.found.own);
    whole.cut = false;
    whole.links = false;
    assert_ok(sl_evidence_of(&corpus, whole.text, &whole.evidence,
                             &whole.evidence_count, &error));
    sl_answer_section_text(&out, &corpus, &whole);
    assert_true(out.len + answer->facts.len > answer->budget);
    sl_buf_release(&out);
}

static void check_answer(struct sl_view question, size_t limit, size_t budget)
{
    const struct sl_ask_options options = {limit, budget};
    struct sl_answer answer;
    struct sl_buf out;
    if (sl_ask(&corpus, question, &options, &answer, &error)) {
        assert_int_equal(error.status, SL_ERR_NOTFOUND);
        return;
    }
    assert_true(answer.count >= 1 && answer.count <= limit);
    sl_buf_init(&out, SL_MAX_OUTPUT);
    sl_answer_text(&out, &corpus, &answer);
    struct sl_view text = sl_buf_view(&out);
    if (text.len > budget)
        print_error("%zu bytes for %zu: %.*s\n%.*s\n", text.len, budget,
                    SL_ARG(question), SL_ARG(text));
    assert_true(text.len <= budget);
    for (size_t i = 0; i < answer.count; i++) {
        check_cut(&answer.sections[i]);
        check_links(text, &answer.sections[i]);
    }
    check_first_is_whole(&answer);
    for (size_t i = 0; i < answer.more_count; i++) {
        struct sl_found found;
        assert_ok(sl_index_section(corpus.index, &corpus.arena, answer.more[i],
                                   &found, &error));
    }
    sl_buf_release(&out);
}

static void answers_within_every_budget(void **state)
{
    (void)state;
    static const size_t budgets[] = {256,  257,  400,  700,  1000,
                                     1024, 2048, 4096, 5000, 8192};
    for (size_t b = 0; b < COUNT(budgets); b++) {
        open_real();
        for (size_t i = b; i < kb.section_count; i += 3) {
            check_answer(kb.sections[i].title, 1 + i % 5, budgets[b]);
            struct sl_view asks = kb.sections[i].asks, line;
            if (sl_view_line(&asks, &line))
                check_answer(line, 3, budgets[b]);
            sl_arena_release(&test_arena);
        }
        close_real();
    }
}

/* What is printed of the best section is more than its heading. */
static void check_says(struct sl_view question, size_t budget)
{
    const struct sl_ask_options options = {1, budget};
    struct sl_answer answer;
    if (sl_ask(&corpus, question, &options, &answer, &error)) {
        assert_int_equal(error.status, SL_ERR_NOTFOUND);
        return;
    }
    struct sl_view own = sl_view_trim(answer.sections[0].found.own);
    size_t heading = sl_view_find(own, SL_LIT("\n"), 0);
    if (heading == SIZE_MAX) /* a section of a heading alone */
        return;
    if (answer.sections[0].text.len <= heading + 20)
        print_error("%zu bytes: %.*s\n%.*s\n", budget, SL_ARG(question),
                    SL_ARG(answer.sections[0].text));
    assert_true(answer.sections[0].text.len > heading + 20);
}

static void answers_always_say_something(void **state)
{
    (void)state;
    static const size_t budgets[] = {800, 1100, 1500, 2000, 2800, 4096};
    for (size_t b = 0; b < COUNT(budgets); b++) {
        open_real();
        check_says(SL_LIT("nvshmem_barrier_all hang"), budgets[b]);
        check_says(SL_LIT("NVSHMEM_SYMMETRIC_SIZE"), budgets[b]);
        check_says(SL_LIT("is the payload visible after the signal"),
                   budgets[b]);
        for (size_t i = b; i < kb.section_count; i += COUNT(budgets))
            check_says(kb.sections[i].title, budgets[b]);
        close_real();
    }
}

static void a_cut_parts_what_would_not_be_printed_at_all(void **state)
{
    (void)state;
    open_made("# Notes on nvshmem\n\n"
              "## Fences\n\n"
              "`nvshmem_fence` orders. It does so for the puts of one PE to "
              "one other, and this sentence is rather long, so that it is "
              "the first that has to go when the budget becomes small:\n\n"
              "- reason one, of some length, so that it can be left out, "
              "and then some more of it `src:a.c:1`\n"
              "- reason two, just as long, so that it can be left out as "
              "well, and then some more of it `src:a.c:2`\n");
    bool sentence = false, introduction = false, item = false, all = false;
    for (size_t budget = SL_MIN_BUDGET; budget < 900; budget++) {
        struct sl_view text = ask("nvshmem_fence", budget);
        assert_true(text.len <= budget);
        bool first = has(text, "becomes small:"), one = has(text, "reason one");
        assert_true(has(text, "`nvshmem_fence` orders."));
        sentence = sentence || !first;
        introduction = introduction || (first && !one);
        item = item || (one && !has(text, "reason two"));
        all = all || has(text, "reason two");
    }
    assert_true(sentence && introduction && item && all);
    sl_corpus_close(&corpus);
    open_made("# Notes on nvshmem\n\n## Fences\n\n`nvshmem_fence` and then "
              "`code here is whole` word word word word word word word word "
              "word word word word word word word word word word word word "
              "word word word word word word word word word word word word "
              "word word word word word word word word the last\n");
    struct sl_view text = ask("nvshmem_fence", SL_MIN_BUDGET);
    assert_true(has(text, "`code here is whole` word"));
    assert_true(has(text, "word\n\n[cut here]"));
    sl_corpus_close(&corpus);
}

static void a_cut_never_parts_claim_and_proof(void **state)
{
    (void)state;
    open_made("# Notes on nvshmem\n\n"
              "## Fences\n\n"
              "`nvshmem_fence` `src:a.c:7`.\n\n"
              "First claim about `nvshmem_fence`, proved below.\n\n"
              "- proof one `src:a.c:1`\n"
              "- proof two `src:a.c:2`\n\n"
              "A claim with its own proof `src:a.c:3`:\n\n"
              "- detail one `src:a.c:4`\n"
              "- detail two, which is longer so that it does not fit "
              "`src:a.c:5`\n\n"
              "The end `src:a.c:6`.\n");
    bool whole = false, parted = false;
    for (size_t budget = SL_MIN_BUDGET; budget < 900; budget++) {
        struct sl_view text = ask("nvshmem_fence", budget);
        assert_true(text.len <= budget);
        if (has(text, "First claim"))
            assert_true(has(text, "proof one") && has(text, "proof two"));
        assert_true(has(text, "detail one") || !has(text, "detail two"));
        parted = parted || (has(text, "own proof") && !has(text, "detail one"));
        assert_true(has(text, "[n#fences]"));
        assert_true(has(text, "[cut here]") == !has(text, "The end"));
        whole = whole || has(text, "The end");
    }
    assert_true(whole);
    assert_true(parted); /* a paragraph that proves itself may stand alone */
    sl_corpus_close(&corpus);
}

static void links_or_their_pattern(void **state)
{
    (void)state;
    open_made("# Notes on nvshmem\n\n## Fences\n\n`nvshmem_fence` orders "
              "`src:a.c:1` `src:a.c:1` `src:b.c:7-9` `src:c.c:1` and `run:x`, "
              "OpenSHMEM 1.5, O/R#5.\n");
    struct sl_view text = ask("nvshmem_fence", 4096);
    assert_true(has(text, "https://h/o/r/blob/"
                          "0123456789abcdef0123456789abcdef01234567/a.c#L1\n"));
    assert_true(has(text, "/b.c#L7-L9\n"));
    assert_false(has(text, "PATH"));
    text = ask("nvshmem_fence", 300);
    assert_true(has(text, "src:PATH:LINE = https://h/o/r/blob/"));
    assert_false(has(text, "#L1"));
    sl_corpus_close(&corpus);
}

static void names_that_are_longer_than_the_budget(void **state)
{
    (void)state;
    struct sl_buf markdown, question;
    sl_buf_init(&markdown, 1u << 16);
    sl_buf_init(&question, 1u << 10);
    sl_buf_puts(&markdown, "# Notes on nvshmem\n\n## ");
    sl_buf_add(&markdown, test_repeat("very long heading ", 30));
    sl_buf_puts(&markdown, "\n\n`nvshmem_");
    sl_buf_add(&markdown, test_repeat("long_", 23));
    sl_buf_puts(&markdown, "name` is one `src:a.c:1`.\n");
    sl_buf_puts(&question, "nvshmem_");
    sl_buf_add(&question, test_repeat("long_", 23));
    sl_buf_puts(&question, "mane");
    open_made(markdown.ptr);
    size_t answered = 0;
    for (size_t budget = SL_MIN_BUDGET; budget < 1500; budget += 50) {
        const struct sl_ask_options options = {3, budget};
        struct sl_answer answer;
        enum sl_status status = sl_ask(&corpus, sl_buf_view(&question),
                                       &options, &answer, &error);
        assert_true(!status || status == SL_ERR_USAGE);
        if (status)
            assert_says("no room");
        else
            assert_true(ask(question.ptr, budget).len <= budget);
        answered += !status;
    }
    assert_true(answered > 0);
    sl_corpus_close(&corpus);
    sl_buf_release(&markdown);
    sl_buf_release(&question);
}

static void options_out_of_range(void **state)
{
    (void)state;
    static const struct sl_ask_options bad[] = {
        {0, 4096},
        {SL_MAX_RESULTS, 4096},
        {3, SL_MIN_BUDGET - 1},
        {3, SL_MAX_BUDGET + 1},
    };
    open_made("# Notes on nvshmem\n");
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct sl_answer answer;
        assert_status(
            sl_ask(&corpus, SL_LIT("nvshmem"), &bad[i], &answer, &error),
            SL_ERR_USAGE);
    }
    sl_corpus_close(&corpus);
}

static void json_says_what_text_says(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "Why does my program hang in `nvshmem_barrier_all`?",
        "nvshmem_quite",
        "fence \"quoted\" \\ \x01 \xff nvshmem",
    };
    open_real();
    for (size_t q = 0; q < COUNT(questions); q++) {
        const struct sl_ask_options options = {4, 3000};
        struct sl_answer answer;
        struct sl_buf out;
        struct sl_json *root;
        assert_ok(sl_ask(&corpus, sl_view_of(questions[q]), &options, &answer,
                         &error));
        sl_buf_init(&out, SL_MAX_OUTPUT);
        sl_answer_json(&out, &corpus, &answer);
        assert_ok(sl_json_parse(sl_buf_view(&out), &root, &error));
        assert_view(sl_json_member(root, "schema"), "shmemlore.ask/1");
        bool found;
        assert_true(sl_json_bool(sl_json_get(root, "found"), &found) && found);
        const struct sl_json *list = sl_json_get(root, "sections");
        assert_int_equal(sl_json_count(list), answer.count);
        for (size_t i = 0; i < answer.count; i++) {
            const struct sl_json *section = sl_json_at(list, i);
            assert_true(sl_view_eq(sl_json_member(section, "text"),
                                   answer.sections[i].text));
            assert_true(sl_view_eq(sl_json_member(section, "id"),
                                   answer.sections[i].found.id));
            assert_int_equal(sl_json_count(sl_json_get(section, "evidence")),
                             answer.sections[i].evidence_count);
        }
        assert_int_equal(sl_json_count(sl_json_get(root, "more")),
                         answer.more_count);
        assert_true((sl_json_member(root, "taken_as").ptr != NULL) == (q == 1));
        sl_json_release(root);
        sl_buf_release(&out);
    }
    close_real();
}

static enum sl_status show(const char *ref, bool json, struct sl_view *text_out)
{
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    enum sl_status status =
        sl_show(&corpus, sl_view_of(ref), json, SL_DEFAULT_BUDGET, &out,
                &error);
    *text_out = sl_arena_copy(&test_arena, sl_buf_view(&out));
    sl_buf_release(&out);
    return status;
}

static void every_section_can_be_shown(void **state)
{
    (void)state;
    open_real();
    for (size_t i = 0; i < kb.section_count; i++) {
        const struct sl_section *s = &kb.sections[i];
        struct sl_view text;
        assert_ok(show(s->id.ptr, false, &text));
        struct sl_view whole = sl_view_trim(s->whole);
        assert_true(text.len > whole.len);
        assert_true(sl_view_eq(sl_view_sub(text, 0, whole.len), whole));
        if (i % 10)
            continue;
        struct sl_json *root;
        assert_ok(show(s->id.ptr, true, &text));
        assert_ok(sl_json_parse(text, &root, &error));
        assert_view(sl_json_member(root, "schema"), "shmemlore.show/1");
        assert_view(sl_json_member(root, "kind"), "section");
        assert_true(sl_view_eq(
            sl_json_member(sl_json_get(root, "section"), "text"), whole));
        sl_json_release(root);
        sl_arena_release(&test_arena);
    }
    close_real();
}

static void what_show_does_not_know(void **state)
{
    (void)state;
    struct sl_view text;
    open_made("# Notes\n\n## Fences\n");
    assert_status(show("n#fencse", false, &text), SL_ERR_NOTFOUND);
    assert_says("n#fences");
    assert_status(show("", false, &text), SL_ERR_NOTFOUND);
    assert_status(show("`", false, &text), SL_ERR_NOTFOUND);
    assert_status(show("``", false, &text), SL_ERR_NOTFOUND);
    assert_status(show("run:none", false, &text), SL_ERR_NOTFOUND);
    assert_status(show("run:../../etc/passwd", false, &text), SL_ERR_REFUSED);
    assert_status(show("src:../../etc/passwd:1", false, &text),
                  SL_ERR_REFUSED);
    assert_status(show("src:/etc/passwd:1", false, &text), SL_ERR_REFUSED);
    assert_ok(show("`n#fences`", false, &text)); /* pasted with its marks */
    assert_ok(show("  n#fences\n", false, &text));
    sl_corpus_close(&corpus);
}

static void corpora(void **state)
{
    (void)state;
    static const struct sl_view none = {NULL, 0};
    assert_status(sl_corpus_open(&corpus, NULL, none, &error), SL_ERR_USAGE);
    assert_status(sl_corpus_open(&corpus, test_path("none"), none, &error),
                  SL_ERR_NOTFOUND);
    /* the skill's folder alone has no evidence */
    test_write("skill/a.md",
               "# Fences of nvshmem\n\n`nvshmem_fence`: `src:a.c:1`\n");
    assert_ok(sl_corpus_open(&corpus, test_path("skill"), none, &error));
    assert_int_equal(corpus.sources.count, 0);
    assert_true(
        has(ask("nvshmem fence", 4096), "[a#fences-of-nvshmem]"));
    sl_corpus_close(&corpus);
    /* its evidence comes from the image, if there is one */
    open_made("# Fences of nvshmem\n");
    assert_int_equal(corpus.sources.count, 1);
    sl_corpus_close(&corpus);
    struct sl_buf image;
    sl_buf_init(&image, SL_MAX_IMAGE);
    assert_ok(sl_corpus_image(test_folder, &image, &error));
    assert_ok(sl_corpus_open(&corpus, test_path("skill"), sl_buf_view(&image),
                             &error));
    assert_int_equal(corpus.sources.count, 1);
    assert_true(has(ask("nvshmem fence", 4096), "https://h/o/r/blob/"));
    sl_corpus_close(&corpus);
    assert_ok(sl_corpus_open(&corpus, NULL, sl_buf_view(&image), &error));
    assert_true(has(ask("nvshmem fence", 4096), "[n#fences-of-nvshmem]"));
    sl_corpus_close(&corpus);
    sl_buf_release(&image);
    /* evidence that cannot be read is no evidence that is absent */
    test_write("evidence/sources.yaml", "sources: [\n");
    assert_status(sl_corpus_open(&corpus, test_folder, none, &error),
                  SL_ERR_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(answers_within_every_budget),
        TEST(answers_always_say_something),
        FOLDER_TEST(a_cut_parts_what_would_not_be_printed_at_all),
        FOLDER_TEST(a_cut_never_parts_claim_and_proof),
        FOLDER_TEST(links_or_their_pattern),
        FOLDER_TEST(names_that_are_longer_than_the_budget),
        FOLDER_TEST(options_out_of_range),
        TEST(json_says_what_text_says),
        TEST(every_section_can_be_shown),
        FOLDER_TEST(what_show_does_not_know),
        FOLDER_TEST(corpora),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
