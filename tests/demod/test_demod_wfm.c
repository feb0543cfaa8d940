/* test_demod_wfm.c - FM stations: separation, distortion, de-emphasis, pilot, blend. */
#include "tests/demod/receiver.h"

#define RATE 240e3

/*
 * A station with 75 kHz of deviation: at 4 times the rate, then through a filter that is flat to
 * 110 kHz and ends at 120 kHz (Kaiser, 80 dB), as a channel has it.
 */
struct station {
    double left, right; /* amplitudes, of 0.9 */
    double left_hz, right_hz;
    double pilot;     /* 0.09 */
    double pilot_hz;  /* 19000 */
    double offset_hz; /* of the carrier */
    double c_n0_dbhz; /* 0: no noise */
};

static const struct station quiet = {
    .left_hz = 1000, .right_hz = 1000, .pilot = 0.09, .pilot_hz = 19000};

enum { OVER = 4, HALF = 240 };

static struct fft_iq *make(const struct station *s, double seconds, size_t *count)
{
    const double big = RATE * OVER;
    const size_t raw = (size_t)(seconds * big) / OVER * OVER;
    struct fft_iq *fine = calloc(raw + 2 * HALF, sizeof *fine), *x = calloc(raw / OVER, sizeof *x);
    double tap[2 * HALF + 1], sum = 0, turns = 0;
    assert_true(fine && x);
    for (size_t i = 0; i < raw; i++) {
        const double t = (double)i / big;
        const double l = s->left * sin(2 * PI * fmod(s->left_hz * t, 1));
        const double r = s->right * sin(2 * PI * fmod(s->right_hz * t, 1));
        const double p = 2 * PI * fmod(s->pilot_hz * t, 1);
        const double m = 0.9 * ((l + r) / 2 + (l - r) / 2 * sin(2 * p)) + s->pilot * sin(p);
        turns = fmod(turns + (s->offset_hz + 75e3 * m) / big, 1);
        fine[i + HALF] = (struct fft_iq){(float)cos(2 * PI * turns), (float)sin(2 * PI * turns)};
    }
    for (int k = -HALF; k <= HALF; k++) {
        const double u = (double)k / (HALF + 1), w = fft_bessel_i0(7.857 * sqrt(1 - u * u));
        tap[k + HALF] = w * (k == 0 ? 2 * 115e3 / big : sin(2 * PI * 115e3 / big * k) / (PI * k));
        sum += tap[k + HALF];
    }
    *count = raw / OVER;
    for (size_t i = 0; i < *count; i++)
        for (int k = 0; k <= 2 * HALF; k++) {
            const float a = (float)(tap[k] / sum);
            x[i].re += a * fine[i * OVER + (size_t)k].re;
            x[i].im += a * fine[i * OVER + (size_t)k].im;
        }
    free(fine);
    if (s->c_n0_dbhz > 0)
        add_noise(x, *count, RATE * pow(10, -s->c_n0_dbhz / 10), 8);
    return x;
}

static void receive(struct receiver *r, const struct demod_config *c, const struct station *s,
                    double seconds)
{
    size_t count;
    receiver_init(r, c);
    struct fft_iq *x = make(s, seconds, &count);
    receiver_push(r, x, count, 1440);
    free(x);
}

static struct demod_config wfm(void)
{
    return (struct demod_config){.ops = demod_find("wfm")};
}

/* The last `seconds` of a channel: amplitude of a tone. */
static double heard(const struct receiver *r, unsigned channel, double seconds, double hz)
{
    const size_t count = (size_t)(seconds * 48000);
    const unsigned channels = r->plan.audio_channels;
    return tone_of(r->audio + (r->frames - count) * channels + channel, count, channels, 48000, hz);
}

static double deemphasis_db(double hz, double tau)
{
    const double x = 2 * PI * hz * tau;
    return -db_of(1 + x * x);
}

/* ---- stereo ------------------------------------------------------------------------------- */

static void left_is_not_heard_on_the_right(void **state)
{
    (void)state;
    static const struct {
        double hz, least_db;
    } rows[] = {{1000, 50}, {10000, 40}, {60, 50}};
    for (int i = 0; i < 3; i++) {
        struct receiver r;
        struct demod_report report;
        const struct demod_config c = wfm();
        struct station s = quiet;
        s.left = 1;
        s.left_hz = rows[i].hz;
        receive(&r, &c, &s, 0.8);
        r.ops->report(r.demod, &report);
        const double left = heard(&r, 0, 0.2, rows[i].hz), right = heard(&r, 1, 0.2, rows[i].hz);
        print_message("%g Hz: separation %.1f dB\n", rows[i].hz, 20 * log10(left / right));
        assert_true(20 * log10(left / right) > rows[i].least_db);
        assert_near(20 * log10(left), 20 * log10(0.9 * 0.70795) + deemphasis_db(rows[i].hz, 50e-6),
                    0.15);
        assert_true(report.stereo && report.locked);
        assert_near(report.pilot, 0.09, 0.001);
        receiver_finish(&r);
    }
}

static void stations_have_hardly_any_distortion(void **state)
{
    (void)state;
    struct receiver r;
    struct demod_report report;
    const struct demod_config c = wfm();
    struct station s = quiet;
    s.left = s.right = 1;
    s.left_hz = s.right_hz = 1010;
    s.offset_hz = 1500;
    receive(&r, &c, &s, 0.7);
    r.ops->report(r.demod, &report);
    const float *audio = r.audio + 2 * (r.frames - 9600);
    const double thd = thd_percent(audio, 9600, 2, 48000, 1010);
    print_message("THD %.3f %%\n", thd);
    assert_true(thd < 0.3);
    assert_near(report.offset_hz, 1500, 5); /* 101 periods */
    assert_near(report.deviation_hz, 75000 * 0.99, 2500);
    assert_true(20 * log10(heard(&r, 0, 0.2, 19000)) < -65);
    receiver_finish(&r);
}

/* A pilot 2 Hz off, which is the most that a station may have, costs nothing. */
static void the_loop_follows_a_pilot_off_its_frequency(void **state)
{
    (void)state;
    struct receiver r;
    const struct demod_config c = wfm();
    struct station s = quiet;
    s.right = 1;
    s.pilot_hz = 19002;
    receive(&r, &c, &s, 0.8);
    assert_true(20 * log10(heard(&r, 1, 0.2, 1000) / heard(&r, 0, 0.2, 1000)) > 50);
    receiver_finish(&r);
}

static void de_emphasis_follows_its_time_constant(void **state)
{
    (void)state;
    static const double tones[] = {400, 3183, 10000, 15000};
    for (int i = 0; i < 4; i++) {
        const double tau_us = i % 2 ? 75 : 50;
        struct receiver r;
        struct demod_config c = wfm();
        struct station s = quiet;
        c.deemphasis_us = tau_us;
        c.mono = true;
        s.left = s.right = 0.5;
        s.left_hz = s.right_hz = tones[i];
        receive(&r, &c, &s, 0.35);
        assert_int_equal(r.plan.audio_channels, 1);
        const double got = 20 * log10(heard(&r, 0, 0.1, tones[i]) / (0.45 * 0.70795));
        assert_near(got, deemphasis_db(tones[i], tau_us * 1e-6), 0.15);
        receiver_finish(&r);
    }
}

static void without_a_pilot_both_channels_are_alike(void **state)
{
    (void)state;
    struct receiver r;
    struct demod_report report;
    const struct demod_config c = wfm();
    struct station s = quiet;
    s.left = 1;
    s.pilot = 0;
    receive(&r, &c, &s, 0.4);
    r.ops->report(r.demod, &report);
    assert_false(report.stereo || report.locked);
    for (size_t i = 0; i < r.frames; i++)
        assert_near(r.audio[2 * i], r.audio[2 * i + 1], 1e-6);
    receiver_finish(&r);
}

/* Separation at C/N0: all of it from 70 dB Hz on, none at 64. */
static void a_weak_station_is_mono(void **state)
{
    (void)state;
    for (int weak = 0; weak < 2; weak++) {
        struct receiver r;
        const struct demod_config c = wfm();
        struct station s = quiet;
        s.left = 1;
        s.c_n0_dbhz = weak ? 63 : 76;
        receive(&r, &c, &s, 0.8);
        const double db = 20 * log10(heard(&r, 0, 0.2, 1000) / heard(&r, 1, 0.2, 1000));
        print_message("C/N0 %g: separation %.1f dB\n", s.c_n0_dbhz, db);
        assert_true(weak ? fabs(db) < 1 : db > 30);
        receiver_finish(&r);
    }
}

static void the_multiplex_is_flat_and_has_its_level(void **state)
{
    (void)state;
    struct receiver r;
    const struct demod_config c = {.ops = demod_find("mpx")};
    struct station s = quiet;
    s.left = 0.5;
    s.left_hz = 10000;
    receive(&r, &c, &s, 0.3);
    const float *audio = r.audio + r.frames - 24000;
    const double full = 0.70795 * 0.45;
    assert_near(20 * log10(tone_of(audio, 24000, 1, RATE, 10000) / full * 2), 0, 0.05);
    assert_near(20 * log10(tone_of(audio, 24000, 1, RATE, 28000) / full * 4), 0, 0.05);
    assert_near(20 * log10(tone_of(audio, 24000, 1, RATE, 48000) / full * 4), 0, 0.05);
    assert_near(20 * log10(tone_of(audio, 24000, 1, RATE, 19000) / (0.70795 * 0.09)), 0, 0.05);
    receiver_finish(&r);
}

static void samples_in_any_portions_give_the_same_bytes(void **state)
{
    (void)state;
    static const char *const modes[] = {"wfm", "mpx"};
    struct station s = quiet;
    size_t count;
    s.left = 1;
    s.offset_hz = 1000;
    struct fft_iq *x = make(&s, 0.3, &count);
    for (int m = 0; m < 2; m++) {
        struct receiver first, r;
        const struct demod_config c = {.ops = demod_find(modes[m])};
        receiver_init(&first, &c);
        receiver_push(&first, x, count, 1440);
        for (size_t each = 7; each < 9000; each = 11 * each + 1) {
            receiver_init(&r, &c);
            receiver_push(&r, x, count, each);
            assert_int_equal(r.frames, first.frames);
            assert_memory_equal(r.audio, first.audio,
                                r.frames * r.plan.audio_channels * sizeof *r.audio);
            receiver_finish(&r);
        }
        receiver_finish(&first);
    }
    free(x);
}

/* The carrier is off, and comes back in another phase. */
static void nothing_clicks_after_a_gap(void **state)
{
    (void)state;
    struct receiver r;
    const struct demod_config c = wfm();
    struct station s = quiet;
    size_t count;
    s.offset_hz = 5000;
    struct fft_iq *x = make(&s, 0.3, &count);
    receiver_init(&r, &c);
    receiver_push(&r, x, count, 1440);
    r.ops->reset(r.demod);
    receiver_push(&r, x + 12345, count - 12345, 1440);
    for (size_t i = 0; i < 2 * r.frames; i++)
        assert_near(r.audio[i], 0, 1e-3);
    free(x);
    receiver_finish(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(left_is_not_heard_on_the_right),
        cmocka_unit_test(stations_have_hardly_any_distortion),
        cmocka_unit_test(the_loop_follows_a_pilot_off_its_frequency),
        cmocka_unit_test(de_emphasis_follows_its_time_constant),
        cmocka_unit_test(without_a_pilot_both_channels_are_alike),
        cmocka_unit_test(a_weak_station_is_mono),
        cmocka_unit_test(the_multiplex_is_flat_and_has_its_level),
        cmocka_unit_test(samples_in_any_portions_give_the_same_bytes),
        cmocka_unit_test(nothing_clicks_after_a_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
