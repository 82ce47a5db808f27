/*
 * A range between two lines that surely belong together: every alignment of it
 * is weighed, and a line counts as found only when all that come near the best
 * one agree about it.
 */
#include <stdlib.h>

#include "base/limits.h"
#include "drift/internal.h"

#define NONE (-1000000)

/*
 * What the best alignment must be ahead of the best one in which the line is not
 * matched at all, and of the best one in which it is matched elsewhere.
 */
#define AHEAD_OF_LOST 9
#define AHEAD_OF_LOST_BLANK 6 /* a blank line is its one neighbour's */
#define AHEAD_OF_OTHER 4
/* In place of a bond, where one or two lines in between were replaced. */
#define REPLACED 5
#define FAR 2 /* how many may be */

struct gap {
    struct drift *d;
    const struct range *r;
    size_t n, m;
    size_t width;  /* m + 2 */
    int first, last; /* bonds with what surrounds the range */
    int *mf, *sf; /* best up to (i, j): matched there; any */
    int *mb, *sb; /* best from (i, j) on */
};

void set_sure(struct drift *d, size_t then, size_t now)
{
    d->to[then] = (uint32_t)now;
    d->from[now] = (uint32_t)then;
    d->state[then] = SL_LINE_SURE;
}

static int max_of(int a, int b)
{
    return a > b ? a : b;
}

/* Lines of a range count from 1; 0 and n + 1 are what surrounds it. */
static bool equal(const struct gap *g, size_t i, size_t j)
{
    size_t a = g->r->a0 + i - 1, b = g->r->b0 + j - 1;
    return g->d->then.ids[a] == g->d->now.ids[b] &&
           g->d->from[b] == SL_DRIFT_NOWHERE &&
           g->d->state[a] != SL_LINE_SURE;
}

static int weight(const struct gap *g, size_t i)
{
    return g->d->weights[g->d->then.ids[g->r->a0 + i - 1]];
}

static int bond(const struct gap *g, size_t i) /* with i - 1 */
{
    if (i == 1)
        return g->first;
    return i > g->n ? g->last : bond_of(g->d, g->r->a0 + i - 1);
}

/* The best that leads to a match at (i, j) from one on the same diagonal. */
static int from_above(const struct gap *g, size_t i, size_t j)
{
    const int *m = g->mf + (i - 1) * g->width + j - 1;
    int best = *m + bond(g, i);
    for (size_t k = 1; k <= FAR && i > k && j > k; k++)
        best = max_of(best, *(m - k * (g->width + 1)) + REPLACED);
    return best;
}

static int from_below(const struct gap *g, size_t i, size_t j)
{
    const int *m = g->mb + (i + 1) * g->width + j + 1;
    int best = *m + bond(g, i + 1);
    for (size_t k = 1; k <= FAR && i + k <= g->n && j + k <= g->m; k++)
        best = max_of(best, *(m + k * (g->width + 1)) + REPLACED);
    return best;
}

static void forward(const struct gap *g)
{
    for (size_t i = 0; i <= g->n; i++) {
        int *m = g->mf + i * g->width;
        int *s = g->sf + i * g->width;
        const int *sa = s - g->width;
        for (size_t j = 0; j <= g->m; j++) {
            if (i == 0 || j == 0) {
                m[j] = i == 0 && j == 0 ? 0 : NONE;
                s[j] = 0;
                continue;
            }
            m[j] = NONE;
            if (equal(g, i, j))
                m[j] = weight(g, i) +
                       max_of(sa[j - 1], from_above(g, i, j));
            s[j] = max_of(m[j], max_of(sa[j], s[j - 1]));
        }
    }
}

static void backward(const struct gap *g)
{
    for (size_t i = g->n + 1; i >= 1; i--) {
        int *m = g->mb + i * g->width;
        int *s = g->sb + i * g->width;
        const int *su = s + g->width;
        for (size_t j = g->m + 1; j >= 1; j--) {
            if (i == g->n + 1 || j == g->m + 1) {
                m[j] = i == g->n + 1 && j == g->m + 1 ? 0 : NONE;
                s[j] = 0;
                continue;
            }
            m[j] = NONE;
            if (equal(g, i, j))
                m[j] = weight(g, i) +
                       max_of(su[j + 1], from_below(g, i, j));
            s[j] = max_of(m[j], max_of(su[j], s[j + 1]));
        }
    }
}

/* The best in which line i is one of `far` that were replaced together. */
static int replaced(const struct gap *g, size_t i, size_t far)
{
    int best = 0;
    for (size_t up = 1; up <= far && up <= i; up++) {
        size_t down = far + 1 - up;
        if (i + down > g->n + 1)
            continue;
        const int *above = g->mf + (i - up) * g->width;
        const int *below = g->mb + (i + down) * g->width;
        for (size_t j = 0; j + far <= g->m; j++)
            if (!equal(g, i, j + up))
                best = max_of(best, above[j] + below[j + far + 1] + REPLACED);
    }
    return best;
}

/* The best alignment without line i. */
static int without(const struct gap *g, size_t i)
{
    const int *before = g->sf + (i - 1) * g->width;
    const int *after = g->sb + (i + 1) * g->width;
    int best = 0;
    for (size_t j = 0; j <= g->m; j++)
        best = max_of(best, before[j] + after[j + 1]);
    for (size_t far = 1; far <= FAR; far++)
        best = max_of(best, replaced(g, i, far));
    return best;
}

static void judge(const struct gap *g, size_t i)
{
    int best = NONE, second = NONE;
    size_t place = 0;
    for (size_t j = 1; j <= g->m; j++) {
        int here = g->mf[i * g->width + j];
        if (here < 0)
            continue;
        here += g->mb[i * g->width + j] - weight(g, i);
        if (here > best) {
            second = best;
            best = here;
            place = j;
        } else {
            second = max_of(second, here);
        }
    }
    size_t a = g->r->a0 + i - 1;
    int lost = without(g, i);
    if (!place || best + AHEAD_OF_OTHER <= lost)
        return;
    int ahead = g->d->kinds[g->d->then.ids[a]] == KIND_BLANK
                    ? AHEAD_OF_LOST_BLANK
                    : AHEAD_OF_LOST;
    if (best - lost >= ahead && best - second >= AHEAD_OF_OTHER) {
        set_sure(g->d, a, g->r->b0 + place - 1);
    } else {
        g->d->state[a] = SL_LINE_UNSURE;
        g->d->to[a] = (uint32_t)(g->r->b0 + place - 1);
    }
}

static enum sl_status make_room(struct gap_work *work, size_t cells,
                                struct sl_error *error)
{
    if (cells <= work->room)
        return SL_OK;
    int *bigger = realloc(work->cells, cells * sizeof *bigger);
    if (!bigger)
        return sl_error_nomem(error);
    work->cells = bigger;
    work->room = cells;
    return SL_OK;
}

enum sl_status solve_gap(struct drift *d, const struct range *r,
                         struct sl_error *error)
{
    struct gap g = {.d = d, .r = r, .n = r->a1 - r->a0, .m = r->b1 - r->b0};
    if (g.n == 0 || g.m == 0)
        return SL_OK;
    g.width = g.m + 2;
    size_t plane = (g.n + 2) * g.width;
    enum sl_status status = make_room(d->work, 4 * plane, error);
    if (status)
        return status;
    g.mf = d->work->cells;
    g.sf = g.mf + plane;
    g.mb = g.sf + plane;
    g.sb = g.mb + plane;
    g.first = r->at_start ? BOND : bond_of(d, r->a0);
    g.last = r->at_end ? BOND : bond_of(d, r->a1);
    forward(&g);
    backward(&g);
    /* one after the other: what is sure of one line does not change the next */
    for (size_t i = 1; i <= g.n; i++)
        judge(&g, i);
    return SL_OK;
}
