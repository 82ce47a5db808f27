/*
 * A block of lines between two markers in a file that somebody else writes: put in,
 * replaced, taken out; what stands around it stays byte for byte.
 */
#ifndef SL_SKILL_BLOCK_H
#define SL_SKILL_BLOCK_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/status.h"

/* The first and the last line of a block; blanks at their ends do not count. */
#define SL_SKILL_BLOCK_BEGIN "<!-- shmemlore:begin -->"
#define SL_SKILL_BLOCK_END "<!-- shmemlore:end -->"

struct sl_skill_block_place {
    const char *base; /* a folder that is there */
    const char *file; /* in it, such as AGENTS.md; need not be there */
    bool dry;         /* only say what would be done */
};

enum sl_skill_block_did {
    SL_SKILL_BLOCK_SAME,    /* it stands there already, byte for byte */
    SL_SKILL_BLOCK_MADE,    /* the file too */
    SL_SKILL_BLOCK_ADDED,   /* behind the text of the file */
    SL_SKILL_BLOCK_UPDATED, /* what stood between the markers is in the backup */
    SL_SKILL_BLOCK_REMOVED,
    SL_SKILL_BLOCK_ABSENT, /* nothing to remove */
};

struct sl_skill_block_done {
    enum sl_skill_block_did did;
    char path[SL_MAX_PATH];
    char backup[SL_MAX_PATH]; /* the file as it was; empty: there was none */
};

/*
 * A text with the block, between its markers or at the end, or, block NULL, without it;
 * no byte outside of the markers changes, but for a line end before the first marker
 * where the text has none, which goes with the block. The block takes the text's line
 * ends. *had_out: there was one. SL_ERR_SYNTAX, "LINE: WHY": markers that are not one
 * pair; or what is not UTF-8. out is empty at first.
 */
SL_CHECKED enum sl_status sl_skill_block_edit(struct sl_view text,
                                              const struct sl_view *block,
                                              struct sl_buf *out, bool *had_out,
                                              struct sl_error *error);

/*
 * The same with a file. SL_ERR_REFUSED, and nothing is done: such texts, links, what is
 * no regular file, over SL_MAX_SKILL_HOST bytes.
 */
SL_CHECKED enum sl_status
sl_skill_block_put(struct sl_arena *arena,
                   const struct sl_skill_block_place *place,
                   struct sl_view block, struct sl_skill_block_done *done_out,
                   struct sl_error *error);
/* A file that held the block alone goes as a whole. */
SL_CHECKED enum sl_status
sl_skill_block_take(struct sl_arena *arena,
                    const struct sl_skill_block_place *place,
                    struct sl_skill_block_done *done_out,
                    struct sl_error *error);

#endif
