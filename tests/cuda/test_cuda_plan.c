/*
 * test_cuda_plan.c - the planner never exceeds the resources of a device, for any device and
 * length; takes every frame once; and never overlaps memory.
 */
#include <math.h>
#include <string.h>

#include "emulate/cuda/emulate.h"
#include "fft/cuda/cuda_form.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cuda/batch.h"

static const unsigned all_detectors =
    FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE;
/* Like an RTX A3000: 82 multiprocessors, 99 KiB of shared memory per block, 1536 threads. */
static const struct cuda_facts consumer = {86, 82, 101376, 102400, 1536, 6 << 20};
static const struct cuda_spectrum_memory memory = {
    .samples = 1ULL << 40, .tables = 2ULL << 40, .scratch = 3ULL << 40, .result = 4ULL << 40};

static struct fft_spectrum_config plan_of(uint32_t n, unsigned detectors, uint32_t frames)
{
    return (struct fft_spectrum_config){.n = n,
                                        .hop = n / 2,
                                        .max_frames = frames,
                                        .depth = 1,
                                        .format = FFT_IQ_CS16,
                                        .detectors = detectors};
}

static void check_launch(const struct cuda_facts *facts, const struct cuda_launch *l)
{
    assert_true(emulate_has(l->module, l->kernel));
    assert_true(l->shared <= facts->shared_block);
    assert_in_range(l->block, 1, 1024);
    assert_true(l->block <= facts->threads_processor);
    assert_true(l->grid[0] >= 1 && l->grid[1] >= 1 && l->grid[1] <= 65535 && l->grid[2] == 1);
    if (strstr(l->kernel, "_mean_cs16") || strstr(l->kernel, "_all_cs16") ||
        strstr(l->kernel, "_parts_cs16") || strstr(l->kernel, "_pairs_cs16") ||
        strstr(l->kernel, "_cluster_") || strstr(l->kernel, "_relay_"))
        assert_true(facts->capability >= 90);
    if (l->together) /* one block fits into a multiprocessor */
        assert_true(l->grid[0] <= facts->processors);
}

/* Groups cover the frames, and no group is empty. */
static void check_groups(const struct spectrum_args *a)
{
    assert_true((uint64_t)a->groups * a->group_frames >= a->frames);
    assert_true((uint64_t)(a->groups - 1) * a->group_frames < a->frames);
}

static void check_job(const struct cuda_facts *facts, const struct fft_spectrum_config *plan)
{
    struct cuda_spectrum s;
    struct cuda_launch l;
    assert_int_equal(cuda_spectrum_plan(&s, facts, plan), 0);
    for (uint32_t frames = 1; frames <= plan->max_frames; frames = frames * 3 + 1) {
        uint64_t seen = 0, end = memory.samples;
        for (uint32_t i = 0; cuda_spectrum_launch(&s, &memory, frames, i, &l); i++) {
            check_launch(facts, &l);
            if (strncmp(l.module, "spectrum", 8) != 0)
                continue;
            check_groups(&l.args.spectrum);
            if (strstr(l.kernel, "rows"))
                continue;
            assert_int_equal(l.args.spectrum.samples, end);
            end += (uint64_t)l.args.spectrum.frames * plan->hop * fft_iq_bytes(plan->format);
            seen += l.args.spectrum.frames;
        }
        assert_int_equal(seen, frames);
    }
}

static void every_length_fits_every_device_and_takes_every_frame_once(void **state)
{
    (void)state;
    const struct cuda_facts *devices[] = {&cuda_t4, &consumer, &cuda_h200, &cuda_tiny};
    for (int d = 0; d < 4; d++)
        for (uint32_t n = FFT_SPECTRUM_MIN_N; n <= FFT_SPECTRUM_MAX_N; n *= 2)
            for (int kind = 0; kind < 3; kind++) {
                struct fft_spectrum_config plan =
                    plan_of(n, kind == 0 ? FFT_DETECTOR_MEAN : all_detectors, 5000);
                if (kind == 2)
                    plan.density = (struct fft_density){64, FFT_SPECTRUM_MAX_LEVELS, 0, 1};
                check_job(devices[d], &plan);
            }
}

struct piece {
    uint64_t at, bytes;
};

static void assert_apart(const struct piece *pieces, int count, uint64_t from, uint64_t bytes)
{
    for (int i = 0; i < count; i++) {
        if (pieces[i].at == 0)
            continue;
        assert_true(pieces[i].at >= from && pieces[i].at + pieces[i].bytes <= from + bytes);
        for (int j = 0; j < i; j++)
            assert_true(pieces[j].at == 0 || pieces[j].at + pieces[j].bytes <= pieces[i].at ||
                        pieces[i].at + pieces[i].bytes <= pieces[j].at);
    }
}

static void parts_of_scratch_and_result_do_not_overlap(void **state)
{
    (void)state;
    for (uint32_t n = FFT_SPECTRUM_MIN_N; n <= FFT_SPECTRUM_MAX_N; n *= 4) {
        struct fft_spectrum_config plan = plan_of(n, all_detectors, 3000);
        struct cuda_spectrum s;
        struct cuda_launch l;
        plan.density = (struct fft_density){60, 100, 0, 1};
        assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
        assert_true(cuda_spectrum_launch(&s, &memory, 3000, 1, &l));
        const struct spectrum_args *a = &l.args.spectrum;
        const uint64_t row = n * sizeof(float), detectors = a->groups * row;
        if (a->groups > 1) {
            const struct piece scratch[] = {
                {a->sum, detectors},
                {a->max, detectors},
                {a->min, detectors},
                {a->powers, a->frames * row}, /* two kernels */
                {n > 16384 ? a->middle : 0, 2 * a->frames * row},
                {n > 16384 ? a->kept : 0, 3 * detectors},
            };
            assert_apart(scratch, 6, memory.scratch, s.scratch_bytes);
        }
        const struct piece result[] = {
            {memory.result + s.result.sum, row},    {memory.result + s.result.max, row},
            {memory.result + s.result.min, row},    {memory.result + s.result.last, row},
            {memory.result + s.result.hits, 24000},
        };
        assert_apart(result, 5, memory.result, s.result.bytes);
    }
}

static const char *first_kernel(const struct cuda_facts *facts,
                                const struct fft_spectrum_config *plan, uint64_t samples,
                                uint32_t frames)
{
    struct cuda_spectrum s;
    struct cuda_launch l;
    struct cuda_spectrum_memory p = memory;
    p.samples = samples;
    assert_int_equal(cuda_spectrum_plan(&s, facts, plan), 0);
    assert_true(cuda_spectrum_launch(&s, &p, frames, 0, &l));
    return l.kernel;
}

static void bulk_copies_are_for_new_chips_and_aligned_frames(void **state)
{
    (void)state;
    static const char bulk[] = "spectrum_mean_cs16_1024x16", plain[] = "spectrum_plain_cs16_1024";
    static const uint64_t even = 1 << 20;
    struct fft_spectrum_config plan = plan_of(1024, FFT_DETECTOR_MEAN, 1000);
    assert_string_equal(first_kernel(&cuda_h200, &plan, even, 1000), bulk);
    assert_string_equal(first_kernel(&cuda_h200, &plan, even + 4, 1000), plain);
    assert_string_equal(first_kernel(&consumer, &plan, even, 1000), plain);
    plan.hop = 1022;
    assert_string_equal(first_kernel(&cuda_h200, &plan, even, 1000), plain);
    plan.hop = 1020;
    assert_string_equal(first_kernel(&cuda_h200, &plan, even, 1000), bulk);
    plan.n = plan.hop = 8192;
    assert_string_equal(first_kernel(&cuda_h200, &plan, even, 1000),
                        "spectrum_parts_mean_cs16_8192");
    plan.n = plan.hop = 1024;
    plan.detectors |= FFT_DETECTOR_MAX;
    assert_string_equal(first_kernel(&cuda_h200, &plan, even, 1000), "spectrum_pairs_cs16_1024");
    assert_string_equal(first_kernel(&cuda_h200, &plan, even + 4, 1000),
                        "spectrum_detectors_cs16_1024");
}

static void frames_with_all_detectors_are_shared_by_two_blocks(void **state)
{
    (void)state;
    struct fft_spectrum_config plan = plan_of(16384, all_detectors, 1056);
    struct cuda_launch l;
    struct cuda_spectrum s;
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
    assert_true(cuda_spectrum_launch(&s, &memory, 1056, 0, &l));
    assert_string_equal(l.kernel, "spectrum_cluster_cs16_16384x2");
    assert_int_equal(l.grid[0], 132); /* one block on each multiprocessor */
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 66), "spectrum_detectors_cs16_16384");
    assert_string_equal(first_kernel(&cuda_h200, &plan, 4, 1000), "spectrum_detectors_cs16_16384");
    plan.format = FFT_IQ_CF32;
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 1000), "spectrum_cluster_cf32_16384x2");
    plan.format = FFT_IQ_CS16;
    plan.density = (struct fft_density){100, 100, 0, 1};
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
    assert_true(cuda_spectrum_launch(&s, &memory, 1000, 1, &l));
    assert_string_equal(l.kernel, "spectrum_detectors_cs16_16384");
}

static void long_frames_are_shared_by_clusters(void **state)
{
    (void)state;
    struct fft_spectrum_config plan = plan_of(32768, FFT_DETECTOR_MEAN, 660);
    struct cuda_launch l;
    struct cuda_spectrum s;
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
    assert_true(cuda_spectrum_launch(&s, &memory, 660, 0, &l));
    assert_string_equal(l.kernel, "spectrum_cluster_mean_cs16_32768x2");
    assert_int_equal(l.cluster, 2);
    assert_int_equal(l.grid[0], 132);
    assert_int_equal(l.args.spectrum.groups, 66);
    assert_true(cuda_spectrum_launch(&s, &memory, 66, 0, &l)); /* one for each */
    assert_string_equal(l.kernel, "columns_cs16_128x32");
    plan.format = FFT_IQ_CF32;
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 660),
                        "spectrum_cluster_mean_cf32_32768x4");
    plan = plan_of(32768, all_detectors, 660);
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 660), "spectrum_cluster_cs16_32768x4");
    assert_string_equal(first_kernel(&cuda_h200, &plan, 4, 660), "columns_cs16_128x32");
    assert_string_equal(first_kernel(&consumer, &plan, 0, 660), "columns_cs16_128x32");
    plan.n = 65536;
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 660), "spectrum_cluster_cs16_65536x8");
}

/* Only the last chunk of a batch writes detectors in the order of bins, and those of all groups. */
static void detectors_are_kept_between_chunks(void **state)
{
    (void)state;
    const struct fft_spectrum_config plan = plan_of(1048576, all_detectors, 120);
    struct cuda_launch l;
    struct cuda_spectrum s;
    uint32_t frames = 0;
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
    for (uint32_t i = 1; cuda_spectrum_launch(&s, &memory, 101, i, &l); i += 2) { /* rows */
        assert_int_equal(l.args.spectrum.resume, frames > 0);
        frames += l.args.spectrum.frames;
        assert_int_equal(l.args.spectrum.keep, frames < 101);
        assert_int_equal(l.grid[1], 2); /* the last chunk has frames of one group only */
    }
    assert_int_equal(frames, 101);
}

/* A cluster that has to wait for another doubles the time of a launch. */
static void no_more_clusters_are_launched_than_run_at_a_time(void **state)
{
    (void)state;
    const struct fft_spectrum_config plan = plan_of(65536, FFT_DETECTOR_MEAN, 660);
    struct cuda_launch l;
    struct cuda_spectrum s;
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
    assert_true(cuda_spectrum_cluster(&s, &l));
    assert_string_equal(l.kernel, "spectrum_cluster_mean_cs16_65536x8");
    assert_int_equal(l.cluster, 8);
    cuda_spectrum_limit_clusters(&s, 15);
    assert_true(cuda_spectrum_launch(&s, &memory, 660, 0, &l));
    assert_int_equal(l.grid[0], 120);
    assert_int_equal(l.args.spectrum.groups, 15);
    const struct fft_spectrum_config few = plan_of(65536, FFT_DETECTOR_MEAN, 16);
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &few), 0);
    assert_false(cuda_spectrum_cluster(&s, &l)); /* such batches never have clusters */
}

/* Bulk copies have addresses and sizes of whole multiples of 16 bytes. */
static void stages_of_short_frames_are_whole_units(void **state)
{
    (void)state;
    enum { SHORTEST = 512, WINDOW = SHORTEST * sizeof(float) };
    for (int format = 0; format < FFT_IQ_FORMATS; format++)
        for (int mean_alone = 0; mean_alone <= 1; mean_alone++) {
            const struct cuda_form *f =
                cuda_form_bulk(SHORTEST, (enum fft_iq_format)format, mean_alone, UINT32_MAX);
            const uint32_t barriers = f->rows * 8;
            const uint32_t stages = cuda_form_shared_bulk(f, (enum fft_iq_format)format) -
                                    cuda_form_shared_plain(f) - WINDOW;
            assert_true(cuda_form_threads(f) / f->rows < 32); /* rows share a warp */
            assert_int_equal((stages - barriers) / f->rows % 16, 0);
        }
}

/* The fold of many groups has a thread for every few of them. */
static void many_groups_are_combined_by_many_threads(void **state)
{
    (void)state;
    const struct fft_spectrum_config plan = plan_of(256, all_detectors, 100000);
    struct cuda_spectrum s;
    struct cuda_launch l;
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
    for (uint32_t frames = 200; frames <= 100000; frames += 99800) {
        assert_true(cuda_spectrum_launch(&s, &memory, frames, 1, &l));
        assert_string_equal(l.kernel, "combine");
        const struct combine_args *a = &l.args.combine;
        assert_int_equal(l.grid[0] * a->bins, 256);
        assert_true(a->groups / (l.block / a->bins) <= 64);
    }
}

static void few_frames_use_many_threads_each(void **state)
{
    (void)state;
    const struct fft_spectrum_config plan = plan_of(4096, FFT_DETECTOR_MEAN, 1000);
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 2), "spectrum_plain_cs16_4096");
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 132), "spectrum_plain_cs16_4096");
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 133), "spectrum_mean_cs16_4096x4");
}

static void a_mean_of_one_frame_has_its_own_kernel(void **state)
{
    (void)state;
    struct fft_spectrum_config plan = plan_of(4096, FFT_DETECTOR_MEAN, 1000);
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 1), "spectrum_single_cs16_4096");
    assert_string_equal(first_kernel(&cuda_t4, &plan, 4, 1), "spectrum_single_cs16_4096");
    plan.n = plan.hop = 64;
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 1), "spectrum_plain_cs16_64");
    plan = plan_of(4096, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX, 1000);
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 1), "spectrum_detectors_cs16_4096");
}

/* They share a table of twiddles. */
static void a_frame_alone_has_the_passes_of_frames_among_others(void **state)
{
    (void)state;
    for (uint32_t n = 64; n <= 16384; n *= 2) {
        const struct cuda_form *single = cuda_form_single(n), *plain = cuda_form_plain(n);
        if (single)
            assert_memory_equal(single->radix, plain->radix, sizeof plain->radix);
    }
}

/* If the frames of a format leave too little room, the planner takes the narrower form, or loads.
 */
static void wide_formats_have_fewer_rows_a_block(void **state)
{
    (void)state;
    struct fft_spectrum_config plan = plan_of(1024, FFT_DETECTOR_MEAN, 1000);
    plan.format = FFT_IQ_CF32;
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 1000), "spectrum_mean_cf32_1024x8");
    plan.n = plan.hop = 4096;
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 1000), "spectrum_plain_cf32_4096");
    plan.n = plan.hop = 16384;
    assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 1000), "spectrum_plain_cf32_16384");
}

static void long_frames_have_columns_of_256(void **state)
{
    (void)state;
    for (uint32_t n = 131072; n <= FFT_SPECTRUM_MAX_N; n *= 2) {
        const struct fft_spectrum_config plan = plan_of(n, FFT_DETECTOR_MEAN, 2);
        assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 2),
                            n <= 2097152 ? "columns_cs16_256x32" : "columns_cs16_512x16");
    }
}

/* Rows of 1024 points are slower than the others. */
static void long_frames_with_all_detectors_have_no_rows_of_1024(void **state)
{
    static const struct {
        uint32_t n;
        const char *columns;
    } cases[] = {{131072, "columns_cs16_256x32"},
                 {262144, "columns_cs16_512x16"},
                 {524288, "columns_cs16_256x32"},
                 {2097152, "columns_cs16_256x32"},
                 {4194304, "columns_cs16_512x16"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fft_spectrum_config plan = plan_of(cases[i].n, all_detectors, 2);
        assert_string_equal(first_kernel(&cuda_h200, &plan, 0, 2), cases[i].columns);
    }
}

static void a_result_that_is_read_again_is_not_stored_once(void **state)
{
    (void)state;
    struct fft_spectrum_config plan = plan_of(4096, all_detectors, 16);
    struct cuda_spectrum s;
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
    assert_true(s.result.write_once);
    plan.density = (struct fft_density){100, 100, 0, 1};
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
    assert_false(s.result.write_once);
    plan = plan_of(FFT_SPECTRUM_MAX_N, all_detectors, 1000);
    assert_int_equal(cuda_spectrum_plan(&s, &cuda_h200, &plan), 0);
    assert_false(s.result.write_once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_fits_every_device_and_takes_every_frame_once),
        cmocka_unit_test(parts_of_scratch_and_result_do_not_overlap),
        cmocka_unit_test(bulk_copies_are_for_new_chips_and_aligned_frames),
        cmocka_unit_test(frames_with_all_detectors_are_shared_by_two_blocks),
        cmocka_unit_test(long_frames_are_shared_by_clusters),
        cmocka_unit_test(detectors_are_kept_between_chunks),
        cmocka_unit_test(no_more_clusters_are_launched_than_run_at_a_time),
        cmocka_unit_test(stages_of_short_frames_are_whole_units),
        cmocka_unit_test(many_groups_are_combined_by_many_threads),
        cmocka_unit_test(few_frames_use_many_threads_each),
        cmocka_unit_test(a_mean_of_one_frame_has_its_own_kernel),
        cmocka_unit_test(a_frame_alone_has_the_passes_of_frames_among_others),
        cmocka_unit_test(wide_formats_have_fewer_rows_a_block),
        cmocka_unit_test(long_frames_have_columns_of_256),
        cmocka_unit_test(long_frames_with_all_detectors_have_no_rows_of_1024),
        cmocka_unit_test(a_result_that_is_read_again_is_not_stored_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
