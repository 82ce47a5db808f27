/* Manners: what robots.txt says, how long to wait, when to come back. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <sys/random.h>

#include "helpers/docs/fetch.h"

#define PRODUCT "shmemlore"
#ifndef SL_VERSION
#define SL_VERSION "0"
#endif
#define AGENT                                                                 \
    PRODUCT "/" SL_VERSION " (docs fetch: one user's local copy; obeys "       \
            "robots.txt as " PRODUCT ")"

#define MAX_TRIES 3u
#define UNSAID_WAIT_S 60u /* for a 429 that does not say how long */

static int64_t now_ms(void)
{
    struct timespec at = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

static bool is_stopped(const struct sl_site *site)
{
    return site->options->stop(NULL);
}

/* In short pieces: a signal just before a long sleep would be lost. */
static enum sl_status sleep_ms(const struct sl_site *site, uint64_t ms,
                               struct sl_error *error)
{
    if (site->options->loopback && ms > site->options->longest_ms)
        ms = site->options->longest_ms;
    while (ms && !is_stopped(site)) {
        uint64_t piece = ms < 100 ? ms : 100;
        nanosleep(&(struct timespec){0, (long)piece * 1000000}, NULL);
        ms -= piece;
    }
    return is_stopped(site) ? sl_error_set(error, SL_ERR_IO, "interrupted")
                            : SL_OK;
}

/* Between the two figures of --pause, not below what robots.txt asks for. */
static uint64_t draw_pause_ms(const struct sl_site *site)
{
    uint64_t least = (uint64_t)site->options->pause_min_s * 1000;
    uint64_t most = (uint64_t)site->options->pause_max_s * 1000;
    uint64_t asked = (uint64_t)site->delay_s * 1000;
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        return most > asked ? most : asked;
    uint64_t drawn = least + random % (most - least + 1);
    return drawn > asked ? drawn : asked;
}

/* Waits until the pause since the last request's end is over. */
static enum sl_status pause_before(struct sl_site *site, struct sl_error *error)
{
    bool first = site->requests++ == 0;
    if (site->under_way) /* a redirect: its answer has just come */
        site->last_ms = now_ms();
    site->under_way = true;
    int64_t left = site->last_ms + (int64_t)draw_pause_ms(site) - now_ms();
    return first || left <= 0 ? SL_OK
                              : sleep_ms(site, (uint64_t)left, error);
}

/* The server says when to come back: within reason that is done. */
static enum sl_status wait_as_asked(struct sl_site *site,
                                    const struct sl_http_answer *answer,
                                    struct sl_error *error)
{
    uint64_t seconds =
        answer->retry_after ? answer->retry_after : UNSAID_WAIT_S;
    if (seconds > SL_MAX_RETRY_AFTER_S) {
        site->turned_away = true;
        return sl_error_set(error, SL_ERR_REFUSED,
                            "the server answers %ld and asks to come back in "
                            "%llu seconds; the same command goes on then",
                            answer->code, (unsigned long long)seconds);
    }
    struct sl_error text;
    sl_error_set(&text, SL_OK,
                 "the server answers %ld and asks to wait: %llu seconds",
                 answer->code, (unsigned long long)seconds);
    sl_fetch_progress_clear(site->options);
    if (!site->options->quiet)
        sl_docs_say(text.message);
    return sleep_ms(site, seconds * 1000, error);
}

static bool asks_to_wait(const struct sl_http_answer *answer)
{
    return answer->code == 429 ||
           (answer->code == 503 && answer->retry_after != 0);
}

/* sl_http_get(), again where the server asks to wait. */
static enum sl_status ask(struct sl_site *site, struct sl_arena *arena,
                          const struct sl_http_request *request,
                          struct sl_buf *body, struct sl_http_answer *answer,
                          struct sl_error *error)
{
    for (unsigned tries = 1;; tries++) {
        enum sl_status status =
            sl_http_get(site->http, arena, request, body, answer, error);
        site->last_ms = now_ms();
        site->under_way = false;
        if (status || !asks_to_wait(answer))
            return status;
        if (tries == MAX_TRIES) {
            site->turned_away = true;
            return sl_error_set(error, SL_ERR_REFUSED,
                                "the server answers %ld to %u tries; the same "
                                "command goes on another day",
                                answer->code, MAX_TRIES);
        }
        status = wait_as_asked(site, answer, error);
        if (status)
            return status;
    }
}

static enum sl_status before_robots(void *context, const char *url,
                                    struct sl_error *error)
{
    (void)url;
    return pause_before(context, error);
}

static enum sl_status forbid(struct sl_site_rules *rules, const char *url,
                             const char *why)
{
    rules->forbidden = true;
    sl_error_set(&rules->why, SL_ERR_REFUSED,
                 "nothing may be asked for, since %.300s could not be read: "
                 "%.500s; try again later",
                 url, why);
    return SL_OK;
}

/* RFC 9309, 2.3.1: what an answer for robots.txt means. */
static enum sl_status judge_robots(struct sl_site *site,
                                   struct sl_site_rules *rules, const char *url,
                                   const struct sl_http_answer *answer,
                                   struct sl_view body, struct sl_error *error)
{
    if (answer->code >= 400 && answer->code < 500)
        return SL_OK; /* there are no rules */
    if (answer->code != 200) {
        char code[40];
        (void)snprintf(code, sizeof code, "the server answers %ld",
                       answer->code);
        return forbid(rules, url, code);
    }
    /* the rules live as long as the site, unlike the body: patterns are copies */
    enum sl_status status = sl_robots_parse(
        site->arena, body, SL_LIT(PRODUCT), &rules->robots, error);
    if (!status && rules->robots.delay > site->delay_s)
        site->delay_s = rules->robots.delay;
    return status;
}

static enum sl_status read_robots(struct sl_site *site,
                                  struct sl_site_rules *rules,
                                  struct sl_error *error)
{
    char url[SL_MAX_URL];
    int n = snprintf(url, sizeof url, "https://%.*s/robots.txt",
                     SL_ARG(rules->host));
    if (n < 0 || (size_t)n >= sizeof url)
        return sl_error_set(error, SL_ERR_LIMIT, "a host's name is too long");
    struct sl_arena arena;
    struct sl_buf body;
    sl_arena_init(&arena, SL_MAX_HTTP_ARENA);
    sl_buf_init(&body, SL_MAX_ROBOTS + 1);
    struct sl_http_request request = {.url = url,
                                      .accept = "text/plain, */*;q=0.1",
                                      .max = SL_MAX_ROBOTS + 1,
                                      .cut = true,
                                      .plain = true,
                                      .before = before_robots,
                                      .context = site};
    struct sl_http_answer answer;
    struct sl_error why = {SL_OK, ""};
    enum sl_status status =
        ask(site, &arena, &request, &body, &answer, &why);
    if (!status)
        status = judge_robots(site, rules, url, &answer, sl_buf_view(&body),
                              error);
    else if (status == SL_ERR_NOMEM || is_stopped(site) || site->turned_away)
        status = sl_error_set(error, status, "%s", why.message);
    else
        status = forbid(rules, url, why.message);
    sl_buf_release(&body);
    sl_arena_release(&arena);
    return status;
}

static enum sl_status rules_of(struct sl_site *site, struct sl_view host,
                               const struct sl_site_rules **rules_out,
                               struct sl_error *error)
{
    for (size_t i = 0; i < site->rule_count; i++) {
        *rules_out = &site->rules[i];
        if (sl_view_eq(site->rules[i].host, host))
            return SL_OK;
    }
    if (site->rule_count == SL_MAX_ALLOWED_HOSTS)
        return sl_error_set(error, SL_ERR_LIMIT, "more than %u hosts",
                            SL_MAX_ALLOWED_HOSTS);
    struct sl_site_rules *rules = &site->rules[site->rule_count];
    *rules = (struct sl_site_rules){.host = sl_arena_copy(site->arena, host)};
    if (!rules->host.ptr)
        return sl_error_nomem(error);
    enum sl_status status = read_robots(site, rules, error);
    if (status)
        return status;
    site->rule_count++;
    *rules_out = rules;
    return SL_OK;
}

static enum sl_status before_page(void *context, const char *url,
                                  struct sl_error *error)
{
    struct sl_site *site = context;
    const struct sl_site_rules *rules = NULL;
    struct sl_http_url parts;
    struct sl_arena arena;
    sl_arena_init(&arena, SL_MAX_HTTP_ARENA);
    enum sl_status status =
        sl_http_url(&site->settings, &arena, url, &parts, error);
    if (!status)
        status = rules_of(site, parts.host, &rules, error);
    if (!status && rules->forbidden)
        status = sl_error_set(error, SL_ERR_REFUSED, "%s", rules->why.message);
    if (!status && !rules->forbidden &&
        !sl_robots_allow(&rules->robots, parts.path))
        status = sl_error_set(error, SL_ERR_REFUSED,
                              "robots.txt of %.*s forbids %.300s",
                              SL_ARG(sl_view_sub(parts.host, 0, 200)), url);
    sl_arena_release(&arena);
    return status ? status : pause_before(site, error);
}

enum sl_status sl_site_get(struct sl_site *site, struct sl_arena *arena,
                           const struct sl_http_request *request,
                           struct sl_buf *body,
                           struct sl_http_answer *answer_out,
                           struct sl_error *error)
{
    struct sl_http_request careful = *request;
    careful.before = before_page;
    careful.context = site;
    return ask(site, arena, &careful, body, answer_out, error);
}

enum sl_status sl_site_open(struct sl_arena *arena,
                            const struct sl_fetch_options *options,
                            struct sl_site *site_out, struct sl_error *error)
{
    *site_out = (struct sl_site){
        .options = options,
        .arena = arena,
        .settings = {.agent = AGENT,
                     .ca_file = options->ca_file,
                     .hosts = options->hosts,
                     .host_count = options->host_count,
                     .timeout_s = options->timeout_s,
                     .loopback = options->loopback,
                     .stop = options->stop},
    };
    return sl_http_new(&site_out->settings, &site_out->http, error);
}

void sl_site_close(struct sl_site *site)
{
    sl_http_free(site->http);
    site->http = NULL;
}
