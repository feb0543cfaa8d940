/*
 * plan_tables.c - twiddles, computed in double precision.
 *
 * Tables are pairs of vectors of 16 floats. First the constants of butterfly stages 2 and 3; then,
 * for each pass, what its prepare macro in pass.qinc loads: in the last pass for each QPU its own,
 * as its k starts at its number and goes up by eight.
 */
#include <math.h>

#include "fft/qpu/plan_parts.h"

enum { LANES = 16, PAIR_BYTES = 2 * LANES * sizeof(float), CONSTANT_PAIRS = 2 };

static const double pi = 3.14159265358979323846;

/* The last pass, unless all QPUs are in the same block: a k of each QPU's own. */
static bool has_own_k(const struct qpu_plan *plan, uint32_t p)
{
    return p + 1 == plan->passes && plan->output != QPU_COLUMNS;
}

static uint32_t pairs(const struct qpu_plan *plan, uint32_t p)
{
    const uint32_t stages = plan->pass[p].bits - 4;
    return p == 0 ? stages : (has_own_k(plan, p) ? 2 : 1) + stages;
}

uint32_t plan_table_at(const struct qpu_plan *plan, uint32_t p, uint32_t q)
{
    uint32_t at = CONSTANT_PAIRS;
    for (uint32_t before = 0; before < p; before++)
        at += pairs(plan, before);
    if (has_own_k(plan, p))
        at += q * pairs(plan, p);
    return at * PAIR_BYTES;
}

uint32_t plan_table_bytes(const struct qpu_plan *plan)
{
    const uint32_t last = plan->passes - 1;
    return has_own_k(plan, last) ? plan_table_at(plan, last, QPU_PLAN_QPUS)
                                 : plan_table_at(plan, plan->passes, 0);
}

static uint32_t reverse_4(uint32_t lane)
{
    return (lane & 1) << 3 | (lane & 2) << 1 | (lane & 4) >> 1 | lane >> 3;
}

/* cos and sin of -2 pi times turns[lane]. */
static float *put_circle(float *to, const double *turns)
{
    for (int lane = 0; lane < LANES; lane++) {
        to[lane] = (float)cos(2 * pi * turns[lane]);
        to[LANES + lane] = (float)-sin(2 * pi * turns[lane]);
    }
    return to + 2 * LANES;
}

static struct plan_step step_of(double turns)
{
    const double half = sin(pi * turns);
    return (struct plan_step){(float)-sin(2 * pi * turns), (float)(2 * half * half)};
}

static double k_step(const struct qpu_plan *plan, uint32_t p)
{
    return has_own_k(plan, p) ? QPU_PLAN_QPUS : 1;
}

struct plan_step plan_step(const struct qpu_plan *plan, uint32_t p, uint32_t stage)
{
    return step_of(ldexp(k_step(plan, p), -(int)(plan->pass[p].done + 5 + stage)));
}

/* Of what is read: element rev(lane) of 16, of a block that is turned by k. */
static float *put_read_start(float *to, const struct qpu_pass *pass, uint32_t k)
{
    double turns[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
        turns[lane] = ldexp((double)k * reverse_4(lane), -(int)(pass->done + 4));
    return put_circle(to, turns);
}

static float *put_read_step(float *to, const struct qpu_plan *plan, uint32_t p)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const struct plan_step step =
            step_of(ldexp(k_step(plan, p) * reverse_4(lane), -(int)(plan->pass[p].done + 4)));
        to[lane] = step.sine;
        to[LANES + lane] = step.versine;
    }
    return to + 2 * LANES;
}

/* Of butterfly stage 4 or 5: the lane's own part, and k's. */
static float *put_stage_start(float *to, const struct qpu_pass *pass, uint32_t stage, uint32_t k)
{
    double turns[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
        turns[lane] = ldexp(lane, -(int)stage - 1) + ldexp(k, -(int)(pass->done + stage + 1));
    return put_circle(to, turns);
}

/* Of stage 2 or 3 in a codelet: lanes whose bit `stage` is clear are left alone. */
static float *put_constants(float *to, uint32_t stage)
{
    double turns[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const bool upper = lane >> stage & 1;
        turns[lane] = upper ? ldexp(lane & ((1u << stage) - 1), -(int)stage - 1) : 0;
    }
    return put_circle(to, turns);
}

static float *put_pass(float *to, const struct qpu_plan *plan, uint32_t p, uint32_t k)
{
    const struct qpu_pass *pass = &plan->pass[p];
    if (has_own_k(plan, p))
        to = put_read_start(to, pass, k);
    if (p > 0)
        to = put_read_step(to, plan, p);
    for (uint32_t stage = 4; stage < pass->bits; stage++)
        to = put_stage_start(to, pass, stage, k);
    return to;
}

void qpu_plan_tables(const struct qpu_plan *plan, float *tables)
{
    tables = put_constants(tables, 2);
    tables = put_constants(tables, 3);
    for (uint32_t p = 0; p < plan->passes; p++)
        for (uint32_t q = 0; q < (has_own_k(plan, p) ? QPU_PLAN_QPUS : 1); q++)
            tables = put_pass(tables, plan, p, q);
}
