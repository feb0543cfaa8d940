/* test_feed_merge.c - compares a slow client's merged frame with a fold of bins in double. */
#include "tests/client/feed_fixture.h"

#include <string.h>

/* The expected value of a merged column: the largest of its bins' means or minima over the lines.
 */
static double merged_level(const float power[][N], unsigned lines, unsigned detector,
                           uint32_t column)
{
    double most = 0;
    for (uint32_t bin = 16 * column; bin < 16 * column + 16; bin++) {
        double sum = 0, least = INFINITY, frames = 0;
        for (unsigned i = 0; i < lines; i++) {
            sum += (1 + i) * (double)power[i][bin];
            frames += 1 + i;
            least = fmin(least, (double)power[i][bin]);
        }
        most = fmax(most, detector == 0 ? sum / frames : least);
    }
    return 10 * log10(most);
}

/* The peaks of noise are in different bins in every line: a fold of column peaks reads too high. */
static void merged_columns_are_the_peaks_of_merged_bins(void **state)
{
    enum { LINES = 12, COLUMNS = N / 16 };
    struct fixture *r = *state;
    static float power[LINES][N];
    const struct view view[] = {{.low_hz = NAN, .high_hz = NAN, .columns = COLUMNS, .detector = 0},
                                {.low_hz = NAN, .high_hz = NAN, .columns = COLUMNS, .detector = 2}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(feed_set_view(&r->feed, &r->client[i], 0, &view[i], 1, false), 0);
    for (unsigned i = 0; i < LINES; i++) {
        struct line *line = line_ring_acquire(r->ring, 0);
        describe_line(line, i);
        line->frames = 1 + i;
        fill_with_noise(line, i);
        memcpy(line->detector[2], line->detector[0], N * sizeof(float));
        memcpy(power[i], line->detector[0], sizeof power[i]);
        line_reset_pyramids(line);
        line_ring_publish(r->ring, line);
        feed_line(&r->feed, line_reader_next(&r->reader, 0, NULL));
    }
    assert_int_equal(r->feed.bins_bytes, 2 * N * sizeof(float));
    for (int i = 0; i < 2; i++) {
        struct wire_header h;
        struct ws_message *f = read_frame(r, i, &h);
        double peak = -INFINITY;
        assert_int_equal(h.merged, LINES);
        assert_int_equal(h.columns, COLUMNS);
        for (uint32_t k = 0; k < COLUMNS; k++) {
            const double db = merged_level((const float(*)[N])power, LINES, view[i].detector, k);
            assert_near(h.level_offset_db + h.level_step_db * (float)f->data[WIRE_HEADER + k], db,
                        (double)h.level_step_db / 2 + 0.01);
            peak = fmax(peak, db);
        }
        assert_near((double)h.peak_db, peak, 0.001);
        ws_message_unref(f);
    }
    assert_int_equal(r->feed.bins_bytes, 0);
}

/* The frequency of a tone is that of its bin, at any position in its column. */
static void the_peak_of_merged_lines_has_the_frequency_of_its_bin(void **state)
{
    struct fixture *r = *state;
    const struct view view = {.low_hz = NAN, .high_hz = NAN, .columns = 8, .detector = 0};
    assert_int_equal(feed_set_view(&r->feed, &r->client[0], 0, &view, 1, false), 0);
    for (unsigned i = 0; i < 3; i++) {
        struct line *line = line_ring_acquire(r->ring, 0);
        describe_line(line, i);
        fill_line(line, 1e-9F);
        add_tone(line, 77, i == 2 ? 0.1F : 0.5F);
        add_tone(line, 78, i == 2 ? 0.2F : 1e-9F); /* the newest line's largest bin */
        line_reset_pyramids(line);
        line_ring_publish(r->ring, line);
        feed_line(&r->feed, line_reader_next(&r->reader, 0, NULL));
    }
    const struct wire_header h = next_header(r, 0);
    assert_near(h.peak_hz, 100e6 + (77 - N / 2.0) * 2.4e6 / N, 1e-3);
    assert_near((double)h.peak_db, 10 * log10(1.1 / 3), 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(merged_columns_are_the_peaks_of_merged_bins, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_peak_of_merged_lines_has_the_frequency_of_its_bin,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
