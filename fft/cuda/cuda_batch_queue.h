/*
 * cuda_batch_queue.h - the batches of one spectrum on one GPU: copies samples, launches kernels,
 * reads results back.
 *
 *     host                 copy stream              compute streams, alternating
 *     span of batch i  ->  window (new bytes)   --> launches of batch i   --> result, on the host
 *     span of batch i+1 -> window               --> launches of batch i+1 --> result
 *
 * Copies run in order on a stream of their own, so the bus never waits for a kernel. Two compute
 * streams let a batch start while the previous one drains. Spans are read from the caller's memory
 * if that could be pinned, else through a pinned staging block per batch.
 *
 * Short batches differ, because each driver call costs more than the bytes: the kernels read the
 * staging block and write the result across the bus themselves, in one replayed graph. If the graph
 * is one kernel of one block, it reads the span from the ring where a device can (the graph is
 * retargeted to it), and sets a completion word after the result. The host sees this word sooner
 * than an event. Spans usually follow one another, so the graph of the next batch is retargeted
 * while the device computes this one.
 */
#ifndef FFTD_FFT_CUDA_CUDA_BATCH_QUEUE_H
#define FFTD_FFT_CUDA_CUDA_BATCH_QUEUE_H

#include "fft/cuda/cuda_kernels.h"
#include "fft/cuda/cuda_pinned.h"
#include "fft/cuda/cuda_span_window.h"

enum {
    BATCH_QUEUE_STREAMS = 2,
    CUDA_DONE_BYTES = 4 /* the completion word after a result: cuda_batch_queue.c */
};

/* One batch in flight. */
struct cuda_batch_entry {
    struct CUevent_st *copied, *done;
    struct cuda_pinned staging;   /* empty: spans are read from the ring */
    struct cuda_pinned result;    /* read by the caller */
    cuda_address device_result;   /* written by the kernels; may be the address of `result` */
    struct CUgraphExec_st *graph; /* full short batches; NULL: not captured yet */
    struct CUgraph_st *recorded;  /* the captured graph that `graph` was made of */
    struct CUgraphNode_st *node;  /* its node if it is a single kernel, else NULL */
    cuda_address target;          /* address from which that kernel reads its samples */
    struct CUstream_st *stream;   /* of the batch in flight */
    bool signals_done;            /* that batch sets its completion word */
};

struct cuda_batch_queue {
    struct cuda_device *device;
    struct cuda_spectrum spectrum;
    struct cuda_kernels kernels;

    bool is_short;
    const struct cuda_pinned_region *region; /* pinned memory of the spans; may be NULL */
    struct CUstream_st *copy, *compute[BATCH_QUEUE_STREAMS];
    cuda_address memory; /* all device memory, one allocation: */
    cuda_address tables, scratch[BATCH_QUEUE_STREAMS], samples;
    void *upload; /* the tables, while the device may still read them */
    struct cuda_span_window window;
    struct cuda_batch_entry entries[FFT_SPECTRUM_MAX_DEPTH];
    uint32_t depth;
    uint64_t submitted, polled;
    cuda_address expected; /* of the next span of a short batch in the ring; 0: none */

    struct fft_reason why; /* where errors are reported */
};

/*
 * depth: batches in flight on this device. region: may be NULL. Returns 0, -ENOTSUP, -ENOMEM or the
 * error of the driver. Call cuda_batch_queue_finish after a failure, too.
 */
int cuda_batch_queue_init(struct cuda_batch_queue *q, struct cuda_device *device,
                          const struct fft_spectrum_config *plan, uint32_t depth,
                          const struct cuda_pinned_region *region, struct fft_reason why);
void cuda_batch_queue_finish(struct cuda_batch_queue *q); /* waits for the batches in flight */

/* Never waits. At most depth - 1 batches may be in flight before the call. */
int cuda_batch_queue_submit(struct cuda_batch_queue *q, const struct batch *b);
/*
 * Polls the oldest batch. 1: done, the arrays of b->partial are set; 0: not done within timeout_ms;
 * -errno.
 */
int cuda_batch_queue_poll(struct cuda_batch_queue *q, struct batch *b, int timeout_ms);

#endif
