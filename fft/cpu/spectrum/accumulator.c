/* accumulator.c - one thread's fold of a batch, and the merge of several. */
#include "fft/cpu/spectrum/accumulator.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One bin a column: counted in the order of slots. The kernel tells it by numbers; floats have all
 * of them. */
static int order_columns(struct cpu_plan *job)
{
    const uint32_t n = job->plan->n;
    uint32_t *column_of = job->map.column_of = calloc(n, sizeof *column_of);
    struct cpu_arena memory = {0};
    float *slots = cpu_arena_take(&memory, n * sizeof *slots);
    float *bins = cpu_arena_take(&memory, n * sizeof *bins);
    const int err = column_of && slots && bins ? 0 : -ENOMEM;

    for (uint32_t i = 0; err == 0 && i < n; i++)
        slots[i] = (float)i;
    if (err == 0)
        job->kernel.ops->to_bins(&job->kernel, slots, bins, 0, 1);
    for (uint32_t k = 0; err == 0 && k < n; k++)
        column_of[(uint32_t)bins[k]] = k;
    cpu_arena_free(&memory);
    return err;
}

int cpu_plan_init(struct cpu_plan *job, const struct cpu_isa *isa,
                  const struct fft_spectrum_plan *plan)
{
    *job = (struct cpu_plan){.plan = plan, .isa = isa};
    int err = cpu_kernel_init(&job->kernel, isa->kernels, plan->n);
    if (err == 0)
        err = cpu_kernel_set_input(&job->kernel, plan->format, plan->window);
    if (err == 0 && plan->density.columns)
        err = cpu_density_map_init(&job->map, &plan->density, plan->n);
    return err == 0 && plan->density.columns == plan->n ? order_columns(job) : err;
}

void cpu_plan_finish(struct cpu_plan *job)
{
    cpu_kernel_finish(&job->kernel);
    cpu_density_map_finish(&job->map);
}

size_t cpu_plan_cells(const struct cpu_plan *job)
{
    return (size_t)job->map.columns * job->map.levels;
}

/* cpu_arena_take where wanted; false: out of memory. */
static bool take(struct cpu_arena *memory, void *pointer_to_array, bool wanted, size_t bytes)
{
    void **array = pointer_to_array;
    if (wanted)
        *array = cpu_arena_take(memory, bytes);
    return !wanted || *array;
}

int cpu_bench_init(struct cpu_bench *b, const struct cpu_plan *job, struct cpu_arena *memory)
{
    const uint32_t n = job->plan->n, columns = job->map.columns;
    const bool folded = columns && !job->map.column_of;
    const bool whole =
        take(memory, &b->scratch, true, job->kernel.ops->scratch_bytes(n)) &&
        take(memory, &b->bins, folded, n * sizeof *b->bins) &&
        take(memory, &b->peaks, folded, columns * sizeof *b->peaks) &&
        take(memory, &b->levels, columns, SHARE_PENDING * job->map.stride * sizeof *b->levels);
    return whole ? 0 : -ENOMEM;
}

int share_init(struct share *s, const struct cpu_plan *job, struct cpu_arena *memory)
{
    const unsigned traces = job->plan->traces;
    const size_t n = job->plan->n, bytes = n * sizeof(float), cells = cpu_plan_cells(job);
    const bool deep = (traces & FFT_TRACE_MEAN) && job->plan->max_frames > SHARE_BLOCK;
    const bool whole = take(memory, &s->fold.sum, traces & FFT_TRACE_MEAN, bytes) &&
                       take(memory, &s->fold.max, traces & FFT_TRACE_MAX, bytes) &&
                       take(memory, &s->fold.min, traces & FFT_TRACE_MIN, bytes) &&
                       take(memory, &s->fold.last, (traces & FFT_TRACE_SAMPLE) || cells, bytes) &&
                       take(memory, &s->wide, deep, n * sizeof *s->wide) &&
                       take(memory, &s->hits, cells, cells * sizeof *s->hits);
    return whole ? 0 : -ENOMEM;
}

void share_reset(struct share *s, const struct cpu_plan *job)
{
    const size_t n = job->plan->n;

    s->frames = s->pending = 0;
    if (s->fold.sum)
        memset(s->fold.sum, 0, n * sizeof *s->fold.sum);
    if (s->wide)
        memset(s->wide, 0, n * sizeof *s->wide);
    if (s->fold.max)
        memset(s->fold.max, 0, n * sizeof *s->fold.max);
    for (size_t i = 0; s->fold.min && i < n; i++)
        s->fold.min[i] = INFINITY;
    if (s->hits)
        memset(s->hits, 0, cpu_plan_cells(job) * sizeof *s->hits);
}

static void widen(struct share *s, size_t n)
{
    float *restrict sum = s->fold.sum;
    double *restrict wide = s->wide;
    for (size_t i = 0; i < n; i++) {
        wide[i] += (double)sum[i];
        sum[i] = 0;
    }
}

static void add_density(struct share *s, const struct cpu_plan *job, const struct cpu_bench *bench)
{
    const struct kernel *kernel = &job->kernel;
    uint16_t *levels = bench->levels + s->pending * job->map.stride;

    if (bench->bins)
        kernel->ops->to_bins(kernel, s->fold.last, bench->bins, 0, 1);
    job->isa->density(&job->map, bench->bins ? bench->bins : s->fold.last, bench->peaks, levels);
    if (++s->pending == SHARE_PENDING)
        share_end(s, job, bench);
}

void share_added(struct share *s, const struct cpu_plan *job, const struct cpu_bench *bench)
{
    s->frames++;
    if (s->wide && s->frames % SHARE_BLOCK == 0)
        widen(s, job->plan->n);
    if (s->hits)
        add_density(s, job, bench);
}

void share_add(struct share *s, const struct cpu_plan *job, const struct cpu_bench *bench,
               const void *raw)
{
    job->kernel.ops->frame(&job->kernel, bench->scratch, raw, &s->fold);
    share_added(s, job, bench);
}

void share_end(struct share *s, const struct cpu_plan *job, const struct cpu_bench *bench)
{
    if (s->pending)
        cpu_density_map_count(&job->map, bench->levels, s->pending, s->hits);
    s->pending = 0;
}

struct range portion_of(struct portion p, size_t count)
{
    enum { LINE = 16 };
    const size_t unit = count / p.parts >= LINE ? LINE : 1, units = count / unit;
    const size_t end = units * (p.part + 1) / p.parts * unit;
    return (struct range){units * p.part / p.parts * unit, p.part + 1 == p.parts ? count : end};
}

static void merge_sums(struct share *into, const struct share *from, struct range r)
{
    for (size_t i = r.first; into->wide && i < r.end; i++)
        into->wide[i] += from->wide[i] + (double)from->fold.sum[i];
    for (size_t i = r.first; !into->wide && i < r.end; i++)
        into->fold.sum[i] += from->fold.sum[i];
}

void share_merge(struct share *into, const struct share *from, const struct cpu_plan *job,
                 struct portion portion)
{
    const struct range r = portion_of(portion, job->plan->n);
    const struct range cells = portion_of(portion, cpu_plan_cells(job));
    struct sink *a = &into->fold;
    const struct sink *b = &from->fold;

    if (a->sum)
        merge_sums(into, from, r);
    for (size_t i = r.first; a->max && i < r.end; i++)
        a->max[i] = b->max[i] > a->max[i] ? b->max[i] : a->max[i];
    for (size_t i = r.first; a->min && i < r.end; i++)
        a->min[i] = b->min[i] < a->min[i] ? b->min[i] : a->min[i];
    if (a->last)
        memcpy(a->last + r.first, b->last + r.first, (r.end - r.first) * sizeof *a->last);
    for (size_t i = cells.first; i < cells.end; i++)
        into->hits[i] += from->hits[i];
}

void share_close(struct share *s, const struct cpu_plan *job, struct portion portion)
{
    const struct range r = portion_of(portion, job->plan->n);
    for (size_t i = r.first; s->wide && i < r.end; i++)
        s->fold.sum[i] = (float)(s->wide[i] + (double)s->fold.sum[i]);
}
