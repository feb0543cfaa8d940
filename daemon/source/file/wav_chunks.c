/* wav_chunks.c - walks the chunks of a WAV file after its first samples. */
#include "daemon/source/file/wav_chunks.h"

#include "daemon/base/log.h"
#include "daemon/format/recording/wav_header.h"

/* Chunks looked at before one with samples, and segments: no file makes its start take minutes. */
enum { CHUNKS_MAX = 1000, SEGMENTS_MAX = 1 << 20, HEADS_MAX = 1 << 22 };

struct data_chunk {
    uint64_t at, size; /* of the content */
};

/* False: no chunk begins at this position. */
static bool read_head(struct byte_stream *bytes, const struct wav_layout *layout, uint64_t at,
                      uint8_t head[WAV_HEAD_MAX])
{
    return at < bytes->size && bytes->size - at >= layout->head_bytes &&
           byte_stream_seek(bytes, at) == 0 &&
           byte_stream_fill(bytes, head, layout->head_bytes, 0) == 0 && wav_is_chunk(layout, head);
}

bool wav_only_chunks_follow(struct byte_stream *bytes, const struct wav_layout *layout, uint64_t at)
{
    at = wav_padded(layout, at);
    for (int i = 0; i < CHUNKS_MAX && at < bytes->size; i++) {
        uint8_t head[WAV_HEAD_MAX];
        if (!read_head(bytes, layout, at, head))
            return false;
        if (wav_is_data(layout, head) || wav_is_kiwi(layout, head))
            return true; /* the last one may be incomplete */
        at += layout->head_bytes + wav_padded(layout, wav_chunk_size(layout, head));
    }
    return at < bytes->size + layout->align; /* the last padding may be missing */
}

/* Replaces the data chunk by the next one. */
static bool next_data(struct byte_stream *bytes, const struct wav_layout *layout,
                      struct data_chunk *data, uint64_t *heads)
{
    uint64_t at = wav_padded(layout, data->at + data->size);
    for (int i = 0; i < CHUNKS_MAX && *heads < HEADS_MAX; i++) {
        uint8_t head[WAV_HEAD_MAX];
        ++*heads;
        if (!read_head(bytes, layout, at, head))
            return false;
        at += layout->head_bytes;
        const uint64_t size = wav_chunk_size(layout, head), left = bytes->size - at;
        if (wav_is_data(layout, head)) {
            *data = (struct data_chunk){at, size < left ? size : left};
            return true;
        }
        at += wav_padded(layout, size);
    }
    return false;
}

int wav_make_segments(struct recording *r, const struct wav_layout *layout, size_t sample_bytes)
{
    const struct data_chunk first = {r->data_at, r->data_bytes};
    struct data_chunk data = first;
    size_t count = 1;
    uint64_t heads = 0;
    while (count < SEGMENTS_MAX && next_data(&r->bytes, layout, &data, &heads))
        count++;
    const int err = recording_make_segments(r, count);
    if (err < 0)
        return err;
    if (count == SEGMENTS_MAX || heads == HEADS_MAX)
        log_warn("%s: it is read up to its data chunk %zu", r->name, count);
    data = first;
    heads = 0;
    for (size_t i = 1; i < count; i++) {
        r->segments[i - 1].samples = data.size / sample_bytes;
        const uint64_t end = data.at + data.size / sample_bytes * sample_bytes;
        next_data(&r->bytes, layout, &data, &heads);
        r->segments[i].skip_bytes = data.at - end;
        r->segments[i].continues = true;
    }
    r->data_bytes = data.at + data.size - r->data_at;
    return byte_stream_seek(&r->bytes, r->data_at);
}
