/* engine_emu.c - implements the QPU device interface on the emulator. */
#include "emulate/qpu/engine_emu.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/qpu/emulator.h"
#include "fft/qpu/qpu_state.h"

/* CHECKS: how often wait with time-out 0 finds a launch running. */
enum { MEMORY_BYTES = 96 << 20, PAGE = 4096, CHECKS = 3 };

struct emulated {
    struct emulator *machine;
    const struct emulator_named_mode *mode;
    struct qpu_launch launch;
    unsigned long launches_left; /* before a launch that does not end */
    bool running;
    unsigned checks, allocations;
};

struct engine_ops qpu_emu_engine_ops;

static int emu_alloc(struct qpu_device *d, size_t size, struct qpu_memory *out)
{
    struct emulated *emu = d->priv;
    *out = (struct qpu_memory){.size = (size + PAGE - 1) / PAGE * PAGE};
    out->bus = emulator_alloc(emu->machine, (uint32_t)out->size, PAGE);
    if (!out->bus)
        return -ENOMEM;
    out->arm = emulator_at(emu->machine, out->bus);
    emu->allocations++;
    return 0;
}

static void emu_free(struct qpu_device *d, struct qpu_memory *memory)
{
    struct emulated *emu = d->priv;
    if (memory->arm) {
        emulator_free(emu->machine, memory->bus);
        emu->allocations--;
    }
    *memory = (struct qpu_memory){0};
}

static int emu_start(struct qpu_device *d, const struct qpu_launch *launch)
{
    struct emulated *emu = d->priv;
    emu->launch = *launch;
    emu->running = true;
    emu->checks = 0;
    return 0;
}

/* An instruction takes four cycles. Waiting is not counted, because the emulator has no clock. */
static void add_counts(const struct emulator_report *report, uint64_t *counters)
{
    for (int i = 0; i < QPU_COUNTERS; i++)
        if (i == QPU_EXECUTING_CYCLES)
            counters[i] += 4 * report->instructions;
        else if (i == QPU_TMU_MISSES)
            counters[i] += report->tmu_misses;
        else if (i == QPU_L2_MISSES)
            counters[i] += report->lines_read;
        else
            counters[i] = UINT64_MAX;
}

/* The launch runs in wait, as late as possible, so that an early access by the ARM shows. */
static int emu_wait(struct qpu_device *d, int timeout_ms)
{
    struct emulated *emu = d->priv;
    const struct qpu_launch *launch = &emu->launch;
    struct emulator_start start[QPU_COUNT] = {{0}};
    struct emulator_report report;
    if (timeout_ms == 0 && emu->checks++ < CHECKS)
        return 0;
    if (emu->launches_left-- == 0) {
        emu->running = false;
        return -ETIMEDOUT;
    }
    for (unsigned q = 0; q < launch->qpus; q++)
        start[q] = (struct emulator_start){launch->code, launch->uniforms[q], 0};
    const int err = emulator_run(emu->machine, start, launch->qpus, &emu->mode->mode, &report);
    if (err)
        fprintf(stderr, "qpu-emu: %s\n", report.error);
    emu->running = false;
    if (!err && launch->counters)
        add_counts(&report, launch->counters);
    return err ? err : 1;
}

static void emu_close(struct qpu_device *d)
{
    struct emulated *emu = d->priv;
    if (emu->running || emu->allocations)
        fprintf(stderr, "qpu-emu: closed while in use: %u allocations%s\n", emu->allocations,
                emu->running ? ", a launch" : "");
    emulator_destroy(emu->machine);
    free(emu);
}

static const struct qpu_device_ops emu_device_ops = {
    .alloc = emu_alloc,
    .free = emu_free,
    .start = emu_start,
    .wait = emu_wait,
    .close = emu_close,
};

static int emu_open(struct fft_engine *e, struct fft_reason why)
{
    struct qpu_engine *q = e->priv;
    char *end;
    const unsigned long mode = strtoul(e->device, &end, 10);
    const unsigned long last = *end == ',' ? strtoul(end + 1, &end, 10) : 0;
    if (*end || mode >= EMULATOR_MODES) {
        fft_reason_set(why, "'%s': the device is empty, or a mode: 0 to %d", e->device,
                       EMULATOR_MODES - 1);
        return -EINVAL;
    }
    struct emulated *emu = calloc(1, sizeof *emu);
    if (!emu)
        return -ENOMEM;
    emu->mode = &emulator_modes[mode];
    emu->launches_left = last ? last : ULONG_MAX;
    emu->machine = emulator_create(MEMORY_BYTES);
    if (!emu->machine) {
        free(emu);
        return -ENOMEM;
    }
    q->device = (struct qpu_device){.ops = &emu_device_ops, .priv = emu};
    snprintf(e->about, sizeof e->about, "qpu-emu: %s", emu->mode->name);
    return qpu_engine_start(q, why);
}

__attribute__((constructor)) static void init_ops(void)
{
    qpu_emu_engine_ops = qpu_engine_ops;
    qpu_emu_engine_ops.name = "qpu-emu";
    qpu_emu_engine_ops.about = "the qpu engine on emulated QPUs";
    qpu_emu_engine_ops.open = emu_open;
}
