/*
 * dsp_thread.h - the dsp thread: from the IQ ring to lines.
 *
 *     ring --> frames --> batches --> engine --> fold --> line --> line ring
 *                  ^ marks cut: no frame spans one
 *
 * Frames lie on a grid that begins at the start of a segment (the ring's beginning, a mark, a new
 * plan). What a segment leaves over behind its last whole frame is counted as LOSS_TAIL. The
 * functions below are called from the loop thread.
 */
#ifndef FFTD_DAEMON_DSP_DSP_THREAD_H
#define FFTD_DAEMON_DSP_DSP_THREAD_H

#include "daemon/line/line_ring.h"
#include "daemon/stream/exchange.h"
#include "fft/fft.h"

struct dsp_thread_config {
    struct fft_engine *engine; /* taken over, also when start fails */
    uint32_t threads;          /* of the CPU engine, should it have to take over */
    struct exchange *exchange; /* epochs and what is wanted; outlives the pipeline */
    struct line_ring *lines;   /* closed when the last line is out; outlives the pipeline */
    bool lossless;             /* replay: wait for the readers of lines */
    unsigned traces;           /* FFT_TRACE_ bits in each line */
    uint64_t max_lines;        /* 0: no limit */
    double max_seconds;        /* of samples; 0: no limit */
};

struct dsp_thread_report {
    bool ended;         /* the last line is published */
    int error;          /* why, when it ended early: the engine failed for good, or no memory */
    const char *failed; /* and what did: "engine", "plan" */
    char refused[160];  /* a wanted plan that there is no memory for, and what stays; "": none */
    char engine[160], engine_note[256];
    uint32_t fallbacks;
    uint32_t epoch;
    uint32_t n, hop;
    uint64_t frames_per_line;
    double enbw_bins, line_rate_hz;
    char window[32];
    struct ledger ledger; /* now: produced = seen + pending + lost */
    uint64_t ring_bytes;
    double ring_fill;
    uint64_t beat_age_ns; /* since the dsp thread's last step */
};

struct dsp_thread;

int dsp_thread_start(struct dsp_thread **out, const struct dsp_thread_config *config);
void dsp_thread_report(struct dsp_thread *p, struct dsp_thread_report *out);
void dsp_thread_stop(struct dsp_thread *p);    /* joins the thread */
void dsp_thread_destroy(struct dsp_thread *p); /* NULL is fine */

#endif
