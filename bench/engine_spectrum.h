/*
 * engine_spectrum.h - an engine of the library as a contestant in spectra.
 */
#ifndef FFTD_BENCH_ENGINE_SPECTRUM_H
#define FFTD_BENCH_ENGINE_SPECTRUM_H

#include "bench/contest.h"
#include "bench/spectrum_case.h"

struct engine_spectrum {
    struct fft_engine *engine;
    const struct spectrum_case *test_case;
    struct fft_spectrum *spectrum;
};

/* Plans the case on an open engine, which can have several plans at once. On failure `why` says the
 * reason. */
int engine_spectrum_init(struct engine_spectrum *o, struct fft_engine *engine,
                         const struct spectrum_case *test_case, char *why, size_t size);
void engine_spectrum_finish(struct engine_spectrum *o);
struct contestant engine_spectrum_contestant(struct engine_spectrum *o);

#endif
