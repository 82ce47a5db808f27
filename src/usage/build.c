/* Words in the files of CMake, make and TOML. */
#include <string.h>

#include "usage/lines.h"

/*
 * The command whose arguments the end of a text stands in: `head` up to its `(`, and
 * the arguments so far. A command begins a line and may go on over several.
 */
struct command {
    struct sl_view head, arguments;
    bool quoted; /* the end is between quotes */
};

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

static bool find_command(struct sl_view text, struct command *out);

/* `-E env NAME=1` of a command, and the ENVIRONMENT property of a test. */
static bool find_cmake_setting(const struct sl_line_place *place,
                               struct sl_line_finding *out)
{
    struct command command;
    if (!sl_is_assignment(place) || !find_command(place->above, &command))
        return false;
    bool test = sl_view_find(command.arguments, SL_LIT("ENVIRONMENT"), 0) !=
                SIZE_MAX;
    if (!test && sl_view_find(command.arguments, SL_LIT("-E env "), 0) ==
                     SIZE_MAX)
        return false;
    *out = (struct sl_line_finding){
        SL_USE_ENV_SET, test ? SL_LIT("ENVIRONMENT") : SL_LIT("env"),
        sl_value_of(sl_view_sub(place->after, 1, place->after.len))};
    return true;
}

bool sl_find_cmake(const struct sl_line_place *place,
                   struct sl_line_finding *out)
{
    if (!sl_view_ends(place->before, "ENV{"))
        return find_cmake_setting(place, out);
    if (sl_view_ends(place->before, "$ENV{")) {
        *out = (struct sl_line_finding){SL_USE_ENV_READ, SL_LIT("$ENV{}"),
                                        SL_LIT("")};
        return true;
    }
    struct sl_view head = sl_view_sub(place->before, 0, place->before.len - 4);
    if (ends_command(head, "unset")) {
        *out = (struct sl_line_finding){SL_USE_ENV_UNSET,
                                        SL_LIT("unset(ENV{})"), SL_LIT("")};
        return true;
    }
    if (!ends_command(head, "set")) { /* if(DEFINED ENV{NAME}) */
        *out = (struct sl_line_finding){SL_USE_ENV_READ, SL_LIT("ENV{}"),
                                        SL_LIT("")};
        return true;
    }
    size_t close = sl_view_find(place->after, SL_LIT(")"), 0);
    struct sl_view value =
        place->after.len && close != SIZE_MAX
            ? sl_view_trim(sl_view_sub(place->after, 1, close))
            : SL_LIT("");
    *out = (struct sl_line_finding){SL_USE_ENV_SET, SL_LIT("set(ENV{})"),
                                    sl_value_of(value)};
    return true;
}

static bool find_command(struct sl_view text, struct command *out)
{
    size_t depth = 0;
    bool quoted = false;
    for (size_t at = text.len; at-- > 0;) {
        char c = text.ptr[at];
        if (c == '"' && (!at || text.ptr[at - 1] != '\\'))
            quoted = !quoted;
        if (c == ')')
            depth++;
        if (c != '(')
            continue;
        size_t line = at;
        while (line && (sl_is_word(text.ptr[line - 1]) ||
                        strchr(" \t", text.ptr[line - 1])))
            line--;
        bool begins = line == 0 || text.ptr[line - 1] == '\n';
        if (depth)
            depth--;
        if (!begins || depth)
            continue;
        out->head = sl_view_sub(text, line, at + 1);
        out->arguments = sl_view_sub(text, at + 1, text.len);
        out->quoted = quoted;
        return true;
    }
    return false;
}

bool sl_is_cmake_text(const struct sl_line_place *place)
{
    struct command command;
    if (sl_view_ends(place->before, "{") || /* ${NAME}, $ENV{NAME} */
        !find_command(place->above, &command))
        return false;
    if (ends_command(command.head, "message"))
        return true;
    if (!command.quoted)
        return false;
    return ends_command(command.head, "option") ||
           ends_command(command.head, "cmake_dependent_option") ||
           (ends_command(command.head, "set") &&
            sl_view_find(command.arguments, SL_LIT(" CACHE "), 0) != SIZE_MAX);
}

bool sl_is_recipe(const struct sl_line_place *place)
{
    return sl_view_starts(place->before, "\t");
}

/* After `=`, `:=`, `?=`, `+=`, `::=`; ptr NULL: none of these comes next. */
static struct sl_view make_value(struct sl_view after)
{
    size_t at = 0;
    while (at < after.len && (after.ptr[at] == ' ' || after.ptr[at] == '\t'))
        at++;
    while (at < after.len && strchr(":?+!", after.ptr[at]))
        at++;
    if (at >= after.len || after.ptr[at] != '=')
        return (struct sl_view){NULL, 0};
    return sl_view_trim(sl_view_sub(after, at + 1, after.len));
}

bool sl_find_make(const struct sl_line_place *place,
                  struct sl_line_finding *out)
{
    struct sl_view token = sl_last_token(place->before);
    struct sl_view value = make_value(place->after);
    if (sl_view_is(token, "unexport")) {
        *out = (struct sl_line_finding){SL_USE_ENV_UNSET, token, SL_LIT("")};
        return true;
    }
    if (sl_view_is(token, "export") ||
        (sl_view_is(token, "override") &&
         sl_view_find(place->before, SL_LIT("export "), 0) != SIZE_MAX)) {
        *out = (struct sl_line_finding){SL_USE_ENV_SET, SL_LIT("export"),
                                        value.ptr ? sl_value_of(value)
                                                  : SL_LIT("")};
        return true;
    }
    /* RUN = NVSHMEM_X=1 mpirun: set for a command; NVSHMEM_X = 1: make's own */
    if (!sl_is_assignment(place) || !sl_view_trim(place->before).len ||
        sl_view_ends(sl_view_trim(place->before), "define"))
        return false;
    *out = (struct sl_line_finding){
        SL_USE_ENV_SET, SL_LIT("assignment"),
        sl_value_of(sl_view_sub(place->after, 1, place->after.len))};
    return true;
}

/* Whether "env" stands in the text, in any case of letters. */
static bool says_env(struct sl_view text)
{
    for (size_t i = 0; i + 3 <= text.len; i++)
        if (sl_lower(text.ptr[i]) == 'e' && sl_lower(text.ptr[i + 1]) == 'n' &&
            sl_lower(text.ptr[i + 2]) == 'v')
            return true;
    return false;
}

bool sl_find_toml(const struct sl_line_place *place,
                  struct sl_line_finding *out)
{
    struct sl_view after = place->after, before = sl_view_trim(place->before);
    if (sl_view_starts(after, "\"") || sl_view_starts(after, "'"))
        after = sl_view_sub(after, 1, after.len);
    after = sl_view_trim(after);
    bool first = !before.len || sl_view_is(before, "\"") ||
                 sl_view_is(before, "'");
    bool in_env = first ? says_env(place->section) : says_env(before);
    /* "NVSHMEM_X=1 ./program": a command, whatever the key is called */
    in_env |= sl_is_assignment(place) && sl_view_ends(before, "\"") &&
              sl_view_find(sl_view_sub(after, 0,
                                       sl_view_find(after, SL_LIT("\""), 0)),
                           SL_LIT(" "), 0) != SIZE_MAX;
    if (!in_env || !sl_view_starts(after, "=") || sl_view_starts(after, "=="))
        return false;
    after = sl_view_trim(sl_view_sub(after, 1, after.len));
    *out = (struct sl_line_finding){SL_USE_ENV_SET, SL_LIT("toml"),
                                    sl_value_of(after)};
    return true;
}
