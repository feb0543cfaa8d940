/*
 * view_fold.c - folds several lines into one picture.
 *
 * A column shows the largest of its folded bins. For the maximum and the newest sample this equals
 * the fold of the lines' columns. For the mean and the minimum it does not: the peaks of noise are
 * in different bins in every line, and the mean of column peaks is above the peak of bin means.
 * So for these two detectors the bins are kept from the second line on. With another reduction than
 * peak they are kept for the maximum too.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/client/view.h"

/* ---- bins ------------------------------------------------------------------------------- */

bool picture_needs_bins(const struct picture *p)
{
    const unsigned detector = 1U << p->header.detector;
    const bool differs = detector == FFT_DETECTOR_MEAN || detector == FFT_DETECTOR_MIN ||
                         (detector == FFT_DETECTOR_MAX && p->reduction != REDUCTION_PEAK);
    return differs && !p->is_trace && !p->bins && p->grid.bins > p->grid.columns;
}

static const float *bins_of(const struct picture *p, const struct line *line)
{
    return line->detector[p->header.detector] + p->grid.first;
}

int picture_keep_bins(struct picture *p, const struct line *line)
{
    const size_t bytes = p->grid.bins * sizeof *p->bins;
    p->bins = malloc(bytes);
    if (!p->bins)
        return -ENOMEM;
    memcpy(p->bins, bins_of(p, line), bytes);
    return 0;
}

/* Weight of `next` in the mean of both. */
static float weight_of(const struct picture *p, const struct picture *next)
{
    const double total = (double)p->header.frames + (double)next->header.frames;
    return total > 0 ? (float)((double)next->header.frames / total) : 1;
}

static void fold_bins(struct picture *p, const struct picture *next, const struct line *line)
{
    const float *fresh = bins_of(p, line);
    const float weight = weight_of(p, next);
    const unsigned detector = 1U << p->header.detector;
    float *bins = p->bins;
    if (detector == FFT_DETECTOR_MEAN)
        for (uint32_t k = 0; k < p->grid.bins; k++)
            bins[k] += (fresh[k] - bins[k]) * weight;
    else if (detector == FFT_DETECTOR_MAX)
        for (uint32_t k = 0; k < p->grid.bins; k++)
            bins[k] = fmaxf(bins[k], fresh[k]);
    else
        for (uint32_t k = 0; k < p->grid.bins; k++)
            bins[k] = fminf(bins[k], fresh[k]);
}

void picture_update_columns(struct picture *p)
{
    struct wire_header *h = &p->header;
    if (!p->bins)
        return;
    uint32_t peak = 0;
    view_reduce(p->reduction, &p->grid, p->bins, p->power);
    for (uint32_t k = 1; k < p->grid.bins; k++)
        peak = p->bins[k] > p->bins[peak] ? k : peak;
    h->peak_db = (float)level_dbfs(p->bins[peak]);
    h->peak_hz = h->center_hz + ((double)p->grid.first + peak - h->n / 2.0) * h->rate_hz / h->n;
}

/* ---- columns, one function for each detector ------------------------------------------------ */

static void fold_mean(struct picture *p, const struct picture *next)
{
    const float weight = weight_of(p, next);
    for (uint32_t i = 0; i < p->header.columns; i++)
        p->power[i] += (next->power[i] - p->power[i]) * weight;
}

static void fold_max(struct picture *p, const struct picture *next)
{
    for (uint32_t i = 0; i < p->header.columns; i++)
        p->power[i] = fmaxf(p->power[i], next->power[i]);
}

static void fold_min(struct picture *p, const struct picture *next)
{
    for (uint32_t i = 0; i < p->header.columns; i++)
        p->power[i] = fminf(p->power[i], next->power[i]);
}

static void fold_newest(struct picture *p, const struct picture *next)
{
    memcpy(p->power, next->power, p->header.columns * sizeof *p->power);
}

static void (*const fold_detector_of[FFT_DETECTORS])(struct picture *, const struct picture *) = {
    fold_mean, fold_max, fold_min, fold_newest};

/*
 * The peak of a maximum keeps the frequency of the line that it comes from. For the other detectors
 * it is in the largest column of the fold, at the newest line's largest bin.
 */
static void fold_peak(struct picture *p, const struct picture *next, const struct line *line)
{
    struct wire_header *h = &p->header;
    if (1U << h->detector == FFT_DETECTOR_MAX) {
        if (next->header.peak_db > h->peak_db) {
            h->peak_db = next->header.peak_db;
            h->peak_hz = next->header.peak_hz;
        }
        return;
    }
    if (p->reduction != REDUCTION_PEAK) {
        h->peak_db = next->header.peak_db;
        h->peak_hz = next->header.peak_hz;
        return;
    }
    const uint32_t column = picture_largest_column(p);
    h->peak_db = (float)level_dbfs(p->power[column]);
    h->peak_hz = line_low_hz(line) +
                 view_column_peak(&p->grid, line, h->detector, column) * line_bin_hz(line);
}

void picture_fold(struct picture *p, const struct picture *next, const struct line *line)
{
    struct wire_header *h = &p->header;
    const struct wire_header *newest = &next->header;
    if (p->bins) {
        fold_bins(p, next, line);
    } else if (p->is_trace) {
        fold_newest(p, next);
        h->peak_db = newest->peak_db;
        h->peak_hz = newest->peak_hz;
    } else {
        fold_detector_of[h->detector](p, next);
        fold_peak(p, next, line);
    }
    h->flags |= newest->flags;
    h->line = newest->line;
    h->merged += newest->merged;
    h->samples = newest->first_sample + newest->samples - h->first_sample;
    h->frames += newest->frames;
    h->line_rate_hz = newest->line_rate_hz;
    h->ledger = newest->ledger;
    memcpy(h->engine, newest->engine, sizeof h->engine);
}
