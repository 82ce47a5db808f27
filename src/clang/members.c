/* The members of a struct or union, each where the front end puts it. */
#include "base/limits.h"
#include "clang/internal.h"

struct layout {
    struct sl_reader *reader;
    struct sl_decl *decl;
    size_t cap;
    struct sl_view prefix; /* "globalmem." inside a member without a type name */
    long long base;        /* bits before the type that is looked at */
    unsigned depth;
};

bool sl_clang_record_of(CXCursor cursor, CXCursor *record_out)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl ||
        kind == CXCursor_ClassDecl) {
        *record_out = cursor;
        return true;
    }
    if (kind != CXCursor_TypedefDecl && kind != CXCursor_TypeAliasDecl)
        return false;
    CXType under = clang_getTypedefDeclUnderlyingType(cursor);
    if (under.kind != CXType_Elaborated && under.kind != CXType_Record)
        return false;
    CXCursor record = clang_getTypeDeclaration(under);
    kind = clang_getCursorKind(record);
    if (kind != CXCursor_StructDecl && kind != CXCursor_UnionDecl)
        return false;
    /* libclang before release 16 has no name for it, later ones the alias's */
    CXString own = clang_getCursorSpelling(record);
    CXString alias = clang_getCursorSpelling(cursor);
    struct sl_view name = sl_view_of(clang_getCString(own));
    bool same = name.len == 0 || name.ptr[0] == '(' ||
                sl_view_is(name, clang_getCString(alias));
    clang_disposeString(own);
    clang_disposeString(alias);
    CXCursor definition = clang_getCursorDefinition(record);
    *record_out = clang_Cursor_isNull(definition) ? record : definition;
    return same;
}

static enum CXVisitorResult visit_field(CXCursor cursor, CXClientData data);

/* A type without a name: its own members, with the member's name before. */
static void enter(struct layout *layout, CXType type, struct sl_view path,
                  long long at)
{
    struct sl_reader *reader = layout->reader;
    struct layout inner = *layout;
    struct sl_buf prefix;
    if (layout->depth >= SL_MAX_NESTED_TYPES)
        return;
    sl_buf_init(&prefix, SL_MAX_SIGNATURE);
    sl_buf_add(&prefix, path);
    if (path.len && path.ptr[path.len - 1] != '.')
        sl_buf_putc(&prefix, '.');
    inner.prefix = sl_arena_copy(reader->arena, sl_buf_view(&prefix));
    sl_buf_release(&prefix);
    inner.base = at;
    inner.depth++;
    if (!inner.prefix.ptr) {
        reader->status = sl_error_nomem(reader->error);
        return;
    }
    clang_Type_visitFields(type, visit_field, &inner);
    layout->cap = inner.cap;
}

static void add(struct layout *layout, const struct sl_clang_member *member)
{
    struct sl_reader *reader = layout->reader;
    struct sl_decl *decl = layout->decl;
    decl->members = sl_arena_grow(reader->arena, decl->members,
                                  sizeof *decl->members, decl->member_count,
                                  &layout->cap);
    if (decl->members)
        decl->members[decl->member_count++] = *member;
    else
        reader->status = sl_error_nomem(reader->error);
}

/* `PREFIX NAME` in the arena. */
static struct sl_view path_of(struct layout *layout, struct sl_view name)
{
    struct sl_buf path;
    sl_buf_init(&path, SL_MAX_SIGNATURE);
    sl_buf_add(&path, layout->prefix);
    sl_buf_add(&path, name);
    struct sl_view copy = sl_arena_copy(layout->reader->arena,
                                        sl_buf_view(&path));
    sl_buf_release(&path);
    return copy;
}

static bool is_unnamed(struct sl_view type)
{
    return sl_view_find(type, SL_LIT("(unnamed"), 0) != SIZE_MAX ||
           sl_view_find(type, SL_LIT("(anonymous"), 0) != SIZE_MAX;
}

/* A record's type, or that of an array's elements. */
static CXType element_type(CXType type)
{
    type = clang_getCanonicalType(type);
    while (type.kind == CXType_ConstantArray)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return type;
}

static enum CXVisitorResult visit_field(CXCursor cursor, CXClientData data)
{
    struct layout *layout = data;
    struct sl_reader *reader = layout->reader;
    CXType type = clang_getCursorType(cursor);
    long long at = clang_Cursor_getOffsetOfField(cursor);
    long long size = clang_Type_getSizeOf(type);
    if (at < 0 || size < 0) /* of a template: it has no one place */
        return CXVisit_Continue;
    struct sl_view name = sl_clang_take(reader,
                                        clang_getCursorSpelling(cursor));
    struct sl_view spelled = sl_clang_take(reader, clang_getTypeSpelling(type));
    bool unnamed = is_unnamed(spelled);
    if (name.len && name.ptr[0] == '(') /* how later libclangs say: none */
        name = SL_LIT("");
    struct sl_clang_member member = {
        .path = path_of(layout, name),
        .type = unnamed ? SL_LIT("{}") : spelled,
        .at = sl_clang_place(reader, clang_getCursorLocation(cursor), NULL),
        .offset = (unsigned long long)(layout->base + at),
        .size = (unsigned long long)size * 8,
        .is_bits = clang_Cursor_isBitField(cursor) != 0,
    };
    if (member.is_bits)
        member.size = (unsigned long long)clang_getFieldDeclBitWidth(cursor);
    if (!reader->status && !member.path.ptr)
        reader->status = sl_error_nomem(reader->error);
    if (!reader->status && name.len)
        add(layout, &member);
    if (!reader->status && unnamed && element_type(type).kind == CXType_Record)
        enter(layout, element_type(type), member.path, layout->base + at);
    return reader->status ? CXVisit_Break : CXVisit_Continue;
}

enum sl_status sl_clang_describe_members(struct sl_reader *reader,
                                         CXCursor cursor, struct sl_decl *decl)
{
    CXCursor record;
    struct layout layout = {
        .reader = reader, .decl = decl, .prefix = SL_LIT("")};
    if (!sl_clang_record_of(cursor, &record))
        return SL_OK;
    CXType type = clang_getCursorType(record);
    long long size = clang_Type_getSizeOf(type);
    if (size < 0) /* declared only */
        return SL_OK;
    decl->size = (unsigned long long)size * 8;
    decl->has_members = true;
    clang_Type_visitFields(type, visit_field, &layout);
    return reader->status;
}
