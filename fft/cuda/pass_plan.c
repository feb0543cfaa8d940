/* pass_plan.c - which kernels, and their tables; pass_launch.c has the launches. See pass_plan.h. */
#include "fft/cuda/pass_plan.h"

#include <errno.h>

#include "fft/cuda/tables.h"
#include "fft/radix.h"
#include "fft/twiddle.h"

enum {
    POINT_BYTES = sizeof(struct iq),
    ROW_BYTES = 24, /* a row's place, of several (kernels/cuda/pass.cu) */
    MOST_ROWS = 16, /* 128 bytes of neighbouring points */
    MOST_THREADS = 512,
    LEAST_THREADS = 64,
    ALIGN = 256,
    SCRATCH_BYTES = 1 << 30, /* fewer, larger launches: 8 % over 64 MiB on an H200 */
    COARSE_BITS = 11,        /* of a long row's roots */
    LONG_BITS = 12           /* rows of 2^12 points and up may be split */
};

/* ---- mixed radix ------------------------------------------------------------------------- */

static uint32_t shared_bytes(uint32_t n, uint32_t rows)
{
    return rows * 2 * n * POINT_BYTES + (rows > 1 ? rows * ROW_BYTES : 0);
}

/* Rows side by side up to half of a block's shared memory, so that two blocks share a processor. */
static struct pass_kernel mixed_kernel(const struct cuda_facts *facts, uint32_t n)
{
    struct pass_kernel k = {.way = WAY_MIXED, .n = n, .block_rows = 1};
    while (k.block_rows < MOST_ROWS && shared_bytes(n, 2 * k.block_rows) <= facts->shared_block / 2)
        k.block_rows *= 2;
    k.shared = shared_bytes(n, k.block_rows);
    k.threads = LEAST_THREADS;
    while (k.threads < MOST_THREADS && k.threads * 8 < n * k.block_rows)
        k.threads *= 2;
    return k;
}

/* The divisor of n nearest above its root, both parts at most `most`; 0: there is none. */
static uint32_t split(uint32_t n, uint32_t most)
{
    for (uint32_t n1 = 1; n1 <= most; n1++) {
        if ((uint64_t)n1 * n1 >= n && n % n1 == 0)
            return n1;
    }
    return 0;
}

static bool plan_mixed(struct cuda_pass *p)
{
    const uint32_t n = p->job.n, most = p->facts.shared_block / (2 * POINT_BYTES);
    const uint32_t n1 = n <= most ? 0 : split(n, most);
    p->kernels = n <= most ? 1 : 2;
    if (p->kernels == 2 && n1 == 0)
        return false;
    p->kernel[0] = mixed_kernel(&p->facts, n1 ? n / n1 : n);
    if (n1) {
        p->kernel[1] = mixed_kernel(&p->facts, n1);
        p->fine = PASS_FINE;
    }
    return true;
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

/* ---- the pass ---------------------------------------------------------------------------- */

static size_t take(size_t *at, size_t points)
{
    const size_t here = *at;
    *at += (points * POINT_BYTES + ALIGN - 1) / ALIGN * ALIGN;
    return here;
}

/* How many roots there are for a kernel's own passes. */
static size_t roots_of(const struct pass_kernel *k)
{
    if (!k->form)
        return k->n;
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
}

static void plan_scratch(struct cuda_pass *p)
{
    const size_t row_bytes = (size_t)p->job.n * POINT_BYTES;
    uint64_t chunk = row_bytes < SCRATCH_BYTES ? SCRATCH_BYTES / row_bytes : 1;
    uint64_t rows = 1;
    for (uint32_t i = 0; i < 3; i++)
        rows *= p->job.rows[i].count;
    p->chunk_rows = (uint32_t)(rows < chunk ? rows : chunk);
    p->scratch_bytes = p->chunk_rows * row_bytes;
}

int cuda_pass_plan(struct cuda_pass *out, const struct cuda_facts *facts,
                   const struct engine_pass *job)
{
    struct cuda_pass p = {.facts = *facts, .job = *job};
    if (job->kind != PASS_COMPLEX || !radix_is_smooth(job->n))
        return -ENOTSUP;
    if (!plan_tiles(&p)) {
        p = (struct cuda_pass){.facts = *facts, .job = *job};
        if (!plan_mixed(&p))
            return -ENOTSUP;
    }
    plan_tables(&p);
    if (p.kernels == 2)
        plan_scratch(&p);
    *out = p;
    return 0;
}

/* ---- tables ------------------------------------------------------------------------------ */

/* exp(-2 pi i k step / n), from `origin` on: 1 for the fine table of a long row. */
static void fill(struct iq *out, uint32_t count, uint64_t step, uint64_t n, double origin)
{
    for (uint32_t k = 0; k < count; k++) {
        const struct root w = twiddle(k * step, n);
        out[k] = (struct iq){(float)(w.re - origin), (float)w.im};
    }
}

void cuda_pass_tables(const struct cuda_pass *p, void *tables)
{
    char *at = tables;
    for (uint32_t i = 0; i < p->kernels; i++) {
        const struct pass_kernel *k = &p->kernel[i];
        struct iq *roots = (struct iq *)(void *)(at + k->roots_at);
        if (k->form)
            cuda_twiddles(k->form, roots);
        else
            fill(roots, k->n, 1, k->n, 0);
    }
    if (p->fine == 0)
        return;
    const uint32_t fine = p->fine, n = p->job.n;
    fill((struct iq *)(void *)(at + p->fine_at), fine, 1, n, p->fine_bits ? 1 : 0);
    fill((struct iq *)(void *)(at + p->coarse_at), n / fine + 1, fine, n, 0);
}
