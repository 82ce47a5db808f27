/* os/batch: several files that change together. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "os/batch.h"
#include "os/file.h"

static struct sl_error error;
static struct sl_view bytes;

/* What stands at path now, and how many files there are beside it. */
static void assert_file(const char *path, const char *expected)
{
    assert_ok(sl_file_read(&test_arena, path, 100, &bytes, &error));
    assert_view(bytes, expected);
}

static void batch_is_all_or_nothing(void **state)
{
    (void)state;
    struct sl_file_batch batch;
    const char *one = test_write("one", "1");
    const char *two = test_write("two", "2");
    struct sl_view none = {NULL, 0}, *names;
    size_t count;
    char *new = sl_path_join(&test_arena, test_folder, SL_LIT("new"));
    sl_file_batch_init(&batch, &test_arena);
    assert_ok(sl_file_batch_add(&batch, one, SL_LIT("1"), SL_LIT("1"), &error));
    assert_int_equal(batch.count, 0); /* nothing to do */
    assert_ok(sl_file_batch_add(&batch, one, SL_LIT("1"), SL_LIT("A"), &error));
    assert_ok(sl_file_batch_add(&batch, new, none, SL_LIT("N"), &error));
    assert_ok(sl_file_batch_add(&batch, two, SL_LIT("x"), SL_LIT("B"), &error));
    assert_status(sl_file_batch_commit(&batch, &error), SL_ERR_REFUSED);
    assert_says("changed in the meantime");
    assert_file(one, "1");
    assert_false(sl_path_exists(new));
    batch.items[2].old = SL_LIT("2");
    assert_ok(sl_file_batch_commit(&batch, &error));
    assert_file(one, "A");
    assert_file(new, "N");
    assert_file(two, "B");
    assert_ok(sl_folder_list(&test_arena, test_folder, NULL, 100, &names,
                             &count, &error));
    assert_int_equal(count, 3); /* no temporary file is left */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(batch_is_all_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
