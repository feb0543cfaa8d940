/* real.c - r2c and c2r rows by complex transforms of half the length. */
#include "fft/real.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

enum { WORK_POINTS = 1 << 15 }; /* 256 KiB: stays in a core's L2 */

/* ---- one row ---------------------------------------------------------------------------- */

static void load_reals(const struct real *r, const float *x, struct iq *z)
{
    const size_t s = r->from;
    if (r->points == r->n)
        for (size_t j = 0; j < r->n; j++)
            z[j] = (struct iq){x[j * s], 0};
    else
        for (size_t j = 0; j < r->points; j++)
            z[j] = (struct iq){x[2 * j * s], x[(2 * j + 1) * s]};
}

static void store_reals(const struct real *r, const struct iq *z, float *x)
{
    const size_t s = r->to;
    for (size_t j = 0; j < r->points; j++) {
        if (r->points == r->n) {
            x[j * s] = z[j].re;
        } else {
            x[2 * j * s] = z[j].re;
            x[(2 * j + 1) * s] = z[j].im;
        }
    }
}

static inline struct root wide(struct iq v)
{
    return (struct root){(double)v.re, (double)v.im};
}

static inline struct iq narrow(double re, double im)
{
    return (struct iq){(float)re, (float)im};
}

static inline struct root turn(struct root a, struct root w)
{
    return (struct root){a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re};
}

/* X of the halves' spectrum Z, from both ends to the middle. */
static void part(const struct real *r, const struct iq *z, struct iq *x)
{
    const uint32_t half = r->points;
    for (uint32_t k = 0; k <= half / 2; k++) {
        const struct root a = wide(z[k]), b = wide(z[k ? half - k : 0]);
        const struct root even = {0.5 * (a.re + b.re), 0.5 * (a.im - b.im)};
        const struct root odd =
            turn((struct root){0.5 * (a.im + b.im), 0.5 * (b.re - a.re)}, r->roots[k]);
        x[k * r->to] = narrow(even.re + odd.re, even.im + odd.im);
        x[(half - k) * r->to] = narrow(even.re - odd.re, odd.im - even.im);
    }
}

/* The inverse of part, unscaled: twice Z. */
static void join(const struct real *r, const struct iq *x, struct iq *z)
{
    const uint32_t half = r->points;
    const float ends[2] = {x[0].re, x[half * r->from].re};

    z[0] = (struct iq){ends[0] + ends[1], ends[0] - ends[1]};
    for (uint32_t k = 1; k <= half / 2; k++) {
        const struct root a = wide(x[k * r->from]), b = wide(x[(half - k) * r->from]);
        const struct root back = {r->roots[k].re, -r->roots[k].im};
        const struct root even = {a.re + b.re, a.im - b.im};
        const struct root odd = turn((struct root){a.re - b.re, a.im + b.im}, back);
        z[k] = narrow(even.re - odd.im, even.im + odd.re);
        z[half - k] = narrow(even.re + odd.im, odd.re - even.im);
    }
}

/* The whole spectrum of n odd reals, from its first half. */
static void mirror(const struct real *r, const struct iq *x, struct iq *z)
{
    z[0] = (struct iq){x[0].re, 0};
    for (uint32_t k = 1; k <= r->n / 2; k++) {
        z[k] = x[k * r->from];
        z[r->n - k] = (struct iq){z[k].re, -z[k].im};
    }
}

static void store_bins(const struct real *r, const struct iq *z, struct iq *x)
{
    for (uint32_t k = 0; k <= r->n / 2; k++)
        x[k * r->to] = z[k];
}

static void load_row(const struct real *r, const void *in, size_t at, struct iq *z)
{
    if (!r->to_real)
        load_reals(r, (const float *)in + at, z);
    else if (r->points == r->n)
        mirror(r, (const struct iq *)in + at, z);
    else
        join(r, (const struct iq *)in + at, z);
}

static void store_row(const struct real *r, const struct iq *z, void *out, size_t at)
{
    if (r->to_real)
        store_reals(r, z, (float *)out + at);
    else if (r->points == r->n)
        store_bins(r, z, (struct iq *)out + at);
    else
        part(r, z, (struct iq *)out + at);
}

/* ---- all rows --------------------------------------------------------------------------- */

/* Where row number i begins. */
static struct engine_rows row_at(const struct real *r, size_t i)
{
    struct engine_rows at = {0};
    for (int d = 2; d >= 0; d--) {
        const size_t digit = i % r->rows[d].count;
        at.from += digit * r->rows[d].from;
        at.to += digit * r->rows[d].to;
        i /= r->rows[d].count;
    }
    return at;
}

int real_run(struct real *r, const void *in, void *out)
{
    int err = 0;
    for (size_t first = 0; err == 0 && first < r->total; first += r->chunk) {
        const size_t left = r->total - first;
        const uint32_t count = left < r->chunk ? (uint32_t)left : r->chunk;
        for (uint32_t i = 0; i < count; i++)
            load_row(r, in, row_at(r, first + i).from, r->work + (size_t)i * r->points);
        r->pass.rows[0].count = count;
        err = r->engine->ops->pass_run(r->engine, &r->pass, r->work, r->work);
        for (uint32_t i = 0; err == 0 && i < count; i++)
            store_row(r, r->work + (size_t)i * r->points, out, row_at(r, first + i).to);
    }
    return err;
}

static void init_rows(struct real *r, const struct side *in, const struct side *out)
{
    const uint32_t last = in->rank - 1;

    r->rows[0] = (struct engine_rows){in->batch, in->layout.batch, out->layout.batch};
    r->total = in->batch;
    for (uint32_t d = 0; d < 2; d++) {
        r->rows[d + 1] = (struct engine_rows){1, 0, 0};
        if (d < last)
            r->rows[d + 1] =
                (struct engine_rows){in->n[d], in->layout.stride[d], out->layout.stride[d]};
        r->total *= r->rows[d + 1].count;
    }
    r->from = in->layout.stride[last];
    r->to = out->layout.stride[last];
}

int real_init(struct real *r, struct fft_engine *e, const struct side *in, const struct side *out)
{
    const uint32_t n = in->real ? in->n[in->rank - 1] : out->n[out->rank - 1];

    *r = (struct real){.engine = e, .to_real = out->real, .n = n, .points = n % 2 ? n : n / 2};
    init_rows(r, in, out);
    r->chunk = r->points < WORK_POINTS ? WORK_POINTS / r->points : 1;
    if (r->chunk > r->total)
        r->chunk = (uint32_t)r->total;
    assert(r->chunk > 0 && r->points > 0);
    r->pass = (struct engine_pass){
        .n = r->points,
        .inverse = out->real,
        .from = 1,
        .to = 1,
        .rows = {{r->chunk, r->points, r->points}, {1, 0, 0}, {1, 0, 0}},
    };

    r->work = calloc((size_t)r->chunk * r->points, sizeof *r->work);
    r->roots = calloc(r->points / 2 + 1, sizeof *r->roots);
    r->pass.priv = calloc(1, e->ops->pass_size ? e->ops->pass_size : 1);
    if (!r->work || !r->roots || !r->pass.priv)
        return -ENOMEM;
    for (uint32_t k = 0; k <= r->points / 2; k++)
        r->roots[k] = twiddle(k, n);
    return e->ops->pass_init(e, &r->pass);
}

void real_finish(struct real *r)
{
    if (r->pass.priv)
        r->engine->ops->pass_finish(&r->pass);
    free(r->pass.priv);
    free(r->roots);
    free(r->work);
    *r = (struct real){0};
}
