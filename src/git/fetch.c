/*
 * Fetching a pin over https. The server's list of refs is looked at first: a
 * moved tag ends the work before anything is downloaded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "git/internal.h"

struct fetch {
    const char *url;
    const char *name; /* for messages: the URL without a password */
    const struct sl_git_pin *pin;
    const struct sl_git_watch *watch;
    git_remote *remote;
    bool too_big;
};

struct sl_view sl_url_host(struct sl_view url)
{
    size_t begin = sl_view_find(url, SL_LIT("://"), 0);
    if (begin == SIZE_MAX)
        return (struct sl_view){"", 0};
    struct sl_view host = sl_view_sub(url, begin + 3, url.len);
    size_t end = sl_view_find(host, SL_LIT("/"), 0);
    if (end != SIZE_MAX)
        host.len = end;
    while ((begin = sl_view_find(host, SL_LIT("@"), 0)) != SIZE_MAX)
        host = sl_view_sub(host, begin + 1, host.len);
    /* [2001:db8::1]:443 */
    size_t bracket = sl_view_find(host, SL_LIT("]"), 0);
    end = sl_view_find(host, SL_LIT(":"), bracket == SIZE_MAX ? 0 : bracket);
    if (end != SIZE_MAX)
        host.len = end;
    return host;
}

/*
 * SSL_CERT_FILE and SSL_CERT_DIR are what curl, git and Python users of a site
 * with its own authority set; libgit2 does not look at them by itself.
 */
static enum sl_status use_certificates(struct sl_error *error)
{
    const char *file = getenv("SSL_CERT_FILE");
    const char *folder = getenv("SSL_CERT_DIR");
    if (file && !*file)
        file = NULL;
    if (folder && !*folder)
        folder = NULL;
    if (file) /* the file is enough; a folder is slow to read whole */
        folder = NULL;
    if ((file || folder) &&
        git_libgit2_opts(GIT_OPT_SET_SSL_CERT_LOCATIONS, file, folder) != 0)
        return sl_error_set(error, SL_ERR_IO,
                            "cannot read certificates of %s '%s': %s",
                            file ? "SSL_CERT_FILE" : "SSL_CERT_DIR",
                            file ? file : folder, sl_git_reason());
    return SL_OK;
}

static int on_progress(const git_indexer_progress *stats, void *payload)
{
    struct fetch *fetch = payload;
    const struct sl_git_watch *watch = fetch->watch;
    if (sl_git_stopped(watch))
        return GIT_EUSER;
    if (stats->received_bytes > SL_MAX_FETCH_BYTES) {
        fetch->too_big = true;
        return GIT_EUSER;
    }
    if (watch && watch->show)
        watch->show(watch->context,
                    &(struct sl_git_progress){.phase = SL_GIT_RECEIVE,
                                              .done = stats->received_objects,
                                              .total = stats->total_objects,
                                              .bytes = stats->received_bytes});
    return 0;
}

/* What the server says while it packs; only a moment to look at the watch. */
static int on_sideband(const char *text, int len, void *payload)
{
    const struct fetch *fetch = payload;
    (void)text;
    (void)len;
    return sl_git_stopped(fetch->watch) ? GIT_EUSER : 0;
}

#define TRY_FROM "; with a copy on this machine use --from DIR"

/* One sentence for each way in which a server cannot be had. */
static enum sl_status failed(const struct fetch *fetch, int code,
                             bool connected, struct sl_error *error)
{
    const git_error *last = git_error_last();
    int class = last ? last->klass : GIT_ERROR_NONE;
    const char *why = sl_git_reason();
    struct sl_view host = sl_url_host(sl_view_of(fetch->url));
    host = sl_view_sub(host, 0, 100);
    if (sl_git_stopped(fetch->watch))
        return sl_error_set(error, SL_ERR_IO, "interrupted");
    if (fetch->too_big)
        return sl_error_set(error, SL_ERR_LIMIT,
                            "%.200s sends more than %u bytes", fetch->name,
                            SL_MAX_FETCH_BYTES);
    if (code == GIT_EAUTH)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%.*s asks for a password for %.150s: the "
                            "repository is private or not there" TRY_FROM,
                            SL_ARG(host), fetch->name);
    if (code == GIT_ECERTIFICATE || class == GIT_ERROR_SSL)
        return sl_error_set(error, SL_ERR_IO,
                            "no trusted connection to %.*s: %.150s (an "
                            "authority of your own site goes into "
                            "SSL_CERT_FILE)" TRY_FROM,
                            SL_ARG(host), why);
    if (connected)
        return sl_error_set(error, SL_ERR_IO,
                            "the download from %.150s broke off: %.150s; "
                            "nothing was kept, sync again" TRY_FROM,
                            fetch->name, why);
    if (class == GIT_ERROR_HTTP)
        return sl_error_set(error, SL_ERR_IO,
                            "%.*s does not serve %.150s: %.100s" TRY_FROM,
                            SL_ARG(host), fetch->name, why);
    /* libgit2 has no code for it; without this word the next text is as true */
    if (strstr(why, "resolve"))
        return sl_error_set(error, SL_ERR_IO,
                            "no network: the name %.*s cannot be resolved "
                            "(%.150s)" TRY_FROM,
                            SL_ARG(host), why);
    return sl_error_set(error, SL_ERR_IO,
                        "no network, or it does not reach %.*s: cannot "
                        "connect (%.150s)" TRY_FROM,
                        SL_ARG(host), why);
}

/*
 * The ref that leads to the pin: the tag when the server has it and it points
 * to the pin; *tag_out false when there is no such tag.
 */
static enum sl_status check_refs(const struct fetch *fetch, bool *tag_out,
                                 struct sl_error *error)
{
    const git_remote_head **heads;
    size_t count;
    int code = git_remote_ls(&heads, &count, fetch->remote);
    if (code != 0)
        return failed(fetch, code, true, error);
    git_oid wanted;
    if (git_oid_fromstr(&wanted, fetch->pin->commit) != 0)
        return sl_error_set(error, SL_ERR_USAGE, "'%.60s' is no commit id",
                            fetch->pin->commit);
    const git_oid *target = NULL;
    for (size_t i = 0; i < count; i++) {
        struct sl_view name = sl_view_of(heads[i]->name);
        if (!sl_view_starts(name, "refs/tags/"))
            continue;
        name = sl_view_sub(name, sizeof "refs/tags/" - 1, name.len);
        bool peeled = sl_view_ends(name, "^{}");
        if (peeled)
            name.len -= 3;
        if (sl_view_is(name, fetch->pin->tag) && (peeled || !target))
            target = &heads[i]->oid;
    }
    if (target && !git_oid_equal(target, &wanted))
        return sl_git_tag_moved(fetch->name, fetch->pin, target, error);
    *tag_out = target != NULL;
    return SL_OK;
}

/* Without the tag every branch and tag must travel to find the commit. */
static enum sl_status download(struct fetch *fetch, bool tag,
                               const git_fetch_options *options,
                               struct sl_error *error)
{
    char spec[256];
    int n = snprintf(spec, sizeof spec, "+refs/tags/%s:refs/tags/%s",
                     fetch->pin->tag, fetch->pin->tag);
    if (n < 0 || (size_t)n >= sizeof spec)
        return sl_error_set(error, SL_ERR_LIMIT, "tag name is too long");
    char heads[] = "+refs/heads/*:refs/heads/*";
    char tags[] = "+refs/tags/*:refs/tags/*";
    char *one[] = {spec};
    char *all[] = {heads, tags};
    git_strarray specs = {tag ? one : all, tag ? 1 : 2};
    int code = git_remote_download(fetch->remote, &specs, options);
    return code == 0 ? SL_OK : failed(fetch, code, true, error);
}

static enum sl_status run(struct fetch *fetch, git_repository *repo,
                          struct sl_error *error)
{
    git_remote_create_options create;
    git_fetch_options options;
    if (git_remote_create_options_init(&create,
                                       GIT_REMOTE_CREATE_OPTIONS_VERSION) ||
        git_fetch_options_init(&options, GIT_FETCH_OPTIONS_VERSION))
        return sl_error_set(error, SL_ERR_INTERNAL,
                            "this libgit2 is not the one we were built for");
    create.repository = repo;
    /* a user's insteadOf for pushing over ssh must not turn this into ssh */
    create.flags = GIT_REMOTE_CREATE_SKIP_INSTEADOF;
    if (git_remote_create_with_opts(&fetch->remote, fetch->url, &create) != 0)
        return sl_error_set(error, SL_ERR_USAGE, "'%.200s' is no URL: %.200s",
                            fetch->name, sl_git_reason());
    options.callbacks.transfer_progress = on_progress;
    options.callbacks.sideband_progress = on_sideband;
    options.callbacks.payload = fetch;
    options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
    options.proxy_opts.type = GIT_PROXY_AUTO;
    int code = git_remote_connect(fetch->remote, GIT_DIRECTION_FETCH,
                                  &options.callbacks, &options.proxy_opts,
                                  NULL);
    if (code != 0)
        return failed(fetch, code, false, error);
    bool tag = false;
    enum sl_status status = check_refs(fetch, &tag, error);
#if SL_GIT2_NEWER
    if (tag) /* an older libgit2 brings the tag's history too */
        options.depth = 1;
#endif
    if (!status)
        status = download(fetch, tag, &options, error);
    return status;
}

enum sl_status sl_git_fetch(const char *url, const char *name,
                            const char *folder, const struct sl_git_pin *pin,
                            const struct sl_git_watch *watch,
                            struct sl_git **git_out, struct sl_error *error)
{
    enum sl_status status = sl_git_start(error);
    if (status)
        return status;
    struct fetch fetch = {.url = url, .name = name, .pin = pin, .watch = watch};
#if SL_GIT2_NEWER
    git_libgit2_opts(GIT_OPT_SET_SERVER_CONNECT_TIMEOUT, SL_FETCH_CONNECT_MS);
    git_libgit2_opts(GIT_OPT_SET_SERVER_TIMEOUT, SL_FETCH_SILENCE_MS);
#endif
    git_repository *repo = NULL;
    struct sl_git *git = NULL;
    status = use_certificates(error);
    if (!status && git_repository_init(&repo, folder, 1) != 0)
        status = sl_error_set(error, SL_ERR_IO,
                              "cannot make a repository at %.200s: %.200s",
                              folder, sl_git_reason());
    if (!status)
        status = run(&fetch, repo, error);
    git_remote_free(fetch.remote);
    git_repository_free(repo);
    if (!status)
        status = sl_git_open_as(folder, name, &git, error);
    if (!status) {
        git->fetched = true;
        *git_out = git;
    }
    git_libgit2_shutdown();
    return status;
}
