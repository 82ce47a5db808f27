#include "usage/file.h"

#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "usage/inside.h"
#include "usage/notebook.h"

/* A node whose text is looked at whole, whatever is below it. */
static bool is_leaf(const struct sl_step *step)
{
    return step->leaf || strcmp(step->type, "string_content") == 0;
}

typedef enum sl_status tell_fn(struct sl_reading *reading,
                               const struct sl_word *word,
                               struct sl_error *error);

static enum sl_status tell_gap(struct sl_reading *reading,
                               const struct sl_word *word,
                               struct sl_error *error)
{
    if (word->kind != SL_WORD_NAME)
        return SL_OK;
    return sl_tell(reading, SL_USE_UNPARSED, sl_word_text(reading, word),
                   word->begin, SL_LIT(""), SL_LIT(""), error);
}

/* Where walk_words() is in the list, and what it does. */
struct visit {
    const struct sl_word *word, *end;
    tell_fn *tell, *gap;
};

/* Takes the words before `offset` off the list; those told already are left. */
static enum sl_status take(struct sl_reading *reading, struct visit *visit,
                           tell_fn *tell, size_t offset,
                           struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (; !status && visit->word < visit->end && visit->word->begin < offset;
         visit->word++)
        if (visit->word->begin >= reading->done)
            status = tell(reading, visit->word, error);
    return status;
}

/* One step of the walk. */
static enum sl_status visit_step(struct sl_reading *reading,
                                 struct visit *visit, bool *more_out,
                                 struct sl_error *error)
{
    const struct sl_step *step = sl_walk_up(&reading->walk, 0);
    bool leaf = is_leaf(step);
    enum sl_status status =
        take(reading, visit, visit->gap, step->begin, error);
    if (!status && leaf)
        status = take(reading, visit, visit->tell, step->end, error);
    if (status)
        return status;
    bool descend =
        !leaf && visit->word < visit->end && visit->word->begin < step->end;
    return sl_walk_next(&reading->walk, descend, more_out, error);
}

/*
 * Goes down to each word and calls `tell` there. Both are in the order of the
 * text; a word that no leaf holds goes to `gap`.
 */
static enum sl_status walk_words(struct sl_reading *reading, tell_fn *tell,
                                 tell_fn *gap, struct sl_error *error)
{
    struct visit visit = {reading->words.items,
                          reading->words.items + reading->words.len, tell,
                          gap};
    enum sl_status status =
        sl_walk_open(reading->tree, &reading->walk, error);
    if (status)
        return status;
    bool more = true;
    reading->done = 0;
    while (!status && more && visit.word < visit.end)
        status = visit_step(reading, &visit, &more, error);
    if (!status)
        status = take(reading, &visit, gap, SIZE_MAX, error);
    sl_walk_close(&reading->walk);
    return status;
}

static enum sl_status no_gap(struct sl_reading *reading,
                             const struct sl_word *word,
                             struct sl_error *error)
{
    (void)reading;
    (void)word;
    (void)error;
    return SL_OK;
}

static enum sl_status tell_word(struct sl_reading *reading,
                                const struct sl_word *word,
                                struct sl_error *error)
{
    if (word->kind == SL_WORD_ENV)
        return sl_tell_any_env(reading, word, error);
    return reading->language == SL_LANGUAGE_PYTHON
               ? sl_tell_python(reading, word, error)
               : sl_tell_c(reading, word, error);
}

/* What the file's imports call the package, looked for as words too. */
static enum sl_status find_aliases(struct sl_reading *reading,
                                   struct sl_error *error)
{
    enum sl_status status = sl_words_add(
        reading->arena, &reading->words, reading->text, SL_WORD_DL,
        SL_LIT(""), error);
    sl_words_sort(&reading->words);
    if (!status)
        status = walk_words(reading, sl_note_aliases, no_gap, error);
    for (size_t i = 0; !status && i < reading->alias_count; i++) {
        const struct sl_alias *alias = &reading->aliases[i];
        if (alias->target.len)
            status = sl_words_add(reading->arena, &reading->words,
                                  reading->text, SL_WORD_ALIAS, alias->name,
                                  error);
    }
    sl_words_sort(&reading->words);
    return status;
}

/* Name and scope in one key; both are stored once, so their places will do. */
struct local {
    const char *name, *scope;
};

static struct sl_view key_of(const struct sl_use *use, struct local *local)
{
    *local = (struct local){use->name.ptr, use->scope.ptr};
    return (struct sl_view){(const char *)local, sizeof *local};
}

/* What shadows the library's names in a file. */
struct shadows {
    struct sl_arena *arena;
    struct sl_map locals;  /* name and function, by their places */
    struct sl_map members; /* "NAME CLASS", of classes that the file declares */
    struct sl_map derived; /* NAME: a class with bases may have it */
};

/* "NAME CLASS" in buf. */
static struct sl_view member_key(struct sl_buf *buf, struct sl_view name,
                                 struct sl_view around)
{
    sl_buf_truncate(buf, 0);
    sl_buf_printf(buf, "%.*s %.*s", SL_ARG(name), SL_ARG(around));
    return sl_buf_view(buf);
}

static bool note_shadow(struct shadows *shadows, const struct sl_use *use,
                        struct sl_buf *buf)
{
    struct local local;
    struct sl_view key;
    if (use->kind == SL_USE_MEMBER && sl_view_is(use->how, "declared")) {
        key = sl_arena_copy(shadows->arena,
                            member_key(buf, use->name, use->around));
        return key.ptr && sl_map_put(&shadows->members, key, 1, NULL) &&
               sl_map_put(&shadows->derived, use->name, 1, NULL);
    }
    if (use->kind != SL_USE_LOCAL)
        return true;
    key = sl_arena_copy(shadows->arena, key_of(use, &local));
    return key.ptr && sl_map_put(&shadows->locals, key, 1, NULL);
}

/* Whether a class around the use has a member of this name. */
static bool is_member_here(const struct shadows *shadows,
                           const struct sl_use *use, struct sl_buf *buf)
{
    if (!sl_map_get(&shadows->derived, use->name))
        return false;
    if (use->inherits)
        return true;
    struct sl_view around = use->around;
    while (around.len) {
        if (sl_map_get(&shadows->members,
                       member_key(buf, use->name, around)))
            return true;
        while (around.len && around.ptr[around.len - 1] != ':')
            around.len--;
        around.len -= around.len > 1 ? 2 : around.len;
    }
    return false;
}

static void settle(const struct shadows *shadows, struct sl_use *use,
                   enum sl_language language, struct sl_buf *buf)
{
    struct local local;
    bool reference = use->kind == SL_USE_REFERENCE;
    if (use->global || (!reference && use->kind != SL_USE_CALL))
        return;
    if (reference && sl_map_get(&shadows->locals, key_of(use, &local)))
        use->kind = SL_USE_LOCAL;
    else if (language == SL_LANGUAGE_CUDA && is_member_here(shadows, use, buf))
        use->kind = SL_USE_MEMBER;
}

/*
 * A reference to a local variable or parameter of the same function is one
 * too, and so is, inside a class, a call of what that class declares, unless it
 * is written ::name.
 */
static enum sl_status settle_shadows(struct sl_reading *reading,
                                     struct sl_error *error)
{
    size_t n = reading->uses->len - reading->first_use;
    if (n == 0) /* then there may be no array to count from */
        return SL_OK;
    struct sl_use *uses = reading->uses->items + reading->first_use;
    struct shadows shadows = {.arena = reading->arena};
    struct sl_buf buf;
    bool noted = true;
    sl_map_init(&shadows.locals, reading->arena);
    sl_map_init(&shadows.members, reading->arena);
    sl_map_init(&shadows.derived, reading->arena);
    sl_buf_init(&buf, SL_MAX_USAGE_NAME * 4);
    for (size_t i = 0; noted && i < n; i++)
        noted = note_shadow(&shadows, &uses[i], &buf);
    for (size_t i = 0; noted && i < n; i++)
        settle(&shadows, &uses[i], reading->language, &buf);
    sl_buf_release(&buf);
    return noted ? SL_OK : sl_error_nomem(error);
}

static enum sl_status read_tree(struct sl_reading *reading,
                                const struct sl_macros *macros,
                                const struct sl_file_wants *wants,
                                struct sl_file_report *report,
                                struct sl_error *error)
{
    struct sl_tree *tree = NULL;
    enum sl_status status = SL_OK;
    reading->clean = reading->text;
    if (reading->language == SL_LANGUAGE_CUDA)
        status = sl_neutralise(reading->arena, macros, reading->text,
                               &reading->clean, &report->blanked, error);
    if (!status)
        status = sl_parse(reading->parser, reading->language, reading->clean,
                          reading->text, SL_MAX_PARSE_MS, &tree, error);
    if (status)
        return status;
    reading->tree = tree;
    status = sl_tree_coverage(tree, &report->coverage, error);
    if (!status && reading->language == SL_LANGUAGE_PYTHON)
        status = find_aliases(reading, error);
    else if (!status)
        status = sl_find_dead(reading, error);
    if (!status)
        status = walk_words(reading, tell_word, tell_gap, error);
    if (!status)
        status = settle_shadows(reading, error);
    if (!status && wants->fields && reading->language == SL_LANGUAGE_CUDA)
        status = sl_typed_read(reading->uses, tree, wants->fields, error);
    report->parsed = !status;
    sl_macro_body_close(&reading->macro);
    reading->tree = NULL;
    sl_tree_free(tree);
    return status;
}

/* A comment or literal, and where the search for the next goes on. */
struct skipped {
    size_t begin, end;
};

/* Whether the offset stands in one; offsets go up. */
static bool is_skipped(struct sl_view text, struct skipped *skipped,
                       size_t offset)
{
    while (skipped->end <= offset) {
        skipped->begin = skipped->end;
        skipped->end = sl_text_skip(text, skipped->begin);
        if (skipped->end == skipped->begin)
            skipped->end++;
    }
    return skipped->end > skipped->begin + 1;
}

/*
 * Every word as unparsed, or as what stands in comments and literals of C: a cap
 * stopped the grammar.
 */
static enum sl_status tell_all(struct sl_reading *reading,
                               struct sl_error *error)
{
    enum sl_status status = SL_OK;
    struct skipped skipped = {0, 0};
    reading->uses->len = reading->first_use;
    for (size_t i = 0; !status && i < reading->words.len; i++) {
        const struct sl_word *word = &reading->words.items[i];
        if (reading->language != SL_LANGUAGE_CUDA ||
            !is_skipped(reading->text, &skipped, word->begin)) {
            status = tell_gap(reading, word, error);
            continue;
        }
        bool comment = reading->text.ptr[skipped.begin] == '/';
        status = sl_tell(reading, comment ? SL_USE_COMMENT : SL_USE_STRING,
                         sl_word_text(reading, word), word->begin, SL_LIT(""),
                         SL_LIT(""), error);
    }
    return status;
}

/* By the name, or by the first line of a script that has no ending. */
static enum sl_language language_of(const struct sl_reading *reading)
{
    enum sl_language language = sl_language_of(reading->path);
    struct sl_view line, rest = reading->text;
    if (language == SL_LANGUAGE_NONE && sl_view_starts(rest, "#!") &&
        sl_view_line(&rest, &line) &&
        sl_view_find(line, SL_LIT("python"), 0) != SIZE_MAX)
        return SL_LANGUAGE_PYTHON;
    return language;
}

/* The words, then the reader of what the file is. */
static enum sl_status read_text(struct sl_reading *reading,
                                const struct sl_macros *macros,
                                const struct sl_file_wants *wants,
                                struct sl_file_report *report,
                                struct sl_error *error)
{
    bool code = reading->language != SL_LANGUAGE_NONE;
    size_t first_typed = reading->uses->typed_len;
    enum sl_status status =
        sl_words_add(reading->arena, &reading->words, reading->text,
                     SL_WORD_NAME, SL_LIT(""), error);
    if (!status && wants->all_env && code)
        status = sl_words_add(reading->arena, &reading->words, reading->text,
                              SL_WORD_ENV, SL_LIT(""), error);
    sl_words_sort(&reading->words);
    if (status || !reading->words.len)
        return status;
    if (!code)
        return sl_tell_lines(reading, report, error);
    status = read_tree(reading, macros, wants, report, error);
    report->failed = status != SL_OK;
    if (status != SL_ERR_LIMIT)
        return status;
    reading->uses->typed_len = first_typed;
    return tell_all(reading, NULL);
}

enum sl_status sl_file_uses(struct sl_parser *parser,
                            const struct sl_macros *macros,
                            struct sl_view path, struct sl_view text,
                            const struct sl_file_wants *wants,
                            struct sl_uses *uses,
                            struct sl_file_report *report_out,
                            struct sl_error *error)
{
    struct sl_file_report report = {.parsed = false};
    struct sl_notebook notebook = {.count = 0};
    size_t typed = uses->typed_len;
    struct sl_arena arena;
    enum sl_status status = SL_OK;
    sl_arena_init(&arena, SL_MAX_FILE_ARENA);
    bool is_notebook = sl_view_ends(path, ".ipynb");
    if (is_notebook)
        status = sl_notebook_read(&arena, text, &notebook, error);
    if (is_notebook && (status == SL_ERR_SYNTAX || status == SL_ERR_LIMIT)) {
        report.failed = report.unread = true;
        report.coverage.bytes = text.len;
        sl_arena_release(&arena);
        *report_out = report;
        return SL_OK;
    }
    for (size_t i = 0; !status && i < (is_notebook ? SL_NOTEBOOK_PARTS : 1u);
         i++) {
        struct sl_reading reading = {
            .parser = parser,
            .arena = &arena,
            .uses = uses,
            .path = is_notebook ? sl_view_of(notebook.parts[i].path) : path,
            .text = is_notebook ? notebook.parts[i].text : text,
            .first_use = uses->len,
        };
        reading.language = language_of(&reading);
        status = read_text(&reading, macros, wants, &report, error);
        for (size_t k = reading.first_use; is_notebook && k < uses->len; k++)
            sl_notebook_place(&notebook, &uses->items[k].line,
                              &uses->items[k].column);
        for (; is_notebook && typed < uses->typed_len; typed++)
            sl_notebook_place(&notebook, &uses->typed[typed].line,
                              &uses->typed[typed].column);
    }
    report.coverage.bytes = text.len;
    sl_arena_release(&arena);
    if (!status)
        *report_out = report;
    return status;
}
