/* The text form of what is known of a variable. */
#include "answer/env.h"
#include "answer/fit.h"

#define SECTIONS_MAX 8u
#define SOURCES_MAX 4u

struct word {
    const char *word, *says;
};

static const char *says(const struct word *words, struct sl_view word)
{
    for (; words->word; words++)
        if (sl_view_is(word, words->word))
            return words->says;
    return NULL;
}

static const struct word moments[] = {
    {"init", "once, in the first init or get_uniqueid; never again"},
    {"bootstrap-load", "when the bootstrap is loaded, within init"},
    {"transport-load", "when the transport is loaded, within init"},
    {"import", "when the Python package is imported"},
    {"start", "when the program starts"},
    {"configure", "when NVSHMEM is built"},
    {"unknown", "not known: only the library's strings were seen"},
    {NULL, NULL},
};

static const char *const kinds[] = {
    [SL_ENV_BUILD] = "an option of NVSHMEM's build",
    [SL_ENV_FOREIGN] = "another library's, read or set by NVSHMEM",
    [SL_ENV_RUN] = "read by a running program",
    [SL_ENV_TOOL] = "of NVSHMEM's tests and examples",
};

static void put_gate(struct sl_buf *out, const struct sl_env *row,
                     const struct sl_env_table *table)
{
    struct sl_view first = row->first;
    bool open = sl_view_starts(first, "<=");
    if (open)
        first = sl_view_sub(first, 2, first.len);
    if (!first.len)
        return;
    struct sl_view newest = table->release_count
                                ? table->releases[table->release_count - 1]
                                : SL_LIT("");
    sl_buf_printf(out, "releases   %.*s%s to %.*s%s\n", SL_ARG(first),
                  open ? " (the oldest read)" : "", SL_ARG(row->last),
                  sl_view_eq(row->last, newest) ? " (the newest read)"
                                                : ": gone after it");
}

static void put_missing(struct sl_buf *out, const struct sl_env_answer *answer)
{
    struct sl_view release = answer->release;
    switch (answer->gate) {
    case SL_ENV_BEFORE_FIRST:
        sl_buf_printf(out, "NOT in %.*s: it came later\n", SL_ARG(release));
        break;
    case SL_ENV_AFTER_LAST:
        sl_buf_printf(out, "NOT in %.*s: it is gone\n", SL_ARG(release));
        break;
    case SL_ENV_NOWHERE:
        sl_buf_printf(out, "NOT in %.*s, nor in any other shipped library\n",
                      SL_ARG(release));
        break;
    default:
        break;
    }
}

/* A default is known of the pinned release alone. */
static void put_type(struct sl_fit *fit, const struct sl_corpus *corpus,
                     const struct sl_env *row, struct sl_view release)
{
    struct sl_view pinned = sl_corpus_release(corpus);
    bool other = release.len && !sl_view_eq(release, pinned);
    const char *size = sl_view_is(row->type, "size")
                           ? " (K, M, G, T may follow the number)"
                           : "";
    if (row->type.len && row->fallback.len)
        (void)sl_fit_line(fit,
                          "type       %.*s%s, default %.*s (in %.*s%s%.*s)\n",
                          SL_ARG(row->type), size, SL_ARG(row->fallback),
                          SL_ARG(pinned), other ? "; not known of " : "",
                          other ? (int)release.len : 0, release.ptr);
    else if (row->type.len)
        (void)sl_fit_line(fit, "type       %.*s%s\n", SL_ARG(row->type), size);
}

/* Every moment of the list: a variable may have several readers. */
static void put_moments(struct sl_fit *fit, struct sl_view when)
{
    struct sl_view one;
    const char *title = "when";
    while (sl_view_cut(&when, ',', &one)) {
        const char *moment = says(moments, one);
        struct sl_view told = moment ? sl_view_of(moment) : one;
        (void)sl_fit_line(fit, "%-10s %.*s\n", title, SL_ARG(told));
        title = "";
    }
}

/* Those of the release asked for; of all releases with where they are not in all. */
static void put_readers(struct sl_fit *fit, const struct sl_env *row,
                        struct sl_view release)
{
    struct sl_env_reader reader;
    struct sl_view rest = row->readers;
    struct sl_buf line;
    size_t told = 0;
    sl_buf_init(&line, 4000);
    while (sl_env_next_reader(&rest, &reader)) {
        if (release.len && !sl_env_reads_in(&reader, release))
            continue;
        sl_buf_printf(&line, "%s%.*s", told++ ? ", " : "read by    ",
                      SL_ARG(reader.name));
        if (!release.len && reader.first.len)
            sl_buf_printf(&line, " (%.*s%s%.*s%s)", SL_ARG(reader.first),
                          sl_view_eq(reader.first, reader.last) ? "" : " to ",
                          sl_view_eq(reader.first, reader.last)
                              ? 0
                              : (int)reader.last.len,
                          reader.last.ptr,
                          reader.is_observed ? "" : ", by its strings");
    }
    if (told)
        sl_buf_putc(&line, '\n');
    (void)sl_fit_add(fit, sl_buf_view(&line));
    sl_buf_release(&line);
}

/* Lines that do something with the value are known of the pinned tree alone. */
static void put_used(struct sl_fit *fit, struct sl_view used,
                     struct sl_view pinned)
{
    struct sl_buf line;
    struct sl_view one;
    const char *before = "used by    ";
    sl_buf_init(&line, 4000);
    for (; sl_view_cut(&used, ',', &one); before = ", ")
        sl_buf_printf(&line, "%s%.*s", before, SL_ARG(one));
    sl_buf_printf(&line, " (in %.*s)\n", SL_ARG(pinned));
    (void)sl_fit_add(fit, sl_buf_view(&line));
    sl_buf_release(&line);
}

static void put_row(struct sl_fit *fit, const struct sl_corpus *corpus,
                    const struct sl_env *row, const struct sl_env_table *table,
                    struct sl_view release)
{
    struct sl_buf gate;
    put_type(fit, corpus, row, release);
    sl_buf_init(&gate, 200);
    put_gate(&gate, row, table);
    (void)sl_fit_add(fit, sl_buf_view(&gate));
    sl_buf_release(&gate);
    if (row->readers.len)
        put_readers(fit, row, release);
    if (row->used.len && !sl_view_eq(row->used, row->readers))
        put_used(fit, row->used, sl_corpus_release(corpus));
    put_moments(fit, row->when);
    if (row->note.len)
        (void)sl_fit_line(fit, "note       %.*s\n", SL_ARG(row->note));
}

static void put_sources(struct sl_fit *fit, const struct sl_env *row)
{
    static const struct word words[] = {
        {"source", "a line of the pinned tree"},
        {"observed", "shipped libraries ask for it; no line of the release"},
        {"binary", "a string in shipped libraries, no more"},
        {NULL, NULL},
    };
    const char *what = says(words, row->evidence);
    struct sl_view rest = row->sources, one;
    size_t told = 0, more = 0;
    (void)sl_fit_line(fit, "evidence   %s\n", what ? what : "-");
    while (sl_view_cut(&rest, ' ', &one))
        if (told < SOURCES_MAX && ++told)
            (void)sl_fit_line(fit, "  %.*s\n", SL_ARG(one));
        else
            more++;
    if (more)
        (void)sl_fit_line(fit, "  and %zu more\n", more);
}

static bool cites(struct sl_view citations, struct sl_view id)
{
    struct sl_view one, source;
    while (sl_view_cut(&citations, ' ', &one))
        if (sl_view_cut(&one, ':', &source) && sl_view_eq(source, id))
            return true;
    return false;
}

/* Where the cited sources are, each once. */
static void put_links(struct sl_fit *fit, const struct sl_corpus *corpus,
                      const struct sl_view *citations, size_t count)
{
    for (size_t i = 0; i < corpus->sources.count; i++) {
        const struct sl_source *source = &corpus->sources.items[i];
        bool cited = false;
        for (size_t k = 0; k < count; k++)
            cited |= cites(citations[k], source->id);
        if (cited)
            (void)sl_fit_line(fit,
                              "%.*s:PATH:LINE = "
                              "%.*s/blob/%.*s/PATH#L<LINE>\n",
                              SL_ARG(source->id), SL_ARG(source->repository),
                              SL_ARG(source->commit));
    }
}

static const char *verb_of(struct sl_view kind)
{
    static const struct word words[] = {
        {"env-set", "sets it"},
        {"env-unset", "unsets it"},
        {"env-read", "reads it"},
        {"env-doc", "tells its users to set it"},
        {NULL, NULL},
    };
    const char *verb = says(words, kind);
    return verb ? verb : "names it";
}

static void put_uses(struct sl_fit *fit, const struct sl_users *uses)
{
    if (uses->count)
        (void)sl_fit_line(fit, "in projects\n");
    for (size_t i = 0; i < uses->count; i++) {
        const struct sl_user *use = &uses->items[i];
        struct sl_view rest = use->places, place = SL_LIT("");
        bool set = sl_view_is(use->kind, "env-set") ||
                   sl_view_is(use->kind, "env-doc");
        (void)sl_view_cut(&rest, ' ', &place);
        (void)sl_fit_line(
            fit, "  %.*s %s%s%.*s: %.*s%s\n", SL_ARG(use->source),
            verb_of(use->kind),
            !use->value.len ? ""
            : set           ? " to "
                            : ", else ",
            SL_ARG(use->value), SL_ARG(place), use->count > 1 ? " ..." : "");
    }
}

static void put_sections(struct sl_fit *fit, const struct sl_mentions *sections)
{
    if (sections->count)
        (void)sl_fit_line(fit, "sections (`shmemlore show ID`)\n");
    for (size_t i = 0; i < sections->count && i < SECTIONS_MAX; i++)
        (void)sl_fit_line(fit, "  %.*s\n", SL_ARG(sections->items[i].id));
    if (sections->count > SECTIONS_MAX)
        (void)sl_fit_line(fit, "  and %zu more\n",
                          sections->count - SECTIONS_MAX);
}

/* True: all of it. */
static bool put_list(struct sl_fit *fit, const struct sl_env_answer *answer)
{
    size_t told = 0;
    while (told < answer->count &&
           sl_fit_line(fit, "%.*s\n", SL_ARG(answer->rows[told]->name)))
        told++;
    if (told < answer->count)
        sl_buf_printf(fit->out,
                      "[%zu of %zu names; a larger budget shows more]\n",
                      told, answer->count);
    return told == answer->count;
}

/* One piece of evidence of the map, in words where it is no citation. */
static void put_reason(struct sl_fit *fit, const struct sl_corpus *corpus,
                       struct sl_view reason)
{
    struct sl_view words = sl_view_sub(
        reason, sl_view_find(reason, SL_LIT(":"), 0) + 1, reason.len);
    if (sl_view_starts(reason, "absent"))
        (void)sl_fit_line(fit, "  no run-time name of %.*s contains %.*s\n",
                          SL_ARG(sl_corpus_release(corpus)), SL_ARG(words));
    else if (sl_view_starts(reason, "observed:"))
        (void)sl_fit_line(fit, "  observed: a later release asks for %.*s\n",
                          SL_ARG(words));
    else
        (void)sl_fit_line(fit, "  %.*s\n", SL_ARG(reason));
}

static void put_nccl(struct sl_fit *fit, const struct sl_corpus *corpus,
                     const struct sl_env_answer *answer)
{
    const struct sl_nccl *nccl = answer->nccl;
    struct sl_view rest = nccl->evidence, one;
    if (answer->count)
        (void)sl_fit_line(fit, "%.*s: in NVSHMEM %.*s\n", SL_ARG(nccl->name),
                          SL_ARG(nccl->counterparts));
    else
        (void)sl_fit_line(fit, "%.*s: NVSHMEM has no counterpart\n",
                          SL_ARG(nccl->name));
    (void)sl_fit_line(fit, "but        %.*s\n", SL_ARG(nccl->difference));
    for (size_t i = 0; i < answer->count; i++) {
        const struct sl_env *row = answer->rows[i];
        bool out = answer->release.len &&
                   sl_env_gate(&answer->table, row, answer->release) !=
                       SL_ENV_HERE;
        (void)sl_fit_line(fit, "%.*s%s%.*s\n", SL_ARG(row->name),
                          out ? ": NOT in " : "",
                          SL_ARG(out ? answer->release : SL_LIT("")));
        put_row(fit, corpus, row, &answer->table, answer->release);
    }
    (void)sl_fit_line(fit, "evidence\n");
    while (sl_view_cut(&rest, ' ', &one))
        put_reason(fit, corpus, one);
    put_links(fit, corpus, &nccl->evidence, 1);
}

static void put_one(struct sl_fit *fit, const struct sl_corpus *corpus,
                    const struct sl_env_answer *answer)
{
    struct sl_view cited[4]; /* a name has at most a row of each kind */
    size_t cited_count = 0;
    for (size_t i = 0; i < answer->count; i++) {
        const struct sl_env *row = answer->rows[i];
        (void)sl_fit_line(fit, "%.*s: %s\n", SL_ARG(row->name),
                          kinds[row->kind]);
        if (i == 0)
            put_missing(fit->out, answer);
        put_row(fit, corpus, row, &answer->table, answer->release);
        if (i == 0 && answer->is_symbol)
            (void)sl_fit_line(fit, "symbol     `shmemlore symbol %.*s`\n",
                              SL_ARG(row->name));
        if (i == 0)
            put_sections(fit, &answer->sections);
        put_sources(fit, row);
        if (cited_count < sizeof cited / sizeof *cited)
            cited[cited_count++] = row->sources;
    }
    put_links(fit, corpus, cited, cited_count);
    put_uses(fit, &answer->uses);
}

bool sl_env_text(struct sl_buf *out, const struct sl_corpus *corpus,
                 const struct sl_env_answer *answer, size_t budget)
{
    struct sl_fit fit;
    sl_fit_init(&fit, out, budget);
    if (answer->is_list)
        return put_list(&fit, answer);
    if (answer->nccl)
        put_nccl(&fit, corpus, answer);
    else
        put_one(&fit, corpus, answer);
    sl_fit_close(&fit);
    return fit.left == 0;
}
