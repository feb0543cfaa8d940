/*
 * batch_queue.h - the batches of one spectrum on one GPU: samples in, launches, results out.
 *
 *     host                 copy stream             compute streams, in turn
 *     span of batch i  ->  window (fresh bytes) --> launches of batch i --> result, on the host
 *     span of batch i+1 -> window               --> launches of batch i+1 --> result
 *
 * Copies go one behind the other on a stream of their own, so that the bus never waits for a
 * kernel; two compute streams let a batch begin while the one before drains. The spans are read
 * where they are if their memory could be pinned, else through a pinned staging block a batch.
 *
 * Short batches go another way, because there each call counts more than the bytes: the kernels
 * read the staging block and write the result across the bus themselves, in one replayed graph.
 * Where that is one kernel of one block, it reads the span where it is, if a device can (its graph
 * is target at it), and sets a word behind the result, which the host sees sooner than an event.
 */
#ifndef FFTD_FFT_CUDA_BATCH_QUEUE_H
#define FFTD_FFT_CUDA_BATCH_QUEUE_H

#include "fft/cuda/kernels.h"
#include "fft/cuda/pinned.h"
#include "fft/cuda/span_window.h"

enum { BATCH_QUEUE_STREAMS = 2 };

/* One batch in flight. */
struct cuda_batch_slot {
    struct CUevent_st *copied, *done;
    struct cuda_pinned staging;   /* no bytes: spans are read where they are */
    struct cuda_pinned result;    /* what the caller reads */
    cuda_address device_result;   /* what the kernels write; may be result's own address */
    struct CUgraphExec_st *graph; /* a full batch, short way; NULL: not captured yet */
    struct CUgraph_st *recorded;  /* what it was made of, */
    struct CUgraphNode_st *node;  /* if that is one kernel; */
    cuda_address target;          /* which reads its samples there */
    struct CUstream_st *stream;   /* of the batch in flight */
    bool signals_done;            /* that sets the word behind its result */
};

struct cuda_batch_queue {
    struct cuda_device *device;
    struct cuda_spectrum spectrum;
    struct cuda_kernels kernels;

    bool is_short;
    const struct cuda_pinned_region *region; /* where spans may be read directly; NULL: nowhere */
    struct CUstream_st *copy, *compute[BATCH_QUEUE_STREAMS];
    cuda_address memory; /* everything on the device, one piece: */
    cuda_address tables, scratch[BATCH_QUEUE_STREAMS], samples;
    void *upload; /* the tables, while the device may still read them */
    struct cuda_span_window window;
    struct cuda_batch_slot slots[FFT_SPECTRUM_MAX_DEPTH];
    uint32_t depth;
    uint64_t submitted, polled;

    struct reason why; /* where trouble is signalled */
};

/*
 * depth: batches in flight on this device. region: may be NULL. 0, -ENOTSUP, -ENOMEM or what the
 * driver says; cuda_batch_queue_finish follows also then.
 */
int cuda_batch_queue_init(struct cuda_batch_queue *q, struct cuda_device *device,
                          const struct fft_spectrum_plan *plan, uint32_t depth,
                          const struct cuda_pinned_region *region, struct reason why);
void cuda_batch_queue_finish(struct cuda_batch_queue *q); /* waits for what is in flight */

/* Never waits. Fewer than depth may be submitted and not polled. */
int cuda_batch_queue_submit(struct cuda_batch_queue *q, const struct batch *b);
/* The oldest: 1 and the arrays of b->partial, 0 not within timeout_ms, -errno. */
int cuda_batch_queue_poll(struct cuda_batch_queue *q, struct batch *b, int timeout_ms);

#endif
