/* concurrent_plans.c - makes spectra in one thread while another one uses a spectrum. */
#include "tests/support/engine/concurrent_plans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/engine/test_engines.h"

enum { FRAMES = 5, SIZES = 2 };

/* One spectrum, and what it gives for the samples, as it was before the other thread began. */
struct job {
    struct fft_spectrum_config plan;
    float *window, *expected;
};

struct maker {
    pthread_t thread;
    struct fft_engine *engine;
    const struct job *job;
    struct fft_spectrum *made;
    int err;
    atomic_bool done;
};

static void run(struct fft_spectrum *s, const struct job *job, const void *raw, float *out)
{
    struct fft_partial p;
    assert_int_equal(fft_spectrum_submit(s, raw, 0, FRAMES, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
    assert_non_null(p.max);
    memcpy(out, p.max, job->plan.n * sizeof *out);
    fft_spectrum_release(s);
}

static void expect_same(struct fft_spectrum *s, const struct job *job, const void *raw)
{
    float *got = malloc(job->plan.n * sizeof *got);
    run(s, job, raw, got);
    assert_memory_equal(got, job->expected, job->plan.n * sizeof *got);
    free(got);
}

static struct job make_job(struct fft_engine *e, uint32_t n, const void *raw, size_t bytes)
{
    struct job job = {.window = test_window(FFT_WINDOW_HANN, n),
                      .expected = malloc(n * sizeof *job.expected)};
    struct fft_spectrum *s;
    job.plan = (struct fft_spectrum_config){.n = n,
                                            .hop = n / 2,
                                            .max_frames = FRAMES,
                                            .depth = 2,
                                            .format = FFT_IQ_CS16,
                                            .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX,
                                            .window = job.window,
                                            .memory = raw,
                                            .memory_bytes = bytes};
    assert_int_equal(fft_spectrum_create(&s, e, &job.plan, NULL, 0), 0);
    run(s, &job, raw, job.expected);
    fft_spectrum_destroy(s);
    return job;
}

/* Drops one spectrum and leaves one, as a change of settings does. */
static void *make(void *arg)
{
    struct maker *m = arg;
    m->err = fft_spectrum_create(&m->made, m->engine, &m->job->plan, NULL, 0);
    if (m->err == 0) {
        fft_spectrum_destroy(m->made);
        m->err = fft_spectrum_create(&m->made, m->engine, &m->job->plan, NULL, 0);
    }
    atomic_store(&m->done, true);
    return NULL;
}

/* Uses the old spectrum meanwhile, and others that it makes and drops itself. */
static void make_concurrently(struct fft_engine *e, const struct job *of, struct fft_spectrum *old,
                              const struct job *own, const void *raw)
{
    struct maker m = {.engine = e, .job = of};
    assert_int_equal(pthread_create(&m.thread, NULL, make, &m), 0);
    do {
        struct fft_spectrum *s;
        assert_int_equal(fft_spectrum_create(&s, e, &own->plan, NULL, 0), 0);
        expect_same(old, own, raw);
        expect_same(s, own, raw);
        fft_spectrum_destroy(s);
    } while (!atomic_load(&m.done));
    pthread_join(m.thread, NULL);
    assert_int_equal(m.err, 0);
    expect_same(m.made, of, raw);
    fft_spectrum_destroy(m.made);
}

void concurrent_plans_check(struct fft_engine *e, uint32_t n, uint32_t rounds)
{
    const size_t samples = (size_t)2 * n * (FRAMES + 1);
    void *raw = test_noise(FFT_IQ_CS16, samples, 5);
    struct job jobs[SIZES];
    struct fft_spectrum *s;
    assert_true(fft_engine_plans_concurrently(e));
    for (uint32_t i = 0; i < SIZES; i++)
        jobs[i] = make_job(e, n << i, raw, samples * fft_iq_bytes(FFT_IQ_CS16));
    assert_int_equal(fft_spectrum_create(&s, e, &jobs[0].plan, NULL, 0), 0);
    for (uint32_t i = 0; i < rounds * SIZES; i++)
        make_concurrently(e, &jobs[i % SIZES], s, &jobs[0], raw);
    fft_spectrum_destroy(s);
    for (uint32_t i = 0; i < SIZES; i++) {
        free(jobs[i].window);
        free(jobs[i].expected);
    }
    free(raw);
}
