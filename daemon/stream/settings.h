/*
 * settings.h - the complete wanted state of the analyser: what control may change while it runs.
 *
 * Built from the configuration, merged field by field on the loop thread (control.c), handed over
 * whole through one slot (acquisition_apply): the last one wins.
 */
#ifndef FFTD_DAEMON_STREAM_SETTINGS_H
#define FFTD_DAEMON_STREAM_SETTINGS_H

#include "daemon/stream/tuning.h"
#include "fft/window.h"

struct settings {
    struct tuning tuning;
    uint32_t n;     /* FFT size */
    double overlap; /* per cent, 0 <= overlap < 100; hop = max(1, round(n * (1 - overlap/100))) */
    struct fft_window window;
    uint32_t average;    /* frames a line; 0: from line_rate */
    double line_rate_hz; /* lines per second when average is 0 */
};

#endif
