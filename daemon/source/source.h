/*
 * source.h - the interface of sources: a `struct source_ops` in each file, and one list (list.c).
 *
 * A source delivers samples in the format of its device. One thread, the source thread, uses it
 * from init to finish. Only read waits, at most timeout_ms. Errors are -errno, with one line in
 * `error` that names the file, device or value.
 */
#ifndef FFTD_DAEMON_SOURCE_SOURCE_H
#define FFTD_DAEMON_SOURCE_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "daemon/base/reason.h"
#include "daemon/option/option.h"
#include "daemon/stream/ledger.h"
#include "daemon/stream/radio_options.h"
#include "daemon/stream/replay.h"
#include "daemon/stream/tuning.h"

/* Of cf32: an integer of 32 bits as floats, or volts. */
#define SOURCE_FULL_SCALE_MIN 1e-6
#define SOURCE_FULL_SCALE_MAX 4294967296.0

/* Strings belong to the configuration and outlive the source; NULL = not given. */
struct source_config {
    const char *source;      /* "auto", "soapy", "rtl_tcp", "spyserver", "file", "sim" */
    const char *replay;      /* file: path, or "-" */
    const char *device;      /* soapy: "driver=rtlsdr,serial=.."; rtl_tcp, spyserver: "HOST:PORT";
                                sim: scene arguments, "seed=1" */
    const char *format;      /* file: forces "cu8"... (with the rate: a headerless file);
                                soapy: forces the stream format; sim: cs16 by default */
    uint32_t rx_channel;     /* file, soapy: which of several, the first is 0 */
    double full_scale;       /* file: of the components, in raw units; 0: by header or format */
    struct tuning tuning;    /* as configured */
    const char *geolocation; /* "LAT,LON" or "LAT,LON,ALTITUDE" of the antenna */
    const char *stream_args; /* soapy: key=value,... */
    const char *clock_source, *time_source; /* soapy: names of the radio's lists */
    double clock_reference_hz;              /* soapy: of the clock that is fed in; 0: not given */
    double wait_s; /* a live source: ends if the device is away for so long; 0: waits for ever */
    bool bias_tee;
    /* file: which of several in a SigMF archive; "": the first */
    const char *sigmf_recording;
    bool realtime;       /* file, sim: samples are paced by the clock */
    bool sweeps;         /* a sweep is configured; sim: its world is the default scene */
    bool loop;           /* file: restart at the end (a mark without a loss, which has an anchor) */
    double from_s, to_s; /* file: the part that is replayed; to_s 0: to the end */
    double speed;        /* file, with realtime: of the replay; 0 is 1 */
    bool keep_running;   /* file, with realtime: waits at the end for control */
    bool full_speed;     /* as given; realtime has the result */
    const atomic_bool *stop; /* (optional) once it is true, an init that waits gives up */
    uint64_t ring_bytes;     /* of the ring of raw samples; 0: automatic */
};

extern const struct config_option source_options[];

/* An event before the samples of this read. */
struct source_mark {
    bool set;
    enum loss cause;     /* LOSS_CAUSES: no loss, only new tuning or time */
    uint64_t lost;       /* samples, 0 if unknown */
    bool tuning_changed; /* stream.tuning and gain_db hold the new values */
    bool has_time;
    int64_t time_ns; /* Unix time of the first sample after the mark, by the device's clock if
                        stream.hardware_time */
    struct replay_anchor anchor; /* of that sample */
};

struct source {
    const struct source_ops *ops;
    const struct source_config *config;
    struct stream stream;        /* set by init; tuning and gain by tune */
    struct source_mark mark;     /* set by read, tune or replay, cleared by the caller */
    struct replay_state replay;  /* of a recording: set by init, read and replay */
    struct replay_anchor anchor; /* the newest of the recording */
    struct radio_options *radio; /* a reference; set by init. NULL: no radio */
    bool inverts;                /* source.c: tuning.invert, which operations may not know yet */
    struct reason why;
    char warning[256]; /* what is wrong with the samples that come; "": nothing. Set by read */
    void *priv;        /* ops->priv_size bytes, zeroed */
};

struct source_ops {
    const char *name, *about;
    size_t priv_size;
    bool live; /* waits for its device, and is reopened after errors; false: errors are final */

    /*
     * Opens the device. Samples may start with the first read. On success `stream` is complete, but
     * for a configured geolocation.
     * -EINVAL: wrong configuration; -ENOMEM; both final at the start, even for a live source.
     * -EBUSY: an abandoned source of this process still has the device; final after some tries,
     * because only a new process can open it then.
     */
    int (*init)(struct source *s);
    /*
     * Reads up to `samples` samples. > 0: samples read; 0: none within timeout_ms; -ENODATA: the
     * end of a file; other -errno: the device is lost. If `mark.set`, the mark applies before the
     * first returned sample, or before the next sample if 0 is returned.
     */
    int64_t (*read)(struct source *s, void *into, uint32_t samples, int timeout_ms);
    /*
     * (optional) As read, but the caller copies the samples: *fd has them from byte *at on, as they
     * are. -ENOTSUP: it has not; read them.
     */
    int64_t (*locate)(struct source *s, uint32_t samples, int timeout_ms, int *fd, uint64_t *at);
    /*
     * (optional) Changes what can change without a new stream. 0: done, stream.tuning is updated.
     * -ENOTSUP: this source cannot change this value. -EAGAIN: needs finish and init with the new
     * configuration (a change of rate).
     */
    int (*tune)(struct source *s, const struct tuning *want);
    /* (optional) Applies a request that replay_check has passed, and sets `replay`. */
    void (*replay)(struct source *s, const struct replay_request *want);
    /* (optional) Prints one line for each device (fftd list devices). Returns their number or
     * -errno.
     */
    int (*list)(FILE *out);
    void (*finish)(struct source *s); /* also after a failed init */
};

/* All sources of this build, NULL last: list.c. */
extern const struct source_ops *const sources[];

/* "auto" is file if replay is given, else soapy. NULL: unknown, or not in this build. */
const struct source_ops *source_find(const struct source_config *config);

/* Allocates and inits a source. On failure *out is NULL. error may be NULL. */
int source_create(struct source **out, const struct source_ops *ops,
                  const struct source_config *config, struct reason *why);
void source_destroy(struct source *s); /* NULL is fine */
/*
 * As the operations read, locate and tune, whether they are there or not, with tuning.invert: the
 * samples of read are exchanged, those of locate cannot be, and tune does it from the next sample
 * on, after a mark.
 */
int64_t source_read(struct source *s, void *into, uint32_t samples, int timeout_ms);
int64_t source_locate(struct source *s, uint32_t samples, int timeout_ms, int *fd, uint64_t *at);
int source_tune(struct source *s, const struct tuning *want);

/* Sets s->error, printf-style, and returns err. */
int source_fail(struct source *s, int err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
