#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
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

int sl_cli_text(const char *text)
{
    struct sl_buf out;
    sl_buf_init(&out, 1u << 16);
    sl_buf_puts(&out, text);
    return sl_cli_print(&out, SL_EXIT_FOUND);
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

int sl_cli_lookup(const char *command, int argc, char **argv,
                  struct sl_lookup *lookup_out)
{
    static const struct option table[] = {
        {"release", required_argument, NULL, 'r'},
        {"budget", required_argument, NULL, 'b'},
        {"kb", required_argument, NULL, 'k'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {"from-nccl", no_argument, NULL, 'n'},
        {NULL, 0, NULL, 0},
    };
    struct sl_lookup lookup = {.budget = SL_DEFAULT_BUDGET};
    unsigned long value;
    int c;
    while ((c = getopt_long(argc, argv, "b:h", table, NULL)) != -1) {
        switch (c) {
        case 'r':
            lookup.release = sl_view_of(optarg);
            break;
        case 'b':
            if (!sl_cli_number("--budget", optarg, SL_MIN_BUDGET,
                               SL_MAX_BUDGET, &value))
                return 1 + SL_EXIT_ERROR;
            lookup.budget = value;
            break;
        case 'k':
            lookup.folder = optarg;
            break;
        case 'j':
            lookup.json = true;
            break;
        case 'n':
            lookup.from_nccl = true;
            break;
        case 'h':
            return 1 + sl_cli_help(command);
        default:
            return 1 + sl_cli_option(command, argv[optind - 1]);
        }
    }
    *lookup_out = lookup;
    return 0;
}
