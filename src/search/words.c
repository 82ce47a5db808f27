#include "search/words.h"

#include "base/limits.h"

/* Made by tools/embed from the files of the same names. */
extern const char sl_data_synonyms[], sl_data_synonyms_end[];
extern const char sl_data_stopwords[], sl_data_stopwords_end[];
extern const char sl_data_field[], sl_data_field_end[];

#define DATA(name)                                                   \
    ((struct sl_view){sl_data_##name,                                \
                      (size_t)(sl_data_##name##_end - sl_data_##name)})

/* The next line that is neither empty nor a comment. */
static bool next_line(struct sl_view *rest, struct sl_view *line_out)
{
    while (sl_view_line(rest, line_out)) {
        *line_out = sl_view_trim(*line_out);
        if (line_out->len && line_out->ptr[0] != '#')
            return true;
    }
    return false;
}

static enum sl_status put_words(struct sl_map *map, struct sl_view line,
                                size_t value, struct sl_error *error)
{
    struct sl_view word;
    while (sl_view_cut(&line, ' ', &word))
        if (word.len && !sl_map_put(map, word, value, NULL))
            return sl_error_nomem(error);
    return SL_OK;
}

static enum sl_status read_set(struct sl_map *map, struct sl_view rest,
                               struct sl_error *error)
{
    struct sl_view line;
    while (next_line(&rest, &line)) {
        enum sl_status status = put_words(map, line, 0, error);
        if (status)
            return status;
    }
    return SL_OK;
}

static enum sl_status read_synonyms(struct sl_words *words,
                                    struct sl_error *error)
{
    struct sl_view rest = DATA(synonyms);
    struct sl_view line;
    while (next_line(&rest, &line)) {
        words->groups = sl_arena_grow(&words->arena, words->groups,
                                      sizeof *words->groups,
                                      words->group_count, &words->group_cap);
        if (!words->groups)
            return sl_error_nomem(error);
        words->groups[words->group_count] = line;
        enum sl_status status =
            put_words(&words->synonyms, line, words->group_count, error);
        if (status)
            return status;
        words->group_count++;
    }
    return SL_OK;
}

enum sl_status sl_words_load(struct sl_words *words, struct sl_error *error)
{
    *words = (struct sl_words){0};
    sl_arena_init(&words->arena, SL_MAX_KB_ARENA);
    sl_map_init(&words->synonyms, &words->arena);
    sl_map_init(&words->stopwords, &words->arena);
    sl_map_init(&words->field, &words->arena);
    enum sl_status status = read_synonyms(words, error);
    if (!status)
        status = read_set(&words->stopwords, DATA(stopwords), error);
    if (!status)
        status = read_set(&words->field, DATA(field), error);
    if (status)
        sl_words_release(words);
    return status;
}

void sl_words_release(struct sl_words *words)
{
    sl_arena_release(&words->arena);
    *words = (struct sl_words){0};
}

struct sl_view sl_words_group(const struct sl_words *words,
                              struct sl_view word)
{
    const size_t *group = sl_map_get(&words->synonyms, word);
    return group ? words->groups[*group] : (struct sl_view){NULL, 0};
}

bool sl_words_is_stop(const struct sl_words *words, struct sl_view word)
{
    return sl_map_get(&words->stopwords, word) != NULL;
}

bool sl_words_is_field(const struct sl_words *words, struct sl_view word)
{
    return sl_map_get(&words->field, word) != NULL;
}
