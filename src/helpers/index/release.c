#include "helpers/index/release.h"

#include <stdlib.h>
#include <string.h>

#include "api/classify.h"
#include "base/limits.h"
#include "os/file.h"
#include "clang/read.h"

#define MAX_PLACES 2u /* one a file: the host's header, then the device's */
#define MAX_OVERLOADS 8u

/* One name while both views are read. */
struct entry {
    struct sl_release_name out;
    bool on_host, on_device;              /* as declared */
    bool in_host_body, in_device_body;    /* defined in the headers */
    struct sl_view places[3][MAX_PLACES]; /* template, instantiation, list */
    size_t place_count;
    struct sl_view file; /* of the newest place */
    bool has_definition;
    struct sl_view signatures[MAX_OVERLOADS], types[MAX_OVERLOADS];
    size_t overload_count;
};

struct builder {
    struct sl_arena *arena;
    struct entry *entries;
    size_t count, cap;
    struct sl_map index;
    struct sl_map exports; /* of the libraries; empty: not known */
    struct sl_map bitcode; /* of the device library; empty: not known */
    struct sl_map laid_out; /* types whose members are there */
    struct sl_release_member *members;
    size_t member_count, member_cap;
    size_t functions_made;
    struct sl_error *error;
};

struct view {
    const char *name;
    const char *flags[4];
    bool is_device;
};

static const struct view views[] = {
    {"host", {NULL}, false},
    /*
     * NVSHMEM defines as static what it declared as extern, which nvcc takes;
     * clang takes it as an extension of another compiler
     */
    {"device",
     {"-D__CUDA_ARCH__=1000", "-fms-compatibility",
      "-fno-delayed-template-parsing"},
     true},
};

/* Headers of others that come in the same folder (DOCA GPUNetIO, from 3.7). */
static bool is_foreign(struct sl_view path)
{
    return sl_view_starts(path, "gpunetio/");
}

/* `#define _NVSHMEM_H_`: no name of the interface. */
static bool is_include_guard(const struct sl_decl *decl)
{
    if (!decl->is_empty)
        return false;
    struct sl_view name = decl->name;
    while (name.len && name.ptr[name.len - 1] == '_')
        name.len--;
    return sl_view_ends(name, "_H") || sl_view_ends(name, "_CUH") ||
           sl_view_ends(name, "_HPP");
}

static struct sl_view place_text(struct builder *builder,
                                 const struct sl_unit_decls *decls,
                                 struct sl_place place)
{
    if (!place.file)
        return SL_LIT("-");
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_PATH + 16);
    sl_buf_printf(&buf, "%.*s:%u", SL_ARG(decls->files[place.file]),
                  place.line);
    struct sl_view text = sl_arena_copy(builder->arena, sl_buf_view(&buf));
    if (buf.failed)
        text.ptr = NULL;
    sl_buf_release(&buf);
    return text;
}

static bool is_number(struct sl_view text)
{
    uint64_t ignored;
    return sl_view_number(text, UINT32_MAX, &ignored);
}

/* Where the list of element types (or sizes) says this one. */
static struct sl_place list_place(const struct sl_made_name *made)
{
    for (size_t i = 0; i < made->piece_count; i++)
        if (sl_is_element_type(made->pieces[i].text) ||
            is_number(made->pieces[i].text))
            return made->pieces[i].place;
    return (struct sl_place){0, 0};
}

static enum sl_status add_place(struct builder *builder,
                                const struct sl_unit_decls *decls,
                                const struct sl_decl *decl, struct entry *entry)
{
    struct sl_place none = {0, 0};
    struct sl_place at[3] = {decl->made ? decl->made->written : none, decl->at,
                             decl->made ? list_place(decl->made) : none};
    for (size_t i = 0; i < 3; i++) {
        struct sl_view text = place_text(builder, decls, at[i]);
        if (!text.ptr)
            return sl_error_nomem(builder->error);
        entry->places[i][entry->place_count] = text;
    }
    entry->file = decls->files[decl->at.file];
    entry->place_count++;
    return SL_OK;
}

static void add_overload(struct entry *entry, const struct sl_decl *decl)
{
    for (size_t i = 0; i < entry->overload_count; i++)
        if (sl_view_eq(entry->types[i], decl->types))
            return;
    if (entry->overload_count == MAX_OVERLOADS)
        return;
    entry->signatures[entry->overload_count] = decl->signature;
    entry->types[entry->overload_count++] = decl->types;
}

static void add_spaces(struct entry *entry, const struct sl_decl *decl,
                       bool is_device_view)
{
    if (decl->marks & (SL_MARK_DEVICE | SL_MARK_GLOBAL))
        entry->on_device = true;
    if ((decl->marks & SL_MARK_HOST) || (!decl->marks && !is_device_view))
        entry->on_host = true;
    if (decl->is_inline && is_device_view)
        entry->in_device_body = true;
    else if (decl->is_inline)
        entry->in_host_body = true;
}

/* Another declaration of a name that is known. */
static enum sl_status add_again(struct builder *builder,
                                const struct sl_unit_decls *decls,
                                const struct sl_decl *decl, struct entry *entry)
{
    enum sl_decl_kind kind = (enum sl_decl_kind)entry->out.symbol.kind;
    bool is_macro = decl->kind == SL_DECL_MACRO;
    if (kind == SL_DECL_MACRO && !is_macro) {
        entry->out.symbol.kind = (enum sl_symbol_kind)decl->kind;
        entry->overload_count = 0;
        entry->place_count = 0;
    } else if (kind != decl->kind) {
        return SL_OK;
    }
    if (kind == SL_DECL_TYPE && decl->is_definition && !entry->has_definition) {
        entry->overload_count = 0; /* a struct after its forward */
        entry->place_count = 0;
    }
    if (kind == SL_DECL_FUNCTION || entry->overload_count == 0)
        add_overload(entry, decl);
    bool is_news = kind == SL_DECL_FUNCTION &&
                   !sl_view_eq(entry->file, decls->files[decl->at.file]);
    entry->has_definition |= decl->is_definition;
    if (entry->place_count > 0 && !is_news)
        return SL_OK;
    if (entry->place_count == MAX_PLACES)
        return SL_OK;
    return add_place(builder, decls, decl, entry);
}

static enum sl_status add_member(struct builder *builder,
                                 const struct sl_unit_decls *decls,
                                 const struct sl_decl *decl,
                                 const struct sl_clang_member *member)
{
    builder->members = sl_arena_grow(builder->arena, builder->members,
                                     sizeof *builder->members,
                                     builder->member_count,
                                     &builder->member_cap);
    struct sl_view line = place_text(builder, decls, member->at);
    if (!builder->members || !line.ptr)
        return sl_error_nomem(builder->error);
    builder->members[builder->member_count++] = (struct sl_release_member){
        .type = decl->name,
        .path = member->path,
        .declared = member->type,
        .line = line,
        .offset = member->offset,
        .size = member->size,
        .is_bits = member->is_bits,
    };
    return SL_OK;
}

/* Once a type: the host's view comes first, as it does for signatures. */
static enum sl_status add_members(struct builder *builder,
                                  const struct sl_unit_decls *decls,
                                  const struct sl_decl *decl)
{
    bool added;
    if (!decl->has_members)
        return SL_OK;
    if (!sl_map_put(&builder->laid_out, decl->name, 1, &added))
        return sl_error_nomem(builder->error);
    struct sl_clang_member whole = {
        .path = SL_LIT("-"),
        .type = sl_view_starts(decl->signature, "union") ? SL_LIT("union")
                                                         : SL_LIT("struct"),
        .at = decl->at,
        .size = decl->size,
    };
    enum sl_status status =
        added ? add_member(builder, decls, decl, &whole) : SL_OK;
    for (size_t i = 0; added && !status && i < decl->member_count; i++)
        status = add_member(builder, decls, decl, &decl->members[i]);
    return status;
}

static enum sl_status add_decl(struct builder *builder,
                               const struct sl_unit_decls *decls,
                               const struct sl_decl *decl, bool is_device_view)
{
    struct sl_view path = decls->files[decl->at.file];
    if (is_foreign(path) || is_include_guard(decl))
        return SL_OK;
    bool added;
    size_t *i = sl_map_put(&builder->index, decl->name, builder->count, &added);
    if (!i)
        return sl_error_nomem(builder->error);
    enum sl_status status;
    if (added) {
        builder->entries = sl_arena_grow(builder->arena, builder->entries,
                                         sizeof *builder->entries,
                                         builder->count, &builder->cap);
        if (!builder->entries)
            return sl_error_nomem(builder->error);
        struct entry *entry = &builder->entries[builder->count++];
        *entry = (struct entry){.place_count = 0};
        entry->out.symbol.name = decl->name;
        entry->out.symbol.kind = (enum sl_symbol_kind)decl->kind;
        entry->out.symbol.owner =
            decl->is_template
                ? SL_OWNER_INTERNAL
                : sl_symbol_owner_of(decl->name,
                                     (enum sl_symbol_kind)decl->kind, path);
        entry->has_definition = decl->is_definition;
        if (decl->made && decl->kind == SL_DECL_FUNCTION)
            builder->functions_made++;
        add_overload(entry, decl);
        status = add_place(builder, decls, decl, entry);
    } else {
        status = add_again(builder, decls, decl, &builder->entries[*i]);
    }
    add_spaces(&builder->entries[*i], decl, is_device_view);
    return status ? status : add_members(builder, decls, decl);
}

/* The texts joined by separator; one that is there several times, once. */
static enum sl_status join(struct builder *builder, const struct sl_view *texts,
                           size_t count, const char *separator,
                           struct sl_view *joined_out)
{
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_SIGNATURE * MAX_OVERLOADS);
    bool alike = true;
    for (size_t i = 1; i < count && alike; i++)
        alike = sl_view_eq(texts[i], texts[0]);
    for (size_t i = 0; i < (alike && count ? 1 : count); i++) {
        sl_buf_puts(&buf, i ? separator : "");
        sl_buf_add(&buf, texts[i]);
    }
    *joined_out = sl_arena_copy(builder->arena, sl_buf_view(&buf));
    bool failed = buf.failed || !joined_out->ptr;
    sl_buf_release(&buf);
    return failed ? sl_error_nomem(builder->error) : SL_OK;
}

static enum sl_symbol_space space_of(const struct builder *builder,
                                     const struct entry *entry)
{
    enum sl_symbol_kind kind = entry->out.symbol.kind;
    if (kind != SL_KIND_FUNCTION && kind != SL_KIND_VARIABLE)
        return SL_SPACE_NONE;
    if (sl_view_find(entry->out.symbol.name, SL_LIT("_on_stream"), 0) !=
        SIZE_MAX)
        return SL_SPACE_ON_STREAM;
    /*
     * Declared for a side, and neither in the headers nor in a library of that
     * side: a call does not link, whatever the declaration says.
     */
    struct sl_view name = entry->out.symbol.name;
    bool is_free = kind == SL_KIND_VARIABLE ||
                   entry->out.symbol.owner == SL_OWNER_INTERNAL;
    bool is_hosts = entry->on_host || !entry->on_device;
    bool is_devices = entry->on_device;
    if (builder->exports.len && !is_free)
        is_hosts &= entry->in_host_body || sl_map_get(&builder->exports, name);
    if (builder->bitcode.len && !is_free)
        is_devices &= entry->in_device_body ||
                      sl_map_get(&builder->bitcode, name);
    if (is_hosts)
        return is_devices ? SL_SPACE_BOTH : SL_SPACE_HOST;
    return is_devices ? SL_SPACE_DEVICE : SL_SPACE_DECLARED;
}

static enum sl_status finish(struct builder *builder, struct entry *entry)
{
    struct sl_symbol *symbol = &entry->out.symbol;
    symbol->space = space_of(builder, entry);
    symbol->family = symbol->name;
    bool is_public = symbol->owner != SL_OWNER_INTERNAL;
    if (symbol->kind == SL_KIND_FUNCTION && is_public) {
        symbol->scope = sl_symbol_scope_of(symbol->name, symbol->space);
        symbol->blocking = sl_symbol_blocking_of(symbol->name, symbol->space);
        struct sl_buf buf;
        sl_buf_init(&buf, SL_MAX_SIGNATURE);
        sl_symbol_family(&buf, symbol->name);
        symbol->family = sl_arena_copy(builder->arena, sl_buf_view(&buf));
        bool failed = buf.failed || !symbol->family.ptr;
        sl_buf_release(&buf);
        if (failed)
            return sl_error_nomem(builder->error);
    }
    struct sl_view *const joined[3] = {
        &symbol->template_line, &symbol->instantiation, &symbol->type_list};
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < 3 && !status; i++)
        status = join(builder, entry->places[i], entry->place_count, "|",
                      joined[i]);
    if (!status)
        status = join(builder, entry->signatures, entry->overload_count, " | ",
                      &symbol->signature);
    if (!status)
        status = join(builder, entry->types, entry->overload_count, " | ",
                      &entry->out.types);
    return status;
}

/* What to include: the two public headers, then every other one. */
static enum sl_status unit_text(struct sl_arena *arena, const char *root,
                                struct sl_buf *out, struct sl_error *error)
{
    struct sl_view *paths;
    size_t count;
    enum sl_status status = sl_folder_list(
        arena, root, NULL, SL_MAX_HEADER_FILES, &paths, &count, error);
    if (status)
        return status;
    sl_buf_puts(out, "#include \"nvshmem.h\"\n#include \"nvshmemx.h\"\n");
    for (size_t i = 0; i < count; i++)
        if (!is_foreign(paths[i]) &&
            (sl_view_ends(paths[i], ".h") || sl_view_ends(paths[i], ".cuh") ||
             sl_view_ends(paths[i], ".hpp")))
            sl_buf_printf(out, "#include \"%.*s\"\n", SL_ARG(paths[i]));
    return sl_buf_check(out, error);
}

static enum sl_status complain(const struct sl_unit_decls *decls,
                               const char *package, const char *view,
                               struct sl_error *error)
{
    if (decls->errors)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "%.150s, %s view: %zu errors; the first: %.200s",
                            package, view, decls->errors,
                            decls->first_error.ptr);
    if (decls->lost)
        return sl_error_set(error, SL_ERR_INTERNAL,
                            "%.150s, %s view: %zu macro-made names whose "
                            "template was not found; the first: %.*s",
                            package, view, decls->lost,
                            SL_ARG(decls->first_lost));
    return SL_OK;
}

static enum sl_status read_view(struct builder *builder, const char *package,
                                const char *root, const char *stubs,
                                struct sl_view text, const struct view *view)
{
    const char *cuda = sl_path_join(builder->arena, stubs, SL_LIT("cuda"));
    const char *libc = sl_path_join(builder->arena, stubs, SL_LIT("libc"));
    if (!cuda || !libc)
        return sl_error_nomem(builder->error);
    /* without __clang__: some releases look for it, and users' nvcc has it not */
    const char *flags[32] = {
        "-x",
        "c++",
        "-std=c++17",
        "-nostdinc",
        "-nostdinc++",
        "-ferror-limit=0",
        "-w",
        "-I",
        cuda,
        "-I",
        libc,
        "-D__CUDACC__",
        "-U__clang__",
        "-DSHMEMLORE_FRONT_END",
        "-D__CUDACC_RDC__",
    };
    int count = 15;
    for (size_t i = 0; view->flags[i]; i++)
        flags[count++] = view->flags[i];
    struct sl_unit unit = {root, flags, count, text};
    /* the declarations are pointed at until the release is finished */
    struct sl_unit_decls decls;
    enum sl_status status = sl_clang_read(builder->arena, &unit, &decls,
                                          builder->error);
    if (!status)
        status = complain(&decls, package, view->name, builder->error);
    for (size_t i = 0; i < decls.count && !status; i++)
        status = add_decl(builder, &decls, &decls.items[i], view->is_device);
    return status;
}

/* `_Z26nvshmemx_collective_launchPKv...` gives the name inside. */
static struct sl_view plain_name(struct sl_view line)
{
    if (!sl_view_starts(line, "_Z"))
        return line;
    size_t digits = 2;
    while (digits < line.len && sl_is_digit(line.ptr[digits]))
        digits++;
    uint64_t length;
    if (!sl_view_number(sl_view_sub(line, 2, digits), line.len - digits,
                        &length))
        return line;
    return sl_view_sub(line, digits, digits + (size_t)length);
}

static enum sl_status read_names(struct builder *builder, const char *package,
                                 struct sl_view file, struct sl_map *names)
{
    const char *path = sl_path_join(builder->arena, package, file);
    if (!path)
        return sl_error_nomem(builder->error);
    struct sl_view text, line;
    enum sl_status status = sl_file_read(
        builder->arena, path, SL_MAX_SYMBOLS_FILE, &text, builder->error);
    while (!status && sl_view_line(&text, &line))
        if (!sl_map_put(names, plain_name(line), 1, NULL))
            return sl_error_nomem(builder->error);
    return status;
}

/* What tools/nvshmem-packages noted of the libraries; it need not be there. */
static enum sl_status read_libraries(struct builder *builder,
                                     const char *package)
{
    const char *lib = sl_path_join(builder->arena, package, SL_LIT("lib"));
    if (!lib)
        return sl_error_nomem(builder->error);
    if (!sl_path_is_folder(lib))
        return SL_OK;
    struct sl_view *files;
    size_t count;
    enum sl_status status = sl_folder_list(builder->arena, lib, NULL,
                                           SL_MAX_HEADER_FILES, &files, &count,
                                           builder->error);
    for (size_t i = 0; i < count && !status; i++) {
        bool is_device = sl_view_starts(files[i], "libnvshmem_device");
        if (is_device && sl_view_ends(files[i], ".bc.names"))
            status = read_names(builder, lib, files[i], &builder->bitcode);
        else if ((is_device || sl_view_starts(files[i], "libnvshmem_host")) &&
                 sl_view_ends(files[i], ".exports"))
            status = read_names(builder, lib, files[i], &builder->exports);
    }
    return status;
}

static int by_name(const void *a, const void *b)
{
    const struct sl_release_name *x = a, *y = b;
    return sl_view_cmp(x->symbol.name, y->symbol.name);
}

static int by_member(const void *a, const void *b)
{
    const struct sl_release_member *x = a, *y = b;
    int order = sl_view_cmp(x->type, y->type);
    return order ? order : sl_view_cmp(x->path, y->path);
}

/* The value of `#define NAME 3`. */
static struct sl_view value_of(const struct builder *builder, const char *name)
{
    const size_t *i = sl_map_get(&builder->index, sl_view_of(name));
    struct sl_view text = i ? builder->entries[*i].out.symbol.signature
                            : SL_LIT("");
    size_t space = sl_view_find(text, SL_LIT(" "), 0);
    return space == SIZE_MAX ? SL_LIT("")
                             : sl_view_sub(text, space + 1, text.len);
}

static enum sl_status find_version(struct builder *builder, const char *package,
                                   struct sl_release *release)
{
    struct sl_view parts[3] = {
        value_of(builder, "NVSHMEM_VENDOR_MAJOR_VERSION"),
        value_of(builder, "NVSHMEM_VENDOR_MINOR_VERSION"),
        value_of(builder, "NVSHMEM_VENDOR_PATCH_VERSION")};
    for (size_t i = 0; i < 3; i++)
        if (!is_number(parts[i]))
            return sl_error_set(builder->error, SL_ERR_SYNTAX,
                                "%.300s: its headers do not tell a version",
                                package);
    return join(builder, parts, 3, ".", &release->version);
}

static enum sl_status collect(struct builder *builder, const char *package,
                              struct sl_release *release)
{
    enum sl_status status = SL_OK;
    release->items = sl_arena_alloc(builder->arena, (builder->count + 1) *
                                                        sizeof *release->items);
    if (!release->items)
        return sl_error_nomem(builder->error);
    for (size_t i = 0; i < builder->count && !status; i++) {
        status = finish(builder, &builder->entries[i]);
        release->items[i] = builder->entries[i].out;
    }
    release->count = builder->count;
    release->functions_made = builder->functions_made;
    release->members = builder->members;
    release->member_count = builder->member_count;
    if (release->member_count)
        qsort(release->members, release->member_count,
              sizeof *release->members, by_member);
    if (!status)
        status = find_version(builder, package, release);
    qsort(release->items, release->count, sizeof *release->items, by_name);
    return status;
}

enum sl_status sl_headers_read(struct sl_arena *arena, const char *package,
                               const char *stubs,
                               struct sl_release *release_out,
                               struct sl_error *error)
{
    struct builder builder = {.arena = arena, .error = error};
    sl_map_init(&builder.index, arena);
    sl_map_init(&builder.exports, arena);
    sl_map_init(&builder.bitcode, arena);
    sl_map_init(&builder.laid_out, arena);
    const char *root = sl_path_join(arena, package, SL_LIT("include"));
    if (!root)
        return sl_error_nomem(error);
    struct sl_buf text;
    sl_buf_init(&text, SL_MAX_SIGNATURE * MAX_OVERLOADS);
    enum sl_status status = read_libraries(&builder, package);
    if (!status)
        status = unit_text(arena, root, &text, error);
    for (size_t i = 0; i < sizeof views / sizeof *views && !status; i++)
        status = read_view(&builder, package, root, stubs, sl_buf_view(&text),
                           &views[i]);
    sl_buf_release(&text);
    struct sl_release release = {.items = NULL};
    if (!status)
        status = collect(&builder, package, &release);
    if (!status)
        *release_out = release;
    return status;
}
