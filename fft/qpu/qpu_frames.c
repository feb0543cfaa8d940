/* qpu_frames.c - copies frames to the QPUs and powers back, in blocks that stay in the ARM's cache.
 */
#include "fft/qpu/qpu_frames.h"

#include "fft/correction.h"

enum { BLOCK = 256 };

/* Samples of full scale 1. */
static void correct(struct fft_iq *x, const struct fft_correction *correction)
{
    const struct raw_correction c = fft_correction_raw(correction, FFT_IQ_CF32);
    for (uint32_t i = 0; i < BLOCK; i++)
        x[i] = (struct fft_iq){c.ii * x[i].re + c.re, c.qi * x[i].re + c.qq * x[i].im + c.im};
}

void qpu_frames_load(const struct fft_spectrum_config *plan, const char *raw,
                     const struct fft_correction *correction, const struct qpu_launcher *l,
                     uint32_t frame)
{
    struct fft_iq block[BLOCK];
    for (uint32_t at = 0; at < plan->n; at += BLOCK) {
        fft_iq_unpack(plan->format, raw + at * fft_iq_bytes(plan->format), block, BLOCK);
        if (correction)
            correct(block, correction);
        qpu_launcher_put(l, frame, at, block, BLOCK);
    }
}

int qpu_frames_init(struct qpu_launcher *l, struct qpu_device *device, uint32_t code,
                    const struct fft_spectrum_config *plan)
{
    const bool only_mean = plan->detectors == FFT_DETECTOR_MEAN && !plan->density.columns;
    const struct qpu_task task = {.log2_n = qpu_plan_log2(plan->n),
                                  .frames = plan->max_frames,
                                  .windowed = true,
                                  .output = only_mean ? QPU_SUM : QPU_POWERS};
    int err = qpu_launcher_init(l, device, code, &task);
    if (!err)
        qpu_launcher_window(l, plan->window);
    return err;
}

/* A sum is folded like one frame's powers. It is used only where no detector needs single frames.
 */
void qpu_frames_fold(const struct qpu_launcher *l, struct qpu_power *power,
                     struct qpu_detectors *into)
{
    const uint32_t frames = l->plan.output == QPU_SUM ? 1 : l->plan.frames;
    float block[BLOCK];
    for (uint32_t frame = 0; frame < frames; frame++) {
        for (uint32_t at = 0; at < power->plan->n; at += BLOCK) {
            qpu_launcher_powers(l, frame, at, block, BLOCK);
            qpu_power_put(power, at, block, BLOCK);
        }
        qpu_power_add(power, into);
    }
}
