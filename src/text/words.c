#include "text/words.h"

#include <string.h>

#include <utf8proc.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/limits.h"
#include "base/utf8.h"

enum class {
    APART, /* separates words */
    LETTER,
    FIGURE, /* a digit or an underscore: of a word, but not of a plain one */
    QUOTE,  /* ': of a word between two of its characters, and dropped */
    LINE,
    HIGH, /* not ASCII */
};

#define REPEAT4(x) x, x, x, x
#define REPEAT8(x) REPEAT4(x), REPEAT4(x)
#define REPEAT10(x) REPEAT8(x), x, x
#define REPEAT26(x) REPEAT8(x), REPEAT8(x), REPEAT10(x)
#define REPEAT128(x)                                                     \
    REPEAT26(x), REPEAT26(x), REPEAT26(x), REPEAT26(x), REPEAT8(x),      \
        REPEAT8(x), REPEAT8(x)

static const unsigned char classes[256] = {
    ['\n'] = LINE, ['\''] = QUOTE, ['0'] = REPEAT10(FIGURE),
    ['A'] = REPEAT26(LETTER),      ['_'] = FIGURE,
    ['a'] = REPEAT26(LETTER),      [128] = REPEAT128(HIGH),
};

/* One folded word. What passes the cap does not tell words apart. */
struct fold {
    char bytes[SL_MAX_WORD];
    size_t len;
    bool figure; /* an ASCII digit or an underscore is in it */
    bool number; /* another digit is */
};

static enum class class_at(const struct sl_words *w, size_t at)
{
    return at < w->end ? (enum class)classes[(unsigned char)w->text.ptr[at]]
                       : APART;
}

/* What a character that is not ASCII is; *length_out: its bytes. */
static enum class class_high(const struct sl_words *w, size_t at,
                             size_t *length_out)
{
    struct sl_view text = {w->text.ptr, w->end};
    size_t length = sl_utf8_length(text, at);
    *length_out = length ? length : 1;
    utf8proc_int32_t c;
    if (!length ||
        utf8proc_iterate((const utf8proc_uint8_t *)text.ptr + at,
                         (utf8proc_ssize_t)length, &c) < 0)
        return APART;
    if (c == 0x2019)
        return QUOTE;
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF: /* soft hyphen, joiners: dropped later */
        return LETTER;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return FIGURE;
    default:
        return APART;
    }
}

static enum class class_of(const struct sl_words *w, size_t at,
                           size_t *length_out)
{
    enum class class = class_at(w, at);
    *length_out = 1;
    return class == HIGH ? class_high(w, at, length_out) : class;
}

/* Whether a character of a word stands there (an underscore is one). */
static bool is_inside(const struct sl_words *w, size_t at)
{
    size_t length;
    enum class class = class_of(w, at, &length);
    return class == LETTER || class == FIGURE;
}

static bool is_letter(utf8proc_category_t category)
{
    return category >= UTF8PROC_CATEGORY_LU &&
           category <= UTF8PROC_CATEGORY_ME;
}

/* Appends one normalised character, or drops it. */
static void keep(struct fold *fold, utf8proc_int32_t c)
{
    utf8proc_category_t category = utf8proc_category(c);
    bool number = category >= UTF8PROC_CATEGORY_ND &&
                  category <= UTF8PROC_CATEGORY_NO;
    if (c != '_' && !number && !is_letter(category))
        return;
    if (fold->len + 4 > SL_MAX_WORD)
        return;
    fold->figure = fold->figure || number || c == '_';
    fold->number = fold->number || (number && c > 0x7f);
    fold->len += (size_t)utf8proc_encode_char(
        c, (utf8proc_uint8_t *)fold->bytes + fold->len);
}

/* raw (at most SL_MAX_WORD bytes, without apostrophes) through Unicode. */
static void normalise(const char *raw, size_t len, struct fold *fold)
{
    enum { EXPANDED = 8 }; /* at most 18 characters of 3 bytes */
    utf8proc_int32_t wide[SL_MAX_WORD * EXPANDED];
    const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPAT |
                                      UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD |
                                      UTF8PROC_IGNORE;
    const utf8proc_ssize_t room = SL_MAX_WORD * EXPANDED;
    fold->len = 0;
    fold->figure = false;
    utf8proc_ssize_t n =
        utf8proc_decompose((const utf8proc_uint8_t *)raw,
                           (utf8proc_ssize_t)len, wide, room, options);
    if (n < 0 || n > room)
        return;
    n = utf8proc_normalize_utf32(wide, n, options);
    for (utf8proc_ssize_t i = 0; i < n; i++)
        keep(fold, wide[i]);
}

/* The word at `begin`, which has a byte that is not ASCII; gives its end. */
static size_t fold_high(const struct sl_words *w, size_t begin,
                        struct fold *fold)
{
    char raw[SL_MAX_WORD];
    size_t len = 0, at = begin, length;
    for (;; at += length) {
        enum class class = class_of(w, at, &length);
        if (class == QUOTE && at > begin && is_inside(w, at + length))
            continue;
        if (class != LETTER && class != FIGURE)
            break;
        for (size_t i = 0; i < length && len + length - i <= sizeof raw; i++)
            raw[len++] = w->text.ptr[at + i];
    }
    normalise(raw, len, fold);
    return at;
}

/* How many of eight bytes, from the first, are ASCII letters; folded as such. */
static size_t count_letters(const char *text, uint64_t *folded_out)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t bytes;
    memcpy(&bytes, text, 8);
    uint64_t small = bytes | ones * 0x20;
    uint64_t low = small & ~tops;
    /* the top bit of a byte: it is 'a' or above, and not above 'z' */
    uint64_t letter = (low + ones * (0x80 - 'a')) &
                      ~(low + ones * (0x7f - 'z')) & ~bytes & tops;
    uint64_t other = ~letter & tops;
    *folded_out = small;
    if (!other)
        return 8;
    size_t bits = (size_t)__builtin_ctzll(other) & ~(size_t)7;
    *folded_out = small & ((UINT64_C(1) << bits) - 1);
    return bits / 8;
}

/*
 * The word at `begin` where it is up to fifteen ASCII letters, as nearly all
 * are: eight bytes at once. False: it is another, or may be an address, or
 * nothing may be read behind it.
 */
static bool read_letters(const struct sl_words *w, size_t begin,
                         struct sl_word *word)
{
    uint64_t folded[2];
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || begin + 17 > w->end)
        return false;
    const char *text = w->text.ptr + begin;
    size_t len = count_letters(text, &folded[0]);
    if (len == 8)
        len += count_letters(text + 8, &folded[1]);
    unsigned char stop = classes[(unsigned char)text[len]];
    if (len == 0 || len == 16 || text[len] == ':' ||
        (stop != APART && stop != LINE))
        return false;
    word->end = begin + len;
    word->hash = len <= 8 ? XXH3_64bits(folded, 8) : XXH3_64bits(folded, len);
    return true;
}

/* The word at `begin`, whatever it is. */
static size_t fold_word(const struct sl_words *w, size_t begin,
                        struct fold *fold)
{
    size_t at = begin;
    fold->figure = fold->number = false;
    for (fold->len = 0;; at++) {
        enum class class = class_at(w, at);
        if (class == LETTER || class == FIGURE) {
            fold->figure = fold->figure || class == FIGURE;
            if (fold->len < SL_MAX_WORD)
                fold->bytes[fold->len++] = sl_lower(w->text.ptr[at]);
        } else if (class == HIGH) {
            return fold_high(w, begin, fold);
        } else if (class != QUOTE || !is_inside(w, at + 1)) {
            break;
        }
    }
    return at;
}

/* Words of up to eight bytes are hashed as eight, padded with zeros. */
static uint64_t hash_of(struct sl_view word)
{
    char eight[8] = {0};
    if (word.len > sizeof eight)
        return XXH3_64bits(word.ptr, word.len);
    memcpy(eight, word.ptr, word.len);
    return XXH3_64bits(eight, sizeof eight);
}

/* Underscores at the ends are markup, or say nothing (__syncthreads). */
static struct sl_view strip(const struct fold *fold, bool *plain_out)
{
    size_t begin = 0, end = fold->len;
    *plain_out = !fold->figure;
    if (fold->figure) {
        while (begin < end && fold->bytes[begin] == '_')
            begin++;
        while (end > begin && fold->bytes[end - 1] == '_')
            end--;
        *plain_out = !fold->number;
        for (size_t i = begin; i < end; i++)
            if (classes[(unsigned char)fold->bytes[i]] == FIGURE)
                *plain_out = false;
    }
    return (struct sl_view){fold->bytes + begin, end - begin};
}

/* Past an address that begins at `at` with its "://", or `at`. */
static size_t skip_address(const struct sl_words *w, struct sl_view word,
                           size_t at)
{
    if ((word.len != 4 && word.len != 5) || at + 3 > w->end ||
        memcmp(w->text.ptr + at, "://", 3) != 0 ||
        (!sl_view_is(word, "http") && !sl_view_is(word, "https")))
        return at;
    while (at < w->end && !sl_is_space(w->text.ptr[at]) &&
           !memchr("<>\"()[]{}`|", w->text.ptr[at], 11))
        at++;
    return at;
}

static void set_end(struct sl_words *w)
{
    w->end = w->mark_count && w->marks->at < w->text.len ? w->marks->at
                                                         : w->text.len;
}

void sl_words_open(struct sl_words *words, struct sl_view text, uint32_t line,
                   const struct sl_word_mark *marks, size_t mark_count)
{
    *words = (struct sl_words){
        .text = text, .marks = marks, .mark_count = mark_count, .line = line};
    set_end(words);
}

/* To the first character of a word; false: there is none. */
static bool seek(struct sl_words *w)
{
    for (;;) {
        while (w->at < w->end) {
            size_t length = 1;
            enum class class = classes[(unsigned char)w->text.ptr[w->at]];
            if (class == HIGH)
                class = class_high(w, w->at, &length);
            if (class == LETTER || class == FIGURE)
                return true;
            w->line += class == LINE;
            w->at += length;
        }
        if (!w->mark_count || w->at >= w->text.len)
            return false;
        w->line = w->marks->line;
        w->fresh = w->fresh || w->marks->fresh;
        w->marks++;
        w->mark_count--;
        set_end(w);
    }
}

/* Any word at words->at; false: it is an address, or nothing is left of it. */
static bool read_word(struct sl_words *words, struct sl_word *word)
{
    struct fold fold;
    word->end = fold_word(words, word->begin, &fold);
    struct sl_view bytes = strip(&fold, &word->plain);
    words->at = skip_address(words, bytes, word->end);
    word->hash = hash_of(bytes);
    return bytes.len > 0 && words->at == word->end;
}

bool sl_words_next(struct sl_words *words, struct sl_word *word_out)
{
    while (seek(words)) {
        struct sl_word word = {.begin = words->at,
                               .line = words->line,
                               .plain = true,
                               .fresh = words->fresh};
        if (read_letters(words, word.begin, &word))
            words->at = word.end;
        else if (!read_word(words, &word))
            continue;
        words->fresh = false;
        *word_out = word;
        return true;
    }
    return false;
}
