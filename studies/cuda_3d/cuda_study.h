/*
 * cuda_study.h - K. Aatish and B. Zhang, "Three Dimensional Fast Fourier Transform CUDA
 * Implementation" (2012), measured on this machine's NVIDIA device: their kernels, their list of
 * future work, the engine's own passes, and cuFFT where it is installed. The document's figures are
 * lost; each table is preceded by what the text says of them.
 */
#ifndef FFTD_STUDIES_CUDA_3D_CUDA_STUDY_H
#define FFTD_STUDIES_CUDA_3D_CUDA_STUDY_H

#include "fft/cuda/cuda_plan.h"
#include "studies/cuda_3d/kernels/args.h"
#include "studies/study.h"

/*
 * Prints the wanted tables; 0, or -errno after one line on standard error: also if a result was
 * wrong, which one line for each of them says.
 */
int study_cuda_run(struct study *study);

/* What the tables share. Internal to studies/cuda_3d/. */
struct cuda_study {
    struct study *study;
    uint64_t from, to,
        roots; /* from, to: [bytes] each, random floats in `from`; roots: exp(-2 pi i q / 128) */
    size_t bytes;
    uint32_t wrong; /* results so far */
};

/* What the driver reports of a kernel; -1: not known. */
struct kernel_facts {
    int registers, local, resident; /* local: bytes; resident: blocks of a processor */
};

/* One launch of a kernel of studies/cuda_3d/kernels, named by its file and its own name. */
union study_args {
    struct study_rows_args rows;
    struct study_permute_args permute;
    union cuda_args engine; /* tiles */
};
struct study_launch {
    const char *module, *kernel;
    uint32_t grid[3], block, shared;
    union study_args args;
};

int study_launch(struct cuda_study *s, const struct study_launch *l);
struct kernel_facts study_facts(struct cuda_study *s, const struct study_launch *l);

/*
 * Work that transforms `bytes` of s->from, which it may read only, to `out`; in place, it
 * transforms a copy of them in `out`. The first member of what `user` points to is a pointer to s.
 */
struct study_work {
    int (*enqueue)(void *user);
    void *user;
    uint64_t out;
    size_t bytes;
    bool in_place;
};

/* Measures the work. Leaves the result of one run in `out`, which held NaN before. */
int study_cuda_measure(struct cuda_study *s, const struct study_work *w, double *seconds);
int study_cuda_copy_seconds(struct cuda_study *s, size_t bytes, double *seconds);

/* Counts and reports a result whose error is larger than allowed or NaN. */
void study_cuda_judge(struct cuda_study *s, const char *table, const char *row, double error,
                      double allowed);

/* Prepares the launch that reorders the axes of a box [n][n][n]; the caller sets from and to. */
void study_permutation(struct study_launch *l, uint32_t n, const uint32_t order[3]);

int study_cuda_rows(struct cuda_study *s);
int study_cuda_permute(struct cuda_study *s);
int study_cuda_planes(struct cuda_study *s);
int study_cuda_box(struct cuda_study *s);

#endif
