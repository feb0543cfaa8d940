/* test_density.c - densities of lines: shares, persistence, percentiles, pictures and frames. */
#include "tests/support/cmocka_all.h"

#include <string.h>
#include <zlib.h>

#include "daemon/http/stream/density_text.h"
#include "daemon/line/density_sum.h"
#include "daemon/wire/density_frame.h"

enum { COLUMNS = 4, LEVELS = 100, RATE_HZ = 1000 };

/* A line of 0.1 s whose frames are all at one level row in each column. */
static struct line *line_at(uint32_t row, uint64_t frames)
{
    struct line *line = line_create(&(struct line_shape){
        .n = 64,
        .detectors = FFT_DETECTOR_MEAN,
        .density = {.columns = COLUMNS, .levels = LEVELS, .top_db = 0, .step_db = 1}});
    assert_non_null(line);
    line->tuning = (struct tuning){.center_hz = 100e6, .rate_hz = RATE_HZ};
    line->frames = frames;
    line->sample_count = RATE_HZ / 10;
    for (uint32_t c = 0; c < COLUMNS; c++)
        line->hits[c * LEVELS + row] = (uint32_t)frames;
    return line;
}

static void add(struct density *d, uint32_t row, uint64_t frames, int lines)
{
    struct line *line = line_at(row, frames);
    for (int i = 0; i < lines; i++)
        assert_int_equal(density_add(d, line), 0);
    line_destroy(line);
}

static double share(const struct density *d, uint32_t row)
{
    return d->hits[2 * LEVELS + row] / d->frames;
}

/* A signal is there for 10 ms of every 100 ms (Tektronix, "DPX Overview"): 10 %, or all and
 * nothing. */
static void persistence_decides_how_long_a_burst_counts(void **state)
{
    (void)state;
    struct density none = {0}, infinite = {.persistence_s = INFINITY},
                   second = {.persistence_s = 1};
    struct density *all[] = {&none, &infinite, &second};
    for (int burst = 0; burst < 100; burst++) {
        for (int i = 0; i < 3; i++) {
            add(all[i], 20, 10, 1);
            add(all[i], 80, 10, 9);
        }
    }
    assert_near(share(&none, 20), 0, 0);
    assert_near(share(&none, 80), 1, 0);
    assert_near(share(&infinite, 20), 0.1, 1e-12);
    assert_near(infinite.frames, 10000, 0);
    /* The burst is 0.9 s old, in a geometric series with exp(-0.1) a line and exp(-1) a burst. */
    assert_near(share(&second, 20), (1 - exp(-0.1)) * exp(-0.9) / (1 - exp(-1)), 1e-9);
    assert_near(second.frames, 10 / (1 - exp(-0.1)), 1e-6);
    for (int i = 0; i < 3; i++)
        density_finish(all[i]);
}

/*
 * A signal of 10 ms in every 100 ms, and a picture of 50 ms (Tektronix, "DPX Overview"): of two
 * pictures one shows it for 20 % of its time, the other not at all, and infinite persistence for
 * 10 %. A line here stands for 10 ms of 100 frames.
 */
static void ten_ms_of_100_are_20_then_0_percent_of_50_ms_and_10_percent_in_all(void **state)
{
    (void)state;
    struct density picture = {.persistence_s = INFINITY}, infinite = {.persistence_s = INFINITY};
    for (int ms = 0; ms < 1000; ms += 10) {
        const uint32_t row = ms % 100 < 10 ? 20 : 80;
        if (ms % 50 == 0)
            density_clear(&picture);
        add(&picture, row, 100, 1);
        add(&infinite, row, 100, 1);
        if (ms % 50 == 40)
            assert_near(share(&picture, 20), ms % 100 < 50 ? 0.2 : 0, 1e-12);
    }
    assert_near(share(&infinite, 20), 0.1, 1e-12);
    density_finish(&picture);
    density_finish(&infinite);
}

/* Tektronix states the error of a share with variable persistence as less than 0.01 %. */
static void a_steady_share_is_exact_with_any_persistence(void **state)
{
    (void)state;
    struct density d = {.persistence_s = 3};
    struct line *line = line_at(20, 30);
    for (uint32_t c = 0; c < COLUMNS; c++)
        line->hits[c * LEVELS + 80] = 70;
    line->frames = 100;
    for (int i = 0; i < 200; i++)
        assert_int_equal(density_add(&d, line), 0);
    assert_near(share(&d, 20), 0.3, 1e-4);
    line_destroy(line);
    density_finish(&d);
}

static void another_tuning_starts_it_again(void **state)
{
    (void)state;
    struct density d = {.persistence_s = INFINITY};
    add(&d, 20, 10, 5);
    struct line *line = line_at(30, 10);
    line->tuning.center_hz = 200e6;
    assert_int_equal(density_add(&d, line), 0);
    assert_near(d.frames, 10, 0);
    assert_near(share(&d, 20), 0, 0);
    assert_near(d.tuning.center_hz, 200e6, 0);
    line_destroy(line);
    density_finish(&d);
}

static void percentiles_are_the_levels_that_shares_of_frames_do_not_exceed(void **state)
{
    (void)state;
    struct density d = {.persistence_s = INFINITY};
    for (uint32_t row = 0; row < LEVELS; row++) /* as many frames at each level */
        add(&d, row, 7, 1);
    assert_near(density_percentile_db(&d, 1, 50), -50, 1e-9);
    assert_near(density_percentile_db(&d, 1, 10), -90, 1e-9);
    assert_near(density_percentile_db(&d, 1, 99.5), -0.5, 1e-9);
    assert_near(density_percentile_db(&d, 1, 100), 0, 1e-9);
    assert_int_equal(density_first_bin(&d, 1), 16);
    density_finish(&d);
}

static uint32_t read_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Checks the chunks of a PNG as ISO/IEC 15948 says, and inflates its rows. */
static void read_png(const struct text *file, uint8_t *rows, uLong size)
{
    const uint8_t *at = (const uint8_t *)file->data + 8, *end = at + file->length - 8;
    assert_memory_equal(file->data, "\x89PNG\r\n\x1a\n", 8);
    for (const char *types = "IHDRPLTEIDATIEND"; *types; types += 4) {
        const uint32_t length = read_u32(at);
        assert_memory_equal(at + 4, types, 4);
        assert_int_equal(read_u32(at + 8 + length), crc32(0, at + 4, length + 4));
        if (memcmp(types, "IHDR", 4) == 0)
            assert_memory_equal(at + 8, "\0\0\0\4\0\0\0\x64\x08\x03\0\0\0", 13);
        if (memcmp(types, "IDAT", 4) == 0) {
            uLongf inflated = size;
            assert_int_equal(uncompress(rows, &inflated, at + 8, length), Z_OK);
            assert_int_equal(inflated, size);
        }
        at += 12 + length;
    }
    assert_ptr_equal(at, end);
}

static void a_picture_shows_each_hit_at_its_column_and_level(void **state)
{
    (void)state;
    struct density d = {.persistence_s = INFINITY};
    struct text file = {0};
    uint8_t rows[LEVELS][COLUMNS + 1], pixel[LEVELS][COLUMNS] = {0};
    add(&d, 20, 10, 99);
    add(&d, 21, 10, 1);
    density_write_png(&file, &d);
    assert_false(file.failed);
    read_png(&file, rows[0], sizeof rows);
    for (int y = 0; y < LEVELS; y++) {
        assert_int_equal(rows[y][0], 2); /* filter "up" */
        for (int x = 0; x < COLUMNS; x++)
            pixel[y][x] = (uint8_t)(rows[y][x + 1] + (y > 0 ? pixel[y - 1][x] : 0));
    }
    for (int y = 0; y < LEVELS; y++)
        assert_int_equal(pixel[y][3] > 0, y == 20 || y == 21);
    assert_true(pixel[20][0] > 250);
    assert_near(pixel[21][0], 128, 2); /* 1 %: half of four decades */
    text_finish(&file);
    density_finish(&d);
}

static void coarser_levels_have_the_hits_of_those_that_they_cover(void **state)
{
    (void)state;
    static const struct {
        double step_db;
        uint32_t factor;
    } cases[] = {{0.5, 1}, {1, 1}, {1.1, 2}, {2, 2}, {2.5, 3}, {20, 20}, {1000, LEVELS / 2}};
    struct density d = {.persistence_s = INFINITY};
    add(&d, 3, 7, 1);
    add(&d, 4, 20, 1);
    add(&d, LEVELS - 1, 5, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct density coarse = {0};
        const uint32_t factor = cases[i].factor, levels = (LEVELS + factor - 1) / factor;
        assert_int_equal(density_coarsen(&coarse, &d, cases[i].step_db), 0);
        assert_int_equal(coarse.shape.levels, levels);
        assert_near(coarse.shape.step_db, d.shape.step_db * (float)factor, 1e-6);
        for (uint32_t c = 0; c < COLUMNS; c++) {
            double want[LEVELS] = {0};
            for (uint32_t r = 0; r < LEVELS; r++)
                want[r / factor] += d.hits[c * LEVELS + r];
            for (uint32_t r = 0; r < levels; r++)
                assert_near(coarse.hits[c * levels + r], want[r], 0);
        }
        density_finish(&coarse);
    }
    density_finish(&d);
}

/* Reads the runs as the table in density_frame.h describes them. */
static void a_frame_has_every_hit(void **state)
{
    (void)state;
    struct density d = {.persistence_s = INFINITY};
    add(&d, 3, 70000, 1);
    add(&d, 5, 254, 1);
    add(&d, 6, 255, 1);
    struct ws_message *frame = density_frame_create(&d, 12345, WIRE_PLAIN);
    assert_non_null(frame);
    const uint8_t *header = frame->data;
    uint8_t runs[4096];
    uLongf size = sizeof runs;
    assert_memory_equal(header, "FFTD\1\2\1\0\x70\0\0\0\4\0\0\0\x64\0\0\0", 20);
    uint64_t frames[2];
    memcpy(frames, header + 40, sizeof frames);
    assert_int_equal(frames[0], 70509);
    assert_int_equal(frames[1], 12345);
    assert_int_equal(uncompress(runs, &size, header + 112, frame->size - 112), Z_OK);
    static const uint8_t column[] = {3, 0, 4, 0, 255, 0x70, 0x11, 1, 0, 0, 254, 255, 255, 0, 0, 0};
    assert_int_equal(size, COLUMNS * sizeof column);
    for (int c = 0; c < COLUMNS; c++)
        assert_memory_equal(runs + (size_t)c * sizeof column, column, sizeof column);
    ws_message_unref(frame);
    density_finish(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(persistence_decides_how_long_a_burst_counts),
        cmocka_unit_test(ten_ms_of_100_are_20_then_0_percent_of_50_ms_and_10_percent_in_all),
        cmocka_unit_test(a_steady_share_is_exact_with_any_persistence),
        cmocka_unit_test(another_tuning_starts_it_again),
        cmocka_unit_test(percentiles_are_the_levels_that_shares_of_frames_do_not_exceed),
        cmocka_unit_test(a_picture_shows_each_hit_at_its_column_and_level),
        cmocka_unit_test(coarser_levels_have_the_hits_of_those_that_they_cover),
        cmocka_unit_test(a_frame_has_every_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
