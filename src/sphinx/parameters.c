/* The parameters of a signature, from the words of its token. */
#include <string.h>

#include "sphinx/stream.h"

struct parameters {
    const struct sl_view *names;
    size_t name_count;
    size_t count;
    size_t matched;
    struct sl_view last; /* word that may be the name */
    bool named;          /* nothing behind it counts: a default, an array */
    bool any;            /* a word at all */
    long depth;          /* of brackets */
    long start;  /* depth inside of the parameters' parentheses; 0: not yet */
    long angles; /* of a template's arguments */
    struct sl_view before;
};

static void end_parameter(struct parameters *p)
{
    if (!p->any)
        return;
    if (p->count < p->name_count && sl_view_eq(p->names[p->count], p->last))
        p->matched++;
    p->count++;
    p->any = p->named = false;
    p->last = (struct sl_view){"", 0};
}

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c) != NULL;
}

/* Whether the group that begins behind this word is that of the parameters. */
static bool begins_group(struct sl_view before)
{
    static const char *const no[] = {"__launch_bounds__", "__attribute__",
                                     "alignas", "decltype", "__align__"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (sl_view_is(before, no[i]))
            return false;
    return before.len && before.ptr[0] != '(';
}

/* Brackets; false: the parameters have ended. */
static bool read_bracket(struct parameters *p, char c)
{
    if (c == '(' && !p->start && !p->angles && begins_group(p->before))
        p->start = p->depth + 1;
    else if (is_one_of(c, ")]}") && p->start && p->depth == p->start)
        return false;
    p->depth += is_one_of(c, "([{");
    p->depth -= is_one_of(c, ")]}") && p->depth;
    p->angles += c == '<';
    p->angles -= c == '>' && p->angles && !sl_view_is(p->before, "-");
    return true;
}

/* A word of the parameters: is it the name? */
static void read_word(struct parameters *p, struct sl_view word)
{
    char c = word.ptr[0];
    if (c == ',' && p->depth == p->start && !p->angles) {
        end_parameter(p);
        return;
    }
    p->any = true;
    p->named = p->named || c == '=' || c == '[';
    if (p->named)
        return;
    if (p->depth > p->start) { /* (*name)(...) has its name in there */
        p->named = p->depth == p->start + 1 && sl_view_is(p->before, "*");
        if (p->named)
            p->last = word;
        return;
    }
    if (sl_is_word(c) || (c & 0x80))
        p->last = word;
    else if (c == '.')
        p->last = SL_LIT("...");
}

static void read_parameters(struct sl_view text, struct parameters *p)
{
    struct sl_view word;
    while (sl_view_cut(&text, ' ', &word)) {
        if (!word.len)
            continue;
        long before = p->start;
        if (!read_bracket(p, word.ptr[0]))
            break;
        if (before)
            read_word(p, word);
        p->before = word;
    }
    if (p->count || !sl_view_is(p->last, "void"))
        end_parameter(p);
}

size_t sl_sphinx_count_parameters(struct sl_view signature)
{
    struct parameters p = {.names = NULL};
    read_parameters(signature, &p);
    return p.count;
}

bool sl_sphinx_are_parameters(struct sl_view signature,
                              const struct sl_view *names, size_t count)
{
    struct parameters p = {.names = names, .name_count = count};
    read_parameters(signature, &p);
    return p.count == count && p.matched == count;
}
