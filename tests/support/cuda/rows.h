/*
 * rows.h - complex rows of planned passes, their kernels compiled for the CPU, compared with double
 * precision. The error of a row is relative, in the L2 norm.
 */
#ifndef FFTD_TESTS_SUPPORT_CUDA_ROWS_H
#define FFTD_TESTS_SUPPORT_CUDA_ROWS_H

#include "fft/cuda/cuda_pass_plan.h"

/* Fails if the error of a row is more than `most`, or more than 2e-7. */
void rows_check_within(double most, const struct engine_pass *p, const struct fft_iq *in,
                       const struct fft_iq *out);
void rows_check(const struct engine_pass *p, const struct fft_iq *in, const struct fft_iq *out);

/* Runs a pass, whose last kernel is of this family. */
void rows_run(const struct cuda_facts *facts, const struct engine_pass *pass,
              enum cuda_pass_family family, const struct fft_iq *in, struct fft_iq *out);

/*
 * Does so out of place, and checks the rows, and that the memory between and after them does not
 * change. Both arrays have the size that the strides need.
 */
void rows_conform(const struct cuda_facts *facts, struct engine_pass pass,
                  enum cuda_pass_family family);

#endif
