/* server_address.h - the address of a radio in the network. Pure, any thread. */
#ifndef FFTD_DAEMON_SOURCE_SERVER_ADDRESS_H
#define FFTD_DAEMON_SOURCE_SERVER_ADDRESS_H

struct server_address {
    char host[254]; /* a name, or an address of IPv4 or IPv6 without brackets */
    char port[6];   /* "1" to "65535" */
};

/* "HOST:PORT"; an address of IPv6 stands in brackets. 0, or -EINVAL. `out` may be NULL. */
int server_address_parse(const char *text, struct server_address *out);

#endif
