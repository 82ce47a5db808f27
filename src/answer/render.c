/* The text and JSON forms of an answer. */
#include "answer/ask.h"

#include <string.h>

/* SOURCE:PATH:LINES = URL pattern, once per source that the text cites. */
static void link_patterns(struct sl_buf *out, const struct sl_corpus *corpus,
                          const struct sl_answer_section *section)
{
    for (size_t s = 0; s < corpus->sources.count; s++) {
        const struct sl_source *source = &corpus->sources.items[s];
        for (size_t i = 0; i < section->evidence_count; i++) {
            struct sl_citation citation;
            const struct sl_evidence *evidence = &section->evidence[i];
            if (evidence->kind != SL_REF_CITATION ||
                sl_citation_parse(evidence->ref, &citation, NULL) ||
                !sl_view_eq(citation.source, source->id))
                continue;
            sl_buf_printf(out, "%.*s:PATH:LINE = %.*s/blob/%.*s/PATH#L<LINE>\n",
                          SL_ARG(source->id), SL_ARG(source->repository),
                          SL_ARG(source->commit));
            break;
        }
    }
}

static void links(struct sl_buf *out, const struct sl_answer_section *section)
{
    for (size_t i = 0; i < section->evidence_count; i++) {
        const struct sl_evidence *evidence = &section->evidence[i];
        if (evidence->kind == SL_REF_CITATION && evidence->url.len)
            sl_buf_printf(out, "%.*s\n", SL_ARG(evidence->url));
    }
}

void sl_answer_section_text(struct sl_buf *out, const struct sl_corpus *corpus,
                            const struct sl_answer_section *section)
{
    if (section->text.len) { /* else not even its heading had room */
        sl_buf_add(out, section->text);
        sl_buf_puts(out, section->cut ? "\n\n[cut here]\n\n" : "\n\n");
    }
    sl_buf_printf(out, "[%.*s]\n", SL_ARG(section->found.id));
    if (section->links)
        links(out, section);
    else
        link_patterns(out, corpus, section);
}

/* No line of theirs may look like the one that says where theirs begins. */
static void unmark(struct sl_buf *out, size_t begin)
{
    static const char mark[] = "---- ";
    for (size_t i = begin; i + sizeof mark - 1 <= out->len; i++)
        if ((i == begin || out->ptr[i - 1] == '\n') &&
            memcmp(out->ptr + i, mark, sizeof mark - 1) == 0)
            out->ptr[i] = ' ';
}

static void put_docs(struct sl_buf *out, const struct sl_answer *answer)
{
    const struct sl_docs *docs = answer->docs;
    if (!docs || (!docs->answer.count && !docs->no_room))
        return;
    if (!answer->count)
        sl_buf_puts(out, "(nothing in the knowledge base answers that)\n");
    sl_buf_putc(out, '\n');
    sl_docs_heading(out, docs->corpus);
    size_t begin = out->len;
    if (docs->no_room)
        sl_buf_puts(out, "(what they say has longer names than there is room "
                         "for: a larger budget shows it)\n");
    else
        sl_answer_text(out, docs->corpus, &docs->answer);
    unmark(out, begin);
}

void sl_answer_text(struct sl_buf *out, const struct sl_corpus *corpus,
                    const struct sl_answer *answer)
{
    size_t begin = out->len;
    if (answer->asked.ptr)
        sl_buf_printf(out, "(nothing names %.*s; taken as %.*s)\n\n",
                      SL_ARG(answer->asked), SL_ARG(answer->taken));
    sl_buf_add(out, answer->facts);
    if (answer->weak)
        sl_buf_puts(out, SL_WEAK_NOTE);
    for (size_t i = 0; i < answer->count; i++) {
        if (i)
            sl_buf_putc(out, '\n');
        sl_answer_section_text(out, corpus, &answer->sections[i]);
    }
    for (size_t i = 0; i < answer->more_count; i++) {
        size_t used = out->len - begin;
        size_t need = answer->more[i].len + (i ? 7 : 8);
        if (used + need > answer->budget)
            break;
        sl_buf_printf(out, i ? "      %.*s\n" : "\nmore: %.*s\n",
                      SL_ARG(answer->more[i]));
    }
    put_docs(out, answer);
}

static void json_string(struct sl_buf *out, const char *key,
                        struct sl_view value)
{
    sl_buf_printf(out, "\"%s\":\"", key);
    sl_buf_json(out, value);
    sl_buf_putc(out, '"');
}

static const char *kind_name(enum sl_ref_kind kind)
{
    switch (kind) {
    case SL_REF_CITATION:
        return "citation";
    case SL_REF_RUN:
        return "run";
    case SL_REF_SPEC:
        return "specification";
    default:
        return "thread";
    }
}

void sl_answer_section_json(struct sl_buf *out,
                            const struct sl_answer_section *section)
{
    sl_buf_putc(out, '{');
    json_string(out, "id", section->found.id);
    sl_buf_putc(out, ',');
    json_string(out, "title", section->found.title);
    sl_buf_putc(out, ',');
    json_string(out, "file", section->found.file);
    sl_buf_printf(out, ",\"line\":%u,\"score\":%.3f,\"coverage\":%.3f,"
                       "\"cut\":%s,",
                  section->found.line, section->found.score,
                  section->found.coverage, section->cut ? "true" : "false");
    json_string(out, "text", section->text);
    sl_buf_puts(out, ",\"evidence\":[");
    for (size_t i = 0; i < section->evidence_count; i++) {
        const struct sl_evidence *evidence = &section->evidence[i];
        sl_buf_printf(out, "%s{\"kind\":\"%s\",", i ? "," : "",
                      kind_name(evidence->kind));
        json_string(out, "ref", evidence->ref);
        if (evidence->url.len) {
            sl_buf_putc(out, ',');
            json_string(out, "url", evidence->url);
        }
        sl_buf_putc(out, '}');
    }
    sl_buf_puts(out, "]}");
}

static void put_docs_json(struct sl_buf *out, const struct sl_answer *answer)
{
    const struct sl_docs *docs = answer->docs;
    if (!docs)
        return;
    sl_buf_puts(out, ",\"documents\":{");
    json_string(out, "from", sl_view_of(docs->corpus->from));
    sl_buf_puts(out, ",\"checked\":false,\"sections\":[");
    for (size_t i = 0; i < docs->answer.count; i++) {
        if (i)
            sl_buf_putc(out, ',');
        sl_answer_section_json(out, &docs->answer.sections[i]);
    }
    sl_buf_puts(out, "]}");
}

void sl_answer_json(struct sl_buf *out, const struct sl_corpus *corpus,
                    const struct sl_answer *answer)
{
    (void)corpus;
    sl_buf_puts(out, "{\"schema\":\"shmemlore.ask/1\",");
    json_string(out, "question", answer->question);
    sl_buf_printf(out, ",\"budget\":%zu,\"found\":%s,\"weak\":%s,",
                  answer->budget, answer->count ? "true" : "false",
                  answer->weak ? "true" : "false");
    if (answer->asked.ptr) {
        json_string(out, "unknown", answer->asked);
        sl_buf_putc(out, ',');
        json_string(out, "taken_as", answer->taken);
        sl_buf_putc(out, ',');
    }
    if (answer->facts.len) {
        json_string(out, "facts", sl_view_trim(answer->facts));
        sl_buf_putc(out, ',');
    }
    sl_buf_puts(out, "\"sections\":[");
    for (size_t i = 0; i < answer->count; i++) {
        if (i)
            sl_buf_putc(out, ',');
        sl_answer_section_json(out, &answer->sections[i]);
    }
    sl_buf_puts(out, "],\"more\":[");
    for (size_t i = 0; i < answer->more_count; i++) {
        sl_buf_puts(out, i ? ",\"" : "\"");
        sl_buf_json(out, answer->more[i]);
        sl_buf_putc(out, '"');
    }
    sl_buf_putc(out, ']');
    put_docs_json(out, answer);
    sl_buf_puts(out, "}\n");
}
