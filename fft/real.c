/* real.c - r2c and c2r rows by complex transforms of half the length. */
#include "fft/real.h"

#include <errno.h>
#include <stdlib.h>

enum { WORK_POINTS = 1 << 15 }; /* 256 KiB: stays in a core's L2 */

/* ---- one row ---------------------------------------------------------------------------- */

static void load_reals(const struct real *r, const float *x, struct fft_iq *z)
{
    const size_t s = r->pass->from;
    if (r->points == r->pass->n)
        for (size_t j = 0; j < r->pass->n; j++)
            z[j] = (struct fft_iq){x[j * s], 0};
    else
        for (size_t j = 0; j < r->points; j++)
            z[j] = (struct fft_iq){x[2 * j * s], x[(2 * j + 1) * s]};
}

static void store_reals(const struct real *r, const struct fft_iq *z, float *x)
{
    const size_t s = r->pass->to;
    for (size_t j = 0; j < r->points; j++) {
        if (r->points == r->pass->n) {
            x[j * s] = z[j].re;
        } else {
            x[2 * j * s] = z[j].re;
            x[(2 * j + 1) * s] = z[j].im;
        }
    }
}

static inline struct root wide(struct fft_iq v)
{
    return (struct root){(double)v.re, (double)v.im};
}

static inline struct fft_iq narrow(double re, double im)
{
    return (struct fft_iq){(float)re, (float)im};
}

static inline struct root turn(struct root a, struct root w)
{
    return (struct root){a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
}

/* X of the halves' spectrum Z, from both ends to the middle. */
static void part(const struct real *r, const struct fft_iq *z, struct fft_iq *x)
{
    const uint32_t half = r->points;
    for (uint32_t k = 0; k <= half / 2; k++) {
        const struct root a = wide(z[k]), b = wide(z[k ? half - k : 0]);
        const struct root even = {0.5 * (a.re + b.re), 0.5 * (a.im - b.im)};
        const struct root odd =
            turn((struct root){0.5 * (a.im + b.im), 0.5 * (b.re - a.re)}, r->roots[k]);
        x[k * r->pass->to] = narrow(even.re + odd.re, even.im + odd.im);
        x[(half - k) * r->pass->to] = narrow(even.re - odd.re, odd.im - even.im);
    }
}

/* The inverse of separating, unscaled: twice Z. */
static void join(const struct real *r, const struct fft_iq *x, struct fft_iq *z)
{
    const uint32_t half = r->points;
    const float ends[2] = {x[0].re, x[half * r->pass->from].re};

    z[0] = (struct fft_iq){ends[0] + ends[1], ends[0] - ends[1]};
    for (uint32_t k = 1; k <= half / 2; k++) {
        const struct root a = wide(x[k * r->pass->from]), b = wide(x[(half - k) * r->pass->from]);
        const struct root back = {r->roots[k].re, -r->roots[k].im};
        const struct root even = {a.re + b.re, a.im - b.im};
        const struct root odd = turn((struct root){a.re - b.re, a.im + b.im}, back);
        z[k] = narrow(even.re - odd.im, even.im + odd.re);
        z[half - k] = narrow(even.re + odd.im, odd.re - even.im);
    }
}

/* The whole spectrum of n odd reals, from its first half. */
static void mirror(const struct real *r, const struct fft_iq *x, struct fft_iq *z)
{
    z[0] = (struct fft_iq){x[0].re, 0};
    for (uint32_t k = 1; k <= r->pass->n / 2; k++) {
        z[k] = x[k * r->pass->from];
        z[r->pass->n - k] = (struct fft_iq){z[k].re, -z[k].im};
    }
}

static void store_bins(const struct real *r, const struct fft_iq *z, struct fft_iq *x)
{
    for (uint32_t k = 0; k <= r->pass->n / 2; k++)
        x[k * r->pass->to] = z[k];
}

static void load_row(const struct real *r, const void *in, size_t at, struct fft_iq *z)
{
    if (r->pass->kind == PASS_R2C)
        load_reals(r, (const float *)in + at, z);
    else if (r->points == r->pass->n)
        mirror(r, (const struct fft_iq *)in + at, z);
    else
        join(r, (const struct fft_iq *)in + at, z);
}

static void store_row(const struct real *r, const struct fft_iq *z, void *out, size_t at)
{
    if (r->pass->kind == PASS_C2R)
        store_reals(r, z, (float *)out + at);
    else if (r->points == r->pass->n)
        store_bins(r, z, (struct fft_iq *)out + at);
    else
        part(r, z, (struct fft_iq *)out + at);
}

/* ---- all rows --------------------------------------------------------------------------- */

/* The offset of row i. */
static struct engine_rows row_at(const struct engine_pass *p, size_t i)
{
    struct engine_rows at = {0};
    for (int d = 2; d >= 0; d--) {
        const size_t digit = i % p->rows[d].count;
        at.from += digit * p->rows[d].from;
        at.to += digit * p->rows[d].to;
        i /= p->rows[d].count;
    }
    return at;
}

static int load_rows(const struct real *r, const void *in, size_t first, uint32_t count)
{
    void *work;
    int err = fft_buffer_map(r->work, FFT_BUFFER_WRITE, &work);
    if (err < 0)
        return err;
    struct fft_iq *z = work;
    for (uint32_t i = 0; i < count; i++, z += r->points)
        load_row(r, in, row_at(r->pass, first + i).from, z);
    return fft_buffer_unmap(r->work);
}

static int store_rows(const struct real *r, void *out, size_t first, uint32_t count)
{
    void *work;
    int err = fft_buffer_map(r->work, FFT_BUFFER_READ, &work);
    if (err < 0)
        return err;
    const struct fft_iq *z = work;
    for (uint32_t i = 0; i < count; i++, z += r->points)
        store_row(r, z, out, row_at(r->pass, first + i).to);
    return fft_buffer_unmap(r->work);
}

static int run_rows(struct real *r, const void *in, void *out)
{
    int err = 0;
    for (size_t first = 0; err == 0 && first < r->total; first += r->chunk) {
        const size_t left = r->total - first;
        const uint32_t count = left < r->chunk ? (uint32_t)left : r->chunk;
        r->inner.rows[0].count = count;
        err = load_rows(r, in, first, count);
        if (err == 0)
            err = r->inner.engine->ops->pass_run(&r->inner, r->work, r->work);
        if (err == 0)
            err = store_rows(r, out, first, count);
    }
    return err;
}

int fft_real_run(struct real *r, struct fft_buffer *from, struct fft_buffer *to)
{
    void *in, *out;
    int err = fft_buffer_map(to, FFT_BUFFER_READ | FFT_BUFFER_WRITE, &out);
    if (err < 0)
        return err;
    in = out;
    if (from != to)
        err = fft_buffer_map(from, FFT_BUFFER_READ, &in);
    if (err == 0) {
        err = run_rows(r, in, out);
        if (from != to)
            fft_buffer_unmap(from);
    }
    const int back = fft_buffer_unmap(to);
    return err ? err : back;
}

static int init_inner(struct real *r, struct fft_reason why)
{
    const struct engine_pass *p = r->pass;
    const struct engine_ops *ops = p->engine->ops;

    r->inner = (struct engine_pass){
        .engine = p->engine,
        .n = r->points,
        .inverse = p->kind == PASS_C2R,
        .scale = p->scale,
        .from = 1,
        .to = 1,
        .rows = {{r->chunk, r->points, r->points}, {1, 0, 0}, {1, 0, 0}},
    };
    r->inner.priv = calloc(1, ops->pass_size ? ops->pass_size : 1);
    return r->inner.priv ? ops->pass_init(&r->inner, why) : -ENOMEM;
}

int fft_real_init(struct real *r, const struct engine_pass *p, struct fft_reason why)
{
    *r = (struct real){.pass = p, .points = p->n % 2 ? p->n : p->n / 2, .total = 1};
    for (uint32_t d = 0; d < 3; d++)
        r->total *= p->rows[d].count;
    r->chunk = r->points < WORK_POINTS ? WORK_POINTS / r->points : 1;
    if (r->chunk > r->total)
        r->chunk = (uint32_t)r->total;

    r->roots = calloc(r->points / 2 + 1, sizeof *r->roots);
    int err = r->roots ? 0 : -ENOMEM;
    for (uint32_t k = 0; err == 0 && k <= r->points / 2; k++)
        r->roots[k] = fft_twiddle(k, p->n);
    if (err == 0)
        err = fft_buffer_create(&r->work, p->engine,
                                (size_t)r->chunk * r->points * sizeof(struct fft_iq));
    return err ? err : init_inner(r, why);
}

void fft_real_finish(struct real *r)
{
    if (r->inner.priv)
        r->inner.engine->ops->pass_finish(&r->inner);
    free(r->inner.priv);
    fft_buffer_destroy(r->work);
    free(r->roots);
    *r = (struct real){0};
}
