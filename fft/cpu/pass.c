/* pass.c - the rows of a pass through the fast transforms, or through the general radix. */
#include "fft/cpu/pass.h"

#include <errno.h>

#include "fft/cpu/memory.h"

/* Fewest operations a point: 4 (no multiplication by its roots), 3, then what is left. */
static const uint32_t bases[] = {4, 2, 3, 5, 7, 0};

enum { LONGEST_ROWS = 16384 }; /* beyond it, points of all lanes leave L2 */

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

static void run_general(struct cpu_pass *c, const struct engine_pass *p, const struct iq *from,
                        struct iq *to)
{
    struct iq *row = c->scratch;
    general_fft(&c->general, from, p->from, row, p->inverse);
    for (size_t k = 0; k < p->n; k++)
        to[k * p->to] = row[k];
}

static void run_split(struct cpu_pass *c, const struct engine_pass *p, const struct iq *from,
                      struct iq *to)
{
    struct iq *row = c->scratch;
    if (p->from != 1)
        for (size_t j = 0; j < p->n; j++)
            row[j] = from[j * p->from];
    c->ops->split(&c->split, p->from == 1 ? from : row, p->to == 1 ? to : row, p->inverse);
    if (p->to != 1)
        for (size_t k = 0; k < p->n; k++)
            to[k * p->to] = row[k];
}

static void run_rows(struct cpu_pass *c, const struct engine_pass *p, const struct iq *from,
                     struct iq *to)
{
    const struct engine_rows *rows = &p->rows[c->inner];
    struct rows_job job = {.from_point = p->from,
                           .from_row = rows->from,
                           .to_point = p->to,
                           .to_row = rows->to,
                           .inverse = p->inverse,
                           .scratch = c->scratch};
    for (size_t i = 0; i < rows->count; i += job.count) {
        const size_t left = rows->count - i;
        job.count = left < c->ops->lanes ? (uint32_t)left : c->ops->lanes;
        job.from = from + i * rows->from;
        job.to = to + i * rows->to;
        c->ops->rows(&c->rows, &job);
    }
}

/* All rows of the inner loop. */
static void run_inner(struct cpu_pass *c, const struct engine_pass *p, const struct iq *from,
                      struct iq *to)
{
    const struct engine_rows *rows = &p->rows[c->inner];
    if (c->way == PASS_ROWS) {
        run_rows(c, p, from, to);
        return;
    }
    for (size_t i = 0; i < rows->count; i++, from += rows->from, to += rows->to) {
        if (c->way == PASS_SPLIT)
            run_split(c, p, from, to);
        else
            run_general(c, p, from, to);
    }
}

void cpu_pass_run(struct cpu_pass *c, const struct engine_pass *p, const struct iq *from,
                  struct iq *to)
{
    const struct engine_rows *a = &p->rows[(c->inner + 1) % 3], *b = &p->rows[(c->inner + 2) % 3];
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            run_inner(c, p, from + i * a->from + j * b->from, to + i * a->to + j * b->to);
}

/* ---- init ------------------------------------------------------------------------------- */

int cpu_pass_init(struct cpu_pass *c, const struct lanes_ops *const *ops,
                  const struct engine_pass *p)
{
    struct radices radices;
    int err = 0;

    choose_ops(c, ops, p);
    choose_way(c, p);
    if (c->way == PASS_ROWS)
        err = lanes_plan_init(&c->rows, p->n);
    else if (c->way == PASS_SPLIT)
        err = split_plan_init(&c->split, p->n, c->ops->lanes);
    else
        err = radix_factor(&radices, p->n, bases) ? general_init(&c->general, &radices) : -ENOTSUP;
    if (err < 0)
        return err;
    c->scratch = memory_take(c->way == PASS_ROWS ? rows_scratch_bytes(p->n, c->ops->lanes)
                                                 : p->n * sizeof(struct iq));
    return c->scratch ? 0 : -ENOMEM;
}

void cpu_pass_finish(struct cpu_pass *c)
{
    general_finish(&c->general);
    lanes_plan_finish(&c->rows);
    split_plan_finish(&c->split);
    memory_free(c->scratch);
}
