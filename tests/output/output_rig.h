/*
 * output_rig.h - an output on a file of a temporary folder, and the lines that it gets.
 *
 * Line i has n = 1024 points, i + 1 frames, level 0 = i, level 1 = 100 - i, and 110 samples from
 * 100 i on.
 */
#ifndef FFTD_TESTS_OUTPUT_RIG_H
#define FFTD_TESTS_OUTPUT_RIG_H

#include <stdbool.h>

#include "daemon/output/output.h"

extern char output_rig_path[64];               /* of the output */
extern struct out_file_config output_rig_file; /* has this path */
extern struct output_rig_next {
    double center_hz;
    uint32_t epoch;
} output_rig_next; /* of the lines to come */

bool output_rig_init(void); /* false: no folder */
void output_rig_finish(void);

/* "number merged level0 level1 first_sample samples" */
void output_rig_number_row(struct text *out, const struct row *row);
/* The same, and 41,000 bytes: fills a pipe soon. */
void output_rig_long_row(struct text *out, const struct row *row);

struct line_ring *output_rig_lines_of(unsigned detectors);
void output_rig_publish(struct line_ring *r, uint64_t number, unsigned detector);
struct output *output_rig_start(struct line_ring *r, bool lossless, unsigned detector,
                                void (*row)(struct text *, const struct row *));
/* Wait until the state is reached; fail after a time that only a hang reaches. */
void output_rig_wait_for_rows(struct output *o, uint64_t rows);
void output_rig_wait_for_end(struct output *o, struct output_state *state);
/* Publishes lines from *number on until the output has this error, or 0 for none. */
void output_rig_publish_until(struct output *o, struct line_ring *r, uint64_t *number, int error);

#endif
