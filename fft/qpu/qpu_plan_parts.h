/* qpu_plan_parts.h - declares what the planner's files share. Internal. */
#ifndef FFTD_FFT_QPU_QPU_PLAN_PARTS_H
#define FFTD_FFT_QPU_QPU_PLAN_PARTS_H

#include "fft/qpu/qpu_plan.h"

/* The vectors of a block. */
static inline uint32_t qpu_pass_vectors(const struct qpu_plan_pass *pass)
{
    return 1u << (pass->bits - 4);
}

/* qpu_plan_tables.c: the size of all tables, and the offset of pass p's table for QPU q, in bytes.
 * The constants are at offset 0. */
uint32_t qpu_plan_table_bytes(const struct qpu_plan *plan);
uint32_t qpu_plan_table_offset(const struct qpu_plan *plan, uint32_t p, uint32_t q);

/*
 * The rotation of a twiddle from one k to the next, as the sine of its angle and 2 sin^2 of half
 * the angle. For the vectors of butterfly stages 4 (stage = 0) and 5 (stage = 1), where it is the
 * same in all lanes.
 */
struct qpu_twiddle_step {
    float sine, versine;
};
struct qpu_twiddle_step qpu_plan_twiddle_step(const struct qpu_plan *plan, uint32_t p,
                                              uint32_t stage);

/* qpu_plan_uniforms.c: sets plan->uniform_words. */
void qpu_plan_count_uniforms(struct qpu_plan *plan);

#endif
