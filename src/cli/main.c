#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "os/std.h"
#include "search/edit.h"

const struct sl_command sl_commands[] = {
    {"ask", "QUESTION...", "the sections that answer a question, with evidence",
     "  -n, --number N     at most N sections (3)\n"
     "  -b, --budget BYTES at most so many bytes of text (4096)\n"
     "      --kb DIR       answer from this folder, not from what is built in\n"
     "      --with-docs DIR\n"
     "                     also ask the Markdown below DIR, such as pages\n"
     "                     that `docs` brought: 3/8 of the bytes, apart\n"
     "      --json         one JSON object, schema shmemlore.ask/1\n"
     "      --             ends the options: what follows is the question\n"
     "\nExamples:\n"
     "  shmemlore ask why does nvshmem_barrier_all hang\n"
     "  shmemlore ask -n 1 -b 1500 'which put may leave NVLink?'\n"
     "  shmemlore ask --with-docs DIR/markdown nvshmem_quiet\n\n"
     "Exit status: 0 found, 1 nothing found, 2 error.\n",
     sl_cmd_ask},
    {"docs", "fetch|convert|check ...",
     "the vendor's pages on your own machine: fetch them, as Markdown",
     "  fetch              bring them here, politely; never to be given on\n"
     "      --release X    those of a release, such as 3.4.5\n"
     "  convert FILE|DIR   Sphinx HTML to Markdown\n"
     "      -o DIR         write page.md for each page.html below DIR\n"
     "  check HTML MD      compare a page with its Markdown\n"
     "  `shmemlore docs COMMAND --help` has the options\n"
     "\nExamples:\n"
     "  shmemlore docs fetch --release 3.4.5 --to pages\n"
     "  shmemlore docs convert pages/html -o pages/markdown\n\n"
     "Exit status: 0 done, 1 pages differ or are doubtful, 2 error.\n",
     sl_cmd_docs},
    {"env", "NAME|GLOB",
     "an environment variable: default, releases, who sets it",
     "  NAME in any case, NVSHMEM_ may be left out; a quoted glob lists names\n"
     "      --release X    answer for this release, such as 3.4.5\n"
     "      --from-nccl    NAME is one of NCCL's: what NVSHMEM has instead\n"
     "  -b, --budget BYTES at most so many bytes of text (4096)\n"
     "      --kb DIR       look in this folder, not in what is built in\n"
     "      --json         one JSON object, schema shmemlore.env/1\n"
     "\nExamples:\n"
     "  shmemlore env SYMMETRIC_SIZE\n"
     "  shmemlore env --release 3.4.5 'NVSHMEM_IB_*'\n"
     "  shmemlore env --from-nccl NCCL_SOCKET_IFNAME\n\n"
     "Exit status: 0 found, 1 nothing found, 2 error.\n",
     sl_cmd_env},
    {"show", "REF", "a section, a citation with its lines, a run or a name",
     "  REF is FILE#SECTION (or its beginning; FILE lists), a citation\n"
     "  SOURCE:PATH:LINE[-LINE] or its URL, run:NAME, OWNER/REPO#N, a symbol\n"
     "  or a variable, or a name that sections speak of\n"
     "      --kb DIR       look in this folder, not in what is built in\n"
     "      --json         one JSON object, schema shmemlore.show/1\n"
     "\nExamples:\n"
     "  shmemlore show 04-ordering-and-synchronisation\n"
     "  shmemlore show nvshmem:src/include/device/nvshmem_defines.h:586\n"
     "  shmemlore show nvshmem_quiet\n\n"
     "Exit status: 0 found, 1 nothing found, 2 error.\n",
     sl_cmd_show},
    {"index", "api|diff|env|tables|usage",
     "names and variables of every release, and who uses them",
     "  api                rebuild evidence/symbols.tsv from the headers\n"
     "  diff FROM TO       what changed between two releases\n"
     "  env                rebuild evidence/env.tsv\n"
     "  tables             rewrite the generated tables of the text\n"
     "  usage              rebuild evidence/usage.tsv\n"
     "  `shmemlore index COMMAND --help` has the options\n"
     "\nExample:\n"
     "  shmemlore index diff 3.4.5 3.8.0\n\n"
     "Exit status: 0 done, 1 a check found differences, 2 error.\n",
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
     "  `shmemlore overlap --help` says more\n"
     "\nExample:\n"
     "  shmemlore overlap README.md docs DIR/markdown\n\n"
     "Exit status: 0 nothing in common, 1 some run, 2 error.\n",
     sl_cmd_overlap},
    {"skill", "check|install|uninstall ...",
     "agent skills: put ours where an agent looks, check any",
     "  check DIR          the rules of the format, for anybody's skill\n"
     "      --strict       warnings count as errors\n"
     "      --json         one JSON object, schema shmemlore.skill-check/1\n"
     "  install            the skill that is built in, where an agent looks\n"
     "  uninstall          take it away again\n"
     "  `shmemlore skill COMMAND --help` has the options\n"
     "\nExample:\n"
     "  shmemlore skill check skills/nvshmem\n\n"
     "Exit status: 0 no error, 1 errors, 2 it could not be read or done.\n",
     sl_cmd_skill},
    {"sources", "list|sync|drift [ID...]",
     "the pinned public trees: have them here, and follow them",
     "  list               what is pinned, and whether its tree is here\n"
     "  sync [ID...]       bring the trees to the cache ($SHMEMLORE_CACHE)\n"
     "      --from DIR|URL from a mirror instead of upstream\n"
     "  drift ID [REV]     where the cited lines stand at another commit\n"
     "      --from DIR     a repository here that has it\n"
     "      --write        pin it and move what is same or moved\n"
     "  `shmemlore sources --help` has the other options\n"
     "\nExamples:\n"
     "  shmemlore sources sync nvshmem\n"
     "  shmemlore sources sync --from mirrors --all\n\n"
     "Exit status: 0 done, 1 drift has something to review, 2 error,\n"
     "130 interrupted.\n",
     sl_cmd_sources},
    {"symbol", "NAME|GLOB", "a name of the API: releases, lines, who uses it",
     "  NAME is a function, type, constant or macro, a family such as\n"
     "  nvshmem_TYPE_put_nbi, or a glob in quotes, which lists names\n"
     "      --release X    answer for this release, such as 3.4.5\n"
     "  -b, --budget BYTES at most so many bytes of text (4096)\n"
     "      --kb DIR       look in this folder, not in what is built in\n"
     "      --json         one JSON object, schema shmemlore.symbol/1\n"
     "\nExamples:\n"
     "  shmemlore symbol nvshmem_putmem_signal_nbi\n"
     "  shmemlore symbol --release 3.4.5 'nvshmemx_*_block'\n\n"
     "Exit status: 0 found, 1 nothing found, 2 error.\n",
     sl_cmd_symbol},
    {"upgrade", "FROM TO PATH...",
     "what a change of the release breaks or changes in your own code",
     "  FROM and TO are releases of NVSHMEM, such as 3.4.5 and 3.8.0; PATHs\n"
     "  are folders and files: C, C++, CUDA, Python, notebooks, shell, CMake,\n"
     "  make, YAML, TOML, containers. Files that are not read are named.\n"
     "      --kb DIR       look in this folder, not in what is built in\n"
     "      --json         one JSON object, schema shmemlore.upgrade/1\n"
     "\nExamples:\n"
     "  shmemlore upgrade 3.4.5 3.8.0 src CMakeLists.txt\n"
     "  shmemlore upgrade --json 3.4.5 3.8.0 . >findings.json\n\n"
     "Exit status: 0 nothing to look at, 1 findings, 2 error, or something\n"
     "that may hold code could not be read, named or inside of a folder\n"
     "(all else was).\n",
     sl_cmd_upgrade},
    {"verify", "", "check every link, id, citation and run of a checkout",
     "      --root DIR     the checkout (.)\n"
     "      --update       write anchors of new citations (trees required)\n"
     "      --accept CITATION  with --update: take its lines as they are now\n"
     "      --json         one JSON object, schema shmemlore.verify/1\n"
     "\nExamples:\n"
     "  shmemlore verify --root shmemlore\n"
     "  shmemlore verify --update\n\n"
     "Exit status: 0 no fault, 1 faults, 2 error.\n",
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

/* What may have been meant, then where all of them are listed. */
static int no_command(const char *name)
{
    char near[64] = "";
    size_t used = 0;
    for (const struct sl_command *c = sl_commands; c->name; c++) {
        struct sl_view known = sl_view_of(c->name), asked = sl_view_of(name);
        bool begins = asked.len && sl_view_starts(known, name);
        if (!begins && sl_edit_distance(asked, known, 2) > 2)
            continue;
        int n = snprintf(near + used, sizeof near - used, "%s%s",
                         used ? ", " : "; near it: ", c->name);
        used += n > 0 && (size_t)n < sizeof near - used ? (size_t)n : 0;
    }
    near[used] = '\0';
    return sl_cli_usage("there is no command '%.100s'%s; `shmemlore help` "
                        "lists them",
                        name, near);
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
    sl_buf_printf(&out, "usage: shmemlore %s [OPTION...]%s%s\n\n%s\n\n%s",
                  c->name, *c->arguments ? " " : "", c->arguments, c->summary,
                  c->options);
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
        if (argc > 2) {
            sl_buf_release(&out);
            return find(argv[2]) ? sl_cli_help(argv[2]) : no_command(argv[2]);
        }
        return sl_cli_print(&out, SL_EXIT_FOUND);
    }
    sl_buf_release(&out);
    const struct sl_command *command = find(name);
    if (!command)
        return no_command(name);
    opterr = 0; /* the commands say it, in our words */
    return command->run(argc - 1, argv + 1);
}
