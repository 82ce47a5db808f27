/* docs convert: pages to Markdown, one file each. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "helpers/docs/command.h"
#include "os/file.h"
#include "sphinx/convert.h"

static const char help_text[] =
    "Usage: shmemlore docs convert FILE [-o DIR]\n"
    "       shmemlore docs convert DIR -o DIR\n"
    "\n"
    "Sphinx HTML, of any theme, as Markdown for grep: each signature on one\n"
    "line of a fenced block below a heading with the symbol's name, and the\n"
    "page's anchors kept. Without -o the Markdown of one page goes to\n"
    "standard output. With it, page.html becomes page.md below the folder,\n"
    "which is made if it is not there; links between pages follow. Nothing is\n"
    "written outside of that folder, and a page that could not be converted\n"
    "leaves the file of an earlier run as it is. Text that is neither in the\n"
    "Markdown nor navigation is told on standard error, with its line.\n"
    "\n"
    "  -o, --output DIR  where to\n"
    "  -q, --quiet       no summary\n"
    "      --help        this text\n"
    "\n"
    "Examples:\n"
    "  shmemlore docs convert api.html | less\n"
    "  shmemlore docs convert build/html -o build/markdown\n"
    "  grep -rn -A4 '^#.* PyMem_Malloc$' build/markdown\n"
    "\n"
    "Exit status: 0 all converted, 2 any error. What is written how:\n"
    "docs/internals/docs-convert.md.\n";

#define SHOWN 60u /* bytes of text that is left out */

struct request {
    const char *input;
    const char *output; /* NULL: standard output */
    bool quiet;
    size_t pages, failed;
    struct sl_sphinx_counts sum;
};

/* What of the page is not in its Markdown. */
static void tell_left(const char *path, const struct sl_sphinx_left *left)
{
    struct sl_error what;
    if (!left->words)
        return;
    sl_error_set(&what, SL_ERR_NOTFOUND,
                 "line %u: warning: %zu word%s of the page %s not in the "
                 "Markdown, outside of its main part or in an element for "
                 "navigation; %zu of them here: %.*s",
                 left->line, left->words, left->words == 1 ? "" : "s",
                 left->words == 1 ? "is" : "are", left->most,
                 left->text.len > SHOWN ? (int)SHOWN : (int)left->text.len,
                 left->text.ptr);
    sl_docs_say_of(path, what.message);
}

static void add_counts(struct request *r, const struct sl_sphinx_counts *c)
{
    r->sum.signatures += c->signatures;
    r->sum.tables += c->tables;
    r->sum.code_blocks += c->code_blocks;
    r->sum.links += c->links;
    r->sum.images += c->images;
    r->sum.recovered += c->recovered;
}

/* One page's Markdown into md; the arena is the page's own. */
static enum sl_status convert_page(struct sl_arena *arena, const char *path,
                                   struct sl_buf *md,
                                   struct sl_sphinx_counts *counts_out,
                                   struct sl_error *error)
{
    struct sl_html html;
    enum sl_status status = sl_docs_read_page(arena, path, &html, error);
    if (!status)
        status = sl_sphinx_convert(arena, &html, md, counts_out, error);
    return sl_arena_explain(arena, status, error);
}

/* page.html -> OUTPUT/page.md, through no symbolic link. */
static enum sl_status write_page(struct request *r, struct sl_arena *arena,
                                 struct sl_view name, struct sl_view md,
                                 struct sl_error *error)
{
    struct sl_view stem = sl_view_sub(name, 0, name.len - strlen(".html"));
    char *to = sl_arena_alloc(arena, stem.len + 4);
    if (!to)
        return sl_error_nomem(error);
    memcpy(to, stem.ptr, stem.len);
    memcpy(to + stem.len, ".md", 3);
    struct sl_view relative = {to, stem.len + 3};
    enum sl_path_kind kind = sl_path_kind_beneath(r->output, relative);
    if (!sl_path_is_inside(relative) || kind == SL_PATH_LINK ||
        kind == SL_PATH_OTHER)
        return sl_error_set(error, SL_ERR_REFUSED,
                            "%.300s is reached through a symbolic link, or is "
                            "no file: not written",
                            to);
    char *path = sl_path_join(arena, r->output, relative);
    if (!path)
        return sl_error_nomem(error);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    enum sl_status status = sl_folder_make(path, error);
    *slash = '/';
    return status ? status : sl_file_write(path, md, error);
}

static void one_page(struct request *r, const char *path, struct sl_view name)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_arena arena;
    struct sl_buf md;
    sl_arena_init(&arena, SL_MAX_HTML_ARENA);
    sl_buf_init(&md, SL_MAX_DOCS_OUTPUT);
    struct sl_sphinx_counts counts;
    enum sl_status status = convert_page(&arena, path, &md, &counts, &error);
    bool done = !status;
    if (!status && r->output)
        status = write_page(r, &arena, name, sl_buf_view(&md), &error);
    else if (!status)
        done = sl_docs_flush(&md); /* which says why not */
    if (status)
        sl_docs_say_of(path, error.message);
    r->pages++;
    if (status || !done) {
        r->failed++;
    } else {
        add_counts(r, &counts);
        tell_left(path, &counts.left);
    }
    sl_buf_release(&md);
    sl_arena_release(&arena);
}

static void put_progress(const struct request *r, size_t done, size_t all)
{
    if (!r->quiet && isatty(STDERR_FILENO) && (done % 50 == 0 || done == all))
        fprintf(stderr, "\r%zu of %zu pages%s", done, all,
                done == all ? "\r\033[K" : "");
}

static enum sl_status all_pages(struct request *r, struct sl_arena *arena,
                                struct sl_error *error)
{
    struct sl_view *names;
    size_t count;
    if (!r->output)
        return sl_error_set(error, SL_ERR_USAGE,
                            "%.300s is a folder: say with -o where its pages "
                            "go",
                            r->input);
    enum sl_status status = sl_folder_list(
        arena, r->input, ".html", SL_MAX_DOCS_FILES, &names, &count, error);
    if (status)
        return status;
    if (!count)
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "there is no .html file below %.300s", r->input);
    status = sl_folder_make(r->output, error); /* or each page would say so */
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        char *path = sl_path_join(arena, r->input, names[i]);
        if (!path)
            return sl_error_nomem(error);
        one_page(r, path, names[i]);
        put_progress(r, i + 1, count);
    }
    return SL_OK;
}

static void put_summary(const struct request *r)
{
    fprintf(stderr,
            "%zu page%s, %zu failed: %zu signatures, %zu tables, %zu code "
            "blocks, %zu links, %zu images; %zu parameters named by the "
            "prototype\n",
            r->pages, r->pages == 1 ? "" : "s", r->failed,
            r->sum.signatures, r->sum.tables, r->sum.code_blocks,
            r->sum.links, r->sum.images, r->sum.recovered);
}

/* One page that was named itself. */
static enum sl_status named_page(struct request *r, struct sl_error *error)
{
    struct sl_view name = sl_view_of(r->input);
    const char *slash = strrchr(r->input, '/');
    if (slash)
        name = sl_view_of(slash + 1);
    if (!sl_path_exists(r->input))
        return sl_error_set(error, SL_ERR_NOTFOUND,
                            "there is no %.300s, or it cannot be looked at: "
                            "give a page, or a folder of pages",
                            r->input);
    if (r->output && !sl_view_ends(name, ".html"))
        return sl_error_set(error, SL_ERR_USAGE,
                            "%.300s: with -o a page's name ends in .html",
                            r->input);
    one_page(r, r->input, name);
    return SL_OK;
}

static int run(struct request *r)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_arena arena;
    sl_arena_init(&arena, SL_MAX_KB_ARENA);
    enum sl_status status = SL_OK;
    if (r->output && !*r->output)
        status = sl_error_set(&error, SL_ERR_USAGE,
                              "-o '': name a folder; . is this one");
    else if (sl_path_is_folder(r->input))
        status = all_pages(r, &arena, &error);
    else
        status = named_page(r, &error);
    if (status)
        sl_docs_say(error.message);
    else if (r->output && !r->quiet)
        put_summary(r);
    sl_arena_release(&arena);
    return status || r->failed ? SL_EXIT_ERROR : SL_EXIT_DONE;
}

int sl_docs_convert(int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct request r = {.input = NULL};
    opterr = 0; /* getopt would print the argument as it is */
    int option;
    while ((option = getopt_long(argc, argv, "ho:q", options, NULL)) != -1) {
        switch (option) {
        case 'o':
            r.output = optarg;
            break;
        case 'q':
            r.quiet = true;
            break;
        case 'h':
            return sl_docs_help(help_text);
        default:
            sl_docs_say_of(argv[optind - 1], "no option, or its value is "
                                             "missing; --help lists them");
            return SL_EXIT_ERROR;
        }
    }
    if (optind + 1 != argc) {
        sl_docs_say("convert: one file or one folder; --help tells more");
        return SL_EXIT_ERROR;
    }
    r.input = argv[optind];
    return run(&r);
}
