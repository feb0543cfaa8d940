/* step.c - executes one instruction of one QPU. */
#include "emulate/qpu/state.h"

#include <stddef.h>
#include <string.h>

enum { INSTRUCTION_BYTES = 8 };

static const struct op *fetch(struct emulator *e, struct qpu *q)
{
    const uint32_t index = (q->pc - e->code_base) / INSTRUCTION_BYTES;
    if (q->pc < e->code_base || index >= CODE_WINDOW || q->pc % INSTRUCTION_BYTES) {
        emulator_fail(e, q, "runs away to 0x%08x", q->pc);
        return NULL;
    }
    struct op *op = &e->code[index];
    if (op->decoded)
        return op;
    const uint8_t *bytes = emulator_memory(e, q->pc, INSTRUCTION_BYTES);
    if (!bytes) {
        emulator_fail(e, q, "runs away to 0x%08x", q->pc);
        return NULL;
    }
    const uint32_t *word = (const uint32_t *)(const void *)bytes;
    emulator_decode(op, (uint64_t)word[1] << 32 | word[0]);
    return op;
}

static uint16_t bits_of(const lanes *mask)
{
    static const lanes bit = {1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                              1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    const lanes one_each = *mask & bit;
    uint64_t pairs[QPU_LANES / 2], all = 0;
    memcpy(pairs, &one_each, sizeof pairs);
    for (int i = 0; i < QPU_LANES / 2; i++)
        all |= pairs[i];
    return (uint16_t)(all | all >> 32);
}

/* The lanes in which a condition is true; not for "never" and "always". */
static uint16_t condition(const struct qpu *q, uint8_t cond, lanes *mask)
{
    const struct flag *flag = &q->flags[(cond - QPU_COND_ZS) / 2];
    const bool clear = (cond - QPU_COND_ZS) & 1;
    *mask = clear ? ~flag->mask : flag->mask;
    return (uint16_t)(clear ? ~flag->bits : flag->bits);
}

static void merge(const struct qpu *q, uint8_t cond, struct value *into, const struct value *value)
{
    if (cond == QPU_COND_ALWAYS) {
        *into = *value;
        return;
    }
    lanes mask;
    const uint16_t taken = condition(q, cond, &mask);
    into->v = (into->v & ~mask) | (value->v & mask);
    into->defined =
        (uint16_t)(((into->defined & ~taken) | (value->defined & taken)) & q->flags_defined);
}

/* A write to r5 replicates lane 0 (file B) or the first lane of each quad (file A). */
static void replicate(bool quads, const struct value *from, struct value *to)
{
    for (int i = 0; i < QPU_LANES; i++) {
        const int source = quads ? i & ~3 : 0;
        to->v[i] = from->v[source];
        to->defined = (uint16_t)((to->defined & ~(1 << i)) | (from->defined >> source & 1) << i);
    }
}

static void write_result(struct emulator *e, struct qpu *q, uint8_t address, bool file_a,
                         uint8_t cond, const struct value *value)
{
    if (cond == QPU_COND_NEVER || address == QPU_W_NOP)
        return;
    if (address < QPU_FILE_SIZE) {
        merge(q, cond, file_a ? &q->a[address] : &q->b[address], value);
    } else if (address < QPU_W_ACC0 + 4) {
        merge(q, cond, &q->r[address - QPU_W_ACC0], value);
    } else if (address == QPU_W_A_R5_QUAD) {
        struct value spread = {.defined = 0};
        replicate(file_a, value, &spread);
        merge(q, cond, &q->r[5], &spread);
    } else {
        struct value always = *value;
        if (cond != QPU_COND_ALWAYS) {
            always = (struct value){.defined = ALL_LANES};
            merge(q, cond, &always, value);
        }
        port_write(e, q, file_a, address, &always);
    }
}

static void set_flag(struct flag *flag, const lanes *where, const lanes *to)
{
    flag->mask = (flag->mask & ~*where) | (*to & *where);
    flag->bits = bits_of(&flag->mask);
}

static void set_flags(struct qpu *q, uint8_t cond, const struct value *result, const lanes *carry)
{
    const lanes zero = result->v == 0, negative = result->v < 0;
    lanes where = (lanes){0} == 0;
    uint16_t taken = ALL_LANES;
    if (cond > QPU_COND_ALWAYS)
        taken = condition(q, cond, &where);
    set_flag(&q->flags[FLAG_Z], &where, &zero);
    set_flag(&q->flags[FLAG_N], &where, &negative);
    set_flag(&q->flags[FLAG_C], &where, carry);
    if (taken == ALL_LANES)
        q->flags_defined = result->defined;
    else
        q->flags_defined &= (uint16_t)(result->defined | ~taken);
}

/* Writes both ALUs' results under the old flags, then sets the flags. */
static void retire(struct emulator *e, struct qpu *q, const struct op *op, const struct value *add,
                   const struct value *mul, const lanes *carry)
{
    const struct qpu_instr *in = &op->in;
    write_result(e, q, in->waddr_add, !in->ws, in->cond_add, add);
    write_result(e, q, in->waddr_mul, in->ws, in->cond_mul, mul);
    if (!in->sf)
        return;
    const bool from_add = in->kind != QPU_KIND_ALU || in->op_add != QPU_ADD_NOP;
    set_flags(q, from_add ? in->cond_add : in->cond_mul, from_add ? add : mul, carry);
}

static void rotate(struct emulator *e, const struct qpu *q, const struct op *op,
                   struct value *value)
{
    uint32_t by = op->rotate;
    if (by == 16) {
        if (!(q->r[5].defined & 1))
            emulator_fail(e, q, "rotates by an undefined r5");
        by = (uint32_t)q->r[5].v[0] & 15;
    }
    const lanes from = value->v;
    for (uint32_t i = 0; i < QPU_LANES; i++)
        value->v[(i + by) % QPU_LANES] = from[i];
    value->defined = (uint16_t)(value->defined << by | value->defined >> (QPU_LANES - by));
}

static const struct value *operand(const struct qpu *q, uint8_t mux, const struct value *a,
                                   const struct value *b)
{
    return mux == QPU_MUX_A ? a : mux == QPU_MUX_B ? b : &q->r[mux];
}

static void run_alu(struct emulator *e, struct qpu *q, const struct op *op, const struct value *a,
                    const struct value *b)
{
    const struct qpu_instr *in = &op->in;
    struct value add, mul;
    lanes carry = {0};
    add.defined = mul.defined = 0;
    if (in->op_add != QPU_ADD_NOP) {
        const struct value *x = operand(q, in->add_a, a, b), *y = operand(q, in->add_b, a, b);
        alu_add(in->op_add, &x->v, &y->v, &add.v);
        add.defined = op->zero_add ? ALL_LANES : x->defined & y->defined;
        if (in->sf)
            alu_add_carry(in->op_add, &x->v, &y->v, &add.v, &carry);
    }
    if (in->op_mul != QPU_MUL_NOP) {
        const struct value *x = operand(q, in->mul_a, a, b), *y = operand(q, in->mul_b, a, b);
        alu_mul(in->op_mul, &x->v, &y->v, &mul.v);
        mul.defined = op->zero_mul ? ALL_LANES : x->defined & y->defined;
        if (op->rotate)
            rotate(e, q, op, &mul);
    }
    retire(e, q, op, &add, &mul, &carry);
}

static bool branch_taken(struct emulator *e, const struct qpu *q, uint8_t cond)
{
    if (cond == QPU_BR_ALWAYS)
        return true;
    if (q->flags_defined != ALL_LANES)
        emulator_fail(e, q, "branches on undefined flags");
    uint16_t set = q->flags[cond / 4].bits;
    if (cond & 1)
        set = (uint16_t)~set; /* all or any clear */
    return cond & 2 ? set != 0 : set == ALL_LANES;
}

static void run_branch(struct emulator *e, struct qpu *q, const struct qpu_instr *in)
{
    if (!branch_taken(e, q, in->cond_br))
        return;
    const uint32_t next = q->pc + (1 + QPU_DELAY_SLOTS) * INSTRUCTION_BYTES;
    uint32_t target = in->imm + (in->relative ? next : 0);
    if (in->reg) {
        const struct value *r = &q->a[in->raddr_a];
        if (r->defined != ALL_LANES)
            emulator_fail(e, q, "branches to an undefined address");
        for (int i = 1; i < QPU_LANES; i++)
            if (r->v[i] != r->v[0])
                emulator_fail(e, q, "branches to an address that differs between lanes");
        target += (uint32_t)r->v[0];
    }
    q->target = target;
    q->branch_slots = QPU_DELAY_SLOTS + 1;
    struct value link = {.defined = ALL_LANES};
    link.v += (int32_t)next;
    write_result(e, q, in->waddr_add, !in->ws, QPU_COND_ALWAYS, &link);
    write_result(e, q, in->waddr_mul, in->ws, QPU_COND_ALWAYS, &link);
}

/* Reads both ports and runs the ALUs. A peripheral is read even if no ALU uses the value. */
static void run_ports(struct emulator *e, struct qpu *q, const struct op *op)
{
    const struct qpu_instr *in = &op->in;
    const struct value *a = &q->port_a, *b = &q->port_b;
    const bool both_uniform =
        in->raddr_a == QPU_R_UNIF && in->raddr_b == QPU_R_UNIF && in->sig != QPU_SIG_SMALL_IMM;
    if (in->raddr_a < QPU_FILE_SIZE)
        a = &q->a[in->raddr_a];
    else
        port_read(e, q, true, in->raddr_a, &q->port_a);
    if (in->sig == QPU_SIG_SMALL_IMM)
        b = &op->imm;
    else if (in->raddr_b < QPU_FILE_SIZE)
        b = &q->b[in->raddr_b];
    else if (both_uniform)
        b = a;
    else
        port_read(e, q, false, in->raddr_b, &q->port_b);
    run_alu(e, q, op, a, b);
}

static void run_slow(struct emulator *e, struct qpu *q, const struct op *op)
{
    const struct qpu_instr *in = &op->in;
    if (in->kind == QPU_KIND_BRANCH) {
        run_branch(e, q, in);
        return;
    }
    if (in->kind != QPU_KIND_ALU) {
        const lanes none = {0};
        struct value number = {.defined = ALL_LANES};
        number.v += in->semaphore;
        retire(e, q, op, in->kind == QPU_KIND_SEMA ? &number : &op->imm,
               in->kind == QPU_KIND_SEMA ? &number : &op->imm, &none);
        return;
    }
    run_ports(e, q, op);
    if (in->sig == QPU_SIG_LDTMU0 || in->sig == QPU_SIG_LDTMU1)
        tmu_take(e, q, in->sig == QPU_SIG_LDTMU1);
    if (in->sig == QPU_SIG_THREND)
        q->end_slots = QPU_THREND_SLOTS + 1;
}

static void advance(struct qpu *q, const struct op *op)
{
    rules_note(q, op);
    q->issued++;
    q->pc += INSTRUCTION_BYTES;
    if (q->issued == q->recent.sfu_ready)
        q->r[4] = q->sfu;
    if (q->branch_slots && --q->branch_slots == 0)
        q->pc = q->target;
    if (q->end_slots && --q->end_slots == 0)
        q->active = false;
}

bool emulator_step(struct emulator *e, struct qpu *q)
{
    const struct op *op = fetch(e, q);
    if (!op)
        return false;
    rules_check(e, q, op);
    if (e->failed)
        return false;
    const struct qpu_instr *in = &op->in;
    if (op->ports) {
        if (port_would_stall(e, q, op))
            return false;
        if (in->kind == QPU_KIND_SEMA && !port_sema(e, in))
            return false;
        run_slow(e, q, op);
    } else if (in->kind == QPU_KIND_LDI) {
        const lanes none = {0};
        retire(e, q, op, &op->imm, &op->imm, &none);
    } else {
        static const struct value undefined;
        const struct value *a = in->raddr_a < 32 ? &q->a[in->raddr_a] : &undefined;
        const struct value *b = in->sig == QPU_SIG_SMALL_IMM ? &op->imm
                                : in->raddr_b < 32           ? &q->b[in->raddr_b]
                                                             : &undefined;
        run_alu(e, q, op, a, b);
    }
    if (e->failed)
        return false;
    advance(q, op);
    return true;
}
