/*
 * The index block: a few lines that tell an agent, in its project's AGENTS.md, that
 * the skill is there and which file holds what.
 */
#ifndef SL_SKILL_GUIDE_H
#define SL_SKILL_GUIDE_H

#include "base/arena.h"
#include "base/buf.h"
#include "skill/install.h"

/*
 * Appends the block, markers included, at most SL_MAX_SKILL_GUIDE bytes with lines that
 * end in "\n" but for the last, which has no end. folder is the skill's, seen from the
 * project. Of each Markdown file below references/ it has the summary of the front
 * matter, all cut to the length at which the block fits.
 */
SL_CHECKED enum sl_status sl_skill_guide(struct sl_arena *arena,
                                         const struct sl_skill_part *parts,
                                         size_t count, const char *folder,
                                         struct sl_buf *out,
                                         struct sl_error *error);

#endif
