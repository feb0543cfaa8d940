/* test_demod_tone.c - CTCSS: every tone is named, and nothing else is taken for one. */
#include "tests/demod/receiver.h"

#include "daemon/demod/demod_tone.h"

#define RATE 24000.0
enum { STEP = 240 };

static struct demod_tone *create(void)
{
    struct demod_tone *t = calloc(1, sizeof *t);
    assert_non_null(t);
    assert_int_equal(demod_tone_init(t, RATE), 0);
    return t;
}

static void destroy(struct demod_tone *t)
{
    demod_tone_finish(t);
    free(t);
}

/* Deviation in Hz of a tone with noise of a discriminator, whose density rises with f squared. */
struct signal {
    double tone_hz, deviation_hz, phase;
    double noise_hz; /* rms, of 0 .. 12 kHz */
    uint64_t state;
    double before, at;
};

static void make(struct signal *s, float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double a, b;
        gauss(&s->state, &a, &b);
        s->at = fmod(s->at + s->tone_hz / RATE, 1);
        x[i] = (float)(s->deviation_hz * sin(2 * PI * s->at + s->phase) +
                       s->noise_hz * (a - s->before) / 1.414);
        s->before = a;
    }
}

/* Seconds until the tone is named; INFINITY: never in 2 s. */
static double time_to_name(struct demod_tone *t, struct signal *s, double hz)
{
    float x[STEP];
    for (int i = 1; i <= 200; i++) {
        make(s, x, STEP);
        demod_tone_run(t, x, STEP);
        if (demod_tone_hz(t) == hz)
            return i * STEP / RATE;
        if (!isnan(demod_tone_hz(t)))
            fail_msg("%g Hz is named %g", hz, demod_tone_hz(t));
    }
    return INFINITY;
}

/* 500 Hz of deviation; noise as of C/N 9 dB. The tone begins anywhere in a part. */
static void every_tone_is_named_within_250_ms_and_some_filter_delay(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = 0; k < DEMOD_TONES; k++) {
        struct demod_tone *t = create();
        struct signal s = {.noise_hz = 2000, .state = (uint64_t)k};
        float x[STEP];
        for (int i = 0; i < 20 + k % 5; i++) {
            make(&s, x, STEP);
            demod_tone_run(t, x, STEP);
        }
        s.tone_hz = demod_tones_hz[k] * (1 + 0.002 * (k % 3 - 1)); /* encoders are 0.2 % off */
        s.deviation_hz = 500;
        worst = fmax(worst, time_to_name(t, &s, demod_tones_hz[k]));
        destroy(t);
    }
    print_message("slowest: %.0f ms\n", 1000 * worst);
    assert_true(worst <= 0.28);
}

/* In the middle of a transmission: 400 ms, and up to 50 until a part begins. */
static void a_tone_that_comes_late_is_named_within_half_a_second(void **state)
{
    (void)state;
    struct demod_tone *t = create();
    struct signal s = {.noise_hz = 2000, .state = 5};
    float x[STEP];
    for (int i = 0; i < 203; i++) {
        make(&s, x, STEP);
        demod_tone_run(t, x, STEP);
    }
    s.tone_hz = 88.5;
    s.deviation_hz = 500;
    assert_near(time_to_name(t, &s, 88.5), 0.43, 0.06);
    destroy(t);
}

static void a_tone_that_ends_or_turns_is_gone(void **state)
{
    (void)state;
    static const double jumps[] = {0, PI, 2 * PI / 3};
    for (int j = 0; j < 3; j++) {
        struct demod_tone *t = create();
        struct signal s = {.noise_hz = 2000, .state = 5, .tone_hz = 131.8, .deviation_hz = 500};
        float x[STEP];
        assert_true(time_to_name(t, &s, 131.8) < 0.3);
        for (int i = 0; i < 40; i++) {
            make(&s, x, STEP);
            demod_tone_run(t, x, STEP);
            assert_near(demod_tone_hz(t), 131.8, 0);
        }
        s.phase = jumps[j];
        if (j == 0)
            s.deviation_hz = 0;
        int steps = 0;
        for (; steps < 100 && !isnan(demod_tone_hz(t)); steps++) {
            make(&s, x, STEP);
            demod_tone_run(t, x, STEP);
        }
        print_message("%s: gone after %d ms\n", j == 0 ? "end" : "reverse burst", 10 * steps);
        assert_true(steps <= (j == 0 ? 25 : 13));
        for (int i = 0; j > 0 && i < 15; i++) { /* the burst lasts */
            make(&s, x, STEP);
            demod_tone_run(t, x, STEP);
            assert_true(isnan(demod_tone_hz(t)));
        }
        destroy(t);
    }
}

/* Ten minutes of a discriminator without a carrier, and ten of white noise. */
static void noise_is_no_tone(void **state)
{
    (void)state;
    for (int white = 0; white < 2; white++) {
        struct demod_tone *t = create();
        uint64_t random = 3;
        float x[STEP];
        double before = 0;
        for (int i = 0; i < 10 * 60 * 100; i++) {
            for (int k = 0; k < STEP; k++) {
                const double a = uniform(&random) - 0.5;
                x[k] = (float)(white ? a : a - 0.999 * before);
                before = a;
            }
            demod_tone_run(t, x, STEP);
            assert_true(isnan(demod_tone_hz(t)));
        }
        destroy(t);
    }
}

/*
 * An hour of something like speech: syllables of 80 .. 300 ms with pauses, pulses of a voice
 * whose pitch is 80 .. 250 Hz and glides by 3 to 30 % a second with a jitter of 0.5 %, and no
 * high-pass at the transmitter.
 */
static void speech_is_no_tone(void **state)
{
    (void)state;
    struct demod_tone *t = create();
    uint64_t random = 11;
    float x[STEP];
    double pitch = 120, glide = 0, left_s = 0, level = 0, at = 0, jitter = 1, smooth = 0;
    for (int i = 0; i < 60 * 60 * 100; i++) {
        for (int k = 0; k < STEP; k++) {
            left_s -= 1 / RATE;
            if (left_s < 0) {
                const double sign = uniform(&random) < 0.5 ? -1 : 1;
                left_s = 0.08 + 0.22 * uniform(&random);
                level = uniform(&random) < 0.25 ? 0 : 0.3 + uniform(&random);
                pitch = level > 0 && uniform(&random) < 0.3 ? 80 + 170 * uniform(&random) : pitch;
                glide = sign * (0.03 + 0.27 * uniform(&random));
            }
            glide = pitch > 250 ? -fabs(glide) : pitch < 80 ? fabs(glide) : glide;
            pitch *= 1 + glide / RATE;
            at += pitch * jitter / RATE;
            if (at >= 1) {
                at -= 1;
                jitter = 1 + 0.01 * (uniform(&random) - 0.5);
            }
            smooth += (level - smooth) / (0.02 * RATE);
            x[k] = (float)(3000 * smooth * (exp(-at * 6) - 0.17));
        }
        demod_tone_run(t, x, STEP);
        if (!isnan(demod_tone_hz(t)))
            fail_msg("%.2f s: %g Hz", i / 100.0, demod_tone_hz(t));
    }
    destroy(t);
}

/* Tones between those of the list are none. */
static void other_frequencies_are_no_tone(void **state)
{
    (void)state;
    static const double others[] = {55, 60, 68.1, 105.3, 148.1, 214.3, 246, 262, 300, 400, 1000};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        struct demod_tone *t = create();
        struct signal s = {.noise_hz = 100, .state = 9, .tone_hz = others[k], .deviation_hz = 500};
        float x[STEP];
        for (int i = 0; i < 150; i++) {
            make(&s, x, STEP);
            demod_tone_run(t, x, STEP);
            if (!isnan(demod_tone_hz(t)))
                fail_msg("%g Hz is named %g", others[k], demod_tone_hz(t));
        }
        destroy(t);
    }
}

/* Through the whole receiver: the tone is reported, and taken out of the audio. */
static void narrow_fm_reports_the_tone_and_takes_it_out(void **state)
{
    (void)state;
    struct receiver r;
    struct demod_report report;
    const struct demod_config c = {.ops = demod_find("nfm"), .tone_hz = 203.5};
    enum { COUNT = 24000 };
    receiver_init(&r, &c);
    struct fft_iq *x = calloc(COUNT, sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < COUNT; i++) {
        const double p = 3 * sin(2 * PI * 1000 / RATE * i) +
                         500 / 203.5 * sin(2 * PI * fmod(203.5 / RATE * i, 1));
        x[i] = (struct fft_iq){(float)cos(p), (float)sin(p)};
    }
    add_noise(x, COUNT, 24000 / 16000.0 * pow(10, -0.9), 3); /* C/N 9 dB */
    receiver_push(&r, x, COUNT, 0);
    r.ops->report(r.demod, &report);
    assert_near(report.tone_hz, 203.5, 0);
    const size_t begin = 4000, count = r.frames - begin;
    const double tone = tone_of(r.audio + begin, count, 1, 12000, 203.5);
    assert_true(20 * log10(tone / tone_of(r.audio + begin, count, 1, 12000, 1000)) < -40);
    r.ops->reset(r.demod);
    r.ops->report(r.demod, &report);
    assert_true(isnan(report.tone_hz));
    free(x);
    receiver_finish(&r);
}

/* rms of the audio between two times, in dB. */
static double loud_db(const struct receiver *r, double from_s, double to_s)
{
    double sum = 0;
    const size_t from = (size_t)(from_s * 12000), to = (size_t)(to_s * 12000);
    for (size_t i = from; i < to; i++)
        sum += (double)r->audio[i] * (double)r->audio[i];
    return db_of(sum / (double)(to - from));
}

/* Speech of 1 kHz all the time; the tone from 1 s on, at 2 s reversed for 150 ms, then none. */
static void without_its_tone_narrow_fm_is_silent(void **state)
{
    (void)state;
    struct receiver r;
    const struct demod_config c = {.ops = demod_find("nfm"), .tone_hz = 88.5};
    enum { COUNT = 60000 };
    receiver_init(&r, &c);
    struct fft_iq *x = calloc(COUNT, sizeof *x);
    assert_non_null(x);
    double p = 0;
    for (int i = 0; i < COUNT; i++) {
        const double t = i / RATE, tone = sin(2 * PI * 88.5 * t + (t > 2 ? PI : 0));
        const double hz = 3000 * sin(2 * PI * 1000 * t) + (t > 1 && t < 2.15 ? 500 * tone : 0);
        x[i] = (struct fft_iq){(float)cos(p), (float)sin(p)};
        p = fmod(p + 2 * PI * hz / RATE, 2 * PI);
    }
    receiver_push(&r, x, COUNT, 0);
    assert_true(loud_db(&r, 0, 1.3) < -100);
    assert_near(loud_db(&r, 1.55, 2), -3 - 4.44 - 3.01, 0.3);
    assert_true(loud_db(&r, 2.15, 2.49) < -100);
    struct receiver other;
    receiver_init(&other, &c);
    receiver_push(&other, x, COUNT, 311);
    assert_int_equal(other.frames, r.frames);
    assert_memory_equal(other.audio, r.audio, r.frames * sizeof *r.audio);
    free(x);
    receiver_finish(&other);
    receiver_finish(&r);
}

static void what_is_no_tone_is_refused_with_its_neighbours(void **state)
{
    (void)state;
    struct demod_plan p;
    struct reason why = {0};
    struct demod_config c = {.ops = demod_find("nfm"), .tone_hz = 90};
    assert_int_equal(c.ops->plan(&c, &p, &why), -EINVAL);
    assert_string_equal(why.key, "tone_hz");
    assert_non_null(strstr(why.sentence, "88.5 and 91.5 Hz"));
    c.tone_hz = 88.5;
    assert_int_equal(c.ops->plan(&c, &p, &why), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tone_is_named_within_250_ms_and_some_filter_delay),
        cmocka_unit_test(a_tone_that_comes_late_is_named_within_half_a_second),
        cmocka_unit_test(a_tone_that_ends_or_turns_is_gone),
        cmocka_unit_test(noise_is_no_tone),
        cmocka_unit_test(speech_is_no_tone),
        cmocka_unit_test(other_frequencies_are_no_tone),
        cmocka_unit_test(without_its_tone_narrow_fm_is_silent),
        cmocka_unit_test(what_is_no_tone_is_refused_with_its_neighbours),
        cmocka_unit_test(narrow_fm_reports_the_tone_and_takes_it_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
