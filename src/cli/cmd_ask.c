#include "answer/ask.h"
#include "base/limits.h"
#include "cli/cli.h"
#include "cli/image.h"

struct options {
    struct sl_ask_options ask;
    const char *folder;
    const char *docs; /* other documents to ask beside it, or NULL */
    bool json;
};

/* 0: go on with the arguments from optind; else 1 + the exit status. */
static int read_options(int argc, char **argv, struct options *options)
{
    static const struct option table[] = {
        {"number", required_argument, NULL, 'n'},
        {"budget", required_argument, NULL, 'b'},
        {"kb", required_argument, NULL, 'k'},
        {"with-docs", required_argument, NULL, 'd'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int c;
    unsigned long value;
    while ((c = getopt_long(argc, argv, "n:b:h", table, NULL)) != -1) {
        switch (c) {
        case 'n':
            if (!sl_cli_number("-n", optarg, 1, 40, &value))
                return 1 + SL_EXIT_ERROR;
            options->ask.limit = value;
            break;
        case 'b':
            if (!sl_cli_number("--budget", optarg, SL_MIN_BUDGET,
                               SL_MAX_BUDGET, &value))
                return 1 + SL_EXIT_ERROR;
            options->ask.budget = value;
            break;
        case 'k':
            options->folder = optarg;
            break;
        case 'd':
            options->docs = optarg;
            break;
        case 'j':
            options->json = true;
            break;
        case 'h':
            return 1 + sl_cli_help("ask");
        default:
            return 1 + sl_cli_option("ask", argv[optind - 1]);
        }
    }
    return 0;
}

/* The arguments, joined by blanks: quotes around a question are optional. */
static void join(struct sl_buf *question, int argc, char **argv)
{
    sl_buf_init(question, SL_MAX_QUESTION);
    for (int i = optind; i < argc; i++) {
        if (i > optind)
            sl_buf_putc(question, ' ');
        sl_buf_puts(question, argv[i]);
    }
}

static int nothing(const struct options *options, struct sl_view question,
                   const struct sl_error *error)
{
    if (!options->json || error->status != SL_ERR_NOTFOUND)
        return sl_cli_fail(error);
    struct sl_buf out;
    sl_buf_init(&out, SL_MAX_OUTPUT);
    struct sl_answer none = {.question = question,
                             .budget = options->ask.budget};
    sl_answer_json(&out, NULL, &none);
    return sl_cli_print(&out, SL_EXIT_NOTHING);
}

static enum sl_status ask(struct sl_corpus *corpus, struct sl_corpus *docs,
                          const struct options *options,
                          struct sl_view question, struct sl_answer *answer_out,
                          struct sl_error *error)
{
    if (!options->docs)
        return sl_ask(corpus, question, &options->ask, answer_out, error);
    struct sl_error why = {SL_OK, ""};
    struct sl_kb_left left;
    if (sl_corpus_open_foreign(docs, options->docs, &left, &why))
        return sl_error_set(error, SL_ERR_IO,
                            "--with-docs: %.300s; it takes a folder of .md "
                            "files, such as `shmemlore docs convert -o` makes",
                            why.message);
    if (left.count)
        (void)sl_cli_usage("warning: --with-docs: %zu page%s left out; the "
                           "first: %.300s",
                           left.count, left.count == 1 ? "" : "s",
                           left.first.message);
    return sl_ask_with_docs(corpus, docs, question, &options->ask, answer_out,
                            error);
}

int sl_cmd_ask(int argc, char **argv)
{
    struct options options = {.ask = {3, SL_DEFAULT_BUDGET}};
    int stop = read_options(argc, argv, &options);
    if (stop)
        return stop - 1;
    if (optind == argc)
        return sl_cli_usage("ask what? `shmemlore ask QUESTION`");
    struct sl_error error = {SL_OK, ""};
    struct sl_corpus corpus = {0}, docs = {0};
    struct sl_answer answer;
    struct sl_buf question;
    join(&question, argc, argv);
    int result;
    if (sl_buf_check(&question, &error)) {
        result = sl_cli_usage("a question has at most %u bytes",
                              SL_MAX_QUESTION);
    } else if (sl_corpus_open(&corpus, options.folder, sl_image(), &error)) {
        (void)sl_cli_fail(&error);
        result = SL_EXIT_ERROR;
    } else if (ask(&corpus, &docs, &options, sl_buf_view(&question), &answer,
                   &error)) {
        result = nothing(&options, sl_buf_view(&question), &error);
    } else {
        struct sl_buf out;
        sl_buf_init(&out, SL_MAX_OUTPUT);
        if (options.json)
            sl_answer_json(&out, &corpus, &answer);
        else
            sl_answer_text(&out, &corpus, &answer);
        result = sl_cli_print(&out, SL_EXIT_FOUND);
    }
    sl_corpus_close(&docs);
    sl_corpus_close(&corpus);
    sl_buf_release(&question);
    return result;
}
