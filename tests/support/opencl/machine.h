/* machine.h - how a test gets a machine with the mock driver (mock.h) and runs the engine on it. */
#ifndef FFTD_TESTS_SUPPORT_OPENCL_MACHINE_H
#define FFTD_TESTS_SUPPORT_OPENCL_MACHINE_H

#include "fft/engine.h"
#include "tests/support/opencl/mock.h"

/*
 * Three platforms, nothing wrong, nothing counted, no cache on disk. The driver stays the same
 * library all the time.
 */
struct mock_opencl *machine_reset(void);

/* Opens the engine by name ("opencl", "opencl:1/0"), self-test and all; options may be NULL. */
int machine_open(struct fft_engine **out, const char *name, const char *options, char *why,
                 size_t size);
/* The same, and the test fails if it fails. */
struct fft_engine *machine_engine(const char *name, const char *options);

#endif
