/* mock_case.c - opens and closes a device on the mock Raspberry Pi. */
#include "tests/support/qpu/mock_case.h"

const char mock_case_pi1[] = "raspberrypi,model-b\0brcm,bcm2835\0";
const char mock_case_pi3[] = "raspberrypi,3-model-b\0brcm,bcm2837\0";

void mock_case_open(struct mock_pi *pi, const char *device, struct qpu_device *d)
{
    char text[256] = "";
    int bad = qpu_hardware_open(&pi->os, device, d, (struct fft_reason){text, sizeof text});
    if (bad)
        fail_msg("%d: %s", bad, text);
    assert_int_equal(pi->enabled, 1);
    assert_true(pi->holds_lock);
}

void mock_case_released(const struct mock_pi *pi)
{
    assert_int_equal(pi->files_open, 0);
    assert_int_equal(pi->maps, 0);
    assert_int_equal(mock_pi_allocations(pi), 0);
    assert_int_equal(pi->enabled, 0);
    assert_false(pi->holds_lock);
}

void mock_case_close(struct mock_pi *pi, struct qpu_device *d)
{
    d->ops->close(d);
    mock_case_released(pi);
    mock_pi_finish(pi);
}
