/* pack.c - assigns the operations of a line to ALUs, register files and read ports. */
#include <string.h>

#include "tools/qpu-asm/state.h"

static bool is_constant(const struct asm_value *value)
{
    return value->kind == ASM_INT || value->kind == ASM_FLOAT;
}

static uint32_t constant_bits(struct asm_state *s, const struct asm_value *value)
{
    if (value->kind == ASM_FLOAT) {
        float f = (float)value->f;
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        return bits;
    }
    if (value->i < INT32_MIN || value->i > UINT32_MAX)
        asm_fail(s, "%lld does not fit 32 bits", (long long)value->i);
    return (uint32_t)value->i;
}

/* The files that can take a result, and the address in them. */
static int result_files(const struct asm_value *v, uint8_t *address)
{
    *address = QPU_W_NOP;
    if (!v || v->reg == ASM_NOWHERE)
        return QPU_FILE_ANY;
    *address = v->number;
    switch (v->reg) {
    case ASM_FILE_A:
        return QPU_FILE_A;
    case ASM_FILE_B:
        return QPU_FILE_B;
    case ASM_ACCUMULATOR:
        *address = (uint8_t)(QPU_W_ACC0 + v->number);
        return v->number < 4 ? QPU_FILE_ANY : 0;
    default:
        *address = v->peripheral->write;
        return v->peripheral->write_file;
    }
}

void asm_pack_results(struct asm_state *s, const struct asm_value *add, const struct asm_value *mul,
                      struct qpu_instr *out)
{
    int add_files = result_files(add, &out->waddr_add);
    int mul_files = result_files(mul, &out->waddr_mul);
    out->ws = !(add_files & QPU_FILE_A && mul_files & QPU_FILE_B);
    if (!add_files || !mul_files)
        asm_fail(s, "this register cannot be written (r4: ldtmu and sfu, r5: r5rep, r5quad)");
    else if (out->ws && !(add_files & QPU_FILE_B && mul_files & QPU_FILE_A))
        asm_fail(s, "both results go to the same file");
}

/* The condition to encode: "never" for a result that is discarded and sets no flags. */
static uint8_t condition(const struct asm_operation *op)
{
    return op->to.reg == ASM_NOWHERE && !op->setf ? QPU_COND_NEVER : op->cond;
}

static bool same_register(const struct asm_value *a, const struct asm_value *b)
{
    return a->reg == b->reg && a->reg != ASM_NOWHERE && a->number == b->number &&
           a->peripheral == b->peripheral;
}

static void pack_writes(struct asm_state *s, const struct asm_operation *add,
                        const struct asm_operation *mul, struct qpu_instr *out)
{
    asm_pack_results(s, add ? &add->to : NULL, mul ? &mul->to : NULL, out);
    out->cond_add = add ? condition(add) : QPU_COND_NEVER;
    out->cond_mul = mul ? condition(mul) : QPU_COND_NEVER;
    out->sf = (add && add->setf) || (mul && mul->setf);
    if (mul && mul->setf && add && !add->setf)
        asm_fail(s, "the flags come from the add operation");
    if (add && mul && same_register(&add->to, &mul->to) && (add->cond ^ 1) != mul->cond)
        asm_fail(s, "both results go to one register, and not under opposite conditions");
}

static bool is_rotated(const struct asm_operation *op)
{
    return op && (op->from[0].rotate || op->from[1].rotate);
}

/* A small immediate or a rotation: both are encoded in the read address of file B. */
static void take_immediate(struct asm_state *s, uint8_t code, struct qpu_instr *out)
{
    if (out->sig != QPU_SIG_NONE && out->sig != QPU_SIG_SMALL_IMM)
        asm_fail(s, "no signal goes with a small immediate or a rotation");
    else if (out->raddr_b != QPU_R_NOP && out->sig == QPU_SIG_NONE)
        asm_fail(s, "a small immediate or a rotation takes the place of file B's register");
    else if (out->sig == QPU_SIG_SMALL_IMM && out->raddr_b != code)
        asm_fail(s, "two different small immediates or rotations in one line");
    out->sig = QPU_SIG_SMALL_IMM;
    out->raddr_b = code;
}

static bool take_port(struct qpu_instr *out, int file, uint8_t address)
{
    uint8_t *port = file == QPU_FILE_A ? &out->raddr_a : &out->raddr_b;
    if (file == QPU_FILE_B && out->sig == QPU_SIG_SMALL_IMM)
        return false;
    if (*port != QPU_R_NOP && *port != address)
        return false;
    *port = address;
    return true;
}

static uint8_t mux_constant(struct asm_state *s, const struct asm_value *v, struct qpu_instr *out)
{
    int code = qpu_small_imm_code(constant_bits(s, v));
    if (code < 0)
        asm_fail(s, "the constant is no small immediate (-16 .. 15, 2^-8 .. 2^7)");
    else
        take_immediate(s, (uint8_t)code, out);
    return QPU_MUX_B;
}

static uint8_t mux_port(struct asm_state *s, int files, uint8_t address, struct qpu_instr *out)
{
    if (files & QPU_FILE_A && take_port(out, QPU_FILE_A, address))
        return QPU_MUX_A;
    if (files & QPU_FILE_B && take_port(out, QPU_FILE_B, address))
        return QPU_MUX_B;
    asm_fail(s, files ? "a second register of the same file is read in one line"
                      : "this register cannot be read");
    return QPU_MUX_A;
}

static bool fits_both_ports(const struct asm_value *v)
{
    return v->kind == ASM_REGISTER && v->reg == ASM_PERIPHERAL &&
           v->peripheral->read_file == QPU_FILE_ANY;
}

static uint8_t mux_of(struct asm_state *s, const struct asm_value *v, struct qpu_instr *out)
{
    if (is_constant(v))
        return mux_constant(s, v, out);
    if (v->kind != ASM_REGISTER || v->reg == ASM_NOWHERE)
        return asm_fail(s, "a source is a register or a constant"), (uint8_t)0;
    switch (v->reg) {
    case ASM_ACCUMULATOR:
        return v->number;
    case ASM_FILE_A:
        return mux_port(s, QPU_FILE_A, v->number, out);
    case ASM_FILE_B:
        return mux_port(s, QPU_FILE_B, v->number, out);
    default:
        return mux_port(s, v->peripheral->read_file, v->peripheral->read, out);
    }
}

static void pack_rotation(struct asm_state *s, const struct asm_operation *mul,
                          struct qpu_instr *out)
{
    const uint8_t rotate = mul->from[0].rotate;
    for (int i = 0; i < mul->sources; i++) {
        if (mul->from[i].rotate != rotate)
            asm_fail(s, "both sources of the mul operation are rotated the same way");
        if (mul->from[i].reg != ASM_ACCUMULATOR || mul->from[i].number > 3)
            asm_fail(s, "only r0 .. r3 can be rotated");
    }
    take_immediate(s, (uint8_t)(QPU_IMM_ROTATE + (rotate == ASM_ROTATE_R5 ? 0 : rotate)), out);
}

/* Assigns operands that fit one port only first, then those that fit both. */
static void pack_sources(struct asm_state *s, const struct asm_operation *op[2],
                         struct qpu_instr *out)
{
    uint8_t *const mux[2][2] = {{&out->add_a, &out->add_b}, {&out->mul_a, &out->mul_b}};
    for (int flexible = 0; flexible < 2; flexible++)
        for (int alu = 0; alu < 2; alu++)
            for (int i = 0; op[alu] && i < op[alu]->sources && !s->failed; i++)
                if (fits_both_ports(&op[alu]->from[i]) == flexible)
                    *mux[alu][i] = mux_of(s, &op[alu]->from[i], out);
    for (int alu = 0; alu < 2; alu++)
        if (op[alu] && op[alu]->sources == 1)
            *mux[alu][1] = *mux[alu][0];
}

static bool fits_add(const struct asm_operation *op)
{
    return op->add && !is_rotated(op);
}

/* op[0] on the add ALU, op[1] on the mul ALU. */
static bool choose_alus(const struct asm_statement *from, const struct asm_operation *op[2])
{
    const struct asm_operation *first = &from->op[0], *second = &from->op[1];
    op[0] = op[1] = NULL;
    if (from->count == 0)
        return true;
    if (from->count == 1) {
        op[!fits_add(first)] = first;
        return op[0] || first->mul;
    }
    const bool swap = !(fits_add(first) && second->mul);
    op[0] = swap ? second : first;
    op[1] = swap ? first : second;
    return fits_add(op[0]) && op[1]->mul;
}

static void pack_alu(struct asm_state *s, const struct asm_statement *from, struct qpu_instr *out)
{
    const struct asm_operation *op[2];
    if (!choose_alus(from, op)) {
        asm_fail(s, "the two operations need the same ALU, or a rotation is not on the mul ALU");
        return;
    }
    out->sig = from->signal < 0 ? QPU_SIG_NONE : (uint8_t)from->signal;
    for (int alu = 0; alu < 2; alu++)
        if (op[alu] && !op[alu]->sources)
            op[alu] = NULL; /* nop */
    out->op_add = op[0] ? op[0]->add->op : QPU_ADD_NOP;
    out->op_mul = op[1] ? op[1]->mul->op : QPU_MUL_NOP;
    pack_writes(s, op[0], op[1], out);
    if (is_rotated(op[1]))
        pack_rotation(s, op[1], out);
    pack_sources(s, op, out);
}

static bool same_load(const struct asm_value *a, const struct asm_value *b)
{
    struct asm_state quiet = {.failed = true};
    if (is_constant(a) && is_constant(b))
        return constant_bits(&quiet, a) == constant_bits(&quiet, b);
    return a->kind == b->kind && a->i == b->i && a->acquire == b->acquire;
}

/* True if the line only has mov of one constant and no signal: an immediate format. */
static bool is_load(const struct asm_statement *from)
{
    for (int i = 0; i < from->count; i++) {
        const struct asm_operation *op = &from->op[i];
        if (!op->mov || op->from[0].kind == ASM_REGISTER || op->from[0].kind == ASM_LABEL)
            return false;
        if (!same_load(&op->from[0], &from->op[0].from[0]))
            return false;
    }
    return from->count && from->signal < 0;
}

static void pack_load(struct asm_state *s, const struct asm_statement *from, struct qpu_instr *out)
{
    const struct asm_value *value = &from->op[0].from[0];
    static const enum qpu_kind kinds[] = {[ASM_SEMAPHORE] = QPU_KIND_SEMA,
                                          [ASM_LANES_SIGNED] = QPU_KIND_LDI_SIGNED,
                                          [ASM_LANES_UNSIGNED] = QPU_KIND_LDI_UNSIGNED};
    out->sig = QPU_SIG_LDI;
    out->kind = is_constant(value) ? QPU_KIND_LDI : kinds[value->kind];
    pack_writes(s, &from->op[0], from->count > 1 ? &from->op[1] : NULL, out);
    if (out->kind == QPU_KIND_SEMA) {
        out->semaphore = (uint8_t)value->i;
        out->acquire = value->acquire;
    } else {
        out->imm = is_constant(value) ? constant_bits(s, value) : (uint32_t)value->i;
    }
}

void asm_pack(struct asm_state *s, const struct asm_statement *statement, struct qpu_instr *out)
{
    if (is_load(statement))
        pack_load(s, statement, out);
    else
        pack_alu(s, statement, out);
}
