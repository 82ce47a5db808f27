/* What somebody may have meant: names, releases; and tables that are not whole. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "answer/other.h"
#include "api/near.h"
#include "api/release.h"
#include "api/table.h"
#include "os/file.h"
#include "os/lock.h"

static struct sl_error error;

/* near.c looks at the first two columns, and for who owns it */
#define ROW(name, family, owner) \
    name "\t" family "\tfunction\t" owner "\tdevice\n"

static const char symbols_text[] = "name\tfamily\tkind\towner\tspace\n"
    ROW("nvshmem_float_put", "nvshmem_TYPE_put", "nvshmem")
    ROW("nvshmem_int_put", "nvshmem_TYPE_put", "nvshmem")
    ROW("nvshmem_old", "nvshmem_old", "nvshmem")
    ROW("nvshmem_quiet", "nvshmem_quiet", "nvshmem")
    ROW("nvshmemi_quiet", "nvshmemi_quiet", "nvshmem-internal");

static void near_misses(void **state)
{
    static const struct {
        const char *asked, *first;
    } cases[] = {
        {"nvshmem_qiet", "nvshmem_quiet"},
        {"nvshmem_put", "nvshmem_float_put"}, /* its words are the family's */
        {"nvshmemi_quite", "nvshmemi_quiet"},
        {"nvshmem_TYP_put", "nvshmem_float_put"},
        {"quiet", "nvshmem_quiet"},
        {"shmem_quite", "nvshmem_quiet"},
        {"a::nvshmem_quiet", "nvshmem_quiet"},
        {"nvshmem_<T>_pot", "nvshmem_float_put"},
        {"nvshmem_{}", NULL},
        {"<", NULL},
        {"_", NULL},
        {"::", NULL},
        {"nothing_like_it", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_near *near;
        size_t count;
        assert_ok(sl_symbols_near(&test_arena, sl_view_of(symbols_text),
                                  sl_view_of(cases[i].asked), 4, &near, &count,
                                  &error));
        if (!cases[i].first)
            assert_int_equal(count, 0);
        else
            assert_case(count && sl_view_is(near[0].name, cases[i].first),
                        cases[i].asked);
    }
}

/* whatever is pasted: no byte is read that is not there, and nothing loops */
static void any_bytes(void **state)
{
    static const char letters[] =
        "nvshmem_TYPEput<>{}##:&*(). ;xI/-\xe2\x80\xa6";
    struct sl_view known[] = {BYTES("1.0"), BYTES("2.0.1")}, found;
    uint64_t seed = 7;
    (void)state;
    for (size_t round = 0; round < 3000; round++) {
        struct sl_near *near;
        size_t count, n = (size_t)(test_random(&seed) % 40);
        char *text = sl_arena_alloc(&test_arena, n + 1);
        assert_non_null(text);
        for (size_t i = 0; i < n; i++)
            text[i] = letters[test_random(&seed) % (sizeof letters - 1)];
        struct sl_view asked = sl_arena_copy(
            &test_arena, (struct sl_view){text, n}); /* exactly n bytes */
        struct sl_view name = sl_name_clean(asked);
        assert_true(name.len <= n);
        assert_ok(sl_symbols_near(&test_arena, sl_view_of(symbols_text), name,
                                  4, &near, &count, &error));
        assert_true(count <= 4);
        (void)sl_variable_clean(asked);
        (void)!sl_release_read(asked, known, 2, &found, &error);
    }
}

static void one_of_each_family(void **state)
{
    struct sl_near *near;
    size_t count;
    (void)state;
    assert_ok(sl_symbols_near(&test_arena, sl_view_of(symbols_text),
                              SL_LIT("nvshmem_flot_put"), 9, &near, &count,
                              &error));
    assert_int_equal(count, 1);
    assert_view(near[0].name, "nvshmem_float_put");
}

/* sums as sha256sum(1) writes them */
static void tables_have_sums(void **state)
{
    static const char empty[] =
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    struct sl_view bytes;
    (void)state;
    test_write("evidence/b.tsv", "b\n");
    assert_ok(sl_table_read(&test_arena, test_folder, "evidence/b.tsv", 9,
                            &bytes, &error)); /* no sums: not checked */
    assert_view(bytes, "b\n");
    test_write(SL_TABLE_SUMS, "");
    assert_status(sl_table_read(&test_arena, test_folder, "evidence/b.tsv", 9,
                                &bytes, &error),
                  SL_ERR_SYNTAX);
    assert_says("evidence/b.tsv has no line in evidence/SHA256SUMS");
    /* writing gives the sum, in the names' order, and leaves the others */
    static const char *const names[] = {"b.tsv", "c.tsv", "a.tsv"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[40];
        (void)snprintf(path, sizeof path, "evidence/%s", names[i]);
        assert_ok(sl_table_save(&test_arena, test_path(path), SL_LIT(""),
                                &error));
        assert_ok(sl_table_read(&test_arena, test_folder, path, 9, &bytes,
                                &error));
    }
    assert_ok(sl_table_save(&test_arena, test_path("evidence/b.tsv"),
                            SL_LIT(""), &error));
    struct sl_view sums = test_read(test_path(SL_TABLE_SUMS)), line;
    for (const char *name = "abc"; *name; name++) {
        assert_true(sl_view_line(&sums, &line));
        assert_view(sl_view_sub(line, 0, 64), empty);
        assert_int_equal(line.ptr[66], *name);
    }
    assert_int_equal(sums.len, 0);
    test_write("evidence/a.tsv", "x");
    assert_status(sl_table_read(&test_arena, test_folder, "evidence/a.tsv", 9,
                                &bytes, &error),
                  SL_ERR_SYNTAX);
    assert_says("evidence/a.tsv is not what evidence/SHA256SUMS says");
    assert_status(sl_table_read(&test_arena, test_folder, "evidence/d.tsv", 9,
                                &bytes, &error),
                  SL_ERR_NOTFOUND);
    /* beside no sums a table is a file like others */
    test_write("other/x", "");
    assert_ok(sl_table_save(&test_arena, test_path("other/a.tsv"),
                            SL_LIT("1"), &error));
    assert_false(sl_path_exists(test_path("other/SHA256SUMS")));
    /* nor are the sums that somebody keeps of other files touched */
    const char *theirs = test_write("other/SHA256SUMS", "1  disk.iso\n");
    assert_ok(sl_table_save(&test_arena, test_path("other/a.tsv"),
                            SL_LIT("2"), &error));
    assert_view(test_read(theirs), "1  disk.iso\n");
}

/* Tables that belong together: all are new with their sums, or none is. */
static void tables_are_saved_together(void **state)
{
    struct sl_view bytes;
    (void)state;
    test_write("evidence/SHA256SUMS", "");
    struct sl_file_new set[] = {{test_path("evidence/a.tsv"), BYTES("A")},
                                {test_path("evidence/b.tsv"), BYTES("B")},
                                {test_path("evidence/c.tsv"), BYTES("C")}};
    assert_ok(sl_tables_save(&test_arena, set, 2, &error));
    struct sl_view sums = test_read(test_path(SL_TABLE_SUMS));
    test_write("evidence/c.tsv/in-the-way", "");
    set[0].bytes = SL_LIT("new");
    assert_status(sl_tables_save(&test_arena, set, 3, &error), SL_ERR_IO);
    assert_true(sl_view_eq(sums, test_read(test_path(SL_TABLE_SUMS))));
    for (size_t i = 0; i < 2; i++)
        assert_ok(sl_table_read(&test_arena, test_folder,
                                i ? "evidence/b.tsv" : "evidence/a.tsv", 9,
                                &bytes, &error));
    assert_view(bytes, "B");
}

/* A reader between a table and its sum waits for who writes, and reads again. */
static void tables_are_read_after_the_writer(void **state)
{
    struct sl_view bytes;
    struct sl_file_lock lock;
    bool taken;
    const struct timespec pause = {.tv_nsec = 60000000};
    (void)state;
    test_write("evidence/SHA256SUMS", "");
    assert_ok(sl_table_save(&test_arena, test_path("evidence/a.tsv"),
                            SL_LIT("new"), &error));
    assert_ok(sl_folder_lock(&lock, test_path("evidence"), 0, &taken, &error));
    assert_true(taken);
    test_write("evidence/a.tsv", "old");
    pid_t child = fork();
    if (child == 0) {
        (void)nanosleep(&pause, NULL);
        FILE *file = fopen(test_path("evidence/a.tsv"), "w");
        if (file && fputs("new", file) >= 0)
            (void)!fclose(file);
        sl_file_lock_release(&lock);
        _exit(0);
    }
    sl_file_lock_release(&lock); /* the child holds it too */
    assert_ok(sl_table_read(&test_arena, test_folder, "evidence/a.tsv", 9,
                            &bytes, &error));
    assert_view(bytes, "new");
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
}

static void releases(void **state)
{
    static const struct {
        const char *text, *is, *says;
    } cases[] = {
        {"1.0", "1.0", NULL},       {"v1.0", "1.0", NULL},
        {"V2.0.1", "2.0.1", NULL},  {" 1.0 ", "1.0", NULL},
        {"", NULL, "an empty release; those read are 1.0, 2.0.1"},
        {"vv1.0", NULL, "no release v1.0 is among those read: 1.0, 2.0.1"},
        {"2.0", NULL, "; those that begin so: 2.0.1"},
        {"1.0-0", NULL, "; the release of that tag is 1.0"},
        {"newest", NULL, "; the newest is 2.0.1"},
        {"1.00", NULL, "; 1.0 may be meant"},
        {"2.0.x", NULL, "; those that begin so: 2.0.1"},
        {"2.0.*", NULL, "; those that begin so: 2.0.1"},
        {"2.0.", NULL, "; those that begin so: 2.0.1"},
        {"02.00.1", NULL, "; 2.0.1 may be meant"},
        {"2,0,1", NULL, "; 2.0.1 may be meant"},
        {"nvshmem-2.0.1rc1", NULL, "; 2.0.1 may be meant"},
        {"2.0.1.7", NULL, "; 2.0.1 may be meant"},
        {"2.0.1-rc1", NULL, "; 2.0.1 may be meant"},
        {"2.0.10", NULL, "; the newest of them is 2.0.1"},
        {"9.9.9", NULL, "; the newest of them is 2.0.1"},
        {"0.x", NULL, "; the oldest of them is 1.0"},
        {"1.7.2", NULL, "; next to it: 1.0 and 2.0.1"},
        {"x", NULL, "no release x is among those read: 1.0, 2.0.1"},
        {"12345678901234567890.1", NULL, "among those read: 1.0, 2.0.1"},
        {"v", NULL, "no release v is"},
    };
    struct sl_view known[] = {BYTES("1.0"), BYTES("2.0.1")}, found;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        enum sl_status status = sl_release_read(sl_view_of(cases[i].text),
                                                known, 2, &found, &error);
        assert_case(!status == !cases[i].says, cases[i].text);
        if (status)
            assert_says(cases[i].says);
        else
            assert_view(found, cases[i].is);
    }
    assert_status(sl_release_read(SL_LIT("1.0"), NULL, 0, &found, &error),
                  SL_ERR_USAGE);
    assert_says("none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(near_misses),
        TEST(any_bytes),
        TEST(one_of_each_family),
        FOLDER_TEST(tables_are_saved_together),
        FOLDER_TEST(tables_are_read_after_the_writer),
        TEST(releases),
        FOLDER_TEST(tables_have_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
