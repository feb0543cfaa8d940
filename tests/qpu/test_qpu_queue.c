/*
 * test_qpu_queue.c - tests the overlap of ARM and QPU work, and failed launches. The engine runs on
 * emulated QPUs; a recording device around them controls when launches end.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/qpu/engine_emu.h"
#include "fft/qpu/qpu_queue.h"
#include "fft/qpu/qpu_state.h"
#include "tests/support/cmocka_all.h"

enum { N = 256, DEPTH = 3, MAX_FRAMES = 150 };

/* When a launch ends: in start; in a wait with a time-out other than 0; as the emulated device
 * does. */
enum pace { AT_ONCE, LATE, PLAIN };

static struct recorder {
    const struct qpu_device_ops *inner;
    enum pace pace;
    bool ended, running;
    int starts, fails_at; /* number of the launch that fails with `failure`; -1: none */
    int failure, at_start;
    int allocations, max_allocations;
    void (*observe)(const struct recorder *r, char what); /* 's': a start, 'w': a wait */
} r;

static int record_alloc(struct qpu_device *d, size_t size, struct qpu_memory *out)
{
    if (r.allocations >= r.max_allocations) {
        *out = (struct qpu_memory){0};
        return -ENOMEM;
    }
    const int err = r.inner->alloc(d, size, out);
    r.allocations += !err;
    return err;
}

static void record_free(struct qpu_device *d, struct qpu_memory *memory)
{
    assert_false(r.running); /* a running program may write to it */
    r.allocations -= memory->arm != NULL;
    r.inner->free(d, memory);
}

static int record_start(struct qpu_device *d, const struct qpu_launch *launch)
{
    assert_false(r.running);
    if (r.observe)
        r.observe(&r, 's');
    if (r.starts++ == r.fails_at && r.at_start)
        return r.failure;
    assert_int_equal(r.inner->start(d, launch), 0);
    r.ended = r.pace == AT_ONCE && r.inner->wait(d, -1) == 1;
    r.running = true;
    return 0;
}

static int record_wait(struct qpu_device *d, int timeout_ms)
{
    assert_true(r.running);
    if (timeout_ms && r.observe)
        r.observe(&r, 'w');
    if (r.starts - 1 == r.fails_at) {
        r.running = false;
        return r.failure;
    }
    if (!r.ended && r.pace == LATE && !timeout_ms)
        return 0;
    if (!r.ended)
        r.ended = r.inner->wait(d, timeout_ms) == 1;
    r.running = !r.ended;
    return r.ended;
}

static void record_close(struct qpu_device *d)
{
    assert_false(r.running);
    assert_int_equal(r.allocations, 0);
    r.inner->close(d);
}

static const struct qpu_device_ops recording = {.alloc = record_alloc,
                                                .free = record_free,
                                                .start = record_start,
                                                .wait = record_wait,
                                                .close = record_close};

static float window[N];
static struct fft_iq samples[MAX_FRAMES * N];

static int fill(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++)
        window[i] = 1.0F / N;
    for (int i = 0; i < MAX_FRAMES * N; i++)
        samples[i] =
            (struct fft_iq){(float)(i * 37 % 101) / 101 - 0.5F, (float)(i * 53 % 89) / 89 - 0.5F};
    return 0;
}

static struct fft_engine *open_recorded(enum pace pace)
{
    const struct engine_ops *const alone[] = {&qpu_emu_engine_ops, NULL};
    const struct fft_engine_config config = {.name = "qpu-emu"};
    struct fft_engine *e;
    if (fft_engine_open_from(alone, &config, &e, (struct fft_reason){NULL, 0}))
        fail_msg("qpu-emu does not open");
    struct qpu_engine *q = e->priv;
    r = (struct recorder){.inner = q->device.ops,
                          .pace = pace,
                          .fails_at = -1,
                          .allocations = 1, /* the program */
                          .max_allocations = 1000};
    q->device.ops = &recording;
    return e;
}

static struct fft_spectrum *open_spectrum(struct fft_engine *e)
{
    const struct fft_spectrum_config plan = {.n = N,
                                             .hop = N / 2,
                                             .max_frames = MAX_FRAMES,
                                             .depth = DEPTH,
                                             .format = FFT_IQ_CF32,
                                             .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX,
                                             .window = window};
    struct fft_spectrum *s;
    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    return s;
}

/* A launch takes 64 frames, so these batches poll_sums two, one, one and two launches. */
static const uint32_t batches[] = {70, 3, 1, 65};
enum { BATCHES = sizeof batches / sizeof batches[0], LAUNCHES = 6 };

static const struct fft_iq *span_of(int batch)
{
    return samples + batch * N; /* a different span for each batch */
}

static void poll_sums(struct fft_spectrum *s, float (*sums)[N], int batch)
{
    struct fft_partial p;
    assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
    memcpy(sums[batch], p.sum, sizeof sums[batch]);
    for (int k = 0; k < N; k++)
        sums[batch][k] += p.max[k];
    fft_spectrum_release(s);
}

/* Runs all batches, `depth` at a time. */
static void run_all(struct fft_spectrum *s, float (*sums)[N], int depth)
{
    int taken = 0;
    for (int i = 0; i < BATCHES; i++) {
        if (i - taken == depth)
            poll_sums(s, sums, taken++);
        assert_int_equal(fft_spectrum_submit(s, span_of(i), (uint64_t)i, batches[i], 0), 0);
    }
    while (taken < BATCHES)
        poll_sums(s, sums, taken++);
}

static void the_time_at_which_launches_end_changes_no_byte(void **state)
{
    (void)state;
    static float first[BATCHES][N], sums[BATCHES][N];
    for (int pace = AT_ONCE; pace <= PLAIN; pace++)
        for (int depth = 1; depth <= DEPTH; depth += 2) {
            struct fft_engine *e = open_recorded((enum pace)pace);
            struct fft_spectrum *s = open_spectrum(e);
            run_all(s, sums, depth);
            if (pace == AT_ONCE && depth == 1)
                memcpy(first, sums, sizeof first);
            assert_memory_equal(sums, first, sizeof first);
            assert_int_equal(r.starts, LAUNCHES);
            fft_spectrum_destroy(s);
            fft_engine_close(e);
        }
}

static const struct qpu_queue *queue;
static int waits;

/* Asserts that the work overlaps. */
static void assert_overlap(const struct recorder *recorder, char what)
{
    (void)recorder;
    if (what == 's') { /* the next launch starts before the ARM folds the last one */
        assert_int_equal(queue->started, queue->ended);
        assert_true(queue->started == 0 || queue->folded < queue->ended);
        return;
    }
    /* The ARM waits only when all launches are folded and the next ones are unpacked. */
    waits++;
    assert_int_equal(queue->folded, queue->ended);
    if (queue->unpacked < queue->submitted)
        assert_int_equal(queue->loaded, queue->ended + QPU_LAUNCHERS);
}

static void the_arm_unpacks_and_folds_while_qpus_run(void **state)
{
    (void)state;
    static float sums[BATCHES][N];
    struct fft_engine *e = open_recorded(LATE);
    struct fft_spectrum *s = open_spectrum(e);
    queue = s->priv;
    assert_int_equal(queue->launcher_count, 2);
    waits = 0;
    r.observe = assert_overlap;
    run_all(s, sums, DEPTH);
    assert_int_equal(waits, r.starts);
    fft_spectrum_destroy(s);
    fft_engine_close(e);
}

static void a_batch_is_returned_while_the_next_one_runs(void **state)
{
    (void)state;
    float sums[2][N];
    struct fft_engine *e = open_recorded(LATE);
    struct fft_spectrum *s = open_spectrum(e);
    assert_int_equal(fft_spectrum_submit(s, span_of(0), 0, 10, 0), 0);
    assert_int_equal(r.starts, 1); /* in submit */
    assert_int_equal(fft_spectrum_submit(s, span_of(1), 10, 10, 0), 0);
    poll_sums(s, sums, 0);
    assert_int_equal(r.starts, 2);
    assert_true(r.running);
    fft_spectrum_destroy(s); /* waits for the launch; record_free checks that */
    fft_engine_close(e);
}

static void a_batch_that_outlasts_the_timeout_can_be_polled_again(void **state)
{
    (void)state;
    struct fft_engine *e = open_recorded(PLAIN);
    struct fft_spectrum *s = open_spectrum(e);
    struct fft_partial p;
    assert_int_equal(fft_spectrum_submit(s, span_of(0), 0, 10, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, 0), 0);
    int polls = 1, done = 0;
    while (!done && polls++ < 100)
        done = fft_spectrum_poll(s, &p, 0);
    assert_int_equal(done, 1);
    fft_spectrum_destroy(s);
    fft_engine_close(e);
}

/* Whichever call fails: the batches before it are returned, and all memory is freed. */
static void a_failed_launch_ends_the_spectrum_and_leaks_nothing(void **state)
{
    (void)state;
    for (int fails_at = 0; fails_at < 5; fails_at++)
        for (int at_start = 0; at_start < 2; at_start++) {
            struct fft_engine *e = open_recorded(LATE);
            struct fft_spectrum *s = open_spectrum(e);
            r.fails_at = fails_at;
            r.at_start = at_start;
            r.failure = at_start ? -EIO : -ETIMEDOUT;
            struct fft_partial p;
            int good = 0, result = 1;
            for (int i = 0; i < DEPTH; i++) /* one launch each */
                assert_int_equal(fft_spectrum_submit(s, span_of(i), (uint64_t)i, 20, 0), 0);
            for (int i = DEPTH; (result = fft_spectrum_poll(s, &p, -1)) == 1; i++, good++) {
                fft_spectrum_release(s);
                assert_int_equal(fft_spectrum_submit(s, span_of(0), (uint64_t)i, 20, 0), 0);
            }
            assert_int_equal(result, r.failure);
            assert_int_equal(good, fails_at);
            assert_true(strlen(fft_spectrum_last_error(s)) > 0);
            fft_spectrum_destroy(s);
            fft_engine_close(e);
        }
}

static void without_memory_for_two_launchers_one_is_enough(void **state)
{
    (void)state;
    static float two[BATCHES][N], one[BATCHES][N];
    for (int most = 6; most < 11; most++) { /* the program, five blocks a launcher */
        struct fft_engine *e = open_recorded(LATE);
        struct fft_spectrum *s = open_spectrum(e);
        if (most == 6)
            run_all(s, two, DEPTH);
        fft_spectrum_destroy(s);
        r.max_allocations = most;
        s = open_spectrum(e);
        assert_int_equal(((struct qpu_queue *)s->priv)->launcher_count, 1);
        run_all(s, one, DEPTH);
        assert_memory_equal(one, two, sizeof one);
        fft_spectrum_destroy(s);
        fft_engine_close(e);
    }
}

/* Both use one device: the transform waits for the spectrum's launch and keeps its result. */
static void a_transform_may_run_between_two_batches(void **state)
{
    (void)state;
    static struct fft_iq x[N], quiet[N];
    float sums[2][N];
    struct fft_engine *e = open_recorded(LATE);
    struct fft_spectrum *s = open_spectrum(e);
    const struct fft_transform_config plan = {.rank = 1, .n = {N}, .batch = 1};
    struct fft_transform *t;
    assert_int_equal(fft_transform_create(&t, e, &plan, NULL, 0), 0);
    assert_int_equal(fft_transform_execute(t, samples, quiet), 0);
    assert_int_equal(fft_spectrum_submit(s, span_of(1), 0, 20, 0), 0);
    poll_sums(s, sums, 0);
    assert_int_equal(fft_spectrum_submit(s, span_of(1), 20, 20, 0), 0);
    assert_true(r.running);
    assert_int_equal(fft_transform_execute(t, samples, x), 0);
    poll_sums(s, sums, 1);
    assert_memory_equal(x, quiet, sizeof x);
    assert_memory_equal(sums[1], sums[0], sizeof sums[0]);
    fft_transform_destroy(t);
    fft_spectrum_destroy(s);
    fft_engine_close(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_at_which_launches_end_changes_no_byte),
        cmocka_unit_test(the_arm_unpacks_and_folds_while_qpus_run),
        cmocka_unit_test(a_batch_is_returned_while_the_next_one_runs),
        cmocka_unit_test(a_batch_that_outlasts_the_timeout_can_be_polled_again),
        cmocka_unit_test(a_failed_launch_ends_the_spectrum_and_leaks_nothing),
        cmocka_unit_test(without_memory_for_two_launchers_one_is_enough),
        cmocka_unit_test(a_transform_may_run_between_two_batches),
    };
    return cmocka_run_group_tests_name("the QPU engine's queue", tests, fill, NULL);
}
