/*
 * The pieces of `docs fetch`: the site (robots.txt, pauses, retries), the folder
 * with its manifest, and the run that joins them.
 */
#ifndef SL_DOCS_FETCH_H
#define SL_DOCS_FETCH_H

#include "base/limits.h"
#include "helpers/docs/command.h"
#include "http/client.h"
#include "os/lock.h"
#include "site/inventory.h"
#include "site/robots.h"

/* ---- what was asked for ---- */

struct sl_fetch_options {
    const char *release; /* such as 3.4.5, or NULL: the current one */
    const char *base;    /* ends in a slash */
    const char *to;      /* the folder */
    const char *hosts[SL_MAX_ALLOWED_HOSTS];
    size_t host_count;
    const char *ca_file;
    unsigned pause_min_s;
    unsigned pause_max_s;
    unsigned timeout_s;
    size_t max_pages;
    uint64_t max_bytes;
    bool json;
    bool quiet;
    bool loopback;       /* SHMEMLORE_LOOPBACK_PAUSE_MS is set: */
    unsigned longest_ms; /* no wait is longer; only with `loopback` */
    bool (*stop)(void *context);
};

/* Reads the command line into *options (texts borrowed or in the arena). */
enum sl_fetch_parsed { SL_FETCH_RUN, SL_FETCH_HELP, SL_FETCH_FAULT };
enum sl_fetch_parsed sl_fetch_options(struct sl_arena *arena, int argc,
                                      char **argv,
                                      struct sl_fetch_options *options);

/* ---- the site ---- */

struct sl_site_rules {
    struct sl_view host;
    bool forbidden; /* robots.txt could not be had: nothing may be asked */
    struct sl_error why;
    struct sl_robots robots;
};

struct sl_site {
    const struct sl_fetch_options *options;
    struct sl_arena *arena;
    struct sl_http_settings settings;
    struct sl_http *http;
    struct sl_site_rules rules[SL_MAX_ALLOWED_HOSTS];
    size_t rule_count;
    unsigned delay_s; /* the longest Crawl-delay of robots.txt */
    size_t requests;  /* sent so far */
    bool under_way;   /* one has begun and sl_http_get() is not back */
    int64_t last_ms;  /* when the last one was over, CLOCK_MONOTONIC */
    bool turned_away;     /* the server asked to come back later: end the run */
};

SL_CHECKED enum sl_status sl_site_open(struct sl_arena *arena,
                                       const struct sl_fetch_options *options,
                                       struct sl_site *site_out,
                                       struct sl_error *error);
void sl_site_close(struct sl_site *site);

/*
 * One file of the site, as sl_http_get(), with robots.txt of its host read
 * first, a pause before each request but the first, and Retry-After obeyed.
 */
SL_CHECKED enum sl_status sl_site_get(struct sl_site *site,
                                      struct sl_arena *arena,
                                      const struct sl_http_request *request,
                                      struct sl_buf *body,
                                      struct sl_http_answer *answer_out,
                                      struct sl_error *error);

/* ---- the folder ---- */

#define SL_FETCH_INVENTORY "objects.inv"
#define SL_FETCH_PAGES "html"

/* A file that was fetched; empty texts are unknown. */
struct sl_fetch_entry {
    struct sl_view file; /* below the folder of the pages */
    struct sl_view url;  /* the one that answered */
    struct sl_view date; /* when its bytes came, UTC, as 2026-01-31T12:00:00Z */
    struct sl_view checked; /* when the server last said that they hold */
    struct sl_view sha256;
    struct sl_view type; /* Content-Type */
    struct sl_view etag;
    struct sl_view modified;
    struct sl_view note; /* what is doubtful about it, or empty */
    uint64_t bytes;
    uint64_t run; /* the last that asked for it */
};

struct sl_fetch_manifest {
    struct sl_view base;
    struct sl_view project;
    struct sl_view version;
    uint64_t run;  /* counts; a run that goes on with another has its number */
    bool complete; /* that run had every page */
    struct sl_fetch_entry inventory; /* its sha256 is empty: none yet */
    struct sl_fetch_entry *entries;  /* sorted by file */
    size_t count;
    size_t cap;
};

struct sl_fetch_folder {
    const char *path;
    struct sl_file_lock lock;
    int fd;
};

/*
 * Makes the folder, takes its lock and reads the manifest. Refused: a folder in
 * a skill or in a checkout of this project, one that another process works in,
 * one whose pages are of another base, one whose manifest is damaged.
 */
SL_CHECKED enum sl_status sl_fetch_open(struct sl_arena *arena,
                                        const struct sl_fetch_options *options,
                                        struct sl_fetch_folder *folder_out,
                                        struct sl_fetch_manifest *manifest_out,
                                        struct sl_error *error);
void sl_fetch_close(struct sl_fetch_folder *folder);

/* Whether the file (from the folder's root) has the entry's bytes. */
bool sl_fetch_intact(const struct sl_fetch_folder *folder, struct sl_view file,
                     const struct sl_fetch_entry *entry);

/* Writes below the folder; no symbolic link is followed. */
SL_CHECKED enum sl_status sl_fetch_write(struct sl_arena *arena,
                                         const struct sl_fetch_folder *folder,
                                         struct sl_view file,
                                         struct sl_view bytes,
                                         struct sl_error *error);

/* html/FILE; ptr is NULL when memory is used up. */
struct sl_view sl_fetch_page_path(struct sl_arena *arena, struct sl_view file);

/* The entry, made (empty but for its file) when it is not there; or NULL. */
struct sl_fetch_entry *sl_manifest_find(struct sl_fetch_manifest *manifest,
                                        struct sl_view file);
struct sl_fetch_entry *sl_manifest_put(struct sl_arena *arena,
                                       struct sl_fetch_manifest *manifest,
                                       struct sl_view file);

SL_CHECKED enum sl_status sl_manifest_parse(struct sl_arena *arena,
                                            struct sl_view text,
                                            struct sl_fetch_manifest *manifest,
                                            struct sl_error *error);
void sl_manifest_print(const struct sl_fetch_manifest *manifest,
                       struct sl_buf *out);

/* ---- a page ---- */

/* NULL: it may be kept. Else what it is instead of a page. */
const char *sl_page_fault(const struct sl_http_answer *answer,
                          struct sl_view body);
/* NULL: nothing is doubtful. Else a short sentence. */
const char *sl_page_note(struct sl_view type, struct sl_view body);

/* ---- the run and its report ---- */

struct sl_fetch_failure {
    struct sl_view url;
    const char *why;
};

struct sl_fetch_report {
    const char *folder;
    const struct sl_fetch_manifest *manifest;
    size_t pages;
    size_t fresh;   /* not there before */
    size_t changed; /* other bytes than before */
    size_t same;    /* asked, and as before */
    size_t earlier; /* had by the interrupted run that this one goes on with */
    size_t left;    /* not asked for */
    size_t removed; /* no longer on the site */
    size_t doubtful;
    size_t refused; /* entries of the inventory that lead elsewhere */
    uint64_t bytes; /* of this run */
    const char *limit; /* what ended the run before its end, or NULL */
    struct sl_fetch_failure *failures;
    size_t failed;
    size_t failure_cap;
};

/* Fetches; says what goes wrong on the way. SL_OK also with failed pages. */
SL_CHECKED enum sl_status sl_fetch_run(struct sl_arena *arena,
                                       const struct sl_fetch_options *options,
                                       struct sl_fetch_report *report_out,
                                       struct sl_error *error);

void sl_fetch_put_text(struct sl_buf *out, const struct sl_fetch_options *o,
                       const struct sl_fetch_report *report);
void sl_fetch_put_json(struct sl_buf *out, const struct sl_fetch_options *o,
                       const struct sl_fetch_report *report);

/* "member": "value" or "member": null */
void sl_fetch_put_member(struct sl_buf *out, const char *member,
                         struct sl_view value);

/* The line on a terminal's stderr while a run lasts. */
void sl_fetch_progress(const struct sl_fetch_options *options,
                       const struct sl_fetch_report *report,
                       struct sl_view file);
void sl_fetch_progress_clear(const struct sl_fetch_options *options);

#endif
