/*
 * cpu_columns.c - the kernel of all sizes: the lanes of a vector are neighbouring columns of one
 * frame.
 *
 * A frame of n = R R2 LEAF samples is a matrix of rows. Neighbouring samples stay in the lanes of
 * one vector from the first load to the last butterfly, so there is one shuffle:
 *
 *     first    R rows of R2 LEAF columns: unpack x window, DFT over the rows, twiddle
 *     second   in each of the R results: R2 rows of LEAF columns, the same again, in place
 *     leaf     LEAF_ROWS rows of LANES columns: DFT over the rows, twiddle, transpose of
 *              LANES x LANES, DFT over the former lanes, |X|^2, fold
 *
 * The twiddle after a level is w^(column k). With column = LANES block + lane it is the product of
 * a factor of the block, the same in all lanes, and one of the lane. The latter commutes with all
 * operations up to the leaf's own twiddle and is applied there, once for all levels.
 *
 * The lanes of cf32 contain the columns in another order, in which one shuffle within groups of
 * four lanes separates re from im. Window, twiddles of lanes and the last DFT follow that order.
 *
 * A radix above 16 takes two steps through a scratch of at most MAX_RADIX vectors, in L1. While a
 * small frame is read, the samples one frame later are prefetched; in a large one, the next block
 * of every row.
 *
 * Kernel order: leaf (r, c) is the c-th of row r, and has LEAF powers; its power k' is bin r + R (c
 * + R2 k'). Compiled once for each instruction set.
 */
#include "fft/cpu/spectrum/cpu_columns.h"

#include <errno.h>

extern const struct kernel_ops CPU_SYMBOL(columns);

static size_t columns_scratch_bytes(uint32_t n)
{
    if (CPU_SYMBOL(columns_divides)(n))
        return MAX_RADIX * sizeof(struct cvec);
    return (n / LANES + n / LEAF + MAX_RADIX) * sizeof(struct cvec); /* a padded vector a row */
}

static size_t columns_table_bytes(uint32_t n)
{
    return sizeof(struct columns_plan) + CPU_SYMBOL(columns_plan_bytes)(n);
}

static int columns_init(struct kernel *k)
{
    struct columns_plan *plan = k->tables = cpu_arena_take(&k->memory, sizeof *plan);
    return plan ? CPU_SYMBOL(columns_plan_init)(plan, k->n, k->format == FFT_IQ_CF32, &k->memory)
                : -ENOMEM;
}

/* The first level reads block after block; within one, b groups of a rows, b apart. */
static uint32_t columns_window_at(const struct kernel *k, uint32_t i)
{
    const struct columns_plan *plan = k->tables;
    const struct level *first = &plan->first;
    const uint32_t vector = i / LANES, row = vector / first->blocks, block = vector % first->blocks;
    const uint32_t index = block * first->radix + row % first->b * first->a + row / first->b;
    const uint32_t lane = (uint32_t)lane_of_column(plan->by_fours, i % LANES);
    return (k->n == LEAF ? vector : index) * LANES + lane; /* the only leaf reads in order */
}

static void columns_frame(const struct kernel *k, void *scratch, const struct kernel_input *in,
                          const struct sink *out)
{
    const unsigned input = input_of(k->format, in);
    const struct columns_plan *plan = k->tables;
    const size_t rows = plan->first.radix, stride = plan->row_stride;
    struct cvec *small = scratch, *large = small + MAX_RADIX;

    struct rows samples = rows_of(in);
    samples.window = k->window;
    samples.stride = plan->first.blocks;
    if (k->n == LEAF) {
        CPU_SYMBOL(columns_only_leaf)(plan, input, &samples, out);
        return;
    }
    const struct pass first = {
        .level = &plan->first, .from = samples, .to = large, .scratch = small, .to_stride = stride};
    CPU_SYMBOL(columns_level)(input, &first);

    if (plan->second.radix > 1) {
        const struct frame_group group = {.frames = 1, .points = large};
        CPU_SYMBOL(columns_bottom)(k, scratch, &group, out, (struct portion){0, 1});
        return;
    }
    const struct leaves leaves = {
        .from = large, .stride = stride, .count = rows, .lanes = plan->lanes};
    CPU_SYMBOL(columns_leaves)(plan, &leaves, out);
}

static struct kernel_order columns_order(const struct kernel *k)
{
    const struct columns_plan *plan = k->tables;
    return (struct kernel_order){plan->first.radix, plan->second.radix};
}

static void columns_add(float *restrict sum, const float *restrict from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum[i] += from[i];
}

/* Where the powers and the bins of a tile are. */
struct tile {
    const float *powers;
    float *bins;
    size_t powers_stride, bins_stride;
};

/* Rows r .. and powers `at` .. of their leaves c. */
INLINE struct tile tile_at(const struct columns_plan *plan, const float *powers, float *bins,
                           size_t c, size_t at, size_t r)
{
    const size_t rows = plan->first.radix, inner = plan->second.radix;
    return (struct tile){.powers = powers + (r * inner + c) * LEAF + at,
                         .bins = bins + at * rows * inner + c * rows + r,
                         .powers_stride = inner * LEAF,
                         .bins_stride = rows * inner};
}

/* scale: NULL for none. The bins may be a user's, aligned to a float. */
INLINE void turn_tile(struct tile t, const double *scale)
{
    vf tile[LANES];
    UNROLL
    for (size_t j = 0; j < LANES; j++)
        tile[j] = *(const vf *)(t.powers + j * t.powers_stride);
    vec_transpose(tile);
    UNROLL
    for (size_t j = 0; j < LANES; j++)
        *(raw_floats *)(t.bins + j * t.bins_stride) = scale ? vec_times(tile[j], *scale) : tile[j];
}

/* The lines of a tile are far apart, so that the hardware foresees neither reads nor writes. */
INLINE void fetch_tile(struct tile t)
{
    UNROLL
    for (size_t j = 0; j < LANES; j++) {
        __builtin_prefetch(t.powers + j * t.powers_stride);
        __builtin_prefetch(t.bins + j * t.bins_stride, 1);
    }
}

/* Powers `first` .. end-1 of all leaves, in tiles of LANES x LANES where they fit. */
INLINE void turn(const struct columns_plan *plan, const float *powers, float *bins, size_t first,
                 size_t end, const double *scale)
{
    const size_t rows = plan->first.radix, inner = plan->second.radix, all = rows * inner;

    for (size_t c = 0; c < inner; c++)
        for (size_t at = first; at < end; at += LANES) {
            const bool is_last = at + LANES == end;
            const size_t next_c = is_last ? c + 1 : c, next_at = is_last ? first : at + LANES;
            size_t r = 0;
            for (; r + LANES <= rows; r += LANES) {
                if (next_c < inner)
                    fetch_tile(tile_at(plan, powers, bins, next_c, next_at, r));
                turn_tile(tile_at(plan, powers, bins, c, at, r), scale);
            }
            for (; r < rows; r++)
                for (size_t j = 0; j < LANES; j++)
                    bins[(at + j) * all + c * rows + r] =
                        (float)((double)powers[(r * inner + c) * LEAF + at + j] *
                                (scale ? *scale : 1));
        }
}

/* bins[r + R (c + R2 k)] = powers[(r R2 + c) LEAF + k] */
static void columns_to_bins(const struct kernel *k, const float *powers, float *bins, double scale,
                            struct portion p)
{
    const struct columns_plan *plan = k->tables;
    const size_t first = (size_t)LEAF_ROWS * p.part / p.parts * LANES;
    const size_t end = (size_t)LEAF_ROWS * (p.part + 1) / p.parts * LANES;

    if (plan->first.radix == 1) { /* a leaf's powers are in order */
        for (size_t i = first; i < end; i++)
            bins[i] = (float)((double)powers[i] * scale);
        return;
    }
    if (scale < 1 || scale > 1)
        turn(plan, powers, bins, first, end, &scale);
    else
        turn(plan, powers, bins, first, end, NULL);
}

const struct kernel_ops CPU_SYMBOL(columns) = {
    .name = "columns",
    .can = CPU_SYMBOL(columns_can),
    .scratch_bytes = columns_scratch_bytes,
    .table_bytes = columns_table_bytes,
    .init = columns_init,
    .window_at = columns_window_at,
    .frame = columns_frame,
    .order = columns_order,
    .add = columns_add,
    .to_bins = columns_to_bins,
    .divides = CPU_SYMBOL(columns_divides),
    .group_frames = CPU_SYMBOL(columns_group_frames),
    .group_bytes = CPU_SYMBOL(columns_group_bytes),
    .top = CPU_SYMBOL(columns_top),
    .bottom = CPU_SYMBOL(columns_bottom),
};
