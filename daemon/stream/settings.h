/*
 * settings.h - the settings of the analyser that control may change while it runs.
 *
 * The configuration sets them first. The loop thread merges changes field by field (control.c) and
 * requests all of them at once (acquisition_apply). The last request wins.
 */
#ifndef FFTD_DAEMON_STREAM_SETTINGS_H
#define FFTD_DAEMON_STREAM_SETTINGS_H

#include <stdbool.h>

#include "daemon/option/option.h"
#include "daemon/stream/tuning.h"
#include "fft/fft.h"
#include "fft/window.h"

/* A range of frequencies; high_hz 0: none. */
struct span {
    double low_hz, high_hz;
};

/* A sweep of a span that is wider than the rate (sweep.h). */
struct sweep {
    struct span span;
    double dwell_s; /* at one centre; in whole frames. With `average`, that many frames */
};

/* Bounds of line_rate_hz. */
#define SETTINGS_LINE_RATE_MIN_HZ 0.001
#define SETTINGS_LINE_RATE_MAX_HZ 100e3

/* Most radios show a line of their own at the centre. */
enum dc_spur {
    DC_SPUR_AUTO /* yes with a radio, unless its DC is removed */,
    DC_SPUR_YES,
    DC_SPUR_NO
};
#define DC_SPUR_NAMES "auto, yes, no"

struct settings {
    struct tuning tuning; /* in a sweep its centre is not used */
    struct sweep sweep;
    uint32_t n;     /* FFT size; with rbw_hz: what settings_fft_size returned last */
    double rbw_hz;  /* resolution bandwidth, the noise bandwidth of a bin; 0: n is given */
    double overlap; /* per cent, 0 <= overlap < 100; hop = max(1, round(n * (1 - overlap / 100))) */
    struct fft_window window;
    double vbw_hz;       /* video bandwidth of a line's mean; 0: average or line_rate_hz is given */
    uint32_t average;    /* frames per line; 0: from line_rate_hz */
    double line_rate_hz; /* lines per second when average is 0 */
    /* Part of the rate, around the centre, that is measured and written; the edges beyond it have
     * aliases and the slopes of filters. 0 is 100. */
    double usable_percent;
    unsigned dc_spur; /* enum dc_spur: whether the centre is on the spur list */
    /* Counted only while wanted, that is while somebody reads it: it costs the engines time, and
     * lines memory. More columns than bins become one for each bin. */
    struct fft_density density;
    bool density_wanted;
    unsigned detectors_unread; /* FFT_DETECTOR_ bits: nobody reads them, so they are not made */

    bool dc_removal, iq_correction; /* of the receiver's offset, of its imbalance */
};

extern const struct config_option settings_options[]; /* of struct settings, but of its tuning */

bool settings_sweeps(const struct settings *w); /* there is a span */
bool settings_same_sweep(const struct settings *a, const struct settings *b);

/* hop = n * (1 - overlap / 100), rounded, 1 .. n. */
uint32_t settings_hop(uint32_t n, double overlap);

/* Whether the centre is on the spur list; radio: and not a simulated one. */
bool settings_dc_spur(const struct settings *w, bool radio);
/* The density that is counted; columns 0: none. A sweep has none. */
struct fft_density settings_density(const struct settings *w);
bool settings_same_density(const struct settings *a, const struct settings *b);
/* Those of `detectors` that are made: at least one. */
unsigned settings_detectors(const struct settings *w, unsigned detectors);
/* Samples from the start of a line to the start of the next, at this rate. */
uint64_t settings_line_samples(const struct settings *w, double rate_hz);
/* Cells of a density: columns * levels; 0: none. */
size_t density_cells(const struct fft_density *density);
bool density_equal(const struct fft_density *a, const struct fft_density *b);

/*
 * The FFT size at this rate: with rbw_hz, the smallest whose RBW is at most rbw_hz, or the largest
 * size there is. Without rbw_hz, or at a rate that is not above 0 (no stream yet), it is n.
 */
uint32_t settings_fft_size(const struct settings *w, double rate_hz);

/*
 * Frames of a line at this rate, which is above 0; at least 1. With vbw_hz, the fewest whose mean
 * has that video bandwidth or a narrower one, rate / (2 frames hop), within the lines per second
 * that line_rate_hz may have. Else `average`, or what line_rate_hz needs. That is a mean, which
 * need not be a whole number: plan_line_frames divides the frames among the lines.
 */
double settings_line_frames(const struct settings *w, double rate_hz, uint32_t hop);

#endif
