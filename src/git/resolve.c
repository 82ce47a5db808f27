/* The commit that a person names. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/view.h"
#include "git/internal.h"

#define SHORTEST 7u /* digits that stand for an id */
#define LONGEST_NAME 200u

static bool is_hex(const char *name)
{
    size_t n = strlen(name);
    return n >= SHORTEST && n <= GIT_OID_HEXSZ &&
           strspn(name, "0123456789abcdef") == n;
}

static enum sl_status no_such(const struct sl_git *git, const char *name,
                              struct sl_error *error)
{
    return sl_error_set(error, SL_ERR_NOTFOUND,
                        "%.200s has no tag, branch or commit '%.200s'; fetch "
                        "it there, or see git branch -a and git tag",
                        git->name, name);
}

/* Below which of git's places the name is a reference. */
static int find_ref(git_reference **ref_out, struct sl_git *git,
                    const char *name)
{
    static const char *const places[] = {"refs/tags/", "refs/heads/",
                                         "refs/remotes/origin/", ""};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char full[LONGEST_NAME + 32];
        (void)snprintf(full, sizeof full, "%s%s", places[i], name);
        int code = git_reference_lookup(ref_out, git->repo, full);
        git->by_tag = code == 0 && i == 0;
        if (code != GIT_ENOTFOUND && code != GIT_EINVALIDSPEC)
            return code;
    }
    return GIT_ENOTFOUND;
}

static int peel(git_object **object_out, struct sl_git *git, const char *name)
{
    git_reference *ref = NULL;
    int code = name ? find_ref(&ref, git, name)
                    : git_repository_head(&ref, git->repo);
    if (code == 0)
        code = git_reference_peel(object_out, ref, GIT_OBJECT_COMMIT);
    git_reference_free(ref);
    return code;
}

/* A whole id, or the beginning of one. */
static int look_up(git_object **object_out, struct sl_git *git,
                   const char *hex)
{
    git_oid id;
    size_t n = strlen(hex);
    int code = git_oid_fromstrn(&id, hex, n);
    if (code == 0)
        code = git_object_lookup_prefix(object_out, git->repo, &id, n,
                                        GIT_OBJECT_ANY);
    return code;
}

/* A tag object that somebody named by its id leads to its commit, too. */
static enum sl_status take(struct sl_git *git, git_object *object,
                           const char *name, struct sl_error *error)
{
    git_object *commit = NULL;
    int code = git_object_peel(&commit, object, GIT_OBJECT_COMMIT);
    git_object_free(object);
    if (code != 0)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "'%.100s' of %.200s is no commit", name,
                            git->name);
    git_commit_free(git->commit);
    git->commit = (git_commit *)commit;
    return SL_OK;
}

static enum sl_status failed(const struct sl_git *git, int code,
                             const char *name, struct sl_error *error)
{
    bool unknown = code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC;
    if (code == GIT_EAMBIGUOUS)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "several objects of %.200s begin with %s: give "
                            "more digits",
                            git->name, name);
    if (!name && (unknown || code == GIT_EUNBORNBRANCH))
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "the HEAD of %.200s names no commit; say which "
                            "tag, branch or commit is meant",
                            git->name);
    if (unknown)
        return no_such(git, name, error);
    return sl_error_set(error, SL_ERR_IO,
                        "cannot read %.100s of %.200s: %.200s",
                        name ? name : "HEAD", git->name, sl_git_reason());
}

enum sl_status sl_git_resolve(struct sl_git *git, const char *name,
                              struct sl_error *error)
{
    git_object *object = NULL;
    git->by_tag = false;
    if (name && (!*name || strlen(name) > LONGEST_NAME))
        return sl_error_set(error, SL_ERR_USAGE,
                            "a tag, branch or commit has 1 to %u characters",
                            LONGEST_NAME);
    int code = peel(&object, git, name);
    if (code == GIT_ENOTFOUND && name && is_hex(name))
        code = look_up(&object, git, name);
    return code == 0 ? take(git, object, name ? name : "HEAD", error)
                     : failed(git, code, name, error);
}

enum sl_status sl_git_found(const struct sl_git *git,
                            struct sl_git_found *found_out,
                            struct sl_error *error)
{
    if (!git->commit)
        return sl_error_set(error, SL_ERR_USAGE, "no commit was found yet");
    struct sl_git_found found = {.is_tag = git->by_tag};
    time_t when = (time_t)git_commit_time(git->commit);
    struct tm day;
    git_oid_tostr(found.commit, sizeof found.commit,
                  git_commit_id(git->commit));
    if (!gmtime_r(&when, &day) ||
        !strftime(found.date, sizeof found.date, "%Y-%m-%d", &day))
        (void)snprintf(found.date, sizeof found.date, "1970-01-01");
    *found_out = found;
    return SL_OK;
}
