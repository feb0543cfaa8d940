/*
 * alu.c - emulates the operations of the two ALUs, 16 lanes at a time.
 *
 * The QPU rounds additions and multiplications toward zero. emulator_run sets the host's rounding
 * mode accordingly, and this file is compiled with -frounding-math. Denormal inputs and results are
 * zero. The silicon's NaN and infinity arithmetic is not documented, except that a product with 0
 * is 0.
 */
#include "emulate/qpu/state.h"

#include <limits.h>
#include <string.h>

enum { EXPONENT = 0x7f800000 };

static void flush(lanes *x)
{
    const lanes normal = (*x & EXPONENT) != 0;
    *x &= normal | INT_MIN;
}

static void float_op(uint8_t code, const lanes *a, const lanes *b, lanes *out)
{
    lanes x = *a, y = *b, result;
    flush(&x);
    flush(&y);
    const flanes p = (flanes)x, q = (flanes)y;
    const lanes abs_less = (flanes)(x & INT_MAX) < (flanes)(y & INT_MAX), less = p < q;
    switch (code) {
    case QPU_ADD_FADD:
        result = (lanes)(p + q);
        break;
    case QPU_ADD_FSUB:
        result = (lanes)(p - q);
        break;
    case QPU_ADD_FMIN:
        result = (x & less) | (y & ~less);
        break;
    case QPU_ADD_FMAX:
        result = (y & less) | (x & ~less);
        break;
    case QPU_ADD_FMINABS:
        result = ((x & abs_less) | (y & ~abs_less)) & INT_MAX;
        break;
    default:
        result = ((y & abs_less) | (x & ~abs_less)) & INT_MAX;
        break;
    }
    flush(&result);
    *out = result;
}

static void float_mul(const lanes *a, const lanes *b, lanes *out)
{
    lanes x = *a, y = *b;
    flush(&x);
    flush(&y);
    lanes result = (lanes)((flanes)x * (flanes)y);
    flush(&result);
    const lanes nan = (result & INT_MAX) > EXPONENT;
    const lanes zero = ((x & INT_MAX) == 0) | ((y & INT_MAX) == 0);
    *out = result & ~(nan & zero);
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
    const lanes less = *a < *b;
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
    case QPU_ADD_MIN:
        *out = (*a & less) | (*b & ~less);
        break;
    case QPU_ADD_MAX:
        *out = (*b & less) | (*a & ~less);
        break;
    case QPU_ADD_CLZ:
        clz(a, out);
        break;
    default:
        bytes(code == QPU_ADD_V8ADDS ? QPU_MUL_V8ADDS : QPU_MUL_V8SUBS, a, b, out);
        break;
    }
}

static void convert(uint8_t code, const lanes *a, lanes *out)
{
    if (code == QPU_ADD_ITOF) {
        *out = (lanes) __builtin_convertvector(*a, flanes);
        return;
    }
    lanes x = *a;
    flush(&x);
    for (int i = 0; i < QPU_LANES; i++) {
        const float f = ((flanes)x)[i];
        (*out)[i] = f > -2147483904.0f && f < 2147483648.0f ? (int32_t)f : 0;
    }
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
    default:
        if (code < QPU_ADD_FTOI)
            float_op(code, a, b, out);
        else
            integer_op(code, a, b, out);
    }
}

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
    case QPU_ADD_ROR:
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
