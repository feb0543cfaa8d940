/* opencl_pass_launch.c - plans the kernel launches of one pass of a transform. */
#include "fft/opencl/opencl_pass_plan.h"
#include "fft/opencl/opencl_strategy.h"

enum { SWAP_LOAD = 1, SWAP_STORE = 2, ROWS_ADJACENT = 4 };

/* One side of a stage: the address of point `p` in row (a, b, c) (kernels/opencl/transform.cl). */
struct side {
    enum opencl_role role;
    uint32_t at, stride, row[3];
};

/* The axes of the rows, smallest stride first. Rows are counted in this order. */
struct axes {
    struct engine_rows row[3];
};

static struct axes axes_of(const struct engine_pass *spec, uint32_t rows0)
{
    struct axes axes;
    for (uint32_t i = 0; i < 3; i++) {
        struct engine_rows r = spec->rows[i];
        uint32_t at = i;
        r.count = i == 0 ? rows0 : r.count;
        for (; at > 0 && r.count > 1 &&
               (axes.row[at - 1].count == 1 || axes.row[at - 1].from > r.from);
             at--)
            axes.row[at] = axes.row[at - 1];
        axes.row[at] = r;
    }
    return axes;
}

static struct side user_side(const struct opencl_pass *p, const struct axes *axes, bool to)
{
    struct side side = {.role = to ? OPENCL_TO : OPENCL_FROM,
                        .stride = (uint32_t)(to ? p->spec.to : p->spec.from)};
    for (int i = 0; i < 3; i++)
        side.row[i] = (uint32_t)(to ? axes->row[i].to : axes->row[i].from);
    return side;
}

/*
 * Stores row first + i of a chunk as row i in half number `half` of scratch. The kernel counts rows
 * from the first row of all, so the side starts `first` rows earlier (modulo 2^32, as the sum in
 * the kernel).
 */
static struct side scratch_side(const struct opencl_pass *p, const struct axes *axes,
                                uint32_t first, uint32_t half)
{
    const uint32_t row = p->rows_adjacent ? 1 : p->spec.n;
    struct side side = {.role = OPENCL_SCRATCH,
                        .at = half * p->chunk_rows * p->spec.n - first * row,
                        .stride = p->rows_adjacent ? p->chunk_rows : 1};
    uint32_t apart = row;
    for (int i = 0; i < 3; i++) {
        side.row[i] = apart;
        apart *= axes->row[i].count;
    }
    return side;
}

static void divisor(struct opencl_launch *l, uint32_t d)
{
    uint32_t log = 0;
    while (log < 32 && (uint64_t)1 << log < d)
        log++;
    opencl_add_word(l, d);
    opencl_add_word(l, (((((uint64_t)1 << log) - d) << 32) / d) + 1);
    opencl_add_word(l, log);
}

static void side_arguments(struct opencl_launch *l, const struct side *side)
{
    opencl_add_word(l, side->at);
    opencl_add_word(l, side->stride);
    for (int i = 0; i < 3; i++)
        opencl_add_word(l, side->row[i]);
}

static void stage_launch(const struct opencl_pass *p, const struct axes *axes, uint32_t stage,
                         uint32_t first, uint32_t rows, struct opencl_launch *out)
{
    const struct opencl_stage *s = &p->stages[stage];
    const bool is_first = stage == 0, is_last = stage == p->stage_count - 1;
    const struct side from =
        is_first ? user_side(p, axes, false) : scratch_side(p, axes, first, (stage - 1) % 2);
    const struct side to =
        is_last ? user_side(p, axes, true) : scratch_side(p, axes, first, stage % 2);
    const uint32_t columns = p->spec.n / s->radix / s->columns;
    const uint64_t items = (uint64_t)columns * rows;
    const uint32_t flags = (p->spec.inverse && is_first ? SWAP_LOAD : 0U) |
                           (p->spec.inverse && is_last ? SWAP_STORE : 0U) |
                           (p->rows_adjacent ? ROWS_ADJACENT : 0U);

    opencl_init_launch(out, opencl_pass_kernel(s->radix, s->columns), items, p->choice.group);
    opencl_add_buffer(out, from.role);
    opencl_add_buffer(out, to.role);
    opencl_add_buffer(out, OPENCL_TABLES);
    opencl_add_word(out, s->twiddles_at);
    opencl_add_word(out, p->spec.n / s->radix);
    divisor(out, s->joined);
    opencl_add_word(out, items);
    divisor(out, p->rows_adjacent ? rows : columns);
    opencl_add_word(out, first);
    divisor(out, axes->row[0].count);
    divisor(out, axes->row[1].count);
    side_arguments(out, &from);
    side_arguments(out, &to);
    opencl_add_word(out, flags);
    opencl_add_float(out, is_last ? (double)fft_pass_scale(&p->spec) : 1);
}

bool opencl_pass_launch(const struct opencl_pass *p, uint32_t rows0, uint32_t index,
                        struct opencl_launch *out)
{
    const struct axes axes = axes_of(&p->spec, rows0);
    const uint64_t rows = (uint64_t)rows0 * p->spec.rows[1].count * p->spec.rows[2].count;
    const uint64_t first = (uint64_t)(index / p->stage_count) * p->chunk_rows;
    if (first >= rows)
        return false;
    stage_launch(p, &axes, index % p->stage_count, (uint32_t)first,
                 min_u32(rows - first, p->chunk_rows), out);
    return true;
}
