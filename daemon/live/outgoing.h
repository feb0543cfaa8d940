/*
 * outgoing.h - the turns of one slice: for each websocket the bytes that one system call sends.
 *
 * Loop thread. A message becomes one frame of RFC 6455 (5.2).
 */
#ifndef FFTD_DAEMON_LIVE_OUTGOING_H
#define FFTD_DAEMON_LIVE_OUTGOING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    OUTGOING_TURNS = 256,
    OUTGOING_BYTES = 256 << 10,     /* of all turns */
    OUTGOING_TURN_BYTES = 16 << 10, /* of one */
    WEBSOCKET_HEAD = 10,
};

struct client;
struct ws_message;

struct outgoing_turn {
    struct client *client;
    int socket;
    uint8_t *bytes; /* [size] */
    size_t size;
    ssize_t sent;      /* that the socket took; -errno: the connection has failed */
    unsigned messages; /* of the turn, also messages that were not copied: of client_send.c */
    bool is_full;      /* more may be pending: the same */
};

struct outgoing {
    uint32_t count;
    size_t size;
    struct outgoing_turn turns[OUTGOING_TURNS];
    uint8_t bytes[OUTGOING_BYTES];
};

/* Writes the head of a whole message of a server: at most WEBSOCKET_HEAD bytes. Returns how many.
 */
size_t websocket_head(uint8_t *head, bool text, uint64_t size);

bool outgoing_is_full(const struct outgoing *o); /* no turn begins any more */
/* Begins a turn, without a message. Not if it is full. */
struct outgoing_turn *outgoing_begin(struct outgoing *o, struct client *client, int socket);
/* Copies a message to the end of the newest turn. False: the turn has no room for it. */
bool outgoing_add(struct outgoing *o, const struct ws_message *f);
/* Empties the newest turn. */
void outgoing_clear_turn(struct outgoing *o);
void outgoing_clear(struct outgoing *o); /* all turns */

/* Never blocks. */
void outgoing_turn_send(struct outgoing_turn *t);

#endif
