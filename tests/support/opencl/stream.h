/*
 * stream.h - a stream of batches through the opencl engine on the mock driver. Batches have
 * different lengths: positions, not counts, decide what continues what.
 */
#ifndef FFTD_TESTS_SUPPORT_OPENCL_STREAM_H
#define FFTD_TESTS_SUPPORT_OPENCL_STREAM_H

#include "fft/fft.h"
#include "tests/support/opencl/machine.h"

enum {
    STREAM_N = 256,
    STREAM_FRAMES = 9,
    STREAM_BATCHES = 14,
    STREAM_SAMPLES = STREAM_BATCHES * STREAM_FRAMES * STREAM_N + STREAM_N,
    STREAM_RING = 1 << 14 /* bytes */
};

struct stream {
    enum mock_order order;
    bool unified;
    uint32_t hop, depth;
    enum fft_iq_format format;
    const char
        *ring; /* [2 * STREAM_RING], a block and its second mapping; NULL: samples are apart */
};

uint32_t stream_frames_before(uint32_t batch);
/* Of all four detectors. */
struct fft_spectrum_plan stream_plan(const struct stream *r, const float *window);
/* All batches of raw [STREAM_SAMPLES], or of the ring; the mock's counts are of them alone. */
struct fft_fold *stream_run(const struct stream *r, struct mock_opencl *mock, const char *raw);
/* Compares with the reference of raw. */
void stream_check(const struct stream *r, const struct fft_fold *fold, const char *raw);

#endif
