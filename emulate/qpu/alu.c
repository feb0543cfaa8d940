/*
 * alu.c - emulates the operations of the two ALUs, 16 lanes at a time.
 *
 * The QPU rounds additions and multiplications toward zero. emulator_run sets the host's rounding
 * mode accordingly, and this file is compiled with -frounding-math. Denormals and -0 count as +0.
 * What the guide leaves open is as D. Stadelmann recorded it on a Raspberry Pi (VC4C,
 * test/opcode_test.h): a NaN operand and a product that is too large give an infinity, minima and
 * maxima order numbers by their bits, and ftoi out of range gives 0, with two exceptions.
 */
#include "emulate/qpu/state.h"

#include <limits.h>
#include <string.h>

enum { EXPONENT = 0x7f800000, LARGEST = 0x7f7fffff };

/* Sets denormals and -0 to +0. */
static void flush(lanes *x)
{
    *x &= (*x & EXPONENT) != 0;
}

static lanes is_nan(const lanes *x)
{
    return (*x & INT_MAX) > EXPONENT;
}

static lanes select_lanes(lanes where, lanes yes, lanes no)
{
    return (where & yes) | (~where & no);
}

static bool any(const lanes *mask)
{
    uint64_t pairs[QPU_LANES / 2], all = 0;
    memcpy(pairs, mask, sizeof pairs);
    for (int i = 0; i < QPU_LANES / 2; i++)
        all |= pairs[i];
    return all != 0;
}

/* x + y or x - y. A NaN counts as an infinity with its sign; y's goes before x's. */
static void float_add(bool subtract, const lanes *a, const lanes *b, lanes *out)
{
    lanes x = *a, y = *b;
    flush(&x);
    flush(&y);
    if (subtract)
        y ^= INT_MIN;
    lanes result = (lanes)((flanes)x + (flanes)y);
    flush(&result);
    const lanes nan = is_nan(&x) | is_nan(&y);
    if (any(&nan)) {
        const lanes sign = select_lanes(is_nan(&y), y, x) & INT_MIN;
        result = select_lanes(nan, sign | EXPONENT, result);
    }
    *out = result;
}

/* The host rounds an overflow toward zero, to the largest number. */
static lanes overflows(const lanes *x, const lanes *y)
{
    lanes mask = {0};
    for (int i = 0; i < QPU_LANES; i++) {
        const double exact = (double)((flanes)*x)[i] * (double)((flanes)*y)[i];
        mask[i] = exact >= 0x1p128 || exact <= -0x1p128 ? -1 : 0;
    }
    return mask;
}

static void float_mul(const lanes *a, const lanes *b, lanes *out)
{
    lanes x = *a, y = *b;
    flush(&x);
    flush(&y);
    lanes result = (lanes)((flanes)x * (flanes)y);
    flush(&result);
    const lanes suspect = (result & INT_MAX) >= LARGEST;
    if (any(&suspect)) {
        const lanes infinite = is_nan(&x) | is_nan(&y) | overflows(&x, &y);
        result = select_lanes(infinite, ((x ^ y) & INT_MIN) | EXPONENT, result);
        result &= ~((x == 0) | (y == 0)); /* also 0 times a NaN or an infinity */
    }
    *out = result;
}

/* An integer that orders floats as the silicon does: -NaN, -infinity, numbers, infinity, NaN. */
static lanes order_of(const lanes *x)
{
    const lanes negative = *x < 0;
    return select_lanes(negative, -(*x & INT_MAX), *x);
}

/* What minima and maxima choose by, and their carry flag. */
static lanes is_greater(uint8_t code, const lanes *x, const lanes *y)
{
    if (code == QPU_ADD_MIN || code == QPU_ADD_MAX)
        return *x > *y;
    if (code == QPU_ADD_FMINABS || code == QPU_ADD_FMAXABS)
        return (*x & INT_MAX) > (*y & INT_MAX);
    return order_of(x) > order_of(y);
}

static void min_max(uint8_t code, const lanes *x, const lanes *y, lanes *out)
{
    const bool max = code == QPU_ADD_MAX || code == QPU_ADD_FMAX || code == QPU_ADD_FMAXABS;
    const lanes greater = is_greater(code, x, y);
    *out = max ? select_lanes(greater, *x, *y) : select_lanes(greater, *y, *x);
    if (code == QPU_ADD_FMINABS || code == QPU_ADD_FMAXABS)
        *out &= INT_MAX;
}

/* One byte of the operations on four bytes a lane. */
static uint8_t byte_op(uint8_t mul_code, unsigned x, unsigned y)
{
    switch (mul_code) {
    case QPU_MUL_V8MULD:
        return (uint8_t)((x * y + 127) / 255);
    case QPU_MUL_V8MIN:
        return (uint8_t)(x < y ? x : y);
    case QPU_MUL_V8MAX:
        return (uint8_t)(x > y ? x : y);
    case QPU_MUL_V8ADDS:
        return (uint8_t)(x + y > 255 ? 255 : x + y);
    default:
        return (uint8_t)(x < y ? 0 : x - y);
    }
}

static void bytes(uint8_t mul_code, const lanes *a, const lanes *b, lanes *out)
{
    uint8_t x[sizeof *a], y[sizeof *b];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (size_t i = 0; i < sizeof x; i++)
        x[i] = byte_op(mul_code, x[i], y[i]);
    memcpy(out, x, sizeof x);
}

static void clz(const lanes *a, lanes *out)
{
    for (int i = 0; i < QPU_LANES; i++)
        (*out)[i] = (*a)[i] ? __builtin_clz((unsigned)(*a)[i]) : 32;
}

static void integer_op(uint8_t code, const lanes *a, const lanes *b, lanes *out)
{
    const ulanes x = (ulanes)*a, y = (ulanes)*b, shift = y & 31;
    switch (code) {
    case QPU_ADD_ADD:
        *out = (lanes)(x + y);
        break;
    case QPU_ADD_SUB:
        *out = (lanes)(x - y);
        break;
    case QPU_ADD_SHR:
        *out = (lanes)(x >> shift);
        break;
    case QPU_ADD_ASR:
        *out = *a >> (lanes)shift;
        break;
    case QPU_ADD_ROR:
        *out = (lanes)(x >> shift | x << (-y & 31));
        break;
    case QPU_ADD_SHL:
        *out = (lanes)(x << shift);
        break;
    case QPU_ADD_CLZ:
        clz(a, out);
        break;
    default:
        bytes(code == QPU_ADD_V8ADDS ? QPU_MUL_V8ADDS : QPU_MUL_V8SUBS, a, b, out);
        break;
    }
}

/* Out of range: 0, except that 2^31 and the largest floats of either sign give INT_MIN. */
static int32_t float_to_int(float f)
{
    const bool exception = f == 0x1p31f || f == 0x1.fffffep127f || f == -0x1.fffffep127f;
    if (exception)
        return INT_MIN;
    return f >= -0x1p31f && f < 0x1p31f ? (int32_t)f : 0;
}

static void convert(uint8_t code, const lanes *a, lanes *out)
{
    if (code == QPU_ADD_ITOF) {
        *out = (lanes) __builtin_convertvector(*a, flanes);
        return;
    }
    lanes x = *a;
    flush(&x);
    for (int i = 0; i < QPU_LANES; i++)
        (*out)[i] = float_to_int(((flanes)x)[i]);
}

void alu_add(uint8_t code, const lanes *a, const lanes *b, lanes *out)
{
    switch (code) {
    case QPU_ADD_OR:
        *out = *a | *b;
        break;
    case QPU_ADD_AND:
        *out = *a & *b;
        break;
    case QPU_ADD_XOR:
        *out = *a ^ *b;
        break;
    case QPU_ADD_NOT:
        *out = ~*a;
        break;
    case QPU_ADD_FTOI:
    case QPU_ADD_ITOF:
        convert(code, a, out);
        break;
    case QPU_ADD_FADD:
    case QPU_ADD_FSUB:
        float_add(code == QPU_ADD_FSUB, a, b, out);
        break;
    case QPU_ADD_FMIN:
    case QPU_ADD_FMAX:
    case QPU_ADD_FMINABS:
    case QPU_ADD_FMAXABS:
    case QPU_ADD_MIN:
    case QPU_ADD_MAX:
        min_max(code, a, b, out);
        break;
    default:
        integer_op(code, a, b, out);
    }
}

/* The carry flag of the mul ALU is 0 here: the sources disagree on it, and no program of ours reads
 * it. */
void alu_add_carry(uint8_t code, const lanes *a, const lanes *b, const lanes *result, lanes *carry)
{
    const ulanes x = (ulanes)*a, y = (ulanes)*b, shift = y & 31;
    const lanes shifted = (lanes)shift != 0;
    switch (code) {
    case QPU_ADD_ADD:
        *carry = (lanes)((ulanes)*result < x);
        break;
    case QPU_ADD_SUB:
        *carry = (lanes)(x < y);
        break;
    case QPU_ADD_SHR:
    case QPU_ADD_ASR:
        *carry = shifted & ((lanes)(x >> ((shift - 1) & 31) & 1) != 0);
        break;
    case QPU_ADD_SHL:
        *carry = shifted & ((lanes)(x >> (-y & 31) & 1) != 0);
        break;
    case QPU_ADD_FADD:
    case QPU_ADD_FSUB:
    case QPU_ADD_ITOF:
        *carry = *result > 0;
        break;
    case QPU_ADD_FMIN:
    case QPU_ADD_FMAX:
    case QPU_ADD_FMINABS:
    case QPU_ADD_FMAXABS:
    case QPU_ADD_MIN:
    case QPU_ADD_MAX:
        *carry = is_greater(code, a, b);
        break;
    default:
        *carry = (lanes){0};
    }
}

void alu_mul(uint8_t code, const lanes *a, const lanes *b, lanes *out)
{
    switch (code) {
    case QPU_MUL_FMUL:
        float_mul(a, b, out);
        break;
    case QPU_MUL_MUL24:
        *out = (lanes)(((ulanes)*a & 0xffffff) * ((ulanes)*b & 0xffffff));
        break;
    case QPU_MUL_V8MIN:
        if (a == b) { /* a move */
            *out = *a;
            break;
        }
        bytes(code, a, b, out);
        break;
    default:
        bytes(code, a, b, out);
    }
}
