#include "answer/units.h"

#include "kb/refs.h"
#include "markdown/doc.h"

/* Whether a paragraph leans on the list below it for its evidence. */
static enum sl_status leans(struct sl_arena *arena, struct sl_view text,
                            bool *leans_out, struct sl_error *error)
{
    struct sl_refs refs = {0};
    enum sl_status status = sl_refs_scan(arena, text, &refs, error);
    if (status)
        return status;
    *leans_out = true;
    for (size_t i = 0; i < refs.count; i++)
        if (sl_ref_is_evidence(refs.items[i].kind))
            *leans_out = false;
    return SL_OK;
}

/* Ascending, none twice: a text of N bytes has N at most. */
struct ends {
    size_t *at;
    size_t count;
};

static void put(struct ends *ends, size_t end)
{
    if (!ends->count || ends->at[ends->count - 1] < end)
        ends->at[ends->count++] = end;
}

/* A mark goes with what follows it: it says nothing. */
static bool is_mark(const struct sl_md_doc *doc, uint32_t i)
{
    return doc->blocks[i].kind == SL_MD_HTML &&
           doc->blocks[i].after < doc->count;
}

static enum sl_status blocks(struct sl_arena *arena, struct sl_view own,
                             const struct sl_md_doc *doc, struct ends *ends,
                             struct sl_error *error)
{
    for (uint32_t i = 0; i < doc->count;) {
        const struct sl_md_block *block = &doc->blocks[i];
        const struct sl_md_block *next =
            block->after < doc->count ? &doc->blocks[block->after] : NULL;
        if (block->kind == SL_MD_LIST || is_mark(doc, i)) {
            i++; /* a list's items are units of their own */
            continue;
        }
        size_t end = block->end;
        i = block->after;
        bool glue = false;
        enum sl_status status = SL_OK;
        if (block->kind == SL_MD_PARAGRAPH && next &&
            next->kind == SL_MD_LIST && next->parent == block->parent)
            status = leans(arena,
                           sl_view_sub(own, block->begin, block->end), &glue,
                           error);
        if (status)
            return status;
        if (glue) {
            end = next->end;
            i = next->after;
        }
        put(ends, end);
    }
    return SL_OK;
}

/* After each sentence, or each word; none inside `code`. */
static void parts(struct sl_view own, const struct sl_md_block *block,
                  enum sl_grain grain, struct ends *ends)
{
    bool code = false;
    for (size_t i = block->begin; i < block->end; i++) {
        char c = own.ptr[i];
        code ^= c == '`';
        bool stop = c == '.' || c == '?' || c == '!';
        if (!code && i + 1 < block->end && sl_is_space(own.ptr[i + 1]) &&
            (stop || (grain == SL_GRAIN_WORD && !sl_is_space(c))))
            put(ends, i + 1);
    }
    put(ends, block->end);
}

static void fine(struct sl_view own, const struct sl_md_doc *doc,
                 enum sl_grain grain, struct ends *ends)
{
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct sl_md_block *block = &doc->blocks[i];
        bool apart = grain == SL_GRAIN_WORD || block->parent == SL_MD_NONE;
        if (block->kind == SL_MD_PARAGRAPH && apart) /* an item stays whole */
            parts(own, block, grain, ends);
        else if (block->kind == SL_MD_ROW ? !block->header
                                          : block->after == i + 1 &&
                                                !is_mark(doc, i))
            put(ends, block->end);
    }
}

enum sl_status sl_units(struct sl_arena *arena, struct sl_view own,
                        enum sl_grain grain, size_t **ends_out,
                        size_t *count_out, struct sl_error *error)
{
    struct sl_md_doc doc;
    enum sl_status status = sl_md_parse(arena, own, &doc, error);
    if (status)
        return status;
    struct ends ends = {.count = 0};
    ends.at = sl_arena_alloc(arena, (own.len + 1) * sizeof *ends.at);
    if (!ends.at)
        return sl_error_nomem(error);
    if (grain == SL_GRAIN_BLOCK)
        status = blocks(arena, own, &doc, &ends, error);
    else
        fine(own, &doc, grain, &ends);
    if (status)
        return status;
    if (ends.count == 0)
        put(&ends, own.len);
    *ends_out = ends.at;
    *count_out = ends.count;
    return SL_OK;
}
