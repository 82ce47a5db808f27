/* The fields of the front matter, and the YAML that the format allows. */
#include "base/limits.h"
#include "skill/internal.h"
#include "text/unicode.h"

/* of the format, in code points */
#define MAX_NAME 64u
#define MAX_DESCRIPTION 1024u
#define MAX_COMPATIBILITY 500u
/* our advice: a list of many skills cuts what is longer */
#define LONG_DESCRIPTION 400u

/* The reference validator's YAML has no [a], {a: b} and merge keys. */
static bool check_node(struct sl_skill_checker *c, const struct sl_yaml *node)
{
    if (node->is_flow) {
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main, node->line, "yaml",
                     "the reference validator refuses [...] and {...}: write "
                     "a line for each entry, or put quotes around the text");
        return false;
    }
    if (sl_view_is(node->key, "<<")) {
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main, node->line, "yaml",
                     "a merge key <<: some readers put the map's keys in its "
                     "place, others take it for a key");
        return false;
    }
    return true;
}

/* It wants the maps inside of a map to begin at one column. */
static bool check_columns(struct sl_skill_checker *c, const struct sl_yaml *map)
{
    const struct sl_yaml *first = NULL;
    for (const struct sl_yaml *i = map->child; i; i = i->next) {
        if (map->kind != SL_YAML_MAP || i->kind != SL_YAML_MAP)
            continue;
        first = first ? first : i;
        if (i->column == first->column)
            continue;
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main, i->line, "yaml",
                     "what is below '%.*s' is indented otherwise than what is "
                     "below '%.*s' (line %u)",
                     SL_ARG(sl_view_sub(i->key, 0, 80)),
                     SL_ARG(sl_view_sub(first->key, 0, 80)), first->line);
        return false;
    }
    return true;
}

/* Node by node: down to a child, on, or up again. False after a finding. */
static bool check_yaml(struct sl_skill_checker *c, const struct sl_yaml *root)
{
    const struct sl_yaml *path[SL_MAX_YAML_DEPTH + 1];
    size_t depth = 0;
    for (const struct sl_yaml *node = root; node;) {
        if (!check_node(c, node) || !check_columns(c, node))
            return false;
        if (node->child) {
            path[depth++] = node;
            node = node->child;
            continue;
        }
        while (depth && !node->next)
            node = path[--depth];
        node = depth ? node->next : NULL;
    }
    return true;
}

/* YAML has a meaning for these two where they stand alone and bare. */
static struct sl_view text_of(const struct sl_yaml *node)
{
    bool other = node->is_plain && (sl_view_is(node->text, "=") ||
                                    sl_view_is(node->text, "<<"));
    return other || node->kind != SL_YAML_TEXT ? SL_LIT("") : node->text;
}

static enum sl_status check_name(struct sl_skill_checker *c,
                                 const struct sl_yaml *node,
                                 struct sl_error *error)
{
    struct sl_skill_report *report = c->report;
    struct sl_view name = sl_unicode_trim(text_of(node)), folder;
    unsigned line = node->line;
    if (!name.len) {
        sl_skill_add(report, SL_SKILL_ERROR, c->main, line, "name",
                     "'name' must be text that is not empty");
        return SL_OK;
    }
    enum sl_status status = sl_unicode_nfkc(c->arena, name, &name, error);
    if (status)
        return status;
    report->name = name;
    size_t count = sl_unicode_count(name);
    if (count > MAX_NAME)
        sl_skill_add(report, SL_SKILL_ERROR, c->main, line, "name",
                     "the name has %zu characters, at most %u are allowed",
                     count, MAX_NAME);
    if (!sl_unicode_is_lower(name))
        sl_skill_add(report, SL_SKILL_ERROR, c->main, line, "name",
                     "the name must be in lower case");
    if (sl_view_starts(name, "-") || sl_view_ends(name, "-"))
        sl_skill_add(report, SL_SKILL_ERROR, c->main, line, "name",
                     "the name may not begin or end with a hyphen");
    if (sl_view_find(name, SL_LIT("--"), 0) != SIZE_MAX)
        sl_skill_add(report, SL_SKILL_ERROR, c->main, line, "name",
                     "the name may not have two hyphens in a row");
    if (!sl_unicode_is_kebab(name))
        sl_skill_add(report, SL_SKILL_ERROR, c->main, line, "name",
                     "the name may have only letters, digits and hyphens");
    status = sl_unicode_nfkc(c->arena, c->folder_name, &folder, NULL);
    if (status == SL_ERR_NOMEM)
        return sl_error_nomem(error);
    if (status || !sl_view_eq(name, folder))
        sl_skill_add(report, SL_SKILL_ERROR, c->main, line, "name",
                     "the name '%.*s' must be that of the folder, '%.*s'",
                     SL_ARG(sl_view_sub(name, 0, 200)),
                     SL_ARG(sl_view_sub(c->folder_name, 0, 200)));
    return SL_OK;
}

static void check_description(struct sl_skill_checker *c,
                              const struct sl_yaml *node)
{
    struct sl_view text = text_of(node);
    size_t count = sl_unicode_count(text);
    if (!sl_unicode_trim(text).len)
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main, node->line,
                     "description",
                     "'description' must be text that is not empty");
    else if (count > MAX_DESCRIPTION)
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main, node->line,
                     "description",
                     "the description has %zu characters, at most %u are "
                     "allowed",
                     count, MAX_DESCRIPTION);
    else if (count > LONG_DESCRIPTION)
        sl_skill_add(c->report, SL_SKILL_WARNING, c->main, node->line,
                     "description-long",
                     "the description has %zu characters: lists of many "
                     "skills cut it; %u are enough",
                     count, LONG_DESCRIPTION);
}

static void check_compatibility(struct sl_skill_checker *c,
                                const struct sl_yaml *node)
{
    size_t count = sl_unicode_count(text_of(node));
    if (count == 0)
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main, node->line,
                     "compatibility",
                     "'compatibility' must be text that is not empty");
    else if (count > MAX_COMPATIBILITY)
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main, node->line,
                     "compatibility",
                     "'compatibility' has %zu characters, at most %u are "
                     "allowed",
                     count, MAX_COMPATIBILITY);
}

/* The format says it, the reference validator does not look. */
static void check_forms(struct sl_skill_checker *c, const struct sl_yaml *node)
{
    bool is_map = sl_view_is(node->key, "metadata");
    const struct sl_yaml *child = node->child;
    while (is_map && child && child->kind == SL_YAML_TEXT)
        child = child->next;
    if (is_map && (node->kind != SL_YAML_MAP || child))
        sl_skill_add(c->report, SL_SKILL_WARNING, c->main,
                     child ? child->line : node->line, "metadata",
                     "'metadata' is a map from text to text, without lists "
                     "and maps inside");
    else if (!is_map && node->kind != SL_YAML_TEXT)
        sl_skill_add(c->report, SL_SKILL_WARNING, c->main, node->line,
                     "field-form", "'%.*s' is one text, not a list or a map",
                     SL_ARG(node->key));
}

static enum sl_status check_field(struct sl_skill_checker *c,
                                  const struct sl_yaml *node,
                                  struct sl_error *error)
{
    if (sl_view_is(node->key, "name"))
        return check_name(c, node, error);
    if (sl_view_is(node->key, "description"))
        check_description(c, node);
    else if (sl_view_is(node->key, "compatibility"))
        check_compatibility(c, node);
    else if (sl_view_is(node->key, "license") ||
             sl_view_is(node->key, "metadata") ||
             sl_view_is(node->key, "allowed-tools"))
        check_forms(c, node);
    else
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main, node->line,
                     "unknown-key",
                     "the format has no key '%.*s'; what is your own goes "
                     "below 'metadata'",
                     SL_ARG(sl_view_sub(node->key, 0, 80)));
    return SL_OK;
}

enum sl_status sl_skill_fields(struct sl_skill_checker *c,
                               const struct sl_yaml *root,
                               struct sl_error *error)
{
    static const char *const required[] = {"name", "description"};
    enum sl_status status = SL_OK;
    if (!check_yaml(c, root))
        return SL_OK;
    if (root->kind != SL_YAML_MAP || !root->child) {
        sl_skill_add(c->report, SL_SKILL_ERROR, c->main, root->line,
                     "front-matter",
                     "the front matter has no keys with values");
        return SL_OK;
    }
    for (const struct sl_yaml *i = root->child; i && !status; i = i->next)
        status = check_field(c, i, error);
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (!sl_yaml_get(root, required[i]))
            sl_skill_add(c->report, SL_SKILL_ERROR, c->main, 1, required[i],
                         "the front matter has no '%s'", required[i]);
    return status;
}
