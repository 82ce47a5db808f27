/* What every check leans on: the loaded knowledge base, names and lines. */
#include "verify/checks.h"

#include "base/limits.h"
#include "os/file.h"

void sl_checks_init(struct sl_checks *checks, const char *root,
                    struct sl_report *report)
{
    *checks = (struct sl_checks){.root = root, .report = report};
    sl_arena_init(&checks->arena, SL_MAX_KB_ARENA);
    sl_kb_init(&checks->kb);
    sl_map_init(&checks->cite_index, &checks->arena);
}

void sl_checks_release(struct sl_checks *checks)
{
    sl_kb_release(&checks->kb);
    sl_arena_release(&checks->arena);
}

struct sl_view sl_checks_name(struct sl_checks *checks, size_t file)
{
    if (file == SIZE_MAX)
        return sl_view_of(SL_SKILL_FOLDER);
    const char *name = sl_path_join(&checks->arena, SL_SKILL_FOLDER,
                                    checks->kb.files[file].path);
    return name ? sl_view_of(name) : checks->kb.files[file].path;
}

unsigned sl_block_line(const struct sl_kb_file *file,
                       const struct sl_kb_block *block)
{
    return file->body_line + block->md->line - 1;
}

unsigned sl_ref_line(const struct sl_kb_file *file,
                     const struct sl_kb_block *block,
                     const struct sl_ref *ref)
{
    return sl_block_line(file, block) + ref->line;
}

enum sl_status sl_checks_load(struct sl_checks *checks, struct sl_error *error)
{
    char *folder = sl_path_join(&checks->arena, checks->root,
                                sl_view_of(SL_SKILL_FOLDER));
    if (!folder)
        return sl_error_nomem(error);
    bool there;
    enum sl_status status = sl_path_find_folder(folder, &there, error);
    if (status)
        return status;
    if (!there)
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "verify checks a checkout of the project, and %s "
                            "has no folder " SL_SKILL_FOLDER
                            ": name one with --root",
                            checks->root);
    return sl_kb_load(&checks->kb, folder, error);
}
