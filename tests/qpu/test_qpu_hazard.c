/* test_qpu_hazard.c - tests every rule of the assembler with a program that breaks it and with the
 * nearest one that does not. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/cmocka_all.h"
#include "tools/qpu-asm/asm.h"

#define END    "\nnop\nnop\nnop\nnop\nthrend\nnop\nnop\n"
#define BRANCH "brr -, 1f\nnop\nnop\n" /* and one slot more */

static const char early[] = "reads a register of a file written by the instruction before";
static const char rotates[] = "rotates an accumulator written by the instruction before";
static const char rotates_r5[] = "rotates by r5, written by the instruction before";
static const char branches[] = "a branch or thrend in the three delay slots of a branch";
static const char uniform[] = "two instructions must lie between unif_addr and reading unif";
static const char noswap[] = "three instructions must lie between tmu_noswap and a TMU write";
static const char sfu[] = "r4 is touched in the two instructions after an SFU write";
static const char vpm[] = "three instructions must lie between vr_setup and reading vpm";
static const char end_access[] = "uniform, varying or VPM access in thrend or its two slots";
static const char end_14[] = "ra14 or rb14 in thrend or its two slots";
static const char end_branch[] = "a branch or thrend in the two slots of thrend";
static const char end_file[] = "the thrend instruction writes a register of a file";
static const char units[] =
    "more than one of TMU, TLB, SFU, mutex and semaphore in one instruction";
static const char condition[] = "a peripheral register is written under a condition";
static const char setups[] = "two VPM, setup or address registers are written in one instruction";

/* error NULL: the text has no hazard. line: of the error. */
static const struct rule {
    const char *text, *error;
    int line;
} rules[] = {
    {"mov ra1, r0\nmov r1, ra1" END, early, 2},
    {"mov ra1, r0\nnop\nmov r1, ra1" END, NULL, 0},
    {"mov ra1, r0\nmov r1, rb1" END, NULL, 0},
    {"nop; mov rb1, r0\nmov r1, rb1" END, early, 2},
    {"mov rb1, r0; mov ra2, r0\nmov r1, ra2" END, early, 2},
    {"mov ra1, 5\nbra -, ra1" END, "branches with an odd register", 2},
    {"mov.ifz ra1, r0\nmov r1, ra1" END, early, 2},
    /* through a branch to a label, its last slot before the target; not into what it skips */
    {BRANCH "mov ra1, r0\nmov r1, ra1\n1: nop" END, NULL, 0},
    {BRANCH "mov ra1, r0\nmov r1, r0\n1: mov r1, ra1" END, early, 6},
    {"1: mov r1, ra1\nbrr.allz -, 1b\nnop\nnop\nmov ra1, r0" END, early, 1},
    {"brr.allz -, 1f\nnop\nnop\nmov ra1, r0\nmov r1, ra1\n1: nop" END, early, 5},
    /* through a return to what follows the call */
    {"brr ra0, 1f\nnop\nnop\nnop\nmov r1, ra1" END "1: bra -, ra0\nnop\nnop\nmov ra1, r0\n", early,
     5},
    {"brr ra0, 1f\nnop\nnop\nnop\nmov r1, ra2" END "1: bra -, ra0\nnop\nnop\nmov ra1, r0\n", NULL,
     0},

    {"mov r0, r1\nmov r2, r0 << 1" END, rotates, 2},
    {"mov r0, r1\nnop\nmov r2, r0 << 1" END, NULL, 0},
    {"mov r0, r1\nmov r2, r1 << 1" END, NULL, 0},
    {"nop; fmul r0, r1, r1\nfmul r2, r0 << 2, r0 << 2" END, rotates, 2},
    {"mov r5rep, r1\nmov r2, r0 >> r5" END, rotates_r5, 2},
    {"mov r5quad, r1\nmov r2, r0 >> r5" END, rotates_r5, 2},
    {"mov r5rep, r1\nnop\nmov r2, r0 >> r5" END, NULL, 0},
    {"mov r5rep, r1\nmov r2, r0 >> 5" END, NULL, 0},

    {"brr.allz -, 1f\nnop\nnop\nbrr -, 1f\nnop\nnop\nnop\n1: nop" END, branches, 4},
    {"brr.allz -, 1f\nnop\nnop\nnop\nbrr -, 1f\nnop\nnop\nnop\n1: nop" END, NULL, 0},
    {"brr.allz -, 1f\nthrend\nnop\nnop\n1: nop" END, branches, 2},
    /* a branch right at a branch's target */
    {"brr -, 1f\nnop\nnop\nnop\n1: brr -, 2f\nnop\nnop\nnop\n2: nop" END, NULL, 0},

    {"mov unif_addr, r0\nnop\nmov r0, unif" END, uniform, 3},
    {"mov unif_addr, r0\nnop\nnop\nmov r0, unif" END, NULL, 0},
    {"mov unif_addr, r0\nmov r0, unif" END, uniform, 2},
    {"mov tmu_noswap, 1\nmov t1s, r0" END, noswap, 2},
    {"mov tmu_noswap, 1\nnop\nnop\nmov t0s, r0" END, noswap, 4},
    {"mov tmu_noswap, 1\nnop\nnop\nnop\nmov t0s, r0" END, NULL, 0},

    {"mov sfu_recip, r0\nnop\nmov r0, r4" END, sfu, 3},
    {"mov sfu_recip, r0\nnop\nnop\nmov r0, r4" END, NULL, 0},
    {"mov sfu_recip, r0\nldtmu0" END, sfu, 2},
    {"mov sfu_recip, r0\nnop\nmov sfu_exp2, r0" END, sfu, 3},

    {"mov vr_setup, vpm_setup(1, 1, h32(0))\nnop\nnop\nmov r0, vpm" END, vpm, 4},
    {"mov vr_setup, vpm_setup(1, 1, h32(0))\nnop\nnop\nnop\nmov r0, vpm" END, NULL, 0},

    {"mov vr_setup, vpm_setup(1, 1, h32(0))\nmov r0, vpm" END, vpm, 2},
    {"mov r0, unif; thrend\nnop\nnop\n", end_access, 1},
    {"thrend\nmov vpm, r0\nnop\n", end_access, 2},
    {"thrend\nnop\nmov -, vw_wait\n", end_access, 3},
    {"mov r0, ra14; thrend\nnop\nnop\n", end_14, 1},
    {"thrend\nmov r0, ra14\nnop\n", end_14, 2},
    {"thrend\nnop\nmov r0, rb14\n", end_14, 3},
    {"thrend\nnop\nthrend\nnop\nnop\n", end_branch, 3},
    {"thrend\nmov rb14, r0\nnop\n", end_14, 2},
    {"thrend\nbrr -, 1f\nnop\nnop\nnop\n1: nop" END, end_branch, 2},
    {"mov ra1, r0; thrend\nnop\nnop\n", end_file, 1},
    {"mov r1, r0; thrend\nmov ra1, r0\nmov irq, 1\n", NULL, 0},
    {"mov r0, unif\nthrend\nnop\nnop\n", NULL, 0},

    {"mov t0s, r0; mov t1s, r1" END, units, 1},
    {"mov t0s, r0; ldtmu0" END, units, 1},
    {"mov sfu_recip, r0; mov t0s, r1" END, units, 1},
    {"mov t0s, mutex" END, units, 1},
    {"mov mutex, mutex" END, units, 1},
    {"mov t0s, sacq(1)" END, units, 1},
    {"mov t0s, r0; mov r1, vpm" END, NULL, 0},

    {"mov.ifz t0s, r0" END, condition, 1},
    {"mov.ifz vpm, r0" END, condition, 1},
    {"mov.ifz r5rep, r0" END, condition, 1},
    {"mov.ifz vw_addr, r0" END, condition, 1},
    {"mov.ifz irq, r0" END, NULL, 0},
    {"mov.ifz r3, r0" END, NULL, 0},
    {"mov vr_setup, r0; mov vw_setup, r1" END, setups, 1},
    {"mov vpm, r0; mov vw_setup, r1" END, setups, 1},

    {"nop\nnop\n", "runs out of the program", 2},
    {"1: brr.allz -, 1b\nnop\nnop\nnop\n", "runs out of the program", 4},
    {"1: brr -, 1b\nnop\nnop\nnop\n", NULL, 0},
    {"brr -, 800\nnop\nnop\nnop\n", "runs out of the program", 4},
};

static void every_rule_is_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const struct rule *rule = &rules[i];
        struct asm_program p;
        char position[16];
        int bad = asm_assemble("t", rule->text, &p);
        snprintf(position, sizeof position, "t:%d: ", rule->line);
        if (!rule->error && bad)
            fail_msg("%s\n%s", rule->text, p.errors);
        if (rule->error && (bad != -EINVAL || !strstr(p.errors, rule->error) ||
                            strncmp(p.errors, position, strlen(position)) != 0))
            fail_msg("%s\n'%s', expected %s%s", rule->text, p.errors, position, rule->error);
        asm_finish(&p);
    }
}

static void hazards_are_reported_with_both_lines(void **state)
{
    (void)state;
    struct asm_program p;
    assert_int_equal(asm_assemble("t", "mov ra1, r0\nmov r1, ra1\nmov r2, r1 << 1" END, &p),
                     -EINVAL);
    assert_non_null(strstr(p.errors, "t:2: "));
    assert_non_null(strstr(p.errors, "(t:1)\n"));
    assert_non_null(strstr(p.errors, "t:3: "));
    asm_finish(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_is_checked),
        cmocka_unit_test(hazards_are_reported_with_both_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
