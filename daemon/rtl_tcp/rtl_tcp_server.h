/*
 * rtl_tcp_server.h - serves channels over the rtl_tcp protocol, to programs that use a networked
 * RTL-SDR. Loop thread.
 *
 * Any number of clients, each with a channel of its own, within max-channels and the share of its
 * address. Their commands change the channel, never the radio. The protocol has no way to send a
 * token: whoever reaches the address may listen, so a number alone is a port of 127.0.0.1.
 */
#ifndef FFTD_DAEMON_RTL_TCP_RTL_TCP_SERVER_H
#define FFTD_DAEMON_RTL_TCP_RTL_TCP_SERVER_H

#include <uv.h>

#include "daemon/rtl_tcp/rtl_tcp_state.h"

struct channels;
struct reason;
struct rtl_tcp_server;

/* Of the radio now. */
struct rtl_tcp_radio {
    double center_hz, rate_hz; /* 0: not known */
    bool sweeps;
};

struct rtl_tcp_config {
    uv_loop_t *loop;
    const char *listen; /* daemon/access/listen_address.h, of TCP */
    struct channels *channels;
    void (*radio)(void *user, struct rtl_tcp_radio *out);
    void *user;
};

/* Listens. The caller stops and destroys *out also after a failure, unless it is NULL. */
int rtl_tcp_server_start(struct rtl_tcp_server **out, const struct rtl_tcp_config *config,
                         struct reason *why);
void rtl_tcp_server_on_blocks(struct rtl_tcp_server *s); /* a channel has a block; NULL is fine */
void rtl_tcp_server_on_tick(struct rtl_tcp_server *s);   /* several times a second; the same */
void rtl_tcp_server_state(const struct rtl_tcp_server *s, struct rtl_tcp_state *out); /* the same */
const char *rtl_tcp_server_name(const struct rtl_tcp_server *s); /* "127.0.0.1:1234" */
/* Closes all connections. The loop ends when their handles are closed; NULL is fine. */
void rtl_tcp_server_stop(struct rtl_tcp_server *s);
void rtl_tcp_server_destroy(struct rtl_tcp_server *s); /* after the loop ended; NULL is fine */

#endif
