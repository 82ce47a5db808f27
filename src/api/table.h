/*
 * The tables of evidence as files. evidence/SHA256SUMS, as sha256sum(1) writes it, has
 * one line for each, so that a table that was cut short, or changed by hand, is noticed
 * by whoever reads it. A folder without that file is not checked.
 */
#ifndef SL_API_TABLE_H
#define SL_API_TABLE_H

#include "base/arena.h"
#include "base/status.h"
#include "os/file.h"

#define SL_TABLE_SUMS "evidence/SHA256SUMS"
#define SL_MAX_TABLES_AT_ONCE 4u

/*
 * ROOT/path, at most max bytes, checked. The bytes live in the arena. SL_ERR_NOTFOUND:
 * there is no such file; SL_ERR_SYNTAX: it is not what its sum says, nor is it after who
 * writes there now.
 */
SL_CHECKED enum sl_status sl_table_read(struct sl_arena *arena,
                                        const char *root, const char *path,
                                        size_t max, struct sl_view *bytes_out,
                                        struct sl_error *error);

/*
 * Writes files of one folder that belong together and, where sums of tables lie beside
 * them, their lines: all, or none when one cannot be written. Others who write tables
 * there are waited for. Sums that are of other files are left alone.
 */
SL_CHECKED enum sl_status sl_tables_save(struct sl_arena *arena,
                                         const struct sl_file_new *files,
                                         size_t count, struct sl_error *error);

/* The same for one; to a device or a FIFO it is only written. */
SL_CHECKED enum sl_status sl_table_save(struct sl_arena *arena,
                                        const char *path, struct sl_view bytes,
                                        struct sl_error *error);

#endif
