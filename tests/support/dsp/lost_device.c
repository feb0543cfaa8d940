/* lost_device.c - runs a dsp thread and fails one call of its driver. */
#include "tests/support/dsp/lost_device.h"

#include <string.h>

#include "tests/support/dsp/dsp_fixture.h"

static void lose(const struct lost_device *d, const struct lost_call *call)
{
    const struct settings w = dsp_fixture_settings();
    const struct dsp_thread_config config = {.engine = d->open(call->variant)};
    struct dsp_status report;
    struct dsp_fixture b;
    char failed[40];
    snprintf(failed, sizeof failed, "%s failed (", d->engine);
    d->arm(call->name, call->after);
    dsp_fixture_start(&b, &w, true, &config);
    dsp_fixture_write(&b, LOST_SAMPLES);
    const struct ledger ledger = dsp_fixture_finish(&b);
    dsp_thread_status(b.pipeline, &report);
    assert_true(d->lost());
    assert_int_equal(ledger.produced, LOST_SAMPLES);
    assert_int_equal(ledger.seen, LOST_SAMPLES);
    assert_int_equal(ledger.frames, 10 * LOST_LINES);
    assert_int_equal(b.frames, 10 * LOST_LINES);
    assert_int_equal(report.fallbacks, 1);
    assert_non_null(strstr(report.engine_note, failed));
    assert_non_null(strstr(report.engine_note, d->result));
    assert_string_equal(b.last->engine, "cpu");
    dsp_fixture_clean_up(&b);
    assert_int_equal(d->alive(), 0);
}

void lost_device_costs_no_sample(const struct lost_device *d, const struct lost_call *calls)
{
    for (; calls->name; calls++)
        lose(d, calls);
}
