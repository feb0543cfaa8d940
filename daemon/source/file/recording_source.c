/* recording_source.c - opens a recording of any container, and determines its rate, centre and
 * length. */
#include "daemon/source/file/recording_source.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/base/unix_time.h"

#define READABLE "fftd reads cu8, cs8, cs16, cf32, and what docs/input.md lists"

int recording_fail(struct recording *r, int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    reason_set_args(&r->why, err, format, args);
    va_end(args);
    return err;
}

/* "fftd 433.92M": people who expect a frequency there. */
static bool is_frequency(const char *path)
{
    double hz;
    return si_parse_unit(path, SI_HZ, &hz) == 0;
}

int recording_open_bytes(struct recording *r, const char *path)
{
    const int err = r->bytes.open ? 0 : byte_stream_open(&r->bytes, path);
    if (err == -ENOENT && is_frequency(path))
        return recording_fail(r, err, "%s: %s (to tune a radio: fftd -f %s, its rate: -s %s)",
                              r->name, strerror(-err), path, path);
    return err < 0 ? recording_fail(r, err, "%s: %s", r->name, strerror(-err)) : 0;
}

int recording_make_segments(struct recording *r, size_t count)
{
    r->segments = calloc(count, sizeof *r->segments);
    if (!r->segments)
        return recording_fail(r, -ENOMEM, "%s: no memory for %zu captures", r->name, count);
    r->count = count;
    for (size_t i = 0; i < count; i++)
        r->segments[i].center_hz = NAN;
    r->segments[count - 1].samples = RECORDING_TO_END;
    return 0;
}

int recording_open_raw(struct recording *r, const char *path)
{
    int err = recording_open_bytes(r, path);
    if (err < 0)
        return err;
    r->data_bytes = r->bytes.size;
    err = recording_make_segments(r, 1);
    if (err == 0)
        recording_read_companion(r, path);
    return err;
}

/* What the first bytes say comes before the name. */
static enum iq_container container_of(const struct recording *r, const struct iq_name *name)
{
    if (r->kind && r->kind->container == FILE_WAV)
        return IQ_WAV;
    if (r->kind && r->kind->container == FILE_TAR)
        return IQ_SIGMF_ARCHIVE;
    return name->container;
}

static int open_container(struct recording *r, const struct iq_name *name, const char *wanted,
                          bool any_format)
{
    const bool is_pair = name->container == IQ_SIGMF_PAIR;
    const bool is_raw = any_format || name->container == IQ_RAW || name->container == IQ_REFUSED;
    if (is_pair && recording_packed_suffix(name->path))
        return recording_fail(r, -ENOTSUP, "%s: a SigMF pair has to be unpacked first", r->name);
    const int failed = is_pair ? 0 : recording_recognise(r, name, is_raw);
    if (failed < 0)
        return failed;
    if (r->kind && r->kind->container == FILE_NPY)
        return recording_open_npy(r, name->path);
    switch (container_of(r, name)) {
    case IQ_WAV:
        return recording_open_wav(r, name->path, any_format);
    case IQ_SDRIQ:
        return recording_open_sdriq(r, name->path, any_format);
    case IQ_SIGMF_PAIR:
        return recording_open_sigmf_pair(r, name->path, any_format);
    case IQ_SIGMF_ARCHIVE:
        return recording_open_sigmf_archive(r, name->path, wanted, any_format);
    case IQ_RAW:
        r->sample = name->sample;
        return recording_open_raw(r, name->path);
    case IQ_UNKNOWN:
        return any_format ? recording_open_raw(r, name->path)
                          : recording_open_unknown(r, name->path);
    case IQ_REFUSED:
        break;
    }
    /* A missing file or a directory is the better reason. */
    const int err = recording_open_raw(r, name->path);
    if (err < 0 || any_format)
        return err;
    return recording_fail(r, -ENOTSUP, "%s: cannot read %s samples (" READABLE ")", r->name,
                          name->refused);
}

/* Floats may have any unit; the codes of integers end at the full scale of their format. */
static void scale_limits(const struct iq_sample *sample, double *least, double *most)
{
    const bool is_float = sample->full_scale <= 1;
    const double smallest = SOURCE_FULL_SCALE_MIN * sample->full_scale / sample->ring_scale;
    *least = is_float ? SOURCE_FULL_SCALE_MIN : fmax(1, smallest);
    *most = is_float ? SOURCE_FULL_SCALE_MAX : sample->full_scale;
}

bool recording_has_scale(const struct iq_sample *sample, double full_scale)
{
    double least, most;
    scale_limits(sample, &least, &most);
    return full_scale >= least && full_scale <= most;
}

static int choose_channel(struct recording *r, uint32_t channel)
{
    if (channel >= r->channels)
        return recording_fail(
            r, -EINVAL,
            "%s: --rx-channel %" PRIu32 ": it has %" PRIu32 " channel%s, from 0 to "
            "%" PRIu32,
            r->name, channel, r->channels, r->channels == 1 ? "" : "s", r->channels - 1);
    r->channel = channel;
    if (r->channels > 1)
        log_info("%s: reading channel %" PRIu32 " of %" PRIu32 ", from 0 to %" PRIu32
                 " (--rx-channel)",
                 r->name, channel, r->channels, r->channels - 1);
    return 0;
}

/* The command line comes before the header (already in r). */
static int resolve_scale(struct recording *r, const struct source_config *config)
{
    if (config->full_scale > 0)
        r->full_scale = config->full_scale;
    if (r->full_scale == 0)
        r->full_scale = r->sample->full_scale;
    if (recording_has_scale(r->sample, r->full_scale))
        return 0;
    double least, most;
    scale_limits(r->sample, &least, &most);
    return recording_fail(
        r, -EINVAL, "%s: --full-scale %.10g is not possible for %s samples: give %.10g to %.10g",
        r->name, r->full_scale, r->sample->name, least, most);
}

static int set_center(struct recording *r, double *center_hz, double given_hz, double name_hz)
{
    if (!isnan(given_hz))
        *center_hz = given_hz;
    else if (isnan(*center_hz))
        *center_hz = isnan(name_hz) ? 0 : name_hz;
    if (fabs(*center_hz) <= TUNING_CENTER_MAX_HZ)
        return 0;
    return recording_fail(r, -EINVAL, "%s: a centre of %g is not possible", r->name, *center_hz);
}

/* Sets rate and centre: from the command line, else the header (already in r), else the name. */
static int resolve_tuning(struct recording *r, const struct source_config *config,
                          const struct iq_name *name)
{
    const struct tuning *given = &config->tuning;
    if (given->rate_hz != 0)
        r->rate_hz = given->rate_hz;
    else if (r->rate_hz == 0)
        r->rate_hz = name->rate_hz;
    r->rate_assumed = r->rate_hz == 0;
    if (r->rate_assumed)
        r->rate_hz = RECORDING_ASSUMED_HZ;
    if (!(r->rate_hz > 0 && r->rate_hz <= TUNING_RATE_MAX_HZ))
        return recording_fail(r, -EINVAL, "%s: a sample rate of %g is not possible", r->name,
                              r->rate_hz);
    for (size_t i = 0; i < r->count; i++)
        if (set_center(r, &r->segments[i].center_hz, given->center_hz, name->center_hz) < 0)
            return -EINVAL;
    return 0;
}

/* The centre of a real recording is where its 0 Hz was received: the half above it is shown. */
static void halve(struct recording *r)
{
    if (!r->sample->real)
        return;
    log_info("%s: real samples at %.10g S/s: half of their spectrum, from 0 to %.10g Hz above the "
             "centre",
             r->name, r->rate_hz, r->rate_hz / 2);
    r->rate_hz /= 2;
    for (size_t i = 0; i < r->count; i++)
        r->segments[i].center_hz += r->rate_hz / 2;
}

/* A recording of fftd has its time in the metadata, if that is known. Old names have another one.
 */
static bool was_dated_by_name(const struct iq_name *name)
{
    const char *slash = strrchr(name->path, '/');
    return name->container == IQ_SIGMF_PAIR &&
           strncmp(slash ? slash + 1 : name->path, "fftd_", 5) == 0;
}

/* The start comes from the header (already in r), else the name. */
static void resolve_time(struct recording *r, const struct iq_name *name)
{
    struct recording_segment *first = &r->segments[0];
    char text[UNIX_TIME_TEXT];
    if (first->has_time || !name->has_time || was_dated_by_name(name))
        return;
    first->has_time = true;
    first->time_ns = name->time_ns;
    log_info("%s: starts at %s UTC, according to its name", r->name,
             unix_time_text(name->time_ns, "%Y-%m-%d %H:%M:%S", text));
}

void recording_warn_rest(const struct recording *r, uint64_t bytes)
{
    log_warn("%s: it ends with an incomplete sample: %llu byte%s left out", r->name,
             (unsigned long long)bytes, bytes == 1 ? "" : "s");
}

/* Checks that `left` bytes hold segment i, which starts at sample `before`, except the last. */
static int check_segment(struct recording *r, size_t i, uint64_t before, uint64_t left)
{
    const struct recording_segment *s = &r->segments[i];
    const size_t capture = i - r->first_capture;
    if (s->skip_bytes > left)
        return recording_fail(
            r, -EINVAL, "%s: capture %zu: core:header_bytes is %llu, only %llu bytes are left",
            r->name, capture, (unsigned long long)s->skip_bytes, (unsigned long long)left);
    const uint64_t there = (left - s->skip_bytes) / recording_sample_bytes(r);
    const unsigned long long next = before + s->samples, end = before + there;
    if (i + 1 < r->count && s->samples > there)
        return recording_fail(
            r, -EINVAL, "%s: capture %zu starts at sample %llu, but the data ends at sample %llu",
            r->name, capture + 1, next, end);
    return 0;
}

/* Computes the samples of the last segment from the bytes that are left for it. */
static int measure_last(struct recording *r, uint64_t before, uint64_t left)
{
    const uint64_t size = recording_sample_bytes(r);
    if (left / size + before == 0 && left == 0)
        return recording_fail(r, -EINVAL, "%s: empty, no samples", r->name);
    if (left / size + before == 0)
        return recording_fail(r, -EINVAL, "%s: no samples: %llu of the %llu bytes of a %s sample",
                              r->name, (unsigned long long)left, (unsigned long long)size,
                              r->sample->name);
    if (left % size && r->bytes.seekable)
        recording_warn_rest(r, left % size);
    r->segments[r->count - 1].samples = left / size;
    return 0;
}

/* If the length is known, checks the segments against it. */
static int measure(struct recording *r)
{
    uint64_t left = r->data_bytes, before = 0;
    if (r->data_bytes == RECORDING_TO_END)
        return 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct recording_segment *s = &r->segments[i];
        const uint64_t samples = i + 1 < r->count ? s->samples : 0;
        const int err = check_segment(r, i, before, left);
        if (err < 0)
            return err;
        left -= s->skip_bytes + samples * recording_sample_bytes(r);
        before += samples;
    }
    return measure_last(r, before, left);
}

/* Parses a name without the suffix of a compressed file. */
static int parse_name(struct recording *r, const char *text, struct iq_name *out)
{
    const char *suffix = recording_packed_suffix(text);
    char *inner = strndup(text, suffix ? (size_t)(suffix - text) : strlen(text));
    if (!inner)
        return recording_fail(r, -ENOMEM, "no memory");
    iq_name_parse(inner, out);
    out->path = text + (out->path - inner);
    free(inner);
    return 0;
}

static void set_name(struct recording *r, const char *path)
{
    const size_t length = strlen(path), most = sizeof r->name - 4;
    if (strcmp(path, "-") == 0)
        snprintf(r->name, sizeof r->name, "standard input");
    else if (length > most)
        snprintf(r->name, sizeof r->name, "...%s", path + length - most);
    else
        snprintf(r->name, sizeof r->name, "%s", path);
}

int recording_open(struct recording *r, const struct source_config *config)
{
    struct iq_name name;
    *r = (struct recording){.channels = 1};
    if (!config->replay || !*config->replay)
        return recording_fail(r, -EINVAL, "source file: give --replay FILE");
    int err = parse_name(r, config->replay, &name);
    if (err < 0)
        return err;
    set_name(r, name.path);
    const struct iq_sample *forced = config->format ? iq_sample_find(config->format) : NULL;
    if (config->format && !forced)
        return recording_fail(r, -EINVAL, "--format %s: cannot be read (" READABLE ")",
                              config->format);
    err = open_container(r, &name, config->sigmf_recording, forced);
    if (forced && r->sample != forced) {
        r->full_scale = 0; /* that of the header is of other samples */
        r->sample = forced;
    }
    if (err == 0)
        err = choose_channel(r, config->rx_channel);
    if (err == 0)
        err = resolve_scale(r, config);
    if (err == 0)
        err = resolve_tuning(r, config, &name);
    if (err == 0)
        halve(r);
    if (err == 0)
        resolve_time(r, &name);
    if (err == 0)
        err = measure(r);
    if (err == 0 && config->loop && !r->bytes.seekable)
        err = recording_fail(r, -EINVAL, "%s: cannot --loop, it is %s", r->name,
                             r->bytes.packed ? "compressed: unpack it first" : "no regular file");
    if (err == 0)
        recording_warn(r, config->replay);
    if (err == 0 && name.container == IQ_RAW && !r->kind && name.path == config->replay &&
        !config->format)
        recording_check_name(r, config->replay);
    return err;
}

size_t recording_sample_bytes(const struct recording *r)
{
    return r->sample->bytes * r->channels;
}

uint64_t recording_samples(const struct recording *r)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (r->segments[i].samples == RECORDING_TO_END)
            return 0;
        sum += r->segments[i].samples;
    }
    return sum;
}

void recording_close(struct recording *r)
{
    byte_stream_close(&r->bytes);
    free(r->segments);
    r->segments = NULL;
}
