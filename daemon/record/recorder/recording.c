/* recording.c - copies a range of the IQ ring into files. */
#include "daemon/record/recorder/recording.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/age_clock.h"
#include "daemon/record/record_limits.h"
#include "daemon/record/record_sink.h"
#include "daemon/record/recorder/event_allowance.h"

enum {
    BUFFER_BYTES = 1 << 20,
    WAIT_MS = 100,
    NICER = 4, /* than the threads of the source and of the analysis */
};
static const int64_t stamp_off_ns = INT64_C(60) * 1000000000;
static const uint64_t check_ns = 500000000; /* of disk and limits */

/* The thread's own state. */
struct copier {
    struct recording *r;
    struct record_sink sink;
    unsigned char *buffer;
    uint64_t chunk;              /* samples in one write, at most */
    bool begun;                  /* the sink has the sample before the next one */
    char described[RECORD_NAME]; /* the pair that has the annotations */
    uint64_t checked_ns;
    char end[160]; /* "": it goes on */
};

static void notify(const struct recording *r)
{
    if (r->changed)
        r->changed(r->user);
}

static void end_with(struct copier *c, const char *why)
{
    if (!c->end[0])
        snprintf(c->end, sizeof c->end, "%s", why);
}

/* ---- files ------------------------------------------------------------------------------ */

/* Renews what lists show. */
static void publish(struct copier *c)
{
    struct record_info *info = &c->r->info;
    uv_mutex_lock(c->r->lock);
    info->samples = c->sink.samples;
    info->missing = c->sink.missing;
    info->lost = 0;
    for (int cause = 0; cause < LOSS_CAUSES; cause++)
        info->lost += c->sink.lost[cause];
    if (c->sink.samples > 0) {
        info->start_ns = c->sink.start_ns;
        info->center_hz = c->sink.center_hz;
    }
    if (c->sink.pair.name[0])
        memcpy(info->name, c->sink.pair.name, sizeof info->name);
    uv_mutex_unlock(c->r->lock);
}

/* Each pair has all annotations. */
static int write_annotations(struct copier *c)
{
    struct recording *r = c->r;
    int err = 0;
    if (!c->sink.pair.name[0])
        return 0;
    for (bool more = true; more && err == 0;) {
        struct record_annotation a;
        uv_mutex_lock(r->lock);
        if (strcmp(c->described, c->sink.pair.name) != 0)
            r->annotations_written = 0;
        memcpy(c->described, c->sink.pair.name, sizeof c->described);
        more = r->annotations_written < r->annotation_count;
        if (more)
            a = r->annotations[r->annotations_written++];
        uv_mutex_unlock(r->lock);
        if (more)
            err = record_pair_describe(&c->sink.pair, "annotation", record_meta_annotation(&a));
    }
    return err;
}

/* The limits of the folder count from it: the clock of the computer may be wrong. */
static void stamp_pair(const struct recording *r, const char *name)
{
    const struct record_options *o = r->options;
    const bool limited = o->max_bytes > 0 || o->max_age_s > 0;
    const int64_t stamp_ns = limited && r->clock ? age_clock_stamp_ns(r->clock) : 0;
    const int64_t off_ns = stamp_ns - clock_unix_ns();
    if (stamp_ns > 0 && (off_ns > stamp_off_ns || off_ns < -stamp_off_ns))
        record_set_time(o->folder, name, stamp_ns);
}

static void finish_pair(struct copier *c, const char *end)
{
    struct reason why = {0};
    char name[RECORD_NAME];
    write_annotations(c);
    memcpy(name, c->sink.pair.name, sizeof name);
    if (record_sink_end_pair(&c->sink, end, &why) < 0) {
        log_error("recording %s: %s", name, why.sentence);
        snprintf(c->end, sizeof c->end, "%.159s", why.sentence);
    } else if (name[0]) {
        stamp_pair(c->r, name);
    }
}

/* ---- limits ----------------------------------------------------------------------------- */

static void check_limits(struct copier *c)
{
    const struct record_options *o = c->r->options;
    const uint64_t now_ns = clock_now_ns();
    if (now_ns - c->checked_ns < check_ns)
        return;
    c->checked_ns = now_ns;
    const bool full = o->max_bytes > 0 && c->sink.pair.bytes > 0 &&
                      record_apply_limits(o, age_clock_now_ns(c->r->clock)) > o->max_bytes;
    if (record_free_bytes(o->folder) < o->min_free)
        end_with(c, "the disk has less than record-min-free");
    else if (full)
        end_with(c, "record-max-bytes is reached");
}

/* The next pair continues at the next sample. */
static void split(struct copier *c)
{
    const uint64_t most = c->r->options->split;
    if (most == 0 || c->sink.pair.bytes < most || c->end[0])
        return;
    finish_pair(c, "continued");
    notify(c->r);
}

/* ---- copying ---------------------------------------------------------------------------- */

/* The position after the last sample that is needed. Renews what lists show. */
static uint64_t share(struct copier *c, uint64_t position, uint64_t reached)
{
    uv_mutex_lock(c->r->lock);
    const uint64_t to = c->r->info.to;
    c->r->info.behind = reached > position ? reached - position : 0;
    uv_mutex_unlock(c->r->lock);
    c->sink.limit = to;
    return to < RECORD_OPEN - c->r->context ? to + c->r->context : RECORD_OPEN;
}

/* Before samples that begin at `position`. mark: what is known there, if it is new. */
static int begin_samples(struct copier *c, const struct iq_mark *mark, bool anew, uint64_t position)
{
    const bool begun = c->begun;
    c->begun = true;
    return mark || !begun ? record_sink_mark(&c->sink, mark, position, anew || !begun) : 0;
}

/* After them. err: of writing them. */
static void end_samples(struct copier *c, int err)
{
    if (err == 0)
        err = write_annotations(c);
    publish(c);
    if (err < 0)
        end_with(c, strerror(-err));
    split(c);
}

static void put(struct copier *c, const struct iq_mark *mark, bool anew, uint64_t position,
                void *samples, uint64_t count)
{
    int err = begin_samples(c, mark, anew, position);
    if (err == 0)
        err = record_sink_write(&c->sink, samples, count);
    end_samples(c, err);
}

/* Samples that cannot be had. */
static void miss(struct copier *c, uint64_t from, uint64_t to)
{
    if (to > from)
        c->begun = false;
    record_sink_miss(&c->sink, from, to);
}

/* Copies up to `end`, or to the next mark. */
static void copy_some(struct copier *c, uint64_t end)
{
    struct iq_feed *f = &c->r->feed;
    void *samples;
    const uint64_t from = f->position;
    uint64_t first;
    const uint64_t count = iq_feed_read(f, end, c->buffer, c->chunk, &samples, &first);
    miss(c, from, first);
    if (count > 0)
        put(c, f->fresh || !c->begun ? &f->mark : NULL, f->anew, first, samples, count);
    f->fresh = f->fresh && count == 0;
    f->anew = f->anew && count == 0;
}

static void copy_live(struct copier *c, uint64_t from)
{
    bool final = false;
    struct iq_feed *f = &c->r->feed;
    uint64_t reached = f->position;
    miss(c, from, f->position);
    while (!c->end[0]) {
        const uint64_t before = share(c, f->position, reached), most = f->position + c->chunk;
        reached = iq_ring_follow(f->ring, &c->r->epoch->reader, most < before ? most : before,
                                 WAIT_MS, &final);
        const uint64_t to = share(c, f->position, reached); /* it may have been moved */
        const uint64_t end = reached < to ? reached : to;
        if (f->position >= to)
            end_with(c, "complete");
        else if (end > f->position && f->position < from) /* it starts in the future */
            iq_feed_skip(f, end < from ? end : from);
        else if (end > f->position)
            copy_some(c, end);
        else if (final)
            end_with(c, f->position >= c->sink.limit ? "complete" : "the stream ended");
        check_limits(c);
    }
}

/* ---- the past --------------------------------------------------------------------------- */

/* A pull of samples of the disk ring. */
struct past {
    struct disk_ring *disk;
    const struct disk_piece *piece;
    uint64_t position; /* of the first one */
    atomic_int err;    /* -errno: some could not be read */
};

static size_t read_past(void *arg, size_t at, size_t count, void *into)
{
    struct past *p = arg;
    const int err = disk_ring_read(p->disk, p->piece, p->position + at, count, into);
    if (err < 0)
        p->err = err;
    return err < 0 ? 0 : count;
}

/* Returns the position after the samples that it had. */
static uint64_t pull_piece(struct copier *c, const struct disk_piece *p, const struct iq_mark *mark,
                           uint64_t position, uint64_t count)
{
    struct past past = {.disk = c->r->disk, .piece = p, .position = position};
    const struct ddc_reader reader = {read_past, &past};
    size_t taken = 0;
    int err = begin_samples(c, mark, p->anew, position);
    if (err == 0)
        err = record_sink_pull(&c->sink, &reader, (size_t)count, &taken);
    if (err == 0 && past.err != -ESTALE)
        err = past.err;
    end_samples(c, err);
    return position + taken;
}

/* Copies up to `count` samples of a piece. Returns the position after those that it had. */
static uint64_t copy_piece(struct copier *c, const struct disk_piece *p, uint64_t position,
                           uint64_t count)
{
    const bool known = p->fresh && position == p->position;
    const struct iq_mark *mark = known || !c->begun ? &p->mark : NULL;
    if (c->sink.box)
        return pull_piece(c, p, mark, position, count < DDC_BLOCK ? count : DDC_BLOCK);
    count = count < c->chunk ? count : c->chunk;
    const int err = disk_ring_read(c->r->disk, p, position, count, c->buffer);
    if (err == -ESTALE)
        return position;
    if (err < 0)
        end_with(c, strerror(-err));
    else
        put(c, mark, p->anew, position, c->buffer, count);
    return position + count;
}

/* Returns the position after the last sample that the disk ring has. */
static uint64_t copy_past(struct copier *c, uint64_t position)
{
    struct disk_piece p = {0};
    uint64_t to = share(c, position, position);
    while (!c->end[0] && position < to) {
        if (position < p.position || position >= p.position + p.samples) {
            if (!disk_ring_find(c->r->disk, c->r->run, c->r->info.epoch, position, &p))
                break;
            miss(c, position, p.position);
            position = p.position > position ? p.position : position;
        }
        const uint64_t end = p.position + p.samples < to ? p.position + p.samples : to;
        const uint64_t reached =
            position < end ? copy_piece(c, &p, position, end - position) : position;
        if (reached == position) /* it was overwritten */
            p.samples = 0;
        position = reached;
        to = share(c, position, position);
        check_limits(c);
    }
    return position;
}

/* The disk ring has what is not in the IQ ring any more, and lags little behind it. */
static uint64_t copy_before_feed(struct copier *c, uint64_t from)
{
    struct recording *r = c->r;
    struct iq_feed *f = &r->feed;
    if (!r->disk || f->position <= from)
        return from;
    iq_feed_leave(f);
    const uint64_t reached = copy_past(c, from);
    iq_feed_join(f, r->epoch, reached, r->lossless);
    f->fresh = !c->begun || f->position > reached || f->mark.position == reached;
    f->anew = f->fresh && !(c->begun && f->position == reached && f->mark.continues);
    return reached;
}

static void record(struct copier *c)
{
    struct recording *r = c->r;
    const uint64_t from = r->from - (r->context < r->from ? r->context : r->from);
    share(c, 0, 0);
    if (r->epoch)
        copy_live(c, copy_before_feed(c, from));
    else
        end_with(c, copy_past(c, from) >= c->sink.limit ? "complete" : "the stream ended");
    const int err = record_sink_end_segment(&c->sink);
    if (err < 0)
        snprintf(c->end, sizeof c->end, "%s", strerror(-err));
}

/* ---- the thread ------------------------------------------------------------------------- */

static void publish_end(struct copier *c)
{
    struct recording *r = c->r;
    const bool good = strcmp(c->end, "complete") == 0 || strcmp(c->end, "the stream ended") == 0;
    uv_mutex_lock(r->lock);
    r->info.state = good ? RECORD_DONE : RECORD_FAILED;
    r->info.behind = 0;
    memcpy(r->info.end, c->end, sizeof r->info.end);
    r->ended = true;
    if (r->allowance && good) { /* one line a minute says it of all of them */
        r->allowance->recorded++;
        r->allowance->bytes += r->info.samples * fft_iq_bytes(r->stream.format);
    }
    const struct record_info info = r->info;
    uv_mutex_unlock(r->lock);
    const char *name = info.name[0] ? info.name : "(no samples)";
    if (!good)
        log_warn("recording %s ended: %s; %llu samples", name, info.end,
                 (unsigned long long)info.samples);
    else if (!r->allowance)
        log_info("recording %s: %llu samples%s", name, (unsigned long long)info.samples,
                 info.missing > 0 ? ", and some are missing" : "");
    if (info.missing > 0)
        log_warn("recording %s lacks %llu samples that %s", name, (unsigned long long)info.missing,
                 r->context > 0 ? "the ring did not have any more, or were received elsewhere"
                                : "the ring did not have any more");
}

/* The present needs one thread. The past is cut as fast as half of the machine can: the analysis
 * goes on meanwhile. */
static unsigned count_workers(const struct recording *r)
{
    return r->disk ? uv_available_parallelism() / 2 : 1;
}

void recording_run(void *arg)
{
    struct recording *r = arg;
    pthread_setname_np(pthread_self(), "recording");
    (void)!nice(NICER); /* this thread and the workers that it creates; a failure costs nothing */
    const uint32_t bytes = (uint32_t)fft_iq_bytes(r->stream.format);
    const double twentieth = r->stream.tuning.rate_hz / 20;
    struct copier c = {.r = r, .buffer = malloc(BUFFER_BYTES)};
    c.chunk = BUFFER_BYTES / bytes;
    if (twentieth < (double)c.chunk)
        c.chunk = twentieth < 1 ? 1 : (uint64_t)twentieth;
    const struct record_sink_config sink = {.options = r->options,
                                            .stream = &r->stream,
                                            .label = r->info.label,
                                            .band = r->band,
                                            .workers = count_workers(r),
                                            .from = r->from,
                                            .active_calibration = r->active_calibration};
    if (record_sink_init(&c.sink, &sink) == 0 && c.buffer)
        record(&c);
    else
        end_with(&c, strerror(ENOMEM));
    if (r->epoch)
        iq_feed_leave(&r->feed);
    publish(&c);
    finish_pair(&c, c.end);
    record_sink_finish(&c.sink);
    free(c.buffer);
    publish_end(&c);
    epoch_unref(r->epoch); /* after `ended`: others use it until then */
    notify(r);
}
