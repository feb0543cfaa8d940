/* test_demod_linear.c - AM, SSB and CW against formulas. */
#include "tests/demod/receiver.h"

/* Adds a carrier of this amplitude at hz from the receiver's frequency. */
static void add_carrier(struct fft_iq *x, size_t count, const struct demod_plan *p, double hz,
                        double amplitude)
{
    for (size_t i = 0; i < count; i++) {
        const double t = 2 * PI * fmod((hz - p->offset_hz) / p->rate_hz * (double)i, 1);
        x[i].re += (float)(amplitude * cos(t));
        x[i].im += (float)(amplitude * sin(t));
    }
}

/* AM, m parts of modulation with tone_hz, at hz. */
static void add_am(struct fft_iq *x, size_t count, const struct demod_plan *p, double hz,
                   double amplitude, double m, double tone_hz)
{
    add_carrier(x, count, p, hz, amplitude);
    add_carrier(x, count, p, hz - tone_hz, amplitude * m / 2);
    add_carrier(x, count, p, hz + tone_hz, amplitude * m / 2);
}

static struct demod_config config_of(const char *mode)
{
    struct demod_config c = {.ops = demod_find(mode)};
    assert_non_null(c.ops);
    return c;
}

static struct fft_iq *samples(size_t count)
{
    struct fft_iq *x = calloc(count, sizeof *x);
    assert_non_null(x);
    return x;
}

/* What a tone at hz of amplitude .1 gives at audio_hz, in dB; gain 0 dB. */
static double response_db(const struct demod_config *config, double hz, double audio_hz)
{
    struct receiver r;
    struct demod_config c = *config;
    enum { COUNT = 24000 };
    c.manual_gain = true;
    receiver_init(&r, &c);
    struct fft_iq *x = samples(COUNT);
    add_carrier(x, COUNT, &r.plan, hz, 0.1);
    receiver_push(&r, x, COUNT, 0);
    const size_t begin = r.frames / 4;
    const double got = tone_of(r.audio + begin, r.frames - begin, 1, 12000, audio_hz);
    free(x);
    receiver_finish(&r);
    return 20 * log10(got / 0.1 + 1e-12);
}

/* ---- SSB and CW --------------------------------------------------------------------------- */

static void sidebands_have_their_tones_and_nothing_of_the_other_one(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        const struct demod_config c = config_of(side > 0 ? "usb" : "lsb");
        static const double tones[] = {450, 1000, 1900, 2550};
        double worst = -200;
        for (int i = 0; i < 4; i++) {
            assert_near(response_db(&c, side * tones[i], tones[i]), 0, 0.05);
            worst = fmax(worst, response_db(&c, -side * tones[i], tones[i]));
        }
        assert_near(response_db(&c, side * 300, 300), -6, 0.2);
        assert_near(response_db(&c, side * 2700, 2700), -6, 0.2);
        worst = fmax(worst, response_db(&c, side * 2850, 2850));
        worst = fmax(worst, response_db(&c, side * 100, 100));
        print_message("%s: other sideband and neighbours below %.1f dB\n", c.ops->name, worst);
        assert_true(worst < -60);
    }
}

static void telegraphy_is_heard_at_its_pitch(void **state)
{
    (void)state;
    struct demod_config c = config_of("cw");
    assert_near(response_db(&c, 0, 600), 0, 0.05);
    assert_near(response_db(&c, -100, 500), 0, 0.05);
    assert_true(response_db(&c, 300, 900) < -60);
    assert_true(response_db(&c, -1200, 600) < -60);
    c.pitch_hz = 800;
    c.width_hz = 250;
    assert_near(response_db(&c, 50, 850), 0, 0.05);
    assert_true(response_db(&c, -200, 600) < -60);
}

/* S/N = (C/N0) / W of 2400 Hz, plus 1: 12 dB SINAD at 45.5 dB Hz. */
static void sinad_of_a_sideband_follows_theory(void **state)
{
    (void)state;
    static const double c_n0[] = {45.5, 55, 40};
    for (int i = 0; i < 3; i++) {
        struct receiver r;
        const struct demod_config c = config_of(i == 1 ? "lsb" : "usb");
        enum { COUNT = 8 * 24000 };
        receiver_init(&r, &c);
        struct fft_iq *x = samples(COUNT);
        add_carrier(x, COUNT, &r.plan, i == 1 ? -1000 : 1000, 0.01);
        add_noise(x, COUNT, 24000 * 1e-4 * pow(10, -c_n0[i] / 10), 3);
        receiver_push(&r, x, COUNT, 0);
        const size_t begin = 12000;
        const double sinad = sinad_db(r.audio + begin, r.frames - begin, 12000, 1000);
        const double want = db_of(1 + pow(10, c_n0[i] / 10) / 2400);
        print_message("C/N0 %g: SINAD %.2f dB, expected %.2f\n", c_n0[i], sinad, want);
        assert_near(sinad, want, 0.5);
        free(x);
        receiver_finish(&r);
    }
}

/* ---- AM ----------------------------------------------------------------------------------- */

/* S/N = m^2 (C/N0) / (2 W), W = 2700 Hz, plus 1. */
static void sinad_of_am_follows_theory(void **state)
{
    (void)state;
    static const struct {
        double m, c_n0;
    } rows[] = {{0.3, 59.4}, {0.6, 53.4}, {0.3, 66}, {0.9, 60}};
    for (int i = 0; i < 8; i++) {
        struct receiver r;
        const double m = rows[i % 4].m, c_n0 = rows[i % 4].c_n0;
        const struct demod_config c = config_of(i < 4 ? "am" : "sam");
        enum { COUNT = 8 * 24000 };
        receiver_init(&r, &c);
        struct fft_iq *x = samples(COUNT);
        add_am(x, COUNT, &r.plan, 200, 0.01, m, 1000);
        add_noise(x, COUNT, 24000 * 1e-4 * pow(10, -c_n0 / 10), 4);
        receiver_push(&r, x, COUNT, 0);
        const size_t begin = 12000;
        const double sinad = sinad_db(r.audio + begin, r.frames - begin, 12000, 1000);
        const double want = db_of(1 + m * m * pow(10, c_n0 / 10) / 5400);
        print_message("%s, m %g, C/N0 %g: SINAD %.2f dB, expected %.2f\n", c.ops->name, m, c_n0,
                      sinad, want);
        assert_near(sinad, want, 0.5);
        free(x);
        receiver_finish(&r);
    }
}

/* Peaks of full modulation are at -6 dBFS, at any level of the carrier. */
static void am_has_its_level_depth_and_hardly_any_distortion(void **state)
{
    (void)state;
    static const double amplitudes[] = {1, 1e-2, 1e-5};
    for (int i = 0; i < 3; i++) {
        struct receiver r;
        struct demod_report report;
        const struct demod_config c = config_of("am");
        enum { COUNT = 2 * 24000 };
        receiver_init(&r, &c);
        struct fft_iq *x = samples(COUNT);
        add_am(x, COUNT, &r.plan, 300, amplitudes[i], 0.8, 1013);
        receiver_push(&r, x, COUNT, 0);
        r.ops->report(r.demod, &report);
        const float *audio = r.audio + 12000;
        const double thd = thd_percent(audio, 11000, 1, 12000, 1013);
        print_message("carrier %g: THD %.4f %%\n", amplitudes[i], thd);
        assert_near(20 * log10(tone_of(audio, 11000, 1, 12000, 1013)), 20 * log10(0.4), 0.3);
        assert_true(thd < 0.3);
        assert_near(report.depth, 0.8, 0.01);
        assert_near(report.offset_hz, 300, 1);
        assert_near(report.level_dbfs, 20 * log10(amplitudes[i]) + db_of(1 + 0.32), 0.05);
        assert_near(report.gain_db, -6.02 - 20 * log10(amplitudes[i]), 0.2);
        free(x);
        receiver_finish(&r);
    }
}

/* A carrier that comes 40 dB up does not shout, and none clicks after a gap. */
static void carriers_come_and_go_without_a_shout(void **state)
{
    (void)state;
    struct receiver r;
    const struct demod_config c = config_of("am");
    enum { COUNT = 24000 };
    receiver_init(&r, &c);
    struct fft_iq *x = samples(COUNT);
    add_am(x, COUNT / 2, &r.plan, 0, 1e-3, 0.3, 1000);
    add_am(x + COUNT / 2, COUNT / 2, &r.plan, 0, 1e-1, 0.9, 1000);
    receiver_push(&r, x, COUNT, 0);
    for (size_t i = 0; i < r.frames; i++)
        assert_true(20 * log10((double)fabsf(r.audio[i]) + 1e-9) < -1);
    const size_t before = r.frames;
    memset(x, 0, COUNT * sizeof *x);
    add_carrier(x, COUNT, &r.plan, 0, 0.1); /* without modulation: silence */
    r.ops->reset(r.demod);
    receiver_push(&r, x, COUNT, 0);
    assert_true(r.frames > before + 11000);
    for (size_t i = before; i < r.frames; i++)
        assert_near(r.audio[i], 0, 2e-3);
    free(x);
    receiver_finish(&r);
}

/* ---- synchronous AM ----------------------------------------------------------------------- */

/* THD in per cent of a tone of 1010 Hz in sidebands of these amplitudes beside a carrier of 0.1. */
static double distortion(const char *mode, double lower, double upper, double offset_hz)
{
    struct receiver r;
    const struct demod_config c = config_of(mode);
    enum { COUNT = 48000 };
    receiver_init(&r, &c);
    struct fft_iq *x = samples(COUNT);
    add_carrier(x, COUNT, &r.plan, offset_hz, 0.1);
    add_carrier(x, COUNT, &r.plan, offset_hz - 1010, 0.1 * lower);
    add_carrier(x, COUNT, &r.plan, offset_hz + 1010, 0.1 * upper);
    receiver_push(&r, x, COUNT, 0);
    const double thd = thd_percent(r.audio + 12000, 11000, 1, 12000, 1010);
    free(x);
    receiver_finish(&r);
    return thd;
}

/*
 * The envelope of a faded carrier, modulated by m = 1.2 and 2, has 11.3 and 55 % of distortion;
 * with one sideband gone, m = 0.3 and 0.6 give 3.75 and 7.5 %. Computed from the definition.
 */
static void fading_distorts_the_envelope_alone(void **state)
{
    (void)state;
    static const struct {
        double lower, upper, envelope;
    } rows[] = {{0.6, 0.6, 11.3}, {1, 1, 55}, {0, 0.15, 3.75}, {0.3, 0, 7.5}};
    for (int i = 0; i < 4; i++) {
        const double am = distortion("am", rows[i].lower, rows[i].upper, 0);
        const double sam = distortion("sam", rows[i].lower, rows[i].upper, 150);
        print_message("envelope %.2f %%, synchronous %.3f %%\n", am, sam);
        assert_near(am, rows[i].envelope, 0.15 * rows[i].envelope);
        assert_true(sam < 0.3);
    }
}

static void the_loop_catches_a_carrier_within_200_ms(void **state)
{
    (void)state;
    static const double offsets[] = {200, -200, 5, 900};
    for (int i = 0; i < 4; i++) {
        struct receiver r;
        struct demod_report report;
        const struct demod_config c = config_of("sam");
        enum { COUNT = 24000 };
        receiver_init(&r, &c);
        struct fft_iq *x = samples(COUNT);
        add_am(x, COUNT, &r.plan, offsets[i], 0.1, 0.8, 700);
        add_noise(x, COUNT, 1e-4, 77);
        receiver_push(&r, x, i < 3 ? COUNT / 5 : COUNT / 2, 0);
        r.ops->report(r.demod, &report);
        if (!report.locked)
            fail_msg("not locked at %g Hz", offsets[i]);
        receiver_push(&r, x + COUNT / 2, COUNT / 2, 0); /* 12000 samples: whole periods of all */
        r.ops->report(r.demod, &report);
        assert_near(report.offset_hz, offsets[i], 3);
        memset(x, 0, COUNT * sizeof *x); /* noise alone is no carrier */
        add_noise(x, COUNT, 1e-4, 78);
        receiver_push(&r, x, COUNT, 0);
        r.ops->report(r.demod, &report);
        assert_false(report.locked);
        free(x);
        receiver_finish(&r);
    }
}

/* ---- all ---------------------------------------------------------------------------------- */

static void samples_in_any_portions_give_the_same_bytes(void **state)
{
    (void)state;
    static const char *const modes[] = {"am", "sam", "usb", "lsb", "cw"};
    for (int m = 0; m < 5; m++) {
        struct receiver first, r;
        struct demod_config c = config_of(modes[m]);
        enum { COUNT = 9001 };
        c.notch_hz = 1500;
        receiver_init(&first, &c);
        struct fft_iq *x = samples(COUNT);
        add_am(x, COUNT, &first.plan, 100, 0.1, 0.6, 700);
        add_noise(x, COUNT, 0.01, 9);
        receiver_push(&first, x, COUNT, 0);
        assert_true(first.frames > COUNT / 2 - 130);
        for (size_t each = 1; each < 6000; each = 3 * each + 76) {
            receiver_init(&r, &c);
            receiver_push(&r, x, COUNT, each);
            assert_int_equal(r.frames, first.frames);
            assert_memory_equal(r.audio, first.audio, r.frames * sizeof *r.audio);
            receiver_finish(&r);
        }
        free(x);
        receiver_finish(&first);
    }
}

static void what_is_impossible_is_refused_by_its_key(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        struct demod_config c;
        const char *key;
    } rows[] = {
        {"am", {.width_hz = 100e3}, "width_hz"}, {"usb", {.width_hz = 20}, "width_hz"},
        {"cw", {.pitch_hz = 5000}, "pitch_hz"},  {"lsb", {.notch_hz = 1}, "notch_hz"},
        {"am", {.gain_db = 900}, "gain_db"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct demod *d;
        struct reason why = {0};
        struct demod_config c = rows[i].c;
        c.ops = demod_find(rows[i].mode);
        assert_int_equal(c.ops->create(&d, &c, &why), -EINVAL);
        assert_string_equal(why.key, rows[i].key);
        assert_null(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sidebands_have_their_tones_and_nothing_of_the_other_one),
        cmocka_unit_test(telegraphy_is_heard_at_its_pitch),
        cmocka_unit_test(sinad_of_a_sideband_follows_theory),
        cmocka_unit_test(sinad_of_am_follows_theory),
        cmocka_unit_test(am_has_its_level_depth_and_hardly_any_distortion),
        cmocka_unit_test(carriers_come_and_go_without_a_shout),
        cmocka_unit_test(fading_distorts_the_envelope_alone),
        cmocka_unit_test(the_loop_catches_a_carrier_within_200_ms),
        cmocka_unit_test(samples_in_any_portions_give_the_same_bytes),
        cmocka_unit_test(what_is_impossible_is_refused_by_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
