/* density_sum.c - adds up densities, and finds percentiles in them. */
#include "daemon/line/density_sum.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/stream/settings.h"

static bool continues(const struct density *d, const struct line *line)
{
    return d->frames > 0 && d->n == line->n && d->epoch == line->epoch &&
           density_equal(&d->shape, &line->density) && tuning_equal(&d->tuning, &line->tuning);
}

static int restart(struct density *d, const struct line *line)
{
    if (!d->hits || density_cells(&d->shape) != density_cells(&line->density)) {
        free(d->hits);
        d->hits = malloc(density_cells(&line->density) * sizeof *d->hits);
        d->frames = 0;
        if (!d->hits)
            return -ENOMEM;
    }
    d->shape = line->density;
    d->n = line->n;
    d->epoch = line->epoch;
    d->tuning = line->tuning;
    d->rate_assumed = line->rate_assumed;
    d->simulated = line->simulated;
    density_clear(d);
    return 0;
}

/* What remains of the counts when a line is added. */
static double remaining_share(const struct density *d, const struct line *line)
{
    if (isinf(d->persistence_s))
        return 1;
    const double seconds = (double)line->sample_count / line->tuning.rate_hz;
    return d->persistence_s > 0 ? exp(-seconds / d->persistence_s) : 0;
}

int density_add(struct density *d, const struct line *line)
{
    if (!line->hits)
        return 0;
    const int err = continues(d, line) ? 0 : restart(d, line);
    if (err < 0)
        return err;
    const double share = remaining_share(d, line);
    const size_t cells = density_cells(&d->shape);
    if (d->lines == 0 || share <= 0) {
        d->first_sample = line->first_sample;
        d->time_ns = line->time_ns;
    }
    for (size_t i = 0; i < cells; i++)
        d->hits[i] = d->hits[i] * share + line->hits[i];
    d->frames = d->frames * share + (double)line->frames;
    d->end_sample = line->first_sample + line->sample_count;
    d->line = line->number;
    d->lines++;
    return 0;
}

void density_clear(struct density *d)
{
    d->frames = 0;
    d->lines = 0;
    if (d->hits)
        memset(d->hits, 0, density_cells(&d->shape) * sizeof *d->hits);
}

int density_copy(struct density *into, const struct density *from)
{
    const size_t cells = density_cells(&from->shape);
    *into = *from;
    into->hits = malloc(cells * sizeof *into->hits);
    if (!into->hits)
        return -ENOMEM;
    memcpy(into->hits, from->hits, cells * sizeof *into->hits);
    return 0;
}

int density_coarsen(struct density *into, const struct density *from, double step_db)
{
    const uint32_t levels = from->shape.levels;
    const double steps = ceil(step_db / from->shape.step_db - 1e-6);
    const uint32_t most = levels / 2, factor = steps <= 1     ? 1
                                               : steps < most ? (uint32_t)steps
                                                              : most;
    if (factor <= 1)
        return density_copy(into, from);
    *into = *from;
    into->shape.levels = (levels + factor - 1) / factor;
    into->shape.step_db *= (float)factor;
    into->hits = calloc(density_cells(&into->shape), sizeof *into->hits);
    if (!into->hits)
        return -ENOMEM;
    for (size_t c = 0; c < from->shape.columns; c++)
        for (uint32_t r = 0; r < levels; r++)
            into->hits[c * into->shape.levels + r / factor] += from->hits[c * levels + r];
    return 0;
}

void density_finish(struct density *d)
{
    free(d->hits);
    *d = (struct density){0};
}

/* The smallest k with floor(k * columns / n) = column. */
uint32_t density_first_bin(const struct density *d, uint32_t column)
{
    return (uint32_t)(((uint64_t)column * d->n + d->shape.columns - 1) / d->shape.columns);
}

double density_percentile_db(const struct density *d, uint32_t column, double percent)
{
    const double *hits = d->hits + (size_t)column * d->shape.levels;
    const double wanted = d->frames * percent / 100, step = (double)d->shape.step_db;
    double below = 0; /* hits of the rows so far, from the lowest level up */
    uint32_t row = d->shape.levels;
    while (row > 0 && below + hits[row - 1] < wanted)
        below += hits[--row];
    if (row == 0)
        return (double)d->shape.top_db;
    const double part = hits[row - 1] > 0 ? (wanted - below) / hits[row - 1] : 0;
    return (double)d->shape.top_db - row * step + part * step;
}

void density_percentiles(const struct density *d, double percent, float *power)
{
    for (uint32_t c = 0; c < d->shape.columns; c++) {
        const float level = (float)pow(10, density_percentile_db(d, c, percent) / 10);
        const uint32_t end = density_first_bin(d, c + 1);
        for (uint32_t k = density_first_bin(d, c); k < end; k++)
            power[k] = level;
    }
}
