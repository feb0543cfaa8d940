/*
 * cpu_columns_part.c - parts of a frame of three levels: columns of the first level, rows of the
 * others.
 *
 * Shorter frames take less time than threads need to share them.
 */
#include "fft/cpu/spectrum/cpu_columns.h"

/* Blocks of the first level in one call. Not LEAF_ROWS, which marks a level whose rows are leaves.
 */
enum { STRIP = 4 };

/* Of points: of a frame, and of a group, four frames of 4M. */
enum { CACHED_BYTES = 4 << 20, GROUP_BYTES = 128 << 20, GROUP_FRAMES = 4 };

bool CPU_SYMBOL(columns_divides)(uint32_t n)
{
    return n / LEAF > MAX_RADIX;
}

/*
 * The points of a shorter frame are in the caches when the bottom reads them; a group's would not
 * be. Those of a longer one are not, and each line that is stored would be read before.
 */
static bool leaves_caches(uint32_t n)
{
    return n * sizeof(struct fft_iq) >= CACHED_BYTES;
}

uint32_t CPU_SYMBOL(columns_group_frames)(uint32_t n)
{
    uint32_t frames = leaves_caches(n) ? GROUP_FRAMES : 1;
    while (frames > 1 && (size_t)frames * n * sizeof(struct fft_iq) > GROUP_BYTES)
        frames /= 2;
    return frames;
}

size_t CPU_SYMBOL(columns_group_bytes)(uint32_t n, uint32_t frames)
{
    return frames * (n / LANES + (size_t)MAX_RADIX) * sizeof(struct cvec);
}

/* Rows are padded by a vector. */
static struct cvec *points_of(const struct columns_plan *plan, const struct frame_group *group,
                              uint32_t frame, size_t row)
{
    struct cvec *points = group->points;
    return points + (frame * (size_t)plan->first.radix + row) * plan->row_stride;
}

/* STRIP blocks of the first level, from `block` on, of one frame. */
static void run_strip(const struct kernel *k, void *scratch, const struct rows *samples,
                      struct cvec *to, size_t block, unsigned input)
{
    const struct columns_plan *plan = k->tables;
    struct level level = plan->first;
    const struct pass first = {.level = &level,
                               .from = *samples,
                               .to = to + block,
                               .scratch = scratch,
                               .to_stride = plan->row_stride,
                               .streams = CPU_STREAMS && leaves_caches(k->n)};
    level.blocks = STRIP;
    level.outer += 2 * block * level.radix;
    CPU_SYMBOL(columns_level)(input, &first);
}

/* A strip of all frames: they share its window, and samples where they overlap. */
void CPU_SYMBOL(columns_top)(const struct kernel *k, void *scratch, const struct frame_group *group,
                             const struct kernel_input *in, struct portion portion)
{
    const struct columns_plan *plan = k->tables;
    const size_t strips = plan->first.blocks / STRIP, sample = fft_iq_bytes(k->format);
    const size_t end = strips * (portion.part + 1) / portion.parts * STRIP;

    for (size_t block = strips * portion.part / portion.parts * STRIP; block < end; block += STRIP)
        for (uint32_t frame = 0; frame < group->frames; frame++) {
            struct rows from = rows_of(in);
            from.base = (const char *)in->raw + frame * group->hop_bytes + block * LANES * sample;
            from.window = k->window + block * plan->first.radix * LANES;
            from.stride = plan->first.blocks;
            run_strip(k, scratch, &from, points_of(plan, group, frame, 0), block,
                      input_of(k->format, in));
        }
    VEC_STREAM_END();
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

/* A row of all frames: they fold into the same powers. */
void CPU_SYMBOL(columns_bottom)(const struct kernel *k, void *scratch,
                                const struct frame_group *group, const struct sink *out,
                                struct portion portion)
{
    const struct columns_plan *plan = k->tables;
    const size_t rows = plan->first.radix, end = rows * (portion.part + 1) / portion.parts;
    struct sink sink = *out;

    for (size_t r = rows * portion.part / portion.parts; r < end; r++) {
        for (uint32_t frame = 0; frame < group->frames; frame++) {
            struct cvec *row = points_of(plan, group, frame, r);
            const struct leaves leaves = {.from = row,
                                          .stride = LEAF_ROWS,
                                          .count = plan->second.radix,
                                          .lanes = plan->lanes + r * plan->second.radix,
                                          .first = r * plan->second.radix * LEAF};
            sink.first = out->first && frame == 0;
            finish_row(plan, row, scratch, &leaves, &sink);
        }
    }
}
