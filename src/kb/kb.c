#include "kb/kb.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/limits.h"

void sl_kb_init(struct sl_kb *kb)
{
    *kb = (struct sl_kb){.root = ""};
    sl_arena_init(&kb->arena, SL_MAX_KB_ARENA);
    sl_map_init(&kb->ids, &kb->arena);
    sl_map_init(&kb->aliases, &kb->arena);
    sl_map_init(&kb->next, &kb->arena);
}

void sl_kb_release(struct sl_kb *kb)
{
    sl_arena_release(&kb->arena);
    *kb = (struct sl_kb){.root = ""};
}

enum sl_status sl_kb_problem(struct sl_kb *kb, size_t file, unsigned line,
                             const char *format, struct sl_error *error, ...)
{
    char message[512];
    va_list args;
    va_start(args, error);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    kb->problems = sl_arena_grow(&kb->arena, kb->problems,
                                 sizeof *kb->problems, kb->problem_count,
                                 &kb->problem_cap);
    struct sl_view copy = sl_arena_copy(&kb->arena, sl_view_of(message));
    if (!kb->problems || !copy.ptr)
        return sl_error_nomem(error);
    kb->problems[kb->problem_count++] =
        (struct sl_kb_problem){file, line, copy.ptr};
    return SL_OK;
}

/* Aliases name the id that their file had when it was read; see parse.c. */
const struct sl_section *sl_kb_find(const struct sl_kb *kb, struct sl_view id)
{
    const size_t *index = sl_map_get(&kb->ids, id);
    if (!index)
        index = sl_map_get(&kb->aliases, id);
    return index ? &kb->sections[*index] : NULL;
}

unsigned sl_kb_line(const struct sl_kb_file *file, const char *at)
{
    unsigned line = 1;
    for (const char *p = file->bytes.ptr; p < at; p++)
        line += *p == '\n';
    return line;
}
