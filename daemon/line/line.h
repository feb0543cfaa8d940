/*
 * line.h - one line of spectrum, with all that is needed to interpret it.
 *
 * The dsp thread fills a line and publishes it through the line ring. From then on the line is
 * immutable. Any thread may read it while it holds a reference (line_ring.h).
 */
#ifndef FFTD_DAEMON_LINE_LINE_H
#define FFTD_DAEMON_LINE_LINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/stream/ledger.h"
#include "daemon/stream/tuning.h"
#include "fft/fft.h"

/* What a line has room for. */
struct line_shape {
    uint32_t n;
    unsigned detectors;         /* FFT_DETECTOR_ bits */
    struct fft_density density; /* columns 0: none */
};

struct line {
    atomic_uint holders; /* used by the line ring */

    uint64_t number;       /* counts from 0, never decreases */
    uint64_t first_sample; /* number of the first frame's first sample, counting lost ones */
    uint64_t sample_count; /* from the first frame's first sample to the last frame's last */
    uint64_t position;     /* of first_sample in the IQ ring of the epoch; UINT64_MAX: samples are
                              missing within the line */
    int64_t time_ns;       /* Unix time of first_sample */
    bool hardware_time;    /* time_ns comes from the device's clock */
    bool gap_before;       /* a mark separates this line from the one before */
    bool simulated;
    bool rate_assumed; /* tuning.rate_hz is no real rate: stream/tuning.h */
    uint32_t epoch;    /* changes with format or rate, and when the ring grows */

    struct tuning tuning;
    double gain_db; /* NAN: unknown or automatic */
    uint32_t n, hop;
    uint64_t frames;                  /* folded into this line */
    double enbw_bins, width_3db_bins; /* of the window: noise bandwidth, half-power width */
    const char *engine;               /* static strings */
    char window[32];

    struct ledger ledger; /* totals up to the end of this line */

    unsigned detectors;             /* FFT_DETECTOR_ bits present */
    float *detector[FFT_DETECTORS]; /* [n] linear power, 1.0 = 0 dBFS, bin n/2 = centre; NULL:
                                       absent */
    /*
     * peak[t]: max pyramid of detector t, [n - 1]. Level l >= 1 has n >> l values, each the larger
     * of two values of level l-1. Level 1 is at index 0; level l+1 follows level l.
     */
    float *peak[FFT_DETECTORS];
    /*
     * Density (fft/fft.h): hits[columns][levels], where column c has the bins k with
     * floor(k * columns / n) = c. The hits of each column sum to `frames`. NULL: none.
     */
    struct fft_density density;
    uint32_t *hits;
    float *memory;     /* one block that holds all detectors and pyramids */
    struct line *next; /* used by the line ring */
};

/* All but the levels is zero. NULL: no memory. */
struct line *line_create(const struct line_shape *shape);
void line_destroy(struct line *line); /* NULL is fine */
size_t line_bytes(const struct line_shape *shape);
bool line_has_shape(const struct line *line, const struct line_shape *shape);

void line_build_pyramid(struct line *line);
/* Level l = 0 .. log2(n) of a detector's pyramid. Level 0 is the detector itself. */
const float *line_peak_level(const struct line *line, unsigned detector_index, unsigned level);

double line_bin_hz(const struct line *line); /* distance between two bins */
double line_low_hz(const struct line *line); /* frequency of bin 0 = centre - rate / 2 */
/* Noise bandwidth enbw * rate / n; spectra per second rate / hop; POI time (n + hop - 1) / rate. */
double line_rbw_hz(const struct line *line);
double line_rbw_3db_hz(const struct line *line); /* half-power width * rate / n */
double line_spectra_per_second(const struct line *line);
double line_poi_seconds(const struct line *line);
int detector_index(const char *name); /* "mean" 0, "max" 1, "min" 2, "sample" 3; -1 */
const char *detector_name(unsigned index);

#endif
