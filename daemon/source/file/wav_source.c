/* wav_source.c - opens a WAV, RF64, BW64 or Wave64 recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/format/recording/wav_header.h"
#include "daemon/source/file/wav_chunks.h"

static int read_failed(struct recording *r, int err)
{
    if (err == -ENODATA)
        return recording_fail(r, -EINVAL, "%s: ends inside its WAV header", r->name);
    return recording_fail(r, err, "%s: no WAV header: %s", r->name,
                          byte_stream_error(&r->bytes, err));
}

/* Reads exactly the bytes that the parser needs. A pipe is then at its first sample. */
static int read_header(struct recording *r, struct wav_header *header)
{
    uint8_t *bytes = malloc(WAV_HEADER_MAX);
    struct reason why = {0};
    size_t have = 0;
    struct wav_progress progress = {0};
    int need = 0, err = bytes ? 0 : -ENOMEM;
    while (err == 0 && (need = wav_header_continue(&progress, bytes, have, header, &why)) > 0) {
        err = byte_stream_fill(&r->bytes, bytes + have, (size_t)need - have, RECORDING_HEADER_MS);
        have = (size_t)need;
    }
    free(bytes);
    if (err < 0)
        return read_failed(r, err);
    return need < 0 ? recording_fail(r, need, "%s: %s", r->name, why.sentence) : 0;
}

/*
 * The length of the samples of a file: as the header states it, or a multiple of 4 GiB more, if
 * only chunks follow there; otherwise up to the end of the file.
 */
static uint64_t find_length(struct recording *r, const struct wav_header *header)
{
    const uint64_t left = r->bytes.size - header->data_at;
    const bool unknown = header->data_bytes == WAV_TO_END;
    for (uint64_t end = unknown ? 0 : header->data_bytes; end <= left;
         end += RECORDING_WRAP_BYTES) {
        if (wav_only_chunks_follow(&r->bytes, header->layout, header->data_at + end))
            return end;
        if (unknown)
            break;
        if (header->has_size64) {
            log_warn("%s: the %llu bytes after its samples are not chunks: ignored", r->name,
                     (unsigned long long)(left - end));
            return end;
        }
    }
    return left;
}

static void warn_length(const struct recording *r, const struct wav_header *header)
{
    const size_t size = header->sample ? header->sample->bytes : 1;
    const unsigned long long there = r->data_bytes, stated = header->data_bytes;
    if (header->data_bytes == WAV_TO_END && there > 0)
        log_warn("%s: the header states no length: reading %llu bytes of samples, to the end",
                 r->name, there);
    else if (header->data_bytes != WAV_TO_END && there / size != stated / size)
        log_warn("%s: the header states %llu bytes of samples, the file has %llu: reading these",
                 r->name, stated, there);
}

/* Only the 32 bits of a RIFF file may state too few: `may_go_on` is for these. */
static int set_length(struct recording *r, const struct wav_header *header)
{
    r->length_is_hint = true;
    r->data_at = header->data_at;
    r->data_bytes = header->data_bytes;
    r->may_go_on = !r->bytes.seekable && header->data_bytes != WAV_TO_END && !header->has_size64;
    if (!r->bytes.seekable)
        return 0;
    r->data_bytes = find_length(r, header);
    warn_length(r, header);
    return byte_stream_seek(&r->bytes, header->data_at);
}

/* Bytes from the last whole sample to the end of the data chunk, or with `padded` to the next. */
static size_t incomplete_bytes(const struct recording *r, bool padded)
{
    const size_t rest = (size_t)(r->data_bytes % recording_sample_bytes(r));
    return rest + (padded ? rest % 2 : 0);
}

size_t recording_next_bytes(const struct recording *r)
{
    return r->may_go_on ? incomplete_bytes(r, true) + wav_layout_riff.head_bytes : 0;
}

bool recording_goes_on(struct recording *r, const uint8_t *next, size_t have)
{
    const size_t gap = incomplete_bytes(r, true);
    const bool whole = have == recording_next_bytes(r);
    const bool ends =
        have < recording_sample_bytes(r) || (whole && wav_is_chunk(&wav_layout_riff, next + gap));
    const size_t rest = whole || have == gap ? incomplete_bytes(r, false) : have;
    if (ends && rest > 0)
        recording_warn_rest(r, rest);
    if (ends && whole &&
        (wav_is_data(&wav_layout_riff, next + gap) || wav_is_kiwi(&wav_layout_riff, next + gap)))
        log_warn(
            "%s: it has more than one data chunk: open it as a file, not a pipe, to read them all",
            r->name);
    if (!ends && !r->went_on)
        log_warn("%s: the header states %llu bytes of samples, but more follow: reading these, too",
                 r->name, (unsigned long long)r->data_bytes);
    r->went_on |= !ends;
    return !ends;
}

int recording_open_wav(struct recording *r, const char *path, bool any_format)
{
    struct wav_header header = {0};
    int err = recording_open_bytes(r, path);
    if (err == 0)
        err = read_header(r, &header);
    if (err == 0)
        err = set_length(r, &header);
    if (err == 0 && r->bytes.seekable && !any_format && header.sample)
        err = wav_make_segments(r, header.layout, header.sample->bytes);
    else if (err == 0)
        err = recording_make_segments(r, 1);
    if (err < 0)
        return err;
    if (!header.sample && !any_format)
        return recording_fail(r, -ENOTSUP,
                              "%s: cannot read %s samples (fftd reads integers of 8, 16, 24 and 32 "
                              "bits, and floats of 32 and 64)",
                              r->name, header.kind);
    r->sample = header.sample;
    r->rate_hz = header.rate_hz;
    r->segments[0].center_hz = header.center_hz;
    r->segments[0].has_time = header.has_time;
    r->segments[0].time_ns = header.start_ns;
    return 0;
}
