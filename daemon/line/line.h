/*
 * line.h - the product: one line of spectrum, with everything needed to read it.
 *
 * A line is filled by the dsp thread, published through the line ring and immutable from then on;
 * any thread may read it while it holds a reference (line_ring.h).
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

struct line {
    atomic_uint holders; /* the line ring's */

    uint64_t number;       /* counts from 0 and never back */
    uint64_t first_sample; /* stream sample number of the line's first frame, lost ones included */
    uint64_t sample_count; /* samples from the first frame's first to the last frame's last */
    int64_t time_ns;       /* Unix time of first_sample */
    bool hardware_time;    /* time_ns is the device's clock */
    bool gap_before;       /* a mark lies between the line before and this one */
    bool simulated;
    uint32_t epoch; /* changes when format or rate change, or the ring must grow */

    struct tuning tuning;
    double gain_db; /* NAN: unknown or automatic */
    uint32_t n, hop;
    uint64_t frames; /* folded into this line */
    double enbw_bins;
    const char *engine; /* static strings */
    char window[32];

    struct ledger ledger; /* totals at the end of this line */

    unsigned traces;          /* FFT_TRACE_ bits present */
    float *trace[FFT_TRACES]; /* [n] linear power, 1.0 = 0 dBFS, bin n/2 = centre; NULL: absent */
    /*
     * peak[t]: max pyramid of trace t, [n - 1]. Level l >= 1 has n >> l values, each the larger of
     * two below it; level 1 begins at 0, level l+1 follows level l.
     */
    float *peak[FFT_TRACES];
    float *memory;     /* the one block behind trace and peak */
    struct line *next; /* the line ring's */
};

/* A line of n bins with these traces, zeroed but for the levels; NULL: no memory. */
struct line *line_create(uint32_t n, unsigned traces);
void line_destroy(struct line *line); /* NULL is fine */
size_t line_bytes(uint32_t n, unsigned traces);

void line_build_pyramid(struct line *line);
/* Level l of trace t's pyramid, l = 0 .. log2(n): level 0 is the trace itself. */
const float *line_peak_level(const struct line *line, unsigned trace_index, unsigned level);

double line_bin_hz(const struct line *line); /* distance of two bins */
double line_low_hz(const struct line *line); /* frequency of bin 0 = centre - rate / 2 */
/* Noise bandwidth enbw * rate / n; spectra per second rate / hop; POI time (n + hop - 1) / rate. */
double line_rbw_hz(const struct line *line);
double line_spectra_per_second(const struct line *line);
double line_poi_seconds(const struct line *line);
int trace_index(const char *name); /* "mean" 0, "max" 1, "min" 2, "sample" 3; -1 */
const char *trace_name(unsigned index);

#endif
