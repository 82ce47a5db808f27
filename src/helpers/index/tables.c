/* `index tables`: the generated tables of the knowledge base. */
#include <getopt.h>
#include <string.h>

#include "api/table.h"
#include "base/limits.h"
#include "helpers/index/command.h"
#include "kb/generated.h"
#include "os/file.h"
#include "tables/tables.h"

static const char help_text[] =
    "Usage: shmemlore index tables [--check] [--root DIR]\n"
    "\n"
    "Writes the tables that stand between `<!-- generated: NAME -->` and\n"
    "`<!-- end -->` in the knowledge base, from evidence/symbols.tsv,\n"
    "usage.tsv, env.tsv, sources.yaml and the sections themselves.\n"
    "\n"
    "  --check      write nothing; exit 1 when a file would change\n"
    "  --root DIR   the checkout (default: .)\n"
    "  --help       this text\n"
    "\n"
    "Example:\n"
    "  shmemlore index tables --check\n"
    "\n"
    "Exit status: 0 done, 1 --check found differences, 2 any fault.\n";

struct request {
    const char *root;
    bool check, help;
};

static bool read_arguments(int argc, char **argv, struct request *request)
{
    static const struct option options[] = {
        {"check", no_argument, NULL, 'c'},
        {"root", required_argument, NULL, 'r'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (c == 'c')
            request->check = true;
        else if (c == 'r')
            request->root = optarg;
        else if (c == 'h')
            request->help = true;
        else
            return false;
    }
    return request->help || optind == argc;
}

struct work {
    struct sl_arena *arena;
    const struct request *request;
    const char *skill;
    struct sl_tables tables;
    struct sl_buf *out; /* names of the files that change */
    size_t changed;
};

static enum sl_status update(struct work *work, const struct sl_kb_file *file,
                             struct sl_error *error)
{
    struct sl_buf text;
    struct sl_generated generated;
    if (!sl_generated_next(file->bytes, 0, &generated))
        return SL_OK;
    sl_buf_init(&text, SL_MAX_MARKDOWN_FILE);
    enum sl_status status =
        sl_tables_update(work->arena, &work->tables, file->path, file->bytes,
                         &text, error);
    if (!status && !sl_view_eq(sl_buf_view(&text), file->bytes)) {
        const char *path = sl_path_join(work->arena, work->skill, file->path);
        work->changed++;
        sl_buf_printf(work->out, "%.*s\n", SL_ARG(file->path));
        if (!path)
            status = sl_error_nomem(error);
        else if (!work->request->check)
            status = sl_file_write(path, sl_buf_view(&text), error);
    }
    sl_buf_release(&text);
    return status;
}

static enum sl_status read_sources(struct work *work,
                                   struct sl_sources *sources,
                                   struct sl_error *error)
{
    struct sl_view bytes;
    const char *path = sl_path_join(work->arena, work->request->root,
                                    SL_LIT("evidence/sources.yaml"));
    if (!path)
        return sl_error_nomem(error);
    enum sl_status status = sl_file_read(work->arena, path, SL_MAX_SOURCES_YAML,
                                         &bytes, error);
    return status ? status
                  : sl_sources_parse(work->arena, bytes, sources, error);
}

struct evidence {
    struct sl_symbols symbols;
    struct sl_users users;
    struct sl_env_table env;
    struct sl_sources sources;
};

static enum sl_status read_evidence(struct work *work, struct evidence *it,
                                    struct sl_error *error)
{
    struct sl_arena *arena = work->arena;
    const char *root = work->request->root;
    struct sl_view users, env;
    enum sl_status status = sl_symbols_load(arena, root, &it->symbols, error);
    if (!status)
        status = sl_table_read(arena, root, SL_USAGE_TSV, SL_MAX_SYMBOLS_FILE,
                               &users, error);
    if (!status)
        status = sl_users_parse(arena, users, SL_LIT(""), &it->users, error);
    if (!status)
        status = sl_table_read(arena, root, SL_ENV_TSV, SL_MAX_ENV_TABLE, &env,
                               error);
    if (!status)
        status = sl_env_parse(arena, env, &it->env, error);
    return status ? status : read_sources(work, &it->sources, error);
}

static enum sl_status run(struct work *work, struct sl_kb *kb,
                          struct sl_error *error)
{
    struct evidence evidence;
    work->skill = sl_path_join(work->arena, work->request->root,
                               SL_LIT("skills/nvshmem"));
    if (!work->skill)
        return sl_error_nomem(error);
    enum sl_status status = sl_kb_load(kb, work->skill, error);
    if (!status)
        status = read_evidence(work, &evidence, error);
    if (!status) {
        struct sl_tables_data data = {&evidence.symbols, &evidence.users,
                                      &evidence.env, &evidence.sources, kb};
        status = sl_tables_make(work->arena, &data, &work->tables, error);
    }
    for (size_t i = 0; !status && i < kb->file_count; i++)
        status = update(work, &kb->files[i], error);
    return status;
}

int sl_index_tables(int argc, char **argv)
{
    struct request request = {.root = "."};
    struct sl_arena arena;
    struct sl_kb kb;
    struct sl_buf out;
    struct sl_error error = {SL_OK, ""};
    if (!read_arguments(argc, argv, &request)) {
        sl_index_say("tables takes no operands; --help tells more");
        return SL_EXIT_ERROR;
    }
    sl_buf_init(&out, SL_MAX_OUTPUT);
    sl_arena_init(&arena, SL_MAX_INDEX_ARENA);
    sl_kb_init(&kb);
    struct work work = {.arena = &arena, .request = &request, .out = &out};
    int code = SL_EXIT_DONE;
    if (request.help)
        sl_buf_puts(&out, help_text);
    else if (run(&work, &kb, &error))
        code = SL_EXIT_ERROR;
    else if (request.check && work.changed)
        code = SL_EXIT_FINDINGS;
    if (error.status)
        sl_index_say(error.message);
    else if (!sl_index_flush(&out))
        code = SL_EXIT_ERROR;
    sl_buf_release(&out);
    sl_kb_release(&kb);
    sl_arena_release(&arena);
    return code;
}
