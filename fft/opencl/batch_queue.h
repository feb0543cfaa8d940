/*
 * batch_queue.h - the batches of one spectrum on a device: samples in, launches, results out.
 *
 * Where host and device share their memory samples are copied once, from the ring into a mapped
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

enum { LANE_SAMPLES = FFT_SPECTRUM_MAX_DEPTH + 1 };

/* A memory object, and where it is mapped; NULL: it is not. */
struct lane_memory {
    struct _cl_mem *object;
    void *at;
};

/* One batch in flight. */
struct lane_slot {
    struct lane_memory result;           /* what the kernels write; mapped: what the caller reads */
    struct lane_memory staging, landing; /* across a bus: pinned, mapped for good */
    struct _cl_event *done;              /* NULL: nothing in flight */
};

struct lane {
    struct opencl_device *device;
    struct opencl_spectrum spectrum;
    struct opencl_kernels kernels;
    bool unified;
    struct _cl_command_queue *queue, *copies; /* copies: across a bus only */
    struct _cl_mem *tables, *scratch;
    struct lane_memory samples[LANE_SAMPLES]; /* [depth + 1]: of batch i in i % (depth + 1) */
    struct lane_slot slots[FFT_SPECTRUM_MAX_DEPTH];
    uint32_t depth;
    uint64_t submitted, polled;
    uint64_t next; /* position that continues the batch before, */
    uint64_t tail; /* whose samples from there on these are: offset in its buffer, in samples */
    struct reason why;
};

/* 0, -ENOTSUP, -ENOMEM or what the driver says; lane_finish follows also then. */
int opencl_lane_init(struct lane *l, struct opencl_device *device,
                     const struct fft_spectrum_plan *plan, const struct opencl_choice *choice,
                     struct reason why);
void opencl_lane_finish(struct lane *l); /* waits for what is in flight */

/* Never waits. Fewer than depth may be submitted and not polled. */
int opencl_lane_submit(struct lane *l, const struct batch *b);
/* The oldest: 1 and the arrays of b->partial, 0 not within timeout_ms, -errno. */
int opencl_lane_poll(struct lane *l, struct batch *b, int timeout_ms);

#endif
