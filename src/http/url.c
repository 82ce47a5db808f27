/* Which addresses may be asked at all. */
#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "http/client.h"

static enum sl_status get_part(struct sl_arena *arena, CURLU *parts,
                               CURLUPart which, unsigned flags,
                               struct sl_view *part_out)
{
    char *text;
    CURLUcode code = curl_url_get(parts, which, &text, flags);
    if (code == CURLUE_OUT_OF_MEMORY)
        return SL_ERR_NOMEM;
    if (code != CURLUE_OK) {
        *part_out = (struct sl_view){NULL, 0};
        return SL_OK;
    }
    *part_out = sl_arena_copy(arena, sl_view_of(text));
    curl_free(text);
    if (!part_out->ptr)
        return SL_ERR_NOMEM;
    return SL_OK;
}

static bool same_host(struct sl_view host, const char *allowed)
{
    struct sl_view other = sl_view_of(allowed);
    if (sl_view_ends(other, ":443"))
        other.len -= 4;
    for (size_t i = 0; i < host.len && i < other.len; i++)
        if (host.ptr[i] != sl_lower(other.ptr[i]))
            return false;
    return host.len == other.len;
}

static bool is_allowed(const struct sl_http_settings *settings,
                       struct sl_view host)
{
    for (size_t i = 0; i < settings->host_count; i++)
        if (same_host(host, settings->hosts[i]))
            return true;
    return false;
}

/* An own copy in lower case. */
static enum sl_status lower(struct sl_arena *arena, struct sl_view *text)
{
    char *copy = sl_arena_alloc(arena, text->len + 1);
    if (!copy)
        return SL_ERR_NOMEM;
    for (size_t i = 0; i < text->len; i++)
        copy[i] = sl_lower(text->ptr[i]);
    text->ptr = copy;
    return SL_OK;
}

/* "host" or "host:8443"; "/path?query" */
static enum sl_status join(struct sl_arena *arena, struct sl_view a,
                           const char *between, struct sl_view b,
                           struct sl_view *joined_out)
{
    *joined_out = a;
    if (!b.ptr)
        return SL_OK;
    char *text = sl_arena_alloc(arena, a.len + b.len + 2);
    if (!text)
        return SL_ERR_NOMEM;
    int n = snprintf(text, a.len + b.len + 2, "%.*s%s%.*s", SL_ARG(a), between,
                     SL_ARG(b));
    *joined_out = (struct sl_view){text, n < 0 ? 0 : (size_t)n};
    return SL_OK;
}

static enum sl_status judge(const struct sl_http_settings *settings,
                            struct sl_arena *arena, CURLU *parts,
                            const char *url, struct sl_http_url *url_out,
                            struct sl_error *error)
{
    struct sl_view scheme, user, password, host, port, path, query;
    const struct {
        CURLUPart which;
        unsigned flags;
        struct sl_view *to;
    } wanted[] = {
        {CURLUPART_SCHEME, 0, &scheme},     {CURLUPART_USER, 0, &user},
        {CURLUPART_PASSWORD, 0, &password}, {CURLUPART_HOST, 0, &host},
        {CURLUPART_PATH, 0, &path},         {CURLUPART_QUERY, 0, &query},
        {CURLUPART_PORT, CURLU_NO_DEFAULT_PORT, &port},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (get_part(arena, parts, wanted[i].which, wanted[i].flags,
                     wanted[i].to) != SL_OK)
            return sl_error_nomem(error);
    if (!sl_view_is(scheme, "https"))
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%.300s is not https; nothing else is asked", url);
    if (user.ptr || password.ptr)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "an address at %.*s holds a user name; such are "
                            "not asked",
                            SL_ARG(sl_view_sub(host, 0, 200)));
    struct sl_view authority, target;
    if (join(arena, host, ":", port, &authority) != SL_OK ||
        join(arena, path, "?", query, &target) != SL_OK ||
        lower(arena, &authority) != SL_OK)
        return sl_error_nomem(error);
    if (!is_allowed(settings, authority))
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%.300s is on the host %.*s, which is not one of "
                            "the allowed (--allow-host)",
                            url, SL_ARG(sl_view_sub(authority, 0, 200)));
    *url_out = (struct sl_http_url){authority, target};
    return SL_OK;
}

enum sl_status sl_http_url(const struct sl_http_settings *settings,
                           struct sl_arena *arena, const char *url,
                           struct sl_http_url *url_out, struct sl_error *error)
{
    if (strlen(url) > SL_MAX_URL)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "the address %.100s... has more than %u bytes", url,
                            SL_MAX_URL);
    CURLU *parts = curl_url();
    if (!parts)
        return sl_error_nomem(error);
    CURLUcode code =
        curl_url_set(parts, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME);
    enum sl_status status =
        code == CURLUE_OUT_OF_MEMORY ? sl_error_nomem(error)
        : code != CURLUE_OK ? sl_error_set(error, SL_ERR_USAGE,
                                           "'%.300s' is no address: %s", url,
                                           curl_url_strerror(code))
                            : judge(settings, arena, parts, url, url_out,
                                    error);
    curl_url_cleanup(parts);
    return status;
}
