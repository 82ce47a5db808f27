/*
 * Prose of every kind, and its words: the first byte chooses the kind. Marks
 * go forward and lines are the file's; words lie in order, inside of the prose.
 */
#include "fuzz.h"
#include "overlap/gram.h"
#include "overlap/prose.h"

static void check(const struct sl_prose *prose, uint32_t lines, bool exact)
{
    struct sl_view text = sl_buf_view(&prose->text);
    struct sl_words words;
    struct sl_word word;
    struct sl_gram gram;
    size_t before = 0;
    for (size_t i = 0; i < prose->mark_count; i++) {
        FUZZ_CHECK(prose->marks[i].at >= before);
        FUZZ_CHECK(prose->marks[i].at <= text.len);
        before = prose->marks[i].at;
    }
    sl_gram_open(&gram, 5);
    sl_words_open(&words, text, 1, prose->marks, prose->mark_count);
    before = 0;
    while (sl_words_next(&words, &word)) {
        FUZZ_CHECK(word.begin >= before && word.end > word.begin);
        FUZZ_CHECK(word.end <= text.len && word.line >= 1);
        FUZZ_CHECK(!exact || word.line <= lines);
        (void)sl_gram_push(&gram, &word);
        FUZZ_CHECK(gram.len <= gram.n && gram.plain <= gram.len);
        before = word.end;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    struct sl_view text = {(const char *)data + 1, size - 1};
    enum sl_prose_kind kind =
        (enum sl_prose_kind)(SL_PROSE_PLAIN + data[0] % SL_PROSE_PYTHON);
    struct sl_arena arena;
    struct sl_prose_reader reader;
    struct sl_prose prose;
    uint32_t lines = 1;
    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    sl_arena_init(&arena, FUZZ_ARENA);
    sl_prose_reader_init(&reader, &arena);
    sl_prose_init(&prose);
    if ((kind != SL_PROSE_LATEX ||
         !sl_latex_define(&reader.latex, text, NULL)) &&
        !sl_prose_read(&reader, kind, text, &prose, NULL))
        /* entities and encodings have newlines that the page has not */
        check(&prose, lines, kind != SL_PROSE_HTML);
    sl_prose_release(&prose);
    sl_prose_reader_release(&reader);
    sl_arena_release(&arena);
    return 0;
}
