/*
 * test_front_end.c - the estimates of a receiver's errors, and spectra corrected by them.
 *
 * The truth is the model of the header: a signal of known level, and the errors that were added.
 */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>

#include "daemon/dsp/front_end.h"
#include "fft/window.h"

enum { RATE = 500000, N = 1024, HOP = N / 2, FRAMES = 9, STEP = FRAMES * HOP };

/* ---- a receiver ------------------------------------------------------------------------- */

struct scene {
    double tone_dbfs, tone_hz, noise_dbfs; /* 0 Hz: no tone */
    double dc_dbfs, dc_from_s;             /* 0 dBFS: no offset */
    double gain_db, phase_degrees;
    bool in_phase;             /* q = i */
    bool tone_mirrored;        /* a second tone of the same power at -tone_hz */
    double am_dbfs, am_from_s; /* a carrier at the centre with 80 % of 1 kHz; 0 dBFS: none */
};

static uint64_t random_state = 1;

static double uniform(void)
{
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return ((double)(random_state >> 11) + 0.5) * 0x1p-53;
}

static double amplitude(double dbfs)
{
    return pow(10, dbfs / 20);
}

static struct fft_iq sample(const struct scene *s, uint64_t at)
{
    const double time = (double)at / RATE, angle = 2 * M_PI * fmod(s->tone_hz * time, 1);
    const double noise = amplitude(s->noise_dbfs) * sqrt(-log(uniform()));
    const double phase = 2 * M_PI * uniform(), tone = s->tone_hz != 0 ? amplitude(s->tone_dbfs) : 0;
    const double mirrored = s->tone_mirrored ? tone : 0;
    const double am = s->am_dbfs < 0 && time >= s->am_from_s
                          ? amplitude(s->am_dbfs) * (1 + 0.8 * sin(2 * M_PI * fmod(1e3 * time, 1)))
                          : 0;
    const double i =
        tone * cos(angle) + mirrored * cos(0.4 - angle) + noise * cos(phase) + am * cos(0.3);
    const double q = s->in_phase ? i
                                 : tone * sin(angle) + mirrored * sin(0.4 - angle) +
                                       noise * sin(phase) + am * sin(0.3);
    const double p = s->phase_degrees * M_PI / 180;
    const double dc = s->dc_dbfs < 0 && time >= s->dc_from_s ? amplitude(s->dc_dbfs) : 0;
    return (struct fft_iq){(float)(i + dc * 0.8),
                           (float)(amplitude(s->gain_db) * (q * cos(p) + i * sin(p)) - dc * 0.6)};
}

/* ---- its spectrum ----------------------------------------------------------------------- */

struct fixture {
    struct fft_engine *engine;
    struct fft_spectrum *spectrum;
    struct fft_fold *fold;
    struct front_end front_end;
    struct fft_iq samples[STEP + HOP];
    uint64_t at; /* position of the next step */
};

static void open_fixture(struct fixture *r)
{
    float window[N];
    const struct fft_spectrum_config plan = {.n = N,
                                             .hop = HOP,
                                             .max_frames = FRAMES,
                                             .depth = 1,
                                             .format = FFT_IQ_CF32,
                                             .detectors = FFT_DETECTOR_MEAN,
                                             .window = window,
                                             .corrected = true};
    const struct fft_engine_config config = {.name = "cpu", .threads = 1};
    *r = (struct fixture){0};
    fft_window_fill(&(struct fft_window){FFT_WINDOW_HANN, 0}, window, N, 1, NULL);
    assert_int_equal(fft_engine_open(&r->engine, &config, NULL, 0), 0);
    assert_int_equal(fft_spectrum_create(&r->spectrum, r->engine, &plan, NULL, 0), 0);
    assert_int_equal(fft_fold_create(&r->fold, &plan), 0);
    front_end_restart(&r->front_end, FFT_IQ_CF32, RATE);
}

static void close_fixture(struct fixture *r)
{
    fft_fold_destroy(r->fold);
    fft_spectrum_destroy(r->spectrum);
    fft_engine_close(r->engine);
}

static void step(struct fixture *r, const struct scene *scene, bool dc, bool iq)
{
    struct fft_partial partial;
    for (uint32_t i = 0; i < HOP; i++)
        r->samples[i] = r->at ? r->samples[STEP + i] : sample(scene, i);
    for (uint32_t i = HOP; i < STEP + HOP; i++)
        r->samples[i] = sample(scene, r->at + i);
    front_end_read(&r->front_end, r->samples + HOP, r->at + HOP, STEP);
    const struct fft_correction c = front_end_correction(&r->front_end, dc, iq);
    assert_int_equal(fft_spectrum_correct(r->spectrum, &c), 0);
    assert_int_equal(fft_spectrum_submit(r->spectrum, r->samples, r->at, FRAMES, 0), 0);
    assert_int_equal(fft_spectrum_poll(r->spectrum, &partial, -1), 1);
    fft_fold_add(r->fold, &partial);
    fft_spectrum_release(r->spectrum);
    r->at += STEP;
}

/* Until `seconds` of samples are read. `power`: the mean of the time from `from_s` on. */
static void run(struct fixture *r, const struct scene *scene, bool dc, bool iq, double from_s,
                double seconds, float *power)
{
    while ((double)r->at < from_s * RATE)
        step(r, scene, dc, iq);
    fft_fold_reset(r->fold);
    while ((double)r->at < seconds * RATE)
        step(r, scene, dc, iq);
    fft_fold_detector(r->fold, FFT_DETECTOR_MEAN, power);
}

static bool is_known(double figure)
{
    return isfinite(figure) != 0;
}

static double level(const float *power, int bin)
{
    return 10 * log10((double)power[N / 2 + bin]);
}

static const double bin_hz = (double)RATE / N;

/* ---- the offset ------------------------------------------------------------------------- */

static void an_offset_that_appears_is_60_db_lower_after_4_seconds(void **state)
{
    const struct scene scene = {.noise_dbfs = -60, .dc_dbfs = -20, .dc_from_s = 0.52};
    struct fixture r;
    float power[N];
    (void)state;
    open_fixture(&r);
    run(&r, &scene, true, false, 0, 0.5, power);
    assert_true(level(power, 0) < -80);
    run(&r, &scene, true, false, 0.53, 0.54, power);
    assert_near(level(power, 0), -20, 0.05);
    run(&r, &scene, true, false, 0.52 + 4.2, 0.52 + 4.3, power);
    assert_true(level(power, 0) < -80);
    assert_near(front_end_figures(&r.front_end, 1).dc_dbfs, -20, 0.02);
    close_fixture(&r);
}

static void an_offset_from_the_start_vanishes_with_the_first_stretch(void **state)
{
    const struct scene scene = {.noise_dbfs = -60, .dc_dbfs = -20};
    struct fixture r;
    float power[N];
    (void)state;
    open_fixture(&r);
    run(&r, &scene, true, false, 0.02, 0.05, power);
    assert_true(level(power, 0) < -80);
    close_fixture(&r);
}

static void a_tone_one_bin_off_the_centre_keeps_its_level(void **state)
{
    const struct scene scene = {
        .tone_dbfs = -3, .tone_hz = (double)RATE / N, .noise_dbfs = -90, .dc_dbfs = -20};
    struct fixture r;
    float power[N];
    (void)state;
    open_fixture(&r);
    run(&r, &scene, true, false, 1, 1.2, power);
    assert_near(level(power, 1), -3, 0.02);
    assert_near(level(power, 0), -3 - 6.0206, 0.02); /* the Hann window's next bin */
    assert_near(level(power, 2), -3 - 6.0206, 0.02);
    close_fixture(&r);
}

/* ---- the imbalance ---------------------------------------------------------------------- */

static double image_rejection(double gain_db, double degrees)
{
    const double g = amplitude(gain_db), c = cos(degrees * M_PI / 180);
    return 10 * log10((1 + 2 * g * c + g * g) / (1 - 2 * g * c + g * g));
}

static void images_of_an_imbalance_are_50_db_lower_than_their_signals(void **state)
{
    const struct scene scene = {.tone_dbfs = -10,
                                .tone_hz = 100 * bin_hz,
                                .noise_dbfs = -50,
                                .gain_db = 1,
                                .phase_degrees = 5};
    struct fixture r;
    float before[N], after[N];
    (void)state;
    open_fixture(&r);
    run(&r, &scene, false, false, 0.9, 1, before);
    assert_near(level(before, 100) - level(before, -100), image_rejection(1, 5), 0.05);
    run(&r, &scene, false, true, 2, 2.2, after);
    assert_true(level(after, 100) - level(after, -100) > 50);

    const struct front_end_figures f = front_end_figures(&r.front_end, 1);
    assert_near(f.gain_db, 1, 0.01);
    assert_near(f.phase_degrees, 5, 0.05);
    assert_near(f.image_rejection_db, image_rejection(1, 5), 0.05);
    assert_true(f.plausible);

    /* The power of the samples stays: that of the image is now the signal's. */
    const double both = (double)before[N / 2 + 100] + (double)before[N / 2 - 100];
    assert_near(level(after, 100), 10 * log10(both), 0.01);
    close_fixture(&r);
}

static void other_signs_of_the_errors_are_corrected_too(void **state)
{
    const struct scene scene = {.tone_dbfs = -10,
                                .tone_hz = -77.3 * bin_hz,
                                .noise_dbfs = -50,
                                .dc_dbfs = -20,
                                .gain_db = -2,
                                .phase_degrees = -9};
    struct fixture r;
    float power[N];
    (void)state;
    open_fixture(&r);
    run(&r, &scene, true, true, 2, 2.2, power);
    assert_true(level(power, -77) - level(power, 77) > 50);
    assert_true(level(power, 0) < -70);
    assert_near(front_end_figures(&r.front_end, 1).gain_db, -2, 0.01);
    assert_near(front_end_figures(&r.front_end, 1).phase_degrees, -9, 0.05);
    close_fixture(&r);
}

/* z^2 of a tone is a tone: its mean is 0, whatever the frequency. */
static void a_single_tone_is_no_imbalance(void **state)
{
    static const double hz[] = {60, -100, 333.3, 1e3, -12345, 77e3, RATE / 4.0, -249e3};
    (void)state;
    for (size_t i = 0; i < sizeof hz / sizeof hz[0]; i++) {
        const struct scene scene = {.tone_dbfs = -3, .tone_hz = hz[i], .noise_dbfs = -80};
        struct front_end f;
        front_end_restart(&f, FFT_IQ_CF32, RATE);
        for (uint64_t at = 0; at < RATE; at++) {
            const struct fft_iq x = sample(&scene, at);
            front_end_read(&f, &x, at, 1);
        }
        const struct front_end_figures figures = front_end_figures(&f, 1);
        assert_near(figures.gain_db, 0, 0.02);
        assert_near(figures.phase_degrees, 0, 0.1);
        assert_true(figures.image_rejection_db > 55);
    }
}

/* As a signal that is symmetric about the centre: it must not be "corrected" away. */
static void what_no_receiver_does_is_not_corrected(void **state)
{
    const struct scene scene = {.noise_dbfs = -20, .in_phase = true};
    struct front_end f;
    (void)state;
    front_end_restart(&f, FFT_IQ_CF32, RATE);
    for (uint64_t at = 0; at < RATE; at++) {
        const struct fft_iq x = sample(&scene, at);
        front_end_read(&f, &x, at, 1);
    }
    const struct fft_correction c = front_end_correction(&f, false, true);
    assert_false(front_end_figures(&f, 1).plausible);
    assert_near(c.ii, 1, 0);
    assert_near(c.qi, 0, 0);
    assert_near(c.qq, 1, 0);
}

/* The image of a tone, in dB, that a correction leaves or makes. */
static double image_db(const struct front_end *f, double gain_db, double degrees)
{
    const struct fft_correction c = front_end_correction(f, false, true);
    const double g = amplitude(gain_db), p = degrees * M_PI / 180;
    /* i = cos, q = sin: a z + b conj(z) with the matrix of both */
    const double qi = (double)c.qi + (double)c.qq * g * sin(p), qq = (double)c.qq * g * cos(p);
    const double ii = (double)c.ii;
    return 20 * log10(hypot(ii - qq, qi) / hypot(ii + qq, qi));
}

static void read_seconds(struct front_end *f, const struct scene *scene, double from, double to)
{
    for (uint64_t at = (uint64_t)(from * RATE); at < (uint64_t)(to * RATE); at++) {
        const struct fft_iq x = sample(scene, at);
        front_end_read(f, &x, at, 1);
    }
}

/* A receiver without an error: a correction by the station at the centre would make images. */
static void am_at_the_centre_makes_no_images(void **state)
{
    static const double am_dbfs[] = {-10, -20, -30};
    (void)state;
    for (size_t i = 0; i < sizeof am_dbfs / sizeof am_dbfs[0]; i++) {
        const struct scene scene = {
            .tone_dbfs = -10.5, .tone_hz = 0.123 * RATE, .noise_dbfs = -70, .am_dbfs = am_dbfs[i]};
        struct front_end f;
        front_end_restart(&f, FFT_IQ_CF32, RATE);
        read_seconds(&f, &scene, 0, 2);
        const struct front_end_figures figures = front_end_figures(&f, 1);
        assert_true(image_db(&f, 0, 0) < -50);
        assert_true(i == 2 || (!figures.plausible && !figures.held && figures.doubt_db > -40));
    }
}

/* At all distances, and as strong as noise: a quarter of the rate has the mean power of noise in
 * differences of successive samples. */
static void two_equal_tones_beside_the_centre_make_no_images(void **state)
{
    static const double distances[] = {0.01, 0.2, 0.24, 0.25, 0.45};
    static const double noise_dbfs[] = {-6, -50};
    (void)state;
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
        for (size_t j = 0; j < sizeof noise_dbfs / sizeof noise_dbfs[0]; j++) {
            const struct scene scene = {.tone_dbfs = -20,
                                        .tone_hz = distances[i] * RATE,
                                        .tone_mirrored = true,
                                        .noise_dbfs = noise_dbfs[j]};
            struct front_end f;
            front_end_restart(&f, FFT_IQ_CF32, RATE);
            read_seconds(&f, &scene, 0, 1);
            if (image_db(&f, 0, 0) > -50)
                fail_msg("tones at %.2f, noise of %.0f dBFS: an image of %.1f dB", distances[i],
                         noise_dbfs[j], image_db(&f, 0, 0));
        }
    }
}

static void the_last_good_correction_is_held_while_am_is_at_the_centre(void **state)
{
    (void)state;
    const struct scene scene = {.tone_dbfs = -10.5,
                                .tone_hz = 0.123 * RATE,
                                .noise_dbfs = -60,
                                .gain_db = 1,
                                .phase_degrees = 5,
                                .am_dbfs = -10,
                                .am_from_s = 2};
    struct front_end f;
    front_end_restart(&f, FFT_IQ_CF32, RATE);
    read_seconds(&f, &scene, 0, 1.9);
    assert_true(front_end_figures(&f, 1).plausible);
    assert_true(image_db(&f, 1, 5) < -50);
    read_seconds(&f, &scene, 1.9, 6);
    assert_true(front_end_figures(&f, 1).held);
    assert_true(image_db(&f, 1, 5) < -45);
}

/* ---- reading ---------------------------------------------------------------------------- */

static struct fft_iq *samples_of(const struct scene *scene, uint64_t count)
{
    struct fft_iq *x = malloc((size_t)count * sizeof *x);
    for (uint64_t i = 0; i < count; i++)
        x[i] = sample(scene, i);
    return x;
}

static void pieces_do_not_change_the_estimates(void **state)
{
    const struct scene scene = {
        .noise_dbfs = -20, .dc_dbfs = -30, .gain_db = 0.5, .phase_degrees = -2};
    struct fft_iq *x = samples_of(&scene, RATE);
    struct front_end whole, pieces;
    (void)state;
    front_end_restart(&whole, FFT_IQ_CF32, RATE);
    front_end_restart(&pieces, FFT_IQ_CF32, RATE);
    front_end_read(&whole, x, 1000, RATE);
    for (uint64_t at = 0; at < RATE;) {
        const uint64_t count = RATE - at < 1009 ? RATE - at : 1009;
        front_end_read(&pieces, x + at, 1000 + at, count);
        at += count;
    }
    const struct fft_correction a = front_end_correction(&whole, true, true);
    const struct fft_correction b = front_end_correction(&pieces, true, true);
    assert_near(a.dc_i, b.dc_i, 1e-7);
    assert_near(a.dc_q, b.dc_q, 1e-7);
    assert_near(a.qi, b.qi, 1e-6);
    assert_near(a.qq, b.qq, 1e-6);
    free(x);
}

/* The rest of the period may contain what it likes. */
static void at_a_high_rate_a_sixteenth_of_the_samples_is_read(void **state)
{
    const double rate = 128e6;
    const uint64_t period = 1280000, read = period / 16;
    int8_t(*x)[2] = malloc(period * sizeof *x);
    struct front_end f;
    (void)state;
    for (uint64_t i = 0; i < period; i++) {
        x[i][0] = i < read ? 64 : -128;
        x[i][1] = i < read ? 0 : 127;
    }
    front_end_restart(&f, FFT_IQ_CS8, rate);
    front_end_read(&f, x, 0, period);
    assert_near(front_end_figures(&f, 1).dc_dbfs, 20 * log10(0.5), 1e-4);
    assert_near(front_end_figures(&f, 0.5).dc_dbfs, 0, 1e-4); /* of a stream of half the codes */
    free(x);
}

/* Below one step of an 8-bit converter. */
static void an_offset_below_one_code_is_estimated(void **state)
{
    const struct scene scene = {.noise_dbfs = -30};
    uint8_t(*x)[2] = malloc(RATE * sizeof *x);
    struct front_end f;
    (void)state;
    for (uint64_t i = 0; i < RATE; i++) {
        const struct fft_iq v = sample(&scene, i);
        x[i][0] = (uint8_t)floor((double)v.re * 127.5 + 127.5 + 0.25 + 0.5);
        x[i][1] = (uint8_t)floor((double)v.im * 127.5 + 127.5 + 0.5);
    }
    front_end_restart(&f, FFT_IQ_CU8, RATE);
    front_end_read(&f, x, 0, RATE);
    assert_near(front_end_figures(&f, 1).dc_dbfs, 20 * log10(0.25 / 127.5), 0.5);
    free(x);
}

static void a_restart_forgets_everything(void **state)
{
    const struct scene scene = {.noise_dbfs = -20, .dc_dbfs = -30, .gain_db = 1};
    struct fft_iq *x = samples_of(&scene, RATE);
    struct front_end f;
    (void)state;
    front_end_restart(&f, FFT_IQ_CF32, RATE);
    assert_false(is_known(front_end_figures(&f, 1).dc_dbfs));
    front_end_read(&f, x, 0, RATE);
    assert_true(is_known(front_end_figures(&f, 1).gain_db));
    front_end_restart(&f, FFT_IQ_CF32, RATE);
    const struct fft_correction c = front_end_correction(&f, true, true);
    assert_false(is_known(front_end_figures(&f, 1).dc_dbfs));
    assert_false(is_known(front_end_figures(&f, 1).gain_db));
    assert_near(c.dc_i, 0, 0);
    assert_near(c.ii, 1, 0);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_offset_that_appears_is_60_db_lower_after_4_seconds),
        cmocka_unit_test(an_offset_from_the_start_vanishes_with_the_first_stretch),
        cmocka_unit_test(a_tone_one_bin_off_the_centre_keeps_its_level),
        cmocka_unit_test(images_of_an_imbalance_are_50_db_lower_than_their_signals),
        cmocka_unit_test(other_signs_of_the_errors_are_corrected_too),
        cmocka_unit_test(a_single_tone_is_no_imbalance),
        cmocka_unit_test(what_no_receiver_does_is_not_corrected),
        cmocka_unit_test(am_at_the_centre_makes_no_images),
        cmocka_unit_test(two_equal_tones_beside_the_centre_make_no_images),
        cmocka_unit_test(the_last_good_correction_is_held_while_am_is_at_the_centre),
        cmocka_unit_test(pieces_do_not_change_the_estimates),
        cmocka_unit_test(at_a_high_rate_a_sixteenth_of_the_samples_is_read),
        cmocka_unit_test(an_offset_below_one_code_is_estimated),
        cmocka_unit_test(a_restart_forgets_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
