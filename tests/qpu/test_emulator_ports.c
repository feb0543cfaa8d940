/*
 * test_emulator_ports.c - tests the emulated peripherals with short programs: DMA loads, pending
 * stores, the mutex, the SFU, r5, and uniforms at another address.
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/qpu/emulator_program.h"
#include "tools/qpu-asm/asm.h"

#define END "nop; thrend\nnop\nnop\n"
/* r0 to the start of the data block, through row 0 of the VPM. */
#define STORE_R0                                                                                   \
    "mov vw_setup, vpm_setup(1, 1, h32(0))\n"                                                      \
    "mov vpm, r0\n"                                                                                \
    "mov vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))\n"                                            \
    "mov vw_setup, vdw_setup_1(0)\n"                                                               \
    "mov vw_addr, 0x40001000\n"
#define STORED "mov -, vw_wait\n" END

static struct program_run run;
static uint32_t data[PROGRAM_DATA / 4]; /* before each run */

static void assemble(const char *text, struct program *p)
{
    struct asm_program assembled;
    if (asm_assemble("test", text, &assembled))
        fail_msg("%s", assembled.errors);
    for (size_t i = 0; i < assembled.count; i++)
        p->words[i] = assembled.code[i].word;
    p->count = (uint32_t)assembled.count;
    asm_finish(&assembled);
}

/* Runs the text on `qpus` QPUs in all modes, and expects an error with `rule`; NULL: no error. */
static void expect(const char *text, uint32_t qpus, const char *rule)
{
    struct program p[QPU_COUNT] = {{.count = 0}};
    assert_true(qpus <= QPU_COUNT);
    for (uint32_t q = 0; q < qpus; q++) {
        assemble(text, &p[q]);
        p[q].uniforms[0] = 100 + q;
    }
    for (int m = 0; m < EMULATOR_MODES; m++) {
        const int err = program_run(p, qpus, &emulator_modes[m].mode, data, &run);
        if (!rule && err)
            fail_msg("%s: %s", emulator_modes[m].name, run.report.error);
        if (rule && (!err || !strstr(run.report.error, rule)))
            fail_msg("%s: \"%s\" is not \"%s\"", emulator_modes[m].name, run.report.error, rule);
    }
}

/* Two rows of four words, 128 bytes apart in memory, to rows 2 and 5; row 5 is read. */
#define LOAD                                                                                       \
    "mov vw_setup, vpm_setup(1, 1, h32(5))\n"                                                      \
    "mov vpm, 9\n"                                                                                 \
    "mov vr_setup, vdr_setup_0(4, 4, 2, 3, vdr_h32(2, 1))\n"                                       \
    "mov vr_addr, 0x40001100\n"
#define READ_ROW_5                                                                                 \
    "mov vr_setup, vpm_setup(1, 1, h32(5))\n"                                                      \
    "nop\nnop\nnop\n"                                                                              \
    "mov r0, vpm\n"

static void rows_are_loaded_with_a_pitch(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PROGRAM_DATA / 4; i++)
        data[i] = i;
    expect(LOAD "mov -, vr_wait\n" READ_ROW_5 STORE_R0 STORED, 1, NULL);
    const uint32_t second = (0x100 + 128) / 4;
    const uint32_t want[] = {9, second, second + 1, second + 2, second + 3, 9};
    assert_memory_equal(run.data, want, sizeof want);
    assert_int_equal(run.report.loaded_bytes, 32);
    expect(LOAD END, 1, "nobody waited for the last load");
}

static void cells_being_stored_must_not_be_overwritten(void **state)
{
    (void)state;
    const char *again = "mov vw_setup, vpm_setup(1, 1, h32(0))\nmov vpm, r0\n";
    char text[1024];
    snprintf(text, sizeof text, "mov r0, 1\n%s%s%s", STORE_R0, again, STORED);
    expect(text, 1, "which is being stored");
    snprintf(text, sizeof text, "mov r0, 1\n%smov -, vw_wait\n%s%s", STORE_R0, again, END);
    expect(text, 1, NULL);
}

static void stores_outside_the_vpm_or_memory_are_errors(void **state)
{
    (void)state;
    expect("mov vw_setup, vdw_setup_0(3, 16, dma_h32(62, 0))\n" END, 1, "leaves the VPM");
    expect("mov vw_setup, vdw_setup_0(1, 5, dma_h32(0, 12))\n" END, 1, "leaves the VPM");
    expect(
        "mov r0, 1\nmov vw_setup, vpm_setup(1, 1, h32(0))\nmov vpm, r0\n"
        "mov vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))\nmov vw_addr, 0x40001000 + 65536\n" STORED,
        1, "which is nobody's");
}

/* Each QPU adds its number to one word; without the mutex an addition would be lost. */
static void the_mutex_lets_one_in_at_a_time(void **state)
{
    (void)state;
    memset(data, 0, sizeof data);
    expect("mov r1, unif\n"
           "mov -, mutex\n"
           "mov vr_setup, vdr_setup_0(0, 16, 1, 1, vdr_h32(0, 0))\n"
           "mov vr_addr, 0x40001000\n"
           "mov -, vr_wait\n"
           "mov vr_setup, vpm_setup(1, 1, h32(0))\n"
           "nop\nnop\nnop\n"
           "mov r0, vpm\n"
           "add r0, r0, r1\n" STORE_R0 "mov -, vw_wait\n"
           "mov vr_setup, vpm_setup(1, 1, h32(0))\n" /* read back, so that the write is complete */
           "nop\nnop\nnop\n"
           "mov -, vpm\n"
           "mov mutex, r0\n" END,
           4, NULL);
    assert_int_equal(run.data[7], 100 + 101 + 102 + 103);
    expect("mov mutex, r0\n" END, 1, "that it has not");
    expect("mov -, mutex\n" END, 1, "keeps the mutex");
}

static void the_sfu_delivers_three_instructions_later(void **state)
{
    (void)state;
    expect("mov sfu_recip, 4.0\nnop\nnop\nmov r0, r4\n" STORE_R0 STORED, 1, NULL);
    assert_int_equal(run.data[3], 0x3e800000);
    expect("mov sfu_rsqrt, 4.0\nnop\nnop\nmov r0, r4\n" STORE_R0 STORED, 1, NULL);
    assert_int_equal(run.data[3], 0x3f000000);
    expect("mov sfu_exp2, 3.0\nnop\nnop\nmov r0, r4\n" STORE_R0 STORED, 1, NULL);
    assert_int_equal(run.data[3], 0x41000000);
    expect("mov sfu_log2, 8.0\nnop\nnop\nmov r0, r4\n" STORE_R0 STORED, 1, NULL);
    assert_int_equal(run.data[3], 0x40400000);
}

static void r5_replicates_and_rotates(void **state)
{
    (void)state;
    expect("mov r5quad, elem_num\nmov r0, r5\n" STORE_R0 STORED, 1, NULL);
    for (uint32_t i = 0; i < QPU_LANES; i++)
        assert_int_equal(run.data[i], i & ~3u);
    expect("mov r5rep, 3\nmov r1, elem_num\nnop\nmov r0, r1 >> r5\n" STORE_R0 STORED, 1, NULL);
    for (uint32_t i = 0; i < QPU_LANES; i++)
        assert_int_equal(run.data[i], (i - 3) & 15);
}

static void uniforms_can_be_read_from_another_address(void **state)
{
    (void)state;
    data[20] = 77;
    expect("mov unif_addr, 0x40001050\nnop\nnop\nmov r0, unif\n" STORE_R0 STORED, 1, NULL);
    assert_int_equal(run.data[0], 77);
    expect("mov unif_addr, 0x100\nnop\nnop\nmov r0, unif\n" END, 1, "a uniform at");
}

/* The guide: "read data is available to read after a minimum latency of three QPU instructions";
 * the addendum: "VPM reads seem to block immediately if the FIFO is empty". */
static void a_vpm_read_waits_for_its_setup_with_a_warning(void **state)
{
    (void)state;
    for (int between = 0; between <= 3; between++) {
        struct program p = {.count = 0};
        put_ldi(&p, QPU_W_B_VPM_ST_SETUP, true, qpu_vpm_setup(1, 1, qpu_vpm_horizontal(5)));
        put_ldi(&p, QPU_W_VPM, false, 42);
        put_ldi(&p, QPU_W_A_VPM_LD_SETUP, false, qpu_vpm_setup(1, 1, qpu_vpm_horizontal(5)));
        const uint32_t setup_at = p.count - 1;
        for (int i = 0; i < between; i++)
            put_nop(&p);
        struct qpu_instr in = add_op(QPU_ADD_OR, QPU_W_ACC0, QPU_MUX_A, QPU_MUX_A);
        in.raddr_a = QPU_R_VPM;
        put(&p, in);
        put_store_r0(&p, PROGRAM_DATA_BUS);
        put_finish(&p);
        assert_int_equal(program_run(&p, 1, &emulator_modes[0].mode, NULL, &run), 0);
        assert_int_equal(run.data[0], 42);
        assert_int_equal(run.report.early_vpm_reads, between < 3);
        char where[100] = "";
        if (between < 3)
            snprintf(where, sizeof where, "qpu 0 at %d: reads the VPM too soon after the setup",
                     (int)setup_at + 1 + between);
        assert_string_equal(run.report.warning, where);
    }
}

static void unfinished_accesses_are_reported(void **state)
{
    (void)state;
    expect("mov t0s, 0x40001000\n" END, 1, "requests in a TMU");
    expect("mov vr_setup, vpm_setup(2, 1, h32(0))\n" END, 1, "vectors of the VPM unread");
    expect("1: brr -, 1b\nnop\nnop\nnop\n" END, 1, "does not end");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_loaded_with_a_pitch),
        cmocka_unit_test(cells_being_stored_must_not_be_overwritten),
        cmocka_unit_test(stores_outside_the_vpm_or_memory_are_errors),
        cmocka_unit_test(the_mutex_lets_one_in_at_a_time),
        cmocka_unit_test(the_sfu_delivers_three_instructions_later),
        cmocka_unit_test(r5_replicates_and_rotates),
        cmocka_unit_test(uniforms_can_be_read_from_another_address),
        cmocka_unit_test(a_vpm_read_waits_for_its_setup_with_a_warning),
        cmocka_unit_test(unfinished_accesses_are_reported),
    };
    return cmocka_run_group_tests_name("the emulated peripherals", tests, NULL, NULL);
}
