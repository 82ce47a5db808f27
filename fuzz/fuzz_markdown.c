/* sl_kb_add: a file of any bytes into sections, blocks and references. */
#include "answer/units.h"
#include "fuzz.h"
#include "kb/kb.h"

static void check_doc(const struct sl_kb_file *file)
{
    const struct sl_md_doc *doc = &file->doc;
    size_t len = file->bytes.len - file->body;
    for (size_t i = 0; i < doc->count; i++) {
        const struct sl_md_block *block = &doc->blocks[i];
        FUZZ_CHECK(block->begin <= block->end && block->end <= len);
        FUZZ_CHECK(block->line >= 1 && block->line <= block->last_line);
        FUZZ_CHECK(block->after > i && block->after <= doc->count);
        FUZZ_CHECK(block->parent == SL_MD_NONE || block->parent < i);
    }
}

static void check_sections(const struct sl_kb *kb)
{
    for (size_t i = 0; i < kb->section_count; i++) {
        const struct sl_section *s = &kb->sections[i];
        struct sl_view bytes = kb->files[s->file].bytes;
        FUZZ_CHECK(sl_kb_find(kb, s->id) == s);
        FUZZ_CHECK(fuzz_inside(s->own, bytes) && fuzz_inside(s->whole, bytes));
        FUZZ_CHECK(fuzz_inside(s->title, s->own));
        FUZZ_CHECK(s->own.ptr == s->whole.ptr && s->own.len <= s->whole.len);
        FUZZ_CHECK(s->parent == SIZE_MAX ||
                   (s->parent < i && kb->sections[s->parent].level < s->level));
    }
}

static void check_refs(const struct sl_kb *kb)
{
    for (size_t i = 0; i < kb->block_count; i++) {
        const struct sl_kb_block *block = &kb->blocks[i];
        for (size_t r = 0; r < block->ref_count; r++) {
            const struct sl_ref *ref = &kb->refs.items[block->first_ref + r];
            FUZZ_CHECK(ref->begin < ref->end && ref->end <= block->text.len);
            FUZZ_CHECK(fuzz_inside(
                ref->text, sl_view_sub(block->text, ref->begin, ref->end)));
        }
    }
}

/* A section read alone has the references that it has in its file. */
static void check_one_reading(const struct sl_kb *kb,
                              const struct sl_section *section)
{
    struct sl_arena arena;
    struct sl_refs refs = {0};
    sl_arena_init(&arena, FUZZ_ARENA);
    if (sl_kb_refs_of(&arena, section->own, &refs, NULL) == SL_OK) {
        size_t n = 0;
        for (size_t b = 0; b < section->block_count; b++) {
            const struct sl_kb_block *block =
                &kb->blocks[section->first_block + b];
            for (size_t r = 0; r < block->ref_count; r++, n++)
                FUZZ_CHECK(n < refs.count &&
                           refs.items[n].text.ptr ==
                               kb->refs.items[block->first_ref + r].text.ptr);
        }
        FUZZ_CHECK(n == refs.count);
    }
    sl_arena_release(&arena);
}

/* The places where an answer may cut the section. */
static void check_units(const struct sl_section *section, enum sl_grain grain)
{
    struct sl_arena arena;
    size_t *ends, count;
    sl_arena_init(&arena, FUZZ_ARENA);
    if (sl_units(&arena, section->own, grain, &ends, &count, NULL) == SL_OK) {
        FUZZ_CHECK(count >= 1);
        for (size_t i = 0; i < count; i++) {
            FUZZ_CHECK(ends[i] <= section->own.len);
            FUZZ_CHECK(i == 0 || ends[i] >= ends[i - 1]);
        }
    }
    sl_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_view bytes = {(const char *)data, size};
    struct sl_kb kb;
    sl_kb_init(&kb);
    kb.arena.max = FUZZ_ARENA;
    if (sl_kb_add(&kb, SL_LIT("a/x.md"), bytes, NULL) == SL_OK) {
        FUZZ_CHECK(sl_view_eq(kb.files[0].bytes, bytes));
        check_doc(&kb.files[0]);
        check_sections(&kb);
        check_refs(&kb);
        for (size_t i = 0; i < kb.section_count && i < 4; i++) {
            for (unsigned g = SL_GRAIN_BLOCK; g <= SL_GRAIN_WORD; g++)
                check_units(&kb.sections[i], (enum sl_grain)g);
            check_one_reading(&kb, &kb.sections[i]);
        }
    }
    sl_kb_release(&kb);
    return 0;
}
