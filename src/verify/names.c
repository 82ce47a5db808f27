/*
 * Every name of NVSHMEM's in a code span must be one that a release has, a variable, or
 * a name that a project uses or defines; and its owner must be what the text says: a bare
 * name is public, `name` (internal) and `name` (project: ID) are not.
 */
#include "verify/names.h"

#include <string.h>

#include "base/limits.h"

struct reader {
    struct sl_checks *checks;
    struct sl_names *names;
    const struct sl_kb_file *file;
    const struct sl_kb_block *block;
    struct sl_view file_name;
    struct sl_map *seen; /* names of this section, with their owners told */
    bool cited;          /* the section cites NVSHMEM's tree */
    struct sl_error *error;
};

static const char *const prefixes[] = {
    "nvshmem_", "nvshmemx_", "nvshmemi_", "nvshmemx::",
    "NVSHMEM_", "NVSHMEMX_", "NVSHMEMI_",
};

/* The length of the prefix that the text begins with; 0: none. */
static size_t prefix_at(struct sl_view text)
{
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (sl_view_starts(text, prefixes[k]))
            return strlen(prefixes[k]);
    return 0;
}

/* A character of a name or of a pattern of names. */
static bool is_part(char c, bool in_braces)
{
    return sl_is_word(c) || c == '*' || c == '{' || c == '}' ||
           (unsigned char)c >= 0x80 || (in_braces && c == ',');
}

/* `D` of -DNAME, which is no letter of the name. */
static bool is_define(struct sl_view span, size_t i)
{
    return i >= 2 && span.ptr[i - 1] == 'D' && span.ptr[i - 2] == '-' &&
           (i == 2 || !sl_is_word(span.ptr[i - 3]));
}

/* The token at i, or an empty view. */
static struct sl_view token_at(struct sl_view span, size_t i)
{
    size_t prefix = prefix_at(sl_view_sub(span, i, span.len));
    size_t end = i + prefix;
    bool braces = false;
    if (!prefix || (i && sl_is_word(span.ptr[i - 1]) && !is_define(span, i)))
        return SL_LIT("");
    while (end < span.len && is_part(span.ptr[end], braces)) {
        braces = span.ptr[end] == '{' || (braces && span.ptr[end] != '}');
        end++;
    }
    return end > i + prefix ? sl_view_sub(span, i, end) : SL_LIT("");
}

/*
 * Whether what is joined to the token by dots, slashes and dashes is a file's path: it
 * has a suffix (nvshmem_x.h, a/nvshmem_host.so.3), ends with a slash, or stands below a
 * folder. x.nvshmem_put, nvshmem_get/nvshmem_put and nvshmem_get/... are names.
 */
static bool is_path(struct sl_view span, size_t i, size_t end)
{
    size_t begin = i;
    while (begin && (sl_is_word(span.ptr[begin - 1]) ||
                     strchr("./-~$", span.ptr[begin - 1])))
        begin--;
    while (end < span.len &&
           (sl_is_word(span.ptr[end]) || strchr("./-", span.ptr[end])))
        end++;
    struct sl_view whole = sl_view_sub(span, begin, end);
    size_t dot = sl_view_find(whole, SL_LIT("."), i - begin);
    struct sl_view suffix = sl_view_sub(whole, dot == SIZE_MAX ? whole.len
                                                               : dot + 1,
                                        whole.len);
    bool more = end < span.len && (unsigned char)span.ptr[end] >= 0x80;
    bool below = memchr(whole.ptr, '/', i - begin) && !prefix_at(whole);
    if (below || (sl_view_ends(whole, "/") && !more))
        return true;
    return suffix.len && sl_is_word(suffix.ptr[0]) && !prefix_at(suffix);
}

/*
 * Whether the token at i stands for a name: no file, and in a quoted line of words only
 * what is called or set.
 */
static bool is_name(struct sl_view span, size_t i, struct sl_view token)
{
    size_t end = i + token.len;
    char next = end < span.len ? span.ptr[end] : '\0';
    if (is_path(span, i, end) || (next == '-' && end + 1 < span.len &&
                                  span.ptr[end + 1] != '>'))
        return false;
    return !memchr(span.ptr, ' ', span.len) || next == '(' || next == '=' ||
           is_define(span, i);
}

static bool is_pattern(struct sl_view token)
{
    bool small = sl_view_starts(token, "nvshmem");
    for (size_t i = prefix_at(token); i < token.len; i++)
        if (!sl_is_word(token.ptr[i]) || (small && sl_is_upper(token.ptr[i])))
            return true;
    return sl_view_ends(token, "_");
}

static void report(const struct reader *r, const struct sl_ref *ref,
                   const char *rule, struct sl_view name, const char *what)
{
    sl_report_fault(r->checks->report, r->file_name,
                    sl_ref_line(r->file, r->block, ref), rule, "", "`%.*s` %s",
                    SL_ARG(sl_view_sub(name, 0, 100)), what);
}

/*
 * "(internal)", "(project: ID)", "(no such name)" after the span. *project_out: the ID.
 */
enum mark { BARE, INTERNAL, PROJECT, NO_NAME };

static enum mark mark_of(const struct reader *r, const struct sl_ref *ref,
                         struct sl_view *project_out)
{
    struct sl_view rest = sl_view_trim(
        sl_view_sub(r->block->text, ref->end, r->block->text.len));
    *project_out = SL_LIT("");
    if (sl_view_starts(rest, "(internal)"))
        return INTERNAL;
    if (sl_view_starts(rest, "(no such name"))
        return NO_NAME;
    if (!sl_view_starts(rest, "(project: "))
        return BARE;
    *project_out = sl_view_sub(rest, 10, sl_view_find(rest, SL_LIT(")"), 0));
    return PROJECT;
}

/* Internal names of sources that no header has: a citation must show them. */
static bool is_inside(const struct reader *r, struct sl_view name)
{
    return r->cited && (sl_view_starts(name, "nvshmemi_") ||
                        sl_view_starts(name, "NVSHMEMI_"));
}

/* What a mark says wrongly of the name, or NULL. */
static const char *fault_of(const struct reader *r, enum mark mark,
                            struct sl_view project, struct sl_view name)
{
    const struct sl_symbol *symbol = sl_symbols_find(&r->names->symbols, name);
    bool variable = sl_map_get(&r->names->variables, name) != NULL;
    bool internal = symbol && symbol->owner == SL_OWNER_INTERNAL && !variable;
    bool known = symbol || variable;
    switch (mark) {
    case PROJECT:
        return sl_names_own(r->names, project, name)
                   ? NULL
                   : "is marked as a project's own, and usage.tsv has no "
                     "definition of it there";
    case INTERNAL:
        if (known)
            return internal ? NULL
                            : "is marked (internal), and symbols.tsv says that "
                              "it is public";
        return is_inside(r, name) ||
                       !sl_names_own(r->names, SL_LIT(""), name)
                   ? NULL
                   : "is marked (internal), and is a project's own: (project: "
                     "ID)";
    case NO_NAME:
        return "is marked (no such name), and there is one";
    case BARE:
        if (internal)
            return "is internal and stands without its mark where this "
                   "section first names it";
        return known || !sl_names_own(r->names, SL_LIT(""), name)
                   ? NULL
                   : "is no name of NVSHMEM's but a project's own, and stands "
                     "without its mark";
    }
    return NULL;
}

/* The owner that a name's first mention in its section claims. */
static void check_owner(const struct reader *r, const struct sl_ref *ref,
                        struct sl_view name)
{
    struct sl_view project;
    enum mark mark = mark_of(r, ref, &project);
    const char *fault = fault_of(r, mark, project, name);
    if (fault)
        report(r, ref, "name-owner", name, fault);
}

static enum sl_status check_token(const struct reader *r,
                                  const struct sl_ref *ref,
                                  struct sl_view token, bool whole)
{
    bool known, added = false;
    if (is_pattern(token)) {
        enum sl_status status =
            sl_names_fit(r->checks, r->names, token, &known, r->error);
        if (!status && !known)
            report(r, ref, "name-unknown", token, "fits no name that is known");
        return status;
    }
    if (!sl_map_put(r->seen, token, 1, &added))
        return sl_error_nomem(r->error);
    if (!added)
        return SL_OK;
    struct sl_view project;
    bool denied = whole && mark_of(r, ref, &project) == NO_NAME;
    known = sl_names_have(r->names, token);
    if (!known && !denied && !is_inside(r, token))
        report(r, ref, "name-unknown", token,
               "is in none of symbols.tsv, env.tsv and usage.tsv");
    else if (whole && (known || !denied))
        check_owner(r, ref, token);
    return SL_OK;
}

static bool is_span(enum sl_ref_kind kind)
{
    return kind == SL_REF_NAME || kind == SL_REF_VARIABLE ||
           kind == SL_REF_CODE;
}

/* The code span as written, without its marks. */
static struct sl_view span_of(const struct reader *r, const struct sl_ref *ref)
{
    struct sl_view span = sl_view_sub(r->block->text, ref->begin, ref->end);
    while (span.len && span.ptr[0] == '`')
        span = sl_view_sub(span, 1, span.len);
    while (span.len && span.ptr[span.len - 1] == '`')
        span.len--;
    return sl_view_trim(span);
}

static enum sl_status check_block(const struct reader *r)
{
    const struct sl_kb *kb = &r->checks->kb;
    enum sl_status status = SL_OK;
    if (sl_view_starts(sl_item_text(r->block->text), "log:"))
        return SL_OK; /* what a program prints */
    for (size_t i = 0; i < r->block->ref_count; i++) {
        const struct sl_ref *ref = &kb->refs.items[r->block->first_ref + i];
        if (!is_span(ref->kind))
            continue;
        struct sl_view span = span_of(r, ref);
        for (size_t at = 0; !status && at < span.len; at++) {
            struct sl_view token = token_at(span, at);
            if (!token.len)
                continue;
            if (is_name(span, at, token))
                status = check_token(r, ref, token, at == 0);
            at += token.len - 1;
        }
    }
    return status;
}

static bool cites_nvshmem(const struct sl_kb *kb,
                          const struct sl_section *section)
{
    for (size_t i = 0; i < section->block_count; i++) {
        const struct sl_kb_block *block =
            &kb->blocks[section->first_block + i];
        for (size_t k = 0; k < block->ref_count; k++) {
            const struct sl_ref *ref =
                &kb->refs.items[block->first_ref + k];
            if (ref->kind == SL_REF_CITATION &&
                sl_view_starts(ref->text, "nvshmem:"))
                return true;
        }
    }
    return false;
}

enum sl_status sl_checks_names(struct sl_checks *checks, struct sl_names *names,
                               struct sl_error *error)
{
    const struct sl_kb *kb = &checks->kb;
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && names->there && i < kb->section_count; i++) {
        const struct sl_section *section = &kb->sections[i];
        struct sl_map seen;
        sl_map_init(&seen, &checks->arena);
        struct reader r = {
            .checks = checks,
            .names = names,
            .file = &kb->files[section->file],
            .file_name = sl_checks_name(checks, section->file),
            .seen = &seen,
            .cited = cites_nvshmem(kb, section),
            .error = error,
        };
        for (size_t k = 0; !status && k < section->block_count; k++) {
            r.block = &kb->blocks[section->first_block + k];
            if (r.block->md->kind != SL_MD_CODE && !r.block->generated)
                status = check_block(&r);
        }
    }
    return status;
}
