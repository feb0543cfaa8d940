/*
 * admission.h - admits a plan only if there is memory for all that it takes.
 *
 * Linux grants memory that it does not have, and later kills the process that writes to it. So the
 * bytes are added up before the first is taken: IQ ring, window, engine and its fallback, fold,
 * lines with their pyramids, the panorama of a sweep, rows, the traces of configured
 * measurements, and the archive. The running plan still has its own until the new one is complete.
 * Any thread.
 */
#ifndef FFTD_DAEMON_DSP_ADMISSION_H
#define FFTD_DAEMON_DSP_ADMISSION_H

#include <stddef.h>

#include "daemon/line/line.h"
#include "daemon/stream/settings.h"
#include "daemon/stream/tuning.h"
#include "fft/fft.h"

struct reason;

struct admission {
    struct fft_engine_config engine; /* the CPU engine, which may have to replace another */
    const struct fft_engine *device; /* NULL: no engine for a device has memory of the host */
    unsigned detectors;              /* in each line */
    uint64_t ring_bytes;             /* of a new IQ ring; 0: the old one stays */
    uint32_t measure_bin_bytes;      /* of the traces of measurements, for each bin */
    uint32_t measure_percentiles;    /* measurements that keep a density and its percentiles */
    uint64_t archive_bytes;          /* of the spectrum archive, which touches them by and by */
    struct line_shape active;        /* lines of the running plan, which go; n 0: none */
};

/* Bytes that the plan takes at its peak, on top of the running one. */
uint64_t admission_bytes(const struct admission *a, const struct settings *w,
                         const struct stream *stream);

/* 0, or -ENOMEM with one line that names the bytes needed and the bytes available. */
int admission_check(const struct admission *a, const struct settings *w,
                    const struct stream *stream, struct reason *why);

#endif
