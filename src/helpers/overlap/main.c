/*
 * shmemlore-overlap: runs of words that two corpora of prose share. A program
 * of its own, since it reads HTML and only the helpers link libxml2;
 * `shmemlore overlap ...` runs it.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "helpers/overlap/command.h"
#include "os/file.h"
#include "os/std.h"

enum { DEFAULT_N = 10 };

static const char help_text[] =
    "Usage: shmemlore overlap [-n N] [--json] OURS... THEIRS\n"
    "       shmemlore overlap [-n N] [--json] --against FILTER OURS...\n"
    "       shmemlore overlap [-n N] --publish FILTER CORPUS...\n"
    "       shmemlore overlap --prose CORPUS...\n"
    "\n"
    "Runs of N words or more (10) that stand in both corpora, as long as they\n"
    "go, each with its places. A corpus is a file or a folder; - is standard\n"
    "input, plain text. Compared is prose alone: Markdown, HTML, LaTeX, plain\n"
    "text, the comments of C, C++ and CUDA, the comments and doc strings of\n"
    "Python. Code, lists of names, citations and markup are left out; case,\n"
    "punctuation, line breaks and the Unicode form do not matter.\n"
    "\n"
    "  -n, --words N     the shortest run that is told (4 to 64)\n"
    "  --publish FILTER  write hashes of the corpus to this file, from which\n"
    "                    others can compare without its text (N from 9 on)\n"
    "  --against FILTER  compare with such a file: no run is lost\n"
    "  --prose           print what would be compared, with lines\n"
    "  --json            one JSON object, schema shmemlore.overlap/1\n"
    "  --help            this text\n"
    "\n"
    "Examples:\n"
    "  shmemlore overlap README.md docs ~/vendor-pages\n"
    "  shmemlore overlap -n 12 docs /usr/include/nvshmem\n"
    "  pdftotext book.pdf - | shmemlore overlap docs -\n"
    "  shmemlore overlap --publish spec.filter specification/content\n"
    "  shmemlore overlap --against spec.filter docs\n"
    "\n"
    "Exit status: 0 nothing in common, 1 some run, 2 any fault; a side that\n"
    "has no word is one.\n";

enum { OPT_PUBLISH = 256, OPT_AGAINST, OPT_PROSE, OPT_JSON };

static int complain(const struct sl_error *error)
{
    sl_overlap_say(error->message);
    return SL_EXIT_ERROR;
}

static bool take_number(const char *text, struct sl_request *request)
{
    uint64_t value;
    if (!sl_view_number(sl_view_of(text), SL_MAX_GRAM, &value) ||
        value < SL_MIN_GRAM)
        return false;
    request->n = (unsigned)value;
    request->has_n = true;
    return true;
}

static bool take_option(int option, struct sl_request *request)
{
    switch (option) {
    case 'n':
        if (take_number(optarg, request))
            return true;
        sl_overlap_say("-n takes a number of words from 4 to 64");
        return false;
    case OPT_PUBLISH:
        request->publish = optarg;
        return true;
    case OPT_AGAINST:
        request->against = optarg;
        return true;
    case OPT_PROSE:
        request->prose = true;
        return true;
    case OPT_JSON:
        request->json = true;
        return true;
    default:
        sl_overlap_say("there is no such option, or its argument is missing; "
                       "--help tells them");
        return false;
    }
}

static bool fits(const struct sl_request *request)
{
    int modes = (request->publish != NULL) + (request->against != NULL) +
                request->prose;
    size_t least = modes ? 1 : 2;
    if (modes > 1)
        sl_overlap_say("--publish, --against and --prose exclude each other");
    else if (request->path_count < least)
        sl_overlap_say(modes ? "which corpus? --help tells the arguments"
                             : "two corpora are compared: OURS and THEIRS; "
                               "--help tells more");
    else if (request->publish && request->n <= SL_MIN_FILTER_GRAM)
        sl_overlap_say("a filter of runs below 9 words could be read back by "
                       "guessing: -n 9 or more");
    else
        return true;
    return false;
}

/* False: *status_out is the exit status. */
static bool read_arguments(int argc, char **argv, struct sl_request *request,
                           int *status_out)
{
    static const struct option options[] = {
        {"words", required_argument, NULL, 'n'},
        {"publish", required_argument, NULL, OPT_PUBLISH},
        {"against", required_argument, NULL, OPT_AGAINST},
        {"prose", no_argument, NULL, OPT_PROSE},
        {"json", no_argument, NULL, OPT_JSON},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;
    opterr = 0;
    *status_out = SL_EXIT_ERROR;
    while ((option = getopt_long(argc, argv, "hn:", options, NULL)) != -1) {
        if (option == 'h') {
            bool done = fputs(help_text, stdout) >= 0 && fflush(stdout) == 0;
            *status_out = done ? 0 : SL_EXIT_ERROR;
            return false;
        }
        if (!take_option(option, request))
            return false;
    }
    request->paths = argv + optind;
    request->path_count = (size_t)(argc - optind);
    return fits(request);
}

static void tell_fault(void *context, const char *path,
                       const struct sl_error *error)
{
    struct sl_error whole;
    (void)context;
    bool named = strstr(error->message, path) != NULL;
    sl_error_set(&whole, error->status, "%s%s%s (left out)",
                 named ? "" : path, named ? "" : ": ", error->message);
    sl_overlap_say(whole.message);
}

struct session {
    const struct sl_request *request;
    struct sl_arena arena;
    struct sl_faults faults;
    struct sl_buf out;
};

/* A side without a word has nothing in common with anything: no verdict. */
static bool is_empty(const struct sl_report *report)
{
    bool ours = !report->our_words;
    size_t files = ours ? report->our_files : report->their_files;
    struct sl_error error;
    if (report->our_words && report->their_words)
        return false;
    sl_error_set(&error, SL_ERR_NOTFOUND,
                 "%s has no word of prose (%zu file%s read, %zu of no kind "
                 "that holds prose): nothing was compared; --prose prints "
                 "what is",
                 ours ? "OURS" : "THEIRS", files, files == 1 ? "" : "s",
                 report->skipped);
    (void)complain(&error);
    return true;
}

/* Prints a report; a file that was left out is a fault all the same. */
static int put_report(struct session *s, const struct sl_report *report)
{
    const struct sl_request *request = s->request;
    if (is_empty(report))
        return SL_EXIT_ERROR;
    (request->json ? sl_overlap_json : sl_overlap_text)(&s->out, report,
                                                        request->against);
    if (!sl_overlap_flush(&s->out) || s->faults.count)
        return SL_EXIT_ERROR;
    return report->count || report->more ? SL_EXIT_OVERLAP : SL_EXIT_NONE;
}

static void tell_nothing(void *context, const char *path,
                         const struct sl_error *error)
{
    (void)context;
    (void)path;
    (void)error;
}

/*
 * A hyphen at a line's end is of the word or of the line, which nobody can tell:
 * where there are such, the corpora are read again with the halves joined.
 */
static enum sl_status compare_joined(struct session *s, struct sl_corpus *ours,
                                     struct sl_corpus *theirs,
                                     struct sl_held *held,
                                     struct sl_report *report,
                                     struct sl_error *error)
{
    struct sl_faults told = {.tell = tell_nothing};
    struct sl_report other = {.n = 0};
    bool streamed = ours->streamed || theirs->streamed;
    if (streamed || (!ours->hyphens && !theirs->hyphens))
        return SL_OK;
    ours->join = theirs->join = true;
    enum sl_status status =
        sl_report_compare(&s->arena, ours, theirs, s->request->n, &told, held,
                          &other, error);
    return status ? status
                  : sl_report_add(&s->arena, report, &other, error);
}

static int compare(struct session *s)
{
    const struct sl_request *request = s->request;
    size_t last = request->path_count - 1;
    struct sl_corpus ours, theirs = {.files = NULL};
    struct sl_held held = {.n = 0}, joined = {.n = 0};
    struct sl_report report = {.n = 0};
    struct sl_error error;
    enum sl_status status =
        sl_corpus_list(&ours, &s->arena, request->paths, last, &error);
    if (!status)
        status = sl_corpus_list(&theirs, &s->arena, request->paths + last, 1,
                                &error);
    if (!status)
        status = sl_report_compare(&s->arena, &ours, &theirs, request->n,
                                   &s->faults, &held, &report, &error);
    if (!status)
        status = compare_joined(s, &ours, &theirs, &joined, &report, &error);
    int result = status ? complain(&error) : put_report(s, &report);
    sl_held_release(&held);
    sl_held_release(&joined);
    sl_corpus_release(&ours);
    sl_corpus_release(&theirs);
    return result;
}

static enum sl_status load_filter(struct session *s, struct sl_filter *filter,
                                  struct sl_error *error)
{
    struct sl_view bytes;
    struct sl_error inner;
    const char *path = s->request->against;
    enum sl_status status =
        sl_file_read(&s->arena, path, SL_MAX_FILTER_BYTES, &bytes, error);
    if (status)
        return status;
    status = sl_filter_parse(bytes, filter, &inner);
    return status ? sl_error_set(error, status, "%s: %s", path, inner.message)
                  : SL_OK;
}

static int against(struct session *s)
{
    const struct sl_request *request = s->request;
    struct sl_filter filter = {.cells = NULL};
    struct sl_corpus ours = {.files = NULL};
    struct sl_held held = {.n = 0}, joined = {.n = 0};
    struct sl_report report = {.n = 0};
    struct sl_error error;
    enum sl_status status = load_filter(s, &filter, &error);
    if (!status)
        status = sl_corpus_list(&ours, &s->arena, request->paths,
                                request->path_count, &error);
    if (!status)
        status = sl_report_against(&s->arena, &ours, &filter,
                                   request->has_n ? request->n : filter.n,
                                   &s->faults, &held, &report, &error);
    if (!status && ours.hyphens && !ours.streamed) {
        struct sl_faults told = {.tell = tell_nothing};
        struct sl_report other = {.n = 0};
        ours.join = true; /* see compare_joined() */
        status = sl_report_against(&s->arena, &ours, &filter, report.n, &told,
                                   &joined, &other, &error);
        if (!status)
            status = sl_report_add(&s->arena, &report, &other, &error);
    }
    int result = status ? complain(&error) : put_report(s, &report);
    sl_held_release(&held);
    sl_held_release(&joined);
    sl_corpus_release(&ours);
    sl_filter_release(&filter);
    return result;
}

static int publish(struct session *s)
{
    const struct sl_request *request = s->request;
    struct sl_filter filter = {.cells = NULL};
    struct sl_corpus corpus;
    struct sl_error error = {SL_OK, ""};
    enum sl_status status = sl_corpus_list(&corpus, &s->arena, request->paths,
                                           request->path_count, &error);
    if (!status)
        status = sl_filter_build(&filter, &corpus, request->n, &s->faults,
                                 &error);
    /* a filter that lacks a file would say of it what nobody has looked at */
    if (!status && s->faults.count)
        status = sl_error_set(&error, SL_ERR_REFUSED,
                              "nothing was written: %zu files could not be "
                              "read",
                              s->faults.count);
    if (!status) {
        sl_filter_write(&s->out, &filter);
        status = sl_buf_check(&s->out, &error);
    }
    if (!status)
        status = sl_file_write(request->publish, sl_buf_view(&s->out), &error);
    size_t bytes = s->out.len;
    sl_buf_truncate(&s->out, 0);
    sl_corpus_release(&corpus);
    sl_filter_release(&filter);
    if (status)
        return complain(&error);
    sl_buf_printf(&s->out,
                  "%s: %llu words in %u files, %llu different runs of %u "
                  "words, %zu bytes\n",
                  request->publish, (unsigned long long)filter.words,
                  filter.files, (unsigned long long)filter.grams,
                  filter.n - 1, bytes);
    return sl_overlap_flush(&s->out) ? SL_EXIT_NONE : SL_EXIT_ERROR;
}

struct listing {
    struct session *session;
    const struct sl_corpus *corpus;
    uint32_t line; /* that is being written; 0: none */
};

/* PATH:LINE: WORDS, as they are compared; a line --- where a run ends. */
static enum sl_status list_words(void *context, size_t file,
                                 const struct sl_word_mark *marks,
                                 size_t mark_count, struct sl_view text,
                                 uint32_t line, bool first,
                                 struct sl_error *error)
{
    struct listing *list = context;
    struct sl_buf *out = &list->session->out;
    const char *path = list->corpus->files[file].path;
    struct sl_words words;
    struct sl_word word;
    sl_words_open(&words, text, line, marks, mark_count);
    words.fresh = first;
    while (sl_words_next(&words, &word)) {
        if (word.fresh || word.line != list->line) {
            sl_buf_puts(out, list->line ? "\n" : "");
            sl_buf_puts(out, word.fresh && list->line ? "---\n" : "");
            sl_buf_printf(out, "%s:%u:", path ? path : "-", word.line);
            list->line = word.line;
        }
        size_t begin = out->len + 1;
        sl_buf_putc(out, ' ');
        sl_buf_add(out, sl_view_sub(text, word.begin, word.end));
        if (!out->failed)
            sl_plain(out->ptr + begin, out->len - begin);
        if (out->len > (1u << 20) && !sl_overlap_flush(out))
            return sl_error_set(error, SL_ERR_IO, "the prose was cut short");
    }
    return sl_buf_check(out, error);
}

static int prose(struct session *s)
{
    struct sl_corpus corpus;
    struct sl_error error;
    struct listing list = {.session = s, .corpus = &corpus};
    enum sl_status status =
        sl_corpus_list(&corpus, &s->arena, s->request->paths,
                       s->request->path_count, &error);
    if (!status)
        status = sl_corpus_read(&corpus, list_words, &list, &s->faults,
                                &error);
    sl_corpus_release(&corpus);
    if (status)
        return complain(&error);
    sl_buf_puts(&s->out, list.line ? "\n" : "");
    return sl_overlap_flush(&s->out) && !s->faults.count ? SL_EXIT_NONE
                                                         : SL_EXIT_ERROR;
}

int main(int argc, char **argv)
{
    struct sl_request request = {.n = DEFAULT_N};
    struct session session = {.request = &request,
                              .faults = {.tell = tell_fault}};
    int status;
    (void)signal(SIGPIPE, SIG_DFL); /* a reader that has enough ends us */
    if (!sl_std_open())
        return SL_EXIT_ERROR;
    if (!read_arguments(argc, argv, &request, &status))
        return status;
    sl_arena_init(&session.arena, SL_MAX_OVERLAP_ARENA);
    sl_buf_init(&session.out, SL_MAX_FILTER_BYTES);
    if (request.publish)
        status = publish(&session);
    else if (request.against)
        status = against(&session);
    else if (request.prose)
        status = prose(&session);
    else
        status = compare(&session);
    sl_buf_release(&session.out);
    sl_arena_release(&session.arena);
    return status;
}
