/*
 * What questions are answered from: an index with its evidence files, either
 * embedded in the program or read from a folder.
 */
#ifndef SL_ANSWER_CORPUS_H
#define SL_ANSWER_CORPUS_H

#include "answer/pack.h"
#include "api/symbols.h"
#include "base/arena.h"
#include "base/status.h"
#include "cite/sources.h"
#include "kb/kb.h"
#include "search/index.h"

struct sl_corpus {
    struct sl_arena arena;     /* of sources and of what answers return */
    struct sl_index *index;
    struct sl_pack pack;       /* of the embedded image, also beside a folder */
    struct sl_sources sources; /* may be empty (a folder without evidence) */
    const char *from;          /* the folder, or NULL for the embedded one */
};

/*
 * Opens the folder: a project root (with skills/nvshmem and evidence), or the
 * skill's folder alone. folder NULL opens the image. A folder without evidence
 * takes sources and lock from the image, if there is one.
 */
SL_CHECKED enum sl_status sl_corpus_open(struct sl_corpus *corpus,
                                         const char *folder,
                                         struct sl_view image,
                                         struct sl_error *error);

/*
 * Opens somebody else's folder: its Markdown alone, whatever else is in it. It has
 * no evidence, and its citations lead nowhere. *left_out: pages that it lacks.
 */
SL_CHECKED enum sl_status sl_corpus_open_foreign(struct sl_corpus *corpus,
                                                 const char *folder,
                                                 struct sl_kb_left *left_out,
                                                 struct sl_error *error);
void sl_corpus_close(struct sl_corpus *corpus);

/*
 * A table of evidence (evidence/symbols.tsv and the like), of the folder or else of the
 * image; SL_ERR_NOTFOUND when neither has it.
 */
SL_CHECKED enum sl_status sl_corpus_read(struct sl_corpus *corpus,
                                         const char *path,
                                         struct sl_view *bytes_out,
                                         struct sl_error *error);

/* The tables of names, unparsed; SL_ERR_USAGE when there are none. */
SL_CHECKED enum sl_status sl_corpus_symbols(struct sl_corpus *corpus,
                                            struct sl_symbols_text *text_out,
                                            struct sl_error *error);

/*
 * The line manifest of a source (evidence/lines/ID.lines), of the folder or else of the
 * image; SL_ERR_NOTFOUND when neither has it. Its commit need not be the source's.
 */
SL_CHECKED enum sl_status sl_corpus_manifest(struct sl_corpus *corpus,
                                             struct sl_view source,
                                             struct sl_view *bytes_out,
                                             struct sl_error *error);

/* The release of NVSHMEM whose tree is pinned, such as 3.4.5; empty: none is. */
struct sl_view sl_corpus_release(const struct sl_corpus *corpus);

/* Indexes a project root for embedding; appends to *image. */
SL_CHECKED enum sl_status sl_corpus_image(const char *root,
                                          struct sl_buf *image,
                                          struct sl_error *error);

#endif
