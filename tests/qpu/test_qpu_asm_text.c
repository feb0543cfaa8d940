/* test_qpu_asm_text.c - tests macros, repetition, conditions, labels, includes, and errors with
 * their positions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/cmocka_all.h"
#include "tools/qpu-asm/asm.h"

#define END "thrend\nnop\nnop\n"

/* Asserts that both texts assemble to the same program. */
static void assert_same(const char *text, const char *plain)
{
    struct asm_program a, b;
    if (asm_assemble("a", text, &a))
        fail_msg("%s: %s", text, a.errors);
    if (asm_assemble("b", plain, &b))
        fail_msg("%s: %s", plain, b.errors);
    assert_int_equal(a.count, b.count);
    for (size_t i = 0; i < a.count; i++)
        if (a.code[i].word != b.code[i].word)
            fail_msg("instruction %zu: '%s' is not '%s'", i, a.code[i].text, b.code[i].text);
    asm_finish(&a);
    asm_finish(&b);
}

static void macros_take_values_and_keep_their_names(void **state)
{
    (void)state;
    assert_same(".set x, 3\n"
                ".macro put, to, x  # a comment\n"
                "  .set y, x * 2    // another\n"
                "  mov to, y\n"
                "  mov to+1, x\n"
                ".endm\n"
                "put ra1, 10\n"
                "put rb4, 20\n"
                "mov r0, x\n" END,
                "mov ra1, 20\nmov ra2, 10\nmov rb4, 40\nmov rb5, 20\nmov r0, 3\n" END);
    /* a nested call sees the caller's names; registers are values, too */
    assert_same(".macro inner\nmov r0, k\n.endm\n.macro outer, k\ninner\n.endm\nouter 7\n" END,
                "mov r0, 7\n" END);
    assert_same(".set ra_x, ra7\n.set rb_y, rb0\nfadd ra_x, ra_x+2, rb_y+31\n" END,
                "fadd ra7, ra9, rb31\n" END);
}

static void repetition_counts_and_nests(void **state)
{
    (void)state;
    assert_same(".rep i, 3\n.rep j, i\nmov r0, i * 10 + j\n.endr\n.endr\n" END,
                "mov r0, 10\nmov r0, 20\nmov r0, 21\n" END);
    assert_same("here: .rep i, 2\n1: .rep j, 1\nmov r0, i\n.endr\n.endr\n" END,
                "mov r0, 0\nmov r0, 1\n" END);
    assert_same(".rep i, 0\nmov r0, 1\n.endr\n" END, END);
}

static void conditions_select_one_branch(void **state)
{
    (void)state;
    static const char text[] = ".set k, %d\n"
                               ".if k == 0\nmov r0, 10\n"
                               ".elseif k == 1\n.if 0\nmov r0, 99\n.else\nmov r0, 11\n.endif\n"
                               ".elseif k == 2\nmov r0, 12\n"
                               ".else\nmov r0, 13\n.endif\n" END;
    for (int k = 0; k < 4; k++) {
        char given[300], plain[64];
        snprintf(given, sizeof given, text, k);
        snprintf(plain, sizeof plain, "mov r0, %d\n" END, 10 + k);
        assert_same(given, plain);
    }
}

static void labels_are_found_before_and_after(void **state)
{
    (void)state;
    assert_same("1: nop\nbrr -, 1b\nnop\nnop\nnop\nbrr.allz ra0, 1f\nnop\nnop\nnop\n1: nop\n" END,
                "nop\nbrr -, -40\nnop\nnop\nnop\nbrr.allz ra0, 0\nnop\nnop\nnop\nnop\n" END);
    assert_same("a: :b nop\nmov r0, end - a\nend:" END, "nop\nmov r0, 16\n" END);
    /* each call of a macro has its own numbered labels */
    assert_same(".macro skip\nbrr -, 1f\nnop\nnop\nnop\nnop\n1:\n.endm\nskip\nskip\n" END,
                "brr -, 8\nnop\nnop\nnop\nnop\nbrr -, 8\nnop\nnop\nnop\nnop\n" END);
}

static const struct {
    const char *text, *error;
} refusals[] = {
    {"frob r0, r1", "t:1: there is no operation 'frob'"},
    {"\n\nfadd r0, r1", "t:3: fadd: 3 operands, and the destination first"},
    {"mov r0, r1, r2", "t:1: unexpected ', r2'"},
    {"mov 3, r0", "t:1: mov: the destination is no register"},
    {"mov ra32, r0", "t:1: 'ra32' is not known"},
    {"mov r0, ra32", "t:1: 'ra32' is not known"},
    {"mov r0, ra31+1", "t:1: there is no register 32 of its file"},
    {"mov r0, nowhere", "t:1: 'nowhere' is not known"},
    {"brr -, 1f", "t:1: there is no label 1f"},
    {"mov r4, r0", "t:1: this register cannot be written (r4: ldtmu and sfu, r5: r5rep, r5quad)"},
    {"mov unif, r0", "t:1: this register cannot be written (r4: ldtmu and sfu, r5: r5rep, r5quad)"},
    {"mov r0, t0s", "t:1: this register cannot be read"},
    {"fadd r0, ra1, ra2", "t:1: a second register of the same file is read in one line"},
    {"fadd r0, ra1, elem_num", "t:1: a second register of the same file is read in one line"},
    {"fadd r0, ra1, rb1; fmul r1, unif, r0",
     "t:1: a second register of the same file is read in one line"},
    {"fadd ra0, r0, r1; fmul ra1, r0, r1", "t:1: both results go to the same file"},
    {"mov vw_setup, r0; mov rb1, r1", "t:1: both results go to the same file"},
    {"fadd r0, r0, r1; fmul r0, r0, r1",
     "t:1: both results go to one register, and not under opposite conditions"},
    {"fadd.ifz r0, r0, r1; fmul.ifz r0, r0, r1",
     "t:1: both results go to one register, and not under opposite conditions"},
    {"fadd r0, r0, r1; fsub r1, r0, r1",
     "t:1: the two operations need the same ALU, or a rotation is not on the mul ALU"},
    {"fadd r0, r0 << 1, r1",
     "t:1: the two operations need the same ALU, or a rotation is not on the mul ALU"},
    {"fmul r0, r0 << 1, r1", "t:1: both sources of the mul operation are rotated the same way"},
    {"fmul r0, r1, r0 << 1", "t:1: both sources of the mul operation are rotated the same way"},
    {"mov r0, ra1 << 1", "t:1: only r0 .. r3 can be rotated"},
    {"mov r0, r4 << 1", "t:1: only r0 .. r3 can be rotated"},
    {"mov r0, r1 << r5", "t:1: only >> r5 exists"},
    {"mov r0, r1 << 17", "t:1: a rotation is by -16 .. 16 lanes or by r5"},
    {"add r0, r0, 16", "t:1: the constant is no small immediate (-16 .. 15, 2^-8 .. 2^7)"},
    {"add r0, r0, 3; mov r1, 4", "t:1: two different small immediates or rotations in one line"},
    {"add r0, r0, 3; mov r1, r2 << 1",
     "t:1: two different small immediates or rotations in one line"},
    {"fadd r0, rb0, 1.0",
     "t:1: a small immediate or a rotation takes the place of file B's register"},
    {"fadd r0, 1.0, rb0", "t:1: a second register of the same file is read in one line"},
    {"add r0, r0, 3; ldtmu0", "t:1: no signal goes with a small immediate or a rotation"},
    {"mov r0, 3; ldtmu0", "t:1: no signal goes with a small immediate or a rotation"},
    {"nop; ldtmu0; ldtmu1", "t:1: a second signal in one line"},
    {"nop; nop; nop", "t:1: a third operation in one line"},
    {"fadd r0, r0, r1; fmul.setf r1, r0, r1", "t:1: the flags come from the add operation"},
    {"mov.ifx r0, r1", "t:1: there is no condition 'ifx'"},
    {"mov r0, [1,2]", "t:1: 16 numbers, one a lane"},
    {"mov r0, [3,-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0]",
     "t:1: lanes' numbers are -2 .. 1 or 0 .. 3, not both"},
    {"mov r0, 0x100000000", "t:1: 4294967296 does not fit 32 bits"},
    {"mov r0, 1 / 0", "t:1: division by zero"},
    {"mov r0, 12ab", "t:1: bad number '12ab'"},
    {"mov r0, (1", "t:1: ')' is missing"},
    {"mov -, sacq(16)", "t:1: sacq(): argument 1 is not a whole number from 0 to 15"},
    {"mov vw_setup, vdw_setup_1(65536)",
     "t:1: vdw_setup_1(): argument 1 is not a whole number from 0 to 65535"},
    {"mov vw_setup, vdw_setup_0(65, 16, 0)",
     "t:1: vdw_setup_0(): argument 1 is not a whole number from 1 to 64"},
    {"mov vr_setup, vpm_setup(1, 1, v32(8, 0))",
     "t:1: v32(): a column begins at row 0, 16, 32 or 48"},
    {"mov r0, log2(12)", "t:1: log2() of 12, which is no power of two"},
    {"mov r0, pow(1)", "t:1: there is no function 'pow'"},
    {"bra -, ra3", "t:1: branches with an odd register change the flags, too: take an even one"},
    {"bra -, rb2", "t:1: a branch adds one register, of file A"},
    {"bra -, here\nhere:", "t:1: where code lies is not known: brr"},
    {"brr -", "t:1: brr: link, then where to"},
    {"brr.ifz -, 1b", "t:1: there is no branch condition 'ifz'"},
    {"brr vpm, ra2", "t:1: the link goes to a register of a file, an accumulator or '-'"},
    {"a:\na:", "t:2: label 'a' is there already"},
    {".macro m\nnop", "t:1: .macro without .endm"},
    {".rep i, 2\nnop", "t:1: .rep without .endr"},
    {".if 1\nnop", "t:1: .if without .endif"},
    {"nop\n.endr", "t:2: closes nothing"},
    {".nosuch 1", "t:1: there is no directive '.nosuch 1'"},
    {".macro m, a, b\nnop\n.endm\nm 1", "t:4: macro m has 2 parameters"},
    {".macro m\nm\n.endm\nm", "t:2: macro m calls itself"},
    {".macro m\nnop\nfrob\n.endm\nm", "t:3: there is no operation 'frob'"},
    {".assert 1 == 2", "t:1: assertion failed: 1 == 2"},
    {".error \"no\"", "t:1: \"no\""},
    {".include \"/nosuch/x\"", "t:1: /nosuch/x: No such file or directory"},
    {"", "t:0: no instructions"},
    {"nop", "t:1: runs out of the program"},
    {"start: .if later - start\nnop\n.endif\nnop\nlater:" END,
     "t:5: 'later' moved: a condition or a count depends on a label behind it"},
};

static void errors_name_file_and_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct asm_program p;
        int bad = asm_assemble("t", refusals[i].text, &p);
        size_t length = strlen(refusals[i].error);
        if (bad != -EINVAL || strncmp(p.errors, refusals[i].error, length) != 0 ||
            p.errors[length] != '\n')
            fail_msg("'%s': %d, %s, expected %s", refusals[i].text, bad, p.errors,
                     refusals[i].error);
        asm_finish(&p);
    }
}

static void includes_are_relative_to_their_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/qpu_asm_XXXXXX", outer[64], inner[64];
    assert_non_null(mkdtemp(folder));
    snprintf(outer, sizeof outer, "%s/outer.qasm", folder);
    snprintf(inner, sizeof inner, "%s/inner.qinc", folder);
    FILE *to = fopen(outer, "w");
    fputs(".include \"inner.qinc\"\nput 7\n" END "frob\n", to);
    fclose(to);
    to = fopen(inner, "w");
    fputs(".macro put, x\n  mov r0, x\n.endm\n", to);
    fclose(to);
    struct asm_program p;
    assert_int_equal(asm_assemble(outer, NULL, &p), -EINVAL);
    assert_non_null(strstr(p.errors, "outer.qasm:6: there is no operation 'frob'"));
    asm_finish(&p);
    to = fopen(outer, "w");
    fputs(".include \"inner.qinc\"\nput 7\n" END, to);
    fclose(to);
    assert_int_equal(asm_assemble(outer, NULL, &p), 0);
    assert_int_equal((uint32_t)p.code[0].word, 7);
    assert_string_equal(p.code[0].where.file, inner);
    assert_int_equal(p.code[0].where.line, 2);
    asm_finish(&p);
    unlink(outer);
    unlink(inner);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(macros_take_values_and_keep_their_names),
        cmocka_unit_test(repetition_counts_and_nests),
        cmocka_unit_test(conditions_select_one_branch),
        cmocka_unit_test(labels_are_found_before_and_after),
        cmocka_unit_test(errors_name_file_and_line),
        cmocka_unit_test(includes_are_relative_to_their_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
