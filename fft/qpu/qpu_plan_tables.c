/*
 * qpu_plan_tables.c - computes the twiddle tables in double precision.
 *
 * A table is a list of pairs of vectors of 16 floats. The constants of butterfly stages 2 and 3
 * come first. Then comes the table of each pass, which its prepare macro in pass.qinc loads. The
 * last pass has a table for each QPU: the QPU's k starts at its number and increases by eight.
 */
#include <math.h>

#include "fft/qpu/qpu_plan.h"

enum { LANES = 16, PAIR = 2 * LANES, PAIR_BYTES = PAIR * sizeof(float), CONSTANT_PAIRS = 2 };

static const double pi = 3.14159265358979323846;

/* True if each QPU has its own k: in the last pass, unless all QPUs share a block. */
static bool has_own_k(const struct qpu_plan *plan, uint32_t p)
{
    return p + 1 == plan->passes && plan->output != QPU_COLUMNS;
}

static uint32_t pairs(const struct qpu_plan *plan, uint32_t p)
{
    const uint32_t stages = plan->pass[p].bits - 4;
    return p == 0 ? stages : (has_own_k(plan, p) ? 2 : 1) + stages;
}

uint32_t qpu_plan_table_offset(const struct qpu_plan *plan, uint32_t p, uint32_t q)
{
    uint32_t at = CONSTANT_PAIRS;
    for (uint32_t before = 0; before < p; before++)
        at += pairs(plan, before);
    if (has_own_k(plan, p))
        at += q * pairs(plan, p);
    return at * PAIR_BYTES;
}

uint32_t qpu_plan_table_bytes(const struct qpu_plan *plan)
{
    const uint32_t last = plan->passes - 1;
    return has_own_k(plan, last) ? qpu_plan_table_offset(plan, last, QPU_PLAN_QPUS)
                                 : qpu_plan_table_offset(plan, plan->passes, 0);
}

static uint32_t reverse_4(uint32_t lane)
{
    return (lane & 1) << 3 | (lane & 2) << 1 | (lane & 4) >> 1 | lane >> 3;
}

/* cos and sin of -2 pi phase[lane]; the phase is in full circles. */
static float *put_phasors(float *to, const double *phase)
{
    for (int lane = 0; lane < LANES; lane++) {
        to[lane] = (float)cos(2 * pi * phase[lane]);
        to[LANES + lane] = (float)-sin(2 * pi * phase[lane]);
    }
    return to + PAIR;
}

/* The rotation by -2 pi phase. */
static struct qpu_twiddle_step twiddle_step(double phase)
{
    const double half = sin(pi * phase);
    return (struct qpu_twiddle_step){(float)-sin(2 * pi * phase), (float)(2 * half * half)};
}

static double k_step(const struct qpu_plan *plan, uint32_t p)
{
    return has_own_k(plan, p) ? QPU_PLAN_QPUS : 1;
}

struct qpu_twiddle_step qpu_plan_twiddle_step(const struct qpu_plan *plan, uint32_t p,
                                              uint32_t stage)
{
    return twiddle_step(ldexp(k_step(plan, p), -(int)(plan->pass[p].done + 5 + stage)));
}

/* The twiddles of a block's elements as they are read: element rev(lane) of 16, for k. */
static float *put_read_start(float *to, const struct qpu_plan_pass *pass, uint32_t k)
{
    double phase[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
        phase[lane] = ldexp((double)k * reverse_4(lane), -(int)(pass->done + 4));
    return put_phasors(to, phase);
}

static float *put_read_step(float *to, const struct qpu_plan *plan, uint32_t p)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const struct qpu_twiddle_step step =
            twiddle_step(ldexp(k_step(plan, p) * reverse_4(lane), -(int)(plan->pass[p].done + 4)));
        to[lane] = step.sine;
        to[LANES + lane] = step.versine;
    }
    return to + PAIR;
}

/* The twiddles of butterfly stage 4 or 5: the lane's constant part times that of k. */
static float *put_stage_start(float *to, const struct qpu_plan_pass *pass, uint32_t stage,
                              uint32_t k)
{
    double phase[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
        phase[lane] = ldexp(lane, -(int)stage - 1) + ldexp(k, -(int)(pass->done + stage + 1));
    return put_phasors(to, phase);
}

/* The constants of a codelet's stage 2 or 3: 1 in lanes whose bit `stage` is clear. */
static float *put_constants(float *to, uint32_t stage)
{
    double phase[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const bool upper = lane >> stage & 1;
        phase[lane] = upper ? ldexp(lane & ((1u << stage) - 1), -(int)stage - 1) : 0;
    }
    return put_phasors(to, phase);
}

static float *put_pass(float *to, const struct qpu_plan *plan, uint32_t p, uint32_t k)
{
    const struct qpu_plan_pass *pass = &plan->pass[p];
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
