/* api: the table of environment variables, its gates and near-misses; NCCL's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "api/nccl.h"
#include "base/limits.h"
#include "os/file.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define HEAD "shmemlore-env 1\n# releases 3.1.7 3.3.9 3.3.20 3.4.5 3.8.0\n"

static struct sl_error error;
static struct sl_arena arena;

static int make(void **state)
{
    (void)state;
    sl_arena_init(&arena, SL_MAX_KB_ARENA);
    return 0;
}

static int release(void **state)
{
    (void)state;
    sl_arena_release(&arena);
    return 0;
}

static void ok(enum sl_status status)
{
    if (status)
        print_error("%s\n", error.message);
    assert_int_equal(status, SL_OK);
}

static void assert_text(struct sl_view text, const char *expected)
{
    assert_int_equal(text.len, strlen(expected));
    assert_memory_equal(text.ptr, expected, text.len);
}

static const char small[] = HEAD
    "CUDA_HOME\tbuild\tpath\t/usr/local/cuda\t-\tcmake\tcmake\tconfigure\t-\t-"
    "\tsource\tnvshmem:a.cmake:1\t-\n"
    "NVSHMEM_DEBUG\tbuild\tbool\tOFF\t-\tcmake\tcmake\tconfigure\t-\t-\tsource"
    "\tnvshmem:a.cmake:2\t-\n"
    "NVSHMEM_DEBUG\trun\tstring\t\"\"\tOPENSHMEM\thost\thost\tinit\t<=3.1.7\t"
    "3.8.0\tsource\tnvshmem:a.h:3 nvshmem:b.h:4\t-\n"
    "NVSHMEM_IB_SL\trun\tint\t0\tTRANSPORT\ttransport:ibrc\ttransport:ibrc\t"
    "transport-load\t3.3.20\t3.4.5\tsource\tnvshmem:a.h:5\t-\n"
    "NVSHMEM_IB_TRAFFIC_CLASS\trun\tint\t0\tTRANSPORT\ttransport:ibrc\t-\t"
    "transport-load\t3.3.9\t3.8.0\tobserved\t-\ta note\n"
    "NVSHMEM_ODD\trun\tint\t0\tOTHER\thost\thost\tinit\t-\t-\tsource\t"
    "nvshmem:a.h:6\tcompiled out\n";

static struct sl_env_table table_of(const char *text)
{
    struct sl_env_table table;
    ok(sl_env_parse(&arena, sl_view_of(text), &table, &error));
    return table;
}

static void reads_and_writes(void **state)
{
    (void)state;
    struct sl_env_table table = table_of(small);
    assert_int_equal(table.count, 6);
    assert_int_equal(table.release_count, 5);
    const struct sl_env *row = &table.items[2];
    assert_text(row->name, "NVSHMEM_DEBUG");
    assert_int_equal(row->kind, SL_ENV_RUN);
    assert_text(row->fallback, "\"\"");
    assert_text(row->first, "<=3.1.7");
    assert_text(row->sources, "nvshmem:a.h:3 nvshmem:b.h:4");
    assert_text(row->note, "");
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_ENV_TABLE);
    sl_env_write(&out, &table);
    ok(sl_buf_check(&out, &error));
    assert_text(sl_buf_view(&out), small);
    sl_buf_release(&out);
}

#define ROW(name, kind, first, last, evidence)                       \
    name "\t" kind "\tint\t0\tC\thost\thost\tinit\t" first "\t" last \
         "\t" evidence "\t-\t-\n"

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "line 1"},
        {"shmemlore-env 2\n", "line 1"},
        {"shmemlore-env 1\n", "line 2"},
        {"shmemlore-env 1\nreleases 3.4.5\n", "line 2"},
        {"shmemlore-env 1\n# releases \n", "line 2"},
        {"shmemlore-env 1\n# releases 3.x\n", "line 2"},
        {"shmemlore-env 1\n# releases 3.3.20 3.3.9\n", "not sorted"},
        {"shmemlore-env 1\n# releases 3.4.5 3.4.5\n", "not sorted"},
        {HEAD "A\trun\n", "thirteen"},
        {HEAD "A\trun\t\t0\tC\thost\thost\tinit\t-\t-\tsource\t-\t-\n",
         "an empty field"},
        {HEAD "A\trun\tint\t0\tC\thost\thost\tinit\t-\t-\tsource\t-\t-\tx\n",
         "thirteen"},
        {HEAD ROW("A B", "run", "-", "-", "source"), "not a name"},
        {HEAD ROW("A", "fun", "-", "-", "source"), "the kind"},
        {HEAD ROW("A", "run", "3.x", "3.4.5", "source"), "first and last"},
        {HEAD ROW("A", "run", "3.4.5", "-", "source"), "first and last"},
        {HEAD ROW("A", "run", "-", "-", "rumour"), "the evidence"},
        {HEAD "A\trun\tint\t0\tC\th@3.4.5\t-\tinit\t-\t-\tsource\t-\t-\n",
         "a reader"},
        {HEAD "A\trun\tint\t0\tC\t,h\t-\tinit\t-\t-\tsource\t-\t-\n",
         "a reader"},
        {HEAD ROW("B", "run", "-", "-", "source")
             ROW("A", "run", "-", "-", "source"),
         "line 4"},
        {HEAD ROW("A", "run", "-", "-", "source")
             ROW("A", "run", "-", "-", "source"),
         "not sorted"},
        {HEAD ROW("A", "run", "-", "-", "source")
             ROW("A", "build", "-", "-", "source"),
         "not sorted"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_env_table table;
        assert_int_equal(
            sl_env_parse(&arena, sl_view_of(cases[i].text), &table, &error),
            SL_ERR_SYNTAX);
        if (!strstr(error.message, cases[i].words))
            fail_msg("case %zu: %s", i, error.message);
    }
}

static void readers(void **state)
{
    (void)state;
    struct sl_view rest =
        SL_LIT("host,transport:new@3.3.9-3.4.5,p~3.8.0-3.8.0");
    struct sl_env_reader reader;
    assert_true(sl_env_next_reader(&rest, &reader));
    assert_text(reader.name, "host");
    assert_true(sl_env_reads_in(&reader, SL_LIT("3.1.7")));
    assert_true(sl_env_next_reader(&rest, &reader));
    assert_text(reader.name, "transport:new");
    assert_text(reader.last, "3.4.5");
    assert_true(reader.is_observed);
    assert_true(sl_env_reads_in(&reader, SL_LIT("3.3.20")));
    assert_false(sl_env_reads_in(&reader, SL_LIT("3.1.7")));
    assert_false(sl_env_reads_in(&reader, SL_LIT("3.8.0")));
    assert_true(sl_env_next_reader(&rest, &reader));
    assert_false(reader.is_observed);
    assert_false(sl_env_next_reader(&rest, &reader));
}

static void finds(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        size_t count;
    } cases[] = {
        {"NVSHMEM_DEBUG", 2}, {"nvshmem_debug", 2},
        {"DEBUG", 2},         {"IB_SL", 1},
        {"CUDA_HOME", 1},     {"*", 6},
        {"NVSHMEM_IB_*", 2},  {"IB_*", 2},
        {"nvshmem_ib_??", 1}, {"*_[DO]*", 3},
        {"NOTHING", 0},       {"", 0},
        {"NVSHMEM_IB", 0},    {"[", 0},
    };
    struct sl_env_table table = table_of(small);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_env_hits hits;
        ok(sl_env_find(&arena, &table, sl_view_of(cases[i].pattern), &hits,
                       &error));
        if (hits.count != cases[i].count)
            fail_msg("%s: %zu", cases[i].pattern, hits.count);
    }
    char long_name[SL_MAX_TOKEN + 2];
    memset(long_name, 'A', sizeof long_name);
    struct sl_env_hits hits;
    assert_int_equal(sl_env_find(&arena, &table,
                                 (struct sl_view){long_name, SL_MAX_TOKEN + 1},
                                 &hits, &error),
                     SL_ERR_LIMIT);
}

static void near(void **state)
{
    (void)state;
    static const struct {
        const char *name, *first;
    } cases[] = {
        {"NVSHMEM_DEBGU", "NVSHMEM_DEBUG"},
        {"debugg", "NVSHMEM_DEBUG"},
        {"NVSHMEM_IB_TRAFIC_CLASS", "NVSHMEM_IB_TRAFFIC_CLASS"},
        {"TRAFFIC_CLASS", "NVSHMEM_IB_TRAFFIC_CLASS"},
        {"NVSHMEM_COLOUR", NULL},
        {"X", NULL},
    };
    struct sl_env_table table = table_of(small);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_env_hits hits;
        ok(sl_env_near(&arena, &table, sl_view_of(cases[i].name), 3, &hits,
                       &error));
        if (!cases[i].first) {
            assert_int_equal(hits.count, 0);
            continue;
        }
        assert_true(hits.count > 0 && hits.count <= 3);
        assert_text(table.items[hits.places[0]].name, cases[i].first);
        assert_int_equal(table.items[hits.places[0]].kind, SL_ENV_RUN);
    }
}

static void gates(void **state)
{
    (void)state;
    struct sl_env_table table = table_of(small);
    static const struct {
        size_t row;
        const char *release;
        enum sl_env_gate gate;
    } cases[] = {
        {2, "3.1.7", SL_ENV_HERE},         {2, "3.8.0", SL_ENV_HERE},
        {3, "3.1.7", SL_ENV_BEFORE_FIRST}, {3, "3.3.9", SL_ENV_BEFORE_FIRST},
        {3, "3.3.20", SL_ENV_HERE},        {3, "3.4.5", SL_ENV_HERE},
        {3, "3.8.0", SL_ENV_AFTER_LAST},   {5, "3.4.5", SL_ENV_NOWHERE},
        {2, "2.11.0", SL_ENV_NOT_READ},    {2, "3.5.0", SL_ENV_NOT_READ},
        {0, "3.4.5", SL_ENV_NOT_READ},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        if (sl_env_gate(&table, &table.items[cases[i].row],
                        sl_view_of(cases[i].release)) != cases[i].gate)
            fail_msg("row %zu in %s", cases[i].row, cases[i].release);
}

static void orders_releases(void **state)
{
    (void)state;
    static const char *const order[] = {"2.11.0", "3.1",    "3.1.7", "3.3.9",
                                        "3.3.20", "3.10.1", "x"};
    for (size_t i = 0; i < COUNT(order); i++)
        for (size_t k = 0; k < COUNT(order); k++) {
            int c = sl_env_release_cmp(sl_view_of(order[i]),
                                       sl_view_of(order[k]));
            assert_int_equal((c > 0) - (c < 0), (i > k) - (i < k));
        }
}

/* --- NCCL ------------------------------------------------------------------ */

static void nccl_rows(void **state)
{
    (void)state;
    struct sl_env_table table = table_of(small);
    static const struct {
        const char *row, *words; /* NULL: it holds */
    } cases[] = {
        {"NCCL_DEBUG\tNVSHMEM_DEBUG\tSame.\tnvshmem:a.h:3\n", NULL},
        {"NCCL_X\tnone\tNothing.\tabsent:CHUNK,TCPX\n", NULL},
        {"NCCL_X\tnone\tNothing.\tabsent:TRAFFIC\n", "called absent"},
        {"NCCL_X\tnone\tNothing.\tabsent:ODD\n", NULL}, /* in no library */
        {"NCCL_X\tNVSHMEM_NO\tSame.\tnvshmem:a.h:3\n", "no run-time variable"},
        {"NCCL_X\tCUDA_HOME\tSame.\tnvshmem:a.h:3\n", "no run-time variable"},
        {"NCCL_X\tnone\tLater.\tobserved:NVSHMEM_NO\n", "no run-time variable"},
        {"NCCL_X\tnone\tNothing.\trumour\n", "no evidence"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[300];
        snprintf(text, sizeof text, "shmemlore-nccl 1\n%s", cases[i].row);
        struct sl_nccl_map map;
        ok(sl_nccl_parse(&arena, sl_view_of(text), &map, &error));
        assert_int_equal(map.count, 1);
        enum sl_status status = sl_nccl_check(&map.items[0], &table,
                                              SL_LIT("3.4.5"), &error);
        assert_int_equal(status, cases[i].words ? SL_ERR_SYNTAX : SL_OK);
        if (cases[i].words && !strstr(error.message, cases[i].words))
            fail_msg("%s", error.message);
    }
}

static void nccl_refuses(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "shmemlore-nccl 2\n",
        "shmemlore-nccl 1\nNCCL_A\tnone\tNothing.\n",
        "shmemlore-nccl 1\nNCCL_A\tnone\tNothing.\te\tf\n",
        "shmemlore-nccl 1\nNVSHMEM_A\tnone\tNothing.\te\n",
        "shmemlore-nccl 1\nNCCL_B\tnone\tN.\te\nNCCL_A\tnone\tN.\te\n",
        "shmemlore-nccl 1\nNCCL_A\tnone\t"
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21\te\n",
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sl_nccl_map map;
        assert_int_not_equal(
            sl_nccl_parse(&arena, sl_view_of(cases[i]), &map, &error), SL_OK);
    }
}

/* --- the committed tables --------------------------------------------------- */

static struct sl_view evidence(const char *name)
{
    struct sl_view bytes;
    const char *path = sl_path_join(&arena, SL_TEST_ROOT "/evidence",
                                    sl_view_of(name));
    ok(sl_file_read(&arena, path, SL_MAX_ENV_TABLE, &bytes, &error));
    return bytes;
}

static const struct sl_env *run_row(const struct sl_env_table *table,
                                    const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->items[i].kind == SL_ENV_RUN &&
            sl_view_is(table->items[i].name, name))
            return &table->items[i];
    fail_msg("no row %s", name);
    return NULL;
}

/* Rows that the tables' macros make in ways a text search would miss. */
static void committed_env(void **state)
{
    (void)state;
    struct sl_env_table table;
    ok(sl_env_parse(&arena, evidence("env.tsv"), &table, &error));
    static const struct {
        const char *name, *type, *fallback, *used;
    } cases[] = {
        {"NVSHMEM_SYMMETRIC_SIZE", "size", "1073741824", "host"},
        {"NVSHMEM_G_BUF_SIZE", "int", "8388608", "host"},
        {"NVSHMEM_BOOTSTRAP_MPI_PLUGIN", "string", "nvshmem_bootstrap_mpi.so.3",
         "host"},
        {"NVSHMEM_BOOTSTRAP_PMI", "string", "PMI", "host"},
        {"NVSHMEM_DISABLE_CUDA_VMM", "bool", "false", "host"},
        {"NVSHMEM_MAX_TEAMS", "long", "32", "host"},
        {"NVSHMEM_IB_GID_INDEX", "int", "-1",
         "transport:ibdevx,transport:ibgda,transport:ibrc"},
        {"NVSHMEM_HCA_PREFIX", "string", "mlx5",
         "transport:ibdevx,transport:ibgda"},
        {"NVSHMEM_BARRIER_DISSEM_KVAL", "int", "2", ""},
        {"NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "string", "\"\"",
         "bootstrap:uid"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct sl_env *row = run_row(&table, cases[i].name);
        assert_text(row->type, cases[i].type);
        assert_text(row->fallback, cases[i].fallback);
        assert_text(row->used, cases[i].used);
    }
    const struct sl_view now = SL_LIT("3.4.5");
    assert_int_equal(
        sl_env_gate(&table, run_row(&table, "NVSHMEM_IB_TIMEOUT"), now),
        SL_ENV_BEFORE_FIRST);
    assert_int_equal(
        sl_env_gate(&table, run_row(&table, "NVSHMEM_MAX_P2P_GPUS"), now),
        SL_ENV_AFTER_LAST);
    assert_int_equal(
        sl_env_gate(&table, run_row(&table, "NVSHMEM_CUDA_LIMIT_STACK_SIZE"),
                    now),
        SL_ENV_NOWHERE);
}

static void committed_nccl(void **state)
{
    (void)state;
    struct sl_env_table table;
    struct sl_nccl_map map;
    ok(sl_env_parse(&arena, evidence("env.tsv"), &table, &error));
    ok(sl_nccl_parse(&arena, evidence("nccl-map.tsv"), &map, &error));
    for (size_t i = 0; i < map.count; i++)
        ok(sl_nccl_check(&map.items[i], &table, SL_LIT("3.4.5"), &error));
    const struct sl_nccl *row = sl_nccl_find(&map, SL_LIT("nccl_ib_tc"));
    assert_non_null(row);
    assert_text(row->counterparts, "NVSHMEM_IB_TRAFFIC_CLASS");
    row = sl_nccl_find(&map, SL_LIT("NCCL_TOPO_FILE"));
    assert_non_null(row);
    assert_int_equal(row->counterparts.len, 0);
    assert_null(sl_nccl_find(&map, SL_LIT("NCCL_NO_SUCH")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, release)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_and_writes),
        TEST(refuses),
        TEST(readers), TEST(finds),
        TEST(near),
        TEST(gates),
        TEST(orders_releases),
        TEST(nccl_rows),
        TEST(nccl_refuses),
        TEST(committed_env),
        TEST(committed_nccl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
