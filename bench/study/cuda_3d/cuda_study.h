/*
 * cuda_study.h - K. Aatish and B. Zhang, "Three Dimensional Fast Fourier Transform CUDA
 * Implementation" (2012), measured anew on this machine's NVIDIA device: their kernels, their list
 * of future work, the engine's own passes, and cuFFT where it is. The document's own figures are
 * lost; what it says of them stands above each table.
 */
#ifndef FFTD_BENCH_STUDY_CUDA_3D_CUDA_STUDY_H
#define FFTD_BENCH_STUDY_CUDA_3D_CUDA_STUDY_H

#include "bench/study/study.h"

/* Prints the wanted tables; 0, or -errno after one line on standard error. */
int study_cuda_run(struct study *study);

/* What the tables share. Internal to study_cuda*.c. */
struct cuda_study {
    struct study *study;
    uint64_t from, to, roots; /* [bytes] twice, random floats in both; exp(-2 pi i q / 128) */
    size_t bytes;
};

/* What the driver tells of a kernel; -1: not known. */
struct kernel_facts {
    int registers, local, resident; /* bytes; blocks of a processor */
};

/* One launch of a kernel of kernels/cuda/study, by its file's and its own name. */
struct study_launch {
    const char *module, *kernel;
    uint32_t grid[3], block, shared;
    const void *args;
};

int study_launch(struct cuda_study *s, const struct study_launch *l);
struct kernel_facts study_facts(struct cuda_study *s, const struct study_launch *l);
int study_cuda_seconds(struct cuda_study *s, int (*enqueue)(void *user), void *user,
                       double *seconds);

/* The launch that gives a box [n][n][n] its axes in another order; l->args is a, without from and
 * to. */
struct study_permute_args;
void study_permutation(struct study_permute_args *a, struct study_launch *l, uint32_t n,
                       const uint32_t order[3]);

int study_cuda_rows(struct cuda_study *s);
int study_cuda_permute(struct cuda_study *s);
int study_cuda_box(struct cuda_study *s);

#endif
