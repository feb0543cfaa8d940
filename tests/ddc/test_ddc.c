/* test_ddc.c - a band comes out at its level, frequency and time, and nothing else does. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/ddc/ddc.h"

#define PI   3.14159265358979323846
#define RATE 2.4e6

struct result {
    struct fft_iq *sample;
    size_t count;
};

static void collect(struct result *r, const struct fft_iq *from, size_t count)
{
    if (count > 0)
        memcpy(r->sample + r->count, from, count * sizeof *from);
    r->count += count;
}

/* Cuts [first, number + count) out of samples number, number + 1, ... in blocks of this size. */
static struct result ddc_all(const struct ddc_plan *p, const struct fft_iq *in, uint64_t number,
                             uint64_t first, size_t count, double shift_hz, size_t block)
{
    struct ddc *c = NULL;
    const struct fft_iq *out;
    struct result r = {.sample = calloc(count / p->factor + 2, sizeof *r.sample)};
    assert_non_null(r.sample);
    assert_int_equal(ddc_create(&c, p, FFT_IQ_CF32, 1, DDC_BLOCK), 0);
    ddc_begin(c, number, first, shift_hz, 1);
    for (size_t at = 0, now; at < count + p->reach; at += now) {
        const size_t rest = at < count ? count - at : count + (size_t)p->reach - at;
        now = rest < block ? rest : block;
        const size_t got = ddc_push(c, at < count ? in + at : NULL, now, &out);
        collect(&r, out, got);
    }
    ddc_destroy(c);
    return r;
}

/* exp(2 pi i f n): its phase at sample number n, to double precision. */
static struct fft_iq *make_tone(double hz, double rate_hz, uint64_t number, size_t count)
{
    struct fft_iq *in = calloc(count, sizeof *in);
    assert_non_null(in);
    for (size_t i = 0; i < count; i++) {
        const long double turns = (long double)hz / rate_hz * (long double)(number + i);
        const double angle = 2 * PI * (double)(turns - floorl(turns));
        in[i] = (struct fft_iq){(float)cos(angle), (float)sin(angle)};
    }
    return in;
}

/* The largest power outside of the filter's slopes at both ends, in dB. */
static double largest_db(const struct ddc_plan *p, struct result r)
{
    const size_t edge = (size_t)p->reach / p->factor + 1;
    double largest = 0;
    assert_true(r.count > 2 * edge);
    for (size_t i = edge; i < r.count - edge; i++)
        largest = fmax(largest, hypot(r.sample[i].re, r.sample[i].im));
    return 20 * log10(largest + 1e-30);
}

/* ---- the pass band ---------------------------------------------------------------------- */

/* Every output against the tone itself, shifted, at the output's own sample. */
static void assert_tone(const struct ddc_plan *p, double shift_hz, double offset_hz,
                        uint64_t number)
{
    const size_t count = 4 * (size_t)p->reach + 100 * (size_t)p->factor;
    struct fft_iq *in = make_tone(shift_hz + offset_hz, p->rate_hz, number, count);
    struct result r = ddc_all(p, in, number, number + p->reach, count, shift_hz, DDC_BLOCK);
    double level = 0, phase = 0;
    assert_int_equal(r.count, (count - p->reach + p->factor - 1) / p->factor);
    const size_t whole =
        (count - 2 * (size_t)p->reach) / p->factor; /* without zeros after the end */
    for (size_t i = 0; i < whole; i++) {
        const long double turns =
            (long double)offset_hz / p->rate_hz * (long double)(number + p->reach + i * p->factor);
        const double angle = 2 * PI * (double)(turns - floorl(turns));
        const double re = r.sample[i].re * cos(angle) + r.sample[i].im * sin(angle);
        const double im = r.sample[i].im * cos(angle) - r.sample[i].re * sin(angle);
        level = fmax(level, fabs(20 * log10(hypot(re, im))));
        phase = fmax(phase, fabs(atan2(im, re)));
    }
    if (level > 0.001 || phase > 1e-4)
        fail_msg("factor %u, %g Hz beside %g: %g dB, %g rad", p->factor, offset_hz, shift_hz, level,
                 phase);
    free(r.sample);
    free(in);
}

static void tone_in_the_band_keeps_level_frequency_and_phase(void **state)
{
    (void)state;
    static const double widths[] = {2e3, 25e3, 200e3, 700e3, 1.2e6, 1.9e6, 2.4e6};
    for (unsigned w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        struct ddc_plan p;
        ddc_plan_band(&p, RATE, widths[w]);
        for (int i = -2; i <= 2; i++)
            assert_tone(&p, 123456.7 - 300e3 * (w % 2), widths[w] * i / 4, 0);
    }
}

/* ---- the stop band ---------------------------------------------------------------------- */

static void assert_stopped(const struct ddc_plan *p, double shift_hz, double at_hz)
{
    const size_t count = 4 * (size_t)p->reach + 50 * (size_t)p->factor;
    struct fft_iq *in = make_tone(shift_hz + at_hz, RATE, 0, count);
    struct result r = ddc_all(p, in, 0, 0, count, shift_hz, DDC_BLOCK);
    const double db = largest_db(p, r);
    if (!(db < -80))
        fail_msg("width %g, tone at %g: %g dB", p->width_hz, at_hz, db);
    free(r.sample);
    free(in);
}

static void tone_outside_is_80_db_down(void **state)
{
    (void)state;
    static const double widths[] = {9e3, 25e3, 200e3, 700e3};
    for (unsigned w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        struct ddc_plan p;
        ddc_plan_band(&p, RATE, widths[w]);
        const double edge = ddc_plan_rate(&p) / 2, step = (RATE / 2 - edge) / 40;
        for (int i = 0; i <= 40; i++)
            for (int side = -1; side <= 1; side += 2)
                assert_stopped(&p, 0, side * (edge + i * step));
    }
}

/* What is folded into the middle, into the band, and to its edges, wherever the band lies. */
static void tone_at_every_image_is_80_db_down(void **state)
{
    (void)state;
    static const double widths[] = {25e3, 60e3, 200e3, 1.1e6};
    static const double places[] = {0, 0.3, -0.5, 0.5}; /* in widths */
    for (unsigned w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        struct ddc_plan p;
        ddc_plan_band(&p, RATE, widths[w]);
        for (uint32_t k = 1; k < p.factor; k++)
            assert_stopped(&p, 123456.7 - 300e3 * (k % 2),
                           k * ddc_plan_rate(&p) + places[k % 4] * widths[w]);
    }
}

/* ---- time ------------------------------------------------------------------------------- */

/* The response to an impulse is symmetric about the output whose number the impulse has. */
static void impulse_comes_out_at_its_own_sample(void **state)
{
    (void)state;
    struct ddc_plan p;
    ddc_plan_band(&p, RATE, 60e3);
    const size_t at = 20 * (size_t)p.factor, count = 40 * (size_t)p.factor;
    struct fft_iq *in = calloc(count, sizeof *in);
    in[at].re = 1;
    struct result r = ddc_all(&p, in, 0, 0, count, 0, DDC_BLOCK);
    assert_int_equal(r.count, 40);
    for (size_t i = 0; i < r.count; i++)
        assert_true(i == 20 || fabsf(r.sample[i].re) < r.sample[20].re);
    for (size_t i = 1; i < 20; i++)
        assert_float_equal(r.sample[20 - i].re, r.sample[20 + i].re, 1e-9);
    free(r.sample);
    free(in);
}

/* A sample before the box matters to its first outputs; one farther than `reach` does not. */
static void samples_before_the_box_are_its_context(void **state)
{
    (void)state;
    struct ddc_plan p;
    ddc_plan_band(&p, RATE, 60e3);
    const size_t count = 2 * (size_t)p.reach + 30 * (size_t)p.factor;
    struct fft_iq *in = make_tone(1e3, RATE, 500, count);
    struct result all = ddc_all(&p, in, 500, 500, count, 0, DDC_BLOCK);
    const uint64_t skip = (p.reach + p.factor - 1) / p.factor * p.factor;
    const size_t away = (size_t)(skip - p.reach);
    struct result part = ddc_all(&p, in + away, 500 + away, 500 + skip, count - away, 0, DDC_BLOCK);
    assert_int_equal(part.count, all.count - skip / p.factor);
    assert_memory_equal(part.sample, all.sample + skip / p.factor,
                        part.count * sizeof *part.sample);
    free(all.sample);
    free(part.sample);
    free(in);
}

/* ---- the plan --------------------------------------------------------------------------- */

static void rate_is_an_integer_part_with_room_for_the_band(void **state)
{
    (void)state;
    static const struct {
        double rate_hz, width_hz, out_hz;
    } cases[] = {{2.4e6, 25e3, 32e3},    {61.44e6, 25e3, 32e3}, {2.4e6, 2.4e6, 2.4e6},
                 {2.4e6, 1.92e6, 2.4e6}, {20e6, 6.25e3, 8e3},   {1e6, 399e3, 500e3}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ddc_plan p;
        ddc_plan_band(&p, cases[i].rate_hz, cases[i].width_hz);
        assert_float_equal(ddc_plan_rate(&p), cases[i].out_hz, 1e-9);
    }
    for (double width = 100; width < RATE; width *= 1.37) {
        struct ddc_plan p;
        ddc_plan_band(&p, RATE, width);
        const double out = ddc_plan_rate(&p);
        assert_true(p.factor == 1 || out >= width / 0.8 - 1e-6);
        assert_true(out <= 2 * width / 0.8 || p.factor == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tone_in_the_band_keeps_level_frequency_and_phase),
        cmocka_unit_test(tone_outside_is_80_db_down),
        cmocka_unit_test(tone_at_every_image_is_80_db_down),
        cmocka_unit_test(impulse_comes_out_at_its_own_sample),
        cmocka_unit_test(samples_before_the_box_are_its_context),
        cmocka_unit_test(rate_is_an_integer_part_with_room_for_the_band),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
