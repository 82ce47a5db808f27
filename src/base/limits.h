/*
 * Every cap of the program in one list. Bytes unless the name says otherwise.
 * A cap that is passed gives SL_ERR_LIMIT with the cap's value in the message.
 */
#ifndef SL_BASE_LIMITS_H
#define SL_BASE_LIMITS_H

/* knowledge base */
#define SL_MAX_MARKDOWN_FILE (1u << 20)
#define SL_MAX_KB_FILES 2048u
#define SL_MAX_KB_BYTES (64u << 20)
#define SL_MAX_KB_ARENA (512u << 20)
#define SL_MAX_SECTIONS 100000u
#define SL_MAX_SECTION_TEXT 3500u /* a longer section is two sections */
#define SL_MAX_WALK_DEPTH 16u
#define SL_MAX_PATH 1024u

/* Markdown guard: what cmark-gfm is allowed to see */
#define SL_MAX_TABLE_COLUMNS 64u
#define SL_MAX_TABLE_CELLS 200000u
#define SL_MAX_MARKER_RUN 64u /* leading container markers kept per line */
#define SL_MAX_MD_NODES 4000000u

/* YAML (front matter, sources.yaml) */
#define SL_MAX_FRONT_MATTER (256u << 10)
#define SL_MAX_YAML_NODES 20000u
#define SL_MAX_YAML_DEPTH 8u

/* search and answers */
#define SL_MAX_QUESTION (16u << 10)
#define SL_MAX_QUERY_TERMS 64u
#define SL_MAX_SPELLED 8u /* unknown names of a question, compared with all */
#define SL_MAX_TOKEN 128u
#define SL_MAX_RESULTS 50u
#define SL_MAX_SHOWN_IDS 1000u
#define SL_MAX_IMAGE (256u << 20)
#define SL_DEFAULT_BUDGET 4096u
#define SL_MIN_BUDGET 256u
#define SL_MAX_BUDGET (1u << 20)
#define SL_MAX_OUTPUT (64u << 20)

/* evidence */
#define SL_MAX_SOURCES 64u
#define SL_MAX_SOURCES_YAML (1u << 20)
#define SL_MAX_LOCK (128u << 20)
#define SL_MAX_MANIFEST (64u << 20)
#define SL_MAX_MANIFEST_LINES 8000000u
#define SL_MAX_CITED_LINES 400u
#define SL_MAX_CANDIDATES 4096u /* places of one line that a search looks at */
#define SL_MAX_LINE_NUMBER 10000000u
#define SL_MAX_RUN_RECORD (1u << 20)
#define SL_MAX_RUN_SOURCE (1u << 20)
#define SL_MAX_RUN_SOURCES 64u
#define SL_MAX_RUNS 10000u
#define SL_MAX_FAULTS 20000u /* kept in a report; the rest is counted */

/* trees of sources: what sync writes, show and verify read */
#define SL_MAX_TREE_FILES 100000u
#define SL_MAX_TREE_BYTES (1u << 30)
#define SL_MAX_TREE_DEPTH 64u
#define SL_MAX_TREE_FILE (64u << 20)
#define SL_MAX_FETCH_BYTES (1u << 30) /* what a server may send */
#define SL_FETCH_CONNECT_MS 30000     /* until a server answers */
#define SL_FETCH_SILENCE_MS 120000    /* until it says the next word */

#endif
