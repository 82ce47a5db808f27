#include "skill/guide.h"

#include "markdown/doc.h"
#include "markdown/yaml.h"
#include "skill/block.h"

#define REFERENCES "references/"

static const char head[] =
    SL_SKILL_BLOCK_BEGIN "\n"
    "## NVSHMEM: look it up, do not recall it\n"
    "\n"
    "The skill in `%s` holds what is easily got wrong about NVSHMEM, DeepEP "
    "and UltraEP; each claim names the source line, the run, the thread or "
    "the OpenSHMEM routine that shows it; (advice) marks what proves nothing. "
    "Read it before you write or review code with `nvshmem_*` or "
    "`nvshmemx_*`, set `NVSHMEM_*`, or explain a hang, wrong data or an error "
    "text.\n"
    "\n"
    "- With the program: `shmemlore ask \"QUESTION OR ERROR TEXT\"`, "
    "`shmemlore symbol NAME`, `shmemlore env NAME`, "
    "`shmemlore upgrade OLD NEW DIR`.\n"
    "- Without: `grep -rn NAME %s/references`, or open one file of these:\n"
    "\n";

/* At most max bytes of a summary, cut between words. */
static void put_summary(struct sl_buf *out, struct sl_view text, size_t max)
{
    if (!text.len || !max)
        return;
    size_t end = text.len;
    if (end > max)
        for (end = max; end && text.ptr[end] != ' ';)
            end--;
    if (end)
        sl_buf_printf(out, ": %.*s%s", (int)end, text.ptr,
                      end < text.len ? " …" : "");
}

static enum sl_status summary_of(struct sl_arena *arena,
                                 const struct sl_skill_part *part,
                                 struct sl_view *summary_out,
                                 struct sl_error *error)
{
    struct sl_view front;
    const struct sl_yaml *root;
    *summary_out = (struct sl_view){NULL, 0};
    (void)sl_md_front_end(part->bytes, &front);
    enum sl_status status = sl_yaml_parse(arena, front, &root, error);
    if (!status)
        *summary_out = sl_yaml_text(root, "summary");
    return status;
}

static bool is_listed(const struct sl_skill_part *part)
{
    return sl_view_starts(part->path, REFERENCES) &&
           sl_view_ends(part->path, ".md");
}

static void put_block(struct sl_buf *out, const struct sl_skill_part *parts,
                      const struct sl_view *summaries, size_t count,
                      const char *folder, size_t longest)
{
    sl_buf_printf(out, head, folder, folder);
    for (size_t i = 0; i < count; i++) {
        if (!is_listed(&parts[i]))
            continue;
        sl_buf_printf(out, "- %.*s", SL_ARG(parts[i].path));
        put_summary(out, summaries[i], longest);
        sl_buf_putc(out, '\n');
    }
    sl_buf_puts(out, SL_SKILL_BLOCK_END);
}

enum sl_status sl_skill_guide(struct sl_arena *arena,
                              const struct sl_skill_part *parts, size_t count,
                              const char *folder, struct sl_buf *out,
                              struct sl_error *error)
{
    static const size_t lengths[] = {400, 200, 160, 120, 80, 40, 0};
    enum sl_status status = SL_OK;
    struct sl_view *summaries =
        sl_arena_alloc(arena, (count + 1) * sizeof *summaries);
    if (!summaries)
        return sl_error_nomem(error);
    for (size_t i = 0; i < count && !status; i++)
        if (is_listed(&parts[i]))
            status = summary_of(arena, &parts[i], &summaries[i], error);
    if (status)
        return status;
    size_t before = out->len;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        sl_buf_truncate(out, before);
        put_block(out, parts, summaries, count, folder, lengths[i]);
        status = sl_buf_check(out, error);
        if (status || out->len - before <= SL_MAX_SKILL_GUIDE)
            return status;
    }
    return sl_error_set(error, SL_ERR_LIMIT,
                        "the index block has more than %u bytes",
                        SL_MAX_SKILL_GUIDE);
}
