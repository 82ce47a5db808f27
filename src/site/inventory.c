#include "site/inventory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"

#define BAD_FILE "the inventory is no Sphinx inventory of version 2: "

/* Encoded; 255 is what file systems take, and a suffix may be added. */
#define MAX_COMPONENT 240u

/* A line of the inventory: NAME DOMAIN:ROLE PRIORITY URI TITLE */
struct entry {
    struct sl_view name;
    struct sl_view type;
    struct sl_view uri;
};

static bool inflate_all(z_stream *stream, struct sl_buf *text, int *code_out)
{
    char chunk[16384];
    int code = Z_OK;
    while (code == Z_OK && !text->failed) {
        stream->next_out = (Bytef *)chunk;
        stream->avail_out = sizeof chunk;
        code = inflate(stream, Z_NO_FLUSH);
        sl_buf_add(text, (struct sl_view){chunk,
                                          sizeof chunk - stream->avail_out});
    }
    *code_out = code;
    return code == Z_STREAM_END;
}

static enum sl_status unpack(struct sl_view packed, struct sl_buf *text,
                             struct sl_error *error)
{
    z_stream stream = {.next_in = (z_const Bytef *)packed.ptr,
                       .avail_in = (uInt)packed.len};
    if (inflateInit(&stream) != Z_OK)
        return sl_error_nomem(error);
    int code;
    bool whole = inflate_all(&stream, text, &code);
    inflateEnd(&stream);
    enum sl_status status = sl_buf_check(text, NULL);
    if (status == SL_ERR_LIMIT)
        return sl_error_set(error, status,
                            "the inventory unpacks to more than %u bytes",
                            SL_MAX_INVENTORY_TEXT);
    if (status || code == Z_MEM_ERROR)
        return sl_error_nomem(error);
    if (!whole)
        return sl_error_set(error, SL_ERR_SYNTAX, "%s",
                            code == Z_BUF_ERROR
                                ? "the inventory's packed part is cut off"
                                : "the inventory's packed part is damaged");
    return SL_OK;
}

/* "# Project: X" */
static bool header_line(struct sl_view *rest, const char *label,
                        struct sl_view *value_out)
{
    struct sl_view line;
    if (!sl_view_line(rest, &line) || !sl_view_starts(line, label))
        return false;
    *value_out = sl_view_trim(sl_view_sub(line, strlen(label), line.len));
    return true;
}

static enum sl_status read_header(struct sl_view *rest,
                                  struct sl_inventory *inventory,
                                  struct sl_error *error)
{
    struct sl_view value;
    if (!header_line(rest, "# Sphinx inventory version ", &value))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            BAD_FILE "its first line does not say so");
    if (!sl_view_is(value, "2"))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            BAD_FILE "it is of version '%.*s'",
                            SL_ARG(sl_view_sub(value, 0, 20)));
    if (!header_line(rest, "# Project:", &inventory->project) ||
        !header_line(rest, "# Version:", &inventory->version) ||
        !header_line(rest, "#", &value) ||
        sl_view_find(value, SL_LIT("zlib"), 0) == SIZE_MAX)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            BAD_FILE "its header lacks a line");
    return SL_OK;
}

/* The next word after blanks, from *at on; *at goes behind it. */
static struct sl_view next_word(struct sl_view line, size_t *at)
{
    size_t begin = *at;
    while (begin < line.len && sl_is_space(line.ptr[begin]))
        begin++;
    size_t end = begin;
    while (end < line.len && !sl_is_space(line.ptr[end]))
        end++;
    *at = end;
    return sl_view_sub(line, begin, end);
}

static bool is_priority(struct sl_view word)
{
    uint64_t value;
    if (word.len && word.ptr[0] == '-')
        word = sl_view_sub(word, 1, word.len);
    return sl_view_number(word, UINT32_MAX, &value);
}

/*
 * A name may hold blanks, so the type is the first word behind the name that
 * has a colon in it and a number after it. The site's own folder is an empty
 * address.
 */
static bool read_entry(struct sl_view line, struct entry *entry_out)
{
    size_t name_end = 0;
    (void)next_word(line, &name_end);
    while (name_end < line.len) {
        size_t at = name_end;
        struct sl_view type = next_word(line, &at);
        size_t type_end = at;
        struct sl_view priority = next_word(line, &at);
        if (memchr(type.ptr, ':', type.len) && is_priority(priority)) {
            size_t begin = at + 1; /* one blank: the address may be empty */
            while (++at < line.len && !sl_is_space(line.ptr[at]))
                ;
            *entry_out = (struct entry){sl_view_sub(line, 0, name_end), type,
                                        sl_view_sub(line, begin, at)};
            return at < line.len;
        }
        name_end = type_end;
    }
    return false;
}

static int hex_digit(char c)
{
    if (sl_is_digit(c))
        return c - '0';
    c = sl_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte that text has at *at, an encoding undone; *at goes behind it. */
static unsigned char decoded(struct sl_view text, size_t *at, bool *encoded_out)
{
    size_t i = (*at)++;
    *encoded_out = false;
    if (text.ptr[i] == '%' && i + 2 < text.len) {
        int high = hex_digit(text.ptr[i + 1]);
        int low = hex_digit(text.ptr[i + 2]);
        if (high >= 0 && low >= 0) {
            *at = i + 3;
            *encoded_out = true;
            return (unsigned char)(high * 16 + low);
        }
    }
    return (unsigned char)text.ptr[i];
}

/* No page's path has it, at the start of a component or elsewhere. */
static bool is_refused(unsigned char c, bool encoded, bool at_start)
{
    if (c < ' ' || c == 0x7f || c == '\\')
        return true;
    if (encoded ? c == '/' : c == '?' || c == ':')
        return true;
    return at_start && (c == '.' || c == '/');
}

/*
 * Appends the path in its one form; false for what is not a plain path below
 * the site: absolute, with a scheme, a query, an empty or dotted component (an
 * encoded dot is a dot), a backslash, an encoded slash, a control character, a
 * component that is too long for a file's name.
 */
static bool put_path(struct sl_view uri, struct sl_buf *path)
{
    bool at_start = true; /* of a component */
    size_t start = path->len;
    for (size_t i = 0; i < uri.len;) {
        bool encoded;
        unsigned char c = decoded(uri, &i, &encoded);
        if (is_refused(c, encoded, at_start))
            return false;
        at_start = c == '/';
        if (path->len - start > MAX_COMPONENT)
            return false;
        if (sl_is_alnum((char)c) || strchr("-._~/", c))
            sl_buf_putc(path, (char)c);
        else
            sl_buf_printf(path, "%%%02X", c);
        if (at_start)
            start = path->len;
    }
    return path->len - start <= MAX_COMPONENT;
}

/* Pages that hold no text of their own: Sphinx makes them for navigation. */
static bool is_generated(const struct entry *entry)
{
    static const char *const names[] = {"genindex", "modindex", "py-modindex",
                                        "search"};
    if (!sl_view_is(entry->type, "std:label") &&
        !sl_view_is(entry->type, "std:doc"))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sl_view_is(entry->name, names[i]) &&
            sl_view_starts(entry->uri, names[i]))
            return true;
    return false;
}

struct list {
    struct sl_arena *arena;
    struct sl_inventory_page *pages;
    size_t count;
    size_t cap;
    struct sl_map seen; /* paths */
};

static enum sl_status add_page(struct list *list, struct sl_view path)
{
    struct sl_inventory_page *pages = sl_arena_grow(
        list->arena, list->pages, sizeof *pages, list->count, &list->cap);
    struct sl_buf file;
    sl_buf_init(&file, SL_MAX_DOC_PATH + 16);
    sl_buf_add(&file, path);
    if (path.len == 0 || sl_view_ends(path, "/"))
        sl_buf_puts(&file, "index.html");
    struct sl_inventory_page page = {
        sl_arena_copy(list->arena, path),
        sl_arena_copy(list->arena, sl_buf_view(&file))};
    bool failed = sl_buf_check(&file, NULL) != SL_OK;
    sl_buf_release(&file);
    if (!pages || failed || !page.path.ptr || !page.file.ptr)
        return SL_ERR_NOMEM;
    list->pages = pages;
    pages[list->count++] = page;
    if (!sl_map_put(&list->seen, page.path, 0, NULL))
        return SL_ERR_NOMEM;
    return list->count > SL_MAX_DOC_PAGES ? SL_ERR_LIMIT : SL_OK;
}

/* *refused_out: the line does not lead to a page of the site. */
static enum sl_status add_line(struct list *list, struct sl_view line,
                               bool *refused_out)
{
    struct entry entry;
    *refused_out = false;
    if (!read_entry(line, &entry)) {
        *refused_out = true;
        return SL_OK;
    }
    size_t hash = sl_view_find(entry.uri, SL_LIT("#"), 0);
    struct sl_view uri =
        sl_view_sub(entry.uri, 0, hash == SIZE_MAX ? entry.uri.len : hash);
    if (is_generated(&entry))
        return SL_OK;
    struct sl_buf path;
    sl_buf_init(&path, SL_MAX_DOC_PATH);
    bool inside = true;
    if (hash == SIZE_MAX && sl_view_ends(uri, "$")) { /* stands for the name */
        inside = put_path(sl_view_sub(uri, 0, uri.len - 1), &path) &&
                 put_path(entry.name, &path);
    } else {
        inside = put_path(uri, &path);
    }
    *refused_out = !inside || path.failed == SL_ERR_LIMIT;
    enum sl_status status = path.failed == SL_ERR_NOMEM ? SL_ERR_NOMEM : SL_OK;
    if (!status && !*refused_out &&
        !sl_map_get(&list->seen, sl_buf_view(&path)))
        status = add_page(list, sl_buf_view(&path));
    sl_buf_release(&path);
    return status;
}

static int by_file(const void *a, const void *b)
{
    const struct sl_inventory_page *x = a;
    const struct sl_inventory_page *y = b;
    int order = sl_view_cmp(x->file, y->file);
    return order ? order : sl_view_cmp(x->path, y->path);
}

/* Whether a folder of the page's file is another page's file. */
static bool is_below_page(const struct list *list,
                          const struct sl_inventory_page *page)
{
    for (size_t i = 1; i < page->file.len; i++)
        if (page->file.ptr[i] == '/' &&
            sl_map_get(&list->seen, sl_view_sub(page->file, 0, i)))
            return true;
    return false;
}

/*
 * Each file once; of "a/" and "a/index.html" the shorter path. Gives the number
 * of pages that no file can be made for, which are left out.
 */
static size_t sort_pages(struct list *list)
{
    size_t kept = 0;
    size_t refused = 0;
    if (list->count)
        qsort(list->pages, list->count, sizeof *list->pages, by_file);
    for (size_t i = 0; i < list->count; i++) {
        const struct sl_inventory_page *page = &list->pages[i];
        if (kept && sl_view_eq(list->pages[kept - 1].file, page->file))
            continue;
        if (is_below_page(list, page))
            refused++;
        else
            list->pages[kept++] = *page;
    }
    list->count = kept;
    return refused;
}

static enum sl_status read_lines(struct sl_arena *arena, struct sl_view text,
                                 struct sl_inventory *inventory,
                                 struct sl_error *error)
{
    struct list list = {.arena = arena};
    sl_map_init(&list.seen, arena);
    struct sl_view line;
    while (sl_view_line(&text, &line)) {
        if (sl_view_trim(line).len == 0)
            continue;
        if (++inventory->entries > SL_MAX_INVENTORY_ENTRIES)
            return sl_error_set(error, SL_ERR_LIMIT,
                                "the inventory has more than %u entries",
                                SL_MAX_INVENTORY_ENTRIES);
        bool refused;
        enum sl_status status = add_line(&list, line, &refused);
        if (status == SL_ERR_LIMIT)
            return sl_error_set(error, status,
                                "the inventory has more than %u pages",
                                SL_MAX_DOC_PAGES);
        if (status)
            return sl_error_nomem(error);
        if (refused && inventory->refused++ == 0)
            inventory->first_refused = line;
    }
    inventory->refused += sort_pages(&list);
    inventory->pages = list.pages;
    inventory->count = list.count;
    return SL_OK;
}

enum sl_status sl_inventory_parse(struct sl_arena *arena, struct sl_view bytes,
                                  struct sl_inventory *inventory_out,
                                  struct sl_error *error)
{
    if (bytes.len > SL_MAX_INVENTORY)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "the inventory has more than %u bytes",
                            SL_MAX_INVENTORY);
    struct sl_inventory inventory = {.count = 0};
    struct sl_buf text;
    sl_buf_init(&text, SL_MAX_INVENTORY_TEXT);
    enum sl_status status = read_header(&bytes, &inventory, error);
    if (!status)
        status = unpack(bytes, &text, error);
    if (!status)
        status = read_lines(arena, sl_buf_view(&text), &inventory, error);
    if (!status) { /* these still point into what goes */
        struct sl_view *views[] = {&inventory.project, &inventory.version,
                                   &inventory.first_refused};
        for (size_t i = 0; i < 3 && !status; i++) {
            *views[i] = sl_arena_copy(arena, sl_view_sub(*views[i], 0, 200));
            if (!views[i]->ptr)
                status = sl_error_nomem(error);
        }
    }
    sl_buf_release(&text);
    if (!status)
        *inventory_out = inventory;
    return status;
}
