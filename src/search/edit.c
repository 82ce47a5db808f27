#include "search/edit.h"

#include "base/limits.h"

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned sl_edit_distance(struct sl_view a, struct sl_view b, unsigned max)
{
    size_t gap = a.len > b.len ? a.len - b.len : b.len - a.len;
    if (gap > max || a.len > SL_MAX_TOKEN || b.len > SL_MAX_TOKEN)
        return max + 1;
    unsigned rows[3][SL_MAX_TOKEN + 1]; /* this row and the two before it */
    for (size_t j = 0; j <= b.len; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a.len; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i - 1) % 3];
        const unsigned *before = rows[(i + 1) % 3];
        unsigned best = row[0] = (unsigned)i;
        for (size_t j = 1; j <= b.len; j++) {
            char x = sl_lower(a.ptr[i - 1]);
            char y = sl_lower(b.ptr[j - 1]);
            row[j] = least(least(above[j], row[j - 1]) + 1,
                           above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == sl_lower(b.ptr[j - 2]) &&
                y == sl_lower(a.ptr[i - 2]))
                row[j] = least(row[j], before[j - 2] + 1);
            best = least(best, row[j]);
        }
        if (best > max)
            return max + 1;
    }
    unsigned distance = rows[a.len % 3][b.len];
    return distance > max ? max + 1 : distance;
}
