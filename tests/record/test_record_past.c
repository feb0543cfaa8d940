/* test_record_past.c - recordings start where the disk ring reaches back to. */
#include "tests/record/record_fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/ddc/ddc.h"
#include "daemon/record/disk/disk_ring.h"

enum { PAST = 2000000 /* of it, the IQ ring has FIXTURE_RING samples */ };

static void start_fixture(struct record_fixture *b)
{
    *b = (struct record_fixture){0};
    b->options.iq_history = DISK_RING_MIN;
    record_fixture_start(b, true); /* the writer waits for the disk ring: nothing is lost */
}

static struct record_info record(struct record_fixture *b, uint64_t from, uint64_t to,
                                 uint32_t more)
{
    uint64_t id = 0;
    struct reason why = {0};
    const struct record_request q = {.epoch = RECORD_NEWEST, .from = from, .to = to};
    assert_int_equal(recorder_start(b->recorder, &q, &id, &why), 0);
    record_fixture_write(b, more);
    return record_fixture_await(b, id);
}

/* Samples from, from + 1, ... of numbers: those lost are left out. */
static void assert_counts(const struct record_fixture *b, const char *name, uint64_t from,
                          size_t want)
{
    size_t count, good = 0;
    uint32_t *samples = record_fixture_samples(b, name, &count);
    assert_int_equal(count, want);
    while (good < count && samples[good] == from + good)
        good++;
    assert_int_equal(good, count);
    free(samples);
}

static json_int_t capture_field(const struct record_fixture *b, const char *name, size_t i,
                                const char *key)
{
    json_t *meta = record_fixture_meta(b, name);
    const json_t *c = json_array_get(json_object_get(meta, "captures"), i);
    const json_int_t value = c ? json_integer_value(json_object_get(c, key)) : -1;
    json_decref(meta);
    return value;
}

static void a_span_of_disk_ring_and_future_has_no_seam(void **state)
{
    (void)state;
    struct record_fixture b;
    start_fixture(&b);
    record_fixture_write(&b, PAST);
    const struct record_info info = record(&b, 12345, PAST + 100000, 200000);
    assert_string_equal(info.end, "complete");
    assert_int_equal(info.missing, 0);
    assert_counts(&b, info.name, 12345, PAST + 100000 - 12345);
    assert_int_equal(capture_field(&b, info.name, 0, "core:global_index"), 12345);
    assert_int_equal(capture_field(&b, info.name, 1, "core:global_index"), -1);
    record_fixture_clean_up(&b);
}

static void losses_of_the_past_are_captures(void **state)
{
    (void)state;
    struct record_fixture b;
    start_fixture(&b);
    record_fixture_write(&b, 300001);
    record_fixture_lose(&b, LOSS_OVERFLOW, 77);
    record_fixture_write(&b, PAST);
    const struct record_info info = record(&b, 100000, 400000, 0);
    assert_int_equal(info.lost, 77);
    assert_int_equal(info.samples, 300000);
    assert_int_equal(capture_field(&b, info.name, 1, "core:sample_start"), 200001);
    assert_int_equal(capture_field(&b, info.name, 1, "core:global_index"), 300078);
    record_fixture_clean_up(&b);
}

/* 400000 samples from 500000 on, of those that the fixture writes, in one block from memory. */
static struct fft_iq *cut_box(size_t *count)
{
    enum { FROM = 500000, COUNT = 400000 };
    const struct fft_iq *out;
    struct ddc_plan p;
    struct ddc *c;
    ddc_plan_band(&p, FIXTURE_RATE, 20e3);
    const size_t samples = COUNT + 2 * (size_t)p.reach;
    uint32_t *raw = malloc(samples * sizeof *raw);
    struct fft_iq *all = malloc(COUNT * sizeof *all);
    assert_true(raw && all);
    for (size_t i = 0; i < samples; i++)
        raw[i] = (uint32_t)(FROM - p.reach + i);
    assert_int_equal(ddc_create(&c, &p, FFT_IQ_CS16, 1, DDC_BLOCK), 0);
    ddc_begin(c, FROM - p.reach, FROM, 0, 1.0 / 32768);
    *count = ddc_push(c, raw, samples, &out);
    memcpy(all, out, *count * sizeof *all);
    ddc_destroy(c);
    free(raw);
    return all;
}

static void a_box_of_the_past_has_its_samples(void **state)
{
    (void)state;
    struct record_fixture b;
    uint64_t id;
    struct reason why = {0};
    size_t count, words;
    start_fixture(&b);
    record_fixture_write(&b, PAST);
    const struct record_request q = {
        .epoch = RECORD_NEWEST,
        .timed = true,
        .from_ns = FIXTURE_TIME_NS + 500000000,
        .duration_s = 400000.0 / FIXTURE_RATE,
        .band = {.low_hz = 433.92e6 - 10e3, .high_hz = 433.92e6 + 10e3}};
    assert_int_equal(recorder_start(b.recorder, &q, &id, &why), 0);
    const struct record_info info = record_fixture_await(&b, id);
    assert_int_equal(info.missing, 0);
    assert_int_equal(info.samples, 400000 / 40);
    assert_int_equal(capture_field(&b, info.name, 0, "fftd:cut_index"), 500000);
    struct fft_iq *want = cut_box(&count);
    uint32_t *got = record_fixture_samples(&b, info.name, &words);
    assert_int_equal(count, 400000 / 40);
    assert_int_equal(words, 2 * count);
    assert_memory_equal(got, want, count * sizeof *want);
    free(got);
    free(want);
    record_fixture_clean_up(&b);
}

/* A new recorder stands for the next run of fftd. */
static void an_earlier_run_is_recorded_by_its_time(void **state)
{
    (void)state;
    struct record_fixture b;
    uint64_t id;
    struct reason why = {0};
    start_fixture(&b);
    record_fixture_write(&b, PAST);
    record_fixture_end_epoch(&b);
    recorder_destroy(b.recorder);
    const struct recorder_config config = {.options = &b.options, .lossless = true};
    assert_int_equal(recorder_create(&b.recorder, &config, &why), 0);
    struct record_request q = {.epoch = RECORD_NEWEST,
                               .timed = true,
                               .from_ns = FIXTURE_TIME_NS + 700001000,
                               .duration_s = 600000.0 / FIXTURE_RATE};
    assert_int_equal(recorder_start(b.recorder, &q, &id, &why), 0);
    struct record_info info = record_fixture_await(&b, id);
    assert_string_equal(info.end, "complete");
    assert_counts(&b, info.name, 700001, 600000);
    q.duration_s = 0;
    assert_int_equal(recorder_start(b.recorder, &q, &id, &why), 0);
    info = record_fixture_await(&b, id);
    assert_string_equal(info.end, "the stream ended");
    assert_counts(&b, info.name, 700001, PAST - 700001);
    q.from_ns = FIXTURE_TIME_NS + (int64_t)PAST * 1000;
    assert_int_equal(recorder_start(b.recorder, &q, &id, &why), -ENOENT);
    record_fixture_clean_up(&b);
}

static void the_sum_has_the_disk_ring(void **state)
{
    (void)state;
    struct record_fixture b;
    struct record_totals sum;
    start_fixture(&b);
    record_fixture_write(&b, PAST);
    do {
        recorder_sum(b.recorder, &sum);
    } while (sum.history_written < PAST);
    assert_int_equal(sum.history_bytes, DISK_RING_MIN);
    assert_int_equal(sum.history_used_bytes, 4 * PAST);
    assert_float_equal(sum.history_s, PAST / 1e6, 1e-9);
    assert_int_equal(sum.history_oldest_ns, FIXTURE_TIME_NS);
    assert_int_equal(sum.history_overrun + sum.history_failed, 0);
    record_fixture_clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_span_of_disk_ring_and_future_has_no_seam),
        cmocka_unit_test(losses_of_the_past_are_captures),
        cmocka_unit_test(a_box_of_the_past_has_its_samples),
        cmocka_unit_test(an_earlier_run_is_recorded_by_its_time),
        cmocka_unit_test(the_sum_has_the_disk_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
