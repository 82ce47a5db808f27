/* Links: relative ones resolve inside the skill, none is a vendor's page. */
#include <string.h>

#include "base/limits.h"
#include "os/file.h"
#include "verify/checks.h"

struct links {
    struct sl_checks *checks;
    struct sl_map files; /* path -> index in kb.files */
    size_t file;         /* the one being read */
    struct sl_view name;
    unsigned line;
};

static bool is_web(struct sl_view target)
{
    return sl_view_starts(target, "https://") ||
           sl_view_starts(target, "http://");
}

/* The host of an http(s) URL in lower case, cut to the buffer. */
static void host_of(struct sl_view url, char *host, size_t room)
{
    size_t i = sl_view_find(url, SL_LIT("://"), 0) + 3;
    size_t end = i;
    while (end < url.len && !strchr("/?#", url.ptr[end]))
        end++;
    for (size_t at = i; at < end; at++)
        if (url.ptr[at] == '@')
            i = at + 1;
    size_t n = 0;
    for (; i < end && n + 1 < room && url.ptr[i] != ':'; i++)
        host[n++] = sl_lower(url.ptr[i]);
    host[n] = '\0';
}

static void check_web(const struct links *l, struct sl_view url)
{
    char host[256];
    host_of(url, host, sizeof host);
    struct sl_view h = sl_view_of(host);
    if (sl_view_starts(h, "docs.nvidia.") ||
        sl_view_ends(h, ".docs.nvidia.com") ||
        sl_view_is(h, "developer.nvidia.com"))
        sl_report_fault(l->checks->report, l->name, l->line, "link-vendor", "",
                        "%s is the vendor's documentation, which is never "
                        "evidence",
                        host);
}

static void broken(const struct links *l, struct sl_view target,
                   const char *why)
{
    sl_report_fault(l->checks->report, l->name, l->line, "link-broken", "",
                    "link to '%.*s': %s",
                    SL_ARG(sl_view_sub(target, 0, 200)), why);
}

/* Whether the file has a section, or an alias of one, with that slug. */
static enum sl_status has_slug(const struct links *l, size_t file,
                               struct sl_view slug, bool *has_out,
                               struct sl_error *error)
{
    const struct sl_kb *kb = &l->checks->kb;
    struct sl_buf id;
    sl_buf_init(&id, SL_MAX_MARKDOWN_FILE);
    sl_buf_add(&id, kb->files[file].stem);
    sl_buf_putc(&id, '#');
    sl_buf_add(&id, slug);
    enum sl_status status = sl_buf_check(&id, error);
    if (!status) {
        const struct sl_section *section = sl_kb_find(kb, sl_buf_view(&id));
        *has_out = section && section->file == file;
    }
    sl_buf_release(&id);
    return status;
}

/* What is no Markdown file of the skill; a link leads out of it. */
static void check_on_disk(const struct links *l, struct sl_view target,
                          const char *path, bool anchor)
{
    enum sl_path_kind kind =
        *path ? sl_path_kind_beneath(l->checks->kb.root, sl_view_of(path))
              : SL_PATH_FOLDER; /* the skill's own */
    if (kind == SL_PATH_NONE)
        broken(l, target, "there is no such file");
    else if (kind == SL_PATH_LINK)
        broken(l, target, "it goes through a symbolic link");
    else if (anchor)
        broken(l, target, "an anchor in what is no Markdown file");
}

static enum sl_status check_relative(struct links *l, struct sl_view target,
                                     struct sl_error *error)
{
    const char *hash = memchr(target.ptr, '#', target.len);
    size_t n = hash ? (size_t)(hash - target.ptr) : target.len;
    struct sl_view path = sl_view_sub(target, 0, n);
    size_t file = l->file;
    if (path.len) {
        struct sl_view own = l->checks->kb.files[l->file].path;
        char resolved[SL_MAX_PATH + 1];
        if (!sl_path_resolve(own, path, resolved)) {
            broken(l, target, "it leaves the skill's folder");
            return SL_OK;
        }
        const size_t *index = sl_map_get(&l->files, sl_view_of(resolved));
        if (!index) {
            check_on_disk(l, target, resolved, hash != NULL);
            return SL_OK;
        }
        file = *index;
    }
    if (!hash)
        return SL_OK;
    bool has = false;
    enum sl_status status = has_slug(
        l, file, sl_view_sub(target, n + 1, target.len), &has, error);
    if (!status && !has)
        broken(l, target, "no heading there has that slug");
    return status;
}

static enum sl_status check_target(struct links *l, struct sl_view target,
                                   struct sl_error *error)
{
    if (!target.len) {
        broken(l, target, "it has no target");
    } else if (is_web(target)) {
        check_web(l, target);
    } else if (memchr(target.ptr, ':', target.len)) {
        broken(l, target, "neither relative nor https");
    } else {
        return check_relative(l, target, error);
    }
    return SL_OK;
}

/* "](" that the reader of references could not take for a link. */
static void check_form(const struct links *l, const struct sl_kb_block *block)
{
    const struct sl_ref *refs = l->checks->kb.refs.items;
    size_t ref = block->first_ref;
    size_t last = block->first_ref + block->ref_count;
    size_t at = sl_view_find(block->text, SL_LIT("]("), 0);
    for (; at != SIZE_MAX;
         at = sl_view_find(block->text, SL_LIT("]("), at + 1)) {
        while (ref < last && refs[ref].end <= at)
            ref++;
        if (ref == last || refs[ref].begin > at) {
            sl_report_fault(l->checks->report, l->name, l->line, "link-form",
                            "", "a link that is not of the form "
                            "[text](target)");
            return;
        }
    }
}

/* `[label]: target` at the start of a line: its target is never looked at. */
static void check_definitions(const struct links *l,
                              const struct sl_kb_block *block)
{
    struct sl_view rest = block->text;
    struct sl_view row;
    for (unsigned line = 0; sl_view_line(&rest, &row); line++) {
        if (line == 0)
            row = sl_item_text(row);
        while (row.len && (sl_is_space(row.ptr[0]) || row.ptr[0] == '>'))
            row = sl_view_sub(row, 1, row.len);
        size_t close = sl_view_find(row, SL_LIT("]"), 0);
        if (close != SIZE_MAX && row.ptr[0] == '[' && close + 1 < row.len &&
            row.ptr[close + 1] == ':')
            sl_report_fault(l->checks->report, l->name, l->line + line,
                            "link-form", "", "a reference definition: write "
                            "the link as [text](target) where it stands");
    }
}

static enum sl_status check_block(struct links *l,
                                  const struct sl_kb_block *block,
                                  struct sl_error *error)
{
    const struct sl_kb *kb = &l->checks->kb;
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < block->ref_count; i++) {
        const struct sl_ref *ref = &kb->refs.items[block->first_ref + i];
        if (ref->kind != SL_REF_LINK && ref->kind != SL_REF_URL)
            continue;
        l->line = sl_ref_line(&kb->files[l->file], block, ref);
        if (ref->kind == SL_REF_URL)
            check_web(l, ref->text);
        else
            status = check_target(l, ref->text, error);
    }
    if (block->md->kind != SL_MD_CODE) {
        l->line = sl_block_line(&kb->files[l->file], block);
        check_form(l, block);
        check_definitions(l, block);
    }
    return status;
}

static enum sl_status check_headings(struct links *l, size_t file,
                                     struct sl_error *error)
{
    const struct sl_kb *kb = &l->checks->kb;
    const struct sl_kb_file *f = &kb->files[file];
    enum sl_status status = SL_OK;
    l->file = file;
    l->name = sl_checks_name(l->checks, file);
    for (size_t i = 0; !status && i < f->heading_count; i++)
        status = check_block(l, &kb->headings[f->first_heading + i], error);
    return status;
}

enum sl_status sl_checks_links(struct sl_checks *checks,
                               struct sl_error *error)
{
    const struct sl_kb *kb = &checks->kb;
    struct links l = {.checks = checks};
    sl_map_init(&l.files, &checks->arena);
    for (size_t i = 0; i < kb->file_count; i++)
        if (!sl_map_put(&l.files, kb->files[i].path, i, NULL))
            return sl_error_nomem(error);
    for (size_t i = 0; i < kb->file_count; i++) {
        enum sl_status status = check_headings(&l, i, error);
        if (status)
            return status;
    }
    for (size_t i = 0; i < kb->section_count; i++) {
        const struct sl_section *section = &kb->sections[i];
        if (i == 0 || section->file != l.file)
            l.name = sl_checks_name(checks, section->file);
        l.file = section->file;
        for (size_t b = 0; b < section->block_count; b++) {
            enum sl_status status = check_block(
                &l, &kb->blocks[section->first_block + b], error);
            if (status)
                return status;
        }
    }
    return SL_OK;
}
