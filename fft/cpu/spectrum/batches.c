/* batches.c - the steps of a batch: its chunks or divided frames, merging, bins. */
#include "fft/cpu/spectrum/batches.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * One more chunk costs about a third of a frame, to clear its sum and to merge it, and twice that
 * where its sum leaves L1 and L2: two percent of a chunk. A batch of fewer frames has two chunks if
 * it has enough samples for two threads.
 */
enum { CHUNK_FRAMES = 16, LONG_CHUNK_FRAMES = 32, LONG_N = 16384 };
enum { PAIR_FRAMES = 8, PAIR_SAMPLES = 8192 };

enum {
    DIVIDED_BINS_N = 8192, /* from here on merging takes longer than opening a step */
    BINS_PARTS = 8,        /* a kernel's to_bins has no more */
    FRAME_PARTS = 16       /* at least, of each half of a divided frame */
};

/* ---- chunks ----------------------------------------------------------------------------- */

static uint32_t count_chunks(const struct cpu_plan *plan, uint32_t frames)
{
    const uint32_t n = plan->plan->n;
    const uint32_t chunks = frames / (n < LONG_N ? CHUNK_FRAMES : LONG_CHUNK_FRAMES);
    const bool is_pair = frames >= PAIR_FRAMES && frames >= PAIR_SAMPLES / n;

    if (plan->kernel.ops->divides(n))
        return 1;
    if (chunks < 2)
        return is_pair ? 2 : 1;
    return chunks < CPU_MAX_CHUNKS ? chunks : CPU_MAX_CHUNKS;
}

static struct range frames_of(const struct batch_progress *p, uint32_t chunk)
{
    const uint64_t frames = p->batch->partial.frames;
    return (struct range){(size_t)(frames * chunk / p->chunks),
                          (size_t)(frames * (chunk + 1) / p->chunks)};
}

static const void *frame_at(const struct cpu_batches *c, const struct batch *b, size_t frame)
{
    const struct fft_spectrum_plan *plan = c->plan.plan;
    return (const char *)b->span + frame * plan->hop * fft_iq_bytes(plan->format);
}

/* Ready for its first frame of the batch, or as the worker's last chunk left it. */
static struct cpu_accumulator *accumulator_of(struct cpu_batches *c, const struct batch_progress *p,
                                              struct batches_worker *worker)
{
    struct cpu_accumulator *a = &worker->accumulators[p->batch->index];
    if (a->batch != p->number)
        cpu_accumulator_reset(a, &c->plan, p->number);
    return a;
}

static struct sink sink_of(const struct cpu_accumulator *a, float *sum)
{
    struct sink out = a->fold;
    out.sum = sum;
    return out;
}

static void reset_sum(const struct cpu_batches *c, float *sum)
{
    if (sum)
        memset(sum, 0, c->plan.plan->n * sizeof *sum);
}

static void finish_chunk(const struct cpu_batches *c, struct batch_progress *p, uint32_t chunk,
                         const struct batches_worker *worker, const struct cpu_accumulator *a)
{
    if (p->sums[chunk])
        cpu_sum_close(p->sums[chunk], &c->plan, &worker->workspace);
    if (chunk + 1 == p->chunks)
        p->last = a->fold.last;
}

static void run_chunk(struct cpu_batches *c, struct batch_progress *p,
                      struct batches_worker *worker, uint32_t chunk)
{
    const struct kernel *k = &c->plan.kernel;
    const struct range r = frames_of(p, chunk);
    struct cpu_accumulator *a = accumulator_of(c, p, worker);
    const struct sink out = sink_of(a, p->sums[chunk]);

    reset_sum(c, out.sum);
    for (size_t frame = r.first; frame < r.end; frame++) {
        k->ops->frame(k, worker->workspace.scratch, frame_at(c, p->batch, frame), &out);
        cpu_accumulator_add(a, out.sum, (uint32_t)(frame - r.first + 1), &c->plan,
                            &worker->workspace);
    }
    finish_chunk(c, p, chunk, worker, a);
}

/* ---- divided frames --------------------------------------------------------------------- */

static uint32_t count_frame_parts(const struct cpu_batches *c)
{
    return 2 * c->threads > FRAME_PARTS ? 2 * c->threads : FRAME_PARTS;
}

static struct batches_worker *shared_of(struct cpu_batches *c)
{
    return &c->worker[c->threads];
}

static void run_top(struct cpu_batches *c, const struct batch_progress *p, void *scratch,
                    uint32_t part)
{
    const struct kernel *k = &c->plan.kernel;
    if (p->frame == 0 && part == 0) {
        reset_sum(c, p->sums[0]);
        accumulator_of(c, p, shared_of(c));
    }
    k->ops->top(k, scratch, shared_of(c)->workspace.scratch, frame_at(c, p->batch, p->frame), part,
                count_frame_parts(c));
}

static void run_bottom(struct cpu_batches *c, const struct batch_progress *p, void *scratch,
                       uint32_t part)
{
    const struct kernel *k = &c->plan.kernel;
    const struct sink out = sink_of(&shared_of(c)->accumulators[p->batch->index], p->sums[0]);
    k->ops->bottom(k, scratch, shared_of(c)->workspace.scratch, &out, part, count_frame_parts(c));
}

/* All parts of a frame are done. false: it was the last one. */
static bool finish_frame(struct cpu_batches *c, struct batch_progress *p)
{
    struct batches_worker *shared = shared_of(c);
    struct cpu_accumulator *a = &shared->accumulators[p->batch->index];

    cpu_accumulator_add(a, p->sums[0], ++p->frame, &c->plan, &shared->workspace);
    if (p->frame < p->batch->partial.frames)
        return true;
    cpu_accumulator_flush(a, &c->plan, &shared->workspace);
    finish_chunk(c, p, 0, shared, a);
    return false;
}

/* ---- merging and bins ------------------------------------------------------------------- */

static void choose_accumulator(struct cpu_batches *c, struct batch_progress *p)
{
    uint32_t worker = 0;
    while (c->worker[worker].accumulators[p->batch->index].batch != p->number)
        worker++;
    p->accumulator = &c->worker[worker].accumulators[p->batch->index];
}

static void merge(struct cpu_batches *c, const struct batch_progress *p, struct portion portion)
{
    for (uint32_t i = 1; p->sums[0] && i < p->chunks; i++)
        cpu_sum_merge(p->sums[0], p->sums[i], &c->plan, portion);
    for (uint32_t i = 0; i < c->threads; i++) {
        const struct cpu_accumulator *a = &c->worker[i].accumulators[p->batch->index];
        if (a->batch == p->number && a != p->accumulator)
            cpu_accumulator_merge(p->accumulator, a, &c->plan, portion);
    }
}

static void order_bins(const struct cpu_batches *c, const struct batch_progress *p,
                       struct portion portion)
{
    const struct kernel *k = &c->plan.kernel;
    const struct sink *slots = &p->accumulator->fold;
    const struct {
        const float *slots;
        float *bins;
    } detectors[FFT_DETECTORS] = {{p->sums[0], p->bins.sum},
                                  {slots->max, p->bins.max},
                                  {slots->min, p->bins.min},
                                  {p->last, p->bins.last}};
    for (size_t i = 0; i < FFT_DETECTORS; i++)
        if (detectors[i].bins)
            k->ops->to_bins(k, detectors[i].slots, detectors[i].bins, portion.part, portion.parts);
}

/* ---- steps ------------------------------------------------------------------------------ */

static void run_part(void *user, uint32_t worker, uint32_t slot, uint32_t part)
{
    struct cpu_batches *c = user;
    struct batch_progress *p = &c->progress[slot];
    struct batches_worker *own = &c->worker[worker];
    const struct portion portion = {part, BINS_PARTS};

    switch (p->step) {
    case STEP_CHUNKS:
        run_chunk(c, p, own, part);
        break;
    case STEP_TOP:
        run_top(c, p, own->workspace.scratch, part);
        break;
    case STEP_BOTTOM:
        run_bottom(c, p, own->workspace.scratch, part);
        break;
    case STEP_MERGE:
        merge(c, p, portion);
        break;
    case STEP_BINS:
        order_bins(c, p, portion);
        break;
    }
}

static void count_pending(void *user, uint32_t worker, uint32_t slot)
{
    struct cpu_batches *c = user;
    struct batches_worker *own = &c->worker[worker];
    cpu_accumulator_flush(&own->accumulators[slot], &c->plan, &own->workspace);
}

static uint32_t begin_merging(struct cpu_batches *c, struct batch_progress *p)
{
    const struct portion all = {0, 1};

    choose_accumulator(c, p);
    p->step = STEP_MERGE;
    if (c->threads > 1 && c->plan.plan->n >= DIVIDED_BINS_N)
        return BINS_PARTS;
    merge(c, p, all);
    order_bins(c, p, all);
    return 0;
}

static uint32_t next_step(void *user, uint32_t worker, uint32_t slot)
{
    struct cpu_batches *c = user;
    struct batch_progress *p = &c->progress[slot];
    (void)worker;

    switch (p->step) {
    case STEP_TOP:
        p->step = STEP_BOTTOM;
        return count_frame_parts(c);
    case STEP_BOTTOM:
        p->step = STEP_TOP;
        return finish_frame(c, p) ? count_frame_parts(c) : begin_merging(c, p);
    case STEP_CHUNKS:
        return begin_merging(c, p);
    case STEP_MERGE:
        p->step = STEP_BINS;
        return BINS_PARTS;
    case STEP_BINS:
        break;
    }
    return 0;
}

void cpu_batches_submit(struct cpu_batches *c, const struct batch *b)
{
    struct batch_progress *p = &c->progress[b->index];

    p->batch = b;
    p->number = c->spectrum->submitted + 1;
    p->step = c->divides ? STEP_TOP : STEP_CHUNKS;
    p->chunks = count_chunks(&c->plan, b->partial.frames);
    p->frame = 0;
    cpu_workers_start(c->workers, c->divides ? count_frame_parts(c) : p->chunks);
}

bool cpu_batches_poll(struct cpu_batches *c, struct batch *b, int timeout_ms)
{
    const struct batch_progress *p = &c->progress[b->index];

    if (!cpu_workers_finish(c->workers, c->spectrum->polled, timeout_ms))
        return false;
    b->partial.sum = p->bins.sum;
    b->partial.max = p->bins.max;
    b->partial.min = p->bins.min;
    b->partial.last = p->bins.last;
    b->partial.hits = p->accumulator->hits;
    return true;
}

/* ---- memory ----------------------------------------------------------------------------- */

static bool take(struct cpu_arena *memory, float **array, bool wanted, uint32_t n)
{
    if (wanted)
        *array = cpu_arena_take(memory, n * sizeof **array);
    return !wanted || *array;
}

static int init_progress(struct cpu_batches *c, struct batch_progress *p)
{
    const struct fft_spectrum_plan *plan = c->plan.plan;
    const uint32_t n = plan->n, chunks = count_chunks(&c->plan, plan->max_frames);
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
    w->workspace.scratch = cpu_arena_take(&w->memory, ops->scratch_bytes(0));
    return w->workspace.scratch ? 0 : -ENOMEM;
}

static int init_worker(struct cpu_batches *c, uint32_t worker)
{
    struct batches_worker *w = &c->worker[worker];
    if (c->divides && worker < c->threads)
        return init_part_worker(c, w);
    int err = cpu_workspace_init(&w->workspace, &c->plan, &w->memory);
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
size_t cpu_batches_bytes(const struct fft_spectrum_plan *plan, const struct cpu_isa *isa,
                         uint32_t threads)
{
    const struct kernel_ops *ops = cpu_kernel_find(isa->kernels, plan->n);
    struct cpu_batches c = {.threads = threads, .memory.counts = true};
    struct cpu_arena tables = {.counts = true};
    if (!ops)
        return 0;
    c.plan = (struct cpu_plan){.plan = plan, .isa = isa, .kernel = {.ops = ops, .n = plan->n}};
    c.divides = threads > 1 && ops->divides(plan->n);
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

static const struct cpu_task_ops task_ops = {run_part, count_pending, next_step};

int cpu_batches_init(struct cpu_batches *c, struct fft_spectrum *s, const struct cpu_isa *isa,
                     uint32_t threads)
{
    c->spectrum = s;
    c->threads = threads;
    int err = cpu_plan_init(&c->plan, isa, &s->plan);
    if (err < 0)
        return err;
    c->divides = threads > 1 && c->plan.kernel.ops->divides(s->plan.n);
    err = init_memory(c);
    if (err < 0)
        return err;
    const struct cpu_workers_config config = {.workers = threads,
                                              .slots = s->plan.depth,
                                              .in_order = c->divides,
                                              .ops = &task_ops,
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
