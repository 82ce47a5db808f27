#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

/* One line on stderr, whatever the text holds. */
static void say(char *message, size_t len)
{
    sl_plain(message, len);
    for (size_t i = 0; i < len; i++)
        if (message[i] == '\n')
            message[i] = ' ';
    fprintf(stderr, "shmemlore: %s\n", message);
}

int sl_cli_fail(const struct sl_error *error)
{
    struct sl_error copy = *error;
    say(copy.message, strlen(copy.message));
    return error->status == SL_ERR_NOTFOUND ? SL_EXIT_NOTHING : SL_EXIT_ERROR;
}

int sl_cli_usage(const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    say(message, strlen(message));
    return SL_EXIT_ERROR;
}

int sl_cli_option(const char *command, const char *argument)
{
    return sl_cli_usage("%s: '%s' is no option, or lacks its value; "
                        "`shmemlore %s --help` lists them",
                        command, argument, command);
}

int sl_cli_print(struct sl_buf *out, int status)
{
    struct sl_error error = {SL_OK, ""};
    if (sl_buf_check(out, &error)) {
        sl_buf_release(out);
        return sl_cli_fail(&error);
    }
    sl_plain(out->ptr, out->len);
    size_t done = 0;
    while (done < out->len) {
        ssize_t n = write(STDOUT_FILENO, out->ptr + done, out->len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            status = sl_cli_usage("cannot write the output: %s",
                                  strerror(errno));
            break;
        }
        done += (size_t)n;
    }
    sl_buf_release(out);
    return status;
}

bool sl_cli_number(const char *option, const char *text, unsigned long min,
                   unsigned long max, unsigned long *value_out)
{
    uint64_t value;
    if (!sl_view_number(sl_view_of(text), max, &value) || value < min) {
        (void)sl_cli_usage("%s takes a number from %lu to %lu, not '%s'",
                           option, min, max, text);
        return false;
    }
    *value_out = (unsigned long)value;
    return true;
}
