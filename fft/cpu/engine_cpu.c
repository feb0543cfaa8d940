/* engine_cpu.c - the cpu engine's hooks: instruction set and threads, spectra, passes. */
#include "fft/cpu/engine_cpu.h"

#include <errno.h>
#include <stdio.h>

#include "fft/cpu/spectrum/batches.h"
#include "fft/cpu/threads/affinity.h"
#include "fft/cpu/transform/pass.h"

enum { MAX_THREADS = 256 };

struct cpu_engine {
    const struct cpu_isa *isa;
    uint32_t threads;

    /* transforms */
    struct crew *crew;   /* from the first pass that several threads do */
    uint64_t passes;     /* that it did */
    struct pass_run run; /* worker 0's */
};

static int cpu_open(struct fft_engine *e, struct reason why)
{
    struct cpu_engine *cpu = e->priv;
    const char *isa = e->config.isa;
    bool known;

    if (e->device[0]) {
        fft_reason_set(why, "the cpu engine has no devices to choose from (\"%s\")", e->device);
        return -EINVAL;
    }
    cpu->isa = cpu_isa_find(isa, &known);
    if (!cpu->isa) {
        fft_reason_set(why, known ? "this processor has no %s" : "no instruction set \"%s\"", isa);
        return known ? -ENODEV : -EINVAL;
    }
    if (e->config.threads > MAX_THREADS) {
        fft_reason_set(why, "%u threads are more than %d", e->config.threads, MAX_THREADS);
        return -EINVAL;
    }
    cpu->threads = e->config.threads ? e->config.threads : cpu_affinity_count();
    snprintf(e->about, sizeof e->about, "cpu: %s, %u thread%s", cpu->isa->title, cpu->threads,
             cpu->threads == 1 ? "" : "s");
    return 0;
}

static int cpu_spectrum_init(struct fft_spectrum *s)
{
    const struct cpu_engine *cpu = s->engine->priv;
    return cpu_batches_init(s->priv, s, cpu->isa, cpu->threads);
}

static void cpu_spectrum_finish(struct fft_spectrum *s)
{
    cpu_batches_finish(s->priv);
}

static int cpu_submit(struct fft_spectrum *s, struct batch *b)
{
    (void)b;
    cpu_batches_submit(s->priv);
    return 0;
}

static int cpu_poll(struct fft_spectrum *s, struct batch *b, int timeout_ms)
{
    return cpu_batches_poll(s->priv, b, timeout_ms);
}

static void pass_work(void *user, uint32_t worker, uint64_t item)
{
    const struct cpu_engine *cpu = user;
    const struct cpu_pass *c = cpu->run.pass->priv;
    struct pass_run run = cpu->run;
    (void)item;
    run.hand = worker;
    if (worker < c->threads)
        cpu_pass_run(c, &run);
}

static int cpu_engine_pass_init(struct engine_pass *p, struct reason why)
{
    struct cpu_engine *cpu = p->engine->priv;
    struct cpu_pass *c = p->priv;
    const int err = cpu_pass_init(c, cpu->isa->transforms, p, cpu->threads);
    (void)why; /* it can do all */
    if (err < 0 || c->threads == 1 || cpu->crew)
        return err;
    return crew_create(&cpu->crew, cpu->threads, pass_work, cpu);
}

static void cpu_engine_pass_finish(struct engine_pass *p)
{
    cpu_pass_finish(p->priv);
}

static int cpu_engine_pass_run(const struct engine_pass *p, struct fft_buffer *from,
                               struct fft_buffer *to)
{
    struct cpu_engine *cpu = p->engine->priv;
    const struct cpu_pass *c = p->priv;

    cpu->run = (struct pass_run){p, from->memory, to->memory, cpu->crew, 0};
    if (c->threads == 1) {
        cpu_pass_run(c, &cpu->run);
        return 0;
    }
    crew_push(cpu->crew);
    cpu_pass_run(c, &cpu->run);
    crew_wait(cpu->crew, cpu->passes++, -1);
    return 0;
}

static void cpu_close(struct fft_engine *e)
{
    struct cpu_engine *cpu = e->priv;
    crew_destroy(cpu->crew);
}

const struct engine_ops cpu_engine_ops = {
    .name = "cpu",
    .about = "vector code on the processor's cores",
    .priv_size = sizeof(struct cpu_engine),
    .spectrum_size = sizeof(struct cpu_batches),
    .pass_size = sizeof(struct cpu_pass),
    .open = cpu_open,
    .spectrum_init = cpu_spectrum_init,
    .spectrum_finish = cpu_spectrum_finish,
    .submit = cpu_submit,
    .poll = cpu_poll,
    .close = cpu_close,
    .real_passes = true,
    .pass_init = cpu_engine_pass_init,
    .pass_finish = cpu_engine_pass_finish,
    .pass_run = cpu_engine_pass_run,
};
