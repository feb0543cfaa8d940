/* test_opencl_pinned.c - tests that samples in a block of the caller's cross the bus without a
 * copy, around its end, too, and that a driver may refuse the block. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/engine/test_engines.h"
#include "tests/support/opencl/stream.h"

enum { N = STREAM_N, BATCHES = STREAM_BATCHES, SAMPLES = STREAM_SAMPLES, RING = STREAM_RING };

/* The first RING bytes of raw, twice, as in two mappings of a block; raw then repeats them. */
static char *make_ring(char *raw, size_t bytes)
{
    char *at = malloc(2 * RING);
    assert_non_null(at);
    memcpy(at, raw, RING);
    memcpy(at + RING, raw, RING);
    for (size_t i = RING; i < bytes; i++)
        raw[i] = raw[i - RING];
    return at;
}

static void a_block_of_the_caller_crosses_the_bus_by_itself(void **state)
{
    struct stream r = {.depth = 3, .format = FFT_IQ_CS16};
    static const uint32_t hops[] = {N / 4, N, 77};
    char *raw = test_noise(r.format, SAMPLES, 1);
    char *ring = make_ring(raw, SAMPLES * 4);
    (void)state;
    r.ring = ring;
    for (unsigned i = 0; i < 3 * MOCK_ORDERS; i++) {
        struct mock_opencl *mock = machine_reset();
        r.order = (enum mock_order)(i / 3);
        r.hop = hops[i % 3];
        struct fft_fold *fold = stream_run(&r, mock, raw);
        stream_check(&r, fold, raw);
        fft_fold_destroy(fold);
        assert_true(stream_frames_before(BATCHES) * r.hop * 4 > RING); /* it goes around */
        assert_int_equal(mock->counts.bytes_in,
                         ((stream_frames_before(BATCHES) - 1) * r.hop + N) * 4);
        assert_int_equal(mock->counts.bytes_pinned, mock->counts.bytes_in);
        assert_int_equal(mock->alive, 0);
    }
    free(ring);
    free(raw);
}

static void a_driver_that_takes_no_block_gets_copies_of_it(void **state)
{
    struct stream r = {.hop = N / 2, .depth = 3, .format = FFT_IQ_CS16};
    char *raw = test_noise(r.format, SAMPLES, 1);
    char *ring = make_ring(raw, SAMPLES * 4);
    (void)state;
    struct mock_opencl *mock = machine_reset();
    r.ring = ring;
    mock->borrows_nothing = true;
    struct fft_fold *fold = stream_run(&r, mock, raw);
    stream_check(&r, fold, raw);
    fft_fold_destroy(fold);
    assert_int_equal(mock->counts.bytes_pinned, 0);
    assert_int_equal(mock->alive, 0);
    free(ring);
    free(raw);
}

static void a_block_is_given_to_the_driver_once(void **state)
{
    struct stream r = {.hop = N / 2, .depth = 2, .format = FFT_IQ_CS16};
    float *window = test_window(FFT_WINDOW_HANN, N);
    char *raw = test_noise(r.format, SAMPLES, 1);
    char *ring = make_ring(raw, SAMPLES * 4);
    (void)state;
    struct mock_opencl *mock = machine_reset();
    mock->unified = false;
    struct fft_engine *e = machine_engine("opencl", NULL);
    struct fft_spectrum *first, *second;
    r.ring = ring;
    const struct fft_spectrum_plan plan = stream_plan(&r, window);
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
    free(ring);
    free(raw);
    free(window);
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
