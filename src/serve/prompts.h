/* Prompts for the three usual jobs. */
#ifndef SL_SERVE_PROMPTS_H
#define SL_SERVE_PROMPTS_H

#include "base/status.h"
#include "base/view.h"

/* Whether there is a prompt of that name with that argument. */
SL_CHECKED enum sl_status sl_prompt_has(struct sl_view prompt,
                                        struct sl_view argument,
                                        bool *has_out, struct sl_error *error);

#endif
