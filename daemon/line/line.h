/*
 * line.h - one line of spectrum, with all that is needed to interpret it.
 *
 * The dsp thread fills a line and publishes it through the line ring. From then on the line is
 * immutable. Any thread may read it while it has a reference (line_ring.h).
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
    double rate_hz;             /* lines a second; 0: not known */
};

/* Where a line of a recording comes from: its samples follow the one that is anchored. */
struct line_anchor {
    uint32_t id;     /* grows with each anchor of the run; 0: no recording */
    uint64_t number; /* of the anchored sample, counting lost ones */
    struct replay_anchor at;
};

struct line {
    atomic_uint refs; /* used by the line ring */

    uint64_t number;       /* counts from 0, never decreases */
    uint64_t first_sample; /* number of the first frame's first sample, counting lost ones */
    uint64_t sample_count; /* from the first frame's first sample to the last frame's last */
    uint64_t position;     /* of first_sample in the IQ ring of the epoch; UINT64_MAX: samples are
                              missing within the line */
    int64_t time_ns;       /* Unix time of first_sample */
    struct line_anchor anchor;
    bool hardware_time; /* time_ns comes from the device's clock */
    bool gap_before;    /* a mark separates this line from the one before */
    bool simulated;
    bool rate_assumed; /* tuning.rate_hz is no real rate: stream/tuning.h */
    bool dc_spur;      /* the centre is on the spur list */
    uint32_t epoch;    /* changes with format or rate, and when the ring grows */

    struct tuning tuning;  /* of a sweep: centre and width of its span; the rest is the radio's */
    double gain_db;        /* NAN: unknown or automatic */
    double usable_percent; /* of the rate, around the centre; 0: all */
    char serial[64];       /* of the radio; "": unknown */
    uint32_t calibration;  /* number of its calibration in an archive; 0: it has none */
    uint32_t n, hop;       /* bins; samples from frame to frame */
    uint64_t frames;       /* folded into this line; of a sweep, into each bin */
    /* Of a sweep (stream/sweep.h); dwells 0: none, and a frame has n samples at tuning.rate_hz. */
    uint32_t dwells, fft_size;
    double sample_rate_hz;
    /* How the engine corrected the first samples of the line, for full scale 1.0. */
    bool corrected;
    struct fft_correction correction;
    double enbw_bins, width_3db_bins; /* of the window: noise bandwidth, half-power width */
    const char *engine;               /* static strings */
    char window[32];

    struct ledger ledger; /* totals up to the end of this line */

    unsigned detectors;             /* FFT_DETECTOR_ bits present */
    float *detector[FFT_DETECTORS]; /* [n] linear power, 1.0 = 0 dBFS, bin n/2 = centre; NULL:
                                       absent */
    /*
     * peak[t]: max pyramid of detector t, [n - 1], once the bit of t is in `pyramids`. Level l >= 1
     * has n >> l values, each the larger of two values of level l-1. Level 1 is at index 0; level
     * l+1 follows level l. The last value of a level with an odd number of them is in no
     * higher level.
     */
    float *peak[FFT_DETECTORS];
    atomic_uint pyramids; /* FFT_DETECTOR_ bits; line_need_pyramid sets them */
    /*
     * Density (fft/fft.h): hits[columns][levels], where column c has the bins k with
     * floor(k * columns / n) = c. The hits of each column sum to `frames`. NULL: none.
     */
    struct fft_density density;
    uint32_t *hits;
    float *memory;     /* one block with all detectors and pyramids */
    struct line *next; /* used by the line ring */
};

/*
 * Copies everything except the reference count, which other threads change meanwhile. The arrays
 * stay those of the line, which may end first.
 */
void line_copy_facts(struct line *out, const struct line *line);

/* All but the levels is zero. NULL: no memory. */
struct line *line_create(const struct line_shape *shape);
void line_destroy(struct line *line); /* NULL is fine */
size_t line_bytes(const struct line_shape *shape);
bool line_has_shape(const struct line *line, const struct line_shape *shape);

/*
 * Pyramids are built when somebody reads them: most lines have at most one reader, of one detector.
 * They are reset once the detectors are complete; the line ring does that. A reader of the line
 * needs one before it reads peak[] (powers.h does); the first call builds it, others wait. Any
 * thread.
 */
void line_reset_pyramids(struct line *line);
void line_need_pyramid(const struct line *line, unsigned detector_index);

uint32_t line_fft_size(const struct line *line);     /* samples of a frame */
double line_sample_rate_hz(const struct line *line); /* of the radio */
double line_bin_hz(const struct line *line);         /* distance between two bins */
double line_low_hz(const struct line *line);         /* frequency of bin 0 = centre - rate / 2 */
/* The bins whose centres are in the usable band. Only these are measured and written. */
struct line_bins {
    uint32_t first, last;
};
struct line_bins line_usable_bins(const struct line *line);
/* The frequencies that these bins cover: bin k from k - 0.5 to k + 0.5. */
struct line_band {
    double low_hz, high_hz;
};
struct line_band line_usable_band(const struct line *line);
/*
 * Clips a band that exceeds the usable one by less than a bin, such as centre +- rate / 2. False:
 * it exceeds it by more, and stays as it is.
 */
bool line_clip_band(const struct line *line, double *low_hz, double *high_hz);
double line_rbw_hz(const struct line *line);     /* noise bandwidth: enbw * rate / n */
double line_rbw_3db_hz(const struct line *line); /* half-power width * rate / n */
enum { PERCENTILE_DETECTOR = 3 };     /* the detector of a line with percentiles (percentile.h) */
int detector_index(const char *name); /* "mean" 0, "max" 1, "min" 2, "sample" 3; -1 */
const char *detector_name(unsigned index);
/* It is made only while somebody reads it: a line without it may be followed by one with it. */
bool detector_is_on_demand(unsigned index);
/* How frames become what is read of a line. */
struct option_form;
struct detector_choice {
    unsigned index;
    double percent; /* above 0: a percentile of the density; index is PERCENTILE_DETECTOR */
};
extern const struct option_form detector_form; /* of an option with a detector_choice */
/*
 * Also the percentiles, which come from the density: "median", "p90", "p99.9". *percent is then
 * above 0 and at most 100 and *index is PERCENTILE_DETECTOR, else *percent is 0. False: there is
 * none of this name.
 */
bool detector_parse(const char *name, unsigned *index, double *percent);
/* The same, written: "median" for 50. Returns `into`. */
enum { DETECTOR_TEXT = 16 };
const char *detector_text(unsigned index, double percent, char into[DETECTOR_TEXT]);

#endif
