/* test_record_files.c - names, full disks, limits and repairs of recordings. */
#include "tests/record/record_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/format/recording/iq_name.h"
#include "daemon/record/record_limits.h"
#include "daemon/record/record_repair.h"

static struct record_info record(struct record_fixture *b, uint64_t from, uint64_t to)
{
    uint64_t id;
    const struct record_request q = {.epoch = RECORD_NEWEST, .from = from, .to = to};
    assert_int_equal(recorder_start(b->recorder, &q, &id, NULL), 0);
    return record_fixture_await(b, id);
}

/* ---- names ------------------------------------------------------------------------------ */

static void a_name_has_time_centre_and_rate(void **state)
{
    (void)state;
    char name[RECORD_NAME], path[RECORD_NAME + 16];
    struct iq_name read;
    record_name((struct record_start){INT64_C(1795256100) * 1000000000, 0, NULL}, 433.92e6, 2.4e6,
                0, name);
    assert_string_equal(name, "fftd_20261121T101500Z_433.92M_2400k");
    snprintf(path, sizeof path, "%s.cs16", name);
    iq_name_parse(path, &read);
    assert_true(fabs(read.center_hz - 433.92e6) < 1e-3);
    assert_true(fabs(read.rate_hz - 2.4e6) < 1e-3);
    record_name((struct record_start){INT64_C(1795256100) * 1000000000, 0, NULL}, 100.1e6, 2.048e6,
                1, name);
    assert_string_equal(name, "fftd_20261121T101500Z-2_100.1M_2048k");
    record_name((struct record_start){INT64_C(1795256100) * 1000000000, 0, "tower"}, 118.1e6, 25e3,
                0, name);
    assert_string_equal(name, "fftd_20261121T101500Z_tower_118.1M_25k");
}

/* Nobody reads a time in the name of a recording without one. */
static void an_undated_name_has_the_position(void **state)
{
    static const double since_s[] = {0, 12.3456, 20261121.101500, 1e300, -1};
    (void)state;
    for (unsigned copy = 0; copy < 2; copy++)
        for (size_t i = 0; i < sizeof since_s / sizeof since_s[0]; i++) {
            char name[RECORD_NAME], path[RECORD_NAME + 16];
            struct iq_name read;
            record_name((struct record_start){RECORD_UNDATED, since_s[i], NULL}, 433.92e6, 2.4e6,
                        copy, name);
            assert_int_equal(strncmp(name, "fftd_undated-", 13), 0);
            snprintf(path, sizeof path, "%s" RECORD_META, name);
            assert_int_equal(record_name_length(path, RECORD_META), strlen(name));
            iq_name_parse(path, &read);
            assert_false(read.has_time);
            assert_true(fabs(read.center_hz - 433.92e6) < 1e-3);
            assert_true(fabs(read.rate_hz - 2.4e6) < 1e-3);
        }
    char name[RECORD_NAME];
    record_name((struct record_start){RECORD_UNDATED, 12.3456, NULL}, 433.92e6, 2.4e6, 0, name);
    assert_string_equal(name, "fftd_undated-12.346s_433.92M_2400k");
}

static void only_names_of_recordings_are_accepted(void **state)
{
    (void)state;
    assert_int_equal(record_name_length("fftd_20261121T101500Z_1M_1k.sigmf-meta", RECORD_META), 27);
    assert_int_equal(record_name_length("fftd_/../../etc/passwd.sigmf-meta", RECORD_META), 0);
    assert_int_equal(record_name_length("other.sigmf-meta", RECORD_META), 0);
    assert_int_equal(record_name_length("fftd_x.sigmf-data", RECORD_META), 0);
    assert_int_equal(record_name_length(".sigmf-meta", RECORD_META), 0);
}

/* ---- the end of the disk ---------------------------------------------------------------- */

/* A write that fails at 64 kB leaves 16384 samples and metadata for them. */
static void a_failed_write_leaves_a_shorter_valid_recording(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    size_t count;
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 65538; /* not a whole sample */
    record_fixture_start(&b, false);
    record_fixture_write(&b, 100000);
    setrlimit(RLIMIT_FSIZE, &small);
    const struct record_info info = record(&b, 0, 100000);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(info.state, RECORD_FAILED);
    assert_string_equal(info.end, strerror(EFBIG));
    assert_int_equal(info.samples, 16384);
    uint32_t *samples = record_fixture_samples(&b, info.name, &count);
    assert_int_equal(count, 16384);
    json_t *meta = record_fixture_meta(&b, info.name);
    const json_t *global = json_object_get(meta, "global");
    assert_string_equal(json_string_value(json_object_get(global, "fftd:end")), strerror(EFBIG));
    json_decref(meta);
    free(samples);
    record_fixture_clean_up(&b);
}

static void too_little_free_disk_refuses_a_recording(void **state)
{
    (void)state;
    struct record_fixture b = {.options.min_free = UINT64_MAX - 1};
    uint64_t id;
    struct reason why = {0};
    const struct record_request q = {.epoch = RECORD_NEWEST, .to = 1000};
    record_fixture_start(&b, false);
    assert_int_equal(recorder_start(b.recorder, &q, &id, &why), -ENOSPC);
    assert_non_null(strstr(why.sentence, "record-min-free"));
    record_fixture_clean_up(&b);
}

/* ---- recordings of events --------------------------------------------------------------- */

/* 4 bytes a sample. */
static uint64_t start_event(struct record_fixture *b, uint64_t to, int64_t time_ns, int expected)
{
    uint64_t id = 0;
    struct reason why = {0};
    const struct record_request q = {
        .epoch = RECORD_NEWEST, .to = to, .of_event = true, .event_ns = time_ns};
    assert_int_equal(recorder_start(b->recorder, &q, &id, &why), expected);
    assert_true(expected == 0 || strstr(why.sentence, "record-events-max"));
    return id;
}

static void events_take_so_many_bytes_an_hour(void **state)
{
    (void)state;
    const int64_t start = INT64_C(1795256100) * 1000000000, minute = INT64_C(60000000000);
    struct record_fixture b = {.options.events_max = 400000}; /* 100000 samples */
    record_fixture_start(&b, false);
    record_fixture_write(&b, 100000);
    record_fixture_await(&b, start_event(&b, 70000, start, 0));
    start_event(&b, 50000, start, -EDQUOT);
    record_fixture_await(&b, start_event(&b, 30000, start, 0)); /* to the last byte */
    start_event(&b, 1000, start, -EDQUOT);
    start_event(&b, 50000, start + 29 * minute, -EDQUOT); /* 48333 samples */
    record_fixture_await(&b, start_event(&b, 50000, start + 31 * minute, 0));
    /* Hours without events leave the allowance of one. */
    record_fixture_await(&b, start_event(&b, 100000, start + 500 * minute, 0));
    start_event(&b, 1000, start + 500 * minute, -EDQUOT);
    assert_int_equal(record(&b, 0, 5000).samples, 5000); /* others are not limited */
    record_fixture_clean_up(&b);
}

static void the_recording_of_a_long_event_ends_at_the_limit(void **state)
{
    (void)state;
    struct record_fixture b = {.options.events_max = 400000};
    record_fixture_start(&b, false);
    record_fixture_write(&b, 50000);
    const uint64_t id = start_event(&b, RECORD_OPEN, INT64_C(1) << 60, 0);
    assert_int_equal(recorder_set_end(b.recorder, id, 60000), 0); /* the event has ended */
    record_fixture_write(&b, 50000);
    assert_int_equal(record_fixture_await(&b, id).samples, 60000);
    const uint64_t next = start_event(&b, RECORD_OPEN, INT64_C(1) << 60, 0); /* 40000 are left */
    assert_int_equal(record_fixture_await(&b, next).samples, 40000);
    record_fixture_clean_up(&b);
}

/* ---- limits ----------------------------------------------------------------------------- */

static void the_oldest_recordings_make_room(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    char first[RECORD_NAME];
    record_fixture_start(&b, false);
    record_fixture_write(&b, 100000);
    snprintf(first, sizeof first, "%s", record(&b, 0, 25000).name); /* 100 kB each */
    sleep(1); /* files have times in seconds */
    record(&b, 0, 25000);
    record(&b, 0, 25000);
    b.options.max_bytes = 250000;
    assert_in_range(record_apply_limits(&b.options, clock_unix_ns()), 200000, 250000);
    assert_int_equal(record_fixture_count(&b, ".sigmf-meta"), 2);
    assert_int_equal(record_fixture_count(&b, ".sigmf-data"), 2);
    assert_null(record_fixture_meta(&b, first));
    b.options.max_age_s = 60;
    record_apply_limits(&b.options, clock_unix_ns() + INT64_C(61000000000));
    assert_int_equal(record_fixture_count(&b, ".sigmf"), 0);
    record_fixture_clean_up(&b);
}

static void set_time(const struct record_fixture *b, const char *name, int64_t time_s)
{
    const struct timespec times[] = {{time_s, 0}, {time_s, 0}};
    static const char *const suffix[] = {"meta", "data"};
    for (int i = 0; i < 2; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.sigmf-%s", b->folder, name, suffix[i]);
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
}

/* Recordings of a clock that was ahead, or dead, count as written now: the oldest goes first. */
static void times_of_a_wrong_clock_count_as_now(void **state)
{
    (void)state;
    const int64_t now_s = clock_unix_ns() / 1000000000;
    const int64_t time_s[] = {now_s + 63072000, 10, 946684800, now_s - 100};
    struct record_fixture b = {0};
    char name[4][RECORD_NAME];
    record_fixture_start(&b, false);
    record_fixture_write(&b, 100000);
    for (int i = 0; i < 4; i++) {
        snprintf(name[i], sizeof name[i], "%s", record(&b, 0, 25000).name);
        set_time(&b, name[i], time_s[i]);
    }
    b.options.max_age_s = 1000;
    record_apply_limits(&b.options, now_s * 1000000000);
    assert_int_equal(record_fixture_count(&b, ".sigmf-meta"), 4);
    b.options.max_bytes = 350000;
    record_apply_limits(&b.options, now_s * 1000000000);
    assert_null(record_fixture_meta(&b, name[3]));
    assert_int_equal(record_fixture_count(&b, ".sigmf-meta"), 3);
    b.options.max_bytes = 0;
    record_apply_limits(&b.options, (now_s + 999) * 1000000000);
    assert_int_equal(record_fixture_count(&b, ".sigmf-meta"), 3);
    record_apply_limits(&b.options, (now_s + 1002) * 1000000000); /* that of the future, too */
    assert_int_equal(record_fixture_count(&b, ".sigmf"), 0);
    record_fixture_clean_up(&b);
}

static void a_long_recording_is_split_without_a_gap(void **state)
{
    (void)state;
    struct record_fixture b = {.options.split = 40000};
    struct record_file *list;
    size_t files;
    uint32_t *whole = calloc(60000, sizeof *whole);
    uint64_t sum = 0;
    record_fixture_start(&b, false);
    record_fixture_write(&b, 60000);
    const struct record_info info = record(&b, 0, 60000);
    assert_int_equal(info.samples, 60000);
    assert_int_equal(record_list_files(b.folder, &list, &files), 0);
    assert_true(files >= 2);
    for (size_t i = 0; i < files; i++) {
        size_t count;
        uint32_t *samples = record_fixture_samples(&b, list[i].name, &count);
        json_t *meta = record_fixture_meta(&b, list[i].name);
        const json_t *c = json_array_get(json_object_get(meta, "captures"), 0);
        assert_int_equal(json_integer_value(json_object_get(c, "core:global_index")), samples[0]);
        for (size_t k = 0; k < count; k++)
            whole[samples[k]]++;
        sum += count;
        json_decref(meta);
        free(samples);
    }
    assert_int_equal(sum, 60000);
    for (size_t i = 0; i < 60000; i++)
        assert_int_equal(whole[i], 1);
    free(list);
    free(whole);
    record_fixture_clean_up(&b);
}

/* ---- repairs ---------------------------------------------------------------------------- */

/* What a crash leaves: a journal whose last line is cut, and a part of a sample. */
static void crash(const struct record_fixture *b, const char *name)
{
    char path[256], data[256];
    snprintf(path, sizeof path, "%s/%s.sigmf-part", b->folder, name);
    snprintf(data, sizeof data, "%s/%s.sigmf-data", b->folder, name);
    FILE *part = fopen(path, "w");
    fputs("{\"global\":{\"core:datatype\":\"ci16_le\",\"core:sample_rate\":1e6}}\n"
          "{\"capture\":{\"core:sample_start\":0,\"core:global_index\":5,\"position\":5}}\n"
          "{\"annotation\":{\"span\":[7,100],\"core:label\":\"x\"}}\n"
          "{\"capture\":{\"core:sample_start\":3,\"core:global_index\":50,\"position\":8}}\n"
          "{\"capture\":{\"core:sam",
          part);
    fclose(part);
    FILE *out = fopen(data, "w");
    fwrite("abcdefghijkl??", 1, 14, out);
    fclose(out);
}

static void a_crashed_recording_is_completed(void **state)
{
    (void)state;
    static const char name[] = "fftd_20261121T101500Z_1M_1000k";
    /* echo -n abcdefghijkl | sha512sum */
    static const char sha512[] =
        "17807c728ee3ba35e7cf7af823116d26e41e5d4d6c2ff1f3720d3d96aacb6f69de642e63d5b73fc396c12be38b"
        "2bd5d884257c32c8f6d0854ae6b540f86dda2e";
    struct record_fixture b = {0};
    struct reason why = {0};
    char path[256];
    record_fixture_start(&b, false);
    crash(&b, name);
    snprintf(path, sizeof path, "%s/%s.sigmf-data", b.folder, name);
    assert_int_equal(record_repair(path, UINT64_MAX, &why), 1);
    json_t *meta = record_fixture_meta(&b, name);
    assert_non_null(meta);
    const json_t *global = json_object_get(meta, "global");
    assert_string_equal(json_string_value(json_object_get(global, "core:sha512")), sha512);
    assert_string_equal(json_string_value(json_object_get(global, "fftd:end")), "interrupted");
    /* Three samples: the second capture begins after them. */
    assert_int_equal(json_array_size(json_object_get(meta, "captures")), 1);
    const json_t *a = json_array_get(json_object_get(meta, "annotations"), 0);
    assert_int_equal(json_integer_value(json_object_get(a, "core:sample_start")), 2);
    assert_int_equal(json_integer_value(json_object_get(a, "core:sample_count")), 1);
    assert_int_equal(record_fixture_count(&b, ".sigmf-part"), 0);
    assert_int_equal(record_repair(path, UINT64_MAX, &why), 0); /* once more: nothing to do */
    json_decref(meta);
    record_fixture_clean_up(&b);
}

/* A hash of 1 TB would take half an hour, in which a start would lose all samples. */
static void long_recordings_are_completed_without_a_hash(void **state)
{
    const uint64_t most[] = {1 << 20, UINT64_MAX}, bytes[] = {UINT64_C(1) << 40, 1 << 20};
    static const char name[] = "fftd_20261121T101500Z_1M_1000k";
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct record_fixture b = {0};
        struct reason why = {0};
        char path[256];
        record_fixture_start(&b, false);
        crash(&b, name);
        snprintf(path, sizeof path, "%s/%s.sigmf-data", b.folder, name);
        assert_int_equal(truncate(path, (off_t)bytes[i]), 0);
        assert_int_equal(record_repair(b.folder, most[i], &why), 1);
        json_t *meta = record_fixture_meta(&b, name);
        const json_t *global = json_object_get(meta, "global");
        assert_int_equal(json_object_get(global, "core:sha512") != NULL, i);
        assert_string_equal(json_string_value(json_object_get(global, "fftd:end")), "interrupted");
        assert_int_equal(
            json_integer_value(json_object_get(json_object_get(global, "fftd:ledger"), "samples")),
            (json_int_t)(bytes[i] / 4));
        json_decref(meta);
        record_fixture_clean_up(&b);
    }
}

static void a_running_recording_is_not_repaired(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    uint64_t id;
    struct reason why = {0};
    struct record_info info = {0};
    const struct record_request q = {.epoch = RECORD_NEWEST, .to = RECORD_OPEN};
    record_fixture_start(&b, false);
    assert_int_equal(recorder_start(b.recorder, &q, &id, NULL), 0);
    record_fixture_write(&b, 100000);
    while (info.samples < 100000) {
        usleep(1000);
        recorder_find(b.recorder, id, &info);
    }
    assert_int_equal(record_repair(b.folder, UINT64_MAX, &why), 0);
    recorder_stop(b.recorder, id);
    assert_int_equal(record_fixture_await(&b, id).state, RECORD_DONE);
    record_fixture_clean_up(&b);
}

static void what_is_no_recording_is_named(void **state)
{
    (void)state;
    struct reason why = {0};
    assert_int_equal(record_repair("/nonexistent", UINT64_MAX, &why), -ENOENT);
    assert_non_null(strstr(why.sentence, "/nonexistent"));
    assert_int_equal(record_repair("/etc/hostname", UINT64_MAX, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, "/etc/hostname"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_has_time_centre_and_rate),
        cmocka_unit_test(an_undated_name_has_the_position),
        cmocka_unit_test(only_names_of_recordings_are_accepted),
        cmocka_unit_test(a_failed_write_leaves_a_shorter_valid_recording),
        cmocka_unit_test(too_little_free_disk_refuses_a_recording),
        cmocka_unit_test(events_take_so_many_bytes_an_hour),
        cmocka_unit_test(the_recording_of_a_long_event_ends_at_the_limit),
        cmocka_unit_test(the_oldest_recordings_make_room),
        cmocka_unit_test(times_of_a_wrong_clock_count_as_now),
        cmocka_unit_test(a_long_recording_is_split_without_a_gap),
        cmocka_unit_test(a_crashed_recording_is_completed),
        cmocka_unit_test(long_recordings_are_completed_without_a_hash),
        cmocka_unit_test(a_running_recording_is_not_repaired),
        cmocka_unit_test(what_is_no_recording_is_named),
    };
    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
