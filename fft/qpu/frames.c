/* frames.c - a frame to the QPUs and back, by way of a block that stays in the ARM's cache. */
#include "fft/qpu/frames.h"

enum { BLOCK = 256 };

void qpu_frames_load(const struct fft_spectrum_plan *plan, const char *raw,
                     const struct qpu_work *w, uint32_t frame)
{
    struct fft_iq block[BLOCK];
    for (uint32_t at = 0; at < plan->n; at += BLOCK) {
        fft_iq_unpack(plan->format, raw + at * fft_iq_bytes(plan->format), block, BLOCK);
        qpu_work_put(w, frame, at, block, BLOCK);
    }
}

int qpu_frames_init(struct qpu_work *w, struct qpu_device *device, uint32_t code,
                    const struct fft_spectrum_plan *plan)
{
    const bool only_mean = plan->traces == FFT_TRACE_MEAN && !plan->density.columns;
    const struct qpu_task task = {.log2_n = qpu_plan_log2(plan->n),
                                  .frames = plan->max_frames,
                                  .windowed = true,
                                  .output = only_mean ? QPU_SUM : QPU_POWERS};
    int err = qpu_work_init(w, device, code, &task);
    if (!err)
        qpu_work_window(w, plan->window);
    return err;
}

/* A sum goes the way of one frame's powers: where there are sums, nobody asks for the frames. */
void qpu_frames_fold(const struct qpu_work *w, struct qpu_power *power, struct qpu_traces *into)
{
    const uint32_t frames = w->plan.output == QPU_SUM ? 1 : w->plan.frames;
    float block[BLOCK];
    for (uint32_t frame = 0; frame < frames; frame++) {
        for (uint32_t at = 0; at < power->plan->n; at += BLOCK) {
            qpu_work_powers(w, frame, at, block, BLOCK);
            qpu_power_put(power, at, block, BLOCK);
        }
        qpu_power_add(power, into);
    }
}
