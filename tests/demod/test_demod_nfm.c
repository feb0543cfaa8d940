/* test_demod_nfm.c - narrow FM against formulas, and a simulation with numpy in double precision.
 */
#include "tests/demod/receiver.h"

static struct demod_config nfm(double width_hz, double deviation_hz, bool flat)
{
    return (struct demod_config){
        .ops = demod_find("nfm"), .width_hz = width_hz, .deviation_hz = deviation_hz, .flat = flat};
}

/* A carrier of power 1, off by offset_hz, with a tone. */
static struct fft_iq *make(double rate_hz, size_t count, double offset_hz, double deviation_hz,
                           double tone_hz)
{
    struct fft_iq *x = calloc(count, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < count; i++) {
        const double t = (double)i / rate_hz;
        const double p = 2 * PI * fmod(offset_hz * t, 1) +
                         deviation_hz / tone_hz * sin(2 * PI * fmod(tone_hz * t, 1));
        x[i] = (struct fft_iq){(float)cos(p), (float)sin(p)};
    }
    return x;
}

static void run_of(struct receiver *r, const struct demod_config *c, double seconds,
                   double offset_hz, double deviation_hz, double tone_hz, double c_n0_dbhz)
{
    receiver_init(r, c);
    const size_t count = (size_t)(seconds * r->plan.rate_hz);
    struct fft_iq *x = make(r->plan.rate_hz, count, offset_hz, deviation_hz, tone_hz);
    if (c_n0_dbhz > 0)
        add_noise(x, count, r->plan.rate_hz * pow(10, -c_n0_dbhz / 10), 5);
    receiver_push(r, x, count, 0);
    free(x);
}

/* ---- sensitivity -------------------------------------------------------------------------- */

/*
 * 1 kHz. The first six: simulated with numpy at 24 kS/s, filter of 1.5 kHz slopes, 90 s each. Near
 * the threshold that rate is up to 0.9 dB better than 48 kS/s: a click is at most half a turn a
 * sample. The others: S/N = 1.5 dev^2 (C/N0) / (f2^3 - f1^3), f1 = 300, f2 = 3000 Hz.
 */
static void sinad_follows_theory_and_simulation(void **state)
{
    (void)state;
    static const struct {
        double width_hz, deviation_hz, c_n0, sinad;
        bool flat;
    } rows[] = {
        {12500, 3000, 47.2, 12.4, true},  {16000, 3000, 48.2, 13.2, true},
        {8500, 1500, 50.5, 12.1, true},   {12500, 3000, 46.5, 12.6, false},
        {16000, 3000, 47.5, 13.4, false}, {8500, 1500, 46.7, 12.4, false},
        {12500, 3000, 56, 23.0, true},    {16000, 3000, 60, 27.0, true},
        {8500, 1500, 60, 21.0, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct receiver r;
        const struct demod_config c = nfm(rows[i].width_hz, 5000, rows[i].flat);
        run_of(&r, &c, 12, 0, rows[i].deviation_hz, 1000, rows[i].c_n0);
        const size_t begin = (size_t)r.plan.audio_rate_hz / 5;
        const double sinad =
            sinad_db(r.audio + begin, r.frames - begin, r.plan.audio_rate_hz, 1000);
        print_message("C/N0 %.1f: SINAD %.2f dB, expected %.1f\n", rows[i].c_n0, sinad,
                      rows[i].sinad);
        assert_near(sinad, rows[i].sinad, 0.5);
        receiver_finish(&r);
    }
}

/* ---- audio -------------------------------------------------------------------------------- */

static void rated_deviation_reads_minus_3_dbfs(void **state)
{
    (void)state;
    static const double deviations[] = {2500, 5000};
    for (int i = 0; i < 4; i++) {
        struct receiver r;
        const struct demod_config c = nfm(0, deviations[i / 2], i % 2 == 1);
        run_of(&r, &c, 1, 0, deviations[i / 2], 1000, 0);
        const double rate_hz = r.plan.audio_rate_hz;
        const size_t begin = (size_t)rate_hz / 4;
        assert_near(20 * log10(tone_of(r.audio + begin, r.frames - begin, 1, rate_hz, 1000)), -3,
                    0.1);
        receiver_finish(&r);
    }
}

/* At the deviation of TIA-603, 60 % of the rated one. A filter by Carson's rule cuts more. */
static void speech_and_data_have_less_than_0_3_per_cent_of_distortion(void **state)
{
    (void)state;
    static const double deviations[] = {2500, 5000};
    for (int i = 0; i < 4; i++) {
        struct receiver r;
        const struct demod_config c = nfm(0, deviations[i / 2], i % 2 == 1);
        run_of(&r, &c, 1, 0, 0.6 * deviations[i / 2], 1000, 0);
        const double rate_hz = r.plan.audio_rate_hz;
        const size_t begin = (size_t)rate_hz / 4;
        const double thd = thd_percent(r.audio + begin, r.frames - begin, 1, rate_hz, 1000);
        print_message("%g Hz%s: THD %.3f %%\n", deviations[i / 2], c.flat ? ", flat" : "", thd);
        assert_true(thd < 0.3);
        receiver_finish(&r);
    }
}

/* 1 / (1 + j 2 pi f tau) against 1 kHz; flat: no difference at all, up to the filter's edge. */
static void audio_has_the_response_of_the_de_emphasis(void **state)
{
    (void)state;
    static const double tones[] = {500, 800, 1600, 2400, 3000};
    for (int i = 0; i < 10; i++) {
        struct receiver r;
        const bool flat = i >= 5;
        const double hz = tones[i % 5], tau = 750e-6;
        const struct demod_config c = nfm(16000, 5000, flat);
        run_of(&r, &c, 0.5, 0, 1000, hz, 0);
        const double rate_hz = r.plan.audio_rate_hz, full = 0.70795 / 5;
        const size_t begin = (size_t)rate_hz / 4;
        const double got = tone_of(r.audio + begin, r.frames - begin, 1, rate_hz, hz);
        const double x = 2 * PI * hz * tau, x0 = 2 * PI * 1000 * tau;
        const double want = flat ? 0 : db_of((1 + x0 * x0) / (1 + x * x));
        assert_near(20 * log10(got / full), want, hz == 500 && !flat ? 0.2 : 0.12);
        receiver_finish(&r);
    }
}

static void a_carrier_off_its_frequency_is_reported_and_not_heard(void **state)
{
    (void)state;
    struct receiver r;
    struct demod_report report;
    const struct demod_config c = nfm(16000, 5000, false);
    run_of(&r, &c, 0.6, 1234, 3000, 1013, 0);
    r.ops->report(r.demod, &report);
    assert_near(report.offset_hz, 1234, 1);
    assert_near(report.deviation_hz, 3000, 15);
    assert_near(report.level_dbfs, 0, 0.01);
    double sum = 0;
    const size_t begin = r.frames / 2;
    for (size_t i = begin; i < r.frames; i++)
        sum += (double)r.audio[i];
    assert_near(sum / (double)(r.frames - begin), 0, 1e-3);
    receiver_finish(&r);
}

static void nothing_clicks_at_the_beginning_and_after_a_gap(void **state)
{
    (void)state;
    struct receiver r;
    const struct demod_config c = nfm(16000, 5000, false);
    receiver_init(&r, &c);
    const size_t count = 24000;
    struct fft_iq *x = make(24000, count, 2000, 1, 1000); /* no modulation to speak of */
    receiver_push(&r, x, count / 2, 0);
    r.ops->reset(r.demod);
    receiver_push(&r, x + count / 3, count / 2, 0);
    for (size_t i = 0; i < r.frames; i++)
        if (fabs((double)r.audio[i]) > 0.002)
            fail_msg("frame %zu: %g", i, (double)r.audio[i]);
    free(x);
    receiver_finish(&r);
}

/* A tone burst comes out when the plan says. */
static void audio_is_late_by_the_delay_of_the_plan(void **state)
{
    (void)state;
    struct receiver r;
    const struct demod_config c = nfm(16000, 5000, true);
    receiver_init(&r, &c);
    enum { COUNT = 12000, AT = 8000 };
    struct fft_iq *x = calloc(COUNT, sizeof *x);
    assert_non_null(x);
    double phase = 0;
    for (int i = 0; i < COUNT; i++) { /* the frequency is a Gaussian bump of 1 ms at sample AT */
        const double t = (i - AT) / 24.0;
        x[i] = (struct fft_iq){(float)cos(phase), (float)sin(phase)};
        phase += 2 * PI * 1000 / 24000 * exp(-(t + 0.5 / 24) * (t + 0.5 / 24));
    }
    receiver_push(&r, x, COUNT, 0);
    double sum = 0, moment = 0;
    for (size_t i = AT - 1000; i < r.frames; i++) {
        sum += (double)r.audio[i];
        moment += (double)r.audio[i] * (double)i;
    }
    assert_near(moment / sum / r.plan.audio_rate_hz - r.plan.delay_s, AT / 24000.0, 1e-6);
    free(x);
    receiver_finish(&r);
}

static void samples_in_any_portions_give_the_same_bytes(void **state)
{
    (void)state;
    static const size_t portions[] = {0, 1, 479, 481, 5000};
    struct receiver first;
    struct demod_config c = nfm(0, 0, false);
    c.tone_hz = 100;
    c.notch_hz = 1800;
    receiver_init(&first, &c);
    enum { COUNT = 9001 };
    struct fft_iq *x = make(24000, COUNT, 100, 3000, 700);
    add_noise(x, COUNT, 0.3, 9);
    receiver_push(&first, x, COUNT, 0);
    for (int i = 1; i < 5; i++) {
        struct receiver r;
        receiver_init(&r, &c);
        receiver_push(&r, x, COUNT, portions[i]);
        assert_int_equal(r.frames, first.frames);
        assert_memory_equal(r.audio, first.audio, r.frames * sizeof *r.audio);
        receiver_finish(&r);
    }
    free(x);
    receiver_finish(&first);
}

/* ---- figures ------------------------------------------------------------------------------ */

/*
 * The power of 4-6 kHz behind a discriminator against no carrier, and C/N, for a filter of 12.5
 * kHz and a tone of 1 kHz with 3 kHz of deviation: simulated with numpy, 20 s each.
 */
static void a_carrier_quiets_the_noise_above_speech(void **state)
{
    (void)state;
    static const struct {
        double c_n, noise_db;
    } rows[] = {{-99, 0}, {0, -2.4}, {3, -4.5}, {6, -7.8}, {9, -11.2}, {12, -14.3}, {20, -22.4}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct receiver r;
        const struct demod_config c = nfm(12500, 5000, false);
        enum { STEP = 2400, STEPS = 60 };
        receiver_init(&r, &c);
        struct fft_iq *x = make(24000, (size_t)STEP * STEPS, 0, 3000, 1000);
        for (size_t k = 0; rows[i].c_n < -90 && k < (size_t)STEP * STEPS; k++)
            x[k] = (struct fft_iq){0, 0};
        add_noise(x, (size_t)STEP * STEPS, 24000 / 12500.0 * pow(10, -fmax(rows[i].c_n, 0) / 10),
                  21);
        double noise = 0, snr = 0;
        for (size_t k = 0; k < STEPS; k++) {
            struct demod_report report;
            receiver_push(&r, x + k * STEP, STEP, 0);
            r.ops->report(r.demod, &report);
            if (k > 1) {
                noise += pow(10, report.noise_db / 10) / (STEPS - 2);
                snr += (isnan(report.snr_db) ? -20 : report.snr_db) / (STEPS - 2);
            }
        }
        assert_near(db_of(noise), rows[i].noise_db, 0.8);
        if (rows[i].c_n >= 3)
            assert_near(snr, rows[i].c_n, 1);
        else if (rows[i].c_n < -90)
            assert_true(snr < -5);
        free(x);
        receiver_finish(&r);
    }
}

static void what_is_impossible_is_refused_by_its_key(void **state)
{
    (void)state;
    const struct {
        struct demod_config c;
        const char *key;
    } rows[] = {
        {{.width_hz = 100e3}, "width_hz"},       {{.deviation_hz = 75e3}, "deviation_hz"},
        {{.tone_hz = 1000}, "tone_hz"},          {{.notch_hz = 1}, "notch_hz"},
        {{.deemphasis_us = 1}, "deemphasis_us"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct demod_plan p;
        struct reason why = {0};
        struct demod_config c = rows[i].c;
        c.ops = demod_find("nfm");
        assert_int_equal(c.ops->plan(&c, &p, &why), -EINVAL);
        assert_string_equal(why.key, rows[i].key);
    }
    assert_null(demod_find("nonsense"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sinad_follows_theory_and_simulation),
        cmocka_unit_test(rated_deviation_reads_minus_3_dbfs),
        cmocka_unit_test(speech_and_data_have_less_than_0_3_per_cent_of_distortion),
        cmocka_unit_test(audio_has_the_response_of_the_de_emphasis),
        cmocka_unit_test(a_carrier_off_its_frequency_is_reported_and_not_heard),
        cmocka_unit_test(nothing_clicks_at_the_beginning_and_after_a_gap),
        cmocka_unit_test(audio_is_late_by_the_delay_of_the_plan),
        cmocka_unit_test(samples_in_any_portions_give_the_same_bytes),
        cmocka_unit_test(a_carrier_quiets_the_noise_above_speech),
        cmocka_unit_test(what_is_impossible_is_refused_by_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
