#include "overlap/filter.h"

#include <stdlib.h>
#include <string.h>

#include <binaryfusefilter.h>

#include "base/limits.h"
#include "overlap/gram.h"
#include "text/hash.h"

#define MAGIC "SLOVFUSE"

/* Raised when the file changes, or what a word, its hash or a gram is. */
enum { VERSION = 1, HEADER = 64, CHECKSUM_AT = 56, MAX_SEGMENT = 1 << 18 };

struct collect {
    struct sl_gram gram;
    uint64_t *keys;
    size_t count, cap;
    uint64_t words;
};

static int by_value(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void sort(struct collect *c)
{
    if (c->count == 0)
        return;
    qsort(c->keys, c->count, sizeof *c->keys, by_value);
    size_t kept = 1;
    for (size_t i = 1; i < c->count; i++)
        if (c->keys[i] != c->keys[i - 1])
            c->keys[kept++] = c->keys[i];
    c->count = kept;
}

/* Room for two more keys; what is there twice goes before more is asked for. */
static enum sl_status grow(struct collect *c, struct sl_error *error)
{
    if (c->count + 2 <= c->cap)
        return SL_OK;
    sort(c);
    if (c->count > SL_MAX_FILTER_GRAMS)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "more than %u different runs of words: publish "
                            "the corpus in parts",
                            SL_MAX_FILTER_GRAMS);
    if (c->cap && c->count < c->cap / 2)
        return SL_OK;
    size_t cap = c->cap ? c->cap * 2 : 1u << 16;
    uint64_t *keys = realloc(c->keys, cap * sizeof *keys);
    if (!keys)
        return sl_error_nomem(error);
    c->keys = keys;
    c->cap = cap;
    return SL_OK;
}

static enum sl_status visit(void *context, size_t file,
                            const struct sl_word_mark *marks,
                            size_t mark_count, struct sl_view text,
                            uint32_t line, bool first, struct sl_error *error)
{
    struct collect *c = context;
    struct sl_words words;
    struct sl_word word;
    enum sl_status status = SL_OK;
    (void)file;
    sl_words_open(&words, text, line, marks, mark_count);
    words.fresh = first;
    while (!status && sl_words_next(&words, &word)) {
        c->words++;
        if (!sl_gram_push(&c->gram, &word))
            continue;
        status = grow(c, error);
        if (!status) {
            c->keys[c->count++] = c->gram.front;
            c->keys[c->count++] = c->gram.back;
        }
    }
    return status;
}

static enum sl_status populate(struct sl_filter *filter, struct collect *c,
                               struct sl_error *error)
{
    binary_fuse16_t fuse;
    uint32_t size = (uint32_t)c->count;
    if (!binary_fuse16_allocate(size, &fuse))
        return sl_error_nomem(error);
    if (!binary_fuse16_populate(c->keys, size, &fuse)) {
        binary_fuse16_free(&fuse);
        return sl_error_set(error, SL_ERR_NOMEM,
                            "the filter of %zu runs could not be made: memory "
                            "is used up",
                            c->count);
    }
    filter->grams = size;
    filter->words = c->words;
    filter->segment_length = fuse.SegmentLength;
    filter->segment_count = fuse.SegmentCount;
    filter->seed = fuse.Seed;
    filter->cells = fuse.Fingerprints;
    return SL_OK;
}

enum sl_status sl_filter_build(struct sl_filter *filter_out,
                               struct sl_corpus *corpus, unsigned n,
                               struct sl_faults *faults,
                               struct sl_error *error)
{
    struct collect c = {.keys = NULL};
    struct sl_filter filter = {.n = n, .files = (uint32_t)corpus->count};
    sl_gram_open(&c.gram, n);
    enum sl_status status = sl_corpus_read(corpus, visit, &c, faults, error);
    if (!status) {
        sort(&c);
        status = c.count > SL_MAX_FILTER_GRAMS
                     ? sl_error_set(error, SL_ERR_LIMIT,
                                    "more than %u different runs of words: "
                                    "publish the corpus in parts",
                                    SL_MAX_FILTER_GRAMS)
                     : SL_OK;
    }
    if (!status && c.count == 0)
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "no run of %u words of prose is in it: there is "
                              "nothing to publish",
                              n);
    if (!status)
        status = populate(&filter, &c, error);
    free(c.keys);
    if (!status)
        *filter_out = filter;
    return status;
}

void sl_filter_release(struct sl_filter *filter)
{
    free(filter->cells);
    filter->cells = NULL;
}

static size_t cell_count(const struct sl_filter *filter)
{
    return ((size_t)filter->segment_count + 2) * filter->segment_length;
}

bool sl_filter_has(const struct sl_filter *filter, uint64_t hash)
{
    const binary_fuse16_t fuse = {
        .Seed = filter->seed,
        .SegmentLength = filter->segment_length,
        .SegmentLengthMask = filter->segment_length - 1,
        .SegmentCount = filter->segment_count,
        .SegmentCountLength = filter->segment_count * filter->segment_length,
        .Fingerprints = filter->cells,
    };
    return binary_fuse16_contain(hash, &fuse);
}

static void put(struct sl_buf *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        sl_buf_putc(out, (char)(unsigned char)(value >> (8 * i)));
}

static uint64_t get(struct sl_view bytes, size_t at, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)(unsigned char)bytes.ptr[at + i] << (8 * i);
    return value;
}

/* Of everything but itself. */
static uint64_t checksum(struct sl_view file)
{
    uint64_t head = sl_bytes_hash(sl_view_sub(file, 0, CHECKSUM_AT));
    uint64_t cells = sl_bytes_hash(sl_view_sub(file, HEADER, file.len));
    return head * UINT64_C(0x9e3779b97f4a7c15) + cells;
}

void sl_filter_write(struct sl_buf *out, const struct sl_filter *filter)
{
    struct sl_buf file;
    sl_buf_init(&file, SL_MAX_FILTER_BYTES);
    sl_buf_puts(&file, MAGIC);
    put(&file, VERSION, 4);
    put(&file, filter->n, 4);
    put(&file, filter->grams, 8);
    put(&file, filter->words, 8);
    put(&file, filter->files, 4);
    put(&file, filter->segment_length, 4);
    put(&file, filter->segment_count, 4);
    put(&file, 0, 4);
    put(&file, filter->seed, 8);
    put(&file, 0, 8);
    for (size_t i = 0; i < cell_count(filter); i++)
        put(&file, filter->cells[i], 2);
    if (!file.failed) {
        uint64_t sum = checksum(sl_buf_view(&file));
        sl_buf_add(out, sl_view_sub(sl_buf_view(&file), 0, CHECKSUM_AT));
        put(out, sum, 8);
        sl_buf_add(out, sl_view_sub(sl_buf_view(&file), HEADER, file.len));
    } else if (!out->failed) {
        out->failed = file.failed;
    }
    sl_buf_release(&file);
}

static bool is_sound(const struct sl_filter *filter, struct sl_view bytes)
{
    uint32_t length = filter->segment_length;
    if (filter->n <= SL_MIN_FILTER_GRAM || filter->n > SL_MAX_GRAM ||
        filter->grams == 0 || filter->grams > SL_MAX_FILTER_GRAMS)
        return false;
    if (length < 4 || length > MAX_SEGMENT || (length & (length - 1)) != 0)
        return false;
    if (filter->segment_count == 0 ||
        filter->segment_count > SL_MAX_FILTER_BYTES / length)
        return false;
    return get(bytes, 44, 4) == 0 &&
           bytes.len == HEADER + 2 * cell_count(filter);
}

enum sl_status sl_filter_parse(struct sl_view bytes,
                               struct sl_filter *filter_out,
                               struct sl_error *error)
{
    if (bytes.len < HEADER || !sl_view_starts(bytes, MAGIC))
        return sl_error_set(error, SL_ERR_SYNTAX, "it is no filter");
    uint64_t version = get(bytes, 8, 4);
    if (version != VERSION)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "a filter of version %u, and this program reads "
                            "%u: publish it again",
                            (unsigned)version, (unsigned)VERSION);
    struct sl_filter filter = {
        .n = (unsigned)get(bytes, 12, 4),
        .grams = get(bytes, 16, 8),
        .words = get(bytes, 24, 8),
        .files = (uint32_t)get(bytes, 32, 4),
        .segment_length = (uint32_t)get(bytes, 36, 4),
        .segment_count = (uint32_t)get(bytes, 40, 4),
        .seed = get(bytes, 48, 8),
    };
    if (!is_sound(&filter, bytes) ||
        get(bytes, CHECKSUM_AT, 8) != checksum(bytes))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "the filter is damaged or cut short");
    size_t cells = cell_count(&filter);
    filter.cells = malloc(cells * sizeof *filter.cells);
    if (!filter.cells)
        return sl_error_nomem(error);
    for (size_t i = 0; i < cells; i++)
        filter.cells[i] = (uint16_t)get(bytes, HEADER + 2 * i, 2);
    *filter_out = filter;
    return SL_OK;
}
