/* trigger_fixture.c - replays samples to triggers. */
#include "tests/support/trigger/trigger_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/reason.h"
#include "daemon/dsp/dsp_thread.h"

void trigger_fixture_begin(struct trigger_fixture *r, size_t count)
{
    *r = (struct trigger_fixture){.count = count, .iq = calloc(count, sizeof *r->iq)};
    r->settings = (struct settings){
        .n = 256, .overlap = 50, .average = 10, .window = {.kind = FFT_WINDOW_RECT}};
    r->settings.tuning.rate_hz = FIXTURE_RATE;
    assert_non_null(r->iq);
}

void trigger_fixture_add_tone(struct trigger_fixture *r, double a, int bin, size_t from,
                              size_t length)
{
    for (size_t i = from; i < from + length && i < r->count; i++) {
        const double turns = fmod((double)bin * (double)i / r->settings.n, 1);
        r->iq[i].re += (float)(a * cos(2 * M_PI * turns));
        r->iq[i].im += (float)(a * sin(2 * M_PI * turns));
    }
}

struct trigger_setup *trigger_fixture_setup(const char *line)
{
    struct option_text text;
    struct trigger_setup *setup;
    struct reason why = {0};
    if (option_text_split_keys(&text, line, &why) < 0)
        fail_msg("%s: %s", line, why.sentence);
    if (!text.name)
        text.name = strdup("t");
    if (trigger_setup_create(&setup, &text, "--trigger", &why) < 0)
        fail_msg("%s: %s", line, why.sentence);
    option_text_finish(&text);
    return setup;
}

static struct epoch *push_epoch(const struct trigger_fixture *r, struct exchange *exchange)
{
    struct stream stream = {.format = FFT_IQ_CF32, .full_scale = 1};
    stream.tuning.center_hz = FIXTURE_CENTER;
    stream.tuning.rate_hz = FIXTURE_RATE;
    stream.start_ns = FIXTURE_START_S * 1000000000LL;
    const struct epoch_config config = {.number = exchange_number_epoch(exchange),
                                        .n = r->settings.n,
                                        .ring_bytes = r->ring_bytes,
                                        .lossless = true};
    struct epoch *e;
    struct reason why = {0};
    if (epoch_create(&e, &stream, &config, &why) < 0)
        fail_msg("%s", why.sentence);
    exchange_push_epoch(exchange, epoch_ref(e));
    return e;
}

static void write_all(const struct trigger_fixture *r, struct epoch *e)
{
    const uint32_t block = epoch_block(&e->stream, iq_ring_capacity(e->ring), 0);
    for (size_t done = 0; done < r->count;) {
        const size_t now = r->count - done < block ? r->count - done : block;
        struct fft_iq *into = iq_ring_write_begin(e->ring, 100);
        if (!into)
            continue;
        memcpy(into, r->iq + done, now * sizeof *into);
        iq_ring_write_end(e->ring, (uint32_t)now);
        done += now;
    }
    iq_ring_close(e->ring);
    epoch_unref(e);
}

static struct dsp_thread *start_dsp(struct exchange *exchange, struct line_ring *lines,
                                    struct iq_tap *tap)
{
    const struct fft_engine_config cpu = {.name = "cpu", .threads = 1};
    struct dsp_thread_config config = {.threads = 1,
                                       .exchange = exchange,
                                       .lines = lines,
                                       .tap = tap,
                                       .lossless = true,
                                       .detectors = FFT_DETECTOR_MAX | FFT_DETECTOR_MIN};
    struct dsp_thread *dsp;
    char why[200];
    assert_int_equal(fft_engine_open(&config.engine, &cpu, why, sizeof why), 0);
    assert_int_equal(dsp_thread_start(&dsp, &config), 0);
    return dsp;
}

static void collect(struct trigger_fixture *r, struct triggers *t)
{
    while (!triggers_ended(t))
        uv_sleep(1);
    r->events = event_store_list(triggers_events(t),
                                 &(struct event_filter){EVENT_FILTER_ALL, .limit = FIXTURE_EVENTS},
                                 r->event, NULL);
    triggers_state(t, &r->state);
    for (size_t i = 0; i < triggers_count(t); i++)
        triggers_one_state(t, i, &r->one[i]);
}

void trigger_fixture_run(struct trigger_fixture *r, const char *const *list)
{
    struct exchange *exchange;
    struct triggers_config config = {.lossless = true};
    struct triggers *triggers;
    assert_int_equal(exchange_create(&exchange, &r->settings), 0);
    assert_int_equal(line_ring_create(&config.lines, NULL, NULL), 0);
    assert_int_equal(iq_tap_create(&config.tap, true), 0);
    assert_int_equal(event_store_create(&config.events), 0);
    assert_int_equal(triggers_create(&triggers, &config), 0);
    for (; *list; list++)
        assert_int_equal(triggers_set(triggers, trigger_fixture_setup(*list)), 0);

    struct epoch *e = push_epoch(r, exchange);
    struct dsp_thread *dsp = start_dsp(exchange, config.lines, config.tap);
    write_all(r, e);
    exchange_end(exchange);
    collect(r, triggers);

    dsp_thread_stop(dsp);
    dsp_thread_destroy(dsp);
    triggers_destroy(triggers);
    event_store_destroy(config.events);
    iq_tap_destroy(config.tap);
    line_ring_destroy(config.lines);
    exchange_unref(exchange);
}

void trigger_fixture_end(struct trigger_fixture *r)
{
    free(r->iq);
}
