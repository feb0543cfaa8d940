/* rules.c - checks the minimum distances between executed instructions. */
#include "emulate/qpu/state.h"

#include <stddef.h>

/* Instructions from one to the first that may use its effect. */
enum { AFTER_SFU = 3, AFTER_UNIFORMS = 3, AFTER_NOSWAP = 4, AFTER_BRANCH = 4 };

static bool writes(const struct qpu_instr *in, uint8_t first, uint8_t last)
{
    return (in->waddr_add >= first && in->waddr_add <= last && in->cond_add != QPU_COND_NEVER) ||
           (in->waddr_mul >= first && in->waddr_mul <= last && in->cond_mul != QPU_COND_NEVER);
}

static bool reads(const struct op *op, uint8_t first, uint8_t last)
{
    const struct qpu_instr *in = &op->in;
    return in->kind == QPU_KIND_ALU &&
           ((in->raddr_a >= first && in->raddr_a <= last) ||
            (in->raddr_b >= first && in->raddr_b <= last && in->sig != QPU_SIG_SMALL_IMM));
}

static const char *registers_too_early(const struct qpu *q, const struct op *op)
{
    const struct recent *r = &q->recent;
    if (op->uses_a && op->in.raddr_a == r->file_a)
        return "reads a register of file A that the instruction before writes";
    if (op->uses_b && op->in.raddr_b == r->file_b)
        return "reads a register of file B that the instruction before writes";
    if (op->rotate && (op->mul_sources & r->accumulators & 15))
        return "rotates an accumulator that the instruction before writes";
    if (op->rotate == 16 && (r->accumulators & 32))
        return "rotates by r5, which the instruction before writes";
    if ((op->sources & 16) && q->issued < r->sfu_ready)
        return "reads r4 before the SFU has written it";
    return NULL;
}

static const char *ports_too_early(const struct qpu *q, const struct op *op)
{
    const struct recent *r = &q->recent;
    const struct qpu_instr *in = &op->in;
    if (in->kind == QPU_KIND_BRANCH && q->issued < r->branch_allowed)
        return "a branch in the delay slots of a branch";
    if (q->issued < r->uniforms_ready && reads(op, QPU_R_UNIF, QPU_R_UNIF))
        return "reads a uniform too soon after their address";
    if (q->issued < r->noswap_ready && writes(in, QPU_W_TMU0_S, 63))
        return "uses a TMU too soon after tmu_noswap";
    if (q->issued < r->sfu_ready && (writes(in, QPU_W_SFU_RECIP, QPU_W_SFU_LOG2) ||
                                     in->sig == QPU_SIG_LDTMU0 || in->sig == QPU_SIG_LDTMU1))
        return "two results for r4 at once";
    return NULL;
}

/* Checks thrend and its two delay slots. */
static const char *ending(const struct qpu *q, const struct op *op)
{
    const struct qpu_instr *in = &op->in;
    const bool thrend = in->kind == QPU_KIND_ALU && in->sig == QPU_SIG_THREND;
    if (!thrend && !q->end_slots)
        return NULL;
    if (q->end_slots && (thrend || in->kind == QPU_KIND_BRANCH))
        return "a branch or a second end while the program ends";
    if (reads(op, QPU_R_UNIF, 35) || reads(op, QPU_R_VPM, QPU_R_A_VPM_LD_WAIT) ||
        writes(in, QPU_W_VPM, QPU_W_A_VPM_LD_ADDR))
        return "uniforms or VPM while the program ends";
    if (reads(op, 14, 14) || writes(in, 14, 14))
        return "register 14 while the program ends";
    if (thrend && writes(in, 0, 31))
        return "the instruction that ends writes to a register file";
    if (thrend && q->branch_slots)
        return "the end in the delay slots of a branch";
    return NULL;
}

void rules_check(struct emulator *e, struct qpu *q, const struct op *op)
{
    const char *broken = op->broken;
    if (!broken)
        broken = registers_too_early(q, op);
    if (!broken && op->ports)
        broken = ports_too_early(q, op);
    if (!broken && (op->ports || q->end_slots))
        broken = ending(q, op);
    if (broken)
        emulator_fail(e, q, "%s", broken);
}

static void note_write(struct recent *r, uint8_t address, bool file_a)
{
    if (address < QPU_FILE_SIZE) {
        if (file_a)
            r->file_a = address;
        else
            r->file_b = address;
    } else if (address < QPU_W_ACC0 + 4) {
        r->accumulators |= (uint8_t)(1u << (address - QPU_W_ACC0));
    } else if (address == QPU_W_A_R5_QUAD) {
        r->accumulators |= 32;
    }
}

void rules_note(struct qpu *q, const struct op *op)
{
    struct recent *r = &q->recent;
    const struct qpu_instr *in = &op->in;
    r->file_a = r->file_b = -1;
    r->accumulators = 0;
    if (in->cond_add != QPU_COND_NEVER || in->kind == QPU_KIND_BRANCH)
        note_write(r, in->waddr_add, !in->ws);
    if (in->cond_mul != QPU_COND_NEVER || in->kind == QPU_KIND_BRANCH)
        note_write(r, in->waddr_mul, in->ws);
    if (!op->ports)
        return;
    if (in->kind == QPU_KIND_BRANCH)
        r->branch_allowed = q->issued + AFTER_BRANCH;
    if (writes(in, QPU_W_SFU_RECIP, QPU_W_SFU_LOG2))
        r->sfu_ready = q->issued + AFTER_SFU;
    if (writes(in, QPU_W_UNIFORMS_ADDRESS, QPU_W_UNIFORMS_ADDRESS))
        r->uniforms_ready = q->issued + AFTER_UNIFORMS;
    if (writes(in, QPU_W_TMU_NOSWAP, QPU_W_TMU_NOSWAP))
        r->noswap_ready = q->issued + AFTER_NOSWAP;
}
