/*
 * Answers that were given before. For tools whose answer depends on nothing but their
 * arguments; the oldest one that was not asked for again makes room.
 */
#ifndef SL_MCP_MEMO_H
#define SL_MCP_MEMO_H

#include "base/limits.h"
#include "json/json.h"

#define SL_MEMO_PARTS 3u

struct sl_memo_entry {
    const void *tool; /* NULL: free */
    struct sl_buf key; /* the arguments, as JSON */
    struct sl_buf parts[SL_MEMO_PARTS];
    uint64_t used; /* when, by the memo's clock */
};

struct sl_memo {
    struct sl_memo_entry entries[SL_MAX_MCP_MEMOS];
    uint64_t clock;
    struct sl_buf key; /* of what was looked up last */
};

void sl_memo_init(struct sl_memo *memo);
void sl_memo_release(struct sl_memo *memo);

/* What was kept for these arguments of the tool, or NULL. */
const struct sl_memo_entry *sl_memo_find(struct sl_memo *memo,
                                         const void *tool,
                                         const struct sl_json *arguments);

/*
 * Keeps the parts for the arguments that were looked up last. What is large, or what
 * there is no memory for, is not kept.
 */
void sl_memo_keep(struct sl_memo *memo, const void *tool,
                  const struct sl_buf *const parts[SL_MEMO_PARTS]);

#endif
