/*
 * batch_queue.h - the batches of one spectrum on a device: samples in, launches, results out.
 *
 * Where host and device reuse their memory samples are copied once, from the ring into a mapped
 * buffer, and results are read where the kernels wrote them:
 *
 *     host                          queue
 *     span of batch i  -> copied -> unmap samples i, launches, map result i, map samples i - 1
 *
 * Elsewhere they cross a bus, through pinned staging and on a queue of its own, so that the samples
 * of one batch travel while the kernels of the one before work:
 *
 *     span of batch i  -> staging -> (copy queue) samples i -> (queue) launches, read result i
 *
 * Only samples that the batch before did not have are brought; the others are copied from its
 * buffer, on the device. So a buffer is given back to the host, to be filled again, behind the
 * launches of the next batch, and there is one more of them than batches in flight: submit never
 * waits.
 */
#ifndef FFTD_FFT_OPENCL_BATCH_QUEUE_H
#define FFTD_FFT_OPENCL_BATCH_QUEUE_H

#include "fft/opencl/kernels.h"

enum { OPENCL_SAMPLE_BUFFERS = FFT_SPECTRUM_MAX_DEPTH + 1 };

/* One batch in flight. */
struct opencl_batch_slot {
    struct opencl_memory result; /* what the kernels write; mapped: what the caller reads */
    struct opencl_memory staging, readback; /* across a bus: pinned, mapped for good */
    struct _cl_event *done;                 /* NULL: nothing in flight */
};

struct opencl_batch_queue {
    struct opencl_device *device;
    struct opencl_spectrum spectrum;
    struct opencl_kernels kernels;
    bool unified;
    struct _cl_command_queue *queue, *copies; /* copies: across a bus only */
    struct _cl_mem *tables, *scratch;
    struct opencl_memory
        samples[OPENCL_SAMPLE_BUFFERS]; /* [depth + 1]: of batch i in i % (depth + 1) */
    struct opencl_batch_slot slots[FFT_SPECTRUM_MAX_DEPTH];
    uint32_t depth;
    uint64_t submitted, polled;
    uint64_t next; /* position that continues the batch before, */
    uint64_t tail; /* whose samples from there on these are: offset in its buffer, in samples */
    struct reason why;
};

/* 0, -ENOTSUP, -ENOMEM or what the driver says; lane_finish follows also then. */
int opencl_batch_queue_init(struct opencl_batch_queue *q, struct opencl_device *device,
                            const struct fft_spectrum_plan *plan,
                            const struct opencl_choice *choice, struct reason why);
void opencl_batch_queue_finish(struct opencl_batch_queue *q); /* waits for what is in flight */

/* Never waits. Fewer than depth may be submitted and not polled. */
int opencl_batch_queue_submit(struct opencl_batch_queue *q, const struct batch *b);
/* The oldest: 1 and the arrays of b->partial, 0 not within timeout_ms, -errno. */
int opencl_batch_queue_poll(struct opencl_batch_queue *q, struct batch *b, int timeout_ms);

#endif
