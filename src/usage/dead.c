/*
 * Lines that no compiler sees: behind #if 0, in the #else of #if 1. Read from
 * the directives, not from the tree: after a syntax error a tree may put the
 * rest of a file into the #if that stands before it.
 */
#include "base/limits.h"
#include "usage/inside.h"

enum state { LIVE, DEAD, DEAD_FOR_GOOD }; /* the last: a branch was taken */

struct branches {
    enum state states[SL_MAX_IF_DEPTH];
    size_t depth;
    size_t dead; /* how many of the states are not LIVE */
    size_t begin; /* where the current dead range begins */
};

/* The directive of a line (`if`, `else`) and what follows it. */
static bool directive(struct sl_view line, struct sl_view *word_out,
                      struct sl_view *rest_out)
{
    line = sl_view_trim(line);
    if (!sl_view_starts(line, "#"))
        return false;
    line = sl_view_trim(sl_view_sub(line, 1, line.len));
    size_t end = 0;
    while (end < line.len && sl_is_lower(line.ptr[end]))
        end++;
    *word_out = sl_view_sub(line, 0, end);
    struct sl_view rest = sl_view_trim(sl_view_sub(line, end, line.len));
    size_t comment = sl_view_find(rest, SL_LIT("/"), 0);
    *rest_out = comment == SIZE_MAX
                    ? rest
                    : sl_view_trim(sl_view_sub(rest, 0, comment));
    return true;
}

static bool is_false(struct sl_view condition)
{
    return sl_view_is(condition, "0") || sl_view_is(condition, "(0)");
}

static bool is_true(struct sl_view condition)
{
    return sl_view_is(condition, "1") || sl_view_is(condition, "(1)");
}

/* The state after #else or #elif, given that before it. */
static enum state next_state(enum state state, bool taken,
                             struct sl_view condition, bool is_else)
{
    if (taken || state == DEAD_FOR_GOOD)
        return DEAD_FOR_GOOD;
    return !is_else && is_false(condition) ? DEAD : LIVE;
}

static enum sl_status set(struct sl_reading *reading, struct branches *b,
                          size_t index, enum state state, size_t at,
                          struct sl_error *error)
{
    bool was = b->dead > 0;
    b->dead -= b->states[index] != LIVE;
    b->states[index] = state;
    b->dead += state != LIVE;
    if (!was && b->dead)
        b->begin = at;
    if (!was || b->dead)
        return SL_OK;
    reading->dead = sl_arena_grow(reading->arena, reading->dead,
                                  sizeof *reading->dead, reading->dead_count,
                                  &reading->dead_cap);
    if (!reading->dead)
        return sl_error_nomem(error);
    reading->dead[reading->dead_count++] = (struct sl_range){b->begin, at};
    return SL_OK;
}

enum sl_status sl_find_dead(struct sl_reading *reading, struct sl_error *error)
{
    struct branches b = {.depth = 0};
    bool sure[SL_MAX_IF_DEPTH] = {false}; /* the branch is taken: #if 1 */
    struct sl_view rest = reading->text, line, word, condition;
    enum sl_status status = SL_OK;
    while (!status && sl_view_line(&rest, &line)) {
        size_t at = (size_t)(line.ptr - reading->text.ptr);
        if (!directive(line, &word, &condition))
            continue;
        if (sl_view_starts(word, "if")) {
            if (b.depth == SL_MAX_IF_DEPTH)
                return SL_OK; /* nobody writes this; all is taken as live */
            bool plain = sl_view_is(word, "if");
            sure[b.depth] = plain && is_true(condition);
            b.states[b.depth] = LIVE;
            status = set(reading, &b, b.depth++,
                         plain && is_false(condition) ? DEAD : LIVE, at,
                         error);
        } else if (b.depth && sl_view_starts(word, "el")) {
            size_t top = b.depth - 1;
            bool is_else = sl_view_is(word, "else");
            status = set(reading, &b, top,
                         next_state(b.states[top], sure[top], condition,
                                    is_else),
                         at, error);
            sure[top] |= !is_else && is_true(condition);
        } else if (b.depth && sl_view_is(word, "endif")) {
            status = set(reading, &b, b.depth - 1, LIVE, at, error);
            b.depth--;
        }
    }
    return status;
}

bool sl_is_dead(const struct sl_reading *reading, size_t offset)
{
    size_t low = 0, high = reading->dead_count;
    while (low < high) { /* the ranges are in the order of the text */
        size_t middle = low + (high - low) / 2;
        if (reading->dead[middle].end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < reading->dead_count && reading->dead[low].begin <= offset;
}
