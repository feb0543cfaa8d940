/*
 * test_own_measure_thread.c - measurements that clients own: at once, apart from one another,
 * bounded, and without a hold on samples or lines.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/measure/active_measurement.h"
#include "daemon/measure/measure_thread.h"
#include "tests/support/measure/probe_list.h"

enum { N = 64 };

struct fixture {
    struct line_ring *lines;
    struct line_reader reader; /* has the newest line, as the server does */
    struct line *newest;
    struct measure_thread *measure_thread;
    uint64_t number;
};

static void begin(struct fixture *r, size_t bytes_max, struct iq_tap *tap)
{
    *r = (struct fixture){0};
    atomic_store(&probe_blocks, false);
    atomic_store(&probe_updates, 0);
    assert_int_equal(line_ring_create(&r->lines, NULL, NULL), 0);
    const struct line_shape shape = {.n = N, .detectors = FFT_DETECTOR_MEAN};
    assert_int_equal(line_ring_configure(r->lines, &shape), 0);
    line_reader_join(&r->reader, r->lines, false);
    const struct measure_thread_config config = {
        .lines = r->lines, .tap = tap, .owned = true, .bytes_max = bytes_max};
    assert_int_equal(measure_thread_create(&r->measure_thread, &config), 0);
}

static void end(struct fixture *r)
{
    line_unref(r->lines, r->newest);
    line_reader_leave(&r->reader);
    line_ring_close(r->lines);
    measure_thread_destroy(r->measure_thread);
    line_ring_destroy(r->lines); /* fails while a line is held */
    assert_int_equal(atomic_load(&probe_states), 0);
}

/* The next line, with the level `number + 1` in each bin. */
static void publish(struct fixture *r)
{
    struct line *line = line_ring_acquire(r->lines, 0);
    assert_non_null(line); /* nobody holds the blocks */
    line->number = r->number;
    line->position = line->first_sample = 0;
    line->sample_count = 2 * N;
    line->hop = N;
    for (uint32_t k = 0; k < N; k++)
        line->detector[0][k] = (float)(r->number + 1);
    r->number++;
    line_ring_publish(r->lines, line);
    line_unref(r->lines, r->newest);
    r->newest = line_reader_next(&r->reader, 0, NULL);
}

static int set(struct fixture *r, uint32_t owner, const char *text)
{
    struct option_text parsed;
    struct measure_setup *setup;
    struct reason why = {0};
    assert_int_equal(option_text_split(&parsed, text, &why), 0);
    assert_int_equal(measure_setup_create(&setup, &parsed, NULL, &why), 0);
    option_text_finish(&parsed);
    setup->owner = owner;
    if (r->newest)
        line_ref(r->newest);
    return measure_thread_set_own(r->measure_thread, setup, r->newest);
}

/* The newest results, once measurement `name` has this gain in them. */
static struct measure_snapshot *wait_for(struct fixture *r, uint32_t owner, const char *name,
                                         double gain)
{
    for (int i = 0; i < 60000; i++) { /* a time that only a hang reaches */
        struct measure_snapshot *s = measure_thread_newest(r->measure_thread);
        const struct measure_report *at = measure_snapshot_find(s, owner, name);
        if (at && at->reason[0] == '\0' && at->value[PROBE_GAIN].value == gain &&
            s->line + 1 == r->number)
            return s;
        measure_snapshot_unref(s);
        uv_sleep(1);
    }
    fail_msg("%s was not measured", name);
    return NULL;
}

static double value_of(const struct measure_snapshot *s, uint32_t owner, const char *name,
                       enum probe_value which)
{
    const struct measure_report *r = measure_snapshot_find(s, owner, name);
    assert_non_null(r);
    return r->value[which].value;
}

/* ---- at once ---------------------------------------------------------------------------- */

/* The line was there before; no other one follows. */
static void a_new_set_up_is_measured_with_the_newest_line(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, 0, NULL);
    publish(&r);
    publish(&r);
    assert_int_equal(set(&r, 1, "probe,name=a,gain=2"), 0);
    struct measure_snapshot *s = wait_for(&r, 1, "a", 2);
    assert_near(value_of(s, 1, "a", PROBE_LINE), 1, 0);
    assert_near(value_of(s, 1, "a", PROBE_SUM), 2 * N, 0);
    measure_snapshot_unref(s);
    end(&r);
}

static void a_changed_set_up_keeps_its_trace_and_the_results_of_others(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, 0, NULL);
    publish(&r);
    assert_int_equal(set(&r, 1, "probe,name=a,gain=2,trace=average,rows=3"), 0);
    assert_int_equal(set(&r, 1, "probe,name=b,gain=3,trace=average,rows=2"), 0);
    measure_snapshot_unref(wait_for(&r, 1, "b", 3));
    publish(&r);
    publish(&r);
    measure_snapshot_unref(wait_for(&r, 1, "b", 3));
    const unsigned updates = atomic_load(&probe_updates);
    assert_int_equal(set(&r, 1, "probe,name=a,gain=5,trace=average,rows=3"), 0);
    struct measure_snapshot *s = wait_for(&r, 1, "a", 5);
    assert_int_equal(s->count, 2);
    assert_int_equal(atomic_load(&probe_updates), updates + 1); /* b has a result of this line */
    assert_int_equal(measure_snapshot_find(s, 1, "b")->rows, 2);
    assert_near(measure_snapshot_find(s, 1, "b")->cell[2], 1000, 0);
    /* three lines, each once: (1 + 2 + 3) / 3 in each bin */
    assert_near(value_of(s, 1, "a", PROBE_LINES), 3, 0);
    assert_near(value_of(s, 1, "a", PROBE_SUM), N * 2, 1e-6);
    measure_snapshot_unref(s);
    publish(&r);
    s = wait_for(&r, 1, "a", 5);
    assert_near(value_of(s, 1, "a", PROBE_SUM), N * 2.5, 1e-6);
    measure_snapshot_unref(s);
    end(&r);
}

static void another_trace_begins_again(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, 0, NULL);
    publish(&r);
    assert_int_equal(set(&r, 1, "probe,name=a,gain=2,trace=average"), 0);
    measure_snapshot_unref(wait_for(&r, 1, "a", 2));
    publish(&r);
    measure_snapshot_unref(wait_for(&r, 1, "a", 2));
    assert_int_equal(set(&r, 1, "probe,name=a,gain=3,trace=max-hold"), 0);
    struct measure_snapshot *s = wait_for(&r, 1, "a", 3);
    assert_near(value_of(s, 1, "a", PROBE_LINES), 1, 0);
    measure_snapshot_unref(s);
    end(&r);
}

/* ---- apart ------------------------------------------------------------------------------ */

static void clients_own_measurements_of_one_name(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, 0, NULL);
    publish(&r);
    assert_int_equal(set(&r, 1, "probe,name=a,gain=2"), 0);
    assert_int_equal(set(&r, 2, "probe,name=a,gain=3"), 0);
    assert_int_equal(set(&r, 1, "probe,name=b,gain=4"), 0);
    struct measure_snapshot *s = wait_for(&r, 1, "b", 4);
    assert_near(value_of(s, 1, "a", PROBE_GAIN), 2, 0);
    assert_near(value_of(s, 2, "a", PROBE_GAIN), 3, 0);
    measure_snapshot_unref(s);
    assert_int_equal(measure_thread_count_own(r.measure_thread, 1), 2);
    assert_int_equal(measure_thread_count_own(r.measure_thread, 0), 3);
    assert_int_equal(measure_thread_remove(r.measure_thread, 2, "b"), -ENOENT);
    measure_thread_remove_owner(r.measure_thread, 1);
    assert_int_equal(measure_thread_count_own(r.measure_thread, 0), 1);
    publish(&r);
    s = wait_for(&r, 2, "a", 3);
    assert_int_equal(s->count, 1);
    measure_snapshot_unref(s);
    end(&r);
}

/* ---- bounded ---------------------------------------------------------------------------- */

static void measurements_beyond_the_memory_say_so(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, 2 * N * (sizeof(float) + sizeof(double)), NULL); /* two averages */
    publish(&r);
    assert_int_equal(set(&r, 1, "probe,name=a,gain=2,trace=average"), 0);
    assert_int_equal(set(&r, 1, "probe,name=c,gain=7,trace=average"), 0);
    assert_int_equal(set(&r, 2, "probe,name=b,gain=3,trace=average"), 0);
    publish(&r);
    struct measure_snapshot *s = wait_for(&r, 1, "c", 7);
    const struct measure_report *b = measure_snapshot_find(s, 2, "b");
    assert_non_null(strstr(b->reason, "take too much memory"));
    assert_int_equal(b->values, 0);
    measure_snapshot_unref(s);
    assert_int_equal(measure_thread_remove(r.measure_thread, 1, "c"), 0);
    publish(&r);
    measure_snapshot_unref(wait_for(&r, 2, "b", 3));
    end(&r);
}

static void a_measurement_has_at_most_262144_samples(void **state)
{
    (void)state;
    struct line line = {.sample_count = 1 << 20};
    struct option_text parsed;
    struct active_measurement m = {0};
    struct reason why = {0};
    assert_int_equal(option_text_split(&parsed, "probe,name=a,samples=1000000", &why), 0);
    assert_int_equal(measure_setup_create(&m.setup, &parsed, NULL, &why), 0);
    assert_int_equal(active_measurement_iq_samples(&m, &line), 1000000);
    m.setup->owner = 1;
    assert_int_equal(active_measurement_iq_samples(&m, &line), 262144);
    option_text_finish(&parsed);
    active_measurement_finish(&m);
}

/* ---- without a hold --------------------------------------------------------------------- */

static void a_slow_measurement_delays_nobody(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, 0, NULL);
    publish(&r);
    atomic_store(&probe_blocks, true);
    assert_int_equal(set(&r, 1, "probe,name=a,gain=2"), 0);
    while (atomic_load(&probe_updates) == 0)
        uv_sleep(1);
    for (int i = 1; i < 300; i++)
        publish(&r); /* fails without a free block */
    atomic_store(&probe_blocks, false);
    measure_snapshot_unref(wait_for(&r, 1, "a", 2));
    struct measure_thread_state got;
    measure_thread_state(r.measure_thread, &got);
    assert_in_range(got.missed, 300 - 2 - 64, 298);
    end(&r);
}

/* A tap in replay holds samples that somebody wants. It is another measure_thread's. */
static void a_recording_does_not_wait_for_the_samples_of_a_client(void **state)
{
    (void)state;
    const struct stream stream = {
        .format = FFT_IQ_CF32, .full_scale = 1, .tuning = {.rate_hz = 100000}};
    const struct epoch_config config = {.number = 3, .n = N, .lossless = true};
    enum { BLOCK = 500 };
    struct epoch *epoch;
    struct iq_tap *tap;
    struct fixture r;
    struct reason why = {0};
    assert_int_equal(iq_tap_create(&tap, true), 0);
    assert_int_equal(epoch_create(&epoch, &stream, &config, &why), 0);
    begin(&r, 0, tap);
    publish(&r);
    assert_int_equal(set(&r, 1, "probe,name=a,samples=100"), 0);
    iq_tap_begin(tap, epoch);
    for (uint64_t i = 1; i <= 3 * iq_ring_capacity(epoch->ring) / BLOCK; i++) {
        assert_non_null(iq_ring_write_begin(epoch->ring, 0)); /* there is room */
        iq_ring_write_end(epoch->ring, BLOCK);
        iq_reader_advance(&epoch->reader, epoch->ring, i * BLOCK);
    }
    end(&r);
    iq_tap_destroy(tap);
    iq_reader_leave(&epoch->reader, epoch->ring);
    epoch_unref(epoch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_set_up_is_measured_with_the_newest_line),
        cmocka_unit_test(a_changed_set_up_keeps_its_trace_and_the_results_of_others),
        cmocka_unit_test(another_trace_begins_again),
        cmocka_unit_test(clients_own_measurements_of_one_name),
        cmocka_unit_test(measurements_beyond_the_memory_say_so),
        cmocka_unit_test(a_measurement_has_at_most_262144_samples),
        cmocka_unit_test(a_slow_measurement_delays_nobody),
        cmocka_unit_test(a_recording_does_not_wait_for_the_samples_of_a_client),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
