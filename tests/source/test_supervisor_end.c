/* test_supervisor_end.c - what takes long and is not stuck: unmapping a ring, and work that
 * nobody's clock drives. */
#include "tests/support/cmocka_all.h"

#include <errno.h>
#include <string.h>
#include <uv.h>

#include "daemon/source/supervisor.h"
#include "daemon/stream/epoch/epoch.h"
#include "daemon/stream/epoch/exchange.h"

enum { PATIENCE_MS = 5000, UNMAP_MS = 6000, READ_MS = 6000, RING = 1 << 20 };

static atomic_uint opened, unmapped, slow_reads;
static atomic_bool last, slow;

int __real_munmap(void *at, size_t bytes);
int __wrap_munmap(void *at, size_t bytes);

/* In place of the C library's, for the unmapping of a ring as large as a machine's memory. */
int __wrap_munmap(void *at, size_t bytes)
{
    if (bytes >= RING && atomic_load(&last)) {
        uv_sleep(UNMAP_MS);
        atomic_fetch_add(&unmapped, 1);
    }
    return __real_munmap(at, bytes);
}

static int init(struct source *s)
{
    atomic_fetch_add(&opened, 1);
    s->stream =
        (struct stream){.format = FFT_IQ_CS16, .full_scale = 32768, .tuning = s->config->tuning};
    return 0;
}

static int64_t read_until_last(struct source *s, void *into, uint32_t samples, int timeout_ms)
{
    (void)s;
    (void)timeout_ms;
    if (atomic_load(&last))
        return -ENODATA;
    uv_sleep(atomic_load(&slow) ? READ_MS : 1);
    atomic_fetch_add(&slow_reads, atomic_exchange(&slow, false) ? 1 : 0);
    memset(into, 0, (size_t)samples * 4);
    return samples;
}

static int tune(struct source *s, const struct tuning *want)
{
    s->stream.tuning = *want;
    return 0;
}

static void finish(struct source *s)
{
    (void)s;
}

static const struct source_ops radio = {.name = "radio",
                                        .live = true,
                                        .init = init,
                                        .read = read_until_last,
                                        .tune = tune,
                                        .finish = finish};

static struct supervisor *start(bool realtime)
{
    struct supervisor *r = NULL;
    atomic_store(&opened, 0);
    atomic_store(&last, false);
    struct supervisor_config config = {.ops = &radio, .ring_bytes = RING};
    config.settings = (struct settings){.n = 64, .line_rate_hz = 20};
    config.settings.tuning.rate_hz = 1e6;
    config.source.tuning = config.settings.tuning;
    config.source.realtime = realtime;
    assert_int_equal(supervisor_start(&r, &config), 0);
    return r;
}

static void an_ended_thread_may_unmap_longer_than_the_patience(void **state)
{
    (void)state;
    struct source_status report;
    bool ended;
    struct supervisor *r = start(true);
    struct epoch *e = NULL;
    while (!e)
        e = exchange_take_epoch(supervisor_exchange(r), 1000, &ended);
    epoch_unref(e); /* so that the source thread has the last hold */
    atomic_store(&last, true);
    for (int ms = 0; ms < PATIENCE_MS + UNMAP_MS && atomic_load(&unmapped) == 0; ms += 50) {
        assert_true(supervisor_tick(r));
        uv_sleep(50);
    }
    assert_false(supervisor_stop(r));
    supervisor_status(r, &report);
    assert_int_equal(report.counts.of[COUNT_ABANDONED], 0);
    assert_int_equal(atomic_load(&opened), 1);
    assert_int_equal(atomic_load(&unmapped), 1);
    supervisor_destroy(r);
}

/* A simulation at gigahertz on a busy machine takes seconds for a block: no sample is lost
 * meanwhile. */
static void a_slow_read_is_waited_for_without_real_time(void **state)
{
    (void)state;
    struct source_status report;
    atomic_store(&slow, true);
    struct supervisor *r = start(false);
    for (int ms = 0; ms < PATIENCE_MS + READ_MS && atomic_load(&slow_reads) == 0; ms += 50) {
        assert_true(supervisor_tick(r));
        uv_sleep(50);
    }
    assert_int_equal(atomic_load(&slow_reads), 1);
    supervisor_status(r, &report);
    assert_int_equal(report.counts.of[COUNT_ABANDONED], 0);
    assert_int_equal(atomic_load(&opened), 1);
    atomic_store(&last, true);
    assert_false(supervisor_stop(r));
    supervisor_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ended_thread_may_unmap_longer_than_the_patience),
        cmocka_unit_test(a_slow_read_is_waited_for_without_real_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
