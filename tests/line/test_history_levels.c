/* test_history_levels.c - columns and levels of the history, against one bin after the other. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/line/history/history_levels.h"

enum { MOST = 70000 };

static void fill(float *power, uint32_t count, double range_db)
{
    unsigned seed = count;
    for (uint32_t i = 0; i < count; i++)
        power[i] = powf(10, (float)(-range_db / 10 * rand_r(&seed) / RAND_MAX));
}

static void a_column_is_the_largest_of_its_bins(void **state)
{
    static float power[MOST], columns[MOST];
    static const uint32_t counts[] = {1, 7, 64, 2048, 4096, 4097, 65536, 69999};
    (void)state;
    for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (uint32_t bins = 1; bins <= 8192; bins *= 2) {
            const uint32_t n = counts[c];
            fill(power, n, 100);
            columns[(n + bins - 1) / bins] = -1;
            levels_reduce(power, n, bins, columns);
            for (uint32_t i = 0; i < n; i += bins) {
                float max = 0;
                for (uint32_t k = i; k < i + bins && k < n; k++)
                    max = fmaxf(max, power[k]);
                assert_true(columns[i / bins] >= max && columns[i / bins] <= max);
            }
            assert_near(columns[(n + bins - 1) / bins], -1, 0); /* not one more */
        }
    }
}

/* Half a step, and 0.001 dB for the logarithm. */
static void a_level_is_its_power_to_half_a_step(void **state)
{
    static float power[MOST];
    static uint8_t levels[MOST];
    float offset, step;
    (void)state;
    for (double range_db = 10; range_db < 160; range_db += 30) {
        for (uint32_t count = 1; count < 100; count += 7) {
            fill(power, count, range_db);
            levels_quantise(power, count, levels, &offset, &step);
            assert_true(step >= 0.25F);
            for (uint32_t i = 0; i < count; i++)
                assert_near(offset + step * levels[i], 10 * log10(power[i]), step / 2 + 0.001);
        }
    }
}

/* The range is 160 dB; nothing is below the lowest level, and no power of 0 is above it. */
static void powers_out_of_range_have_the_lowest_level(void **state)
{
    const float power[] = {1, 0.5F, 0, 1e-30F, 1e-45F, 1e-16F};
    uint8_t levels[6];
    float offset, step;
    (void)state;
    levels_quantise(power, 6, levels, &offset, &step);
    assert_near(offset, -160, 0.001);
    assert_int_equal(levels[0], 254);
    assert_near(offset + step * levels[1], -3.0103, step / 2 + 0.001);
    for (int i = 2; i < 6; i++)
        assert_int_equal(levels[i], 0);
    const float silence[] = {0, 0, 0};
    levels_quantise(silence, 3, levels, &offset, &step);
    for (int i = 0; i < 3; i++)
        assert_true(offset + step * levels[i] <= -290);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_is_the_largest_of_its_bins),
        cmocka_unit_test(a_level_is_its_power_to_half_a_step),
        cmocka_unit_test(powers_out_of_range_have_the_lowest_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
