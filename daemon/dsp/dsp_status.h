/*
 * dsp_status.h - the figures that the dsp thread publishes. Plain values, copied.
 */
#ifndef FFTD_DAEMON_DSP_DSP_STATUS_H
#define FFTD_DAEMON_DSP_DSP_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/dsp/front_end_figures.h"
#include "daemon/line/line.h"
#include "daemon/stream/ledger.h"

/* The sweep of the active plan. */
struct sweep_status {
    uint32_t dwells, bins;  /* 0: none */
    double low_hz, bin_hz;  /* of bin 0; distance of two bins */
    uint64_t dwell_samples; /* in one dwell, without the settling before it */
    uint64_t samples;       /* from one sweep to the next, with settling; 0: not known yet */
    uint64_t incomplete;    /* sweeps without a line, because a dwell gave no frame */
};

struct dsp_status {
    bool ended;            /* the last line is published */
    int error;             /* -errno: the engine or memory failed for good; 0: none */
    const char *failed;    /* what failed: "engine" or "plan" */
    char refused[224];     /* a requested plan without memory, and what is active; "": none */
    char engine[320];      /* fft_engine_describe, and fft_spectrum_note */
    char engine_note[512]; /* engines passed over at the start, or the last fallback; "": none */
    uint32_t fallbacks;    /* to the CPU engine */
    uint32_t epoch;
    uint32_t n, hop;           /* of the active plan, like the next five; n 0: no plan yet */
    double frames_per_line;    /* the mean */
    char line_rate_limit[160]; /* why lines come slower than requested; "": they do not */
    double enbw_bins, width_3db_bins, line_rate_hz;
    char window[32];
    bool dc_removal, iq_correction;     /* on, in the active plan */
    struct front_end_figures front_end; /* while one of them is */
    double headroom_db;                 /* peak_meter.h */
    struct sweep_status sweep;
    struct ledger ledger;    /* now: produced = seen + pending + lost */
    struct line_shape lines; /* of the active plan; n 0: none yet */
    uint64_t ring_bytes;     /* IQ ring */
    double ring_fill;        /* part of it that is held now, 0 .. 1 */
    uint64_t beat_age_ns;    /* since the dsp thread's last step */
};

/*
 * The shortest signal that is certain to be measured at its full level: line/resolution.h. NAN: of
 * a sweep that has not come back to a dwell yet, because the time of settling is not known.
 */
double dsp_status_poi_seconds(const struct dsp_status *s, double rate_hz);

#endif
