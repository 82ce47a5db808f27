/* The skill that the knowledge base is, as MCP's skills extension has it. */
#ifndef SL_SERVE_SKILL_H
#define SL_SERVE_SKILL_H

#include "answer/corpus.h"
#include "base/buf.h"
#include "markdown/yaml.h"

struct sl_skill_file {
    struct sl_view path, bytes;
};

struct sl_skill {
    struct sl_view name;           /* empty: there is no skill to serve */
    const struct sl_yaml *front;   /* of SKILL.md */
    struct sl_skill_file *files;   /* by path; bytes by sl_skill_read() alone */
    size_t count;
};

/*
 * Paths and front matter; lives in the corpus's arena. A folder without a SKILL.md, or
 * with one that has no name, or with more than a host must accept, is no skill.
 */
SL_CHECKED enum sl_status sl_skill_load(struct sl_corpus *corpus,
                                        struct sl_skill *skill_out,
                                        struct sl_error *error);

/* {"uri":...,"name":...} of its SKILL.md, for a list of resources */
void sl_skill_put_resource(struct sl_buf *out, const struct sl_skill *skill);

/* ,"mimeType":...,"text":... of a file; path: SKILL/PATH. SL_ERR_NOTFOUND. */
SL_CHECKED enum sl_status sl_skill_put_file(struct sl_buf *out,
                                            struct sl_corpus *corpus,
                                            struct sl_view path,
                                            struct sl_error *error);

#endif
