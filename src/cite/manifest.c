#include "cite/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "os/file.h"
#include "text/hash.h"

#define MAGIC "shmemlore-lines 2 "
#define HASH_CHARS 11
#define ROW_CHARS 77 /* seven hashes */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "abcdefghijklmnopqrstuvwxyz0123456789-_";

static uint64_t blank_hash(void)
{
    return sl_line_hash(SL_LIT(""));
}

void sl_hash_put(struct sl_buf *out, uint64_t hash)
{
    if (hash == blank_hash()) {
        sl_buf_putc(out, '.');
        return;
    }
    char text[HASH_CHARS];
    for (size_t i = HASH_CHARS; i-- > 0; hash >>= 6)
        text[i] = digits[hash & 63];
    sl_buf_add(out, (struct sl_view){text, sizeof text});
}

static bool digit_of(char c, uint64_t *digit_out)
{
    if (sl_is_upper(c))
        *digit_out = (uint64_t)(c - 'A');
    else if (sl_is_lower(c))
        *digit_out = (uint64_t)(c - 'a') + 26;
    else if (sl_is_digit(c))
        *digit_out = (uint64_t)(c - '0') + 52;
    else if (c == '-' || c == '_')
        *digit_out = c == '-' ? 62 : 63;
    else
        return false;
    return true;
}

bool sl_hash_take(struct sl_view *rest, uint64_t *hash_out)
{
    if (rest->len && rest->ptr[0] == '.') {
        *hash_out = blank_hash();
        *rest = sl_view_sub(*rest, 1, rest->len);
        return true;
    }
    if (rest->len < HASH_CHARS)
        return false;
    uint64_t hash = 0;
    for (size_t i = 0; i < HASH_CHARS; i++) {
        uint64_t digit;
        /* eleven digits hold 66 bits: the first may use four of its six */
        if (!digit_of(rest->ptr[i], &digit) || (i == 0 && digit > 15))
            return false;
        hash = hash << 6 | digit;
    }
    *hash_out = hash;
    *rest = sl_view_sub(*rest, HASH_CHARS, rest->len);
    return true;
}

static enum sl_status add_file(struct sl_arena *arena, struct sl_manifest *m,
                               struct sl_view path, struct sl_error *error)
{
    m->files = sl_arena_grow(arena, m->files, sizeof *m->files, m->file_count,
                             &m->file_cap);
    if (!m->files)
        return sl_error_nomem(error);
    m->files[m->file_count++] =
        (struct sl_manifest_file){.path = path, .first = m->line_count};
    return SL_OK;
}

static enum sl_status add_line(struct sl_arena *arena, struct sl_manifest *m,
                               uint64_t hash, struct sl_error *error)
{
    if (m->line_count >= SL_MAX_MANIFEST_LINES)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a line manifest of more than %u lines",
                            SL_MAX_MANIFEST_LINES);
    m->hashes = sl_arena_grow(arena, m->hashes, sizeof *m->hashes,
                              m->line_count, &m->line_cap);
    if (!m->hashes)
        return sl_error_nomem(error);
    m->hashes[m->line_count++] = hash;
    m->files[m->file_count - 1].count++;
    return SL_OK;
}

static enum sl_status bad(struct sl_error *error, size_t line,
                          const char *what)
{
    return sl_error_set(error, SL_ERR_SYNTAX, "line %zu: %s", line, what);
}

static bool is_hex(struct sl_view v)
{
    for (size_t i = 0; i < v.len; i++)
        if (!sl_is_digit(v.ptr[i]) && !(v.ptr[i] >= 'a' && v.ptr[i] <= 'f'))
            return false;
    return v.len == 40;
}

/* A name that no line of the manifest, and no citation, could hold. */
static bool has_control(struct sl_view path)
{
    for (size_t i = 0; i < path.len; i++)
        if ((unsigned char)path.ptr[i] < 0x20)
            return true;
    return false;
}

/* What the first line says that follows. */
struct totals {
    uint64_t files, lines;
};

static enum sl_status parse_head(struct sl_view line, struct sl_manifest *m,
                                 struct totals *totals_out,
                                 struct sl_error *error)
{
    if (!sl_view_starts(line, MAGIC))
        return bad(error, 1, "no line manifest: it does not begin with "
                             "'" MAGIC "SOURCE COMMIT FILES LINES'");
    line = sl_view_sub(line, sizeof MAGIC - 1, line.len);
    struct sl_view files;
    if (!sl_view_cut(&line, ' ', &m->source) || !m->source.len ||
        has_control(m->source) || !sl_view_cut(&line, ' ', &m->commit) ||
        !is_hex(m->commit))
        return bad(error, 1, "no source id and commit after '" MAGIC "'");
    if (!sl_view_cut(&line, ' ', &files) ||
        !sl_view_number(files, SL_MAX_TREE_FILES, &totals_out->files) ||
        !sl_view_number(line, SL_MAX_MANIFEST_LINES, &totals_out->lines))
        return bad(error, 1, "no number of files and of lines after the "
                             "commit");
    return SL_OK;
}

static enum sl_status check_totals(const struct sl_manifest *m,
                                   const struct totals *totals,
                                   struct sl_error *error)
{
    if (m->file_count == totals->files && m->line_count == totals->lines)
        return SL_OK;
    return sl_error_set(error, SL_ERR_SYNTAX,
                        "line 1: it says %llu files and %llu lines, but %zu "
                        "and %zu follow: a part is missing, or two were mixed",
                        (unsigned long long)totals->files,
                        (unsigned long long)totals->lines, m->file_count,
                        m->line_count);
}

/* "PATH COUNT" after "file ". */
static enum sl_status parse_file(struct sl_arena *arena, struct sl_manifest *m,
                                 struct sl_view line, size_t number,
                                 uint64_t *count_out, struct sl_error *error)
{
    size_t space = line.len;
    while (space && line.ptr[space - 1] != ' ')
        space--;
    struct sl_view path = sl_view_sub(line, 0, space ? space - 1 : 0);
    if (!sl_view_number(sl_view_sub(line, space, line.len),
                        SL_MAX_MANIFEST_LINES, count_out) ||
        !sl_path_is_inside(path) || has_control(path))
        return bad(error, number, "not 'file PATH COUNT'");
    if (m->file_count >= SL_MAX_TREE_FILES)
        return sl_error_set(error, SL_ERR_LIMIT, "line %zu: more than %u files",
                            number, SL_MAX_TREE_FILES);
    if (m->file_count &&
        sl_view_cmp(m->files[m->file_count - 1].path, path) >= 0)
        return bad(error, number, "the files are not sorted by path");
    return add_file(arena, m, path, error);
}

/* What stands after "path ". */
static enum sl_status parse_path(struct sl_arena *arena, struct sl_manifest *m,
                                 struct sl_view path, size_t number,
                                 struct sl_error *error)
{
    struct sl_view plain = path;
    if (sl_view_ends(plain, "/"))
        plain.len--;
    if (!sl_path_is_inside(plain) || has_control(plain) || m->file_count)
        return bad(error, number, "not 'path PATH' in front of all files");
    if (m->path_count >= SL_MAX_YAML_NODES)
        return sl_error_set(error, SL_ERR_LIMIT, "line %zu: more than %u paths",
                            number, SL_MAX_YAML_NODES);
    m->paths = sl_arena_grow(arena, m->paths, sizeof *m->paths, m->path_count,
                             &m->path_cap);
    if (!m->paths)
        return sl_error_nomem(error);
    m->paths[m->path_count++] = path;
    return SL_OK;
}

/* A line that is not of hashes. */
static enum sl_status parse_entry(struct sl_arena *arena, struct sl_manifest *m,
                                  struct sl_view line, size_t number,
                                  uint64_t *wanted_out, struct sl_error *error)
{
    struct sl_view rest = sl_view_sub(line, 5, line.len);
    if (sl_view_starts(line, "path "))
        return parse_path(arena, m, rest, number, error);
    if (sl_view_starts(line, "file "))
        return parse_file(arena, m, rest, number, wanted_out, error);
    return bad(error, number, "expected 'file PATH COUNT'");
}

/* Room for the lines that the head names: a line takes a byte at least. */
static enum sl_status reserve(struct sl_arena *arena, struct sl_manifest *m,
                              uint64_t lines, size_t bytes,
                              struct sl_error *error)
{
    m->line_cap = lines < bytes ? (size_t)lines : bytes;
    if (!m->line_cap)
        return SL_OK;
    m->hashes = sl_arena_alloc(arena, m->line_cap * sizeof *m->hashes);
    return m->hashes ? SL_OK : sl_error_nomem(error);
}

enum sl_status sl_manifest_parse(struct sl_arena *arena, struct sl_view bytes,
                                 struct sl_manifest *manifest_out,
                                 struct sl_error *error)
{
    if (bytes.len > SL_MAX_MANIFEST)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a line manifest of %zu bytes; the limit is %u",
                            bytes.len, SL_MAX_MANIFEST);
    struct sl_manifest m = {.source = SL_LIT("")};
    struct sl_view rest = bytes;
    struct sl_view line = SL_LIT("");
    (void)sl_view_line(&rest, &line);
    struct totals totals = {0, 0};
    enum sl_status status = parse_head(line, &m, &totals, error);
    if (!status)
        status = reserve(arena, &m, totals.lines, bytes.len, error);
    uint64_t wanted = 0; /* hashes that the open file still lacks */
    for (size_t number = 2; !status && sl_view_line(&rest, &line); number++) {
        if (wanted == 0) {
            status = parse_entry(arena, &m, line, number, &wanted, error);
            continue;
        }
        if (!line.len)
            return bad(error, number, "expected hashes, found an empty line");
        while (!status && line.len) {
            uint64_t hash;
            if (wanted-- == 0 || !sl_hash_take(&line, &hash))
                return bad(error, number,
                           "not a hash, or more of them than the file's count");
            status = add_line(arena, &m, hash, error);
        }
    }
    if (status)
        return status;
    if (wanted)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "line 1: cut off: the last file lacks %llu hashes",
                            (unsigned long long)wanted);
    status = check_totals(&m, &totals, error);
    if (!status)
        *manifest_out = m;
    return status;
}

bool sl_manifest_may_have(struct sl_view path)
{
    struct sl_view part;
    if (has_control(path))
        return false;
    while (sl_view_cut(&path, '/', &part))
        if (sl_view_starts(part, "."))
            return false;
    return true;
}

enum sl_status sl_manifest_add(struct sl_arena *arena, struct sl_manifest *m,
                               struct sl_view path, struct sl_view bytes,
                               struct sl_error *error)
{
    if (bytes.len && memchr(bytes.ptr, '\0', bytes.len))
        return SL_OK;
    enum sl_status status = add_file(arena, m, path, error);
    struct sl_view line;
    while (!status && sl_view_line(&bytes, &line))
        status = add_line(arena, m, sl_line_hash(line), error);
    return status;
}

/* One file of the tree. */
static enum sl_status hash_file(struct sl_arena *arena, struct sl_manifest *m,
                                const char *tree, struct sl_view path,
                                struct sl_error *error)
{
    struct sl_arena text;
    sl_arena_init(&text, SL_MAX_TREE_FILE + SL_MAX_PATH);
    struct sl_view bytes;
    enum sl_status status = sl_file_read_beneath(
        &text, tree, path, SL_MAX_TREE_FILE, &bytes, error);
    struct sl_error why = {SL_OK, ""};
    if (!status)
        status = sl_manifest_add(arena, m, path, bytes, &why);
    if (status && why.status)
        (void)sl_error_set(error, status, "%s/%.*s: %.200s", tree,
                           SL_ARG(path), why.message);
    sl_arena_release(&text);
    return status;
}

enum sl_status sl_manifest_build(struct sl_arena *arena,
                                 const struct sl_source *source,
                                 const char *tree,
                                 struct sl_manifest *manifest_out,
                                 struct sl_error *error)
{
    struct sl_manifest m = {.source = source->id,
                            .commit = source->commit,
                            .paths = source->cited,
                            .path_count = source->cited_count};
    struct sl_view *paths;
    size_t count;
    enum sl_status status = sl_folder_list(arena, tree, NULL, SL_MAX_TREE_FILES,
                                           &paths, &count, error);
    for (size_t i = 0; !status && i < count; i++)
        if (sl_source_may_cite(source, paths[i]) && !has_control(paths[i]))
            status = hash_file(arena, &m, tree, paths[i], error);
    if (!status)
        *manifest_out = m;
    return status;
}

void sl_manifest_write(struct sl_buf *out, const struct sl_manifest *manifest)
{
    sl_buf_printf(out, MAGIC "%.*s %.*s %zu %zu\n",
                  SL_ARG(manifest->source), SL_ARG(manifest->commit),
                  manifest->file_count, manifest->line_count);
    for (size_t i = 0; i < manifest->path_count; i++)
        sl_buf_printf(out, "path %.*s\n", SL_ARG(manifest->paths[i]));
    for (size_t i = 0; i < manifest->file_count; i++) {
        const struct sl_manifest_file *file = &manifest->files[i];
        sl_buf_printf(out, "file %.*s %zu\n", SL_ARG(file->path), file->count);
        size_t row = out->len;
        for (size_t j = 0; j < file->count; j++) {
            if (out->len - row > ROW_CHARS - HASH_CHARS) {
                sl_buf_putc(out, '\n');
                row = out->len;
            }
            sl_hash_put(out, manifest->hashes[file->first + j]);
        }
        if (file->count)
            sl_buf_putc(out, '\n');
    }
}

bool sl_manifest_is_for(const struct sl_manifest *manifest,
                        const struct sl_source *source)
{
    if (manifest->path_count != source->cited_count)
        return false;
    for (size_t i = 0; i < source->cited_count; i++)
        if (!sl_view_eq(manifest->paths[i], source->cited[i]))
            return false;
    return true;
}

static int path_order(const void *key, const void *element)
{
    const struct sl_manifest_file *file = element;
    return sl_view_cmp(*(const struct sl_view *)key, file->path);
}

const struct sl_manifest_file *
sl_manifest_find(const struct sl_manifest *manifest, struct sl_view path)
{
    if (!manifest->file_count)
        return NULL;
    return bsearch(&path, manifest->files, manifest->file_count,
                   sizeof *manifest->files, path_order);
}

const struct sl_manifest_file *
sl_manifest_file_at(const struct sl_manifest *manifest, size_t at)
{
    size_t low = 0;
    size_t high = manifest->file_count; /* files[low].first <= at */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (manifest->files[middle].first <= at)
            low = middle;
        else
            high = middle;
    }
    return &manifest->files[low];
}

static int place_order(const void *a, const void *b)
{
    const struct sl_manifest_place *x = a;
    const struct sl_manifest_place *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

enum sl_status sl_manifest_index(struct sl_arena *arena,
                                 struct sl_manifest *manifest,
                                 struct sl_error *error)
{
    if (manifest->places || !manifest->line_count)
        return SL_OK;
    struct sl_manifest_place *places =
        sl_arena_alloc(arena, manifest->line_count * sizeof *places);
    if (!places)
        return sl_error_nomem(error);
    for (size_t i = 0; i < manifest->line_count; i++)
        places[i] = (struct sl_manifest_place){manifest->hashes[i],
                                               (uint32_t)i};
    qsort(places, manifest->line_count, sizeof *places, place_order);
    manifest->places = places;
    return SL_OK;
}
