/* test_opencl_half.c - tests spectra whose points between passes are 16-bit floats, on a real
 * compiler and device: PoCL, unless FFTD_TEST_OPENCL_DEVICE names another. */
#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/support/opencl/batch_check.h"

static struct device device;

/*
 * Rounding to the 11 bits of a 16-bit float leaves a relative error of 2^-11 / sqrt(3) / 1.5 rms
 * (uniform, in a mantissa whose rms is 1.5): 1.9e-4, -74.5 dB, for each pass but the last. Half of
 * its power changes the amplitude.
 */
static double half_error(uint32_t stored_passes)
{
    return 1.9e-4 * sqrt(stored_passes / 2.0);
}

static const struct {
    const char *choice;
    uint32_t n, stored_passes;
} halves[] = {{"passes half=1", 64, 1},
              {"passes half=1", 4096, 3},
              {"passes radix=2 half=1", 1024, 9},
              {"passes radix=16 columns=1 half=1", 65536, 3},
              {"passes radix=4 columns=1 half=1", 256, 3},
              {"passes roots=1 half=1", 512, 2},
              {"digitrev half=1", 4096, 3},
              {"digitrev radix=16 columns=1 half=1", 8192, 3},
              {"digitrev chunk=2 half=1", 65536, 5}};

/* Every detector and format. Bins of max and min differ from the mean, and so do their errors. Less
 * than half of the error would not be 11 bits. */
static void half_storage_adds_the_error_of_its_eleven_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++) {
        const struct fft_spectrum_config plan = {.n = halves[i].n,
                                                 .hop = halves[i].n / 2 + 1,
                                                 .max_frames = 5,
                                                 .format = (enum fft_iq_format)(i % FFT_IQ_FORMATS),
                                                 .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX |
                                                              FFT_DETECTOR_MIN |
                                                              FFT_DETECTOR_SAMPLE};
        const double expected = half_error(halves[i].stored_passes);
        const double worst = batch_conforms(&device, &plan, halves[i].choice, 5, 4 * expected);
        assert_true(worst >= expected / 2);
    }
}

/* The errors spread over all bins. 80 dB below full scale or 30 dB above it makes no difference:
 * the values are floats. */
static void the_worst_spur_of_half_storage_is_70_db_below_a_tone(void **state)
{
    (void)state;
    static const double amplitudes[] = {1e-4, 1, 30};
    for (size_t i = 0; i < 3 * sizeof halves / sizeof halves[0]; i++) {
        const char *choice = halves[i / 3].choice;
        const double spur = batch_spur(&device, choice, halves[i / 3].n, amplitudes[i % 3]);
        if (!(spur <= -70))
            fail_msg("%s, n %u, amplitude %g: a spur of %.1f dBc", choice, halves[i / 3].n,
                     amplitudes[i % 3], spur);
    }
}

static void half_storage_halves_the_points_between_passes(void **state)
{
    (void)state;
    const struct fft_spectrum_config plan = {.n = 4096,
                                             .hop = 4096,
                                             .max_frames = 1,
                                             .format = FFT_IQ_CS16,
                                             .detectors = FFT_DETECTOR_MEAN};
    struct opencl_choice choice;
    struct opencl_spectrum s;
    size_t bytes[2];
    for (int half = 0; half < 2; half++) {
        assert_true(opencl_choice_parse(&choice, half ? "passes half=1" : "passes"));
        assert_int_equal(opencl_spectrum_plan(&s, &device.profile, &plan, &choice), 0);
        bytes[half] = s.scratch_bytes;
    }
    assert_int_equal(bytes[0], 2 * 4096 * 8);
    assert_int_equal(bytes[1], 2 * 4096 * 4);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_storage_adds_the_error_of_its_eleven_bits),
        cmocka_unit_test(the_worst_spur_of_half_storage_is_70_db_below_a_tone),
        cmocka_unit_test(half_storage_halves_the_points_between_passes),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
