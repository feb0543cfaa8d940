/*
 * stream.h - a stream of batches from a ring of IQ samples, through the engine of a GPU on its mock
 * driver. Compares the folded detectors with the reference.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_STREAM_H
#define FFTD_TESTS_SUPPORT_ENGINE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "fft/engine.h"
#include "fft/fft.h"

enum { STREAM_N = 256, STREAM_BATCHES = 14 };

/* The IQ ring: `samples` of noise, twice, as in its two mappings. */
struct ring {
    unsigned char *memory;
    uint64_t samples;
};

struct ring ring_make(enum fft_iq_format format, uint64_t samples);

struct batch_stream {
    uint32_t hop, depth;
    uint32_t frames; /* of a batch; each fifth batch has one frame less */
    enum fft_iq_format format;
    const struct ring *ring;
    bool pin; /* give the engine the address of the ring */
};

uint64_t stream_frames(const struct batch_stream *s); /* of the whole stream */
uint64_t
stream_samples(const struct batch_stream *s); /* from the first to the last sample of a frame */
const void *stream_span(const struct batch_stream *s, uint64_t position);
struct fft_spectrum_config stream_plan(const struct batch_stream *s,
                                       const float *window); /* [STREAM_N], all detectors */

/*
 * Runs all batches, as many in flight as possible. `ready`, which may be NULL, is called with
 * `user` between the creation of the spectrum and the first batch.
 */
struct fft_fold *stream_run(const struct batch_stream *s, struct fft_engine *e,
                            void (*ready)(void *user), void *user);

/* Compares every detector of the whole stream with the reference. */
void stream_expect_reference(const struct batch_stream *s, const struct fft_fold *fold);

#endif
