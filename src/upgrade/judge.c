/* What a place of the user's tree means for the way to another release. */
#include "upgrade/internal.h"

#include <stdio.h>
#include <string.h>

#include "api/signature.h"
#include "base/limits.h"

#define SIGNATURE_MAX 100u /* bytes told of one */
#define ALIASES_MAX 8u

enum sl_status sl_judge_tell(struct sl_judge *judge, size_t file,
                             const struct sl_use *use,
                             enum sl_upgrade_level level, const char *kind,
                             struct sl_buf *message, struct sl_view section)
{
    struct sl_upgrade *upgrade = judge->upgrade;
    enum sl_status status = sl_buf_check(message, judge->error);
    struct sl_finding finding = {
        .file = judge->spots->usage.files[file].path,
        .line = use->line,
        .column = use->column,
        .level = level,
        .kind = kind,
        .name = sl_arena_copy(judge->arena, use->name),
        .message = sl_arena_copy(judge->arena, sl_buf_view(message)),
        .section = section,
    };
    sl_buf_release(message);
    if (status)
        return status;
    upgrade->items = sl_arena_grow(judge->arena, upgrade->items,
                                   sizeof *upgrade->items, upgrade->count,
                                   &upgrade->cap);
    if (!upgrade->items || !finding.name.ptr || !finding.message.ptr)
        return sl_error_nomem(judge->error);
    upgrade->levels[level]++;
    upgrade->items[upgrade->count++] = finding;
    return SL_OK;
}

static enum sl_status tell(struct sl_judge *judge, const struct sl_spot *spot,
                           enum sl_upgrade_level level, const char *kind,
                           struct sl_buf *message, struct sl_view section)
{
    return sl_judge_tell(judge, spot->file, spot->use, level, kind, message,
                         section);
}

enum sl_status sl_judge_once(struct sl_judge *judge, const char *kind,
                             struct sl_view name, bool *first_out)
{
    struct sl_buf key;
    sl_buf_init(&key, SL_MAX_TOKEN * 4);
    sl_buf_printf(&key, "%s %.*s", kind, SL_ARG(name));
    struct sl_view copy = sl_arena_copy(judge->arena, sl_buf_view(&key));
    enum sl_status status = sl_buf_check(&key, judge->error);
    sl_buf_release(&key);
    if (!status && (!copy.ptr ||
                    !sl_map_put(&judge->told, copy, 1, first_out)))
        status = sl_error_nomem(judge->error);
    return status;
}

static void put_signature(struct sl_buf *out, struct sl_view signature)
{
    sl_buf_printf(out, "`%.*s%s`",
                  SL_ARG(sl_view_sub(signature, 0, SIGNATURE_MAX)),
                  signature.len > SIGNATURE_MAX ? " ..." : "");
}

/* The first release that has this signature: of the range that it stands in. */
static struct sl_view since(const struct sl_symbols *symbols,
                            struct sl_view name, struct sl_view signature)
{
    for (size_t i = 0; i < symbols->range_count; i++)
        if (sl_view_eq(symbols->ranges[i].name, name) &&
            sl_view_eq(symbols->ranges[i].signature, signature))
            return symbols->ranges[i].first;
    return SL_LIT("");
}

static const char *inside(const struct sl_symbol *symbol)
{
    return symbol->owner == SL_OWNER_INTERNAL ? "internal, " : "";
}

static enum sl_status tell_removed(struct sl_judge *judge,
                                   const struct sl_spot *spot,
                                   const struct sl_symbol *symbol, bool was)
{
    struct sl_buf message;
    struct sl_view to = judge->upgrade->to;
    bool internal = symbol->owner == SL_OWNER_INTERNAL;
    sl_buf_init(&message, 2000);
    sl_buf_printf(&message, "%.*s (%s%s) is not in %.*s", SL_ARG(symbol->name),
                  inside(symbol), sl_symbol_kind_name(symbol->kind),
                  SL_ARG(to));
    if (!sl_view_is(symbol->last, "-") &&
        sl_release_cmp(symbol->last, to) < 0)
        sl_buf_printf(&message, "; the last release with it is %.*s",
                      SL_ARG(symbol->last));
    else
        sl_buf_printf(&message, "; the first release with it is %.*s",
                      SL_ARG(symbol->first));
    if (!was)
        sl_buf_printf(&message, "; nor is it in %.*s",
                      SL_ARG(judge->upgrade->from));
    return tell(judge, spot, SL_UPGRADE_ERROR,
                internal ? "internal-removed" : "removed", &message,
                SL_LIT(""));
}

/* It is another in each release by its nature: who asks for it knows. */
static bool is_version(struct sl_view name)
{
    return sl_view_starts(name, "NVSHMEM_VENDOR_");
}

/* "name (kind) was A, is B", or that its text, which is not told, is another. */
static void put_change(struct sl_buf *out, const struct sl_symbol *symbol,
                       struct sl_view before, struct sl_view after)
{
    sl_buf_printf(out, "%.*s (%s%s)", SL_ARG(symbol->name), inside(symbol),
                  sl_symbol_kind_name(symbol->kind));
    if (sl_signature_is_other_body(before, after)) {
        sl_buf_puts(out, symbol->kind == SL_KIND_MACRO
                             ? " takes the same arguments; its body is another"
                             : " has another value");
        return;
    }
    sl_buf_puts(out, " was ");
    put_signature(out, before);
    sl_buf_puts(out, ", is ");
    put_signature(out, after);
}

static enum sl_status tell_changed(struct sl_judge *judge,
                                   const struct sl_spot *spot,
                                   const struct sl_symbol *symbol,
                                   struct sl_view before, struct sl_view after)
{
    struct sl_buf message;
    struct sl_view first = since(&judge->symbols, symbol->name, after);
    bool value = symbol->kind == SL_KIND_CONSTANT ||
                 symbol->kind == SL_KIND_MACRO;
    bool internal = symbol->owner == SL_OWNER_INTERNAL;
    if (is_version(symbol->name))
        return SL_OK;
    bool compiles = symbol->kind == SL_KIND_FUNCTION &&
                    sl_signature_adds_defaults(before, after);
    sl_buf_init(&message, 2000);
    put_change(&message, symbol, before, after);
    if (first.len && sl_release_cmp(first, judge->upgrade->from) > 0)
        sl_buf_printf(&message, " from %.*s on", SL_ARG(first));
    if (compiles)
        sl_buf_puts(&message, "; calls with the old arguments still compile: "
                              "the new ones have defaults");
    bool note = !internal && (value || compiles);
    return tell(judge, spot, note ? SL_UPGRADE_NOTE : SL_UPGRADE_WARNING,
                internal ? "internal-changed" : "changed", &message,
                SL_LIT(""));
}

/* An internal name that stays: told once a tree. */
static enum sl_status tell_internal(struct sl_judge *judge,
                                    const struct sl_spot *spot,
                                    const char *words)
{
    struct sl_buf message;
    bool first = false;
    enum sl_status status = sl_judge_once(judge, "internal", spot->use->name,
                                          &first);
    if (status || !first)
        return status;
    sl_buf_init(&message, 2000);
    sl_buf_printf(&message, "%.*s is a name of NVSHMEM's inside%s",
                  SL_ARG(spot->use->name), words);
    return tell(judge, spot, SL_UPGRADE_WARNING, "internal", &message,
                SL_LIT(""));
}

/* Whether a line begins something of its own: an item, a row, a heading, a gap. */
static bool begins_piece(struct sl_view line)
{
    size_t digits = 0;
    line = sl_view_trim(line);
    while (digits < line.len && sl_is_digit(line.ptr[digits]))
        digits++;
    return !line.len || sl_view_starts(line, "- ") ||
           sl_view_starts(line, "* ") || sl_view_starts(line, "|") ||
           sl_view_starts(line, "#") || sl_view_starts(line, "```") ||
           (digits && sl_view_starts(sl_view_sub(line, digits, line.len),
                                     ". "));
}

/* Where the piece of prose that begins at `at` ends. */
static size_t piece_end(struct sl_view text, size_t at)
{
    for (;;) {
        size_t next = sl_view_find(text, SL_LIT("\n"), at);
        if (next == SIZE_MAX)
            return text.len;
        bool fence = sl_view_starts(sl_view_trim(sl_view_sub(text, at, next)),
                                    "```");
        at = next + 1;
        if (fence || begins_piece(sl_view_sub(text, at,
                                     sl_view_find(text, SL_LIT("\n"), at))))
            return at;
    }
}

static bool has_word(struct sl_view text, struct sl_view word)
{
    size_t at = sl_view_find(text, word, 0);
    for (; at != SIZE_MAX; at = sl_view_find(text, word, at + 1)) {
        size_t end = at + word.len;
        bool more = end + 1 < text.len && text.ptr[end] == '.' &&
                    sl_is_digit(text.ptr[end + 1]);
        if ((at == 0 || (!sl_is_word(text.ptr[at - 1]) &&
                         text.ptr[at - 1] != '.')) &&
            (end == text.len || !sl_is_word(text.ptr[end])) && !more)
            return true;
    }
    return false;
}

/*
 * The release between the two that a piece with the name speaks of, or empty. Not the
 * pinned one: all sections speak of it.
 */
static struct sl_view speaks_of(const struct sl_judge *judge,
                                struct sl_view own, struct sl_view name)
{
    const struct sl_symbols *symbols = &judge->symbols;
    struct sl_view low = judge->upgrade->from, high = judge->upgrade->to;
    if (sl_release_cmp(low, high) > 0) {
        low = high;
        high = judge->upgrade->from;
    }
    bool code = false; /* between fences: examples, which say nothing */
    for (size_t at = 0; at < own.len;) {
        size_t end = piece_end(own, at);
        struct sl_view piece = sl_view_sub(own, at, end);
        at = end;
        bool fence = sl_view_starts(sl_view_trim(piece), "```");
        code ^= fence;
        if (fence || code || !has_word(piece, name))
            continue;
        for (size_t i = symbols->release_count; i-- > 0;) {
            struct sl_view release = symbols->releases[i];
            if (sl_release_cmp(release, low) > 0 &&
                sl_release_cmp(release, high) <= 0 &&
                !sl_view_eq(release, sl_corpus_release(judge->corpus)) &&
                has_word(piece, release))
                return release;
        }
    }
    return SL_LIT("");
}

/* Sections that speak of the name and of a release on the way: told once. */
static enum sl_status tell_sections(struct sl_judge *judge,
                                    const struct sl_spot *spot)
{
    struct sl_mentions mentions;
    struct sl_view name = spot->use->name;
    bool first = false;
    if (is_version(name))
        return SL_OK;
    enum sl_status status = sl_judge_once(judge, "section", name, &first);
    if (status || !first)
        return status;
    status = sl_index_mentions(judge->corpus->index, judge->arena, name,
                               &mentions, judge->error);
    for (size_t i = 0; !status && i < mentions.count; i++) {
        const struct sl_mention *mention = &mentions.items[i];
        struct sl_view release = speaks_of(judge, mention->own, name);
        struct sl_buf message;
        /* the overview sums up what another section says in full */
        if (!release.len || sl_view_starts(mention->id, "SKILL#"))
            continue;
        sl_buf_init(&message, 2000);
        sl_buf_printf(&message, "what %.*s says of %.*s names %.*s",
                      SL_ARG(mention->id), SL_ARG(name), SL_ARG(release));
        return tell(judge, spot, SL_UPGRADE_NOTE, "section", &message,
                    mention->id);
    }
    return status;
}

struct sl_view sl_judge_resolve(const struct sl_judge *judge,
                                const struct sl_symbol *symbol,
                                struct sl_view release,
                                struct sl_view *name_out)
{
    static const char *const words[] = {"= ", "struct ", "union ", "enum "};
    struct sl_view signature = SL_LIT("");
    for (unsigned step = 0; symbol && step < ALIASES_MAX; step++) {
        bool variable = symbol->kind == SL_KIND_VARIABLE;
        struct sl_view target;
        if ((!variable && symbol->kind != SL_KIND_TYPE) ||
            !sl_symbol_in(&judge->symbols, symbol, release, &signature))
            break;
        *name_out = symbol->name;
        target = signature;
        if (!variable && !sl_view_starts(target, "= "))
            break;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (sl_view_starts(target, words[i]))
                target = sl_view_sub(target, strlen(words[i]), target.len);
        const struct sl_symbol *next = sl_symbols_find(&judge->symbols, target);
        if (next == symbol)
            break;
        symbol = next;
    }
    return signature;
}

/* "name (type): what it stands for is another": the head of a finding. */
static void put_made_of(struct sl_judge *judge, struct sl_buf *out,
                        const struct sl_symbol *symbol, struct sl_view name,
                        struct sl_view other, struct sl_view first)
{
    sl_buf_printf(out, "%.*s (%s%s)", SL_ARG(symbol->name), inside(symbol),
                  sl_symbol_kind_name(symbol->kind));
    if (!sl_view_eq(name, symbol->name))
        sl_buf_printf(out, ": %.*s, which it stands for,", SL_ARG(name));
    if (!sl_view_eq(name, other))
        sl_buf_printf(out, " was %.*s", SL_ARG(other));
    else if (first.len && sl_release_cmp(first, judge->upgrade->from) > 0)
        sl_buf_printf(out, " is another from %.*s on", SL_ARG(first));
    else
        sl_buf_puts(out, " is another");
}

/* Once a file: its uses of members are told each. */
static enum sl_status once_a_file(struct sl_judge *judge,
                                  const struct sl_spot *spot, bool *first_out)
{
    char kind[40];
    (void)snprintf(kind, sizeof kind, "file %zu", spot->file);
    return sl_judge_once(judge, kind, spot->use->name, first_out);
}

/* The name is the same, and what it stands for is not. *told_out: it is so. */
static enum sl_status judge_made_of(struct sl_judge *judge,
                                    const struct sl_spot *spot,
                                    const struct sl_symbol *symbol,
                                    bool *told_out)
{
    struct sl_view name = symbol->name, other = symbol->name;
    struct sl_view was = sl_judge_resolve(judge, symbol, judge->upgrade->from,
                                          &other);
    struct sl_view is = sl_judge_resolve(judge, symbol, judge->upgrade->to,
                                         &name);
    struct sl_layouts layouts;
    struct sl_buf message;
    bool first = false;
    sl_buf_init(&message, 4000);
    put_made_of(judge, &message, symbol, name, other,
                since(&judge->symbols, name, is));
    bool laid_out = sl_layouts_of(judge, symbol, &layouts);
    bool moved = laid_out && sl_layouts_put(judge, &message, &layouts);
    bool renamed = !sl_view_eq(name, other); /* and laid out alike: a note */
    *told_out = moved || renamed || !sl_view_eq(was, is);
    if (!moved && laid_out && renamed)
        sl_buf_puts(&message, "; its members lie where they were");
    else if (!moved)
        sl_buf_printf(&message, "; `shmemlore symbol %.*s`", SL_ARG(name));
    enum sl_status status =
        *told_out ? once_a_file(judge, spot, &first) : SL_OK;
    if (status || !first) {
        sl_buf_release(&message);
        return status;
    }
    bool internal = symbol->owner == SL_OWNER_INTERNAL;
    return tell(judge, spot,
                laid_out && !moved ? SL_UPGRADE_NOTE : SL_UPGRADE_WARNING,
                internal ? "internal-changed" : "changed", &message,
                SL_LIT(""));
}

/* The package has it not: its headers may, with an option. */
static enum sl_status judge_missing(struct sl_judge *judge,
                                    const struct sl_spot *spot,
                                    const struct sl_symbol *symbol, bool was)
{
    bool told;
    enum sl_status status = sl_judge_option(judge, spot, &told);
    return status || told ? status : tell_removed(judge, spot, symbol, was);
}

/* What was compared of a name that stays: of a function, its declaration alone. */
static const char *same_words(const struct sl_symbol *symbol)
{
    return symbol->kind == SL_KIND_FUNCTION
               ? ", declared the same in both; bodies are not compared"
               : ", the same in both";
}

/* A name that the new release has. */
static enum sl_status judge_kept(struct sl_judge *judge,
                                 const struct sl_spot *spot,
                                 const struct sl_symbol *symbol, bool was,
                                 struct sl_view before, struct sl_view after)
{
    bool told = false;
    enum sl_status status = SL_OK;
    if (was && symbol->kind == SL_KIND_TYPE)
        status = judge_made_of(judge, spot, symbol, &told);
    else if (was && !sl_view_eq(before, after))
        status = tell_changed(judge, spot, symbol, before, after);
    else if (was)
        status = judge_made_of(judge, spot, symbol, &told);
    if (!status && !told && symbol->owner == SL_OWNER_INTERNAL &&
        (!was || sl_view_eq(before, after)))
        status = tell_internal(judge, spot,
                               !was ? ", not in the old release"
                                    : same_words(symbol));
    return status ? status
                  : sl_judge_meaning(judge, spot->file, spot->use,
                                     symbol->name);
}

static enum sl_status judge_symbol(struct sl_judge *judge,
                                   const struct sl_spot *spot,
                                   const struct sl_symbol *symbol)
{
    struct sl_view before = SL_LIT(""), after = SL_LIT("");
    bool was = sl_symbol_in(&judge->symbols, symbol, judge->upgrade->from,
                            &before);
    bool is = sl_symbol_in(&judge->symbols, symbol, judge->upgrade->to, &after);
    enum sl_status status =
        is ? judge_kept(judge, spot, symbol, was, before, after)
           : judge_missing(judge, spot, symbol, was);
    return status ? status : tell_sections(judge, spot);
}

/*
 * A definition of the user's with a name that NVSHMEM has inside, a copy perhaps: its
 * original is another from now on.
 */
static enum sl_status judge_copy(struct sl_judge *judge,
                                 const struct sl_spot *spot,
                                 const struct sl_symbol *symbol,
                                 struct sl_view before, struct sl_view after)
{
    struct sl_layouts layouts;
    struct sl_buf message;
    bool other = !sl_view_eq(before, after);
    sl_buf_init(&message, 4000);
    sl_buf_printf(&message,
                  "%.*s is defined here; NVSHMEM's own of that name is another "
                  "in %.*s",
                  SL_ARG(symbol->name), SL_ARG(judge->upgrade->to));
    if (symbol->kind == SL_KIND_TYPE) {
        other = sl_layouts_of(judge, symbol, &layouts) &&
                sl_layouts_put(judge, &message, &layouts);
    } else if (other) {
        sl_buf_puts(&message, ": was ");
        put_signature(&message, before);
        sl_buf_puts(&message, ", is ");
        put_signature(&message, after);
    }
    if (other && symbol->owner == SL_OWNER_INTERNAL)
        return tell(judge, spot, SL_UPGRADE_WARNING, "own-copy", &message,
                    SL_LIT(""));
    sl_buf_release(&message);
    return SL_OK;
}

/* What the tree defines: the new release has the name too, or has it otherwise. */
static enum sl_status judge_own(struct sl_judge *judge,
                                const struct sl_spot *spot)
{
    struct sl_upgrade *upgrade = judge->upgrade;
    const struct sl_symbol *symbol =
        sl_symbols_find(&judge->symbols, spot->use->name);
    struct sl_view before, after;
    struct sl_buf message;
    if (!symbol || !sl_symbol_in(&judge->symbols, symbol, upgrade->to, &after))
        return SL_OK;
    if (sl_symbol_in(&judge->symbols, symbol, upgrade->from, &before)) {
        enum sl_status status = judge_copy(judge, spot, symbol, before, after);
        return status ? status : tell_sections(judge, spot);
    }
    sl_buf_init(&message, 2000);
    sl_buf_printf(&message,
                  "%.*s is defined here, and from %.*s on by NVSHMEM too",
                  SL_ARG(symbol->name), SL_ARG(symbol->first));
    return tell(judge, spot, SL_UPGRADE_WARNING, "own-name", &message,
                SL_LIT(""));
}

static const struct sl_env *find_env(const struct sl_judge *judge,
                                     struct sl_view name)
{
    for (size_t i = 0; i < judge->env.count; i++)
        if (sl_view_eq(judge->env.items[i].name, name) &&
            (judge->env.items[i].kind == SL_ENV_RUN ||
             judge->env.items[i].kind == SL_ENV_FOREIGN))
            return &judge->env.items[i];
    return NULL;
}

static enum sl_status judge_variable(struct sl_judge *judge,
                                     const struct sl_spot *spot)
{
    struct sl_upgrade *upgrade = judge->upgrade;
    const struct sl_env *env = find_env(judge, spot->use->name);
    struct sl_buf message;
    if (!env)
        return SL_OK;
    bool was = sl_env_gate(&judge->env, env, upgrade->from) == SL_ENV_HERE;
    bool is = sl_env_gate(&judge->env, env, upgrade->to) == SL_ENV_HERE;
    if (was && is) {
        enum sl_status meant =
            sl_judge_meaning(judge, spot->file, spot->use, env->name);
        return meant ? meant : tell_sections(judge, spot);
    }
    if (was == is)
        return SL_OK;
    sl_buf_init(&message, 2000);
    if (was)
        sl_buf_printf(&message, "%.*s is not read by %.*s",
                      SL_ARG(env->name), SL_ARG(upgrade->to));
    else
        sl_buf_printf(&message, "%.*s, not read by %.*s, is read by %.*s",
                      SL_ARG(env->name), SL_ARG(upgrade->from),
                      SL_ARG(upgrade->to));
    enum sl_status status =
        tell(judge, spot, SL_UPGRADE_WARNING,
             was ? "variable-removed" : "variable-added", &message,
             SL_LIT(""));
    return status ? status : tell_sections(judge, spot);
}

/* Of code that is compiled: Python has names of its own. */
static bool is_use(const struct sl_use *use)
{
    switch ((enum sl_use_kind)use->kind) {
    case SL_USE_CALL:
    case SL_USE_REFERENCE:
    case SL_USE_DECLARATION:
    case SL_USE_MACRO_BODY:
        return use->language == SL_LANGUAGE_CUDA;
    case SL_USE_UNPARSED:
    case SL_USE_BY_NAME:
    case SL_USE_GENERATED:
        return true;
    default:
        return false;
    }
}

enum sl_status sl_judge_spot(struct sl_judge *judge, const struct sl_spot *spot)
{
    const struct sl_use *use = spot->use;
    if (use->kind == SL_USE_ENV_SET || use->kind == SL_USE_ENV_UNSET ||
        use->kind == SL_USE_ENV_READ || use->kind == SL_USE_ENV_DOC)
        return judge_variable(judge, spot);
    if (use->kind == SL_USE_DEFINITION && use->language == SL_LANGUAGE_CUDA)
        return judge_own(judge, spot);
    if (!is_use(use))
        return SL_OK;
    if (memchr(use->name.ptr, '*', use->name.len)) {
        judge->upgrade->pasted++;
        return SL_OK;
    }
    struct sl_own *own;
    enum sl_status status =
        sl_scopes_find(judge->arena, judge->spots, spot, &own, judge->error);
    if (status)
        return status;
    if (own) {
        own->hides = true;
        return SL_OK;
    }
    const struct sl_symbol *symbol =
        sl_symbols_find(&judge->symbols, use->name);
    if (symbol)
        return judge_symbol(judge, spot, symbol);
    bool told;
    status = sl_judge_option(judge, spot, &told);
    if (status || told)
        return status;
    if (sl_view_starts(use->name, "nvshmemi_"))
        return tell_internal(judge, spot,
                             ", in no header that was read");
    return SL_OK;
}
