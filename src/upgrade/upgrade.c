#include "upgrade/upgrade.h"

#include <stdlib.h>

#include "api/options.h"
#include "api/release.h"
#include "base/limits.h"
#include "upgrade/internal.h"

static enum sl_status read_tables(struct sl_judge *judge)
{
    struct sl_corpus *corpus = judge->corpus;
    struct sl_symbols_text text;
    struct sl_view env, members = SL_LIT("");
    struct sl_error *error = judge->error;
    enum sl_status status = sl_corpus_symbols(corpus, &text, error);
    if (!status)
        status = sl_corpus_read(corpus, SL_ENV_TSV, &env, error);
    if (status == SL_ERR_NOTFOUND)
        return sl_error_set(error, SL_ERR_USAGE,
                            "this knowledge base has no table of variables");
    if (!status && sl_corpus_read(corpus, SL_MEMBERS_TSV, &members, error)) {
        members = SL_LIT(""); /* then no members are compared */
        *error = (struct sl_error){SL_OK, ""};
    }
    if (!status &&
        sl_corpus_read(corpus, SL_OPTIONS_TSV, &judge->options, error)) {
        judge->options = SL_LIT(""); /* nothing is known of options */
        *error = (struct sl_error){SL_OK, ""};
    }
    struct sl_view meanings;
    if (!status && sl_corpus_read(corpus, SL_MEANINGS_TSV, &meanings, error)) {
        meanings = SL_LIT(""); /* nothing is known of meanings */
        *error = (struct sl_error){SL_OK, ""};
    }
    if (!status)
        status = sl_meanings_parse(judge->arena, meanings, &judge->meanings,
                                   error);
    if (!status)
        status = sl_members_parse(judge->arena, members, &judge->members,
                                  error);
    if (!status)
        status = sl_symbols_select(judge->arena, &text, NULL, NULL,
                                   &judge->symbols, error);
    if (!status)
        status = sl_env_parse(judge->arena, env, &judge->env, error);
    return status;
}

static int by_place(const void *a, const void *b)
{
    const struct sl_finding *x = a, *y = b;
    int order = sl_view_cmp(x->file, y->file);
    if (!order)
        order = (x->line > y->line) - (x->line < y->line);
    if (!order)
        order = (x->column > y->column) - (x->column < y->column);
    if (!order)
        order = sl_view_cmp(x->name, y->name);
    if (!order)
        order = (int)x->level - (int)y->level;
    return order ? order : sl_view_cmp(x->message, y->message);
}

static int by_own(const void *a, const void *b)
{
    const struct sl_own_name *x = a, *y = b;
    int order = sl_view_cmp(x->name, y->name);
    if (!order)
        order = sl_view_cmp(x->file, y->file);
    if (!order)
        order = (x->line > y->line) - (x->line < y->line);
    return order ? order : (x->column > y->column) - (x->column < y->column);
}

/* The names of NVSHMEM's that were taken as the user's own. */
static enum sl_status list_own(struct sl_judge *judge)
{
    struct sl_upgrade *upgrade = judge->upgrade;
    const struct sl_scopes *scopes = &judge->spots->scopes;
    for (size_t i = 0; i < scopes->count; i++) {
        const struct sl_own *own = &scopes->items[i];
        const struct sl_symbol *symbol =
            sl_symbols_find(&judge->symbols, own->use->name);
        bool counts =
            symbol && (own->hides || !own->is_member) &&
            (sl_symbol_in(&judge->symbols, symbol, upgrade->from, NULL) ||
             sl_symbol_in(&judge->symbols, symbol, upgrade->to, NULL));
        if (!counts)
            continue;
        upgrade->own = sl_arena_grow(judge->arena, upgrade->own,
                                     sizeof *upgrade->own, upgrade->own_count,
                                     &upgrade->own_cap);
        if (!upgrade->own)
            return sl_error_nomem(judge->error);
        upgrade->own[upgrade->own_count++] = (struct sl_own_name){
            symbol->name, judge->spots->usage.files[own->file].path,
            own->use->line, own->use->column, sl_own_reach(own)};
    }
    return SL_OK;
}

static enum sl_status judge_all(struct sl_judge *judge)
{
    struct sl_upgrade *upgrade = judge->upgrade;
    enum sl_status status = SL_OK;
    for (size_t i = 0; !status && i < judge->spots->count; i++)
        status = sl_judge_spot(judge, &judge->spots->items[i]);
    if (!status)
        status = sl_judge_accesses(judge);
    if (!status)
        status = list_own(judge);
    if (upgrade->count)
        qsort(upgrade->items, upgrade->count, sizeof *upgrade->items, by_place);
    if (upgrade->own_count)
        qsort(upgrade->own, upgrade->own_count, sizeof *upgrade->own, by_own);
    return status;
}

enum sl_status sl_upgrade_run(struct sl_corpus *corpus,
                              const struct sl_upgrade_request *request,
                              struct sl_upgrade *upgrade_out,
                              struct sl_error *error)
{
    struct sl_upgrade upgrade = {.from = request->from, .to = request->to};
    struct sl_spots spots;
    struct sl_judge judge = {
        .corpus = corpus,
        .arena = &corpus->arena,
        .spots = &spots,
        .upgrade = &upgrade,
        .error = error,
    };
    sl_map_init(&judge.told, judge.arena);
    enum sl_status status = read_tables(&judge);
    if (!status)
        status = sl_release_pair(judge.symbols.releases,
                                 judge.symbols.release_count, &upgrade.from,
                                 &upgrade.to, error);
    if (!status)
        status = sl_layouts_fields(&judge);
    if (!status)
        status = sl_spots_read(judge.arena, request, &judge.fields, &spots,
                               &upgrade, error);
    if (status)
        return status;
    status = judge_all(&judge);
    sl_spots_release(&spots);
    if (!status)
        *upgrade_out = upgrade;
    return status;
}
