/* One Markdown file into front matter, sections, blocks and references. */
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "kb/generated.h"
#include "kb/kb.h"
#include "text/slug.h"

/* `a/b/NAME.md` is NAME; an INDEX.md has its folder's name in front. */
static struct sl_view stem_of(struct sl_arena *arena, struct sl_view path)
{
    size_t slash = path.len;
    while (slash && path.ptr[slash - 1] != '/')
        slash--;
    struct sl_view name = sl_view_sub(path, slash, path.len);
    if (sl_view_ends(name, ".md"))
        name.len -= 3;
    if (!sl_view_is(name, "INDEX") || slash < 2)
        return name;
    size_t folder = slash - 1;
    while (folder && path.ptr[folder - 1] != '/')
        folder--;
    struct sl_view stem = sl_arena_copy(
        arena, sl_view_sub(path, folder, slash + strlen("INDEX")));
    if (stem.ptr)
        ((char *)stem.ptr)[slash - 1 - folder] = '-';
    return stem;
}

/* The generated spans of a text whose blocks are read in order. */
struct spans {
    struct sl_view text;
    struct sl_generated next; /* at or behind what is read */
    bool more;                /* there is one */
};

struct parse {
    struct sl_kb *kb;
    struct sl_kb_file *file; /* the one being read */
    size_t index;            /* its index */
    struct sl_view body;
    struct spans spans; /* of the body */
    struct sl_error *error;
};

static enum sl_status check_bytes(struct parse *p)
{
    struct sl_view bytes = p->file->bytes;
    size_t bad = sl_utf8_invalid(bytes);
    const char *nul = memchr(bytes.ptr, '\0', bytes.len);
    enum sl_status status = SL_OK;
    if (bad != SIZE_MAX)
        status = sl_kb_problem(p->kb, p->index,
                               sl_kb_line(p->file, bytes.ptr + bad),
                               "not UTF-8 at byte %zu", p->error, bad);
    if (!status && nul)
        status = sl_kb_problem(p->kb, p->index, sl_kb_line(p->file, nul),
                               "a NUL byte at byte %zu", p->error,
                               (size_t)(nul - bytes.ptr));
    return status;
}

static enum sl_status read_front(struct parse *p)
{
    struct sl_view front;
    size_t body = sl_md_front_end(p->file->bytes, &front);
    p->file->body = (uint32_t)body;
    p->file->body_line = sl_kb_line(p->file, p->file->bytes.ptr + body);
    p->body = sl_view_sub(p->file->bytes, body, p->file->bytes.len);
    if (!front.ptr)
        return SL_OK;
    if (front.len > SL_MAX_FRONT_MATTER)
        return sl_kb_problem(p->kb, p->index, 1,
                             "front matter of %zu bytes; the limit is %u",
                             p->error, front.len, SL_MAX_FRONT_MATTER);
    struct sl_error bad = {SL_OK, ""};
    enum sl_status status =
        sl_yaml_parse(&p->kb->arena, front, &p->file->front, &bad);
    if (status == SL_ERR_SYNTAX || status == SL_ERR_LIMIT) {
        unsigned line = 0; /* "line N: what" counts from below the first --- */
        size_t i = 5;
        while (i < sizeof bad.message && sl_is_digit(bad.message[i]))
            line = line * 10 + (unsigned)(bad.message[i++] - '0');
        return sl_kb_problem(p->kb, p->index, line + 1,
                             "front matter is not usable: %s", p->error,
                             bad.message);
    }
    if (status)
        *p->error = bad;
    return status;
}

/* Heading text -> slug in the arena, made unique within the file. */
static struct sl_view slug_of(struct parse *p, struct sl_view title)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_MARKDOWN_FILE * 4);
    /* [text](target) is named after its text alone */
    size_t at = 0;
    while (at < title.len) {
        size_t link = sl_view_find(title, SL_LIT("]("), at);
        size_t close = link == SIZE_MAX
                           ? SIZE_MAX
                           : sl_view_find(title, SL_LIT(")"), link);
        if (close == SIZE_MAX)
            link = title.len;
        sl_slug(&buf, sl_view_sub(title, at, link));
        at = close == SIZE_MAX ? title.len : close + 1;
    }
    struct sl_view slug = {NULL, 0};
    if (!buf.failed)
        slug = sl_arena_copy(&p->kb->arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return slug;
}

static struct sl_view id_of(struct parse *p, struct sl_view slug, size_t n)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_MARKDOWN_FILE * 5);
    sl_buf_add(&buf, p->file->stem);
    sl_buf_putc(&buf, '#');
    sl_buf_add(&buf, slug);
    if (n)
        sl_buf_printf(&buf, "-%zu", n);
    struct sl_view id = {NULL, 0};
    if (!buf.failed)
        id = sl_arena_copy(&p->kb->arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    return id;
}

static enum sl_status doubled(struct parse *p, const struct sl_section *section,
                              const struct sl_section *other)
{
    return sl_kb_problem(
        p->kb, p->index, section->line,
        "the id %.*s stands already in %.*s:%u; reword the heading", p->error,
        SL_ARG(sl_view_sub(section->id, 0, 120)),
        SL_ARG(p->kb->files[other->file].path), other->line);
}

/*
 * Gives the section an id that nothing else has, as GitHub would: the first
 * of ID, ID-1, ID-2, … that is free. p->kb->next has where to go on counting.
 */
static enum sl_status name_section(struct parse *p, struct sl_section *section,
                                   size_t index)
{
    struct sl_kb *kb = p->kb;
    struct sl_view slug = slug_of(p, section->title);
    if (!slug.ptr)
        return sl_error_nomem(p->error);
    size_t *next = NULL;
    for (size_t n = 0;; n = ++*next) {
        section->id = id_of(p, slug, n);
        if (!section->id.ptr)
            return sl_error_nomem(p->error);
        bool added;
        size_t *value = sl_map_put(&kb->ids, section->id, index, &added);
        if (!value)
            return sl_error_nomem(p->error);
        section->slug = sl_view_sub(section->id, p->file->stem.len + 1,
                                    section->id.len);
        if (added)
            return SL_OK;
        if (next)
            continue;
        enum sl_status status =
            doubled(p, section, &kb->sections[*value]);
        next = status ? NULL : sl_map_put(&kb->next, section->id, 0, NULL);
        if (!next)
            return status ? status : sl_error_nomem(p->error);
    }
}

/* The nearest section above that is of a higher level, or SIZE_MAX. */
static size_t parent_of(const struct sl_kb *kb, size_t first, size_t index)
{
    size_t above = index > first ? index - 1 : SIZE_MAX;
    while (above != SIZE_MAX &&
           kb->sections[above].level >= kb->sections[index].level)
        above = kb->sections[above].parent;
    return above;
}

static enum sl_status add_section(struct parse *p,
                                  const struct sl_md_block *heading)
{
    struct sl_kb *kb = p->kb;
    if (kb->section_count >= SL_MAX_SECTIONS)
        return sl_error_set(p->error, SL_ERR_LIMIT, "more than %u sections",
                            SL_MAX_SECTIONS);
    kb->sections = sl_arena_grow(&kb->arena, kb->sections,
                                 sizeof *kb->sections, kb->section_count,
                                 &kb->section_cap);
    if (!kb->sections)
        return sl_error_nomem(p->error);
    size_t index = kb->section_count;
    struct sl_section *section = &kb->sections[index];
    *section = (struct sl_section){
        .title = sl_md_heading_text(
            sl_view_sub(p->body, heading->begin, heading->end)),
        .level = heading->level,
        .line = p->file->body_line + heading->line - 1,
        .file = p->index,
        .first_block = kb->block_count,
        .asks = SL_LIT(""),
    };
    section->own.ptr = p->body.ptr + heading->begin;
    section->parent = parent_of(kb, p->file->first_section, index);
    kb->section_count++;
    p->file->section_count++;
    return name_section(p, section, index);
}

static void begin_spans(struct spans *spans, struct sl_view text)
{
    *spans = (struct spans){.text = text};
    spans->more = sl_generated_next(text, 0, &spans->next);
}

static bool is_generated(struct spans *spans, size_t at)
{
    while (spans->more && at >= spans->next.after)
        spans->more = sl_generated_next(spans->text, spans->next.after,
                                        &spans->next);
    return spans->more && at >= spans->next.open;
}

/* Drops the references after first that are no links. */
static void keep_links(struct sl_refs *refs, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < refs->count; i++)
        if (refs->items[i].kind == SL_REF_LINK)
            refs->items[kept++] = refs->items[i];
    refs->count = kept;
}

/* The blocks that references are read from. */
static bool has_refs(const struct sl_md_block *md)
{
    return md->kind == SL_MD_PARAGRAPH || md->kind == SL_MD_ROW;
}

static enum sl_status add_block(struct parse *p, const struct sl_md_block *md,
                                uint32_t md_index)
{
    struct sl_kb *kb = p->kb;
    kb->blocks = sl_arena_grow(&kb->arena, kb->blocks, sizeof *kb->blocks,
                               kb->block_count, &kb->block_cap);
    if (!kb->blocks)
        return sl_error_nomem(p->error);
    struct sl_kb_block *block = &kb->blocks[kb->block_count++];
    *block = (struct sl_kb_block){
        .md = md,
        .md_index = md_index,
        .text = sl_view_sub(p->body, md->begin, md->end),
        .first_ref = kb->refs.count,
        .generated = is_generated(&p->spans, md->begin),
    };
    kb->sections[kb->section_count - 1].block_count++;
    if (!has_refs(md))
        return SL_OK;
    enum sl_status status =
        sl_refs_scan(&kb->arena, block->text, &kb->refs, p->error);
    if (block->generated)
        keep_links(&kb->refs, block->first_ref);
    block->ref_count = kb->refs.count - block->first_ref;
    return status;
}

/* Headings hold no evidence; their references are kept for the checks. */
static enum sl_status add_heading(struct parse *p, const struct sl_md_block *md,
                                  uint32_t md_index)
{
    struct sl_kb *kb = p->kb;
    kb->headings = sl_arena_grow(&kb->arena, kb->headings,
                                 sizeof *kb->headings, kb->heading_count,
                                 &kb->heading_cap);
    if (!kb->headings)
        return sl_error_nomem(p->error);
    struct sl_kb_block *heading = &kb->headings[kb->heading_count++];
    *heading = (struct sl_kb_block){
        .md = md,
        .md_index = md_index,
        .text = sl_view_sub(p->body, md->begin, md->end),
        .first_ref = kb->refs.count,
    };
    p->file->heading_count++;
    enum sl_status status =
        sl_refs_scan(&kb->arena, heading->text, &kb->refs, p->error);
    heading->ref_count = kb->refs.count - heading->first_ref;
    return status;
}

enum sl_status sl_kb_refs_of(struct sl_arena *arena, struct sl_view text,
                             struct sl_refs *refs, struct sl_error *error)
{
    struct sl_md_doc doc;
    struct spans spans;
    enum sl_status status = sl_md_parse(arena, text, &doc, error);
    begin_spans(&spans, text);
    for (size_t i = 0; !status && i < doc.count; i++) {
        const struct sl_md_block *block = &doc.blocks[i];
        size_t first = refs->count;
        if (!has_refs(block))
            continue;
        status = sl_refs_scan(
            arena, sl_view_sub(text, block->begin, block->end), refs, error);
        if (is_generated(&spans, block->begin))
            keep_links(refs, first);
    }
    return status;
}

static enum sl_status read_blocks(struct parse *p)
{
    const struct sl_md_doc *doc = &p->file->doc;
    begin_spans(&p->spans, p->body);
    bool early = false; /* text before the first heading was reported */
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct sl_md_block *md = &doc->blocks[i];
        enum sl_status status = SL_OK;
        if (md->kind == SL_MD_HEADING) {
            if (md->parent == SL_MD_NONE)
                status = add_section(p, md);
            if (!status)
                status = add_heading(p, md, i);
        } else if (has_refs(md) || md->kind == SL_MD_CODE) {
            if (p->file->section_count) {
                status = add_block(p, md, i);
            } else if (!early) {
                early = true;
                status = sl_kb_problem(p->kb, p->index,
                                       p->file->body_line + md->line - 1,
                                       "text before the first heading belongs "
                                       "to no section",
                                       p->error);
            }
        }
        if (status)
            return status;
    }
    return SL_OK;
}

/* Where each section's own text and subtree end. */
static void close_sections(struct parse *p)
{
    size_t count = p->file->section_count;
    if (!count)
        return;
    struct sl_section *first = &p->kb->sections[p->file->first_section];
    const char *end = p->body.ptr + p->body.len;
    for (size_t i = 0; i < count; i++) {
        struct sl_section *section = &first[i];
        const char *begin = section->own.ptr;
        const char *own = i + 1 < count ? first[i + 1].own.ptr : end;
        const char *whole = end;
        for (size_t j = i + 1; j < count; j++)
            if (first[j].level <= section->level) {
                whole = first[j].own.ptr;
                break;
            }
        section->own = (struct sl_view){begin, (size_t)(own - begin)};
        section->whole = (struct sl_view){begin, (size_t)(whole - begin)};
    }
}

/* The file's section with that slug, or NULL; false: no memory. */
static bool by_slug(struct parse *p, struct sl_view slug,
                    struct sl_section **section_out)
{
    struct sl_view id = id_of(p, slug, 0);
    const size_t *index = id.ptr ? sl_map_get(&p->kb->ids, id) : NULL;
    struct sl_section *section = index ? &p->kb->sections[*index] : NULL;
    *section_out = section && section->file == p->index ? section : NULL;
    return id.ptr != NULL;
}

static enum sl_status set_asks(struct parse *p, struct sl_section *section,
                               const struct sl_yaml *list)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_FRONT_MATTER);
    for (const struct sl_yaml *c = list->child; c; c = c->next)
        if (c->kind == SL_YAML_TEXT) {
            sl_buf_add(&buf, c->text);
            sl_buf_putc(&buf, '\n');
        }
    enum sl_status status = sl_buf_check(&buf, p->error);
    if (!status) {
        section->asks = sl_arena_copy(&p->kb->arena, sl_buf_view(&buf));
        if (!section->asks.ptr)
            status = sl_error_nomem(p->error);
    }
    sl_buf_release(&buf);
    return status;
}

static enum sl_status read_asks(struct parse *p)
{
    const struct sl_yaml *asks = sl_yaml_get(p->file->front, "asks");
    if (!asks || !p->file->section_count)
        return SL_OK;
    if (asks->kind == SL_YAML_LIST)
        return set_asks(p, &p->kb->sections[p->file->first_section], asks);
    for (const struct sl_yaml *c = asks->child; c; c = c->next) {
        struct sl_section *section;
        enum sl_status status;
        if (!by_slug(p, c->key, &section))
            status = sl_error_nomem(p->error);
        else if (!section || c->kind != SL_YAML_LIST)
            status = sl_kb_problem(
                p->kb, p->index, c->line + 1,
                section ? "asks: '%.*s' is not a list of questions"
                        : "asks: no section here has the slug '%.*s'",
                p->error, SL_ARG(sl_view_sub(c->key, 0, 120)));
        else
            status = set_asks(p, section, c);
        if (status)
            return status;
    }
    return SL_OK;
}

static enum sl_status read_aliases(struct parse *p)
{
    const struct sl_yaml *aliases = sl_yaml_get(p->file->front, "aliases");
    if (!aliases)
        return SL_OK;
    for (const struct sl_yaml *c = aliases->child; c; c = c->next) {
        struct sl_section *section;
        struct sl_view id = id_of(p, c->key, 0);
        if (!id.ptr || !by_slug(p, c->text, &section))
            return sl_error_nomem(p->error);
        enum sl_status status = SL_OK;
        if (!section)
            status = sl_kb_problem(p->kb, p->index, c->line + 1,
                                   "aliases: no section here has the slug "
                                   "'%.*s'",
                                   p->error,
                                   SL_ARG(sl_view_sub(c->text, 0, 120)));
        else if (!sl_map_put(&p->kb->aliases, id,
                             (size_t)(section - p->kb->sections), NULL))
            status = sl_error_nomem(p->error);
        if (status)
            return status;
    }
    return SL_OK;
}

static enum sl_status add_file(struct sl_kb *kb, struct sl_view path,
                               struct sl_view bytes, struct sl_error *error)
{
    if (kb->file_count >= SL_MAX_KB_FILES ||
        bytes.len > SL_MAX_KB_BYTES - kb->bytes)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "more than %u files or %u bytes", SL_MAX_KB_FILES,
                            SL_MAX_KB_BYTES);
    kb->files = sl_arena_grow(&kb->arena, kb->files, sizeof *kb->files,
                              kb->file_count, &kb->file_cap);
    struct sl_view name = sl_arena_copy(&kb->arena, path);
    struct sl_view copy = sl_arena_copy(&kb->arena, bytes);
    struct sl_view stem = stem_of(&kb->arena, name);
    if (!kb->files || !name.ptr || !copy.ptr || !stem.ptr)
        return sl_error_nomem(error);
    kb->bytes += bytes.len;
    kb->files[kb->file_count++] = (struct sl_kb_file){
        .path = name,
        .bytes = copy,
        .stem = stem,
        .first_section = kb->section_count,
        .first_heading = kb->heading_count,
    };
    return SL_OK;
}

enum sl_status sl_kb_add(struct sl_kb *kb, struct sl_view path,
                         struct sl_view bytes, struct sl_error *error)
{
    struct sl_error why = {SL_OK, ""};
    struct parse p = {.kb = kb, .error = &why};
    enum sl_status status = add_file(kb, path, bytes, &why);
    if (!status) {
        p.index = kb->file_count - 1;
        p.file = &kb->files[p.index];
        status = check_bytes(&p);
    }
    if (!status)
        status = read_front(&p);
    if (!status)
        status = sl_md_parse(&kb->arena, p.body, &p.file->doc, &why);
    if (!status)
        status = read_blocks(&p);
    if (!status) {
        close_sections(&p);
        status = read_asks(&p);
    }
    if (!status)
        status = read_aliases(&p);
    status = sl_arena_explain(&kb->arena, status, &why);
    if (status)
        return sl_error_set(error, status, "%.*s: %.400s", SL_ARG(path),
                            why.message);
    return SL_OK;
}
