/* site: robots.txt by RFC 9309, and where an inventory's pages may lie. */
#include "test.h"

#include <string.h>

#include "base/limits.h"
#include "site/inventory.h"
#include "site/robots.h"

static struct sl_error error;

static struct sl_robots parse(struct sl_view text)
{
    struct sl_robots robots;
    assert_ok(sl_robots_parse(&test_arena, text, SL_LIT("shmemlore"), &robots,
                              &error));
    return robots;
}

static void rules(void **state)
{
    (void)state;
    static const struct {
        const char *rules; /* of the group for everybody */
        const char *path;
        bool allow;
    } cases[] = {
        {"", "/a", true},
        {"Disallow:", "/a", true},
        {"Disallow: /", "/a", false},
        {"Disallow: /", "/robots.txt", true},
        {"Disallow: /\nAllow: /a", "/abc", true},
        {"Allow: /a\nDisallow: /ab", "/abc", false},
        {"Allow: /p\nDisallow: /p", "/p", true}, /* a tie allows */
        {"Disallow: /p\nAllow: /p", "/p", true},
        {"Disallow: /fish", "/fish.html", false},
        {"Disallow: /fish", "/Fish", true}, /* paths have case */
        {"Disallow: /fish/", "/fish", true},
        {"Disallow: fish", "/fish", true}, /* no path begins so */
        {"Disallow: /fish*", "/fishheads", false},
        {"Disallow: /*.php", "/dir/x.php?y", false},
        {"Disallow: /*.php$", "/x.php", false},
        {"Disallow: /*.php$", "/x.php?y", true},
        {"Disallow: /*.php$", "/x.php.php", false},
        {"Disallow: /fish*.php", "/fishes/x.php", false},
        {"Disallow: /fish*.php", "/Fish.PHP", true},
        {"Disallow: *", "/", false},
        {"Disallow: $", "/", true},
        {"Disallow: /$", "/", false},
        {"Disallow: /$", "/a", true},
        {"Disallow: /a$b", "/a", true}, /* `$` is a sign at the end only */
        {"Disallow: /a%24b", "/a$b", false},
        {"Disallow: /a%2Ab", "/a*b", false},
        {"Disallow: /a%2Ab", "/axb", true},
        {"Disallow: /a*b*a*b$", "/abababab", false},
        {"Disallow: /a*b$", "/a", true},
        {"Disallow: /ab*b$", "/ab", true},
        {"Disallow: /%7Euser", "/~user", false},
        {"Disallow: /~user", "/%7euser", false},
        {"Disallow: /a%2fb", "/a%2Fb", false},
        {"Disallow: /a%2fb", "/a/b", true},
        {"Disallow: /\xc3\xa9", "/%C3%A9", false},
        {"Disallow: /a%", "/a%", false},
        {"disALLOW : /a # why", "/a", false},
        {"Disallow /a", "/a", true},
        {"Sitemap: /a\nDisallow: /a", "/a", false},
        {"Disallow: /a?x=1", "/a?x=12", false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_buf text;
        sl_buf_init(&text, 4096);
        sl_buf_printf(&text, "User-agent: *\n%s\n", cases[i].rules);
        struct sl_robots robots = parse(sl_buf_view(&text));
        assert_case(sl_robots_allow(&robots, sl_view_of(cases[i].path)) ==
                        cases[i].allow,
                    cases[i].rules);
        sl_buf_release(&text);
    }
}

static void groups(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool named;
        bool allow; /* /x */
    } cases[] = {
        {"Disallow: /", false, true}, /* of nobody's group */
        {"User-agent: other\nDisallow: /", false, true},
        {"User-agent: *\nDisallow: /", false, false},
        {"User-agent: SHMEMlore\nDisallow: /", true, false},
        {"User-agent: shmemlore/1.0 (x)\nDisallow: /", true, false},
        {"User-agent: shmemlores\nDisallow: /", false, true},
        {"User-agent: shmem\nDisallow: /", false, true},
        {"User-agent: *\nDisallow: /\nUser-agent: shmemlore\nAllow: /y", true,
         true},
        {"User-agent: shmemlore\nAllow: /y\nUser-agent: *\nDisallow: /", true,
         true},
        {"User-agent: shmemlore\nUser-agent: b\nDisallow: /", true, false},
        {"User-agent: b\nUser-agent: shmemlore\nDisallow: /", true, false},
        {"User-agent: shmemlore\nSitemap: /\n\nUser-agent: b\nDisallow: /",
         true, false}, /* other lines do not end a group's names */
        {"User-agent: shmemlore\nCrawl-delay: 1\nUser-agent: b\nDisallow: /",
         true, false},
        {"User-agent: shmemlore\nDisallow: /y\nUser-agent: b\nDisallow: /",
         true, true},
        {"User-agent: shmemlore\nDisallow: /y\nUser-agent: b\nDisallow: /\n"
         "User-agent: shmemlore\nDisallow: /x", true, false},
        {"User-agent: *\nDisallow: /y\nUser-agent: *\nDisallow: /x", false,
         false},
        {"User-agent: * all\nDisallow: /", false, false},
        {"User-agent: *x\nDisallow: /", false, true},
        {"\xef\xbb\xbfUser-agent: *\rDisallow: /\r", false, false},
        {"User-agent: *\r\n\r\nDisallow: /\r\n", false, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_robots robots = parse(sl_view_of(cases[i].text));
        assert_case(robots.named == cases[i].named, cases[i].text);
        assert_case(sl_robots_allow(&robots, SL_LIT("/x")) == cases[i].allow,
                    cases[i].text);
    }
}

static void delays(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        unsigned delay;
    } cases[] = {
        {"3", 3},          {"2.5", 3}, {"0", 0}, {"-1", 0},
        {"soon", 0},       {"", 0},    {".5", 0},
        {"999999", 86400}, {"99999999999999999999", 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_buf text;
        sl_buf_init(&text, 4096);
        sl_buf_printf(&text, "User-agent: *\nCrawl-delay: %s\n",
                      cases[i].value);
        assert_case(parse(sl_buf_view(&text)).delay == cases[i].delay,
                    cases[i].value);
        sl_buf_release(&text);
    }
    struct sl_robots robots = parse(SL_LIT("User-agent: *\nCrawl-delay: 9\n"
                                           "User-agent: shmemlore\n"
                                           "Crawl-delay: 4\n"));
    assert_int_equal(robots.delay, 4);
}

static void long_texts(void **state)
{
    (void)state;
    struct sl_buf text;
    sl_buf_init(&text, 2 * SL_MAX_ROBOTS);
    sl_buf_puts(&text, "User-agent: *\nDisallow: /begin\n");
    while (text.len < SL_MAX_ROBOTS - 8)
        sl_buf_puts(&text, "#######\n");
    /* the cap lies inside this line: half of it would forbid all */
    sl_buf_puts(&text, "Disallow: /x\nDisallow: /end\n");
    struct sl_robots robots = parse(sl_buf_view(&text));
    assert_int_equal(robots.count, 1);
    assert_false(sl_robots_allow(&robots, SL_LIT("/begin")));
    assert_true(sl_robots_allow(&robots, SL_LIT("/end")));
    sl_buf_release(&text);
    assert_false(sl_robots_allow(&robots, test_repeat("/", SL_MAX_URL + 1)));
    assert_true(sl_robots_allow(&robots, test_repeat("/", SL_MAX_URL)));
}

/* A stored (not packed) zlib stream, so that no zlib is needed to make it. */
static struct sl_view inventory_of(const char *header, const char *lines)
{
    size_t n = strlen(lines);
    unsigned a = 1;
    unsigned b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + (unsigned char)lines[i]) % 65521;
        b = (b + a) % 65521;
    }
    struct sl_buf file;
    sl_buf_init(&file, 1u << 17);
    sl_buf_puts(&file, header);
    const unsigned char begin[] = {0x78, 0x01, 1,
                                   (unsigned char)n,
                                   (unsigned char)(n >> 8),
                                   (unsigned char)~n,
                                   (unsigned char)(~n >> 8)};
    const unsigned char end[] = {(unsigned char)(b >> 8), (unsigned char)b,
                                 (unsigned char)(a >> 8), (unsigned char)a};
    sl_buf_add(&file, (struct sl_view){(const char *)begin, sizeof begin});
    sl_buf_puts(&file, lines);
    sl_buf_add(&file, (struct sl_view){(const char *)end, sizeof end});
    struct sl_view copy = sl_arena_copy(&test_arena, sl_buf_view(&file));
    sl_buf_release(&file);
    return copy;
}

#define HEADER \
    "# Sphinx inventory version 2\n# Project: P\n# Version: 1\n# zlib\n"

static void one_address(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *path; /* NULL: refused */
        const char *file;
    } cases[] = {
        {"n c:function 1 a.html -", "a.html", "a.html"},
        {"a name of words c:function 1 a.html Title too", "a.html", "a.html"},
        {"a: b 1 c:function 1 x.html -", "x.html", "x.html"},
        {"n c:function -1 a.html#anchor -", "a.html", "a.html"},
        {"n c:function 1 dir/#$ -", "dir/", "dir/index.html"},
        {"n c:function 1 dir/$ -", "dir/n", "dir/n"},
        {"n std:doc -1  Home", "", "index.html"},
        {"n std:doc -1 %61%2e.html -", "a..html", "a..html"},
        {"n std:doc -1 \xc3\xa9 -", "%C3%A9", "%C3%A9"},
        {"n std:doc -1 a:b -", NULL, NULL},
        {"n std:doc -1 a%3ab -", "a%3Ab", "a%3Ab"},
        {"n std:doc -1 ./a -", NULL, NULL},
        {"n std:doc -1 a/. -", NULL, NULL},
        {"n std:doc -1 a/.. -", NULL, NULL},
        {"n std:doc -1 a/%2e%2E/b -", NULL, NULL},
        {"n std:doc -1 /a -", NULL, NULL},
        {"n std:doc -1 a//b -", NULL, NULL},
        {"n std:doc -1 a%2fb -", NULL, NULL},
        {"n std:doc -1 a%00 -", NULL, NULL},
        {"n std:doc -1 a\x7f -", NULL, NULL},
        {"n std:doc -1 a?b -", NULL, NULL},
        {"n std:doc -1 a", NULL, NULL},
        {"n std:doc x a -", NULL, NULL},
        {"n doc 1 a -", NULL, NULL},
        {"n", NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_inventory inventory;
        assert_ok(sl_inventory_parse(&test_arena,
                                     inventory_of(HEADER, cases[i].line),
                                     &inventory, &error));
        assert_case(inventory.count == (cases[i].path != NULL), cases[i].line);
        assert_case(inventory.refused == (cases[i].path == NULL),
                    cases[i].line);
        if (!cases[i].path)
            continue;
        assert_view(inventory.pages[0].path, cases[i].path);
        assert_view(inventory.pages[0].file, cases[i].file);
    }
}

static void many_addresses(void **state)
{
    (void)state;
    struct sl_inventory inventory;
    assert_ok(sl_inventory_parse(
        &test_arena,
        inventory_of(HEADER,
                     "a c:f 1 z.html -\nb c:f 1 a/b -\nc c:f 1 a -\n"
                     "d c:f 1 d/index.html -\r\ne c:f 1 d/ -\n\n"
                     "search std:label -1 search.html -\nf c:f 1 ../x -\n"),
        &inventory, &error));
    assert_view(inventory.project, "P");
    assert_view(inventory.version, "1");
    assert_int_equal(inventory.entries, 7);
    assert_int_equal(inventory.count, 3);
    assert_view(inventory.pages[0].file, "a");
    assert_view(inventory.pages[1].file, "d/index.html");
    assert_view(inventory.pages[1].path, "d/");
    assert_view(inventory.pages[2].file, "z.html");
    assert_int_equal(inventory.refused, 2);
    assert_view(inventory.first_refused, "f c:f 1 ../x -");
}

static void broken_files(void **state)
{
    (void)state;
    struct sl_inventory inventory;
    static const struct {
        const char *header;
        const char *words;
    } cases[] = {
        {"", "its first line"},
        {"# Sphinx inventory version 3\n", "version '3'"},
        {"# Sphinx inventory version 2\n# Version: 1\n", "lacks a line"},
        {"# Sphinx inventory version 2\n# Project: P\n# Version: 1\n# x\n",
         "lacks a line"},
        {HEADER "x", "damaged"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_status(
            sl_inventory_parse(&test_arena,
                               inventory_of(cases[i].header, "a c:f 1 b -"),
                               &inventory, &error),
            SL_ERR_SYNTAX);
        assert_says(cases[i].words);
    }
    struct sl_view whole = inventory_of(HEADER, "a c:f 1 b -");
    for (size_t n = sizeof HEADER - 1; n < whole.len; n++)
        assert_status(sl_inventory_parse(&test_arena, sl_view_sub(whole, 0, n),
                                         &inventory, &error),
                      SL_ERR_SYNTAX);
    assert_status(
        sl_inventory_parse(&test_arena, test_repeat("x", SL_MAX_INVENTORY + 1),
                           &inventory, &error),
        SL_ERR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rules),       TEST(groups),         TEST(delays),
        TEST(long_texts),  TEST(one_address),    TEST(many_addresses),
        TEST(broken_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
