/* pass.c - the rows of a pass through the fast transforms, or through the general radix. */
#include "fft/cpu/pass.h"

#include <errno.h>
#include <stdlib.h>

#include "fft/cpu/memory.h"

/* Fewest operations a point: 4 (no multiplication by its roots), 3, then what is left. */
static const uint32_t bases[] = {4, 2, 3, 5, 7, 0};

enum {
    LONGEST_ROWS = 16384,  /* beyond it, points of all lanes leave L2 */
    POINTS_A_THREAD = 8192 /* fewer are done before another thread has begun */
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
    const uint64_t vectors = split_vectors(n, ops->lanes);
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
    const uint64_t split = rows * split_vectors(p->n, ops->lanes);
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

/* ---- runs ------------------------------------------------------------------------------- */

/* Of a row, from and to. */
static void run_general(const struct cpu_pass *c, const struct engine_pass *p,
                        const struct pass_hand *hand, const struct iq *from, struct iq *to)
{
    struct iq *row = hand->scratch;
    general_fft(&c->general, from, p->from, row, p->inverse);
    for (size_t k = 0; k < p->n; k++)
        to[k * p->to] = row[k];
}

static void run_split(const struct cpu_pass *c, const struct engine_pass *p,
                      const struct pass_hand *hand, const struct iq *from, struct iq *to)
{
    struct iq *row = hand->scratch;
    if (p->from != 1)
        for (size_t j = 0; j < p->n; j++)
            row[j] = from[j * p->from];
    c->ops->split(&hand->split, p->from == 1 ? from : row, p->to == 1 ? to : row, p->inverse);
    if (p->to != 1)
        for (size_t k = 0; k < p->n; k++)
            to[k * p->to] = row[k];
}

/* `first`: of the inner rows, those that go at once; from and to are those of row 0. */
static void run_rows(const struct cpu_pass *c, const struct engine_pass *p,
                     const struct pass_hand *hand, const struct iq *from, struct iq *to,
                     size_t first)
{
    const struct engine_rows *rows = &p->rows[c->inner];
    const size_t left = rows->count - first;
    const struct rows_job job = {.from = from + first * rows->from,
                                 .to = to + first * rows->to,
                                 .from_point = p->from,
                                 .from_row = rows->from,
                                 .to_point = p->to,
                                 .to_row = rows->to,
                                 .count = left < c->ops->lanes ? (uint32_t)left : c->ops->lanes,
                                 .inverse = p->inverse,
                                 .scratch = hand->scratch};
    c->ops->rows(&c->rows, &job);
}

/* Rows of a unit, units of the inner loop. */
static uint32_t unit_rows(const struct cpu_pass *c)
{
    return c->way == PASS_ROWS ? c->ops->lanes : 1;
}

static size_t inner_units(const struct cpu_pass *c, const struct engine_pass *p)
{
    return (p->rows[c->inner].count + (size_t)unit_rows(c) - 1) / unit_rows(c);
}

static void run_unit(const struct cpu_pass *c, const struct engine_pass *p,
                     const struct pass_hand *hand, const struct iq *from, struct iq *to,
                     size_t unit)
{
    const struct engine_rows *inner = &p->rows[c->inner];
    const struct engine_rows *a = &p->rows[(c->inner + 1) % 3], *b = &p->rows[(c->inner + 2) % 3];
    const size_t units = inner_units(c, p), row = unit % units * unit_rows(c), outer = unit / units;

    from += outer / b->count * a->from + outer % b->count * b->from;
    to += outer / b->count * a->to + outer % b->count * b->to;
    if (c->way == PASS_ROWS)
        run_rows(c, p, hand, from, to, row);
    else if (c->way == PASS_SPLIT)
        run_split(c, p, hand, from + row * inner->from, to + row * inner->to);
    else
        run_general(c, p, hand, from + row * inner->from, to + row * inner->to);
}

static size_t all_units(const struct cpu_pass *c, const struct engine_pass *p)
{
    return inner_units(c, p) * p->rows[(c->inner + 1) % 3].count *
           p->rows[(c->inner + 2) % 3].count;
}

void cpu_pass_run(const struct cpu_pass *c, const struct engine_pass *p, const struct iq *from,
                  struct iq *to, uint32_t hand)
{
    const size_t units = all_units(c, p), end = units * (hand + 1) / c->threads;
    for (size_t unit = units * hand / c->threads; unit < end; unit++)
        run_unit(c, p, &c->hands[hand], from, to, unit);
}

/* ---- init ------------------------------------------------------------------------------- */

static uint32_t choose_threads(const struct cpu_pass *c, const struct engine_pass *p, uint32_t most)
{
    const uint64_t units = all_units(c, p), points = units * unit_rows(c) * p->n;
    const uint64_t worth = points / POINTS_A_THREAD;
    const uint64_t can = worth < units ? worth : units;
    return can < 1 ? 1 : can < most ? (uint32_t)can : most;
}

static int init_hand(struct pass_hand *hand, const struct cpu_pass *c, uint32_t n)
{
    const bool rows = c->way == PASS_ROWS;
    hand->scratch =
        memory_take(rows ? rows_scratch_bytes(n, c->ops->lanes) : n * sizeof(struct iq));
    if (!hand->scratch)
        return -ENOMEM;
    return c->way == PASS_SPLIT ? split_plan_init(&hand->split, n, c->ops->lanes) : 0;
}

int cpu_pass_init(struct cpu_pass *c, const struct lanes_ops *const *ops,
                  const struct engine_pass *p, uint32_t threads)
{
    struct radices radices;
    int err = 0;

    choose_ops(c, ops, p);
    choose_way(c, p);
    if (c->way == PASS_ROWS)
        err = lanes_plan_init(&c->rows, p->n);
    else if (c->way == PASS_GENERAL)
        err = radix_factor(&radices, p->n, bases) ? general_init(&c->general, &radices) : -ENOTSUP;
    if (err < 0)
        return err;
    c->threads = choose_threads(c, p, threads);
    c->hands = calloc(c->threads, sizeof *c->hands);
    if (!c->hands)
        return -ENOMEM;
    for (uint32_t i = 0; err == 0 && i < c->threads; i++)
        err = init_hand(&c->hands[i], c, p->n);
    return err;
}

void cpu_pass_finish(struct cpu_pass *c)
{
    general_finish(&c->general);
    lanes_plan_finish(&c->rows);
    for (uint32_t i = 0; c->hands && i < c->threads; i++) {
        split_plan_finish(&c->hands[i].split);
        memory_free(c->hands[i].scratch);
    }
    free(c->hands);
}
