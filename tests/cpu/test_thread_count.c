/*
 * test_thread_count.c - a spectrum's bytes are the same for every number of threads, under load
 * too.
 *
 * FFTD_TEST_ONLY_THREADS leaves out the other instruction set and the load: they change the bytes
 * and the order of events, not which accesses are synchronised.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/engine/test_engines.h"
#include "tests/support/sweep.h"

enum {
    ALL = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE,
    DEPTH = 3
};

struct shape {
    uint32_t n, hop, max_frames, frames; /* frames: in all, in batches of max_frames */
    enum fft_iq_format format;
    unsigned detectors;
    struct fft_density density;
};

static const struct shape shapes[] = {
    {64, 64, 3001, 9003, FFT_IQ_CU8, FFT_DETECTOR_MEAN, {0}},
    {256, 128, 2000, 4321, FFT_IQ_CS16, ALL, {64, 50, 0, 2}},
    {1024, 512, 7, 20, FFT_IQ_CF32, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX, {0}},
    {1024, 700, 131, 400, FFT_IQ_CS8, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX, {1024, 20, 0, 3}},
    {4096, 2048, 33, 100, FFT_IQ_CS16, ALL, {0}},
    {4096, 4096, 1, 7, FFT_IQ_CS16, FFT_DETECTOR_MEAN, {0}},
    {8192, 1000, 150, 323, FFT_IQ_CS16, FFT_DETECTOR_MEAN, {100, 30, 0, 2}},
    {16384, 16384, 2, 7, FFT_IQ_CF32, ALL, {0}},
    {65536, 32768, 5, 23, FFT_IQ_CS16, FFT_DETECTOR_MEAN | FFT_DETECTOR_MIN, {512, 40, 0, 2}},
    {65536, 4000, 70, 79, FFT_IQ_CS16, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX, {0}},
    {65536, 65536, 3, 8, FFT_IQ_CS16, FFT_DETECTOR_SAMPLE, {0}},
    {131072, 3000, 66, 67, FFT_IQ_CS16, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX, {0}},
    {262144, 100000, 4, 7, FFT_IQ_CU8, ALL, {1000, 64, 0, 1}},
    {524288, 131072, 6, 9, FFT_IQ_CS16, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX, {0}},
};

/* All bytes of all partials of a run, as they come. */
struct bytes {
    unsigned char *at;
    size_t count;
};

static void append(struct bytes *b, const void *from, size_t count)
{
    if (!from)
        return;
    memcpy(b->at + b->count, from, count);
    b->count += count;
}

static void append_partial(struct bytes *b, const struct shape *shape, const struct fft_partial *p)
{
    const size_t bytes = shape->n * sizeof(float);
    append(b, p->sum, bytes);
    append(b, p->max, bytes);
    append(b, p->min, bytes);
    append(b, p->last, bytes);
    append(b, p->hits, (size_t)shape->density.columns * shape->density.levels * sizeof *p->hits);
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Keeps DEPTH batches in flight, as far as there are so many. */
static void run_batches(struct fft_spectrum *s, const struct shape *shape, const char *raw,
                        struct bytes *out)
{
    const size_t hop_bytes = shape->hop * fft_iq_bytes(shape->format);
    uint32_t submitted = 0, polled = 0;

    while (polled < shape->frames) {
        const uint32_t count = min_u32(shape->max_frames, shape->frames - submitted);
        struct fft_partial p;
        if (count > 0 && fft_spectrum_submit(s, raw + submitted * hop_bytes, 0, count, 0) == 0) {
            submitted += count;
            continue;
        }
        assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
        append_partial(out, shape, &p);
        polled += p.frames;
        fft_spectrum_release(s);
    }
}

static struct bytes run_with(const char *isa, uint32_t threads, const struct shape *shape,
                             const char *raw)
{
    const size_t batches = (shape->frames + shape->max_frames - 1) / shape->max_frames;
    const size_t cells = (size_t)shape->density.columns * shape->density.levels;
    const struct fft_engine_config config = {.name = "cpu", .threads = threads, .isa = isa};
    float *window = test_window(FFT_WINDOW_HANN, shape->n);
    const struct fft_spectrum_config plan = {.n = shape->n,
                                             .hop = shape->hop,
                                             .max_frames = shape->max_frames,
                                             .depth = DEPTH,
                                             .format = shape->format,
                                             .window = window,
                                             .detectors = shape->detectors,
                                             .density = shape->density};
    struct bytes out = {.at = malloc(batches * 4 * (FFT_DETECTORS * shape->n + cells))};
    struct fft_engine *e = NULL;
    struct fft_spectrum *s;

    assert_non_null(out.at);
    assert_int_equal(fft_engine_open(&e, &config, NULL, 0), 0);
    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    run_batches(s, shape, raw, &out);
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    free(window);
    return out;
}

static void compare_thread_counts(const char *isa, const struct shape *shape)
{
    static const uint32_t threads[] = {3, 2, 5};
    const size_t samples = (size_t)(shape->frames - 1) * shape->hop + shape->n;
    char *raw = test_noise(shape->format, samples, shape->n);
    const struct bytes want = run_with(isa, 1, shape, raw);

    for (unsigned i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        if (!sweep_takes(i, 3))
            continue;
        const struct bytes got = run_with(isa, threads[i], shape, raw);
        assert_int_equal(got.count, want.count);
        if (memcmp(got.at, want.at, want.count) != 0)
            fail_msg("%s, n = %u, batches of %u: %u threads give other bytes than one",
                     isa ? isa : "auto", shape->n, shape->max_frames, threads[i]);
        free(got.at);
    }
    free(want.at);
    free(raw);
}

static void compare_all(const char *isa)
{
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (sweep_takes(i, 2))
            compare_thread_counts(isa, &shapes[i]);
}

static void the_bytes_do_not_depend_on_the_number_of_threads(void **state)
{
    (void)state;
    compare_all(NULL);
}

static void nor_with_another_instruction_set(void **state)
{
    const struct fft_engine_config config = {.name = "cpu", .threads = 1, .isa = "sse2"};
    struct fft_engine *e = NULL;
    (void)state;
    if (test_engine_only_threads() || fft_engine_open(&e, &config, NULL, 0) < 0)
        skip(); /* or not an x86 processor */
    fft_engine_close(e);
    compare_all("sse2");
}

static void *keep_busy(void *user)
{
    atomic_bool *stop = user;
    while (!atomic_load_explicit(stop, memory_order_relaxed))
        ;
    return NULL;
}

static void nor_with_busy_threads(void **state)
{
    enum { BUSY = 3 };
    pthread_t busy[BUSY];
    atomic_bool stop = false;
    (void)state;
    if (test_engine_only_threads())
        skip();
    for (size_t i = 0; i < BUSY; i++)
        assert_int_equal(pthread_create(&busy[i], NULL, keep_busy, &stop), 0);
    compare_all(NULL);
    atomic_store(&stop, true);
    for (size_t i = 0; i < BUSY; i++)
        pthread_join(busy[i], NULL);
}

/* Which of the frames a worker computes depends on timing; a frame of NaN must not show which. */
static void
a_frame_that_is_not_a_number_has_the_same_effect_for_every_number_of_threads(void **state)
{
    static const struct shape shape = {1024, 1024, 64, 64, FFT_IQ_CF32, ALL, {0}};
    const size_t samples = (size_t)shape.frames * shape.n;
    struct fft_iq *raw = test_noise(FFT_IQ_CF32, samples, 3);
    (void)state;
    raw[20 * shape.n + 5].re = NAN;
    raw[41 * shape.n].im = INFINITY;
    const struct bytes want = run_with(NULL, 1, &shape, (const char *)raw);
    for (uint32_t threads = 2; threads <= 5; threads++) {
        const struct bytes got = run_with(NULL, threads, &shape, (const char *)raw);
        assert_memory_equal(got.at, want.at, want.count);
        free(got.at);
    }
    free(want.at);
    free(raw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(nor_with_another_instruction_set),
        cmocka_unit_test(nor_with_busy_threads),
        cmocka_unit_test(
            a_frame_that_is_not_a_number_has_the_same_effect_for_every_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
