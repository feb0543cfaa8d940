/*
 * work.h - transforms of one length on QPUs, several in a launch: their memory, and running them.
 *
 * Frames lie in memory that is slow for the ARM: write it in order, and read what is needed once.
 */
#ifndef FFTD_FFT_QPU_WORK_H
#define FFTD_FFT_QPU_WORK_H

#include "fft/qpu/launch.h"
#include "fft/qpu/plan.h"

struct qpu_work {
    struct qpu_device *device;
    struct qpu_task task; /* of as many frames as the last run had */
    struct qpu_plan plan; /* for it */
    struct qpu_layout layout;
    uint32_t most_frames; /* a launch takes */
    struct qpu_memory tables, window, uniforms, from, to;
    uint32_t *words; /* where uniforms are put together */
    struct qpu_launch launch;
};

/*
 * Takes memory for launches of up to wanted->frames frames, or of as many as are worth having;
 * columns: of most_frames each, a multiple of QPU_PLAN_ROWS. `code`: bus address of the program. 0,
 * -EINVAL, -ENOMEM; finish follows in any case.
 */
int qpu_work_init(struct qpu_work *w, struct qpu_device *device, uint32_t code,
                  const struct qpu_task *wanted);
void qpu_work_finish(struct qpu_work *w); /* also of a zeroed one; waits for what runs */

/* [n]: of all frames, for good; if the task is windowed. */
void qpu_work_window(const struct qpu_work *w, const float *window);

/* Points at .. at+count-1 of a frame: before a run, and after it, if its output is bins. Columns
 * are frame 0's, to be read on from one to the next: [n][frames]. */
void qpu_work_put(const struct qpu_work *w, uint32_t frame, uint32_t at, const struct fft_iq *from,
                  uint32_t count);
void qpu_work_get(const struct qpu_work *w, uint32_t frame, uint32_t at, struct fft_iq *to,
                  uint32_t count);

/* Powers at .. at+count-1 of a frame, in a transform's order; sums are frame 0's. */
void qpu_work_powers(const struct qpu_work *w, uint32_t frame, uint32_t at, float *to,
                     uint32_t count);

/*
 * Transforms frames 0 .. frames-1; the inputs are lost. start returns while that runs, and nothing
 * here is to be touched until wait says 1 (0: not within timeout_ms; < 0: for ever). 0, or what
 * device.h says.
 */
int qpu_work_start(struct qpu_work *w, uint32_t frames);
int qpu_work_wait(struct qpu_work *w, int timeout_ms);
int qpu_work_run(struct qpu_work *w, uint32_t frames); /* both; 0 when it has ended */

#endif
