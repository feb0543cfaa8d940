/*
 * test_line_ring.c - lines reach every reader in order; slow readers are skipped or waited for.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <sys/resource.h>
#include <uv.h>

#include "daemon/line/line_ring.h"
#include "daemon/line/powers.h"

enum { N = 1 << 20, BLOCKS = 32 }; /* 256 MiB / (2 * 4 MiB): 32 blocks less the headers = 31 */

static struct line_ring *make(uint32_t n)
{
    struct line_ring *r = NULL;
    assert_int_equal(line_ring_create(&r, NULL, NULL), 0);
    assert_int_equal(
        line_ring_configure(r, &(struct line_shape){.n = n, .detectors = FFT_DETECTOR_MAX}), 0);
    return r;
}

static bool publish(struct line_ring *r, uint64_t number)
{
    struct line *line = line_ring_acquire(r, 0);
    if (!line)
        return false;
    line->number = number;
    line_ring_publish(r, line);
    return true;
}

static void take(struct line_reader *reader, uint64_t expected)
{
    struct line *line = line_reader_next(reader, 0, NULL);
    assert_non_null(line);
    assert_int_equal(line->number, expected);
    line_unref(reader->ring, line);
}

static void a_reader_gets_every_line_in_order(void **state)
{
    (void)state;
    struct line_ring *r = make(64);
    struct line_reader reader;
    line_reader_join(&reader, r, false);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(publish(r, i));
        take(&reader, i);
    }
    assert_int_equal(line_reader_missed(&reader), 0);
    line_reader_leave(&reader);
    line_ring_destroy(r);
}

/* Blocks are used again and again; the pyramid of each line is that of its own levels. */
static void the_pyramid_of_a_line_is_its_own(void **state)
{
    (void)state;
    struct line_ring *r = make(64);
    struct line_reader reader;
    line_reader_join(&reader, r, false);
    for (uint32_t i = 0; i < 200; i++) {
        struct line *line = line_ring_acquire(r, 0);
        for (uint32_t k = 0; k < 64; k++)
            line->detector[1][k] = (float)(k == i % 64 ? 1000 - i : 1);
        line_ring_publish(r, line);
        line = line_reader_next(&reader, 0, NULL);
        assert_true(powers_of_line(line, 1).level[6][0] == (float)(1000 - i));
        line_unref(r, line);
    }
    line_reader_leave(&reader);
    line_ring_destroy(r);
}

static void a_slow_reader_is_overtaken_and_learns_how_many_it_missed(void **state)
{
    (void)state;
    struct line_ring *r = make(64);
    struct line_reader slow;
    line_reader_join(&slow, r, false);
    for (uint64_t i = 0; i < 100; i++)
        assert_true(publish(r, i));
    assert_int_equal(line_reader_missed(&slow), 100 - 64);
    take(&slow, 100 - 64);
    line_reader_leave(&slow);
    line_ring_destroy(r);
}

static void a_lossless_reader_stops_the_writer_until_it_takes(void **state)
{
    (void)state;
    struct line_ring *r = make(64);
    struct line_reader reader;
    line_reader_join(&reader, r, true);
    uint64_t written = 0;
    while (publish(r, written))
        written++;
    assert_int_equal(written, 64);
    take(&reader, 0);
    assert_true(publish(r, written));
    assert_false(publish(r, written + 1));
    for (uint64_t i = 1; i <= written; i++)
        take(&reader, i);
    line_reader_leave(&reader);
    line_ring_destroy(r);
}

static void a_held_line_is_never_overwritten(void **state)
{
    (void)state;
    struct line_ring *r = make(64);
    struct line_reader reader;
    line_reader_join(&reader, r, false);
    assert_true(publish(r, 7));
    struct line *held = line_reader_next(&reader, 0, NULL);
    for (uint64_t i = 0; i < 200; i++)
        assert_true(publish(r, 1000 + i));
    assert_int_equal(held->number, 7);
    line_unref(r, held);
    line_reader_leave(&reader);
    line_ring_destroy(r);
}

static void all_blocks_held_means_no_block(void **state)
{
    (void)state;
    struct line_ring *r = make(N);
    struct line *held[64];
    uint32_t count = 0;
    while (count < 64 && (held[count] = line_ring_acquire(r, 1)))
        count++;
    assert_in_range(count, BLOCKS - 1, BLOCKS);
    while (count > 0)
        line_unref(r, held[--count]);
    line_ring_destroy(r);
}

static void a_new_shape_leaves_held_lines_alone(void **state)
{
    (void)state;
    struct line_ring *r = make(128);
    struct line_reader reader;
    line_reader_join(&reader, r, false);
    assert_true(publish(r, 1));
    struct line *old = line_reader_next(&reader, 0, NULL);
    assert_int_equal(
        line_ring_configure(
            r, &(struct line_shape){.n = 256, .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX}),
        0);
    assert_true(publish(r, 2));
    struct line *fresh = line_reader_next(&reader, 0, NULL);
    assert_int_equal(old->n, 128);
    assert_int_equal(fresh->n, 256);
    assert_non_null(fresh->detector[0]);
    line_unref(r, old);
    line_unref(r, fresh);
    line_reader_leave(&reader);
    line_ring_destroy(r);
}

static void a_new_shape_waits_for_lossless_readers(void **state)
{
    (void)state;
    struct line_ring *r = make(64);
    struct line_reader reader;
    line_reader_join(&reader, r, true);
    assert_true(publish(r, 1));
    assert_int_equal(
        line_ring_configure(r, &(struct line_shape){.n = 64, .detectors = FFT_DETECTOR_MAX}),
        0); /* the same one */
    assert_int_equal(
        line_ring_configure(r, &(struct line_shape){.n = 128, .detectors = FFT_DETECTOR_MAX}),
        -EAGAIN);
    take(&reader, 1);
    assert_int_equal(
        line_ring_configure(r, &(struct line_shape){.n = 128, .detectors = FFT_DETECTOR_MAX}), 0);
    assert_int_equal(line_reader_missed(&reader), 0);
    line_reader_leave(&reader);
    line_ring_destroy(r);
}

/* Lines that stay for a reader who takes none: those of the ring, without the one being written. */
static uint64_t lines_kept(uint32_t n, double rate_hz)
{
    const struct line_shape shape = {.n = n, .detectors = FFT_DETECTOR_MAX, .rate_hz = rate_hz};
    struct line_ring *r = make(64);
    struct line_reader reader;
    assert_int_equal(line_ring_configure(r, &shape), 0);
    assert_in_range(line_ring_bytes(&shape) / line_bytes(&shape), 3, 64);
    line_reader_join(&reader, r, false);
    for (uint64_t number = 0; number < 100; number++)
        assert_true(publish(r, number));
    uint64_t kept = 0;
    for (struct line *line; (line = line_reader_next(&reader, 0, NULL)); kept++)
        line_unref(r, line);
    assert_int_equal(kept, line_ring_bytes(&shape) / line_bytes(&shape));
    assert_int_equal(kept + line_reader_missed(&reader), 100);
    line_reader_leave(&reader);
    line_ring_destroy(r);
    return kept;
}

static void the_ring_has_the_lines_of_a_second(void **state)
{
    (void)state;
    assert_int_equal(lines_kept(64, 20), 20);
    assert_int_equal(lines_kept(64, 15.3), 16);
    assert_int_equal(lines_kept(64, 0.1), 8);
    assert_int_equal(lines_kept(64, 1000), 64);
    assert_int_equal(lines_kept(64, 0), 64);       /* not known */
    assert_int_equal(lines_kept(1 << 21, 20), 15); /* 16 MiB each, and their description */
    assert_int_equal(lines_kept(1 << 23, 20), 3);  /* 64 MiB each */
}

/* Address space that is as good as gone stands for memory; a sanitizer needs it itself. */
static void a_shape_without_memory_leaves_the_old_one(void **state)
{
    (void)state;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    skip();
#endif
    struct line_ring *r = make(64);
    struct line_reader reader;
    struct rlimit all, few;
    line_reader_join(&reader, r, false);
    assert_true(publish(r, 1));
    assert_int_equal(getrlimit(RLIMIT_AS, &all), 0);
    few = all;
    few.rlim_cur = (rlim_t)512 << 20;
    assert_int_equal(setrlimit(RLIMIT_AS, &few), 0);
    /* Four detectors of 2^24 bins are 256 MiB a line: the third does not fit, if the first did. */
    const int err = line_ring_configure(
        r, &(struct line_shape){.n = 1 << 24,
                                .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX |
                                             FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE});
    assert_int_equal(setrlimit(RLIMIT_AS, &all), 0);
    assert_int_equal(err, -ENOMEM);
    take(&reader, 1); /* not even a line that was not taken yet is gone */
    assert_true(publish(r, 2));
    take(&reader, 2);
    assert_int_equal(line_reader_missed(&reader), 0);
    line_reader_leave(&reader);
    line_ring_destroy(r);
}

static void closing_ends_a_reader_after_the_last_line(void **state)
{
    (void)state;
    struct line_ring *r = make(64);
    struct line_reader reader;
    bool closed = false;
    line_reader_join(&reader, r, false);
    assert_true(publish(r, 0));
    line_ring_close(r);
    take(&reader, 0);
    assert_null(line_reader_next(&reader, 1000, &closed));
    assert_true(closed);
    line_reader_leave(&reader);
    line_ring_destroy(r);
}

struct flood {
    struct line_ring *ring;
    uint64_t lines;
};

static void flood(void *arg)
{
    struct flood *f = arg;
    for (uint64_t i = 0; i < f->lines;) {
        struct line *line = line_ring_acquire(f->ring, 100);
        if (!line)
            continue;
        line->number = i++;
        line_ring_publish(f->ring, line);
    }
    line_ring_close(f->ring);
}

static void two_threads_pass_every_line_without_loss(void **state)
{
    (void)state;
    struct line_ring *r = make(64);
    struct line_reader reader;
    line_reader_join(&reader, r, true);
    struct flood f = {.ring = r, .lines = 20000};
    uv_thread_t thread;
    assert_int_equal(uv_thread_create(&thread, flood, &f), 0);
    uint64_t next = 0;
    for (bool closed = false; !closed;) {
        struct line *line = line_reader_next(&reader, 100, &closed);
        if (!line)
            continue;
        assert_int_equal(line->number, next++);
        line_unref(r, line);
    }
    uv_thread_join(&thread);
    assert_int_equal(next, f.lines);
    line_reader_leave(&reader);
    line_ring_destroy(r);
}

struct waiter {
    struct line_reader reader;
    atomic_bool waits;
    long switches; /* how often it slept */
};

static void wait_for_a_line(void *user)
{
    struct waiter *w = user;
    struct rusage before, after;
    getrusage(RUSAGE_THREAD, &before);
    atomic_store(&w->waits, true);
    assert_null(line_reader_next(&w->reader, 60000, NULL));
    getrusage(RUSAGE_THREAD, &after);
    w->switches = after.ru_nvcsw - before.ru_nvcsw;
}

static void a_reader_that_reads_wakes_no_other(void **state)
{
    enum { LINES = 8, PAUSE_MS = 10 };
    (void)state;
    struct line_ring *r = make(64);
    struct line_reader early;
    struct waiter late = {.waits = false};
    uv_thread_t thread;
    line_reader_join(&early, r, false);
    for (uint64_t i = 0; i < LINES; i++)
        assert_true(publish(r, i));
    line_reader_join(&late.reader, r, false);
    assert_int_equal(uv_thread_create(&thread, wait_for_a_line, &late), 0);
    while (!atomic_load(&late.waits))
        uv_sleep(1);
    for (uint64_t i = 0; i < LINES; i++) {
        uv_sleep(PAUSE_MS);
        take(&early, i);
    }
    line_reader_wake(&late.reader, r);
    uv_thread_join(&thread);
    assert_in_range(late.switches, 0, LINES / 2);
    line_reader_leave(&early);
    line_reader_leave(&late.reader);
    line_ring_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reader_gets_every_line_in_order),
        cmocka_unit_test(the_pyramid_of_a_line_is_its_own),
        cmocka_unit_test(a_slow_reader_is_overtaken_and_learns_how_many_it_missed),
        cmocka_unit_test(a_lossless_reader_stops_the_writer_until_it_takes),
        cmocka_unit_test(a_held_line_is_never_overwritten),
        cmocka_unit_test(all_blocks_held_means_no_block),
        cmocka_unit_test(a_new_shape_leaves_held_lines_alone),
        cmocka_unit_test(a_new_shape_waits_for_lossless_readers),
        cmocka_unit_test(the_ring_has_the_lines_of_a_second),
        cmocka_unit_test(a_shape_without_memory_leaves_the_old_one),
        cmocka_unit_test(closing_ends_a_reader_after_the_last_line),
        cmocka_unit_test(two_threads_pass_every_line_without_loss),
        cmocka_unit_test(a_reader_that_reads_wakes_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
