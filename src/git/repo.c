/* Opening a repository and finding the pinned commit in it. */
#include "git/repo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "git/internal.h"

const char *sl_git_reason(void)
{
    const git_error *last = git_error_last();
    return last && last->message ? last->message : "no reason given";
}

enum sl_status sl_git_start(struct sl_error *error)
{
    if (git_libgit2_init() < 0)
        return sl_error_set(error, SL_ERR_INTERNAL, "libgit2 does not start");
    /*
     * A mirror that several people share belongs to somebody else. git refuses
     * those because it would run hooks and programs named in their config; we
     * run nothing and read objects by hash.
     */
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
    return SL_OK;
}

enum sl_status sl_git_open_as(const char *path, const char *name,
                              struct sl_git **git_out, struct sl_error *error)
{
    enum sl_status status = sl_git_start(error);
    if (status)
        return status;
    struct sl_git *git = calloc(1, sizeof *git);
    if (!git || !(git->name = strdup(name))) {
        status = sl_error_nomem(error);
        goto fail_start;
    }
    int code = git_repository_open_ext(&git->repo, path,
                                       GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
    if (code == GIT_ENOTFOUND) {
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "%.300s is not a git repository", name);
        goto fail_start;
    }
    if (code != 0) {
        status = sl_error_set(error, SL_ERR_IO,
                              "cannot open the git repository %.200s: %.200s",
                              name, sl_git_reason());
        goto fail_start;
    }
    *git_out = git;
    return SL_OK;
fail_start:
    if (git)
        free(git->name);
    free(git);
    git_libgit2_shutdown();
    return status;
}

enum sl_status sl_git_open(const char *path, struct sl_git **git_out,
                           struct sl_error *error)
{
    return sl_git_open_as(path, path, git_out, error);
}

void sl_git_free(struct sl_git *git)
{
    if (!git)
        return;
    git_commit_free(git->commit);
    git_repository_free(git->repo);
    free(git->name);
    free(git);
    git_libgit2_shutdown();
}

enum sl_status sl_git_tag_moved(const char *name, const struct sl_git_pin *pin,
                                const git_oid *target, struct sl_error *error)
{
    char hex[GIT_OID_HEXSZ + 1];
    return sl_error_set(error, SL_ERR_REFUSED,
                        "the tag %.60s has moved: in %.150s it points to %s, "
                        "sources.yaml pins %s; find out why before the pin is "
                        "changed",
                        pin->tag, name, git_oid_tostr(hex, sizeof hex, target),
                        pin->commit);
}

/* A tag that cannot be followed tells nothing: only a clear answer counts. */
static enum sl_status check_tag(const struct sl_git *git,
                                const struct sl_git_pin *pin,
                                const git_oid *wanted, struct sl_error *error)
{
    char name[256];
    int n = snprintf(name, sizeof name, "refs/tags/%s", pin->tag);
    if (n < 0 || (size_t)n >= sizeof name)
        return sl_error_set(error, SL_ERR_LIMIT, "tag name is too long");
    git_reference *ref = NULL;
    git_object *target = NULL;
    enum sl_status status = SL_OK;
    if (git_reference_lookup(&ref, git->repo, name) == 0 &&
        git_reference_peel(&target, ref, GIT_OBJECT_ANY) == 0 &&
        !git_oid_equal(git_object_id(target), wanted))
        status = sl_git_tag_moved(git->name, pin, git_object_id(target), error);
    git_object_free(target);
    git_reference_free(ref);
    return status;
}

/* 0 when they cannot be listed: the number is only for a message. */
static size_t count_refs(const struct sl_git *git)
{
    git_strarray names = {NULL, 0};
    if (git_reference_list(&names, git->repo) != 0)
        return 0;
    size_t count = names.count;
    git_strarray_dispose(&names);
    return count;
}

static enum sl_status no_commit(const struct sl_git *git,
                                const struct sl_git_pin *pin,
                                struct sl_error *error)
{
    if (git->fetched)
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "%.200s does not have commit %s any more (neither "
                            "by the tag %.60s nor by a branch); use --from DIR "
                            "with a mirror that has it",
                            git->name, pin->commit, pin->tag);
    bool shallow = git_repository_is_shallow(git->repo) == 1;
    return sl_error_set(error, SL_ERR_NOTFOUND,
                        "the mirror %.150s does not have commit %s; it has %zu "
                        "refs%s; fetch the commit there (git fetch %stag "
                        "%.60s) and try again",
                        git->name, pin->commit, count_refs(git),
                        shallow ? " and is a shallow clone" : "",
                        shallow ? "--unshallow origin " : "origin ", pin->tag);
}

enum sl_status sl_git_find(struct sl_git *git, const struct sl_git_pin *pin,
                           struct sl_error *error)
{
    git_oid wanted;
    if (git_oid_fromstr(&wanted, pin->commit) != 0)
        return sl_error_set(error, SL_ERR_USAGE, "'%.60s' is no commit id",
                            pin->commit);
    enum sl_status status = check_tag(git, pin, &wanted, error);
    if (status)
        return status;
    git_object *object = NULL;
    int code = git_object_lookup(&object, git->repo, &wanted, GIT_OBJECT_ANY);
    if (code == GIT_ENOTFOUND)
        return no_commit(git, pin, error);
    if (code != 0)
        return sl_error_set(error, SL_ERR_IO,
                            "cannot read commit %s in %.150s: %.150s; the "
                            "repository is damaged (git fsck)",
                            pin->commit, git->name, sl_git_reason());
    if (git_object_type(object) != GIT_OBJECT_COMMIT) {
        status = sl_error_set(
            error, SL_ERR_REFUSED, "%s is a %s in %.200s, not a commit",
            pin->commit, git_object_type2string(git_object_type(object)),
            git->name);
        git_object_free(object);
        return status;
    }
    git_commit_free(git->commit);
    git->commit = (git_commit *)object;
    return SL_OK;
}
