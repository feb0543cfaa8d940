/* test_opencl_driver.c - tests the search for the loader and for a working device: a reason for
 * each device that is skipped, and one clear line if none is left. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/opencl/opencl_driver.h"
#include "tests/support/opencl/machine.h"

static void refuses_with(const char *name, const char *options, int want, const char *reason)
{
    struct fft_engine *e;
    char why[400];
    const int err = machine_open(&e, name, options, why, sizeof why);
    if (err != want || strncmp(why, reason, strlen(reason)) != 0)
        fail_msg("%d \"%s\", not %d \"%s\"", err, why, want, reason);
    assert_null(e);
    assert_null(strchr(why, '\n'));
}

static void refuses(const char *name, int want, const char *reason)
{
    refuses_with(name, NULL, want, reason);
}

/* Checks that the engine opens `describe` and skips `others`. */
static void opens(const char *name, const char *describe, const char *others)
{
    struct fft_engine *e;
    char why[400];
    if (machine_open(&e, name, NULL, why, sizeof why) < 0)
        fail_msg("%s: %s", name, why);
    assert_string_equal(fft_engine_describe(e), describe);
    assert_string_equal(why, others);
    fft_engine_close(e);
}

/* ---- the loader ------------------------------------------------------------------------- */

static void a_missing_loader_is_reported(void **state)
{
    (void)state;
    setenv("FFTD_OPENCL_DRIVER", "/nonexistent/libOpenCL.so.1", 1);
    refuses("opencl", -ENODEV,
            "opencl: no OpenCL loader: /nonexistent/libOpenCL.so.1: cannot open");
}

static void another_library_is_refused_as_a_loader(void **state)
{
    (void)state;
    setenv("FFTD_OPENCL_DRIVER", "libm.so.6", 1);
    refuses("opencl", -ENODEV, "opencl: the OpenCL loader has no clGetPlatformIDs");
}

static void missing_drivers_are_reported(void **state)
{
    (void)state;
    machine_reset()->platforms = 0;
    refuses("opencl", -ENODEV, "opencl: no OpenCL driver is installed");
}

static void a_platform_without_devices_is_skipped_and_named(void **state)
{
    (void)state;
    machine_reset()->platforms = 1;
    refuses("opencl", -ENODEV, "opencl: 0 Mock Empty: no devices");
}

/* ---- devices ---------------------------------------------------------------------------- */

static void a_gpu_comes_first_wherever_it_is(void **state)
{
    (void)state;
    machine_reset();
    opens("opencl", "opencl: Mock GPU (1/1)",
          "opencl: 2/0 Second GPU: not needed; 0 Mock Empty: no devices; 1/0 Mock Board: not "
          "needed");
}

static void devices_are_chosen_by_number_or_name(void **state)
{
    static const struct {
        const char *selector, *got;
    } selectors[] = {
        {"opencl:1/0", "opencl: Mock Board (1/0)"},
        {"opencl:2", "opencl: Second GPU (2/0)"},
        {"opencl:board", "opencl: Mock Board (1/0)"},
        {"opencl:OTHER", "opencl: Second GPU (2/0)"},
        {"opencl:mock/gpu", "opencl: Mock GPU (1/1)"},
        {"opencl:/1", "opencl: Mock GPU (1/1)"},
        {"opencl:other/0", "opencl: Second GPU (2/0)"},
        {"opencl:1", "opencl: Mock GPU (1/1)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof selectors / sizeof selectors[0]; i++) {
        machine_reset();
        struct fft_engine *e = machine_engine(selectors[i].selector, NULL);
        assert_string_equal(fft_engine_describe(e), selectors[i].got);
        fft_engine_close(e);
    }
}

static void a_selector_without_a_match_lists_all_devices(void **state)
{
    (void)state;
    machine_reset();
    refuses("opencl:radeon", -EINVAL,
            "opencl: no device \"radeon\": 1/1 Mock GPU: not asked for; 2/0 Second GPU: not asked "
            "for; 0 Mock Empty: no devices; 1/0 Mock Board: not asked for");
    refuses("opencl:7", -EINVAL, "opencl: no device \"7\"");
    refuses("opencl:1/2", -EINVAL, "opencl: no device \"1/2\"");
}

static void auto_leaves_processors_to_the_cpu_engine(void **state)
{
    (void)state;
    struct mock_opencl *mock = machine_reset();
    mock->fail = "clCreateContext"; /* there are only two GPUs */
    mock->fail_after = 1;
    mock->fail_code = -2;
    opens(
        "auto", "opencl: Second GPU (2/0)",
        "opencl: 1/1 Mock GPU: a context: CL_DEVICE_NOT_AVAILABLE (-2); 0 Mock Empty: no devices; "
        "1/0 Mock Board: a processor, which the cpu engine makes better use of");
    mock->wrong_device = "Second GPU";
    mock->fail_after = 1;
    refuses("auto", -EIO, "opencl: 1/1 Mock GPU: a context");
    assert_int_equal(mock->alive, 0);
}

static void auto_leaves_what_a_raspberry_pi_has_to_the_cpu_engine(void **state)
{
    static const char *const names[] = {"VideoCore IV GPU", "V3D 4.2.14.0"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct mock_opencl *mock = machine_reset();
        char why[400];
        struct fft_engine *e;
        mock->gpu_name = names[i];
        assert_int_equal(machine_open(&e, "auto", NULL, why, sizeof why), 0);
        assert_string_equal(fft_engine_describe(e), "opencl: Second GPU (2/0)");
        assert_non_null(strstr(why, "a Raspberry Pi's GPU: the cpu engine is estimated"));
        fft_engine_close(e);
        e = machine_engine("opencl", NULL); /* asked for by name */
        assert_non_null(strstr(fft_engine_describe(e), names[i]));
        fft_engine_close(e);
    }
}

static void a_device_with_wrong_results_is_skipped(void **state)
{
    (void)state;
    struct mock_opencl *mock = machine_reset();
    mock->wrong_device = "Mock GPU";
    struct fft_engine *e;
    char why[400];
    assert_int_equal(machine_open(&e, "opencl", NULL, why, sizeof why), 0);
    assert_string_equal(fft_engine_describe(e), "opencl: Second GPU (2/0)");
    assert_non_null(strstr(why, "1/1 Mock GPU: self-test failed: bin 0 reads "));
    fft_engine_close(e);
    refuses("opencl:1/1", -EIO, "opencl: 1/1 Mock GPU: self-test failed: bin 0 reads ");
    assert_int_equal(mock->alive, 0);
}

static void kernels_that_do_not_compile_are_refused_in_one_line(void **state)
{
    (void)state;
    struct mock_opencl *mock = machine_reset();
    mock->build_fails = true;
    refuses("opencl:1/1", -EIO,
            "opencl: 1/1 Mock GPU: opencl: n = 1024: the driver cannot compile the kernels: "
            "stand_in.cl:3:4: error: w");
    assert_int_equal(mock->alive, 0);
}

static void too_little_memory_is_enomem(void **state)
{
    (void)state;
    machine_reset()->memory = 1000;
    refuses("opencl:1/1", -ENOMEM,
            "opencl: 1/1 Mock GPU: opencl: n = 1024: memory for tables: "
            "CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)");
}

/* ---- options ---------------------------------------------------------------------------- */

static void options_are_checked(void **state)
{
    (void)state;
    machine_reset();
    refuses_with("opencl", "plan=fast", -EINVAL, "opencl: option \"plan=fast\": expected auto, ");
    refuses_with("opencl", "cache=off,profile=z80", -EINVAL,
                 "opencl: option \"profile=z80\": expected the name of a simulated device");
    refuses_with("opencl", "speed=11", -EINVAL, "opencl: no option \"speed=11\": there are plan, ");
    refuses_with("opencl", "storage=fp16", -EINVAL,
                 "opencl: option \"storage=fp16\": expected float or half");
    refuses_with("opencl", "measure=yes", -EINVAL, "opencl: option \"measure=yes\": expected ");
    struct fft_engine *e =
        machine_engine("opencl", "cache=off,plan=local radix=8,profile=elsewhere");
    assert_string_equal(fft_engine_describe(e), "opencl: Mock GPU (1/1), planned as elsewhere");
    fft_engine_close(e);
}

static void a_driver_with_smaller_groups_gets_them(void **state)
{
    (void)state;
    struct mock_opencl *mock = machine_reset();
    mock->group = 16; /* the planner wants 64 */
    fft_engine_close(machine_engine("opencl", NULL));
    assert_int_equal(mock->alive, 0);
}

/* NVIDIA's drivers support more than they report. On a driver that does not, the first program
 * fails to build. */
static void more_local_memory_than_reported_is_only_tried(void **state)
{
    static const char *const vendors[] = {"NVIDIA Corporation", NULL};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct mock_opencl *mock = machine_reset();
        mock->vendor = vendors[i];
        mock->fail = "clBuildProgram";
        mock->fail_after = 1;
        mock->fail_code = OPENCL_BUILD_FAILURE;
        if (vendors[i])
            fft_engine_close(machine_engine("opencl:1/1", NULL));
        else
            refuses("opencl:1/1", -EIO,
                    "opencl: 1/1 Mock GPU: opencl: n = 1024: the driver cannot ");
        assert_int_equal(mock->alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_loader_is_reported),
        cmocka_unit_test(another_library_is_refused_as_a_loader),
        cmocka_unit_test(missing_drivers_are_reported),
        cmocka_unit_test(a_platform_without_devices_is_skipped_and_named),
        cmocka_unit_test(a_gpu_comes_first_wherever_it_is),
        cmocka_unit_test(devices_are_chosen_by_number_or_name),
        cmocka_unit_test(a_selector_without_a_match_lists_all_devices),
        cmocka_unit_test(auto_leaves_processors_to_the_cpu_engine),
        cmocka_unit_test(auto_leaves_what_a_raspberry_pi_has_to_the_cpu_engine),
        cmocka_unit_test(a_device_with_wrong_results_is_skipped),
        cmocka_unit_test(kernels_that_do_not_compile_are_refused_in_one_line),
        cmocka_unit_test(too_little_memory_is_enomem),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(a_driver_with_smaller_groups_gets_them),
        cmocka_unit_test(more_local_memory_than_reported_is_only_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
