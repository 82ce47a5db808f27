/* The folder: an explicit stack, symbolic links never followed, caps on all. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "os/file.h"
#include "skill/internal.h"

/* Of a checkout that is a skill: no part of it. */
#define NOT_OURS ".git"

#define NO_PATH SL_LIT("")

struct walk {
    struct sl_skill_checker *checker;
    size_t folders;
    size_t next; /* of files: the first folder that was not read */
    bool stop;
};

/* Said once; what was listed up to here depends on the order on the disk. */
static void too_many(struct walk *w, unsigned limit, const char *what)
{
    sl_skill_add(w->checker->report, SL_SKILL_ERROR, NO_PATH, 0,
                 "too-many-files",
                 "more than %u %s; only SKILL.md was read", limit, what);
    w->checker->is_large = true;
    w->stop = true;
}

static enum sl_status add(struct walk *w, struct sl_view path,
                          enum sl_skill_kind kind, uint64_t size,
                          struct sl_error *error)
{
    struct sl_skill_checker *c = w->checker;
    bool folder = kind == SL_SKILL_FOLDER;
    if (folder && w->folders == SL_MAX_SKILL_FOLDERS) {
        too_many(w, SL_MAX_SKILL_FOLDERS, "folders");
        return SL_OK;
    }
    if (!folder && c->report->files == SL_MAX_SKILL_FILES) {
        too_many(w, SL_MAX_SKILL_FILES, "files");
        return SL_OK;
    }
    c->files = sl_arena_grow(c->arena, c->files, sizeof *c->files,
                             c->file_count, &c->file_cap);
    if (!c->files)
        return sl_error_nomem(error);
    c->files[c->file_count++] =
        (struct sl_skill_file){.path = path, .kind = kind};
    w->folders += folder;
    c->report->files += !folder;
    uint64_t room = UINT64_MAX - c->report->bytes;
    c->report->bytes += size < room ? size : room; /* files with holes */
    return SL_OK;
}

static enum sl_skill_kind kind_of(mode_t mode)
{
    return S_ISREG(mode)   ? SL_SKILL_FILE
           : S_ISDIR(mode) ? SL_SKILL_FOLDER
           : S_ISLNK(mode) ? SL_SKILL_LINK
                           : SL_SKILL_OTHER;
}

static unsigned depth_of(struct sl_view path)
{
    unsigned depth = 1;
    for (size_t i = 0; i < path.len; i++)
        depth += path.ptr[i] == '/';
    return depth;
}

static enum sl_status add_entry(struct walk *w, struct sl_view folder,
                                const char *entry, const struct stat *st,
                                struct sl_error *error)
{
    struct sl_arena *arena = w->checker->arena;
    struct sl_view name = sl_view_of(entry), path;
    if (folder.len) {
        path.ptr = sl_path_join(arena, folder.ptr, name);
        path.len = path.ptr ? strlen(path.ptr) : 0;
    } else {
        path = sl_arena_copy(arena, name);
    }
    if (!path.ptr)
        return sl_error_nomem(error);
    enum sl_skill_kind kind = kind_of(st->st_mode);
    if (path.len > SL_MAX_PATH || depth_of(path) > SL_MAX_WALK_DEPTH) {
        sl_skill_add(w->checker->report, SL_SKILL_ERROR, NO_PATH, 0,
                     "too-deep",
                     "something lies more than %u folders deep, or has a path "
                     "of more than %u bytes; only SKILL.md was read",
                     SL_MAX_WALK_DEPTH, SL_MAX_PATH);
        w->checker->is_large = true;
        w->stop = true;
        return SL_OK;
    }
    return add(w, path, kind,
               kind == SL_SKILL_FILE ? (uint64_t)st->st_size : 0, error);
}

static enum sl_status read_folder(struct walk *w, struct sl_view path,
                                  struct sl_error *error)
{
    const char *root = w->checker->folder;
    const char *full =
        path.len ? sl_path_join(w->checker->arena, root, path) : root;
    if (!full)
        return sl_error_nomem(error);
    int fd = open(full, O_RDONLY | O_DIRECTORY | O_CLOEXEC |
                            (path.len ? O_NOFOLLOW : 0));
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        int why = errno;
        if (fd >= 0)
            close(fd);
        return sl_error_set(error, SL_ERR_IO, "cannot open folder %s: %s",
                            full, strerror(why));
    }
    enum sl_status status = SL_OK;
    const struct dirent *entry;
    while (!status && !w->stop && (entry = readdir(dir))) {
        struct stat st;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            !strcmp(entry->d_name, NOT_OURS))
            continue;
        if (!fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
            status = add_entry(w, path, entry->d_name, &st, error);
        else if (errno != ENOENT) /* which went meanwhile */
            status = sl_error_set(error, SL_ERR_IO, "cannot look at %s/%s: %s",
                                  full, entry->d_name, strerror(errno));
    }
    closedir(dir);
    return status;
}

static int by_path(const void *a, const void *b)
{
    const struct sl_skill_file *x = a;
    const struct sl_skill_file *y = b;
    return sl_view_cmp(x->path, y->path);
}

enum sl_status sl_skill_leaves(struct sl_skill_checker *c, struct sl_view path,
                               bool *leaves_out, struct sl_error *error)
{
    char root[PATH_MAX], target[PATH_MAX];
    const char *full = sl_path_join(c->arena, c->folder, path);
    if (!full)
        return sl_error_nomem(error);
    if (!realpath(c->folder, root))
        return sl_error_set(error, SL_ERR_IO, "cannot resolve %s: %s",
                            c->folder, strerror(errno));
    *leaves_out = true;
    if (!realpath(full, target))
        return SL_OK;
    size_t n = strcmp(root, "/") ? strlen(root) : 0;
    *leaves_out = strncmp(target, root, n) != 0 ||
                  (target[n] != '\0' && target[n] != '/');
    return SL_OK;
}

static enum sl_status check_entry(struct sl_skill_checker *c,
                                  const struct sl_skill_file *file,
                                  struct sl_error *error)
{
    bool leaves = false;
    if (file->kind == SL_SKILL_LINK) {
        enum sl_status status = sl_skill_leaves(c, file->path, &leaves, error);
        if (status)
            return status;
    }
    if (leaves)
        sl_skill_add(c->report, SL_SKILL_ERROR, file->path, 0, "symlink",
                     "a symbolic link that leaves the skill or leads nowhere; "
                     "put a copy of the file in its place");
    if (file->kind == SL_SKILL_OTHER)
        sl_skill_add(c->report, SL_SKILL_ERROR, file->path, 0, "file-kind",
                     "a device, FIFO or socket: a skill has files and folders");
    if (sl_utf8_invalid(file->path) != SIZE_MAX)
        sl_skill_add(c->report, SL_SKILL_WARNING, file->path, 0, "file-name",
                     "the file's name is not UTF-8");
    return SL_OK;
}

enum sl_status sl_skill_list(struct sl_skill_checker *c, struct sl_error *error)
{
    struct walk w = {.checker = c};
    enum sl_status status = read_folder(&w, NO_PATH, error);
    for (; !status && !w.stop && w.next < c->file_count; w.next++)
        if (c->files[w.next].kind == SL_SKILL_FOLDER)
            status = read_folder(&w, c->files[w.next].path, error);
    if (status)
        return status;
    if (!c->is_large && c->report->bytes > SL_MAX_SKILL_BYTES) {
        sl_skill_add(c->report, SL_SKILL_ERROR, NO_PATH, 0, "too-large",
                     "its files have %llu bytes, %u MiB are allowed; only "
                     "SKILL.md was read",
                     (unsigned long long)c->report->bytes,
                     SL_MAX_SKILL_BYTES >> 20);
        c->is_large = true;
    }
    if (w.stop) /* part of a list in the order of the disk is none */
        c->file_count = 0;
    if (c->file_count)
        qsort(c->files, c->file_count, sizeof *c->files, by_path);
    for (size_t i = 0; i < c->file_count && !status; i++) {
        if (!sl_map_put(&c->paths, c->files[i].path, i, NULL))
            return sl_error_nomem(error);
        status = check_entry(c, &c->files[i], error);
    }
    return status;
}

struct sl_skill_file *sl_skill_find(const struct sl_skill_checker *c,
                                    struct sl_view path)
{
    const size_t *found = sl_map_get(&c->paths, path);
    return found ? &c->files[*found] : NULL;
}
