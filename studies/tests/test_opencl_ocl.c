/* test_opencl_ocl.c - tests on a real driver how the studies run their kernels (ocl_program.h,
 * ocl_times.h). */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/contest.h"
#include "studies/ocl_program.h"
#include "studies/ocl_times.h"
#include "studies/tests/ocl_device.h"

enum { N = 1000, ROWS = 3 };

/* ---- failures, one line each ------------------------------------------------------------- */

static void an_unknown_device_is_reported(void **state)
{
    (void)state;
    struct ocl *none;
    char why[400];
    assert_int_equal(ocl_open(&none, "cpu", NULL, why, sizeof why), -EINVAL);
    assert_null(none);
    assert_non_null(strstr(why, "\"cpu\""));
    assert_int_equal(ocl_open(&none, "opencl:nowhere", NULL, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "\"nowhere\""));
    assert_int_equal(ocl_open(&none, "opencl", "turbo", why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "turbo"));
}

static void invalid_programs_fail(void **state)
{
    (void)state;
    static const char *const missing[] = {"no_such_file", NULL};
    static const char *const stems[] = {"mali_digit_reverse", NULL};
    struct opencl_program *p;
    struct ocl_kernel k;
    assert_int_equal(ocl_build(ocl, &p, missing, "", ""), -ENOENT);
    assert_int_equal(ocl_build(ocl, &p, stems, "#error this is meant to be", ""), -EIO);
    assert_int_equal(ocl_build(ocl, &p, stems, "", ""), 0);
    assert_int_equal(ocl_kernel(ocl, &k, p, "no_such_kernel"), -EIO);
    assert_null(k.handle);
}

/* ---- launches ---------------------------------------------------------------------------- */

struct gather {
    struct opencl_program *program;
    struct ocl_kernel kernel;
    struct _cl_mem *in, *out, *order;
    uint32_t calls, waits;
};

static void gather_init(struct gather *g, const struct fft_iq *in, const uint32_t *order)
{
    static const char *const stems[] = {"mali_digit_reverse", NULL};
    static const uint32_t poison = 0x7fc00001;
    *g = (struct gather){0};
    assert_int_equal(ocl_build(ocl, &g->program, stems, "", ""), 0);
    assert_int_equal(ocl_kernel(ocl, &g->kernel, g->program, "digit_reverse"), 0);
    assert_int_equal(ocl_alloc(ocl, &g->in, ROWS * N * sizeof *in), 0);
    assert_int_equal(ocl_alloc(ocl, &g->out, ROWS * N * sizeof *in), 0);
    assert_int_equal(ocl_alloc(ocl, &g->order, N * sizeof *order), 0);
    assert_int_equal(ocl_write(ocl, g->in, in, ROWS * N * sizeof *in), 0);
    assert_int_equal(ocl_fill(ocl, g->out, ROWS * N * sizeof *in, &poison, sizeof poison), 0);
    assert_int_equal(ocl_write(ocl, g->order, order, N * sizeof *order), 0);
}

static int gather_begin(void *user)
{
    struct gather *g = user;
    g->calls++;
    return ocl_launch(ocl, &(struct ocl_launch){.kernel = &g->kernel,
                                                .global = {N, ROWS},
                                                .local = {g->kernel.group >= 10 ? 10 : 1, 1},
                                                .arg_count = 4,
                                                .args = {OCL_MEMORY(g->in), OCL_MEMORY(g->out),
                                                         OCL_MEMORY(g->order), OCL_WORD(N)}});
}

static int gather_three_times(void *user)
{
    int err = 0;
    for (int i = 0; err == 0 && i < 3; i++)
        err = gather_begin(user);
    return err;
}

static int waited(void *user)
{
    ((struct gather *)user)->waits++;
    return 0;
}

static void gather_finish(struct gather *g)
{
    ocl_free(ocl, g->in);
    ocl_free(ocl, g->out);
    ocl_free(ocl, g->order);
    ocl_kernel_free(ocl, &g->kernel);
}

static void a_launch_computes_and_is_timed(void **state)
{
    (void)state;
    static struct fft_iq in[ROWS * N], out[ROWS * N];
    static uint32_t order[N];
    struct gather g, other;
    for (uint32_t i = 0; i < ROWS * N; i++)
        in[i] = (struct fft_iq){(float)i, -(float)i};
    for (uint32_t i = 0; i < N; i++)
        order[i] = i * 7 % N; /* 7 and N are coprime */
    gather_init(&g, in, order);
    gather_init(&other, in, order);
    assert_int_equal(g.kernel.local_bytes, 0);
    assert_true(g.kernel.group >= 1);

    struct ocl_work works[] = {{.enqueue = gather_begin, .user = &g},
                               {.enqueue = gather_begin, .user = &other, .finish = waited}};
    assert_int_equal(ocl_seconds(ocl, works, 2, true), 0);
    assert_int_equal(g.calls, 1);
    assert_int_equal(other.calls, 1);
    assert_int_equal(other.waits, 1);
    assert_true(works[0].seconds > 0 && works[1].seconds > 0);

    assert_int_equal(ocl_read(ocl, out, g.out, sizeof out), 0);
    for (uint32_t i = 0; i < ROWS * N; i++)
        assert_memory_equal(&out[i], &in[i / N * N + order[i % N]], sizeof out[i]);
    assert_int_equal(ocl_copy(ocl, g.in, g.out, sizeof out), 0);
    assert_int_equal(ocl_read(ocl, in, g.in, sizeof in), 0);
    assert_memory_equal(in, out, sizeof in);
    gather_finish(&other);
    gather_finish(&g);
}

/* Kernels of one queue run one after another, within the time that the host sees. */
static void profiled_kernels_run_within_the_calls_time(void **state)
{
    (void)state;
    static struct fft_iq in[ROWS * N], out[ROWS * N];
    static uint32_t order[N];
    struct gather g;
    double once = NAN, twice = NAN;
    in[0].re = 1;
    gather_init(&g, in, order); /* all points of a row are its first one */
    assert_int_equal(gather_begin(&g), 0);
    const struct ocl_work work = {.enqueue = gather_begin, .user = &g};
    const struct ocl_work thrice = {.enqueue = gather_three_times, .user = &g};
    const double start = contest_clock(true);
    assert_int_equal(ocl_profiled_seconds(ocl, &work, true, &once), 0);
    const double between = contest_clock(true);
    assert_int_equal(ocl_profiled_seconds(ocl, &thrice, true, &twice), 0);
    const double end = contest_clock(true);
    assert_true(once > 0 && once <= between - start);
    assert_true(twice > 0 && twice <= end - between);
    assert_int_equal(g.calls, 1 + 1 + 3);
    assert_int_equal(ocl_read(ocl, out, g.out, sizeof out), 0);
    assert_true(out[N - 1].re == 1);
    gather_finish(&g);
}

static int gather_too_often(void *user)
{
    int err = 0;
    for (int i = 0; err == 0 && i < 65; i++)
        err = gather_begin(user);
    return err;
}

static void too_many_kernels_are_not_profiled(void **state)
{
    (void)state;
    static struct fft_iq in[ROWS * N];
    static uint32_t order[N];
    struct gather g;
    double seconds = 0;
    gather_init(&g, in, order);
    const struct ocl_work work = {.enqueue = gather_too_often, .user = &g};
    assert_int_equal(ocl_profiled_seconds(ocl, &work, true, &seconds), -E2BIG);
    assert_true(isnan(seconds));
    assert_int_equal(gather_begin(&g), 0); /* unprofiled launches have no such limit */
    assert_int_equal(ocl_finish(ocl), 0);
    gather_finish(&g);
}

static int broken(void *user)
{
    (void)user;
    return -EIO;
}

static void failed_work_has_no_time(void **state)
{
    (void)state;
    struct ocl_work works[] = {{.enqueue = broken}};
    assert_int_equal(ocl_seconds(ocl, works, 1, false), -EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_device_is_reported),
        cmocka_unit_test(invalid_programs_fail),
        cmocka_unit_test(a_launch_computes_and_is_timed),
        cmocka_unit_test(failed_work_has_no_time),
        cmocka_unit_test(profiled_kernels_run_within_the_calls_time),
        cmocka_unit_test(too_many_kernels_are_not_profiled),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
