/*
 * A commit's tree, entry by entry, with an explicit stack of open trees. Names
 * and sizes are checked here, so that no visitor sees one that could reach
 * outside or fill the memory.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "git/internal.h"

struct level {
    git_tree *tree;
    size_t next;     /* entry to be looked at */
    size_t path_len; /* of the folder's path, with its slash */
};

struct walk {
    struct sl_git *git;
    git_odb *odb;
    const struct sl_git_visitor *visitor;
    struct level levels[SL_MAX_TREE_DEPTH];
    size_t depth;
    size_t entries; /* of any kind: the bound on the work */
    uint64_t bytes;
    char path[SL_MAX_PATH + 1];
};

/* A file name of a foreign tree must be a name and nothing else. */
static const char *bad_name(const char *name)
{
    if (!*name)
        return "it is empty";
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return "it would leave its folder";
    if (strcasecmp(name, ".git") == 0)
        return "it is git's own folder";
    for (const char *c = name; *c; c++) {
        if (*c == '/' || *c == '\\')
            return "it has a path separator";
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return "it has control characters";
    }
    return NULL;
}

static enum sl_status damaged(const struct walk *walk, const git_oid *id,
                              int code, struct sl_error *error)
{
    char hex[GIT_OID_HEXSZ + 1];
    git_oid_tostr(hex, sizeof hex, id);
    if (code == GIT_ENOTFOUND)
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "%.120s has the commit but not object %s of '%.80s'"
                            " (a partial clone?); use a full mirror",
                            walk->git->name, hex, walk->path);
    return sl_error_set(error, SL_ERR_IO,
                        "object %s of '%.80s' in %.120s is damaged: %.100s; "
                        "see git fsck there",
                        hex, walk->path, walk->git->name, sl_git_reason());
}

/* The size is asked before the bytes are: a small pack can hold a huge blob. */
static enum sl_status check_size(struct walk *walk, const git_oid *id,
                                 struct sl_error *error)
{
    size_t size;
    git_object_t type;
    int code = git_odb_read_header(&size, &type, walk->odb, id);
    if (code != 0)
        return damaged(walk, id, code, error);
    if (type != GIT_OBJECT_BLOB)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "'%.200s' is listed as a file and is none",
                            walk->path);
    if (size > SL_MAX_TREE_FILE)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "'%.200s' has %zu bytes; the limit for one file "
                            "is %u",
                            walk->path, size, SL_MAX_TREE_FILE);
    if (size > SL_MAX_TREE_BYTES - walk->bytes)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "the tree has more than %u bytes",
                            SL_MAX_TREE_BYTES);
    return SL_OK;
}

static enum sl_status visit_file(struct walk *walk, const char *name,
                                 const git_oid *id, struct sl_error *error)
{
    enum sl_status status = check_size(walk, id, error);
    if (status)
        return status;
    git_odb_object *blob;
    int code = git_odb_read(&blob, walk->odb, id);
    if (code != 0)
        return damaged(walk, id, code, error);
    struct sl_view bytes = {git_odb_object_data(blob),
                            git_odb_object_size(blob)};
    walk->bytes += bytes.len;
    status = walk->visitor->file(walk->visitor->context, walk->path, name,
                                 bytes, error);
    git_odb_object_free(blob);
    return status;
}

static enum sl_status push(struct walk *walk, const git_oid *id,
                           struct sl_error *error)
{
    if (walk->depth >= SL_MAX_TREE_DEPTH)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "folders are nested more than %u deep at "
                            "'%.100s'",
                            SL_MAX_TREE_DEPTH, walk->path);
    git_tree *tree;
    int code = git_tree_lookup(&tree, walk->git->repo, id);
    if (code != 0)
        return damaged(walk, id, code, error);
    walk->levels[walk->depth++] =
        (struct level){.tree = tree, .path_len = strlen(walk->path)};
    return SL_OK;
}

static void pop(struct walk *walk)
{
    git_tree_free(walk->levels[--walk->depth].tree);
}

static enum sl_status enter(struct walk *walk, const char *name,
                            const git_oid *id, struct sl_error *error)
{
    const struct sl_git_visitor *visitor = walk->visitor;
    enum sl_status status = SL_OK;
    if (visitor->enter)
        status = visitor->enter(visitor->context, walk->path, name, error);
    if (status)
        return status;
    size_t n = strlen(walk->path);
    walk->path[n] = '/'; /* set_path() left room */
    walk->path[n + 1] = '\0';
    return push(walk, id, error);
}

/* The folder's path and the name, with room for a slash. */
static enum sl_status set_path(struct walk *walk, size_t folder_len,
                               const char *name, struct sl_error *error)
{
    size_t n = strlen(name);
    const char *why = bad_name(name);
    walk->path[folder_len] = '\0';
    if (why)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "refused: the tree of %.150s has the name '%.60s' "
                            "in '/%.100s': %s",
                            walk->git->name, name, walk->path, why);
    if (folder_len + n + 1 > SL_MAX_PATH)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a path is longer than %u bytes below '%.150s'",
                            SL_MAX_PATH, walk->path);
    memcpy(walk->path + folder_len, name, n + 1);
    return SL_OK;
}

static enum sl_status leave(struct walk *walk)
{
    const struct sl_git_visitor *visitor = walk->visitor;
    pop(walk);
    if (visitor->leave && walk->depth)
        visitor->leave(visitor->context);
    return SL_OK;
}

static enum sl_status next_entry(struct walk *walk, struct sl_error *error)
{
    struct level *top = &walk->levels[walk->depth - 1];
    const struct sl_git_visitor *visitor = walk->visitor;
    const git_tree_entry *entry =
        git_tree_entry_byindex(top->tree, top->next++);
    if (!entry)
        return leave(walk);
    if (++walk->entries > SL_MAX_TREE_FILES)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "the tree has more than %u files and folders",
                            SL_MAX_TREE_FILES);
    const char *name = git_tree_entry_name(entry);
    enum sl_status status = set_path(walk, top->path_len, name, error);
    if (status)
        return status;
    const git_oid *id = git_tree_entry_id(entry);
    unsigned mode = (unsigned)git_tree_entry_filemode_raw(entry);
    switch (mode & S_IFMT) { /* git writes the same numbers everywhere */
    case S_IFDIR:
        return enter(walk, name, id, error);
    case S_IFREG:
        return visit_file(walk, name, id, error);
    case S_IFLNK:
    case GIT_FILEMODE_COMMIT:
        if (visitor->other)
            visitor->other(visitor->context, (mode & S_IFMT) == S_IFLNK);
        return SL_OK;
    default:
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "'%.200s' has the unknown mode %o", walk->path,
                            mode);
    }
}

enum sl_status sl_git_walk(struct sl_git *git, const struct sl_git_watch *watch,
                           const struct sl_git_visitor *visitor,
                           struct sl_error *error)
{
    if (!git->commit)
        return sl_error_set(error, SL_ERR_USAGE, "no commit was found yet");
    struct walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return sl_error_nomem(error);
    walk->git = git;
    walk->visitor = visitor;
    enum sl_status status = SL_OK;
    if (git_repository_odb(&walk->odb, git->repo) != 0)
        status = sl_error_set(error, SL_ERR_IO,
                              "cannot read objects of %.200s: %.200s",
                              git->name, sl_git_reason());
    else
        status = push(walk, git_commit_tree_id(git->commit), error);
    while (!status && walk->depth)
        status = sl_git_stopped(watch)
                     ? sl_error_set(error, SL_ERR_IO, "interrupted")
                     : next_entry(walk, error);
    while (walk->depth)
        pop(walk);
    git_odb_free(walk->odb);
    free(walk);
    return status;
}
