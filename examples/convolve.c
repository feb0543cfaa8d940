/* convolve.c - border, transform, product, inverse transform. */
#include "examples/convolve.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "examples/complain.h"

/* The smallest even length from `n` on without a prime factor above 7. */
static uint32_t supported_length(uint32_t n)
{
    static const uint32_t primes[] = {2, 3, 5, 7};
    for (n += n % 2;; n += 2) {
        uint32_t left = n;
        for (int i = 0; i < 4; i++)
            while (left % primes[i] == 0)
                left /= primes[i];
        if (left == 1)
            return n;
    }
}

static uint32_t mirrored(int64_t i, uint32_t n)
{
    const int64_t length = n, period = 2 * length;
    assert(length > 0);
    const int64_t at = (i % period + period) % period;
    return (uint32_t)(at < length ? at : period - 1 - at);
}

/* ---- plans ------------------------------------------------------------------------------- */

static size_t spectrum_points(const struct convolution *c)
{
    return (size_t)c->rows * (c->columns / 2 + 1);
}

static int create(struct convolution *c, struct fft_engine *engine, enum fft_transform_type type,
                  struct fft_transform **out)
{
    const struct fft_transform_config config = {
        .type = type, .rank = 2, .n = {c->rows, c->columns}, .batch = 1};
    char why[256];
    const int err = fft_transform_create(out, engine, &config, why, sizeof why);
    return err < 0 ? complain(err, "%s", why) : 0;
}

static int allocate(struct convolution *c)
{
    c->points = malloc((size_t)c->rows * c->columns * sizeof *c->points);
    c->spectrum = malloc(spectrum_points(c) * sizeof *c->spectrum);
    c->response = malloc(spectrum_points(c) * sizeof *c->response);
    return c->points && c->spectrum && c->response
               ? 0
               : complain(-ENOMEM, "no memory for transforms of %u x %u points", c->rows,
                          c->columns);
}

/* The kernel's transform, divided by what forward and inverse together multiply by. */
static int compute_response(struct convolution *c)
{
    const struct kernel *k = c->kernel;
    const float scale = 1.0F / ((float)c->rows * (float)c->columns);
    memset(c->points, 0, (size_t)c->rows * c->columns * sizeof *c->points);
    for (uint32_t y = 0; y < k->height; y++)
        for (uint32_t x = 0; x < k->width; x++)
            c->points[(size_t)y * c->columns + x] = k->at[(size_t)y * k->width + x] * scale;
    return fft_transform_execute(c->forward, c->points, c->response);
}

int convolution_init(struct convolution *c, struct fft_engine *engine, const struct kernel *kernel,
                     uint32_t width, uint32_t height)
{
    const uint64_t rows = (uint64_t)height + kernel->height - 1;
    const uint64_t columns = (uint64_t)width + kernel->width - 1;
    *c = (struct convolution){.kernel = kernel};
    if (rows * columns <= FFT_TRANSFORM_MAX_POINTS) {
        c->rows = supported_length((uint32_t)rows);
        c->columns = supported_length((uint32_t)columns);
    }
    if (c->rows == 0 || (uint64_t)c->rows * c->columns > FFT_TRANSFORM_MAX_POINTS)
        return complain(-EINVAL,
                        "%u x %u pixels and the border for a kernel of %u x %u are more than "
                        "%d points",
                        width, height, kernel->width, kernel->height, FFT_TRANSFORM_MAX_POINTS);
    int err = create(c, engine, FFT_TRANSFORM_R2C, &c->forward);
    if (err == 0)
        err = create(c, engine, FFT_TRANSFORM_C2R, &c->inverse);
    if (err == 0)
        err = allocate(c);
    return err == 0 ? compute_response(c) : err;
}

void convolution_finish(struct convolution *c)
{
    fft_transform_destroy(c->forward);
    fft_transform_destroy(c->inverse);
    free(c->points);
    free(c->spectrum);
    free(c->response);
}

/* ---- pictures ---------------------------------------------------------------------------- */

/* Point [0][0] is the pixel that the kernel's last number reaches from the first pixel. */
static void add_border(struct convolution *c, const struct picture *p, const float *from)
{
    const struct kernel *k = c->kernel;
    const int64_t top = k->height - 1 - k->height / 2, left = k->width - 1 - k->width / 2;
    const uint32_t rows = p->height + k->height - 1, columns = p->width + k->width - 1;
    memset(c->points, 0, (size_t)c->rows * c->columns * sizeof *c->points);
    for (uint32_t y = 0; y < rows; y++) {
        const float *row = from + (size_t)mirrored(y - top, p->height) * p->width;
        for (uint32_t x = 0; x < columns; x++)
            c->points[(size_t)y * c->columns + x] = row[mirrored(x - left, p->width)];
    }
}

static void multiply(struct convolution *c)
{
    for (size_t i = 0; i < spectrum_points(c); i++) {
        const struct fft_iq a = c->spectrum[i], b = c->response[i];
        c->spectrum[i] = (struct fft_iq){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
}

static void cut_out(const struct convolution *c, const struct picture *p, float *to, float offset)
{
    const float *first =
        c->points + (size_t)(c->kernel->height - 1) * c->columns + (c->kernel->width - 1);
    for (uint32_t y = 0; y < p->height; y++)
        for (uint32_t x = 0; x < p->width; x++)
            to[(size_t)y * p->width + x] = first[(size_t)y * c->columns + x] + offset;
}

int convolution_run(struct convolution *c, struct picture *p, float offset)
{
    int err = 0;
    for (uint32_t channel = 0; err == 0 && channel < p->channels; channel++) {
        float *level = p->level + (size_t)channel * p->width * p->height;
        add_border(c, p, level);
        err = fft_transform_execute(c->forward, c->points, c->spectrum);
        if (err < 0)
            break;
        multiply(c);
        err = fft_transform_execute(c->inverse, c->spectrum, c->points);
        if (err == 0)
            cut_out(c, p, level, offset);
    }
    return err;
}
