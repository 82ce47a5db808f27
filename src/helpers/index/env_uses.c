/*
 * Where the sources ask for variables: the lexer's tokens of each file, searched
 * for calls of getenv and its wrappers, for the call that fills a table, and for
 * members of the options structure that are used.
 */
#include <string.h>

#include "base/limits.h"
#include "helpers/index/env.h"
#include "os/file.h"

/* Folders in the order of reading: plugins tell which common files they use. */
static const struct place {
    const char *begin;   /* of the path */
    const char *readers; /* comma list */
    unsigned when;
    enum sl_env_kind kind; /* of what is asked for directly, when NVSHMEM_... */
} places[] = {
    {"src/modules/bootstrap/common/", "bootstrap:*", SL_WHEN_BOOTSTRAP,
     SL_ENV_RUN},
    {"src/modules/bootstrap/mpi/", "bootstrap:mpi", SL_WHEN_BOOTSTRAP,
     SL_ENV_RUN},
    {"src/modules/bootstrap/pmi/pmi-2/", "bootstrap:pmi2", SL_WHEN_BOOTSTRAP,
     SL_ENV_RUN},
    {"src/modules/bootstrap/pmi/simple-pmi/", "bootstrap:pmi",
     SL_WHEN_BOOTSTRAP, SL_ENV_RUN},
    {"src/modules/bootstrap/pmi/", "bootstrap:pmi,bootstrap:pmi2",
     SL_WHEN_BOOTSTRAP, SL_ENV_RUN},
    {"src/modules/bootstrap/pmix/", "bootstrap:pmix", SL_WHEN_BOOTSTRAP,
     SL_ENV_RUN},
    {"src/modules/bootstrap/shmem/", "bootstrap:shmem", SL_WHEN_BOOTSTRAP,
     SL_ENV_RUN},
    {"src/modules/bootstrap/uid/", "bootstrap:uid", SL_WHEN_BOOTSTRAP,
     SL_ENV_RUN},
    {"src/modules/transport/ibdevx/", "transport:ibdevx", SL_WHEN_TRANSPORT,
     SL_ENV_RUN},
    {"src/modules/transport/ibgda/", "transport:ibgda", SL_WHEN_TRANSPORT,
     SL_ENV_RUN},
    {"src/modules/transport/ibrc/", "transport:ibrc", SL_WHEN_TRANSPORT,
     SL_ENV_RUN},
    {"src/modules/transport/libfabric/", "transport:libfabric",
     SL_WHEN_TRANSPORT, SL_ENV_RUN},
    {"src/modules/transport/ucx/", "transport:ucx", SL_WHEN_TRANSPORT,
     SL_ENV_RUN},
    {"src/modules/transport/common/", "transport:*", SL_WHEN_TRANSPORT,
     SL_ENV_RUN},
    {"src/bin/", "nvshmem-info", SL_WHEN_START, SL_ENV_TOOL},
    {"src/", "host", SL_WHEN_INIT, SL_ENV_RUN},
    {"perftest/", "perftest", SL_WHEN_START, SL_ENV_TOOL},
    {"examples/", "examples", SL_WHEN_START, SL_ENV_TOOL},
};
#define PLACES (sizeof places / sizeof *places)

struct reading {
    struct sl_env_work *work;
    struct sl_map includes; /* name of a common header, to the set of readers */
    struct sl_view path, text;
    const struct place *place;
    sl_env_set readers;
    const struct sl_clang_token *tokens;
    size_t count;
};

static bool is_source(struct sl_view path)
{
    static const char *const ends[] = {".c",   ".cc", ".cpp", ".cu",
                                       ".cuh", ".h",  ".hpp"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (sl_view_ends(path, ends[i]))
            return true;
    return false;
}

static const struct place *place_of(struct sl_view path)
{
    for (size_t i = 0; i < PLACES; i++)
        if (sl_view_starts(path, places[i].begin))
            return &places[i];
    return NULL;
}

static struct sl_view base_of(struct sl_view path)
{
    size_t at = path.len;
    while (at && path.ptr[at - 1] != '/')
        at--;
    return sl_view_sub(path, at, path.len);
}

static struct sl_view stem_of(struct sl_view path)
{
    struct sl_view base = base_of(path);
    return sl_view_sub(base, 0, sl_view_find(base, SL_LIT("."), 0));
}

/* `transport:*` is every plugin that includes the file's header. */
static sl_env_set readers_of(struct reading *r)
{
    struct sl_view rest = sl_view_of(r->place->readers), name;
    if (sl_view_ends(rest, "*")) {
        size_t *set = sl_map_get(&r->includes, stem_of(r->path));
        return set ? (sl_env_set)*set : 0;
    }
    sl_env_set set = 0;
    while (sl_view_cut(&rest, ',', &name))
        set |= sl_env_reader(r->work, name);
    return set;
}

static bool is_mark(const struct reading *r, size_t i, const char *mark)
{
    return i < r->count && r->tokens[i].kind == SL_TOKEN_MARK &&
           sl_view_is(r->tokens[i].text, mark);
}

static bool is_word(const struct reading *r, size_t i, const char *word)
{
    return i < r->count && r->tokens[i].kind == SL_TOKEN_WORD &&
           sl_view_is(r->tokens[i].text, word);
}

/* The inside of "TEXT"; false when the token is no such literal. */
static bool literal(const struct reading *r, size_t i, struct sl_view *text_out)
{
    if (i >= r->count || r->tokens[i].kind != SL_TOKEN_LITERAL)
        return false;
    struct sl_view text = r->tokens[i].text;
    if (text.len < 2 || text.ptr[0] != '"')
        return false;
    *text_out = sl_view_sub(text, 1, text.len - 1);
    return true;
}

/* --- as what a value is read ------------------------------------------------ */

#define MAX_AHEAD 400u /* tokens from a getenv to what is done with its value */

/* `int`, `long` or `float` of a call that makes a number of a text; NULL: none. */
static const char *number_of(const struct reading *r, size_t i)
{
    static const struct {
        const char *function, *type;
    } calls[] = {
        {"atoi", "int"},     {"stoi", "int"},      {"atol", "long"},
        {"atoll", "long"},   {"stol", "long"},     {"stoll", "long"},
        {"stoul", "long"},   {"stoull", "long"},   {"strtol", "long"},
        {"strtoll", "long"}, {"strtoul", "long"},  {"strtoull", "long"},
        {"atof", "float"},   {"strtof", "float"},  {"strtod", "float"},
        {"stof", "float"},   {"stod", "float"},
    };
    if (!is_mark(r, i + 1, "("))
        return NULL;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (is_word(r, i, calls[k].function))
            return calls[k].type;
    return NULL;
}

/* `}` at the beginning of a line ends a function. */
static bool ends_function(const struct reading *r, size_t i)
{
    return is_mark(r, i, "}") &&
           (r->tokens[i].text.ptr == r->text.ptr ||
            r->tokens[i].text.ptr[-1] == '\n');
}

/* The variable in `NAME = (const char *)getenv(`, before i; false: none. */
static bool assigned(const struct reading *r, size_t i, struct sl_view *name)
{
    while (i && (is_mark(r, i - 1, ")") || is_mark(r, i - 1, "(") ||
                 is_mark(r, i - 1, "*") || is_word(r, i - 1, "const") ||
                 is_word(r, i - 1, "char")))
        i--;
    if (i < 2 || !is_mark(r, i - 1, "=") ||
        r->tokens[i - 2].kind != SL_TOKEN_WORD)
        return false;
    *name = r->tokens[i - 2].text;
    return true;
}

/*
 * Of the call at i: a number when its value, or the variable that takes it, goes into
 * one of the calls above before the variable is set again or the function ends.
 */
static const char *type_of(const struct reading *r, size_t i)
{
    struct sl_view name;
    const char *type = i >= 2 ? number_of(r, i - 2) : NULL;
    if (type)
        return type;
    if (!assigned(r, i, &name))
        return "string";
    for (size_t k = i + 1; k < r->count && k < i + MAX_AHEAD; k++) {
        bool is_it = r->tokens[k].kind == SL_TOKEN_WORD &&
                     sl_view_eq(r->tokens[k].text, name);
        if (ends_function(r, k) || (is_it && is_mark(r, k + 1, "=")))
            break;
        if (is_it && k >= 2)
            type = number_of(r, k - 2);
        if (type)
            return type;
    }
    return "string";
}

/* --- what a file tells ---------------------------------------------------- */

static enum sl_status add_asked(struct reading *r, size_t i, bool is_set,
                                struct sl_error *error)
{
    struct sl_view name;
    if (!literal(r, i + 2, &name)) {
        r->work->opaque++;
        sl_buf_printf(&r->work->remarks, "no literal name: %.*s:%u %.*s(...)\n",
                      SL_ARG(r->path), r->tokens[i].line,
                      SL_ARG(r->tokens[i].text));
        return SL_OK;
    }
    bool ours = sl_view_starts(name, "NVSHMEM");
    bool tool = r->place->kind == SL_ENV_TOOL;
    struct sl_env_draft *draft = sl_env_draft(
        r->work, ours || tool ? r->place->kind : SL_ENV_FOREIGN, name);
    if (!draft)
        return sl_error_nomem(error);
    sl_env_type(draft, is_set ? "string" : type_of(r, i));
    if (is_set) {
        draft->is_set = true;
    } else {
        draft->readers |= r->readers;
        draft->used |= r->readers;
    }
    draft->whens |= r->place->when;
    return sl_env_place(r->work, draft, r->path, r->tokens[i].line, error);
}

/* A call of `word` with its name as text; what asks, what sets. */
static enum sl_status look_at_call(struct reading *r, size_t i,
                                   struct sl_error *error)
{
    static const char *const asking[] = {"getenv", "secure_getenv",
                                         "ncclGetEnv", "NVSHMEMI_SET_ENV_VAR"};
    static const char *const setting[] = {"setenv", "NVSHMEMI_SET_ENV_VAR"};
    if (r->tokens[i].kind != SL_TOKEN_WORD || !is_mark(r, i + 1, "("))
        return SL_OK;
    if (i >= 2 && is_mark(r, i - 2, "#")) /* the wrapper's own #define */
        return SL_OK;
    if (i >= 1 && is_mark(r, i - 1, "*")) /* ... or declaration */
        return SL_OK;
    enum sl_status status = SL_OK;
    for (size_t k = 0; !status && k < sizeof asking / sizeof *asking; k++)
        if (is_word(r, i, asking[k]))
            status = add_asked(r, i, false, error);
    for (size_t k = 0; !status && k < sizeof setting / sizeof *setting; k++)
        if (is_word(r, i, setting[k]))
            status = add_asked(r, i, true, error);
    return status;
}

/* options.NAME and options->NAME, also NAME_provided. */
static void look_at_member(struct reading *r, size_t i)
{
    if (i < 2 || r->tokens[i].kind != SL_TOKEN_WORD ||
        !(is_mark(r, i - 1, ".") || is_mark(r, i - 1, "->")))
        return;
    const struct sl_clang_token *owner = &r->tokens[i - 2];
    if (owner->kind != SL_TOKEN_WORD ||
        !(sl_view_ends(owner->text, "options") ||
          sl_view_is(owner->text, "env_attr")))
        return;
    struct sl_view name = r->tokens[i].text;
    if (sl_view_ends(name, "_provided"))
        name = sl_view_sub(name, 0, name.len - strlen("_provided"));
    struct sl_view full;
    struct sl_error none;
    if (sl_env_prefixed(r->work, name, &full, &none) != SL_OK)
        return;
    struct sl_env_draft *draft = sl_env_known(r->work, SL_ENV_RUN, full);
    if (draft && draft->tables)
        draft->used |= r->readers;
}

static enum sl_status look_at_include(struct reading *r, size_t i,
                                      struct sl_error *error)
{
    struct sl_view header;
    if (!is_word(r, i, "include") || !literal(r, i + 1, &header) ||
        sl_view_ends(sl_view_of(r->place->readers), "*"))
        return SL_OK;
    struct sl_view stem = sl_arena_copy(r->work->arena, stem_of(header));
    size_t *set = stem.ptr ? sl_map_put(&r->includes, stem, 0, NULL) : NULL;
    if (!set)
        return sl_error_nomem(error);
    *set |= (size_t)r->readers;
    return SL_OK;
}

static enum sl_status look_at_file(struct reading *r, struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < r->count && !status; i++) {
        status = look_at_include(r, i, error);
        if (!status)
            status = look_at_call(r, i, error);
        look_at_member(r, i);
        if (is_word(r, i, "nvshmemi_env_options_init") &&
            is_mark(r, i + 1, "(") && !is_word(r, i + 2, "struct"))
            r->work->loaders |= r->readers;
    }
    return status;
}

static enum sl_status read_file(struct reading *r, struct sl_clang_lexer *lexer,
                                struct sl_error *error)
{
    struct sl_arena arena;
    sl_arena_init(&arena, SL_MAX_FILE_ARENA);
    enum sl_status status = sl_file_read_beneath(
        &arena, r->work->tree, r->path, SL_MAX_SOURCE_FILE, &r->text, error);
    struct sl_clang_token *tokens = NULL;
    if (!status)
        status = sl_clang_lex(lexer, &arena, r->text, &tokens, &r->count,
                              error);
    r->tokens = tokens;
    if (!status)
        status = look_at_file(r, error);
    r->work->files++;
    sl_arena_release(&arena);
    return status;
}

enum sl_status sl_env_read_uses(struct sl_env_work *work,
                                struct sl_error *error)
{
    struct sl_view *paths;
    size_t count;
    enum sl_status status = sl_folder_list(work->arena, work->tree, NULL,
                                           SL_MAX_TREE_FILES, &paths, &count,
                                           error);
    struct sl_clang_lexer *lexer = NULL;
    if (!status)
        status = sl_clang_lexer_new(&lexer, error);
    struct reading r = {.work = work};
    sl_map_init(&r.includes, work->arena);
    /* files that others include after those that include them */
    for (size_t round = 0; round < 2 && !status; round++)
        for (size_t i = 0; i < count && !status; i++) {
            r.path = paths[i];
            r.place = is_source(r.path) ? place_of(r.path) : NULL;
            if (!r.place || sl_view_ends(r.path, "/env_defs_internal.h") ||
                sl_view_ends(sl_view_of(r.place->readers), "*") != (round == 1))
                continue;
            r.readers = readers_of(&r);
            status = read_file(&r, lexer, error);
        }
    sl_clang_lexer_free(lexer);
    return status;
}
