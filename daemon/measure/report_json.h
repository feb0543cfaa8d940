/*
 * report_json.h - results as JSON and as text. Pure, any thread.
 *
 * The only place where results are written for others.
 */
#ifndef FFTD_DAEMON_MEASURE_REPORT_JSON_H
#define FFTD_DAEMON_MEASURE_REPORT_JSON_H

#include <jansson.h>

#include "daemon/base/text.h"
#include "daemon/measure/report.h"

/*
 * An object with the keys of docs/measurements.md: time, line, name, type, ..., values, rows. Names
 * of values end with their unit: "power_dbfs", or "power_dbm" where the frequency is calibrated.
 * NULL: no memory.
 */
json_t *report_to_json(const struct measure_snapshot *s, const struct measure_report *r);
/* The same for a measurement without a line yet. */
json_t *setup_to_json(const struct measure_setup *setup);
/* Appends one object a measurement, each with a newline. */
void snapshot_add_rows(struct text *out, const struct measure_snapshot *s);
/* "voice (channel-power): power -20.01 dBFS, ..." without a newline: for the log. */
void report_add_text(struct text *out, const struct measure_snapshot *s,
                     const struct measure_report *r);

#endif
