/* wav.c - opens a WAV, RF64 or BW64 recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/format/wav_header.h"
#include "daemon/source/file/recording.h"

static int read_failed(struct recording *r, int err)
{
    if (err == -ENODATA)
        return recording_fail(r, -EINVAL, "%s: ends inside its WAV header", r->name);
    return recording_fail(r, err, "%s: no WAV header: %s", r->name, strerror(-err));
}

/* Reads exactly the bytes that the parser needs. A pipe is then at its first sample. */
static int read_header(struct recording *r, struct wav_header *header)
{
    uint8_t *bytes = malloc(WAV_HEADER_MAX);
    char why[80] = "";
    size_t have = 0;
    int need = 0, err = bytes ? 0 : -ENOMEM;
    while (err == 0 && (need = wav_header_parse(bytes, have, header, why, sizeof why)) > 0) {
        err = byte_stream_fill(&r->bytes, bytes + have, (size_t)need - have, RECORDING_HEADER_MS);
        have = (size_t)need;
    }
    free(bytes);
    if (err < 0)
        return read_failed(r, err);
    return need < 0 ? recording_fail(r, need, "%s: %s", r->name, why) : 0;
}

/* Refuses a data chunk longer than the file: the recorder or a copy was interrupted. */
static int check_length(struct recording *r, const struct wav_header *header)
{
    r->data_at = header->data_at;
    r->data_bytes = header->data_bytes;
    if (!r->bytes.seekable)
        return 0;
    const uint64_t left = r->bytes.size - header->data_at;
    if (header->data_bytes == WAV_TO_END)
        r->data_bytes = left;
    if (r->data_bytes > left)
        return recording_fail(
            r, -EINVAL, "%s: truncated: %llu bytes of samples promised, %llu are there", r->name,
            (unsigned long long)header->data_bytes, (unsigned long long)left);
    return 0;
}

int recording_open_wav(struct recording *r, const char *path, bool any_format)
{
    struct wav_header header = {0};
    int err = recording_open_bytes(r, path);
    if (err == 0)
        err = read_header(r, &header);
    if (err == 0)
        err = check_length(r, &header);
    if (err == 0)
        err = recording_make_segments(r, 1);
    if (err < 0)
        return err;
    if (header.format == FFT_IQ_FORMATS && !any_format)
        return recording_fail(
            r, -ENOTSUP,
            "%s: cannot read %s samples (fftd reads 8 and 16-bit integer and 32-bit float)",
            r->name, header.kind);
    r->format = header.format;
    r->rate_hz = header.rate_hz;
    r->segments[0].center_hz = header.center_hz;
    r->segments[0].has_time = header.has_time;
    r->segments[0].time_ns = header.start_ns;
    return 0;
}
