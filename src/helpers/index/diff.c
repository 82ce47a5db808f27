/* `index diff`: what changed between two releases, printed. */
#include <getopt.h>
#include <string.h>

#include "api/diff.h"
#include "api/table.h"
#include "base/limits.h"
#include "helpers/index/command.h"
#include "os/file.h"

static const char help_text[] =
    "Usage: shmemlore index diff [--internal] [--names] [--json] FROM TO\n"
    "\n"
    "What someone who goes from one NVSHMEM release to another must read: the\n"
    "names that came, that went, and those whose signature is another. From\n"
    "evidence/symbols.tsv and evidence/signatures.tsv; no headers are needed.\n"
    "Then the environment variables that came and went (evidence/env.tsv).\n"
    "Of defaults nothing is told: they are known of the pinned release alone.\n"
    "\n"
    "  --internal   the names of NVSHMEM's own internals too\n"
    "  --names      each name, where families are told otherwise\n"
    "  --json       one JSON object, with every name\n"
    "  --root DIR   the project (default: the folder one is in)\n"
    "  --help       this text\n"
    "\n"
    "Examples:\n"
    "  shmemlore index diff 3.4.5 3.8.0\n"
    "  shmemlore index diff --names --json 3.4.5 3.8.0 >diff.json\n"
    "\n"
    "Exit status: 0 something changed, 1 nothing did, 2 any fault.\n";

struct request {
    const char *root;
    struct sl_view from, to;
    bool internal, names, json, help;
};

enum { OPT_INTERNAL = 256, OPT_NAMES, OPT_JSON, OPT_ROOT };

static bool read_arguments(int argc, char **argv, struct request *request)
{
    static const struct option options[] = {
        {"internal", no_argument, NULL, OPT_INTERNAL},
        {"names", no_argument, NULL, OPT_NAMES},
        {"json", no_argument, NULL, OPT_JSON},
        {"root", required_argument, NULL, OPT_ROOT},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    opterr = 0;
    int option;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        switch (option) {
        case OPT_INTERNAL:
            request->internal = true;
            break;
        case OPT_NAMES:
            request->names = true;
            break;
        case OPT_JSON:
            request->json = true;
            break;
        case OPT_ROOT:
            request->root = optarg;
            break;
        case 'h':
            request->help = true;
            return true;
        default:
            return false;
        }
    }
    if (argc - optind != 2)
        return false;
    request->from = sl_view_of(argv[optind]);
    request->to = sl_view_of(argv[optind + 1]);
    return true;
}

static bool is_wanted(const struct request *request,
                      const struct sl_change *change)
{
    return request->internal || change->symbol->owner != SL_OWNER_INTERNAL;
}

/* Of one family, kind and pair of signatures: told in one line. */
static bool is_first_alike(const struct request *request,
                           const struct sl_changes *changes, size_t i,
                           size_t *count_out)
{
    const struct sl_change *one = &changes->items[i];
    *count_out = 1;
    if (request->names)
        return true;
    for (size_t k = 0; k < changes->count; k++) {
        const struct sl_change *other = &changes->items[k];
        if (k == i || other->kind != one->kind ||
            !sl_view_eq(other->symbol->family, one->symbol->family))
            continue;
        if (k < i)
            return false;
        (*count_out)++;
    }
    return true;
}

static void put_one(struct sl_buf *out, const struct sl_change *change,
                    size_t alike)
{
    static const char marks[] = {'+', '-', '~'};
    const struct sl_symbol *symbol = change->symbol;
    sl_buf_printf(out, "%c %.*s", marks[change->kind],
                  SL_ARG(alike > 1 ? symbol->family : symbol->name));
    if (alike > 1)
        sl_buf_printf(out, " (%zu names, such as %.*s)", alike,
                      SL_ARG(symbol->name));
    if (symbol->owner == SL_OWNER_INTERNAL)
        sl_buf_puts(out, " (internal)");
    sl_buf_putc(out, '\n');
    if (change->before.ptr && change->kind != SL_CHANGE_ADDED)
        sl_buf_printf(out, "    was %.*s\n", SL_ARG(change->before));
    if (change->after.ptr && change->kind != SL_CHANGE_REMOVED)
        sl_buf_printf(out, "    %s %.*s\n",
                      change->kind == SL_CHANGE_ADDED ? "is " : "now",
                      SL_ARG(change->after));
}

static void put_variables(struct sl_buf *out,
                          const struct sl_env_changes *variables)
{
    static const char *const titles[] = {"variables that came",
                                         "variables that went"};
    static const enum sl_change_kind order[] = {SL_CHANGE_REMOVED,
                                                SL_CHANGE_ADDED};
    for (size_t n = 0; n < 2; n++) {
        bool some = false;
        for (size_t i = 0; i < variables->count; i++) {
            const struct sl_env_change *change = &variables->items[i];
            if (change->kind != order[n])
                continue;
            if (!some)
                sl_buf_printf(out, "\n%s\n", titles[change->kind]);
            some = true;
            sl_buf_printf(out, "%c %.*s",
                          change->kind == SL_CHANGE_ADDED ? '+' : '-',
                          SL_ARG(change->env->name));
            if (change->env->readers.len)
                sl_buf_printf(out, " (%.*s)", SL_ARG(change->env->readers));
            sl_buf_putc(out, '\n');
        }
    }
}

static void put_text(struct sl_buf *out, const struct request *request,
                     const struct sl_changes *changes,
                     const struct sl_env_changes *variables)
{
    size_t counts[3] = {0, 0, 0}, internal = 0;
    for (size_t i = 0; i < changes->count; i++) {
        if (is_wanted(request, &changes->items[i]))
            counts[changes->items[i].kind]++;
        else
            internal++;
    }
    sl_buf_printf(out,
                  "NVSHMEM %.*s to %.*s: %zu names added, %zu removed, %zu "
                  "with another signature",
                  SL_ARG(request->from), SL_ARG(request->to), counts[0],
                  counts[1], counts[2]);
    if (internal)
        sl_buf_printf(out, "; %zu changes of internal names (--internal)",
                      internal);
    sl_buf_printf(out, "; %zu variables came or went\n", variables->count);
    static const char *const titles[] = {"added", "removed",
                                         "with another signature"};
    static const enum sl_change_kind order[] = {
        SL_CHANGE_REMOVED, SL_CHANGE_SIGNATURE, SL_CHANGE_ADDED};
    for (size_t n = 0; n < 3; n++) {
        if (!counts[order[n]])
            continue;
        sl_buf_printf(out, "\n%s\n", titles[order[n]]);
        for (size_t i = 0; i < changes->count; i++) {
            const struct sl_change *change = &changes->items[i];
            size_t alike;
            if (change->kind == order[n] && is_wanted(request, change) &&
                is_first_alike(request, changes, i, &alike))
                put_one(out, change, alike);
        }
    }
    put_variables(out, variables);
}

static void put_member(struct sl_buf *out, const char *name,
                       struct sl_view value)
{
    sl_buf_printf(out, ", \"%s\": ", name);
    if (!value.ptr) {
        sl_buf_puts(out, "null");
        return;
    }
    sl_buf_putc(out, '"');
    sl_buf_json(out, value);
    sl_buf_putc(out, '"');
}

static void put_json_variables(struct sl_buf *out,
                               const struct sl_env_changes *variables)
{
    sl_buf_puts(out, ", \"variables\": [");
    for (size_t i = 0; i < variables->count; i++) {
        const struct sl_env_change *change = &variables->items[i];
        sl_buf_printf(out, "%s\n  {\"change\": \"%s\"", i ? "," : "",
                      sl_change_kind_name(change->kind));
        put_member(out, "name", change->env->name);
        put_member(out, "readers", change->env->readers);
        put_member(out, "evidence", change->env->evidence);
        sl_buf_putc(out, '}');
    }
    sl_buf_puts(out, variables->count ? "\n]" : "]");
}

static void put_json(struct sl_buf *out, const struct request *request,
                     const struct sl_changes *changes,
                     const struct sl_env_changes *variables)
{
    sl_buf_puts(out, "{\"schema\": \"shmemlore-index-diff/1\"");
    put_member(out, "from", request->from);
    put_member(out, "to", request->to);
    sl_buf_puts(out, ", \"names\": [");
    bool some = false;
    for (size_t i = 0; i < changes->count; i++) {
        const struct sl_change *change = &changes->items[i];
        if (!is_wanted(request, change))
            continue;
        struct sl_view none = {NULL, 0};
        sl_buf_printf(out, "%s\n  {\"change\": \"%s\"", some ? "," : "",
                      sl_change_kind_name(change->kind));
        put_member(out, "name", change->symbol->name);
        put_member(out, "family", change->symbol->family);
        put_member(out, "kind",
                   sl_view_of(sl_symbol_kind_name(change->symbol->kind)));
        put_member(out, "owner",
                   sl_view_of(sl_symbol_owner_name(change->symbol->owner)));
        put_member(out, "before",
                   change->kind == SL_CHANGE_ADDED ? none : change->before);
        put_member(out, "after",
                   change->kind == SL_CHANGE_REMOVED ? none : change->after);
        sl_buf_putc(out, '}');
        some = true;
    }
    sl_buf_puts(out, some ? "\n]" : "]");
    put_json_variables(out, variables);
    sl_buf_puts(out, "}\n");
}

/* A project without the table has no variables to tell. */
static enum sl_status diff_variables(struct sl_arena *arena,
                                     const struct request *request,
                                     struct sl_env_changes *variables,
                                     struct sl_error *error)
{
    struct sl_env_table table;
    struct sl_view bytes;
    *variables = (struct sl_env_changes){NULL, 0, 0};
    enum sl_status status = sl_table_read(arena, request->root, SL_ENV_TSV,
                                          SL_MAX_ENV_TABLE, &bytes, error);
    if (status == SL_ERR_NOTFOUND) {
        *error = (struct sl_error){SL_OK, ""};
        return SL_OK;
    }
    if (!status)
        status = sl_env_parse(arena, bytes, &table, error);
    if (!status)
        status = sl_env_diff(arena, &table, request->from, request->to,
                             variables, error);
    return status;
}

static int run(struct sl_arena *arena, const struct request *request,
               struct sl_error *error)
{
    struct sl_symbols symbols;
    struct sl_changes changes;
    struct sl_env_changes variables;
    enum sl_status status = sl_symbols_load(arena, request->root, &symbols,
                                            error);
    if (!status)
        status = sl_api_diff(arena, &symbols, request->from, request->to,
                             &changes, error);
    if (!status)
        status = diff_variables(arena, request, &variables, error);
    if (status)
        return SL_EXIT_ERROR;
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    if (request->json)
        put_json(&out, request, &changes, &variables);
    else
        put_text(&out, request, &changes, &variables);
    bool done = sl_index_flush(&out);
    sl_buf_release(&out);
    if (!done)
        return SL_EXIT_ERROR;
    return changes.count || variables.count ? SL_EXIT_DONE : SL_EXIT_FINDINGS;
}

int sl_index_diff(int argc, char **argv)
{
    struct request request = {.root = "."};
    if (!read_arguments(argc, argv, &request)) {
        sl_index_say("diff takes two releases, as in `diff 3.4.5 3.8.0`; "
                     "--help tells more");
        return SL_EXIT_ERROR;
    }
    if (request.help) {
        struct sl_buf out;
        sl_buf_init(&out, sizeof help_text);
        sl_buf_puts(&out, help_text);
        bool done = sl_index_flush(&out);
        sl_buf_release(&out);
        return done ? SL_EXIT_DONE : SL_EXIT_ERROR;
    }
    struct sl_arena arena;
    struct sl_error error = {SL_OK, ""};
    sl_arena_init(&arena, SL_MAX_INDEX_ARENA);
    int code = run(&arena, &request, &error);
    if (error.status)
        sl_index_say(error.message);
    sl_arena_release(&arena);
    return code;
}
