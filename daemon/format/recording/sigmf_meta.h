/*
 * sigmf_meta.h - parses those fields of a .sigmf-meta file that its samples need. Any thread.
 *
 * Source: SigMF specification 1.2 (github.com/sigmf/SigMF). Read: core:datatype, sample_rate,
 * num_channels, offset, dataset, metadata_only, trailing_bytes, geolocation, fftd:full_scale; of
 * each capture core:sample_start, global_index, header_bytes, frequency, datetime, geolocation.
 * core:sha512 is not checked: that would need a pass over the whole recording before its first
 * sample. Use `sha512sum`. A datetime that unix_time_parse refuses, or a geolocation that is no
 * point on the earth, counts as not given, with a warning. A byte order mark is skipped. null is no
 * value. Sample indices count from core:offset on; a capture that began before it continues in this
 * file.
 */
#ifndef FFTD_DAEMON_FORMAT_RECORDING_SIGMF_META_H
#define FFTD_DAEMON_FORMAT_RECORDING_SIGMF_META_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/base/geolocation.h"
#include "daemon/format/recording/iq_sample.h"

struct reason;

enum { SIGMF_CHANNELS_MAX = 64 };

struct sigmf_capture {
    uint64_t sample_start; /* in the data file; not below that of the previous capture */
    uint64_t header_bytes; /* of other data before it */
    bool has_index;
    uint64_t global_index; /* in the recorded stream */
    double center_hz;      /* NAN: not given */
    bool has_time;
    int64_t time_ns;
};

struct sigmf_meta {
    const struct iq_sample *sample; /* NULL: one that fftd cannot read */
    char datatype[24];              /* as written: "ci16_le" */
    double rate_hz;                 /* 0: not given */
    double full_scale; /* of the components, in raw units; 0: not given, NAN: no number */
    uint64_t channels; /* interleaved samples of 1 to SIGMF_CHANNELS_MAX */
    uint64_t trailing_bytes;
    uint64_t offset;   /* index of the first sample of the data file */
    char dataset[256]; /* name of the data file; "": that of the meta file */
    bool metadata_only;
    struct geolocation geolocation; /* global, else that of the first capture with one */
    struct sigmf_capture *captures; /* [count] */
    size_t count;                   /* 0: one capture without information */
    char warning[160];              /* about the first value that was ignored, or "" */
};

/*
 * -EINVAL, -ENOMEM: the line in *why does not name the file. Refuses more than
 * one channel. The caller refuses types that fftd cannot read. Call finish after a failure,
 * too.
 */
int sigmf_meta_parse(const char *text, size_t size, struct sigmf_meta *out, struct reason *why);
void sigmf_meta_finish(struct sigmf_meta *m);

#endif
