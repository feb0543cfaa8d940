/* test_qpu_vcio2.c - tests the device layer on a mock Raspberry Pi with the driver vcio2. */
#include <errno.h>
#include <string.h>

#include "tests/support/qpu/mock_case.h"
#include "tests/support/qpu/mock_vcio2.h"

static char text[256];
static const struct fft_reason why = {text, sizeof text};

static void open_vcio2(struct mock_vcio2 *v, const char *compatible, const char *device,
                       struct qpu_device *d)
{
    mock_vcio2_init(v, compatible);
    if (qpu_hardware_open(&v->pi.os, device, d, why))
        fail_msg("%s", text);
}

static void released(struct mock_vcio2 *v)
{
    mock_case_released(&v->pi);
    assert_int_equal(mock_vcio2_allocations(v), 0);
    mock_vcio2_finish(v);
}

/* The mock refuses /dev/vcio, /dev/mem and the lock file, as Linux does without root. */
static void the_driver_needs_no_root(void **state)
{
    (void)state;
    struct mock_vcio2 v;
    struct qpu_device d;
    open_vcio2(&v, mock_case_pi3, "", &d);
    assert_string_equal(d.about, "Raspberry Pi 3, Zero 2 or 2 (1.2), by vcio2");
    assert_int_equal(v.pi.enabled, 1);
    assert_in_range(d.limit_ms, 500, 999); /* the firmware starts programs */
    d.ops->close(&d);
    assert_false(v.pi.lock_opened);
    released(&v);
}

static void without_the_driver_the_firmware_is_called_by_vcio(void **state)
{
    (void)state;
    static const int errors[] = {-ENOENT, -ENODEV, -ENXIO};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        struct mock_vcio2 v;
        struct qpu_device d;
        mock_vcio2_init(&v, mock_case_pi3);
        v.open_error = errors[i];
        v.pi.vcio_error = -ENOENT;
        assert_int_equal(qpu_hardware_open(&v.pi.os, "", &d, why), -ENODEV);
        if (strncmp(text, "/dev/vcio: ", 11) != 0)
            fail_msg("%s", text);
        released(&v);
    }
}

struct fault {
    void (*plant)(struct mock_vcio2 *v);
    const char *reason;
};
#define FAULT(name, statement)                                                                     \
    static void name(struct mock_vcio2 *v)                                                         \
    {                                                                                              \
        statement;                                                                                 \
    }
FAULT(closed, v->open_error = -EACCES)
FAULT(other_version, v->version = 4)
FAULT(old_kernel, v->version = -ENOTTY)
FAULT(full, v->pi.no_gpu_memory = true)
FAULT(unmappable, v->map_error = -EACCES)
FAULT(refused, v->pi.firmware_refuses = true)

static void what_is_missing_is_reported_and_nothing_is_held(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        {closed, "/dev/vcio2: Permission denied (it belongs to the group video)"},
        {other_version, "/dev/vcio2: the driver's version is not 0.3"},
        {old_kernel, "/dev/vcio2: the driver's version is not 0.3"},
        {full, "no memory of the GPU (Cannot allocate memory): set gpu_mem=64 or more in "
               "config.txt"},
        {unmappable, "no memory of the GPU (Permission denied): set gpu_mem=64 or more in "
                     "config.txt"},
        {refused, "the firmware does not give the QPUs away: take dtoverlay=vc4-kms-v3d or "
                  "vc4-fkms-v3d out of config.txt, set gpu_mem=64, and reboot"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct mock_vcio2 v;
        struct qpu_device d;
        mock_vcio2_init(&v, mock_case_pi3);
        faults[i].plant(&v);
        assert_int_equal(qpu_hardware_open(&v.pi.os, "", &d, why), -ENODEV);
        assert_string_equal(text, faults[i].reason);
        released(&v);
    }
}

/* Closing the device frees what is left. */
static void memory_is_zeroed_aligned_and_has_the_boards_flags(void **state)
{
    (void)state;
    static const struct {
        const char *compatible, *device;
        uint32_t flags;
    } table[] = {
        {mock_case_pi1, "", 0xc}, {mock_case_pi1, "direct", 0x4}, {mock_case_pi3, "", 0x4}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct mock_vcio2 v;
        struct qpu_device d;
        struct qpu_memory one, two, left;
        open_vcio2(&v, table[i].compatible, table[i].device, &d);
        assert_int_equal(d.ops->alloc(&d, 5000, &one), 0);
        assert_int_equal(d.ops->alloc(&d, 4096, &two), 0);
        assert_int_equal(d.ops->alloc(&d, 4096, &left), 0);
        assert_int_equal(mock_vcio2_allocations(&v), 4);
        assert_int_equal(one.size, 8192);
        assert_int_equal(one.bus % 4096, 0);
        assert_int_not_equal(one.bus, two.bus);
        for (size_t byte = 0; byte < one.size; byte++)
            assert_int_equal(((uint8_t *)one.arm)[byte], 0);
        for (int k = 0; k < MOCK_VCIO2_FILES; k++)
            if (v.files[k].bytes)
                assert_int_equal(v.files[k].flags, table[i].flags);
        d.ops->free(&d, &one);
        d.ops->free(&d, &one); /* a second time does nothing */
        d.ops->free(&d, &two);
        assert_int_equal(mock_vcio2_allocations(&v), 2);
        v.pi.no_gpu_memory = true;
        assert_int_equal(d.ops->alloc(&d, 4096, &one), -ENOMEM);
        assert_null(one.arm);
        d.ops->close(&d);
        v.pi.maps--; /* the mapping of what was left ends with the process */
        released(&v);
    }
}

static struct qpu_launch launch_of(unsigned timeout_ms)
{
    struct qpu_launch launch = {.code = 0xc1000000, .qpus = 8, .timeout_ms = timeout_ms};
    for (uint32_t q = 0; q < 8; q++)
        launch.uniforms[q] = 0xc2000000 + 64 * q;
    return launch;
}

static void programs_are_started_within_a_second(void **state)
{
    (void)state;
    static const unsigned timeouts[] = {50, 5000};
    for (int i = 0; i < 2; i++) {
        struct mock_vcio2 v;
        struct qpu_device d;
        uint64_t counters[QPU_COUNTERS] = {0};
        open_vcio2(&v, mock_case_pi3, "", &d);
        struct qpu_launch launch = launch_of(timeouts[i]);
        launch.counters = counters;
        assert_int_equal(d.ops->start(&d, &launch), 0);
        assert_int_equal(d.ops->wait(&d, -1), 1);
        assert_int_equal(v.pi.executes, 1);
        assert_int_equal(v.pi.execute_values[0], 8);
        assert_int_equal(v.pi.execute_values[2], 0); /* flush */
        assert_int_equal(v.pi.execute_values[3], timeouts[i] < d.limit_ms ? 50 : d.limit_ms);
        for (uint32_t q = 0; q < 8; q++) {
            assert_int_equal(v.pi.control[2 * q], launch.uniforms[q]);
            assert_int_equal(v.pi.control[2 * q + 1], launch.code);
        }
        for (int k = 0; k < QPU_COUNTERS; k++)
            assert_true(counters[k] == UINT64_MAX);
        d.ops->close(&d);
        released(&v);
    }
}

static void a_hung_program_is_powered_off_and_the_device_is_lost(void **state)
{
    (void)state;
    struct mock_vcio2 v;
    struct qpu_device d;
    open_vcio2(&v, mock_case_pi3, "", &d);
    v.pi.execute_answer = 0x80000000;
    struct qpu_launch launch = launch_of(50);
    assert_int_equal(d.ops->start(&d, &launch), 0);
    assert_int_equal(d.ops->wait(&d, -1), -ETIMEDOUT);
    assert_int_equal(v.pi.enabled, 0);
    v.pi.execute_answer = 0;
    assert_int_equal(d.ops->start(&d, &launch), -EIO);
    d.ops->close(&d);
    released(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_driver_needs_no_root),
        cmocka_unit_test(without_the_driver_the_firmware_is_called_by_vcio),
        cmocka_unit_test(what_is_missing_is_reported_and_nothing_is_held),
        cmocka_unit_test(memory_is_zeroed_aligned_and_has_the_boards_flags),
        cmocka_unit_test(programs_are_started_within_a_second),
        cmocka_unit_test(a_hung_program_is_powered_off_and_the_device_is_lost),
    };
    return cmocka_run_group_tests_name("vcio2", tests, NULL, NULL);
}
