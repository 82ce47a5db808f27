/* `skill install` and `skill uninstall`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/corpus.h"
#include "cli/cli.h"
#include "cli/image.h"
#include "os/file.h"
#include "skill/block.h"
#include "skill/guide.h"
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
    "      --agents-md[=FILE]\n"
    "                     an index of the skill, at most 8 KB, between two\n"
    "                     markers in the project's AGENTS.md, or in FILE; the\n"
    "                     rest of it stays, and the file as it was is kept as\n"
    "                     .AGENTS.md.backup-XXXXXX beside it\n"
    "      --dry-run      say what would be done, by file, and do nothing\n"
    "      --force        replace a folder that is not ours, or was changed;\n"
    "                     it is kept as .nvshmem.backup-XXXXXX beside it\n"
    "\n"
    "Examples:\n"
    "  shmemlore skill install\n"
    "  shmemlore skill install --client codex --project . --dry-run\n"
    "  shmemlore skill install --project . --agents-md=CLAUDE.md\n"
    "\n"
    "Exit status: 0 it is there, 2 refused: nothing was changed, or failed:\n"
    "what was done before is told.\n";

static const char uninstall_text[] =
    "usage: shmemlore skill uninstall [OPTION...]\n"
    "\n"
    "Removes what `shmemlore skill install` put there, and nothing else.\n"
    "\n"
    "      --client NAME  claude (the default), codex, cursor or agents\n"
    "      --project DIR  below DIR, not in the home folder\n"
    "      --agents-md[=FILE]\n"
    "                     take the index out of AGENTS.md, or of FILE; a file\n"
    "                     that held nothing else goes as a whole; as it was\n"
    "                     it is kept as .AGENTS.md.backup-XXXXXX beside it\n"
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

/* p/ is p, so that what is told has no empty part. */
static const char *without_slashes(char *path)
{
    for (size_t end = strlen(path); end > 1 && path[end - 1] == '/';)
        path[--end] = '\0';
    return path;
}

struct options {
    struct sl_skill_place skill;
    const char *agents_md; /* NULL: not asked for */
};

/* Whether path is folder, or lies below it. */
static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return !strncmp(path, folder, n) && (!path[n] || path[n] == '/');
}

/* A block in the skill itself would make it a changed one; nor is one of its folders a
 * file. */
static bool is_of_skill(const struct sl_skill_place *place, const char *file)
{
    char skill[128];
    (void)snprintf(skill, sizeof skill, "%s/%s", place->inside, place->name);
    return is_below(file, skill) || is_below(skill, file);
}

/* 0: go on; else 1 + the exit status. */
static int check_options(const char *command, struct options *options)
{
    struct sl_skill_place *place = &options->skill;
    if (options->agents_md && !place->base)
        return 1 + sl_cli_usage("%s --agents-md is for a project's file: say "
                                "which project with --project DIR",
                                command);
    if (options->agents_md && is_of_skill(place, options->agents_md))
        return 1 + sl_cli_usage("%s --agents-md: %.100s is in the skill's own "
                                "folder, or is one of those above it; name a "
                                "file of the project",
                                command, options->agents_md);
    if (!place->base)
        place->base = getenv("HOME");
    if (!place->base || !*place->base)
        return 1 + sl_cli_usage("there is no home folder (HOME): say where "
                                "with --project DIR");
    return 0;
}

static int read_options(int argc, char **argv, const char *command,
                        const char *text, struct options *options)
{
    static const struct option table[] = {
        {"client", required_argument, NULL, 'c'},
        {"project", required_argument, NULL, 'p'},
        {"agents-md", optional_argument, NULL, 'a'},
        {"dry-run", no_argument, NULL, 'n'},
        {"force", no_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct sl_skill_place *place = &options->skill;
    for (int c; (c = getopt_long(argc, argv, "hn", table, NULL)) != -1;) {
        if (c == 'c')
            place->inside = inside_of(optarg);
        else if (c == 'p')
            place->base = without_slashes(optarg);
        else if (c == 'a')
            options->agents_md = optarg ? optarg : "AGENTS.md";
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
    return check_options(command, options);
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

static void tell_skill(struct sl_buf *out, const struct sl_skill_place *place,
                       const struct sl_skill_done *done,
                       const struct sl_skill_part *parts, size_t count)
{
    static const char *const words[][2] = {
        {"up to date:", "up to date:"},       {"installed", "would install"},
        {"updated", "would update"},          {"replaced", "would replace"},
        {"removed", "would remove"},          {"not there:", "not there:"},
    };
    sl_buf_printf(out, "%s %s\n", words[done->did][place->dry], done->path);
    if (done->backup[0])
        sl_buf_printf(out, "%s as %s\n",
                      place->dry ? "would keep what is there"
                                 : "kept what was there",
                      done->backup);
    if (place->dry && done->did != SL_SKILL_SAME)
        for (size_t i = 0; i < count; i++)
            sl_buf_printf(out, "would write %s/%.*s\n", done->path,
                          SL_ARG(parts[i].path));
}

static void tell_block(struct sl_buf *out, bool dry,
                       const struct sl_skill_block_done *done)
{
    static const char *const words[][2] = {
        {"up to date: the index in", "up to date: the index in"},
        {"made", "would make"},
        {"added the index to", "would add the index to"},
        {"updated the index in", "would update the index in"},
        {"removed the index from", "would remove the index from"},
        {"no index in", "no index in"},
    };
    sl_buf_printf(out, "%s %s\n", words[done->did][dry], done->path);
    if (done->backup[0])
        sl_buf_printf(out, "%s the file as it was as %s\n",
                      dry ? "would keep" : "kept", done->backup);
    else if (dry && (done->did == SL_SKILL_BLOCK_ADDED ||
                     done->did == SL_SKILL_BLOCK_UPDATED ||
                     done->did == SL_SKILL_BLOCK_REMOVED)) {
        const char *name = strrchr(done->path, '/') + 1;
        sl_buf_printf(out,
                      "would keep the file as it was as %.*s.%s"
                      ".backup-XXXXXX\n",
                      (int)(name - done->path), done->path, name);
    }
}

/* block NULL: takes it out. Nothing where no file was named. */
static enum sl_status change_block(struct sl_arena *arena,
                                   const struct options *options, bool dry,
                                   const struct sl_buf *block,
                                   struct sl_skill_block_done *done,
                                   struct sl_error *error)
{
    struct sl_skill_block_place host = {options->skill.base,
                                        options->agents_md, dry};
    if (!options->agents_md)
        return SL_OK;
    return block ? sl_skill_block_put(arena, &host, sl_buf_view(block), done,
                                      error)
                 : sl_skill_block_take(arena, &host, done, error);
}

static enum sl_status put_guide(struct sl_arena *arena,
                                const struct sl_skill_place *place,
                                const struct sl_skill_part *parts, size_t count,
                                struct sl_buf *block, struct sl_error *error)
{
    const char *folder =
        sl_path_join(arena, place->inside, sl_view_of(place->name));
    return folder ? sl_skill_guide(arena, parts, count, folder, block, error)
                  : sl_error_nomem(error);
}

/*
 * The skill and then the block; that the block can be put or taken is known before
 * anything is changed. parts NULL: both are removed. On failure out has what was done.
 */
static enum sl_status change(struct sl_arena *arena,
                             const struct options *options,
                             const struct sl_skill_part *parts, size_t count,
                             struct sl_buf *out, bool *any_out,
                             struct sl_error *error)
{
    const struct sl_skill_place *place = &options->skill;
    struct sl_skill_done done = {.did = SL_SKILL_ABSENT};
    struct sl_skill_block_done block_done = {.did = SL_SKILL_BLOCK_ABSENT};
    struct sl_buf guide, *block = parts ? &guide : NULL;
    enum sl_status status = SL_OK;
    sl_buf_init(&guide, SL_MAX_OUTPUT);
    if (options->agents_md && parts)
        status = put_guide(arena, place, parts, count, &guide, error);
    if (!status)
        status = change_block(arena, options, true, block, &block_done, error);
    if (!status)
        status = parts ? sl_skill_install(arena, place, parts, count, &done,
                                          error)
                       : sl_skill_uninstall(arena, place, &done, error);
    if (!status) {
        tell_skill(out, place, &done, parts, count);
        status = change_block(arena, options, place->dry, block, &block_done,
                              error);
    }
    sl_buf_release(&guide);
    if (!status && options->agents_md)
        tell_block(out, place->dry, &block_done);
    *any_out = done.did != SL_SKILL_ABSENT ||
               block_done.did != SL_SKILL_BLOCK_ABSENT;
    return status;
}

static const struct options defaults = {
    .skill = {.inside = ".claude/skills", .name = "nvshmem"}};

static int finish(struct sl_buf *out, enum sl_status status, bool any,
                  struct sl_error *error)
{
    if (!status)
        return sl_cli_print(out, any ? SL_EXIT_FOUND : SL_EXIT_NOTHING);
    (void)sl_cli_print(out, SL_EXIT_ERROR); /* what was done before it failed */
    (void)sl_cli_fail(error);
    return SL_EXIT_ERROR;
}

int sl_cmd_skill_install(int argc, char **argv)
{
    struct options options = defaults;
    struct sl_error error = {SL_OK, ""};
    struct sl_corpus corpus;
    struct sl_skill_part *parts = NULL;
    struct sl_buf out;
    size_t count = 0;
    bool any = false;
    int stop =
        read_options(argc, argv, "skill install", install_text, &options);
    if (stop)
        return stop - 1;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    enum sl_status status = sl_corpus_open(&corpus, NULL, sl_image(), &error);
    if (!status) {
        status = parts_of(&corpus, &parts, &count, &error);
        if (!status)
            status = change(&corpus.arena, &options, parts, count, &out, &any,
                            &error);
        sl_corpus_close(&corpus);
    }
    return finish(&out, status, any, &error);
}

int sl_cmd_skill_uninstall(int argc, char **argv)
{
    struct options options = defaults;
    struct sl_error error = {SL_OK, ""};
    struct sl_arena arena;
    struct sl_buf out;
    bool any = false;
    int stop =
        read_options(argc, argv, "skill uninstall", uninstall_text, &options);
    if (stop)
        return stop - 1;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    sl_arena_init(&arena, SL_MAX_SKILL_ARENA);
    enum sl_status status =
        change(&arena, &options, NULL, 0, &out, &any, &error);
    sl_arena_release(&arena);
    return finish(&out, status, any, &error);
}
