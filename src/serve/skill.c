#include "serve/skill.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "markdown/doc.h"
#include "mcp/content.h"
#include "serve/base64.h"
#include "serve/serve.h"
#include "serve/uri.h"
#include "text/hash.h"

#define MAIN "SKILL.md"

/* What the index holds of the project beside the skill's folder. */
#define OTHER "evidence/"

static enum sl_status read_file(struct sl_corpus *corpus, struct sl_view path,
                                struct sl_view *bytes_out,
                                struct sl_error *error)
{
    return sl_index_read(corpus->index, &corpus->arena, path, bytes_out, error);
}

static enum sl_status read_front(struct sl_corpus *corpus,
                                 struct sl_skill *skill, struct sl_error *error)
{
    struct sl_view bytes, front;
    enum sl_status status = read_file(corpus, SL_LIT(MAIN), &bytes, error);
    if (status)
        return status == SL_ERR_NOTFOUND ? SL_OK : status;
    (void)sl_md_front_end(bytes, &front);
    if (!front.ptr || sl_yaml_parse(&corpus->arena, front, &skill->front,
                                    error))
        return SL_OK; /* then it is no skill */
    if (sl_yaml_text(skill->front, "description").len)
        skill->name = sl_yaml_text(skill->front, "name");
    return SL_OK;
}

enum sl_status sl_skill_load(struct sl_corpus *corpus,
                             struct sl_skill *skill_out, struct sl_error *error)
{
    struct sl_skill skill = {.name = SL_LIT("")};
    struct sl_view *paths;
    size_t count;
    enum sl_status status =
        sl_index_files(corpus->index, &corpus->arena, &paths, &count, error);
    if (!status)
        status = read_front(corpus, &skill, error);
    if (status)
        return status;
    skill.files =
        sl_arena_alloc(&corpus->arena, (count + 1) * sizeof *skill.files);
    if (!skill.files)
        return sl_error_nomem(error);
    for (size_t i = 0; i < count; i++)
        if (!sl_view_starts(paths[i], OTHER))
            skill.files[skill.count++].path = paths[i];
    if (skill.count > SL_MAX_SKILL_FILES)
        skill.name = SL_LIT("");
    *skill_out = skill;
    return SL_OK;
}

static const char *mime_of(struct sl_view path)
{
    static const char *const types[][2] = {
        {".md", "text/markdown"},     {".json", "application/json"},
        {".yaml", "application/yaml"}, {".py", "text/x-python"},
        {".sh", "text/x-shellscript"}, {".png", "image/png"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (sl_view_ends(path, types[i][0]))
            return types[i][1];
    return "text/plain";
}

/* The bytes after the last slash. */
static struct sl_view base_of(struct sl_view path)
{
    size_t begin = path.len;
    while (begin && path.ptr[begin - 1] != '/')
        begin--;
    return sl_view_sub(path, begin, path.len);
}

void sl_skill_put_resource(struct sl_buf *out, const struct sl_skill *skill)
{
    struct sl_buf uri;
    sl_buf_init(&uri, SL_MAX_PATH * 4);
    sl_uri_put_skill(&uri, skill->name, SL_LIT(MAIN));
    struct sl_mcp_link link = {
        .uri = sl_buf_view(&uri),
        .name = skill->name,
        .description = sl_yaml_text(skill->front, "description"),
        .mime = "text/markdown",
    };
    sl_buf_putc(out, '{');
    sl_mcp_put_link(out, &link);
    sl_buf_putc(out, '}');
    sl_buf_release(&uri);
}

enum sl_status sl_skill_put_file(struct sl_buf *out, struct sl_corpus *corpus,
                                 struct sl_view path, struct sl_error *error)
{
    struct sl_skill skill;
    struct sl_view bytes = {NULL, 0};
    enum sl_status status = sl_skill_load(corpus, &skill, error);
    if (status)
        return status;
    struct sl_view inner = sl_view_sub(path, skill.name.len + 1, path.len);
    bool is_ours = skill.name.len && path.len > skill.name.len &&
                   path.ptr[skill.name.len] == '/' &&
                   sl_view_eq(sl_view_sub(path, 0, skill.name.len),
                              skill.name) &&
                   !sl_view_starts(inner, OTHER);
    if (is_ours)
        status = read_file(corpus, inner, &bytes, error);
    if (!is_ours || status == SL_ERR_NOTFOUND)
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "Resource not found: skill://%.*s",
                            SL_ARG(sl_view_sub(path, 0, 200)));
    if (status)
        return status;
    sl_buf_printf(out, ",\"mimeType\":\"%s\",", mime_of(inner));
    if (sl_utf8_invalid(bytes) == SIZE_MAX) {
        sl_mcp_put_text(out, "text", bytes);
    } else {
        sl_buf_puts(out, "\"blob\":\"");
        sl_base64(out, bytes);
        sl_buf_putc(out, '"');
    }
    return SL_OK;
}

/* A plain scalar that YAML's core schema takes for something else than text. */
static bool is_typed(struct sl_view text)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sl_view_is(text, words[i]))
            return true;
    struct sl_json *number = NULL;
    bool is = false;
    struct sl_buf list; /* JSON's numbers are a part of YAML's */
    sl_buf_init(&list, 80);
    if (text.len && text.len < 40) {
        sl_buf_printf(&list, "[%.*s]", SL_ARG(text));
        double real;
        is = !sl_json_parse(sl_buf_view(&list), &number, NULL) &&
             sl_json_real(sl_json_at(number, 0), &real);
        sl_json_release(number);
    }
    sl_buf_release(&list);
    return is;
}

static void put_scalar(struct sl_buf *out, const struct sl_yaml *node)
{
    if (node->is_plain && is_typed(node->text)) {
        sl_buf_add(out, node->text);
    } else if (node->is_plain && !node->text.len) {
        sl_buf_puts(out, "null");
    } else {
        sl_buf_putc(out, '"');
        sl_buf_json(out, node->text);
        sl_buf_putc(out, '"');
    }
}

/* Front matter as JSON, member by member: down to a child, on, or up again. */
static void put_front(struct sl_buf *out, const struct sl_yaml *root)
{
    const struct sl_yaml *path[SL_MAX_YAML_DEPTH + 1];
    size_t depth = 0;
    const struct sl_yaml *node = root;
    while (node) {
        if (node->key.ptr) {
            sl_buf_putc(out, '"');
            sl_buf_json(out, node->key);
            sl_buf_puts(out, "\":");
        }
        if (node->kind == SL_YAML_TEXT)
            put_scalar(out, node);
        else
            sl_buf_putc(out, node->kind == SL_YAML_MAP ? '{' : '[');
        if (node->kind != SL_YAML_TEXT && node->child) {
            path[depth++] = node;
            node = node->child;
            continue;
        }
        if (node->kind != SL_YAML_TEXT)
            sl_buf_putc(out, node->kind == SL_YAML_MAP ? '}' : ']');
        while (depth && !node->next) {
            node = path[--depth];
            sl_buf_putc(out, node->kind == SL_YAML_MAP ? '}' : ']');
        }
        node = depth ? node->next : NULL;
        if (node)
            sl_buf_putc(out, ',');
    }
}

/* {"uri","frontmatter","resources"}; false: it is larger than a host must take. */
static enum sl_status put_skill(struct sl_buf *out, struct sl_corpus *corpus,
                                const struct sl_skill *skill, bool *fits_out,
                                struct sl_error *error)
{
    size_t total = 0;
    enum sl_status status = SL_OK;
    sl_buf_puts(out, "{\"uri\":\"");
    sl_uri_put_skill(out, skill->name, SL_LIT(MAIN));
    sl_buf_puts(out, "\",\"frontmatter\":");
    put_front(out, skill->front);
    sl_buf_puts(out, ",\"resources\":[");
    for (size_t i = 0; !status && i < skill->count; i++) {
        struct sl_view bytes;
        char digest[65];
        status = read_file(corpus, skill->files[i].path, &bytes, error);
        if (!status)
            status = sl_sha256_hex(bytes, digest, error);
        if (status)
            break;
        total += bytes.len;
        sl_buf_puts(out, i ? ",{\"uri\":\"" : "{\"uri\":\"");
        sl_uri_put_skill(out, skill->name, skill->files[i].path);
        sl_buf_printf(out, "\",\"digest\":\"sha256:%s\",\"size\":%zu}", digest,
                      bytes.len);
    }
    sl_buf_puts(out, "]}");
    *fits_out = total <= SL_MAX_SKILL_BYTES;
    return status;
}

enum sl_status sl_serve_skills_list(void *context, struct sl_mcp_call *call,
                                    struct sl_error *error)
{
    struct sl_serve *serve = context;
    struct sl_skill skill;
    struct sl_mcp_page page;
    bool fits = true;
    sl_serve_begin(serve);
    enum sl_status status = sl_skill_load(serve->corpus, &skill, error);
    if (!status)
        status = sl_mcp_page_of(call, skill.name.len != 0, &page, error);
    if (status)
        return status;
    sl_buf_puts(call->result, "\"skills\":[");
    size_t begin = call->result->len;
    if (skill.name.len)
        status = put_skill(call->result, serve->corpus, &skill, &fits, error);
    if (!fits)
        sl_buf_truncate(call->result, begin);
    sl_buf_putc(call->result, ']');
    return status;
}

enum sl_status sl_serve_skills_get(void *context, struct sl_mcp_call *call,
                                   struct sl_error *error)
{
    struct sl_serve *serve = context;
    struct sl_view uri = sl_json_member(call->params, "uri");
    struct sl_skill skill;
    struct sl_buf own;
    bool fits = false;
    sl_serve_begin(serve);
    if (!uri.ptr)
        return sl_error_set(error, SL_ERR_USAGE, "params.uri must be a string");
    sl_buf_init(&own, SL_MAX_PATH * 4);
    enum sl_status status = sl_skill_load(serve->corpus, &skill, error);
    if (!status) {
        sl_uri_put_skill(&own, skill.name, SL_LIT(MAIN));
        sl_buf_puts(call->result, "\"skill\":");
        if (skill.name.len && sl_view_eq(uri, sl_buf_view(&own)))
            status = put_skill(call->result, serve->corpus, &skill, &fits,
                               error);
    }
    sl_buf_release(&own);
    if (!status && !fits)
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "No skill is served at %.*s",
                              SL_ARG(sl_view_sub(uri, 0, 200)));
    return status;
}

/* One child of a folder: a file, or a folder that is met for the first time. */
static void put_child(struct sl_buf *out, const struct sl_skill *skill,
                      struct sl_view path, bool is_folder, bool next)
{
    struct sl_buf uri;
    sl_buf_init(&uri, SL_MAX_PATH * 4);
    sl_uri_put_skill(&uri, skill->name, path);
    bool is_main = sl_view_is(path, MAIN);
    struct sl_mcp_link link = {
        .uri = sl_buf_view(&uri),
        .name = is_main ? skill->name : base_of(path),
        .mime = is_folder ? "inode/directory" : mime_of(path),
    };
    if (is_main)
        link.description = sl_yaml_text(skill->front, "description");
    sl_buf_puts(out, next ? ",{" : "{");
    sl_mcp_put_link(out, &link);
    sl_buf_putc(out, '}');
    sl_buf_release(&uri);
}

/* The children of `folder` ("" or with a slash at its end); files are in order. */
static size_t put_children(struct sl_buf *out, const struct sl_skill *skill,
                           struct sl_view folder)
{
    struct sl_view last = {NULL, 0};
    size_t count = 0;
    for (size_t i = 0; i < skill->count; i++) {
        struct sl_view path = skill->files[i].path;
        if (path.len <= folder.len ||
            !sl_view_eq(sl_view_sub(path, 0, folder.len), folder))
            continue;
        size_t slash = sl_view_find(path, SL_LIT("/"), folder.len);
        struct sl_view child = sl_view_sub(path, 0, slash);
        if (last.ptr && sl_view_eq(child, last))
            continue;
        put_child(out, skill, child, slash != SIZE_MAX, count > 0);
        last = child;
        count++;
    }
    return count;
}

enum sl_status sl_serve_directory_read(void *context, struct sl_mcp_call *call,
                                       struct sl_error *error)
{
    struct sl_serve *serve = context;
    struct sl_view text = sl_json_member(call->params, "uri");
    struct sl_skill skill;
    struct sl_uri uri = {.kind = SL_URI_SECTION};
    struct sl_buf folder;
    size_t count = 0;
    struct sl_mcp_page page; /* one: every folder is listed whole */
    sl_serve_begin(serve);
    if (!text.ptr)
        return sl_error_set(error, SL_ERR_USAGE, "params.uri must be a string");
    enum sl_status status = sl_mcp_page_of(call, 1, &page, error);
    if (status)
        return status;
    status = sl_skill_load(serve->corpus, &skill, error);
    if (!status)
        status = sl_uri_read(&serve->corpus->arena, text, &uri, error);
    sl_buf_init(&folder, SL_MAX_PATH * 2);
    sl_buf_add(&folder, uri.ref);
    sl_buf_putc(&folder, '/');
    struct sl_view path = sl_buf_view(&folder);
    bool is_ours = !status && uri.kind == SL_URI_SKILL && skill.name.len &&
                   path.len > skill.name.len &&
                   path.ptr[skill.name.len] == '/' &&
                   sl_view_eq(sl_view_sub(path, 0, skill.name.len),
                              skill.name);
    sl_buf_puts(call->result, "\"resources\":[");
    if (is_ours)
        count = put_children(call->result, &skill,
                             sl_view_sub(path, skill.name.len + 1, path.len));
    sl_buf_putc(call->result, ']');
    sl_buf_release(&folder);
    if (status && status != SL_ERR_NOTFOUND)
        return status;
    if (!count)
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "%.*s is not a directory resource",
                            SL_ARG(sl_view_sub(text, 0, 200)));
    return SL_OK;
}
