/* test_opencl_daemon.c - runs the dsp thread on the OpenCL engine and checks that a lost device
 * costs no sample. */
#include "tests/support/dsp/dsp_fixture.h"

#include "tests/support/dsp/lost_device.h"
#include "tests/support/opencl/machine.h"

static struct mock_opencl *mock;

enum { ACROSS_A_BUS, UNIFIED };

static struct fft_engine *open_engine(int memory)
{
    mock = machine_reset();
    mock->unified = memory == UNIFIED;
    return machine_engine("opencl", NULL);
}

static void arm(const char *call, int after)
{
    mock->order = MOCK_LATE; /* with batches in flight */
    mock->fail = call;
    mock->fail_after = after;
    mock->fail_code = -36;
    mock->fatal = true;
}

static bool was_lost(void)
{
    return mock->lost;
}

static int64_t alive(void)
{
    return mock->alive;
}

static const struct lost_device device = {.engine = "opencl",
                                          .result = "CL_INVALID_COMMAND_QUEUE (-36)",
                                          .open = open_engine,
                                          .arm = arm,
                                          .lost = was_lost,
                                          .alive = alive};

static void a_device_lost_while_it_works_costs_no_sample(void **state)
{
    static const struct lost_call calls[] = {
        {"clGetEventInfo", 7, ACROSS_A_BUS},
        {"clGetEventInfo", 7, UNIFIED},
        {"clEnqueueNDRangeKernel", 9, ACROSS_A_BUS},
        {"clEnqueueNDRangeKernel", 9, UNIFIED},
        {"clFlush", 6, ACROSS_A_BUS},
        {"clFlush", 6, UNIFIED},
        {"clEnqueueMapBuffer", 30, UNIFIED},
        {"clEnqueueWriteBuffer", 5, ACROSS_A_BUS},
        {NULL, 0, 0},
    };
    (void)state;
    lost_device_costs_no_sample(&device, calls);
}

static void a_device_lost_before_its_first_batch_costs_no_sample(void **state)
{
    static const struct lost_call calls[] = {
        {"clCreateBuffer", 1, UNIFIED}, {"clBuildProgram", 1, UNIFIED}, {NULL, 0, 0}};
    (void)state;
    lost_device_costs_no_sample(&device, calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_lost_while_it_works_costs_no_sample),
        cmocka_unit_test(a_device_lost_before_its_first_batch_costs_no_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
