/* In place of the commands that need libclang, in a build without it. */
#include "helpers/index/command.h"

static int lacks(void)
{
    sl_index_say("this build has no libclang (tools/setup check brings it), "
                 "and api and env need it");
    return SL_EXIT_ERROR;
}

int sl_index_api(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return lacks();
}

int sl_index_env(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return lacks();
}
