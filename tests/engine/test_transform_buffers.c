/*
 * test_transform_buffers.c - transforms on device buffers: which copies are made, and when.
 *
 * test_transform.c and test_transform_layout.c check the results.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/engine/host_device.h"
#include "tests/support/engine/transform_case.h"

static struct fft_engine *open_device(enum device_kind kind)
{
    struct test_engine tested = {.engine = device_ops(kind)->name, .threads = 1};
    void *state = &tested;
    tested.ops = device_ops(kind);
    struct fft_engine *e = test_engine_open(&state);
    device_counts = (struct device_counts){0};
    return e;
}

static struct fft_transform *create_transform(struct fft_engine *e,
                                              const struct fft_transform_config *plan)
{
    struct fft_transform *t;
    char why[100];
    if (fft_transform_create(&t, e, plan, why, sizeof why) != 0)
        fail_msg("%s", why);
    return t;
}

/* ---- copies ----------------------------------------------------------------------------- */

static const struct fft_transform_config shapes[] = {
    {.rank = 1, .n = {60}, .batch = 3},
    {.rank = 2, .n = {12, 20}, .batch = 2},
    {.rank = 3, .n = {6, 10, 14}, .batch = 2},
};
enum { FLOATS = 2 * 2 * 6 * 10 * (14 + 2) };

/* Axes that a pass over another axis transforms, too: all shapes of rank 2 and 3 end in even ones.
 */
static unsigned joined_axes(unsigned kind, const struct fft_transform_config *plan)
{
    return kind == DEVICE_PLANE && plan->rank > 1 &&
           (plan->type == FFT_TRANSFORM_FORWARD || plan->type == FFT_TRANSFORM_INVERSE);
}

static void check_copies(struct fft_engine *e, const struct fft_transform_config *plan,
                         unsigned passes)
{
    static float in[FLOATS], out[FLOATS];
    struct fft_transform *t = create_transform(e, plan);
    const unsigned buffers = device_counts.buffers;
    for (unsigned run = 1; run <= 3; run++) {
        assert_int_equal(fft_transform_execute(t, in, plan->in_place ? in : out), 0);
        assert_int_equal(device_counts.to_device, run);
        assert_int_equal(device_counts.to_host, run);
        assert_int_equal(device_counts.passes, run * passes);
    }
    assert_int_equal(device_counts.buffers, buffers); /* creation allocated all memory */
    fft_transform_destroy(t);
    assert_int_equal(device_counts.buffers, 0);
    device_counts = (struct device_counts){0};
}

static void host_arrays_are_copied_once_in_each_direction(void **state)
{
    (void)state;
    for (unsigned kind = DEVICE_REAL; kind < DEVICE_LIMITED; kind++) {
        struct fft_engine *e = open_device((enum device_kind)kind);
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
            for (unsigned variant = 0; variant < 2 * FFT_TRANSFORM_TYPES; variant++) {
                struct fft_transform_config plan = shapes[i];
                plan.type = (enum fft_transform_type)(variant / 2);
                plan.in_place = variant % 2;
                check_copies(e, &plan, plan.rank - joined_axes(kind, &plan));
            }
        fft_engine_close(e);
    }
}

/* An engine that rotates reads spread points in a packed array only on the first axis of a c2r. */
static void an_engine_that_prefers_to_rotate_reads_adjacent_points(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < DEVICE_LIMITED; kind++) {
        struct fft_engine *e = open_device((enum device_kind)kind);
        for (size_t i = 1; i < sizeof shapes / sizeof shapes[0]; i++)
            for (unsigned type = 0; type < FFT_TRANSFORM_TYPES; type++) {
                static float in[FLOATS], out[FLOATS];
                struct fft_transform_config plan = shapes[i];
                plan.type = (enum fft_transform_type)type;
                struct fft_transform *t = create_transform(e, &plan);
                device_counts.spread_reads = 0;
                assert_int_equal(fft_transform_execute(t, in, out), 0);
                assert_int_equal(device_counts.spread_reads,
                                 kind == DEVICE_ROTATE ? type == FFT_TRANSFORM_C2R
                                                       : plan.rank - 1 - joined_axes(kind, &plan));
                fft_transform_destroy(t);
            }
        fft_engine_close(e);
    }
}

/* ---- data on the device ----------------------------------------------------------------- */

static struct fft_buffer *buffer(struct fft_engine *e, size_t bytes)
{
    struct fft_buffer *b;
    assert_int_equal(fft_buffer_create(&b, e, bytes), 0);
    return b;
}

static void put(struct fft_buffer *b, const void *from, size_t bytes)
{
    void *at;
    assert_int_equal(fft_buffer_map(b, FFT_BUFFER_WRITE, &at), 0);
    assert_int_equal((uintptr_t)at % 64, 0);
    memcpy(at, from, bytes);
    assert_int_equal(fft_buffer_unmap(b), 0);
}

static void get(struct fft_buffer *b, void *to, size_t bytes)
{
    void *at;
    assert_int_equal(fft_buffer_map(b, FFT_BUFFER_READ, &at), 0);
    assert_int_equal((uintptr_t)at % 64, 0);
    memcpy(to, at, bytes);
    assert_int_equal(fft_buffer_unmap(b), 0);
}

/* An r2c, a forward transform along the batch, then a rank 2 c2r give 64 * 30 times the input. */
static void round_trip(struct fft_engine *e)
{
    enum { ROWS = 30, N = 64, BINS = N / 2 + 1 };
    const struct fft_transform_config plans[] = {
        {.type = FFT_TRANSFORM_R2C, .rank = 1, .n = {N}, .batch = ROWS, .on_buffers = true},
        {.type = FFT_TRANSFORM_FORWARD,
         .rank = 1,
         .n = {ROWS},
         .batch = BINS,
         .on_buffers = true,
         .in_place = true,
         .in = {{BINS}, 1},
         .out = {{BINS}, 1}},
        {.type = FFT_TRANSFORM_C2R, .rank = 2, .n = {ROWS, N}, .batch = 1, .on_buffers = true},
    };
    float *x = test_noise(FFT_IQ_CF32, ROWS * N / 2, 1), y[ROWS * N];
    struct complex64 want[ROWS * N / 2];
    struct fft_transform *t[3];
    for (int i = 0; i < 3; i++)
        t[i] = create_transform(e, &plans[i]);
    assert_int_equal(fft_transform_bytes_in(t[0]), sizeof y);
    assert_int_equal(fft_transform_bytes_out(t[0]), ROWS * BINS * sizeof(struct fft_iq));
    struct fft_buffer *reals = buffer(e, sizeof y);
    struct fft_buffer *bins = buffer(e, fft_transform_bytes_out(t[0]));

    put(reals, x, sizeof y);
    assert_int_equal(fft_transform_execute_buffers(t[0], reals, bins), 0);
    assert_int_equal(fft_transform_execute_buffers(t[1], bins, bins), 0);
    assert_int_equal(fft_transform_execute_buffers(t[2], bins, reals), 0);
    get(reals, y, sizeof y);
    for (int i = 0; i < ROWS * N / 2; i++)
        want[i] = (struct complex64){(double)x[2 * i] * ROWS * N, (double)x[2 * i + 1] * ROWS * N};
    assert_near(transform_error((struct fft_iq *)(void *)y, want, ROWS * N / 2), 0, 5e-7);

    fft_buffer_destroy(bins);
    fft_buffer_destroy(reals);
    for (int i = 0; i < 3; i++)
        fft_transform_destroy(t[i]);
    free(x);
}

static void data_stays_on_the_device_between_transforms(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < DEVICE_LIMITED; kind++) {
        struct fft_engine *e = open_device((enum device_kind)kind);
        round_trip(e);
        assert_int_equal(device_counts.buffers, 0);
        if (kind != DEVICE_PLAIN) { /* the host computes its real rows */
            assert_int_equal(device_counts.to_device, 1);
            assert_int_equal(device_counts.to_host, 1);
        }
        fft_engine_close(e);
    }
}

static void engines_of_this_build_have_buffers(void **state)
{
    struct fft_engine *e = test_engine_open(state);
    const struct fft_transform_config hardest = {
        .type = FFT_TRANSFORM_C2R, .rank = 2, .n = {30, 64}, .batch = 1};
    skip_unless(e, test_engine_transforms(e, &hardest));
    round_trip(e);
    fft_engine_close(e);
}

/* ---- errors ----------------------------------------------------------------------------- */

static void check_unsuitable_buffers(struct fft_engine *e, struct fft_engine *other)
{
    const struct fft_transform_config apart = {.rank = 1, .n = {16}, .batch = 1};
    const struct fft_transform_config same = {.rank = 1, .n = {16}, .batch = 1, .in_place = true};
    struct fft_transform *t = create_transform(e, &apart), *inside = create_transform(e, &same);
    struct fft_buffer *a = buffer(e, 128), *b = buffer(e, 128), *small = buffer(e, 127);
    struct fft_buffer *foreign = buffer(other, 128);
    void *at;

    assert_int_equal(fft_transform_execute_buffers(t, a, a), -EINVAL);
    assert_int_equal(fft_transform_execute_buffers(inside, a, b), -EINVAL);
    assert_int_equal(fft_transform_execute_buffers(t, a, small), -EINVAL);
    assert_int_equal(fft_transform_execute_buffers(t, small, a), -EINVAL);
    assert_int_equal(fft_transform_execute_buffers(t, foreign, a), -EINVAL);
    assert_int_equal(fft_transform_execute_buffers(t, a, foreign), -EINVAL);
    assert_int_equal(fft_transform_execute_buffers(t, NULL, a), -EINVAL);
    assert_int_equal(fft_transform_execute_buffers(t, a, NULL), -EINVAL);
    assert_int_equal(fft_buffer_map(a, FFT_BUFFER_READ, &at), 0);
    assert_int_equal(fft_transform_execute_buffers(t, a, b), -EBUSY);
    assert_int_equal(fft_transform_execute_buffers(t, b, a), -EBUSY);
    fft_buffer_destroy(a); /* mapped */
    fft_buffer_destroy(b);
    fft_buffer_destroy(small);
    fft_buffer_destroy(foreign);
    fft_transform_destroy(inside);
    fft_transform_destroy(t);
}

static void buffers_are_checked(void **state)
{
    struct fft_engine *e = test_engine_open(state), *other = open_device(DEVICE_REAL);
    struct fft_buffer *b;
    void *at;
    check_unsuitable_buffers(e, other);
    check_unsuitable_buffers(other, e);

    assert_int_equal(fft_buffer_create(&b, e, 0), -EINVAL);
    assert_null(b);
    b = buffer(e, 1000);
    assert_int_equal(fft_buffer_unmap(b), -EINVAL);
    assert_int_equal(fft_buffer_map(b, 0, &at), -EINVAL);
    assert_int_equal(fft_buffer_map(b, 4, &at), -EINVAL);
    assert_int_equal(fft_buffer_map(b, FFT_BUFFER_WRITE, &at), 0);
    assert_int_equal(fft_buffer_map(b, FFT_BUFFER_READ, &at), -EBUSY);
    assert_int_equal(fft_buffer_unmap(b), 0);
    fft_buffer_destroy(b);
    fft_buffer_destroy(NULL);
    fft_engine_close(other);
    fft_engine_close(e);
}

static void a_plan_for_buffers_allocates_none_for_host_memory(void **state)
{
    static struct fft_iq x[16], y[16];
    const struct fft_transform_config plan = {.rank = 1, .n = {16}, .batch = 1, .on_buffers = true};
    struct fft_engine *e = open_device(DEVICE_REAL);
    struct fft_transform *t = create_transform(e, &plan);
    (void)state;
    assert_int_equal(device_counts.buffers, 0);
    assert_int_equal(fft_transform_execute(t, x, y), -EINVAL);
    fft_transform_destroy(t);
    fft_engine_close(e);
}

/* Queued work may fail later: the caller that waits for it gets the error. */
static void a_late_error_is_returned_to_the_waiting_caller(void **state)
{
    static struct fft_iq x[16], y[16];
    const struct fft_transform_config plan = {.rank = 1, .n = {16}, .batch = 1};
    struct fft_engine *e = open_device(DEVICE_ROTATE);
    struct fft_transform *t = create_transform(e, &plan);
    struct fft_buffer *a = buffer(e, sizeof x), *b = buffer(e, sizeof x);
    void *at;
    (void)state;

    device_fails = -EIO;
    assert_int_equal(fft_transform_execute_buffers(t, a, b), 0);
    assert_int_equal(fft_engine_wait(e), -EIO);
    assert_int_equal(fft_engine_wait(e), 0);
    device_fails = -EIO;
    assert_int_equal(fft_transform_execute_buffers(t, a, b), 0);
    assert_int_equal(fft_buffer_map(b, FFT_BUFFER_READ, &at), -EIO);
    assert_int_equal(fft_buffer_unmap(b), -EINVAL); /* it was not mapped */
    device_fails = -EIO;
    assert_int_equal(fft_transform_execute(t, x, y), -EIO);
    assert_int_equal(fft_transform_execute(t, x, y), 0);
    fft_buffer_destroy(b);
    fft_buffer_destroy(a);
    fft_transform_destroy(t);
    fft_engine_close(e);
}

/* The VmFlags of /proc/self/smaps for the pages at `at`; "" if the kernel reports none. */
static void page_flags(const void *at, char *flags, size_t size)
{
    char line[500];
    bool inside = false;
    FILE *f = fopen("/proc/self/smaps", "r");
    *flags = '\0';
    while (f && fgets(line, sizeof line, f)) {
        unsigned long long first, end;
        if (sscanf(line, "%llx-%llx ", &first, &end) == 2)
            inside = first <= (uintptr_t)at && (uintptr_t)at < end;
        else if (inside && strncmp(line, "VmFlags:", 8) == 0)
            snprintf(flags, size, "%.100s", line + 8);
    }
    if (f)
        fclose(f);
}

static void large_host_buffers_request_huge_pages(void **state)
{
    enum { HUGE_PAGE = 2 << 20 };
    static const struct {
        size_t bytes;
        bool huge;
    } cases[] = {{HUGE_PAGE - 64, false}, {HUGE_PAGE, true}, {9 * HUGE_PAGE / 2, true}};
    struct test_engine cpu = {.engine = "cpu", .threads = 1};
    void *tested = &cpu;
    struct fft_engine *e = test_engine_open(&tested);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fft_buffer *b = buffer(e, cases[i].bytes);
        char *at, flags[200];
        assert_int_equal(fft_buffer_map(b, FFT_BUFFER_WRITE, (void **)&at), 0);
        assert_int_equal((uintptr_t)at % (cases[i].huge ? HUGE_PAGE : 64), 0);
        at[0] = at[cases[i].bytes - 1] = 1;
        page_flags(at, flags, sizeof flags);
        if (*flags && access("/sys/kernel/mm/transparent_hugepage", F_OK) == 0)
            assert_int_equal(strstr(flags, " hg") != NULL, cases[i].huge);
        fft_buffer_destroy(b);
    }
    fft_engine_close(e);
}

static int run_buffer_tests(struct test_engine *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(engines_of_this_build_have_buffers, state),
        cmocka_unit_test_prestate(buffers_are_checked, state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_arrays_are_copied_once_in_each_direction),
        cmocka_unit_test(an_engine_that_prefers_to_rotate_reads_adjacent_points),
        cmocka_unit_test(data_stays_on_the_device_between_transforms),
        cmocka_unit_test(a_plan_for_buffers_allocates_none_for_host_memory),
        cmocka_unit_test(a_late_error_is_returned_to_the_waiting_caller),
        cmocka_unit_test(large_host_buffers_request_huge_pages),
    };
    return test_engine_each(run_buffer_tests) + cmocka_run_group_tests(tests, NULL, NULL);
}
