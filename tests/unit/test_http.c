/* http: which addresses may be asked. Answers: tests/cli/test_docs_fetch*.py. */
#include "test.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "base/limits.h"
#include "http/client.h"

static struct sl_error error;

static void addresses(void **state)
{
    (void)state;
    static const char *const hosts[] = {"Docs.example.org", "b.example:8443",
                                        "c.example:443", "[::1]"};
    static const struct sl_http_settings settings = {
        .hosts = hosts, .host_count = COUNT(hosts)};
    static const struct {
        const char *url;
        const char *host; /* NULL: refused */
        const char *path;
    } cases[] = {
        {"https://docs.example.org/a/b?c=d#e", "docs.example.org",
         "/a/b?c=d"},
        {"HTTPS://DOCS.EXAMPLE.ORG", "docs.example.org", "/"},
        {"https://docs.example.org:443/", "docs.example.org", "/"},
        {"https://c.example/", "c.example", "/"},
        {"https://b.example:8443/x", "b.example:8443", "/x"},
        {"https://[::1]/", "[::1]", "/"},
        {"https://b.example/", NULL, NULL},
        {"https://docs.example.org:8443/", NULL, NULL},
        {"https://docs.example.org./", NULL, NULL},
        {"https://docs.example.org.evil.invalid/", NULL, NULL},
        {"https://evil.invalid/docs.example.org/", NULL, NULL},
        {"https://docs.example.org@evil.invalid/", NULL, NULL},
        {"https://evil.invalid#@docs.example.org/", NULL, NULL},
        {"https://me@docs.example.org/", NULL, NULL},
        {"https://:x@docs.example.org/", NULL, NULL},
        {"http://docs.example.org/", NULL, NULL},
        {"file:///etc/passwd", NULL, NULL},
        {"file://docs.example.org/etc/passwd", NULL, NULL},
        {"gopher://docs.example.org/", NULL, NULL},
        {"//docs.example.org/", NULL, NULL},
        {"docs.example.org", NULL, NULL},
        {"https://", NULL, NULL},
        {"", NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_http_url url;
        enum sl_status status =
            sl_http_url(&settings, &test_arena, cases[i].url, &url, &error);
        assert_case((status == SL_OK) == (cases[i].host != NULL),
                    cases[i].url);
        if (status)
            continue;
        assert_view(url.host, cases[i].host);
        assert_view(url.path, cases[i].path);
    }
    struct sl_buf text;
    struct sl_http_url url;
    sl_buf_init(&text, 1u << 16);
    sl_buf_puts(&text, "https://docs.example.org/");
    sl_buf_add(&text, test_repeat("x", SL_MAX_URL));
    assert_status(
        sl_http_url(&settings, &test_arena, text.ptr, &url, &error),
        SL_ERR_LIMIT);
    sl_buf_release(&text);
}

/* An address of this machine that is not the loopback's; false: there is none. */
static bool own_address(struct sockaddr_in *address_out)
{
    struct ifaddrs *list;
    bool found = false;
    if (getifaddrs(&list) != 0)
        return false;
    for (const struct ifaddrs *i = list; i && !found; i = i->ifa_next) {
        if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET)
            continue;
        memcpy(address_out, i->ifa_addr, sizeof *address_out);
        found = ntohl(address_out->sin_addr.s_addr) >> 24 != 127;
    }
    freeifaddrs(list);
    return found;
}

/* One request to a listener that never answers; *reached: it came. */
static enum sl_status knock(struct sockaddr_in address, bool *reached)
{
    char host[64];
    char name[INET_ADDRSTRLEN];
    char url[100];
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    address.sin_port = 0;
    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 1), 0);
    getsockname(listener, (struct sockaddr *)&address, &size);
    inet_ntop(AF_INET, &address.sin_addr, name, sizeof name);
    (void)snprintf(host, sizeof host, "%s:%u", name, ntohs(address.sin_port));
    (void)snprintf(url, sizeof url, "https://%s/", host);
    const char *hosts[] = {host};
    struct sl_http_settings settings = {.agent = "test",
                                        .hosts = hosts,
                                        .host_count = 1,
                                        .timeout_s = 1,
                                        .loopback = true};
    struct sl_http_request request = {
        .url = url, .accept = "*/*", .max = 100};
    struct sl_http *http;
    struct sl_http_answer answer;
    struct sl_buf body;
    sl_buf_init(&body, 100);
    assert_ok(sl_http_new(&settings, &http, &error));
    enum sl_status status =
        sl_http_get(http, &test_arena, &request, &body, &answer, &error);
    int peer = accept(listener, NULL, NULL);
    *reached = peer >= 0;
    if (peer >= 0)
        close(peer);
    close(listener);
    sl_http_free(http);
    sl_buf_release(&body);
    return status;
}

static void loopback_only(void **state)
{
    (void)state;
    struct sockaddr_in address = {.sin_family = AF_INET};
    bool reached;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_status(knock(address, &reached), SL_ERR_IO);
    assert_true(reached);
    assert_says("after 1 seconds");
    if (!own_address(&address))
        return; /* a machine without a network has nothing to keep from */
    assert_status(knock(address, &reached), SL_ERR_IO);
    assert_false(reached);
    assert_says("no connection");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(addresses),
        TEST(loopback_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
