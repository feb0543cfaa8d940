/* test_recorder.c - recordings have the samples that were asked for, in order. */
#include "tests/record/record_fixture.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"

static uint64_t start(struct record_fixture *b, uint64_t from, uint64_t to)
{
    uint64_t id = 0;
    struct reason why = {0};
    const struct record_request q = {.epoch = RECORD_NEWEST, .from = from, .to = to};
    assert_int_equal(recorder_start(b->recorder, &q, &id, &why), 0);
    return id;
}

/* Samples first, first + 1, ... */
static void assert_counts(const uint32_t *samples, uint64_t first, size_t count)
{
    size_t good = 0;
    while (good < count && samples[good] == first + good)
        good++;
    assert_int_equal(good, count);
}

static void assert_span(const struct record_fixture *b, const char *name, uint64_t from,
                        uint64_t to)
{
    size_t count;
    uint32_t *samples = record_fixture_samples(b, name, &count);
    assert_int_equal(count, to - from);
    assert_counts(samples, from, count);
    free(samples);
}

static json_int_t integer(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

/* ---- spans ------------------------------------------------------------------------------ */

static void a_span_of_past_and_future_is_exact(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    record_fixture_start(&b, false);
    record_fixture_write(&b, 100000);
    const uint64_t id = start(&b, 70001, 130003);
    record_fixture_write(&b, 50000);
    const struct record_info info = record_fixture_await(&b, id);
    assert_int_equal(info.state, RECORD_DONE);
    assert_int_equal(info.missing, 0);
    assert_span(&b, info.name, 70001, 130003);
    record_fixture_clean_up(&b);
}

static void many_overlapping_recordings_are_each_exact(void **state)
{
    (void)state;
    enum { COUNT = 20 };
    struct record_fixture b = {0};
    uint64_t id[COUNT];
    record_fixture_start(&b, false);
    record_fixture_write(&b, 50000);
    for (unsigned i = 0; i < COUNT; i++)
        id[i] = start(&b, 1000 * i, 60000 + 100 * i);
    record_fixture_write(&b, 50000);
    for (unsigned i = 0; i < COUNT; i++) {
        const struct record_info info = record_fixture_await(&b, id[i]);
        assert_span(&b, info.name, 1000 * i, 60000 + 100 * i);
    }
    assert_int_equal(record_fixture_count(&b, ".sigmf-meta"), COUNT);
    assert_int_equal(record_fixture_count(&b, ".sigmf-part"), 0);
    record_fixture_clean_up(&b);
}

static void one_recording_too_many_is_refused_until_another_ends(void **state)
{
    (void)state;
    struct reason why = {0};
    struct record_fixture b = {0};
    uint64_t id[RECORDINGS_AT_ONCE], more;
    const struct record_request open = {.epoch = RECORD_NEWEST, .from = 0, .to = RECORD_OPEN};
    record_fixture_start(&b, false);
    record_fixture_write(&b, 10000);
    for (unsigned i = 0; i < RECORDINGS_AT_ONCE; i++)
        id[i] = start(&b, 0, RECORD_OPEN);
    assert_int_equal(recorder_start(b.recorder, &open, &more, &why), -EMFILE);
    assert_string_equal(why.sentence,
                        "32 recordings run already: stop one, or wait until one ends");
    assert_int_equal(recorder_stop(b.recorder, id[5]), 0);
    record_fixture_await(&b, id[5]);
    more = start(&b, 0, RECORD_OPEN);
    assert_int_equal(recorder_start(b.recorder, &open, &id[5], &why), -EMFILE);
    assert_int_equal(recorder_stop(b.recorder, more), 0);
    record_fixture_clean_up(&b);
}

static void a_relative_span_counts_from_the_newest_sample(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    uint64_t id;
    const struct record_request q = {
        .epoch = RECORD_NEWEST, .relative = true, .from = 2000, .to = 3000};
    record_fixture_start(&b, false);
    record_fixture_write(&b, 10000);
    assert_int_equal(recorder_start(b.recorder, &q, &id, NULL), 0);
    record_fixture_write(&b, 10000);
    assert_span(&b, record_fixture_await(&b, id).name, 8000, 13000);
    record_fixture_clean_up(&b);
}

static void a_start_in_the_future_waits_for_it(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    record_fixture_start(&b, false);
    record_fixture_write(&b, 10000);
    const uint64_t id = start(&b, 25000, 26000);
    record_fixture_write(&b, 30000);
    const struct record_info info = record_fixture_await(&b, id);
    assert_int_equal(info.missing, 0);
    assert_span(&b, info.name, 25000, 26000);
    record_fixture_clean_up(&b);
}

static void stop_ends_an_open_recording_at_the_newest_sample(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    record_fixture_start(&b, false);
    record_fixture_write(&b, 10000);
    const uint64_t id = start(&b, 5000, RECORD_OPEN);
    record_fixture_write(&b, 10000);
    assert_int_equal(recorder_stop(b.recorder, id), 0);
    record_fixture_write(&b, 10000);
    assert_span(&b, record_fixture_await(&b, id).name, 5000, 20000);
    assert_int_equal(recorder_stop(b.recorder, id), -ENOENT);
    assert_int_equal(recorder_stop(b.recorder, 99), -ENOENT);
    record_fixture_clean_up(&b);
}

static void the_end_of_the_epoch_ends_it_with_all_samples(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    record_fixture_start(&b, false);
    record_fixture_write(&b, 10000);
    const uint64_t id = start(&b, 0, RECORD_OPEN);
    record_fixture_write(&b, 12345);
    record_fixture_end_epoch(&b);
    const struct record_info info = record_fixture_await(&b, id);
    assert_string_equal(info.end, "the stream ended");
    assert_span(&b, info.name, 0, 22345);
    record_fixture_clean_up(&b);
}

static void an_empty_span_and_an_unknown_epoch_are_refused(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    uint64_t id;
    struct reason why = {0};
    const struct record_request empty = {.epoch = 0, .from = 10, .to = 10};
    const struct record_request unknown = {.epoch = 7, .from = 0, .to = 10};
    record_fixture_start(&b, false);
    assert_int_equal(recorder_start(b.recorder, &empty, &id, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, "not after its start"));
    assert_int_equal(recorder_start(b.recorder, &unknown, &id, &why), -ENOENT);
    record_fixture_clean_up(&b);
}

/* ---- what is missing -------------------------------------------------------------------- */

static void samples_that_the_ring_lacks_are_counted_as_missing(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    size_t count;
    record_fixture_start(&b, false);
    record_fixture_write(&b, 3 * FIXTURE_RING);
    const uint64_t id = start(&b, 100, 3 * FIXTURE_RING);
    const struct record_info info = record_fixture_await(&b, id);
    uint32_t *samples = record_fixture_samples(&b, info.name, &count);
    assert_int_equal(info.missing + count, 3 * FIXTURE_RING - 100);
    assert_counts(samples, 100 + info.missing, count);
    json_t *meta = record_fixture_meta(&b, info.name);
    const json_t *first = json_array_get(json_object_get(meta, "captures"), 0);
    assert_int_equal(integer(first, "core:global_index"), samples[0]);
    assert_int_equal(integer(first, "fftd:missing"), info.missing);
    json_decref(meta);
    free(samples);
    record_fixture_clean_up(&b);
}

static void a_writer_that_is_too_fast_leaves_no_wrong_sample(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    size_t count;
    record_fixture_start(&b, false);
    record_fixture_write(&b, 1000);
    const uint64_t id = start(&b, 0, 200 * (uint64_t)FIXTURE_RING);
    record_fixture_write(&b, 200 * FIXTURE_RING);
    const struct record_info info = record_fixture_await(&b, id);
    uint32_t *samples = record_fixture_samples(&b, info.name, &count);
    assert_int_equal(info.missing + count, 200 * FIXTURE_RING);
    json_t *meta = record_fixture_meta(&b, info.name);
    const json_t *captures = json_object_get(meta, "captures");
    size_t at = 0; /* each capture says which samples follow */
    for (size_t i = 0; i < json_array_size(captures); i++) {
        const json_t *c = json_array_get(captures, i), *next = json_array_get(captures, i + 1);
        const size_t end = next ? (size_t)integer(next, "core:sample_start") : count;
        assert_int_equal(integer(c, "core:sample_start"), at);
        assert_counts(samples + at, (uint64_t)integer(c, "core:global_index"), end - at);
        at = end;
    }
    assert_int_equal(at, count);
    json_decref(meta);
    free(samples);
    record_fixture_clean_up(&b);
}

static void the_sum_has_all_recordings(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    struct record_totals sum;
    record_fixture_start(&b, false);
    record_fixture_write(&b, 10000);
    record_fixture_await(&b, start(&b, 0, 4000));
    const uint64_t open = start(&b, 0, RECORD_OPEN);
    do {
        recorder_sum(b.recorder, &sum);
    } while (sum.samples < 14000);
    assert_true(sum.on);
    assert_int_equal(sum.running, 1);
    assert_int_equal(sum.ended, 1);
    assert_int_equal(sum.samples, 14000);
    assert_int_equal(sum.missing + sum.failed, 0);
    recorder_stop(b.recorder, open);
    record_fixture_await(&b, open);
    recorder_sum(NULL, &sum);
    assert_false(sum.on);
    record_fixture_clean_up(&b);
}

static void a_replay_waits_for_its_recordings(void **state)
{
    (void)state;
    struct record_fixture b = {.options.all = true};
    record_fixture_start(&b, true);
    record_fixture_write(&b, 20 * FIXTURE_RING);
    record_fixture_end_epoch(&b);
    const struct record_info info = record_fixture_await(&b, 1);
    assert_int_equal(info.missing, 0);
    assert_span(&b, info.name, 0, 20 * (uint64_t)FIXTURE_RING);
    record_fixture_clean_up(&b);
}

static void kept_samples_wait_for_a_recording(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    record_fixture_start(&b, true);
    recorder_keep(b.recorder, 0, 0);
    record_fixture_end_epoch(&b);
    record_fixture_begin_epoch(&b, true); /* from now on samples are kept */
    for (uint64_t at = 0; at < 10 * (uint64_t)FIXTURE_RING; at += 50000) {
        record_fixture_write(&b, 50000);
        recorder_keep(b.recorder, 1, at > 100000 ? at - 100000 : 0);
    }
    const uint64_t from = b.position - 140000;
    const uint64_t id = start(&b, from, b.position);
    const struct record_info info = record_fixture_await(&b, id);
    assert_int_equal(info.missing, 0);
    assert_span(&b, info.name, from, b.position);
    record_fixture_clean_up(&b);
}

/* ---- metadata --------------------------------------------------------------------------- */

static void a_loss_begins_a_capture_with_its_sample_number(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    size_t count;
    record_fixture_start(&b, false);
    record_fixture_write(&b, 10000);
    record_fixture_lose(&b, LOSS_OVERFLOW, 777);
    record_fixture_write(&b, 10000);
    const struct record_info info = record_fixture_await(&b, start(&b, 4000, 20000));
    uint32_t *samples = record_fixture_samples(&b, info.name, &count);
    json_t *meta = record_fixture_meta(&b, info.name);
    const json_t *second = json_array_get(json_object_get(meta, "captures"), 1);
    assert_int_equal(info.lost, 777);
    assert_int_equal(integer(second, "core:sample_start"), 6000);
    assert_int_equal(integer(second, "core:global_index"), 10777);
    assert_int_equal(samples[6000], 10777);
    assert_int_equal(integer(json_object_get(second, "fftd:lost"), "overflow"), 777);
    /* 10.777 ms after the epoch's time */
    assert_string_equal(json_string_value(json_object_get(second, "core:datetime")),
                        "2026-11-20T10:15:00.010777000Z");
    const json_t *ledger = json_object_get(json_object_get(meta, "global"), "fftd:ledger");
    assert_int_equal(integer(ledger, "samples"), 16000);
    assert_int_equal(integer(json_object_get(ledger, "lost"), "overflow"), 777);
    json_decref(meta);
    free(samples);
    record_fixture_clean_up(&b);
}

static void annotations_lie_where_their_positions_are(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    const struct record_annotation given[] = {
        {.from = 5000, .to = 6000, .low_hz = 433.9e6, .high_hz = 433.94e6, .label = "burst"},
        {.from = 100, .to = 200, .label = "before"}};
    const struct record_annotation later = {.from = 3000, .to = RECORD_OPEN, .label = "tail"};
    const struct record_request q = {
        .from = 4000, .to = 30000, .label = "test", .annotations = given, .annotation_count = 2};
    uint64_t id;
    record_fixture_start(&b, false);
    record_fixture_write(&b, 10000);
    assert_int_equal(recorder_start(b.recorder, &q, &id, NULL), 0);
    assert_int_equal(recorder_annotate(b.recorder, id, &later), 0);
    record_fixture_write(&b, 30000);
    json_t *meta = record_fixture_meta(&b, record_fixture_await(&b, id).name);
    const json_t *list = json_object_get(meta, "annotations");
    assert_int_equal(json_array_size(list), 2); /* one is outside */
    const json_t *tail = json_array_get(list, 0), *burst = json_array_get(list, 1);
    assert_int_equal(integer(tail, "core:sample_start"), 0);
    assert_int_equal(integer(tail, "core:sample_count"), 26000);
    assert_int_equal(integer(burst, "core:sample_start"), 1000);
    assert_int_equal(integer(burst, "core:sample_count"), 1000);
    assert_string_equal(json_string_value(json_object_get(burst, "core:label")), "burst");
    assert_true(fabs(json_real_value(json_object_get(burst, "core:freq_upper_edge")) - 433.94e6) <
                1e-3);
    json_decref(meta);
    record_fixture_clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_span_of_past_and_future_is_exact),
        cmocka_unit_test(many_overlapping_recordings_are_each_exact),
        cmocka_unit_test(one_recording_too_many_is_refused_until_another_ends),
        cmocka_unit_test(a_relative_span_counts_from_the_newest_sample),
        cmocka_unit_test(a_start_in_the_future_waits_for_it),
        cmocka_unit_test(stop_ends_an_open_recording_at_the_newest_sample),
        cmocka_unit_test(the_end_of_the_epoch_ends_it_with_all_samples),
        cmocka_unit_test(an_empty_span_and_an_unknown_epoch_are_refused),
        cmocka_unit_test(samples_that_the_ring_lacks_are_counted_as_missing),
        cmocka_unit_test(a_writer_that_is_too_fast_leaves_no_wrong_sample),
        cmocka_unit_test(the_sum_has_all_recordings),
        cmocka_unit_test(a_replay_waits_for_its_recordings),
        cmocka_unit_test(kept_samples_wait_for_a_recording),
        cmocka_unit_test(a_loss_begins_a_capture_with_its_sample_number),
        cmocka_unit_test(annotations_lie_where_their_positions_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
