/*
 * test_image.c - fft-image ($FFT_IMAGE) compared with direct sums over the picture, in double
 * precision, and with the gain of a Gaussian. $FFTD_TEST_ENGINES names the engine (cpu).
 */
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Half a level from rounding, and what single precision adds to a picture of 16 bits. */
static const double rounding = 0.6;

static char folder[64];

/* ---- pictures of the test ---------------------------------------------------------------- */

struct image {
    int width, height, channels, full;
    double *level; /* [height][width][channels], as in the file, before rounding */
};

static struct image image_of(int width, int height, int channels, int full)
{
    const struct image i = {width, height, channels, full,
                            calloc((size_t)width * (size_t)(height * channels), sizeof(double))};
    assert_non_null(i.level);
    return i;
}

static double *at(const struct image *i, int y, int x, int c)
{
    return &i->level[(y * i->width + x) * i->channels + c];
}

static struct image noise_of(int width, int height, int channels, int full)
{
    struct image i = image_of(width, height, channels, full);
    uint32_t seed = 12345;
    for (int k = 0; k < width * height * channels; k++) {
        seed = seed * 1664525 + 1013904223;
        i.level[k] = seed / 4294967296.0 * (full + 1) - 0.5;
        i.level[k] = rint(fmax(0, fmin(full, i.level[k])));
    }
    return i;
}

static const char *path_of(const char *name)
{
    static char paths[3][128];
    static int next;
    char *path = paths[next++ % 3];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_image(const struct image *i, const char *name)
{
    FILE *out = fopen(path_of(name), "wb");
    assert_non_null(out);
    fprintf(out, "P%d # made by a test\n# two comments\n%d\t%d %d\n", i->channels == 1 ? 5 : 6,
            i->width, i->height, i->full);
    for (int k = 0; k < i->width * i->height * i->channels; k++) {
        const int level = (int)lrint(i->level[k]);
        if (i->full > 255)
            fputc(level >> 8, out);
        fputc(level & 255, out);
    }
    assert_int_equal(fclose(out), 0);
}

static struct image read_image(const char *name)
{
    int kind, width, height, full;
    FILE *in = fopen(path_of(name), "rb");
    assert_non_null(in);
    assert_int_equal(fscanf(in, "P%d %d %d %d", &kind, &width, &height, &full), 4);
    assert_int_equal(fgetc(in), '\n');
    struct image i = image_of(width, height, kind == 5 ? 1 : 3, full);
    for (int k = 0; k < width * height * i.channels; k++) {
        const int high = full > 255 ? fgetc(in) : 0, low = fgetc(in);
        assert_true(low != EOF);
        i.level[k] = high * 256 + low;
    }
    assert_int_equal(fgetc(in), EOF);
    fclose(in);
    return i;
}

/* Runs the program on in.pnm; the result is out.pnm. */
__attribute__((format(printf, 1, 2))) static struct image filtered(const char *format, ...)
{
    char options[256], line[1024];
    const char *engine = getenv("FFTD_TEST_ENGINES");
    va_list args;
    va_start(args, format);
    vsnprintf(options, sizeof options, format, args);
    va_end(args);
    snprintf(line, sizeof line, "%s --engine %s %s %s %s", getenv("FFT_IMAGE"),
             engine ? engine : "cpu", options, path_of("in.pnm"), path_of("out.pnm"));
    assert_int_equal(system(line), 0);
    return read_image("out.pnm");
}

/* ---- direct sums ------------------------------------------------------------------------- */

/* Beyond its sides the picture is mirrored, as often as it takes. */
static int inside(int i, int n)
{
    while (i < 0 || i >= n)
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
}

struct sum {
    int width, height;
    const double *kernel; /* [height][width] */
    double offset;
};

static double direct(const struct image *in, const struct sum *s, int y, int x, int c)
{
    double sum = s->offset * in->full;
    for (int j = 0; j < s->height; j++)
        for (int i = 0; i < s->width; i++)
            sum += s->kernel[j * s->width + i] * *at(in, inside(y + s->height / 2 - j, in->height),
                                                     inside(x + s->width / 2 - i, in->width), c);
    return fmin(fmax(sum, 0), in->full);
}

static void assert_direct(const struct image *in, const struct image *got, const struct sum *s)
{
    assert_int_equal(got->width, in->width);
    assert_int_equal(got->height, in->height);
    assert_int_equal(got->channels, in->channels);
    assert_int_equal(got->full, in->full);
    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++)
            for (int c = 0; c < in->channels; c++) {
                const double want = direct(in, s, y, x, c), off = *at(got, y, x, c) - want;
                if (!(fabs(off) <= rounding))
                    fail_msg("row %d, column %d, channel %d: off by %g of %g", y, x, c, off, want);
            }
}

static void write_kernel(const struct sum *s)
{
    FILE *out = fopen(path_of("kernel"), "w");
    assert_non_null(out);
    fprintf(out, "# a kernel\n\n");
    for (int j = 0; j < s->height; j++, fprintf(out, " # row %d\n", j))
        for (int i = 0; i < s->width; i++)
            fprintf(out, "%s%.9g", i ? " " : "", s->kernel[j * s->width + i]);
    assert_int_equal(fclose(out), 0);
}

static void conforms(struct image in, const struct sum *s)
{
    write_image(&in, "in.pnm");
    write_kernel(s);
    struct image got = filtered("--kernel %s --offset %g", path_of("kernel"), s->offset);
    assert_direct(&in, &got, s);
    free(in.level);
    free(got.level);
}

/* ---- convolution ------------------------------------------------------------------------- */

/* Neither symmetric nor of odd size: mirrored or shifted results would differ. */
static const double skew[] = {0.05, 0.1, 0.2, -0.3, 0.15, 0.25, 0.4, -0.125, 0.1, 0, 0.0625, 0.1};

static void a_kernel_is_applied_as_a_direct_sum(void **state)
{
    (void)state;
    conforms(noise_of(37, 29, 1, 255), &(struct sum){3, 4, skew, 0});
    conforms(noise_of(37, 29, 1, 65535), &(struct sum){4, 3, skew, 0.125});
    conforms(noise_of(64, 48, 1, 1000), &(struct sum){12, 1, skew, 0});
}

static void colours_are_filtered_one_by_one(void **state)
{
    (void)state;
    conforms(noise_of(31, 20, 3, 255), &(struct sum){3, 4, skew, 0});
    conforms(noise_of(31, 20, 3, 65535), &(struct sum){2, 6, skew, 0.25});
}

static void a_kernel_may_be_larger_than_the_picture(void **state)
{
    (void)state;
    conforms(noise_of(5, 1, 1, 65535), &(struct sum){3, 4, skew, 0.25});
    conforms(noise_of(1, 1, 3, 65535), &(struct sum){12, 1, skew, 0});
}

static void levels_beyond_black_and_white_are_clipped(void **state)
{
    (void)state;
    static const double edge[] = {-4, 8, -4};
    conforms(noise_of(40, 30, 1, 255), &(struct sum){3, 1, edge, 0});
}

/* ---- Gaussian filters -------------------------------------------------------------------- */

/* A Gaussian of this deviation, to where it ends in double precision, subtracted from a single 1 if
 * `high`. */
static double *gaussian(double deviation, bool high, int *width)
{
    const int reach = (int)ceil(8.5 * deviation);
    *width = 2 * reach + 1;
    double *kernel = calloc((size_t)*width * (size_t)*width, sizeof *kernel), sum = 0;
    assert_non_null(kernel);
    for (int i = 0; i < *width * *width; i++) {
        const int y = i / *width - reach, x = i % *width - reach;
        kernel[i] = exp(-(x * x + y * y) / (2 * deviation * deviation));
        sum += kernel[i];
    }
    for (int i = 0; i < *width * *width; i++)
        kernel[i] /= high ? -sum : sum;
    kernel[reach * *width + reach] += high;
    return kernel;
}

/* At the cut-off f the gain exp(-2 (pi s f)^2) is 1/2, so that s = sqrt(ln 2 / 2) / (pi f). */
static void high_pass_and_low_pass_are_gaussian_convolutions(void **state)
{
    (void)state;
    const double cutoff = 0.08, deviation = sqrt(log(2) / 2) / (M_PI * cutoff);
    for (int high = 0; high < 2; high++) {
        struct sum s = {.offset = high ? 0.5 : 0};
        double *kernel = gaussian(deviation, high, &s.width);
        struct image in = noise_of(50, 41, 1, 65535);
        s.height = s.width;
        s.kernel = kernel;
        write_image(&in, "in.pnm");
        struct image got = filtered("--%s-pass %g", high ? "high" : "low", cutoff);
        assert_direct(&in, &got, &s);
        free(kernel);
        free(in.level);
        free(got.level);
    }
}

/* A cosine that is at an extreme half a pixel beyond both sides goes on in the mirror, so that a
 * filter changes nothing but its amplitude. Its frequency is `half_cycles` / (2 N). */
static double gain_of(const char *filter, double cutoff, int half_cycles)
{
    enum { N = 96, FULL = 65535 };
    struct image in = image_of(N, N, 1, FULL);
    double product = 0, square = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            *at(&in, y, x, 0) =
                rint(FULL / 2.0 + FULL / 4.0 * cos(M_PI * (x + 0.5) * half_cycles / N));
    write_image(&in, "in.pnm");
    struct image got = filtered("--%s %g", filter, cutoff);
    for (int i = 0; i < N * N; i++) {
        const double wave = in.level[i] - FULL / 2.0;
        product += wave * (got.level[i] - FULL / 2.0);
        square += wave * wave;
    }
    free(in.level);
    free(got.level);
    return product / square;
}

static void the_amplitude_is_half_at_the_cutoff(void **state)
{
    (void)state;
    const double cutoff = 16 / (2 * 96.0);
    for (int half_cycles = 8; half_cycles <= 32; half_cycles *= 2) {
        const double gain = pow(2, -pow(half_cycles / 16.0, 2)); /* 0.84, 1/2, 1/16 */
        assert_true(fabs(gain_of("low-pass", cutoff, half_cycles) - gain) < 1e-4);
        assert_true(fabs(gain_of("high-pass", cutoff, half_cycles) - (1 - gain)) < 1e-4);
    }
}

static void a_constant_picture_becomes_middle_grey_or_stays(void **state)
{
    (void)state;
    struct image in = image_of(20, 10, 3, 254);
    for (int i = 0; i < 20 * 10 * 3; i++)
        in.level[i] = 40;
    write_image(&in, "in.pnm");
    struct image high = filtered("--high-pass 0.1"), low = filtered("--low-pass 0.1");
    for (int i = 0; i < 20 * 10 * 3; i++) {
        assert_int_equal((int)high.level[i], 127);
        assert_int_equal((int)low.level[i], 40);
    }
    free(in.level);
    free(high.level);
    free(low.level);
}

/* ------------------------------------------------------------------------------------------ */

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fft-image.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"in.pnm", "out.pnm", "kernel"};
    for (int i = 0; i < 3; i++)
        unlink(path_of(names[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_is_applied_as_a_direct_sum),
        cmocka_unit_test(colours_are_filtered_one_by_one),
        cmocka_unit_test(a_kernel_may_be_larger_than_the_picture),
        cmocka_unit_test(levels_beyond_black_and_white_are_clipped),
        cmocka_unit_test(high_pass_and_low_pass_are_gaussian_convolutions),
        cmocka_unit_test(the_amplitude_is_half_at_the_cutoff),
        cmocka_unit_test(a_constant_picture_becomes_middle_grey_or_stays),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
