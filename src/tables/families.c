/* Tables of the public families: names with type, size and scope folded. */
#include <string.h>

#include "tables/internal.h"

/*
 * Groups of functions by a word of their names, in this order: the first that fits has
 * it. "" fits all.
 */
static const struct group {
    const char *name;
    const char *words[12];
} groups[] = {
    {"tiles", {"tile", NULL}},
    {"teams", {"team", NULL}},
    {"atomics", {"atomic", NULL}},
    {"signals", {"signal", NULL}},
    {"waits", {"wait", "test", NULL}},
    {"ordering", {"fence", "quiet", NULL}},
    {"collectives",
     {"barrier", "sync", "broadcast", "broadcastmem", "alltoall", "alltoallmem",
      "fcollect", "fcollectmem", "collect", "reduce", "reducescatter", NULL}},
    {"data-movement",
     {"put", "get", "p", "g", "iput", "iget", "putmem", "getmem", NULL}},
    {"memory",
     {"malloc", "calloc", "align", "free", "ptr", "register", "unregister",
      "buffer", "mc", NULL}},
    {"life-cycle", {""}},
};

static bool has_word(struct sl_view name, const char *wanted)
{
    struct sl_view word;
    size_t length = strlen(wanted);
    while (sl_view_cut(&name, '_', &word)) {
        if (sl_view_is(word, wanted))
            return true;
        /* put8, putSIZE, getmem */
        if (length > 2 && sl_view_starts(word, wanted) && word.len > length &&
            (sl_is_digit(word.ptr[length]) || sl_is_upper(word.ptr[length])))
            return true;
    }
    return false;
}

static const char *group_of(struct sl_view family)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        for (size_t k = 0; k < 12 && groups[i].words[k]; k++)
            if (!*groups[i].words[k] || has_word(family, groups[i].words[k]))
                return groups[i].name;
    return "";
}

struct family {
    struct sl_view name, first, last;
    size_t count;
    unsigned spaces, scopes, blocking; /* bits of the enumerations */
    enum sl_symbol_kind kind;
    enum sl_symbol_owner owner;
};

static void add(struct family *family, const struct sl_symbol *symbol)
{
    if (!family->count++) {
        *family = (struct family){
            .name = symbol->family,
            .first = symbol->first,
            .last = symbol->last,
            .count = 1,
            .kind = symbol->kind,
            .owner = symbol->owner,
        };
    }
    if (sl_release_cmp(symbol->first, family->first) < 0)
        family->first = symbol->first;
    if (sl_view_is(symbol->last, "-") ||
        (!sl_view_is(family->last, "-") &&
         sl_release_cmp(symbol->last, family->last) > 0))
        family->last = symbol->last;
    family->spaces |= 1u << symbol->space;
    family->scopes |= 1u << symbol->scope;
    family->blocking |= 1u << symbol->blocking;
}

/* The words of the set bits but the first ("-"), with commas. */
static void put_bits(struct sl_buf *out, unsigned bits, unsigned max,
                     const char *(*name)(unsigned))
{
    bool some = false;
    for (unsigned i = 1; i <= max; i++)
        if (bits & 1u << i) {
            sl_buf_printf(out, "%s%s", some ? ", " : "", name(i));
            some = true;
        }
    sl_buf_puts(out, " | ");
}

static const char *space(unsigned i)
{
    return sl_symbol_space_name((enum sl_symbol_space)i);
}
static const char *scope(unsigned i)
{
    return sl_symbol_scope_name((enum sl_symbol_scope)i);
}
static const char *blocking(unsigned i)
{
    return sl_symbol_blocking_name((enum sl_symbol_blocking)i);
}

static void put_functions(struct sl_buf *out, const struct family *families,
                          size_t count, struct sl_view group)
{
    sl_buf_puts(out, "\n| family | names | releases | called | by | returns "
                     "when done |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        const struct family *f = &families[i];
        if (f->kind != SL_KIND_FUNCTION ||
            !sl_view_is(group, group_of(f->name)))
            continue;
        sl_buf_printf(out, "| `%.*s` | %zu | ", SL_ARG(f->name), f->count);
        sl_table_gate(out, f->first, f->last);
        sl_buf_puts(out, " | ");
        put_bits(out, f->spaces, SL_SPACE_ON_STREAM, space);
        put_bits(out, f->scopes, SL_SCOPE_BLOCK, scope);
        put_bits(out, f->blocking, SL_BLOCKING_NO, blocking);
        sl_buf_truncate(out, out->len - 1);
        sl_buf_putc(out, '\n');
    }
    sl_buf_putc(out, '\n');
}

static void put_others(struct sl_buf *out, const struct family *families,
                       size_t count)
{
    sl_buf_puts(out, "\n| name | kind | owner | releases |\n"
                     "|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        const struct family *f = &families[i];
        if (f->kind == SL_KIND_FUNCTION)
            continue;
        sl_buf_printf(out, "| `%.*s` | %s | %s | ", SL_ARG(f->name),
                      sl_symbol_kind_name(f->kind),
                      sl_symbol_owner_name(f->owner));
        sl_table_gate(out, f->first, f->last);
        sl_buf_puts(out, " |\n");
    }
    sl_buf_putc(out, '\n');
}

enum sl_status sl_table_families(struct sl_arena *arena,
                                 const struct sl_tables *tables,
                                 struct sl_view group, struct sl_buf *out,
                                 bool *known_out, struct sl_error *error)
{
    const struct sl_symbols *symbols = tables->data.symbols;
    bool others = sl_view_is(group, "others");
    *known_out = others;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        *known_out |= sl_view_is(group, groups[i].name);
    if (!*known_out)
        return SL_OK;
    struct sl_map index;
    size_t count = 0;
    sl_map_init(&index, arena);
    struct family *families =
        sl_arena_alloc(arena, (symbols->count + 1) * sizeof *families);
    if (!families)
        return sl_error_nomem(error);
    for (size_t i = 0; i < symbols->count; i++) {
        const struct sl_symbol *symbol = &symbols->items[i];
        bool added = false;
        if (symbol->owner == SL_OWNER_INTERNAL)
            continue;
        size_t *place = sl_map_put(&index, symbol->family, count, &added);
        if (!place)
            return sl_error_nomem(error);
        count += added;
        add(&families[*place], symbol);
    }
    if (others)
        put_others(out, families, count);
    else
        put_functions(out, families, count, group);
    return SL_OK;
}
