/* test_clipped.c - the clipped samples of overlapped batches: each is counted once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "fft/clip_counter.h"
#include "fft/engine.h"
#include "tests/support/engine/test_engines.h"

enum { N = 512, HOP = 200, FRAMES = 60, SAMPLES = (FRAMES - 1) * HOP + N };

/* Batches of 7 frames overlap; every sample at a rail counts once, in the batch that has it first.
 */
static uint64_t count_in_batches(struct fft_engine *e, const struct fft_spectrum_config *plan,
                                 const int16_t *raw, uint32_t frames)
{
    struct fft_spectrum *s;
    struct fft_partial p;
    uint64_t total = 0, counted = 0; /* position after the last sample that was counted */
    assert_int_equal(fft_spectrum_create(&s, e, plan, NULL, 0), 0);
    for (uint32_t done = 0, now; done < frames; done += now) {
        const uint64_t first = (uint64_t)done * plan->hop;
        now = frames - done < 7 ? frames - done : 7;
        assert_int_equal(
            fft_spectrum_submit(s, raw + 2 * first, first, now, (size_t)(counted - first)), 0);
        assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
        counted = first + (uint64_t)(now - 1) * plan->hop + plan->n;
        total += p.clipped;
        fft_spectrum_release(s);
    }
    assert_int_equal(fft_spectrum_submit(s, raw, 0, 1, plan->n), 0); /* nothing is new */
    assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
    assert_int_equal(p.clipped, 0);
    fft_spectrum_destroy(s);
    return total;
}

static void every_clipped_sample_is_counted_in_one_batch(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    float window[N] = {0};
    int16_t *raw = test_noise(FFT_IQ_CS16, SAMPLES, 8);
    struct fft_spectrum_config plan = (struct fft_spectrum_config){.n = N,
                                                                   .hop = HOP,
                                                                   .max_frames = 7,
                                                                   .depth = 2,
                                                                   .format = FFT_IQ_CS16,
                                                                   .detectors = FFT_DETECTOR_MEAN,
                                                                   .window = window};
    uint64_t expected = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        const bool rail = i % 97 == 5 || i == SAMPLES - 1 || i == 0;
        raw[2 * i] = (int16_t)(rail && i % 2 ? 32767 : raw[2 * i] / 4);
        raw[2 * i + 1] = (int16_t)(rail && !(i % 2) ? -32768 : raw[2 * i + 1] / 4);
        expected += rail;
    }
    assert_int_equal(count_in_batches(e, &plan, raw, FRAMES), 0); /* no full scale */
    plan.full_scale = 32768;
    assert_int_equal(count_in_batches(e, &plan, raw, FRAMES), expected);
    plan.hop = 1;
    assert_int_equal(count_in_batches(e, &plan, raw, SAMPLES - N + 1), expected);
    fft_engine_close(e);
    free(raw);
}

/* Long frames that several threads share: each part counts its own samples. */
static void parts_of_long_frames_count_once(void **state)
{
    enum { LONG = 1 << 20, HALF = LONG / 2, ALL = 8 * HALF + LONG };
    const struct test_engine *t = *state;
    struct fft_engine *e = test_engine_open(state);
    if (strcmp(t->engine, "cpu") != 0) {
        fft_engine_close(e);
        skip();
    }
    int16_t *raw = calloc(2 * (size_t)ALL, sizeof *raw);
    float *window = calloc(LONG, sizeof *window);
    struct fft_spectrum_config plan = (struct fft_spectrum_config){.n = N,
                                                                   .hop = HOP,
                                                                   .max_frames = 7,
                                                                   .depth = 2,
                                                                   .format = FFT_IQ_CS16,
                                                                   .detectors = FFT_DETECTOR_MEAN,
                                                                   .window = window};
    plan.n = LONG;
    plan.hop = HALF;
    plan.full_scale = 32768;
    uint64_t expected = 0;
    for (size_t i = 0; i < ALL; i += 1 + i % 1009, expected++)
        raw[2 * i] = 32767;
    assert_int_equal(count_in_batches(e, &plan, raw, 9), expected);
    fft_engine_close(e);
    free(window);
    free(raw);
}

/* Batches of several slices, three in flight, by helpers and without them. */
static void helpers_count_batches_in_their_order(void **state)
{
    enum { LONG = 3000001, DEPTH = 3, ROUNDS = 20 };
    const struct fft_spectrum_config plan = {
        .depth = DEPTH, .format = FFT_IQ_CU8, .full_scale = 127.5};
    uint8_t *raw = malloc(2 * (size_t)LONG);
    (void)state;
    memset(raw, 100, 2 * (size_t)LONG);
    for (size_t i = 0; i < LONG; i += 1000)
        raw[2 * i + 1] = 255;
    for (uint32_t helpers = 0; helpers <= FFT_CLIP_HELPERS; helpers += FFT_CLIP_HELPERS) {
        struct clip_counter *c;
        assert_int_equal(fft_clip_counter_create(&c, &plan, helpers), 0);
        for (size_t i = 0; i < ROUNDS + DEPTH; i++) { /* batch i has LONG - 70000 i samples */
            if (i >= DEPTH)
                assert_int_equal(fft_clip_counter_finish(c),
                                 (LONG - 70000 * (i - DEPTH) + 999) / 1000);
            fft_clip_counter_start(c, raw, LONG - 70000 * i);
        }
        fft_clip_counter_destroy(c); /* while it counts */
    }
    free(raw);
}

static int run_clipped_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(every_clipped_sample_is_counted_in_one_batch, state),
        cmocka_unit_test_prestate(parts_of_long_frames_count_once, state),
    };
    print_message("engine %s %s, %u threads\n", state->engine, state->isa ? state->isa : "",
                  state->threads);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* An engine that leaves the counting to the common code. */
static int run_without_counts(void)
{
    size_t cpu = 0;
    while (strcmp(fft_engine_list[cpu]->name, "cpu") != 0)
        cpu++;
    struct engine_ops ops = *fft_engine_list[cpu];
    ops.counts_clipped = false;
    struct test_engine engine = {.engine = "cpu", .threads = 1, .ops = &ops};
    return run_clipped_tests(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(helpers_count_batches_in_their_order)};
    return cmocka_run_group_tests(tests, NULL, NULL) + test_engine_each(run_clipped_tests) +
           run_without_counts();
}
