/*
 * test_engines.h - the engines under test, and helpers that run them.
 *
 * A test engine is an engine of this build with options that a user could choose. The cpu engine
 * has two for each instruction set of this machine: one with one thread, one with several.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_TEST_ENGINES_H
#define FFTD_TESTS_SUPPORT_ENGINE_TEST_ENGINES_H

#include "fft/engine.h"
#include "fft/window.h"
#include "tests/support/sweep.h"

struct test_engine {
    const char *engine, *isa;
    uint32_t threads;
    const struct engine_ops *ops; /* of an engine that is not in the build; else NULL */
};

/*
 * Calls visit for every test engine and returns the sum of its results.
 *
 * FFTD_TEST_ENGINES=cuda,cpu selects engines of the build ("cuda:1" selects a device). A selected
 * engine that this machine lacks fails its tests; otherwise they are skipped. FFTD_TEST_OPTIONS
 * gives the engine's options. FFTD_TEST_ONLY_THREADS leaves one test engine of the cpu engine, the
 * narrowest instruction set with several threads, and none of host_device.h: what ThreadSanitizer
 * watches (fft/cpu/CMakeLists.txt). If sweeps are sparse (sweep.h), each instruction set but the
 * best has one test engine.
 */
int test_engine_each(int (*visit)(struct test_engine *tested));

bool test_engine_only_threads(void);

/* As test_engine_each, plus the engines of host_device.h; for tests of transforms. */
int test_engine_each_transformer(int (*visit)(struct test_engine *tested));

/* One test engine for each engine, with the options of "auto". */
int test_engine_each_once(int (*visit)(struct test_engine *tested));

/* Opens the test engine *state. Skips the test with a message if this machine has no device. */
struct fft_engine *test_engine_open(void **state);

/*
 * Returns whether the engine supports the plan. If its row of the table lists the plan
 * (capabilities.h), returns true: a refusal then fails the test. Else tries to create it.
 */
bool test_engine_does(struct fft_engine *e, const struct fft_spectrum_config *plan);
bool test_engine_transforms(struct fft_engine *e, const struct fft_transform_config *plan);

/* Closes the engine and skips the test unless `can`. */
void skip_unless(struct fft_engine *e, bool can);

/* A window with sum 1, malloc'ed. */
float *test_window(enum fft_window_kind kind, uint32_t n);

/* Random samples: any code of an integer format, floats in -1 .. 1. malloc'ed. */
void *test_noise(enum fft_iq_format format, uint64_t samples, uint64_t seed);

/*
 * Runs `frames` frames from raw in batches of at most plan->max_frames, with as many in flight as
 * the plan allows, and folds the partial results.
 */
struct fft_fold *test_run(struct fft_engine *e, const struct fft_spectrum_config *plan,
                          const void *raw, uint32_t frames);

#endif
