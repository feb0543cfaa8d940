/*
 * pass_plan.c - which kernels, their tables and scratch; pass_launch.c and pass_real.c have the
 * launches. See pass_plan.h.
 */
#include "fft/cuda/pass_plan.h"

#include <errno.h>

#include "fft/cuda/tables.h"
#include "fft/radix.h"
#include "fft/twiddle.h"

enum {
    POINT_BYTES = sizeof(struct fft_iq),
    ALIGN = 256,
    SCRATCH_BYTES = 1 << 30, /* fewer, larger launches: 8 % over 64 MiB on an H200 */
    MOST_GATHERED = 65535,   /* rows in a launch */
    COARSE_BITS = 11,        /* of a long row's roots */
    LONG_BITS = 12           /* rows of 2^12 points and up may be split */
};

/* ---- mixed radix ------------------------------------------------------------------------- */

static bool mixed_kernel(struct cuda_pass *p, uint32_t index, enum pass_kind kind, uint32_t n,
                         bool across)
{
    struct pass_kernel *k = &p->kernel[index];
    *k = (struct pass_kernel){.way = WAY_MIXED};
    if (!cuda_mixed_plan(&k->mixed, &p->facts, kind, n, across))
        return false;
    k->n = k->mixed.n;
    k->block_rows = k->mixed.block_rows;
    k->threads = k->mixed.threads;
    k->shared = k->mixed.shared;
    p->kernels = index + 1;
    return true;
}

/* Are there rows whose neighbours are nearer than the next point? */
static bool lies_across(const struct engine_pass *job)
{
    bool across = false;
    for (uint32_t i = 0; i < 3; i++)
        across |=
            job->rows[i].count > 1 && (job->rows[i].from < job->from || job->rows[i].to < job->to);
    return across;
}

/* One kernel, or two for the divisors of n nearest to its root. */
static bool plan_mixed(struct cuda_pass *p)
{
    const uint32_t n = p->job.n;
    if (mixed_kernel(p, 0, p->job.kind, n, lies_across(&p->job)))
        return true;
    if (p->job.kind != PASS_COMPLEX)
        return false;
    for (uint32_t n1 = 1; n1 < n; n1++) {
        if ((uint64_t)n1 * n1 < n || n % n1 != 0)
            continue;
        p->fine = PASS_FINE;
        return mixed_kernel(p, 0, PASS_COMPLEX, n / n1, true) &&
               mixed_kernel(p, 1, PASS_COMPLEX, n1, true);
    }
    return false;
}

/* ---- 2^k points -------------------------------------------------------------------------- */

static bool form_kernel(struct pass_kernel *k, enum pass_way way, uint32_t n,
                        const struct cuda_facts *facts)
{
    const struct cuda_form *form = pass_form(way, n, facts);
    if (!form)
        return false;
    *k = (struct pass_kernel){.way = way,
                              .form = form,
                              .n = n,
                              .block_rows = form->rows,
                              .threads = cuda_form_threads(form),
                              .shared = pass_form_shared(way, form)};
    return true;
}

/* Are there rows side by side, and does each begin where a bulk copy may? */
struct rows_facts {
    bool beside, aligned;
};

static struct rows_facts look_at_rows(const struct engine_pass *job)
{
    struct rows_facts found = {false, true};
    for (uint32_t i = 0; i < 3; i++) {
        const struct engine_rows *r = &job->rows[i];
        if (r->count == 1)
            continue;
        found.beside |= r->to == 1 && r->from == 1;
        found.aligned &= r->from * POINT_BYTES % 16 == 0;
    }
    return found;
}

/* The kernels of tiles count rows and tiles in 32 bits. */
static bool counts_fit(const struct engine_pass *job)
{
    uint64_t points = job->n;
    for (uint32_t i = 0; i < 3; i++) {
        if (job->rows[i].count > UINT32_MAX / points)
            return false;
        points *= job->rows[i].count;
    }
    return true;
}

static bool plan_cluster(struct cuda_pass *p)
{
    const struct pass_cluster *c = pass_cluster_form(p->job.n, &p->facts);
    if (!c)
        return false;
    p->kernels = 1;
    p->cluster = c;
    p->kernel[0] = (struct pass_kernel){.way = WAY_CLUSTER,
                                        .form = &c->columns,
                                        .n = c->columns.n,
                                        .block_rows = 1,
                                        .threads = c->n / c->blocks / c->columns.points,
                                        .shared = pass_cluster_shared(c)};
    return true;
}

/* 2^15 and up, and what is too long for a block: n1 >= n2. */
static bool plan_long(struct cuda_pass *p)
{
    uint32_t bits = 0;
    while (1U << bits < p->job.n)
        bits++;
    if (bits < LONG_BITS || 1U << bits != p->job.n)
        return false;
    p->fine_bits = bits > COARSE_BITS ? bits - COARSE_BITS : 1;
    p->fine = 1U << p->fine_bits;
    if (plan_cluster(p))
        return true;
    p->kernels = 2;
    return form_kernel(&p->kernel[0], WAY_ACROSS, 1U << bits / 2, &p->facts) &&
           form_kernel(&p->kernel[1], WAY_BRIDGE, 1U << (bits - bits / 2), &p->facts);
}

static bool plan_tiles(struct cuda_pass *p)
{
    const struct engine_pass *job = &p->job;
    const struct rows_facts rows = look_at_rows(job);
    struct pass_kernel *k = &p->kernel[0];
    p->kernels = 1;
    if (!counts_fit(job))
        return false;
    if (job->from == 1 && job->to == 1) {
        if (rows.aligned && form_kernel(k, WAY_STAGED, job->n, &p->facts))
            return true;
        return form_kernel(k, WAY_ALONG, job->n, &p->facts) || plan_long(p);
    }
    return rows.beside && form_kernel(k, WAY_ACROSS, job->n, &p->facts);
}

/* ---- memory ------------------------------------------------------------------------------ */

static size_t take(size_t *at, size_t points)
{
    const size_t here = *at;
    *at += (points * POINT_BYTES + ALIGN - 1) / ALIGN * ALIGN;
    return here;
}

/* Points of a kernel's own tables. */
static size_t roots_of(const struct pass_kernel *k)
{
    if (!k->form)
        return cuda_mixed_tables(&k->mixed);
    return cuda_form_twiddles_at(k->form, cuda_form_passes(k->form));
}

static void plan_tables(struct cuda_pass *p)
{
    for (uint32_t i = 0; i < p->kernels; i++)
        p->kernel[i].roots_at = take(&p->tables_bytes, roots_of(&p->kernel[i]));
    if (p->fine) {
        p->fine_at = take(&p->tables_bytes, p->fine);
        p->coarse_at = take(&p->tables_bytes, p->job.n / p->fine + 1);
    }
    if (p->gathers) {
        p->part_fine_at = take(&p->tables_bytes, PASS_FINE);
        p->part_coarse_at = take(&p->tables_bytes, p->around.n / PASS_FINE + 1);
    }
}

/* Scratch has a row once where it is gathered, and once between two kernels. */
static void take_scratch(struct cuda_pass *p, uint64_t rows)
{
    const size_t copies = (p->gathers ? 1U : 0U) + (p->kernels == 2 ? 1U : 0U);
    const size_t row_bytes = p->job.n * POINT_BYTES * copies;
    const uint64_t chunk = row_bytes < SCRATCH_BYTES ? SCRATCH_BYTES / row_bytes : 1;
    p->chunk_rows = (uint32_t)(rows < chunk ? rows : chunk);
    p->scratch_bytes = p->chunk_rows * row_bytes;
}

static uint64_t rows_of(const struct engine_pass *job)
{
    return (uint64_t)job->rows[0].count * job->rows[1].count * job->rows[2].count;
}

static void plan_scratch(struct cuda_pass *p)
{
    if (p->kernels == 2 || p->gathers)
        take_scratch(p, rows_of(&p->job));
}

bool cuda_pass_shrink(struct cuda_pass *p)
{
    if (p->chunk_rows < 2)
        return false;
    take_scratch(p, p->chunk_rows / 2);
    return true;
}

/* ---- the pass ---------------------------------------------------------------------------- */

static bool plan_complex(struct cuda_pass *p)
{
    const struct cuda_pass before = *p;
    if (plan_tiles(p))
        return true;
    *p = before;
    return plan_mixed(p);
}

/* The long real rows become complex ones, together, in place in scratch. */
static bool plan_gathered(struct cuda_pass *p, const struct engine_pass *job)
{
    const uint64_t rows = rows_of(job);
    const uint32_t n = job->n % 2 ? job->n : job->n / 2;
    p->gathers = true;
    p->around = *job;
    p->job = (struct engine_pass){
        .n = n,
        .inverse = job->kind == PASS_C2R,
        .from = 1,
        .to = 1,
        .rows = {
            {rows < MOST_GATHERED ? (uint32_t)rows : MOST_GATHERED, n, n}, {1, 0, 0}, {1, 0, 0}}};
    return plan_complex(p);
}

static bool plan_kernels(struct cuda_pass *p, const struct engine_pass *job)
{
    if (job->kind == PASS_COMPLEX)
        return plan_complex(p);
    return plan_mixed(p) || plan_gathered(p, job);
}

int cuda_pass_plan(struct cuda_pass *out, const struct cuda_facts *facts,
                   const struct engine_pass *job)
{
    struct cuda_pass p = {.facts = *facts, .job = *job};
    if (!fft_radix_is_smooth(job->n) || !plan_kernels(&p, job))
        return -ENOTSUP;
    plan_tables(&p);
    plan_scratch(&p);
    *out = p;
    return 0;
}

/* ---- tables ------------------------------------------------------------------------------ */

/* exp(-2 pi i k step / n), from `origin` on: 1 for the fine table of a long row. */
static void fill(struct fft_iq *out, uint32_t count, uint64_t step, uint64_t n, double origin)
{
    for (uint32_t k = 0; k < count; k++) {
        const struct root w = fft_twiddle(k * step, n);
        out[k] = (struct fft_iq){(float)(w.re - origin), (float)w.im};
    }
}

void cuda_pass_tables(const struct cuda_pass *p, void *tables)
{
    char *const at = tables;
    const uint32_t fine = p->fine, n = p->job.n;
    for (uint32_t i = 0; i < p->kernels; i++) {
        const struct pass_kernel *k = &p->kernel[i];
        struct fft_iq *roots = (struct fft_iq *)(void *)(at + k->roots_at);
        if (k->form)
            cuda_twiddles(k->form, roots);
        else
            cuda_mixed_fill(&k->mixed, roots);
    }
    if (fine) {
        fill((struct fft_iq *)(void *)(at + p->fine_at), fine, 1, n, 1);
        fill((struct fft_iq *)(void *)(at + p->coarse_at), n / fine + 1, fine, n, 0);
    }
    if (p->gathers) {
        const uint32_t whole = p->around.n;
        fill((struct fft_iq *)(void *)(at + p->part_fine_at), PASS_FINE, 1, whole, 1);
        fill((struct fft_iq *)(void *)(at + p->part_coarse_at), whole / PASS_FINE + 1, PASS_FINE,
             whole, 0);
    }
}
