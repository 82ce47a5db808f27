#include "search/rank.h"

#include <math.h>

/* Columns of the table `words`: title, asks, file, body. */
static const double column_share[] = {1.0, 1.0, 0.6, 0.75};

static int count_row(const Fts5ExtensionApi *api, Fts5Context *context,
                     void *data)
{
    (void)api;
    (void)context;
    ++*(unsigned *)data;
    return SQLITE_OK;
}

/* Rarity of every term, once a query. */
static int prepare(const Fts5ExtensionApi *api, Fts5Context *context,
                   struct sl_rank *rank)
{
    sqlite3_int64 rows = 0;
    int rc = api->xRowCount(context, &rows);
    for (size_t i = 0; i < rank->count && !rc; i++) {
        rank->rows[i] = 0;
        rc = api->xQueryPhrase(context, (int)i, &rank->rows[i], count_row);
        rank->rarity[i] =
            log(1.0 + ((double)rows + 1.0) / ((double)rank->rows[i] + 0.5));
        rank->total += rank->weight[i] * rank->rarity[i];
    }
    rank->ready = 1;
    return rc;
}

static void coverage(const Fts5ExtensionApi *api, Fts5Context *context,
                     sqlite3_context *result, int count, sqlite3_value **args)
{
    struct sl_rank *rank =
        count ? sqlite3_value_pointer(args[0], SL_RANK_POINTER) : NULL;
    if (!rank || (int)rank->count != api->xPhraseCount(context)) {
        sqlite3_result_error(result, "coverage() without its query", -1);
        return;
    }
    int rc = rank->ready ? SQLITE_OK : prepare(api, context, rank);
    double held = 0;
    for (size_t i = 0; i < rank->count && !rc; i++) {
        Fts5PhraseIter at;
        int column;
        double share = 0;
        rc = api->xPhraseFirstColumn(context, (int)i, &at, &column);
        while (!rc && column >= 0) {
            if (column_share[column & 3] > share)
                share = column_share[column & 3];
            api->xPhraseNextColumn(context, &at, &column);
        }
        held += share * rank->weight[i] * rank->rarity[i];
    }
    if (rc)
        sqlite3_result_error_code(result, rc);
    else
        sqlite3_result_double(result, rank->total > 0 ? held / rank->total : 0);
}

enum sl_status sl_rank_register(sqlite3 *db, struct sl_error *error)
{
    fts5_api *api = NULL;
    sqlite3_stmt *statement = NULL;
    if (!sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, NULL) &&
        !sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", NULL))
        (void)sqlite3_step(statement);
    sqlite3_finalize(statement);
    if (!api || api->xCreateFunction(api, "coverage", NULL, coverage, NULL))
        return sl_error_set(error, SL_ERR_INTERNAL,
                            "cannot register the ranking function");
    return SL_OK;
}
