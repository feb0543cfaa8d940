/* channel_reader.c - packs the blocks of a channel, and zeros for what is missing between them. */
#include "daemon/channel/channel_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/bytes.h"
#include "daemon/channel/channels.h"

void channel_reader_init(struct channel_reader *r, struct channel *channel, double rate_hz,
                         const struct channel_format *format)
{
    *r = (struct channel_reader){
        .channel = channel, .framed = format->framed, .format = format->format, .rate_hz = rate_hz};
    channel_gain_init(&r->gain, format->automatic, format->gain_db);
}

void channel_reader_finish(struct channel_reader *r)
{
    free(r->bytes);
    r->bytes = NULL;
    r->from = r->to = r->capacity = 0;
}

/* Room for this many samples, and a head. False: no memory. */
static bool make_room(struct channel_reader *r, size_t samples)
{
    const size_t bytes = CHANNEL_FRAME_HEAD + samples * fft_iq_bytes(r->format);
    r->from = r->to = 0;
    if (bytes <= r->capacity)
        return true;
    unsigned char *more = realloc(r->bytes, bytes);
    if (!more)
        return false;
    r->bytes = more;
    r->capacity = bytes;
    return true;
}

/* The next part of what is missing, as samples of the value 0. */
static bool fill_zeros(struct channel_reader *r)
{
    enum { PART = 1024 };
    static const struct fft_iq zeros[PART];
    const size_t count = r->zeros < PART ? (size_t)r->zeros : PART;
    struct channel_gain none;
    channel_gain_init(&none, false, 0);
    if (!make_room(r, count))
        return false;
    channel_gain_pack(&none, r->format, r->rate_hz, zeros, count, r->bytes);
    r->to = count * fft_iq_bytes(r->format);
    r->zeros -= count;
    return true;
}

static void write_head(const struct channel_reader *r, const struct channel_block *b,
                       uint64_t missing, uint8_t head[CHANNEL_FRAME_HEAD])
{
    const float gain_db = (float)channel_gain_db(&r->gain);
    uint32_t gain;
    memcpy(&gain, &gain_db, sizeof gain);
    memcpy(head, "FFTC", 4);
    bytes_put(head + 4, b->count, 4);
    bytes_put(head + 8, b->index, 8);
    bytes_put(head + 16, b->number, 8);
    bytes_put(head + 24, (uint64_t)b->time_ns, 8);
    bytes_put(head + 32, missing, 8);
    bytes_put(head + 40, gain, 4);
    bytes_put(head + 44, b->silent, 4);
}

static void note(struct channel_reader *r, const struct channel_block *b)
{
    r->begun = true;
    r->index = b->index + b->count;
    r->blocks++;
    r->silent += b->silent;
}

static bool fill_frame(struct channel_reader *r, const struct channel_block *b, uint64_t missing)
{
    if (!make_room(r, b->count))
        return false;
    channel_gain_pack(&r->gain, r->format, r->rate_hz, b->sample, b->count,
                      r->bytes + CHANNEL_FRAME_HEAD);
    write_head(r, b, missing, r->bytes);
    r->to = CHANNEL_FRAME_HEAD + b->count * fft_iq_bytes(r->format);
    note(r, b);
    return true;
}

static bool fill_block(struct channel_reader *r, const struct channel_block *b)
{
    const size_t again = r->begun ? channel_block_again(b, r->index) : 0;
    if (!make_room(r, b->count))
        return false;
    if (again < b->count) {
        channel_gain_pack(&r->gain, r->format, r->rate_hz, b->sample + again, b->count - again,
                          r->bytes);
        r->to = (b->count - again) * fft_iq_bytes(r->format);
    }
    note(r, b);
    return true;
}

/* The next block, or the zeros before it. */
static int read_block(struct channel_reader *r, int timeout_ms)
{
    bool closed;
    const struct channel_cursor before = r->cursor;
    struct channel_block *b =
        channel_output_wait(channel_output_of(r->channel), &r->cursor, timeout_ms, &closed);
    if (!b)
        return closed || channel_is_refused(r->channel) ? -ENODATA : 0;
    int more = 1;
    const uint64_t missing = r->begun && b->index > r->index ? b->index - r->index : 0;
    if (r->framed) {
        r->missed += missing;
        more = fill_frame(r, b, missing) ? 1 : -ENOMEM;
    } else if (missing > 0) {
        r->zeros = missing < (uint64_t)r->rate_hz ? missing : (uint64_t)r->rate_hz;
        r->missed += missing;
        r->index = b->index;
        r->cursor = before; /* the block is taken again */
    } else if (!fill_block(r, b)) {
        more = -ENOMEM;
    }
    channel_block_unref(b);
    return more;
}

int channel_reader_next(struct channel_reader *r, int timeout_ms)
{
    int more = 1;
    while (r->from == r->to && more > 0) {
        if (r->zeros > 0)
            more = fill_zeros(r) ? 1 : -ENOMEM;
        else
            more = read_block(r, timeout_ms);
    }
    return r->from < r->to ? 1 : more;
}
