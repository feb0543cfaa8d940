/* fft_run.h - runs a plan of the QPU engine in the emulated machine. */
#ifndef FFTD_EMULATE_QPU_FFT_RUN_H
#define FFTD_EMULATE_QPU_FFT_RUN_H

#include "emulate/qpu/emulator.h"

#include "fft/fft.h"
#include "fft/qpu/qpu_kernels.h"
#include "fft/qpu/qpu_plan.h"

struct fft_run {
    struct qpu_plan plan;
    struct qpu_layout layout;
    struct emulator *machine;
    uint32_t uniforms[QPU_PLAN_QPUS];
    struct emulator_report report;
};

/* 0 or -ENOMEM. Call finish only after 0. */
int fft_run_init(struct fft_run *run, const struct qpu_plan *plan, const struct qpu_kernel *kernel);
void fft_run_finish(struct fft_run *run);

/* A frame's input and output, [n]. A run overwrites the input. */
struct fft_iq *fft_run_input(const struct fft_run *run, uint32_t frame);
struct fft_iq *fft_run_output(const struct fft_run *run, uint32_t frame);

/* Sets the window, [n]; windowed plans only. */
void fft_run_window(const struct fft_run *run, const float *window);

/* The program's words; tests patch them. */
uint32_t *fft_run_code(const struct fft_run *run);

/* What emulator_run returns; run->report has the details. */
int fft_run_go(struct fft_run *run, const struct emulator_mode *mode);

#endif
