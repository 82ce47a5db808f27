/* Symptom cards: each level-2 section of a file below references/symptoms/. */
#include "verify/checks.h"

static const char *const labels[] = {"log", "stage", "role", "confirm", "do"};
#define LABELS (sizeof labels / sizeof *labels)
enum { LOG, STAGE, ROLE };

bool sl_section_is_card(const struct sl_kb *kb,
                        const struct sl_section *section)
{
    return section->level == 2 &&
           sl_view_starts(kb->files[section->file].path,
                          "references/symptoms/");
}

/* Which label the item begins with; its text after the colon. LABELS: none. */
static size_t label_of(struct sl_view item, struct sl_view *value_out)
{
    for (size_t i = 0; i < LABELS; i++) {
        struct sl_view label = sl_view_of(labels[i]);
        if (sl_view_starts(item, labels[i]) && item.len > label.len &&
            item.ptr[label.len] == ':') {
            *value_out = sl_view_trim(
                sl_view_sub(item, label.len + 1, item.len));
            return i;
        }
    }
    return LABELS;
}

struct card {
    struct sl_checks *checks;
    const struct sl_section *section;
    struct sl_view name;
    unsigned seen[LABELS]; /* line of the item, 0: not there */
    bool evidence;
};

static void check_value(const struct card *card, size_t label,
                        struct sl_view value,
                        const struct sl_kb_block *block, unsigned line)
{
    static const char *const stages[] = {
        "build-and-link", "bootstrap",  "transport",   "heap",
        "kernel-hang",    "wrong-data", "performance", "frameworks"};
    struct sl_report *report = card->checks->report;
    const struct sl_refs *refs = &card->checks->kb.refs;
    if (label == LOG) {
        size_t spans = 0;
        for (size_t i = 0; i < block->ref_count; i++) {
            enum sl_ref_kind kind = refs->items[block->first_ref + i].kind;
            spans += kind == SL_REF_CODE || kind == SL_REF_NAME ||
                     kind == SL_REF_VARIABLE;
        }
        if (!spans && !sl_view_is(value, "none"))
            sl_report_fault(report, card->name, line, "card-log", "",
                            "log: neither `fragments` in backticks nor 'none'");
    } else if (label == STAGE) {
        for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
            if (sl_view_is(value, stages[i]))
                return;
        sl_report_fault(report, card->name, line, "card-stage", "",
                        "stage: '%.*s' is not a stage of "
                        "docs/knowledge-format.md",
                        SL_ARG(sl_view_sub(value, 0, 60)));
    } else if (label == ROLE && !sl_view_is(value, "first cause") &&
               !(sl_view_starts(value, "consequence of ") &&
                 value.len >= sizeof "consequence of ")) {
        sl_report_fault(report, card->name, line, "card-role", "",
                        "role: neither 'first cause' nor 'consequence of …'");
    }
}

/* The items of one card, in order. */
static void check_item(struct card *card, const struct sl_kb_block *block,
                       unsigned line)
{
    struct sl_view value;
    size_t label = label_of(sl_item_text(block->text), &value);
    struct sl_report *report = card->checks->report;
    if (label == LABELS)
        return;
    if (card->seen[label])
        sl_report_fault(report, card->name, line, "card-items", "",
                        "a second '%s:' in this card", labels[label]);
    for (size_t i = label + 1; i < LABELS; i++)
        if (card->seen[i]) {
            sl_report_fault(report, card->name, line, "card-items", "",
                            "'%s:' stands after '%s:'; the order is log, "
                            "stage, role, confirm, do",
                            labels[label], labels[i]);
            break;
        }
    card->seen[label] = line;
    check_value(card, label, value, block, line);
}

static void check_card(struct sl_checks *checks,
                       const struct sl_section *section)
{
    const struct sl_kb *kb = &checks->kb;
    const struct sl_kb_file *file = &kb->files[section->file];
    struct card card = {.checks = checks,
                        .section = section,
                        .name = sl_checks_name(checks, section->file)};
    for (size_t i = 0; i < section->block_count; i++) {
        const struct sl_kb_block *block = &kb->blocks[section->first_block + i];
        uint32_t parent = block->md->parent;
        if (block->md->kind == SL_MD_PARAGRAPH && parent != SL_MD_NONE &&
            file->doc.blocks[parent].kind == SL_MD_ITEM &&
            block->md_index == parent + 1)
            check_item(&card, block, sl_block_line(file, block));
        for (size_t r = 0; r < block->ref_count; r++)
            card.evidence |= sl_ref_is_evidence(
                kb->refs.items[block->first_ref + r].kind);
    }
    for (size_t i = 0; i < LABELS; i++)
        if (!card.seen[i])
            sl_report_fault(checks->report, card.name, section->line,
                            "card-items", "",
                            "this symptom card has no '- %s: …'", labels[i]);
    if (!card.evidence)
        sl_report_fault(checks->report, card.name, section->line,
                        "card-evidence", "", "this symptom card has no "
                        "evidence");
}

void sl_checks_cards(struct sl_checks *checks)
{
    for (size_t i = 0; i < checks->kb.section_count; i++)
        if (sl_section_is_card(&checks->kb, &checks->kb.sections[i]))
            check_card(checks, &checks->kb.sections[i]);
}
