/* The form of a run record, as docs/runs.md gives it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "verify/checks.h"
#include "verify/record.h"

#define RUN_SCHEMA "shmemlore.run/1"

struct record {
    struct sl_checks *checks;
    struct sl_view file; /* evidence/runs/NAME.json */
};

SL_PRINTF(2, 3)
static void wrong(const struct record *r, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    sl_report_fault(r->checks->report, r->file, 1, "run-record", "", "%s",
                    message);
}

static bool is_text(const struct sl_json *node)
{
    struct sl_view text;
    return sl_json_text(node, &text) && text.len > 0;
}

static bool is_any_text(const struct sl_json *node)
{
    struct sl_view text;
    return sl_json_text(node, &text);
}

static bool is_count(const struct sl_json *node)
{
    int64_t number;
    return sl_json_integer(node, &number) && number > 0;
}

static bool is_seconds(const struct sl_json *node)
{
    double number;
    return sl_json_real(node, &number) && number >= 0;
}

static bool is_flag(const struct sl_json *node)
{
    bool flag;
    return sl_json_bool(node, &flag);
}

static bool all_text(const struct sl_json *node, bool empty)
{
    if (!sl_json_is_array(node))
        return false;
    for (size_t i = 0; i < sl_json_count(node); i++)
        if (!(empty ? is_any_text : is_text)(sl_json_at(node, i)))
            return false;
    return true;
}

static bool is_texts(const struct sl_json *node)
{
    return all_text(node, true);
}

static bool is_names(const struct sl_json *node)
{
    return sl_json_count(node) > 0 && all_text(node, false);
}

static bool is_list(const struct sl_json *node)
{
    return sl_json_is_array(node) && sl_json_count(node) > 0;
}

static bool is_variables(const struct sl_json *node)
{
    void *cursor = NULL;
    struct sl_view key;
    const struct sl_json *value;
    while (sl_json_each(node, &cursor, &key, &value))
        if (!key.len || !is_any_text(value))
            return false;
    return sl_json_is_object(node);
}

/* `pattern`: 0 stands for a digit, everything else for itself. */
static bool fits(struct sl_view text, const char *pattern)
{
    if (text.len != strlen(pattern))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (pattern[i] == '0' ? !sl_is_digit(text.ptr[i])
                              : text.ptr[i] != pattern[i])
            return false;
    return true;
}

static bool is_date(const struct sl_json *node)
{
    struct sl_view text;
    uint64_t month, day;
    return sl_json_text(node, &text) && fits(text, "0000-00-00") &&
           sl_view_number(sl_view_sub(text, 5, 7), 12, &month) && month &&
           sl_view_number(sl_view_sub(text, 8, 10), 31, &day) && day;
}

static bool is_outcome(const struct sl_json *node)
{
    struct sl_view text;
    return sl_json_text(node, &text) &&
           (sl_view_is(text, "passed") || sl_view_is(text, "failed"));
}

static const struct {
    const char *key;
    bool (*is)(const struct sl_json *node);
    const char *what;
} members[] = {
    {"schema", is_text, "text"},
    {"name", is_text, "text"},
    {"program", is_text, "text"},
    {"sources", is_list, "a list of objects"},
    {"command", is_text, "text"},
    {"build", is_text, "text"},
    {"arguments", is_texts, "a list of texts"},
    {"pes", is_count, "a number from 1 on"},
    {"devices", is_names, "a list of names, at least one"},
    {"pes_per_device", is_count, "a number from 1 on"},
    {"driver", is_text, "text"},
    {"cuda", is_text, "text"},
    {"nvshmem", is_text, "text"},
    {"compute_capability", is_text, "text"},
    {"mps", is_flag, "true or false"},
    {"variables", is_variables, "an object of texts"},
    {"outcome", is_outcome, "'passed' or 'failed'"},
    {"cases", is_list, "a list of objects, at least one"},
    {"seconds", is_seconds, "a number from 0 on"},
    {"date", is_date, "a date YYYY-MM-DD"},
    {"notes", is_any_text, "text"},
};

static bool is_sha256(struct sl_view text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!sl_is_digit(text.ptr[i]) &&
            !(text.ptr[i] >= 'a' && text.ptr[i] <= 'f'))
            return false;
    return text.len == 64;
}

static void check_sources(const struct record *r, const struct sl_json *list)
{
    struct sl_view last = SL_LIT("");
    if (sl_json_count(list) > SL_MAX_RUN_SOURCES)
        wrong(r, "more than %u sources", SL_MAX_RUN_SOURCES);
    for (size_t i = 0; i < sl_json_count(list); i++) {
        const struct sl_json *source = sl_json_at(list, i);
        struct sl_view path = sl_json_member(source, "path");
        if (!path.len || !is_sha256(sl_json_member(source, "sha256")))
            wrong(r, "source %zu is no object of 'path' and 'sha256'", i + 1);
        else if (sl_view_cmp(last, path) >= 0)
            wrong(r, "source %zu: the paths are not sorted, each once", i + 1);
        else
            last = path;
    }
}

/* A case: its name, and numbers and texts. */
static bool is_case(const struct sl_json *node)
{
    void *cursor = NULL;
    struct sl_view key;
    const struct sl_json *value;
    int64_t number;
    while (sl_json_each(node, &cursor, &key, &value))
        if (!is_any_text(value) && !sl_json_integer(value, &number))
            return false;
    return is_text(sl_json_get(node, "name"));
}

static enum sl_status check_cases(const struct record *r,
                                  const struct sl_json *list,
                                  struct sl_error *error)
{
    struct sl_map names;
    sl_map_init(&names, &r->checks->arena);
    for (size_t i = 0; i < sl_json_count(list); i++) {
        const struct sl_json *node = sl_json_at(list, i);
        bool added;
        if (!is_case(node)) {
            wrong(r, "case %zu is no object of a 'name', numbers and texts",
                  i + 1);
            continue;
        }
        struct sl_view name = sl_json_member(node, "name");
        if (!sl_map_put(&names, name, i, &added))
            return sl_error_nomem(error);
        if (!added)
            wrong(r, "case %zu: '%.*s' stands here twice", i + 1,
                  SL_ARG(sl_view_sub(name, 0, 100)));
    }
    return SL_OK;
}

enum sl_status sl_record_check(struct sl_checks *checks, struct sl_view file,
                               const struct sl_json *root, bool *good_out,
                               struct sl_error *error)
{
    const struct record r = {checks, file};
    size_t before = checks->report->faults;
    *good_out = false;
    if (!sl_view_is(sl_json_member(root, "schema"), RUN_SCHEMA)) {
        wrong(&r, "not of the schema " RUN_SCHEMA);
        return SL_OK;
    }
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const struct sl_json *node = sl_json_get(root, members[i].key);
        if (!members[i].is(node))
            wrong(&r, "'%s' is not %s", members[i].key, members[i].what);
    }
    check_sources(&r, sl_json_get(root, "sources"));
    enum sl_status status = check_cases(&r, sl_json_get(root, "cases"), error);
    *good_out = checks->report->faults == before;
    return status;
}
