/* disassemble.c - writes instructions as text that assembles to the same words. */
#include <stdarg.h>
#include <string.h>

#include "tools/qpu-asm/asm.h"

struct text {
    char *at;
    size_t left;
};

static void append(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(struct text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(t->at, t->left, format, arguments);
    va_end(arguments);
    size_t used = length < 0 ? 0 : (size_t)length < t->left ? (size_t)length : t->left - 1;
    t->at += used;
    t->left -= used;
}

static const char *const conditions[] = {"", "", ".ifz", ".ifnz", ".ifn", ".ifnn", ".ifc", ".ifnc"};
static const char *const branch_conditions[] = {".allz", ".allnz", ".anyz", ".anynz",
                                                ".alln", ".allnn", ".anyn", ".anynn",
                                                ".allc", ".allnc", ".anyc", ".anync"};
static const char *const signals[] = {"bkpt",   "",       "thrsw", "thrend", "sbwait", "sbdone",
                                      "lthrsw", "loadcv", "loadc", "ldcend", "ldtmu0", "ldtmu1",
                                      "loadam", "",       "",      ""};

static void append_result(struct text *t, bool to_b, uint8_t address)
{
    const int file = to_b ? QPU_FILE_B : QPU_FILE_A;
    if (address < QPU_FILE_SIZE)
        append(t, "r%c%d", to_b ? 'b' : 'a', address);
    else if (address < QPU_W_ACC0 + 4)
        append(t, "r%d", address - QPU_W_ACC0);
    else if (address == QPU_W_NOP)
        append(t, "-");
    else
        for (const struct qpu_register *r = qpu_registers; r->name; r++)
            if (r->write == address && r->write_file & file) {
                append(t, "%s", r->name);
                return;
            }
}

static void append_port(struct text *t, bool b, uint8_t address)
{
    const int file = b ? QPU_FILE_B : QPU_FILE_A;
    if (address < QPU_FILE_SIZE)
        append(t, "r%c%d", b ? 'b' : 'a', address);
    else
        for (const struct qpu_register *r = qpu_registers; r->name; r++)
            if (r->read == address && r->read_file & file) {
                append(t, "%s", r->name);
                return;
            }
}

static bool has_immediate(const struct qpu_instr *in)
{
    return in->kind == QPU_KIND_ALU && in->sig == QPU_SIG_SMALL_IMM;
}

static void append_immediate(struct text *t, uint8_t code)
{
    uint32_t bits = qpu_small_imm(code);
    float f;
    memcpy(&f, &bits, sizeof f);
    if (code < 32)
        append(t, "%d", (int)bits);
    else
        append(t, f < 1 ? "%.8f" : "%.1f", (double)f);
}

static void append_source(struct text *t, const struct qpu_instr *in, uint8_t mux, bool mul)
{
    const bool immediate = has_immediate(in);
    const bool rotates = immediate && mul && in->raddr_b >= QPU_IMM_ROTATE;
    if (mux < QPU_MUX_A)
        append(t, "r%d", mux);
    else if (mux == QPU_MUX_B && immediate)
        append_immediate(t, in->raddr_b);
    else
        append_port(t, mux == QPU_MUX_B, mux == QPU_MUX_B ? in->raddr_b : in->raddr_a);
    if (rotates && in->raddr_b == QPU_IMM_ROTATE)
        append(t, " >> r5");
    else if (rotates)
        append(t, " >> %d", in->raddr_b - QPU_IMM_ROTATE);
}

struct operation {
    const struct qpu_op *op;
    bool mul, setf, to_b;
    uint8_t cond, address, a, b;
};

static void append_operation(struct text *t, const struct qpu_instr *in, const struct operation *o)
{
    const uint8_t copy = o->mul ? QPU_MUL_V8MIN : QPU_ADD_OR;
    const bool constant = o->a == QPU_MUX_B && has_immediate(in);
    const bool mov = o->op->op == copy && o->a == o->b && !constant;
    append(t, "%s%s%s", mov ? "mov" : o->op->name, o->setf ? ".setf" : "", conditions[o->cond]);
    if (!o->op->operands)
        return;
    append(t, " ");
    append_result(t, o->to_b, o->address);
    append(t, ", ");
    append_source(t, in, o->a, o->mul);
    if (o->op->operands < 2 || mov)
        return;
    append(t, ", ");
    append_source(t, in, o->b, o->mul);
}

static void append_alu(struct text *t, const struct qpu_instr *in)
{
    const bool flags_of_mul = in->op_add == QPU_ADD_NOP;
    const struct operation add = {qpu_op_by_code(qpu_add_ops, in->op_add),
                                  false,
                                  in->sf && !flags_of_mul,
                                  in->ws,
                                  in->cond_add,
                                  in->waddr_add,
                                  in->add_a,
                                  in->add_b};
    const struct operation mul = {qpu_op_by_code(qpu_mul_ops, in->op_mul),
                                  true,
                                  in->sf && flags_of_mul,
                                  !in->ws,
                                  in->cond_mul,
                                  in->waddr_mul,
                                  in->mul_a,
                                  in->mul_b};
    append_operation(t, in, &add);
    if (in->op_mul != QPU_MUL_NOP) {
        append(t, "; ");
        append_operation(t, in, &mul);
    }
    if (*signals[in->sig])
        append(t, "; %s", signals[in->sig]);
}

static void append_lanes(struct text *t, const struct qpu_instr *in)
{
    for (int lane = 0; lane < QPU_LANES; lane++) {
        int low = (int)(in->imm >> lane & 1), high = (int)(in->imm >> (QPU_LANES + lane) & 1);
        int value = low + (in->kind == QPU_KIND_LDI_SIGNED ? -2 : 2) * high;
        append(t, "%s%d", lane ? ", " : "[", value);
    }
    append(t, "]");
}

static void append_load(struct text *t, const struct qpu_instr *in, bool mul)
{
    append(t, "mov%s%s ", in->sf && !mul ? ".setf" : "",
           conditions[mul ? in->cond_mul : in->cond_add]);
    append_result(t, in->ws != mul, mul ? in->waddr_mul : in->waddr_add);
    if (in->kind == QPU_KIND_LDI)
        append(t, ", 0x%08x", in->imm);
    else if (in->kind == QPU_KIND_SEMA)
        append(t, ", %s(%d)", in->acquire ? "sacq" : "srel", in->semaphore);
    else
        append(t, ", ");
    if (in->kind == QPU_KIND_LDI_SIGNED || in->kind == QPU_KIND_LDI_UNSIGNED)
        append_lanes(t, in);
}

static void append_branch(struct text *t, const struct qpu_instr *in)
{
    append(t, "%s%s ", in->relative ? "brr" : "bra",
           in->cond_br == QPU_BR_ALWAYS ? "" : branch_conditions[in->cond_br]);
    append_result(t, in->ws, in->waddr_add);
    if (in->reg)
        append(t, ", ra%d", in->raddr_a);
    if (!in->reg || in->imm)
        append(t, ", %d", (int32_t)in->imm);
}

void asm_disassemble(const struct qpu_instr *in, char *text, size_t size)
{
    struct text t = {text, size};
    text[0] = '\0';
    if (in->kind == QPU_KIND_BRANCH) {
        append_branch(&t, in);
    } else if (in->kind == QPU_KIND_ALU) {
        append_alu(&t, in);
    } else {
        append_load(&t, in, false);
        if (in->waddr_mul != QPU_W_NOP) {
            append(&t, "; ");
            append_load(&t, in, true);
        }
    }
}
