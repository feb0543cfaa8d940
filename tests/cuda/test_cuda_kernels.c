/*
 * test_cuda_kernels.c - compares the spectra of the kernels, compiled for the CPU, with the double-
 * precision reference: every form, format and detector, with any alignment and number of frames, in
 * memory full of arbitrary bits.
 *
 * Tolerance: as in the conformance test, relative to the power of the bin plus the mean power of
 * all bins.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cuda/batch.h"
#include "tests/support/engine/test_engines.h"

static const double tolerance = 4e-6;
static const unsigned all_detectors =
    FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE;

static void check_detector(const struct fft_spectrum_config *plan, unsigned detector,
                           const float *got, const double *want, double scale)
{
    double mean = 0;
    for (uint32_t k = 0; k < plan->n; k++)
        mean += want[k] / plan->n;
    for (uint32_t k = 0; k < plan->n; k++) {
        const double off = fabs((double)got[k] * scale - want[k]);
        if (!(off <= tolerance * (want[k] + mean)))
            fail_msg("n %u hop %u %s detector %u bin %u: %.9g, not %.9g", plan->n, plan->hop,
                     fft_iq_name(plan->format), detector, k, (double)got[k] * scale, want[k]);
    }
}

/* Rounding may move a level on an edge to the adjacent row. */
static void check_hits(const struct cuda_batch *b, const struct reference *want, uint32_t frames)
{
    const struct fft_density *d = &b->spectrum.plan.density;
    const uint32_t *got = (const uint32_t *)((const char *)b->result + b->spectrum.result.hits);
    for (uint32_t c = 0; c < d->columns; c++) {
        uint64_t sum = 0, doubt = 0;
        for (uint32_t r = 0; r < d->levels; r++) {
            sum += got[c * d->levels + r];
            doubt += want->doubtful[c * d->levels + r];
        }
        assert_int_equal(sum, frames);
        for (uint32_t r = 0; r < d->levels; r++)
            assert_near(got[c * d->levels + r], want->hits[c * d->levels + r], doubt);
    }
}

static void check(const struct cuda_batch *b, const void *raw, uint32_t frames)
{
    const struct fft_spectrum_config *plan = &b->spectrum.plan;
    struct reference want;
    reference_spectrum(&want, plan, raw, frames);
    const double *wanted[FFT_DETECTORS] = {want.mean, want.max, want.min, want.last};
    for (unsigned detector = 0; detector < FFT_DETECTORS; detector++) {
        const float *got = cuda_batch_detector(b, detector);
        assert_true((got != NULL) == !!(plan->detectors & 1U << detector));
        if (got)
            check_detector(plan, detector, got, wanted[detector],
                           detector == 0 ? 1.0 / frames : 1.0);
    }
    if (plan->density.columns > 0)
        check_hits(b, &want, frames);
    reference_finish(&want);
}

/* A batch of max_frames, then a smaller one in the same memory. */
static void conform(const struct cuda_facts *facts, struct fft_spectrum_config plan, uint32_t skew)
{
    const uint64_t samples = (uint64_t)(plan.max_frames - 1) * plan.hop + plan.n;
    float *window = test_window(FFT_WINDOW_HANN, plan.n);
    void *raw = test_noise(plan.format, samples, plan.n + plan.hop);
    struct cuda_batch b;

    plan.window = window;
    plan.depth = 1;
    cuda_batch_init(&b, facts, &plan, raw, skew);
    const uint32_t counts[] = {plan.max_frames, plan.max_frames / 2};
    for (int i = 0; i < 2 && counts[i] > 0; i++) {
        cuda_batch_run(&b, counts[i]);
        check(&b, raw, counts[i]);
    }
    cuda_batch_finish(&b);
    free(raw);
    free(window);
}

/* More frames than rows in all blocks, so that groups have several frames. */
static uint32_t plenty(uint32_t n)
{
    return n < 1024 ? 2 * 4096 / n + 3 : 7;
}

static void mean_of_every_size_by_bulk_copies(void **state)
{
    (void)state;
    for (uint32_t n = 64; n <= 16384; n *= 2)
        for (int format = FFT_IQ_CS16; format <= FFT_IQ_CF32; format++)
            conform(&cuda_tiny,
                    (struct fft_spectrum_config){.n = n,
                                                 .hop = n / 2,
                                                 .max_frames = plenty(n),
                                                 .format = (enum fft_iq_format)format,
                                                 .detectors = FFT_DETECTOR_MEAN},
                    0);
}

static void mean_of_a_frame_alone(void **state)
{
    (void)state;
    for (uint32_t n = 64; n <= 16384; n *= 2)
        for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
            conform(&cuda_tiny,
                    (struct fft_spectrum_config){.n = n,
                                                 .hop = n,
                                                 .max_frames = 1,
                                                 .format = (enum fft_iq_format)format,
                                                 .detectors = FFT_DETECTOR_MEAN},
                    format);
}

/* Whether a frame comes alone must not show in its spectrum. */
static void a_frame_alone_has_the_bits_of_a_frame_among_others(void **state)
{
    (void)state;
    for (uint32_t n = 64; n <= 16384; n *= 2) {
        float *window = test_window(FFT_WINDOW_HANN, n), *alone = malloc(n * sizeof *alone);
        void *raw = test_noise(FFT_IQ_CS16, n, n);
        const struct fft_spectrum_config plan = {.n = n,
                                                 .hop = n,
                                                 .max_frames = 1,
                                                 .depth = 1,
                                                 .format = FFT_IQ_CS16,
                                                 .detectors = FFT_DETECTOR_MEAN,
                                                 .window = window};
        struct cuda_batch b;
        cuda_batch_init(&b, &cuda_tiny, &plan, raw, 0);
        cuda_batch_run(&b, 1);
        memcpy(alone, cuda_batch_detector(&b, 0), n * sizeof *alone);
        b.spectrum.single = NULL;
        cuda_batch_run(&b, 1);
        assert_memory_equal(alone, cuda_batch_detector(&b, 0), n * sizeof *alone);
        cuda_batch_finish(&b);
        free(raw);
        free(alone);
        free(window);
    }
}

static void all_detectors_of_every_size(void **state)
{
    (void)state;
    for (uint32_t n = 64; n <= 16384; n *= 2)
        conform(&cuda_tiny,
                (struct fft_spectrum_config){.n = n,
                                             .hop = n / 2 - 1,
                                             .max_frames = plenty(n),
                                             .format = FFT_IQ_CS16,
                                             .detectors = all_detectors},
                0);
}

/* Also when a batch has fewer frames than the device has blocks. */
static void all_detectors_of_every_size_by_bulk_copies(void **state)
{
    (void)state;
    for (uint32_t n = 64; n <= 16384; n *= 2)
        for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
            for (int few = 0; few < 2; few++)
                conform(&cuda_tiny,
                        (struct fft_spectrum_config){.n = n,
                                                     .hop = few ? n : n / 4,
                                                     .max_frames = few ? 2 : plenty(n),
                                                     .format = (enum fft_iq_format)format,
                                                     .detectors = all_detectors},
                        0);
}

/* Blocks that share frames are launched in whole clusters. */
static void frames_of_two_blocks_are_divided_among_many(void **state)
{
    (void)state;
    struct cuda_facts facts = cuda_tiny;
    for (facts.processors = 2; facts.processors <= 5; facts.processors++)
        conform(&facts,
                (struct fft_spectrum_config){.n = 16384,
                                             .hop = 4096,
                                             .max_frames = 11,
                                             .format = FFT_IQ_CS16,
                                             .detectors = FFT_DETECTOR_MAX | FFT_DETECTOR_SAMPLE},
                0);
}

static void every_format_is_read(void **state)
{
    (void)state;
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
        for (unsigned detectors = FFT_DETECTOR_MEAN; detectors <= FFT_DETECTOR_MAX; detectors++)
            for (uint32_t n = 256; n <= 32768; n *= 128)
                conform(&cuda_tiny,
                        (struct fft_spectrum_config){.n = n,
                                                     .hop = n,
                                                     .max_frames = 5,
                                                     .format = (enum fft_iq_format)format,
                                                     .detectors = detectors},
                        0);
}

static void a_span_that_bulk_copies_cannot_read_is_loaded_plainly(void **state)
{
    (void)state;
    const struct fft_spectrum_config plan = {.n = 1024,
                                             .hop = 1024,
                                             .max_frames = 5,
                                             .format = FFT_IQ_CS16,
                                             .detectors = FFT_DETECTOR_MEAN};
    struct fft_spectrum_config odd = plan;
    odd.hop = 511;
    conform(&cuda_tiny, plan, 1);
    conform(&cuda_tiny, odd, 0);
    conform(&cuda_t4, plan, 0);
}

/* Spans that bulk copies cannot read. */
static void long_frames_go_through_two_kernels(void **state)
{
    (void)state;
    static const uint32_t frames[] = {9, 5, 3, 2, 2, 1, 1, 1};
    for (unsigned i = 0; i < 8; i++)
        conform(
            &cuda_tiny,
            (struct fft_spectrum_config){.n = 32768U << i,
                                         .hop = 10000,
                                         .max_frames = frames[i],
                                         .format = FFT_IQ_CS8,
                                         .detectors = i % 2 ? FFT_DETECTOR_MEAN : all_detectors},
            1);
}

/* Several clusters, of which some have more groups than others, or none; groups of some frames. */
static void clusters_of_blocks_share_long_frames(void **state)
{
    (void)state;
    struct cuda_facts facts = cuda_tiny;
    facts.processors = 9;
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
        for (uint32_t n = 32768; n <= 65536; n *= 2)
            for (int all = 0; all < 2; all++)
                conform(&facts,
                        (struct fft_spectrum_config){.n = n,
                                                     .hop = 8192,
                                                     .max_frames = 11,
                                                     .format = (enum fft_iq_format)format,
                                                     .detectors =
                                                         all ? all_detectors : FFT_DETECTOR_MEAN},
                        0);
}

static void a_small_device_splits_what_its_blocks_cannot_hold(void **state)
{
    (void)state;
    for (uint32_t n = 8192; n <= 65536; n *= 2)
        conform(&cuda_t4,
                (struct fft_spectrum_config){.n = n,
                                             .hop = n / 4,
                                             .max_frames = 5,
                                             .format = FFT_IQ_CU8,
                                             .detectors = all_detectors},
                0);
}

static void density_counts_every_frame_in_every_column(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, columns, levels, frames;
    } cases[] = {{1024, 801, 201, 9},  {1024, 801, 201, 1},  {64, 1, 3, 200},
                 {256, 256, 4096, 40}, {4096, 100, 201, 20}, {4096, 801, 201, 2},
                 {16384, 801, 50, 3},  {65536, 801, 64, 5}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        conform(
            &cuda_tiny,
            (struct fft_spectrum_config){.n = cases[i].n,
                                         .hop = cases[i].n / (i % 3 + 2),
                                         .max_frames = cases[i].frames,
                                         .format = FFT_IQ_CS16,
                                         .detectors = i % 2 ? FFT_DETECTOR_MEAN : all_detectors,
                                         .density = {cases[i].columns, cases[i].levels, 0, 0.5F}},
            0);
}

static void chunks_of_a_batch_fold_into_one(void **state)
{
    (void)state;
    struct cuda_facts facts = cuda_tiny;
    struct fft_spectrum_config plan = {
        .n = 32768, .hop = 16384, .max_frames = 8, .format = FFT_IQ_CS16};
    facts.l2_bytes = 3 * 32768 * 8 / 2; /* three frames a chunk */
    for (int i = 0; i < 4; i++) {
        facts.processors = i < 2 ? 9 : 1; /* 9: a group for each frame; the last chunk has two */
        plan.detectors = i % 2 ? all_detectors : FFT_DETECTOR_MEAN;
        conform(&facts, plan, 1);
    }
    facts.l2_bytes = 3 * 32768 * 4 * 2; /* as many of powers */
    plan.hop = 1024;
    plan.density = (struct fft_density){512, 100, 0, 1};
    conform(&facts, plan, 0);
}

/* The corrected samples, as floats in units of full scale. The correction is in raw units. */
static struct fft_iq *corrected(const struct sample_correction *c, enum fft_iq_format format,
                                const void *raw, uint64_t samples)
{
    const double scale = fft_iq_full_scale(format);
    struct fft_iq *out = malloc(samples * sizeof *out);
    for (uint64_t i = 0; i < samples; i++) {
        const struct complex64 x = reference_sample(format, raw, i);
        out[i].re = (float)((double)c->ii * x.re + (double)c->re / scale);
        out[i].im = (float)((double)c->qi * x.re + (double)c->qq * x.im + (double)c->im / scale);
    }
    return out;
}

static void conform_corrected(uint32_t n, enum fft_iq_format format, unsigned detectors,
                              uint32_t frames, uint32_t skew)
{
    const float scale = (float)fft_iq_full_scale(format);
    const struct sample_correction correction = {0.9F,           0.21F,           -1.3F,
                                                 0.002F * scale, -0.003F * scale, 1};
    float *window = test_window(FFT_WINDOW_HANN, n);
    const struct fft_spectrum_config plan = {.n = n,
                                             .hop = n / 2,
                                             .max_frames = frames,
                                             .depth = 1,
                                             .format = format,
                                             .detectors = detectors,
                                             .window = window,
                                             .corrected = true};
    const uint64_t samples = (uint64_t)(frames - 1) * plan.hop + n;
    void *raw = test_noise(format, samples, n);
    struct fft_iq *wanted = corrected(&correction, format, raw, samples);
    struct cuda_batch b;
    cuda_batch_init(&b, &cuda_tiny, &plan, raw, skew);
    b.memory.correction = correction;
    cuda_batch_run(&b, frames);
    b.spectrum.plan.format = FFT_IQ_CF32; /* of the reference */
    check(&b, wanted, frames);
    cuda_batch_finish(&b);
    free(wanted);
    free(raw);
    free(window);
}

/* By bulk copies and loads, in one kernel and in two. Rounding is relative to the strongest line,
 * so the offset is small. */
static void samples_are_corrected_on_load(void **state)
{
    (void)state;
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++)
        for (uint32_t n = 64; n <= 32768; n *= 8) {
            conform_corrected(n, (enum fft_iq_format)format, FFT_DETECTOR_MEAN, plenty(n), 0);
            conform_corrected(n, (enum fft_iq_format)format, all_detectors, 3, 1);
            conform_corrected(n, (enum fft_iq_format)format, all_detectors, plenty(n), 0);
        }
    for (uint32_t n = 128; n <= 16384; n *= 2) {
        conform_corrected(n, FFT_IQ_CS16, FFT_DETECTOR_MEAN, 1, 0);
        conform_corrected(n, FFT_IQ_CS16, FFT_DETECTOR_MEAN, 2, 0);
        conform_corrected(n, FFT_IQ_CS16, all_detectors, 2, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_of_every_size_by_bulk_copies),
        cmocka_unit_test(mean_of_a_frame_alone),
        cmocka_unit_test(a_frame_alone_has_the_bits_of_a_frame_among_others),
        cmocka_unit_test(all_detectors_of_every_size),
        cmocka_unit_test(all_detectors_of_every_size_by_bulk_copies),
        cmocka_unit_test(frames_of_two_blocks_are_divided_among_many),
        cmocka_unit_test(every_format_is_read),
        cmocka_unit_test(a_span_that_bulk_copies_cannot_read_is_loaded_plainly),
        cmocka_unit_test(long_frames_go_through_two_kernels),
        cmocka_unit_test(clusters_of_blocks_share_long_frames),
        cmocka_unit_test(a_small_device_splits_what_its_blocks_cannot_hold),
        cmocka_unit_test(density_counts_every_frame_in_every_column),
        cmocka_unit_test(chunks_of_a_batch_fold_into_one),
        cmocka_unit_test(samples_are_corrected_on_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
