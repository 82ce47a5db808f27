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
    struct sl_buf templates;
    struct sl_view inner; /* members of the unnamed type that was seen last */
    unsigned depth;       /* of unnamed types in unnamed types */
    unsigned marks;
};

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
    struct sl_clang_token *tokens;
    size_t count = 0;
    if (!reader->status)
        reader->status = sl_clang_tokens(
            reader, clang_getCursorExtent(cursor), &tokens, &count);
    for (size_t i = 1; !reader->status && i < count; i++)
        if (sl_view_is(tokens[i].text, "...") &&
            (i + 1 == count || sl_view_eq(tokens[i + 1].text, name)))
            return true;
    return false;
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
static void put_template_template(struct parts *parts, CXCursor cursor)
{
    struct sl_clang_token *tokens;
    struct sl_buf *out = &parts->templates;
    size_t count = 0, depth = 0;
    if (!parts->reader->status)
        parts->reader->status =
            sl_clang_tokens(parts->reader, clang_getCursorExtent(cursor),
                            &tokens, &count);
    if (parts->reader->status)
        return;
    sl_buf_puts(out, out->len ? ", " : "");
    for (size_t i = 0; i < count; i++) {
        struct sl_view text = tokens[i].text;
        depth += sl_view_is(text, "<");
        depth -= depth && sl_view_is(text, ">");
        if (!depth && sl_view_is(text, "="))
            break;
        if (i && are_apart(tokens[i - 1].text, text))
            sl_buf_putc(out, ' ');
        sl_buf_add(out, text);
    }
}

static void put_template_parameter(struct parts *parts, CXCursor cursor)
{
    struct sl_reader *reader = parts->reader;
    struct sl_buf *out = &parts->templates;
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
        sl_buf_printf(out, "%stypename %.*s", out->len ? ", " : "",
                      SL_ARG(name));
    } else {
        put_part(parts, out, cursor, true, ", ");
    }
}

static enum CXChildVisitResult visit_part(CXCursor cursor, CXCursor parent,
                                          CXClientData data);

/* A type inside a type: its members are told where a field has it. */
static void put_inner(struct parts *parts, CXCursor cursor)
{
    if (parts->depth >= SL_MAX_NESTED_TYPES)
        return;
    struct parts inner = {.reader = parts->reader, .depth = parts->depth + 1};
    sl_buf_init(&inner.text, SL_MAX_SIGNATURE);
    sl_buf_init(&inner.types, SL_MAX_SIGNATURE);
    sl_buf_init(&inner.templates, SL_MAX_SIGNATURE);
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
    sl_buf_release(&inner.text);
    sl_buf_release(&inner.types);
    sl_buf_release(&inner.templates);
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
        if (is_function) {
            put_part(parts, &parts->text, cursor, true, ", ");
            put_part(parts, &parts->types, cursor, false, ", ");
        }
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
        put_template_parameter(parts, cursor);
        break;
    case CXCursor_TemplateTemplateParameter:
        put_template_template(parts, cursor);
        break;
    case CXCursor_AnnotateAttr:
        put_mark(parts, cursor);
        break;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

static void put_template(struct sl_buf *out, const struct parts *parts)
{
    if (!parts->templates.len)
        return;
    sl_buf_puts(out, "template <");
    sl_buf_add(out, sl_buf_view(&parts->templates));
    sl_buf_puts(out, "> ");
}

static void put_function(struct sl_reader *reader, CXCursor cursor,
                         const struct parts *parts,
                         const struct sl_buf *parameters, struct sl_buf *out)
{
    CXType type = clang_getCursorType(cursor);
    put_template(out, parts);
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
    put_template(out, parts);
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

static enum sl_status keep(struct sl_reader *reader, const struct sl_buf *buf,
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

/* Fills signature and types out of parts; out and types are scratch. */
static enum sl_status finish(struct sl_reader *reader, CXCursor cursor,
                             const struct parts *parts, struct sl_buf *out,
                             struct sl_buf *types, struct sl_decl *decl)
{
    if (decl->kind == SL_DECL_FUNCTION) {
        put_function(reader, cursor, parts, &parts->text, out);
        put_function(reader, cursor, parts, &parts->types, types);
    } else if (decl->kind == SL_DECL_TYPE) {
        put_type(reader, cursor, parts, decl, out);
    } else {
        put_other(reader, cursor, out);
    }
    const struct sl_buf *all[] = {&parts->text, &parts->types,
                                  &parts->templates};
    for (size_t i = 0; i < 3; i++)
        if (sl_buf_check(all[i], reader->error))
            return reader->error->status;
    enum sl_status status = keep(reader, out, &decl->signature);
    decl->types = decl->signature;
    if (!status && types->len)
        status = keep(reader, types, &decl->types);
    return status;
}

static enum sl_status put_signature(struct sl_reader *reader, CXCursor cursor,
                                    struct sl_decl *decl)
{
    struct parts parts = {.reader = reader};
    struct sl_buf out, types;
    sl_buf_init(&parts.text, SL_MAX_SIGNATURE);
    sl_buf_init(&parts.types, SL_MAX_SIGNATURE);
    sl_buf_init(&parts.templates, SL_MAX_SIGNATURE);
    sl_buf_init(&out, SL_MAX_SIGNATURE);
    sl_buf_init(&types, SL_MAX_SIGNATURE);
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
    enum sl_status status = finish(reader, cursor, &parts, &out, &types, decl);
    sl_buf_release(&parts.text);
    sl_buf_release(&parts.types);
    sl_buf_release(&parts.templates);
    sl_buf_release(&out);
    sl_buf_release(&types);
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
        status = keep(reader, &name, &decl->name);
    sl_buf_release(&name);
    if (!status && has_name)
        status = put_signature(reader, cursor, decl);
    if (!status && has_name && decl->kind == SL_DECL_TYPE)
        status = sl_clang_describe_members(reader, cursor, decl);
    *listed_out = has_name;
    return status;
}

/* The token after `sizeof (...)` that begins at i. */
static size_t skip_sizeof(const struct sl_clang_macro *macro, size_t i)
{
    size_t depth = 0;
    for (i++; i < macro->body_count; i++) {
        depth += sl_view_is(macro->body[i].text, "(");
        if (sl_view_is(macro->body[i].text, ")") && --depth == 0)
            return i + 1;
        if (!depth)
            return i + 1; /* sizeof x */
    }
    return i;
}

static bool is_value(struct sl_reader *reader,
                     const struct sl_clang_macro *macro, unsigned level);

/* `{1, {X, sizeof(y)}}`: what a variable begins with; no statement, no call. */
static bool is_initialiser(const struct sl_clang_macro *macro)
{
    const struct sl_clang_token *body = macro->body;
    size_t n = macro->body_count;
    if (macro->is_function || n < 2 || !sl_view_is(body[0].text, "{") ||
        !sl_view_is(body[n - 1].text, "}"))
        return false;
    for (size_t i = 0; i < n; i++) {
        struct sl_view text = body[i].text;
        bool call = i + 1 < n && sl_is_alpha(text.ptr[0]) &&
                    sl_view_is(body[i + 1].text, "(") &&
                    !sl_view_is(text, "sizeof");
        if (call || text.ptr[0] == ';' || text.ptr[0] == '#')
            return false;
    }
    return true;
}

/* A name that stands for a value: of a macro, or spelled as constants are. */
static bool names_value(struct sl_reader *reader, struct sl_view name,
                        unsigned level)
{
    struct sl_clang_macros *macros = &reader->macros;
    if (sl_view_starts(name, "NVSHMEM") || sl_view_starts(name, "INT") ||
        sl_view_starts(name, "U"))
        return true;
    const size_t *index = sl_map_get(&macros->latest, name);
    if (!index || level >= SL_MAX_NESTED_MACROS)
        return false;
    if (!reader->status && !macros->items[*index].loaded)
        reader->status = macros->load(macros, *index, macros->context,
                                      reader->error);
    const struct sl_clang_macro *macro = &macros->items[*index];
    return !reader->status &&
           (is_value(reader, macro, level + 1) || is_initialiser(macro));
}

/* A value, not code: literals, operators, sizes and names of constants. */
static bool is_value(struct sl_reader *reader,
                     const struct sl_clang_macro *macro, unsigned level)
{
    if (macro->is_function || macro->body_count == 0)
        return false;
    bool told = false;
    for (size_t i = 0; i < macro->body_count; i++) {
        struct sl_view text = macro->body[i].text;
        char c = text.ptr[0];
        if (sl_view_is(text, "sizeof")) {
            i = skip_sizeof(macro, i) - 1;
            told = true;
        } else if (sl_is_digit(c) || c == '"' || c == '\'' ||
                   (sl_is_word(c) && names_value(reader, text, level))) {
            told = true;
        } else if (sl_is_word(c) || strchr("{};#\\", c)) {
            return false;
        }
    }
    return told;
}

static void put_macro_parameters(const struct sl_clang_macro *macro,
                                 struct sl_buf *out)
{
    sl_buf_puts(out, " (");
    for (size_t i = 0; i < macro->parameter_count; i++) {
        struct sl_view name = macro->parameters[i];
        sl_buf_puts(out, i ? ", " : "");
        if (!sl_view_is(name, "__VA_ARGS__")) /* written `...` */
            sl_buf_add(out, name);
    }
    sl_buf_puts(out, macro->is_variadic ? "...)" : ")");
}

/* The tokens; a blank only between words. */
static void put_macro_body(const struct sl_clang_macro *macro,
                           struct sl_buf *out)
{
    sl_buf_putc(out, ' ');
    for (size_t i = 0; i < macro->body_count; i++) {
        struct sl_view text = macro->body[i].text;
        if (out->len && sl_is_word(text.ptr[0]) &&
            sl_is_word(out->ptr[out->len - 1]))
            sl_buf_putc(out, ' ');
        sl_buf_add(out, text.len > SL_MAX_LITERAL ? SL_LIT("\"...\"") : text);
    }
}

enum sl_status sl_clang_describe_macro(struct sl_reader *reader, size_t index,
                                       struct sl_decl *decl)
{
    const struct sl_clang_macro *macro = &reader->macros.items[index];
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_SIGNATURE);
    sl_buf_puts(&out, "#define");
    if (macro->is_function)
        put_macro_parameters(macro, &out);
    bool told = is_value(reader, macro, 0) || is_initialiser(macro);
    bool is_alias = !macro->is_function && macro->body_count == 1;
    if (told || is_alias)
        put_macro_body(macro, &out);
    if (out.len > SL_MAX_INITIALISER && is_initialiser(macro)) {
        sl_buf_truncate(&out, sizeof "#define" - 1);
        sl_buf_puts(&out, " {...}");
    }
    if (told)
        decl->kind = SL_DECL_CONSTANT;
    decl->is_empty = macro->body_count == 0;
    /* libclang says function-like only of macros that are defined at the end */
    decl->is_template = macro->is_used ||
                        (macro->is_function &&
                         !clang_Cursor_isMacroFunctionLike(
                             *(const CXCursor *)macro->source));
    decl->is_definition = true;
    enum sl_status status = keep(reader, &out, &decl->signature);
    decl->types = decl->signature;
    sl_buf_release(&out);
    return status ? status : reader->status;
}
