/* sl_citation_parse on each line, and sl_sources_parse on all of it. */
#include "cite/sources.h"
#include "fuzz.h"
#include "os/file.h"

static void check_citation(struct sl_view text, const struct sl_source *source)
{
    struct sl_citation c;
    if (sl_citation_parse(text, &c, NULL))
        return;
    FUZZ_CHECK(c.source.len && fuzz_inside(c.source, text));
    FUZZ_CHECK(sl_path_is_inside(c.path) && fuzz_inside(c.path, text));
    FUZZ_CHECK(c.first >= 1 && c.first <= c.last);
    FUZZ_CHECK(c.last - c.first < SL_MAX_CITED_LINES);
    if (!source)
        return;
    struct sl_buf url;
    sl_buf_init(&url, SL_MAX_PATH * 8);
    sl_source_permalink(&url, source, &c);
    for (size_t i = 0; i < url.len; i++)
        FUZZ_CHECK(url.ptr[i] > ' ' && url.ptr[i] < 0x7f &&
                   url.ptr[i] != '"' && url.ptr[i] != '\\');
    sl_buf_release(&url);
}

static void check_source(const struct sl_source *source)
{
    FUZZ_CHECK(source->id.len && source->commit.len == 40);
    FUZZ_CHECK(source->path_count > 0);
    for (size_t i = 0; i < source->path_count; i++) {
        struct sl_view path = source->paths[i];
        if (sl_view_ends(path, "/"))
            path.len--;
        FUZZ_CHECK(sl_path_is_inside(path));
        (void)sl_source_licence(source, path);
        (void)sl_source_has_path(source, path);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct sl_source source = {
        .id = {"src", 3},
        .repository = {"https://example.org/o/r", 23},
        .commit = {"0123456789abcdef0123456789abcdef01234567", 40},
    };
    struct sl_view rest = {(const char *)data, size};
    struct sl_arena arena;
    struct sl_sources sources;
    sl_arena_init(&arena, FUZZ_ARENA);
    if (sl_sources_parse(&arena, rest, &sources, NULL) == SL_OK) {
        FUZZ_CHECK(sources.count >= 1 && sources.count <= SL_MAX_SOURCES);
        for (size_t i = 0; i < sources.count; i++) {
            check_source(&sources.items[i]);
            FUZZ_CHECK(sl_sources_find(&sources, sources.items[i].id) ==
                       &sources.items[i]);
        }
    }
    struct sl_view line;
    while (sl_view_line(&rest, &line))
        check_citation(line, &source);
    sl_arena_release(&arena);
    return 0;
}
