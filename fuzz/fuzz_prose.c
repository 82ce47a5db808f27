/*
 * The checks of `verify` that read a page: front matter, blocks, links, cards,
 * citations. The same bytes are a reference page and a page of symptoms.
 */
#include "fuzz.h"
#include "verify/checks.h"

static const char sources[] =
    "sources:\n  src:\n    title: T\n    repository: https://example.org/r\n"
    "    tag: v1\n    commit: 0123456789abcdef0123456789abcdef01234567\n"
    "    licence: MIT\n    paths: [a/]\n";

static enum sl_status run(struct sl_checks *checks, struct sl_view bytes)
{
    struct sl_error error = {SL_OK, ""};
    FUZZ_CHECK(!sl_sources_parse(&checks->arena, sl_view_of(sources),
                                 &checks->sources, &error));
    checks->pinned = sl_arena_alloc(&checks->arena, sizeof *checks->pinned);
    FUZZ_CHECK(checks->pinned);
    checks->pinned->source = checks->sources.items;
    enum sl_status status = sl_kb_add(
        &checks->kb, SL_LIT("references/nvshmem/x.md"), bytes, &error);
    if (!status)
        status = sl_kb_add(&checks->kb, SL_LIT("references/symptoms/y.md"),
                           bytes, &error);
    if (status)
        return status;
    sl_checks_front(checks);
    status = sl_checks_prose(checks, &error);
    if (!status)
        status = sl_checks_links(checks, &error);
    if (!status)
        status = sl_checks_unseen(checks, &error);
    sl_checks_near(checks);
    if (!status)
        sl_checks_cards(checks);
    if (!status)
        status = sl_checks_collect(checks, &error);
    if (!status)
        status = sl_checks_grade(checks, &error);
    if (!status)
        sl_checks_report_citations(checks);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_report report;
    struct sl_checks checks;
    struct sl_buf out;
    sl_report_init(&report);
    sl_checks_init(&checks, "/nonexistent", &report);
    checks.kb.arena.max = FUZZ_ARENA;
    sl_buf_init(&out, FUZZ_ARENA);
    if (!run(&checks, (struct sl_view){(const char *)data, size})) {
        sl_report_sort(&report);
        sl_report_text(&out, &report, "");
        sl_report_json(&out, &report, NULL);
    }
    sl_buf_release(&out);
    sl_checks_release(&checks);
    sl_report_release(&report);
    return 0;
}
