#include "serve/fit.h"

#include "base/limits.h"

size_t sl_tool_budget(const struct sl_json *arguments)
{
    int64_t budget = SL_DEFAULT_BUDGET;
    (void)sl_json_integer(sl_json_get(arguments, "budget"), &budget);
    return (size_t)budget;
}

bool sl_tool_cut(struct sl_buf *out, struct sl_view text, size_t room)
{
    if (text.len <= room) {
        sl_buf_add(out, text);
        return false;
    }
    struct sl_buf note;
    sl_buf_init(&note, 100);
    sl_buf_printf(&note, "[cut here: %zu bytes in all]\n", text.len);
    size_t end = room > note.len ? room - note.len : 0;
    while (end && text.ptr[end - 1] != '\n')
        end--;
    sl_buf_add(out, sl_view_sub(text, 0, end));
    sl_buf_add(out, sl_buf_view(&note));
    sl_buf_release(&note);
    return true;
}

void sl_tool_put_answer_text(struct sl_mcp_answer *answer)
{
    sl_buf_putc(&answer->structured, ',');
    sl_mcp_put_text(&answer->structured, "text", sl_buf_view(&answer->text));
}

void sl_tool_nothing(struct sl_mcp_answer *answer, const char *schema,
                     const char *members, const struct sl_error *why)
{
    sl_buf_truncate(&answer->text, 0);
    sl_buf_truncate(&answer->structured, 0);
    sl_buf_truncate(&answer->links, 0);
    sl_buf_puts(&answer->text, why->message);
    sl_buf_printf(&answer->structured, "{\"schema\":\"%s\",\"found\":false,%s",
                  schema, members);
    sl_tool_put_answer_text(answer);
    sl_buf_putc(&answer->structured, '}');
}
