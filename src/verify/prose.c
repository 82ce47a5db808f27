/*
 * The rules for blocks: evidence or advice, the words for its kinds, owner
 * marks, nothing escaped, names in backticks; and those for sections.
 *
 * What one block holds is gathered first, under the Markdown block that owns
 * it: a list item owns its paragraphs, everything else owns itself. Then the
 * rules are asked in order of the text, because a list can cover the paragraph
 * in front of it.
 */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "kb/generated.h"
#include "verify/checks.h"

enum { OBSERVED = 1, REPORTED = 2, SPECIFIED = 4 };

static const struct {
    unsigned bit;
    const char *word;
    const char *what;
} kinds[] = {
    {OBSERVED, "observed", "a run"},
    {REPORTED, "reported", "a public thread"},
    {SPECIFIED, "specified", "OpenSHMEM"},
};
#define KINDS (sizeof kinds / sizeof *kinds)

struct holds {
    bool seen;
    bool claims;   /* a code span or a digit */
    bool evidence;
    bool advice;
    unsigned uses;  /* kinds of evidence */
    unsigned words; /* kinds that the text names */
    struct sl_view claim;            /* the first code span or digit */
    const struct sl_kb_block *block; /* the first one */
};

struct prose {
    struct sl_checks *checks;
    struct sl_report *report;
    const struct sl_kb *kb;
    const struct sl_kb_file *file;
    struct sl_view name;
    struct sl_arena arena; /* of this file */
    struct holds *holds;   /* one per Markdown block */
};

static bool is_code(enum sl_ref_kind kind)
{
    return kind == SL_REF_NAME || kind == SL_REF_VARIABLE ||
           kind == SL_REF_CODE;
}

/* Index of the block that owns this one. */
static uint32_t owner_of(const struct prose *p,
                         const struct sl_kb_block *block)
{
    uint32_t parent = block->md->parent;
    return block->md->kind == SL_MD_PARAGRAPH && parent != SL_MD_NONE &&
                   p->file->doc.blocks[parent].kind == SL_MD_ITEM
               ? parent
               : block->md_index;
}

/* Whether needle stands in the text outside its code spans. */
static bool has_outside(const struct prose *p, const struct sl_kb_block *block,
                        struct sl_view needle)
{
    size_t ref = block->first_ref;
    size_t last = block->first_ref + block->ref_count;
    size_t at = sl_view_find(block->text, needle, 0);
    while (at != SIZE_MAX) {
        while (ref < last && p->kb->refs.items[ref].end <= at)
            ref++;
        if (ref == last || p->kb->refs.items[ref].begin > at)
            return true;
        at = sl_view_find(block->text, needle, at + 1);
    }
    return false;
}

static void gather(struct prose *p, const struct sl_kb_block *block)
{
    struct holds *holds = &p->holds[owner_of(p, block)];
    if (!holds->seen)
        holds->block = block;
    holds->seen = true;
    for (size_t i = 0; i < block->ref_count; i++) {
        const struct sl_ref *ref = &p->kb->refs.items[block->first_ref + i];
        enum sl_ref_kind kind = ref->kind;
        bool claims = is_code(kind) || kind == SL_REF_NUMBER;
        if (claims && !holds->claims)
            holds->claim = sl_view_sub(block->text, ref->begin, ref->end);
        holds->claims |= claims;
        holds->evidence |= sl_ref_is_evidence(kind);
        holds->uses |= kind == SL_REF_RUN      ? OBSERVED
                       : kind == SL_REF_THREAD ? REPORTED
                       : kind == SL_REF_SPEC   ? SPECIFIED
                                               : 0;
    }
    holds->advice |= has_outside(p, block, SL_LIT("(advice)"));
    for (size_t i = 0; i < KINDS; i++)
        if (sl_text_has_word(block->text, kinds[i].word))
            holds->words |= kinds[i].bit;
}

/* The list that a paragraph is directly followed by, or SL_MD_NONE. */
static uint32_t list_below(const struct prose *p, uint32_t index)
{
    const struct sl_md_doc *doc = &p->file->doc;
    const struct sl_md_block *md = &doc->blocks[index];
    uint32_t list = md->after;
    return md->kind == SL_MD_PARAGRAPH && list < doc->count &&
                   doc->blocks[list].kind == SL_MD_LIST &&
                   doc->blocks[list].parent == md->parent
               ? list
               : SL_MD_NONE;
}

/*
 * Whether every item of the list holds evidence; on a card, whether one does.
 * *bare_out: the first item that holds none, or SL_MD_NONE.
 */
static bool list_proves(const struct prose *p, uint32_t list, bool card,
                        uint32_t *bare_out)
{
    const struct sl_md_block *blocks = p->file->doc.blocks;
    bool any = false;
    *bare_out = SL_MD_NONE;
    for (uint32_t i = list + 1; i < blocks[list].after; i = blocks[i].after) {
        any |= p->holds[i].evidence;
        if (!p->holds[i].evidence && *bare_out == SL_MD_NONE)
            *bare_out = i;
    }
    return any && (*bare_out == SL_MD_NONE || card);
}

/* What the header row of a table row's table holds; NULL for the header. */
static const struct holds *header_of(const struct prose *p, uint32_t index)
{
    const struct sl_md_block *md = &p->file->doc.blocks[index];
    if (md->kind != SL_MD_ROW || md->header || md->parent == SL_MD_NONE)
        return NULL;
    const struct holds *header = &p->holds[md->parent + 1];
    return header->seen ? header : NULL;
}

static bool is_card_item(const struct prose *p, uint32_t index)
{
    static const char *const labels[] = {"log:", "stage:", "role:"};
    if (p->file->doc.blocks[index].kind != SL_MD_ITEM)
        return false;
    struct sl_view item = sl_item_text(p->holds[index].block->text);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (sl_view_starts(item, labels[i]))
            return true;
    return false;
}

static void check_evidence(const struct prose *p, uint32_t index, bool card)
{
    const struct holds *holds = &p->holds[index];
    const struct holds *header = header_of(p, index);
    uint32_t list = list_below(p, index);
    uint32_t bare = SL_MD_NONE;
    char fix[128] = "";
    if (!holds->claims || holds->evidence || holds->advice ||
        (header && header->evidence) || (card && is_card_item(p, index)) ||
        (list != SL_MD_NONE && list_proves(p, list, card, &bare)))
        return;
    if (bare != SL_MD_NONE)
        (void)snprintf(fix, sizeof fix,
                       "the list below does not prove it: its item at line %u "
                       "has no evidence either",
                       p->file->body_line + p->file->doc.blocks[bare].line - 1);
    sl_report_fault(p->report, p->name, sl_block_line(p->file, holds->block),
                    "evidence-missing", fix,
                    "this block names %.*s and has neither evidence nor "
                    "(advice)",
                    SL_ARG(sl_view_sub(holds->claim, 0, 80)));
}

static void check_kinds(const struct prose *p, uint32_t index)
{
    const struct holds *holds = &p->holds[index];
    const struct holds *header = header_of(p, index);
    unsigned words = holds->words | (header ? header->words : 0);
    for (size_t i = 0; i < KINDS; i++)
        if (holds->uses & ~words & kinds[i].bit)
            sl_report_fault(p->report, p->name,
                            sl_block_line(p->file, holds->block), "kind-word",
                            "",
                            "evidence from %s, but the block does not say "
                            "'%s'",
                            kinds[i].what, kinds[i].word);
}

/* "(internal)" or "(project: ID)" at the start of text, after blanks. */
static bool is_owner_mark(struct sl_view text)
{
    text = sl_view_trim(text);
    if (sl_view_starts(text, "(internal)"))
        return true;
    if (!sl_view_starts(text, "(project: "))
        return false;
    size_t begin = sizeof "(project: " - 1;
    size_t i = begin;
    while (i < text.len && (sl_is_alnum(text.ptr[i]) || text.ptr[i] == '-' ||
                            text.ptr[i] == '_'))
        i++;
    return i > begin && i < text.len && text.ptr[i] == ')';
}

static enum sl_status check_owners(struct prose *p,
                                   const struct sl_kb_block *block,
                                   struct sl_map *seen, struct sl_error *error)
{
    for (size_t i = 0; i < block->ref_count; i++) {
        const struct sl_ref *ref = &p->kb->refs.items[block->first_ref + i];
        if (!is_code(ref->kind) || !sl_view_starts(ref->text, "nvshmemi_"))
            continue;
        struct sl_view name = {ref->text.ptr, 0};
        while (name.len < ref->text.len && sl_is_word(name.ptr[name.len]))
            name.len++;
        bool added;
        if (!sl_map_put(seen, name, 0, &added))
            return sl_error_nomem(error);
        if (added && !is_owner_mark(sl_view_sub(block->text, ref->end,
                                                block->text.len)))
            sl_report_fault(p->report, p->name,
                            sl_ref_line(p->file, block, ref), "owner-mark", "",
                            "`%.*s` is not marked (internal) or (project: ID) "
                            "where this section first names it",
                            SL_ARG(name));
    }
    return SL_OK;
}

/* A name of NVSHMEM's at i; its length, or 0. */
static size_t bare_name(struct sl_view text, size_t i)
{
    static const char *const prefixes[] = {"nvshmem_", "nvshmemx_",
                                           "nvshmemi_", "NVSHMEM_",
                                           "NVSHMEMX_", "NVSHMEMI_"};
    struct sl_view rest = sl_view_sub(text, i, text.len);
    if (i && sl_is_word(text.ptr[i - 1]))
        return 0;
    size_t n = 0;
    while (n < rest.len && sl_is_word(rest.ptr[n]))
        n++;
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (sl_view_starts(rest, prefixes[k]) && n > strlen(prefixes[k]))
            return n;
    return 0;
}

/* Names outside backticks: the other rules do not see them. */
static void check_bare(const struct prose *p, const struct sl_kb_block *block)
{
    size_t ref = block->first_ref;
    size_t last = block->first_ref + block->ref_count;
    for (size_t i = 0; i < block->text.len; i++) {
        while (ref < last && p->kb->refs.items[ref].end <= i)
            ref++;
        if (ref < last && p->kb->refs.items[ref].begin <= i) {
            i = p->kb->refs.items[ref].end - 1;
            continue;
        }
        char c = block->text.ptr[i];
        size_t n = c == 'n' || c == 'N' ? bare_name(block->text, i) : 0;
        if (!n)
            continue;
        sl_report_fault(p->report, p->name, sl_block_line(p->file, block),
                        "name-bare", "", "%.*s stands outside backticks",
                        SL_ARG(sl_view_sub(block->text, i, i + n)));
        return;
    }
}

static void check_section(const struct prose *p,
                          const struct sl_section *section)
{
    size_t written = section->own.len - sl_generated_bytes(section->own);
    if (written > SL_MAX_SECTION_TEXT)
        sl_report_fault(p->report, p->name, section->line, "section-size",
                        "make two sections of it",
                        "the section's own text has %zu bytes; the limit is "
                        "%u",
                        written, SL_MAX_SECTION_TEXT);
    if (section->level > 3)
        sl_report_fault(p->report, p->name, section->line, "heading-level", "",
                        "a heading of level %u; sections are ##, rarely ###",
                        section->level);
    if (sl_view_find(section->title, SL_LIT("\\_"), 0) != SIZE_MAX)
        sl_report_fault(p->report, p->name, section->line, "escaped", "",
                        "an escaped underscore (\\_): grep does not find it");
}

static void check_top(const struct prose *p)
{
    const struct sl_section *first =
        p->file->section_count ? &p->kb->sections[p->file->first_section]
                               : NULL;
    size_t tops = 0;
    for (size_t i = 0; i < p->file->section_count; i++)
        if (first[i].level == 1 && ++tops > 1)
            sl_report_fault(p->report, p->name, first[i].line, "heading-top",
                            "", "a second # heading in one file");
    if (!tops || first[0].level != 1)
        sl_report_fault(p->report, p->name, p->file->body_line, "heading-top",
                        "", "the file does not begin with its # heading");
}

static enum sl_status check_text(struct prose *p,
                                 const struct sl_section *section,
                                 struct sl_error *error)
{
    struct sl_map owners;
    sl_map_init(&owners, &p->arena);
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < section->block_count; i++) {
        const struct sl_kb_block *block =
            &p->kb->blocks[section->first_block + i];
        if (block->md->kind == SL_MD_CODE || block->generated)
            continue;
        if (sl_view_find(block->text, SL_LIT("\\_"), 0) != SIZE_MAX)
            sl_report_fault(p->report, p->name, sl_block_line(p->file, block),
                            "escaped", "", "an escaped underscore (\\_): grep "
                            "does not find it");
        check_bare(p, block);
        status = check_owners(p, block, &owners, error);
        gather(p, block);
    }
    return status;
}

static void check_blocks(const struct prose *p,
                         const struct sl_section *section)
{
    bool card = sl_section_is_card(p->kb, section);
    for (size_t i = 0; i < section->block_count; i++) {
        const struct sl_kb_block *block =
            &p->kb->blocks[section->first_block + i];
        if (block->md->kind == SL_MD_CODE || block->generated)
            continue;
        uint32_t owner = owner_of(p, block);
        if (p->holds[owner].block != block)
            continue;
        check_evidence(p, owner, card);
        check_kinds(p, owner);
    }
}

static enum sl_status check_file(struct prose *p, struct sl_error *error)
{
    size_t count = p->file->doc.count;
    p->holds = sl_arena_alloc(&p->arena, (count + 1) * sizeof *p->holds);
    if (!p->holds)
        return sl_error_nomem(error);
    const struct sl_section *first =
        p->file->section_count ? &p->kb->sections[p->file->first_section]
                               : NULL;
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < p->file->section_count; i++) {
        check_section(p, &first[i]);
        status = check_text(p, &first[i], error);
    }
    for (size_t i = 0; !status && i < p->file->section_count; i++)
        check_blocks(p, &first[i]);
    for (size_t i = 0; i < p->file->heading_count; i++)
        check_bare(p, &p->kb->headings[p->file->first_heading + i]);
    check_top(p);
    return status;
}

enum sl_status sl_checks_prose(struct sl_checks *checks,
                               struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < checks->kb.file_count; i++) {
        struct prose p = {
            .checks = checks,
            .report = checks->report,
            .kb = &checks->kb,
            .file = &checks->kb.files[i],
            .name = sl_checks_name(checks, i),
        };
        sl_arena_init(&p.arena, SL_MAX_KB_ARENA);
        status = check_file(&p, error);
        status = sl_arena_explain(&p.arena, status, error);
        sl_arena_release(&p.arena);
    }
    return status;
}
