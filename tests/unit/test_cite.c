/* cite: line manifests, the lock, grades. */
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "cite/check.h"
#include "cite/lock.h"
#include "cite/manifest.h"
#include "text/hash.h"

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define MAGIC "shmemlore-lines 2 fake " COMMIT " "
#define HEAD(files, lines) MAGIC #files " " #lines "\n"
#define LOCK_HEAD "shmemlore-lock 1\n"
#define H1 "AAAAAAAAAAB" /* 1 */
#define H2 "AAAAAAAAAAC"
#define H3 "AAAAAAAAAAD"

static struct sl_error error;
static struct sl_manifest manifest;
static struct sl_lock lock;

static void hashes(void **state)
{
    (void)state;
    static const uint64_t values[] = {0, 1, UINT64_MAX, 0x123456789abcdef0};
    struct sl_buf buf;
    sl_buf_init(&buf, 1000);
    for (size_t i = 0; i < COUNT(values); i++)
        sl_hash_put(&buf, values[i]);
    sl_hash_put(&buf, sl_line_hash(SL_LIT(" \t")));
    assert_int_equal(buf.len, 11 * COUNT(values) + 1);
    assert_int_equal(buf.ptr[buf.len - 1], '.');
    struct sl_view rest = sl_buf_view(&buf);
    uint64_t value;
    for (size_t i = 0; i < COUNT(values); i++)
        assert_true(sl_hash_take(&rest, &value) && value == values[i]);
    assert_true(sl_hash_take(&rest, &value));
    assert_true(value == sl_line_hash(SL_LIT("")));
    assert_false(sl_hash_take(&rest, &value));
    static const struct sl_view wrong[] = {
        BYTES("AAAAAAAAAA"), BYTES("AAAAAAAAAA="), BYTES("QAAAAAAAAAA"),
        BYTES("AAAA\0AAAAAA")};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        rest = wrong[i];
        assert_false(sl_hash_take(&rest, &value));
        assert_int_equal(rest.len, wrong[i].len);
    }
    sl_buf_release(&buf);
}

static void manifest_good(void **state)
{
    (void)state;
    assert_ok(sl_manifest_parse(
        &test_arena,
        SL_LIT(HEAD(3, 3) "path a b\npath src/\nfile a b 2\n" H1
                          "\n.\nfile b 0\nfile c 1\n" H2 "\n"),
        &manifest, &error));
    assert_view(manifest.source, "fake");
    assert_view(manifest.commit, COMMIT);
    assert_int_equal(manifest.path_count, 2);
    assert_view(manifest.paths[1], "src/");
    assert_int_equal(manifest.file_count, 3);
    assert_int_equal(manifest.line_count, 3);
    const struct sl_manifest_file *file =
        sl_manifest_find(&manifest, SL_LIT("c"));
    assert_non_null(file);
    assert_int_equal(file->first, 2);
    assert_true(manifest.hashes[2] == 2);
    assert_non_null(sl_manifest_find(&manifest, SL_LIT("a b")));
    assert_null(sl_manifest_find(&manifest, SL_LIT("a")));
    assert_ptr_equal(sl_manifest_file_at(&manifest, 1), &manifest.files[0]);
    /* an empty file holds no line, though it begins where the next one does */
    assert_ptr_equal(sl_manifest_file_at(&manifest, 2), &manifest.files[2]);
    assert_ok(sl_manifest_parse(&test_arena, SL_LIT(HEAD(0, 0)), &manifest,
                                &error));
    assert_null(sl_manifest_find(&manifest, SL_LIT("c")));
    assert_ok(sl_manifest_index(&test_arena, &manifest, &error));
}

static void manifest_bad(void **state)
{
    (void)state;
    static const struct {
        struct sl_view text;
        const char *says;
    } cases[] = {
        {BYTES(""), "line 1: no line manifest"},
        {BYTES("shmemlore-lines 1 fake " COMMIT "\n"), "line 1: no line"},
        {BYTES("shmemlore-lines 3 fake " COMMIT " 0 0\n"),
         "line 1: no line"},
        {BYTES("shmemlore-lines 2 fake 0123 0 0\n"), "line 1: no source"},
        {BYTES("shmemlore-lines 2  " COMMIT " 0 0\n"), "line 1: no source"},
        {BYTES("shmemlore-lines 2 fa\0ke " COMMIT " 0 0\n"),
         "line 1: no source"},
        {BYTES("shmemlore-lines 2 fa\tke " COMMIT " 0 0\n"),
         "line 1: no source"},
        {BYTES("shmemlore-lines 2 fake " COMMIT "\n"), "line 1: no number"},
        {BYTES(MAGIC "0\n"), "line 1: no number"},
        {BYTES(MAGIC "0 0 0\n"), "line 1: no number"},
        {BYTES(MAGIC "x 0\n"), "line 1: no number"},
        /* cut between two files, or one of them merged away */
        {BYTES(HEAD(2, 2) "file a 1\n" H1 "\n"),
         "it says 2 files and 2 lines, but 1 and 1 follow"},
        {BYTES(HEAD(1, 2) "file a 1\n" H1 "\n"), "but 1 and 1 follow"},
        {BYTES(HEAD(1, 1) "file a 1\n" H1 "\nfile b 0\n"),
         "but 2 and 1 follow"},
        {BYTES(HEAD(0, 0) "path /a\n"), "line 2: not 'path PATH'"},
        {BYTES(HEAD(0, 0) "path ../a/\n"), "line 2: not 'path PATH'"},
        {BYTES(HEAD(0, 0) "path \n"), "line 2: not 'path PATH'"},
        {BYTES(HEAD(0, 0) "path a\tb\n"), "line 2: not 'path PATH'"},
        {BYTES(HEAD(1, 0) "file a 0\npath a\n"), "line 3: not 'path PATH'"},
        {BYTES(HEAD(1, 0) "file a\tb 0\n"), "line 2: not 'file"},
        {BYTES(HEAD(1, 0) "file a\x1b[31m 0\n"), "line 2: not 'file"},
        {BYTES(HEAD(1, 1) H1 "\n"), "line 2: expected 'file"},
        {BYTES(HEAD(1, 1) "file a\n"), "line 2: not 'file PATH COUNT'"},
        {BYTES(HEAD(1, 1) "file ../a 1\n" H1 "\n"), "line 2: not 'file"},
        {BYTES(HEAD(1, 1) "file /a 1\n" H1 "\n"), "line 2: not 'file"},
        {BYTES(HEAD(1, 1) "file a -1\n"), "line 2: not 'file"},
        {BYTES(HEAD(1, 1) "file a 99999999999999999999\n"),
         "line 2: not 'file"},
        {BYTES(HEAD(1, 1) "file a 2\n" H1 "\n"), "lacks 1 hashes"},
        {BYTES(HEAD(1, 1) "file a 1\n" H1 H2 "\n"),
         "line 3: not a hash, or more"},
        {BYTES(HEAD(1, 1) "file a 1\nfile b 1\n"), "line 3: not a hash"},
        {BYTES(HEAD(1, 1) "file a 1\n\n" H1 "\n"), "line 3: expected hashes"},
        {BYTES(HEAD(1, 1) "file b 0\nfile a 0\n"), "line 3: the files are not"},
        {BYTES(HEAD(1, 1) "file a 0\nfile a 0\n"), "line 3: the files are not"},
        {BYTES(HEAD(1, 1) "file a\0b 0\n"), "line 2: not 'file"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_status(sl_manifest_parse(&test_arena, cases[i].text, &manifest,
                                        &error),
                      SL_ERR_SYNTAX);
        assert_says(cases[i].says);
    }
    struct sl_view big = {"", (size_t)SL_MAX_MANIFEST + 1};
    assert_status(sl_manifest_parse(&test_arena, big, &manifest, &error),
                  SL_ERR_LIMIT);
    /* a count that no bytes stand behind allocates nothing */
    size_t before = test_arena.used;
    assert_status(sl_manifest_parse(&test_arena,
                                    SL_LIT(HEAD(1, 1) "file a 8000000\n"),
                                    &manifest, &error),
                  SL_ERR_SYNTAX);
    assert_true(test_arena.used - before < 10000);
}

static struct sl_view *paths(const char *path)
{
    struct sl_view *list = sl_arena_alloc(&test_arena, sizeof *list);
    assert_non_null(list);
    *list = sl_view_of(path);
    return list;
}

static void manifest_of_a_tree(void **state)
{
    (void)state;
    test_write("t/src/b.c", "  int  x;\r\n\n}");
    test_write("t/src/a/z.c", "");
    test_write("t/src/.hidden", "x\n");
    test_write("t/other.c", "x\n");
    test_write("t/src/new\nline.c", "x\n");
    test_write_bytes("t/src/image", (struct sl_view){"a\0b\n", 4});
    assert_int_equal(symlink("b.c", test_path("t/src/link.c")), 0);
    struct sl_source source = {.id = SL_LIT("fake"),
                               .commit = SL_LIT(COMMIT),
                               .cited = paths("src/"),
                               .cited_count = 1};
    assert_ok(sl_manifest_build(&test_arena, &source, test_path("t"),
                                &manifest, &error));
    assert_int_equal(manifest.file_count, 2);
    assert_view(manifest.files[0].path, "src/a/z.c");
    assert_view(manifest.files[1].path, "src/b.c");
    assert_int_equal(manifest.files[1].count, 3);
    assert_true(manifest.hashes[0] == sl_line_hash(SL_LIT("int x;")));
    struct sl_buf buf;
    sl_buf_init(&buf, 10000);
    sl_manifest_write(&buf, &manifest);
    struct sl_manifest again;
    assert_ok(sl_manifest_parse(&test_arena, sl_buf_view(&buf), &again,
                                &error));
    assert_int_equal(again.line_count, 3);
    assert_memory_equal(again.hashes, manifest.hashes, 3 * sizeof(uint64_t));
    sl_buf_release(&buf);
}

/* Rows of at most 80 characters, whatever the number of lines. */
static void manifest_rows(void **state)
{
    (void)state;
    struct sl_view lines = test_repeat("x1\nx2\n\nx3\n", 100);
    test_write_bytes("t/a", lines);
    struct sl_source source = {.id = SL_LIT("fake"),
                               .commit = SL_LIT(COMMIT),
                               .cited = paths("a"),
                               .cited_count = 1};
    assert_ok(sl_manifest_build(&test_arena, &source, test_path("t"),
                                &manifest, &error));
    struct sl_buf buf;
    sl_buf_init(&buf, 10000);
    sl_manifest_write(&buf, &manifest);
    struct sl_view rest = sl_buf_view(&buf);
    struct sl_view row;
    while (sl_view_line(&rest, &row))
        assert_true(row.len > 0 && row.len <= 80);
    assert_ok(sl_manifest_parse(&test_arena, sl_buf_view(&buf), &manifest,
                                &error));
    assert_int_equal(manifest.line_count, 400);
    sl_buf_release(&buf);
}

#define ROW(cite, lines, before, after) \
    cite "\t" COMMIT "\t" lines "\t" before "\t" after "\t-\t-\n"

static void lock_good(void **state)
{
    (void)state;
    static const char text[] =
        LOCK_HEAD ROW("a:p:1", H1, "-", H2 H3)
            ROW("a:p:3-4", H1 ".", H2 H3, "-") "b:q:2\t" COMMIT "\t" H1
                                               "\t" H2 "\t.\tname\ttrivial\n";
    assert_ok(sl_lock_parse(&test_arena, SL_LIT(text), &lock, &error));
    assert_int_equal(lock.count, 3);
    const struct sl_lock_entry *entry = sl_lock_find(&lock, SL_LIT("a:p:3-4"));
    assert_non_null(entry);
    assert_int_equal(entry->before, 2);
    assert_int_equal(entry->after, 0);
    assert_true(entry->lines[-1] == 3 && entry->lines[0] == 1);
    assert_false(entry->trivial);
    entry = sl_lock_find(&lock, SL_LIT("b:q:2"));
    assert_view(entry->symbol, "name");
    assert_true(entry->trivial);
    assert_null(sl_lock_find(&lock, SL_LIT("b:q:3")));
    struct sl_buf buf;
    sl_buf_init(&buf, 10000);
    sl_lock_write(&buf, &lock);
    assert_view(sl_buf_view(&buf), text);
    sl_buf_release(&buf);
    assert_ok(sl_lock_parse(&test_arena, SL_LIT(LOCK_HEAD), &lock, &error));
    assert_null(sl_lock_find(&lock, SL_LIT("b:q:3")));
}

static void lock_bad(void **state)
{
    (void)state;
    static const struct {
        struct sl_view text;
        const char *says;
    } cases[] = {
        {BYTES(""), "line 1: it does not begin"},
        {BYTES("shmemlore-lock 2\n"), "line 1: it does not begin"},
        {BYTES(LOCK_HEAD "\n"), "line 2: not seven fields"},
        {BYTES(LOCK_HEAD "a:p:1\t" COMMIT "\n"), "line 2: not seven"},
        {BYTES(LOCK_HEAD ROW("a:p:1", H1, "-", "-\t-")), "line 2: not seven"},
        {BYTES(LOCK_HEAD "a:p:1\t" COMMIT "\t" H1 "\t-\t-\t-\t-\t\n"),
         "line 2: not seven"}, /* a tab at its end */
        {BYTES(LOCK_HEAD ROW("a:p:01", H1, "-", "-")), "is written 'a:p:1'"},
        {BYTES(LOCK_HEAD ROW("a:p:1-1", H1, "-", "-")), "is written 'a:p:1'"},
        {BYTES(LOCK_HEAD ROW("a:p", H1, "-", "-")), "line 2: citation"},
        {BYTES(LOCK_HEAD ROW("a:p:1-2", H1, "-", "-")), "one hash per cited"},
        {BYTES(LOCK_HEAD ROW("a:p:1", H1 H2, "-", "-")), "one hash per cited"},
        {BYTES(LOCK_HEAD ROW("a:p:1", "-", "-", "-")), "one hash per cited"},
        {BYTES(LOCK_HEAD ROW("a:p:1", H1, H2, "-")), "hashes before"},
        {BYTES(LOCK_HEAD ROW("a:p:3", H1, H2, "-")), "hashes before"},
        {BYTES(LOCK_HEAD ROW("a:p:1", H1, "-", H1 H2 H3)), "hashes after"},
        {BYTES(LOCK_HEAD ROW("a:p:1", H1, "-", "")), "hashes after"},
        {BYTES(LOCK_HEAD "a:p:1\tx\t" H1 "\t-\t-\t-\t-\n"), "not a commit"},
        {BYTES(LOCK_HEAD "a:p:1\t" COMMIT "\t" H1 "\t-\t-\ta b\t-\n"),
         "not an identifier"},
        {BYTES(LOCK_HEAD "a:p:1\t" COMMIT "\t" H1 "\t-\t-\t-\tfoo\n"),
         "'trivial' or '-'"},
        {BYTES(LOCK_HEAD ROW("b:p:1", H1, "-", "-")
                   ROW("a:p:1", H1, "-", "-")),
         "line 3: the citations are not sorted"},
        {BYTES(LOCK_HEAD ROW("a:p:1", H1, "-", "-")
                   ROW("a:p:1", H1, "-", "-")),
         "line 3: the citations are not sorted"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        enum sl_status status =
            sl_lock_parse(&test_arena, cases[i].text, &lock, &error);
        assert_case(status == SL_ERR_SYNTAX, cases[i].says);
        assert_says(cases[i].says);
    }
    assert_status(sl_lock_parse(&test_arena,
                                SL_LIT(LOCK_HEAD ROW("a:../p:1", H1, "-", "-")),
                                &lock, &error),
                  SL_ERR_REFUSED);
    assert_status(
        sl_lock_parse(&test_arena,
                      SL_LIT(LOCK_HEAD ROW("a:p:1-9000000", H1, "-", "-")),
                      &lock, &error),
        SL_ERR_LIMIT);
    struct sl_view big = {"", (size_t)SL_MAX_LOCK + 1};
    assert_status(sl_lock_parse(&test_arena, big, &lock, &error),
                  SL_ERR_LIMIT);
}

/* A manifest of files "a", "b", …; a line is a letter, '.' a blank one. */
static void files_of(const char *const *files, size_t count)
{
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 20);
    size_t there = 0, lines = 0;
    for (size_t i = 0; i < count; i++) {
        there += files[i] != NULL;
        lines += files[i] ? strlen(files[i]) : 0;
    }
    sl_buf_printf(&buf, MAGIC "%zu %zu\n", there, lines);
    for (size_t i = 0; i < count; i++) {
        if (!files[i])
            continue;
        sl_buf_printf(&buf, "file %c %zu\n", (int)('a' + i), strlen(files[i]));
        for (const char *c = files[i]; *c; c++)
            if (*c == '.')
                sl_buf_puts(&buf, ".");
            else
                sl_hash_put(&buf, (unsigned char)*c);
        if (*files[i])
            sl_buf_putc(&buf, '\n');
    }
    struct sl_view bytes = sl_arena_copy(&test_arena, sl_buf_view(&buf));
    sl_buf_release(&buf);
    assert_ok(sl_manifest_parse(&test_arena, bytes, &manifest, &error));
}

struct graded_case {
    const char *what;
    const char *citation;
    const char *then[3], *now[3]; /* the files, NULL: no such file */
    enum sl_grade grade;
    const char *path; /* moved */
    unsigned first;
};

static void grades(void **state)
{
    (void)state;
    static const struct graded_case cases[] = {
        {"as it was", "f:a:3-4", {"12XY34"}, {"12XY34"}, SL_GRADE_OK, "", 0},
        {"other neighbours above", "f:a:3-4", {"12XY34"}, {"56XY34"},
         SL_GRADE_OK, "", 0},
        {"all neighbours new, no other place", "f:a:3-4", {"12XY34"},
         {"56XY78"}, SL_GRADE_OK, "", 0},
        {"a twin took its place", "f:a:3", {"12X34"}, {"56X7812X34"},
         SL_GRADE_MOVED, "a", 8},
        {"twins before and after", "f:a:3", {"12X34.....12X34"},
         {"12X34.....12X34"}, SL_GRADE_OK, "", 0},
        {"two twins, new surroundings", "f:a:3", {"12X34"},
         {"56X7812X3412X34"}, SL_GRADE_AMBIGUOUS, "a", 8},
        {"down by two", "f:a:3-4", {"12XY34"}, {"0012XY34"}, SL_GRADE_MOVED,
         "a", 5},
        {"up, at the top now", "f:a:3-4", {"12XY34"}, {"XY34"},
         SL_GRADE_MOVED, "a", 1},
        {"to another file", "f:a:1", {"X", "1"}, {"2", "1X"}, SL_GRADE_MOVED,
         "b", 2},
        {"to another file, its own gone", "f:a:1", {"X", "1"}, {NULL, "1X"},
         SL_GRADE_MOVED, "b", 2},
        {"its own file first", "f:a:1-2", {"XY", ""}, {"1XY", "XY"},
         SL_GRADE_MOVED, "a", 2},
        {"not across two files", "f:a:1-2", {"XY", "1"}, {"1X", "Y"},
         SL_GRADE_CHANGED, "", 0},
        {"one of two lines is new", "f:a:3-4", {"12XY34"}, {"12XZ34"},
         SL_GRADE_CHANGED, "", 0},
        {"the file is empty", "f:a:1", {"X"}, {""}, SL_GRADE_CHANGED, "", 0},
        {"the file is gone", "f:b:1", {"1", "X"}, {"1", NULL}, SL_GRADE_GONE,
         "", 0},
        {"nothing is left", "f:a:1", {"X"}, {NULL}, SL_GRADE_GONE, "", 0},
        {"two places, no neighbour tells", "f:a:1", {"X", "1"},
         {"2", "..X..", "..X.."}, SL_GRADE_AMBIGUOUS, "b", 3},
        {"a twin elsewhere is not asked", "f:a:3", {"12X34"},
         {"12X..", "12X34"}, SL_GRADE_OK, "", 0},
        {"twins that both moved: the nearer is told", "f:a:10",
         {"12X34..12X34"}, {"012X34..12X34"}, SL_GRADE_AMBIGUOUS, "a", 11},
        {"two other places, the neighbours tell", "f:a:3", {"12X34"},
         {"..0..X..12X34"}, SL_GRADE_MOVED, "a", 11},
        {"one fitting neighbour of two places", "f:a:3", {"12X34"},
         {"..0..X9..2X88"}, SL_GRADE_AMBIGUOUS, "a", 11},
        {"past the end now", "f:a:5", {"1234X"}, {"12X"}, SL_GRADE_MOVED, "a",
         3},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct graded_case *c = &cases[i];
        struct sl_citation citation;
        struct sl_lock_entry entry;
        struct sl_graded graded;
        assert_ok(sl_citation_parse(sl_view_of(c->citation), &citation,
                                    &error));
        files_of(c->then, 3);
        assert_true(sl_lock_anchor(&manifest, sl_view_of(c->citation),
                                   &citation, &entry));
        files_of(c->now, 3);
        assert_ok(sl_citation_grade(&test_arena, &manifest, &citation, &entry,
                                    &graded, &error));
        if (graded.grade != c->grade)
            print_error("%s\n", sl_grade_name(graded.grade));
        assert_case(graded.grade == c->grade, c->what);
        if (!*c->path)
            continue;
        assert_view(graded.path, c->path);
        assert_int_equal(graded.first, c->first);
        assert_int_equal(graded.last - graded.first,
                         citation.last - citation.first);
    }
}

static void grades_without_entry(void **state)
{
    (void)state;
    static const char *const files[] = {"123"};
    static const struct {
        const char *citation;
        enum sl_grade grade;
    } cases[] = {
        {"f:a:1-3", SL_GRADE_UNLOCKED},
        {"f:a:4", SL_GRADE_LINE},
        {"f:a:3-4", SL_GRADE_LINE},
        {"f:b:1", SL_GRADE_PATH},
    };
    files_of(files, 1);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_citation citation;
        struct sl_graded graded;
        struct sl_lock_entry entry;
        assert_ok(sl_citation_parse(sl_view_of(cases[i].citation), &citation,
                                    &error));
        assert_ok(sl_citation_grade(&test_arena, &manifest, &citation, NULL,
                                    &graded, &error));
        assert_case(graded.grade == cases[i].grade, cases[i].citation);
        assert_case(sl_lock_anchor(&manifest, SL_LIT("x"), &citation,
                                   &entry) ==
                        (cases[i].grade == SL_GRADE_UNLOCKED),
                    cases[i].citation);
    }
}

/* A line that stands everywhere ends the search early. */
static void too_common(void **state)
{
    (void)state;
    char *many = (char *)(uintptr_t)test_repeat("..X..", SL_MAX_CANDIDATES).ptr;
    const char *then[] = {"X"};
    const char *now[] = {"1", many, many};
    struct sl_citation citation;
    struct sl_lock_entry entry;
    struct sl_graded graded;
    assert_ok(sl_citation_parse(SL_LIT("f:a:1"), &citation, &error));
    files_of(then, 1);
    assert_true(sl_lock_anchor(&manifest, SL_LIT("f:a:1"), &citation, &entry));
    files_of(now, 3);
    assert_ok(sl_citation_grade(&test_arena, &manifest, &citation, &entry,
                                &graded, &error));
    assert_int_equal(graded.grade, SL_GRADE_AMBIGUOUS);
}

/* Mutations of good files: an error or a result, and never more than that. */
static void mutated(void **state)
{
    (void)state;
    static const struct sl_view texts[] = {
        BYTES(HEAD(1, 1) "file a 2\n" H1 "\n.\nfile b 0\nfile c 1\n" H2 "\n"),
        BYTES(LOCK_HEAD ROW("a:p:1", H1, "-", H2 H3)
                  ROW("a:p:3-4", H1 ".", H2 H3, "-")),
    };
    uint64_t seed = 7;
    for (size_t round = 0; round < 20000; round++) {
        struct sl_arena arena;
        sl_arena_init(&arena, 1u << 20);
        struct sl_view text = texts[round % 2];
        char *bytes = (char *)(uintptr_t)sl_arena_copy(&arena, text).ptr;
        for (size_t n = 1 + test_random(&seed) % 3; n > 0; n--)
            bytes[test_random(&seed) % text.len] = (char)test_random(&seed);
        text = (struct sl_view){bytes, test_random(&seed) % (text.len + 1)};
        struct sl_manifest m;
        struct sl_lock l;
        enum sl_status status =
            round % 2 ? sl_lock_parse(&arena, text, &l, &error)
                      : sl_manifest_parse(&arena, text, &m, &error);
        assert_true(status != SL_ERR_INTERNAL && status != SL_ERR_NOMEM);
        sl_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hashes),
        TEST(manifest_good),
        TEST(manifest_bad),
        FOLDER_TEST(manifest_of_a_tree),
        FOLDER_TEST(manifest_rows),
        TEST(lock_good),
        TEST(lock_bad),
        TEST(grades),
        TEST(grades_without_entry),
        TEST(too_common),
        TEST(mutated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
