/* summary.c - logs the totals of a run, and writes them to the file of --stats. */
#include "daemon/status/summary.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/status/advice.h"
#include "daemon/status/status_json.h"

static uint64_t lost_samples(const struct ledger *l)
{
    uint64_t lost = 0;
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        lost += cause == LOSS_TAIL ? 0 : l->lost[cause];
    return lost;
}

static double samples_per_second(const struct status *s)
{
    return s->seconds > 0 ? (double)s->dsp.ledger.produced / s->seconds : 0;
}

/* Spectra need whole frames; a mark ends the frame before it. */
static void warn_about_short_recording(const struct status *s)
{
    const struct ledger *l = &s->dsp.ledger;
    if (strcmp(s->source, "file") == 0 && s->state == SOURCE_ENDED && l->frames == 0)
        log_warn("WARNING: no spectrum: the recording is shorter than one transform of %u points: "
                 "%llu samples; give a smaller --fft-size",
                 s->dsp.n, (unsigned long long)l->produced);
}

/* What was estimated of the receiver's front end, and whether it was corrected. */
static void log_front_end(const struct dsp_status *d)
{
    const struct front_end_figures *f = &d->front_end;
    if (isfinite(f->dc_dbfs))
        log_info("dc %.1f dBFS, %s", f->dc_dbfs, d->dc_removal ? "removed" : "left");
    if (isfinite(f->image_rejection_db))
        log_info("iq gain error %.2f dB, phase error %.2f degrees, image rejection %.1f dB: %s%s",
                 f->gain_db, f->phase_degrees, f->image_rejection_db,
                 !d->iq_correction       ? "left"
                 : f->plausible          ? "corrected"
                 : isfinite(f->doubt_db) ? "not the same at all frequencies"
                                         : "beyond 3 dB or 15 degrees",
                 !d->iq_correction || f->plausible ? ""
                 : f->held                         ? ", corrected by an earlier estimate"
                                                   : ", left");
    if (d->iq_correction && isfinite(f->doubt_db))
        log_warn("WARNING: iq-correction: a signal is symmetric about the centre, as AM there: its "
                 "estimate would make images of %.0f dB",
                 f->doubt_db);
}

void summary_log(const struct status *s)
{
    const struct ledger *l = &s->dsp.ledger;
    char floats[80] = "";
    if (l->beyond || l->invalid)
        snprintf(floats, sizeof floats, ", beyond full scale %llu, invalid %llu",
                 (unsigned long long)l->beyond, (unsigned long long)l->invalid);
    char left_out[48] = "";
    if (replay_left_out(&s->replay))
        snprintf(left_out, sizeof left_out, ", left out %llu",
                 (unsigned long long)replay_left_out(&s->replay));
    const char *advice = advice_text(s);
    log_info("%llu samples in %.3f s (%.4g MS/s): %llu frames, %llu lines; lost %llu, "
             "tail %llu, clipped %llu%s%s; %s",
             (unsigned long long)l->produced, s->seconds, samples_per_second(s) / 1e6,
             (unsigned long long)l->frames, (unsigned long long)l->lines,
             (unsigned long long)lost_samples(l), (unsigned long long)l->lost[LOSS_TAIL],
             (unsigned long long)l->clipped, floats, left_out, s->dsp.engine);
    if (advice[0])
        log_warn("%s", advice);
    log_front_end(&s->dsp);
    warn_about_short_recording(s);
    if (s->stream.rate_assumed)
        log_warn("WARNING: the sample rate is not known: frequencies are fractions of it, and "
                 "times assume 1 MS/s; give --rate");
}

static json_t *to_json(const struct status *s)
{
    json_t *object = ledger_to_json(&s->dsp.ledger);
    json_t *more = json_pack("{s:I, s:s, s:s, s:b, s:f, s:f, s:i, s:i, s:i, s:I}", "samples",
                             (json_int_t)s->dsp.ledger.produced, "engine", s->dsp.engine, "source",
                             s->source, "rate_assumed", s->stream.rate_assumed, "seconds",
                             s->seconds, "samples_per_second", samples_per_second(s), "fft_size",
                             (int)s->dsp.n, "hop", (int)s->dsp.hop, "epochs", (int)s->dsp.epoch + 1,
                             "left_out", (json_int_t)replay_left_out(&s->replay));
    if (object && more)
        json_object_update(object, more);
    json_decref(more);
    return object;
}

int summary_open(struct summary *s, const struct out_file_config *config, struct reason *why)
{
    s->wanted = true;
    return out_file_open(&s->file, config, why);
}

int summary_begin(struct summary *s, struct reason *why)
{
    return s->wanted ? out_file_begin(&s->file, why) : 0;
}

int summary_reopen(struct summary *s, struct reason *why)
{
    return s->wanted ? out_file_reopen(&s->file, why) : 0;
}

/* Opens the FIFO when it has a reader, until the time is over. */
static int wait_for_reader(struct summary *s, int timeout_ms, struct reason *why)
{
    const uint64_t until = clock_after_ms(timeout_ms);
    int err = out_file_reopen(&s->file, why);
    while (err == 0 && s->file.fd < 0 && clock_now_ns() < until) {
        uv_sleep(10);
        err = out_file_reopen(&s->file, why);
    }
    if (err == 0 && s->file.fd < 0)
        return reason_set(why, -ENXIO, "%s: nobody reads this FIFO: the statistics are not written",
                          s->file.config.path);
    return err;
}

/* A file that gets no whole row gets nothing. */
static int write_row(const struct out_file *f, const char *row, size_t length)
{
    const off_t start = f->own ? (off_t)out_file_size(f) : 0;
    for (size_t at = 0; at < length;) {
        const ssize_t put = write(f->fd, row + at, length - at);
        if (put < 0 && errno != EINTR) {
            const int err = -errno;
            if (f->own && at > 0 && ftruncate(f->fd, start) < 0)
                log_warn("%s: its last row is not whole", f->config.path);
            return err;
        }
        at += put > 0 ? (size_t)put : 0;
    }
    return 0;
}

int summary_write(struct summary *s, const struct status *status, int timeout_ms,
                  struct reason *why)
{
    json_t *object = to_json(status);
    char *json = json_text(object, JSON_COMPACT);
    char *row = NULL;
    const int length = json ? asprintf(&row, "%s\n", json) : -1;
    int err = length < 0 ? reason_set(why, -ENOMEM, "stats: no memory") : 0;
    if (err == 0)
        err = wait_for_reader(s, timeout_ms, why);
    if (err == 0)
        err = out_file_prepare(&s->file, (uint64_t)length, why);
    if (err == 0) {
        err = write_row(&s->file, row, (size_t)length);
        if (err < 0)
            reason_set(why, err, "%s: %s", s->file.config.path, strerror(-err));
    }
    json_decref(object);
    free(json);
    free(length < 0 ? NULL : row);
    summary_close(s);
    return err;
}

void summary_close(struct summary *s)
{
    if (s->wanted)
        out_file_close(&s->file);
    *s = (struct summary){.file = {.fd = -1}};
}
