/* qpu_plan.c - splits a length into passes. */
#include "fft/qpu/qpu_plan.h"

#include <errno.h>

/* Bits of each pass, by log2_n from QPU_PLAN_MIN_LOG2 on. Those of A. Holme's "GPU_FFT", except for
 * 17 and 18. */
static const uint8_t structures[][QPU_PLAN_PASSES + 1] = {
    {4, 4},    {5, 4},       {5, 5},       {6, 5},       {4, 4, 4},
    {5, 4, 4}, {5, 5, 4},    {5, 5, 5},    {6, 5, 5},    {6, 6, 5},
    {6, 6, 6}, {5, 4, 5, 5}, {5, 5, 5, 5}, {6, 5, 5, 5}, {6, 6, 5, 5},
};

enum { PAGE_BYTES = 4096 };

uint32_t qpu_plan_log2(uint32_t n)
{
    uint32_t log2 = 0;
    while (n >> (log2 + 1))
        log2++;
    return log2;
}

static bool is_length(uint32_t log2_n)
{
    return log2_n >= QPU_PLAN_MIN_LOG2 && log2_n <= QPU_PLAN_MAX_LOG2;
}

static bool is_supported(const struct qpu_task *task)
{
    const bool powers = task->output == QPU_POWERS || task->output == QPU_SUM;
    const bool rows = task->output == QPU_COLUMNS;
    return task->frames && !(rows && task->frames % QPU_PLAN_ROWS) &&
           !(task->inverse && (task->windowed || powers));
}

int qpu_plan_init_passes(struct qpu_plan *plan, const struct qpu_task *task, const uint8_t *bits)
{
    *plan = (struct qpu_plan){.inverse = task->inverse,
                              .windowed = task->windowed,
                              .frames = task->frames,
                              .output = task->output};
    for (; plan->passes < QPU_PLAN_PASSES && bits[plan->passes]; plan->passes++) {
        if (bits[plan->passes] < 4 || bits[plan->passes] > 6)
            return -EINVAL;
        plan->pass[plan->passes].done = plan->log2_n;
        plan->log2_n += plan->pass[plan->passes].bits = bits[plan->passes];
    }
    if (!is_length(plan->log2_n) || plan->log2_n != task->log2_n || plan->passes < 2 ||
        !is_supported(task))
        return -EINVAL;
    for (uint32_t p = 0; p < plan->passes; p++) {
        struct qpu_plan_pass *pass = &plan->pass[p];
        pass->left = plan->log2_n - pass->done - pass->bits;
        pass->steps = (1u << (plan->log2_n - pass->bits)) / QPU_PLAN_QPUS;
    }
    plan->table_bytes = qpu_plan_table_bytes(plan);
    plan->frame_bytes = (8u << plan->log2_n) + PAGE_BYTES;
    plan->end = plan->passes;
    qpu_plan_count_uniforms(plan);
    return 0;
}

int qpu_plan_init(struct qpu_plan *plan, const struct qpu_task *task)
{
    if (!is_length(task->log2_n))
        return -EINVAL;
    return qpu_plan_init_passes(plan, task, structures[task->log2_n - QPU_PLAN_MIN_LOG2]);
}

void qpu_plan_part(const struct qpu_plan *plan, uint32_t p, struct qpu_plan *part)
{
    *part = *plan;
    part->first = p;
    part->end = p + 1;
    qpu_plan_count_uniforms(part);
}

double qpu_plan_gain(const struct qpu_plan *plan)
{
    /* On the average of all mantissas, rounding toward zero takes 0.72 * 2^-24 off the result of an
     * addition or a product. A stage has one addition and a part of the twiddle products. The loss
     * of a stage was measured in emulation. */
    const double loss_per_stage = 0.078e-6;
    return 1 + loss_per_stage * (plan->log2_n - 1);
}

bool qpu_plan_in_place(const struct qpu_plan *plan)
{
    return plan->passes % 2 == 0;
}
