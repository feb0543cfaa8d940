/* test_channel_loops.c - the loops of a bank against their formulas, in every instruction set. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/channel/channel_loops.h"

#define PI 3.14159265358979323846

enum { BINS = 301, OUTPUTS = 504 };

static struct fft_iq bins[BINS + 2];
static float response[BINS];

/* Values of the size 1, of both signs. */
static void fill(void)
{
    for (size_t i = 0; i < BINS + 2; i++)
        bins[i] =
            (struct fft_iq){(float)sin(0.7 * (double)(i * i)), (float)cos(0.3 * (double)(i * i))};
    for (size_t i = 0; i < BINS; i++)
        response[i] = (float)sin(0.9 * (double)(i * i));
}

/* Each count and start moves the bins in the vectors. */
static void weights_multiply_bins_by_the_response(void **state)
{
    (void)state;
    const struct channel_loops *loops;
    struct fft_iq out[BINS + 1];
    fill();
    for (size_t which = 0; (loops = channel_loops_at(which)); which++)
        for (size_t from = 0; from < 20; from += 3) {
            const size_t count = BINS - from;
            out[count].re = 17;
            loops->weight(bins + from, response + from, count, out);
            for (size_t i = 0; i < count; i++) {
                assert_float_equal(out[i].re, (double)bins[from + i].re * response[from + i], 1e-7);
                assert_float_equal(out[i].im, (double)bins[from + i].im * response[from + i], 1e-7);
            }
            assert_float_equal(out[count].re, 17, 0);
        }
}

static struct fft_iq factor(double turns)
{
    return (struct fft_iq){(float)cos(2 * PI * turns), (float)sin(2 * PI * turns)};
}

static void turns_multiply_each_output_by_the_next_factor(void **state)
{
    (void)state;
    static const double steps[] = {0, 0.0123, -0.377};
    const struct channel_loops *loops;
    struct fft_iq x[OUTPUTS + 1];
    struct channel_turn t;
    for (size_t which = 0; (loops = channel_loops_at(which)); which++)
        for (size_t s = 0; s < 3; s++) {
            const double at = 0.21, step = steps[s];
            for (int i = 0; i < CHANNEL_TURNED; i++)
                t.first[i] = factor(at + step * i);
            t.step = factor(step * CHANNEL_TURNED);
            for (size_t j = 0; j <= OUTPUTS; j++)
                x[j] = (struct fft_iq){0.5F, -0.25F};
            loops->turn(&t, x, OUTPUTS);
            for (size_t j = 0; j < OUTPUTS; j++) {
                const double angle = 2 * PI * (at + step * (double)j), c = cos(angle),
                             d = sin(angle);
                assert_float_equal(x[j].re, (float)(0.5 * c + 0.25 * d), 5e-6F);
                assert_float_equal(x[j].im, (float)(0.5 * d - 0.25 * c), 5e-6F);
            }
            assert_float_equal(x[OUTPUTS].re, 0.5, 0);
        }
}

/* Of bin i of `bins`, whose neighbours are i - 1 and i + 1. */
static double power_of(size_t i)
{
    const double re = bins[i].re - ((double)bins[i - 1].re + bins[i + 1].re) / 2;
    const double im = bins[i].im - ((double)bins[i - 1].im + bins[i + 1].im) / 2;
    return re * re + im * im;
}

static void powers_are_those_under_hanns_window(void **state)
{
    (void)state;
    const struct channel_loops *loops;
    float power[BINS + 1], sum[BINS];
    fill();
    for (size_t which = 0; (loops = channel_loops_at(which)); which++)
        for (size_t from = 0; from < 20; from += 3) {
            const size_t count = BINS - from;
            double all = 0;
            power[count] = 17;
            loops->powers(bins + 1 + from, power, count);
            for (size_t i = 0; i < count; i++) {
                assert_float_equal(power[i], power_of(1 + from + i), 1e-5);
                all += power_of(1 + from + i) * response[i] * response[i];
                sum[i] = (float)i;
            }
            assert_float_equal(power[count], 17, 0);
            assert_true(fabs(loops->sum(power, response, count) - all) < 1e-6 * all);
            loops->add(power, sum, count);
            for (size_t i = 0; i < count; i++)
                assert_float_equal(sum[i], (float)((double)i + power_of(1 + from + i)), 1e-4F);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_multiply_bins_by_the_response),
        cmocka_unit_test(turns_multiply_each_output_by_the_next_factor),
        cmocka_unit_test(powers_are_those_under_hanns_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
