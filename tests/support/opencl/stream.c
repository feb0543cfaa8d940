/* stream.c - runs batches through the opencl engine on the mock driver. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>

#include "reference/reference.h"
#include "tests/support/engine/test_engines.h"
#include "tests/support/opencl/stream.h"

static uint32_t frames_of(uint32_t batch)
{
    return STREAM_FRAMES - (batch % 5 == 4 ? 3 : 0);
}

uint32_t stream_frames_before(uint32_t batch)
{
    uint32_t frames = 0;
    for (uint32_t i = 0; i < batch; i++)
        frames += frames_of(i);
    return frames;
}

struct fft_spectrum_plan stream_plan(const struct stream *r, const float *window)
{
    return (struct fft_spectrum_plan){.n = STREAM_N,
                                      .hop = r->hop,
                                      .max_frames = STREAM_FRAMES,
                                      .depth = r->depth,
                                      .format = r->format,
                                      .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX |
                                                   FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE,
                                      .window = window,
                                      .memory = r->ring,
                                      .memory_bytes = r->ring ? STREAM_RING : 0};
}

static void all_batches(const struct stream *r, struct fft_spectrum *s, const char *raw,
                        struct fft_fold *fold)
{
    const size_t bytes = fft_iq_bytes(r->format);
    struct fft_partial p;
    for (uint32_t in = 0, out = 0; out < STREAM_BATCHES;) {
        const uint64_t position = (uint64_t)stream_frames_before(in) * r->hop;
        const char *span =
            r->ring ? r->ring + position * bytes % STREAM_RING : raw + position * bytes;
        if (in < STREAM_BATCHES && fft_spectrum_submit(s, span, position, frames_of(in)) == 0) {
            in++;
            continue;
        }
        assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
        assert_int_equal(p.position, (uint64_t)stream_frames_before(out++) * r->hop);
        fft_fold_add(fold, &p);
        fft_spectrum_release(s);
    }
}

struct fft_fold *stream_run(const struct stream *r, struct mock_opencl *mock, const char *raw)
{
    float *window = test_window(FFT_WINDOW_HANN, STREAM_N);
    const struct fft_spectrum_plan plan = stream_plan(r, window);
    mock->unified = r->unified;
    struct fft_engine *e = machine_engine("opencl", NULL);
    struct fft_spectrum *s;
    struct fft_fold *fold;
    char why[200];

    mock->order = r->order;
    if (fft_spectrum_create(&s, e, &plan, why, sizeof why) < 0)
        fail_msg("%s", why);
    assert_int_equal(fft_fold_create(&fold, &plan), 0);
    mock->counts = (struct mock_counts){0};
    all_batches(r, s, raw, fold);
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    free(window);
    return fold;
}

void stream_check(const struct stream *r, const struct fft_fold *fold, const char *raw)
{
    static const unsigned detectors[] = {FFT_DETECTOR_MEAN, FFT_DETECTOR_MAX, FFT_DETECTOR_MIN,
                                         FFT_DETECTOR_SAMPLE};
    float *window = test_window(FFT_WINDOW_HANN, STREAM_N), got[STREAM_N];
    const struct fft_spectrum_plan plan = stream_plan(r, window);
    struct reference want;
    reference_spectrum(&want, &plan, raw, stream_frames_before(STREAM_BATCHES));
    const double *const wanted[] = {want.mean, want.max, want.min, want.last};
    assert_int_equal(fft_fold_frames(fold), stream_frames_before(STREAM_BATCHES));
    for (int t = 0; t < FFT_DETECTORS; t++) {
        fft_fold_detector(fold, detectors[t], got);
        for (uint32_t k = 0; k < STREAM_N; k++)
            assert_near(got[k], wanted[t][k], 1e-5 * wanted[t][k] + 1e-12);
    }
    reference_finish(&want);
    free(window);
}
