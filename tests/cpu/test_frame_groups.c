/*
 * test_frame_groups.c - long frames that are computed together give the bytes of frames alone.
 *
 * A density needs the powers of each frame, so its frames are alone. Batches of six frames are a
 * group of four and one of two.
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cpu/base/cpu_isa.h"
#include "reference/reference.h"
#include "tests/support/engine/test_engines.h"
#include "tests/support/sweep.h"

enum {
    N = 524288, /* the shortest frames in groups */
    HOP = 100003,
    FRAMES = 6,
    ALL = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE
};

/* What a test of one instruction set has in common. */
struct fixture {
    float *window;
    void *raw;
    struct fft_spectrum_config plan;
};

static struct fixture set_up(enum fft_iq_format format)
{
    float *window = test_window(FFT_WINDOW_HANN, N);
    return (struct fixture){.window = window,
                            .raw = test_noise(format, (FRAMES - 1) * (uint64_t)HOP + N, 7),
                            .plan = {.n = N,
                                     .hop = HOP,
                                     .max_frames = FRAMES,
                                     .depth = 1,
                                     .format = format,
                                     .window = window,
                                     .detectors = ALL}};
}

static void tear_down(struct fixture *f)
{
    free(f->window);
    free(f->raw);
}

/* The four arrays of one batch, one after the other. */
static float *run(const char *isa, uint32_t threads, const struct fixture *f, bool alone)
{
    const struct fft_engine_config config = {.name = "cpu", .threads = threads, .isa = isa};
    struct fft_spectrum_config plan = f->plan;
    struct fft_engine *e = NULL;
    struct fft_spectrum *s = NULL;
    struct fft_partial p;
    float *out = malloc(4 * N * sizeof *out);
    if (alone)
        plan.density = (struct fft_density){64, 30, -60, 2};
    assert_non_null(out);
    assert_int_equal(fft_engine_open(&e, &config, NULL, 0), 0);
    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    assert_int_equal(fft_spectrum_submit(s, f->raw, 0, FRAMES, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
    const float *arrays[] = {p.sum, p.max, p.min, p.last};
    for (size_t i = 0; i < 4; i++)
        memcpy(out + i * N, arrays[i], N * sizeof *out);
    fft_spectrum_release(s);
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    return out;
}

static void check_reference(const struct fixture *f, const float *sum)
{
    double *power = malloc(N * sizeof *power), *want = calloc(N, sizeof *want), off = 0, all = 0;
    assert_non_null(power);
    assert_non_null(want);
    for (uint32_t i = 0; i < FRAMES; i++) {
        reference_power(&f->plan, f->raw, (uint64_t)i * HOP, power);
        for (uint32_t k = 0; k < N; k++)
            want[k] += power[k];
    }
    for (uint32_t k = 0; k < N; k++) {
        off += (sum[k] - want[k]) * (sum[k] - want[k]);
        all += want[k] * want[k];
    }
    assert_true(sqrt(off / all) < 1e-6);
    free(power);
    free(want);
}

/* Other instruction sets of this machine. */
static const char *next_isa(size_t *i)
{
    const struct cpu_isa *isa;
    while ((isa = cpu_isa_at((*i)++)))
        if (isa->available())
            return isa->name;
    return NULL;
}

static void frames_of_a_group_fold_to_the_bytes_of_frames_alone(void **state)
{
    static const enum fft_iq_format formats[] = {FFT_IQ_CU8, FFT_IQ_CS16, FFT_IQ_CF32};
    const char *isa;
    (void)state;
    for (unsigned format = 0; format < sizeof formats / sizeof formats[0]; format++) {
        if (!sweep_takes(format, 3))
            continue;
        struct fixture f = set_up(formats[format]);
        for (size_t i = 0; (isa = next_isa(&i));) {
            float *alone = run(isa, 1, &f, true), *grouped = run(isa, 1, &f, false);
            float *divided = run(isa, 3, &f, false);
            assert_memory_equal(grouped, alone, 4 * N * sizeof *alone);
            assert_memory_equal(divided, alone, 4 * N * sizeof *alone);
            check_reference(&f, grouped);
            free(alone);
            free(grouped);
            free(divided);
        }
        tear_down(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_a_group_fold_to_the_bytes_of_frames_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
