/* emulator.c - runs programs: starts the QPUs, schedules them, and checks the final state. */
#include "emulate/qpu/emulator.h"

#include <errno.h>
#include <fenv.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emulate/qpu/state.h"

const struct emulator_named_mode emulator_modes[EMULATOR_MODES] = {
    {"round robin, immediate", {EMULATOR_ROUND_ROBIN, 0, false}},
    {"run to block, late", {EMULATOR_RUN_TO_BLOCK, 0, true}},
    {"run to block, immediate", {EMULATOR_RUN_TO_BLOCK, 0, false}},
    {"round robin, late", {EMULATOR_ROUND_ROBIN, 0, true}},
    {"random 1, late", {EMULATOR_RANDOM, 1, true}},
    {"random 1, immediate", {EMULATOR_RANDOM, 1, false}},
    {"random 2, late", {EMULATOR_RANDOM, 2, true}},
    {"random 2, immediate", {EMULATOR_RANDOM, 2, false}},
    {"random 3, late", {EMULATOR_RANDOM, 3, true}},
    {"random 3, immediate", {EMULATOR_RANDOM, 3, false}},
};

static void locate(const struct emulator *e, const struct qpu *q, const char *what, char *to,
                   size_t size)
{
    if (q)
        snprintf(to, size, "qpu %u at %u: %s", q->number, (q->pc - e->code_base) / 8, what);
    else
        snprintf(to, size, "%s", what);
}

void emulator_fail(struct emulator *e, const struct qpu *q, const char *format, ...)
{
    if (e->failed)
        return;
    e->failed = true;
    char what[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    locate(e, q, what, e->report->error, sizeof e->report->error);
}

void emulator_warn(struct emulator *e, const struct qpu *q, const char *what)
{
    if (!*e->report->warning)
        locate(e, q, what, e->report->warning, sizeof e->report->warning);
}

static void start_qpu(struct qpu *q, uint32_t number, const struct emulator_start *start)
{
    memset(q, 0, sizeof *q);
    q->number = number;
    q->pc = start->code;
    q->uniforms = start->uniforms;
    q->uniforms_left = start->uniform_words;
    q->uniforms_counted = start->uniform_words > 0;
    q->active = q->swap = true;
    q->recent.file_a = q->recent.file_b = -1;
}

static void start_machine(struct emulator *e, const struct emulator_start *start, uint32_t n)
{
    e->failed = false;
    e->issued = 0;
    e->mutex = -1;
    e->code_base = start[0].code;
    for (uint32_t q = 0; q < n; q++)
        if (start[q].code < e->code_base)
            e->code_base = start[q].code;
    for (uint32_t i = 0; i < CODE_WINDOW; i++)
        e->code[i].decoded = false;
    memset(e->semaphores, 0, sizeof e->semaphores);
    memset(e->tmu_cache, 0, sizeof e->tmu_cache);
    memset(e->l2, 0, sizeof e->l2);
    memset(e->vpm_defined, 0, sizeof e->vpm_defined);
    memset(e->vpm_unconfirmed, 0, sizeof e->vpm_unconfirmed);
    memset(e->vpm_storing, 0, sizeof e->vpm_storing);
    e->store_count = 0;
    e->load = (struct transfer){0};
    for (uint32_t q = 0; q < n; q++)
        start_qpu(&e->qpu[q], q, &start[q]);
}

static uint64_t next_random(uint64_t *state)
{
    /* xorshift64*, S. Vigna, "An experimental exploration of Marsaglia's xorshift generators" */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * 0x2545f4914f6cdd1dull) >> 33;
}

static uint64_t burst_length(enum emulator_schedule schedule, uint64_t *state)
{
    if (schedule == EMULATOR_RANDOM)
        return 1 + next_random(state) % 64;
    return schedule == EMULATOR_ROUND_ROBIN ? 1 : UINT64_MAX;
}

static void fail_deadlock(struct emulator *e, uint32_t n)
{
    char at[100] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < n; i++)
        if (e->qpu[i].active && used < sizeof at)
            used += (size_t)snprintf(at + used, sizeof at - used, " %u@%u", i,
                                     (e->qpu[i].pc - e->code_base) / 8);
    emulator_fail(e, NULL, "deadlock:%s", at);
}

/* The first QPU from `from` on, cyclically, that is in the mask `ready`. */
static uint32_t next_ready(uint32_t ready, uint32_t n, uint32_t from)
{
    while (!(ready >> from % n & 1))
        from++;
    return from % n;
}

static void run_all(struct emulator *e, uint32_t n, const struct emulator_mode *mode)
{
    uint64_t state = mode->seed * 0x9e3779b97f4a7c15ull + 1;
    uint32_t active = (1u << n) - 1, stalled = 0, current = 0;
    while (active && !e->failed) {
        if (!(active & ~stalled)) {
            fail_deadlock(e, n);
            return;
        }
        if (mode->schedule == EMULATOR_RANDOM)
            current = (uint32_t)(next_random(&state) % n);
        current = next_ready(active & ~stalled, n, current);
        struct qpu *q = &e->qpu[current];
        uint64_t left = burst_length(mode->schedule, &state);
        bool progressed = true;
        for (; left && q->active && progressed; left--) {
            progressed = emulator_step(e, q);
            stalled = progressed ? 0 : stalled | 1u << current;
            if (++e->issued > e->limit)
                emulator_fail(e, q, "does not end");
            progressed = progressed && !e->failed;
        }
        if (!q->active)
            active &= ~(1u << current);
        current++;
    }
}

static void check_qpu_end(struct emulator *e, const struct qpu *q)
{
    if (q->tmu[0].count || q->tmu[1].count)
        emulator_fail(e, q, "ended with requests in a TMU");
    if (q->uniforms_counted && q->uniforms_left)
        emulator_fail(e, q, "ended with %u uniforms unread", q->uniforms_left);
    if (q->vr.left)
        emulator_fail(e, q, "ended with %u vectors of the VPM unread", q->vr.left);
}

static void check_end(struct emulator *e, uint32_t n)
{
    for (uint32_t i = 0; i < QPU_SEMAPHORES; i++)
        if (e->semaphores[i])
            emulator_fail(e, NULL, "semaphore %u is left at %u", i, e->semaphores[i]);
    for (uint32_t i = 0; i < n; i++)
        check_qpu_end(e, &e->qpu[i]);
    if (e->store_count || e->load.active)
        emulator_fail(e, NULL, "nobody waited for the last %s", e->store_count ? "store" : "load");
    if (e->mutex >= 0)
        emulator_fail(e, NULL, "qpu %d keeps the mutex", e->mutex);
}

bool emulator_ran(const struct emulator *e, uint32_t bus)
{
    const uint32_t index = (bus - e->code_base) / 8;
    return bus >= e->code_base && index < CODE_WINDOW && e->code[index].decoded;
}

int emulator_run(struct emulator *e, const struct emulator_start *start, uint32_t count,
                 const struct emulator_mode *mode, struct emulator_report *report)
{
    *report = (struct emulator_report){.error = ""};
    e->report = report;
    e->late = mode->late;
    start_machine(e, start, count);
    const int rounding = fegetround();
    fesetround(FE_TOWARDZERO);
    run_all(e, count, mode);
    fesetround(rounding);
    if (!e->failed)
        check_end(e, count);
    for (uint32_t i = 0; i < count; i++) {
        report->instructions += e->qpu[i].issued;
        if (e->qpu[i].issued > report->max_instructions)
            report->max_instructions = e->qpu[i].issued;
    }
    return e->failed ? -EIO : 0;
}
