/*
 * test_engines.h - the engines under test, and helpers that run them.
 *
 * A test engine is an engine of this build with options that a user could choose: of the cpu engine
 * each instruction set of this machine, with one thread and with several.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_TEST_ENGINES_H
#define FFTD_TESTS_SUPPORT_ENGINE_TEST_ENGINES_H

#include "fft/engine.h"
#include "fft/window.h"

struct test_engine {
    const char *engine, *isa;
    uint32_t threads;
    const struct engine_ops *ops; /* an engine that is not in the build; else NULL */
};

/*
 * Calls visit for every test engine; returns the sum of what it returned.
 * FFTD_TEST_ENGINES=cuda,cpu chooses among the engines of the build ("cuda:1" with a device), and
 * forces them: what this machine lacks then fails instead of being skipped. FFTD_TEST_OPTIONS are
 * options of the engine.
 */
int test_engine_each(int (*visit)(struct test_engine *tested));

/* The same, and the engines of host_device.h: for tests of transforms. */
int test_engine_each_transformer(int (*visit)(struct test_engine *tested));

/* One test engine for each engine, with the options of "auto". */
int test_engine_each_once(int (*visit)(struct test_engine *tested));

/* *state is a test engine. Opens it, or skips the test with a message if it has no device here. */
struct fft_engine *test_engine_open(void **state);

/*
 * Does this engine support it? Yes, if its row of the table lists it (capabilities.h): then a
 * refusal fails the test. Else the engine is asked.
 */
bool test_engine_does(struct fft_engine *e, const struct fft_spectrum_plan *plan);
bool test_engine_transforms(struct fft_engine *e, const struct fft_transform_plan *plan);

/* Unless the engine supports what the test needs: closes the engine and skips the test. */
void skip_unless(struct fft_engine *e, bool can);

/* A window with sum 1, malloc'ed. */
float *test_window(enum fft_window_kind kind, uint32_t n);

/* Random samples: every code of an integer format, floats in -1 .. 1; malloc'ed. */
void *test_noise(enum fft_iq_format format, uint64_t samples, uint64_t seed);

/*
 * Runs `frames` frames from raw in batches of at most plan->max_frames, as many in flight as the
 * plan allows, and folds the partials.
 */
struct fft_fold *test_run(struct fft_engine *e, const struct fft_spectrum_plan *plan,
                          const void *raw, uint32_t frames);

#endif
