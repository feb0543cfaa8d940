/* cuda_pass_tables.c - the tables of a pass (cuda_pass_plan.h): their places, and the roots in
 * them. */
#include "fft/cuda/cuda_pass_chunk.h"
#include "fft/cuda/cuda_smooth.h"
#include "fft/cuda/cuda_tables.h"
#include "fft/twiddle.h"

enum { POINT_BYTES = sizeof(struct fft_iq), ALIGN = 256 };

/* ---- places ------------------------------------------------------------------------------ */

static size_t reserve(size_t *at, size_t points)
{
    const size_t here = *at;
    *at += (points * POINT_BYTES + ALIGN - 1) / ALIGN * ALIGN;
    return here;
}

/* Points in the tables of one kernel. */
static size_t roots_of(const struct pass_kernel *k)
{
    if (!k->form)
        return cuda_mixed_tables(&k->mixed);
    if (cuda_pass_is_smooth(k->family))
        return cuda_smooth_roots(k->form);
    return cuda_pass_form_roots(k->form) + (cuda_pass_is_real(k->family) ? k->n / 2 + 1 : 0);
}

/* Of a plane, whose columns have a table after that of the rows. */
static size_t column_roots_of(const struct cuda_pass *p)
{
    return cuda_pass_form_roots(&p->plane->column);
}

void cuda_pass_plan_tables(struct cuda_pass *p)
{
    for (uint32_t i = 0; i < p->kernels; i++)
        p->kernel[i].roots_at = reserve(&p->tables_bytes, roots_of(&p->kernel[i]) +
                                                              (p->plane ? column_roots_of(p) : 0));
    if (p->fine) {
        p->fine_at = reserve(&p->tables_bytes, p->fine);
        p->coarse_at = reserve(&p->tables_bytes, p->pass.n / p->fine + 1);
    }
    if (p->around.n > 0) {
        p->part_fine_at = reserve(&p->tables_bytes, PASS_FINE);
        p->part_coarse_at = reserve(&p->tables_bytes, p->around.n / PASS_FINE + 1);
    }
}

/* ---- roots ------------------------------------------------------------------------------- */

/* Writes exp(-2 pi i k step / n) - origin. origin is 1 for the fine table of a long row. */
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
    const uint32_t fine = p->fine, n = p->pass.n;
    for (uint32_t i = 0; i < p->kernels; i++) {
        const struct pass_kernel *k = &p->kernel[i];
        struct fft_iq *roots = (struct fft_iq *)(void *)(at + k->roots_at);
        if (p->plane)
            cuda_twiddles(&p->plane->column, roots + roots_of(k));
        if (cuda_pass_is_smooth(k->family))
            cuda_smooth_fill(k->form, roots);
        else if (k->form)
            cuda_twiddles(k->form, roots);
        else
            cuda_mixed_fill(&k->mixed, roots);
        if (cuda_pass_is_real(k->family))
            fill(roots + cuda_pass_form_roots(k->form), k->n / 2 + 1, 1, 2 * (uint64_t)k->n, 0);
    }
    if (fine) {
        fill((struct fft_iq *)(void *)(at + p->fine_at), fine, 1, n, 1);
        fill((struct fft_iq *)(void *)(at + p->coarse_at), n / fine + 1, fine, n, 0);
    }
    if (p->around.n > 0) {
        const uint32_t whole = p->around.n;
        fill((struct fft_iq *)(void *)(at + p->part_fine_at), PASS_FINE, 1, whole, 1);
        fill((struct fft_iq *)(void *)(at + p->part_coarse_at), whole / PASS_FINE + 1, PASS_FINE,
             whole, 0);
    }
}
