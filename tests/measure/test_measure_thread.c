/* test_measure_thread.c - the measure thread: every line in replay, no delay in real time, live
 * changes.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/measure/measure_thread.h"
#include "tests/support/measure/probe_list.h"

enum { N = 64, SEEN = 1000 };

struct fixture {
    struct line_ring *lines;
    struct measure_thread *measure_thread;
    struct epoch *epoch; /* NULL: no samples */
    struct iq_tap *tap;
    uint64_t number;
    bool corrected; /* the lines that follow */

    /* the measure thread's, until it has ended */
    unsigned snapshots;
    double line[SEEN];
};

static void keep(void *user, struct measure_snapshot *s)
{
    struct fixture *r = user;
    if (r->snapshots < SEEN && s->count > 0)
        r->line[r->snapshots++] = s->report[0].value[PROBE_LINE].value;
}

static void begin(struct fixture *r, bool lossless, struct iq_tap *tap)
{
    *r = (struct fixture){.tap = tap};
    atomic_store(&probe_blocks, false);
    atomic_store(&probe_updates, 0);
    assert_int_equal(line_ring_create(&r->lines, NULL, NULL), 0);
    const struct line_shape shape = {.n = N, .detectors = FFT_DETECTOR_MEAN};
    assert_int_equal(line_ring_configure(r->lines, &shape), 0);
    const struct measure_thread_config config = {
        .lines = r->lines, .tap = tap, .lossless = lossless, .publish = keep, .user = r};
    assert_int_equal(measure_thread_create(&r->measure_thread, &config), 0);
}

static struct measure_setup *setup_of(const char *line)
{
    struct option_text text;
    struct measure_setup *setup;
    struct reason why = {0};
    assert_int_equal(option_text_split(&text, line, &why), 0);
    if (measure_setup_create(&setup, &text, NULL, &why) < 0)
        fail_msg("%s: %s", line, why.sentence);
    option_text_finish(&text);
    return setup;
}

static void set(struct fixture *r, const char *line)
{
    assert_int_equal(measure_thread_set(r->measure_thread, setup_of(line)), 0);
}

/* Line i has the level i + 1 in each bin. False: the ring has no block. */
static bool publish_at(struct fixture *r, uint64_t position)
{
    struct line *line = line_ring_acquire(r->lines, r->epoch ? 0 : 60000);
    if (!line)
        return false;
    line->number = r->number;
    line->position = line->first_sample = position;
    line->sample_count = 2 * N;
    line->hop = N;
    line->corrected = r->corrected;
    line->correction = (struct fft_correction){.dc_i = 23, .dc_q = 7, .ii = 2, .qi = 0.5F, .qq = 3};
    line->epoch = r->epoch ? r->epoch->number : 0;
    for (uint32_t k = 0; k < N; k++)
        line->detector[0][k] = (float)(r->number + 1);
    r->number++;
    line_ring_publish(r->lines, line);
    return true;
}

static void publish(struct fixture *r)
{
    assert_true(publish_at(r, 0));
}

/* Waits for a snapshot of the newest line; fails after a time that only a hang reaches. */
static struct measure_snapshot *wait_for_newest(struct fixture *r)
{
    for (int i = 0; i < 60000; i++) {
        struct measure_snapshot *s = measure_thread_newest(r->measure_thread);
        if (s && s->line + 1 == r->number)
            return s;
        measure_snapshot_unref(s);
        uv_sleep(1);
    }
    fail_msg("the line %llu was not measured", (unsigned long long)r->number);
    return NULL;
}

/* The value of the first measurement. */
static double value(struct fixture *r, enum probe_value which)
{
    struct measure_snapshot *s = wait_for_newest(r);
    assert_in_range(s->count, 1, 256);
    assert_string_equal(s->report[0].reason, "");
    const double value = s->report[0].value[which].value;
    measure_snapshot_unref(s);
    return value;
}

static void end(struct fixture *r)
{
    line_ring_close(r->lines);
    for (int i = 0; i < 60000 && !measure_thread_ended(r->measure_thread); i++)
        uv_sleep(1);
    assert_true(measure_thread_ended(r->measure_thread));
    measure_thread_destroy(r->measure_thread);
    line_ring_destroy(r->lines);
    assert_int_equal(atomic_load(&probe_states), 0);
}

static void replay_measures_every_line_once(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, true, NULL);
    set(&r, "probe,name=a");
    for (int i = 0; i < 500; i++)
        publish(&r);
    line_ring_close(r.lines);
    while (!measure_thread_ended(r.measure_thread))
        uv_sleep(1);
    struct measure_thread_state got;
    measure_thread_state(r.measure_thread, &got);
    assert_int_equal(got.lines, 500);
    assert_int_equal(got.missed, 0);
    assert_int_equal(r.snapshots, 500);
    for (unsigned i = 0; i < 500; i++)
        assert_near(r.line[i], i, 0);
    end(&r);
}

static void a_slow_measurement_misses_lines_and_delays_nobody(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, false, NULL);
    set(&r, "probe,name=a");
    atomic_store(&probe_blocks, true);
    publish(&r);
    while (atomic_load(&probe_updates) == 0)
        uv_sleep(1);
    for (int i = 1; i < 300;
         i++) /* waits for a block if the measure_thread could stop the writer */
        publish(&r);
    atomic_store(&probe_blocks, false);
    measure_snapshot_unref(wait_for_newest(&r));
    struct measure_thread_state got;
    measure_thread_state(r.measure_thread, &got);
    assert_int_equal(got.lines + got.missed, 300);
    assert_in_range(got.missed, 300 - 1 - 64, 299);
    end(&r);
}

static void measurements_are_added_replaced_and_removed_while_lines_come(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, true, NULL);
    assert_true(measure_thread_ended(r.measure_thread)); /* nothing to do */
    set(&r, "probe,name=a,gain=2");
    set(&r, "probe,name=b,gain=3,trace=average");
    publish(&r);
    publish(&r);
    assert_near(value(&r, PROBE_GAIN), 2, 0);
    set(&r, "probe,name=a,gain=4");
    publish(&r);
    struct measure_snapshot *s = wait_for_newest(&r);
    assert_int_equal(s->count, 2);
    assert_string_equal(s->report[0].name, "a");
    assert_near(s->report[0].value[PROBE_GAIN].value, 4, 0);
    assert_near(s->report[1].value[PROBE_LINES].value, 3, 0); /* its trace goes on */
    assert_near(s->report[1].value[PROBE_SUM].value, N * (1 + 2 + 3) / 3.0, 1e-6);
    assert_int_equal(measure_thread_remove(r.measure_thread, 0, "a"), 0);
    assert_int_equal(measure_thread_remove(r.measure_thread, 0, "a"), -ENOENT);
    publish(&r);
    assert_near(value(&r, PROBE_GAIN), 3, 0);
    assert_string_equal(s->report[0].name, "a"); /* a reference, so it stays */
    measure_snapshot_unref(s);
    assert_int_equal(measure_thread_count(r.measure_thread), 1);
    assert_string_equal(measure_thread_setup(r.measure_thread, 0)->text.name, "b");
    end(&r);
}

static void there_is_a_limit_of_measurements(void **state)
{
    (void)state;
    struct fixture r;
    char line[64];
    begin(&r, true, NULL);
    for (int i = 0; i < MEASUREMENTS_MAX; i++) {
        snprintf(line, sizeof line, "probe,name=p%d", i);
        set(&r, line);
    }
    assert_int_equal(measure_thread_set(r.measure_thread, setup_of("probe,name=q")), -EMFILE);
    set(&r, "probe,name=p7,gain=5");
    publish(&r);
    struct measure_snapshot *s = wait_for_newest(&r);
    assert_int_equal(s->count, MEASUREMENTS_MAX);
    assert_near(s->report[7].value[PROBE_GAIN].value, 5, 0);
    measure_snapshot_unref(s);
    end(&r);
}

static void a_reason_replaces_the_values(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, true, NULL);
    set(&r, "probe,name=a,fail=yes");
    set(&r, "probe,name=b,detector=max");
    publish(&r);
    struct measure_snapshot *s = wait_for_newest(&r);
    assert_string_equal(s->report[0].reason, "the probe was set to fail");
    assert_string_equal(s->report[1].reason, "the detector max is not computed: restart fftd");
    assert_int_equal(s->report[0].values + s->report[1].values, 0);
    measure_snapshot_unref(s);
    end(&r);
}

static void the_table_is_copied(void **state)
{
    (void)state;
    struct fixture r;
    begin(&r, true, NULL);
    set(&r, "probe,name=a,rows=256");
    publish(&r);
    struct measure_snapshot *s = wait_for_newest(&r);
    publish(&r);
    measure_snapshot_unref(wait_for_newest(&r));
    assert_int_equal(s->report[0].rows, 256);
    assert_near(s->report[0].cell[255 * 2], 255000, 0);
    assert_true(isnan(s->report[0].cell[255 * 2 + 1]));
    assert_near(s->report[0].cell[254 * 2 + 1], -20.12345, 0);
    measure_snapshot_unref(s);
    end(&r);
}

/* ---- samples ---------------------------------------------------------------------------- */

enum { RATE = 100000, BLOCK = 500 };

static void begin_samples(struct fixture *r, bool lossless)
{
    const struct stream stream = {
        .format = FFT_IQ_CF32, .full_scale = 1, .tuning = {.rate_hz = RATE}};
    const struct epoch_config config = {.number = 3, .n = N, .lossless = lossless};
    struct reason why = {0};
    struct iq_tap *tap;
    assert_int_equal(iq_tap_create(&tap, lossless), 0);
    begin(r, lossless, tap);
    assert_int_equal(epoch_create(&r->epoch, &stream, &config, &why), 0);
}

static void end_samples(struct fixture *r)
{
    end(r);
    iq_tap_destroy(r->tap);
    iq_reader_leave(&r->epoch->reader, r->epoch->ring);
    epoch_unref(r->epoch);
}

/* Sample i has the value i. */
static bool write_block(struct fixture *r)
{
    struct iq_ring_state ring;
    iq_ring_wait(r->epoch->ring, 0, 0, &ring);
    struct fft_iq *into = iq_ring_write_begin(r->epoch->ring, 0);
    for (uint32_t i = 0; into && i < BLOCK; i++)
        into[i] = (struct fft_iq){(float)(ring.head + i), 0};
    if (!into)
        return false;
    iq_ring_write_end(r->epoch->ring, BLOCK);
    iq_reader_advance(&r->epoch->reader, r->epoch->ring, ring.head + BLOCK);
    return true;
}

static void a_measurement_gets_the_samples_of_its_line(void **state)
{
    (void)state;
    struct fixture r;
    begin_samples(&r, false);
    set(&r, "probe,name=a,samples=100");
    set(&r, "probe,name=b,samples=1000"); /* more than the line has */
    iq_tap_begin(r.tap, r.epoch);
    write_block(&r);
    assert_true(publish_at(&r, 123));
    struct measure_snapshot *s = wait_for_newest(&r);
    assert_near(s->report[0].value[PROBE_FIRST_IQ].value, 123, 0);
    assert_near(s->report[0].value[PROBE_IQ_COUNT].value, 100, 0);
    assert_near(s->report[1].value[PROBE_IQ_COUNT].value, 2 * N, 0);
    measure_snapshot_unref(s);
    assert_true(publish_at(&r, UINT64_MAX)); /* a loss is within the line */
    assert_near(value(&r, PROBE_IQ_COUNT), 0, 0);
    struct measure_thread_state got;
    measure_thread_state(r.measure_thread, &got);
    assert_int_equal(got.without_iq, 1);
    end_samples(&r);
}

/* I' = ii (I - dc_i), Q' = qi (I - dc_i) + qq (Q - dc_q): fft.h */
static void a_measurement_gets_the_samples_as_the_engine_corrected_them(void **state)
{
    (void)state;
    struct fixture r;
    begin_samples(&r, false);
    set(&r, "probe,name=a,samples=100");
    iq_tap_begin(r.tap, r.epoch);
    write_block(&r);
    r.corrected = true;
    assert_true(publish_at(&r, 123));
    assert_near(value(&r, PROBE_FIRST_IQ), 2 * (123 - 23), 1e-4);
    assert_near(value(&r, PROBE_FIRST_Q), 0.5 * (123 - 23) + 3 * (0 - 7), 1e-4);
    end_samples(&r);
}

static void samples_that_were_overwritten_are_none(void **state)
{
    (void)state;
    struct fixture r;
    begin_samples(&r, false);
    set(&r, "probe,name=a,samples=100");
    iq_tap_begin(r.tap, r.epoch);
    for (uint64_t i = 0; i <= iq_ring_capacity(r.epoch->ring) / BLOCK; i++)
        assert_true(write_block(&r));
    assert_true(publish_at(&r, 0));
    assert_near(value(&r, PROBE_IQ_COUNT), 0, 0);
    end_samples(&r);
}

/* The measure_thread is far behind: the source has to wait for it, or the samples would be gone. */
static void replay_keeps_the_samples_of_lines_that_wait(void **state)
{
    (void)state;
    struct fixture r;
    uint64_t written = 0, published = 0;
    begin_samples(&r, true);
    set(&r, "probe,name=a,samples=100");
    iq_tap_begin(r.tap, r.epoch);
    atomic_store(&probe_blocks, true);
    for (int idle = 0; idle < 3;) { /* until nothing fits any more */
        const bool wrote = write_block(&r);
        written += wrote;
        const bool line =
            written * BLOCK >= (published + 1) * 2 * N && publish_at(&r, published * 2 * N);
        published += line;
        idle = wrote || line ? 0 : idle + 1;
    }
    assert_true(published > 2);
    atomic_store(&probe_blocks, false);
    assert_near(value(&r, PROBE_FIRST_IQ), (double)((published - 1) * 2 * N), 0);
    struct measure_thread_state got;
    measure_thread_state(r.measure_thread, &got);
    assert_int_equal(got.without_iq, 0);
    assert_int_equal(got.lines, published);
    end_samples(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replay_measures_every_line_once),
        cmocka_unit_test(a_slow_measurement_misses_lines_and_delays_nobody),
        cmocka_unit_test(measurements_are_added_replaced_and_removed_while_lines_come),
        cmocka_unit_test(there_is_a_limit_of_measurements),
        cmocka_unit_test(a_reason_replaces_the_values),
        cmocka_unit_test(the_table_is_copied),
        cmocka_unit_test(a_measurement_gets_the_samples_of_its_line),
        cmocka_unit_test(a_measurement_gets_the_samples_as_the_engine_corrected_them),
        cmocka_unit_test(samples_that_were_overwritten_are_none),
        cmocka_unit_test(replay_keeps_the_samples_of_lines_that_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
