/*
 * bench.h - the state of one run of fft-bench: options, engine, the library it is compared with,
 * and the machine's rates.
 */
#ifndef FFTD_BENCH_BENCH_H
#define FFTD_BENCH_BENCH_H

#include "bench/bound.h"
#include "bench/contest.h"
#include "bench/device/gpu.h"
#include "bench/libs/fftw.h"
#include "bench/libs/other_library.h"
#include "bench/message.h"
#include "bench/options.h"
#include "bench/report.h"

struct bench {
    struct options options;
    struct machine machine;
    struct fft_engine *engine;
    struct fftw *fftw;   /* NULL: not compared */
    struct gpu *gpu;     /* for transforms of the cuda engine, measured on the device */
    struct cufft *cufft; /* NULL: not compared */
    struct other_library *other_library; /* NULL: not compared */
    struct report report;
};

/* One row of results: 0 or -errno, with one line on standard error. */
int bench_spectrum(struct bench *b, const struct shape *shape);
int bench_transform(struct bench *b, const struct shape *shape);

#endif
