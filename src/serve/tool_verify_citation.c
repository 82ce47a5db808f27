/* The tool `verify_citation`. */
#include "answer/ask.h"
#include "answer/show.h"
#include "base/limits.h"
#include "cite/check.h"
#include "kb/refs.h"
#include "serve/fit.h"
#include "text/hash.h"

#define SCHEMA "shmemlore.mcp.verify_citation/1"

enum quote { QUOTE_NONE, QUOTE_THERE, QUOTE_ELSEWHERE, QUOTE_NOWHERE };

struct verdict {
    struct sl_view text;
    enum sl_grade grade;
    enum quote quote;
    struct sl_view detail;
};

struct checking {
    struct sl_serve *serve;
    struct sl_lock lock;
    struct sl_manifest manifests[SL_MAX_SOURCES]; /* by source */
    bool is_read[SL_MAX_SOURCES], is_usable[SL_MAX_SOURCES];
    struct verdict *verdicts;
    size_t count, cap, good;
    struct sl_error *error;
};

static struct sl_arena *arena_of(const struct checking *c)
{
    return &c->serve->corpus->arena;
}

static enum sl_status read_lock(struct checking *c)
{
    struct sl_view bytes;
    enum sl_status status =
        sl_index_read(c->serve->corpus->index, arena_of(c),
                      SL_LIT("evidence/citations.lock"), &bytes, c->error);
    if (status == SL_ERR_NOTFOUND)
        return SL_OK;
    return status ? status
                  : sl_lock_parse(arena_of(c), bytes, &c->lock, c->error);
}

/* The manifest of the n-th source, read once; NULL: none of the pinned commit. */
static enum sl_status manifest_of(struct checking *c, size_t n,
                                  struct sl_manifest **manifest_out)
{
    const struct sl_source *source = &c->serve->corpus->sources.items[n];
    struct sl_view bytes;
    *manifest_out = NULL;
    if (!c->is_read[n]) {
        enum sl_status status = sl_corpus_manifest(c->serve->corpus, source->id,
                                                   &bytes, c->error);
        if (!status)
            status = sl_manifest_parse(arena_of(c), bytes, &c->manifests[n],
                                       c->error);
        if (status && status != SL_ERR_NOTFOUND)
            return status;
        c->is_read[n] = true;
        c->is_usable[n] =
            !status && sl_view_eq(c->manifests[n].commit, source->commit);
    }
    if (c->is_usable[n])
        *manifest_out = &c->manifests[n];
    return SL_OK;
}

static void put_place(struct sl_buf *out, const struct sl_citation *citation,
                      const struct sl_graded *graded)
{
    sl_buf_printf(out, "%.*s:%.*s:%u", SL_ARG(citation->source),
                  SL_ARG(graded->path), graded->first);
    if (graded->last > graded->first)
        sl_buf_printf(out, "-%u", graded->last);
}

/* What a grade means here, in words. */
static void put_grade(struct sl_buf *out, const struct sl_citation *citation,
                      const struct sl_graded *graded)
{
    static const char *const words[SL_GRADES] = {
        [SL_GRADE_OK] = "the lines are what was anchored",
        [SL_GRADE_MOVED] = "the anchored lines stand at ",
        [SL_GRADE_CHANGED] = "the anchored lines are not in that file",
        [SL_GRADE_AMBIGUOUS] = "the anchored lines stand in several places, "
                               "perhaps at ",
        [SL_GRADE_GONE] = "neither the file nor the lines are there",
        [SL_GRADE_UNLOCKED] = "the lines exist at the pinned commit; the "
                              "knowledge base does not cite them",
        [SL_GRADE_PATH] = "the source has no such file at the pinned commit",
        [SL_GRADE_LINE] = "the file is shorter: ",
        [SL_GRADE_FORM] = "this is no citation of a pinned source",
        [SL_GRADE_UNCHECKED] = "there is no line manifest of that source",
    };
    sl_buf_puts(out, words[graded->grade]);
    if (graded->grade == SL_GRADE_MOVED || graded->grade == SL_GRADE_AMBIGUOUS)
        put_place(out, citation, graded);
    if (graded->grade == SL_GRADE_LINE)
        sl_buf_printf(out, "%zu lines", graded->line_count);
}

/* Whether n hashes stand somewhere inside of the cited lines. */
static bool stands_in(const struct sl_manifest *manifest,
                      const struct sl_citation *citation,
                      const uint64_t *hashes, size_t n)
{
    const struct sl_manifest_file *file =
        sl_manifest_find(manifest, citation->path);
    if (!file || citation->last > file->count)
        return false;
    for (size_t at = citation->first - 1; at + n <= citation->last; at++) {
        size_t same = 0;
        while (same < n &&
               manifest->hashes[file->first + at + same] == hashes[same])
            same++;
        if (same == n)
            return true;
    }
    return false;
}

/* Where the quoted lines stand: graded as if they were the anchor. */
static enum sl_status check_quote(struct checking *c,
                                  struct sl_manifest *manifest,
                                  const struct sl_citation *citation,
                                  struct sl_view quote, struct verdict *verdict,
                                  struct sl_buf *detail)
{
    size_t n = 0;
    struct sl_view line, rest = quote;
    uint64_t *hashes =
        sl_arena_alloc(arena_of(c), SL_MAX_CITED_LINES * sizeof *hashes);
    if (!hashes)
        return sl_error_nomem(c->error);
    while (sl_view_line(&rest, &line)) {
        if (n == SL_MAX_CITED_LINES)
            return sl_error_set(c->error, SL_ERR_USAGE,
                                "quote: at most %u lines are compared",
                                SL_MAX_CITED_LINES);
        hashes[n++] = sl_line_hash(line);
    }
    verdict->quote = QUOTE_THERE;
    if (stands_in(manifest, citation, hashes, n)) {
        sl_buf_puts(detail, "; the quote stands there");
        return SL_OK;
    }
    struct sl_citation place = *citation;
    place.last = place.first + (unsigned)n - 1;
    struct sl_lock_entry entry = {.text = verdict->text,
                                  .citation = place,
                                  .commit = manifest->commit,
                                  .lines = hashes};
    struct sl_graded graded = {.grade = SL_GRADE_GONE};
    enum sl_status status = sl_citation_grade(arena_of(c), manifest, &place,
                                              &entry, &graded, c->error);
    bool is_found = graded.grade == SL_GRADE_MOVED ||
                    graded.grade == SL_GRADE_AMBIGUOUS ||
                    graded.grade == SL_GRADE_OK;
    verdict->quote = is_found ? QUOTE_ELSEWHERE : QUOTE_NOWHERE;
    sl_buf_puts(detail, is_found ? "; the quote stands elsewhere: "
                                 : "; the quote stands nowhere in the source "
                                   "(whole lines are compared)");
    if (graded.grade == SL_GRADE_OK) {
        graded.path = place.path;
        graded.first = place.first;
        graded.last = place.last;
    }
    if (is_found)
        put_place(detail, citation, &graded);
    return status;
}

static size_t source_number(const struct checking *c, struct sl_view id)
{
    const struct sl_sources *sources = &c->serve->corpus->sources;
    const struct sl_source *source = sl_sources_find(sources, id);
    return source ? (size_t)(source - sources->items) : SIZE_MAX;
}

static enum sl_status grade(struct checking *c, struct verdict *verdict,
                            struct sl_view quote, struct sl_buf *detail)
{
    struct sl_citation citation = {.first = 0};
    struct sl_graded graded = {.grade = SL_GRADE_FORM};
    struct sl_manifest *manifest = NULL;
    enum sl_status status = SL_OK;
    size_t n = SIZE_MAX;
    if (!sl_citation_parse(verdict->text, &citation, NULL))
        n = source_number(c, citation.source);
    if (n != SIZE_MAX) {
        graded.grade = SL_GRADE_UNCHECKED;
        status = manifest_of(c, n, &manifest);
    }
    if (!status && manifest)
        status = sl_citation_grade(arena_of(c), manifest, &citation,
                                   sl_lock_find(&c->lock, verdict->text),
                                   &graded, c->error);
    verdict->grade = graded.grade;
    put_grade(detail, &citation, &graded);
    if (!status && manifest && quote.ptr)
        status = check_quote(c, manifest, &citation, quote, verdict, detail);
    return status;
}

static bool is_good(const struct verdict *verdict)
{
    return (verdict->grade == SL_GRADE_OK ||
            verdict->grade == SL_GRADE_UNLOCKED) &&
           verdict->quote <= QUOTE_THERE;
}

static enum sl_status check_one(struct checking *c, struct sl_view text,
                                struct sl_view quote)
{
    struct verdict verdict = {.text = text};
    struct sl_buf detail;
    sl_buf_init(&detail, SL_MAX_PATH * 2);
    enum sl_status status = grade(c, &verdict, quote, &detail);
    if (!status)
        status = sl_buf_check(&detail, c->error);
    if (!status) {
        verdict.detail = sl_arena_copy(arena_of(c), sl_buf_view(&detail));
        c->verdicts = sl_arena_grow(arena_of(c), c->verdicts,
                                    sizeof *c->verdicts, c->count, &c->cap);
        status = verdict.detail.ptr && c->verdicts ? SL_OK
                                                   : sl_error_nomem(c->error);
    }
    sl_buf_release(&detail);
    if (status)
        return status;
    c->verdicts[c->count++] = verdict;
    c->good += is_good(&verdict);
    return SL_OK;
}

/* Every citation of a text, each once, as the knowledge base's own are read. */
static enum sl_status check_text(struct checking *c, struct sl_view text)
{
    struct sl_evidence *evidence;
    size_t count;
    enum sl_status status = sl_evidence_of(c->serve->corpus, text, &evidence,
                                           &count, c->error);
    for (size_t i = 0; !status && i < count; i++)
        if (evidence[i].kind == SL_REF_CITATION)
            status = check_one(c, evidence[i].ref, (struct sl_view){NULL, 0});
    return status;
}

static void put_verdict(struct sl_buf *out, const struct verdict *verdict,
                        bool next)
{
    static const char *const quotes[] = {
        [QUOTE_THERE] = "there",
        [QUOTE_ELSEWHERE] = "elsewhere",
        [QUOTE_NOWHERE] = "nowhere",
    };
    sl_buf_puts(out, next ? ",{" : "{");
    sl_mcp_put_text(out, "citation", verdict->text);
    sl_buf_printf(out, ",\"grade\":\"%s\",", sl_grade_name(verdict->grade));
    if (verdict->quote)
        sl_buf_printf(out, "\"quote\":\"%s\",", quotes[verdict->quote]);
    sl_mcp_put_text(out, "detail", verdict->detail);
    sl_buf_putc(out, '}');
}

/* Of the text: what the last line needs. */
#define CLOSING 100u

/* Verdicts of one kind, as long as there is room. */
static size_t put_kind(const struct checking *c, bool good, size_t budget,
                       size_t shown, struct sl_mcp_answer *answer)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct verdict *verdict = &c->verdicts[i];
        if (is_good(verdict) != good)
            continue;
        size_t more = verdict->text.len + verdict->detail.len + CLOSING;
        if (answer->text.len + more > budget)
            break;
        put_verdict(&answer->structured, verdict, shown > 0);
        sl_buf_printf(&answer->text, "%.*s: %s: %.*s\n", SL_ARG(verdict->text),
                      sl_grade_name(verdict->grade), SL_ARG(verdict->detail));
        shown++;
    }
    return shown;
}

static void put(const struct checking *c, size_t budget,
                struct sl_mcp_answer *answer)
{
    sl_buf_printf(&answer->structured,
                  "{\"schema\":\"" SCHEMA "\",\"checked\":%zu,\"good\":%zu,"
                  "\"citations\":[",
                  c->count, c->good);
    size_t shown = put_kind(c, false, budget, 0, answer);
    shown = put_kind(c, true, budget, shown, answer);
    sl_buf_putc(&answer->structured, ']');
    if (!c->count)
        sl_buf_puts(&answer->text, "no citation in that text");
    else
        sl_buf_printf(&answer->text, "%zu of %zu citations are good", c->good,
                      c->count);
    if (shown < c->count)
        sl_buf_printf(&answer->text, " (%zu are not shown)", c->count - shown);
    sl_buf_putc(&answer->text, '\n');
    sl_tool_put_answer_text(answer);
    sl_buf_putc(&answer->structured, '}');
}

enum sl_status sl_tool_verify_citation(void *context,
                                       const struct sl_json *arguments,
                                       struct sl_mcp_answer *answer,
                                       struct sl_error *error)
{
    struct sl_serve *serve = context;
    struct sl_view text = sl_json_member(arguments, "text");
    struct sl_view citation = sl_json_member(arguments, "citation");
    struct sl_view quote = sl_json_member(arguments, "quote");
    if (!text.ptr == !citation.ptr || (text.ptr && quote.ptr))
        return sl_error_set(error, SL_ERR_USAGE,
                            "give either citation (and perhaps quote) or text");
    struct checking *c = sl_arena_alloc(&serve->corpus->arena, sizeof *c);
    if (!c)
        return sl_error_nomem(error);
    c->serve = serve;
    c->error = error;
    enum sl_status status = read_lock(c);
    if (!status && text.ptr)
        status = check_text(c, text);
    else if (!status)
        status = sl_show_citation_of(serve->corpus, &citation, error);
    if (!status && citation.ptr)
        status = check_one(c, citation, quote);
    if (!status)
        put(c, sl_tool_budget(arguments), answer);
    return status;
}
