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

/* Plans the test_case on an open engine; the caller may plan several. On failure `why` names the
 * reason.
 */
int engine_spectrum_init(struct engine_spectrum *o, struct fft_engine *engine,
                         const struct spectrum_case *test_case, char *why, size_t size);
void engine_spectrum_finish(struct engine_spectrum *o);
struct contestant engine_spectrum_contestant(struct engine_spectrum *o);

#endif
