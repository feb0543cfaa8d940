/*
 * recording.h - an opened recording: what its header, its name and the command line say about it,
 * and where its samples lie. Used by the file source alone; one thread.
 *
 * The command line wins over the header (WAV, SigMF), the header over the file's name.
 */
#ifndef FFTD_DAEMON_SOURCE_FILE_RECORDING_H
#define FFTD_DAEMON_SOURCE_FILE_RECORDING_H

#include "daemon/format/iq_name.h"
#include "daemon/source/file/byte_stream.h"
#include "daemon/source/source.h"

#define RECORDING_TO_END UINT64_MAX

/* A stretch of samples without a gap, at one frequency. */
struct recording_segment {
    uint64_t skip_bytes; /* of something else before its samples */
    uint64_t samples;    /* RECORDING_TO_END: until the pipe ends (the last segment only) */
    uint64_t lost;       /* samples missing before it, 0: none or unknown */
    double center_hz;    /* NAN: not known */
    bool has_time;
    int64_t time_ns; /* Unix time of its first sample */
};

struct recording {
    struct byte_stream bytes;
    char name[128];            /* for messages: the path's end, or "standard input" */
    uint64_t data_at;          /* byte position of the first segment, its skip_bytes included */
    uint64_t data_bytes;       /* all segments; RECORDING_TO_END: until the pipe ends */
    enum fft_iq_format format; /* FFT_IQ_FORMATS: not known (yet) */
    double rate_hz;            /* 0: not known (yet) */
    struct recording_segment *segments; /* [count], at least one when open succeeded */
    size_t count;
    char error[256];
};

/* 0, or -errno with one line in r->error naming the file or option. close in both cases. */
int recording_open(struct recording *r, const struct source_config *config);
void recording_close(struct recording *r);

/* For the openers below: sets r->error, returns err. */
int recording_fail(struct recording *r, int err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Opens `path` as r->bytes, with the error line. */
int recording_open_bytes(struct recording *r, const char *path);
/* Allocates `count` zeroed segments, centre unknown; the last runs to the end. */
int recording_make_segments(struct recording *r, size_t count);

/*
 * Containers. Each opens r->bytes and sets data_at, data_bytes, segments and what its header says
 * of format, rate and centre. `any_format`: the format is given, so that one that cannot be read
 * is no error. How long a header on a pipe may pause: RECORDING_HEADER_MS.
 */
enum { RECORDING_HEADER_MS = 4000 };
int recording_open_raw(struct recording *r, const char *path);
int recording_open_wav(struct recording *r, const char *path, bool any_format);
int recording_open_sigmf_pair(struct recording *r, const char *path, bool any_format);
int recording_open_sigmf_archive(struct recording *r, const char *path, bool any_format);

#endif
