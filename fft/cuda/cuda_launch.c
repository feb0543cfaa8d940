/* cuda_launch.c - plans the kernel launches of one batch of fused spectra. */
#include <math.h>

#include "fft/cuda/cuda_form.h"
#include "fft/cuda/cuda_frame_groups.h"

enum {
    BULK_ALIGNMENT = 16,
    /* Many groups: whole sectors of memory, and many threads for each bin. */
    MANY_GROUPS = 64,
    MANY_BINS = 8,
    MANY_THREADS = 1024,
    FEW_BINS = 32,
    FEW_THREADS = 256,
    DENSITY_THREADS = 256,
    CLEAR_THREADS = 256,
};

/* One chunk of a batch. */
struct chunk {
    const struct cuda_spectrum *s;
    const struct cuda_spectrum_memory *memory;
    uint32_t first, frames;        /* first frame in the batch; number of frames */
    uint32_t group_frames, groups; /* frames per group; groups of this chunk */
    uint32_t all_groups;           /* groups of the whole batch: those of its first chunk */
    bool is_last, bulk, relay;
};

/*
 * A bulk copy needs every frame at a multiple of 16 bytes. It pays only if a multiprocessor has
 * more than one frame to compute: the plain form has more threads and finishes a single frame
 * sooner. So do two kernels if there are fewer frames than clusters.
 */
static bool is_bulk(const struct cuda_spectrum *s, const struct cuda_spectrum_memory *memory,
                    uint32_t frames)
{
    const uint64_t hop_bytes = (uint64_t)s->plan.hop * fft_iq_bytes(s->plan.format);
    return s->bulk && cuda_fills_device(&s->facts, s->bulk, frames) &&
           hop_bytes % BULK_ALIGNMENT == 0 && memory->samples % BULK_ALIGNMENT == 0;
}

static bool is_relay(const struct cuda_spectrum *s, uint32_t frames)
{
    return s->relay && cuda_relays(s->pipelines, frames);
}

static struct chunk chunk_of(const struct cuda_spectrum *s,
                             const struct cuda_spectrum_memory *memory, uint32_t frames,
                             uint32_t index)
{
    struct chunk c = {
        .s = s, .memory = memory, .bulk = is_bulk(s, memory, frames), .relay = is_relay(s, frames)};
    const uint32_t each = c.bulk || c.relay ? frames : s->chunk_frames;
    const uint32_t front = frames < each ? frames : each, left = frames - index * each;
    c.first = index * each;
    c.is_last = left <= each;
    c.frames = c.is_last ? left : each;
    c.group_frames = count_parts(front, c.relay ? s->pipelines : cuda_max_groups(s, c.bulk));
    c.groups = count_parts(c.frames, c.group_frames);
    c.all_groups = count_parts(front, c.group_frames);
    return c;
}

/*
 * Address to which the groups write a detector (0 sum, 1 max, 2 min): the result itself if there is
 * one group.
 */
static uint64_t detector_address(const struct chunk *c, unsigned detector)
{
    const struct cuda_spectrum *s = c->s;
    const size_t at[] = {s->result.sum, s->result.max, s->result.min};
    if (at[detector] == CUDA_ABSENT)
        return 0;
    if (c->all_groups == 1)
        return c->memory->result + at[detector];
    return c->memory->scratch + s->partial_at +
           (uint64_t)detector * s->groups * s->plan.n * sizeof(float);
}

static struct density_scale density_scale(const struct chunk *c)
{
    const struct cuda_spectrum *s = c->s;
    const struct fft_density *d = &s->plan.density;
    if (d->columns == 0)
        return (struct density_scale){0};
    return (struct density_scale){
        .first = c->memory->tables + s->first_bins_at,
        .hits = c->memory->result + s->result.hits,
        .columns = d->columns,
        .levels = d->levels,
        .bins = count_parts(s->plan.n, d->columns),
        .offset = d->top_db / d->step_db,
        .slope = (float)(10 * log10(2.0) / (double)d->step_db),
    };
}

static struct spectrum_args spectrum_args(const struct chunk *c)
{
    const struct cuda_spectrum *s = c->s;
    const struct cuda_spectrum_memory *p = c->memory;
    const uint64_t skipped = (uint64_t)c->first * s->plan.hop * fft_iq_bytes(s->plan.format);
    const unsigned own = c->relay ? 2 : c->bulk ? 1 : 0; /* tables */
    return (struct spectrum_args){
        .samples = p->samples + skipped,
        .window = p->tables,
        .twiddles = p->tables + s->twiddles_at[own],
        .bridge = p->tables + s->bridge_at[own],
        .middle = p->scratch,
        .progress = c->relay ? p->scratch + s->progress_at : 0,
        .sum = detector_address(c, 0),
        .max = detector_address(c, 1),
        .min = detector_address(c, 2),
        .last = c->is_last && s->result.last != CUDA_ABSENT ? p->result + s->result.last : 0,
        .powers = cuda_leaves_powers(s) ? p->scratch + s->powers_at : 0,
        .kept = p->scratch + s->kept_at,
        .done = cuda_spectrum_signals_done(s, c->frames) ? p->done : 0,
        .n = s->plan.n,
        .format = s->plan.format,
        .hop = s->plan.hop,
        .frames = c->frames,
        .group_frames = c->group_frames,
        .groups = c->groups,
        .pipelines = s->pipelines,
        .entries = s->entries,
        .resume = c->first > 0,
        .keep = s->rows && !c->is_last,
        .density = s->plain ? density_scale(c) : (struct density_scale){0},
        .correction = p->correction,
    };
}

static struct cuda_launch launch_of(const struct cuda_form *form, const char *module,
                                    const char *kernel, uint32_t shared)
{
    return (struct cuda_launch){.module = module,
                                .kernel = kernel,
                                .grid = {1, 1, 1},
                                .block = form ? cuda_form_threads(form) : 0,
                                .cluster = 1,
                                .shared = shared};
}

static const char *spectrum_module(enum fft_iq_format format)
{
    static const char *const modules[FFT_IQ_FORMATS] = {[FFT_IQ_CU8] = "spectrum_cu8",
                                                        [FFT_IQ_CS8] = "spectrum_cs8",
                                                        [FFT_IQ_CS16] = "spectrum_cs16",
                                                        [FFT_IQ_CF32] = "spectrum_cf32"};
    return modules[format];
}

static struct cuda_launch bulk_launch(const struct cuda_spectrum *s)
{
    struct cuda_launch l =
        launch_of(s->bulk, spectrum_module(s->plan.format), s->bulk->names[s->plan.format],
                  cuda_form_shared_bulk(s->bulk, s->plan.format));
    l.cluster = s->clusters > 0 ? s->bulk->sharing : 1;
    return l;
}

static struct cuda_launch plain_launch(const struct cuda_spectrum *s)
{
    return launch_of(s->plain, spectrum_module(s->plan.format), s->plain->names[s->plan.format],
                     cuda_form_shared_plain(s->plain));
}

static struct cuda_launch single_launch(const struct cuda_spectrum *s)
{
    return launch_of(s->single, spectrum_module(s->plan.format), s->single->names[s->plan.format],
                     cuda_form_shared_single(s->single));
}

static struct cuda_launch columns_launch(const struct cuda_spectrum *s)
{
    return launch_of(s->columns, spectrum_module(s->plan.format), s->columns->names[s->plan.format],
                     cuda_form_shared_columns(s->columns));
}

static struct cuda_launch rows_launch(const struct cuda_spectrum *s)
{
    return launch_of(s->rows, "spectrum_rows", s->rows->names[0],
                     cuda_form_shared_rows(s->rows, cuda_copies_in_bulk(&s->facts)));
}

static struct cuda_launch relay_launch(const struct cuda_spectrum *s)
{
    struct cuda_launch l =
        launch_of(NULL, spectrum_module(s->plan.format), s->relay->names[s->plan.format],
                  cuda_form_shared_relay(s->relay, cuda_is_mean_alone(&s->plan)));
    l.block = cuda_relay_threads();
    l.together = true;
    return l;
}

static struct cuda_launch density_launch(const struct cuda_spectrum *s)
{
    struct cuda_launch l =
        launch_of(NULL, "fold", "density_count",
                  s->density_tile * s->plan.density.levels * (uint32_t)sizeof(uint32_t));
    l.block = DENSITY_THREADS;
    return l;
}

static struct cuda_launch combine_launch(void)
{
    return launch_of(NULL, "fold", "combine", MANY_THREADS * sizeof(float));
}

static struct cuda_launch clear_launch(void)
{
    struct cuda_launch l = launch_of(NULL, "fold", "clear", 0);
    l.block = CLEAR_THREADS;
    return l;
}

static void make_single(const struct chunk *c, struct cuda_launch *out)
{
    *out = single_launch(c->s);
    out->args.spectrum = spectrum_args(c);
}

static void make_block(const struct chunk *c, struct cuda_launch *out)
{
    const struct cuda_spectrum *s = c->s;
    const struct cuda_form *form = c->bulk ? s->bulk : s->plain;
    *out = c->bulk ? bulk_launch(s) : plain_launch(s);
    const uint32_t resident =
        s->facts.processors * resident_blocks(&s->facts, form->blocks, out->shared);
    const uint32_t wanted = count_parts(c->groups, form->rows);
    const uint32_t most = out->cluster > 1 ? s->clusters : resident;
    out->grid[0] = (wanted < most ? wanted : most) * out->cluster;
    out->args.spectrum = spectrum_args(c);
}

static void make_columns(const struct chunk *c, struct cuda_launch *out)
{
    const struct cuda_spectrum *s = c->s;
    *out = columns_launch(s);
    out->grid[0] = s->rows->n / s->columns->rows;
    const uint32_t sharing =
        at_least_one(2ULL * s->facts.processors * s->columns->blocks / out->grid[0]);
    out->grid[1] = sharing < c->frames ? sharing : c->frames;
    out->args.spectrum = spectrum_args(c);
}

static void make_rows(const struct chunk *c, struct cuda_launch *out)
{
    *out = rows_launch(c->s);
    out->grid[0] = c->s->columns->n / c->s->rows->rows;
    /* The last chunk writes the detectors of all groups, whether it has frames of them or not. */
    out->grid[1] = c->is_last ? c->all_groups : c->groups;
    out->args.spectrum = spectrum_args(c);
}

static void make_relay(const struct chunk *c, struct cuda_launch *out)
{
    *out = relay_launch(c->s);
    out->grid[0] = c->s->pipelines * (c->s->plan.n / (RELAY_COLUMNS * RELAY_WIDTH));
    out->args.spectrum = spectrum_args(c);
}

static void make_density(const struct chunk *c, struct cuda_launch *out)
{
    const struct cuda_spectrum *s = c->s;
    const struct fft_density *d = &s->plan.density;
    *out = density_launch(s);
    out->grid[0] = count_parts(d->columns, s->density_tile);
    const uint32_t sharing = at_least_one(4ULL * s->facts.processors / out->grid[0]);
    const uint32_t each = count_parts(c->frames, sharing);
    out->grid[1] = count_parts(c->frames, each);
    out->args.density = (struct density_args){
        .powers = c->memory->scratch + s->powers_at,
        .density = density_scale(c),
        .n = s->plan.n,
        .frames = c->frames,
        .frames_each = each,
        .tile = s->density_tile,
    };
}

static void make_combine(const struct chunk *c, struct cuda_launch *out)
{
    const struct cuda_spectrum *s = c->s;
    const size_t at[] = {s->result.sum, s->result.max, s->result.min};
    const bool many = c->all_groups > MANY_GROUPS;
    const uint32_t bins = many ? MANY_BINS : FEW_BINS;
    *out = combine_launch();
    out->block = many ? MANY_THREADS : FEW_THREADS;
    out->grid[0] = s->plan.n / bins;
    out->grid[1] = 3;
    out->args.combine =
        (struct combine_args){.n = s->plan.n, .groups = c->all_groups, .bins = bins};
    for (unsigned i = 0; i < 3; i++) {
        out->args.combine.from[i] = detector_address(c, i);
        out->args.combine.to[i] = at[i] == CUDA_ABSENT ? 0 : c->memory->result + at[i];
    }
}

/* The hits, or the counters of a relay. */
static void make_clear(const struct chunk *c, struct cuda_launch *out)
{
    const struct fft_density *d = &c->s->plan.density;
    const uint64_t at =
        c->relay ? c->memory->scratch + c->s->progress_at : c->memory->result + c->s->result.hits;
    const uint32_t words = c->relay ? cuda_relay_counters(c->s) : d->columns * d->levels;
    *out = clear_launch();
    out->grid[0] = count_parts(words, CLEAR_THREADS);
    out->args.clear = (struct clear_args){at, words};
}

/* Makes one launch of a chunk; a chunk has at most three. */
typedef void make_launch(const struct chunk *c, struct cuda_launch *out);

static uint32_t steps_of(const struct chunk *c, uint32_t frames, make_launch *steps[3])
{
    const struct cuda_spectrum *s = c->s;
    uint32_t count = 0;
    if (s->single && frames == 1) {
        steps[count++] = make_single;
    } else if (s->plain || c->bulk) {
        steps[count++] = make_block;
    } else if (c->relay) {
        steps[count++] = make_clear;
        steps[count++] = make_relay;
    } else {
        steps[count++] = make_columns;
        steps[count++] = make_rows;
    }
    if (cuda_leaves_powers(s))
        steps[count++] = make_density;
    return count;
}

bool cuda_spectrum_signals_done(const struct cuda_spectrum *s, uint32_t frames)
{
    return s->plain && s->result.write_once && frames == 1; /* one launch of one block */
}

bool cuda_spectrum_launch(const struct cuda_spectrum *s, const struct cuda_spectrum_memory *memory,
                          uint32_t frames, uint32_t index, struct cuda_launch *out)
{
    make_launch *steps[3];
    struct chunk c = chunk_of(s, memory, frames, 0);
    const uint32_t count = steps_of(&c, frames, steps), chunks = count_parts(frames, c.frames);

    if (s->plan.density.columns > 0 && index-- == 0) {
        make_clear(&c, out);
        return true;
    }
    if (index < count * chunks) {
        c = chunk_of(s, memory, frames, index / count);
        steps[index % count](&c, out);
        return true;
    }
    if (index == count * chunks && c.all_groups > 1) {
        make_combine(&c, out);
        return true;
    }
    return false;
}

bool cuda_spectrum_cluster(const struct cuda_spectrum *s, struct cuda_launch *out)
{
    if (s->clusters == 0)
        return false;
    *out = bulk_launch(s);
    out->grid[0] = out->cluster;
    return true;
}

bool cuda_spectrum_kernel(const struct cuda_spectrum *s, uint32_t index, const char **module,
                          const char **kernel, uint32_t *shared)
{
    struct cuda_launch all[7];
    uint32_t count = 0;
    all[count++] = combine_launch();
    if (s->plain)
        all[count++] = plain_launch(s);
    if (s->single)
        all[count++] = single_launch(s);
    if (s->bulk)
        all[count++] = bulk_launch(s);
    if (s->rows) {
        all[count++] = columns_launch(s);
        all[count++] = rows_launch(s);
    }
    if (s->relay)
        all[count++] = relay_launch(s);
    if (cuda_leaves_powers(s))
        all[count++] = density_launch(s);
    if (s->plan.density.columns > 0 || s->relay)
        all[count++] = clear_launch();
    if (index >= count)
        return false;
    *module = all[index].module;
    *kernel = all[index].kernel;
    *shared = all[index].shared;
    return true;
}
