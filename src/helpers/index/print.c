#include <stdio.h>

#include "helpers/index/command.h"

void sl_index_say(const char *message)
{
    char safe[sizeof((struct sl_error *)0)->message];
    size_t n = 0;
    for (; message[n] && n + 1 < sizeof safe; n++) {
        unsigned char c = (unsigned char)message[n];
        safe[n] = (char)(c < 0x20 || c == 0x7f ? '?' : c);
    }
    safe[n] = '\0';
    fprintf(stderr, "shmemlore index: %s\n", safe);
}

bool sl_index_flush(struct sl_buf *out)
{
    struct sl_error error = {SL_OK, ""};
    if (sl_buf_check(out, &error)) {
        sl_index_say(error.message);
        return false;
    }
    size_t len = out->len;
    bool done = fwrite(out->ptr ? out->ptr : "", 1, len, stdout) == len &&
                fflush(stdout) == 0;
    if (!done)
        sl_index_say("cannot write to standard output");
    sl_buf_truncate(out, 0);
    return done;
}
