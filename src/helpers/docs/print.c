/* What the helper's commands print with. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "helpers/docs/command.h"

void sl_docs_say(const char *message)
{
    char safe[sizeof((struct sl_error *)0)->message];
    size_t n = 0;
    for (; message[n] && n + 1 < sizeof safe; n++)
        safe[n] = message[n] == '\n' ? ' ' : message[n];
    safe[n] = '\0';
    sl_plain(safe, n);
    fprintf(stderr, "shmemlore docs: %s\n", safe);
}

bool sl_docs_flush(struct sl_buf *out)
{
    struct sl_error error = {SL_OK, ""};
    if (sl_buf_check(out, &error)) {
        sl_docs_say(error.message);
        return false;
    }
    size_t len = out->len;
    bool done = fwrite(out->ptr ? out->ptr : "", 1, len, stdout) == len &&
                fflush(stdout) == 0;
    if (!done && errno != EPIPE) /* a reader that has seen enough is no news */
        sl_docs_say("cannot write to standard output");
    sl_buf_truncate(out, 0);
    return done;
}
