/*
 * arena.h - where on the device the spans of successive batches lie. Pure arithmetic; any thread.
 *
 * Spans of one stream overlap: the tail of one batch is the head of the next. So a batch is placed
 * where its head already lies, and only its fresh samples cross the bus:
 *
 *     |..........[ batch 0           ]
 *     |................[ batch 1     |     ]
 *     |......................[ batch 2     |     ]        |  <- end of the arena
 *
 * At the arena's end the next batch begins at 0 again, and its head is moved there, on the device.
 * The arena is so large that a place is used again only when the batches that lay there are done.
 */
#ifndef FFTD_FFT_CUDA_ARENA_H
#define FFTD_FFT_CUDA_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARENA_ALIGN = 256 }; /* a span that shares nothing begins at a multiple */

struct arena {
    size_t bytes, sample_bytes;
    /* The batch before. */
    uint64_t next;   /* the position where its successor begins, */
    uint64_t shared; /* which shares so many samples with it */
    size_t at, end;  /* its successor's place; its own last byte */
};

struct arena_place {
    size_t at;    /* where the span begins */
    size_t known; /* so many bytes of its head are on the device, */
    size_t from;  /* there: elsewhere than at `at` they must be moved */
};

/* Bytes that an arena needs for `depth` spans in flight of at most span_bytes. */
size_t arena_bytes(size_t span_bytes, uint32_t depth);

/*
 * The place of a span of `samples` at `position`, whose successor begins `advance` samples later.
 * Spans are never larger than arena_bytes was told.
 */
struct arena_place arena_next(struct arena *a, uint64_t position, uint64_t samples,
                              uint64_t advance);

#endif
