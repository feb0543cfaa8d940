/* cpu_batches.c - the steps of a batch: its chunks or divided frames, merging, bins. */
#include "fft/cpu/spectrum/cpu_batches.h"

#include <assert.h>
#include <string.h>

#include "fft/cpu/spectrum/cpu_clipped.h"

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

uint32_t cpu_batches_chunks(const struct cpu_plan *plan, uint32_t frames)
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

static struct kernel_input frame_at(const struct cpu_batches *c, const struct batch_progress *p,
                                    size_t frame)
{
    const size_t hop_bytes = c->plan.plan->hop * fft_iq_bytes(c->plan.plan->format);
    return (struct kernel_input){.raw = (const char *)p->batch->span + frame * hop_bytes,
                                 .correction = p->batch->corrected ? &p->correction : NULL};
}

/* The first frame of an only chunk replaces the contents of sum and accumulator: nothing clears
 * them. */
static bool is_only_chunk(const struct batch_progress *p)
{
    return p->chunks == 1;
}

/* Ready for its first frame of the batch, or as the worker's last chunk left it. */
static struct cpu_accumulator *accumulator_of(struct cpu_batches *c, const struct batch_progress *p,
                                              struct batches_worker *worker)
{
    struct cpu_accumulator *a = &worker->accumulators[p->batch->index];
    if (a->batch != p->number) {
        cpu_accumulator_begin(a, &c->plan, p->number);
        if (!is_only_chunk(p))
            cpu_accumulator_clear(a, &c->plan);
    }
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
    struct sink out = sink_of(a, p->sums[chunk]);
    const size_t step = cpu_clipped_frames(c->plan.plan);
    size_t counted = r.first; /* frames before it are counted */
    uint64_t clipped = 0;

    if (!is_only_chunk(p))
        reset_sum(c, out.sum);
    for (size_t frame = r.first; frame < r.end; frame++) {
        out.first = is_only_chunk(p) && frame == r.first;
        if (frame == counted) {
            counted = frame + step < r.end ? frame + step : r.end;
            clipped += cpu_clipped(c->plan.plan, p->batch, (uint32_t)frame, (uint32_t)counted);
        }
        const struct kernel_input in = frame_at(c, p, frame);
        k->ops->frame(k, worker->workspace.scratch, &in, &out);
        cpu_accumulator_add(a, out.sum, (uint32_t)(frame - r.first + 1), &c->plan,
                            &worker->workspace);
    }
    atomic_fetch_add(&p->clipped, clipped);
    finish_chunk(c, p, chunk, worker, a);
}

/* ---- divided frames --------------------------------------------------------------------- */

uint32_t cpu_batches_group(const struct cpu_plan *plan)
{
    const uint32_t frames = plan->plan->max_frames;
    const uint32_t group = plan->kernel.ops->group_frames(plan->plan->n);
    assert(CPU_SUM_BLOCK % group == 0); /* it ends where the sum is widened */
    if (plan->plan->density.columns)    /* which needs the powers of every frame */
        return 1;
    return frames < group ? frames : group;
}

/* The next frames of a batch. */
static void begin_group(const struct cpu_batches *c, struct batch_progress *p)
{
    const uint32_t left = p->batch->partial.frames - p->frame;
    p->group = left < c->group_frames ? left : c->group_frames;
}

static struct frame_group group_of(const struct cpu_batches *c, const struct batch_progress *p)
{
    return (struct frame_group){.frames = p->group,
                                .hop_bytes = c->plan.plan->hop * fft_iq_bytes(c->plan.plan->format),
                                .points = c->worker[c->threads].workspace.scratch};
}

static uint32_t count_frame_parts(const struct cpu_batches *c)
{
    return 2 * c->threads > FRAME_PARTS ? 2 * c->threads : FRAME_PARTS;
}

static struct batches_worker *shared_of(struct cpu_batches *c)
{
    return &c->worker[c->threads];
}

static void run_top(struct cpu_batches *c, struct batch_progress *p, void *scratch, uint32_t part)
{
    const struct kernel *k = &c->plan.kernel;
    if (p->frame == 0 && part == 0)
        accumulator_of(c, p, shared_of(c));
    const struct portion portion = {part, count_frame_parts(c)};
    const struct frame_group group = group_of(c, p);
    const struct kernel_input in = frame_at(c, p, p->frame);
    for (uint32_t i = 0; i < p->group; i++)
        atomic_fetch_add(&p->clipped, cpu_clipped_part(c->plan.plan, p->batch, p->frame + i, part,
                                                       portion.parts));
    k->ops->top(k, scratch, &group, &in, portion);
}

static void run_bottom(struct cpu_batches *c, const struct batch_progress *p, void *scratch,
                       uint32_t part)
{
    const struct kernel *k = &c->plan.kernel;
    struct sink out = sink_of(&shared_of(c)->accumulators[p->batch->index], p->sums[0]);
    const struct frame_group group = group_of(c, p);
    out.first = p->frame == 0;
    k->ops->bottom(k, scratch, &group, &out, (struct portion){part, count_frame_parts(c)});
}

/* All parts of a group are done. false: it was the last one. */
static bool finish_group(struct cpu_batches *c, struct batch_progress *p)
{
    struct batches_worker *shared = shared_of(c);
    struct cpu_accumulator *a = &shared->accumulators[p->batch->index];

    p->frame += p->group;
    cpu_accumulator_add(a, p->sums[0], p->frame, &c->plan, &shared->workspace);
    if (p->frame < p->batch->partial.frames) {
        begin_group(c, p);
        return true;
    }
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
    const struct sink *fold = &p->accumulator->fold;
    const struct {
        const float *powers;
        float *bins;
    } detectors[FFT_DETECTORS] = {{p->sums[0], p->bins.sum},
                                  {fold->max, p->bins.max},
                                  {fold->min, p->bins.min},
                                  {p->last, p->bins.last}};
    for (size_t i = 0; i < FFT_DETECTORS; i++)
        if (detectors[i].bins)
            k->ops->to_bins(k, detectors[i].powers, detectors[i].bins, 1, portion);
}

/*
 * The fold puts bins in order where they are needed. Those of short frames, which stay in a cache,
 * may be another worker's next step, if there is work for it.
 */
static bool leaves_order(const struct cpu_batches *c, uint32_t worker)
{
    const bool alone = worker == 0 && cpu_workers_alone(c->workers);
    return c->plan.plan->folded && (c->divides || alone);
}

static void set_bins(const struct batch_progress *p, struct fft_partial *out)
{
    out->sum = p->bins.sum;
    out->max = p->bins.max;
    out->min = p->bins.min;
    out->last = p->bins.last;
    out->order = NULL;
}

/* The arrays of the planned detectors. */
static void set_kernel_order(const struct batch_progress *p, struct fft_partial *out)
{
    const struct sink *fold = &p->accumulator->fold;
    out->sum = p->sums[0];
    out->max = fold->max;
    out->min = fold->min;
    out->last = p->bins.last ? p->last : NULL;
    out->order = &p->order.order;
}

static void order_array(const struct fft_bin_order *o, const float *array, double scale,
                        float *bins)
{
    const struct kernel *k = &((const struct batch_order *)o)->batches->plan.kernel;
    k->ops->to_bins(k, array, bins, scale, (struct portion){0, 1});
}

static void order_all(const struct fft_bin_order *o, struct fft_partial *partial)
{
    const struct batch_order *own = (const struct batch_order *)o;
    order_bins(own->batches, own->progress, (struct portion){0, 1});
    set_bins(own->progress, partial);
}

/* ---- steps ------------------------------------------------------------------------------ */

static void run_part(void *user, uint32_t worker, uint32_t task, uint32_t part)
{
    struct cpu_batches *c = user;
    struct batch_progress *p = &c->progress[task];
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

static void count_pending(void *user, uint32_t worker, uint32_t task)
{
    struct cpu_batches *c = user;
    struct batches_worker *own = &c->worker[worker];
    cpu_accumulator_flush(&own->accumulators[task], &c->plan, &own->workspace);
}

static uint32_t begin_merging(struct cpu_batches *c, struct batch_progress *p, uint32_t worker)
{
    const struct portion all = {0, 1};

    choose_accumulator(c, p);
    p->step = STEP_MERGE;
    if (c->threads > 1 && c->plan.plan->n >= DIVIDED_BINS_N)
        return BINS_PARTS;
    merge(c, p, all);
    p->ordered = !leaves_order(c, worker);
    if (p->ordered)
        order_bins(c, p, all);
    return 0;
}

static uint32_t next_step(void *user, uint32_t worker, uint32_t task)
{
    struct cpu_batches *c = user;
    struct batch_progress *p = &c->progress[task];

    switch (p->step) {
    case STEP_TOP:
        p->step = STEP_BOTTOM;
        return count_frame_parts(c);
    case STEP_BOTTOM:
        p->step = STEP_TOP;
        return finish_group(c, p) ? count_frame_parts(c) : begin_merging(c, p, worker);
    case STEP_CHUNKS:
        return begin_merging(c, p, worker);
    case STEP_MERGE:
        p->step = STEP_BINS;
        p->ordered = !leaves_order(c, worker);
        return p->ordered ? BINS_PARTS : 0;
    case STEP_BINS:
        break;
    }
    return 0;
}

const struct cpu_task_ops *cpu_batches_tasks(void)
{
    static const struct cpu_task_ops ops = {run_part, count_pending, next_step};
    return &ops;
}

void cpu_batches_submit(struct cpu_batches *c, const struct batch *b)
{
    struct batch_progress *p = &c->progress[b->index];

    p->batch = b;
    p->order = (struct batch_order){{order_array, order_all}, c, p};
    p->correction = fft_correction_raw(&b->correction, c->plan.plan->format);
    p->number = c->spectrum->submitted + 1;
    p->step = c->divides ? STEP_TOP : STEP_CHUNKS;
    p->chunks = cpu_batches_chunks(&c->plan, b->partial.frames);
    p->frame = 0;
    begin_group(c, p);
    atomic_store(&p->clipped, 0);
    cpu_workers_start(c->workers, c->divides ? count_frame_parts(c) : p->chunks);
}

bool cpu_batches_poll(struct cpu_batches *c, struct batch *b, int timeout_ms)
{
    const struct batch_progress *p = &c->progress[b->index];

    if (!cpu_workers_finish(c->workers, c->spectrum->polled, timeout_ms))
        return false;
    if (p->ordered)
        set_bins(p, &b->partial);
    else
        set_kernel_order(p, &b->partial);
    b->partial.hits = p->accumulator->hits;
    b->partial.clipped = atomic_load(&p->clipped);
    return true;
}
