#include "site/robots.h"

#include <string.h>

#include "base/limits.h"

enum kind { OTHER, AGENT, ALLOW, DISALLOW, DELAY };

/* Which groups speak of us, as far as the text has been read. */
struct reader {
    struct sl_arena *arena;
    struct sl_view product;
    struct sl_robots robots;
    struct sl_robots_rule *rules;
    size_t cap;
    bool in_names; /* the last rule-like line was a User-agent */
    bool ours;     /* the present group is for the product... */
    bool any;      /* ...or for everybody */
};

static bool same_word(struct sl_view a, struct sl_view b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (sl_lower(a.ptr[i]) != sl_lower(b.ptr[i]))
            return false;
    return true;
}

static enum kind kind_of(struct sl_view name)
{
    static const struct {
        struct sl_view name;
        enum kind kind;
    } kinds[] = {
        {{"user-agent", 10}, AGENT},
        {{"allow", 5}, ALLOW},
        {{"disallow", 8}, DISALLOW},
        {{"crawl-delay", 11}, DELAY},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (same_word(name, kinds[i].name))
            return kinds[i].kind;
    return OTHER;
}

static int hex_digit(char c)
{
    if (sl_is_digit(c))
        return c - '0';
    c = sl_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_unreserved(unsigned char c)
{
    return sl_is_alnum((char)c) || strchr("-._~", c);
}

/*
 * One form for what RFC 9309 (2.2.2) calls equal: unreserved characters plain,
 * bytes outside of ASCII encoded, digits of an encoding in capitals. In a path
 * `*` and `$` are no signs, so they are encoded too. Writes up to 3 * text.len
 * bytes.
 */
static size_t normalise(struct sl_view text, bool path, char *to)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        bool encoded = false;
        if (c == '%' && i + 2 < text.len) {
            int high = hex_digit(text.ptr[i + 1]);
            int low = hex_digit(text.ptr[i + 2]);
            if (high >= 0 && low >= 0) {
                c = (unsigned char)(high * 16 + low);
                encoded = true;
                i += 2;
            }
        }
        if (c != 0 && is_unreserved(c)) {
            to[n++] = (char)c;
        } else if (encoded || c >= 0x80 || c <= ' ' ||
                   (path && (c == '*' || c == '$'))) {
            to[n++] = '%';
            to[n++] = digits[c >> 4];
            to[n++] = digits[c & 15];
        } else {
            to[n++] = (char)c;
        }
    }
    return n;
}

static enum sl_status add_rule(struct reader *reader, struct sl_view value,
                               bool allow)
{
    if (value.len == 0)
        return SL_OK; /* an empty one says nothing */
    char *pattern = sl_arena_alloc(reader->arena, 3 * value.len);
    struct sl_robots_rule *rules =
        sl_arena_grow(reader->arena, reader->rules, sizeof *rules,
                      reader->robots.count, &reader->cap);
    if (!pattern || !rules)
        return SL_ERR_NOMEM;
    reader->rules = rules;
    rules[reader->robots.count++] = (struct sl_robots_rule){
        {pattern, normalise(value, false, pattern)}, allow};
    return SL_OK;
}

/* "shmemlore/1.0" names shmemlore. */
static struct sl_view product_of(struct sl_view value)
{
    size_t n = 0;
    while (n < value.len && (sl_is_alpha(value.ptr[n]) ||
                             value.ptr[n] == '-' || value.ptr[n] == '_'))
        n++;
    return sl_view_sub(value, 0, n);
}

static void read_agent(struct reader *reader, struct sl_view value)
{
    if (!reader->in_names)
        reader->ours = reader->any = false;
    reader->in_names = true;
    if (value.len && value.ptr[0] == '*' &&
        (value.len == 1 || sl_is_space(value.ptr[1])))
        reader->any = true;
    if (!same_word(product_of(value), reader->product))
        return;
    reader->ours = true;
    if (!reader->robots.named) { /* what was read for everybody is not for us */
        reader->robots.named = true;
        reader->robots.count = 0;
        reader->robots.delay = 0;
    }
}

/* Parts of a second are rounded up; the longest of several counts. */
static void read_delay(struct reader *reader, struct sl_view value)
{
    size_t point = sl_view_find(value, SL_LIT("."), 0);
    uint64_t delay;
    if (!sl_view_number(sl_view_sub(value, 0, point == SIZE_MAX ? value.len
                                                                : point),
                        UINT32_MAX, &delay))
        return;
    if (point != SIZE_MAX)
        delay++;
    if (delay > SL_MAX_CRAWL_DELAY_S)
        delay = SL_MAX_CRAWL_DELAY_S;
    if (delay > reader->robots.delay)
        reader->robots.delay = (unsigned)delay;
}

static enum sl_status read_line(struct reader *reader, struct sl_view line)
{
    size_t comment = sl_view_find(line, SL_LIT("#"), 0);
    line = sl_view_sub(line, 0, comment == SIZE_MAX ? line.len : comment);
    size_t colon = sl_view_find(line, SL_LIT(":"), 0);
    if (colon == SIZE_MAX)
        return SL_OK;
    struct sl_view value = sl_view_trim(sl_view_sub(line, colon + 1, line.len));
    enum kind kind = kind_of(sl_view_trim(sl_view_sub(line, 0, colon)));
    if (kind == AGENT) {
        read_agent(reader, value);
        return SL_OK;
    }
    if (kind == ALLOW || kind == DISALLOW) /* others do not end a group's names */
        reader->in_names = false;
    if (!(reader->robots.named ? reader->ours : reader->any))
        return SL_OK;
    if (kind == DELAY)
        read_delay(reader, value);
    if (kind == ALLOW || kind == DISALLOW)
        return add_rule(reader, value, kind == ALLOW);
    return SL_OK;
}

/* Takes a line that ends in LF, CR or both. */
static struct sl_view cut_line(struct sl_view *rest)
{
    size_t n = 0;
    while (n < rest->len && rest->ptr[n] != '\n' && rest->ptr[n] != '\r')
        n++;
    struct sl_view line = sl_view_sub(*rest, 0, n);
    *rest = sl_view_sub(*rest, n < rest->len ? n + 1 : n, rest->len);
    return line;
}

enum sl_status sl_robots_parse(struct sl_arena *arena, struct sl_view text,
                               struct sl_view product,
                               struct sl_robots *robots_out,
                               struct sl_error *error)
{
    struct reader reader = {.arena = arena, .product = product};
    if (text.len > SL_MAX_ROBOTS) { /* not half a line: it could allow more */
        text.len = SL_MAX_ROBOTS;
        while (text.len && text.ptr[text.len - 1] != '\n' &&
               text.ptr[text.len - 1] != '\r')
            text.len--;
    }
    if (sl_view_starts(text, "\xef\xbb\xbf"))
        text = sl_view_sub(text, 3, text.len);
    while (text.len)
        if (read_line(&reader, cut_line(&text)) != SL_OK)
            return sl_error_nomem(error);
    reader.robots.rules = reader.rules;
    *robots_out = reader.robots;
    return SL_OK;
}

/*
 * Each part between stars stands as early as it can, which leaves most for the
 * rest; the last part of a pattern with `$` stands at the end.
 */
static bool fits(struct sl_view pattern, struct sl_view path)
{
    bool anchored = sl_view_ends(pattern, "$");
    if (anchored)
        pattern.len--;
    size_t at = 0;
    bool first = true;
    for (;;) {
        size_t star = sl_view_find(pattern, SL_LIT("*"), 0);
        bool last = star == SIZE_MAX;
        struct sl_view part =
            sl_view_sub(pattern, 0, last ? pattern.len : star);
        if (last && anchored) {
            struct sl_view tail = sl_view_sub(path, at, path.len);
            if (tail.len < part.len || (first && tail.len != part.len))
                return false;
            return sl_view_eq(
                sl_view_sub(tail, tail.len - part.len, tail.len), part);
        }
        size_t found = part.len ? sl_view_find(path, part, at) : at;
        if (found == SIZE_MAX || (first && found != 0))
            return false;
        if (last)
            return true;
        at = found + part.len;
        first = false;
        pattern = sl_view_sub(pattern, star + 1, pattern.len);
    }
}

bool sl_robots_allow(const struct sl_robots *robots, struct sl_view path)
{
    char text[3 * SL_MAX_URL];
    if (path.len > SL_MAX_URL)
        return false;
    path = (struct sl_view){text, normalise(path, true, text)};
    if (sl_view_is(path, "/robots.txt"))
        return true;
    size_t longest = 0;
    bool allow = true;
    for (size_t i = 0; i < robots->count; i++) {
        const struct sl_robots_rule *rule = &robots->rules[i];
        if (rule->pattern.len < longest ||
            (rule->pattern.len == longest && !rule->allow) ||
            !fits(rule->pattern, path))
            continue;
        longest = rule->pattern.len;
        allow = rule->allow;
    }
    return allow;
}
