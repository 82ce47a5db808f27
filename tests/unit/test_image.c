/* search: the image that is built into the program, whole and damaged. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "kb/kb.h"
#include "search/index.h"

static struct sl_error error;
static struct sl_index *built;
static struct sl_buf image;

static const char made[] =
    "---\ntitle: T\naliases:\n  old: fences\n---\n# Notes\n\nintro\n\n"
    "## Fences\n\n`nvshmem_fence` orders puts of a PE.\n\n"
    "## Quiet\n\n`nvshmem_quiet` completes them; see `NVSHMEM_DEBUG`.\n";

static void build(struct sl_kb *kb)
{
    static const struct sl_index_file files[] = {
        {BYTES("evidence/sources.yaml"), BYTES("sources: {}\n")}};
    assert_ok(sl_index_build(kb, files, 1, &built, &error));
    sl_buf_init(&image, SL_MAX_IMAGE);
    assert_ok(sl_index_serialize(built, &image, &error));
}

static int make(void **state)
{
    struct sl_kb kb;
    sl_kb_init(&kb);
    assert_ok(sl_kb_add(&kb, SL_LIT("n.md"), SL_LIT(made), &error));
    build(&kb);
    sl_kb_release(&kb);
    return test_arena_make(state);
}

static int make_real(void **state)
{
    struct sl_kb kb;
    sl_kb_init(&kb);
    assert_ok(sl_kb_load(&kb, SL_TEST_ROOT "/skills/nvshmem", &error));
    build(&kb);
    sl_kb_release(&kb);
    return test_arena_make(state);
}

static int release(void **state)
{
    sl_buf_release(&image);
    sl_index_close(built);
    return test_arena_free(state);
}

#define MADE_TEST(name) cmocka_unit_test_setup_teardown(name, make, release)
#define REAL_TEST(name) \
    cmocka_unit_test_setup_teardown(name, make_real, release)

static void same_hits(struct sl_index *a, struct sl_index *b,
                      const char *question)
{
    struct sl_hits ours, theirs;
    enum sl_status one = sl_index_ask(a, &test_arena, sl_view_of(question), 10,
                                      &ours, &error);
    enum sl_status other = sl_index_ask(b, &test_arena, sl_view_of(question),
                                        10, &theirs, &error);
    assert_int_equal(one, other);
    if (one)
        return;
    assert_int_equal(ours.count, theirs.count);
    for (size_t i = 0; i < ours.count; i++) {
        assert_true(sl_view_eq(ours.items[i].id, theirs.items[i].id));
        assert_true(sl_view_eq(ours.items[i].own, theirs.items[i].own));
        assert_int_equal(ours.items[i].line, theirs.items[i].line);
        double gap = ours.items[i].score - theirs.items[i].score;
        assert_true(gap < 1e-9 && gap > -1e-9);
    }
}

static void an_image_answers_like_its_folder(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "Why does my program hang in `nvshmem_barrier_all`?",
        "fence or quiet",
        "put_nbi",
        "nvshmem_quite",
        "which environment variables should I set",
        "bake bread",
        "3.4.5",
    };
    struct sl_index *opened;
    assert_ok(sl_index_open(sl_buf_view(&image), &opened, &error));
    for (size_t i = 0; i < COUNT(questions); i++)
        same_hits(built, opened, questions[i]);
    sl_index_close(opened);
}

static void an_image_holds_everything(void **state)
{
    (void)state;
    struct sl_index *opened;
    struct sl_found found;
    struct sl_view bytes;
    assert_ok(sl_index_open(sl_buf_view(&image), &opened, &error));
    assert_ok(sl_index_section(opened, &test_arena, SL_LIT("n#old"), &found,
                               &error));
    assert_view(found.id, "n#fences");
    assert_ok(sl_index_read(opened, &test_arena,
                            SL_LIT("evidence/sources.yaml"), &bytes, &error));
    assert_view(bytes, "sources: {}\n");
    assert_ok(sl_index_read(opened, &test_arena, SL_LIT("n.md"), &bytes,
                            &error));
    assert_view(bytes, made);
    sl_index_close(opened);
}

static void two_images_are_one(void **state)
{
    (void)state;
    struct sl_kb kb;
    struct sl_index *again;
    struct sl_buf other;
    sl_kb_init(&kb);
    assert_ok(sl_kb_load(&kb, SL_TEST_ROOT "/skills/nvshmem", &error));
    static const struct sl_index_file files[] = {
        {BYTES("evidence/sources.yaml"), BYTES("sources: {}\n")}};
    assert_ok(sl_index_build(&kb, files, 1, &again, &error));
    sl_kb_release(&kb);
    sl_buf_init(&other, SL_MAX_IMAGE);
    assert_ok(sl_index_serialize(again, &other, &error));
    assert_true(sl_view_eq(sl_buf_view(&image), sl_buf_view(&other)));
    sl_buf_release(&other);
    sl_index_close(again);
}

static void opening_does_not_write(void **state)
{
    (void)state;
    struct sl_view copy = sl_arena_copy(&test_arena, sl_buf_view(&image));
    struct sl_index *opened;
    assert_ok(sl_index_open(copy, &opened, &error));
    same_hits(built, opened, "fence");
    sl_index_close(opened);
    assert_true(sl_view_eq(copy, sl_buf_view(&image)));
}

static void what_is_no_image(void **state)
{
    (void)state;
    struct sl_index *opened = NULL;
    struct sl_view whole = sl_buf_view(&image);
    const struct sl_view texts[] = {
        SL_LIT(""),
        SL_LIT("x"),
        SL_LIT("SQLite format 3"),
        test_repeat("x", 4096),
        test_repeat("\xff", 100000),
        sl_view_sub(whole, 0, 100),
        sl_view_sub(whole, 0, 4096),
        sl_view_sub(whole, 1, whole.len),
        sl_view_sub(whole, 4096, whole.len),
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        enum sl_status status = sl_index_open(texts[i], &opened, &error);
        assert_true(status == SL_ERR_INTERNAL || status == SL_ERR_SYNTAX);
        assert_true(error.message[0] != '\0');
        assert_null(opened);
    }
}

static void another_format_is_refused(void **state)
{
    (void)state;
    /* the version stands behind its key: `format` `1` */
    struct sl_view copy = sl_arena_copy(&test_arena, sl_buf_view(&image));
    size_t changed = 0;
    for (size_t at = 0; (at = sl_view_find(copy, SL_LIT("format"), at)) !=
                        SIZE_MAX;
         at += 6) {
        char *next = (char *)(uintptr_t)copy.ptr + at + 6;
        if (sl_is_digit(*next)) {
            *next = '9';
            changed++;
        }
    }
    assert_true(changed >= 1);
    struct sl_index *opened = NULL;
    assert_status(sl_index_open(copy, &opened, &error), SL_ERR_SYNTAX);
    assert_says("format 9");
}

/* Asks a damaged image for everything: an error or an answer, never a crash. */
static void use(struct sl_view bytes)
{
    struct sl_index *opened;
    if (sl_index_open(bytes, &opened, &error))
        return;
    struct sl_hits hits;
    struct sl_found found;
    struct sl_view text, ids[3];
    size_t count;
    (void)!sl_index_ask(opened, &test_arena, SL_LIT("nvshmem_fence orders"), 5,
                        &hits, &error);
    (void)!sl_index_ask(opened, &test_arena, SL_LIT("nvshmem_quite"), 5, &hits,
                        &error);
    (void)!sl_index_section(opened, &test_arena, SL_LIT("n#fences"), &found,
                            &error);
    (void)!sl_index_subtree(opened, &test_arena, SL_LIT("n#notes"), &text,
                            &error);
    (void)!sl_index_read(opened, &test_arena, SL_LIT("n.md"), &text, &error);
    (void)!sl_index_similar(opened, &test_arena, SL_LIT("n#fence"), 3, ids,
                            &count, &error);
    sl_index_close(opened);
}

static void damaged_images(void **state)
{
    (void)state;
    struct sl_view whole = sl_buf_view(&image);
    uint64_t seed = 5;
    for (unsigned n = 0; n < 600; n++) {
        struct sl_view copy = sl_arena_copy(&test_arena, whole);
        char *bytes = (char *)(uintptr_t)copy.ptr;
        for (size_t flips = 1 + test_random(&seed) % 8; flips > 0; flips--) {
            size_t at = test_random(&seed) % (n % 2 ? copy.len : 200);
            bytes[at] = (char)test_random(&seed);
        }
        if (n % 10 == 0)
            copy.len = test_random(&seed) % copy.len;
        use(copy);
        sl_arena_release(&test_arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REAL_TEST(an_image_answers_like_its_folder),
        MADE_TEST(an_image_holds_everything),
        REAL_TEST(two_images_are_one),
        MADE_TEST(opening_does_not_write),
        MADE_TEST(what_is_no_image),
        MADE_TEST(another_format_is_refused),
        MADE_TEST(damaged_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
