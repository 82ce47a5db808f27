/*
 * One run: robots.txt, the inventory, then page after page in the order of
 * their names. The manifest is written after each, so that a run which ends
 * anywhere is gone on with.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "helpers/docs/fetch.h"
#include "os/file.h"
#include "text/hash.h"

#define MAX_IN_A_ROW 3u /* faults of the server or the way to it */

struct run {
    struct sl_arena *arena;
    const struct sl_fetch_options *options;
    struct sl_site site;
    struct sl_fetch_folder folder;
    struct sl_fetch_manifest manifest;
    struct sl_inventory inventory;
    struct sl_fetch_report report;
    size_t asked;     /* pages */
    size_t transient; /* failures that another try may mend */
    unsigned in_a_row;
};

/* What came for one file; lives in an arena of its own. */
struct arrival {
    struct sl_arena arena;
    struct sl_buf body;
    struct sl_http_answer answer;
};

static void arrival_init(struct arrival *arrival, size_t max)
{
    *arrival = (struct arrival){.answer = {.code = 0}};
    sl_arena_init(&arrival->arena, SL_MAX_HTTP_ARENA);
    sl_buf_init(&arrival->body, max);
}

static void arrival_release(struct arrival *arrival)
{
    sl_buf_release(&arrival->body);
    sl_arena_release(&arrival->arena);
}

/* Now, in UTC; ptr is NULL when memory is used up. */
static struct sl_view stamp(struct sl_arena *arena)
{
    char text[32];
    time_t now = time(NULL);
    struct tm parts;
    size_t n = gmtime_r(&now, &parts)
                   ? strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)
                   : 0;
    return sl_arena_copy(arena, (struct sl_view){text, n});
}

static enum sl_status save(struct run *run, struct sl_error *error)
{
    struct sl_buf text;
    sl_buf_init(&text, SL_MAX_DOC_MANIFEST);
    sl_manifest_print(&run->manifest, &text);
    enum sl_status status = sl_buf_check(&text, error);
    if (!status)
        status = sl_fetch_write(run->arena, &run->folder,
                                SL_LIT("manifest.json"), sl_buf_view(&text),
                                error);
    sl_buf_release(&text);
    return status;
}

/*
 * Brings the entry up to date with what came: a new body, or the word that the
 * old one holds. *changed_out: the bytes are others than before.
 */
static enum sl_status take(struct run *run, const struct arrival *arrival,
                           const char *note, struct sl_fetch_entry *entry,
                           bool *changed_out, struct sl_error *error)
{
    const struct sl_http_answer *answer = &arrival->answer;
    struct sl_view body = sl_buf_view(&arrival->body);
    struct sl_view now = stamp(run->arena);
    if (!now.ptr)
        return sl_error_nomem(error);
    entry->checked = now;
    entry->run = run->manifest.run;
    *changed_out = false;
    if (answer->code == 304)
        return SL_OK;
    char hex[65];
    enum sl_status status = sl_sha256_hex(body, hex, error);
    if (status)
        return status;
    *changed_out = !sl_view_is(entry->sha256, hex);
    if (*changed_out)
        entry->date = now;
    entry->bytes = body.len;
    const struct {
        struct sl_view *to;
        struct sl_view from;
    } texts[] = {
        {&entry->url, sl_view_of(answer->url)}, {&entry->type, answer->type},
        {&entry->etag, answer->etag},           {&entry->modified,
                                                 answer->modified},
        {&entry->note, sl_view_of(note)},       {&entry->sha256,
                                                 sl_view_of(hex)},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i].to = sl_arena_copy(run->arena, texts[i].from);
        if (!texts[i].to->ptr)
            return sl_error_nomem(error);
    }
    return SL_OK;
}

/* base + path, in the run's arena; NULL when memory is used up. */
static const char *url_of(struct run *run, struct sl_view path)
{
    struct sl_buf url;
    sl_buf_init(&url, 2 * SL_MAX_URL);
    sl_buf_puts(&url, run->options->base);
    sl_buf_add(&url, path);
    const char *copy = sl_arena_copy(run->arena, sl_buf_view(&url)).ptr;
    bool failed = sl_buf_check(&url, NULL) != SL_OK;
    sl_buf_release(&url);
    return failed ? NULL : copy;
}

/* have: what is there already, or NULL. */
static enum sl_status ask(struct run *run, struct sl_http_request request,
                          const struct sl_fetch_entry *have,
                          struct arrival *arrival, struct sl_error *error)
{
    if (have) {
        request.etag = have->etag;
        request.modified = have->modified;
    }
    return sl_site_get(&run->site, &arrival->arena, &request, &arrival->body,
                       &arrival->answer, error);
}

/* The bytes of the inventory that came or is there. */
static enum sl_status parse_inventory(struct run *run,
                                      const struct arrival *arrival,
                                      struct sl_error *error)
{
    struct sl_view bytes = sl_buf_view(&arrival->body);
    struct sl_error why = {SL_OK, ""};
    enum sl_status status = SL_OK;
    if (arrival->answer.code == 304)
        status = sl_file_read_beneath(run->arena, run->folder.path,
                                      SL_LIT(SL_FETCH_INVENTORY),
                                      SL_MAX_INVENTORY, &bytes, &why);
    if (!status)
        status = sl_inventory_parse(run->arena, bytes, &run->inventory, &why);
    if (!status && run->inventory.count == 0)
        status =
            sl_error_set(&why, SL_ERR_SYNTAX, "the inventory names no page");
    if (status)
        return sl_error_set(error, status,
                            "%.300s" SL_FETCH_INVENTORY ": %.500s; without a "
                            "list of pages nothing is fetched",
                            run->options->base, why.message);
    return SL_OK;
}

/*
 * An interrupted run is gone on with while the site's inventory is the same;
 * else every page is asked for again, with what is there as the condition.
 */
static enum sl_status begin(struct run *run, const struct arrival *arrival,
                            struct sl_error *error)
{
    struct sl_fetch_manifest *manifest = &run->manifest;
    bool changed;
    enum sl_status status =
        take(run, arrival, "", &manifest->inventory, &changed, error);
    if (status)
        return status;
    manifest->inventory.file = SL_LIT(SL_FETCH_INVENTORY);
    manifest->project = run->inventory.project;
    manifest->version = run->inventory.version;
    if (arrival->answer.code == 200)
        status = sl_fetch_write(run->arena, &run->folder,
                                SL_LIT(SL_FETCH_INVENTORY),
                                sl_buf_view(&arrival->body), error);
    if (changed || manifest->complete)
        manifest->run++;
    manifest->complete = false;
    return status ? status : save(run, error);
}

static enum sl_status read_inventory(struct run *run, struct sl_error *error)
{
    struct sl_fetch_entry *have = &run->manifest.inventory;
    const char *url = url_of(run, SL_LIT(SL_FETCH_INVENTORY));
    if (!url)
        return sl_error_nomem(error);
    if (!sl_fetch_intact(&run->folder, SL_LIT(SL_FETCH_INVENTORY), have))
        *have = (struct sl_fetch_entry){.bytes = 0};
    struct arrival arrival;
    arrival_init(&arrival, SL_MAX_INVENTORY);
    enum sl_status status =
        ask(run,
            (struct sl_http_request){.url = url,
                                     .accept = "*/*",
                                     .max = SL_MAX_INVENTORY,
                                     .plain = true},
            have, &arrival, error);
    long code = arrival.answer.code;
    if (!status && code != 200 && !(code == 304 && have->sha256.len))
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "the server answers %ld for the inventory "
                              "%.300s; is that the release and the address of "
                              "a Sphinx site?",
                              code, url);
    if (!status)
        status = parse_inventory(run, &arrival, error);
    if (!status)
        status = begin(run, &arrival, error);
    arrival_release(&arrival);
    return status;
}

static enum sl_status add_failure(struct run *run, const char *url,
                                  const char *why, bool transient,
                                  struct sl_error *error)
{
    struct sl_fetch_report *report = &run->report;
    struct sl_fetch_failure *failures =
        sl_arena_grow(run->arena, report->failures, sizeof *failures,
                      report->failed, &report->failure_cap);
    const char *copy = sl_arena_copy(run->arena, sl_view_of(why)).ptr;
    if (!failures || !copy)
        return sl_error_nomem(error);
    report->failures = failures;
    failures[report->failed++] =
        (struct sl_fetch_failure){sl_view_of(url), copy};
    sl_fetch_progress_clear(run->options);
    sl_docs_say(copy);
    run->transient += transient;
    run->in_a_row += transient;
    if (run->in_a_row == MAX_IN_A_ROW)
        report->limit = "three failures in a row: the server or the way to it "
                        "has a fault";
    return SL_OK;
}

/* The request itself failed: *error says how. */
static enum sl_status lost(struct run *run, const char *url,
                           enum sl_status status, const struct arrival *arrival,
                           size_t max, struct sl_error *error)
{
    if (status == SL_ERR_NOMEM || status == SL_ERR_INTERNAL)
        return status;
    if (run->options->stop(NULL)) {
        run->report.limit = "interrupted";
        return SL_OK;
    }
    if (status == SL_ERR_LIMIT && max < SL_MAX_DOC_PAGE &&
        arrival->body.len == max) {
        run->report.limit = "--max-bytes is reached";
        return SL_OK;
    }
    if (run->site.turned_away) {
        sl_fetch_progress_clear(run->options);
        sl_docs_say(error->message);
        run->report.limit = "the server does not want more now";
        return SL_OK;
    }
    char why[sizeof error->message];
    memcpy(why, error->message, sizeof why);
    return add_failure(run, url, why,
                       status == SL_ERR_IO || status == SL_ERR_SYNTAX, error);
}

/* An answer that is no page. */
static enum sl_status not_a_page(struct run *run, const char *url, long code,
                                 const char *fault, struct sl_error *error)
{
    struct sl_error why;
    if (fault)
        sl_error_set(&why, SL_OK, "%.500s %s", url, fault);
    else
        sl_error_set(&why, SL_OK, "the server answers %ld for %.500s", code,
                     url);
    return add_failure(run, url, why.message,
                       !fault && (code >= 500 || code == 403), error);
}

static void tell_note(struct run *run, const struct sl_fetch_entry *entry)
{
    if (!entry->note.len)
        return;
    struct sl_error text;
    sl_error_set(&text, SL_OK, "%.*s %.*s; kept as it came",
                 SL_ARG(sl_view_sub(entry->url, 0, 500)), SL_ARG(entry->note));
    run->report.doubtful++;
    sl_fetch_progress_clear(run->options);
    sl_docs_say(text.message);
}

/* A page or the word that it is as before. */
static enum sl_status keep(struct run *run, const struct arrival *arrival,
                           struct sl_view file, struct sl_error *error)
{
    bool known = sl_manifest_find(&run->manifest, file) != NULL;
    struct sl_view path = sl_fetch_page_path(run->arena, file);
    struct sl_view body = sl_buf_view(&arrival->body);
    if (!path.ptr)
        return sl_error_nomem(error);
    enum sl_status status = SL_OK;
    if (arrival->answer.code == 200)
        status =
            sl_fetch_write(run->arena, &run->folder, path, body, error);
    if (status)
        return status;
    struct sl_fetch_entry *entry =
        sl_manifest_put(run->arena, &run->manifest, file);
    if (!entry)
        return sl_error_nomem(error);
    bool changed;
    status = take(run, arrival, sl_page_note(arrival->answer.type, body), entry,
                  &changed, error);
    if (!status)
        status = save(run, error);
    if (status)
        return status;
    run->in_a_row = 0;
    tell_note(run, entry);
    if (!known)
        run->report.fresh++;
    else if (changed)
        run->report.changed++;
    else
        run->report.same++;
    return SL_OK;
}

static enum sl_status fetch_page(struct run *run,
                                 const struct sl_inventory_page *page,
                                 const struct sl_fetch_entry *have,
                                 struct sl_error *error)
{
    const char *url = url_of(run, page->path);
    if (!url)
        return sl_error_nomem(error);
    uint64_t room = run->options->max_bytes - run->report.bytes;
    size_t max = room < SL_MAX_DOC_PAGE ? (size_t)room : SL_MAX_DOC_PAGE;
    struct arrival arrival;
    arrival_init(&arrival, SL_MAX_DOC_PAGE);
    run->asked++;
    enum sl_status status =
        ask(run,
            (struct sl_http_request){
                .url = url,
                .accept = "text/html, application/xhtml+xml;q=0.9",
                .max = max},
            have, &arrival, error);
    run->report.bytes += arrival.body.len;
    long code = arrival.answer.code;
    if (status) {
        status = lost(run, url, status, &arrival, max, error);
    } else if (code != 200 && !(code == 304 && have)) {
        status = not_a_page(run, url, code, NULL, error);
    } else {
        const char *fault =
            code == 200
                ? sl_page_fault(&arrival.answer, sl_buf_view(&arrival.body))
                : NULL;
        status = fault ? not_a_page(run, url, code, fault, error)
                       : keep(run, &arrival, page->file, error);
    }
    arrival_release(&arrival);
    return status;
}

static const char *limit_now(const struct run *run)
{
    if (run->asked >= run->options->max_pages)
        return "--max-pages is reached";
    if (run->report.bytes >= run->options->max_bytes)
        return "--max-bytes is reached";
    return run->options->stop(NULL) ? "interrupted" : NULL;
}

static enum sl_status visit(struct run *run,
                            const struct sl_inventory_page *page,
                            struct sl_error *error)
{
    struct sl_fetch_report *report = &run->report;
    struct sl_view path = sl_fetch_page_path(run->arena, page->file);
    if (!path.ptr)
        return sl_error_nomem(error);
    const struct sl_fetch_entry *have =
        sl_manifest_find(&run->manifest, page->file);
    if (have && !sl_fetch_intact(&run->folder, path, have))
        have = NULL;
    if (have && have->run == run->manifest.run) {
        report->earlier++;
        report->doubtful += have->note.len != 0;
        return SL_OK;
    }
    if (!report->limit)
        report->limit = limit_now(run);
    if (report->limit) {
        report->left++;
        return SL_OK;
    }
    sl_fetch_progress(run->options, report, page->file);
    enum sl_status status = fetch_page(run, page, have, error);
    /* what ended the run amid a page leaves that page */
    if (!status && report->limit && run->in_a_row < MAX_IN_A_ROW)
        report->left++;
    return status;
}

static int by_file(const void *key, const void *page)
{
    const struct sl_view *file = key;
    return sl_view_cmp(*file, ((const struct sl_inventory_page *)page)->file);
}

/* Pages that the site has no more, unless somebody has changed them here. */
static enum sl_status drop_gone(struct run *run, struct sl_error *error)
{
    struct sl_fetch_manifest *manifest = &run->manifest;
    size_t kept = 0;
    for (size_t i = 0; i < manifest->count; i++) {
        struct sl_fetch_entry *entry = &manifest->entries[i];
        if (bsearch(&entry->file, run->inventory.pages, run->inventory.count,
                    sizeof *run->inventory.pages, by_file)) {
            manifest->entries[kept++] = *entry;
            continue;
        }
        struct sl_view path = sl_fetch_page_path(run->arena, entry->file);
        char *whole =
            path.ptr ? sl_path_join(run->arena, run->folder.path, path) : NULL;
        if (!whole)
            return sl_error_nomem(error);
        run->report.removed++;
        if (!sl_fetch_intact(&run->folder, path, entry))
            continue;
        enum sl_status status = sl_file_remove(whole, error);
        if (status)
            return status;
    }
    manifest->count = kept;
    return SL_OK;
}

static void tell_refused(struct run *run)
{
    run->report.refused = run->inventory.refused;
    if (!run->report.refused)
        return;
    struct sl_error text;
    sl_error_set(&text, SL_OK,
                 "%zu of %zu entries of the inventory lead out of the site or "
                 "cannot be a file's name, and are left out%s%.*s",
                 run->inventory.refused, run->inventory.entries,
                 run->inventory.first_refused.len ? "; the first: " : "",
                 SL_ARG(run->inventory.first_refused));
    sl_docs_say(text.message);
}

static enum sl_status work(struct run *run, struct sl_error *error)
{
    enum sl_status status = read_inventory(run, error);
    if (status)
        return status;
    tell_refused(run);
    run->report.pages = run->inventory.count;
    for (size_t i = 0; i < run->inventory.count && !status; i++)
        status = visit(run, &run->inventory.pages[i], error);
    if (status || run->report.limit)
        return status;
    status = drop_gone(run, error);
    run->manifest.complete = run->transient == 0;
    return status ? status : save(run, error);
}

enum sl_status sl_fetch_run(struct sl_arena *arena,
                            const struct sl_fetch_options *options,
                            struct sl_fetch_report *report_out,
                            struct sl_error *error)
{
    struct run *run = sl_arena_alloc(arena, sizeof *run);
    struct sl_fetch_manifest *manifest =
        sl_arena_alloc(arena, sizeof *manifest);
    if (!run || !manifest)
        return sl_error_nomem(error);
    run->arena = arena;
    run->options = options;
    enum sl_status status = sl_fetch_open(arena, options, &run->folder,
                                          &run->manifest, error);
    if (!status)
        status = sl_site_open(arena, options, &run->site, error);
    if (!status)
        status = work(run, error);
    sl_fetch_progress_clear(options);
    sl_site_close(&run->site);
    sl_fetch_close(&run->folder);
    if (status)
        return status;
    *manifest = run->manifest;
    run->report.folder = options->to;
    run->report.manifest = manifest;
    *report_out = run->report;
    return SL_OK;
}
