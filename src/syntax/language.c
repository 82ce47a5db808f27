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
    {".C", SL_LANGUAGE_CUDA},   {".H", SL_LANGUAGE_CUDA},
    {".py", SL_LANGUAGE_PYTHON}, {".pyi", SL_LANGUAGE_PYTHON},
};

enum sl_language sl_language_of(struct sl_view path)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (path.len > strlen(endings[i].ending) &&
            sl_view_ends(path, endings[i].ending))
            return endings[i].language;
    return SL_LANGUAGE_NONE;
}
