/* metrics.h - status and server counters as OpenMetrics text, for /metrics. Any thread. */
#ifndef FFTD_DAEMON_STATUS_METRICS_H
#define FFTD_DAEMON_STATUS_METRICS_H

#include <stddef.h>

#include "daemon/status/status.h"

/* The server's own counters. */
struct server_counts {
    uint32_t clients, views; /* current */
    uint64_t clients_total;  /* websockets ever accepted */
    uint64_t refused_total;  /* connections and upgrades refused for any reason */
    uint64_t frames_total;   /* spectra sent to browsers */
    uint64_t merged_total;   /* lines that a slow browser received folded into a later frame */
    uint64_t lines_missed;   /* lines that the ring reused before the server read them */
};

#define METRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

/* Returns allocated text that ends in "# EOF\n"; the caller frees it. NULL: no memory. *size does
 * not count the final NUL. */
char *metrics_text(const struct status *s, const struct server_counts *counts, size_t *size);

#endif
