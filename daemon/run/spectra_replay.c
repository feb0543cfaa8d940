/* spectra_replay.c - the thread that replays a spectrum archive. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/clock.h"
#include "daemon/base/reason.h"
#include "daemon/run/spectra_private.h"

enum { PAUSE_MS = 10 };

/* ---- the part, and jumps ---------------------------------------------------------------- */

void spectra_fail(struct spectra *s, int err, const char *why)
{
    exchange_set_state(s->exchange, SOURCE_FAILED, "%s: %s", s->name, why);
    uv_mutex_lock(&s->lock);
    s->status.error = err;
    s->status.failed = "archive";
    uv_mutex_unlock(&s->lock);
    s->over = true;
}

static int64_t time_of(const struct spectra *s, double seconds)
{
    return s->span.from_ns + llround(seconds * 1e9);
}

static void set_part(struct spectra *s)
{
    const int64_t to_ns = s->want.to_s > 0 ? time_of(s, s->want.to_s) : s->span.to_ns;
    s->from_ns = time_of(s, s->want.from_s);
    s->to_ns = to_ns < s->span.to_ns ? to_ns : s->span.to_ns;
    playback_limit(s->playback, (struct archive_span){s->from_ns, s->to_ns});
}

static void jump_to(struct spectra *s, int64_t time_ns, enum replay_jump jump)
{
    playback_seek(s->playback, time_ns);
    s->at_ns = time_ns;
    s->has_row = false;
    s->follows = false;
    s->jump = jump;
    s->shown = 0;
    s->pace_ns = 0;
    s->ended = false;
}

/* A part without rows is not repeated. */
void spectra_end_part(struct spectra *s)
{
    if (s->want.loop && s->shown > 0) {
        jump_to(s, s->from_ns, REPLAY_LOOP);
        return;
    }
    s->ended = true;
    s->over = !s->config->source.keep_running;
}

static void apply_request(struct spectra *s)
{
    struct replay_request want;
    if (!exchange_replay_requested(s->exchange, &s->version, &want))
        return;
    const bool seeks = want.seeks != s->want.seeks;
    s->want = want;
    s->pace_ns = 0; /* the time of a pause is not made up for */
    s->ended = false;
    set_part(s);
    if (seeks)
        jump_to(s, time_of(s, want.seek_s), REPLAY_SEEK);
}

/* ---- status ----------------------------------------------------------------------------- */

uint64_t spectra_samples(const struct spectra *s, int64_t time_ns)
{
    return (uint64_t)llround((double)(time_ns - s->span.from_ns) * 1e-9 * s->rate_hz);
}

static void publish_replay(struct spectra *s)
{
    const struct replay_state now = {.active = true,
                                     .controllable = s->config->source.realtime,
                                     .seekable = true,
                                     .paused = s->want.paused,
                                     .loop = s->want.loop,
                                     .ended = s->ended,
                                     .speed = s->want.speed,
                                     .rate_hz = s->rate_hz,
                                     .position = spectra_samples(s, s->at_ns),
                                     .samples = spectra_samples(s, s->span.to_ns),
                                     .first = spectra_samples(s, s->from_ns),
                                     .end = spectra_samples(s, s->to_ns),
                                     .seeks = s->want.seeks};
    exchange_set_replay(s->exchange, &now);
}

/* Of the newest row. */
void spectra_publish_status(struct spectra *s)
{
    const struct row_facts *f = &s->facts;
    uv_mutex_lock(&s->lock);
    struct dsp_status *d = &s->status;
    d->ended = s->over;
    d->n = f->fft_size;
    d->hop = f->hop;
    d->enbw_bins = f->enbw_bins;
    d->width_3db_bins = f->width_3db_bins;
    memcpy(d->window, f->window, sizeof d->window);
    d->ledger = s->ledger;
    d->lines = s->shape;
    if (s->has_row) {
        d->frames_per_line = (double)s->row.row->frames;
        d->line_rate_hz = 1e9 / (double)s->row.period_ns;
    }
    uv_mutex_unlock(&s->lock);
}

/* The stream is that of the radio; of a sweep, its rate is that of a dwell. */
void spectra_publish_stream(struct spectra *s)
{
    struct stream stream = s->facts.stream;
    if (s->facts.dwells > 0)
        stream.tuning.rate_hz = s->facts.bin_hz * s->facts.fft_size;
    stream.start_ns = s->span.from_ns;
    stream.samples = spectra_samples(s, s->to_ns) - spectra_samples(s, s->from_ns);
    snprintf(stream.about, sizeof stream.about, "spectra of %s", s->name);
    exchange_set_stream(s->exchange, &stream);
}

/* ---- the thread ------------------------------------------------------------------------- */

static bool reached_limit(const struct spectra *s)
{
    const struct output_options *o = &s->config->output;
    return (o->lines && s->ledger.lines >= o->lines) ||
           (o->duration_s > 0 && (double)s->ledger.seen >= o->duration_s * s->rate_hz);
}

static void step(struct spectra *s)
{
    apply_request(s);
    if (s->want.paused || s->ended) {
        publish_replay(s);
        uv_sleep(PAUSE_MS);
        return;
    }
    if (!s->has_row)
        spectra_take_row(s);
    if (!s->has_row)
        return;
    if (!spectra_is_due(s))
        uv_sleep(1);
    else if (spectra_publish_row(s) && reached_limit(s))
        s->over = true;
    publish_replay(s);
}

static void run(void *arg)
{
    struct spectra *s = arg;
    pthread_setname_np(pthread_self(), "spectra");
    exchange_set_state(s->exchange, SOURCE_RUNNING, "%s", "");
    while (!s->over && !atomic_load(&s->stop)) {
        atomic_store(&s->beat_ns, clock_now_ns());
        step(s);
    }
    s->over = true;
    spectra_publish_status(s);
    publish_replay(s);
    line_ring_close(s->lines);
}

/* ---- start and end ---------------------------------------------------------------------- */

static int check_outputs(const struct config *c, struct reason *why)
{
    const struct output_options *o = &c->output;
    if (o->detector_index < ARCHIVE_DETECTORS || !(o->csv || o->json))
        return 0;
    return reason_set(why, -EINVAL, "detector: an archive has mean, max and min, not %s",
                      detector_name(o->detector_index));
}

static int check_part(const struct spectra *s, struct reason *why)
{
    const char *name = s->config->replay_spectra;
    const double all_s = (double)(s->span.to_ns - s->span.from_ns) * 1e-9;
    if (s->from_ns >= s->span.to_ns)
        return reason_set(why, -EINVAL, "%s: from is %.10g s, but it lasts %.10g s", name,
                          s->want.from_s, all_s);
    return 0;
}

static void set_name(struct spectra *s)
{
    const char *text = s->config->replay_spectra;
    size_t end = strcspn(text, ","), start;
    while (end > 1 && text[end - 1] == '/')
        end--;
    for (start = end; start > 0 && text[start - 1] != '/';)
        start--;
    snprintf(s->name, sizeof s->name, "%.*s", (int)(end - start), text + start);
}

static int prepare(struct spectra *s, struct reason *why)
{
    const struct source_config *source = &s->config->source;
    s->want = (struct replay_request){.loop = source->loop,
                                      .speed = source->speed > 0 ? source->speed : 1,
                                      .from_s = source->from_s,
                                      .to_s = source->to_s};
    s->status.front_end = (struct front_end_figures){.dc_dbfs = NAN, .image_rejection_db = NAN};
    set_name(s);
    snprintf(s->status.engine, sizeof s->status.engine, "spectra of %s", s->name);
    int err = check_outputs(s->config, why);
    if (err == 0)
        err = playback_open(&s->playback, s->config->replay_spectra, why);
    if (err < 0)
        return err;
    s->span = playback_span(s->playback);
    set_part(s);
    err = check_part(s, why);
    if (err < 0)
        return err;
    jump_to(s, s->from_ns, REPLAY_FOLLOWS);
    err = exchange_create(&s->exchange, &s->config->settings);
    if (err < 0)
        return err;
    spectra_take_row(s); /* so that the status has a stream from the start on */
    spectra_publish_status(s);
    publish_replay(s);
    return 0;
}

int spectra_start(struct spectra **out, const struct config *config, struct line_ring *lines,
                  struct calibrator *calibrator, struct reason *why)
{
    struct spectra *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return -ENOMEM;
    s->config = config;
    s->lines = lines;
    s->calibrator = calibrator;
    uv_mutex_init(&s->lock);
    int err = prepare(s, why);
    if (err == 0) {
        atomic_store(&s->beat_ns, clock_now_ns());
        err = uv_thread_create(&s->thread, run, s);
        s->started = err == 0;
    }
    if (err < 0) {
        spectra_destroy(s);
        return err;
    }
    *out = s;
    return 0;
}

void spectra_stop(struct spectra *s)
{
    atomic_store(&s->stop, true);
    if (s->started)
        uv_thread_join(&s->thread);
    s->started = false;
}

void spectra_destroy(struct spectra *s)
{
    if (!s)
        return;
    playback_close(s->playback);
    exchange_drop(s->exchange);
    uv_mutex_destroy(&s->lock);
    free(s);
}

/* ---- the loop thread -------------------------------------------------------------------- */

void spectra_replay(struct spectra *s, const struct replay_request *want)
{
    exchange_request_replay(s->exchange, want);
}

int spectra_apply(struct settings *now, const struct settings *want, struct reason *why)
{
    if (want->density_wanted == now->density_wanted &&
        want->detectors_unread == now->detectors_unread)
        return reason_set(why, -ENOTSUP,
                          "the settings of an archive are fixed while it is replayed");
    now->density_wanted = want->density_wanted;
    now->detectors_unread = want->detectors_unread;
    return 0;
}

void spectra_source_status(struct spectra *s, struct source_status *out)
{
    exchange_status(s->exchange, out);
    out->beat_age_ns = 0;
}

void spectra_dsp_status(struct spectra *s, struct dsp_status *out)
{
    uv_mutex_lock(&s->lock);
    *out = s->status;
    uv_mutex_unlock(&s->lock);
    const uint64_t now = clock_now_ns(), beat = atomic_load(&s->beat_ns);
    out->beat_age_ns = out->ended || now < beat ? 0 : now - beat;
}
