/*
 * hazard.c - checks the rules that the hardware does not enforce, as far as the program text shows
 * violations. The emulator checks rules that depend on values and time: FIFO depth, VPM counts,
 * final semaphore values, DMA against VPM writes, stale cache lines.
 *
 * Sources: the guide's "Summary of Instruction Restrictions" and the addendum. A rule about two
 * instructions is checked for every pair that can execute within the rule's distance.
 */
#include "tools/qpu-asm/asm.h"
#include "tools/qpu-asm/effects.h"
#include "tools/qpu-asm/pool.h"

#define BIT(address) (1ull << (address))

static bool reads(const struct asm_effects *x, uint64_t addresses)
{
    return (x->read_a | x->read_b) & addresses;
}

static bool writes(const struct asm_effects *x, uint64_t addresses)
{
    return (x->write_a | x->write_b) & addresses;
}

/* Rules about one instruction. */

static bool two_units(const struct asm_effects *x)
{
    return x->units > 1;
}

static bool conditional_peripheral(const struct asm_effects *x)
{
    return x->conditional_peripheral;
}

static bool repeats_setup(const struct asm_effects *x)
{
    const uint64_t vpm = asm_span(QPU_W_VPM, QPU_W_A_VPM_LD_ADDR);
    return (x->write_a & vpm) && (x->write_b & vpm);
}

static bool thrend_writes_file(const struct asm_effects *x)
{
    return x->thrend && writes(x, asm_span(0, QPU_FILE_SIZE - 1));
}

static const struct {
    bool (*broken)(const struct asm_effects *x);
    const char *what;
} single_rules[] = {
    {two_units, "more than one of TMU, TLB, SFU, mutex and semaphore in one instruction"},
    {conditional_peripheral, "a peripheral register is written under a condition"},
    {repeats_setup, "two VPM, setup or address registers are written in one instruction"},
    {thrend_writes_file, "the thrend instruction writes a register of a file"},
};

/* Rules about two instructions: y executes `distance` instructions after x. */

static bool file_too_early(const struct asm_effects *x, const struct asm_effects *y)
{
    const uint64_t files = asm_span(0, QPU_FILE_SIZE - 1);
    return (x->write_a & y->read_a & files) || (x->write_b & y->read_b & files);
}

static bool rotation_too_early(const struct asm_effects *x, const struct asm_effects *y)
{
    return x->write_acc & y->rotated_acc;
}

static bool r5_too_early(const struct asm_effects *x, const struct asm_effects *y)
{
    return y->rotates_by_r5 && (x->write_acc & 1u << 5 || x->write_a & BIT(QPU_W_A_R5_QUAD));
}

static bool branches_too_close(const struct asm_effects *x, const struct asm_effects *y)
{
    return x->branch && (y->branch || y->thrend);
}

static bool uniform_too_early(const struct asm_effects *x, const struct asm_effects *y)
{
    return writes(x, BIT(QPU_W_UNIFORMS_ADDRESS)) && reads(y, BIT(QPU_R_UNIF));
}

static bool tmu_too_early(const struct asm_effects *x, const struct asm_effects *y)
{
    return writes(x, BIT(QPU_W_TMU_NOSWAP)) && writes(y, asm_span(QPU_W_TMU0_S, QPU_W_TMU1_S + 3));
}

static bool sfu_disturbed(const struct asm_effects *x, const struct asm_effects *y)
{
    return writes(x, asm_span(QPU_W_SFU_RECIP, QPU_W_SFU_LOG2)) &&
           (y->read_acc | y->write_acc) & 1u << 4;
}

static bool vpm_too_early(const struct asm_effects *x, const struct asm_effects *y)
{
    return x->write_a & BIT(QPU_W_A_VPM_LD_SETUP) && reads(y, BIT(QPU_R_VPM));
}

static bool thrend_peripheral(const struct asm_effects *x, const struct asm_effects *y)
{
    const uint64_t read =
        BIT(QPU_R_UNIF) | BIT(QPU_R_VARYING) | asm_span(QPU_R_VPM, QPU_R_A_VPM_LD_WAIT);
    const uint64_t write = BIT(QPU_W_UNIFORMS_ADDRESS) | asm_span(QPU_W_VPM, QPU_W_A_VPM_LD_ADDR);
    return x->thrend && (reads(y, read) || writes(y, write));
}

static bool thrend_14(const struct asm_effects *x, const struct asm_effects *y)
{
    return x->thrend && (reads(y, BIT(14)) || writes(y, BIT(14)));
}

static bool thrend_branch(const struct asm_effects *x, const struct asm_effects *y)
{
    return x->thrend && (y->branch || y->thrend);
}

static const struct rule {
    int from, to; /* distances */
    bool (*broken)(const struct asm_effects *x, const struct asm_effects *y);
    const char *what;
} pair_rules[] = {
    {1, 1, file_too_early, "reads a register of a file written by the instruction before"},
    {1, 1, rotation_too_early, "rotates an accumulator written by the instruction before"},
    {1, 1, r5_too_early, "rotates by r5, written by the instruction before"},
    {1, 3, branches_too_close, "a branch or thrend in the three delay slots of a branch"},
    {1, 2, uniform_too_early, "two instructions must lie between unif_addr and reading unif"},
    {1, 3, tmu_too_early, "three instructions must lie between tmu_noswap and a TMU write"},
    {1, 2, sfu_disturbed, "r4 is touched in the two instructions after an SFU write"},
    {1, 3, vpm_too_early, "three instructions must lie between vr_setup and reading vpm"},
    {0, 2, thrend_peripheral, "uniform, varying or VPM access in thrend or its two slots"},
    {0, 2, thrend_14, "ra14 or rb14 in thrend or its two slots"},
    {1, 2, thrend_branch, "a branch or thrend in the two slots of thrend"},
};

enum { MAX_DISTANCE = 3 };

struct check {
    struct asm_program *program;
    const struct asm_effects *effects; /* [program->count] */
    const size_t *returns; /* [return_count]: the instructions after branches with a link */
    size_t return_count;
};

static void check_pair(const struct check *c, size_t x, size_t y, int distance)
{
    const struct asm_instr *code = c->program->code;
    for (size_t i = 0; i < sizeof pair_rules / sizeof pair_rules[0]; i++) {
        const struct rule *rule = &pair_rules[i];
        if (distance < rule->from || distance > rule->to ||
            !rule->broken(&c->effects[x], &c->effects[y]))
            continue;
        if (x == y)
            asm_error(c->program, code[y].where, "%s", rule->what);
        else
            asm_error(c->program, code[y].where, "%s (%s:%d)", rule->what, code[x].where.file,
                      code[x].where.line);
    }
}

static void check_following(const struct check *c, size_t from, size_t at, int distance);

/* Continues after a branch's delay slots, at its target and, if it is conditional, after it. */
static void check_branch(const struct check *c, size_t from, size_t branch, int distance)
{
    const struct qpu_instr *in = &c->program->code[branch].in;
    const size_t next = branch + 1 + QPU_DELAY_SLOTS;
    if (in->reg)
        for (size_t i = 0; i < c->return_count; i++)
            check_following(c, from, c->returns[i], distance);
    else if (in->relative)
        check_following(c, from, (size_t)((int64_t)next + (int32_t)in->imm / 8), distance);
    if (in->cond_br != QPU_BR_ALWAYS)
        check_following(c, from, next, distance);
}

/* Checks `from` against the instruction at `at` and against all that may follow it. */
static void check_following(const struct check *c, size_t from, size_t at, int distance)
{
    if (at >= c->program->count) {
        if (distance > 1)
            return; /* already reported for the instruction before */
        asm_error(c->program, c->program->code[from].where, "runs out of the program");
        return;
    }
    check_pair(c, from, at, distance);
    if (distance == MAX_DISTANCE || (at >= 2 && c->effects[at - 2].thrend))
        return;
    if (at >= QPU_DELAY_SLOTS && c->effects[at - QPU_DELAY_SLOTS].branch)
        check_branch(c, from, at - QPU_DELAY_SLOTS, distance + 1);
    else
        check_following(c, from, at + 1, distance + 1);
}

static void check_single(const struct check *c, size_t at)
{
    for (size_t i = 0; i < sizeof single_rules / sizeof single_rules[0]; i++)
        if (single_rules[i].broken(&c->effects[at]))
            asm_error(c->program, c->program->code[at].where, "%s", single_rules[i].what);
}

void asm_check_hazards(struct asm_program *program)
{
    struct asm_effects *effects = asm_pool_alloc(program->pool, program->count * sizeof *effects);
    size_t *returns = asm_pool_alloc(program->pool, program->count * sizeof *returns);
    struct check check = {program, effects, returns, 0};
    for (size_t i = 0; i < program->count; i++) {
        const struct qpu_instr *in = &program->code[i].in;
        asm_effects(in, &effects[i]);
        if (effects[i].branch && (in->waddr_add != QPU_W_NOP || in->waddr_mul != QPU_W_NOP))
            returns[check.return_count++] = i + 1 + QPU_DELAY_SLOTS;
    }
    for (size_t i = 0; i < program->count; i++) {
        check_single(&check, i);
        check_following(&check, i, i, 0);
    }
}
