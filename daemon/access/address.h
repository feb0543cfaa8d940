/*
 * address.h - where a client comes from, as one key for limits. Any thread.
 *
 * An IPv4 address is its own key. Of an IPv6 address only the /64 counts, because one site owns all
 * addresses of it. An IPv4 address mapped to IPv6 is that IPv4 address. All Unix sockets share one
 * key. What comes by another carrier than a socket, such as NATS, has a key of its own by name.
 */
#ifndef FFTD_DAEMON_ACCESS_ADDRESS_H
#define FFTD_DAEMON_ACCESS_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum { ADDRESS_TEXT = 56 };

struct address {
    uint8_t bits;     /* of the key: 32 or 64; 0: a Unix socket, or unknown */
    uint8_t bytes[8]; /* in network order; those after `bits` are 0 */
    bool loopback;    /* 127.0.0.0/8 or ::1 */
};

struct address address_from_socket(const struct sockaddr *peer);
/* "192.0.2.1", "2001:db8::1", both also with a port: "192.0.2.1:80", "[2001:db8::1]:80". False:
 * none of these; *out is unchanged. */
bool address_parse(const char *text, struct address *out);
bool address_same(const struct address *a, const struct address *b);
bool address_is_local(const struct address *a); /* of this machine: loopback or a Unix socket */
/* "192.0.2.1", "2001:db8::/64", or "a Unix socket". Returns `into`. */
const char *address_text(const struct address *a, char into[ADDRESS_TEXT]);

#endif
