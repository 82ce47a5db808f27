/*
 * The table of NVSHMEM's names: evidence/symbols.tsv (one record a name) and
 * evidence/signatures.tsv (what was different in which release). Read into
 * structs that lie in the caller's arena and view the tables' bytes, which must
 * stay. docs/internals/api-index.md has the columns.
 */
#ifndef SL_API_SYMBOLS_H
#define SL_API_SYMBOLS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/status.h"

#define SL_SYMBOLS_TSV "evidence/symbols.tsv"
#define SL_SIGNATURES_TSV "evidence/signatures.tsv"
#define SL_PACKAGES_TSV "evidence/packages.tsv"

enum sl_symbol_kind {
    SL_KIND_FUNCTION,
    SL_KIND_TYPE,
    SL_KIND_CONSTANT,
    SL_KIND_MACRO,
    SL_KIND_VARIABLE,
};
enum sl_symbol_owner {
    SL_OWNER_NVSHMEM,
    SL_OWNER_NVSHMEMX,
    SL_OWNER_INTERNAL,
};
enum sl_symbol_space {
    SL_SPACE_NONE,
    SL_SPACE_HOST,
    SL_SPACE_DEVICE,
    SL_SPACE_BOTH,
    SL_SPACE_ON_STREAM,
    SL_SPACE_DECLARED, /* and defined nowhere: a call does not link */
};
enum sl_symbol_scope {
    SL_SCOPE_NONE,
    SL_SCOPE_THREAD,
    SL_SCOPE_WARP,
    SL_SCOPE_WARPGROUP,
    SL_SCOPE_BLOCK,
};
enum sl_symbol_blocking {
    SL_BLOCKING_NONE,
    SL_BLOCKING_YES,
    SL_BLOCKING_NO,
};

struct sl_symbol {
    struct sl_view name;
    struct sl_view family; /* the name with type, size and scope folded */
    enum sl_symbol_kind kind;
    enum sl_symbol_owner owner;
    enum sl_symbol_space space;
    enum sl_symbol_scope scope;
    enum sl_symbol_blocking blocking;
    struct sl_view first; /* release; "<=X" when it is in the oldest one read */
    struct sl_view last;  /* "-": it is in the newest one read */
    struct sl_view release;       /* the one that the places below are of */
    struct sl_view template_line; /* PATH:LINE, several joined by '|', or "-" */
    struct sl_view instantiation;
    struct sl_view type_list;
    struct sl_view signature; /* without the name */
};

/* A stretch of releases in which a name had one signature. */
struct sl_symbol_range {
    struct sl_view name, first, last, signature;
};

struct sl_symbols {
    struct sl_symbol *items; /* by name, bytewise */
    size_t count;
    struct sl_symbol_range *ranges; /* by name, then release */
    size_t range_count;
    struct sl_map index;       /* name to item */
    struct sl_map range_index; /* name to its first range */
    struct sl_view *releases;  /* ascending */
    size_t release_count;
};

/*
 * The three tables' text. signatures and packages may be empty (then no range
 * and no release is known).
 */
SL_CHECKED enum sl_status sl_symbols_parse(struct sl_arena *arena,
                                           struct sl_view symbols,
                                           struct sl_view signatures,
                                           struct sl_view packages,
                                           struct sl_symbols *symbols_out,
                                           struct sl_error *error);

/* The three tables' text. signatures and packages may be empty. */
struct sl_symbols_text {
    struct sl_view symbols, signatures, packages;
};

/*
 * The same for the names only that are wanted, at a tenth of the cost: the other lines
 * are passed over unread. wanted NULL: all.
 */
typedef bool sl_symbols_wanted(struct sl_view name, struct sl_view family,
                               const void *context);
SL_CHECKED enum sl_status sl_symbols_select(struct sl_arena *arena,
                                            const struct sl_symbols_text *text,
                                            sl_symbols_wanted *wanted,
                                            const void *context,
                                            struct sl_symbols *symbols_out,
                                            struct sl_error *error);

/* From ROOT/evidence/. */
SL_CHECKED enum sl_status sl_symbols_load(struct sl_arena *arena,
                                          const char *root,
                                          struct sl_symbols *symbols_out,
                                          struct sl_error *error);

/* NULL when there is none. */
const struct sl_symbol *sl_symbols_find(const struct sl_symbols *symbols,
                                        struct sl_view name);

/* Shell's `*`, `?` and `[...]`; what matches, in the table's order. */
SL_CHECKED enum sl_status sl_symbols_glob(struct sl_arena *arena,
                                          const struct sl_symbols *symbols,
                                          const char *pattern,
                                          const struct sl_symbol ***found_out,
                                          size_t *count_out,
                                          struct sl_error *error);

/* The members of a family, in the table's order. */
SL_CHECKED enum sl_status sl_symbols_family(struct sl_arena *arena,
                                            const struct sl_symbols *symbols,
                                            struct sl_view family,
                                            const struct sl_symbol ***found_out,
                                            size_t *count_out,
                                            struct sl_error *error);

/* Whether the release's headers have the name; *signature_out may be NULL. */
bool sl_symbol_in(const struct sl_symbols *symbols,
                  const struct sl_symbol *symbol, struct sl_view release,
                  struct sl_view *signature_out);

/* Its own text, or empty when the release is not one of those read. */
struct sl_view sl_symbols_release(const struct sl_symbols *symbols,
                                  struct sl_view release);

const char *sl_symbol_kind_name(enum sl_symbol_kind kind);
const char *sl_symbol_owner_name(enum sl_symbol_owner owner);
const char *sl_symbol_space_name(enum sl_symbol_space space);
const char *sl_symbol_scope_name(enum sl_symbol_scope scope);
const char *sl_symbol_blocking_name(enum sl_symbol_blocking blocking);

/* Negative, 0, positive: 3.3.9 before 3.3.20. A leading "<=" is passed over. */
int sl_release_cmp(struct sl_view a, struct sl_view b);

/* Appends the tables, header line and all. */
void sl_symbols_write(struct sl_buf *out, const struct sl_symbols *symbols);
void sl_signatures_write(struct sl_buf *out, const struct sl_symbols *symbols);

#endif
