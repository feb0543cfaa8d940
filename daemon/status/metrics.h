/* metrics.h - status and server counters as text for Prometheus, for /metrics. Any thread. */
#ifndef FFTD_DAEMON_STATUS_METRICS_H
#define FFTD_DAEMON_STATUS_METRICS_H

#include <stddef.h>

#include "daemon/figure/metric_writer.h"
#include "daemon/measure/report.h"
#include "daemon/status/status.h"

/* The server's own counters. */
struct server_counts {
    uint32_t clients, views;     /* current */
    uint64_t clients_total;      /* websockets ever accepted */
    uint64_t refused_total;      /* connections and upgrades refused for any reason */
    uint64_t displaced_total;    /* clients closed to make room for one of another address */
    uint64_t frames_total;       /* spectra sent to browsers */
    uint64_t merged_total;       /* lines that a slow browser received folded into a later frame */
    uint64_t lines_missed;       /* lines that the ring reused before the server read them */
    uint64_t wrong_tokens_total; /* control tokens refused, including those below */
    uint64_t blocked_tokens_total; /* not compared, because their address must wait */
    uint64_t spectra_total;        /* rendered for /api/v1/spectrum; equal requests share one */
    uint64_t answer_bytes;         /* current: in memory for HTTP answers that are not read yet */
    uint32_t tls_open;             /* current: encrypted connections */
    uint64_t tls_handshakes_total, tls_failures_total; /* completed; given up or refused */
    int64_t tls_not_after_s; /* Unix time at which the certificate ends; 0: there is none */
};

/*
 * measured: the newest results; NULL: none. Returns allocated text; the caller frees it. NULL: no
 * memory. *size does not count the final NUL.
 */
char *metrics_text(const struct status *s, const struct server_counts *counts,
                   const struct measure_snapshot *measured, enum metrics_format format,
                   size_t *size);

#endif
