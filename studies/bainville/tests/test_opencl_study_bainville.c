/*
 * test_opencl_study_bainville.c - tests the kernels after Bainville's document
 * (studies/bainville/chain_kernels.h) on a real driver against double precision. The driver is
 * PoCL unless another is named.
 *
 *     test_opencl_study_bainville                      kernels that compile in seconds
 *     test_opencl_study_bainville all                  every kernel, every method, all switches
 *     test_opencl_study_bainville few                  the same with few points, for oclgrind
 *     test_opencl_study_bainville --programs FOLDER    writes the texts of all programs
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "studies/bainville/chain_kernels.h"
#include "studies/bainville/tests/bainville_programs.h"
#include "studies/tests/ocl_device.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/engine/signal.h"

enum { LONGEST = 1 << 16, BATCH = 3 };
static const double tolerance = 5e-7, double_tolerance = 2e-15;

static bool every_kernel; /* even if the compiler takes long */

static const enum bainville_method accurate[] = {BAINVILLE_SINCOS, BAINVILLE_SIN_AND_COS,
                                                 BAINVILLE_TABLE};

/* ---- signals and their transforms in double precision ------------------------------------ */

struct input {
    uint32_t n, count; /* transforms of n points */
    bool is_double;
    void *in; /* [count][n] points of floats or doubles */
    struct complex64 *want;
    struct root *roots; /* of n */
    struct _cl_mem *from;
};

static size_t bytes_of(const struct input *s)
{
    return (size_t)s->count * s->n * (s->is_double ? sizeof(struct root) : sizeof(struct fft_iq));
}

static struct input input_create(uint32_t n, uint32_t count, bool is_double)
{
    struct input s = {n, count, is_double, NULL, NULL, bainville_roots(n), NULL};
    const size_t points = (size_t)n * count;
    struct fft_iq *noise = signal_noise(FFT_IQ_CF32, points, 1, n + 7);
    struct root *wide = malloc(points * sizeof *wide);
    s.want = malloc(points * sizeof *s.want);
    assert_true(s.roots && s.want && wide);
    for (size_t i = 0; i < points; i++) {
        wide[i] = (struct root){(double)noise[i].re, (double)noise[i].im};
        s.want[i] = (struct complex64){wide[i].re, wide[i].im};
    }
    for (uint32_t i = 0; i < count; i++)
        reference_dft(s.want + (size_t)i * n, n, false);
    s.in = is_double ? (void *)wide : (void *)noise;
    free(is_double ? (void *)noise : (void *)wide);
    assert_int_equal(ocl_alloc(ocl, &s.from, bytes_of(&s)), 0);
    assert_int_equal(ocl_write(ocl, s.from, s.in, bytes_of(&s)), 0);
    return s;
}

static void input_destroy(struct input *s)
{
    ocl_free(ocl, s->from);
    free(s->in);
    free(s->want);
    free(s->roots);
}

/* The relative L2 error. NaN if a result is not a number. */
static double error_of(const struct input *s, struct _cl_mem *got)
{
    void *out = malloc(bytes_of(s));
    double off = 0, all = 0;
    assert_int_equal(ocl_read(ocl, out, got, bytes_of(s)), 0);
    for (size_t i = 0; i < (size_t)s->n * s->count; i++) {
        struct root y;
        if (s->is_double)
            y = ((struct root *)out)[i];
        else
            y = (struct root){(double)((struct fft_iq *)out)[i].re,
                              (double)((struct fft_iq *)out)[i].im};
        off += pow(y.re - s->want[i].re, 2) + pow(y.im - s->want[i].im, 2);
        all += pow(s->want[i].re, 2) + pow(s->want[i].im, 2);
    }
    free(out);
    return sqrt(off / all);
}

/* ---- chains ------------------------------------------------------------------------------ */

static const uint32_t poison = 0x7fc00001; /* a NaN */

/* The error of one chain. group: the size of work-groups, 0: its own. */
static double chain_error(struct bainville *b, enum bainville_kernel kernel, const struct input *s,
                          size_t group)
{
    struct bainville_chain c;
    assert_int_equal(bainville_chain_init(&c, b, kernel, s->n, s->from, s->roots), 0);
    if (group)
        c.group = group;
    for (int i = 0; i < 2; i++)
        assert_int_equal(ocl_fill(ocl, c.buffers[i], bytes_of(s), &poison, sizeof poison), 0);
    assert_int_equal(bainville_chain_enqueue(&c), 0);
    const double error = error_of(s, bainville_chain_result(&c));
    bainville_chain_finish(&c);
    return error;
}

static void check(struct bainville *b, enum bainville_kernel kernel, const struct input *s,
                  double allowed)
{
    const double error = chain_error(b, kernel, s, 0);
    if (!(error <= allowed))
        fail_msg("%s by %s, %u points%s%s%s: off by %g", bainville_variants[kernel].name,
                 bainville_method_name(b->switches.method), s->n, s->is_double ? ", double" : "",
                 b->switches.mad ? ", mad" : "", b->switches.relaxed ? ", relaxed" : "", error);
}

static void check_kernels(const struct bainville_switches *switches, uint32_t n, double allowed,
                          int step)
{
    struct bainville b = {ocl, *switches, {{0}}};
    struct input s = input_create(n, 1, switches->is_double);
    for (int k = 0; k < BAINVILLE_KERNELS; k += step)
        check(&b, (enum bainville_kernel)k, &s, allowed);
    input_destroy(&s);
    bainville_finish(&b);
}

static void check_all(const struct bainville_switches *switches, uint32_t n, double allowed)
{
    check_kernels(switches, n, allowed, 1);
}

/* Without "all", checks every third kernel: radix 2, 4 and 32 by powers, and 16. */
static void check_some(const struct bainville_switches *switches, uint32_t n, double allowed)
{
    check_kernels(switches, n, allowed, every_kernel ? 1 : 3);
}

/*
 * All results are within the tolerance of the truth, so within twice the tolerance of each other.
 * Without "all", methods that compute sines run with some lengths.
 */
static void every_kernel_by_every_accurate_method_computes_the_transform(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof accurate / sizeof accurate[0]; m++)
        for (uint32_t n = 2; n <= 4096;
             n *= accurate[m] == BAINVILLE_TABLE || every_kernel ? 2 : 32)
            (accurate[m] == BAINVILLE_TABLE ? check_all : check_some)(
                &(struct bainville_switches){.method = accurate[m]}, n, tolerance);
}

/* Errors of powers of one root add up, most for the powers up to 31. */
static void only_powers_of_roots_lose_accuracy_in_long_transforms(void **state)
{
    (void)state;
    struct bainville b = {ocl, {.method = BAINVILLE_TABLE}, {{0}}};
    struct input s = input_create(LONGEST, 1, false);
    for (int k = 0; k < BAINVILLE_KERNELS; k++)
        check(&b, (enum bainville_kernel)k, &s, bainville_variants[k].powers ? 8e-7 : 2e-7);
    input_destroy(&s);
    bainville_finish(&b);
}

/*
 * The angle of a root is at most pi, so its rounding to a float moves the root by at most 1.2e-7. A
 * power of a root moves by as many times more, which adds up over the passes. Every kernel that
 * computes its roots is tested here with angles of all of its passes.
 */
static void computed_roots_are_as_accurate_as_their_angles(void **state)
{
    (void)state;
    struct input s = input_create(LONGEST, 1, false);
    for (int m = BAINVILLE_SINCOS; m <= BAINVILLE_NATIVE; m++) {
        struct bainville b = {ocl, {.method = (enum bainville_method)m}, {{0}}};
        for (int k = 0; k < BAINVILLE_KERNELS; k++)
            check(&b, (enum bainville_kernel)k, &s,
                  m == BAINVILLE_NATIVE          ? 0.05
                  : bainville_variants[k].powers ? 1e-6
                                                 : tolerance);
        bainville_finish(&b);
    }
    input_destroy(&s);
}

/* The accuracy of native_sin is up to the device. The study shows what it costs. */
static void native_sines_compute_a_rough_transform(void **state)
{
    (void)state;
    check_some(&(struct bainville_switches){.method = BAINVILLE_NATIVE}, 4096, 0.05);
}

static void switches_change_the_arithmetic_alone(void **state)
{
    (void)state;
    const bool has_double = ocl_profile(ocl)->fp64;
    const struct bainville_switches mad = {.method = BAINVILLE_TABLE, .mad = true};
    const struct bainville_switches relaxed = {.method = BAINVILLE_TABLE, .relaxed = true};
    check_some(&mad, 4096, tolerance);
    check_some(&relaxed, 4096, tolerance);
    if (!has_double)
        print_message("SKIPPED: no cl_khr_fp64: double precision not tested\n");
    for (size_t m = every_kernel ? 0 : 2; has_double && m < sizeof accurate / sizeof accurate[0];
         m++)
        check_some(
            &(struct bainville_switches){.method = accurate[m], .is_double = true, .mad = m > 0},
            4096, double_tolerance);
}

static void the_size_of_work_groups_changes_no_bit(void **state)
{
    (void)state;
    struct bainville b = {ocl, {.method = BAINVILLE_TABLE}, {{0}}};
    struct input s = input_create(512, 1, false);
    const double usual = chain_error(&b, BAINVILLE_RADIX8_B, &s, 0);
    /* With 24, the last group has work-items without a butterfly. With 1, every work-item has
     * one. */
    assert_true(usual == chain_error(&b, BAINVILLE_RADIX8_B, &s, 24));
    assert_true(usual == chain_error(&b, BAINVILLE_RADIX8_B, &s, 1));
    input_destroy(&s);
    bainville_finish(&b);
}

static void pass_counts_at_2_to_the_24_match_the_document(void **state)
{
    (void)state;
    static const struct {
        enum bainville_kernel kernel;
        uint32_t calls, last;
    } documented[] = {{BAINVILLE_RADIX2, 24, 2},   {BAINVILLE_RADIX4_A, 12, 4},
                      {BAINVILLE_RADIX4_C, 12, 4}, {BAINVILLE_RADIX8_B, 8, 8},
                      {BAINVILLE_RADIX16, 6, 16},  {BAINVILLE_RADIX32, 5, 16}};
    for (size_t i = 0; i < sizeof documented / sizeof documented[0]; i++) {
        struct bainville_pass p[BAINVILLE_PASSES];
        const uint32_t count = bainville_passes(documented[i].kernel, 1 << 24, p);
        const struct bainville_pass *last = &p[count - 1];
        assert_int_equal(count, documented[i].calls);
        assert_int_equal(bainville_variants[last->kernel].radix, documented[i].last);
        assert_int_equal(last->joined * documented[i].last, 1 << 24);
        /* All passes together have one root less than points. */
        assert_int_equal(last->root_at + (documented[i].last - 1) * last->joined, (1 << 24) - 1);
    }
}

/* ---- work-groups with a transform each --------------------------------------------------- */

/* Sets *error of a form. -ERANGE: the driver takes no work-group of so many items. */
static int group_error(const struct bainville_group_form *f, const struct bainville_switches *w,
                       const struct input *s, size_t items, double *error)
{
    struct bainville_groups g = {
        .ocl = ocl, .form = *f, .batch = s->count, .items = items, .from = s->from};
    struct _cl_mem *to;
    *error = NAN;
    assert_int_equal(ocl_alloc(ocl, &to, bytes_of(s)), 0);
    assert_int_equal(ocl_fill(ocl, to, bytes_of(s), &poison, sizeof poison), 0);
    g.to = to;
    const int err = bainville_groups_init(&g, w);
    if (err == 0) {
        assert_int_equal(bainville_groups_enqueue(&g), 0);
        *error = error_of(s, to);
    }
    bainville_groups_finish(&g);
    ocl_free(ocl, to);
    return err;
}

static int run_form(bool in_registers, uint32_t radix, uint32_t n, enum bainville_method method,
                    bool is_double)
{
    const struct bainville_group_form f = {in_registers, radix, n};
    struct input s = input_create(n, BATCH, is_double);
    const struct bainville_switches w = {.method = method, .is_double = is_double};
    double error;
    const int err = group_error(&f, &w, &s, 16, &error);
    if (err == 0 && !(error <= (is_double ? double_tolerance : tolerance)))
        fail_msg("radix %u, %u points%s: off by %g", radix, n,
                 in_registers ? " in registers" : " in local memory", error);
    input_destroy(&s);
    return err;
}

static void check_form(bool in_registers, uint32_t radix, uint32_t n, enum bainville_method method,
                       bool is_double)
{
    assert_int_equal(run_form(in_registers, radix, n, method, is_double), 0);
}

static void a_transform_of_a_work_group_stays_in_local_memory(void **state)
{
    (void)state;
    check_form(false, 2, 2, BAINVILLE_SINCOS, false); /* one pass */
    check_form(false, 2, 1024, BAINVILLE_SINCOS, false);
    check_form(false, 4, 1024, BAINVILLE_SIN_AND_COS, false);
    check_form(false, 8, 512, BAINVILLE_TABLE, false);
    check_form(false, 16, 256, BAINVILLE_TABLE, false);
}

static void a_transform_of_a_work_group_stays_in_registers(void **state)
{
    (void)state;
    check_form(true, 2, 64, BAINVILLE_SINCOS, false);
    check_form(true, 4, 4, BAINVILLE_TABLE, false); /* nothing to exchange */
    check_form(true, 4, 256, BAINVILLE_SIN_AND_COS, false);
    check_form(true, 8, 512, BAINVILLE_SINCOS, false);
    check_form(true, 16, 4096, BAINVILLE_TABLE, false);
    check_form(true, 32, 1024, BAINVILLE_TABLE, false);
    if (ocl_profile(ocl)->fp64)
        check_form(true, 8, 512, BAINVILLE_TABLE, true);
}

static void more_local_memory_than_the_device_has_is_refused(void **state)
{
    (void)state;
    const struct bainville_switches w = {.method = BAINVILLE_TABLE};
    const struct bainville_group_form huge = {true, 2, 1 << 22}; /* 32 MiB of local memory */
    struct bainville_groups g = {.ocl = ocl, .form = huge, .batch = 1, .items = 1};
    assert_int_equal(bainville_groups_init(&g, &w), -ERANGE);
    bainville_groups_finish(&g);
}

/* ---- few points of every text, for oclgrind ----------------------------------------------- */

static void a_few_of_each(void **state)
{
    (void)state;
    for (int m = 0; m < BAINVILLE_METHODS; m++)
        check_all(&(struct bainville_switches){.method = (enum bainville_method)m}, 64,
                  m == BAINVILLE_NATIVE ? 0.05 : tolerance);
    check_all(&(struct bainville_switches){.method = BAINVILLE_TABLE, .mad = true}, 64, tolerance);
    check_form(false, 2, 2, BAINVILLE_TABLE, false);
    check_form(false, 2, 128, BAINVILLE_TABLE, false);
    check_form(false, 4, 64, BAINVILLE_SINCOS, false);
    check_form(true, 2, 64, BAINVILLE_SINCOS, false);
    check_form(true, 4, 64, BAINVILLE_TABLE, false);
    check_form(true, 16, 256, BAINVILLE_TABLE, false);
    /* Mesa's rusticl takes 32 work-items at most with this kernel. */
    const int err = run_form(true, 4, 256, BAINVILLE_TABLE, false);
    assert_true(err == 0 || err == -ERANGE);
    if (err == -ERANGE)
        printf("# left out: the driver takes no work-group of 64 items\n");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest few[] = {cmocka_unit_test(a_few_of_each)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pass_counts_at_2_to_the_24_match_the_document),
        cmocka_unit_test(every_kernel_by_every_accurate_method_computes_the_transform),
        cmocka_unit_test(only_powers_of_roots_lose_accuracy_in_long_transforms),
        cmocka_unit_test(computed_roots_are_as_accurate_as_their_angles),
        cmocka_unit_test(native_sines_compute_a_rough_transform),
        cmocka_unit_test(switches_change_the_arithmetic_alone),
        cmocka_unit_test(the_size_of_work_groups_changes_no_bit),
        cmocka_unit_test(a_transform_of_a_work_group_stays_in_local_memory),
        cmocka_unit_test(a_transform_of_a_work_group_stays_in_registers),
        cmocka_unit_test(more_local_memory_than_the_device_has_is_refused),
    };
    if (argc == 3 && strcmp(argv[1], "--programs") == 0)
        return bainville_write_programs(argv[2]);
    every_kernel = argc == 2 && strcmp(argv[1], "all") == 0;
    if (argc == 2 && strcmp(argv[1], "few") == 0)
        return cmocka_run_group_tests(few, open_device, close_device);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
