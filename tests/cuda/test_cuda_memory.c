/*
 * test_cuda_memory.c - the host memory that spectra take, against what the driver was asked for,
 * and pinned memory that spectra of two threads share.
 */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>

#include "tests/support/cuda/machine.h"
#include "tests/support/engine/concurrent_plans.h"
#include "tests/support/engine/test_engines.h"

static void the_host_memory_of_a_plan_is_known_before_it_is_taken(void **state)
{
    (void)state;
    float *window = test_window(FFT_WINDOW_HANN, STREAM_N);
    for (int devices = 1; devices <= 3; devices += 2) {
        struct mock_cuda *mock = machine_reset();
        mock->devices = devices;
        struct fft_engine *e = machine_engine("cuda");
        for (uint32_t frames = 200; frames <= 1600; frames *= 8) {
            const struct fft_spectrum_config plan = {.n = STREAM_N,
                                                     .hop = STREAM_N / 2,
                                                     .max_frames = frames,
                                                     .depth = 3,
                                                     .format = FFT_IQ_CS16,
                                                     .detectors = FFT_DETECTOR_MEAN,
                                                     .window = window};
            struct fft_spectrum *s;
            const size_t before = mock->host, bytes = fft_spectrum_device_bytes(e, &plan);
            assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
            const size_t taken = mock->host - before;
            assert_true(taken > (size_t)3 * frames * STREAM_N / 2 * 4); /* staging: no ring */
            assert_in_range(bytes, taken, taken + (size_t)devices * 16 * STREAM_N);
            fft_spectrum_destroy(s);
        }
        fft_engine_close(e);
        assert_int_equal(mock->host, 0);
    }
    free(window);
}

static void a_plan_is_made_while_another_one_runs(void **state)
{
    (void)state;
    for (int devices = 1; devices < 3; devices++) {
        struct mock_cuda *mock = machine_reset();
        mock->devices = devices;
        struct fft_engine *e = machine_engine(devices > 1 ? "cuda:all" : "cuda");
        concurrent_plans_check(e, STREAM_N, 10);
        fft_engine_close(e);
        assert_int_equal(mock->host, 0);
        assert_int_equal(mock->alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_memory_of_a_plan_is_known_before_it_is_taken),
        cmocka_unit_test(a_plan_is_made_while_another_one_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
