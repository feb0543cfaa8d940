/*
 * clip_counter.h - counts the clipped samples of batches for an engine that cannot. Internal.
 *
 * A device reads samples faster than one core. So helper threads, and the caller while it waits,
 * take slices of the oldest batch that is not counted. Small batches are counted at once. One
 * thread calls start and finish, in the order of the batches.
 */
#ifndef FFTD_FFT_CLIP_COUNTER_H
#define FFTD_FFT_CLIP_COUNTER_H

#include "fft/fft.h"

enum { FFT_CLIP_HELPERS = 3 }; /* threads, at most */

struct clip_counter;

/* Threads that this machine has for batches of this config: none for small ones. */
uint32_t fft_clip_counter_helpers(const struct fft_spectrum_config *config);
/* For a config with a full scale. -ENOMEM; it works without threads that could not be started. */
int fft_clip_counter_create(struct clip_counter **out, const struct fft_spectrum_config *config,
                            uint32_t helpers);
void fft_clip_counter_destroy(struct clip_counter *c); /* NULL is fine; stops counting */

/* At most config->depth batches are started and not finished. The samples stay readable until then.
 */
void fft_clip_counter_start(struct clip_counter *c, const void *raw, size_t samples);
uint64_t fft_clip_counter_finish(struct clip_counter *c); /* of the oldest batch; waits for it */

#endif
