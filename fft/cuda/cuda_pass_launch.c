/* cuda_pass_launch.c - makes the launches of a planned pass (cuda_pass_plan.h). */
#include "fft/cuda/cuda_pass_chunk.h"

enum { POINT_BYTES = sizeof(struct fft_iq) };

/* ---- axes -------------------------------------------------------------------------------- */

/* Sorts the axes of the rows by stride, smallest first, so that adjacent rows stay adjacent. */
void cuda_pass_axes(const struct engine_pass *pass, uint32_t rows0, struct pass_axis axes[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        const struct engine_rows *r = &pass->rows[i];
        const struct pass_axis axis = {i == 0 ? rows0 : r->count, r->from, r->to};
        uint32_t at = i;
        for (;
             at > 0 && axis.count > 1 && (axes[at - 1].count == 1 || axes[at - 1].from > axis.from);
             at--)
            axes[at] = axes[at - 1];
        axes[at] = axis;
    }
}

void cuda_pass_merge_axes(struct pass_axis axes[3])
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

bool cuda_pass_is_tight(const struct engine_pass *pass, uint64_t from, uint64_t to)
{
    const uint64_t bins = pass->n / 2 + 1;
    return from == (pass->kind == PASS_C2R ? bins : pass->n) &&
           to == (pass->kind == PASS_R2C ? bins : pass->n);
}

/*
 * Is axis i better for the rows of a tile? Along rows the longest axis is, else the one with
 * adjacent rows. Whole tiles need one with nothing between its rows: if a call has only one of
 * these, any axis of one row.
 */
static bool is_better(const struct engine_pass *pass, enum cuda_pass_family family,
                      const struct pass_axis *axis, const struct pass_axis *best)
{
    if (cuda_pass_is_whole(family))
        return axis->count == 1 ? best->count > 1 && !cuda_pass_is_tight(pass, best->from, best->to)
                                : cuda_pass_is_tight(pass, axis->from, axis->to);
    if (cuda_pass_is_across(family))
        return axis->count > 1 && axis->to == 1;
    return axis->count > best->count;
}

/* Moves it to axes[0]. */
static void choose_first(const struct engine_pass *pass, enum cuda_pass_family family,
                         struct pass_axis axes[3])
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < 3; i++) {
        if (is_better(pass, family, &axes[i], &axes[best]))
            best = i;
    }
    const struct pass_axis first = axes[best];
    axes[best] = axes[0];
    axes[0] = first;
}

/* The kernels of the complex row take or make the bins of a long real row. */
static bool has_bins(const struct cuda_pass *p)
{
    return p->around.n > 0 && !p->gathers;
}

static const char *name_of(const struct cuda_pass *p, const struct pass_kernel *k)
{
    return k->form->names[p->cluster && has_bins(p) ? p->around.kind : PASS_COMPLEX];
}

/* ---- one kernel -------------------------------------------------------------------------- */

static struct cuda_launch launch_of(const struct pass_chunk *chunk, uint32_t kernel)
{
    const struct cuda_pass *p = chunk->p;
    const struct pass_kernel *k = &p->kernel[kernel];
    const bool roots = p->fine && (kernel == p->kernels - 1) == (k->form != NULL);
    struct cuda_launch l = {.module = cuda_pass_form_module(k->family),
                            .kernel = k->form ? name_of(p, k) : NULL,
                            .grid = {1, 1, 1},
                            .block = k->threads,
                            .cluster = 1,
                            .shared = k->shared};
    /* Of long real rows; its coarse table follows. */
    const uint64_t parts = has_bins(p) ? chunk->memory->tables + p->part_fine_at : 0;
    l.args.pass =
        (struct pass_args){.from = chunk->memory->from,
                           .to = chunk->memory->to,
                           .roots = chunk->memory->tables + k->roots_at,
                           .fine = roots ? chunk->memory->tables + p->fine_at : 0,
                           .coarse = roots ? chunk->memory->tables + p->coarse_at : 0,
                           .parts = parts,
                           .fine_bits = p->fine_bits,
                           .n = k->n,
                           .block_rows = k->block_rows,
                           .inverse = p->pass.inverse,
                           .scale = kernel == p->kernels - 1 ? fft_pass_scale(&p->pass) : 1};
    for (uint32_t i = 0; i < PASS_AXES; i++)
        l.args.pass.axes[i] = (struct pass_axis){1, 0, 0};
    return l;
}

/*
 * Rows to prefetch ahead: of the rows that the device works on at a time, three eighths measured
 * best, of whole tiles a fifth. Only for forms with few blocks per multiprocessor: with more, other
 * blocks compute meanwhile.
 */
static uint32_t rows_ahead(const struct cuda_facts *facts, uint32_t resident, bool whole)
{
    enum { HOPPER = 90 };
    const uint32_t ahead = whole ? resident / 5 : 3 * resident / 8;
    return facts->capability < HOPPER ? 0 : ahead > 0 ? ahead : 1;
}

/* `inner`: rows of this kernel in one long row, which are axes[0]; 1: the axes count rows. */
static void set_grid(const struct pass_chunk *chunk, uint32_t kernel, uint32_t inner,
                     struct cuda_launch *out)
{
    const struct pass_kernel *k = &chunk->p->kernel[kernel];
    struct pass_args *a = &out->args.pass;
    const uint64_t tile = k->block_rows;
    if (!k->form) {
        cuda_mixed_launch(&k->mixed, out);
        a->first = chunk->first * inner;
        a->rows = chunk->rows * inner;
        out->grid[0] = (uint32_t)((a->rows + tile - 1) / tile);
        return;
    }
    const uint64_t tiles = (a->axes[0].count + tile - 1) / tile;
    a->first = chunk->first;
    a->rows = tiles * (inner > 1 ? chunk->rows : chunk->rows / a->axes[0].count);
    out->grid[0] = (uint32_t)a->rows;
    const uint32_t resident = k->form->blocks * chunk->p->facts.processors;
    if (k->family == FAMILY_STAGED && out->grid[0] > resident)
        out->grid[0] = resident;
    const bool prefetches = k->family == FAMILY_ALONG || k->family == FAMILY_SMOOTH_ALONG ||
                            cuda_pass_is_real(k->family) || cuda_pass_is_whole(k->family);
    if (prefetches && k->form->blocks <= 2)
        a->ahead = rows_ahead(&chunk->p->facts, resident, cuda_pass_is_whole(k->family));
}

/* One cluster per row. axes[0] only gives the number of rows of the matrix, for the roots. */
static void make_cluster(const struct pass_chunk *chunk, struct cuda_launch *out)
{
    const struct cuda_pass_cluster *c = chunk->p->cluster;
    struct pass_args *a = &out->args.pass;
    *out = launch_of(chunk, 0);
    a->axes[0] = (struct pass_axis){c->columns.n, 0, 0};
    cuda_pass_axes(&chunk->p->pass, chunk->rows0, a->axes + 1);
    out->cluster = c->blocks;
    a->ahead = rows_ahead(&chunk->p->facts,
                          c->columns.blocks * chunk->p->facts.processors / c->blocks, false);
    out->grid[0] = (uint32_t)chunk->rows * c->blocks;
}

/* One block per plane. */
static void make_plane(const struct pass_chunk *chunk, struct cuda_launch *out)
{
    const struct cuda_pass *p = chunk->p;
    struct pass_args *a = &out->args.pass;
    *out = launch_of(chunk, 0);
    a->axes[0] = (struct pass_axis){p->pass.next.count, p->pass.next.from, p->pass.next.to};
    cuda_pass_axes(&p->pass, chunk->rows0, a->axes + 1);
    a->rows = chunk->rows;
    a->ahead = rows_ahead(&p->facts, p->plane->row.blocks * p->facts.processors, false);
    out->grid[0] = (uint32_t)chunk->rows;
}

static void make_single(const struct pass_chunk *chunk, struct cuda_launch *out)
{
    const struct engine_pass *pass = &chunk->p->pass;
    struct pass_args *a = &out->args.pass;
    *out = launch_of(chunk, 0);
    a->from_stride = pass->from;
    a->to_stride = pass->to;
    a->paired = pass->kind != PASS_COMPLEX && cuda_pass_is_paired(pass);
    cuda_pass_axes(pass, chunk->rows0, a->axes);
    cuda_pass_merge_axes(a->axes);
    if (chunk->p->kernel[0].form)
        choose_first(pass, chunk->p->kernel[0].family, a->axes);
    set_grid(chunk, 0, 1, out);
    if (cuda_pass_is_real(chunk->p->kernel[0].family))
        a->parts = a->roots + cuda_pass_form_roots(chunk->p->kernel[0].form) * POINT_BYTES;
}

/* Row i of a chunk is at i * n in scratch, but the axes count from the first row of the pass. */
static uint64_t scratch_origin(const struct pass_chunk *chunk)
{
    return chunk->memory->scratch - chunk->first * chunk->p->pass.n * POINT_BYTES;
}

static void make_columns(const struct pass_chunk *chunk, struct cuda_launch *out)
{
    const struct cuda_pass *p = chunk->p;
    const uint32_t n1 = p->kernel[1].n;
    struct pass_args *a = &out->args.pass;
    uint64_t apart = p->pass.n;
    *out = launch_of(chunk, 0);
    a->to = scratch_origin(chunk);
    a->from_stride = n1 * p->pass.from;
    a->to_stride = n1;
    a->axes[0] = (struct pass_axis){n1, p->pass.from, 1};
    cuda_pass_axes(&p->pass, chunk->rows0, a->axes + 1);
    for (uint32_t i = 1; i < PASS_AXES; i++) {
        a->axes[i].to = apart;
        apart *= a->axes[i].count;
    }
    set_grid(chunk, 0, n1, out);
}

static void make_rows(const struct pass_chunk *chunk, struct cuda_launch *out)
{
    const struct cuda_pass *p = chunk->p;
    const uint32_t n1 = p->kernel[1].n, n2 = p->kernel[0].n;
    struct pass_args *a = &out->args.pass;
    uint64_t apart = p->pass.n;
    *out = launch_of(chunk, 1);
    a->from = scratch_origin(chunk);
    a->from_stride = 1;
    a->to_stride = n2 * p->pass.to;
    a->axes[0] = (struct pass_axis){n2, n1, p->pass.to};
    cuda_pass_axes(&p->pass, chunk->rows0, a->axes + 1);
    for (uint32_t i = 1; i < PASS_AXES; i++) {
        a->axes[i].from = apart;
        apart *= a->axes[i].count;
    }
    set_grid(chunk, 1, n2, out);
}

/* ---- all --------------------------------------------------------------------------------- */

static void make_kernel(const struct pass_chunk *chunk, uint32_t kernel, struct cuda_launch *out)
{
    if (chunk->p->cluster)
        make_cluster(chunk, out);
    else if (chunk->p->plane)
        make_plane(chunk, out);
    else if (chunk->p->kernels == 1)
        make_single(chunk, out);
    else if (kernel == 0)
        make_columns(chunk, out);
    else
        make_rows(chunk, out);
}

/* Where the complex kernels of a chunk read and write: scratch, or pairs of reals. */
static struct cuda_pass_memory memory_of_chunk(const struct pass_chunk *chunk)
{
    const struct cuda_pass *p = chunk->p;
    const uint64_t rows = chunk->memory->scratch, first = chunk->first * sizeof(float);
    struct cuda_pass_memory inner = {rows, rows, chunk->memory->tables,
                                     rows + (uint64_t)p->chunk_rows * p->pass.n * POINT_BYTES};
    if (p->direct && p->around.kind == PASS_R2C)
        inner.from = chunk->memory->from + first * p->around.rows[0].from;
    else if (p->direct)
        inner.to = chunk->memory->to + first * p->around.rows[0].to;
    return inner;
}

static uint32_t launches_of(const struct cuda_pass *p)
{
    return p->kernels + (p->gathers ? 1 : 0) + (p->gathers && !p->direct ? 1 : 0);
}

/* Launch `index` of a chunk: gather, the kernels, scatter. */
static void make_gathered(const struct pass_chunk *chunk, uint32_t index, struct cuda_launch *out)
{
    const struct cuda_pass *p = chunk->p;
    const struct cuda_pass_memory inner = memory_of_chunk(chunk);
    const struct pass_chunk inner_chunk = {p, &inner, (uint32_t)chunk->rows, 0, chunk->rows};
    if (p->direct && p->around.kind == PASS_R2C)
        index++; /* nothing is gathered */
    if (index == 0)
        cuda_pass_gather(chunk, out);
    else if (index <= p->kernels)
        make_kernel(&inner_chunk, index - 1, out);
    else
        cuda_pass_scatter(chunk, out);
}

bool cuda_pass_launch(const struct cuda_pass *p, const struct cuda_pass_memory *memory,
                      uint32_t rows0, uint32_t index, struct cuda_launch *out)
{
    const struct engine_pass *pass = p->around.n > 0 ? &p->around : &p->pass;
    const uint64_t all = (uint64_t)rows0 * pass->rows[1].count * pass->rows[2].count;
    const uint64_t each = p->chunk_rows ? p->chunk_rows : all;
    const uint32_t launches = launches_of(p);
    struct pass_chunk chunk = {p, memory, rows0, index / launches * each, each};
    if (chunk.first >= all)
        return false;
    if (all - chunk.first < each)
        chunk.rows = all - chunk.first;
    if (p->gathers)
        make_gathered(&chunk, index % launches, out);
    else
        make_kernel(&chunk, index % launches, out);
    return true;
}

/*
 * One mixed-radix kernel serves passes of any length, so all of them allow it the same shared
 * memory.
 */
bool cuda_pass_kernel(const struct cuda_pass *p, uint32_t index, const char **module,
                      const char **name, uint32_t *shared)
{
    if (index >= p->kernels)
        return p->gathers && cuda_pass_real_kernel(p, index - p->kernels, module, name, shared);
    const struct pass_kernel *k = &p->kernel[index];
    *module = cuda_pass_form_module(k->family);
    *name = k->form ? name_of(p, k) : cuda_mixed_name(&k->mixed);
    *shared = k->form ? k->shared : p->facts.shared_block;
    return true;
}
