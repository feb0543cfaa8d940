/*
 * listen_address.h - reads the addresses on which the server listens, as people write them. Pure,
 * any thread.
 *
 *     127.0.0.1:8011  [::1]:8011     that address
 *     :8011  8011  localhost:8011    127.0.0.1
 *     *:8011                         [::], which serves IPv4 too
 *     unix:/run/fftd/http.sock       a Unix socket
 *     tls:[::]:8443                  that address, encrypted
 *     systemd, none                  the sockets of systemd; no socket: these alone
 *
 * Several are separated by commas.
 */
#ifndef FFTD_DAEMON_ACCESS_LISTEN_ADDRESS_H
#define FFTD_DAEMON_ACCESS_LISTEN_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { LISTEN_ADDRESSES = 8, LISTEN_TEXT = 128 };

enum listen_kind { LISTEN_NONE, LISTEN_SYSTEMD, LISTEN_TCP, LISTEN_UNIX };

union socket_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
    struct sockaddr_storage storage;
};

struct listen_address {
    enum listen_kind kind;
    bool tls;
    union socket_address socket; /* of TCP and Unix sockets */
    socklen_t size;
    char text[LISTEN_TEXT]; /* as it was written */
};

/*
 * Port 0 is any free port. Host names other than localhost are not resolved. Returns how many there
 * are, at least 1, or -EINVAL: one is not an address, more than one is a Unix socket, or systemd or
 * none is combined with others.
 */
int listen_addresses_parse(const char *text, struct listen_address out[LISTEN_ADDRESSES]);
/* One of TCP, not encrypted: of a server whose protocol has no encryption. 0 or -EINVAL. */
int listen_address_parse_tcp(const char *text, struct listen_address *out);

#endif
