/* Names that a release declares only with a build option which its package leaves off. */
#include "api/options.h"
#include "upgrade/internal.h"

enum sl_status sl_judge_option(struct sl_judge *judge,
                               const struct sl_spot *spot, bool *told_out)
{
    struct sl_option_name row;
    struct sl_view name = spot->use->name;
    struct sl_upgrade *upgrade = judge->upgrade;
    struct sl_buf message;
    *told_out = false;
    enum sl_status status = sl_options_find(judge->options, name, &row,
                                            told_out, judge->error);
    if (status || !*told_out)
        return status;
    bool is = sl_option_in(&row, upgrade->to);
    *told_out = is || sl_option_in(&row, upgrade->from);
    if (!*told_out)
        return SL_OK;
    sl_buf_init(&message, 2000);
    sl_buf_printf(&message,
                  "%.*s (%.*s) is declared in %.*s only with %.*s, which the "
                  "package leaves off%s%.*s",
                  SL_ARG(name), SL_ARG(row.kind),
                  SL_ARG(is ? upgrade->to : upgrade->from), SL_ARG(row.option),
                  is ? "" : ", and not in ",
                  SL_ARG(is ? SL_LIT("") : upgrade->to));
    return sl_judge_tell(judge, spot->file, spot->use, SL_UPGRADE_ERROR,
                         "option-off", &message, SL_LIT(""));
}
