/*
 * daemon.h - fft-bench daemon: the whole of fftd, from samples in memory to a viewer.
 *
 * fftd runs as a child. Its simulated radio has all samples in the ring (copy=no), so that the
 * figures are those of everything after the source. One row for each size.
 */
#ifndef FFTD_BENCH_DAEMON_DAEMON_H
#define FFTD_BENCH_DAEMON_DAEMON_H

#include "bench/daemon/process.h"
#include "bench/options.h"

/* What fftd did within the measured time. */
struct daemon_row {
    uint32_t n, hop;
    double seconds, load; /* load: average of the last minute, before fftd started */
    double samples, frames, lines, viewer_lines, viewer_densities;
    double overflow, overrun, gap, retune, tail, folded; /* samples since the start; lines */
    double channels_missed;                              /* samples since the start */
    double memory_mib, ring_mib;
    struct process_times times; /* seconds of processor */
    char engine[128];
};

int bench_daemon(const struct options *o);
/* daemon_row.c: text, or JSON, with a comma before all rows but the first. */
void daemon_row_print(const struct options *o, const struct daemon_row *row, bool first);

#endif
