/*
 * radio_report.h - the radios of a hub as JSON and as metrics; the tables are in
 * docs/hub-api.md. Loop thread.
 */
#ifndef FFTD_DAEMON_HUB_RADIO_REPORT_H
#define FFTD_DAEMON_HUB_RADIO_REPORT_H

#include <jansson.h>

#include "daemon/figure/metric_writer.h"
#include "daemon/hub/radios.h"
#include "daemon/hub/reader_state.h"

/* {"type": "radios", ...}: all radios, by their ids. A new reference; NULL: no memory. */
json_t *radio_report_list(const struct radios *r, const struct link_reader_state *broker,
                          uint64_t dropped);
/* The same without "radios"; and one radio of it. unix_ns: the time of the list. */
json_t *radio_report_head(const struct radios *r, const struct link_reader_state *broker,
                          uint64_t dropped, int64_t unix_ns);
json_t *radio_report_row(const struct radio *radio, int64_t unix_ns);
double radio_report_age_ms(const struct radio *radio, int64_t unix_ns); /* of its newest line */
/* One radio with its newest ledger, status and account of the link. The same. */
json_t *radio_report_one(const struct radio *radio);
/* What /metrics has of the radios. */
void radio_report_metrics(const struct metric_writer *m, const struct radios *r,
                          const struct link_reader_state *broker, uint64_t dropped);

#endif
