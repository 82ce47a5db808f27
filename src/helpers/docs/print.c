#include <stdio.h>

#include "base/utf8.h"
#include "helpers/docs/command.h"

void sl_docs_say_of(const char *path, const char *message)
{
    struct sl_buf line;
    sl_buf_init(&line, 8192);
    sl_buf_puts(&line, "shmemlore docs: ");
    if (path)
        sl_buf_printf(&line, "%.1024s: ", path);
    sl_buf_puts(&line, message);
    if (line.ptr) {
        sl_plain(line.ptr, line.len);
        fprintf(stderr, "%s\n", line.ptr);
    }
    sl_buf_release(&line);
}

void sl_docs_say(const char *message)
{
    sl_docs_say_of(NULL, message);
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
    if (!done)
        sl_docs_say("cannot write to standard output");
    sl_buf_truncate(out, 0);
    return done;
}

int sl_docs_help(const char *text)
{
    struct sl_buf out;
    sl_buf_init(&out, 1u << 16);
    sl_buf_puts(&out, text);
    bool done = sl_docs_flush(&out);
    sl_buf_release(&out);
    return done ? SL_EXIT_DONE : SL_EXIT_ERROR;
}
