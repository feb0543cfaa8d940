/*
 * kernels.h - the programs of kernels/qpu/, assembled by qpu-asm while fftd is built. One file, one
 * program; its name is the file's without .qasm.
 */
#ifndef FFTD_FFT_QPU_KERNELS_H
#define FFTD_FFT_QPU_KERNELS_H

#include <stdint.h>

struct qpu_kernel {
    const char *name;
    const uint32_t *code; /* [2 * instructions]: the low half of each first */
    uint32_t instructions;
};

extern const struct qpu_kernel qpu_kernels[]; /* a NULL name ends it */

#endif
