/* Names that stay as they are declared and do something else, or have a better form. */
#include "upgrade/internal.h"

#include <stdio.h>

#include "api/release.h"

static bool holds(const struct sl_meaning *meaning, struct sl_view release)
{
    return sl_release_cmp(meaning->first, release) <= 0 &&
           (!meaning->last.len || sl_release_cmp(release, meaning->last) <= 0);
}

/* Whether the way from the old release to the new one passes the row's. */
static bool is_on_the_way(const struct sl_judge *judge,
                          const struct sl_meaning *meaning)
{
    bool was = holds(meaning, judge->upgrade->from);
    bool is = holds(meaning, judge->upgrade->to);
    /* nobody who goes back wants what is better later */
    return sl_view_is(meaning->kind, "better") ? !was && is : was != is;
}

static enum sl_upgrade_level level_of(const struct sl_meaning *meaning)
{
    if (sl_view_is(meaning->level, "error"))
        return SL_UPGRADE_ERROR;
    return sl_view_is(meaning->level, "warning") ? SL_UPGRADE_WARNING
                                                 : SL_UPGRADE_NOTE;
}

static enum sl_status tell_meaning(struct sl_judge *judge, size_t file,
                                   const struct sl_use *use,
                                   const struct sl_meaning *meaning)
{
    struct sl_buf message;
    char kind[40];
    (void)snprintf(kind, sizeof kind, "meaning %zu", file);
    /* what is wrong from now on is told at each place that must be changed */
    bool first = level_of(meaning) == SL_UPGRADE_ERROR;
    enum sl_status status =
        first ? SL_OK : sl_judge_once(judge, kind, meaning->text, &first);
    if (status || !first)
        return status;
    sl_buf_init(&message, 2000);
    sl_buf_printf(&message, "%.*s, ", SL_ARG(meaning->name));
    if (sl_release_cmp(judge->upgrade->to, meaning->first) < 0) /* back */
        sl_buf_printf(&message, "and no longer in %.*s: ",
                      SL_ARG(judge->upgrade->to));
    sl_buf_printf(&message, "from %.*s %s%.*s: %.*s", SL_ARG(meaning->first),
                  meaning->last.len ? "to " : "on", SL_ARG(meaning->last),
                  SL_ARG(meaning->text));
    return sl_judge_tell(judge, file, use, level_of(meaning),
                         sl_view_is(meaning->kind, "better") ? "better"
                                                             : "meaning",
                         &message, meaning->section);
}

enum sl_status sl_judge_meaning(struct sl_judge *judge, size_t file,
                                const struct sl_use *use, struct sl_view name)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < judge->meanings.count; i++) {
        const struct sl_meaning *meaning = &judge->meanings.items[i];
        if (sl_view_eq(meaning->name, name) && is_on_the_way(judge, meaning))
            status = tell_meaning(judge, file, use, meaning);
    }
    return status;
}
