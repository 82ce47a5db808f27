/* A folder of Markdown files into a knowledge base. */
#include "base/limits.h"
#include "base/utf8.h"
#include "kb/kb.h"
#include "os/file.h"

static bool is_printable(struct sl_view path)
{
    for (size_t i = 0; i < path.len; i++)
        if ((unsigned char)path.ptr[i] < 0x20 || path.ptr[i] == 0x7f)
            return false;
    return sl_utf8_invalid(path) == SIZE_MAX;
}

static enum sl_status load_page(struct sl_kb *kb, const char *root,
                                struct sl_view path, bool foreign,
                                struct sl_error *error)
{
    struct sl_view bytes;
    if (foreign && !is_printable(path))
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%.300s: a name with control characters",
                            path.ptr);
    enum sl_status status = sl_file_read_beneath(
        &kb->arena, root, path, SL_MAX_MARKDOWN_FILE, &bytes, error);
    return status ? status : sl_kb_add(kb, path, bytes, error);
}

/* Whether one page's fault leaves the rest as it is. */
static bool can_be_left(const struct sl_kb *kb, size_t sections,
                        enum sl_status status)
{
    return status != SL_ERR_NOMEM && kb->section_count == sections &&
           kb->file_count < SL_MAX_KB_FILES;
}

/* left: NULL where every page must be good. */
static enum sl_status load(struct sl_kb *kb, const char *root,
                           struct sl_kb_left *left, struct sl_error *error)
{
    struct sl_view kept = sl_arena_copy(&kb->arena, sl_view_of(root));
    if (!kept.ptr)
        return sl_error_nomem(error);
    kb->root = kept.ptr;
    struct sl_view *paths;
    size_t count;
    enum sl_status status = sl_folder_list(&kb->arena, root, ".md",
                                           SL_MAX_KB_FILES, &paths, &count,
                                           error);
    if (status)
        return status;
    if (count == 0)
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "no Markdown file (*.md) below %s", root);
    for (size_t i = 0; i < count; i++) {
        struct sl_error why = {SL_OK, ""};
        size_t sections = kb->section_count;
        status = load_page(kb, root, paths[i], left != NULL, &why);
        if (!status)
            continue;
        if (!left || !can_be_left(kb, sections, status))
            return sl_error_set(error, status, "%s", why.message);
        if (left->count++ == 0)
            left->first = why;
    }
    return SL_OK;
}

enum sl_status sl_kb_load(struct sl_kb *kb, const char *root,
                          struct sl_error *error)
{
    return sl_arena_explain(&kb->arena, load(kb, root, NULL, error), error);
}

enum sl_status sl_kb_load_foreign(struct sl_kb *kb, const char *root,
                                  struct sl_kb_left *left_out,
                                  struct sl_error *error)
{
    *left_out = (struct sl_kb_left){.count = 0};
    return sl_arena_explain(&kb->arena, load(kb, root, left_out, error),
                            error);
}
