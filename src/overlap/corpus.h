/* A corpus: the files and folders that the user named, as prose. */
#ifndef SL_OVERLAP_CORPUS_H
#define SL_OVERLAP_CORPUS_H

#include "overlap/prose.h"

struct sl_corpus_file {
    const char *path; /* as it is printed and opened; NULL: standard input */
    enum sl_prose_kind kind;
    uint64_t bytes;
    const char *fault; /* why it cannot be read; NULL: not known of any */
};

struct sl_corpus {
    struct sl_arena *arena;
    struct sl_corpus_file *files;
    size_t count, cap;
    size_t skipped; /* files of folders that hold no prose of a known kind */
    uint64_t bytes;
    bool streamed;  /* standard input is among them: of unknown size */
    bool hyphens;   /* some line of what was read as plain text ends with one */
    bool join;      /* such words are read as one: the other reading */
    struct sl_prose_reader reader;
};

/*
 * Lists every file, in the order of the paths and of the names below them.
 * "-" is standard input, plain text. In folders, symbolic links and names that
 * begin with a dot are not followed, and what is no prose is counted and left
 * out; a folder nested too deep is a file with a fault; a file that is named and
 * is no text is an error. Reads the macros of LaTeX files. Release it, also after
 * an error.
 */
SL_CHECKED enum sl_status sl_corpus_list(struct sl_corpus *corpus_out,
                                         struct sl_arena *arena,
                                         char *const *paths, size_t count,
                                         struct sl_error *error);
void sl_corpus_release(struct sl_corpus *corpus);

/*
 * One file's prose, in one or more pieces; the words of the first continue
 * nothing. The piece is gone afterwards. Gives the status on which to stop.
 */
typedef enum sl_status sl_corpus_visit(void *context, size_t file,
                                       const struct sl_word_mark *marks,
                                       size_t mark_count, struct sl_view text,
                                       uint32_t line, bool first,
                                       struct sl_error *error);

/* Who is told of files that were left out, and how many there were. */
struct sl_faults {
    void (*tell)(void *context, const char *path,
                 const struct sl_error *error);
    void *context;
    size_t count;
};

/*
 * Shows visit every piece of every file. A file that cannot be read as what it
 * is (SL_ERR_LIMIT, SL_ERR_SYNTAX, SL_ERR_IO…) is told to faults and left out.
 */
SL_CHECKED enum sl_status sl_corpus_read(struct sl_corpus *corpus,
                                         sl_corpus_visit *visit, void *context,
                                         struct sl_faults *faults,
                                         struct sl_error *error);

#endif
