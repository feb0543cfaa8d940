/* batches.c - frames to threads, and their shares to one partial. */
#include "fft/cpu/spectrum/batches.h"

#include <errno.h>
#include <stdlib.h>

#include "fft/cpu/threads/event_count.h"

enum {
    CLOCK_SAMPLES = 16384,   /* the caller looks at the clock every so many */
    MERGED_TOGETHER_N = 8192 /* from here on merging takes longer than meeting */
};

/* ---- frames ----------------------------------------------------------------------------- */

/* How many of a batch's frames are done by one thread each; the others by all together. */
static uint32_t whole_frames(const struct cpu_batches *c, const struct batch *b)
{
    const uint32_t count = b->partial.frames;
    return c->together ? count / c->threads * c->threads : count;
}

static struct range frames_of(const struct cpu_batches *c, const struct batch *b, uint32_t worker)
{
    const uint64_t whole = whole_frames(c, b);
    return (struct range){whole * worker / c->threads, whole * (worker + 1) / c->threads};
}

static const void *frame_at(const struct cpu_batches *c, const struct batch *b, size_t frame)
{
    const struct fft_spectrum_plan *plan = c->job.plan;
    return (const char *)b->span + frame * plan->hop * fft_iq_bytes(plan->format);
}

static struct share *share_of(struct cpu_batches *c, const struct batch *b, uint32_t worker)
{
    return &c->hands[worker].shares[b->index];
}

static void add_frame(struct cpu_batches *c, uint32_t worker, const struct batch *b, size_t frame)
{
    share_add(share_of(c, b, worker), &c->job, &c->hands[worker].bench, frame_at(c, b, frame));
}

static bool meet(struct cpu_batches *c, uint32_t worker)
{
    return !c->crew || crew_meet(c->crew, worker);
}

/* One frame by all threads, in worker 0's scratch, into the last one's share. */
static bool add_together(struct cpu_batches *c, uint32_t worker, const struct batch *b,
                         size_t frame)
{
    const struct kernel *k = &c->job.kernel;
    const uint32_t last = c->threads - 1;
    struct share *share = share_of(c, b, last);
    const struct cpu_bench *bench = &c->hands[worker].bench;
    void *shared = c->hands[0].bench.scratch;

    k->ops->top(k, bench->scratch, shared, frame_at(c, b, frame), worker, c->threads);
    if (!meet(c, worker))
        return false;
    k->ops->bottom(k, bench->scratch, shared, &share->fold, worker, c->threads);
    if (!meet(c, worker))
        return false;
    if (worker == last)
        share_added(share, &c->job, bench);
    return true;
}

/* ---- merging ---------------------------------------------------------------------------- */

/* Before the first frame. A share without frames is never looked at. */
static void begin(struct cpu_batches *c, uint32_t worker, const struct batch *b)
{
    const struct range own = frames_of(c, b, worker);
    const bool common = worker == c->threads - 1 && whole_frames(c, b) < b->partial.frames;
    struct share *share = share_of(c, b, worker);

    share->frames = 0;
    if (own.first < own.end || common)
        share_reset(share, &c->job);
}

/* The first thread with frames: what it has, the others' is added to. */
static struct share *merged(struct cpu_batches *c, const struct batch *b, uint32_t *worker)
{
    for (*worker = 0; share_of(c, b, *worker)->frames == 0;)
        ++*worker;
    return share_of(c, b, *worker);
}

static void merge(struct cpu_batches *c, const struct batch *b, struct portion portion)
{
    uint32_t worker;
    struct share *into = merged(c, b, &worker);
    while (++worker < c->threads)
        if (share_of(c, b, worker)->frames > 0)
            share_merge(into, share_of(c, b, worker), &c->job, portion);
    share_close(into, &c->job, portion);
}

static void to_bins(struct cpu_batches *c, const struct batch *b, struct portion portion)
{
    const struct kernel *k = &c->job.kernel;
    const struct sink *bins = &c->results[b->index];
    uint32_t worker;
    const struct sink *slots = &merged(c, b, &worker)->fold;
    const struct {
        const float *slots;
        float *bins;
    } traces[FFT_TRACES] = {{slots->sum, bins->sum},
                            {slots->max, bins->max},
                            {slots->min, bins->min},
                            {slots->last, bins->last}};
    for (size_t i = 0; i < FFT_TRACES; i++)
        if (traces[i].bins)
            k->ops->to_bins(k, traces[i].slots, traces[i].bins, portion.part, portion.parts);
}

/* Behind a worker's own frames: what all do together. */
static void finish(struct cpu_batches *c, uint32_t worker, const struct batch *b)
{
    const struct portion portion = {worker, c->threads};
    const uint32_t whole = whole_frames(c, b), count = b->partial.frames;

    if (whole > 0 && whole < count && !meet(c, worker)) /* worker 0 still used its scratch */
        return;
    for (uint32_t frame = whole; frame < count; frame++)
        if (!add_together(c, worker, b, frame))
            return;
    share_end(share_of(c, b, worker), &c->job, &c->hands[worker].bench);
    if (!c->merge_together || !meet(c, worker))
        return;
    merge(c, b, portion);
    if (meet(c, worker))
        to_bins(c, b, portion);
}

/* ---- threads ---------------------------------------------------------------------------- */

static void work(void *user, uint32_t worker, uint64_t item)
{
    struct cpu_batches *c = user;
    const struct batch *b = &c->spectrum->batches[item % c->job.plan->depth];
    const struct range own = frames_of(c, b, worker);

    begin(c, worker, b);
    for (size_t frame = own.first; frame < own.end; frame++)
        add_frame(c, worker, b, frame);
    finish(c, worker, b);
}

/* The same as worker 0, but a little at a time. */
static bool work_here(struct cpu_batches *c, const struct batch *b, int timeout_ms)
{
    const int64_t deadline = cpu_now_ns() + (int64_t)timeout_ms * 1000000;
    const uint32_t n = c->job.plan->n, stride = n < CLOCK_SAMPLES ? CLOCK_SAMPLES / n : 1;
    const struct range own = frames_of(c, b, 0);

    if (c->next == 0)
        begin(c, 0, b);
    while (c->next < own.end) {
        add_frame(c, 0, b, c->next++);
        if (timeout_ms >= 0 && c->next % stride == 0 && cpu_now_ns() >= deadline)
            break;
    }
    if (c->next < own.end)
        return false;
    c->next = 0;
    finish(c, 0, b);
    return true;
}

static void publish(struct cpu_batches *c, struct batch *b)
{
    const struct sink *bins = &c->results[b->index];
    const struct portion all = {0, 1};
    uint32_t worker;

    if (!c->merge_together) {
        merge(c, b, all);
        to_bins(c, b, all);
    }
    b->partial.sum = bins->sum;
    b->partial.max = bins->max;
    b->partial.min = bins->min;
    b->partial.last = bins->last;
    b->partial.hits = merged(c, b, &worker)->hits;
}

void cpu_batches_submit(struct cpu_batches *c)
{
    if (c->crew)
        crew_push(c->crew); /* which finds the batch in the spectrum */
}

bool cpu_batches_poll(struct cpu_batches *c, struct batch *b, int timeout_ms)
{
    const uint64_t item = c->spectrum->polled;
    if (c->finished == item) {
        if (!work_here(c, b, timeout_ms))
            return false;
        c->finished++;
    }
    if (c->crew && !crew_wait(c->crew, item, timeout_ms))
        return false;
    publish(c, b);
    return true;
}

/* ---- memory ----------------------------------------------------------------------------- */

static bool take_bins(struct cpu_arena *memory, float **bins, bool wanted, uint32_t n)
{
    if (wanted)
        *bins = cpu_arena_take(memory, n * sizeof **bins);
    return !wanted || *bins;
}

static int init_results(struct cpu_batches *c)
{
    const uint32_t n = c->job.plan->n;
    const unsigned traces = c->job.plan->traces;
    for (uint32_t i = 0; i < c->job.plan->depth; i++) {
        struct sink *bins = &c->results[i];
        if (!take_bins(&c->memory, &bins->sum, traces & FFT_TRACE_MEAN, n) ||
            !take_bins(&c->memory, &bins->max, traces & FFT_TRACE_MAX, n) ||
            !take_bins(&c->memory, &bins->min, traces & FFT_TRACE_MIN, n) ||
            !take_bins(&c->memory, &bins->last, traces & FFT_TRACE_SAMPLE, n))
            return -ENOMEM;
    }
    return 0;
}

static int init_hand(struct hand *hand, const struct cpu_plan *job)
{
    int err = cpu_bench_init(&hand->bench, job, &hand->memory);
    for (uint32_t i = 0; err == 0 && i < job->plan->depth; i++)
        err = share_init(&hand->shares[i], job, &hand->memory);
    return err;
}

int cpu_batches_init(struct cpu_batches *c, struct fft_spectrum *s, const struct cpu_isa *isa,
                     uint32_t threads)
{
    c->spectrum = s;
    c->threads = threads;
    c->hands = calloc(threads, sizeof *c->hands);
    int err = c->hands ? cpu_plan_init(&c->job, isa, &s->plan) : -ENOMEM;
    for (uint32_t i = 0; err == 0 && i < threads; i++)
        err = init_hand(&c->hands[i], &c->job);
    if (err == 0)
        err = init_results(c);
    if (err == 0 && threads > 1) {
        c->together = c->job.kernel.ops->divides(s->plan.n);
        c->merge_together = s->plan.n >= MERGED_TOGETHER_N;
        err = crew_create(&c->crew, threads, work, c);
    }
    return err;
}

void cpu_batches_finish(struct cpu_batches *c)
{
    crew_destroy(c->crew);
    for (uint32_t i = 0; c->hands && i < c->threads; i++)
        cpu_arena_free(&c->hands[i].memory);
    cpu_arena_free(&c->memory);
    free(c->hands);
    cpu_plan_finish(&c->job);
}
