/* A folder of Markdown files into a knowledge base. */
#include "base/limits.h"
#include "kb/kb.h"
#include "os/file.h"

static enum sl_status load(struct sl_kb *kb, const char *root,
                           struct sl_error *error)
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
        struct sl_view bytes;
        status = sl_file_read_beneath(&kb->arena, root, paths[i],
                                      SL_MAX_MARKDOWN_FILE, &bytes, error);
        if (!status)
            status = sl_kb_add(kb, paths[i], bytes, error);
        if (status)
            return status;
    }
    return SL_OK;
}

enum sl_status sl_kb_load(struct sl_kb *kb, const char *root,
                          struct sl_error *error)
{
    return sl_arena_explain(&kb->arena, load(kb, root, error), error);
}
