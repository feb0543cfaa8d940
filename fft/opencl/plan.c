/* plan.c - fused spectra: which way, how frames are shared, where everything lies. */
#include "fft/opencl/plan.h"

#include <errno.h>
#include <string.h>

#include "fft/opencl/plan_parts.h"

enum { ALIGN = 256, DEFAULT_CACHE = 256 << 10, POINTS_A_UNIT = 1 << 19 };

const struct opencl_way *opencl_way_of(const struct opencl_spectrum *s)
{
    static const struct opencl_way *const ways[OPENCL_STRATEGIES] = {
        [OPENCL_PASSES] = &opencl_way_passes,   [OPENCL_DIGITREV] = &opencl_way_digitrev,
        [OPENCL_LOCAL_MEM] = &opencl_way_local, [OPENCL_FOURSTEP] = &opencl_way_fourstep,
        [OPENCL_WHOLE] = &opencl_way_whole,
    };
    return ways[s->choice.strategy];
}

void opencl_add_kernel(struct opencl_spectrum *s, const char *name)
{
    struct opencl_kernel *k = &s->kernels[s->kernel_count++];
    snprintf(k->name, sizeof k->name, "%s", name);
}

/* ---- choosing ---------------------------------------------------------------------------- */

/*
 * Real local memory is worth most, one pass over memory; two passes where a frame does not fit.
 * Where local memory is main memory (Mali, processors), copying there gains nothing: a kernel a
 * pass, and on processors whole frames by one work-item.
 */
static const enum opencl_strategy *order_for(const struct opencl_profile *profile)
{
    static const enum opencl_strategy local[] = {OPENCL_LOCAL_MEM, OPENCL_FOURSTEP, OPENCL_PASSES,
                                                 OPENCL_AUTO};
    static const enum opencl_strategy global[] = {OPENCL_PASSES, OPENCL_DIGITREV, OPENCL_AUTO};
    static const enum opencl_strategy processor[] = {OPENCL_WHOLE, OPENCL_PASSES, OPENCL_AUTO};
    return profile->type == OPENCL_CPU ? processor : profile->local_is_fast ? local : global;
}

void opencl_choose_chunk(struct opencl_spectrum *s, uint64_t bytes_a_frame)
{
    const uint64_t cache = s->profile.cache_bytes ? s->profile.cache_bytes : DEFAULT_CACHE;
    /* Devices with memory of their own have many units, which the beginning and the end of a kernel
     * leave idle: that costs more than a cache gives (measured on an H200). */
    const uint64_t busy =
        s->profile.unified ? 1 : (uint64_t)s->profile.units * POINTS_A_UNIT / s->job.n;
    uint32_t *const chunk = &s->choice.chunk_frames;
    if (*chunk == 0)
        *chunk =
            bytes_a_frame > 0 ? most(most(cache / 2 / bytes_a_frame, busy), 1) : s->job.max_frames;
    *chunk = least(*chunk, s->job.max_frames);
}

/* ---- memory ------------------------------------------------------------------------------ */

static size_t take(size_t *end, size_t count, size_t size)
{
    const size_t at = *end / size;
    *end = (*end + count * size + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

static void lay_out(struct opencl_spectrum *s)
{
    const size_t n = s->job.n;
    size_t end = 0;
    take(&end, s->middle_points, sizeof(struct fft_iq));
    s->partial_at =
        take(&end, opencl_combines(s, s->groups) ? 3 * n * s->groups : 0, sizeof(float));
    s->powers_at =
        take(&end, s->job.density.columns > 0 ? n * s->choice.chunk_frames : 0, sizeof(float));
    s->scratch_bytes = end;
    s->tables_bytes = n * sizeof(float) + s->tables_points * sizeof(struct fft_iq);
    s->samples_bytes =
        ((size_t)(s->job.max_frames - 1) * s->job.hop + n) * fft_iq_bytes(s->job.format);
}

static void lay_out_result(struct opencl_spectrum *s)
{
    size_t *const at[FFT_TRACES] = {&s->result.sum, &s->result.max, &s->result.min,
                                    &s->result.last};
    size_t end = 0;
    for (unsigned i = 0; i < FFT_TRACES; i++)
        *at[i] = s->job.traces & 1U << i ? 4 * take(&end, s->job.n, 4) : OPENCL_ABSENT;
    const struct fft_density *d = &s->job.density;
    s->result.hits = OPENCL_ABSENT;
    if (d->columns > 0)
        s->result.hits = 4 * take(&end, (size_t)d->columns * d->levels, 4);
    s->result.bytes = end;
}

/* Places are words of 32 bits, counted in floats. */
static bool fits(const struct opencl_spectrum *s)
{
    const uint64_t most_bytes = s->profile.alloc_bytes ? s->profile.alloc_bytes : UINT64_MAX;
    return s->scratch_bytes / sizeof(float) <= UINT32_MAX && s->scratch_bytes <= most_bytes &&
           s->result.bytes / sizeof(float) <= UINT32_MAX;
}

static void settle_twiddles(struct opencl_spectrum *s)
{
    enum { LARGEST = 8 }; /* radix, for powers to be exact enough */
    struct opencl_choice *c = &s->choice;
    const bool computes = opencl_way_of(s)->computes_twiddles;
    if (!computes)
        c->native = 0;
    if (!computes || c->native || c->max_radix > LARGEST)
        c->roots = 0;
}

static int plan_by(struct opencl_spectrum *out, const struct opencl_profile *profile,
                   const struct fft_spectrum_plan *job, const struct opencl_choice *choice,
                   enum opencl_strategy strategy)
{
    memset(out, 0, sizeof *out);
    out->profile = *profile;
    out->job = *job;
    out->options = OPENCL_BUILD_OPTIONS;
    if (choice)
        out->choice = *choice;
    out->choice.strategy = strategy;
    if (!opencl_way_of(out))
        return -ENOTSUP;
    const int err = opencl_way_of(out)->plan(out);
    if (err < 0)
        return err;
    settle_twiddles(out);
    if (job->density.columns > 0)
        opencl_add_kernel(out, "density");
    if (opencl_combines(out, out->groups))
        opencl_add_kernel(out, opencl_combine_kernel(out));
    lay_out(out);
    lay_out_result(out);
    return fits(out) ? 0 : -ENOTSUP;
}

int opencl_spectrum_plan(struct opencl_spectrum *out, const struct opencl_profile *profile,
                         const struct fft_spectrum_plan *job, const struct opencl_choice *choice)
{
    const enum opencl_strategy *order = order_for(profile);
    int err = -ENOTSUP;
    if (choice && choice->strategy != OPENCL_AUTO)
        return plan_by(out, profile, job, choice, choice->strategy);
    for (; err < 0 && *order != OPENCL_AUTO; order++)
        err = plan_by(out, profile, job, choice, *order);
    return err;
}

/* Behind a strategy's own choice: what else may be better, the likeliest first. */
static bool other_choice(enum opencl_strategy strategy, uint32_t index, struct opencl_choice *out)
{
    static const struct opencl_choice radices[] = {
        {.max_radix = 0},  {.max_radix = 8}, {.max_radix = 4},
        {.max_radix = 16}, {.columns = 8},   {.group = 256},
    };
    /* How many registers a device has to spare, no query tells. */
    static const struct opencl_choice points[] = {
        {.max_radix = 0},  {.max_radix = 16}, {.max_radix = 32},
        {.max_radix = 64}, {.max_radix = 8},  {.group = 256},
    };
    const bool local = strategy == OPENCL_LOCAL_MEM || strategy == OPENCL_FOURSTEP;
    if (index >= sizeof radices / sizeof radices[0])
        return false;
    *out = local ? points[index] : radices[index];
    out->strategy = strategy;
    return true;
}

bool opencl_spectrum_candidate(const struct opencl_profile *profile,
                               const struct fft_spectrum_plan *job, uint32_t index,
                               struct opencl_choice *out)
{
    for (const enum opencl_strategy *o = order_for(profile); *o != OPENCL_AUTO; o++) {
        struct opencl_choice choice;
        for (uint32_t i = 0; other_choice(*o, i, &choice); i++) {
            struct opencl_spectrum plan;
            if (opencl_spectrum_plan(&plan, profile, job, &choice) == 0 && index-- == 0) {
                *out = choice;
                return true;
            }
        }
    }
    return false;
}

/* ---- program and tables ------------------------------------------------------------------ */

void opencl_define_job(const struct opencl_spectrum *s, struct opencl_text *t)
{
    static const char *const formats[FFT_IQ_FORMATS] = {
        [FFT_IQ_CU8] = "cu8", [FFT_IQ_CS8] = "cs8", [FFT_IQ_CS16] = "cs16", [FFT_IQ_CF32] = "cf32"};
    opencl_text_define(t, "FORMAT", formats[s->job.format]);
    opencl_text_number(t, "POINTS", s->job.n);
    opencl_text_define(t, "ABSENT", "0xffffffffu"); /* a place that is not wanted: UINT32_MAX */
    opencl_text_number(t, "ALL_TRACES", s->job.traces & ~(unsigned)FFT_TRACE_MEAN ? 1 : 0);
    opencl_text_number(t, "POWERS", s->job.density.columns > 0);
}

size_t opencl_spectrum_source(const struct opencl_spectrum *s, char *out, size_t size)
{
    struct opencl_text t = {.out = out, .size = size};
    opencl_define_job(s, &t);
    opencl_way_of(s)->source(s, &t);
    opencl_text_number(&t, "SPLIT", s->split ? s->split : 1);
    opencl_text_number(&t, "SHARES", opencl_combine_shares(s));
    opencl_text_file(&t, "fold");
    return t.length;
}

void opencl_spectrum_tables(const struct opencl_spectrum *s, void *tables)
{
    const struct opencl_way *way = opencl_way_of(s);
    const double full_scale = fft_iq_full_scale(s->job.format);
    float *window = tables;
    for (uint32_t i = 0; i < s->job.n; i++)
        window[way->window_at ? way->window_at(s, i) : i] = (float)(s->job.window[i] / full_scale);
    way->tables(s, (struct fft_iq *)tables + s->job.n / 2);
}
