/*
 * report.h - rows of results, as a text table or as JSON.
 */
#ifndef FFTD_BENCH_REPORT_H
#define FFTD_BENCH_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/options.h"

struct row {
    struct shape shape;
    const char *engine, *what, *format;
    const char *detail; /* more fields as JSON, ending with a comma; may be "" */
    uint32_t threads;
    double msps; /* millions a second: samples in frames, or points of transforms */
    double error, bound_msps;
    const char *ref; /* NULL: not compared */
    double ref_msps, ref_error;
};

struct report {
    bool json;
    uint32_t rows;
};

void report_begin(struct report *r, bool json);
void report_row(struct report *r, const struct row *row);
void report_end(struct report *r);

#endif
