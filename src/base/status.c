#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum sl_status sl_error_set(struct sl_error *error, enum sl_status status,
                            const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
        /* names of any bytes, cut where there was room, go out to JSON too */
        sl_plain(error->message, strlen(error->message));
        error->status = status;
    }
    return status;
}

enum sl_status sl_error_nomem(struct sl_error *error)
{
    return sl_error_set(error, SL_ERR_NOMEM, "out of memory");
}
