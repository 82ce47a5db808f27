/*
 * `sources sync`: brings pinned trees into the cache. One tree after the
 * other, under the lock of the store; the first fault of a tree ends that tree
 * only.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/limits.h"
#include "helpers/sources/command.h"
#include "helpers/sources/origin.h"
#include "helpers/sources/store.h"
#include "os/file.h"

enum outcome { FAILED, PRESENT, SYNCED };

struct result {
    enum outcome outcome;
    const char *tree;
    const char *from; /* NULL unless SYNCED */
    struct sl_git_export done;
    struct sl_error error;
};

struct sync {
    const struct sl_request *request;
    struct sl_origin origin;
    struct sl_store store;
    struct sl_progress progress;
    struct sl_git_watch watch;
    struct sl_buf out;
};

static bool on_stop(void *context)
{
    const struct sync *sync = context;
    return sync->request->stop(NULL);
}

static void on_show(void *context, const struct sl_git_progress *state)
{
    struct sync *sync = context;
    sl_progress_draw(&sync->progress, state);
}

static bool is_text(const struct sync *sync)
{
    return !sync->request->json && !sync->request->quiet;
}

/* Waits for the lock, so that two syncs do the work once. */
static enum sl_status lock(struct sync *sync, struct sl_error *error)
{
    bool told = sync->request->quiet;
    for (;;) {
        bool taken;
        struct sl_error why = {SL_OK, ""};
        enum sl_status status = sl_file_lock_try(
            &sync->store.lock, sync->store.dir, ".lock", &taken, &why);
        if (status)
            return sl_error_set(error, status,
                                "%.150s in %.250s; SHMEMLORE_CACHE names "
                                "another cache folder",
                                why.message, sync->store.path);
        if (taken)
            return SL_OK;
        if (!told) {
            char text[200];
            (void)snprintf(text, sizeof text,
                           "another sync (process %ld) is at work in this "
                           "cache; waiting for it",
                           sync->store.lock.holder);
            sl_say(SL_LIT(""), text);
        }
        told = true;
        if (sync->request->stop(NULL))
            return sl_error_set(error, SL_ERR_IO, "interrupted");
        /* not a blocking flock: a signal just before it would be lost */
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    }
}

static enum sl_status measure(struct sync *sync, const char *name,
                              struct result *result, struct sl_error *error)
{
    struct sl_tree_size size;
    enum sl_status status =
        sl_tree_measure(sync->store.dir, name, &size, error);
    if (status)
        return status;
    result->outcome = PRESENT;
    result->done = (struct sl_git_export){.files = size.files,
                                          .bytes = size.bytes};
    return SL_OK;
}

static void say_licence(struct sync *sync, const struct sl_source *source,
                        const char *from)
{
    if (!is_text(sync))
        return;
    sl_progress_clear(&sync->progress);
    sl_buf_printf(&sync->out, "%.*s: %.*s\n", SL_ARG(source->id),
                  SL_ARG(source->title));
    sl_buf_printf(&sync->out, "  from        %s\n", from);
    sl_buf_printf(&sync->out, "  pinned      %.*s = %.*s\n",
                  SL_ARG(source->tag), SL_ARG(source->commit));
    sl_put_licence(&sync->out, source);
    sl_flush(&sync->out);
}

/* Inside temp: download if need be, check, export. */
static enum sl_status fill(struct sync *sync, const struct sl_source *source,
                           const struct sl_temp *temp, struct result *result,
                           struct sl_error *error)
{
    struct sl_arena *arena = sync->request->arena;
    const char *folder = sl_path_join(arena, temp->path, SL_LIT("git"));
    if (!folder)
        return sl_error_nomem(error);
    struct sl_git *git = NULL;
    enum sl_status status = sl_origin_open(
        arena, &sync->origin, source, sync->request->count == 1, folder,
        &sync->watch, &git, &result->from, error);
    if (status)
        return status;
    say_licence(sync, source, result->from);
    status =
        sl_git_export(git, temp->tree, &sync->watch, &result->done, error);
    sl_git_free(git);
    return status;
}

static enum sl_status sync_one(struct sync *sync,
                               const struct sl_source *source,
                               struct result *result, struct sl_error *error)
{
    struct sl_tree_name name = sl_store_name(source);
    enum sl_status status =
        sl_source_tree(sync->request->arena, source, &result->tree, error);
    bool has = false;
    if (!status)
        status = sl_store_has(&sync->store, name.text, &has, error);
    if (status)
        return status;
    if (has && !sync->request->force)
        return measure(sync, name.text, result, error);
    struct sl_temp temp;
    status = sl_store_begin(sync->request->arena, &sync->store, source, &temp,
                            error);
    if (status)
        return status;
    sl_progress_begin(&sync->progress, source->id, !sync->request->quiet);
    status = fill(sync, source, &temp, result, error);
    if (!status && sync->request->stop(NULL))
        status = sl_error_set(error, SL_ERR_IO, "interrupted");
    if (!status)
        status = sl_store_publish(&sync->store, &temp, name.text, error);
    sl_progress_clear(&sync->progress);
    if (!status)
        result->outcome = SYNCED;
    struct sl_error why = {SL_OK, ""};
    if (sl_store_end(&sync->store, &temp, &why) != SL_OK)
        sl_say(source->id, why.message); /* the next sync tries again */
    return status;
}

static void put_text(struct sync *sync, const struct sl_source *source,
                     const struct result *result)
{
    struct sl_buf *out = &sync->out;
    const struct sl_git_export *done = &result->done;
    if (result->outcome == PRESENT) {
        sl_buf_printf(out, "%.*s: already there: %s (%zu files, %s)\n",
                      SL_ARG(source->id), result->tree, done->files,
                      sl_size(done->bytes).text);
        return;
    }
    sl_buf_printf(out, "  tree        %s (%zu files, %s)\n", result->tree,
                  done->files, sl_size(done->bytes).text);
    if (done->links || done->submodules)
        sl_buf_printf(out,
                      "  left out    %zu symbolic link%s, %zu submodule%s\n",
                      done->links, done->links == 1 ? "" : "s",
                      done->submodules, done->submodules == 1 ? "" : "s");
}

static void put_json(struct sl_buf *out, const struct sl_source *source,
                     const struct result *result)
{
    static const char *const outcomes[] = {"failed", "present", "synced"};
    const struct sl_git_export *done = &result->done;
    sl_buf_puts(out, "  {");
    sl_put_source_json(out, source);
    sl_buf_puts(out, ", ");
    sl_put_string(out, "outcome", sl_view_of(outcomes[result->outcome]));
    sl_buf_puts(out, ", ");
    sl_put_string(out, "from", result->from && result->outcome == SYNCED
                                   ? sl_view_of(result->from)
                                   : (struct sl_view){NULL, 0});
    sl_buf_puts(out, ", ");
    if (result->outcome == FAILED) {
        sl_put_string(out, "error", sl_view_of(result->error.message));
        sl_buf_putc(out, '}');
        return;
    }
    sl_put_string(out, "tree", sl_view_of(result->tree));
    sl_buf_printf(out, ", \"files\": %zu, \"bytes\": %" PRIu64, done->files,
                  done->bytes);
    if (result->outcome == SYNCED)
        sl_buf_printf(out, ", \"links_left_out\": %zu, "
                           "\"submodules_left_out\": %zu",
                      done->links, done->submodules);
    sl_buf_putc(out, '}');
}

/* Every source in turn; true when all are there now. */
static bool sync_all(struct sync *sync)
{
    const struct sl_request *request = sync->request;
    bool all = true;
    if (request->json)
        sl_buf_puts(&sync->out, "{\"schema\": \"shmemlore-sources-sync/1\", "
                                "\"sources\": [\n");
    for (size_t i = 0; i < request->count && !request->stop(NULL); i++) {
        const struct sl_source *source = request->sources[i];
        struct result result = {.outcome = FAILED};
        if (sync_one(sync, source, &result, &result.error) != SL_OK) {
            all = false;
            if (request->stop(NULL))
                break;
            sl_say(source->id, result.error.message);
        } else if (is_text(sync)) {
            put_text(sync, source, &result);
        }
        if (request->json) {
            put_json(&sync->out, source, &result);
            sl_buf_puts(&sync->out, i + 1 < request->count ? ",\n" : "\n");
        } else {
            sl_flush(&sync->out);
        }
    }
    if (request->json && !request->stop(NULL)) {
        sl_buf_puts(&sync->out, "]}\n");
        sl_flush(&sync->out);
    }
    return all;
}

/*
 * Opens the store: for reading only when every tree is there already, so that
 * a finished cache on a read-only file system is no fault.
 */
static enum sl_status open_store(struct sync *sync, struct sl_error *error)
{
    const struct sl_request *request = sync->request;
    enum sl_status status =
        sl_store_open(request->arena, false, &sync->store, error);
    bool all = !request->force;
    for (size_t i = 0; !status && all && i < request->count; i++) {
        struct sl_tree_name name = sl_store_name(request->sources[i]);
        status = sl_store_has(&sync->store, name.text, &all, error);
        if (status == SL_ERR_REFUSED) { /* sync_one() tells */
            all = false;
            status = SL_OK;
        }
    }
    if (status || all)
        return status;
    sl_store_close(&sync->store);
    status = sl_store_open(request->arena, true, &sync->store, error);
    if (!status)
        status = lock(sync, error);
    if (!status)
        status = sl_store_sweep(&sync->store, error);
    return status;
}

int sl_sync(const struct sl_request *request)
{
    struct sync sync = {.request = request,
                        .store = {.dir = -1, .lock = SL_FILE_LOCK_NONE}};
    sync.watch = (struct sl_git_watch){&sync, on_stop, on_show};
    sl_buf_init(&sync.out, SL_MAX_OUTPUT);
    struct sl_error error = {SL_OK, ""};
    enum sl_status status =
        sl_origin_parse(request->arena, request->from, &sync.origin, &error);
    if (!status)
        status = open_store(&sync, &error);
    bool all = false;
    if (!status)
        all = sync_all(&sync);
    else if (!request->stop(NULL))
        sl_say(SL_LIT(""), error.message);
    sl_store_close(&sync.store);
    sl_buf_release(&sync.out);
    return all ? SL_EXIT_DONE : SL_EXIT_ERROR;
}
