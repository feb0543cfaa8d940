/* output_form.c - the table of forms. */
#include "daemon/format/output_form.h"

#include <assert.h>

#define SECONDS      "%4-%2-%2, %2:%2:%2, "
#define MICROSECONDS "%4-%2-%2, %2:%2:%2.%6, "
#define LEVELS       "%g, %g, %g, %i, %c"
#define ISO          "{\"time\":\"%4-%2-%2T%2:%2:%2.%6Z\",\"line\":%i,\""

static const struct out_form rtl_power[] = {
    {.what = "CSV in the form rtl_power",
     .pattern = {MICROSECONDS LEVELS},
     .levels = OUT_LEVELS_EXACT},
    {.what = "CSV in the form rtl_power with csv-time seconds",
     .pattern = {SECONDS LEVELS},
     .levels = OUT_LEVELS_EXACT},
};

/* With an assumed rate, its rows are those of rtl_power. */
static const struct out_form hackrf_sweep = {
    .what = "CSV in the form hackrf_sweep",
    .pattern = {MICROSECONDS "%i, %i, %c, %i, %c", MICROSECONDS "-0.%i, 0.%i, %g, %i, %c"},
    .levels = OUT_LEVELS_ROUNDED};

static const struct out_form mhz_dbm = {.what = "CSV in the form mhz-dbm", .pattern = {"%m,%c"}};

static const struct out_form events[] = {
    {.what = "CSV of events", .head = OUTPUT_FORM_EVENTS_HEAD, .pattern = {MICROSECONDS "%g, "}},
    {.what = "CSV of events with csv-time seconds",
     .head = OUTPUT_FORM_EVENTS_HEAD,
     .pattern = {SECONDS "%g, "}},
};

#define JSON(detector)                                                                             \
    {                                                                                              \
        .what = "JSON of lines with the detector " detector, .pattern = {ISO "merged\":"},         \
        .member = "\"detector\":\"" detector "\""                                                  \
    }
static const struct out_form json[OUTPUT_FORM_DETECTORS] = {JSON("mean"), JSON("max"), JSON("min"),
                                                            JSON("sample")};

const struct out_form output_form_measure = {.what = "JSON of measurements",
                                             .pattern = {ISO "name\":"}};
const struct out_form output_form_stats = {.what = "JSON of statistics",
                                           .pattern = {"{\"produced\":%i,\"seen\":%i,\"lost\":{"}};

const struct out_form *output_form_csv(unsigned form, bool seconds)
{
    const struct out_form *const forms[OUTPUT_FORM_CSVS] = {&rtl_power[seconds], &hackrf_sweep,
                                                            &mhz_dbm};
    assert(form < OUTPUT_FORM_CSVS);
    return forms[form];
}

const struct out_form *output_form_json(unsigned detector)
{
    assert(detector < OUTPUT_FORM_DETECTORS);
    return &json[detector];
}

const struct out_form *output_form_events(bool seconds)
{
    return &events[seconds];
}
