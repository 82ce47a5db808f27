/* os: capped reads, paths that may not leave, atomic writes, walks, the cache. */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "os/file.h"
#include "os/lock.h"
#include "os/std.h"

static struct sl_error error;
static struct sl_view bytes;

static void read_whole(void **state)
{
    (void)state;
    const char *path = test_write_bytes("x", (struct sl_view){"a\0b\n", 4});
    assert_ok(sl_file_read(&test_arena, path, 4, &bytes, &error));
    assert_int_equal(bytes.len, 4);
    assert_memory_equal(bytes.ptr, "a\0b\n", 5); /* and a NUL behind them */
    path = test_write("empty", "");
    assert_ok(sl_file_read(&test_arena, path, 0, &bytes, &error));
    assert_int_equal(bytes.len, 0);
    assert_non_null(bytes.ptr);
}

static void read_cap(void **state)
{
    (void)state;
    const char *path = test_write("x", "12345");
    assert_status(sl_file_read(&test_arena, path, 4, &bytes, &error),
                  SL_ERR_LIMIT);
    assert_says("5 bytes; the limit is 4");
    assert_ok(sl_file_read(&test_arena, path, 5, &bytes, &error));
    /* a sparse file costs nothing to refuse */
    assert_int_equal(truncate(path, (off_t)1 << 40), 0);
    assert_status(sl_file_read(&test_arena, path, SL_MAX_MARKDOWN_FILE, &bytes,
                               &error),
                  SL_ERR_LIMIT);
}

static void read_arena_cap(void **state)
{
    (void)state;
    const char *path = test_write_bytes("x", test_repeat("0123456789", 100));
    struct sl_arena small;
    sl_arena_init(&small, 100);
    assert_status(sl_file_read(&small, path, 5000, &bytes, &error),
                  SL_ERR_NOMEM);
    sl_arena_release(&small);
}

static void read_refuses_what_is_no_file(void **state)
{
    (void)state;
    assert_status(sl_file_read(&test_arena, test_folder, 100, &bytes, &error),
                  SL_ERR_REFUSED);
    assert_status(sl_file_read(&test_arena, "/dev/zero", 100, &bytes, &error),
                  SL_ERR_REFUSED);
    /* without a writer an ordinary open would hang here */
    const char *fifo = test_path("fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_status(sl_file_read(&test_arena, fifo, 100, &bytes, &error),
                  SL_ERR_REFUSED);
    assert_says("not a regular file");
    assert_status(sl_file_read_beneath(&test_arena, test_folder, SL_LIT("fifo"),
                                       100, &bytes, &error),
                  SL_ERR_REFUSED);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = test_path("socket");
    memcpy(address.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(
        bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_status(sl_file_read(&test_arena, path, 100, &bytes, &error),
                  SL_ERR_IO);
    close(fd);
}

static void read_says_what_is_missing(void **state)
{
    (void)state;
    const char *path = test_path("none");
    assert_status(sl_file_read(&test_arena, path, 100, &bytes, &error),
                  SL_ERR_NOTFOUND);
    assert_says(path);
    assert_status(sl_file_read_beneath(&test_arena, test_folder,
                                       SL_LIT("a/none"), 100, &bytes, &error),
                  SL_ERR_NOTFOUND);
    assert_status(sl_file_read_beneath(&test_arena, path, SL_LIT("x"), 100,
                                       &bytes, &error),
                  SL_ERR_NOTFOUND);
}

static void beneath_reads_below(void **state)
{
    (void)state;
    test_write("top", "1");
    test_write("a/b/c.txt", "2");
    assert_ok(sl_file_read_beneath(&test_arena, test_folder, SL_LIT("top"), 9,
                                   &bytes, &error));
    assert_view(bytes, "1");
    assert_ok(sl_file_read_beneath(&test_arena, test_folder,
                                   SL_LIT("a/b/c.txt"), 9, &bytes, &error));
    assert_view(bytes, "2");
    assert_status(sl_file_read_beneath(&test_arena, test_folder,
                                       SL_LIT("a/b/c.txt"), 0, &bytes, &error),
                  SL_ERR_LIMIT);
    assert_status(sl_file_read_beneath(&test_arena, test_folder, SL_LIT("a/b"),
                                       9, &bytes, &error),
                  SL_ERR_REFUSED);
    /* a file is no folder */
    assert_status(sl_file_read_beneath(&test_arena, test_folder,
                                       SL_LIT("top/x"), 9, &bytes, &error),
                  SL_ERR_NOTFOUND);
}

static void paths_that_leave(void **state)
{
    (void)state;
    static const struct {
        struct sl_view path;
        bool inside;
    } cases[] = {
        {BYTES("a"), true},
        {BYTES("a/b.c"), true},
        {BYTES("..a/b..c/..."), true},
        {BYTES(".hidden"), true},
        {BYTES(""), false},
        {BYTES("/"), false},
        {BYTES("/etc/passwd"), false},
        {BYTES(".."), false},
        {BYTES("../x"), false},
        {BYTES("a/../x"), false},
        {BYTES("a/.."), false},
        {BYTES("."), false},
        {BYTES("./a"), false},
        {BYTES("a/./b"), false},
        {BYTES("a//b"), false},
        {BYTES("a/"), false},
        {BYTES("a\0b"), false},
    };
    test_write("a/b.c", "");
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *name = cases[i].path.ptr;
        assert_case(sl_path_is_inside(cases[i].path) == cases[i].inside, name);
        enum sl_status status = sl_file_read_beneath(
            &test_arena, test_folder, cases[i].path, 100, &bytes, &error);
        assert_case((status == SL_ERR_REFUSED) == !cases[i].inside ||
                        sl_view_is(cases[i].path, "a"),
                    name);
    }
    assert_false(sl_path_is_inside(test_repeat("x", SL_MAX_PATH + 1)));
    assert_true(sl_path_is_inside(test_repeat("x", SL_MAX_PATH)));
}

static void links_are_refused(void **state)
{
    (void)state;
    test_write("tree/real/file", "inside");
    test_write("secret", "outside");
    assert_int_equal(symlink("../secret", test_path("tree/final")), 0);
    assert_int_equal(symlink("/etc", test_path("tree/etc")), 0);
    assert_int_equal(symlink("real", test_path("tree/folder")), 0);
    assert_int_equal(symlink("loop", test_path("tree/loop")), 0);
    const char *tree = test_path("tree");
    static const char *const paths[] = {"final", "etc/passwd", "folder/file",
                                        "loop", "loop/x"};
    for (size_t i = 0; i < COUNT(paths); i++) {
        assert_status(sl_file_read_beneath(&test_arena, tree,
                                           sl_view_of(paths[i]), 9999, &bytes,
                                           &error),
                      SL_ERR_REFUSED);
        assert_says("symbolic link");
    }
    assert_ok(sl_file_read_beneath(&test_arena, tree, SL_LIT("real/file"), 99,
                                   &bytes, &error));
    assert_view(bytes, "inside");
}

static void write_replaces(void **state)
{
    (void)state;
    const char *path = test_path("x");
    assert_ok(sl_file_write(path, SL_LIT("one"), &error));
    assert_view(test_read(path), "one");
    assert_ok(sl_file_write(path, (struct sl_view){NULL, 0}, &error));
    assert_view(test_read(path), "");
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(st.st_mode & 0777, 0666 & ~mask);
}

static size_t entries(const char *folder)
{
    struct sl_view *paths;
    size_t count;
    assert_ok(sl_folder_list(&test_arena, folder, NULL, 1000, &paths, &count,
                             &error));
    return count;
}

static void write_keeps_the_old_on_failure(void **state)
{
    (void)state;
    /* a folder cannot be replaced by a file: rename fails after the write */
    test_write("target/old", "old");
    assert_status(sl_file_write(test_path("target"), SL_LIT("new"), &error),
                  SL_ERR_IO);
    assert_view(test_read(test_path("target/old")), "old");
    assert_int_equal(entries(test_folder), 1); /* no temporary file is left */
    assert_status(sl_file_write(test_path("no/such/x"), SL_LIT("n"), &error),
                  SL_ERR_NOTFOUND);
    /* the device is full while writing: the old content is whole */
    struct sl_view longer = test_repeat("x", SL_MAX_PATH + 20);
    assert_status(sl_file_write(longer.ptr, SL_LIT("n"), &error),
                  SL_ERR_LIMIT);
}

static void write_does_not_follow_a_link(void **state)
{
    (void)state;
    const char *other = test_write("other", "kept");
    assert_int_equal(symlink("other", test_path("link")), 0);
    assert_ok(sl_file_write(test_path("link"), SL_LIT("new"), &error));
    assert_view(test_read(other), "kept");
    assert_view(test_read(test_path("link")), "new");
}

/* What is no file is written to and stays: --output /dev/null, as root too. */
static void write_leaves_streams(void **state)
{
    (void)state;
    const char *fifo = test_path("fifo");
    char got[8];
    assert_int_equal(mkfifo(fifo, 0600), 0);
    int fd = open(fifo, O_RDWR | O_NONBLOCK);
    assert_true(fd >= 0);
    assert_true(sl_path_is_stream(fifo));
    assert_ok(sl_file_write(fifo, SL_LIT("bytes"), &error));
    assert_int_equal(read(fd, got, sizeof got), 5);
    close(fd);
    assert_true(sl_path_is_stream(fifo));
    assert_int_equal(symlink("/dev/null", test_path("null")), 0);
    assert_true(sl_path_is_stream(test_path("null")));
    assert_ok(sl_file_write(test_path("null"), SL_LIT("bytes"), &error));
    struct stat st;
    assert_int_equal(lstat(test_path("null"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_false(sl_path_is_stream(test_write("file", "")));
    assert_false(sl_path_is_stream(test_path("none")));
    assert_false(sl_path_is_stream(test_folder));
    /* in a set they have no place */
    struct sl_file_new set[] = {{test_path("file"), BYTES("new")},
                                {fifo, BYTES("new")}};
    assert_status(sl_files_write(set, 2, &error), SL_ERR_REFUSED);
    assert_view(test_read(test_path("file")), "");
    assert_int_equal(entries(test_folder), 1); /* a list has regular files */
}

static void write_all_or_none(void **state)
{
    (void)state;
    const char *a = test_write("a", "old"), *b = test_path("b");
    struct sl_file_new set[] = {{a, BYTES("A")}, {b, BYTES("B")},
                                {test_path("no/c"), BYTES("C")}};
    assert_status(sl_files_write(set, 3, &error), SL_ERR_NOTFOUND);
    assert_view(test_read(a), "old");
    assert_int_equal(entries(test_folder), 1);
    assert_ok(sl_files_write(set, 2, &error));
    assert_view(test_read(a), "A");
    assert_view(test_read(b), "B");
    assert_int_equal(entries(test_folder), 2);
}

/* ulimit -f: an error, not a death with half a file left. */
static void write_over_the_limit(void **state)
{
    (void)state;
    const char *path = test_write("x", "old");
    struct sl_view long_text = test_repeat("x", 100000);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {4096, 4096};
        bool failed = sl_std_open() && !setrlimit(RLIMIT_FSIZE, &limit) &&
                      sl_file_write(path, long_text, &error) == SL_ERR_IO;
        _exit(failed ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_view(test_read(path), "old");
    assert_int_equal(entries(test_folder), 1);
}

static void end_me(int number)
{
    (void)number;
    (void)kill(getpid(), SIGTERM);
}

/* SIGTERM in the middle of it: the file is whole, and nothing lies beside it. */
static void write_is_not_cut_by_a_signal(void **state)
{
    (void)state;
    const char *path = test_path("x");
    struct sl_view text = test_repeat("x", 4u << 20);
    pid_t child = fork();
    if (child == 0) {
        struct sigaction action = {.sa_handler = end_me};
        struct itimerval often = {{0, 100}, {0, 100}};
        (void)sigaction(SIGALRM, &action, NULL);
        /* the first is whole before the clock is set */
        bool done = !sl_file_write(path, text, &error) &&
                    !setitimer(ITIMER_REAL, &often, NULL);
        while (done)
            done = !sl_file_write(path, text, &error);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_int_equal(test_read(path).len, text.len);
    assert_int_equal(entries(test_folder), 1);
}

static void walk_is_sorted_and_filtered(void **state)
{
    (void)state;
    static const char *const made[] = {
        "b.md", "a/z.md", "a.md", "a/b/c.md", "a-b.md", "B.md", "x.txt",
        ".hidden.md", ".git/x.md", "a/.x.md", "md", "a/b/c.mdx",
    };
    static const char *const wanted[] = {"B.md", "a-b.md", "a.md", "a/b/c.md",
                                         "a/z.md", "b.md"};
    for (size_t i = 0; i < COUNT(made); i++)
        test_write(made[i], "");
    assert_int_equal(mkdir(test_path("folder.md"), 0777), 0);
    assert_int_equal(mkfifo(test_path("fifo.md"), 0600), 0);
    assert_int_equal(symlink("a.md", test_path("link.md")), 0);
    assert_int_equal(symlink(".", test_path("loop")), 0);
    assert_int_equal(symlink("/etc", test_path("away")), 0);
    struct sl_view *paths;
    size_t count;
    assert_ok(sl_folder_list(&test_arena, test_folder, ".md", 100, &paths,
                             &count, &error));
    assert_int_equal(count, COUNT(wanted));
    for (size_t i = 0; i < count; i++)
        assert_view(paths[i], wanted[i]);
    assert_ok(sl_folder_list(&test_arena, test_folder, NULL, 100, &paths,
                             &count, &error));
    assert_int_equal(count, COUNT(wanted) + 3);
    assert_ok(sl_folder_list(&test_arena, test_folder, ".none", 100, &paths,
                             &count, &error));
    assert_int_equal(count, 0);
}

static void walk_caps(void **state)
{
    (void)state;
    test_write("a", "");
    test_write("b", "");
    struct sl_view *paths;
    size_t count;
    assert_ok(sl_folder_list(&test_arena, test_folder, NULL, 2, &paths, &count,
                             &error));
    test_write("c", "");
    assert_status(sl_folder_list(&test_arena, test_folder, NULL, 2, &paths,
                                 &count, &error),
                  SL_ERR_LIMIT);
    assert_says("more than 2 files");
    assert_status(sl_folder_list(&test_arena, test_path("none"), NULL, 9,
                                 &paths, &count, &error),
                  SL_ERR_NOTFOUND);
    assert_status(sl_folder_list(&test_arena, test_path("a"), NULL, 9, &paths,
                                 &count, &error),
                  SL_ERR_IO);
}

static void walk_depth(void **state)
{
    (void)state;
    struct sl_view *paths;
    size_t count;
    struct sl_view deep = test_repeat("d/", SL_MAX_WALK_DEPTH);
    struct sl_buf name;
    sl_buf_init(&name, SL_MAX_PATH);
    sl_buf_add(&name, deep);
    sl_buf_puts(&name, "x");
    test_write(name.ptr, "");
    assert_ok(sl_folder_list(&test_arena, test_folder, NULL, 99, &paths,
                             &count, &error));
    assert_int_equal(count, 1);
    sl_buf_puts(&name, "y/x");
    test_write(name.ptr, "");
    assert_status(sl_folder_list(&test_arena, test_folder, NULL, 99, &paths,
                                 &count, &error),
                  SL_ERR_LIMIT);
    sl_buf_release(&name);
}

static void folders_are_made(void **state)
{
    (void)state;
    const char *path = test_path("a/b/c");
    assert_ok(sl_folder_make(path, &error));
    assert_true(sl_path_is_folder(path));
    assert_ok(sl_folder_make(path, &error));
    test_write("file", "");
    assert_status(sl_folder_make(test_path("file"), &error), SL_ERR_IO);
    assert_status(sl_folder_make(test_path("file/x"), &error), SL_ERR_IO);
    assert_true(sl_path_exists(test_path("file")));
    assert_false(sl_path_is_folder(test_path("file")));
    assert_false(sl_path_exists(test_path("none")));
}

static void joined_paths(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b, *expected;
    } cases[] = {
        {"a", "b", "a/b"},
        {"a/", "b", "a/b"},
        {"a///", "b/c", "a/b/c"},
        {"/", "b", "//b"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(
            sl_path_join(&test_arena, cases[i].a, sl_view_of(cases[i].b)),
            cases[i].expected);
}

static void cache_folder_variables(void **state)
{
    (void)state;
    static const struct {
        const char *own, *xdg, *home, *expected; /* expected NULL: refused */
    } cases[] = {
        {"/own", "/xdg", "/u/home", "/own"},
        {NULL, "/xdg", "/u/home", "/xdg/shmemlore"},
        {"", "/xdg", "/u/home", "/xdg/shmemlore"},
        {NULL, NULL, "/u/home", "/u/home/.cache/shmemlore"},
        {NULL, "", "/u/home", "/u/home/.cache/shmemlore"},
        {NULL, NULL, NULL, NULL},
        {"relative", "/xdg", "/u/home", NULL},
        {NULL, "relative", "/u/home", NULL},
        {NULL, NULL, "~", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        unsetenv("SHMEMLORE_CACHE");
        unsetenv("XDG_CACHE_HOME");
        unsetenv("HOME");
        if (cases[i].own)
            setenv("SHMEMLORE_CACHE", cases[i].own, 1);
        if (cases[i].xdg)
            setenv("XDG_CACHE_HOME", cases[i].xdg, 1);
        if (cases[i].home)
            setenv("HOME", cases[i].home, 1);
        const char *path = NULL;
        if (cases[i].expected) {
            assert_ok(sl_cache_folder(&test_arena, &path, &error));
            assert_string_equal(path, cases[i].expected);
        } else {
            assert_status(sl_cache_folder(&test_arena, &path, &error),
                          SL_ERR_USAGE);
            assert_null(path);
        }
    }
}

/* Which file it is, not only which folder it is looked for in. */
static void beneath_names_the_file(void **state)
{
    (void)state;
    test_write("a/big", "12345");
    assert_status(sl_file_read_beneath(&test_arena, test_folder,
                                       SL_LIT("a/big"), 4, &bytes, &error),
                  SL_ERR_LIMIT);
    assert_says("/a/big has 5 bytes; the limit is 4");
    assert_status(sl_file_read_beneath(&test_arena, test_folder, SL_LIT("a"),
                                       4, &bytes, &error),
                  SL_ERR_REFUSED);
    assert_says("/a is not a regular file");
}

static void kinds_of_paths(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum sl_path_kind kind;
    } cases[] = {
        {"a/f", SL_PATH_FILE},    {"a", SL_PATH_FOLDER},
        {"a/p", SL_PATH_OTHER},   {"a/l", SL_PATH_LINK},
        {"a/none", SL_PATH_NONE}, {"l", SL_PATH_LINK},
        {"l/f", SL_PATH_LINK},    {"l/none", SL_PATH_LINK},
        {"a/f/x", SL_PATH_NONE},  {"none/f", SL_PATH_NONE},
        {"a/d/g", SL_PATH_FILE},  {"../etc", SL_PATH_NONE},
        {"", SL_PATH_NONE},       {"/etc", SL_PATH_NONE},
    };
    test_write("a/f", "x");
    test_write("a/d/g", "x");
    assert_int_equal(mkfifo(test_path("a/p"), 0600), 0);
    assert_int_equal(symlink("f", test_path("a/l")), 0);
    assert_int_equal(symlink("a", test_path("l")), 0);
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_case(sl_path_kind_beneath(test_folder,
                                         sl_view_of(cases[i].path)) ==
                        cases[i].kind,
                    cases[i].path);
    assert_int_equal(sl_path_kind_beneath(test_path("none"), SL_LIT("a")),
                     SL_PATH_NONE);
    assert_ok(sl_file_remove(test_path("a/f"), &error));
    assert_ok(sl_file_remove(test_path("a/f"), &error));
    assert_status(sl_file_remove(test_path("a/d"), &error), SL_ERR_IO);
}

static void folder_lock(void **state)
{
    (void)state;
    struct sl_file_lock first, second;
    bool taken = false;
    assert_ok(sl_folder_lock(&first, test_folder, 0, &taken, &error));
    assert_true(taken && first.fd >= 0);
    assert_ok(sl_folder_lock(&second, test_folder, 30, &taken, &error));
    assert_true(!taken && second.fd < 0);
    sl_file_lock_release(&first);
    assert_ok(sl_folder_lock(&second, test_folder, 0, &taken, &error));
    assert_true(taken && second.fd >= 0);
    sl_file_lock_release(&second);
    sl_file_lock_release(&second);
    /* what is no folder is told by whoever reads it */
    assert_ok(sl_folder_lock(&first, test_path("none"), 0, &taken, &error));
    assert_true(taken && first.fd < 0);
    sl_file_lock_release(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(read_whole),
        FOLDER_TEST(read_cap),
        FOLDER_TEST(read_arena_cap),
        FOLDER_TEST(read_refuses_what_is_no_file),
        FOLDER_TEST(read_says_what_is_missing),
        FOLDER_TEST(beneath_reads_below),
        FOLDER_TEST(paths_that_leave),
        FOLDER_TEST(links_are_refused),
        FOLDER_TEST(write_replaces),
        FOLDER_TEST(write_keeps_the_old_on_failure),
        FOLDER_TEST(write_does_not_follow_a_link),
        FOLDER_TEST(write_leaves_streams),
        FOLDER_TEST(write_all_or_none),
        FOLDER_TEST(write_over_the_limit),
        FOLDER_TEST(write_is_not_cut_by_a_signal),
        FOLDER_TEST(walk_is_sorted_and_filtered),
        FOLDER_TEST(walk_caps),
        FOLDER_TEST(walk_depth),
        FOLDER_TEST(folders_are_made),
        FOLDER_TEST(beneath_names_the_file),
        FOLDER_TEST(kinds_of_paths),
        FOLDER_TEST(folder_lock),
        TEST(joined_paths),
        TEST(cache_folder_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
