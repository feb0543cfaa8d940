/* engine_cpu.c - the cpu engine's hooks: instruction set and threads, spectra, passes. */
#include "fft/cpu/engine_cpu.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fft/cpu/spectrum/cpu_batches.h"
#include "fft/cpu/threads/cpu_affinity.h"
#include "fft/cpu/transform/cpu_pass.h"

enum { MAX_THREADS = 256 };

struct cpu_engine {
    const struct cpu_isa *isa;
    uint32_t threads;

    /* transforms */
    struct cpu_workers *workers;       /* from the first pass that several threads do */
    uint64_t passes;                   /* that they did */
    struct cpu_pass_progress progress; /* of the current pass */
};

static int fail_isa(const char *name, bool known, struct fft_reason why)
{
    char names[64] = "";
    for (size_t i = 0, used = 0; cpu_isa_at(i); i++, used = strlen(names))
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", cpu_isa_at(i)->name);
    if (known)
        fft_reason_set(why, "this processor has no %s", name);
    else
        fft_reason_set(why, "no instruction set \"%s\": this build has %s", name, names);
    return known ? -ENODEV : -EINVAL;
}

static int cpu_open(struct fft_engine *e, struct fft_reason why)
{
    struct cpu_engine *cpu = e->priv;
    const char *isa = e->config.isa;
    bool known;

    if (e->device[0]) {
        fft_reason_set(why, "the cpu engine has no devices to choose from (\"%s\")", e->device);
        return -EINVAL;
    }
    cpu->isa = cpu_isa_find(isa, &known);
    if (!cpu->isa)
        return fail_isa(isa, known, why);
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

static size_t cpu_spectrum_bytes(const struct fft_engine_config *config,
                                 const struct fft_spectrum_config *plan)
{
    bool known;
    const struct cpu_isa *isa = cpu_isa_find(config->isa, &known);
    const uint32_t threads = config->threads ? config->threads : cpu_affinity_count();
    return isa ? cpu_batches_bytes(plan, isa, threads) : 0;
}

static void cpu_spectrum_finish(struct fft_spectrum *s)
{
    cpu_batches_finish(s->priv);
}

static int cpu_submit(struct fft_spectrum *s, struct batch *b)
{
    cpu_batches_submit(s->priv, b);
    return 0;
}

static int cpu_poll(struct fft_spectrum *s, struct batch *b, int timeout_ms)
{
    return cpu_batches_poll(s->priv, b, timeout_ms);
}

static void run_part(void *user, uint32_t worker, uint32_t task, uint32_t part)
{
    const struct cpu_engine *cpu = user;
    (void)task;
    cpu_pass_part(cpu->progress.pass->priv, &cpu->progress, worker, part);
}

static uint32_t next_step(void *user, uint32_t worker, uint32_t task)
{
    struct cpu_engine *cpu = user;
    (void)worker;
    (void)task;
    return cpu_pass_next(cpu->progress.pass->priv, &cpu->progress);
}

static const struct cpu_task_ops pass_ops = {.run = run_part, .next_step = next_step};

static int cpu_engine_pass_init(struct engine_pass *p, struct fft_reason why)
{
    struct cpu_engine *cpu = p->engine->priv;
    struct cpu_pass *c = p->priv;
    const int err = cpu_pass_init(c, cpu->isa->transforms, p, cpu->threads);
    const struct cpu_workers_config config = {
        .workers = cpu->threads, .max_tasks = 1, .ops = &pass_ops, .user = cpu};
    (void)why; /* it can do all */
    if (err < 0 || c->threads == 1 || cpu->workers)
        return err;
    return cpu_workers_create(&cpu->workers, &config);
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

    cpu->progress = (struct cpu_pass_progress){.pass = p, .from = from->memory, .to = to->memory};
    const uint32_t parts = cpu_pass_begin(c, &cpu->progress);
    if (c->threads > 1) {
        cpu_workers_start(cpu->workers, parts);
        cpu_workers_finish(cpu->workers, cpu->passes++, -1);
    } else {
        cpu_pass_part(c, &cpu->progress, 0, 0);
    }
    return 0;
}

static void cpu_close(struct fft_engine *e)
{
    struct cpu_engine *cpu = e->priv;
    cpu_workers_destroy(cpu->workers);
}

const struct engine_ops cpu_engine_ops = {
    .name = "cpu",
    .about = "vector code on the processor's cores",
    .corrects = true,
    .plans_concurrently = true,
    .priv_size = sizeof(struct cpu_engine),
    .spectrum_size = sizeof(struct cpu_batches),
    .pass_size = sizeof(struct cpu_pass),
    .open = cpu_open,
    .spectrum_bytes = cpu_spectrum_bytes,
    .counts_clipped = true,
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
