/* A small knowledge base with all that an index may hold. */
#ifndef SL_FUZZ_SMALL_KB_H
#define SL_FUZZ_SMALL_KB_H

#include "fuzz.h"
#include "search/index.h"

static const char small_kb[] =
    "---\ntitle: Notes on NVSHMEM\naliases:\n  old: fences\nasks:\n"
    "  fences:\n    - what orders puts\n---\n"
    "# Notes on NVSHMEM\n\nIntroduction.\n\n"
    "## Fences\n\n`nvshmem_fence` orders puts of a PE, 3.4.5.\n\n"
    "## Quiet\n\n`nvshmem_quiet` completes them; `NVSHMEM_QP_DEPTH=1`.\n\n"
    "## Barriers hang\n\n`nvshmem_barrier_all` deadlocks in C++ when one "
    "rank is missing. `cudaMemcpyAsync`.\n";

static inline struct sl_index *small_index(void)
{
    static const struct sl_index_file files[] = {
        {{"evidence/sources.yaml", 21}, {"sources: {}\n", 12}}};
    struct sl_kb kb;
    struct sl_index *index;
    sl_kb_init(&kb);
    FUZZ_CHECK(!sl_kb_add(&kb, SL_LIT("n.md"), SL_LIT(small_kb), NULL));
    FUZZ_CHECK(!sl_index_build(&kb, files, 1, &index, NULL));
    sl_kb_release(&kb);
    return index;
}

#endif
