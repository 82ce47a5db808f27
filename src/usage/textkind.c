/* Which reader a file without a grammar gets. */
#include <string.h>

#include "syntax/language.h"
#include "usage/index.h"
#include "usage/lines.h"

struct row {
    const char *text;
    enum sl_text_kind kind;
};

static const struct row endings[] = {
    {".cmake.in", SL_TEXT_CMAKE}, {".cmake", SL_TEXT_CMAKE},
    {"CMakeLists.txt", SL_TEXT_CMAKE},
    {".sh", SL_TEXT_SHELL},       {".bash", SL_TEXT_SHELL},
    {".zsh", SL_TEXT_SHELL},      {".ksh", SL_TEXT_SHELL},
    {".csh", SL_TEXT_SHELL},      {".fish", SL_TEXT_SHELL},
    {".slurm", SL_TEXT_SHELL},    {".sbatch", SL_TEXT_SHELL},
    {".lsf", SL_TEXT_SHELL},      {".pbs", SL_TEXT_SHELL},
    {".env", SL_TEXT_SHELL},      {".envrc", SL_TEXT_SHELL},
    {".bazelrc", SL_TEXT_SHELL},  {".service", SL_TEXT_SHELL},
    {".lua", SL_TEXT_SHELL},
    {".yml", SL_TEXT_YAML},       {".yaml", SL_TEXT_YAML},
    {".json", SL_TEXT_YAML},      {".jsonc", SL_TEXT_YAML},
    {".toml", SL_TEXT_TOML},      {".cfg", SL_TEXT_TOML},
    {".ini", SL_TEXT_TOML},       {".mk", SL_TEXT_MAKE},
    {".mak", SL_TEXT_MAKE},       {"meson.build", SL_TEXT_BUILD},
    {"meson_options.txt", SL_TEXT_BUILD},
    {".bzl", SL_TEXT_BUILD},      {".bazel", SL_TEXT_BUILD},
    {".cuf", SL_TEXT_CODE},       {".f90", SL_TEXT_CODE},
    {".f95", SL_TEXT_CODE},       {".f03", SL_TEXT_CODE},
    {".f08", SL_TEXT_CODE},       {".f", SL_TEXT_CODE},
    {".for", SL_TEXT_CODE},       {".pyx", SL_TEXT_CODE},
    {".pxd", SL_TEXT_CODE},       {".pxi", SL_TEXT_CODE},
    {".jinja", SL_TEXT_CODE},     {".td", SL_TEXT_CODE},
    {".mlir", SL_TEXT_CODE},      {".ll", SL_TEXT_CODE},
    {".ptx", SL_TEXT_CODE},       {".s", SL_TEXT_CODE},
    {".rs", SL_TEXT_CODE},        {".go", SL_TEXT_CODE},
    {".jl", SL_TEXT_CODE},        {".java", SL_TEXT_CODE},
    {".swift", SL_TEXT_CODE},     {".zig", SL_TEXT_CODE},
    {".cu.in", SL_TEXT_CODE},     {".h.in", SL_TEXT_CODE},
    {".hpp.in", SL_TEXT_CODE},    {".cpp.in", SL_TEXT_CODE},
    {".cuh.in", SL_TEXT_CODE},    {".c.in", SL_TEXT_CODE},
};

/* Whole names, and what they begin with up to a dot. */
static const struct row names[] = {
    {"Dockerfile", SL_TEXT_DOCKER},    {"Containerfile", SL_TEXT_DOCKER},
    {"Makefile", SL_TEXT_MAKE},        {"makefile", SL_TEXT_MAKE},
    {"GNUmakefile", SL_TEXT_MAKE},     {"BUILD", SL_TEXT_BUILD},
    {"WORKSPACE", SL_TEXT_BUILD},      {".env", SL_TEXT_SHELL},
    {".bashrc", SL_TEXT_SHELL},        {".bash_profile", SL_TEXT_SHELL},
    {".bash_aliases", SL_TEXT_SHELL},  {".profile", SL_TEXT_SHELL},
    {".zshrc", SL_TEXT_SHELL},         {".zshenv", SL_TEXT_SHELL},
};

static struct sl_view base_name(struct sl_view path)
{
    size_t at = path.len;
    while (at && path.ptr[at - 1] != '/')
        at--;
    return sl_view_sub(path, at, path.len);
}

/* Without regard to capitals. */
static bool ends_alike(struct sl_view name, const char *ending)
{
    size_t n = strlen(ending);
    if (name.len < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (sl_lower(name.ptr[name.len - n + i]) != sl_lower(ending[i]))
            return false;
    return true;
}

static bool by_name(struct sl_view name, enum sl_text_kind *kind_out)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i].text);
        if (sl_view_starts(name, names[i].text) &&
            (name.len == n || name.ptr[n] == '.' ||
             names[i].kind == SL_TEXT_DOCKER)) {
            *kind_out = names[i].kind;
            return true;
        }
    }
    if (!ends_alike(name, "dockerfile") && !ends_alike(name, "makefile"))
        return false;
    *kind_out = ends_alike(name, "makefile") ? SL_TEXT_MAKE : SL_TEXT_DOCKER;
    return true;
}

static bool by_ending(struct sl_view name, enum sl_text_kind *kind_out)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_alike(name, endings[i].text)) {
            *kind_out = endings[i].kind;
            return true;
        }
    return false;
}

/* run.sh.j2 is read as run.sh */
static struct sl_view without_template(struct sl_view name)
{
    static const char *const templates[] = {".j2", ".tmpl", ".tpl", ".in",
                                            ".template", ".example"};
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        if (ends_alike(name, templates[i]))
            return sl_view_sub(name, 0, name.len - strlen(templates[i]));
    return SL_LIT("");
}

enum sl_text_kind sl_text_kind_of(struct sl_view path, struct sl_view text)
{
    enum sl_text_kind kind;
    struct sl_view name = base_name(path);
    if (by_name(name, &kind) || by_ending(name, &kind))
        return kind;
    name = without_template(name);
    if (name.len && (by_name(name, &kind) || by_ending(name, &kind)))
        return kind;
    return sl_view_starts(text, "#!") || sl_view_starts(text, "#%Module")
               ? SL_TEXT_SHELL
               : SL_TEXT_DOC;
}

bool sl_usage_is_code(struct sl_view path)
{
    static const char *const data[] = {".json", ".jsonc"};
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        if (ends_alike(path, data[i]))
            return false;
    return sl_language_of(path) != SL_LANGUAGE_NONE ||
           ends_alike(path, ".ipynb") ||
           sl_text_kind_of(path, SL_LIT("")) != SL_TEXT_DOC;
}
