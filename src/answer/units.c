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

enum sl_status sl_units(struct sl_arena *arena, struct sl_view own,
                        size_t **ends_out, size_t *count_out,
                        struct sl_error *error)
{
    struct sl_md_doc doc;
    enum sl_status status = sl_md_parse(arena, own, &doc, error);
    if (status)
        return status;
    size_t *ends = sl_arena_alloc(arena, (doc.count + 1) * sizeof *ends);
    if (!ends)
        return sl_error_nomem(error);
    size_t count = 0;
    for (uint32_t i = 0; i < doc.count;) {
        const struct sl_md_block *block = &doc.blocks[i];
        const struct sl_md_block *next =
            block->after < doc.count ? &doc.blocks[block->after] : NULL;
        if (block->kind == SL_MD_LIST) {
            i++; /* its items are units of their own */
            continue;
        }
        size_t end = block->end;
        i = block->after;
        bool glue = false;
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
        ends[count++] = end;
    }
    while (count && ends[count - 1] == 0)
        count--;
    if (count == 0)
        ends[count++] = own.len;
    *ends_out = ends;
    *count_out = count;
    return SL_OK;
}
