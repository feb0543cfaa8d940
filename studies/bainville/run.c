/* run.c - launches long and short transforms. */
#include "studies/bainville/chain_kernels.h"

#include <errno.h>
#include <stdlib.h>

enum { USUAL_GROUP = 64 };

static size_t point_bytes(bool is_double)
{
    return is_double ? sizeof(struct root) : sizeof(struct fft_iq);
}

/* Makes a table on the device, with room for n roots. */
static int alloc_table(struct ocl *o, const struct bainville_table *t, struct _cl_mem **out)
{
    const size_t bytes = t->n * point_bytes(t->is_double);
    int err = ocl_alloc(o, out, bytes);
    void *table = err == 0 ? malloc(bytes) : NULL;
    if (err == 0 && !table)
        err = -ENOMEM;
    if (err == 0) {
        bainville_fill_table(t, table);
        err = ocl_write(o, *out, table, bytes - point_bytes(t->is_double));
    }
    free(table);
    return err;
}

/* ---- a chain ----------------------------------------------------------------------------- */

int bainville_chain_most(const struct bainville_chain *c, size_t *group)
{
    int err = 0;
    *group = SIZE_MAX;
    for (uint32_t i = 0; err == 0 && i < c->count; i++) {
        const struct ocl_kernel *kernel;
        err = bainville_kernel(c->b, c->passes[i].kernel, &kernel);
        if (err == 0 && kernel->group < *group)
            *group = kernel->group;
    }
    return err;
}

int bainville_chain_init(struct bainville_chain *c, struct bainville *b,
                         enum bainville_kernel kernel, uint32_t n, struct _cl_mem *from,
                         const struct root *roots)
{
    const bool is_double = b->switches.is_double;
    *c = (struct bainville_chain){.b = b, .n = n, .from = from};
    c->count = bainville_passes(kernel, n, c->passes);
    int err = bainville_chain_most(c, &c->group);
    if (c->group > USUAL_GROUP)
        c->group = USUAL_GROUP;
    for (int i = 0; err == 0 && i < 2; i++)
        err = ocl_alloc(b->ocl, &c->buffers[i], n * point_bytes(is_double));
    const struct bainville_table table = {c->passes, c->count, n, roots, is_double};
    return err == 0 && b->switches.method == BAINVILLE_TABLE
               ? alloc_table(b->ocl, &table, &c->table)
               : err;
}

int bainville_chain_enqueue(void *chain)
{
    struct bainville_chain *c = chain;
    struct _cl_mem *from = c->from;
    int err = 0;
    for (uint32_t i = 0; err == 0 && i < c->count; i++) {
        const struct bainville_pass *p = &c->passes[i];
        const size_t items = c->n / bainville_variants[p->kernel].radix;
        const struct ocl_kernel *kernel;
        err = bainville_kernel(c->b, p->kernel, &kernel);
        const struct ocl_launch launch = {.kernel = kernel,
                                          .global = {(items + c->group - 1) / c->group * c->group},
                                          .local = {c->group},
                                          .arg_count = 6,
                                          .args = {OCL_MEMORY(from), OCL_MEMORY(c->buffers[i % 2]),
                                                   OCL_MEMORY(c->table ? c->table : c->from),
                                                   OCL_WORD(p->root_at), OCL_WORD((uint32_t)items),
                                                   OCL_WORD(p->joined)}};
        if (err == 0)
            err = ocl_launch(c->b->ocl, &launch);
        from = c->buffers[i % 2];
    }
    return err;
}

struct _cl_mem *bainville_chain_result(const struct bainville_chain *c)
{
    return c->buffers[(c->count - 1) % 2];
}

void bainville_chain_finish(struct bainville_chain *c)
{
    ocl_free(c->b->ocl, c->table);
    for (int i = 0; i < 2; i++)
        ocl_free(c->b->ocl, c->buffers[i]);
    *c = (struct bainville_chain){.b = c->b};
}

/* ---- a work-group each ------------------------------------------------------------------- */

static int build(struct bainville_groups *g, const struct bainville_switches *s)
{
    struct bainville_text text;
    struct opencl_program *program;
    bainville_group_text(&g->form, s, &text);
    const int err = ocl_build(g->ocl, &program, text.files, text.defines, bainville_options(s));
    return err < 0 ? err
                   : ocl_kernel(g->ocl, &g->kernel, program,
                                g->form.in_registers ? "in_registers" : "in_local");
}

/* All passes have one radix; the table is made as for a chain. */
static int alloc_group_table(struct bainville_groups *g, bool is_double)
{
    struct bainville_pass passes[BAINVILLE_PASSES];
    enum bainville_kernel kernel = BAINVILLE_RADIX2;
    while (bainville_variants[kernel].radix != g->form.radix)
        kernel++;
    const uint32_t count = bainville_passes(kernel, g->form.n, passes);
    struct root *roots = bainville_roots(g->form.n);
    const struct bainville_table table = {passes, count, g->form.n, roots, is_double};
    const int err = roots ? alloc_table(g->ocl, &table, &g->table) : -ENOMEM;
    free(roots);
    return err;
}

int bainville_groups_init(struct bainville_groups *g, const struct bainville_switches *s)
{
    if (g->form.in_registers)
        g->items = g->form.n / g->form.radix;
    if (bainville_group_local(&g->form, s->is_double) > ocl_profile(g->ocl)->local_bytes)
        return -ERANGE;
    int err = build(g, s);
    if (err == 0 && g->items > g->kernel.group)
        return -ERANGE;
    return err == 0 && s->method == BAINVILLE_TABLE ? alloc_group_table(g, s->is_double) : err;
}

int bainville_groups_enqueue(void *groups)
{
    const struct bainville_groups *g = groups;
    return ocl_launch(g->ocl,
                      &(struct ocl_launch){.kernel = &g->kernel,
                                           .global = {g->batch * g->items},
                                           .local = {g->items},
                                           .arg_count = 3,
                                           .args = {OCL_MEMORY(g->from), OCL_MEMORY(g->to),
                                                    OCL_MEMORY(g->table ? g->table : g->from)}});
}

void bainville_groups_finish(struct bainville_groups *g)
{
    ocl_free(g->ocl, g->table);
    ocl_kernel_free(g->ocl, &g->kernel);
    *g = (struct bainville_groups){.ocl = g->ocl};
}
