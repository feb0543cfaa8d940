/*
 * test_cuda_stream.c - batches through the streams of the engine, in every order in which a device
 * may work: correct spectra, each sample over the bus once, and no wait in submit.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cuda/machine.h"
#include "tests/support/engine/test_engines.h"

/* Of cs16: the engine does not know the ring. */
static struct batch_stream staged(const struct ring *ring, uint32_t hop, uint32_t depth,
                                  uint32_t frames)
{
    return (struct batch_stream){
        .hop = hop, .depth = depth, .frames = frames, .format = FFT_IQ_CS16, .ring = ring};
}

/* The same, with the address of the ring. */
static struct batch_stream pinned(const struct ring *ring, uint32_t hop, uint32_t depth,
                                  uint32_t frames)
{
    struct batch_stream r = staged(ring, hop, depth, frames);
    r.pin = true;
    return r;
}

/* ---- right in any order ----------------------------------------------------------------- */

static void expect_same(const struct fft_fold *a, const struct fft_fold *b)
{
    float one[STREAM_N], other[STREAM_N];
    for (unsigned detector = 1; detector < 1U << FFT_DETECTORS; detector *= 2) {
        fft_fold_detector(a, detector, one);
        fft_fold_detector(b, detector, other);
        assert_memory_equal(one, other, sizeof one);
    }
}

/* Correct in one order, and the same in all orders. */
static void streams_are_right(const struct batch_stream *wanted)
{
    struct fft_fold *first = NULL;
    struct batch_stream r = *wanted;
    for (unsigned order = 0; order < MOCK_ORDERS; order++) {
        struct mock_cuda *mock = machine_reset();
        mock->order = (enum mock_order)order;
        struct fft_fold *fold = machine_stream(&r, "cuda", mock);
        assert_int_equal(mock->alive, 0);
        assert_int_equal(mock->registered, 0);
        if (first) {
            expect_same(first, fold);
            fft_fold_destroy(fold);
        } else {
            first = fold;
            stream_expect_reference(&r, first);
        }
    }
    fft_fold_destroy(first);
}

/* More than 100 frames per batch are too long for the short path. */
static void overlapped_batches_are_right_in_any_order(void **state)
{
    static const uint32_t depths[] = {1, 2, 7};
    struct ring ring = ring_make(FFT_IQ_CS16, 40000);
    (void)state;
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        struct batch_stream r = {.hop = STREAM_N / 4,
                                 .depth = depths[i],
                                 .frames = 300,
                                 .format = FFT_IQ_CS16,
                                 .ring = &ring};
        streams_are_right(&r);
        r.pin = true;
        streams_are_right(&r);
    }
    free(ring.memory);
}

static void any_hop_is_right_in_any_order(void **state)
{
    static const uint32_t hops[] = {STREAM_N, STREAM_N - 1, 77};
    (void)state;
    for (unsigned format = 0; format < FFT_IQ_FORMATS; format++) {
        struct ring ring = ring_make((enum fft_iq_format)format, 100003);
        for (size_t i = 0; i < sizeof hops / sizeof hops[0]; i++) {
            const struct batch_stream r = {.hop = hops[i],
                                           .depth = 3,
                                           .frames = 420,
                                           .format = (enum fft_iq_format)format,
                                           .ring = &ring,
                                           .pin = true};
            if ((uint64_t)r.frames * r.hop + STREAM_N <= ring.samples)
                streams_are_right(&r);
        }
        free(ring.memory);
    }
}

static void short_batches_are_right_in_any_order(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CU8, 10000);
    const struct batch_stream r = {.hop = STREAM_N / 2,
                                   .depth = 4,
                                   .frames = 6,
                                   .format = FFT_IQ_CU8,
                                   .ring = &ring,
                                   .pin = true};
    (void)state;
    streams_are_right(&r);
    free(ring.memory);
}

/* ---- what crosses the bus --------------------------------------------------------------- */

static void each_sample_crosses_the_bus_once(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, 40000);
    struct batch_stream r = staged(&ring, STREAM_N / 4, 3, 300);
    (void)state;
    for (int pin = 0; pin < 2; pin++) {
        struct mock_cuda *mock = machine_reset();
        r.pin = pin;
        fft_fold_destroy(machine_stream(&r, "cuda", mock));
        assert_int_equal(mock->did.bytes_in, stream_samples(&r) * 4);
    }
    free(ring.memory);
}

static void a_gap_is_no_overlap(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, 40000);
    struct batch_stream r = pinned(&ring, STREAM_N / 2, 2, 180);
    const uint64_t starts[] = {0, 180 * 128, 180 * 128 + 180 * 128 + 1, 7, 7};
    const uint64_t fresh[] = {181 * 128, 180 * 128, 181 * 128, 181 * 128, 181 * 128};
    float *window = test_window(FFT_WINDOW_HANN, STREAM_N);
    const struct fft_spectrum_config plan = stream_plan(&r, window);
    struct fft_spectrum *s;
    struct fft_partial p;
    (void)state;
    struct mock_cuda *mock = machine_reset();
    struct fft_engine *e = machine_engine("cuda");
    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        mock->did.bytes_in = 0;
        assert_int_equal(fft_spectrum_submit(s, stream_span(&r, starts[i]), starts[i], 180, 0), 0);
        assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
        assert_int_equal(mock->did.bytes_in, fresh[i] * 4);
        fft_spectrum_release(s);
    }
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    free(window);
    free(ring.memory);
}

static void a_span_across_the_rings_end_is_two_copies(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, 60000);
    const struct batch_stream r = pinned(&ring, STREAM_N, 2, 90);
    (void)state;
    struct mock_cuda *mock = machine_reset();
    struct fft_fold *fold = machine_stream(&r, "cuda", mock);
    stream_expect_reference(&r, fold);
    fft_fold_destroy(fold);
    assert_int_equal(mock->did.copies_in, STREAM_BATCHES + stream_samples(&r) / ring.samples);
    free(ring.memory);
}

static void memory_that_cannot_be_pinned_is_staged_and_named(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, 60000);
    const struct batch_stream r = pinned(&ring, STREAM_N, 2, 90);
    float *window = test_window(FFT_WINDOW_HANN, STREAM_N);
    const struct fft_spectrum_config plan = stream_plan(&r, window);
    struct fft_spectrum *s;
    (void)state;
    struct mock_cuda *mock = machine_reset();
    mock->unpinned = true;
    struct fft_fold *fold = machine_stream(&r, "cuda", mock);
    stream_expect_reference(&r, fold);
    fft_fold_destroy(fold);

    struct fft_engine *e = machine_engine("cuda");
    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    assert_non_null(strstr(fft_spectrum_note(s), "staging (the IQ ring cannot be pinned: "));
    fft_spectrum_destroy(s);
    mock->unpinned = false;
    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    assert_string_equal(fft_spectrum_note(s), "");
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    free(window);
    free(ring.memory);
}

/* A live change of plan: the new plan is created before the old one is destroyed. */
static void plans_of_one_ring_share_its_pinning(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, 60000), other = ring_make(FFT_IQ_CS16, 60000);
    const struct batch_stream r = pinned(&ring, STREAM_N, 2, 90);
    float *window = test_window(FFT_WINDOW_HANN, STREAM_N);
    struct fft_spectrum_config plan = stream_plan(&r, window);
    struct fft_spectrum *s[3];
    (void)state;
    struct mock_cuda *mock = machine_reset();
    struct fft_engine *e = machine_engine("cuda");
    const int before = (int)mock->registered;
    assert_int_equal(fft_spectrum_create(&s[0], e, &plan, NULL, 0), 0);
    assert_int_equal(fft_spectrum_create(&s[1], e, &plan, NULL, 0), 0);
    assert_string_equal(fft_spectrum_note(s[1]), "");
    assert_int_equal(mock->registered, before + 1);
    plan.memory = other.memory;
    assert_int_equal(fft_spectrum_create(&s[2], e, &plan, NULL, 0), 0);
    assert_int_equal(mock->registered, before + 2);
    fft_spectrum_destroy(s[0]);
    assert_int_equal(mock->registered, before + 2);
    fft_spectrum_destroy(s[1]);
    assert_int_equal(mock->registered, before + 1);
    fft_spectrum_destroy(s[2]);
    assert_int_equal(mock->registered, before);
    fft_engine_close(e);
    free(window);
    free(ring.memory);
    free(other.memory);
}

/* ---- several devices -------------------------------------------------------------------- */

static void all_devices_share_the_batches(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, 40000);
    const struct batch_stream r = pinned(&ring, STREAM_N / 2, 5, 180);
    (void)state;
    struct mock_cuda *mock = machine_reset();
    mock->devices = 3;
    struct fft_fold *fold = machine_stream(&r, "cuda:all", mock);
    stream_expect_reference(&r, fold);
    fft_fold_destroy(fold);
    assert_int_equal(mock->did.by_device[0], 2 * 5);
    assert_int_equal(mock->did.by_device[1], 2 * 5);
    assert_int_equal(mock->did.by_device[2], 2 * 4);
    assert_int_equal(mock->alive, 0);
    free(ring.memory);
}

/* ---- waiting and losing ----------------------------------------------------------------- */

static void submit_never_waits_and_poll_waits_no_longer_than_its_timeout(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, 40000);
    const struct batch_stream r = staged(&ring, STREAM_N, 3, 120);
    float *window = test_window(FFT_WINDOW_HANN, STREAM_N);
    const struct fft_spectrum_config plan = stream_plan(&r, window);
    struct fft_spectrum *s;
    struct fft_partial p;
    (void)state;
    struct mock_cuda *mock = machine_reset();
    struct fft_engine *e = machine_engine("cuda");
    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    mock->stalled = true; /* a submit that waited would hang */
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(fft_spectrum_submit(s, ring.memory, i, 120, 0), 0);
    assert_int_equal(fft_spectrum_submit(s, ring.memory, 3, 120, 0), -EAGAIN);
    assert_int_equal(fft_spectrum_poll(s, &p, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, 3), 0);
    mock->stalled = false;
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(fft_spectrum_poll(s, &p, 0), 1);
        assert_int_equal(p.position, i);
    }
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    free(window);
    free(ring.memory);
}

static void finishing_waits_for_what_still_reads_the_samples(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, 40000);
    const struct batch_stream r = pinned(&ring, STREAM_N, 3, 120);
    float *window = test_window(FFT_WINDOW_HANN, STREAM_N);
    const struct fft_spectrum_config plan = stream_plan(&r, window);
    struct fft_spectrum *s;
    (void)state;
    struct mock_cuda *mock = machine_reset();
    struct fft_engine *e = machine_engine("cuda");
    mock->order = MOCK_LATE;
    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(fft_spectrum_submit(s, ring.memory, i, 120, 0), 0);
    fft_spectrum_destroy(s);
    assert_int_equal(mock->did.abandoned, 0);
    assert_int_equal(mock->registered, 0);
    fft_engine_close(e);
    free(window);
    free(ring.memory);
}

static void a_lost_device_is_an_error_that_says_so(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, 40000);
    const struct batch_stream r = staged(&ring, STREAM_N, 3, 120);
    float *window = test_window(FFT_WINDOW_HANN, STREAM_N);
    const struct fft_spectrum_config plan = stream_plan(&r, window);
    struct fft_spectrum *s;
    struct fft_partial p;
    (void)state;
    struct mock_cuda *mock = machine_reset();
    struct fft_engine *e = machine_engine("cuda");
    assert_int_equal(fft_spectrum_create(&s, e, &plan, NULL, 0), 0);
    assert_int_equal(fft_spectrum_submit(s, ring.memory, 0, 120, 0), 0);
    mock->lost = true;
    assert_int_equal(fft_spectrum_poll(s, &p, -1), -EIO);
    assert_string_equal(fft_spectrum_last_error(s),
                        "the device was lost: CUDA_ERROR_ILLEGAL_ADDRESS (700)");
    assert_int_equal(fft_spectrum_submit(s, ring.memory, 1, 120, 0), -EIO);
    assert_non_null(strstr(fft_spectrum_last_error(s), "CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
    fft_spectrum_destroy(s);
    fft_engine_close(e);
    free(window);
    free(ring.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapped_batches_are_right_in_any_order),
        cmocka_unit_test(any_hop_is_right_in_any_order),
        cmocka_unit_test(short_batches_are_right_in_any_order),
        cmocka_unit_test(each_sample_crosses_the_bus_once),
        cmocka_unit_test(a_gap_is_no_overlap),
        cmocka_unit_test(a_span_across_the_rings_end_is_two_copies),
        cmocka_unit_test(memory_that_cannot_be_pinned_is_staged_and_named),
        cmocka_unit_test(plans_of_one_ring_share_its_pinning),
        cmocka_unit_test(all_devices_share_the_batches),
        cmocka_unit_test(submit_never_waits_and_poll_waits_no_longer_than_its_timeout),
        cmocka_unit_test(finishing_waits_for_what_still_reads_the_samples),
        cmocka_unit_test(a_lost_device_is_an_error_that_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
