/* test_emulator_alu.c - tests the emulated ALUs: rounding, and each operation on values of the
 * guide. */
#include <string.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/qpu/emulator_program.h"

static uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* One operation on two words, in all lanes. */
static uint32_t result(struct qpu_instr in, uint32_t x, uint32_t y)
{
    struct program p = {.count = 0};
    put_ldi(&p, QPU_W_ACC0 + 1, false, x);
    put_ldi(&p, QPU_W_ACC0 + 2, false, y);
    put(&p, in);
    put_store_r0(&p, PROGRAM_DATA_BUS);
    put_finish(&p);
    static const struct emulator_mode mode = {EMULATOR_ROUND_ROBIN, 0, false};
    static struct program_run run;
    if (program_run(&p, 1, &mode, NULL, &run))
        fail_msg("%s", run.report.error);
    for (int i = 1; i < QPU_LANES; i++)
        assert_int_equal(run.data[i], run.data[0]);
    return run.data[0];
}

static uint32_t add(uint8_t op, uint32_t x, uint32_t y)
{
    return result(add_op(op, QPU_W_ACC0, 1, 2), x, y);
}

static uint32_t mul(uint8_t op, uint32_t x, uint32_t y)
{
    return result(mul_op(op, QPU_W_ACC0, 1, 2), x, y);
}

/* The exact value rounded toward zero, by comparison in double. */
static float toward_zero(double exact)
{
    const float f = (float)exact;
    return fabs((double)f) > fabs(exact) ? nextafterf(f, 0) : f;
}

static void floats_round_toward_zero(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 200; i++) {
        float v[2];
        for (int k = 0; k < 2; k++) {
            seed = seed * 1664525 + 1013904223;
            v[k] = ((float)(int32_t)seed) * 1e-9f;
        }
        const double x = (double)v[0], y = (double)v[1];
        const uint32_t a = float_bits(v[0]), b = float_bits(v[1]);
        /* Sums and products of numbers of similar size are exact in double. */
        assert_int_equal(add(QPU_ADD_FADD, a, b), float_bits(toward_zero(x + y)));
        assert_int_equal(add(QPU_ADD_FSUB, a, b), float_bits(toward_zero(x - y)));
        assert_int_equal(mul(QPU_MUL_FMUL, a, b), float_bits(toward_zero(x * y)));
    }
    /* Numbers far apart: only the sign of the small one matters. */
    assert_int_equal(add(QPU_ADD_FADD, float_bits(1), float_bits(-1e-30f)), float_bits(1) - 1);
    assert_int_equal(add(QPU_ADD_FADD, float_bits(1), float_bits(1e-30f)), float_bits(1));
    assert_int_equal(add(QPU_ADD_ITOF, 0x7fffffff, 0), float_bits(2147483520.0f));
}

static void denormals_are_zero(void **state)
{
    (void)state;
    const uint32_t smallest = 0x00800000; /* the smallest normal number */
    assert_int_equal(mul(QPU_MUL_FMUL, smallest, float_bits(0.5f)), 0);
    assert_int_equal(mul(QPU_MUL_FMUL, 0x007fffff, float_bits(1e30f)), 0);
    assert_int_equal(add(QPU_ADD_FSUB, smallest + 1, smallest), 0);
    assert_int_equal(add(QPU_ADD_FADD, float_bits(1), 0x00000001), float_bits(1));
}

static void operations_do_what_the_guide_says(void **state)
{
    (void)state;
    static const struct {
        uint8_t op;
        uint32_t x, y, want;
    } adds[] = {
        {QPU_ADD_FMIN, 0xbf800000, 0x40000000, 0xbf800000},
        {QPU_ADD_FMAX, 0xbf800000, 0x40000000, 0x40000000},
        {QPU_ADD_FMAXABS, 0xc0400000, 0x40000000, 0x40400000},
        {QPU_ADD_FMINABS, 0xc0400000, 0xc0000000, 0x40000000},
        {QPU_ADD_FTOI, 0xbfe00000, 0, 0xffffffff}, /* -1.75 */
        {QPU_ADD_ITOF, 0xfffffffe, 0, 0xc0000000},
        {QPU_ADD_ADD, 0xffffffff, 2, 1},
        {QPU_ADD_SUB, 1, 2, 0xffffffff},
        {QPU_ADD_SHR, 0x80000000, 33, 0x40000000}, /* five bits of the count */
        {QPU_ADD_ASR, 0x80000000, 31, 0xffffffff},
        {QPU_ADD_ROR, 0x12345678, 8, 0x78123456},
        {QPU_ADD_SHL, 3, 31, 0x80000000},
        {QPU_ADD_MIN, 0xffffffff, 1, 0xffffffff}, /* signed */
        {QPU_ADD_MAX, 0xffffffff, 1, 1},
        {QPU_ADD_AND, 0xff00, 0x0ff0, 0x0f00},
        {QPU_ADD_OR, 0xff00, 0x0ff0, 0xfff0},
        {QPU_ADD_XOR, 0xff00, 0x0ff0, 0xf0f0},
        {QPU_ADD_NOT, 0xff00, 0, 0xffff00ff},
        {QPU_ADD_CLZ, 0x00010000, 0, 15},
        {QPU_ADD_CLZ, 0, 0, 32},
        {QPU_ADD_V8ADDS, 0xf0010203, 0x20010203, 0xff020406},
        {QPU_ADD_V8SUBS, 0x10020304, 0x20010101, 0x00010203},
    };
    for (size_t i = 0; i < sizeof adds / sizeof adds[0]; i++)
        assert_int_equal(add(adds[i].op, adds[i].x, adds[i].y), adds[i].want);
    assert_int_equal(mul(QPU_MUL_MUL24, 0xff000003, 0xff100000), 0x300000);
    assert_int_equal(mul(QPU_MUL_V8MIN, 0x01ff0003, 0x02040004), 0x01040003);
    assert_int_equal(mul(QPU_MUL_V8MAX, 0x01ff0003, 0x02040004), 0x02ff0004);
    assert_int_equal(mul(QPU_MUL_V8MULD, 0xff80ff00, 0xffff8010), 0xff808000);
}

/* Whether an operation on the add ALU sets a flag; cond: QPU_COND_ZS, QPU_COND_NS or QPU_COND_CS.
 */
static bool sets_flag(uint8_t op, uint32_t x, uint32_t y, uint8_t cond)
{
    struct program p = {.count = 0};
    struct qpu_instr in = add_op(op, QPU_W_NOP, 1, 2);
    put_ldi(&p, QPU_W_ACC0 + 1, false, x);
    put_ldi(&p, QPU_W_ACC0 + 2, false, y);
    in.sf = true;
    put(&p, in);
    put_ldi(&p, QPU_W_ACC0, false, 0);
    in = qpu_nop();
    in.kind = QPU_KIND_LDI;
    in.waddr_add = QPU_W_ACC0;
    in.cond_add = cond;
    in.imm = 1;
    put(&p, in);
    put_store_r0(&p, PROGRAM_DATA_BUS);
    put_finish(&p);
    static const struct emulator_mode mode = {EMULATOR_ROUND_ROBIN, 0, false};
    static struct program_run run;
    if (program_run(&p, 1, &mode, NULL, &run))
        fail_msg("%s", run.report.error);
    return run.data[0];
}

/*
 * What the guide leaves open, with the results and flags (n, c, z) that D. Stadelmann recorded on a
 * Raspberry Pi for VC4C (test/opcode_test.h, src/asm/OpCodes.h). 0x7fffffff and 0xffffffff are
 * NaNs.
 */
static void results_and_flags_are_those_recorded_on_a_raspberry_pi(void **state)
{
    (void)state;
    static const struct {
        uint8_t op;
        uint32_t x, y, want;
        const char *flags;
    } recorded[] = {
        {QPU_ADD_ADD, 0x80000000, 0x80000000, 0, "cz"},
        {QPU_ADD_ADD, 0x80000000, 0xffffffff, 0x7fffffff, "c"},
        {QPU_ADD_ADD, 0x80000000, 0x7fffffff, 0xffffffff, "n"},
        {QPU_ADD_SUB, 0, 1, 0xffffffff, "nc"},
        {QPU_ADD_SUB, 0x80000000, 1, 0x7fffffff, ""},
        {QPU_ADD_ASR, 0x7fffffff, 1, 0x3fffffff, "c"},
        {QPU_ADD_ASR, 0xffffffff, 32768, 0xffffffff, "n"}, /* five bits of the count: 0 */
        {QPU_ADD_SHL, 0xffffffff, 1, 0xfffffffe, "nc"},
        {QPU_ADD_ROR, 0xffffffff, 1, 0xffffffff, "n"}, /* no carry */
        {QPU_ADD_MIN, 0x80000000, 1, 0x80000000, "n"},
        {QPU_ADD_MIN, 1, 0x80000000, 0x80000000, "nc"}, /* carry: x > y */
        {QPU_ADD_MAX, 1, 0x80000000, 1, "c"},
        {QPU_ADD_FMIN, 0x80000000, 0, 0x80000000, "n"}, /* the zeros are equal */
        {QPU_ADD_FMIN, 0x7fffffff, 1, 1, "c"},          /* denormals are kept */
        {QPU_ADD_FMAX, 0, 0x80000000, 0x80000000, "n"},
        {QPU_ADD_FMAX, 0xffffffff, 0x90000000, 0x90000000, "n"}, /* -NaN is the least */
        {QPU_ADD_FMINABS, 0x80000000, 0xffffffff, 0, "z"},
        {QPU_ADD_FMAXABS, 1, 0x80000000, 1, "c"},
        {QPU_ADD_FADD, 0x80000000, 0x80000000, 0, "z"},          /* -0 counts as 0 */
        {QPU_ADD_FADD, 0x3f800000, 0xffffffff, 0xff800000, "n"}, /* NaN: an infinity */
        {QPU_ADD_FADD, 0xffffffff, 0x7fffffff, 0x7f800000, "c"}, /* the second NaN's sign */
        {QPU_ADD_FSUB, 0x80000000, 1, 0, "z"},
        {QPU_ADD_FSUB, 0x3f800000, 0x40000000, 0xbf800000, "n"},
        {QPU_ADD_FSUB, 0x40000000, 0x3f800000, 0x3f800000, "c"}, /* positive */
        {QPU_ADD_ITOF, 1, 0, 0x3f800000, "c"},
        {QPU_ADD_FTOI, 0x70000000, 0, 0, "z"}, /* out of range */
        {QPU_ADD_FTOI, 0xf0000000, 0, 0, "z"},
        {QPU_ADD_FTOI, 0x7fffffff, 0, 0, "z"},
        {QPU_ADD_FTOI, 0xff800000, 0, 0, "z"},
        {QPU_ADD_FTOI, 0x4f000000, 0, 0x80000000, "n"}, /* 2^31 */
        {QPU_ADD_FTOI, 0xff7fffff, 0, 0x80000000, "n"}, /* the largest float */
    };
    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
        const uint32_t x = recorded[i].x, y = recorded[i].y;
        const char flags[] = {sets_flag(recorded[i].op, x, y, QPU_COND_NS) ? 'n' : '-',
                              sets_flag(recorded[i].op, x, y, QPU_COND_CS) ? 'c' : '-',
                              sets_flag(recorded[i].op, x, y, QPU_COND_ZS) ? 'z' : '-', '\0'};
        const uint32_t got = add(recorded[i].op, x, y);
        if (got != recorded[i].want)
            fail_msg("operation %d on %08x, %08x: %08x", recorded[i].op, x, y, got);
        for (int k = 0; k < 3; k++)
            if ((flags[k] != '-') != (strchr(recorded[i].flags, "ncz"[k]) != NULL))
                fail_msg("operation %d on %08x, %08x: flags %s", recorded[i].op, x, y, flags);
    }
    assert_int_equal(mul(QPU_MUL_FMUL, 0x70000000, 0xf0000000), 0xff800000); /* an overflow */
    assert_int_equal(mul(QPU_MUL_FMUL, 0x7fffffff, 0xbf800000), 0xff800000);
    assert_int_equal(mul(QPU_MUL_FMUL, 0x7fffffff, 0), 0);
    assert_int_equal(mul(QPU_MUL_FMUL, 0x80000000, 0x3f800000), 0);
    /* The largest float is no overflow. */
    assert_int_equal(mul(QPU_MUL_FMUL, 0x7f7fffff, 0x3f800000), 0x7f7fffff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_round_toward_zero),
        cmocka_unit_test(denormals_are_zero),
        cmocka_unit_test(operations_do_what_the_guide_says),
        cmocka_unit_test(results_and_flags_are_those_recorded_on_a_raspberry_pi),
    };
    return cmocka_run_group_tests_name("the emulated ALUs", tests, NULL, NULL);
}
