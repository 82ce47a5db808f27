/*
 * The skill as a folder where an agent looks for it: put there whole, replaced
 * whole, taken away; what somebody else wrote or changed is left alone.
 */
#ifndef SL_SKILL_INSTALL_H
#define SL_SKILL_INSTALL_H

#include "base/arena.h"
#include "base/limits.h"
#include "base/status.h"

struct sl_skill_part {
    struct sl_view path; /* relative, checked here */
    struct sl_view bytes;
};

struct sl_skill_place {
    const char *base;   /* a folder that is there: home, or a project */
    const char *inside; /* such as .claude/skills; made when it is not there */
    const char *name;   /* of the skill's folder in it, a plain name */
    bool force;         /* replace what is not ours, or was changed */
    bool dry;           /* only say what would be done */
};

enum sl_skill_did {
    SL_SKILL_SAME,    /* it is there already, byte for byte */
    SL_SKILL_MADE,
    SL_SKILL_UPDATED, /* what stood there was ours and unchanged */
    SL_SKILL_FORCED,  /* what stood there is in backup now */
    SL_SKILL_REMOVED,
    SL_SKILL_ABSENT,  /* nothing to remove */
};

struct sl_skill_done {
    enum sl_skill_did did;
    char path[SL_MAX_PATH];
    char backup[SL_MAX_PATH]; /* of what was not ours, or changed */
};

/*
 * Writes the parts beside their place and renames. Refused (SL_ERR_REFUSED):
 * symbolic links at or above the place below base, something that is no folder,
 * and without force a folder that this did not write or that was changed since.
 * Whoever is killed leaves the old or the new folder whole.
 */
SL_CHECKED enum sl_status sl_skill_install(struct sl_arena *arena,
                                           const struct sl_skill_place *place,
                                           const struct sl_skill_part *parts,
                                           size_t count,
                                           struct sl_skill_done *done_out,
                                           struct sl_error *error);

/* Removes what sl_skill_install() wrote; with force, what was changed is kept aside. */
SL_CHECKED enum sl_status sl_skill_uninstall(struct sl_arena *arena,
                                             const struct sl_skill_place *place,
                                             struct sl_skill_done *done_out,
                                             struct sl_error *error);

#endif
