/* dsp_fixture.c - starts the dsp thread on a ring of counted samples, and reads its lines. */
#include "tests/support/dsp/dsp_fixture.h"

#include <stdlib.h>

#include "daemon/base/reason.h"

enum { SIZE = 1 << 22 };

struct settings dsp_fixture_settings(void)
{
    struct settings w = {.n = 256, .overlap = 50, .average = 10, .line_rate_hz = 20};
    w.tuning.rate_hz = RATE;
    return w;
}

static struct stream stream_of(void)
{
    struct stream s = {.format = FFT_IQ_CS16, .full_scale = 32768};
    s.tuning.center_hz = 100e6;
    s.tuning.rate_hz = RATE;
    s.start_ns = 5000000000;
    return s;
}

void dsp_fixture_push_epoch(struct dsp_fixture *b, bool lossless)
{
    const struct stream stream = stream_of();
    const struct epoch_config config = {
        .number = exchange_number_epoch(b->exchange), .n = b->settings.n, .lossless = lossless};
    struct reason why = {0};
    assert_int_equal(epoch_create(&b->epoch, &stream, &config, &why), 0);
    b->block = epoch_block(&stream, iq_ring_capacity(b->epoch->ring), b->settings.n);
    exchange_push_epoch(b->exchange, epoch_ref(b->epoch));
}

void dsp_fixture_start(struct dsp_fixture *b, const struct settings *w, bool lossless,
                       const struct dsp_thread_config *limits)
{
    *b = (struct dsp_fixture){.settings = *w};
    struct dsp_thread_config config = *limits;
    if (!config.engine)
        config.engine = probe_open(SIZE);
    config.threads = 1;
    assert_int_equal(exchange_create(&b->exchange, w), 0);
    assert_int_equal(line_ring_create(&b->lines, NULL, NULL), 0);
    line_reader_join(&b->reader, b->lines, true); /* gets every line */
    dsp_fixture_push_epoch(b, lossless);
    config.exchange = b->exchange;
    config.lines = b->lines;
    config.lossless = lossless;
    config.detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX;
    assert_int_equal(dsp_thread_start(&b->pipeline, &config), 0);
}

static void count_line(struct dsp_fixture *b, struct line *line)
{
    assert_int_equal(line->number, b->lines_seen);
    uint64_t lost = 0;
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        lost += line->ledger.lost[cause];
    assert_int_equal(line->ledger.produced, line->ledger.seen + lost);
    if (b->last) {
        b->fewest = b->lines_seen == 1 || b->last->frames < b->fewest ? b->last->frames : b->fewest;
        b->most = b->last->frames > b->most ? b->last->frames : b->most;
    }
    b->lines_seen++;
    b->frames += line->frames;
    b->gaps += line->gap_before;
    line_unref(b->lines, b->last);
    b->last = line;
}

/* Takes the published lines; with wait, until the dsp thread closed the ring. */
void dsp_fixture_take_lines(struct dsp_fixture *b, bool wait)
{
    bool closed = false;
    for (int idle = 0; !closed && idle < 1200;) {
        struct line *line = line_reader_next(&b->reader, wait ? 50 : 0, &closed);
        if (line)
            count_line(b, line);
        else if (!wait)
            return;
        else
            idle++;
    }
    assert_true(closed);
}

void dsp_fixture_write(struct dsp_fixture *b, uint32_t count)
{
    while (count > 0) {
        const uint32_t now = count < b->block ? count : b->block;
        uint32_t *into = iq_ring_write_begin(b->epoch->ring, 100);
        dsp_fixture_take_lines(b, false);
        if (!into)
            continue;
        for (uint32_t i = 0; i < now; i++)
            into[i] = b->number++;
        iq_ring_write_end(b->epoch->ring, now);
        count -= now;
    }
}

/* A device that lost samples skips their numbers. */
void dsp_fixture_lose(struct dsp_fixture *b, enum loss cause, uint32_t samples)
{
    struct iq_mark mark = {0};
    mark.lost[cause] = samples;
    mark.events[cause] = 1;
    iq_ring_mark(b->epoch->ring, &mark);
    b->number += samples;
}

void dsp_fixture_end_epoch(struct dsp_fixture *b)
{
    iq_ring_close(b->epoch->ring);
    epoch_unref(b->epoch);
    b->epoch = NULL;
}

struct ledger dsp_fixture_finish(struct dsp_fixture *b)
{
    struct dsp_status report;
    if (b->epoch)
        dsp_fixture_end_epoch(b);
    exchange_end(b->exchange);
    dsp_fixture_take_lines(b, true);
    dsp_thread_status(b->pipeline, &report);
    dsp_thread_stop(b->pipeline);
    assert_true(report.ended);
    assert_int_equal(report.error, 0);
    assert_int_equal(probe.jumps, 0);
    return report.ledger;
}

void dsp_fixture_clean_up(struct dsp_fixture *b)
{
    line_unref(b->lines, b->last);
    line_reader_leave(&b->reader);
    dsp_thread_destroy(b->pipeline);
    epoch_unref(b->epoch);
    line_ring_destroy(b->lines);
    exchange_unref(b->exchange);
    probe_free();
}

void dsp_fixture_conserves(const struct dsp_fixture *b, const struct ledger *ledger)
{
    uint64_t lost = 0;
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        lost += ledger->lost[cause];
    assert_int_equal(ledger->produced, b->number);
    assert_int_equal(ledger->seen, probe_count());
    assert_int_equal(ledger->seen + lost, b->number);
    assert_int_equal(ledger->frames, b->frames);
    assert_int_equal(ledger->lines, b->lines_seen);
}

void dsp_fixture_wait_for_frames(struct dsp_fixture *b, uint64_t frames)
{
    struct dsp_status report = {0};
    for (int tries = 0; tries < 30000 && report.ledger.frames < frames; tries++) {
        uv_sleep(2);
        dsp_thread_status(b->pipeline, &report);
    }
    assert_int_equal(report.ledger.frames, frames);
}
