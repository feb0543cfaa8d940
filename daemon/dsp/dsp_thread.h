/*
 * dsp_thread.h - the dsp thread: IQ ring in, lines out.
 *
 *     ring --> frames --> batches --> engine --> fold --> line --> line ring
 *                  ^ marks cut: no frame spans one
 *
 * A segment starts at the beginning of the ring, at a mark, or at a new plan. Frames lie on a grid
 * that starts with the segment. Samples after the last whole frame of a segment count as LOSS_TAIL.
 * The loop thread calls the functions below.
 */
#ifndef FFTD_DAEMON_DSP_DSP_THREAD_H
#define FFTD_DAEMON_DSP_DSP_THREAD_H

#include "daemon/dsp/dsp_status.h"
#include "daemon/line/line_ring.h"
#include "daemon/stream/exchange.h"
#include "daemon/stream/iq_tap.h"
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

struct dsp_thread;

int dsp_thread_start(struct dsp_thread **out, const struct dsp_thread_config *config);
void dsp_thread_status(struct dsp_thread *p, struct dsp_status *out);
/*
 * Joins the thread. True: it made no step for 10 s, is stuck in the engine, and still runs. Then
 * nothing that it uses may be freed: the process must end without dsp_thread_destroy.
 */
bool dsp_thread_stop(struct dsp_thread *p);
void dsp_thread_destroy(struct dsp_thread *p); /* NULL is fine */

#endif
