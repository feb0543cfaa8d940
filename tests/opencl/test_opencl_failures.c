/* test_opencl_failures.c - tests plans on drivers that allow less, and drivers whose calls fail:
 * an error with a reason or no harm, and no leak. */
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "fft/opencl/opencl_driver.h"
#include "tests/support/opencl/machine.h"

/* ---- every call may fail ---------------------------------------------------------------- */

static const char *const symbols[] = {
#define OPENCL_NAME(field, symbol, result, arguments) symbol,
    OPENCL_CALLS(OPENCL_NAME)
#undef OPENCL_NAME
};

enum { N = 1024, FRAMES = 4, BATCHES = 4 };

static int transform_row_of(struct fft_engine *e, char *why, size_t size)
{
    static struct fft_iq x[256], y[256];
    const struct fft_transform_config plan = {
        .type = FFT_TRANSFORM_FORWARD, .rank = 1, .n = {256}, .batch = 1};
    struct fft_transform *t = NULL;
    int err = fft_transform_create(&t, e, &plan, why, size);
    if (err == 0)
        err = fft_transform_execute(t, x, y);
    fft_transform_destroy(t);
    return err;
}

/* pinned: the driver gets the samples as memory of its own. */
static int stream(struct fft_engine *e, bool pinned, char *why, size_t size)
{
    static const float window[N] = {1};
    static _Alignas(4096) struct fft_iq raw[(FRAMES + 1) * N / 2];
    const struct fft_spectrum_config plan = {.n = N,
                                             .hop = N / 2,
                                             .max_frames = FRAMES,
                                             .depth = 2,
                                             .format = FFT_IQ_CF32,
                                             .detectors = FFT_DETECTOR_MEAN,
                                             .window = window,
                                             .memory = pinned ? raw : NULL,
                                             .memory_bytes = pinned ? sizeof raw : 0};
    struct fft_spectrum *s = NULL;
    struct fft_partial p;
    int err = fft_spectrum_create(&s, e, &plan, why, size);
    for (uint64_t i = 0; err == 0 && i < BATCHES; i++) {
        err = fft_spectrum_submit(s, raw, i * FRAMES * plan.hop, FRAMES, 0);
        if (err == 0)
            err = fft_spectrum_poll(s, &p, -1);
        if (err >= 0)
            fft_spectrum_release(s);
        err = err == 1 ? 0 : err;
    }
    if (err < 0 && s)
        snprintf(why, size, "%s", fft_spectrum_last_error(s));
    fft_spectrum_destroy(s);
    return err < 0 ? err : transform_row_of(e, why, size);
}

/* The groups of a plan are those of the kernel with the lowest limit, even if that is not the first
 * kernel. */
static void every_kernel_gets_a_group_that_it_allows(void **state)
{
    static const char *const limited_kernel[] = {"stand_in_load", "stand_in_spectra",
                                                 "stand_in_pass", "stand_in_rest"};
    (void)state;
    for (size_t i = 0; i < sizeof limited_kernel / sizeof limited_kernel[0]; i++) {
        struct mock_opencl *mock = machine_reset();
        char why[400] = "";
        mock->group = 32; /* the planner wants 64 */
        mock->limited_kernel = limited_kernel[i];
        mock->limited_group = 16;
        struct fft_engine *e = machine_engine("opencl", NULL);
        if (stream(e, false, why, sizeof why) < 0)
            fail_msg("%s: %s %s", limited_kernel[i], why, fft_engine_last_error(e));
        fft_engine_close(e);
        assert_int_equal(mock->alive, 0);
    }
}

/* The failing call must be an error with a reason or harmless, and must leak nothing. Returns false
 * if the call was not reached. */
static bool survives(struct mock_opencl *mock, const char *symbol, int after, bool unified,
                     bool pinned)
{
    struct fft_engine *e;
    char why[400] = "";
    mock->unified = unified;
    mock->fail = symbol;
    mock->fail_after = after;
    mock->fail_code = OPENCL_OUT_OF_RESOURCES;
    int err = machine_open(&e, "opencl:1/1", NULL, why, sizeof why);
    if (err == 0) {
        why[0] = '\0';
        err = stream(e, pinned, why, sizeof why);
        if (err < 0 && why[0] == '\0')
            snprintf(why, sizeof why, "%s", fft_engine_last_error(e));
    }
    const bool reached = mock->fail_after == 0;
    mock->fail = NULL;
    fft_engine_close(e);
    if (err < 0 && strlen(why) < sizeof "a reason")
        fail_msg("%s fails (%d): \"%s\"", symbol, after, why);
    if (mock->alive != 0)
        fail_msg("%s fails (%d): %d objects are left", symbol, after, (int)mock->alive);
    return reached;
}

static void any_failing_call_is_an_error_and_leaks_nothing(void **state)
{
    (void)state;
    struct mock_opencl *mock = machine_reset();
    uint32_t calls = 0;
    for (unsigned mode = 0; mode < 4; mode++)
        for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
            for (int after = 1; survives(mock, symbols[i], after, mode & 1, mode & 2); after++)
                calls++;
    print_message("%u calls were made to fail\n", calls);
    assert_true(calls > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_gets_a_group_that_it_allows),
        cmocka_unit_test(any_failing_call_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
