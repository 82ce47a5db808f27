/*
 * Addresses of what is served:
 *
 *     shmemlore://section/STEM/SLUG       a section, STEM#SLUG
 *     shmemlore://source/ID               a pinned tree
 *     shmemlore://source/ID/PATH?lines=A-B  lines of it, ID:PATH:A-B
 *     shmemlore://symbol/NAME             a name of the API, a family or a glob
 *     shmemlore://env/NAME                a variable
 *     skill://SKILL/PATH                  a file of the skill
 *
 * Bytes other than letters, digits and - . _ ~ are percent-encoded.
 */
#ifndef SL_SERVE_URI_H
#define SL_SERVE_URI_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"

#define SL_URI "shmemlore://"

/* The same as templates (RFC 6570). */
#define SL_URI_OF_SECTION SL_URI "section/{file}/{slug}"
#define SL_URI_OF_SOURCE SL_URI "source/{source}"
#define SL_URI_OF_LINES SL_URI "source/{source}/{+path}?lines={lines}"
#define SL_URI_OF_SYMBOL SL_URI "symbol/{name}"
#define SL_URI_OF_ENV SL_URI "env/{name}"

enum sl_uri_kind {
    SL_URI_SECTION,
    SL_URI_SOURCE,
    SL_URI_LINES,
    SL_URI_SYMBOL,
    SL_URI_ENV,
    SL_URI_SKILL,
};

struct sl_uri {
    enum sl_uri_kind kind;
    struct sl_view ref; /* as `show` takes it; of a skill: SKILL/PATH */
};

void sl_uri_put_section(struct sl_buf *out, struct sl_view id);
void sl_uri_put_source(struct sl_buf *out, struct sl_view id);
/* citation: SOURCE:PATH:LINES, of that form */
void sl_uri_put_lines(struct sl_buf *out, struct sl_view citation);
void sl_uri_put_skill(struct sl_buf *out, struct sl_view skill,
                      struct sl_view path);

/*
 * SL_ERR_NOTFOUND for anything that is not of this form. ref lives in the arena.
 */
SL_CHECKED enum sl_status sl_uri_read(struct sl_arena *arena,
                                      struct sl_view text,
                                      struct sl_uri *uri_out,
                                      struct sl_error *error);

#endif
