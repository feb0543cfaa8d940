/*
 * test_opencl_study_mali.c - tests every form of Iodice's pipeline
 * (studies/mali/mali_pipeline.h) on a real compiler and device against double precision. The
 * device is PoCL's unless the environment selects another.
 *
 *     test_opencl_study_mali                      every form, with one or two lengths
 *     test_opencl_study_mali all                  every form with three lengths
 *     test_opencl_study_mali few                  short rows, for slow devices
 *     test_opencl_study_mali --programs FOLDER    writes the texts of all programs
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "studies/mali/mali_pipeline.h"
#include "studies/tests/ocl_device.h"
#include "tests/support/engine/test_engines.h"

enum { UNTOUCHED = 0x7fc00001 }; /* a NaN that no sum yields */

static bool every_length; /* even if the compiler takes long */

/* Roots from a table are as accurate as a float. An angle computed in float is less accurate. */
static const double table_error = 3e-7, angle_error = 1e-6;

static void lengths_with_other_factors_are_refused(void **state)
{
    (void)state;
    static const uint32_t none[] = {0, 1, 11, 13, 22, 143, 4096 * 17};
    const struct mali_form form = {8, MALI_MERGED, MALI_VLOAD, 1};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        static struct mali m;
        assert_int_equal(mali_init(&m, ocl, &form, &(struct mali_batch){none[i], 1, 0}, NULL, NULL),
                         -EINVAL);
        mali_finish(&m);
    }
}

/* ---- rows -------------------------------------------------------------------------------- */

static double relative_error(const struct fft_iq *got, const struct complex64 *want, uint32_t n)
{
    double off = 0, all = 0;
    for (uint32_t i = 0; i < n; i++) {
        off += pow((double)got[i].re - want[i].re, 2) + pow((double)got[i].im - want[i].im, 2);
        all += pow(want[i].re, 2) + pow(want[i].im, 2);
    }
    return sqrt(off / all);
}

static struct complex64 *widened(const struct fft_iq *x, size_t count)
{
    struct complex64 *wide = malloc(count * sizeof *wide);
    assert_non_null(wide);
    for (size_t i = 0; i < count; i++)
        wide[i] = (struct complex64){(double)x[i].re, (double)x[i].im};
    return wide;
}

struct arrays {
    struct _cl_mem *in, *out;
    struct fft_iq *noise, *got; /* [count + 1]: no kernel may write the last point */
    size_t count;
};

static void arrays_init(struct arrays *a, size_t count)
{
    const size_t bytes = (count + 1) * sizeof(struct fft_iq);
    const uint32_t untouched = UNTOUCHED;
    *a = (struct arrays){.count = count, .noise = test_noise(FFT_IQ_CF32, count + 1, 5)};
    a->got = malloc(bytes);
    assert_non_null(a->got);
    assert_int_equal(ocl_alloc(ocl, &a->in, bytes), 0);
    assert_int_equal(ocl_alloc(ocl, &a->out, bytes), 0);
    assert_int_equal(ocl_write(ocl, a->in, a->noise, bytes), 0);
    assert_int_equal(ocl_fill(ocl, a->out, bytes, &untouched, sizeof untouched), 0);
}

static void arrays_read(struct arrays *a)
{
    const size_t bytes = (a->count + 1) * sizeof(struct fft_iq);
    uint32_t after;
    assert_int_equal(ocl_read(ocl, a->got, a->in, bytes), 0);
    assert_memory_equal(a->got, a->noise, bytes); /* the input is unchanged */
    assert_int_equal(ocl_read(ocl, a->got, a->out, bytes), 0);
    memcpy(&after, &a->got[a->count], sizeof after);
    assert_int_equal(after, UNTOUCHED);
}

static void arrays_finish(struct arrays *a)
{
    ocl_free(ocl, a->in);
    ocl_free(ocl, a->out);
    free(a->noise);
    free(a->got);
}

static double allowed(const struct mali_form *f)
{
    return f->roots == MALI_OWN_TABLE || f->roots >= MALI_MERGED_TABLE ? table_error : angle_error;
}

static void rows_conform(uint32_t n, const struct mali_form *form)
{
    enum { ROWS = 2 };
    /* PoCL reports 1024 for any kernel. Large angles may need an array. */
    const bool reports_private = ocl_profile(ocl)->type == OPENCL_GPU;
    static struct mali m;
    struct arrays a;
    arrays_init(&a, (size_t)ROWS * n);
    assert_int_equal(mali_init(&m, ocl, form, &(struct mali_batch){n, ROWS, 0}, a.in, a.out), 0);
    for (uint32_t i = 0; i < m.steps && reports_private; i++)
        assert_true(form->roots < MALI_OWN_TABLE || form->roots == MALI_MERGED ||
                    m.step[i].kernel.private_bytes == 0);
    assert_int_equal(mali_enqueue(&m), 0);
    arrays_read(&a);
    struct complex64 *want = widened(a.noise, a.count);
    for (uint32_t row = 0; row < ROWS; row++) {
        reference_dft(want + (size_t)row * n, n, false);
        const double off = relative_error(a.got + (size_t)row * n, want + (size_t)row * n, n);
        if (!(off <= allowed(form)))
            fail_msg("%u points, radices to %u, roots %d, first %d, %u columns: off by %g", n,
                     form->largest, (int)form->roots, (int)form->first, form->columns, off);
    }
    free(want);
    mali_finish(&m);
    arrays_finish(&a);
}

/* The names of the kernels that a form launches, in order. */
static void check_names(const struct mali_form *form, const struct mali_batch *batch,
                        const char *want)
{
    static struct mali m;
    struct arrays a;
    char names[400] = "";
    arrays_init(&a, (size_t)batch->n * batch->count * (batch->width ? batch->width : 1));
    assert_int_equal(mali_init(&m, ocl, form, batch, a.in, a.out), 0);
    for (uint32_t i = 0; i < m.steps; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? " " : "",
                 m.step[i].name);
    assert_string_equal(names, want);
    mali_finish(&m);
    arrays_finish(&a);
}

/* methods.txt has what each of these kernels does. */
static void a_form_launches_the_kernels_of_its_method(void **state)
{
    (void)state;
    const struct mali_batch rows = {16, 1, 0}, columns = {16, 1, 2};
    const struct {
        struct mali_form form;
        const char *names;
    } forms[] = {
        {{4, MALI_NAIVE, MALI_VLOAD, 1}, "digit_reverse first_4 twiddle_naive radix_4"},
        {{4, MALI_SHORT, MALI_VLOAD, 1}, "digit_reverse first_4 twiddle_short radix_4"},
        {{4, MALI_HOISTED, MALI_VLOAD, 1}, "digit_reverse first_4 twiddle_hoisted radix_4"},
        {{4, MALI_OWN_TABLE, MALI_WIDE, 1}, "digit_reverse first_wide_4 twiddle_table radix_4"},
        {{4, MALI_MERGED, MALI_STRIDED, 1}, "digit_reverse radix_4 merged_4"},
        {{8, MALI_MERGED_TABLE, MALI_VLOAD, 1}, "digit_reverse first_8 merged_table_2"},
        {{4, MALI_MERGED_CHAIN, MALI_VLOAD, 1}, "digit_reverse first_4 merged_chain_4"},
        {{2, MALI_MERGED_TABLE, MALI_STRIDED, 0},
         "digit_reverse scalar_2 scalar_table_2 scalar_table_2 scalar_table_2"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        check_names(&forms[i].form, &rows, forms[i].names);
    check_names(&(struct mali_form){4, MALI_MERGED, MALI_VLOAD, 1}, &columns,
                "digit_reverse_down down_4 down_merged_4");
    check_names(&(struct mali_form){4, MALI_MERGED_TABLE, MALI_VLOAD, 2}, &columns,
                "digit_reverse_down down_4 down_merged_table_4");
}

/* Form number i of all forms. */
static struct mali_form form_at(uint32_t i)
{
    static const uint32_t largest[] = {2, 4, 8};
    return (struct mali_form){.columns = 1 + i % 2,
                              .largest = largest[i / 2 % 3],
                              .first = (enum mali_first_form)(i / 6 % MALI_FIRST_FORMS),
                              .roots = (enum mali_roots_form)(i / 18 % MALI_ROOTS_FORMS)};
}

enum { FORMS = 18 * MALI_ROOTS_FORMS };

static void every_form_computes_the_transform(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < FORMS; i++) {
        const struct mali_form form = form_at(i);
        if (every_length || i % 2)
            rows_conform(840, &form);
        if (every_length || i % 2 == 0)
            rows_conform(4096, &form);
        if (every_length || i % 3 == 0)
            rows_conform(45, &form); /* odd: one column, no wide first stage */
    }
}

/* Uses the forms one after another. 41 and their number are coprime. */
static void every_smooth_length_is_computed(void **state)
{
    (void)state;
    uint32_t index = 0;
    for (uint32_t n = 2; n <= 1050; n++) {
        const struct mali_form form = form_at(index % FORMS);
        if (!fft_radix_is_smooth(n))
            continue;
        rows_conform(n, &form);
        index += 41;
    }
}

static void long_and_odd_lengths_are_computed(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {5040, 16807, 59049, 78125, 65536, 100000, 131072, 3 << 16};
    const struct mali_form merged = {8, MALI_MERGED, MALI_VLOAD, 1},
                           table = {8, MALI_MERGED_TABLE, MALI_WIDE, 2},
                           chain = {8, MALI_MERGED_CHAIN, MALI_WIDE, 2};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        rows_conform(lengths[i], &merged);
        rows_conform(lengths[i], &table);
        rows_conform(lengths[i], &chain);
    }
}

static void single_floats_compute_the_transform(void **state)
{
    (void)state;
    const struct mali_form scalar = {2, MALI_MERGED_TABLE, MALI_STRIDED, 0};
    for (uint32_t n = 2; n <= 1 << 17; n *= n < 256 ? 2 : 8)
        rows_conform(n, &scalar);
    static struct mali m;
    assert_int_equal(mali_init(&m, ocl, &scalar, &(struct mali_batch){96, 1, 0}, NULL, NULL),
                     -EINVAL);
    mali_finish(&m);
}

/* ---- images ------------------------------------------------------------------------------ */

static struct complex64 *image_reference(const struct fft_iq *in, uint32_t height, uint32_t width)
{
    struct complex64 *x = widened(in, (size_t)height * width), *column = malloc(height * sizeof *x);
    assert_non_null(column);
    for (uint32_t y = 0; y < height; y++)
        reference_dft(x + (size_t)y * width, width, false);
    for (uint32_t i = 0; i < width; i++) {
        for (uint32_t y = 0; y < height; y++)
            column[y] = x[y * width + i];
        reference_dft(column, height, false);
        for (uint32_t y = 0; y < height; y++)
            x[y * width + i] = column[y];
    }
    free(column);
    return x;
}

static void image_conforms(uint32_t height, uint32_t width, const struct mali_form *form,
                           enum mali_axis axis)
{
    static struct mali_image m;
    struct arrays a;
    arrays_init(&a, (size_t)height * width);
    const struct mali_image_plan plan = {*form, axis, height, width};
    assert_int_equal(mali_image_init(&m, ocl, &plan, a.in, a.out), 0);
    assert_int_equal(mali_image_enqueue(&m), 0);
    arrays_read(&a);
    struct complex64 *want = image_reference(a.noise, height, width);
    const double off = relative_error(a.got, want, height * width);
    if (!(off <= allowed(form)))
        fail_msg("%u x %u, roots %d, %u columns, axis %d: off by %g", height, width,
                 (int)form->roots, form->columns, (int)axis, off);
    free(want);
    mali_image_finish(&m);
    arrays_finish(&a);
}

static void images_are_computed_with_and_without_transposes(void **state)
{
    (void)state;
    static const uint32_t shapes[][2] = {{64, 64}, {30, 56}, {105, 16}, {8, 45}};
    static const struct mali_form forms[] = {{8, MALI_MERGED, MALI_VLOAD, 1},
                                             {4, MALI_MERGED, MALI_WIDE, 2},
                                             {2, MALI_MERGED_TABLE, MALI_STRIDED, 1},
                                             {8, MALI_MERGED_CHAIN, MALI_WIDE, 2}};
    for (int shape = 0; shape < 4; shape++)
        for (int form = 0; form < 4; form++)
            for (int axis = MALI_TRANSPOSED; axis <= MALI_DOWN; axis++)
                image_conforms(shapes[shape][0], shapes[shape][1], &forms[form],
                               (enum mali_axis)axis);
}

/* Columns of several images at once, which the image functions do not use. */
static void columns_of_many_images_are_computed(void **state)
{
    (void)state;
    enum { N = 60, WIDTH = 10, COUNT = 3 };
    const struct mali_form form = {8, MALI_MERGED_TABLE, MALI_STRIDED, 2};
    static struct mali m;
    struct complex64 column[N];
    struct arrays a;
    arrays_init(&a, N * WIDTH * COUNT);
    assert_int_equal(mali_init(&m, ocl, &form, &(struct mali_batch){N, COUNT, WIDTH}, a.in, a.out),
                     0);
    assert_int_equal(mali_enqueue(&m), 0);
    arrays_read(&a);
    for (uint32_t i = 0; i < WIDTH * COUNT; i++) {
        struct fft_iq got[N];
        for (uint32_t y = 0; y < N; y++) {
            const uint32_t at = (i / WIDTH * N + y) * WIDTH + i % WIDTH;
            column[y] = (struct complex64){(double)a.noise[at].re, (double)a.noise[at].im};
            got[y] = a.got[at];
        }
        reference_dft(column, N, false);
        assert_true(relative_error(got, column, N) <= table_error);
    }
    mali_finish(&m);
    arrays_finish(&a);
}

/* ---- few --------------------------------------------------------------------------------- */

static void short_rows_of_every_form(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < FORMS; i++) {
        const struct mali_form form = form_at(i);
        rows_conform(i % 2 ? 96 : 64, &form);
    }
    rows_conform(2 * 3 * 5 * 7, &(struct mali_form){8, MALI_MERGED_TABLE, MALI_VLOAD, 2});
    rows_conform(3 * 5 * 7, &(struct mali_form){8, MALI_MERGED, MALI_VLOAD, 1});
    rows_conform(64, &(struct mali_form){2, MALI_MERGED_TABLE, MALI_STRIDED, 0});
}

static void a_small_image_of_every_axis(void **state)
{
    (void)state;
    for (int axis = MALI_TRANSPOSED; axis <= MALI_DOWN; axis++)
        for (uint32_t columns = 1; columns <= 2; columns++)
            image_conforms(12, 20, &(struct mali_form){8, MALI_MERGED_TABLE, MALI_WIDE, columns},
                           (enum mali_axis)axis);
}

/* ---- the tests --------------------------------------------------------------------------- */

static int write_programs(const char *folder)
{
    char name[64], path[512];
    char *text;
    for (uint32_t i = 0; (text = mali_program_text(i, name, sizeof name)); i++) {
        snprintf(path, sizeof path, "%s/%s.cl", folder, name);
        FILE *out = fopen(path, "w");
        if (!out || fputs(text, out) < 0 || fclose(out) != 0)
            return EXIT_FAILURE;
        free(text);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_with_other_factors_are_refused),
        cmocka_unit_test(a_form_launches_the_kernels_of_its_method),
        cmocka_unit_test(every_form_computes_the_transform),
        cmocka_unit_test(every_smooth_length_is_computed),
        cmocka_unit_test(long_and_odd_lengths_are_computed),
        cmocka_unit_test(single_floats_compute_the_transform),
        cmocka_unit_test(images_are_computed_with_and_without_transposes),
        cmocka_unit_test(columns_of_many_images_are_computed),
    };
    const struct CMUnitTest few[] = {
        cmocka_unit_test(short_rows_of_every_form),
        cmocka_unit_test(a_small_image_of_every_axis),
    };
    if (argc == 3 && strcmp(argv[1], "--programs") == 0)
        return write_programs(argv[2]);
    if (argc == 2 && strcmp(argv[1], "few") == 0)
        return cmocka_run_group_tests(few, open_device, close_device);
    every_length = argc == 2 && strcmp(argv[1], "all") == 0;
    return cmocka_run_group_tests(tests, open_device, close_device);
}
