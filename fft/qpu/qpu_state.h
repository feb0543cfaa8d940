/* qpu_state.h - the QPU engine's state and start-up, shared with the emulated engine. */
#ifndef FFTD_FFT_QPU_QPU_STATE_H
#define FFTD_FFT_QPU_QPU_STATE_H

#include "fft/engine.h"
#include "fft/qpu/qpu_device.h"
#include "fft/qpu/qpu_plan.h"

struct qpu_engine {
    struct qpu_device device; /* open, unless device.ops is NULL */
    struct qpu_memory code;
};

/* Copies the program to q->device, which is open. 0, or -errno with the reason. */
int qpu_engine_start(struct qpu_engine *q, struct fft_reason why);
/* Frees the program and closes the device; does nothing if none is open. */
void qpu_engine_stop(struct qpu_engine *q);

enum { QPU_MIN_N = 1 << QPU_PLAN_MIN_LOG2, QPU_MAX_N = 1 << QPU_PLAN_MAX_LOG2 };
/* True for powers of two in that range. */
bool qpu_engine_supports_length(uint32_t n);

/* The reason why the engine is lost, for users. */
const char *qpu_engine_error_text(int err);

#endif
