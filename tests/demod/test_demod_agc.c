/* test_demod_agc.c - the automatic gain against its promises: peaks, hang, rise, distortion. */
#include "tests/demod/receiver.h"

#include "daemon/demod/demod_agc.h"

#define RATE 12000.0

static const struct demod_agc_config speech = {
    .rate_hz = RATE, .target = 0.5, .hang_s = 1.1, .rise_db_s = 20};

enum { COUNT = 12 * 12000 };

struct run {
    float in[COUNT], level[COUNT], out[COUNT + 120];
    size_t frames;
};

/* A tone of 700 Hz whose level steps at times. */
static struct run *run_of(const double *db, const double *at_s, int steps)
{
    struct demod_agc a;
    struct run *r = calloc(1, sizeof *r);
    assert_non_null(r);
    demod_agc_init(&a, &speech);
    for (int i = 0, step = 0; i < COUNT; i++) {
        while (step + 1 < steps && i / RATE >= at_s[step + 1])
            step++;
        r->level[i] = (float)pow(10, db[step] / 20);
        r->in[i] = r->level[i] * (float)sin(2 * PI * fmod(700 / RATE * i, 1));
    }
    for (int i = 0; i < COUNT; i += 100)
        r->frames += demod_agc_run(&a, r->in + i, r->level + i, 100, r->out + r->frames);
    return r;
}

/* Gain at a frame, from a frame with a large sine near it. */
static double gain_db(const struct run *r, double at_s)
{
    size_t i = (size_t)(at_s * RATE);
    while (fabsf(r->in[i]) < 0.9F * r->level[i])
        i++;
    return 20 * log10((double)fabsf(r->out[i]) / (double)fabsf(r->in[i]));
}

static void a_step_of_40_db_never_comes_near_full_scale(void **state)
{
    (void)state;
    struct run *r = run_of((double[]){-60, -20}, (double[]){0, 3}, 2);
    for (size_t i = 0; i < r->frames; i++)
        assert_true(20 * log10((double)fabsf(r->out[i]) + 1e-9) < -6.0);
    assert_near(gain_db(r, 2.9), 54, 0.1);
    assert_near(gain_db(r, 3.03), 14, 0.1);
    free(r);
}

static void after_a_fall_the_gain_waits_and_then_rises(void **state)
{
    (void)state;
    struct run *r = run_of((double[]){-20, -60}, (double[]){0, 3}, 2);
    for (double t = 3; t < 4.08; t += 0.04)
        assert_near(gain_db(r, t), 14, 0.1);
    assert_near(gain_db(r, 5.3) - gain_db(r, 4.3), 20, 1);
    assert_near(gain_db(r, 5.9) - gain_db(r, 4.9), 20, 1);
    assert_near(gain_db(r, 6.6), 54, 0.1);
    assert_near(gain_db(r, 11), 54, 0.1);
    free(r);
}

static void tones_of_any_level_come_out_alike_and_clean(void **state)
{
    (void)state;
    for (double db = -100; db <= 0; db += 20) {
        struct run *r = run_of(&db, (double[]){0}, 1);
        const float *audio = r->out + 12000;
        assert_near(20 * log10(tone_of(audio, 24000, 1, RATE, 700)), -6.02, 0.5);
        assert_true(thd_percent(audio, 24000, 1, RATE, 700) < 0.05);
        free(r);
    }
}

static void pauses_of_speech_do_not_raise_the_noise(void **state)
{
    (void)state;
    struct run *r = run_of((double[]){-20, -70, -20, -70, -20}, (double[]){0, 3, 4, 5, 6}, 5);
    for (double t = 1; t < 7; t += 0.1)
        assert_near(gain_db(r, t), 14, 0.1);
    free(r);
}

/* Without a hang, and with a steep rise: also the end of a loud block is below the target. */
static void no_block_is_above_the_target(void **state)
{
    (void)state;
    struct demod_agc a;
    struct run *r = calloc(1, sizeof *r);
    uint64_t random = 4;
    assert_non_null(r);
    demod_agc_init(&a, &(struct demod_agc_config){
                           .rate_hz = RATE, .target = 0.5, .hang_s = 0, .rise_db_s = 1000});
    for (int i = 0; i < COUNT; i++)
        r->in[i] = r->level[i] = i % 37 ? r->in[i - 1] : (float)pow(10, -4 * uniform(&random));
    r->frames = demod_agc_run(&a, r->in, r->level, COUNT, r->out);
    for (size_t i = 0; i < r->frames; i++)
        assert_true(r->out[i] < 0.5001F);
    free(r);
}

static void silence_is_followed_by_a_tone_without_a_burst(void **state)
{
    (void)state;
    struct run *r = run_of((double[]){-20, -300, -20}, (double[]){0, 1, 9}, 3);
    for (size_t i = 0; i < r->frames; i++)
        assert_true((double)fabsf(r->out[i]) < 0.51);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_of_40_db_never_comes_near_full_scale),
        cmocka_unit_test(after_a_fall_the_gain_waits_and_then_rises),
        cmocka_unit_test(tones_of_any_level_come_out_alike_and_clean),
        cmocka_unit_test(pauses_of_speech_do_not_raise_the_noise),
        cmocka_unit_test(no_block_is_above_the_target),
        cmocka_unit_test(silence_is_followed_by_a_tone_without_a_burst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
