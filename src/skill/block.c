#include "skill/block.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "os/file.h"
#include "os/lock.h"

#define BOM "\xef\xbb\xbf"
#define WAIT_MS 30000u

/* A text with its block: text[begin, end), from marker to marker. */
struct host {
    struct sl_view text;
    bool has; /* the block */
    size_t begin, end;
    const char *eol;
};

struct work {
    struct sl_arena *arena;
    const struct sl_skill_block_place *place;
    struct sl_skill_block_done *done;
    struct sl_view text;
    bool is_there; /* the file */
};

static enum sl_status refuse(unsigned line, const char *why,
                             struct sl_error *error)
{
    return sl_error_set(error, SL_ERR_SYNTAX,
                        "%u: %s; mend it by hand, nothing was changed", line,
                        why);
}

/* Finds the one pair of markers, or none. */
static enum sl_status find_block(struct host *host, struct sl_error *error)
{
    struct sl_view rest = host->text, line;
    unsigned number = 0, begin = 0, end = 0;
    if (sl_view_starts(rest, BOM))
        rest = sl_view_sub(rest, sizeof BOM - 1, rest.len);
    while (sl_view_line(&rest, &line)) {
        struct sl_view word = sl_view_trim(line);
        size_t at = word.len ? (size_t)(word.ptr - host->text.ptr) : 0;
        number++;
        if (sl_view_is(word, SL_SKILL_BLOCK_BEGIN)) {
            if (begin)
                return refuse(number, "a second line " SL_SKILL_BLOCK_BEGIN,
                              error);
            begin = number;
            host->begin = at;
        } else if (sl_view_is(word, SL_SKILL_BLOCK_END)) {
            if (!begin || end)
                return refuse(number,
                              "a line " SL_SKILL_BLOCK_END
                              " without one that begins",
                              error);
            end = number;
            host->end = at + word.len;
        }
    }
    if (begin && !end)
        return refuse(begin,
                      "a line " SL_SKILL_BLOCK_BEGIN " without one that ends",
                      error);
    host->has = begin;
    return SL_OK;
}

static enum sl_status check_kind(const struct work *w, struct sl_view file,
                                 struct sl_error *error)
{
    enum sl_path_kind kind = sl_path_kind_beneath(w->place->base, file);
    if (kind == SL_PATH_NONE || kind == SL_PATH_FILE)
        return SL_OK;
    return sl_error_set(error, SL_ERR_REFUSED, "%s %s; %s", w->done->path,
                        kind == SL_PATH_LINK
                            ? "is, or is reached by, a symbolic link"
                            : "is no regular file",
                        kind == SL_PATH_LINK ? "name the file that it leads to"
                                             : "name another file");
}

/* A folder that is missing is known in the dry run, not when writing. */
static enum sl_status check_parent(const struct work *w, struct sl_view file,
                                   struct sl_error *error)
{
    const char *slash = strrchr(w->place->file, '/');
    if (w->is_there || !slash)
        return SL_OK;
    struct sl_view part =
        sl_view_sub(file, 0, (size_t)(slash - w->place->file));
    if (sl_path_kind_beneath(w->place->base, part) == SL_PATH_FOLDER)
        return SL_OK;
    return sl_error_set(error, SL_ERR_REFUSED,
                        "%s: its folder is not there; make it first",
                        w->done->path);
}

static enum sl_status read_host(struct work *w, struct sl_error *error)
{
    struct sl_view file = sl_view_of(w->place->file);
    struct sl_skill_block_done *done = w->done;
    int n = snprintf(done->path, sizeof done->path, "%s/%s", w->place->base,
                     w->place->file);
    if (n < 0 || (size_t)n + 32 >= sizeof done->path)
        return sl_error_set(error, SL_ERR_LIMIT, "path is too long: %s",
                            w->place->file);
    if (!sl_path_is_inside(file))
        return sl_error_set(error, SL_ERR_USAGE,
                            "%s is no path in the project, such as AGENTS.md",
                            w->place->file);
    if (!sl_path_is_folder(w->place->base))
        return sl_error_set(error, SL_ERR_USAGE, "%s is no folder",
                            w->place->base);
    enum sl_status status = check_kind(w, file, error);
    if (status)
        return status;
    status = sl_file_read_beneath(w->arena, w->place->base, file,
                                  SL_MAX_SKILL_HOST, &w->text, error);
    if (status == SL_ERR_LIMIT)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%s has over %u MiB; no file for agents is that "
                            "long, nothing was changed",
                            done->path, SL_MAX_SKILL_HOST >> 20);
    w->is_there = !status;
    return status == SL_ERR_NOTFOUND ? SL_OK : status;
}

static void put_lines(struct sl_buf *out, struct sl_view block, const char *eol)
{
    struct sl_view line;
    for (bool first = true; sl_view_line(&block, &line); first = false) {
        if (!first)
            sl_buf_puts(out, eol);
        sl_buf_add(out, line);
    }
}

/* The file with the block, in place of the old one or behind the text. */
static void with_block(struct sl_buf *out, const struct host *host,
                       struct sl_view block)
{
    if (host->has) {
        sl_buf_add(out, sl_view_sub(host->text, 0, host->begin));
        put_lines(out, block, host->eol);
        sl_buf_add(out, sl_view_sub(host->text, host->end, host->text.len));
        return;
    }
    /* a text without a line end keeps none, so that taking out restores it */
    bool ends = !host->text.len || sl_view_ends(host->text, "\n");
    sl_buf_add(out, host->text);
    if (!ends)
        sl_buf_puts(out, host->eol);
    put_lines(out, block, host->eol);
    if (ends)
        sl_buf_puts(out, host->eol);
}

/* The file without the block and one line end: behind it, else before it. */
static void without_block(struct sl_buf *out, const struct host *host)
{
    struct sl_view before = sl_view_sub(host->text, 0, host->begin);
    struct sl_view after =
        sl_view_sub(host->text, host->end, host->text.len);
    size_t skip = sl_view_starts(after, "\r\n") ? 2
                  : sl_view_starts(after, "\n") ? 1
                                                : 0;
    if (!after.len && sl_view_ends(before, "\n"))
        before.len -= sl_view_ends(before, "\r\n") ? 2 : 1;
    sl_buf_add(out, before);
    sl_buf_add(out, sl_view_sub(after, skip, after.len));
}

enum sl_status sl_skill_block_edit(struct sl_view text,
                                   const struct sl_view *block,
                                   struct sl_buf *out, bool *had_out,
                                   struct sl_error *error)
{
    struct host host = {.text = text, .eol = "\n"};
    struct sl_view nul = {"", 1};
    *had_out = false;
    if (sl_utf8_invalid(text) != SIZE_MAX ||
        sl_view_find(text, nul, 0) != SIZE_MAX)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            " no UTF-8 text; nothing was changed");
    if (sl_view_ends(text, "\r")) /* a line end of ours would join it */
        return sl_error_set(error, SL_ERR_SYNTAX,
                            " a carriage return at the end without a line "
                            "feed; mend it by hand, nothing was changed");
    size_t line_end = sl_view_find(text, SL_LIT("\n"), 0);
    if (line_end != SIZE_MAX && line_end && text.ptr[line_end - 1] == '\r')
        host.eol = "\r\n";
    enum sl_status status = find_block(&host, error);
    if (status)
        return status;
    *had_out = host.has;
    if (block)
        with_block(out, &host, *block);
    else if (host.has)
        without_block(out, &host);
    else
        sl_buf_add(out, text);
    return sl_buf_check(out, error);
}

/* Keeps the file as it was, beside it: .AGENTS.md.backup-XXXXXX */
static enum sl_status keep(struct work *w, struct sl_error *error)
{
    struct sl_skill_block_done *done = w->done;
    char staged[SL_MAX_PATH + SL_STAGE_SUFFIX];
    enum sl_status status = sl_file_stage(done->path, w->text, staged,
                                          sizeof staged, error);
    if (status)
        return status;
    const char *name = strrchr(done->path, '/') + 1;
    (void)snprintf(done->backup, sizeof done->backup, "%.*s.%s.backup-%s",
                   (int)(name - done->path), done->path, name,
                   strrchr(staged, '.') + 1);
    if (rename(staged, done->backup) == 0)
        return SL_OK;
    status = sl_error_set(error, SL_ERR_IO, "cannot make %s: %s", done->backup,
                          strerror(errno));
    done->backup[0] = '\0';
    (void)!sl_file_remove(staged, NULL);
    return status;
}

static enum sl_status settle(struct work *w, struct sl_view text,
                             struct sl_error *error)
{
    struct sl_skill_block_done *done = w->done;
    enum sl_status status = w->is_there ? keep(w, error) : SL_OK;
    if (status)
        return status;
    status = text.len ? sl_file_write(done->path, text, error)
                      : sl_file_remove(done->path, error);
    if (status && done->backup[0]) /* the file itself is as it was */
        (void)!sl_file_remove(done->backup, NULL);
    return status;
}

static enum sl_skill_block_did did_of(const struct work *w, bool put, bool had,
                                      struct sl_view text)
{
    if (!put)
        return had ? SL_SKILL_BLOCK_REMOVED : SL_SKILL_BLOCK_ABSENT;
    if (!had)
        return w->is_there ? SL_SKILL_BLOCK_ADDED : SL_SKILL_BLOCK_MADE;
    return sl_view_eq(text, w->text) ? SL_SKILL_BLOCK_SAME
                                     : SL_SKILL_BLOCK_UPDATED;
}

/* block NULL: takes it out. */
static enum sl_status change(struct work *w, const struct sl_view *block,
                             struct sl_buf *text, struct sl_error *error)
{
    struct sl_skill_block_done *done = w->done;
    struct sl_error why = {SL_OK, ""};
    bool had;
    enum sl_status status = read_host(w, error);
    if (!status && block)
        status = check_parent(w, sl_view_of(w->place->file), error);
    if (status)
        return status;
    status = sl_skill_block_edit(w->text, block, text, &had, &why);
    if (status == SL_ERR_SYNTAX)
        return sl_error_set(error, SL_ERR_REFUSED, "%s:%s", done->path,
                            why.message);
    if (status)
        return sl_error_set(error, status, "%s", why.message);
    if (block && text->len > SL_MAX_SKILL_HOST) /* it could not be taken out */
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%s would have over %u MiB with the index; nothing "
                            "was changed",
                            done->path, SL_MAX_SKILL_HOST >> 20);
    done->did = did_of(w, block, had, sl_buf_view(text));
    if (w->place->dry || done->did == SL_SKILL_BLOCK_SAME ||
        done->did == SL_SKILL_BLOCK_ABSENT)
        return SL_OK;
    return settle(w, sl_buf_view(text), error);
}

static enum sl_status run(struct sl_arena *arena,
                          const struct sl_skill_block_place *place,
                          const struct sl_view *block,
                          struct sl_skill_block_done *done_out,
                          struct sl_error *error)
{
    struct sl_skill_block_done done = {.did = SL_SKILL_BLOCK_SAME};
    struct work w = {.arena = arena, .place = place, .done = &done};
    struct sl_file_lock lock = SL_FILE_LOCK_NONE;
    struct sl_buf text;
    enum sl_status status = SL_OK;
    sl_buf_init(&text, SL_MAX_SKILL_HOST + 2u * SL_MAX_SKILL_GUIDE);
    if (!place->dry)
        status = sl_folder_lock_write(&lock, place->base, WAIT_MS, error);
    if (!status)
        status = change(&w, block, &text, error);
    sl_file_lock_release(&lock);
    sl_buf_release(&text);
    if (!status)
        *done_out = done;
    return status;
}

enum sl_status sl_skill_block_put(struct sl_arena *arena,
                                  const struct sl_skill_block_place *place,
                                  struct sl_view block,
                                  struct sl_skill_block_done *done_out,
                                  struct sl_error *error)
{
    return run(arena, place, &block, done_out, error);
}

enum sl_status sl_skill_block_take(struct sl_arena *arena,
                                   const struct sl_skill_block_place *place,
                                   struct sl_skill_block_done *done_out,
                                   struct sl_error *error)
{
    return run(arena, place, NULL, done_out, error);
}
