/*
 * stream.h - runs a stream of batches through the CUDA engine on the mock driver, and compares it
 * with the reference.
 */
#ifndef FFTD_TESTS_SUPPORT_CUDA_STREAM_H
#define FFTD_TESTS_SUPPORT_CUDA_STREAM_H

#include "tests/support/cuda/machine.h"

enum { STREAM_N = 256, STREAM_FRAMES = 6, STREAM_BATCHES = 14 };

/* The IQ ring: `samples` of noise, twice, as in its two mappings. */
struct ring {
    unsigned char *memory;
    uint64_t samples;
};

struct ring ring_make(enum fft_iq_format format, uint64_t samples);

struct stream {
    enum mock_order order;
    const char *engine;
    uint32_t hop, depth;
    uint32_t repeat; /* frames per batch / STREAM_FRAMES; each fifth batch has one frame less */
    enum fft_iq_format format;
    const struct ring *ring;
    bool pin; /* give the engine the address of the ring */
};

uint64_t stream_frames(const struct stream *s);  /* of the whole stream */
uint64_t stream_samples(const struct stream *s); /* from the first to the last sample of a frame */
uint32_t stream_batch_frames(const struct stream *s, uint32_t batch);
const void *stream_span(const struct stream *s, uint64_t position);
struct fft_spectrum_plan stream_plan(const struct stream *s,
                                     float *window); /* [STREAM_N], all detectors */

/* Runs all batches, as many in flight as possible. mock->did counts this without the opening. */
struct fft_fold *stream_run(const struct stream *r, struct mock_cuda *mock);

/* Compares every detector of the whole stream with the reference. */
void stream_expect_reference(const struct stream *s, const struct fft_fold *fold);

#endif
