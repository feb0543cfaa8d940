/*
 * recording_source.h - an open recording: its format, rate, frequencies, and the position of its
 * samples.
 *
 * The command line takes precedence over the header (WAV, SigMF), and the header over the file
 * name. Only the file source uses it, on one thread.
 */
#ifndef FFTD_DAEMON_SOURCE_FILE_RECORDING_SOURCE_H
#define FFTD_DAEMON_SOURCE_FILE_RECORDING_SOURCE_H

#include "daemon/base/reason.h"
#include "daemon/format/recording/file_kind.h"
#include "daemon/format/recording/iq_guess.h"
#include "daemon/format/recording/iq_name.h"
#include "daemon/format/recording/iq_sample.h"
#include "daemon/source/file/byte_stream.h"
#include "daemon/source/source.h"

#define RECORDING_TO_END     UINT64_MAX
#define RECORDING_ASSUMED_HZ 1e6

/* Samples without a gap, at one frequency, in one piece of the file. */
struct recording_segment {
    uint64_t skip_bytes; /* of other data before its samples */
    uint64_t samples;    /* RECORDING_TO_END: until the pipe ends (the last segment only) */
    uint64_t lost;       /* samples missing before it, 0: none or unknown */
    bool continues;      /* the segment before it, without a gap: no mark */
    double center_hz;    /* NAN: not known */
    bool has_time;
    int64_t time_ns; /* Unix time of its first sample */
};

struct recording {
    struct byte_stream bytes;
    char name[128];               /* for messages: the end of the path, or "standard input" */
    bool was_looked_at;           /* its first bytes were */
    const struct file_kind *kind; /* by them; NULL: none that is known */
    uint64_t data_at;             /* byte position of the first segment, its skip_bytes included */
    uint64_t data_bytes;          /* all segments; RECORDING_TO_END: until the pipe ends */
    const struct iq_sample *sample; /* NULL: not known (yet) */
    uint32_t channels, channel;     /* samples of several, interleaved; the one that is read */
    bool length_is_hint;            /* WAV, sdriq: the recorder may have been killed */
    bool may_go_on;                 /* pipe: more samples may follow: recording_goes_on */
    bool went_on;                   /* they did */
    double full_scale;   /* of the components, in the file's units; 0: that of the format */
    double rate_hz;      /* 0: not known (yet) */
    bool rate_assumed;   /* nothing gives the rate: rate_hz is RECORDING_ASSUMED_HZ */
    bool format_guessed; /* from the data: `guess` */
    struct iq_guess guess;
    struct recording_segment *segments; /* [count], at least one when open succeeded */
    size_t count;
    struct geolocation geolocation; /* SigMF: of the antenna */
    struct recording_place {
        size_t segment;
        uint64_t first; /* samples before the segment */
        bool dated;     /* a segment up to it has a time: `date` */
        size_t date;
        uint64_t since;   /* samples from the start of that one to the start of this one */
        uint64_t steps;   /* segments that were passed in all */
    } place;              /* that was looked for last: pieces follow one another */
    size_t first_capture; /* SigMF: 1 if the first segment belongs to no capture, else 0 */
    struct reason why;
};

/* -errno: the line in r->error names the file or option. Close after a failure, too. */
int recording_open(struct recording *r, const struct source_config *config);
void recording_close(struct recording *r);
/* In the file, of all channels. */
size_t recording_sample_bytes(const struct recording *r);
/* Of all segments; 0: not known. */
uint64_t recording_samples(const struct recording *r);
/*
 * position.c: skips from data_at to a position, and returns its segment. *left: samples from there
 * to the end of the segment. In a pipe only right after it was opened.
 */
size_t recording_skip_to(struct recording *r, uint64_t position, uint64_t *left);
/* The Unix time of a position, from the last segment before it that has one. False: none has. */
bool recording_time(struct recording *r, uint64_t position, int64_t *time_ns);

/* For the openers below: sets r->error and returns err. */
int recording_fail(struct recording *r, int err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether components of a format can have this full scale: up to that of an integer format. */
bool recording_has_scale(const struct iq_sample *sample, double full_scale);
/* Opens `path` as r->bytes, unless they are open; sets r->error on failure. */
int recording_open_bytes(struct recording *r, const char *path);
/*
 * recognise.c: opens the file, looks at its first bytes, and sets r->kind. Decompresses it from
 * here on if it is compressed; refuses what has no samples. is_raw: its name or the command line
 * says so. A pipe that is raw is not looked at, because its first bytes may come late.
 */
int recording_recognise(struct recording *r, const struct iq_name *name, bool is_raw);
/* Before the first samples of a raw pipe. 1: they may be; 0: nothing came in time. Or refuses it.
 */
int recording_check_start(struct recording *r, int timeout_ms);
/* The suffix of a compressed file, as in "x.cu8.gz". NULL: none. */
const char *recording_packed_suffix(const char *path);
/* Allocates `count` zeroed segments with unknown centre. The last one extends to the end. */
int recording_make_segments(struct recording *r, size_t count);
/* Logs that `bytes` bytes after the last whole sample are not read. */
void recording_warn_rest(const struct recording *r, uint64_t bytes);

/*
 * For a WAV from a pipe, at the length that its header states modulo 4 GiB: whether samples go on,
 * to the next 4 GiB or the end of the pipe. The caller reads recording_next_bytes bytes, or fewer
 * at the end of the pipe. 0: there is nothing to decide, the samples end.
 */
#define RECORDING_WRAP_BYTES ((uint64_t)1 << 32)
enum { RECORDING_NEXT_MAX = 32 };
size_t recording_next_bytes(const struct recording *r);
bool recording_goes_on(struct recording *r, const uint8_t *next, size_t have);

/*
 * Containers. Each opens r->bytes and sets data_at, data_bytes, segments, and the format, rate and
 * centre from its header. any_format: the command line gives the format, so an unreadable one in
 * the header is no error. RECORDING_HEADER_MS: the longest pause of a pipe within a header.
 */
enum { RECORDING_HEADER_MS = 4000 };
int recording_open_raw(struct recording *r, const char *path);
/* Sets rate and centre of a raw recording BBD_0001.C16 from BBD_0001.TXT, if that exists. */
void recording_read_companion(struct recording *r, const char *path);
/* The open samples of SigMF at `path`: refuses what its first bytes show to be something else. */
int recording_check_data(struct recording *r, const char *path);
/* A raw file without any hint: guesses r->sample from the data, or fails. */
int recording_open_unknown(struct recording *r, const char *path);
int recording_open_wav(struct recording *r, const char *path, bool any_format);
int recording_open_npy(struct recording *r, const char *path);
int recording_open_sdriq(struct recording *r, const char *path, bool any_format);
int recording_open_sigmf_pair(struct recording *r, const char *path, bool any_format);
/* wanted: the name of one of several recordings; NULL or "": the first. */
int recording_open_sigmf_archive(struct recording *r, const char *path, const char *wanted,
                                 bool any_format);

/* The file as the user has to type it; FILE if that is longer than `most`. */
enum { RECORDING_WORD_MAX = 600 };
const char *recording_shell_word(const char *path, size_t most, char into[RECORDING_WORD_MAX]);
/* Logs guesses and assumptions, and the options that state them. */
void recording_warn(const struct recording *r, const char *path);
/* Logs a warning if the data of a regular file contradict the format in its name. */
void recording_check_name(struct recording *r, const char *path);

#endif
