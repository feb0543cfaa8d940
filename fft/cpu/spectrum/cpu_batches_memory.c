/* cpu_batches_memory.c - allocates what the workers of a spectrum write to, and counts its bytes.
 */
#include <errno.h>
#include <stdlib.h>

#include "fft/cpu/spectrum/cpu_batches.h"

static bool take(struct cpu_arena *memory, float **array, bool wanted, uint32_t n)
{
    if (wanted)
        *array = cpu_arena_take(memory, n * sizeof **array);
    return !wanted || *array;
}

static int init_progress(struct cpu_batches *c, struct batch_progress *p)
{
    const struct fft_spectrum_config *plan = c->plan.plan;
    const uint32_t n = plan->n, chunks = cpu_batches_chunks(&c->plan, plan->max_frames);
    const unsigned detectors = plan->detectors;
    bool complete = take(&c->memory, &p->bins.sum, detectors & FFT_DETECTOR_MEAN, n) &&
                    take(&c->memory, &p->bins.max, detectors & FFT_DETECTOR_MAX, n) &&
                    take(&c->memory, &p->bins.min, detectors & FFT_DETECTOR_MIN, n) &&
                    take(&c->memory, &p->bins.last, detectors & FFT_DETECTOR_SAMPLE, n);
    for (uint32_t i = 0; complete && i < chunks; i++)
        complete = take(&c->memory, &p->sums[i], detectors & FFT_DETECTOR_MEAN, n);
    return complete ? 0 : -ENOMEM;
}

/* Parts of a divided frame need a small scratch alone. */
static int init_part_worker(struct cpu_batches *c, struct batches_worker *w)
{
    const struct kernel_ops *ops = c->plan.kernel.ops;
    w->workspace.scratch = cpu_arena_take(&w->memory, ops->scratch_bytes(c->plan.plan->n));
    return w->workspace.scratch ? 0 : -ENOMEM;
}

static int init_worker(struct cpu_batches *c, uint32_t worker)
{
    struct batches_worker *w = &c->worker[worker];
    if (c->divides && worker < c->threads)
        return init_part_worker(c, w);
    const struct kernel_ops *ops = c->plan.kernel.ops;
    const uint32_t n = c->plan.plan->n;
    const size_t scratch =
        c->divides ? ops->group_bytes(n, c->group_frames) : ops->scratch_bytes(n);
    int err = cpu_workspace_init(&w->workspace, &c->plan, scratch, &w->memory);
    for (uint32_t i = 0; err == 0 && i < c->plan.plan->depth; i++)
        err = cpu_accumulator_init(&w->accumulators[i], &c->plan, &w->memory);
    return err;
}

static uint32_t count_memories(const struct cpu_batches *c)
{
    return c->divides ? c->threads + 1 : c->threads;
}

static int init_memory(struct cpu_batches *c)
{
    int err = 0;
    c->worker = calloc(count_memories(c), sizeof *c->worker);
    if (!c->worker)
        return -ENOMEM;
    for (uint32_t i = 0; i < count_memories(c); i++)
        c->worker[i].memory.counts = c->memory.counts;
    for (uint32_t i = 0; err == 0 && i < count_memories(c); i++)
        err = init_worker(c, i);
    for (uint32_t i = 0; err == 0 && i < c->plan.plan->depth; i++)
        err = init_progress(c, &c->progress[i]);
    return err;
}

/* Takes all arrays from arenas that count. */
size_t cpu_batches_bytes(const struct fft_spectrum_config *plan, const struct cpu_isa *isa,
                         uint32_t threads)
{
    const struct kernel_ops *ops = cpu_kernel_find(isa->kernels, plan->n);
    struct cpu_batches c = {.threads = threads, .memory.counts = true};
    struct cpu_arena tables = {.counts = true};
    if (!ops)
        return 0;
    c.plan = (struct cpu_plan){.plan = plan, .isa = isa, .kernel = {.ops = ops, .n = plan->n}};
    c.divides = ops->divides(plan->n);
    c.group_frames = cpu_batches_group(&c.plan);
    cpu_arena_take(&tables, ops->table_bytes(plan->n));
    cpu_arena_take(&tables, plan->n * sizeof *c.plan.kernel.window);
    if (init_memory(&c) < 0)
        return 0;
    size_t bytes = tables.bytes + c.memory.bytes;
    for (uint32_t i = 0; i < count_memories(&c); i++)
        bytes += c.worker[i].memory.bytes;
    free(c.worker);
    return bytes;
}

int cpu_batches_init(struct cpu_batches *c, struct fft_spectrum *s, const struct cpu_isa *isa,
                     uint32_t threads)
{
    c->spectrum = s;
    c->threads = threads;
    int err = cpu_plan_init(&c->plan, isa, &s->config);
    if (err < 0)
        return err;
    c->divides = c->plan.kernel.ops->divides(s->config.n);
    c->group_frames = cpu_batches_group(&c->plan);
    err = init_memory(c);
    if (err < 0)
        return err;
    const struct cpu_workers_config config = {.workers = threads,
                                              .max_tasks = s->config.depth,
                                              .in_order = c->divides,
                                              .lazy_workers = s->config.lazy_workers,
                                              .ops = cpu_batches_tasks(),
                                              .user = c};
    return cpu_workers_create(&c->workers, &config);
}

void cpu_batches_finish(struct cpu_batches *c)
{
    cpu_workers_destroy(c->workers);
    for (uint32_t i = 0; c->worker && i < count_memories(c); i++)
        cpu_arena_free(&c->worker[i].memory);
    cpu_arena_free(&c->memory);
    free(c->worker);
    cpu_plan_finish(&c->plan);
}
