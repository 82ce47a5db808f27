#include "api/table.h"

#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "os/file.h"
#include "text/hash.h"

#define SUMS "SHA256SUMS"
#define HEX 64u
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

enum sl_status sl_table_read(struct sl_arena *arena, const char *root,
                             const char *path, size_t max,
                             struct sl_view *bytes_out, struct sl_error *error)
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

enum sl_status sl_table_save(struct sl_arena *arena, const char *path,
                             struct sl_view bytes, struct sl_error *error)
{
    struct sl_view sums, name = name_of(path);
    struct sl_buf out;
    struct sl_view folder = {path, strlen(path) - name.len};
    folder = sl_arena_copy(arena, folder.len ? folder : SL_LIT("."));
    if (!folder.ptr)
        return sl_error_nomem(error);
    const char *beside = sl_path_join(arena, folder.ptr, SL_LIT(SUMS));
    if (!beside)
        return sl_error_nomem(error);
    enum sl_status status = sl_file_write(path, bytes, error);
    if (!status)
        status = read_sums(arena, folder.ptr, SUMS, &sums, error);
    if (status || !sums.ptr)
        return status;
    sl_buf_init(&out, SL_MAX_SUMS * 2u);
    status = sl_table_sums(&out, sums, name, bytes, error);
    if (!status)
        status = sl_file_write(beside, sl_buf_view(&out), error);
    sl_buf_release(&out);
    return status;
}
