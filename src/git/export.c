/*
 * Writing a commit's plain files: every file is made with O_EXCL below a folder
 * descriptor that is already held, so no name of a foreign tree can reach
 * outside.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "git/internal.h"

struct job {
    const struct sl_git_watch *watch;
    int dirs[SL_MAX_TREE_DEPTH]; /* the folders that are open */
    size_t depth;
    struct sl_git_export done;
};

static enum sl_status cannot_write(const char *path, struct sl_error *error)
{
    int code = errno;
    bool full = code == ENOSPC || code == EDQUOT;
    return sl_error_set(error, SL_ERR_IO, "cannot write '%.200s': %s%s",
                        path, strerror(code),
                        full ? "; make room, or point SHMEMLORE_CACHE at a "
                               "roomier folder"
                             : "");
}

static enum sl_status write_all(int fd, struct sl_view bytes)
{
    while (bytes.len) {
        ssize_t n = write(fd, bytes.ptr, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return SL_ERR_IO;
        bytes = sl_view_sub(bytes, (size_t)n, bytes.len);
    }
    return SL_OK;
}

static void tell(const struct job *job)
{
    if (job->watch && job->watch->show)
        job->watch->show(job->watch->context,
                         &(struct sl_git_progress){.phase = SL_GIT_EXPORT,
                                                   .done = job->done.files,
                                                   .bytes = job->done.bytes});
}

static enum sl_status write_file(void *context, const char *path,
                                 const char *name, struct sl_view bytes,
                                 struct sl_error *error)
{
    struct job *job = context;
    int fd = openat(job->dirs[job->depth - 1], name,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0)
        return cannot_write(path, error);
    enum sl_status status = SL_OK;
    if (write_all(fd, bytes) != SL_OK)
        status = cannot_write(path, error);
    if (close(fd) != 0 && !status)
        status = cannot_write(path, error);
    job->done.files++;
    job->done.bytes += bytes.len;
    tell(job);
    return status;
}

static enum sl_status make_folder(void *context, const char *path,
                                  const char *name, struct sl_error *error)
{
    struct job *job = context;
    int dir = job->dirs[job->depth - 1];
    if (job->depth >= SL_MAX_TREE_DEPTH)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "folders are nested more than %u deep at "
                            "'%.100s'",
                            SL_MAX_TREE_DEPTH, path);
    if (mkdirat(dir, name, 0777) != 0)
        return cannot_write(path, error);
    int made = openat(dir, name,
                      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (made < 0)
        return cannot_write(path, error);
    job->dirs[job->depth++] = made;
    return SL_OK;
}

static void leave_folder(void *context)
{
    struct job *job = context;
    close(job->dirs[--job->depth]);
}

static void count_other(void *context, bool link)
{
    struct job *job = context;
    job->done.links += link;
    job->done.submodules += !link;
}

enum sl_status sl_git_export(struct sl_git *git, int to,
                             const struct sl_git_watch *watch,
                             struct sl_git_export *export_out,
                             struct sl_error *error)
{
    struct job job = {.watch = watch, .depth = 1};
    const struct sl_git_visitor visitor = {
        .context = &job,
        .file = write_file,
        .enter = make_folder,
        .leave = leave_folder,
        .other = count_other,
    };
    job.dirs[0] = fcntl(to, F_DUPFD_CLOEXEC, 0);
    if (job.dirs[0] < 0)
        return cannot_write("", error);
    enum sl_status status = sl_git_walk(git, watch, &visitor, error);
    while (job.depth)
        close(job.dirs[--job.depth]);
    if (!status)
        *export_out = job.done;
    return status;
}
