/* test_opencl_transform.c - tests the kernels of transforms' passes, launched as planned, on a real
 * compiler and device: PoCL, unless FFTD_TEST_OPENCL_DEVICE names another. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "fft/opencl/opencl_pass_plan.h"
#include "fft/radix.h"
#include "reference/reference.h"
#include "tests/support/engine/signal.h"
#include "tests/support/opencl/plan_device.h"

static struct device device;
static struct program program;
static bool is_built;

enum { UNTOUCHED = 0x7fc00001 }; /* a NaN that no sum yields */

/* ---- one pass ---------------------------------------------------------------------------- */

static void build(const struct opencl_pass *p)
{
    if (is_built)
        return; /* all passes share one program */
    const size_t length = opencl_pass_source(p, NULL, 0);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(opencl_pass_source(p, text, length + 1), length);
    program_build(&program, &device, text, p->options, p->kernels, p->kernel_count);
    free(text);
    is_built = true;
}

static size_t extent(const struct engine_pass *spec, bool to)
{
    size_t end = (size_t)(spec->n - 1) * (to ? spec->to : spec->from);
    for (int i = 0; i < 3; i++)
        end += (spec->rows[i].count - 1) * (to ? spec->rows[i].to : spec->rows[i].from);
    return end + 1;
}

static void run(const struct opencl_pass *p, const struct fft_iq *in, struct fft_iq *out,
                bool in_place, uint32_t rows0)
{
    cl_mem roles[OPENCL_ROLES] = {0};
    struct opencl_launch launch;
    const size_t in_bytes = extent(&p->spec, false) * sizeof *in;
    const size_t out_bytes = extent(&p->spec, true) * sizeof *out;
    void *tables = malloc(p->tables_bytes + 1);
    assert_non_null(tables);
    opencl_pass_tables(p, tables);
    build(p);
    roles[OPENCL_TABLES] = buffer_create(&device, p->tables_bytes);
    roles[OPENCL_SCRATCH] = buffer_create(&device, p->scratch_bytes);
    roles[OPENCL_FROM] = buffer_create(&device, in_bytes);
    roles[OPENCL_TO] = in_place ? roles[OPENCL_FROM] : buffer_create(&device, out_bytes);
    if (p->tables_bytes)
        buffer_write(&device, roles[OPENCL_TABLES], tables, p->tables_bytes);
    if (!in_place)
        buffer_write(&device, roles[OPENCL_TO], out, out_bytes);
    buffer_write(&device, roles[OPENCL_FROM], in, in_bytes);
    for (uint32_t i = 0; opencl_pass_launch(p, rows0, i, &launch); i++)
        launch_run(&device, &program, &launch, roles);
    buffer_read(&device, roles[OPENCL_TO], out, out_bytes);
    for (int i = 0; i < OPENCL_ROLES; i++) {
        if (roles[i] && !(in_place && i == OPENCL_TO))
            clReleaseMemObject(roles[i]);
    }
    free(tables);
}

/* ---- comparison with the reference ------------------------------------------------------- */

struct sums {
    double error, power;
};

static void check_row(const struct engine_pass *spec, const struct fft_iq *in, struct fft_iq *out,
                      struct complex64 *x, struct sums *sums)
{
    for (uint32_t j = 0; j < spec->n; j++)
        x[j] = (struct complex64){in[j * spec->from].re, in[j * spec->from].im};
    reference_dft(x, spec->n, spec->inverse);
    for (uint32_t j = 0; j < spec->n; j++) {
        struct fft_iq *got = &out[j * spec->to];
        const double re = got->re - x[j].re, im = got->im - x[j].im;
        sums->error += re * re + im * im;
        sums->power += x[j].re * x[j].re + x[j].im * x[j].im;
        memcpy(&got->re, &(uint32_t){UNTOUCHED}, 4); /* it has been checked */
        memcpy(&got->im, &(uint32_t){UNTOUCHED}, 4);
    }
}

/* Fails if any element that is no output, or has been checked, holds something else. */
static void check_untouched(const struct fft_iq *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t words[2];
        memcpy(words, &out[i], sizeof words);
        assert_true(words[0] == UNTOUCHED && words[1] == UNTOUCHED);
    }
}

static void conforms(const struct engine_pass *spec, const char *choice_text, bool in_place,
                     uint32_t rows0)
{
    struct opencl_pass p;
    struct opencl_choice choice;
    struct sums sums = {0};
    const size_t in_count = extent(spec, false), out_count = extent(spec, true);
    struct fft_iq *in = signal_noise(FFT_IQ_CF32, in_count, 1, spec->n + 7);
    struct fft_iq *out = malloc(out_count * sizeof *out);
    struct complex64 *x = malloc(spec->n * sizeof *x);
    assert_true(out && x && opencl_choice_parse(&choice, choice_text));
    for (size_t i = 0; i < 2 * out_count; i++)
        memcpy((float *)out + i, &(uint32_t){UNTOUCHED}, 4);
    assert_int_equal(opencl_pass_plan(&p, &device.profile, spec, &choice), 0);
    run(&p, in, out, in_place, rows0);
    for (uint32_t c = 0; c < spec->rows[2].count; c++)
        for (uint32_t b = 0; b < spec->rows[1].count; b++)
            for (uint32_t a = 0; a < rows0; a++)
                check_row(spec,
                          in + a * spec->rows[0].from + b * spec->rows[1].from +
                              c * spec->rows[2].from,
                          out + a * spec->rows[0].to + b * spec->rows[1].to + c * spec->rows[2].to,
                          x, &sums);
    if (!(sqrt(sums.error / sums.power) <= 3e-7))
        fail_msg("%u points, \"%s\": off by %g", spec->n, choice_text,
                 sqrt(sums.error / sums.power));
    if (!in_place)
        check_untouched(out, out_count);
    free(in);
    free(out);
    free(x);
}

/* ---- tests ------------------------------------------------------------------------------- */

static void every_smooth_length_to_1050_matches_the_reference(void **state)
{
    (void)state;
    bool inverse = false;
    for (uint32_t n = 1; n <= 1050; n++) {
        if (!fft_radix_is_smooth(n))
            continue;
        const struct engine_pass spec = {.n = n,
                                         .inverse = inverse,
                                         .from = 1,
                                         .to = 1,
                                         .rows = {{2, n, n}, {1, 0, 0}, {1, 0, 0}}};
        conforms(&spec, n % 4 == 0 ? "columns=1" : "", n % 8 == 0, 2);
        inverse = !inverse;
    }
}

static void radices_to_16_match_the_reference(void **state)
{
    (void)state;
    for (uint32_t n = 16; n <= 65536; n *= 16)
        for (uint32_t radix = 2; radix <= 16; radix *= 2) {
            char text[32];
            snprintf(text, sizeof text, "radix=%u", radix);
            const struct engine_pass spec = {
                .n = n, .from = 1, .to = 1, .rows = {{3, n, n}, {1, 0, 0}, {1, 0, 0}}};
            conforms(&spec, text, false, 3);
        }
}

/* Columns of a box, distant rows, rows rotated on store, gaps, chunks, and fewer rows than
 * planned. */
static void any_strides_match_the_reference(void **state)
{
    (void)state;
    static const struct engine_pass specs[] = {
        {.n = 48, .from = 5, .to = 5, .rows = {{5, 1, 1}, {3, 240, 240}, {1, 0, 0}}},
        {.n = 64, .from = 7, .to = 1, .rows = {{7, 1, 64}, {1, 0, 0}, {1, 0, 0}}},
        {.n = 64, .from = 1, .to = 6, .rows = {{6, 64, 1}, {2, 384, 384}, {1, 0, 0}}},
        {.n = 120, .from = 3, .to = 2, .rows = {{4, 1000, 251}, {2, 4000, 1009}, {3, 1, 2100}}},
        {.n = 105,
         .from = 9,
         .to = 9,
         .inverse = true,
         .rows = {{3, 3, 3}, {3, 1, 1}, {2, 945, 945}}},
        {.n = 8, .from = 4, .to = 4, .rows = {{4, 1, 1}, {5, 32, 32}, {1, 0, 0}}},
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        conforms(&specs[i], "", false, specs[i].rows[0].count);
        conforms(&specs[i], "chunk=2", false, specs[i].rows[0].count);
        conforms(&specs[i], "chunk=5 radix=4", false, specs[i].rows[0].count - 1);
    }
    conforms(&specs[0], "chunk=4", true, 5);
    conforms(&specs[4], "", true, 3);
}

static int open_device(void **state)
{
    (void)state;
    device_open_or_skip(&device);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    if (is_built)
        program_free(&program);
    device_close(&device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_smooth_length_to_1050_matches_the_reference),
        cmocka_unit_test(radices_to_16_match_the_reference),
        cmocka_unit_test(any_strides_match_the_reference),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
