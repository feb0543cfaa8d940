/*
 * tcp_listen.h - listens at the address of an option, for protocols beside HTTP: TCP, not
 * encrypted. Loop thread.
 */
#ifndef FFTD_DAEMON_ACCESS_TCP_LISTEN_H
#define FFTD_DAEMON_ACCESS_TCP_LISTEN_H

#include <uv.h>

enum { TCP_NAME = 80 };

struct reason;

/*
 * socket: initialized, and closed by the caller, also after a failure. address: the value of the
 * option, as listen_address.h reads it; a number alone is a port of 127.0.0.1. name: what it
 * listens on, "127.0.0.1:1234". -errno with one line in *why.
 */
int tcp_listen(uv_tcp_t *socket, const char *option, const char *address,
               uv_connection_cb on_connection, char name[TCP_NAME], struct reason *why);

#endif
