/* launch.c - the launches of one batch of fused spectra. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "fft/opencl/plan_parts.h"

enum {
    GROUP = 64,
    MANY_ROWS = 32,
    SHARED_BINS = 16, /* fold.cl's */
    MOST_SHARES = 64,
    ROWS_A_SHARE = 4, /* at least */
};

bool opencl_combines(const struct opencl_spectrum *s, uint32_t groups)
{
    return groups > 1 || s->split > 0;
}

const char *opencl_combine_kernel(const struct opencl_spectrum *s)
{
    return s->groups > MANY_ROWS ? "combine_shared" : "combine";
}

uint32_t opencl_combine_shares(const struct opencl_spectrum *s)
{
    uint32_t shares = 4;
    while (2 * shares <= MOST_SHARES && 2 * shares * SHARED_BINS <= s->profile.max_group &&
           2 * shares * ROWS_A_SHARE <= s->groups)
        shares *= 2;
    return shares;
}

/* ---- one launch -------------------------------------------------------------------------- */

void opencl_begin(struct opencl_launch *l, uint32_t kernel, uint64_t items, uint32_t group)
{
    memset(l, 0, sizeof *l);
    l->kernel = kernel;
    l->dims = 1;
    l->local[0] = group; /* always the same: some compilers specialise kernels for it */
    l->global[0] = (size_t)parts(items, group) * group;
}

static struct opencl_arg *next(struct opencl_launch *l, enum opencl_kind kind)
{
    assert(l->arg_count < OPENCL_ARGS);
    l->args[l->arg_count].kind = kind;
    return &l->args[l->arg_count++];
}

void opencl_buffer(struct opencl_launch *l, enum opencl_role role)
{
    next(l, OPENCL_BUFFER)->u.role = role;
}

void opencl_word(struct opencl_launch *l, uint64_t word)
{
    next(l, OPENCL_WORD)->u.word = (uint32_t)word;
}

void opencl_float(struct opencl_launch *l, double value)
{
    next(l, OPENCL_FLOAT)->u.real = (float)value;
}

/* ---- chunks ------------------------------------------------------------------------------ */

static struct opencl_chunk chunk_of(const struct opencl_spectrum *s, uint32_t samples_at,
                                    uint32_t frames, uint32_t index)
{
    const uint32_t size = s->choice.chunk_frames, first = index * size, left = frames - first;
    const uint32_t front = least(frames, size);
    struct opencl_chunk c = {.samples_at = samples_at + first * s->job.hop, .resume = first > 0};
    c.frames = least(left, size);
    c.last_frame = left <= size ? c.frames - 1 : UINT32_MAX;
    c.group_frames = parts(front, s->groups);
    c.groups = parts(c.frames, c.group_frames);
    c.all_groups = parts(front, c.group_frames);
    return c;
}

static uint64_t in_floats(size_t bytes)
{
    return bytes == OPENCL_ABSENT ? UINT32_MAX : bytes / sizeof(float);
}

/* Where the groups write a trace (0 sum, 1 max, 2 min). */
static uint64_t trace_at(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                         unsigned trace)
{
    const size_t at[] = {s->result.sum, s->result.max, s->result.min};
    if (opencl_combines(s, c->all_groups) && at[trace] != OPENCL_ABSENT)
        return s->partial_at + (size_t)trace * s->groups * s->job.n;
    return in_floats(at[trace]);
}

void opencl_trace_arguments(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                            struct opencl_launch *l)
{
    opencl_buffer(l, opencl_combines(s, c->all_groups) ? OPENCL_SCRATCH : OPENCL_RESULT);
    opencl_buffer(l, OPENCL_RESULT);
    opencl_buffer(l, OPENCL_SCRATCH);
    opencl_word(l, c->frames);
    opencl_word(l, c->group_frames);
    for (unsigned trace = 0; trace < 3; trace++)
        opencl_word(l, trace_at(s, c, trace));
    opencl_word(l, in_floats(s->result.last));
    opencl_word(l, s->powers_at);
    opencl_word(l, c->last_frame);
    opencl_word(l, c->resume);
}

static void density_launch(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                           uint32_t kernel, struct opencl_launch *out)
{
    const struct fft_density *d = &s->job.density;
    opencl_begin(out, kernel, d->columns, GROUP);
    opencl_buffer(out, OPENCL_SCRATCH);
    opencl_buffer(out, OPENCL_RESULT);
    opencl_word(out, s->powers_at);
    opencl_word(out, in_floats(s->result.hits));
    opencl_word(out, c->frames);
    opencl_word(out, d->columns);
    opencl_word(out, d->levels);
    opencl_float(out, (double)d->top_db / d->step_db);
    opencl_float(out, 10 * log10(2.0) / d->step_db);
    opencl_word(out, c->resume);
}

static void combine_launch(const struct opencl_spectrum *s, const struct opencl_chunk *c,
                           uint32_t kernel, struct opencl_launch *out)
{
    const size_t at[] = {s->result.sum, s->result.max, s->result.min};
    const uint64_t traces = s->job.traces & FFT_TRACE_MIN   ? 3
                            : s->job.traces & FFT_TRACE_MAX ? 2
                                                            : 1;
    if (s->groups > MANY_ROWS)
        opencl_begin(out, kernel, traces * s->job.n * opencl_combine_shares(s),
                     SHARED_BINS * opencl_combine_shares(s));
    else
        opencl_begin(out, kernel, traces * s->job.n, GROUP);
    opencl_buffer(out, OPENCL_SCRATCH);
    opencl_buffer(out, OPENCL_RESULT);
    opencl_word(out, s->partial_at);
    opencl_word(out, s->groups);
    opencl_word(out, c->all_groups);
    for (unsigned trace = 0; trace < 3; trace++)
        opencl_word(out, in_floats(at[trace]));
}

bool opencl_spectrum_launch(const struct opencl_spectrum *s, uint32_t samples_at, uint32_t frames,
                            uint32_t index, struct opencl_launch *out)
{
    const struct opencl_way *way = opencl_way_of(s);
    const bool dense = s->job.density.columns > 0;
    const uint32_t steps = way->steps(s), each = steps + dense;
    const uint32_t chunks = parts(frames, s->choice.chunk_frames);
    const struct opencl_chunk front = chunk_of(s, samples_at, frames, 0);

    if (index < each * chunks) {
        const struct opencl_chunk c = chunk_of(s, samples_at, frames, index / each);
        if (index % each < steps)
            way->step(s, &c, index % each, out);
        else
            density_launch(s, &c, steps, out);
        return true;
    }
    if (index == each * chunks && opencl_combines(s, front.all_groups) &&
        s->job.traces & ~(unsigned)FFT_TRACE_SAMPLE) {
        combine_launch(s, &front, s->kernel_count - 1, out);
        return true;
    }
    return false;
}
