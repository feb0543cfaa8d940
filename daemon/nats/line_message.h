/*
 * line_message.h - a published line: facts about its sensor, then a frame of the wire. Pure.
 *
 * All numbers are little-endian.
 *
 *     at  type    name         meaning
 *      0  u8[4]   magic        "FFTN"
 *      4  u8      version      1
 *      5  u8      flags        bit 0: the link was away while lines were folded into this frame
 *      6  u8[2]                0
 *      8  u32     run          of the sensor: another one, and its lines count from 0 again
 *     12  u32     base         number of the base that the frame refers to, or has
 *     16  i64     host time    Unix time of the host when the frame was made, ns
 *     24  u32     uncertainty  of the frame's time, us; 0xffffffff: unknown
 *     28  u32     header bytes 32; offset of the frame
 *     32  u8[]    frame        coded_frame.h
 */
#ifndef FFTD_DAEMON_NATS_LINE_MESSAGE_H
#define FFTD_DAEMON_NATS_LINE_MESSAGE_H

#include <stdbool.h>

#include "daemon/wire/ws_message.h"

enum { LINE_MESSAGE_HEADER = 32 };
#define LINE_MESSAGE_UNKNOWN UINT32_MAX /* uncertainty */

struct line_message {
    bool after_loss;
    uint32_t run, base;
    int64_t host_time_ns;
    uint32_t uncertainty_us;
};

/* NULL: no memory. */
struct ws_message *line_message_create(const struct line_message *m,
                                       const struct ws_message *frame);

/*
 * The members, from a message that came; the frame begins at *frame. -EINVAL: not a line of
 * version 1, or without a frame.
 */
int line_message_read(const uint8_t *bytes, size_t size, struct line_message *out, size_t *frame);

/*
 * Largest error of the time of samples, us: the kernel's estimate for the host's clock (adjtimex,
 * maxerror), and the bound within which a radio's samples follow that clock (sample_clock.h).
 * Unknown if nothing keeps the host's clock, the system does not let this process read its error,
 * or the time is not from that clock: of a device, a recording.
 */
uint32_t line_message_uncertainty(bool host_clock);

#endif
