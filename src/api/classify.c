#include "api/classify.h"

static const char *const element_types[] = {
    "bfloat16", "half",     "float",     "double",   "char",   "short",
    "schar",    "int",      "long",      "longlong", "uchar",  "ushort",
    "uint",     "ulong",    "ulonglong", "int8",     "int16",  "int32",
    "int64",    "uint8",    "uint16",    "uint32",   "uint64", "size",
    "ptrdiff",  "complexf", "complexd",  "double2",
};

bool sl_is_element_type(struct sl_view word)
{
    for (size_t i = 0; i < sizeof element_types / sizeof *element_types; i++)
        if (sl_view_is(word, element_types[i]))
            return true;
    return false;
}

/* "nvshmem_", "nvshmemx_", "nvshmemx::"; 0 when it has no such beginning. */
static size_t prefix_length(struct sl_view name)
{
    static const char *const prefixes[] = {"nvshmem_", "nvshmemx_",
                                           "nvshmemx::"};
    for (size_t i = 0; i < 3; i++)
        if (sl_view_starts(name, prefixes[i]))
            return sl_view_of(prefixes[i]).len;
    return 0;
}

static bool scope_of_word(struct sl_view word, enum sl_symbol_scope *scope_out)
{
    static const enum sl_symbol_scope scopes[] = {
        SL_SCOPE_WARP, SL_SCOPE_WARPGROUP, SL_SCOPE_BLOCK};
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
        if (sl_view_is(word, sl_symbol_scope_name(scopes[i]))) {
            *scope_out = scopes[i];
            return true;
        }
    }
    return false;
}

/* put, iget, ... when the word is one of them with a size in bits behind. */
static struct sl_view sized_verb(struct sl_view word)
{
    static const char *const verbs[] = {"put", "get", "iput", "iget"};
    for (size_t i = 0; i < 4; i++) {
        struct sl_view verb = sl_view_of(verbs[i]);
        uint64_t bits;
        if (sl_view_starts(word, verbs[i]) &&
            sl_view_number(sl_view_sub(word, verb.len, word.len), 128, &bits))
            return verb;
    }
    return SL_LIT("");
}

void sl_symbol_family(struct sl_buf *out, struct sl_view name)
{
    size_t prefix = prefix_length(name);
    if (!prefix) {
        sl_buf_add(out, name);
        return;
    }
    sl_buf_add(out, sl_view_sub(name, 0, prefix));
    struct sl_view rest = sl_view_sub(name, prefix, name.len), word;
    size_t type_at = 0; /* nvshmemx_qp_TYPE_put has it second */
    for (size_t i = 0; sl_view_cut(&rest, '_', &word); i++) {
        enum sl_symbol_scope scope;
        struct sl_view verb = sized_verb(word);
        if (i)
            sl_buf_putc(out, '_');
        if (i == 0 && sl_view_is(word, "qp"))
            type_at = 1;
        if (i == type_at && rest.len && sl_is_element_type(word)) {
            sl_buf_puts(out, "TYPE");
        } else if (verb.len) {
            sl_buf_add(out, verb);
            sl_buf_puts(out, "SIZE");
        } else if (i && !rest.len && scope_of_word(word, &scope)) {
            sl_buf_puts(out, "SCOPE");
        } else {
            sl_buf_add(out, word);
        }
    }
}

enum sl_symbol_owner sl_symbol_owner_of(struct sl_view name,
                                        enum sl_symbol_kind kind,
                                        struct sl_view path)
{
    bool is_x = sl_view_starts(name, "nvshmemx_") ||
                sl_view_starts(name, "NVSHMEMX_") ||
                sl_view_starts(name, "nvshmemx::");
    bool is_public = is_x || sl_view_starts(name, "nvshmem_") ||
                     sl_view_starts(name, "NVSHMEM_");
    /* constants and types of the interface are kept there too; code is not */
    bool is_code = kind != SL_KIND_CONSTANT && kind != SL_KIND_TYPE;
    /* nvshmemx::NVSHMEMI_... */
    bool is_inner = sl_view_starts(name, "nvshmemx::NVSHMEMI_") ||
                    sl_view_starts(name, "nvshmemx::nvshmemi_");
    if (!is_public || is_inner ||
        (is_code && (sl_view_starts(path, "non_abi/") ||
                     sl_view_starts(path, "device_host_transport/"))))
        return SL_OWNER_INTERNAL;
    return is_x ? SL_OWNER_NVSHMEMX : SL_OWNER_NVSHMEM;
}

enum sl_symbol_scope sl_symbol_scope_of(struct sl_view name,
                                        enum sl_symbol_space space)
{
    if (space != SL_SPACE_DEVICE && space != SL_SPACE_BOTH)
        return SL_SCOPE_NONE;
    struct sl_view rest = name, word = {NULL, 0};
    while (sl_view_cut(&rest, '_', &word))
        ;
    enum sl_symbol_scope scope;
    return scope_of_word(word, &scope) ? scope : SL_SCOPE_THREAD;
}

/* put, get, p, g, iput, iget, putmem, put64, ... */
static bool moves_data(struct sl_view word)
{
    static const char *const verbs[] = {"put",  "get",  "p",      "g",
                                        "iput", "iget", "putmem", "getmem"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (sl_view_is(word, verbs[i]))
            return true;
    return sized_verb(word).len > 0;
}

enum sl_symbol_blocking sl_symbol_blocking_of(struct sl_view name,
                                              enum sl_symbol_space space)
{
    if (space == SL_SPACE_NONE || space == SL_SPACE_HOST)
        return SL_BLOCKING_NONE; /* nvshmemx_get_uniqueid moves no data */
    size_t prefix = prefix_length(name);
    struct sl_view rest = sl_view_sub(name, prefix, name.len), word;
    bool moves = false, is_nbi = false;
    for (size_t i = 0; prefix && sl_view_cut(&rest, '_', &word); i++) {
        /* the verb is the first word, or after `qp` and a type */
        if (i < 3 && moves_data(word))
            moves = true;
        if (sl_view_is(word, "nbi"))
            is_nbi = true;
    }
    if (is_nbi)
        return SL_BLOCKING_NO;
    return moves ? SL_BLOCKING_YES : SL_BLOCKING_NONE;
}
