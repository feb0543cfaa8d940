/* spectrum_case.c - samples, window and truth of one case. */
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

int spectrum_job_init(struct spectrum_job *job, const struct fft_spectrum_plan *shape,
                      uint64_t samples)
{
    const uint32_t n = shape->n;
    const uint64_t frames = samples / n ? samples / n : 1;
    const size_t span = (size_t)(frames - 1) * shape->hop + n;

    job->plan = *shape;
    job->plan.max_frames = (uint32_t)frames;
    job->raw = aligned_alloc(4096, (span * fft_iq_bytes(shape->format) + 4095) / 4096 * 4096);
    job->plan.window = job->window = malloc(n * sizeof *job->window);
    job->truth = malloc(n * sizeof *job->truth);
    if (!job->raw || !job->window || !job->truth)
        return -ENOMEM;

    const struct fft_window window = {.kind = FFT_WINDOW_BLACKMAN_HARRIS};
    fft_window_fill(&window, job->window, n, 1.0, NULL);
    fill(shape->format, job->raw, span);
    reference_power(&job->plan, job->raw, 0, job->truth);
    return 0;
}

void spectrum_job_finish(struct spectrum_job *job)
{
    free(job->raw);
    free(job->window);
    free(job->truth);
    *job = (struct spectrum_job){0};
}

double spectrum_job_error(const struct spectrum_job *job, const float *got)
{
    double off = 0, all = 0;
    for (uint32_t k = 0; k < job->plan.n; k++) {
        const double difference = (double)got[k] - job->truth[k];
        off += difference * difference;
        all += job->truth[k] * job->truth[k];
    }
    return sqrt(off / all);
}
