/* transform_case.c - transforms noise with any plan and compares it with double precision. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/engine/transform_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* True for VideoCore's arithmetic: it rounds toward zero, so the error grows with every stage. */
static bool truncates(const struct fft_engine *e)
{
    return e && strncmp(fft_engine_name(e), "qpu", 3) == 0;
}

/* True for instruction sets without a fused multiply-add: they round each product, too. */
static bool rounds_products(const struct fft_engine *e)
{
    return e &&
           (strstr(fft_engine_describe(e), "SSE2") || strstr(fft_engine_describe(e), "generic"));
}

double transform_bound(const struct fft_engine *e, uint64_t points)
{
    /* At 2^8, 2^10 .. 2^20: FFTW at powers of two, FFTW at other lengths near them, GPU_FFT. */
    static const double measured[3][7] = {
        {9.0e-8, 1.10e-7, 1.21e-7, 1.34e-7, 1.42e-7, 1.54e-7, 1.67e-7},
        {1.20e-7, 1.32e-7, 1.40e-7, 1.55e-7, 1.70e-7, 1.79e-7, 1.87e-7},
        {5.3e-7, 7.5e-7, 9.6e-7, 1.15e-6, 1.33e-6, 1.52e-6, 1.7e-6},
    };
    const double *at = measured[truncates(e) ? 2 : (points & (points - 1)) != 0];
    const double allowed = rounds_products(e) ? 1.1 * 1.1 : 1.1;
    const double position = (log2((double)points) - 8) / 2;
    if (position <= 0)
        return allowed * (truncates(e) ? at[0] : measured[1][0]);
    const size_t i = position < 5 ? (size_t)position : 5;
    return allowed * (at[i] + (position - (double)i) * (at[i + 1] - at[i]));
}

double transform_bound_of(const struct fft_engine *e, const struct fft_transform_config *p)
{
    uint64_t points = p->type == FFT_TRANSFORM_R2C || p->type == FFT_TRANSFORM_C2R ? 2 : 1;
    for (uint32_t i = 0; i < p->rank; i++)
        points *= p->n[i];
    return transform_bound(e, points);
}

/* ---- arrays ----------------------------------------------------------------------------- */

/* The input or output of a plan, computed from fft.h independently of the library. */
struct array {
    bool real;
    uint32_t rank, batch, n[3];
    struct fft_transform_layout layout;
    size_t elements; /* from the first to the last, gaps included */
    float *memory;
};

static struct array array_of(const struct fft_transform_config *p, bool output)
{
    static const struct fft_transform_layout packed;
    const bool c2c = p->type == FFT_TRANSFORM_FORWARD || p->type == FFT_TRANSFORM_INVERSE;
    struct array a = {.real = !c2c && (p->type == FFT_TRANSFORM_C2R) == output,
                      .rank = p->rank,
                      .batch = p->batch,
                      .n = {1, 1, 1},
                      .layout = output ? p->out : p->in};
    memcpy(a.n, p->n, p->rank * sizeof *a.n);
    uint32_t *last = &a.n[p->rank - 1];
    const uint32_t padded = 2 * (*last / 2 + 1);
    if (!c2c && !a.real)
        *last = *last / 2 + 1;

    if (memcmp(&a.layout, &packed, sizeof packed) == 0) {
        size_t stride = 1;
        for (uint32_t i = p->rank; i-- > 0;) {
            a.layout.stride[i] = stride;
            stride *= i + 1 == p->rank && a.real && p->in_place ? padded : a.n[i];
        }
        a.layout.batch = stride;
    }
    a.elements = 1 + (a.batch - 1) * a.layout.batch;
    for (uint32_t i = 0; i < p->rank; i++)
        a.elements += (a.n[i] - 1) * a.layout.stride[i];
    return a;
}

static size_t floats(const struct array *a)
{
    return a->elements * (a->real ? 1 : 2);
}

static size_t points(const struct array *a)
{
    return (size_t)a->batch * a->n[0] * a->n[1] * a->n[2];
}

/* The offset of element i of the packed array in this layout. */
static size_t offset(const struct array *a, size_t i)
{
    size_t at = 0;
    for (uint32_t axis = 3; axis-- > 0; i /= a->n[axis])
        if (axis < a->rank)
            at += i % a->n[axis] * a->layout.stride[axis];
    return at + i * a->layout.batch;
}

static struct complex64 get(const struct array *a, size_t i)
{
    const float *x = a->memory + offset(a, i) * (a->real ? 1 : 2);
    return (struct complex64){(double)x[0], a->real ? 0 : (double)x[1]};
}

static void put(const struct array *a, size_t i, struct complex64 v)
{
    float *x = a->memory + offset(a, i) * (a->real ? 1 : 2);
    x[0] = (float)v.re;
    if (!a->real)
        x[1] = (float)v.im;
}

/* ---- reference -------------------------------------------------------------------------- */

/* Transforms x, [batch][n0][n1][n2], along every axis. */
static void reference_nd(struct complex64 *x, const uint32_t *n, uint32_t batch, bool inverse)
{
    const size_t total = (size_t)batch * n[0] * n[1] * n[2];
    size_t stride = 1;
    for (uint32_t axis = 3; axis-- > 0; stride *= n[axis]) {
        struct complex64 *row = malloc(n[axis] * sizeof *row);
        for (size_t i = 0; n[axis] > 1 && i < total; i++) {
            if (i / stride % n[axis] != 0)
                continue;
            for (size_t j = 0; j < n[axis]; j++)
                row[j] = x[i + j * stride];
            reference_dft(row, n[axis], inverse);
            for (size_t j = 0; j < n[axis]; j++)
                x[i + j * stride] = row[j];
        }
        free(row);
    }
}

static uint32_t mirrored_index(uint32_t k, uint32_t n)
{
    return k ? n - k : 0;
}

/* Element i of the whole spectrum; `half` is its half that a c2r reads. */
static struct complex64 hermitian(const struct array *half, const uint32_t *n, size_t i)
{
    uint32_t k[3] = {0};
    size_t left = i, at = 0;
    for (uint32_t axis = 3; axis-- > 0; left /= n[axis])
        k[axis] = (uint32_t)(left % n[axis]);
    const uint32_t last = half->rank - 1U < 2 ? half->rank - 1U : 2;
    const bool mirrored = k[last] > n[last] / 2;
    for (uint32_t axis = 0; axis < 3; axis++)
        at = at * half->n[axis] + (mirrored ? mirrored_index(k[axis], n[axis]) : k[axis]);
    struct complex64 v = get(half, left * half->n[0] * half->n[1] * half->n[2] + at);
    v.im = mirrored ? -v.im : v.im;
    return v;
}

double transform_scale(const struct fft_transform_config *p)
{
    double points = 1;
    for (uint32_t i = 0; i < p->rank; i++)
        points *= p->n[i];
    return p->scale == FFT_TRANSFORM_BY_N        ? 1 / points
           : p->scale == FFT_TRANSFORM_BY_ROOT_N ? pow(points, -0.5)
                                                 : 1;
}

/* The complete transform of `in`, [batch][n0][n1][n2]; malloc'ed. */
static struct complex64 *reference_transform(const struct fft_transform_config *p,
                                             const struct array *in)
{
    const bool inverse = p->type == FFT_TRANSFORM_INVERSE || p->type == FFT_TRANSFORM_C2R;
    uint32_t n[3] = {1, 1, 1};
    memcpy(n, p->n, p->rank * sizeof *n);
    const size_t total = (size_t)p->batch * n[0] * n[1] * n[2];
    struct complex64 *x = malloc(total * sizeof *x);
    for (size_t i = 0; i < total; i++)
        x[i] = p->type == FFT_TRANSFORM_C2R ? hermitian(in, n, i) : get(in, i);
    reference_nd(x, n, p->batch, inverse);
    const double scale = transform_scale(p);
    for (size_t i = 0; i < total; i++)
        x[i] = (struct complex64){x[i].re * scale, x[i].im * scale};
    return x;
}

/* ---- running ---------------------------------------------------------------------------- */

void transform_run(struct fft_engine *e, const struct fft_transform_config *plan, const void *in,
                   void *out)
{
    struct fft_transform *t;
    char why[200];
    if (fft_transform_create(&t, e, plan, why, sizeof why) != 0)
        fail_msg("%s", why);
    assert_int_equal(fft_transform_execute(t, in, out), 0);
    fft_transform_destroy(t);
}

void transform_row(struct fft_engine *e, uint32_t n, bool inverse, const struct fft_iq *in,
                   struct fft_iq *out)
{
    const struct fft_transform_config plan = {.type = inverse ? FFT_TRANSFORM_INVERSE
                                                              : FFT_TRANSFORM_FORWARD,
                                              .rank = 1,
                                              .n = {n},
                                              .batch = 1};
    transform_run(e, &plan, in, out);
}

double transform_error(const struct fft_iq *got, const struct complex64 *want, size_t count)
{
    double off = 0, all = 0;
    for (size_t k = 0; k < count; k++) {
        const double re = (double)got[k].re - want[k].re, im = (double)got[k].im - want[k].im;
        off += re * re + im * im;
        all += want[k].re * want[k].re + want[k].im * want[k].im;
    }
    return sqrt(off / all);
}

static float *noise_floats(size_t count, uint64_t seed)
{
    return test_noise(FFT_IQ_CF32, (count + 1) / 2, seed);
}

/* Fills the input of a c2r with the spectrum of real noise. */
static void make_hermitian(const struct fft_transform_config *p, const struct array *in)
{
    uint32_t n[3] = {1, 1, 1};
    memcpy(n, p->n, p->rank * sizeof *n);
    const size_t total = (size_t)p->batch * n[0] * n[1] * n[2], rows = total / n[p->rank - 1];
    struct complex64 *x = malloc(total * sizeof *x);
    float *noise = noise_floats(total, total);
    for (size_t i = 0; i < total; i++)
        x[i] = (struct complex64){(double)noise[i], 0};
    reference_nd(x, n, p->batch, false);
    const uint32_t bins = in->n[p->rank - 1];
    for (size_t row = 0; row < rows; row++)
        for (size_t k = 0; k < bins; k++)
            put(in, row * bins + k, x[row * n[p->rank - 1] + k]);
    free(noise);
    free(x);
}

static double compare(const struct fft_transform_config *p, const struct array *out,
                      const struct complex64 *want)
{
    const uint32_t last = p->rank - 1, n = p->n[last], bins = out->n[last];
    double off = 0, all = 0;
    for (size_t i = 0; i < points(out); i++) {
        const struct complex64 got = get(out, i), w = want[i / bins * n + i % bins];
        const double im = out->real ? 0 : got.im - w.im;
        off += (got.re - w.re) * (got.re - w.re) + im * im;
        all += w.re * w.re + w.im * w.im;
    }
    return sqrt(off / all);
}

/* Fails if memory between a's elements has changed. */
static void check_gaps(const struct array *a, const float *before)
{
    const size_t width = a->real ? 1 : 2;
    unsigned char *used = calloc(a->elements, 1);
    for (size_t i = 0; i < points(a); i++)
        used[offset(a, i)] = 1;
    for (size_t i = 0; i < a->elements; i++)
        if (!used[i])
            assert_memory_equal(a->memory + i * width, before + i * width, width * sizeof(float));
    free(used);
}

double transform_conforms(struct fft_engine *e, const struct fft_transform_config *plan,
                          double bound)
{
    if (!test_engine_transforms(e, plan))
        return 0;
    struct array in = array_of(plan, false), out = array_of(plan, true);
    const size_t max_floats = floats(&in) > floats(&out) ? floats(&in) : floats(&out);

    in.memory = noise_floats(max_floats, max_floats);
    if (plan->type == FFT_TRANSFORM_C2R)
        make_hermitian(plan, &in);
    struct complex64 *want = reference_transform(plan, &in);
    float *before = malloc(max_floats * sizeof *before);
    memcpy(before, in.memory, max_floats * sizeof *before);
    out.memory = in.memory;
    if (!plan->in_place) {
        out.memory = malloc(floats(&out) * sizeof *out.memory);
        memset(out.memory, 0xff, floats(&out) * sizeof *out.memory); /* poison: NaN */
    }

    transform_run(e, plan, in.memory, out.memory);
    const double error = compare(plan, &out, want);
    if (!(error <= bound))
        fail_msg("%s: type %u, %u x %u x %u, batch %u, %s: error %.3g, not within %.3g",
                 fft_engine_describe(e), plan->type, plan->n[0], plan->n[1], plan->n[2],
                 plan->batch, plan->in_place ? "in place" : "out of place", error, bound);
    if (!plan->in_place) {
        assert_memory_equal(in.memory, before, floats(&in) * sizeof *before);
        memset(before, 0xff, max_floats * sizeof *before);
        check_gaps(&out, before);
        free(out.memory);
    } else if (!in.real && !out.real) {
        check_gaps(&out, before);
    }
    free(before);
    free(want);
    free(in.memory);
    return error;
}
