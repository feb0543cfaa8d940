/* archive_fixture.c - fills an archive with lines whose levels are known. */
#include "tests/archive/archive_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/base/reason.h"

void archive_fixture_init(struct archive_fixture *r)
{
    *r = (struct archive_fixture){.n = FIXTURE_BINS, .line_ns = 100000000};
    r->options = (struct archive_options){
        .folder = r->folder, .tiers = "10/s:1h,1/s:1y", .columns = 4096, .step_db = 0.1};
    snprintf(r->folder, sizeof r->folder, "/tmp/fftd-archive-XXXXXX");
    assert_non_null(mkdtemp(r->folder));
}

void archive_fixture_start(struct archive_fixture *r)
{
    struct reason why = {0};
    const struct line_shape shape = {
        .n = r->n, .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN};
    assert_int_equal(line_ring_create(&r->lines, NULL, NULL), 0);
    assert_int_equal(line_ring_configure(r->lines, &shape), 0);
    const struct archiver_config config = {
        .options = &r->options, .lines = r->lines, .lossless = true};
    if (archiver_start(&r->archiver, &config, &why) < 0)
        fail_msg("%s", why.sentence);
}

static void describe(const struct archive_fixture *r, struct line *line)
{
    const uint64_t samples = (uint64_t)((r->line_ns + r->overlap_ns) * 64 / 1000000);
    line->number = r->next;
    line->first_sample = r->next * (uint64_t)(r->line_ns * 64 / 1000000);
    line->sample_count = samples;
    line->time_ns = fixture_start_ns + (int64_t)r->next * r->line_ns;
    line->hop = r->n / 2;
    line->frames = samples / line->hop;
    line->tuning = (struct tuning){.center_hz = 100e6, .rate_hz = 64000};
    line->gain_db = 20;
    line->enbw_bins = 1.5;
    line->engine = "cpu";
    snprintf(line->window, sizeof line->window, "hann");
}

static void put(struct line *line, uint32_t bin, const struct fixture_levels *l)
{
    line->detector[0][bin] = (float)pow(10, l->mean_db / 10);
    line->detector[1][bin] = (float)pow(10, l->max_db / 10);
    line->detector[2][bin] = (float)pow(10, l->min_db / 10);
}

void archive_fixture_add(struct archive_fixture *r, const struct fixture_levels *all, uint32_t bin,
                         const struct fixture_levels *tone)
{
    struct line *line = line_ring_acquire(r->lines, 60000);
    assert_non_null(line);
    describe(r, line);
    for (uint32_t k = 0; k < r->n; k++)
        put(line, k, tone && k == bin ? tone : all);
    line_ring_publish(r->lines, line);
    r->next++;
}

void archive_fixture_add_noise(struct archive_fixture *r, uint32_t count)
{
    const struct fixture_levels noise = {-90, -80, -110};
    for (uint32_t i = 0; i < count; i++)
        archive_fixture_add(r, &noise, 0, NULL);
}

bool archive_fixture_stop(struct archive_fixture *r)
{
    if (!r->lines)
        return true;
    line_ring_close(r->lines);
    const bool all = archiver_finish(r->archiver);
    archiver_destroy(r->archiver);
    line_ring_destroy(r->lines);
    r->archiver = NULL;
    r->lines = NULL;
    return all;
}

void archive_fixture_remove(struct archive_fixture *r)
{
    char command[128];
    archive_fixture_stop(r);
    snprintf(command, sizeof command, "rm -rf %s", r->folder);
    assert_int_equal(system(command), 0);
}

struct archive_query archive_fixture_query(unsigned detector, uint32_t rows, uint32_t columns)
{
    return (struct archive_query){.from = {INT64_MIN, false},
                                  .to = {INT64_MAX, false},
                                  .low_hz = NAN,
                                  .high_hz = NAN,
                                  .rows = rows,
                                  .columns = columns,
                                  .detector = detector};
}

struct archive_picture archive_fixture_read(const struct archive_fixture *r,
                                            const struct archive_query *q)
{
    struct archive_picture p;
    assert_int_equal(archive_read(r->folder, q, &p), 0);
    return p;
}

double archive_fixture_level(const struct archive_picture *p, uint32_t row, uint32_t column)
{
    assert_true(row < p->rows && column < p->columns);
    return p->level[(size_t)row * p->columns + column];
}
