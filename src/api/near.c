#include "api/near.h"

#include <string.h>

#include "base/limits.h"
#include "search/edit.h"

#define MAX_EDITS 3u
#define SLACK 3u      /* how much farther than the nearest is still told */
#define HOLE '\x01'   /* stands for a placeholder; no name has it */

struct ranked {
    struct sl_near near;
    size_t far;
};

/* A name taken apart; views into fold and the name. */
struct shape {
    struct sl_view whole;
    struct sl_view fold; /* each placeholder a HOLE */
    struct sl_view stem; /* of fold, without the prefix */
    struct sl_view prefix;
    bool has_hole;
    char text[SL_MAX_TOKEN];
};

/* --- the name in what was pasted ------------------------------------------ */

/* `put<float>` names put; `put<SIZE>_nbi` and `putmem_<SCOPE>` have a placeholder. */
static struct sl_view without_arguments(struct sl_view text)
{
    size_t open = sl_view_find(text, SL_LIT("<"), 0);
    bool last = sl_view_ends(text, ">");
    if (open == SIZE_MAX || !open || !last || text.ptr[open - 1] == '_')
        return text;
    for (size_t i = open; i + 1 < text.len; i++)
        if (sl_is_lower(text.ptr[i]))
            return sl_view_sub(text, 0, open);
    return text;
}

struct sl_view sl_name_clean(struct sl_view text)
{
    size_t call = sl_view_find(text, SL_LIT("("), 0);
    text = sl_view_trim(sl_view_sub(text, 0, call));
    while (text.len && strchr("; \t", text.ptr[text.len - 1]))
        text.len--;
    text = without_arguments(text);
    for (size_t i = text.len; i-- > 0;)
        if (sl_is_space(text.ptr[i])) { /* the type before it */
            text = sl_view_sub(text, i + 1, text.len);
            break;
        }
    while (text.len && (text.ptr[0] == ':' || text.ptr[0] == '&'))
        text = sl_view_sub(text, 1, text.len);
    return text;
}

/* --- placeholders and prefixes -------------------------------------------- */

static bool has_lower(struct sl_view text)
{
    for (size_t i = 0; i < text.len; i++)
        if (sl_is_lower(text.ptr[i]))
            return true;
    return false;
}

/* Length of <...>, {...} or ##...## at i, or 0. */
static size_t enclosed(struct sl_view name, size_t i)
{
    static const char *const pairs[][2] = {
        {"<", ">"}, {"{", "}"}, {"##", "##"}};
    struct sl_view rest = sl_view_sub(name, i, name.len);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        if (!sl_view_starts(rest, pairs[k][0]))
            continue;
        struct sl_view close = sl_view_of(pairs[k][1]);
        size_t end = sl_view_find(rest, close, close.len);
        return end == SIZE_MAX ? 0 : end + close.len;
    }
    return 0;
}

/* Length of the placeholder at i, or 0: enclosed, TYPE, a capital alone. */
static size_t placeholder(struct sl_view name, size_t i)
{
    size_t end = i + 1;
    if (sl_is_word(name.ptr[i]) && !sl_is_upper(name.ptr[i]))
        return 0;
    if (!sl_is_upper(name.ptr[i]))
        return enclosed(name, i);
    while (end < name.len && (sl_is_upper(name.ptr[end]) ||
                              sl_is_digit(name.ptr[end])))
        end++;
    bool apart = (!i || name.ptr[i - 1] == '_') &&
                 (end == name.len || name.ptr[end] == '_');
    return end - i > 1 || apart ? end - i : 0;
}

/* The whole prefix of our or of OpenSHMEM's names at the beginning; 0: none. */
static size_t prefix_of(struct sl_view name)
{
    static const char *const prefixes[] = {
        "nvshmem_", "nvshmemx_", "nvshmemi_", "nvshmemx::", "shmem_", "shmemx_",
    };
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
        size_t n = strlen(prefixes[k]), i = 0;
        while (i < n && i < name.len && sl_lower(name.ptr[i]) == prefixes[k][i])
            i++;
        if (i == n)
            return n;
    }
    return 0;
}

static void take_apart(struct sl_view name, struct shape *shape)
{
    size_t n = 0;
    bool folds = has_lower(name);
    shape->has_hole = false;
    shape->whole = name = sl_view_sub(name, 0, sizeof shape->text);
    for (size_t i = 0; i < name.len;) {
        size_t hole = folds ? placeholder(name, i) : 0;
        shape->text[n++] = hole ? HOLE : name.ptr[i];
        i += hole ? hole : 1;
        shape->has_hole |= hole > 0;
    }
    shape->fold = (struct sl_view){shape->text, n};
    size_t prefix = prefix_of(shape->fold);
    shape->prefix = sl_view_sub(shape->fold, 0, prefix);
    shape->stem = sl_view_sub(shape->fold, prefix, n);
}

/* What is after the last `::`, `.` or `->`; not the end of a placeholder. */
static struct sl_view last_part(struct sl_view name)
{
    size_t at = name.len;
    while (at && !strchr(":.", name.ptr[at - 1]) &&
           !(at > 1 && name.ptr[at - 1] == '>' && name.ptr[at - 2] == '-'))
        at--;
    return at < name.len ? sl_view_sub(name, at, name.len) : name;
}

/* --- how far --------------------------------------------------------------- */

static size_t edits_between(struct sl_view wanted, struct sl_view name,
                            unsigned letters)
{
    unsigned edits = sl_edit_distance(wanted, name, MAX_EDITS);
    return edits <= MAX_EDITS && edits * letters <= wanted.len ? edits * 2
                                                               : SIZE_MAX;
}

static bool same_letters(struct sl_view a, struct sl_view b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (sl_lower(a.ptr[i]) != sl_lower(b.ptr[i]))
            return false;
    return true;
}

/* 0: the same word; 1: put of putmem and putSIZE; SIZE_MAX: another. */
static size_t word_gap(struct sl_view word, struct sl_view part)
{
    if (same_letters(word, part))
        return 0;
    struct sl_view rest = sl_view_sub(part, word.len, part.len);
    bool longer = part.len > word.len &&
                  same_letters(word, sl_view_sub(part, 0, word.len));
    bool fits = sl_view_is(rest, "mem") ||
                (rest.len == 1 && rest.ptr[0] == HOLE);
    return longer && fits ? 1 : SIZE_MAX;
}

static bool is_hole(struct sl_view word)
{
    return word.len == 1 && word.ptr[0] == HOLE;
}

/* All words of the stem among the other's, in any order; a word too many costs 2. */
static size_t words_apart(struct sl_view stem, struct sl_view other)
{
    struct sl_view word, rest, part;
    size_t far = 1, words = 0, parts = 0;
    while (sl_view_cut(&stem, '_', &word)) {
        size_t gap = word.len ? SIZE_MAX : 0;
        for (rest = other; gap && sl_view_cut(&rest, '_', &part);) {
            size_t one = word_gap(word, part);
            gap = one < gap ? one : gap;
        }
        if (gap == SIZE_MAX)
            return SIZE_MAX;
        far += gap;
        words += word.len > 0 && !is_hole(word);
    }
    while (sl_view_cut(&other, '_', &part))
        parts += !is_hole(part); /* TYPE is no word more */
    if (!words)
        return SIZE_MAX;
    return far + (parts > words ? 2 * (parts - words) : 0);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* A prefix that is not the one asked for; nvshmem_ is meant, rather, where none is. */
static size_t prefix_gap(const struct shape *wanted, const struct shape *name)
{
    if (same_letters(wanted->prefix, name->prefix))
        return 0;
    bool ours = sl_view_starts(wanted->prefix, "nv");
    return ours || !sl_view_is(name->prefix, "nvshmem_") ? 1 : 0;
}

/* Small is near; SIZE_MAX: not near. A letter counts 2. */
static size_t distance(const struct shape *wanted, const struct shape *name,
                       const struct shape *family)
{
    bool folded = family->has_hole || wanted->has_hole;
    size_t far = edits_between(wanted->whole, name->whole, 4);
    if (far && !sl_view_eq(name->whole, family->whole))
        far = least(far, edits_between(wanted->whole, family->whole, 4));
    if (far && folded)
        far = least(far, edits_between(wanted->fold, family->fold, 4));
    if (!far)
        return 0;
    size_t other = edits_between(wanted->stem, family->stem, 3);
    if (!same_letters(wanted->prefix, name->prefix)) /* else as the whole */
        other = least(other, edits_between(wanted->stem, name->stem, 3));
    other = least(other, words_apart(wanted->stem, family->stem));
    /* what differs in the prefix is a letter or more, and is told as that */
    if (other != SIZE_MAX)
        other += prefix_gap(wanted, family);
    return least(far, other);
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

/* One line of the table; far SIZE_MAX when it is not near. */
static void look_at(const struct shape *wanted, struct sl_view line,
                    struct ranked *one)
{
    struct sl_view rest = line;
    struct shape name, family;
    one->far = SIZE_MAX;
    if (!sl_view_cut(&rest, '\t', &one->near.name) ||
        !sl_view_cut(&rest, '\t', &one->near.family))
        return;
    take_apart(one->near.name, &name);
    take_apart(one->near.family, &family);
    one->far = distance(wanted, &name, &family);
    one->near.same = wanted->has_hole &&
                     same_letters(wanted->fold, family.fold);
    if (one->near.same)
        one->far = 0;
    /* what is public was meant, rather */
    else if (one->far != SIZE_MAX &&
             !same_letters(wanted->prefix, SL_LIT("nvshmemi_")) &&
             sl_view_find(rest, SL_LIT("\tnvshmem-internal\t"), 0) != SIZE_MAX)
        one->far += 2;
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
    size_t count = 0, kept = 0;
    struct shape wanted;
    struct sl_view line;
    take_apart(last_part(name), &wanted);
    (void)sl_view_line(&symbols, &line); /* the columns' names */
    while (max && sl_view_line(&symbols, &line)) {
        struct ranked one = {.far = SIZE_MAX};
        look_at(&wanted, line, &one);
        if (one.far != SIZE_MAX)
            insert(list, &count, max, &one);
    }
    while (kept < count && list[kept].far <= list[0].far + SLACK) {
        near[kept] = list[kept].near;
        kept++;
    }
    *near_out = near;
    *count_out = kept;
    return SL_OK;
}
