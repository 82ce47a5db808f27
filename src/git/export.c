/*
 * Writing a commit's plain files: an explicit stack of open trees, every
 * file made with O_EXCL below a folder descriptor that is already held, so no
 * name of a foreign tree can reach outside.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "git/internal.h"

struct level {
    git_tree *tree;
    size_t next;     /* entry to be looked at */
    size_t path_len; /* of the folder's path, with its slash */
    int dir;
};

struct job {
    struct sl_git *git;
    git_odb *odb;
    const struct sl_git_watch *watch;
    struct level levels[SL_MAX_TREE_DEPTH];
    size_t depth;
    size_t entries; /* of any kind: the bound on the work */
    char path[SL_MAX_PATH + 1];
    struct sl_git_export done;
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

static enum sl_status damaged(const struct job *job, const git_oid *id,
                              int code, struct sl_error *error)
{
    char hex[GIT_OID_HEXSZ + 1];
    git_oid_tostr(hex, sizeof hex, id);
    if (code == GIT_ENOTFOUND)
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "%.120s has the commit but not object %s of '%.80s'"
                            " (a partial clone?); use a full mirror",
                            job->git->name, hex, job->path);
    return sl_error_set(error, SL_ERR_IO,
                        "object %s of '%.80s' in %.120s is damaged: %.100s; "
                        "see git fsck there",
                        hex, job->path, job->git->name, sl_git_reason());
}

static enum sl_status cannot_write(const struct job *job,
                                   struct sl_error *error)
{
    int code = errno;
    bool full = code == ENOSPC || code == EDQUOT;
    return sl_error_set(error, SL_ERR_IO, "cannot write '%.200s': %s%s",
                        job->path, strerror(code),
                        full ? "; make room, or point SHMEMLORE_CACHE at a "
                               "roomier folder"
                             : "");
}

static enum sl_status write_all(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return SL_ERR_IO;
        bytes += n;
        size -= (size_t)n;
    }
    return SL_OK;
}

/* The size is asked before the bytes are: a small pack can hold a huge blob. */
static enum sl_status check_size(struct job *job, const git_oid *id,
                                 struct sl_error *error)
{
    size_t size;
    git_object_t type;
    int code = git_odb_read_header(&size, &type, job->odb, id);
    if (code != 0)
        return damaged(job, id, code, error);
    if (type != GIT_OBJECT_BLOB)
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "'%.200s' is listed as a file and is none",
                            job->path);
    if (size > SL_MAX_TREE_FILE)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "'%.200s' has %zu bytes; the limit for one file "
                            "is %u",
                            job->path, size, SL_MAX_TREE_FILE);
    if (size > SL_MAX_TREE_BYTES - job->done.bytes)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "the tree has more than %u bytes",
                            SL_MAX_TREE_BYTES);
    return SL_OK;
}

static enum sl_status write_file(struct job *job, int dir, const char *name,
                                 const git_oid *id, struct sl_error *error)
{
    enum sl_status status = check_size(job, id, error);
    if (status)
        return status;
    git_odb_object *blob;
    int code = git_odb_read(&blob, job->odb, id);
    if (code != 0)
        return damaged(job, id, code, error);
    size_t size = git_odb_object_size(blob);
    int fd = openat(dir, name,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0) {
        status = cannot_write(job, error);
        goto done;
    }
    if (write_all(fd, git_odb_object_data(blob), size) != SL_OK)
        status = cannot_write(job, error);
    if (close(fd) != 0 && !status)
        status = cannot_write(job, error);
    job->done.files++;
    job->done.bytes += size;
done:
    git_odb_object_free(blob);
    return status;
}

/* Opens the tree and takes over the descriptor of its folder. */
static enum sl_status push(struct job *job, const git_oid *id, int dir,
                           struct sl_error *error)
{
    enum sl_status status;
    if (job->depth >= SL_MAX_TREE_DEPTH) {
        status = sl_error_set(error, SL_ERR_LIMIT,
                              "folders are nested more than %u deep at "
                              "'%.100s'",
                              SL_MAX_TREE_DEPTH, job->path);
        goto fail_dir;
    }
    git_tree *tree;
    int code = git_tree_lookup(&tree, job->git->repo, id);
    if (code != 0) {
        status = damaged(job, id, code, error);
        goto fail_dir;
    }
    job->levels[job->depth++] = (struct level){
        .tree = tree, .path_len = strlen(job->path), .dir = dir};
    return SL_OK;
fail_dir:
    close(dir);
    return status;
}

static void pop(struct job *job)
{
    struct level *top = &job->levels[--job->depth];
    close(top->dir);
    git_tree_free(top->tree);
}

static enum sl_status enter(struct job *job, int dir, const char *name,
                            const git_oid *id, struct sl_error *error)
{
    if (mkdirat(dir, name, 0777) != 0)
        return cannot_write(job, error);
    int made = openat(dir, name,
                      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (made < 0)
        return cannot_write(job, error);
    size_t n = strlen(job->path);
    job->path[n] = '/'; /* set_path() left room */
    job->path[n + 1] = '\0';
    return push(job, id, made, error);
}

/* The folder's path and the name, with room for a slash. */
static enum sl_status set_path(struct job *job, size_t folder_len,
                               const char *name, struct sl_error *error)
{
    size_t n = strlen(name);
    const char *why = bad_name(name);
    job->path[folder_len] = '\0';
    if (why)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "refused: the tree of %.150s has the name '%.60s' "
                            "in '/%.100s': %s",
                            job->git->name, name, job->path, why);
    if (folder_len + n + 1 > SL_MAX_PATH)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "a path is longer than %u bytes below '%.150s'",
                            SL_MAX_PATH, job->path);
    memcpy(job->path + folder_len, name, n + 1);
    return SL_OK;
}

static enum sl_status next_entry(struct job *job, struct sl_error *error)
{
    struct level *top = &job->levels[job->depth - 1];
    const git_tree_entry *entry =
        git_tree_entry_byindex(top->tree, top->next++);
    if (!entry) {
        pop(job);
        return SL_OK;
    }
    if (++job->entries > SL_MAX_TREE_FILES)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "the tree has more than %u files and folders",
                            SL_MAX_TREE_FILES);
    const char *name = git_tree_entry_name(entry);
    enum sl_status status = set_path(job, top->path_len, name, error);
    if (status)
        return status;
    const git_oid *id = git_tree_entry_id(entry);
    unsigned mode = (unsigned)git_tree_entry_filemode_raw(entry);
    switch (mode & S_IFMT) { /* git writes the same numbers everywhere */
    case S_IFDIR:
        return enter(job, top->dir, name, id, error);
    case S_IFREG:
        return write_file(job, top->dir, name, id, error);
    case S_IFLNK:
        job->done.links++;
        return SL_OK;
    case GIT_FILEMODE_COMMIT:
        job->done.submodules++;
        return SL_OK;
    default:
        return sl_error_set(error, SL_ERR_SYNTAX,
                            "'%.200s' has the unknown mode %o", job->path,
                            mode);
    }
}

static enum sl_status run(struct job *job, struct sl_error *error)
{
    enum sl_status status = SL_OK;
    while (!status && job->depth) {
        if (sl_git_stopped(job->watch))
            return sl_error_set(error, SL_ERR_IO, "interrupted");
        status = next_entry(job, error);
        if (job->watch && job->watch->show)
            job->watch->show(job->watch->context,
                             &(struct sl_git_progress){
                                 .phase = SL_GIT_EXPORT,
                                 .done = job->done.files,
                                 .bytes = job->done.bytes});
    }
    return status;
}

enum sl_status sl_git_export(struct sl_git *git, int to,
                             const struct sl_git_watch *watch,
                             struct sl_git_export *export_out,
                             struct sl_error *error)
{
    if (!git->commit)
        return sl_error_set(error, SL_ERR_USAGE, "no commit was found yet");
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return sl_error_nomem(error);
    job->git = git;
    job->watch = watch;
    enum sl_status status = SL_OK;
    int root = -1;
    if (git_repository_odb(&job->odb, git->repo) != 0)
        status = sl_error_set(error, SL_ERR_IO,
                              "cannot read objects of %.200s: %.200s",
                              git->name, sl_git_reason());
    else if ((root = fcntl(to, F_DUPFD_CLOEXEC, 0)) < 0)
        status = cannot_write(job, error);
    else
        status = push(job, git_commit_tree_id(git->commit), root, error);
    if (!status)
        status = run(job, error);
    if (!status)
        *export_out = job->done;
    while (job->depth)
        pop(job);
    git_odb_free(job->odb);
    free(job);
    return status;
}
