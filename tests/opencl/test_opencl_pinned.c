/* test_opencl_pinned.c - tests that samples in a block of the caller's cross the bus without a
 * copy, around its end, too, and that a driver may refuse the block. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/engine/test_engines.h"
#include "tests/support/opencl/machine.h"

enum { N = STREAM_N, FRAMES = 9, RING = 4096 }; /* samples in the ring: every stream goes around */

static struct batch_stream pinned(const struct ring *ring, uint32_t hop, uint32_t depth)
{
    return (struct batch_stream){.hop = hop,
                                 .depth = depth,
                                 .frames = FRAMES,
                                 .format = FFT_IQ_CS16,
                                 .ring = ring,
                                 .pin = true};
}

static void a_block_of_the_caller_crosses_the_bus_by_itself(void **state)
{
    static const uint32_t hops[] = {N / 4, N, 77};
    struct ring ring = ring_make(FFT_IQ_CS16, RING);
    (void)state;
    for (unsigned i = 0; i < 3 * MOCK_ORDERS; i++) {
        const struct batch_stream r = pinned(&ring, hops[i % 3], 3);
        struct mock_opencl *mock = machine_reset();
        mock->order = (enum mock_order)(i / 3);
        mock->unified = false;
        struct fft_fold *fold = machine_stream(&r, mock);
        stream_expect_reference(&r, fold);
        fft_fold_destroy(fold);
        assert_true(stream_samples(&r) > RING);
        assert_int_equal(mock->counts.bytes_in, stream_samples(&r) * 4);
        assert_int_equal(mock->counts.bytes_pinned, mock->counts.bytes_in);
        assert_int_equal(mock->alive, 0);
    }
    free(ring.memory);
}

static void a_driver_that_takes_no_block_gets_copies_of_it(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, RING);
    const struct batch_stream r = pinned(&ring, N / 2, 3);
    (void)state;
    struct mock_opencl *mock = machine_reset();
    mock->unified = false;
    mock->borrows_nothing = true;
    struct fft_fold *fold = machine_stream(&r, mock);
    stream_expect_reference(&r, fold);
    fft_fold_destroy(fold);
    assert_int_equal(mock->counts.bytes_pinned, 0);
    assert_int_equal(mock->alive, 0);
    free(ring.memory);
}

static void a_block_is_given_to_the_driver_once(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, RING);
    const struct batch_stream r = pinned(&ring, N / 2, 2);
    float *window = test_window(FFT_WINDOW_HANN, N);
    const struct fft_spectrum_config plan = stream_plan(&r, window);
    (void)state;
    struct mock_opencl *mock = machine_reset();
    mock->unified = false;
    struct fft_engine *e = machine_engine("opencl", NULL);
    struct fft_spectrum *first, *second;
    assert_int_equal(fft_spectrum_create(&first, e, &plan, NULL, 0), 0);
    assert_int_equal(mock->borrowed, 1);
    assert_int_equal(fft_spectrum_create(&second, e, &plan, NULL, 0), 0);
    assert_int_equal(mock->borrowed, 1);
    fft_spectrum_destroy(first);
    assert_int_equal(mock->borrowed, 1);
    fft_spectrum_destroy(second);
    assert_int_equal(mock->borrowed, 0);
    fft_engine_close(e);
    assert_int_equal(mock->alive, 0);
    free(window);
    free(ring.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_of_the_caller_crosses_the_bus_by_itself),
        cmocka_unit_test(a_driver_that_takes_no_block_gets_copies_of_it),
        cmocka_unit_test(a_block_is_given_to_the_driver_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
