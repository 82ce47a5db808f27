/*
 * Status codes and error context of the whole program.
 *
 * Every function that can fail returns enum sl_status and takes a struct
 * sl_error * last; the function that first decides what went wrong fills it,
 * callers only pass it on. Library code never prints and never exits.
 */
#ifndef SL_BASE_STATUS_H
#define SL_BASE_STATUS_H

enum sl_status {
    SL_OK = 0,
    SL_ERR_NOMEM = -1,    /* an allocation failed; nothing was changed */
    SL_ERR_IO = -2,       /* the operating system refused */
    SL_ERR_LIMIT = -3,    /* a cap of base/limits.h was passed */
    SL_ERR_SYNTAX = -4,   /* foreign bytes are not of the expected form */
    SL_ERR_NOTFOUND = -5, /* what was asked for does not exist */
    SL_ERR_REFUSED = -6,  /* understood, and not allowed (paths that leave) */
    SL_ERR_USAGE = -7,    /* the caller's arguments do not fit */
    SL_ERR_INTERNAL = -8, /* a library broke its contract */
};

#define SL_CHECKED __attribute__((warn_unused_result))
#define SL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

struct sl_error {
    enum sl_status status;
    char message[1024]; /* what, where and what to do; never ends in a newline */
};

/* Fills *error (which may be NULL) and returns status, for `return`. */
SL_PRINTF(3, 4)
enum sl_status sl_error_set(struct sl_error *error, enum sl_status status,
                            const char *format, ...);

/* The message for an allocation that failed. */
enum sl_status sl_error_nomem(struct sl_error *error);

#endif
