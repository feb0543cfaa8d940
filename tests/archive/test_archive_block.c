/* test_archive_block.c - blocks of the archive: how exact levels are, their size, damaged bytes. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/archive/store/block.h"
#include "fft/fft.h"

enum { ALL = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN };

static uint64_t seed = 1;

/* Uniform in (0, 1). */
static double draw(void)
{
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double draw_normal(void)
{
    return sqrt(-2 * log(draw())) * cos(2 * M_PI * draw());
}

static void make(struct archive_rows *rows, uint32_t columns, uint32_t count, unsigned detectors)
{
    *rows = (struct archive_rows){.layout = {.low_hz = 99e6,
                                             .column_hz = 500,
                                             .columns = columns,
                                             .bins = 2,
                                             .detectors = detectors},
                                  .count = count};
    snprintf(rows->facts, sizeof rows->facts, "{\"window\": \"hann\"}");
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++) {
        rows->db[d] = calloc((size_t)ARCHIVE_ROWS * columns, sizeof(float));
        assert_non_null(rows->db[d]);
    }
    for (uint32_t i = 0; i < count; i++)
        rows->row[i] =
            (struct archive_row){.time_ns = INT64_C(1795256100123456789) + (int64_t)i * 1000000007,
                                 .duration_ns = 1000000000,
                                 .first_line = 20 * i + 7,
                                 .first_sample = UINT64_C(2400000) * i + 13,
                                 .lines = 20,
                                 .epoch = 3,
                                 .frames = 2343,
                                 .lost = i == 2 ? 4096 : 0,
                                 .breaks = i == 2 ? ARCHIVE_LOSS : 0};
}

static void finish(struct archive_rows *rows)
{
    for (unsigned d = 0; d < ARCHIVE_DETECTORS; d++)
        free(rows->db[d]);
}

static void put(struct archive_rows *rows, uint32_t row, uint32_t column, double mean_db,
                double max_db, double min_db)
{
    const size_t at = (size_t)row * rows->layout.columns + column;
    rows->db[0][at] = (float)mean_db;
    rows->db[1][at] = (float)max_db;
    rows->db[2][at] = (float)min_db;
}

/*
 * Noise of mean power 1: the mean of N frames is normal, their maximum and minimum have the
 * distributions of extremes of N exponential variables.
 */
static void put_noise(struct archive_rows *rows, uint32_t row, uint32_t column, double frames,
                      double floor_db)
{
    const double mean = 1 + draw_normal() / sqrt(frames);
    const double max = -log(1 - pow(draw(), 1 / frames));
    const double min = -log(draw()) / frames;
    put(rows, row, column, floor_db + 10 * log10(mean), floor_db + 10 * log10(max),
        floor_db + 10 * log10(min));
}

/* Reads the block, and compares each level with what was written. */
static void assert_exact(const struct archive_rows *rows, const struct text *block, double step)
{
    struct block_reader r;
    const uint32_t columns = rows->layout.columns;
    float *levels = calloc(4 * (size_t)columns, sizeof *levels);
    const struct block_levels out = {levels, levels + columns, levels + 2 * columns,
                                     levels + 3 * columns};
    const double rounding = 1e-3; /* of floats of 300 dB, through exp and log */
    assert_int_equal(block_open(&r, (const uint8_t *)block->data, block->length), 0);
    assert_int_equal(r.head.rows, rows->count);
    assert_string_equal(r.facts, rows->facts);
    assert_memory_equal(r.row, rows->row, rows->count * sizeof *rows->row);
    for (uint32_t i = 0; i < rows->count; i++) {
        assert_int_equal(block_next_row(&r, &out), 0);
        for (uint32_t c = 0; c < columns; c++) {
            const size_t at = (size_t)i * columns + c;
            const double mean = rows->db[0][at], max = rows->db[1][at], min = rows->db[2][at];
            const double distance = fmax(mean - min, 0);
            assert_true(fabs(out.mean_db[c] - mean) <= step / 2 + rounding);
            assert_true(fabs(out.max_db[c] - max) <= step + rounding);
            assert_true(fabs(out.min_db[c] - min) <=
                        (5 + distance + step / 2) * (exp(0.3 * step) - 1) + step / 2 + rounding);
            const double db = 10 * log10((double)out.mean_power[c]);
            assert_true(fabs(db - (double)out.mean_db[c]) < rounding);
        }
    }
    assert_int_equal(block_next_row(&r, &out), -EBADMSG);
    block_finish(&r);
    free(levels);
}

static void check_exact(double step)
{
    struct archive_rows rows;
    struct text block = {0};
    make(&rows, 700, ARCHIVE_ROWS, ALL);
    for (uint32_t i = 0; i < rows.count; i++) {
        for (uint32_t c = 0; c < rows.layout.columns; c++) {
            const double level = -160 + 170 * draw();
            if (c < 350)
                put_noise(&rows, i, c, 100, -90);
            else
                put(&rows, i, c, level, level + 60 * draw(), level - 100 * draw());
        }
    }
    block_write(&block, &rows, 1000000000, (float)step);
    assert_false(block.failed);
    assert_exact(&rows, &block, step);
    text_finish(&block);
    finish(&rows);
}

static void levels_are_as_exact_as_stated(void **state)
{
    (void)state;
    const double steps[] = {0.01, 0.1, 0.5, 1};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        check_exact(steps[i]);
}

static void a_row_alone_and_silence_are_exact(void **state)
{
    (void)state;
    struct archive_rows rows;
    struct text block = {0};
    make(&rows, 3, 1, ALL);
    put(&rows, 0, 0, -20, -10, -35);
    put(&rows, 0, 1, -300, -300, -300);
    put(&rows, 0, 2, 3, 3, 3);
    block_write(&block, &rows, 100000000, 0.5F);
    assert_exact(&rows, &block, 0.5);
    text_finish(&block);
    finish(&rows);
}

/* 10 ms of full scale in an hour of silence stay at full scale. */
static void a_peak_in_one_row_stays(void **state)
{
    (void)state;
    struct archive_rows rows;
    struct block_reader r;
    struct text block = {0};
    float max[16];
    make(&rows, 16, ARCHIVE_ROWS, ALL);
    for (uint32_t i = 0; i < rows.count; i++)
        for (uint32_t c = 0; c < 16; c++)
            put(&rows, i, c, -100, i == 41 && c == 5 ? 0 : -91, -130);
    block_write(&block, &rows, 1000000000, 0.5F);
    assert_int_equal(block_open(&r, (const uint8_t *)block.data, block.length), 0);
    for (uint32_t i = 0; i < rows.count; i++) {
        assert_int_equal(block_next_row(&r, &(struct block_levels){.max_db = max}), 0);
        assert_float_equal(max[5], i == 41 ? 0 : -91, 0.5001);
        assert_float_equal(max[6], -91, 0.5001);
    }
    block_finish(&r);
    text_finish(&block);
    finish(&rows);
}

static void absent_detectors_are_absent(void **state)
{
    (void)state;
    const unsigned sets[] = {FFT_DETECTOR_MEAN, FFT_DETECTOR_MAX, FFT_DETECTOR_MIN,
                             FFT_DETECTOR_MAX | FFT_DETECTOR_MIN};
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        struct archive_rows rows;
        struct block_reader r;
        struct text block = {0};
        float mean[4] = {7, 7, 7, 7}, max[4] = {7, 7, 7, 7}, min[4] = {7, 7, 7, 7};
        make(&rows, 4, 2, sets[s]);
        for (uint32_t c = 0; c < 4; c++) {
            put(&rows, 0, c, -20, -10, -40);
            put(&rows, 1, c, -21, -11, -41);
        }
        block_write(&block, &rows, 1000000000, 0.1F);
        assert_int_equal(block_open(&r, (const uint8_t *)block.data, block.length), 0);
        const struct block_levels out = {NULL, mean, max, min};
        assert_int_equal(block_next_row(&r, &out), 0);
        assert_float_equal(mean[1], (sets[s] & FFT_DETECTOR_MEAN) != 0 ? -20 : 7, 0.11);
        assert_float_equal(max[1], (sets[s] & FFT_DETECTOR_MAX) != 0 ? -10 : 7, 0.11);
        assert_float_equal(min[1], (sets[s] & FFT_DETECTOR_MIN) != 0 ? -40 : 7, 0.11);
        block_finish(&r);
        text_finish(&block);
        finish(&rows);
    }
}

/*
 * A year of rows of 1 s fits 64 GB: 2030 bytes a row; a tenth of them is left to the coarser tiers.
 * The entropy of this noise, of 1000 frames, at this step is 0.43 bits for the mean, 1.64 for the
 * maximum and 1.14 for the minimum: 1640 bytes a row.
 */
static void a_year_of_noise_fits_64_gb(void **state)
{
    (void)state;
    struct archive_rows rows;
    struct text block = {0};
    make(&rows, 4096, ARCHIVE_ROWS, ALL);
    for (uint32_t i = 0; i < rows.count; i++)
        for (uint32_t c = 0; c < 4096; c++)
            put_noise(&rows, i, c, 1000, -90 - 10 * sin(c / 500.0));
    block_write(&block, &rows, 1000000000, 0.5F);
    print_message("%.0f bytes a row\n", (double)block.length / rows.count);
    assert_true((double)block.length / rows.count < 0.9 * 64e9 / (365.25 * 86400));
    text_finish(&block);
    finish(&rows);
}

/* Every byte is under the checksum, or is it; no cut block is read. */
static void damaged_blocks_are_refused(void **state)
{
    (void)state;
    struct archive_rows rows;
    struct block_reader r;
    struct text block = {0};
    make(&rows, 40, 3, ALL);
    for (uint32_t i = 0; i < rows.count; i++)
        for (uint32_t c = 0; c < 40; c++)
            put_noise(&rows, i, c, 10, -50);
    block_write(&block, &rows, 1000000000, 0.5F);
    for (size_t i = 0; i < block.length; i++) {
        block.data[i] ^= 0x10;
        assert_int_equal(block_open(&r, (const uint8_t *)block.data, block.length), -EBADMSG);
        block.data[i] ^= 0x10;
        assert_int_equal(block_open(&r, (const uint8_t *)block.data, i), -EBADMSG);
    }
    assert_int_equal(block_open(&r, (const uint8_t *)block.data, block.length), 0);
    block_finish(&r);
    text_finish(&block);
    finish(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_as_exact_as_stated),
        cmocka_unit_test(a_row_alone_and_silence_are_exact),
        cmocka_unit_test(a_peak_in_one_row_stays),
        cmocka_unit_test(absent_detectors_are_absent),
        cmocka_unit_test(a_year_of_noise_fits_64_gb),
        cmocka_unit_test(damaged_blocks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
