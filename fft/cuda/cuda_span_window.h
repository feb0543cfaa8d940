/*
 * cuda_span_window.h - positions of the spans of successive batches in device memory. Pure
 * arithmetic; any thread.
 *
 * Spans of one stream overlap: the tail of one batch is the head of the next. Each batch therefore
 * starts where its head already is, and only its new samples cross the bus:
 *
 *     |..........[ batch 0           ]
 *     |................[ batch 1     |     ]
 *     |......................[ batch 2     |     ]        |  <- end of the window
 *
 * At the end of the window the next batch starts at 0 again, and its head is copied there on the
 * device. The window is large enough that memory is reused only after the batches in it are done.
 */
#ifndef FFTD_FFT_CUDA_CUDA_SPAN_WINDOW_H
#define FFTD_FFT_CUDA_CUDA_SPAN_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPAN_WINDOW_ALIGN = 256 }; /* a span without a known head begins at a multiple */

struct cuda_span_window {
    size_t bytes, sample_bytes;
    /* The previous batch. */
    uint64_t next;   /* the position where its successor begins */
    uint64_t shared; /* samples that both have in common */
    size_t at, end;  /* offset of its successor; end of its own bytes */
};

struct cuda_span {
    size_t at;    /* offset of the span */
    size_t known; /* bytes of its head that are on the device */
    size_t from;  /* their offset; if it differs from `at`, they must be copied */
};

/* Size of a window for `depth` spans in flight of at most span_bytes. */
size_t cuda_span_window_bytes(size_t span_bytes, uint32_t depth);

/*
 * Places a span of `samples` at `position`, whose successor begins `advance` samples later. A span
 * is never larger than the span_bytes that the window was sized for.
 */
struct cuda_span cuda_span_window_next(struct cuda_span_window *a, uint64_t position,
                                       uint64_t samples, uint64_t advance);

#endif
