/*
 * output_form.h - recognises files with rows of --csv, --json, --measure-json, --events or
 * --stats. Plain values.
 */
#ifndef FFTD_DAEMON_FORMAT_OUTPUT_FORM_H
#define FFTD_DAEMON_FORMAT_OUTPUT_FORM_H

#include "daemon/files/out_form.h"

enum { OUTPUT_FORM_CSVS = 3, OUTPUT_FORM_DETECTORS = 4 };

/* The first line of events. */
#define OUTPUT_FORM_EVENTS_HEAD                                                                    \
    "date, time, duration_s, trigger, type, low_hz, high_hz, peak_hz, peak_dbfs, first_sample, "   \
    "ends, id"

/* By the indices of csv-format, csv-time and detector. CSV does not name its detector. */
const struct out_form *output_form_csv(unsigned form, bool seconds);
const struct out_form *output_form_json(unsigned detector);
const struct out_form *output_form_events(bool seconds);
extern const struct out_form output_form_measure, output_form_stats;

#endif
