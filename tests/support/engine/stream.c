/* stream.c - runs a stream of batches and compares it with the reference. */
#include "tests/support/engine/stream.h"

#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "tests/support/engine/test_engines.h"

struct ring ring_make(enum fft_iq_format format, uint64_t samples)
{
    const size_t bytes = (size_t)samples * fft_iq_bytes(format);
    struct ring ring = {malloc(2 * bytes), samples};
    void *noise = test_noise(format, samples, samples);
    memcpy(ring.memory, noise, bytes);
    memcpy(ring.memory + bytes, noise, bytes);
    free(noise);
    return ring;
}

static uint32_t batch_frames(const struct batch_stream *s, uint32_t batch)
{
    return s->frames - (batch % 5 == 4);
}

uint64_t stream_frames(const struct batch_stream *s)
{
    uint64_t frames = 0;
    for (uint32_t i = 0; i < STREAM_BATCHES; i++)
        frames += batch_frames(s, i);
    return frames;
}

uint64_t stream_samples(const struct batch_stream *s)
{
    return (stream_frames(s) - 1) * s->hop + STREAM_N;
}

const void *stream_span(const struct batch_stream *s, uint64_t position)
{
    return s->ring->memory + position % s->ring->samples * fft_iq_bytes(s->format);
}

struct fft_spectrum_config stream_plan(const struct batch_stream *s, const float *window)
{
    return (struct fft_spectrum_config){
        .n = STREAM_N,
        .hop = s->hop,
        .max_frames = s->frames,
        .depth = s->depth,
        .format = s->format,
        .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE,
        .window = window,
        .memory = s->pin ? s->ring->memory : NULL,
        .memory_bytes = s->pin ? (size_t)s->ring->samples * fft_iq_bytes(s->format) : 0};
}

static void all_batches(const struct batch_stream *r, struct fft_spectrum *s, struct fft_fold *fold)
{
    struct fft_partial p;
    uint64_t position = 0, expected = 0;
    for (uint32_t in = 0, out = 0; out < STREAM_BATCHES;) {
        const uint32_t frames = batch_frames(r, in);
        if (in < STREAM_BATCHES &&
            fft_spectrum_submit(s, stream_span(r, position), position, frames, 0) == 0) {
            position += (uint64_t)frames * r->hop;
            in++;
            continue;
        }
        assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
        assert_int_equal(p.position, expected);
        expected += (uint64_t)batch_frames(r, out++) * r->hop;
        fft_fold_add(fold, &p);
        fft_spectrum_release(s);
    }
}

struct fft_fold *stream_run(const struct batch_stream *s, struct fft_engine *e,
                            void (*ready)(void *user), void *user)
{
    float *window = test_window(FFT_WINDOW_HANN, STREAM_N);
    const struct fft_spectrum_config plan = stream_plan(s, window);
    struct fft_spectrum *spectrum;
    struct fft_fold *fold;
    char why[200];

    if (fft_spectrum_create(&spectrum, e, &plan, why, sizeof why) < 0)
        fail_msg("%s", why);
    assert_int_equal(fft_fold_create(&fold, &plan), 0);
    if (ready)
        ready(user);
    all_batches(s, spectrum, fold);
    fft_spectrum_destroy(spectrum);
    free(window);
    return fold;
}

void stream_expect_reference(const struct batch_stream *s, const struct fft_fold *fold)
{
    static const unsigned detectors[] = {FFT_DETECTOR_MEAN, FFT_DETECTOR_MAX, FFT_DETECTOR_MIN,
                                         FFT_DETECTOR_SAMPLE};
    const uint64_t samples = stream_samples(s);
    const size_t bytes = fft_iq_bytes(s->format);
    float *window = test_window(FFT_WINDOW_HANN, STREAM_N), got[STREAM_N];
    const struct fft_spectrum_config plan = stream_plan(s, window);
    unsigned char *raw = malloc((size_t)samples * bytes);
    struct reference want;

    for (uint64_t i = 0; i < samples; i++)
        memcpy(raw + i * bytes, stream_span(s, i), bytes);
    assert_int_equal(fft_fold_frames(fold), stream_frames(s));
    reference_spectrum(&want, &plan, raw, (uint32_t)stream_frames(s));
    const double *const wanted[] = {want.mean, want.max, want.min, want.last};
    for (int t = 0; t < FFT_DETECTORS; t++) {
        fft_fold_detector(fold, detectors[t], got);
        for (uint32_t k = 0; k < STREAM_N; k++)
            assert_near(got[k], wanted[t][k], 1e-5 * wanted[t][k] + 1e-12);
    }
    reference_finish(&want);
    free(raw);
    free(window);
}
