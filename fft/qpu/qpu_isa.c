/* qpu_isa.c - encodes and decodes instructions, and has the tables of operations and registers. */
#include "fft/qpu/qpu_isa.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

const struct qpu_op qpu_add_ops[] = {
    {"nop", QPU_ADD_NOP, 0},
    {"fadd", QPU_ADD_FADD, 2},
    {"fsub", QPU_ADD_FSUB, 2},
    {"fmin", QPU_ADD_FMIN, 2},
    {"fmax", QPU_ADD_FMAX, 2},
    {"fminabs", QPU_ADD_FMINABS, 2},
    {"fmaxabs", QPU_ADD_FMAXABS, 2},
    {"ftoi", QPU_ADD_FTOI, 1},
    {"itof", QPU_ADD_ITOF, 1},
    {"add", QPU_ADD_ADD, 2},
    {"sub", QPU_ADD_SUB, 2},
    {"shr", QPU_ADD_SHR, 2},
    {"asr", QPU_ADD_ASR, 2},
    {"ror", QPU_ADD_ROR, 2},
    {"shl", QPU_ADD_SHL, 2},
    {"min", QPU_ADD_MIN, 2},
    {"max", QPU_ADD_MAX, 2},
    {"and", QPU_ADD_AND, 2},
    {"or", QPU_ADD_OR, 2},
    {"xor", QPU_ADD_XOR, 2},
    {"not", QPU_ADD_NOT, 1},
    {"clz", QPU_ADD_CLZ, 1},
    {"v8adds", QPU_ADD_V8ADDS, 2},
    {"v8subs", QPU_ADD_V8SUBS, 2},
    {NULL, 0, 0},
};

const struct qpu_op qpu_mul_ops[] = {
    {"nop", QPU_MUL_NOP, 0},       {"fmul", QPU_MUL_FMUL, 2},     {"mul24", QPU_MUL_MUL24, 2},
    {"v8muld", QPU_MUL_V8MULD, 2}, {"v8min", QPU_MUL_V8MIN, 2},   {"v8max", QPU_MUL_V8MAX, 2},
    {"v8adds", QPU_MUL_V8ADDS, 2}, {"v8subs", QPU_MUL_V8SUBS, 2}, {NULL, 0, 0},
};

const struct qpu_register qpu_registers[] = {
    {"unif", QPU_FILE_ANY, QPU_R_UNIF, 0, 0},
    {"elem_num", QPU_FILE_A, QPU_R_A_ELEMENT, 0, 0},
    {"qpu_num", QPU_FILE_B, QPU_R_B_QPU, 0, 0},
    {"vpm", QPU_FILE_ANY, QPU_R_VPM, QPU_FILE_ANY, QPU_W_VPM},
    {"vr_busy", QPU_FILE_A, QPU_R_A_VPM_LD_BUSY, 0, 0},
    {"vw_busy", QPU_FILE_B, QPU_R_B_VPM_ST_BUSY, 0, 0},
    {"vr_wait", QPU_FILE_A, QPU_R_A_VPM_LD_WAIT, 0, 0},
    {"vw_wait", QPU_FILE_B, QPU_R_B_VPM_ST_WAIT, 0, 0},
    {"mutex", QPU_FILE_ANY, QPU_R_MUTEX_ACQUIRE, QPU_FILE_ANY, QPU_W_MUTEX_RELEASE},
    {"tmu_noswap", 0, 0, QPU_FILE_ANY, QPU_W_TMU_NOSWAP},
    {"r5quad", 0, 0, QPU_FILE_A, QPU_W_A_R5_QUAD},
    {"r5rep", 0, 0, QPU_FILE_B, QPU_W_B_R5_REP},
    {"irq", 0, 0, QPU_FILE_ANY, QPU_W_HOST_INT},
    {"interrupt", 0, 0, QPU_FILE_ANY, QPU_W_HOST_INT},
    {"unif_addr", 0, 0, QPU_FILE_ANY, QPU_W_UNIFORMS_ADDRESS},
    {"vr_setup", 0, 0, QPU_FILE_A, QPU_W_A_VPM_LD_SETUP},
    {"vw_setup", 0, 0, QPU_FILE_B, QPU_W_B_VPM_ST_SETUP},
    {"vr_addr", 0, 0, QPU_FILE_A, QPU_W_A_VPM_LD_ADDR},
    {"vw_addr", 0, 0, QPU_FILE_B, QPU_W_B_VPM_ST_ADDR},
    {"sfu_recip", 0, 0, QPU_FILE_ANY, QPU_W_SFU_RECIP},
    {"sfu_rsqrt", 0, 0, QPU_FILE_ANY, QPU_W_SFU_RSQRT},
    {"sfu_exp2", 0, 0, QPU_FILE_ANY, QPU_W_SFU_EXP2},
    {"sfu_log2", 0, 0, QPU_FILE_ANY, QPU_W_SFU_LOG2},
    {"t0s", 0, 0, QPU_FILE_ANY, QPU_W_TMU0_S},
    {"t0t", 0, 0, QPU_FILE_ANY, QPU_W_TMU0_S + 1},
    {"t0r", 0, 0, QPU_FILE_ANY, QPU_W_TMU0_S + 2},
    {"t0b", 0, 0, QPU_FILE_ANY, QPU_W_TMU0_S + 3},
    {"t1s", 0, 0, QPU_FILE_ANY, QPU_W_TMU1_S},
    {"t1t", 0, 0, QPU_FILE_ANY, QPU_W_TMU1_S + 1},
    {"t1r", 0, 0, QPU_FILE_ANY, QPU_W_TMU1_S + 2},
    {"t1b", 0, 0, QPU_FILE_ANY, QPU_W_TMU1_S + 3},
    {NULL, 0, 0, 0, 0},
};

const struct qpu_op *qpu_op_find(const struct qpu_op *table, const char *name)
{
    for (; table->name; table++)
        if (!strcmp(table->name, name))
            return table;
    return NULL;
}

const struct qpu_op *qpu_op_by_code(const struct qpu_op *table, uint8_t op)
{
    for (; table->name; table++)
        if (table->op == op)
            return table;
    return NULL;
}

struct qpu_instr qpu_nop(void)
{
    return (struct qpu_instr){.sig = QPU_SIG_NONE,
                              .waddr_add = QPU_W_NOP,
                              .waddr_mul = QPU_W_NOP,
                              .raddr_a = QPU_R_NOP,
                              .raddr_b = QPU_R_NOP};
}

static uint64_t at(uint64_t value, int bit)
{
    return value << bit;
}

static uint32_t bits(uint64_t word, int high, int low)
{
    return (uint32_t)(word >> low) & (uint32_t)((1ull << (high - low + 1)) - 1);
}

static uint64_t encode_writes(const struct qpu_instr *in)
{
    return at(in->ws, 44) | at(in->waddr_add, 38) | at(in->waddr_mul, 32);
}

/* Bits 56..32, which are the same in all kinds but branches. */
static uint64_t encode_upper(const struct qpu_instr *in)
{
    return at(in->pm, 56) | at(in->pack, 52) | at(in->cond_add, 49) | at(in->cond_mul, 46) |
           at(in->sf, 45) | encode_writes(in);
}

static uint64_t encode_alu(const struct qpu_instr *in)
{
    return at(in->sig, 60) | at(in->unpack, 57) | encode_upper(in) | at(in->op_mul, 29) |
           at(in->op_add, 24) | at(in->raddr_a, 18) | at(in->raddr_b, 12) | at(in->add_a, 9) |
           at(in->add_b, 6) | at(in->mul_a, 3) | in->mul_b;
}

/* Bits 63..57 of the kinds that share the signal LDI. */
enum { PREFIX_LDI = 0x70, PREFIX_SIGNED = 0x71, PREFIX_UNSIGNED = 0x73, PREFIX_SEMA = 0x74 };

uint64_t qpu_encode(const struct qpu_instr *in)
{
    switch (in->kind) {
    case QPU_KIND_LDI:
        return at(PREFIX_LDI, 57) | encode_upper(in) | in->imm;
    case QPU_KIND_LDI_SIGNED:
        return at(PREFIX_SIGNED, 57) | encode_upper(in) | in->imm;
    case QPU_KIND_LDI_UNSIGNED:
        return at(PREFIX_UNSIGNED, 57) | encode_upper(in) | in->imm;
    case QPU_KIND_SEMA:
        return at(PREFIX_SEMA, 57) | encode_upper(in) | at(in->acquire, 4) | in->semaphore;
    case QPU_KIND_BRANCH:
        return at(QPU_SIG_BRANCH, 60) | at(in->cond_br, 52) | at(in->relative, 51) |
               at(in->reg, 50) | at(in->raddr_a & 31, 45) | encode_writes(in) | in->imm;
    case QPU_KIND_ALU:
        break;
    }
    return encode_alu(in);
}

static void decode_upper(uint64_t word, struct qpu_instr *out)
{
    out->pm = (uint8_t)bits(word, 56, 56);
    out->pack = (uint8_t)bits(word, 55, 52);
    out->cond_add = (uint8_t)bits(word, 51, 49);
    out->cond_mul = (uint8_t)bits(word, 48, 46);
    out->sf = bits(word, 45, 45);
}

static int decode_immediate(uint64_t word, struct qpu_instr *out)
{
    decode_upper(word, out);
    out->imm = (uint32_t)word;
    switch (bits(word, 63, 57)) {
    case PREFIX_LDI:
        out->kind = QPU_KIND_LDI;
        return 0;
    case PREFIX_SIGNED:
        out->kind = QPU_KIND_LDI_SIGNED;
        return 0;
    case PREFIX_UNSIGNED:
        out->kind = QPU_KIND_LDI_UNSIGNED;
        return 0;
    case PREFIX_SEMA:
        out->kind = QPU_KIND_SEMA;
        out->acquire = bits(word, 4, 4);
        out->semaphore = (uint8_t)bits(word, 3, 0);
        out->imm = 0;
        return bits(word, 31, 5) ? -EINVAL : 0;
    default:
        return -EINVAL;
    }
}

static int decode_branch(uint64_t word, struct qpu_instr *out)
{
    out->kind = QPU_KIND_BRANCH;
    out->cond_br = (uint8_t)bits(word, 55, 52);
    out->relative = bits(word, 51, 51);
    out->reg = bits(word, 50, 50);
    out->raddr_a = (uint8_t)bits(word, 49, 45);
    out->imm = (uint32_t)word;
    bool known = out->cond_br <= QPU_BR_ANY_CC || out->cond_br == QPU_BR_ALWAYS;
    return known && !bits(word, 59, 56) ? 0 : -EINVAL;
}

static int decode_alu(uint64_t word, struct qpu_instr *out)
{
    decode_upper(word, out);
    out->kind = QPU_KIND_ALU;
    out->unpack = (uint8_t)bits(word, 59, 57);
    out->op_mul = (uint8_t)bits(word, 31, 29);
    out->op_add = (uint8_t)bits(word, 28, 24);
    out->raddr_a = (uint8_t)bits(word, 23, 18);
    out->raddr_b = (uint8_t)bits(word, 17, 12);
    out->add_a = (uint8_t)bits(word, 11, 9);
    out->add_b = (uint8_t)bits(word, 8, 6);
    out->mul_a = (uint8_t)bits(word, 5, 3);
    out->mul_b = (uint8_t)bits(word, 2, 0);
    return qpu_op_by_code(qpu_add_ops, out->op_add) ? 0 : -EINVAL;
}

int qpu_decode(uint64_t word, struct qpu_instr *out)
{
    *out = qpu_nop();
    out->sig = (uint8_t)bits(word, 63, 60);
    out->ws = bits(word, 44, 44);
    out->waddr_add = (uint8_t)bits(word, 43, 38);
    out->waddr_mul = (uint8_t)bits(word, 37, 32);
    if (out->sig == QPU_SIG_BRANCH)
        return decode_branch(word, out);
    if (out->sig == QPU_SIG_LDI)
        return decode_immediate(word, out);
    return decode_alu(word, out);
}

static uint32_t power_of_two(int exponent)
{
    return (uint32_t)(127 + exponent) << 23; /* in IEEE 754 single precision */
}

uint32_t qpu_small_imm(uint8_t code)
{
    if (code < 16)
        return code;
    if (code < 32)
        return (uint32_t)(code - 32);
    return power_of_two(code < 40 ? code - 32 : code - 48);
}

int qpu_small_imm_code(uint32_t value)
{
    for (int code = 0; code < QPU_IMM_ROTATE; code++)
        if (qpu_small_imm((uint8_t)code) == value)
            return code;
    return -1;
}
