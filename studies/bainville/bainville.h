/*
 * bainville.h - E. Bainville, "OpenCL Fast Fourier Transform" (bealto.com, 2010), measured on an
 * OpenCL device: its kernels with its methods (studies/bainville/chain_kernels.h), the
 * document's figures, and cuFFT where the device is NVIDIA's. Internal to studies/bainville/.
 */
#ifndef FFTD_STUDIES_BAINVILLE_BAINVILLE_H
#define FFTD_STUDIES_BAINVILLE_BAINVILLE_H

#include "reference/reference.h"
#include "studies/bainville/chain_kernels.h"
#include "studies/bainville/published.h"
#include "studies/ocl_times.h"
#include "studies/study.h"

enum { SWEEP_LEAST = 32, SWEEPS = 6 }; /* work-groups of 32, 64, ... 1024 */

struct bainville_result {
    bool done;
    double seconds, error; /* with the best work-group */
    double profiled_s;     /* its kernels alone, by the device's clock */
    double first_s;        /* the first pass alone */
    size_t group;
    double sweep[SWEEPS]; /* seconds of one call each; NaN: not measured, or larger than the device
                             allows */
    uint64_t private_bytes; /* of a work-item, the largest of all kernels */
};

struct bainville_study {
    struct study *study;
    struct ocl *ocl;
    uint32_t n;
    struct fft_iq *noise;   /* [n] */
    struct complex64 *want; /* [n] the noise's transform */
    struct root *roots;     /* [n] */
    struct _cl_mem *from;   /* [n] the noise */
    double copy_s;          /* time of the driver's own copy of n points */
    double cufft_s;         /* time of cuFFT; NaN: none */
    struct bainville_result results[2][BAINVILLE_KERNELS][BAINVILLE_METHODS]; /* [relaxed] */
};

/*
 * Returns the result of n points with the best work-group; the first call for a result measures it.
 */
int study_bainville_result(struct bainville_study *s, bool relaxed, enum bainville_kernel kernel,
                           enum bainville_method method, const struct bainville_result **out);
/* Measures any switches. `from` holds n points of their type, the study's noise. */
int study_bainville_measure(struct bainville_study *s, const struct bainville_switches *switches,
                            enum bainville_kernel kernel, struct _cl_mem *from,
                            struct bainville_result *out);
/* Measures a batch of cuFFT's; NaN without cuFFT. */
int study_bainville_cufft(struct bainville_study *s, uint32_t n, uint32_t batch, double *seconds);

/* The tables. They return 0, or -errno after one line on standard error. */
int study_bainville_kernels(struct bainville_study *s);
int study_bainville_passes(struct bainville_study *s);
int study_bainville_groups(struct bainville_study *s);
int study_bainville_relaxed(struct bainville_study *s);
int study_bainville_switches(struct bainville_study *s);
int study_bainville_short(struct bainville_study *s);
int study_bainville_sizes(struct bainville_study *s);

#endif
