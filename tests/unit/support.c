#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "os/file.h"

struct sl_arena test_arena;
char test_folder[64];

void test_view(struct sl_view view, const char *expected, const char *file,
               int line)
{
    if (sl_view_is(view, expected))
        return;
    print_error("\"%.*s\" is not \"%s\"\n", SL_ARG(view), expected);
    _fail(file, line);
}

void test_ok(enum sl_status status, const struct sl_error *error,
             const char *call, const char *file, int line)
{
    if (status == SL_OK)
        return;
    print_error("%s: status %d: %s\n", call, status, error->message);
    _fail(file, line);
}

void test_status(enum sl_status status, enum sl_status expected,
                 const struct sl_error *error, const char *call,
                 const char *file, int line)
{
    if (status == expected)
        return;
    print_error("%s: status %d instead of %d: %s\n", call, status, expected,
                status ? error->message : "(no error)");
    _fail(file, line);
}

void test_says(const struct sl_error *error, const char *words,
               const char *file, int line)
{
    if (strstr(error->message, words))
        return;
    print_error("\"%s\" does not say \"%s\"\n", error->message, words);
    _fail(file, line);
}

void test_case(bool holds, const char *condition, const char *what,
               const char *file, int line)
{
    if (holds)
        return;
    print_error("%s: not so: %s\n", what, condition);
    _fail(file, line);
}

int test_arena_make(void **state)
{
    (void)state;
    sl_arena_init(&test_arena, SL_MAX_KB_ARENA);
    return 0;
}

int test_arena_free(void **state)
{
    (void)state;
    sl_arena_release(&test_arena);
    return 0;
}

int test_folder_make(void **state)
{
    memcpy(test_folder, "/tmp/shmemlore-test-XXXXXX", 27);
    return mkdtemp(test_folder) ? test_arena_make(state) : -1;
}

int test_folder_free(void **state)
{
    char command[2 * sizeof test_folder + 64];
    (void)snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s",
                   test_folder, test_folder);
    int failed = system(command);
    return test_arena_free(state) || failed;
}

const char *test_path(const char *name)
{
    return sl_path_join(&test_arena, test_folder, sl_view_of(name));
}

const char *test_write_bytes(const char *name, struct sl_view bytes)
{
    struct sl_error error = {SL_OK, ""};
    const char *path = test_path(name);
    char *folder = (char *)(uintptr_t)sl_arena_copy(&test_arena,
                                                    sl_view_of(path)).ptr;
    *strrchr(folder, '/') = '\0';
    assert_ok(sl_folder_make(folder, &error));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.ptr ? bytes.ptr : "", 1, bytes.len, file),
                     bytes.len);
    assert_int_equal(fclose(file), 0);
    return path;
}

const char *test_write(const char *name, const char *text)
{
    return test_write_bytes(name, sl_view_of(text));
}

struct sl_view test_read(const char *path)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_view bytes;
    assert_ok(sl_file_read(&test_arena, path, SL_MAX_KB_BYTES, &bytes, &error));
    return bytes;
}

struct sl_view test_repeat(const char *text, size_t n)
{
    size_t len = strlen(text);
    char *bytes = sl_arena_alloc(&test_arena, len * n + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < n; i++)
        memcpy(bytes + i * len, text, len);
    return (struct sl_view){bytes, len * n};
}

uint64_t test_random(uint64_t *seed)
{
    *seed += 0x9e3779b97f4a7c15u;
    uint64_t z = *seed;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
