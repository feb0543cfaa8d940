/* cuda_span_window.c - computes the position of each span in device memory. */
#include "fft/cuda/cuda_span_window.h"

static size_t align(size_t bytes)
{
    return (bytes + SPAN_WINDOW_ALIGN - 1) / SPAN_WINDOW_ALIGN * SPAN_WINDOW_ALIGN;
}

/*
 * The depth - 1 spans in flight and the new one follow one another. Each takes at most span_bytes
 * and its alignment. The wrap at the end may waste nearly one more span.
 */
size_t cuda_span_window_bytes(size_t span_bytes, uint32_t depth)
{
    return ((size_t)depth + 2) * align(span_bytes + SPAN_WINDOW_ALIGN);
}

struct cuda_span cuda_span_window_next(struct cuda_span_window *a, uint64_t position,
                                       uint64_t samples, uint64_t advance)
{
    const size_t bytes = samples * a->sample_bytes;
    const uint64_t shared = a->shared < samples ? a->shared : samples;
    const bool follows = shared > 0 && position == a->next;
    struct cuda_span span = {.known = follows ? shared * a->sample_bytes : 0,
                             .from = follows ? a->at : align(a->end)};

    span.at = span.from + bytes <= a->bytes ? span.from : 0;
    a->next = position + advance;
    a->shared = advance < samples ? samples - advance : 0;
    a->at = span.at + advance * a->sample_bytes;
    a->end = span.at + bytes;
    return span;
}
