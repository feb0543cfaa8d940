/*
 * settings.h - the settings of the analyser that control may change while it runs.
 *
 * The configuration sets them first. The loop thread merges changes field by field (control.c) and
 * requests all of them at once (acquisition_apply). The last request wins.
 */
#ifndef FFTD_DAEMON_STREAM_SETTINGS_H
#define FFTD_DAEMON_STREAM_SETTINGS_H

#include "daemon/stream/tuning.h"
#include "fft/window.h"

struct settings {
    struct tuning tuning;
    uint32_t n;     /* FFT size */
    double overlap; /* per cent, 0 <= overlap < 100; hop = max(1, round(n * (1 - overlap / 100))) */
    struct fft_window window;
    uint32_t average;    /* frames per line; 0: from line_rate_hz */
    double line_rate_hz; /* lines per second when average is 0 */
};

#endif
