/* What the files of this folder share while one file is read. */
#ifndef SL_USAGE_INSIDE_H
#define SL_USAGE_INSIDE_H

#include "syntax/walk.h"
#include "usage/file.h"
#include "usage/words.h"

/* What a name of a Python file stands for. */
struct sl_alias {
    struct sl_view name;
    struct sl_view target; /* nvshmem.core; empty: a library by ctypes */
};

struct sl_range {
    size_t begin, end;
};

/* A macro's body, parsed by itself; its words come in the order of the text. */
struct sl_macro_body {
    size_t begin, end;
    struct sl_tree *tree; /* NULL: none is open */
    struct sl_walk walk;
    bool more;
};

struct sl_reading {
    struct sl_parser *parser;
    struct sl_arena *arena; /* of this file */
    struct sl_uses *uses;
    struct sl_view path;
    struct sl_view text;
    struct sl_view clean;
    struct sl_words words;
    const struct sl_tree *tree;
    struct sl_walk walk; /* path[depth - 1]: the leaf that holds the word */
    size_t first_use;    /* of this file in uses */
    size_t done;         /* words before this offset are told */
    size_t line, line_at; /* line number of offset line_at */
    size_t line_begin;    /* of that line */
    struct sl_macro_body macro;
    struct sl_alias *aliases;
    size_t alias_count, alias_cap;
    struct sl_range *dead; /* by begin, apart from each other */
    size_t dead_count, dead_cap;
    enum sl_language language;
    bool in_macro; /* the walk is of a macro's body */
    bool global;   /* for the next use that is told */
    bool is_internal; /* the same */
};

/* Adds a use at `offset`; scope by the walk. */
SL_CHECKED enum sl_status sl_tell(struct sl_reading *reading,
                                  enum sl_use_kind kind, struct sl_view name,
                                  size_t offset, struct sl_view how,
                                  struct sl_view value,
                                  struct sl_error *error);

/* The line of the offset; offsets that go up are cheap. */
uint32_t sl_line_of(struct sl_reading *reading, size_t offset);

/*
 * The namespaces and classes around the current leaf, joined by `::`; the class of a
 * function that is defined outside of it, too. *inherits_out: the last has bases.
 */
struct sl_view sl_around(const struct sl_reading *reading, bool *inherits_out);

void sl_macro_body_close(struct sl_macro_body *macro);

/* The name of the function or macro around the current leaf, or empty. */
struct sl_view sl_scope_of(const struct sl_reading *reading);

struct sl_view sl_word_text(const struct sl_reading *reading,
                            const struct sl_word *word);

/*
 * The word with what is joined to it: ## in macro bodies, {…} and % in
 * strings become `*`. *end_out: where the joined text ends.
 */
struct sl_view sl_joined(struct sl_reading *reading,
                         const struct sl_word *word, size_t limit,
                         size_t *end_out);

/* Fills reading->dead; C, C++ and CUDA only. */
SL_CHECKED enum sl_status sl_find_dead(struct sl_reading *reading,
                                       struct sl_error *error);
bool sl_is_dead(const struct sl_reading *reading, size_t offset);

/* One per kind of leaf and language; each tells at most one use. */
SL_CHECKED enum sl_status sl_tell_string(struct sl_reading *reading,
                                         const struct sl_word *word,
                                         struct sl_error *error);
SL_CHECKED enum sl_status sl_tell_c(struct sl_reading *reading,
                                    const struct sl_word *word,
                                    struct sl_error *error);
SL_CHECKED enum sl_status sl_tell_python(struct sl_reading *reading,
                                         const struct sl_word *word,
                                         struct sl_error *error);
/* SL_WORD_ENV: a call or subscript whose first string is any variable. */
SL_CHECKED enum sl_status sl_tell_any_env(struct sl_reading *reading,
                                          const struct sl_word *word,
                                          struct sl_error *error);
/* Reads the import or ctypes assignment around the current leaf. */
SL_CHECKED enum sl_status sl_note_aliases(struct sl_reading *reading,
                                          const struct sl_word *word,
                                          struct sl_error *error);
/* Files without a grammar: all their words, unless they are no text. */
SL_CHECKED enum sl_status sl_tell_lines(struct sl_reading *reading,
                                        struct sl_file_report *report,
                                        struct sl_error *error);

/* The up-th step above the leaf is of this type. */
static inline bool sl_up_is(const struct sl_reading *reading, size_t up,
                            const char *type)
{
    const struct sl_step *step = sl_walk_up(&reading->walk, up);
    return step && sl_view_is(sl_view_of(step->type), type);
}

/* ... and stands in this field of its parent. */
static inline bool sl_up_field(const struct sl_reading *reading, size_t up,
                               const char *field)
{
    const struct sl_step *step = sl_walk_up(&reading->walk, up);
    return step && step->field && sl_view_is(sl_view_of(step->field), field);
}

#endif
