/* test_qpu_engine.c - tests the qpu engine: limits, failures, and identical results in all
 * schedules. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/qpu/engine_emu.h"
#include "fft/qpu/engine_qpu.h"
#include "fft/qpu/qpu_launcher.h"
#include "fft/qpu/qpu_state.h"
#include "tests/support/cmocka_all.h"

enum { N = 512, FRAMES = 5, MODES = 10 };

static char text[200];
static const struct fft_reason why = {text, sizeof text};

static struct fft_engine *open_emu(const char *name)
{
    const struct engine_ops *const alone[] = {&qpu_emu_engine_ops, NULL};
    const struct fft_engine_config config = {.name = name};
    struct fft_engine *e;
    if (fft_engine_open_from(alone, &config, &e, why))
        fail_msg("%s", text);
    return e;
}

static float window[N];
static struct fft_iq samples[(FRAMES + 1) * N];

static struct fft_spectrum *open_spectrum(struct fft_engine *e)
{
    const struct fft_spectrum_config plan = {.n = N,
                                             .hop = N,
                                             .max_frames = FRAMES,
                                             .depth = 2,
                                             .format = FFT_IQ_CF32,
                                             .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX,
                                             .window = window};
    struct fft_spectrum *s;
    if (fft_spectrum_create(&s, e, &plan, text, sizeof text))
        fail_msg("%s", text);
    return s;
}

static int fill(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++)
        window[i] = 1.0F / N;
    for (int i = 0; i < (FRAMES + 1) * N; i++)
        samples[i] =
            (struct fft_iq){(float)(i * 37 % 101) / 101 - 0.5F, (float)(i * 53 % 89) / 89 - 0.5F};
    return 0;
}

static void without_a_raspberry_pi_it_says_so(void **state)
{
    (void)state;
    const struct engine_ops *const alone[] = {&qpu_engine_ops, NULL};
    const struct fft_engine_config config = {.name = "qpu"};
    struct fft_engine *e;
    int err = fft_engine_open_from(alone, &config, &e, why);
    if (err == 0) { /* running as root on a board */
        fft_engine_close(e);
        skip();
    }
    assert_int_equal(err, -ENODEV);
    assert_null(e);
    assert_true(strlen(text) > strlen("qpu: "));
}

static void lengths_without_a_program_are_refused(void **state)
{
    (void)state;
    struct fft_engine *e = open_emu("qpu-emu");
    struct fft_spectrum_config plan = {.n = 128,
                                       .hop = 128,
                                       .max_frames = 1,
                                       .depth = 1,
                                       .format = FFT_IQ_CS16,
                                       .detectors = FFT_DETECTOR_MEAN,
                                       .window = window};
    struct fft_spectrum *s;
    assert_int_equal(fft_spectrum_create(&s, e, &plan, text, sizeof text), -ENOTSUP);
    assert_non_null(strstr(text, "powers of two from 256 to 4194304"));
    struct fft_transform_config transforms[] = {
        {.type = FFT_TRANSFORM_FORWARD, .rank = 1, .n = {128}, .batch = 1},
        {.type = FFT_TRANSFORM_FORWARD, .rank = 1, .n = {768}, .batch = 1},
        {.type = FFT_TRANSFORM_FORWARD, .rank = 1, .n = {8388608}, .batch = 1},
        {.type = FFT_TRANSFORM_FORWARD, .rank = 2, .n = {16, 512}, .batch = 1},
    };
    for (size_t i = 0; i < sizeof transforms / sizeof transforms[0]; i++) {
        struct fft_transform *t;
        assert_int_equal(fft_transform_create(&t, e, &transforms[i], text, sizeof text), -ENOTSUP);
        assert_non_null(strstr(text, "powers of two from 256 to 4194304"));
    }
    fft_engine_close(e);
}

/* Batches of different sizes after each other: a launch's uniforms depend on its frames. */
static void a_batch_may_have_fewer_frames_than_the_last(void **state)
{
    (void)state;
    struct fft_engine *e = open_emu("qpu-emu");
    struct fft_spectrum *s = open_spectrum(e);
    float alone[FRAMES][N];
    for (uint32_t i = 0; i < FRAMES; i++) {
        struct fft_partial p;
        assert_int_equal(fft_spectrum_submit(s, samples + i * N, 0, 1, 0), 0);
        assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
        memcpy(alone[i], p.sum, sizeof alone[i]);
        fft_spectrum_release(s);
    }
    static const uint32_t counts[] = {5, 2, 4, 1, 3};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct fft_partial p;
        assert_int_equal(fft_spectrum_submit(s, samples, 0, counts[i], 0), 0);
        assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
        for (int k = 0; k < N; k++) {
            double sum = 0;
            float max = 0;
            for (uint32_t f = 0; f < counts[i]; f++) {
                sum += (double)alone[f][k];
                max = alone[f][k] > max ? alone[f][k] : max;
            }
            assert_true(p.sum[k] == (float)sum && p.max[k] == max);
        }
        fft_spectrum_release(s);
    }
    fft_spectrum_destroy(s);
    fft_engine_close(e);
}

static void every_schedule_gives_the_same_bytes(void **state)
{
    (void)state;
    float first[N];
    for (int mode = 0; mode < MODES; mode++) {
        char name[16];
        snprintf(name, sizeof name, "qpu-emu:%d", mode);
        struct fft_engine *e = open_emu(name);
        struct fft_spectrum *s = open_spectrum(e);
        struct fft_partial p;
        assert_int_equal(fft_spectrum_submit(s, samples, 0, FRAMES, 0), 0);
        assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
        if (mode == 0)
            memcpy(first, p.sum, sizeof first);
        assert_memory_equal(p.sum, first, sizeof first);
        fft_spectrum_destroy(s);
        fft_engine_close(e);
    }
}

static int lost(struct qpu_device *d, int timeout_ms)
{
    (void)d;
    (void)timeout_ms;
    return -ETIMEDOUT;
}

static void a_hung_program_is_reported_as_a_lost_engine(void **state)
{
    (void)state;
    struct fft_engine *e = open_emu("qpu-emu");
    struct qpu_engine *q = e->priv;
    struct fft_spectrum *s = open_spectrum(e);
    struct qpu_device_ops broken = *q->device.ops;
    broken.wait = lost;
    q->device.ops = &broken;
    struct fft_partial p;
    assert_int_equal(fft_spectrum_submit(s, samples, 0, 1, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, -1), -ETIMEDOUT);
    assert_string_equal(fft_spectrum_last_error(s), "a program of the QPUs did not end");

    const struct fft_transform_config plan = {.rank = 1, .n = {N}, .batch = 1, .in_place = true};
    struct fft_transform *t;
    assert_int_equal(fft_transform_create(&t, e, &plan, text, sizeof text), 0);
    assert_int_equal(fft_transform_execute(t, samples, samples), -ETIMEDOUT);
    fft_transform_destroy(t);
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    fill(NULL);
}

/* The device has memory for one transform of 4M points, not for two. */
static void missing_memory_is_an_error_and_none_leaks(void **state)
{
    (void)state;
    struct fft_engine *e = open_emu("qpu-emu");
    const struct fft_transform_config plan = {.rank = 1, .n = {4194304}, .batch = 1};
    for (int round = 0; round < 3; round++) {
        struct fft_transform *one, *two;
        assert_int_equal(fft_transform_create(&one, e, &plan, text, sizeof text), 0);
        assert_int_equal(fft_transform_create(&two, e, &plan, text, sizeof text), -ENOMEM);
        assert_null(two);
        fft_transform_destroy(one);
    }
    fft_engine_close(e);
}

/* ---- time limits --------------------------------------------------------------------------- */

static const struct qpu_device_ops *real_ops;
static struct qpu_device_ops counting_ops;
static int launches;

static int count_start(struct qpu_device *d, const struct qpu_launch *launch)
{
    launches++;
    return real_ops->start(d, launch);
}

/* Transforms all frames through a launcher; the number of launches. */
static int run_task(struct qpu_engine *q, const struct qpu_task *task, struct fft_iq *out)
{
    struct qpu_launcher l;
    const uint32_t n = 1u << task->log2_n;
    assert_int_equal(qpu_launcher_init(&l, &q->device, q->code.bus, task), 0);
    assert_int_equal(l.max_frames, task->frames);
    for (uint32_t i = 0; i < task->frames * n; i++) {
        const struct fft_iq sample = {(float)(i * 37 % 101) / 101, (float)(i * 53 % 89) / 89};
        qpu_launcher_put(&l, i / n, i % n, &sample, 1);
    }
    float *ones = malloc(n * sizeof *ones);
    for (uint32_t i = 0; i < n; i++)
        ones[i] = 1;
    if (task->windowed)
        qpu_launcher_window(&l, ones);
    free(ones);
    launches = 0;
    assert_int_equal(qpu_launcher_wait(&l, -1), 1); /* nothing was started, nothing starts */
    assert_int_equal(launches, 0);
    assert_int_equal(qpu_launcher_start(&l, task->frames), 0);
    while (qpu_launcher_wait(&l, 0) == 0)
        ;
    const uint32_t count = task->output == QPU_COLUMNS ? task->frames * n : n;
    qpu_launcher_get(&l, 0, 0, out, task->output == QPU_SUM ? n / 2 : count);
    qpu_launcher_finish(&l);
    return launches;
}

/* One launch a pass, with the same bits as one launch. */
static void a_time_limit_splits_a_transform_by_its_passes(void **state)
{
    (void)state;
    static const struct {
        struct qpu_task task;
        int passes;
    } cases[] = {
        {{.log2_n = 12, .frames = 3, .inverse = true, .output = QPU_BINS}, 3},
        {{.log2_n = 10, .frames = 16, .output = QPU_COLUMNS}, 2},
        {{.log2_n = 13, .frames = 3, .windowed = true, .output = QPU_SUM}, 3},
    };
    static struct fft_iq whole[1 << 14], split[1 << 14];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fft_engine *e = open_emu("qpu-emu");
        struct qpu_engine *q = e->priv;
        real_ops = q->device.ops;
        counting_ops = *real_ops;
        counting_ops.start = count_start;
        q->device.ops = &counting_ops;
        assert_int_equal(run_task(q, &cases[i].task, whole), 1);
        q->device.limit_ms = 1;
        assert_int_equal(run_task(q, &cases[i].task, split), cases[i].passes);
        assert_memory_equal(split, whole, sizeof whole);
        q->device.limit_ms = 900; /* the launches are short enough */
        assert_int_equal(run_task(q, &cases[i].task, split), 1);
        fft_engine_close(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_raspberry_pi_it_says_so),
        cmocka_unit_test(lengths_without_a_program_are_refused),
        cmocka_unit_test(a_batch_may_have_fewer_frames_than_the_last),
        cmocka_unit_test(every_schedule_gives_the_same_bytes),
        cmocka_unit_test(a_hung_program_is_reported_as_a_lost_engine),
        cmocka_unit_test(missing_memory_is_an_error_and_none_leaks),
        cmocka_unit_test(a_time_limit_splits_a_transform_by_its_passes),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
