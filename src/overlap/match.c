#include "overlap/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

/* A run that goes on: its end is where the two sides now are. */
struct run {
    struct sl_match match;
    uint32_t next; /* the held token that would make it longer */
};

struct matcher {
    const struct sl_held *held;
    struct sl_matches *matches;
    struct sl_gram gram;
    struct run *runs; /* that go on, by `next` */
    struct run *merged; /* the same while it is made anew */
    size_t run_count;
    size_t file;
    /* grams with more places than are followed: one match for each */
    struct sl_match *left;
    size_t left_count, left_cap;
    unsigned char *told; /* whether a held token is in `left` */
};

static enum sl_status keep(struct sl_matches *matches, struct sl_match match,
                           struct sl_error *error)
{
    if (matches->count == SL_MAX_OVERLAP_MATCHES) {
        matches->more++;
        return SL_OK;
    }
    if (matches->count == matches->cap) {
        size_t cap = matches->cap ? matches->cap * 2 : 256;
        struct sl_match *items = realloc(matches->items, cap * sizeof *items);
        if (!items)
            return sl_error_nomem(error);
        matches->items = items;
        matches->cap = cap;
    }
    matches->items[matches->count++] = match;
    return SL_OK;
}

/* Makes runs longer by the word, and ends those that cannot be. */
static enum sl_status extend(struct matcher *m, const struct sl_word *word,
                             bool counts, struct sl_error *error)
{
    const struct sl_held *held = m->held;
    size_t kept = 0;
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < m->run_count && !status; i++) {
        struct run *run = &m->runs[i];
        const struct sl_token *token =
            run->next < held->count ? &held->tokens[run->next] : NULL;
        if (counts && token && !token->fresh && token->hash == word->hash) {
            run->match.words++;
            run->match.last_line = word->line;
            run->next++;
            m->runs[kept++] = *run;
        } else {
            status = keep(m->matches, run->match, error);
        }
    }
    m->run_count = kept;
    return status;
}

/* The gram's words, not only its hash, are those of the held token's. */
static bool is_same(const struct matcher *m, uint32_t token)
{
    const struct sl_gram *gram = &m->gram;
    unsigned slot = (unsigned)(sl_gram_first(gram) - gram->words);
    for (unsigned i = 0; i < gram->n; i++) {
        if (m->held->tokens[token + i].hash != gram->words[slot].hash)
            return false;
        slot = slot + 1 == gram->n ? 0 : slot + 1;
    }
    return true;
}

static struct sl_match match_here(const struct matcher *m, uint32_t token)
{
    const struct sl_gram *gram = &m->gram;
    const struct sl_gram_word *first = sl_gram_first(gram);
    unsigned slot = (unsigned)(first - gram->words);
    unsigned last = (slot + gram->n - 1) % gram->n;
    return (struct sl_match){
        .at = token,
        .words = gram->n,
        .file = (uint32_t)m->file,
        .line = first->line,
        .last_line = gram->words[last].line,
        .order = m->matches->words - gram->n,
    };
}

/* The chain's first token is remembered once: it stands for all of it. */
static enum sl_status remember(struct matcher *m, uint32_t head,
                               struct sl_error *error)
{
    if (!m->told)
        m->told = calloc(m->held->count, sizeof *m->told);
    if (!m->told)
        return sl_error_nomem(error);
    if (m->told[head])
        return SL_OK;
    if (m->left_count == m->left_cap) {
        size_t cap = m->left_cap ? m->left_cap * 2 : 64;
        struct sl_match *items = realloc(m->left, cap * sizeof *items);
        if (!items)
            return sl_error_nomem(error);
        m->left = items;
        m->left_cap = cap;
    }
    m->left[m->left_count++] = match_here(m, head);
    m->told[head] = 1;
    return SL_OK;
}

/* Begins a run at every place of the gram where none goes on. */
static enum sl_status begin_runs(struct matcher *m, uint32_t head,
                                 struct sl_error *error)
{
    const struct sl_held *held = m->held;
    size_t merged = 0, old = 0, seen = 0;
    uint32_t token = head;
    for (; token != SL_HELD_NONE && seen < SL_MAX_OVERLAP_SAME &&
           merged + (m->run_count - old) < SL_MAX_OVERLAP_SAME;
         token = held->next[token], seen++) {
        uint32_t next = token + held->n;
        while (old < m->run_count && m->runs[old].next < next)
            m->merged[merged++] = m->runs[old++];
        if (old < m->run_count && m->runs[old].next == next)
            m->merged[merged++] = m->runs[old++];
        else if (is_same(m, token))
            m->merged[merged++] =
                (struct run){match_here(m, token), next};
    }
    while (old < m->run_count)
        m->merged[merged++] = m->runs[old++];
    struct run *runs = m->runs;
    m->runs = m->merged;
    m->merged = runs;
    m->run_count = merged;
    return token == SL_HELD_NONE ? SL_OK : remember(m, head, error);
}

static enum sl_status visit(void *context, size_t file,
                            const struct sl_word_mark *marks,
                            size_t mark_count, struct sl_view text,
                            uint32_t line, bool first, struct sl_error *error)
{
    struct matcher *m = context;
    struct sl_words words;
    struct sl_word word;
    enum sl_status status = SL_OK;
    if (first && m->run_count) {
        const struct sl_word none = {.fresh = true};
        status = extend(m, &none, false, error);
    }
    m->file = file;
    sl_words_open(&words, text, line, marks, mark_count);
    words.fresh = first || words.fresh;
    while (!status && sl_words_next(&words, &word)) {
        bool counts = sl_gram_push(&m->gram, &word);
        m->matches->words++;
        if (m->run_count)
            status = extend(m, &word, counts && !word.fresh, error);
        if (!counts || status)
            continue;
        m->matches->grams++;
        uint32_t head = sl_held_find(m->held, m->gram.hash);
        if (head != SL_HELD_NONE)
            status = begin_runs(m, head, error);
    }
    return status;
}

/* How many matches cover the gram that begins with each held token. */
static int32_t *count_covers(const struct matcher *m)
{
    const struct sl_held *held = m->held;
    int32_t *covers = calloc(held->count + 1, sizeof *covers);
    if (!covers)
        return NULL;
    for (size_t i = 0; i < m->matches->count; i++) {
        const struct sl_match *match = &m->matches->items[i];
        covers[match->at]++;
        covers[match->at + match->words - held->n + 1]--;
    }
    for (size_t i = 1; i < held->count; i++)
        covers[i] += covers[i - 1];
    return covers;
}

/* Matches for what was found and not followed: neighbours become one. */
static enum sl_status keep_left(struct matcher *m, const int32_t *covers,
                                const uint32_t *places, struct sl_error *error)
{
    const struct sl_held *held = m->held;
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < held->count && !status; i++) {
        if (!places[i] || covers[i] > 0)
            continue;
        struct sl_match match = m->left[places[i] - 1];
        match.at = (uint32_t)i;
        while (i + 1 < held->count && places[i + 1] && covers[i + 1] <= 0) {
            match.words++;
            i++;
        }
        status = keep(m->matches, match, error);
    }
    return status;
}

static enum sl_status finish(struct matcher *m, struct sl_error *error)
{
    const struct sl_word none = {.fresh = true};
    const struct sl_held *held = m->held;
    enum sl_status status = extend(m, &none, false, error);
    if (status || !m->left_count)
        return status;
    int32_t *covers = count_covers(m);
    uint32_t *places = calloc(held->count, sizeof *places);
    if (!covers || !places)
        status = sl_error_nomem(error);
    for (size_t i = 0; i < m->left_count && !status; i++)
        for (uint32_t token = m->left[i].at; token != SL_HELD_NONE;
             token = held->next[token])
            places[token] = (uint32_t)i + 1;
    if (!status)
        status = keep_left(m, covers, places, error);
    free(covers);
    free(places);
    return status;
}

enum sl_status sl_match_corpus(struct sl_matches *matches_out,
                               const struct sl_held *held,
                               struct sl_corpus *corpus,
                               struct sl_faults *faults,
                               struct sl_error *error)
{
    *matches_out = (struct sl_matches){.items = NULL};
    struct matcher m = {.held = held, .matches = matches_out};
    enum sl_status status = SL_OK;
    sl_gram_open(&m.gram, held->n);
    m.runs = malloc(2 * SL_MAX_OVERLAP_SAME * sizeof *m.runs);
    m.merged = malloc(2 * SL_MAX_OVERLAP_SAME * sizeof *m.merged);
    if (!m.runs || !m.merged)
        status = sl_error_nomem(error);
    if (!status)
        status = sl_corpus_read(corpus, visit, &m, faults, error);
    if (!status)
        status = finish(&m, error);
    free(m.runs);
    free(m.merged);
    free(m.told);
    free(m.left);
    return status;
}

void sl_matches_release(struct sl_matches *matches)
{
    free(matches->items);
    *matches = (struct sl_matches){.items = NULL};
}
