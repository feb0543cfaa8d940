/*
 * stand_in_pass.c - replaces the planner of passes in tests of the host side: see
 * stand_in_plan.c.
 */
#include <errno.h>
#include <string.h>

#include "fft/cuda/cuda_pass_plan.h"

enum { LONGEST = 512, TABLE = 64 };

int cuda_pass_plan(struct cuda_pass *out, const struct cuda_facts *facts,
                   const struct engine_pass *pass)
{
    if (pass->n > LONGEST || pass->kind != PASS_COMPLEX)
        return -ENOTSUP;
    *out = (struct cuda_pass){.tables_bytes = TABLE, .facts = *facts, .pass = *pass};
    return 0;
}

bool cuda_pass_joins(const struct cuda_facts *facts, const struct engine_pass *pass)
{
    (void)facts;
    (void)pass;
    return false;
}

bool cuda_pass_shrink(struct cuda_pass *p)
{
    (void)p;
    return false;
}

void cuda_pass_tables(const struct cuda_pass *p, void *tables)
{
    (void)p;
    memset(tables, 1, TABLE);
}

bool cuda_pass_launch(const struct cuda_pass *p, const struct cuda_pass_memory *memory,
                      uint32_t rows0, uint32_t index, struct cuda_launch *out)
{
    if (index > 0)
        return false;
    *out = (struct cuda_launch){
        .kernel = "stand_in_pass", .grid = {1, 1, 1}, .block = 32, .cluster = 1};
    out->args.spectrum = (struct spectrum_args){.samples = memory->from,
                                                .middle = memory->to,
                                                .bridge = (uint64_t)(uintptr_t)&p->pass,
                                                .frames = rows0};
    return true;
}

bool cuda_pass_kernel(const struct cuda_pass *p, uint32_t index, const char **module,
                      const char **name, uint32_t *shared)
{
    (void)p;
    *module = "stand_in";
    *name = "stand_in_pass";
    *shared = 0;
    return index == 0;
}
