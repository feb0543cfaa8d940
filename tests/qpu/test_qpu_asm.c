/*
 * test_qpu_asm.c - tests that lines assemble to the expected words. The words were composed by hand
 * from the guide's figures, or come from published programs.
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/cmocka_all.h"
#include "tools/qpu-asm/asm.h"

#define WORD(high, low) ((uint64_t)(high) << 32 | (low))

/* Three nops and an end make a line a complete program. */
#define END "\nnop\nnop\nnop\nthrend\nnop\nnop\n"

static uint64_t word_of(const char *line)
{
    char text[512];
    snprintf(text, sizeof text, "%s" END, line);
    struct asm_program p;
    if (asm_assemble("line", text, &p))
        fail_msg("'%s': %s", line, p.errors);
    uint64_t word = p.code[0].word;
    asm_finish(&p);
    return word;
}

static const struct golden {
    const char *line;
    uint64_t word;
} golden[] = {
    /* published */
    {"nop", WORD(0x100009e7, 0x009e7000)},
    {"mov rb30, 0x40", WORD(0xe00217a7, 0x00000040)},
    {"mov r0, unif", WORD(0x10020827, 0x15827d80)},
    {"mov ra0, 0; mov rb0, 0", WORD(0xe0024000, 0x00000000)},
    /* signals */
    {"ldtmu0", WORD(0xa00009e7, 0x009e7000)},
    {"nop; nop; ldtmu1", WORD(0xb00009e7, 0x009e7000)},
    {"mov r0, r4; ldtmu0", WORD(0xa0020827, 0x159e7900)},
    /* one operation, on either ALU */
    {"fadd r1, r0, r2", WORD(0x10020867, 0x019e7080)},
    {"fsub ra1, ra2, rb3", WORD(0x10020067, 0x02083dc0)},
    {"fmul r1, r0, r2", WORD(0x100049e1, 0x209e7002)},
    {"nop; mov r1, r0", WORD(0x100049e1, 0x809e7000)},
    {"ftoi r0, r3", WORD(0x10020827, 0x079e76c0)},
    /* both ALUs; files swapped; the mul operation first */
    {"fadd ra1, r0, rb2; fmul rb1, r3, ra4", WORD(0x10024041, 0x211021de)},
    {"fadd rb1, r0, rb2; fmul ra1, r3, ra4", WORD(0x10025041, 0x211021de)},
    {"fmul ra1, r3, ra4; fadd rb1, r0, rb2", WORD(0x10025041, 0x211021de)},
    {"mov r1, r2; mov r2, r1", WORD(0x10024862, 0x959e7489)},
    {"mov r1, r2; fsub r2, r1, r0", WORD(0x100248a1, 0x829e7212)},
    /* conditions and flags */
    {"fadd.ifz r1, r0, r2; fmul.ifnz r1, r0, r2", WORD(0x1004c861, 0x219e7082)},
    {"and.setf -, elem_num, 4", WORD(0xd00229e7, 0x14984dc0)},
    {"fmul.setf -, r0, r1", WORD(0x100069e7, 0x209e7001)},
    {"sub.ifn.setf r0, r0, r1", WORD(0x10082827, 0x0d9e7040)},
    /* discarded results: read, but never written */
    {"mov -, vw_wait", WORD(0x100009e7, 0x159f2fc0)},
    {"mov -, vr_wait", WORD(0x100009e7, 0x15ca7d80)},
    /* small immediates */
    {"add r0, r0, 15", WORD(0xd0020827, 0x0c9cf1c0)},
    {"add r0, r0, -16", WORD(0xd0020827, 0x0c9d01c0)},
    {"fmul r0, r0, 0.5", WORD(0xd00049e0, 0x209ef007)},
    {"fadd r0, ra1, 1.0; fmul r1, ra1, 1.0", WORD(0xd0024821, 0x21060df7)},
    {"shl r0, elem_num, 3; mov r1, 3", WORD(0xd0024821, 0x91983dff)},
    {"nop; mov r0, -1", WORD(0xd00049e0, 0x809df03f)},
    /* rotations */
    {"nop; mov r0, r1 >> 1", WORD(0xd00049e0, 0x809f1009)},
    {"mov r0, r1 << 1", WORD(0xd00049e0, 0x809ff009)},
    {"fadd r0, r1, r2; mov.ifz r3, r2 << 4", WORD(0xd0028823, 0x819fc292)},
    {"mov r0, r1 >> r5", WORD(0xd00049e0, 0x809f0009)},
    {"fmul r0, r1 >> 15, r2 >> 15", WORD(0xd00049e0, 0x209ff00a)},
    /* loads */
    {"mov ra3, 1.0", WORD(0xe00200e7, 0x3f800000)},
    {"mov.ifz ra3, -1", WORD(0xe00400e7, 0xffffffff)},
    {"mov r0, 5; mov r1, 5", WORD(0xe0024821, 0x00000005)},
    {"mov r0, [0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1]", WORD(0xe2020827, 0x0000aaaa)},
    {"mov r0, [-1,-2,1,0,0,0,0,0,0,0,0,0,0,0,0,0]", WORD(0xe2020827, 0x00030005)},
    {"mov r0, [0,1,2,3,0,0,0,0,0,0,0,0,0,0,0,3]", WORD(0xe6020827, 0x800c800a)},
    {"mov vw_setup, vdw_setup_0(16, 16, dma_h32(0, 0))", WORD(0xe0021c67, 0x88104000)},
    {"mov vr_setup, vpm_setup(1, 1, v32(0, 0))", WORD(0xe0020c67, 0x00101200)},
    {"mov vw_setup, vdw_setup_1(65535)", WORD(0xe0021c67, 0xc000ffff)},
    /* semaphores */
    {"mov -, sacq(9)", WORD(0xe80009e7, 0x00000019)},
    {"mov -, srel(15)", WORD(0xe80009e7, 0x0000000f)},
    /* peripherals: either file, and the free one */
    {"mov t0s, r0; mov r1, unif", WORD(0x10024e21, 0x95827036)},
    {"add t1s, ra1, unif", WORD(0x10020f27, 0x0c060dc0)},
    {"add t1s, rb1, unif", WORD(0x10020f27, 0x0c801f80)},
    {"mov r5rep, r0", WORD(0x10021967, 0x159e7000)},
    {"mov r5quad, r0", WORD(0x10020967, 0x159e7000)},
    {"nop; mov r5rep, r0", WORD(0x100049e5, 0x809e7000)},
    {"mov r0, qpu_num", WORD(0x10020827, 0x159e6fc0)},
    {"mov vw_addr, unif", WORD(0x10021ca7, 0x15827d80)},
    {"mov vpm, ra0; mov ra1, r2", WORD(0x10025c01, 0x95027d92)},
    {"mov irq, elem_num", WORD(0x100209a7, 0x159a7d80)},
    /* branches: in bytes, relative to the end of the three delay slots */
    {"brr -, r:l\nnop\nnop\nnop\nl:", WORD(0xf0f809e7, 0x00000000)},
    {"l: brr -, l", WORD(0xf0f809e7, 0xffffffe0)},
    {"brr.allz ra3, 1f\nnop\nnop\nnop\nnop\n1:", WORD(0xf00800e7, 0x00000008)},
    {"brr.anync rb3, 1f\nnop\nnop\nnop\nnop\n:1", WORD(0xf0b810e7, 0x00000008)},
    {"bra -, ra4", WORD(0xf0f489e7, 0x00000000)},
    {"brr ra2, ra6, 16", WORD(0xf0fcc0a7, 0x00000010)},
};

static void lines_become_the_words_of_the_guide(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        uint64_t word = word_of(golden[i].line);
        if (word != golden[i].word)
            fail_msg("'%s' is %016llx, expected %016llx", golden[i].line, (unsigned long long)word,
                     (unsigned long long)golden[i].word);
    }
}

static void disassembled_words_assemble_to_themselves(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        struct qpu_instr in;
        char text[256], small[8];
        assert_int_equal(qpu_decode(golden[i].word, &in), 0);
        asm_disassemble(&in, text, sizeof text);
        if (word_of(text) != golden[i].word)
            fail_msg("'%s' came back as '%s'", golden[i].line, text);
        asm_disassemble(&in, small, sizeof small);
        assert_true(strlen(small) < sizeof small && !strncmp(text, small, strlen(small)));
    }
}

static void expressions_follow_the_rules_of_c(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        uint32_t value;
    } table[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 4 - 3", 3},
        {"1 << 4 | 3 & 2 ^ 1", 16 | 3},
        {"7 / 2 + 7 % 4", 6},
        {"-7 / 2", (uint32_t)-3},
        {"~0 - 1", (uint32_t)-2},
        {"!0 + !5", 1},
        {"1 < 2 && 3 >= 3 || 1 / 1", 1},
        {"1 == 2 ? 10 : 2 != 2 ? 20 : 30", 30},
        {"0x1F + 0b101", 36},
        {"1.5 * 2", 0x40400000},
        {"1e-1", 0x3dcccccd},
        {".5 + 0.25", 0x3f400000},
        {"float(3)", 0x40400000},
        {"int(3.9) + int(-3.9)", 0},
        {"bits(1.0) >> 23", 127},
        {"log2(4096)", 12},
        {"min(3, 5) + max(-1, 2)", 5},
        {"cos(0)", 0x3f800000},
        {"sin(0.5235987755982988)", 0x3f000000},
        {"0xffffffff", 0xffffffff},
        {"-0x80000000", 0x80000000},
        {"1.0 < 1.5", 1},
        {"(2 < 2) + (2 <= 2) * 2 + (2 > 2) * 4 + (2 >= 2) * 8 + (2 == 2) * 16 + (2 != 2) * 32", 26},
        {"(2 < 1.5) + (2 <= 1.5) * 2 + (2 > 1.5) * 4 + (2 >= 1.5) * 8", 12},
        {"(1.5 < 2) + (1.5 <= 2) * 2 + (1.5 == 2) * 16 + (1.5 != 2) * 32", 35},
        {"(1 << 62) + 1 > 1 << 62", 1}, /* as whole numbers, not as floats */
        {"0.0 / 0.0 == 0.0 / 0.0 || 0.0 / 0.0 <= 1.0", 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char line[128];
        snprintf(line, sizeof line, "mov r0, %s", table[i].expression);
        uint32_t value = (uint32_t)word_of(line);
        if (value != table[i].value)
            fail_msg("%s is 0x%x, expected 0x%x", table[i].expression, value, table[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_become_the_words_of_the_guide),
        cmocka_unit_test(disassembled_words_assemble_to_themselves),
        cmocka_unit_test(expressions_follow_the_rules_of_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
