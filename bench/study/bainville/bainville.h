/*
 * bainville.h - E. Bainville, "OpenCL Fast Fourier Transform" (bealto.com, 2010), measured anew on
 * an OpenCL device: its kernels by its methods (bench/study/bainville/chain_kernels.h), its figures
 * beside ours, and cuFFT where the device is NVIDIA's. Internal to study_bainville*.c.
 */
#ifndef FFTD_BENCH_STUDY_BAINVILLE_BAINVILLE_H
#define FFTD_BENCH_STUDY_BAINVILLE_BAINVILLE_H

#include "bench/study/bainville/chain_kernels.h"
#include "bench/study/study.h"
#include "reference/reference.h"

enum { SWEEP_LEAST = 32, SWEEPS = 6 }; /* work-groups of 32, 64, ... 1024 */

struct bainville_result {
    bool done;
    double seconds, error; /* of the best work-group */
    double first_s;        /* its first pass alone */
    size_t group;
    double
        sweep[SWEEPS]; /* seconds, of one call each; NaN: not tried, or more than the device has */
    uint64_t private_bytes; /* of a work-item, the most of the kernels */
};

struct bainville_study {
    struct study *study;
    struct ocl *ocl;
    uint32_t n;
    struct fft_iq *noise;   /* [n] */
    struct complex64 *want; /* [n] its transform */
    struct root *roots;     /* [n] */
    struct _cl_mem *from;   /* [n] the noise */
    double copy_s;          /* the driver's own copy of n points */
    double cufft_s;         /* cuFFT; NaN: none */
    struct bainville_result results[2][BAINVILLE_KERNELS][BAINVILLE_METHODS]; /* [relaxed] */
};

/* The best work-group's time of n points, measured when it is asked for first. */
int study_bainville_result(struct bainville_study *s, bool relaxed, enum bainville_kernel kernel,
                           enum bainville_method method, const struct bainville_result **out);
/* Of any switches: from has n points of their type, want is the study's. */
int study_bainville_measure(struct bainville_study *s, const struct bainville_switches *switches,
                            enum bainville_kernel kernel, struct _cl_mem *from,
                            struct bainville_result *out);
/* Seconds of a batch of cuFFT's; NaN without it. */
int study_bainville_cufft(struct bainville_study *s, uint32_t n, uint32_t batch, double *seconds);

/* In milliseconds at 2^24 points, as the document prints them; NaN: not among its figures. */
struct bainville_documented {
    double gtx285, hd5870;
};
struct bainville_documented study_bainville_documented(const struct bainville_study *s,
                                                       enum bainville_kernel kernel,
                                                       enum bainville_method method);

/* The tables: 0 or -errno, which has been told. */
int study_bainville_kernels(struct bainville_study *s);
int study_bainville_passes(struct bainville_study *s);
int study_bainville_groups(struct bainville_study *s);
int study_bainville_relaxed(struct bainville_study *s);
int study_bainville_switches(struct bainville_study *s);
int study_bainville_short(struct bainville_study *s);
int study_bainville_sizes(struct bainville_study *s);

#endif
