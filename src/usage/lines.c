/*
 * Files without a grammar: shell, Dockerfile, YAML, CMake, documents. A few
 * forms in which a line sets or reads a variable, or gives a build's option;
 * whatever else names NVSHMEM in a shell is text, in CMake a matter of the build.
 */
#include <string.h>

#include "base/limits.h"
#include "usage/lines.h"

static struct sl_view line_end(struct sl_view text, size_t at)
{
    struct sl_view rest = sl_view_sub(text, at, at + SL_MAX_LINE_LOOK);
    return sl_view_sub(rest, 0, sl_view_find(rest, SL_LIT("\n"), 0));
}

static struct sl_line_place find_place(const struct sl_reading *reading,
                                       const struct sl_word *word)
{
    size_t begin = word->begin;
    size_t least = begin > SL_MAX_LINE_LOOK ? begin - SL_MAX_LINE_LOOK : 0;
    struct sl_line_place place;
    while (begin > least && reading->text.ptr[begin - 1] != '\n')
        begin--;
    place.name = sl_word_text(reading, word);
    place.before = sl_view_sub(reading->text, begin, word->begin);
    place.above = sl_view_sub(reading->text, least, word->begin);
    place.after = line_end(reading->text, word->end);
    place.section = SL_LIT("");
    size_t next = word->end + place.after.len + 1;
    place.next = next < reading->text.len ? line_end(reading->text, next)
                                          : SL_LIT("");
    return place;
}

struct sl_view sl_last_token(struct sl_view before)
{
    before = sl_view_trim(before);
    size_t at = before.len;
    while (at && !sl_is_space(before.ptr[at - 1]))
        at--;
    return sl_view_sub(before, at, before.len);
}

struct sl_view sl_value_of(struct sl_view text)
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

static bool is_comment(enum sl_text_kind kind, struct sl_view before)
{
    if (kind == SL_TEXT_DOC)
        return false;
    if (kind == SL_TEXT_CODE) /* of Fortran; of Rust, Go and others */
        return sl_view_starts(sl_view_trim(before), "!") ||
               sl_view_find(before, SL_LIT("//"), 0) != SIZE_MAX;
    struct sl_view text = sl_view_trim(before);
    if (sl_view_starts(text, "#SBATCH ") || sl_view_starts(text, "#BSUB ") ||
        sl_view_starts(text, "#PBS ")) /* what a scheduler reads */
        return false;
    return sl_view_starts(text, "#") ||
           sl_view_find(before, SL_LIT(" # "), 0) != SIZE_MAX;
}

/* `--env=`, `--export=ALL,` and `Environment=` in front of NAME=VALUE. */
static bool gives_environment(struct sl_view token)
{
    static const char *const openers[] = {"--env=",    "--export=",
                                          "-e=",       "--action_env=",
                                          "--test_env=", "--repo_env=",
                                          "Environment="};
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
        if (sl_view_starts(token, openers[i]))
            return true;
    return false;
}

bool sl_is_assignment(const struct sl_line_place *place)
{
    if (place->after.len < 1 || place->after.ptr[0] != '=' ||
        (place->after.len > 1 && place->after.ptr[1] == '='))
        return false;
    char last = place->before.len
                    ? place->before.ptr[place->before.len - 1]
                    : ' ';
    return sl_is_space(last) || strchr("\"'`;(&|@", last) != NULL ||
           (strchr("=,", last) &&
            gives_environment(sl_last_token(place->before))) ||
           sl_view_ends(place->before, " -e") ||
           sl_view_ends(place->before, " -x");
}

static bool assignment(enum sl_text_kind kind,
                       const struct sl_line_place *place,
                       struct sl_line_finding *out)
{
    if (!sl_is_assignment(place))
        return false;
    struct sl_view how = sl_last_token(place->before);
    if (sl_view_starts(how, "\"") || sl_view_starts(how, "'"))
        how = sl_view_sub(how, 1, how.len);
    static const char *const setters[] = {"export", "-x", "-e", "--env", "env",
                                          "ENV",    "declare"};
    bool known = false;
    for (size_t i = 0; i < sizeof setters / sizeof *setters; i++)
        known |= sl_view_is(how, setters[i]);
    if (sl_view_is(how, "ARG") || sl_view_is(how, "-D") ||
        kind == SL_TEXT_CMAKE || kind == SL_TEXT_BUILD ||
        kind == SL_TEXT_TOML || kind == SL_TEXT_MAKE)
        return false;
    if (sl_view_is(how, "-") && kind == SL_TEXT_YAML)
        how = SL_LIT("yaml");
    else if (!known)
        how = kind == SL_TEXT_DOCKER ? SL_LIT("ENV") : SL_LIT("assignment");
    *out = (struct sl_line_finding){
        SL_USE_ENV_SET, how,
        sl_value_of(sl_view_sub(place->after, 1, place->after.len))};
    return true;
}

/* $NAME, ${NAME}, ${NAME:-default} of a shell. */
static bool expansion(enum sl_text_kind kind, const struct sl_line_place *place,
                      struct sl_line_finding *out)
{
    if (kind == SL_TEXT_CMAKE || kind == SL_TEXT_BUILD ||
        kind == SL_TEXT_DOC || kind == SL_TEXT_MAKE || kind == SL_TEXT_TOML)
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
    *out = (struct sl_line_finding){SL_USE_ENV_READ, SL_LIT("$"), value};
    return true;
}

/* What follows `value:` in the text, or ptr NULL. */
static struct sl_view after_value(struct sl_view text)
{
    size_t at = sl_view_find(text, SL_LIT("value"), 0);
    if (at == SIZE_MAX)
        return (struct sl_view){NULL, 0};
    text = sl_view_sub(text, at + 5, text.len);
    if (sl_view_starts(text, "From"))
        return SL_LIT(""); /* Kubernetes takes it from elsewhere */
    if (sl_view_starts(text, "\"") || sl_view_starts(text, "'"))
        text = sl_view_sub(text, 1, text.len);
    text = sl_view_trim(text);
    return sl_view_starts(text, ":") ? sl_view_sub(text, 1, text.len)
                                     : (struct sl_view){NULL, 0};
}

/* NAME: value, "NAME": "value"; name: NAME with value: after it, also in JSON. */
static bool mapping(enum sl_text_kind kind, const struct sl_line_place *place,
                    struct sl_line_finding *out)
{
    if (kind != SL_TEXT_YAML)
        return false;
    struct sl_view after = place->after, before = place->before;
    bool quoted = sl_view_ends(before, "\"") || sl_view_ends(before, "'");
    if (sl_view_starts(after, "\"") || sl_view_starts(after, "'"))
        after = sl_view_sub(after, 1, after.len);
    if (quoted)
        before = sl_view_sub(before, 0, before.len - 1);
    struct sl_view token = sl_last_token(before);
    bool named = sl_view_ends(token, "name:") ||
                 sl_view_ends(token, "name\":") ||
                 sl_view_ends(token, "name':");
    struct sl_view value = named ? after_value(after)
                                 : (struct sl_view){NULL, 0};
    if (named && !value.ptr)
        value = after_value(place->next);
    if (!value.ptr && sl_view_starts(after, ":") &&
        !sl_view_starts(after, "://"))
        value = sl_view_sub(after, 1, after.len);
    if (!value.ptr)
        return false;
    *out = (struct sl_line_finding){SL_USE_ENV_SET, SL_LIT("yaml"),
                                    sl_value_of(sl_view_trim(value))};
    return true;
}

/* Words in front of NAME and a value, set off by white space. */
static bool takes_value(enum sl_text_kind kind, struct sl_view token)
{
    static const char *const always[] = {"-genv", "-env"};
    static const char *const shells[] = {"setenv", "-gx", "%env", "%set_env"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (sl_view_is(token, always[i]))
            return true;
    if (kind != SL_TEXT_SHELL)
        return false;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (sl_view_is(token, shells[i]))
            return true;
    return sl_view_ends(token, "env(\""); /* setenv("NAME", "1") of a module */
}

/* Words in front of a NAME whose value is what it is there. */
static bool takes_name(struct sl_view token, struct sl_view before)
{
    bool is_test = sl_view_find(before, SL_LIT("["), 0) != SIZE_MAX ||
                   sl_view_find(before, SL_LIT("test "), 0) != SIZE_MAX;
    return sl_view_is(token, "-x") || sl_view_is(token, "-e") ||
           sl_view_is(token, "--env") || sl_view_is(token, "printenv") ||
           (sl_view_is(token, "-v") && is_test);
}

/* Forms with the value after a space, and without one. */
static bool command(enum sl_text_kind kind, const struct sl_line_place *place,
                    struct sl_line_finding *out)
{
    struct sl_view token = sl_last_token(place->before);
    struct sl_view before = sl_view_trim(place->before);
    bool alone = kind == SL_TEXT_YAML && !sl_view_trim(place->after).len &&
                 sl_view_is(before, "-"); /* passed on as it is there */
    if ((kind == SL_TEXT_DOCKER && sl_view_is(before, "ENV")) ||
        takes_value(kind, token))
        *out = (struct sl_line_finding){
            SL_USE_ENV_SET, token, sl_value_of(sl_view_trim(place->after))};
    else if (alone || takes_name(token, before))
        *out = (struct sl_line_finding){SL_USE_ENV_READ, token, SL_LIT("")};
    else if (sl_view_is(token, "unset"))
        *out = (struct sl_line_finding){SL_USE_ENV_UNSET, token, SL_LIT("")};
    else
        return false;
    return true;
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
    while (rest.len && strchr("@+-", rest.ptr[0])) /* of make */
        rest = sl_view_trim(sl_view_sub(rest, 1, rest.len));
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
        if (sl_view_starts(rest, openers[i]))
            rest = sl_view_trim(sl_view_sub(rest, strlen(openers[i]),
                                            rest.len));
    return rest;
}

/* Text that a shell prints; what it prints into a file may be settings. */
static bool is_printed(enum sl_text_kind kind,
                       const struct sl_line_place *place)
{
    struct sl_view to = sl_view_sub(
        place->after, sl_view_find(place->after, SL_LIT(">"), 0),
        place->after.len);
    if (kind != SL_TEXT_SHELL && kind != SL_TEXT_DOCKER && kind != SL_TEXT_YAML)
        return false;
    struct sl_view rest = command_of(place->before);
    return (sl_view_starts(rest, "echo ") || sl_view_starts(rest, "printf ")) &&
           (!to.len || sl_view_starts(to, ">&"));
}

/* What a word is where no form of a variable is seen. */
static enum sl_use_kind plain_kind(enum sl_text_kind kind,
                                   const struct sl_line_place *place)
{
    switch (kind) {
    case SL_TEXT_DOC:
        return SL_USE_DOC;
    case SL_TEXT_CODE:
        return SL_USE_UNPARSED;
    case SL_TEXT_CMAKE:
        return sl_is_cmake_text(place) ? SL_USE_STRING : SL_USE_BUILD;
    case SL_TEXT_MAKE:
    case SL_TEXT_TOML:
    case SL_TEXT_BUILD:
        return SL_USE_BUILD;
    default:
        break;
    }
    bool given = sl_view_ends(place->before, "-D") ||
                 sl_view_is(sl_view_trim(place->before), "ARG") ||
                 sl_view_starts(place->after, "=");
    return given && !is_printed(kind, place) ? SL_USE_BUILD : SL_USE_STRING;
}

/* The forms that a variable may have in a file of this kind. */
static void find_variable(enum sl_text_kind kind,
                          const struct sl_line_place *place,
                          struct sl_line_finding *out)
{
    bool found = assignment(kind, place, out) || expansion(kind, place, out);
    if (!found && kind == SL_TEXT_CMAKE)
        found = sl_find_cmake(place, out);
    if (!found && kind == SL_TEXT_MAKE)
        found = sl_find_make(place, out);
    if (!found && kind == SL_TEXT_TOML)
        found = sl_find_toml(place, out);
    if (!found && !mapping(kind, place, out))
        (void)command(kind, place, out);
}

static struct sl_line_finding find(enum sl_text_kind kind,
                                   const struct sl_line_place *place)
{
    struct sl_line_finding finding = {plain_kind(kind, place), SL_LIT(""),
                                      SL_LIT("")};
    if (is_comment(kind, place->before)) {
        finding.kind = SL_USE_COMMENT;
        return finding;
    }
    if (!sl_word_is_variable(place->name) || kind == SL_TEXT_CODE)
        return finding;
    if (is_printed(kind, place)) {
        (void)expansion(kind, place, &finding);
        return finding;
    }
    find_variable(kind, place, &finding);
    bool is_env = finding.kind == SL_USE_ENV_SET ||
                  finding.kind == SL_USE_ENV_UNSET;
    if (kind == SL_TEXT_DOC && is_env)
        finding.kind = SL_USE_ENV_DOC;
    return finding;
}

/* A make recipe is a shell's line; its $(X) and ${X} are make's own. */
static enum sl_text_kind kind_here(enum sl_text_kind kind,
                                   const struct sl_line_place *place)
{
    if (kind != SL_TEXT_MAKE || !sl_is_recipe(place))
        return kind;
    bool made = sl_view_ends(place->before, "$(") ||
                (sl_view_ends(place->before, "${") &&
                 !sl_view_ends(place->before, "$${"));
    return made ? SL_TEXT_MAKE : SL_TEXT_SHELL;
}

/* The newest "[section]" above the offset; text before *at is read already. */
static struct sl_view section_at(struct sl_view text, size_t *at, size_t offset,
                                 struct sl_view section)
{
    while (*at < offset) {
        struct sl_view line = line_end(text, *at);
        if (*at + line.len >= offset)
            break;
        if (sl_view_starts(sl_view_trim(line), "["))
            section = line;
        size_t end = sl_view_find(text, SL_LIT("\n"), *at);
        *at = end == SIZE_MAX ? text.len : end + 1;
    }
    return section;
}

enum sl_status sl_tell_lines(struct sl_reading *reading,
                             struct sl_file_report *report,
                             struct sl_error *error)
{
    enum sl_text_kind kind = sl_text_kind_of(reading->path, reading->text);
    enum sl_status status = SL_OK;
    struct sl_view section = SL_LIT("");
    size_t at = 0;
    report->no_text = memchr(reading->text.ptr, '\0',
                             reading->text.len < 8192 ? reading->text.len
                                                      : 8192) != NULL;
    for (size_t i = 0; !status && !report->no_text && i < reading->words.len;
         i++) {
        const struct sl_word *word = &reading->words.items[i];
        struct sl_line_place place = find_place(reading, word);
        if (kind == SL_TEXT_TOML)
            section = section_at(reading->text, &at, word->begin, section);
        place.section = section;
        struct sl_line_finding finding = find(kind_here(kind, &place), &place);
        status = sl_tell(reading, finding.kind, place.name, word->begin,
                         finding.how, finding.value, error);
    }
    return status;
}
