/* engine_cpu.c - the cpu engine: frames divided among threads, shares merged in a fixed order. */
#include "fft/cpu/engine_cpu.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fft/cpu/crew.h"
#include "fft/cpu/memory.h"
#include "fft/cpu/pass.h"
#include "fft/cpu/share.h"

enum { MAX_THREADS = 256 };

struct cpu_engine {
    const struct cpu_isa *isa;
    uint32_t threads;
};

/* One thread's own: its bench, and its share of each batch in flight. */
struct hand {
    struct cpu_bench bench;
    struct share shares[SPECTRUM_MAX_DEPTH];
};

/* The bins of one batch. */
struct result {
    struct sink bins; /* [n] each */
};

struct cpu_spectrum {
    struct spectrum *spectrum;
    struct cpu_job job;
    uint32_t threads;
    struct hand *hands; /* [threads] */
    struct result results[SPECTRUM_MAX_DEPTH];
    struct crew *crew; /* NULL: one thread, the caller works in poll */
    uint32_t next;     /* the caller's next frame of the oldest batch */
};

static uint32_t cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    const int count = CPU_COUNT(&set);
    return count > 0 ? (uint32_t)count : 1;
}

static size_t frame_offset(const struct spectrum_plan *plan, uint32_t frame)
{
    return (size_t)frame * plan->hop * iq_bytes(plan->format);
}

static void add_frame(struct cpu_spectrum *c, struct hand *hand, const struct batch *b,
                      uint32_t frame)
{
    const char *raw = (const char *)b->span + frame_offset(c->job.plan, frame);
    share_add(&hand->shares[b->index], &c->job, &hand->bench, raw);
}

/* Worker w of T takes frames count*w/T .. count*(w+1)/T - 1. */
static void work(void *user, uint32_t worker, uint64_t item)
{
    struct cpu_spectrum *c = user;
    struct hand *hand = &c->hands[worker];
    const struct batch *b = &c->spectrum->batches[item % c->job.plan->depth];
    const uint64_t count = b->partial.frames;
    const uint32_t end = (uint32_t)(count * (worker + 1) / c->threads);

    share_reset(&hand->shares[b->index], &c->job);
    for (uint32_t frame = (uint32_t)(count * worker / c->threads); frame < end; frame++)
        add_frame(c, hand, b, frame);
    share_end(&hand->shares[b->index], &c->job, &hand->bench);
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The same with no thread but the caller's, which looks at the clock every 16384 samples or so. */
static bool work_here(struct cpu_spectrum *c, const struct batch *b, int timeout_ms)
{
    const int64_t deadline = now_ns() + (int64_t)timeout_ms * 1000000;
    const uint32_t stride = c->job.plan->n < 16384 ? 16384 / c->job.plan->n : 1;

    if (c->next == 0)
        share_reset(&c->hands[0].shares[b->index], &c->job);
    while (c->next < b->partial.frames) {
        add_frame(c, &c->hands[0], b, c->next++);
        if (timeout_ms >= 0 && c->next % stride == 0 && now_ns() >= deadline)
            break;
    }
    if (c->next < b->partial.frames)
        return false;
    c->next = 0;
    share_end(&c->hands[0].shares[b->index], &c->job, &c->hands[0].bench);
    return true;
}

static void to_bins(const struct cpu_job *job, const float *slots, float *bins)
{
    if (bins)
        job->kernel.ops->to_bins(&job->kernel, slots, bins);
}

static void publish(struct cpu_spectrum *c, struct batch *b)
{
    struct share *first = &c->hands[0].shares[b->index];
    const struct sink *bins = &c->results[b->index].bins;

    for (uint32_t i = 1; i < c->threads; i++)
        share_merge(first, &c->hands[i].shares[b->index], &c->job);
    share_close(first, &c->job);
    to_bins(&c->job, first->fold.sum, bins->sum);
    to_bins(&c->job, first->fold.max, bins->max);
    to_bins(&c->job, first->fold.min, bins->min);
    to_bins(&c->job, first->fold.last, bins->last);
    b->partial.sum = bins->sum;
    b->partial.max = bins->max;
    b->partial.min = bins->min;
    b->partial.last = bins->last;
    b->partial.hits = first->hits;
}

/* ---- hooks ------------------------------------------------------------------------------ */

static int cpu_open(struct fft_engine *e, struct reason why)
{
    struct cpu_engine *cpu = e->priv;
    const char *isa = e->config.isa;
    bool known;

    if (e->device[0]) {
        reason_set(why, "the cpu engine has no devices to choose from (\"%s\")", e->device);
        return -EINVAL;
    }
    cpu->isa = cpu_isa_find(isa, &known);
    if (!cpu->isa) {
        reason_set(why, known ? "this processor has no %s" : "no instruction set \"%s\"", isa);
        return known ? -ENODEV : -EINVAL;
    }
    if (e->config.threads > MAX_THREADS) {
        reason_set(why, "%u threads are more than %d", e->config.threads, MAX_THREADS);
        return -EINVAL;
    }
    cpu->threads = e->config.threads ? e->config.threads : cores();
    snprintf(e->about, sizeof e->about, "cpu: %s, %u thread%s", cpu->isa->title, cpu->threads,
             cpu->threads == 1 ? "" : "s");
    return 0;
}

static bool take_bins(float **bins, bool wanted, uint32_t n)
{
    if (wanted)
        *bins = memory_take(n * sizeof **bins);
    return !wanted || *bins;
}

static int init_results(struct cpu_spectrum *c)
{
    const uint32_t n = c->job.plan->n;
    const unsigned traces = c->job.plan->traces;
    for (uint32_t i = 0; i < c->job.plan->depth; i++) {
        struct sink *bins = &c->results[i].bins;
        if (!take_bins(&bins->sum, traces & TRACE_MEAN, n) ||
            !take_bins(&bins->max, traces & TRACE_MAX, n) ||
            !take_bins(&bins->min, traces & TRACE_MIN, n) ||
            !take_bins(&bins->last, traces & TRACE_SAMPLE, n))
            return -ENOMEM;
    }
    return 0;
}

static int init_hand(struct hand *hand, const struct cpu_job *job)
{
    int err = cpu_bench_init(&hand->bench, job);
    for (uint32_t i = 0; err == 0 && i < job->plan->depth; i++)
        err = share_init(&hand->shares[i], job);
    return err;
}

static int cpu_spectrum_init(struct spectrum *s)
{
    const struct cpu_engine *cpu = s->engine->priv;
    struct cpu_spectrum *c = s->priv;

    c->spectrum = s;
    c->threads = cpu->threads;
    c->hands = calloc(c->threads, sizeof *c->hands);
    int err = c->hands ? cpu_job_init(&c->job, cpu->isa, &s->plan) : -ENOMEM;
    for (uint32_t i = 0; err == 0 && i < c->threads; i++)
        err = init_hand(&c->hands[i], &c->job);
    if (err == 0)
        err = init_results(c);
    if (err == 0 && c->threads > 1)
        err = crew_create(&c->crew, c->threads, work, c);
    return err;
}

static void cpu_spectrum_finish(struct spectrum *s)
{
    struct cpu_spectrum *c = s->priv;

    crew_destroy(c->crew);
    for (uint32_t i = 0; c->hands && i < c->threads; i++) {
        cpu_bench_finish(&c->hands[i].bench);
        for (uint32_t d = 0; d < SPECTRUM_MAX_DEPTH; d++)
            share_finish(&c->hands[i].shares[d]);
    }
    for (uint32_t d = 0; d < SPECTRUM_MAX_DEPTH; d++) {
        const struct sink *bins = &c->results[d].bins;
        memory_free(bins->sum);
        memory_free(bins->max);
        memory_free(bins->min);
        memory_free(bins->last);
    }
    free(c->hands);
    cpu_job_finish(&c->job);
}

static int cpu_submit(struct spectrum *s, struct batch *b)
{
    struct cpu_spectrum *c = s->priv;
    (void)b; /* the crew finds it in the spectrum */
    if (c->crew)
        crew_push(c->crew);
    return 0;
}

static int cpu_poll(struct spectrum *s, struct batch *b, int timeout_ms)
{
    struct cpu_spectrum *c = s->priv;
    const bool done =
        c->crew ? crew_wait(c->crew, s->polled, timeout_ms) : work_here(c, b, timeout_ms);
    if (done)
        publish(c, b);
    return done;
}

static int cpu_engine_pass_init(struct engine_pass *p, struct reason why)
{
    const struct cpu_engine *cpu = p->engine->priv;
    (void)why; /* it can do all */
    return cpu_pass_init(p->priv, cpu->isa->transforms, p);
}

static void cpu_engine_pass_finish(struct engine_pass *p)
{
    cpu_pass_finish(p->priv);
}

static int cpu_engine_pass_run(const struct engine_pass *p, struct fft_buffer *from,
                               struct fft_buffer *to)
{
    cpu_pass_run(p->priv, p, from->memory, to->memory);
    return 0;
}

static void cpu_close(struct fft_engine *e)
{
    (void)e; /* nothing is open but memory that the common code owns */
}

const struct engine_ops engine_cpu = {
    .name = "cpu",
    .about = "vector code on the processor's cores",
    .priv_size = sizeof(struct cpu_engine),
    .spectrum_size = sizeof(struct cpu_spectrum),
    .pass_size = sizeof(struct cpu_pass),
    .open = cpu_open,
    .spectrum_init = cpu_spectrum_init,
    .spectrum_finish = cpu_spectrum_finish,
    .submit = cpu_submit,
    .poll = cpu_poll,
    .close = cpu_close,
    .pass_init = cpu_engine_pass_init,
    .pass_finish = cpu_engine_pass_finish,
    .pass_run = cpu_engine_pass_run,
};
