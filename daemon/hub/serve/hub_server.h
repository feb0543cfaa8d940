/* hub_server.h - starts and stops a hub: its broker, its radios and its viewers. Loop thread. */
#ifndef FFTD_DAEMON_HUB_SERVE_HUB_SERVER_H
#define FFTD_DAEMON_HUB_SERVE_HUB_SERVER_H

#include <uv.h>

struct archive_options;
struct hub_service;
struct nats_options;
struct reason;
struct server_options;

/* What a hub is made of. It reads from the broker at nats->url, and has no radio. */
struct hub_server_config {
    uv_loop_t *loop;
    const struct server_options *server;
    const struct nats_options *nats;
    const struct archive_options *archive; /* of sensors, copied to its folder; NULL there: not */
};

/*
 * Starts to serve. -errno with one line in *why. After a failure, too, *out is stopped and
 * destroyed as below, unless it is NULL. The options outlive the hub.
 */
int hub_server_start(struct hub_service **out, const struct hub_server_config *config,
                     struct reason *why);
/* Starts to close all connections. The loop ends when all handles are closed. */
void hub_server_stop(struct hub_service *h);
void hub_server_destroy(struct hub_service *h); /* after the loop ended, before uv_loop_close */

#endif
