/*
 * batch.h - runs one planned batch of fused spectra in the emulator, in memory filled with
 * arbitrary bits. "Device" addresses are addresses of this process.
 */
#ifndef FFTD_TESTS_SUPPORT_CUDA_BATCH_H
#define FFTD_TESTS_SUPPORT_CUDA_BATCH_H

#include "fft/cuda/cuda_plan.h"

/* Properties of real devices, and of one so small that a few frames keep it busy. */
extern const struct cuda_facts cuda_t4, cuda_a100, cuda_h200, cuda_tiny;

struct cuda_batch {
    struct cuda_spectrum spectrum;
    void *samples_block, *tables, *scratch, *result; /* malloc'ed */
    struct cuda_spectrum_memory memory;
    uint32_t done; /* memory.done points to it */
};

/*
 * raw: the span; its copy begins `skew` samples after an address aligned for bulk copies. Fails the
 * test on error.
 */
void cuda_batch_init(struct cuda_batch *b, const struct cuda_facts *facts,
                     const struct fft_spectrum_config *plan, const void *raw, uint32_t skew);
/* Runs all launches of a batch of `frames` frames; fails the test on error. */
void cuda_batch_run(struct cuda_batch *b, uint32_t frames);
void cuda_batch_finish(struct cuda_batch *b);

/* A detector of the result (0 sum, 1 max, 2 min, 3 last); NULL if not planned. */
const float *cuda_batch_detector(const struct cuda_batch *b, unsigned detector);

#endif
