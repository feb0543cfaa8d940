/* spectra_replay.c - the thread that replays a spectrum archive: what comes when, as lines. */
#include "daemon/run/spectra_replay.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/archive/read/archive_request.h"
#include "daemon/archive/read/playback.h"
#include "daemon/archive/read/row_line.h"
#include "daemon/base/clock.h"
#include "daemon/base/reason.h"

struct spectra {
    const struct config *config;
    char name[80]; /* of the directory, without its path, which clients do not see */
    struct exchange *exchange;
    struct line_ring *lines;
    struct active_calibration *active_calibration; /* NULL: none */
    struct playback *playback;
    struct archive_interval span;
    uv_thread_t thread;
    bool started;
    atomic_bool stop;
    _Atomic uint64_t beat_ns;
    uv_mutex_t lock;
    struct dsp_status status; /* protected by the lock */

    /* of the thread: what is asked for */
    struct replay_request want;
    uint64_t version;
    int64_t from_ns, to_ns; /* the part that is replayed */
    bool ended, over;
    /* what comes next, and its block */
    struct playback_row row;
    bool has_row, gap; /* gap: the archive has nothing between the last row and this one */
    char facts_text[ARCHIVE_FACTS];
    struct row_facts facts;
    struct line_shape shape; /* of the line ring */
    /* what was published */
    int64_t at_ns, end_ns; /* start and end of the last row */
    bool follows;          /* the next row follows it in the archive */
    enum replay_jump jump; /* why it does not */
    uint64_t shown;        /* rows since the jump */
    uint64_t number;       /* after the last sample */
    struct line_anchor anchor;
    double rate_hz; /* of the last row */
    struct ledger ledger;
    /* when rows are due */
    uint64_t pace_ns; /* 0: the next row starts it */
    int64_t pace_time_ns;
};

enum { PAUSE_MS = 10 };

/* ---- the part, and jumps ---------------------------------------------------------------- */

static void fail(struct spectra *s, int err, const char *why)
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
    playback_limit(s->playback, (struct archive_interval){s->from_ns, s->to_ns});
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
static void end_part(struct spectra *s)
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

static uint64_t samples_until(const struct spectra *s, int64_t time_ns)
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
                                     .position = samples_until(s, s->at_ns),
                                     .samples = samples_until(s, s->span.to_ns),
                                     .first = samples_until(s, s->from_ns),
                                     .end = samples_until(s, s->to_ns),
                                     .seeks = s->want.seeks};
    exchange_set_replay(s->exchange, &now);
}

/* Of the newest row. */
static void publish_status(struct spectra *s)
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
static void publish_stream(struct spectra *s)
{
    struct stream stream = s->facts.stream;
    if (s->facts.dwells > 0)
        stream.tuning.rate_hz = s->facts.bin_hz * s->facts.fft_size;
    stream.start_ns = s->span.from_ns;
    stream.samples = samples_until(s, s->to_ns) - samples_until(s, s->from_ns);
    snprintf(stream.about, sizeof stream.about, "spectra of %s", s->name);
    exchange_set_stream(s->exchange, &stream);
}

/* ---- the thread ------------------------------------------------------------------------- */

/* ---- rows ------------------------------------------------------------------------------- */

enum { WAIT_MS = 100 };

static void read_facts(struct spectra *s)
{
    const double rate_hz = row_rate_hz(s->row.layout);
    const bool same_rate = !(fabs(rate_hz - s->rate_hz) > 0);
    s->follows = s->follows && same_rate;
    if (same_rate && strcmp(s->facts_text, s->row.facts) == 0)
        return;
    s->rate_hz = rate_hz;
    snprintf(s->facts_text, sizeof s->facts_text, "%s", s->row.facts);
    row_facts_read(&s->facts, s->facts_text);
    if (s->active_calibration)
        s->facts.calibration =
            active_calibration_set_curve(s->active_calibration, s->facts.point, s->facts.points);
    publish_stream(s);
}

/* The rows of another run, which has times that were shown already, follow no others. */
static void find_run(struct spectra *s)
{
    if (!s->follows || s->row.row->time_ns > s->at_ns)
        return;
    s->follows = false;
    s->pace_ns = 0;
}

/* No time passes where the archive has nothing. */
static void find_gap(struct spectra *s)
{
    const unsigned breaks = ARCHIVE_LOSS | ARCHIVE_GAP | ARCHIVE_MISSED;
    const bool empty =
        s->follows && s->row.row->time_ns - s->end_ns > (int64_t)s->row.period_ns / 2;
    s->gap = s->ledger.lines > 0 && (!s->follows || empty || (s->row.row->breaks & breaks));
    if (empty)
        s->pace_ns = 0;
}

static void take_row(struct spectra *s)
{
    const unsigned all = (1U << ARCHIVE_DETECTORS) - 1;
    const int err = playback_next(s->playback, &s->row);
    s->has_row = err == 0;
    if (err == -ENODATA) {
        end_part(s);
    } else if (err < 0) {
        fail(s, err, archive_describe(err));
    } else if (s->row.layout->detectors != all) {
        fail(s, -ENOTSUP, "its rows lack the mean, the maximum or the minimum");
    } else {
        read_facts(s);
        find_run(s);
        find_gap(s);
    }
}

/* A row is due when its last sample is, as in a live run. */
static bool is_due(struct spectra *s)
{
    const uint64_t now = clock_now_ns();
    const struct archive_row *row = s->row.row;
    if (!s->config->source.realtime || !(s->want.speed > 0))
        return true;
    if (s->pace_ns == 0) {
        s->pace_ns = now;
        s->pace_time_ns = row->time_ns;
    }
    const double passed_ns = (double)(now - s->pace_ns) * s->want.speed;
    return passed_ns >= (double)(row->time_ns + row->duration_ns - s->pace_time_ns);
}

/* ---- lines ------------------------------------------------------------------------------ */

static void count_line(struct spectra *s, const struct line *line)
{
    struct ledger *l = &s->ledger;
    const uint64_t end = line->first_sample + line->sample_count;
    const uint64_t samples = end > s->number ? end - s->number : 0;
    uint64_t lost = line->first_sample > s->number ? line->first_sample - s->number : 0;
    if (s->row.row->lost > lost)
        lost = s->row.row->lost;
    if (!line->gap_before)
        lost = 0;
    l->lost[LOSS_GAP] += lost < samples ? lost : samples;
    l->events[LOSS_GAP] += lost > 0;
    l->produced += samples;
    l->seen += samples - (lost < samples ? lost : samples);
    l->frames += line->frames;
    l->lines++;
    s->number += samples;
}

/* The numbers of samples follow time, from the last jump on. */
static void number_line(struct spectra *s, struct line *line)
{
    const int64_t time_ns = s->row.row->time_ns;
    if (!s->follows)
        s->anchor =
            (struct line_anchor){.id = s->anchor.id + 1,
                                 .number = s->number,
                                 .at = {true, s->jump, samples_until(s, time_ns), true, time_ns}};
    line->anchor = s->anchor;
    line->number = s->ledger.lines;
    line->first_sample =
        s->anchor.number +
        (uint64_t)llround((double)(time_ns - s->anchor.at.time_ns) * 1e-9 * s->rate_hz);
}

static bool configure_ring(struct spectra *s)
{
    const struct line_shape shape = row_shape(s->row.layout);
    if (shape.n == s->shape.n && shape.detectors == s->shape.detectors)
        return true;
    const int err = line_ring_configure(s->lines, &shape);
    if (err == 0)
        s->shape = shape;
    else if (err != -EAGAIN)
        fail(s, err, "no memory for its lines");
    return err == 0;
}

/* False: there was no room, or the row is damaged. */
static bool publish_row(struct spectra *s)
{
    struct line *line = configure_ring(s) ? line_ring_acquire(s->lines, WAIT_MS) : NULL;
    if (!line)
        return false;
    const struct archive_row *row = s->row.row;
    const struct block_levels levels = row_levels(line);
    if (playback_levels(s->playback, &levels) < 0) {
        line_unref(s->lines, line);
        s->has_row = false;
        return false;
    }
    row_to_power(line);
    row_describe(line, &s->facts, s->row.layout, row);
    line->gap_before = s->gap;
    number_line(s, line);
    count_line(s, line);
    line->ledger = s->ledger;
    s->at_ns = row->time_ns;
    s->end_ns = row->time_ns + row->duration_ns;
    s->follows = true;
    s->jump = REPLAY_FOLLOWS;
    s->shown++;
    publish_status(s);
    line_ring_publish(s->lines, line);
    s->has_row = false;
    return true;
}

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
        take_row(s);
    if (!s->has_row)
        return;
    if (!is_due(s))
        uv_sleep(1);
    else if (publish_row(s) && reached_limit(s))
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
    publish_status(s);
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
    s->span = playback_interval(s->playback);
    set_part(s);
    err = check_part(s, why);
    if (err < 0)
        return err;
    jump_to(s, s->from_ns, REPLAY_FOLLOWS);
    err = exchange_create(&s->exchange, &s->config->settings);
    if (err < 0)
        return err;
    take_row(s); /* so that the status has a stream from the start on */
    publish_status(s);
    publish_replay(s);
    return 0;
}

int spectra_start(struct spectra **out, const struct config *config, struct line_ring *lines,
                  struct active_calibration *active_calibration, struct reason *why)
{
    struct spectra *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return -ENOMEM;
    s->config = config;
    s->lines = lines;
    s->active_calibration = active_calibration;
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
    exchange_unref(s->exchange);
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
