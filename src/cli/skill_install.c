/* `skill install` and `skill uninstall`. */
#include <stdlib.h>
#include <string.h>

#include "answer/corpus.h"
#include "cli/cli.h"
#include "cli/image.h"
#include "skill/install.h"

static const char install_text[] =
    "usage: shmemlore skill install [OPTION...]\n"
    "\n"
    "Puts the skill that is built in where an agent looks for it: in the home\n"
    "folder, or in a project. A second time says that it is up to date.\n"
    "\n"
    "      --client NAME  claude (the default): .claude/skills/nvshmem\n"
    "                     cursor: .cursor/skills/nvshmem\n"
    "                     codex, agents: .agents/skills/nvshmem\n"
    "      --project DIR  below DIR, not in the home folder\n"
    "      --dry-run      say what would be done, and do nothing\n"
    "      --force        replace a folder that is not ours, or was changed;\n"
    "                     it is kept as .nvshmem.backup-XXXXXX beside it\n"
    "\n"
    "Examples:\n"
    "  shmemlore skill install\n"
    "  shmemlore skill install --client codex --project . --dry-run\n"
    "\n"
    "Exit status: 0 it is there, 2 refused or failed: nothing was changed.\n";

static const char uninstall_text[] =
    "usage: shmemlore skill uninstall [OPTION...]\n"
    "\n"
    "Removes what `shmemlore skill install` put there, and nothing else.\n"
    "\n"
    "      --client NAME  claude (the default), codex, cursor or agents\n"
    "      --project DIR  below DIR, not in the home folder\n"
    "      --dry-run      say what would be done, and do nothing\n"
    "      --force        a folder that was changed too; it is kept as\n"
    "                     .nvshmem.backup-XXXXXX beside it\n"
    "\n"
    "Example:\n"
    "  shmemlore skill uninstall --project .\n"
    "\n"
    "Exit status: 0 removed, 1 it was not there, 2 refused or failed.\n";

static const struct {
    const char *client, *inside;
} clients[] = {
    {"claude", ".claude/skills"},
    {"codex", ".agents/skills"},
    {"cursor", ".cursor/skills"},
    {"agents", ".agents/skills"},
};

static const char *inside_of(const char *client)
{
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++)
        if (!strcmp(clients[i].client, client))
            return clients[i].inside;
    return NULL;
}

/* 0: go on; else 1 + the exit status. */
static int read_options(int argc, char **argv, const char *command,
                        const char *text, struct sl_skill_place *place)
{
    static const struct option table[] = {
        {"client", required_argument, NULL, 'c'},
        {"project", required_argument, NULL, 'p'},
        {"dry-run", no_argument, NULL, 'n'},
        {"force", no_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    for (int c; (c = getopt_long(argc, argv, "hn", table, NULL)) != -1;) {
        if (c == 'c')
            place->inside = inside_of(optarg);
        else if (c == 'p')
            place->base = optarg;
        else if (c == 'n')
            place->dry = true;
        else if (c == 'f')
            place->force = true;
        else
            return 1 + (c == 'h' ? sl_cli_text(text)
                                 : sl_cli_option(command, argv[optind - 1]));
        if (!place->inside)
            return 1 + sl_cli_usage("--client is one of claude, codex, cursor, "
                                    "agents; not '%.100s'",
                                    optarg);
    }
    if (optind < argc)
        return 1 + sl_cli_usage("%s takes no argument, but '%.100s'; a folder "
                                "is given by --project DIR",
                                command, argv[optind]);
    if (!place->base)
        place->base = getenv("HOME");
    if (!place->base || !*place->base)
        return 1 + sl_cli_usage("there is no home folder (HOME): say where "
                                "with --project DIR");
    return 0;
}

/* All files of the skill that is built in. */
static enum sl_status parts_of(struct sl_corpus *corpus,
                               struct sl_skill_part **parts_out,
                               size_t *count_out, struct sl_error *error)
{
    struct sl_view *paths;
    size_t all, count = 0;
    enum sl_status status =
        sl_index_files(corpus->index, &corpus->arena, &paths, &all, error);
    if (status)
        return status;
    struct sl_skill_part *parts =
        sl_arena_alloc(&corpus->arena, (all + 1) * sizeof *parts);
    if (!parts)
        return sl_error_nomem(error);
    for (size_t i = 0; i < all && !status; i++) {
        if (sl_view_starts(paths[i], "evidence/"))
            continue;
        parts[count].path = paths[i];
        status = sl_index_read(corpus->index, &corpus->arena, paths[i],
                               &parts[count++].bytes, error);
    }
    *parts_out = parts;
    *count_out = count;
    return status;
}

static int tell(const struct sl_skill_place *place,
                const struct sl_skill_done *done)
{
    static const char *const words[][2] = {
        {"up to date:", "up to date:"},       {"installed", "would install"},
        {"updated", "would update"},          {"replaced", "would replace"},
        {"removed", "would remove"},          {"not there:", "not there:"},
    };
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_PATH * 4);
    sl_buf_printf(&out, "%s %s\n", words[done->did][place->dry], done->path);
    if (done->backup[0])
        sl_buf_printf(&out, "kept what was there as %s\n", done->backup);
    return sl_cli_print(&out, done->did == SL_SKILL_ABSENT ? SL_EXIT_NOTHING
                                                           : SL_EXIT_FOUND);
}

int sl_cmd_skill_install(int argc, char **argv)
{
    struct sl_skill_place place = {.inside = clients[0].inside,
                                   .name = "nvshmem"};
    struct sl_error error = {SL_OK, ""};
    struct sl_corpus corpus;
    struct sl_skill_part *parts = NULL;
    struct sl_skill_done done;
    size_t count = 0;
    int stop = read_options(argc, argv, "skill install", install_text, &place);
    if (stop)
        return stop - 1;
    enum sl_status status = sl_corpus_open(&corpus, NULL, sl_image(), &error);
    if (!status) {
        status = parts_of(&corpus, &parts, &count, &error);
        if (!status)
            status = sl_skill_install(&corpus.arena, &place, parts, count,
                                      &done, &error);
        sl_corpus_close(&corpus);
    }
    if (!status)
        return tell(&place, &done);
    (void)sl_cli_fail(&error);
    return SL_EXIT_ERROR;
}

int sl_cmd_skill_uninstall(int argc, char **argv)
{
    struct sl_skill_place place = {.inside = clients[0].inside,
                                   .name = "nvshmem"};
    struct sl_error error = {SL_OK, ""};
    struct sl_skill_done done;
    struct sl_arena arena;
    int stop =
        read_options(argc, argv, "skill uninstall", uninstall_text, &place);
    if (stop)
        return stop - 1;
    sl_arena_init(&arena, SL_MAX_SKILL_ARENA);
    enum sl_status status =
        sl_skill_uninstall(&arena, &place, &done, &error);
    sl_arena_release(&arena);
    if (!status)
        return tell(&place, &done);
    (void)sl_cli_fail(&error);
    return SL_EXIT_ERROR;
}
