/*
 * test_opencl_transform.c - the kernels of transforms' passes on a real compiler and device
 * (PoCL's, unless FFTD_TEST_OPENCL_DEVICE names another), as the planner launches them.
 */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "fft/opencl/pass_plan.h"
#include "fft/radix.h"
#include "reference/reference.h"
#include "tests/support/engine/signal.h"
#include "tests/support/opencl/plan_device.h"

static struct device device;
static struct program program;
static bool is_built;

enum { UNTOUCHED = 0x7fc00001 }; /* a NaN that no sum makes */

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

static size_t extent(const struct engine_pass *job, bool to)
{
    size_t end = (size_t)(job->n - 1) * (to ? job->to : job->from);
    for (int i = 0; i < 3; i++)
        end += (job->rows[i].count - 1) * (to ? job->rows[i].to : job->rows[i].from);
    return end + 1;
}

static void run(const struct opencl_pass *p, const struct fft_iq *in, struct fft_iq *out,
                bool in_place, uint32_t rows0)
{
    cl_mem roles[OPENCL_ROLES] = {0};
    struct opencl_launch launch;
    const size_t in_bytes = extent(&p->job, false) * sizeof *in;
    const size_t out_bytes = extent(&p->job, true) * sizeof *out;
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

/* ---- held against the reference ---------------------------------------------------------- */

struct sums {
    double error, power;
};

static void hold_row(const struct engine_pass *job, const struct fft_iq *in, struct fft_iq *out,
                     struct complex64 *x, struct sums *sums)
{
    for (uint32_t j = 0; j < job->n; j++)
        x[j] = (struct complex64){in[j * job->from].re, in[j * job->from].im};
    reference_dft(x, job->n, job->inverse);
    for (uint32_t j = 0; j < job->n; j++) {
        struct fft_iq *got = &out[j * job->to];
        const double re = got->re - x[j].re, im = got->im - x[j].im;
        sums->error += re * re + im * im;
        sums->power += x[j].re * x[j].re + x[j].im * x[j].im;
        memcpy(&got->re, &(uint32_t){UNTOUCHED}, 4); /* it was looked at */
        memcpy(&got->im, &(uint32_t){UNTOUCHED}, 4);
    }
}

/* Fails if any place that is no output, or was looked at, holds something else. */
static void hold_untouched(const struct fft_iq *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t words[2];
        memcpy(words, &out[i], sizeof words);
        assert_true(words[0] == UNTOUCHED && words[1] == UNTOUCHED);
    }
}

static void conforms(const struct engine_pass *job, const char *choice_text, bool in_place,
                     uint32_t rows0)
{
    struct opencl_pass p;
    struct opencl_choice choice;
    struct sums sums = {0};
    const size_t in_count = extent(job, false), out_count = extent(job, true);
    struct fft_iq *in = signal_noise(FFT_IQ_CF32, in_count, 1, job->n + 7);
    struct fft_iq *out = malloc(out_count * sizeof *out);
    struct complex64 *x = malloc(job->n * sizeof *x);
    assert_true(out && x && opencl_choice_parse(&choice, choice_text));
    for (size_t i = 0; i < 2 * out_count; i++)
        memcpy((float *)out + i, &(uint32_t){UNTOUCHED}, 4);
    assert_int_equal(opencl_pass_plan(&p, &device.profile, job, &choice), 0);
    run(&p, in, out, in_place, rows0);
    for (uint32_t c = 0; c < job->rows[2].count; c++)
        for (uint32_t b = 0; b < job->rows[1].count; b++)
            for (uint32_t a = 0; a < rows0; a++)
                hold_row(job,
                         in + a * job->rows[0].from + b * job->rows[1].from + c * job->rows[2].from,
                         out + a * job->rows[0].to + b * job->rows[1].to + c * job->rows[2].to, x,
                         &sums);
    if (!(sqrt(sums.error / sums.power) <= 3e-7))
        fail_msg("%u points, \"%s\": off by %g", job->n, choice_text,
                 sqrt(sums.error / sums.power));
    if (!in_place)
        hold_untouched(out, out_count);
    free(in);
    free(out);
    free(x);
}

/* ---- tests ------------------------------------------------------------------------------- */

static void every_smooth_length_to_1050_is_the_reference(void **state)
{
    (void)state;
    bool inverse = false;
    for (uint32_t n = 1; n <= 1050; n++) {
        if (!fft_radix_is_smooth(n))
            continue;
        const struct engine_pass job = {.n = n,
                                        .inverse = inverse,
                                        .from = 1,
                                        .to = 1,
                                        .rows = {{2, n, n}, {1, 0, 0}, {1, 0, 0}}};
        conforms(&job, n % 4 == 0 ? "columns=1" : "", n % 8 == 0, 2);
        inverse = !inverse;
    }
}

static void radices_to_16_are_the_reference(void **state)
{
    (void)state;
    for (uint32_t n = 16; n <= 65536; n *= 16)
        for (uint32_t radix = 2; radix <= 16; radix *= 2) {
            char text[32];
            snprintf(text, sizeof text, "radix=%u", radix);
            const struct engine_pass job = {
                .n = n, .from = 1, .to = 1, .rows = {{3, n, n}, {1, 0, 0}, {1, 0, 0}}};
            conforms(&job, text, false, 3);
        }
}

/* Columns of a box, rows apart, rows rotated on store, gaps, chunks, and fewer rows than planned.
 */
static void any_strides_are_the_reference(void **state)
{
    (void)state;
    static const struct engine_pass jobs[] = {
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
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        conforms(&jobs[i], "", false, jobs[i].rows[0].count);
        conforms(&jobs[i], "chunk=2", false, jobs[i].rows[0].count);
        conforms(&jobs[i], "chunk=5 radix=4", false, jobs[i].rows[0].count - 1);
    }
    conforms(&jobs[0], "chunk=4", true, 5);
    conforms(&jobs[4], "", true, 3);
}

static int open_device(void **state)
{
    (void)state;
    const char *wanted = getenv("FFTD_TEST_OPENCL_DEVICE");
    if (!device_open(&device, wanted ? wanted : "")) {
        puts("SKIP: no OpenCL device");
        exit(77);
    }
    printf("# on %s\n", device.profile.name);
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
        cmocka_unit_test(every_smooth_length_to_1050_is_the_reference),
        cmocka_unit_test(radices_to_16_are_the_reference),
        cmocka_unit_test(any_strides_are_the_reference),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
