/* Front matter: of reference files, of SKILL.md; aliases. */
#include "base/utf8.h"
#include "verify/checks.h"

#define SKILL_FILE "SKILL.md"
#define MAX_NAME 64u
#define MAX_DESCRIPTION 1024u /* the format's */
#define OUR_DESCRIPTION 400u  /* it stands in every session's context */
#define MAX_COMPATIBILITY 500u

struct front {
    struct sl_checks *checks;
    const struct sl_kb_file *file;
    struct sl_view name;
};

/* The YAML counts its lines from below the first `---`. */
static unsigned line_of(const struct sl_yaml *node)
{
    return node->line + 1;
}

static bool one_of(struct sl_view key, const char *const *keys)
{
    for (size_t i = 0; keys[i]; i++)
        if (sl_view_is(key, keys[i]))
            return true;
    return false;
}

static void check_keys(const struct front *f, const char *const *allowed,
                       const char *listed)
{
    for (const struct sl_yaml *c = f->file->front->child; c; c = c->next)
        if (!one_of(c->key, allowed))
            sl_report_fault(f->checks->report, f->name, line_of(c),
                            "front-key", "", "unknown key '%.*s'; allowed: %s",
                            SL_ARG(c->key), listed);
}

/* The text under key; a fault, and an empty view, when it is not there. */
static struct sl_view required(const struct front *f, const char *key,
                               const char *rule)
{
    const struct sl_yaml *node = sl_yaml_get(f->file->front, key);
    struct sl_view text = {NULL, 0};
    if (node && node->kind == SL_YAML_TEXT)
        text = sl_view_trim(node->text);
    if (!text.len)
        sl_report_fault(f->checks->report, f->name, node ? line_of(node) : 1,
                        rule, "", "the front matter has no text under '%s'",
                        key);
    return text;
}

static void check_asks(const struct front *f)
{
    const struct sl_yaml *asks = sl_yaml_get(f->file->front, "asks");
    struct sl_report *report = f->checks->report;
    if (!asks || asks->kind == SL_YAML_TEXT || !asks->child) {
        sl_report_fault(report, f->name, asks ? line_of(asks) : 1, "front-key",
                        "", "the front matter has no questions under 'asks'");
        return;
    }
    for (const struct sl_yaml *c = asks->child; c; c = c->next) {
        const struct sl_yaml *first = asks->kind == SL_YAML_MAP ? c->child : c;
        for (const struct sl_yaml *q = first; q; q = q->next) {
            if (q->kind != SL_YAML_TEXT || !sl_view_trim(q->text).len)
                sl_report_fault(report, f->name, line_of(q), "front-key", "",
                                "a question under 'asks' is not text");
            if (asks->kind != SL_YAML_MAP)
                break;
        }
    }
}

static void check_reference(const struct front *f)
{
    static const char *const keys[] = {"title", "summary", "applies",
                                       "asks",  "aliases", NULL};
    if (!f->file->front) {
        sl_report_fault(f->checks->report, f->name, 1, "front-missing", "",
                        "no front matter: title, summary, applies and asks "
                        "are required");
        return;
    }
    check_keys(f, keys, "title, summary, applies, asks, aliases");
    (void)required(f, "title", "front-key");
    (void)required(f, "summary", "front-key");
    (void)required(f, "applies", "front-key");
    check_asks(f);
}

/* An alias must not hide a section, and nothing else may claim it. */
static void check_aliases(const struct front *f)
{
    const struct sl_yaml *aliases = sl_yaml_get(f->file->front, "aliases");
    const struct sl_kb *kb = &f->checks->kb;
    struct sl_report *report = f->checks->report;
    if (!aliases)
        return;
    if (aliases->kind != SL_YAML_MAP) {
        sl_report_fault(report, f->name, line_of(aliases), "front-key", "",
                        "'aliases' is not a map of old slugs to new ones");
        return;
    }
    for (const struct sl_yaml *c = aliases->child; c; c = c->next) {
        struct sl_buf id;
        sl_buf_init(&id, (size_t)1 << 20);
        sl_buf_add(&id, f->file->stem);
        sl_buf_putc(&id, '#');
        sl_buf_add(&id, c->key);
        const size_t *other = sl_map_get(&kb->ids, sl_buf_view(&id));
        const size_t *mine = sl_map_get(&kb->aliases, sl_buf_view(&id));
        if (other)
            sl_report_fault(report, f->name, line_of(c), "alias-taken", "",
                            "the alias '%.*s' is the id of a section (%.*s:%u)",
                            SL_ARG(c->key),
                            SL_ARG(kb->files[kb->sections[*other].file].path),
                            kb->sections[*other].line);
        else if (mine && &kb->files[kb->sections[*mine].file] != f->file)
            sl_report_fault(report, f->name, line_of(c), "alias-taken", "",
                            "the alias '%.*s' stands already in %.*s",
                            SL_ARG(c->key),
                            SL_ARG(kb->files[kb->sections[*mine].file].path));
        sl_buf_release(&id);
    }
}

static size_t characters(struct sl_view text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; n++) {
        size_t length = sl_utf8_length(text, i);
        i += length ? length : 1;
    }
    return n;
}

/* Lower-case letters, digits, single hyphens inside. */
static bool is_skill_name(struct sl_view name)
{
    bool hyphen = true; /* none at the start, none after another */
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (c == '-' ? hyphen : !sl_is_lower(c) && !sl_is_digit(c))
            return false;
        hyphen = c == '-';
    }
    return name.len > 0 && name.len <= MAX_NAME && !hyphen;
}

static void check_skill_texts(const struct front *f)
{
    struct sl_report *report = f->checks->report;
    struct sl_view name = required(f, "name", "skill-name");
    struct sl_view folder =
        SL_LIT(SL_SKILL_FOLDER); /* its last component is the skill's name */
    while (sl_view_find(folder, SL_LIT("/"), 0) != SIZE_MAX)
        folder = sl_view_sub(folder, 1, folder.len);
    if (name.len && (!is_skill_name(name) || !sl_view_eq(name, folder)))
        sl_report_fault(report, f->name, 1, "skill-name", "",
                        "the name '%.*s' is not the folder's, '%.*s' "
                        "(lower-case letters, digits and hyphens)",
                        SL_ARG(name), SL_ARG(folder));
    size_t length = characters(required(f, "description",
                                        "skill-description"));
    if (length > OUR_DESCRIPTION)
        sl_report_fault(report, f->name, 1, "skill-description", "",
                        "the description has %zu characters; the limit here "
                        "is %u (the format's: %u)",
                        length, OUR_DESCRIPTION, MAX_DESCRIPTION);
    length = characters(sl_yaml_text(f->file->front, "compatibility"));
    if (length > MAX_COMPATIBILITY)
        sl_report_fault(report, f->name, 1, "skill-compatibility", "",
                        "'compatibility' has %zu characters; the limit is %u",
                        length, MAX_COMPATIBILITY);
}

static void check_skill(const struct front *f)
{
    static const char *const keys[] = {"name",          "description",
                                       "license",       "compatibility",
                                       "metadata",      NULL};
    if (!f->file->front) {
        sl_report_fault(f->checks->report, f->name, 1, "front-missing", "",
                        "no front matter: name and description are required");
        return;
    }
    check_keys(f, keys,
               "name, description, license, compatibility, metadata");
    check_skill_texts(f);
    for (const struct sl_yaml *c = f->file->front->child; c; c = c->next) {
        bool map = sl_view_is(c->key, "metadata");
        if (one_of(c->key, keys) &&
            c->kind != (map ? SL_YAML_MAP : SL_YAML_TEXT))
            sl_report_fault(f->checks->report, f->name, line_of(c),
                            "front-key", "", "'%.*s' is not %s",
                            SL_ARG(c->key), map ? "a map" : "text");
    }
}

void sl_checks_front(struct sl_checks *checks)
{
    bool skill = false;
    for (size_t i = 0; i < checks->kb.file_count; i++) {
        struct front f = {checks, &checks->kb.files[i],
                          sl_checks_name(checks, i)};
        if (sl_view_is(f.file->path, SKILL_FILE)) {
            skill = true;
            check_skill(&f);
        } else if (sl_view_starts(f.file->path, "references/")) {
            check_reference(&f);
            check_aliases(&f);
        }
    }
    if (!skill)
        sl_report_fault(checks->report, SL_LIT(SL_SKILL_FOLDER "/" SKILL_FILE),
                        0, "front-missing", "", "no " SKILL_FILE);
}
