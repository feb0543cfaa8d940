/* qpu_power.c - folds powers into sum, max, min, last frame and density. */
#include "fft/qpu/qpu_power.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool alloc_if(float **array, bool wanted, size_t count)
{
    if (wanted)
        *array = calloc(count, sizeof **array);
    return !wanted || *array;
}

int qpu_detectors_init(struct qpu_detectors *t, const struct fft_spectrum_config *plan)
{
    const size_t cells = (size_t)plan->density.columns * plan->density.levels;
    if (cells)
        t->hits = calloc(cells, sizeof *t->hits);
    const bool complete = alloc_if(&t->sum, plan->detectors & FFT_DETECTOR_MEAN, plan->n) &&
                          alloc_if(&t->max, plan->detectors & FFT_DETECTOR_MAX, plan->n) &&
                          alloc_if(&t->min, plan->detectors & FFT_DETECTOR_MIN, plan->n) &&
                          alloc_if(&t->last, plan->detectors & FFT_DETECTOR_SAMPLE, plan->n);
    return complete && (!cells || t->hits) ? 0 : -ENOMEM;
}

void qpu_detectors_finish(struct qpu_detectors *t)
{
    free(t->sum);
    free(t->max);
    free(t->min);
    free(t->last);
    free(t->hits);
}

int qpu_power_init(struct qpu_power *p, const struct fft_spectrum_config *plan)
{
    *p = (struct qpu_power){.plan = plan, .frame = calloc(plan->n, sizeof *p->frame)};
    if (plan->detectors & FFT_DETECTOR_MEAN)
        p->sum = calloc(plan->n, sizeof *p->sum);
    return p->frame && (p->sum || !(plan->detectors & FFT_DETECTOR_MEAN)) ? 0 : -ENOMEM;
}

void qpu_power_finish(struct qpu_power *p)
{
    free(p->sum);
    free(p->frame);
}

/* Bin 0 of a partial is the lowest frequency, which is transform bin n/2. */
void qpu_power_put(struct qpu_power *p, uint32_t at, const float *powers, uint32_t count)
{
    const uint32_t n = p->plan->n;
    for (uint32_t k = 0; k < count; k++)
        p->frame[(at + k + n / 2) & (n - 1)] = powers[k];
}

static void start_batch(struct qpu_power *p, struct qpu_detectors *into)
{
    const uint32_t n = p->plan->n;
    if (p->sum)
        memset(p->sum, 0, n * sizeof *p->sum);
    if (into->max)
        memcpy(into->max, p->frame, n * sizeof *into->max);
    if (into->min)
        memcpy(into->min, p->frame, n * sizeof *into->min);
    if (into->hits)
        memset(into->hits, 0,
               (size_t)p->plan->density.columns * p->plan->density.levels * sizeof *into->hits);
}

static uint32_t level_of(const struct fft_density *d, float power)
{
    const float row = (d->top_db - 10 * log10f(power)) / d->step_db;
    if (!(row > 0)) /* also if the power is NaN */
        return 0;
    return row < (float)d->levels ? (uint32_t)row : d->levels - 1;
}

/* Column c starts at bin ceil(c n / columns). */
static void count_hits(const struct fft_density *d, const float *power, uint32_t n, uint32_t *hits)
{
    uint32_t k = 0;
    for (uint64_t c = 0; c < d->columns; c++, hits += d->levels) {
        const uint32_t end = (uint32_t)(((c + 1) * n + d->columns - 1) / d->columns);
        float peak = 0;
        for (; k < end; k++)
            peak = power[k] > peak ? power[k] : peak;
        hits[level_of(d, peak)]++;
    }
}

void qpu_power_add(struct qpu_power *p, struct qpu_detectors *into)
{
    const uint32_t n = p->plan->n;
    if (p->frames++ == 0)
        start_batch(p, into);
    for (uint32_t k = 0; p->sum && k < n; k++)
        p->sum[k] += (double)p->frame[k];
    for (uint32_t k = 0; into->max && k < n; k++)
        into->max[k] = p->frame[k] > into->max[k] ? p->frame[k] : into->max[k];
    for (uint32_t k = 0; into->min && k < n; k++)
        into->min[k] = p->frame[k] < into->min[k] ? p->frame[k] : into->min[k];
    if (into->last)
        memcpy(into->last, p->frame, n * sizeof *into->last);
    if (into->hits)
        count_hits(&p->plan->density, p->frame, n, into->hits);
}

void qpu_power_end(struct qpu_power *p, struct qpu_detectors *into)
{
    for (uint32_t k = 0; into->sum && k < p->plan->n; k++)
        into->sum[k] = (float)p->sum[k];
    p->frames = 0;
}
