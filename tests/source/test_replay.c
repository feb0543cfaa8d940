/*
 * test_replay.c - the part of a recording that is replayed, and seeks. Each sample of a recording
 * contains its own position, so the bytes prove where they come from.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/source/file/recording_source.h"
#include "tests/support/source/source_support.h"

enum { SAMPLES = 5000, RATE = 1000 };

/* cs16 samples: I and Q together are the position, 32 bits. */
static struct bytes counted(uint32_t samples)
{
    struct bytes b = {0};
    for (uint32_t i = 0; i < samples; i++)
        put_u32(&b, i);
    return b;
}

static uint32_t sample_at(const struct bytes *b, size_t i)
{
    return (uint32_t)(b->at[4 * i] | b->at[4 * i + 1] << 8 | b->at[4 * i + 2] << 16) |
           (uint32_t)b->at[4 * i + 3] << 24;
}

static struct source_config config_of(const char *name)
{
    struct bytes in = counted(SAMPLES);
    const struct source_config config = replay_of(file_of(name, in.at, in.size));
    drop(&in);
    return config;
}

static void expect_run(const struct bytes *got, size_t at, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(sample_at(got, at + i), first + i);
}

static void seek(struct source *s, double seconds)
{
    struct replay_request want = {.speed = 1,
                                  .loop = s->replay.loop,
                                  .from_s = s->config->from_s,
                                  .to_s = s->config->to_s,
                                  .seeks = s->replay.seeks + 1,
                                  .seek_s = seconds};
    struct reason why = {0};
    s->replay.controllable = true;
    assert_int_equal(replay_check(&s->replay, &want, &why), 0);
    s->ops->replay(s, &want);
}

static void what_a_part_leaves_out_is_counted_for_files_and_pipes(void **state)
{
    static const struct {
        uint64_t samples, first, end, left_out;
    } table[] = {
        {100, 0, 100, 0},           {100, 10, 90, 20},
        {100, 0, REPLAY_TO_END, 0}, {100, 10, REPLAY_TO_END, 10},
        {0, 10, REPLAY_TO_END, 0},  {100, 120, REPLAY_TO_END, 100},
        {100, 10, 400, 10},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct replay_state now = {
            .samples = table[i].samples, .first = table[i].first, .end = table[i].end};
        assert_int_equal(replay_left_out(&now), table[i].left_out);
    }
}

/* From 1.25 s to 3.001 s at 1 kS/s: samples 1250 to 3000. */
static void a_part_is_replayed_to_the_sample(void **state)
{
    (void)state;
    struct source_config config = config_of("part_1000.cs16");
    int err = 0;
    config.tuning.rate_hz = RATE;
    config.from_s = 1.25;
    config.to_s = 3.001;
    struct source *s = open_source(&config);
    assert_int_equal(s->stream.samples, 1751);
    assert_int_equal(replay_left_out(&s->replay), SAMPLES - 1751);
    assert_int_equal(s->anchor.position, 1250);
    struct bytes out = read_samples(s, UINT64_MAX, 64, &err);
    assert_int_equal(err, -ENODATA);
    assert_int_equal(out.size, 4 * 1751);
    expect_run(&out, 0, 1250, 1751);
    assert_int_equal(s->replay.position, 3001);
    assert_true(s->replay.ended);
    drop(&out);
    source_destroy(s);
}

static void a_part_beyond_the_end_is_refused_or_shortened(void **state)
{
    (void)state;
    struct source_config config = config_of("beyond_1000.cs16");
    int err = 0;
    config.tuning.rate_hz = RATE;
    config.from_s = 5;
    expect_refused(&config, -EINVAL, "beyond_1000.cs16: from is 5 s, but the recording lasts 5 s");
    config.from_s = 4;
    config.to_s = 6;
    struct source *s = open_source(&config);
    struct bytes out = read_samples(s, UINT64_MAX, 64, &err);
    assert_int_equal(out.size, 4 * 1000);
    expect_run(&out, 0, 4000, 1000);
    drop(&out);
    source_destroy(s);
}

static void seeks_continue_at_their_sample(void **state)
{
    (void)state;
    static const double seconds[] = {3.5, 0, 4.999, 1.0004, 0.0006};
    static const uint32_t positions[] = {3500, 0, 4999, 1000, 1};
    struct source_config config = config_of("seek_1000.cs16");
    int err = 0;
    config.tuning.rate_hz = RATE;
    struct source *s = open_source(&config);
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        struct bytes before = read_samples(s, 10, 3, &err);
        drop(&before);
        s->mark.set = false;
        seek(s, seconds[i]);
        assert_true(s->mark.set);
        assert_int_equal(s->mark.cause, LOSS_CAUSES);
        assert_int_equal(s->mark.anchor.jump, REPLAY_SEEK);
        assert_int_equal(s->mark.anchor.position, positions[i]);
        assert_int_equal(s->mark.time_ns, positions[i] * 1000000LL);
        struct bytes out = read_samples(s, 1, 64, &err);
        assert_int_equal(sample_at(&out, 0), positions[i]);
        drop(&out);
    }
    source_destroy(s);
}

static void a_seek_after_the_end_of_the_part_is_refused(void **state)
{
    (void)state;
    struct replay_state now = {.active = true,
                               .controllable = true,
                               .seekable = true,
                               .rate_hz = RATE,
                               .samples = SAMPLES,
                               .end = SAMPLES};
    struct replay_request want = {.speed = 1, .seeks = 1, .seek_s = 5};
    struct reason why = {0};
    assert_int_equal(replay_check(&now, &want, &why), -EINVAL);
    assert_string_equal(why.sentence, "position: 5 s is not within the part from 0 s to 5 s");
    want.seek_s = 4.999;
    assert_int_equal(replay_check(&now, &want, &why), 0);
    want.to_s = 4;
    assert_int_equal(replay_check(&now, &want, &why), -EINVAL);
    want = (struct replay_request){.speed = 1, .from_s = 3, .to_s = 3};
    assert_int_equal(replay_check(&now, &want, &why), -EINVAL);
    now.seekable = false;
    want = (struct replay_request){.speed = 1, .seeks = 1};
    assert_int_equal(replay_check(&now, &want, &why), -ENOTSUP);
    now.controllable = false;
    want.seeks = 0;
    assert_int_equal(replay_check(&now, &want, &why), -ENOTSUP);
}

static void a_loop_repeats_the_part(void **state)
{
    (void)state;
    struct source_config config = config_of("again_1000.cs16");
    int err = 0;
    config.tuning.rate_hz = RATE;
    config.from_s = 2;
    config.to_s = 2.1;
    config.loop = true;
    struct source *s = open_source(&config);
    struct bytes out = read_samples(s, 350, 64, &err);
    for (uint32_t i = 0; i < 350; i++)
        assert_int_equal(sample_at(&out, i), 2000 + i % 100);
    drop(&out);
    source_destroy(s);
}

/* 4,000 bytes of one capture, then 8 bytes that are no samples, then the next capture. */
static void seeks_cross_captures_with_data_between_them(void **state)
{
    (void)state;
    struct recording r = {
        .sample = iq_sample_find("cs16"), .channels = 1, .rate_hz = RATE, .count = 3};
    struct recording_segment segments[3] = {{.samples = 100, .has_time = true, .time_ns = 5000},
                                            {.skip_bytes = 8, .samples = 50, .lost = 7},
                                            {.skip_bytes = 4, .samples = RECORDING_TO_END}};
    static const struct {
        uint64_t position;
        size_t segment;
        uint64_t byte, left;
        int64_t milliseconds; /* after the first sample */
    } table[] = {{0, 0, 0, 100, 0},
                 {99, 0, 396, 1, 99},
                 {100, 1, 408, 50, 107},
                 {149, 1, 604, 1, 156},
                 {150, 2, 612, RECORDING_TO_END, 157},
                 {1000, 2, 4012, RECORDING_TO_END, 1007}};
    r.segments = segments;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        uint64_t left = 0;
        int64_t time_ns = 0;
        r.bytes = (struct byte_stream){.seekable = true};
        assert_int_equal(recording_skip_to(&r, table[i].position, &left), table[i].segment);
        assert_int_equal(r.bytes.at, table[i].byte);
        assert_int_equal(left, table[i].left);
        assert_true(recording_time(&r, table[i].position, &time_ns));
        assert_int_equal(time_ns, 5000 + table[i].milliseconds * 1000000);
    }
    segments[0].has_time = false;
    int64_t time_ns;
    assert_false(recording_time(&r, 100, &time_ns));
}

static void a_paused_replay_gives_nothing_and_goes_on_where_it_was(void **state)
{
    (void)state;
    struct source_config config = config_of("pause_1000.cs16");
    uint8_t raw[4 * 10];
    int err = 0;
    config.tuning.rate_hz = RATE;
    struct source *s = open_source(&config);
    struct bytes before = read_samples(s, 25, 5, &err);
    s->ops->replay(s, &(struct replay_request){.paused = true, .speed = 1});
    for (int i = 0; i < 5; i++)
        assert_int_equal(s->ops->read(s, raw, 10, 1), 0);
    assert_int_equal(s->replay.position, 25);
    s->ops->replay(s, &(struct replay_request){.speed = 1});
    struct bytes after = read_samples(s, 25, 5, &err);
    expect_run(&before, 0, 0, 25);
    expect_run(&after, 0, 25, 25);
    drop(&before);
    drop(&after);
    source_destroy(s);
}

/* At speed 4, 2,000 samples at 10 kS/s are due 50 ms after the start; a change starts anew. */
static void speed_scales_the_pace_and_is_never_early(void **state)
{
    (void)state;
    struct source_config config = config_of("speed_1000.cs16");
    int err = 0;
    config.tuning.rate_hz = 10000;
    config.realtime = true;
    config.speed = 4;
    struct source *s = open_source(&config);
    uint64_t before = clock_now_ns();
    struct bytes out = read_samples(s, 2000, 50, &err);
    assert_true(clock_now_ns() - before >= 49000000U);
    drop(&out);
    s->ops->replay(s, &(struct replay_request){.speed = 2});
    before = clock_now_ns();
    out = read_samples(s, 2000, 50, &err);
    assert_true(clock_now_ns() - before >= 99000000U);
    expect_run(&out, 0, 2000, 2000);
    drop(&out);
    source_destroy(s);
}

static void a_replay_that_stays_waits_at_its_end_for_a_seek(void **state)
{
    (void)state;
    struct source_config config = config_of("stay_1000.cs16");
    uint8_t raw[4 * 64];
    int err = 0;
    config.tuning.rate_hz = RATE;
    config.from_s = 4.9;
    config.keep_running = true;
    struct source *s = open_source(&config);
    struct bytes out = read_samples(s, 100, 64, &err);
    for (int i = 0; i < 5; i++)
        assert_int_equal(s->ops->read(s, raw, 64, 1), 0);
    assert_true(s->replay.ended);
    seek(s, 4.95);
    assert_false(s->replay.ended);
    drop(&out);
    out = read_samples(s, 50, 64, &err);
    expect_run(&out, 0, 4950, 50);
    drop(&out);
    source_destroy(s);
}

static void browsers_get_no_folder(void **state)
{
    (void)state;
    struct source_config config = config_of("folder_1000.cs16");
    config.tuning.rate_hz = RATE;
    struct source *s = open_source(&config);
    struct tuning want = config.tuning;
    assert_string_equal(s->stream.about, "folder_1000.cs16 (cs16)");
    want.rate_hz = 2 * RATE;
    assert_int_equal(s->ops->tune(s, &want), -ENOTSUP);
    assert_null(strchr(s->why.sentence, '/'));
    source_destroy(s);
}

/* Captures that follow one another are passed once each, dated or not. */
static void many_captures_are_passed_once(void **state)
{
    enum { COUNT = 100000 };
    (void)state;
    for (int dated = 0; dated < 2; dated++) {
        struct recording r = {.rate_hz = 1000, .count = COUNT};
        int64_t time_ns;
        r.segments = calloc(COUNT, sizeof *r.segments);
        assert_non_null(r.segments);
        for (size_t i = 0; i < COUNT; i++)
            r.segments[i].samples = 2;
        r.segments[0].has_time = dated;
        r.segments[0].time_ns = 5;
        for (uint64_t i = 0; i < COUNT; i++) {
            assert_int_equal(recording_time(&r, 2 * i + 1, &time_ns), dated);
            assert_true(!dated || time_ns == 5 + (int64_t)(2 * i + 1) * 1000000);
        }
        assert_true(recording_time(&r, 1, &time_ns) == dated); /* and back */
        assert_true(!dated || time_ns == 1000005);
        assert_true(r.place.steps <= 2 * COUNT);
        free(r.segments);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_captures_are_passed_once),
        cmocka_unit_test(what_a_part_leaves_out_is_counted_for_files_and_pipes),
        cmocka_unit_test(a_part_is_replayed_to_the_sample),
        cmocka_unit_test(a_part_beyond_the_end_is_refused_or_shortened),
        cmocka_unit_test(seeks_continue_at_their_sample),
        cmocka_unit_test(a_seek_after_the_end_of_the_part_is_refused),
        cmocka_unit_test(a_loop_repeats_the_part),
        cmocka_unit_test(seeks_cross_captures_with_data_between_them),
        cmocka_unit_test(a_paused_replay_gives_nothing_and_goes_on_where_it_was),
        cmocka_unit_test(speed_scales_the_pace_and_is_never_early),
        cmocka_unit_test(a_replay_that_stays_waits_at_its_end_for_a_seek),
        cmocka_unit_test(browsers_get_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
