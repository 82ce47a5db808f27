/*
 * What one file says about NVSHMEM: each place where a name or variable stands,
 * and what it is there. A use is what the compiler or interpreter would see;
 * comments, strings and disabled code are kept apart.
 */
#ifndef SL_USAGE_USE_H
#define SL_USAGE_USE_H

#include "base/map.h"
#include "base/status.h"
#include "syntax/language.h"
#include "usage/typed.h"

enum sl_use_kind {
    /* code */
    SL_USE_CALL,
    SL_USE_REFERENCE,  /* type, constant, address, #ifdef */
    SL_USE_DEFINITION, /* function with body, type, macro, file's variable */
    SL_USE_DECLARATION,
    SL_USE_MACRO_BODY, /* `*` where tokens are pasted */
    SL_USE_MEMBER,     /* of a class, module or object: never the library's */
    SL_USE_LOCAL,      /* variable of a function, parameter */
    SL_USE_IMPORT,
    SL_USE_INCLUDE,
    SL_USE_UNPARSED, /* code that the grammar did not understand */
    /* strings that name */
    SL_USE_BY_NAME,   /* the string is the name (dlsym, ctypes, externs) */
    SL_USE_GENERATED, /* the string is source that calls it */
    /* environment variables */
    SL_USE_ENV_SET,
    SL_USE_ENV_UNSET,
    SL_USE_ENV_READ,
    SL_USE_ENV_DOC, /* a setting that a document shows */
    /* build files */
    SL_USE_BUILD,
    /* no use: kept for names that have no other place in the project */
    SL_USE_DISABLED, /* behind #if 0 */
    SL_USE_STRING,
    SL_USE_COMMENT,
    SL_USE_DOC,
    SL_USE_KINDS,
};

const char *sl_use_kind_name(enum sl_use_kind kind);
bool sl_use_kind_is_use(enum sl_use_kind kind);

struct sl_use {
    struct sl_view name;
    struct sl_view scope; /* function or macro around it */
    struct sl_view how;   /* by what it is set, read, looked up */
    struct sl_view value; /* it is set to, or default when read */
    struct sl_view around; /* namespaces and classes: "own::Class" */
    uint32_t line;
    uint32_t column; /* bytes, from 1 */
    unsigned char kind;     /* enum sl_use_kind */
    unsigned char language; /* enum sl_language */
    bool global;            /* ::name: no class or function reaches it */
    bool inherits;          /* the class around it has bases */
    bool is_internal; /* a definition that no other file sees by linking */
};

/* The uses of many files; strings are copied once each. */
struct sl_uses {
    struct sl_arena arena;
    struct sl_map strings;
    struct sl_use *items;
    size_t len, cap;
    struct sl_typed *typed;
    size_t typed_len, typed_cap;
};

void sl_uses_init(struct sl_uses *uses, size_t max);
void sl_uses_release(struct sl_uses *uses);

/* Appends a copy of *use, its strings cut to what a table can hold. */
SL_CHECKED enum sl_status sl_uses_add(struct sl_uses *uses,
                                      const struct sl_use *use,
                                      struct sl_error *error);
SL_CHECKED enum sl_status sl_uses_add_typed(struct sl_uses *uses,
                                            const struct sl_typed *typed,
                                            struct sl_error *error);

#endif
