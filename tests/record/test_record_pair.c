/* test_record_pair.c - recordings that begin in the same second have names of their own. */
#include "tests/record/record_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "daemon/base/reason.h"
#include "daemon/record/record_pair.h"

enum { THREADS = 8, PAIRS = 100 };

struct writer {
    uv_thread_t thread;
    const char *folder;
    uint32_t number;
    unsigned failed;
};

/* As short as a recording can be: one sample, the writer's number. */
static int write_pair(const struct writer *w)
{
    struct record_pair pair;
    struct reason why = {0};
    int err = record_pair_create(&pair, w->folder, (struct record_start){FIXTURE_TIME_NS, 0, NULL},
                                 433.92e6, FIXTURE_RATE, 4);
    if (err == 0)
        err = record_pair_describe(&pair, "global", json_object());
    if (err == 0)
        err = record_pair_write(&pair, &w->number, sizeof w->number);
    if (err == 0)
        err = record_pair_finish(&pair, "done", &why);
    record_pair_close(&pair);
    return err;
}

static void write_pairs(void *user)
{
    struct writer *w = user;
    for (unsigned i = 0; i < PAIRS; i++)
        w->failed += write_pair(w) < 0;
}

/* "fftd_TIME-2_CENTER_RATE" and so on after the first. */
static void count_samples(const struct record_fixture *b, unsigned count[THREADS])
{
    for (unsigned copy = 0; copy < THREADS * PAIRS; copy++) {
        char name[RECORD_NAME];
        size_t samples;
        record_name((struct record_start){FIXTURE_TIME_NS, 0, NULL}, 433.92e6, FIXTURE_RATE, copy,
                    name);
        uint32_t *data = record_fixture_samples(b, name, &samples);
        assert_int_equal(samples, 1);
        assert_in_range(data[0], 0, THREADS - 1);
        count[data[0]]++;
        free(data);
    }
}

static void pairs_of_many_threads_never_share_a_name(void **state)
{
    (void)state;
    struct record_fixture b = {0};
    struct writer writers[THREADS];
    unsigned count[THREADS] = {0};
    record_fixture_start(&b, false);
    for (uint32_t i = 0; i < THREADS; i++) {
        writers[i] = (struct writer){.folder = b.folder, .number = i};
        assert_int_equal(uv_thread_create(&writers[i].thread, write_pairs, &writers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        uv_thread_join(&writers[i].thread);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(writers[i].failed, 0);
    assert_int_equal(record_fixture_count(&b, RECORD_META), THREADS * PAIRS);
    assert_int_equal(record_fixture_count(&b, RECORD_PART), 0);
    count_samples(&b, count);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(count[i], PAIRS);
    record_fixture_clean_up(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_many_threads_never_share_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
