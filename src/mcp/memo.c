#include "mcp/memo.h"

void sl_memo_init(struct sl_memo *memo)
{
    *memo = (struct sl_memo){.clock = 0};
    sl_buf_init(&memo->key, SL_MAX_MCP_MEMO);
}

static void clear(struct sl_memo_entry *entry)
{
    sl_buf_release(&entry->key);
    for (size_t i = 0; i < SL_MEMO_PARTS; i++)
        sl_buf_release(&entry->parts[i]);
    *entry = (struct sl_memo_entry){.tool = NULL};
}

void sl_memo_release(struct sl_memo *memo)
{
    for (size_t i = 0; i < SL_MAX_MCP_MEMOS; i++)
        clear(&memo->entries[i]);
    sl_buf_release(&memo->key);
}

const struct sl_memo_entry *sl_memo_find(struct sl_memo *memo,
                                         const void *tool,
                                         const struct sl_json *arguments)
{
    sl_buf_truncate(&memo->key, 0);
    memo->key.failed = SL_OK;
    sl_json_put(&memo->key, arguments);
    for (size_t i = 0; !memo->key.failed && i < SL_MAX_MCP_MEMOS; i++) {
        struct sl_memo_entry *entry = &memo->entries[i];
        if (entry->tool == tool &&
            sl_view_eq(sl_buf_view(&entry->key), sl_buf_view(&memo->key))) {
            entry->used = ++memo->clock;
            return entry;
        }
    }
    return NULL;
}

void sl_memo_keep(struct sl_memo *memo, const void *tool,
                  const struct sl_buf *const parts[SL_MEMO_PARTS])
{
    struct sl_memo_entry *oldest = &memo->entries[0];
    for (size_t i = 1; i < SL_MAX_MCP_MEMOS; i++)
        if (memo->entries[i].used < oldest->used)
            oldest = &memo->entries[i];
    if (memo->key.failed)
        return;
    clear(oldest);
    sl_buf_init(&oldest->key, SL_MAX_MCP_MEMO);
    sl_buf_add(&oldest->key, sl_buf_view(&memo->key));
    bool failed = oldest->key.failed;
    for (size_t i = 0; i < SL_MEMO_PARTS; i++) {
        sl_buf_init(&oldest->parts[i], SL_MAX_MCP_MEMO);
        sl_buf_add(&oldest->parts[i], sl_buf_view(parts[i]));
        failed = failed || oldest->parts[i].failed;
    }
    if (failed) {
        clear(oldest);
        return;
    }
    oldest->tool = tool;
    oldest->used = ++memo->clock;
}
