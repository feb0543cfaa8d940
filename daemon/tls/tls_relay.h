/*
 * tls_relay.h - the end of TLS: each encrypted connection gets a plain one beside it.
 *
 *     client == TLS == socket | tls_link: SSL_read, SSL_write | socket pair == server
 *
 * The server adopts one end of the pair when the handshake is done, and treats it as any other
 * connection. So nothing that it writes can reach a client unencrypted, and a client that never
 * ends its handshake takes nothing of it. Ends and resets are passed on in both directions, and
 * whoever reads slowly holds the other side back.
 *
 * Loop thread.
 */
#ifndef FFTD_DAEMON_TLS_TLS_RELAY_H
#define FFTD_DAEMON_TLS_TLS_RELAY_H

#include <stdint.h>
#include <uv.h>

#include "daemon/access/address.h"
#include "daemon/tls/tls_context.h"

struct tls_relay;

enum {
    TLS_DESCRIPTORS = 3,     /* of a connection */
    TLS_HANDSHAKES_MAX = 256 /* at a time; one more ends the oldest of the address with the most */
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

/* Takes the context over. -ENOMEM. */
int tls_relay_create(struct tls_relay **out, const struct tls_relay_config *config,
                     struct tls_context *context);
/* For connections from now on; takes it over. Others keep theirs. */
void tls_relay_renew(struct tls_relay *r, struct tls_context *context);
/* Takes over fd. If there is no place, it is closed. */
void tls_relay_add(struct tls_relay *r, int fd, const struct address *from);
void tls_relay_counts(const struct tls_relay *r, struct tls_counts *out); /* NULL: zeros */

/* Closes all connections; the loop has to run once more. Then destroy. NULL is fine for both. */
void tls_relay_stop(struct tls_relay *r);
void tls_relay_destroy(struct tls_relay *r);

#endif
