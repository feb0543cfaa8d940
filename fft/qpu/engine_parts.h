/* engine_parts.h - the QPU engine's state, for whoever opens it with other QPUs: the tests. */
#ifndef FFTD_FFT_QPU_ENGINE_PARTS_H
#define FFTD_FFT_QPU_ENGINE_PARTS_H

#include "fft/engine.h"
#include "fft/qpu/device.h"

struct qpu_engine {
    struct qpu_device device; /* open, unless device.ops is NULL */
    struct qpu_memory code;
};

/* Brings the program to a device that was opened into q->device. 0, or -errno and the reason. */
int qpu_engine_start(struct qpu_engine *q, struct reason why);
void qpu_engine_stop(struct qpu_engine *q); /* closes the device, too; also if none is open */

#endif
