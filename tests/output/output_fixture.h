/*
 * output_fixture.h - an output on a file of a temporary folder, and the lines that it gets.
 *
 * Line i has n = 1024 points, i + 1 frames, level 0 = i, level 1 = 100 - i, and 110 samples from
 * 100 i on.
 */
#ifndef FFTD_TESTS_OUTPUT_FIXTURE_H
#define FFTD_TESTS_OUTPUT_FIXTURE_H

#include <stdbool.h>

#include "daemon/output/output.h"

extern char output_fixture_path[64];               /* of the output */
extern struct out_file_config output_fixture_file; /* has this path */
extern struct output_fixture_next {
    double center_hz;
    uint32_t epoch;
} output_fixture_next; /* of the lines to come */

bool output_fixture_init(void); /* false: no folder */
void output_fixture_finish(void);

/* "number merged level0 level1 first_sample samples" */
void output_fixture_number_row(struct text *out, const struct row *row);
/* The same, and 41,000 bytes: fills a pipe soon. */
void output_fixture_long_row(struct text *out, const struct row *row);

struct line_ring *output_fixture_lines_of(unsigned detectors);
void output_fixture_publish(struct line_ring *r, uint64_t number, unsigned detector);
struct output *output_fixture_start(struct line_ring *r, bool lossless, unsigned detector,
                                    void (*row)(struct text *, const struct row *));
/* Wait until the state is reached; fail after a time that only a hang reaches. */
void output_fixture_wait_for_rows(struct output *o, uint64_t rows);
void output_fixture_wait_for_end(struct output *o, struct output_state *state);
/* Publishes lines from *number on until the output has this error, or 0 for none. */
void output_fixture_publish_until(struct output *o, struct line_ring *r, uint64_t *number,
                                  int error);

#endif
