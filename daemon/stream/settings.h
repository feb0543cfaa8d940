/*
 * settings.h - the settings of the analyser that control may change while it runs.
 *
 * The configuration sets them first. The loop thread merges changes field by field (control.c) and
 * requests all of them at once (acquisition_apply). The last request wins.
 */
#ifndef FFTD_DAEMON_STREAM_SETTINGS_H
#define FFTD_DAEMON_STREAM_SETTINGS_H

#include "daemon/stream/tuning.h"
#include <stdbool.h>

#include "fft/fft.h"
#include "fft/window.h"

struct settings {
    struct tuning tuning;
    uint32_t n;     /* FFT size; with rbw_hz: what settings_fft_size returned last */
    double rbw_hz;  /* resolution bandwidth, the noise bandwidth of a bin; 0: n is given */
    double overlap; /* per cent, 0 <= overlap < 100; hop = max(1, round(n * (1 - overlap / 100))) */
    struct fft_window window;
    uint32_t average;    /* frames per line; 0: from line_rate_hz */
    double line_rate_hz; /* lines per second when average is 0 */
    /* Counted only while wanted, that is while somebody reads it: it costs the engines time, and
     * lines memory. More columns than bins become one for each bin. */
    struct fft_density density;
    bool density_wanted;
};

/* The density that is counted; columns 0: none. */
struct fft_density settings_density(const struct settings *w);
bool settings_same_density(const struct settings *a, const struct settings *b);
/* Cells of a density: columns * levels; 0: there is none. */
size_t density_cells(const struct fft_density *density);
bool density_equal(const struct fft_density *a, const struct fft_density *b);

/*
 * The FFT size at this rate: with rbw_hz, the smallest whose RBW is at most rbw_hz, or the largest
 * size there is. Without rbw_hz, or at a rate that is not above 0 (no stream yet), it is n.
 */
uint32_t settings_fft_size(const struct settings *w, double rate_hz);

#endif
