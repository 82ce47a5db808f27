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
                       "\"found\":true,\"ref\":\"",
                  kind);
    sl_buf_json(out, ref);
    sl_buf_puts(out, "\",");
}

#define NEAR_MAX 3u
#define NAMING_MAX 20u

static enum sl_status not_found(struct sl_corpus *corpus, struct sl_view ref,
                                struct sl_error *error)
{
    struct sl_view near[NEAR_MAX];
    size_t count = 0;
    enum sl_status status = sl_index_similar(corpus->index, &corpus->arena, ref,
                                             NEAR_MAX, near, &count, error);
    if (status)
        return status;
    struct sl_buf message;
    sl_buf_init(&message, sizeof error->message - 1);
    sl_buf_printf(&message, "nothing is named '%.*s'",
                  SL_ARG(sl_view_sub(ref, 0, 120)));
    for (size_t i = 0; i < count; i++) /* whole: it is there to be copied */
        if (message.len + near[i].len + 12 < message.max)
            sl_buf_printf(&message, "%s%.*s", i ? ", " : "; near it: ",
                          SL_ARG(near[i]));
    status = sl_error_set(error, SL_ERR_NOTFOUND, "%s",
                          message.ptr ? message.ptr : "nothing by that name");
    sl_buf_release(&message);
    return status;
}

/* A symbol or a variable; SL_ERR_NOTFOUND, and nothing written, for others. */
static enum sl_status show_name(struct sl_corpus *corpus, struct sl_view ref,
                                bool json, size_t budget, struct sl_buf *out)
{
    struct sl_symbol_answer symbol;
    struct sl_env_answer env;
    struct sl_view none = {NULL, 0};
    struct sl_error why = {SL_OK, ""};
    bool variable = sl_env_ask(corpus, ref, none, &env, &why) == SL_OK;
    if (!variable && sl_symbol_ask(corpus, ref, none, &symbol, &why))
        return SL_ERR_NOTFOUND;
    if (json) {
        json_open(out, variable ? "variable" : "symbol", ref);
        sl_buf_puts(out, "\"record\":");
        if (variable)
            sl_env_json(out, &env);
        else
            sl_symbol_json(out, &symbol);
        sl_buf_truncate(out, out->len ? out->len - 1 : 0); /* its newline */
        sl_buf_puts(out, "}\n");
    } else if (variable) {
        sl_env_text(out, corpus, &env, budget);
    } else {
        sl_symbol_text(out, corpus, &symbol, budget);
    }
    return SL_OK;
}

static enum sl_status print_ids(struct sl_corpus *corpus, const char *kind,
                                struct sl_view ref, struct sl_view url,
                                const struct sl_view *ids, size_t count,
                                bool json, struct sl_buf *out,
                                struct sl_error *error)
{
    if (json) {
        json_open(out, kind, ref);
        sl_buf_puts(out, "\"url\":\"");
        sl_buf_json(out, url);
        sl_buf_puts(out, "\",\"sections\":[");
    } else if (url.len) {
        sl_buf_printf(out, "%.*s\n", SL_ARG(url));
    }
    for (size_t i = 0; i < count; i++) {
        struct sl_found found;
        enum sl_status status = sl_index_section(
            corpus->index, &corpus->arena, ids[i], &found, error);
        if (status)
            return status;
        if (json) {
            sl_buf_puts(out, i ? ",\"" : "\"");
            sl_buf_json(out, found.id);
            sl_buf_putc(out, '"');
        } else {
            sl_buf_printf(out, "%.*s\n    %.*s\n", SL_ARG(found.id),
                          SL_ARG(found.title));
        }
    }
    if (json)
        sl_buf_puts(out, "]}\n");
    return SL_OK;
}

/* What no section is called, but sections speak of: threads, routines, names. */
static enum sl_status show_naming(struct sl_corpus *corpus, struct sl_view ref,
                                  bool json, struct sl_buf *out,
                                  struct sl_error *error)
{
    struct sl_view ids[NAMING_MAX];
    size_t count = 0;
    if (ref.len < 3)
        return not_found(corpus, ref, error);
    enum sl_status status = sl_index_naming(corpus->index, &corpus->arena, ref,
                                            NAMING_MAX, ids, &count, error);
    if (status || count == 0)
        return status ? status : not_found(corpus, ref, error);
    struct sl_evidence *evidence;
    size_t evidence_count;
    status = sl_evidence_of(corpus, ref, &evidence, &evidence_count, error);
    if (status)
        return status;
    struct sl_view url = evidence_count ? evidence[0].url : SL_LIT("");
    return print_ids(corpus, "sections", ref, url, ids, count, json, out,
                     error);
}

/* A file's stem lists its sections; the beginning of one id alone is that id. */
static enum sl_status show_beginning(struct sl_corpus *corpus,
                                     struct sl_view ref, bool json,
                                     struct sl_buf *out, bool *shown_out,
                                     struct sl_view *id_out,
                                     struct sl_error *error)
{
    struct sl_view *ids =
        sl_arena_alloc(&corpus->arena, SL_MAX_SHOWN_IDS * sizeof *ids);
    if (!ids)
        return sl_error_nomem(error);
    size_t count = 0;
    enum sl_status status =
        sl_index_beginning(corpus->index, &corpus->arena, ref,
                           SL_MAX_SHOWN_IDS, ids, &count, error);
    *shown_out = false;
    if (status || count == 0)
        return status;
    if (count == 1) {
        *id_out = ids[0];
        return SL_OK;
    }
    if (ref.len >= ids[0].len ||
        (ids[0].ptr[ref.len] != '#' && ref.ptr[ref.len - 1] != '#'))
        return SL_OK; /* several, and not a whole stem: ambiguous */
    *shown_out = true;
    return print_ids(corpus, "sections", ref, SL_LIT(""), ids, count, json, out,
                     error);
}

static enum sl_status show_section(struct sl_corpus *corpus,
                                   struct sl_view ref, bool json,
                                   size_t budget,
                                   struct sl_buf *out, struct sl_error *error)
{
    struct sl_answer_section section = {.links = true};
    enum sl_status status = sl_index_section(corpus->index, &corpus->arena, ref,
                                             &section.found, error);
    if (status == SL_ERR_NOTFOUND && ref.len) {
        bool shown = false;
        struct sl_view id = {NULL, 0};
        status = show_beginning(corpus, ref, json, out, &shown, &id, error);
        if (status || shown)
            return status;
        if (!id.ptr)
            return show_name(corpus, ref, json, budget, out) == SL_OK
                       ? SL_OK
                       : show_naming(corpus, ref, json, out, error);
        ref = id;
        status = sl_index_section(corpus->index, &corpus->arena, ref,
                                  &section.found, error);
    }
    if (status == SL_ERR_NOTFOUND)
        return not_found(corpus, ref, error);
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

/* What stands around a reference where it was copied from. */
static struct sl_view bare(struct sl_view ref)
{
    static const char pairs[][2] = {{'`', '`'}, {'[', ']'}};
    ref = sl_view_trim(ref);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (ref.len > 1 && ref.ptr[0] == pairs[i][0] &&
            ref.ptr[ref.len - 1] == pairs[i][1])
            ref = sl_view_sub(ref, 1, ref.len - 1);
    return ref;
}

/* A permalink of ours back into the citation, or ref as it is. */
static enum sl_status from_url(struct sl_corpus *corpus, struct sl_view *ref,
                               struct sl_error *error)
{
    for (size_t i = 0; i < corpus->sources.count; i++) {
        const struct sl_source *source = &corpus->sources.items[i];
        struct sl_buf buf;
        sl_buf_init(&buf, SL_MAX_PATH * 2);
        sl_buf_printf(&buf, "%.*s/blob/%.*s/", SL_ARG(source->repository),
                      SL_ARG(source->commit));
        size_t begin = buf.len;
        bool ours = !buf.failed && sl_view_starts(*ref, buf.ptr);
        size_t hash = ours ? sl_view_find(*ref, SL_LIT("#L"), begin) : SIZE_MAX;
        sl_buf_truncate(&buf, 0);
        if (hash == SIZE_MAX) {
            sl_buf_release(&buf);
            continue;
        }
        struct sl_view lines = sl_view_sub(*ref, hash + 2, ref->len);
        sl_buf_printf(&buf, "%.*s:%.*s:", SL_ARG(source->id),
                      SL_ARG(sl_view_sub(*ref, begin, hash)));
        for (size_t k = 0; k < lines.len; k++)
            if (lines.ptr[k] != 'L')
                sl_buf_putc(&buf, lines.ptr[k]);
        enum sl_status status = sl_buf_check(&buf, error);
        if (!status)
            *ref = sl_arena_copy(&corpus->arena, sl_buf_view(&buf));
        sl_buf_release(&buf);
        return status || ref->ptr ? status : sl_error_nomem(error);
    }
    return SL_OK;
}

enum sl_status sl_show_citation_of(struct sl_corpus *corpus,
                                   struct sl_view *ref, struct sl_error *error)
{
    *ref = bare(*ref);
    return from_url(corpus, ref, error);
}

enum sl_status sl_show(struct sl_corpus *corpus, struct sl_view ref, bool json,
                       size_t budget, struct sl_buf *out,
                       struct sl_error *error)
{
    enum sl_status status = sl_show_citation_of(corpus, &ref, error);
    if (status)
        return status;
    if (sl_view_starts(ref, "run:"))
        status = show_run(corpus, ref, json, out, error);
    else if (sl_text_is_citation(ref))
        status = show_citation(corpus, ref, json, out, error);
    else
        status = show_section(corpus, ref, json, budget, out, error);
    return sl_arena_explain(&corpus->arena, status, error);
}
