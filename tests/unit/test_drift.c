/*
 * drift: NVSHMEM 3.4.5 and 3.5.1 by their committed line manifests, without any
 * tree: how much is found, and lines that were decided by reading both sides
 * (tests/drift/decided.tsv). And random edits of made files.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "drift/drift.h"
#include "os/file.h"

#define FROM "131da55f643ac87c810ba0bc51d359258bf433a1"
#define TO "2d7d25f0816235e3c2b51779571ec032606ea0dd"

static struct sl_error error;
static struct sl_manifest then, now;
static struct sl_drift drift;

static void read_manifest(const char *name, struct sl_manifest *out)
{
    char path[512];
    struct sl_view bytes;
    (void)snprintf(path, sizeof path, SL_TEST_ROOT "/evidence/lines/%s", name);
    assert_ok(sl_file_read(&test_arena, path, SL_MAX_MANIFEST, &bytes, &error));
    assert_ok(sl_manifest_parse(&test_arena, bytes, out, &error));
}

/* False where evidence/ pins other commits by now. */
static bool read_releases(void)
{
    read_manifest("nvshmem.lines", &then);
    read_manifest("nvshmem-351.lines", &now);
    if (!sl_view_is(then.commit, FROM) || !sl_view_is(now.commit, TO))
        return false;
    assert_ok(sl_drift_make(&test_arena, &then, &now, &drift, &error));
    return true;
}

static void how_much_is_found(void **state)
{
    (void)state;
    if (!read_releases())
        return;
    size_t lines = 0, sure = 0;
    for (size_t f = 0; f < then.file_count; f++) {
        const struct sl_manifest_file *file = &then.files[f];
        if (!sl_view_starts(file->path, "src/"))
            continue;
        for (size_t i = file->first; i < file->first + file->count; i++) {
            lines++;
            sure += drift.state[i] == SL_LINE_SURE;
            if (drift.state[i] != SL_LINE_SURE)
                continue;
            assert_true(then.hashes[i] == now.hashes[drift.to[i]]);
            assert_int_equal(drift.from[drift.to[i]], i);
        }
    }
    assert_int_equal(lines, 74284);
    assert_true(sure > 70500);
}

#define COMMON "src/include/non_abi/device/common/nvshmemi_common_device.cuh"
#define IBGDA "src/modules/transport/ibgda/ibgda.cpp"
#define FABRIC "src/modules/transport/libfabric/libfabric.cpp"

static void what_was_read_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        unsigned first, last, to; /* to 0: not surely anywhere */
    } cases[] = {
        {COMMON, 404, 404, 492}, {COMMON, 446, 452, 534},
        {COMMON, 497, 503, 466}, {COMMON, 404, 407, 492},
        {IBGDA, 1554, 1554, 1981}, {IBGDA, 3203, 3204, 704},
        {IBGDA, 2747, 2747, 0}, {IBGDA, 1634, 1634, 0},
        {IBGDA, 2909, 2909, 0}, {FABRIC, 287, 287, 372},
        {FABRIC, 1548, 1548, 0},
    };
    if (!read_releases())
        return;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_drift_region region;
        const struct sl_manifest_file *file =
            sl_manifest_find(&then, sl_view_of(cases[i].path));
        assert_non_null(file);
        sl_drift_region(&drift, file, cases[i].first, cases[i].last, &region);
        if (cases[i].to)
            assert_int_equal(region.first, cases[i].to);
        assert_true((region.verdict == SL_DRIFT_MOVED) == (cases[i].to > 0));
    }
}

static unsigned next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/*
 * A file of lines each of which is its own number; some go and some come. What is
 * told must be that very line, and nearly all that stay must be told.
 */
static void random_edits(void **state)
{
    (void)state;
    enum { LINES = 400 };
    for (uint32_t round = 1; round <= 60; round++) {
        uint32_t seed = round;
        struct sl_arena arena;
        struct sl_manifest a = {.source = SL_LIT("x")}, b = a;
        struct sl_buf old, new;
        unsigned numbers[LINES * 2];
        size_t count = 0;
        sl_arena_init(&arena, 64u << 20);
        sl_buf_init(&old, 1u << 20);
        sl_buf_init(&new, 1u << 20);
        for (unsigned i = 0; i < LINES; i++)
            sl_buf_printf(&old, "line %u\n", i);
        for (unsigned i = 0; i < LINES; i++) {
            unsigned what = next_random(&seed) % 40;
            if (what == 0)
                continue; /* removed */
            if (what == 1) {
                sl_buf_printf(&new, "new %u\n", i);
                numbers[count++] = LINES;
            }
            sl_buf_printf(&new, "line %u\n", i);
            numbers[count++] = i;
        }
        assert_ok(sl_manifest_add(&arena, &a, SL_LIT("f"), sl_buf_view(&old),
                                  &error));
        assert_ok(sl_manifest_add(&arena, &b, SL_LIT("f"), sl_buf_view(&new),
                                  &error));
        assert_ok(sl_drift_make(&arena, &a, &b, &drift, &error));
        size_t sure = 0;
        for (size_t i = 0; i < LINES; i++) {
            if (drift.state[i] != SL_LINE_SURE)
                continue;
            assert_int_equal(numbers[drift.to[i]], i);
            sure++;
        }
        assert_true(sure * 100 >= LINES * 90);
        sl_buf_release(&old);
        sl_buf_release(&new);
        sl_arena_release(&arena);
    }
}

static void empty_sides(void **state)
{
    (void)state;
    struct sl_manifest none = {.source = SL_LIT("x")}, one = none, other = none;
    assert_ok(sl_manifest_add(&test_arena, &one, SL_LIT("a"),
                              SL_LIT("x\ny\nz\n"), &error));
    assert_ok(sl_manifest_add(&test_arena, &other, SL_LIT("a"), SL_LIT(""),
                              &error));
    struct sl_drift_region region;
    assert_ok(sl_drift_make(&test_arena, &one, &none, &drift, &error));
    sl_drift_region(&drift, &one.files[0], 1, 3, &region);
    assert_int_equal(region.verdict, SL_DRIFT_GONE);
    assert_ok(sl_drift_make(&test_arena, &one, &other, &drift, &error));
    sl_drift_region(&drift, &one.files[0], 2, 2, &region);
    assert_int_equal(region.verdict, SL_DRIFT_CHANGED);
    assert_ok(sl_drift_make(&test_arena, &none, &one, &drift, &error));
    assert_ok(sl_drift_make(&test_arena, &none, &none, &drift, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(how_much_is_found),
        TEST(what_was_read_by_hand),
        TEST(random_edits),
        TEST(empty_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
