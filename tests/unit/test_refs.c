/* kb/refs: what a piece of prose refers to, and where. */
#include "test.h"

#include <string.h>

#include "kb/refs.h"

static struct sl_error error;

static const char *const names[] = {"citation", "run",  "name",   "variable",
                                    "code",     "link", "spec",   "thread",
                                    "url",      "number"};

/* "kind(text) kind(text)": what tests compare. */
static const char *scan(struct sl_view text)
{
    struct sl_refs refs = {0};
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 20);
    assert_ok(sl_refs_scan(&test_arena, text, &refs, &error));
    for (size_t i = 0; i < refs.count; i++)
        sl_buf_printf(&buf, "%s%s(%.*s)", i ? " " : "",
                      names[refs.items[i].kind], SL_ARG(refs.items[i].text));
    const char *copy = sl_arena_copy(&test_arena, sl_buf_view(&buf)).ptr;
    sl_buf_release(&buf);
    return copy;
}

static const struct {
    const char *text, *refs;
} cases[] = {
    {"no reference at all", ""},
    {"", ""},
    /* citations and what only looks like one */
    {"`nvshmem:src/a.h:12`", "citation(nvshmem:src/a.h:12)"},
    {"`deepep:csrc/kernels/runtime.cu:44-50`",
     "citation(deepep:csrc/kernels/runtime.cu:44-50)"},
    {"`a-1:x:0`", "citation(a-1:x:0)"},
    {"`a:b:c:7`", "citation(a:b:c:7)"},
    {"`a:b:9-1`", "citation(a:b:9-1)"},
    {"`A:b:1`", "code(A:b:1)"},
    {"`1a:b:1`", "code(1a:b:1)"},
    {"`a:b c:1`", "code(a:b c:1)"},
    {"`a::1`", "code(a::1)"},
    {"`a:b:`", "code(a:b:)"},
    {"`http://host:8080`", "code(http://host:8080)"},
    {"`a:b:1-`", "code(a:b:1-)"},
    {"`a:b:-1`", "code(a:b:-1)"},
    {"`a:b:1x`", "code(a:b:1x)"},
    {"`a:1`", "code(a:1)"},
    {"`:b:1`", "code(:b:1)"},
    /* runs */
    {"`run:stale-after`", "run(stale-after)"},
    {"`run:`", "code(run:)"},
    {"`run:a:1`", "citation(run:a:1)"},
    /* names and variables */
    {"`nvshmem_quiet`", "name(nvshmem_quiet)"},
    {"`nvshmem_quiet()`", "name(nvshmem_quiet)"},
    {"`std::vector`", "name(std::vector)"},
    {"`x`", "name(x)"},
    {"`_x9`", "name(_x9)"},
    {"`nvshmem_quiet(a)`", "code(nvshmem_quiet(a))"},
    {"`9x`", "code(9x)"},
    {"`a::`", "code(a::)"},
    {"`a:b`", "code(a:b)"},
    {"`-lnvshmem`", "code(-lnvshmem)"},
    {"`NVSHMEM_DEBUG`", "variable(NVSHMEM_DEBUG)"},
    {"`NVSHMEM_DEBUG=INFO`", "variable(NVSHMEM_DEBUG)"},
    {"`A_1=`", "variable(A_1)"},
    {"`NVSHMEM_DEBUG INFO`", "code(NVSHMEM_DEBUG INFO)"},
    {"`INFO`", "name(INFO)"},
    {"`Nvshmem_DEBUG`", "name(Nvshmem_DEBUG)"},
    {"`__syncthreads`", "name(__syncthreads)"},
    {"`a = b`", "code(a = b)"},
    /* marks of code spans */
    {"`` nvshmem_quiet ``", "name(nvshmem_quiet)"},
    {"`` a`b ``", "code(a`b)"},
    {"``` x ```", "name(x)"},
    {"` `", "code()"},
    {"`x`y`z`", "name(x) name(z)"},
    {"`open 1", "number(1)"},
    {"``open `x`", "name(x)"},
    {"`a `` b`", "code(a `` b)"},
    {"\\`x 1\\`", "number(1)"},
    {"\\``x`", "name(x)"},
    {"`a\\` 1", "code(a\\) number(1)"},
    {"`two\nlines`", "code(two\nlines)"},
    {"`nvshmem:src/a.h:12`,`run:x`", "citation(nvshmem:src/a.h:12) run(x)"},
    /* links */
    {"[text](target.md#x)", "link(target.md#x)"},
    {"[a](b)[c](d)", "link(b) link(d)"},
    {"[`x`](b)", "name(x) link(b)"},
    {"[a]()", "link()"},
    {"[a](b c)", ""},
    {"[a](b", ""},
    {"[a] (b)", ""},
    {"[12](a)", "number(12) link(a)"},
    {"`[a](b)`", "code([a](b))"},
    {"[a](b [c](d)", "link(d)"},
    {"](](](x)", "link(](](x)"},
    /* specifications, threads, addresses */
    {"OpenSHMEM 1.6, shmem_quiet", "spec(OpenSHMEM 1.6)"},
    {"OpenSHMEM 1.", "number(1)"},
    {"OpenSHMEM 2.0", "number(2) number(0)"},
    {"xOpenSHMEM 1.5", "spec(OpenSHMEM 1.5)"},
    {"NVIDIA/nvshmem#75", "thread(NVIDIA/nvshmem#75)"},
    {"see NVIDIA/nvshmem4py#75.", "thread(NVIDIA/nvshmem4py#75)"},
    {"a-b/c.d_e#1, x", "thread(a-b/c.d_e#1)"},
    {"`x` 1/2#3", "name(x) thread(1/2#3)"},
    {"nvshmem#75", "number(75)"},
    {"/nvshmem#75", "number(75)"},
    {"a/b#", ""},
    {"a/b#x", ""},
    {"https://host.org/a/b#75 x", "url(https://host.org/a/b#75)"},
    {"(http://host.org/1)", "url(http://host.org/1)"},
    {"<https://host.org/>", "url(https://host.org/)"},
    {"ftp://host/1", "number(1)"},
    {"h1", "number(1)"},
    /* numbers, and list markers, which are none */
    {"takes 20 s", "number(20)"},
    {"version 3.4.5", "number(3) number(4) number(5)"},
    {"0x1F is", "number(0x1F)"},
    {"1. first", ""},
    {"12) first of 3", "number(3)"},
    {"  7. x", ""},
    {"> 1. x", ""},
    {"> > 1. x", ""},
    {"1.5 is", "number(1) number(5)"},
    {"1.", ""},
    {"2024 x", "number(2024)"},
    {"- 2 of 3", "number(2) number(3)"},
    {"| 5 | `x` |", "number(5) name(x)"},
};

static void kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *got = scan(sl_view_of(cases[i].text));
        if (strcmp(got, cases[i].refs) != 0)
            print_error("%s\n", cases[i].text);
        assert_string_equal(got, cases[i].refs);
    }
}

static void appends_to_what_is_there(void **state)
{
    (void)state;
    struct sl_refs refs = {0};
    assert_ok(sl_refs_scan(&test_arena, SL_LIT("1 and 2"), &refs, &error));
    /* the thread begins at 0, before the numbers of the other text */
    assert_ok(sl_refs_scan(&test_arena, SL_LIT("4/2#1"), &refs, &error));
    assert_int_equal(refs.count, 3);
    assert_int_equal(refs.items[2].kind, SL_REF_THREAD);
}

static void evidence_kinds(void **state)
{
    (void)state;
    for (int kind = SL_REF_CITATION; kind <= SL_REF_NUMBER; kind++)
        assert_int_equal(sl_ref_is_evidence((enum sl_ref_kind)kind),
                         kind == SL_REF_CITATION || kind == SL_REF_RUN ||
                             kind == SL_REF_SPEC || kind == SL_REF_THREAD);
}

/* Whatever the bytes: references are in order, apart, and inside the text. */
static void random_bytes(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "`",  "``", "```", "\\", "](", ")",  "[",   "#",     "/",
        "1",  "a",  "_",   ":",  " ",  "\n", "a:b:", "run:", "OpenSHMEM 1.",
        "h",  "https://", "x/y#", "-", ".",  "\xff", "A_B=", "()",
    };
    uint64_t seed = 7;
    struct sl_buf buf;
    sl_buf_init(&buf, 1u << 16);
    for (unsigned n = 0; n < 20000; n++) {
        sl_buf_truncate(&buf, 0);
        for (size_t i = test_random(&seed) % 30; i-- > 0;)
            sl_buf_puts(&buf, pieces[test_random(&seed) % COUNT(pieces)]);
        struct sl_view text = sl_buf_view(&buf);
        struct sl_refs refs = {0};
        assert_ok(sl_refs_scan(&test_arena, text, &refs, &error));
        size_t end = 0;
        for (size_t i = 0; i < refs.count; i++) {
            const struct sl_ref *ref = &refs.items[i];
            assert_true(ref->begin >= end && ref->begin < ref->end);
            assert_true(ref->end <= text.len);
            assert_true(ref->text.ptr >= text.ptr + ref->begin &&
                        ref->text.ptr + ref->text.len <= text.ptr + ref->end);
            end = ref->end;
            uint32_t line = 0;
            for (size_t k = 0; k < ref->begin; k++)
                line += text.ptr[k] == '\n';
            assert_int_equal(ref->line, line);
        }
        if (n % 1000 == 0)
            sl_arena_release(&test_arena);
    }
    sl_buf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(kinds),
        TEST(appends_to_what_is_there),
        TEST(evidence_kinds),
        TEST(random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
