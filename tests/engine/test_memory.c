/*
 * test_memory.c - spectra and transforms allocate memory when created, never while they run.
 *
 * The linker replaces the C library's functions with those below (--wrap, see CMakeLists.txt) in
 * the whole program: the library, its threads and the engines.
 */
#include "tests/support/cmocka_all.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "tests/support/engine/transform_case.h"

static atomic_uint allocations;

#define COUNTED(result, name, parameters, arguments)                                               \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters                                                                \
    {                                                                                              \
        atomic_fetch_add(&allocations, 1);                                                         \
        return __real_##name arguments;                                                            \
    }
COUNTED(void *, malloc, (size_t size), (size))
COUNTED(void *, calloc, (size_t count, size_t size), (count, size))
COUNTED(void *, realloc, (void *old, size_t size), (old, size))
COUNTED(void *, aligned_alloc, (size_t align, size_t size), (align, size))
COUNTED(int, posix_memalign, (void **out, size_t align, size_t size), (out, align, size))

static void a_running_spectrum_allocates_nothing(void **state)
{
    static const uint32_t sizes[] = {256, 4096, 65536, 131072};
    enum { MOST = 131072, FRAMES = 4 };
    struct fft_engine *e = test_engine_open(state);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (!sweep_takes((unsigned)i, 3))
            continue;
        const uint32_t n = sizes[i];
        float *window = test_window(FFT_WINDOW_HANN, n), *detector = malloc(n * sizeof *detector);
        void *raw = test_noise(FFT_IQ_CS16, (uint64_t)n * FRAMES, 1);
        struct fft_spectrum_config plan = {.n = n,
                                           .hop = n / 2,
                                           .max_frames = FRAMES,
                                           .depth = 2,
                                           .format = FFT_IQ_CS16,
                                           .window = window,
                                           .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX |
                                                        FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE,
                                           .density = {100, 50, 0, 1}};
        if (!test_engine_does(e, &plan)) {
            plan.detectors = FFT_DETECTOR_MEAN;
            plan.density.columns = 0;
        }
        struct fft_spectrum *s = NULL;
        struct fft_fold *fold = NULL;
        if (test_engine_does(e, &plan)) {
            assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
            assert_int_equal(fft_fold_create(&fold, &plan), 0);
        }
        const unsigned before = atomic_load(&allocations);
        for (uint32_t run = 0; s && run < 2 * FRAMES; run++) {
            struct fft_partial p;
            assert_int_equal(fft_spectrum_submit(s, raw, 0, 1 + run % FRAMES, 0), 0);
            assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
            fft_fold_add(fold, &p);
            fft_fold_detector(fold, FFT_DETECTOR_MEAN, detector);
            fft_spectrum_release(s);
        }
        assert_int_equal(atomic_load(&allocations), before);
        fft_fold_destroy(fold);
        fft_spectrum_destroy(s);
        free(raw);
        free(detector);
        free(window);
    }
    fft_engine_close(e);
}

static void a_running_transform_allocates_nothing(void **state)
{
    static const struct fft_transform_config shapes[] = {
        {.rank = 1, .n = {1}, .batch = 1},        {.rank = 1, .n = {60}, .batch = 3},
        {.rank = 1, .n = {1024}, .batch = 100},   {.rank = 1, .n = {16384}, .batch = 2},
        {.rank = 2, .n = {256, 256}, .batch = 1}, {.rank = 3, .n = {20, 30, 42}, .batch = 2},
    };
    enum { FLOATS = 4 * 110000 };
    struct fft_engine *e = test_engine_open(state);
    float *x = calloc(FLOATS, sizeof *x), *y = calloc(FLOATS, sizeof *y);
    unsigned index = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (unsigned variant = 0; variant < 2 * FFT_TRANSFORM_TYPES; variant++) {
            if (!sweep_takes(index++, 3))
                continue;
            struct fft_transform_config plan = shapes[i];
            struct fft_transform *t = NULL;
            plan.type = (enum fft_transform_type)(variant / 2);
            plan.in_place = variant % 2;
            if (!test_engine_transforms(e, &plan))
                continue;
            assert_int_equal(fft_transform_create(&t, e, &plan, NULL, 0), 0);
            const unsigned before = atomic_load(&allocations);
            for (int run = 0; run < 3; run++)
                assert_int_equal(fft_transform_execute(t, x, plan.in_place ? x : y), 0);
            assert_int_equal(atomic_load(&allocations), before);
            fft_transform_destroy(t);
        }
    free(y);
    free(x);
    fft_engine_close(e);
}

/* Proves that the counter works: without it the tests above would always pass. */
static void creating_a_transform_is_counted(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    const struct fft_transform_config plan = {.rank = 1, .n = {1024}, .batch = 1};
    const unsigned before = atomic_load(&allocations);
    struct fft_transform *t;
    assert_int_equal(fft_transform_create(&t, e, &plan, NULL, 0), 0);
    assert_true(atomic_load(&allocations) > before);
    fft_transform_destroy(t);
    fft_engine_close(e);
}

static int run_memory_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(creating_a_transform_is_counted, state),
        cmocka_unit_test_prestate(a_running_spectrum_allocates_nothing, state),
        cmocka_unit_test_prestate(a_running_transform_allocates_nothing, state),
    };
    print_message("engine %s %s, %u threads\n", state->engine, state->isa ? state->isa : "",
                  state->threads);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return test_engine_each_transformer(run_memory_tests);
}
