#include "answer/env.h"

#include <string.h>

#include "answer/other.h"
#include "api/release.h"
#include "base/limits.h"

#define NEAR_MAX 6u

struct ask {
    struct sl_corpus *corpus;
    struct sl_arena *arena;
    struct sl_env_answer *answer;
    struct sl_error *error;
};

static enum sl_status read_table(const struct ask *ask)
{
    struct sl_view bytes;
    enum sl_status status = sl_corpus_read(ask->corpus, SL_ENV_TSV, &bytes,
                                           ask->error);
    if (status == SL_ERR_NOTFOUND)
        return sl_error_set(ask->error, SL_ERR_USAGE,
                            "this knowledge base has no table of variables");
    if (!status)
        status = sl_env_parse(ask->arena, bytes, &ask->answer->table,
                              ask->error);
    return status;
}

/* The release as the table spells it. */
static enum sl_status check_release(const struct ask *ask)
{
    struct sl_env_answer *answer = ask->answer;
    if (!answer->release.ptr)
        return SL_OK;
    return sl_release_read(answer->release, answer->table.releases,
                           answer->table.release_count, &answer->release,
                           ask->error);
}

/* Places of the table as rows; those of running programs before the others. */
static enum sl_status take_rows(const struct ask *ask,
                                const struct sl_env_hits *hits)
{
    struct sl_env_answer *answer = ask->answer;
    answer->rows = sl_arena_alloc(ask->arena,
                                  (hits->count + 1) * sizeof *answer->rows);
    if (!answer->rows)
        return sl_error_nomem(ask->error);
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < hits->count; i++) {
            const struct sl_env *row = &answer->table.items[hits->places[i]];
            bool runs = row->kind == SL_ENV_RUN;
            if (answer->is_list ? pass == 0 : runs == (pass == 0))
                answer->rows[answer->count++] = row;
        }
    return SL_OK;
}

/* Names of the API: the one that is called so, or those near it. */
static enum sl_status put_symbols(const struct ask *ask, bool has_near,
                                  struct sl_buf *message)
{
    struct sl_names_near near;
    enum sl_status status = sl_near_symbols(ask->corpus, ask->answer->asked,
                                            &near, ask->error);
    if (status)
        return status;
    if (near.exact)
        sl_buf_printf(message,
                      "; %.*s is a name of the API: `shmemlore symbol %.*s`",
                      SL_ARG(near.names[0]), SL_ARG(near.names[0]));
    for (size_t i = 0; !near.exact && !has_near && i < near.count; i++)
        sl_buf_printf(message, "%s%.*s",
                      i ? ", " : "; names near it (`shmemlore symbol`): ",
                      SL_ARG(near.names[i]));
    return SL_OK;
}

static enum sl_status not_found(const struct ask *ask)
{
    struct sl_env_hits near = {.count = 0};
    struct sl_view asked = ask->answer->asked;
    enum sl_status status = sl_env_near(ask->arena, &ask->answer->table, asked,
                                        NEAR_MAX, &near, ask->error);
    if (status)
        return status;
    struct sl_buf message;
    sl_buf_init(&message, sizeof ask->error->message - 1);
    sl_buf_printf(&message, "NVSHMEM reads no variable '%.*s'",
                  SL_ARG(sl_view_sub(asked, 0, 80)));
    for (size_t i = 0; i < near.count; i++)
        sl_buf_printf(&message, "%s%.*s", i ? ", " : "; near it: ",
                      SL_ARG(ask->answer->table.items[near.places[i]].name));
    status = put_symbols(ask, near.count > 0, &message);
    if (sl_view_starts(asked, "NCCL_"))
        sl_buf_puts(&message, "; `env --from-nccl` tells what there is instead "
                              "of one of NCCL's");
    if (!status)
        status = sl_error_set(ask->error, SL_ERR_NOTFOUND, "%s",
                              message.ptr ? message.ptr : "no such variable");
    sl_buf_release(&message);
    return status;
}

static enum sl_status read_uses(const struct ask *ask, struct sl_view name)
{
    struct sl_env_answer *answer = ask->answer;
    struct sl_view table;
    struct sl_users all;
    enum sl_status status = sl_corpus_read(ask->corpus, SL_USAGE_TSV, &table,
                                           ask->error);
    if (status)
        return status == SL_ERR_NOTFOUND ? SL_OK : status;
    status = sl_users_parse(ask->arena, table, name, &all, ask->error);
    if (!status)
        answer->uses.items = sl_arena_alloc(
            ask->arena, (all.count + 1) * sizeof *answer->uses.items);
    if (!status && !answer->uses.items)
        status = sl_error_nomem(ask->error);
    for (size_t pass = 0; pass < 2 && !status; pass++)
        for (size_t i = 0; i < all.count; i++)
            if (sl_user_is_env(&all.items[i]) &&
                sl_source_is_study(all.items[i].source) == (pass == 0))
                answer->uses.items[answer->uses.count++] = all.items[i];
    return status;
}

static bool is_glob(struct sl_view name)
{
    return memchr(name.ptr, '*', name.len) || memchr(name.ptr, '?', name.len) ||
           memchr(name.ptr, '[', name.len);
}

/* A glob with a release lists what that release reads. */
static void keep_release(struct sl_env_answer *answer)
{
    size_t kept = 0;
    for (size_t i = 0; i < answer->count; i++) {
        enum sl_env_gate gate =
            answer->release.len
                ? sl_env_gate(&answer->table, answer->rows[i], answer->release)
                : SL_ENV_HERE;
        bool same = kept && sl_view_eq(answer->rows[kept - 1]->name,
                                       answer->rows[i]->name);
        if (gate == SL_ENV_HERE && !same)
            answer->rows[kept++] = answer->rows[i];
    }
    answer->count = kept;
}

static enum sl_status begin(struct ask *ask)
{
    if (!ask->answer->asked.len || ask->answer->asked.len > SL_MAX_TOKEN)
        return sl_error_set(ask->error, SL_ERR_USAGE,
                            "a name has 1 to %u characters", SL_MAX_TOKEN);
    enum sl_status status = read_table(ask);
    return status ? status : check_release(ask);
}

static enum sl_status find_one(struct ask *ask)
{
    struct sl_env_answer *answer = ask->answer;
    const struct sl_env *row = answer->rows[0];
    if (answer->release.len)
        answer->gate = sl_env_gate(&answer->table, row, answer->release);
    enum sl_status status = read_uses(ask, row->name);
    if (!status)
        status = sl_is_symbol(ask->corpus, row->name, &answer->is_symbol,
                              ask->error);
    if (!status)
        status = sl_index_mentions(ask->corpus->index, ask->arena, row->name,
                                   &answer->sections, ask->error);
    return status;
}

enum sl_status sl_env_ask(struct sl_corpus *corpus, struct sl_view name,
                          struct sl_view release,
                          struct sl_env_answer *answer_out,
                          struct sl_error *error)
{
    struct sl_env_answer answer = {.asked = sl_variable_clean(name),
                                   .release = release,
                                   .gate = SL_ENV_HERE};
    struct ask ask = {corpus, &corpus->arena, &answer, error};
    struct sl_env_hits hits = {.count = 0};
    enum sl_status status = begin(&ask);
    if (!status)
        status = sl_env_find(ask.arena, &answer.table, answer.asked, &hits,
                             error);
    answer.is_list = is_glob(answer.asked);
    if (!status && !hits.count)
        return not_found(&ask);
    if (!status)
        status = take_rows(&ask, &hits);
    if (!status && answer.is_list) {
        keep_release(&answer);
        if (!answer.count)
            status = sl_error_set(error, SL_ERR_NOTFOUND,
                                  "no variable that fits '%.*s' is in %.*s",
                                  SL_ARG(answer.asked), SL_ARG(release));
    } else if (!status) {
        status = find_one(&ask);
    }
    if (!status)
        *answer_out = answer;
    return status;
}

static enum sl_status read_map(const struct ask *ask, struct sl_nccl_map *map)
{
    struct sl_view bytes;
    enum sl_status status = sl_corpus_read(ask->corpus, SL_NCCL_TSV, &bytes,
                                           ask->error);
    if (status == SL_ERR_NOTFOUND)
        return sl_error_set(ask->error, SL_ERR_USAGE,
                            "this knowledge base has no table of NCCL's "
                            "variables");
    return status ? status
                  : sl_nccl_parse(ask->arena, bytes, map, ask->error);
}

enum sl_status sl_env_from_nccl(struct sl_corpus *corpus, struct sl_view name,
                                struct sl_view release,
                                struct sl_env_answer *answer_out,
                                struct sl_error *error)
{
    struct sl_env_answer answer = {.asked = sl_view_trim(name),
                                   .release = release,
                                   .gate = SL_ENV_HERE};
    struct ask ask = {corpus, &corpus->arena, &answer, error};
    struct sl_nccl_map map = {.count = 0};
    struct sl_env_hits all = {.count = 0};
    enum sl_status status = begin(&ask);
    if (!status)
        status = read_map(&ask, &map);
    if (status)
        return status;
    answer.nccl = sl_nccl_find(&map, answer.asked);
    if (!answer.nccl)
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "nothing is known of NCCL's '%.*s': the map has "
                            "the %zu variables that the surveyed projects and "
                            "threads set",
                            SL_ARG(answer.asked), map.count);
    struct sl_view names = answer.nccl->counterparts, one;
    while (!status && sl_view_cut(&names, ',', &one)) {
        struct sl_env_hits hits = {.count = 0};
        status = sl_env_find(ask.arena, &answer.table, one, &hits, error);
        for (size_t i = 0; !status && i < hits.count; i++) {
            if (answer.table.items[hits.places[i]].kind != SL_ENV_RUN)
                continue;
            all.places = sl_arena_grow(ask.arena, all.places,
                                       sizeof *all.places, all.count,
                                       &all.cap);
            if (!all.places)
                return sl_error_nomem(error);
            all.places[all.count++] = hits.places[i];
        }
    }
    if (!status)
        status = take_rows(&ask, &all);
    if (!status)
        *answer_out = answer;
    return status;
}

bool sl_env_is_here(const struct sl_env_answer *answer)
{
    return answer->gate == SL_ENV_HERE || answer->gate == SL_ENV_NOT_READ;
}
