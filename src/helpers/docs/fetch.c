/* `docs fetch`: its help, its signals, its exit status. */
#include "helpers/docs/fetch.h"

#include <signal.h>
#include <string.h>

static const char help_text[] =
    "Usage: shmemlore docs fetch [OPTION...]\n"
    "\n"
    "Brings the vendor's pages about NVSHMEM's API to this machine, for your\n"
    "own use: they may not be given on. Reads robots.txt and the site's list\n"
    "of pages first, then one page after the other with a pause between. The\n"
    "same command goes on where an earlier one ended, and asks a complete\n"
    "copy's pages only for what has changed.\n"
    "\n"
    "      --release X       the archived pages of a release, such as 3.4.5\n"
    "                        (else the current ones)\n"
    "      --to DIR          folder for the pages and manifest.json\n"
    "                        (CACHE/docs/nvshmem-RELEASE)\n"
    "      --pause MIN-MAX   seconds between requests, drawn at random (2-5;\n"
    "                        1 is the least)\n"
    "      --max-pages N     ask for at most N pages in this run (2000)\n"
    "      --max-bytes N     receive at most N bytes of pages (268435456)\n"
    "      --timeout S       seconds that one answer may take (120)\n"
    "      --base URL        another Sphinx site's folder; with --to and\n"
    "      --allow-host HOST[:PORT]  a host that may be asked (repeatable)\n"
    "      --ca FILE         certificates to trust, PEM (SSL_CERT_FILE)\n"
    "      --json            one JSON object, schema shmemlore.docs-fetch/1\n"
    "  -q, --quiet           only faults\n"
    "      --help            this text\n"
    "\n"
    "Examples:\n"
    "  shmemlore docs fetch --release 3.4.5\n"
    "  shmemlore docs fetch --to pages --max-pages 20\n"
    "\n"
    "CACHE is $SHMEMLORE_CACHE, else $XDG_CACHE_HOME/shmemlore, else\n"
    "~/.cache/shmemlore. `shmemlore docs convert DIR/html -o DIR/markdown`\n"
    "makes Markdown of the pages. Exit status: 0 every page is there, 1 some\n"
    "are not or are doubtful, 2 error, 130 interrupted (the same command goes\n"
    "on).\n";

/* A handler can reach nothing else; only is_stopped() and the end read it. */
static volatile sig_atomic_t caught_signal;

static void on_signal(int number)
{
    caught_signal = number;
}

static bool is_stopped(void *context)
{
    (void)context;
    return caught_signal != 0;
}

/* The second of the same signal ends the process at once. */
static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal};
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        /* what nohup or a shell's background job ignores stays ignored */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    /* neither a peer that hangs up nor a full disk may end us amid a file */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

static int put_report(const struct sl_fetch_options *options,
                      const struct sl_fetch_report *report)
{
    struct sl_buf out;
    bool done = true;
    signal(SIGPIPE, SIG_DFL); /* the work is done: end as others do */
    sl_buf_init(&out, SL_MAX_OUTPUT);
    if (options->json)
        sl_fetch_put_json(&out, options, report);
    else if (!options->quiet)
        sl_fetch_put_text(&out, options, report);
    if (out.len)
        done = sl_docs_flush(&out);
    sl_buf_release(&out);
    if (!done)
        return SL_EXIT_ERROR;
    return report->left || report->failed || report->doubtful
               ? SL_EXIT_FINDINGS
               : SL_EXIT_DONE;
}

static int run(struct sl_arena *arena, const struct sl_fetch_options *options)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_fetch_report report;
    enum sl_status status =
        sl_fetch_run(arena, options, &report, &error);
    status = sl_arena_explain(arena, status, &error);
    if (status && !caught_signal)
        sl_docs_say(error.message);
    if (!caught_signal)
        return status ? SL_EXIT_ERROR : put_report(options, &report);
    if (!status) {
        struct sl_error text;
        sl_error_set(&text, SL_OK,
                     "interrupted: %zu of %zu pages are left; the same command "
                     "goes on",
                     report.left, report.pages);
        sl_docs_say(text.message);
    }
    return 128 + caught_signal;
}

int sl_docs_fetch(int argc, char **argv)
{
    struct sl_arena arena;
    struct sl_fetch_options options = {.stop = is_stopped};
    sl_arena_init(&arena, SL_MAX_DOC_ARENA);
    int code = SL_EXIT_ERROR;
    switch (sl_fetch_options(&arena, argc, argv, &options)) {
    case SL_FETCH_RUN:
        catch_signals();
        code = run(&arena, &options);
        break;
    case SL_FETCH_HELP:
        code = sl_docs_help(help_text);
        break;
    default:
        break;
    }
    sl_arena_release(&arena);
    return code;
}
