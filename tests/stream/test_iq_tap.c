/* test_iq_tap.c - samples for readers besides dsp: the right ones, or none. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <uv.h>

#include "daemon/base/reason.h"
#include "daemon/stream/epoch/iq_tap.h"

enum { RATE = 100000, N = 64, BLOCK = 500, CAPACITY = 2000 }; /* epoch_block: 5 ms, 20 ms */

struct fixture {
    struct epoch *epoch;
    struct iq_tap *tap;
    uint32_t number; /* of the next sample */
};

static void begin(struct fixture *r, bool lossless, bool wanted)
{
    const struct stream stream = {
        .format = FFT_IQ_CS16, .full_scale = 2048, .tuning = {.rate_hz = RATE}};
    const struct epoch_config config = {.number = 7, .n = N, .lossless = lossless};
    struct reason why = {0};
    *r = (struct fixture){0};
    assert_int_equal(epoch_create(&r->epoch, &stream, &config, &why), 0);
    assert_int_equal(iq_tap_create(&r->tap, lossless), 0);
    iq_tap_want(r->tap, wanted);
    iq_tap_begin(r->tap, r->epoch);
}

static void end(struct fixture *r)
{
    iq_tap_destroy(r->tap);
    iq_reader_leave(&r->epoch->reader, r->epoch->ring);
    epoch_unref(r->epoch);
}

/* I counts to 1999, Q is its negative. False: the ring has no room. */
static bool write_block(struct fixture *r)
{
    int16_t *into = iq_ring_write_begin(r->epoch->ring, 0);
    for (uint32_t i = 0; into && i < BLOCK; i++, r->number++) {
        into[2 * i] = (int16_t)(r->number % 2000);
        into[2 * i + 1] = (int16_t)-into[2 * i];
    }
    if (into)
        iq_ring_write_end(r->epoch->ring, BLOCK);
    return into;
}

/* Writes as the source does, with a dsp thread that reads at once. */
static bool pass_block(struct fixture *r)
{
    const bool written = write_block(r);
    struct iq_ring_state state;
    iq_ring_wait(r->epoch->ring, 0, 0, &state);
    iq_reader_advance(&r->epoch->reader, r->epoch->ring, state.head);
    return written;
}

static void check(struct fixture *r, uint64_t position, size_t count)
{
    struct fft_iq *got = calloc(count, sizeof *got);
    assert_int_equal(iq_tap_read(r->tap, 7, position, count, got), count);
    for (size_t i = 0; i < count; i++) {
        const float want = (float)((position + i) % 2000) / 2048;
        assert_near(got[i].re, want, 0);
        assert_near(got[i].im, -want, 0);
    }
    free(got);
}

static void samples_have_full_scale_1_wherever_the_ring_wraps(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, false, true);
    for (int i = 0; i < 500; i++) {
        pass_block(&r);
        check(&r, r.number - BLOCK, BLOCK);
        if (r.number >= 10000)
            check(&r, r.number - 10000, 10000);
    }
    end(&r);
}

static void overwritten_unwritten_and_foreign_samples_are_none(void **state)
{
    (void)state;
    struct fixture r;
    struct fft_iq one[2];
    begin(&r, false, true);
    for (int i = 0; i < 10; i++)
        pass_block(&r);
    check(&r, 0, 1);
    assert_int_equal(iq_tap_read(r.tap, 6, 0, 1, one), 0);
    assert_int_equal(iq_tap_read(r.tap, 7, 5000, 1, one), 0);
    assert_int_equal(iq_tap_read(r.tap, 7, 4999, 2, one), 0);
    assert_int_equal(iq_tap_read(r.tap, 7, UINT64_MAX, 1, one), 0);
    while (r.number < iq_ring_capacity(r.epoch->ring) + BLOCK)
        pass_block(&r);
    assert_int_equal(iq_tap_read(r.tap, 7, 0, 1, one), 0);
    iq_tap_end(r.tap);
    assert_int_equal(iq_tap_read(r.tap, 7, r.number - 1, 1, one), 0);
    end(&r);
}

static void write_many(void *arg)
{
    struct fixture *r = arg;
    for (int i = 0; i < 40000; i++)
        pass_block(r);
    iq_ring_close(r->epoch->ring);
}

/* The oldest samples, while the writer overwrites them as fast as it can. */
static void samples_that_are_read_were_not_overwritten_meanwhile(void **state)
{
    (void)state;
    struct fixture r;
    uv_thread_t writer;
    struct iq_ring_state ring = {0};
    unsigned torn = 0;
    begin(&r, false, true);
    const size_t count = (size_t)iq_ring_capacity(r.epoch->ring) - 2 * BLOCK;
    struct fft_iq *got = calloc(count, sizeof *got);
    assert_int_equal(uv_thread_create(&writer, write_many, &r), 0);
    while (!ring.closed) {
        iq_ring_wait(r.epoch->ring, 0, 0, &ring);
        const uint64_t position = ring.head > count ? ring.head - count : 0;
        const size_t read = iq_tap_read(r.tap, 7, position, count, got);
        for (size_t i = 0; i < read; i++)
            torn += got[i].re * 2048 != (float)((position + i) % 2000);
    }
    uv_thread_join(&writer);
    free(got);
    assert_int_equal(torn, 0);
    end(&r);
}

static uint64_t fill(struct fixture *r)
{
    uint64_t blocks = 0;
    while (blocks < 1000 && pass_block(r))
        blocks++;
    return blocks;
}

static void replay_waits_until_wanted_samples_are_released(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, true, true);
    assert_in_range(fill(&r), 1, 999);
    check(&r, 0, BLOCK);
    iq_tap_release(r.tap, 7, 3 * BLOCK);
    assert_int_equal(fill(&r), 3);
    check(&r, 3 * BLOCK, BLOCK);
    iq_tap_want(r.tap, false);
    assert_int_equal(fill(&r), 1000);
    end(&r);
}

static void a_reader_that_comes_later_has_what_the_ring_has_and_what_comes(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, true, false);
    const uint64_t full = fill(&r);
    assert_int_equal(full, 1000);
    iq_tap_want(r.tap, true);
    iq_tap_hold(r.tap);
    assert_in_range(fill(&r), 0, CAPACITY / BLOCK); /* the ring's last page may have room */
    check(&r, full * BLOCK - BLOCK, BLOCK);
    iq_tap_forget(r.tap, 7);
    assert_int_equal(fill(&r), 1000);
    end(&r);
    begin(&r, false, true); /* in real time nothing waits */
    iq_tap_hold(r.tap);
    assert_int_equal(fill(&r), 1000);
    end(&r);
}

static void nothing_waits_in_real_time_or_without_demand(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, false, true);
    assert_int_equal(fill(&r), 1000);
    end(&r);
    begin(&r, true, false);
    assert_int_equal(fill(&r), 1000);
    end(&r);
}

static void a_line_longer_than_the_ring_ends_the_hold(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, true, true);
    while (write_block(&r)) /* dsp has read nothing: it is what the writer waits for */
        ;
    iq_tap_unblock(r.tap);
    check(&r, 0, BLOCK);
    assert_false(pass_block(&r));
    assert_false(pass_block(&r)); /* dsp has read all: the tap is */
    iq_tap_unblock(r.tap);
    assert_int_equal(fill(&r), 1000);
    end(&r);
}

static void a_newer_epoch_replaces_the_older_one(void **state)
{
    (void)state;
    struct fixture r, next;
    struct fft_iq one;
    begin(&r, true, true);
    begin(&next, true, true);
    next.epoch->number = 8;
    pass_block(&r);
    iq_tap_begin(r.tap, next.epoch);
    check(&r, 0, 1);
    iq_tap_release(r.tap, 8, 0);
    assert_int_equal(iq_tap_read(r.tap, 7, 0, 1, &one), 0);
    end(&r);
    end(&next);
}

/* Each reader holds and releases for itself. */
static void a_chained_tap_gets_the_epochs_of_the_first(void **state)
{
    (void)state;
    struct fixture r;
    struct iq_tap *other;
    uint32_t number;
    uint64_t position;
    begin(&r, true, false);
    assert_int_equal(iq_tap_create(&other, true), 0);
    iq_tap_want(other, true);
    iq_tap_chain(r.tap, other);
    iq_tap_begin(r.tap, r.epoch);
    assert_false(iq_tap_head(other, &number, &position));
    const uint64_t capacity = iq_ring_capacity(r.epoch->ring);
    while (pass_block(&r))
        ;
    assert_in_range(r.number, capacity - CAPACITY, capacity); /* the other one holds all */
    assert_true(iq_tap_head(other, &number, &position));
    assert_int_equal(number, 7);
    assert_int_equal(position, r.number);
    assert_int_equal(iq_tap_capacity(other, 7), capacity);
    assert_int_equal(iq_tap_capacity(other, 8), 0);
    iq_tap_release(other, 7, BLOCK);
    assert_true(pass_block(&r));
    iq_tap_destroy(other);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_have_full_scale_1_wherever_the_ring_wraps),
        cmocka_unit_test(overwritten_unwritten_and_foreign_samples_are_none),
        cmocka_unit_test(samples_that_are_read_were_not_overwritten_meanwhile),
        cmocka_unit_test(replay_waits_until_wanted_samples_are_released),
        cmocka_unit_test(a_reader_that_comes_later_has_what_the_ring_has_and_what_comes),
        cmocka_unit_test(nothing_waits_in_real_time_or_without_demand),
        cmocka_unit_test(a_line_longer_than_the_ring_ends_the_hold),
        cmocka_unit_test(a_newer_epoch_replaces_the_older_one),
        cmocka_unit_test(a_chained_tap_gets_the_epochs_of_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
