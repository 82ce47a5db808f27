#include "clang/values.h"

#include <stdio.h>
#include <string.h>

#include <clang-c/Index.h>

#include "base/limits.h"

struct collector {
    struct sl_arena *arena;
    const char *prefix;
    struct sl_clang_values *values;
    enum sl_status status;
    struct sl_error *error;
};

static struct sl_view take(struct collector *c, CXString string)
{
    struct sl_view copy = sl_arena_copy(c->arena,
                                        sl_view_of(clang_getCString(string)));
    clang_disposeString(string);
    if (!copy.ptr) {
        c->status = sl_error_nomem(c->error);
        copy = SL_LIT("");
    }
    return copy;
}

static struct sl_view number_text(struct collector *c, CXEvalResult result)
{
    char text[32];
    int n = clang_EvalResult_isUnsignedInt(result)
                ? snprintf(text, sizeof text, "%llu",
                           clang_EvalResult_getAsUnsigned(result))
                : snprintf(text, sizeof text, "%lld",
                           clang_EvalResult_getAsLongLong(result));
    struct sl_view copy = sl_arena_copy(
        c->arena, (struct sl_view){text, n > 0 ? (size_t)n : 0});
    if (!copy.ptr)
        c->status = sl_error_nomem(c->error);
    return copy;
}

/* False: not a number and not a string, or not known. */
static bool evaluate(struct collector *c, CXCursor cursor,
                     struct sl_clang_value *value)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    if (!result)
        return false;
    bool known = true;
    switch (clang_EvalResult_getKind(result)) {
    case CXEval_Int:
        value->value = number_text(c, result);
        break;
    case CXEval_StrLiteral:
        value->value = sl_arena_copy(
            c->arena, sl_view_of(clang_EvalResult_getAsStr(result)));
        value->is_text = true;
        if (!value->value.ptr)
            c->status = sl_error_nomem(c->error);
        break;
    default:
        known = false;
    }
    clang_EvalResult_dispose(result);
    return known;
}

static void add(struct collector *c, CXCursor cursor, struct sl_view name)
{
    struct sl_clang_values *values = c->values;
    struct sl_clang_value *grown = sl_arena_grow(
        c->arena, values->items, sizeof *grown, values->count, &values->cap);
    if (!grown) {
        c->status = sl_error_nomem(c->error);
        return;
    }
    values->items = grown;
    struct sl_clang_value value = {.name = name};
    if (!evaluate(c, cursor, &value)) {
        if (values->unknown++ == 0)
            values->first_unknown = name;
        return;
    }
    CXFile file;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), &file,
                               &value.line, NULL, NULL);
    value.file = take(c, clang_getFileName(file));
    grown[values->count++] = value;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent,
                                     CXClientData data)
{
    (void)parent;
    struct collector *c = data;
    if (clang_getCursorKind(cursor) != CXCursor_VarDecl)
        return CXChildVisit_Continue;
    struct sl_view name = take(c, clang_getCursorSpelling(cursor));
    if (!c->status && sl_view_starts(name, c->prefix))
        add(c, cursor, name);
    return c->status ? CXChildVisit_Break : CXChildVisit_Continue;
}

static void count_errors(struct collector *c, CXTranslationUnit tu)
{
    unsigned n = clang_getNumDiagnostics(tu);
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error &&
            c->values->errors++ == 0)
            c->values->first_error = take(
                c, clang_formatDiagnostic(
                       diagnostic, clang_defaultDiagnosticDisplayOptions()));
        clang_disposeDiagnostic(diagnostic);
    }
}

enum sl_status sl_clang_evaluate(struct sl_arena *arena,
                                 const struct sl_clang_text *texts,
                                 size_t text_count, const char *const *flags,
                                 size_t flag_count, const char *prefix,
                                 struct sl_clang_values *values_out,
                                 struct sl_error *error)
{
    struct sl_clang_values values = {.count = 0};
    struct collector c = {
        .arena = arena, .prefix = prefix, .values = &values, .error = error};
    struct CXUnsavedFile *files = sl_arena_alloc(arena,
                                                 text_count * sizeof *files);
    if (!files)
        return sl_error_nomem(error);
    for (size_t i = 0; i < text_count; i++)
        files[i] = (struct CXUnsavedFile){texts[i].path, texts[i].text,
                                          strlen(texts[i].text)};
    CXIndex index = clang_createIndex(0, 0);
    if (!index)
        return sl_error_nomem(error);
    CXTranslationUnit tu;
    enum CXErrorCode code = clang_parseTranslationUnit2(
        index, texts[0].path, flags, (int)flag_count, files,
        (unsigned)text_count, CXTranslationUnit_SkipFunctionBodies, &tu);
    if (code != CXError_Success) {
        clang_disposeIndex(index);
        return sl_error_set(error, SL_ERR_INTERNAL,
                            "libclang cannot read %.200s (code %d)",
                            texts[0].path, (int)code);
    }
    count_errors(&c, tu);
    if (!c.status)
        clang_visitChildren(clang_getTranslationUnitCursor(tu), visit, &c);
    clang_disposeTranslationUnit(tu);
    clang_disposeIndex(index);
    if (!c.status)
        *values_out = values;
    return c.status;
}
