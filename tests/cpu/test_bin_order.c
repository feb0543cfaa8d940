/*
 * test_bin_order.c - a fold that puts the arrays of a partial in the order of the bins gives the
 * bytes of one that gets bins, on every instruction set.
 */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "fft/cpu/base/cpu_isa.h"
#include "tests/support/engine/test_engines.h"

enum {
    ALL = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE,
    FRAMES = 3 /* their mean rounds */
};

/* A leaf, fewer rows than lanes, one level, and two; 8192: parts of workers. */
static const uint32_t lengths[] = {64, 256, 512, 4096, 8192, 131072};

struct fixture {
    struct fft_engine *engine;
    struct fft_spectrum_config plan;
    float *window, *want, *got; /* bins: of each fold */
    void *raw;
    struct fft_spectrum *of_bins, *of_powers;
    struct fft_fold *want_fold, *got_fold;
};

static struct fixture begin(const char *isa, uint32_t threads, uint32_t n, unsigned detectors)
{
    const struct fft_engine_config config = {.name = "cpu", .threads = threads, .isa = isa};
    struct fixture r = {.window = test_window(FFT_WINDOW_HANN, n),
                        .want = malloc(n * sizeof *r.want),
                        .got = malloc(n * sizeof *r.got),
                        .raw = test_noise(FFT_IQ_CS16, (uint64_t)FRAMES * n, n)};
    assert_true(r.want && r.got);
    assert_int_equal(fft_engine_open(&r.engine, &config, NULL, 0), 0);
    r.plan = (struct fft_spectrum_config){.n = n,
                                          .hop = n,
                                          .max_frames = FRAMES,
                                          .depth = 2,
                                          .format = FFT_IQ_CS16,
                                          .window = r.window,
                                          .detectors = detectors,
                                          .lazy_workers = true};
    assert_int_equal(fft_spectrum_create(&r.of_bins, r.engine, &r.plan, NULL, 0), 0);
    r.plan.folded = true;
    assert_int_equal(fft_spectrum_create(&r.of_powers, r.engine, &r.plan, NULL, 0), 0);
    assert_int_equal(fft_fold_create(&r.want_fold, &r.plan), 0);
    assert_int_equal(fft_fold_create(&r.got_fold, &r.plan), 0);
    return r;
}

static void finish(struct fixture *r)
{
    fft_fold_destroy(r->want_fold);
    fft_fold_destroy(r->got_fold);
    fft_spectrum_destroy(r->of_bins);
    fft_spectrum_destroy(r->of_powers);
    fft_engine_close(r->engine);
    free(r->window);
    free(r->want);
    free(r->got);
    free(r->raw);
}

/* One batch of all frames. */
static struct fft_partial run(const struct fixture *r, struct fft_spectrum *s)
{
    struct fft_partial p;
    assert_int_equal(fft_spectrum_submit(s, r->raw, 0, FRAMES, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
    return p;
}

static void assert_same(struct fixture *r)
{
    for (unsigned bit = 1; bit < 1U << FFT_DETECTORS; bit *= 2) {
        if (!(r->plan.detectors & bit))
            continue;
        fft_fold_detector(r->want_fold, bit, r->want);
        fft_fold_detector(r->got_fold, bit, r->got);
        if (memcmp(r->want, r->got, r->plan.n * sizeof *r->got) != 0)
            fail_msg("%s, n = %u, detector %u: other bytes", fft_engine_describe(r->engine),
                     r->plan.n, bit);
    }
}

/* Borrowed, kept, and added to others. */
static void compare(const char *isa, uint32_t threads, uint32_t n, unsigned detectors)
{
    struct fixture r = begin(isa, threads, n, detectors);
    const struct fft_partial bins = run(&r, r.of_bins), own = run(&r, r.of_powers);
    assert_null(bins.order);
    assert_non_null(own.order);
    assert_int_equal(own.last != NULL, (detectors & FFT_DETECTOR_SAMPLE) != 0);
    fft_fold_add(r.want_fold, &bins);
    fft_fold_borrow(r.got_fold, &own);
    assert_same(&r);
    fft_fold_keep(r.got_fold);
    assert_same(&r);
    fft_fold_add(r.want_fold, &bins);
    fft_fold_add(r.got_fold, &own);
    assert_same(&r);
    finish(&r);
}

static void the_order_of_bins_may_be_left_to_the_fold(void **state)
{
    (void)state;
    for (size_t k = 0; cpu_isa_at(k); k++) {
        const struct cpu_isa *isa = cpu_isa_at(k);
        if (!isa->available())
            continue;
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            for (uint32_t threads = 1; threads <= 2; threads++)
                compare(isa->name, threads, lengths[i], ALL);
        compare(isa->name, 1, 4096, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX);
    }
}

/* left: the first of two batches in flight leaves its order to the fold. */
static void compare_two_in_flight(uint32_t n, bool left)
{
    struct fixture r = begin(NULL, 2, n, ALL);
    struct fft_partial p;
    const struct fft_partial bins = run(&r, r.of_bins);
    for (int i = 0; i < 2; i++)
        assert_int_equal(fft_spectrum_submit(r.of_powers, r.raw, 0, FRAMES, 0), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fft_spectrum_poll(r.of_powers, &p, -1), 1);
        assert_true(i == 1 || (p.order != NULL) == left);
        fft_fold_add(r.want_fold, &bins);
        fft_fold_add(r.got_fold, &p);
        assert_same(&r);
    }
    finish(&r);
}

/* A caller who is behind needs the help of the threads for this, too. */
static void but_not_while_two_batches_are_in_flight(void **state)
{
    (void)state;
    compare_two_in_flight(8192, false);
}

/* Bins of divided frames would be written to memory, and read again. */
static void unless_the_frames_are_long(void **state)
{
    (void)state;
    compare_two_in_flight(131072, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_bins_may_be_left_to_the_fold),
        cmocka_unit_test(but_not_while_two_batches_are_in_flight),
        cmocka_unit_test(unless_the_frames_are_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
