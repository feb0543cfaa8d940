/* cut_file.c - reads a recording, and writes the samples of a box. */
#include "daemon/record/cut_file.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/file_read.h"
#include "daemon/record/record_limits.h"
#include "daemon/record/record_sink.h"

enum { READ_MS = 1000, BUFFER = 1 << 18 /* samples */ };

/* Samples together in a file. */
struct file_part {
    int fd;
    uint64_t at; /* byte of the first one */
    size_t sample_bytes;
    bool end;       /* the file has fewer */
    atomic_int err; /* errno, if that is why */
};

struct cutter {
    const struct box_text *box;
    const struct record_options *options;
    struct source_config config;
    struct source *source;
    struct stream stream;
    struct record_sink sink;
    struct iq_mark mark;   /* the newest: what is known of the samples after it */
    uint64_t from, to;     /* of the box; to UINT64_MAX: not known */
    uint64_t end;          /* after the last sample that it needs */
    uint64_t read;         /* position of the next sample */
    unsigned char *buffer; /* [BUFFER]: of samples that the workers cannot read */
    bool marked;
    struct reason *why;
};

/* ---- opening ---------------------------------------------------------------------------- */

static int open_source(struct cutter *c)
{
    const struct source_ops *ops = source_find(&c->config);
    const int err = source_create(&c->source, ops, &c->config, c->why);
    if (err == 0 && c->source->stream.rate_assumed)
        return reason_set(c->why, -EINVAL, "%s: its rate is not known: give --rate",
                          c->config.replay);
    return err;
}

static int find_range(struct cutter *c)
{
    const struct replay_state *now = &c->source->replay;
    const double length_s = (double)now->samples / now->rate_hz;
    const double from = c->box->from_s * now->rate_hz, to = c->box->to_s * now->rate_hz;
    c->from = (uint64_t)llround(fmin(from, 1e18));
    c->to = to > 0 && to < 1e18 ? (uint64_t)llround(to) : UINT64_MAX;
    if (now->samples && c->from >= now->samples)
        return reason_set(c->why, -EINVAL, "cut: it begins at %.10g s, but %s lasts %.10g s",
                          c->box->from_s, c->config.replay, length_s);
    if (c->to <= c->from)
        return reason_set(c->why, -EINVAL, "cut: no sample from %.10g s to %.10g s", c->box->from_s,
                          c->box->to_s);
    if (now->samples && c->to > now->samples && c->to < UINT64_MAX)
        log_warn("cut: it ends at %.10g s, but %s lasts %.10g s", c->box->to_s, c->config.replay,
                 length_s);
    return 0;
}

static int open_sink(struct cutter *c)
{
    const struct record_band band = {.low_hz = c->box->low_hz,
                                     .high_hz = c->box->high_hz,
                                     .format = c->options->cut_cs16 ? FFT_IQ_CS16 : FFT_IQ_CF32};
    const struct record_sink_config config = {.options = c->options,
                                              .stream = &c->stream,
                                              .band = band,
                                              .workers = uv_available_parallelism(),
                                              .from = c->from};
    const struct tuning *t = &c->stream.tuning;
    const double center_hz = isfinite(t->center_hz) ? t->center_hz : 0;
    if (!record_band_lies_within(&band, center_hz, t->rate_hz))
        return reason_set(c->why, -EINVAL,
                          "cut: %.10g to %.10g Hz is not within %.10g to %.10g Hz of %s",
                          band.low_hz, band.high_hz, center_hz - t->rate_hz / 2,
                          center_hz + t->rate_hz / 2, c->config.replay);
    const int err = record_sink_init(&c->sink, &config);
    c->sink.limit = c->to;
    c->end = c->to < UINT64_MAX - c->sink.reach ? c->to + c->sink.reach : UINT64_MAX;
    return err < 0 ? reason_set(c->why, err, "cut: %s", strerror(-err)) : 0;
}

/* Goes to a position, unless the recording is a pipe. */
static void seek(struct cutter *c, uint64_t position)
{
    struct source *s = c->source;
    const struct replay_request want = {
        .speed = 1, .seeks = s->replay.seeks + 1, .seek_s = (double)position / s->replay.rate_hz};
    if (s->replay.seekable)
        s->ops->replay(s, &want);
    c->read = s->replay.position;
}

/* What is known of the first sample that is read. */
static void begin_stream(struct cutter *c)
{
    const struct source *s = c->source;
    c->stream = s->stream;
    c->stream.anchor = s->anchor;
    c->mark = (struct iq_mark){.position = c->read,
                               .sample_number = c->read,
                               .tuning_changed = true,
                               .tuning = s->stream.tuning,
                               .gain_db = s->stream.gain_db,
                               .has_time = s->anchor.has_time,
                               .time_ns = s->anchor.time_ns,
                               .time_number = c->read};
}

/* The part before the box is the filters' context. Its length follows from the stream. */
static int open_all(struct cutter *c)
{
    int err = open_source(c);
    if (err == 0)
        err = find_range(c);
    if (err < 0)
        return err;
    seek(c, c->from); /* whose tuning counts */
    begin_stream(c);
    err = open_sink(c);
    if (err < 0)
        return err;
    seek(c, c->from - (c->sink.reach < c->from ? c->sink.reach : c->from));
    begin_stream(c);
    c->source->mark = (struct source_mark){0};
    c->buffer = malloc((size_t)BUFFER * fft_iq_bytes(c->stream.format));
    return c->buffer ? 0 : reason_set(c->why, -ENOMEM, "cut: no memory");
}

/* ---- reading ---------------------------------------------------------------------------- */

static size_t read_part(void *arg, size_t at, size_t count, void *into)
{
    struct file_part *p = arg;
    const size_t bytes = count * p->sample_bytes;
    size_t done;
    const int err = file_read_at(p->fd, p->at + at * p->sample_bytes, into, bytes, &done);
    if (err < 0)
        p->err = -err;
    return done / p->sample_bytes;
}

/* ---- copying ---------------------------------------------------------------------------- */

/* A mark of the source, before the sample at c->read. */
static void pass_mark(struct cutter *c)
{
    const struct source_mark m = c->source->mark;
    struct iq_mark *mark = &c->mark;
    if (!m.set)
        return;
    mark->sample_number += c->read - mark->position;
    mark->position = c->read;
    if (m.cause < LOSS_CAUSES) {
        mark->sample_number += m.lost;
        mark->lost[m.cause] += m.lost;
        mark->events[m.cause]++;
    }
    mark->tuning = c->source->stream.tuning;
    if (m.has_time) {
        mark->has_time = true;
        mark->time_ns = m.time_ns;
        mark->time_number = mark->sample_number;
    }
    c->marked = false;
    c->source->mark = (struct source_mark){0};
}

/* Samples that the workers read. */
static int pull(struct cutter *c, struct file_part *part, uint64_t count)
{
    const struct ddc_reader reader = {read_part, part};
    size_t taken;
    const int err = record_sink_pull(&c->sink, &reader, (size_t)count, &taken);
    part->end = taken < count;
    return err;
}

/* part: where a file has them; NULL: they are in the memory `samples`. */
static int put(struct cutter *c, struct file_part *part, void *samples, uint64_t count)
{
    struct reason why = {0};
    int err = c->marked ? 0 : record_sink_mark(&c->sink, &c->mark, c->read, true);
    c->marked = true;
    if (err == 0)
        err = part ? pull(c, part, count) : record_sink_write(&c->sink, samples, count);
    if (err == 0 && part && part->end)
        return reason_set(c->why, -EIO, "%s: %s", c->config.replay,
                          part->err ? strerror(part->err) : "ended early");
    if (err == 0 && record_free_bytes(c->options->folder) < c->options->min_free)
        return reason_set(c->why, -ENOSPC, "%s: the disk has less than record-min-free",
                          c->options->folder);
    if (err < 0)
        return reason_set(c->why, err, "%s: %s", c->options->folder, strerror(-err));
    if (c->options->split > 0 && c->sink.pair.bytes >= c->options->split)
        err = record_sink_end_pair(&c->sink, "continued", &why);
    return err < 0 ? reason_set(c->why, err, "%s", why.sentence) : 0;
}

/* Returns as read of a source. part->fd < 0: the samples are in the buffer. */
static int64_t take(struct cutter *c, struct file_part *part)
{
    struct source *s = c->source;
    const uint64_t rest = c->end - c->read;
    const uint32_t most = (uint32_t)(rest < DDC_BLOCK ? rest : DDC_BLOCK);
    *part = (struct file_part){.fd = -1, .sample_bytes = fft_iq_bytes(c->stream.format)};
    const int64_t got = source_locate(s, most, READ_MS, &part->fd, &part->at);
    if (got != -ENOTSUP)
        return got;
    return source_read(s, c->buffer, most < BUFFER ? most : BUFFER, READ_MS);
}

/* Of the samples that were read, the number before the filters' context: a pipe has no seek. */
static uint64_t count_early(const struct cutter *c, uint64_t got)
{
    const uint64_t context = c->from > c->sink.reach ? c->from - c->sink.reach : 0;
    const uint64_t early = context > c->read ? context - c->read : 0;
    return early < got ? early : got;
}

/* Samples that were read, from the one with the number c->read on. */
static int put_rest(struct cutter *c, struct file_part *part, uint64_t got)
{
    const uint64_t early = count_early(c, got), bytes = early * part->sample_bytes;
    c->read += early;
    part->at += bytes;
    const int err =
        early < got ? put(c, part->fd < 0 ? NULL : part, c->buffer + bytes, got - early) : 0;
    c->read += got - early;
    return err;
}

static int copy(struct cutter *c)
{
    const struct source *s = c->source;
    while (c->read < c->end) {
        struct file_part part;
        const int64_t got = take(c, &part);
        if (got == -ENODATA)
            break;
        if (got < 0)
            return reason_set(c->why, (int)got, "%s", s->why.sentence);
        if (got == 0)
            continue;
        pass_mark(c);
        const int err = put_rest(c, &part, (uint64_t)got);
        if (err < 0)
            return err;
    }
    const int err = record_sink_end_segment(&c->sink);
    return err < 0 ? reason_set(c->why, err, "%s: %s", c->options->folder, strerror(-err)) : 0;
}

/* ---- all of it -------------------------------------------------------------------------- */

static int finish(struct cutter *c, int err, struct cut_file_result *out)
{
    struct reason why = {0};
    const char *end = err == 0 ? "complete" : c->why->sentence;
    if (c->sink.pair.name[0])
        memcpy(out->name, c->sink.pair.name, sizeof out->name);
    out->samples = c->sink.samples;
    out->missing = c->sink.missing;
    out->rate_hz = c->stream.tuning.rate_hz / (c->sink.factor ? c->sink.factor : 1);
    const int closed = record_sink_end_pair(&c->sink, end, &why);
    if (err == 0 && closed < 0)
        err = reason_set(c->why, closed, "%s", why.sentence);
    if (err == 0 && out->samples == 0)
        err = reason_set(c->why, -ENODATA, "cut: %s has no sample in the box", c->config.replay);
    record_sink_finish(&c->sink);
    source_destroy(c->source);
    free(c->buffer);
    return err;
}

int cut_file(const struct source_config *source, const struct record_options *options,
             const struct box_text *box, struct cut_file_result *out, struct reason *why)
{
    struct cutter c = {.box = box, .options = options, .config = *source, .why = why};
    c.config.realtime = c.config.loop = c.config.keep_running = false;
    c.config.from_s = c.config.to_s = c.config.speed = 0;
    *out = (struct cut_file_result){0};
    const int err = open_all(&c);
    return finish(&c, err == 0 ? copy(&c) : err, out);
}
