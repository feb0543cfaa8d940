/* test_ddc_loops.c - the loops of a down-converter against their formulas, in every instruction
 * set. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/ddc/ddc_loops.h"

enum { SAMPLES = 203, TAPS = 96, FACTOR = 7, OUTPUTS = (SAMPLES - TAPS) / FACTOR + 1 };

static union {
    unsigned char cu8[8 * SAMPLES];
    int8_t cs8[8 * SAMPLES];
    int16_t cs16[4 * SAMPLES];
    float cf32[2 * SAMPLES];
} raw;

/* A component of a sample, in the units of its format. */
static double component(enum fft_iq_format format, size_t i)
{
    switch (format) {
    case FFT_IQ_CU8:
        return raw.cu8[i] - 127.5;
    case FFT_IQ_CS8:
        return raw.cs8[i];
    case FFT_IQ_CS16:
        return raw.cs16[i];
    default:
        return raw.cf32[i];
    }
}

static void fill(enum fft_iq_format format)
{
    srand(3);
    for (size_t i = 0; i < sizeof raw; i++)
        raw.cu8[i] = (unsigned char)(rand() >> 8);
    for (size_t i = 0; i < 2 * SAMPLES && format == FFT_IQ_CF32; i++)
        raw.cf32[i] = (float)rand() / (float)RAND_MAX - 0.5F;
}

/* `from` moves the samples in the vectors. */
static void assert_shift(const struct ddc_loops *loops, enum fft_iq_format format, size_t from)
{
    const double scale = 0.8, phase = 0.3, step = 0.01;
    float turn_re[SAMPLES], turn_im[SAMPLES], re[SAMPLES], im[SAMPLES];
    const struct ddc_turn turn = {(float)(scale * cos(phase)), (float)(scale * sin(phase)), turn_re,
                                  turn_im};
    const double tolerance = 1e-6 * fft_iq_full_scale(format);
    fill(format);
    for (size_t i = 0; i < SAMPLES; i++) {
        turn_re[i] = (float)cos(step * (double)i);
        turn_im[i] = (float)sin(step * (double)i);
    }
    loops->shift[format](&turn, raw.cu8 + from * fft_iq_bytes(format), SAMPLES - from, re, im);
    for (size_t i = 0; i < SAMPLES - from; i++) {
        const double angle = phase + step * (double)i;
        const double x = component(format, 2 * (from + i));
        const double y = component(format, 2 * (from + i) + 1);
        const double want_re = scale * (x * cos(angle) - y * sin(angle));
        const double want_im = scale * (x * sin(angle) + y * cos(angle));
        assert_float_equal(re[i], want_re, tolerance);
        assert_float_equal(im[i], want_im, tolerance);
    }
}

static void shift_multiplies_each_sample_by_its_turn(void **state)
{
    (void)state;
    const struct ddc_loops *loops;
    for (size_t i = 0; (loops = ddc_loops_at(i)); i++)
        for (int format = 0; format < FFT_IQ_FORMATS; format++)
            for (size_t from = 0; from < 40; from += 13)
                assert_shift(loops, (enum fft_iq_format)format, from);
}

static void filter_is_the_sum_of_taps_and_samples(void **state)
{
    (void)state;
    static float tap[TAPS], re[SAMPLES], im[SAMPLES], to_re[OUTPUTS], to_im[OUTPUTS];
    const struct ddc_filter f = {.tap = tap, .taps = TAPS, .factor = FACTOR};
    const struct ddc_loops *loops;
    for (size_t i = 0; i < SAMPLES; i++) {
        re[i] = (float)sin(0.7 * (double)(i * i));
        im[i] = (float)cos(0.3 * (double)(i * i));
    }
    for (size_t i = 0; i < TAPS; i++)
        tap[i] = (float)sin(0.9 * (double)(i * i)) / TAPS;
    for (size_t which = 0; (loops = ddc_loops_at(which)); which++) {
        loops->filter(&f, re, im, OUTPUTS, to_re, to_im);
        for (size_t i = 0; i < OUTPUTS; i++) {
            double want_re = 0, want_im = 0;
            for (size_t k = 0; k < TAPS; k++) {
                want_re += (double)tap[k] * re[i * FACTOR + k];
                want_im += (double)tap[k] * im[i * FACTOR + k];
            }
            assert_float_equal(to_re[i], want_re, 1e-6);
            assert_float_equal(to_im[i], want_im, 1e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shift_multiplies_each_sample_by_its_turn),
        cmocka_unit_test(filter_is_the_sum_of_taps_and_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
