/* manifest.json: what is in the folder, from where and since when. */
#include <inttypes.h>
#include <string.h>

#include "helpers/docs/fetch.h"
#include "json/json.h"
#include "os/file.h"

#define SCHEMA "shmemlore.docs-manifest/1"

/* JSON's member and the place of its text in an entry. */
static const struct {
    const char *member;
    size_t offset;
} texts[] = {
    {"file", offsetof(struct sl_fetch_entry, file)},
    {"url", offsetof(struct sl_fetch_entry, url)},
    {"date", offsetof(struct sl_fetch_entry, date)},
    {"checked", offsetof(struct sl_fetch_entry, checked)},
    {"sha256", offsetof(struct sl_fetch_entry, sha256)},
    {"type", offsetof(struct sl_fetch_entry, type)},
    {"etag", offsetof(struct sl_fetch_entry, etag)},
    {"last_modified", offsetof(struct sl_fetch_entry, modified)},
    {"note", offsetof(struct sl_fetch_entry, note)},
};
enum { TEXTS = sizeof texts / sizeof *texts };

static struct sl_view *text_of(struct sl_fetch_entry *entry, size_t i)
{
    return (struct sl_view *)(void *)((char *)entry + texts[i].offset);
}

/* The first place whose file is not before `file`. */
static size_t place_of(const struct sl_fetch_manifest *manifest,
                       struct sl_view file)
{
    size_t low = 0;
    size_t high = manifest->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sl_view_cmp(manifest->entries[middle].file, file) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct sl_fetch_entry *sl_manifest_find(struct sl_fetch_manifest *manifest,
                                        struct sl_view file)
{
    size_t at = place_of(manifest, file);
    return at < manifest->count && sl_view_eq(manifest->entries[at].file, file)
               ? &manifest->entries[at]
               : NULL;
}

struct sl_fetch_entry *sl_manifest_put(struct sl_arena *arena,
                                       struct sl_fetch_manifest *manifest,
                                       struct sl_view file)
{
    struct sl_fetch_entry *found = sl_manifest_find(manifest, file);
    if (found)
        return found;
    struct sl_fetch_entry *entries =
        sl_arena_grow(arena, manifest->entries, sizeof *entries,
                      manifest->count, &manifest->cap);
    if (!entries)
        return NULL;
    manifest->entries = entries;
    size_t at = place_of(manifest, file);
    memmove(entries + at + 1, entries + at,
            (manifest->count - at) * sizeof *entries);
    manifest->count++;
    entries[at] = (struct sl_fetch_entry){.file = file};
    return &entries[at];
}

/* What is sent to a server again: one line of printable ASCII. */
static bool is_header_value(struct sl_view value)
{
    for (size_t i = 0; i < value.len; i++)
        if (value.ptr[i] < ' ' || value.ptr[i] > '~')
            return false;
    return true;
}

static bool read_count(const struct sl_json *json, const char *member,
                       uint64_t *count)
{
    int64_t number;
    if (!sl_json_integer(sl_json_get(json, member), &number) || number < 0)
        return false;
    *count = (uint64_t)number;
    return true;
}

/* false: damaged. Texts are copies in the arena. */
static bool read_entry(struct sl_arena *arena, const struct sl_json *json,
                       struct sl_fetch_entry *entry)
{
    *entry = (struct sl_fetch_entry){.bytes = 0};
    if (!sl_json_is_object(json) || !read_count(json, "bytes", &entry->bytes) ||
        !read_count(json, "run", &entry->run))
        return false;
    for (size_t i = 0; i < TEXTS; i++) {
        struct sl_view text = SL_LIT("");
        const struct sl_json *value = sl_json_get(json, texts[i].member);
        if (!sl_json_is_null(value) && !sl_json_text(value, &text))
            return false;
        text = sl_arena_copy(arena, text);
        if (!text.ptr)
            return false;
        *text_of(entry, i) = text;
    }
    return sl_path_is_inside(entry->file) &&
           entry->file.len <= SL_MAX_DOC_PATH + 16 && entry->sha256.len == 64 &&
           is_header_value(entry->etag) && is_header_value(entry->modified);
}

static bool read_entries(struct sl_arena *arena, const struct sl_json *list,
                         struct sl_fetch_manifest *manifest)
{
    size_t count = sl_json_count(list);
    if (!sl_json_is_array(list) || count > SL_MAX_DOC_PAGES)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct sl_fetch_entry entry;
        if (!read_entry(arena, sl_json_at(list, i), &entry) ||
            sl_manifest_find(manifest, entry.file))
            return false;
        struct sl_fetch_entry *place =
            sl_manifest_put(arena, manifest, entry.file);
        if (!place)
            return false;
        *place = entry;
    }
    return true;
}

static bool read_root(struct sl_arena *arena, const struct sl_json *root,
                      struct sl_fetch_manifest *manifest)
{
    if (!sl_view_is(sl_json_member(root, "schema"), SCHEMA) ||
        !sl_json_bool(sl_json_get(root, "complete"), &manifest->complete) ||
        !read_count(root, "run", &manifest->run))
        return false;
    const struct {
        const char *member;
        struct sl_view *to;
    } own[] = {
        {"base", &manifest->base},
        {"project", &manifest->project},
        {"version", &manifest->version},
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        struct sl_view text = sl_json_member(root, own[i].member);
        if (!text.ptr)
            return false;
        *own[i].to = sl_arena_copy(arena, text);
        if (!own[i].to->ptr)
            return false;
    }
    const struct sl_json *inventory = sl_json_get(root, "inventory");
    if (!sl_json_is_null(inventory) &&
        !read_entry(arena, inventory, &manifest->inventory))
        return false;
    return read_entries(arena, sl_json_get(root, "pages"), manifest);
}

enum sl_status sl_manifest_parse(struct sl_arena *arena, struct sl_view text,
                                 struct sl_fetch_manifest *manifest,
                                 struct sl_error *error)
{
    struct sl_json *root;
    enum sl_status status = sl_json_parse(text, &root, error);
    if (status)
        return status;
    if (!read_root(arena, root, manifest))
        status = sl_error_set(error, SL_ERR_SYNTAX,
                              "it is not what `docs fetch` writes");
    sl_json_release(root);
    return status;
}

void sl_fetch_put_member(struct sl_buf *out, const char *member,
                         struct sl_view value)
{
    sl_buf_printf(out, "\"%s\": ", member);
    if (!value.len) {
        sl_buf_puts(out, "null");
        return;
    }
    sl_buf_putc(out, '"');
    sl_buf_json(out, value);
    sl_buf_putc(out, '"');
}

static void put_entry(struct sl_buf *out, const struct sl_fetch_entry *entry)
{
    struct sl_fetch_entry copy = *entry;
    sl_buf_putc(out, '{');
    for (size_t i = 0; i < TEXTS; i++) {
        sl_fetch_put_member(out, texts[i].member, *text_of(&copy, i));
        sl_buf_puts(out, ", ");
    }
    sl_buf_printf(out, "\"bytes\": %" PRIu64 ", \"run\": %" PRIu64 "}",
                  entry->bytes, entry->run);
}

static void put_string(struct sl_buf *out, const char *member,
                       struct sl_view value)
{
    sl_buf_printf(out, " \"%s\": \"", member);
    sl_buf_json(out, value);
    sl_buf_puts(out, "\",\n");
}

void sl_manifest_print(const struct sl_fetch_manifest *manifest,
                       struct sl_buf *out)
{
    sl_buf_puts(out, "{\"schema\": \"" SCHEMA "\",\n");
    put_string(out, "base", manifest->base);
    put_string(out, "project", manifest->project);
    put_string(out, "version", manifest->version);
    sl_buf_printf(out, " \"run\": %" PRIu64 ",\n", manifest->run);
    sl_buf_printf(out, " \"complete\": %s,\n \"inventory\": ",
                  manifest->complete ? "true" : "false");
    if (manifest->inventory.sha256.len)
        put_entry(out, &manifest->inventory);
    else
        sl_buf_puts(out, "null");
    sl_buf_puts(out, ",\n \"pages\": [");
    for (size_t i = 0; i < manifest->count; i++) {
        sl_buf_puts(out, i ? ",\n  " : "\n  ");
        put_entry(out, &manifest->entries[i]);
    }
    sl_buf_puts(out, "\n ]}\n");
}
