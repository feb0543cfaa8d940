/*
 * outgoing.c - copies the messages of a turn behind one another.
 *
 * A copy of a few hundred bytes costs less than a system call, and a connection that gets all of
 * its messages by one call gets them in as few segments as they fit into.
 */
#include "daemon/live/outgoing.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "daemon/wire/ws_message.h"

enum { WHOLE_TEXT = 0x81, WHOLE_BINARY = 0x82, SIZE_16_BITS = 126, SIZE_64_BITS = 127 };

size_t websocket_head(uint8_t *head, bool text, uint64_t size)
{
    const unsigned bytes = size < SIZE_16_BITS ? 0 : size <= UINT16_MAX ? 2 : 8;
    head[0] = text ? WHOLE_TEXT : WHOLE_BINARY;
    head[1] = bytes == 0 ? (uint8_t)size : bytes == 2 ? SIZE_16_BITS : SIZE_64_BITS;
    for (unsigned i = 0; i < bytes; i++) /* big-endian */
        head[2 + i] = (uint8_t)(size >> 8 * (bytes - 1 - i));
    return 2 + bytes;
}

bool outgoing_is_full(const struct outgoing *o)
{
    return o->count == OUTGOING_TURNS || OUTGOING_BYTES - o->size < OUTGOING_TURN_BYTES;
}

struct outgoing_turn *outgoing_begin(struct outgoing *o, struct client *client, int socket)
{
    assert(!outgoing_is_full(o));
    struct outgoing_turn *t = &o->turns[o->count++];
    *t = (struct outgoing_turn){.client = client, .socket = socket, .bytes = o->bytes + o->size};
    return t;
}

bool outgoing_add(struct outgoing *o, const struct ws_message *f)
{
    struct outgoing_turn *t = &o->turns[o->count - 1];
    const size_t capacity = OUTGOING_TURN_BYTES - t->size;
    if (capacity < WEBSOCKET_HEAD || f->size > capacity - WEBSOCKET_HEAD)
        return false;
    const size_t head = websocket_head(t->bytes + t->size, f->text, f->size);
    memcpy(t->bytes + t->size + head, f->data, f->size);
    t->size += head + f->size;
    o->size += head + f->size;
    return true;
}

void outgoing_clear_turn(struct outgoing *o)
{
    struct outgoing_turn *t = &o->turns[o->count - 1];
    o->size -= t->size;
    t->size = 0;
}

void outgoing_clear(struct outgoing *o)
{
    o->count = 0;
    o->size = 0;
}

void outgoing_turn_send(struct outgoing_turn *t)
{
    t->sent = t->size > 0 ? send(t->socket, t->bytes, t->size, MSG_DONTWAIT | MSG_NOSIGNAL) : 0;
    if (t->sent < 0)
        t->sent = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -errno;
}
