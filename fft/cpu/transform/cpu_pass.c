/* cpu_pass.c - the rows of a pass through the fast transforms, or through the general radix. */
#include "fft/cpu/transform/cpu_pass.h"

#include <errno.h>
#include <stdlib.h>

enum {
    LONGEST_ROWS = 16384,      /* beyond it, points of all lanes leave L2 */
    MIN_PART_POINTS = 8192,    /* fewer are done before another thread has begun */
    LARGE_PART_POINTS = 65536, /* each thread has one part, unless parts are larger than this */
    DIVIDED_POINTS = 65536     /* a longer row takes longer than opening a few steps */
};

/* ---- strategy --------------------------------------------------------------------------- */

static bool are_adjacent(const struct engine_rows *r)
{
    return r->from == 1 && r->to == 1;
}

/* Adjacent rows first, then the most. */
static uint32_t choose_inner(const struct engine_pass *p, uint32_t lanes)
{
    uint32_t best = 0;
    for (uint32_t d = 0; d < 3; d++) {
        if (are_adjacent(&p->rows[d]) && 2 * p->rows[d].count >= lanes)
            return d;
        if (p->rows[d].count > p->rows[best].count)
            best = d;
    }
    return best;
}

static bool can_rows(const struct lanes_ops *ops, const struct engine_pass *p,
                     const struct engine_rows *rows)
{
    return p->n > 1 && p->n <= LONGEST_ROWS && 2 * (uint64_t)rows->count >= ops->lanes;
}

/* Splitting is worth it while `idle_factor` lanes or fewer are needed for one that works. */
static bool can_split(const struct lanes_ops *ops, uint32_t n, uint32_t rows, uint32_t idle_factor)
{
    const uint64_t vectors = cpu_split_vectors(n, ops->lanes, rows);
    return vectors > 0 && vectors * ops->lanes <= (uint64_t)idle_factor * n * rows;
}

static void choose_strategy(struct cpu_pass *c, const struct engine_pass *p)
{
    const struct engine_rows *rows = &p->rows[c->inner];

    c->strategy = PASS_GENERAL;
    if (can_rows(c->ops, p, rows) &&
        (are_adjacent(rows) || !can_split(c->ops, p->n, rows->count, 2)))
        c->strategy = PASS_ROWS;
    else if (can_split(c->ops, p->n, rows->count, 4))
        c->strategy = PASS_SPLIT;
}

/* Vectors that all rows of the inner loop take: what is cheaper, splitting each or one a lane. */
static uint64_t vectors_of(const struct lanes_ops *ops, const struct engine_pass *p, uint64_t rows)
{
    const uint64_t together = (rows + ops->lanes - 1) / ops->lanes * p->n;
    const uint64_t split = cpu_split_vectors(p->n, ops->lanes, rows);
    return split && split < together ? split : together;
}

static void choose_ops(struct cpu_pass *c, const struct lanes_ops *const *ops,
                       const struct engine_pass *p)
{
    uint64_t least = UINT64_MAX;
    for (; *ops; ops++) {
        const uint32_t inner = choose_inner(p, (*ops)->lanes);
        const uint64_t vectors = vectors_of(*ops, p, p->rows[inner].count);
        if (vectors <= least) { /* of equals the narrower one: it has fewer idle lanes */
            least = vectors;
            c->ops = *ops;
            c->inner = inner;
        }
    }
}

/* ---- a unit ----------------------------------------------------------------------------- */

/* Rows of a unit, units of the inner loop. */
static uint32_t unit_rows(const struct cpu_pass *c)
{
    return c->strategy == PASS_ROWS    ? c->ops->lanes
           : c->strategy == PASS_SPLIT ? c->split.set_rows
                                       : 1;
}

static size_t inner_units(const struct cpu_pass *c, const struct engine_pass *p)
{
    return (p->rows[c->inner].count + (size_t)unit_rows(c) - 1) / unit_rows(c);
}

static size_t all_units(const struct cpu_pass *c, const struct engine_pass *p)
{
    return inner_units(c, p) * p->rows[(c->inner + 1) % 3].count *
           p->rows[(c->inner + 2) % 3].count;
}

/* Rows that go at once: where the first of them is, in elements of each side, and how many rows the
 * inner loop has from there on. */
struct unit {
    size_t rows, from, to;
};

static struct unit unit_at(const struct cpu_pass *c, const struct engine_pass *p, size_t unit)
{
    const struct engine_rows *inner = &p->rows[c->inner];
    const struct engine_rows *a = &p->rows[(c->inner + 1) % 3], *b = &p->rows[(c->inner + 2) % 3];
    const size_t units = inner_units(c, p), row = unit % units * unit_rows(c), outer = unit / units;
    return (struct unit){
        .rows = inner->count - row,
        .from = outer / b->count * a->from + outer % b->count * b->from + row * inner->from,
        .to = outer / b->count * a->to + outer % b->count * b->to + row * inner->to};
}

static void run_general(const struct cpu_pass *c, const struct row_set *set)
{
    struct fft_iq *row = set->scratch;
    fft_general_fft(&c->general, set->from, set->from_point, row, set->inverse);
    for (size_t k = 0; k < c->points.n; k++)
        set->to[k * set->to_point] =
            (struct fft_iq){row[k].re * set->scale, row[k].im * set->scale};
}

/* The complex rows of a unit; from and to the arrays, or from and to the workspace. */
static void run_points(const struct cpu_pass *c, const struct pass_workspace *workspace,
                       const struct fft_iq *from, struct fft_iq *to, uint32_t count)
{
    const struct engine_pass *q = &c->points;
    const struct engine_rows *rows = &q->rows[c->inner];
    const struct row_set set = {.from = from,
                                .to = to,
                                .from_point = c->loads ? 1 : q->from,
                                .from_row = c->loads ? q->n : rows->from,
                                .to_point = c->stores ? 1 : q->to,
                                .to_row = c->stores ? q->n : rows->to,
                                .count = count,
                                .inverse = q->inverse,
                                .scale = c->scale,
                                .scratch = workspace->scratch};
    if (c->strategy == PASS_SPLIT)
        c->ops->split(&c->split, &workspace->split, &set);
    else if (c->strategy == PASS_ROWS)
        c->ops->rows(&c->rows, &set);
    else
        run_general(c, &set);
}

static void run_unit(const struct cpu_pass *c, const struct cpu_pass_progress *progress,
                     uint32_t worker, struct unit unit)
{
    const struct engine_pass *p = progress->pass;
    const struct engine_rows *rows = &p->rows[c->inner];
    const struct pass_workspace *workspace = &c->workspaces[worker];
    const uint32_t count = unit.rows < unit_rows(c) ? (uint32_t)unit.rows : unit_rows(c);
    const struct piece whole = {0, 1};
    const uint32_t n = c->points.n;

    for (uint32_t i = 0; c->loads && i < count; i++)
        cpu_pass_load(c, p, cpu_pass_in(p, progress->from, unit.from + i * rows->from),
                      workspace->unit + (size_t)i * n, whole);
    run_points(c, workspace, c->loads ? workspace->unit : cpu_pass_in(p, progress->from, unit.from),
               c->stores ? workspace->unit : cpu_pass_out(p, progress->to, unit.to), count);
    for (uint32_t i = 0; c->stores && i < count; i++)
        cpu_pass_store(c, p, workspace->unit + (size_t)i * n,
                       cpu_pass_out(p, progress->to, unit.to + i * rows->to), whole);
}

/* Only the first unit of each inner loop is found by divisions, which cost what 100 points do. */
static void run_units(const struct cpu_pass *c, const struct cpu_pass_progress *progress,
                      uint32_t worker, size_t first, size_t end)
{
    const struct engine_rows *inner = &progress->pass->rows[c->inner];
    const uint32_t rows = unit_rows(c);
    for (size_t i = first; i < end;) {
        struct unit unit = unit_at(c, progress->pass, i);
        for (; i < end && unit.rows > 0; i++) {
            run_unit(c, progress, worker, unit);
            unit.rows -= unit.rows < rows ? unit.rows : rows;
            unit.from += rows * inner->from;
            unit.to += rows * inner->to;
        }
    }
}

/* ---- steps ------------------------------------------------------------------------------ */

/* One part of a unit that all workers do, in the first one's memory. */
static void run_divided(const struct cpu_pass *c, const struct cpu_pass_progress *progress,
                        uint32_t worker, uint32_t part)
{
    const struct engine_pass *p = progress->pass;
    const struct unit unit = unit_at(c, p, progress->unit);
    const void *in = cpu_pass_in(p, progress->from, unit.from);
    void *out = cpu_pass_out(p, progress->to, unit.to);
    const struct piece piece = {part, c->threads};
    const struct direction d = {c->points.inverse, c->scale};
    struct split_scratch scratch = c->workspaces[worker].split;
    struct fft_iq *row = c->workspaces[0].unit;
    scratch.middle = c->workspaces[0].split.middle;

    if (progress->step == PASS_LOAD)
        cpu_pass_load(c, p, in, row, piece);
    else if (progress->step == PASS_COLUMNS)
        c->ops->split_columns(&c->split, &scratch, c->loads ? row : in, d.inverse, part,
                              c->threads);
    else if (progress->step == PASS_SPLIT_ROWS)
        c->ops->split_rows(&c->split, &scratch, c->stores ? row : out, d, part, c->threads);
    else
        cpu_pass_store(c, p, row, out, piece);
}

void cpu_pass_part(const struct cpu_pass *c, const struct cpu_pass_progress *progress,
                   uint32_t worker, uint32_t part)
{
    const size_t whole = progress->whole, parts = progress->parts;

    if (progress->step != PASS_UNITS)
        run_divided(c, progress, worker, part);
    else
        run_units(c, progress, worker, whole * part / parts, whole * (part + 1) / parts);
}

static uint32_t begin_unit(const struct cpu_pass *c, struct cpu_pass_progress *progress)
{
    progress->step = c->loads ? PASS_LOAD : PASS_COLUMNS;
    return progress->unit < progress->units ? c->threads : 0;
}

uint32_t cpu_pass_begin(const struct cpu_pass *c, struct cpu_pass_progress *progress)
{
    progress->units = all_units(c, progress->pass);
    progress->whole = c->divides ? progress->units / c->threads * c->threads : progress->units;
    progress->unit = progress->whole;
    progress->parts = c->parts < progress->whole ? c->parts : (uint32_t)progress->whole;
    progress->step = PASS_UNITS;
    return progress->whole > 0 ? progress->parts : begin_unit(c, progress);
}

uint32_t cpu_pass_next(const struct cpu_pass *c, struct cpu_pass_progress *progress)
{
    switch (progress->step) {
    case PASS_UNITS:
        return begin_unit(c, progress);
    case PASS_LOAD:
        progress->step = PASS_COLUMNS;
        return c->threads;
    case PASS_COLUMNS:
        progress->step = PASS_SPLIT_ROWS;
        return c->threads;
    case PASS_SPLIT_ROWS:
        progress->step = PASS_STORE;
        if (c->stores)
            return c->threads;
        break;
    case PASS_STORE:
        break;
    }
    progress->unit++;
    return begin_unit(c, progress);
}

/* ---- init ------------------------------------------------------------------------------- */

/*
 * A row may be divided: then all threads take part. Other passes are cut into as many parts as have
 * enough work; long ones into more parts than there are threads.
 */
static void choose_parts(struct cpu_pass *c, const struct engine_pass *p, uint32_t threads)
{
    const uint64_t units = all_units(c, p), points = units * unit_rows(c) * c->points.n;
    const uint64_t useful = points / MIN_PART_POINTS < units ? points / MIN_PART_POINTS : units;
    const uint64_t large = points / LARGE_PART_POINTS, most = 8 * (uint64_t)threads;
    const uint64_t wanted = large < threads ? threads : large < most ? large : most;

    c->divides = threads > 1 && units % threads != 0 && c->strategy == PASS_SPLIT &&
                 c->points.n >= DIVIDED_POINTS && cpu_split_divides(&c->split);
    c->threads = c->divides || useful > 1 ? threads : 1;
    c->parts = c->threads == 1 || useful < 1 ? 1 : (uint32_t)(useful < wanted ? useful : wanted);
}

static int init_workspace(struct cpu_pass *c, const struct engine_pass *p, uint32_t worker)
{
    struct pass_workspace *h = &c->workspaces[worker];
    const uint32_t n = c->points.n;
    const bool alone = worker == 0 || !c->divides || all_units(c, p) >= c->threads;
    const size_t unit = (c->loads || c->stores) && alone ? (size_t)unit_rows(c) * n : 0;
    const size_t bytes = c->strategy == PASS_ROWS      ? cpu_rows_scratch_bytes(n, c->ops->lanes)
                         : c->strategy == PASS_GENERAL ? n * sizeof(struct fft_iq)
                                                       : 0;
    h->scratch = cpu_arena_take(&h->memory, bytes);
    h->unit = cpu_arena_take(&h->memory, unit * sizeof *h->unit);
    if (!h->scratch || !h->unit)
        return -ENOMEM;
    return c->strategy == PASS_SPLIT
               ? cpu_split_scratch_init(&h->split, &c->split, alone, &h->memory)
               : 0;
}

static int init_strategy(struct cpu_pass *c)
{
    struct radices radices;
    if (c->strategy == PASS_ROWS)
        return cpu_lanes_plan_init(&c->rows, c->points.n, &c->memory);
    if (c->strategy == PASS_SPLIT)
        return cpu_split_plan_init(&c->split, c->points.n, c->ops->lanes, &c->memory);
    return fft_radix_factor(&radices, c->points.n, fft_general_bases)
               ? fft_general_init(&c->general, &radices)
               : -ENOTSUP;
}

int cpu_pass_init(struct cpu_pass *c, const struct lanes_ops *const *ops,
                  const struct engine_pass *p, uint32_t threads)
{
    cpu_pass_describe(c, p);
    c->scale = fft_pass_scale(&c->points);
    choose_ops(c, ops, &c->points);
    choose_strategy(c, &c->points);
    if (p->kind == PASS_COMPLEX && c->strategy == PASS_SPLIT) {
        c->loads = p->from != 1;
        c->stores = p->to != 1;
    }
    int err = init_strategy(c);
    if (err == 0)
        err = cpu_pass_take_roots(c, p);
    if (err < 0)
        return err;
    choose_parts(c, p, threads);
    c->workspaces = calloc(c->threads, sizeof *c->workspaces);
    if (!c->workspaces)
        return -ENOMEM;
    for (uint32_t i = 0; err == 0 && i < c->threads; i++)
        err = init_workspace(c, p, i);
    return err;
}

void cpu_pass_finish(struct cpu_pass *c)
{
    fft_general_finish(&c->general);
    for (uint32_t i = 0; c->workspaces && i < c->threads; i++)
        cpu_arena_free(&c->workspaces[i].memory);
    cpu_arena_free(&c->memory);
    free(c->workspaces);
}
