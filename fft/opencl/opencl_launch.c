/* opencl_launch.c - plans the kernel launches of one batch of fused spectra. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "fft/opencl/opencl_strategy.h"

enum {
    GROUP = 64,
    MANY_ROWS = 32,
    GROUP_BINS = 16, /* as in fold.cl */
    MAX_COMBINE_ITEMS = 64,
    ROWS_PER_ITEM = 4, /* at least */
};

bool opencl_combines(const struct opencl_spectrum *s, uint32_t groups)
{
    return groups > 1 || s->split > 0;
}

const char *opencl_combine_kernel(const struct opencl_spectrum *s)
{
    return s->groups > MANY_ROWS ? "combine_shared" : "combine";
}

uint32_t opencl_combine_items(const struct opencl_spectrum *s)
{
    uint32_t items = 4;
    while (2 * items <= MAX_COMBINE_ITEMS && 2 * items * GROUP_BINS <= s->profile.max_group &&
           2 * items * ROWS_PER_ITEM <= s->groups)
        items *= 2;
    return items;
}

/* ---- one launch -------------------------------------------------------------------------- */

void opencl_init_launch(struct opencl_launch *l, uint32_t kernel, uint64_t items, uint32_t group)
{
    memset(l, 0, sizeof *l);
    l->kernel = kernel;
    l->dims = 1;
    l->local[0] = group; /* always the same size: some compilers specialise kernels for it */
    l->global[0] = (size_t)ceil_div(items, group) * group;
}

static struct opencl_arg *next(struct opencl_launch *l, enum opencl_kind kind)
{
    assert(l->arg_count < OPENCL_ARGS);
    l->args[l->arg_count].kind = kind;
    return &l->args[l->arg_count++];
}

void opencl_add_buffer(struct opencl_launch *l, enum opencl_role role)
{
    next(l, OPENCL_BUFFER)->u.role = role;
}

void opencl_add_word(struct opencl_launch *l, uint64_t word)
{
    next(l, OPENCL_WORD)->u.word = (uint32_t)word;
}

void opencl_add_float(struct opencl_launch *l, double value)
{
    next(l, OPENCL_FLOAT)->u.real = (float)value;
}

void opencl_add_correction(const struct opencl_spectrum *s, struct opencl_launch *l)
{
    for (uint32_t i = 0; s->spec.corrected && i < OPENCL_CORRECTIONS; i++)
        next(l, OPENCL_CORRECTION)->u.word = i;
}

/* ---- chunks ------------------------------------------------------------------------------ */

static struct opencl_chunk chunk_of(const struct opencl_spectrum *s, uint32_t samples_at,
                                    uint32_t frames, uint32_t index)
{
    const uint32_t size = s->choice.chunk_frames, first = index * size, left = frames - first;
    const uint32_t front = min_u32(frames, size);
    struct opencl_chunk c = {.samples_at = samples_at + first * s->spec.hop, .resume = first > 0};
    c.frames = min_u32(left, size);
    c.last_frame = left <= size ? c.frames - 1 : UINT32_MAX;
    c.group_frames = ceil_div(front, s->groups);
    c.groups = ceil_div(c.frames, c.group_frames);
    c.all_groups = ceil_div(front, c.group_frames);
    return c;
}

static uint64_t in_floats(size_t bytes)
{
    return bytes == OPENCL_ABSENT ? UINT32_MAX : bytes / sizeof(float);
}

/* The offset at which the groups write a detector (0 sum, 1 max, 2 min). */
static uint64_t detector_at(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                            unsigned detector)
{
    const size_t at[] = {s->result.sum, s->result.max, s->result.min};
    if (opencl_combines(s, c->all_groups) && at[detector] != OPENCL_ABSENT)
        return s->partial_at + (size_t)detector * s->groups * s->spec.n;
    return in_floats(at[detector]);
}

void opencl_add_detector_arguments(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                                   struct opencl_launch *l)
{
    opencl_add_buffer(l, opencl_combines(s, c->all_groups) ? OPENCL_SCRATCH : OPENCL_RESULT);
    opencl_add_buffer(l, OPENCL_RESULT);
    opencl_add_buffer(l, OPENCL_SCRATCH);
    opencl_add_word(l, c->frames);
    opencl_add_word(l, c->group_frames);
    for (unsigned detector = 0; detector < 3; detector++)
        opencl_add_word(l, detector_at(s, c, detector));
    opencl_add_word(l, in_floats(s->result.last));
    opencl_add_word(l, s->powers_at);
    opencl_add_word(l, c->last_frame);
    opencl_add_word(l, c->resume);
}

static void density_launch(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                           uint32_t kernel, struct opencl_launch *out)
{
    const struct fft_density *d = &s->spec.density;
    opencl_init_launch(out, kernel, d->columns, GROUP);
    out->dims = 2;
    out->local[1] = 1;
    out->global[1] = min_u32(s->density_rows, c->frames);
    opencl_add_buffer(out, OPENCL_SCRATCH);
    opencl_add_buffer(out, OPENCL_RESULT);
    opencl_add_word(out, s->powers_at);
    opencl_add_word(out, in_floats(s->result.hits));
    opencl_add_word(out, c->frames);
    opencl_add_word(out, d->columns);
    opencl_add_word(out, d->levels);
    opencl_add_float(out, (double)d->top_db / d->step_db);
    opencl_add_float(out, 10 * log10(2.0) / d->step_db);
}

static void clear_launch(const struct opencl_spectrum *s, uint32_t kernel,
                         struct opencl_launch *out)
{
    const uint64_t hits = (uint64_t)s->spec.density.columns * s->spec.density.levels;
    opencl_init_launch(out, kernel, hits, GROUP);
    opencl_add_buffer(out, OPENCL_RESULT);
    opencl_add_word(out, in_floats(s->result.hits));
    opencl_add_word(out, hits);
}

static void combine_launch(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                           uint32_t kernel, struct opencl_launch *out)
{
    const size_t at[] = {s->result.sum, s->result.max, s->result.min};
    const uint64_t detectors = s->spec.detectors & FFT_DETECTOR_MIN   ? 3
                               : s->spec.detectors & FFT_DETECTOR_MAX ? 2
                                                                      : 1;
    if (s->groups > MANY_ROWS)
        opencl_init_launch(out, kernel, detectors * s->spec.n * opencl_combine_items(s),
                           GROUP_BINS * opencl_combine_items(s));
    else
        opencl_init_launch(out, kernel, detectors * s->spec.n, GROUP);
    opencl_add_buffer(out, OPENCL_SCRATCH);
    opencl_add_buffer(out, OPENCL_RESULT);
    opencl_add_word(out, s->partial_at);
    opencl_add_word(out, s->groups);
    opencl_add_word(out, c->all_groups);
    for (unsigned detector = 0; detector < 3; detector++)
        opencl_add_word(out, in_floats(at[detector]));
}

bool opencl_spectrum_launch(const struct opencl_spectrum *s, uint32_t samples_at, uint32_t frames,
                            uint32_t index, struct opencl_launch *out)
{
    const struct opencl_strategy_ops *strategy = opencl_strategy_of(s);
    const bool dense = s->spec.density.columns > 0;
    const uint32_t steps = strategy->steps(s), each = steps + dense;
    const uint32_t chunks = ceil_div(frames, s->choice.chunk_frames);
    const struct opencl_chunk front = chunk_of(s, samples_at, frames, 0);

    if (dense && index-- == 0) {
        clear_launch(s, each, out);
        return true;
    }
    if (index < each * chunks) {
        const struct opencl_chunk c = chunk_of(s, samples_at, frames, index / each);
        if (index % each < steps)
            strategy->step(s, &c, index % each, out);
        else
            density_launch(s, &c, steps, out);
        return true;
    }
    if (index == each * chunks && opencl_combines(s, front.all_groups) &&
        s->spec.detectors & ~(unsigned)FFT_DETECTOR_SAMPLE) {
        combine_launch(s, &front, s->kernel_count - 1, out);
        return true;
    }
    return false;
}
