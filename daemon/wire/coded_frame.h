/*
 * coded_frame.h - the binary frame of a range-coded line, kind 3 of the protocol. Pure.
 *
 * A frame has what changed since a base: the header of an earlier line with the same settings.
 * A complete frame has the base, too; the client keeps it. docs/protocol.md has the tables.
 */
#ifndef FFTD_DAEMON_WIRE_CODED_FRAME_H
#define FFTD_DAEMON_WIRE_CODED_FRAME_H

#include "daemon/wire/wire.h"
#include "daemon/wire/ws_message.h"

/* The base of the frames of a view. Zeroed: none yet. */
struct coded_base {
    struct wire_header header;
    uint32_t number; /* of the bases of this view; 0: none */
};

/*
 * A frame of `levels` that refers to the base. The header becomes a new base if its settings are
 * others than the base's. NULL: no memory.
 */
struct ws_message *coded_frame_create(struct coded_base *base, const struct wire_header *h,
                                      const uint8_t *levels);
/* The frame with its base, which has not changed since. */
struct ws_message *coded_frame_complete(const struct coded_base *base,
                                        const struct ws_message *frame);

/*
 * Writes into a frame of either coding whose it is. The changes of slot s begin with 'L' + s. more:
 * another frame of the same round follows.
 */
void coded_frame_address(struct ws_message *frame, uint32_t view, unsigned slot, bool more);

#endif
