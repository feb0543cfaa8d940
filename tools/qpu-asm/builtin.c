/* builtin.c - the predefined names: registers, functions of constants, and setup words. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/qpu-asm/state.h"

enum { MAX_ARGUMENTS = 5 };

struct function {
    const char *name;
    int count;
    struct asm_value (*call)(const struct asm_value *arguments);
    struct {
        int64_t from, to;
    } range[MAX_ARGUMENTS]; /* from < to: the argument must be a whole number in this range */
};

static struct asm_value real(double f)
{
    return (struct asm_value){.kind = ASM_FLOAT, .f = f};
}

static uint32_t word(const struct asm_value *v)
{
    return (uint32_t)v->i;
}

static struct asm_value call_min(const struct asm_value *a)
{
    return asm_as_double(&a[0]) <= asm_as_double(&a[1]) ? a[0] : a[1];
}

static struct asm_value call_max(const struct asm_value *a)
{
    return asm_as_double(&a[0]) >= asm_as_double(&a[1]) ? a[0] : a[1];
}

static struct asm_value call_log2(const struct asm_value *a)
{
    int64_t log2 = 0;
    while (log2 < 62 && a->i >> (log2 + 1) > 0)
        log2++;
    return asm_int(log2);
}

static struct asm_value call_float(const struct asm_value *a)
{
    return real(asm_as_double(a));
}

static struct asm_value call_int(const struct asm_value *a)
{
    return asm_int((int64_t)asm_as_double(a));
}

static struct asm_value call_bits(const struct asm_value *a)
{
    float f = (float)asm_as_double(a);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return asm_int(bits);
}

static struct asm_value call_sin(const struct asm_value *a)
{
    return real(sin(asm_as_double(a)));
}

static struct asm_value call_cos(const struct asm_value *a)
{
    return real(cos(asm_as_double(a)));
}

static struct asm_value call_sacq(const struct asm_value *a)
{
    return (struct asm_value){.kind = ASM_SEMAPHORE, .i = a->i, .acquire = true};
}

static struct asm_value call_srel(const struct asm_value *a)
{
    return (struct asm_value){.kind = ASM_SEMAPHORE, .i = a->i};
}

static struct asm_value call_h32(const struct asm_value *a)
{
    return asm_int(qpu_vpm_horizontal(word(a)));
}

static struct asm_value call_v32(const struct asm_value *a)
{
    return asm_int(qpu_vpm_vertical(word(&a[0]), word(&a[1])));
}

static struct asm_value call_vpm_setup(const struct asm_value *a)
{
    return asm_int(qpu_vpm_setup(word(&a[0]), word(&a[1]), word(&a[2])));
}

/* The address bits of a setup word: those that differ from a setup of (0, 0). */
static struct asm_value call_dma_h32(const struct asm_value *a)
{
    return asm_int(qpu_vdw_setup(0, 0, word(&a[0]), word(&a[1])) ^ qpu_vdw_setup(0, 0, 0, 0));
}

static struct asm_value call_vdw_setup_0(const struct asm_value *a)
{
    return asm_int(qpu_vdw_setup(word(&a[0]), word(&a[1]), 0, 0) | word(&a[2]));
}

static struct asm_value call_vdw_setup_1(const struct asm_value *a)
{
    return asm_int(qpu_vdw_stride(word(a)));
}

static struct asm_value call_vdr_h32(const struct asm_value *a)
{
    return asm_int(qpu_vdr_setup(0, 0, 0, 0, word(&a[0]), word(&a[1])) ^
                   qpu_vdr_setup(0, 0, 0, 0, 0, 0));
}

static struct asm_value call_vdr_setup_0(const struct asm_value *a)
{
    return asm_int(qpu_vdr_setup(word(&a[0]), word(&a[1]), word(&a[2]), word(&a[3]), 0, 0) |
                   word(&a[4]));
}

static struct asm_value call_vdr_setup_1(const struct asm_value *a)
{
    return asm_int(qpu_vdr_stride(word(a)));
}

static const struct function functions[] = {
    {"min", 2, call_min, {{0, 0}}},
    {"max", 2, call_max, {{0, 0}}},
    {"log2", 1, call_log2, {{1, INT64_MAX}}},
    {"float", 1, call_float, {{0, 0}}},
    {"int", 1, call_int, {{0, 0}}},
    {"bits", 1, call_bits, {{0, 0}}},
    {"sin", 1, call_sin, {{0, 0}}},
    {"cos", 1, call_cos, {{0, 0}}},
    {"sacq", 1, call_sacq, {{0, 15}}},
    {"srel", 1, call_srel, {{0, 15}}},
    {"h32", 1, call_h32, {{0, 63}}},
    {"v32", 2, call_v32, {{0, 63}, {0, 15}}},
    {"vpm_setup", 3, call_vpm_setup, {{1, 16}, {1, 64}, {0, 4095}}},
    {"dma_h32", 2, call_dma_h32, {{0, 63}, {0, 15}}},
    {"vdw_setup_0", 3, call_vdw_setup_0, {{1, 64}, {1, 16}, {0, 0x7fff}}},
    {"vdw_setup_1", 1, call_vdw_setup_1, {{0, 65535}}},
    {"vdr_h32", 2, call_vdr_h32, {{0, 63}, {0, 15}}},
    {"vdr_setup_0", 5, call_vdr_setup_0, {{0, 15}, {1, 16}, {1, 16}, {1, 16}, {0, 1023}}},
    {"vdr_setup_1", 1, call_vdr_setup_1, {{0, 8191}}},
    {0},
};

static void check_range(struct asm_state *s, const struct function *f, int i,
                        const struct asm_value *v)
{
    const int64_t from = f->range[i].from, to = f->range[i].to;
    if (v->kind != ASM_INT && v->kind != ASM_FLOAT)
        asm_fail(s, "%s(): argument %d is not a number", f->name, i + 1);
    else if (from < to && (v->kind != ASM_INT || v->i < from || v->i > to))
        asm_fail(s, "%s(): argument %d is not a whole number from %lld to %lld", f->name, i + 1,
                 (long long)from, (long long)to);
}

/* Checks that ranges cannot express. */
static void check_domain(struct asm_state *s, const struct function *f, const struct asm_value *v)
{
    if (f->call == call_log2 && v->i & (v->i - 1))
        asm_fail(s, "log2() of %lld, which is no power of two", (long long)v->i);
    if (f->call == call_v32 && v->i % QPU_LANES)
        asm_fail(s, "v32(): a column begins at row 0, 16, 32 or 48");
}

bool asm_builtin(struct asm_state *s, const char *name, const char **text, struct asm_value *out)
{
    const struct function *f = functions;
    while (f->name && strcmp(f->name, name) != 0)
        f++;
    if (!f->name)
        return false;
    struct asm_value arguments[MAX_ARGUMENTS] = {{.kind = ASM_INT}};
    for (int i = 0; i < f->count && !s->failed; i++) {
        if (i && !asm_skip(text, ','))
            asm_fail(s, "%s() has %d arguments", name, f->count);
        arguments[i] = asm_expression(s, text);
        if (!s->failed && s->final) /* before, labels further down have no value */
            check_range(s, f, i, &arguments[i]);
    }
    if (!s->failed && !asm_skip(text, ')'))
        asm_fail(s, "%s() has %d arguments, then ')'", name, f->count);
    if (!s->failed && s->final)
        check_domain(s, f, arguments);
    *out = s->failed ? asm_int(0) : f->call(arguments);
    return true;
}

/* ra0 .. rb31, r0 .. r5. */
static bool numbered_register(const char *name, struct asm_value *out)
{
    if (*name++ != 'r')
        return false;
    out->reg = *name == 'a' ? ASM_FILE_A : *name == 'b' ? ASM_FILE_B : ASM_ACCUMULATOR;
    name += out->reg != ASM_ACCUMULATOR;
    if (strspn(name, "0123456789") != strlen(name) || !*name || strlen(name) > 2)
        return false;
    long number = strtol(name, NULL, 10);
    out->number = (uint8_t)number;
    return number < (out->reg == ASM_ACCUMULATOR ? 6 : QPU_FILE_SIZE);
}

bool asm_register_name(const char *name, struct asm_value *out)
{
    *out = (struct asm_value){.kind = ASM_REGISTER};
    if (numbered_register(name, out))
        return true;
    out->reg = ASM_PERIPHERAL;
    for (const struct qpu_register *r = qpu_registers; r->name; r++) {
        if (strcmp(r->name, name) != 0)
            continue;
        out->peripheral = r;
        return true;
    }
    return false;
}
