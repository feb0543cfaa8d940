/*
 * spectrum_case.h - one spectrum to be measured: samples, window and expected result.
 *
 * The input is uniform noise, so that no value is special. The expected result is the
 * double-precision spectrum of the first frame.
 */
#ifndef FFTD_BENCH_SPECTRUM_CASE_H
#define FFTD_BENCH_SPECTRUM_CASE_H

#include "fft/fft.h"

struct spectrum_case {
    struct fft_spectrum_config plan; /* a mean of plan.max_frames frames, in one batch */
    uint32_t threads;
    void *raw;     /* all samples of the batch */
    float *window; /* [n], sum 1 */
    double *truth; /* [n] */
};

/* Chooses as many frames as make about `samples` frame samples. 0 or -ENOMEM; call finish also
 * after a failure. */
int spectrum_case_init(struct spectrum_case *test_case, const struct fft_spectrum_config *shape,
                       uint64_t samples);
void spectrum_case_finish(struct spectrum_case *test_case);

/* sqrt(sum (got - truth)^2 / sum truth^2) over the bins of the first frame. */
double spectrum_case_error(const struct spectrum_case *test_case, const float *got);

#endif
