/* cpu_clipped.c - finds the samples that frames bring, and counts the clipped ones. */
#include "fft/cpu/spectrum/cpu_clipped.h"

/* Samples `first` .. `end` - 1 of the span, without those that a batch before had. */
static uint64_t count(const struct fft_spectrum_config *plan, const struct batch *b, size_t first,
                      size_t end)
{
    first = first > b->first_new ? first : b->first_new;
    if (first >= end)
        return 0;
    return fft_iq_clipped(plan->format, plan->full_scale,
                          (const char *)b->span + first * fft_iq_bytes(plan->format), end - first);
}

/* The end of what this frame brings. */
static size_t end_of(const struct fft_spectrum_config *plan, const struct batch *b, uint32_t frame)
{
    const bool is_last = frame + 1 == b->partial.frames;
    return (size_t)frame * plan->hop + (is_last ? plan->n : plan->hop);
}

uint32_t cpu_clipped_frames(const struct fft_spectrum_config *plan)
{
    return plan->hop < CPU_CLIPPED_SAMPLES ? CPU_CLIPPED_SAMPLES / plan->hop : 1;
}

uint64_t cpu_clipped(const struct fft_spectrum_config *plan, const struct batch *b, uint32_t first,
                     uint32_t end)
{
    return count(plan, b, (size_t)first * plan->hop, end_of(plan, b, end - 1));
}

uint64_t cpu_clipped_part(const struct fft_spectrum_config *plan, const struct batch *b,
                          uint32_t frame, uint32_t part, uint32_t parts)
{
    const size_t from = (size_t)frame * plan->hop, samples = end_of(plan, b, frame) - from;
    return count(plan, b, from + (size_t)((uint64_t)samples * part / parts),
                 from + (size_t)((uint64_t)samples * (part + 1) / parts));
}
