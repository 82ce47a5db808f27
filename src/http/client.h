/*
 * One careful web client: https only, to named hosts only, one connection, one
 * request at a time, with caps on everything a server can send. This folder is
 * the only one that includes curl.
 */
#ifndef SL_HTTP_CLIENT_H
#define SL_HTTP_CLIENT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "base/view.h"

/* A client. Freed with sl_http_free(). */
struct sl_http;

struct sl_http_settings {
    const char *agent;        /* the User-Agent, honest */
    const char *ca_file;      /* PEM authorities; NULL: the system's */
    const char *const *hosts; /* HOST or HOST:PORT; no other is asked */
    size_t host_count;
    unsigned timeout_s; /* for one answer, to its last byte */
    /*
     * Connect to addresses of this machine only (127.0.0.0/8, ::1), by no
     * proxy. Checked for each socket, whatever a name resolves to.
     */
    bool loopback;
    void *context;
    bool (*stop)(void *context); /* asked often; true ends with SL_ERR_IO */
};

/* The settings must outlive the client. */
SL_CHECKED enum sl_status sl_http_new(const struct sl_http_settings *settings,
                                      struct sl_http **http_out,
                                      struct sl_error *error);
void sl_http_free(struct sl_http *http); /* NULL is allowed */

struct sl_http_request {
    const char *url;
    const char *accept; /* the Accept header */
    struct sl_view etag, modified; /* what is there already; may be empty */
    size_t max;  /* bytes of the body, once decoded */
    bool cut;    /* a longer body is no error: its first max bytes are it */
    bool plain;  /* packed for the way is an error: libcurl does not notice */
                 /* when the packed form is cut off */
    /*
     * Asked before each request, so also for each redirect; anything but SL_OK
     * ends the work with it. May itself call sl_http_get(). May be NULL.
     */
    enum sl_status (*before)(void *context, const char *url,
                             struct sl_error *error);
    void *context;
};

/* Texts live in the arena; a header that is missing or odd is empty. */
struct sl_http_answer {
    long code;       /* 200, 304, 404, ... after redirects */
    const char *url; /* the one that answered */
    unsigned redirects;
    struct sl_view type;     /* Content-Type */
    struct sl_view etag;     /* as sent, printable, at most 200 bytes */
    struct sl_view modified; /* Last-Modified, the same */
    uint64_t retry_after;    /* seconds from now; 0: not said */
    bool was_cut;
};

/*
 * Appends the body of an answer 200 to the empty buffer `body` (its cap is at
 * least max); an answer of any status is SL_OK. Else: SL_ERR_REFUSED (the URL or
 * a redirect leads where it may not), SL_ERR_LIMIT (too long, too many
 * redirects), SL_ERR_SYNTAX (the answer is damaged or cut off), SL_ERR_IO (no
 * trusted connection, or it broke, or took too long, or stop() said so).
 */
SL_CHECKED enum sl_status sl_http_get(struct sl_http *http,
                                      struct sl_arena *arena,
                                      const struct sl_http_request *request,
                                      struct sl_buf *body,
                                      struct sl_http_answer *answer_out,
                                      struct sl_error *error);

/* A URL that may be asked, taken apart. Texts live in the arena. */
struct sl_http_url {
    struct sl_view host; /* lower case, with the port unless it is 443 */
    struct sl_view path; /* with the query */
};

/*
 * SL_ERR_REFUSED: not https, with a user name, or of a host that the settings
 * do not name. SL_ERR_USAGE: no URL.
 */
SL_CHECKED enum sl_status sl_http_url(const struct sl_http_settings *settings,
                                      struct sl_arena *arena, const char *url,
                                      struct sl_http_url *url_out,
                                      struct sl_error *error);

#endif
