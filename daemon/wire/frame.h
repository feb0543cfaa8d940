/*
 * frame.h - bytes on their way to one or many clients, counted. Loop thread only.
 *
 * The websocket library writes its own header into the FRAME_PRE bytes before `data`, so a frame
 * is written to one client at a time, and may be again to the next one.
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
    uint8_t *data; /* [size], with FRAME_PRE bytes of room before it */
};

struct frame *frame_create(size_t size);      /* held once; NULL: no memory */
struct frame *frame_from_json(json_t *value); /* a text frame; takes the reference; NULL is fine */
struct frame *frame_hold(struct frame *f);
void frame_drop(struct frame *f); /* NULL is fine */

#endif
