/*
 * window.h - where on the device the spans of successive batches lie. Pure arithmetic; any thread.
 *
 * Spans of one stream overlap: the tail of one batch is the head of the next. So a batch is placed
 * where its head already lies, and only its fresh samples cross the bus:
 *
 *     |..........[ batch 0           ]
 *     |................[ batch 1     |     ]
 *     |......................[ batch 2     |     ]        |  <- end of the window
 *
 * At the window's end the next batch begins at 0 again, and its head is moved there, on the device.
 * The window is so large that a place is used again only when the batches that lay there are done.
 */
#ifndef FFTD_FFT_CUDA_SPAN_WINDOW_H
#define FFTD_FFT_CUDA_SPAN_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPAN_WINDOW_ALIGN = 256 }; /* a span that count_parts nothing begins at a multiple */

struct cuda_span_window {
    size_t bytes, sample_bytes;
    /* The batch before. */
    uint64_t next;   /* the position where its successor begins, */
    uint64_t shared; /* which count_parts so many samples with it */
    size_t at, end;  /* its successor's place; its own last byte */
};

struct cuda_span {
    size_t at;    /* where the span begins */
    size_t known; /* so many bytes of its head are on the device, */
    size_t from;  /* there: elsewhere than at `at` they must be moved */
};

/* Bytes that an window needs for `depth` spans in flight of at most span_bytes. */
size_t cuda_span_window_bytes(size_t span_bytes, uint32_t depth);

/*
 * The place of a span of `samples` at `position`, whose successor begins `advance` samples later.
 * Spans are never larger than cuda_span_window_bytes was signalled.
 */
struct cuda_span cuda_span_window_next(struct cuda_span_window *a, uint64_t position,
                                       uint64_t samples, uint64_t advance);

#endif
