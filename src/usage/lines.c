/*
 * Files without a grammar: shell, Dockerfile, YAML, CMake, documents. A few
 * forms in which a line sets or reads a variable, or gives a build's option;
 * whatever else names NVSHMEM in a shell is text, in CMake a matter of the build.
 */
#include <string.h>

#include "base/limits.h"
#include "usage/inside.h"

enum text_kind {
    TEXT_SHELL,
    TEXT_DOCKER,
    TEXT_YAML, /* JSON and TOML too */
    TEXT_CMAKE,
    TEXT_BUILD, /* makefiles and package descriptions */
    TEXT_DOC,
    TEXT_CODE, /* a language that has no grammar here */
};

static struct sl_view base_name(struct sl_view path)
{
    size_t at = path.len;
    while (at && path.ptr[at - 1] != '/')
        at--;
    return sl_view_sub(path, at, path.len);
}

static enum text_kind kind_of_file(struct sl_view path, struct sl_view text)
{
    static const struct {
        const char *ending;
        enum text_kind kind;
    } rows[] = {
        {".sh", TEXT_SHELL},       {".bash", TEXT_SHELL},
        {".zsh", TEXT_SHELL},      {".slurm", TEXT_SHELL},
        {".sbatch", TEXT_SHELL},   {".lsf", TEXT_SHELL},
        {".env", TEXT_SHELL},      {".yml", TEXT_YAML},
        {".yaml", TEXT_YAML},      {".json", TEXT_YAML},
        {".toml", TEXT_BUILD},     {".cfg", TEXT_BUILD},
        {".cmake", TEXT_CMAKE},    {"CMakeLists.txt", TEXT_CMAKE},
        {".cmake.in", TEXT_CMAKE}, {".mk", TEXT_BUILD},
        {"Makefile", TEXT_BUILD},  {".cuf", TEXT_CODE},
        {".f90", TEXT_CODE},       {".F90", TEXT_CODE},
        {".pyx", TEXT_CODE},       {".pxd", TEXT_CODE},
        {".jinja", TEXT_CODE},     {".td", TEXT_CODE},
        {".mlir", TEXT_CODE},      {".ll", TEXT_CODE},
        {".cu.in", TEXT_CODE},     {".h.in", TEXT_CODE},
    };
    struct sl_view name = base_name(path);
    if (sl_view_starts(name, "Dockerfile") || sl_view_ends(name, "Dockerfile")
        || sl_view_ends(name, ".dockerfile"))
        return TEXT_DOCKER;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sl_view_ends(name, rows[i].ending))
            return rows[i].kind;
    return sl_view_starts(text, "#!") ? TEXT_SHELL : TEXT_DOC;
}

/* One word and its surroundings. */
struct place {
    struct sl_view name;
    struct sl_view before; /* the line up to the word */
    struct sl_view after;  /* the line from its end */
    struct sl_view next;   /* the line after it */
};

static struct sl_view line_end(struct sl_view text, size_t at)
{
    size_t end = sl_view_find(text, SL_LIT("\n"), at);
    return sl_view_sub(text, at, end == SIZE_MAX ? text.len : end);
}

static struct place find_place(const struct sl_reading *reading,
                               const struct sl_word *word)
{
    size_t begin = word->begin;
    struct place place;
    while (begin && reading->text.ptr[begin - 1] != '\n')
        begin--;
    place.name = sl_word_text(reading, word);
    place.before = sl_view_sub(reading->text, begin, word->begin);
    place.after = line_end(reading->text, word->end);
    size_t next = word->end + place.after.len + 1;
    place.next = next < reading->text.len ? line_end(reading->text, next)
                                          : SL_LIT("");
    return place;
}

/* The last word of `before` that is set off by white space. */
static struct sl_view last_token(struct sl_view before)
{
    before = sl_view_trim(before);
    size_t at = before.len;
    while (at && !sl_is_space(before.ptr[at - 1]))
        at--;
    return sl_view_sub(before, at, before.len);
}

/* Up to the quote, space or semicolon that ends a value. */
static struct sl_view value_of(struct sl_view text)
{
    char quote = text.len && (text.ptr[0] == '"' || text.ptr[0] == '\'')
                     ? text.ptr[0]
                     : '\0';
    size_t end = quote ? 1 : 0;
    while (end < text.len &&
           (quote ? text.ptr[end] != quote
                  : !sl_is_space(text.ptr[end]) &&
                        !strchr(";\"'`", text.ptr[end])))
        end++;
    return sl_view_sub(text, quote ? 1 : 0, end);
}

struct finding {
    enum sl_use_kind kind;
    struct sl_view how, value;
};

static bool is_comment(enum text_kind kind, struct sl_view before)
{
    if (kind == TEXT_DOC)
        return false;
    if (kind == TEXT_CODE) /* Fortran */
        return sl_view_starts(sl_view_trim(before), "!");
    return sl_view_starts(sl_view_trim(before), "#") ||
           sl_view_find(before, SL_LIT(" # "), 0) != SIZE_MAX;
}

/* NAME=VALUE and what stands before it. */
static bool is_assignment(const struct place *place)
{
    if (place->after.len < 1 || place->after.ptr[0] != '=' ||
        (place->after.len > 1 && place->after.ptr[1] == '='))
        return false;
    char last = place->before.len
                    ? place->before.ptr[place->before.len - 1]
                    : ' ';
    return sl_is_space(last) || strchr("\"'`;(&|", last) != NULL;
}

static bool assignment(enum text_kind kind, const struct place *place,
                       struct finding *out)
{
    if (!is_assignment(place))
        return false;
    struct sl_view how = last_token(place->before);
    if (sl_view_starts(how, "\"") || sl_view_starts(how, "'"))
        how = sl_view_sub(how, 1, how.len);
    static const char *const setters[] = {"export", "-x", "-e", "--env", "env",
                                          "ENV",    "declare"};
    bool known = false;
    for (size_t i = 0; i < sizeof setters / sizeof *setters; i++)
        known |= sl_view_is(how, setters[i]);
    if (sl_view_is(how, "ARG") || sl_view_is(how, "-D") ||
        kind == TEXT_CMAKE || kind == TEXT_BUILD)
        return false;
    if (sl_view_is(how, "-") && kind == TEXT_YAML)
        how = SL_LIT("yaml");
    else if (!known)
        how = kind == TEXT_DOCKER ? SL_LIT("ENV") : SL_LIT("assignment");
    *out = (struct finding){
        SL_USE_ENV_SET, how,
        value_of(sl_view_sub(place->after, 1, place->after.len))};
    return true;
}

/* $NAME, ${NAME}, ${NAME:-default} of a shell. */
static bool expansion(enum text_kind kind, const struct place *place,
                      struct finding *out)
{
    if (kind == TEXT_CMAKE || kind == TEXT_BUILD || kind == TEXT_DOC)
        return false;
    bool braces = sl_view_ends(place->before, "${");
    if (!braces && !sl_view_ends(place->before, "$"))
        return false;
    struct sl_view value = SL_LIT("");
    size_t close = sl_view_find(place->after, SL_LIT("}"), 0);
    if (braces && close != SIZE_MAX && close > 2 &&
        (sl_view_starts(place->after, ":-") ||
         sl_view_starts(place->after, ":=")))
        value = sl_view_sub(place->after, 2, close);
    *out = (struct finding){SL_USE_ENV_READ, SL_LIT("$"), value};
    return true;
}

/* "... set (" in any case of letters. */
static bool ends_command(struct sl_view text, const char *command)
{
    size_t n = strlen(command);
    text = sl_view_trim(text);
    if (!sl_view_ends(text, "("))
        return false;
    text = sl_view_trim(sl_view_sub(text, 0, text.len - 1));
    if (text.len < n ||
        (text.len > n && sl_is_word(text.ptr[text.len - n - 1])))
        return false;
    for (size_t i = 0; i < n; i++)
        if (sl_lower(text.ptr[text.len - n + i]) != command[i])
            return false;
    return true;
}

/* $ENV{NAME}, set(ENV{NAME} value), unset(ENV{NAME}) of CMake; else a test. */
static bool cmake(enum text_kind kind, const struct place *place,
                  struct finding *out)
{
    if (kind != TEXT_CMAKE || !sl_view_ends(place->before, "ENV{"))
        return false;
    if (sl_view_ends(place->before, "$ENV{")) {
        *out = (struct finding){SL_USE_ENV_READ, SL_LIT("$ENV{}"), SL_LIT("")};
        return true;
    }
    struct sl_view head = sl_view_sub(place->before, 0, place->before.len - 4);
    if (ends_command(head, "unset")) {
        *out = (struct finding){SL_USE_ENV_UNSET, SL_LIT("unset(ENV{})"),
                                SL_LIT("")};
        return true;
    }
    if (!ends_command(head, "set")) { /* if(DEFINED ENV{NAME}) */
        *out = (struct finding){SL_USE_ENV_READ, SL_LIT("ENV{}"), SL_LIT("")};
        return true;
    }
    size_t close = sl_view_find(place->after, SL_LIT(")"), 0);
    struct sl_view value =
        place->after.len && close != SIZE_MAX
            ? sl_view_trim(sl_view_sub(place->after, 1, close))
            : SL_LIT("");
    *out = (struct finding){SL_USE_ENV_SET, SL_LIT("set(ENV{})"),
                            value_of(value)};
    return true;
}

/* NAME: value, "NAME": "value", name: NAME with value: on the next line. */
static bool mapping(enum text_kind kind, const struct place *place,
                    struct finding *out)
{
    if (kind != TEXT_YAML)
        return false;
    struct sl_view after = place->after;
    if (sl_view_starts(after, "\"") || sl_view_starts(after, "'"))
        after = sl_view_sub(after, 1, after.len);
    struct sl_view token = last_token(place->before);
    struct sl_view next = sl_view_trim(place->next);
    if (sl_view_ends(token, "name:") && sl_view_starts(next, "value:"))
        after = sl_view_sub(next, 5, next.len);
    else if (!sl_view_starts(after, ":") || sl_view_starts(after, "://"))
        return false;
    *out = (struct finding){
        SL_USE_ENV_SET, SL_LIT("yaml"),
        value_of(sl_view_trim(sl_view_sub(after, 1, after.len)))};
    return true;
}

/* Forms with the value after a space, and without one. */
static bool command(enum text_kind kind, const struct place *place,
                    struct finding *out)
{
    struct sl_view token = last_token(place->before);
    struct sl_view before = sl_view_trim(place->before);
    if ((kind == TEXT_DOCKER && sl_view_is(before, "ENV")) ||
        sl_view_is(token, "-genv") || sl_view_is(token, "-env")) {
        *out = (struct finding){SL_USE_ENV_SET, token,
                                value_of(sl_view_trim(place->after))};
        return true;
    }
    if (sl_view_is(token, "-x") || sl_view_is(token, "-e") ||
        sl_view_is(token, "--env")) { /* what it is here, it is there */
        *out = (struct finding){SL_USE_ENV_READ, token, SL_LIT("")};
        return true;
    }
    bool is_test = sl_view_find(before, SL_LIT("["), 0) != SIZE_MAX ||
                   sl_view_find(before, SL_LIT("test "), 0) != SIZE_MAX;
    if ((sl_view_is(token, "-v") && is_test) || sl_view_is(token, "printenv")) {
        *out = (struct finding){SL_USE_ENV_READ, token, SL_LIT("")};
        return true;
    }
    if (sl_view_is(token, "unset")) {
        *out = (struct finding){SL_USE_ENV_UNSET, token, SL_LIT("")};
        return true;
    }
    return false;
}

/* The command that the word stands in: after the last `;`, `&`, `|`, `then`. */
static struct sl_view command_of(struct sl_view before)
{
    static const char *const openers[] = {"then ", "else ", "do ", "{ ", "( "};
    char quote = '\0';
    size_t begin = 0;
    for (size_t i = 0; i < before.len; i++) {
        char c = before.ptr[i];
        if (quote)
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (strchr(";&|", c))
            begin = i + 1;
    }
    struct sl_view rest = sl_view_trim(sl_view_sub(before, begin, before.len));
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
        if (sl_view_starts(rest, openers[i]))
            rest = sl_view_trim(sl_view_sub(rest, strlen(openers[i]),
                                            rest.len));
    return rest;
}

/* Text that a shell prints; what it prints into a file may be settings. */
static bool is_printed(enum text_kind kind, const struct place *place)
{
    struct sl_view to = sl_view_sub(
        place->after, sl_view_find(place->after, SL_LIT(">"), 0),
        place->after.len);
    if (kind != TEXT_SHELL && kind != TEXT_DOCKER && kind != TEXT_YAML)
        return false;
    struct sl_view rest = command_of(place->before);
    return (sl_view_starts(rest, "echo ") || sl_view_starts(rest, "printf ")) &&
           (!to.len || sl_view_starts(to, ">&"));
}

/* What a word is where no form of a variable is seen. */
static enum sl_use_kind plain_kind(enum text_kind kind,
                                   const struct place *place)
{
    switch (kind) {
    case TEXT_DOC:
        return SL_USE_DOC;
    case TEXT_CODE:
        return SL_USE_UNPARSED;
    case TEXT_CMAKE:
    case TEXT_BUILD:
        return SL_USE_BUILD;
    default:
        break;
    }
    bool given = sl_view_ends(place->before, "-D") ||
                 sl_view_is(sl_view_trim(place->before), "ARG") ||
                 sl_view_starts(place->after, "=");
    return given && !is_printed(kind, place) ? SL_USE_BUILD : SL_USE_STRING;
}

static struct finding find(enum text_kind kind, const struct place *place)
{
    struct finding finding = {plain_kind(kind, place), SL_LIT(""), SL_LIT("")};
    if (is_comment(kind, place->before)) {
        finding.kind = SL_USE_COMMENT;
        return finding;
    }
    if (!sl_word_is_variable(place->name) || kind == TEXT_CODE)
        return finding;
    if (is_printed(kind, place)) {
        (void)expansion(kind, place, &finding);
        return finding;
    }
    if (!assignment(kind, place, &finding) &&
        !expansion(kind, place, &finding) && !cmake(kind, place, &finding) &&
        !mapping(kind, place, &finding))
        (void)command(kind, place, &finding);
    bool is_env = finding.kind == SL_USE_ENV_SET ||
                  finding.kind == SL_USE_ENV_UNSET;
    if (kind == TEXT_DOC && is_env)
        finding.kind = SL_USE_ENV_DOC;
    return finding;
}

enum sl_status sl_tell_lines(struct sl_reading *reading,
                             struct sl_error *error)
{
    enum text_kind kind = kind_of_file(reading->path, reading->text);
    enum sl_status status = SL_OK;
    if (memchr(reading->text.ptr, '\0',
               reading->text.len < 8192 ? reading->text.len : 8192))
        return SL_OK; /* no text */
    for (size_t i = 0; !status && i < reading->words.len; i++) {
        const struct sl_word *word = &reading->words.items[i];
        struct place place = find_place(reading, word);
        struct finding finding = find(kind, &place);
        status = sl_tell(reading, finding.kind, place.name, word->begin,
                         finding.how, finding.value, error);
    }
    return status;
}
