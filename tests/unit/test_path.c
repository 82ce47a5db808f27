/* os: paths as they are written, without a look at the disk. */
#include "test.h"

#include "base/limits.h"
#include "os/file.h"

static void resolved_paths(void **state)
{
    (void)state;
    static const struct {
        const char *from, *path, *resolved; /* NULL: it leaves the root */
    } cases[] = {
        {"a.md", "b.md", "b.md"},
        {"d/a.md", "b.md", "d/b.md"},
        {"d/a.md", "./e//b.md", "d/e/b.md"},
        {"d/a.md", "../b.md", "b.md"},
        {"d/a.md", "..", ""},
        {"d/a.md", "e/", "d/e"},
        {"a.md", "", ""},
        {"d/a.md", "../../b.md", NULL},
        {"a.md", "/b.md", NULL},
        {"a.md", "b/../../c", NULL},
    };
    char resolved[SL_MAX_PATH + 1];
    for (size_t i = 0; i < COUNT(cases); i++) {
        bool stays = sl_path_resolve(sl_view_of(cases[i].from),
                                     sl_view_of(cases[i].path), resolved);
        assert_true(stays == (cases[i].resolved != NULL));
        if (stays)
            assert_string_equal(resolved, cases[i].resolved);
    }
    assert_false(sl_path_resolve(
        SL_LIT("a"), test_repeat("x", SL_MAX_PATH + 1), resolved));
    assert_false(
        sl_path_resolve(SL_LIT("a"), test_repeat("x", SL_MAX_PATH), resolved));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(resolved_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
