/*
 * Answers within a budget of bytes. It bounds the text; the structured form has the same
 * text in it, for clients that show nothing else, and little more.
 */
#ifndef SL_SERVE_FIT_H
#define SL_SERVE_FIT_H

#include "serve/serve.h"

/* The argument `budget`, or the default. */
size_t sl_tool_budget(const struct sl_json *arguments);

/*
 * Appends text, or its first whole lines with a line that says how much is missing, in
 * at most room bytes. True: it was cut.
 */
bool sl_tool_cut(struct sl_buf *out, struct sl_view text, size_t room);

/* Nothing is called so, or nothing answers: the reason is the text. */
void sl_tool_nothing(struct sl_mcp_answer *answer, const char *schema,
                     const char *members, const struct sl_error *why);

/* ,"text":"..." of what answer->text holds. */
void sl_tool_put_answer_text(struct sl_mcp_answer *answer);

#endif
