#include "api/near.h"

#include "base/limits.h"
#include "search/edit.h"

#define MAX_EDITS 3u

struct ranked {
    struct sl_near near;
    size_t far;
};

/* Whether each of the name's words is one of the other's, in any order. */
static bool has_words(struct sl_view other, struct sl_view name)
{
    struct sl_view word, rest, part;
    size_t words = 0;
    while (sl_view_cut(&name, '_', &word)) {
        bool found = !word.len;
        for (rest = other; !found && sl_view_cut(&rest, '_', &part);)
            found = sl_view_eq(word, part);
        if (!found)
            return false;
        words += word.len > 0;
    }
    return words >= 2;
}

static size_t count_words(struct sl_view name)
{
    struct sl_view word;
    size_t n = 0;
    while (sl_view_cut(&name, '_', &word))
        n += word.len > 0;
    return n;
}

static size_t edits_between(struct sl_view wanted, struct sl_view name)
{
    unsigned edits = sl_edit_distance(wanted, name, MAX_EDITS);
    return edits <= MAX_EDITS && edits * 4 <= wanted.len ? edits * 2 : SIZE_MAX;
}

/* Small is near; SIZE_MAX: not near. A letter counts 2, so does a word too many. */
static size_t distance(struct sl_view wanted, struct sl_view name,
                       struct sl_view family)
{
    size_t far = edits_between(wanted, name);
    if (far == SIZE_MAX && !sl_view_eq(name, family))
        far = edits_between(wanted, family);
    size_t words = count_words(family);
    if (has_words(family, wanted)) {
        size_t more = 1 + 2 * (words - count_words(wanted));
        if (more < far)
            far = more;
    }
    return far;
}

/* Keeps list sorted; of one family the nearest stays. */
static void insert(struct ranked *list, size_t *count, size_t max,
                   const struct ranked *one)
{
    size_t at = 0, end = *count;
    for (size_t i = 0; i < *count; i++) {
        if (!sl_view_eq(list[i].near.family, one->near.family))
            continue;
        if (list[i].far <= one->far)
            return;
        end = i; /* this one goes */
        break;
    }
    while (at < end && list[at].far <= one->far)
        at++;
    if (end == *count && *count < max)
        (*count)++;
    else if (end == *count)
        end--;
    if (at > end)
        return;
    for (size_t i = end; i > at; i--)
        list[i] = list[i - 1];
    list[at] = *one;
}

enum sl_status sl_symbols_near(struct sl_arena *arena, struct sl_view symbols,
                               struct sl_view name, size_t max,
                               struct sl_near **near_out, size_t *count_out,
                               struct sl_error *error)
{
    struct ranked *list = sl_arena_alloc(arena, (max + 1) * sizeof *list);
    struct sl_near *near = sl_arena_alloc(arena, (max + 1) * sizeof *near);
    if (!list || !near)
        return sl_error_nomem(error);
    size_t count = 0;
    struct sl_view line, field;
    (void)sl_view_line(&symbols, &line); /* the columns' names */
    while (max && sl_view_line(&symbols, &line)) {
        struct ranked one = {.far = SIZE_MAX};
        if (!sl_view_cut(&line, '\t', &field))
            continue;
        one.near.name = field;
        if (!sl_view_cut(&line, '\t', &field))
            continue;
        one.near.family = field;
        one.far = distance(name, one.near.name, one.near.family);
        if (one.far == SIZE_MAX)
            continue;
        /* what is public was meant, rather */
        one.far += sl_view_find(line, SL_LIT("internal"), 0) != SIZE_MAX;
        insert(list, &count, max, &one);
    }
    size_t kept = 0;
    while (kept < count && list[kept].far <= 2 * list[0].far + 1) {
        near[kept] = list[kept].near;
        kept++;
    }
    *near_out = near;
    *count_out = kept;
    return SL_OK;
}
