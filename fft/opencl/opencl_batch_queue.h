/*
 * opencl_batch_queue.h - runs the batches of one spectrum on a device: uploads samples, launches
 * kernels, returns results.
 *
 * Where host and device share memory, samples are copied once, from the ring into a mapped buffer.
 * Results are read where the kernels wrote them:
 *
 *     host                          queue
 *     span of batch i  -> copied -> unmap samples i, launches, map result i, map samples i - 1
 *
 * Elsewhere samples and results cross a bus. A second queue lets the samples of one batch travel
 * while the kernels of the previous batch run. They come from the caller's block where the plan
 * names it and the driver takes it (opencl_pinned.h), and through pinned staging memory otherwise:
 *
 *     span of batch i             -> (copy queue) samples i -> (queue) launches, read result i
 *     span of batch i  -> staging -> (copy queue) samples i -> (queue) launches, read result i
 *
 * Only samples that the previous batch did not have are uploaded. The device copies the others from
 * the buffer of the previous batch. A buffer therefore returns to the host after the launches of
 * the next batch. There is one buffer more than batches in flight, so submit never waits.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_BATCH_QUEUE_H
#define FFTD_FFT_OPENCL_OPENCL_BATCH_QUEUE_H

#include "fft/opencl/opencl_kernels.h"
#include "fft/opencl/opencl_pinned.h"

enum { OPENCL_SAMPLE_BUFFERS = FFT_SPECTRUM_MAX_DEPTH + 1 };

/* One batch in flight. */
struct opencl_batch_entry {
    struct opencl_memory result; /* written by kernels; read by the caller while mapped */
    struct opencl_memory staging,
        readback;           /* across a bus: pinned, always mapped; staging: or absent */
    struct _cl_event *done; /* NULL: nothing in flight */
};

struct opencl_batch_queue {
    struct opencl_device *device;
    struct opencl_spectrum spectrum;
    struct opencl_kernels kernels;
    bool unified;
    struct _cl_command_queue *queue, *copies; /* copies: used across a bus only */
    struct opencl_pinned *pinned; /* what spans are in; NULL: they are staged, or mapped */
    struct _cl_mem *tables, *scratch;
    struct opencl_memory samples[OPENCL_SAMPLE_BUFFERS]; /* of batch i: i % (depth + 1) */
    struct opencl_batch_entry entries[FFT_SPECTRUM_MAX_DEPTH];
    uint32_t depth;
    uint64_t submitted, polled;
    uint64_t next; /* the position that continues the previous batch */
    size_t tail;   /* where the samples from `next` on begin in that batch's buffer, in samples */
    struct fft_reason why;
};

/* Returns 0, -ENOTSUP, -ENOMEM, or the driver's error. Call finish after a failure, too. */
int opencl_batch_queue_init(struct opencl_batch_queue *q, struct opencl_device *device,
                            const struct fft_spectrum_config *plan,
                            const struct opencl_choice *choice, struct fft_reason why);
void opencl_batch_queue_finish(struct opencl_batch_queue *q); /* waits for batches in flight */

/* Never waits. The caller keeps the number of submitted batches that it has not polled below
 * depth. */
int opencl_batch_queue_submit(struct opencl_batch_queue *q, const struct batch *b);
/* Polls the oldest batch. Returns 1 and sets the arrays of b->partial, 0 if the batch is not done
 * within timeout_ms, or -errno. */
int opencl_batch_queue_poll(struct opencl_batch_queue *q, struct batch *b, int timeout_ms);

#endif
