/*
 * test_apply.c - changes every live setting while the radio runs.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/reason.h"
#include "daemon/run/acquisition.h"
#include "daemon/system/memory.h"

struct rig {
    struct config config;
    struct line_ring *lines;
    struct line_reader reader;
    struct acquisition *radio;
    uint64_t next_line;
};

static void start(struct rig *b, uint64_t ring_bytes)
{
    struct reason why = {0};
    *b = (struct rig){.config.ring_bytes = ring_bytes};
    b->config.source.source = "sim";
    b->config.source.realtime = true;
    b->config.engine.name = "cpu";
    b->config.engine.threads = 1;
    b->config.settings = (struct settings){.n = 256, .overlap = 50, .line_rate_hz = 50};
    b->config.settings.tuning.rate_hz = 250000;
    b->config.settings.tuning.center_hz = 100e6;
    b->config.source.tuning = b->config.settings.tuning;
    assert_int_equal(line_ring_create(&b->lines, NULL, NULL), 0);
    line_reader_join(&b->reader, b->lines, false);
    const struct acquisition_sinks sinks = {.lines = b->lines};
    assert_int_equal(acquisition_start(&b->radio, &b->config, &sinks, &why), 0);
}

static void finish(struct rig *b)
{
    struct status status;
    assert_false(acquisition_stop(b->radio));
    acquisition_status(b->radio, &status);
    uint64_t lost = 0;
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        lost += status.dsp.ledger.lost[cause];
    assert_int_equal(status.dsp.ledger.produced, status.dsp.ledger.seen + lost);
    assert_int_equal(status.dsp.ledger.lost[LOSS_GAP], 0);
    line_reader_leave(&b->reader);
    acquisition_destroy(b->radio);
    line_ring_destroy(b->lines);
}

static struct line *next(struct rig *b)
{
    struct line *line = NULL;
    for (int tries = 0; !line && tries < 1200; tries++) {
        assert_true(acquisition_tick(b->radio));
        line = line_reader_next(&b->reader, 50, NULL);
    }
    assert_non_null(line);
    assert_true(line->number >= b->next_line);
    b->next_line = line->number + 1;
    /* From the first sample of the first frame to the last sample of the last frame. */
    assert_int_equal(line->sample_count, (line->frames - 1) * line->hop + line->n);
    return line;
}

static bool shows(const struct line *line, const struct settings *want, const char *window)
{
    return line->n == want->n && line->tuning.rate_hz - want->tuning.rate_hz == 0 &&
           line->tuning.center_hz - want->tuning.center_hz == 0 &&
           line->hop == (uint32_t)(want->n * (1 - want->overlap / 100)) &&
           strcmp(line->window, window) == 0 &&
           (want->average == 0 || line->frames == want->average);
}

static void becomes(struct rig *b, const struct settings *want, const char *window)
{
    struct reason why = {0};
    assert_int_equal(acquisition_apply(b->radio, want, &why), 0);
    for (int lines = 0; lines < 5000; lines++) {
        struct line *line = next(b);
        const bool done = shows(line, want, window);
        line_drop(b->lines, line);
        if (done)
            return;
    }
    fail_msg("no line as wanted: n %u, window %s", want->n, window);
}

static void every_live_setting_changes_while_running(void **state)
{
    (void)state;
    struct rig b;
    start(&b, 0);
    struct settings want = b.config.settings;
    becomes(&b, &want, "rect");
    want.window.kind = FFT_WINDOW_HANN;
    becomes(&b, &want, "hann");
    want.n = 65536; /* more than the ring of 250,000 samples serves */
    becomes(&b, &want, "hann");
    want.overlap = 75;
    want.n = 64;
    want.average = 7;
    becomes(&b, &want, "hann");
    want.tuning.center_hz = 433e6;
    becomes(&b, &want, "hann");
    want.tuning.rate_hz = 1e6;
    want.n = 1024;
    becomes(&b, &want, "hann");
    want.average = 0;
    want.line_rate_hz = 200;
    becomes(&b, &want, "hann");
    finish(&b);
}

static void an_fft_too_large_for_the_ring_is_refused_without_effect(void **state)
{
    (void)state;
    struct rig b;
    struct reason why = {0};
    start(&b, 524288); /* 8 batches of 16 frames of 1024 samples of cs16 */
    struct settings want = b.config.settings;
    becomes(&b, &want, "rect");
    want.n = 2048; /* 8 batches of an eighth of a second: 1,000,000 bytes */
    assert_int_equal(acquisition_apply(b.radio, &want, &why), -EINVAL);
    assert_non_null(strstr(why.sentence, "1000000"));
    want.n = 1024;
    becomes(&b, &want, "rect");
    want.tuning.rate_hz = 500e3;
    becomes(&b, &want, "rect");
    finish(&b);

    start(&b, 0);
    want = b.config.settings;
    want.tuning.rate_hz = 1e15; /* four petabytes */
    assert_int_equal(acquisition_apply(b.radio, &want, &why), -ENOMEM);
    want = b.config.settings;
    becomes(&b, &want, "rect");
    finish(&b);
}

static void a_plan_without_memory_is_refused_before_any_is_taken(void **state)
{
    (void)state;
    struct rig b;
    struct reason why = {0};
    start(&b, 0);
    struct settings want = b.config.settings;
    becomes(&b, &want, "rect");
    const struct memory_room small = {300 << 20, 60 << 20, "the test"};
    memory_set_room(&small);
    want.n = 1 << 20; /* three lines of 1,048,576 bins, four detectors and pyramids: 96 MiB */
    assert_int_equal(acquisition_apply(b.radio, &want, &why), -ENOMEM);
    assert_non_null(strstr(why.sentence, "fft-size 1048576 at 250000 samples/s needs "));
    assert_non_null(strstr(why.sentence, "; the test has 60 MiB left"));
    want = b.config.settings;
    want.n = 4096;
    becomes(&b, &want, "rect");
    const struct memory_room full = {300 << 20, 0, "the test"};
    memory_set_room(&full);
    want.tuning.center_hz = 433e6; /* takes none */
    becomes(&b, &want, "rect");
    memory_set_room(NULL);
    finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_live_setting_changes_while_running),
        cmocka_unit_test(an_fft_too_large_for_the_ring_is_refused_without_effect),
        cmocka_unit_test(a_plan_without_memory_is_refused_before_any_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
