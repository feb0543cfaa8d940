/*
 * test_opencl_plan.c - tests the planner without a device: its plans for simulated devices must
 * match a file that people have reviewed.
 *
 *     test_opencl_plan --write           renews tests/opencl/golden/plans.txt
 *     test_opencl_plan --programs DIR    writes programs of every kind to DIR, for compilers
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/opencl/opencl_pass_plan.h"
#include "fft/opencl/opencl_strategy.h"

static const uint32_t lengths[] = {64, 4096, 4194304};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static struct fft_spectrum_config spec_of(uint32_t n)
{
    const uint32_t frames = n < 65536 ? 262144 / n : 2;
    return (struct fft_spectrum_config){.n = n,
                                        .hop = n,
                                        .max_frames = frames,
                                        .format = FFT_IQ_CS16,
                                        .detectors = FFT_DETECTOR_MEAN};
}

static void explain_all(FILE *to)
{
    struct opencl_profile profile;
    const char *name;
    for (uint32_t i = 0; (name = opencl_profile_name(i)) != NULL; i++)
        for (int n = 0; n < LENGTHS; n++) {
            const struct fft_spectrum_config spec = spec_of(lengths[n]);
            struct opencl_spectrum s;
            assert_true(opencl_profile_find(name, &profile));
            const int err = opencl_spectrum_plan(&s, &profile, &spec, NULL);
            if (err < 0)
                fprintf(to, "%s: no plan for %u points\n", name, lengths[n]);
            else
                opencl_spectrum_explain(&s, to);
        }
}

static void plans_match_the_reviewed_file(void **state)
{
    (void)state;
    static char want[1 << 16];
    char *got = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&got, &size), *file = fopen(GOLDEN_PLANS, "r");
    assert_non_null(memory);
    assert_non_null(file);
    want[fread(want, 1, sizeof want - 1, file)] = '\0';
    fclose(file);
    explain_all(memory);
    fclose(memory);
    assert_string_equal(got, want);
    free(got);
}

static enum opencl_strategy chosen(const char *name, uint32_t n)
{
    struct opencl_profile profile;
    struct opencl_spectrum s;
    const struct fft_spectrum_config spec = spec_of(n);
    assert_true(opencl_profile_find(name, &profile));
    assert_int_equal(opencl_spectrum_plan(&s, &profile, &spec, NULL), 0);
    return s.choice.strategy;
}

/* 4096 padded points are 34,816 bytes: too many for 32 KiB, not for 48 KiB. */
static void local_memory_is_used_where_it_is_fast_and_holds_a_frame(void **state)
{
    (void)state;
    assert_int_equal(chosen("oclgrind", 2048), OPENCL_LOCAL_MEM);
    assert_int_equal(chosen("oclgrind", 4096), OPENCL_FOURSTEP);
    assert_int_equal(chosen("nvidia", 4096), OPENCL_LOCAL_MEM);
    assert_int_equal(chosen("nvidia", 8192), OPENCL_FOURSTEP);
    assert_int_equal(chosen("h200", 16384), OPENCL_LOCAL_MEM);
    assert_int_equal(chosen("mali-t760", 1024), OPENCL_PASSES);
    assert_int_equal(chosen("pocl", 1024), OPENCL_PASSES);
}

/* The limits of a device: local memory, work-group, one allocation. */
static void no_plan_asks_for_more_than_a_device_has(void **state)
{
    (void)state;
    struct opencl_profile profile;
    const char *name;
    for (uint32_t i = 0; (name = opencl_profile_name(i)) != NULL; i++)
        for (uint32_t n = 64; n <= FFT_SPECTRUM_MAX_N; n *= 2)
            for (int strategy = OPENCL_PASSES; strategy < OPENCL_STRATEGIES; strategy++) {
                const struct opencl_choice choice = {.strategy = (enum opencl_strategy)strategy};
                const struct fft_spectrum_config spec = spec_of(n);
                struct opencl_spectrum s;
                struct opencl_launch launch;
                assert_true(opencl_profile_find(name, &profile));
                if (opencl_spectrum_plan(&s, &profile, &spec, &choice) < 0)
                    continue;
                assert_true(s.scratch_bytes <= profile.alloc_bytes);
                for (uint32_t l = 0; opencl_spectrum_launch(&s, 0, 1, l, &launch); l++) {
                    assert_true(launch.local[0] <= profile.max_group);
                    assert_int_equal(launch.global[0] % launch.local[0], 0);
                    assert_true(launch.kernel < s.kernel_count);
                }
            }
}

/* The points of a work-item in the local plan for this many registers. 0: there is no plan. */
static uint32_t points_for(uint32_t registers, uint32_t n, unsigned detectors)
{
    struct opencl_profile profile;
    struct opencl_spectrum s;
    struct fft_spectrum_config spec = spec_of(n);
    const struct opencl_choice choice = {.strategy = OPENCL_LOCAL_MEM};
    assert_true(opencl_profile_find("h200", &profile));
    profile.registers = registers;
    spec.detectors = detectors;
    if (opencl_spectrum_plan(&s, &profile, &spec, &choice) < 0)
        return 0;
    const struct opencl_row row = {.stages = s.stages, .prefetch = s.prefetch, .kept = s.kept};
    const uint32_t needed = opencl_row_registers(&row, detectors);
    assert_true(needed <= registers);
    assert_true(needed * (n / s.stages[0].radix) <= 65536);
    return s.stages[0].radix;
}

/* The value for the H200 is that of CUDA. For a chip that is not in the table the driver's value is
 * used. */
static void local_memory_beyond_the_reported_size_is_known_by_chip(void **state)
{
    (void)state;
    assert_int_equal(opencl_nvidia_local_bytes(9, 0), 232448);
    assert_int_equal(opencl_nvidia_local_bytes(8, 6), 101376);
    assert_int_equal(opencl_nvidia_local_bytes(6, 1), 0);
    assert_int_equal(opencl_nvidia_local_bytes(99, 0), 0);
}

/* 32-bit registers: two for each point, one for each detector, one for the next sample, and a
 * reserve. */
static void a_work_item_gets_as_many_points_as_it_has_registers_for(void **state)
{
    (void)state;
    static const uint32_t devices[] = {64, 128, 168, 255};
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++)
        for (uint32_t n = 64; n <= 16384; n *= 2)
            for (unsigned all = 0; all < 2; all++)
                points_for(devices[i], n,
                           all ? FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN
                               : FFT_DETECTOR_MEAN);
    assert_int_equal(points_for(255, 1024, FFT_DETECTOR_MEAN), 32);
    assert_int_equal(points_for(255, 4096, FFT_DETECTOR_MEAN), 32);
    assert_int_equal(points_for(128, 4096, FFT_DETECTOR_MEAN), 16);
    assert_int_equal(points_for(64, 1024, FFT_DETECTOR_MEAN), 8);
    assert_int_equal(points_for(255, 256, FFT_DETECTOR_MEAN), 16); /* two passes of 16 */
    assert_int_equal(points_for(255, 16384, FFT_DETECTOR_MEAN), 32);
    assert_int_equal(points_for(128, 4096, FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX), 16);
}

static void printed_choices_parse_to_the_same_choice(void **state)
{
    (void)state;
    const struct opencl_choice choice = {
        .strategy = OPENCL_LOCAL_MEM, .max_radix = 8, .group = 256, .columns = 2};
    struct opencl_choice read;
    char text[96];
    assert_true(opencl_choice_print(&choice, text, sizeof text) < (int)sizeof text);
    assert_string_equal(text, "local radix=8 group=256 columns=2");
    assert_true(opencl_choice_parse(&read, text));
    assert_memory_equal(&read, &choice, sizeof read);
    assert_true(opencl_choice_parse(&read, ""));
    assert_false(opencl_choice_parse(&read, "nowhere"));
    assert_false(opencl_choice_parse(&read, "passes radix=many"));
    assert_false(opencl_choice_parse(&read, "passes radix=0"));
}

/* Of `opencl:plan=...`: a kernel that transforms one point has no passes. */
static void every_choice_of_a_radix_is_planned_or_refused(void **state)
{
    (void)state;
    const struct fft_spectrum_config spec = spec_of(4096);
    const struct engine_pass pass = {
        .n = 4096, .from = 1, .to = 1, .rows = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}};
    struct opencl_profile profile;
    struct opencl_choice choice = {0};
    struct opencl_spectrum s;
    struct opencl_pass p;
    assert_true(opencl_profile_find("h200", &profile));
    for (uint32_t radix = 1; radix <= 128; radix++) {
        choice.max_radix = radix;
        for (int strategy = OPENCL_PASSES; strategy < OPENCL_STRATEGIES; strategy++) {
            choice.strategy = (enum opencl_strategy)strategy;
            const int err = opencl_spectrum_plan(&s, &profile, &spec, &choice);
            assert_true(err == 0 || err == -ENOTSUP);
        }
        assert_int_equal(opencl_pass_plan(&p, &profile, &pass, &choice), 0);
    }
    choice = (struct opencl_choice){.strategy = OPENCL_PASSES, .max_radix = 1};
    assert_int_equal(opencl_spectrum_plan(&s, &profile, &spec, &choice), -ENOTSUP);
}

/* Points between passes do not exist in local memory, and four steps keep 32 bits. */
static void only_plans_with_passes_store_halves(void **state)
{
    (void)state;
    struct opencl_profile profile;
    const char *name;
    for (uint32_t i = 0; (name = opencl_profile_name(i)) != NULL; i++) {
        const struct fft_spectrum_config spec = spec_of(1024);
        struct opencl_choice choice = {.half = 1};
        struct opencl_spectrum s;
        uint32_t count = 0;
        assert_true(opencl_profile_find(name, &profile));
        assert_int_equal(opencl_spectrum_plan(&s, &profile, &spec, &choice), 0);
        assert_int_equal(s.choice.strategy, OPENCL_PASSES);
        assert_int_equal(s.choice.half, 1);
        for (int strategy = OPENCL_LOCAL_MEM; strategy < OPENCL_STRATEGIES; strategy++) {
            choice.strategy = (enum opencl_strategy)strategy;
            assert_int_equal(opencl_spectrum_plan(&s, &profile, &spec, &choice), -ENOTSUP);
        }
        while (opencl_spectrum_candidate(&profile, &spec, 1, count, &choice)) {
            assert_int_equal(choice.half, 1);
            count++;
        }
        assert_true(count >= 3);
    }
}

static void candidates_are_plans_and_the_first_is_the_planners_own(void **state)
{
    (void)state;
    struct opencl_profile profile;
    const char *name;
    for (uint32_t i = 0; (name = opencl_profile_name(i)) != NULL; i++) {
        const struct fft_spectrum_config spec = spec_of(1024);
        struct opencl_choice choice;
        struct opencl_spectrum s, first;
        uint32_t count = 0;
        assert_true(opencl_profile_find(name, &profile));
        assert_int_equal(opencl_spectrum_plan(&first, &profile, &spec, NULL), 0);
        while (opencl_spectrum_candidate(&profile, &spec, 0, count, &choice)) {
            assert_int_equal(opencl_spectrum_plan(&s, &profile, &spec, &choice), 0);
            if (count++ == 0)
                assert_memory_equal(&s.choice, &first.choice, sizeof s.choice);
        }
        assert_true(count >= 3);
    }
}

/* Also where lines of memory are longer: 16 columns of 1M points have 0.93 of the rate on an H200.
 */
static void columns_are_read_in_eights(void **state)
{
    (void)state;
    const struct fft_spectrum_config spec = spec_of(1 << 20);
    struct opencl_profile profile;
    struct opencl_spectrum s;
    assert_true(opencl_profile_find("h200", &profile));
    assert_int_equal(opencl_spectrum_plan(&s, &profile, &spec, NULL), 0);
    assert_int_equal(s.rows[0], 8);
}

/* The rows of a pass that go through all stages before the next rows start. */
static uint32_t chunk_rows(const char *name, uint32_t n, uint32_t rows)
{
    const struct engine_pass pass = {
        .n = n, .from = 1, .to = 1, .rows = {{rows, n, n}, {1, 0, 0}, {1, 0, 0}}};
    struct opencl_profile profile;
    struct opencl_pass p;
    assert_true(opencl_profile_find(name, &profile));
    assert_int_equal(opencl_pass_plan(&p, &profile, &pass, NULL), 0);
    return p.chunk_rows;
}

/* 16M points at a time on an H200 (1.13 to 1.45 times as fast as 2M), as few as keep a Mali busy.
 */
static void rows_in_memory_of_their_own_are_not_kept_in_the_cache(void **state)
{
    (void)state;
    assert_int_equal(chunk_rows("h200", 4096, 4096), 4096);
    assert_int_equal(chunk_rows("h200", 4096, 8192), 132 * 32);
    assert_int_equal(chunk_rows("mali-g52", 4096, 4096), 8);
    assert_int_equal(chunk_rows("mali-g52", 65536, 4096), 1);
}

/* The four that are measured (opencl_measure.c) include the other strategy of each device. */
static void candidates_include_another_strategy(void **state)
{
    (void)state;
    const struct fft_spectrum_config spec = spec_of(1024);
    struct opencl_profile profile;
    struct opencl_choice choice;
    assert_true(opencl_profile_find("mali-g52", &profile));
    assert_true(opencl_spectrum_candidate(&profile, &spec, 0, 3, &choice));
    assert_int_equal(choice.strategy, OPENCL_DIGITREV);
    assert_true(opencl_profile_find("h200", &profile));
    assert_true(opencl_spectrum_candidate(&profile, &spec, 0, 3, &choice));
    assert_int_equal(choice.strategy, OPENCL_FOURSTEP);
}

/* ---- programs ---------------------------------------------------------------------------- */

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.cl", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Writes the program of each strategy with all of its options: formats, detectors, density,
 * radices. */
static int write_programs(const char *folder)
{
    static const char *const choices[] = {"passes",
                                          "passes radix=16 columns=1",
                                          "local",
                                          "digitrev",
                                          "fourstep",
                                          "digitrev columns=1",
                                          "fourstep radix=32",
                                          "digitrev radix=8 roots=1",
                                          "passes half=1",
                                          "digitrev columns=1 half=1"};
    static char text[1 << 20];
    struct opencl_profile profile;
    assert_true(opencl_profile_find("h200", &profile));
    for (uint32_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        for (unsigned all = 0; all < 2; all++) {
            struct fft_spectrum_config spec = spec_of(i % 2 ? 1024 : 4096);
            struct opencl_choice choice;
            struct opencl_spectrum s;
            char name[64];
            spec.format = (enum fft_iq_format)((2 * i + all) % FFT_IQ_FORMATS);
            spec.detectors =
                all ? FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE
                    : FFT_DETECTOR_MEAN;
            spec.density = all ? (struct fft_density){100, 61, -20, 0.5F} : (struct fft_density){0};
            assert_true(opencl_choice_parse(&choice, choices[i]));
            assert_int_equal(opencl_spectrum_plan(&s, &profile, &spec, &choice), 0);
            assert_true(opencl_spectrum_source(&s, text, sizeof text) < sizeof text);
            snprintf(name, sizeof name, "%s%u_%s_%s", choice.half ? "half_" : "", i,
                     opencl_strategy_name(choice.strategy), all ? "all" : "mean");
            write_text(folder, name, text);
        }
    const struct engine_pass pass = {
        .n = 64, .from = 1, .to = 1, .rows = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}};
    struct opencl_pass p;
    assert_int_equal(opencl_pass_plan(&p, &profile, &pass, NULL), 0);
    assert_true(opencl_pass_source(&p, text, sizeof text) < sizeof text);
    write_text(folder, "transform", text);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_match_the_reviewed_file),
        cmocka_unit_test(local_memory_is_used_where_it_is_fast_and_holds_a_frame),
        cmocka_unit_test(no_plan_asks_for_more_than_a_device_has),
        cmocka_unit_test(local_memory_beyond_the_reported_size_is_known_by_chip),
        cmocka_unit_test(a_work_item_gets_as_many_points_as_it_has_registers_for),
        cmocka_unit_test(printed_choices_parse_to_the_same_choice),
        cmocka_unit_test(every_choice_of_a_radix_is_planned_or_refused),
        cmocka_unit_test(only_plans_with_passes_store_halves),
        cmocka_unit_test(candidates_are_plans_and_the_first_is_the_planners_own),
        cmocka_unit_test(candidates_include_another_strategy),
        cmocka_unit_test(columns_are_read_in_eights),
        cmocka_unit_test(rows_in_memory_of_their_own_are_not_kept_in_the_cache),
    };
    if (argc > 1 && strcmp(argv[1], "--write") == 0) {
        FILE *file = fopen(GOLDEN_PLANS, "w");
        if (!file)
            return 1;
        explain_all(file);
        return fclose(file) == 0 ? 0 : 1;
    }
    if (argc > 2 && strcmp(argv[1], "--programs") == 0)
        return write_programs(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
