#include "syntax/neutralise.h"

#include <string.h>

enum how {
    HOW_ATTRIBUTE, /* the word and its arguments, anywhere */
    HOW_STATEMENT, /* as first word of a line, with arguments and semicolon */
};

/* By tools/embed. */
extern const char sl_data_macros_common[], sl_data_macros_common_end[];
extern const char sl_data_macros_deepep[], sl_data_macros_deepep_end[];
extern const char sl_data_macros_ultraep[], sl_data_macros_ultraep_end[];
extern const char sl_data_macros_streamep[], sl_data_macros_streamep_end[];
extern const char sl_data_macros_penny[], sl_data_macros_penny_end[];
extern const char sl_data_macros_tilescale[], sl_data_macros_tilescale_end[];
extern const char sl_data_macros_uccl[], sl_data_macros_uccl_end[];

static const struct {
    const char *project;
    const char *begin, *end;
} lists[] = {
    {"", sl_data_macros_common, sl_data_macros_common_end},
    {"deepep", sl_data_macros_deepep, sl_data_macros_deepep_end},
    {"ultraep", sl_data_macros_ultraep, sl_data_macros_ultraep_end},
    {"streamep", sl_data_macros_streamep, sl_data_macros_streamep_end},
    {"penny", sl_data_macros_penny, sl_data_macros_penny_end},
    {"tilescale", sl_data_macros_tilescale, sl_data_macros_tilescale_end},
    {"uccl", sl_data_macros_uccl, sl_data_macros_uccl_end},
};

enum sl_status sl_macros_read(struct sl_macros *macros, struct sl_view list,
                              struct sl_error *error)
{
    struct sl_view line;
    while (sl_view_line(&list, &line)) {
        line = sl_view_trim(line);
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        struct sl_view kind, word = line;
        size_t how = HOW_ATTRIBUTE;
        if (!sl_view_cut(&word, ' ', &kind) || word.len == 0)
            return sl_error_set(error, SL_ERR_SYNTAX,
                                "macro list: not `KIND WORD`: '%.*s'",
                                SL_ARG(sl_view_sub(line, 0, 100)));
        if (sl_view_is(kind, "statement"))
            how = HOW_STATEMENT;
        else if (!sl_view_is(kind, "attribute"))
            return sl_error_set(error, SL_ERR_SYNTAX,
                                "macro list: unknown kind in '%.*s'",
                                SL_ARG(sl_view_sub(line, 0, 100)));
        size_t *value =
            sl_map_put(&macros->words, sl_view_trim(word), how, NULL);
        if (!value)
            return sl_error_nomem(error);
        *value = how;
    }
    return SL_OK;
}

enum sl_status sl_macros_load(struct sl_arena *arena, struct sl_view project,
                              struct sl_macros *macros_out,
                              struct sl_error *error)
{
    struct sl_macros macros;
    sl_map_init(&macros.words, arena);
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < sizeof lists / sizeof *lists; i++)
        if (i == 0 || sl_view_is(project, lists[i].project))
            status = sl_macros_read(
                &macros,
                (struct sl_view){lists[i].begin,
                                 (size_t)(lists[i].end - lists[i].begin)},
                error);
    if (!status)
        *macros_out = macros;
    return status;
}

/* Where the quoted literal that begins at `at` ends (after the quote). */
static size_t skip_quoted(struct sl_view text, size_t at)
{
    char quote = text.ptr[at++];
    while (at < text.len && text.ptr[at] != quote && text.ptr[at] != '\n')
        at += text.ptr[at] == '\\' ? 2 : 1;
    return at < text.len ? at + 1 : text.len;
}

/* R"tag( ... )tag" whose quote is at `at`. */
static size_t skip_raw(struct sl_view text, size_t at)
{
    size_t open = at + 1;
    while (open < text.len && open - at <= 17 && text.ptr[open] != '(')
        open++;
    if (open >= text.len || text.ptr[open] != '(')
        return skip_quoted(text, at);
    char close[20];
    size_t n = 0;
    close[n++] = ')';
    for (size_t i = at + 1; i < open; i++)
        close[n++] = text.ptr[i];
    close[n++] = '"';
    size_t end = sl_view_find(text, (struct sl_view){close, n}, open);
    return end == SIZE_MAX ? text.len : end + n;
}

/* The end of a comment or literal that begins at `at`, or `at` itself. */
static size_t skip_inert(struct sl_view text, size_t at)
{
    const char *p = text.ptr + at;
    char next = at + 1 < text.len ? p[1] : '\0';
    size_t end;
    if (p[0] == '/' && next == '/') {
        end = sl_view_find(text, SL_LIT("\n"), at);
        return end == SIZE_MAX ? text.len : end;
    }
    if (p[0] == '/' && next == '*') {
        end = sl_view_find(text, SL_LIT("*/"), at + 2);
        return end == SIZE_MAX ? text.len : end + 2;
    }
    if (p[0] == '"')
        return at && p[-1] == 'R' ? skip_raw(text, at) : skip_quoted(text, at);
    if (p[0] == '\'' && !(at && sl_is_alnum(p[-1]))) /* not 1'000 */
        return skip_quoted(text, at);
    return at;
}

static size_t skip_space(struct sl_view text, size_t at)
{
    while (at < text.len && sl_is_space(text.ptr[at]))
        at++;
    return at;
}

/* After the `)` of the list that begins at `at`; `at` when it does not end. */
static size_t skip_arguments(struct sl_view text, size_t at)
{
    size_t depth = 0;
    for (size_t i = at; i < text.len;) {
        size_t inert = skip_inert(text, i);
        if (inert > i) {
            i = inert;
            continue;
        }
        char c = text.ptr[i++];
        if (c == '(')
            depth++;
        else if (c == ')' && --depth == 0)
            return i;
        else if (c == '{' || c == ';')
            break; /* no argument list of an attribute */
    }
    return at;
}

static bool names_nvshmem(struct sl_view text)
{
    return sl_view_find(text, SL_LIT("nvshmem"), 0) != SIZE_MAX ||
           sl_view_find(text, SL_LIT("NVSHMEM"), 0) != SIZE_MAX;
}

static bool is_first_of_line(struct sl_view text, size_t at)
{
    while (at && (text.ptr[at - 1] == ' ' || text.ptr[at - 1] == '\t'))
        at--;
    return at == 0 || text.ptr[at - 1] == '\n';
}

/* Where the text to blank ends, for the listed word in [begin, end). */
static size_t blank_end(struct sl_view text, size_t begin, size_t end,
                        size_t how)
{
    size_t open = skip_space(text, end);
    bool call = open < text.len && text.ptr[open] == '(';
    if (how == HOW_STATEMENT) {
        if (!call || !is_first_of_line(text, begin))
            return begin;
        end = skip_arguments(text, open);
        if (end == open)
            return begin;
        size_t semicolon = skip_space(text, end);
        if (semicolon < text.len && text.ptr[semicolon] == ';')
            end = semicolon + 1;
    } else if (call) {
        end = skip_arguments(text, open);
        if (end == open)
            return begin;
    }
    return names_nvshmem(sl_view_sub(text, begin, end)) ? begin : end;
}

static size_t blank(char *copy, size_t begin, size_t end)
{
    size_t n = 0;
    for (size_t i = begin; i < end; i++) {
        if (copy[i] == '\n' || copy[i] == '\r' || copy[i] == ' ')
            continue;
        copy[i] = ' ';
        n++;
    }
    return n;
}

/* Whether the line that `at` is in begins a preprocessor definition. */
static bool is_in_define(struct sl_view text, size_t at)
{
    while (at && text.ptr[at - 1] != '\n')
        at--;
    at = skip_space(text, at);
    return at < text.len && text.ptr[at] == '#';
}

enum sl_status sl_neutralise(struct sl_arena *arena,
                             const struct sl_macros *macros,
                             struct sl_view text, struct sl_view *clean_out,
                             size_t *blanked_out, struct sl_error *error)
{
    char *copy = NULL;
    size_t blanked = 0;
    for (size_t i = 0; i < text.len;) {
        size_t next = skip_inert(text, i);
        if (next == i && !sl_is_word(text.ptr[i]))
            next = i + 1;
        if (next > i) {
            i = next;
            continue;
        }
        while (next < text.len && sl_is_word(text.ptr[next]))
            next++;
        struct sl_view word = sl_view_sub(text, i, next);
        const size_t *how = sl_map_get(&macros->words, word);
        size_t end = how ? blank_end(text, i, next, *how) : i;
        if (end > i && !is_in_define(text, i)) {
            if (!copy) {
                copy = (char *)sl_arena_alloc(arena, text.len + 1);
                if (!copy)
                    return sl_error_nomem(error);
                memcpy(copy, text.ptr, text.len);
            }
            blanked += blank(copy, i, end);
            next = end;
        }
        i = next;
    }
    *clean_out = copy ? (struct sl_view){copy, text.len} : text;
    *blanked_out = blanked;
    return SL_OK;
}
