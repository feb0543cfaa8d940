/*
 * channel_reader.h - the samples of a channel as one stream of bytes without gaps, in a format that
 * programs read.
 *
 * A reader that is too slow loses whole blocks. It gets zeros in their place, and in place of
 * samples lost in the stream, so that the timing stays correct; for each gap, at most one second of
 * zeros.
 *
 * A framed reader gets no zeros, but a head before the samples of each block, little-endian:
 *
 *     0  "FFTC"    4  u32 samples that follow    8  u64 index of the first one (channel_output.h)
 *     16 u64 number of the stream's sample       24 i64 Unix time of the first one, ns
 *     32 u64 samples that are missing before it  40 f32 gain, dB
 *     44 u32 flags: 1: the radio is tuned elsewhere, and all samples are 0
 *
 * A block may repeat the last sample of the previous block; its index shows this. One thread at a
 * time.
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_READER_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/channel/channel_gain.h"
#include "daemon/channel/channel_output.h"

struct channel;

enum { CHANNEL_FRAME_HEAD = 48 };

struct channel_reader {
    struct channel *channel; /* outlives the reader */
    bool framed;
    struct channel_gain gain;
    enum fft_iq_format format;
    double rate_hz;
    uint64_t missed;         /* samples that are missing so far, also those beyond a second */
    uint64_t blocks, silent; /* so far; those of a radio that is tuned elsewhere */

    struct channel_cursor cursor;
    bool begun;
    uint64_t index;       /* of the next sample */
    uint64_t zeros;       /* samples that come before the next block: they are missing */
    unsigned char *bytes; /* those from .. to are the piece */
    size_t from, to, capacity;
};

void channel_reader_init(struct channel_reader *r, struct channel *channel, double rate_hz,
                         const struct channel_format *format);
void channel_reader_finish(struct channel_reader *r);
/*
 * Provides the next piece, of whole samples; call it when from == to. 1: a piece; 0: none within
 * timeout_ms; -ENODATA: no more will come; -ENOMEM.
 */
int channel_reader_next(struct channel_reader *r, int timeout_ms);

#endif
