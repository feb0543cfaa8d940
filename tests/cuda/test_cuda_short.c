/*
 * test_cuda_short.c - short batches: replayed graphs, and single frames, which a kernel reads in
 * place from the ring and whose completion it signals itself.
 */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "tests/support/cuda/machine.h"
#include "tests/support/engine/test_engines.h"

/*
 * A full short batch is one graph launch without a copy. A batch with fewer frames makes single
 * launches.
 */
static void short_batches_are_graphs(void **state)
{
    struct ring ring = ring_make(FFT_IQ_CS16, 10000);
    const struct batch_stream r = {
        .hop = STREAM_N, .depth = 2, .frames = 6, .format = FFT_IQ_CS16, .ring = &ring};
    (void)state;
    struct mock_cuda *mock = machine_reset();
    fft_fold_destroy(machine_stream(&r, "cuda", mock));
    assert_int_equal(mock->did.copies_in, 0);
    assert_int_equal(mock->did.bytes_out, 0);
    assert_int_equal(mock->did.graphs, STREAM_BATCHES - STREAM_BATCHES / 5);
    free(ring.memory);
}

/* ---- single frames ---------------------------------------------------------------------- */

enum { RING = 1000, FRAMES = 40, HOP = 100 };

struct singles {
    struct ring ring;
    struct mock_cuda *mock;
    struct fft_engine *engine;
    struct fft_spectrum *spectrum;
    float *window;
    struct fft_spectrum_config plan;
};

static struct singles begin_with(enum fft_iq_format format, enum mock_order order, bool pin)
{
    struct singles s = {.ring = ring_make(format, RING), .mock = machine_reset()};
    s.engine = machine_engine("cuda");
    s.window = test_window(FFT_WINDOW_HANN, STREAM_N);
    s.plan = (struct fft_spectrum_config){.n = STREAM_N,
                                          .hop = HOP,
                                          .max_frames = 1,
                                          .depth = 3,
                                          .format = format,
                                          .detectors = FFT_DETECTOR_MEAN,
                                          .window = s.window,
                                          .memory = pin ? s.ring.memory : NULL,
                                          .memory_bytes = RING * fft_iq_bytes(format)};
    s.mock->order = order;
    assert_int_equal(fft_spectrum_create(&s.spectrum, s.engine, &s.plan, NULL, 0), 0);
    s.mock->did = (struct mock_counts){0};
    return s;
}

/* Frames of 2 KiB, which are not worth a copy. */
static struct singles begin(enum mock_order order, bool pin)
{
    return begin_with(FFT_IQ_CF32, order, pin);
}

static void end(struct singles *s)
{
    fft_spectrum_destroy(s->spectrum);
    fft_engine_close(s->engine);
    assert_int_equal(s->mock->alive, 0);
    assert_int_equal(s->mock->registered, 0);
    free(s->window);
    free(s->ring.memory);
}

static const unsigned char *span(const struct singles *s, uint64_t position)
{
    return s->ring.memory + position % RING * fft_iq_bytes(s->plan.format);
}

static void expect(const struct singles *s, const struct fft_partial *p)
{
    struct reference want;
    reference_spectrum(&want, &s->plan, span(s, p->position), 1);
    for (uint32_t k = 0; k < STREAM_N; k++)
        assert_near(p->sum[k], want.mean[k], 1e-5 * want.mean[k] + 1e-12);
    reference_finish(&want);
}

static void run_singles(const struct singles *s)
{
    struct fft_partial p;
    for (uint64_t in = 0, out = 0; out < FRAMES;) {
        if (in < FRAMES &&
            fft_spectrum_submit(s->spectrum, span(s, in * HOP), in * HOP, 1, 0) == 0) {
            in++;
            continue;
        }
        assert_int_equal(fft_spectrum_poll(s->spectrum, &p, -1), 1);
        assert_int_equal(p.position, out++ * HOP);
        expect(s, &p);
        fft_spectrum_release(s->spectrum);
    }
}

/* Frames that leave the first mapping are staged: the last 2 of every 10 in the ring. */
static void single_frames_are_read_in_place(void **state)
{
    (void)state;
    for (enum mock_order order = 0; order < MOCK_ORDERS; order++) {
        struct singles s = begin(order, true);
        run_singles(&s);
        assert_int_equal(s.mock->did.graphs, FRAMES);
        assert_int_equal(s.mock->did.copies_in, 0);
        assert_in_range(s.mock->did.retargeted, FRAMES * 8 / 10, FRAMES);
        end(&s);
    }
}

static void memory_that_no_device_can_read_is_staged(void **state)
{
    (void)state;
    for (enum mock_order order = 0; order < MOCK_ORDERS; order++) {
        struct singles s = begin(order, false);
        run_singles(&s);
        assert_int_equal(s.mock->did.graphs, FRAMES);
        assert_int_equal(s.mock->did.retargeted, 0);
        end(&s);
    }
}

static void short_spans_are_copied(void **state)
{
    (void)state;
    for (enum mock_order order = 0; order < MOCK_ORDERS; order++) {
        struct singles s = begin_with(FFT_IQ_CS16, order, true);
        run_singles(&s);
        assert_int_equal(s.mock->did.graphs, FRAMES);
        assert_int_equal(s.mock->did.retargeted, 0);
        end(&s);
    }
}

static void run_single(const struct singles *s, uint64_t position)
{
    struct fft_partial p;
    assert_int_equal(fft_spectrum_submit(s->spectrum, span(s, position), position, 1, 0), 0);
    assert_int_equal(fft_spectrum_poll(s->spectrum, &p, -1), 1);
    expect(s, &p);
    fft_spectrum_release(s->spectrum);
}

/* From the third frame on, all entries have a graph. */
static void the_graph_of_the_next_frame_is_retargeted_ahead(void **state)
{
    (void)state;
    struct singles s = begin(MOCK_EAGER, true);
    for (uint64_t i = 0; i < 7; i++) {
        run_single(&s, i * HOP);
        assert_int_equal(s.mock->did.retargeted, i < 2 ? i + 1 : i + 2);
    }
    end(&s);
}

/* A frame that is not where it was expected is read from where it is. */
static void frames_need_not_follow_one_another(void **state)
{
    static const uint64_t positions[] = {0, 1, 2, 3, 12, 13, 14, 5, 6, 7, 8, 9, 10, 20, 22, 24};
    (void)state;
    for (enum mock_order order = 0; order < MOCK_ORDERS; order++) {
        struct singles s = begin(order, true);
        for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++)
            run_single(&s, positions[i] * HOP);
        end(&s);
    }
}

static void a_graph_that_is_not_retargeted_ahead_is_retargeted_later(void **state)
{
    (void)state;
    struct singles s = begin(MOCK_EAGER, true);
    for (uint64_t i = 0; i < 7; i++) {
        if (i == 3) { /* its own graph has its target already */
            s.mock->fail = "cuGraphExecKernelNodeSetParams_v2";
            s.mock->fail_after = 1;
            s.mock->fail_code = 1;
        }
        run_single(&s, i * HOP);
    }
    assert_int_equal(s.mock->did.retargeted, 8);
    end(&s);
}

/* A graph keeps its target: the same address costs no call. */
static void a_graph_is_retargeted_only_for_another_span(void **state)
{
    struct fft_partial p;
    (void)state;
    struct singles s = begin(MOCK_EAGER, true);
    for (uint64_t i = 0; i < 9; i++) {
        assert_int_equal(fft_spectrum_submit(s.spectrum, span(&s, 0), 7 * i * RING, 1, 0), 0);
        assert_int_equal(fft_spectrum_poll(s.spectrum, &p, -1), 1);
        fft_spectrum_release(s.spectrum);
    }
    assert_int_equal(s.mock->did.retargeted, 3); /* one per entry */
    end(&s);
}

static void a_device_lost_with_a_single_frame_is_noticed(void **state)
{
    struct fft_partial p;
    (void)state;
    struct singles s = begin(MOCK_LATE, true);
    assert_int_equal(fft_spectrum_submit(s.spectrum, span(&s, 0), 0, 1, 0), 0);
    s.mock->stalled = true;
    assert_int_equal(fft_spectrum_poll(s.spectrum, &p, 1), 0);
    s.mock->lost = true;
    assert_int_equal(fft_spectrum_poll(s.spectrum, &p, 0), -EIO);
    assert_int_equal(fft_spectrum_poll(s.spectrum, &p, -1), -EIO);
    assert_string_equal(fft_spectrum_last_error(s.spectrum),
                        "the device was lost: CUDA_ERROR_ILLEGAL_ADDRESS (700)");
    s.mock->lost = s.mock->stalled = false;
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_batches_are_graphs),
        cmocka_unit_test(single_frames_are_read_in_place),
        cmocka_unit_test(memory_that_no_device_can_read_is_staged),
        cmocka_unit_test(short_spans_are_copied),
        cmocka_unit_test(the_graph_of_the_next_frame_is_retargeted_ahead),
        cmocka_unit_test(frames_need_not_follow_one_another),
        cmocka_unit_test(a_graph_that_is_not_retargeted_ahead_is_retargeted_later),
        cmocka_unit_test(a_graph_is_retargeted_only_for_another_span),
        cmocka_unit_test(a_device_lost_with_a_single_frame_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
