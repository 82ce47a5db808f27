#include "overlap/held.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

/* a token that begins no gram that counts */
#define NO_GRAM (UINT32_MAX - 1)

/* Rolled hashes are good in their high bits only. */
static inline uint64_t mix(uint64_t hash)
{
    hash ^= hash >> 32;
    return hash * UINT64_C(0xd6e8feb86659fd93);
}

struct build {
    struct sl_held *held;
    struct sl_gram gram;
    size_t file; /* whose tokens come next */
};

static enum sl_status grow(struct sl_held *held, struct sl_error *error)
{
    if (held->count < held->cap)
        return SL_OK;
    if (held->count >= SL_MAX_OVERLAP_WORDS)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "both sides have more than %u words: compare the "
                            "smaller one in parts",
                            SL_MAX_OVERLAP_WORDS);
    size_t cap = held->cap ? held->cap * 2 : 4096;
    struct sl_token *tokens =
        realloc(held->tokens, cap * sizeof *held->tokens);
    if (tokens)
        held->tokens = tokens;
    uint64_t *hashes = realloc(held->hashes, cap * sizeof *held->hashes);
    if (hashes)
        held->hashes = hashes;
    uint32_t *next = realloc(held->next, cap * sizeof *held->next);
    if (next)
        held->next = next;
    if (!tokens || !hashes || !next)
        return sl_error_nomem(error);
    held->cap = cap;
    return SL_OK;
}

/* Token numbers at which the files up to `file` begin. */
static void begin_files(struct build *b, size_t file)
{
    while (b->file <= file && b->file <= b->held->file_count)
        b->held->file_first[b->file++] = (uint32_t)b->held->count;
}

static enum sl_status visit(void *context, size_t file,
                            const struct sl_word_mark *marks,
                            size_t mark_count, struct sl_view text,
                            uint32_t line, bool first, struct sl_error *error)
{
    struct build *b = context;
    struct sl_held *held = b->held;
    size_t offset = held->text.len;
    struct sl_words words;
    struct sl_word word;
    begin_files(b, file);
    sl_buf_add(&held->text, text);
    sl_buf_putc(&held->text, '\n');
    enum sl_status status = sl_buf_check(&held->text, error);
    if (status)
        return status;
    sl_words_open(&words, text, line, marks, mark_count);
    words.fresh = first;
    while (!status && sl_words_next(&words, &word)) {
        status = grow(held, error);
        if (status)
            return status;
        held->tokens[held->count] = (struct sl_token){
            .hash = word.hash,
            .begin = (uint32_t)(offset + word.begin),
            .line = word.line & 0x3fffffffu,
            .fresh = word.fresh,
            .plain = word.plain,
        };
        held->next[held->count++] = NO_GRAM;
        if (sl_gram_push(&b->gram, &word)) {
            size_t begin = held->count - held->n;
            held->hashes[begin] = b->gram.hash;
            held->next[begin] = SL_HELD_NONE;
            held->grams++;
        }
    }
    return status;
}

static uint32_t *slot_of(const struct sl_held *held, uint64_t hash)
{
    size_t at = (size_t)(mix(hash) >> 20) & held->slot_mask;
    while (held->slots[at] != SL_HELD_NONE &&
           held->hashes[held->slots[at]] != hash)
        at = (at + 1) & held->slot_mask;
    return &held->slots[at];
}

static enum sl_status make_table(struct sl_held *held, struct sl_error *error)
{
    size_t slots = 1024;
    unsigned bits = 13; /* 16 and more for a gram */
    while (slots < held->grams * 2) {
        slots *= 2;
        bits++;
    }
    held->slot_mask = slots - 1;
    held->bit_shift = 64 - bits;
    held->slots = malloc(slots * sizeof *held->slots);
    held->bits = calloc(((size_t)1 << bits) / 64, sizeof *held->bits);
    if (!held->slots || !held->bits)
        return sl_error_nomem(error);
    memset(held->slots, 0xff, slots * sizeof *held->slots);
    /* from the end, so that a chain goes forward */
    for (size_t i = held->count; i--;) {
        if (held->next[i] == NO_GRAM)
            continue;
        uint32_t *slot = slot_of(held, held->hashes[i]);
        held->next[i] = *slot;
        *slot = (uint32_t)i;
        size_t bit = (size_t)(mix(held->hashes[i]) >> held->bit_shift);
        held->bits[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
    return SL_OK;
}

enum sl_status sl_held_build(struct sl_held *held_out,
                             struct sl_corpus *corpus, unsigned n,
                             struct sl_faults *faults, struct sl_error *error)
{
    struct sl_held *held = held_out;
    struct build b = {.held = held};
    *held = (struct sl_held){.n = n, .file_count = corpus->count};
    sl_buf_init(&held->text, SL_MAX_OVERLAP_TEXT);
    held->file_first = calloc(corpus->count + 1, sizeof *held->file_first);
    if (!held->file_first)
        return sl_error_nomem(error);
    sl_gram_open(&b.gram, n);
    enum sl_status status = sl_corpus_read(corpus, visit, &b, faults, error);
    begin_files(&b, corpus->count);
    return status ? status : make_table(held, error);
}

void sl_held_release(struct sl_held *held)
{
    free(held->tokens);
    free(held->file_first);
    free(held->hashes);
    free(held->next);
    free(held->slots);
    free(held->bits);
    sl_buf_release(&held->text);
    *held = (struct sl_held){.n = 0};
}

uint32_t sl_held_find(const struct sl_held *held, uint64_t hash)
{
    uint64_t mixed = mix(hash);
    size_t bit = (size_t)(mixed >> held->bit_shift);
    if (!(held->bits[bit / 64] >> (bit % 64) & 1))
        return SL_HELD_NONE;
    return *slot_of(held, hash);
}

size_t sl_held_file(const struct sl_held *held, uint32_t token)
{
    size_t low = 0, high = held->file_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (held->file_first[middle] <= token)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct sl_view sl_held_text(const struct sl_held *held, uint32_t token,
                            uint32_t words)
{
    size_t begin = held->tokens[token].begin;
    size_t last = held->tokens[token + words - 1].begin;
    size_t next = token + words < held->count
                      ? held->tokens[token + words].begin
                      : held->text.len;
    struct sl_view rest = sl_view_sub(sl_buf_view(&held->text), last, next);
    struct sl_words reader;
    struct sl_word word;
    sl_words_open(&reader, rest, 1, NULL, 0);
    size_t end = last;
    if (sl_words_next(&reader, &word))
        end += word.end;
    return sl_view_sub(sl_buf_view(&held->text), begin, end);
}
