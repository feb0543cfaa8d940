/* test_ddc_phase.c - the phase of an output is that of its own sample, however late it comes. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/ddc/ddc.h"

#define PI 3.14159265358979323846

/* Of a tone at a sample, from 0 to 1. Of whole Hz, no number here is rounded, however large. */
static double turns_of(int64_t hz, int64_t rate_hz, uint64_t number)
{
    const int64_t rest = (int64_t)(number % (uint64_t)rate_hz);
    const int64_t part = hz % rate_hz * rest % rate_hz;
    return (double)(part < 0 ? part + rate_hz : part) / (double)rate_hz;
}

static struct fft_iq *make_tone(int64_t hz, int64_t rate_hz, uint64_t number, size_t count)
{
    struct fft_iq *in = calloc(count, sizeof *in);
    assert_non_null(in);
    for (size_t i = 0; i < count; i++) {
        const double turns = turns_of(hz, rate_hz, number + i);
        in[i] = (struct fft_iq){(float)cos(2 * PI * turns), (float)sin(2 * PI * turns)};
    }
    return in;
}

/* From the phase of the formula to that of an output, in rad. */
static double error_of(struct fft_iq out, double turns)
{
    const double re = cos(2 * PI * turns), im = sin(2 * PI * turns);
    return atan2(out.im * re - out.re * im, out.re * re + out.im * im);
}

/* ---- late samples ----------------------------------------------------------------------- */

static const struct {
    int64_t rate_hz, shift_hz, offset_hz;
} tones[] = {{2400000, 123457, 1000},    {2400000, -123457, -1000}, {2048000, 700001, -3},
             {2048000, -1, 1500},        {61440000, 9999999, 2000}, {61440000, -30000001, 1},
             {3000000, 1000000, -12345}, {20000000, 20000003, 77}};
enum { TONES = sizeof tones / sizeof tones[0] };

/* The largest error of the tone's outputs, of samples number, number + 1, ... */
static double worst_at(const struct ddc_plan *p, unsigned tone, uint64_t number)
{
    enum { OUTPUTS = 20 };
    const int64_t rate_hz = tones[tone].rate_hz, offset_hz = tones[tone].offset_hz;
    const size_t count = 2 * (size_t)p->reach + (OUTPUTS - 1) * (size_t)p->factor + 1;
    struct fft_iq *in = make_tone(tones[tone].shift_hz + offset_hz, rate_hz, number, count);
    const struct fft_iq *out;
    struct ddc *c = NULL;
    double worst = 0;
    assert_int_equal(ddc_create(&c, p, FFT_IQ_CF32, 1, count), 0);
    ddc_begin(c, number, number + p->reach, (double)tones[tone].shift_hz, 1);
    assert_int_equal(ddc_push(c, in, count, &out), OUTPUTS);
    for (size_t i = 0; i < OUTPUTS; i++) {
        const uint64_t at = number + p->reach + i * p->factor;
        worst = fmax(worst, fabs(error_of(out[i], turns_of(offset_hz, rate_hz, at))));
    }
    ddc_destroy(c);
    free(in);
    return worst;
}

/* The phase is counted in parts of 2^-64 turns: what half a part a sample has become. */
static double limit_at(uint64_t number)
{
    return 5e-7 + 2 * PI * 0x1p-65 * (double)number;
}

static void phase_is_that_of_the_samples_number_after_years(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0, 123456789, UINT64_C(1000000000000),
                                       (UINT64_C(1) << 45) + 12345, UINT64_C(3000000000000001)};
    for (unsigned t = 0; t < TONES; t++) {
        const double rate_hz = (double)tones[t].rate_hz;
        struct ddc_plan plans[4];
        ddc_plan_band(&plans[0], rate_hz, 50e3);
        ddc_plan_band(&plans[1], rate_hz, rate_hz);
        ddc_plan_channel(&plans[2], rate_hz, 50e3, DDC_GAUSS);
        ddc_plan_channel(&plans[3], rate_hz, 50e3, DDC_FLAT);
        for (unsigned n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
            for (unsigned p = 0; p < sizeof plans / sizeof plans[0]; p++)
                if (!(worst_at(&plans[p], t, numbers[n]) < limit_at(numbers[n])))
                    fail_msg("tone %u, plan %u, sample %llu: %g rad, %g allowed", t, p,
                             (unsigned long long)numbers[n], worst_at(&plans[p], t, numbers[n]),
                             limit_at(numbers[n]));
    }
}

/* ---- long runs -------------------------------------------------------------------------- */

/*
 * Pushes a tone that repeats after `period` samples for `rounds` of them, from a late sample on.
 * Every output has its own sample's phase: so frequency and number of the outputs are right, too.
 */
static void a_long_run_keeps_the_phase_of_each_output(void **state)
{
    (void)state;
    enum { RATE = 2400000, SHIFT = 345600, OFFSET = 3200, PERIOD = 3000, ROUNDS = 3000 };
    const uint64_t number = UINT64_C(1000000000000);
    struct fft_iq *in = make_tone(SHIFT + OFFSET, RATE, number, PERIOD);
    struct ddc_plan p;
    struct ddc *c = NULL;
    uint64_t at;
    ddc_plan_band(&p, RATE, 20e3);
    assert_int_equal(ddc_create(&c, &p, FFT_IQ_CF32, 1, PERIOD), 0);
    at = number + p.reach;
    ddc_begin(c, number, at, SHIFT, 1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct fft_iq *out;
        const size_t got = ddc_push(c, in, PERIOD, &out);
        for (size_t i = 0; i < got; i++, at += p.factor)
            assert_true(fabs(error_of(out[i], turns_of(OFFSET, RATE, at))) <
                        limit_at(number + (uint64_t)PERIOD * ROUNDS));
    }
    assert_int_equal((at - number - p.reach) / p.factor,
                     ((uint64_t)PERIOD * ROUNDS - 2 * p.reach - 1) / p.factor + 1);
    ddc_destroy(c);
    free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phase_is_that_of_the_samples_number_after_years),
        cmocka_unit_test(a_long_run_keeps_the_phase_of_each_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
