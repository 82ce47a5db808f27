#include "cite/check.h"

#include "base/limits.h"

/*
 * How many of the neighbour lines must fit for lines that still stand where
 * they were cited to be taken for the same ones without a look elsewhere (and
 * for one place of several to be theirs), and for another place to be preferred
 * to that where they were cited.
 */
#define NEIGHBOURS_KEPT 2u
#define NEIGHBOURS_BETTER 3u

const char *sl_grade_name(enum sl_grade grade)
{
    static const char *const names[SL_GRADES] = {
        [SL_GRADE_OK] = "ok",
        [SL_GRADE_MOVED] = "moved",
        [SL_GRADE_CHANGED] = "changed",
        [SL_GRADE_AMBIGUOUS] = "ambiguous",
        [SL_GRADE_GONE] = "gone",
        [SL_GRADE_UNLOCKED] = "unlocked",
        [SL_GRADE_PATH] = "path",
        [SL_GRADE_LINE] = "line",
        [SL_GRADE_FORM] = "form",
        [SL_GRADE_UNCHECKED] = "unchecked",
    };
    return names[grade];
}

/* What is looked for, and what of it was found in one part of the source. */
struct search {
    const struct sl_manifest *manifest;
    const struct sl_lock_entry *entry;
    size_t lines; /* how many are cited */
    size_t then;  /* index of the place that is cited, there or not */
};

struct found {
    size_t count;  /* places */
    size_t at;     /* the best one */
    unsigned fits; /* its neighbours that fit */
    bool tie;      /* another is as good */
};

/* Whether the cited lines stand in file from index `at` on. */
static bool stands(const struct search *s, const struct sl_manifest_file *file,
                   size_t at)
{
    if (at < file->first || at + s->lines > file->first + file->count)
        return false;
    for (size_t i = 0; i < s->lines; i++)
        if (s->manifest->hashes[at + i] != s->entry->lines[i])
            return false;
    return true;
}

/* A neighbour that neither side has (an end of the file) fits too. */
static unsigned neighbours(const struct search *s,
                           const struct sl_manifest_file *file, size_t at)
{
    const uint64_t *here = s->manifest->hashes + at;
    const uint64_t *then = s->entry->lines;
    size_t above = at - file->first;
    size_t below = file->first + file->count - (at + s->lines);
    unsigned fits = 0;
    for (size_t i = 1; i <= SL_NEIGHBOURS; i++) {
        bool had = i <= s->entry->before;
        bool has = i <= above;
        fits += had == has && (!had || here[-(ptrdiff_t)i] ==
                                           then[-(ptrdiff_t)i]);
        had = i <= s->entry->after;
        has = i <= below;
        fits += had == has && (!had || here[s->lines + i - 1] ==
                                           then[s->lines + i - 1]);
    }
    return fits;
}

/* The places of one hash: [*begin_out, *end_out) of manifest->places. */
static void equal_range(const struct sl_manifest *manifest, uint64_t hash,
                        size_t *begin_out, size_t *end_out)
{
    size_t bounds[2];
    for (int upper = 0; upper < 2; upper++) {
        size_t low = 0;
        size_t high = manifest->places ? manifest->line_count : 0;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            uint64_t here = manifest->places[middle].hash;
            if (here < hash || (upper && here == hash))
                low = middle + 1;
            else
                high = middle;
        }
        bounds[upper] = low;
    }
    *begin_out = bounds[0];
    *end_out = bounds[1];
}

static size_t distance(size_t a, size_t b)
{
    return a < b ? b - a : a - b;
}

/* Of places that are as good the one nearest to the old place is told. */
static void note(const struct search *s, struct found *found, size_t at,
                 unsigned fits)
{
    bool better = found->count == 0 || fits > found->fits;
    bool equal = !better && fits == found->fits;
    if (better || (equal && distance(at, s->then) <
                                distance(found->at, s->then))) {
        found->at = at;
        found->fits = fits;
    }
    found->tie = !better && (equal || found->tie);
    found->count++;
}

/*
 * Every place of the cited lines, apart for `home` (NULL: no such file) and
 * the other files; the place at index `cited` is left out. Probes with the line
 * that is rarest in the source. False: even that one is too common to tell.
 */
static bool find_places(const struct search *s,
                        const struct sl_manifest_file *home, size_t cited,
                        struct found *at_home, struct found *abroad)
{
    size_t begin = 0, end = 0, offset = 0;
    for (size_t i = 0; i < s->lines; i++) {
        size_t b, e;
        equal_range(s->manifest, s->entry->lines[i], &b, &e);
        if (i == 0 || e - b < end - begin) {
            begin = b;
            end = e;
            offset = i;
        }
    }
    if (end - begin > SL_MAX_CANDIDATES)
        return false;
    for (size_t i = begin; i < end; i++) {
        size_t at = s->manifest->places[i].at;
        const struct sl_manifest_file *file =
            sl_manifest_file_at(s->manifest, at);
        if (at < offset || at - offset == cited ||
            !stands(s, file, at - offset))
            continue;
        note(s, file == home ? at_home : abroad, at - offset,
             neighbours(s, file, at - offset));
    }
    return true;
}

static struct sl_graded graded_at(const struct search *s, enum sl_grade grade,
                                  const struct found *found)
{
    const struct sl_manifest_file *file =
        sl_manifest_file_at(s->manifest, found->at);
    unsigned first = (unsigned)(found->at - file->first) + 1;
    return (struct sl_graded){
        .grade = grade,
        .path = file->path,
        .first = first,
        .last = first + (unsigned)s->lines - 1,
        .places = found->count,
        .neighbours = found->fits,
    };
}

/* The lines are not where they were cited, or hardly. */
static struct sl_graded search_lines(const struct search *s,
                                     const struct sl_manifest_file *home,
                                     size_t cited)
{
    struct found at_home = {0}, abroad = {0};
    bool told = find_places(s, home, cited, &at_home, &abroad);
    if (cited != SIZE_MAX) {
        /* they stand there, in other surroundings: is another place theirs? */
        if (!told || at_home.fits < NEIGHBOURS_BETTER)
            return (struct sl_graded){.grade = SL_GRADE_OK};
        return graded_at(s, at_home.tie ? SL_GRADE_AMBIGUOUS : SL_GRADE_MOVED,
                         &at_home);
    }
    if (!told)
        return (struct sl_graded){.grade = SL_GRADE_AMBIGUOUS,
                                  .path = s->entry->citation.path,
                                  .first = s->entry->citation.first,
                                  .last = s->entry->citation.last,
                                  .places = SL_MAX_CANDIDATES};
    const struct found *found = at_home.count ? &at_home : &abroad;
    bool decided = found->count == 1 ||
                   (!found->tie && found->fits >= NEIGHBOURS_KEPT);
    if (found->count)
        return graded_at(s, decided ? SL_GRADE_MOVED : SL_GRADE_AMBIGUOUS,
                         found);
    return (struct sl_graded){.grade = home ? SL_GRADE_CHANGED : SL_GRADE_GONE};
}

enum sl_status sl_citation_grade(struct sl_arena *arena,
                                 struct sl_manifest *manifest,
                                 const struct sl_citation *citation,
                                 const struct sl_lock_entry *entry,
                                 struct sl_graded *graded_out,
                                 struct sl_error *error)
{
    const struct sl_manifest_file *home =
        sl_manifest_find(manifest, citation->path);
    if (!entry) {
        enum sl_grade grade = !home ? SL_GRADE_PATH
                              : citation->last > home->count
                                  ? SL_GRADE_LINE
                                  : SL_GRADE_UNLOCKED;
        *graded_out = (struct sl_graded){
            .grade = grade, .line_count = home ? home->count : 0};
        return SL_OK;
    }
    struct search s = {
        .manifest = manifest,
        .entry = entry,
        .lines = citation->last - citation->first + 1,
        .then = home ? home->first + citation->first - 1 : 0,
    };
    size_t cited = SIZE_MAX;
    if (home && stands(&s, home, s.then))
        cited = s.then;
    if (cited != SIZE_MAX && neighbours(&s, home, cited) >= NEIGHBOURS_KEPT) {
        *graded_out = (struct sl_graded){.grade = SL_GRADE_OK};
        return SL_OK;
    }
    enum sl_status status = sl_manifest_index(arena, manifest, error);
    if (!status)
        *graded_out = search_lines(&s, home, cited);
    return status;
}
