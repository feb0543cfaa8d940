/* test_batches.c - batches through every engine: order, depth, folding, refused plans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/engine/test_engines.h"

static const unsigned all_detectors =
    FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE;

enum { N = 512, HOP = 200, FRAMES = 60, SAMPLES = (FRAMES - 1) * HOP + N };

static float small_window[N];

/* Has the density and those of the four detectors that the engine supports. */
static struct fft_spectrum_config small_plan(struct fft_engine *e, uint32_t max_frames,
                                             uint32_t depth)
{
    struct fft_spectrum_config plan = {.n = N,
                                       .hop = HOP,
                                       .max_frames = max_frames,
                                       .depth = depth,
                                       .format = FFT_IQ_CS16,
                                       .window = small_window,
                                       .detectors = all_detectors,
                                       .density = {64, 32, 0, 2}};
    if (!test_engine_does(e, &plan))
        plan.density.columns = 0;
    for (unsigned detector = FFT_DETECTORS; detector-- > 1 && !test_engine_does(e, &plan);)
        plan.detectors &= ~(1U << detector);
    return plan;
}

static void batches_return_in_order_up_to_the_depth(void **state)
{
    enum { DEPTH = 3 };
    struct fft_engine *e = test_engine_open(state);
    struct fft_spectrum_config plan = small_plan(e, 4, DEPTH);
    int16_t *raw = test_noise(FFT_IQ_CS16, SAMPLES, 5);
    struct fft_spectrum *s;
    struct fft_partial p;

    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, 1), 0); /* nothing was submitted */
    for (uint64_t round = 0; round < 4; round++) {
        for (uint64_t i = 0; i < DEPTH; i++)
            assert_int_equal(
                fft_spectrum_submit(s, raw + 2 * i, 100 * round + i, 1 + (uint32_t)i, 0), 0);
        assert_int_equal(fft_spectrum_submit(s, raw, 0, 1, 0), -EAGAIN);
        for (uint64_t i = 0; i < DEPTH; i++) {
            assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
            assert_int_equal(p.position, 100 * round + i);
            assert_int_equal(p.frames, 1 + i);
            assert_int_equal(fft_spectrum_submit(s, raw, 0, 1, 0),
                             -EAGAIN); /* polled but not released */
            if (i == DEPTH - 1)
                for (uint64_t released = 0; released < DEPTH; released++)
                    fft_spectrum_release(s);
        }
    }
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    free(raw);
}

static void a_spectrum_may_be_destroyed_with_batches_in_flight(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    struct fft_spectrum_config plan = small_plan(e, FRAMES, 4);
    int16_t *raw = test_noise(FFT_IQ_CS16, SAMPLES, 6);
    struct fft_spectrum *s;

    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(fft_spectrum_submit(s, raw, 0, FRAMES, 0), 0);
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    free(raw);
}

/* Destroying the spectrum releases worker threads that wait for each other within a long frame. */
static void a_spectrum_may_be_destroyed_during_a_long_frame(void **state)
{
    enum { LONG = 131072 };
    struct fft_engine *e = test_engine_open(state);
    float *window = test_window(FFT_WINDOW_HANN, LONG);
    int16_t *raw = test_noise(FFT_IQ_CS16, 4 * LONG, 6);
    const struct fft_spectrum_config plan = {.n = LONG,
                                             .hop = LONG,
                                             .max_frames = 4,
                                             .depth = 2,
                                             .format = FFT_IQ_CS16,
                                             .window = window,
                                             .detectors = FFT_DETECTOR_MEAN};
    for (uint32_t frames = 0; test_engine_does(e, &plan) && frames < 8; frames++) {
        struct fft_spectrum *s;
        struct fft_partial p;
        assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
        assert_int_equal(fft_spectrum_submit(s, raw, 0, 1 + frames % 4, 0), 0);
        assert_int_equal(fft_spectrum_submit(s, raw, 0, 4, 0), 0);
        if (frames >= 4)
            assert_in_range(fft_spectrum_poll(s, &p, 0), 0, 1);
        fft_spectrum_destroy(s);
    }
    free(raw);
    free(window);
    fft_engine_close(e);
}

/* All detectors and density hits of one run, compared byte by byte. */
struct outcome {
    float detectors[FFT_DETECTORS][N];
    uint64_t hits[64][32];
};

static struct outcome *outcome(struct fft_engine *e, uint32_t max_frames, const void *raw)
{
    struct fft_spectrum_config plan = small_plan(e, max_frames, 2);
    struct outcome *o = calloc(1, sizeof *o);
    struct fft_fold *fold = test_run(e, &plan, raw, FRAMES);
    for (unsigned detector = 0; detector < FFT_DETECTORS; detector++)
        if (plan.detectors & 1U << detector)
            fft_fold_detector(fold, 1U << detector, o->detectors[detector]);
    if (plan.density.columns)
        memcpy(o->hits, fft_fold_hits(fold), sizeof o->hits);
    fft_fold_destroy(fold);
    return o;
}

static void two_runs_give_the_same_bytes(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    int16_t *raw = test_noise(FFT_IQ_CS16, SAMPLES, 7);
    struct outcome *first = outcome(e, 7, raw), *second = outcome(e, 7, raw);
    assert_memory_equal(first, second, sizeof *first);
    fft_engine_close(e);
    free(first);
    free(second);
    free(raw);
}

static void small_batches_fold_to_the_result_of_one_large_batch(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    int16_t *raw = test_noise(FFT_IQ_CS16, SAMPLES, 8);
    struct outcome *one = outcome(e, FRAMES, raw);
    static const uint32_t sizes[] = {1, 2, 7, 59};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct outcome *many = outcome(e, sizes[i], raw);
        for (uint32_t k = 0; k < N; k++) /* each batch rounds its sum */
            assert_true(fabsf(one->detectors[0][k] - many->detectors[0][k]) <=
                        1e-6F * one->detectors[0][k]);
        assert_memory_equal(one->detectors[1], many->detectors[1], 3 * sizeof one->detectors[1]);
        assert_memory_equal(one->hits, many->hits, sizeof one->hits);
        free(many);
    }
    fft_engine_close(e);
    free(one);
    free(raw);
}

/* ---- refused plans and batches ---------------------------------------------------------- */

static void bad_plans_are_refused_with_a_reason(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    const struct fft_spectrum_config good = small_plan(e, 4, 2);
    struct fft_spectrum_config bad[20];
    size_t count = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        bad[i] = good;
    bad[count++].n = 0;
    bad[count++].n = 32;
    bad[count++].n = 1000;
    bad[count++].n = 2 * FFT_SPECTRUM_MAX_N;
    bad[count++].hop = 0;
    bad[count++].hop = N + 1;
    bad[count++].max_frames = 0;
    bad[count++].depth = 0;
    bad[count++].depth = FFT_SPECTRUM_MAX_DEPTH + 1;
    bad[count++].format = FFT_IQ_FORMATS;
    bad[count++].window = NULL;
    bad[count++].detectors = 16;
    for (size_t i = count; i < sizeof bad / sizeof bad[0]; i++)
        bad[i].density = (struct fft_density){64, 32, 0, 2};
    bad[count++].density.columns = N + 1;
    bad[count++].density.levels = 0;
    bad[count++].density.levels = FFT_SPECTRUM_MAX_LEVELS + 1;
    bad[count++].density.step_db = 0;
    bad[count++].density.step_db = NAN;
    bad[count++].density.top_db = NAN;
    bad[count].density.columns = 0;
    bad[count++].detectors = 0;

    for (size_t i = 0; i < count; i++) {
        struct fft_spectrum *s = (struct fft_spectrum *)&bad;
        char why[100] = "";
        if (fft_spectrum_create(&s, e, &bad[i], why, sizeof why) != -EINVAL)
            fail_msg("bad plan %zu was not refused", i);
        assert_null(s);
        assert_true(why[0] != '\0');
    }
    fft_engine_close(e);
}

static void bad_batches_are_refused(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    struct fft_spectrum_config plan = small_plan(e, 4, 2);
    int16_t *raw = test_noise(FFT_IQ_CS16, SAMPLES, 9);
    struct fft_spectrum *s;

    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    assert_int_equal(fft_spectrum_submit(s, NULL, 0, 1, 0), -EINVAL);
    assert_int_equal(fft_spectrum_submit(s, raw, 0, 0, 0), -EINVAL);
    assert_int_equal(fft_spectrum_submit(s, raw, 0, 5, 0), -EINVAL);
    assert_int_equal(fft_spectrum_submit(s, raw + 1, 0, 1, 0), -EINVAL); /* half a sample */
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    free(raw);
}

static void a_fold_is_empty_after_reset(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    const struct fft_spectrum_config plan = small_plan(e, FRAMES, 1);
    int16_t *raw = test_noise(FFT_IQ_CS16, SAMPLES, 10);
    struct outcome *want = outcome(e, FRAMES, raw);
    struct fft_fold *fold;
    struct fft_spectrum *s;
    struct fft_partial p;
    float got[N];

    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    assert_int_equal(fft_fold_create(&fold, &plan), 0);
    for (int round = 0; round < 2; round++) {
        fft_fold_reset(fold);
        assert_int_equal(fft_fold_frames(fold), 0);
        assert_int_equal(fft_spectrum_submit(s, raw, 0, FRAMES, 0), 0);
        assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
        fft_fold_add(fold, &p);
        fft_spectrum_release(s);
    }
    for (unsigned detector = 0; detector < FFT_DETECTORS; detector++) {
        if (!(plan.detectors & 1U << detector))
            continue;
        fft_fold_detector(fold, 1U << detector, got);
        assert_memory_equal(got, want->detectors[detector], sizeof got);
    }
    if (plan.density.columns)
        assert_memory_equal(fft_fold_hits(fold), want->hits, sizeof want->hits);
    fft_fold_destroy(fold);
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    free(want);
    free(raw);
}

static void assert_equal_folds(const struct fft_fold *a, const struct fft_fold *b,
                               const struct fft_spectrum_config *plan)
{
    float of_a[N], of_b[N];
    assert_int_equal(fft_fold_frames(a), fft_fold_frames(b));
    for (unsigned bit = 1; bit < 1U << FFT_DETECTORS; bit *= 2) {
        if (!(plan->detectors & bit))
            continue;
        fft_fold_detector(a, bit, of_a);
        fft_fold_detector(b, bit, of_b);
        assert_memory_equal(of_a, of_b, sizeof of_a);
    }
    const size_t cells = (size_t)plan->density.columns * plan->density.levels;
    if (cells > 0)
        assert_memory_equal(fft_fold_hits(a), fft_fold_hits(b), cells * sizeof(uint64_t));
}

static void a_borrowed_partial_gives_the_bytes_of_a_copied_one(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    const struct fft_spectrum_config plan = small_plan(e, FRAMES, 2);
    int16_t *raw = test_noise(FFT_IQ_CS16, SAMPLES, 11);
    struct fft_fold *copied, *borrowed;
    struct fft_spectrum *s;
    struct fft_partial first, second;

    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    assert_int_equal(fft_fold_create(&copied, &plan), 0);
    assert_int_equal(fft_fold_create(&borrowed, &plan), 0);
    assert_int_equal(fft_spectrum_submit(s, raw, 0, FRAMES, 0), 0);
    assert_int_equal(fft_spectrum_submit(s, raw, 0, FRAMES - 1, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &first, -1), 1);
    assert_int_equal(fft_spectrum_poll(s, &second, -1), 1);
    fft_fold_add(copied, &first);
    fft_fold_borrow(borrowed, &first);
    assert_equal_folds(copied, borrowed, &plan);
    fft_fold_add(copied, &second);
    fft_fold_add(borrowed, &second);
    assert_equal_folds(copied, borrowed, &plan);
    fft_fold_reset(borrowed);
    fft_fold_borrow(borrowed, &second);
    fft_fold_reset(borrowed);
    fft_fold_reset(copied);
    fft_fold_add(copied, &first);
    fft_fold_borrow(borrowed, &first);
    fft_fold_keep(borrowed);
    fft_spectrum_destroy(s); /* with the partials */
    assert_equal_folds(copied, borrowed, &plan);
    fft_fold_destroy(borrowed);
    fft_fold_destroy(copied);
    fft_engine_close(e);
    free(raw);
}

/* Runs one batch and copies its power sums. */
static void run_one(struct fft_spectrum *s, const int16_t *raw, uint32_t frames, float *sum)
{
    struct fft_partial p;
    assert_int_equal(fft_spectrum_submit(s, raw, 0, frames, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
    memcpy(sum, p.sum, N * sizeof *sum);
    fft_spectrum_release(s);
}

/* The old and the new spectrum of one ring exist at once; an engine may pin the ring only once. */
static void two_spectra_share_one_ring(void **state)
{
    enum { RING_BYTES = 1 << 20 };
    struct fft_engine *e = test_engine_open(state);
    int16_t *ring = aligned_alloc(4096, RING_BYTES), *noise = test_noise(FFT_IQ_CS16, SAMPLES, 7);
    struct fft_spectrum_config plan = small_plan(e, FRAMES, 2);
    struct fft_spectrum *before, *after;
    float want[N], got[N];

    assert_non_null(ring);
    memset(ring, 0, RING_BYTES);
    memcpy(ring, noise, SAMPLES * fft_iq_bytes(FFT_IQ_CS16));
    plan.memory = ring;
    plan.memory_bytes = RING_BYTES;
    assert_int_equal(fft_spectrum_create(&before, e, &plan, NULL, 0), 0);
    run_one(before, ring, FRAMES, want);
    for (int changes = 0; changes < 3; changes++) {
        assert_int_equal(fft_spectrum_create(&after, e, &plan, NULL, 0), 0);
        run_one(before, ring, FRAMES, got);
        assert_memory_equal(got, want, sizeof want);
        fft_spectrum_destroy(before);
        run_one(after, ring, FRAMES, got);
        assert_memory_equal(got, want, sizeof want);
        before = after;
    }
    print_message("%s\n", fft_engine_describe(e));
    fft_spectrum_destroy(before);
    fft_engine_close(e);
    free(noise);
    free(ring);
}

static int run_batch_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(batches_return_in_order_up_to_the_depth, state),
        cmocka_unit_test_prestate(a_spectrum_may_be_destroyed_with_batches_in_flight, state),
        cmocka_unit_test_prestate(a_spectrum_may_be_destroyed_during_a_long_frame, state),
        cmocka_unit_test_prestate(two_spectra_share_one_ring, state),
        cmocka_unit_test_prestate(two_runs_give_the_same_bytes, state),
        cmocka_unit_test_prestate(small_batches_fold_to_the_result_of_one_large_batch, state),
        cmocka_unit_test_prestate(a_fold_is_empty_after_reset, state),
        cmocka_unit_test_prestate(a_borrowed_partial_gives_the_bytes_of_a_copied_one, state),
        cmocka_unit_test_prestate(bad_plans_are_refused_with_a_reason, state),
        cmocka_unit_test_prestate(bad_batches_are_refused, state),
    };
    print_message("engine %s %s, %u threads\n", state->engine, state->isa ? state->isa : "",
                  state->threads);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    const struct fft_window hann = {.kind = FFT_WINDOW_HANN};
    fft_window_fill(&hann, small_window, N, 1.0, NULL);
    return test_engine_each(run_batch_tests);
}
