/*
 * tls_relay.h - TLS termination: relays each encrypted connection to a plain one.
 *
 *     client == TLS == socket | tls_link: SSL_read, SSL_write | socket pair == server
 *
 * The server adopts one end of the pair when the handshake is done, and treats it as any other
 * connection. So nothing that it writes can reach a client unencrypted, and an unfinished handshake
 * uses no resources of the server. The relay forwards ends and resets in both directions, and a
 * slow reader on one side throttles the other.
 *
 * Loop thread.
 */
#ifndef FFTD_DAEMON_TLS_TLS_RELAY_H
#define FFTD_DAEMON_TLS_TLS_RELAY_H

#include <stdint.h>
#include <uv.h>

#include "daemon/access/address.h"
#include "daemon/figure/figure.h"
#include "daemon/tls/tls_context.h"

struct tls_relay;

enum {
    TLS_DESCRIPTORS = 3,     /* of a connection */
    TLS_HANDSHAKES_MAX = 256 /* at a time; one more ends the oldest of the busiest address */
};

struct tls_relay_config {
    uv_loop_t *loop;
    uint32_t handshake_s; /* that a handshake may take */
    uint32_t most;        /* connections, without those in their handshake */
    /* Takes over fd, non-blocking and close-on-exec. */
    void (*ready)(void *user, int fd, const struct address *from);
    void *user;
};

struct tls_counts {
    uint32_t open; /* those in their handshake included */
    uint64_t handshakes_total, failures_total;
    int64_t not_after_s;
};
extern const struct figure tls_figures[]; /* of the metrics */

/* Takes the context over. -ENOMEM. */
int tls_relay_create(struct tls_relay **out, const struct tls_relay_config *config,
                     struct tls_context *context);
/* For connections from now on; takes it over. Others keep theirs. */
void tls_relay_renew(struct tls_relay *r, struct tls_context *context);
/* Takes over fd; closes it if there is no memory, and after tls_relay_stop. */
void tls_relay_add(struct tls_relay *r, int fd, const struct address *from);
void tls_relay_counts(const struct tls_relay *r, struct tls_counts *out); /* NULL: zeros */

/* Closes all connections; the loop has to run once more. Then destroy. NULL is fine for both. */
void tls_relay_stop(struct tls_relay *r);
void tls_relay_destroy(struct tls_relay *r);

#endif
