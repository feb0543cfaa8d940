/* dsp_thread_config.h - the input and output of the dsp thread. */
#ifndef FFTD_DAEMON_DSP_DSP_THREAD_CONFIG_H
#define FFTD_DAEMON_DSP_DSP_THREAD_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/line/line_ring.h"
#include "daemon/stream/epoch/exchange.h"
#include "daemon/stream/epoch/iq_tap.h"
#include "fft/fft.h"

struct dsp_thread_config {
    struct fft_engine *engine; /* the dsp thread owns it, even if the start fails */
    const char *engine_note;   /* for dsp_status until a fallback; outlives the thread; or NULL */
    uint32_t threads;          /* of the CPU engine after a fallback */
    struct exchange *exchange; /* epochs and requests; outlives the thread */
    struct line_ring *lines;   /* closed after the last line; outlives the thread */
    struct iq_tap *tap;        /* gets each epoch; outlives the thread; NULL: none */
    bool lossless;             /* replay: wait for the readers of lines */
    bool radio;                /* the samples come from a radio, whose gain can be changed */
    unsigned detectors;        /* FFT_DETECTOR_ bits in each line */
    uint32_t measure_percentiles; /* measurements of percentiles */
    uint64_t archive_bytes;       /* that the spectrum archive takes */
    uint32_t measure_bin_bytes;   /* that the traces of measurements take for each bin */
    uint64_t max_lines;           /* 0: no limit */
    double max_seconds;           /* of samples; 0: no limit */
};

#endif
