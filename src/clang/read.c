#include "clang/read.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "clang/internal.h"

struct sl_view sl_clang_take(struct sl_reader *reader, CXString string)
{
    struct sl_view view = sl_arena_copy(reader->arena,
                                        sl_view_of(clang_getCString(string)));
    clang_disposeString(string);
    if (!view.ptr) {
        reader->status = sl_error_nomem(reader->error);
        view = SL_LIT("");
    }
    return view;
}

/* Takes ROOT/ off; empty when path is elsewhere. */
static struct sl_view beneath(const char *root, struct sl_view path)
{
    size_t n = strlen(root);
    while (n && root[n - 1] == '/')
        n--;
    if (path.len <= n + 1 || memcmp(path.ptr, root, n) != 0 ||
        path.ptr[n] != '/')
        return SL_LIT("");
    return sl_view_sub(path, n + 1, path.len);
}

/* `a/b/../c` and `./c`, as an include beside the including file gives them. */
static struct sl_view squeeze(struct sl_reader *reader, struct sl_view path)
{
    struct sl_view parts[SL_MAX_WALK_DEPTH];
    size_t n = 0;
    struct sl_view rest = path, part;
    while (sl_view_cut(&rest, '/', &part)) {
        if (part.len == 0 || sl_view_is(part, "."))
            continue;
        if (sl_view_is(part, "..")) {
            if (n == 0)
                return SL_LIT("");
            n--;
        } else if (n < SL_MAX_WALK_DEPTH) {
            parts[n++] = part;
        }
    }
    struct sl_buf buf;
    sl_buf_init(&buf, SL_MAX_PATH);
    for (size_t i = 0; i < n; i++) {
        sl_buf_puts(&buf, i ? "/" : "");
        sl_buf_add(&buf, parts[i]);
    }
    struct sl_view copy = sl_arena_copy(reader->arena, sl_buf_view(&buf));
    if (buf.failed || !copy.ptr) {
        reader->status = sl_error_nomem(reader->error);
        copy = SL_LIT("");
    }
    sl_buf_release(&buf);
    return copy;
}

/* One path may be said in several ways, so paths count, not CXFiles. */
static uint32_t number_of(struct sl_reader *reader, CXFile file)
{
    if (!file)
        return 0;
    if (file == reader->last_file)
        return reader->last_number;
    struct sl_view path = sl_clang_take(reader, clang_getFileName(file));
    struct sl_view inner = squeeze(reader, beneath(reader->unit->root, path));
    uint32_t number = 0;
    if (inner.len) {
        struct sl_unit_decls *decls = reader->decls;
        bool added;
        size_t *known = sl_map_put(&reader->files, inner, decls->file_count,
                                   &added);
        struct sl_view *files = sl_arena_grow(reader->arena, decls->files,
                                              sizeof *files, decls->file_count,
                                              &decls->file_cap);
        if (!known || !files) {
            reader->status = sl_error_nomem(reader->error);
            return 0;
        }
        decls->files = files;
        if (added)
            files[decls->file_count++] = inner;
        number = (uint32_t)*known;
    }
    reader->last_file = file;
    reader->last_number = number;
    return number;
}

struct sl_place sl_clang_place(struct sl_reader *reader,
                               CXSourceLocation location, unsigned *offset_out)
{
    CXFile file;
    unsigned line, column, offset;
    clang_getExpansionLocation(location, &file, &line, &column, &offset);
    if (offset_out)
        *offset_out = offset;
    return (struct sl_place){number_of(reader, file), line};
}

/* The same spelling is kept once: a header has each of its words a hundred times. */
static struct sl_view keep_word(struct sl_reader *reader, CXString spelling)
{
    struct sl_view text = sl_view_of(clang_getCString(spelling));
    const size_t *known = sl_map_get(&reader->word_index, text);
    if (known) {
        clang_disposeString(spelling);
        return reader->words[*known];
    }
    text = sl_clang_take(reader, spelling);
    struct sl_view *words = sl_arena_grow(reader->arena, reader->words,
                                          sizeof *words, reader->word_count,
                                          &reader->word_cap);
    if (!words ||
        !sl_map_put(&reader->word_index, text, reader->word_count, NULL)) {
        reader->status = sl_error_nomem(reader->error);
        return text;
    }
    reader->words = words;
    words[reader->word_count++] = text;
    return text;
}

enum sl_status sl_clang_tokens(struct sl_reader *reader, struct sl_arena *arena,
                               CXSourceRange range,
                               struct sl_clang_token **tokens_out,
                               size_t *count_out)
{
    CXToken *raw = NULL;
    unsigned n = 0;
    clang_tokenize(reader->tu, range, &raw, &n);
    struct sl_clang_token *tokens = sl_arena_alloc(arena, (n + (size_t)1) *
                                                              sizeof *tokens);
    size_t count = 0;
    for (unsigned i = 0; i < n && tokens; i++) {
        if (clang_getTokenKind(raw[i]) == CXToken_Comment)
            continue;
        tokens[count].text = keep_word(
            reader, clang_getTokenSpelling(reader->tu, raw[i]));
        tokens[count].place = sl_clang_place(
            reader, clang_getTokenLocation(reader->tu, raw[i]),
            &tokens[count].offset);
        count++;
    }
    if (raw)
        clang_disposeTokens(reader->tu, raw, n);
    if (!tokens)
        return sl_error_nomem(reader->error);
    *tokens_out = tokens;
    *count_out = count;
    return reader->status;
}

static enum sl_status load_macro(struct sl_clang_macros *macros, size_t i,
                                 void *context, struct sl_error *error)
{
    struct sl_reader *reader = context;
    const CXCursor *cursor = macros->items[i].source;
    struct sl_clang_token *tokens;
    size_t count;
    enum sl_status status = sl_clang_tokens(
        reader, reader->arena, clang_getCursorExtent(*cursor), &tokens, &count);
    if (status)
        return status;
    /* libclang answers this question only while the macro is defined */
    bool is_function = count > 1 && sl_view_is(tokens[1].text, "(") &&
                       tokens[1].offset ==
                           tokens[0].offset + tokens[0].text.len;
    return sl_clang_macro_split(macros, i, tokens, count, is_function, error);
}

/* A place as a map key that lives in the arena. */
static struct sl_view place_key(char bytes[24], struct sl_place place,
                                unsigned offset)
{
    int n = snprintf(bytes, 24, "%x:%x", place.file, offset);
    return (struct sl_view){bytes, n > 0 ? (size_t)n : 0};
}

static enum sl_status add_expansion(struct sl_reader *reader, CXCursor cursor)
{
    unsigned offset;
    struct sl_place at = sl_clang_place(reader, clang_getCursorLocation(cursor),
                                        &offset);
    if (!at.file)
        return reader->status;
    struct sl_expansion *items = sl_arena_grow(
        reader->arena, reader->expansions, sizeof *items,
        reader->expansion_count, &reader->expansion_cap);
    char bytes[24];
    struct sl_view key = sl_arena_copy(reader->arena,
                                       place_key(bytes, at, offset));
    if (!items || !key.ptr ||
        !sl_map_put(&reader->expansion_index, key, reader->expansion_count,
                    NULL))
        return sl_error_nomem(reader->error);
    reader->expansions = items;
    items[reader->expansion_count++] = (struct sl_expansion){
        .cursor = cursor, .before = reader->macros.count};
    return reader->status;
}

static enum sl_status add_macro(struct sl_reader *reader, CXCursor cursor)
{
    CXCursor *kept = sl_arena_alloc(reader->arena, sizeof *kept);
    if (!kept)
        return sl_error_nomem(reader->error);
    *kept = cursor;
    struct sl_view name = sl_clang_take(reader,
                                        clang_getCursorSpelling(cursor));
    enum sl_status status = sl_clang_macros_add(&reader->macros, name, kept,
                                                reader->error);
    if (!status)
        reader->macros.items[reader->macros.count - 1].place = sl_clang_place(
            reader, clang_getCursorLocation(cursor), NULL);
    return status ? status : reader->status;
}

/* The preprocessor's record, in the unit's order. */
static enum CXChildVisitResult visit_record(CXCursor cursor, CXCursor parent,
                                            CXClientData data)
{
    struct sl_reader *reader = data;
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_MacroDefinition)
        reader->status = add_macro(reader, cursor);
    else if (kind == CXCursor_MacroExpansion)
        reader->status = add_expansion(reader, cursor);
    return reader->status ? CXChildVisit_Break : CXChildVisit_Continue;
}

static enum sl_status trace(struct sl_reader *reader,
                            struct sl_expansion *expansion)
{
    struct sl_arena scratch; /* the names that it makes are copies */
    struct sl_clang_token *tokens;
    size_t count;
    sl_arena_init(&scratch, SL_MAX_MACRO_ARENA);
    enum sl_status status = sl_clang_tokens(
        reader, &scratch, clang_getCursorExtent(expansion->cursor), &tokens,
        &count);
    if (!status)
        status = sl_clang_macro_trace(&reader->macros, expansion->before,
                                      tokens, count, reader->arena,
                                      &expansion->names, reader->error);
    sl_arena_release(&scratch);
    expansion->traced = true;
    return status;
}

/* The name without its namespaces. */
static struct sl_view own_name(struct sl_view name)
{
    for (size_t i = name.len; i >= 2; i--)
        if (name.ptr[i - 1] == ':')
            return sl_view_sub(name, i, name.len);
    return name;
}

/* decl->made, when a macro call stands where the declaration begins. */
static enum sl_status find_making(struct sl_reader *reader, CXCursor cursor,
                                  struct sl_decl *decl)
{
    unsigned offset;
    struct sl_place at = sl_clang_place(reader, clang_getCursorLocation(cursor),
                                        &offset);
    char bytes[24];
    const size_t *i = sl_map_get(&reader->expansion_index,
                                 place_key(bytes, at, offset));
    if (!i)
        return SL_OK;
    struct sl_expansion *expansion = &reader->expansions[*i];
    enum sl_status status = SL_OK;
    if (!expansion->traced)
        status = trace(reader, expansion);
    if (status)
        return status;
    decl->made = sl_clang_made_find(&expansion->names, own_name(decl->name));
    if (!decl->made) {
        if (reader->decls->lost++ == 0)
            reader->decls->first_lost = decl->name;
    }
    return SL_OK;
}

static enum sl_status add_decl(struct sl_reader *reader,
                               const struct sl_decl *decl)
{
    struct sl_unit_decls *decls = reader->decls;
    if (decls->count >= SL_MAX_DECLARATIONS)
        return sl_error_set(reader->error, SL_ERR_LIMIT,
                            "more than %u declarations", SL_MAX_DECLARATIONS);
    struct sl_decl *items = sl_arena_grow(
        reader->arena, decls->items, sizeof *items, decls->count, &decls->cap);
    if (!items)
        return sl_error_nomem(reader->error);
    decls->items = items;
    items[decls->count++] = *decl;
    return SL_OK;
}

static bool holds_more(enum CXCursorKind kind)
{
    return kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
           kind == CXCursor_UnexposedDecl || kind == CXCursor_EnumDecl;
}

static enum CXChildVisitResult visit_decl(CXCursor cursor, CXCursor parent,
                                          CXClientData data)
{
    struct sl_reader *reader = data;
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (clang_isPreprocessing(kind))
        return CXChildVisit_Continue;
    struct sl_decl decl = {.kind = SL_DECL_FUNCTION};
    decl.at = sl_clang_place(reader, clang_getCursorLocation(cursor), NULL);
    if (decl.at.file) {
        bool listed;
        reader->status = sl_clang_describe(reader, cursor, &decl, &listed);
        if (!reader->status && listed)
            reader->status = find_making(reader, cursor, &decl);
        if (!reader->status && listed)
            reader->status = add_decl(reader, &decl);
    }
    if (reader->status)
        return CXChildVisit_Break;
    return holds_more(kind) ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

static enum sl_status add_macros(struct sl_reader *reader)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < reader->macros.count && !status; i++) {
        struct sl_decl decl = {.kind = SL_DECL_MACRO,
                               .name = reader->macros.items[i].name,
                               .at = reader->macros.items[i].place};
        if (!decl.at.file)
            continue;
        if (!reader->macros.items[i].loaded)
            status = load_macro(&reader->macros, i, reader, reader->error);
        if (!status)
            status = sl_clang_describe_macro(reader, i, &decl);
        if (!status)
            status = add_decl(reader, &decl);
    }
    return status;
}

static enum sl_status read_diagnostics(struct sl_reader *reader)
{
    unsigned n = clang_getNumDiagnostics(reader->tu);
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(reader->tu, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error &&
            reader->decls->errors++ == 0)
            reader->decls->first_error = sl_clang_take(
                reader, clang_formatDiagnostic(
                            diagnostic, CXDiagnostic_DisplaySourceLocation));
        clang_disposeDiagnostic(diagnostic);
    }
    return reader->status;
}

#define MAIN_FILE "shmemlore-unit.cpp"

static enum sl_status parse(struct sl_reader *reader, CXIndex index)
{
    const struct sl_unit *unit = reader->unit;
    struct CXUnsavedFile main_file = {MAIN_FILE, unit->text.ptr,
                                      (unsigned long)unit->text.len};
    const char **flags = sl_arena_alloc(
        reader->arena, ((size_t)unit->flag_count + 2) * sizeof *flags);
    if (!flags)
        return sl_error_nomem(reader->error);
    for (int i = 0; i < unit->flag_count; i++)
        flags[i] = unit->flags[i];
    flags[unit->flag_count] = "-I";
    flags[unit->flag_count + 1] = unit->root;
    enum CXErrorCode code = clang_parseTranslationUnit2(
        index, MAIN_FILE, flags, unit->flag_count + 2, &main_file, 1,
        CXTranslationUnit_DetailedPreprocessingRecord |
            CXTranslationUnit_SkipFunctionBodies | CXTranslationUnit_KeepGoing,
        &reader->tu);
    if (code != CXError_Success)
        return sl_error_set(reader->error, SL_ERR_INTERNAL,
                            "libclang could not read the headers in %.300s "
                            "(code %d)",
                            unit->root, (int)code);
    return SL_OK;
}

enum sl_status sl_clang_read(struct sl_arena *arena, const struct sl_unit *unit,
                             struct sl_unit_decls *decls_out,
                             struct sl_error *error)
{
    struct sl_unit_decls decls = {.file_count = 1};
    struct sl_reader reader = {
        .arena = arena, .unit = unit, .decls = &decls, .error = error};
    sl_clang_macros_init(&reader.macros, arena);
    reader.macros.load = load_macro;
    reader.macros.context = &reader;
    sl_map_init(&reader.files, arena);
    sl_map_init(&reader.expansion_index, arena);
    sl_map_init(&reader.word_index, arena);
    decls.files = sl_arena_grow(arena, NULL, sizeof *decls.files, 0,
                                &decls.file_cap);
    CXIndex index = clang_createIndex(0, 0);
    if (!index || !decls.files) {
        if (index)
            clang_disposeIndex(index);
        return sl_error_nomem(error);
    }
    decls.files[0] = SL_LIT("");
    reader.status = parse(&reader, index);
    if (!reader.status) {
        CXCursor root = clang_getTranslationUnitCursor(reader.tu);
        reader.status = read_diagnostics(&reader);
        if (!reader.status)
            clang_visitChildren(root, visit_record, &reader);
        if (!reader.status)
            clang_visitChildren(root, visit_decl, &reader);
        if (!reader.status)
            reader.status = add_macros(&reader);
    }
    if (reader.tu)
        clang_disposeTranslationUnit(reader.tu);
    clang_disposeIndex(index);
    if (!reader.status)
        *decls_out = decls;
    return reader.status;
}

struct sl_view sl_clang_version(struct sl_arena *arena)
{
    CXString string = clang_getClangVersion();
    struct sl_view view = sl_arena_copy(arena,
                                        sl_view_of(clang_getCString(string)));
    clang_disposeString(string);
    return view;
}
