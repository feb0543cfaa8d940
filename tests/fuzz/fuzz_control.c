/*
 * fuzz_control.c - libFuzzer target: the JSON messages of browsers.
 *
 * A message that is accepted holds only values within the documented bounds. A refused one has one
 * line that says why. Applying an accepted change changes only the fields that it names.
 */
#include <math.h>
#include <string.h>

#include "daemon/api/values.h"
#include "daemon/base/reason.h"
#include "daemon/client/control.h"
#include "daemon/client/history_request.h"
#include "daemon/client/marker_request.h"
#include "daemon/control/setting_change.h"
#include "daemon/measure/measure_setup.h"
#include "tests/fuzz/fuzz.h"

static void check_view(const struct control *m)
{
    check(m->view.columns >= 1 && m->view.columns <= WIRE_COLUMNS_MAX);
    check(m->view.detector < FFT_DETECTORS);
    check(m->view.reduction < REDUCTIONS);
    check(m->view.percent >= 0 && m->view.percent <= 100);
    check(m->view.math < MATHS && (m->view.math != MATH_NONE) == (m->view.reference[0] != 0));
    check(!(m->view.trace.vbw_hz > 0) || trace_averages(m->view.trace.function));
    check(!isinf(m->view.low_hz) && !isinf(m->view.high_hz));
    check(!(m->view.low_hz >= m->view.high_hz));
}

static void check_change(const struct setting_change *change)
{
    struct settings now = {.n = 4096, .overlap = 50, .line_rate_hz = 20};
    setting_change_apply(change, &now);
    check(now.n >= 64 && now.n <= 4194304 && (now.n & (now.n - 1)) == 0);
    check(now.overlap >= 0 && now.overlap < 100);
    check(isfinite(now.line_rate_hz) && now.line_rate_hz > 0);
    const struct setting_change nothing = {0};
    unsigned char before[sizeof now], after[sizeof now]; /* with the padding */
    memcpy(before, &now, sizeof now);
    setting_change_apply(&nothing, &now);
    memcpy(after, &now, sizeof now);
    check(memcmp(before, after, sizeof before) == 0);
}

static int add_key(void *into, const char *key, const char *text, struct reason *why)
{
    const int err = option_text_add(into, key, text, 0);
    return err < 0 ? reason_set(why, err, "a key or value is not valid") : 0;
}

/* A set-up that is accepted has a state, and one that is refused a reason. */
static void check_measure(const json_t *values)
{
    struct option_text text = {.name = strdup("a")};
    struct measure_setup *setup = NULL;
    struct reason why = {0};
    int err = api_values_each(values, add_key, &text, &why);
    check_error(err, why.sentence);
    if (err == 0) {
        err = measure_setup_create(&setup, &text, NULL, &why);
        check_error(err, why.sentence);
    }
    check(!setup || setup->state);
    measure_setup_destroy(setup);
    option_text_finish(&text);
}

/* An accepted request has values within the bounds. */
static void check_requests(const struct control_call *call)
{
    struct readout_choice readout;
    struct history_request history;
    struct reason why = {0};
    if (strcmp(call->path, "/api/v1/connection/markers") == 0) {
        const int err = marker_request_read(call->values, &readout, &why);
        check_error(err, why.sentence);
        check(err < 0 || (readout.count <= READOUT_MARKERS && readout.peaks.most <= READOUT_PEAKS));
    }
    if (strcmp(call->path, "/api/v1/connection/history") == 0) {
        const int err = history_request_read(&history, call->values, &why);
        check_error(err, why.sentence);
        check(err < 0 || history.detector < HISTORY_DETECTORS);
    }
}

/* A call has values; those of settings are read, or refused with a reason. */
static void check_call(const struct control_call *call)
{
    struct setting_change change;
    struct reason why = {0};
    const char *const own = "/api/v1/connection/measurements/";
    check(json_is_object(call->values) && call->path[0]);
    if (strncmp(call->path, own, strlen(own)) == 0 && strcmp(call->verb, "put") == 0)
        check_measure(call->values);
    check_requests(call);
    if (strcmp(call->path, "/api/v1/settings") != 0)
        return;
    const int err = setting_change_read(call->values, &change, &why);
    check_error(err, why.sentence);
    if (err == 0)
        check_change(&change);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct control m;
    struct reason why = {0};
    const int err = control_parse(&m, (const char *)bytes, size, &why);
    check_error(err, why.sentence);
    if (err == 0 && m.kind == CONTROL_VIEW)
        check(m.slot < FEED_SLOTS);
    if (err == 0 && m.kind == CONTROL_VIEW && !m.off)
        check_view(&m);
    if (err == 0 && m.kind == CONTROL_CREDIT)
        check(m.credit >= 1 && m.credit <= WIRE_CREDIT_MAX);
    if (err == 0 && m.kind == CONTROL_CALL)
        check_call(&m.call);
    control_finish(&m);
    return 0;
}
