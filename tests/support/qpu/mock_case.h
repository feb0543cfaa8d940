/* mock_case.h - opens a device on the mock Raspberry Pi; checks that closing it releases all. */
#ifndef FFTD_TESTS_SUPPORT_QPU_MOCK_CASE_H
#define FFTD_TESTS_SUPPORT_QPU_MOCK_CASE_H

#include "tests/support/cmocka_all.h"
#include "tests/support/qpu/mock_pi.h"

extern const char mock_case_pi1[], mock_case_pi3[]; /* device trees */

void mock_case_open(struct mock_pi *pi, const char *device, struct qpu_device *d);

/* Asserts that no file, mapping, memory, power or lock is held. */
void mock_case_released(const struct mock_pi *pi);

/* Closes the device, asserts that nothing is held, and finishes the mock. */
void mock_case_close(struct mock_pi *pi, struct qpu_device *d);

#endif
