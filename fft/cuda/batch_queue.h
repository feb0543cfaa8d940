/*
 * batch_queue.h - the batches of one spectrum on one GPU: samples in, launches, results out.
 *
 *     host                 copy stream             compute streams, in turn
 *     span of batch i  ->  arena (fresh bytes) --> launches of batch i --> result, on the host
 *     span of batch i+1 -> arena               --> launches of batch i+1 --> result
 *
 * Copies go one behind the other on a stream of their own, so that the bus never waits for a
 * kernel; two compute streams let a batch begin while the one before drains. The spans are read
 * where they are if their memory could be pinned, else through a pinned staging block a batch.
 *
 * Short batches go another way, because there each call counts more than the bytes: the kernels
 * read the staging block and write the result across the bus themselves, in one replayed graph.
 * Where that is one kernel of one block, it reads the span where it is, if a device can (its graph
 * is aimed at it), and sets a word behind the result, which the host sees sooner than an event.
 */
#ifndef FFTD_FFT_CUDA_BATCH_QUEUE_H
#define FFTD_FFT_CUDA_BATCH_QUEUE_H

#include "fft/cuda/arena.h"
#include "fft/cuda/kernels.h"
#include "fft/cuda/pinned.h"

enum { LANE_STREAMS = 2 };

/* One batch in flight. */
struct lane_slot {
    struct CUevent_st *copied, *done;
    struct pinned staging;        /* no bytes: spans are read where they are */
    struct pinned result;         /* what the caller reads */
    cuda_address device_result;   /* what the kernels write; may be result's own address */
    struct CUgraphExec_st *graph; /* a full batch, short way; NULL: not captured yet */
    struct CUgraph_st *recorded;  /* what it was made of, */
    struct CUgraphNode_st *node;  /* if that is one kernel; */
    cuda_address aimed;           /* which reads its samples there */
    struct CUstream_st *stream;   /* of the batch in flight */
    bool tells;                   /* that sets the word behind its result */
};

struct lane {
    struct cuda_device *device;
    struct cuda_spectrum spectrum;
    struct kernels kernels;

    bool is_short;
    const struct pinned_region *region; /* where spans may be read directly; NULL: nowhere */
    struct CUstream_st *copy, *compute[LANE_STREAMS];
    cuda_address memory; /* everything on the device, one piece: */
    cuda_address tables, scratch[LANE_STREAMS], samples;
    void *upload; /* the tables, while the device may still read them */
    struct arena arena;
    struct lane_slot slots[FFT_SPECTRUM_MAX_DEPTH];
    uint32_t depth;
    uint64_t submitted, polled;

    struct reason why; /* where trouble is told */
};

/*
 * depth: batches in flight on this device. region: may be NULL. 0, -ENOTSUP, -ENOMEM or what the
 * driver says; lane_finish follows also then.
 */
int lane_init(struct lane *l, struct cuda_device *device, const struct fft_spectrum_plan *plan,
              uint32_t depth, const struct pinned_region *region, struct reason why);
void lane_finish(struct lane *l); /* waits for what is in flight */

/* Never waits. Fewer than depth may be submitted and not polled. */
int lane_submit(struct lane *l, const struct batch *b);
/* The oldest: 1 and the arrays of b->partial, 0 not within timeout_ms, -errno. */
int lane_poll(struct lane *l, struct batch *b, int timeout_ms);

#endif
