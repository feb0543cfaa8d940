/* frames.c - a frame to the QPUs and back, by way of a block that stays in the ARM's cache. */
#include "fft/qpu/frames.h"

enum { BLOCK = 256 };

void qpu_frames_load(const struct spectrum_plan *plan, const char *raw, const struct qpu_work *w,
                     uint32_t frame)
{
    struct iq block[BLOCK];
    for (uint32_t at = 0; at < plan->n; at += BLOCK) {
        iq_unpack(plan->format, raw + at * iq_bytes(plan->format), block, BLOCK);
        for (uint32_t i = 0; i < BLOCK; i++) {
            block[i].re *= plan->window[at + i];
            block[i].im *= plan->window[at + i];
        }
        qpu_work_put(w, frame, at, block, BLOCK);
    }
}

void qpu_frames_fold(const struct qpu_work *w, uint32_t frame, struct qpu_power *power,
                     struct qpu_traces *into)
{
    struct iq block[BLOCK];
    for (uint32_t at = 0; at < power->plan->n; at += BLOCK) {
        qpu_work_get(w, frame, at, block, BLOCK);
        qpu_power_square(power, at, block, BLOCK);
    }
    qpu_power_add(power, into);
}
