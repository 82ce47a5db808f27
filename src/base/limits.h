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
#define SL_MAX_FLAT_CELLS 1000000u /* where all of a text is read, inlines too */

/* YAML (front matter, sources.yaml) */
#define SL_MAX_FRONT_MATTER (256u << 10)
#define SL_MAX_YAML_NODES 20000u
#define SL_MAX_YAML_DEPTH 8u

/* HTML pages */
#define SL_MAX_HTML_FILE (16u << 20)
#define SL_MAX_HTML_NODES 4000000u
#define SL_MAX_HTML_DEPTH 1024u
#define SL_MAX_HTML_ATTRIBUTES 256u /* of one tag: libxml2 compares all pairs */
#define SL_MAX_HTML_FAULTS 200000u  /* in the markup: a message is made of each */
#define SL_MAX_HTML_ARENA (512u << 20)
#define SL_MAX_DOCS_OUTPUT (64u << 20) /* Markdown of one page */
#define SL_MAX_DOCS_COLUMNS 1000u      /* as HTML has it */
#define SL_MAX_DOCS_NUMBER 99999999u   /* of an item; Markdown: 9 digits */
#define SL_MAX_DOCS_PARAMETERS 256u    /* of a prototype, that are named */
#define SL_MAX_DOCS_FILES 100000u
#define SL_MAX_DOCS_DIFFERENCES 20u /* that a check prints; the rest is counted */

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

/* mcp: what a client may send, and what it gets */
#define SL_MAX_MCP_MESSAGE (4u << 20) /* one line; parsed it takes 20 times that */
#define SL_MAX_MCP_ANSWER (16u << 20)
#define SL_MCP_CHUNK (64u << 10) /* read at a time; buffers above it are not kept */
#define SL_MAX_MCP_QUEUE 256u     /* messages read ahead of the one in work */
#define SL_MAX_MCP_QUEUE_BYTES (1u << 20)
#define SL_MAX_MCP_READS 32u /* chunks read ahead before an answer is written */
#define SL_MAX_MCP_BATCH 100u  /* messages of a batch */
#define SL_MAX_MCP_LISTENS 16u /* subscriptions open at once */
#define SL_MAX_MCP_ASKS 8u     /* requests that wait for the client's answers */
#define SL_MAX_MCP_QUESTIONS 8u /* of one of them */
#define SL_MAX_MCP_SCHEMA_DEPTH 8u /* of a tool's definition, ours */
#define SL_MAX_MCP_LOGS 20u        /* faults of a client that are logged */
#define SL_MAX_MCP_MEMOS 16u       /* answers that are kept */
#define SL_MAX_MCP_MEMO (32u << 10) /* each of their parts */
#define SL_MCP_PAGE 200u           /* entries of a list */
#define SL_MAX_MCP_LINKS 6u        /* of an answer to its evidence */
#define SL_MAX_MCP_ROOTS 16u
#define SL_MAX_COMPLETIONS 100u /* the protocol's own limit */
#define SL_MAX_SKILL_FILES 512u
#define SL_MAX_SKILL_FOLDERS 512u
#define SL_MAX_SKILL_BYTES (16u << 20)
#define SL_MAX_SKILL_MENTIONS 100000u /* links and file names of a skill */
#define SL_MAX_SKILL_ANCHORS 100000u
#define SL_MAX_SKILL_GUIDE (8u << 10) /* the index block */
#define SL_MAX_SKILL_HOST (4u << 20) /* the file that it is put into */
#define SL_MAX_SKILL_ARENA (512u << 20) /* skill check: files, blocks, findings */

/* evidence */
#define SL_MAX_SOURCES 64u
#define SL_MAX_SOURCES_YAML (1u << 20)
#define SL_MAX_LOCK (128u << 20)
#define SL_MAX_SUMS (16u << 10) /* evidence/SHA256SUMS */
#define SL_MAX_MANIFEST (64u << 20)
#define SL_MAX_MANIFEST_LINES 8000000u
#define SL_MAX_CITED_LINES 400u
#define SL_MAX_CANDIDATES 4096u /* places of one line that a search looks at */
#define SL_MAX_LINE_NUMBER 10000000u
#define SL_MAX_DRIFT_CELLS (1u << 21) /* pairs of lines that are weighed at once */
#define SL_MAX_DRIFT_LINES (64u << 20)   /* --lines: a file of regions */
#define SL_MAX_DRIFT_OUTPUT (512u << 20) /* one line for each of them */
#define SL_MAX_RUN_RECORD (1u << 20)
#define SL_MAX_RUN_SOURCE (1u << 20)
#define SL_MAX_RUN_SOURCES 64u
#define SL_MAX_RUNS 10000u
#define SL_MAX_FAULTS 20000u /* kept in a report; the rest is counted */

/* syntax trees and the usage index */
#define SL_MAX_PARSE_BYTES (4u << 20) /* a tree takes 100 to 300 times that */
#define SL_MAX_PARSE_MS 20000u /* one file; a hang is a fault, not a figure */
#define SL_MAX_TREE_NESTING (1u << 19)
#define SL_MAX_USAGE_ARENA (128u << 20) /* uses of all sources together */
#define SL_MAX_FILE_ARENA (64u << 20)   /* one file, while it is read */
#define SL_MAX_IF_DEPTH 256u
#define SL_MAX_SCOPE_STEPS 1024u /* nodes looked at around a word */
#define SL_MAX_FILE_USES 200000u
#define SL_MAX_INCLUDES 2000000u /* of a user's tree, that are followed */
#define SL_MAX_USAGE_THREADS 16u
#define SL_MAX_USAGE_PLACES 5u /* of one row; the rest is counted */
#define SL_MAX_USAGE_VALUE 40u /* shown of a variable's value */
#define SL_MAX_USAGE_NAME 120u
#define SL_MAX_SOURCE_FILE (16u << 20)
#define SL_MAX_LINE_LOOK 4096u /* bytes around a word of a file without a grammar */
#define SL_MAX_CHAIN 16u /* names that lead to a member: a.b->c */
#define SL_MAX_ANGLES 1000u /* `<` open at once: templates cost 5 KB each */

/* index api: one release's headers, and the table of all */
#define SL_MAX_HEADER_FILES 2000u
#define SL_MAX_MACROS 200000u
#define SL_MAX_MACRO_STEPS 1000000u /* tokens of one expansion */
#define SL_MAX_MACRO_DEPTH 200u
#define SL_MAX_MACRO_ARENA (128u << 20) /* of one expansion */
#define SL_MAX_DECLARATIONS 200000u
#define SL_MAX_SIGNATURE (64u << 10)
#define SL_MAX_NESTED_TYPES 16u
#define SL_MAX_NESTED_MACROS 4u /* a constant of constants */
#define SL_MAX_LITERAL 80u /* a longer one is told as "..." */
#define SL_MAX_INITIALISER 200u /* a longer one is told as {...} */
#define SL_MAX_INDEX_ARENA (512u << 20)
#define SL_MAX_RELEASES 200u
#define SL_MAX_SYMBOLS 200000u
#define SL_MAX_SYMBOLS_FILE (64u << 20)

/* index env */
#define SL_MAX_ENV_TABLE (4u << 20) /* env.tsv, nccl-map.tsv, strings.tsv */
#define SL_MAX_NCCL_WORDS 20u       /* of a row's difference in meaning */

/* overlap: words, both corpora, filters */
#define SL_MAX_WORD 256u /* of a longer word, so many bytes tell it apart */
#define SL_MIN_GRAM 4u   /* words */
#define SL_MAX_GRAM 64u
#define SL_MIN_FILTER_GRAM 8u /* fewer words can be guessed from their hash */
#define SL_MAX_OVERLAP_FILES 200000u
#define SL_MAX_OVERLAP_DEPTH 64u /* of folders; deeper ones are left out, and told */
#define SL_MAX_OVERLAP_FILE (64u << 20) /* of a kind that is read whole */
#define SL_MAX_OVERLAP_WORDS (16u << 20) /* of the side that is held */
#define SL_MAX_OVERLAP_TEXT (256u << 20) /* its bytes of prose */
#define SL_MAX_OVERLAP_MARKS 2000000u    /* in one file */
#define SL_MAX_OVERLAP_SAME 256u  /* places of one gram that are followed */
#define SL_MAX_OVERLAP_MATCHES 100000u
#define SL_MAX_OVERLAP_PLACES 5u  /* printed of one run; the rest is counted */
#define SL_MAX_OVERLAP_SHOWN 400u /* bytes of a run's text */
#define SL_MAX_OVERLAP_QUOTED 4096u /* the same in JSON */
#define SL_MAX_LINK_TARGET 1024u    /* a longer one is text */
#define SL_MAX_OVERLAP_ARENA (1u << 30)
#define SL_OVERLAP_BLOCK (1u << 20) /* plain text is read so much at a time */
#define SL_MAX_FILTER_GRAMS (32u << 20)
#define SL_MAX_FILTER_BYTES (128u << 20)
#define SL_MAX_LATEX_MACROS 4096u
#define SL_MAX_LATEX_DEPTH 32u     /* macros in macros */
#define SL_MAX_LATEX_STEPS 64u /* looks at each byte of a file, on average */

/* trees of sources: what sync writes, show and verify read */
#define SL_MAX_TREE_FILES 100000u
#define SL_MAX_TREE_BYTES (1u << 30)
#define SL_MAX_TREE_DEPTH 64u
#define SL_MAX_TREE_FILE (64u << 20)
#define SL_MAX_FETCH_BYTES (1u << 30) /* what a server may send */
#define SL_FETCH_CONNECT_MS 30000     /* until a server answers */
#define SL_FETCH_SILENCE_MS 120000    /* until it says the next word */

/* docs fetch: what a web server may send, and how long it may take */
#define SL_MAX_URL 2000u
#define SL_MAX_REDIRECTS 5u
#define SL_MAX_HTTP_HEADERS (64u << 10) /* of one answer */
#define SL_MAX_HTTP_ARENA (1u << 20)    /* one request: addresses, headers */
#define SL_MAX_ALLOWED_HOSTS 16u
#define SL_MAX_ROBOTS (500u << 10) /* RFC 9309: what must be read; no more is */
#define SL_MAX_CRAWL_DELAY_S 86400u
#define SL_MAX_RETRY_AFTER_S 3600u /* longer: come back another day */
#define SL_MAX_INVENTORY (8u << 20)
#define SL_MAX_INVENTORY_TEXT (64u << 20) /* unpacked */
#define SL_MAX_INVENTORY_ENTRIES 1000000u
#define SL_MAX_DOC_PAGES 20000u
#define SL_MAX_DOC_PAGE (8u << 20)
#define SL_MAX_DOC_PATH 500u
#define SL_MAX_DOC_MANIFEST (32u << 20)
#define SL_MAX_DOC_ARENA (256u << 20)

#endif
