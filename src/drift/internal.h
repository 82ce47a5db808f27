/* Shared by the files of drift/ only. */
#ifndef SL_DRIFT_INTERNAL_H
#define SL_DRIFT_INTERNAL_H

#include "drift/drift.h"

/* What a line is to its neighbours. */
enum kind {
    KIND_PLAIN,
    KIND_BLANK,
    KIND_CLOSER, /* ends what stands above it */
    KIND_OPENER, /* begins what stands below it */
};

/*
 * Scores are in bits: a line that is one of N is worth log2(N), and two lines
 * that follow each other on both sides are worth BOND more than the two.
 */
#define BOND 9
#define COMMON_BITS 8 /* a line of fewer bits tells little */

/* One side: its lines as numbers, equal on both sides for equal hashes. */
struct side {
    const struct sl_manifest *manifest;
    uint32_t *ids;    /* of each line */
    uint32_t *counts; /* of each id: how many lines have it */
    uint32_t *seen;   /* of each id: scratch, 0 between uses */
    uint32_t *at;     /* of each id: scratch */
};

struct drift {
    struct sl_arena *arena;
    struct side then, now;
    size_t id_count;
    unsigned char *weights; /* of each id: bits */
    unsigned char *kinds;   /* of each id: enum kind */
    uint32_t *to;           /* then -> now */
    uint32_t *from;         /* now -> then, of those that are sure */
    unsigned char *state;
    uint32_t *became;       /* file of then -> file of now */
    uint32_t *home; /* of a file that became another: that of its old path,
                       where no other became it */
    struct gap_work *work;
};

/* Lines [a0, a1) of then against [b0, b1) of now. */
struct range {
    size_t a0, a1, b0, b1;
    bool at_start, at_end; /* of both files; else two lines that match */
};

/* lines.c: numbers, counts, weights, kinds. */
SL_CHECKED enum sl_status number_lines(struct drift *d,
                                       struct sl_error *error);
int bond_of(const struct drift *d, size_t line); /* with the line above it */

/* pairs.c: index in m->places of the first line with that hash, or behind. */
size_t first_place(const struct sl_manifest *m, uint64_t hash);

/* pairs.c: which file became which; fills d->became. */
SL_CHECKED enum sl_status pair_files(struct drift *d, struct sl_error *error);

/* align.c: the lines of one file in the one that it became. */
SL_CHECKED enum sl_status align_files(struct drift *d, size_t then, size_t now,
                                      struct sl_error *error);

/* gap.c: a range too small for anchors, all alignments weighed. */
struct gap_work {
    int *cells;
    size_t room;
};
SL_CHECKED enum sl_status solve_gap(struct drift *d, const struct range *r,
                                    struct sl_error *error);
void set_sure(struct drift *d, size_t then, size_t now);

/* moves.c: blocks that stand elsewhere. */
SL_CHECKED enum sl_status find_moves(struct drift *d, struct sl_error *error);

/* doubt.c: what is not sure after all. */
SL_CHECKED enum sl_status doubt(struct drift *d, struct sl_error *error);

#endif
