/*
 * columns_part.c - parts of a frame of three levels: columns of the first level, rows of the
 * others.
 *
 * Shorter frames take less time than threads need to share them.
 */
#include "fft/cpu/spectrum/columns.h"

/* Blocks of the first level in one call. Not LEAF_ROWS, which marks a level whose rows are leaves.
 */
enum { STRIP = 4 };

bool CPU_SYMBOL(columns_divides)(uint32_t n)
{
    return n / LEAF > MAX_RADIX;
}

static struct cvec *large_of(void *scratch)
{
    return (struct cvec *)scratch + MAX_RADIX;
}

void CPU_SYMBOL(columns_top)(const struct kernel *k, void *scratch, void *shared,
                             const struct kernel_input *in, uint32_t part, uint32_t parts)
{
    const struct columns_plan *plan = k->tables;
    const size_t strips = plan->first.blocks / STRIP, sample = fft_iq_bytes(k->format);
    const size_t end = strips * (part + 1) / parts * STRIP;

    for (size_t block = strips * part / parts * STRIP; block < end; block += STRIP) {
        struct level level = plan->first;
        struct rows from = rows_of(in);
        from.base = (const char *)in->raw + block * LANES * sample;
        from.window = k->window + block * plan->first.radix * LANES;
        from.stride = plan->first.blocks;
        const struct pass first = {.level = &level,
                                   .from = from,
                                   .to = large_of(shared) + block,
                                   .scratch = scratch,
                                   .to_stride = plan->row_stride};
        level.blocks = STRIP;
        level.outer += 2 * block * level.radix;
        CPU_SYMBOL(columns_level)(input_of(k->format, in), &first);
    }
}

/* The second level in place, then its leaves. */
static void finish_row(const struct columns_plan *plan, struct cvec *row, struct cvec *scratch,
                       const struct leaves *leaves, const struct sink *out)
{
    const struct pass second = {.level = &plan->second,
                                .from = {.base = row, .stride = plan->second.blocks},
                                .to = row,
                                .scratch = scratch,
                                .to_stride = plan->second.blocks};
    CPU_SYMBOL(columns_level)(VECTORS, &second);
    CPU_SYMBOL(columns_leaves)(plan, leaves, out);
}

void CPU_SYMBOL(columns_bottom)(const struct kernel *k, void *scratch, void *shared,
                                const struct sink *out, uint32_t part, uint32_t parts)
{
    const struct columns_plan *plan = k->tables;
    const size_t rows = plan->first.radix, end = rows * (part + 1) / parts;

    for (size_t r = rows * part / parts; r < end; r++) {
        struct cvec *row = large_of(shared) + r * plan->row_stride;
        const struct leaves leaves = {.from = row,
                                      .stride = LEAF_ROWS,
                                      .count = plan->second.radix,
                                      .lanes = plan->lanes + r * plan->second.radix,
                                      .slot = r * plan->second.radix * LEAF};
        finish_row(plan, row, scratch, &leaves, out);
    }
}
