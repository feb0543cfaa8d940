/* pass.c - the rows of a pass through the fast transforms, or through the general radix. */
#include "fft/cpu/transform/pass.h"

#include <errno.h>
#include <stdlib.h>

/* Fewest operations a point: 4 (no multiplication by its roots), 3, then what is left. */
static const uint32_t bases[] = {4, 2, 3, 5, 7, 0};

enum {
    LONGEST_ROWS = 16384,   /* beyond it, points of all lanes leave L2 */
    POINTS_A_THREAD = 8192, /* fewer are done before another thread has begun */
    DIVIDED_POINTS = 65536  /* a row of so many takes longer than a few meetings */
};

/* ---- the way ---------------------------------------------------------------------------- */

static bool lie_together(const struct engine_rows *r)
{
    return r->from == 1 && r->to == 1;
}

/* Rows beside one another first, then the most. */
static uint32_t choose_inner(const struct engine_pass *p, uint32_t lanes)
{
    uint32_t best = 0;
    for (uint32_t d = 0; d < 3; d++) {
        if (lie_together(&p->rows[d]) && 2 * p->rows[d].count >= lanes)
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
static bool can_split(const struct lanes_ops *ops, uint32_t n, uint32_t idle_factor)
{
    const uint64_t vectors = cpu_split_vectors(n, ops->lanes);
    return vectors > 0 && vectors * ops->lanes <= (uint64_t)idle_factor * n;
}

static void choose_way(struct cpu_pass *c, const struct engine_pass *p)
{
    const struct engine_rows *rows = &p->rows[c->inner];

    c->way = PASS_GENERAL;
    if (can_rows(c->ops, p, rows) && (lie_together(rows) || !can_split(c->ops, p->n, 2)))
        c->way = PASS_ROWS;
    else if (can_split(c->ops, p->n, 4))
        c->way = PASS_SPLIT;
}

/* Vectors that all rows of the inner loop take: what is cheaper, splitting each or one a lane. */
static uint64_t vectors_of(const struct lanes_ops *ops, const struct engine_pass *p, uint64_t rows)
{
    const uint64_t together = (rows + ops->lanes - 1) / ops->lanes * p->n;
    const uint64_t split = rows * cpu_split_vectors(p->n, ops->lanes);
    return split && split < together ? split : together;
}

static void choose_ops(struct cpu_pass *c, const struct lanes_ops *const *ops,
                       const struct engine_pass *p)
{
    uint64_t least = UINT64_MAX;
    for (; *ops; ops++) {
        const uint32_t inner = choose_inner(p, (*ops)->lanes);
        const uint64_t vectors = vectors_of(*ops, p, p->rows[inner].count);
        if (vectors < least) {
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
    return c->way == PASS_ROWS ? c->ops->lanes : 1;
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

/* Rows that go at once: how many, and where the first of them is, in elements of each side. */
struct unit {
    uint32_t count;
    size_t from, to;
};

static struct unit unit_at(const struct cpu_pass *c, const struct engine_pass *p, size_t unit)
{
    const struct engine_rows *inner = &p->rows[c->inner];
    const struct engine_rows *a = &p->rows[(c->inner + 1) % 3], *b = &p->rows[(c->inner + 2) % 3];
    const size_t units = inner_units(c, p), row = unit % units * unit_rows(c), outer = unit / units;
    const size_t left = inner->count - row;
    return (struct unit){
        .count = left < unit_rows(c) ? (uint32_t)left : unit_rows(c),
        .from = outer / b->count * a->from + outer % b->count * b->from + row * inner->from,
        .to = outer / b->count * a->to + outer % b->count * b->to + row * inner->to};
}

static void run_general(const struct cpu_pass *c, const struct rows_job *job)
{
    struct fft_iq *row = job->scratch;
    fft_general_fft(&c->general, job->from, job->from_point, row, job->inverse);
    for (size_t k = 0; k < c->points.n; k++)
        job->to[k * job->to_point] = row[k];
}

/* The complex rows of a unit, from and to the arrays or the hand's own. */
static void run_points(const struct cpu_pass *c, const struct pass_hand *hand,
                       const struct fft_iq *from, struct fft_iq *to, uint32_t count)
{
    const struct engine_pass *q = &c->points;
    const struct engine_rows *rows = &q->rows[c->inner];
    const struct rows_job job = {.from = from,
                                 .to = to,
                                 .from_point = c->loads ? 1 : q->from,
                                 .from_row = c->loads ? q->n : rows->from,
                                 .to_point = c->stores ? 1 : q->to,
                                 .to_row = c->stores ? q->n : rows->to,
                                 .count = count,
                                 .inverse = q->inverse,
                                 .scratch = hand->scratch};
    if (c->way == PASS_ROWS)
        c->ops->rows(&c->rows, &job);
    else if (c->way == PASS_SPLIT)
        c->ops->split(&c->split, &hand->split, from, to, q->inverse);
    else
        run_general(c, &job);
}

static void run_unit(const struct cpu_pass *c, const struct pass_run *run, size_t number)
{
    const struct engine_pass *p = run->pass;
    const struct engine_rows *rows = &p->rows[c->inner];
    const struct pass_hand *hand = &c->hands[run->hand];
    const struct unit unit = unit_at(c, p, number);
    const struct piece whole = {0, 1};
    const uint32_t n = c->points.n;

    for (uint32_t i = 0; c->loads && i < unit.count; i++)
        cpu_pass_load(c, p, cpu_pass_in(p, run->from, unit.from + i * rows->from),
                      hand->unit + (size_t)i * n, whole);
    run_points(c, hand, c->loads ? hand->unit : cpu_pass_in(p, run->from, unit.from),
               c->stores ? hand->unit : cpu_pass_out(p, run->to, unit.to), unit.count);
    for (uint32_t i = 0; c->stores && i < unit.count; i++)
        cpu_pass_store(c, p, hand->unit + (size_t)i * n,
                       cpu_pass_out(p, run->to, unit.to + i * rows->to), whole);
}

/* The same by all threads, in the first one's memory. false: they are sent home. */
static bool run_together(const struct cpu_pass *c, const struct pass_run *run, size_t number)
{
    const struct engine_pass *p = run->pass;
    const struct unit unit = unit_at(c, p, number);
    const void *in = cpu_pass_in(p, run->from, unit.from);
    void *out = cpu_pass_out(p, run->to, unit.to);
    const uint32_t hand = run->hand, all = c->threads;
    const struct piece own = {hand, all};
    const bool inverse = c->points.inverse;
    struct split_scratch scratch = c->hands[hand].split;
    struct fft_iq *row = c->hands[0].unit;
    scratch.middle = c->hands[0].split.middle;

    if (c->loads) {
        cpu_pass_load(c, p, in, row, own);
        if (!crew_meet(run->crew, hand))
            return false;
    }
    c->ops->split_columns(&c->split, &scratch, c->loads ? row : in, inverse, hand, all);
    if (!crew_meet(run->crew, hand))
        return false;
    c->ops->split_rows(&c->split, &scratch, c->stores ? row : out, inverse, hand, all);
    if (!crew_meet(run->crew, hand))
        return false;
    if (c->stores)
        cpu_pass_store(c, p, row, out, own);
    return !c->stores || crew_meet(run->crew, hand);
}

void cpu_pass_run(const struct cpu_pass *c, const struct pass_run *run)
{
    const size_t units = all_units(c, run->pass), hand = run->hand;
    const size_t whole = c->together ? units / c->threads * c->threads : units;
    bool here = true;

    for (size_t i = whole * hand / c->threads; i < whole * (hand + 1) / c->threads; i++)
        run_unit(c, run, i);
    if (whole > 0 && whole < units) /* the first one's memory may be in use */
        here = crew_meet(run->crew, run->hand);
    for (size_t i = whole; here && i < units; i++)
        here = run_together(c, run, i);
}

/* ---- init ------------------------------------------------------------------------------- */

/* A row may be divided: then all threads take part. Else as many as have enough to do. */
static void choose_threads(struct cpu_pass *c, const struct engine_pass *p, uint32_t most)
{
    const uint64_t units = all_units(c, p), points = units * unit_rows(c) * c->points.n;
    const uint64_t worth = points / POINTS_A_THREAD;
    const uint64_t can = worth < units ? worth : units;

    c->together = most > 1 && units % most != 0 && c->way == PASS_SPLIT &&
                  c->points.n >= DIVIDED_POINTS && cpu_split_divides(&c->split);
    c->threads = c->together ? most : can < 1 ? 1 : can < most ? (uint32_t)can : most;
}

static int init_hand(struct cpu_pass *c, const struct engine_pass *p, uint32_t hand)
{
    struct pass_hand *h = &c->hands[hand];
    const uint32_t n = c->points.n;
    const bool alone = hand == 0 || !c->together || all_units(c, p) >= c->threads;
    const size_t unit = (c->loads || c->stores) && alone ? (size_t)unit_rows(c) * n : 0;
    const size_t bytes = c->way == PASS_ROWS      ? cpu_rows_scratch_bytes(n, c->ops->lanes)
                         : c->way == PASS_GENERAL ? n * sizeof(struct fft_iq)
                                                  : 0;
    h->scratch = cpu_arena_take(&h->memory, bytes);
    h->unit = cpu_arena_take(&h->memory, unit * sizeof *h->unit);
    if (!h->scratch || !h->unit)
        return -ENOMEM;
    return c->way == PASS_SPLIT ? cpu_split_scratch_init(&h->split, &c->split, alone, &h->memory)
                                : 0;
}

static int init_way(struct cpu_pass *c)
{
    struct radices radices;
    if (c->way == PASS_ROWS)
        return cpu_lanes_plan_init(&c->rows, c->points.n, &c->memory);
    if (c->way == PASS_SPLIT)
        return cpu_split_plan_init(&c->split, c->points.n, c->ops->lanes, &c->memory);
    return fft_radix_factor(&radices, c->points.n, bases) ? fft_general_init(&c->general, &radices)
                                                          : -ENOTSUP;
}

int cpu_pass_init(struct cpu_pass *c, const struct lanes_ops *const *ops,
                  const struct engine_pass *p, uint32_t threads)
{
    cpu_pass_describe(c, p);
    choose_ops(c, ops, &c->points);
    choose_way(c, &c->points);
    if (p->kind == PASS_COMPLEX && c->way == PASS_SPLIT) {
        c->loads = p->from != 1;
        c->stores = p->to != 1;
    }
    int err = init_way(c);
    if (err == 0)
        err = cpu_pass_take_roots(c, p);
    if (err < 0)
        return err;
    choose_threads(c, p, threads);
    c->hands = calloc(c->threads, sizeof *c->hands);
    if (!c->hands)
        return -ENOMEM;
    for (uint32_t i = 0; err == 0 && i < c->threads; i++)
        err = init_hand(c, p, i);
    return err;
}

void cpu_pass_finish(struct cpu_pass *c)
{
    fft_general_finish(&c->general);
    for (uint32_t i = 0; c->hands && i < c->threads; i++)
        cpu_arena_free(&c->hands[i].memory);
    cpu_arena_free(&c->memory);
    free(c->hands);
}
