/* server_counts.h - the figures of the server of this process. Plain values. */
#ifndef FFTD_DAEMON_SERVER_SERVER_COUNTS_H
#define FFTD_DAEMON_SERVER_SERVER_COUNTS_H

#include <stdint.h>

#include "daemon/figure/metric_writer.h"
#include "daemon/tls/tls_relay.h"

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
    struct tls_counts tls;
};
extern const struct figure server_figures[]; /* of the JSON and the metrics, but for TLS */

void server_counts_write(const struct metric_writer *m, const struct server_counts *c);

#endif
