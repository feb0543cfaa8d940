/* batch.c - plans and emulates one batch of fused spectra. */
#include "tests/support/cuda/batch.h"

#include <stdlib.h>
#include <string.h>

#include "emulate/cuda/emulate.h"
#include "tests/support/cmocka_all.h"

const struct cuda_facts cuda_t4 = {75, 40, 65536, 65536, 1024, 4 << 20};
const struct cuda_facts cuda_a100 = {80, 108, 166912, 167936, 2048, 40 << 20};
const struct cuda_facts cuda_h200 = {90, 132, 232448, 233472, 2048, 50 << 20};
const struct cuda_facts cuda_tiny = {90, 1, 232448, 233472, 2048, 1 << 20};

static void *poisoned(size_t bytes)
{
    void *memory = aligned_alloc(256, (bytes + 511) / 256 * 256);
    assert_non_null(memory);
    memset(memory, 0xff, bytes);
    return memory;
}

void cuda_batch_init(struct cuda_batch *b, const struct cuda_facts *facts,
                     const struct fft_spectrum_config *plan, const void *raw, uint32_t skew)
{
    struct cuda_spectrum *s = &b->spectrum;
    const size_t skew_bytes = skew * fft_iq_bytes(plan->format);

    assert_int_equal(cuda_spectrum_plan(s, facts, plan), 0);
    b->samples_block = poisoned(s->samples_bytes + skew_bytes);
    memcpy((char *)b->samples_block + skew_bytes, raw, s->samples_bytes);
    b->tables = poisoned(s->tables_bytes);
    b->scratch = poisoned(s->scratch_bytes);
    b->result = poisoned(s->result.bytes);
    cuda_spectrum_tables(s, b->tables);
    b->memory = (struct cuda_spectrum_memory){.samples = (uintptr_t)b->samples_block + skew_bytes,
                                              .tables = (uintptr_t)b->tables,
                                              .scratch = (uintptr_t)b->scratch,
                                              .result = (uintptr_t)b->result,
                                              .done = (uintptr_t)&b->done};
}

/* The launch must be one that cuda_spectrum_kernel announced. */
static void check_announced(const struct cuda_spectrum *s, const struct cuda_launch *launch)
{
    const char *module, *kernel;
    uint32_t shared;
    for (uint32_t i = 0; cuda_spectrum_kernel(s, i, &module, &kernel, &shared); i++)
        if (strcmp(kernel, launch->kernel) == 0) {
            assert_string_equal(module, launch->module);
            assert_true(launch->shared <= shared);
            return;
        }
    fail_msg("%s was not announced", launch->kernel);
}

void cuda_batch_run(struct cuda_batch *b, uint32_t frames)
{
    struct cuda_launch launch;
    memset(b->scratch, 0xff, b->spectrum.scratch_bytes);
    memset(b->result, 0xff, b->spectrum.result.bytes);
    b->done = 0;
    for (uint32_t i = 0; cuda_spectrum_launch(&b->spectrum, &b->memory, frames, i, &launch); i++) {
        check_announced(&b->spectrum, &launch);
        const char *error = emulate_launch(&launch);
        if (error)
            fail_msg("%s, n %u, %u frames: %s", launch.kernel, b->spectrum.plan.n, frames, error);
    }
    assert_int_equal(b->done, cuda_spectrum_signals_done(&b->spectrum, frames));
}

void cuda_batch_finish(struct cuda_batch *b)
{
    free(b->samples_block);
    free(b->tables);
    free(b->scratch);
    free(b->result);
}

const float *cuda_batch_detector(const struct cuda_batch *b, unsigned detector)
{
    const struct cuda_result *r = &b->spectrum.result;
    const size_t at[FFT_DETECTORS] = {r->sum, r->max, r->min, r->last};
    return at[detector] == CUDA_ABSENT ? NULL
                                       : (const float *)((const char *)b->result + at[detector]);
}
