/*
 * sigmf_meta.h - what a .sigmf-meta file says that matters for reading its samples. Any thread.
 *
 * Source: SigMF specification 1.2 (github.com/sigmf/SigMF). Read: core:datatype, sample_rate,
 * num_channels, dataset, metadata_only, trailing_bytes; of each capture core:sample_start,
 * global_index, header_bytes, frequency, datetime. core:sha512 is not checked: it would take a pass
 * over the whole recording before its first sample (or hash it in step, at the cost of the speed);
 * `sha512sum` says it at leisure. A datetime that is not ISO 8601 in UTC counts as not given.
 */
#ifndef FFTD_DAEMON_FORMAT_SIGMF_META_H
#define FFTD_DAEMON_FORMAT_SIGMF_META_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/iq.h"

struct sigmf_capture {
    uint64_t sample_start; /* in the data file, never less than that of the capture before */
    uint64_t header_bytes; /* of something else before it */
    bool has_index;
    uint64_t global_index; /* in the stream that was recorded */
    double center_hz;      /* NAN: not given */
    bool has_time;
    int64_t time_ns;
};

struct sigmf_meta {
    enum fft_iq_format format; /* FFT_IQ_FORMATS: one that fftd cannot read */
    char datatype[24];         /* as written: "ci16_le" */
    double rate_hz;            /* 0: not given */
    uint64_t channels;         /* 1 unless given */
    uint64_t trailing_bytes;
    char dataset[256]; /* the data file's name, "": as the meta file's */
    bool metadata_only;
    struct sigmf_capture *captures; /* [count] */
    size_t count;                   /* 0: one capture, nothing known */
};

/*
 * 0, or -EINVAL, -ENOMEM with one line in error (no file name). Real samples and more than one
 * channel are refused here; a complex type that fftd cannot read is left to the caller. finish in
 * every case.
 */
int sigmf_meta_parse(const char *text, size_t size, struct sigmf_meta *out, char *error,
                     size_t error_size);
void sigmf_meta_finish(struct sigmf_meta *m);

#endif
