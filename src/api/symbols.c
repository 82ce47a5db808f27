#include "api/symbols.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "api/table.h"
#include "base/limits.h"

#define COLUMNS 14

static const char *const kind_names[] = {"function", "type", "constant",
                                         "macro", "variable"};
static const char *const owner_names[] = {"nvshmem", "nvshmemx",
                                          "nvshmem-internal"};
static const char *const space_names[] = {
    "-", "host", "device", "host+device", "on-stream", "declared"};
static const char *const scope_names[] = {"-", "thread", "warp", "warpgroup",
                                          "block"};
static const char *const blocking_names[] = {"-", "blocking", "nonblocking"};

#define COUNT(names) (sizeof(names) / sizeof *(names))

const char *sl_symbol_kind_name(enum sl_symbol_kind kind)
{
    return kind_names[kind];
}
const char *sl_symbol_owner_name(enum sl_symbol_owner owner)
{
    return owner_names[owner];
}
const char *sl_symbol_space_name(enum sl_symbol_space space)
{
    return space_names[space];
}
const char *sl_symbol_scope_name(enum sl_symbol_scope scope)
{
    return scope_names[scope];
}
const char *sl_symbol_blocking_name(enum sl_symbol_blocking blocking)
{
    return blocking_names[blocking];
}

static const char symbols_header[] =
    "name\tfamily\tkind\towner\tspace\tscope\tblocking\tfirst\tlast\trelease\t"
    "template\tinstantiation\ttypelist\tsignature";
static const char signatures_header[] = "name\tfirst\tlast\tsignature";
static const char packages_header[] = "package\tversion\tfile\tbytes\tsha256";

int sl_release_cmp(struct sl_view a, struct sl_view b)
{
    if (sl_view_starts(a, "<="))
        a = sl_view_sub(a, 2, a.len);
    if (sl_view_starts(b, "<="))
        b = sl_view_sub(b, 2, b.len);
    for (;;) {
        struct sl_view x = {NULL, 0}, y = {NULL, 0};
        bool more_a = sl_view_cut(&a, '.', &x);
        bool more_b = sl_view_cut(&b, '.', &y);
        if (!more_a || !more_b)
            return (int)more_a - (int)more_b;
        uint64_t m, n;
        if (sl_view_number(x, UINT32_MAX, &m) &&
            sl_view_number(y, UINT32_MAX, &n)) {
            if (m != n)
                return m < n ? -1 : 1;
        } else if (!sl_view_eq(x, y)) {
            return sl_view_cmp(x, y);
        }
    }
}

/* Splits a line at its tabs; false unless it has exactly n fields. */
static bool split(struct sl_view line, struct sl_view *fields, size_t n)
{
    size_t start = 0, count = 0;
    for (size_t i = 0; i <= line.len; i++) {
        if (i < line.len && line.ptr[i] != '\t')
            continue;
        if (count == n)
            return false;
        fields[count++] = sl_view_sub(line, start, i);
        start = i + 1;
    }
    return count == n;
}

static bool name_index(struct sl_view text, const char *const *names,
                       size_t count, unsigned *index_out)
{
    for (size_t i = 0; i < count; i++) {
        if (sl_view_is(text, names[i])) {
            *index_out = (unsigned)i;
            return true;
        }
    }
    return false;
}

static bool read_symbol(struct sl_view line, struct sl_symbol *symbol)
{
    struct sl_view f[COLUMNS];
    unsigned kind, owner, space, scope, blocking;
    if (!split(line, f, COLUMNS) || f[0].len == 0 ||
        !name_index(f[2], kind_names, COUNT(kind_names), &kind) ||
        !name_index(f[3], owner_names, COUNT(owner_names), &owner) ||
        !name_index(f[4], space_names, COUNT(space_names), &space) ||
        !name_index(f[5], scope_names, COUNT(scope_names), &scope) ||
        !name_index(f[6], blocking_names, COUNT(blocking_names), &blocking))
        return false;
    *symbol = (struct sl_symbol){
        .name = f[0],
        .family = f[1],
        .kind = (enum sl_symbol_kind)kind,
        .owner = (enum sl_symbol_owner)owner,
        .space = (enum sl_symbol_space)space,
        .scope = (enum sl_symbol_scope)scope,
        .blocking = (enum sl_symbol_blocking)blocking,
        .first = f[7],
        .last = f[8],
        .release = f[9],
        .template_line = f[10],
        .instantiation = f[11],
        .type_list = f[12],
        .signature = f[13],
    };
    return true;
}

static size_t count_lines(struct sl_view text)
{
    size_t n = 0;
    struct sl_view line;
    while (sl_view_line(&text, &line))
        n++;
    return n;
}

static enum sl_status begin(struct sl_view *text, const char *header,
                            const char *file, struct sl_error *error)
{
    struct sl_view line;
    if (!sl_view_line(text, &line) || !sl_view_is(line, header))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "%s:1: the header line must be: %s", file, header);
    return SL_OK;
}

static enum sl_status bad_line(const char *file, size_t number,
                               const char *what, struct sl_error *error)
{
    return sl_error_set(error, SL_ERR_SYNTAX, "%s:%zu: %s", file, number, what);
}

/* What a reader of a part of the table asks of a line; wanted NULL: all. */
struct filter {
    sl_symbols_wanted *wanted;
    const void *context;
};

static bool is_wanted(const struct filter *filter, struct sl_view line)
{
    struct sl_view name, family;
    if (!filter->wanted)
        return true;
    return sl_view_cut(&line, '\t', &name) &&
           sl_view_cut(&line, '\t', &family) &&
           filter->wanted(name, family, filter->context);
}

static enum sl_status parse_symbols(struct sl_arena *arena, struct sl_view text,
                                    const struct filter *filter,
                                    struct sl_symbols *out,
                                    struct sl_error *error)
{
    size_t cap = 0;
    enum sl_status status = begin(&text, symbols_header, SL_SYMBOLS_TSV, error);
    struct sl_view line;
    for (size_t n = 2; !status && sl_view_line(&text, &line); n++) {
        if (!is_wanted(filter, line))
            continue;
        if (out->count == SL_MAX_SYMBOLS)
            return sl_error_set(error, SL_ERR_LIMIT,
                                "%s has more than %u names", SL_SYMBOLS_TSV,
                                SL_MAX_SYMBOLS);
        out->items = sl_arena_grow(arena, out->items, sizeof *out->items,
                                   out->count, &cap);
        if (!out->items)
            return sl_error_nomem(error);
        struct sl_symbol *symbol = &out->items[out->count];
        if (!read_symbol(line, symbol))
            return bad_line(SL_SYMBOLS_TSV, n,
                            "not a record of 14 known columns", error);
        if (out->count && sl_view_cmp(symbol[-1].name, symbol->name) >= 0)
            return bad_line(SL_SYMBOLS_TSV, n,
                            "names must ascend, each once", error);
        if (!sl_map_put(&out->index, symbol->name, out->count, NULL))
            return sl_error_nomem(error);
        out->count++;
    }
    return status;
}

/* The range on a line; *known_out: its name is among the symbols read. */
static bool read_range(struct sl_view line, const struct sl_symbols *symbols,
                       struct sl_symbol_range *range_out, bool *known_out)
{
    struct sl_view f[4];
    if (!split(line, f, 4))
        return false;
    *range_out = (struct sl_symbol_range){f[0], f[1], f[2], f[3]};
    *known_out = sl_map_get(&symbols->index, f[0]) != NULL;
    return true;
}

static enum sl_status parse_ranges(struct sl_arena *arena, struct sl_view text,
                                   bool all, struct sl_symbols *out,
                                   struct sl_error *error)
{
    size_t lines = count_lines(text);
    if (lines > SL_MAX_SYMBOLS * 4u)
        return sl_error_set(error, SL_ERR_LIMIT, "%s has more than %u lines",
                            SL_SIGNATURES_TSV, SL_MAX_SYMBOLS * 4u);
    out->ranges = sl_arena_alloc(arena, (lines + 1) * sizeof *out->ranges);
    if (!out->ranges)
        return sl_error_nomem(error);
    enum sl_status status = begin(&text, signatures_header, SL_SIGNATURES_TSV,
                                  error);
    struct sl_view line;
    for (size_t at = 2; !status && sl_view_line(&text, &line); at++) {
        size_t n = out->range_count;
        bool known = false;
        if (!read_range(line, out, &out->ranges[n], &known) || (all && !known))
            return bad_line(SL_SIGNATURES_TSV, at,
                            "not 4 columns with a name of symbols.tsv", error);
        if (!known)
            continue;
        if (!sl_map_put(&out->range_index, out->ranges[n].name, n, NULL))
            return sl_error_nomem(error);
        out->range_count++;
    }
    return status;
}

/* Numbers with dots between them. */
static bool is_release(struct sl_view text)
{
    struct sl_view part;
    size_t count = 0;
    uint64_t ignored;
    for (; sl_view_cut(&text, '.', &part); count++)
        if (!sl_view_number(part, UINT32_MAX, &ignored))
            return false;
    return count > 0;
}

static int by_release(const void *a, const void *b)
{
    return sl_release_cmp(*(const struct sl_view *)a,
                          *(const struct sl_view *)b);
}

static enum sl_status parse_releases(struct sl_arena *arena,
                                     struct sl_view text,
                                     struct sl_symbols *out,
                                     struct sl_error *error)
{
    size_t lines = count_lines(text);
    out->releases = sl_arena_alloc(arena, (lines + 1) * sizeof *out->releases);
    if (!out->releases)
        return sl_error_nomem(error);
    enum sl_status status = begin(&text, packages_header, SL_PACKAGES_TSV,
                                  error);
    struct sl_view line, f[5];
    size_t n = 0;
    while (!status && sl_view_line(&text, &line)) {
        if (!split(line, f, 5) || !is_release(f[1]))
            return bad_line(SL_PACKAGES_TSV, n + 2,
                            "not 5 columns with a version", error);
        out->releases[n++] = f[1];
    }
    qsort(out->releases, n, sizeof *out->releases, by_release);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !sl_view_eq(out->releases[i], out->releases[i - 1]))
            out->releases[out->release_count++] = out->releases[i];
    return status;
}

enum sl_status sl_symbols_select(struct sl_arena *arena,
                                 const struct sl_symbols_text *text,
                                 sl_symbols_wanted *wanted, const void *context,
                                 struct sl_symbols *symbols_out,
                                 struct sl_error *error)
{
    struct sl_symbols out = {.items = NULL};
    struct filter filter = {wanted, context};
    sl_map_init(&out.index, arena);
    sl_map_init(&out.range_index, arena);
    enum sl_status status = parse_symbols(arena, text->symbols, &filter, &out,
                                          error);
    if (!status && text->signatures.len)
        status = parse_ranges(arena, text->signatures, !wanted, &out, error);
    if (!status && text->packages.len)
        status = parse_releases(arena, text->packages, &out, error);
    if (!status)
        *symbols_out = out;
    return status;
}

enum sl_status sl_symbols_parse(struct sl_arena *arena, struct sl_view symbols,
                                struct sl_view signatures,
                                struct sl_view packages,
                                struct sl_symbols *symbols_out,
                                struct sl_error *error)
{
    struct sl_symbols_text text = {symbols, signatures, packages};
    return sl_symbols_select(arena, &text, NULL, NULL, symbols_out, error);
}

enum sl_status sl_symbols_load(struct sl_arena *arena, const char *root,
                               struct sl_symbols *symbols_out,
                               struct sl_error *error)
{
    static const char *const files[] = {SL_SYMBOLS_TSV, SL_SIGNATURES_TSV,
                                        SL_PACKAGES_TSV};
    struct sl_view texts[3];
    for (size_t i = 0; i < 3; i++) {
        enum sl_status status = sl_table_read(
            arena, root, files[i], SL_MAX_SYMBOLS_FILE, &texts[i], error);
        if (status)
            return status;
    }
    return sl_symbols_parse(arena, texts[0], texts[1], texts[2], symbols_out,
                            error);
}

const struct sl_symbol *sl_symbols_find(const struct sl_symbols *symbols,
                                        struct sl_view name)
{
    const size_t *i = sl_map_get(&symbols->index, name);
    return i ? &symbols->items[*i] : NULL;
}

/* Those that `wanted` says yes to, as a list in the arena. */
static enum sl_status select_symbols(
    struct sl_arena *arena, const struct sl_symbols *symbols,
    bool (*wanted)(const struct sl_symbol *, const void *), const void *context,
    const struct sl_symbol ***found_out, size_t *count_out,
    struct sl_error *error)
{
    const struct sl_symbol **found = NULL;
    size_t count = 0, cap = 0;
    for (size_t i = 0; i < symbols->count; i++) {
        if (!wanted(&symbols->items[i], context))
            continue;
        found = sl_arena_grow(arena, found, sizeof *found, count, &cap);
        if (!found)
            return sl_error_nomem(error);
        found[count++] = &symbols->items[i];
    }
    *found_out = found;
    *count_out = count;
    return SL_OK;
}

static bool matches(const struct sl_symbol *symbol, const void *context)
{
    char name[SL_MAX_TOKEN * 4];
    if (symbol->name.len >= sizeof name)
        return false;
    memcpy(name, symbol->name.ptr, symbol->name.len);
    name[symbol->name.len] = '\0';
    return fnmatch(context, name, 0) == 0;
}

enum sl_status sl_symbols_glob(struct sl_arena *arena,
                               const struct sl_symbols *symbols,
                               const char *pattern,
                               const struct sl_symbol ***found_out,
                               size_t *count_out, struct sl_error *error)
{
    if (strlen(pattern) > SL_MAX_TOKEN)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a pattern of more than %u characters",
                            SL_MAX_TOKEN);
    return select_symbols(arena, symbols, matches, pattern, found_out,
                          count_out, error);
}

static bool is_of_family(const struct sl_symbol *symbol, const void *context)
{
    return sl_view_eq(symbol->family, *(const struct sl_view *)context);
}

enum sl_status sl_symbols_family(struct sl_arena *arena,
                                 const struct sl_symbols *symbols,
                                 struct sl_view family,
                                 const struct sl_symbol ***found_out,
                                 size_t *count_out, struct sl_error *error)
{
    return select_symbols(arena, symbols, is_of_family, &family, found_out,
                          count_out, error);
}

static bool is_between(struct sl_view release, struct sl_view first,
                       struct sl_view last)
{
    return sl_release_cmp(first, release) <= 0 &&
           (sl_view_is(last, "-") || sl_release_cmp(release, last) <= 0);
}

bool sl_symbol_in(const struct sl_symbols *symbols,
                  const struct sl_symbol *symbol, struct sl_view release,
                  struct sl_view *signature_out)
{
    struct sl_view signature = symbol->signature;
    bool found = is_between(release, symbol->first, symbol->last);
    const size_t *first = sl_map_get(&symbols->range_index, symbol->name);
    if (found && first) {
        found = false;
        for (size_t i = *first;
             i < symbols->range_count && !found &&
             sl_view_eq(symbols->ranges[i].name, symbol->name);
             i++) {
            found = is_between(release, symbols->ranges[i].first,
                               symbols->ranges[i].last);
            signature = symbols->ranges[i].signature;
        }
    }
    if (found && signature_out)
        *signature_out = signature;
    return found;
}

struct sl_view sl_symbols_release(const struct sl_symbols *symbols,
                                  struct sl_view release)
{
    for (size_t i = 0; i < symbols->release_count; i++)
        if (sl_view_eq(symbols->releases[i], release))
            return symbols->releases[i];
    return SL_LIT("");
}

static void put_fields(struct sl_buf *out, const struct sl_view *fields,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sl_buf_add(out, fields[i]);
        sl_buf_putc(out, i + 1 < count ? '\t' : '\n');
    }
}

void sl_symbols_write(struct sl_buf *out, const struct sl_symbols *symbols)
{
    sl_buf_puts(out, symbols_header);
    sl_buf_putc(out, '\n');
    for (size_t i = 0; i < symbols->count; i++) {
        const struct sl_symbol *s = &symbols->items[i];
        const struct sl_view fields[COLUMNS] = {
            s->name,
            s->family,
            sl_view_of(kind_names[s->kind]),
            sl_view_of(owner_names[s->owner]),
            sl_view_of(space_names[s->space]),
            sl_view_of(scope_names[s->scope]),
            sl_view_of(blocking_names[s->blocking]),
            s->first,
            s->last,
            s->release,
            s->template_line,
            s->instantiation,
            s->type_list,
            s->signature,
        };
        put_fields(out, fields, COLUMNS);
    }
}

void sl_signatures_write(struct sl_buf *out, const struct sl_symbols *symbols)
{
    sl_buf_puts(out, signatures_header);
    sl_buf_putc(out, '\n');
    for (size_t i = 0; i < symbols->range_count; i++) {
        const struct sl_symbol_range *r = &symbols->ranges[i];
        const struct sl_view fields[4] = {r->name, r->first, r->last,
                                          r->signature};
        put_fields(out, fields, 4);
    }
}
