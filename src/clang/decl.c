/* What is told of one declaration: kind, name, signature, marks. */
#include <string.h>

#include "base/limits.h"
#include "clang/internal.h"

static bool kind_of(CXCursor cursor, enum sl_decl_kind *kind_out)
{
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
        *kind_out = SL_DECL_FUNCTION;
        return true;
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_EnumDecl:
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl:
    case CXCursor_TypeAliasTemplateDecl:
        *kind_out = SL_DECL_TYPE;
        return true;
    case CXCursor_EnumConstantDecl:
        *kind_out = SL_DECL_CONSTANT;
        return true;
    case CXCursor_VarDecl:
        *kind_out = clang_isConstQualifiedType(clang_getCursorType(cursor))
                        ? SL_DECL_CONSTANT
                        : SL_DECL_VARIABLE;
        return true;
    default:
        return false;
    }
}

/* NAME, or SPACE::NAME; empty for what has no name of its own. */
static enum sl_status put_name(struct sl_reader *reader, CXCursor cursor,
                               struct sl_buf *out)
{
    struct sl_view own = sl_clang_take(reader, clang_getCursorSpelling(cursor));
    /* "(unnamed struct at ...)", "(anonymous ...)" */
    if (own.len == 0 || own.ptr[0] == '(' || clang_Cursor_isAnonymous(cursor))
        return reader->status;
    struct sl_view spaces[SL_MAX_WALK_DEPTH];
    size_t n = 0;
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    while (clang_getCursorKind(parent) != CXCursor_TranslationUnit &&
           !clang_Cursor_isNull(parent) && n < SL_MAX_WALK_DEPTH) {
        if (clang_getCursorKind(parent) == CXCursor_Namespace)
            spaces[n++] = sl_clang_take(reader,
                                        clang_getCursorSpelling(parent));
        parent = clang_getCursorSemanticParent(parent);
    }
    while (n > 0) {
        sl_buf_add(out, spaces[--n]);
        sl_buf_puts(out, "::");
    }
    sl_buf_add(out, own);
    return reader->status;
}

/* TYPE NAME, where the name may belong inside: `void (*name)(int)`. */
static void put_typed(struct sl_buf *out, struct sl_view type,
                      struct sl_view name)
{
    size_t inside = sl_view_find(type, SL_LIT("(*)"), 0);
    if (inside != SIZE_MAX)
        inside += 2;
    else
        inside = sl_view_find(type, SL_LIT("["), 0);
    if (inside == SIZE_MAX)
        inside = type.len;
    struct sl_view before = sl_view_sub(type, 0, inside);
    sl_buf_add(out, before);
    char end = before.len ? before.ptr[before.len - 1] : ' ';
    bool is_pack = sl_view_ends(before, "...") && before.len > 3 &&
                   sl_is_word(before.ptr[before.len - 4]);
    if (name.len && (sl_is_word(end) || end == '}' || end == '>' || is_pack))
        sl_buf_putc(out, ' ');
    sl_buf_add(out, name);
    sl_buf_add(out, sl_view_sub(type, inside, type.len));
}

struct parts {
    struct sl_reader *reader;
    struct sl_buf text;  /* parameters or members so far */
    struct sl_buf types; /* the same without the parameters' names */
    struct sl_buf bare;  /* types without the parameters' defaults */
    struct sl_buf templates;
    struct sl_buf bare_templates; /* without defaults */
    struct sl_view inner; /* members of the unnamed type that was seen last */
    unsigned depth;       /* of unnamed types in unnamed types */
    unsigned marks;
};

static void init_parts(struct parts *parts, struct sl_reader *reader,
                       unsigned depth)
{
    *parts = (struct parts){.reader = reader, .depth = depth};
    sl_buf_init(&parts->text, SL_MAX_SIGNATURE);
    sl_buf_init(&parts->types, SL_MAX_SIGNATURE);
    sl_buf_init(&parts->bare, SL_MAX_SIGNATURE);
    sl_buf_init(&parts->templates, SL_MAX_SIGNATURE);
    sl_buf_init(&parts->bare_templates, SL_MAX_SIGNATURE);
}

static void release_parts(struct parts *parts)
{
    sl_buf_release(&parts->text);
    sl_buf_release(&parts->types);
    sl_buf_release(&parts->bare);
    sl_buf_release(&parts->templates);
    sl_buf_release(&parts->bare_templates);
}

static void put_part(struct parts *parts, struct sl_buf *out, CXCursor cursor,
                     bool with_name, const char *separator)
{
    struct sl_view type = sl_clang_take(
        parts->reader, clang_getTypeSpelling(clang_getCursorType(cursor)));
    struct sl_view name = SL_LIT("");
    if (with_name)
        name = sl_clang_take(parts->reader, clang_getCursorSpelling(cursor));
    if (out->len)
        sl_buf_puts(out, separator);
    /* "struct X::(unnamed at FILE:1:2)" names a place, not a type */
    if (sl_view_find(type, SL_LIT("(unnamed"), 0) != SIZE_MAX ||
        sl_view_find(type, SL_LIT("(anonymous"), 0) != SIZE_MAX) {
        sl_buf_putc(out, '{');
        sl_buf_add(out, parts->inner);
        sl_buf_putc(out, '}');
        type = SL_LIT("");
        if (name.len)
            sl_buf_putc(out, ' ');
    }
    put_typed(out, type, name);
}

/*
 * " = DEFAULT", of a parameter that has one. The front end's own print of the
 * parameter: tokens are not to be had where a macro made the declaration.
 */
static void put_default(CXCursor cursor, struct sl_buf *out)
{
    CXString printed = clang_getCursorPrettyPrinted(cursor, NULL);
    const char *text = clang_getCString(printed);
    const char *given = text ? strstr(text, " = ") : NULL;
    if (given)
        sl_buf_puts(out, given);
    clang_disposeString(printed);
}

/* What came to one text goes to another as well. */
static void put_since(const struct sl_buf *from, size_t before,
                      struct sl_buf *out)
{
    sl_buf_add(out, sl_view_sub(sl_buf_view(from), before, from->len));
}

static void put_parameter(struct parts *parts, CXCursor cursor)
{
    put_part(parts, &parts->text, cursor, true, ", ");
    size_t before = parts->types.len;
    put_part(parts, &parts->types, cursor, false, ", ");
    put_since(&parts->types, before, &parts->bare);
    before = parts->text.len;
    put_default(cursor, &parts->text);
    put_since(&parts->text, before, &parts->types);
}

static void put_mark(struct parts *parts, CXCursor cursor)
{
    struct sl_view mark = sl_clang_take(parts->reader,
                                        clang_getCursorSpelling(cursor));
    if (sl_view_is(mark, "device"))
        parts->marks |= SL_MARK_DEVICE;
    if (sl_view_is(mark, "host"))
        parts->marks |= SL_MARK_HOST;
    if (sl_view_is(mark, "global"))
        parts->marks |= SL_MARK_GLOBAL;
}

/* `typename... NAME`: libclang tells it by nothing but the tokens. */
static bool is_pack(struct sl_reader *reader, CXCursor cursor,
                    struct sl_view name)
{
    struct sl_arena scratch; /* a macro's call may be what has the tokens */
    struct sl_clang_token *tokens;
    size_t count = 0;
    bool found = false;
    sl_arena_init(&scratch, SL_MAX_MACRO_ARENA);
    if (!reader->status)
        reader->status = sl_clang_tokens(
            reader, &scratch, clang_getCursorExtent(cursor), &tokens, &count);
    for (size_t i = 1; !reader->status && !found && i < count; i++)
        found = sl_view_is(tokens[i].text, "...") &&
                (i + 1 == count || sl_view_eq(tokens[i + 1].text, name));
    sl_arena_release(&scratch);
    return found;
}

/* A blank between two tokens as people write it: `template <typename> class C`. */
static bool are_apart(struct sl_view before, struct sl_view text)
{
    bool word = sl_is_word(text.ptr[0]);
    return (word && (sl_is_word(before.ptr[before.len - 1]) ||
                     sl_view_is(before, ">") || sl_view_is(before, "..."))) ||
           sl_view_is(before, ",") || sl_view_is(before, "template");
}

/* A template as parameter, by its tokens up to a default. */
static void put_template_template(struct parts *parts, CXCursor cursor,
                                  struct sl_buf *out)
{
    struct sl_arena scratch;
    struct sl_clang_token *tokens;
    size_t count = 0, depth = 0;
    sl_arena_init(&scratch, SL_MAX_MACRO_ARENA);
    if (!parts->reader->status)
        parts->reader->status =
            sl_clang_tokens(parts->reader, &scratch,
                            clang_getCursorExtent(cursor), &tokens, &count);
    if (!parts->reader->status)
        sl_buf_puts(out, out->len ? ", " : "");
    for (size_t i = 0; !parts->reader->status && i < count; i++) {
        struct sl_view text = tokens[i].text;
        depth += sl_view_is(text, "<");
        depth -= depth && sl_view_is(text, ">");
        if (!depth && sl_view_is(text, "="))
            break;
        if (i && are_apart(tokens[i - 1].text, text))
            sl_buf_putc(out, ' ');
        sl_buf_add(out, text);
    }
    sl_arena_release(&scratch);
}

/* A type or a value as parameter, up to a default. */
static void put_template_plain(struct parts *parts, CXCursor cursor,
                               struct sl_buf *out)
{
    struct sl_reader *reader = parts->reader;
    struct sl_view name = sl_clang_take(reader,
                                        clang_getCursorSpelling(cursor));
    bool is_type = clang_getCursorKind(cursor) ==
                   CXCursor_TemplateTypeParameter;
    if (is_pack(reader, cursor, name)) {
        struct sl_view type = SL_LIT("typename");
        if (!is_type)
            type = sl_clang_take(
                reader, clang_getTypeSpelling(clang_getCursorType(cursor)));
        sl_buf_printf(out, "%s%.*s%s %.*s", out->len ? ", " : "", SL_ARG(type),
                      sl_view_ends(type, "...") ? "" : "...", SL_ARG(name));
    } else if (is_type) {
        sl_buf_printf(out, "%stypename%s%.*s", out->len ? ", " : "",
                      name.len ? " " : "", SL_ARG(name));
    } else {
        put_part(parts, out, cursor, true, ", ");
    }
}

static void put_template_parameter(struct parts *parts, CXCursor cursor)
{
    size_t before = parts->templates.len;
    bool nested = clang_getCursorKind(cursor) ==
                  CXCursor_TemplateTemplateParameter;
    if (nested)
        put_template_template(parts, cursor, &parts->templates);
    else
        put_template_plain(parts, cursor, &parts->templates);
    put_since(&parts->templates, before, &parts->bare_templates);
    if (!nested)
        put_default(cursor, &parts->templates);
}

static enum CXChildVisitResult visit_part(CXCursor cursor, CXCursor parent,
                                          CXClientData data);

/* A type inside a type: its members are told where a field has it. */
static void put_inner(struct parts *parts, CXCursor cursor)
{
    if (parts->depth >= SL_MAX_NESTED_TYPES)
        return;
    struct parts inner;
    init_parts(&inner, parts->reader, parts->depth + 1);
    clang_visitChildren(cursor, visit_part, &inner);
    parts->inner = sl_arena_copy(parts->reader->arena,
                                 sl_buf_view(&inner.text));
    if (clang_Cursor_isAnonymousRecordDecl(cursor)) {
        bool is_union = clang_getCursorKind(cursor) == CXCursor_UnionDecl;
        sl_buf_puts(&parts->text, parts->text.len ? "; " : "");
        sl_buf_puts(&parts->text, is_union ? "union {" : "struct {");
        sl_buf_add(&parts->text, parts->inner);
        sl_buf_putc(&parts->text, '}');
    }
    if (inner.text.failed)
        parts->text.failed = inner.text.failed;
    release_parts(&inner);
}

static enum CXChildVisitResult visit_part(CXCursor cursor, CXCursor parent,
                                          CXClientData data)
{
    struct parts *parts = data;
    enum CXCursorKind above = clang_getCursorKind(parent);
    bool is_function = above == CXCursor_FunctionDecl ||
                       above == CXCursor_FunctionTemplate;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_ParmDecl:
        if (is_function)
            put_parameter(parts, cursor);
        break;
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        put_inner(parts, cursor);
        break;
    case CXCursor_FieldDecl:
        put_part(parts, &parts->text, cursor, true, "; ");
        break;
    case CXCursor_NonTypeTemplateParameter:
    case CXCursor_TemplateTypeParameter:
    case CXCursor_TemplateTemplateParameter:
        put_template_parameter(parts, cursor);
        break;
    case CXCursor_AnnotateAttr:
        put_mark(parts, cursor);
        break;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

static void put_template(struct sl_buf *out, const struct sl_buf *parameters)
{
    if (!parameters->len)
        return;
    sl_buf_puts(out, "template <");
    sl_buf_add(out, sl_buf_view(parameters));
    sl_buf_puts(out, "> ");
}

static void put_function(struct sl_reader *reader, CXCursor cursor,
                         const struct sl_buf *templates,
                         const struct sl_buf *parameters, struct sl_buf *out)
{
    CXType type = clang_getCursorType(cursor);
    put_template(out, templates);
    sl_buf_add(out, sl_clang_take(reader, clang_getTypeSpelling(
                                              clang_getResultType(type))));
    sl_buf_puts(out, " (");
    sl_buf_add(out, sl_buf_view(parameters));
    if (clang_isFunctionTypeVariadic(type))
        sl_buf_puts(out, parameters->len ? ", ..." : "...");
    sl_buf_putc(out, ')');
}

static void put_type(struct sl_reader *reader, CXCursor cursor,
                     const struct parts *parts, struct sl_decl *decl,
                     struct sl_buf *out)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    put_template(out, &parts->templates);
    if (kind == CXCursor_EnumDecl) {
        sl_buf_puts(out, "enum");
    } else if (kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl) {
        struct sl_view under = sl_clang_take(
            reader,
            clang_getTypeSpelling(clang_getTypedefDeclUnderlyingType(cursor)));
        sl_buf_puts(out, "= ");
        sl_buf_add(out, under);
    } else if (kind == CXCursor_TypeAliasTemplateDecl) {
        sl_buf_puts(out, "alias");
    } else {
        sl_buf_puts(out, kind == CXCursor_UnionDecl ? "union" : "struct");
        if (decl->is_definition) {
            sl_buf_puts(out, " {");
            sl_buf_add(out, sl_buf_view(&parts->text));
            sl_buf_putc(out, '}');
        }
    }
}

static void put_enum_constant(struct sl_reader *reader, CXCursor cursor,
                              struct sl_buf *out)
{
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    sl_buf_puts(out, "enum ");
    size_t before = out->len;
    reader->status = put_name(reader, parent, out);
    if (out->len > before)
        sl_buf_putc(out, ' ');
    sl_buf_printf(out, "= %lld", clang_getEnumConstantDeclValue(cursor));
}

enum sl_status sl_clang_keep(struct sl_reader *reader, const struct sl_buf *buf,
                             struct sl_view *view_out)
{
    enum sl_status status = sl_buf_check(buf, reader->error);
    if (status)
        return status;
    *view_out = sl_arena_copy(reader->arena, sl_buf_view(buf));
    return view_out->ptr ? SL_OK : sl_error_nomem(reader->error);
}

static void put_other(struct sl_reader *reader, CXCursor cursor,
                      struct sl_buf *out)
{
    if (clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl)
        put_enum_constant(reader, cursor, out);
    else
        sl_buf_add(out,
                   sl_clang_take(reader, clang_getTypeSpelling(
                                             clang_getCursorType(cursor))));
}

static bool has_defaults(const struct parts *parts)
{
    return parts->types.len != parts->bare.len ||
           parts->templates.len != parts->bare_templates.len;
}

static enum sl_status keep_function(struct sl_reader *reader, CXCursor cursor,
                                    const struct sl_buf *templates,
                                    const struct sl_buf *parameters,
                                    struct sl_view *view_out)
{
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_SIGNATURE);
    put_function(reader, cursor, templates, parameters, &out);
    enum sl_status status = sl_clang_keep(reader, &out, view_out);
    sl_buf_release(&out);
    return status;
}

/* Fills signature, types and bare out of parts. */
static enum sl_status finish(struct sl_reader *reader, CXCursor cursor,
                             const struct parts *parts, struct sl_decl *decl)
{
    const struct sl_buf *all[] = {&parts->text, &parts->types, &parts->bare,
                                  &parts->templates, &parts->bare_templates};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (sl_buf_check(all[i], reader->error))
            return reader->error->status;
    enum sl_status status;
    if (decl->kind == SL_DECL_FUNCTION) {
        status = keep_function(reader, cursor, &parts->templates, &parts->text,
                               &decl->signature);
        if (!status)
            status = keep_function(reader, cursor, &parts->templates,
                                   &parts->types, &decl->types);
        decl->bare = decl->types;
        if (!status && has_defaults(parts))
            status = keep_function(reader, cursor, &parts->bare_templates,
                                   &parts->bare, &decl->bare);
        return status;
    }
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_SIGNATURE);
    if (decl->kind == SL_DECL_TYPE)
        put_type(reader, cursor, parts, decl, &out);
    else
        put_other(reader, cursor, &out);
    status = sl_clang_keep(reader, &out, &decl->signature);
    decl->types = decl->bare = decl->signature;
    sl_buf_release(&out);
    return status;
}

static enum sl_status put_signature(struct sl_reader *reader, CXCursor cursor,
                                    struct sl_decl *decl)
{
    struct parts parts;
    init_parts(&parts, reader, 0);
    CXCursor record = cursor;
    if (decl->kind == SL_DECL_TYPE && sl_clang_record_of(cursor, &record))
        cursor = record;
    clang_visitChildren(cursor, visit_part, &parts);
    decl->marks = parts.marks;
    decl->is_definition = clang_isCursorDefinition(cursor) != 0;
    /* skipped bodies are not seen, so this is told by how it is declared */
    decl->is_inline = clang_Cursor_isFunctionInlined(cursor) ||
                      clang_Cursor_getStorageClass(cursor) == CX_SC_Static ||
                      clang_getCursorKind(cursor) == CXCursor_FunctionTemplate;
    enum sl_status status = finish(reader, cursor, &parts, decl);
    release_parts(&parts);
    return status ? status : reader->status;
}

enum sl_status sl_clang_describe(struct sl_reader *reader, CXCursor cursor,
                                 struct sl_decl *decl, bool *listed_out)
{
    *listed_out = false;
    if (!kind_of(cursor, &decl->kind))
        return SL_OK;
    /* a specialization of a template has the template's name */
    if (!clang_Cursor_isNull(clang_getSpecializedCursorTemplate(cursor)))
        return SL_OK;
    struct sl_buf name;
    sl_buf_init(&name, SL_MAX_SIGNATURE);
    enum sl_status status = put_name(reader, cursor, &name);
    bool has_name = name.len > 0;
    if (!status && has_name)
        status = sl_clang_keep(reader, &name, &decl->name);
    sl_buf_release(&name);
    if (!status && has_name)
        status = put_signature(reader, cursor, decl);
    if (!status && has_name && decl->kind == SL_DECL_TYPE)
        status = sl_clang_describe_members(reader, cursor, decl);
    *listed_out = has_name;
    return status;
}
