#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "os/std.h"

const struct sl_command sl_commands[] = {
    {"ask", "QUESTION...", "the sections that answer a question, with evidence",
     "  -n, --number N     at most N sections (3)\n"
     "  -b, --budget BYTES at most so many bytes of text (4096)\n"
     "      --kb DIR       answer from this folder, not from what is built in\n"
     "      --with-docs DIR\n"
     "                     also ask the Markdown below DIR, such as pages\n"
     "                     that `docs` brought: 3/8 of the bytes, apart\n"
     "      --json         one JSON object, schema shmemlore.ask/1\n"
     "      --             ends the options: what follows is the question\n",
     sl_cmd_ask},
    {"docs", "fetch|convert|check ...",
     "the vendor's pages on your own machine: fetch them, as Markdown",
     "  fetch              bring them here, politely; never to be given on\n"
     "      --release X    those of a release, such as 3.4.5\n"
     "  convert FILE|DIR   Sphinx HTML to Markdown\n"
     "      -o DIR         write page.md for each page.html below DIR\n"
     "  check HTML MD      compare a page with its Markdown\n"
     "  `shmemlore docs COMMAND --help` has the options and examples\n",
     sl_cmd_docs},
    {"env", "NAME|GLOB",
     "an environment variable: default, releases, who sets it",
     "  NAME in any case, NVSHMEM_ may be left out; a quoted glob lists names\n"
     "      --release X    answer for this release, such as 3.4.5\n"
     "      --from-nccl    NAME is one of NCCL's: what NVSHMEM has instead\n"
     "  -b, --budget BYTES at most so many bytes of text (4096)\n"
     "      --kb DIR       look in this folder, not in what is built in\n"
     "      --json         one JSON object, schema shmemlore.env/1\n",
     sl_cmd_env},
    {"show", "REF", "a section, a citation with its lines, a run or a name",
     "  REF is FILE#SECTION (or its beginning; FILE lists), a citation\n"
     "  SOURCE:PATH:LINE[-LINE] or its URL, run:NAME, OWNER/REPO#N, a symbol\n"
     "  or a variable, or a name that sections speak of\n"
     "      --kb DIR       look in this folder, not in what is built in\n"
     "      --json         one JSON object, schema shmemlore.show/1\n",
     sl_cmd_show},
    {"index", "api|diff|env|tables|usage",
     "names and variables of every release, and who uses them",
     "  api                rebuild evidence/symbols.tsv from the headers\n"
     "  diff FROM TO       what changed between two releases\n"
     "  env                rebuild evidence/env.tsv\n"
     "  tables             rewrite the generated tables of the text\n"
     "  usage              rebuild evidence/usage.tsv\n"
     "  `shmemlore index COMMAND --help` has the options\n",
     sl_cmd_index},
    {"mcp", "", "serve agents over the Model Context Protocol (stdio)",
     "  An agent starts it and speaks JSON-RPC on standard input and output:\n"
     "      claude mcp add nvshmem -- shmemlore mcp\n"
     "  Revisions 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05.\n"
     "      --root DIR     tools may read files below DIR (repeatable; none)\n"
     "      --kb DIR       serve this folder, not what is built in\n",
     sl_cmd_mcp},
    {"overlap", "OURS... THEIRS",
     "runs of words that two corpora of prose have in common",
     "  -n, --words N      the shortest run that is told (10)\n"
     "      --publish FILE CORPUS...  hashes of a corpus, without its text\n"
     "      --against FILE OURS...    compare with such a file\n"
     "      --json         one JSON object, schema shmemlore.overlap/1\n"
     "  `shmemlore overlap --help` says more, with examples\n",
     sl_cmd_overlap},
    {"sources", "list|sync [ID...]",
     "the pinned public trees, and how to have them here",
     "  list               what is pinned, and whether its tree is here\n"
     "  sync [ID...]       bring the trees to the cache ($SHMEMLORE_CACHE)\n"
     "      --from DIR|URL from a mirror instead of upstream\n"
     "  `shmemlore sources sync --help` has the other options\n",
     sl_cmd_sources},
    {"symbol", "NAME|GLOB", "a name of the API: releases, lines, who uses it",
     "  NAME is a function, type, constant or macro, a family such as\n"
     "  nvshmem_TYPE_put_nbi, or a glob in quotes, which lists names\n"
     "      --release X    answer for this release, such as 3.4.5\n"
     "  -b, --budget BYTES at most so many bytes of text (4096)\n"
     "      --kb DIR       look in this folder, not in what is built in\n"
     "      --json         one JSON object, schema shmemlore.symbol/1\n",
     sl_cmd_symbol},
    {"upgrade", "FROM TO PATH...",
     "what a change of the release breaks or changes in your own code",
     "  FROM and TO are releases of NVSHMEM, such as 3.4.5 and 3.8.0; PATHs\n"
     "  are folders and files: C, C++, CUDA, Python, notebooks, shell, CMake,\n"
     "  make, YAML, TOML, containers. Files that are not read are named.\n"
     "      --kb DIR       look in this folder, not in what is built in\n"
     "      --json         one JSON object, schema shmemlore.upgrade/1\n"
     "  Exit status: 0 nothing to look at, 1 findings, 2 error, or something\n"
     "  that may hold code could not be read, named or inside of a folder\n"
     "  (all else was).\n",
     sl_cmd_upgrade},
    {"verify", "", "check every link, id, citation and run of a checkout",
     "      --root DIR     the checkout (.)\n"
     "      --update       write anchors of new citations (trees required)\n"
     "      --accept CITATION  with --update: take its lines as they are now\n"
     "      --json         one JSON object, schema shmemlore.verify/1\n",
     sl_cmd_verify},
    {NULL, NULL, NULL, NULL, NULL},
};

static const struct sl_command *find(const char *name)
{
    for (const struct sl_command *c = sl_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static void overview(struct sl_buf *out)
{
    sl_buf_init(out, 1u << 16);
    sl_buf_puts(out, "usage: shmemlore COMMAND [OPTION...] [ARGUMENT...]\n\n"
                     "NVSHMEM knowledge that can be checked: answers with "
                     "evidence, offline.\n\n");
    for (const struct sl_command *c = sl_commands; c->name; c++)
        sl_buf_printf(out, "  %-8s %s\n", c->name, c->summary);
    sl_buf_puts(out, "\n`shmemlore COMMAND --help` says more; `shmemlore "
                     "--version` gives the version.\n"
                     "Exit status: 0 found or clean, 1 nothing found or "
                     "faults, 2 error.\n");
}

int sl_cli_help(const char *command)
{
    const struct sl_command *c = find(command);
    struct sl_buf out;
    sl_buf_init(&out, 1u << 16);
    sl_buf_printf(&out, "usage: shmemlore %s [OPTION...] %s\n\n%s\n\n%s",
                  c->name, c->arguments, c->summary, c->options);
    return sl_cli_print(&out, SL_EXIT_FOUND);
}

int main(int argc, char **argv)
{
    /* a reader that goes away (head, a pager) is no error to report */
    (void)signal(SIGPIPE, SIG_DFL);
    if (!sl_std_open())
        return SL_EXIT_ERROR;
    struct sl_buf out;
    overview(&out);
    if (argc < 2) {
        fputs(out.ptr ? out.ptr : "", stderr);
        sl_buf_release(&out);
        return SL_EXIT_ERROR;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--version") || !strcmp(name, "version")) {
        sl_buf_truncate(&out, 0);
        sl_buf_puts(&out, "shmemlore " SL_VERSION "\n");
        return sl_cli_print(&out, SL_EXIT_FOUND);
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h") ||
        !strcmp(name, "help")) {
        if (argc > 2 && find(argv[2])) {
            sl_buf_release(&out);
            return sl_cli_help(argv[2]);
        }
        return sl_cli_print(&out, SL_EXIT_FOUND);
    }
    sl_buf_release(&out);
    const struct sl_command *command = find(name);
    if (!command)
        return sl_cli_usage("there is no command '%s'; `shmemlore help` lists "
                            "them",
                            name);
    opterr = 0; /* the commands say it, in our words */
    return command->run(argc - 1, argv + 1);
}
