/*
 * qpu_queue.h - queues a spectrum's batches: the ARM unpacks and folds while the QPUs transform.
 *
 *     ARM     unpack 0 | unpack 1 |          fold 0 | unpack 2 |      fold 1 | unpack 3 | ...
 *     QPUs             | transform 0        | transform 1            | transform 2      | ...
 *
 * Each number is a launch: frames of one batch, as many as a launch takes. Launches alternate
 * between two launchers, each with its own memory. There is only one launcher, and nothing
 * overlaps, if two would need too much memory (1M points and more) or if the second one cannot be
 * allocated.
 */
#ifndef FFTD_FFT_QPU_QPU_QUEUE_H
#define FFTD_FFT_QPU_QPU_QUEUE_H

#include "fft/qpu/qpu_launcher.h"
#include "fft/qpu/qpu_power.h"

enum { QPU_LAUNCHERS = 2 };

/* The part of a batch that a launch transforms. */
struct qpu_batch_part {
    uint32_t batch; /* index into detectors */
    uint32_t frames;
    bool last; /* the batch's last part */
};

struct qpu_queue {
    const struct fft_spectrum_config *plan;
    struct qpu_power power;
    struct qpu_detectors detectors[FFT_SPECTRUM_MAX_DEPTH];

    /* launch number i is at index i % launcher_count */
    struct qpu_launcher launchers[QPU_LAUNCHERS];
    struct qpu_batch_part parts[QPU_LAUNCHERS];
    uint32_t launcher_count;
    uint64_t loaded, started, ended, folded; /* counts: loaded >= started >= ... */

    /* batch number i is at index i % FFT_SPECTRUM_MAX_DEPTH */
    const struct batch *batches[FFT_SPECTRUM_MAX_DEPTH];
    uint64_t submitted, unpacked, done, polled; /* counts: submitted >= unpacked >= ... */
    uint32_t next_frame;                        /* to unpack, of batch number `unpacked` */

    int err; /* of a launch; no further launch is started */
};

/* plan must outlive q. 0, -ENOMEM or -EINVAL; call finish in any case. finish waits for the running
 * launch. */
int qpu_queue_init(struct qpu_queue *q, struct qpu_device *device, uint32_t code,
                   const struct fft_spectrum_config *plan);
void qpu_queue_finish(struct qpu_queue *q);

/* Unpacks as many frames as the launchers have room for, and starts their launches. b and its span
 * must stay valid until b is polled. */
void qpu_queue_submit(struct qpu_queue *q, const struct batch *b);

/* The engine's poll hook. b is the oldest batch. */
int qpu_queue_poll(struct qpu_queue *q, struct batch *b, int timeout_ms);

#endif
