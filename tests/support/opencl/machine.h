/* machine.h - a machine with the mock driver (mock.h), and the engine opened on it. */
#ifndef FFTD_TESTS_SUPPORT_OPENCL_MACHINE_H
#define FFTD_TESTS_SUPPORT_OPENCL_MACHINE_H

#include "fft/engine.h"
#include "tests/support/engine/stream.h"
#include "tests/support/opencl/mock.h"

/* Resets to three platforms, no failures, zero counts and no cache on disk. The driver library
 * stays loaded. */
struct mock_opencl *machine_reset(void);

/* Opens the engine by name ("opencl", "opencl:1/0") and runs its self-test. options may be NULL. */
int machine_open(struct fft_engine **out, const char *name, const char *options, char *why,
                 size_t size);
/* Does the same. The test fails if that fails. */
struct fft_engine *machine_engine(const char *name, const char *options);

/* Runs a stream on the engine "opencl" (stream.h). mock->counts is of its batches alone. */
struct fft_fold *machine_stream(const struct batch_stream *r, struct mock_opencl *mock);

#endif
