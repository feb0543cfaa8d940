/*
 * mock_vcio2.h - a mock Raspberry Pi whose kernel has the driver vcio2, version 0.3. Like the
 * driver it keeps memory and power by open file, finds one allocation of a file, and executes only
 * programs whose control block is in memory of the file.
 */
#ifndef FFTD_TESTS_SUPPORT_QPU_MOCK_VCIO2_H
#define FFTD_TESTS_SUPPORT_QPU_MOCK_VCIO2_H

#include "tests/support/qpu/mock_pi.h"

enum { MOCK_VCIO2_FILES = 80 };

struct mock_vcio2_file {
    bool open, mapped, enabled;
    uint32_t handle, bus, flags;
    size_t size;
    void *bytes; /* NULL: nothing is allocated */
};

struct mock_vcio2 {
    struct mock_pi pi; /* the first, because it is what the calls get as self */
    struct qpu_system base;
    struct mock_vcio2_file files[MOCK_VCIO2_FILES];

    /* faults to inject, beside those of the Pi */
    int open_error, version, map_error;
};

/* For qpu_hardware_open: pi.os. A Pi that allows neither /dev/vcio nor /dev/mem nor the lock file.
 */
void mock_vcio2_init(struct mock_vcio2 *v, const char *compatible);
void mock_vcio2_finish(struct mock_vcio2 *v);
int mock_vcio2_allocations(const struct mock_vcio2 *v);

#endif
