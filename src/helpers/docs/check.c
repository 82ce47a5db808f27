/* docs check: whether pages and their Markdown say the same. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "helpers/docs/command.h"
#include "os/file.h"
#include "sphinx/check.h"

static const char help_text[] =
    "Usage: shmemlore docs check HTML MD\n"
    "       shmemlore docs check HTML-DIR MD-DIR\n"
    "\n"
    "Reads a page and its Markdown, each by itself, and compares words,\n"
    "signatures, tables cell by cell, code blocks with their languages, links\n"
    "with their targets, images and anchors. Prints what differs and where, a\n"
    "line for each side, then how many of each there are on both. Given two\n"
    "folders, it does so for every .html file of the first. Text outside of\n"
    "what both sides read is a difference, unless it is navigation; how many\n"
    "words that has is told at the end, with the largest piece of it.\n"
    "\n"
    "  -q, --quiet  only the counts\n"
    "      --help   this text\n"
    "\n"
    "Example:\n"
    "  shmemlore docs convert api.html -o out\n"
    "  shmemlore docs check api.html out/api.md\n"
    "\n"
    "Exit status: 0 the same, 1 something differs, 2 error.\n";

struct request {
    bool quiet;
    size_t pages, read, equal, failed;
    struct sl_check sum;
    char most[SL_MAX_PATH]; /* where the most is left out as navigation */
};

static void add_up(struct sl_check_counts *sum, const struct sl_check_counts *c)
{
    sum->tables += c->tables;
    sum->cells += c->cells;
    sum->code_blocks += c->code_blocks;
    sum->signatures += c->signatures;
    sum->parameters += c->parameters;
    sum->links += c->links;
    sum->images += c->images;
    sum->anchors += c->anchors;
    sum->words += c->words;
}

static void add_navigation(struct request *r, const struct sl_check_left *left,
                           const char *path)
{
    struct sl_check_left *sum = &r->sum.navigation;
    sum->words += left->words;
    if (left->most <= sum->most)
        return;
    sum->most = left->most;
    snprintf(r->most, sizeof r->most, "%s:%u: <%.*s>", path, left->line,
             SL_ARG(left->name));
}

static enum sl_status check_page(struct request *r, struct sl_arena *arena,
                                 const char *html_path, const char *md_path,
                                 struct sl_buf *report, struct sl_error *error)
{
    struct sl_view markdown;
    struct sl_html html;
    struct sl_check check;
    enum sl_status status = sl_docs_read_page(arena, html_path, &html, error);
    if (!status)
        status = sl_file_read(arena, md_path, SL_MAX_DOCS_OUTPUT, &markdown,
                              error);
    if (!status)
        status = sl_sphinx_check(arena, &html, markdown, html_path, md_path,
                                 report, &check, error);
    status = sl_arena_explain(arena, status, error);
    if (status)
        return status;
    add_navigation(r, &check.navigation, html_path);
    r->read++;
    r->equal += check.differences == 0;
    add_up(&r->sum.html, &check.html);
    add_up(&r->sum.markdown, &check.markdown);
    r->sum.recovered += check.recovered;
    r->sum.escaped += check.escaped;
    r->sum.differences += check.differences;
    return SL_OK;
}

static void one_page(struct request *r, const char *html_path,
                     const char *md_path)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_arena arena;
    struct sl_buf report;
    sl_arena_init(&arena, 2 * (size_t)SL_MAX_HTML_ARENA);
    sl_buf_init(&report, SL_MAX_OUTPUT);
    r->pages++;
    if (check_page(r, &arena, html_path, md_path, &report, &error)) {
        r->failed++;
        sl_docs_say_of(html_path, error.message);
    } else if (!r->quiet && report.len && !sl_docs_flush(&report)) {
        r->failed++;
    }
    sl_buf_release(&report);
    sl_arena_release(&arena);
}

static enum sl_status all_pages(struct request *r, struct sl_arena *arena,
                                const char *html, const char *md,
                                struct sl_error *error)
{
    struct sl_view *names;
    size_t count;
    enum sl_status status = sl_folder_list(
        arena, html, ".html", SL_MAX_DOCS_FILES, &names, &count, error);
    if (!status && !count)
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "there is no .html file below %.300s, so nothing "
                              "was checked",
                              html);
    if (!status && !sl_path_is_folder(md))
        status = sl_error_set(error, SL_ERR_NOTFOUND,
                              "%.300s is a folder, %.300s is none: give the "
                              "folder that docs convert wrote",
                              html, md);
    for (size_t i = 0; i < count && !status; i++) {
        struct sl_buf name;
        sl_buf_init(&name, SL_MAX_PATH);
        sl_buf_add(&name, sl_view_sub(names[i], 0, names[i].len - 5));
        sl_buf_puts(&name, ".md");
        const char *page = sl_path_join(arena, html, names[i]);
        const char *text = sl_path_join(arena, md, sl_buf_view(&name));
        sl_buf_release(&name);
        if (!page || !text)
            return sl_error_nomem(error);
        one_page(r, page, text);
    }
    return status;
}

static bool put_counts(const struct request *r)
{
    const struct sl_check_counts *h = &r->sum.html, *m = &r->sum.markdown;
    const struct {
        const char *what;
        size_t html, markdown;
    } rows[] = {
        {"pages", r->pages, r->read},
        {"signatures", h->signatures, m->signatures},
        {"parameters", h->parameters, m->parameters},
        {"tables", h->tables, m->tables},
        {"cells", h->cells, m->cells},
        {"code blocks", h->code_blocks, m->code_blocks},
        {"links", h->links, m->links},
        {"images", h->images, m->images},
        {"anchors", h->anchors, m->anchors},
        {"words", h->words, m->words},
    };
    struct sl_buf out;
    sl_buf_init(&out, 1u << 16);
    sl_buf_printf(&out, "%-12s %10s %10s\n", "", "HTML", "Markdown");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        sl_buf_printf(&out, "%-12s %10zu %10zu\n", rows[i].what, rows[i].html,
                      rows[i].markdown);
    sl_buf_printf(&out,
                  "%zu of %zu pages the same, %zu differences; %zu escaped "
                  "underscores; %zu parameters named by the prototype\n",
                  r->equal, r->pages, r->sum.differences,
                  r->sum.escaped, r->sum.recovered);
    if (r->sum.navigation.words)
        sl_buf_printf(&out,
                      "not compared, as navigation: %zu words, the most in one "
                      "place %zu: %s\n",
                      r->sum.navigation.words, r->sum.navigation.most,
                      r->most);
    bool done = sl_docs_flush(&out);
    sl_buf_release(&out);
    return done;
}

static int run(struct request *r, const char *html, const char *md)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_arena arena;
    sl_arena_init(&arena, SL_MAX_KB_ARENA);
    enum sl_status status = SL_OK;
    if (!sl_path_exists(html))
        status = sl_error_set(&error, SL_ERR_NOTFOUND,
                              "there is no %.300s, or it cannot be looked at: "
                              "nothing was checked",
                              html);
    else if (sl_path_is_folder(html))
        status = all_pages(r, &arena, html, md, &error);
    else
        one_page(r, html, md);
    if (status)
        sl_docs_say(error.message);
    bool done = status || put_counts(r);
    sl_arena_release(&arena);
    if (status || r->failed || !done)
        return SL_EXIT_ERROR;
    return r->sum.differences ? SL_EXIT_FINDINGS : SL_EXIT_DONE;
}

int sl_docs_check(int argc, char **argv)
{
    static const struct option options[] = {
        {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct request r = {.quiet = false};
    opterr = 0; /* getopt would print the argument as it is */
    int option;
    while ((option = getopt_long(argc, argv, "hq", options, NULL)) != -1) {
        switch (option) {
        case 'q':
            r.quiet = true;
            break;
        case 'h':
            return sl_docs_help(help_text);
        default:
            sl_docs_say_of(argv[optind - 1],
                           "no such option; --help lists them");
            return SL_EXIT_ERROR;
        }
    }
    if (optind + 2 != argc) {
        sl_docs_say("check: a page and its Markdown; --help tells more");
        return SL_EXIT_ERROR;
    }
    return run(&r, argv[optind], argv[optind + 1]);
}
