/* pass_plan.c - see pass_plan.h. */
#include "fft/cuda/pass_plan.h"

#include <errno.h>

#include "fft/radix.h"
#include "fft/twiddle.h"

enum {
    POINT_BYTES = sizeof(struct iq),
    ROW_BYTES = 24, /* a row's place, of several (kernels/cuda/pass.cu) */
    MOST_ROWS = 16, /* 128 bytes of neighbouring points */
    MOST_THREADS = 512,
    LEAST_THREADS = 64,
    ALIGN = 256,
    SCRATCH_BYTES = 64 << 20,
};

static const uint32_t radices[] = {8, 4, 2, 7, 5, 3, 0};

/* ---- planning --------------------------------------------------------------------------- */

static uint32_t shared_bytes(uint32_t n, uint32_t rows)
{
    return rows * 2 * n * POINT_BYTES + (rows > 1 ? rows * ROW_BYTES : 0);
}

/* Rows side by side up to half of a block's shared memory, so that two blocks share a processor. */
static struct pass_kernel kernel_of(const struct cuda_facts *facts, uint32_t n)
{
    struct pass_kernel k = {.n = n, .block_rows = 1};
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

static size_t take(size_t *at, size_t points)
{
    const size_t here = *at;
    *at += (points * POINT_BYTES + ALIGN - 1) / ALIGN * ALIGN;
    return here;
}

static void plan_tables(struct cuda_pass *p)
{
    for (uint32_t i = 0; i < p->kernels; i++)
        p->kernel[i].roots_at = take(&p->tables_bytes, p->kernel[i].n);
    if (p->kernels == 1)
        return;
    p->fine_at = take(&p->tables_bytes, PASS_FINE);
    p->coarse_at = take(&p->tables_bytes, p->job.n / PASS_FINE + 1);
}

int cuda_pass_plan(struct cuda_pass *out, const struct cuda_facts *facts,
                   const struct engine_pass *job)
{
    const uint32_t most = facts->shared_block / (2 * POINT_BYTES);
    struct cuda_pass p = {.facts = *facts, .job = *job, .kernels = 1};
    uint32_t n1 = 0;

    if (job->kind != PASS_COMPLEX || !radix_is_smooth(job->n))
        return -ENOTSUP;
    if (job->n <= most) {
        p.kernel[0] = kernel_of(facts, job->n);
    } else {
        n1 = split(job->n, most);
        if (n1 == 0)
            return -ENOTSUP;
        p.kernels = 2;
        p.kernel[0] = kernel_of(facts, job->n / n1);
        p.kernel[1] = kernel_of(facts, n1);
        const size_t row_bytes = (size_t)job->n * POINT_BYTES;
        p.chunk_rows = row_bytes < SCRATCH_BYTES ? (uint32_t)(SCRATCH_BYTES / row_bytes) : 1;
        p.scratch_bytes = p.chunk_rows * row_bytes;
    }
    plan_tables(&p);
    *out = p;
    return 0;
}

/* ---- tables ----------------------------------------------------------------------------- */

static void fill(struct iq *out, uint32_t count, uint64_t step, uint64_t n)
{
    for (uint32_t k = 0; k < count; k++) {
        const struct root w = twiddle(k * step, n);
        out[k] = (struct iq){(float)w.re, (float)w.im};
    }
}

void cuda_pass_tables(const struct cuda_pass *p, void *tables)
{
    char *at = tables;
    for (uint32_t i = 0; i < p->kernels; i++)
        fill((struct iq *)(void *)(at + p->kernel[i].roots_at), p->kernel[i].n, 1, p->kernel[i].n);
    if (p->kernels == 1)
        return;
    fill((struct iq *)(void *)(at + p->fine_at), PASS_FINE, 1, p->job.n);
    fill((struct iq *)(void *)(at + p->coarse_at), p->job.n / PASS_FINE + 1, PASS_FINE, p->job.n);
}

/* ---- launches --------------------------------------------------------------------------- */

/* The rows' own axes, those of the smallest stride first, so that neighbours in memory are neighbours. */
static void row_axes(const struct engine_pass *job, uint32_t rows0, struct pass_axis axes[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        const struct engine_rows *r = &job->rows[i];
        const struct pass_axis axis = {i == 0 ? rows0 : r->count, r->from, r->to};
        uint32_t at = i;
        for (;
             at > 0 && axis.count > 1 && (axes[at - 1].count == 1 || axes[at - 1].from > axis.from);
             at--)
            axes[at] = axes[at - 1];
        axes[at] = axis;
    }
}

static struct cuda_launch launch_of(const struct cuda_pass *p,
                                    const struct cuda_pass_places *places, uint32_t kernel,
                                    uint64_t first, uint64_t rows)
{
    const struct pass_kernel *k = &p->kernel[kernel];
    struct cuda_launch l = {.module = "pass",
                            .kernel = "transform_rows",
                            .grid = {(uint32_t)((rows + k->block_rows - 1) / k->block_rows), 1, 1},
                            .block = k->threads,
                            .cluster = 1,
                            .shared = k->shared};
    struct radices found;
    l.args.pass = (struct pass_args){.from = places->from,
                                     .to = places->to,
                                     .roots = places->tables + k->roots_at,
                                     .first = first,
                                     .rows = rows,
                                     .n = k->n,
                                     .block_rows = k->block_rows,
                                     .inverse = p->job.inverse};
    radix_factor(&found, k->n, radices);
    for (uint32_t i = 0; i < found.count; i++)
        l.args.pass.radices[i] = found.at[i];
    return l;
}

static void make_single(const struct cuda_pass *p, const struct cuda_pass_places *places,
                        uint32_t rows0, uint64_t rows, struct cuda_launch *out)
{
    struct pass_args *a = &out->args.pass;
    *out = launch_of(p, places, 0, 0, rows);
    a->from_stride = p->job.from;
    a->to_stride = p->job.to;
    row_axes(&p->job, rows0, a->axes);
    a->axes[3] = (struct pass_axis){1, 0, 0};
}

/* Row i of a chunk lies at i * n in scratch; the axes count from the first row of all. */
static uint64_t scratch_origin(const struct cuda_pass *p, const struct cuda_pass_places *places,
                               uint64_t first)
{
    return places->scratch - first * p->job.n * POINT_BYTES;
}

static void make_columns(const struct cuda_pass *p, const struct cuda_pass_places *places,
                         uint32_t rows0, uint64_t first, uint64_t rows, struct cuda_launch *out)
{
    const uint32_t n1 = p->kernel[1].n;
    struct pass_args *a = &out->args.pass;
    uint64_t apart = p->job.n;
    *out = launch_of(p, places, 0, first * n1, rows * n1);
    a->to = scratch_origin(p, places, first);
    a->fine = places->tables + p->fine_at;
    a->coarse = places->tables + p->coarse_at;
    a->from_stride = n1 * p->job.from;
    a->to_stride = n1;
    a->axes[0] = (struct pass_axis){n1, p->job.from, 1};
    row_axes(&p->job, rows0, a->axes + 1);
    for (uint32_t i = 1; i < PASS_AXES; i++) {
        a->axes[i].to = apart;
        apart *= a->axes[i].count;
    }
}

static void make_rows(const struct cuda_pass *p, const struct cuda_pass_places *places,
                      uint32_t rows0, uint64_t first, uint64_t rows, struct cuda_launch *out)
{
    const uint32_t n1 = p->kernel[1].n, n2 = p->kernel[0].n;
    struct pass_args *a = &out->args.pass;
    uint64_t apart = p->job.n;
    *out = launch_of(p, places, 1, first * n2, rows * n2);
    a->from = scratch_origin(p, places, first);
    a->from_stride = 1;
    a->to_stride = n2 * p->job.to;
    a->axes[0] = (struct pass_axis){n2, n1, p->job.to};
    row_axes(&p->job, rows0, a->axes + 1);
    for (uint32_t i = 1; i < PASS_AXES; i++) {
        a->axes[i].from = apart;
        apart *= a->axes[i].count;
    }
}

bool cuda_pass_launch(const struct cuda_pass *p, const struct cuda_pass_places *places,
                      uint32_t rows0, uint32_t index, struct cuda_launch *out)
{
    const uint64_t all = (uint64_t)rows0 * p->job.rows[1].count * p->job.rows[2].count;
    if (p->kernels == 1) {
        if (index == 0)
            make_single(p, places, rows0, all, out);
        return index == 0;
    }
    const uint64_t first = (uint64_t)(index / 2) * p->chunk_rows;
    const uint64_t rows = all - first < p->chunk_rows ? all - first : p->chunk_rows;
    if (first >= all)
        return false;
    if (index % 2 == 0)
        make_columns(p, places, rows0, first, rows, out);
    else
        make_rows(p, places, rows0, first, rows, out);
    return true;
}

bool cuda_pass_kernel(const struct cuda_pass *p, uint32_t index, const char **module,
                      const char **name, uint32_t *shared)
{
    *module = "pass";
    *name = "transform_rows";
    *shared = p->facts.shared_block; /* the same for all passes, which share the kernel */
    return index == 0;
}
