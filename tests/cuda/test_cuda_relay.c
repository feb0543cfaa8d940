/*
 * test_cuda_relay.c - the kernel that relays long frames from columns to rows: when it is planned,
 * and its spectra, compiled for the CPU, beside those of two kernels.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cuda/form.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cuda/batch.h"
#include "tests/support/engine/test_engines.h"

/* Like an RTX A3000: 82 multiprocessors, 99 KiB of shared memory per block, 1536 threads. */
static const struct cuda_facts consumer = {86, 82, 101376, 102400, 1536, 6 << 20};
static const struct cuda_spectrum_memory memory = {
    .samples = 1ULL << 40, .tables = 2ULL << 40, .scratch = 3ULL << 40, .result = 4ULL << 40};

static struct fft_spectrum_plan plan_of(uint32_t n, enum fft_iq_format format, uint32_t frames)
{
    return (struct fft_spectrum_plan){.n = n,
                                      .hop = n / 16 + 1, /* bulk copies could not read it */
                                      .max_frames = frames,
                                      .depth = 1,
                                      .format = format,
                                      .detectors = FFT_DETECTOR_MEAN};
}

/* ---- plans ------------------------------------------------------------------------------ */

static const char columns[] = "columns_cs16_256x32";

static const char *first_kernel(const struct cuda_facts *facts,
                                const struct fft_spectrum_plan *plan, uint32_t frames)
{
    struct cuda_spectrum s;
    struct cuda_launch l;
    assert_int_equal(cuda_spectrum_plan(&s, facts, plan), 0);
    assert_true(cuda_spectrum_launch(&s, &memory, frames, 0, &l));
    return l.kernel;
}

static void assert_ordered(uint64_t from, const uint64_t (*pieces)[2], int count, uint64_t end)
{
    for (int i = 0; i < count; i++) {
        assert_true(pieces[i][0] >= from);
        from = pieces[i][0] + pieces[i][1];
    }
    assert_true(from <= end);
}

static void many_long_frames_are_relayed_by_blocks_that_run_together(void **state)
{
    static const struct {
        uint32_t n, lanes;
        const char *kernel;
    } cases[] = {{131072, 4, "spectrum_relay_mean_cs16_131072"},
                 {262144, 2, "spectrum_relay_mean_cs16_262144"},
                 {524288, 1, "spectrum_relay_mean_cs16_524288"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t frames = 17 * cases[i].lanes + 1;
        const struct fft_spectrum_plan plan = plan_of(cases[i].n, FFT_IQ_CS16, frames);
        const uint64_t row = 4ULL * plan.n;
        struct cuda_launch l, clear;
        struct cuda_spectrum s;
        assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
        assert_true(cuda_spectrum_launch(&s, &memory, frames, 0, &clear));
        assert_string_equal(clear.kernel, "clear");
        assert_true(cuda_spectrum_launch(&s, &memory, frames, 1, &l));
        assert_string_equal(l.kernel, cases[i].kernel);
        assert_true(l.together && !clear.together);
        assert_int_equal(l.grid[0], 128); /* one on each multiprocessor, of 132 */
        const struct spectrum_args *a = &l.args.spectrum;
        assert_int_equal(a->lanes, cases[i].lanes);
        assert_int_equal(a->slots, 6);
        assert_int_equal(a->groups, a->lanes);
        assert_int_equal(a->frames, frames);
        assert_int_equal(a->progress, clear.args.clear.words);
        assert_int_equal(clear.args.clear.count, 2 * a->slots * a->lanes);
        const uint64_t sum = a->groups > 1 ? a->sum : a->progress;
        const uint64_t pieces[][2] = {{a->middle, 2 * row * a->slots * a->lanes},
                                      {sum, a->groups > 1 ? row * a->groups : 0},
                                      {a->progress, 4ULL * clear.args.clear.count}};
        assert_ordered(memory.scratch, pieces, 3, memory.scratch + s.scratch_bytes);
    }
}

static void two_kernels_compute_what_is_not_relayed(void **state)
{
    (void)state;
    for (uint32_t n = 131072; n <= 524288; n *= 2) {
        const uint32_t lanes = 524288 / n, frames = 17 * lanes;
        struct fft_spectrum_plan plan = plan_of(n, FFT_IQ_CS16, frames);
        struct cuda_facts facts = cuda_h200;
        assert_string_equal(first_kernel(&cuda_h200, &plan, 8 * lanes - 1), columns);
        assert_string_equal(first_kernel(&cuda_h200, &plan, 8 * lanes), "clear");
        assert_string_equal(first_kernel(&consumer, &plan, frames), columns);
        facts.l2_bytes = 8ULL * n * lanes * 6 - 1; /* less than three slots in half of the cache */
        assert_string_equal(first_kernel(&facts, &plan, frames), columns);
        facts.l2_bytes++;
        assert_string_equal(first_kernel(&facts, &plan, frames), "clear");
        facts.processors = n / 4096 - 1;
        assert_string_equal(first_kernel(&facts, &plan, frames), columns);
        plan.max_frames = 8 * lanes - 1;
        assert_string_equal(first_kernel(&cuda_h200, &plan, plan.max_frames), columns);
        plan = plan_of(n, FFT_IQ_CS16, frames);
        plan.detectors |= FFT_DETECTOR_MAX;
        assert_string_equal(first_kernel(&cuda_h200, &plan, frames),
                            n == 262144 ? "columns_cs16_512x16" : columns);
    }
}

/* With too little memory for the ring, two kernels take small chunks. */
static void a_relay_ends_where_memory_is_short(void **state)
{
    (void)state;
    const struct fft_spectrum_plan plan = plan_of(131072, FFT_IQ_CS16, 64);
    struct cuda_spectrum s;
    struct cuda_launch l;
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
    assert_non_null(s.relay);
    assert_true(cuda_spectrum_shrink(&s));
    assert_true(s.relay && s.chunk_frames >= s.slots * s.lanes);
    while (s.relay)
        assert_true(cuda_spectrum_shrink(&s));
    assert_true(s.chunk_frames < s.slots * s.lanes);
    assert_true(cuda_spectrum_launch(&s, &memory, 64, 0, &l));
    assert_string_equal(l.kernel, columns);
}

/* ---- spectra ---------------------------------------------------------------------------- */

/* Only the order in which frames are added differs; from batch to batch, no bit does. */
static void compare(const struct cuda_facts *facts, struct fft_spectrum_plan plan, bool corrected)
{
    const uint32_t n = plan.n, frames = plan.max_frames;
    const uint64_t samples = (uint64_t)(frames - 1) * plan.hop + n;
    const float scale = (float)fft_iq_full_scale(plan.format);
    float *window = test_window(FFT_WINDOW_HANN, n), *relayed = malloc(n * sizeof *relayed);
    void *raw = test_noise(plan.format, samples, n);
    double power = 0;
    struct cuda_batch b;

    plan.window = window;
    plan.corrected = corrected;
    cuda_batch_init(&b, facts, &plan, raw, 1);
    if (corrected)
        b.memory.correction =
            (struct sample_correction){0.9F, 0.21F, -1.3F, 0.002F * scale, -0.003F * scale, 1};
    assert_non_null(b.spectrum.relay);
    cuda_batch_run(&b, frames);
    memcpy(relayed, cuda_batch_detector(&b, 0), n * sizeof *relayed);
    cuda_batch_run(&b, frames);
    assert_memory_equal(relayed, cuda_batch_detector(&b, 0), n * sizeof *relayed);
    b.spectrum.relay = NULL;
    cuda_batch_run(&b, frames);
    const float *want = cuda_batch_detector(&b, 0);
    for (uint32_t k = 0; k < n; k++)
        power += (double)want[k] / n;
    for (uint32_t k = 0; k < n; k++)
        if (!(fabs((double)relayed[k] - (double)want[k]) <= 1e-6 * ((double)want[k] + power)))
            fail_msg("n %u %s bin %u: %g, not %g", n, fft_iq_name(plan.format), k,
                     (double)relayed[k], (double)want[k]);
    cuda_batch_finish(&b);
    free(raw);
    free(relayed);
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
    for (unsigned i = 0; i < 5; i++) {
        const uint32_t n = i < 4 ? 131072 : 262144, lanes = i == 0 ? 2 : 1;
        facts.processors = n / 4096 * lanes + 3;
        facts.l2_bytes = (uint64_t)n * 8 * lanes * 3 * 2;
        compare(&facts, plan_of(n, (enum fft_iq_format)(i % FFT_IQ_FORMATS), lanes == 2 ? 19 : 11),
                i == 3);
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
