/*
 * What every unit test includes: cmocka and a few helpers. A program's tests
 * run in one process; each has its own arena and, where it asks for one, its own
 * temporary folder, which is removed afterwards.
 */
#ifndef SL_TEST_H
#define SL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "base/view.h"

/* A view in the initialiser of a static table (SL_LIT is no constant there). */
#define BYTES(s) {(s), sizeof(s) - 1}
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Fails with both texts when they are not the same bytes. */
#define assert_view(view, expected) \
    test_view((view), (expected), __FILE__, __LINE__)
/* Fails with the message when status is not SL_OK. */
#define assert_ok(call) test_ok((call), &error, #call, __FILE__, __LINE__)
/* Fails unless the call gives this status. */
#define assert_status(call, expected) \
    test_status((call), (expected), &error, #call, __FILE__, __LINE__)
/* Fails unless the error's message holds the words. */
#define assert_says(words) test_says(&error, (words), __FILE__, __LINE__)
/* Fails with what (a case's name) when the condition does not hold. */
#define assert_case(condition, what) \
    test_case((condition), #condition, (what), __FILE__, __LINE__)

void test_view(struct sl_view view, const char *expected, const char *file,
               int line);
void test_ok(enum sl_status status, const struct sl_error *error,
             const char *call, const char *file, int line);
void test_status(enum sl_status status, enum sl_status expected,
                 const struct sl_error *error, const char *call,
                 const char *file, int line);
void test_says(const struct sl_error *error, const char *words,
               const char *file, int line);
void test_case(bool holds, const char *condition, const char *what,
               const char *file, int line);

/* An arena for the test, released by test_arena_free(). */
extern struct sl_arena test_arena;
int test_arena_make(void **state);
int test_arena_free(void **state);

/* The same with a new temporary folder, whose path is in test_folder. */
extern char test_folder[64];
int test_folder_make(void **state);
int test_folder_free(void **state);

/* A test with an arena; with an arena and a folder. */
#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, test_arena_make, test_arena_free)
#define FOLDER_TEST(name) \
    cmocka_unit_test_setup_teardown(name, test_folder_make, test_folder_free)

/* FOLDER/name, in the arena. */
const char *test_path(const char *name);
/* Writes a file below the folder and makes its parents; gives its path. */
const char *test_write(const char *name, const char *text);
const char *test_write_bytes(const char *name, struct sl_view bytes);

/* The whole file, in the arena; fails the test when there is none. */
struct sl_view test_read(const char *path);

/* text repeated n times, in the arena. */
struct sl_view test_repeat(const char *text, size_t n);

/* A reproducible sequence of numbers, for tests on many inputs. */
uint64_t test_random(uint64_t *seed);

#endif
