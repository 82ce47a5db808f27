#include "answer/corpus.h"

#include <string.h>

#include "api/table.h"
#include "base/limits.h"
#include "kb/kb.h"
#include "os/file.h"

/* Evidence that show and ask need; paths as in the project. */
#define SOURCES "evidence/sources.yaml"
#define LOCK "evidence/citations.lock"
#define RUNS "evidence/runs"
#define LINES "evidence/lines"

/* Those of the commands over the API's names; a project may lack them. */
static const char *const tables[] = {
    "evidence/symbols.tsv",  "evidence/signatures.tsv",
    "evidence/packages.tsv", "evidence/env.tsv",
    "evidence/nccl-map.tsv", "evidence/usage.tsv",
    "evidence/members.tsv",  "evidence/options.tsv",
    "evidence/meanings.tsv",
};

struct evidence {
    struct sl_index_file *files;
    size_t count, cap;
};

static enum sl_status keep(struct sl_arena *arena, struct evidence *evidence,
                           const char *path, struct sl_view bytes,
                           struct sl_error *error)
{
    evidence->files =
        sl_arena_grow(arena, evidence->files, sizeof *evidence->files,
                      evidence->count, &evidence->cap);
    struct sl_view name = sl_arena_copy(arena, sl_view_of(path));
    if (!evidence->files || !name.ptr)
        return sl_error_nomem(error);
    evidence->files[evidence->count++] = (struct sl_index_file){name, bytes};
    return SL_OK;
}

static enum sl_status add(struct sl_arena *arena, struct evidence *evidence,
                          const char *root, const char *path, size_t max,
                          struct sl_error *error)
{
    struct sl_view bytes;
    enum sl_status status = sl_file_read_beneath(arena, root, sl_view_of(path),
                                                 max, &bytes, error);
    return status ? status : keep(arena, evidence, path, bytes, error);
}

static enum sl_status add_runs(struct sl_arena *arena,
                               struct evidence *evidence, const char *root,
                               struct sl_error *error)
{
    const char *folder = sl_path_join(arena, root, SL_LIT(RUNS));
    if (!folder)
        return sl_error_nomem(error);
    if (!sl_path_is_folder(folder))
        return SL_OK;
    struct sl_view *names;
    size_t count;
    enum sl_status status = sl_folder_list(arena, folder, ".json",
                                           SL_MAX_KB_FILES, &names, &count,
                                           error);
    for (size_t i = 0; i < count && !status; i++) {
        const char *path = sl_path_join(arena, RUNS, names[i]);
        status = path ? add(arena, evidence, root, path, SL_MAX_RUN_RECORD,
                            error)
                      : sl_error_nomem(error);
    }
    return status;
}

static enum sl_status add_if_there(struct sl_arena *arena,
                                   struct evidence *evidence, const char *root,
                                   const char *path, size_t max,
                                   struct sl_error *error)
{
    enum sl_status status = add(arena, evidence, root, path, max, error);
    return status == SL_ERR_NOTFOUND ? SL_OK : status;
}

/* The evidence files of a project root; only its sources must be there. */
static enum sl_status read_evidence(struct sl_arena *arena, const char *root,
                                    struct evidence *evidence,
                                    struct sl_error *error)
{
    enum sl_status status =
        add(arena, evidence, root, SOURCES, SL_MAX_SOURCES_YAML, error);
    if (!status)
        status = add_if_there(arena, evidence, root, LOCK, SL_MAX_LOCK, error);
    if (!status)
        status = add_runs(arena, evidence, root, error);
    return status;
}

/* Those of its tables that a project has. */
static enum sl_status read_tables(struct sl_arena *arena, const char *root,
                                  struct evidence *evidence,
                                  struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < sizeof tables / sizeof *tables; i++) {
        struct sl_view bytes;
        status = sl_table_read(arena, root, tables[i], SL_MAX_SYMBOLS_FILE,
                               &bytes, error);
        if (status == SL_ERR_NOTFOUND)
            status = SL_OK;
        else if (!status)
            status = keep(arena, evidence, tables[i], bytes, error);
    }
    return status;
}

/* Line manifests, for whoever checks a citation without a checkout. */
static enum sl_status read_lines(struct sl_arena *arena, const char *root,
                                 struct evidence *evidence,
                                 struct sl_error *error)
{
    struct sl_view *names;
    size_t count = 0;
    const char *folder = sl_path_join(arena, root, SL_LIT(LINES));
    if (!folder)
        return sl_error_nomem(error);
    enum sl_status status = SL_OK;
    if (sl_path_is_folder(folder))
        status = sl_folder_list(arena, folder, ".lines", SL_MAX_SOURCES, &names,
                                &count, error);
    for (size_t i = 0; !status && i < count; i++) {
        const char *path = sl_path_join(arena, LINES, names[i]);
        status = path ? add(arena, evidence, root, path, SL_MAX_MANIFEST, error)
                      : sl_error_nomem(error);
    }
    return status;
}

/* Files of the skill that are no Markdown travel with it. */
static enum sl_status read_others(struct sl_arena *arena, const char *skill,
                                  struct evidence *evidence,
                                  struct sl_error *error)
{
    struct sl_view *paths;
    size_t count;
    enum sl_status status = sl_folder_list(arena, skill, NULL, SL_MAX_KB_FILES,
                                           &paths, &count, error);
    for (size_t i = 0; !status && i < count; i++)
        if (!sl_view_ends(paths[i], ".md"))
            status = add(arena, evidence, skill, paths[i].ptr,
                         SL_MAX_MARKDOWN_FILE, error);
    return status;
}

/* The skill's folder below a project root, or root itself; NULL: no memory. */
static const char *skill_of(struct sl_arena *arena, const char *root,
                            bool *is_project_out)
{
    const char *skill = sl_path_join(arena, root, SL_LIT("skills/nvshmem"));
    *is_project_out = skill && sl_path_is_folder(skill);
    return *is_project_out || !skill ? skill : root;
}

/* with_tables: they go into the index too. */
static enum sl_status index_folder(struct sl_arena *arena, const char *root,
                                   bool with_tables,
                                   struct sl_index **index_out,
                                   struct sl_error *error)
{
    struct sl_kb kb;
    struct evidence evidence = {0};
    bool project;
    const char *skill = skill_of(arena, root, &project);
    if (!skill)
        return sl_error_nomem(error);
    sl_kb_init(&kb);
    enum sl_status status = sl_kb_load(&kb, skill, error);
    if (!status && project)
        status = read_others(arena, skill, &evidence, error);
    if (!status && project)
        status = read_evidence(arena, root, &evidence, error);
    if (!status && project && with_tables)
        status = read_tables(arena, root, &evidence, error);
    if (!status)
        status = sl_index_build(&kb, evidence.files, evidence.count, index_out,
                                error);
    sl_kb_release(&kb);
    return status;
}

static enum sl_status read_sources(struct sl_corpus *corpus,
                                   struct sl_index *index,
                                   struct sl_error *error)
{
    struct sl_view yaml;
    enum sl_status status = sl_index_read(index, &corpus->arena,
                                          SL_LIT(SOURCES), &yaml, error);
    if (!status)
        status = sl_sources_parse(&corpus->arena, yaml, &corpus->sources,
                                  error);
    return status;
}

enum sl_status sl_corpus_open(struct sl_corpus *corpus, const char *folder,
                              struct sl_view image, struct sl_error *error)
{
    *corpus = (struct sl_corpus){.from = folder};
    sl_arena_init(&corpus->arena, SL_MAX_KB_ARENA);
    struct sl_index *embedded = NULL;
    enum sl_status status = SL_OK;
    if (folder)
        status = index_folder(&corpus->arena, folder, true, &corpus->index,
                              error);
    if (!status && image.len)
        status = sl_pack_read(&corpus->arena, image, &corpus->pack, error);
    if (!status && image.len)
        status = sl_index_open(corpus->pack.index, &embedded, error);
    if (!status && folder) {
        status = read_sources(corpus, corpus->index, error);
        if (status == SL_ERR_NOTFOUND && embedded)
            status = read_sources(corpus, embedded, error);
        if (status == SL_ERR_NOTFOUND)
            status = SL_OK;
    } else if (!status && embedded) {
        corpus->index = embedded;
        embedded = NULL;
        status = read_sources(corpus, corpus->index, error);
    } else if (!status) {
        status = sl_error_set(error, SL_ERR_USAGE,
                              "no knowledge base is built in: name one with "
                              "--kb DIR");
    }
    sl_index_close(embedded);
    status = sl_arena_explain(&corpus->arena, status, error);
    if (status)
        sl_corpus_close(corpus);
    return status;
}

enum sl_status sl_corpus_open_foreign(struct sl_corpus *corpus,
                                      const char *folder,
                                      struct sl_kb_left *left_out,
                                      struct sl_error *error)
{
    struct sl_kb kb;
    *corpus = (struct sl_corpus){.from = folder};
    sl_arena_init(&corpus->arena, SL_MAX_KB_ARENA);
    sl_kb_init(&kb);
    enum sl_status status = sl_kb_load_foreign(&kb, folder, left_out, error);
    if (!status)
        status = sl_index_build(&kb, NULL, 0, &corpus->index, error);
    sl_kb_release(&kb);
    if (status)
        sl_corpus_close(corpus);
    return status;
}

void sl_corpus_close(struct sl_corpus *corpus)
{
    sl_index_close(corpus->index);
    sl_arena_release(&corpus->arena);
    *corpus = (struct sl_corpus){0};
}

enum sl_status sl_corpus_read(struct sl_corpus *corpus, const char *path,
                              struct sl_view *bytes_out,
                              struct sl_error *error)
{
    struct sl_view name = sl_view_of(path);
    const struct sl_packed *packed = sl_pack_find(&corpus->pack, name);
    enum sl_status status = SL_ERR_NOTFOUND;
    if (corpus->from || !packed)
        status = sl_index_read(corpus->index, &corpus->arena, name, bytes_out,
                               error);
    if (status == SL_ERR_NOTFOUND && packed) {
        *bytes_out = packed->bytes;
        status = SL_OK;
    }
    return status;
}

enum sl_status sl_corpus_symbols(struct sl_corpus *corpus,
                                 struct sl_symbols_text *text_out,
                                 struct sl_error *error)
{
    struct sl_symbols_text text;
    enum sl_status status =
        sl_corpus_read(corpus, SL_SYMBOLS_TSV, &text.symbols, error);
    if (!status)
        status = sl_corpus_read(corpus, SL_SIGNATURES_TSV, &text.signatures,
                                error);
    if (!status)
        status = sl_corpus_read(corpus, SL_PACKAGES_TSV, &text.packages, error);
    if (status == SL_ERR_NOTFOUND)
        return sl_error_set(error, SL_ERR_USAGE,
                            "this knowledge base has no tables of names");
    if (!status)
        *text_out = text;
    return status;
}

enum sl_status sl_corpus_manifest(struct sl_corpus *corpus,
                                  struct sl_view source,
                                  struct sl_view *bytes_out,
                                  struct sl_error *error)
{
    struct sl_buf path;
    sl_buf_init(&path, SL_MAX_PATH);
    sl_buf_printf(&path, LINES "/%.*s.lines", SL_ARG(source));
    enum sl_status status = sl_buf_check(&path, error);
    const struct sl_packed *packed =
        sl_pack_find(&corpus->pack, sl_buf_view(&path));
    if (!status && corpus->from)
        status = sl_file_read_beneath(&corpus->arena, corpus->from,
                                      sl_buf_view(&path), SL_MAX_MANIFEST,
                                      bytes_out, error);
    if (!status && !corpus->from)
        status = SL_ERR_NOTFOUND;
    if (status == SL_ERR_NOTFOUND && packed) {
        *bytes_out = packed->bytes;
        status = SL_OK;
    } else if (status == SL_ERR_NOTFOUND) {
        status = sl_error_set(error, status,
                              "there is no line manifest of '%.*s'",
                              SL_ARG(sl_view_sub(source, 0, 100)));
    }
    sl_buf_release(&path);
    return status;
}

struct sl_view sl_corpus_release(const struct sl_corpus *corpus)
{
    const struct sl_source *source =
        sl_sources_find(&corpus->sources, SL_LIT("nvshmem"));
    if (!source || !sl_view_starts(source->tag, "v")) /* v3.4.5-0 */
        return SL_LIT("");
    return sl_view_sub(source->tag, 1,
                       sl_view_find(source->tag, SL_LIT("-"), 0));
}

static enum sl_status pack(struct sl_arena *arena, struct sl_buf *image,
                           const struct evidence *evidence,
                           struct sl_error *error)
{
    struct sl_packed *files =
        sl_arena_alloc(arena, (evidence->count + 1) * sizeof *files);
    if (!files)
        return sl_error_nomem(error);
    for (size_t i = 0; i < evidence->count; i++)
        files[i] = (struct sl_packed){evidence->files[i].path,
                                      evidence->files[i].bytes};
    sl_pack_add(image, files, evidence->count);
    return sl_buf_check(image, error);
}

enum sl_status sl_corpus_image(const char *root, struct sl_buf *image,
                               struct sl_error *error)
{
    struct sl_arena arena;
    struct evidence evidence = {0};
    sl_arena_init(&arena, SL_MAX_KB_ARENA);
    struct sl_index *index = NULL;
    enum sl_status status = index_folder(&arena, root, false, &index, error);
    if (!status)
        status = read_tables(&arena, root, &evidence, error);
    if (!status)
        status = read_lines(&arena, root, &evidence, error);
    if (!status)
        status = sl_index_serialize(index, image, error);
    if (!status)
        status = pack(&arena, image, &evidence, error);
    sl_index_close(index);
    status = sl_arena_explain(&arena, status, error);
    sl_arena_release(&arena);
    return status;
}
