/*
 * The front matter of SKILL.md, found and read as the reference validator does:
 * between the first "---" and the next, wherever that stands.
 */
#include "skill/internal.h"

#include "base/limits.h"

#define MARK "---"
#define MARK_LEN (sizeof MARK - 1)

static unsigned line_at(struct sl_view text, size_t at)
{
    unsigned line = 1;
    for (size_t i = 0; i < at && i < text.len; i++)
        line += text.ptr[i] == '\n';
    return line;
}

/* Whether the three bytes at `at` are all of their line. */
static bool is_own_line(struct sl_view text, size_t at)
{
    size_t end = at + MARK_LEN;
    bool begins = at == 0 || text.ptr[at - 1] == '\n';
    if (end < text.len && text.ptr[end] == '\r')
        end++;
    return begins && (end == text.len || text.ptr[end] == '\n');
}

static void add(struct sl_skill_checker *c, enum sl_skill_level level,
                unsigned line, const char *rule, const char *text)
{
    sl_skill_add(c->report, level, c->main, line, rule,
                 "%s", text);
}

/* The end of the front matter's text, or SIZE_MAX after a finding. */
static size_t find_end(struct sl_skill_checker *c, struct sl_view text)
{
    if (sl_view_starts(text, "\xef\xbb\xbf")) {
        add(c, SL_SKILL_ERROR, 1, "front-matter",
            "begins with a byte order mark, not with ---: the front matter is "
            "not seen");
        return SIZE_MAX;
    }
    if (!sl_view_starts(text, MARK)) {
        add(c, SL_SKILL_ERROR, 1, "front-matter",
            "begins without front matter: the first line must be ---");
        return SIZE_MAX;
    }
    size_t end = sl_view_find(text, SL_LIT(MARK), MARK_LEN);
    if (end == SIZE_MAX) {
        add(c, SL_SKILL_ERROR, 1, "front-matter",
            "the front matter is not closed by a line ---");
        return SIZE_MAX;
    }
    if (!is_own_line(text, 0))
        add(c, SL_SKILL_WARNING, 1, "front-matter-form",
            "the first line is not --- alone: many clients see no front "
            "matter");
    if (!is_own_line(text, end))
        add(c, SL_SKILL_WARNING, line_at(text, end), "front-matter-form",
            "the reference validator ends the front matter at this ---, which "
            "is not alone on its line; other clients do not");
    return end;
}

/* "line N: TEXT": the number, and *text_out behind it. */
static unsigned split_line(struct sl_view message, struct sl_view *text_out)
{
    uint64_t line = 0;
    size_t colon = sl_view_find(message, SL_LIT(": "), 0);
    *text_out = message;
    if (!sl_view_starts(message, "line ") || colon == SIZE_MAX ||
        !sl_view_number(sl_view_sub(message, 5, colon), SL_MAX_LINE_NUMBER,
                        &line))
        return 0;
    *text_out = sl_view_sub(message, colon + 2, message.len);
    return (unsigned)line;
}

enum sl_status sl_skill_front(struct sl_skill_checker *c, struct sl_view text,
                              size_t *body_out, struct sl_error *error)
{
    size_t end = find_end(c, text);
    *body_out = end == SIZE_MAX ? 0 : end + MARK_LEN;
    if (end == SIZE_MAX)
        return SL_OK;
    struct sl_view yaml = sl_view_sub(text, MARK_LEN, end);
    if (yaml.len > SL_MAX_FRONT_MATTER) {
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main, 1,
                     "front-matter", "has more than %u KiB; not read",
                     SL_MAX_FRONT_MATTER >> 10);
        return SL_OK;
    }
    const struct sl_yaml *root;
    struct sl_error why = {SL_OK, ""};
    enum sl_status status = sl_yaml_parse(c->arena, yaml, &root, &why);
    if (status == SL_ERR_SYNTAX || status == SL_ERR_LIMIT) {
        struct sl_view message;
        unsigned line = split_line(sl_view_of(why.message), &message);
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main,
                     line, "yaml", "%.*s", SL_ARG(message));
        return SL_OK;
    }
    if (status)
        return sl_error_set(error, status, "%s", why.message);
    unsigned tab = sl_yaml_tab(yaml);
    if (tab) {
        add(c, SL_SKILL_ERROR, tab, "yaml",
            "a tab: the reference validator takes blanks alone between words");
        return SL_OK;
    }
    return sl_skill_fields(c, root, error);
}
