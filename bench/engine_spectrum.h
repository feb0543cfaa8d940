/*
 * engine_spectrum.h - an engine of the library as a contestant in spectra.
 */
#ifndef FFTD_BENCH_ENGINE_SPECTRUM_H
#define FFTD_BENCH_ENGINE_SPECTRUM_H

#include "bench/contest.h"
#include "bench/spectrum_case.h"

struct ours_spectrum {
    struct fft_engine *engine;
    const struct spectrum_job *job;
    struct fft_spectrum *spectrum;
};

/* Plans the job on an open engine; the caller may plan several. On failure `why` names the reason.
 */
int ours_spectrum_init(struct ours_spectrum *o, struct fft_engine *engine,
                       const struct spectrum_job *job, char *why, size_t size);
void ours_spectrum_finish(struct ours_spectrum *o);
struct contestant ours_spectrum_contestant(struct ours_spectrum *o);

#endif
