/* expr.c - evaluates expressions of numbers, names, registers and C's operators. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/qpu-asm/state.h"

bool asm_skip(const char **text, char c)
{
    const char *at = *text + strspn(*text, " \t");
    if (*at != c)
        return false;
    *text = at + 1;
    return true;
}

bool asm_word(const char **text, char *word, size_t size)
{
    const char *at = *text + strspn(*text, " \t");
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    if (!length || length >= size || isdigit((unsigned char)*at))
        return false;
    memcpy(word, at, length);
    word[length] = '\0';
    *text = at + length;
    return true;
}

void asm_end_of_line(struct asm_state *s, const char *text)
{
    text += strspn(text, " \t");
    if (*text)
        asm_fail(s, "unexpected '%s'", text);
}

static bool is_number(const struct asm_value *v)
{
    return v->kind == ASM_INT || v->kind == ASM_FLOAT;
}

/* Binary operators, loosest first. */
enum operation {
    LOGICAL_OR,
    LOGICAL_AND,
    OR,
    XOR,
    AND,
    EQ,
    NE,
    LE,
    GE,
    LT,
    GT,
    SHL,
    SHR,
    ADD,
    SUB,
    MUL,
    DIV,
    REM
};
static const struct {
    const char *text;
    enum operation op;
    int level;
} operators[] = {
    {"||", LOGICAL_OR, 1}, {"&&", LOGICAL_AND, 2}, {"<<", SHL, 8}, {">>", SHR, 8}, {"==", EQ, 6},
    {"!=", NE, 6},         {"<=", LE, 7},          {">=", GE, 7},  {"|", OR, 3},   {"^", XOR, 4},
    {"&", AND, 5},         {"<", LT, 7},           {">", GT, 7},   {"+", ADD, 9},  {"-", SUB, 9},
    {"*", MUL, 10},        {"/", DIV, 10},         {"%", REM, 10},
};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static bool compares(enum operation op)
{
    return op >= EQ && op <= GT;
}

/* The result of a comparison. order: -1, 0 or 1: a is below, equal to or above b; 2: unordered. */
static struct asm_value compared(enum operation op, int order)
{
    enum { BELOW = 1, EQUAL = 2, ABOVE = 4, NEITHER = 8 };
    static const uint8_t true_for[] = {[EQ] = EQUAL,         [NE] = BELOW | ABOVE | NEITHER,
                                       [LE] = BELOW | EQUAL, [GE] = EQUAL | ABOVE,
                                       [LT] = BELOW,         [GT] = ABOVE};
    return asm_int(true_for[op] >> (order + 1) & 1);
}

static struct asm_value on_integers(struct asm_state *s, enum operation op, int64_t a, int64_t b)
{
    if ((op == SHL || op == SHR) && (b < 0 || b > 63))
        return asm_fail(s, "shift by %lld", (long long)b), asm_int(0);
    if ((op == DIV || op == REM) && !b)
        return asm_fail(s, "division by zero"), asm_int(0);
    if (compares(op))
        return compared(op, (a > b) - (a < b));
    const uint64_t ua = (uint64_t)a, ub = (uint64_t)b; /* unsigned: may wrap around */
    switch (op) {
    case LOGICAL_OR:
        return asm_int(a || b);
    case LOGICAL_AND:
        return asm_int(a && b);
    case OR:
        return asm_int(a | b);
    case XOR:
        return asm_int(a ^ b);
    case AND:
        return asm_int(a & b);
    case SHL:
        return asm_int((int64_t)(ua << b));
    case SHR:
        return asm_int(a >> b);
    case ADD:
        return asm_int((int64_t)(ua + ub));
    case SUB:
        return asm_int((int64_t)(ua - ub));
    case MUL:
        return asm_int((int64_t)(ua * ub));
    case DIV:
        return asm_int(b == -1 ? (int64_t)-ua : a / b);
    case REM:
        return asm_int(b == -1 ? 0 : a % b);
    default:
        break;
    }
    return asm_int(0);
}

static struct asm_value on_floats(struct asm_state *s, enum operation op, double a, double b)
{
    struct asm_value v = {.kind = ASM_FLOAT};
    if (compares(op))
        return compared(op, isunordered(a, b) ? 2 : (a > b) - (a < b));
    switch (op) {
    case ADD:
        v.f = a + b;
        break;
    case SUB:
        v.f = a - b;
        break;
    case MUL:
        v.f = a * b;
        break;
    case DIV:
        v.f = a / b;
        break;
    default:
        asm_fail(s, "this operator wants whole numbers");
        break;
    }
    return v;
}

/* r0 << n moves lane i+n to lane i: n lanes down, which is 16-n lanes up. */
static struct asm_value rotated(struct asm_state *s, enum operation op, struct asm_value reg,
                                const struct asm_value *by)
{
    if (by->kind == ASM_REGISTER && by->reg == ASM_ACCUMULATOR && by->number == QPU_MUX_R5) {
        if (op == SHL)
            asm_fail(s, "only >> r5 exists");
        reg.rotate = ASM_ROTATE_R5;
    } else if (by->kind == ASM_INT && by->i >= -QPU_LANES && by->i <= QPU_LANES) {
        reg.rotate = (uint8_t)((op == SHL ? -by->i : by->i) & (QPU_LANES - 1));
    } else {
        asm_fail(s, "a rotation is by -16 .. 16 lanes or by r5");
    }
    return reg;
}

static struct asm_value register_plus(struct asm_state *s, struct asm_value reg, int64_t by)
{
    const int64_t limit = reg.reg == ASM_ACCUMULATOR ? 6 : QPU_FILE_SIZE;
    if (reg.reg == ASM_PERIPHERAL || reg.reg == ASM_NOWHERE)
        return asm_fail(s, "only numbered registers can be counted on"), reg;
    if (by < -limit || by > limit || reg.number + by < 0 || reg.number + by >= limit)
        return asm_fail(s, "there is no register %lld of its file", (long long)reg.number + by),
               reg;
    reg.number = (uint8_t)(reg.number + by);
    return reg;
}

static struct asm_value combine(struct asm_state *s, enum operation op, const struct asm_value *a,
                                const struct asm_value *b)
{
    const bool sum = op == ADD || op == SUB;
    const int64_t by = op == SUB ? -b->i : b->i;
    if (a->kind == ASM_INT && b->kind == ASM_INT)
        return on_integers(s, op, a->i, b->i);
    if (is_number(a) && is_number(b))
        return on_floats(s, op, asm_as_double(a), asm_as_double(b));
    if (a->kind == ASM_REGISTER && (op == SHL || op == SHR))
        return rotated(s, op, *a, b);
    if (a->kind == ASM_REGISTER && b->kind == ASM_INT && sum)
        return register_plus(s, *a, by);
    if (a->kind == ASM_LABEL && b->kind == ASM_LABEL && op == SUB)
        return asm_int(a->i - b->i);
    if (a->kind == ASM_LABEL && b->kind == ASM_INT && sum)
        return (struct asm_value){.kind = ASM_LABEL, .i = a->i + by};
    asm_fail(s, "these two do not go with this operator");
    return *a;
}

/* A numbered label with its direction: 1f, 2b. False: the text has another form. */
static bool numbered_label(struct asm_state *s, const char **text, struct asm_value *out)
{
    char name[16];
    size_t digits = strspn(*text, "0123456789");
    char direction = (*text)[digits];
    if (!digits || digits >= sizeof name || (direction != 'f' && direction != 'b') ||
        isalnum((unsigned char)(*text)[digits + 1]))
        return false;
    memcpy(name, *text, digits);
    name[digits] = '\0';
    size_t address = 0;
    if (!asm_label_find(s, name, direction, &address) && s->final)
        asm_fail(s, "there is no label %s%c", name, direction);
    *out = (struct asm_value){.kind = ASM_LABEL, .i = (int64_t)(8 * address)};
    *text += digits + 1;
    return true;
}

static struct asm_value number(struct asm_state *s, const char **text)
{
    struct asm_value v = {.kind = ASM_INT};
    if (numbered_label(s, text, &v))
        return v;
    const char *at = *text;
    const bool hex = at[0] == '0' && tolower((unsigned char)at[1]) == 'x';
    const bool binary = at[0] == '0' && tolower((unsigned char)at[1]) == 'b';
    size_t digits = strspn(at, "0123456789");
    char *end;
    if (binary) {
        v.i = (int64_t)strtoull(at + 2, &end, 2);
    } else if (!hex && strchr(".eE", at[digits]) && at[digits]) {
        v.kind = ASM_FLOAT;
        v.f = strtod(at, &end);
    } else {
        v.i = (int64_t)strtoull(at, &end, hex ? 16 : 10);
    }
    if (isalnum((unsigned char)*end) || *end == '_' || end == at)
        asm_fail(s, "bad number '%.20s'", at);
    *text = end;
    return v;
}

static struct asm_value name(struct asm_state *s, const char **text)
{
    char word[64];
    struct asm_value v = {.kind = ASM_INT};
    if (!asm_word(text, word, sizeof word))
        return asm_fail(s, "expected a value at '%.20s'", *text), v;
    if (!strcmp(word, "r") && **text == ':') { /* r:label */
        ++*text;
        if (isdigit((unsigned char)**text))
            return number(s, text);
        if (!asm_word(text, word, sizeof word))
            return asm_fail(s, "expected a label at '%.20s'", *text), v;
    }
    if (asm_skip(text, '(')) {
        if (!asm_builtin(s, word, text, &v))
            asm_fail(s, "there is no function '%s'", word);
        return v;
    }
    const struct asm_value *known = asm_scope_find(s, word);
    if (known)
        return *known;
    if (asm_register_name(word, &v))
        return v;
    size_t address = 0;
    v.kind = ASM_LABEL;
    if (!asm_label_find(s, word, 0, &address) && s->final)
        asm_fail(s, "'%s' is not known", word);
    v.i = (int64_t)(8 * address);
    return v;
}

static struct asm_value unary(struct asm_state *s, const char **text)
{
    static const char prefixes[] = "-+~!";
    *text += strspn(*text, " \t");
    if (**text && strchr(prefixes, **text)) {
        const char prefix = *(*text)++;
        struct asm_value v = unary(s, text), zero = asm_int(0);
        if (!is_number(&v) || (v.kind == ASM_FLOAT && prefix == '~'))
            return asm_fail(s, "'%c' wants a number", prefix), v;
        if (prefix == '-')
            return v.kind == ASM_FLOAT ? (v.f = -v.f, v) : combine(s, SUB, &zero, &v);
        if (prefix == '!')
            return asm_int(v.kind == ASM_FLOAT ? v.f == 0 : !v.i);
        return prefix == '~' ? asm_int(~v.i) : v;
    }
    if (asm_skip(text, '(')) {
        struct asm_value v = asm_expression(s, text);
        if (!asm_skip(text, ')'))
            asm_fail(s, "')' is missing");
        return v;
    }
    return isdigit((unsigned char)**text) || **text == '.' ? number(s, text) : name(s, text);
}

static int operator_at(const char *text)
{
    for (int i = 0; i < OPERATORS; i++)
        if (!strncmp(text, operators[i].text, strlen(operators[i].text)))
            return i;
    return -1;
}

static struct asm_value binary(struct asm_state *s, const char **text, int level)
{
    struct asm_value a = unary(s, text);
    while (!s->failed) {
        *text += strspn(*text, " \t");
        int i = operator_at(*text);
        if (i < 0 || operators[i].level < level)
            break;
        *text += strlen(operators[i].text);
        struct asm_value b = binary(s, text, operators[i].level + 1);
        a = combine(s, operators[i].op, &a, &b);
    }
    return a;
}

struct asm_value asm_expression(struct asm_state *s, const char **text)
{
    struct asm_value v = binary(s, text, 1);
    if (s->failed || !asm_skip(text, '?'))
        return v;
    struct asm_value yes = asm_expression(s, text);
    if (!asm_skip(text, ':'))
        asm_fail(s, "':' is missing");
    struct asm_value no = asm_expression(s, text);
    return is_number(&v) && asm_as_double(&v) != 0 ? yes : no;
}

int64_t asm_integer(struct asm_state *s, const char **text)
{
    struct asm_value v = asm_expression(s, text);
    if (v.kind != ASM_INT && (s->final || v.kind != ASM_LABEL))
        asm_fail(s, "expected a whole number");
    return v.i;
}
