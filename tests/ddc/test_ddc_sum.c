/* test_ddc_sum.c - each output is the weighted sum that ddc.h describes, computed in double. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/ddc/ddc.h"
#include "tests/support/sweep.h"

#define PI 3.14159265358979323846

enum { OUTPUTS = 23 };

/* Without filter, of one to three stages, and channels. */
static const struct {
    double rate_hz, width_hz;
    int response; /* enum ddc_response; -1: a band */
} cases[] = {{1e6, 1e6, -1},        {1e6, 0.9e6, -1},      {2.4e6, 1.1e6, -1},
             {2.4e6, 200e3, -1},    {2.4e6, 25e3, -1},     {61.44e6, 300e3, -1},
             {1e6, 50e3, DDC_FLAT}, {1e6, 7e3, DDC_GAUSS}, {1e6, 0.9e6, DDC_FLAT}};
enum { CASES = sizeof cases / sizeof cases[0] };

static struct ddc_plan plan_of(unsigned i)
{
    struct ddc_plan p;
    if (cases[i].response < 0)
        ddc_plan_band(&p, cases[i].rate_hz, cases[i].width_hz);
    else
        ddc_plan_channel(&p, cases[i].rate_hz, cases[i].width_hz,
                         (enum ddc_response)cases[i].response);
    return p;
}

/* ---- samples ---------------------------------------------------------------------------- */

/* Room for samples of any format: as many as OUTPUTS outputs and what is around them ask for. */
struct input {
    unsigned char *raw;
    enum fft_iq_format format;
    size_t count;
};

static struct input make_input(const struct ddc_plan *p, enum fft_iq_format format)
{
    struct input in = {.format = format};
    in.count = 2 * (size_t)p->reach + OUTPUTS * (size_t)p->factor;
    in.raw = malloc(in.count * 8);
    assert_non_null(in.raw);
    uint32_t state = 7;
    for (size_t i = 0; i < in.count * 8; i++) {
        state = state * 1664525 + 1013904223;
        in.raw[i] = (unsigned char)(state >> 24);
    }
    for (size_t i = 0; i < 2 * in.count && format == FFT_IQ_CF32; i++) {
        state = state * 1664525 + 1013904223;
        ((float *)(void *)in.raw)[i] = (float)(int32_t)state / 2147483648.0F;
    }
    return in;
}

/* In parts of full scale. */
static double component(const struct input *in, size_t i)
{
    switch (in->format) {
    case FFT_IQ_CU8:
        return (in->raw[i] - 127.5) / 128;
    case FFT_IQ_CS8:
        return (int8_t)in->raw[i] / 128.0;
    case FFT_IQ_CS16:
        return ((const int16_t *)(const void *)in->raw)[i] / 32768.0;
    default:
        return ((const float *)(const void *)in->raw)[i];
    }
}

static double scale_of(enum fft_iq_format format)
{
    return format == FFT_IQ_CF32 ? 1 : format == FFT_IQ_CS16 ? 1 / 32768.0 : 1 / 128.0;
}

/* ---- the formula ------------------------------------------------------------------------ */

/* All stages as one filter, of 2 reach + 1 taps: each stage's taps lie its input's step apart. */
static double *filter_of(const struct ddc_plan *p)
{
    const size_t count = 2 * (size_t)p->reach + 1;
    double *filter = calloc(count, sizeof *filter), *next = calloc(count, sizeof *next);
    size_t length = 1, step = 1;
    assert_true(filter && next);
    filter[0] = 1;
    for (uint32_t s = 0; s < p->stages; s++) {
        const size_t taps = 2 * (size_t)p->stage[s].half + 1;
        double *tap = calloc(taps, sizeof *tap);
        assert_non_null(tap);
        ddc_plan_taps(&p->stage[s], tap);
        memset(next, 0, count * sizeof *next);
        for (size_t k = 0; k < taps; k++)
            for (size_t i = 0; i < length; i++)
                next[k * step + i] += tap[k] * filter[i];
        memcpy(filter, next, count * sizeof *filter);
        length += (taps - 1) * step;
        step *= p->stage[s].factor;
        free(tap);
    }
    assert_int_equal(length, count);
    free(next);
    return filter;
}

/* The output at sample `at` of the input, whose first sample is the segment's. */
static void sum_at(const struct ddc_plan *p, const double *filter, const struct input *in,
                   size_t at, uint64_t number, double turns, double *re, double *im)
{
    *re = *im = 0;
    for (size_t k = 0; k <= 2 * (size_t)p->reach; k++) {
        if (at + k < p->reach || at + k - p->reach >= in->count)
            continue;
        const size_t i = at + k - (size_t)p->reach;
        const double x = component(in, 2 * i), y = component(in, 2 * i + 1);
        const double angle = -2 * PI * fmod(turns * (double)(number + i), 1);
        *re += filter[k] * (x * cos(angle) - y * sin(angle));
        *im += filter[k] * (x * sin(angle) + y * cos(angle));
    }
}

/* ---- outputs ---------------------------------------------------------------------------- */

/* The input in pushes of `block` samples. */
static size_t push_all(struct ddc *c, const struct input *in, size_t block, struct fft_iq *to)
{
    const struct fft_iq *out;
    size_t outputs = 0;
    for (size_t at = 0, now; at < in->count; at += now) {
        now = in->count - at < block ? in->count - at : block;
        const size_t got = ddc_push(c, in->raw + at * fft_iq_bytes(in->format), now, &out);
        if (got > 0)
            memcpy(to + outputs, out, got * sizeof *out);
        outputs += got;
    }
    return outputs;
}

/* first: of the first output, from the first sample on. */
static void assert_sums(unsigned which, enum fft_iq_format format, size_t first)
{
    const uint64_t number = 1000003;
    const double turns = 0.1234567;
    const struct ddc_plan p = plan_of(which);
    const struct input in = make_input(&p, format);
    struct fft_iq *out = calloc(in.count / p.factor + 2, sizeof *out);
    double *filter = filter_of(&p);
    struct ddc *c = NULL;
    assert_non_null(out);
    assert_int_equal(ddc_create(&c, &p, format, 1, in.count), 0);
    ddc_begin(c, number, number + first, turns * p.rate_hz, scale_of(format));
    const size_t got = push_all(c, &in, in.count, out);
    assert_int_equal(got, (in.count - 1 - (size_t)p.reach - first) / p.factor + 1);
    for (size_t i = 0; i < got; i++) {
        double re, im;
        sum_at(&p, filter, &in, first + i * p.factor, number, turns, &re, &im);
        if (!(hypot(out[i].re - re, out[i].im - im) < 2e-6))
            fail_msg("case %u, format %d, first %zu, output %zu: %g%+gi, not %g%+gi", which,
                     (int)format, first, i, out[i].re, out[i].im, re, im);
    }
    ddc_destroy(c);
    free(filter);
    free(in.raw);
    free(out);
}

static void each_output_is_the_sum_around_its_own_sample(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        const size_t reach = (size_t)plan_of(i).reach;
        const size_t firsts[] = {0, reach / 3, reach};
        for (unsigned f = 0; f < 3; f++)
            if (sweep_takes(i + f, 2))
                assert_sums(i, (enum fft_iq_format)((i + f) % FFT_IQ_FORMATS), firsts[f]);
    }
}

/* ---- blocks and segments ---------------------------------------------------------------- */

static void blocks_of_odd_sizes_give_the_bytes_of_one_block(void **state)
{
    (void)state;
    static const size_t blocks[] = {1, 3, 17, 1021, 2049, 4099, 8191};
    for (unsigned i = 0; i < CASES; i++) {
        const struct ddc_plan p = plan_of(i);
        const enum fft_iq_format format = (enum fft_iq_format)(i % FFT_IQ_FORMATS);
        const struct input in = make_input(&p, format);
        const size_t capacity = in.count / p.factor + 2;
        struct fft_iq *want = calloc(capacity, sizeof *want), *got = calloc(capacity, sizeof *got);
        struct ddc *c = NULL;
        assert_true(want && got);
        assert_int_equal(ddc_create(&c, &p, format, 1, in.count), 0);
        ddc_begin(c, 12345, 12345, 0.3 * p.rate_hz, scale_of(format));
        const size_t outputs = push_all(c, &in, in.count, want);
        for (unsigned b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
            ddc_begin(c, 12345, 12345, 0.3 * p.rate_hz, scale_of(format));
            assert_int_equal(push_all(c, &in, blocks[b], got), outputs);
            assert_memory_equal(got, want, outputs * sizeof *got);
        }
        ddc_destroy(c);
        free(in.raw);
        free(want);
        free(got);
    }
}

/* Whatever it was pushed before: with another shift, another scale, and an end at any sample. */
static void a_segment_knows_nothing_of_the_one_before(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        const struct ddc_plan p = plan_of(i);
        const struct input in = make_input(&p, FFT_IQ_CS16);
        const size_t capacity = in.count / p.factor + 2;
        struct fft_iq *want = calloc(capacity, sizeof *want), *got = calloc(capacity, sizeof *got);
        const struct fft_iq *out;
        struct ddc *fresh = NULL, *used = NULL;
        assert_true(want && got);
        assert_int_equal(ddc_create(&fresh, &p, FFT_IQ_CS16, 1, in.count), 0);
        assert_int_equal(ddc_create(&used, &p, FFT_IQ_CS16, 1, in.count), 0);
        ddc_begin(used, 99, 99 + p.reach / 2, -0.2 * p.rate_hz, 3);
        ddc_push(used, in.raw, in.count / 2 + 1, &out);
        ddc_begin(used, 5000, 5000, 0.1 * p.rate_hz, 0.25);
        ddc_begin(fresh, 5000, 5000, 0.1 * p.rate_hz, 0.25);
        const size_t outputs = push_all(fresh, &in, 5000, want);
        assert_int_equal(push_all(used, &in, 5000, got), outputs);
        assert_memory_equal(got, want, outputs * sizeof *got);
        ddc_destroy(fresh);
        ddc_destroy(used);
        free(in.raw);
        free(want);
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_output_is_the_sum_around_its_own_sample),
        cmocka_unit_test(blocks_of_odd_sizes_give_the_bytes_of_one_block),
        cmocka_unit_test(a_segment_knows_nothing_of_the_one_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
