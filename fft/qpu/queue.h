/*
 * queue.h - a spectrum's batches on their way: the ARM unpacks and folds while the QPUs transform.
 *
 *     ARM     unpack 0 | unpack 1 |          fold 0 | unpack 2 |      fold 1 | unpack 3 | ...
 *     QPUs             | transform 0        | transform 1            | transform 2      | ...
 *
 * Each number is a launch: as many frames of one batch as it takes. Launches lie in two slots, each
 * with memory of its own, in turn. Where that would be much memory, from 1M points on, or where
 * there is none for the second one, there is one slot, and nothing overlaps.
 */
#ifndef FFTD_FFT_QPU_QUEUE_H
#define FFTD_FFT_QPU_QUEUE_H

#include "fft/qpu/power.h"
#include "fft/qpu/work.h"

enum { QPU_SLOTS = 2 };

struct qpu_job {
    uint32_t batch; /* index into traces */
    uint32_t frames;
    bool last; /* of its batch */
};

struct qpu_queue {
    const struct fft_spectrum_plan *plan;
    struct qpu_power power;
    struct qpu_traces traces[FFT_SPECTRUM_MAX_DEPTH];

    struct qpu_work slots[QPU_SLOTS]; /* launch number i is in slot i % slot_count */
    struct qpu_job jobs[QPU_SLOTS];
    uint32_t slot_count;
    uint64_t loaded, started, ended, folded; /* launches, each at most as many as the one before */

    const struct batch
        *batches[FFT_SPECTRUM_MAX_DEPTH];       /* number i is at i % FFT_SPECTRUM_MAX_DEPTH */
    uint64_t submitted, unpacked, done, polled; /* batches, likewise */
    uint32_t next;                              /* frame to unpack of batch `unpacked` */

    int err; /* of a launch: all is lost */
};

/* plan must stay. 0, -ENOMEM, -EINVAL; finish follows in any case, and waits for what runs. */
int qpu_queue_init(struct qpu_queue *q, struct qpu_device *device, uint32_t code,
                   const struct fft_spectrum_plan *plan);
void qpu_queue_finish(struct qpu_queue *q);

/* Unpacks what there is room for, and starts it. b and its span must stay until it is polled. */
void qpu_queue_submit(struct qpu_queue *q, const struct batch *b);

/* As the engine's hook; b is the oldest batch. */
int qpu_queue_poll(struct qpu_queue *q, struct batch *b, int timeout_ms);

#endif
