/* test_powers.c - searches by the pyramid and by every bin against plain loops. */
#include <stdlib.h>
#include <string.h>

#include "daemon/line/powers.h"
#include "tests/support/cmocka_all.h"

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* Few different powers, so that many bins are equal; most are 0. */
static struct line *line_of(uint32_t n, uint32_t *seed)
{
    struct line *line = line_create(&(struct line_shape){.n = n, .detectors = FFT_DETECTOR_MEAN});
    assert_non_null(line);
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t value = next_random(seed) % 40;
        line->detector[0][k] = value < 9 ? (float)value : 0;
    }
    line_reset_pyramids(line);
    return line;
}

static void check(const struct powers *p, uint32_t from, uint32_t to, float limit)
{
    const float *power = p->level[0];
    uint32_t strongest = from, above = from;
    for (uint32_t k = from; k < to; k++)
        strongest = power[k] > power[strongest] ? k : strongest;
    while (above < to && power[above] <= limit)
        above++;
    assert_true(powers_largest(p, from, to) == power[strongest]);
    assert_int_equal(powers_strongest(p, from, to), strongest);
    assert_int_equal(powers_above(p, from, to, limit), above);
}

static void both_ways_find_what_plain_loops_find(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 7, 64, 100, 1000, 1024, 12345};
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const uint32_t n = sizes[i];
        struct line *line = line_of(n, &seed);
        const struct powers ways[] = {powers_of_line(line, 0),
                                      powers_of_bins(line->detector[0], n)};
        for (int tries = 0; tries < 300; tries++) {
            const uint32_t from = next_random(&seed) % n;
            const uint32_t to = from + 1 + next_random(&seed) % (n - from);
            const float limit = (float)(next_random(&seed) % 10) - 0.5F;
            check(&ways[0], from, to, limit);
            check(&ways[1], from, to, limit);
        }
        line_destroy(line);
    }
}

/* The last of an odd number of values is in no higher level. */
static void the_last_bin_of_any_number_is_found(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 600; n++) {
        struct line *line = line_create(&(struct line_shape){.n = n, .detectors = 1});
        assert_non_null(line);
        memset(line->detector[0], 0, n * sizeof(float));
        line->detector[0][n - 1] = 1;
        const struct powers p = powers_of_line(line, 0);
        for (uint32_t from = 0; from < n; from += 1 + n / 10)
            check(&p, from, n, 0.5F);
        line_destroy(line);
    }
}

static void a_range_of_nothing_is_zero_at_its_first_bin(void **state)
{
    (void)state;
    const float bins[40] = {0};
    const struct powers p = powers_of_bins(bins, 40);
    assert_true(powers_largest(&p, 3, 40) == 0);
    assert_int_equal(powers_strongest(&p, 3, 40), 3);
    assert_int_equal(powers_above(&p, 3, 40, 0), 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_find_what_plain_loops_find),
        cmocka_unit_test(the_last_bin_of_any_number_is_found),
        cmocka_unit_test(a_range_of_nothing_is_zero_at_its_first_bin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
