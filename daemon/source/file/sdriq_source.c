/* sdriq_source.c - opens a recording of SDRangel. */
#include "daemon/format/recording/sdriq.h"

#include <errno.h>
#include <string.h>

#include "daemon/source/file/recording_source.h"

static int read_header(struct recording *r, struct sdriq *header)
{
    uint8_t bytes[SDRIQ_BYTES];
    const int err = byte_stream_fill(&r->bytes, bytes, sizeof bytes, RECORDING_HEADER_MS);
    if (err == -ENODATA)
        return recording_fail(r, -EINVAL, "%s: ends inside its header", r->name);
    if (err < 0)
        return recording_fail(r, err, "%s: no header: %s", r->name,
                              byte_stream_error(&r->bytes, err));
    if (sdriq_parse(bytes, header) < 0)
        return recording_fail(r, -EINVAL,
                              "%s: the checksum of its header is wrong: no file of "
                              "SDRangel, or a damaged one",
                              r->name);
    return 0;
}

int recording_open_sdriq(struct recording *r, const char *path, bool any_format)
{
    struct sdriq header = {0};
    int err = recording_open_bytes(r, path);
    if (err == 0)
        err = read_header(r, &header);
    if (err == 0)
        err = recording_make_segments(r, 1);
    if (err < 0)
        return err;
    if (header.bits != 16 && header.bits != 24 && !any_format)
        return recording_fail(r, -ENOTSUP,
                              "%s: cannot read samples of %u bits (fftd reads 16 and 24)", r->name,
                              header.bits);
    r->length_is_hint = true;
    r->data_at = SDRIQ_BYTES;
    r->data_bytes = r->bytes.seekable ? r->bytes.size - SDRIQ_BYTES : RECORDING_TO_END;
    r->sample = iq_sample_find(header.bits == 24 ? "sdriq24" : "cs16");
    r->rate_hz = header.rate_hz;
    r->segments[0].center_hz = header.center_hz;
    r->segments[0].has_time = header.has_time;
    r->segments[0].time_ns = header.start_ns;
    return 0;
}
