/*
 * cuda_study.h - K. Aatish and B. Zhang, "Three Dimensional Fast Fourier Transform CUDA
 * Implementation" (2012), measured on this machine's NVIDIA device: their kernels, their list of
 * future work, the engine's own passes, and cuFFT where it is installed. The document's figures are
 * lost; each table is preceded by what the text says of them.
 */
#ifndef FFTD_BENCH_STUDY_CUDA_3D_CUDA_STUDY_H
#define FFTD_BENCH_STUDY_CUDA_3D_CUDA_STUDY_H

#include "bench/study/study.h"

/* Prints the wanted tables; 0, or -errno after one line on standard error. */
int study_cuda_run(struct study *study);

/* What the tables share. Internal to bench/study/cuda_3d/. */
struct cuda_study {
    struct study *study;
    uint64_t from, to,
        roots; /* from, to: [bytes] each, random floats in `from`; roots: exp(-2 pi i q / 128) */
    size_t bytes;
};

/* What the driver reports of a kernel; -1: not known. */
struct kernel_facts {
    int registers, local, resident; /* local: bytes; resident: blocks of a processor */
};

/* One launch of a kernel of kernels/cuda/study, named by its file and its own name. */
struct study_launch {
    const char *module, *kernel;
    uint32_t grid[3], block, shared;
    const void *args;
};

int study_launch(struct cuda_study *s, const struct study_launch *l);
struct kernel_facts study_facts(struct cuda_study *s, const struct study_launch *l);
int study_cuda_seconds(struct cuda_study *s, int (*enqueue)(void *user), void *user,
                       double *seconds);

/* Prepares the launch that reorders the axes of a box [n][n][n]. l->args is a; the caller sets its
 * from and to. */
struct study_permute_args;
void study_permutation(struct study_permute_args *a, struct study_launch *l, uint32_t n,
                       const uint32_t order[3]);

int study_cuda_rows(struct cuda_study *s);
int study_cuda_permute(struct cuda_study *s);
int study_cuda_box(struct cuda_study *s);

#endif
