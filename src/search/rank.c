#include "search/rank.h"

#include <math.h>

/* What one occurrence in a column counts, and how much its length discounts it. */
static const struct {
    double weight, slope;
} columns[SL_RANK_COLUMNS] = {
    {3.0, 0.3}, {4.0, 0.7}, {0.25, 0.3}, {1.0, 0.5}};

/* Occurrences beyond this many add little. */
#define SATURATION 3.0

static int count_row(const Fts5ExtensionApi *api, Fts5Context *context,
                     void *data)
{
    (void)api;
    (void)context;
    ++*(unsigned *)data;
    return SQLITE_OK;
}

/* Rarity of every term and the mean size of every column, once a query. */
static int prepare(const Fts5ExtensionApi *api, Fts5Context *context,
                   struct sl_rank *rank)
{
    sqlite3_int64 rows = 0, size = 0;
    int rc = api->xRowCount(context, &rows);
    for (int c = 0; c < SL_RANK_COLUMNS && !rc; c++) {
        rc = api->xColumnTotalSize(context, c, &size);
        rank->mean_size[c] = ((double)size + 1.0) / ((double)rows + 1.0);
    }
    for (size_t i = 0; i < rank->count && !rc; i++) {
        struct sl_rank_term *term = &rank->terms[i];
        unsigned held = 0;
        rc = api->xQueryPhrase(context, (int)i, &held, count_row);
        term->rarity = /* "_", a dash or an emoji is no token: it says nothing */
            api->xPhraseSize(context, (int)i)
                ? log(1.0 + ((double)rows - held + 0.5) / ((double)held + 0.5))
                : 0.0;
        if (!term->pair)
            rank->total += term->weight * term->rarity;
    }
    rank->ready = true;
    return rc;
}

static struct sl_rank *rank_of(const Fts5ExtensionApi *api,
                               Fts5Context *context, sqlite3_context *result,
                               int count, sqlite3_value **args)
{
    struct sl_rank *rank =
        count ? sqlite3_value_pointer(args[0], SL_RANK_POINTER) : NULL;
    if (!rank || (int)rank->count != api->xPhraseCount(context)) {
        sqlite3_result_error(result, "ranking without its query", -1);
        return NULL;
    }
    int rc = rank->ready ? SQLITE_OK : prepare(api, context, rank);
    if (rc) {
        sqlite3_result_error_code(result, rc);
        return NULL;
    }
    return rank;
}

/* How often the row holds phrase i, columns weighed and lengths evened out. */
static int frequency(const Fts5ExtensionApi *api, Fts5Context *context, int i,
                     const double *worth, double *frequency_out)
{
    Fts5PhraseIter at;
    int column, offset;
    double sum = 0;
    int rc = api->xPhraseFirst(context, i, &at, &column, &offset);
    while (!rc && column >= 0) {
        sum += worth[column & (SL_RANK_COLUMNS - 1)];
        api->xPhraseNext(context, &at, &column, &offset);
    }
    *frequency_out = sum;
    return rc;
}

static void score(const Fts5ExtensionApi *api, Fts5Context *context,
                  sqlite3_context *result, int count, sqlite3_value **args)
{
    struct sl_rank *rank = rank_of(api, context, result, count, args);
    if (!rank)
        return;
    double worth[SL_RANK_COLUMNS];
    int rc = SQLITE_OK;
    for (int c = 0; c < SL_RANK_COLUMNS && !rc; c++) {
        int size = 0;
        rc = api->xColumnSize(context, c, &size);
        double slope = columns[c].slope;
        worth[c] = columns[c].weight /
                   (1.0 - slope + slope * size / rank->mean_size[c]);
    }
    double sum = 0;
    for (size_t i = 0; i < rank->count && !rc; i++) {
        const struct sl_rank_term *term = &rank->terms[i];
        double f = 0;
        rc = frequency(api, context, (int)i, worth, &f);
        sum += term->weight * term->rarity * f / (f + SATURATION);
    }
    if (rc)
        sqlite3_result_error_code(result, rc);
    else
        sqlite3_result_double(result, rank->total > 0 ? sum / rank->total : 0);
}

static void coverage(const Fts5ExtensionApi *api, Fts5Context *context,
                     sqlite3_context *result, int count, sqlite3_value **args)
{
    struct sl_rank *rank = rank_of(api, context, result, count, args);
    if (!rank)
        return;
    int rc = SQLITE_OK;
    double held = 0;
    for (size_t i = 0; i < rank->count && !rc; i++) {
        Fts5PhraseIter at;
        int column, offset;
        rc = api->xPhraseFirst(context, (int)i, &at, &column, &offset);
        if (column >= 0 && !rank->terms[i].pair)
            held += rank->terms[i].weight * rank->terms[i].rarity;
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
    if (!api || api->xCreateFunction(api, "score", NULL, score, NULL) ||
        api->xCreateFunction(api, "coverage", NULL, coverage, NULL))
        return sl_error_set(error, SL_ERR_INTERNAL,
                            "cannot register the ranking functions");
    return SL_OK;
}
