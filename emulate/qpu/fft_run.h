/*
 * fft_run.h - a plan of the QPU engine in the emulated machine: memory laid out, and run.
 */
#ifndef FFTD_EMULATE_QPU_FFT_RUN_H
#define FFTD_EMULATE_QPU_FFT_RUN_H

#include "emulate/qpu/emulator.h"

#include "fft/fft.h"
#include "fft/qpu/kernels.h"
#include "fft/qpu/plan.h"

struct fft_run {
    struct qpu_plan plan;
    struct qpu_layout layout;
    struct emulator *machine;
    uint32_t uniforms[QPU_PLAN_QPUS];
    struct emulator_report report;
};

/* NULL: there is none of that name. */
const struct qpu_kernel *fft_run_kernel(const char *name);

/* 0 or -ENOMEM; finish follows only behind 0. */
int fft_run_init(struct fft_run *run, const struct qpu_plan *plan, const struct qpu_kernel *kernel);
void fft_run_finish(struct fft_run *run);

struct fft_iq *fft_run_input(const struct fft_run *run,
                             uint32_t frame); /* [n]; a run destroys it */
struct fft_iq *fft_run_output(const struct fft_run *run, uint32_t frame); /* [n] */

float *fft_run_window(const struct fft_run *run); /* [n], to be filled, if the plan has one */

/* The program's words, to be tampered with. */
uint32_t *fft_run_code(const struct fft_run *run);

int fft_run_go(struct fft_run *run, const struct emulator_mode *mode);

#endif
