/* Whether what is mentioned is there, and whether SKILL.md leads to every file. */
#include <string.h>

#include "base/limits.h"
#include "os/file.h"
#include "skill/internal.h"

struct mention {
    struct sl_skill_checker *c;
    const struct sl_skill_mention *from;
    struct sl_view path;   /* of the target, decoded */
    struct sl_view anchor; /* ptr NULL: none */
};

/* A template has links of the file that will be made of it. */
static enum sl_skill_level level_of(const struct mention *m)
{
    return sl_view_starts(m->from->file, "assets/") ? SL_SKILL_WARNING
                                                    : SL_SKILL_ERROR;
}

static bool is_markdown(struct sl_view path)
{
    return sl_view_ends(path, ".md");
}

/* `a/STAR.md`: a name with one or more stars, which do not cross a slash. */
static bool glob_matches(struct sl_view glob, struct sl_view path)
{
    const char *first = memchr(glob.ptr, '*', glob.len);
    const char *last = memrchr(glob.ptr, '*', glob.len);
    size_t before = (size_t)(first - glob.ptr);
    size_t after = glob.len - (size_t)(last - glob.ptr) - 1;
    if (path.len < before + after || memcmp(path.ptr, glob.ptr, before) != 0 ||
        memcmp(path.ptr + path.len - after, last + 1, after) != 0)
        return false;
    return !memchr(path.ptr + before, '/', path.len - before - after);
}

static void mark(const struct mention *m, struct sl_skill_file *file)
{
    if (sl_view_eq(m->from->file, m->c->main))
        file->is_named = true;
    else if (!file->named_by.len && !sl_view_eq(m->from->file, file->path))
        file->named_by = m->from->file;
}

/* Everything below a folder. */
static void mark_below(const struct mention *m, struct sl_view folder)
{
    struct sl_skill_checker *c = m->c;
    for (size_t i = 0; i < c->file_count; i++) {
        struct sl_view path = c->files[i].path;
        if (path.len > folder.len && path.ptr[folder.len] == '/' &&
            memcmp(path.ptr, folder.ptr, folder.len) == 0)
            mark(m, &c->files[i]);
    }
}

/* Whether a path of the skill is there; then it counts as named. */
static bool find_path(const struct mention *m, struct sl_view path)
{
    struct sl_skill_checker *c = m->c;
    struct sl_skill_file *file = sl_skill_find(c, path);
    bool found = file != NULL || !path.len;
    if (file)
        mark(m, file);
    if (file && file->kind == SL_SKILL_FOLDER)
        mark_below(m, path);
    if (!found && memchr(path.ptr, '*', path.len)) {
        for (size_t i = 0; i < c->file_count; i++) {
            if (!glob_matches(path, c->files[i].path))
                continue;
            mark(m, &c->files[i]);
            found = true;
        }
    } else if (!found && m->from->how != SL_SKILL_BY_CODE) {
        /* behind a link that stays in the skill, or a list was not made */
        struct sl_arena_mark before = sl_arena_mark(c->arena);
        const char *full = sl_path_join(c->arena, c->folder, path);
        found = full && sl_path_exists(full);
        sl_arena_rewind(c->arena, before);
    }
    return found;
}

/* Whether the path leads somewhere from the file, or from the skill's folder. */
static bool find_target(const struct mention *m,
                        char found_out[SL_MAX_PATH + 1], bool *inside_out)
{
    const struct sl_view bases[] = {m->from->file, SL_LIT("")};
    *inside_out = false;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        if (!sl_path_resolve(bases[i], m->path, found_out))
            continue;
        *inside_out = true;
        if (find_path(m, sl_view_of(found_out)))
            return true;
    }
    return false;
}

static enum sl_status check_anchor(const struct mention *m, struct sl_view path,
                                   struct sl_error *error)
{
    const struct sl_skill_checker *c = m->c;
    const struct sl_skill_file *file = sl_skill_find(c, path);
    if (!file || !file->is_read || !m->anchor.len ||
        c->anchors.len >= SL_MAX_SKILL_ANCHORS ||
        sl_view_starts(m->anchor, ":~:"))
        return SL_OK;
    struct sl_buf key;
    sl_buf_init(&key, SL_MAX_LINK_TARGET * 4u);
    sl_buf_printf(&key, "%zu#", (size_t)(file - c->files));
    sl_buf_add(&key, m->anchor);
    enum sl_status status = sl_buf_check(&key, error);
    if (!status && !sl_map_get(&c->anchors, sl_buf_view(&key)))
        sl_skill_add(c->report, level_of(m), m->from->file, m->from->line,
                     "anchor", "%.*s has no heading with the anchor '#%.*s'",
                     SL_ARG(sl_view_sub(path, 0, 200)),
                     SL_ARG(sl_view_sub(m->anchor, 0, 200)));
    sl_buf_release(&key);
    return status;
}

/* Where the format has files, and folders that the skill has: a path in a code
 * span that begins so is meant as one of the skill. */
static bool is_of_skill(const struct mention *m)
{
    static const char *const folders[] = {"references", "scripts", "assets"};
    const char *slash = memchr(m->path.ptr, '/', m->path.len);
    if (!slash)
        return false;
    struct sl_view first =
        sl_view_sub(m->path, 0, (size_t)(slash - m->path.ptr));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (sl_view_is(first, folders[i]))
            return true;
    const struct sl_skill_file *file = sl_skill_find(m->c, first);
    return file && file->kind == SL_SKILL_FOLDER;
}

/*
 * Whether the last part of a path names a file (`x.md`), or it ends in a slash. A
 * folder of the format alone (`scripts/`) is spoken of where there is none.
 */
static bool is_file_name(struct sl_view path)
{
    const char *slash = memrchr(path.ptr, '/', path.len);
    struct sl_view last = sl_view_sub(
        path, slash ? (size_t)(slash - path.ptr) + 1 : 0, path.len);
    size_t dot = sl_view_find(last, SL_LIT("."), 1);
    if (!last.len)
        return memchr(path.ptr, '/', path.len) != slash;
    return dot != SIZE_MAX && dot + 1 < last.len &&
                         sl_is_alnum(last.ptr[dot + 1]);
}

static enum sl_status check_word(struct mention *m, struct sl_error *error)
{
    char found[SL_MAX_PATH + 1];
    bool inside = false;
    struct sl_view word = m->from->target;
    if (sl_view_starts(word, "./"))
        word = sl_view_sub(word, 2, word.len);
    size_t end = 0;
    while (end < word.len && word.ptr[end] != '#' && word.ptr[end] != ':')
        end++;
    m->path = sl_view_sub(word, 0, end);
    if (end < word.len && word.ptr[end] == '#')
        m->anchor = sl_view_sub(word, end + 1, word.len);
    if (!m->path.len)
        return SL_OK;
    if (find_target(m, found, &inside))
        return check_anchor(m, sl_view_of(found), error);
    if (m->from->how == SL_SKILL_BY_SPAN && inside && is_of_skill(m) &&
        is_file_name(m->path))
        sl_skill_add(m->c->report, level_of(m), m->from->file, m->from->line,
                     "dangling", "`%.*s` is no file of the skill",
                     SL_ARG(sl_view_sub(m->path, 0, 200)));
    return SL_OK;
}

static int hex(char c)
{
    c = sl_lower(c);
    return sl_is_digit(c)            ? c - '0'
           : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                                     : -1;
}

/* %20 and the like, in place of room for the text. */
static struct sl_view decode(struct sl_view text, char *room)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool escape = text.ptr[i] == '%' && i + 2 < text.len &&
                      hex(text.ptr[i + 1]) >= 0 && hex(text.ptr[i + 2]) >= 0;
        room[n++] = escape ? (char)(hex(text.ptr[i + 1]) * 16 +
                                    hex(text.ptr[i + 2]))
                           : text.ptr[i];
        i += escape ? 2 : 0;
    }
    return (struct sl_view){room, n};
}

/* https:, mailto: and the like, of two letters at least. */
static bool has_scheme(struct sl_view target)
{
    size_t i = 0;
    while (i < target.len && (sl_is_alnum(target.ptr[i]) ||
                              strchr("+-.", target.ptr[i])))
        i++;
    return (i >= 2 && i < target.len && target.ptr[i] == ':' &&
            sl_is_alpha(target.ptr[0])) ||
           sl_view_starts(target, "//");
}

static enum sl_status check_link(struct mention *m, struct sl_error *error)
{
    char path[SL_MAX_LINK_TARGET + 2], anchor[SL_MAX_LINK_TARGET + 2];
    char found[SL_MAX_PATH + 1];
    bool inside = false;
    struct sl_view target = m->from->target;
    if (has_scheme(target) && !sl_view_starts(target, "file:"))
        return SL_OK;
    size_t end = 0;
    while (end < target.len && target.ptr[end] != '#' && target.ptr[end] != '?')
        end++;
    size_t hash = sl_view_find(target, SL_LIT("#"), end);
    m->path = decode(sl_view_sub(target, 0, end), path);
    if (hash != SIZE_MAX)
        m->anchor =
            decode(sl_view_sub(target, hash + 1, target.len), anchor);
    if (!m->path.len && m->anchor.ptr)
        return check_anchor(m, m->from->file, error);
    if (m->path.len && !memchr(m->path.ptr, '\0', m->path.len) &&
        find_target(m, found, &inside))
        return check_anchor(m, sl_view_of(found), error);
    const char *why = !m->path.len ? "it has no target"
                      : inside     ? "that is no file of the skill"
                                   : "that leads out of the skill";
    sl_skill_add(m->c->report, level_of(m), m->from->file, m->from->line,
                 "dangling", "a link to '%.*s': %s",
                 SL_ARG(sl_view_sub(target, 0, 200)), why);
    return SL_OK;
}

/* What is read is what SKILL.md names: a reader of a reader often looks no further. */
static void check_reached(struct sl_skill_checker *c)
{
    for (size_t i = 0; i < c->file_count; i++) {
        const struct sl_skill_file *file = &c->files[i];
        if (!is_markdown(file->path) || file->is_named ||
            !sl_view_starts(file->path, SL_SKILL_REFERENCES))
            continue;
        if (file->named_by.len)
            sl_skill_add(c->report, SL_SKILL_WARNING, file->path, 0,
                         "link-depth",
                         "only %.*s names it, not %.*s: what is two steps "
                         "away is often not read",
                         SL_ARG(sl_view_sub(file->named_by, 0, 200)),
                         SL_ARG(c->main));
        else
            sl_skill_add(c->report, SL_SKILL_WARNING, file->path, 0,
                         "unreached", "no file of the skill names it");
    }
}

enum sl_status sl_skill_mentions(struct sl_skill_checker *c,
                                 struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < c->mention_count && !status; i++) {
        struct mention m = {.c = c, .from = &c->mentions[i]};
        status = m.from->how == SL_SKILL_BY_LINK ? check_link(&m, error)
                                                 : check_word(&m, error);
    }
    if (!status && c->main.len && c->mention_count < SL_MAX_SKILL_MENTIONS)
        check_reached(c);
    return status;
}
