/*
 * sl_robots_parse and sl_robots_allow, against the slowest and plainest way to
 * decide the same. The first line of the input becomes the path.
 */
#include <string.h>

#include "fuzz.h"
#include "site/robots.h"

#define MAX_PATH 64u

/* Pattern from i on against path from j on, tried in every way. */
static bool fits(struct sl_view pattern, struct sl_view path)
{
    bool row[MAX_PATH + 2];
    bool anchored = pattern.len && pattern.ptr[pattern.len - 1] == '$';
    size_t n = anchored ? pattern.len - 1 : pattern.len;
    for (size_t j = 0; j <= path.len; j++)
        row[j] = anchored ? j == path.len : true;
    for (size_t i = n; i-- > 0;) {
        bool next[MAX_PATH + 2];
        for (size_t j = path.len + 1; j-- > 0;) {
            if (pattern.ptr[i] == '*')
                next[j] = row[j] || (j < path.len && next[j + 1]);
            else
                next[j] = j < path.len && path.ptr[j] == pattern.ptr[i] &&
                          row[j + 1];
        }
        memcpy(row, next, sizeof row);
    }
    return row[0];
}

static bool allowed(const struct sl_robots *robots, struct sl_view path)
{
    size_t longest = 0;
    bool allow = true;
    for (size_t i = 0; i < robots->count; i++) {
        const struct sl_robots_rule *rule = &robots->rules[i];
        if (!fits(rule->pattern, path))
            continue;
        if (rule->pattern.len > longest)
            allow = rule->allow;
        else if (rule->pattern.len == longest)
            allow = allow || rule->allow;
        longest = rule->pattern.len > longest ? rule->pattern.len : longest;
    }
    return allow;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char letters[] = "/ab.-c~d";
    struct sl_arena arena;
    struct sl_robots robots;
    char path[MAX_PATH] = "/";
    char encoded[3 * MAX_PATH + 1] = "/";
    size_t n = 1;
    size_t m = 1;
    size_t at = 0;
    for (; at < size && data[at] != '\n'; at++) {
        if (n == MAX_PATH)
            continue;
        path[n] = letters[data[at] & 7];
        if (path[n] == '/')
            encoded[m++] = '/';
        else
            m += (size_t)snprintf(encoded + m, 4, "%%%02x", path[n]);
        n++;
    }
    struct sl_view text = {(const char *)data + at, size - at};
    struct sl_view plain = {path, n};
    sl_arena_init(&arena, FUZZ_ARENA);
    FUZZ_CHECK(sl_robots_parse(&arena, text, SL_LIT("shmemlore"), &robots,
                               NULL) == SL_OK);
    FUZZ_CHECK(sl_robots_allow(&robots, SL_LIT("/robots.txt")));
    FUZZ_CHECK(sl_robots_allow(&robots, plain) == allowed(&robots, plain));
    FUZZ_CHECK(sl_robots_allow(&robots, plain) ==
               sl_robots_allow(&robots, (struct sl_view){encoded, m}));
    FUZZ_CHECK(robots.delay <= SL_MAX_CRAWL_DELAY_S);
    for (size_t i = 0; i < robots.count; i++)
        FUZZ_CHECK(robots.rules[i].pattern.len);
    sl_arena_release(&arena);
    return 0;
}
