/* engine_parts.h - the QPU engine's state, for whoever opens it with other QPUs: the tests. */
#ifndef FFTD_FFT_QPU_ENGINE_PARTS_H
#define FFTD_FFT_QPU_ENGINE_PARTS_H

#include "fft/engine.h"
#include "fft/qpu/device.h"
#include "fft/qpu/plan.h"

struct qpu_engine {
    struct qpu_device device; /* open, unless device.ops is NULL */
    struct qpu_memory code;
};

/* Brings the program to a device that was opened into q->device. 0, or -errno and the reason. */
int qpu_engine_start(struct qpu_engine *q, struct reason why);
void qpu_engine_stop(struct qpu_engine *q); /* closes the device, too; also if none is open */

enum { QPU_MIN_N = 1 << QPU_PLAN_MIN_LOG2, QPU_MAX_N = 1 << QPU_PLAN_MAX_LOG2 };
bool qpu_engine_transforms(uint32_t n);

/* Writes down for people why the engine is lost. */
void qpu_engine_tell(struct fft_engine *e, int err);

#endif
