/* test_qpu_isa.c - tests instruction words against Broadcom's guide and published programs. */
#include <errno.h>
#include <string.h>

#include "fft/qpu/qpu_isa.h"
#include "tests/support/cmocka_all.h"

#define WORD(high, low) ((uint64_t)(high) << 32 | (low))

static const struct qpu_instr writes_r0 = {
    .kind = QPU_KIND_ALU,
    .sig = QPU_SIG_NONE,
    .cond_add = QPU_COND_ALWAYS,
    .waddr_add = QPU_W_ACC0,
    .waddr_mul = QPU_W_NOP,
    .op_add = QPU_ADD_OR,
    .raddr_a = QPU_R_UNIF,
    .raddr_b = QPU_R_NOP,
    .add_a = QPU_MUX_A,
    .add_b = QPU_MUX_A,
};

static void published_words_are_encoded(void **state)
{
    (void)state;
    struct qpu_instr in = qpu_nop();
    assert_int_equal(qpu_encode(&in), WORD(0x100009e7, 0x009e7000));
    in.sig = QPU_SIG_THREND;
    assert_int_equal(qpu_encode(&in), WORD(0x300009e7, 0x009e7000));

    /* mov rb30, 0x40 */
    in = qpu_nop();
    in.kind = QPU_KIND_LDI;
    in.cond_add = QPU_COND_ALWAYS;
    in.ws = true;
    in.waddr_add = 30;
    in.imm = 0x40;
    assert_int_equal(qpu_encode(&in), WORD(0xe00217a7, 0x40));

    /* mov r0, unif: the first word of many programs */
    assert_int_equal(qpu_encode(&writes_r0), WORD(0x10020827, 0x15827d80));
}

static void every_field_survives_the_round_trip(void **state)
{
    (void)state;
    /* Flip one bit at a time: words without reserved bits must be encoded as they were. */
    struct qpu_instr out;
    for (int bit = 0; bit < 60; bit++) {
        uint64_t word = WORD(0x100009e7, 0x009e7000) ^ 1ull << bit;
        if (qpu_decode(word, &out) == 0)
            assert_int_equal(qpu_encode(&out), word);
        else
            assert_true(bit >= 24 && bit <= 28); /* op_add */
    }
    static const uint64_t words[] = {
        WORD(0xe00217a7, 0xdeadbeef), WORD(0xe20217a7, 0x12345678), WORD(0xe60217a7, 0xffff0000),
        WORD(0xe80009e7, 0x0000001f), WORD(0xe80009e7, 0x00000000), WORD(0xf0f809e7, 0xffffffe0),
        WORD(0xf02409e7, 0x00000010), WORD(0xf0f7f9e7, 0x7ffffff8), WORD(0xd00229e7, 0x009e7000),
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_int_equal(qpu_decode(words[i], &out), 0);
        assert_int_equal(qpu_encode(&out), words[i]);
    }
}

static void fields_are_where_the_guide_has_them(void **state)
{
    (void)state;
    struct qpu_instr out;
    /* semaphore 15, acquire */
    assert_int_equal(qpu_decode(WORD(0xe80009e7, 0x0000001f), &out), 0);
    assert_int_equal(out.kind, QPU_KIND_SEMA);
    assert_true(out.acquire);
    assert_int_equal(out.semaphore, 15);
    /* branch: always, relative, register 2, link to ra4, 32 bytes back */
    assert_int_equal(qpu_decode(WORD(0xf0fc4127, 0xffffffe0), &out), 0);
    assert_int_equal(out.kind, QPU_KIND_BRANCH);
    assert_int_equal(out.cond_br, QPU_BR_ALWAYS);
    assert_true(out.relative && out.reg && !out.ws);
    assert_int_equal(out.raddr_a, 2);
    assert_int_equal(out.waddr_add, 4);
    assert_int_equal((int32_t)out.imm, -32);
    /* all bits of an ALU instruction: unpack 3, pm, pack 9, cc/nc, sf, ws */
    assert_int_equal(qpu_decode(WORD(0x179f7041, 0xff6d5b9d), &out), 0);
    assert_int_equal(out.unpack, 3);
    assert_int_equal(out.pm, 1);
    assert_int_equal(out.pack, 9);
    assert_int_equal(out.cond_add, QPU_COND_CC);
    assert_int_equal(out.cond_mul, QPU_COND_NC);
    assert_true(out.sf && out.ws);
    assert_int_equal(out.waddr_add, 1);
    assert_int_equal(out.waddr_mul, 1);
    assert_int_equal(out.op_mul, QPU_MUL_V8SUBS);
    assert_int_equal(out.op_add, QPU_ADD_V8SUBS);
    assert_int_equal(out.raddr_a, 0x1b);
    assert_int_equal(out.raddr_b, 0x15);
    assert_int_equal(out.add_a, 5);
    assert_int_equal(out.add_b, 6);
    assert_int_equal(out.mul_a, 3);
    assert_int_equal(out.mul_b, 5);
}

static void encodings_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    struct qpu_instr out;
    assert_int_equal(qpu_decode(WORD(0x100009e7, 0x099e7000), &out), -EINVAL); /* op_add 9 */
    assert_int_equal(qpu_decode(WORD(0xe40009e7, 0), &out), -EINVAL);          /* LDI mode 2 */
    assert_int_equal(qpu_decode(WORD(0xe80009e7, 0x20), &out), -EINVAL);       /* semaphore */
    assert_int_equal(qpu_decode(WORD(0xf0c809e7, 0), &out), -EINVAL);          /* cond_br 12 */
    assert_int_equal(qpu_decode(WORD(0xf1f809e7, 0), &out), -EINVAL);          /* bit 56 */
}

static void small_immediates_are_those_of_the_guide(void **state)
{
    (void)state;
    static const float floats[] = {1,        2,       4,         8,         16,       32,
                                   64,       128,     1 / 256.f, 1 / 128.f, 1 / 64.f, 1 / 32.f,
                                   1 / 16.f, 1 / 8.f, .25f,      .5f};
    for (int code = 0; code < QPU_IMM_ROTATE; code++) {
        uint32_t expected = code < 16 ? (uint32_t)code : (uint32_t)(code - 32);
        if (code >= 32)
            memcpy(&expected, &floats[code - 32], sizeof expected);
        assert_int_equal(qpu_small_imm((uint8_t)code), expected);
        assert_int_equal(qpu_small_imm_code(expected), code);
    }
    assert_int_equal(qpu_small_imm_code(16), -1);
    assert_int_equal(qpu_small_imm_code((uint32_t)-17), -1);
    assert_int_equal(qpu_small_imm_code(0x43800000), -1); /* 256.0 */
}

static void setup_words_are_those_of_known_programs(void **state)
{
    (void)state;
    assert_int_equal(qpu_vdw_setup(16, 16, 0, 0), 0x88104000);
    assert_int_equal(qpu_vpm_setup(1, 1, qpu_vpm_vertical(0, 0)), 0x00101200);
    /* fields at their ends */
    assert_int_equal(qpu_vdw_setup(127, 127, 63, 15), 0xbfff5ff8);
    assert_int_equal(qpu_vdw_setup(128, 128, 0, 0), 0x80004000);
    assert_int_equal(qpu_vdw_stride(65535), 0xc000ffff);
    assert_int_equal(qpu_vpm_setup(16, 63, qpu_vpm_horizontal(63)), 0x0003fa3f);
    assert_int_equal(qpu_vpm_setup(2, 1, qpu_vpm_vertical(48, 15)), 0x0020123f);
    assert_int_equal(qpu_vdr_setup(3, 15, 2, 1, 63, 15), 0x83f213ff);
    assert_int_equal(qpu_vdr_stride(64), 0x90000040);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_words_are_encoded),
        cmocka_unit_test(every_field_survives_the_round_trip),
        cmocka_unit_test(fields_are_where_the_guide_has_them),
        cmocka_unit_test(encodings_that_do_not_exist_are_refused),
        cmocka_unit_test(small_immediates_are_those_of_the_guide),
        cmocka_unit_test(setup_words_are_those_of_known_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
