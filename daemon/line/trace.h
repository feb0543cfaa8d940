/*
 * trace.h - a trace: how the lines of one detector are combined, and arithmetic between traces.
 *
 * Power is linear, 1.0 = 0 dBFS. A trace is made by zeroing the struct and setting function and
 * count. Its memory grows with the first line of a new size. Pure; the thread that owns the trace.
 * One that borrows has no copy of the newest line: its owner keeps the line while it reads power.
 *
 *     clear-write      the newest line
 *     max-hold         the largest of all lines
 *     min-hold         the smallest of all lines
 *     average          mean of the powers
 *     log-average      mean of the levels in dB
 *     voltage-average  square of the mean amplitude
 *     exponential      each line after the first has the weight 1 / count
 *
 * The three averages give the first `count` lines equal weight. From then on each line has the
 * weight 1 / count, as in Keysight's X-Series in continuous sweep. A count of 0 averages all lines
 * equally, without end. Clear/write and the holds ignore the count.
 *
 * Instead of a count, the averages may have a video bandwidth (VBW). A line is a mean over its time
 * T and has the equivalent noise bandwidth 1 / (2 T). Lines with the weights w_i, whose sum is 1,
 * have sum(w_i^2) of a line's noise power, and so that share of its bandwidth. An exponential
 * average of weight a has a / (2 - a) in the steady state. For the bandwidth B the weight is
 *
 *     a = 2 r / (1 + r) with r = 2 T B,
 *
 * and 1 if the line itself is as narrow (r >= 1). The averages begin with equal weights, until
 * these are as small.
 *
 * Complex Gaussian noise reads 10 log10(e^-gamma) = -2.507 dB in the log average of single spectra,
 * 10 log10(pi / 4) = -1.049 dB in the voltage average, 10 log10(H_K) in the max hold of K
 * independent spectra (H_K = 1 + 1/2 + ... + 1/K), -10 log10(K) in the min hold (Agilent
 * Application Note 150; order statistics of the exponential distribution).
 */
#ifndef FFTD_DAEMON_LINE_TRACE_H
#define FFTD_DAEMON_LINE_TRACE_H

#include "daemon/line/line.h"

enum trace_function {
    TRACE_CLEAR_WRITE,
    TRACE_MAX_HOLD,
    TRACE_MIN_HOLD,
    TRACE_AVERAGE,
    TRACE_LOG_AVERAGE,
    TRACE_VOLTAGE_AVERAGE,
    TRACE_EXPONENTIAL,
    TRACE_FUNCTIONS
};

/* In the order of the enum, for the choices of an option. */
#define TRACE_FUNCTION_NAMES                                                                       \
    "clear-write, max-hold, min-hold, average, log-average, voltage-average, exponential"

struct trace {
    enum trace_function function;
    uint64_t count; /* lines of an average */
    double vbw_hz;  /* of an average, in place of the count; 0: the count */
    bool borrows;   /* in clear/write `power` is that of the line */

    /* Read by all, written by trace_update: */
    uint64_t lines; /* combined since the restart */
    uint32_t n;
    const float *power; /* [n] linear; NULL before the first line */

    /* Private: */
    float *memory; /* [n] of power; NULL: it is borrowed */
    double *mean;  /* [n] the mean in the scale of the function; NULL: no average */
    double noise;  /* sum of the squared weights: share of a line's noise power */
    double line_s;
    enum trace_function current;
    unsigned detector;
    uint32_t hop;
    double enbw_bins, gain_db;
    char window[32];
    struct tuning tuning;
};

/*
 * Adds a line. The trace restarts first if the function, FFT size, hop, window, detector, tuning or
 * gain differ from the line before. -ENOENT: the line lacks the detector; -ENOMEM; both leave the
 * trace as it was.
 */
int trace_update(struct trace *t, const struct line *line, unsigned detector);
void trace_finish(struct trace *t); /* frees the memory; a zeroed trace is fine */

/* True for the functions that a count or a VBW belongs to. */
bool trace_averages(enum trace_function function);
/* The memory of a trace for each bin, bytes. */
uint32_t trace_bin_bytes(enum trace_function function, bool borrows);
/*
 * The VBW that the trace has now: that of a line, or narrower after an average. NAN: it has none
 * (a hold, or no line yet).
 */
double trace_vbw_hz(const struct trace *t);
/* The VBW that an average settles at when lines last line_s: vbw_hz, or that of a line. */
double trace_final_vbw_hz(double vbw_hz, double line_s);

const char *trace_function_name(enum trace_function function); /* "max-hold" */
/* True if the mean power of noise does not change: clear/write, average, exponential. */
bool trace_keeps_power(enum trace_function function);

#endif
