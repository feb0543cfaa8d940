/* test_dsp_density.c - the density of lines: complete, right by level, and made only on request; so
 * are detectors. */
#include "daemon/base/level.h"
#include "tests/support/dsp/dsp_fixture.h"

/* The density of a line, against the highest power that the max detector has in each column. */
static void check_density(const struct line *line)
{
    const uint32_t columns = line->density.columns, levels = line->density.levels;
    for (uint32_t c = 0; c < columns; c++) {
        const uint32_t *hits = line->hits + (size_t)c * levels;
        uint64_t sum = 0;
        uint32_t first = levels;
        float highest = 0;
        for (uint32_t r = 0; r < levels; r++) {
            sum += hits[r];
            first = hits[r] && first == levels ? r : first;
        }
        assert_int_equal(sum, line->frames);
        for (uint32_t k = 0; k < line->n; k++)
            highest = k * columns / line->n == c ? fmaxf(highest, line->detector[1][k]) : highest;
        const double row =
            floor((line->density.top_db - level_dbfs(highest)) / line->density.step_db);
        assert_near(first, fmin(fmax(row, 0), levels - 1), 1); /* a level on the edge of two rows */
    }
}

/* Until a line has a density of so many columns. */
static void write_until(struct dsp_fixture *b, uint32_t columns)
{
    for (int tries = 0; !b->last || b->last->density.columns != columns; tries++) {
        assert_true(tries < 1000);
        dsp_fixture_write(b, 128 * 10);
    }
}

static void every_frame_counts_once_in_each_column_of_the_density(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct fft_engine *engine = NULL;
    char why[256];
    struct settings w = dsp_fixture_settings();
    assert_int_equal(
        fft_engine_open(&engine, &(struct fft_engine_config){.name = "cpu"}, why, sizeof why), 0);
    w.density_wanted = true;
    w.density = (struct fft_density){.columns = 100, .levels = 201, .top_db = 0, .step_db = 0.5F};
    dsp_fixture_start(&b, &w, true, &(struct dsp_thread_config){.engine = engine});
    write_until(&b, 100);
    check_density(b.last);
    w.density_wanted = false;
    exchange_request(b.exchange, &w);
    write_until(&b, 0);
    assert_null(b.last->hits);
    w.density_wanted = true;
    w.density = (struct fft_density){.columns = 1000, .levels = 10, .top_db = 3, .step_db = 6};
    exchange_request(b.exchange, &w);
    write_until(&b, 256);
    assert_int_equal(b.last->density.levels, 10); /* there are no more bins */
    check_density(b.last);
    const struct ledger ledger = dsp_fixture_finish(&b);
    assert_int_equal(ledger.produced, b.number);
    for (int cause = 0; cause < LOSS_TAIL; cause++)
        assert_int_equal(ledger.lost[cause], 0);
    dsp_fixture_clean_up(&b);
}

/* Until a line has these detectors. */
static void write_until_made(struct dsp_fixture *b, unsigned detectors)
{
    for (int tries = 0; !b->last || b->last->detectors != detectors; tries++) {
        assert_true(tries < 1000);
        dsp_fixture_write(b, 128 * 10);
    }
}

static void detectors_that_nobody_reads_are_not_made(void **state)
{
    (void)state;
    struct dsp_fixture b;
    struct settings w = dsp_fixture_settings();
    w.detectors_unread = FFT_DETECTOR_MAX;
    dsp_fixture_start(&b, &w, true, &no_limits);
    write_until_made(&b, FFT_DETECTOR_MEAN);
    assert_null(b.last->detector[1]);
    w.detectors_unread = 0;
    exchange_request(b.exchange, &w);
    write_until_made(&b, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX);
    assert_non_null(b.last->detector[1]);
    w.detectors_unread = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX; /* a line has at least one */
    exchange_request(b.exchange, &w);
    dsp_fixture_write(&b, 128 * 10 * 20);
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_fixture_conserves(&b, &ledger);
    assert_int_equal(b.last->detectors, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX);
    assert_true(ledger.lost[LOSS_TAIL] < 256);
    dsp_fixture_clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_counts_once_in_each_column_of_the_density),
        cmocka_unit_test(detectors_that_nobody_reads_are_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
