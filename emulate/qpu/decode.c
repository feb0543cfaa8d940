/* decode.c - decodes an instruction word and checks the rules about a single instruction. */
#include "emulate/qpu/state.h"

#include <stddef.h>

static bool is_peripheral(uint8_t waddr)
{
    return waddr >= QPU_W_TMU_NOSWAP && waddr != QPU_W_A_R5_QUAD && waddr != QPU_W_NOP;
}

static bool opposite(uint8_t x, uint8_t y)
{
    return x >= QPU_COND_ZS && y >= QPU_COND_ZS && (x ^ y) == 1;
}

/* The number of units among TMU, SFU, mutex and semaphore; an instruction may use one. */
static int slow_units(const struct qpu_instr *in)
{
    const uint8_t write[] = {in->waddr_add, in->waddr_mul};
    const uint8_t cond[] = {in->cond_add, in->cond_mul};
    int units = in->kind == QPU_KIND_SEMA;
    for (int i = 0; i < 2; i++)
        units += write[i] >= QPU_W_MUTEX_RELEASE && cond[i] != QPU_COND_NEVER;
    units += in->raddr_a == QPU_R_MUTEX_ACQUIRE || in->raddr_b == QPU_R_MUTEX_ACQUIRE;
    return units;
}

static const char *check_writes(const struct qpu_instr *in)
{
    const uint8_t write[] = {in->waddr_add, in->waddr_mul};
    const uint8_t cond[] = {in->cond_add, in->cond_mul};
    for (int i = 0; i < 2; i++) {
        if (cond[i] > QPU_COND_ALWAYS && is_peripheral(write[i]) && write[i] != QPU_W_HOST_INT)
            return "a peripheral is written under a condition";
        if (write[i] >= QPU_W_QUAD_XY && write[i] < QPU_W_VPM)
            return "writes a register of the pixel pipeline";
    }
    if (cond[0] == QPU_COND_NEVER || cond[1] == QPU_COND_NEVER)
        return NULL;
    if (write[0] >= QPU_W_ACC0 && write[0] != QPU_W_NOP && write[0] == write[1] &&
        !opposite(cond[0], cond[1]))
        return "both ALUs write one register";
    if (write[0] >= QPU_W_VPM && write[0] <= QPU_W_A_VPM_LD_ADDR && write[1] >= QPU_W_VPM &&
        write[1] <= QPU_W_A_VPM_LD_ADDR)
        return "both ALUs write to the VPM";
    return NULL;
}

static bool readable(uint8_t address)
{
    return address <= QPU_R_UNIF || address == QPU_R_A_ELEMENT || address == QPU_R_NOP ||
           (address >= QPU_R_VPM && address <= QPU_R_MUTEX_ACQUIRE);
}

static const char *check_alu(const struct op *op)
{
    const struct qpu_instr *in = &op->in;
    if (in->unpack || in->pm || in->pack)
        return "packing and unpacking are not emulated";
    if (in->sig != QPU_SIG_NONE && in->sig != QPU_SIG_THREND && in->sig != QPU_SIG_LDTMU0 &&
        in->sig != QPU_SIG_LDTMU1 && in->sig != QPU_SIG_SMALL_IMM)
        return "this signal is not emulated";
    if (!readable(in->raddr_a) || (in->sig != QPU_SIG_SMALL_IMM && !readable(in->raddr_b)))
        return "reads a register that is not there";
    if (op->rotate && (in->mul_a > 3 || in->mul_b > 3))
        return "rotates something else than r0 to r3";
    return NULL;
}

static void decode_sources(struct op *op)
{
    const struct qpu_instr *in = &op->in;
    const bool add = in->op_add != QPU_ADD_NOP, mul = in->op_mul != QPU_MUL_NOP;
    const uint8_t mux[] = {in->add_a, in->add_b, in->mul_a, in->mul_b};
    for (int i = 0; i < 4; i++) {
        if (!(i < 2 ? add : mul))
            continue;
        op->uses_a |= mux[i] == QPU_MUX_A;
        op->uses_b |= mux[i] == QPU_MUX_B && in->sig != QPU_SIG_SMALL_IMM;
        if (mux[i] <= QPU_MUX_R5)
            op->sources |= (uint8_t)(1u << mux[i]);
        if (mux[i] <= QPU_MUX_R5 && i >= 2)
            op->mul_sources |= (uint8_t)(1u << mux[i]);
    }
    op->zero_add =
        in->add_a == in->add_b &&
        (in->op_add == QPU_ADD_XOR || in->op_add == QPU_ADD_SUB || in->op_add == QPU_ADD_V8SUBS);
    op->zero_mul = in->mul_a == in->mul_b && in->op_mul == QPU_MUL_V8SUBS;
}

static void decode_immediate(struct op *op)
{
    const struct qpu_instr *in = &op->in;
    op->imm.defined = ALL_LANES;
    if (in->kind == QPU_KIND_ALU && in->sig == QPU_SIG_SMALL_IMM) {
        const bool rotates = in->raddr_b >= QPU_IMM_ROTATE;
        op->imm.v += rotates ? in->raddr_b - 64 : (int32_t)qpu_small_imm(in->raddr_b);
        if (rotates)
            op->rotate = in->raddr_b == QPU_IMM_ROTATE ? 16 : in->raddr_b - QPU_IMM_ROTATE;
        return;
    }
    for (int i = 0; i < QPU_LANES; i++) {
        const int32_t high = (int32_t)(in->imm >> (16 + i) & 1), low = (int32_t)(in->imm >> i & 1);
        if (in->kind == QPU_KIND_LDI)
            op->imm.v[i] = (int32_t)in->imm;
        else
            op->imm.v[i] = (in->kind == QPU_KIND_LDI_SIGNED ? -2 : 2) * high + low;
    }
}

static bool touches_ports(const struct qpu_instr *in)
{
    if (in->kind != QPU_KIND_ALU && in->kind != QPU_KIND_LDI)
        return true;
    return (in->sig != QPU_SIG_NONE && in->sig != QPU_SIG_SMALL_IMM && in->sig != QPU_SIG_LDI) ||
           (in->raddr_a >= 32 && in->raddr_a != QPU_R_NOP) ||
           (in->raddr_b >= 32 && in->raddr_b != QPU_R_NOP && in->sig != QPU_SIG_SMALL_IMM) ||
           is_peripheral(in->waddr_add) || is_peripheral(in->waddr_mul);
}

void emulator_decode(struct op *op, uint64_t word)
{
    *op = (struct op){.decoded = true};
    if (qpu_decode(word, &op->in)) {
        op->broken = "no instruction";
        return;
    }
    decode_immediate(op);
    op->ports = touches_ports(&op->in);
    if (op->in.kind == QPU_KIND_BRANCH) {
        op->uses_a = op->in.reg;
        return;
    }
    if (op->in.kind == QPU_KIND_ALU) {
        decode_sources(op);
        op->broken = check_alu(op);
    }
    if (!op->broken)
        op->broken = check_writes(&op->in);
    if (!op->broken && slow_units(&op->in) > 1)
        op->broken = "uses two of TMU, SFU, mutex and semaphore";
}
