/* file_source.c - replays a recording, or a part of it: a file, a FIFO or standard input. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/source/file/file_source.h"

enum { PAUSE_MS = 20 }; /* a paused source returns so often, to see new requests */

static int read_failed(struct source *s, int64_t err)
{
    const struct recording *r = &((const struct file *)s->priv)->recording;
    return source_fail(s, (int)err, "%s: %s", r->name, byte_stream_error(&r->bytes, err));
}

/* 1: the samples go on after the end of the last segment, 0: they do not. Or -errno. */
static int go_on(struct source *s, int timeout_ms)
{
    struct file *f = s->priv;
    struct recording *r = &f->recording;
    const size_t want = recording_next_bytes(r);
    while (f->partial_bytes < want) {
        const int64_t got = byte_stream_read(&r->bytes, f->partial + f->partial_bytes,
                                             want - f->partial_bytes, timeout_ms);
        if (got == -ENODATA)
            break;
        if (got <= 0)
            return got ? read_failed(s, got) : -ETIMEDOUT;
        f->partial_bytes += (size_t)got;
    }
    if (want == 0 || !recording_goes_on(r, f->partial, f->partial_bytes))
        return 0;
    const uint64_t size = recording_sample_bytes(r), before = r->data_bytes / size;
    r->data_bytes += RECORDING_WRAP_BYTES; /* which may be no whole number of samples */
    f->left = r->data_bytes / size - before;
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
    const int more = go_on(s, timeout_ms);
    return more == 0 ? file_end_part(s) : more < 0 ? more : 0;
}

/* From now on browsers see the name: the folders of this machine are not their business. */
static void keep_base_name(struct recording *r)
{
    const char *slash = strrchr(r->name, '/');
    if (slash)
        memmove(r->name, slash + 1, strlen(slash));
}

static int prepare_conversion(struct file *f)
{
    const struct iq_sample *sample = f->recording.sample;
    if (!sample->convert && f->recording.channels == 1)
        return 0;
    f->bytes = malloc(FILE_BLOCK * recording_sample_bytes(&f->recording));
    f->real = sample->real ? malloc(sizeof *f->real) : NULL;
    if (!f->bytes || (sample->real && !f->real))
        return -ENOMEM;
    if (f->real)
        half_band_init(f->real);
    return 0;
}

static int file_init(struct source *s)
{
    struct file *f = s->priv;
    struct recording *r = &f->recording;
    int err = recording_open(r, s->config);
    if (err < 0)
        return source_fail(s, err, "%s", r->why.sentence);
    const struct iq_sample *sample = r->sample;
    if (prepare_conversion(f) < 0)
        return source_fail(s, -ENOMEM, "%s: no memory", r->name);
    s->stream =
        (struct stream){.format = sample->ring,
                        .full_scale = r->full_scale / sample->full_scale * sample->ring_scale,
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
    snprintf(s->stream.about, sizeof s->stream.about, "%s (%s)", r->name, sample->name);
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
    if (f->partial_bytes && f->total > 0)
        recording_warn_rest(&f->recording, f->partial_bytes);
    if (f->total == 0 && s->replay.first > 0)
        return source_fail(s, -EIO, "%s: ended before its sample %llu, where from is", name,
                           (unsigned long long)s->replay.first);
    if (f->total == 0)
        return source_fail(s, -EIO, "%s: empty, no samples", name);
    return -ENODATA;
}

/* Takes whole samples that go_on has read. */
static int64_t take_partial(struct file *f, uint8_t *into, size_t samples)
{
    const size_t size = recording_sample_bytes(&f->recording), there = f->partial_bytes / size;
    const size_t count = samples < there ? samples : there;
    memcpy(into, f->partial, count * size);
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

/* Reads whole samples as they are in the file. The bytes of an incomplete one stay in `partial`. */
static int64_t read_bytes(struct source *s, uint8_t *into, size_t samples, int timeout_ms)
{
    struct file *f = s->priv;
    const size_t size = recording_sample_bytes(&f->recording), before = f->partial_bytes;
    const int start = start_pipe(s, timeout_ms);
    if (start <= 0)
        return start;
    if (before >= size)
        return take_partial(f, into, samples);
    const int64_t got =
        byte_stream_read(&f->recording.bytes, into + before, samples * size - before, timeout_ms);
    if (got == -ENODATA)
        return -ENODATA;
    if (got < 0)
        return read_failed(s, got);
    if (got == 0)
        return 0;
    memcpy(into, f->partial, before);
    const size_t have = before + (size_t)got, whole = have / size;
    f->partial_bytes = have % size;
    memcpy(f->partial, into + whole * size, f->partial_bytes);
    return (int64_t)whole;
}

/* Moves those of one channel together. A real sample is half of what fftd counts as one. */
static void select_channel(const struct recording *r, uint8_t *bytes, size_t samples)
{
    const size_t parts = r->sample->real ? 2 : 1, size = r->sample->bytes / parts;
    if (r->channels == 1)
        return;
    for (size_t i = 0; i < samples * parts; i++)
        memmove(bytes + i * size, bytes + (i * r->channels + r->channel) * size, size);
}

/* The same, converted into the format of the ring; of real samples: pairs of them. */
static int64_t read_converted(struct source *s, void *into, size_t samples, int timeout_ms)
{
    struct file *f = s->priv;
    const struct iq_sample *sample = f->recording.sample;
    if (!f->bytes)
        return read_bytes(s, into, samples, timeout_ms);
    const size_t most = samples < FILE_BLOCK ? samples : FILE_BLOCK;
    const int64_t got = read_bytes(s, f->bytes, most, timeout_ms);
    if (got <= 0)
        return got;
    select_channel(&f->recording, f->bytes, (size_t)got);
    if (sample->convert)
        sample->convert(f->bytes, into, (size_t)got);
    else
        memcpy(into, f->bytes, (size_t)got * sample->bytes);
    return got;
}

/* The filter is some pairs ahead: after the last pair of a segment, silence follows. */
static int64_t flush(struct file *f, struct fft_iq *into, size_t samples)
{
    const size_t count = f->left < samples ? (size_t)f->left : samples;
    const size_t missing = HALF_BAND_AHEAD - f->real->primed;
    return (int64_t)half_band_run(f->real, NULL, into, missing + count);
}

/* The end of a pipe: what is in the filter is left. */
static int64_t end_real_pipe(struct file *f, struct fft_iq *into, size_t samples)
{
    f->left = f->real->primed;
    if (f->partial_bytes && f->left > 0)
        recording_warn_rest(&f->recording, f->partial_bytes);
    return f->left > 0 ? flush(f, into, samples) : -ENODATA;
}

static int64_t read_real(struct source *s, struct fft_iq *into, size_t samples, int timeout_ms)
{
    struct file *f = s->priv;
    size_t done = 0;
    while (done == 0) {
        const uint64_t ahead = f->real->primed, there = f->left > ahead ? f->left - ahead : 0;
        if (there == 0)
            return flush(f, into, samples);
        const size_t most = samples < there ? samples : (size_t)there;
        const int64_t got = read_converted(s, into, most, timeout_ms);
        if (got == -ENODATA && f->left == RECORDING_TO_END)
            return end_real_pipe(f, into, samples);
        if (got <= 0)
            return got;
        done = half_band_run(f->real, into, into, (size_t)got);
    }
    return (int64_t)done;
}

static int64_t read_samples(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    const struct file *f = s->priv;
    const int64_t got = f->real ? read_real(s, into, samples, timeout_ms)
                                : read_converted(s, into, samples, timeout_ms);
    return got == -ENODATA ? ended(s) : got;
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
    if (!r->bytes.seekable || f->bytes || f->partial_bytes > 0)
        return -ENOTSUP;
    const int64_t next = find_next(s, samples, &timeout_ms);
    if (next <= 0)
        return next;
    *fd = r->bytes.fd;
    *at = byte_stream_offset(&r->bytes);
    byte_stream_skip(&r->bytes, (uint64_t)next * recording_sample_bytes(r));
    count(s, (uint64_t)next);
    return next;
}

/* A recording cannot be tuned, so only "no change" succeeds. NAN, 0 and "" mean "not given". */
static int file_tune(struct source *s, const struct tuning *want)
{
    const struct tuning *have = &s->stream.tuning, *given = &s->config->tuning;
    const bool same =
        (isnan(want->center_hz) || want->center_hz == have->center_hz ||
         want->center_hz == given->center_hz) &&
        (want->rate_hz == 0 || want->rate_hz == have->rate_hz || want->rate_hz == given->rate_hz) &&
        strcmp(want->gain, given->gain) == 0 && want->ppm == given->ppm &&
        want->converter_hz == given->converter_hz && want->bandwidth_hz == given->bandwidth_hz &&
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
    free(f->bytes);
    free(f->real);
}

const struct source_ops source_file = {
    .name = "file",
    .about = "a recording: raw IQ, WAV, SigMF, sdriq, npy",
    .priv_size = sizeof(struct file),
    .init = file_init,
    .read = file_read,
    .locate = file_locate,
    .tune = file_tune,
    .replay = file_control_replay,
    .finish = file_finish,
};
