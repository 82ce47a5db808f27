/* `skill`: a table of subcommands, each in a skill_NAME.c of its own. */
#include <string.h>

#include "cli/cli.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the subcommand's name */
} commands[] = {
    {"check", sl_cmd_skill_check},
    {"install", sl_cmd_skill_install},
    {"uninstall", sl_cmd_skill_uninstall},
};

int sl_cmd_skill(int argc, char **argv)
{
    if (argc < 2)
        return sl_cli_usage("skill takes a command, such as check; "
                            "`shmemlore skill --help` lists them");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return sl_cli_help("skill");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return sl_cli_usage("skill has no command '%.100s'; `shmemlore skill "
                        "--help` lists them",
                        argv[1]);
}
