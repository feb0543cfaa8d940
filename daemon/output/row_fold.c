/* row_fold.c - folds lines by the rule of their detector: mean, maximum, minimum or newest. */
#include "daemon/output/row_fold.h"

#include <errno.h>
#include <stdlib.h>

static int resize(struct row_fold *f, uint32_t n)
{
    if (f->n == n)
        return 0;
    free(f->sum);
    free(f->power);
    f->sum = calloc(n, sizeof *f->sum);
    f->power = calloc(n, sizeof *f->power);
    f->n = f->sum && f->power ? n : 0;
    return f->n ? 0 : -ENOMEM;
}

bool row_fold_fits(const struct row_fold *f, const struct line *line)
{
    const struct line *a = f->newest;
    return !a || (a->n == line->n && a->epoch == line->epoch &&
                  a->tuning.center_hz - line->tuning.center_hz == 0 &&
                  a->tuning.rate_hz - line->tuning.rate_hz == 0);
}

/* Only for detectors other than the mean. */
static float fold_power(unsigned detector_index, float old, float power)
{
    switch (1U << detector_index) {
    case FFT_DETECTOR_MAX:
        return power > old ? power : old;
    case FFT_DETECTOR_MIN:
        return power < old ? power : old;
    default:
        return power;
    }
}

static void fold_line(struct row_fold *f, const struct line *line)
{
    const float *power = line->detector[f->detector_index];
    const double frames = (double)line->frames;
    for (uint32_t k = 0; k < line->n; k++) {
        f->sum[k] = (f->lines ? f->sum[k] : 0) + (double)power[k] * frames;
        f->power[k] = f->lines ? fold_power(f->detector_index, f->power[k], power[k]) : power[k];
    }
}

int row_fold_add(struct row_fold *f, struct line *line)
{
    const int err = resize(f, line->n);
    if (err < 0) {
        line_unref(f->ring, line);
        return err;
    }
    if (f->lines == 0) {
        f->first_sample = line->first_sample;
        f->time_ns = line->time_ns;
        f->frames = 0;
    }
    fold_line(f, line);
    f->frames += line->frames;
    f->end_sample = line->first_sample + line->sample_count;
    f->lines++;
    line_unref(f->ring, f->newest);
    f->newest = line;
    return 0;
}

/* A single line is used as it is, so that its values are exact. */
static const float *result_power(struct row_fold *f)
{
    if (f->lines == 1)
        return f->newest->detector[f->detector_index];
    for (uint32_t k = 0; 1U << f->detector_index == FFT_DETECTOR_MEAN && k < f->n; k++)
        f->power[k] = (float)(f->sum[k] / (double)f->frames);
    return f->power;
}

struct row row_fold_result(struct row_fold *f)
{
    return (struct row){.line = f->newest,
                        .power = result_power(f),
                        .detector_index = f->detector_index,
                        .first_sample = f->first_sample,
                        .sample_count = f->end_sample - f->first_sample,
                        .frames = f->frames,
                        .time_ns = f->time_ns,
                        .merged = f->lines};
}

void row_fold_clear(struct row_fold *f)
{
    line_unref(f->ring, f->newest);
    f->newest = NULL;
    f->lines = 0;
}

void row_fold_finish(struct row_fold *f)
{
    row_fold_clear(f);
    free(f->sum);
    free(f->power);
    *f = (struct row_fold){0};
}
