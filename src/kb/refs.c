#include "kb/refs.h"

#include <string.h>

/* A longer run of backticks opens nothing (cmark's own limit). */
#define MAX_BACKTICKS 80u

struct scan {
    struct sl_arena *arena;
    struct sl_view text;
    struct sl_refs *refs;
    size_t first;      /* number of refs before this text's */
    size_t counted;    /* how far newlines were counted */
    uint32_t line;     /* and how many there were */
    size_t no_link;    /* no link target that begins before this one ends */
    bool runs_known;   /* last_run is filled */
    size_t last_run[MAX_BACKTICKS + 1]; /* where the last of each length is */
};

static enum sl_status add(struct scan *s, enum sl_ref_kind kind,
                          struct sl_view text, size_t begin, size_t end,
                          struct sl_error *error)
{
    struct sl_refs *refs = s->refs;
    refs->items = sl_arena_grow(s->arena, refs->items, sizeof *refs->items,
                                refs->count, &refs->cap);
    if (!refs->items)
        return sl_error_nomem(error);
    for (; s->counted < begin; s->counted++)
        s->line += s->text.ptr[s->counted] == '\n';
    refs->items[refs->count++] = (struct sl_ref){
        .kind = kind,
        .line = s->line,
        .text = text,
        .begin = (uint32_t)begin,
        .end = (uint32_t)end,
    };
    return SL_OK;
}

static size_t run_of(struct sl_view v, size_t at, char c)
{
    size_t n = 0;
    while (at + n < v.len && v.ptr[at + n] == c)
        n++;
    return n;
}

/* "N" or "N-M" with digits only. */
static bool is_line_range(struct sl_view v)
{
    size_t i = 0;
    while (i < v.len && sl_is_digit(v.ptr[i]))
        i++;
    if (i == 0)
        return false;
    if (i == v.len)
        return true;
    if (v.ptr[i++] != '-' || i == v.len)
        return false;
    while (i < v.len && sl_is_digit(v.ptr[i]))
        i++;
    return i == v.len;
}

bool sl_text_is_citation(struct sl_view text)
{
    size_t first = 0;
    while (first < text.len &&
           (sl_is_lower(text.ptr[first]) || sl_is_digit(text.ptr[first]) ||
            text.ptr[first] == '-'))
        first++;
    if (first == 0 || !sl_is_lower(text.ptr[0]) || first == text.len ||
        text.ptr[first] != ':')
        return false;
    size_t last = text.len;
    while (last > first && text.ptr[last - 1] != ':')
        last--;
    if (last <= first + 2) /* no second colon, or no path between them */
        return false;
    struct sl_view path = sl_view_sub(text, first + 1, last - 1);
    if (memchr(path.ptr, ' ', path.len) || path.ptr[0] == ':' ||
        sl_view_starts(path, "//")) /* a URL with its port */
        return false;
    return is_line_range(sl_view_sub(text, last, text.len));
}

/* The identifier at the start of v, `::` included; its length, or 0. */
static size_t identifier(struct sl_view v)
{
    size_t i = 0;
    if (!v.len || sl_is_digit(v.ptr[0]))
        return 0;
    while (i < v.len) {
        if (sl_is_word(v.ptr[i]))
            i++;
        else if (i && i + 2 < v.len && v.ptr[i] == ':' &&
                 v.ptr[i + 1] == ':' && sl_is_word(v.ptr[i + 2]) &&
                 !sl_is_digit(v.ptr[i + 2]))
            i += 2;
        else
            break;
    }
    return i;
}

static enum sl_ref_kind classify(struct sl_view inside, struct sl_view *text)
{
    *text = inside;
    if (sl_text_is_citation(inside))
        return SL_REF_CITATION;
    if (sl_view_starts(inside, "run:") && inside.len > 4) {
        *text = sl_view_sub(inside, 4, inside.len);
        return SL_REF_RUN;
    }
    size_t n = identifier(inside);
    struct sl_view name = sl_view_sub(inside, 0, n);
    struct sl_view rest = sl_view_sub(inside, n, inside.len);
    bool upper = n > 0 && memchr(name.ptr, '_', n);
    for (size_t i = 0; i < n && upper; i++)
        upper = !sl_is_lower(name.ptr[i]) && name.ptr[i] != ':';
    if (upper && (rest.len == 0 || rest.ptr[0] == '=')) {
        *text = name;
        return SL_REF_VARIABLE;
    }
    if (n && (rest.len == 0 || sl_view_is(rest, "()"))) {
        *text = name;
        return SL_REF_NAME;
    }
    return SL_REF_CODE;
}

/* Where the last run of each length begins; one pass for all code spans. */
static void find_runs(struct scan *s)
{
    for (size_t i = 0; i < s->text.len;) {
        size_t n = run_of(s->text, i, '`');
        if (n && n <= MAX_BACKTICKS)
            s->last_run[n] = i;
        i += n ? n : 1;
    }
    s->runs_known = true;
}

/* A code span at i; sets *next past it, or past its opening marks. */
static enum sl_status code_span(struct scan *s, size_t i, size_t *next,
                                struct sl_error *error)
{
    size_t marks = run_of(s->text, i, '`');
    size_t inside = i + marks;
    *next = inside;
    if (!s->runs_known)
        find_runs(s);
    if (marks > MAX_BACKTICKS || s->last_run[marks] <= i)
        return SL_OK; /* nothing closes it */
    size_t close = inside;
    while (run_of(s->text, close, '`') != marks) {
        close += run_of(s->text, close, '`');
        while (s->text.ptr[close] != '`')
            close++;
    }
    struct sl_view text;
    enum sl_ref_kind kind = classify(
        sl_view_trim(sl_view_sub(s->text, inside, close)), &text);
    *next = close + marks;
    return add(s, kind, text, i, *next, error);
}

/* ](target) at i. */
static enum sl_status link(struct scan *s, size_t i, size_t *next,
                           struct sl_error *error)
{
    size_t j = i + 2;
    *next = j;
    if (j < s->no_link)
        return SL_OK;
    while (j < s->text.len && s->text.ptr[j] != ')' &&
           !sl_is_space(s->text.ptr[j]))
        j++;
    if (j == s->text.len || s->text.ptr[j] != ')') {
        s->no_link = j;
        return SL_OK;
    }
    *next = j + 1;
    return add(s, SL_REF_LINK, sl_view_sub(s->text, i + 2, j), i, j + 1,
               error);
}

static bool is_name_char(char c)
{
    return sl_is_word(c) || c == '-' || c == '.';
}

/* A thread OWNER/REPO#N whose '#' is at i: its begin, or SIZE_MAX. */
static size_t thread_begin(struct sl_view text, size_t i)
{
    if (i + 1 >= text.len || !sl_is_digit(text.ptr[i + 1]))
        return SIZE_MAX;
    size_t repo = i;
    while (repo && is_name_char(text.ptr[repo - 1]))
        repo--;
    if (repo == i || repo == 0 || text.ptr[repo - 1] != '/')
        return SIZE_MAX;
    size_t owner = repo - 1;
    while (owner && is_name_char(text.ptr[owner - 1]))
        owner--;
    return owner < repo - 1 ? owner : SIZE_MAX;
}

/* An OpenSHMEM version or a URL at i: its end, or 0. */
static size_t spec_end(struct sl_view text, size_t i)
{
    struct sl_view rest = sl_view_sub(text, i, text.len);
    if (!sl_view_starts(rest, "OpenSHMEM 1."))
        return 0;
    size_t j = i + 12;
    while (j < text.len && sl_is_digit(text.ptr[j]))
        j++;
    return j > i + 12 ? j : 0;
}

static size_t url_end(struct sl_view text, size_t i)
{
    struct sl_view rest = sl_view_sub(text, i, text.len);
    if (!sl_view_starts(rest, "https://") && !sl_view_starts(rest, "http://"))
        return 0;
    size_t j = i;
    while (j < text.len && !sl_is_space(text.ptr[j]) &&
           !strchr("<>)\"`|", text.ptr[j]))
        j++;
    return j;
}

/*
 * Drops the numbers after begin: digits of a thread's names (nvshmem4py#1).
 * False when something else reaches there.
 */
static bool reclaim(struct scan *s, size_t begin)
{
    while (s->refs->count > s->first &&
           s->refs->items[s->refs->count - 1].end > begin) {
        if (s->refs->items[s->refs->count - 1].kind != SL_REF_NUMBER)
            return false;
        s->refs->count--;
    }
    return true;
}

/* A digit, a thread's '#', a specification or a URL at i. */
static enum sl_status plain(struct scan *s, size_t i, size_t *next,
                            struct sl_error *error)
{
    char c = s->text.ptr[i];
    size_t end;
    *next = i + 1;
    if (c == '#') {
        size_t begin = thread_begin(s->text, i);
        if (begin == SIZE_MAX || !reclaim(s, begin))
            return SL_OK;
        for (end = i + 1; end < s->text.len && sl_is_digit(s->text.ptr[end]);)
            end++;
        *next = end;
        return add(s, SL_REF_THREAD, sl_view_sub(s->text, begin, end), begin,
                   end, error);
    }
    if (c == 'O' && (end = spec_end(s->text, i)) != 0) {
        *next = end;
        return add(s, SL_REF_SPEC, sl_view_sub(s->text, i, end), i, end, error);
    }
    if (c == 'h' && (end = url_end(s->text, i)) != 0) {
        *next = end;
        return add(s, SL_REF_URL, sl_view_sub(s->text, i, end), i, end, error);
    }
    if (sl_is_digit(c)) {
        for (end = i + 1; end < s->text.len && sl_is_alnum(s->text.ptr[end]);)
            end++;
        *next = end;
        return add(s, SL_REF_NUMBER, sl_view_sub(s->text, i, end), i, end,
                   error);
    }
    return SL_OK;
}

/* Skips quote marks, blanks and one list number: markers are no numbers. */
static size_t skip_markers(struct sl_view text)
{
    size_t i = 0;
    while (i < text.len &&
           (sl_is_space(text.ptr[i]) || text.ptr[i] == '>'))
        i++;
    size_t digits = i;
    while (digits < text.len && sl_is_digit(text.ptr[digits]))
        digits++;
    if (digits > i && digits < text.len &&
        (text.ptr[digits] == '.' || text.ptr[digits] == ')') &&
        (digits + 1 == text.len || sl_is_space(text.ptr[digits + 1])))
        return digits + 1;
    return i;
}

enum sl_status sl_refs_scan(struct sl_arena *arena, struct sl_view text,
                            struct sl_refs *refs, struct sl_error *error)
{
    struct scan s = {
        .arena = arena, .text = text, .refs = refs, .first = refs->count};
    enum sl_status status = SL_OK;
    for (size_t i = skip_markers(text); i < text.len && !status;) {
        char c = text.ptr[i];
        if (c == '\\' && i + 1 < text.len && text.ptr[i + 1] == '`')
            i += 2;
        else if (c == '`')
            status = code_span(&s, i, &i, error);
        else if (c == ']' && i + 1 < text.len && text.ptr[i + 1] == '(')
            status = link(&s, i, &i, error);
        else
            status = plain(&s, i, &i, error);
    }
    return status;
}

bool sl_ref_is_evidence(enum sl_ref_kind kind)
{
    return kind == SL_REF_CITATION || kind == SL_REF_RUN ||
           kind == SL_REF_SPEC || kind == SL_REF_THREAD;
}
