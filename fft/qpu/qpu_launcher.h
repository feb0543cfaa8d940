/*
 * qpu_launcher.h - prepares and runs launches of one plan: transforms of one length, several frames
 * in a launch. It owns their memory.
 *
 * The ARM's access to the frames' memory is slow: write it in order, and read each result once.
 */
#ifndef FFTD_FFT_QPU_QPU_LAUNCHER_H
#define FFTD_FFT_QPU_QPU_LAUNCHER_H

#include "fft/qpu/qpu_launch.h"
#include "fft/qpu/qpu_plan.h"

struct qpu_launcher {
    struct qpu_device *device;
    struct qpu_task task; /* with the number of frames of the last launch */
    struct qpu_plan plan; /* of that task */
    struct qpu_layout layout;
    uint32_t max_frames; /* of a launch */
    uint32_t parts;      /* launches of a transform */
    uint32_t part;       /* the one that was started last; before the first, `parts` */
    struct qpu_memory tables, window, uniforms, from, to;
    uint32_t *words; /* one QPU's uniforms, before they are copied */
    struct qpu_launch launch;
    uint64_t *counters; /* of all launches, see struct qpu_launch; NULL: none */
};

/*
 * Allocates memory for launches of up to max_frames frames: wanted->frames, or fewer where more
 * would not be faster. For columns max_frames is a multiple of QPU_PLAN_ROWS, and every launch has
 * max_frames frames.
 * code: bus address of the program. 0, -EINVAL or -ENOMEM; call finish in any case.
 */
int qpu_launcher_init(struct qpu_launcher *l, struct qpu_device *device, uint32_t code,
                      const struct qpu_task *wanted);
void qpu_launcher_finish(
    struct qpu_launcher *l); /* waits for the running launch; l may be zeroed */

/* Sets the window of all launches, [n]. The task must be windowed. */
void qpu_launcher_window(const struct qpu_launcher *l, const float *window);

/* Sets points at .. at+count-1 of a frame before a launch, and reads them after it if the output is
 * bins or columns. Columns are read as frame 0: [n][frames]. */
void qpu_launcher_put(const struct qpu_launcher *l, uint32_t frame, uint32_t at,
                      const struct fft_iq *from, uint32_t count);
void qpu_launcher_get(const struct qpu_launcher *l, uint32_t frame, uint32_t at, struct fft_iq *to,
                      uint32_t count);

/* Reads powers at .. at+count-1 of a frame, in a transform's order. Sums are read as frame 0. */
void qpu_launcher_powers(const struct qpu_launcher *l, uint32_t frame, uint32_t at, float *to,
                         uint32_t count);

/*
 * Transforms frames 0 .. frames-1 and overwrites their inputs. start returns while the launch runs;
 * do not access the frames until wait returns 1 (0: not within timeout_ms; < 0: no limit). Same
 * errors as qpu_device_ops.
 */
int qpu_launcher_start(struct qpu_launcher *l, uint32_t frames);
int qpu_launcher_wait(struct qpu_launcher *l, int timeout_ms);
int qpu_launcher_run(struct qpu_launcher *l, uint32_t frames); /* starts and waits; 0 or -errno */

#endif
