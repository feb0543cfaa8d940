/* effects.c - derives an instruction's effects from its fields. */
#include "tools/qpu-asm/effects.h"

static int count_bits(uint64_t bits)
{
    return __builtin_popcountll(bits);
}

static void add_reads(const struct qpu_instr *in, struct asm_effects *out)
{
    if (in->kind == QPU_KIND_BRANCH && in->reg)
        out->read_a = 1ull << in->raddr_a;
    if (in->kind != QPU_KIND_ALU)
        return;
    const bool immediate = in->sig == QPU_SIG_SMALL_IMM;
    const bool rotates = immediate && in->raddr_b >= QPU_IMM_ROTATE;
    const uint8_t mux[] = {in->add_a, in->add_b, in->mul_a, in->mul_b};
    uint8_t used = 0; /* bits of all eight sources */
    for (int i = 0; i < 4; i++)
        if (i < 2 ? in->op_add != QPU_ADD_NOP : in->op_mul != QPU_MUL_NOP)
            used |= (uint8_t)(1u << mux[i]);
    out->read_acc = used & 0x3f;
    out->read_a = 1ull << in->raddr_a & ~(1ull << QPU_R_NOP);
    if (!immediate)
        out->read_b = 1ull << in->raddr_b & ~(1ull << QPU_R_NOP);
    if (rotates)
        out->rotated_acc = (uint8_t)((1u << in->mul_a | 1u << in->mul_b) & 0x3f);
    out->rotates_by_r5 = rotates && in->raddr_b == QPU_IMM_ROTATE;
}

/* A register that must not be written under a condition: not an accumulator, the null register, or
 * the host interrupt. */
static bool is_peripheral(uint8_t address)
{
    return address > QPU_W_ACC0 + 3 && address != QPU_W_NOP && address != QPU_W_HOST_INT;
}

static void add_write(struct asm_effects *out, bool to_b, uint8_t address, uint8_t cond)
{
    if (cond == QPU_COND_NEVER || address == QPU_W_NOP)
        return;
    *(to_b ? &out->write_b : &out->write_a) |= 1ull << address;
    if (address >= QPU_W_ACC0 && address < QPU_W_ACC0 + 4)
        out->write_acc |= (uint8_t)(1u << (address - QPU_W_ACC0));
    if (address == QPU_W_B_R5_REP)
        out->write_acc |= 1u << 5;
    if (address >= QPU_W_SFU_RECIP && address <= QPU_W_SFU_LOG2)
        out->write_acc |= 1u << 4;
    out->conditional_peripheral |= cond != QPU_COND_ALWAYS && is_peripheral(address);
}

void asm_effects(const struct qpu_instr *in, struct asm_effects *out)
{
    const bool branch = in->kind == QPU_KIND_BRANCH;
    *out = (struct asm_effects){.branch = branch};
    add_reads(in, out);
    add_write(out, in->ws, in->waddr_add, branch ? QPU_COND_ALWAYS : in->cond_add);
    add_write(out, !in->ws, in->waddr_mul, branch ? QPU_COND_ALWAYS : in->cond_mul);
    if (in->kind == QPU_KIND_ALU) {
        out->thrend = in->sig == QPU_SIG_THREND;
        out->ldtmu = in->sig == QPU_SIG_LDTMU0 || in->sig == QPU_SIG_LDTMU1;
    }
    if (out->ldtmu)
        out->write_acc |= 1u << 4;

    const uint64_t write_units = asm_span(QPU_W_TLB, QPU_W_TLB + 4) |
                                 asm_span(QPU_W_MUTEX_RELEASE, QPU_W_TMU1_S + 3) |
                                 1ull << QPU_W_TMU_NOSWAP;
    const uint64_t read_units = 1ull << QPU_R_MUTEX_ACQUIRE;
    const bool tlb = in->kind == QPU_KIND_ALU && in->sig >= QPU_SIG_LOADCV &&
                     in->sig <= QPU_SIG_LOADAM && !out->ldtmu && in->sig != QPU_SIG_LDCEND;
    out->units =
        (uint8_t)(count_bits(out->write_a & write_units) + count_bits(out->write_b & write_units) +
                  (((out->read_a | out->read_b) & read_units) != 0) + out->ldtmu + tlb +
                  (in->kind == QPU_KIND_SEMA));
}
