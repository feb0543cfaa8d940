/*
 * test_opencl_spectrum.c - tests the kernels of fused spectra, launched as planned, on a real
 * compiler and device: PoCL, unless FFTD_TEST_OPENCL_DEVICE names another.
 *
 *     test_opencl_spectrum        every choice, with some lengths and numbers of frames
 *     test_opencl_spectrum all    every choice with all of them
 *     test_opencl_spectrum few    short frames, for slow devices
 */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/opencl/batch_check.h"

static struct device device;
static bool all_pairs; /* even if the compiler takes long */

static const unsigned all_detectors =
    FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE;

/* The choices to test. */
static const char *const choices[] = {"digitrev",
                                      "digitrev radix=16 columns=1",
                                      "digitrev radix=8 roots=1",
                                      "passes",
                                      "passes roots=1",
                                      "passes radix=4",
                                      "passes radix=16 columns=1",
                                      "passes radix=2",
                                      "local",
                                      "local radix=4",
                                      "local radix=32",
                                      "fourstep",
                                      "fourstep radix=32",
                                      "fourstep radix=4 group=64"};
enum { CHOICES = sizeof choices / sizeof choices[0] };

/* The first choice has every length. 4096 points of each: the_worst_spur_is_120_db_below_a_tone. */
static void every_strategy_and_length_matches_the_reference(void **state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i++) {
        const uint32_t first = i == 0 || i % 2 || all_pairs ? 64 : 512;
        const uint32_t step = i == 0 ? 2 : all_pairs ? 8 : 1024;
        for (uint32_t n = first; n <= 8192; n *= step) {
            const struct fft_spectrum_config plan = {.n = n,
                                                     .hop = n / 2 + 1,
                                                     .max_frames = 5,
                                                     .format = FFT_IQ_CS16,
                                                     .detectors = all_detectors};
            batch_conforms(&device, &plan, choices[i], 5, 3e-7);
        }
    }
}

static void every_format_matches_the_reference(void **state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i += CHOICES - 1)
        for (unsigned format = 0; format < FFT_IQ_FORMATS; format++) {
            const struct fft_spectrum_config plan = {.n = 512,
                                                     .hop = 77,
                                                     .max_frames = 9,
                                                     .format = (enum fft_iq_format)format,
                                                     .detectors = FFT_DETECTOR_MEAN};
            batch_conforms(&device, &plan, choices[i], 9, 3e-7);
        }
}

/* Chunks of a few frames: each continues the detectors of the previous one. Groups divide a chunk.
 */
static void chunks_and_groups_fold_into_one_batch(void **state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i++)
        for (uint32_t frames = 1; frames <= 7; frames += 2) {
            char text[64];
            if (!all_pairs && frames / 2 != (uint32_t)i % 4)
                continue;
            snprintf(text, sizeof text, "%s chunk=%u", choices[i], 2 + frames % 3);
            const struct fft_spectrum_config plan = {.n = 256,
                                                     .hop = 256,
                                                     .max_frames = 7,
                                                     .format = FFT_IQ_CU8,
                                                     .detectors = all_detectors,
                                                     .density = {100, 61, -20, 0.5F}};
            batch_conforms(&device, &plan, text, frames, 3e-7);
        }
}

/* As on a GPU with more units than columns keep busy; the last chunk has fewer frames than rows. */
static void several_work_items_count_the_levels_of_a_column(void **state)
{
    const struct opencl_profile own = device.profile;
    (void)state;
    device.profile.type = OPENCL_GPU;
    device.profile.units = 132;
    for (uint32_t frames = 1; frames <= 9; frames += 4) {
        const struct fft_spectrum_config plan = {.n = 256,
                                                 .hop = 100,
                                                 .max_frames = 9,
                                                 .format = FFT_IQ_CS16,
                                                 .detectors = all_detectors,
                                                 .density = {100, 61, -20, 0.5F}};
        batch_conforms(&device, &plan, "passes chunk=4", frames, 3e-7);
    }
    device.profile = own;
}

static double worst_spur(const char *choice_text)
{
    return batch_spur(&device, choice_text, 4096, 1);
}

static void the_worst_spur_is_120_db_below_a_tone(void **state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i++)
        if (!(worst_spur(choices[i]) <= -120))
            fail_msg("%s: a spur of %.1f dBc", choices[i], worst_spur(choices[i]));
}

/* A few frames of each kind for slow simulators, which detect data races and accesses outside of
 * buffers. */
static void a_few_short_frames_match_the_reference(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        const char *choice;
    } few[] = {{64, "passes"},          {128, "digitrev"},
               {64, "local"},           {256, "local radix=4 group=64"},
               {512, "local radix=32"}, {256, "fourstep"},
               {64, "passes half=1"},   {512, "digitrev half=1"}};
    for (size_t i = 0; i < sizeof few / sizeof few[0]; i++) {
        const struct fft_spectrum_config plan = {.n = few[i].n,
                                                 .hop = 50,
                                                 .max_frames = 5,
                                                 .format = FFT_IQ_CS16,
                                                 .detectors = all_detectors,
                                                 .density = {10, 61, -20, 0.5F}};
        batch_conforms(&device, &plan, few[i].choice, 5,
                       strstr(few[i].choice, "half") ? 1e-3 : 3e-7);
    }
}

static int open_device(void **state)
{
    (void)state;
    device_open_or_skip(&device);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    device_close(&device);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest few[] = {cmocka_unit_test(a_few_short_frames_match_the_reference)};
    const struct CMUnitTest all[] = {
        cmocka_unit_test(every_strategy_and_length_matches_the_reference),
        cmocka_unit_test(every_format_matches_the_reference),
        cmocka_unit_test(chunks_and_groups_fold_into_one_batch),
        cmocka_unit_test(several_work_items_count_the_levels_of_a_column),
        cmocka_unit_test(the_worst_spur_is_120_db_below_a_tone),
    };
    if (argc > 1 && strcmp(argv[1], "few") == 0)
        return cmocka_run_group_tests(few, open_device, close_device);
    all_pairs = argc > 1 && strcmp(argv[1], "all") == 0;
    return cmocka_run_group_tests(all, open_device, close_device);
}
