/* plan_parts.h - what the planner's files share. Internal. */
#ifndef FFTD_FFT_QPU_PLAN_PARTS_H
#define FFTD_FFT_QPU_PLAN_PARTS_H

#include "fft/qpu/plan.h"

/* Vectors of a block. */
static inline uint32_t pass_vectors(const struct qpu_pass *pass)
{
    return 1u << (pass->bits - 4);
}

/* plan_tables.c: of all tables; of the table of pass p for QPU q in them; the constants lie at 0.
 */
uint32_t plan_table_bytes(const struct qpu_plan *plan);
uint32_t plan_table_at(const struct qpu_plan *plan, uint32_t p, uint32_t q);

/*
 * How twiddles move from one k to the next: sin and 2 sin^2 of the half of the angle, for the
 * vectors of stage 4 (0) and 5 (1), in which it is the same in all lanes.
 */
struct plan_step {
    float sine, versine;
};
struct plan_step plan_step(const struct qpu_plan *plan, uint32_t p, uint32_t stage);

/* plan_uniforms.c: sets plan->uniform_words. */
void plan_count_uniforms(struct qpu_plan *plan);

#endif
