/* file_source.c - replays a recording, or a part of it: a file, a FIFO or standard input. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/source/file/file_source.h"

enum { PAUSE_MS = 20 }; /* a paused source returns so often, to see new requests */

/* 1: the samples go on after the end of the last segment, 0: they do not. Or -errno. */
static int go_on(struct file *f, int timeout_ms)
{
    struct recording *r = &f->recording;
    const size_t want = recording_next_bytes(r);
    while (f->partial_bytes < want) {
        const int64_t got = byte_stream_read(&r->bytes, f->partial + f->partial_bytes,
                                             want - f->partial_bytes, timeout_ms);
        if (got == -ENODATA)
            break;
        if (got <= 0)
            return got ? (int)got : -ETIMEDOUT;
        f->partial_bytes += (size_t)got;
    }
    if (want == 0 || !recording_goes_on(r, f->partial, f->partial_bytes))
        return 0;
    f->left = RECORDING_WRAP_BYTES / fft_iq_bytes(r->format);
    return 1;
}

/*
 * Enters the next segment, or with `loop` the part again. -ENODATA: that was the last. -ETIMEDOUT:
 * a pipe has not shown within the time whether it goes on.
 */
static int next_segment(struct source *s, int timeout_ms)
{
    struct file *f = s->priv;
    if (f->segment + 1 < f->recording.count) {
        file_next_segment(s);
        return 0;
    }
    const int more = go_on(f, timeout_ms);
    return more == 0 ? file_end_part(s) : more < 0 ? more : 0;
}

/* From now on browsers see the name: the folders of this machine are not their business. */
static void keep_base_name(struct recording *r)
{
    const char *slash = strrchr(r->name, '/');
    if (slash)
        memmove(r->name, slash + 1, strlen(slash));
}

static int file_init(struct source *s)
{
    struct file *f = s->priv;
    struct recording *r = &f->recording;
    int err = recording_open(r, s->config);
    if (err < 0)
        return source_fail(s, err, "%s", r->why.sentence);
    s->stream = (struct stream){.format = r->format,
                                .full_scale = r->full_scale,
                                .tuning = {.rate_hz = r->rate_hz},
                                .rate_assumed = r->rate_assumed,
                                .geolocation = r->geolocation,
                                .gain_db = NAN};
    err = file_start_replay(s);
    if (err < 0)
        return err;
    s->stream.samples = s->replay.samples - replay_left_out(&s->replay);
    s->stream.start_ns = file_anchor_time(s);
    keep_base_name(r);
    snprintf(s->stream.about, sizeof s->stream.about, "%s (%s)", r->name, fft_iq_name(r->format));
    return 0;
}

/* The recorder may have been killed: its samples are read, and what is left is counted. */
static int64_t recorder_ended(const struct file *f)
{
    const struct recording *r = &f->recording;
    if (f->left != RECORDING_TO_END && !r->went_on)
        log_warn("%s: ended early: %llu sample%s of the length in its header %s missing", r->name,
                 (unsigned long long)f->left, f->left == 1 ? "" : "s", f->left == 1 ? "is" : "are");
    if (f->partial_bytes)
        recording_warn_rest(r, f->partial_bytes);
    return -ENODATA;
}

/* The end of the bytes is valid for a pipe between two samples. A file has a known length. */
static int64_t ended(struct source *s)
{
    const struct file *f = s->priv;
    const char *name = f->recording.name;
    if (f->recording.length_is_hint && !f->recording.bytes.seekable && f->total > 0)
        return recorder_ended(f);
    if (f->left != RECORDING_TO_END)
        return source_fail(s, -EIO, "%s: ended early, %llu samples are missing", name,
                           (unsigned long long)f->left);
    if (f->partial_bytes)
        return source_fail(s, -EIO, "%s: truncated, ends with %zu bytes of a %s sample", name,
                           f->partial_bytes, fft_iq_name(f->recording.format));
    if (f->total == 0 && s->replay.first > 0)
        return source_fail(s, -EIO, "%s: ended before its sample %llu, where from is", name,
                           (unsigned long long)s->replay.first);
    if (f->total == 0)
        return source_fail(s, -EIO, "%s: empty, no samples", name);
    return -ENODATA;
}

/* 8-bit samples of a WAV have their zero at 128: with the top bits flipped they are cs8. */
static void convert(const struct file *f, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; f->recording.is_unsigned && i < count; i++)
        bytes[i] ^= 0x80;
}

/* Returns whole samples that go_on has read. */
static int64_t take_partial(struct file *f, uint8_t *into, uint32_t samples)
{
    const size_t size = fft_iq_bytes(f->recording.format), there = f->partial_bytes / size;
    const size_t count = samples < there ? samples : there;
    memcpy(into, f->partial, count * size);
    convert(f, into, count * size);
    f->partial_bytes -= count * size;
    memmove(f->partial, f->partial + count * size, f->partial_bytes);
    return (int64_t)count;
}

/* 1: samples may be read; 0: not yet. A pipe that was called raw may be a file of another kind. */
static int start_pipe(struct source *s, int timeout_ms)
{
    struct file *f = s->priv;
    if (f->recording.was_looked_at)
        return 1;
    const int start = recording_check_start(&f->recording, timeout_ms);
    return start < 0 ? source_fail(s, start, "%s", f->recording.why.sentence) : start;
}

/* Reads whole samples. The bytes of an incomplete sample stay in `partial`. */
static int64_t read_samples(struct source *s, uint8_t *into, uint32_t samples, int timeout_ms)
{
    struct file *f = s->priv;
    const size_t size = fft_iq_bytes(s->stream.format), before = f->partial_bytes;
    const int start = start_pipe(s, timeout_ms);
    if (start <= 0)
        return start;
    if (before >= size)
        return take_partial(f, into, samples);
    const int64_t got =
        byte_stream_read(&f->recording.bytes, into + before, samples * size - before, timeout_ms);
    if (got == -ENODATA)
        return ended(s);
    if (got < 0)
        return source_fail(s, (int)got, "%s: %s", f->recording.name,
                           byte_stream_error(&f->recording.bytes, got));
    if (got == 0)
        return 0;
    memcpy(into, f->partial, before);
    const size_t have = before + (size_t)got, whole = have / size;
    f->partial_bytes = have % size;
    memcpy(f->partial, into + whole * size, f->partial_bytes);
    convert(f, into, whole * size);
    return (int64_t)whole;
}

/* Returns the samples due now, and reduces the time limit by the time waited. */
static uint32_t pace(struct source *s, uint32_t samples, int *timeout_ms)
{
    struct file *f = s->priv;
    const uint64_t start_ns = clock_now_ns();
    if (f->pacer.start_ns == 0) /* at the first read, not at init: the ring is created in between */
        pacer_start(&f->pacer, f->recording.rate_hz * s->replay.speed, start_ns);
    samples = pacer_wait(&f->pacer, samples, *timeout_ms);
    const uint64_t took_ms = (clock_now_ns() - start_ns) / 1000000U;
    *timeout_ms = took_ms < (uint64_t)*timeout_ms ? *timeout_ms - (int)took_ms : 0;
    return samples;
}

static int64_t pause_replay(int timeout_ms)
{
    const int ms = timeout_ms >= 0 && timeout_ms < PAUSE_MS ? timeout_ms : PAUSE_MS;
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
    return 0;
}

/* Returns how many of `samples` lie together and are due now. */
static int64_t find_next(struct source *s, uint32_t samples, int *timeout_ms)
{
    const struct file *f = s->priv;
    const struct replay_state *now = &s->replay;
    if (now->paused || now->ended)
        return pause_replay(*timeout_ms);
    while (f->left == 0 || now->position >= now->end) {
        const int err = now->position >= now->end ? file_end_part(s) : next_segment(s, *timeout_ms);
        if (err < 0)
            return err == -ETIMEDOUT ? 0 : err;
    }
    if (s->config->realtime && now->speed > 0)
        samples = pace(s, samples, timeout_ms);
    if (samples > f->left)
        samples = (uint32_t)f->left;
    if (samples > now->end - now->position)
        samples = (uint32_t)(now->end - now->position);
    return samples;
}

static void count(struct source *s, uint64_t samples)
{
    struct file *f = s->priv;
    f->left -= f->left == RECORDING_TO_END ? 0 : samples;
    f->total += samples;
    s->replay.position += samples;
    f->pacer.given += samples;
}

static int64_t file_read(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    const int64_t next = find_next(s, samples, &timeout_ms);
    if (next <= 0)
        return next;
    const int64_t got = read_samples(s, into, (uint32_t)next, timeout_ms);
    s->replay.ended = got == -ENODATA;
    if (got > 0)
        count(s, (uint64_t)got);
    return got;
}

static int64_t file_locate(struct source *s, uint32_t samples, int timeout_ms, int *fd,
                           uint64_t *at)
{
    struct file *f = s->priv;
    struct recording *r = &f->recording;
    if (!r->bytes.seekable || r->is_unsigned || f->partial_bytes > 0)
        return -ENOTSUP;
    const int64_t next = find_next(s, samples, &timeout_ms);
    if (next <= 0)
        return next;
    *fd = r->bytes.fd;
    *at = byte_stream_offset(&r->bytes);
    byte_stream_skip(&r->bytes, (uint64_t)next * fft_iq_bytes(r->format));
    count(s, (uint64_t)next);
    return next;
}

/* A recording cannot be tuned, so only "no change" succeeds. NAN, 0 and "" mean "not given". */
static int file_tune(struct source *s, const struct tuning *want)
{
    const struct tuning *have = &s->stream.tuning, *given = &s->config->tuning;
    const bool same = (isnan(want->center_hz) || want->center_hz == have->center_hz ||
                       want->center_hz == given->center_hz) &&
                      (want->rate_hz == 0 || want->rate_hz == have->rate_hz) &&
                      strcmp(want->gain, given->gain) == 0 && want->ppm == given->ppm &&
                      want->converter_hz == given->converter_hz &&
                      want->bandwidth_hz == given->bandwidth_hz &&
                      strcmp(want->antenna, given->antenna) == 0;
    if (same)
        return 0;
    struct file *f = s->priv;
    return source_fail(s, -ENOTSUP, "%s: a recording cannot be tuned", f->recording.name);
}

static void file_finish(struct source *s)
{
    struct file *f = s->priv;
    recording_close(&f->recording);
}

const struct source_ops source_file = {
    .name = "file",
    .about = "a recording: raw IQ, WAV, SigMF, sdriq",
    .priv_size = sizeof(struct file),
    .init = file_init,
    .read = file_read,
    .locate = file_locate,
    .tune = file_tune,
    .replay = file_control_replay,
    .finish = file_finish,
};
