/*
 * listen_address.h - reads the address on which the server listens, as people write it. Pure, any
 * thread.
 *
 *     127.0.0.1:8011  [::1]:8011     that address
 *     :8011  8011  localhost:8011    127.0.0.1
 *     *:8011                         [::], which serves IPv4 too
 *     unix:/run/fftd/http.sock       a Unix socket
 *     systemd, none                  the socket of systemd; no socket
 */
#ifndef FFTD_DAEMON_ACCESS_LISTEN_ADDRESS_H
#define FFTD_DAEMON_ACCESS_LISTEN_ADDRESS_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

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
    union socket_address socket; /* of TCP and Unix sockets */
    socklen_t size;
};

/* Port 0 is any free port. Host names other than localhost are not resolved. 0 or -EINVAL. */
int listen_address_parse(const char *text, struct listen_address *out);

#endif
