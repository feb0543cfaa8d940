/* test_ddc_workers.c - a down-converter gives the same samples, however many threads share it. */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/ddc/ddc.h"
#include "daemon/ddc/ddc_workers.h"
#include "tests/support/sweep.h"

enum { SAMPLES = DDC_BLOCK + 212345 };

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

/* The samples of a pull; from `end` on there are none. */
struct noise {
    const int16_t *raw;
    size_t end;
};

static size_t read_noise(void *arg, size_t at, size_t count, void *into)
{
    const struct noise *n = arg;
    const size_t rest = at < n->end ? n->end - at : 0, now = count < rest ? count : rest;
    memcpy(into, n->raw + 2 * at, now * 2 * sizeof *n->raw);
    return now;
}

/* Pulls `count` samples, of which the first reader has `end`, and another one the rest. */
static size_t pull(struct ddc *c, const int16_t *raw, size_t count, size_t end, struct fft_iq *to)
{
    const struct fft_iq *out;
    size_t outputs = 0;
    for (size_t done = 0, taken; done < count; done += taken) {
        struct noise noise = {raw + 2 * done, done == 0 ? end : count - done};
        const struct ddc_reader reader = {read_noise, &noise};
        const size_t got = ddc_pull(c, &reader, count - done, &taken, &out);
        assert_int_equal(taken, noise.end);
        if (got > 0)
            memcpy(to + outputs, out, got * sizeof *out);
        outputs += got;
    }
    return outputs;
}

static size_t push(struct ddc *c, const int16_t *raw, size_t count, struct fft_iq *to)
{
    const struct fft_iq *out;
    const size_t got = ddc_push(c, raw, count, &out);
    if (got > 0)
        memcpy(to, out, got * sizeof *out);
    return got;
}

/* All outputs of blocks of `block` samples. end: of the first reader of each; 0: they are pushed.
 */
static struct fft_iq *ddc_noise(const struct ddc_plan *p, const int16_t *raw, unsigned workers,
                                size_t block, size_t end, size_t *count)
{
    struct ddc *c = NULL;
    struct fft_iq *all = calloc(SAMPLES / p->factor + 2, sizeof *all);
    assert_non_null(all);
    assert_int_equal(ddc_create(&c, p, FFT_IQ_CS16, workers, DDC_BLOCK), 0);
    ddc_begin(c, 777, 777, 0.123 * p->rate_hz, 1.0 / 32768);
    *count = 0;
    for (size_t at = 0, now; at < SAMPLES; at += now) {
        now = SAMPLES - at < block ? SAMPLES - at : block;
        const int16_t *from = raw + 2 * at;
        *count += end > 0 ? pull(c, from, now, end < now ? end : now, all + *count)
                          : push(c, from, now, all + *count);
    }
    ddc_destroy(c);
    return all;
}

/* From a shift alone to a filter of one stage that spans more samples than a worker's part. */
static const struct {
    double rate_hz, width_hz;
} bands[] = {{2.4e6, 2.4e6}, {61.44e6, 5e6}, {61.44e6, 25e3}, {1e9, 1e3}};
enum { BANDS = sizeof bands / sizeof bands[0] };

/* In blocks of some thousand samples that are pushed to one worker, and in these, by several. */
static void assert_same(unsigned band, const int16_t *raw, size_t block, size_t end)
{
    struct ddc_plan p;
    size_t count, want_count;
    ddc_plan_band(&p, bands[band].rate_hz, bands[band].width_hz);
    struct fft_iq *want = ddc_noise(&p, raw, 1, 5000, 0, &want_count);
    for (unsigned workers = 1; workers <= DDC_WORKERS; workers++) {
        if (!sweep_takes(workers - 1, DDC_WORKERS - 1))
            continue;
        struct fft_iq *got = ddc_noise(&p, raw, workers, block, end, &count);
        assert_int_equal(count, want_count);
        assert_memory_equal(got, want, count * sizeof *got);
        free(got);
    }
    free(want);
}

static void any_number_of_workers_gives_the_same_samples(void **state)
{
    (void)state;
    int16_t *raw = make_noise();
    for (unsigned b = 0; b < BANDS; b++)
        if (sweep_takes(b, 2))
            assert_same(b, raw, b % 2 ? DDC_BLOCK : 200003, 0);
    free(raw);
}

static void workers_that_read_give_the_same_samples(void **state)
{
    (void)state;
    int16_t *raw = make_noise();
    for (unsigned b = 0; b < BANDS; b++)
        if (sweep_takes(b + 1, 2))
            assert_same(b, raw, b % 2 ? DDC_BLOCK : 300007, DDC_BLOCK);
    free(raw);
}

/* It may be in the part of any worker, and where two parts overlap. */
static void a_pull_goes_on_where_its_reader_ended(void **state)
{
    (void)state;
    static const size_t ends[] = {1, 4096, 262144, 262200, 524300, 700000, DDC_BLOCK - 1};
    int16_t *raw = make_noise();
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (sweep_takes(i, 3))
            assert_same(i % BANDS, raw, DDC_BLOCK, ends[i]);
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
    struct ddc_workers *w;
    unsigned calls[DDC_WORKERS] = {0};
    enum { ROUNDS = 1000 };
    assert_int_equal(ddc_workers_create(&w, DDC_WORKERS), 0);
    assert_int_equal(ddc_workers_count(w), DDC_WORKERS);
    for (unsigned i = 0; i < ROUNDS * DDC_WORKERS; i++)
        ddc_workers_run(w, count_part, calls, i % DDC_WORKERS + 1);
    for (unsigned part = 0; part < DDC_WORKERS; part++)
        assert_int_equal(calls[part], ROUNDS * (DDC_WORKERS - part));
    ddc_workers_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_gives_the_same_samples),
        cmocka_unit_test(workers_that_read_give_the_same_samples),
        cmocka_unit_test(a_pull_goes_on_where_its_reader_ended),
        cmocka_unit_test(each_part_of_each_round_is_done_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
