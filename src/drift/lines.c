/* Lines as numbers, what each is worth, and how it hangs on its neighbours. */
#include <stdlib.h>

#include "drift/internal.h"
#include "text/hash.h"

#define LEAST_LINES 4096
#define MOST_FRAME_BITS 5 /* of a line that is not plain */

#define WEAK_BLANK 3  /* below a blank line */
#define TO_BLANK 6    /* above one */
#define WEAK_CLOSER 3 /* below a closer: it belongs to what is above it */
#define WEAK_OPENER 5 /* above an opener */

static unsigned bits_of(size_t n)
{
    unsigned bits = 0;
    while (n >>= 1)
        bits++;
    return bits;
}

/* Walks both indexes, which are ordered by hash, side by side. */
static void number(struct drift *d)
{
    const struct sl_manifest *a = d->then.manifest;
    const struct sl_manifest *b = d->now.manifest;
    size_t i = 0, j = 0;
    uint32_t id = 0;
    while (i < a->line_count || j < b->line_count) {
        uint64_t hash = i < a->line_count ? a->places[i].hash
                                          : b->places[j].hash;
        if (j < b->line_count && b->places[j].hash < hash)
            hash = b->places[j].hash;
        for (; i < a->line_count && a->places[i].hash == hash; i++) {
            d->then.ids[a->places[i].at] = id;
            d->then.counts[id]++;
        }
        for (; j < b->line_count && b->places[j].hash == hash; j++) {
            d->now.ids[b->places[j].at] = id;
            d->now.counts[id]++;
        }
        id++;
    }
    d->id_count = id;
}

/* A line that is unique in a small tree need not be so in the language. */
static void weigh(struct drift *d)
{
    size_t all = d->then.manifest->line_count + d->now.manifest->line_count;
    if (all < LEAST_LINES)
        all = LEAST_LINES;
    for (size_t id = 0; id < d->id_count; id++) {
        unsigned bits =
            bits_of(2 * all / (d->then.counts[id] + d->now.counts[id]));
        if (d->kinds[id] != KIND_PLAIN && bits > MOST_FRAME_BITS)
            bits = MOST_FRAME_BITS;
        d->weights[id] = (unsigned char)bits;
    }
}

static const char *const closers[] = {
    "}", "};", "})", "});", "},", "})", "*/", "#endif", "break;", "continue;",
    "return;", "return 0;", "return status;", "return true;", "return false;",
    ")", ");", "} \\", "}; \\", "}) \\", "} while (0)", "} while (0);",
    "} while (0) \\", "} while (0); \\", "break; \\", "#endif \\", "]", "],",
    "} // namespace", "return rc;", "return ret;",
};
static const char *const openers[] = {
    "/*", "/**", "{", "do {", "do { \\", "{ \\", "public:", "private:",
    "extern \"C\" {", "#ifdef __cplusplus", "namespace {", "try {", "template",
};

static void mark(struct drift *d, const struct sl_manifest *m,
                 const struct side *side, const char *text, enum kind kind)
{
    uint64_t hash = sl_line_hash(sl_view_of(text));
    size_t place = first_place(m, hash);
    if (place < m->line_count && m->places[place].hash == hash)
        d->kinds[side->ids[m->places[place].at]] = (unsigned char)kind;
}

static void mark_all(struct drift *d, const char *const *texts, size_t count,
                     enum kind kind)
{
    for (size_t i = 0; i < count; i++) {
        mark(d, d->then.manifest, &d->then, texts[i], kind);
        mark(d, d->now.manifest, &d->now, texts[i], kind);
    }
}

static bool side_alloc(struct sl_arena *arena, struct side *side, size_t ids)
{
    side->ids = sl_arena_alloc(arena, (side->manifest->line_count + 1) *
                                          sizeof *side->ids);
    side->counts = sl_arena_alloc(arena, ids * sizeof *side->counts);
    side->seen = sl_arena_alloc(arena, ids * sizeof *side->seen);
    side->at = sl_arena_alloc(arena, ids * sizeof *side->at);
    return side->ids && side->counts && side->seen && side->at;
}

enum sl_status number_lines(struct drift *d, struct sl_error *error)
{
    size_t most = d->then.manifest->line_count +
                  d->now.manifest->line_count + 1;
    d->weights = sl_arena_alloc(d->arena, most);
    d->kinds = sl_arena_alloc(d->arena, most);
    if (!d->weights || !d->kinds || !side_alloc(d->arena, &d->then, most) ||
        !side_alloc(d->arena, &d->now, most))
        return sl_error_nomem(error);
    number(d);
    static const char *const blanks[] = {"", "\\"};
    mark_all(d, blanks, sizeof blanks / sizeof *blanks, KIND_BLANK);
    mark_all(d, closers, sizeof closers / sizeof *closers, KIND_CLOSER);
    mark_all(d, openers, sizeof openers / sizeof *openers, KIND_OPENER);
    weigh(d);
    return SL_OK;
}

int bond_of(const struct drift *d, size_t line)
{
    enum kind above = d->kinds[d->then.ids[line - 1]];
    enum kind here = d->kinds[d->then.ids[line]];
    if (above == KIND_BLANK)
        return WEAK_BLANK;
    if (here == KIND_CLOSER)
        return BOND;
    if (above == KIND_CLOSER)
        return WEAK_CLOSER;
    if (here == KIND_BLANK)
        return TO_BLANK;
    return here == KIND_OPENER ? WEAK_OPENER : BOND;
}
