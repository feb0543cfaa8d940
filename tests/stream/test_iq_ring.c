/*
 * test_iq_ring.c - counter-coded samples through the ring: every loss is counted, none twice.
 */
#include "tests/stream/iq_ring_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

static struct iq_ring_state look(struct iq_ring *r)
{
    struct iq_ring_state state;
    iq_ring_wait(r, 0, 0, &state);
    return state;
}

static void a_span_across_the_end_is_contiguous(void **state)
{
    (void)state;
    struct iq_ring *r = make_ring(4, false);
    struct iq_reader reader;
    iq_reader_join(&reader, r, true);
    uint32_t number = 0;
    for (int i = 0; i < 50; i++) {
        assert_true(write_counted(r, &number, BLOCK));
        const uint64_t head = look(r).head, length = head < 3000 ? head : 3000;
        const uint32_t *span = iq_ring_at(r, head - length);
        for (uint32_t k = 0; k < length; k++)
            assert_int_equal(span[k], head - length + k);
        iq_reader_advance(&reader, r, head);
    }
    iq_reader_leave(&reader, r);
    iq_ring_destroy(r);
}

static void a_full_ring_counts_an_overrun_and_never_touches_held_samples(void **state)
{
    (void)state;
    struct iq_ring *r = make_ring(4, false);
    struct iq_reader reader;
    iq_reader_join(&reader, r, true);
    uint32_t number = 0;
    for (int i = 0; i < 10; i++)
        assert_true(write_counted(r, &number, BLOCK));
    assert_int_equal(look(r).head, 4000); /* 4096 have room for four blocks */
    for (uint32_t k = 0; k < 4000; k++)
        assert_int_equal(((const uint32_t *)iq_ring_at(r, 0))[k], k);

    iq_reader_advance(&reader, r, 4000);
    assert_true(write_counted(r, &number, BLOCK));
    struct iq_mark mark;
    assert_true(iq_ring_pop_mark(r, &mark));
    assert_int_equal(mark.position, 4000);
    assert_int_equal(mark.lost[LOSS_OVERRUN], 6000);
    assert_int_equal(mark.events[LOSS_OVERRUN], 1);
    assert_int_equal(mark.sample_number, 10000);
    assert_int_equal(*(const uint32_t *)iq_ring_at(r, 4000), 10000);
    assert_false(iq_ring_pop_mark(r, &mark));
    iq_reader_leave(&reader, r);
    iq_ring_destroy(r);
}

static void a_lossless_writer_waits(void **state)
{
    (void)state;
    struct iq_ring *r = make_ring(4, true);
    struct iq_reader reader;
    iq_reader_join(&reader, r, true);
    uint32_t number = 0;
    for (int i = 0; i < 4; i++)
        assert_true(write_counted(r, &number, BLOCK));
    assert_false(write_counted(r, &number, BLOCK));
    iq_reader_advance(&reader, r, 1000);
    assert_true(write_counted(r, &number, BLOCK));
    assert_int_equal(look(r).head, 5000);
    iq_reader_leave(&reader, r);
    iq_ring_destroy(r);
}

static void marks_before_a_block_merge_into_one(void **state)
{
    (void)state;
    struct iq_ring *r = make_ring(4, false);
    uint32_t number = 0;
    assert_true(write_counted(r, &number, 10));
    iq_ring_mark(r, &(struct iq_mark){.lost[LOSS_OVERFLOW] = 7, .events[LOSS_OVERFLOW] = 1});
    iq_ring_mark(r, &(struct iq_mark){.lost[LOSS_OVERFLOW] = 5, .events[LOSS_OVERFLOW] = 1});
    iq_ring_mark(
        r, &(struct iq_mark){
               .tuning_changed = true, .tuning.center_hz = 5e6, .has_time = true, .time_ns = 99});
    assert_false(look(r).has_mark); /* it has no position before the next sample */
    assert_true(write_counted(r, &number, 10));
    struct iq_mark mark;
    assert_int_equal(look(r).mark_position, 10);
    assert_true(iq_ring_pop_mark(r, &mark));
    assert_int_equal(mark.lost[LOSS_OVERFLOW], 12);
    assert_int_equal(mark.events[LOSS_OVERFLOW], 2);
    assert_int_equal(mark.sample_number, 22);
    assert_true(mark.tuning_changed && mark.has_time);
    assert_near(mark.tuning.center_hz, 5e6, 0);
    assert_int_equal(mark.time_ns, 99);
    iq_ring_destroy(r);
}

static void a_mark_inside_a_write_precedes_its_block(void **state)
{
    (void)state;
    struct iq_ring *r = make_ring(4, false);
    uint32_t *into = iq_ring_write_begin(r, 0);
    memset(into, 0, 40);
    iq_ring_mark(r, &(struct iq_mark){.events[LOSS_GAP] = 1});
    iq_ring_write_end(r, 10);
    assert_true(look(r).has_mark);
    assert_int_equal(look(r).mark_position, 0);
    iq_ring_destroy(r);
}

/* The block with a reported time goes into the scratch block, and two more. */
static void a_time_stays_with_its_sample_when_more_is_lost(void **state)
{
    (void)state;
    struct iq_ring *r = make_ring(4, false);
    struct iq_reader reader;
    iq_reader_join(&reader, r, true);
    uint32_t number = 0;
    for (int i = 0; i < 4; i++)
        assert_true(write_counted(r, &number, BLOCK));
    iq_ring_mark(r, &(struct iq_mark){.lost[LOSS_OVERFLOW] = 50,
                                      .events[LOSS_OVERFLOW] = 1,
                                      .has_time = true,
                                      .time_ns = 777});
    number += 50;
    for (int i = 0; i < 3; i++)
        assert_true(write_counted(r, &number, BLOCK));
    iq_reader_advance(&reader, r, 4000);
    assert_true(write_counted(r, &number, BLOCK));
    struct iq_mark mark;
    assert_true(iq_ring_pop_mark(r, &mark));
    assert_int_equal(mark.sample_number, 4000 + 50 + 3000);
    assert_int_equal(mark.time_ns, 777);
    assert_int_equal(mark.time_number, 4000 + 50);
    iq_reader_leave(&reader, r);
    iq_ring_destroy(r);
}

static void a_full_mark_queue_is_an_overrun_not_a_lost_mark(void **state)
{
    (void)state;
    struct iq_ring *r = make_ring(64, false);
    uint32_t number = 0;
    for (int i = 0; i < 300; i++) {
        iq_ring_mark(r, &(struct iq_mark){.lost[LOSS_GAP] = 1, .events[LOSS_GAP] = 1});
        number++;
        assert_true(write_counted(r, &number, 10));
    }
    uint64_t gaps = 0, overrun = 0;
    struct iq_mark mark;
    while (iq_ring_pop_mark(r, &mark)) {
        gaps += mark.lost[LOSS_GAP];
        overrun += mark.lost[LOSS_OVERRUN];
        assert_int_equal(*(const uint32_t *)iq_ring_at(r, mark.position), mark.sample_number);
    }
    iq_ring_close(r);
    assert_true(iq_ring_pop_mark(r, &mark)); /* the pending one */
    gaps += mark.lost[LOSS_GAP];
    overrun += mark.lost[LOSS_OVERRUN];
    assert_int_equal(gaps, 300);
    assert_int_equal(look(r).head + overrun, 3000);
    iq_ring_destroy(r);
}

/* An abandoned thread returns. */
static void after_the_end_nothing_is_written_or_counted(void **state)
{
    (void)state;
    struct iq_ring *r = make_ring(4, false);
    struct iq_reader reader;
    struct iq_ring_totals totals;
    iq_reader_join(&reader, r, true);
    uint32_t number = 0;
    for (int i = 0; i < 4; i++)
        assert_true(write_counted(r, &number, BLOCK)); /* it is full */
    iq_ring_close(r);
    iq_ring_mark(r, &(struct iq_mark){.lost[LOSS_GAP] = 5, .events[LOSS_GAP] = 1});
    for (int i = 0; i < 10; i++)
        assert_true(write_counted(r, &number, BLOCK));
    iq_ring_totals(r, &totals);
    assert_int_equal(totals.written, 4 * BLOCK);
    assert_int_equal(totals.lost[LOSS_GAP] + totals.lost[LOSS_OVERRUN], 0);
    iq_reader_leave(&reader, r);
    iq_ring_destroy(r);
}

static void a_reader_that_does_not_hold_is_overtaken_and_counts_the_loss(void **state)
{
    (void)state;
    struct iq_ring *r = make_ring(4, false);
    struct iq_reader cursor;
    iq_reader_join(&cursor, r, false);
    uint32_t number = 0;
    for (int i = 0; i < 10; i++)
        assert_true(write_counted(r, &number, BLOCK));
    /* The block being written may already overwrite: [9000, 10000) replaced it. */
    assert_int_equal(cursor.position, 10000 - 4096);
    assert_int_equal(cursor.overtaken, 10000 - 4096);
    iq_reader_leave(&cursor, r);
    iq_ring_destroy(r);
}

struct race {
    struct iq_ring *ring;
    uint32_t samples;
};

/* Sample p is p modulo the cycle, in every round, and after samples that found no room. */
static void a_ring_with_a_cycle_repeats_it_and_nobody_writes(void **state)
{
    (void)state;
    uint32_t cycle[PAGE_SAMPLES];
    for (uint32_t i = 0; i < PAGE_SAMPLES; i++)
        cycle[i] = i;
    struct iq_ring *r = NULL;
    const struct iq_ring_config config = {.bytes = 4 * 4096,
                                          .sample_bytes = 4,
                                          .block = BLOCK,
                                          .cycle = cycle,
                                          .cycle_samples = PAGE_SAMPLES};
    assert_int_equal(iq_ring_create(&r, &config, NULL), 0);
    memset(cycle, 0xff, sizeof cycle); /* the ring has a copy */
    struct iq_reader reader;
    iq_reader_join(&reader, r, true);
    struct iq_ring_totals totals = {0};
    for (uint64_t round = 0; round < 50; round++) {
        for (int i = 0; i < 6; i++) { /* the last two find no room */
            assert_non_null(iq_ring_write_begin(r, 0));
            iq_ring_write_end(r, BLOCK);
        }
        const uint64_t head = look(r).head;
        assert_int_equal(head, (round + 1) * 4 * BLOCK);
        const uint32_t *span = iq_ring_at(r, reader.position);
        for (uint64_t p = reader.position; p < head; p++)
            assert_int_equal(span[p - reader.position], p % PAGE_SAMPLES);
        iq_reader_advance(&reader, r, head);
    }
    iq_ring_totals(r, &totals);
    assert_int_equal(totals.lost[LOSS_OVERRUN], 50 * 2 * BLOCK);
    iq_reader_leave(&reader, r);
    iq_ring_destroy(r);
}

static void write_all(void *arg)
{
    struct race *race = arg;
    uint32_t number = 0;
    while (number < race->samples) {
        const uint32_t left = race->samples - number;
        write_counted(race->ring, &number, left < 777 ? left : 777);
    }
    iq_ring_close(race->ring);
}

/* Reads everything in spans that stop at marks; every sample must hold its number. */
static uint64_t read_all(struct iq_ring *r, struct iq_reader *reader, uint64_t *lost)
{
    uint64_t at = 0, number = 0;
    for (;;) {
        struct iq_ring_state state;
        iq_ring_wait(r, at + 500, 100, &state);
        uint64_t end = state.head < at + 500 ? state.head : at + 500;
        if (state.has_mark && state.mark_position < end)
            end = state.mark_position;
        const uint32_t *span = iq_ring_at(r, at);
        for (uint64_t i = 0; i < end - at; i++)
            assert_int_equal(span[i], number + i);
        number += end - at;
        at = end;
        iq_reader_advance(reader, r, at);
        struct iq_mark mark;
        const bool segment_over =
            (state.has_mark && state.mark_position == at) || (state.closed && at == state.head);
        if (segment_over && iq_ring_pop_mark(r, &mark)) {
            *lost += mark.lost[LOSS_OVERRUN];
            number = mark.sample_number;
        } else if (state.closed && at == state.head) {
            break;
        }
    }
    return at;
}

static void conserve(bool lossless)
{
    struct race race = {.ring = make_ring(8, lossless), .samples = 5000000};
    struct iq_reader reader;
    iq_reader_join(&reader, race.ring, true);
    uv_thread_t thread;
    uint64_t lost = 0;
    assert_int_equal(uv_thread_create(&thread, write_all, &race), 0);
    const uint64_t seen = read_all(race.ring, &reader, &lost);
    uv_thread_join(&thread);
    print_message("seen %llu, overrun %llu\n", (unsigned long long)seen, (unsigned long long)lost);
    assert_int_equal(seen + lost, race.samples);
    if (lossless)
        assert_int_equal(lost, 0);
    iq_reader_leave(&reader, race.ring);
    iq_ring_destroy(race.ring);
}

static void two_threads_conserve_every_sample_in_replay(void **state)
{
    (void)state;
    conserve(true);
}

static void two_threads_conserve_every_sample_in_real_time(void **state)
{
    (void)state;
    conserve(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_span_across_the_end_is_contiguous),
        cmocka_unit_test(a_full_ring_counts_an_overrun_and_never_touches_held_samples),
        cmocka_unit_test(a_lossless_writer_waits),
        cmocka_unit_test(marks_before_a_block_merge_into_one),
        cmocka_unit_test(a_mark_inside_a_write_precedes_its_block),
        cmocka_unit_test(a_time_stays_with_its_sample_when_more_is_lost),
        cmocka_unit_test(a_full_mark_queue_is_an_overrun_not_a_lost_mark),
        cmocka_unit_test(after_the_end_nothing_is_written_or_counted),
        cmocka_unit_test(a_reader_that_does_not_hold_is_overtaken_and_counts_the_loss),
        cmocka_unit_test(a_ring_with_a_cycle_repeats_it_and_nobody_writes),
        cmocka_unit_test(two_threads_conserve_every_sample_in_replay),
        cmocka_unit_test(two_threads_conserve_every_sample_in_real_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
