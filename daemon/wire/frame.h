/*
 * frame.h - a reference-counted block of bytes to be sent to one or more clients. Loop thread only.
 *
 * The websocket library writes its own header into the FRAME_PRE bytes before `data`. So a frame is
 * sent to one client after the other, never to two at the same time.
 */
#ifndef FFTD_DAEMON_WIRE_FRAME_H
#define FFTD_DAEMON_WIRE_FRAME_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_PRE = 64 };

struct frame {
    uint32_t holders;
    bool text;
    size_t size;
    uint8_t *data; /* [size]; FRAME_PRE bytes before it are free */
};

struct frame *frame_create(size_t size); /* with one holder; NULL: no memory */
struct frame *frame_from_text(const char *text, size_t length); /* the same, with a copy of it */
struct frame *
frame_from_json(json_t *value); /* a text frame; takes over the reference; NULL gives NULL */
struct frame *frame_hold(struct frame *f);
void frame_drop(struct frame *f); /* NULL is fine */

#endif
