#include "answer/ask.h"

#include "answer/facts.h"
#include "answer/units.h"
#include "base/limits.h"
#include "base/map.h"
#include "kb/kb.h"

/* Kept free for the line that names what did not fit. */
#define MORE_RESERVE 240u
#define MORE_MAX 5u

/* A later section is printed whole, or at least so many bytes or half of it. */
#define STUB_MIN 600u

/* The URL of one reference, copied into the arena; empty where there is none. */
static enum sl_status url_of(struct sl_corpus *corpus, const struct sl_ref *ref,
                             struct sl_view *url_out, struct sl_error *error)
{
    struct sl_buf url;
    sl_buf_init(&url, SL_MAX_PATH * 4);
    *url_out = SL_LIT("");
    if (ref->kind == SL_REF_CITATION) {
        struct sl_citation citation;
        if (sl_citation_parse(ref->text, &citation, NULL) == SL_OK) {
            const struct sl_source *source =
                sl_sources_find(&corpus->sources, citation.source);
            if (source)
                sl_source_permalink(&url, source, &citation);
        }
    } else if (ref->kind == SL_REF_THREAD) {
        size_t hash = sl_view_find(ref->text, SL_LIT("#"), 0);
        sl_buf_puts(&url, "https://github.com/");
        sl_buf_add(&url, sl_view_sub(ref->text, 0, hash));
        sl_buf_puts(&url, "/issues/");
        sl_buf_add(&url, sl_view_sub(ref->text, hash + 1, ref->text.len));
    }
    enum sl_status status = sl_buf_check(&url, error);
    if (!status && url.len) {
        *url_out = sl_arena_copy(&corpus->arena, sl_buf_view(&url));
        if (!url_out->ptr)
            status = sl_error_nomem(error);
    }
    sl_buf_release(&url);
    return status;
}

enum sl_status sl_evidence_of(struct sl_corpus *corpus, struct sl_view text,
                              struct sl_evidence **evidence_out,
                              size_t *count_out, struct sl_error *error)
{
    struct sl_refs refs = {0};
    enum sl_status status = sl_kb_refs_of(&corpus->arena, text, &refs, error);
    if (status)
        return status;
    struct sl_evidence *evidence =
        sl_arena_alloc(&corpus->arena, (refs.count + 1) * sizeof *evidence);
    if (!evidence)
        return sl_error_nomem(error);
    size_t count = 0;
    struct sl_map seen[SL_REF_THREAD + 1];
    for (size_t kind = 0; kind <= SL_REF_THREAD; kind++)
        sl_map_init(&seen[kind], &corpus->arena);
    for (size_t i = 0; i < refs.count; i++) {
        const struct sl_ref *ref = &refs.items[i];
        bool added;
        if (!sl_ref_is_evidence(ref->kind))
            continue;
        if (!sl_map_put(&seen[ref->kind], ref->text, 0, &added))
            return sl_error_nomem(error);
        if (!added)
            continue;
        struct sl_view url;
        status = url_of(corpus, ref, &url, error);
        if (status)
            return status;
        evidence[count++] = (struct sl_evidence){ref->kind, ref->text, url};
    }
    *evidence_out = evidence;
    *count_out = count;
    return SL_OK;
}

/* Bytes that the section would take in the text form. */
static enum sl_status measure(const struct sl_corpus *corpus,
                              const struct sl_answer_section *section,
                              size_t *bytes_out, struct sl_error *error)
{
    struct sl_buf scratch;
    sl_buf_init(&scratch, SL_MAX_OUTPUT);
    sl_answer_section_text(&scratch, corpus, section);
    enum sl_status status = sl_buf_check(&scratch, error);
    *bytes_out = scratch.len;
    sl_buf_release(&scratch);
    return status;
}

/* The section whole, with its evidence. */
static enum sl_status take(struct sl_corpus *corpus,
                           struct sl_answer_section *section,
                           struct sl_error *error)
{
    section->text = sl_view_trim(section->found.own);
    section->cut = false;
    section->links = false;
    return sl_evidence_of(corpus, section->text, &section->evidence,
                          &section->evidence_count, error);
}

/* Own's first `end` bytes; of `all` evidence, in order, what stands in them. */
static void take_part(struct sl_answer_section *section, size_t end, size_t all)
{
    struct sl_view own = section->found.own;
    section->text = sl_view_trim(sl_view_sub(own, 0, end));
    section->cut = section->text.len < sl_view_trim(own).len;
    section->evidence_count = 0;
    while (section->evidence_count < all &&
           section->evidence[section->evidence_count].ref.ptr <
               section->text.ptr + section->text.len)
        section->evidence_count++;
}

/* A later section's id helps more than its first words. */
static bool is_stub(const struct sl_answer_section *section)
{
    return section->cut && section->text.len < STUB_MIN &&
           section->text.len < section->found.own.len / 2;
}

/*
 * Fits one section into room bytes, with the pattern of its permalinks: whole, or
 * cut at the last place that fits. fits_out is false when it has no room beyond its
 * heading.
 */
static enum sl_status fit(struct sl_corpus *corpus,
                          struct sl_answer_section *section, size_t room,
                          enum sl_grain grain, bool *fits_out,
                          size_t *bytes_out, struct sl_error *error)
{
    size_t *ends, count;
    *fits_out = false;
    enum sl_status status = sl_units(&corpus->arena, section->found.own, grain,
                                     &ends, &count, error);
    if (!status)
        status = take(corpus, section, error);
    if (!status)
        status = measure(corpus, section, bytes_out, error);
    if (status)
        return status;
    if (*bytes_out <= room) {
        *fits_out = true;
        return SL_OK;
    }
    size_t all = section->evidence_count;
    size_t good = 1; /* so many units fit, unless it is the heading alone */
    for (size_t bad = count + 1; good + 1 < bad && !status;) {
        size_t middle = good + (bad - good) / 2;
        take_part(section, ends[middle - 1], all);
        status = measure(corpus, section, bytes_out, error);
        if (*bytes_out <= room)
            good = middle;
        else
            bad = middle;
    }
    if (status)
        return status;
    take_part(section, ends[good - 1], all);
    status = measure(corpus, section, bytes_out, error);
    *fits_out = !status && good > 1;
    return status;
}

/*
 * Text comes before links: only what is left of the budget turns patterns into
 * permalinks, the best section's first.
 */
static enum sl_status add_links(struct sl_corpus *corpus,
                                struct sl_answer *answer, size_t room,
                                struct sl_error *error)
{
    for (size_t i = 0; i < answer->count; i++) {
        struct sl_answer_section *section = &answer->sections[i];
        size_t pattern, full;
        enum sl_status status = measure(corpus, section, &pattern, error);
        section->links = true;
        if (!status)
            status = measure(corpus, section, &full, error);
        if (status)
            return status;
        if (full <= pattern + room)
            room -= full > pattern ? full - pattern : 0;
        else
            section->links = false;
    }
    return SL_OK;
}

static enum sl_status too_small(size_t budget, size_t need,
                                struct sl_error *error)
{
    return sl_error_set(error, SL_ERR_USAGE,
                        "a budget of %zu bytes has no room for the names in "
                        "this answer; it needs %zu",
                        budget, need);
}

/*
 * The best section, whatever of it fits: all, blocks of it, sentences, words, its
 * heading, its id. What is cut anyway leaves room for the line that names the others.
 */
static enum sl_status fit_first(struct sl_corpus *corpus,
                                struct sl_answer_section *section, size_t room,
                                size_t reserve, size_t budget,
                                size_t *bytes_out, struct sl_error *error)
{
    bool fits = false;
    size_t usable = room > reserve ? room - reserve : 0;
    enum sl_status status = fit(corpus, section, room, SL_GRAIN_BLOCK, &fits,
                                bytes_out, error);
    if (status || (fits && !section->cut))
        return status;
    for (unsigned grain = SL_GRAIN_BLOCK; grain <= SL_GRAIN_WORD; grain++) {
        status = fit(corpus, section, usable, grain, &fits, bytes_out, error);
        if (!status && !fits)
            status = fit(corpus, section, room, grain, &fits, bytes_out, error);
        if (status || fits)
            return status;
    }
    if (*bytes_out <= room) /* the heading, which fit() left */
        return SL_OK;
    take_part(section, 0, 0);
    status = measure(corpus, section, bytes_out, error);
    if (!status && *bytes_out > room)
        status = too_small(budget, budget - room + *bytes_out, error);
    return status;
}

/* Bytes of what stands before the sections; facts that leave no room for them go. */
static size_t notes_of(struct sl_answer *answer)
{
    size_t note = answer->asked.ptr /* on spelling */
                      ? answer->asked.len + answer->taken.len + 40
                      : 0;
    note += answer->weak ? sizeof SL_WEAK_NOTE - 1 : 0;
    if (note + answer->facts.len > answer->budget / 4)
        answer->facts.len = 0;
    return note + answer->facts.len;
}

static enum sl_status assemble(struct sl_corpus *corpus,
                               const struct sl_hits *hits, size_t limit,
                               struct sl_answer *answer,
                               struct sl_error *error)
{
    size_t reserve = hits->count > 1 ? MORE_RESERVE : 0;
    size_t room = answer->budget;
    size_t note = notes_of(answer);
    if (note > room)
        return too_small(answer->budget, note, error);
    room -= note;
    for (size_t i = 0; i < hits->count; i++) {
        struct sl_answer_section *section = &answer->sections[answer->count];
        bool fits = false;
        size_t bytes = 0;
        enum sl_status status = SL_OK;
        *section = (struct sl_answer_section){.found = hits->items[i]};
        size_t usable = room > reserve ? room - reserve : 0;
        if (answer->count == 0) {
            status = fit_first(corpus, section, room, reserve, answer->budget,
                               &bytes, error);
            fits = true;
        } else if (answer->count < limit) {
            status = fit(corpus, section, usable, SL_GRAIN_BLOCK, &fits,
                         &bytes, error);
            fits = fits && !is_stub(section);
        }
        if (status)
            return status;
        if (fits) {
            answer->count++;
            bytes++; /* the empty line in front of the next one */
            room -= bytes < room ? bytes : room;
        } else if (answer->more_count < MORE_MAX) {
            answer->more[answer->more_count++] = hits->items[i].id;
        }
    }
    return add_links(corpus, answer, room > reserve ? room - reserve : 0,
                     error);
}

static enum sl_status ask(struct sl_corpus *corpus, struct sl_view question,
                          const struct sl_ask_options *options,
                          struct sl_answer *answer_out, struct sl_error *error)
{
    if (options->limit < 1 || options->limit > SL_MAX_RESULTS - MORE_MAX)
        return sl_error_set(error, SL_ERR_USAGE,
                            "between 1 and %u sections can be asked for",
                            SL_MAX_RESULTS - MORE_MAX);
    if (options->budget < SL_MIN_BUDGET || options->budget > SL_MAX_BUDGET)
        return sl_error_set(error, SL_ERR_USAGE,
                            "the budget must be between %u and %u bytes",
                            SL_MIN_BUDGET, SL_MAX_BUDGET);
    struct sl_hits hits;
    size_t wanted = options->limit + MORE_MAX;
    enum sl_status status = sl_index_ask(corpus->index, &corpus->arena,
                                         question, wanted, &hits, error);
    if (status)
        return status;
    struct sl_answer answer = {
        .question = question,
        .asked = hits.asked,
        .taken = hits.taken,
        .weak = hits.weak,
        .budget = options->budget,
        .sections = sl_arena_alloc(&corpus->arena,
                                   wanted * sizeof *answer.sections),
        .more = sl_arena_alloc(&corpus->arena, MORE_MAX * sizeof *answer.more),
    };
    if (!answer.sections || !answer.more)
        return sl_error_nomem(error);
    status = sl_facts_of(corpus, question, &answer.facts, error);
    if (!status)
        status = assemble(corpus, &hits, options->limit, &answer, error);
    if (!status)
        *answer_out = answer;
    return status;
}

enum sl_status sl_ask(struct sl_corpus *corpus, struct sl_view question,
                      const struct sl_ask_options *options,
                      struct sl_answer *answer_out, struct sl_error *error)
{
    return sl_arena_explain(&corpus->arena,
                            ask(corpus, question, options, answer_out, error),
                            error);
}
