#include "skill/install.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/file.h"
#include "os/lock.h"
#include "os/tree.h"
#include "text/hash.h"

/* Our mark in the folder: a line `SHA256  PATH` for each file. */
#define MARK ".shmemlore-installed"
#define NEW ".new" /* behind the name: what is being made, or on its way out */
#define WAIT_MS 30000u
#define MAX_MARK (1u << 20)

enum state { NOTHING, OURS, FOREIGN };

struct work {
    struct sl_arena *arena;
    const struct sl_skill_place *place;
    const char *folder; /* base/inside */
    const char *target, *temporary; /* full paths */
    char short_temporary[64];       /* the last name of temporary */
    int fd; /* of folder */
    struct sl_file_lock lock;
    struct sl_skill_done *done;
};

static enum sl_status io_error(struct sl_error *error, const char *what,
                               const char *path)
{
    return sl_error_set(error, SL_ERR_IO, "cannot %s %s: %s", what, path,
                        strerror(errno));
}

static enum sl_status put_mark(struct sl_buf *out,
                               const struct sl_skill_part *parts, size_t count,
                               struct sl_error *error)
{
    for (size_t i = 0; i < count; i++) {
        char hex[65];
        enum sl_status status = sl_sha256_hex(parts[i].bytes, hex, error);
        if (status)
            return status;
        sl_buf_printf(out, "%s  %.*s\n", hex, SL_ARG(parts[i].path));
    }
    return sl_buf_check(out, error);
}

/* The mark that the folder's files would have, and how much else is in it. */
static enum sl_status mark_of(struct work *w, const char *name,
                              const char *path, struct sl_buf *out,
                              size_t *more_out, struct sl_error *error)
{
    struct sl_view *paths;
    struct sl_tree_size size = {0, 0};
    size_t count = 0;
    enum sl_status status = sl_folder_list(w->arena, path, NULL,
                                           SL_MAX_SKILL_FILES, &paths, &count,
                                           error);
    if (!status)
        status = sl_tree_measure(w->fd, name, &size, error);
    for (size_t i = 0; i < count && !status; i++) {
        struct sl_skill_part part = {.path = paths[i]};
        status = sl_file_read_beneath(w->arena, path, paths[i],
                                      SL_MAX_SKILL_BYTES, &part.bytes, error);
        if (!status)
            status = put_mark(out, &part, 1, error);
    }
    *more_out = status ? 0 : size.files - count; /* links, dot files */
    return status;
}

/* What stands at path; *same_out: just what the wanted mark says. */
static enum sl_status look(struct work *w, const char *name, const char *path,
                           struct sl_view wanted, enum state *state_out,
                           bool *same_out, struct sl_error *error)
{
    struct sl_view mark = {NULL, 0};
    struct sl_buf now;
    size_t more = 0;
    *state_out = NOTHING;
    *same_out = false;
    if (!sl_path_exists(path))
        return SL_OK;
    sl_buf_init(&now, MAX_MARK);
    enum sl_status status = mark_of(w, name, path, &now, &more, error);
    if (!status) {
        status = sl_file_read_beneath(w->arena, path, SL_LIT(MARK),
                                      MAX_MARK, &mark, error);
        if (status == SL_ERR_NOTFOUND)
            status = SL_OK;
    }
    if (!status) {
        /* a copy by hand that is what we would write is as good as ours */
        bool ours = mark.ptr ? more == 1 && sl_view_eq(mark, sl_buf_view(&now))
                             : !more && sl_view_eq(wanted, sl_buf_view(&now));
        *state_out = ours ? OURS : FOREIGN;
        *same_out = ours && mark.ptr && sl_view_eq(mark, wanted);
    } else if (status == SL_ERR_LIMIT || status == SL_ERR_REFUSED ||
               (status == SL_ERR_IO && w->place->force)) {
        *state_out = FOREIGN; /* more than we ever write, or not to be read */
        status = SL_OK;
    }
    sl_buf_release(&now);
    return status;
}

static enum sl_status check_place(struct work *w, struct sl_error *error)
{
    const struct sl_skill_place *place = w->place;
    const char *inner =
        sl_path_join(w->arena, place->inside, sl_view_of(place->name));
    if (!inner)
        return sl_error_nomem(error);
    struct sl_view rest = sl_view_of(inner);
    for (size_t end = 0; end < rest.len;) {
        size_t slash = sl_view_find(rest, SL_LIT("/"), end);
        struct sl_view part = sl_view_sub(rest, 0, slash);
        enum sl_path_kind kind = sl_path_kind_beneath(place->base, part);
        if (kind != SL_PATH_NONE && kind != SL_PATH_FOLDER)
            return sl_error_set(error, SL_ERR_REFUSED,
                                "%s/%.*s is %s; move it away, or copy the "
                                "skill by hand",
                                place->base, SL_ARG(part),
                                kind == SL_PATH_LINK ? "a symbolic link"
                                                     : "no folder");
        end = slash == SIZE_MAX ? rest.len : slash + 1;
    }
    return SL_OK;
}

static void leave(struct work *w)
{
    if (w->fd >= 0)
        close(w->fd);
    sl_file_lock_release(&w->lock);
}

static enum sl_status set_paths(struct work *w, struct sl_error *error)
{
    const struct sl_skill_place *p = w->place;
    size_t room = sizeof w->short_temporary;
    int n = snprintf(w->short_temporary, room, ".%s" NEW, p->name);
    if (n < 0 || (size_t)n >= room)
        return sl_error_set(error, SL_ERR_LIMIT, "name too long: %s", p->name);
    w->folder = sl_path_join(w->arena, p->base, sl_view_of(p->inside));
    if (!w->folder)
        return sl_error_nomem(error);
    w->target = sl_path_join(w->arena, w->folder, sl_view_of(p->name));
    w->temporary =
        sl_path_join(w->arena, w->folder, sl_view_of(w->short_temporary));
    if (!w->target || !w->temporary)
        return sl_error_nomem(error);
    n = snprintf(w->done->path, sizeof w->done->path, "%s", w->target);
    if (n < 0 || (size_t)n + 32 >= sizeof w->done->path)
        return sl_error_set(error, SL_ERR_LIMIT, "path is too long: %s",
                            w->target);
    return SL_OK;
}

/* Paths, and the lock of the folder; make: the folder is made first. */
static enum sl_status enter(struct work *w, bool make, struct sl_error *error)
{
    enum sl_status status = set_paths(w, error);
    if (!status && !sl_path_is_folder(w->place->base))
        status = sl_error_set(error, SL_ERR_USAGE, "%s is no folder",
                              w->place->base);
    if (!status)
        status = check_place(w, error);
    if (!status && make)
        status = sl_folder_make(w->folder, error);
    if (status || !sl_path_is_folder(w->folder))
        return status;
    if (!w->place->dry)
        status = sl_folder_lock_write(&w->lock, w->folder, WAIT_MS, error);
    if (!status)
        w->fd = open(w->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!status && w->fd < 0)
        status = io_error(error, "open", w->folder);
    return status;
}

static enum sl_status write_parts(struct work *w,
                                  const struct sl_skill_part *parts,
                                  size_t count, struct sl_view mark,
                                  struct sl_error *error)
{
    enum sl_status status = SL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        char *path = sl_path_join(w->arena, w->temporary, parts[i].path);
        if (!path)
            return sl_error_nomem(error);
        if (!sl_path_is_inside(parts[i].path))
            return sl_error_set(error, SL_ERR_REFUSED, "%s leaves the folder",
                                path);
        char *slash = strrchr(path, '/');
        *slash = '\0';
        status = sl_folder_make(path, error);
        *slash = '/';
        if (!status)
            status = sl_file_write(path, parts[i].bytes, error);
    }
    const char *path = sl_path_join(w->arena, w->temporary, SL_LIT(MARK));
    if (!status && !path)
        status = sl_error_nomem(error);
    return status ? status : sl_file_write(path, mark, error);
}

/* The pattern of its name, which is all that a dry run tells. */
static void name_backup(struct work *w)
{
    (void)snprintf(w->done->backup, sizeof w->done->backup,
                   "%s/.%s.backup-XXXXXX", w->folder, w->place->name);
}

/* Moves a folder aside, for good, under a name that nobody has. */
static enum sl_status keep(struct work *w, const char *path,
                           struct sl_error *error)
{
    struct sl_skill_done *done = w->done;
    name_backup(w);
    if (!mkdtemp(done->backup)) /* an empty folder may be renamed over */
        return io_error(error, "make", done->backup);
    if (rename(path, done->backup) != 0) {
        enum sl_status status = io_error(error, "move aside", path);
        (void)rmdir(done->backup);
        done->backup[0] = '\0';
        return status;
    }
    return SL_OK;
}

/* The folder that is on its way out, or that an earlier run left. */
static enum sl_status clear(struct work *w, struct sl_error *error)
{
    struct sl_error why = {SL_OK, ""};
    if (!sl_tree_remove(w->fd, w->short_temporary, &why))
        return SL_OK;
    return sl_error_set(error, SL_ERR_IO,
                        "%s is out of use and does not go away: %s; remove it "
                        "by hand",
                        w->temporary, why.message);
}

/* What was ours is out of its place: gone, unless it was changed meanwhile. */
static enum sl_status drop(struct work *w, struct sl_view wanted,
                           struct sl_error *error)
{
    enum state state = FOREIGN;
    bool same;
    enum sl_status status = look(w, w->short_temporary, w->temporary, wanted,
                                 &state, &same, NULL);
    if (status || state == FOREIGN) { /* unreadable: nobody knows, so kept */
        status = keep(w, w->temporary, error);
        if (status && renameat2(w->fd, w->short_temporary, w->fd,
                                w->place->name, RENAME_EXCHANGE) != 0)
            (void)rename(w->temporary, w->target);
        return status;
    }
    return clear(w, error);
}

static enum sl_status settle(struct work *w, enum state state,
                             struct sl_view mark, struct sl_error *error)
{
    if (state == OURS) {
        if (renameat2(w->fd, w->short_temporary, w->fd, w->place->name,
                      RENAME_EXCHANGE) == 0)
            return drop(w, mark, error);
        if (errno != EINVAL && errno != ENOSYS)
            return io_error(error, "replace", w->target);
    }
    enum sl_status status = state == NOTHING ? SL_OK
                                             : keep(w, w->target, error);
    if (!status && rename(w->temporary, w->target) != 0) {
        status = io_error(error, "make", w->target);
        if (state != NOTHING)
            (void)rename(w->done->backup, w->target);
    }
    return status;
}

/* What is not ours goes into a backup where --force says so. */
static enum sl_status check_force(struct work *w, struct sl_error *error)
{
    if (!w->place->force)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%s was not written by this command, or was "
                            "changed since; --force keeps it aside as a backup",
                            w->target);
    if (w->place->dry)
        name_backup(w);
    return SL_OK;
}

static enum sl_status install(struct work *w, const struct sl_skill_part *parts,
                              size_t count, struct sl_view mark,
                              struct sl_error *error)
{
    enum state state = NOTHING;
    bool same = false;
    enum sl_status status = enter(w, !w->place->dry, error);
    if (!status)
        status = look(w, w->place->name, w->target, mark, &state, &same,
                      error);
    if (!status && state == FOREIGN)
        status = check_force(w, error);
    w->done->did = same               ? SL_SKILL_SAME
                   : state == NOTHING ? SL_SKILL_MADE
                   : state == OURS    ? SL_SKILL_UPDATED
                                      : SL_SKILL_FORCED;
    if (status || w->place->dry)
        return status;
    status = clear(w, error);
    if (status || same)
        return status;
    status = write_parts(w, parts, count, mark, error);
    if (!status)
        status = settle(w, state, mark, error);
    if (status)
        (void)!sl_tree_remove(w->fd, w->short_temporary, NULL);
    return status;
}

enum sl_status sl_skill_install(struct sl_arena *arena,
                                const struct sl_skill_place *place,
                                const struct sl_skill_part *parts, size_t count,
                                struct sl_skill_done *done_out,
                                struct sl_error *error)
{
    struct sl_skill_done done = {.did = SL_SKILL_SAME};
    struct work w = {.arena = arena, .place = place, .fd = -1, .done = &done};
    struct sl_buf mark;
    w.lock = SL_FILE_LOCK_NONE;
    sl_buf_init(&mark, MAX_MARK);
    enum sl_status status = put_mark(&mark, parts, count, error);
    if (!status)
        status = install(&w, parts, count, sl_buf_view(&mark), error);
    leave(&w);
    sl_buf_release(&mark);
    if (!status)
        *done_out = done;
    return status;
}

static enum sl_status uninstall(struct work *w, struct sl_error *error)
{
    enum state state = NOTHING;
    bool same;
    enum sl_status status = enter(w, false, error);
    if (!status)
        status = look(w, w->place->name, w->target, SL_LIT(""), &state,
                      &same, error);
    if (!status && state == FOREIGN)
        status = check_force(w, error);
    w->done->did = state == NOTHING ? SL_SKILL_ABSENT : SL_SKILL_REMOVED;
    if (status || w->place->dry)
        return status;
    if (state == FOREIGN)
        return keep(w, w->target, error);
    status = w->fd >= 0 ? clear(w, error) : SL_OK;
    if (status || state == NOTHING)
        return status;
    if (rename(w->target, w->temporary) != 0)
        status = io_error(error, "remove", w->target);
    return status ? status : drop(w, SL_LIT(""), error);
}

enum sl_status sl_skill_uninstall(struct sl_arena *arena,
                                  const struct sl_skill_place *place,
                                  struct sl_skill_done *done_out,
                                  struct sl_error *error)
{
    struct sl_skill_done done = {.did = SL_SKILL_ABSENT};
    struct work w = {.arena = arena, .place = place, .fd = -1, .done = &done};
    w.lock = SL_FILE_LOCK_NONE;
    enum sl_status status = uninstall(&w, error);
    leave(&w);
    if (!status)
        *done_out = done;
    return status;
}
