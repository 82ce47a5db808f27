/* The verdict about a run of lines, from what is known of each. */
#include "base/limits.h"
#include "drift/drift.h"
#include "text/hash.h"

const char *sl_drift_verdict_name(enum sl_drift_verdict verdict)
{
    static const char *const names[SL_DRIFT_VERDICTS] = {
        [SL_DRIFT_SAME] = "same",           [SL_DRIFT_MOVED] = "moved",
        [SL_DRIFT_CHANGED] = "changed",     [SL_DRIFT_AMBIGUOUS] = "ambiguous",
        [SL_DRIFT_GONE] = "gone",
    };
    return names[verdict];
}

/* The lines [begin, end) of then. */
struct span {
    const struct sl_drift *d;
    size_t begin, end;
};

/* Where those of them are that surely stand somewhere. */
struct kept {
    unsigned count;
    const struct sl_manifest_file *file; /* of the first of them */
    size_t low, high; /* in now, of those in that file */
    bool scattered;   /* in several files */
};

static struct kept keep(const struct span *s)
{
    const struct sl_drift *d = s->d;
    struct kept kept = {.count = 0};
    for (size_t a = s->begin; a < s->end; a++) {
        if (d->state[a] != SL_LINE_SURE)
            continue;
        size_t to = d->to[a];
        const struct sl_manifest_file *file = sl_manifest_file_at(d->now, to);
        if (!kept.count++) {
            kept.file = file;
            kept.low = kept.high = to;
        } else if (file != kept.file) {
            kept.scattered = true;
        } else if (to < kept.low) {
            kept.low = to;
        } else if (to > kept.high) {
            kept.high = to;
        }
    }
    return kept;
}

/*
 * Whether all of the span stands at `to`, in one file, and no other line of then
 * surely has one of these places, nor one of the span another place.
 */
static bool stands(const struct span *s, size_t to)
{
    const struct sl_drift *d = s->d;
    const struct sl_manifest_file *file = sl_manifest_file_at(d->now, to);
    if (to + (s->end - s->begin) > file->first + file->count)
        return false;
    for (size_t i = 0; i < s->end - s->begin; i++) {
        size_t a = s->begin + i, b = to + i;
        if (d->then->hashes[a] != d->now->hashes[b] ||
            (d->from[b] != SL_DRIFT_NOWHERE && d->from[b] != a) ||
            (d->state[a] == SL_LINE_SURE && d->to[a] != b))
            return false;
    }
    return true;
}

/*
 * Whether the same lines stand at `to`, and most of them surely: a blank one at an
 * edge may have been given to a twin without any harm to the whole.
 */
static bool stands_mostly(const struct span *s, size_t to)
{
    const struct sl_drift *d = s->d;
    uint64_t blank = sl_line_hash(SL_LIT(""));
    const struct sl_manifest_file *file = sl_manifest_file_at(d->now, to);
    size_t sure = 0, lines = s->end - s->begin;
    if (to + lines > file->first + file->count)
        return false;
    for (size_t i = 0; i < lines; i++) {
        size_t a = s->begin + i;
        uint64_t hash = d->then->hashes[a];
        bool here = d->state[a] == SL_LINE_SURE && d->to[a] == to + i;
        bool other = (d->state[a] == SL_LINE_SURE && !here) ||
                     (d->from[to + i] != SL_DRIFT_NOWHERE && !here);
        if (hash != d->now->hashes[to + i] || (other && hash != blank))
            return false;
        sure += here;
    }
    return 2 * sure > lines;
}

/* The place of the span that most of its sure lines point at. */
static bool find_whole(const struct span *s, size_t *to_out)
{
    const struct sl_drift *d = s->d;
    for (size_t a = s->begin; a < s->end; a++) {
        size_t offset = a - s->begin, to = d->to[a];
        if (d->state[a] != SL_LINE_SURE)
            continue;
        if (to < sl_manifest_file_at(d->now, to)->first + offset ||
            !(stands(s, to - offset) || stands_mostly(s, to - offset)))
            continue;
        *to_out = to - offset;
        return true;
    }
    return false;
}

static void point(struct sl_drift_region *region,
                  const struct sl_manifest_file *file, size_t low, size_t high)
{
    region->path = file->path;
    region->first = (unsigned)(low - file->first) + 1;
    region->last = (unsigned)(high - file->first) + 1;
}

/* The first place of a hash in now, and how many there are. */
static size_t places_of(const struct sl_drift *d, uint64_t hash,
                        size_t *count_out)
{
    const struct sl_manifest *now = d->now;
    size_t bounds[2];
    for (int upper = 0; upper < 2; upper++) {
        size_t low = 0, high = now->line_count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            uint64_t here = now->places[middle].hash;
            if (here < hash || (upper && here == hash))
                low = middle + 1;
            else
                high = middle;
        }
        bounds[upper] = low;
    }
    *count_out = bounds[1] - bounds[0];
    return bounds[0];
}

/* The file that the span's became; NULL: none did. */
static const struct sl_manifest_file *home_of(const struct span *s)
{
    const struct sl_drift *d = s->d;
    uint32_t became =
        d->became[sl_manifest_file_at(d->then, s->begin) - d->then->files];
    return became == SL_DRIFT_NOWHERE ? NULL : &d->now->files[became];
}

/*
 * Every place where all of the span stands. Told is the one that its first
 * doubtful line points at, or else the first in the file that theirs became, or
 * else the first. A line that stands in too many places cannot be followed to all:
 * then some are told.
 */
static unsigned find_places(const struct span *s, size_t *likely_out)
{
    const struct sl_manifest_file *home = home_of(s);
    bool at_home = false;
    size_t begin = 0, count = SIZE_MAX, offset = 0;
    for (size_t a = s->begin; a < s->end; a++) {
        size_t n;
        size_t first = places_of(s->d, s->d->then->hashes[a], &n);
        if (n < count) {
            begin = first;
            count = n;
            offset = a - s->begin;
        }
    }
    if (count > SL_MAX_CANDIDATES)
        count = SL_MAX_CANDIDATES;
    unsigned found = 0;
    size_t wanted = s->d->to[s->begin];
    for (size_t i = begin; i < begin + count; i++) {
        size_t at = s->d->now->places[i].at;
        if (at < offset || !stands(s, at - offset))
            continue;
        bool first_there = home && !at_home && at >= home->first &&
                           at < home->first + home->count;
        if (!found++ || at - offset == wanted || first_there)
            *likely_out = at - offset;
        at_home = at_home || first_there || at - offset == wanted;
    }
    return found;
}

/* None of the lines surely stands anywhere. */
static void judge_lost(const struct span *s,
                       const struct sl_manifest_file *file,
                       struct sl_drift_region *region)
{
    const struct sl_drift *d = s->d;
    uint32_t became = d->became[file - d->then->files];
    size_t likely = 0;
    region->places = find_places(s, &likely);
    if (region->places) {
        region->verdict = SL_DRIFT_AMBIGUOUS;
        point(region, sl_manifest_file_at(d->now, likely), likely,
              likely + region->lines - 1);
        return;
    }
    if (became != SL_DRIFT_NOWHERE)
        region->path = d->now->files[became].path;
    region->verdict = became == SL_DRIFT_NOWHERE &&
                              !sl_manifest_find(d->now, file->path)
                          ? SL_DRIFT_GONE
                          : SL_DRIFT_CHANGED;
}

void sl_drift_region(const struct sl_drift *drift,
                     const struct sl_manifest_file *file, unsigned first,
                     unsigned last, struct sl_drift_region *region_out)
{
    struct span s = {drift, file->first + first - 1, file->first + last};
    struct sl_drift_region region = {.path = file->path,
                                     .lines = last - first + 1};
    struct kept kept = keep(&s);
    region.kept = kept.count;
    size_t to;
    if (!kept.count) {
        judge_lost(&s, file, &region);
    } else if (find_whole(&s, &to)) {
        point(&region, sl_manifest_file_at(drift->now, to), to,
              to + region.lines - 1);
        region.verdict = sl_view_eq(region.path, file->path) &&
                                 region.first == first
                             ? SL_DRIFT_SAME
                             : SL_DRIFT_MOVED;
    } else {
        region.verdict = SL_DRIFT_CHANGED;
        if (!kept.scattered)
            point(&region, kept.file, kept.low, kept.high);
    }
    *region_out = region;
}
