#include "answer/fit.h"

#include <stdarg.h>
#include <stdio.h>

/* Kept free for the closing line. */
#define RESERVE 64u

void sl_fit_init(struct sl_fit *fit, struct sl_buf *out, size_t budget)
{
    *fit = (struct sl_fit){.out = out, .begin = out->len, .budget = budget};
}

size_t sl_fit_room(const struct sl_fit *fit)
{
    size_t used = fit->out->len - fit->begin + RESERVE;
    return used < fit->budget ? fit->budget - used : 0;
}

bool sl_fit_add(struct sl_fit *fit, struct sl_view text)
{
    if (fit->left || text.len > sl_fit_room(fit)) {
        fit->left++;
        return false;
    }
    sl_buf_add(fit->out, text);
    return true;
}

bool sl_fit_line(struct sl_fit *fit, const char *format, ...)
{
    size_t room = sl_fit_room(fit);
    char line[4096];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (fit->left || n < 0 || (size_t)n >= sizeof line || (size_t)n > room) {
        fit->left++;
        return false;
    }
    sl_buf_add(fit->out, (struct sl_view){line, (size_t)n});
    return true;
}

void sl_fit_close(struct sl_fit *fit)
{
    if (fit->left)
        sl_buf_printf(fit->out,
                      "[%zu more lines; a larger budget shows more]\n",
                      fit->left);
}
