/*
 * qpu_kernels.h - the programs of kernels/qpu/, assembled by qpu-asm at build time. Each file is
 * one program, named after the file without .qasm.
 */
#ifndef FFTD_FFT_QPU_QPU_KERNELS_H
#define FFTD_FFT_QPU_QPU_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct qpu_kernel {
    const char *name;
    const uint32_t *code; /* [2 * instructions]: the low word of each comes first */
    uint32_t instructions;
};

extern const struct qpu_kernel qpu_kernels[]; /* a NULL name ends the table */

/* NULL: there is no program of that name. */
static inline const struct qpu_kernel *qpu_kernel_find(const char *name)
{
    const struct qpu_kernel *kernel = qpu_kernels;
    while (kernel->name && strcmp(kernel->name, name) != 0)
        kernel++;
    return kernel->name ? kernel : NULL;
}

#endif
