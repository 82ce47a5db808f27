#include "usage/index.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "os/file.h"
#include "usage/words.h"

struct job {
    const struct sl_usage_request *request;
    const struct sl_macros *macros;
    struct sl_usage *usage;
    atomic_size_t next;
    atomic_size_t bytes;
};

struct worker {
    struct job *job;
    unsigned number;
    enum sl_status status;
    struct sl_error error;
};

/* The uses of a text that was read. */
static enum sl_status read_uses(struct worker *worker, struct sl_parser *parser,
                                struct sl_usage_file *file,
                                struct sl_view text)
{
    struct job *job = worker->job;
    const struct sl_usage_request *request = job->request;
    struct sl_uses *uses = &job->usage->threads[worker->number];
    struct sl_file_wants wants = {request->all_env, request->fields};
    bool code = sl_language_of(file->path) != SL_LANGUAGE_NONE;
    enum sl_status status = SL_OK;
    atomic_fetch_add(&job->bytes, text.len);
    if (request->fields && sl_language_of(file->path) == SL_LANGUAGE_CUDA)
        status = sl_typed_includes(uses, text, &file->error);
    if (!status && (sl_words_any(text) || (request->all_env && code))) {
        file->read = true;
        status = sl_file_uses(parser, job->macros, file->path, text, &wants,
                              uses, &file->report, &file->error);
    }
    return status;
}

/* Whether a fault of this kind is the file's own, and the others can be read. */
static bool is_own_fault(const struct sl_usage_request *request,
                         enum sl_status status)
{
    return request->lenient && status != SL_OK && status != SL_ERR_NOMEM;
}

/* The file's text: given, or off the disk. */
static enum sl_status read_text(const struct job *job, struct sl_arena *arena,
                                struct sl_usage_file *file,
                                struct sl_view *text_out)
{
    const struct sl_usage_request *request = job->request;
    if (request->texts) {
        const struct sl_view *text =
            &request->texts[file - job->usage->files];
        if (text->ptr) {
            *text_out = *text;
            return SL_OK;
        }
    }
    if (request->beneath) {
        size_t begin = sl_view_of(request->beneath).len + 1;
        return sl_file_read_beneath(
            arena, request->beneath,
            sl_view_sub(file->path, begin, file->path.len), SL_MAX_SOURCE_FILE,
            text_out, &file->error);
    }
    const char *path = request->paths
                           ? sl_arena_copy(arena, file->path).ptr
                           : sl_path_join(arena, request->tree, file->path);
    return path ? sl_file_read(arena, path, SL_MAX_SOURCE_FILE, text_out,
                               &file->error)
                : sl_error_nomem(&file->error);
}

static enum sl_status read_one(struct worker *worker,
                               struct sl_parser *parser,
                               struct sl_usage_file *file)
{
    struct job *job = worker->job;
    struct sl_uses *uses = &job->usage->threads[worker->number];
    struct sl_arena arena;
    struct sl_view text = SL_LIT("");
    sl_arena_init(&arena, SL_MAX_SOURCE_FILE * 2ul);
    file->first = file->end = uses->len;
    file->first_typed = file->end_typed = uses->typed_len;
    file->thread = worker->number;
    enum sl_status status = read_text(job, &arena, file, &text);
    if (status == SL_ERR_LIMIT || is_own_fault(job->request, status)) {
        /* data, unless its name says source */
        file->report.failed = sl_language_of(file->path) != SL_LANGUAGE_NONE;
        file->left = true;
        sl_arena_release(&arena);
        return SL_OK;
    }
    if (!status)
        status = read_uses(worker, parser, file, text);
    if (!status && job->request->lenient && !file->report.parsed &&
        !file->report.failed)
        file->report.no_text = memchr(text.ptr, '\0',
                                      text.len < 8192 ? text.len : 8192);
    if (is_own_fault(job->request, status)) {
        file->report = (struct sl_file_report){.failed = true};
        file->left = true;
        uses->len = file->first;
        uses->typed_len = file->first_typed;
        status = SL_OK;
    }
    file->end = uses->len;
    file->end_typed = uses->typed_len;
    if (status)
        worker->error = file->error;
    sl_arena_release(&arena);
    return status;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct sl_parser *parser;
    worker->status = sl_parser_new(&parser, &worker->error);
    if (worker->status)
        return NULL;
    size_t count = worker->job->usage->file_count;
    size_t i;
    while (!worker->status &&
           (i = atomic_fetch_add(&worker->job->next, 1)) < count)
        worker->status =
            read_one(worker, parser, &worker->job->usage->files[i]);
    sl_parser_free(parser);
    return NULL;
}

static enum sl_status run(struct job *job, struct sl_error *error)
{
    struct worker workers[SL_MAX_USAGE_THREADS] = {{.job = NULL}};
    pthread_t threads[SL_MAX_USAGE_THREADS];
    unsigned count = job->usage->thread_count;
    unsigned started = 1;
    for (unsigned i = 0; i < count; i++)
        workers[i] = (struct worker){.job = job, .number = i};
    while (started < count &&
           pthread_create(&threads[started], NULL, work, &workers[started]) ==
               0)
        started++;
    (void)work(&workers[0]); /* fewer threads give the same, later */
    for (unsigned i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < started; i++)
        if (workers[i].status) {
            *error = workers[i].error;
            return workers[i].status;
        }
    return SL_OK;
}

static enum sl_status list_files(struct sl_arena *arena,
                                 const struct sl_usage_request *request,
                                 struct sl_usage *usage,
                                 struct sl_error *error)
{
    const struct sl_view *paths = request->paths;
    struct sl_view *listed = NULL;
    size_t count = request->path_count;
    enum sl_status status =
        paths ? SL_OK
              : sl_folder_list(arena, request->tree, NULL, SL_MAX_TREE_FILES,
                               &listed, &count, error);
    if (status)
        return status;
    if (!paths)
        paths = listed;
    usage->files = calloc(count ? count : 1, sizeof *usage->files);
    if (!usage->files)
        return sl_error_nomem(error);
    for (size_t i = 0; i < count; i++)
        if (!request->wanted || request->wanted(request->context, paths[i]))
            usage->files[usage->file_count++].path = paths[i];
    return SL_OK;
}

enum sl_status sl_usage_read(struct sl_arena *arena,
                             const struct sl_usage_request *request,
                             struct sl_usage *usage_out,
                             struct sl_error *error)
{
    struct sl_usage usage = {.source = request->source};
    struct sl_macros macros;
    enum sl_status status =
        sl_macros_load(arena, request->source, &macros, error);
    if (!status)
        status = list_files(arena, request, &usage, error);
    if (status)
        return status;
    unsigned count = request->threads;
    if (count < 1 || count > SL_MAX_USAGE_THREADS)
        count = 1;
    usage.threads = calloc(count, sizeof *usage.threads);
    if (!usage.threads) {
        sl_usage_release(&usage);
        return sl_error_nomem(error);
    }
    usage.thread_count = count;
    for (unsigned i = 0; i < count; i++)
        sl_uses_init(&usage.threads[i], SL_MAX_USAGE_ARENA / count);
    struct job job = {
        .request = request, .macros = &macros, .usage = &usage};
    status = run(&job, error);
    usage.read_bytes = atomic_load(&job.bytes);
    if (status)
        sl_usage_release(&usage);
    else
        *usage_out = usage;
    return status;
}

void sl_usage_release(struct sl_usage *usage)
{
    for (unsigned i = 0; i < usage->thread_count; i++)
        sl_uses_release(&usage->threads[i]);
    free(usage->threads);
    free(usage->files);
    *usage = (struct sl_usage){.files = NULL};
}

void sl_usage_coverage(const struct sl_usage *usage, struct sl_buf *out)
{
    for (size_t i = 0; i < usage->file_count; i++) {
        const struct sl_usage_file *file = &usage->files[i];
        const struct sl_coverage *c = &file->report.coverage;
        if (!file->report.parsed && !file->report.failed)
            continue;
        sl_buf_printf(out, "%.*s\t%.*s\t%zu\t%zu\t%zu\t%zu\t%zu\t%s\n",
                      SL_ARG(usage->source), SL_ARG(file->path), c->bytes,
                      file->report.failed ? c->bytes : c->unparsed, c->errors,
                      c->missing, file->report.blanked,
                      file->report.failed ? file->error.message : "");
    }
}
