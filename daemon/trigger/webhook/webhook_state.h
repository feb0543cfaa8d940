/* webhook_state.h - what became of the webhooks, for the status. Plain values. */
#ifndef FFTD_DAEMON_TRIGGER_WEBHOOK_WEBHOOK_STATE_H
#define FFTD_DAEMON_TRIGGER_WEBHOOK_WEBHOOK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/figure/figure.h"

struct webhooks_state {
    bool on;                             /* there has been a request */
    uint64_t delivered, failed, dropped; /* requests; tries that failed; requests */
    uint32_t waiting;
};
extern const struct figure webhooks_figures[]; /* of the metrics: webhook.c */

#endif
