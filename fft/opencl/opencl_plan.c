/* opencl_plan.c - plans fused spectra: the strategy, how many frames a group folds, and the memory
 * layout. */
#include "fft/opencl/opencl_plan.h"

#include <errno.h>
#include <string.h>

#include "fft/opencl/opencl_strategy.h"

enum { ALIGN = 256, DEFAULT_CACHE = 256 << 10, POINTS_PER_UNIT = 1 << 19 };

const struct opencl_strategy_ops *opencl_strategy_of(const struct opencl_spectrum *s)
{
    static const struct opencl_strategy_ops *const table[OPENCL_STRATEGIES] = {
        [OPENCL_PASSES] = &opencl_strategy_passes,
        [OPENCL_DIGITREV] = &opencl_strategy_digitrev,
        [OPENCL_LOCAL_MEM] = &opencl_strategy_local,
        [OPENCL_FOURSTEP] = &opencl_strategy_fourstep,
    };
    return table[s->choice.strategy];
}

void opencl_add_kernel(struct opencl_spectrum *s, const char *name)
{
    struct opencl_kernel *k = &s->kernels[s->kernel_count++];
    snprintf(k->name, sizeof k->name, "%s", name);
}

/* ---- choosing ---------------------------------------------------------------------------- */

/*
 * A device with true local memory does best with one pass over memory, or two where a frame does
 * not fit into it. Where local memory is main memory (Mali, processors), a copy into it gains
 * nothing: there is one kernel for each pass.
 */
static const enum opencl_strategy *strategies_for(const struct opencl_profile *profile)
{
    static const enum opencl_strategy local[] = {OPENCL_LOCAL_MEM, OPENCL_FOURSTEP, OPENCL_PASSES,
                                                 OPENCL_AUTO};
    static const enum opencl_strategy global[] = {OPENCL_PASSES, OPENCL_DIGITREV, OPENCL_AUTO};
    return profile->local_is_fast && profile->type != OPENCL_CPU ? local : global;
}

void opencl_choose_chunk(struct opencl_spectrum *s, uint64_t bytes_per_frame)
{
    const uint64_t cache = s->profile.cache_bytes ? s->profile.cache_bytes : DEFAULT_CACHE;
    /* Devices with memory of their own have many units, which are idle at the beginning and the end
     * of a kernel. That costs more than the cache gains (measured on an H200). */
    const uint64_t busy =
        s->profile.unified ? 1 : (uint64_t)s->profile.units * POINTS_PER_UNIT / s->spec.n;
    uint32_t *const chunk = &s->choice.chunk_frames;
    if (*chunk == 0)
        *chunk = bytes_per_frame > 0 ? max_u32(max_u32(cache / 2 / bytes_per_frame, busy), 1)
                                     : s->spec.max_frames;
    *chunk = min_u32(*chunk, s->spec.max_frames);
}

/* ---- memory ------------------------------------------------------------------------------ */

static size_t reserve(size_t *end, size_t count, size_t size)
{
    const size_t at = *end / size;
    *end = (*end + count * size + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

static void plan_memory(struct opencl_spectrum *s)
{
    const size_t n = s->spec.n;
    size_t end = 0;
    reserve(&end, s->middle_points, opencl_point_bytes(s));
    s->partial_at =
        reserve(&end, opencl_combines(s, s->groups) ? 3 * n * s->groups : 0, sizeof(float));
    s->powers_at =
        reserve(&end, s->spec.density.columns > 0 ? n * s->choice.chunk_frames : 0, sizeof(float));
    s->scratch_bytes = end;
    s->tables_bytes = n * sizeof(float) + s->tables_points * sizeof(struct fft_iq);
    s->samples_bytes =
        ((size_t)(s->spec.max_frames - 1) * s->spec.hop + n) * fft_iq_bytes(s->spec.format);
}

static void plan_result(struct opencl_spectrum *s)
{
    size_t *const at[FFT_DETECTORS] = {&s->result.sum, &s->result.max, &s->result.min,
                                       &s->result.last};
    size_t end = 0;
    for (unsigned i = 0; i < FFT_DETECTORS; i++)
        *at[i] = s->spec.detectors & 1U << i ? 4 * reserve(&end, s->spec.n, 4) : OPENCL_ABSENT;
    const struct fft_density *d = &s->spec.density;
    s->result.hits = OPENCL_ABSENT;
    if (d->columns > 0)
        s->result.hits = 4 * reserve(&end, (size_t)d->columns * d->levels, 4);
    s->result.bytes = end;
}

/* Offsets have 32 bits and count floats. */
static bool fits_device(const struct opencl_spectrum *s)
{
    const uint64_t max_bytes = s->profile.alloc_bytes ? s->profile.alloc_bytes : UINT64_MAX;
    return s->scratch_bytes / sizeof(float) <= UINT32_MAX && s->scratch_bytes <= max_bytes &&
           s->result.bytes / sizeof(float) <= UINT32_MAX;
}

/* The kernels of a density follow those of the spectra. */
static void plan_density(struct opencl_spectrum *s)
{
    enum { ITEMS_PER_UNIT = 2048 }; /* that keep a unit of a GPU busy */
    const uint64_t wanted = (uint64_t)s->profile.units * ITEMS_PER_UNIT;
    const uint32_t columns = s->spec.density.columns;
    s->density_rows = 1;
    if (columns == 0)
        return;
    if (s->profile.type == OPENCL_GPU)
        s->density_rows = max_u32(min_u32(wanted / columns, s->choice.chunk_frames), 1);
    opencl_add_kernel(s, "density");
    opencl_add_kernel(s, "clear_hits");
}

static void choose_roots(struct opencl_spectrum *s)
{
    enum { LARGEST = 8 }; /* radix at which powers are still accurate enough */
    if (!opencl_strategy_of(s)->computes_twiddles || s->choice.max_radix > LARGEST)
        s->choice.roots = 0;
}

static int plan_by(struct opencl_spectrum *out, const struct opencl_profile *profile,
                   const struct fft_spectrum_config *spec, const struct opencl_choice *choice,
                   enum opencl_strategy strategy)
{
    memset(out, 0, sizeof *out);
    out->profile = *profile;
    out->spec = *spec;
    out->options = OPENCL_BUILD_OPTIONS;
    if (choice)
        out->choice = *choice;
    out->choice.strategy = strategy;
    if (!opencl_strategy_of(out) || (out->choice.half && !opencl_strategy_of(out)->stores_half))
        return -ENOTSUP;
    const int err = opencl_strategy_of(out)->plan(out);
    if (err < 0)
        return err;
    choose_roots(out);
    plan_density(out);
    if (opencl_combines(out, out->groups))
        opencl_add_kernel(out, opencl_combine_kernel(out));
    plan_memory(out);
    plan_result(out);
    return fits_device(out) ? 0 : -ENOTSUP;
}

int opencl_spectrum_plan(struct opencl_spectrum *out, const struct opencl_profile *profile,
                         const struct fft_spectrum_config *spec, const struct opencl_choice *choice)
{
    const enum opencl_strategy *order = strategies_for(profile);
    int err = -ENOTSUP;
    if (choice && choice->strategy != OPENCL_AUTO)
        return plan_by(out, profile, spec, choice, choice->strategy);
    for (; err < 0 && *order != OPENCL_AUTO; order++)
        err = plan_by(out, profile, spec, choice, *order);
    return err;
}

/* The radices to measure, or points of a work-item; 0: the strategy's own. No query reports how
 * many registers a device has to spare. */
static const uint32_t radices[OPENCL_STRATEGIES][3] = {
    [OPENCL_PASSES] = {0, 4, 16},
    [OPENCL_DIGITREV] = {0, 4, 16},
    [OPENCL_LOCAL_MEM] = {0, 16, 8},
    [OPENCL_FOURSTEP] = {0, 8, 32},
};

bool opencl_spectrum_candidate(const struct opencl_profile *profile,
                               const struct fft_spectrum_config *spec, uint32_t half,
                               uint32_t index, struct opencl_choice *out)
{
    for (const enum opencl_strategy *o = strategies_for(profile); *o != OPENCL_AUTO; o++) {
        for (uint32_t i = 0; i < sizeof radices[0] / sizeof radices[0][0]; i++) {
            const struct opencl_choice choice = {
                .strategy = *o, .max_radix = radices[*o][i], .half = half};
            struct opencl_spectrum plan;
            if (opencl_spectrum_plan(&plan, profile, spec, &choice) == 0 && index-- == 0) {
                *out = choice;
                return true;
            }
        }
    }
    return false;
}

/* ---- program and tables ------------------------------------------------------------------ */

/* POINTS, FORMAT, the detectors, and other constants that do not depend on a chunk. */
static void define_spectrum(const struct opencl_spectrum *s, struct opencl_text *t)
{
    static const char *const formats[FFT_IQ_FORMATS] = {
        [FFT_IQ_CU8] = "cu8", [FFT_IQ_CS8] = "cs8", [FFT_IQ_CS16] = "cs16", [FFT_IQ_CF32] = "cf32"};
    opencl_text_define(t, "FORMAT", formats[s->spec.format]);
    opencl_text_number(t, "CORRECTED", s->spec.corrected);
    opencl_text_number(t, "POINTS", s->spec.n);
    opencl_text_define(
        t, "ABSENT",
        "0xffffffffu"); /* the offset of a detector that is not requested: UINT32_MAX */
    opencl_text_number(t, "ALL_DETECTORS",
                       s->spec.detectors & ~(unsigned)FFT_DETECTOR_MEAN ? 1 : 0);
    opencl_text_number(t, "POWERS", s->spec.density.columns > 0);
}

size_t opencl_spectrum_source(const struct opencl_spectrum *s, char *out, size_t size)
{
    struct opencl_text t = {.out = out, .size = size};
    define_spectrum(s, &t);
    opencl_strategy_of(s)->source(s, &t);
    opencl_text_number(&t, "SPLIT", s->split ? s->split : 1);
    opencl_text_number(&t, "COMBINE_ITEMS", opencl_combine_items(s));
    opencl_text_file(&t, "fold");
    return t.length;
}

void opencl_spectrum_tables(const struct opencl_spectrum *s, void *tables)
{
    const struct opencl_strategy_ops *strategy = opencl_strategy_of(s);
    const double full_scale = fft_iq_full_scale(s->spec.format), scale = opencl_window_scale(s);
    float *window = tables;
    for (uint32_t i = 0; i < s->spec.n; i++)
        window[strategy->window_at ? strategy->window_at(s, i) : i] =
            (float)(s->spec.window[i] * scale / full_scale);
    strategy->tables(s, (struct fft_iq *)tables + s->spec.n / 2);
}
