/*
 * metrics.h - struct status as OpenMetrics text, for /metrics. Any thread.
 */
#ifndef FFTD_DAEMON_STATUS_METRICS_H
#define FFTD_DAEMON_STATUS_METRICS_H

#include <stddef.h>

#include "daemon/status/status.h"

/* What the server counts of itself. */
struct server_counts {
    uint32_t clients, views; /* now */
    uint64_t clients_total;  /* websockets ever accepted */
    uint64_t refused_total;  /* connections and upgrades refused, for whatever reason */
    uint64_t frames_total;   /* spectra sent to browsers */
    uint64_t merged_total;   /* lines that reached a slow browser only as part of a later frame */
    uint64_t lines_missed;   /* lines that the server itself was too slow to take */
};

#define METRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

/* malloc'ed text, ending in "# EOF\n"; NULL: no memory. *size without a final NUL. */
char *metrics_text(const struct status *s, const struct server_counts *counts, size_t *size);

#endif
