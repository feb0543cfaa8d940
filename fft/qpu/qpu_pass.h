/* qpu_pass.h - the engine's hooks for transforms; fft/engine.h has their contract. */
#ifndef FFTD_FFT_QPU_QPU_PASS_H
#define FFTD_FFT_QPU_QPU_PASS_H

#include "fft/engine.h"
#include "fft/qpu/qpu_launcher.h"

/* p->priv is a struct qpu_launcher. */
int qpu_pass_init(struct engine_pass *p, struct fft_reason why);
void qpu_pass_finish(struct engine_pass *p);
int qpu_pass_run(const struct engine_pass *p, struct fft_buffer *from, struct fft_buffer *to);

#endif
