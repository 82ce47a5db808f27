#include "usage/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

bool sl_words_any(struct sl_view text)
{
    return sl_view_find(text, SL_LIT("nvshmem"), 0) != SIZE_MAX ||
           sl_view_find(text, SL_LIT("NVSHMEM"), 0) != SIZE_MAX;
}

bool sl_word_is_variable(struct sl_view name)
{
    if (!sl_view_starts(name, "NVSHMEM_") || name.len < 9)
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (!sl_is_upper(name.ptr[i]) && !sl_is_digit(name.ptr[i]) &&
            name.ptr[i] != '_')
            return false;
    return true;
}

/* How a hit of the needle must stand in its word. */
enum place { PLACE_FIRST, PLACE_ANYWHERE, PLACE_WHOLE };

static bool fits(enum place place, size_t hit, size_t hit_end,
                 const struct sl_word *word)
{
    switch (place) {
    case PLACE_FIRST:
        return hit == word->begin;
    case PLACE_WHOLE:
        return hit == word->begin && hit_end == word->end;
    case PLACE_ANYWHERE:
    default:
        return true;
    }
}

static enum sl_status add_needle(struct sl_arena *arena,
                                 struct sl_words *words, struct sl_view text,
                                 struct sl_view needle, enum place place,
                                 enum sl_word_kind kind,
                                 struct sl_error *error)
{
    size_t at = sl_view_find(text, needle, 0);
    while (at != SIZE_MAX) {
        struct sl_word word = {at, at + needle.len, kind};
        while (word.begin && sl_is_word(text.ptr[word.begin - 1]))
            word.begin--;
        while (word.end < text.len && sl_is_word(text.ptr[word.end]))
            word.end++;
        /* -DNVSHMEM_X of a compiler, -eNVSHMEM_X of a container: NVSHMEM_X */
        if (at == word.begin + 1 && word.begin &&
            strchr("Dex", text.ptr[word.begin]) &&
            text.ptr[word.begin - 1] == '-')
            word.begin++;
        if (fits(place, at, at + needle.len, &word)) {
            if (words->len >= SL_MAX_FILE_USES)
                return sl_error_set(error, SL_ERR_LIMIT,
                                    "more than %u names in one file",
                                    SL_MAX_FILE_USES);
            words->items =
                sl_arena_grow(arena, words->items, sizeof *words->items,
                              words->len, &words->cap);
            if (!words->items)
                return sl_error_nomem(error);
            words->items[words->len++] = word;
        }
        at = sl_view_find(text, needle, word.end);
    }
    return SL_OK;
}

enum sl_status sl_words_add(struct sl_arena *arena, struct sl_words *words,
                            struct sl_view text, enum sl_word_kind kind,
                            struct sl_view needle, struct sl_error *error)
{
    static const struct {
        enum sl_word_kind kind;
        enum place place;
        const char *needle;
    } rows[] = {
        {SL_WORD_NAME, PLACE_FIRST, "nvshmem"},
        {SL_WORD_NAME, PLACE_FIRST, "NVSHMEM"},
        {SL_WORD_NAME, PLACE_FIRST, "ibgda_"},
        {SL_WORD_ENV, PLACE_ANYWHERE, "env"},
        {SL_WORD_ENV, PLACE_ANYWHERE, "ENV"},
        {SL_WORD_DL, PLACE_ANYWHERE, "CDLL"},
        {SL_WORD_DL, PLACE_WHOLE, "LoadLibrary"},
    };
    if (kind == SL_WORD_ALIAS)
        return add_needle(arena, words, text, needle, PLACE_WHOLE, kind,
                          error);
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == kind)
            status = add_needle(arena, words, text,
                                sl_view_of(rows[i].needle), rows[i].place,
                                kind, error);
    return status;
}

static int by_place(const void *a, const void *b)
{
    const struct sl_word *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

void sl_words_sort(struct sl_words *words)
{
    if (words->len == 0)
        return;
    qsort(words->items, words->len, sizeof *words->items, by_place);
    size_t n = 1;
    for (size_t i = 1; i < words->len; i++)
        if (words->items[i].begin != words->items[n - 1].begin)
            words->items[n++] = words->items[i];
    words->len = n;
}
