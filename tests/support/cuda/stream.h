/*
 * stream.h - a stream of batches through the CUDA engine on the mock driver, held against the
 * reference.
 */
#ifndef FFTD_TESTS_SUPPORT_CUDA_STREAM_H
#define FFTD_TESTS_SUPPORT_CUDA_STREAM_H

#include "tests/support/cuda/machine.h"

enum { STREAM_N = 256, STREAM_FRAMES = 6, STREAM_BATCHES = 14 };

/* The IQ ring: `samples` of noise, then the same again, as its second mapping has it. */
struct ring {
    unsigned char *memory;
    uint64_t samples;
};

struct ring ring_make(enum fft_iq_format format, uint64_t samples);

struct stream {
    enum mock_order order;
    const char *engine;
    uint32_t hop, depth;
    uint32_t repeat; /* batches have this many times STREAM_FRAMES frames, each fifth one less */
    enum fft_iq_format format;
    const struct ring *ring;
    bool pin; /* tell the engine where the ring is */
};

uint64_t stream_frames(const struct stream *s);  /* of the whole stream */
uint64_t stream_samples(const struct stream *s); /* from the first to the last of a frame */
uint32_t stream_batch_frames(const struct stream *s, uint32_t batch);
const void *stream_span(const struct stream *s, uint64_t position);
struct fft_spectrum_plan stream_plan(const struct stream *s,
                                     float *window); /* [STREAM_N], all traces */

/* Runs all batches, as many in flight as may be; mock->did is what that took, without the opening.
 */
struct fft_fold *stream_run(const struct stream *s, struct mock_cuda *mock);

/* Every trace of the whole stream is the reference's. */
void stream_expect_reference(const struct stream *s, const struct fft_fold *fold);

#endif
