/*
 * Do the tree-sitter core and grammars of the pinned source packages load and
 * parse? Usage: check_grammars FILE.cu FILE.py. Exits 1 when one does not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_cuda(void);
const TSLanguage *tree_sitter_python(void);

enum { EXPECTED_ABI = 15, MAX_INPUT = 1 << 16 };

struct counts {
    unsigned passed;
    unsigned failed;
};

static void expect(struct counts *counts, int holds, const char *what,
                   const char *where)
{
    if (holds) {
        counts->passed++;
    } else {
        counts->failed++;
        printf("FAILED: %s: %s\n", where, what);
    }
}

/* How many nodes of the tree are of this type; a walk without recursion. */
static unsigned count_nodes(TSNode root, const char *type)
{
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    unsigned count = 0;
    bool more = true;

    while (more) {
        TSNode node = ts_tree_cursor_current_node(&cursor);

        if (strcmp(ts_node_type(node), type) == 0)
            count++;
        if (ts_tree_cursor_goto_first_child(&cursor))
            continue;
        while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
            more = ts_tree_cursor_goto_parent(&cursor);
            if (!more)
                break;
        }
    }
    ts_tree_cursor_delete(&cursor);
    return count;
}

/* Parses the file; its tree must be clean and hold a node of the type. */
static void check(struct counts *counts, const TSLanguage *language,
                  const char *path, const char *root_type,
                  const char *needed_type)
{
    static char text[MAX_INPUT];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(text, 1, sizeof text, file) : 0;
    TSParser *parser = ts_parser_new();

    if (file)
        fclose(file);
    expect(counts, size > 0 && size < sizeof text, "is readable", path);
    expect(counts, ts_language_abi_version(language) == EXPECTED_ABI,
           "grammar has ABI 15", path);
    if (ts_parser_set_language(parser, language)) {
        TSTree *tree =
            ts_parser_parse_string(parser, NULL, text, (uint32_t)size);
        TSNode root = ts_tree_root_node(tree);

        expect(counts, strcmp(ts_node_type(root), root_type) == 0, root_type,
               path);
        expect(counts, !ts_node_has_error(root), "parses without error", path);
        expect(counts, count_nodes(root, needed_type) > 0, needed_type, path);
        ts_tree_delete(tree);
    } else {
        expect(counts, 0, "the core accepts the grammar's ABI", path);
    }
    ts_parser_delete(parser);
}

int main(int argc, char **argv)
{
    struct counts counts = {0, 0};

    if (argc != 3) {
        fprintf(stderr, "usage: check_grammars FILE.cu FILE.py\n");
        return 2;
    }
    expect(&counts,
           TREE_SITTER_LANGUAGE_VERSION >= EXPECTED_ABI &&
               TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION <= EXPECTED_ABI,
           "loads ABI 15", "core");
    check(&counts, tree_sitter_cuda(), argv[1], "translation_unit",
          "kernel_call_syntax");
    check(&counts, tree_sitter_python(), argv[2], "module", "interpolation");
    printf("%u passed, %u failed\n", counts.passed, counts.failed);
    return counts.failed > 0;
}
