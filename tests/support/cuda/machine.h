/* machine.h - gives a test a machine with the mock driver (mock.h), and opens the engine on it. */
#ifndef FFTD_TESTS_SUPPORT_CUDA_MACHINE_H
#define FFTD_TESTS_SUPPORT_CUDA_MACHINE_H

#include "fft/engine.h"
#include "tests/support/cuda/mock.h"
#include "tests/support/engine/stream.h"

/* Resets the mock: one device, no faults, counts at 0. The driver stays loaded. */
struct mock_cuda *machine_reset(void);

/* Opens the engine by name ("cuda", "cuda:1"), self-test and all. */
int machine_open(struct fft_engine **out, const char *name, char *why, size_t size);
struct fft_engine *machine_engine(const char *name); /* the same; fails the test on error */

/* Runs a stream on that engine (stream.h). mock->did counts its batches alone. */
struct fft_fold *machine_stream(const struct batch_stream *r, const char *name,
                                struct mock_cuda *mock);

#endif
