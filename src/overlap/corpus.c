#include "overlap/corpus.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "os/file.h"
#include "os/stream.h"

enum { HEAD = 8192 }; /* bytes by which the kind of a file is told */

static enum sl_status add(struct sl_corpus *corpus, struct sl_corpus_file file,
                          struct sl_error *error)
{
    if (corpus->count >= SL_MAX_OVERLAP_FILES)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "more than %u files: compare them in parts",
                            SL_MAX_OVERLAP_FILES);
    corpus->files =
        sl_arena_grow(corpus->arena, corpus->files, sizeof *corpus->files,
                      corpus->count, &corpus->cap);
    if (!corpus->files)
        return sl_error_nomem(error);
    corpus->files[corpus->count++] = file;
    corpus->bytes += file.bytes;
    return SL_OK;
}

static enum sl_status add_file(struct sl_corpus *corpus, const char *path,
                               bool named, struct sl_error *error)
{
    char head[HEAD];
    struct sl_stream stream;
    size_t len = 0;
    enum sl_status status = sl_stream_open(path, &stream, error);
    if (status)
        return status;
    status = sl_stream_read(&stream, head, sizeof head, &len, error);
    struct sl_corpus_file file = {.path = path, .bytes = stream.size};
    sl_stream_close(&stream);
    if (status)
        return status;
    file.kind = sl_prose_kind_of(sl_view_of(path),
                                 (struct sl_view){head, len}, named);
    if (file.kind != SL_PROSE_NONE)
        return add(corpus, file, error);
    if (named)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "%s is no text, or a script: nothing in it can be "
                            "compared",
                            path);
    corpus->skipped++;
    return SL_OK;
}

/* A folder that lies too deep is told as a file that cannot be read. */
static enum sl_status add_deep(struct sl_corpus *corpus, const char *path,
                               const struct sl_deep *deep,
                               struct sl_error *error)
{
    struct sl_error why;
    struct sl_view text = {NULL, 0};
    enum sl_status status = SL_OK;
    sl_error_set(&why, SL_ERR_LIMIT,
                 "a folder more than %u deep is not entered: name it itself",
                 SL_MAX_OVERLAP_DEPTH);
    if (deep->count)
        text = sl_arena_copy(corpus->arena, sl_view_of(why.message));
    for (size_t i = 0; !status && i < deep->count; i++) {
        struct sl_corpus_file file = {
            .path = sl_path_join(corpus->arena, path, deep->paths[i]),
            .kind = SL_PROSE_PLAIN,
            .fault = text.ptr};
        status = file.path && text.ptr ? add(corpus, file, error)
                                       : sl_error_nomem(error);
    }
    return status;
}

static enum sl_status add_folder(struct sl_corpus *corpus, const char *path,
                                 struct sl_error *error)
{
    struct sl_view *names;
    struct sl_deep deep = {.count = 0};
    size_t count;
    enum sl_status status =
        sl_folder_list_to(corpus->arena, path, SL_MAX_OVERLAP_FILES,
                          SL_MAX_OVERLAP_DEPTH, &names, &count, &deep, error);
    for (size_t i = 0; !status && i < count; i++) {
        const char *full = sl_path_join(corpus->arena, path, names[i]);
        if (!full)
            return sl_error_nomem(error);
        /* what cannot be read is told when its turn comes */
        struct sl_corpus_file unread = {.path = full, .kind = SL_PROSE_PLAIN};
        status = add_file(corpus, full, false, error);
        if (status == SL_ERR_IO || status == SL_ERR_REFUSED)
            status = add(corpus, unread, error);
    }
    return status ? status : add_deep(corpus, path, &deep, error);
}

static bool is_latex(const struct sl_corpus_file *file)
{
    return file->kind == SL_PROSE_LATEX;
}

/* What the LaTeX files define may be used in any of them. */
static enum sl_status define(struct sl_corpus *corpus, struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < corpus->count; i++) {
        if (!is_latex(&corpus->files[i]))
            continue;
        struct sl_arena arena;
        struct sl_view text;
        struct sl_error inner;
        const char *path = corpus->files[i].path;
        sl_arena_init(&arena, 2ul * SL_MAX_OVERLAP_FILE);
        /* one that cannot be read is told when its prose is */
        if (!sl_file_read(&arena, path, SL_MAX_OVERLAP_FILE, &text, NULL))
            status = sl_latex_define(&corpus->reader.latex, text, &inner);
        sl_arena_release(&arena);
        if (status == SL_ERR_LIMIT) { /* it is left out, and that is told */
            struct sl_view copy = sl_arena_copy(corpus->arena,
                                                sl_view_of(inner.message));
            corpus->files[i].fault = copy.ptr;
            status = copy.ptr ? SL_OK : sl_error_nomem(&inner);
        }
        if (status)
            sl_error_set(error, status, "%s: %s", path, inner.message);
    }
    return status;
}

enum sl_status sl_corpus_list(struct sl_corpus *corpus_out,
                              struct sl_arena *arena, char *const *paths,
                              size_t count, struct sl_error *error)
{
    struct sl_corpus *corpus = corpus_out;
    *corpus = (struct sl_corpus){.arena = arena};
    sl_prose_reader_init(&corpus->reader, arena);
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < count; i++) {
        if (strcmp(paths[i], "-") == 0) {
            struct sl_corpus_file file = {.kind = SL_PROSE_PLAIN};
            corpus->streamed = true;
            status = add(corpus, file, error);
        } else if (sl_path_is_folder(paths[i])) {
            status = add_folder(corpus, paths[i], error);
        } else {
            status = add_file(corpus, paths[i], true, error);
        }
    }
    return status ? status : define(corpus, error);
}

void sl_corpus_release(struct sl_corpus *corpus)
{
    sl_prose_reader_release(&corpus->reader);
}

struct reading {
    struct sl_corpus *corpus;
    sl_corpus_visit *visit;
    void *context;
    char *block; /* of plain text, SL_OVERLAP_BLOCK */
    struct sl_prose prose;
};

/* The length up to which text can be cut without cutting a word. */
static size_t cut(const char *text, size_t len)
{
    size_t end = len;
    while (end && !sl_is_space(text[end - 1]))
        end--;
    return end ? end : len;
}

static bool is_letter(char c)
{
    return sl_is_alpha(c) || (c & 0x80);
}

/* Where the hyphen begins that ends the line before `at`, or SIZE_MAX. */
static size_t hyphen_before(const char *text, size_t at)
{
    static const char *const hyphens[] = {"-", "\u2010", "\u00ad"};
    at -= at && text[at - 1] == '\r';
    for (size_t i = 0; i < sizeof hyphens / sizeof *hyphens; i++) {
        size_t n = strlen(hyphens[i]);
        if (at > n && memcmp(text + at - n, hyphens[i], n) == 0 &&
            is_letter(text[at - n - 1]))
            return at - n;
    }
    return SIZE_MAX;
}

/*
 * A word of which the one half ends a line with a hyphen and the other begins the
 * next one. With `join` it becomes one, and the end of the line comes behind it, so
 * that the text is as long as before and lines stay. Gives whether there is any.
 */
static bool look_for_hyphens(char *text, size_t len, bool join)
{
    bool found = false;
    for (size_t i = 0; i < len; i++) {
        char *line_end = memchr(text + i, '\n', len - i);
        if (!line_end)
            break;
        i = (size_t)(line_end - text);
        size_t half = hyphen_before(text, i), next = i + 1;
        while (next < len && (text[next] == ' ' || text[next] == '\t'))
            next++;
        if (half == SIZE_MAX || next == len || !is_letter(text[next]))
            continue;
        found = true;
        if (!join)
            return true;
        size_t end = next;
        while (end < len && is_letter(text[end]))
            end++;
        memmove(text + half, text + next, end - next);
        half += end - next;
        memset(text + half, ' ', end - half);
        text[half] = '\n';
        i = half;
    }
    return found;
}

/* In the other reading no piece ends between the halves of a word. */
static size_t cut_before_hyphen(const char *text, size_t used)
{
    size_t end = used;
    while (end && sl_is_space(text[end - 1]))
        end--;
    if (hyphen_before(text, end) == SIZE_MAX)
        return used;
    while (end && !sl_is_space(text[end - 1]))
        end--;
    return end ? end : used;
}

/* Plain text of any length. *visited: the visitor said stop. */
static enum sl_status read_plain(struct reading *r, size_t index,
                                 bool *visited, struct sl_error *error)
{
    const struct sl_corpus_file *file = &r->corpus->files[index];
    struct sl_stream stream;
    enum sl_status status = sl_stream_open(file->path, &stream, error);
    if (status)
        return status;
    size_t kept = 0;
    uint32_t line = 1;
    for (bool first = true, more = true; more && !status; first = false) {
        size_t len = 0;
        status = sl_stream_read(&stream, r->block + kept,
                                SL_OVERLAP_BLOCK - kept, &len, error);
        if (status)
            break;
        more = kept + len == SL_OVERLAP_BLOCK;
        len += kept;
        size_t used = more ? cut(r->block, len) : len;
        if (more)
            used = cut_before_hyphen(r->block, used);
        if (r->corpus->join || !r->corpus->hyphens)
            r->corpus->hyphens = look_for_hyphens(r->block, used,
                                                  r->corpus->join) ||
                                 r->corpus->hyphens;
        struct sl_view piece = {r->block, used};
        status = r->visit(r->context, index, NULL, 0, piece, line, first,
                          error);
        *visited = status != SL_OK;
        for (size_t i = 0; i < used; i++)
            line += r->block[i] == '\n';
        kept = len - used;
        memmove(r->block, r->block + used, kept);
    }
    sl_stream_close(&stream);
    return status;
}

static enum sl_status read_whole(struct reading *r, size_t index,
                                 bool *visited, struct sl_error *error)
{
    const struct sl_corpus_file *file = &r->corpus->files[index];
    struct sl_arena arena;
    struct sl_view text;
    sl_arena_init(&arena, 2ul * SL_MAX_OVERLAP_FILE);
    sl_prose_clear(&r->prose);
    enum sl_status status = sl_file_read(&arena, file->path,
                                         SL_MAX_OVERLAP_FILE, &text, error);
    if (!status)
        status = sl_prose_read(&r->corpus->reader, file->kind, text,
                               &r->prose, error);
    if (!status) {
        status = r->visit(r->context, index, r->prose.marks,
                          r->prose.mark_count, sl_buf_view(&r->prose.text), 1,
                          true, error);
        *visited = status != SL_OK;
    }
    sl_arena_release(&arena);
    return status;
}

static enum sl_status read_one(struct reading *r, size_t index, bool *visited,
                               struct sl_error *error)
{
    const struct sl_corpus_file *file = &r->corpus->files[index];
    if (file->fault)
        return sl_error_set(error, SL_ERR_LIMIT, "%s", file->fault);
    return file->kind == SL_PROSE_PLAIN
               ? read_plain(r, index, visited, error)
               : read_whole(r, index, visited, error);
}

static enum sl_status read_all(struct reading *r, struct sl_faults *faults,
                               struct sl_error *error)
{
    for (size_t i = 0; i < r->corpus->count; i++) {
        const struct sl_corpus_file *file = &r->corpus->files[i];
        struct sl_error own = {SL_OK, ""};
        bool visited = false;
        enum sl_status status = read_one(r, i, &visited, &own);
        if (!status)
            continue;
        if (visited || status == SL_ERR_NOMEM) {
            *error = own;
            return status;
        }
        faults->tell(faults->context, file->path ? file->path : "-", &own);
        faults->count++;
    }
    return SL_OK;
}

enum sl_status sl_corpus_read(struct sl_corpus *corpus, sl_corpus_visit *visit,
                              void *context, struct sl_faults *faults,
                              struct sl_error *error)
{
    struct reading r = {.corpus = corpus, .visit = visit, .context = context};
    sl_prose_init(&r.prose);
    r.block = malloc(SL_OVERLAP_BLOCK);
    enum sl_status status = r.block ? read_all(&r, faults, error)
                                    : sl_error_nomem(error);
    free(r.block);
    sl_prose_release(&r.prose);
    return status;
}
