#include "kb/generated.h"

#define OPEN "<!-- generated: "
#define CLOSE "<!-- end -->"
#define SHUT " -->"

/* Offset behind the line that begins at `at`. */
static size_t line_end(struct sl_view text, size_t at)
{
    size_t end = sl_view_find(text, SL_LIT("\n"), at);
    return end == SIZE_MAX ? text.len : end + 1;
}

static struct sl_view line_at(struct sl_view text, size_t at)
{
    return sl_view_trim(sl_view_sub(text, at, line_end(text, at)));
}

/* Offset of the next line that begins with marker, or SIZE_MAX. */
static size_t find_line(struct sl_view text, struct sl_view marker, size_t from)
{
    size_t at = sl_view_find(text, marker, from);
    while (at != SIZE_MAX && at && text.ptr[at - 1] != '\n')
        at = sl_view_find(text, marker, at + 1);
    return at;
}

bool sl_generated_next(struct sl_view text, size_t from,
                       struct sl_generated *generated_out)
{
    for (size_t at = from;; at = line_end(text, at)) {
        at = find_line(text, SL_LIT(OPEN), at);
        if (at == SIZE_MAX)
            return false;
        struct sl_view line = line_at(text, at);
        if (!sl_view_ends(line, SHUT) ||
            line.len < sizeof OPEN + sizeof SHUT - 2)
            continue;
        size_t begin = line_end(text, at);
        size_t close = find_line(text, SL_LIT(CLOSE), begin);
        bool closed = close != SIZE_MAX;
        *generated_out = (struct sl_generated){
            .name = sl_view_trim(sl_view_sub(line, sizeof OPEN - 1,
                                             line.len - (sizeof SHUT - 1))),
            .open = at,
            .begin = begin,
            .end = closed ? close : begin,
            .after = closed ? line_end(text, close) : text.len,
        };
        return true;
    }
}

void sl_generated_strip(struct sl_buf *out, struct sl_view text)
{
    struct sl_generated generated;
    size_t at = 0;
    while (sl_generated_next(text, at, &generated)) {
        sl_buf_add(out, sl_view_sub(text, at, generated.open));
        at = generated.after;
    }
    sl_buf_add(out, sl_view_sub(text, at, text.len));
}

size_t sl_generated_bytes(struct sl_view text)
{
    struct sl_generated generated;
    size_t bytes = 0;
    for (size_t at = 0; sl_generated_next(text, at, &generated);
         at = generated.after)
        bytes += generated.after - generated.open;
    return bytes;
}
