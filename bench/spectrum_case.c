/* spectrum_case.c - makes the samples, the window and the expected spectrum of a case. */
#include "bench/spectrum_case.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "fft/window.h"
#include "reference/reference.h"

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

static void fill(enum fft_iq_format format, void *raw, size_t samples)
{
    uint32_t state = 1;
    if (format == FFT_IQ_CF32)
        for (size_t i = 0; i < 2 * samples; i++)
            ((float *)raw)[i] = (float)next(&state) / 8388608.0F - 1;
    else
        for (size_t i = 0; i < samples * fft_iq_bytes(format); i++)
            ((uint8_t *)raw)[i] = (uint8_t)(next(&state) >> 8);
}

int spectrum_case_init(struct spectrum_case *test_case, const struct fft_spectrum_config *shape,
                       uint64_t samples)
{
    const uint32_t n = shape->n;
    const uint64_t frames = samples / n ? samples / n : 1;
    const size_t span = (size_t)(frames - 1) * shape->hop + n;

    test_case->plan = *shape;
    test_case->plan.max_frames = (uint32_t)frames;
    const size_t bytes = (span * fft_iq_bytes(shape->format) + 4095) / 4096 * 4096;
    test_case->raw = aligned_alloc(4096, bytes);
    test_case->plan.memory = test_case->raw; /* a device reads it as it reads the ring of fftd */
    test_case->plan.memory_bytes = bytes;
    test_case->plan.window = test_case->window = malloc(n * sizeof *test_case->window);
    test_case->truth = malloc(n * sizeof *test_case->truth);
    if (!test_case->raw || !test_case->window || !test_case->truth)
        return -ENOMEM;

    const struct fft_window window = {.kind = FFT_WINDOW_BLACKMAN_HARRIS};
    fft_window_fill(&window, test_case->window, n, 1.0, NULL);
    fill(shape->format, test_case->raw, span);
    reference_power(&test_case->plan, test_case->raw, 0, test_case->truth);
    return 0;
}

void spectrum_case_finish(struct spectrum_case *test_case)
{
    free(test_case->raw);
    free(test_case->window);
    free(test_case->truth);
    *test_case = (struct spectrum_case){0};
}

double spectrum_case_error(const struct spectrum_case *test_case, const float *got)
{
    double off = 0, all = 0;
    for (uint32_t k = 0; k < test_case->plan.n; k++) {
        const double difference = (double)got[k] - test_case->truth[k];
        off += difference * difference;
        all += test_case->truth[k] * test_case->truth[k];
    }
    return sqrt(off / all);
}
