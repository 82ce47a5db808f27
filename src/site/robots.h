/*
 * robots.txt as RFC 9309 has it: the rules that a server's owner set for a
 * robot, and whether they allow a path. Parsing never fails on what is written
 * there: lines that are no rule are passed over.
 */
#ifndef SL_SITE_ROBOTS_H
#define SL_SITE_ROBOTS_H

#include "base/arena.h"
#include "base/status.h"
#include "base/view.h"

struct sl_robots_rule {
    struct sl_view pattern; /* normalised; `*` and a last `$` as written */
    bool allow;
};

struct sl_robots {
    const struct sl_robots_rule *rules;
    size_t count;
    bool named;     /* a group names the robot; else the rules are those of `*` */
    unsigned delay; /* seconds, Crawl-delay of the same groups; 0: none */
};

/*
 * The rules for the robot with this product token (letters, `-` and `_`).
 * Of a text over SL_MAX_ROBOTS bytes the whole lines within them count. Rules
 * live in the arena.
 */
SL_CHECKED enum sl_status sl_robots_parse(struct sl_arena *arena,
                                          struct sl_view text,
                                          struct sl_view product,
                                          struct sl_robots *robots_out,
                                          struct sl_error *error);

/*
 * Whether the path (of a URL, from its first slash, with the query) may be
 * asked for: the longest rule that fits decides, Allow on a tie. A path over
 * SL_MAX_URL bytes is not allowed.
 */
bool sl_robots_allow(const struct sl_robots *robots, struct sl_view path);

#endif
