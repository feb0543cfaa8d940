/*
 * spectrum_case.h - one case to be measured: the samples, the window and the truth.
 *
 * The input is uniform noise, so that no value is special; the truth is the double-precision
 * spectrum of its first frame.
 */
#ifndef FFTD_BENCH_SPECTRUM_CASE_H
#define FFTD_BENCH_SPECTRUM_CASE_H

#include "fft/fft.h"

struct spectrum_case {
    struct fft_spectrum_plan plan; /* a mean of plan.max_frames frames, in one batch */
    uint32_t threads;
    void *raw;     /* the span of the batch */
    float *window; /* [n], sum 1 */
    double *truth; /* [n] */
};

/* frames: enough for a run of about `samples` frame samples. 0 or -ENOMEM. */
int spectrum_case_init(struct spectrum_case *test_case, const struct fft_spectrum_plan *shape,
                       uint64_t samples);
void spectrum_case_finish(struct spectrum_case *test_case);

/* sqrt(sum (got - truth)^2 / sum truth^2) over the bins of the first frame. */
double spectrum_case_error(const struct spectrum_case *test_case, const float *got);

#endif
