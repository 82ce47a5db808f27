/* A question in any words -> terms -> sections in order. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "search/edit.h"
#include "search/index.h"
#include "search/rank.h"
#include "search/row.h"
#include "search/tokenizer.h"

/* What a term counts, beside its rarity; figures: docs/internals/search.md. */
#define WORD_WEIGHT 1.0
#define NAME_WEIGHT 1.25 /* an identifier */
#define PART_WEIGHT 0.4  /* one of its parts alone */
#define PAIR_WEIGHT 0.5  /* two words that follow each other */

struct term {
    struct sl_view text; /* one word, or two with a blank between */
    double weight;
    bool pair;
};

struct query {
    struct sl_index *index;
    struct sl_arena *arena;
    struct term terms[SL_MAX_QUERY_TERMS];
    size_t count;
    bool field;     /* a word places the question in our field */
    bool elsewhere; /* one places it in another */
    bool named;     /* and is a whole name there, such as NCCL_IB_HCA */
    bool bare;      /* of NVSHMEM's name and stop words alone */
    bool system;    /* one is an operating system's name */
    bool thin;      /* nothing else to go by than one of these two */
    bool held;      /* a whole name of it is held by a section */
    unsigned hints; /* words that are ours and also others' */
    unsigned spelled; /* unknown names that were compared with all known ones */
    struct sl_view asked, taken;
};

/* In every name, and so in no way telling. */
static bool is_prefix(struct sl_view word)
{
    return sl_view_is(word, "nvshmem") || sl_view_is(word, "nvshmemx") ||
           sl_view_is(word, "nvshmemi") || sl_view_is(word, "shmem");
}

static struct sl_view lower(struct sl_arena *arena, struct sl_view word)
{
    struct sl_view copy = sl_arena_copy(arena, word);
    for (size_t i = 0; copy.ptr && i < copy.len; i++)
        ((char *)(uintptr_t)copy.ptr)[i] = sl_lower(copy.ptr[i]);
    return copy;
}

/* text: from sl_word_next, so free of quotes; lower case, but for such names. */
static void add_term(struct query *q, struct sl_view text, double weight,
                     bool pair)
{
    if (text.len == 0 || text.len > 2 * SL_MAX_TOKEN + 1 ||
        (!pair && text.len > SL_MAX_TOKEN))
        return;
    for (size_t i = 0; i < q->count; i++)
        if (sl_view_eq(q->terms[i].text, text))
            return;
    if (q->count < SL_MAX_QUERY_TERMS)
        q->terms[q->count++] = (struct term){text, weight, pair};
}

static bool is_listed(const struct query *q, char mark, struct sl_view word)
{
    char marked[SL_MAX_TOKEN + 1];
    if (word.len >= sizeof marked)
        return false;
    marked[0] = mark;
    memcpy(marked + 1, word.ptr, word.len);
    return sl_words_is_field(&q->index->words,
                             (struct sl_view){marked, word.len + 1});
}

/* What a word, or a part of one, says about the question's field. */
static void note_field(struct query *q, struct sl_view word)
{
    if (sl_view_find(word, SL_LIT("nvshmem"), 0) != SIZE_MAX ||
        sl_words_is_field(&q->index->words, word))
        q->field = true;
    else if (is_listed(q, '!', word))
        q->elsewhere = true;
    else if (is_listed(q, '?', word))
        q->elsewhere = q->system = true;
    else if (is_listed(q, '~', word))
        q->hints++;
}

/* A shorter name is near to too many. */
#define SPELLED_MIN 5u

/* The known name nearest to word, when no known one has it as a part. */
static enum sl_status spell(struct query *q, struct sl_view *word,
                            struct sl_error *error)
{
    sqlite3 *db = q->index->db;
    sqlite3_stmt *statement;
    enum sl_status status =
        sl_db_prepare(db, "SELECT name FROM name", &statement, error);
    if (status)
        return status;
    unsigned best = word->len < 8 ? 2 : 3; /* accepted below this */
    struct sl_view nearest = {NULL, 0};
    bool known = false;
    while (!status && !known && sqlite3_step(statement) == SQLITE_ROW) {
        struct sl_view name = {(const char *)sqlite3_column_text(statement, 0),
                               (size_t)sqlite3_column_bytes(statement, 0)};
        unsigned distance = sl_edit_distance(*word, name, best - 1);
        known = distance == 0;
        if (distance >= best)
            continue;
        best = distance;
        nearest = sl_arena_copy(q->arena, name);
        if (!nearest.ptr)
            status = sl_error_nomem(error);
    }
    sqlite3_finalize(statement);
    if (status || known || !nearest.ptr)
        return status;
    q->asked = *word;
    q->taken = nearest;
    *word = lower(q->arena, nearest);
    return word->ptr ? SL_OK : sl_error_nomem(error);
}

/* Whether any section holds the word, as FTS5 tokenizes it. */
static enum sl_status is_held(struct query *q, struct sl_view word,
                              bool *held_out, struct sl_error *error)
{
    char expression[SL_MAX_TOKEN + 3];
    int n = snprintf(expression, sizeof expression, "\"%.*s\"", SL_ARG(word));
    sqlite3_stmt *statement;
    enum sl_status status = sl_db_prepare(
        q->index->db, "SELECT 1 FROM words WHERE words MATCH ?1 LIMIT 1",
        &statement, error);
    if (status)
        return status;
    sl_db_bind(statement, 1, (struct sl_view){expression, (size_t)n});
    int rc = sqlite3_step(statement);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        status = sl_db_error(q->index->db, "looking up a word", error);
    *held_out = rc == SQLITE_ROW;
    sqlite3_finalize(statement);
    return status;
}

/* The parts of an identifier; others_out: it is a name of another field. */
static enum sl_status add_parts(struct query *q, struct sl_view word,
                                struct sl_view written, bool *others_out,
                                struct sl_error *error)
{
    bool others = is_listed(q, '!', word);
    size_t at = 0;
    struct sl_view part;
    while (sl_part_next(written, &at, &part)) {
        struct sl_view small = lower(q->arena, part);
        if (!small.ptr)
            return sl_error_nomem(error);
        note_field(q, small);
        others = others || is_listed(q, '!', small);
        if (small.len > 1 && !is_prefix(small) &&
            !sl_words_is_stop(&q->index->words, small))
            add_term(q, small, PART_WEIGHT, false);
    }
    *others_out = others;
    return SL_OK;
}

/* The form of a name that some section holds, or word as it is. */
static enum sl_status held_form(struct query *q, struct sl_view *word,
                                struct sl_view written, bool *held_out,
                                struct sl_error *error)
{
    bool held = true;
    enum sl_status status = SL_OK;
    if (word->len <= SL_MAX_TOKEN)
        status = is_held(q, *word, &held, error);
    /* PyMem_New: its case parts it. Ours have either case or "_": of both are others'
     * names, and these lead to who names them, not to what is asked */
    bool mixed = memchr(word->ptr, '_', word->len) && !q->index->foreign;
    if (!status && !held && !mixed) {
        status = is_held(q, written, &held, error);
        *word = held ? written : *word;
    }
    *held_out = held;
    return status;
}

static enum sl_status add_identifier(struct query *q, struct sl_view word,
                                     struct sl_view written,
                                     struct sl_error *error)
{
    bool held = true;
    enum sl_status status = held_form(q, &word, written, &held, error);
    if (!status && !held && word.len >= SPELLED_MIN &&
        q->spelled < SL_MAX_SPELLED) {
        q->spelled++;
        status = spell(q, &word, error);
        if (q->taken.ptr)
            written = q->taken;
    }
    if (status)
        return status;
    add_term(q, word, NAME_WEIGHT, false);
    q->held = q->held || held;
    bool others = false;
    status = add_parts(q, word, written, &others, error);
    if (status)
        return status;
    q->named = q->named || others;
    q->hints += held && !others; /* a whole name that we speak of */
    return SL_OK;
}

/* Words that stand side by side in the question: they do in its answer, or a log line. */
static enum sl_status add_pairs(struct query *q, struct sl_view question,
                                struct sl_error *error)
{
    size_t at = 0;
    struct sl_view word, before = {NULL, 0};
    while (sl_word_next(question, &at, &word)) {
        struct sl_view small = lower(q->arena, word);
        if (!small.ptr)
            return sl_error_nomem(error);
        if (!q->bare && sl_words_is_stop(&q->index->words, small)) {
            before = (struct sl_view){NULL, 0};
            continue;
        }
        if (before.ptr) {
            char *pair = sl_arena_alloc(q->arena, before.len + small.len + 1);
            if (!pair)
                return sl_error_nomem(error);
            memcpy(pair, before.ptr, before.len);
            pair[before.len] = ' ';
            memcpy(pair + before.len + 1, small.ptr, small.len);
            add_term(q, (struct sl_view){pair, before.len + small.len + 1},
                     PAIR_WEIGHT, true);
        }
        before = small;
    }
    return SL_OK;
}

static enum sl_status read_question(struct query *q, struct sl_view question,
                                    struct sl_error *error)
{
    size_t at = 0;
    struct sl_view word;
    bool prefixed = false;
    while (q->count < SL_MAX_QUERY_TERMS &&
           sl_word_next(question, &at, &word)) {
        struct sl_view small = lower(q->arena, word);
        if (!small.ptr)
            return sl_error_nomem(error);
        note_field(q, small);
        prefixed = prefixed || is_prefix(small);
        if (sl_words_is_stop(&q->index->words, small))
            continue;
        /* the case shows the parts: they are cut from the word as written */
        if (sl_word_is_identifier(word)) {
            enum sl_status status = add_identifier(q, small, word, error);
            if (status)
                return status;
        } else if (!is_prefix(small)) {
            add_term(q, small, WORD_WEIGHT, false);
        }
    }
    q->bare = q->count == 0 && prefixed;
    for (at = 0; q->bare && sl_word_next(question, &at, &word);) {
        struct sl_view small = lower(q->arena, word);
        if (!small.ptr)
            return sl_error_nomem(error);
        add_term(q, small, WORD_WEIGHT, false); /* "what is nvshmem": all of it */
    }
    q->thin = q->count == 1 && (q->bare || q->system);
    return add_pairs(q, question, error);
}

/* "a" OR "b" …; every term quoted, so that none is syntax. */
static enum sl_status expression(const struct query *q, struct sl_buf *out,
                                 struct sl_error *error)
{
    for (size_t i = 0; i < q->count; i++) {
        if (i)
            sl_buf_puts(out, " OR ");
        sl_buf_putc(out, '"');
        sl_buf_add(out, q->terms[i].text);
        sl_buf_putc(out, '"');
    }
    return sl_buf_check(out, error);
}

static enum sl_status fetch(struct query *q, size_t limit,
                            struct sl_hits *hits, struct sl_error *error)
{
    struct sl_rank rank = {.count = q->count};
    struct sl_buf match;
    sl_buf_init(&match, SL_MAX_QUERY_TERMS * (2 * SL_MAX_TOKEN + 8));
    for (size_t i = 0; i < q->count; i++)
        rank.terms[i] = (struct sl_rank_term){.weight = q->terms[i].weight,
                                              .pair = q->terms[i].pair};
    sqlite3_stmt *statement = NULL;
    enum sl_status status = expression(q, &match, error);
    if (!status)
        status = sl_db_prepare(
            q->index->db,
            "SELECT " SL_ROW_COLUMNS ", s, c FROM"
            " (SELECT rowid AS r, score(words, ?2) AS s,"
            "  coverage(words, ?2) AS c FROM words WHERE words MATCH ?1)"
            " JOIN section ON n = r"
            /* a heading alone says nothing; introductions and the skill's
             * overview name much, answer little */
            " ORDER BY s * CASE WHEN trim(substr(own, instr(own ||"
            "  char(10), char(10))), char(10, 32)) = '' THEN 0.1"
            "  WHEN level = 1 OR file = 'SKILL.md'"
            "  THEN 0.6 ELSE 1.0 END DESC, n LIMIT ?3",
            &statement, error);
    if (!status) {
        sl_db_bind(statement, 1, sl_buf_view(&match));
        sqlite3_bind_pointer(statement, 2, &rank, SL_RANK_POINTER, NULL);
        sqlite3_bind_int64(statement, 3, (sqlite3_int64)limit);
    }
    int rc = SQLITE_DONE;
    while (!status && (rc = sqlite3_step(statement)) == SQLITE_ROW) {
        struct sl_found *found = &hits->items[hits->count];
        status = sl_row_section(q->arena, statement, found, error);
        found->coverage = sqlite3_column_double(statement, 7);
        found->score = sqlite3_column_double(statement, 6);
        hits->count += !status;
    }
    if (!status && rc != SQLITE_DONE)
        status = sl_db_error(q->index->db, "searching", error);
    sqlite3_finalize(statement);
    sl_buf_release(&match);
    return status;
}

/*
 * Whether the best section answers. With a word of our field little is asked for;
 * without one the more, the less the question sounds like ours. Measured on questions of
 * the field and of others: docs/internals/search.md.
 */
#define WEAK_SCORE 0.35 /* below it, the first section was right in 6 of 15 */

static bool is_good(const struct query *q, const struct sl_found *best)
{
    static const double least[] = {0.33, 0.20, 0.15}; /* by hints */
    if (q->field || (q->index->foreign && q->held))
        return best->score >= 0.02;
    unsigned hints = q->hints < 2 ? q->hints : 2;
    double more = q->named ? 0.30 : q->elsewhere ? 0.25 : 0.0;
    if (q->index->foreign)
        more = 0.0;
    return best->score >= least[hints] + more;
}

enum sl_status sl_index_ask(struct sl_index *index, struct sl_arena *arena,
                            struct sl_view question, size_t limit,
                            struct sl_hits *hits_out, struct sl_error *error)
{
    if (question.len > SL_MAX_QUESTION)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a question of %zu bytes; the limit is %u",
                            question.len, SL_MAX_QUESTION);
    if (limit < 1 || limit > SL_MAX_RESULTS)
        return sl_error_set(error, SL_ERR_USAGE,
                            "between 1 and %u sections can be asked for",
                            SL_MAX_RESULTS);
    struct query q = {.index = index, .arena = arena};
    enum sl_status status = read_question(&q, question, error);
    if (status)
        return status;
    if (q.count == 0)
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "the question holds no word to search for");
    struct sl_hits hits = {.asked = q.asked, .taken = q.taken};
    hits.items = sl_arena_alloc(arena, limit * sizeof *hits.items);
    if (!hits.items)
        return sl_error_nomem(error);
    status = fetch(&q, limit, &hits, error);
    if (status)
        return status;
    if (hits.count == 0 || !is_good(&q, &hits.items[0]))
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "nothing in the knowledge base answers that");
    hits.weak = q.thin || hits.items[0].score < WEAK_SCORE;
    *hits_out = hits;
    return SL_OK;
}
