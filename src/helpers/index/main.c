/*
 * shmemlore-index: rebuilds the tables under evidence/ from headers and trees.
 * `shmemlore index COMMAND ...` runs it.
 */
#include <stdio.h>
#include <string.h>

#include "helpers/index/command.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} commands[] = {
    {"usage", sl_index_usage, "who uses which name where: evidence/usage.tsv"},
};

#define COUNT (sizeof commands / sizeof *commands)

static void put_help(FILE *out)
{
    fputs("Usage: shmemlore index COMMAND [OPTION]...\n\n", out);
    for (size_t i = 0; i < COUNT; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].what);
    fputs("\n`shmemlore index COMMAND --help` tells more.\n", out);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        put_help(stderr);
        return SL_INDEX_ERROR;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        put_help(stdout);
        return SL_INDEX_DONE;
    }
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "shmemlore index: no command '%.100s'; --help lists them\n",
            argv[1]);
    return SL_INDEX_ERROR;
}
