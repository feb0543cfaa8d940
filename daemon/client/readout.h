/*
 * readout.h - what markers read on a line: levels, and tones between the bins. Pure.
 *
 * A marker reads the strongest bin of its width, which on a screen is that of a column. If that bin
 * is a local maximum and 10 dB above the bins beside it, it is a tone, and its frequency and level
 * are interpolated (measure/tone.h).
 */
#ifndef FFTD_DAEMON_CLIENT_READOUT_H
#define FFTD_DAEMON_CLIENT_READOUT_H

#include "daemon/client/view.h"
#include "daemon/line/tone.h"
#include "daemon/measure/peak_search.h"

enum { READOUT_MARKERS = 16, READOUT_PEAKS = 100, READOUT_NOISE_REACH = 8 };

struct readout_marker {
    double hz, width_hz;
    bool noise; /* the density around it is wanted */
};

/* What a client wants to read. */
struct readout_choice {
    uint32_t id;         /* the client's own number of it */
    uint32_t per_second; /* messages at most; 0: one for each frame */
    uint32_t count;
    struct readout_marker marker[READOUT_MARKERS];
    struct peak_rule peaks; /* most 0: none are wanted */
    bool spurs;             /* bins on the spur list count as peaks */
};

struct reading {
    double bin_hz;      /* centre of the bin that was read; NAN with db */
    double db;          /* dBFS; NAN: the marker is not within the span */
    double hz;          /* of a tone; NAN: none is there */
    double error_hz;    /* of hz, rms: the noise beside the tone, and the interpolation */
    double noise_db_hz; /* dBFS/Hz, mean of 2 * READOUT_NOISE_REACH + 1 bins; NAN: not wanted, or
                           the trace does not keep the power of noise */
};

/* What a view shows: a line, one of its detectors, and the bins in view. */
struct readout_line {
    const struct line *line;
    unsigned detector;
    struct view_grid grid;
    bool keeps_power;               /* the trace does not bias noise */
    const struct band_rules *spurs; /* bins that are no peaks; NULL: none */
};

/* The strongest bin in view that is no spur. Its db is NAN if there are only spurs. */
void readout_peak(const struct readout_line *from, struct tone_shape *shape, struct reading *out);
void readout_marker(const struct readout_line *from, struct tone_shape *shape,
                    const struct readout_marker *marker, struct reading *out);
struct readout_peak {
    double hz, db;
};
/* The places of the spur list in view: what readout_peak and readout_peaks leave out. */
uint32_t readout_spurs(const struct readout_line *from);
/* The peaks in view, the strongest first. Returns the number of out[READOUT_PEAKS]. */
uint32_t readout_peaks(const struct readout_line *from, struct tone_shape *shape,
                       const struct peak_rule *rule, struct readout_peak *out);

#endif
