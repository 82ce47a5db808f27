/* A file of anybody's skill: front matter, headings, what it mentions. */
#include "fuzz.h"
#include "skill/internal.h"

static size_t breaks_in(struct sl_view text)
{
    size_t breaks = 0;
    for (size_t i = 0; i < text.len; i++)
        breaks += text.ptr[i] == '\n' || text.ptr[i] == '\r' ||
                  (unsigned char)text.ptr[i] >= 0x80;
    return breaks;
}

static void check(struct sl_view text, bool is_main)
{
    struct sl_skill_report report;
    sl_skill_report_init(&report);
    struct sl_skill_file file = {.path = SL_LIT("references/a.md")};
    struct sl_skill_checker checker = {
        .report = &report,
        .arena = &report.arena,
        .folder = "/nonexistent",
        .folder_name = SL_LIT("a"),
        .main = is_main ? file.path : SL_LIT("SKILL.md"),
        .files = &file,
        .file_count = 1,
    };
    sl_map_init(&checker.paths, &report.arena);
    sl_map_init(&checker.anchors, &report.arena);
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    if (sl_map_put(&checker.paths, file.path, 0, NULL) &&
        sl_skill_page(&checker, file.path, text, NULL) == SL_OK &&
        sl_skill_mentions(&checker, NULL) == SL_OK && !report.failed) {
        size_t most = breaks_in(text) + 2;
        sl_skill_report_sort(&report);
        for (size_t i = 0; i < report.count; i++)
            FUZZ_CHECK(report.items[i].line <= most);
        for (size_t i = 0; i < checker.mention_count; i++)
            FUZZ_CHECK(checker.mentions[i].line <= most);
        sl_skill_report_json(&out, &report, "a");
        sl_skill_report_text(&out, &report, "a");
    }
    sl_buf_release(&out);
    sl_skill_report_release(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_view text = {(const char *)data, size};
    check(text, true);
    check(text, false);
    return 0;
}
