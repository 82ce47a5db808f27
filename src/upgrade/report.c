/* The answer as text and as JSON. */
#include <string.h>

#include "base/utf8.h"
#include "upgrade/upgrade.h"

#define MAX_LISTED 10u /* files of one kind named in the text; JSON has all */

static const char *const levels[] = {"error", "warning", "note"};

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* A name whose bytes are whatever the file system has: none may steer a terminal. */
static void put_path(struct sl_buf *out, struct sl_view path)
{
    for (size_t i = 0; i < path.len;) {
        size_t n = sl_utf8_length(path, i);
        unsigned char c = (unsigned char)path.ptr[i];
        bool odd = n == 0 || c < ' ' || c == 0x7f || c == '\\' ||
                   sl_utf8_steers(path, i, n);
        for (size_t k = 0; k < (n ? n : 1); k++)
            sl_buf_printf(out, odd ? "\\x%02x" : "%c",
                          (unsigned char)path.ptr[i + k]);
        i += n ? n : 1;
    }
}

static void put_own(struct sl_buf *out, const struct sl_upgrade *upgrade)
{
    if (!upgrade->own_count)
        return;
    sl_buf_puts(out, "names of NVSHMEM's that are taken as your own:\n");
    for (size_t i = 0; i < upgrade->own_count && i < MAX_LISTED * 2; i++) {
        const struct sl_own_name *own = &upgrade->own[i];
        sl_buf_printf(out, "  %.*s %s, defined at ", SL_ARG(own->name),
                      own->reach);
        put_path(out, own->file);
        sl_buf_printf(out, ":%u:%u\n", own->line, own->column);
    }
    if (upgrade->own_count > MAX_LISTED * 2)
        sl_buf_printf(out, "  and %zu more (--json)\n",
                      upgrade->own_count - MAX_LISTED * 2);
}

static void put_left(struct sl_buf *out, const struct sl_upgrade *upgrade,
                     enum sl_left_kind kind, const char *title)
{
    size_t told = 0;
    if (!upgrade->lefts[kind])
        return;
    sl_buf_printf(out, "%s: %zu\n", title, upgrade->lefts[kind]);
    for (size_t i = 0; i < upgrade->left_count && told < MAX_LISTED; i++) {
        const struct sl_left *left = &upgrade->left[i];
        if (left->kind != kind)
            continue;
        told++;
        sl_buf_puts(out, "  ");
        put_path(out, left->path);
        sl_buf_puts(out, " (");
        put_path(out, left->why); /* it may quote the path */
        sl_buf_puts(out, ")\n");
    }
    if (told < upgrade->lefts[kind])
        sl_buf_printf(out, "  and %zu more (--json)\n",
                      upgrade->lefts[kind] - told);
}

static void put_counts(struct sl_buf *out, const struct sl_upgrade *upgrade)
{
    sl_buf_printf(out,
                  "%zu file%s read, %zu that name NVSHMEM parsed; not "
                  "understood %zu of %zu bytes",
                  upgrade->files, plural(upgrade->files), upgrade->parsed,
                  upgrade->unparsed, upgrade->bytes);
    if (upgrade->failed)
        sl_buf_printf(out, ", with %zu file%s not parsed at all",
                      upgrade->failed, plural(upgrade->failed));
    if (upgrade->pasted)
        sl_buf_printf(out, "; %zu name%s that macros paste not judged",
                      upgrade->pasted, plural(upgrade->pasted));
    if (upgrade->links)
        sl_buf_printf(out, "; %zu symbolic link%s not followed",
                      upgrade->links, plural(upgrade->links));
    sl_buf_putc(out, '\n');
}

/* A pointer to what a section says is no place in the code to look at. */
static bool is_section(const struct sl_finding *finding)
{
    return strcmp(finding->kind, "section") == 0;
}

/* Whether item `at` is the first, from `first` on, with its section and name. */
static bool is_new_name(const struct sl_upgrade *upgrade, size_t first,
                        size_t at)
{
    const struct sl_finding *items = upgrade->items;
    for (size_t i = first; i < at; i++)
        if (sl_view_eq(items[i].section, items[at].section) &&
            sl_view_eq(items[i].name, items[at].name))
            return false;
    return true;
}

/* The names that one section speaks of, from item `first` on. */
static void put_names(struct sl_buf *out, const struct sl_upgrade *upgrade,
                      size_t first)
{
    struct sl_view id = upgrade->items[first].section;
    sl_buf_printf(out, "  %.*s:", SL_ARG(id));
    for (size_t i = first; i < upgrade->count; i++) {
        const struct sl_finding *finding = &upgrade->items[i];
        if (sl_view_eq(finding->section, id) && is_new_name(upgrade, first, i))
            sl_buf_printf(out, "%s %.*s", i == first ? "" : ",",
                          SL_ARG(finding->name));
    }
    sl_buf_putc(out, '\n');
}

/* Each section once, those that prove a finding too. */
static void put_sections(struct sl_buf *out, const struct sl_upgrade *upgrade)
{
    bool any = false;
    for (size_t i = 0; i < upgrade->count; i++) {
        bool told = !upgrade->items[i].section.len;
        for (size_t k = 0; !told && k < i; k++)
            told = sl_view_eq(upgrade->items[k].section,
                              upgrade->items[i].section);
        if (told)
            continue;
        if (!any)
            sl_buf_puts(out, "sections that speak of your names and of a "
                             "release on the way (shmemlore show ID):\n");
        any = true;
        put_names(out, upgrade, i);
    }
}

void sl_upgrade_text(struct sl_buf *out, const struct sl_upgrade *upgrade)
{
    const size_t *n = upgrade->levels;
    size_t sections = 0;
    for (size_t i = 0; i < upgrade->count; i++) {
        const struct sl_finding *finding = &upgrade->items[i];
        sections += is_section(finding);
        if (is_section(finding))
            continue;
        put_path(out, finding->file);
        sl_buf_printf(out, ":%u:%u: %s: %.*s [%s]\n", finding->line,
                      finding->column, levels[finding->level],
                      SL_ARG(finding->message), finding->kind);
    }
    sl_buf_printf(out,
                  "NVSHMEM %.*s to %.*s: %zu error%s, %zu warning%s, %zu "
                  "note%s\n",
                  SL_ARG(upgrade->from), SL_ARG(upgrade->to),
                  n[SL_UPGRADE_ERROR], plural(n[SL_UPGRADE_ERROR]),
                  n[SL_UPGRADE_WARNING], plural(n[SL_UPGRADE_WARNING]),
                  n[SL_UPGRADE_NOTE] - sections,
                  plural(n[SL_UPGRADE_NOTE] - sections));
    put_sections(out, upgrade);
    put_counts(out, upgrade);
    put_own(out, upgrade);
    put_left(out, upgrade, SL_LEFT_UNPARSED, "not parsed");
    put_left(out, upgrade, SL_LEFT_UNREAD, "not read");
    put_left(out, upgrade, SL_LEFT_OUT, "left out");
    put_left(out, upgrade, SL_LEFT_UNREADABLE, "could not be read");
}

static void put_string(struct sl_buf *out, const char *key,
                       struct sl_view value)
{
    sl_buf_printf(out, "\"%s\":\"", key);
    sl_buf_json(out, value);
    sl_buf_putc(out, '"');
}

static void put_findings(struct sl_buf *out, const struct sl_upgrade *upgrade)
{
    for (size_t i = 0; i < upgrade->count; i++) {
        const struct sl_finding *finding = &upgrade->items[i];
        sl_buf_puts(out, i ? ",\n{" : "\n{");
        put_string(out, "file", finding->file);
        sl_buf_printf(out,
                      ",\"line\":%u,\"column\":%u,\"level\":\"%s\","
                      "\"kind\":\"%s\",",
                      finding->line, finding->column, levels[finding->level],
                      finding->kind);
        put_string(out, "name", finding->name);
        sl_buf_putc(out, ',');
        put_string(out, "message", finding->message);
        if (finding->section.len) {
            sl_buf_putc(out, ',');
            put_string(out, "section", finding->section);
        }
        sl_buf_putc(out, '}');
    }
}

static void put_json_own(struct sl_buf *out, const struct sl_upgrade *upgrade)
{
    sl_buf_puts(out, "],\"own\":[");
    for (size_t i = 0; i < upgrade->own_count; i++) {
        const struct sl_own_name *own = &upgrade->own[i];
        sl_buf_puts(out, i ? ",\n{" : "\n{");
        put_string(out, "name", own->name);
        sl_buf_putc(out, ',');
        put_string(out, "file", own->file);
        sl_buf_printf(out, ",\"line\":%u,\"column\":%u,", own->line,
                      own->column);
        put_string(out, "reach", sl_view_of(own->reach));
        sl_buf_putc(out, '}');
    }
    sl_buf_putc(out, ']');
}

static void put_json_left(struct sl_buf *out, const struct sl_upgrade *upgrade)
{
    static const char *const kinds[SL_LEFT_KINDS] = {
        [SL_LEFT_UNREADABLE] = "unreadable",
        [SL_LEFT_UNREAD] = "not-read",
        [SL_LEFT_UNPARSED] = "not-parsed",
        [SL_LEFT_OUT] = "left-out",
    };
    sl_buf_puts(out, ",\"left\":[");
    for (size_t i = 0; i < upgrade->left_count; i++) {
        const struct sl_left *left = &upgrade->left[i];
        sl_buf_puts(out, i ? ",\n{" : "\n{");
        put_string(out, "kind", sl_view_of(kinds[left->kind]));
        sl_buf_putc(out, ',');
        put_string(out, "path", left->path);
        sl_buf_putc(out, ',');
        put_string(out, "why", left->why);
        sl_buf_putc(out, '}');
    }
    sl_buf_putc(out, ']');
}

void sl_upgrade_json(struct sl_buf *out, const struct sl_upgrade *upgrade)
{
    sl_buf_puts(out, "{\"schema\":\"shmemlore.upgrade/1\",");
    put_string(out, "from", upgrade->from);
    sl_buf_putc(out, ',');
    put_string(out, "to", upgrade->to);
    sl_buf_puts(out, ",\"findings\":[");
    put_findings(out, upgrade);
    put_json_own(out, upgrade);
    put_json_left(out, upgrade);
    sl_buf_printf(out,
                  ",\"errors\":%zu,\"warnings\":%zu,\"notes\":%zu,"
                  "\"files\":%zu,\"parsed\":%zu,\"failed\":%zu,\"bytes\":%zu,"
                  "\"unparsed\":%zu,\"pasted\":%zu,\"links\":%zu}\n",
                  upgrade->levels[SL_UPGRADE_ERROR],
                  upgrade->levels[SL_UPGRADE_WARNING],
                  upgrade->levels[SL_UPGRADE_NOTE], upgrade->files,
                  upgrade->parsed, upgrade->failed, upgrade->bytes,
                  upgrade->unparsed, upgrade->pasted, upgrade->links);
}
