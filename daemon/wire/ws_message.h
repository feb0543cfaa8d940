/*
 * ws_message.h - a reference-counted block of bytes to be sent to one or more clients. Loop thread
 * only.
 *
 * The websocket library writes its own header into the WS_MESSAGE_PRE bytes before `data`. So a
 * message is sent to one client after the other, never to two at the same time.
 */
#ifndef FFTD_DAEMON_WIRE_WS_MESSAGE_H
#define FFTD_DAEMON_WIRE_WS_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_MESSAGE_PRE = 64 };

struct ws_message {
    uint32_t refs;
    bool text;
    size_t size;
    uint8_t *data; /* [size]; WS_MESSAGE_PRE bytes before it are free */
};

struct ws_message *ws_message_create(size_t size); /* with one reference; NULL: no memory */
struct ws_message *ws_message_from_text(const char *text,
                                        size_t length); /* the same, with a copy of it */
struct ws_message *
ws_message_from_json(json_t *value); /* a text message; takes over the reference; NULL gives NULL */
struct ws_message *ws_message_ref(struct ws_message *f);
void ws_message_unref(struct ws_message *f); /* NULL is fine */

#endif
