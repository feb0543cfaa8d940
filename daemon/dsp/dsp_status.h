/*
 * dsp_status.h - what the dsp thread publishes about its work. Plain values, copied.
 */
#ifndef FFTD_DAEMON_DSP_DSP_STATUS_H
#define FFTD_DAEMON_DSP_DSP_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/line/line.h"
#include "daemon/stream/ledger.h"

struct dsp_status {
    bool ended;            /* the last line is published */
    int error;             /* -errno: the engine or memory failed for good; 0: none */
    const char *failed;    /* what failed: "engine" or "plan" */
    char refused[224];     /* a requested plan without memory, and what is active; "": none */
    char engine[160];      /* fft_engine_describe */
    char engine_note[512]; /* engines passed over at the start, or the last fallback; "": none */
    uint32_t fallbacks;    /* to the CPU engine */
    uint32_t epoch;
    uint32_t n, hop; /* of the active plan, like the next five; n 0: no plan yet */
    uint64_t frames_per_line;
    double enbw_bins, width_3db_bins, line_rate_hz;
    char window[32];
    struct ledger ledger;    /* now: produced = seen + pending + lost */
    struct line_shape lines; /* of the active plan; n 0: none yet */
    uint64_t ring_bytes;     /* IQ ring */
    double ring_fill;        /* part of it that is held now, 0 .. 1 */
    uint64_t beat_age_ns;    /* since the dsp thread's last step */
};

#endif
