#include "syntax/language.h"

#include <string.h>

static const struct {
    const char *ending;
    enum sl_language language;
} endings[] = {
    {".cu", SL_LANGUAGE_CUDA},  {".cuh", SL_LANGUAGE_CUDA},
    {".cpp", SL_LANGUAGE_CUDA}, {".hpp", SL_LANGUAGE_CUDA},
    {".c", SL_LANGUAGE_CUDA},   {".h", SL_LANGUAGE_CUDA},
    {".cc", SL_LANGUAGE_CUDA},  {".hh", SL_LANGUAGE_CUDA},
    {".cxx", SL_LANGUAGE_CUDA}, {".hxx", SL_LANGUAGE_CUDA},
    {".inl", SL_LANGUAGE_CUDA}, {".inc", SL_LANGUAGE_CUDA},
    {".ipp", SL_LANGUAGE_CUDA}, {".tpp", SL_LANGUAGE_CUDA},
    {".c++", SL_LANGUAGE_CUDA}, {".h++", SL_LANGUAGE_CUDA},
    {".cp", SL_LANGUAGE_CUDA},  {".txx", SL_LANGUAGE_CUDA},
    {".ixx", SL_LANGUAGE_CUDA}, {".cppm", SL_LANGUAGE_CUDA},
    {".icc", SL_LANGUAGE_CUDA}, {".hip", SL_LANGUAGE_CUDA},
    {".pyw", SL_LANGUAGE_PYTHON}, {"/SConstruct", SL_LANGUAGE_PYTHON},
    {"/SConscript", SL_LANGUAGE_PYTHON},
    {".py", SL_LANGUAGE_PYTHON}, {".pyi", SL_LANGUAGE_PYTHON},
};

/* Without regard to capitals: .C, .CU */
static bool ends_alike(struct sl_view path, const char *ending)
{
    size_t n = strlen(ending);
    if (path.len <= n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (sl_lower(path.ptr[path.len - n + i]) != sl_lower(ending[i]))
            return false;
    return true;
}

enum sl_language sl_language_of(struct sl_view path)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_alike(path, endings[i].ending))
            return endings[i].language;
    return SL_LANGUAGE_NONE;
}
