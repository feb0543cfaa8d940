/* cpu_pass_row.c - loads and stores rows: between arrays with strides and a worker's unit. */
#include <errno.h>

#include "fft/cpu/transform/cpu_pass.h"
#include "fft/twiddle.h"

enum { BLOCK = 16 }; /* pairs: a multiple of every instruction set's lanes */

static bool is_halved(const struct engine_pass *p)
{
    return p->kind != PASS_COMPLEX && p->n % 2 == 0;
}

/* ---- the complex pass ------------------------------------------------------------------ */

/* Can the reals of every row be read as complex points in memory? */
static bool lie_as_points(const struct engine_pass *p)
{
    const bool from = p->kind == PASS_R2C;
    bool even = p->n % 2 == 0 && (from ? p->from : p->to) == 1;
    for (uint32_t d = 0; d < 3; d++)
        even = even && (p->rows[d].count == 1 || (from ? p->rows[d].from : p->rows[d].to) % 2 == 0);
    return even;
}

void cpu_pass_describe(struct cpu_pass *c, const struct engine_pass *p)
{
    struct engine_pass *q = &c->points;
    *q = *p;
    if (p->kind == PASS_COMPLEX)
        return;
    q->kind = PASS_COMPLEX;
    q->inverse = p->kind == PASS_C2R;
    q->n = p->n % 2 ? p->n : p->n / 2;
    q->from = q->to = 1;
    c->loads = p->kind == PASS_C2R || !lie_as_points(p);
    c->stores = p->kind == PASS_R2C || !lie_as_points(p);
    for (uint32_t d = 0; d < 3; d++) {
        q->rows[d].from = c->loads ? q->n : p->rows[d].from / 2;
        q->rows[d].to = c->stores ? q->n : p->rows[d].to / 2;
    }
}

int cpu_pass_take_roots(struct cpu_pass *c, const struct engine_pass *p)
{
    if (!is_halved(p))
        return 0;
    const uint32_t count = c->points.n / 2 + 1;
    c->roots = cpu_arena_take(&c->memory, count * sizeof *c->roots);
    for (uint32_t k = 0; c->roots && k < count; k++) {
        const struct root w = fft_twiddle(k, p->n);
        c->roots[k] = (struct fft_iq){(float)(0.5 * w.re), (float)(0.5 * w.im)};
    }
    return c->roots ? 0 : -ENOMEM;
}

static struct halves halves_of(const struct cpu_pass *c, size_t stride)
{
    return (struct halves){c->points.n, c->roots, stride};
}

/* ---- rows ------------------------------------------------------------------------------- */

const void *cpu_pass_in(const struct engine_pass *p, const void *base, size_t at)
{
    return (const char *)base + at * (p->kind == PASS_R2C ? sizeof(float) : sizeof(struct fft_iq));
}

void *cpu_pass_out(const struct engine_pass *p, void *base, size_t at)
{
    return (char *)base + at * (p->kind == PASS_C2R ? sizeof(float) : sizeof(struct fft_iq));
}

struct index_range {
    size_t first, end;
};

/* Of 0 .. count-1: the first one alone, then whole blocks, so the pieces change no byte. */
static struct index_range range_of(size_t count, struct piece p)
{
    const size_t blocks = (count - 1) / BLOCK;
    const size_t first = blocks * p.part / p.parts * BLOCK;
    const size_t end = blocks * (p.part + 1) / p.parts * BLOCK;
    return (struct index_range){p.part ? first + 1 : 0, p.part + 1 == p.parts ? count : end + 1};
}

static void load_reals(const struct engine_pass *p, const float *x, struct fft_iq *row,
                       struct index_range s)
{
    const size_t stride = p->from;
    for (size_t j = s.first; j < s.end; j++)
        row[j] = is_halved(p) ? (struct fft_iq){x[2 * j * stride], x[(2 * j + 1) * stride]}
                              : (struct fft_iq){x[j * stride], 0};
}

/* n odd reals: the other half of their spectrum mirrors the first. */
static void load_mirrored(const struct engine_pass *p, const struct fft_iq *x, struct fft_iq *row,
                          struct index_range s)
{
    for (size_t k = s.first; k < s.end; k++) {
        const struct fft_iq v = x[(k <= p->n / 2 ? k : p->n - k) * p->from];
        row[k] = (struct fft_iq){v.re, k == 0 ? 0 : k <= p->n / 2 ? v.im : -v.im};
    }
}

void cpu_pass_load(const struct cpu_pass *c, const struct engine_pass *p, const void *from,
                   struct fft_iq *row, struct piece piece)
{
    const struct index_range points = range_of(c->points.n, piece);
    const struct fft_iq *x = from;

    if (p->kind == PASS_COMPLEX) {
        for (size_t j = points.first; j < points.end; j++)
            row[j] = x[j * p->from];
    } else if (p->kind == PASS_R2C) {
        load_reals(p, from, row, points);
    } else if (is_halved(p)) {
        const struct halves h = halves_of(c, p->from);
        const struct index_range pairs = range_of(h.half / 2 + 1, piece);
        c->ops->join(&h, x, row, pairs.first, pairs.end);
    } else {
        load_mirrored(p, x, row, points);
    }
}

static void store_reals(const struct engine_pass *p, const struct fft_iq *row, float *x,
                        struct index_range s)
{
    const size_t stride = p->to;
    for (size_t j = s.first; j < s.end; j++) {
        if (is_halved(p)) {
            x[2 * j * stride] = row[j].re;
            x[(2 * j + 1) * stride] = row[j].im;
        } else {
            x[j * stride] = row[j].re;
        }
    }
}

void cpu_pass_store(const struct cpu_pass *c, const struct engine_pass *p, const struct fft_iq *row,
                    void *to, struct piece piece)
{
    const bool whole = p->kind == PASS_COMPLEX;
    struct fft_iq *x = to;

    if (p->kind == PASS_C2R) {
        store_reals(p, row, to, range_of(c->points.n, piece));
    } else if (is_halved(p)) {
        const struct halves h = halves_of(c, p->to);
        const struct index_range pairs = range_of(h.half / 2 + 1, piece);
        c->ops->separate(&h, row, x, pairs.first, pairs.end);
    } else {
        const struct index_range bins = range_of(whole ? p->n : p->n / 2 + 1, piece);
        for (size_t k = bins.first; k < bins.end; k++)
            x[k * p->to] = row[k];
    }
}
