/* branch.c - parses the branch instructions brr and bra. */
#include <string.h>

#include "tools/qpu-asm/state.h"

static const struct {
    const char *name;
    uint8_t cond;
} conditions[] = {
    {"allz", QPU_BR_ALL_ZS},  {"allnz", QPU_BR_ALL_ZC}, {"anyz", QPU_BR_ANY_ZS},
    {"anynz", QPU_BR_ANY_ZC}, {"alln", QPU_BR_ALL_NS},  {"allnn", QPU_BR_ALL_NC},
    {"anyn", QPU_BR_ANY_NS},  {"anynn", QPU_BR_ANY_NC}, {"allc", QPU_BR_ALL_CS},
    {"allnc", QPU_BR_ALL_CC}, {"anyc", QPU_BR_ANY_CS},  {"anync", QPU_BR_ANY_CC},
};

static void parse_condition(struct asm_state *s, const char **text, struct qpu_instr *out)
{
    char word[16] = "";
    out->cond_br = QPU_BR_ALWAYS;
    if (!asm_skip(text, '.'))
        return;
    asm_word(text, word, sizeof word);
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
        if (!strcmp(conditions[i].name, word)) {
            out->cond_br = conditions[i].cond;
            return;
        }
    asm_fail(s, "there is no branch condition '%s'", word);
}

static void parse_link(struct asm_state *s, const char **text, struct qpu_instr *out)
{
    const char *at = *text + strspn(*text, " \t");
    struct asm_value link = {.kind = ASM_REGISTER, .reg = ASM_NOWHERE};
    if (*at == '-')
        *text = at + 1;
    else
        link = asm_expression(s, text);
    if (link.kind != ASM_REGISTER || link.reg == ASM_PERIPHERAL || link.rotate)
        asm_fail(s, "the link goes to a register of a file, an accumulator or '-'");
    else
        asm_pack_results(s, &link, NULL, out);
}

static void set_register(struct asm_state *s, const struct asm_value *v, struct qpu_instr *out)
{
    if (out->reg || v->reg != ASM_FILE_A || v->rotate)
        asm_fail(s, "a branch adds one register, of file A");
    else if (v->number & 1)
        asm_fail(s, "branches with an odd register change the flags, too: take an even one");
    out->reg = true;
    out->raddr_a = v->number & (QPU_FILE_SIZE - 1);
}

static void set_target(struct asm_state *s, const struct asm_value *v, struct qpu_instr *out)
{
    const int64_t slots_end = 8 * ((int64_t)s->program->count + 1 + QPU_DELAY_SLOTS);
    if (v->kind == ASM_LABEL && !out->relative)
        asm_fail(s, "where code lies is not known: brr");
    out->imm = (uint32_t)(v->kind == ASM_LABEL ? v->i - slots_end : v->i);
}

void asm_branch(struct asm_state *s, const char *name, const char **text, struct qpu_instr *out)
{
    out->kind = QPU_KIND_BRANCH;
    out->sig = QPU_SIG_BRANCH;
    out->raddr_a = 0;
    out->relative = !strcmp(name, "brr");
    parse_condition(s, text, out);
    if (!s->failed)
        parse_link(s, text, out);
    bool target = false;
    while (!s->failed && asm_skip(text, ',')) {
        struct asm_value v = asm_expression(s, text);
        if (s->failed)
            return;
        if (v.kind == ASM_REGISTER) {
            set_register(s, &v, out);
        } else if ((v.kind == ASM_LABEL || v.kind == ASM_INT) && !target) {
            set_target(s, &v, out);
            target = true;
        } else {
            asm_fail(s, "a branch goes to a label or a number, and adds a register");
        }
    }
    asm_end_of_line(s, *text);
    if (!s->failed && !target && !out->reg)
        asm_fail(s, "%s: link, then where to", name);
}
