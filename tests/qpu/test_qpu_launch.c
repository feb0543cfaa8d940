/* test_qpu_launch.c - tests launches through registers and the firmware on a mock Raspberry Pi. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fft/qpu/qpu_launch.h"
#include "fft/qpu/qpu_v3d.h"
#include "tests/support/qpu/mock_case.h"

static struct qpu_launch launch_of(unsigned timeout_ms)
{
    struct qpu_launch launch = {.code = 0xc1000000, .qpus = 8, .timeout_ms = timeout_ms};
    for (uint32_t q = 0; q < 8; q++)
        launch.uniforms[q] = 0xc2000000 + 64 * q;
    return launch;
}

static int run(struct qpu_device *d, const struct qpu_launch *launch)
{
    const int err = d->ops->start(d, launch);
    const int ended = err ? err : d->ops->wait(d, -1);
    assert_int_not_equal(ended, 0);
    return ended < 0 ? ended : 0;
}

static void open_pi(struct mock_pi *pi, struct qpu_device *d, bool registers)
{
    mock_pi_init(pi, mock_case_pi3);
    pi->registers_error = registers ? 0 : -EPERM;
    mock_case_open(pi, "", d);
}

/* Offsets and bits of the guide's tables 60 to 68; a uniforms length of more than 1023 sets no
 * limit, 0 would disable the uniforms. */
static void programs_are_started_by_registers_in_order(void **state)
{
    (void)state;
    struct mock_pi pi;
    struct qpu_device d;
    open_pi(&pi, &d, true);
    pi.ends_after = 1000; /* more than before it sleeps between status reads */
    struct qpu_launch launch = launch_of(50);
    assert_int_equal(run(&d, &launch), 0);
    assert_int_equal(pi.executes, 0);
    static const struct mock_poke before[] = {
        {0xe00, 0}, {0xe2c, 0},          {0xe30, UINT32_MAX},
        {0x020, 4}, {0x024, UINT32_MAX}, {0x43c, 0x10180},
    };
    assert_int_equal(pi.poke_count, 6 + 3 * 8);
    assert_memory_equal(pi.pokes, before, sizeof before);
    for (uint32_t q = 0; q < 8; q++) {
        const struct mock_poke *of_qpu = &pi.pokes[6 + 3 * q];
        assert_int_equal(of_qpu[0].offset, 0x434);
        assert_int_equal(of_qpu[0].value, launch.uniforms[q]);
        assert_int_equal(of_qpu[1].offset, 0x438);
        assert_in_range(of_qpu[1].value, 1024, 4095);
        assert_int_equal(of_qpu[2].offset, 0x430);
        assert_int_equal(of_qpu[2].value, launch.code);
    }
    mock_case_close(&pi, &d);
}

static void interrupts_are_as_before_after_closing(void **state)
{
    (void)state;
    struct mock_pi pi;
    struct qpu_device d;
    mock_pi_init(&pi, mock_case_pi3);
    pi.registers[V3D_DBCFG / 4] = 7;
    pi.registers[V3D_DBQITE / 4] = 0xf0;
    mock_case_open(&pi, "", &d);
    struct qpu_launch launch = launch_of(50);
    assert_int_equal(run(&d, &launch), 0);
    assert_int_equal(pi.registers[V3D_DBCFG / 4], 0);
    assert_int_equal(pi.registers[V3D_DBQITE / 4], 0);
    d.ops->close(&d);
    mock_case_released(&pi);
    assert_int_equal(pi.registers[V3D_DBCFG / 4], 7);
    assert_int_equal(pi.registers[V3D_DBQITE / 4], 0xf0);
    mock_pi_finish(&pi);
}

/* Linux waits 1 s for the firmware (rpi_firmware_transaction). */
static void without_registers_the_firmware_starts_programs_within_a_second(void **state)
{
    (void)state;
    static const unsigned timeouts[] = {50, 5000};
    for (int i = 0; i < 2; i++) {
        struct mock_pi pi;
        struct qpu_device d;
        open_pi(&pi, &d, false);
        assert_non_null(strstr(d.about, "without its registers"));
        assert_in_range(d.limit_ms, 500, 999);
        struct qpu_launch launch = launch_of(timeouts[i]);
        assert_int_equal(run(&d, &launch), 0);
        assert_int_equal(pi.executes, 1);
        assert_int_equal(pi.execute_values[0], 8);
        assert_int_equal(pi.execute_values[2], 0); /* flush: no registers to clear the caches */
        assert_int_equal(pi.execute_values[3], timeouts[i] < d.limit_ms ? 50 : d.limit_ms);
        for (uint32_t q = 0; q < 8; q++) {
            assert_int_equal(pi.control[2 * q], launch.uniforms[q]);
            assert_int_equal(pi.control[2 * q + 1], launch.code);
        }
        assert_int_equal(pi.poke_count, 0);
        mock_case_close(&pi, &d);
    }
}

static void a_hung_program_is_powered_off_and_the_device_is_lost(void **state)
{
    (void)state;
    for (int by_firmware = 0; by_firmware < 2; by_firmware++) {
        struct mock_pi pi;
        struct qpu_device d;
        open_pi(&pi, &d, !by_firmware);
        pi.ends_after = -1;
        pi.execute_answer = 0x80000000;
        const uint64_t from = pi.clock_us;
        struct qpu_launch launch = launch_of(50);
        assert_int_equal(run(&d, &launch), -ETIMEDOUT);
        if (!by_firmware)
            assert_in_range(pi.clock_us - from, 50000, 51000);
        assert_int_equal(pi.enabled, 0);
        pi.ends_after = 0;
        pi.execute_answer = 0;
        assert_int_equal(run(&d, &launch), -EIO);
        mock_case_close(&pi, &d);
    }
}

static void the_arm_continues_while_a_program_runs(void **state)
{
    (void)state;
    struct mock_pi pi;
    struct qpu_device d;
    mock_pi_init(&pi, mock_case_pi3);
    mock_case_open(&pi, "", &d);
    pi.ends_after = 500;
    struct qpu_launch launch = launch_of(50);
    assert_int_equal(d.ops->start(&d, &launch), 0);
    assert_int_equal(pi.status_reads, 0);
    assert_int_equal(pi.queued, 8);
    assert_int_equal(d.ops->wait(&d, 0), 0); /* one status read */
    assert_int_equal(pi.status_reads, 1);
    const uint64_t from = pi.clock_us;
    assert_int_equal(d.ops->wait(&d, 2), 0);
    assert_in_range(pi.clock_us - from, 2000, 2100);
    assert_int_equal(d.ops->wait(&d, 40), 1);
    assert_int_equal(pi.status_reads, 501);

    /* Its own time-out counts from its start, however rarely wait is called. */
    pi.ends_after = -1;
    assert_int_equal(d.ops->start(&d, &launch), 0);
    assert_int_equal(d.ops->wait(&d, 30), 0);
    assert_int_equal(d.ops->wait(&d, 30), -ETIMEDOUT);
    mock_case_close(&pi, &d);
}

static void a_program_that_ended_between_checks_is_not_late(void **state)
{
    (void)state;
    struct mock_pi pi;
    struct qpu_device d;
    mock_pi_init(&pi, mock_case_pi3);
    mock_case_open(&pi, "", &d);
    struct qpu_launch launch = launch_of(50);
    assert_int_equal(d.ops->start(&d, &launch), 0);
    pi.clock_us += 1000000;
    assert_int_equal(d.ops->wait(&d, 0), 1);
    mock_case_close(&pi, &d);
}

static void the_arm_continues_while_the_firmware_executes(void **state)
{
    (void)state;
    struct mock_pi pi;
    struct qpu_device d;
    open_pi(&pi, &d, false);
    pi.hold_execute = true;
    struct qpu_launch launch = launch_of(50);
    assert_int_equal(d.ops->start(&d, &launch), 0);
    assert_int_equal(d.ops->wait(&d, 0), 0);
    assert_int_equal(d.ops->wait(&d, 5), 0);
    mock_pi_await_execute(&pi);
    assert_int_equal(d.ops->wait(&d, 5), 0);
    mock_pi_release(&pi);
    assert_int_equal(d.ops->wait(&d, -1), 1);
    assert_int_equal(pi.executes, 1);
    mock_case_close(&pi, &d);
}

static void *release_later(void *mock)
{
    mock_pi_await_execute(mock);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* usually after closing has begun */
    mock_pi_release(mock);
    return NULL;
}

/* The mock asserts that memory stays mapped while a program may write to it. */
static void closing_waits_for_the_running_launch(void **state)
{
    (void)state;
    for (int by_firmware = 0; by_firmware < 2; by_firmware++) {
        struct mock_pi pi;
        struct qpu_device d;
        pthread_t other;
        open_pi(&pi, &d, !by_firmware);
        pi.ends_after = 1000;
        pi.hold_execute = true;
        struct qpu_launch launch = launch_of(50);
        assert_int_equal(d.ops->start(&d, &launch), 0);
        if (by_firmware)
            assert_int_equal(pthread_create(&other, NULL, release_later, &pi), 0);
        d.ops->close(&d);
        mock_case_released(&pi);
        if (by_firmware)
            pthread_join(other, NULL);
        else
            assert_int_equal(pi.status_reads, 1001);
        mock_pi_finish(&pi);
    }
}

static void closing_powers_off_a_program_that_does_not_end(void **state)
{
    (void)state;
    struct mock_pi pi;
    struct qpu_device d;
    mock_pi_init(&pi, mock_case_pi3);
    mock_case_open(&pi, "", &d);
    pi.ends_after = -1;
    struct qpu_launch launch = launch_of(50);
    const uint64_t from = pi.clock_us;
    assert_int_equal(d.ops->start(&d, &launch), 0);
    d.ops->close(&d);
    assert_true(pi.clock_us - from >= 50000);
    mock_case_released(&pi);
    mock_pi_finish(&pi);
}

static void starting_a_launch_waits_for_the_previous_one(void **state)
{
    (void)state;
    struct mock_pi pi;
    struct qpu_device d;
    mock_pi_init(&pi, mock_case_pi3);
    mock_case_open(&pi, "", &d);
    pi.ends_after = 10;
    struct qpu_launch one = launch_of(50), two = launch_of(50), never = {.code = 0};
    assert_int_equal(qpu_launch_start(&d, &one), 0);
    assert_int_equal(qpu_launch_wait(&d, &one, 0), 0);
    assert_int_equal(qpu_launch_start(&d, &two), 0);
    assert_int_equal(pi.poke_count, 2 * (6 + 3 * 8));
    assert_int_equal(qpu_launch_wait(&d, &one, 0), 1);
    assert_int_equal(qpu_launch_wait(&d, &two, 0), 0);
    assert_int_equal(qpu_launch_wait(&d, &two, -1), 1);
    assert_int_equal(qpu_launch_wait(&d, &never, -1), 1);

    /* A failed launch fails for its owner, and later launches fail, too. */
    pi.ends_after = -1;
    pi.poke_count = 0;
    assert_int_equal(qpu_launch_start(&d, &one), 0);
    assert_int_equal(qpu_launch_start(&d, &two), -EIO);
    assert_int_equal(qpu_launch_wait(&d, &one, 0), -ETIMEDOUT);
    assert_int_equal(qpu_launch_wait(&d, &two, 0), -EIO);
    mock_case_close(&pi, &d);
}

static void an_error_of_the_gpu_is_reported(void **state)
{
    (void)state;
    struct mock_pi pi;
    struct qpu_device d;
    mock_pi_init(&pi, mock_case_pi3);
    mock_case_open(&pi, "", &d);
    pi.ends_after = -1;
    pi.gpu_error = true;
    struct qpu_launch launch = launch_of(50);
    assert_int_equal(run(&d, &launch), -EIO);
    mock_case_close(&pi, &d);
}

/* Sources of the guide's table 82; bit 31 of the enables as the addendum says. */
static void events_of_a_launch_are_counted(void **state)
{
    (void)state;
    static const struct {
        int counter;
        uint32_t source;
    } table[] = {{QPU_IDLE_CYCLES, 13},        {QPU_EXECUTING_CYCLES, 16}, {QPU_STALLED_CYCLES, 17},
                 {QPU_INSTRUCTION_MISSES, 21}, {QPU_UNIFORM_MISSES, 23},   {QPU_TMU_MISSES, 25},
                 {QPU_L2_MISSES, 29}};
    struct mock_pi pi;
    struct qpu_device d;
    uint64_t counters[QPU_COUNTERS] = {0};
    open_pi(&pi, &d, true);
    struct qpu_launch launch = launch_of(50);
    launch.counters = counters;
    for (int times = 1; times <= 2; times++) {
        pi.poke_count = 0;
        assert_int_equal(d.ops->start(&d, &launch), 0);
        assert_int_equal(pi.registers[0x670 / 4], 0x7f);
        assert_int_equal(pi.registers[0x674 / 4], 0x8000007f);
        for (uint32_t i = 0; i < QPU_COUNTERS; i++)
            pi.registers[(0x680 + 8 * i) / 4] = 0xf0000000 + pi.registers[(0x684 + 8 * i) / 4];
        assert_int_equal(d.ops->wait(&d, -1), 1);
        assert_int_equal(pi.registers[0x674 / 4], 0);
        for (int i = 0; i < QPU_COUNTERS; i++)
            assert_int_equal(counters[table[i].counter],
                             (uint64_t)times * (0xf0000000 + table[i].source));
    }
    mock_case_close(&pi, &d);

    open_pi(&pi, &d, false); /* counters are registers, too */
    assert_int_equal(run(&d, &launch), 0);
    for (int i = 0; i < QPU_COUNTERS; i++)
        assert_int_equal(counters[i], UINT64_MAX);
    mock_case_close(&pi, &d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_started_by_registers_in_order),
        cmocka_unit_test(interrupts_are_as_before_after_closing),
        cmocka_unit_test(without_registers_the_firmware_starts_programs_within_a_second),
        cmocka_unit_test(a_hung_program_is_powered_off_and_the_device_is_lost),
        cmocka_unit_test(the_arm_continues_while_a_program_runs),
        cmocka_unit_test(a_program_that_ended_between_checks_is_not_late),
        cmocka_unit_test(the_arm_continues_while_the_firmware_executes),
        cmocka_unit_test(closing_waits_for_the_running_launch),
        cmocka_unit_test(closing_powers_off_a_program_that_does_not_end),
        cmocka_unit_test(starting_a_launch_waits_for_the_previous_one),
        cmocka_unit_test(an_error_of_the_gpu_is_reported),
        cmocka_unit_test(events_of_a_launch_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
