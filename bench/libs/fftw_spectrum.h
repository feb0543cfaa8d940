/*
 * fftw_spectrum.h - FFTW as a contestant in spectra, in the best pipeline that a careful user would
 * build.
 *
 * The pipeline converts and windows into a buffer, transforms, squares and sums. The compiler
 * vectorises each loop for this machine. Measurements choose the batch (frames a call) and whether
 * the transform is in place.
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
    float *window; /* [2 n], as pipeline_load needs it */
    struct fftw_workspace *workspaces;
    uint32_t threads;
};

/*
 * Finds the best plan for the case. Call finish also after a failure; it accepts a zeroed object.
 */
int fftw_spectrum_init(struct fftw_spectrum *s, struct fftw *f,
                       const struct spectrum_case *test_case);
void fftw_spectrum_finish(struct fftw_spectrum *s);
struct contestant fftw_spectrum_contestant(struct fftw_spectrum *s);

#endif
