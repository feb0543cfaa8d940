/*
 * radio_server.h - the connection to a radio in the network: rtl_tcp, SpyServer.
 *
 * Waits in steps of 100 ms, after each of which config->stop ends it; only the resolver of names
 * takes its own time. All functions return -errno with a line in source->why that begins with
 * "HOST:PORT". Source thread.
 */
#ifndef FFTD_DAEMON_SOURCE_SERVER_RADIO_SERVER_H
#define FFTD_DAEMON_SOURCE_SERVER_RADIO_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/source/source.h"

struct radio_server {
    int fd; /* -1: not connected */
    char name[280];
};

/*
 * Connects to config->device. -EINVAL: that is no HOST:PORT; -EHOSTUNREACH: the name is not known;
 * -ETIMEDOUT: no answer within 5 s; else the errno of connect. -ECANCELED: config->stop.
 */
int radio_server_connect(struct radio_server *r, struct source *s);
/* Waits until the server ends the connection, at most 0.5 s, so that it has read all commands. */
void radio_server_finish(struct radio_server *r);
void radio_server_close(struct radio_server *r); /* also when zeroed with fd -1 */

/* As source_ops.list: 0, for nobody announces such servers. */
int radio_server_list(FILE *out);

/* Sends all bytes, within 2 s. */
int radio_server_send(struct radio_server *r, struct source *s, const void *bytes, size_t size);
/*
 * > 0: bytes, `size` if they come within timeout_ms; 0: none came. -ECONNRESET: the server ended
 * the connection.
 */
int64_t radio_server_read(struct radio_server *r, struct source *s, void *into, size_t size,
                          int timeout_ms);
uint64_t radio_server_queued(const struct radio_server *r); /* bytes that arrived and wait */
/*
 * Reads all bytes of an answer. -ETIMEDOUT: they did not arrive within 5 s. *have: bytes received.
 */
int radio_server_read_answer(struct radio_server *r, struct source *s, void *into, size_t size,
                             size_t *have);

/* Bytes of a server that is another one, for people: SSH-2.0-x\x0d\x0a. Returns `into`. */
enum { RADIO_SERVER_QUOTED = 32 };
const char *radio_server_quote(const uint8_t *bytes, size_t count,
                               char into[4 * RADIO_SERVER_QUOTED + 1]);

#endif
