/* NVSHMEM knowledge for agents: the tools, resources and prompts of `shmemlore mcp`. */
#ifndef SL_SERVE_SERVER_H
#define SL_SERVE_SERVER_H

#include "answer/corpus.h"
#include "mcp/stdio.h"

struct sl_serve_options {
    const char *version; /* of the program */
    const char *const *roots; /* folders that a tool may read; absolute */
    size_t root_count;
    unsigned threads;    /* for reading trees */
};

/*
 * Serves one client until it goes. Memory that a request takes from the corpus's arena
 * is given back after it.
 */
SL_CHECKED enum sl_status sl_serve(struct sl_corpus *corpus,
                                   const struct sl_serve_options *options,
                                   const struct sl_mcp_stdio *stdio,
                                   struct sl_error *error);

#endif
