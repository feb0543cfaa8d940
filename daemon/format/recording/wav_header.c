/* wav_header.c - parses the chunks of a WAV file up to its samples. */
#include "daemon/format/recording/wav_header.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/bytes.h"
#include "daemon/base/reason.h"
#include "daemon/format/recording/wav_auxi.h"

enum { FMT_BYTES = 16, EXTENSIBLE_BYTES = 40 };
enum { CHUNK_MAX = 1 << 24 }; /* larger ones after the samples are unknown: it is no chunk */
enum { TAG_PCM = 1, TAG_FLOAT = 3, TAG_EXTENSIBLE = 0xfffe };

struct wav {
    struct wav_header *out;
    struct reason *why;
    struct wav_progress *done;
};

static int refuse(const struct wav *w, const char *why)
{
    return reason_set(w->why, -EINVAL, "%s", why);
}

static bool is(const uint8_t *id, const char *name)
{
    return memcmp(id, name, 4) == 0;
}

const struct wav_layout wav_layout_riff = {12, 8, 2};
static const struct wav_layout wave64 = {40, WAV_HEAD_MAX, 8};

/* What follows the four characters of "riff", and of the other ids of Wave64. */
static const uint8_t riff_guid[] = "\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0";
static const uint8_t chunk_guid[] = "\xf3\xac\xd3\x11\x8c\xd1\0\xc0\x4f\x8e\xdb\x8a";
enum { GUID_REST = 12 };

static bool is_chunk(const struct wav_layout *layout, const uint8_t *id, const char *name)
{
    return is(id, name) &&
           (layout == &wav_layout_riff || memcmp(id + 4, chunk_guid, GUID_REST) == 0);
}

/* The tag in a GUID whose other 14 bytes are the common ones; 0: another GUID. */
static unsigned tag_of_guid(const uint8_t *guid)
{
    static const uint8_t base[14] = {0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
    return memcmp(guid + 2, base, sizeof base) == 0 ? bytes_get_u16(guid) : 0;
}

/* Two channels are I and Q, one is a real signal. */
static void set_format(struct wav_header *out, unsigned tag, unsigned bits, unsigned channels)
{
    static const struct {
        unsigned tag, bits;
        const char *iq, *real;
    } table[] = {{TAG_PCM, 8, "wav8", "ru8"},     {TAG_PCM, 16, "cs16", "ri16"},
                 {TAG_PCM, 24, "cs24", "ri24"},   {TAG_PCM, 32, "cs32", "ri32"},
                 {TAG_FLOAT, 32, "cf32", "rf32"}, {TAG_FLOAT, 64, "cf64", "rf64"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].tag == tag && table[i].bits == bits)
            out->sample = iq_sample_find(channels == 1 ? table[i].real : table[i].iq);
    }
    if (tag == TAG_PCM || tag == TAG_FLOAT)
        snprintf(out->kind, sizeof out->kind, "%u-bit %s", bits,
                 tag == TAG_PCM ? "integer" : "float");
    else
        snprintf(out->kind, sizeof out->kind, "encoding %u", tag);
}

static int take_fmt(struct wav *w, const uint8_t *b, uint32_t size)
{
    if (size < FMT_BYTES)
        return refuse(w, "its fmt chunk is too short");
    unsigned tag = bytes_get_u16(b);
    const unsigned channels = bytes_get_u16(b + 2), block = bytes_get_u16(b + 12),
                   bits = bytes_get_u16(b + 14);
    if (tag == TAG_EXTENSIBLE)
        tag = size >= EXTENSIBLE_BYTES ? tag_of_guid(b + 24) : 0;
    if (channels != 1 && channels != 2)
        return refuse(w, "neither two channels (I and Q) nor one (a real signal)");
    if (block != channels * ((bits + 7) / 8))
        return refuse(w, "its block size does not fit its bits");
    set_format(w->out, tag, bits, channels);
    w->out->rate_hz = bytes_get_u32(b + 4);
    w->done->has_format = true;
    return 0;
}

static int take_ds64(struct wav *w, const uint8_t *b, uint32_t size)
{
    if (size < 16)
        return refuse(w, "its ds64 chunk is too short");
    w->done->size64 = bytes_get_u64(b + 8);
    w->done->has_size64 = true;
    return 0;
}

static int take_auxi(struct wav *w, const uint8_t *b, uint32_t size)
{
    struct wav_auxi auxi;
    wav_auxi_parse(b, size, &auxi);
    w->out->center_hz = auxi.center_hz;
    w->out->has_time = auxi.has_time;
    w->out->start_ns = auxi.start_ns;
    w->done->auxi_rate_hz = (uint32_t)fmin(auxi.rate_hz, UINT32_MAX);
    return 0;
}

/* Of Perseus; programs that write auxi, too, know better. */
static int take_rcvr(struct wav *w, const uint8_t *b, uint32_t size)
{
    if (size < 12 || !isnan(w->out->center_hz))
        return 0;
    if (bytes_get_u32(b) > 0)
        w->out->center_hz = bytes_get_u32(b);
    w->out->has_time = bytes_get_u32(b + 8) >= 315532800; /* 1980 */
    w->out->start_ns = (int64_t)bytes_get_u32(b + 8) * 1000000000;
    return 0;
}

static const struct chunk {
    const char *id;
    int (*take)(struct wav *w, const uint8_t *content, uint32_t size);
} chunks[] = {{"fmt ", take_fmt}, {"ds64", take_ds64}, {"auxi", take_auxi}, {"rcvr", take_rcvr}};

static int take(struct wav *w, const uint8_t *id, const uint8_t *content, uint32_t size)
{
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        if (is_chunk(w->out->layout, id, chunks[i].id))
            return chunks[i].take(w, content, size);
    }
    return 0;
}

static void set_size_64(struct wav_header *out, uint64_t size)
{
    out->has_size64 = size > 0 && size < INT64_MAX - WAV_HEAD_MAX;
    out->data_bytes = out->has_size64 ? size : WAV_TO_END;
}

static void set_size_32(const struct wav *w, uint32_t size)
{
    const struct wav_progress *p = w->done;
    const bool streamed = size == 0 || size == UINT32_MAX;
    w->out->data_bytes = streamed ? WAV_TO_END : size;
    w->out->has_size64 =
        p->has_size64 && p->size64 > 0 && (size == UINT32_MAX || size == (uint32_t)p->size64);
    if (w->out->has_size64)
        w->out->data_bytes = p->size64;
}

static int take_data(const struct wav *w, size_t at, uint64_t size)
{
    if (!w->done->has_format)
        return refuse(w, "no fmt chunk before the samples");
    if (w->out->rate_hz == 0)
        w->out->rate_hz = w->done->auxi_rate_hz;
    w->out->data_at = at;
    if (w->out->layout == &wave64)
        set_size_64(w->out, size);
    else
        set_size_32(w, (uint32_t)size);
    return 0;
}

/* The size as the head states it: of Wave64 with the head. */
static uint64_t stated_size(const struct wav_layout *layout, const uint8_t *head)
{
    return layout == &wav_layout_riff ? bytes_get_u32(head + 4) : bytes_get_u64(head + 16);
}

/* A size of Wave64 that cannot be; 0 of samples is one that was never written. */
static bool is_too_small(const struct wav_layout *layout, const uint8_t *head)
{
    const uint64_t size = stated_size(layout, head);
    return layout == &wave64 && size < layout->head_bytes &&
           (size > 0 || !wav_is_data(layout, head));
}

static int refuse_size(const struct wav *w, const uint8_t *head)
{
    char name[5] = {0};
    for (int i = 0; i < 4; i++)
        name[i] = (char)(head[i] < ' ' || head[i] > '~' ? '?' : head[i]);
    return reason_set(w->why, -EINVAL, "its chunk '%s' states %llu bytes, its head alone has %d",
                      name, (unsigned long long)stated_size(&wave64, head), WAV_HEAD_MAX);
}

/* NULL: no such file. */
static const struct wav_layout *layout_of(const uint8_t *bytes)
{
    if (is(bytes, "riff") && memcmp(bytes + 4, riff_guid, wav_layout_riff.magic_bytes - 4) == 0)
        return &wave64;
    const bool known = is(bytes, "RIFF") || is(bytes, "RF64") || is(bytes, "BW64");
    return known && is(bytes + 8, "WAVE") ? &wav_layout_riff : NULL;
}

int wav_header_parse(const uint8_t *bytes, size_t size, struct wav_header *out, struct reason *why)
{
    struct wav_progress progress = {0};
    return wav_header_continue(&progress, bytes, size, out, why);
}

/* The magic of the file, and the header before its first chunk. */
static int begin(const struct wav *w, const uint8_t *bytes, size_t size)
{
    *w->out = (struct wav_header){.center_hz = NAN};
    if (size < wav_layout_riff.magic_bytes)
        return (int)wav_layout_riff.magic_bytes;
    const struct wav_layout *layout = layout_of(bytes);
    if (layout && size < layout->magic_bytes)
        return (int)layout->magic_bytes;
    if (!layout || (layout == &wave64 && !is_chunk(layout, bytes + WAV_HEAD_MAX, "wave")))
        return refuse(w, "no WAV file (RIFF, RF64 or BW64 with WAVE, or Wave64)");
    w->out->layout = layout;
    w->done->at = layout->magic_bytes;
    return 0;
}

int wav_header_continue(struct wav_progress *progress, const uint8_t *bytes, size_t size,
                        struct wav_header *out, struct reason *why)
{
    struct wav w = {.out = out, .why = why, .done = progress};
    const int begun = progress->at == 0 ? begin(&w, bytes, size) : 0;
    if (begun != 0)
        return begun;
    const struct wav_layout *layout = out->layout;
    for (size_t at = progress->at;; progress->at = at) {
        if (size - at < layout->head_bytes)
            return (int)(at + layout->head_bytes);
        const uint8_t *id = bytes + at;
        const uint64_t length = wav_chunk_size(layout, id);
        progress->heads++;
        if (is_too_small(layout, id))
            return refuse_size(&w, id);
        at += layout->head_bytes;
        if (wav_is_data(layout, id))
            return take_data(&w, at, length);
        if (length > WAV_HEADER_MAX ||
            at + wav_padded(layout, length) > WAV_HEADER_MAX - layout->head_bytes)
            return refuse(&w, "no samples in its first MiB");
        const size_t next = at + (size_t)wav_padded(layout, length);
        if (next > size)
            return (int)next;
        const int err = take(&w, id, bytes + at, (uint32_t)length);
        if (err < 0)
            return err;
        at = next;
    }
}

bool wav_is_chunk(const struct wav_layout *layout, const uint8_t *head)
{
    for (int i = 0; i < 4; i++) {
        if (head[i] < ' ' || head[i] > '~')
            return false;
    }
    return wav_chunk_size(layout, head) <= CHUNK_MAX && !is_too_small(layout, head);
}

uint64_t wav_chunk_size(const struct wav_layout *layout, const uint8_t *head)
{
    const uint64_t size = stated_size(layout, head);
    if (layout == &wav_layout_riff)
        return size;
    return size > layout->head_bytes ? size - layout->head_bytes : 0;
}

uint64_t wav_padded(const struct wav_layout *layout, uint64_t size)
{
    return (size + layout->align - 1) / layout->align * layout->align;
}

bool wav_is_data(const struct wav_layout *layout, const uint8_t *head)
{
    return is_chunk(layout, head, "data");
}

bool wav_is_kiwi(const struct wav_layout *layout, const uint8_t *head)
{
    return is_chunk(layout, head, "kiwi");
}
