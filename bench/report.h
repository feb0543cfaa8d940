/*
 * report.h - rows of results, as a table for people or as JSON.
 */
#ifndef FFTD_BENCH_REPORT_H
#define FFTD_BENCH_REPORT_H

#include <stdbool.h>
#include <stdint.h>

struct row {
    uint32_t n, hop, threads;
    const char *engine, *what, *format;
    double msps, rel_error,
        bound_msps;  /* msps: frame samples; the stream's rate is msps * hop / n */
    const char *ref; /* NULL: measured against nobody */
    double ref_msps, ref_rel_error;
};

void report_begin(bool json);
void report_row(bool json, const struct row *row, bool first);
void report_end(bool json);

#endif
