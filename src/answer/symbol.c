#include "answer/symbol.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "answer/other.h"
#include "api/options.h"
#include "api/release.h"
#include "base/limits.h"

#define NEAR_MAX 6u
#define PINNED "nvshmem" /* the source whose headers the tables' lines are of */

struct ask {
    struct sl_corpus *corpus;
    struct sl_arena *arena;
    struct sl_symbols_text text;
    struct sl_symbol_answer *answer;
    struct sl_error *error;
};

static bool is_named(struct sl_view name, struct sl_view family,
                     const void *context)
{
    (void)family;
    return sl_view_eq(name, *(const struct sl_view *)context);
}

static bool is_of_family(struct sl_view name, struct sl_view family,
                         const void *context)
{
    (void)name;
    return sl_view_eq(family, *(const struct sl_view *)context);
}

static bool is_fitting(struct sl_view name, struct sl_view family,
                       const void *pattern)
{
    char text[SL_MAX_TOKEN * 4];
    (void)family;
    if (name.len >= sizeof text)
        return false;
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    return fnmatch(pattern, text, 0) == 0;
}

static bool is_glob(struct sl_view name)
{
    return memchr(name.ptr, '*', name.len) || memchr(name.ptr, '?', name.len) ||
           memchr(name.ptr, '[', name.len);
}

/* The release as the tables spell it. */
static enum sl_status check_release(const struct ask *ask)
{
    struct sl_symbol_answer *answer = ask->answer;
    if (!answer->release.ptr)
        return SL_OK;
    return sl_release_read(answer->release, answer->symbols.releases,
                           answer->symbols.release_count, &answer->release,
                           ask->error);
}

/* Keeps what the release has; the list is filled in place. */
static void keep_release(struct sl_symbol_answer *answer)
{
    size_t kept = 0;
    for (size_t i = 0; i < answer->name_count; i++)
        if (!answer->release.len ||
            sl_symbol_in(&answer->symbols, answer->names[i], answer->release,
                         NULL))
            answer->names[kept++] = answer->names[i];
    answer->name_count = kept;
}

/* All names that were read, in the table's order. */
static enum sl_status list_all(struct ask *ask)
{
    struct sl_symbol_answer *answer = ask->answer;
    size_t count = answer->symbols.count;
    answer->names =
        sl_arena_alloc(ask->arena, (count + 1) * sizeof *answer->names);
    if (!answer->names)
        return sl_error_nomem(ask->error);
    for (size_t i = 0; i < count; i++)
        answer->names[i] = &answer->symbols.items[i];
    answer->name_count = count;
    return SL_OK;
}

/* The members of a family, or what a glob fits; none of a family is no failure. */
static enum sl_status ask_list(struct ask *ask, bool glob)
{
    struct sl_symbol_answer *answer = ask->answer;
    struct sl_view asked = sl_arena_copy(ask->arena, answer->asked);
    if (!asked.ptr)
        return sl_error_nomem(ask->error);
    const void *context = glob ? (const void *)asked.ptr : &asked;
    enum sl_status status = sl_symbols_select(
        ask->arena, &ask->text, glob ? is_fitting : is_of_family, context,
        &answer->symbols, ask->error);
    if (!status)
        status = check_release(ask);
    if (!status)
        status = list_all(ask);
    if (status)
        return status;
    size_t all = answer->name_count;
    keep_release(answer);
    answer->is_list = true;
    if (!answer->name_count && all)
        return sl_error_set(ask->error, SL_ERR_NOTFOUND,
                            "none of the %zu names that fit '%.*s' is in %.*s",
                            all, SL_ARG(asked), SL_ARG(answer->release));
    return answer->name_count || !glob
               ? SL_OK
               : sl_error_set(ask->error, SL_ERR_NOTFOUND,
                              "no name fits '%.*s'", SL_ARG(asked));
}

/* " near it: ...", as far as the message has room. */
static void put_near(struct sl_buf *message, const struct sl_near *near,
                     size_t count)
{
    for (size_t i = 0; i < count && message->len < 420; i++) {
        bool one = sl_view_eq(near[i].name, near[i].family);
        sl_buf_printf(message, "%s%.*s", i ? ", " : "; near it: ",
                      SL_ARG(one ? near[i].name : near[i].family));
        if (!one && message->len < 360)
            sl_buf_printf(message, " (%.*s)", SL_ARG(near[i].name));
    }
}

/* Variables: the one that is called so, or those near it when no name is. */
static enum sl_status put_variables(const struct ask *ask,
                                    struct sl_buf *message)
{
    struct sl_names_near near;
    enum sl_status status = sl_near_variables(
        ask->corpus, ask->answer->asked, &near, ask->error);
    if (status || !near.count)
        return status;
    if (near.exact)
        sl_buf_printf(message,
                      "; %.*s is an environment variable: `shmemlore env "
                      "%.*s`",
                      SL_ARG(near.names[0]), SL_ARG(near.names[0]));
    for (size_t i = 0; !near.exact && i < near.count; i++)
        sl_buf_printf(message, "%s%.*s",
                      i ? ", " : "; variables near it (`shmemlore env`): ",
                      SL_ARG(near.names[i]));
    return SL_OK;
}

/* What is there only with a build option that no package has; else, that nothing is. */
static enum sl_status put_missing(const struct ask *ask, struct sl_buf *message)
{
    struct sl_view table, asked = ask->answer->asked;
    struct sl_option_name row;
    bool found = false;
    enum sl_status status = sl_corpus_read(ask->corpus, SL_OPTIONS_TSV, &table,
                                           ask->error);
    if (status == SL_ERR_NOTFOUND) {
        *ask->error = (struct sl_error){SL_OK, ""};
        status = SL_OK;
    } else if (!status) {
        status = sl_options_find(table, asked, &row, &found, ask->error);
    }
    sl_buf_printf(message, "no package has a name '%.*s'",
                  SL_ARG(sl_view_sub(asked, 0, 80)));
    if (!found)
        return status;
    bool open = sl_view_starts(row.first, "<=");
    bool lasts = sl_view_is(row.last, "-");
    sl_buf_printf(message,
                  "; the headers from %.*s %s%.*s declare it only with %.*s, "
                  "which the packages leave off (%.*s)",
                  SL_ARG(sl_view_sub(row.first, open ? 2 : 0, row.first.len)),
                  lasts ? "on" : "to ", SL_ARG(lasts ? SL_LIT("") : row.last),
                  SL_ARG(row.option), SL_ARG(row.line));
    return status;
}

static enum sl_status not_found(const struct ask *ask)
{
    const struct sl_symbol_answer *answer = ask->answer;
    struct sl_buf message;
    sl_buf_init(&message, sizeof ask->error->message - 1);
    enum sl_status status = put_missing(ask, &message);
    put_near(&message, answer->near, answer->near_count);
    if (!status)
        status = put_variables(ask, &message);
    if (!status)
        status = sl_error_set(ask->error, SL_ERR_NOTFOUND, "%s",
                              message.ptr ? message.ptr : "no such name");
    sl_buf_release(&message);
    return status;
}

bool sl_header_is_pinned(const struct sl_corpus *corpus, struct sl_view release,
                         struct sl_view header)
{
    static const char *const made[] = {"non_abi/nvshmem_build_options.h",
                                       "non_abi/nvshmem_version.h"};
    if (!sl_view_eq(sl_corpus_release(corpus), release))
        return false;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (sl_view_is(header, made[i]))
            return false;
    return true;
}

static enum sl_status add_place(struct ask *ask, const char *what,
                                struct sl_view header)
{
    struct sl_symbol_answer *answer = ask->answer;
    const struct sl_source *source =
        sl_sources_find(&ask->corpus->sources, SL_LIT(PINNED));
    struct sl_symbol_place place = {.what = what, .header = header};
    size_t colon = sl_view_find(header, SL_LIT(":"), 0);
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_PATH * 4);
    if (source && colon != SIZE_MAX &&
        sl_header_is_pinned(ask->corpus, answer->symbol->release,
                            sl_view_sub(header, 0, colon))) {
        struct sl_citation citation;
        sl_buf_printf(&buf, PINNED ":src/include/%.*s", SL_ARG(header));
        place.citation = sl_arena_copy(ask->arena, sl_buf_view(&buf));
        sl_buf_truncate(&buf, 0);
        if (place.citation.ptr &&
            !sl_citation_parse(place.citation, &citation, NULL))
            sl_source_permalink(&buf, source, &citation);
        place.url = sl_arena_copy(ask->arena, sl_buf_view(&buf));
    }
    enum sl_status status = sl_buf_check(&buf, ask->error);
    sl_buf_release(&buf);
    if (!status)
        answer->places[answer->place_count++] = place;
    return status;
}

/* The lines of one column: PATH:LINE, several joined by '|', '-' for none. */
static enum sl_status add_places(struct ask *ask, const char *what,
                                 struct sl_view column)
{
    struct sl_view place;
    enum sl_status status = SL_OK;
    while (!status && sl_view_cut(&column, '|', &place))
        if (!sl_view_is(place, "-"))
            status = add_place(ask, what, place);
    return status;
}

static size_t count_bars(struct sl_view text)
{
    size_t n = 1;
    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '|';
    return n;
}

static enum sl_status read_places(struct ask *ask)
{
    const struct sl_symbol *symbol = ask->answer->symbol;
    bool made = !sl_view_is(symbol->template_line, "-");
    size_t max = count_bars(symbol->template_line) +
                 count_bars(symbol->instantiation) +
                 count_bars(symbol->type_list);
    ask->answer->places =
        sl_arena_alloc(ask->arena, max * sizeof *ask->answer->places);
    if (!ask->answer->places)
        return sl_error_nomem(ask->error);
    enum sl_status status = add_places(ask, "template", symbol->template_line);
    if (!status)
        status = add_places(ask, made ? "instantiation" : "declaration",
                            symbol->instantiation);
    if (!status)
        status = add_places(ask, "type list", symbol->type_list);
    return status;
}

static int by_study(const void *a, const void *b)
{
    const struct sl_symbol_user *x = a, *y = b;
    bool first = sl_source_is_study(x->source);
    bool second = sl_source_is_study(y->source);
    if (first != second)
        return first ? -1 : 1;
    return sl_view_cmp(x->source, y->source);
}

/* Rows to one record a project. */
static enum sl_status read_users(struct ask *ask)
{
    struct sl_symbol_answer *answer = ask->answer;
    struct sl_view table;
    enum sl_status status = sl_corpus_read(ask->corpus, SL_USAGE_TSV, &table,
                                           ask->error);
    if (status)
        return status == SL_ERR_NOTFOUND ? SL_OK : status;
    status = sl_users_parse(ask->arena, table, answer->asked, &answer->rows,
                            ask->error);
    if (status)
        return status;
    answer->users = sl_arena_alloc(ask->arena, (answer->rows.count + 1) *
                                                   sizeof *answer->users);
    if (!answer->users)
        return sl_error_nomem(ask->error);
    for (size_t i = 0; i < answer->rows.count; i++) {
        const struct sl_user *row = &answer->rows.items[i];
        if (!sl_user_is_code(row))
            continue;
        struct sl_symbol_user *user = answer->users;
        size_t n = answer->user_count;
        while (n && !sl_view_eq(user->source, row->source))
            user++, n--;
        if (!n)
            *(user = &answer->users[answer->user_count++]) =
                (struct sl_symbol_user){.source = row->source};
        struct sl_view rest = row->places, first = {NULL, 0};
        (void)sl_view_cut(&rest, ' ', &first);
        if (!user->count)
            user->place = first;
        user->count += row->count;
        user->own |= row->own;
        user->pasted |= !sl_view_eq(row->name, answer->asked);
    }
    if (answer->user_count)
        qsort(answer->users, answer->user_count, sizeof *answer->users,
              by_study);
    return SL_OK;
}

/* Sections that name it; those that name only its family come after them. */
static enum sl_status read_sections(struct ask *ask)
{
    struct sl_symbol_answer *answer = ask->answer;
    struct sl_mentions more = {.items = NULL};
    enum sl_status status =
        sl_index_mentions(ask->corpus->index, ask->arena, answer->asked,
                          &answer->sections, ask->error);
    if (status || !answer->symbol ||
        sl_view_eq(answer->symbol->family, answer->asked))
        return status;
    status = sl_index_mentions(ask->corpus->index, ask->arena,
                               answer->symbol->family, &more, ask->error);
    for (size_t i = 0; !status && i < more.count; i++) {
        struct sl_mentions *all = &answer->sections;
        bool there = false;
        for (size_t k = 0; k < all->count && !there; k++)
            there = sl_view_eq(all->items[k].id, more.items[i].id);
        if (there)
            continue;
        all->items = sl_arena_grow(ask->arena, all->items, sizeof *all->items,
                                   all->count, &all->cap);
        if (!all->items)
            return sl_error_nomem(ask->error);
        all->items[all->count++] = more.items[i];
    }
    return status;
}

static enum sl_status find_near(struct ask *ask)
{
    struct sl_symbol_answer *answer = ask->answer;
    return sl_symbols_near(ask->arena, ask->text.symbols, answer->asked,
                           NEAR_MAX, &answer->near, &answer->near_count,
                           ask->error);
}

/* nvshmem_<T>_put: the family, when there is one that it can be. */
static enum sl_status ask_placeholder(struct ask *ask)
{
    struct sl_symbol_answer *answer = ask->answer;
    size_t same = 0;
    for (size_t i = 0; i < answer->near_count; i++)
        same += answer->near[i].same;
    if (same != 1 || !answer->near[0].same)
        return SL_OK;
    answer->asked = answer->near[0].family;
    return ask_list(ask, false);
}

/* Of a name that no release has: a project may define it, or it is unknown. */
static enum sl_status ask_foreign(struct ask *ask)
{
    struct sl_symbol_answer *answer = ask->answer;
    enum sl_status status = read_users(ask);
    bool own = false;
    for (size_t i = 0; i < answer->user_count; i++)
        own |= answer->users[i].own;
    if (!status && !own)
        status = ask_list(ask, false);
    if (status || answer->name_count)
        return status;
    status = find_near(ask);
    if (!status && !own)
        status = ask_placeholder(ask);
    if (status || answer->name_count)
        return status;
    answer->is_list = false;
    if (!own)
        return not_found(ask);
    status = sl_is_variable(ask->corpus, answer->asked, &answer->is_variable,
                            ask->error);
    return status ? status : read_sections(ask);
}

static enum sl_status ask_one(struct ask *ask)
{
    struct sl_symbol_answer *answer = ask->answer;
    struct sl_view asked = answer->asked;
    enum sl_status status =
        sl_symbols_select(ask->arena, &ask->text, is_named, &asked,
                          &answer->symbols, ask->error);
    if (!status)
        status = check_release(ask);
    if (status)
        return status;
    if (!answer->symbols.count)
        return ask_foreign(ask);
    struct sl_view family = answer->symbols.items[0].family;
    status = sl_symbols_select(ask->arena, &ask->text, is_of_family, &family,
                               &answer->symbols, ask->error);
    if (status)
        return status;
    answer->symbol = sl_symbols_find(&answer->symbols, asked);
    answer->signature = answer->symbol->signature;
    answer->here = !answer->release.len ||
                   sl_symbol_in(&answer->symbols, answer->symbol,
                                answer->release, &answer->signature);
    status = sl_is_variable(ask->corpus, asked, &answer->is_variable,
                            ask->error);
    if (!status)
        status = read_places(ask);
    if (!status)
        status = read_users(ask);
    if (!status)
        status = read_sections(ask);
    return status;
}

enum sl_status sl_symbol_ask(struct sl_corpus *corpus, struct sl_view name,
                             struct sl_view release,
                             struct sl_symbol_answer *answer_out,
                             struct sl_error *error)
{
    struct sl_symbol_answer answer = {.asked = sl_name_clean(name),
                                      .release = release};
    if (!answer.asked.len || answer.asked.len > SL_MAX_TOKEN)
        return sl_error_set(error, SL_ERR_USAGE,
                            "a name has 1 to %u characters", SL_MAX_TOKEN);
    struct ask ask = {.corpus = corpus,
                      .arena = &corpus->arena,
                      .answer = &answer,
                      .error = error};
    enum sl_status status = sl_corpus_symbols(ask.corpus, &ask.text, ask.error);
    if (!status)
        status = is_glob(answer.asked) ? ask_list(&ask, true) : ask_one(&ask);
    if (!status)
        *answer_out = answer;
    return status;
}
