/* arena.c - see arena.h. */
#include "fft/cuda/arena.h"

static size_t align(size_t bytes)
{
    return (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
}

/*
 * The depth - 1 spans in flight and the new one lie one behind the other, each at most span_bytes
 * and what aligns it; the turn at the end may waste nearly another span.
 */
size_t arena_bytes(size_t span_bytes, uint32_t depth)
{
    return ((size_t)depth + 2) * align(span_bytes + ARENA_ALIGN);
}

struct arena_place arena_next(struct arena *a, uint64_t position, uint64_t samples,
                              uint64_t advance)
{
    const size_t bytes = samples * a->sample_bytes;
    const uint64_t shared = a->shared < samples ? a->shared : samples;
    const bool follows = shared > 0 && position == a->next;
    struct arena_place place = {.known = follows ? shared * a->sample_bytes : 0,
                                .from = follows ? a->at : align(a->end)};

    place.at = place.from + bytes <= a->bytes ? place.from : 0;
    a->next = position + advance;
    a->shared = advance < samples ? samples - advance : 0;
    a->at = place.at + advance * a->sample_bytes;
    a->end = place.at + bytes;
    return place;
}
