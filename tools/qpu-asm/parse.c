/* parse.c - parses an instruction line: the names, conditions and operands of its operations. */
#include <string.h>

#include "tools/qpu-asm/state.h"

static const struct {
    const char *name;
    int value;
} signals[] =
    {
        {"bkpt", QPU_SIG_BKPT},     {"thrsw", QPU_SIG_THRSW},   {"thrend", QPU_SIG_THREND},
        {"sbwait", QPU_SIG_SBWAIT}, {"sbdone", QPU_SIG_SBDONE}, {"lthrsw", QPU_SIG_LTHRSW},
        {"loadcv", QPU_SIG_LOADCV}, {"loadc", QPU_SIG_LOADC},   {"ldcend", QPU_SIG_LDCEND},
        {"ldtmu0", QPU_SIG_LDTMU0}, {"ldtmu1", QPU_SIG_LDTMU1}, {"loadam", QPU_SIG_LOADAM},
},
  conditions[] = {
      {"ifz", QPU_COND_ZS},  {"ifnz", QPU_COND_ZC}, {"ifn", QPU_COND_NS},
      {"ifnn", QPU_COND_NC}, {"ifc", QPU_COND_CS},  {"ifnc", QPU_COND_CC},
};

static int find_signal(const char *name)
{
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (!strcmp(signals[i].name, name))
            return signals[i].value;
    return -1;
}

static void parse_suffixes(struct asm_state *s, const char **text, struct asm_operation *op)
{
    char word[16];
    op->cond = QPU_COND_ALWAYS;
    while (!s->failed && asm_skip(text, '.')) {
        if (!asm_word(text, word, sizeof word)) {
            asm_fail(s, "expected a condition or setf");
            return;
        }
        bool known = !strcmp(word, "setf");
        op->setf |= known;
        for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
            if (!strcmp(conditions[i].name, word)) {
                op->cond = (uint8_t)conditions[i].value;
                known = true;
            }
        if (!known)
            asm_fail(s, "there is no condition '%s'", word);
    }
}

/* [a, b, .. 16 numbers]. In the value, bit i is lane i's low bit, bit 16 + i its high bit. */
static struct asm_value parse_lanes(struct asm_state *s, const char **text)
{
    uint32_t bits = 0;
    bool negative = false, large = false;
    for (int lane = 0; lane < QPU_LANES && !s->failed; lane++) {
        if (lane && !asm_skip(text, ','))
            asm_fail(s, "16 numbers, one a lane");
        int64_t v = asm_integer(s, text);
        negative |= v < 0;
        large |= v > 1;
        if (v < -2 || v > 3)
            asm_fail(s, "a lane's number is -2 .. 1 or 0 .. 3");
        bits |= (uint32_t)(v & 1) << lane | (uint32_t)(v >> 1 & 1) << (QPU_LANES + lane);
    }
    if (!s->failed && !asm_skip(text, ']'))
        asm_fail(s, "16 numbers, one a lane, then ']'");
    if (negative && large)
        asm_fail(s, "lanes' numbers are -2 .. 1 or 0 .. 3, not both");
    return (struct asm_value){.kind = large ? ASM_LANES_UNSIGNED : ASM_LANES_SIGNED, .i = bits};
}

static struct asm_value parse_operand(struct asm_state *s, const char **text)
{
    const char *at = *text + strspn(*text, " \t");
    if (*at == '-') {
        const char *after = at + 1 + strspn(at + 1, " \t");
        if (*after == ',' || !*after) {
            *text = after;
            return (struct asm_value){.kind = ASM_REGISTER, .reg = ASM_NOWHERE};
        }
    }
    if (asm_skip(text, '['))
        return parse_lanes(s, text);
    return asm_expression(s, text);
}

static void parse_operands(struct asm_state *s, const char **text, struct asm_operation *op,
                           const char *name)
{
    const struct qpu_op *known = op->add ? op->add : op->mul;
    const int sources = op->mov ? 1 : known->operands;
    op->sources = sources;
    if (sources == 0) { /* nop */
        op->to = (struct asm_value){.kind = ASM_REGISTER, .reg = ASM_NOWHERE};
        asm_end_of_line(s, *text);
        return;
    }
    op->to = parse_operand(s, text);
    for (int i = 0; i < sources && !s->failed; i++) {
        if (!asm_skip(text, ','))
            asm_fail(s, "%s: %d operands, and the destination first", name, sources + 1);
        op->from[i] = parse_operand(s, text);
    }
    asm_end_of_line(s, *text);
    if (!s->failed && (op->to.kind != ASM_REGISTER || op->to.rotate))
        asm_fail(s, "%s: the destination is no register", name);
}

static void parse_operation(struct asm_state *s, const char *name, const char **text,
                            struct asm_statement *out)
{
    struct asm_operation op = {.mov = !strcmp(name, "mov")};
    op.add = qpu_op_find(qpu_add_ops, op.mov ? "or" : name);
    op.mul = qpu_op_find(qpu_mul_ops, op.mov ? "v8min" : name);
    if (!op.add && !op.mul) {
        asm_fail(s, "there is no operation '%s'", name);
    } else if (out->count == 2) {
        asm_fail(s, "a third operation in one line");
    } else {
        parse_suffixes(s, text, &op);
        if (!s->failed)
            parse_operands(s, text, &op, name);
        out->op[out->count++] = op;
    }
}

static void parse_part(struct asm_state *s, const char *part, struct asm_statement *out)
{
    char name[32];
    if (!asm_word(&part, name, sizeof name)) {
        asm_fail(s, "expected an operation at '%.20s'", part);
        return;
    }
    int signal = find_signal(name);
    if (signal < 0) {
        parse_operation(s, name, &part, out);
        return;
    }
    asm_end_of_line(s, part);
    if (out->signal >= 0)
        asm_fail(s, "a second signal in one line");
    out->signal = signal;
}

static bool is_branch(const char *text)
{
    char name[8];
    return asm_word(&text, name, sizeof name) && (!strcmp(name, "brr") || !strcmp(name, "bra"));
}

static void parse_line(struct asm_state *s, const char *text, struct qpu_instr *out)
{
    if (is_branch(text)) {
        char name[8];
        asm_word(&text, name, sizeof name);
        asm_branch(s, name, &text, out);
        return;
    }
    struct asm_statement statement = {.signal = -1};
    while (!s->failed && *text) {
        size_t length = strcspn(text, ";");
        parse_part(s, asm_pool_copy(s->pool, text, length), &statement);
        text += length + (text[length] == ';');
    }
    if (!s->failed)
        asm_pack(s, &statement, out);
}

void asm_instruction(struct asm_state *s, const char *text)
{
    struct asm_program *p = s->program;
    struct qpu_instr in = qpu_nop();
    if (s->final) /* the first pass only counts, because labels are not known yet */
        parse_line(s, text, &in);
    if (s->failed)
        return;
    p->code = asm_pool_grow(s->pool, p->code, p->count, sizeof *p->code);
    p->code[p->count++] = (struct asm_instr){qpu_encode(&in), in, s->where, s->text};
}
