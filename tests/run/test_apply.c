/*
 * test_apply.c - changes every live setting while the radio runs.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/reason.h"
#include "daemon/config/option_table.h"
#include "daemon/run/acquisition.h"
#include "daemon/system/memory.h"

struct fixture {
    struct config config;
    struct line_ring *lines;
    struct line_reader reader;
    struct acquisition *radio;
    uint64_t next_line;
};

static void start(struct fixture *b, uint64_t ring_bytes)
{
    struct reason why = {0};
    *b = (struct fixture){.config.source.ring_bytes = ring_bytes};
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

static void finish(struct fixture *b)
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

static struct line *next(struct fixture *b)
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

static void becomes(struct fixture *b, const struct settings *want, const char *window)
{
    struct reason why = {0};
    assert_int_equal(acquisition_apply(b->radio, want, &why), 0);
    for (int lines = 0; lines < 5000; lines++) {
        struct line *line = next(b);
        const bool done = shows(line, want, window);
        line_unref(b->lines, line);
        if (done)
            return;
    }
    fail_msg("no line as wanted: n %u, window %s", want->n, window);
}

static void frames_lines_and_tuning_change_together_while_running(void **state)
{
    (void)state;
    struct fixture b;
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

/* ---- each of them alone ------------------------------------------------------------------ */

typedef bool shown(const struct line *line, const struct status *status);
#define SHOWN(name, expression)                                                                    \
    static bool shows_##name(const struct line *line, const struct status *status)                 \
    {                                                                                              \
        (void)line, (void)status;                                                                  \
        return expression;                                                                         \
    }
SHOWN(center, line->tuning.center_hz - 433e6 == 0)
SHOWN(rate, line->tuning.rate_hz - 1e6 == 0)
SHOWN(gain, strcmp(status->stream.tuning.gain, "30") == 0)
SHOWN(ppm, status->stream.tuning.ppm - 5 == 0)
SHOWN(converter, status->stream.tuning.converter_hz - 1e6 == 0)
SHOWN(bandwidth, status->stream.tuning.bandwidth_hz - 2e5 == 0)
SHOWN(antenna, strcmp(status->stream.tuning.antenna, "RX2") == 0)
SHOWN(inverted, status->stream.tuning.invert)
SHOWN(driver, strcmp(status->stream.tuning.settings, "a=1") == 0)
SHOWN(dc_spur, line->dc_spur)
SHOWN(bins, line->n == 512)
SHOWN(window, strcmp(line->window, "hann") == 0)
SHOWN(overlap, line->hop == 64)
SHOWN(one_frame, line->frames == 1)
SHOWN(seven_frames, line->frames == 7)
SHOWN(ten_frames, line->frames == 9 || line->frames == 10)
SHOWN(usable_band, line->usable_percent - 80 == 0)
SHOWN(dc_removal, status->dsp.dc_removal)
SHOWN(iq_correction, status->dsp.iq_correction)
SHOWN(columns, line->density.columns == 16)
SHOWN(levels, line->density.levels == 20)
SHOWN(top, fabs((double)line->density.top_db + 10) < 1e-6)
SHOWN(step, fabs((double)line->density.step_db - 2) < 1e-6)
SHOWN(sweep, line->dwells > 0)
SHOWN(dwell, line->dwells > 0 && status->dsp.sweep.dwell_samples > 10000)

static const struct effect {
    const char *key, *text; /* of the option */
    shown *shown;           /* not with the settings of start(), but once it has this value */
    const char *span;       /* (optional) of a sweep that it needs */
} effects[] = {
    {"center", "433M", shows_center, NULL},
    {"rate", "1M", shows_rate, NULL},
    {"gain", "30", shows_gain, NULL},
    {"ppm", "5", shows_ppm, NULL},
    {"converter", "1M", shows_converter, NULL},
    {"bandwidth", "200k", shows_bandwidth, NULL},
    {"antenna", "RX2", shows_antenna, NULL},
    {"settings", "a=1", shows_driver, NULL},
    {"invert", "yes", shows_inverted, NULL},
    {"dc-spur", "yes", shows_dc_spur, NULL},
    {"fft-size", "512", shows_bins, NULL},
    {"rbw", "500", shows_bins, NULL},
    {"window", "hann", shows_window, NULL},
    {"overlap", "75", shows_overlap, NULL},
    {"vbw", "1k", shows_one_frame, NULL},
    {"average", "7", shows_seven_frames, NULL},
    {"line-rate", "200", shows_ten_frames, NULL},
    {"usable-band", "80", shows_usable_band, NULL},
    {"dc-removal", "yes", shows_dc_removal, NULL},
    {"iq-correction", "yes", shows_iq_correction, NULL},
    {"density-columns", "16", shows_columns, NULL},
    {"density-levels", "20", shows_levels, NULL},
    {"density-top", "-10", shows_top, NULL},
    {"density-step", "2", shows_step, NULL},
    {"span", "99.6M:100.4M", shows_sweep, NULL},
    {"dwell", "50ms", shows_dwell, "99.6M:100.4M"},
};

/* Applies the settings and waits for a line after which `shown` returns `wanted`. */
static void wait_for(struct fixture *b, const struct settings *want, const struct effect *e,
                     bool wanted)
{
    struct reason why = {0};
    if (acquisition_apply(b->radio, want, &why) < 0)
        fail_msg("%s: %s", e->key, why.sentence);
    for (int tries = 0; tries < 2400; tries++) {
        struct status status;
        assert_true(acquisition_tick(b->radio));
        struct line *line = line_reader_next(&b->reader, 50, NULL);
        if (!line)
            continue;
        acquisition_status(b->radio, &status);
        const bool done = e->shown(line, &status) == wanted;
        b->next_line = line->number + 1;
        line_unref(b->lines, line);
        if (done)
            return;
    }
    fail_msg("%s = %s: no line shows it", e->key, wanted ? e->text : "before");
}

static void set(struct settings *settings, const char *key, const char *text)
{
    struct config config = {.settings = *settings};
    assert_int_equal(option_parse(option_find(NULL, key), text, &config), 0);
    *settings = config.settings;
}

static void check_effect(struct fixture *b, const struct settings *before, const struct effect *e)
{
    struct settings want = *before;
    if (e->span)
        set(&want, "span", e->span);
    wait_for(b, &want, e, false);
    set(&want, e->key, e->text);
    wait_for(b, &want, e, true);
    wait_for(b, before, e, false);
}

/* 0: no row of `effects` has the option, which is live. */
static size_t effects_of(const struct config_option *o)
{
    size_t found = 0;
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++)
        found += strcmp(effects[i].key, o->key) == 0;
    return found;
}

static void each_live_setting_has_its_effect_while_running(void **state)
{
    (void)state;
    struct fixture b;
    size_t live = 0;
    for (size_t i = 0; i < option_count(); i++) {
        const struct config_option *o = option_at(i);
        const bool is_setting =
            o->offset >= offsetof(struct config, settings) &&
            o->offset < offsetof(struct config, settings) + sizeof b.config.settings;
        if (!o->live || !is_setting || !o->section)
            continue;
        live++;
        if (effects_of(o) != 1)
            fail_msg("--%s is a live setting: what does a line show of it?", o->key);
    }
    assert_int_equal(live, sizeof effects / sizeof effects[0]);
    start(&b, 0);
    struct settings before = b.config.settings;
    before.density = (struct fft_density){.columns = 64, .levels = 32, .top_db = 0, .step_db = 1};
    before.density_wanted = true;
    before.sweep.dwell_s = 0.01;
    before.usable_percent = 100;
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++)
        check_effect(&b, &before, &effects[i]);
    finish(&b);
}

/* ---- refusals ---------------------------------------------------------------------------- */

static void an_fft_too_large_for_the_ring_is_refused_without_effect(void **state)
{
    (void)state;
    struct fixture b;
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
    struct fixture b;
    struct reason why = {0};
    start(&b, 0);
    struct settings want = b.config.settings;
    becomes(&b, &want, "rect");
    const struct memory_limits small = {300 << 20, 60 << 20, "the test"};
    memory_set_limits(&small);
    want.n = 1 << 20; /* three lines of 1,048,576 bins, four detectors and pyramids: 96 MiB */
    assert_int_equal(acquisition_apply(b.radio, &want, &why), -ENOMEM);
    assert_non_null(strstr(why.sentence, "fft-size 1048576 at 250000 samples/s needs "));
    assert_non_null(strstr(why.sentence, "; the test has 60 MiB left"));
    want = b.config.settings;
    want.n = 4096;
    becomes(&b, &want, "rect");
    const struct memory_limits full = {300 << 20, 0, "the test"};
    memory_set_limits(&full);
    want.tuning.center_hz = 433e6; /* takes none */
    becomes(&b, &want, "rect");
    memory_set_limits(NULL);
    finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_lines_and_tuning_change_together_while_running),
        cmocka_unit_test(each_live_setting_has_its_effect_while_running),
        cmocka_unit_test(an_fft_too_large_for_the_ring_is_refused_without_effect),
        cmocka_unit_test(a_plan_without_memory_is_refused_before_any_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
