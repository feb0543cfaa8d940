/*
 * test_cuda_scarce.c - a device with less memory than a plan would like gives the same results by
 * more, smaller launches, down to one frame or row at a time. Below that the engine reports one
 * clear line. Runs on the CUDA engine of this build, by the mock driver and the emulator.
 */
#include "tests/support/cmocka_all.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "tests/support/cuda/mock.h"
#include "tests/support/engine/test_engines.h"

static struct mock_cuda *find_mock(void)
{
    void *library = dlopen(getenv("FFTD_CUDA_DRIVER"), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    struct mock_cuda *mock = dlsym(library, "mock_cuda");
    assert_non_null(mock);
    return mock;
}

static struct fft_engine *open_engine(void)
{
    const struct fft_engine_config config = {.name = "cuda"};
    struct fft_engine *e;
    char why[200];
    if (fft_engine_open(&e, &config, why, sizeof why) < 0)
        fail_msg("%s", why);
    return e;
}

/*
 * Lowers the memory of a device by a quarter at a time until `once` returns -ENOMEM, and expects
 * more launches at the end than at the beginning. once: returns 0 after a correct result, or -errno
 * with `why`.
 */
static void starve(int (*once)(struct fft_engine *e, char *why, size_t size), const char *complaint)
{
    struct mock_cuda *mock = find_mock();
    const size_t plenty = mock->memory;
    struct fft_engine *e = open_engine();
    uint64_t first = 0, last = 0;
    char why[200] = "";
    int err = 0;
    for (size_t memory = (size_t)16 << 20; err == 0; memory -= memory / 4) {
        mock->memory = memory;
        mock->did.launches = 0;
        err = once(e, why, sizeof why);
        if (err == 0)
            last = mock->did.launches;
        if (first == 0)
            first = last;
    }
    mock->memory = plenty;
    assert_int_equal(err, -ENOMEM);
    assert_true(first > 0 && last > 2 * first);
    if (!strstr(why, complaint) || !strstr(why, "CUDA_ERROR_OUT_OF_MEMORY (2)"))
        fail_msg("\"%s\"", why);
    assert_int_equal(once(e, why, sizeof why), 0); /* and it works as before */
    fft_engine_close(e);
}

/* ---- spectra ---------------------------------------------------------------------------- */

enum { N = 32768, FRAMES = 4, MANY = 67 };

static void check_mean(struct fft_spectrum *s, uint32_t n, const void *raw, uint32_t frames,
                       const struct reference *want)
{
    struct fft_partial p;
    float *got = malloc(n * sizeof *got);
    assert_int_equal(fft_spectrum_submit(s, raw, 0, frames, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
    for (uint32_t k = 0; k < n; k++)
        got[k] = p.sum[k] / (float)frames;
    fft_spectrum_release(s);
    for (uint32_t k = 0; k < n; k++)
        if (!(fabs((double)got[k] - want->mean[k]) <= 1e-5 * want->mean[k] + 1e-12))
            fail_msg("bin %u: %g, not %g", k, (double)got[k], want->mean[k]);
    free(got);
}

static struct fft_spectrum_config plan_of(uint32_t hop, uint32_t frames)
{
    return (struct fft_spectrum_config){.n = N,
                                        .hop = hop,
                                        .max_frames = frames,
                                        .depth = 1,
                                        .format = FFT_IQ_CS16,
                                        .detectors = FFT_DETECTOR_MEAN};
}

static int spectra(struct fft_engine *e, char *why, size_t size)
{
    static struct reference want;
    static float *window;
    static void *raw;
    struct fft_spectrum_config plan = plan_of(N / 2, FRAMES);
    struct fft_spectrum *s;
    if (!raw) {
        window = test_window(FFT_WINDOW_HANN, N);
        raw = test_noise(FFT_IQ_CS16, (FRAMES + 1) * N / 2, 1);
        plan.window = window;
        reference_spectrum(&want, &plan, raw, FRAMES);
    }
    plan.window = window;
    const int err = fft_spectrum_create(&s, e, &plan, why, size);
    if (err < 0)
        return err;
    check_mean(s, N, raw, FRAMES, &want);
    fft_spectrum_destroy(s);
    return 0;
}

static void long_frames_go_one_by_one(void **state)
{
    (void)state;
    starve(spectra, " KiB of device memory for spectra of 32768 points: ");
}

/* One batch, with the right result. */
static void compute(struct fft_spectrum_config plan)
{
    struct fft_engine *e = open_engine();
    float *window = test_window(FFT_WINDOW_HANN, plan.n);
    void *raw = test_noise(FFT_IQ_CS16, plan.n + (plan.max_frames - 1) * plan.hop, 1);
    struct fft_spectrum *s;
    struct reference want;
    char why[200];
    plan.window = window;
    reference_spectrum(&want, &plan, raw, plan.max_frames);
    if (fft_spectrum_create(&s, e, &plan, why, sizeof why) < 0)
        fail_msg("%s", why);
    check_mean(s, plan.n, raw, plan.max_frames, &want);
    fft_spectrum_destroy(s);
    reference_finish(&want);
    fft_engine_close(e);
    free(raw);
    free(window);
}

/* The driver says how many clusters run at a time: no launch has more. */
static void clusters_are_as_many_as_run_at_a_time(void **state)
{
    (void)state;
    struct mock_cuda *mock = find_mock();
    mock->did.widest = 0;
    compute(plan_of(64, MANY));
    assert_int_equal(mock->did.widest, MOCK_CLUSTERS);
}

/* So in a part of a device whose multiprocessors are not neighbours. */
static void without_room_for_a_cluster_none_is_launched(void **state)
{
    (void)state;
    struct mock_cuda *mock = find_mock();
    mock->clusters = 0;
    mock->did.widest = 0;
    compute(plan_of(64, MANY));
    assert_int_equal(mock->did.widest, 0);
    mock->clusters = MOCK_CLUSTERS;
}

static void hits_that_32_bits_do_not_count_are_refused(void **state)
{
    (void)state;
    float *window = test_window(FFT_WINDOW_HANN, FFT_SPECTRUM_MAX_N);
    struct fft_spectrum_config plan = plan_of(64, 1);
    struct fft_engine *e = open_engine();
    struct fft_spectrum *s;
    char why[200];
    plan.n = FFT_SPECTRUM_MAX_N;
    plan.window = window;
    plan.density = (struct fft_density){1 << 20, 4096, 0, 1}; /* 2^32 */
    assert_int_equal(fft_spectrum_create(&s, e, &plan, why, sizeof why), -ENOTSUP);
    fft_engine_close(e);
    free(window);
}

/* Blocks that wait for one another are launched to run together. */
static void a_relay_runs_together(void **state)
{
    (void)state;
    struct mock_cuda *mock = find_mock();
    struct fft_spectrum_config plan = plan_of(64, 9);
    const int processors = mock->processors;
    plan.n = 131072;
    mock->processors = 35;
    mock->did.together = 0;
    compute(plan);
    assert_int_equal(mock->did.together, 1);
    mock->processors = processors;
}

/* ---- transforms ------------------------------------------------------------------------- */

enum { POINTS = 1 << 17, BATCH = 4 };

static int transforms_of(struct fft_engine *e, enum fft_transform_type type, char *why, size_t size)
{
    static float in[2 * (POINTS + 2) * BATCH];
    const uint32_t n = type == FFT_TRANSFORM_FORWARD ? POINTS : 2 * POINTS;
    const struct fft_transform_config plan = {
        .type = type, .rank = 1, .n = {n}, .batch = BATCH, .in_place = true};
    struct fft_transform *t;
    const int err = fft_transform_create(&t, e, &plan, why, size);
    if (err < 0)
        return err;
    memset(in, 0, sizeof in);
    const size_t row = type == FFT_TRANSFORM_FORWARD ? 2 * POINTS : 2 * (POINTS + 1);
    for (size_t b = 0; b < BATCH; b++)
        in[b * row + 2] =
            (float)b + 1; /* an impulse at sample 1 or 2: its spectrum is a rotating phasor */
    assert_int_equal(fft_transform_execute(t, in, in), 0);
    fft_transform_destroy(t);
    for (size_t b = 0; b < BATCH; b++)
        for (size_t k = 0; k < POINTS; k += 997) {
            const double angle = -2 * acos(-1.0) * (double)k / POINTS;
            const double re = (double)in[b * row + 2 * k] / (double)(b + 1),
                         im = (double)in[b * row + 2 * k + 1] / (double)(b + 1);
            if (!(hypot(re - cos(angle), im - sin(angle)) <= 1e-6))
                fail_msg("row %zu, bin %zu: %g %g", b, k, re, im);
        }
    return 0;
}

static int transforms(struct fft_engine *e, char *why, size_t size)
{
    return transforms_of(e, FFT_TRANSFORM_FORWARD, why, size);
}

static int real_transforms(struct fft_engine *e, char *why, size_t size)
{
    return transforms_of(e, FFT_TRANSFORM_R2C, why, size);
}

static void long_rows_go_one_by_one(void **state)
{
    (void)state;
    starve(transforms, " KiB of device memory");
}

static void long_real_rows_go_one_by_one(void **state)
{
    (void)state;
    starve(real_transforms, " KiB of device memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_frames_go_one_by_one),
        cmocka_unit_test(clusters_are_as_many_as_run_at_a_time),
        cmocka_unit_test(without_room_for_a_cluster_none_is_launched),
        cmocka_unit_test(hits_that_32_bits_do_not_count_are_refused),
        cmocka_unit_test(a_relay_runs_together),
        cmocka_unit_test(long_rows_go_one_by_one),
        cmocka_unit_test(long_real_rows_go_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
