/*
 * history_frame.h - the binary frame of rows of the history, kind 4 of the protocol. Pure.
 *
 * All numbers are little-endian. A header, then the table of the rows, then their levels.
 *
 *     at  type     name            meaning
 *      0  u8[4]    magic           "FFTD"
 *      4  u8       version         1
 *      5  u8       kind            4 = history
 *      6  u8       flags           bit 0 levels deflated (zlib format), 5 levels range-coded
 *      7  u8       detector        0 mean, 1 max, 2 min
 *      8  u32      header bytes    32; offset of the table
 *     12  u32      id              of the request
 *     16  u32      rows
 *     20  u32      table bytes     the levels follow
 *     24  u32      levels          of all rows
 *     28  u8       oldest          1: there are no rows before these
 *     29  u8[3]                    0
 *
 * docs/protocol.md ("History frames") has the table.
 */
#ifndef FFTD_DAEMON_WIRE_HISTORY_FRAME_H
#define FFTD_DAEMON_WIRE_HISTORY_FRAME_H

#include "daemon/line/history/history.h"
#include "daemon/wire/wire.h"
#include "daemon/wire/ws_message.h"

enum { HISTORY_FRAME_HEADER = 32 };

/* Bits of a row in the table. */
enum {
    HISTORY_ROW_GRID = 1, /* other columns than the row before it in the table */
    HISTORY_ROW_FINEST = 2,
    HISTORY_ROW_RATE_ASSUMED = 4,
    HISTORY_ROW_BREAKS = 8,
    HISTORY_ROW_STEP = 16,    /* another step than the row before it in the table */
    HISTORY_ROW_ARCHIVED = 32 /* of the spectrum archive: archive/read/archive_past.h */
};

struct ws_message *history_frame_create(const struct history_result *result, unsigned detector,
                                        uint32_t id, enum wire_coding coding); /* NULL: no memory */

#endif
