/* Where the pages lie: who may write there, and how. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helpers/docs/fetch.h"
#include "os/file.h"
#include "text/hash.h"

/* A folder that holds one of these is no place for the vendor's pages. */
static const char *const ours[] = {"SKILL.md", "skills/nvshmem/SKILL.md"};

static enum sl_status check_marks(struct sl_arena *arena, const char *path,
                                  const char *above, struct sl_error *error)
{
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        const char *mark = sl_path_join(arena, above, sl_view_of(ours[i]));
        if (!mark)
            return sl_error_nomem(error);
        if (sl_path_exists(mark))
            return sl_error_set(
                error, SL_ERR_REFUSED,
                "%.300s is inside %.300s, which is given to others; the "
                "vendor's pages must not be: name a folder elsewhere with "
                "--to",
                path, above);
    }
    return SL_OK;
}

/* The folder and all above it, links resolved, whether it is there or not. */
static enum sl_status check_place(struct sl_arena *arena, const char *path,
                                  struct sl_error *error)
{
    char real[PATH_MAX];
    char *there = sl_path_join(arena, path, SL_LIT("")); /* a copy to shorten */
    if (!there)
        return sl_error_nomem(error);
    while (!realpath(there, real)) {
        char *slash = strrchr(there, '/');
        if (errno != ENOENT || strcmp(there, "/") == 0)
            return sl_error_set(error, SL_ERR_IO, "cannot open %.300s: %s",
                                path, strerror(errno));
        if (slash)
            slash[slash == there] = '\0';
        else
            there = sl_path_join(arena, ".", SL_LIT(""));
        if (!there)
            return sl_error_nomem(error);
    }
    enum sl_status status = SL_OK;
    for (char *end = real + strlen(real); !status && end;
         end = strrchr(real, '/')) {
        *end = '\0';
        status = check_marks(arena, path, *real ? real : "/", error);
    }
    return status;
}

/* A file in the making, whatever it will be; never beside the pages. */
#define NEW_FILE ".new"

/* Of our own making, or what an interrupted write left of it. */
static bool is_our_name(const char *name)
{
    static const char *const names[] = {".",
                                        "..",
                                        ".gitignore",
                                        ".lock",
                                        "manifest.json",
                                        SL_FETCH_INVENTORY,
                                        SL_FETCH_PAGES};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return sl_view_starts(sl_view_of(name), NEW_FILE);
}

/* Of somebody else's files a folder gets none of ours; in ours others may lie. */
static enum sl_status check_content(const char *path, struct sl_error *error)
{
    if (sl_path_kind_beneath(path, SL_LIT("manifest.json")) == SL_PATH_FILE)
        return SL_OK;
    DIR *dir = opendir(path);
    if (!dir)
        return sl_error_set(error, SL_ERR_IO, "cannot read %.300s: %s", path,
                            strerror(errno));
    const struct dirent *entry;
    enum sl_status status = SL_OK;
    while (!status && (entry = readdir(dir)))
        if (!is_our_name(entry->d_name))
            status = sl_error_set(error, SL_ERR_REFUSED,
                                  "%.300s holds other files (%.200s); name a "
                                  "new folder with --to",
                                  path, entry->d_name);
    closedir(dir);
    return status;
}

/* For the holder of the lock: what a killed run left half made. */
static enum sl_status sweep(const struct sl_fetch_folder *folder,
                            struct sl_error *error)
{
    DIR *dir = opendir(folder->path);
    const struct dirent *entry;
    int code = 0;
    while (dir && !code && (entry = readdir(dir)))
        if (sl_view_starts(sl_view_of(entry->d_name), NEW_FILE))
            code = unlinkat(folder->fd, entry->d_name, 0);
    if (!dir || code)
        sl_error_set(error, SL_ERR_IO, "cannot tidy up %.300s: %s",
                     folder->path, strerror(errno));
    if (dir)
        closedir(dir);
    return dir && !code ? SL_OK : SL_ERR_IO;
}

static enum sl_status take_lock(struct sl_fetch_folder *folder,
                                struct sl_error *error)
{
    folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->fd < 0)
        return sl_error_set(error, SL_ERR_IO, "cannot open %.300s: %s",
                            folder->path, strerror(errno));
    bool taken;
    struct sl_error why = {SL_OK, ""};
    enum sl_status status = sl_file_lock_try(&folder->lock, folder->fd, ".lock",
                                             &taken, &why);
    if (status)
        return sl_error_set(error, status, "%.300s in %.300s", why.message,
                            folder->path);
    if (!taken)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "another `docs fetch` (process %ld) is at work in "
                            "%.300s; wait for it, or name another folder",
                            folder->lock.holder, folder->path);
    return SL_OK;
}

static enum sl_status read_manifest(struct sl_arena *arena,
                                    const struct sl_fetch_folder *folder,
                                    const struct sl_fetch_options *options,
                                    struct sl_fetch_manifest *manifest,
                                    struct sl_error *error)
{
    struct sl_view text;
    struct sl_error why = {SL_OK, ""};
    enum sl_status status =
        sl_file_read_beneath(arena, folder->path, SL_LIT("manifest.json"),
                             SL_MAX_DOC_MANIFEST, &text, &why);
    if (status == SL_ERR_NOTFOUND) {
        manifest->base = sl_view_of(options->base);
        return SL_OK;
    }
    if (!status)
        status = sl_manifest_parse(arena, text, manifest, &why);
    if (status)
        return sl_error_set(error, status,
                            "%.300s/manifest.json cannot be used: %.400s; "
                            "remove the folder and fetch again",
                            folder->path, why.message);
    if (!sl_view_is(manifest->base, options->base))
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%.200s holds pages of %.*s, not of %.200s; name "
                            "another folder with --to",
                            folder->path,
                            SL_ARG(sl_view_sub(manifest->base, 0, 200)),
                            options->base);
    return SL_OK;
}

enum sl_status sl_fetch_open(struct sl_arena *arena,
                             const struct sl_fetch_options *options,
                             struct sl_fetch_folder *folder_out,
                             struct sl_fetch_manifest *manifest_out,
                             struct sl_error *error)
{
    *folder_out = (struct sl_fetch_folder){
        .path = options->to, .lock = SL_FILE_LOCK_NONE, .fd = -1};
    *manifest_out = (struct sl_fetch_manifest){.count = 0};
    enum sl_status status = check_place(arena, options->to, error);
    if (!status)
        status = sl_folder_make(options->to, error);
    if (!status)
        status = check_content(options->to, error);
    if (!status)
        status = take_lock(folder_out, error);
    if (!status)
        status = sweep(folder_out, error);
    /* wherever the folder is, git takes nothing out of it */
    struct sl_view ignore = SL_LIT(".gitignore");
    if (!status && sl_path_kind_beneath(options->to, ignore) == SL_PATH_NONE)
        status =
            sl_fetch_write(arena, folder_out, ignore, SL_LIT("*\n"), error);
    if (!status)
        status =
            read_manifest(arena, folder_out, options, manifest_out, error);
    return status;
}

void sl_fetch_close(struct sl_fetch_folder *folder)
{
    sl_file_lock_release(&folder->lock);
    if (folder->fd >= 0)
        close(folder->fd);
    folder->fd = -1;
}

bool sl_fetch_intact(const struct sl_fetch_folder *folder, struct sl_view file,
                     const struct sl_fetch_entry *entry)
{
    struct sl_arena arena;
    struct sl_view bytes;
    char hex[65];
    sl_arena_init(&arena, SL_MAX_DOC_PAGE + SL_MAX_INVENTORY);
    bool same = entry->sha256.len == 64 &&
                sl_file_read_beneath(&arena, folder->path, file,
                                     SL_MAX_DOC_PAGE, &bytes, NULL) == SL_OK &&
                sl_sha256_hex(bytes, hex, NULL) == SL_OK &&
                sl_view_is(entry->sha256, hex);
    sl_arena_release(&arena);
    return same;
}

struct sl_view sl_fetch_page_path(struct sl_arena *arena, struct sl_view file)
{
    char *path = sl_path_join(arena, SL_FETCH_PAGES, file);
    return path ? sl_view_of(path) : (struct sl_view){NULL, 0};
}

enum sl_status sl_fetch_write(struct sl_arena *arena,
                              const struct sl_fetch_folder *folder,
                              struct sl_view file, struct sl_view bytes,
                              struct sl_error *error)
{
    enum sl_path_kind kind = sl_path_kind_beneath(folder->path, file);
    if (kind != SL_PATH_NONE && kind != SL_PATH_FILE)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%.200s/%.*s is a link or a folder, not a file; "
                            "remove it and fetch again",
                            folder->path, SL_ARG(sl_view_sub(file, 0, 500)));
    char *path = sl_path_join(arena, folder->path, file);
    char *fresh = sl_path_join(arena, folder->path, SL_LIT(NEW_FILE));
    if (!path || !fresh)
        return sl_error_nomem(error);
    char *slash = strrchr(path, '/');
    struct sl_error why = {SL_OK, ""};
    *slash = '\0';
    enum sl_status status = sl_folder_make(path, &why);
    *slash = '/';
    if (!status)
        status = sl_file_write(fresh, bytes, &why);
    if (!status && rename(fresh, path) != 0)
        status = sl_error_set(&why, SL_ERR_IO, "cannot give it its name: %s",
                              strerror(errno));
    if (status)
        return sl_error_set(error, status,
                            "%.400s is not written: %.400s; mend that, then "
                            "the same command goes on",
                            path, why.message);
    return SL_OK;
}
