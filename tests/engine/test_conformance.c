/*
 * test_conformance.c - every engine of this build gives the reference's spectra.
 *
 * Tolerances: a bin may be off by TOLERANCE of its own power and of the frame's mean bin power
 * (single-precision rounding is spread over all bins alike).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "reference.h"
#include "subject.h"

static const double tolerance = 4e-6; /* of power: 0.00002 dB */

static const unsigned all_traces = TRACE_MEAN | TRACE_MAX | TRACE_MIN | TRACE_SAMPLE;

static uint64_t span_samples(const struct spectrum_plan *plan, uint32_t frames)
{
    return (uint64_t)(frames - 1) * plan->hop + plan->n;
}

static void check_trace(const struct spectrum_plan *plan, unsigned trace, const float *got,
                        const double *want)
{
    double mean = 0;
    for (uint32_t k = 0; k < plan->n; k++)
        mean += want[k] / plan->n;
    for (uint32_t k = 0; k < plan->n; k++) {
        const double off = fabs((double)got[k] - want[k]);
        if (!(off <= tolerance * (want[k] + mean)))
            fail_msg("n %u hop %u %s trace %u bin %u: %.9g, not %.9g (mean %.3g)", plan->n,
                     plan->hop, iq_name(plan->format), trace, k, (double)got[k], want[k], mean);
    }
}

static void check_traces(const struct spectrum_plan *plan, const struct fold *fold,
                         const struct reference *want)
{
    const double *wanted[TRACES] = {want->mean, want->max, want->min, want->last};
    float *got = malloc(plan->n * sizeof *got);
    for (unsigned trace = 0; trace < TRACES; trace++) {
        if (!(plan->traces & 1U << trace))
            continue;
        for (uint32_t k = 0; k < plan->n; k++)
            got[k] = NAN; /* poison: every bin must be written */
        fold_trace(fold, 1U << trace, got);
        check_trace(plan, trace, got, wanted[trace]);
    }
    free(got);
}

/* Every hit is counted, and in its row unless it lies on an edge. */
static void check_hits(const struct spectrum_plan *plan, const struct fold *fold,
                       const struct reference *want, uint32_t frames)
{
    const uint32_t levels = plan->density.levels;
    for (uint32_t c = 0; c < plan->density.columns; c++) {
        const uint64_t *got = fold_hits(fold) + (size_t)c * levels;
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

/* The plan's window and depth may be left open. */
static void conform(struct fft_engine *e, const struct spectrum_plan *wanted, enum window_kind kind,
                    uint32_t frames)
{
    struct spectrum_plan plan = *wanted;
    if (!subject_must_do(e, &plan))
        return;
    float *window = test_window(kind, plan.n);
    void *raw = test_noise(plan.format, span_samples(&plan, frames), plan.n + plan.hop);
    struct reference want;

    plan.window = window;
    plan.depth = plan.depth ? plan.depth : 2;
    struct fold *got = test_run(e, &plan, raw, frames);
    assert_int_equal(fold_frames(got), frames);
    reference_spectrum(&want, &plan, raw, frames);
    check_traces(&plan, got, &want);
    if (plan.density.columns)
        check_hits(&plan, got, &want, frames);
    reference_finish(&want);
    fold_destroy(got);
    free(raw);
    free(window);
}

static void every_format_trace_and_window_is_the_reference(void **state)
{
    struct fft_engine *e = subject_open(state);
    for (unsigned format = 0; format < IQ_FORMATS; format++)
        for (unsigned kind = 0; kind < WINDOW_KINDS; kind++)
            for (unsigned traces = 1; traces <= all_traces; traces++) {
                const struct spectrum_plan plan = {.n = 256,
                                                   .hop = 128,
                                                   .max_frames = 7,
                                                   .format = (enum iq_format)format,
                                                   .traces = traces};
                conform(e, &plan, (enum window_kind)kind, 16);
            }
    fft_engine_close(e);
}

/* ThreadSanitizer needs minutes for the largest sizes, whose threads do what those of 64K do. */
#ifdef __SANITIZE_THREAD__
static const uint32_t largest = 65536;
#else
static const uint32_t largest = SPECTRUM_MAX_N;
#endif

static void every_size_is_the_reference(void **state)
{
    struct fft_engine *e = subject_open(state);
    for (uint32_t n = SPECTRUM_MIN_N; n <= largest; n *= 2) {
        const uint32_t frames = n <= 4096 ? 9 : n <= 262144 ? 3 : 1;
        const enum iq_format format = n > 262144 ? IQ_CS16 : n > 4096 ? IQ_CF32 : IQ_CU8;
        const struct spectrum_plan plan = {
            .n = n, .hop = n / 2, .max_frames = 4, .format = format, .traces = all_traces};
        conform(e, &plan, WINDOW_BLACKMAN_HARRIS, frames);
    }
    fft_engine_close(e);
}

static void every_size_reads_every_format(void **state)
{
    struct fft_engine *e = subject_open(state);
    for (uint32_t n = SPECTRUM_MIN_N; n <= 65536; n *= 2)
        for (unsigned format = 0; format < IQ_FORMATS; format++) {
            const struct spectrum_plan plan = {.n = n,
                                               .hop = n,
                                               .max_frames = 2,
                                               .format = (enum iq_format)format,
                                               .traces = TRACE_MEAN};
            conform(e, &plan, WINDOW_HANN, 2);
        }
    fft_engine_close(e);
}

static void any_hop_is_the_reference(void **state)
{
    static const uint32_t hops[] = {1, 3, 77, 512, 1023, 1024};
    struct fft_engine *e = subject_open(state);
    for (unsigned format = 0; format < IQ_FORMATS; format++)
        for (size_t i = 0; i < sizeof hops / sizeof hops[0]; i++) {
            const struct spectrum_plan plan = {.n = 1024,
                                               .hop = hops[i],
                                               .max_frames = 5,
                                               .format = (enum iq_format)format,
                                               .traces = all_traces};
            conform(e, &plan, WINDOW_NUTTALL, 12);
        }
    fft_engine_close(e);
}

static void many_frames_keep_the_sum_exact(void **state)
{
    struct fft_engine *e = subject_open(state);
    const struct spectrum_plan plan = {
        .n = 64, .hop = 8, .max_frames = 20000, .format = IQ_CS16, .traces = TRACE_MEAN};
    conform(e, &plan, WINDOW_HANN, 20000);
    fft_engine_close(e);
}

static void density_counts_every_frame_once_a_column(void **state)
{
    static const uint32_t columns[] = {1, 7, 100, 256, 1000, 1024};
    struct fft_engine *e = subject_open(state);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        const struct density density = {columns[i], 61, -20, 0.5F}; /* noise on both end rows */
        const struct spectrum_plan plan = {.n = 1024,
                                           .hop = 512,
                                           .max_frames = 9,
                                           .format = IQ_CS16,
                                           .traces = i % 2 ? TRACE_MAX : 0,
                                           .density = density};
        conform(e, &plan, WINDOW_HANN, 40);
    }
    fft_engine_close(e);
}

/* A sample of 1 at time i is a flat spectrum of window[i]^2. */
static void an_impulse_is_flat(void **state)
{
    struct fft_engine *e = subject_open(state);
    for (uint32_t n = SPECTRUM_MIN_N; n <= 65536; n *= 4) {
        float *window = test_window(WINDOW_HAMMING, n), *got = malloc(n * sizeof *got);
        struct iq *raw = calloc(n, sizeof *raw);
        const struct spectrum_plan plan = {.n = n,
                                           .hop = n,
                                           .max_frames = 1,
                                           .depth = 1,
                                           .format = IQ_CF32,
                                           .window = window,
                                           .traces = TRACE_SAMPLE};
        const uint32_t at = n / 2 + 3;
        raw[at].im = 1;
        struct fold *fold = test_run(e, &plan, raw, 1);
        fold_trace(fold, TRACE_SAMPLE, got);
        const double want = (double)window[at] * (double)window[at];
        for (uint32_t k = 0; k < n; k++)
            assert_true(fabs((double)got[k] - want) < 1e-6 * want);
        fold_destroy(fold);
        free(raw);
        free(got);
        free(window);
    }
    fft_engine_close(e);
}

static int conformance_of(struct subject *state)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(every_format_trace_and_window_is_the_reference, state),
        cmocka_unit_test_prestate(every_size_is_the_reference, state),
        cmocka_unit_test_prestate(every_size_reads_every_format, state),
        cmocka_unit_test_prestate(any_hop_is_the_reference, state),
        cmocka_unit_test_prestate(many_frames_keep_the_sum_exact, state),
        cmocka_unit_test_prestate(density_counts_every_frame_once_a_column, state),
        cmocka_unit_test_prestate(an_impulse_is_flat, state),
    };
    print_message("engine %s %s, %u threads\n", state->engine, state->isa ? state->isa : "",
                  state->threads);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return subject_each(conformance_of);
}
