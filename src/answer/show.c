#include "answer/show.h"

#include "answer/ask.h"
#include "answer/env.h"
#include "answer/run.h"
#include "answer/symbol.h"
#include "base/limits.h"
#include "cite/show.h"
#include "os/file.h"

static void json_open(struct sl_buf *out, const char *kind, struct sl_view ref)
{
    sl_buf_printf(out, "{\"schema\":\"shmemlore.show/1\",\"kind\":\"%s\","
                       "\"ref\":\"",
                  kind);
    sl_buf_json(out, ref);
    sl_buf_puts(out, "\",");
}

static enum sl_status not_found(struct sl_corpus *corpus, struct sl_view ref,
                                struct sl_error *error)
{
    struct sl_view near[3];
    size_t count = 0;
    enum sl_status status = sl_index_similar(corpus->index, &corpus->arena, ref,
                                             3, near, &count, error);
    if (status)
        return status;
    struct sl_buf message;
    sl_buf_init(&message, sizeof error->message - 1);
    sl_buf_printf(&message, "nothing is named '%.*s'",
                  SL_ARG(sl_view_sub(ref, 0, 120)));
    for (size_t i = 0; i < count; i++)
        sl_buf_printf(&message, "%s%.*s", i ? ", " : "; near it: ",
                      SL_ARG(sl_view_sub(near[i], 0, 110)));
    status = sl_error_set(error, SL_ERR_NOTFOUND, "%s",
                          message.ptr ? message.ptr : "nothing by that name");
    sl_buf_release(&message);
    return status;
}

/* A symbol or a variable; SL_ERR_NOTFOUND, and nothing written, for others. */
static enum sl_status show_name(struct sl_corpus *corpus, struct sl_view ref,
                                bool json, struct sl_buf *out)
{
    struct sl_symbol_answer symbol;
    struct sl_env_answer env;
    struct sl_view none = SL_LIT("");
    struct sl_error why = {SL_OK, ""};
    if (sl_env_ask(corpus, ref, none, &env, &why) == SL_OK) {
        if (json)
            sl_env_json(out, &env);
        else
            sl_env_text(out, corpus, &env, SL_DEFAULT_BUDGET);
        return SL_OK;
    }
    if (sl_symbol_ask(corpus, ref, none, &symbol, &why))
        return SL_ERR_NOTFOUND;
    if (json)
        sl_symbol_json(out, &symbol);
    else
        sl_symbol_text(out, corpus, &symbol, SL_DEFAULT_BUDGET);
    return SL_OK;
}

static enum sl_status show_section(struct sl_corpus *corpus,
                                   struct sl_view ref, bool json,
                                   struct sl_buf *out, struct sl_error *error)
{
    struct sl_answer_section section = {.links = true};
    enum sl_status status = sl_index_section(corpus->index, &corpus->arena, ref,
                                             &section.found, error);
    if (status == SL_ERR_NOTFOUND)
        return show_name(corpus, ref, json, out) == SL_OK
                   ? SL_OK
                   : not_found(corpus, ref, error);
    if (!status)
        status = sl_index_subtree(corpus->index, &corpus->arena, ref,
                                  &section.text, error);
    if (!status) {
        section.text = sl_view_trim(section.text);
        status = sl_evidence_of(corpus, section.text, &section.evidence,
                                &section.evidence_count, error);
    }
    if (status)
        return status;
    if (!json) {
        sl_answer_section_text(out, corpus, &section);
        return SL_OK;
    }
    json_open(out, "section", ref);
    sl_buf_puts(out, "\"section\":");
    sl_answer_section_json(out, &section);
    sl_buf_puts(out, "}\n");
    return SL_OK;
}

static enum sl_status show_run(struct sl_corpus *corpus, struct sl_view ref,
                               bool json, struct sl_buf *out,
                               struct sl_error *error)
{
    struct sl_buf path;
    sl_buf_init(&path, SL_MAX_PATH);
    sl_buf_printf(&path, "evidence/runs/%.*s.json",
                  SL_ARG(sl_view_sub(ref, 4, ref.len)));
    struct sl_view record;
    enum sl_status status = sl_buf_check(&path, error);
    if (!status && !sl_path_is_inside(sl_buf_view(&path)))
        status = sl_error_set(error, SL_ERR_REFUSED,
                              "'%.*s' is not the name of a run", SL_ARG(ref));
    if (!status)
        status = sl_index_read(corpus->index, &corpus->arena,
                               sl_buf_view(&path), &record, error);
    sl_buf_release(&path);
    if (status == SL_ERR_NOTFOUND)
        return sl_error_set(error, status, "there is no run named '%.*s'",
                            SL_ARG(sl_view_sub(ref, 0, 200)));
    if (status)
        return status;
    if (!json)
        return sl_run_text(record, out, error);
    status = sl_run_check(record, error);
    if (status)
        return status;
    json_open(out, "run", ref);
    sl_buf_puts(out, "\"record\":");
    sl_buf_add(out, sl_view_trim(record));
    sl_buf_puts(out, "}\n");
    return SL_OK;
}

static enum sl_status show_citation(struct sl_corpus *corpus,
                                    struct sl_view ref, bool json,
                                    struct sl_buf *out, struct sl_error *error)
{
    struct sl_view lock_bytes;
    struct sl_lock lock = {0};
    enum sl_status status =
        sl_index_read(corpus->index, &corpus->arena,
                      SL_LIT("evidence/citations.lock"), &lock_bytes, error);
    if (!status)
        status = sl_lock_parse(&corpus->arena, lock_bytes, &lock, error);
    else if (status == SL_ERR_NOTFOUND)
        status = SL_OK;
    struct sl_shown_citation shown;
    if (!status)
        status = sl_citation_show(&corpus->arena, &corpus->sources, &lock, ref,
                                  &shown, error);
    if (status)
        return status;
    if (json)
        sl_citation_show_json(out, &shown);
    else
        sl_citation_show_text(out, &shown);
    return SL_OK;
}

enum sl_status sl_show(struct sl_corpus *corpus, struct sl_view ref, bool json,
                       struct sl_buf *out, struct sl_error *error)
{
    ref = sl_view_trim(ref);
    if (ref.len > 1 && ref.ptr[0] == '`' && ref.ptr[ref.len - 1] == '`')
        ref = sl_view_sub(ref, 1, ref.len - 1);
    enum sl_status status;
    if (sl_view_starts(ref, "run:"))
        status = show_run(corpus, ref, json, out, error);
    else if (sl_text_is_citation(ref))
        status = show_citation(corpus, ref, json, out, error);
    else
        status = show_section(corpus, ref, json, out, error);
    return sl_arena_explain(&corpus->arena, status, error);
}
