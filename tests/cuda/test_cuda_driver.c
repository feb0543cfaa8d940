/*
 * test_cuda_driver.c - finds the driver and its devices, and reports each failure in one clear
 * line.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cuda/cuda_driver.h"
#include "tests/support/cuda/machine.h"

static void refuses(const char *name, int want, const char *reason)
{
    struct fft_engine *e;
    char why[300];
    const int err = machine_open(&e, name, why, sizeof why);
    if (err != want || strncmp(why, reason, strlen(reason)) != 0)
        fail_msg("%d \"%s\", not %d \"%s\"", err, why, want, reason);
    assert_null(e);
    assert_null(strchr(why, '\n'));
}

static void a_missing_driver_is_reported(void **state)
{
    (void)state;
    setenv("FFTD_CUDA_DRIVER", "/nonexistent/libcuda.so.1", 1);
    refuses("cuda", -ENODEV, "cuda: no NVIDIA driver: /nonexistent/libcuda.so.1: cannot open");
}

static void another_library_is_no_driver(void **state)
{
    (void)state;
    setenv("FFTD_CUDA_DRIVER", "libm.so.6", 1);
    refuses("cuda", -ENODEV, "cuda: the NVIDIA driver has no cuDriverGetVersion");
}

static void an_old_driver_is_named_with_its_version(void **state)
{
    (void)state;
    machine_reset()->version = 11040;
    refuses("cuda", -ENODEV,
            "cuda: the NVIDIA driver is too old: it knows CUDA 11.4, 12.0 is needed");
}

static void a_driver_that_does_not_start_says_why(void **state)
{
    (void)state;
    struct mock_cuda *mock = machine_reset();
    mock->fail = "cuInit";
    mock->fail_after = 1;
    mock->fail_code = 999;
    refuses("cuda", -ENODEV, "cuda: the NVIDIA driver does not start: unknown error (999)");
}

static void missing_devices_are_reported(void **state)
{
    (void)state;
    machine_reset()->devices = 0;
    refuses("cuda", -ENODEV, "cuda: the NVIDIA driver finds no device");
}

static void a_device_before_turing_is_refused_by_name(void **state)
{
    (void)state;
    struct mock_cuda *mock = machine_reset();
    mock->major = 6;
    mock->minor = 1;
    refuses("cuda", -ENODEV,
            "cuda: device 0 (Mock 100) has compute capability 6.1, 7.5 (Turing) is needed");
    assert_int_equal(mock->alive, 0);
}

static void devices_are_chosen_by_number(void **state)
{
    static const char *const wrong[] = {"cuda:2", "cuda:-1", "cuda:1x", "cuda:any", "cuda: 1"};
    (void)state;
    machine_reset()->devices = 2;
    struct fft_engine *e = machine_engine("cuda");
    assert_string_equal(fft_engine_describe(e), "cuda: Mock 100, 8 GiB");
    fft_engine_close(e);
    e = machine_engine("cuda:1");
    assert_string_equal(fft_engine_describe(e), "cuda: Mock 200, 8 GiB");
    fft_engine_close(e);
    e = machine_engine("cuda:all");
    assert_string_equal(fft_engine_describe(e), "cuda: Mock 100, 8 GiB and 1 more");
    fft_engine_close(e);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        refuses(wrong[i], -EINVAL, "cuda: no device \"");
    refuses("cuda:2", -EINVAL, "cuda: no device \"2\": there are 2, counted from 0, and \"all\"");
}

static void kernels_that_a_driver_cannot_load_are_named(void **state)
{
    (void)state;
    struct mock_cuda *mock = machine_reset();
    mock->version = 12020;
    mock->fail = "cuModuleLoadData";
    mock->fail_after = 1;
    mock->fail_code = CUDA_NO_BINARY;
    refuses(
        "cuda", -EIO,
        "cuda: cuda: n = 1024: kernels stand_in for compute capability 9.0 with a driver for CUDA "
        "12.2 (a newer one is needed): CUDA_ERROR_NO_BINARY");
}

static void too_little_memory_is_enomem(void **state)
{
    (void)state;
    machine_reset()->memory = 1000;
    refuses("cuda", -ENOMEM,
            "cuda: cuda: n = 1024: 36 KiB of device memory for spectra of 1024 points: "
            "CUDA_ERROR_OUT_OF_MEMORY (2)");
}

/* ---- every call may fail ---------------------------------------------------------------- */

static const char *const symbols[] = {
#define CUDA_NAME(field, symbol, arguments) symbol,
    CUDA_CALLS(CUDA_NAME)
#undef CUDA_NAME
};

/* Calls that free things or name an error; the mock lets none of them fail. */
enum { NEVER_FAIL = 12 };

enum { N = 4096, FRAMES = 8, BATCHES = 6 };

static int stream_of(struct fft_engine *e, const struct fft_iq *raw, uint32_t n, uint32_t frames,
                     char *why, size_t size)
{
    static const float window[N] = {1};
    const struct fft_spectrum_config plan = {.n = n,
                                             .hop = n / 2,
                                             .max_frames = frames,
                                             .depth = 2,
                                             .format = FFT_IQ_CF32,
                                             .detectors = FFT_DETECTOR_MEAN,
                                             .window = window,
                                             .memory = raw,
                                             .memory_bytes =
                                                 ((FRAMES + 1) * N / 2 + BATCHES) * sizeof *raw};
    struct fft_spectrum *s = NULL;
    struct fft_partial p;
    int err = fft_spectrum_create(&s, e, &plan, why, size);
    for (uint64_t i = 0; err == 0 && i < BATCHES; i++) {
        err = fft_spectrum_submit(s, raw + i, i * frames * plan.hop, frames, 0);
        if (err == 0)
            err = fft_spectrum_poll(s, &p, -1);
        if (err >= 0)
            fft_spectrum_release(s);
        err = err == 1 ? 0 : err;
    }
    if (err < 0 && s)
        snprintf(why, size, "%s", fft_spectrum_last_error(s));
    fft_spectrum_destroy(s);
    return err;
}

/* Batches too long for the short path, and single frames, which are read in place. */
static int stream(struct fft_engine *e, const struct fft_iq *raw, char *why, size_t size)
{
    const int err = stream_of(e, raw, N, FRAMES, why, size);
    return err < 0 ? err : stream_of(e, raw, N / 16, 1, why, size);
}

/*
 * The failing call must cause an error with a reason or no harm, and must leak nothing. Returns
 * false if it was not reached.
 */
static bool survives(struct mock_cuda *mock, const char *symbol, int after,
                     const struct fft_iq *raw)
{
    struct fft_engine *e;
    char why[300] = "";
    mock->fail = symbol;
    mock->fail_after = after;
    mock->fail_code = CUDA_OUT_OF_MEMORY;
    int err = machine_open(&e, "cuda", why, sizeof why);
    if (err == 0) {
        why[0] = '\0';
        err = stream(e, raw, why, sizeof why);
    }
    const bool reached = mock->fail_after == 0;
    mock->fail = NULL;
    fft_engine_close(e);
    if (err < 0 && strlen(why) < sizeof "a reason")
        fail_msg("%s fails: \"%s\"", symbol, why);
    if (reached && err == 0 && strcmp(symbol, "cuMemHostRegister_v2") != 0 &&
        strcmp(symbol, "cuMemHostGetDevicePointer_v2") != 0 &&
        strcmp(symbol, "cuStreamSynchronize") != 0)
        fail_msg("%s fails (%d), and nobody noticed", symbol, after);
    if (mock->alive != 0 || mock->registered != 0)
        fail_msg("%s fails: %d things are left", symbol, (int)(mock->alive + mock->registered));
    return reached;
}

static void any_failing_call_is_an_error_and_leaks_nothing(void **state)
{
    struct fft_iq *raw = calloc((FRAMES + 1) * N / 2 + BATCHES, sizeof *raw);
    (void)state;
    struct mock_cuda *mock = machine_reset();
    mock->order = MOCK_LATE; /* so that the driver must be asked */
    uint32_t calls = 0, reached = 0;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        int after = 1;
        while (survives(mock, symbols[i], after, raw))
            after++;
        reached += after > 1;
        calls += (uint32_t)after - 1;
    }
    print_message("%u calls of %u kinds were made to fail\n", calls, reached);
    assert_int_equal(reached, sizeof symbols / sizeof symbols[0] - NEVER_FAIL);
    free(raw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_driver_is_reported),
        cmocka_unit_test(another_library_is_no_driver),
        cmocka_unit_test(an_old_driver_is_named_with_its_version),
        cmocka_unit_test(a_driver_that_does_not_start_says_why),
        cmocka_unit_test(missing_devices_are_reported),
        cmocka_unit_test(a_device_before_turing_is_refused_by_name),
        cmocka_unit_test(devices_are_chosen_by_number),
        cmocka_unit_test(kernels_that_a_driver_cannot_load_are_named),
        cmocka_unit_test(too_little_memory_is_enomem),
        cmocka_unit_test(any_failing_call_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
