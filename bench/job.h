/*
 * job.h - one case to be measured: the samples, the window and the truth.
 *
 * The input is uniform noise, so that no value is special; the truth is the double-precision spectrum
 * of its first frame.
 */
#ifndef FFTD_BENCH_JOB_H
#define FFTD_BENCH_JOB_H

#include "fft/fft.h"

struct job {
    struct spectrum_plan plan; /* a mean of plan.max_frames frames, in one batch */
    uint32_t threads;
    void *raw;     /* the span of the batch */
    float *window; /* [n], sum 1 */
    double *truth; /* [n] */
};

/* frames: enough for a run of about `samples` frame samples. 0 or -ENOMEM. */
int job_init(struct job *job, const struct spectrum_plan *shape, uint64_t samples);
void job_finish(struct job *job);

/* sqrt(sum (got - truth)^2 / sum truth^2) over the bins of the first frame. */
double job_error(const struct job *job, const float *got);

#endif
