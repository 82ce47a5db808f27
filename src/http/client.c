#include "http/client.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"

struct sl_http {
    const struct sl_http_settings *settings;
    CURL *easy;
    char reason[CURL_ERROR_SIZE];
};

/* Why we ended a transfer ourselves. */
enum end { NOT_ENDED, STOPPED, BODY_TOO_LONG, BODY_CUT, HEADERS_TOO_LONG };

/* One request and its answer. */
struct transfer {
    struct sl_http *http;
    const struct sl_http_request *request;
    const char *url;
    struct sl_buf *body;
    size_t header_bytes;
    enum end end;
};

#define MAX_HEADER_VALUE 200u

static size_t on_header(char *bytes, size_t size, size_t n, void *context)
{
    struct transfer *transfer = context;
    (void)bytes;
    transfer->header_bytes += size * n;
    if (transfer->header_bytes <= SL_MAX_HTTP_HEADERS)
        return size * n;
    transfer->end = HEADERS_TOO_LONG;
    return 0;
}

/* What curl hands over is decoded already, at most 16 KB a call. */
static size_t on_body(char *bytes, size_t size, size_t n, void *context)
{
    struct transfer *transfer = context;
    long code = 0;
    n *= size;
    curl_easy_getinfo(transfer->http->easy, CURLINFO_RESPONSE_CODE, &code);
    if (code != 200)
        return n; /* what a refusal says at length is not kept */
    size_t room = transfer->request->max - transfer->body->len;
    sl_buf_add(transfer->body,
               (struct sl_view){bytes, n < room ? n : room});
    if (n <= room)
        return transfer->body->failed ? 0 : n;
    transfer->end = transfer->request->cut ? BODY_CUT : BODY_TOO_LONG;
    return 0;
}

static int on_progress(void *context, curl_off_t total, curl_off_t now,
                       curl_off_t up_total, curl_off_t up_now)
{
    struct transfer *transfer = context;
    const struct sl_http_settings *settings = transfer->http->settings;
    (void)total;
    (void)up_total;
    (void)up_now;
    if (settings->stop && settings->stop(settings->context))
        transfer->end = STOPPED;
    else if (now > (curl_off_t)transfer->request->max + 65536)
        transfer->end = BODY_TOO_LONG; /* packed it may be endless nothing */
    return transfer->end != NOT_ENDED;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        return ntohl(in.sin_addr.s_addr) >> 24 == 127;
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, address, sizeof in6);
        return IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
    }
    return false;
}

static curl_socket_t open_loopback(void *context, curlsocktype purpose,
                                   struct curl_sockaddr *address)
{
    (void)context;
    (void)purpose;
    if (!is_loopback(&address->addr))
        return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype | SOCK_CLOEXEC,
                  address->protocol);
}

/* What holds for every request of the client. */
static bool set_rules(struct sl_http *http)
{
    const struct sl_http_settings *settings = http->settings;
    CURL *easy = http->easy;
    long ms = (long)settings->timeout_s * 1000;
    bool ok = true;
    ok &= !curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, http->reason);
    ok &= !curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https");
    ok &= !curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    ok &= !curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    ok &= !curl_easy_setopt(easy, CURLOPT_SSLVERSION,
                            (long)CURL_SSLVERSION_TLSv1_2);
    /* one request at a time gains nothing by 2, and 1.1 is what is tested */
    ok &= !curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
                            (long)CURL_HTTP_VERSION_1_1);
    ok &= !curl_easy_setopt(easy, CURLOPT_MAXCONNECTS, 1L);
    ok &= !curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    ok &= !curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, ms);
    ok &= !curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                            ms < SL_FETCH_CONNECT_MS
                                ? ms
                                : (long)SL_FETCH_CONNECT_MS);
    ok &= !curl_easy_setopt(easy, CURLOPT_USERAGENT, settings->agent);
    ok &= !curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    ok &= !curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    ok &= !curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    ok &= !curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    if (settings->ca_file)
        ok &= !curl_easy_setopt(easy, CURLOPT_CAINFO, settings->ca_file);
    if (settings->loopback) {
        ok &= !curl_easy_setopt(easy, CURLOPT_PROXY, "");
        ok &= !curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION,
                                open_loopback);
    }
    return ok;
}

/* "NAME: VALUE" appended; false when memory is used up. */
static bool add_header(struct curl_slist **list, const char *name,
                       struct sl_view value)
{
    char line[MAX_HEADER_VALUE + 64];
    (void)snprintf(line, sizeof line, "%s: %.*s", name,
                   SL_ARG(sl_view_sub(value, 0, MAX_HEADER_VALUE)));
    struct curl_slist *more = curl_slist_append(*list, line);
    if (more)
        *list = more;
    return more != NULL;
}

static bool set_request(struct transfer *transfer, struct curl_slist **headers)
{
    const struct sl_http_request *request = transfer->request;
    CURL *easy = transfer->http->easy;
    bool ok = add_header(headers, "Accept", sl_view_of(request->accept));
    if (request->etag.len)
        ok &= add_header(headers, "If-None-Match", request->etag);
    if (request->modified.len)
        ok &= add_header(headers, "If-Modified-Since", request->modified);
    if (!request->plain)
        ok &= !curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    ok &= !curl_easy_setopt(easy, CURLOPT_URL, transfer->url);
    ok &= !curl_easy_setopt(easy, CURLOPT_HTTPHEADER, *headers);
    ok &= !curl_easy_setopt(easy, CURLOPT_XFERINFODATA, transfer);
    ok &= !curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    ok &= !curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    return ok;
}

/* The transfer was ended by us, or is over. */
static enum sl_status ended(const struct transfer *transfer,
                            struct sl_error *error)
{
    switch (transfer->end) {
    case STOPPED:
        return sl_error_set(error, SL_ERR_IO, "interrupted");
    case BODY_TOO_LONG:
        return sl_error_set(error, SL_ERR_LIMIT,
                            "%.300s is longer than %zu bytes", transfer->url,
                            transfer->request->max);
    case HEADERS_TOO_LONG:
        return sl_error_set(error, SL_ERR_LIMIT,
                            "%.300s is answered with more than %u bytes of "
                            "headers",
                            transfer->url, SL_MAX_HTTP_HEADERS);
    default:
        return SL_OK;
    }
}

static enum sl_status failed(const struct transfer *transfer, CURLcode code,
                             struct sl_error *error)
{
    const struct sl_http *http = transfer->http;
    const char *url = transfer->url;
    const char *why =
        http->reason[0] ? http->reason : curl_easy_strerror(code);
    switch (code) {
    case CURLE_OUT_OF_MEMORY: /* what libcurl calls a header without end */
        return sl_error_set(error, SL_ERR_LIMIT,
                            "%.300s is answered with a line of headers that "
                            "is longer than libcurl takes",
                            url);
    case CURLE_OPERATION_TIMEDOUT:
        return sl_error_set(error, SL_ERR_IO,
                            "%.300s is not there after %u seconds (%.150s); "
                            "--timeout gives it longer",
                            url, http->settings->timeout_s, why);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
        return sl_error_set(error, SL_ERR_IO,
                            "no trusted connection for %.300s: %.200s (an "
                            "authority of your own site goes into --ca)",
                            url, why);
    case CURLE_PARTIAL_FILE:
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "%.300s came cut off: %.200s", url, why);
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WRITE_ERROR: /* not by us: an encoding that cannot be undone */
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL: /* an answer of HTTP/0.9 */
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "the answer for %.300s is damaged: %.200s", url,
                            why);
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_PROXY:
        return sl_error_set(error, SL_ERR_IO,
                            "no connection for %.300s: %.200s", url, why);
    default:
        return sl_error_set(error, SL_ERR_IO,
                            "the connection for %.300s broke: %.200s", url,
                            why);
    }
}

/* Odd ones are left out: they are sent back to a server later. */
static enum sl_status copy_header(struct sl_arena *arena, CURL *easy,
                                  const char *name, struct sl_view *value_out)
{
    struct curl_header *header;
    *value_out = SL_LIT("");
    if (curl_easy_header(easy, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
        return SL_OK;
    struct sl_view value = sl_view_trim(sl_view_of(header->value));
    for (size_t i = 0; i < value.len; i++)
        if (value.ptr[i] < ' ' || value.ptr[i] > '~')
            return SL_OK;
    if (value.len > MAX_HEADER_VALUE)
        return SL_OK;
    *value_out = sl_arena_copy(arena, value);
    return value_out->ptr ? SL_OK : SL_ERR_NOMEM;
}

/* *next_out: where a redirect leads, or NULL. */
static enum sl_status read_answer(struct transfer *transfer,
                                  struct sl_arena *arena,
                                  struct sl_http_answer *answer,
                                  const char **next_out,
                                  struct sl_error *error)
{
    CURL *easy = transfer->http->easy;
    char *next = NULL;
    curl_off_t wait = 0;
    struct sl_view packing;
    answer->url = transfer->url;
    answer->was_cut = transfer->end == BODY_CUT;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &answer->code);
    curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &wait);
    answer->retry_after = wait > 0 ? (uint64_t)wait : 0;
    curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &next);
    if (copy_header(arena, easy, "Content-Type", &answer->type) != SL_OK ||
        copy_header(arena, easy, "ETag", &answer->etag) != SL_OK ||
        copy_header(arena, easy, "Last-Modified", &answer->modified) != SL_OK ||
        copy_header(arena, easy, "Content-Encoding", &packing) != SL_OK)
        return sl_error_nomem(error);
    if (transfer->request->plain && packing.len &&
        !sl_view_is(packing, "identity"))
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "%.300s came packed (%.*s) and was not asked for "
                            "so",
                            transfer->url, SL_ARG(packing));
    *next_out = next ? sl_arena_copy(arena, sl_view_of(next)).ptr : NULL;
    return next && !*next_out ? sl_error_nomem(error) : SL_OK;
}

static enum sl_status exchange(struct transfer *transfer,
                               struct sl_arena *arena,
                               struct sl_http_answer *answer,
                               const char **next_out, struct sl_error *error)
{
    struct sl_http *http = transfer->http;
    struct curl_slist *headers = NULL;
    enum sl_status status = SL_OK;
    sl_buf_truncate(transfer->body, 0);
    curl_easy_reset(http->easy); /* keeps the connection */
    http->reason[0] = '\0';
    if (!set_rules(http) || !set_request(transfer, &headers)) {
        status = sl_error_set(error, SL_ERR_INTERNAL,
                              "this libcurl lacks what is needed");
        goto done;
    }
    CURLcode code = curl_easy_perform(http->easy);
    status = ended(transfer, error);
    if (!status && transfer->body->failed)
        status = sl_error_nomem(error);
    if (!status && code != CURLE_OK && transfer->end != BODY_CUT)
        status = failed(transfer, code, error);
    if (!status)
        status = read_answer(transfer, arena, answer, next_out, error);
done:
    curl_easy_setopt(http->easy, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(headers);
    return status;
}

/* Whether url may be asked now; for a redirect the fault names its origin. */
static enum sl_status may_ask(struct sl_http *http, struct sl_arena *arena,
                              const struct sl_http_request *request,
                              const char *from, const char *url,
                              struct sl_error *error)
{
    struct sl_http_url parts;
    struct sl_error why = {SL_OK, ""};
    enum sl_status status =
        sl_http_url(http->settings, arena, url, &parts, &why);
    if (status && from)
        return sl_error_set(error, status, "%.300s redirects: %.600s", from,
                            why.message);
    if (status)
        return sl_error_set(error, status, "%s", why.message);
    return request->before ? request->before(request->context, url, error)
                           : SL_OK;
}

enum sl_status sl_http_get(struct sl_http *http, struct sl_arena *arena,
                           const struct sl_http_request *request,
                           struct sl_buf *body,
                           struct sl_http_answer *answer_out,
                           struct sl_error *error)
{
    const char *visited[SL_MAX_REDIRECTS + 1];
    const char *url = request->url;
    for (unsigned hop = 0;; hop++) {
        enum sl_status status =
            may_ask(http, arena, request, hop ? visited[hop - 1] : NULL, url,
                    error);
        struct transfer transfer = {
            .http = http, .request = request, .url = url, .body = body};
        struct sl_http_answer answer = {.redirects = hop};
        const char *next = NULL;
        if (!status)
            status = exchange(&transfer, arena, &answer, &next, error);
        if (status)
            return status;
        if (!next) {
            *answer_out = answer;
            return SL_OK;
        }
        visited[hop] = url;
        for (unsigned i = 0; i <= hop; i++)
            if (strcmp(visited[i], next) == 0)
                return sl_error_set(error, SL_ERR_REFUSED,
                                    "%.300s redirects in a circle, back to "
                                    "%.300s",
                                    request->url, next);
        if (hop == SL_MAX_REDIRECTS)
            return sl_error_set(error, SL_ERR_LIMIT,
                                "%.300s redirects more than %u times",
                                request->url, SL_MAX_REDIRECTS);
        url = next;
    }
}

enum sl_status sl_http_new(const struct sl_http_settings *settings,
                           struct sl_http **http_out, struct sl_error *error)
{
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return sl_error_set(error, SL_ERR_INTERNAL, "libcurl does not start");
    struct sl_http *http = calloc(1, sizeof *http);
    if (http)
        http->easy = curl_easy_init();
    if (!http || !http->easy) {
        free(http);
        curl_global_cleanup();
        return sl_error_nomem(error);
    }
    http->settings = settings;
    *http_out = http;
    return SL_OK;
}

void sl_http_free(struct sl_http *http)
{
    if (!http)
        return;
    curl_easy_cleanup(http->easy);
    free(http);
    curl_global_cleanup();
}
