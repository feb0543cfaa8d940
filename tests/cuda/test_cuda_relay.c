/*
 * test_cuda_relay.c - the kernel that relays long frames from columns to rows: when it is planned,
 * and its spectra, compiled for the CPU, beside those of two kernels.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cuda/cuda_form.h"
#include "kernels/cuda/forms.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cuda/batch.h"
#include "tests/support/engine/test_engines.h"

/* Like an RTX A3000: 82 multiprocessors, 99 KiB of shared memory per block, 1536 threads. */
static const struct cuda_facts consumer = {86, 82, 101376, 102400, 1536, 6 << 20};
static const struct cuda_spectrum_memory memory = {
    .samples = 1ULL << 40, .tables = 2ULL << 40, .scratch = 3ULL << 40, .result = 4ULL << 40};

static const unsigned all_detectors =
    FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE;

static struct fft_spectrum_config plan_of(uint32_t n, enum fft_iq_format format, uint32_t frames)
{
    return (struct fft_spectrum_config){.n = n,
                                        .hop = n / 16 + 1, /* bulk copies could not read it */
                                        .max_frames = frames,
                                        .depth = 1,
                                        .format = format,
                                        .detectors = FFT_DETECTOR_MEAN};
}

/* ---- plans ------------------------------------------------------------------------------ */

static const char columns[] = "columns_cs16_256x32";

static const char *kernel_at(uint32_t index, const struct cuda_facts *facts,
                             const struct fft_spectrum_config *plan, uint32_t frames)
{
    struct cuda_spectrum s;
    struct cuda_launch l;
    assert_int_equal(cuda_spectrum_plan(&s, facts, plan), 0);
    assert_true(cuda_spectrum_launch(&s, &memory, frames, index, &l));
    return l.kernel;
}

static const char *first_kernel(const struct cuda_facts *facts,
                                const struct fft_spectrum_config *plan, uint32_t frames)
{
    return kernel_at(0, facts, plan, frames);
}

static void assert_ordered(uint64_t from, uint64_t (*pieces)[2], int count, uint64_t end)
{
    for (int i = 0; i < count; i++) {
        assert_true(pieces[i][0] >= from);
        from = pieces[i][0] + pieces[i][1];
    }
    assert_true(from <= end);
}

/* Tables of its own do not overlap those of two kernels. */
static void assert_tables(const struct cuda_spectrum *s, const struct spectrum_args *a)
{
    struct cuda_launch columns_of, rows_of;
    assert_true(cuda_spectrum_launch(s, &memory, 1, 0, &columns_of));
    assert_true(cuda_spectrum_launch(s, &memory, 1, 1, &rows_of));
    const struct spectrum_args *c = &columns_of.args.spectrum, *r = &rows_of.args.spectrum;
    const bool shared = a->bridge == r->bridge;
    const uint64_t bridge = 8ULL * RELAY_COLUMNS * cuda_form_roots_at(s->relay, 3);
    uint64_t pieces[][2] = {
        {c->twiddles, 8}, {r->bridge, 8}, {a->twiddles, 8ULL * 128}, {a->bridge, bridge}};
    assert_int_equal(shared, a->twiddles == c->twiddles);
    assert_int_equal(shared, strcmp(columns_of.kernel, columns) == 0 && s->rows->radix[0] == 16);
    assert_ordered(memory.tables, pieces, shared ? 2 : 4, memory.tables + s->tables_bytes);
    assert_true(a->bridge + bridge <= memory.tables + s->tables_bytes);
}

/* The ring, partial detectors and counters do not overlap. */
static void assert_scratch(const struct cuda_spectrum *s, const struct spectrum_args *a,
                           const struct clear_args *clear)
{
    const uint64_t row = 4ULL * s->plan.n, detectors[] = {a->sum, a->max, a->min};
    uint64_t pieces[5][2] = {{a->middle, 2 * row * a->entries * a->pipelines}};
    int count = 1;
    for (int i = 0; a->groups > 1 && i < 3 && detectors[i] != 0; i++) {
        pieces[count][0] = detectors[i];
        pieces[count++][1] = row * a->groups;
    }
    pieces[count][0] = a->progress;
    pieces[count++][1] = 4ULL * clear->count;
    assert_int_equal(a->progress, clear->words);
    assert_int_equal(clear->count, 2 * a->entries * a->pipelines);
    assert_true(a->sum && (s->plan.detectors != all_detectors || (a->max && a->min && a->last)));
    assert_ordered(memory.scratch, pieces, count, memory.scratch + s->scratch_bytes);
}

static void many_long_frames_are_relayed_by_blocks_that_run_together(void **state)
{
    static const struct {
        uint32_t n, pipelines;
        const char *kernel;
        unsigned detectors;
    } cases[] = {{131072, 4, "spectrum_relay_mean_cs16_131072", FFT_DETECTOR_MEAN},
                 {262144, 2, "spectrum_relay_mean_cs16_262144", FFT_DETECTOR_MEAN},
                 {524288, 1, "spectrum_relay_mean_cs16_524288", FFT_DETECTOR_MEAN},
                 {131072, 4, "spectrum_relay_cs16_131072", all_detectors},
                 {262144, 2, "spectrum_relay_cs16_262144", all_detectors},
                 {524288, 1, "spectrum_relay_cs16_524288", all_detectors}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t frames = 17 * cases[i].pipelines + 1;
        struct fft_spectrum_config plan = plan_of(cases[i].n, FFT_IQ_CS16, frames);
        struct cuda_launch l, clear;
        struct cuda_spectrum s;
        plan.detectors = cases[i].detectors;
        assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
        assert_true(cuda_spectrum_launch(&s, &memory, frames, 0, &clear));
        assert_string_equal(clear.kernel, "clear");
        assert_true(cuda_spectrum_launch(&s, &memory, frames, 1, &l));
        assert_string_equal(l.kernel, cases[i].kernel);
        assert_true(l.together && !clear.together);
        assert_true(l.shared <= cuda_h200.shared_block);
        assert_int_equal(l.grid[0], 128); /* one on each multiprocessor, of 132 */
        const struct spectrum_args *a = &l.args.spectrum;
        assert_int_equal(a->pipelines, cases[i].pipelines);
        assert_int_equal(a->entries, 6);
        assert_int_equal(a->groups, a->pipelines);
        assert_int_equal(a->frames, frames);
        assert_scratch(&s, a, &clear.args.clear);
        assert_tables(&s, a);
    }
}

static void two_kernels_compute_what_is_not_relayed(void **state)
{
    (void)state;
    for (uint32_t n = 131072; n <= 524288; n *= 2) {
        const uint32_t pipelines = 524288 / n, frames = 17 * pipelines;
        struct fft_spectrum_config plan = plan_of(n, FFT_IQ_CS16, frames);
        struct cuda_facts facts = cuda_h200;
        assert_string_equal(first_kernel(&cuda_h200, &plan, 8 * pipelines - 1), columns);
        assert_string_equal(first_kernel(&cuda_h200, &plan, 8 * pipelines), "clear");
        assert_string_equal(first_kernel(&consumer, &plan, frames), columns);
        facts.l2_bytes =
            8ULL * n * pipelines * 6 - 1; /* less than three entries in half of the cache */
        assert_string_equal(first_kernel(&facts, &plan, frames), columns);
        facts.l2_bytes++;
        assert_string_equal(first_kernel(&facts, &plan, frames), "clear");
        facts.processors = n / 4096 - 1;
        assert_string_equal(first_kernel(&facts, &plan, frames), columns);
        plan.max_frames = 8 * pipelines - 1;
        assert_string_equal(first_kernel(&cuda_h200, &plan, plan.max_frames), columns);
        plan = plan_of(n, FFT_IQ_CS16, frames);
        plan.detectors = all_detectors;
        assert_string_equal(first_kernel(&cuda_h200, &plan, 8 * pipelines), "clear");
        assert_string_equal(first_kernel(&cuda_h200, &plan, 8 * pipelines - 1),
                            n == 262144 ? "columns_cs16_512x16" : columns);
        plan.density = (struct fft_density){100, 100, 0, 1};
        assert_string_equal(kernel_at(1, &cuda_h200, &plan, frames),
                            n == 262144 ? "columns_cs16_512x16" : columns);
    }
}

/* With too little memory for the ring, two kernels take small chunks. */
static void a_relay_ends_where_memory_is_short(void **state)
{
    (void)state;
    const struct fft_spectrum_config plan = plan_of(131072, FFT_IQ_CS16, 64);
    struct cuda_spectrum s;
    struct cuda_launch l;
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
    assert_non_null(s.relay);
    assert_true(cuda_spectrum_shrink(&s));
    assert_true(s.relay && s.chunk_frames >= s.entries * s.pipelines);
    while (s.relay)
        assert_true(cuda_spectrum_shrink(&s));
    assert_true(s.chunk_frames < s.entries * s.pipelines);
    assert_true(cuda_spectrum_launch(&s, &memory, 64, 0, &l));
    assert_string_equal(l.kernel, columns);
}

/* ---- spectra ---------------------------------------------------------------------------- */

/* Fails if a detector differs by more than the rounding of sums and powers. */
static void assert_close(const struct fft_spectrum_config *plan, unsigned detector,
                         const float *got, const float *want)
{
    double power = 0;
    for (uint32_t k = 0; k < plan->n; k++)
        power += (double)want[k] / plan->n;
    for (uint32_t k = 0; k < plan->n; k++)
        if (!(fabs((double)got[k] - (double)want[k]) <= 1e-6 * ((double)want[k] + power)))
            fail_msg("n %u %s detector %u bin %u: %g, not %g", plan->n, fft_iq_name(plan->format),
                     detector, k, (double)got[k], (double)want[k]);
}

/* Runs a batch, which a second run repeats to the bit. Returns all detectors, [4][n]. */
static float *detectors_of(struct cuda_batch *b, uint32_t frames)
{
    const uint32_t n = b->spectrum.plan.n;
    float *all = malloc((size_t)FFT_DETECTORS * n * sizeof *all);
    for (int run = 0; run < 2; run++) {
        cuda_batch_run(b, frames);
        for (unsigned d = 0; d < FFT_DETECTORS; d++) {
            const float *const got = cuda_batch_detector(b, d);
            if (got && run == 0)
                memcpy(all + (size_t)d * n, got, n * sizeof *all);
            else if (got)
                assert_memory_equal(all + (size_t)d * n, got, n * sizeof *all);
        }
    }
    return all;
}

/* Only the order in which frames are added differs; from batch to batch, no bit does. */
static void compare(const struct cuda_facts *facts, struct fft_spectrum_config plan, bool corrected)
{
    const uint32_t n = plan.n, frames = plan.max_frames;
    const uint64_t samples = (uint64_t)(frames - 1) * plan.hop + n;
    const float scale = (float)fft_iq_full_scale(plan.format);
    float *window = test_window(FFT_WINDOW_HANN, n);
    void *raw = test_noise(plan.format, samples, n);
    struct cuda_batch b;

    plan.window = window;
    plan.corrected = corrected;
    cuda_batch_init(&b, facts, &plan, raw, 1);
    if (corrected)
        b.memory.correction =
            (struct sample_correction){0.9F, 0.21F, -1.3F, 0.002F * scale, -0.003F * scale, 1};
    assert_non_null(b.spectrum.relay);
    float *relayed = detectors_of(&b, frames);
    b.spectrum.relay = NULL;
    float *want = detectors_of(&b, frames);
    for (unsigned d = 0; d < FFT_DETECTORS; d++)
        if (plan.detectors & 1U << d)
            assert_close(&plan, d, relayed + (size_t)d * n, want + (size_t)d * n);
    cuda_batch_finish(&b);
    free(raw);
    free(relayed);
    free(want);
    free(window);
}

/*
 * The ring is used several times over; some multiprocessors are left over. The last group is
 * shorter than the others.
 */
static void a_relay_has_the_spectra_of_two_kernels(void **state)
{
    (void)state;
    struct cuda_facts facts = cuda_tiny;
    for (unsigned i = 0; i < 6; i++) {
        const uint32_t n = i < 4 ? 131072 : 262144, pipelines = i == 0 ? 2 : 1;
        struct fft_spectrum_config plan =
            plan_of(n, (enum fft_iq_format)(i % FFT_IQ_FORMATS), pipelines == 2 ? 19 : 11);
        if (i % 2 == 0)
            plan.detectors = all_detectors;
        facts.processors = n / 4096 * pipelines + 3;
        facts.l2_bytes = (uint64_t)n * 8 * pipelines * 3 * 2;
        compare(&facts, plan, i == 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_long_frames_are_relayed_by_blocks_that_run_together),
        cmocka_unit_test(two_kernels_compute_what_is_not_relayed),
        cmocka_unit_test(a_relay_ends_where_memory_is_short),
        cmocka_unit_test(a_relay_has_the_spectra_of_two_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
