#include "upgrade/upgrade.h"

#include "base/limits.h"
#include "upgrade/internal.h"

static enum sl_status read_tables(struct sl_judge *judge)
{
    struct sl_corpus *corpus = judge->corpus;
    struct sl_symbols_text text;
    struct sl_view env;
    struct sl_error *error = judge->error;
    enum sl_status status =
        sl_corpus_read(corpus, SL_SYMBOLS_TSV, &text.symbols, error);
    if (!status)
        status = sl_corpus_read(corpus, SL_SIGNATURES_TSV, &text.signatures,
                                error);
    if (!status)
        status = sl_corpus_read(corpus, SL_PACKAGES_TSV, &text.packages, error);
    if (!status)
        status = sl_corpus_read(corpus, "evidence/env.tsv", &env, error);
    if (status == SL_ERR_NOTFOUND)
        return sl_error_set(error, SL_ERR_USAGE,
                            "this knowledge base has no tables of names");
    if (!status)
        status = sl_symbols_select(judge->arena, &text, NULL, NULL,
                                   &judge->symbols, error);
    if (!status)
        status = sl_env_parse(judge->arena, env, &judge->env, error);
    return status;
}

static enum sl_status check_release(const struct sl_judge *judge,
                                    struct sl_view release)
{
    const struct sl_symbols *symbols = &judge->symbols;
    if (sl_symbols_release(symbols, release).len)
        return SL_OK;
    struct sl_buf known;
    sl_buf_init(&known, 300);
    for (size_t i = 0; i < symbols->release_count; i++)
        sl_buf_printf(&known, "%s%.*s", i ? ", " : "",
                      SL_ARG(symbols->releases[i]));
    enum sl_status status = sl_error_set(
        judge->error, SL_ERR_USAGE, "no release %.*s is among those read: %s",
        SL_ARG(sl_view_sub(release, 0, 40)), known.ptr ? known.ptr : "none");
    sl_buf_release(&known);
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
        status = check_release(&judge, request->from);
    if (!status)
        status = check_release(&judge, request->to);
    if (!status)
        status = sl_spots_read(judge.arena, request, &spots, &upgrade, error);
    if (status)
        return status;
    for (size_t i = 0; !status && i < spots.count; i++)
        status = sl_judge_spot(&judge, &spots.items[i]);
    sl_spots_release(&spots);
    if (!status)
        *upgrade_out = upgrade;
    return status;
}

static const char *const levels[] = {"error", "warning", "note"};

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

void sl_upgrade_text(struct sl_buf *out, const struct sl_upgrade *upgrade)
{
    const size_t *n = upgrade->levels;
    for (size_t i = 0; i < upgrade->count; i++) {
        const struct sl_finding *finding = &upgrade->items[i];
        sl_buf_printf(out, "%.*s:%u: %s: %.*s [%s]\n", SL_ARG(finding->file),
                      finding->line, levels[finding->level],
                      SL_ARG(finding->message), finding->kind);
    }
    sl_buf_printf(out,
                  "NVSHMEM %.*s to %.*s: %zu error%s, %zu warning%s, %zu "
                  "note%s\n",
                  SL_ARG(upgrade->from), SL_ARG(upgrade->to),
                  n[SL_UPGRADE_ERROR], plural(n[SL_UPGRADE_ERROR]),
                  n[SL_UPGRADE_WARNING], plural(n[SL_UPGRADE_WARNING]),
                  n[SL_UPGRADE_NOTE], plural(n[SL_UPGRADE_NOTE]));
    sl_buf_printf(out,
                  "%zu files read, %zu that name NVSHMEM parsed; not "
                  "understood %zu of %zu bytes",
                  upgrade->files, upgrade->parsed, upgrade->unparsed,
                  upgrade->bytes);
    if (upgrade->failed)
        sl_buf_printf(out, ", with %zu files not parsed at all",
                      upgrade->failed);
    if (upgrade->pasted)
        sl_buf_printf(out, "; %zu names that macros paste are not judged",
                      upgrade->pasted);
    sl_buf_putc(out, '\n');
}

static void put_string(struct sl_buf *out, const char *key,
                       struct sl_view value)
{
    sl_buf_printf(out, "\"%s\":\"", key);
    sl_buf_json(out, value);
    sl_buf_putc(out, '"');
}

void sl_upgrade_json(struct sl_buf *out, const struct sl_upgrade *upgrade)
{
    sl_buf_puts(out, "{\"schema\":\"shmemlore.upgrade/1\",");
    put_string(out, "from", upgrade->from);
    sl_buf_putc(out, ',');
    put_string(out, "to", upgrade->to);
    sl_buf_puts(out, ",\"findings\":[");
    for (size_t i = 0; i < upgrade->count; i++) {
        const struct sl_finding *finding = &upgrade->items[i];
        sl_buf_puts(out, i ? ",\n{" : "\n{");
        put_string(out, "file", finding->file);
        sl_buf_printf(out, ",\"line\":%u,\"level\":\"%s\",\"kind\":\"%s\",",
                      finding->line, levels[finding->level], finding->kind);
        put_string(out, "name", finding->name);
        sl_buf_putc(out, ',');
        put_string(out, "message", finding->message);
        if (finding->section.len) {
            sl_buf_putc(out, ',');
            put_string(out, "section", finding->section);
        }
        sl_buf_putc(out, '}');
    }
    sl_buf_printf(out,
                  "],\"errors\":%zu,\"warnings\":%zu,\"notes\":%zu,"
                  "\"files\":%zu,\"parsed\":%zu,\"failed\":%zu,\"bytes\":%zu,"
                  "\"unparsed\":%zu,\"pasted\":%zu}\n",
                  upgrade->levels[SL_UPGRADE_ERROR],
                  upgrade->levels[SL_UPGRADE_WARNING],
                  upgrade->levels[SL_UPGRADE_NOTE], upgrade->files,
                  upgrade->parsed, upgrade->failed, upgrade->bytes,
                  upgrade->unparsed, upgrade->pasted);
}
