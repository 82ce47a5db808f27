/*
 * The tables that names of the text are checked against (private to src/verify):
 * evidence/symbols.tsv, env.tsv and usage.tsv.
 */
#ifndef SL_VERIFY_NAMES_H
#define SL_VERIFY_NAMES_H

#include "api/env.h"
#include "api/symbols.h"
#include "api/users.h"
#include "verify/checks.h"

struct sl_names {
    bool there; /* false: the project has no tables */
    struct sl_symbols symbols;
    struct sl_env_table env;
    struct sl_users users;
    struct sl_map variables; /* names of env: NVSHMEM's own, build options too */
    struct sl_map used;      /* names of users */
    struct sl_map patterns;  /* glob -> whether a name fits it */
};

/* A table that is not of its form is a fault, and *names_out has none. */
SL_CHECKED enum sl_status sl_names_load(struct sl_checks *checks,
                                        struct sl_names *names_out,
                                        struct sl_error *error);

/* Whether the name is in one of the tables. */
bool sl_names_have(const struct sl_names *names, struct sl_view name);

/*
 * Whether a pattern of the text, such as nvshmem_TYPE_put, nvshmem_*_wait_until or
 * nvshmemx_putmem_{warp,block}, fits: each alternative must be some name.
 */
SL_CHECKED enum sl_status sl_names_fit(struct sl_checks *checks,
                                       struct sl_names *names,
                                       struct sl_view pattern, bool *fits_out,
                                       struct sl_error *error);

/* Whether the project (an id, or the beginning of one) defines the name itself. */
bool sl_names_own(const struct sl_names *names, struct sl_view project,
                  struct sl_view name);

/* Rules name-unknown and name-owner. */
SL_CHECKED enum sl_status sl_checks_names(struct sl_checks *checks,
                                          struct sl_names *names,
                                          struct sl_error *error);

/* Rule generated-table. */
SL_CHECKED enum sl_status sl_checks_tables(struct sl_checks *checks,
                                           const struct sl_names *names,
                                           struct sl_error *error);

#endif
