/* cpu_accumulator.c - sums, extremes and hits of a batch's frames, and their merging. */
#include "fft/cpu/spectrum/cpu_accumulator.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * With one bin a column the levels of a frame are counted in kernel order. The kernel shows that
 * order by moving the indices of powers to bins; a float represents each of them exactly.
 */
static int order_columns(struct cpu_plan *plan)
{
    const uint32_t n = plan->plan->n;
    uint32_t *column_of = plan->map.column_of = calloc(n, sizeof *column_of);
    struct cpu_arena memory = {0};
    float *indices = cpu_arena_take(&memory, n * sizeof *indices);
    float *bins = cpu_arena_take(&memory, n * sizeof *bins);
    const int err = column_of && indices && bins ? 0 : -ENOMEM;

    for (uint32_t i = 0; err == 0 && i < n; i++)
        indices[i] = (float)i;
    if (err == 0)
        plan->kernel.ops->to_bins(&plan->kernel, indices, bins, 1, (struct portion){0, 1});
    for (uint32_t k = 0; err == 0 && k < n; k++)
        column_of[(uint32_t)bins[k]] = k;
    cpu_arena_free(&memory);
    return err;
}

int cpu_plan_init(struct cpu_plan *plan, const struct cpu_isa *isa,
                  const struct fft_spectrum_config *spectrum)
{
    *plan = (struct cpu_plan){.plan = spectrum, .isa = isa};
    int err = cpu_kernel_init(&plan->kernel, isa->kernels, spectrum->n, spectrum->format);
    if (err == 0)
        err = cpu_kernel_set_window(&plan->kernel, spectrum->window);
    if (err == 0 && spectrum->density.columns) {
        err = cpu_density_map_init(&plan->map, &spectrum->density, spectrum->n);
        plan->map.order = plan->kernel.ops->order(&plan->kernel);
    }
    return err == 0 && spectrum->density.columns == spectrum->n ? order_columns(plan) : err;
}

void cpu_plan_finish(struct cpu_plan *plan)
{
    cpu_kernel_finish(&plan->kernel);
    cpu_density_map_finish(&plan->map);
}

/* 0: the density is off. */
static size_t density_cells(const struct cpu_plan *plan)
{
    return (size_t)plan->map.columns * plan->map.levels;
}

/* cpu_arena_take where wanted; false: out of memory. */
static bool take(struct cpu_arena *memory, void *pointer_to_array, bool wanted, size_t bytes)
{
    void **array = pointer_to_array;
    if (wanted)
        *array = cpu_arena_take(memory, bytes);
    return !wanted || *array;
}

int cpu_workspace_init(struct cpu_workspace *w, const struct cpu_plan *plan, size_t scratch,
                       struct cpu_arena *memory)
{
    const uint32_t n = plan->plan->n, columns = plan->map.columns;
    const size_t rows = columns ? cpu_density_scratch_bytes(&plan->map) : 0;
    const bool wide =
        (plan->plan->detectors & FFT_DETECTOR_MEAN) && plan->plan->max_frames > CPU_SUM_BLOCK;
    const bool complete = take(memory, &w->scratch, true, scratch) &&
                          take(memory, &w->wide, wide, n * sizeof *w->wide) &&
                          take(memory, &w->rows, rows, rows) &&
                          take(memory, &w->levels, columns, cpu_density_levels_bytes(&plan->map));
    return complete ? 0 : -ENOMEM;
}

int cpu_accumulator_init(struct cpu_accumulator *a, const struct cpu_plan *plan,
                         struct cpu_arena *memory)
{
    const unsigned detectors = plan->plan->detectors;
    const size_t bytes = plan->plan->n * sizeof(float), cells = density_cells(plan);
    const bool complete =
        take(memory, &a->fold.max, detectors & FFT_DETECTOR_MAX, bytes) &&
        take(memory, &a->fold.min, detectors & FFT_DETECTOR_MIN, bytes) &&
        take(memory, &a->fold.last, (detectors & FFT_DETECTOR_SAMPLE) || cells, bytes) &&
        take(memory, &a->hits, cells, (cells + CPU_DENSITY_SPARE) * sizeof *a->hits);
    return complete ? 0 : -ENOMEM;
}

void cpu_accumulator_begin(struct cpu_accumulator *a, const struct cpu_plan *plan, uint64_t batch)
{
    a->batch = batch;
    a->pending = 0;
    if (a->hits)
        memset(a->hits, 0, density_cells(plan) * sizeof *a->hits);
}

void cpu_accumulator_clear(struct cpu_accumulator *a, const struct cpu_plan *plan)
{
    const size_t n = plan->plan->n;
    if (a->fold.max)
        memset(a->fold.max, 0, n * sizeof *a->fold.max);
    for (size_t i = 0; a->fold.min && i < n; i++)
        a->fold.min[i] = INFINITY;
}

/* ---- frames ----------------------------------------------------------------------------- */

static void widen_sum(float *restrict sum, double *restrict wide, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        wide[i] += (double)sum[i];
        sum[i] = 0;
    }
}

void cpu_sum_close(float *sum, const struct cpu_plan *plan, const struct cpu_workspace *w)
{
    double *restrict wide = w->wide;
    float *restrict total = sum;
    const size_t n = plan->plan->n;
    for (size_t i = 0; wide && i < n; i++) {
        total[i] = (float)(wide[i] + (double)total[i]);
        wide[i] = 0;
    }
}

static void find_levels(struct cpu_accumulator *a, const struct cpu_plan *plan,
                        const struct cpu_workspace *w)
{

    plan->isa->density(&plan->map, a->fold.last, w->rows,
                       (char *)w->levels + cpu_density_level_at(&plan->map, 0, a->pending) *
                                               cpu_density_row_bytes(&plan->map));
    if (++a->pending == plan->map.frames)
        cpu_accumulator_flush(a, plan, w);
}

void cpu_accumulator_add(struct cpu_accumulator *a, float *sum, uint32_t count,
                         const struct cpu_plan *plan, const struct cpu_workspace *w)
{
    if (sum && w->wide && count % CPU_SUM_BLOCK == 0)
        widen_sum(sum, w->wide, plan->plan->n);
    if (a->hits)
        find_levels(a, plan, w);
}

void cpu_accumulator_flush(struct cpu_accumulator *a, const struct cpu_plan *plan,
                           const struct cpu_workspace *w)
{
    if (a->pending)
        plan->isa->count(&plan->map, w->levels, a->pending, a->hits);
    a->pending = 0;
}

/* ---- merging ---------------------------------------------------------------------------- */

/* This portion of `count` elements, in whole cache lines of floats where there are enough. */
static struct range range_of(struct portion p, size_t count)
{
    enum { LINE = 16 };
    const size_t unit = count / p.parts >= LINE ? LINE : 1, units = count / unit;
    const size_t end = units * (p.part + 1) / p.parts * unit;
    return (struct range){units * p.part / p.parts * unit, p.part + 1 == p.parts ? count : end};
}

void cpu_sum_merge(float *into, const float *from, const struct cpu_plan *plan,
                   struct portion portion)
{
    const struct range r = range_of(portion, plan->plan->n);
    plan->kernel.ops->add(into + r.first, from + r.first, r.end - r.first);
}

/* A NaN, which some processors keep as an extreme, stays: also that does not depend on the order.
 */
void cpu_accumulator_merge(struct cpu_accumulator *into, const struct cpu_accumulator *from,
                           const struct cpu_plan *plan, struct portion portion)
{
    const struct range r = range_of(portion, plan->plan->n);
    const struct range cells = range_of(portion, density_cells(plan));
    float *restrict max = into->fold.max, *restrict min = into->fold.min;
    const float *highs = from->fold.max, *lows = from->fold.min;

    for (size_t i = r.first; max && i < r.end; i++)
        max[i] = highs[i] > max[i] || highs[i] != highs[i] ? highs[i] : max[i];
    for (size_t i = r.first; min && i < r.end; i++)
        min[i] = lows[i] < min[i] || lows[i] != lows[i] ? lows[i] : min[i];
    for (size_t i = cells.first; i < cells.end; i++)
        into->hits[i] += from->hits[i];
}
