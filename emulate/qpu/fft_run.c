/* fft_run.c - sets up a plan's memory in the emulated machine and runs the program. */
#include "emulate/qpu/fft_run.h"

#include <errno.h>
#include <string.h>

enum { PAGE = 4096, START_BYTES = 65536 };

/* The uniforms of all QPUs, and room to align each to a page. */
static uint32_t all_words(const struct qpu_plan *plan)
{
    uint32_t words = 0;
    for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++)
        words += plan->uniform_words[q] + PAGE;
    return words;
}

/* Never fails: fft_run_init sizes the machine's memory to fit. */
static uint32_t alloc(struct fft_run *run, uint32_t bytes)
{
    return emulator_alloc(run->machine, bytes, PAGE);
}

int fft_run_init(struct fft_run *run, const struct qpu_plan *plan, const struct qpu_kernel *kernel)
{
    const uint32_t code = 8 * kernel->instructions, data = plan->frames * plan->frame_bytes;
    const uint32_t window = plan->windowed ? 4 * ((1u << plan->log2_n) + QPU_PLAN_WINDOW_GAP) : 0;
    *run = (struct fft_run){.plan = *plan};
    run->machine = emulator_create(2 * data + window + plan->table_bytes + code +
                                   4 * all_words(plan) + START_BYTES);
    if (!run->machine)
        return -ENOMEM;
    run->layout.code = alloc(run, code);
    run->layout.tables = alloc(run, plan->table_bytes);
    run->layout.from = alloc(run, data);
    run->layout.to = alloc(run, data);
    if (window)
        run->layout.window = alloc(run, window);
    memcpy(emulator_at(run->machine, run->layout.code), kernel->code, code);
    qpu_plan_tables(plan, emulator_at(run->machine, run->layout.tables));
    for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++) {
        run->uniforms[q] = alloc(run, 4 * plan->uniform_words[q]);
        qpu_plan_uniforms(plan, &run->layout, q, emulator_at(run->machine, run->uniforms[q]));
    }
    return 0;
}

void fft_run_finish(struct fft_run *run)
{
    emulator_destroy(run->machine);
}

void fft_run_window(const struct fft_run *run, const float *window)
{
    float *to = emulator_at(run->machine, run->layout.window);
    qpu_plan_window(&run->plan, window, 0, to, 1u << run->plan.log2_n);
}

static struct fft_iq *frame_at(const struct fft_run *run, uint32_t bus, uint32_t frame)
{
    return emulator_at(run->machine, bus + frame * run->plan.frame_bytes);
}

struct fft_iq *fft_run_input(const struct fft_run *run, uint32_t frame)
{
    return frame_at(run, run->layout.from, frame);
}

struct fft_iq *fft_run_output(const struct fft_run *run, uint32_t frame)
{
    const bool in_place = qpu_plan_in_place(&run->plan);
    return frame_at(run, in_place ? run->layout.from : run->layout.to, frame);
}

uint32_t *fft_run_code(const struct fft_run *run)
{
    return emulator_at(run->machine, run->layout.code);
}

int fft_run_go(struct fft_run *run, const struct emulator_mode *mode)
{
    struct emulator_start start[QPU_PLAN_QPUS];
    for (uint32_t q = 0; q < QPU_PLAN_QPUS; q++)
        start[q] =
            (struct emulator_start){run->layout.code, run->uniforms[q], run->plan.uniform_words[q]};
    return emulator_run(run->machine, start, QPU_PLAN_QPUS, mode, &run->report);
}
