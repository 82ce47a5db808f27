/* Which text cites what, and whether it is still there. */
#include <stdio.h>

#include "base/limits.h"
#include "verify/checks.h"

static enum sl_status cite_of(struct sl_checks *checks, struct sl_view text,
                              size_t *index_out, struct sl_error *error)
{
    bool added;
    size_t *index = sl_map_put(&checks->cite_index, text, checks->cite_count,
                               &added);
    if (!index)
        return sl_error_nomem(error);
    *index_out = *index;
    if (!added)
        return SL_OK;
    checks->cites = sl_arena_grow(&checks->arena, checks->cites,
                                  sizeof *checks->cites, checks->cite_count,
                                  &checks->cite_cap);
    if (!checks->cites)
        return sl_error_nomem(error);
    checks->cites[checks->cite_count++] = (struct sl_cite){
        .text = text, .first_use = SIZE_MAX, .last_use = SIZE_MAX};
    return SL_OK;
}

static struct sl_pinned *pinned_of(struct sl_checks *checks,
                                   struct sl_view source)
{
    for (size_t i = 0; i < checks->sources.count; i++)
        if (sl_view_eq(checks->pinned[i].source->id, source))
            return &checks->pinned[i];
    return NULL;
}

enum sl_status sl_checks_add_use(struct sl_checks *checks, struct sl_use use,
                                 struct sl_view text, struct sl_error *error)
{
    enum sl_status status = cite_of(checks, text, &use.cite, error);
    if (status)
        return status;
    checks->uses = sl_arena_grow(&checks->arena, checks->uses,
                                 sizeof *checks->uses, checks->use_count,
                                 &checks->use_cap);
    if (!checks->uses)
        return sl_error_nomem(error);
    struct sl_cite *cite = &checks->cites[use.cite];
    size_t index = checks->use_count++;
    checks->uses[index] = use;
    if (cite->uses++) {
        checks->uses[cite->last_use].next = index;
        cite->last_use = index;
        return SL_OK;
    }
    cite->first_use = cite->last_use = index;
    if (!cite->entry)
        cite->form = sl_citation_parse(text, &cite->citation, NULL);
    if (!cite->form && !cite->pinned)
        cite->pinned = pinned_of(checks, cite->citation.source);
    if (cite->pinned)
        cite->pinned->uses++;
    return SL_OK;
}

static enum sl_status seed_from_lock(struct sl_checks *checks,
                                     struct sl_error *error)
{
    for (size_t i = 0; i < checks->lock.count; i++) {
        const struct sl_lock_entry *entry = &checks->lock.entries[i];
        size_t index;
        enum sl_status status = cite_of(checks, entry->text, &index, error);
        if (status)
            return status;
        struct sl_cite *cite = &checks->cites[index];
        cite->entry = entry;
        cite->citation = entry->citation;
        cite->pinned = pinned_of(checks, entry->citation.source);
    }
    return SL_OK;
}

enum sl_status sl_checks_collect(struct sl_checks *checks,
                                 struct sl_error *error)
{
    const struct sl_kb *kb = &checks->kb;
    struct sl_verify_counts *counts = &checks->report->counts;
    enum sl_status status = seed_from_lock(checks, error);
    for (size_t i = 0; !status && i < kb->section_count; i++) {
        const struct sl_section *section = &kb->sections[i];
        size_t end = section->first_block + section->block_count;
        for (size_t b = section->first_block; !status && b < end; b++) {
            const struct sl_kb_block *block = &kb->blocks[b];
            size_t last = block->first_ref + block->ref_count;
            for (size_t r = block->first_ref; !status && r < last; r++) {
                if (kb->refs.items[r].kind != SL_REF_CITATION)
                    continue;
                struct sl_use use = {.next = SIZE_MAX, .file = section->file,
                                     .block = b, .ref = r};
                status = sl_checks_add_use(checks, use,
                                           kb->refs.items[r].text, error);
            }
        }
    }
    if (!status)
        status = sl_checks_collect_tables(checks, error);
    counts->citations = checks->use_count;
    for (size_t i = 0; i < checks->cite_count; i++)
        counts->citations_distinct += checks->cites[i].uses > 0;
    return status;
}

enum sl_status sl_checks_grade(struct sl_checks *checks,
                               struct sl_error *error)
{
    for (size_t i = 0; i < checks->cite_count; i++) {
        struct sl_cite *cite = &checks->cites[i];
        struct sl_pinned *pinned = cite->pinned;
        enum sl_status status = SL_OK;
        if (!cite->uses)
            continue;
        if (!cite->form && !checks->has_sources)
            cite->graded.grade = SL_GRADE_UNCHECKED;
        else if (cite->form || !pinned)
            cite->graded.grade = SL_GRADE_FORM;
        else if (!pinned->has_tree && !pinned->has_file)
            cite->graded.grade = SL_GRADE_UNCHECKED;
        else
            status = sl_citation_grade(
                &checks->arena,
                pinned->has_tree ? &pinned->tree : &pinned->file,
                &cite->citation, cite->entry, &cite->graded, error);
        if (status)
            return status;
        checks->report->grades[cite->graded.grade]++;
        checks->report->trivial += cite->entry && cite->entry->trivial;
    }
    return SL_OK;
}

/* "SOURCE:PATH:FIRST-LAST" of where the lines stand now. */
static void new_place(const struct sl_cite *cite, char *text, size_t room)
{
    const struct sl_graded *to = &cite->graded;
    if (to->first == to->last)
        (void)snprintf(text, room, "%.*s:%.*s:%u",
                       SL_ARG(cite->citation.source), SL_ARG(to->path),
                       to->first);
    else
        (void)snprintf(text, room, "%.*s:%.*s:%u-%u",
                       SL_ARG(cite->citation.source), SL_ARG(to->path),
                       to->first, to->last);
}

/* What is wrong with an unlocked, or impossible, citation. */
static void report_unlocked(struct sl_checks *checks,
                            const struct sl_cite *cite, struct sl_view file,
                            unsigned line)
{
    struct sl_report *report = checks->report;
    struct sl_view text = cite->text;
    struct sl_error why = {SL_OK, ""};
    struct sl_citation ignored;
    switch (cite->graded.grade) {
    case SL_GRADE_UNLOCKED:
        if (checks->has_lock)
            sl_report_fault(report, file, line, "citation-unlocked",
                            "run verify --update",
                            "`%.*s` is not in " SL_LOCK_FILE, SL_ARG(text));
        break;
    case SL_GRADE_PATH:
        sl_report_fault(report, file, line, "citation-path", "",
                        "`%.*s`: the source has no file '%.*s' below its "
                        "paths",
                        SL_ARG(text), SL_ARG(cite->citation.path));
        break;
    case SL_GRADE_LINE:
        sl_report_fault(report, file, line, "citation-line", "",
                        "`%.*s`: the file has %zu lines", SL_ARG(text),
                        cite->graded.line_count);
        break;
    case SL_GRADE_FORM:
        if (!cite->form)
            sl_report_fault(report, file, line, "citation-source", "",
                            "`%.*s`: no source '%.*s' in " SL_SOURCES_FILE,
                            SL_ARG(text), SL_ARG(cite->citation.source));
        else if (sl_citation_parse(text, &ignored, &why))
            sl_report_fault(report, file, line, "citation-form", "", "%s",
                            why.message);
        break;
    default:
        break;
    }
}

static void report_use(struct sl_checks *checks, const struct sl_cite *cite,
                       struct sl_view file, unsigned line)
{
    struct sl_report *report = checks->report;
    struct sl_view text = cite->text;
    char place[SL_MAX_PATH + 128];
    char fix[SL_MAX_PATH + 256];
    switch (cite->graded.grade) {
    case SL_GRADE_OK:
        break;
    case SL_GRADE_MOVED:
        new_place(cite, place, sizeof place);
        (void)snprintf(fix, sizeof fix, "cite that and run verify --update");
        sl_report_fault(report, file, line, "citation-moved", fix,
                        "`%.*s` moved to `%s` (%u of 4 neighbour lines fit)",
                        SL_ARG(text), place, cite->graded.neighbours);
        break;
    case SL_GRADE_CHANGED:
        (void)snprintf(fix, sizeof fix,
                       "read them, then correct the text, or run verify "
                       "--update --accept %.*s",
                       SL_ARG(text));
        sl_report_fault(report, file, line, "citation-changed", fix,
                        "`%.*s`: the lines are no longer what was cited",
                        SL_ARG(text));
        break;
    case SL_GRADE_AMBIGUOUS:
        new_place(cite, place, sizeof place);
        sl_report_fault(report, file, line, "citation-ambiguous",
                        "cite the right one and run verify --update",
                        "`%.*s`: the cited lines stand in %zu places now, the "
                        "likeliest at `%s`",
                        SL_ARG(text), cite->graded.places, place);
        break;
    case SL_GRADE_GONE:
        sl_report_fault(report, file, line, "citation-gone",
                        "cite what replaced them, or correct the text",
                        "`%.*s`: the file is gone, and the lines stand in no "
                        "other",
                        SL_ARG(text));
        break;
    default:
        report_unlocked(checks, cite, file, line);
    }
    if (cite->entry && cite->entry->trivial)
        sl_report_fault(report, file, line, "citation-trivial",
                        "cite the lines that show the claim",
                        "`%.*s`: the cited lines hold next to nothing",
                        SL_ARG(text));
}

/*
 * Lines that are as they were, anchored at another commit than the one that
 * sources.yaml pins: after a new pin. One update mends all: told once a source.
 */
static void report_commits(struct sl_checks *checks)
{
    for (size_t i = 0; i < checks->sources.count; i++) {
        const struct sl_pinned *pinned = &checks->pinned[i];
        const struct sl_lock_entry *first = NULL;
        size_t count = 0;
        for (size_t k = 0; k < checks->lock.count; k++) {
            const struct sl_cite *cite = &checks->cites[k];
            if (cite->pinned != pinned || !cite->uses ||
                cite->graded.grade != SL_GRADE_OK ||
                sl_view_eq(cite->entry->commit, pinned->source->commit))
                continue;
            if (!count++)
                first = cite->entry;
        }
        if (count)
            sl_report_fault(checks->report, sl_view_of(SL_LOCK_FILE),
                            (unsigned)(first - checks->lock.entries) + 2,
                            "lock-commit", "run verify --update",
                            "%zu of %.*s anchored at another commit than "
                            SL_SOURCES_FILE " pins, the first at %.*s",
                            count, SL_ARG(pinned->source->id),
                            SL_ARG(first->commit));
    }
}

void sl_checks_report_citations(struct sl_checks *checks)
{
    for (size_t i = 0; i < checks->use_count; i++) {
        const struct sl_use *use = &checks->uses[i];
        const struct sl_cite *cite = &checks->cites[use->cite];
        bool trivial = cite->entry && cite->entry->trivial;
        if (cite->graded.grade == SL_GRADE_OK && !trivial)
            continue;
        /* one update anchors all uses: tell of the first only */
        if (cite->graded.grade == SL_GRADE_UNLOCKED && i != cite->first_use)
            continue;
        const struct sl_kb *kb = &checks->kb;
        if (use->table)
            report_use(checks, cite, sl_view_of(use->table), use->line);
        else
            report_use(checks, cite, sl_checks_name(checks, use->file),
                       sl_ref_line(&kb->files[use->file],
                                   &kb->blocks[use->block],
                                   &kb->refs.items[use->ref]));
    }
    for (size_t i = 0; i < checks->lock.count; i++)
        if (!checks->cites[i].uses)
            sl_report_fault(checks->report, sl_view_of(SL_LOCK_FILE),
                            (unsigned)i + 2, "lock-stale",
                            "run verify --update", "nothing cites `%.*s`",
                            SL_ARG(checks->cites[i].text));
    report_commits(checks);
    for (size_t i = 0; i < checks->sources.count; i++)
        if (!checks->pinned[i].uses && !checks->pinned[i].source->uncited)
            sl_report_notice(checks->report, sl_view_of(SL_SOURCES_FILE), 0,
                             "source-unused", "nothing cites the source '%.*s'",
                             SL_ARG(checks->pinned[i].source->id));
}
