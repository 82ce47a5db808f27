/*
 * sl_file_uses with what is below it: neutraliser, parser, walk, the readers
 * of C, Python and other files. The first byte chooses the kind of file.
 */
#include <string.h>

#include "fuzz.h"
#include "usage/file.h"

static const char *const paths[] = {"a.cu", "a.py", "a.sh", "Dockerfile",
                                    "a.yaml", "CMakeLists.txt", "a.md",
                                    "Makefile", "a.toml", "a.ipynb"};

static struct sl_parser *parser;
static struct sl_macros macros;
static struct sl_arena macro_arena;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    sl_arena_init(&macro_arena, FUZZ_ARENA);
    FUZZ_CHECK(sl_macros_load(&macro_arena, SL_LIT("deepep"), &macros, NULL) ==
               SL_OK);
    FUZZ_CHECK(sl_parser_new(&parser, NULL) == SL_OK);
    return 0;
}

static void check_uses(const struct sl_uses *uses, size_t lines)
{
    for (size_t i = 0; i < uses->len; i++) {
        const struct sl_use *use = &uses->items[i];
        FUZZ_CHECK(use->kind < SL_USE_KINDS);
        FUZZ_CHECK(use->line >= 1 && use->line <= lines);
        FUZZ_CHECK(use->name.len <= SL_MAX_USAGE_NAME);
        FUZZ_CHECK(use->value.len <= SL_MAX_USAGE_VALUE);
        FUZZ_CHECK(!memchr(use->name.ptr, '\n', use->name.len));
        FUZZ_CHECK(!memchr(use->value.ptr, '\t', use->value.len));
        FUZZ_CHECK(!memchr(use->how.ptr, '\t', use->how.len));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    struct sl_view text = {(const char *)data + 1, size - 1};
    struct sl_view path =
        sl_view_of(paths[data[0] % (sizeof paths / sizeof *paths)]);
    struct sl_arena arena;
    struct sl_view clean;
    size_t blanked, lines = 1;
    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    sl_arena_init(&arena, FUZZ_ARENA);
    FUZZ_CHECK(sl_neutralise(&arena, &macros, text, &clean, &blanked, NULL) ==
               SL_OK);
    FUZZ_CHECK(clean.len == text.len);
    for (size_t i = 0; i < text.len; i++)
        FUZZ_CHECK(clean.ptr[i] == text.ptr[i] ||
                   (clean.ptr[i] == ' ' && text.ptr[i] != '\n'));
    sl_arena_release(&arena);

    struct sl_uses uses;
    struct sl_file_report report;
    struct sl_error error = {SL_OK, ""};
    sl_uses_init(&uses, FUZZ_ARENA);
    struct sl_map fields;
    sl_map_init(&fields, &uses.arena);
    FUZZ_CHECK(sl_map_put(&fields, SL_LIT("rcs"), 1, NULL) != NULL);
    struct sl_file_wants wants = {data[0] & 0x80, &fields};
    if (sl_file_uses(parser, &macros, path, text, &wants, &uses, &report,
                     &error) == SL_OK) {
        FUZZ_CHECK(report.coverage.bytes == text.len);
        FUZZ_CHECK(report.coverage.unparsed <= text.len);
        check_uses(&uses, lines);
    }
    sl_uses_release(&uses);
    return 0;
}
