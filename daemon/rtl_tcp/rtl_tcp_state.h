/* rtl_tcp_state.h - counts of the rtl_tcp server, for the status. Plain values. */
#ifndef FFTD_DAEMON_RTL_TCP_RTL_TCP_STATE_H
#define FFTD_DAEMON_RTL_TCP_RTL_TCP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/figure/figure.h"

struct rtl_tcp_state {
    bool on;
    uint32_t clients;
    uint64_t clients_total, refused; /* connections so far; those that got no channel */
    uint64_t missing;                /* samples that clients read too slowly for, or were lost */
    uint64_t outside;                /* times that a client tuned outside the radio's band */
    uint64_t commands, ignored;
};
extern const struct figure rtl_tcp_figures[]; /* of the JSON and the metrics: rtl_tcp_server.c */

#endif
