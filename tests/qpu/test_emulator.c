/* test_emulator.c - tests the emulated machine against the reference guide. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/qpu/emulator_program.h"

static const struct emulator_mode immediate = {EMULATOR_ROUND_ROBIN, 0, false};
static const struct emulator_mode late = {EMULATOR_ROUND_ROBIN, 0, true};

static struct program_run run;

static void expect_success(const struct program *p, uint32_t count,
                           const struct emulator_mode *mode)
{
    if (program_run(p, count, mode, NULL, &run))
        fail_msg("%s", run.report.error);
}

static void expect_error(const struct program *p, uint32_t count, const struct emulator_mode *mode,
                         const char *rule)
{
    assert_int_not_equal(program_run(p, count, mode, NULL, &run), 0);
    if (!strstr(run.report.error, rule))
        fail_msg("\"%s\" does not speak of \"%s\"", run.report.error, rule);
}

/* r0 = lane numbers; lanes whose bit 0 is set then get them rotated up by 3. */
static void conditions_and_rotation_go_by_the_lane_written(void **state)
{
    (void)state;
    struct program p = {.count = 0};
    struct qpu_instr in = add_op(QPU_ADD_OR, QPU_W_ACC0, QPU_MUX_A, QPU_MUX_A);
    in.raddr_a = QPU_R_A_ELEMENT;
    put(&p, in);
    in = add_op(QPU_ADD_AND, QPU_W_NOP, QPU_MUX_A, QPU_MUX_B);
    in.raddr_a = QPU_R_A_ELEMENT;
    in.sig = QPU_SIG_SMALL_IMM;
    in.raddr_b = 1;
    in.sf = true;
    put(&p, in);
    in = mul_op(QPU_MUL_V8MIN, QPU_W_ACC0, 0, 0);
    in.sig = QPU_SIG_SMALL_IMM;
    in.raddr_b = QPU_IMM_ROTATE + 3;
    in.cond_mul = QPU_COND_ZC;
    put(&p, in);
    put_store_r0(&p, PROGRAM_DATA_BUS);
    put_finish(&p);
    expect_success(&p, 1, &late);
    for (uint32_t i = 0; i < QPU_LANES; i++)
        assert_int_equal(run.data[i], i & 1 ? (i - 3) & 15 : i);
    assert_int_equal(run.report.instructions, p.count);
}

static void put_request(struct program *p, uint8_t waddr)
{
    put(p, add_op(QPU_ADD_OR, waddr, 0, 0));
}

static void put_load(struct program *p)
{
    struct qpu_instr in = qpu_nop();
    in.sig = QPU_SIG_LDTMU0;
    put(p, in);
}

static void the_tmu_answers_in_order_and_r4_changes_after_the_signal(void **state)
{
    (void)state;
    static uint32_t data[PROGRAM_DATA / 4];
    data[256] = 11;
    data[512] = 22;
    struct program p = {.count = 0};
    put_ldi(&p, QPU_W_ACC0, false, PROGRAM_DATA_BUS + 1024);
    put_request(&p, QPU_W_TMU0_S);
    put_ldi(&p, QPU_W_ACC0, false, PROGRAM_DATA_BUS + 2048);
    put_request(&p, QPU_W_TMU0_S);
    put_load(&p);
    struct qpu_instr in = add_op(QPU_ADD_OR, QPU_W_ACC0, 4, 4); /* the old r4 */
    in.sig = QPU_SIG_LDTMU0;
    put(&p, in);
    put(&p, add_op(QPU_ADD_SUB, QPU_W_ACC0, 4, 0));
    put_store_r0(&p, PROGRAM_DATA_BUS);
    put_finish(&p);
    assert_int_equal(program_run(&p, 1, &immediate, data, &run), 0);
    assert_int_equal(run.data[0], 22 - 11);
    assert_int_equal(program_run(&p, 1, &late, data, &run), 0);
    assert_int_equal(run.data[0], 22 - 11);
    assert_int_equal(run.report.draining_reads, 1);
    assert_int_equal(run.report.read_bytes, 128);
}

/* Column 5 of rows 16..31 written, stored as 16 rows of one word with a stride of 12 bytes. */
static void vertical_writes_fill_a_column_and_rows_are_stored_with_a_stride(void **state)
{
    (void)state;
    struct program p = {.count = 0};
    put_ldi(&p, QPU_W_B_VPM_ST_SETUP, true, 0x00001200 | 1 << 4 | 5); /* vertical, 32 bit */
    struct qpu_instr in = add_op(QPU_ADD_OR, QPU_W_VPM, QPU_MUX_A, QPU_MUX_A);
    in.raddr_a = QPU_R_A_ELEMENT;
    put(&p, in);
    put_ldi(&p, QPU_W_B_VPM_ST_SETUP, true,
            2u << 30 | 16 << 23 | 1 << 16 | 1 << 14 | 16 << 7 | 5 << 3);
    put_ldi(&p, QPU_W_B_VPM_ST_SETUP, true, 3u << 30 | 8);
    put_ldi(&p, QPU_W_B_VPM_ST_ADDR, true, PROGRAM_DATA_BUS + 64);
    put_finish(&p);
    expect_success(&p, 1, &immediate);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(run.data[16 + 3 * i], i);
    assert_int_equal(run.report.stored_bytes, 64);
}

/* A branch with link over one instruction: three slots run; the link is the address after them. */
static void branches_run_three_slots_and_leave_a_link(void **state)
{
    (void)state;
    struct program p = {.count = 0};
    put_ldi(&p, QPU_W_ACC0, false, 0);
    struct qpu_instr in = qpu_nop();
    in.kind = QPU_KIND_BRANCH;
    in.cond_br = QPU_BR_ALWAYS;
    in.relative = true;
    in.raddr_a = 0;
    in.waddr_add = QPU_W_ACC0 + 1;
    in.imm = 8;
    put(&p, in);
    in = add_op(QPU_ADD_ADD, QPU_W_ACC0, 0, QPU_MUX_B);
    in.sig = QPU_SIG_SMALL_IMM;
    in.raddr_b = 1;
    for (int i = 0; i < 4; i++) /* three slots and the one that is skipped */
        put(&p, in);
    put_store_r0(&p, PROGRAM_DATA_BUS);
    put(&p, add_op(QPU_ADD_OR, QPU_W_ACC0, 1, 1));
    put_finish(&p);
    expect_success(&p, 1, &immediate);
    assert_int_equal(run.data[0], 3);
    assert_int_equal(run.report.instructions, p.count - 1);
}

/* QPU 1 stores what QPU 0 wrote, after a semaphore. */
static void put_pair(struct program p[2], bool reads_back, bool waits)
{
    put_ldi(&p[0], QPU_W_B_VPM_ST_SETUP, true, qpu_vpm_setup(1, 1, qpu_vpm_horizontal(7)));
    put_ldi(&p[0], QPU_W_VPM, false, 77);
    if (reads_back) {
        put_ldi(&p[0], QPU_W_A_VPM_LD_SETUP, false, qpu_vpm_setup(1, 1, qpu_vpm_horizontal(7)));
        for (int i = 0; i < 3; i++)
            put_nop(&p[0]);
        struct qpu_instr in = qpu_nop();
        in.raddr_a = QPU_R_VPM;
        put(&p[0], in);
    }
    put_sema(&p[0], false, 3);
    put_end(&p[0]);
    put_ldi(&p[1], QPU_W_B_VPM_ST_SETUP, true, qpu_vdw_setup(1, 16, 7, 0));
    put_sema(&p[1], true, 3);
    put_ldi(&p[1], QPU_W_B_VPM_ST_ADDR, true, PROGRAM_DATA_BUS);
    if (waits)
        put_finish(&p[1]);
    else
        put_end(&p[1]);
}

static void semaphores_synchronise_qpus_in_every_mode(void **state)
{
    (void)state;
    for (int m = 0; m < EMULATOR_MODES; m++) {
        struct program p[2] = {{.count = 0}, {.count = 0}};
        put_pair(p, true, true);
        expect_success(p, 2, &emulator_modes[m].mode);
        assert_int_equal(run.data[15], 77);
    }
    struct program bad[2] = {{.count = 0}, {.count = 0}};
    put_pair(bad, false, true);
    expect_error(bad, 2, &immediate, "read back");
    memset(bad, 0, sizeof bad);
    put_pair(bad, true, false);
    expect_error(bad, 2, &immediate, "nobody waited");
    assert_int_equal(run.data[15], 77);
    expect_error(bad, 2, &late, "nobody waited");
    assert_int_equal(run.data[15], 0);
}

static void unbalanced_semaphores_are_reported(void **state)
{
    (void)state;
    struct program p = {.count = 0};
    put_sema(&p, false, 4);
    put_end(&p);
    expect_error(&p, 1, &immediate, "semaphore 4 is left at 1");
    p = (struct program){.count = 0};
    put_sema(&p, true, 4);
    put_end(&p);
    expect_error(&p, 1, &immediate, "deadlock: 0@0");
}

/* Two instructions that break a rule. */
static void put_hazard(struct program *p, int which)
{
    struct qpu_instr in;
    switch (which) {
    case 0: /* a file register read in the next instruction */
        put_ldi(p, 3, false, 1);
        in = add_op(QPU_ADD_OR, QPU_W_ACC0, QPU_MUX_A, QPU_MUX_A);
        in.raddr_a = 3;
        break;
    case 1: /* rotation of an accumulator just written */
        put_ldi(p, QPU_W_ACC0 + 1, false, 1);
        in = mul_op(QPU_MUL_V8MIN, QPU_W_ACC0, 1, 1);
        in.sig = QPU_SIG_SMALL_IMM;
        in.raddr_b = QPU_IMM_ROTATE + 1;
        break;
    case 2: /* SFU result too soon */
        put_ldi(p, QPU_W_SFU_RECIP, false, 0x3f800000);
        put_nop(p);
        in = add_op(QPU_ADD_OR, QPU_W_ACC0, 4, 4);
        break;
    case 3: /* both ALUs to r0 */
        in = add_op(QPU_ADD_OR, QPU_W_ACC0, 1, 1);
        in.op_mul = QPU_MUL_V8MIN;
        in.cond_mul = QPU_COND_ALWAYS;
        in.waddr_mul = QPU_W_ACC0;
        break;
    case 4: /* undefined address */
        in = add_op(QPU_ADD_OR, QPU_W_TMU0_S, 1, 1);
        break;
    case 5: /* no request */
        in = qpu_nop();
        in.sig = QPU_SIG_LDTMU0;
        break;
    case 6: /* memory outside any block */
        put_ldi(p, QPU_W_ACC0, false, 0x1000);
        in = add_op(QPU_ADD_OR, QPU_W_TMU0_S, 0, 0);
        put(p, in);
        in = qpu_nop();
        in.sig = QPU_SIG_LDTMU0;
        break;
    case 7: /* condition on a peripheral */
        in = add_op(QPU_ADD_OR, QPU_W_VPM, 0, 0);
        in.cond_add = QPU_COND_ZS;
        break;
    case 8: /* a file written by the instruction that ends */
        in = add_op(QPU_ADD_OR, 5, 0, 0);
        in.sig = QPU_SIG_THREND;
        break;
    default: /* VPM without setup */
        in = qpu_nop();
        in.raddr_a = QPU_R_VPM;
        break;
    }
    put(p, in);
}

static void hazards_end_the_run_with_their_rule(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "register of file A",    "rotates an accumulator", "before the SFU", "both ALUs write",
        "undefined addresses",   "was not asked",          "nobody's",       "under a condition",
        "instruction that ends", "more of the VPM",
    };
    for (int i = 0; i < (int)(sizeof rules / sizeof rules[0]); i++) {
        struct program p = {.count = 0};
        put_hazard(&p, i);
        put_end(&p);
        expect_error(&p, 1, &immediate, rules[i]);
    }
}

static void a_line_read_before_it_was_stored_is_stale(void **state)
{
    (void)state;
    struct program p = {.count = 0};
    put_ldi(&p, QPU_W_ACC0, false, PROGRAM_DATA_BUS);
    put_request(&p, QPU_W_TMU0_S);
    put_load(&p);
    put_store_r0(&p, PROGRAM_DATA_BUS);
    struct qpu_instr in = qpu_nop();
    in.raddr_b = QPU_R_B_VPM_ST_WAIT;
    put(&p, in);
    put_request(&p, QPU_W_TMU0_S);
    put_load(&p);
    put_end(&p);
    expect_error(&p, 1, &immediate, "stale");
    expect_error(&p, 1, &late, "stale");
}

static void undefined_values_are_not_stored(void **state)
{
    (void)state;
    struct program p = {.count = 0};
    put_store_r0(&p, PROGRAM_DATA_BUS); /* r0 was never set */
    put_finish(&p);
    expect_error(&p, 1, &immediate, "nobody wrote");
}

static void uniforms_are_counted(void **state)
{
    (void)state;
    struct program p = {.uniforms = {5, 6}, .uniform_count = 2};
    struct qpu_instr in = add_op(QPU_ADD_OR, QPU_W_ACC0, QPU_MUX_A, QPU_MUX_A);
    in.raddr_a = QPU_R_UNIF;
    put(&p, in);
    put_store_r0(&p, PROGRAM_DATA_BUS);
    put_finish(&p);
    expect_error(&p, 1, &immediate, "1 uniforms unread");
    p.uniform_count = 1;
    expect_success(&p, 1, &immediate);
    assert_int_equal(run.data[3], 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_and_rotation_go_by_the_lane_written),
        cmocka_unit_test(the_tmu_answers_in_order_and_r4_changes_after_the_signal),
        cmocka_unit_test(vertical_writes_fill_a_column_and_rows_are_stored_with_a_stride),
        cmocka_unit_test(branches_run_three_slots_and_leave_a_link),
        cmocka_unit_test(semaphores_synchronise_qpus_in_every_mode),
        cmocka_unit_test(unbalanced_semaphores_are_reported),
        cmocka_unit_test(hazards_end_the_run_with_their_rule),
        cmocka_unit_test(a_line_read_before_it_was_stored_is_stale),
        cmocka_unit_test(undefined_values_are_not_stored),
        cmocka_unit_test(uniforms_are_counted),
    };
    return cmocka_run_group_tests_name("the emulated QPUs", tests, NULL, NULL);
}
