#include "search/tokenizer.h"

#include <string.h>

#include "base/limits.h"

static bool is_word_byte(char c)
{
    return sl_is_word(c) || ((unsigned char)c & 0x80);
}

/* Whether text[i] is a dot between digits. */
static bool is_inner_dot(struct sl_view text, size_t i)
{
    return text.ptr[i] == '.' && i && sl_is_digit(text.ptr[i - 1]) &&
           i + 1 < text.len && sl_is_digit(text.ptr[i + 1]);
}

bool sl_word_next(struct sl_view text, size_t *at, struct sl_view *word_out)
{
    size_t i = *at;
    while (i < text.len && !is_word_byte(text.ptr[i]))
        i++;
    size_t begin = i;
    while (i < text.len &&
           (is_word_byte(text.ptr[i]) || (i > begin && is_inner_dot(text, i))))
        i++;
    if (i > begin && i + 1 < text.len && text.ptr[i] == '+' &&
        text.ptr[i + 1] == '+' && sl_is_alpha(text.ptr[i - 1]))
        i += 2;
    *at = i;
    *word_out = sl_view_sub(text, begin, i);
    return i > begin;
}

/* Whether a part ends between word[i - 1] and word[i]: fooBar, HTTPServer. */
static bool is_hump(struct sl_view word, size_t i)
{
    char before = word.ptr[i - 1];
    char here = word.ptr[i];
    char next = i + 1 < word.len ? word.ptr[i + 1] : '\0';
    if (sl_is_upper(here))
        return sl_is_lower(before) || (sl_is_upper(before) &&
                                       sl_is_lower(next));
    return false;
}

bool sl_part_next(struct sl_view word, size_t *at, struct sl_view *part_out)
{
    size_t i = *at;
    while (i < word.len && word.ptr[i] == '_')
        i++;
    size_t begin = i;
    while (i < word.len && word.ptr[i] != '_' &&
           !(i > begin && is_hump(word, i)))
        i++;
    *at = i;
    *part_out = sl_view_sub(word, begin, i);
    return i > begin;
}

bool sl_word_is_identifier(struct sl_view word)
{
    if (word.len == 0 || sl_is_digit(word.ptr[0]))
        return false;
    if (memchr(word.ptr, '_', word.len))
        return true;
    size_t at = 0;
    struct sl_view part;
    return sl_part_next(word, &at, &part) && at < word.len;
}

/* What fts5 passes to us and we pass on, for one call of xTokenize. */
typedef int (*emit_fn)(void *context, int flags, const char *token, int n,
                       int start, int end);

struct module { /* per connection */
    const struct sl_words *words;
    fts5_tokenizer porter;
    void *porter_data;
};

struct tokenizer { /* per table */
    const struct module *module;
    Fts5Tokenizer *porter;
};

struct job {
    const struct tokenizer *tokenizer;
    void *context;
    emit_fn emit;
    int fts_flags;   /* why we are asked */
    int start, end;  /* of the word, for tokens that porter makes of it */
    int token_flags; /* FTS5_TOKEN_COLOCATED or 0 */
};

static int from_porter(void *context, int flags, const char *token, int n,
                       int start, int end)
{
    struct job *job = context;
    (void)flags;
    (void)start;
    (void)end;
    int rc = job->emit(job->context, job->token_flags, token, n, job->start,
                       job->end);
    job->token_flags = FTS5_TOKEN_COLOCATED; /* one place for one word */
    return rc;
}

/* Lower-cases and stems one word; colocated when flags says so. */
static int emit_word(struct job *job, struct sl_view word, int flags)
{
    job->token_flags = flags;
    if (word.len > SL_MAX_TOKEN)
        word.len = SL_MAX_TOKEN;
    return job->tokenizer->module->porter.xTokenize(
        job->tokenizer->porter, job, job->fts_flags, word.ptr, (int)word.len,
        from_porter);
}

/* Lower-cases one word and leaves it whole. */
static int emit_whole(struct job *job, struct sl_view word, int flags)
{
    char token[SL_MAX_TOKEN];
    size_t n = word.len < sizeof token ? word.len : sizeof token;
    for (size_t i = 0; i < n; i++)
        token[i] = sl_lower(word.ptr[i]);
    return job->emit(job->context, flags, token, (int)n, job->start, job->end);
}

static int emit_identifier(struct job *job, struct sl_view word)
{
    size_t at = 0;
    struct sl_view part;
    bool query = job->fts_flags & FTS5_TOKENIZE_QUERY;
    bool first = true;
    int base = job->start;
    while (sl_part_next(word, &at, &part)) {
        job->start = base + (int)(part.ptr - word.ptr);
        job->end = job->start + (int)part.len;
        int rc = emit_word(job, part, 0);
        /* in a question the whole would match any first part: leave it out */
        if (!rc && first && !query) {
            job->start = base;
            job->end = base + (int)word.len;
            rc = emit_whole(job, word, FTS5_TOKEN_COLOCATED);
        }
        if (rc)
            return rc;
        first = false;
    }
    return SQLITE_OK;
}

static int emit_version(struct job *job, struct sl_view word)
{
    int rc = emit_whole(job, word, 0);
    const char *dot = memchr(word.ptr, '.', word.len);
    const char *second =
        dot ? memchr(dot + 1, '.', (size_t)(word.ptr + word.len - dot - 1))
            : NULL;
    if (!rc && second && !(job->fts_flags & FTS5_TOKENIZE_QUERY))
        rc = emit_whole(job, sl_view_sub(word, 0, (size_t)(second - word.ptr)),
                        FTS5_TOKEN_COLOCATED);
    return rc;
}

static int emit_synonyms(struct job *job, struct sl_view word)
{
    char lower[SL_MAX_TOKEN];
    if (word.len > sizeof lower)
        return SQLITE_OK;
    for (size_t i = 0; i < word.len; i++)
        lower[i] = sl_lower(word.ptr[i]);
    struct sl_view key = {lower, word.len};
    struct sl_view group = sl_words_group(job->tokenizer->module->words, key);
    struct sl_view other;
    int rc = SQLITE_OK;
    while (!rc && sl_view_cut(&group, ' ', &other))
        if (other.len && !sl_view_eq(other, key))
            rc = emit_word(job, other, FTS5_TOKEN_COLOCATED);
    return rc;
}

static int tokenize(Fts5Tokenizer *self, void *context, int flags,
                    const char *text, int n, emit_fn emit)
{
    struct job job = {
        .tokenizer = (const struct tokenizer *)(void *)self,
        .context = context,
        .emit = emit,
        .fts_flags = flags,
    };
    struct sl_view all = {text, n > 0 ? (size_t)n : 0};
    size_t at = 0;
    struct sl_view word;
    int rc = SQLITE_OK;
    while (!rc && sl_word_next(all, &at, &word)) {
        job.start = (int)(word.ptr - text);
        job.end = job.start + (int)word.len;
        bool dotted = memchr(word.ptr, '.', word.len) != NULL;
        if (dotted && !sl_is_digit(word.ptr[0])) { /* v3.4.5 is 3.4.5 */
            size_t i = 0;
            while (i < word.len && !sl_is_digit(word.ptr[i]))
                i++;
            word = sl_view_sub(word, i, word.len);
        }
        if (dotted) {
            rc = emit_version(&job, word);
        } else if (word.ptr[word.len - 1] == '+') {
            rc = emit_whole(&job, word, 0);
        } else if (sl_word_is_identifier(word)) {
            rc = emit_identifier(&job, word);
        } else {
            rc = emit_word(&job, word, 0);
            if (!rc && (flags & FTS5_TOKENIZE_QUERY))
                rc = emit_synonyms(&job, word);
        }
    }
    return rc;
}

static int create(void *data, const char **args, int count,
                  Fts5Tokenizer **self_out)
{
    const struct module *module = data;
    (void)args;
    (void)count;
    struct tokenizer *self = sqlite3_malloc(sizeof *self);
    if (!self)
        return SQLITE_NOMEM;
    self->module = module;
    const char *parent[] = {"unicode61"};
    int rc = module->porter.xCreate(module->porter_data, parent, 1,
                                    &self->porter);
    if (rc) {
        sqlite3_free(self);
        return rc;
    }
    *self_out = (Fts5Tokenizer *)(void *)self;
    return SQLITE_OK;
}

static void delete(Fts5Tokenizer *tokenizer)
{
    struct tokenizer *self = (struct tokenizer *)(void *)tokenizer;
    self->module->porter.xDelete(self->porter);
    sqlite3_free(self);
}

static fts5_api *api_of(sqlite3 *db)
{
    fts5_api *api = NULL;
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, NULL))
        return NULL;
    if (!sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", NULL))
        (void)sqlite3_step(statement);
    sqlite3_finalize(statement);
    return api;
}

enum sl_status sl_tokenizer_register(sqlite3 *db,
                                     const struct sl_words *words,
                                     struct sl_error *error)
{
    fts5_api *api = api_of(db);
    if (!api)
        return sl_error_set(error, SL_ERR_INTERNAL,
                            "this SQLite has no FTS5");
    struct module *module = sqlite3_malloc(sizeof *module);
    if (!module)
        return sl_error_nomem(error);
    *module = (struct module){.words = words};
    fts5_tokenizer self = {create, delete, tokenize};
    int rc = api->xFindTokenizer(api, "porter", &module->porter_data,
                                 &module->porter);
    if (!rc)
        rc = api->xCreateTokenizer(api, "shmemlore", module, &self,
                                   sqlite3_free);
    if (!rc)
        return SL_OK;
    sqlite3_free(module);
    return sl_error_set(error, SL_ERR_INTERNAL,
                        "cannot register the tokenizer: SQLite error %d", rc);
}
