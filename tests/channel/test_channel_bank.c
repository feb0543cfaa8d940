/* test_channel_bank.c - channels against closed forms, and against the down-converter of boxes. */
#include "tests/support/cmocka_all.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/channel/channel_bank.h"
#include "daemon/ddc/ddc.h"

#define PI   3.14159265358979323846
#define RATE 2.4e6

enum { N = 19200, HOP = 14400, REACH = 2400 };

/* ---- a segment through one channel -------------------------------------------------------- */

struct run {
    struct fft_iq *sample;
    size_t count;
    uint64_t first; /* number of the first output in the segment */
};

static void collect(struct channel_bank *b, const struct channel_filter *f, struct run *r)
{
    const struct fft_iq *out;
    uint64_t first;
    const size_t count = channel_bank_run(b, f, &first, &out);
    if (r->count == 0)
        r->first = first;
    assert_int_equal(first, r->first + r->count);
    r->sample = realloc(r->sample, (r->count + count) * sizeof *r->sample);
    assert_true(r->sample != NULL || count == 0);
    if (count > 0)
        memcpy(r->sample + r->count, out, count * sizeof *out);
    r->count += count;
}

/* A segment of cf32 samples, the first of this number, from block `block` on, in pushes of any
 * size. */
static struct run run_segment(struct channel_bank *b, const struct channel_filter *f,
                              uint64_t number, const struct fft_iq *in, size_t count,
                              uint64_t block, size_t most)
{
    struct run r = {0};
    for (size_t at = (size_t)channel_bank_begin(b, number, block), now; at < count; at += now) {
        now = channel_bank_needs(b);
        now = now < most ? now : most;
        now = now < count - at ? now : count - at;
        if (channel_bank_push(b, in + at, now))
            collect(b, f, &r);
    }
    while (channel_bank_flush(b))
        collect(b, f, &r);
    return r;
}

static struct channel_bank *make_bank(double rate_hz, struct channel_grid *g)
{
    struct channel_bank *b = NULL;
    struct reason why = {0};
    channel_grid_init(g, rate_hz);
    if (channel_bank_create(&b, g, FFT_IQ_CF32, 1, &why) < 0)
        fail_msg("%s", why.sentence);
    return b;
}

static struct channel_filter join(struct channel_bank *b, const struct channel_grid *g,
                                  double rate_hz, double width_hz, struct channel_shape *s)
{
    struct channel_filter f = {0};
    struct reason why = {0};
    if (channel_shape_plan(s, g, rate_hz, width_hz, &why) < 0 ||
        channel_bank_join(b, &f, s, &why) < 0)
        fail_msg("%s", why.sentence);
    return f;
}

/* exp(2 pi i f s) of samples number, number + 1, ...; f in whole parts of 2^-64 turns a sample. */
static struct fft_iq *make_tone(uint64_t f, uint64_t number, size_t count)
{
    struct fft_iq *in = malloc(count * sizeof *in);
    assert_non_null(in);
    for (size_t i = 0; i < count; i++) {
        const double angle = 2 * PI * ldexp((double)(int64_t)(f * (number + i)), -64);
        in[i] = (struct fft_iq){(float)cos(angle), (float)sin(angle)};
    }
    return in;
}

static uint64_t parts(double turns)
{
    return (uint64_t)(int64_t)ldexp(turns, 64);
}

/*
 * The largest error of outputs that the filter does not see the segment's ends in, against
 * exp(2 pi i (f - shift) s) at each output's own place, in dB of full scale.
 */
static double tone_error_db(const struct channel_grid *g, const struct run *r,
                            const struct channel_shape *s, uint64_t difference, uint64_t number,
                            size_t samples)
{
    const double step = (double)g->n / s->m;
    double worst = 0;
    for (size_t j = 0; j < r->count; j++) {
        const double at = (double)(r->first + j) * step;
        if (at < g->reach || at > (double)samples - 1 - g->reach)
            continue;
        const uint64_t whole = number + (uint64_t)at;
        const double turns = ldexp((double)(int64_t)(difference * whole), -64) +
                             ldexp((double)(int64_t)difference, -64) * (at - floor(at));
        const double e =
            hypot(r->sample[j].re - cos(2 * PI * turns), r->sample[j].im - sin(2 * PI * turns));
        worst = fmax(worst, e);
    }
    return 20 * log10(worst + 1e-12);
}

/* ---- phase and gain ------------------------------------------------------------------------ */

static void a_tone_comes_out_with_the_gain_and_phase_of_its_sample_number(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0, 123456789, UINT64_C(1) << 45};
    static const double bins[] = {0, 1, 0.37, 0.5, -3333.37, 8000.49, -1},
                        offsets_hz[] = {0, 5000, -8000};
    struct channel_grid g;
    struct channel_shape s;
    struct channel_bank *b = make_bank(RATE, &g);
    struct channel_filter f = join(b, &g, 25e3, 0, &s);
    assert_int_equal(g.n, N);
    assert_int_equal(s.m, 200);
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++)
        for (size_t k = 0; k < 3; k++) {
            enum { SAMPLES = 3 * HOP + 77 };
            const double shift_hz = bins[i] * RATE / N, hz = shift_hz + offsets_hz[k];
            const uint64_t number = numbers[(i + k) % 3], tone = parts(hz / RATE);
            struct fft_iq *in = make_tone(tone, number, SAMPLES);
            channel_bank_tune(b, &f, shift_hz);
            struct run r = run_segment(b, &f, number, in, SAMPLES, 0, N);
            const double db = tone_error_db(&g, &r, &s, tone - f.frequency, number, SAMPLES);
            assert_int_equal(r.count, (SAMPLES * 200 + N - 1) / N);
            if (db > -80) /* 0.001 dB of gain are -79 dB */
                fail_msg("bin %g, tone %g Hz off, first sample %llu: error %.1f dB", bins[i],
                         offsets_hz[k], (unsigned long long)number, db);
            free(in);
            free(r.sample);
        }
    channel_bank_leave(b, &f);
    channel_bank_destroy(b);
}

/* Gain alone, in the middle of the pass band, where the filter has none: only rounding is left. */
static void phase_is_exact_to_100_db_at_any_bin_and_number(void **state)
{
    (void)state;
    struct channel_grid g;
    struct channel_shape s;
    struct channel_bank *b = make_bank(RATE, &g);
    struct channel_filter f = join(b, &g, 240e3, 0, &s);
    for (int i = 0; i < 8; i++) {
        enum { SAMPLES = 2 * HOP + 5000 };
        const double shift_hz = -1.1e6 + 300e3 * i + 17.3 * i;
        const uint64_t number = (UINT64_C(1) << 45) + 98765 * (uint64_t)i,
                       tone = parts(shift_hz / RATE);
        struct fft_iq *in = make_tone(tone, number, SAMPLES);
        channel_bank_tune(b, &f, shift_hz);
        struct run r = run_segment(b, &f, number, in, SAMPLES, 0, 5000);
        double re = 0, im = 0, worst = 0;
        size_t used = 0;
        const size_t edge = s.m / 8 + 1;
        for (size_t j = edge; j < r.count - edge; j++, used++) {
            re += r.sample[j].re;
            im += r.sample[j].im;
        }
        re /= (double)used, im /= (double)used;
        for (size_t j = edge; j < r.count - edge; j++)
            worst = fmax(worst, hypot(r.sample[j].re - re, r.sample[j].im - im));
        assert_true(fabs(20 * log10(hypot(re, im))) < 0.002);
        assert_true(fabs(atan2(im, re)) < 1e-5);
        if (20 * log10(worst) > -100)
            fail_msg("%g Hz: %.1f dB", shift_hz, 20 * log10(worst));
        free(in);
        free(r.sample);
    }
    channel_bank_leave(b, &f);
    channel_bank_destroy(b);
}

/* ---- what lies outside --------------------------------------------------------------------- */

/* The worst single output of a tone: an image changes within a block. */
static double leak_db(struct channel_bank *b, const struct channel_grid *g,
                      const struct channel_filter *f, double hz)
{
    enum { SAMPLES = 3 * N };
    struct fft_iq *in = make_tone(parts(hz / g->rate_hz), 0, SAMPLES);
    struct run r = run_segment(b, f, 0, in, SAMPLES, 0, N);
    const size_t edge = r.count / 8;
    double worst = 0;
    for (size_t j = edge; j < r.count - edge; j++)
        worst = fmax(worst, hypot(r.sample[j].re, r.sample[j].im));
    free(in);
    free(r.sample);
    return 20 * log10(worst + 1e-12);
}

static void every_sample_of_what_lies_outside_is_80_db_down(void **state)
{
    (void)state;
    static const double rates_hz[] = {8e3, 25e3, 240e3};
    struct channel_grid g;
    struct channel_shape s;
    struct channel_bank *b = make_bank(RATE, &g);
    for (size_t i = 0; i < 3; i++) {
        struct channel_filter f = join(b, &g, rates_hz[i], 0, &s);
        const double shift_hz = 300040;
        channel_bank_tune(b, &f, shift_hz);
        for (int k = 0; k < 40; k++) {
            /* dense at the edge, then farther and farther out, on both sides */
            const double away =
                s.stop_hz + 63 + (k < 20 ? 37.1 * k : 37.1 * 20 * pow(1.35, k - 20));
            const double hz = shift_hz + (k % 2 ? away : -away);
            if (fabs(hz) > RATE / 2)
                continue;
            const double db = leak_db(b, &g, &f, hz);
            if (db > -80)
                fail_msg("%g S/s, a tone %g Hz off: %.1f dB", rates_hz[i], hz - shift_hz, db);
        }
        channel_bank_leave(b, &f);
    }
    channel_bank_destroy(b);
}

static void bins_beyond_the_stream_are_zeros_and_not_its_other_end(void **state)
{
    (void)state;
    struct channel_grid g;
    struct channel_shape s;
    struct channel_bank *b = make_bank(RATE, &g);
    struct channel_filter f = join(b, &g, 240e3, 0, &s);
    channel_bank_tune(b, &f, 1.15e6); /* reaches 67 kHz beyond the upper end */
    assert_true(f.cut);
    assert_false(f.outside);
    assert_true(leak_db(b, &g, &f, -1.18e6) < -80);
    assert_true(leak_db(b, &g, &f, 1.18e6) > -0.01);
    channel_bank_tune(b, &f, 1.21e6);
    assert_true(f.outside);
    assert_true(leak_db(b, &g, &f, 1.19e6) < -200);
    channel_bank_leave(b, &f);
    channel_bank_destroy(b);
}

/* ---- time ------------------------------------------------------------------------------------ */

static void an_impulse_lies_where_its_sample_does(void **state)
{
    (void)state;
    enum { SAMPLES = 4 * HOP, AT = 23457 };
    struct channel_grid g;
    struct channel_shape s;
    struct channel_bank *b = make_bank(RATE, &g);
    struct channel_filter f = join(b, &g, 48e3, 0, &s);
    struct fft_iq *in = calloc(SAMPLES, sizeof *in);
    in[AT].re = 1;
    struct run r = run_segment(b, &f, 0, in, SAMPLES, 0, N);
    double sum = 0, moment = 0;
    for (size_t j = 0; j < r.count; j++) {
        const double power = pow(r.sample[j].re, 2) + pow(r.sample[j].im, 2);
        sum += power;
        moment += power * (double)j;
    }
    assert_true(fabs(moment / sum - AT / 50.0) < 1e-3);
    free(in);
    free(r.sample);
    channel_bank_leave(b, &f);
    channel_bank_destroy(b);
}

static struct fft_iq *make_noise(size_t count)
{
    struct fft_iq *in = malloc(count * sizeof *in);
    uint64_t x = 88172645463325252U;
    assert_non_null(in);
    for (size_t i = 0; i < 2 * count; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        (&in->re)[i] = (float)((double)(x >> 11) / 9007199254740992.0 - 0.5);
    }
    return in;
}

static void a_channel_opened_later_has_the_bytes_of_one_that_was_there(void **state)
{
    (void)state;
    enum { SAMPLES = 12 * HOP + 999 };
    struct channel_grid g;
    struct channel_shape s;
    struct channel_bank *b = make_bank(RATE, &g);
    struct channel_filter f = join(b, &g, 25e3, 0, &s);
    struct fft_iq *in = make_noise(SAMPLES);
    channel_bank_tune(b, &f, 412345.6);
    struct run all = run_segment(b, &f, 777, in, SAMPLES, 0, N);
    const uint64_t block = channel_bank_block_from(&g, 100001);
    assert_int_equal(block, (100001 + REACH + HOP - 1) / HOP);
    struct run late = run_segment(b, &f, 777, in, SAMPLES, block, 1234);
    assert_int_equal(late.first, block * 150);
    assert_int_equal(late.first + late.count, all.count);
    assert_memory_equal(late.sample, all.sample + late.first, late.count * sizeof *in);
    free(in);
    free(all.sample);
    free(late.sample);
    channel_bank_leave(b, &f);
    channel_bank_destroy(b);
}

/* The independent truth: shift and FIR filters in the time domain. */
static void noise_in_the_pass_band_is_that_of_the_down_converter(void **state)
{
    (void)state;
    enum { SAMPLES = 6 * HOP, FACTOR = 50 };
    const double shift_hz = -321098.7;
    struct channel_grid g;
    struct channel_shape s;
    struct channel_bank *b = make_bank(RATE, &g);
    struct channel_filter f = join(b, &g, 48e3, 0, &s);
    struct ddc_plan plan;
    struct ddc *c = NULL;
    const struct fft_iq *out;
    /* A sum of tones within +-15 kHz, where both filters are flat. */
    struct fft_iq *in = calloc(SAMPLES, sizeof *in);
    for (int k = 0; k < 30; k++) {
        const double hz = shift_hz - 15e3 + 1034.7 * k;
        struct fft_iq *tone = make_tone(parts(hz / RATE), 0, SAMPLES);
        for (size_t i = 0; i < SAMPLES; i++)
            in[i] = (struct fft_iq){in[i].re + tone[i].re / 30, in[i].im + tone[i].im / 30};
        free(tone);
    }
    channel_bank_tune(b, &f, shift_hz);
    struct run r = run_segment(b, &f, 0, in, SAMPLES, 0, N);
    ddc_plan_band(&plan, RATE, 38.4e3);
    assert_int_equal(plan.factor, FACTOR);
    assert_int_equal(ddc_create(&c, &plan, FFT_IQ_CF32, 1, DDC_BLOCK), 0);
    ddc_begin(c, 0, 0, shift_hz, 1);
    const size_t count = ddc_push(c, in, SAMPLES, &out), edge = REACH / FACTOR + 1;
    double worst = 0;
    assert_true(count > 1000);
    for (size_t j = edge; j < count && j < r.count - edge; j++)
        worst = fmax(worst, hypot(out[j].re - r.sample[j].re, out[j].im - r.sample[j].im));
    assert_true(20 * log10(worst) < -75); /* both may be 0.001 dB off */
    ddc_destroy(c);
    free(in);
    free(r.sample);
    channel_bank_leave(b, &f);
    channel_bank_destroy(b);
}

/* A 12-bit radio in cs16: its full scale is 2048. */
static void levels_are_parts_of_the_streams_full_scale(void **state)
{
    (void)state;
    enum { SAMPLES = 2 * N };
    struct channel_grid g;
    struct channel_shape s;
    struct channel_bank *b = NULL;
    struct channel_filter f = {0};
    struct reason why = {0};
    const struct fft_iq *out;
    uint64_t first;
    int16_t *in = malloc(SAMPLES * 4);
    channel_grid_init(&g, RATE);
    assert_int_equal(channel_bank_create(&b, &g, FFT_IQ_CS16, 2048, &why), 0);
    assert_int_equal(channel_shape_plan(&s, &g, 48e3, 0, &why), 0);
    assert_int_equal(channel_bank_join(b, &f, &s, &why), 0);
    for (size_t i = 0; i < SAMPLES; i++) {
        in[2 * i] = 1024;
        in[2 * i + 1] = 0;
    }
    channel_bank_begin(b, 0, 0);
    assert_true(channel_bank_push(b, in, channel_bank_needs(b)));
    const size_t count = channel_bank_run(b, &f, &first, &out);
    assert_true(count > 200);
    assert_true(fabs(20 * log10(hypot(out[200].re, out[200].im)) + 6.0206) < 0.002);
    free(in);
    channel_bank_leave(b, &f);
    channel_bank_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tone_comes_out_with_the_gain_and_phase_of_its_sample_number),
        cmocka_unit_test(phase_is_exact_to_100_db_at_any_bin_and_number),
        cmocka_unit_test(every_sample_of_what_lies_outside_is_80_db_down),
        cmocka_unit_test(bins_beyond_the_stream_are_zeros_and_not_its_other_end),
        cmocka_unit_test(an_impulse_lies_where_its_sample_does),
        cmocka_unit_test(a_channel_opened_later_has_the_bytes_of_one_that_was_there),
        cmocka_unit_test(noise_in_the_pass_band_is_that_of_the_down_converter),
        cmocka_unit_test(levels_are_parts_of_the_streams_full_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
