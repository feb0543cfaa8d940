/* output_fixture.c - starts outputs and publishes the lines that they write. */
#include "tests/output/output_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/reason.h"

#include "tests/support/cmocka_all.h"

enum { N = 1024 };

static char folder[] = "/tmp/fftd-output-XXXXXX";
char output_fixture_path[64];
struct out_file_config output_fixture_file = {.path = output_fixture_path};
struct output_fixture_next output_fixture_next;

bool output_fixture_init(void)
{
    if (!mkdtemp(folder))
        return false;
    snprintf(output_fixture_path, sizeof output_fixture_path, "%s/rows", folder);
    return true;
}

void output_fixture_finish(void)
{
    char own[sizeof output_fixture_path]; /* a failed test may have left another path */
    snprintf(own, sizeof own, "%s/rows", folder);
    unlink(own);
    rmdir(folder);
}

void output_fixture_number_row(struct text *out, const struct row *row)
{
    text_add(out, "%llu %u %g %g %llu %llu\n", (unsigned long long)row->line->number, row->merged,
             (double)row->power[0], (double)row->power[1], (unsigned long long)row->first_sample,
             (unsigned long long)row->sample_count);
}

void output_fixture_long_row(struct text *out, const struct row *row)
{
    output_fixture_number_row(out, row);
    for (int i = 0; i < 1000; i++)
        text_add(out, "........................................\n");
}

struct line_ring *output_fixture_lines_of(unsigned detectors)
{
    struct line_ring *r = NULL;
    assert_int_equal(line_ring_create(&r, NULL, NULL), 0);
    assert_int_equal(line_ring_configure(r, &(struct line_shape){.n = N, .detectors = detectors}),
                     0);
    return r;
}

void output_fixture_publish(struct line_ring *r, uint64_t number, unsigned detector)
{
    struct line *line = line_ring_acquire(r, 5000);
    assert_non_null(line);
    line->number = number;
    line->tuning.center_hz = output_fixture_next.center_hz;
    line->epoch = output_fixture_next.epoch;
    line->frames = number + 1;
    line->first_sample = 100 * number;
    line->sample_count = 110; /* they overlap */
    line->detector[detector][0] = (float)number;
    line->detector[detector][1] = (float)(100 - (int)number);
    line_ring_publish(r, line);
}

void output_fixture_wait_for_rows(struct output *o, uint64_t rows)
{
    struct output_state report;
    for (int tries = 0; tries < 6000; tries++) {
        output_state(o, &report);
        if (report.rows >= rows || report.ended)
            return;
        uv_sleep(10);
    }
    fail_msg("no more than %llu rows", (unsigned long long)report.rows);
}

void output_fixture_wait_for_end(struct output *o, struct output_state *state)
{
    for (int tries = 0; tries < 6000; tries++) {
        output_state(o, state);
        if (state->ended)
            return;
        uv_sleep(10);
    }
    fail_msg("the output never ended");
}

struct output *output_fixture_start(struct line_ring *r, bool lossless, unsigned detector,
                                    void (*row)(struct text *, const struct row *))
{
    struct output *o = NULL;
    struct reason why = {0};
    const struct output_config config = {.name = "csv",
                                         .file = output_fixture_file,
                                         .row = row,
                                         .detector_index = detector,
                                         .lossless = lossless,
                                         .lines = r};
    assert_int_equal(output_start(&o, &config, &why), 0);
    assert_int_equal(output_start_writing(o, &why), 0);
    return o;
}

void output_fixture_publish_until(struct output *o, struct line_ring *r, uint64_t *number,
                                  int error)
{
    struct output_state state;
    for (int tries = 0; tries < 6000; tries++) {
        output_state(o, &state);
        if (state.error == error)
            return;
        output_fixture_publish(r, (*number)++, 1);
        uv_sleep(10);
    }
    fail_msg("the error is %d, never %d", state.error, error);
}
