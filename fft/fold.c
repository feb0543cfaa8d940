/* fold.c - folds partials into lines: sums in double precision, everything else exactly. */
#include "fft/fft.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fft_fold {
    uint32_t n;
    size_t cells; /* of the density: columns * levels */
    uint64_t frames;
    double *sum;             /* [n]; this and the next three NULL where not planned */
    float *max, *min, *last; /* [n] */
    uint64_t *hits;          /* [cells] */
};

static bool take(void *pointer_to_array, bool wanted, size_t count, size_t size)
{
    void **array = pointer_to_array;
    if (wanted)
        *array = calloc(count, size);
    return !wanted || *array;
}

int fft_fold_create(struct fft_fold **out, const struct fft_spectrum_plan *plan)
{
    struct fft_fold *f = calloc(1, sizeof *f);
    *out = f;
    if (!f)
        return -ENOMEM;
    f->n = plan->n;
    f->cells = (size_t)plan->density.columns * plan->density.levels;

    const bool whole =
        take(&f->sum, plan->detectors & FFT_DETECTOR_MEAN, f->n, sizeof *f->sum) &&
        take(&f->max, plan->detectors & FFT_DETECTOR_MAX, f->n, sizeof *f->max) &&
        take(&f->min, plan->detectors & FFT_DETECTOR_MIN, f->n, sizeof *f->min) &&
        take(&f->last, plan->detectors & FFT_DETECTOR_SAMPLE, f->n, sizeof *f->last) &&
        take(&f->hits, f->cells > 0, f->cells, sizeof *f->hits);
    if (whole)
        return 0;
    fft_fold_destroy(f);
    *out = NULL;
    return -ENOMEM;
}

void fft_fold_destroy(struct fft_fold *f)
{
    if (!f)
        return;
    free(f->sum);
    free(f->max);
    free(f->min);
    free(f->last);
    free(f->hits);
    free(f);
}

void fft_fold_reset(struct fft_fold *f)
{
    f->frames = 0;
}

/* The first partial of a line replaces what the line before it left. */
static void restart(struct fft_fold *f, const struct fft_partial *p)
{
    const size_t bytes = f->n * sizeof(float);
    if (f->sum)
        memset(f->sum, 0, f->n * sizeof *f->sum);
    if (f->max)
        memcpy(f->max, p->max, bytes);
    if (f->min)
        memcpy(f->min, p->min, bytes);
    if (f->hits)
        memset(f->hits, 0, f->cells * sizeof *f->hits);
}

void fft_fold_add(struct fft_fold *f, const struct fft_partial *p)
{
    if (f->frames == 0)
        restart(f, p);
    f->frames += p->frames;

    for (uint32_t k = 0; f->sum && k < f->n; k++)
        f->sum[k] += (double)p->sum[k];
    for (uint32_t k = 0; f->max && k < f->n; k++)
        f->max[k] = p->max[k] > f->max[k] ? p->max[k] : f->max[k];
    for (uint32_t k = 0; f->min && k < f->n; k++)
        f->min[k] = p->min[k] < f->min[k] ? p->min[k] : f->min[k];
    if (f->last)
        memcpy(f->last, p->last, f->n * sizeof *f->last);
    for (size_t c = 0; f->hits && c < f->cells; c++)
        f->hits[c] += p->hits[c];
}

uint64_t fft_fold_frames(const struct fft_fold *f)
{
    return f->frames;
}

void fft_fold_detector(const struct fft_fold *f, unsigned detector, float *out)
{
    assert(f->frames > 0);
    if (detector == FFT_DETECTOR_MEAN) {
        const double scale = 1.0 / (double)f->frames;
        for (uint32_t k = 0; k < f->n; k++)
            out[k] = (float)(f->sum[k] * scale);
        return;
    }
    const float *from = detector == FFT_DETECTOR_MAX   ? f->max
                        : detector == FFT_DETECTOR_MIN ? f->min
                                                       : f->last;
    assert(from);
    memcpy(out, from, f->n * sizeof *out);
}

const uint64_t *fft_fold_hits(const struct fft_fold *f)
{
    return f->hits;
}
