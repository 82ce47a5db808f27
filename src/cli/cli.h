/*
 * The command line: one table row and one cmd_NAME.c per command. No logic here:
 * a command reads its options, calls one function below and prints its struct.
 */
#ifndef SL_CLI_CLI_H
#define SL_CLI_CLI_H

#include <getopt.h>

#include "base/buf.h"
#include "base/status.h"
#include "base/view.h"

#ifndef SL_VERSION
#define SL_VERSION "unknown"
#endif

/* Exit status, as grep's. */
enum { SL_EXIT_FOUND = 0, SL_EXIT_NOTHING = 1, SL_EXIT_ERROR = 2 };

struct sl_command {
    const char *name;
    const char *arguments; /* for the usage line */
    const char *summary;   /* one line */
    const char *options;   /* help text, lines of "  --opt   what" */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
};

extern const struct sl_command sl_commands[]; /* ends with name NULL */

int sl_cmd_ask(int argc, char **argv);
int sl_cmd_docs(int argc, char **argv);
int sl_cmd_env(int argc, char **argv);
int sl_cmd_index(int argc, char **argv);
int sl_cmd_mcp(int argc, char **argv);
int sl_cmd_overlap(int argc, char **argv);
int sl_cmd_show(int argc, char **argv);
int sl_cmd_skill(int argc, char **argv);
int sl_cmd_sources(int argc, char **argv);
int sl_cmd_symbol(int argc, char **argv);
int sl_cmd_upgrade(int argc, char **argv);
int sl_cmd_verify(int argc, char **argv);

/* Rows of the table in cli/skill.c; argv[0] is the subcommand's name. */
int sl_cmd_skill_check(int argc, char **argv);
int sl_cmd_skill_install(int argc, char **argv);
int sl_cmd_skill_uninstall(int argc, char **argv);

/* "shmemlore: MESSAGE" on stderr; gives SL_EXIT_ERROR. */
int sl_cli_fail(const struct sl_error *error);
SL_PRINTF(1, 2) int sl_cli_usage(const char *format, ...);

/* For getopt's '?': the argument that was no option of the command. */
int sl_cli_option(const char *command, const char *argument);

/* The command's help on stdout; gives 0. */
int sl_cli_help(const char *command);

/* The same for a subcommand, which has its own text. */
int sl_cli_text(const char *text);

/*
 * Becomes the helper shmemlore-NAME; argv[0] is replaced. Comes back only when it is
 * not there: a line says so of the command ("index api"), and gives SL_EXIT_ERROR.
 */
int sl_cli_helper(const char *command, const char *name, char **argv);

/* What symbol and env have in common. */
struct sl_lookup {
    const char *folder;     /* --kb, or NULL */
    struct sl_view release; /* --release; ptr NULL: not given */
    size_t budget;
    bool json;
    bool from_nccl; /* env alone */
};

/* 0: go on with the arguments from optind; else 1 + the exit status. */
int sl_cli_lookup(const char *command, int argc, char **argv,
                  struct sl_lookup *lookup_out);

/*
 * Writes out to stdout and releases it; status is given back unless writing
 * fails. A closed pipe ends the program silently.
 */
int sl_cli_print(struct sl_buf *out, int status);

/* An option's number between min and max; false has told the user. */
bool sl_cli_number(const char *option, const char *text, unsigned long min,
                   unsigned long max, unsigned long *value_out);

#endif
