/* A file or standard input, read block by block. */
#ifndef SL_OS_STREAM_H
#define SL_OS_STREAM_H

#include "base/status.h"
#include "base/view.h"

struct sl_stream {
    int fd; /* -1: none */
    const char *path; /* for messages; borrowed */
    uint64_t size; /* of a regular file; 0 for standard input */
};

/*
 * Opens a regular file, or standard input where path is NULL. Folders, devices
 * and FIFOs are refused (SL_ERR_REFUSED); as standard input anything goes.
 */
SL_CHECKED enum sl_status sl_stream_open(const char *path,
                                         struct sl_stream *stream_out,
                                         struct sl_error *error);

/* Fills as much of room as there is; *len_out less than room: the end. */
SL_CHECKED enum sl_status sl_stream_read(struct sl_stream *stream, char *into,
                                         size_t room, size_t *len_out,
                                         struct sl_error *error);

void sl_stream_close(struct sl_stream *stream); /* once or more often */

#endif
