/*
 * codec_ogg.c - Opus in Ogg (RFC 3533, RFC 7845): a stream that every listener has from its start.
 *
 *     page: "OggS" 0 flags, u64 position, u32 stream, u32 page, u32 CRC, u8 segments, their sizes
 *
 * A page has one packet, so that it goes on at once: 28 bytes for 20 ms. libogg collects packets,
 * and its state belongs to one thread; these forty lines do neither. Position: samples at 48 kHz
 * up to the packet's end. The first 80 ms are not played: the decoder converges in them.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/audio/audio_codec.h"
#include "daemon/base/bytes.h"
#include "daemon/base/reason.h"

extern const struct audio_encoding_ops audio_encoding_opus;

enum {
    HEAD = 27,      /* bytes of a page before the sizes */
    SEGMENTS = 255, /* of a page; a segment has up to 255 bytes */
    CRC_AT = 22,
    FIRST = 2, /* flag: the stream begins */
    STREAM = 1,
    CLOCK_HZ = 48000, /* of positions */
    PRE_SKIP = 3840,
};

static const unsigned rates_hz[] = {8000, 12000, 16000, 24000, 48000};
enum { RATES = sizeof rates_hz / sizeof *rates_hz };

/* The polynomial 0x04c11db7, the highest bit first, from 0. */
static uint32_t crc_of(const unsigned char *bytes, size_t count)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < count; i++) {
        crc ^= (uint32_t)bytes[i] << 24;
        for (int bit = 0; bit < 8; bit++)
            crc = crc << 1 ^ (crc >> 31 ? 0x04c11db7 : 0);
    }
    return crc;
}

/* A page of one packet. Returns its bytes. */
static size_t put_page(struct audio_framing *f, unsigned flags, uint64_t position,
                       const unsigned char *packet, size_t bytes, unsigned char *out)
{
    const size_t full = bytes / SEGMENTS, head = HEAD + full + 1;
    memcpy(out, "OggS", 4);
    bytes_put(out + 4, flags << 8, 2);
    bytes_put(out + 6, position, 8);
    bytes_put(out + 14, STREAM, 4);
    bytes_put(out + 18, f->pages++, 4);
    bytes_put(out + CRC_AT, 0, 4);
    out[HEAD - 1] = (unsigned char)(full + 1);
    memset(out + HEAD, SEGMENTS, full);
    out[HEAD + full] = (unsigned char)(bytes % SEGMENTS);
    memcpy(out + head, packet, bytes);
    bytes_put(out + CRC_AT, crc_of(out, head + bytes), 4);
    return head + bytes;
}

static size_t ogg_head(struct audio_framing *f, unsigned char *out)
{
    static const char maker[] = "fftd";
    unsigned char head[19] = "OpusHead", tags[8 + 4 + sizeof maker - 1 + 4] = "OpusTags";
    head[8] = 1; /* version */
    head[9] = (unsigned char)f->channels;
    bytes_put(head + 10, PRE_SKIP, 2);
    bytes_put(head + 12, (uint64_t)lrint(f->rate_hz), 4);
    bytes_put(head + 16, 0, 3); /* gain, mapping */
    bytes_put(tags + 8, sizeof maker - 1, 4);
    memcpy(tags + 12, maker, sizeof maker - 1);
    bytes_put(tags + sizeof tags - 4, 0, 4); /* comments */
    const size_t first = put_page(f, FIRST, 0, head, sizeof head, out);
    return first + put_page(f, 0, 0, tags, sizeof tags, out + first);
}

static size_t ogg_frame(struct audio_framing *f, const unsigned char *block, size_t bytes,
                        unsigned char *out)
{
    const double position = (double)f->frames * CLOCK_HZ / f->rate_hz;
    return put_page(f, 0, (uint64_t)llrint(position), block, bytes, out);
}

static double ogg_natural_rate(double rate_hz)
{
    size_t i = 0;
    while (i < RATES - 1 && rates_hz[i] < rate_hz)
        i++;
    return rates_hz[i];
}

static int ogg_check_rate(double rate_hz, struct reason *why)
{
    for (size_t i = 0; i < RATES; i++)
        if (fabs(rate_hz - rates_hz[i]) < 1e-6)
            return 0;
    return reason_key(why, -EINVAL, "audio_rate_hz",
                      "audio_rate_hz: Opus has 8k, 12k, 16k, 24k and 48k, not %.9g", rate_hz);
}

const struct audio_codec audio_codec_ogg = {.name = "ogg",
                                            .type = "audio/ogg",
                                            .extension = "ogg",
                                            .encoding = &audio_encoding_opus,
                                            .natural_rate = ogg_natural_rate,
                                            .check_rate = ogg_check_rate,
                                            .head = ogg_head,
                                            .frame = ogg_frame,
                                            .frame_max = HEAD + SEGMENTS};
