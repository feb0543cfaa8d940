/* test_cut_workers.c - a cut gives the same samples, however many threads share it. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/record/cut.h"
#include "daemon/record/cut_workers.h"

enum { SAMPLES = 2 * CUT_BLOCK + 12345 };

static int16_t *make_noise(void)
{
    int16_t *raw = malloc(SAMPLES * 2 * sizeof *raw);
    uint32_t state = 1;
    assert_non_null(raw);
    for (size_t i = 0; i < 2 * (size_t)SAMPLES; i++) {
        state = state * 1664525 + 1013904223;
        raw[i] = (int16_t)(state >> 16);
    }
    return raw;
}

/* All outputs of pushes of `block` samples. */
static struct fft_iq *cut_noise(const struct cut_plan *p, const int16_t *raw, unsigned workers,
                                size_t block, size_t *count)
{
    struct cut *c = NULL;
    const struct fft_iq *out;
    struct fft_iq *all = calloc(SAMPLES / p->factor + 2, sizeof *all);
    assert_non_null(all);
    assert_int_equal(cut_create(&c, p, FFT_IQ_CS16, workers), 0);
    cut_begin(c, 777, 777, 0.123 * p->rate_hz, 1.0 / 32768);
    *count = 0;
    for (size_t at = 0, now; at < SAMPLES; at += now) {
        now = SAMPLES - at < block ? SAMPLES - at : block;
        const size_t got = cut_push(c, raw + 2 * at, now, &out);
        if (got > 0)
            memcpy(all + *count, out, got * sizeof *out);
        *count += got;
    }
    cut_destroy(c);
    return all;
}

/* From a shift alone to a filter of one stage that spans more samples than a worker's part. */
static void any_number_of_workers_gives_the_same_samples(void **state)
{
    (void)state;
    static const struct {
        double rate_hz, width_hz;
    } bands[] = {{2.4e6, 2.4e6}, {61.44e6, 5e6}, {61.44e6, 25e3}, {1e9, 1e3}};
    int16_t *raw = make_noise();
    for (unsigned b = 0; b < sizeof bands / sizeof bands[0]; b++) {
        struct cut_plan p;
        size_t count, want_count;
        cut_plan_init(&p, bands[b].rate_hz, bands[b].width_hz);
        struct fft_iq *want = cut_noise(&p, raw, 1, 1000, &want_count);
        for (unsigned workers = 2; workers <= CUT_WORKERS; workers++) {
            struct fft_iq *got =
                cut_noise(&p, raw, workers, workers % 2 ? CUT_BLOCK : 200003, &count);
            assert_int_equal(count, want_count);
            assert_memory_equal(got, want, count * sizeof *got);
            free(got);
        }
        free(want);
    }
    free(raw);
}

static void count_part(void *arg, unsigned part)
{
    unsigned *calls = arg;
    calls[part]++;
}

static void each_part_of_each_round_is_done_once(void **state)
{
    (void)state;
    struct cut_workers *w;
    unsigned calls[CUT_WORKERS] = {0};
    enum { ROUNDS = 1000 };
    assert_int_equal(cut_workers_create(&w, CUT_WORKERS), 0);
    assert_int_equal(cut_workers_count(w), CUT_WORKERS);
    for (unsigned i = 0; i < ROUNDS * CUT_WORKERS; i++)
        cut_workers_run(w, count_part, calls, i % CUT_WORKERS + 1);
    for (unsigned part = 0; part < CUT_WORKERS; part++)
        assert_int_equal(calls[part], ROUNDS * (CUT_WORKERS - part));
    cut_workers_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_gives_the_same_samples),
        cmocka_unit_test(each_part_of_each_round_is_done_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
