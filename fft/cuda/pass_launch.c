/* pass_launch.c - the launches of a planned pass. See pass_plan.h. */
#include <string.h>

#include "fft/cuda/pass_plan.h"
#include "fft/radix.h"

enum { POINT_BYTES = sizeof(struct iq) };

static const uint32_t radices[] = {8, 4, 2, 7, 5, 3, 0};

/* ---- axes -------------------------------------------------------------------------------- */

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

/* Axes that go on where the one before ends are one with it. */
static void merge_axes(struct pass_axis axes[3])
{
    uint32_t last = 0;
    for (uint32_t i = 1; i < 3; i++) {
        struct pass_axis *const a = &axes[last], next = axes[i];
        if (next.count == 1)
            continue;
        axes[i] = (struct pass_axis){1, 0, 0};
        if (a->count == 1)
            *a = next;
        else if (next.from == a->count * a->from && next.to == a->count * a->to)
            a->count *= next.count;
        else
            axes[++last] = next;
    }
}

/* A tile's rows: those side by side; along rows, those of the longest axis. */
static void choose_first(enum pass_way way, struct pass_axis axes[3])
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const bool better = way == WAY_ALONG || way == WAY_STAGED
                                ? axes[i].count > axes[best].count
                                : axes[i].count > 1 && axes[i].to == 1;
        if (better)
            best = i;
    }
    const struct pass_axis first = axes[best];
    axes[best] = axes[0];
    axes[0] = first;
}

/* ---- one kernel -------------------------------------------------------------------------- */

/* Of the long rows first .. first + rows - 1, if there are two kernels. */
struct part {
    const struct cuda_pass *p;
    const struct cuda_pass_places *places;
    uint32_t rows0;
    uint64_t first, rows;
};

static const char *name_of(const struct pass_kernel *k)
{
    return k->form ? k->form->names[0] : "transform_rows";
}

static struct cuda_launch launch_of(const struct part *part, uint32_t kernel)
{
    const struct cuda_pass *p = part->p;
    const struct pass_kernel *k = &p->kernel[kernel];
    const bool roots = p->fine && (kernel == p->kernels - 1) == (k->form != NULL);
    struct cuda_launch l = {.module = pass_form_module(k->way),
                            .kernel = name_of(k),
                            .grid = {1, 1, 1},
                            .block = k->threads,
                            .cluster = 1,
                            .shared = k->shared};
    l.args.pass = (struct pass_args){.from = part->places->from,
                                     .to = part->places->to,
                                     .roots = part->places->tables + k->roots_at,
                                     .fine = roots ? part->places->tables + p->fine_at : 0,
                                     .coarse = roots ? part->places->tables + p->coarse_at : 0,
                                     .fine_bits = p->fine_bits,
                                     .n = k->n,
                                     .block_rows = k->block_rows,
                                     .inverse = p->job.inverse};
    for (uint32_t i = 0; i < PASS_AXES; i++)
        l.args.pass.axes[i] = (struct pass_axis){1, 0, 0};
    if (!k->form) {
        struct radices found;
        radix_factor(&found, k->n, radices);
        for (uint32_t i = 0; i < found.count; i++)
            l.args.pass.radices[i] = found.at[i];
    }
    return l;
}

/* `inner`: rows of this kernel in one long row, which are axes[0]; 1: axes count rows. */
static void set_grid(const struct part *part, uint32_t kernel, uint32_t inner,
                     struct cuda_launch *out)
{
    const struct pass_kernel *k = &part->p->kernel[kernel];
    struct pass_args *a = &out->args.pass;
    const uint64_t tile = k->block_rows;
    if (!k->form) {
        a->first = part->first * inner;
        a->rows = part->rows * inner;
        out->grid[0] = (uint32_t)((a->rows + tile - 1) / tile);
        return;
    }
    const uint64_t tiles = (a->axes[0].count + tile - 1) / tile;
    a->first = part->first;
    a->rows = tiles * (inner > 1 ? part->rows : part->rows / a->axes[0].count);
    out->grid[0] = (uint32_t)a->rows;
    const uint32_t resident = k->form->blocks * part->p->facts.processors;
    if (k->way == WAY_STAGED && out->grid[0] > resident)
        out->grid[0] = resident;
}

/* A cluster a row; axes[0] only says how many rows the matrix has, for the roots. */
static void make_cluster(const struct part *part, struct cuda_launch *out)
{
    const struct pass_cluster *c = part->p->cluster;
    struct pass_args *a = &out->args.pass;
    *out = launch_of(part, 0);
    a->axes[0] = (struct pass_axis){c->columns.n, 0, 0};
    row_axes(&part->p->job, part->rows0, a->axes + 1);
    out->cluster = c->blocks;
    out->grid[0] = (uint32_t)part->rows * c->blocks;
}

static void make_single(const struct part *part, struct cuda_launch *out)
{
    const struct engine_pass *job = &part->p->job;
    struct pass_args *a = &out->args.pass;
    *out = launch_of(part, 0);
    a->from_stride = job->from;
    a->to_stride = job->to;
    row_axes(job, part->rows0, a->axes);
    if (part->p->kernel[0].form) {
        merge_axes(a->axes);
        choose_first(part->p->kernel[0].way, a->axes);
    }
    set_grid(part, 0, 1, out);
}

/* Row i of a chunk lies at i * n in scratch; the axes count from the first row of all. */
static uint64_t scratch_origin(const struct part *part)
{
    return part->places->scratch - part->first * part->p->job.n * POINT_BYTES;
}

static void make_columns(const struct part *part, struct cuda_launch *out)
{
    const struct cuda_pass *p = part->p;
    const uint32_t n1 = p->kernel[1].n;
    struct pass_args *a = &out->args.pass;
    uint64_t apart = p->job.n;
    *out = launch_of(part, 0);
    a->to = scratch_origin(part);
    a->from_stride = n1 * p->job.from;
    a->to_stride = n1;
    a->axes[0] = (struct pass_axis){n1, p->job.from, 1};
    row_axes(&p->job, part->rows0, a->axes + 1);
    for (uint32_t i = 1; i < PASS_AXES; i++) {
        a->axes[i].to = apart;
        apart *= a->axes[i].count;
    }
    set_grid(part, 0, n1, out);
}

static void make_rows(const struct part *part, struct cuda_launch *out)
{
    const struct cuda_pass *p = part->p;
    const uint32_t n1 = p->kernel[1].n, n2 = p->kernel[0].n;
    struct pass_args *a = &out->args.pass;
    uint64_t apart = p->job.n;
    *out = launch_of(part, 1);
    a->from = scratch_origin(part);
    a->from_stride = 1;
    a->to_stride = n2 * p->job.to;
    a->axes[0] = (struct pass_axis){n2, n1, p->job.to};
    row_axes(&p->job, part->rows0, a->axes + 1);
    for (uint32_t i = 1; i < PASS_AXES; i++) {
        a->axes[i].from = apart;
        apart *= a->axes[i].count;
    }
    set_grid(part, 1, n2, out);
}

bool cuda_pass_launch(const struct cuda_pass *p, const struct cuda_pass_places *places,
                      uint32_t rows0, uint32_t index, struct cuda_launch *out)
{
    const uint64_t all = (uint64_t)rows0 * p->job.rows[1].count * p->job.rows[2].count;
    struct part part = {p, places, rows0, 0, all};
    if (p->kernels == 1) {
        if (index == 0 && p->cluster)
            make_cluster(&part, out);
        else if (index == 0)
            make_single(&part, out);
        return index == 0;
    }
    part.first = (uint64_t)(index / 2) * p->chunk_rows;
    if (part.first >= all)
        return false;
    part.rows = all - part.first < p->chunk_rows ? all - part.first : p->chunk_rows;
    if (index % 2 == 0)
        make_columns(&part, out);
    else
        make_rows(&part, out);
    return true;
}

/* The kernel of mixed radix serves passes of any length: it is allowed the same for all. */
bool cuda_pass_kernel(const struct cuda_pass *p, uint32_t index, const char **module,
                      const char **name, uint32_t *shared)
{
    if (index >= p->kernels || (index == 1 && !p->kernel[1].form))
        return false;
    const struct pass_kernel *k = &p->kernel[index];
    *module = pass_form_module(k->way);
    *name = name_of(k);
    *shared = k->form ? k->shared : p->facts.shared_block;
    return true;
}
