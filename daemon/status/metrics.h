/* metrics.h - the status as metrics, for /metrics. Any thread. */
#ifndef FFTD_DAEMON_STATUS_METRICS_H
#define FFTD_DAEMON_STATUS_METRICS_H

#include "daemon/figure/metric_writer.h"
#include "daemon/measure/report.h"
#include "daemon/status/status.h"

/*
 * All metrics of the status. measured: the newest results; NULL: none. The server's own follow:
 * server/server_counts.h.
 */
void metrics_write(const struct metric_writer *m, const struct status *s,
                   const struct measure_snapshot *measured);

#endif
