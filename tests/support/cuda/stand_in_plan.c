/*
 * stand_in_plan.c - replaces fft/cuda/cuda_plan.c in tests of the host side. It plans two kernels
 * of the mock driver (mock_kernel.c): the first copies the raw samples to scratch, the second
 * computes their spectra. Batches of a single frame use only the second, which reads the samples
 * directly. Scratch, samples or tables that are overwritten too early give wrong spectra.
 */
#include <errno.h>
#include <string.h>

#include "fft/cuda/cuda_plan.h"

static const char *const names[] = {"stand_in_load", "stand_in_spectra"};

static size_t take(size_t *at, bool wanted, size_t bytes)
{
    const size_t here = *at;
    if (!wanted)
        return CUDA_ABSENT;
    *at += bytes;
    return here;
}

int cuda_spectrum_plan(struct cuda_spectrum *out, const struct cuda_facts *facts,
                       const struct fft_spectrum_config *plan)
{
    const size_t bytes = plan->n * sizeof(float);
    size_t at = 0;
    if (plan->n > 65536)
        return -ENOTSUP;
    *out = (struct cuda_spectrum){.facts = *facts, .plan = *plan};
    out->samples_bytes =
        ((uint64_t)(plan->max_frames - 1) * plan->hop + plan->n) * fft_iq_bytes(plan->format);
    out->tables_bytes = bytes;
    out->scratch_bytes = out->samples_bytes;
    out->result.sum = take(&at, plan->detectors & FFT_DETECTOR_MEAN, bytes);
    out->result.max = take(&at, plan->detectors & FFT_DETECTOR_MAX, bytes);
    out->result.min = take(&at, plan->detectors & FFT_DETECTOR_MIN, bytes);
    out->result.last = take(&at, plan->detectors & FFT_DETECTOR_SAMPLE, bytes);
    out->result.hits = CUDA_ABSENT;
    out->result.bytes = at;
    out->result.write_once = true;
    return 0;
}

bool cuda_spectrum_shrink(struct cuda_spectrum *s)
{
    (void)s;
    return false;
}

void cuda_spectrum_tables(const struct cuda_spectrum *s, void *tables)
{
    memcpy(tables, s->plan.window, s->plan.n * sizeof(float));
}

static uint64_t place(uint64_t base, size_t at)
{
    return at == CUDA_ABSENT ? 0 : base + at;
}

bool cuda_spectrum_signals_done(const struct cuda_spectrum *s, uint32_t frames)
{
    (void)s;
    return frames == 1;
}

bool cuda_spectrum_launch(const struct cuda_spectrum *s, const struct cuda_spectrum_memory *memory,
                          uint32_t frames, uint32_t index, struct cuda_launch *out)
{
    const bool alone = s->plan.max_frames == 1;
    const uint32_t kernel = alone ? index + 1 : index;
    if (kernel > 1)
        return false;
    *out = (struct cuda_launch){.kernel = names[kernel],
                                .grid = {2, 1, 1},
                                .block = 256,
                                .cluster = kernel ? 2 : 1,
                                .shared = kernel ? 100 << 10 : 0};
    out->args.spectrum = (struct spectrum_args){
        .samples = memory->samples,
        .window = memory->tables,
        .bridge = (uint64_t)(uintptr_t)&s->plan, /* the mock reads the plan */
        .middle = alone ? memory->samples : memory->scratch,
        .sum = place(memory->result, s->result.sum),
        .max = place(memory->result, s->result.max),
        .min = place(memory->result, s->result.min),
        .last = place(memory->result, s->result.last),
        .done = kernel == 1 && cuda_spectrum_signals_done(s, frames) ? memory->done : 0,
        .hop = s->plan.hop,
        .frames = frames,
    };
    return true;
}

bool cuda_spectrum_cluster(const struct cuda_spectrum *s, struct cuda_launch *out)
{
    const struct cuda_spectrum_memory nowhere = {0};
    return s->plan.max_frames > 1 && cuda_spectrum_launch(s, &nowhere, 1, 1, out);
}

void cuda_spectrum_limit_clusters(struct cuda_spectrum *s, uint32_t most)
{
    (void)s;
    (void)most;
}

bool cuda_spectrum_kernel(const struct cuda_spectrum *s, uint32_t index, const char **module,
                          const char **name, uint32_t *shared)
{
    (void)s;
    if (index > 1)
        return false;
    *module = "stand_in";
    *name = names[index];
    *shared = index ? 100 << 10 : 0;
    return true;
}
