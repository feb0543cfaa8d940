/*
 * spectrum_case.c - compares one spectrum with its reference.
 *
 * A bin's error may be `tolerance` times the sum of its own power and the mean power of all bins:
 * single-precision rounding spreads evenly over all bins.
 */
#include "tests/support/cmocka_all.h"

#include "tests/support/engine/spectrum_case.h"

#include <stdlib.h>

#include "reference/reference.h"

static const double tolerance = 4e-6; /* of power: 0.00002 dB */

static uint64_t span_samples(const struct fft_spectrum_config *plan, uint32_t frames)
{
    return (uint64_t)(frames - 1) * plan->hop + plan->n;
}

static void check_detector(const struct fft_spectrum_config *plan, unsigned detector,
                           const float *got, const double *want)
{
    double mean = 0;
    for (uint32_t k = 0; k < plan->n; k++)
        mean += want[k] / plan->n;
    for (uint32_t k = 0; k < plan->n; k++) {
        const double off = fabs((double)got[k] - want[k]);
        if (!(off <= tolerance * (want[k] + mean)))
            fail_msg("n %u hop %u %s detector %u bin %u: %.9g, not %.9g (mean %.3g)", plan->n,
                     plan->hop, fft_iq_name(plan->format), detector, k, (double)got[k], want[k],
                     mean);
    }
}

static void check_detectors(const struct fft_spectrum_config *plan, const struct fft_fold *fold,
                            const struct reference *want)
{
    const double *wanted[FFT_DETECTORS] = {want->mean, want->max, want->min, want->last};
    float *got = malloc(plan->n * sizeof *got);
    for (unsigned detector = 0; detector < FFT_DETECTORS; detector++) {
        if (!(plan->detectors & 1U << detector))
            continue;
        for (uint32_t k = 0; k < plan->n; k++)
            got[k] = NAN; /* poison: every bin must be written */
        fft_fold_detector(fold, 1U << detector, got);
        check_detector(plan, detector, got, wanted[detector]);
    }
    free(got);
}

/* Every hit is counted, in its own row unless its level is on the edge of two. */
static void check_hits(const struct fft_spectrum_config *plan, const struct fft_fold *fold,
                       const struct reference *want, uint32_t frames)
{
    const uint32_t levels = plan->density.levels;
    for (uint32_t c = 0; c < plan->density.columns; c++) {
        const uint64_t *got = fft_fold_hits(fold) + (size_t)c * levels;
        const uint64_t *wanted = want->hits + (size_t)c * levels;
        const uint64_t *doubtful = want->doubtful + (size_t)c * levels;
        uint64_t sum = 0, doubt = 0;
        for (uint32_t r = 0; r < levels; r++) {
            sum += got[r];
            doubt += doubtful[r];
        }
        assert_int_equal(sum, frames);
        for (uint32_t r = 0; r < levels; r++) {
            const uint64_t off = got[r] > wanted[r] ? got[r] - wanted[r] : wanted[r] - got[r];
            if (off > doubt)
                fail_msg("n %u, %u columns: column %u row %u has %u hits, not %u", plan->n,
                         plan->density.columns, c, r, (unsigned)got[r], (unsigned)wanted[r]);
        }
    }
}

/* ---- cached references ------------------------------------------------------------------ */

/* References are slow and the same for every engine. The largest take too much memory to cache. */
enum { CACHED_MAX_N = 1 << 20 };

struct cached {
    struct cached *next;
    struct fft_spectrum_config plan;
    enum fft_window_kind kind;
    uint32_t frames;
    struct reference reference;
};

static struct cached *cache;

/* A reference has all detectors, so the plan's choice of detectors does not matter. */
static bool is_same(const struct cached *k, const struct fft_spectrum_config *p,
                    enum fft_window_kind kind, uint32_t frames)
{
    const struct fft_density *a = &k->plan.density, *b = &p->density;
    return k->plan.n == p->n && k->plan.hop == p->hop && k->plan.format == p->format &&
           k->kind == kind && k->frames == frames && a->columns == b->columns &&
           a->levels == b->levels && a->top_db == b->top_db && a->step_db == b->step_db;
}

static void free_reference(struct cached *k)
{
    reference_finish(&k->reference);
    free(k);
}

static struct cached *find_reference(const struct fft_spectrum_config *plan,
                                     enum fft_window_kind kind, const void *raw, uint32_t frames)
{
    for (struct cached *k = cache; k; k = k->next)
        if (is_same(k, plan, kind, frames))
            return k;
    struct cached *k = calloc(1, sizeof *k);
    *k = (struct cached){.plan = *plan, .kind = kind, .frames = frames};
    reference_spectrum(&k->reference, plan, raw, frames);
    if (plan->n <= CACHED_MAX_N) {
        k->next = cache;
        cache = k;
    }
    return k;
}

void spectrum_case_finish(void)
{
    while (cache) {
        struct cached *next = cache->next;
        free_reference(cache);
        cache = next;
    }
}

void spectrum_conforms(struct fft_engine *e, const struct fft_spectrum_config *wanted,
                       enum fft_window_kind kind, uint32_t frames)
{
    struct fft_spectrum_config plan = *wanted;
    float *window = test_window(kind, plan.n);

    plan.window = window;
    plan.depth = plan.depth ? plan.depth : 2;
    if (test_engine_does(e, &plan)) {
        void *raw = test_noise(plan.format, span_samples(&plan, frames), plan.n + plan.hop);
        struct fft_fold *got = test_run(e, &plan, raw, frames);
        struct cached *want = find_reference(&plan, kind, raw, frames);
        assert_int_equal(fft_fold_frames(got), frames);
        check_detectors(&plan, got, &want->reference);
        if (plan.density.columns)
            check_hits(&plan, got, &want->reference, frames);
        if (plan.n > CACHED_MAX_N)
            free_reference(want);
        fft_fold_destroy(got);
        free(raw);
    }
    free(window);
}
