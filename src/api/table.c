#include "api/table.h"

#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "os/file.h"
#include "os/lock.h"
#include "text/hash.h"

#define SUMS "SHA256SUMS"
#define HEX 64u
#define WRITER_WAIT_MS 10000u
#define READER_WAIT_MS 200u
#define BETWEEN "  " /* of sha256sum's lines: a sum, two blanks, a name */

/* env.tsv of evidence/env.tsv: names are relative to the sums. */
static struct sl_view name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return sl_view_of(slash ? slash + 1 : path);
}

/* Whether the line is of that name. */
static bool is_of(struct sl_view line, struct sl_view name)
{
    return line.len > HEX + 2 &&
           sl_view_eq(sl_view_sub(line, HEX + 2, line.len), name);
}

/* The sums' text; ptr NULL when there are none. */
static enum sl_status read_sums(struct sl_arena *arena, const char *root,
                                const char *path, struct sl_view *sums_out,
                                struct sl_error *error)
{
    struct sl_error why = {SL_OK, ""};
    *sums_out = (struct sl_view){NULL, 0};
    enum sl_status status = sl_file_read_beneath(
        arena, root, sl_view_of(path), SL_MAX_SUMS, sums_out, &why);
    if (status == SL_ERR_NOTFOUND)
        return SL_OK;
    return status ? sl_error_set(error, status, "%s", why.message) : SL_OK;
}

static enum sl_status check(struct sl_view sums, const char *path,
                            struct sl_view bytes, struct sl_error *error)
{
    char hex[HEX + 1];
    struct sl_view line;
    enum sl_status status = sl_sha256_hex(bytes, hex, error);
    if (status)
        return status;
    while (sl_view_line(&sums, &line))
        if (is_of(line, name_of(path)))
            return sl_view_eq(sl_view_sub(line, 0, HEX), sl_view_of(hex))
                       ? SL_OK
                       : sl_error_set(
                             error, SL_ERR_SYNTAX,
                             "%s is not what " SL_TABLE_SUMS " says: it was "
                             "cut short or changed. Write it again "
                             "(`shmemlore index`) or, if that was meant, (cd "
                             "evidence && sha256sum *.tsv >SHA256SUMS)",
                             path);
    return sl_error_set(error, SL_ERR_SYNTAX,
                        "%s has no line in " SL_TABLE_SUMS ": (cd evidence && "
                        "sha256sum *.tsv >SHA256SUMS)",
                        path);
}

static enum sl_status read_once(struct sl_arena *arena, const char *root,
                                const char *path, size_t max,
                                struct sl_view *bytes_out,
                                struct sl_error *error)
{
    struct sl_view bytes, sums;
    enum sl_status status = sl_file_read_beneath(arena, root, sl_view_of(path),
                                                 max, &bytes, error);
    if (!status)
        status = read_sums(arena, root, SL_TABLE_SUMS, &sums, error);
    if (!status && sums.ptr)
        status = check(sums, path, bytes, error);
    if (!status)
        *bytes_out = bytes;
    return status;
}

enum sl_status sl_table_read(struct sl_arena *arena, const char *root,
                             const char *path, size_t max,
                             struct sl_view *bytes_out, struct sl_error *error)
{
    struct sl_file_lock lock;
    bool taken;
    enum sl_status status =
        read_once(arena, root, path, max, bytes_out, error);
    if (status != SL_ERR_SYNTAX)
        return status;
    /* somebody may be between the table and its sum: once more, after them */
    const char *folder = sl_path_join(arena, root, SL_LIT("evidence"));
    if (!folder)
        return sl_error_nomem(error);
    status = sl_folder_lock(&lock, folder, READER_WAIT_MS, &taken, error);
    if (status)
        return status;
    *error = (struct sl_error){SL_OK, ""};
    status = read_once(arena, root, path, max, bytes_out, error);
    sl_file_lock_release(&lock);
    return status;
}

enum sl_status sl_table_sums(struct sl_buf *out, struct sl_view sums,
                             struct sl_view name, struct sl_view bytes,
                             struct sl_error *error)
{
    char hex[HEX + 1];
    struct sl_view line;
    bool told = false;
    enum sl_status status = sl_sha256_hex(bytes, hex, error);
    while (!status && sl_view_line(&sums, &line)) {
        struct sl_view other = sl_view_sub(line, HEX + 2, line.len);
        if (!told && sl_view_cmp(name, other) <= 0) {
            sl_buf_printf(out, "%s" BETWEEN "%.*s\n", hex, SL_ARG(name));
            told = true;
        }
        if (!is_of(line, name))
            sl_buf_printf(out, "%.*s\n", SL_ARG(line));
    }
    if (!told)
        sl_buf_printf(out, "%s" BETWEEN "%.*s\n", hex, SL_ARG(name));
    return status ? status : sl_buf_check(out, error);
}

/* Sums that somebody keeps of other files are left alone. */
static bool are_ours(const char *folder, struct sl_view sums,
                     struct sl_view name)
{
    struct sl_view line;
    if (sl_view_eq(name_of(folder), SL_LIT("evidence")))
        return true;
    while (sl_view_line(&sums, &line))
        if (is_of(line, name))
            return true;
    return false;
}

/* The sums' text with a line for each of the files; *ours_out false: none of ours. */
static enum sl_status renew_sums(struct sl_arena *arena, const char *folder,
                                 const struct sl_file_new *files, size_t count,
                                 struct sl_view *sums_out, bool *ours_out,
                                 struct sl_error *error)
{
    struct sl_view sums;
    enum sl_status status = read_sums(arena, folder, SUMS, &sums, error);
    *ours_out = !status && sums.ptr &&
                are_ours(folder, sums, name_of(files[0].path));
    for (size_t i = 0; !status && *ours_out && i < count; i++) {
        struct sl_buf out;
        sl_buf_init(&out, SL_MAX_SUMS * 2u);
        status = sl_table_sums(&out, sums, name_of(files[i].path),
                               files[i].bytes, error);
        if (!status)
            sums = sl_arena_copy(arena, sl_buf_view(&out));
        sl_buf_release(&out);
        if (!status && !sums.ptr)
            status = sl_error_nomem(error);
    }
    *sums_out = sums;
    return status;
}

static enum sl_status save(struct sl_arena *arena, const char *folder,
                           const struct sl_file_new *files, size_t count,
                           struct sl_error *error)
{
    struct sl_file_new all[SL_MAX_TABLES_AT_ONCE + 1];
    struct sl_view sums;
    bool ours;
    enum sl_status status =
        renew_sums(arena, folder, files, count, &sums, &ours, error);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++)
        all[i] = files[i];
    if (ours) {
        const char *beside = sl_path_join(arena, folder, SL_LIT(SUMS));
        if (!beside)
            return sl_error_nomem(error);
        all[count++] = (struct sl_file_new){beside, sums};
    }
    return sl_files_write(all, count, error);
}

enum sl_status sl_tables_save(struct sl_arena *arena,
                              const struct sl_file_new *files, size_t count,
                              struct sl_error *error)
{
    struct sl_file_lock lock;
    const char *path = files[0].path;
    if (count == 1 && sl_path_is_stream(path))
        return sl_file_write(path, files[0].bytes, error);
    if (count > SL_MAX_TABLES_AT_ONCE)
        return sl_error_set(error, SL_ERR_LIMIT, "more than %u tables",
                            SL_MAX_TABLES_AT_ONCE);
    const char *slash = strrchr(path, '/');
    struct sl_view above = {path, slash ? (size_t)(slash - path) : 0};
    if (!above.len)
        above = slash ? SL_LIT("/") : SL_LIT(".");
    const char *folder = sl_arena_copy(arena, above).ptr;
    if (!folder)
        return sl_error_nomem(error);
    enum sl_status status =
        sl_folder_lock_write(&lock, folder, WRITER_WAIT_MS, error);
    if (!status)
        status = save(arena, folder, files, count, error);
    sl_file_lock_release(&lock);
    return status;
}

enum sl_status sl_table_save(struct sl_arena *arena, const char *path,
                             struct sl_view bytes, struct sl_error *error)
{
    struct sl_file_new file = {path, bytes};
    return sl_tables_save(arena, &file, 1, error);
}
