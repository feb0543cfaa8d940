/* metrics_parts.h - the metrics of parts that not every run has. Any thread. */
#ifndef FFTD_DAEMON_STATUS_METRICS_PARTS_H
#define FFTD_DAEMON_STATUS_METRICS_PARTS_H

#include "daemon/status/metric_writer.h"
#include "daemon/status/status.h"

void metrics_write_parts(const struct metric_writer *m, const struct status *s);

#endif
