#include "helpers/index/check.h"

#include "base/limits.h"

struct check {
    struct sl_buf *out;
    const struct sl_symbols *committed;
    const struct sl_symbols *fresh;
    const struct sl_view *releases;
    size_t release_count;
    size_t differences;
    size_t names; /* name and release, compared */
    size_t records;
};

static void differ(struct check *check, struct sl_view name,
                   struct sl_view release, const char *what)
{
    check->differences++;
    sl_buf_printf(check->out, "%.*s\t%.*s\t%s\n", SL_ARG(name), SL_ARG(release),
                  what);
}

/* What a table says of a name in one release; ptr NULL: it has it not. */
static struct sl_view signature_in(const struct sl_symbols *symbols,
                                   const struct sl_symbol *symbol,
                                   struct sl_view release)
{
    struct sl_view signature = {NULL, 0};
    if (symbol && !sl_symbol_in(symbols, symbol, release, &signature))
        signature.ptr = NULL;
    return signature;
}

struct told {
    struct sl_view mine, theirs;
};

/*
 * Presence, and whether the signature is another than in the release before.
 * Texts are not compared across tables: a range tells the names of parameters
 * that its first release had.
 */
static struct told check_release(struct check *check,
                                 const struct sl_symbol *mine,
                                 const struct sl_symbol *theirs,
                                 struct sl_view release, struct told before)
{
    struct told now = {signature_in(check->committed, mine, release),
                       signature_in(check->fresh, theirs, release)};
    struct sl_view name = mine ? mine->name : theirs->name;
    if (now.mine.ptr || now.theirs.ptr)
        check->names++;
    if (!now.mine.ptr != !now.theirs.ptr)
        differ(check, name, release,
               now.mine.ptr ? "only in the table" : "only in the headers");
    else if (now.mine.ptr && before.mine.ptr && before.theirs.ptr &&
             sl_view_eq(now.mine, before.mine) !=
                 sl_view_eq(now.theirs, before.theirs))
        differ(check, name, release, "another change of signature");
    return now;
}

static bool is_same_record(const struct sl_symbol *a, const struct sl_symbol *b)
{
    return a->kind == b->kind && a->owner == b->owner && a->space == b->space &&
           a->scope == b->scope && a->blocking == b->blocking &&
           sl_view_eq(a->family, b->family) &&
           sl_view_eq(a->template_line, b->template_line) &&
           sl_view_eq(a->instantiation, b->instantiation) &&
           sl_view_eq(a->type_list, b->type_list) &&
           sl_view_eq(a->signature, b->signature);
}

static void check_name(struct check *check, const struct sl_symbol *mine,
                       const struct sl_symbol *theirs)
{
    struct told told = {{NULL, 0}, {NULL, 0}};
    for (size_t i = 0; i < check->release_count; i++)
        told = check_release(check, mine, theirs, check->releases[i], told);
    if (!mine || !theirs || !sl_view_eq(mine->release, theirs->release))
        return;
    check->records++;
    if (!is_same_record(mine, theirs))
        differ(check, mine->name, mine->release, "another record");
}

/* Both tables are in the order of the names. */
static void walk(struct check *check)
{
    const struct sl_symbols *a = check->committed, *b = check->fresh;
    size_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        int order = i == a->count ? 1
                    : k == b->count
                        ? -1
                        : sl_view_cmp(a->items[i].name, b->items[k].name);
        check_name(check, order <= 0 ? &a->items[i] : NULL,
                   order >= 0 ? &b->items[k] : NULL);
        i += order <= 0;
        k += order >= 0;
    }
}

enum sl_status sl_check_tables(struct sl_arena *arena, struct sl_buf *out,
                               const struct sl_symbols *committed,
                               const struct sl_symbols *fresh,
                               size_t *differences_out, struct sl_error *error)
{
    /* written and read again: what is compared is what a table can say */
    struct sl_buf texts[2];
    sl_buf_init(&texts[0], SL_MAX_SYMBOLS_FILE);
    sl_buf_init(&texts[1], SL_MAX_SYMBOLS_FILE);
    sl_symbols_write(&texts[0], fresh);
    sl_signatures_write(&texts[1], fresh);
    struct sl_symbols parsed;
    enum sl_status status = sl_buf_check(&texts[0], error);
    if (!status)
        status = sl_buf_check(&texts[1], error);
    if (!status)
        status = sl_symbols_parse(arena, sl_buf_view(&texts[0]),
                                  sl_buf_view(&texts[1]), SL_LIT(""), &parsed,
                                  error);
    struct check check = {.out = out,
                          .committed = committed,
                          .fresh = &parsed,
                          .releases = fresh->releases,
                          .release_count = fresh->release_count};
    if (!status) {
        walk(&check);
        sl_buf_printf(out,
                      "index api: %zu releases, %zu names compared, %zu whole "
                      "records, %zu differences\n",
                      fresh->release_count, check.names, check.records,
                      check.differences);
        *differences_out = check.differences;
    }
    sl_buf_release(&texts[0]);
    sl_buf_release(&texts[1]);
    return status;
}
