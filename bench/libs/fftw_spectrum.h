/*
 * fftw_spectrum.h - FFTW as a contestant in spectra: the best pipeline that a careful user builds.
 *
 * Convert x window into a buffer, transform, |X|^2 and sum, each loop vectorised by the compiler
 * for this machine; the batch (frames a call) and in or out of place are chosen by measuring.
 */
#ifndef FFTD_BENCH_LIBS_FFTW_SPECTRUM_H
#define FFTD_BENCH_LIBS_FFTW_SPECTRUM_H

#include "bench/contest.h"
#include "bench/libs/fftw.h"
#include "bench/spectrum_case.h"

struct fftw_workspace;

struct fftw_spectrum {
    struct fftw *fftw;
    const struct spectrum_case *test_case;
    uint32_t batch;
    fftw_plan plan;
    float *window; /* [2 n], as pipeline_load wants it */
    struct fftw_workspace *workspaces;
    uint32_t threads;
};

/* Finds the best plan for the test_case. finish follows also after a failed init, and takes a
 * zeroed object. */
int fftw_spectrum_init(struct fftw_spectrum *s, struct fftw *f,
                       const struct spectrum_case *test_case);
void fftw_spectrum_finish(struct fftw_spectrum *s);
struct contestant fftw_spectrum_contestant(struct fftw_spectrum *s);

#endif
