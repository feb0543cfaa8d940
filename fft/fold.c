/* fold.c - folds partials into lines: sums in double precision, everything else exactly. */
#include "fft/engine.h"

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
    bool borrows;            /* sum, max, min and last are those of `borrowed` */
    struct fft_partial borrowed;
};

static bool take(void *pointer_to_array, bool wanted, size_t count, size_t size)
{
    void **array = pointer_to_array;
    if (wanted)
        *array = calloc(count, size);
    return !wanted || *array;
}

int fft_fold_create(struct fft_fold **out, const struct fft_spectrum_config *config)
{
    struct fft_fold *f = calloc(1, sizeof *f);
    *out = f;
    if (!f)
        return -ENOMEM;
    f->n = config->n;
    f->cells = (size_t)config->density.columns * config->density.levels;

    const bool whole =
        take(&f->sum, config->detectors & FFT_DETECTOR_MEAN, f->n, sizeof *f->sum) &&
        take(&f->max, config->detectors & FFT_DETECTOR_MAX, f->n, sizeof *f->max) &&
        take(&f->min, config->detectors & FFT_DETECTOR_MIN, f->n, sizeof *f->min) &&
        take(&f->last, config->detectors & FFT_DETECTOR_SAMPLE, f->n, sizeof *f->last) &&
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
    f->borrows = false;
}

/* The partial with its arrays in the order of the bins. */
static struct fft_partial in_bins(const struct fft_partial *p)
{
    struct fft_partial bins = *p;
    if (p->order)
        p->order->complete(p->order, &bins);
    return bins;
}

static void copy_hits(struct fft_fold *f, const struct fft_partial *p)
{
    for (size_t c = 0; f->hits && c < f->cells; c++)
        f->hits[c] = p->hits[c];
}

/* The first partial of a line replaces what the line before it left. */
static void replace(struct fft_fold *f, const struct fft_partial *p)
{
    const size_t bytes = f->n * sizeof(float);
    for (uint32_t k = 0; f->sum && k < f->n; k++)
        f->sum[k] = (double)p->sum[k];
    if (f->max)
        memcpy(f->max, p->max, bytes);
    if (f->min)
        memcpy(f->min, p->min, bytes);
}

static void combine(struct fft_fold *f, const struct fft_partial *p)
{
    for (uint32_t k = 0; f->sum && k < f->n; k++)
        f->sum[k] += (double)p->sum[k];
    for (uint32_t k = 0; f->max && k < f->n; k++)
        f->max[k] = p->max[k] > f->max[k] ? p->max[k] : f->max[k];
    for (uint32_t k = 0; f->min && k < f->n; k++)
        f->min[k] = p->min[k] < f->min[k] ? p->min[k] : f->min[k];
    for (size_t c = 0; f->hits && c < f->cells; c++)
        f->hits[c] += p->hits[c];
}

static void copy_last(struct fft_fold *f, const struct fft_partial *p)
{
    if (f->last)
        memcpy(f->last, p->last, f->n * sizeof *f->last);
}

void fft_fold_add(struct fft_fold *f, const struct fft_partial *p)
{
    const struct fft_partial bins = in_bins(p);
    fft_fold_keep(f);
    if (f->frames == 0) {
        replace(f, &bins);
        copy_hits(f, p);
    } else {
        combine(f, &bins);
    }
    f->frames += p->frames;
    copy_last(f, &bins);
}

void fft_fold_borrow(struct fft_fold *f, const struct fft_partial *p)
{
    assert(f->frames == 0);
    f->borrows = true;
    f->borrowed = *p;
    f->frames = p->frames;
    copy_hits(f, p);
}

void fft_fold_keep(struct fft_fold *f)
{
    if (!f->borrows)
        return;
    f->borrows = false;
    const struct fft_partial bins = in_bins(&f->borrowed);
    replace(f, &bins);
    copy_last(f, &bins);
}

uint64_t fft_fold_frames(const struct fft_fold *f)
{
    return f->frames;
}

static void divide_sum(const struct fft_fold *f, float *restrict out)
{
    const double scale = 1.0 / (double)f->frames;
    const float *borrowed = f->borrows ? f->borrowed.sum : NULL;
    const struct fft_bin_order *order = f->borrows ? f->borrowed.order : NULL;
    if (order) {
        order->to_bins(order, borrowed, scale, out);
    } else if (borrowed) {
        for (uint32_t k = 0; k < f->n; k++)
            out[k] = (float)((double)borrowed[k] * scale);
    } else {
        for (uint32_t k = 0; k < f->n; k++)
            out[k] = (float)(f->sum[k] * scale);
    }
}

void fft_fold_detector(const struct fft_fold *f, unsigned detector, float *out)
{
    const struct fft_partial *p = &f->borrowed;
    assert(f->frames > 0);
    if (detector == FFT_DETECTOR_MEAN) {
        divide_sum(f, out);
        return;
    }
    const float *from = detector == FFT_DETECTOR_MAX   ? (f->borrows ? p->max : f->max)
                        : detector == FFT_DETECTOR_MIN ? (f->borrows ? p->min : f->min)
                                                       : (f->borrows ? p->last : f->last);
    assert(from);
    if (f->borrows && p->order)
        p->order->to_bins(p->order, from, 1, out);
    else
        memcpy(out, from, f->n * sizeof *out);
}

const uint64_t *fft_fold_hits(const struct fft_fold *f)
{
    return f->hits;
}
