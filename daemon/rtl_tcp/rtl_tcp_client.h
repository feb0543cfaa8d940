/*
 * rtl_tcp_client.h - a client of the rtl_tcp server: its connection and its channel. Loop thread.
 *
 * One piece of samples is being sent at a time. Samples that a slow client has not read stay in its
 * channel, for about a second; after that, zeros replace the oldest samples.
 */
#ifndef FFTD_DAEMON_RTL_TCP_RTL_TCP_CLIENT_H
#define FFTD_DAEMON_RTL_TCP_RTL_TCP_CLIENT_H

#include <uv.h>

#include "daemon/access/address.h"
#include "daemon/channel/channel_reader.h"
#include "daemon/rtl_tcp/rtl_tcp_settings.h"
#include "daemon/rtl_tcp/rtl_tcp_state.h"

struct channels;
struct reason;

struct rtl_tcp_client {
    uv_tcp_t socket; /* first */
    struct rtl_tcp_client *next;
    struct address address;
    struct channels *channels;
    struct rtl_tcp_state *counts;                         /* of the server */
    void (*closed)(void *user, struct rtl_tcp_client *c); /* the loop lets go of it */
    void *user;

    struct rtl_tcp_settings settings;
    struct channel *channel; /* NULL: it is closed */
    struct channel_reader reader;
    double rate_hz, last_rate_hz; /* of the channel; of the one before it, which worked */
    double center_hz;
    bool begun, outside, said_outside, closing;
    uint64_t changed_ms, sent_ms; /* times of the loop */
    uint64_t counted;             /* of reader.missed */

    uv_write_t write;
    bool writing;
    uint8_t greeting[12];
    char received[4096];
};

/*
 * Starts to serve an accepted connection, with a channel that follows c->settings. After an error,
 * closed() is called as well.
 */
int rtl_tcp_client_start(struct rtl_tcp_client *c, struct reason *why);
void rtl_tcp_client_send(struct rtl_tcp_client *c); /* what there is */
void rtl_tcp_client_tick(struct rtl_tcp_client *c);
void rtl_tcp_client_close(struct rtl_tcp_client *c); /* a second call is fine */

#endif
