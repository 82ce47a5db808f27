/* Matches as the user reads them: runs of OURS, each with its places in THEIRS. */
#ifndef SL_OVERLAP_REPORT_H
#define SL_OVERLAP_REPORT_H

#include "base/arena.h"
#include "overlap/filter.h"
#include "overlap/match.h"

struct sl_place {
    const char *path;
    uint32_t line, last_line;
};

struct sl_run {
    struct sl_place ours;
    uint32_t words;
    struct sl_view text; /* as it stands there, or in THEIRS */
    struct sl_place places[SL_MAX_OVERLAP_PLACES];
    size_t place_count; /* all of them, also those not kept */
    size_t file_count;
    size_t part_count;  /* places that have a part of the run */
};

struct sl_report {
    unsigned n;
    struct sl_run *runs; /* in the order of OURS */
    size_t count;
    uint64_t words;      /* of OURS that stand in some run */
    size_t more;         /* matches that did not fit */
    uint64_t our_words, their_words;
    size_t our_files, their_files;
    size_t skipped;      /* files of folders that hold no prose */
    uint64_t our_grams;  /* that were looked up; of a filter alone */
};

/*
 * Compares two corpora. What does not fit into memory is read past: the smaller
 * side is held. The report lives in the arena; its texts live as long as held_out,
 * which the caller releases, also after an error.
 */
SL_CHECKED enum sl_status sl_report_compare(struct sl_arena *arena,
                                            struct sl_corpus *ours,
                                            struct sl_corpus *theirs,
                                            unsigned n,
                                            struct sl_faults *faults,
                                            struct sl_held *held_out,
                                            struct sl_report *report_out,
                                            struct sl_error *error);

/*
 * The same against a filter: a run of OURS is as long as each of its runs of n
 * words is in the filter. n: that of the filter, or more, for longer runs alone.
 * The runs have no places.
 */
SL_CHECKED enum sl_status sl_report_against(struct sl_arena *arena,
                                            struct sl_corpus *ours,
                                            const struct sl_filter *filter,
                                            unsigned n,
                                            struct sl_faults *faults,
                                            struct sl_held *held_out,
                                            struct sl_report *report_out,
                                            struct sl_error *error);

/*
 * Adds the runs of another reading of the same corpora, without those that stand in
 * a run that is known. Their texts stay where they are.
 */
SL_CHECKED enum sl_status sl_report_add(struct sl_arena *arena,
                                        struct sl_report *report,
                                        const struct sl_report *other,
                                        struct sl_error *error);

/* How many runs a report against a filter may be expected to have by chance. */
double sl_report_chance(const struct sl_report *report);

#endif
