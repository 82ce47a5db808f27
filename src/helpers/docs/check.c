#include "helpers/docs/command.h"
int sl_docs_check(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return SL_EXIT_ERROR;
}
