/* test_channel_meter.c - levels and noise of channels against known powers. */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/base/reason.h"
#include "daemon/channel/channel_bank.h"

#define PI       3.14159265358979323846
#define RATE     2.4e6
#define NOISE_DB (-50.0) /* of the whole stream */

enum { HOP = 14400, TONES_MAX = 64, CHANNELS = 8 };

/* ---- signals ------------------------------------------------------------------------------- */

static uint64_t seed;

static double uniform(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)((seed >> 11) + 1) / 9007199254740992.0;
}

/* Gaussian, of the power 1 (G. E. P. Box, M. E. Muller, 1958). */
static struct fft_iq gaussian(void)
{
    const double r = sqrt(-log(uniform())), angle = 2 * PI * uniform();
    return (struct fft_iq){(float)(r * cos(angle)), (float)(r * sin(angle))};
}

struct signal {
    double noise_db; /* of all samples; -INFINITY: none */
    int tones;
    double hz[TONES_MAX], db[TONES_MAX];
    uint64_t at;
};

static void make_samples(struct signal *s, struct fft_iq *out, size_t count)
{
    const float noise = (float)pow(10, s->noise_db / 20);
    for (size_t i = 0; i < count; i++) {
        const struct fft_iq g = gaussian();
        out[i] = (struct fft_iq){noise * g.re, noise * g.im};
    }
    for (int k = 0; k < s->tones; k++) {
        const double amplitude = pow(10, s->db[k] / 20), step = 2 * PI * s->hz[k] / RATE;
        const double angle = fmod(step * (double)s->at, 2 * PI), c = cos(step), d = sin(step);
        double re = amplitude * cos(angle), im = amplitude * sin(angle);
        for (size_t i = 0; i < count; i++) {
            const double turned = re * c - im * d;
            out[i].re += (float)re;
            out[i].im += (float)im;
            im = re * d + im * c;
            re = turned;
        }
    }
    s->at += count;
}

/* ---- channels ------------------------------------------------------------------------------ */

struct fixture {
    struct channel_grid grid;
    struct channel_bank *bank;
    struct channel_shape shape;
    struct channel_filter filter[CHANNELS];
    double sum[CHANNELS], square[CHANNELS], noise[CHANNELS]; /* of levels; the newest noise */
    unsigned blocks;
};

static void begin(struct fixture *f, double rate_hz, const double *shift_hz, int count)
{
    struct reason why = {0};
    channel_grid_init(&f->grid, RATE);
    if (channel_bank_create(&f->bank, &f->grid, FFT_IQ_CF32, 1, &why) < 0 ||
        channel_shape_plan(&f->shape, &f->grid, rate_hz, 0, &why) < 0)
        fail_msg("%s", why.sentence);
    for (int i = 0; i < count; i++) {
        assert_int_equal(channel_bank_join(f->bank, &f->filter[i], &f->shape, &why), 0);
        channel_bank_tune(f->bank, &f->filter[i], shift_hz[i]);
    }
}

static void finish(struct fixture *f)
{
    for (int i = 0; i < CHANNELS; i++)
        channel_bank_leave(f->bank, &f->filter[i]);
    channel_bank_destroy(f->bank);
}

/* The levels of so many blocks. */
static void run(struct fixture *f, struct signal *s, unsigned blocks)
{
    struct fft_iq *in = malloc(f->grid.n * sizeof *in);
    assert_non_null(in);
    if (s->at == 0) /* the block 0 begins with zeros, and has no level */
        channel_bank_begin(f->bank, 0, 1);
    f->blocks = 0;
    for (int i = 0; i < CHANNELS; i++)
        f->sum[i] = f->square[i] = 0;
    for (; f->blocks < blocks; f->blocks++) {
        const size_t count = channel_bank_needs(f->bank);
        make_samples(s, in, count);
        assert_true(channel_bank_push(f->bank, in, count));
        for (int i = 0; i < CHANNELS && f->filter[i].kind; i++) {
            struct channel_levels l;
            channel_bank_levels(f->bank, &f->filter[i], &l);
            f->sum[i] += l.level;
            f->square[i] += l.level * l.level;
            f->noise[i] = l.noise;
        }
    }
    free(in);
}

static double mean_db(const struct fixture *f, int i)
{
    return 10 * log10(f->sum[i] / f->blocks);
}

/*
 * Of white noise of this power. Kaiser's window, beta 8.7 and 2 ms, is a bell with a sigma of about
 * 1 ms / sqrt(8.7), so its spectrum is one of sigma = 471 Hz; an ideal edge smoothed by it lacks
 * sigma / sqrt(pi) of its noise bandwidth.
 */
static double expected_db(const struct fixture *f, double stream_db)
{
    const double width_hz = f->shape.pass_hz + f->shape.stop_hz - 2 * 471 / sqrt(PI);
    return stream_db + 10 * log10(width_hz / RATE);
}

static void assert_db(double is, double expected, double within)
{
    if (!(fabs(is - expected) <= within))
        fail_msg("%.3f dB, not %.3f", is, expected);
}

/* ---- levels -------------------------------------------------------------------------------- */

static void a_tone_has_its_level_wherever_it_is_between_bins(void **state)
{
    (void)state;
    static const double shift_hz[] = {-300e3, 0, 123456.7};
    struct fixture f = {0};
    begin(&f, 25e3, shift_hz, 3);
    for (int k = 0; k < 5; k++) {
        struct signal s = {.noise_db = -INFINITY, .tones = 1, .db = {-40}};
        s.hz[0] = shift_hz[k % 3] + 31.7 * k - 4000 * (k - 2);
        seed = 1;
        run(&f, &s, 4);
        for (int i = 0; i < 3; i++) {
            if (i == k % 3)
                assert_db(mean_db(&f, i), -40, 0.02);
            else
                assert_true(mean_db(&f, i) < -125); /* of bins 120 kHz away: no leakage */
        }
    }
    finish(&f);
}

static void noise_has_its_level_and_is_known_within_0_2_db(void **state)
{
    (void)state;
    static const double rates_hz[] = {25e3, 240e3},
                        shift_hz[] = {-1.05e6, -900e3, -300e3, 0, 5000, 412345, 800e3, 1.07e6};
    for (int i = 0; i < 2; i++) {
        struct fixture f = {0};
        struct signal s = {.noise_db = NOISE_DB};
        seed = 88172645463325252U;
        begin(&f, rates_hz[i], shift_hz, CHANNELS);
        run(&f, &s, 170);
        const double expected = expected_db(&f, NOISE_DB);
        double squares = 0;
        for (int k = 0; k < CHANNELS; k++) {
            const double mean = f.sum[k] / f.blocks;
            assert_db(mean_db(&f, k), expected, 0.2);
            assert_db(10 * log10(f.noise[k]), expected, 0.2);
            squares += f.square[k] / f.blocks / (mean * mean) - 1;
        }
        /* The variance that the squelch counts on: 1360 levels know it to 4 per cent. */
        const double values = CHANNELS / squares, said = channel_bank_independent(&f.filter[0]);
        if (fabs(values / said - 1) > 0.15)
            fail_msg("levels vary as %.1f values, not %.1f", values, said);
        finish(&f);
    }
}

/* After 4 blocks it is known, if not as well. */
static void noise_is_known_after_a_few_blocks(void **state)
{
    (void)state;
    static const double shift_hz[] = {100e3};
    struct fixture f = {0};
    struct signal s = {.noise_db = NOISE_DB};
    seed = 7;
    begin(&f, 25e3, shift_hz, 1);
    run(&f, &s, 3);
    assert_true(isnan(f.noise[0]));
    run(&f, &s, 1);
    assert_db(10 * log10(f.noise[0]), expected_db(&f, NOISE_DB), 1);
    channel_bank_forget_noise(f.bank);
    channel_bank_tune(f.bank, &f.filter[0], -300e3);
    run(&f, &s, 1);
    assert_true(isnan(f.noise[0]));
    finish(&f);
}

/* Carriers 60 dB above the noise of a channel, in every second one of 12.5 kHz on both sides. */
static void busy_neighbours_raise_neither_noise_nor_level(void **state)
{
    (void)state;
    static const double shift_hz[] = {200e3};
    struct fixture f = {0};
    struct signal s = {.noise_db = NOISE_DB, .tones = 40};
    seed = 4711;
    begin(&f, 25e3, shift_hz, 1);
    const double expected = expected_db(&f, NOISE_DB);
    for (int k = 0; k < s.tones; k++) {
        const double away = 25e3 + 12.5e3 * (k / 2) + 417 * (k % 3);
        s.hz[k] = shift_hz[0] + (k % 2 ? away : -away);
        s.db[k] = expected + 60;
    }
    run(&f, &s, 170);
    assert_db(mean_db(&f, 0), expected, 0.2);
    assert_db(10 * log10(f.noise[0]), expected, 0.2);
    finish(&f);
}

/* Half of the bins around are in use, by noise that is 30 dB louder. */
static void half_of_the_bins_in_use_do_not_raise_the_noise(void **state)
{
    (void)state;
    enum { N = 1024, BLOCKS = 42 };
    struct channel_meter *p = NULL;
    struct fft_iq *x = malloc(N * sizeof *x);
    const struct channel_bins all = {-N / 2, N};
    uint32_t blocks;
    assert_non_null(x);
    assert_int_equal(channel_meter_create(&p, N, BLOCKS), 0);
    channel_meter_watch(p, all);
    seed = 99;
    for (int b = 0; b < BLOCKS; b++) {
        for (int i = 0; i < N; i++) {
            const float loud = i % 64 < 32 ? 31.6F : 1;
            const struct fft_iq g = gaussian();
            x[i] = (struct fft_iq){loud * g.re, loud * g.im};
        }
        channel_meter_add(p, x, true);
    }
    /* Bins without a window are independent: their window's power is 1.5 / 1.5. */
    assert_db(10 * log10(channel_meter_noise(p, all, &blocks)), 0, 0.5);
    assert_int_equal(blocks, BLOCKS);
    channel_meter_leave(p, all);
    channel_meter_destroy(p);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tone_has_its_level_wherever_it_is_between_bins),
        cmocka_unit_test(noise_has_its_level_and_is_known_within_0_2_db),
        cmocka_unit_test(noise_is_known_after_a_few_blocks),
        cmocka_unit_test(busy_neighbours_raise_neither_noise_nor_level),
        cmocka_unit_test(half_of_the_bins_in_use_do_not_raise_the_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
