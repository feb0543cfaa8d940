/*
 * cpu_clipped.h - counts the clipped samples of a batch where workers load them for its frames.
 *
 * Frame f brings the samples from f * hop to (f + 1) * hop, the last frame all that are left. Each
 * is counted once, if no batch before this one had it (fft_spectrum_submit).
 */
#ifndef FFTD_FFT_CPU_SPECTRUM_CPU_CLIPPED_H
#define FFTD_FFT_CPU_SPECTRUM_CPU_CLIPPED_H

#include "fft/engine.h"

enum { CPU_CLIPPED_SAMPLES = 4096 }; /* of all formats they fit in the first cache */

/* The number of frames that brings about this many samples; at least one. */
uint32_t cpu_clipped_frames(const struct fft_spectrum_config *plan);
/* The count of what frames first .. end - 1 bring. Any thread. */
uint64_t cpu_clipped(const struct fft_spectrum_config *plan, const struct batch *b, uint32_t first,
                     uint32_t end);
/* The count of part `part` of `parts` of what one frame brings. */
uint64_t cpu_clipped_part(const struct fft_spectrum_config *plan, const struct batch *b,
                          uint32_t frame, uint32_t part, uint32_t parts);

#endif
