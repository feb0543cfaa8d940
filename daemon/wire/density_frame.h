/*
 * density_frame.h - the binary frame of a density, kind 2 of the protocol in wire.h. Pure.
 *
 *     at  type     name            meaning
 *      0  u8[4]    magic           "FFTD"
 *      4  u8       version         1
 *      5  u8       kind            2 = density
 *      6  u8       flags           bit 0 payload deflated (zlib format), 1 simulated source,
 *                                  4 the rate is assumed, and so is every Hz below but the centre,
 *                                  5 payload range-coded (hit_code.h) instead of runs
 *      7  u8       zero
 *      8  u32      header bytes    112; offset of the payload
 *     12  u32      columns
 *     16  u32      levels
 *     20  f32      top             dBFS, upper edge of level row 0
 *     24  f32      step            dB; row r is from top - r*step down to top - (r+1)*step
 *     28  u32      lines           that the hits are of, >= 1
 *     32  u64      line            number of the newest of them
 *     40  u64      frames          each column's hits sum to it
 *     48  u64      frames before   that the server has counted before these, since it began to
 *     56  u64      first sample    stream sample number
 *     64  u64      samples
 *     72  i64      time            Unix time of the first sample, ns
 *     80  f64      centre          Hz, of the radio
 *     88  f64      rate            samples/s
 *     96  f64      low             Hz, left edge of bin 0
 *    104  u32      n               FFT size; column c has the bins k with floor(k*columns/n) = c
 *    108  u32      zero
 *    112  u8[]     hits            runs, or range-coded
 *
 * Runs: for each column from the left, the first row with a hit and the number of rows to the last
 * one (u16 each), then the hits of these rows. A number of hits below 255 is one byte; otherwise
 * 255 is followed by a u32. Rows outside have no hits.
 */
#ifndef FFTD_DAEMON_WIRE_DENSITY_FRAME_H
#define FFTD_DAEMON_WIRE_DENSITY_FRAME_H

#include "daemon/line/density_sum.h"
#include "daemon/wire/wire.h"
#include "daemon/wire/ws_message.h"

enum { DENSITY_HEADER = 112, DENSITY_LEVELS_MAX = 4096 };

/* What a client wants of its frames. */
struct density_form {
    enum wire_coding coding;
    double step_db; /* least distance of two levels; 0: as they are counted */
};

/*
 * A frame of whole hits: the density has no persistence or an infinite one, and at least one line.
 * NULL: no memory.
 */
struct ws_message *density_frame_create(const struct density *d, uint64_t frames_before,
                                        enum wire_coding coding);

#endif
