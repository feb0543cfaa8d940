/* archive_report.h - writes the state of the copied archives of a hub's radios. Loop thread. */
#ifndef FFTD_DAEMON_HUB_ARCHIVE_REPORT_H
#define FFTD_DAEMON_HUB_ARCHIVE_REPORT_H

#include <jansson.h>

#include "daemon/figure/metric_writer.h"
#include "daemon/hub/radios.h"

/*
 * Adds the key `archive`: to the row of a radio of whose archive there are rows; to the head of a
 * list, if the hub keeps archives.
 */
void archive_report_row(json_t *row, const struct copy_state *state);
void archive_report_head(json_t *head, const struct copy_totals *totals);
void archive_report_metrics(const struct metric_writer *m, const struct radios *r);

#endif
