#include "cite/show.h"

#include <stdio.h>

#include "base/limits.h"
#include "os/file.h"
#include "text/hash.h"

/* The same words with and without the tree; `why` differs. */
static enum sl_status unknown(const struct sl_shown_citation *shown,
                              const char *why, struct sl_error *error)
{
    return sl_error_set(error, SL_ERR_NOTFOUND,
                        "nothing is known of the lines '%.*s': %.250s",
                        SL_ARG(sl_view_sub(shown->text, 0, 200)), why);
}

/* The cited lines out of the file's bytes. */
static enum sl_status cut_lines(struct sl_arena *arena, struct sl_view bytes,
                                struct sl_shown_citation *shown,
                                struct sl_error *error)
{
    const struct sl_citation *c = &shown->citation;
    shown->lines =
        sl_arena_alloc(arena, (c->last - c->first + 1) * sizeof *shown->lines);
    if (!shown->lines)
        return sl_error_nomem(error);
    struct sl_view line;
    size_t number = 0;
    while (number < c->last && sl_view_line(&bytes, &line))
        if (++number >= c->first)
            shown->lines[number - c->first] = line;
    char why[64];
    if (number >= c->last)
        return SL_OK;
    (void)snprintf(why, sizeof why, "the file has %zu lines at the pinned "
                   "commit", number);
    return unknown(shown, why, error);
}

/* The cited lines out of the tree. */
static enum sl_status read_lines(struct sl_arena *arena, const char *tree,
                                 struct sl_shown_citation *shown,
                                 struct sl_error *error)
{
    struct sl_view bytes;
    switch (sl_path_kind_beneath(tree, shown->citation.path)) {
    case SL_PATH_NONE:
        return unknown(shown, "the source has no such file at the pinned "
                              "commit", error);
    case SL_PATH_FOLDER:
    case SL_PATH_OTHER:
        return unknown(shown, "that is no file at the pinned commit", error);
    default:
        break;
    }
    enum sl_status status =
        sl_file_read_beneath(arena, tree, shown->citation.path,
                             SL_MAX_TREE_FILE, &bytes, error);
    return status ? status : cut_lines(arena, bytes, shown, error);
}

static bool is_same(const struct sl_shown_citation *shown)
{
    size_t n = shown->citation.last - shown->citation.first + 1;
    for (size_t i = 0; i < n; i++)
        if (sl_line_hash(shown->lines[i]) != shown->entry->lines[i])
            return false;
    return true;
}

/* What the lock knows; why: of the tree, which is not there or not used. */
static enum sl_status without_tree(struct sl_arena *arena,
                                   struct sl_shown_citation *shown,
                                   const struct sl_error *why,
                                   struct sl_error *error)
{
    bool refused = why->status == SL_ERR_REFUSED;
    if (!shown->entry) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "they are not in the lock; run: shmemlore sources sync "
                       "%.*s",
                       SL_ARG(shown->source->id));
        return unknown(shown, refused ? why->message : text, error);
    }
    if (refused) {
        shown->refused = sl_arena_copy(arena, sl_view_of(why->message)).ptr;
        if (!shown->refused)
            return sl_error_nomem(error);
    }
    return SL_OK;
}

enum sl_status sl_citation_show(struct sl_arena *arena,
                                const struct sl_sources *sources,
                                const struct sl_lock *lock,
                                struct sl_view text,
                                struct sl_shown_citation *shown_out,
                                struct sl_error *error)
{
    struct sl_shown_citation shown = {.text = text};
    enum sl_status status = sl_citation_parse(text, &shown.citation, error);
    if (status)
        return status;
    shown.source = sl_sources_find(sources, shown.citation.source);
    if (!shown.source)
        return sl_error_set(error, SL_ERR_NOTFOUND, "no source '%.*s'",
                            SL_ARG(shown.citation.source));
    shown.entry = lock ? sl_lock_find(lock, text) : NULL;
    shown.state = SL_SHOWN_LOCKED;
    const char *tree;
    struct sl_error why = {SL_OK, ""};
    status = sl_source_tree_open(arena, shown.source, &tree, &why);
    if (status == SL_ERR_NOTFOUND || status == SL_ERR_REFUSED) {
        status = without_tree(arena, &shown, &why, error);
        if (!status)
            *shown_out = shown;
        return status;
    }
    if (status)
        return sl_error_set(error, status, "%s", why.message);
    status = read_lines(arena, tree, &shown, error);
    if (status)
        return status;
    if (shown.entry)
        shown.state = is_same(&shown) ? SL_SHOWN_SAME : SL_SHOWN_OTHER;
    else
        shown.state = SL_SHOWN_LINES;
    *shown_out = shown;
    return SL_OK;
}

/* Foreign text must not steer the terminal. */
static void put_line(struct sl_buf *out, struct sl_view line)
{
    for (size_t i = 0; i < line.len; i++) {
        unsigned char c = (unsigned char)line.ptr[i];
        sl_buf_putc(out, (c < 0x20 && c != '\t') || c == 0x7f ? '?' : (char)c);
    }
}

static void text_lines(struct sl_buf *out,
                       const struct sl_shown_citation *shown)
{
    const struct sl_citation *c = &shown->citation;
    sl_buf_putc(out, '\n');
    for (unsigned i = c->first; i <= c->last; i++) {
        sl_buf_printf(out, "%7u  ", i);
        put_line(out, shown->lines[i - c->first]);
        sl_buf_putc(out, '\n');
    }
}

void sl_citation_show_text(struct sl_buf *out,
                           const struct sl_shown_citation *shown)
{
    const struct sl_source *source = shown->source;
    const struct sl_citation *c = &shown->citation;
    sl_buf_printf(out, "%.*s\n", SL_ARG(shown->text));
    sl_buf_printf(out, "%.*s (%.*s, commit %.*s)\n", SL_ARG(source->title),
                  SL_ARG(source->tag), SL_ARG(source->commit));
    sl_buf_printf(out, "licence of the file: %.*s\n",
                  SL_ARG(sl_source_licence(source, c->path)));
    sl_source_permalink(out, source, c);
    sl_buf_putc(out, '\n');
    if (shown->entry && shown->entry->symbol.len)
        sl_buf_printf(out, "cited for: %.*s\n", SL_ARG(shown->entry->symbol));
    if (shown->lines)
        text_lines(out, shown);
    sl_buf_putc(out, '\n');
    switch (shown->state) {
    case SL_SHOWN_SAME:
        sl_buf_puts(out, "These are the lines that were cited.\n");
        break;
    case SL_SHOWN_OTHER:
        sl_buf_puts(out, "These are NOT the lines that were cited: run "
                         "shmemlore verify.\n");
        break;
    case SL_SHOWN_LINES:
        sl_buf_puts(out, "Not in the lock: the lines are shown as they are at "
                         "the pinned commit.\n");
        break;
    case SL_SHOWN_LOCKED:
        sl_buf_printf(out,
                      "The lock has the hashes of %u line%s, taken at commit "
                      "%.*s.\n",
                      c->last - c->first + 1, c->last > c->first ? "s" : "",
                      SL_ARG(shown->entry->commit));
        break;
    }
    if (shown->refused) {
        put_line(out, sl_view_of(shown->refused));
        sl_buf_puts(out, ".\n");
    } else if (!shown->lines) {
        sl_buf_printf(out, "To read them here: shmemlore sources sync %.*s\n",
                      SL_ARG(source->id));
    }
}

static void member(struct sl_buf *out, const char *key, struct sl_view text)
{
    sl_buf_printf(out, ",\"%s\":\"", key);
    sl_buf_json(out, text);
    sl_buf_putc(out, '"');
}

void sl_citation_show_json(struct sl_buf *out,
                           const struct sl_shown_citation *shown)
{
    static const char *const states[] = {
        [SL_SHOWN_LOCKED] = "locked",
        [SL_SHOWN_SAME] = "same",
        [SL_SHOWN_OTHER] = "other",
        [SL_SHOWN_LINES] = "lines",
    };
    const struct sl_source *source = shown->source;
    const struct sl_citation *c = &shown->citation;
    struct sl_view symbol = {NULL, 0};
    if (shown->entry)
        symbol = shown->entry->symbol;
    sl_buf_puts(out, "{\"schema\":\"shmemlore.show/1\","
                     "\"kind\":\"citation\",\"found\":true");
    member(out, "ref", shown->text);
    member(out, "source", source->id);
    member(out, "title", source->title);
    member(out, "tag", source->tag);
    member(out, "commit", source->commit);
    member(out, "path", c->path);
    sl_buf_printf(out, ",\"first\":%u,\"last\":%u", c->first, c->last);
    member(out, "licence", sl_source_licence(source, c->path));
    sl_buf_puts(out, ",\"permalink\":\"");
    sl_source_permalink(out, source, c); /* its characters need no escape */
    sl_buf_putc(out, '"');
    member(out, "symbol", symbol);
    member(out, "state", sl_view_of(states[shown->state]));
    sl_buf_puts(out, ",\"lines\":");
    if (shown->lines) {
        for (unsigned i = 0; i <= c->last - c->first; i++) {
            sl_buf_puts(out, i ? "\",\"" : "[\"");
            sl_buf_json(out, shown->lines[i]);
        }
        sl_buf_puts(out, "\"]");
    } else {
        sl_buf_puts(out, "null");
    }
    sl_buf_printf(out, ",\"sync\":\"shmemlore sources sync %.*s\"}\n",
                  SL_ARG(source->id));
}
