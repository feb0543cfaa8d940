/*
 * wire.h - the websocket protocol "fftd.3".
 *
 * Server to client, binary: one frame is one spectrum of the client's view. All numbers are
 * little-endian. A fixed header of WIRE_HEADER bytes precedes the payload. The C and the JavaScript
 * tests both read the example frames in tests/golden/wire_*.bin.
 *
 *     at  type     name            meaning
 *      0  u8[4]    magic           "FFTD"
 *      4  u8       version         1
 *      5  u8       kind            1 = spectrum
 *      6  u8       flags           bit 0 payload deflated (zlib format), 1 simulated source,
 *                                  2 hardware time, 3 a gap precedes one of this frame's lines,
 *                                  4 the rate is assumed, and so is every Hz below but the centre,
 *                                  5 payload range-coded (coded_frame.h, density_frame.h),
 *                                  6 another frame of the same round follows (client/feed.h)
 *      7  u8       detector           0 mean, 1 max, 2 min, 3 sample, 4 a percentile
 *      8  u32      header bytes    240; offset of the payload
 *     12  u32      view            the client's own number of its view
 *     16  u64      line            number of the newest line in this frame
 *     24  u32      merged          lines folded into this frame, >= 1
 *     28  u32      columns         levels in the payload
 *     32  u64      first sample    stream sample number
 *     40  u64      samples
 *     48  i64      time            Unix time of the first sample, ns
 *     56  f64      centre          Hz, of the radio
 *     64  f64      rate            samples/s
 *     72  f64      gain            dB, NaN: unknown or automatic
 *     80  f64      low             Hz, left edge of column 0
 *     88  f64      column width    Hz; column i covers low + i*width .. low + (i+1)*width
 *     96  f32      level offset    dBFS of payload value 0 (and of any lower level)
 *    100  f32      level step      dB a unit
 *    104  f32      ENBW            bins, of the window
 *    108  f32      peak level      dBFS, exact, of the view
 *    112  f64      peak frequency  Hz, centre of the peak's bin
 *    120  u32      n               FFT size
 *    124  u32      hop             samples
 *    128  u64      frames          FFTs folded into this frame
 *    136  f64      line rate       lines/s that the daemon computes
 *    144  u64      produced        ledger.h: totals since start, samples
 *    152  u64      seen
 *    160  u64      lost overflow
 *    168  u64      lost overrun
 *    176  u64      lost gap
 *    184  u64      lost retune
 *    192  u64      lost tail
 *    200  u64      clipped
 *    208  char[16] engine          NUL-padded
 *    224  char[16] window          NUL-padded, shortened to 15
 *    240  u8[]     levels          [columns]: dBFS = offset + step * value
 *
 * A column shows the largest bin that it covers (peak-preserving). A view with fewer bins than the
 * client has pixels gets one column for each bin. RBW, spectra/s and POI time follow from n, hop,
 * rate and ENBW.
 *
 * Client to server, text: one JSON object in each message, at most WIRE_MESSAGE_MAX bytes.
 *
 *     {"type":"hello","token":"..."}
 *           optional, and only as the first message; token: optional
 *     {"type":"view","id":7,"low_hz":1e8,"high_hz":1.01e8,"columns":1200,"detector":"max"}
 *           id: 0..2^32-1. detector: optional ("mean"). low_hz, high_hz: optional (the whole span),
 *           clipped to the span in whole bins; a view outside of the span shows the whole span.
 *           columns: 1..8192. The newest line is sent at once.
 *           reduction: optional ("peak", client/view_reduce.h)
 *           trace: optional ("clear-write", line/trace.h), with count: lines of an average
 *           (0: all), and restart: true begins it again
 *           coding: optional ("plain"); with "range", lines are frames of kind 3 (coded_frame.h)
 *           step_db: optional; the least distance of two levels, 0.25 (default) .. 20
 *           slot: optional, 0 (default) .. 6: a client has one view in each; off: true removes it
 *     {"type":"credit","count":1}
 *           the number of rounds drawn (a frame for each slot with new lines); credit is 2 at the
 * first view and never exceeds 2
 *     {"id":7,"put":"/api/v1/settings","body":{"center_hz":1e8}}
 *           a call: get, put, patch, post or delete of a resource (api/resource.h), also of those
 *           that belong to this connection (api/call_connection.h)
 *     {"id":8,"subscribe":"density","rate":2}
 *           a topic (api/topics.h); unsubscribe: no more
 *
 * Server to client, text:
 *
 *     {"type":"welcome","version":"...","control":true|false,"limits":{...},"choices":{...},
 *      "band_plan":true|false}
 *           once, after hello or the first message
 *     {"type":"status", ...}     the object of /api/v1/status; every second and after a change
 *     {"id":7,"status":200,"body":{...}}   the answer to a call or subscription; a refused one has
 *           "error", a sentence, and the wrong "key" in place of the body
 *     {"type":"error","message":"..."}   why another message was refused; the connection stays open
 *     {"type":"markers","id":3,"view":7,"line":3,"peak":{...},"markers":[...],"peaks":[...]}
 *           readings on the newest line of the frame that follows (client/readout.h)
 *     {"type":"replay","anchors":[...]}   where in its recording a replay is: docs/protocol.md
 *
 * "choices" has a member for each setting, and "detector" of "view":
 *
 *     {"center_hz":{"expected":"a number from 0 to 1000G","min":0.0,"max":1e12},
 *      "window":{"expected":"one of rect, ...","values":["rect","hann",...,"kaiser(8.6)"]},
 *      "fft_size":{"expected":"...","values":[64,128,...]},
 *      "overlap":{"expected":"...","min":0,"below":100},
 *      "gain":{"label":"Gain","group":"radio","help":"...","expected":"auto, dB, or ..."},
 *      "detector":{"expected":"...","values":["mean","max","min","sample"]}, ...}
 *
 *     label, group, help, unit   for people; without a unit, text or a plain number
 *     expected   what the daemon accepts, for people
 *     values     the values to offer; a window may have another parameter: "kaiser(5)"
 *     min, max   bounds of a number, both included
 *     below      in place of max: the bound itself is excluded
 *     neither values nor bounds: any text that "expected" describes
 */
#ifndef FFTD_DAEMON_WIRE_WIRE_H
#define FFTD_DAEMON_WIRE_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/line/line.h"

enum { WIRE_HEADER = 240, WIRE_MESSAGE_MAX = 4096, WIRE_COLUMNS_MAX = 8192, WIRE_CREDIT_MAX = 2 };

enum {
    WIRE_DEFLATED = 1,
    WIRE_SIMULATED = 2,
    WIRE_HARDWARE_TIME = 4,
    WIRE_GAP = 8,
    WIRE_RATE_ASSUMED = 16,
    WIRE_RANGE_CODED = 32,
    WIRE_MORE = 64
};

enum wire_coding { WIRE_PLAIN, WIRE_RANGE }; /* of levels and hits */

/* A detector that only views which ask for it get. */
enum { WIRE_PERCENTILE = 4 };

/* The variable members of the header, in the order of the table. */
struct wire_header {
    uint8_t flags, detector;
    uint32_t view;
    uint64_t line;
    uint32_t merged, columns;
    uint64_t first_sample, samples;
    int64_t time_ns;
    double center_hz, rate_hz, gain_db, low_hz, column_hz;
    float level_offset_db, level_step_db, enbw_bins, peak_db;
    double peak_hz;
    uint32_t n, hop;
    uint64_t frames;
    double line_rate_hz;
    struct ledger ledger;
    char engine[16], window[16];
};

void wire_write_header(const struct wire_header *h, uint8_t into[WIRE_HEADER]);
/* Changes only the view's number: the rest of a frame is the same for all clients of a view. */
void wire_set_view(uint8_t header[WIRE_HEADER], uint32_t view);
/* 0, or -EINVAL: not a frame of this version. */
int wire_read_header(const uint8_t *bytes, size_t size, struct wire_header *out);

/*
 * Converts linear powers [columns] to levels [columns] and writes offset and step to h: step =
 * max(0.25, range / 254) dB, where the range starts at most 160 dB below the peak. Only levels
 * below the offset are limited.
 */
void wire_quantise(struct wire_header *h, const float *power, uint8_t *levels);
/*
 * Converts levels as above to levels with a step of at least step_db. The median becomes a level of
 * its own, so that most of the noise around it is one level, which costs next to nothing.
 */
void wire_coarsen(struct wire_header *h, double step_db, uint8_t *levels);

#endif
