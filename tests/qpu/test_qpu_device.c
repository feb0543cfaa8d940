/* test_qpu_device.c - tests the device layer on a mock Raspberry Pi: boards, errors and memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fft/qpu/qpu_v3d.h"
#include "tests/support/qpu/mock_case.h"

static char text[256];
static const struct fft_reason why = {text, sizeof text};

static void boards_are_identified_by_their_device_tree(void **state)
{
    (void)state;
    static const struct {
        const char *compatible, *gpu_status, *device, *about;
        int err;
    } table[] = {
        {"raspberrypi,model-zero-w\0brcm,bcm2835\0", NULL, "", "Raspberry Pi Zero or 1", 0},
        {"brcm,bcm2708\0", NULL, "", "Raspberry Pi Zero or 1", 0}, /* Linux 4 */
        {"raspberrypi,2-model-b\0brcm,bcm2836\0", NULL, "", "Raspberry Pi 2", 0},
        {"brcm,bcm2709\0", NULL, "", "Raspberry Pi 2", 0},
        {"brcm,bcm2710\0", NULL, "", "Raspberry Pi 3", 0},
        {mock_case_pi3, "disabled", "", "Raspberry Pi 3, Zero 2 or 2 (1.2)", 0},
        {mock_case_pi3, "okay", "",
         "the kernel's display driver owns the GPU: take dtoverlay=vc4-kms-v3d", -ENODEV},
        {mock_case_pi3, NULL, "direct", "'direct' is for a Raspberry Pi Zero or 1", -EINVAL},
        {mock_case_pi3, NULL, "gpu0", "'gpu0': the device is empty or 'direct'", -EINVAL},
        {"raspberrypi,4-model-b\0brcm,bcm2711\0", NULL, "", "a Raspberry Pi 4 has another GPU",
         -ENODEV},
        {"raspberrypi,5-model-b\0brcm,bcm2712\0", NULL, "", "a Raspberry Pi 5 has another GPU",
         -ENODEV},
        {"acme,board\0acme,brcm,bcm2837\0", NULL, "", "this is no Raspberry Pi", -ENODEV},
        {NULL, NULL, "", "this is no Raspberry Pi", -ENODEV},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct mock_pi pi;
        struct qpu_device d;
        mock_pi_init(&pi, table[i].compatible);
        pi.gpu_status = table[i].gpu_status;
        pi.ranges = 0; /* the chip's default address */
        const char *name = table[i].compatible ? table[i].compatible : "";
        if (strstr(name, "zero-w") || strstr(name, "bcm2708"))
            pi.registers_at = 0x20c00000;
        assert_int_equal(qpu_hardware_open(&pi.os, table[i].device, &d, why), table[i].err);
        const char *message = table[i].err ? text : d.about;
        if (strncmp(message, table[i].about, strlen(table[i].about)) != 0)
            fail_msg("'%s', expected '%s'", message, table[i].about);
        if (!table[i].err)
            d.ops->close(&d);
        mock_case_released(&pi);
        mock_pi_finish(&pi);
    }
}

struct fault {
    void (*plant)(struct mock_pi *pi);
    const char *reason;
};
#define FAULT(name, statement)                                                                     \
    static void name(struct mock_pi *pi)                                                           \
    {                                                                                              \
        statement;                                                                                 \
    }
FAULT(no_vcio, pi->vcio_error = -ENOENT)
FAULT(closed_vcio, pi->vcio_error = -EACCES)
FAULT(no_mem, pi->mem_error = -EACCES)
FAULT(no_lock, pi->lock_error = -EACCES)
FAULT(other_user, pi->locked_by_other = true)
FAULT(strict_mem, pi->map_error = -EPERM)
FAULT(refused, pi->firmware_refuses = true)
FAULT(silent, pi->firmware_silent = true)
FAULT(other_gpu, pi->ident = 0xffffffff)
FAULT(full, pi->no_gpu_memory = true)
FAULT(unwritable, pi->store_error = -ENOSPC)

static void what_is_missing_is_reported_and_nothing_is_held(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        {no_vcio, "/dev/vcio: No such file or directory (the firmware's mailbox is in Raspberry "
                  "Pi's own kernels)"},
        {closed_vcio, "/dev/vcio: Permission denied (the QPU engine runs as root)"},
        {no_mem, "/dev/mem: Permission denied (the QPU engine runs as root, with CAP_SYS_RAWIO)"},
        {no_lock, QPU_LOCK_FILE ": Permission denied (the QPU engine runs as root)"},
        {other_user, "another program uses the QPUs (it holds " QPU_LOCK_FILE ")"},
        {strict_mem, "no memory of the GPU (Operation not permitted): add iomem=relaxed to "
                     "cmdline.txt, and reboot"},
        {refused, "the firmware does not give the QPUs away: take dtoverlay=vc4-kms-v3d or "
                  "vc4-fkms-v3d out of config.txt, set gpu_mem=64, and reboot"},
        {silent, "the firmware does not give the QPUs away: take dtoverlay=vc4-kms-v3d or "
                 "vc4-fkms-v3d out of config.txt, set gpu_mem=64, and reboot"},
        {other_gpu, "the GPU does not answer (its name reads 0xffffffff)"},
        {full, "no memory of the GPU (Cannot allocate memory): set gpu_mem=64 or more in "
               "config.txt, and reboot"},
        {unwritable, "no memory of the GPU (Input/output error): set gpu_mem=64 or more in "
                     "config.txt, and reboot"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct mock_pi pi;
        struct qpu_device d;
        mock_pi_init(&pi, mock_case_pi3);
        faults[i].plant(&pi);
        assert_int_equal(qpu_hardware_open(&pi.os, "", &d, why), -ENODEV);
        assert_string_equal(text, faults[i].reason);
        mock_case_released(&pi);
        mock_pi_finish(&pi);
    }
}

/* Root could not open the lock file of a user. */
static void who_may_not_use_the_gpu_makes_no_lock_file(void **state)
{
    (void)state;
    static const struct {
        int vcio, mem;
    } errors[] = {{-EACCES, -EACCES}, {-EACCES, 0}, {0, -EACCES}, {-ENOENT, 0}};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        struct mock_pi pi;
        struct qpu_device d;
        mock_pi_init(&pi, mock_case_pi3);
        pi.vcio_error = errors[i].vcio;
        pi.mem_error = errors[i].mem;
        assert_int_equal(qpu_hardware_open(&pi.os, "", &d, why), -ENODEV);
        assert_false(pi.lock_opened);
        mock_case_released(&pi);
        mock_pi_finish(&pi);
    }
}

static void memory_is_zeroed_aligned_and_has_the_boards_flags(void **state)
{
    (void)state;
    static const struct {
        const char *compatible, *device;
        uint32_t ranges, alias, flags;
    } table[] = {
        {mock_case_pi1, "", 0x20000000, 0, 0xc},
        {mock_case_pi1, "direct", 0x20000000, 0, 0x4},
        {mock_case_pi3, "", 0x3f000000, 0, 0x4},
        /* The firmware's word for the alias goes before the chip's name. */
        {mock_case_pi1, "", 0x20000000, 0x40000000, 0xc},
        {mock_case_pi1, "direct", 0x20000000, 0x40000000, 0x4},
        {mock_case_pi1, "", 0x20000000, 0xc0000000, 0x4}, /* disable_l2cache=1 */
        {mock_case_pi1, "direct", 0x20000000, 0xc0000000, 0x4},
        {mock_case_pi3, "", 0x3f000000, 0xc0000000, 0x4},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct mock_pi pi;
        struct qpu_device d;
        struct qpu_memory m;
        mock_pi_init(&pi, table[i].compatible);
        pi.ranges = table[i].ranges;
        pi.registers_at = table[i].ranges + V3D_OFFSET;
        pi.memory_alias = table[i].alias;
        mock_case_open(&pi, table[i].device, &d);
        assert_int_equal(d.ops->alloc(&d, 5000, &m), 0);
        assert_int_equal(m.size, 8192);
        assert_int_equal(m.bus % 4096, 0);
        for (size_t byte = 0; byte < m.size; byte++)
            assert_int_equal(((uint8_t *)m.arm)[byte], 0);
        for (int k = 0; k < MOCK_HANDLES; k++)
            if (pi.memory[k].handle)
                assert_int_equal(pi.memory[k].flags, table[i].flags);
        d.ops->free(&d, &m);
        d.ops->free(&d, &m);                           /* a second time does nothing */
        assert_int_equal(mock_pi_allocations(&pi), 1); /* the launch block */
        mock_case_close(&pi, &d);
    }
}

static void a_failed_allocation_leaves_nothing(void **state)
{
    (void)state;
    struct mock_pi pi;
    struct qpu_device d;
    struct qpu_memory m;
    mock_pi_init(&pi, mock_case_pi3);
    mock_case_open(&pi, "", &d);
    pi.no_gpu_memory = true;
    assert_int_equal(d.ops->alloc(&d, 4096, &m), -ENOMEM);
    assert_null(m.arm);
    pi.no_gpu_memory = false;
    pi.map_error = -EPERM;
    assert_int_equal(d.ops->alloc(&d, 4096, &m), -EPERM);
    assert_null(m.arm);
    pi.map_error = 0;
    pi.store_error = -ENOSPC; /* memory is not kept if the journal cannot be written */
    assert_int_equal(d.ops->alloc(&d, 4096, &m), -EIO);
    pi.store_error = 0;
    assert_int_equal(mock_pi_allocations(&pi), 1);
    struct qpu_memory all[100];
    int count = 0;
    while (count < 100 && d.ops->alloc(&d, 4096, &all[count]) == 0)
        count++;
    assert_int_equal(count, 61); /* plus the launch block: the journal is full */
    while (count--)
        d.ops->free(&d, &all[count]);
    mock_case_close(&pi, &d);
}

static void memory_of_a_killed_process_is_freed_by_the_next(void **state)
{
    (void)state;
    struct mock_pi pi;
    struct qpu_device d;
    struct qpu_memory a, b;
    mock_pi_init(&pi, mock_case_pi3);
    mock_case_open(&pi, "", &d);
    assert_int_equal(d.ops->alloc(&d, 4096, &a), 0);
    assert_int_equal(d.ops->alloc(&d, 8192, &b), 0);
    d.ops->free(&d, &a);
    /* The dead process's thread still waits here. A static pointer keeps its memory reachable for
     * leak checkers. */
    static void *lost;
    lost = d.priv;
    mock_pi_kill(&pi);
    assert_int_equal(mock_pi_allocations(&pi), 2);

    mock_case_open(&pi, "", &d);
    assert_int_equal(mock_pi_allocations(&pi), 1); /* its own launch block */
    mock_case_close(&pi, &d);
    assert_non_null(lost);
}

static void a_lock_file_without_a_journal_is_ignored(void **state)
{
    (void)state;
    struct mock_pi pi;
    struct qpu_device d;
    mock_pi_init(&pi, mock_case_pi3);
    memset(pi.journal, 0x11, sizeof pi.journal);
    pi.journal_size = sizeof pi.journal;
    mock_case_open(&pi, "", &d);
    mock_case_close(&pi, &d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_are_identified_by_their_device_tree),
        cmocka_unit_test(what_is_missing_is_reported_and_nothing_is_held),
        cmocka_unit_test(who_may_not_use_the_gpu_makes_no_lock_file),
        cmocka_unit_test(memory_is_zeroed_aligned_and_has_the_boards_flags),
        cmocka_unit_test(a_failed_allocation_leaves_nothing),
        cmocka_unit_test(memory_of_a_killed_process_is_freed_by_the_next),
        cmocka_unit_test(a_lock_file_without_a_journal_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
