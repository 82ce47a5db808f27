/* What the readers of files without a grammar share. Only this folder includes it. */
#ifndef SL_USAGE_LINES_H
#define SL_USAGE_LINES_H

#include "usage/inside.h"

enum sl_text_kind {
    SL_TEXT_SHELL,
    SL_TEXT_DOCKER,
    SL_TEXT_YAML, /* JSON too */
    SL_TEXT_CMAKE,
    SL_TEXT_MAKE,
    SL_TEXT_TOML,  /* and .ini, .cfg: keys in sections */
    SL_TEXT_BUILD, /* package descriptions */
    SL_TEXT_DOC,
    SL_TEXT_CODE, /* a language that has no grammar here */
};

/* By the file's name, then by how the text begins. */
enum sl_text_kind sl_text_kind_of(struct sl_view path, struct sl_view text);

/* One word and its surroundings, at most SL_MAX_LINE_LOOK bytes each. */
struct sl_line_place {
    struct sl_view name;
    struct sl_view before;  /* the line up to the word */
    struct sl_view after;   /* the line from its end */
    struct sl_view next;    /* the line after it */
    struct sl_view above;   /* the text up to the word, over lines */
    struct sl_view section; /* "[tool.x.env]" above it; TOML alone */
};

struct sl_line_finding {
    enum sl_use_kind kind;
    struct sl_view how, value;
};

/* The last word of `before` that is set off by white space. */
struct sl_view sl_last_token(struct sl_view before);

/* Up to the quote, space or semicolon that ends a value. */
struct sl_view sl_value_of(struct sl_view text);

/* NAME=VALUE, set off from what stands before it. */
bool sl_is_assignment(const struct sl_line_place *place);

/* $ENV{NAME}, set(ENV{NAME} value), unset(ENV{NAME}) of CMake; else a test. */
bool sl_find_cmake(const struct sl_line_place *place,
                   struct sl_line_finding *out);

/* Whether the word is text that CMake prints or keeps as a description. */
bool sl_is_cmake_text(const struct sl_line_place *place);

/* export NAME=VALUE and `unexport NAME` of make; NAME=VALUE in front of a command. */
bool sl_find_make(const struct sl_line_place *place,
                  struct sl_line_finding *out);

/* A line of a recipe: a shell's. */
bool sl_is_recipe(const struct sl_line_place *place);

/* NAME = "value" in a section or a table whose name says environment. */
bool sl_find_toml(const struct sl_line_place *place,
                  struct sl_line_finding *out);

#endif
