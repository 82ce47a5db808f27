/*
 * sl_users_parse, sl_pack_read and sl_generated_next: evidence/usage.tsv, the embedded
 * image's directory, and markers in the text. Every view that they give lies in the input.
 */
#include "answer/pack.h"
#include "api/users.h"
#include "fuzz.h"
#include "kb/generated.h"

static void check_inside(struct sl_view whole, struct sl_view part)
{
    FUZZ_CHECK(part.len == 0 || (part.ptr >= whole.ptr &&
                                 part.ptr + part.len <= whole.ptr + whole.len));
}

static void users(struct sl_arena *arena, struct sl_view bytes)
{
    struct sl_users all, some;
    if (sl_users_parse(arena, bytes, SL_LIT(""), &all, NULL))
        return;
    for (size_t i = 0; i < all.count; i++) {
        check_inside(bytes, all.items[i].name);
        check_inside(bytes, all.items[i].places);
    }
    if (!all.count)
        return;
    struct sl_view name = all.items[all.count - 1].name;
    FUZZ_CHECK(!sl_users_parse(arena, bytes, name, &some, NULL));
    FUZZ_CHECK(some.count >= 1 && some.count <= all.count);
}

static void pack(struct sl_arena *arena, struct sl_view bytes)
{
    struct sl_pack pack;
    if (sl_pack_read(arena, bytes, &pack, NULL))
        return;
    check_inside(bytes, pack.index);
    for (size_t i = 0; i < pack.count; i++) {
        check_inside(bytes, pack.files[i].bytes);
        FUZZ_CHECK(sl_pack_find(&pack, pack.files[i].path) != NULL);
    }
}

static void markers(struct sl_view text)
{
    struct sl_generated span;
    struct sl_buf out;
    sl_buf_init(&out, FUZZ_ARENA);
    size_t at = 0;
    for (; sl_generated_next(text, at, &span); at = span.after) {
        FUZZ_CHECK(at <= span.open && span.open < span.begin &&
                   span.begin <= span.end && span.end <= span.after &&
                   span.after <= text.len);
        check_inside(text, span.name);
    }
    sl_generated_strip(&out, text);
    FUZZ_CHECK(out.len + sl_generated_bytes(text) == text.len);
    sl_buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_view bytes = {(const char *)data, size};
    struct sl_arena arena;
    sl_arena_init(&arena, FUZZ_ARENA);
    users(&arena, bytes);
    pack(&arena, bytes);
    markers(bytes);
    sl_arena_release(&arena);
    return 0;
}
